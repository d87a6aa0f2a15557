//! Long steps of high order: what happens within one is not passed over.

use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation, Verdict};

/// A pendulum whose hinge is held by a strong brake for a while.
const BRAKED: &str = r#"
[model]
gravity = [0, -9.81]

[[body]]
name = "bar"
mass = 1
inertia = 0.083
position = [0.5, 0]

[[joint]]
name = "hinge"
kind = "revolute"
body_b = "bar"
point_a = [0, 0]
point_b = [-0.5, 0]

[[force]]
name = "brake"
kind = "torque"
body_b = "bar"
torque = "-bar.angle.velocity*step(t, 2, 0, 2.1, 1e6)*step(t, 6, 1, 6.1, 0)"

[simulation]
t_end = 30
"#;

fn run(text: &str, options: Options) -> Run {
    let document = text::read(text).unwrap();
    let mut simulation = Simulation::from_document_with(&document, options).unwrap();
    simulation.run().unwrap()
}

fn model(name: &str) -> String {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn last(run: &Run, name: &str) -> f64 {
    *run.channel(name).unwrap().last().unwrap()
}

/// The brake makes the middle of a step stiff and lets go before its end: corrections with derivatives of
/// the middle are small there, whatever the equations of the last stages say, and so are estimates of the error.
#[test]
fn the_release_of_a_brake_is_not_passed_over() {
    let exact = run(BRAKED, Options::new().method("bdf").rtol(1e-10));
    let mut bad = Vec::new();
    for (rtol, bound) in [
        (1e-4, 3e-2),
        (1e-5, 1e-2),
        (1e-6, 3e-3),
        (1e-7, 1e-3),
        (1e-8, 3e-4),
    ] {
        let found = run(BRAKED, Options::new().method("radau").rtol(rtol));
        let off = ["bar.angle", "bar.angle.velocity"]
            .map(|name| (last(&found, name) - last(&exact, name)).abs())
            .into_iter()
            .fold(0.0, f64::max);
        let line = format!(
            "{rtol:.0e}: off by {off:.1e} in {} steps, {:?}",
            found.stats.steps, found.doubts
        );
        println!("{line}");
        if !(off < bound && found.verdict == Verdict::Converged) {
            bad.push(line);
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// What is told of a motion within long steps is as accurate as what is told at their ends: where drives give it, constraints leave no
/// error to be seen there, and the work of the drives is resolved as well; where forces do, polynomials of the stages alone would be off by
/// `rtol^0.6`.
#[test]
fn motions_are_resolved_within_steps() {
    let mut bad = Vec::new();
    for name in [
        "slider_crank",
        "stewart",
        "boarding_bridge",
        "crane",
        "peaucellier",
        "coin",
        "egg",
        "squeezer",
    ] {
        let text = model(name);
        let exact = run(&text, Options::new().method("dop853").rtol(1e-11));
        let stiff = name == "boarding_bridge";
        for rtol in [1e-4_f64, 1e-6, 1e-8]
            .into_iter()
            .take(if stiff { 2 } else { 3 })
        {
            let found = run(&text, Options::new().method("radau").rtol(rtol));
            let line = format!(
                "{name} {rtol:.0e}: {} steps, {:?}",
                found.stats.steps, found.doubts
            );
            println!("{line}");
            if found.verdict != Verdict::Converged {
                bad.push(line);
            }
            // stiff hydraulics and tyres: here polynomials are what they were
            let bound = match stiff {
                true => 3.0 * rtol.powf(0.6),
                false => 20.0 * rtol,
            };
            let motion = |unit: &str| ["m", "rad"].contains(&unit);
            let channels = || exact.table.channels().iter().filter(|c| motion(&c.unit));
            let range = |name: &str| {
                let values = exact.channel(name).unwrap();
                let most = values.iter().copied().fold(f64::MIN, f64::max);
                most - values.iter().copied().fold(f64::MAX, f64::min)
            };
            for c in channels() {
                let like = channels().filter(|o| o.unit == c.unit);
                let size = like.map(|o| range(&o.name)).fold(1e-6, f64::max);
                let [a, b] = [&found, &exact].map(|run| run.channel(&c.name).unwrap());
                let off = a.iter().zip(b).map(|(a, b)| (a - b).abs());
                let off = off.fold(0.0, f64::max) / size;
                if !(off < bound) {
                    bad.push(format!("{name} {rtol:.0e}: {} off by {off:.1e}", c.name));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
