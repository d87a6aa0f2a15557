//! Robots as URDF: motions against equations written by hand, start values, frames.

use linkwork::import::{Base, Choices, Import, urdf};
use linkwork::mbs::text;
use linkwork::options::Options;
use linkwork::{Run, Simulation, Verdict};

const PENDULUM: &str = include_str!("urdf/pendulum.urdf");
const DOUBLE_PENDULUM: &str = include_str!("urdf/double_pendulum.urdf");
const CRANE: &str = include_str!("urdf/crane.urdf");
const FRAMES: &str = include_str!("urdf/frames.urdf");
const ARM: &str = include_str!("../../../models/arm.urdf");
const G: f64 = 9.81;

fn choices(joints: &[&str]) -> Choices {
    Choices {
        joints: joints.iter().map(|s| s.to_string()).collect(),
        ..Choices::default()
    }
}

fn import(source: &str, joints: &[&str]) -> Import {
    urdf::read(source, "robot.urdf", &choices(joints)).unwrap_or_else(|e| panic!("{e:#?}"))
}

fn simulation(import: &Import, t_end: f64, rtol: f64) -> Simulation {
    let options = Options {
        t_end: Some(t_end),

        method: Some("dop853".into()),

        rtol: Some(rtol),
        ..Options::default()
    };
    let simulation = Simulation::of(&import.model).unwrap_or_else(|e| panic!("{e:#?}"));
    simulation.options(options)
}

fn run(import: &Import, t_end: f64) -> Run {
    let run = simulation(import, t_end, 1e-9).run().unwrap();
    assert_eq!(run.verdict, Verdict::Converged, "{:?}", run.doubts);
    run
}

fn first(run: &Run, name: &str) -> f64 {
    run.channel(name).unwrap_or_else(|| panic!("no {name}"))[0]
}

fn last(run: &Run, name: &str) -> f64 {
    *run.channel(name)
        .unwrap_or_else(|| panic!("no {name}"))
        .last()
        .unwrap()
}

/// Classical Runge-Kutta, with steps that leave an error near rounding in motions as slow as these.
fn integrate<const N: usize>(
    mut y: [f64; N],
    t: f64,
    rate: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let n = 20_000;
    let h = t / f64::from(n);
    let along = |y: &[f64; N], k: &[f64; N], h: f64| -> [f64; N] {
        std::array::from_fn(|i| y[i] + h * k[i])
    };
    for _ in 0..n {
        let a = rate(&y);
        let b = rate(&along(&y, &a, 0.5 * h));
        let c = rate(&along(&y, &b, 0.5 * h));
        let d = rate(&along(&y, &c, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]));
    }
    y
}

/// 2 kg, 0.5 m from the hinge, 0.2 + 2 * 0.25 kg m^2 about it: in the file 0.2 is the moment about z
/// of axes turned by a right angle about x, and the other two differ.
fn pendulum_at(t: f64, start: [f64; 2]) -> [f64; 2] {
    integrate(start, t, |y| {
        [y[1], -2.0 * 0.5 * G / (0.2 + 0.5) * y[0].sin()]
    })
}

/// Tolerance 1e-9 over a few swings: 1e-7 leaves room for the growth of the error.
#[test]
fn a_pendulum_follows_its_equation() {
    let robot = import(PENDULUM, &["hinge=100 deg", "hinge.velocity = 0.5"]);
    let run = run(&robot, 1.5);
    let start = [100f64.to_radians(), 0.5];
    assert!((first(&run, "hinge_angle") - start[0]).abs() < 1e-15);
    assert!((first(&run, "hinge_angle.velocity") - start[1]).abs() < 1e-15);
    // the centre of mass, 0.5 m from the hinge at 0.1, 0.2, 0.3
    assert!((first(&run, "bar.x") - (0.1 - 0.5 * start[0].sin())).abs() < 1e-15);
    assert!((first(&run, "bar.z") - (0.3 - 0.5 * start[0].cos())).abs() < 1e-15);
    let [angle, rate] = pendulum_at(1.5, start);
    assert!((last(&run, "hinge_angle") - angle).abs() < 1e-7);
    assert!((last(&run, "hinge_angle.velocity") - rate).abs() < 1e-6);
}

