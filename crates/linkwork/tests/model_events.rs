//! Events of model text: what `[[event]]` does, where, and what is refused.

use linkwork::Ending;
use linkwork::mbs::text;
use linkwork::options::Outputs;
use linkwork::{Note, Options, Run, Simulation};

/// A cart that is pushed with 2 N against a spring, from rest: `x = 0.2 (1 - cos(w t))`, `w^2 = 10/2`.
const CART: &str = r#"
[[body]]
name = "cart"
mass = 2
inertia = 1
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "cart"
axis = [1, 0]
[[control]]
name = "push"
kind = "input"
value = 2
[[force]]
name = "spring"
kind = "spring_damper"
point_a = [-5, 0]
body_b = "cart"
stiffness = 10
free_length = 5
[[force]]
name = "motor"
kind = "force"
body_b = "cart"
x = "push"
[simulation]
t_end = 3
"#;

const W: f64 = 2.236_067_977_499_79;

fn run(events: &str, method: &str, coordinates: &str) -> Run {
    let text = CART.replace("[simulation]", &format!("{events}\n[simulation]"));
    let document = text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
    // what is written is what was read
    let again = text::read(&text::write(&document.model)).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(again.model.events, document.model.events);
    let options = Options::new()
        .coordinates(coordinates)
        .method(method)
        .rtol(1e-8);
    let mut simulation = Simulation::from_document_with(&document, options).unwrap();
    let run = simulation.run().unwrap();
    assert!(run.failure().is_none(), "{:?}", run.failure());
    run
}

fn everywhere(events: &str, check: impl Fn(&Run, &str)) {
    for method in ["bdf", "dop853", "adams", "rosenbrock"] {
        for coordinates in ["absolute", "joint"] {
            let run = run(events, method, coordinates);
            check(&run, &format!("{method} {coordinates}"));
        }
    }
}

fn happened(run: &Run, name: &str) -> Vec<f64> {
    let own = run
        .events
        .happenings
        .iter()
        .filter(|h| h.name.contains(name));
    own.map(|h| h.t).collect()
}

fn close(got: f64, want: f64, bound: f64, what: &str) {
    assert!(
        (got - want).abs() <= bound,
        "{what}: {got} instead of {want}"
    );
}

/// Time at which the cart first passes a place.
fn passes(x: f64) -> f64 {
    (1.0 - x / 0.2).acos() / W
}

#[test]
fn a_run_stops_with_a_row() {
    let event = "[[event]]\nname = \"end\"\nkind = \"stop\"\nwhen = \"cart.x > 0.3\"\n";
    everywhere(event, |run, what| {
        assert_eq!(run.ending, Ending::Finished, "{what}");
        let said = |n: &Note| n.to_string().contains("event `end` ended the run");
        assert!(run.notes.iter().any(said), "{what}: {:?}", run.notes);
        close(run.t_last, passes(0.3), 1e-6, what);
        close(
            *run.channel("cart.x").unwrap().last().unwrap(),
            0.3,
            1e-9,
            what,
        );
        close(*run.times().last().unwrap(), passes(0.3), 1e-6, what);
    });
}

#[test]
fn rows_are_written_where_something_becomes_true() {
    let event = "[[event]]\nname = \"mark\"\nkind = \"row\"\nwhen = \"0.25 < cart.x\"\n";
    everywhere(event, |run, what| {
        let times = happened(run, "mark");
        // rises once in every period of 2.81 s
        assert_eq!(times.len(), 1, "{what}: {times:?}");
        close(times[0], passes(0.25), 1e-6, what);
        assert!(run.times().contains(&times[0]), "{what}");
        assert_eq!(run.stats.restarts, 0, "{what}");
    });
}

