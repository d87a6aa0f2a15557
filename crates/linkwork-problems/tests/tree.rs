//! Trees in joint coordinates with integrators: against absolute coordinates, against published
//! values, against themselves.

#[path = "../../linkwork-mbs/tests/trees/mod.rs"]
mod trees;

use linkwork_dae::chart;
use linkwork_dae::drive::{Ending, Flow, Observer, View};
use linkwork_dae::saddle::SaddleError;
use linkwork_dae::state::State;
use linkwork_dae::system::{Blocks, Part, Parts, System, Terms};
use linkwork_mbs::tree::{
    Formalism, Frame, Inertia, Joint, JointLoad, Mat3, Placement, Sym3, Tree, TreeSystem, Vec3,
};
use linkwork_problems::heavy_top::{TOP, reference};
use linkwork_problems::rod_chain::{rod_chain, rod_chain_in_angles};
use linkwork_problems::study::{Outcome, Setup};
use trees::{Random, largest_difference, random_tree};

const BOTH: [Formalism; 2] = [Formalism::Residual, Formalism::Explicit];

fn finished(setup: &Setup, sys: &mut dyn System) -> Outcome {
    let out = setup.run(sys, &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    out
}

/// A tree of every joint kind with springs, dampers and drives where they may be.
fn mixed(formalism: Formalism, seed: u64) -> TreeSystem {
    let tree = random_tree(seed, 9, &Joint::ALL);
    let mut random = Random(seed);
    let mut loads: Vec<JointLoad> = (0..tree.nv())
        .map(|_| JointLoad {
            drive: random.next(),
            stiffness: 20.0 + 10.0 * random.next(),
            rest: 0.1 * random.next(),
            damping: 2.0 + random.next(),
        })
        .collect();
    for b in 0..tree.bodies() {
        if let Some(at) = tree.joint(b).rotation_vector() {
            for load in &mut loads[tree.dofs(b).start + at..][..3] {
                load.stiffness = 0.0;
            }
        }
    }
    let (q, v) = (random.list(tree.nv()), random.list(tree.nv()));
    TreeSystem::new(tree, formalism, loads, q, v).unwrap()
}

fn residual(sys: &mut TreeSystem, s: &State) -> Vec<f64> {
    let mut r = vec![0.0; s.v.len()];
    let mut want = Terms {
        r: Some(&mut r),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    r
}

/// Stored blocks are derivatives of the residual along the tangent; central differences leave 1e-8.
#[test]
fn blocks_of_the_residual_formalism() {
    for seed in [3, 17] {
        let mut sys = mixed(Formalism::Residual, seed);
        let mut random = Random(seed + 1);
        let n = sys.dims().nv;
        let mut s = State::new(sys.dims());
        for x in [&mut s.q, &mut s.v, &mut s.a] {
            x.copy_from_slice(&random.list(n));
        }
        let patterns = sys.patterns().clone();
        let mut blocks = Blocks::new(&patterns);
        let parts = Parts::from(Part::Mass) | Part::Rq | Part::Rv;
        sys.linearise(&s.at(), &mut Terms::default(), parts, &mut blocks)
            .unwrap();
        let scale = residual(&mut sys, &s)
            .iter()
            .fold(1.0f64, |m, x| m.max(x.abs()));
        let h = 1e-5;
        for k in 0..n {
            let mut unit = vec![0.0; n];
            unit[k] = h;
            for part in [Part::Mass, Part::Rq, Part::Rv] {
                let mut side = |sign: f64| {
                    let mut s = s.clone();
                    let step: Vec<f64> = unit.iter().map(|u| sign * u).collect();
                    match part {
                        Part::Rq => chart::advance(&sys, &mut s.q, &step),
                        Part::Rv => s.v[k] += sign * h,
                        _ => s.a[k] += sign * h,
                    }
                    residual(&mut sys, &s)
                };
                let (p, m) = (side(1.0), side(-1.0));
                let mut column = vec![0.0; n];
                for (&(i, j), x) in patterns[part].iter().zip(&blocks[part]) {
                    if j as usize == k {
                        column[i as usize] = *x;
                    }
                }
                let apart: Vec<f64> = p.iter().zip(&m).map(|(p, m)| (p - m) / (2.0 * h)).collect();
                let e = largest_difference(&column, &apart) / scale;
                assert!(e < 1e-7, "{part:?} by {k}: {e:.1e}");
            }
        }
    }
}

/// Both formalisms state the same motion, with any method: ends agree to the tolerance times a
/// thousand, the errors of 300 steps of order 2. The explicit one converges as quickly, so its recursion solves with the right matrix,
/// on charts included.
#[test]
fn both_formalisms_give_the_same_motion() {
    for seed in [3, 17] {
        let tight = Setup::new("bdf", "index3", 0.3, 1e-9);
        let exact = finished(&tight, &mut mixed(Formalism::Residual, seed));
        for (method, formulation) in [
            ("bdf", "index3"),
            ("bdf", "ggl"),
            ("gen-alpha", "index3"),
            ("gen-alpha", "ggl"),
            ("dopri5", "projected"),
        ] {
            let setup = Setup::new(method, formulation, 0.3, 1e-6);
            let [stored, recursive] = BOTH.map(|f| finished(&setup, &mut mixed(f, seed)));
            for out in [&stored, &recursive] {
                let e = largest_difference(&out.state.v, &exact.state.v);
                assert!(e < 1e-3, "{method}: {e:.1e}");
            }
            let (a, b) = (
                stored.stats.newton_iterations as f64,
                recursive.stats.newton_iterations as f64,
            );
            assert!(b <= 1.2 * a, "{method}: {a} and {b} iterations");
        }
    }
}

/// The chain of rods in absolute coordinates with hinges, and in angles: two statements of the same
/// mechanism that share no mechanics. 1e-8 in the tolerance, 1e-6 in the angles.
#[test]
fn a_chain_moves_as_in_absolute_coordinates() {
    let n = 6;
    let setup = Setup::new("bdf", "ggl", 0.3, 1e-8);
    let mut bodies = linkwork_mbs::assemble(&rod_chain(n)).unwrap();
    let out = finished(&setup, &mut bodies);
    let absolute: Vec<f64> = (0..n).map(|i| out.state.q[3 * i + 2]).collect();
    for formalism in BOTH {
        let setup = Setup::new("bdf", "index3", 0.3, 1e-8);
        let mut angles = rod_chain_in_angles(n, formalism).unwrap();
        let out = finished(&setup, &mut angles);
        let mut sum = 0.0;
        let turned: Vec<f64> = (out.state.q.iter())
            .map(|q| {
                sum += q;
                sum
            })
            .collect();
        let e = largest_difference(&turned, &absolute);
        assert!(e < 1e-6, "{formalism:?}: {e:.1e}");
    }
}

/// The heavy top as a tree of one body on a spherical joint, at 150 rad/s: angular velocities of the
/// published benchmark to 1e-3 of the spin at tolerance 1e-7, as with coordinates by hand.
#[test]
fn a_heavy_top_on_a_spherical_joint() {
    let expected = reference(0.2).unwrap();
    for formalism in BOTH {
        let mut tree = Tree::new(Vec3::new(0.0, 0.0, -TOP.gravity));
        let [xx, yy, zz] = TOP.inertia;
        let moments = Sym3 {
            xx,
            yy,
            zz,
            ..Sym3::scalar(0.0)
        };
        let body = Inertia::about_centre(TOP.mass, Vec3::from(TOP.arm), moments);
        let here = Placement::IDENTITY;
        tree.add(&Frame::GROUND, Joint::Spherical, &here, &here, &body)
            .unwrap();
        let loads = vec![JointLoad::default(); 3];
        let omega = TOP.omega.to_vec();
        let mut sys = TreeSystem::new(tree, formalism, loads, vec![0.0; 3], omega).unwrap();
        let out = finished(&Setup::new("bdf", "index3", 0.2, 1e-8), &mut sys);
        let e = largest_difference(&out.state.v, &expected[7..]);
        assert!(e < 0.15, "{formalism:?}: {e:.1e} {:?}", out.state.v);
    }
}

/// Energy of a long, undamped chain is kept to the tolerance; positions are those of the recursion.
#[test]
fn a_long_chain_keeps_its_energy() {
    let n = 200;
    let mut sys = rod_chain_in_angles(n, Formalism::Explicit).unwrap();
    let setup = Setup::new("bdf", "index3", 0.02, 1e-6);
    let start = setup.start(&mut sys).unwrap();
    let before = sys.energy(&start.state).unwrap();
    let out = finished(&setup, &mut sys);
    let after = sys.energy(&out.state).unwrap();
    assert!(after.kinetic > 1e-3, "{after:?}");
    let e = (after.total() - before.total()).abs() / after.kinetic;
    assert!(e < 1e-4, "{e:.1e}");
    let iterations = out.stats.newton_iterations as f64 / out.stats.steps as f64;
    assert!(iterations < 1.5, "{iterations} iterations per step");
}

/// Stops after so many steps.
struct Until(u64);

impl Observer for Until {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, SaddleError> {
        Ok(if view.stats.steps == self.0 {
            Flow::Stop
        } else {
            Flow::Continue
        })
    }
}

/// A run that was saved goes on to the last bit: generators, bases and factors come back.
#[test]
fn saved_runs_go_on_to_the_last_bit() {
    let cases = [
        ("exact", "index3"),
        ("exact-reuse", "ggl"),
        ("dense", "index3"),
    ];
    for (jacobian, formulation) in cases {
        for formalism in BOTH {
            let mut setup = Setup::new("bdf", formulation, 0.2, 1e-6);
            setup.jacobian = jacobian;
            let straight = finished(&setup, &mut mixed(formalism, 3));

            let mut sys = mixed(formalism, 3);
            let start = setup.start(&mut sys).unwrap();
            let controller = setup.controller().unwrap();
            let mut engine = setup.engine(&mut sys, &start, controller).unwrap();
            engine.run(&start.state, &start.rows, &mut Until(15));
            let tape = engine.save(&mut ());

            let mut other = mixed(formalism, 3);
            let start = setup.start(&mut other).unwrap();
            let controller = setup.controller().unwrap();
            let mut engine = setup.engine(&mut other, &start, controller).unwrap();
            engine.resume(&start.rows, &mut (), tape).unwrap();
            assert_eq!(engine.proceed(&mut ()), Ending::Finished);
            assert_eq!(engine.state(), &straight.state, "{formalism:?} {jacobian}");
        }
    }
}

/// A joint that nothing resists is found at the start, with its name.
#[test]
fn a_joint_without_inertia_is_named() {
    for formalism in BOTH {
        let mut tree = Tree::new(Vec3::new(0.0, 0.0, -9.81));
        let here = Placement::along(Mat3::IDENTITY.x, Vec3::ZERO);
        let rod = Inertia::point(1.0, Vec3::new(0.0, 0.0, -1.0));
        let first = tree
            .add(&Frame::GROUND, Joint::Revolute, &here, &here, &rod)
            .unwrap();
        let at = Placement::along(Mat3::IDENTITY.x, Vec3::new(0.0, 0.0, -1.0));
        tree.add(&first, Joint::Revolute, &at, &here, &Inertia::ZERO)
            .unwrap();
        let loads = vec![JointLoad::default(); 2];
        let mut sys = TreeSystem::new(tree, formalism, loads, vec![0.0; 2], vec![0.0; 2]).unwrap();
        let setup = Setup::new("bdf", "index3", 0.2, 1e-6);
        let why = setup.start(&mut sys).err().unwrap();
        assert!(why.contains("joint 2"), "{formalism:?}: {why}");
    }
}
