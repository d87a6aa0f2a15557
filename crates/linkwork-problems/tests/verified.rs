//! Benchmarks computed badly by a run that sees nothing wrong with itself: computing them once more tells.

use linkwork::dae::chart::Chart;
use linkwork::dae::memory::Memory;
use linkwork::dae::state::State;
use linkwork::dae::system::{
    At, Blocks, Capability, EvalError, Facts, Parts, Reader, System, Terms,
};
use linkwork::verify::{Look, verify};
use linkwork::{Doubt, Options, Run, Simulation, Verdict};
use linkwork_mbs::error::ModelError;
use linkwork_problems::PROBLEMS;

/// Makes simulations of a problem or of a model.
fn maker(name: &'static str) -> impl FnMut(&Options) -> Result<Simulation, ModelError> {
    let problem = PROBLEMS.iter().find(|p| p.name == name);
    let system: Option<Box<dyn System>> = problem.map(|p| (p.build)(&[]).unwrap());
    let t_end = problem.map(|p| p.t_end);
    move |options| match &system {
        Some(system) => {
            let t_end = options.t_end.or(t_end).unwrap();
            Ok(Simulation::new(system.fork()).options(options.clone().t_end(t_end)))
        }
        None => {
            let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            Simulation::from_document_with(
                &linkwork_mbs::text::read(&text).unwrap(),
                options.clone(),
            )
        }
    }
}

fn run(name: &'static str, options: Options) -> Run {
    maker(name)(&options).unwrap().run().unwrap()
}

/// Largest difference of a channel over all rows, relative to its range.
fn apart(run: &Run, tight: &Run, channel: &str) -> f64 {
    let [a, b] = [run, tight].map(|r| r.channel(channel).unwrap());
    assert_eq!(a.len(), b.len());
    let range =
        b.iter().fold(f64::MIN, |m, x| m.max(*x)) - b.iter().fold(f64::MAX, |m, x| m.min(*x));
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max) / range
}

#[test]
fn wrong_results_are_found() {
    for (name, method, rtol) in [
        ("crank", "bdf", 1e-3),
        ("crank", "gen-alpha", 1e-2),
        ("chain", "bdf", 1e-3),
        ("chain", "gen-alpha", 1e-2),
        ("hmmwv", "bdf", 1e-2),
    ] {
        let asked = Options::new().method(method).rtol(rtol);
        let mut found = run(name, asked.clone());
        let seen = format!("{name}, {method}, {rtol:e}");
        assert_eq!(
            found.verdict,
            Verdict::Converged,
            "{seen}: {:?}",
            found.doubts
        );
        verify(
            &mut found,
            (Look::Verify, &asked),
            &mut maker(name),
            &mut (),
        );
        assert_eq!(
            found.verdict,
            Verdict::Degraded,
            "{seen}: {:?}",
            found.verification
        );
        // a run as cheap as this cannot be held against anything for its price, and says so
        let unverified = |d: &Doubt| matches!(d, Doubt::Unverified { .. });
        if rtol == 1e-2 && found.doubts.iter().any(unverified) {
            continue;
        }
        let channel = found.doubts.iter().find_map(|d| match d {
            Doubt::Inaccurate { channel, .. } => Some(channel.clone()),
            _ => None,
        });
        let channel = channel.unwrap_or_else(|| panic!("{seen}: {:?}", found.doubts));
        // the accusation is true
        let tight = run(name, Options::new().method("radau").rtol(1e-7));
        let error = apart(&found, &tight, &channel);
        assert!(error > 5e-3, "{seen}: {channel} is off by {error:.1e} only");
    }
}

#[test]
fn sound_results_are_confirmed() {
    for name in ["squeezer", "hmmwv", "rod-chain"] {
        let asked = Options::new();
        let mut found = run(name, asked.clone());
        verify(
            &mut found,
            (Look::Verify, &asked),
            &mut maker(name),
            &mut (),
        );
        assert_eq!(
            found.verdict,
            Verdict::Converged,
            "{name}: {:?}",
            found.doubts
        );
        let work = found.verification.unwrap().work;
        assert!(work < 2.5, "{name}: {work} times the work of the run");
    }
}

/// Rows are most of the price of a run of a few steps, and so of the second: it was given up for being too dear, and sound
/// runs were left in doubt.
#[test]
fn runs_of_few_steps_are_verified_too() {
    for name in ["clutch", "door", "chaplygin"] {
        let asked = Options::new().method("bdf").rtol(1e-5);
        let mut found = run(name, asked.clone());
        verify(
            &mut found,
            (Look::Verify, &asked),
            &mut maker(name),
            &mut (),
        );
        assert_eq!(
            found.verdict,
            Verdict::Converged,
            "{name}: {:?}",
            found.doubts
        );
        let seen = found.verification.unwrap();
        assert!(seen.independent && seen.work < 2.5, "{name}: {seen:?}");
    }
}

