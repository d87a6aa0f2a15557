//! Events that come again and again: ever faster, without end, by functions that swing to and fro; and events of reactions.

mod runs;

use linkwork::Run;
use runs::{last, read};

const METHODS: [&str; 8] = [
    "auto",
    "bdf",
    "gen-alpha",
    "rosenbrock",
    "rock4",
    "dop853",
    "adams",
    "radau",
];

/// A part a metre along its slide, and the rest of the model.
fn part(axis: [f64; 2], rest: &str) -> String {
    let [x, y] = axis;
    format!(
        r#"
[[body]]
name = "b"
mass = 1
inertia = 1
position = [{x}, {y}]
[[joint]]
name = "slide"
kind = "prismatic"
body_b = "b"
axis = [{x}, {y}]
{rest}
"#
    )
}

fn simulate(text: &str, method: &str, coordinates: &str, rtol: f64) -> Run {
    runs::run(&read(text), runs::options(coordinates, method, rtol))
}

/// When events happened whose name contains this one.
fn times(run: &Run, name: &str) -> Vec<f64> {
    let own = run.events.happenings.iter();
    let own = own.filter(|h| h.name.contains(name));
    own.map(|h| h.t).collect()
}

/// How many events have this name.
fn own(run: &Run, name: &str) -> f64 {
    let all = run.events.happenings.iter();
    all.filter(|h| h.name == name).count() as f64
}

/// Free fall from 1 m onto an event that throws back with 0.8 of the speed: impact `n` (from 0) is at
/// `t0 (1 + 2 (0.8 + ... + 0.8^n))`, `t0^2 = 2/g`, and they pile up at `9 t0`.
#[test]
fn bounces_are_seen_until_they_pile_up() {
    const G: f64 = 9.81;
    let text = format!(
        "[model]\ngravity = [0, -{G}]\n{}",
        part(
            [0.0, 1.0],
            "[[event]]\nname = \"floor\"\nkind = \"reverse\"\nwhen = \"b.y < 0\"\njoint = \"slide\"\n\
             restitution = 0.8\n[simulation]\nt_end = 5"
        )
    );
    let t0 = (2.0 / G).sqrt();
    let impact = |n: i32| t0 * (1.0 + 8.0 * (1.0 - 0.8f64.powi(n)));
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            for rtol in [1e-4, 1e-8] {
                let what = format!("{method} {coordinates} {rtol}");
                let run = simulate(&text, method, coordinates, rtol);
                let found = times(&run, "floor");
                assert!(found.len() > 24, "{what}: {}", found.len());
                for (n, t) in (0..).zip(&found) {
                    let late = (t - impact(n)).abs();
                    assert!(late < 20.0 * rtol, "{what}: impact {n} is {late:.1e} s off");
                }
                let failure = run.failure().unwrap_or_else(|| panic!("{what} converged"));
                let said = &failure.cause;
                assert!(said.contains("event `floor` crosses ever faster"), "{said}");
                assert!((failure.t - 9.0 * t0).abs() < 0.05, "{what}: {}", failure.t);
                // what there is is the motion up to there
                let at_end = (*run.times().last().unwrap(), last(&run, "b.y"));
                assert_eq!(at_end.0, failure.t, "{what}");
                assert!(at_end.1.abs() < 1e-6, "{what}: {at_end:?}");
            }
        }
    }
}

