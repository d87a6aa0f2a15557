//! Runs with joints that pass motions on: screws, gears, racks, couplings, cams, tables of time.

use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation, Verdict};

/// Runs a model in space to `t_end`.
fn run(parts: &str, t_end: f64) -> Run {
    let text = format!(
        "[model]\nname = \"m\"\nplanar = false\ngravity = [0, 0, -9.81]\n{parts}\n[simulation]\nt_end = {t_end}\nrtol = 1e-9\n"
    );
    run_text(&text)
}

fn run_text(text: &str) -> Run {
    let document = text::read(text).unwrap_or_else(|e| panic!("{e:#?}"));
    let options = Options::read(document.simulation.fields()).unwrap();
    // steps of high order stumble over the third derivatives of tables
    let run = Simulation::from_document(&document)
        .unwrap()
        .options(options.method("bdf"))
        .run()
        .unwrap();
    let what = format!("{:?} {:?}", run.doubts, run.ending);
    assert_eq!(run.verdict, Verdict::Converged, "{what}");
    run
}

fn body(name: &str, inertia: &str, position: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = {inertia}\nposition = {position}\n")
}

fn joint(name: &str, kind: &str, bodies: [&str; 2], keys: &str) -> String {
    let [a, b] = bodies;
    format!(
        "[[joint]]\nname = \"{name}\"\nkind = \"{kind}\"\nbody_a = \"{a}\"\nbody_b = \"{b}\"\n{keys}\n"
    )
}

fn angle(name: &str, body: &str, axis: &str) -> String {
    format!("[[sensor]]\nname = \"{name}\"\nkind = \"angle\"\nbody_b = \"{body}\"\naxis = {axis}\n")
}

fn channel<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.channel(name).unwrap_or_else(|| panic!("{name}"))
}

/// Compares a channel with a function of time at all rows.
fn follows(run: &Run, name: &str, bound: f64, want: impl Fn(f64) -> f64) {
    for (t, x) in run.times().iter().zip(channel(run, name)) {
        let want = want(*t);
        assert!((x - want).abs() < bound, "{name} at {t}: {x}, not {want}");
    }
}

/// A nut slides down a smooth upright spindle for more than five turns: it falls with
/// `g / (1 + J (2 pi / pitch)^2 / m)` and turns by a whole turn per pitch.
#[test]
fn a_nut_falls_along_its_thread() {
    let pitch = 0.05;
    let parts = [
        body("nut", "0.01", "[0, 0, 0]"),
        joint(
            "thread",
            "screw",
            ["ground", "nut"],
            "at = [0, 0, 0]\naxis = [0, 0, 1]\npitch = 0.05",
        ),
        angle("turn", "nut", "[0, 0, 1]"),
    ];
    let r = run(&parts.concat(), 3.0);
    let per_length = std::f64::consts::TAU / pitch;
    let fall = 9.81 / (1.0 + 0.01 * per_length * per_length);
    follows(&r, "nut.z", 1e-8, |t| -0.5 * fall * t * t);
    follows(&r, "turn", 1e-6, |t| -0.5 * fall * t * t * per_length);
    assert!(channel(&r, "turn").last().unwrap() < &(-5.0 * std::f64::consts::TAU));
}

/// Sun (radius 1) drives a planet (0.5) inside a ring (2) that rests: the carrier turns with a third
/// of the speed of the sun, the planet against its sense; almost five turns of the sun.
#[test]
fn a_planetary_gear_obeys_willis() {
    let z = "[0, 0, 1]";
    let pin = |at: &str| format!("at = {at}\naxis = {z}");
    let wheels = |ratio: f64, keys: &str| format!("ratio = {ratio}\naxis = {z}\n{keys}");
    let centres = "at_a = [0, 0, 0]\nat_b = [1.5, 0, 0]";
    let parts = [
        body("sun", "0.2", "[0, 0, 0]"),
        body("carrier", "0.2", "[0, 0, 0]"),
        body("planet", "0.1", "[1.5, 0, 0]"),
        joint("shaft", "revolute", ["ground", "sun"], &pin("[0, 0, 0]")),
        joint("arm", "revolute", ["ground", "carrier"], &pin("[0, 0, 0]")),
        joint(
            "pin",
            "revolute",
            ["carrier", "planet"],
            &pin("[1.5, 0, 0]"),
        ),
        joint("inner", "gear", ["sun", "planet"], &wheels(-2.0, centres)),
        joint("outer", "gear", ["ground", "planet"], &wheels(4.0, centres)),
        joint(
            "motor",
            "drive",
            ["ground", "sun"],
            &format!("axis = {z}\nvalue = \"10*t\""),
        ),
        angle("carried", "carrier", z),
        angle("turned", "planet", z),
    ];
    let r = run(&parts.concat(), 3.0);
    let third = 10.0 / 3.0;
    follows(&r, "carried", 1e-6, |t| third * t);
    // against the carrier -2 (10 - third)
    follows(&r, "turned", 1e-6, |t| (third - 2.0 * (10.0 - third)) * t);
}

