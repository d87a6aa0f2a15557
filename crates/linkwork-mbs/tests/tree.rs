//! Recursions over trees of bodies: against each other, against differences, against conservation.

mod trees;

use linkwork_mbs::tree::derivatives::Point;
use linkwork_mbs::tree::{
    Aba, Branches, Crba, Derivatives, Frame, Inertia, Kinematics, Ltl, Mat3, Mobility, Placement,
    Rnea, Sym3, Tree, TreeError, Vec3, Wrench,
};
use trees::{Random, energy_and_momentum, largest_difference, moved, random_pose, random_tree};

const SIZES: [usize; 4] = [1, 2, 7, 24];

/// Trees of one joint kind each, then of all.
fn every_tree() -> Vec<Tree> {
    let mut out: Vec<Tree> = (Mobility::ALL.iter().enumerate())
        .map(|(k, j)| random_tree(k as u64 + 1, 5, &[*j]))
        .collect();
    out.extend(
        SIZES
            .iter()
            .map(|&n| random_tree(n as u64 + 100, n, &Mobility::ALL)),
    );
    out
}

fn inverse(tree: &Tree, q: &[f64], v: &[f64], a: &[f64], external: &[Wrench]) -> Vec<f64> {
    let mut tau = vec![0.0; tree.nv()];
    Rnea::new(tree).run(tree, q, v, a, external, &mut tau);
    tau
}

fn forward(tree: &Tree, q: &[f64], v: &[f64], tau: &[f64], external: &[Wrench]) -> Vec<f64> {
    let mut a = vec![0.0; tree.nv()];
    let done = Aba::new(tree).run(tree, q, v, tau, external, &mut a);
    assert_eq!(done, Ok(()));
    a
}

fn size(x: &[f64]) -> f64 {
    x.iter().fold(1.0f64, |m, x| m.max(x.abs()))
}

/// Two different algorithms in different axes undo each other to rounding: some hundred roundings
/// for condition numbers of random trees.
#[test]
fn forward_dynamics_undoes_inverse_dynamics() {
    for (n, tree) in every_tree().iter().enumerate() {
        let mut random = Random(n as u64);
        let q = random.list(tree.nv());
        let [v, a] = [(); 2].map(|()| random.list(tree.nv()));
        let external: Vec<Wrench> = (0..tree.bodies())
            .map(|_| Wrench::new(random.vector(), random.vector()))
            .collect();
        let tau = inverse(tree, &q, &v, &a, &external);
        let back = forward(tree, &q, &v, &tau, &external);
        let e = largest_difference(&back, &a);
        assert!(e < 1e-9, "tree {n}: {e:.1e}");
        let again = inverse(tree, &q, &v, &back, &external);
        let e = largest_difference(&again, &tau) / size(&tau);
        assert!(e < 1e-11, "tree {n}: {e:.1e}");
    }
}

/// Bodies without inertia may be in between, as long as those that they carry have some.
#[test]
fn massless_bodies_in_between() {
    for seed in 0..20 {
        let mut random = Random(seed + 500);
        let mut tree = Tree::new(Vec3::new(0.5, -1.0, -9.81));
        let mut frame = Frame::GROUND;
        let joints = [
            Mobility::Prismatic,
            Mobility::Screw { pitch: 0.2 },
            Mobility::Revolute,
        ];
        for i in 0..9 {
            // three in a row have at most six freedoms, which one body with inertia resists
            let joint = joints[(i + seed as usize) % 3];
            let inertia = match i % 3 {
                2 => random.inertia(),
                _ => Inertia::ZERO,
            };
            let on = [random.placement(), random.placement()];
            let parent = if i == 6 { Frame::GROUND } else { frame };
            frame = tree.add(&parent, joint, &on[0], &on[1], &inertia).unwrap();
        }
        let n = tree.nv();
        let (q, v, tau) = (random.list(n), random.list(n), random.list(n));
        let none = vec![Wrench::ZERO; tree.bodies()];
        let a = forward(&tree, &q, &v, &tau, &none);
        let again = inverse(&tree, &q, &v, &a, &none);
        // accelerations of light parts are large, and what cancels loses as many digits
        let bound = 1e-12 * size(&a).max(1.0) * 10.0;
        let error = largest_difference(&tau, &again);
        assert!(
            error < bound,
            "{seed}: {error:.1e}, accelerations {:.1e}",
            size(&a)
        );
    }
}

