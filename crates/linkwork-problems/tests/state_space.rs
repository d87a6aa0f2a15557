//! Methods on the state space: derivatives, orders, branches, the stiff double pendulum.

use linkwork_dae::chart::Chart;
use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::initial::Start;
use linkwork_dae::linear::LINEAR_SOLVERS;
use linkwork_dae::memory::Memory;
use linkwork_dae::reduced::Reduced;
use linkwork_dae::reduced::slope::Slope;
use linkwork_dae::saddle::Saddle;
use linkwork_dae::state::{State, Tolerances, Weights};
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::rosenbrock::ErrorEstimate;
use linkwork_dae::system::{At, Blocks, Capability, EvalError, Facts, Part, Parts, System, Terms};
use linkwork_problems::PROBLEMS;
use linkwork_problems::double_pendulum::{self, ANGLES};
use linkwork_problems::heavy_top::TOP;
use linkwork_problems::rheonomic::Rheonomic;
use linkwork_problems::rigid_body::RigidBody;
use linkwork_problems::small::{Equations, Small};
use linkwork_problems::study::{Setup, runge_kutta};

/// The right-hand side of the state-space equations as a function of `w`, `w'`, `x` and time.
struct RightHandSide<'a> {
    sys: &'a mut dyn System,
    reduced: Reduced,
    saddle: Saddle,
    base: State,
    stats: Stats,
}