/// Bevel wheels, two to one, over three turns.
#[test]
fn bevel_wheels_turn_in_their_ratio() {
    let parts = [
        body("a", "0.2", "[0, 0, 0]"),
        body("b", "0.1", "[0, 0, 0]"),
        joint(
            "ja",
            "revolute",
            ["ground", "a"],
            "at = [0, 0, 0]\naxis = [1, 0, 0]",
        ),
        joint(
            "jb",
            "revolute",
            ["ground", "b"],
            "at = [0, 0, 0]\naxis = [0, 1, 1]",
        ),
        joint(
            "mesh",
            "gear",
            ["a", "b"],
            "mesh = \"crossed\"\naxis = [1, 0, 0]\nsecond_axis = [0, 1, 1]\nratio = 2",
        ),
        joint(
            "motor",
            "drive",
            ["ground", "a"],
            "axis = [1, 0, 0]\nvalue = \"10*t\"",
        ),
        angle("turned", "b", "[0, 1, 1]"),
    ];
    let r = run(&parts.concat(), 1.9);
    follows(&r, "turned", 1e-6, |t| 20.0 * t);
}

/// A torque of 0.3 N m turns a pinion, which pushes its rack: `theta'' = T / (J + m r^2)`.
#[test]
fn a_pinion_pushes_its_rack() {
    let parts = [
        body("pinion", "0.02", "[0, 0, 0.1]"),
        body("rack", "0.1", "[0, 0, 0]"),
        joint(
            "bearing",
            "revolute",
            ["ground", "pinion"],
            "at = [0, 0, 0.1]\naxis = [0, 1, 0]",
        ),
        joint(
            "guide",
            "prismatic",
            ["ground", "rack"],
            "at = [0, 0, 0]\naxis = [1, 0, 0]",
        ),
        joint(
            "mesh",
            "rack_pinion",
            ["rack", "pinion"],
            "at = [0, 0, 0.1]\naxis = [0, 1, 0]\nrack = [1, 0, 0]\nradius = 0.1",
        ),
        "[[force]]\nname = \"motor\"\nkind = \"torque\"\nbody_b = \"pinion\"\naxis = [0, 1, 0]\ntorque = 0.3\n".into(),
        angle("turned", "pinion", "[0, 1, 0]"),
    ];
    let r = run(&parts.concat(), 2.0);
    let rate = 0.3 / (0.02 + 0.01);
    follows(&r, "turned", 1e-6, |t| 0.5 * rate * t * t);
    follows(&r, "rack.x", 1e-7, |t| -0.1 * 0.5 * rate * t * t);
}

/// Shafts bent by 40 degrees: the speed behind the joint is that before it, where a Cardan joint
/// would swing between 7.7 and 13.1 rad/s.
#[test]
fn a_constant_velocity_joint_is_even_at_a_bend() {
    let bend = 40.0_f64.to_radians();
    let (s, c) = bend.sin_cos();
    let shaft = format!("[{c}, {s}, 0]");
    let half = format!("[{}, {}, 0]", 0.5 * c, 0.5 * s);
    let parts = [
        body("a", "0.02", "[-0.5, 0, 0]"),
        body("b", "0.02", &half),
        joint(
            "bearing",
            "revolute",
            ["ground", "a"],
            "at = [-0.5, 0, 0]\naxis = [1, 0, 0]",
        ),
        joint(
            "ball",
            "constant_velocity",
            ["a", "b"],
            &format!("at = [0, 0, 0]\naxis = [1, 0, 0]\nsecond_axis = {shaft}"),
        ),
        joint(
            "end",
            "point_on_line",
            ["ground", "b"],
            &format!("at = {shaft}\naxis = {shaft}"),
        ),
        joint(
            "motor",
            "drive",
            ["ground", "a"],
            "axis = [1, 0, 0]\nvalue = \"10*t\"",
        ),
        angle("turned", "b", &shaft),
    ];
    let r = run(&parts.concat(), 2.0);
    follows(&r, "turned", 1e-6, |t| 10.0 * t);
    follows(&r, "turned.velocity", 1e-5, |_| 10.0);
}