/// Power of the joint forces is the rate of kinetic and potential energy, which come from
/// velocities alone; central differences along the motion leave 1e-8.
#[test]
fn power_is_the_rate_of_energy() {
    for (n, tree) in every_tree().iter().enumerate() {
        let mut random = Random(n as u64 + 7);
        let q = random_pose(tree, &mut random);
        let [v, a] = [(); 2].map(|()| random.list(tree.nv()));
        let tau = inverse(tree, &q, &v, &a, &[]);
        let power: f64 = tau.iter().zip(&v).map(|(t, v)| t * v).sum();
        let h = 1e-5;
        let energy = |h: f64| {
            let (tree, q) = moved(tree, &q, &v, h);
            let v: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + h * a).collect();
            let (kinetic, potential, ..) = energy_and_momentum(&tree, &q, &v);
            kinetic + potential
        };
        let rate = (energy(h) - energy(-h)) / (2.0 * h);
        let e = (power - rate).abs() / size(&tau);
        assert!(e < 1e-7, "tree {n}: {power} {rate}");
    }
}

/// A tree on a free base without gravity keeps its momentum, whatever its joints do. Gyroscopic
/// terms, which do no work, show here.
#[test]
fn a_free_tree_keeps_its_momentum() {
    for seed in 0..6 {
        let mut random = Random(seed + 50);
        let mut tree = Tree::new(Vec3::ZERO);
        let base = tree
            .add(
                &Frame::GROUND,
                Mobility::Free,
                &random.placement(),
                &random.placement(),
                &random.inertia(),
            )
            .unwrap();
        let mut last = base;
        for k in 0..8 {
            let joint = Mobility::ALL[(k + seed as usize) % Mobility::ALL.len()];
            let parent = if k % 3 == 0 { base } else { last };
            let (on_parent, on_child) = (random.placement(), random.placement());
            last = tree
                .add(&parent, joint, &on_parent, &on_child, &random.inertia())
                .unwrap();
        }
        let q = random_pose(&tree, &mut random);
        let v = random.list(tree.nv());
        let mut tau = random.list(tree.nv());
        tau[..6].fill(0.0);
        let a = forward(&tree, &q, &v, &tau, &[]);
        let h = 1e-5;
        let at = |h: f64| {
            let (tree, q) = moved(&tree, &q, &v, h);
            let v: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + h * a).collect();
            let (_, _, linear, angular) = energy_and_momentum(&tree, &q, &v);
            (linear, angular)
        };
        let (now, next) = (at(-h), at(h));
        let rate = |a: Vec3, b: Vec3| (b - a).norm() / (2.0 * h);
        let scale = size(&a) * 10.0;
        assert!(rate(now.0, next.0) < 1e-7 * scale, "seed {seed}");
        assert!(rate(now.1, next.1) < 1e-7 * scale, "seed {seed}");
    }
}

/// Columns of the mass matrix are the forces of unit accelerations, and its factors solve with it.
#[test]
fn the_mass_matrix_is_that_of_unit_accelerations() {
    for (n, tree) in every_tree().iter().enumerate() {
        let mut random = Random(n as u64 + 13);
        let q = random.list(tree.nv());
        let nv = tree.nv();
        let zero = vec![0.0; nv];
        let branches = Branches::new(tree);
        let mass = full_mass(tree, &branches, &q);
        let bias = inverse(tree, &q, &zero, &zero, &[]);
        for k in 0..nv {
            let mut unit = zero.clone();
            unit[k] = 1.0;
            let column: Vec<f64> = (inverse(tree, &q, &zero, &unit, &[]).iter().zip(&bias))
                .map(|(x, b)| x - b)
                .collect();
            let mine: Vec<f64> = (0..nv).map(|i| mass[i * nv + k]).collect();
            let e = largest_difference(&mine, &column) / size(&bias);
            assert!(e < 1e-12, "tree {n}, column {k}: {e:.1e}");
        }
        let mut kin = Kinematics::new(tree);
        kin.place(tree, &q);
        let mut crba = Crba::new(tree, &branches);
        crba.run(tree, &branches, &kin);
        let mut ltl = Ltl::new(&branches);
        ltl.factor(&branches, &crba.mass).unwrap();
        let v = random.list(nv);
        let tau = random.list(nv);
        let c = inverse(tree, &q, &v, &zero, &[]);
        let mut x: Vec<f64> = tau.iter().zip(&c).map(|(t, c)| t - c).collect();
        ltl.solve(&branches, &mut x);
        let a = forward(tree, &q, &v, &tau, &[]);
        let e = largest_difference(&x, &a) / size(&a);
        assert!(e < 1e-9, "tree {n}: {e:.1e}");
    }
}

fn full_mass(tree: &Tree, branches: &Branches, q: &[f64]) -> Vec<f64> {
    let mut kin = Kinematics::new(tree);
    kin.place(tree, q);
    let mut crba = Crba::new(tree, branches);
    crba.run(tree, branches, &kin);
    spread(branches, &crba.mass, &crba.mass)
}

