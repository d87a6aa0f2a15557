//! Drives whose speed jumps: everything that they carry is kicked, by impulses that obey the joints.

use linkwork::dae::system::After;
use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation, Verdict};

const METHODS: [&str; 10] = [
    "bdf",
    "gen-alpha",
    "hht",
    "rosenbrock",
    "rock4",
    "w",
    "dop853",
    "adams",
    "radau",
    "auto",
];
const COORDINATES: [&str; 2] = ["absolute", "joint"];

const MASS: f64 = 2.0;
const INERTIA: f64 = 0.3;
const LENGTH: f64 = 1.5;
/// Of the rod from hanging.
const ANGLE: f64 = 0.4;

/// A rod without weight on a cart, at an angle, at rest.
fn model(drive: &str) -> text::Document {
    let (x, y) = (LENGTH * ANGLE.sin(), -LENGTH * ANGLE.cos());
    let text = format!(
        r#"[model]
[[body]]
name = "cart"
mass = 1
inertia = 0.1
[[body]]
name = "rod"
mass = {MASS}
inertia = {INERTIA}
position = [{x}, {y}]
angle = {ANGLE}
[[joint]]
name = "slide"
kind = "prismatic"
body_b = "cart"
axis = [1, 0]
[[joint]]
name = "pin"
kind = "revolute"
body_a = "cart"
body_b = "rod"
at = [0, 0]
[[joint]]
name = "drive"
kind = "drive"
quantity = "displacement"
body_b = "cart"
axis = [1, 0]
value = {drive}
[simulation]
t_end = 2
"#
    );
    text::read(&text).unwrap_or_else(|e| panic!("{e:?}"))
}

fn run(document: &text::Document, method: &str, coordinates: &str) -> Run {
    let options = Options::new()
        .coordinates(coordinates)
        .method(method)
        .rtol(1e-8);
    let mut simulation = Simulation::from_document_with(document, options).unwrap();
    simulation.run().unwrap()
}

/// Angular velocity behind a kick of the support from rest: angular momentum about it is kept.
fn kicked(speed: f64) -> f64 {
    let along = MASS * LENGTH * ANGLE.cos();
    -along * speed / (INERTIA + MASS * LENGTH * LENGTH)
}

/// Kinetic energy of all a second behind it: as seen from the cart the rod turns as it did.
fn energy(speed: f64) -> f64 {
    let omega = kicked(speed);
    let along = MASS * LENGTH * (ANGLE + omega).cos();
    let own = 0.5 * (INERTIA + MASS * LENGTH * LENGTH) * omega * omega;
    0.5 * (1.0 + MASS) * speed * speed + along * speed * omega + own
}

fn close(got: f64, want: f64, bound: f64, what: &str) {
    assert!(
        (got - want).abs() < bound,
        "{what}: {got} instead of {want}"
    );
}

/// What a channel is on both sides of the kick.
fn both_sides(run: &Run, channel: &str) -> [f64; 2] {
    let rows = run.table.times().iter().zip(run.channel(channel).unwrap());
    let there: Vec<f64> = rows.filter(|(t, _)| **t == 1.0).map(|(_, x)| *x).collect();
    there.try_into().unwrap_or_else(|all| panic!("{all:?}"))
}

/// Formulas and tables with a corner, every method, both coordinates.
#[test]
fn a_drive_that_sets_off_kicks_what_it_carries() {
    let table = "[\"linear\", [0, 0], [1, 0], [3, 1]]";
    for (drive, speed) in [("\"max(t - 1, 0)\"", 1.0), (table, 0.5)] {
        let document = model(drive);
        for method in METHODS {
            for coordinates in COORDINATES {
                let run = run(&document, method, coordinates);
                let what = format!("{drive} {method} {coordinates}");
                assert_eq!(run.verdict, Verdict::Converged, "{what}: {:?}", run.doubts);
                let at_kick = |t: &&linkwork::dae::drive::Happening| (t.t - 1.0).abs() < 1e-12;
                let told = run.events.happenings.iter().find(at_kick);
                assert_eq!(told.unwrap().after, After::Jump, "{what}");
                let [before, behind] = both_sides(&run, "rod.angle.velocity");
                close(before, 0.0, 1e-9, &what);
                close(behind, kicked(speed), 1e-9, &what);
                let end = *run.channel("rod.angle").unwrap().last().unwrap();
                // the errors of a second of steps
                close(end, ANGLE + kicked(speed), 2e-5, &what);
                let account = run.energy.unwrap();
                close(account.end, energy(speed), 2e-5, &what);
                close(account.work, energy(speed), 2e-5, &what);
            }
        }
    }
}

/// The start is where the motion begins: nothing is kicked there.
#[test]
fn a_drive_that_moves_from_the_start_does_so_at_once() {
    for drive in ["\"max(0, t)\"", "\"if(t > 0, t, 0)\""] {
        let document = model(drive);
        for method in ["bdf", "dop853", "rosenbrock"] {
            let run = run(&document, method, "absolute");
            let what = format!("{drive} {method}");
            assert_eq!(run.verdict, Verdict::Converged, "{what}: {:?}", run.doubts);
            let speed = run.channel("cart.x.velocity").unwrap();
            close(speed[0], 1.0, 1e-12, &what);
            let account = run.energy.unwrap();
            close(account.imbalance(), 0.0, 1e-6, &what);
        }
    }
}

