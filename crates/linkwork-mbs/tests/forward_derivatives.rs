//! Derivatives of forward dynamics against central differences and against the mass matrix.

mod trees;

use linkwork_mbs::tree::{
    Aba, ForwardDerivatives, Frame, Inertia, Mobility, Placement, Rnea, Tree, Wrench,
};
use trees::{Random, largest_difference, moved, random_pose, random_tree};

fn forward(tree: &Tree, [q, v, tau]: [&[f64]; 3], external: &[Wrench]) -> Vec<f64> {
    let mut a = vec![0.0; tree.nv()];
    let done = Aba::new(tree).run(tree, q, v, tau, external, &mut a);
    assert_eq!(done, Ok(()));
    a
}

/// Trees of one joint kind each, then of all.
fn every_tree() -> Vec<Tree> {
    let single =
        (Mobility::ALL.iter().enumerate()).map(|(k, j)| random_tree(k as u64 + 1, 5, &[*j]));
    let mixed = [1, 2, 7, 20].map(|n| random_tree(n as u64 + 100, n, &Mobility::ALL));
    single.chain(mixed).collect()
}

/// Central differences with steps of 1e-5 leave 1e-10 of third derivatives and 1e-11 of rounding, each
/// times the size of the accelerations and what light bodies at the tips make of it: 1e-6 of the
/// largest entry holds them all and is far below any wrong term.
#[test]
fn derivatives_agree_with_differences() {
    for (number, tree) in every_tree().iter().enumerate() {
        let n = tree.nv();
        let mut random = Random(number as u64 + 5);
        let q = random_pose(tree, &mut random);
        let [v, tau] = [(); 2].map(|()| random.list(n));
        let external: Vec<Wrench> = (0..tree.bodies())
            .map(|_| Wrench::new(random.vector(), random.vector()))
            .collect();
        let mut out = ForwardDerivatives::new(tree);
        let mut a = vec![0.0; n];
        let done = out.run(tree, &q, &v, &tau, &external, &mut a);
        assert_eq!(done, Ok(()));
        assert_eq!(a, forward(tree, [&q, &v, &tau], &external), "tree {number}");
        let rows: [Vec<&[f64]>; 3] = [
            (0..n).map(|i| out.by_positions(i)).collect(),
            (0..n).map(|i| out.by_velocities(i)).collect(),
            (0..n).map(|i| out.by_forces(i)).collect(),
        ];
        let h = 1e-5;
        for (part, rows) in rows.iter().enumerate() {
            let scale = (rows.iter().flat_map(|r| r.iter())).fold(1.0f64, |m, x| m.max(x.abs()));
            for j in 0..n {
                let mut unit = vec![0.0; n];
                unit[j] = 1.0;
                let side = |h: f64| {
                    let plus = |x: &[f64]| {
                        let mut x = x.to_vec();
                        x[j] += h;
                        x
                    };
                    match part {
                        0 => {
                            let (tree, q) = moved(tree, &q, &unit, h);
                            forward(&tree, [&q, &v, &tau], &external)
                        }
                        1 => forward(tree, [&q, &plus(&v), &tau], &external),
                        _ => forward(tree, [&q, &v, &plus(&tau)], &external),
                    }
                };
                let (p, m) = (side(h), side(-h));
                let apart: Vec<f64> = p.iter().zip(&m).map(|(p, m)| (p - m) / (2.0 * h)).collect();
                let column: Vec<f64> = rows.iter().map(|r| r[j]).collect();
                let e = largest_difference(&column, &apart) / scale;
                assert!(e < 1e-6, "tree {number}, part {part} by {j}: {e:.1e}");
            }
        }
    }
}

/// What forces do to accelerations, inverse dynamics undoes: `M (M^-1 e) = e` to rounding.
#[test]
fn forces_and_accelerations_belong_together() {
    let tree = random_tree(3, 12, &Mobility::ALL);
    let n = tree.nv();
    let mut random = Random(9);
    let (q, zero) = (random.list(n), vec![0.0; n]);
    let mut out = ForwardDerivatives::new(&tree);
    let mut a = vec![0.0; n];
    let done = out.run(&tree, &q, &zero, &zero, &[], &mut a);
    assert_eq!(done, Ok(()));
    let mut rnea = Rnea::new(&tree);
    let mut of = |a: &[f64]| {
        let mut tau = vec![0.0; n];
        rnea.run(&tree, &q, &zero, a, &[], &mut tau);
        tau
    };
    let weight = of(&zero);
    for k in 0..n {
        // the matrix is symmetric: its row is its column
        let tau: Vec<f64> = (of(out.by_forces(k)).iter().zip(&weight))
            .map(|(t, w)| t - w)
            .collect();
        let mut unit = vec![0.0; n];
        unit[k] = 1.0;
        let e = largest_difference(&tau, &unit);
        assert!(e < 1e-8, "force {k}: {e:.1e}");
    }
}

/// A joint that moves no mass has no acceleration: an error that names it, not a number.
#[test]
fn a_joint_without_inertia_is_named() {
    let mut tree = random_tree(2, 3, &[Mobility::Revolute]);
    let (ground, here) = (Frame::GROUND, Placement::IDENTITY);
    let added = tree.add(&ground, Mobility::Revolute, &here, &here, &Inertia::ZERO);
    assert!(added.is_ok());
    let n = tree.nv();
    let zero = vec![0.0; n];
    let mut a = vec![0.0; n];
    let done = ForwardDerivatives::new(&tree).run(&tree, &zero, &zero, &zero, &[], &mut a);
    assert_eq!(done.map_err(|e| e.column), Err(n - 1));
}