fn spread(branches: &Branches, lower: &[f64], upper: &[f64]) -> Vec<f64> {
    let pattern = branches.full_pattern();
    let mut values = vec![0.0; pattern.len()];
    branches.spread(lower, upper, &mut values);
    let n = branches.len();
    let mut out = vec![0.0; n * n];
    for (&(i, j), x) in pattern.iter().zip(&values) {
        out[i as usize * n + j as usize] = *x;
    }
    out
}

/// The derivatives as full matrices.
fn linearised(tree: &Tree, point: &Point<'_>) -> (Vec<f64>, Vec<f64>) {
    let branches = Branches::new(tree);
    let mut d = Derivatives::new(tree, &branches);
    d.run(tree, &branches, &mut Kinematics::new(tree), point);
    let by_q = spread(&branches, &d.q_lower, &d.q_upper);
    let by_v = spread(&branches, &d.v_lower, &d.v_upper);
    (by_q, by_v)
}

/// Central differences of inverse dynamics along the tangent leave 1e-9 of the force.
#[test]
fn derivatives_agree_with_differences() {
    for (n, tree) in every_tree().iter().enumerate() {
        let mut random = Random(n as u64 + 31);
        let nv = tree.nv();
        let q = random_pose(tree, &mut random);
        let [v, a] = [(); 2].map(|()| random.list(nv));
        let external: Vec<Wrench> = (0..tree.bodies())
            .map(|_| Wrench::new(random.vector(), random.vector()))
            .collect();
        let point = Point {
            q: &q,
            v: &v,
            a: &a,
            external: &external,
        };
        let (by_q, by_v) = linearised(tree, &point);
        let scale = size(&inverse(tree, &q, &v, &a, &external));
        let h = 1e-5;
        for k in 0..nv {
            let mut unit = vec![0.0; nv];
            unit[k] = 1.0;
            let by_position = |h: f64| {
                let (tree, q) = moved(tree, &q, &unit, h);
                inverse(&tree, &q, &v, &a, &external)
            };
            let by_velocity = |h: f64| {
                let v: Vec<f64> = v.iter().zip(&unit).map(|(v, u)| v + h * u).collect();
                inverse(tree, &q, &v, &a, &external)
            };
            let difference = |p: Vec<f64>, m: Vec<f64>| -> Vec<f64> {
                p.iter().zip(&m).map(|(p, m)| (p - m) / (2.0 * h)).collect()
            };
            for (name, exact, apart) in [
                ("q", &by_q, difference(by_position(h), by_position(-h))),
                ("v", &by_v, difference(by_velocity(h), by_velocity(-h))),
            ] {
                let mine: Vec<f64> = (0..nv).map(|i| exact[i * nv + k]).collect();
                let e = largest_difference(&mine, &apart) / scale;
                assert!(e < 2e-8, "tree {n}, by {name}{k}: {e:.1e}");
            }
        }
    }
}

/// Velocity and acceleration of a point, against differences of its place: 1e-8 for first and 1e-5 for
/// second ones. Without `omega x v` the acceleration would be wrong by the size of the velocities.
#[test]
fn points_move_as_kinematics_say() {
    for seed in 0..8 {
        let mut random = Random(seed + 5);
        let tree = random_tree(seed + 200, 9, &Mobility::ALL);
        let point = tree.frame_of(8).then(&random.placement());
        let q = random_pose(&tree, &mut random);
        let v = random.list(tree.nv());
        let mut kin = Kinematics::new(&tree);
        let mut place = |h: f64| {
            let (tree, q) = moved(&tree, &q, &v, h);
            kin.place(&tree, &q);
            kin.frame(&point).p
        };
        let h = 1e-4;
        let (m, o, p) = (place(-h), place(0.0), place(h));
        let (rate, second) = ((p - m) * (0.5 / h), (p + m - o * 2.0) * (1.0 / (h * h)));
        kin.place(&tree, &q);
        kin.move_along(&tree, &v, &[], Vec3::ZERO);
        let e = (kin.point_velocity(&point, o).v - rate).norm();
        assert!(e < 1e-6, "seed {seed}: {e:.1e}");
        let e = (kin.point_acceleration(&point, o).v - second).norm();
        assert!(e < 1e-5, "seed {seed}: {e:.1e}");
    }
}

