//! Ropes whose rows depend on those of joints.

mod runs;

use runs::{channel, close, last, read};

/// A double pendulum let go stretched out at a slope, and a rope as long as both its arms from its support to its tip, or none.
fn chain(slope: f64, rope: bool) -> String {
    let (sin, cos) = slope.sin_cos();
    let at = |r: f64| format!("[{:?}, {:?}]", r * cos, r * sin);
    let mut text = format!(
        r#"
[model]
planar = true
gravity = [0, -9.81]
[[body]]
name = "upper"
mass = 1
inertia = 0.01
position = {}
angle = {slope:?}
[[body]]
name = "lower"
mass = 1
inertia = 0.01
position = {}
angle = {slope:?}
[[joint]]
name = "support"
kind = "revolute"
body_b = "upper"
at = [0, 0]
[[joint]]
name = "elbow"
kind = "revolute"
body_a = "upper"
body_b = "lower"
at = {}
[simulation]
t_end = 1.5
"#,
        at(0.5),
        at(1.5),
        at(1.0)
    );
    if rope {
        let tip = at(2.0);
        text.push_str(&format!(
            "[[joint]]\nname = \"line\"\nkind = \"rope\"\nbody_b = \"lower\"\nat_a = [0, 0]\nat_b = {tip}\nlength = 2\n"
        ));
    }
    text
}

/// The rope is straight whenever the chain is, at the start and when it whips through, and never does anything.
#[test]
fn a_rope_along_a_stretched_chain_does_nothing() {
    for (slope, all) in [(0.0, &["absolute", "joint"][..]), (0.5, &["absolute"])] {
        let (with, without) = (read(&chain(slope, true)), read(&chain(slope, false)));
        for method in ["bdf", "radau", "dop853", "adams", "rosenbrock"] {
            for coordinates in all {
                let run = |document| {
                    let options = runs::options(coordinates, method, 1e-9);
                    runs::run(document, options)
                };
                let (run, free) = (run(&with), run(&without));
                let what = format!("{slope} {method} {coordinates}");
                assert!(run.failure().is_none(), "{what}: {:?}", run.failure());
                assert!(run.doubts.is_empty(), "{what}: {:?}", run.doubts);
                let straight = channel(&run, "lower.angle")
                    .iter()
                    .zip(channel(&run, "upper.angle"));
                let bends: Vec<f64> = straight.map(|(b, a)| b - a).collect();
                assert!(bends.iter().any(|x| *x > 0.1) && bends.iter().any(|x| *x < -0.1));
                for name in ["upper.angle", "lower.angle"] {
                    close(last(&run, name), last(&free, name), 1e-4, &what);
                }
                for name in ["line.reaction.x", "line.reaction.y"] {
                    assert!(channel(&run, name).iter().all(|f| *f == 0.0), "{what}");
                }
            }
        }
    }
}

/// A stone at the hook of its rope falls for `sqrt(2/g)` and hangs then, in the plane and in space.
#[test]
fn a_rope_begins_with_its_ends_together() {
    for (gravity, planar) in [("[0, -9.81]", true), ("[0, -9.81, 0]", false)] {
        let document = read(&format!(
            "[model]\nplanar = {planar}\ngravity = {gravity}\n[[body]]\nname = \"stone\"\nkind = \"point\"\nmass = 1\n\
             [[joint]]\nname = \"line\"\nkind = \"rope\"\nbody_b = \"stone\"\nlength = 1\n[simulation]\nt_end = 1\n"
        ));
        for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams", "radau"] {
            for coordinates in ["absolute", "joint"] {
                let run = runs::run(&document, runs::options(coordinates, method, 1e-7));
                let what = format!("{planar} {method} {coordinates}");
                assert!(run.failure().is_none(), "{what}: {:?}", run.failure());
                assert!(run.doubts.is_empty(), "{what}: {:?}", run.doubts);
                close(last(&run, "stone.y"), -1.0, 1e-9, &what);
                let taut = run.events.happenings.iter().find(|h| h.kind != "clock");
                let t = taut.unwrap_or_else(|| panic!("{what}: nothing happens")).t;
                close(t, (2.0 / 9.81f64).sqrt(), 1e-7, &what);
            }
        }
    }
}
