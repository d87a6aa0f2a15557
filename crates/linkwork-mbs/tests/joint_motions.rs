//! Joints close along the motions that they are for, and open beside them: known ratios, pitches and outlines.

use linkwork_mbs::Formula;
use linkwork_mbs::curve::Curve;
use linkwork_mbs::geometry::{
    Axis, Frame, IDENTITY, Marker, Matrix, Pose, Site, Vector, add, apply, cross, product, scaled,
    sub,
};
use linkwork_mbs::joint::{
    Cam, ConstantVelocity, Disc, Fixture, Follower, Gear, Joint, JointPoint, JointTerms,
    RackPinion, RollingDisc, Screw, Want,
};
use linkwork_mbs::lanes::Lanes;
use linkwork_mbs::orientation::rotation_by;
use linkwork_mbs::part::Part;
use std::f64::consts::TAU;

/// A body at rest.
fn still(position: Vector, rotation: Matrix) -> Frame {
    Frame {
        pose: Pose::new(position, rotation),
        ..Frame::GROUND
    }
}

/// Equations of positions and velocities between two frames; angles are counted on.
fn eval(joint: &dyn Joint, [a, b]: [&Frame; 2], turns: &mut [f64]) -> JointTerms {
    let known = turns.to_vec();
    let at = JointPoint {
        t: 0.0,
        a,
        b,
        lambda: &[],
        turns: &known,
        lanes: &Lanes::ALL,
    };
    joint.wind(&at, turns);
    let mut out = JointTerms::default();
    joint.eval(&at, Want::C | Want::CV, &mut out);
    out
}

/// A nut turned in steps below half a turn, five turns up and five turns down: it closes only
/// where it has advanced by the pitch per turn.
#[test]
fn a_screw_advances_by_the_pitch_over_five_turns() {
    let pitch = 0.004;
    let mut screw = Screw::at([0.0; 3], [0.0, 0.0, 1.0], pitch);
    screw.place(&Site::GROUND, &Site::GROUND);
    let mut turns = [0.0];
    for step in (0..=50).chain((0..50).rev()) {
        let turned = f64::from(step) / 10.0;
        let rotation = rotation_by([0.0, 0.0, TAU * turned]);
        let nut = still([0.0, 0.0, pitch * turned], rotation);
        let out = eval(&screw, [&Frame::GROUND, &nut], &mut turns);
        assert!((turns[0] - TAU * turned).abs() < 1e-12);
        assert!(out.c.iter().all(|c| c.abs() < 1e-15), "{turned}: {out:?}");
    }
}

/// A pinion above the rack with its axis along y rolls along x, by its circumference per turn.
#[test]
fn a_pinion_rolls_its_circumference_per_turn() {
    let r = 0.02;
    let mut pair = RackPinion::at([0.0, 0.0, r], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], r);
    pair.place(&Site::GROUND, &Site::GROUND);
    let mut turns = [0.0];
    for step in 0..40 {
        let angle = 0.5 * f64::from(step);
        // rolling: omega x (r up) = omega r (y x z) = omega r x
        let centre = [r * angle, 0.0, r];
        let rotation = rotation_by([0.0, angle, 0.0]);
        let turned = apply(&rotation, [0.0, 0.0, r]);
        let pinion = still(sub(centre, turned), rotation);
        let out = eval(&pair, [&Frame::GROUND, &pinion], &mut turns);
        assert!(out.c[0].abs() < 1e-15, "{angle}: {}", out.c[0]);
    }
    assert!((turns[0] - 19.5).abs() < 1e-12);
}

