//! The elastic slider crank as a mechanism in space with a flexible body, against the references of the hand-written
//! system, which were computed in extended precision at t = 0.1.
//!
//! The published model lacks the factor 1/15 in the mass of the stretch of its rod. Here pairs of points that carry almost no
//! mass and are displaced against each other by very much have what is more.

use linkwork_dae::drive::Ending;
use linkwork_mbs::carrier::{Modal, ModalPoint};
use linkwork_mbs::joint::{Drive, Prismatic, Revolute};
use linkwork_mbs::{Body, BodyRef, Formula, Model, assemble};
use linkwork_problems::study::Setup;
use std::f64::consts::PI;

const GROUND: BodyRef = BodyRef::GROUND;
const L1: f64 = 0.15;
const L2: f64 = 0.3;
const OMEGA: f64 = 150.0;
const HEIGHT: f64 = 0.008;
const ROD: f64 = 7870.0 * HEIGHT * HEIGHT * L2;

/// Places within 0 to 1 and weights of Gauss's rule with eight points, in each of four equal parts.
fn rule() -> Vec<(f64, f64)> {
    const GAUSS: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ];
    let both = GAUSS.iter().flat_map(|(x, w)| [(*x, *w), (-*x, *w)]);
    let both: Vec<(f64, f64)> = both.map(|(x, w)| (0.5 + 0.5 * x, 0.5 * w)).collect();
    (0..4)
        .flat_map(|k| {
            both.iter()
                .map(move |(x, w)| ((f64::from(k) + x) / 4.0, w / 4.0))
        })
        .collect()
}

fn rod(damped: bool) -> Modal {
    let shapes = |s: f64| {
        vec![
            [0.0, (PI * s).sin(), 0.0],
            [0.0, (2.0 * PI * s).sin(), 0.0],
            [4.0 * s * (1.0 - s), 0.0, 0.0],
            [s * (2.0 * s - 1.0), 0.0, 0.0],
        ]
    };
    let still = || vec![[0.0; 3]; 4];
    let point = |(s, w): (f64, f64)| ModalPoint {
        place: [s * L2, 0.0, 0.0],
        mass: ROD * w,
        inertia: [2.0, 1.0, 1.0].map(|x| x * ROD * w * HEIGHT * HEIGHT / 12.0),
        displacement: shapes(s),
        rotation: still(),
        ..ModalPoint::default()
    };
    let mut points: Vec<ModalPoint> = rule().into_iter().map(point).collect();
    // 14/15 [[8, 1], [1, 2]] of the mass, by its Cholesky factors
    let part = 1e-9f64;
    let far = (14.0 / 15.0 / (2.0 * part)).sqrt();
    let root = 8f64.sqrt();
    for (middle, end) in [(root, 1.0 / root), (0.0, (2.0 - 1.0 / 8.0f64).sqrt())] {
        for side in [far, -far] {
            let mut displacement = still();
            displacement[2][0] = side * middle;
            displacement[3][0] = side * end;
            points.push(ModalPoint {
                place: [0.5 * L2, 0.0, 0.0],
                mass: part * ROD,
                displacement,
                rotation: still(),
                ..ModalPoint::default()
            });
        }
    }
    let end = points.len();
    points.push(ModalPoint {
        place: [L2, 0.0, 0.0],
        displacement: shapes(1.0),
        rotation: vec![
            [0.0, 0.0, -PI / L2],
            [0.0, 0.0, 2.0 * PI / L2],
            [0.0; 3],
            [0.0; 3],
        ],
        ..ModalPoint::default()
    });
    let stretch = 2.0e11 * HEIGHT * HEIGHT / L2;
    let bend = stretch * PI.powi(4) * (HEIGHT / L2).powi(2);
    let mut stiffness = vec![0.0; 16];
    (stiffness[0], stiffness[5]) = (bend / 24.0, bend * 2.0 / 3.0);
    (stiffness[10], stiffness[15]) = (16.0 / 3.0 * stretch, 7.0 / 3.0 * stretch);
    (stiffness[11], stiffness[14]) = (-8.0 / 3.0 * stretch, -8.0 / 3.0 * stretch);
    let mut damping = Vec::new();
    if damped {
        damping = vec![0.0; 16];
        (damping[0], damping[5]) = (5.0, 25.0);
        (damping[10], damping[15]) = (0.5 * 230.837_545_526_479_1, 0.5 * 421.742_183_715_681_8);
        (damping[11], damping[14]) = (-0.5 * 262.688_487_992_052_6, -0.5 * 262.688_487_992_052_6);
    }
    Modal {
        points,
        stiffness,
        damping,
        damping_ratio: vec![0.0; 4],
        frames: vec![("end".into(), end)],
        start: vec![
            [0.0, 0.444_896_105],
            [0.0, 0.463_434_311e-2],
            [0.103_339_863e-4, -0.178_591_076e-5],
            [0.169_327_969e-4, -0.268_938_672e-5],
        ],
        ..Modal::default()
    }
}

