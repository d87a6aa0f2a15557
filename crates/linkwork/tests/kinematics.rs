//! Kinematics against closed forms; lock-up, branches and freedom are named.

use linkwork::kinematics::{Refused, kinematics};
use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation, Verdict};

const R: f64 = 0.3;
const L: f64 = 0.9;

/// A slider-crank whose crank or slider is driven.
fn slider_crank(r: f64, l: f64, angle: f64, drive: &str) -> String {
    let (s, c) = angle.sin_cos();
    let rod = (-r * s / l).asin();
    let x = r * c + l * rod.cos();
    format!(
        r#"
[model]
name = "engine"
gravity = [0, -9.81]
[[body]]
name = "crank"
mass = 2
inertia = 0.05
position = [{}, {}]
angle = {angle}
[[body]]
name = "rod"
mass = 1
inertia = 0.07
position = [{}, {}]
angle = {rod}
[[body]]
name = "slider"
mass = 3
inertia = 0.01
position = [{x}, 0]
[[joint]]
name = "shaft"
kind = "revolute"
body_b = "crank"
at = [0, 0]
[[joint]]
name = "pin"
kind = "revolute"
body_a = "crank"
body_b = "rod"
at = [{}, {}]
[[joint]]
name = "wrist"
kind = "revolute"
body_a = "rod"
body_b = "slider"
at = [{x}, 0]
[[joint]]
name = "bore"
kind = "prismatic"
body_b = "slider"
at = [{x}, 0]
axis = [1, 0]
{drive}
"#,
        0.5 * r * c,
        0.5 * r * s,
        r * c + 0.5 * l * rod.cos(),
        0.5 * r * s,
        r * c,
        r * s,
    )
}

fn crank_drive(formula: &str) -> String {
    format!(
        "[[joint]]\nname = \"motor\"\nkind = \"drive\"\nquantity = \"angle\"\nbody_b = \"crank\"\nvalue = \"{formula}\"\n"
    )
}

fn slider_drive(formula: &str) -> String {
    format!(
        "[[joint]]\nname = \"piston\"\nkind = \"drive\"\nquantity = \"displacement\"\nbody_b = \"slider\"\npoint_a = [0, 0]\npoint_b = [0, 0]\naxis = [1, 0]\nvalue = \"{formula}\"\n"
    )
}

fn compute(model: &str, t_end: f64) -> Result<Run, Refused> {
    let document = text::read(model).unwrap();
    let options = Options {
        t_end: Some(t_end),
        ..Options::default()
    };
    let mut simulation = Simulation::from_document(&document)
        .unwrap()
        .options(options);
    kinematics(&mut simulation, &mut |_| true)
}

#[test]
fn a_driven_crank_follows_its_closed_form_at_all_levels() {
    let omega = 30.0;
    let run = compute(&slider_crank(R, L, 0.4, &crank_drive("0.4 + 30*t")), 1.0).unwrap();
    assert_eq!(
        run.verdict,
        Verdict::Converged,
        "{:?} {:?}",
        run.doubts,
        run.failure()
    );
    let x = run.channel("slider.x").unwrap();
    let v = run.channel("slider.x.velocity").unwrap();
    let a = run.channel("slider.x.acceleration").unwrap();
    for (k, t) in run.times().iter().enumerate() {
        let (s, c) = (0.4 + omega * t).sin_cos();
        let root = (L * L - R * R * s * s).sqrt();
        // nothing accumulates: rounding at every time
        assert!((x[k] - (R * c + root)).abs() < 1e-11);
        let rate = -R * s - R * R * s * c / root;
        assert!((v[k] - omega * rate).abs() < 1e-9);
        let curvature =
            -R * c - R * R * (c * c - s * s) / root - R.powi(4) * s * s * c * c / root.powi(3);
        assert!((a[k] - omega * omega * curvature).abs() < 1e-7);
    }
}