/// Sun and planet on a carrier that turns too: Willis' equation over seven turns of the sun.
#[test]
fn planets_obey_willis() {
    let ratio = -1.5;
    let arm = [0.3, 0.0, 0.0];
    let start = Site {
        pose: Pose::new(arm, IDENTITY),
        ..Site::GROUND
    };
    let mut gear = Gear::parallel([0.0; 3], arm, [0.0, 0.0, 1.0], ratio);
    gear.place(&Site::GROUND, &start);
    gear.check().unwrap();
    let mut turns = [0.0; 2];
    for step in 0..700 {
        let sun = 0.01 * TAU * f64::from(step);
        let carrier = 0.37 * sun;
        let planet = carrier + ratio * (sun - carrier);
        let about = |angle: f64| rotation_by([0.0, 0.0, angle]);
        let a = still([0.0; 3], about(sun));
        let b = still(apply(&about(carrier), arm), about(planet));
        let c = eval(&gear, [&a, &b], &mut turns).c[0];
        assert!(c.abs() < 1e-12, "{sun}: {c}");
    }
    assert!((turns[0] - 0.63 * 6.99 * TAU).abs() < 1e-10);
}

/// Bevel wheels with axes at right angles, three turns.
#[test]
fn bevel_wheels_keep_their_ratio() {
    let ratio = 0.4;
    let mut gear = Gear::crossed([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], ratio);
    gear.place(&Site::GROUND, &Site::GROUND);
    gear.check().unwrap();
    // the whole gear may lie anywhere
    let whole = rotation_by([0.3, -0.8, 0.5]);
    let mut turns = [0.0; 2];
    for step in 0..60 {
        let angle = 0.05 * TAU * f64::from(step);
        let a = product(&whole, &rotation_by([angle, 0.0, 0.0]));
        let b = product(&whole, &rotation_by([0.0, ratio * angle, 0.0]));
        let wheels = [still([0.0; 3], a), still([0.0; 3], b)];
        let c = eval(&gear, wheels.each_ref(), &mut turns).c[0];
        assert!(c.abs() < 1e-13, "{angle}: {c}");
    }
    let mut parallel = Gear::crossed([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], ratio);
    parallel.place(&Site::GROUND, &Site::GROUND);
    assert!(parallel.check().is_err());
}

/// Two shafts bent by 40 degrees, also at the start: equal angles close the joint everywhere,
/// and at equal speeds it does not open; a Cardan joint would be off by up to 15 degrees.
#[test]
fn constant_velocity_passes_equal_speeds_at_a_bend() {
    let bend = 0.7_f64;
    let shaft = [bend.cos(), bend.sin(), 0.0];
    let mut joint = ConstantVelocity::at([0.0; 3], [1.0, 0.0, 0.0], shaft);
    joint.place(&Site::GROUND, &Site::GROUND);
    joint.check().unwrap();
    for step in 0..30 {
        let angle = 0.3 * f64::from(step);
        let frame = |axis: Vector, speed: f64| Frame {
            omega: scaled(axis, speed),
            ..still([0.0; 3], rotation_by(scaled(axis, angle)))
        };
        let at = |speed: f64| {
            let shafts = [frame([1.0, 0.0, 0.0], 2.0), frame(shaft, speed)];
            let out = eval(&joint, shafts.each_ref(), &mut []);
            (out.c[3], out.cv[3])
        };
        let (closed, moves) = at(2.0);
        assert!(closed.abs() < 1e-14 && moves.abs() < 1e-14, "{angle}");
        assert!(at(2.1).1.abs() > 0.05);
    }
}

/// A circle with its centre off the axis lifts a flat face by `radius + off cos(angle)` and a
/// tip to `off cos + sqrt(radius^2 - off^2 sin^2)`: the closed forms of the eccentric.
#[test]
fn an_eccentric_lifts_as_known() {
    let (radius, off) = (0.03_f64, 0.01_f64);
    let outlines = [
        (Follower::Flat, "0.03 + 0.01*cos(angle)"),
        (
            Follower::Knife,
            "0.01*cos(angle) + sqrt(0.03^2 - (0.01*sin(angle))^2)",
        ),
    ];
    for (follower, text) in outlines {
        let mut fixture = Fixture::at([0.0; 3], [0.0, 0.0, 1.0]);
        fixture.normal_a = Some(Axis::global([1.0, 0.0, 0.0]));
        fixture.normal_b = Some(Axis::global([0.0, 1.0, 0.0]));
        fixture.b = Marker::body([0.0; 3]);
        let profile = Formula::parse_with_signals(text).unwrap();
        let mut cam = Cam {
            follower,
            fixture,
            profile: Curve::formula(profile, "angle").unwrap(),
        };
        cam.place(&Site::GROUND, &Site::GROUND);
        for step in 0..40 {
            let turned = 0.4 * f64::from(step);
            let centre = [off * turned.cos(), off * turned.sin()];
            let height = match follower {
                Follower::Flat => centre[1] + radius,
                Follower::Knife => centre[1] + (radius * radius - centre[0] * centre[0]).sqrt(),
            };
            let wheel = still([0.0; 3], rotation_by([0.0, 0.0, turned]));
            let lifted = still([0.0, height, 0.0], IDENTITY);
            let c = eval(&cam, [&wheel, &lifted], &mut []).c;
            assert!(c[0].abs() < 1e-15, "{follower:?} {turned}: {c:?}");
        }
    }
}