impl<'a> RightHandSide<'a> {
    fn new(sys: &'a mut dyn System, start: &Start, s: &State) -> RightHandSide<'a> {
        let saddle = Saddle::new(sys, &start.rows, (LINEAR_SOLVERS[0].build)());
        let mut reduced = Reduced::default();
        reduced.bind(sys, &start.rows);
        let mut stats = Stats::default();
        let mut base = s.clone();
        reduced.begin(sys, &base, &mut stats).unwrap();
        reduced.recover(sys, &mut base, &mut stats).unwrap();
        reduced.advance();
        reduced.begin(sys, &base, &mut stats).unwrap();
        let mut f = RightHandSide {
            sys,
            reduced,
            saddle,
            base,
            stats,
        };
        f.saddle.accelerate(f.sys, &mut f.base).unwrap();
        f
    }

    /// Moves dependent positions along with the independent ones and with time.
    fn predict(&self, s: &mut State) {
        let (base, r) = (&self.base, &self.reduced);
        let d = r.independent().len();
        for (i, &u) in r.dependent().iter().enumerate() {
            let mut by_time = base.v[u];
            for (k, &w) in r.independent().iter().enumerate() {
                let slope = r.tangent()[i * d + k];
                s.q[u] += slope * (s.q[w] - base.q[w]);
                by_time -= slope * base.v[w];
            }
            s.q[u] += by_time * (s.t - base.t);
        }
    }

    /// Accelerations of the independent coordinates, then `x'`, at a moved state whose velocities
    /// are rates of its coordinates.
    fn at(&mut self, mut s: State) -> Vec<f64> {
        self.reduced
            .begin(self.sys, &self.base, &mut self.stats)
            .unwrap();
        self.predict(&mut s);
        let mut qdot = s.v.clone();
        self.reduced
            .recover_rates(self.sys, &mut s, &mut qdot, &mut self.stats)
            .unwrap();
        self.saddle.accelerate(self.sys, &mut s).unwrap();
        let mut qddot = s.a.clone();
        self.reduced.second_rates(self.sys, &s, &qdot, &mut qddot);
        let w = self.reduced.independent().iter();
        w.map(|&w| qddot[w]).chain(s.xdot.iter().copied()).collect()
    }

    /// Central difference in a direction.
    fn difference(&mut self, step: f64, moved: impl Fn(&mut State, f64)) -> Vec<f64> {
        let mut side = |shift: f64| {
            let mut s = self.base.clone();
            moved(&mut s, shift);
            self.at(s)
        };
        let (high, low) = (side(step), side(-step));
        let pairs = high.iter().zip(&low);
        pairs.map(|(h, l)| (h - l) / (2.0 * step)).collect()
    }
}

/// A state in motion: the problem after a tenth of its usual time.
fn in_motion(sys: &mut dyn System, t_end: f64) -> (Start, State) {
    let mut setup = Setup::new("bdf", "ggl", 0.1 * t_end, 1e-8);
    // some problems have no exact derivatives
    setup.jacobian = "auto";
    let start = setup.start(sys).unwrap();
    let controller = setup.controller().unwrap();
    let out = setup.run_from(sys, &start, controller, &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    (start, out.state)
}

/// The heavy top with joint constraints, with exact derivatives and with `(C_q v + C_t)_q` by
/// differences, and a vehicle with 74 constraints on a bump.
fn in_space() -> Vec<(&'static str, f64, Box<dyn System>)> {
    let top = || Box::new(RigidBody::new(TOP, true));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/hmmwv.toml");
    let source = std::fs::read_to_string(path).unwrap();
    let model = linkwork_mbs::text::read(&source).unwrap().model;
    let vehicle = linkwork_mbs::assemble(&model).unwrap();
    let mut rough = Wrong::new(top(), 1.0);
    rough.facts.exact = Parts::ALL.without(Part::CVq.into());
    vec![
        ("top", 1.0, top()),
        ("rough top", 1.0, Box::new(rough)),
        ("vehicle", 5.8, Box::new(vehicle)),
    ]
}

/// Derivatives by implicit differentiation against central differences through the recovery of
/// dependent coordinates, which are good to 1e-8 of the largest entry; the bound leaves a decade.
#[test]
fn state_space_derivatives_equal_differences() {
    const BOUND: f64 = 1e-7;
    let mut compared = 0;
    let problems = PROBLEMS.iter();
    let built = problems.map(|p| (p.name, p.t_end, (p.build)(&[]).unwrap()));
    for (name, t_end, mut sys) in built.chain(in_space()) {
        if sys.dims().ng > 0 || !sys.facts().exact.has(Part::Rq) {
            continue;
        }
        let (start, mut s) = in_motion(&mut *sys, t_end);
        if let Some(chart) = sys.chart_mut() {
            // derivatives are those at the base
            chart.rebase(s.t, &s.q);
            chart.carry(s.t, &mut s.q, &mut s.v);
        }
        let scale = sys.facts().scale.clone();
        let w = {
            let mut w = Weights::new(&*sys, &Tolerances::relative(1e-6));
            w.start(&s);
            w
        };
        let mut f = RightHandSide::new(&mut *sys, &start, &s);
        let mut slope = Slope::default();
        slope.bind(f.sys, &f.reduced);
        let (base, h) = (f.base.clone(), 1e-3 * t_end);
        let mut stats = Stats::default();
        slope
            .renew(f.sys, &mut f.reduced, &base, (h, true), &w, &mut stats)
            .unwrap();
        let independent = f.reduced.independent().to_vec();
        let (d, p) = (independent.len(), independent.len() + base.x.len());
        let weigh = |x: &[f64]| -> Vec<f64> {
            let row = |i: usize| (0..d).map(|j| slope.mass[i * d + j] * x[j]).sum::<f64>();
            (0..p).map(|i| if i < d { row(i) } else { x[i] }).collect()
        };
        let mut check =
            |what: &str, exact: &dyn Fn(usize) -> f64, difference: Vec<f64>, size: f64| {
                for (i, x) in weigh(&difference).iter().enumerate() {
                    let error = (exact(i) - x).abs() / size;
                    assert!(error < BOUND, "{} {what} row {i}: {} {x}", name, exact(i));
                    compared += 1;
                }
            };
        // differences see changes of the right-hand side in relation to itself
        let natural = weigh(&f.at(base.clone()));
        let floor = natural.iter().fold(1e-3f64, |m, x| m.max(x.abs()));
        let largest = |x: &[f64], unit: f64| x.iter().fold(floor / unit, |m, x| m.max(x.abs()));
        for (k, &w) in independent.iter().enumerate() {
            let by_w = f.difference(1e-5 * scale[w], |s, x| s.q[w] += x);
            check(
                "w",
                &|i| slope.by_w[i * d + k],
                by_w,
                largest(&slope.by_w, scale[w]),
            );
            let speed = base.v[w].abs().max(scale[w]);
            let by_v = f.difference(1e-5 * speed, |s, x| s.v[w] += x);
            check(
                "w'",
                &|i| slope.by_p[i * p + k],
                by_v,
                largest(&slope.by_p, speed),
            );
        }
        for k in 0..base.x.len() {
            let by_x = f.difference(1e-5, |s, x| s.x[k] += x);
            check(
                "x",
                &|i| slope.by_p[i * p + d + k],
                by_x,
                largest(&slope.by_p, 1.0),
            );
        }
        let by_t = f.difference(1e-5 * t_end, |s, x| s.t += x);
        let size = largest(&slope.by_t, t_end);
        check("t", &|i| slope.by_t[i], by_t, size);
    }
    assert!(compared > 80, "{compared}");
}

/// Two coupled coordinates, forced so that `(cos t, sin 2t)` is the solution.
#[derive(Clone, Debug)]
struct Known;

impl Known {
    fn coupling(q: [f64; 2], v: [f64; 2]) -> [f64; 2] {
        [
            -q[0] * q[1] - v[0] * v[0] * q[1] + v[1].sin(),
            -q[0].exp() * v[1] + q[1].powi(3) - q[0] * v[0],
        ]
    }

    fn exact(t: f64) -> [[f64; 2]; 2] {
        [
            [t.cos(), (2.0 * t).sin()],
            [-t.sin(), 2.0 * (2.0 * t).cos()],
        ]
    }
}

impl Equations for Known {
    const N: usize = 2;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("a", "m"), ("b", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let [q, v] = Known::exact(0.0);
        (q.to_vec(), v.to_vec(), Vec::new())
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        let [q, v] = Known::exact(at.t);
        let here = Known::coupling([at.q[0], at.q[1]], [at.v[0], at.v[1]]);
        let there = Known::coupling(q, v);
        f[0] = -at.t.cos() + here[0] - there[0];
        f[1] = -4.0 * (2.0 * at.t).sin() + here[1] - there[1];
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], _: &mut [f64]) {
        let (q, v) = (at.q, at.v);
        f_q.copy_from_slice(&[
            -q[1],
            -q[0] - v[0] * v[0],
            -q[0].exp() * v[1] - v[0],
            3.0 * q[1] * q[1],
        ]);
        f_v.copy_from_slice(&[-2.0 * v[0] * q[1], v[1].cos(), -q[0], -q[0].exp()]);
    }
}

/// A system whose derivatives are wrong: those of the forces are multiplied, those of the
/// constraints left out or multiplied likewise.
struct Wrong {
    inner: Box<dyn System>,
    factor: f64,
    facts: Facts,
}

impl Wrong {
    fn new(inner: Box<dyn System>, factor: f64) -> Wrong {
        let facts = inner.facts().clone();
        Wrong {
            inner,
            factor,
            facts,
        }
    }
}

impl System for Wrong {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        self.inner.eval(at, want)
    }
    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.inner.linearise(at, want, parts, out)?;
        for part in [Part::Rq, Part::Rv, Part::CVq] {
            out[part].iter_mut().for_each(|x| *x *= self.factor);
        }
        Ok(())
    }
    fn chart(&self) -> Option<&dyn Chart> {
        self.inner.chart()
    }
    fn reset(&mut self) {
        self.inner.reset();
    }
    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.inner.observe(s, out);
    }
    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        self.inner.capability(wanted);
    }

    fn memory(&mut self, m: &mut Memory) {
        self.inner.memory(m);
    }
    fn fork(&self) -> Box<dyn System> {
        Box::new(Wrong {
            inner: self.inner.fork(),
            factor: self.factor,
            facts: self.facts.clone(),
        })
    }
}