/// An eccentric lifts a flat tappet by `radius + off sin(angle)`.
#[test]
fn an_eccentric_lifts_its_tappet() {
    let parts = [
        body("cam", "0.02", "[0, 0, 0]"),
        body("tappet", "0.02", "[0, 0, 0.04]"),
        joint(
            "bearing",
            "revolute",
            ["ground", "cam"],
            "at = [0, 0, 0]\naxis = [0, -1, 0]",
        ),
        joint(
            "guide",
            "prismatic",
            ["ground", "tappet"],
            "at = [0, 0, 0.04]\naxis = [0, 0, 1]",
        ),
        joint(
            "face",
            "cam",
            ["cam", "tappet"],
            "follower = \"flat\"\nface = [0, 0, 1]\naxis = [0, -1, 0]\nnormal_a = [0, 0, 1]\nprofile = \"0.03 + 0.01*cos(angle)\"",
        ),
        joint(
            "motor",
            "drive",
            ["ground", "cam"],
            "axis = [0, -1, 0]\nvalue = \"10*t\"",
        ),
    ];
    let r = run(&parts.concat(), 1.5);
    follows(&r, "tappet.z", 1e-8, |t| 0.03 + 0.01 * (10.0 * t).cos());
}

/// The same outline as a table of 24 points round the cam, followed by a tip. With the distance
/// `h` of the points a periodic spline is off by `h^4 f'''' / 384`, 2.4e-7 m, and its curvature by
/// `h^2 f'''' / 12`, which is 0.012 of 1.3 m/s^2, at the seam as elsewhere.
#[test]
fn a_tip_follows_a_table_round_its_cam() {
    let outline = |angle: f64| 0.01 * angle.cos() + (9e-4 - (0.01 * angle.sin()).powi(2)).sqrt();
    let rows: Vec<String> = (0..=24)
        .map(|k| 15.0 * f64::from(k))
        .map(|deg| format!("[\"{deg} deg\", {}]", outline(deg.to_radians())))
        .collect();
    let parts = [
        body("cam", "0.02", "[0, 0, 0]"),
        body("tappet", "0.02", "[0, 0, 0.04]"),
        joint(
            "bearing",
            "revolute",
            ["ground", "cam"],
            "at = [0, 0, 0]\naxis = [0, -1, 0]",
        ),
        joint(
            "guide",
            "prismatic",
            ["ground", "tappet"],
            "at = [0, 0, 0.04]\naxis = [0, 0, 1]",
        ),
        joint(
            "tip",
            "cam",
            ["cam", "tappet"],
            &format!(
                "axis = [0, -1, 0]\nnormal_a = [0, 0, 1]\nprofile = [{}]",
                rows.join(", ")
            ),
        ),
        joint(
            "motor",
            "drive",
            ["ground", "cam"],
            "axis = [0, -1, 0]\nvalue = \"10*t\"",
        ),
    ];
    let r = run(&parts.concat(), 1.9);
    follows(&r, "tappet.z", 5e-7, |t| outline(-10.0 * t));
    let h = 1e-4;
    follows(&r, "tappet.z.acceleration", 2e-2, |t| {
        let at = |t: f64| outline(10.0 * t);
        (at(t + h) - 2.0 * at(t) + at(t - h)) / (h * h)
    });
}

/// A bead on a wire bent to a parabola and a puck on a hump of the same shape swing alike; the wire
/// leads through the point where the table has its knots.
#[test]
fn beads_and_pucks_follow_their_curves() {
    let point = |name: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nkind = \"point\"\nmass = 1\nposition = [0.5, 0, 0.25]\n"
        )
    };
    let parts = [
        point("bead"),
        point("puck"),
        joint(
            "wire",
            "point_on_curve",
            ["ground", "bead"],
            "axis = [1, 0, 0]\nnormal_a = [0, 0, 1]\noffset = \"s^2\"",
        ),
        joint(
            "valley",
            "point_on_surface",
            ["ground", "puck"],
            "axis = [0, 0, 1]\nnormal_a = [1, 0, 0]\nprofile = \"s^2\"",
        ),
    ];
    let r = run(&parts.concat(), 2.0);
    let (x, z) = (channel(&r, "bead.x"), channel(&r, "bead.z"));
    for i in 0..x.len() {
        assert!((z[i] - x[i] * x[i]).abs() < 1e-8);
        assert!((x[i] - channel(&r, "puck.x")[i]).abs() < 1e-6);
    }
    assert!(x.iter().any(|x| *x < -0.3));
}

