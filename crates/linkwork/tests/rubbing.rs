//! Dry friction that follows something: the reaction of its joint, or a signal.

use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation};
use std::f64::consts::PI;

fn everywhere(text: &str, rtol: f64, check: impl Fn(&Run, &str)) {
    let document = text::read(text).unwrap_or_else(|e| panic!("{e:?}"));
    // what is written is what was read
    let again = text::read(&text::write(&document.model)).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(again.model.joints.len(), document.model.joints.len());
    for method in ["bdf", "gen-alpha", "dop853", "adams", "radau", "rosenbrock"] {
        for coordinates in ["absolute", "joint"] {
            let options = Options::new()
                .coordinates(coordinates)
                .method(method)
                .rtol(rtol);
            let mut simulation = Simulation::from_document_with(&document, options).unwrap();
            let run = simulation.run().unwrap();
            let what = format!("{method} {coordinates}");
            println!("{what}: {} steps {:?}", run.stats.steps, run.doubts);
            assert!(run.failure().is_none(), "{what}: {:?}", run.failure());
            check(&run, &what);
        }
    }
}

fn times(run: &Run, kind: &str) -> Vec<f64> {
    let own = run.events.happenings.iter().filter(|h| h.kind == kind);
    own.map(|h| h.t).collect()
}

fn last(run: &Run, name: &str) -> f64 {
    let channel = run.channel(name).unwrap_or_else(|| panic!("{name}"));
    channel[channel.len() - 1]
}

fn close(got: f64, want: f64, bound: f64, what: &str) {
    let off = (got - want).abs();
    assert!(off <= bound, "{what}: {got} instead of {want}");
}

/// A bead on a rough circle, `mu = 0.2`, let go beside its centre: as the tip of an arm without inertia whose hinge
/// rubs. Its friction works across the arm, so the hinge bears `N sqrt(1 + mu^2)` and the coefficient there is
/// `mu/sqrt(1 + mu^2)`. Passes the bottom with 3.185389354 rad/s and sticks where it turns.
#[test]
fn a_hinge_rubs_as_its_reaction_presses() {
    let text = r#"
[model]
gravity = [0, -9.81]
[[body]]
name = "bead"
mass = 1
inertia = 1e-8
position = [1, 0]
[[joint]]
name = "pin"
kind = "revolute"
body_b = "bead"
at = [0, 0]
[[joint]]
name = "rub"
kind = "dry_friction"
body_b = "bead"
coulomb = "0.2/sqrt(1.04)"
static_ratio = "6*sqrt(1.04/2.44)"
pressed_by = "pin"
[[event]]
name = "bottom"
kind = "row"
when = "bead.angle < -pi/2"
[simulation]
t_end = 1.3
"#;
    everywhere(text, 1e-8, |run, what| {
        let bound = if what.starts_with("gen") { 30.0 } else { 1.0 };
        let bottom = times(run, "falls").into_iter().chain(times(run, "rises"));
        let bottom: Vec<f64> = bottom.collect();
        close(bottom[0], 0.654_067_260_396_835_2, bound * 1e-6, what);
        let at = run.times().iter().position(|t| *t == bottom[0]).unwrap();
        let omega = run.channel("bead.angle.velocity").unwrap()[at];
        close(omega, -3.185_389_354_168_705, bound * 1e-6, what);
        let sticks = times(run, "sticks");
        close(
            *sticks.last().unwrap(),
            1.101_173_700_172_437,
            bound * 1e-6,
            what,
        );
        close(
            last(run, "bead.angle"),
            -0.777_724_175_624_530_2 - PI / 2.0,
            bound * 1e-6,
            what,
        );
        close(last(run, "bead.angle.velocity"), 0.0, 1e-12, what);
    });
}

/// What friction bears grows while a block slides, by the clock and with its way: every stage of a step has its own.
#[test]
fn friction_that_grows_is_taken_at_the_time_and_place_of_each_stage() {
    let block = |coulomb: &str| {
        format!(
            r#"
[model]
gravity = [0, 0]
[[body]]
name = "block"
mass = 1
inertia = 1
velocity = [3, 0]
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "block"
axis = [1, 0]
[[joint]]
name = "rub"
kind = "dry_friction"
against = "sliding"
body_b = "block"
axis = [1, 0]
coulomb = "{coulomb}"
[simulation]
t_end = 1
"#
        )
    };
    everywhere(&block("1 + 2*t"), 1e-8, |run, what| {
        close(last(run, "block.x.velocity"), 1.0, 1e-8, what);
        close(last(run, "block.x"), 13.0 / 6.0, 1e-8, what);
    });
    // x'' + 4 x = -1
    everywhere(&block("1 + 4*block.x"), 1e-8, |run, what| {
        let turn = 6.0f64.atan();
        let way = 1.5 * turn.sin() + 0.25 * (turn.cos() - 1.0);
        close(times(run, "sticks")[0], 0.5 * turn, 1e-6, what);
        close(last(run, "block.x"), way, 1e-6, what);
    });
}