/// Largest errors at the ends of the steps and in the middle of them.
struct Errors<'a> {
    exact: &'a dyn Fn(f64) -> State,
    steps: f64,
    between: f64,
}

fn distance(a: &State, b: &State) -> f64 {
    let pairs = a.q.iter().zip(&b.q).chain(a.v.iter().zip(&b.v));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

impl Observer for Errors<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let exact = (self.exact)(view.to);
        self.steps = self.steps.max(distance(view.state(), &exact));
        let middle = 0.5 * (view.from + view.to);
        let exact = (self.exact)(middle);
        self.between = self.between.max(distance(view.motion(middle), &exact));
        Ok(Flow::Continue)
    }
}

/// Observed orders at the steps and between them when `n` steps become `2 n`.
fn orders(
    sys: &mut dyn System,
    method: &'static str,
    (t_end, n): (f64, usize),
    exact: &dyn Fn(f64) -> State,
) -> [f64; 2] {
    let setup = Setup::new(method, "state-space", t_end, 1e-6);
    let start = setup.start(sys).unwrap();
    let mut error = |n: usize| {
        let h = t_end / n as f64;
        let mut errors = Errors {
            exact,
            steps: 0.0,
            between: 0.0,
        };
        let fixed = Box::new(Fixed::new(h, 4));
        let out = setup.run_from(sys, &start, fixed, &mut errors).unwrap();
        assert_eq!(out.ending, Ending::Finished);
        assert_eq!(out.stats.steps, n as u64);
        [errors.steps, errors.between]
    };
    let (coarse, fine) = (error(n), error(2 * n));
    println!("{method} n = {n}: {coarse:?} {fine:?}");
    [0, 1].map(|i| (coarse[i] / fine[i]).log2())
}

