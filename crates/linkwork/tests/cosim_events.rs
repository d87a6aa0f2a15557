//! Events within macro steps: impacts and their accumulation, stops, and what is told of them.

use linkwork::cosim::summary::CosimSummary;
use linkwork::cosim::{CosimOptions, CoupledRun, CoupledSystem};
use linkwork::dae::drive::Flow;
use linkwork::mbs::text;
use linkwork::{Options, Simulation, Verdict};

const HEAD: &str = "[model]\nlength = 1\ngravity = [0, -9.81]\n";

/// A ball a metre above a floor.
const BALL: &str = r#"[[body]]
name = "ball"
kind = "point"
mass = 2
position = [0, 1]
"#;

/// The same on a rail, for events.
const ON_RAIL: &str = r#"[[body]]
name = "ball"
mass = 2
inertia = 0.1
position = [0, 1]
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "ball"
at = [0, 1]
axis = [0, 1]
"#;

/// A mass that a spring holds against its weight, three metres beside the ball and one below.
const MASS: &str = r#"[[body]]
name = "mass"
kind = "point"
mass = 1
position = [3, 0]
[[force]]
name = "lift"
kind = "force"
body_b = "mass"
y = 9.81
[[force]]
name = "wall"
kind = "spring_damper"
body_b = "mass"
point_a = [5, 0]
stiffness = 3
damping = 0.1
free_length = 2
"#;

fn floor(restitution: f64) -> String {
    format!(
        "[[joint]]\nname = \"floor\"\nkind = \"rigid_contact\"\nbody_b = \"ball\"\naxis = [0, 1]\n\
         restitution = {restitution}\n"
    )
}

fn event(keys: &str) -> String {
    format!("[[event]]\nname = \"floor\"\nwhen = \"ball.y < 0\"\n{keys}\n")
}

fn port(body: &str) -> String {
    format!("[[sensor]]\nname = \"end\"\nkind = \"point\"\nbody = \"{body}\"\n")
}

/// Ball and mass in models of their own, with a spring and a damper between them.
fn coupled(ball: &str, method: &str, rtol: f64) -> CoupledRun {
    let source = format!(
        r#"[[subsystem]]
name = "one"
model = "ball"
method = "{method}"

[[subsystem]]
name = "other"
model = "mass"

[[element]]
name = "link"
kind = "bushing"
port_a = "one.end"
port_b = "other.end"
stiffness = [4, 4]
damping = [0.3, 0.3]
offset = [3, -1]

[simulation]
t_end = 2
"#
    );
    let mut part = |word: &str| {
        let own = match word {
            "ball" => format!("{ball}{}", port("ball")),
            _ => format!("{MASS}{}", port("mass")),
        };
        let text = format!("{HEAD}{own}[simulation]\nt_end = 2\n");
        Ok((word.to_string(), text))
    };
    let system = CoupledSystem::read("s", "s.toml", &source, &[], &mut part);
    let system = system.unwrap_or_else(|e| panic!("{e:?}"));
    let options = CosimOptions {
        rtol: Some(rtol),
        max_steps: Some(20_000),
        ..CosimOptions::default()
    };
    system.run(&options, &mut |_, _| Flow::Continue).unwrap()
}

/// Both in one model, with the connection written as forces.
fn whole(ball: &str) -> [f64; 4] {
    let link = |body: &str, sign: &str| {
        let along = |x: &str, offset: &str| {
            let (at, speed) = (
                format!("mass.{x} - ball.{x}"),
                format!("mass.{x}.velocity - ball.{x}.velocity"),
            );
            format!("{x} = \"{sign}(4*({at} {offset}) + 0.3*({speed}))\"\n")
        };
        format!(
            "[[force]]\nname = \"on_{body}\"\nkind = \"force\"\nbody_b = \"{body}\"\n{}{}",
            along("x", "- 3"),
            along("y", "+ 1")
        )
    };
    let (one, other) = (link("ball", ""), link("mass", "-"));
    let text = format!("{HEAD}{ball}{MASS}{one}{other}[simulation]\nt_end = 2\n");
    let document = text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
    let options = Options::new().method("dop853").rtol(1e-11);
    let mut simulation = Simulation::from_document_with(&document, options).unwrap();
    let run = simulation.run().unwrap();
    ["ball.x", "ball.x.velocity", "mass.y", "mass.y.velocity"]
        .map(|name| *run.channel(name).unwrap().last().unwrap())
}

/// A ball that hits the floor, stays there or bounces until it rests, within macro steps that others see too.
#[test]
fn impacts_are_passed_within_macro_steps() {
    for restitution in [0.0, 0.5] {
        let ball = format!("{BALL}{}", floor(restitution));
        let exact = whole(&ball);
        for (method, rtol) in [("bdf", 1e-5), ("dop853", 1e-7), ("radau", 1e-7)] {
            let what = format!("{restitution} {method} {rtol:e}");
            let run = coupled(&ball, method, rtol);
            assert!(run.failure.is_none(), "{what}: {:?}", run.failure);
            let ends = [
                ("one", "ball.x"),
                ("one", "ball.x.velocity"),
                ("other", "mass.y"),
                ("other", "mass.y.velocity"),
            ];
            for ((part, name), exact) in ends.into_iter().zip(exact) {
                let end = *run.channel(part, name).unwrap().last().unwrap();
                assert!(
                    (end - exact).abs() < 5.0 * rtol,
                    "{what}: {name} {end} {exact}"
                );
            }
        }
    }
}

/// The hops become as short as numbers are.
#[test]
fn reversals_that_accumulate_are_passed() {
    let ball = format!(
        "{ON_RAIL}{}",
        event("kind = \"reverse\"\njoint = \"rail\"\nrestitution = 0.5")
    );
    for method in ["bdf", "dop853"] {
        let run = coupled(&ball, method, 1e-7);
        assert!(run.failure.is_none(), "{method}: {:?}", run.failure);
        assert_eq!(run.t_last, 2.0);
        let own = run.parts[0].events.count();
        assert!(own > 15, "{method}: {own}");
        // what the parts list is what the summary counts
        let summary = CosimSummary::new(&run, &[]).to_json();
        assert!(summary.contains(&format!("\"events\":{own},")), "{summary}");
    }
}

/// As a single simulation does: the event ends the run, and that is no failure.
#[test]
fn a_stop_of_a_part_ends_the_whole() {
    let ball = format!("{ON_RAIL}{}", event("kind = \"stop\""));
    for method in ["bdf", "dop853", "gen-alpha"] {
        let run = coupled(&ball, method, 1e-5);
        assert!(run.failure.is_none(), "{method}: {:?}", run.failure);
        assert_eq!(
            run.verdict,
            Verdict::Converged,
            "{method}: {:?}",
            run.doubts
        );
        let said = format!(
            "subsystem `one`: event `floor` ended the run at t = {} s",
            run.t_last
        );
        let notes: Vec<String> = run.notes.iter().map(ToString::to_string).collect();
        assert!(notes.contains(&said), "{method}: {notes:?}");
        let table = &run.parts[0].table;
        assert_eq!(table.times().last(), Some(&run.t_last), "{method}");
        let y = *table.column("ball.y").unwrap().last().unwrap();
        assert!(y.abs() < 1e-9, "{method}: {y}");
        // the other is where the macro step ends, just behind it
        let other = run.report.as_ref().unwrap().t;
        assert!(other >= run.t_last && other - run.t_last < 1e-4, "{other}");
    }
}
