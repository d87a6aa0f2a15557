//! Consistent starts: assembly, redundancy, singular poses, contradictions, bad numbers.

mod planar;

use linkwork_dae::initial::{
    Accelerations, Level, PoseCheck, Start, StartError, constraint_residuals, start,
};
use linkwork_dae::system::{At, Part, Row, Rows, System, Terms};
use planar::{
    Body, Drive, Planar, Revolute, ground, n_four_bar, on, parallelogram, rod, slider_crank,
};
use std::collections::BTreeSet;
use std::f64::consts::{FRAC_PI_2, PI};

fn begin(planar: &Planar) -> Result<Start, StartError> {
    let mut sys = planar.clone();
    let guess = sys.facts().guess.clone();
    start(&mut sys, &guess)
}

/// Positions, velocities and accelerations obey all constraints, dropped ones included.
fn check_constraints(planar: &Planar, s: &Start, tolerance: f64) {
    let mut sys = planar.clone();
    let dims = sys.facts().dims;
    let [mut c, mut cv, mut gamma] = [(); 3].map(|()| vec![0.0; dims.nc]);
    let mut c_q = vec![0.0; sys.facts().patterns[Part::Cq].len()];
    let mut want = Terms {
        c: Some(&mut c),
        cv: Some(&mut cv),
        gamma: Some(&mut gamma),
        c_q: Some(&mut c_q),
        ..Terms::default()
    };
    sys.eval(&s.state.at(), &mut want).unwrap();
    let mut ca: Vec<f64> = gamma.iter().map(|g| -g).collect();
    for (&(i, j), g) in sys.facts().patterns[Part::Cq].iter().zip(&c_q) {
        ca[i as usize] += g * s.state.a[j as usize];
    }
    for (what, x) in [("C", &c), ("C_q v + C_t", &cv), ("C_q a - gamma", &ca)] {
        let worst = largest(x);
        assert!(worst < tolerance, "{what}: {worst:e}");
    }
}

/// The constraints and the equations of motion hold.
fn check_consistent(planar: &Planar, s: &Start, tolerance: f64) {
    check_constraints(planar, s, tolerance);
    let mut sys = planar.clone();
    let mut r = vec![0.0; sys.facts().dims.nv];
    let mut want = Terms {
        r: Some(&mut r),
        ..Terms::default()
    };
    sys.eval(&s.state.at(), &mut want).unwrap();
    assert!(largest(&r) < tolerance, "motion: {:e}", largest(&r));
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |w, x| x.abs().max(w))
}

fn shake(planar: &mut Planar, size: f64) {
    for (i, q) in planar.facts.guess.q.iter_mut().enumerate() {
        *q += size * (2.0 * (0.37 + i as f64 * 0.618_033_988_749_895).fract() - 1.0);
    }
}

fn explanation(planar: &Planar, e: &StartError) -> String {
    e.explain(planar)
}

#[test]
fn redundant_crank_is_removed_and_named() {
    for error in [0.0, 1e-3, 1e-1] {
        let mut p = parallelogram(0.3, 1.0);
        shake(&mut p, error);
        let s = begin(&p).unwrap();
        assert_eq!(s.rows.c.len(), 11, "12 rows of rank 11");
        assert_eq!(s.report.dof, 1);
        assert!(
            matches!(s.report.pose, PoseCheck::Regular { smallest_pivot } if smallest_pivot > 0.1)
        );
        let [r] = &s.report.redundant[..] else {
            panic!("one redundant row")
        };
        assert!(!r.depends_on.is_empty());
        assert!(r.explain(&p).starts_with("joint `j"));
        // Forces along the cranks can be shared in any proportion: every crank takes part.
        assert!(s.report.not_unique.contains(&r.row));
        assert!(r.depends_on.iter().all(|i| s.report.not_unique.contains(i)));
        assert_eq!(s.state.lambda[r.row], 0.0);
        // Rounding of some ten operations on numbers of size 10.
        check_consistent(&p, &s, 1e-10);
    }
}

