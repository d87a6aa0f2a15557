//! Joints of more than two bodies, and joints that follow signals, against closed forms and controls.

use linkwork::mbs::{Model, text};

mod runs;

use runs::{close, converged as run, last, options};

fn read(source: &str) -> Model {
    let document = text::read(source).unwrap_or_else(|e| panic!("{e:?}"));
    // what is written says the same
    let written = text::write(&document.model);
    let again = text::read(&written).unwrap_or_else(|e| panic!("{e:?}\n{written}"));
    assert_eq!(text::write(&again.model), written);
    again.model
}

/// The same text for the plane and for space: `Z` ends vectors, `INERTIA(x)` stands for a body with a moment.
fn both_spaces(source: &str) -> [Model; 2] {
    let plane = source.replace(" Z", "").replace("PLANAR", "true");
    let space = source.replace(" Z", ", 0").replace("PLANAR", "false");
    let moments = |text: &str, space: bool| {
        let mut out = String::new();
        for line in text.lines() {
            match line.strip_prefix("inertia = ") {
                Some(x) if space => out += &format!("inertia = [{x}, {x}, {x}]\n"),
                _ => out += &format!("{line}\n"),
            }
        }
        out
    };
    [read(&moments(&plane, false)), read(&moments(&space, true))]
}

/// A load in the bight of a cable and a weight at its end: `2 a_load + a_weight = 0`, and with the tension `T`
/// `M a_load = 2 T - M g`, `m a_weight = T - m g`, so `T = 3 g/(1/m + 4/M)`. Four sides, two of them the ground.
#[test]
fn a_tackle_shares_its_tension() {
    let models = both_spaces(
        r#"
[model]
name = "tackle"
planar = PLANAR
gravity = [0, -9.81 Z]
[[body]]
name = "load"
kind = "point"
mass = 5
position = [0, -2 Z]
[[body]]
name = "weight"
kind = "point"
mass = 3
position = [1, -3 Z]
[[joint]]
name = "shaft"
kind = "point_on_line"
body_b = "load"
axis = [0, 1 Z]
at_a = [0, 0 Z]
[[joint]]
name = "side"
kind = "point_on_line"
body_b = "weight"
axis = [0, 1 Z]
at_a = [1, 0 Z]
[[joint]]
name = "rope"
kind = "cable"
body_b = "load"
bodies = ["ground", "weight"]
points = [[1, 0 Z], [0, 0 Z]]
"#,
    );
    let (big, small, g) = (5.0_f64, 3.0_f64, 9.81);
    // the bight runs from the eye at (0, 0) down to the load and up to the one at (1, 0)
    for model in &models {
        for coordinates in ["absolute", "joint"] {
            let r = run(model, 0.5, options(coordinates, "bdf", 1e-9));
            // lengths of the parts keep their sum
            let (y, z) = (last(&r, "load.y"), last(&r, "weight.y"));
            let length = |y: f64, z: f64| -y + (1.0 + y * y).sqrt() - z;
            close(length(y, z), length(-2.0, -3.0), 1e-8, "length");
            // the work of gravity is all there is
            let (v, w) = (last(&r, "load.y.velocity"), last(&r, "weight.y.velocity"));
            let kinetic = 0.5 * (big * v * v + small * w * w);
            let fall = -g * (big * (y + 2.0) + small * (z + 3.0));
            close(kinetic, fall, 1e-6 * kinetic, "energy");
            assert!(kinetic > 0.1, "{kinetic}");
            // tension from the acceleration of the weight
            let tension = small * (last(&r, "weight.y.acceleration") + g);
            close(
                last(&r, "rope.reaction.y"),
                tension,
                1e-6 * tension,
                "tension",
            );
        }
    }
}

/// The drive of an axle: a torque on the cage, two wheels of different inertia, and `phi_l + phi_r = 2 phi_c`.
#[test]
fn a_differential_lets_wheels_turn_at_different_speeds() {
    let models = both_spaces(
        r#"
[model]
name = "axle"
planar = PLANAR
[[body]]
name = "cage"
mass = 1
inertia = 0.5
[[body]]
name = "left"
mass = 1
inertia = 0.2
position = [1, 0 Z]
[[body]]
name = "right"
mass = 1
inertia = 0.7
position = [2, 0 Z]
[[joint]]
name = "bearing_1"
kind = "revolute"
body_b = "cage"
at = [0, 0 Z]
AXIS
[[joint]]
name = "bearing_2"
kind = "revolute"
body_b = "left"
at = [1, 0 Z]
AXIS
[[joint]]
name = "bearing_3"
kind = "revolute"
body_b = "right"
at = [2, 0 Z]
AXIS
[[joint]]
name = "differential"
kind = "differential"
body_b = "left"
bodies = ["right", "cage"]
factors = [1, 1, -2]
AXIS
[[force]]
name = "engine"
kind = "torque"
body_b = "cage"
torque = 3
AXIS
[[sensor]]
name = "phi"
kind = "angle"
body_b = "left"
AXIS
[[sensor]]
name = "psi"
kind = "angle"
body_b = "right"
AXIS
"#
        .replace("AXIS", "axis = [0, 0, 1]")
        .as_str(),
    );
    let (cage, left, right, torque, t) = (0.5, 0.2, 0.7, 3.0, 4.0);
    let share = 2.0 * torque / cage / (1.0 / left + 1.0 / right + 4.0 / cage);
    for model in &models {
        for coordinates in ["absolute", "joint"] {
            let r = run(model, t, options(coordinates, "bdf", 1e-9));
            let turn = |inertia: f64| 0.5 * share / inertia * t * t;
            close(last(&r, "phi"), turn(left), 1e-6 * turn(left), "left");
            close(last(&r, "psi"), turn(right), 1e-6 * turn(right), "right");
            assert!(last(&r, "phi") > 10.0);
        }
    }
}