/// Without the push from where it is fastest on: the spring alone, about 0.
#[test]
fn an_input_is_set() {
    let event = "[[event]]\nname = \"off\"\nkind = \"set\"\nwhen = \"cart.x > 0.2\"\ninput = \"push\"\nvalue = 0\n";
    everywhere(event, |run, what| {
        let t = passes(0.2);
        let off = happened(run, "off");
        close(off[0], t, 1e-6, what);
        // x = 0.2 cos(w s) + 0.2 sin(w s)
        let s = W * (3.0 - t);
        let expected = 0.2 * (s.cos() + s.sin());
        close(
            *run.channel("cart.x").unwrap().last().unwrap(),
            expected,
            2e-5,
            what,
        );
    });
}

/// The same with a parameter: formulas of forces follow it, and what is one number refuses it.
#[test]
fn a_parameter_is_set() {
    let event = "[[event]]\nname = \"off\"\nkind = \"set\"\nwhen = \"cart.x > 0.2\"\ninput = \"pull\"\nvalue = 0\n";
    let given = "[parameters]\npull = \"1 N\"\nextra = \"1 N\"\n";
    let text = CART.replace("x = \"push\"", "x = \"pull + pull\"");
    let text = format!(
        "{given}{}",
        text.replace("[simulation]", &format!("{event}[simulation]"))
    );
    let document = text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
    let again = text::read(&text::write(&document.model)).unwrap_or_else(|e| panic!("{e:?}"));
    for document in [&document, &again] {
        let options = Options::new().rtol(1e-8).t_end(3.0);
        let run = Simulation::from_document_with(document, options)
            .unwrap()
            .run()
            .unwrap();
        let t = passes(0.2);
        close(happened(&run, "off")[0], t, 1e-6, "off");
        let s = W * (3.0 - t);
        let end = *run.channel("cart.x").unwrap().last().unwrap();
        close(end, 0.2 * (s.cos() + s.sin()), 2e-5, "end");
    }
    let set = text::read_with(&text, &["pull=0.4"]).unwrap_or_else(|e| panic!("{e:?}"));
    let run = Simulation::from_document(&set).unwrap().run().unwrap();
    assert!(happened(&run, "off").is_empty());
    for (from, to) in [
        ("mass = 2", "mass = \"pull\""),
        ("extra = \"1 N\"", "extra = \"2*pull\""),
    ] {
        let errors = text::read(&text.replace(from, to))
            .err()
            .unwrap_or_else(|| panic!("{to}"));
        let told = errors
            .iter()
            .any(|e| e.label.contains("event `off` sets it"));
        assert!(told, "{errors:?}");
    }
}

/// Off its rail the cart falls.
#[test]
fn a_joint_lets_go() {
    let text = CART.replace("[[body]]", "[model]\ngravity = [0, -9.81]\n[[body]]");
    let event =
        "[[event]]\nname = \"off\"\nkind = \"release\"\nwhen = \"t > 1\"\njoint = \"rail\"\n";
    let text = text.replace("[simulation]", &format!("{event}\n[simulation]"));
    let text = text.replace("stiffness = 10", "stiffness = 1e-9");
    for method in ["bdf", "gen-alpha", "dop853", "rosenbrock"] {
        for coordinates in ["absolute", "joint"] {
            let document = text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
            let options = Options::new()
                .coordinates(coordinates)
                .method(method)
                .rtol(1e-8);
            let run = Simulation::from_document_with(&document, options)
                .unwrap()
                .run()
                .unwrap();
            let what = format!("{method} {coordinates}");
            assert!(run.failure().is_none(), "{what}: {:?}", run.failure());
            let (x, y) = (
                run.channel("cart.x").unwrap(),
                run.channel("cart.y").unwrap(),
            );
            close(*x.last().unwrap(), 4.5, 1e-5, &what);
            close(*y.last().unwrap(), -9.81 * 2.0, 1e-4, &what);
            close(
                *run.channel("rail.reaction.y").unwrap().last().unwrap(),
                0.0,
                0.0,
                &what,
            );
        }
    }
}