/// Two events that each lead back to the other: the run ends there and names both.
#[test]
fn events_that_set_each_other_off_are_named() {
    let event = |name: &str, sign: &str, value: f64| {
        format!(
            "[[event]]\nname = \"{name}\"\nkind = \"set\"\nwhen = \"b.x + 0.5*b.x.velocity {sign} 0\"\n\
             input = \"u\"\nvalue = {value}\n"
        )
    };
    let rest = format!(
        "[[control]]\nname = \"u\"\nkind = \"input\"\nvalue = -5\n[[force]]\nname = \"f\"\nkind = \"force\"\n\
         body_b = \"b\"\nx = \"u\"\n{}{}[simulation]\nt_end = 5",
        event("hi", ">", -5.0),
        event("lo", "<", 5.0)
    );
    let text = part([1.0, 0.0], &rest);
    for method in METHODS {
        let run = simulate(&text, method, "absolute", 1e-6);
        let failure = (run.failure()).unwrap_or_else(|| panic!("{method} converged"));
        // 1 - 2.5 t^2 - 2.5 t = 0
        let t = 0.5 * ((1.0f64 + 1.6).sqrt() - 1.0);
        assert!((failure.t - t).abs() < 1e-5, "{method}: {}", failure.t);
        let said = &failure.cause;
        assert!(
            said.contains("event `hi`, event `lo` crossed"),
            "{method}: {said}"
        );
    }
}

/// A part at 10 m/s that passes a place in every 0.3 m: forces and events that swing with it are seen by methods that
/// need no steps at all for its motion.
#[test]
fn functions_that_swing_are_not_leapt_over() {
    const V: f64 = 10.0;
    let text = part(
        [1.0, 0.0],
        "[[event]]\nname = \"tooth\"\nkind = \"row\"\nwhen = \"sin(20*b.x) > 0.5\"\n\
         [[event]]\nname = \"hump\"\nkind = \"row\"\nwhen = \"abs(sin(20*b.x)) > 0.5\"\n\
         [[event]]\nname = \"turn\"\nkind = \"row\"\nwhen = \"atan2(sin(20*b.x + 0.3), cos(20*b.x + 0.3)) > 3\"\n\
         [[event]]\nname = \"gate\"\nkind = \"row\"\nwhen = \"abs(b.x - 5) < 1e-4\"\n\
         [[force]]\nname = \"f\"\nkind = \"force\"\nbody_b = \"b\"\nx = \"if(cos(20*b.x) > 0.9, 1, 0)\"\n\
         [simulation]\nt_end = 2",
    );
    let text = text.replace("position = [1, 0]", "velocity = [10, 0]");
    for method in METHODS {
        for rtol in [1e-3, 1e-6] {
            let what = format!("{method} {rtol}");
            let run = simulate(&text, method, "absolute", rtol);
            assert!(run.failure().is_none(), "{what}: {:?}", run.failure());
            // on teeth of this width the force works 1 J in every metre
            let half = 0.9f64.acos() / 20.0;
            let pitch = std::f64::consts::TAU / 20.0;
            let x = last(&run, "b.x");
            let tooth = (x / pitch).round();
            let works = 2.0 * half * tooth + (x - pitch * tooth).clamp(-half, half);
            let v = last(&run, "b.x.velocity");
            let off = 0.5 * (v * v - V * V) - works;
            assert!(off.abs() < 100.0 * rtol, "{what}: {off:.1e} J of {works}");
            let teeth = ((x - 0.5f64.asin() / 20.0) / pitch).floor() + 1.0;
            assert_eq!(
                times(&run, "event `gate`").len(),
                2,
                "{what}: once at its corner"
            );
            assert_eq!(times(&run, "tooth").len() as f64, teeth, "{what}");
            let humps = ((x - 0.5f64.asin() / 20.0) / (0.5 * pitch)).floor() + 1.0;
            assert_eq!(own(&run, "event `hump`"), humps, "{what}");
            let turns = ((x - 2.7 / 20.0) / pitch).floor() + 1.0;
            assert_eq!(own(&run, "event `turn`"), turns, "{what}");
        }
    }
}

