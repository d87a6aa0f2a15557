//! Curves over a coordinate: outlines, wires and tables that are flat for long and change within little. Nobody limits
//! the steps, and none leaps over them.

use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation};

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

fn run(document: &text::Document, options: Options) -> Run {
    let mut simulation = Simulation::from_document_with(document, options).unwrap();
    simulation.run().unwrap()
}

fn last(run: &Run, name: &str) -> f64 {
    let channel = run.channel(name).unwrap_or_else(|| panic!("{name}"));
    channel[channel.len() - 1]
}

/// Ends where a run with steps so short that they see everything does, to a share of what the curve does; `without`:
/// where it would end if the curve were not seen. What methods of low order add up by themselves is much here.
fn is_seen(what: &str, text: &str, channel: &str, without: f64, max_step: f64) {
    let document = text::read(text).unwrap_or_else(|e| panic!("{e:?}"));
    let options = Options::new().method("dop853").rtol(1e-11);
    let fine = Options {
        max_step: Some(max_step),
        ..options
    };
    let fine = last(&run(&document, fine), channel);
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
    let text = format!(
        r#"
[[body]]
name = "mass"
kind = "point"
mass = 1
position = [1, 0]
velocity = [10, 0]
[[joint]]
name = "rail"
kind = "point_on_line"
body_b = "mass"
axis = [1, 0]
[[force]]
name = "hill"
kind = "line_force"
body_b = "mass"
free_length = 0
elastic = {}
[simulation]
t_end = 3
"#,
        bump(20.0, 0.4, 60.0, 100.0)
    );
    is_seen("hill", &text, "mass.x", 31.0, 1e-3);
}

/// The same by straight lines: its corners are events.
#[test]
fn a_spring_with_corners() {
    let text = r#"
[[body]]
name = "mass"
kind = "point"
mass = 1
position = [1, 0]
velocity = [10, 0]
[[joint]]
name = "rail"
kind = "point_on_line"
body_b = "mass"
axis = [1, 0]
[[force]]
name = "hill"
kind = "line_force"
body_b = "mass"
free_length = 0
elastic = ["linear", [0, 0], [20, 0], [20.2, 150], [20.4, 0], [100, 0]]
[simulation]
t_end = 3
"#;
    is_seen("corners", text, "mass.x", 31.0, 1e-3);
    let document = text::read(text).unwrap_or_else(|e| panic!("{e:?}"));
    let run = run(&document, Options::new().method("bdf"));
    let names: Vec<&str> = run
        .events
        .happenings
        .iter()
        .map(|h| h.name.as_str())
        .collect();
    assert_eq!(names, ["force `hill`, a corner of `elastic`"; 3]);
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