/// A brake of 8 N that takes hold at 0.1 m: `x'' = 1 - 4` stops the cart, and it stays.
#[test]
fn a_brake_takes_hold() {
    let brake = "[[joint]]\nname = \"brake\"\nkind = \"dry_friction\"\nagainst = \"sliding\"\nbody_b = \"cart\"\n\
                 axis = [1, 0]\ncoulomb = 8\n\
                 [[event]]\nname = \"hold\"\nkind = \"lock\"\nwhen = \"cart.x > 0.1\"\njoint = \"brake\"\n";
    for method in ["bdf", "gen-alpha", "dop853"] {
        for coordinates in ["absolute", "joint"] {
            let run = run(brake, method, coordinates);
            let what = format!("{method} {coordinates}");
            close(happened(&run, "hold")[0], passes(0.1), 1e-4, &what);
            let (x, v) = (
                run.channel("cart.x").unwrap(),
                run.channel("cart.x.velocity").unwrap(),
            );
            // 2 (x1 - x0) m a with the spring: energy is what friction takes: 5 x^2 + 6 x = v0^2 + 0.65
            let v0 = 0.2 * W * (W * passes(0.1)).sin();
            let stop = (-6.0 + (36.0 + 20.0 * (v0 * v0 + 0.65)).sqrt()) / 10.0;
            close(*x.last().unwrap(), stop, 1e-5, &what);
            close(*v.last().unwrap(), 0.0, 1e-12, &what);
        }
    }
}

#[test]
fn mistakes_are_named() {
    for (event, says) in [
        ("kind = \"stop\"\nwhen = \"cart.x\"", "> or < is missing"),
        ("kind = \"stop\"\nwhen = \"crt.x > 1\"", "crt.x"),
        (
            "kind = \"set\"\nwhen = \"t > 1\"\ninput = \"pull\"\nvalue = 1",
            "pull",
        ),
        (
            "kind = \"reverse\"\nwhen = \"t > 1\"\njoint = \"rail\"\nrestitution = 2",
            "between 0 and 1",
        ),
        (
            "kind = \"release\"\nwhen = \"t > 1\"\njoint = \"nail\"",
            "nail",
        ),
        (
            "kind = \"release\"\nwhen = \"t > 1\"\njoint = \"rai\"",
            "did you mean `rail`?",
        ),
        (
            "kind = \"set\"\nwhen = \"t > 1\"\ninput = \"pusch\"\nvalue = 1",
            "did you mean `push`?",
        ),
        ("kind = \"go\"\nwhen = \"t > 1\"", "go"),
    ] {
        let text = CART.replace(
            "[simulation]",
            &format!("[[event]]\nname = \"e\"\n{event}\n[simulation]"),
        );
        let errors = text::read(&text).err().unwrap_or_else(|| panic!("{event}"));
        let help = errors.iter().filter_map(|e| e.help.clone());
        let all: Vec<String> = (errors.iter().map(|e| e.message.clone()))
            .chain(help)
            .collect();
        assert!(all.iter().any(|m| m.contains(says)), "{event}: {all:?}");
    }
    // a rod turns about both of its ends: there is nothing to lock
    for kind in ["lock", "reverse"] {
        let rod =
            "[[joint]]\nname = \"rod\"\nkind = \"distance\"\npoint_a = [0, 1]\nbody_b = \"cart\"\n";
        let event = format!(
            "{rod}[[event]]\nname = \"e\"\nkind = \"{kind}\"\nwhen = \"t > 1\"\njoint = \"rod\"\n"
        );
        let text = CART.replace("[simulation]", &format!("{event}[simulation]"));
        let errors = text::read(&text).err().unwrap_or_else(|| panic!("{event}"));
        let all: Vec<String> = errors.iter().map(|e| e.message.clone()).collect();
        assert!(all.iter().any(|m| m.contains("cannot be")), "{all:?}");
    }
}

