//! Events inside macro steps: a mass that hits a wall, coupled to another one that is integrated apart.

use linkwork_dae::cosim::mechanism::Integrator;
use linkwork_dae::cosim::{Mechanism, Member, Plan, Polynomial, account, conduct};
use linkwork_dae::drive::{self, Ending, EventLog};
use linkwork_dae::linear::LINEAR_SOLVERS;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::{State, Tolerances};
use linkwork_dae::switching::{Crossing, Sense, Switch};
use linkwork_dae::system::{After, At, System};
use linkwork_mbs::{assemble, text};
use linkwork_problems::small::{Equations, Small};
use linkwork_problems::study::Setup;
use linkwork_problems::two_mass::Cross;

const WALL_SPRING: f64 = 3.0;
const SPRING: f64 = 4.0;
const DAMPER: f64 = 0.3;
/// Where the wall stands that the first mass hits, and how much speed is left.
const WALL: f64 = -0.2;
const RESTITUTION: f64 = 0.8;
const T_END: f64 = 4.0;

/// One of two masses, each on a spring of its own, with a spring and a damper between them.
#[derive(Clone)]
struct Half {
    first: bool,
    /// Place and velocity of the other.
    other: [Polynomial; 2],
}

impl Equations for Half {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("mass", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        if self.first {
            (vec![1.0], vec![0.0], vec![])
        } else {
            (vec![-0.5], vec![0.2], vec![])
        }
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        let [x, v] = [0, 1].map(|i| self.other[i].at(at.t));
        f[0] = -WALL_SPRING * at.q[0] - SPRING * (at.q[0] - x) - DAMPER * (at.v[0] - v);
    }

    fn force_q(&self, _: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], _: &mut [f64]) {
        (f_q[0], f_v[0]) = (-WALL_SPRING - SPRING, -DAMPER);
    }

    fn switches(&self) -> Vec<Switch> {
        vec![Switch::new("wall", Sense::Mode)]
    }

    fn values(&self, s: &State, out: &mut [f64]) {
        out[0] = if self.first {
            s.q[0] - WALL
        } else {
            f64::INFINITY
        };
    }

    fn on_switch(&mut self, _: &[Crossing], s: &mut State) -> After {
        s.v[0] *= -RESTITUTION;
        After::Jump
    }

    fn inputs(&self) -> Vec<String> {
        vec!["place".into(), "velocity".into()]
    }

    fn set_input(&mut self, input: usize, course: &Polynomial) {
        self.other[input] = *course;
    }

    fn memory(&mut self, m: &mut Memory) {
        for p in &mut self.other {
            p.memory(m);
        }
    }
}

/// Both in one.
#[derive(Clone)]
struct Whole;

impl Equations for Whole {
    const N: usize = 2;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("first", "m"), ("second", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![1.0, -0.5], vec![0.0, 0.2], vec![])
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        let between = SPRING * (at.q[0] - at.q[1]) + DAMPER * (at.v[0] - at.v[1]);
        f[0] = -WALL_SPRING * at.q[0] - between;
        f[1] = -WALL_SPRING * at.q[1] + between;
    }

    fn switches(&self) -> Vec<Switch> {
        vec![Switch::new("wall", Sense::Mode)]
    }

    fn values(&self, s: &State, out: &mut [f64]) {
        out[0] = s.q[0] - WALL;
    }

    fn on_switch(&mut self, _: &[Crossing], s: &mut State) -> After {
        s.v[0] *= -RESTITUTION;
        After::Jump
    }
}

fn mechanism<'a>(sys: &'a mut dyn System, method: &'static str, rtol: f64) -> Mechanism<'a> {
    let formulation = if method == "bdf" { "ggl" } else { "projected" };
    let setup = Setup::new(method, formulation, T_END, 0.1 * rtol);
    let stepper = setup.stepper(sys).unwrap();
    let controller = setup.controller().unwrap();
    let integrator = Integrator {
        stepper,
        controller,
        linear: (LINEAR_SOLVERS[0].build)(),
        plan: drive::Plan::new(T_END, Tolerances::relative(0.1 * rtol)),
    };
    let channels = sys.facts().channels.iter();
    let place = |name: &str| channels.clone().position(|c| c.name == name);
    // of a model, or of equations
    let outputs = match (place("mass.x"), place("mass.x.velocity")) {
        (Some(x), Some(v)) => vec![x, v],
        _ => vec![0, 1],
    };
    Mechanism::new(sys, integrator, &Tolerances::relative(rtol), outputs).unwrap()
}