/// A leaning disc: e1 = (cos psi, sin psi, 0) is the heading, e3 the axis, e2 = e3 x e1 points
/// up the disc. Without slip its centre, r e2 above the contact, moves with r (w1 e3 - w3 e1)
/// for the angular velocity w1 e1 + w2 e2 + w3 e3, whatever w2.
#[test]
fn the_centre_of_a_disc_moves_as_rolling_demands() {
    let (r, psi, theta) = (0.4_f64, 0.7_f64, 1.1_f64);
    let e1 = [psi.cos(), psi.sin(), 0.0];
    // axis at the angle theta from the vertical, heading k x e3 / |k x e3| = e1
    let e3 = [
        theta.sin() * psi.sin(),
        -theta.sin() * psi.cos(),
        theta.cos(),
    ];
    let e2 = cross(e3, e1);
    assert!(e2[2] > 0.0);
    let w = [0.3, -0.8, 2.5];
    let spin = add(add(scaled(e1, w[0]), scaled(e2, w[1])), scaled(e3, w[2]));
    let velocity = scaled(add(scaled(e3, w[0]), scaled(e1, -w[2])), r);
    // the disc turned about its axis by some angle: columns of the rotation
    let (s, c) = 0.9_f64.sin_cos();
    let x = add(scaled(e1, c), scaled(e2, s));
    let y = cross(e3, x);
    let rotation = std::array::from_fn(|i| [x[i], y[i], e3[i]]);
    let pose = Pose::new([1.0, -2.0, r * theta.sin()], rotation);
    let disc = |velocity: Vector| Frame {
        pose,
        velocity,
        omega: pose.local_direction(spin),
    };
    let mut joint = RollingDisc {
        disc: Disc {
            b: [0.0; 3].into(),
            axis: [0.0, 0.0, 1.0].into(),
            ..Disc::on_floor([0.0; 3], [0.0, 0.0, 1.0], r)
        },
    };
    joint.place(&Site::GROUND, &Site::GROUND);
    let rolls = |a: &Frame, b: &Frame| eval(&joint, [a, b], &mut []);
    let JointTerms { c, cv, .. } = rolls(&Frame::GROUND, &disc(velocity));
    assert!(c[0].abs() < 1e-15);
    assert!(cv.iter().all(|x| x.abs() < 1e-15), "{cv:?}");
    // slip is what the centre moves too much, along e1 and k x e1
    let slip = add(scaled(e1, 0.1), scaled(cross([0.0, 0.0, 1.0], e1), 0.2));
    let cv = rolls(&Frame::GROUND, &disc(add(velocity, slip))).cv;
    assert!((cv[1] - 0.1).abs() < 1e-15 && (cv[2] - 0.2).abs() < 1e-15);
    // on a turntable the floor moves
    let table = Frame {
        omega: [0.0, 0.0, 1.0],
        ..Frame::GROUND
    };
    let contact = add(pose.position, scaled(e2, -r));
    let carried = add(velocity, cross([0.0, 0.0, 1.0], contact));
    let cv = rolls(&table, &disc(carried)).cv;
    assert!(cv.iter().all(|x| x.abs() < 1e-15), "{cv:?}");
}