/// The cart is locked where it passes 0.1 m and stands until it is let go again; then it swings about 0.2 m from
/// rest there.
#[test]
fn a_slide_is_locked_and_let_go() {
    let events = "[[event]]\nname = \"hold\"\nkind = \"lock\"\nwhen = \"cart.x > 0.1\"\njoint = \"rail\"\n\
                  [[event]]\nname = \"off\"\nkind = \"release\"\nwhen = \"t > 1.5\"\njoint = \"rail\"\n";
    for method in ["bdf", "gen-alpha", "dop853", "adams"] {
        for coordinates in ["absolute", "joint"] {
            let run = run(events, method, coordinates);
            let what = format!("{method} {coordinates}");
            let held = happened(&run, "hold")[0];
            close(held, passes(0.1), 1e-4, &what);
            let (t, x) = (run.times(), run.channel("cart.x").unwrap());
            let stands = t.iter().zip(x).filter(|(t, _)| **t > held && **t < 1.5);
            assert!(stands.clone().count() > 2, "{what}");
            for (t, x) in stands {
                close(*x, 0.1, 1e-6, &format!("{what} at {t}"));
            }
            let expected = 0.2 - 0.1 * (W * 1.5).cos();
            close(*x.last().unwrap(), expected, 1e-4, &what);
        }
    }
}

/// A hinge is locked: the pendulum stands at 30 degrees below where it began, and its brake bears its weight.
#[test]
fn a_hinge_is_locked() {
    let text = r#"
[model]
gravity = [0, -9.81]
[[body]]
name = "arm"
mass = 2
inertia = 0.1
position = [0.5, 0]
[[joint]]
name = "pin"
kind = "revolute"
body_b = "arm"
at = [0, 0]
[[event]]
name = "hold"
kind = "lock"
when = "arm.angle < -pi/6"
joint = "pin"
[simulation]
t_end = 1
"#;
    for planar in [true, false] {
        let text = match planar {
            true => text.to_string(),
            false => text
                .replace(
                    "gravity = [0, -9.81]",
                    "planar = false\ngravity = [0, -9.81, 0]",
                )
                .replace("position = [0.5, 0]", "position = [0.5, 0, 0]")
                .replace("inertia = 0.1", "inertia = [0.1, 0.1, 0.1]")
                .replace("at = [0, 0]", "at = [0, 0, 0]\naxis = [0, 0, 1]")
                .replace("arm.angle < -pi/6", "arm.y < -0.25"),
        };
        let document = text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
        for method in ["bdf", "dop853"] {
            for coordinates in ["absolute", "joint"] {
                let options = Options::new().coordinates(coordinates).method(method);
                let simulation = Simulation::from_document_with(&document, options.rtol(1e-8));
                let run = simulation.unwrap().run().unwrap();
                let what = format!("{method} {coordinates} {planar}");
                assert!(run.failure().is_none(), "{what}: {:?}", run.failure());
                // it stops by an impulse, which takes what it had fallen for
                assert!(run.doubts.is_empty(), "{what}: {:?}", run.doubts);
                let energy = run.energy.as_ref().unwrap();
                close(energy.impacts, 2.0 * 9.81 * 0.25, 1e-5, &what);
                let end = |name: &str| *run.channel(name).unwrap().last().unwrap();
                close(end("arm.y"), -0.25, 1e-6, &what);
                close(end("arm.y.velocity"), 0.0, 1e-9, &what);
                let torque = if planar {
                    "pin.lock.reaction.torque"
                } else {
                    "pin.lock.reaction.torque.z"
                };
                // 2 kg at 0.5 cos(30 deg)
                close(
                    end(torque).abs(),
                    2.0 * 9.81 * 0.5 * (0.75f64).sqrt(),
                    1e-4,
                    &what,
                );
            }
        }
    }
}