/// A clutch whose capacity is a signal locks, and is let go by an event.
#[test]
fn a_clutch_bears_what_a_signal_says() {
    let text = r#"
[[body]]
name = "engine"
mass = 1
inertia = 1
angular_velocity = 100
[[body]]
name = "load"
mass = 1
inertia = 2
[[joint]]
name = "front"
kind = "revolute"
body_b = "engine"
[[joint]]
name = "rear"
kind = "revolute"
body_b = "load"
[[control]]
name = "pedal"
kind = "input"
value = 1
[[joint]]
name = "clutch"
kind = "dry_friction"
body_a = "engine"
body_b = "load"
coulomb = "10*pedal"
static_ratio = 1.2
[[force]]
name = "drive"
kind = "torque"
body_b = "engine"
torque = "4 + 5*max(t - 12, 0)"
[[force]]
name = "drag"
kind = "torque"
body_b = "load"
torque = -1
[[event]]
name = "off"
kind = "set"
when = "t > 12"
input = "pedal"
value = 0
[simulation]
t_end = 16
"#;
    everywhere(text, 1e-8, |run, what| {
        close(times(run, "sticks")[0], 9.523_809_523_809_524, 3e-6, what);
        close(times(run, "slips")[0], 12.0, 1e-9, what);
        let together = 42.857_142_857_142_86 + (12.0 - 9.523_809_523_809_524);
        close(
            last(run, "engine.angle.velocity"),
            together + 56.0,
            3e-4,
            what,
        );
        close(last(run, "load.angle.velocity"), together - 2.0, 3e-4, what);
    });
}

/// A block on a slide that its own weight presses, and a force across: in the plane up a slope, where it stops and stays, in
/// space level, where both count.
#[test]
fn a_slide_rubs_as_it_is_pressed_across_its_axis() {
    let model = |head: &str, axis: &str, speed: &str, parts: &str, end: f64| {
        format!(
            r#"
[model]
{head}
[[body]]
name = "block"
mass = 2
inertia = {inertia}
velocity = {speed}
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "block"
axis = {axis}
[[joint]]
name = "rub"
kind = "dry_friction"
against = "sliding"
body_b = "block"
axis = {axis}
coulomb = 0.3
pressed_by = "rail"
{parts}
[simulation]
t_end = {end}
"#,
            inertia = if head.contains("false") {
                "[1, 1, 1]"
            } else {
                "1"
            }
        )
    };
    // tan(15 degrees) is less than 0.3: it goes up and stops
    let slope = model(
        "gravity = [0, -9.81]",
        "[\"cos(pi/12)\", \"sin(pi/12)\"]",
        "[\"2*cos(pi/12)\", \"2*sin(pi/12)\"]",
        "",
        0.8,
    );
    everywhere(&slope, 1e-8, |run, what| {
        let (sin, cos) = (PI / 12.0).sin_cos();
        let brakes = 9.81 * (sin + 0.3 * cos);
        close(times(run, "sticks")[0], 2.0 / brakes, 1e-8, what);
        close(last(run, "block.x"), 2.0 / brakes * cos, 1e-8, what);
        close(last(run, "block.x.velocity"), 0.0, 1e-10, what);
    });
    let push = "[[force]]\nname = \"push\"\nkind = \"force\"\nbody_b = \"block\"\ny = \"15*t\"";
    let level = model(
        "planar = false\ngravity = [0, 0, -9.81]",
        "[1, 0, 0]",
        "[3, 0, 0]",
        push,
        0.6,
    );
    everywhere(&level, 1e-8, |run, what| {
        // the mean of sqrt(weight^2 + push^2), which is a hyperbola over time
        let (weight, rate, end) = (2.0 * 9.81, 15.0, 0.6);
        let share: f64 = rate * end / weight;
        let pressed =
            0.5 * weight * (end * (1.0 + share * share).sqrt() + weight / rate * share.asinh());
        close(
            last(run, "block.x.velocity"),
            3.0 - 0.15 * pressed,
            1e-7,
            what,
        );
    });
}

/// Friction that a formula takes below zero is none: it brakes no more, and never drives.
#[test]
fn friction_below_zero_is_none() {
    for (kind, table) in [("dry_friction", "joint"), ("friction", "force")] {
        let transition = if table == "force" {
            "transition_speed = 1e-3"
        } else {
            ""
        };
        let text = format!(
            r#"
[model]
gravity = [0, 0]
[[body]]
name = "block"
mass = 1
inertia = 1
velocity = [3, 0]
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "block"
axis = [1, 0]
[[{table}]]
name = "rub"
kind = "{kind}"
against = "sliding"
body_b = "block"
axis = [1, 0]
coulomb = "2 - 4*t"
{transition}
[simulation]
t_end = 1
"#
        );
        everywhere(&text, 1e-8, |run, what| {
            close(last(run, "block.x.velocity"), 2.5, 1e-6, what);
        });
    }
}