/// A pendulum of 1 m that is let go at 1 rad bears `m g (3 cos - 2 cos 1)`; its rod snaps at 15 N.
#[test]
fn a_rod_snaps() {
    let text = r#"
[model]
gravity = [0, -10]
[[body]]
name = "b"
kind = "point"
mass = 1
position = ["sin(1)", "-cos(1)"]
[[joint]]
name = "rod"
kind = "distance"
body_b = "b"
[[event]]
name = "snaps"
kind = "release"
when = "abs(rod.multiplier) > 15"
joint = "rod"
[simulation]
t_end = 1
"#;
    let cosine = (1.5 + 2.0 * 1.0f64.cos()) / 3.0;
    // dt = dx / v along the arc, with x = 1 - s^2
    let end = (1.0 - cosine.acos()).sqrt();
    let slope = |s: f64| match s {
        0.0 => 2.0 / (20.0 * 1.0f64.sin()).sqrt(),
        s => 2.0 * s / (20.0 * ((1.0 - s * s).cos() - 1.0f64.cos())).sqrt(),
    };
    let (n, h) = (1000, end / 1000.0);
    let weight = |i: u32| [2.0, 4.0][(i % 2) as usize];
    let inner: f64 = (1..n).map(|i| weight(i) * slope(f64::from(i) * h)).sum();
    let t = h / 3.0 * (slope(0.0) + inner + slope(end));
    // then it is thrown
    let speed = (20.0 * (cosine - 1.0f64.cos())).sqrt();
    let sine = (1.0 - cosine * cosine).sqrt();
    let left = 1.0 - t;
    let x = sine - speed * cosine * left;
    let y = -cosine - speed * sine * left - 5.0 * left * left;
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            let what = format!("{method} {coordinates}");
            let run = simulate(text, method, coordinates, 1e-7);
            assert!(run.failure().is_none(), "{what}: {:?}", run.failure());
            let found = times(&run, "event `snaps`");
            assert_eq!(found.len(), 1, "{what}: {found:?}");
            assert!((found[0] - t).abs() < 2e-6, "{what}: {} not {t}", found[0]);
            let off = (last(&run, "b.x") - x).hypot(last(&run, "b.y") - y);
            assert!(off < 2e-5, "{what}: {off:.1e}");
        }
    }
}

/// What begins at equality becomes true at the start; what is true there does not become so.
#[test]
fn events_at_the_start() {
    let event = |name: &str, when: &str| {
        format!("[[event]]\nname = \"{name}\"\nkind = \"row\"\nwhen = \"{when}\"\n")
    };
    let text = part(
        [1.0, 0.0],
        &format!(
            "{}{}{}{}[simulation]\nt_end = 2\n",
            event("place", "b.x > 0"),
            event("clock", "t > 0"),
            event("true", "b.x > -1"),
            event("false", "b.x < 0")
        ),
    );
    let text = text.replace("position = [1, 0]", "velocity = [3, 0]");
    for method in METHODS {
        let run = simulate(&text, method, "absolute", 1e-6);
        assert!(run.failure().is_none(), "{method}: {:?}", run.failure());
        for (name, want) in [("place", 1), ("clock", 1), ("true", 0), ("false", 0)] {
            let found = times(&run, &format!("event `{name}`"));
            assert_eq!(found.len(), want, "{method}: {name}");
            assert!(
                found.iter().all(|t| *t == 0.0),
                "{method}: {name} {found:?}"
            );
        }
    }
}

/// The tip of a rotor at 100 rad/s, whose angle needs no steps at all: its height is `sin(100 t)`.
#[test]
fn what_turns_is_not_leapt_over() {
    let text = r#"
[[body]]
name = "b"
mass = 1
inertia = 1
angular_velocity = 100
[[joint]]
name = "pin"
kind = "revolute"
body_b = "b"
[[sensor]]
name = "tip"
kind = "point"
body = "b"
point = [1, 0]
[[event]]
name = "high"
kind = "row"
when = "tip.y > 0.5"
[simulation]
t_end = 1
"#;
    let count = ((100.0 - 0.5f64.asin()) / std::f64::consts::TAU).floor() + 1.0;
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            let run = simulate(text, method, coordinates, 1e-3);
            let what = format!("{method} {coordinates}");
            assert!(run.failure().is_none(), "{what}: {:?}", run.failure());
            assert_eq!(own(&run, "event `high`"), count, "{what}");
        }
    }
}