#[test]
fn third_crank_too_long_is_contradictory() {
    let p = parallelogram(0.3, 1.05);
    match begin(&p) {
        Err(e @ StartError::Contradictory { .. }) => {
            let StartError::Contradictory { rows, level, state } = &e else {
                unreachable!()
            };
            assert_eq!(*level, Level::Position);
            assert!(
                rows[0].1.abs() > 1e-3 && rows[0].1.abs() < 0.1,
                "gap {}",
                rows[0].1
            );
            assert!(state.q.iter().all(|q| q.is_finite()));
            assert!(explanation(&p, &e).contains("joint `j"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn four_bars_in_regular_poses_keep_all_rows() {
    for (n, rows) in [(2, 14), (40, 242)] {
        let p = n_four_bar(n, 1.0, -1.0);
        let s = begin(&p).unwrap();
        assert_eq!(s.rows.c.len(), rows);
        assert_eq!(s.report.dof, 1);
        assert!(
            matches!(s.report.pose, PoseCheck::Regular { smallest_pivot } if smallest_pivot > 0.1)
        );
        assert!(s.report.not_unique.is_empty());
        assert_eq!(s.report.accelerations, Accelerations::Solved);
        // The consistent guess stays.
        assert!(s.report.moved.iter().all(|d| d.abs() < 1e-12));
        assert!(s.report.velocity_moved.iter().all(|d| d.abs() < 1e-12));
        check_consistent(&p, &s, 1e-9);
    }
}

#[test]
fn four_bars_in_the_singular_pose_keep_the_rows_of_the_neighbourhood() {
    for (n, rows, rank) in [(2, 14, 12), (40, 242, 202)] {
        let p = n_four_bar(n, FRAC_PI_2, -1.0);
        let s = begin(&p).unwrap();
        assert_eq!(s.rows.c.len(), rows);
        let PoseCheck::Singular {
            rows: lost,
            regained,
        } = &s.report.pose
        else {
            panic!("{:?}", s.report.pose)
        };
        assert_eq!(lost.len(), rows - rank);
        // The shake of 1e-3 comes back as pivots of 1e-4 for two rows; the last of forty is far
        // smaller, because the shaken cranks are independent random numbers.
        assert!(*regained > if n == 2 { 1e-5 } else { 1e-8 }, "{regained:e}");
        assert_eq!(s.report.accelerations, Accelerations::Branch);
        assert!(s.report.redundant.is_empty());
        assert!(lost.iter().all(|i| s.report.not_unique.contains(i)));
        // The motion with parallel cranks is smooth through the pose: crank and coupler are one
        // pendulum with (n+1)/3 + n about unit radius, driven by (n+1)/2 + n weights.
        let m = n as f64;
        let expected = -9.81 * ((m + 1.0) / 2.0 + m) / ((m + 1.0) / 3.0 + m);
        for i in 0..=n {
            // Extrapolated from 1e-2 and 5e-3: 1e-8 of the fourth derivative, here of size 1000.
            assert!(
                (s.state.a[3 * i + 2] - expected).abs() < 1e-6,
                "{}",
                s.state.a[3 * i + 2]
            );
        }
        // Reactions have a pole here, so finite multipliers cannot balance the equations of motion;
        // the three constraint levels hold.
        check_constraints(&p, &s, 1e-5);
    }
}

#[test]
fn singular_pose_with_velocities_off_every_branch_is_refused() {
    let mut p = n_four_bar(2, FRAC_PI_2, -1.0);
    p.facts.guess.v.fill(0.0);
    // Crank 0 turns faster than the others: allowed to first order, not to second.
    for (i, w) in [(0, -2.0), (1, -1.0), (2, -1.0)] {
        p.facts.guess.v[3 * i + 1] = 0.5 * w;
        p.facts.guess.v[3 * i + 2] = w;
    }
    p.facts.guess.v[3 * 3 + 1] = -1.5;
    p.facts.guess.v[3 * 3 + 2] = 1.0;
    p.facts.guess.v[3 * 4 + 1] = -1.0;
    let e = begin(&p).unwrap_err();
    let StartError::SingularStart {
        rows,
        violated,
        level,
        ..
    } = &e
    else {
        panic!("{e:?}")
    };
    assert_eq!(*level, Level::Acceleration);
    assert_eq!((rows.len(), violated.is_empty()), (2, false));
    assert!(explanation(&p, &e).contains("Try: move the start"));
}

#[test]
fn dead_centre_is_regular_and_equal_lengths_are_singular() {
    let s = begin(&slider_crank(0.5, 1.0, 0.0)).unwrap();
    assert_eq!(s.rows.c.len(), 8);
    assert!(matches!(s.report.pose, PoseCheck::Regular { smallest_pivot } if smallest_pivot > 0.1));

    // rank 7 of 8 at the pose, and at rest no branch is chosen
    let p = slider_crank(1.0, 1.0, FRAC_PI_2);
    let e = begin(&p).unwrap_err();
    let StartError::SingularStart {
        rows,
        violated,
        state,
        ..
    } = &e
    else {
        panic!("{e:?}")
    };
    assert_eq!((rows.len(), violated.len()), (1, 0));
    assert!(state.q.iter().all(|x| x.is_finite()), "the pose is kept");
    let words = explanation(&p, &e);
    assert!(words.contains("choose none of the branches"), "{words}");
    assert!(words.matches("Try: ").count() == 2, "{words}");
}

#[test]
fn close_to_the_singular_pose_is_reported() {
    let p = n_four_bar(2, FRAC_PI_2 - 1e-6, -1.0);
    let s = begin(&p).unwrap();
    let PoseCheck::NearlySingular {
        smallest_pivot,
        rows,
    } = &s.report.pose
    else {
        panic!("{:?}", s.report.pose)
    };
    assert!((1e-9..1e-4).contains(smallest_pivot));
    assert!(!rows.is_empty());
    assert_eq!(s.rows.c.len(), 14);
}

/// A body on two ground hinges a unit apart in the body and `1 + gap` on the ground.
fn two_hinges(gap: f64) -> Planar {
    Planar::new(
        vec![rod([0.0, 0.0], [1.0, 0.0], 1.0)],
        vec![
            Revolute(on(0, -0.5, 0.0), ground(0.0, 0.0)),
            Revolute(on(0, 0.5, 0.0), ground(1.0 + gap, 0.0)),
        ],
        vec![],
    )
}

#[test]
fn hinges_apart_are_contradictory() {
    for gap in [1e-3, 1e-6] {
        let e = begin(&two_hinges(gap)).unwrap_err();
        let StartError::Contradictory { rows, level, .. } = &e else {
            panic!("{e:?}")
        };
        assert_eq!(*level, Level::Position);
        // The least-squares pose shares the gap between both hinges.
        assert!((rows[0].1.abs() - gap / 2.0).abs() < 0.01 * gap, "{rows:?}");
        assert_eq!(
            rows.iter().map(|r| r.0).collect::<BTreeSet<_>>(),
            BTreeSet::from([0, 2]),
            "x rows of both"
        );
    }
    let s = begin(&two_hinges(0.0)).unwrap();
    assert_eq!((s.rows.c.len(), s.report.dof), (3, 0));
    assert_eq!(s.report.redundant.len(), 1);
}

#[test]
fn far_start_assembles_and_exact_values_stay() {
    // Crank 1, coupler 3, rocker 2.5, ground 3; all bodies but the crank start at the origin.
    let (l1, l2, l3) = (1.0, 3.0, 2.5);
    let angle: f64 = 0.7;
    let crank = rod([0.0, 0.0], [l1 * angle.cos(), l1 * angle.sin()], 1.0);
    let lost = |length: f64, pose| Body {
        mass: 1.0,
        inertia: length * length / 12.0,
        pose,
    };
    for guess in [
        [0.0; 3],
        [1.0, -2.0, 2.0],
        [5.0, 5.0, -1.0],
        [-3.0, 0.0, 3.0],
    ] {
        let mut p = Planar::new(
            vec![crank, lost(l2, guess), lost(l3, guess)],
            vec![
                Revolute(on(0, -l1 / 2.0, 0.0), ground(0.0, 0.0)),
                Revolute(on(1, -l2 / 2.0, 0.0), on(0, l1 / 2.0, 0.0)),
                Revolute(on(1, l2 / 2.0, 0.0), on(2, l3 / 2.0, 0.0)),
                Revolute(on(2, -l3 / 2.0, 0.0), ground(3.0, 0.0)),
            ],
            vec![],
        );
        p.facts.guess.weight_q[..3].fill(1e6);
        p.facts.guess.v[2] = 10.0;
        p.facts.guess.weight_v[2] = 1e6;
        let s = begin(&p).unwrap();
        // Weight 1e6 allows a millionth of the motion of the others; the second pass holds better.
        for i in 0..3 {
            assert!(s.report.moved[i].abs() < 1e-10, "{:?}", s.report.moved);
        }
        assert!(
            s.report.velocity_moved[2].abs() < 1e-10,
            "{}",
            s.report.velocity_moved[2]
        );
        assert_eq!(s.report.dof, 1);
        assert!(s.report.residual_before.iter().any(|c| c.abs() > 0.5));
        check_consistent(&p, &s, 1e-8);
    }
}

#[test]
fn driven_slider_crank_matches_the_closed_form() {
    let (l1, l2, angle) = (0.5, 1.2, 0.9);
    let mut p = slider_crank(l1, l2, angle);
    let drive = Drive {
        body: 0,
        axis: 2,
        offset: angle - 0.3 * (2.0f64 * 0.4).sin() - 3.0 * 0.4,
        rate: 3.0,
        amplitude: 0.3,
        frequency: 2.0,
    };
    p = Planar::new(
        p.bodies.clone(),
        p.joints.clone(),
        [&p.drives[..], &[drive]].concat(),
    );
    p.facts.guess.t = 0.4;
    shake(&mut p, 0.05);
    let s = begin(&p).unwrap();
    assert_eq!(s.report.dof, 0);
    let [phi, w, alpha] = drive.value(0.4);
    let (sn, cs) = phi.sin_cos();
    // x = l1 cos phi + f, f = sqrt(l2^2 - l1^2 sin^2 phi), f f' = -l1^2 sin phi cos phi w.
    let f = (l2 * l2 - l1 * l1 * sn * sn).sqrt();
    let fd = -l1 * l1 * sn * cs * w / f;
    let fdd = (-l1 * l1 * ((cs * cs - sn * sn) * w * w + sn * cs * alpha) - fd * fd) / f;
    let exact = [
        l1 * cs + f,
        -l1 * sn * w + fd,
        -l1 * (cs * w * w + sn * alpha) + fdd,
    ];
    let got = [s.state.q[6], s.state.v[6], s.state.a[6]];
    for (g, e) in got.iter().zip(exact) {
        // Assembly to 1e-12 and rounding in numbers up to 10.
        assert!((g - e).abs() < 1e-11, "{got:?} {exact:?}");
    }
    check_consistent(&p, &s, 1e-10);
    let mut sys = p.clone();
    let (c, cv) = constraint_residuals(&mut sys, &s.state, &s.rows).unwrap();
    assert!(c < 1e-12 && cv < 1e-11);
}

#[test]
fn drives_that_disagree_in_speed_or_acceleration_are_contradictory() {
    let with = |second: Drive| {
        let p = slider_crank(0.5, 1.0, 0.9);
        let first = Drive {
            rate: 2.0,
            ..Drive::held(0, 2, 0.9)
        };
        Planar::new(
            p.bodies.clone(),
            p.joints.clone(),
            [&p.drives[..], &[first, second]].concat(),
        )
    };
    let same = Drive {
        rate: 2.0,
        ..Drive::held(0, 2, 0.9)
    };
    assert!(begin(&with(same)).is_ok());
    let faster = Drive { rate: 2.1, ..same };
    let e = begin(&with(faster)).unwrap_err();
    let StartError::Contradictory {
        level: Level::Velocity,
        rows,
        ..
    } = &e
    else {
        panic!("{e:?}")
    };
    assert!((rows[0].1.abs() - 0.1).abs() < 1e-6, "{rows:?}");
    // Same place and speed at the quarter period, other acceleration.
    let mut p = with(Drive {
        offset: 0.9 - 0.01,
        amplitude: 0.01,
        frequency: PI,
        ..same
    });
    p.facts.guess.t = 0.5;
    p.facts.guess.q[2] += 1.0;
    let e = begin(&p).unwrap_err();
    let StartError::Contradictory {
        level: Level::Acceleration,
        rows,
        ..
    } = &e
    else {
        panic!("{e:?}")
    };
    assert!((rows[0].1.abs() - 0.01 * PI * PI).abs() < 1e-6, "{rows:?}");
    assert!(explanation(&p, &e).contains("drive `d"));
}

#[test]
fn body_without_mass_is_named() {
    let mut p = slider_crank(0.5, 1.0, 0.9);
    p.bodies.push(Body {
        mass: 0.0,
        inertia: 0.1,
        pose: [3.0, 3.0, 0.0],
    });
    let p = Planar::new(p.bodies.clone(), p.joints.clone(), p.drives.clone());
    let e = begin(&p).unwrap_err();
    let StartError::MasslessDirection { row, state } = &e else {
        panic!("{e:?}")
    };
    assert!(matches!(row, Row::Velocity(9 | 10)), "{row:?}");
    assert!(state.q[9] == 3.0);
    assert!(explanation(&p, &e).contains("body `b3`"));
}

#[test]
fn tiny_and_held_inertias_do_not_look_singular() {
    let mut p = slider_crank(0.5, 1.0, 0.9);
    p.bodies[1].mass = 1e-6;
    p.bodies[1].inertia = 1e-9;
    check_consistent(&p, &begin(&p).unwrap(), 1e-9);
    // The slider cannot turn, the rod is fixed by its ends: no inertia is needed there.
    p.bodies[2].inertia = 0.0;
    p.bodies[1].mass = 0.0;
    p.bodies[1].inertia = 0.0;
    check_consistent(&p, &begin(&p).unwrap(), 1e-9);
}

#[test]
fn bad_numbers_are_named() {
    let mut p = parallelogram(0.3, 1.0);
    p.facts.guess.q[4] = f64::NAN;
    let e = begin(&p).unwrap_err();
    let StartError::NotFinite { what, .. } = &e else {
        panic!("{e:?}")
    };
    assert_eq!(what, "start value of body `b1`, y");

    let mut p = parallelogram(0.3, 1.0);
    p.bodies[2].mass = f64::INFINITY;
    let e = begin(&p).unwrap_err();
    let StartError::NotFinite { what, .. } = &e else {
        panic!("{e:?}")
    };
    assert_eq!(what, "the mass matrix of body `b2`, x velocity");

    let mut p = parallelogram(0.3, 1.0);
    p.facts.guess.v.pop();
    assert!(matches!(
        begin(&p),
        Err(StartError::WrongLength {
            found: 11,
            expected: 12,
            ..
        })
    ));
}

#[test]
fn large_redundant_chain_of_four_bars() {
    // Beyond the dense limit: 70 four-bars, 422 rows, and one crank joint stated twice.
    let base = n_four_bar(70, 1.0, -1.0);
    let mut joints = base.joints.clone();
    joints.push(base.joints[5]);
    let mut p = Planar::new(base.bodies.clone(), joints, vec![]);
    p.facts.guess.v.clone_from(&base.facts.guess.v);
    shake(&mut p, 1e-3);
    let s = begin(&p).unwrap();
    assert_eq!(s.rows.c.len(), 422);
    assert_eq!(s.report.dof, 1);
    let mut named: Vec<usize> = s.report.not_unique.clone();
    named.sort_unstable();
    assert_eq!(
        named,
        [10, 11, 422, 423],
        "the two rows stated twice, and nothing else"
    );
    check_consistent(&p, &s, 1e-8);
}

#[test]
fn the_unit_of_length_does_not_matter() {
    let metres = n_four_bar(3, 1.1, -2.0);
    let reference = begin(&metres).unwrap();
    for factor in [1e-3, 1e3] {
        let mut p = metres.clone().in_unit(factor);
        for (i, q) in p.facts.guess.q.iter_mut().enumerate() {
            *q += 1e-4 * (i as f64).sin() * if i % 3 == 2 { 1.0 } else { factor };
        }
        let s = begin(&p).unwrap();
        assert_eq!(s.rows, reference.rows);
        // The disturbed guess ends up to 1e-4 away on the branch; gravity times that is left.
        for i in (2..p.facts().dims.nv).step_by(3) {
            assert!((s.state.a[i] - reference.state.a[i]).abs() < 1e-2);
        }
        let p = parallelogram(0.3, 1.0).in_unit(factor);
        assert_eq!(begin(&p).unwrap().rows.c.len(), 11);
        assert!(matches!(
            begin(&parallelogram(0.3, 1.05).in_unit(factor)),
            Err(StartError::Contradictory { .. })
        ));
        let p = n_four_bar(2, FRAC_PI_2, -1.0).in_unit(factor);
        assert_eq!(
            begin(&p).unwrap().report.accelerations,
            Accelerations::Branch
        );
    }
}

#[test]
fn unconstrained_body_falls() {
    let p = Planar::new(vec![rod([0.0, 0.0], [1.0, 0.0], 2.0)], vec![], vec![]);
    let s = begin(&p).unwrap();
    assert_eq!((s.report.dof, s.rows), (3, Rows::default()));
    assert_eq!(s.state.a, [0.0, -9.81, 0.0]);
}

#[test]
fn derivatives_of_the_test_mechanism_are_right() {
    // gamma is minus the second time derivative of C along a path with zero acceleration; C_q v +
    // C_t the first. Central differences of step 1e-4 on curves with derivatives of size 1 to 10.
    let mut p = n_four_bar(2, 0.4, -1.3);
    p.drives.clear();
    let n = p.facts().dims.nv;
    let (q, v) = (
        p.facts.guess.q.clone(),
        (0..n).map(|i| 0.3 + 0.1 * i as f64).collect::<Vec<_>>(),
    );
    let mut c = |h: f64| {
        let q: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + h * v).collect();
        let at = At {
            t: h,
            q: &q,
            v: &v,
            a: &[],
            lambda: &[],
            x: &[],
        };
        let m = p.facts().dims.nc;
        let [mut c, mut cv, mut gamma] = [(); 3].map(|()| vec![0.0; m]);
        let mut want = Terms {
            c: Some(&mut c),
            cv: Some(&mut cv),
            gamma: Some(&mut gamma),
            ..Terms::default()
        };
        p.eval(&at, &mut want).unwrap();
        (c, cv, gamma)
    };
    let h = 1e-4;
    let (plus, zero, minus) = (c(h), c(0.0), c(-h));
    for i in 0..zero.0.len() {
        assert!(((plus.0[i] - minus.0[i]) / (2.0 * h) - zero.1[i]).abs() < 1e-6);
        assert!(((plus.1[i] - minus.1[i]) / (2.0 * h) + zero.2[i]).abs() < 1e-6);
    }
}