/// A drive by a table passes through its points, in space and in the plane, and leaves the last
/// with the last slope.
#[test]
fn drives_follow_tables() {
    let table = "[[0, 0], [0.5, 0.4], [1, 0.1], [1.5, -0.2], [2, 0]]";
    let space = [
        body("arm", "0.1", "[0, 0, 0]"),
        joint(
            "hinge",
            "revolute",
            ["ground", "arm"],
            "at = [0, 0, 0]\naxis = [0, 0, 1]",
        ),
        joint(
            "motor",
            "drive",
            ["ground", "arm"],
            &format!("axis = [0, 0, 1]\nvalue = {table}"),
        ),
        angle("turned", "arm", "[0, 0, 1]"),
    ];
    let space = run(&space.concat(), 2.0);
    let plane = [
        "[model]\nname = \"m\"\n".into(),
        body("arm", "0.1", "[0, 0]"),
        joint("hinge", "revolute", ["ground", "arm"], "at = [0, 0]"),
        joint(
            "motor",
            "drive",
            ["ground", "arm"],
            &format!("value = {table}"),
        ),
        "[simulation]\nt_end = 2\nrtol = 1e-9\n".into(),
    ];
    let plane = run_text(&plane.concat());
    for (run, name) in [(&space, "turned"), (&plane, "arm.angle")] {
        for (i, want) in [(0, 0.0), (50, 0.4), (100, 0.1), (150, -0.2), (200, 0.0)] {
            let x = channel(run, name)[i];
            assert!((x - want).abs() < 1e-8, "{name} {i}: {x}");
        }
    }
    let (a, b) = (channel(&space, "turned"), channel(&plane, "arm.angle"));
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-7));
}

/// A unicycle held upright: its wheel turns with 5 rad/s and it yaws with 1 rad/s, so without slip
/// it runs round a circle of radius 1.
#[test]
fn a_wheel_without_slip_runs_in_a_circle() {
    let parts = [
        body("fork", "0.1", "[0, 0, 0.2]"),
        body("wheel", "0.01", "[0, 0, 0.2]"),
        joint(
            "level",
            "planar",
            ["ground", "fork"],
            "at = [0, 0, 0.2]\naxis = [0, 0, 1]",
        ),
        joint(
            "axle",
            "revolute",
            ["fork", "wheel"],
            "at = [0, 0, 0.2]\naxis = [0, 1, 0]",
        ),
        joint(
            "floor",
            "no_slip_wheel",
            ["ground", "wheel"],
            "radius = 0.2\naxis_b = [0, 1, 0]",
        ),
        joint(
            "yaw",
            "drive",
            ["ground", "fork"],
            "axis = [0, 0, 1]\nvalue = \"t\"",
        ),
        joint(
            "motor",
            "drive",
            ["fork", "wheel"],
            "axis = [0, 1, 0]\nvalue = \"5*t\"",
        ),
    ];
    let r = run(&parts.concat(), 3.0);
    follows(&r, "wheel.x", 1e-6, f64::sin);
    follows(&r, "wheel.y", 1e-6, |t| 1.0 - t.cos());
    follows(&r, "fork.y.velocity", 1e-6, f64::sin);
}

/// Wheels in the plane at up to 200 rad/s, whose motion needs no steps: whole turns are not lost in long ones.
#[test]
fn no_turn_is_lost_in_the_plane() {
    let gear = r#"
[[body]]
name = "small"
mass = 1
inertia = 0.5
position = [1, 0]
angular_velocity = -200
[[body]]
name = "large"
mass = 1
inertia = 1
angular_velocity = 100
[[joint]]
name = "at_large"
kind = "revolute"
body_b = "large"
[[joint]]
name = "at_small"
kind = "revolute"
body_b = "small"
at = [1, 0]
[[joint]]
name = "mesh"
kind = "gear"
body_a = "large"
body_b = "small"
ratio = -2
"#;
    let rack = r#"
[[body]]
name = "pinion"
mass = 1
inertia = 0.1
velocity = [10, 0]
angular_velocity = -100
[[joint]]
name = "mesh"
kind = "rack_pinion"
body_b = "pinion"
radius = -0.1
rack = [1, 0]
[[sensor]]
name = "turn"
kind = "angle"
body_b = "pinion"
"#;
    for (parts, ends) in [
        (gear, [("large.angle", 1000.0), ("small.angle", -2000.0)]),
        (rack, [("pinion.x", 100.0), ("turn", -1000.0)]),
    ] {
        let document = text::read(&format!("{parts}[simulation]\nt_end = 10\n")).unwrap();
        for method in [
            "auto",
            "bdf",
            "gen-alpha",
            "rosenbrock",
            "dop853",
            "adams",
            "radau",
        ] {
            for (coordinates, rtol) in [("absolute", 1e-3), ("absolute", 1e-6), ("joint", 1e-3)] {
                let options = Options::new()
                    .coordinates(coordinates)
                    .method(method)
                    .rtol(rtol);
                let mut simulation = Simulation::from_document_with(&document, options).unwrap();
                let run = simulation.run().unwrap();
                let what = format!("{method} {coordinates} {rtol:.0e}");
                assert_eq!(run.verdict, Verdict::Converged, "{what}: {:?}", run.doubts);
                for (name, end) in ends {
                    let last = *channel(&run, name).last().unwrap();
                    assert!(
                        (last - end).abs() < 1e-6 * end.abs(),
                        "{what}: {name} = {last}"
                    );
                }
            }
        }
    }
}