/// A servo moves a cart as a lag of second order would, to which the signal is given as well, whatever the arm
/// that swings on the cart does: the signal listens to the arm, so the motion acts back through it, and jumps.
#[test]
fn a_servo_follows_what_its_lag_makes_of_a_signal() {
    let source = r#"
[model]
name = "cart"
planar = PLANAR
gravity = [0, -9.81 Z]
[[body]]
name = "cart"
mass = 2
inertia = 0.1
position = [1, 0 Z]
[[body]]
name = "arm"
mass = 5
inertia = 0.3
position = [1.4, 0 Z]
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "cart"
at = [1, 0 Z]
axis = [1, 0 Z]
[[joint]]
name = "hinge"
kind = "revolute"
body_a = "cart"
body_b = "arm"
at = [1, 0 Z]
axis = [0, 0, 1]
[[sensor]]
name = "swing"
kind = "angle"
body_a = "cart"
body_b = "arm"
axis = [0, 0, 1]
[[control]]
name = "wish"
kind = "filter"
input = "if(t > 0.4, 0.2, 0) + 0.1*swing"
time = 0.05
start = 0
[[control]]
name = "lag"
kind = "transfer"
input = "wish"
numerator = [400]
denominator = [1, 28, 400]
[[joint]]
name = "shuttle"
kind = "servo"
quantity = "displacement"
body_b = "cart"
at = [1, 0 Z]
axis = [1, 0 Z]
signal = "wish"
frequency = FREQUENCY
damping = 0.7
"#;
    let frequency = 20.0 / std::f64::consts::TAU;
    let source = source.replace("FREQUENCY", &format!("{frequency:?}"));
    for model in &both_spaces(&source) {
        let mut ends = Vec::new();
        for coordinates in ["absolute", "joint"] {
            for method in ["bdf", "dop853"] {
                let r = run(model, 1.5, options(coordinates, method, 1e-8));
                let at = last(&r, "cart.x") - 1.0;
                let case = format!("{coordinates}, {method}");
                // both integrate the same equations within a tolerance of 1e-8 of a length of 1.4
                close(at, last(&r, "lag"), 1e-6, &case);
                close(at, last(&r, "shuttle.target"), 1e-7, &case);
                assert!(at.abs() > 0.05, "{at}");
                let e = r.energy.unwrap();
                // Simpson's rule over steps of order 8 leaves most of it
                assert!(e.imbalance().abs() < 1e-4 * e.exchanged, "{case}: {e:?}");
                ends.push((at, last(&r, "shuttle.reaction.x")));
            }
            let mut options = options(coordinates, "bdf", 1e-6);
            options.formulation = Some("index3".into());
            let r = run(model, 1.5, options);
            close(last(&r, "cart.x") - 1.0, last(&r, "lag"), 1e-4, "index 3");
        }
        for (at, force) in &ends {
            close(*at, ends[0].0, 1e-6, "runs agree");
            close(*force, ends[0].1, 1e-3, "forces agree");
        }
    }
}

#[test]
fn sides_and_factors_must_fit() {
    let text = |joint: &str| {
        let body = |name: &str| format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = 1\n");
        format!("{}{}[[joint]]\nname = \"j\"\n{joint}", body("p"), body("q"))
    };
    for (joint, complaint) in [
        (
            "kind = \"differential\"\nbody_b = \"p\"\nbodies = [\"q\"]\nfactors = [1]",
            "1 factors for 2 shafts",
        ),
        (
            "kind = \"cable\"\nbody_b = \"p\"\nbodies = [\"q\"]\npoints = [[1, 0], [0, 0]]",
            "2 points for 1 further bodies",
        ),
        (
            "kind = \"cable\"\nbody_b = \"p\"\nbodies = [\"x\"]",
            "there is no body `x`",
        ),
        (
            "kind = \"servo\"\nbody_b = \"p\"\nsignal = \"nothing\"\nfrequency = 3",
            "there is no signal `nothing`",
        ),
    ] {
        let errors = text::read(&text(joint)).unwrap_err();
        let all = format!("{errors:?}");
        assert!(all.contains(complaint), "{all}");
    }
}
