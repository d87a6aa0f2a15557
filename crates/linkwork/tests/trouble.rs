//! Trouble on the way: jumps without notice, poses where constraints become dependent.

use linkwork::mbs::text;
use linkwork::{Doubt, Options, Simulation, Verdict};

fn run(source: &str, change: impl FnOnce(&mut Options)) -> linkwork::Run {
    let document = text::read(source).expect("the model is sound");
    let mut options = Options::default();
    change(&mut options);
    let simulation = Simulation::from_document_with(&document, options);
    let mut simulation = simulation.expect("it can be assembled");
    simulation.run().expect("options are fine")
}

/// A block pushed one way, then from t = 0.5 the other way: x = -5 t^2, then back to rest at t = 1,
/// x = -2.5.
const JUMP: &str = r#"
[model]
name = "jump"
[[body]]
name = "block"
mass = 1.0
inertia = 0.1
[[joint]]
name = "guide"
kind = "prismatic"
body_b = "block"
axis = [1, 0]
[[force]]
name = "push"
kind = "force"
body_b = "block"
x = "10*sign(t-0.5)"
[simulation]
t_end = 1.0
"#;

#[test]
fn a_force_that_jumps_is_met_at_its_instant() {
    for method in ["bdf", "gen-alpha", "hht", "dopri5", "adams"] {
        let run = run(JUMP, |o| {
            o.method = Some(method.into());
            o.rtol = Some(1e-6);
        });
        assert_eq!(
            run.verdict,
            Verdict::Converged,
            "{method}: {:?}",
            run.doubts
        );
        let x = *run.channel("block.x").unwrap().last().unwrap();
        // accelerations are constant on both sides
        assert!((x + 2.5).abs() < 1e-5, "{method}: {x}");
    }
}

/// A slider crank with equal arms turns through the pose where piston and bearing coincide.
const EQUAL_ARMS: &str = r#"
[model]
name = "equal_arms"
[[body]]
name = "crank"
mass = 1
inertia = 0.02
position = [0.125, 0.21650635]
angle = "60 deg"
angular_velocity = 3
exact = ["velocity"]
[[body]]
name = "rod"
mass = 1
inertia = 0.02
position = [0.375, 0.21650635]
angle = "-60 deg"
[[body]]
name = "piston"
mass = 1
inertia = 0.01
position = [0.5, 0]
[[joint]]
name = "bearing"
kind = "revolute"
body_b = "crank"
point_b = [-0.25, 0]
[[joint]]
name = "crank_pin"
kind = "revolute"
body_a = "crank"
body_b = "rod"
point_a = [0.25, 0]
point_b = [-0.25, 0]
[[joint]]
name = "piston_pin"
kind = "revolute"
body_a = "rod"
body_b = "piston"
point_a = [0.25, 0]
[[joint]]
name = "guide"
kind = "prismatic"
body_b = "piston"
axis = [1, 0]
[simulation]
t_end = 1
"#;

#[test]
fn a_singular_pose_on_the_way_is_passed_or_named() {
    for (method, formulation) in [("bdf", "ggl"), ("bdf", "index3"), ("gen-alpha", "index3")] {
        for rtol in [1e-4, 1e-6] {
            let run = run(EQUAL_ARMS, |o| {
                o.method = Some(method.into());
                o.formulation = Some(formulation.into());
                o.rtol = Some(rtol);
            });
            let name = format!(
                "{method} {formulation} {rtol}: {:?} {:?}",
                run.verdict, run.ending
            );
            let angle = run.channel("crank.angle").unwrap();
            assert!(angle.len() > 10, "{name}");
            if run.verdict == Verdict::Failed {
                let text = format!("{:?}", run.ending);
                assert!(text.contains("pose") || text.contains("singular"), "{name}");
            } else {
                assert!(
                    *angle.last().unwrap() > 1.7,
                    "{name}: {}",
                    angle.last().unwrap()
                );
            }
        }
    }
}