/// A welded body is part of its carrier: the same motion as with the sum of both inertias.
#[test]
fn welded_bodies_are_part_of_their_carrier() {
    let mut random = Random(3);
    let (place, first, second) = (random.placement(), random.inertia(), random.inertia());
    let build = |weld: bool| {
        let mut tree = Tree::new(Vec3::new(0.0, 0.0, -9.81));
        let hinge = Placement::along(Vec3::new(1.0, 1.0, 0.0), Vec3::ZERO);
        let inertia = if weld {
            first
        } else {
            first + place.inertia(&second)
        };
        let arm = tree
            .add(&Frame::GROUND, Mobility::Revolute, &hinge, &hinge, &inertia)
            .unwrap();
        let tip = if weld {
            tree.weld(&arm, &place, &second).unwrap()
        } else {
            arm.then(&place)
        };
        tree.add(
            &tip,
            Mobility::Universal,
            &Placement::IDENTITY,
            &Placement::IDENTITY,
            &first,
        )
        .unwrap();
        tree
    };
    let (one, other) = (build(true), build(false));
    let [q, v, a] = [(); 3].map(|()| random.list(3));
    let e = largest_difference(
        &inverse(&one, &q, &v, &a, &[]),
        &inverse(&other, &q, &v, &a, &[]),
    );
    assert!(e < 1e-12, "{e:.1e}");
}

/// Moving rotation vectors into their bases changes no force.
#[test]
fn bases_may_be_moved() {
    let tree = random_tree(
        9,
        8,
        &[Mobility::Spherical, Mobility::Free, Mobility::Universal],
    );
    let mut random = Random(4);
    let [q, v, a] = [(); 3].map(|()| random.list(tree.nv()));
    let before = inverse(&tree, &q, &v, &a, &[]);
    let (mut tree, mut q) = (tree, q);
    tree.rebase(&mut q);
    let e = largest_difference(&inverse(&tree, &q, &v, &a, &[]), &before) / size(&before);
    assert!(e < 1e-13, "{e:.1e}");
}

/// Fixed reference points would lose the digits of a chain of 1e5 bodies; local ones do not.
#[test]
fn long_chains_keep_their_digits() {
    let tree = chain(100_000);
    let mut random = Random(8);
    let q = random.list(tree.nv());
    let v: Vec<f64> = random.list(tree.nv()).iter().map(|v| 0.1 * v).collect();
    let zero = vec![0.0; tree.nv()];
    let a = forward(&tree, &q, &v, &zero, &[]);
    let tau = inverse(&tree, &q, &v, &a, &[]);
    // joints near the root carry the weight of 1e5 bodies at arms of hundreds of metres
    let holding = size(&inverse(&tree, &q, &v, &zero, &[]));
    assert!(
        size(&tau) < 1e-7 * holding,
        "{:.1e} of {holding:.1e}",
        size(&tau)
    );
}

fn chain(n: usize) -> Tree {
    let mut tree = Tree::new(Vec3::new(0.0, 0.0, -9.81));
    let mut last = Frame::GROUND;
    for i in 0..n {
        let axis = [Mat3::IDENTITY.x, Mat3::IDENTITY.y][i % 2];
        let at = Vec3::new(0.0, 0.0, if i == 0 { 0.0 } else { -1.0 });
        let rod = Inertia::about_centre(
            1.0,
            Vec3::new(0.0, 0.0, -0.5),
            Sym3 {
                zz: 1e-3,
                ..Sym3::scalar(1.0 / 12.0)
            },
        );
        last = tree
            .add(
                &last,
                Mobility::Revolute,
                &Placement::along(axis, at),
                &Placement::along(axis, Vec3::ZERO),
                &rod,
            )
            .unwrap();
    }
    tree
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut tree = Tree::new(Vec3::ZERO);
    let here = Placement::IDENTITY;
    let ball = Inertia::point(1.0, Vec3::ZERO);
    let bad = Inertia::point(-1.0, Vec3::ZERO);
    let joint = Mobility::Revolute;
    assert_eq!(
        tree.add(&Frame::GROUND, joint, &here, &here, &bad),
        Err(TreeError::NotSound("inertia"))
    );
    let squeezed = Placement {
        r: Mat3 {
            x: Vec3::new(2.0, 0.0, 0.0),
            ..Mat3::IDENTITY
        },
        p: Vec3::ZERO,
    };
    assert_eq!(
        tree.add(&Frame::GROUND, joint, &squeezed, &here, &ball),
        Err(TreeError::NotSound("joint frame"))
    );
    let nan = Placement::at(Vec3::new(f64::NAN, 0.0, 0.0));
    assert!(tree.weld(&Frame::GROUND, &nan, &ball).is_err());
    let frame = tree
        .add(&Frame::GROUND, Mobility::Spherical, &here, &here, &ball)
        .unwrap();
    assert_eq!(
        Tree::new(Vec3::ZERO).add(&frame, joint, &here, &here, &ball),
        Err(TreeError::UnknownParent)
    );
}