#[test]
fn a_double_pendulum_follows_its_equations() {
    let robot = import(
        DOUBLE_PENDULUM,
        &[
            "shoulder=1.2",
            "elbow=-0.7",
            "elbow.velocity=1.5",
            "shoulder.velocity=-0.4",
        ],
    );
    let run = run(&robot, 1.0);
    let (m, c, j, l) = ([1.5, 0.8], [0.3, 0.4], [0.06, 0.04], 0.7);
    // absolute angles a and b and their rates
    let rate = |y: &[f64; 4]| {
        let [a, b, u, v] = *y;
        let (s, k) = ((a - b).sin(), m[1] * l * c[1]);
        let m11 = j[0] + m[0] * c[0] * c[0] + m[1] * l * l;
        let m22 = j[1] + m[1] * c[1] * c[1];
        let m12 = k * (a - b).cos();
        let f1 = -k * s * v * v - (m[0] * c[0] + m[1] * l) * G * a.sin();
        let f2 = k * s * u * u - m[1] * c[1] * G * b.sin();
        let d = m11 * m22 - m12 * m12;
        [u, v, (m22 * f1 - m12 * f2) / d, (m11 * f2 - m12 * f1) / d]
    };
    let [a, b, u, v] = integrate([1.2, 0.5, -0.4, 1.1], 1.0, rate);
    for (name, want) in [
        ("shoulder_angle", a),
        ("elbow_angle", b - a),
        ("shoulder_angle.velocity", u),
        ("elbow_angle.velocity", v - u),
    ] {
        let got = last(&run, name);
        assert!((got - want).abs() < 1e-6, "{name}: {got} {want}");
    }
    let account = robot.account().join("\n");
    assert!(
        account.contains("limit of joints `shoulder`, `elbow` (lines 21, 28)"),
        "{account}"
    );
    assert!(
        account.contains("it starts at 1.2, outside its limits -1 to 1"),
        "{account}"
    );
}

/// Slide s along y, angle about x; damping of both joints.
#[test]
fn a_trolley_with_a_swinging_load_follows_its_equations() {
    let robot = import(CRANE, &["roll=20cm", "roll.velocity=-0.3", "swing=0.8"]);
    let run = run(&robot, 2.0);
    let (m1, m2, c, j) = (3.0, 2.0, 0.8, 0.05);
    // y of the load is s + c sin(angle)
    let rate = |y: &[f64; 4]| {
        let [_, a, v, w] = *y;
        let (m11, m12, m22) = (m1 + m2, m2 * c * a.cos(), j + m2 * c * c);
        let f1 = m2 * c * a.sin() * w * w - 1.5 * v;
        let f2 = -m2 * c * G * a.sin() - 0.2 * w;
        let d = m11 * m22 - m12 * m12;
        [v, w, (m22 * f1 - m12 * f2) / d, (m11 * f2 - m12 * f1) / d]
    };
    let [s, a, v, w] = integrate([0.2, 0.8, -0.3, 0.0], 2.0, rate);
    for (name, want) in [
        ("roll_displacement", s),
        ("trolley.y", s),
        ("swing_angle", a),
        ("roll_displacement.velocity", v),
        ("swing_angle.velocity", w),
    ] {
        let got = last(&run, name);
        assert!((got - want).abs() < 1e-6, "{name}: {got} {want}");
    }
    assert!((last(&run, "trolley.x")).abs() < 1e-9);
}

/// Frames without mass are no bodies; a link that is fixed is one, and moves as one with its parent.
#[test]
fn fixed_links_and_frames_change_nothing() {
    let robot = import(FRAMES, &["hinge=1.9"]);
    let mechanism = &robot.model;
    let names: Vec<&str> = mechanism.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["bar", "rest"]);
    let joints: Vec<&str> = mechanism.joints.iter().map(|j| j.name.as_str()).collect();
    assert_eq!(joints, ["hinge", "d"]);
    let run = run(&robot, 1.5);
    assert_eq!(run.start.as_ref().unwrap().dof, 1);
    // two bars of 1 kg with centres 0.25 and 0.75 m from the hinge: 2 * 0.0375 + 0.0625 + 0.5625
    let [angle, _] = pendulum_at(1.5, [1.9, 0.0]);
    assert!((last(&run, "hinge_angle") - angle).abs() < 1e-7);
    assert!(
        robot.account()[0].contains("4 links without inertia"),
        "{:?}",
        robot.account()
    );
}