/// Angles of a body on a prescribed path are drives too.
#[test]
fn a_turntable_that_sets_off_kicks_what_it_carries() {
    let text = r#"[model]
[[body]]
name = "table"
mass = 1
inertia = 0.1
[[body]]
name = "rod"
mass = 2
inertia = 0.3
position = [0.5, -1.5]
[[joint]]
name = "turn"
kind = "motion"
body_b = "table"
gamma = "max(t - 1, 0)"
[[joint]]
name = "pin"
kind = "revolute"
body_a = "table"
body_b = "rod"
at = [0.5, 0]
[simulation]
t_end = 2
"#;
    let document = text::read(text).unwrap();
    for method in ["bdf", "gen-alpha", "dop853"] {
        for coordinates in COORDINATES {
            let run = run(&document, method, coordinates);
            let what = format!("{method} {coordinates}");
            assert_eq!(run.verdict, Verdict::Converged, "{what}: {:?}", run.doubts);
            // the pin sets off upwards, in line with the middle of the rod: nothing turns it
            close(both_sides(&run, "rod.angle.velocity")[1], 0.0, 1e-9, &what);
            close(both_sides(&run, "rod.y.velocity")[1], 0.5, 1e-9, &what);
        }
    }
}

/// No impulse moves anything from one place to another in no time.
#[test]
fn a_drive_that_leaps_is_refused() {
    for drive in ["\"step(t, 1, 0, 1, 0.5)\"", "\"if(t > 1, 0.3 + t, t)\""] {
        let document = model(drive);
        for method in METHODS {
            for coordinates in COORDINATES {
                let run = run(&document, method, coordinates);
                let what = format!("{drive} {method} {coordinates}");
                let failure = run.failure().unwrap_or_else(|| panic!("{what} went on"));
                for said in ["joint `drive`", "leaps", "at t = 1.0"] {
                    assert!(failure.cause.contains(said), "{what}: {}", failure.cause);
                }
                assert_eq!(failure.t, 1.0, "{what}");
            }
        }
    }
}

/// A ball on a table that drops at once falls behind it, and one that is lifted at once goes along: contacts push and do
/// not pull.
#[test]
fn a_contact_does_not_pull() {
    // half a second of free fall, or of going along
    for (speed, y, velocity) in [(-5.0, -1.226_25, -4.905), (1.0, 0.5, 1.0)] {
        let text = format!(
            r#"[model]
gravity = [0, -9.81]
[[body]]
name = "table"
mass = 1
inertia = 0.1
[[body]]
name = "ball"
kind = "point"
mass = 2
[[joint]]
name = "slide"
kind = "prismatic"
body_b = "table"
axis = [0, 1]
[[joint]]
name = "drive"
kind = "drive"
quantity = "displacement"
body_b = "table"
axis = [0, 1]
value = "{speed}*max(t - 1, 0)"
[[joint]]
name = "top"
kind = "rigid_contact"
body_a = "table"
body_b = "ball"
axis = [0, 1]
[simulation]
t_end = 1.5
"#
        );
        let document = text::read(&text).unwrap();
        for method in ["bdf", "gen-alpha", "dop853", "rosenbrock"] {
            let run = run(&document, method, "absolute");
            let what = format!("{speed} {method}");
            assert_eq!(run.verdict, Verdict::Converged, "{what}: {:?}", run.doubts);
            let end = |name: &str| *run.channel(name).unwrap().last().unwrap();
            close(end("ball.y"), y, 1e-7, &what);
            close(end("ball.y.velocity"), velocity, 1e-7, &what);
        }
    }
}

/// A plate that another one carries along by 1 N of friction: where the lower one is kicked, locked or thrown back after
/// a second the upper one slides, and stops against it after another second.
#[test]
fn friction_bears_no_impulse() {
    let model = |speed: f64, what: &str| {
        format!(
            r#"[[body]]
name = "lower"
mass = 1
inertia = 1
velocity = [{speed}, 0]
[[body]]
name = "upper"
mass = 1
inertia = 1
position = [0, 1]
velocity = [{speed}, 0]
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "lower"
axis = [1, 0]
[[joint]]
name = "guide"
kind = "prismatic"
body_b = "upper"
at = [0, 1]
axis = [1, 0]
[[joint]]
name = "rub"
kind = "dry_friction"
body_a = "lower"
body_b = "upper"
against = "sliding"
axis = [1, 0]
coulomb = 1
{what}
[simulation]
t_end = 3
"#
        )
    };
    let event = |kind: &str| {
        format!("[[event]]\nname = \"e\"\nkind = \"{kind}\"\nwhen = \"t > 1\"\njoint = \"rail\"")
    };
    let drive = "[[joint]]\nname = \"drive\"\nkind = \"drive\"\nquantity = \"displacement\"\nbody_b = \"lower\"\n\
                 axis = [1, 0]\nvalue = \"max(t - 1, 0)\"";
    for (source, ends) in [
        (model(0.0, drive), [2.0, 1.5]),
        (model(1.0, &event("lock")), [1.0, 1.5]),
        (model(1.0, &event("reverse")), [0.5, 1.5]),
    ] {
        let document = text::read(&source).unwrap_or_else(|e| panic!("{e:?}"));
        for method in METHODS {
            for coordinates in COORDINATES {
                let run = run(&document, method, coordinates);
                let what = format!("{method} {coordinates} {ends:?}");
                assert_eq!(run.verdict, Verdict::Converged, "{what}: {:?}", run.doubts);
                let names = ["lower.x", "upper.x"];
                for (name, end) in names.iter().zip(ends) {
                    let x = *run.channel(name).unwrap().last().unwrap();
                    assert!((x - end).abs() < 1e-6, "{what}: {name} ends at {x}");
                }
            }
        }
    }
}
