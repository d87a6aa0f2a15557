//! Curves over a coordinate: outlines, wires and tables that are flat for long and change within little. Nobody limits
//! the steps, and none leaps over them.

mod runs;

use linkwork::Options;
use runs::{fine, last, on_a_rail, on_a_tyre, pulled, pushed, read, run};

const METHODS: [&str; 12] = [
    "bdf",
    "radau",
    "gen-alpha",
    "hht",
    "newmark",
    "dopri5",
    "dop853",
    "adams",
    "rock4",
    "rkc2",
    "rosenbrock",
    "w",
];

/// Ends where a run with steps so short that they see everything does, to a share of what the curve does; `without`:
/// where it would end if the curve were not seen. What methods of low order add up by themselves is much here.
fn is_seen(what: &str, text: &str, channel: &str, without: f64, max_step: f64) {
    let document = read(text);
    let fine = last(&fine(&document, max_step), channel);
    assert!((fine - without).abs() > 0.02, "{what}: {fine} or {without}");
    let mut bad = Vec::new();
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            let cases = match method {
                // what is off here is what they add up by themselves
                "gen-alpha" | "hht" | "newmark" => vec![(1e-6, 0.1)],
                // their estimates are of order 1
                "rkc2" | "w" => vec![(1e-4, 0.3)],
                _ => vec![(1e-3, 0.3), (1e-6, 1e-3)],
            };
            for (rtol, share) in cases {
                let mut options = Options::new().method(method).coordinates(coordinates);
                if method == "newmark" {
                    options.formulation = Some("ggl".into());
                }
                let run = run(&document, options.rtol(rtol));
                let off = last(&run, channel) - fine;
                let steps = run.stats.steps;
                println!(
                    "{what} {method} {coordinates} {rtol:.0e}: {off:.1e} of {:.1e}, {steps} steps",
                    fine - without
                );
                if run.failure().is_some() || !(off.abs() < share * (fine - without).abs()) {
                    bad.push(format!(
                        "{what}, {method}, {coordinates}, {rtol:.0e}: {off:.1e} {:?}",
                        run.failure()
                    ));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// A table that is flat but for a bump of a tenth of its length or less.
fn bump(from: f64, width: f64, height: f64, to: f64) -> String {
    let mut points = vec![[from - 9.0, 0.0], [from - width, 0.0]];
    for k in 0..=8 {
        let u = f64::from(k) / 8.0;
        let y = height * (1.0 - (2.0 * std::f64::consts::PI * u).cos()) / 2.0;
        points.push([from + width * u, y]);
    }
    points.push([from + 2.0 * width, 0.0]);
    points.push([to, 0.0]);
    format!("{points:?}")
}

/// A bead on a wire goes on with the same speed along it: the bump makes its way longer.
#[test]
fn a_bead_on_a_bent_wire() {
    let text = format!(
        r#"
[[body]]
name = "bead"
kind = "point"
mass = 1
velocity = [10, 0]
[[joint]]
name = "wire"
kind = "point_on_curve"
body_b = "bead"
axis = [1, 0]
offset = {}
[simulation]
t_end = 3
"#,
        bump(20.0, 0.4, 0.2, 100.0)
    );
    is_seen("wire", &text, "bead.x", 30.0, 1e-3);
}

/// A spring that pushes within ten centimetres of a way of fifty metres.
#[test]
fn a_spring_with_a_narrow_characteristic() {
    let table = bump(20.0, 0.4, 60.0, 100.0);
    let text = on_a_rail(1.0, 10.0, &pulled(&format!("elastic = {table}")), 3.0);
    is_seen("hill", &text, "mass.x", 31.0, 1e-3);
}

/// The same by straight lines: its corners are events.
#[test]
fn a_spring_with_corners() {
    let law = "elastic = [\"linear\", [0, 0], [20, 0], [20.2, 150], [20.4, 0], [100, 0]]";
    let text = on_a_rail(1.0, 10.0, &pulled(law), 3.0);
    is_seen("corners", &text, "mass.x", 31.0, 1e-3);
    let run = run(&read(&text), Options::new().method("bdf"));
    let happenings = run.events.happenings.iter();
    let names: Vec<&str> = happenings.map(|h| h.name.as_str()).collect();
    assert_eq!(names, ["force `hill`, a corner of `elastic`"; 3]);
}

/// A damper that is felt at one speed only, on the way from rest to 20 m/s.
#[test]
fn a_damper_with_a_narrow_characteristic() {
    let table = bump(15.0, 0.4, 6.0, 100.0);
    let parts = pushed("10") + &pulled(&format!("viscous = {table}"));
    let text = on_a_rail(1.0, 0.0, &parts, 2.0);
    is_seen("damper", &text, "mass.x.velocity", 20.0, 1e-3);
}

/// Formulas of a place, of a speed and of time that are nothing but for a moment, whose parts are smooth.
#[test]
fn formulas_with_a_narrow_part() {
    let drags = [
        ("bell", "-60*exp(-((mass.x - 20)/0.2)^2)"),
        ("peak", "-60/(1 + ((mass.x - 20)/0.05)^2)"),
        (
            "steps",
            "-60*step(mass.x, 20, 0, 20.1, 1)*step(mass.x, 20.3, 1, 20.4, 0)",
        ),
        ("pulse", "1000*exp(-((t - 2)/1e-3)^2)"),
    ];
    for (what, force) in drags {
        let text = on_a_rail(1.0, 10.0, &pushed(force), 3.0);
        is_seen(what, &text, "mass.x", 31.0, 1e-3);
    }
    let by_speed = "10 - 6*exp(-((mass.x.velocity - 15)/0.1)^2)";
    let text = on_a_rail(1.0, 0.0, &pushed(by_speed), 2.0);
    is_seen("speed", &text, "mass.x.velocity", 20.0, 1e-3);
}

/// A bump of a road without a corner anywhere.
#[test]
fn a_road_with_a_smooth_bump() {
    let text = on_a_tyre("\"0.05*exp(-((x - 40)/0.1)^2)\"", 2.05);
    is_seen("road", &text, "car.z.velocity", 0.0, 1e-4);
}

/// A tyre that is thrown off the road and lands says so: what presses it falls, then rises.
#[test]
fn a_tyre_says_when_it_lifts_and_lands() {
    let text = on_a_tyre("\"0.15*max(0, 1 - abs(x - 11))\"", 2.0);
    for method in METHODS.into_iter().filter(|m| *m != "newmark") {
        for coordinates in ["absolute", "joint"] {
            let options = runs::options(coordinates, method, 1e-6);
            let run = run(&read(&text), options);
            let own = run.events.happenings.iter();
            let own = own.filter(|h| h.name == "force `tyre`, press on the road");
            let said: Vec<&str> = own.map(|h| h.kind).collect();
            let turns = ["falls", "rises"].into_iter().cycle();
            let expected: Vec<&str> = turns.take(said.len()).collect();
            assert!(said.len() >= 2, "{method} {coordinates}: {said:?}");
            assert_eq!(said, expected, "{method} {coordinates}");
        }
    }
}

/// A wheel that turns freely but for a short stretch of its turn.
#[test]
fn a_torsion_spring_with_a_narrow_characteristic() {
    let text = format!(
        r#"
[[body]]
name = "wheel"
mass = 1
inertia = 1
angular_velocity = 10
[[joint]]
name = "pin"
kind = "revolute"
body_b = "wheel"
at = [0, 0]
[[force]]
name = "detent"
kind = "torsion_spring"
body_b = "wheel"
torque = {}
[simulation]
t_end = 3
"#,
        bump(20.0, 0.4, 60.0, 100.0)
    );
    is_seen("detent", &text, "wheel.angle", 30.0, 1e-3);
}

/// A cam with one short lobe, whose follower carries a mass on a spring: it swings on.
#[test]
fn a_cam_with_a_short_lobe() {
    let lobe = |k: i32| {
        let angle = 300.0 + 3.0 * f64::from(k);
        let u = f64::from(k) / 8.0;
        let y = 0.03 + 0.01 * (1.0 - (2.0 * std::f64::consts::PI * u).cos()) / 2.0;
        format!("[\"{angle} deg\", {y}]")
    };
    let lobe: Vec<String> = (0..=8).map(lobe).collect();
    let text = format!(
        r#"
[model]
gravity = [0, 0]
length = 0.1
[[body]]
name = "cam"
mass = 1
inertia = 1e-3
angular_velocity = 5
[[body]]
name = "follower"
mass = 0.1
inertia = 1e-4
position = [0, 0.03]
[[body]]
name = "load"
kind = "point"
mass = 1
position = [0, 0.13]
[[joint]]
name = "pin"
kind = "revolute"
body_b = "cam"
at = [0, 0]
[[joint]]
name = "turns"
kind = "drive"
body_b = "cam"
quantity = "angle"
value = "5*t"
[[joint]]
name = "guide"
kind = "prismatic"
body_b = "follower"
axis = [0, 1]
[[joint]]
name = "rail"
kind = "point_on_line"
body_b = "load"
axis = [0, 1]
[[joint]]
name = "outline"
kind = "cam"
body_a = "cam"
body_b = "follower"
point_a = [0, 0]
at_b = [0, 0.03]
normal_a = [1, 0]
profile = [[0, 0.03], ["290 deg", 0.03], ["297 deg", 0.03], {}, ["327 deg", 0.03], ["334 deg", 0.03], ["360 deg", 0.03]]
[[force]]
name = "spring"
kind = "spring_damper"
body_a = "follower"
body_b = "load"
stiffness = 2500
damping = 1
[simulation]
t_end = 1.2
"#,
        lobe.join(", ")
    );
    is_seen("cam", &text, "load.y.velocity", 0.0, 1e-4);
}

/// One ball flies at another, which is two hundred of its radii away, and hands its speed over: it passes through in four
/// milliseconds if nobody looks.
#[test]
fn balls_that_meet_in_between() {
    let text = r#"
[[body]]
name = "first"
mass = 1
inertia = 1
[[body]]
name = "second"
mass = 1
inertia = 1
position = [4, 0]
velocity = [-10, 0]
[[force]]
name = "hit"
kind = "contact"
body_a = "first"
body_b = "second"
radius_a = 0.02
radius = 0.02
stiffness = 1e6
exponent = 1
[simulation]
t_end = 1
"#;
    is_seen("balls", text, "first.x", 0.0, 1e-4);
}