/// 5 N of friction on 2 kg that fall along a slide: g - 2.5 m/s^2 once it moves. Until 0.01 m/s it is
/// less: that adds `F/m v0 ln 2 / a`, with `a` between g and g - 2.5, to the velocity, 2.0 mm/s.
#[test]
fn dry_friction_slows_a_slide() {
    let source = "<robot name='s'><link name='w'/><link name='b'><inertial><mass value='2'/>\
        <inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='j' type='prismatic'>\
        <parent link='w'/><child link='b'/><axis xyz='0 0 -1'/><dynamics friction='5'/></joint></robot>";
    let robot = import(source, &[]);
    let run = run(&robot, 1.0);
    let error = last(&run, "j_displacement") - 0.5 * (G - 2.5);
    assert!(error > 1.7e-3 && error < 2.3e-3, "{error}");
    assert!(robot.account()[1].starts_with("changed: friction of joint `j` (line 1): regularised"));
}

const BLOCK: &str = "<robot name='s'><link name='b'><inertial><origin xyz='0.1 0.2 0.3'/><mass value='2'/>\
    <inertia ixx='0.3' iyy='0.3' izz='0.3'/></inertial></link></robot>";

#[test]
fn a_floating_base_flies() {
    let floating = Choices {
        base: Base::Floating,
        ..choices(&[
            "base.z=1",
            "base.yaw=90deg",
            "base.x.velocity=3",
            "base.yaw.velocity=-2",
        ])
    };
    let robot = urdf::read(BLOCK, "block.urdf", &floating).unwrap();
    let run = run(&robot, 1.0);
    assert_eq!(run.start.as_ref().unwrap().dof, 6);
    // The centre is at (-0.2, 0.1, 0.3) from the origin of the link, which has the given velocity.
    let spin = -2.0;
    let want = [-0.2 + 3.0 - spin * 0.1, 0.1 - spin * 0.2, 1.3 - 0.5 * G];
    for (name, want) in ["b.x", "b.y", "b.z"].into_iter().zip(want) {
        assert!((last(&run, name) - want).abs() < 1e-9, "{name} {want}");
    }
    assert!((last(&run, "b.omega.z") - spin).abs() < 1e-9);
    let fixed = urdf::read(BLOCK, "block.urdf", &Choices::default()).unwrap_err();
    assert_eq!(fixed[0].message, "no link of the robot can move");
}

#[test]
fn floating_and_planar_joints_have_their_coordinates() {
    let two = |kind: &str| {
        BLOCK.replace("</robot>", &format!("<link name='w'/><joint name='j' type='{kind}'>\
            <parent link='w'/><child link='b'/><axis xyz='0 0 1'/><origin xyz='0 0 5'/></joint></robot>"))
    };
    let free = import(&two("floating"), &["j.z=1", "j.pitch=0.5"]);
    let flight = run(&free, 0.5);
    assert_eq!(flight.start.as_ref().unwrap().dof, 6);
    let z = 6.0 - 0.1 * 0.5f64.sin() + 0.3 * 0.5f64.cos();
    assert!((first(&flight, "b.z") - z).abs() < 1e-14);
    let flat = import(&two("planar"), &["j.x=1", "j.y.velocity=2", "j.angle=0.3"]);
    let slide = run(&flat, 0.5);
    assert_eq!(slide.start.as_ref().unwrap().dof, 3);
    assert!((last(&slide, "b.z") - 5.3).abs() < 1e-9);
    assert!((last(&slide, "b.y") - first(&slide, "b.y") - 1.0).abs() < 1e-9);
}

/// Two hinges that cross in a link without mass, a universal joint: what they carry gives both
/// inertia, so this moves, and as energy demands.
#[test]
fn a_link_without_mass_between_hinges_is_carried() {
    let source = DOUBLE_PENDULUM.replace(
        "<origin xyz=\"0 0 -0.7\"/>\n    <axis xyz=\"0 1 0\"/>",
        "<axis xyz=\"1 0 0\"/>",
    );
    let (start, end) = (
        source.find("<inertial>").unwrap(),
        source.find("</inertial>").unwrap(),
    );
    let massless = format!(
        "{}{}",
        &source[..start],
        &source[end + "</inertial>".len()..]
    );
    let robot = import(&massless, &["shoulder=0.5", "elbow=0.9"]);
    let run = run(&robot, 1.0);
    assert_eq!(run.start.as_ref().unwrap().dof, 2);
    let energy = run.energy.unwrap();
    assert!(energy.imbalance().abs() < 1e-6 * energy.exchanged);
}

const POSE: [&str; 9] = [
    "shoulder_yaw=0.4",
    "shoulder_pitch=-0.6",
    "upper_arm_roll=1.1",
    "elbow=0.8",
    "forearm_roll=-2.0",
    "wrist_pitch=0.3",
    "flange_roll=2.5",
    "elbow.velocity=1.2",
    "forearm_roll.velocity=-3",
];

