//! What following the excitations saves, and when it is given up.

mod excited;

use excited::{IN_SPACE, built_in, explicit, in_joints, model};
use linkwork_dae::drive::Ending;
use linkwork_dae::state::State;
use linkwork_dae::system::System;
use linkwork_problems::study::{Outcome, Setup};

fn run(sys: &mut dyn System, jacobian: &'static str, t_end: f64, tol: f64) -> Outcome {
    let mut setup = Setup::new("bdf", "ggl", t_end, tol);
    setup.jacobian = jacobian;
    let out = setup.run(sys, &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished, "{jacobian}");
    out
}

/// Largest difference of positions, in tolerances.
fn distance(a: &State, b: &State, tol: f64) -> f64 {
    let pairs = a.q.iter().zip(&b.q);
    pairs.fold(0.0, |m, (x, y)| {
        f64::max(m, (x - y).abs() / (tol * (1.0 + y.abs())))
    })
}

/// The stiffness of a bridge on tyres goes with the square of its length, by a factor of five: kept
/// blocks that follow the telescope need less than half the evaluations (12 for 35; 3 for 13 in the
/// explicit formalism) and fewer residuals in all, for the same motion. Counts scatter from tolerance to
/// tolerance, so their sums are compared. From 1e-6 on the pattern, which is estimated at rest, grows on
/// the way, and evaluations for that are the same in both.
#[test]
fn following_a_telescope_pays() {
    let model = built_in("boarding_bridge");
    let build = |divided: bool| -> Box<dyn System> {
        if divided {
            Box::new(explicit(&model))
        } else {
            Box::new(in_joints(&model))
        }
    };
    for divided in [false, true] {
        let mut sums = [[0; 2]; 2];
        for tol in [1e-4, 1e-5, 3e-6] {
            let exact = run(&mut *build(divided), "exact", 240.0, tol);
            let outs = ["partitioned", "extended"]
                .map(|jacobian| run(&mut *build(divided), jacobian, 240.0, tol));
            for (sum, out) in sums.iter_mut().zip(&outs) {
                let s = &out.stats;
                sum[0] += s.jacobian_evaluations;
                sum[1] += s.residual_evaluations + s.residual_evaluations_for_jacobians;
            }
            for other in [&outs[0], &exact] {
                let d = distance(&outs[1].state, &other.state, tol);
                assert!(d < 10.0, "{divided} {tol}: {d}");
            }
            let following = outs[1].following.as_ref().unwrap();
            let matters: Vec<_> = following.excitations.iter().map(|e| e.matters).collect();
            assert_eq!(
                matters,
                [Some(true), Some(false)],
                "telescope, turn of the cab"
            );
            assert_eq!(following.given_up_at, None);
            assert!(following.residuals > 0 && outs[1].stats.excitation_updates > 0);
        }
        let [[many, more], [few, less]] = sums;
        let counts = format!("{divided}: {many} and {more}, {few} and {less}");
        assert!(2 * few <= many && less < more, "{counts}");
    }
}

/// Six rods that are pulled straight by a force which varies between a tenth and twice its mean, with
/// dampers in their pins: how they resist bending is in proportion to the force, and the blocks of joint
/// coordinates are as good as linear in it. One evaluation does for the whole run, where kept blocks take 72,
/// and less than half the residuals.
#[test]
fn following_a_force_pays() {
    let mut source = String::from("[model]\ngravity = [0, -9.81]\n");
    for i in 1..=6 {
        let (from, middle) = (i - 1, f64::from(i) - 0.5);
        let parent = match i {
            1 => "ground".to_string(),
            _ => format!("rod{from}"),
        };
        source += &format!(
            "[[body]]\nname = \"rod{i}\"\nmass = 20\ninertia = 1.7\nposition = [{middle}, 0]\n\
             [[joint]]\nkind = \"revolute\"\nname = \"pin{i}\"\nbody_a = \"{parent}\"\n\
             body_b = \"rod{i}\"\nat = [{from}, 0]\n\
             [[force]]\nkind = \"torsion_spring\"\nname = \"damper{i}\"\nbody_a = \"{parent}\"\n\
             body_b = \"rod{i}\"\nstiffness = 0\ndamping = 3e4\n"
        );
    }
    source += "[[force]]\nkind = \"force\"\nname = \"pull\"\nbody_b = \"rod6\"\nat = [6, 0]\n\
               x = \"1e5*(1 + 0.9*sin(0.3*t))\"\ny = \"2e3*sin(0.17*t)\"\n";
    let model = model(&source);
    let tol = 1e-4;
    let [kept, followed] = ["partitioned", "extended"]
        .map(|jacobian| run(&mut in_joints(&model), jacobian, 200.0, tol));
    let counts = |o: &Outcome| {
        let s = &o.stats;
        let residuals = s.residual_evaluations + s.residual_evaluations_for_jacobians;
        (s.jacobian_evaluations, residuals)
    };
    let ((many, more), (few, less)) = (counts(&kept), counts(&followed));
    assert!(
        10 * few <= many && 3 * less <= 2 * more,
        "{many} {more}, {few} {less}"
    );
    let d = distance(&followed.state, &kept.state, tol);
    assert!(d < 10.0, "{d}");
}

/// A drive that turns round and round leads astray after a quarter of a turn: blocks no longer follow it,
/// the account says when, and the motion is what it should be.
#[test]
fn what_leads_astray_is_given_up() {
    let model = model(&IN_SPACE.replace("0.5*t^2", "t + 0.5*t^2"));
    let tol = 1e-6;
    let exact = run(&mut in_joints(&model), "exact", 5.0, tol);
    let out = run(&mut in_joints(&model), "extended", 5.0, tol);
    let d = distance(&out.state, &exact.state, tol);
    assert!(d < 10.0, "{d}");
    let following = out.following.unwrap();
    assert!(
        following.given_up_at.is_some_and(|t| t < 3.0),
        "{following:?}"
    );
}
