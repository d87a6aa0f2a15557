//! Trouble on the way: jumps without notice, poses where constraints become dependent.

use linkwork::mbs::text;
use linkwork::{Options, Simulation, Verdict};

fn run(source: &str, change: impl FnOnce(&mut Options)) -> linkwork::Run {
    let document = text::read(source).expect("the model is sound");
    let mut options = Options::default();
    change(&mut options);
    let simulation = Simulation::from_document(&document).expect("it can be assembled");
    simulation.options(options).run().expect("options are fine")
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