/// One of the two masses as a model: the wall is a rigid contact.
fn model_half(first: bool) -> Box<dyn System> {
    let (x, v) = if first { (1.0, 0.0) } else { (-0.5, 0.2) };
    let wall = match first {
        true => format!(
            "[[joint]]\nname = \"wall\"\nkind = \"rigid_contact\"\nbody_b = \"mass\"\npoint_a = [{WALL}, 0]\n\
             axis = [1, 0]\nrestitution = {RESTITUTION}\n"
        ),
        false => String::new(),
    };
    let text = format!(
        "[model]\nlength = 1\n[[body]]\nname = \"mass\"\nkind = \"point\"\nmass = 1\nposition = [{x}, 0]\n\
         velocity = [{v}, 0]\n\
         [[joint]]\nname = \"rail\"\nkind = \"point_on_line\"\nbody_b = \"mass\"\naxis = [1, 0]\n{wall}\
         [[control]]\nname = \"place\"\nkind = \"input\"\n[[control]]\nname = \"speed\"\nkind = \"input\"\n\
         [[force]]\nname = \"springs\"\nkind = \"force\"\nbody_b = \"mass\"\n\
         x = \"-{WALL_SPRING}*mass.x - {SPRING}*(mass.x - place) - {DAMPER}*(mass.x.velocity - speed)\"\n"
    );
    let document = text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
    Box::new(assemble(&document.model).unwrap())
}

#[test]
fn impacts_within_macro_steps_cut_them() {
    couple(|first| {
        Box::new(Small::new(Half {
            first,
            other: [Polynomial::default(); 2],
        }))
    });
}

/// The same where the wall is a contact of a model: a row that comes into force within a macro step.
#[test]
fn contacts_within_macro_steps_cut_them() {
    couple(model_half);
}

fn couple(half: impl Fn(bool) -> Box<dyn System>) {
    let setup = Setup::new("dop853", "projected", T_END, 1e-11);
    let mut log = EventLog::default();
    let whole = setup.run(&mut Small::new(Whole), &mut log).unwrap();
    assert_eq!(whole.ending, Ending::Finished);
    let impacts = log.happenings.len();
    assert!(impacts >= 2, "{impacts}");
    for method in ["dop853", "bdf"] {
        for rtol in [1e-3, 1e-4, 1e-5] {
            let mut systems = [half(true), half(true), half(false), half(false)];
            let [a, a_twin, b, b_twin] = &mut systems;
            let [a, a_twin, b, b_twin] = [&mut **a, &mut **a_twin, &mut **b, &mut **b_twin];
            let members = vec![
                Member {
                    name: "first".into(),
                    main: Box::new(mechanism(a, method, rtol)),
                    twin: Some(Box::new(mechanism(a_twin, method, rtol))),
                },
                Member {
                    name: "second".into(),
                    main: Box::new(mechanism(b, method, rtol)),
                    twin: Some(Box::new(mechanism(b_twin, method, rtol))),
                },
            ];
            let plan = Plan::new(T_END, rtol);
            let mut ends = Ends::default();
            let report = conduct(members, &mut Cross::default(), &plan, &mut ends);
            assert_eq!(report.ending, account::Ending::Finished);
            let [x2, _, x1, _] = ends.0;
            let error = (x1 - whole.state.q[0])
                .abs()
                .max((x2 - whole.state.q[1]).abs());
            println!(
                "{method} {rtol:.0e}: {:.2} tolerances, {} macro steps, {} rejected",
                error / rtol,
                report.accepted,
                report.rejected
            );
            assert!(error < 30.0 * rtol, "{method} {rtol:.0e}: {error:.1e}");
            // some cut, with little else repeated
            assert!(
                report.rejected <= 6 * impacts as u64 + report.accepted / 10,
                "{}",
                report.rejected
            );
        }
    }
}

/// The last inputs: the motion of the second mass, then of the first.
#[derive(Default)]
struct Ends([f64; 4]);

impl linkwork_dae::cosim::Watch for Ends {
    fn on_step(
        &mut self,
        step: &linkwork_dae::cosim::MacroStep,
        inputs: &[f64],
    ) -> linkwork_dae::drive::Flow {
        if step.accepted {
            self.0.copy_from_slice(inputs);
        }
        linkwork_dae::drive::Flow::Continue
    }
}
