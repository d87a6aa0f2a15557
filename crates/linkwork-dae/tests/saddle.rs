//! The acceleration-level system: projections in the mass metric, names of singular rows.

mod planar;

use linkwork_dae::initial::{constraint_residuals, start};
use linkwork_dae::linear::{DenseLu, LinearSolver, SparseLu};
use linkwork_dae::saddle::{Saddle, SaddleError};
use linkwork_dae::state::State;
use linkwork_dae::system::{Row, Rows, System};
use planar::{Body, Planar, n_four_bar, parallelogram, slider_crank};

fn solvers() -> [Box<dyn LinearSolver>; 2] {
    [Box::new(DenseLu::new()), Box::new(SparseLu::new())]
}

fn consistent(p: &mut Planar) -> (State, Rows) {
    let guess = p.facts().guess.clone();
    let s = start(p, &guess).unwrap();
    (s.state, s.rows)
}

fn mass(p: &Planar, i: usize) -> f64 {
    let b = &p.bodies[i / 3];
    if i % 3 == 2 { b.inertia } else { b.mass }
}

#[test]
fn velocity_projection_is_orthogonal_in_the_mass_metric() {
    for solver in solvers() {
        let mut p = n_four_bar(5, 0.8, -1.0);
        for (i, b) in p.bodies.iter_mut().enumerate() {
            b.mass = 1.0 + 3.0 * i as f64;
        }
        let (mut s, rows) = consistent(&mut p);
        let admissible = s.v.clone();
        let mut saddle = Saddle::new(&p, &rows, solver);
        for (i, v) in s.v.iter_mut().enumerate() {
            *v += (1.7 * i as f64).sin();
        }
        let before = s.v.clone();
        saddle.project_velocity(&mut p, &mut s).unwrap();
        // One solve with a well-conditioned matrix.
        assert!(constraint_residuals(&mut p, &s, &rows).unwrap().1 < 1e-13);
        let product: f64 = (0..before.len())
            .map(|i| (s.v[i] - before[i]) * mass(&p, i) * admissible[i])
            .sum();
        assert!(product.abs() < 1e-11, "{product:e}");
    }
}

#[test]
fn position_projection_closes_all_loops() {
    for solver in solvers() {
        let mut p = n_four_bar(5, 0.8, -1.0);
        let (mut s, rows) = consistent(&mut p);
        let mut saddle = Saddle::new(&p, &rows, solver);
        for (i, q) in s.q.iter_mut().enumerate() {
            *q += 0.05 * (2.3 * i as f64).sin();
        }
        let iterations = saddle.project_position(&mut p, &mut s).unwrap();
        assert!(iterations <= 8, "{iterations}");
        assert!(constraint_residuals(&mut p, &s, &rows).unwrap().0 < 1e-11);
        assert_eq!(
            saddle.project_position(&mut p, &mut s),
            Ok(0),
            "closed stays closed"
        );
    }
}

#[test]
fn dependent_rows_are_named() {
    for solver in solvers() {
        let mut p = parallelogram(0.3, 1.0);
        let guess = p.facts().guess.clone();
        let s = start(&mut p, &guess).unwrap();
        let mut saddle = Saddle::new(&p, &Rows::all(p.facts().dims), solver);
        let mut state = s.state.clone();
        let Err(SaddleError::Singular {
            row: Row::Constraint(i),
        }) = saddle.accelerate(&mut p, &mut state)
        else {
            panic!("dependent rows went unnoticed")
        };
        assert!(
            s.report.not_unique.contains(&i),
            "{i} of {:?}",
            s.report.not_unique
        );
    }
}

#[test]
fn coordinate_without_inertia_is_named() {
    for solver in solvers() {
        let base = slider_crank(0.5, 1.0, 0.9);
        let mut bodies = base.bodies.clone();
        let free = Body {
            mass: 2.0,
            inertia: 0.0,
            pose: [3.0, 3.0, 0.0],
        };
        bodies.push(free);
        let mut p = Planar::new(bodies, base.joints.clone(), base.drives.clone());
        let mut s = State::new(p.facts().dims);
        s.q.copy_from_slice(&p.facts.guess.q);
        let rows = Rows::all(p.facts().dims);
        let mut saddle = Saddle::new(&p, &rows, solver);
        assert_eq!(
            saddle.accelerate(&mut p, &mut s),
            Err(SaddleError::Singular {
                row: Row::Velocity(11)
            })
        );
    }
}

#[test]
fn wide_range_of_inertias_is_no_singularity() {
    for solver in solvers() {
        let mut p = slider_crank(0.5, 1.0, 0.9);
        for (b, scale) in p.bodies.iter_mut().zip([1e-6, 1e3, 1e-9]) {
            b.mass *= scale;
            b.inertia *= scale;
        }
        let rows = Rows::all(p.facts().dims);
        let mut s = State::new(p.facts().dims);
        s.q.copy_from_slice(&p.facts.guess.q);
        let mut saddle = Saddle::new(&p, &rows, solver);
        saddle.accelerate(&mut p, &mut s).unwrap();
        let mut r = vec![0.0; 9];
        let mut want = linkwork_dae::system::Terms {
            r: Some(&mut r),
            ..Default::default()
        };
        p.eval(&s.at(), &mut want).unwrap();
        // Forces of 1e4 to working accuracy.
        assert!(r.iter().all(|r| r.abs() < 1e-10), "{r:?}");
    }
}