fn mechanism(damped: bool) -> Model {
    let z = [0.0, 0.0, 1.0];
    let mut m = Model::new("elastic slider crank");
    let crank = Body::rigid("crank", 1.0, [0.1, 0.1, 0.002727]).spinning([0.0, 0.0, OMEGA]);
    let crank = m.add_body(crank);
    let stretched = L2 + 0.169_327_969e-4;
    let flexible = Body::modal("rod", rod(damped))
        .at([L1, 0.0, 0.0])
        .moving([0.0, L1 * OMEGA, 0.0])
        .spinning([0.0, 0.0, -L1 * OMEGA / stretched]);
    let flexible = m.add_body(flexible.exact_pose().exact_velocity());
    let block = Body::rigid("block", 0.075552, [1e-4; 3])
        .at([L1 + stretched, 0.0, 0.0])
        .moving([-0.268_938_672e-5, 0.0, 0.0]);
    let block = m.add_body(block);
    m.add_joint("bearing", GROUND, crank, Revolute::at([0.0; 3], z));
    let drive = Drive::angle(z, Formula::parse("150*t").unwrap());
    m.add_joint("drive", GROUND, crank, drive);
    m.add_joint("pin", crank, flexible, Revolute::at([L1, 0.0, 0.0], z));
    let far = [L1 + stretched, 0.0, 0.0];
    m.add_joint("eye", flexible.on_frame(1), block, Revolute::at(far, z));
    m.add_joint("guide", GROUND, block, Prismatic::at(far, [1.0, 0.0, 0.0]));
    m
}

const CONSISTENT: &str = include_str!("../reference/slider_crank_consistent.csv");
/// From the published start, which is the consistent one to 9 digits.
const DAMPED: &str = include_str!("../reference/slider_crank_damped.csv");

/// Position of the block and the four elastic coordinates.
fn reference(text: &str) -> Vec<f64> {
    let all = text.lines().skip(1);
    let all = all.map(|l| l.split(',').nth(1).unwrap().parse().unwrap());
    all.skip(2).take(5).collect()
}

#[test]
fn the_flexible_body_meets_the_reference_of_the_hand_written_system() {
    let cases = [
        ("bdf", "ggl", 1e-8, false),
        ("bdf", "index3", 1e-8, false),
        ("bdf", "ggl", 1e-8, true),
    ];
    for (method, formulation, tolerance, damped) in cases {
        let wanted = reference(if damped { DAMPED } else { CONSISTENT });
        let model = mechanism(damped);
        let mut system = assemble(&model).unwrap();
        let mut setup = Setup::new(method, formulation, 0.1, tolerance);
        setup.plan.tolerances.atol = None;
        let out = setup.run(&mut system, &mut ()).unwrap();
        assert_eq!(out.ending, Ending::Finished);
        // rigid bodies are numbered first
        let q = &out.state.q;
        let found = [q[6], q[18], q[19], q[20], q[21]];
        println!("{method}: {found:?} {wanted:?}");
        for (i, (x, w)) in found.iter().zip(&wanted).enumerate() {
            let off = (x / w - 1.0).abs();
            assert!(off < 1e-3, "{method} {i}: {x} {w} {off:e}");
        }
    }
}