/// A rod that turns evenly comes off its pin and goes on straight. Methods that integrate the angle alone take steps over which
/// nothing but dense output tells where the rod is.
#[test]
fn a_rod_comes_off_its_pin() {
    let (turns, speed) = (1.7_f64, 2.0);
    let text = r#"
[model]
gravity = [0, 0]
[[body]]
name = "rod"
mass = 1
inertia = 0.3
position = [0.6, 0]
velocity = [0, 1.2]
angular_velocity = 2
[[joint]]
name = "pin"
kind = "revolute"
body_b = "rod"
at = [0, 0]
[[event]]
name = "snap"
kind = "release"
when = "rod.angle > 1.7"
joint = "pin"
[simulation]
t_end = 1.5
"#;
    let document = text::read(text).unwrap_or_else(|e| panic!("{e:?}"));
    let (sin, cos) = turns.sin_cos();
    let goes = speed * 1.5 - turns;
    let exact = [0.6 * (cos - sin * goes), 0.6 * (sin + cos * goes)];
    for (method, formulation) in [
        ("rosenbrock", None),
        ("w", None),
        ("dop853", None),
        ("dop853", Some("state-space")),
        ("dopri5", Some("state-space")),
        ("adams", Some("state-space")),
        ("bdf", None),
    ] {
        for coordinates in ["absolute", "joint"] {
            let options = Options {
                formulation: formulation.map(str::to_string),
                ..(Options::new().coordinates(coordinates)).method(method)
            };
            let simulation = Simulation::from_document_with(&document, options.rtol(1e-6));
            let run = simulation.unwrap().run().unwrap();
            let what = format!("{method} {formulation:?} {coordinates}");
            close(happened(&run, "snap")[0], turns / speed, 1e-5, &what);
            for (name, x) in ["rod.x", "rod.y"].into_iter().zip(exact) {
                close(*run.channel(name).unwrap().last().unwrap(), x, 2e-5, &what);
            }
            // and on the way: a circle
            let [x, y] = ["rod.x", "rod.y"].map(|name| run.channel(name).unwrap());
            for ((t, x), y) in run.times().iter().zip(x).zip(y) {
                let angle = (speed * t).min(turns);
                let off = (speed * t - angle).max(0.0);
                let [sin, cos] = [angle.sin(), angle.cos()];
                let what = format!("{what} at {t}");
                close(*x, 0.6 * (cos - sin * off), 2e-5, &what);
                close(*y, 0.6 * (sin + cos * off), 2e-5, &what);
            }
        }
    }
}

/// Knocked back at 0.3 m with half its speed: the energy of its motion falls to a quarter.
#[test]
fn a_slide_is_knocked_back() {
    let event = "[[event]]\nname = \"knock\"\nkind = \"reverse\"\nwhen = \"cart.x > 0.3\"\njoint = \"rail\"\n\
                 restitution = 0.5\n";
    for method in ["bdf", "gen-alpha", "dop853", "adams"] {
        for coordinates in ["absolute", "joint"] {
            let run = run(event, method, coordinates);
            let what = format!("{method} {coordinates}");
            let t = passes(0.3);
            close(happened(&run, "knock")[0], t, 1e-4, &what);
            // x - 0.2 = 0.1 cos(w s) - B sin(w s)
            let v = 0.2 * W * (W * t).sin();
            let s = W * (3.0 - t);
            let expected = 0.2 + 0.1 * s.cos() - 0.5 * v / W * s.sin();
            close(
                *run.channel("cart.x").unwrap().last().unwrap(),
                expected,
                1e-4,
                &what,
            );
            let energy = run.energy.unwrap();
            close(energy.impacts, 0.75 * v * v, 1e-5, &what);
            assert!(
                energy.imbalance().abs() < 1e-4 * energy.exchanged,
                "{what}: {energy:?}"
            );
        }
    }
}

/// A stop that is not there before it is locked, and a rope that is cut.
#[test]
fn contacts_come_and_go() {
    let stop = "[[joint]]\nname = \"stop\"\nkind = \"limit\"\nquantity = \"displacement\"\nbody_b = \"cart\"\n\
                axis = [1, 0]\nupper = 0.35\nrestitution = 1\n";
    let lock = "[[event]]\nname = \"on\"\nkind = \"lock\"\nwhen = \"t > 2\"\njoint = \"stop\"\n";
    let let_go =
        "[[event]]\nname = \"off\"\nkind = \"release\"\nwhen = \"t > 1\"\njoint = \"stop\"\n";
    for method in ["bdf", "dop853"] {
        for coordinates in ["absolute", "joint"] {
            let what = format!("{method} {coordinates}");
            let off = run(&format!("{stop}{let_go}"), method, coordinates);
            // it would be met at 1.18 s
            assert!(happened(&off, "stop").is_empty(), "{what}");
            let largest = off
                .channel("cart.x")
                .unwrap()
                .iter()
                .fold(0.0, |m: f64, x| m.max(*x));
            assert!(largest > 0.399, "{what}: {largest}");
            let on = run(&format!("{stop}{lock}"), method, coordinates).t_last;
            close(on, 3.0, 1e-12, &what);
        }
    }
}