/// A system that announces neither instants nor zeros: nothing but the size of a step finds what is narrow.
struct Blind(Box<dyn System>);

impl System for Blind {
    fn facts(&self) -> &Facts {
        self.0.facts()
    }
    fn structure(&mut self, reader: Reader) -> &Facts {
        self.0.structure(reader)
    }
    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        self.0.eval(at, want)
    }
    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.0.linearise(at, want, parts, out)
    }
    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.0.observe(s, out);
    }
    fn chart(&self) -> Option<&dyn Chart> {
        self.0.chart()
    }
    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        match wanted {
            Capability::TimeEvents(_) | Capability::Switching(_) => {}
            other => self.0.capability(other),
        }
    }
    fn reset(&mut self) {
        self.0.reset();
    }
    fn memory(&mut self, m: &mut Memory) {
        self.0.memory(m);
    }
    fn fork(&self) -> Box<dyn System> {
        Box::new(Blind(self.0.fork()))
    }
}

/// A push, a jerk of a base, a bump in a road: each lasts a share of a run that nothing else happens in.
const NARROW: [(&str, &str); 3] = [
    (
        "b.x.velocity",
        r#"
[[body]]
name = "b"
kind = "point"
mass = 1
[[force]]
name = "f"
kind = "force"
body_b = "b"
x = "step(t,5,0,5.5,2) - step(t,5.5,0,6,2)"
"#,
    ),
    (
        "b.x",
        r#"
[[body]]
name = "base"
mass = 1
inertia = 1
[[body]]
name = "b"
mass = 1
inertia = 1
position = [1, 0]
[[joint]]
name = "g"
kind = "prismatic"
body_b = "base"
at = [0, 0]
axis = [1, 0]
[[joint]]
name = "d"
kind = "drive"
quantity = "displacement"
body_b = "base"
axis = [1, 0]
value = "step(t,5,0,5.5,1) - step(t,5.5,0,6,1)"
[[joint]]
name = "g2"
kind = "prismatic"
body_b = "b"
at = [1, 0]
axis = [1, 0]
[[force]]
name = "s"
kind = "spring_damper"
body_a = "base"
body_b = "b"
stiffness = 100
damping = 1
"#,
    ),
    (
        "car.z",
        r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "car"
mass = 100
inertia = [10, 10, 10]
position = [0, 0, 0.495095]
velocity = [10, 0, 0]
[[joint]]
name = "plane"
kind = "planar"
body_b = "car"
at = [0, 0, 0.495095]
axis = [0, 1, 0]
[[force]]
name = "t"
kind = "tyre"
body_b = "car"
stiffness = 200000
damping = 3000
radius = 0.5
road = "0.1*(step(x,50,0,52.5,1)-step(x,52.5,0,55,1))"
"#,
    ),
];

#[test]
fn leaps_over_what_nobody_announces_are_found() {
    for (channel, text) in NARROW {
        let model = linkwork_mbs::text::read(text).unwrap().model;
        let system = Blind(linkwork_mbs::system(&model).unwrap());
        let mut make =
            |o: &Options| Ok(Simulation::new(system.fork()).options(o.clone().t_end(10.0)));
        let careful = Options::new().method("dop853").rtol(1e-9).max_step(0.02);
        let careful = make(&careful).unwrap().run().unwrap();
        let mut leapt = 0;
        for method in ["bdf", "adams", "dop853", "radau", "rosenbrock", "gen-alpha"] {
            let asked = Options::new().method(method);
            let mut found = make(&asked).unwrap().run().unwrap();
            let seen = format!("{channel} by {method}: {:?}", found.doubts);
            let error = apart(&found, &careful, channel);
            if error < 0.1 || found.verdict == Verdict::Degraded {
                continue;
            }
            leapt += 1;
            verify(&mut found, (Look::Verify, &asked), &mut make, &mut ());
            assert_eq!(
                found.verdict,
                Verdict::Degraded,
                "{seen}: off by {error:.1e}"
            );
        }
        println!("{channel}: {leapt} leapt");
        // narrow parts of roads are seen without events too: most methods do not leap there
        assert!(leapt > 0, "{channel}: {leapt} methods leapt");
    }
}