/// Rosenbrock-Nyström needs exact derivatives for its order 4, the W-method none at all for its
/// order 2; dense output has the order of the method. On the constrained problem the reference is
/// a Runge-Kutta solution to 1e-12.
#[test]
fn methods_have_their_orders_with_dense_output() {
    let known = |t: f64| {
        let [q, v] = Known::exact(t);
        State {
            t,
            q: q.to_vec(),
            v: v.to_vec(),
            ..State::default()
        }
    };
    let mut rheonomic = Small::new(Rheonomic);
    let setup = Setup::new("bdf", "ggl", 1.5, 1e-6);
    let start = setup.start(&mut rheonomic).unwrap();
    // every time that a run visits is a multiple of the shortest half step
    const FINEST: usize = 1600;
    let mut table = vec![start.state.clone()];
    for k in 0..FINEST {
        let mut from = start.clone();
        from.state = table[k].clone();
        let t = 1.5 * (k + 1) as f64 / FINEST as f64;
        table.push(runge_kutta(&mut rheonomic, &from, t, 8).unwrap());
    }
    let on_circle = |t: f64| table[(t / 1.5 * FINEST as f64).round() as usize].clone();
    for factor in [1.0, 0.0, -0.7] {
        for method in ["rosenbrock", "w"] {
            let order = match (method, factor) {
                ("rosenbrock", 1.0) => 4.0,
                ("w", _) => 2.0,
                _ => continue,
            };
            let mut free = Wrong::new(Box::new(Small::new(Known)), factor);
            let mut held = Wrong::new(Box::new(Small::new(Rheonomic)), factor);
            let n = if method == "w" { 400 } else { 100 };
            let on_line = orders(&mut free, method, (1.0, n), &known);
            let on_circle = orders(&mut held, method, (1.5, n), &on_circle);
            for p in on_line.into_iter().chain(on_circle) {
                assert!((p - order).abs() < 0.3, "{method}, factor {factor}: {p:.2}");
            }
        }
    }
}

/// Wrong derivatives cost Rosenbrock-Nyström its order: the test above can fail.
#[test]
fn wrong_derivatives_spoil_the_order_of_rosenbrock() {
    let known = |t: f64| {
        let [q, v] = Known::exact(t);
        State {
            t,
            q: q.to_vec(),
            v: v.to_vec(),
            ..State::default()
        }
    };
    let mut sys = Wrong::new(Box::new(Small::new(Known)), 0.9);
    let [p, _] = orders(&mut sys, "rosenbrock", (1.0, 100), &known);
    assert!(p < 3.0, "{p:.2}");
}

/// What the publication prints: tolerance 10^-k, steps, error of the first angle where given.
const PRINTED: [(i32, u64, Option<f64>); 6] = [
    (2, 29, Some(5.2e-2)),
    (3, 49, Some(4.2e-3)),
    (4, 85, Some(4.9e-4)),
    (5, 148, Some(1.9e-5)),
    (6, 264, None),
    (7, 467, None),
];

#[test]
fn stiff_double_pendulum_as_published() {
    let exact = double_pendulum::reference();
    assert_eq!(exact.len(), 20);
    let end = exact[19];
    for estimate in [ErrorEstimate::Plain, ErrorEstimate::Stiff] {
        for (k, steps, error) in PRINTED {
            let mut sys = linkwork_mbs::assemble(&double_pendulum::double_pendulum()).unwrap();
            let mut setup = Setup::new("rosenbrock", "state-space", 2.0, 10f64.powi(-k));
            setup.tuning.error_estimate = estimate;
            let out = setup.run(&mut sys, &mut ()).unwrap();
            assert_eq!(out.ending, Ending::Finished);
            let found = (out.state.q[ANGLES[0]] - end[1]).abs();
            println!(
                "{estimate:?} 1e-{k}: {found:.2e}, {} steps",
                out.stats.steps
            );
            assert!(error.is_none_or(|e| found <= e), "1e-{k}: {found:.2e}");
            assert!(
                out.stats.steps as f64 <= 1.2 * steps as f64,
                "1e-{k}: {:?}",
                out.stats
            );
        }
    }
}