/// What happened is in the account: as a list in JSON, as rows of both sides in the table, and jumps that nobody declared
/// in words.
#[test]
fn events_are_in_the_account() {
    let event = "[[event]]\nname = \"off\"\nkind = \"set\"\nwhen = \"cart.x > 0.2\"\ninput = \"push\"\nvalue = 0\n";
    let text = CART.replace("[simulation]", &format!("{event}\n[simulation]"));
    let document = text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
    for method in ["bdf", "gen-alpha", "dop853", "adams", "rosenbrock"] {
        let what = method;
        let options = Options {
            outputs: Some(Outputs::Steps),
            ..Options::new().method(method).rtol(1e-8)
        };
        let mut simulation = Simulation::from_document_with(&document, options).unwrap();
        let run = &simulation.run().unwrap();
        let summary = linkwork::summary::Summary::new(run, &[]);
        let json = serde_json::to_value(&summary).unwrap();
        let listed = json["events"].as_array().unwrap();
        assert_eq!(json["stats"]["events"], listed.len(), "{what}");
        assert_eq!(listed.len(), run.events.happenings.len(), "{what}");
        let off = (listed.iter()).find(|e| e["name"].as_str().unwrap().contains("off"));
        let off = off.unwrap_or_else(|| panic!("{what}: {json}"));
        assert_eq!(off["kind"], "rises", "{what}");
        assert_eq!(off["after"], "forces jump", "{what}");
        let t = off["t"].as_f64().unwrap();
        close(t, passes(0.2), 1e-4, what);
        // the force of the input is gone on the other side
        let rows: Vec<usize> = (0..run.times().len())
            .filter(|&i| run.times()[i] == t)
            .collect();
        assert_eq!(rows.len(), 2, "{what}");
        let a = run.channel("cart.x.acceleration").unwrap();
        close(a[rows[0]] - a[rows[1]], 1.0, 1e-6, what);
    }
}

/// A slide that a drive moves cannot stand still, whoever takes the run there, and no other method can go on from it.
#[test]
fn a_driven_slide_is_not_locked() {
    let drive = "[[joint]]\nname = \"drive\"\nkind = \"drive\"\nquantity = \"displacement\"\n\
                 body_b = \"cart\"\naxis = [1, 0]\nvalue = \"0.5*t^2\"\n";
    let lock =
        "[[event]]\nname = \"stuck\"\nkind = \"lock\"\njoint = \"rail\"\nwhen = \"cart.x > 0.5\"\n";
    let text = CART.replace("[simulation]", &format!("{drive}{lock}[simulation]"));
    let document = text::read(&text).unwrap();
    for method in ["bdf", "gen-alpha", "rosenbrock", "dop853", "radau", "auto"] {
        for coordinates in ["absolute", "joint"] {
            let options = Options::new().coordinates(coordinates).method(method);
            let mut simulation = Simulation::from_document_with(&document, options).unwrap();
            let run = simulation.run().unwrap();
            let what = format!("{method} {coordinates}");
            let failure = run.failure().unwrap_or_else(|| panic!("{what} went on"));
            let said = "what event `stuck` leads to contradicts the rest of the model";
            assert!(failure.cause.contains(said), "{what}: {}", failure.cause);
            close(failure.t, 1.0, 1e-6, &what);
            // the last row is where it happened
            close(
                *run.channel("cart.x").unwrap().last().unwrap(),
                0.5,
                1e-9,
                &what,
            );
        }
    }
}