/// Seven joints with given values: closed to rounding in position and velocity without help of the
/// assembly, and the values are those that the sensors show.
#[test]
fn the_arm_starts_as_it_is_told() {
    let robot = import(ARM, &POSE);
    let mut simulation = simulation(&robot, 1.0, 1e-8);
    let report = simulation.start().unwrap().report;
    assert_eq!(report.dof, 7);
    let largest = |x: &[f64]| x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    assert!(
        largest(&report.residual_before) < 1e-15,
        "{:?}",
        report.residual_before
    );
    assert!(
        largest(&report.velocity_moved) < 1e-14,
        "{:?}",
        report.velocity_moved
    );
    let run = simulation.run().unwrap();
    for assignment in POSE {
        let (name, value) = assignment.split_once('=').unwrap();
        let (joint, rate) = match name.strip_suffix(".velocity") {
            Some(joint) => (joint, ".velocity"),
            None => (name, ""),
        };
        let shown = first(&run, &format!("{joint}_angle{rate}"));
        assert!(
            (shown - value.parse::<f64>().unwrap()).abs() < 1e-14,
            "{name}: {shown}"
        );
    }
}

/// No damping, no drives: energy stays. At tolerance 1e-8 the errors of some 2700 steps add up to about a
/// hundred tolerances, relative to what moves between potential and kinetic energy.
#[test]
fn the_arm_conserves_energy() {
    for method in ["dop853", "bdf"] {
        let options = Options::new().method(method);
        let simulation = simulation(&import(ARM, &POSE), 2.0, 1e-8);
        let run = simulation.options(options).run().unwrap();
        assert_eq!(run.verdict, Verdict::Converged);
        let energy = run.energy.unwrap();
        let share = energy.imbalance().abs() / energy.exchanged;
        assert!(
            energy.exchanged > 1.0 && share < 2e-6,
            "{method}: {share:e}"
        );
    }
}

/// The text holds the model to the last digit: the same steps, the same numbers.
#[test]
fn the_text_runs_as_the_robot_does() {
    for source in [ARM, CRANE, FRAMES] {
        let joints: &[&str] = if source == ARM { &POSE } else { &[] };
        let robot = import(source, joints);
        let written = robot.text();
        let document = text::read(&written).unwrap_or_else(|e| panic!("{e:#?}\n{written}"));
        let read = Simulation::from_document(&document).unwrap();
        let options = Options {
            t_end: Some(0.3),
            ..Options::default()
        };
        let direct = Simulation::of(&robot.model).unwrap();
        let a = direct.options(options.clone()).run().unwrap();
        let b = read.options(options).run().unwrap();
        assert_eq!(a.stats.steps, b.stats.steps);
        for channel in a.table.channels() {
            let (x, y) = (
                a.channel(&channel.name).unwrap(),
                b.channel(&channel.name).unwrap(),
            );
            let same = x.iter().zip(y).all(|(x, y)| x.to_bits() == y.to_bits());
            assert!(same, "{}", channel.name);
        }
        assert!(written.starts_with(&format!("# {}: imported from robot.urdf", robot.model.name)));
    }
}

#[test]
fn names_of_links_and_joints_may_collide() {
    let source = PENDULUM.replace("name=\"hinge\"", "name=\"bar\"");
    let robot = import(&source, &["bar=0.1"]);
    let mechanism = &robot.model;
    assert_eq!(mechanism.joints[0].name, "bar_joint");
    let account = robot.account().join("\n");
    assert!(
        account.contains("changed: name of joint `bar` (line 12): called `bar_joint`"),
        "{account}"
    );
}

/// Lines are counted once, not anew for every element; notes still tell the right ones.
#[test]
fn a_robot_of_thirty_thousand_links_is_read() {
    let mut source = String::from("<robot name=\"long\">\n<link name=\"l0\"/>\n");
    let count = 30_000;
    for i in 1..=count {
        let before = i - 1;
        source += &format!(
            "<link name=\"l{i}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n\
             <joint name=\"j{i}\" type=\"revolute\"><parent link=\"l{before}\"/><child link=\"l{i}\"/>\
             <axis xyz=\"0 1 0\"/></joint>\n"
        );
    }
    source += "<thing/>\n</robot>\n";
    let clock = std::time::Instant::now();
    let found = import(&source, &[]);
    let taken = clock.elapsed().as_secs_f64();
    assert_eq!(found.model.bodies.len(), count);
    let thing = found.notes.iter().find(|n| n.what == "thing").unwrap();
    assert_eq!(thing.line, 3 + 2 * count);
    assert!(taken < 20.0, "{taken} s");
}