/// A parallelogram that turns by 1 rad/s. At 0 and 180 degrees its two cranks could go on in opposite directions.
fn parallelogram(angle: f64) -> String {
    let (s, c) = angle.sin_cos();
    let body = |name: &str, [x, y]: [f64; 2], turn: f64| {
        let velocity = [-s * (1.0 + turn) / 2.0, c * (1.0 + turn) / 2.0];
        let (angle, turn) = ((1.0 - turn) * angle, 1.0 - turn);
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = 0.1\nposition = [{x:?}, {y:?}]\nangle = {angle:?}\n\
             velocity = {velocity:?}\nangular_velocity = {turn:?}\n"
        )
    };
    let joint = |name: &str, ends: &str| {
        format!("[[joint]]\nname = \"{name}\"\nkind = \"revolute\"\n{ends}\n")
    };
    [
        body("a", [0.5 * c, 0.5 * s], 0.0),
        body("b", [0.8 + 0.5 * c, 0.5 * s], 0.0),
        body("c", [0.4 + c, s], 1.0),
        joint("j1", "body_b = \"a\"\npoint_b = [-0.5, 0]"),
        joint(
            "j2",
            "body_b = \"b\"\npoint_a = [0.8, 0]\npoint_b = [-0.5, 0]",
        ),
        joint(
            "j3",
            "body_a = \"a\"\nbody_b = \"c\"\npoint_a = [0.5, 0]\npoint_b = [-0.4, 0]",
        ),
        joint(
            "j4",
            "body_a = \"b\"\nbody_b = \"c\"\npoint_a = [0.5, 0]\npoint_b = [0.4, 0]",
        ),
        "[simulation]\nt_end = 7\n".into(),
    ]
    .concat()
}

/// Steps that grope their way through a change point find another branch there as good. That is told, and nothing
/// is said against those that stay.
#[test]
fn branches_are_not_left_in_silence() {
    let (mut left, mut stayed) = (0, 0);
    for k in 0..60 {
        let angle = 0.3 + 0.04 * f64::from(k);
        let run = run(&parallelogram(angle), |o| {
            o.method = Some("dop853".into());
            o.coordinates = Some("absolute".into());
            o.rtol = Some(1e-6);
            o.max_step = Some(0.03 + 0.0025 * f64::from(k));
        });
        let [a, b] = ["a.angle", "b.angle"].map(|name| run.channel(name).unwrap());
        let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        let is_told = |d: &Doubt| matches!(d, Doubt::Undetermined { .. });
        let told = run.doubts.iter().any(is_told);
        let failed = run.verdict == Verdict::Failed;
        if apart.fold(0.0, f64::max) > 1e-3 {
            left += 1;
            assert!(told || failed, "{k}: {:?}", run.doubts);
        } else {
            stayed += 1;
            assert!(!told || failed, "{k}: {:?}", run.doubts);
        }
    }
    println!("{left} left, {stayed} stayed");
    assert!(left > 0 && stayed > 30, "{left} left, {stayed} stayed");
}

/// A block slides for 0.6 s and sticks, by friction that is steep below a tenth of a millimetre per second or less.
fn rubbing(transition: f64) -> String {
    format!(
        r#"
[[body]]
name = "block"
mass = 1
inertia = 1
velocity = [3, 0]
[[joint]]
name = "guide"
kind = "prismatic"
body_b = "block"
at = [0, 0]
axis = [1, 0]
[[force]]
name = "rub"
kind = "friction"
against = "sliding"
body_b = "block"
at = [0, 0]
axis = [1, 0]
coulomb = 5
transition_speed = {transition:e}
[simulation]
t_end = 3
"#
    )
}

/// Whether a force depends on speeds is found by trying: above its speed of transition friction does not.
#[test]
fn what_sticks_takes_no_steps() {
    for transition in [1e-3, 1e-4, 1e-6] {
        for (method, coordinates) in [("bdf", "absolute"), ("bdf", "joint"), ("radau", "joint")] {
            let run = run(&rubbing(transition), |o| {
                o.method = Some(method.into());
                o.coordinates = Some(coordinates.into());
            });
            let name = format!("{method} {coordinates} {transition:e}");
            assert!(run.failure().is_none(), "{name}: {:?}", run.failure());
            let x = *run.channel("block.x").unwrap().last().unwrap();
            assert!((x - 0.9).abs() < 1e-3, "{name}: {x}");
            println!("{name}: {} steps", run.stats.steps);
            assert!(run.stats.steps < 1000, "{name}: {} steps", run.stats.steps);
        }
    }
}