#[test]
fn reactions_deliver_the_power_that_the_motion_takes() {
    let run = compute(&slider_crank(R, L, 0.4, &crank_drive("0.4 + 30*t")), 0.5).unwrap();
    let torque = run.channel("motor.reaction.torque").unwrap();
    let sum = |name: &str| run.channel(name).unwrap();
    for k in 0..run.times().len() {
        // M v.a + m g vy over all bodies
        let mut power = 0.0;
        for (body, mass, inertia) in [
            ("crank", 2.0, 0.05),
            ("rod", 1.0, 0.07),
            ("slider", 3.0, 0.01),
        ] {
            let at = |what: &str| sum(&format!("{body}.{what}"))[k];
            power += mass
                * (at("x.velocity") * at("x.acceleration")
                    + at("y.velocity") * at("y.acceleration"));
            power += inertia * at("angle.velocity") * at("angle.acceleration");
            power += mass * 9.81 * at("y.velocity");
        }
        assert!(
            (30.0 * torque[k] - power).abs() < 1e-7,
            "{} {power}",
            30.0 * torque[k]
        );
    }
}

#[test]
fn a_driven_slider_locks_at_the_dead_centre() {
    // the slider is pulled at 0.5 m/s from 0.9 m and cannot go beyond r + l = 1.2 m
    let angle = 1.4;
    let x0 = R * f64::cos(angle) + (L * L - (R * angle.sin()).powi(2)).sqrt();
    let run = compute(
        &slider_crank(R, L, angle, &slider_drive(&format!("{x0} + 0.5*t"))),
        2.0,
    )
    .unwrap();
    assert_eq!(run.verdict, Verdict::Failed);
    let failure = run.failure().unwrap();
    let dead = (R + L - x0) / 0.5;
    assert!((failure.t - dead).abs() < 1e-6, "{} {dead}", failure.t);
    assert!(
        failure.cause.contains("locks or branches"),
        "{}",
        failure.cause
    );
    assert!(
        failure.cause.contains("`crank`") || failure.cause.contains("`rod`"),
        "{}",
        failure.cause
    );
    assert!(
        failure.advice[0]
            .to_string()
            .contains("drive another coordinate")
    );
    // what was computed is kept
    assert!(run.times().len() > 50 && *run.times().last().unwrap() <= dead);
}

#[test]
fn equal_links_pass_their_singular_pose_straight_on() {
    // r = l: at a quarter turn the slider is at the shaft and the rod could stay there
    let run = compute(&slider_crank(0.5, 0.5, 0.3, &crank_drive("0.3 + 2*t")), 1.0).unwrap();
    assert_eq!(run.verdict, Verdict::Degraded, "{:?}", run.failure());
    assert!(
        run.doubts[0].to_string().contains("singular pose"),
        "{:?}",
        run.doubts
    );
    let x = run.channel("slider.x").unwrap();
    for (k, t) in run.times().iter().enumerate() {
        assert!((x[k] - (0.3 + 2.0 * t).cos()).abs() < 1e-7, "{t} {}", x[k]);
    }
}

#[test]
fn freedom_is_refused_with_the_coordinates() {
    let refused = compute(&slider_crank(R, L, 0.4, ""), 1.0).unwrap_err();
    let words = refused.to_string();
    assert!(words.contains("1 degree of freedom"), "{words}");
    assert!(words.contains("body `"), "{words}");
}

#[test]
fn redundant_constraints_are_named_and_contradictions_found_when_they_arise() {
    // the same drive twice is redundant
    let twice = crank_drive("0.4 + 2*t") + &crank_drive("0.4 + 2*t").replace("motor", "second");
    let run = compute(&slider_crank(R, L, 0.4, &twice), 1.0).unwrap();
    assert_eq!(run.verdict, Verdict::Converged);
    assert!(
        run.notes.iter().any(|n| n.to_string().contains("second")),
        "{:?}",
        run.notes
    );
    // two drives that agree at the start, with velocity and acceleration, and not later
    let twice =
        crank_drive("0.4 + 2*t") + &crank_drive("0.4 + 2*t + t^3").replace("motor", "second");
    let run = compute(&slider_crank(R, L, 0.4, &twice), 1.0).unwrap();
    assert_eq!(run.verdict, Verdict::Failed);
    assert!(
        run.failure()
            .unwrap()
            .cause
            .contains("too many constraints")
    );
}

#[test]
fn jumps_of_a_drive_are_followed_where_poses_exist() {
    // a velocity that jumps at t = 0.5, in a regular pose
    let run = compute(
        &slider_crank(R, L, 0.4, &crank_drive("0.4 + abs(t - 0.5)")),
        1.0,
    )
    .unwrap();
    assert_eq!(
        run.verdict,
        Verdict::Converged,
        "{:?} {:?}",
        run.failure(),
        run.doubts
    );
    let angle = run.channel("crank.angle").unwrap();
    assert!((angle[200] - 0.9).abs() < 1e-12);
}
