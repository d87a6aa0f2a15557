//! Conditioning of the index-3 iteration matrix (Bottasso, Dopico & Trainelli 2008).
//!
//! In position units the condition number does not depend on the step; the same equations in the
//! unknowns (positions, multipliers) with force rows unscaled are worse by h^-4.

// Matrices are walked by row and column; indices say which.
#![allow(clippy::needless_range_loop)]

use linkwork_dae::formulation::Formulation;
use linkwork_dae::formulation::index3::Scaling;
use linkwork_dae::linear::{LINEAR_SOLVERS, LinearSolver, Pattern};
use linkwork_dae::state::Link;
use linkwork_dae::system::{Blocks, Rows, System, Terms};
use linkwork_problems::rheonomic::Rheonomic;
use linkwork_problems::small::Small;

/// Infinity-norm of `diag(left) A diag(right)`.
fn norm(p: &Pattern, values: &[f64], left: &[f64], right: &[f64]) -> f64 {
    let mut rows = vec![0.0; p.n];
    for j in 0..p.n {
        for k in p.column[j] as usize..p.column[j + 1] as usize {
            let i = p.row[k] as usize;
            rows[i] += (left[i] * values[k] * right[j]).abs();
        }
    }
    rows.into_iter().fold(0.0, f64::max)
}

/// Infinity-norm of the inverse of the same, from the well-scaled factors.
fn inverse_norm(solver: &mut dyn LinearSolver, n: usize, left: &[f64], right: &[f64]) -> f64 {
    let mut rows = vec![0.0; n];
    for j in 0..n {
        let mut b = vec![0.0; n];
        b[j] = 1.0;
        solver.solve(&mut b);
        for i in 0..n {
            rows[i] += (b[i] / (right[i] * left[j])).abs();
        }
    }
    rows.into_iter().fold(0.0, f64::max)
}

/// Condition numbers at a step: (scaled, unscaled).
fn conditions(h: f64) -> (f64, f64) {
    let mut sys = Small::new(Rheonomic);
    let rows = Rows::all(sys.facts().dims);
    let mut form = Formulation::index3(Scaling::Both);
    let (pattern, groups) = form.bind(&sys, &rows);
    let mut blocks = Blocks::new(&sys.facts().patterns);
    let g = sys.facts().guess.clone();
    let (a, lambda) = (vec![0.1; 2], vec![0.5]);
    let at = linkwork_dae::system::At {
        t: 0.0,
        q: &g.q,
        v: &g.v,
        a: &a,
        lambda: &lambda,
        x: &[],
    };
    sys.linearise(&at, &mut Terms::default(), form.parts(), &mut blocks)
        .unwrap();
    // trapezoidal rule: beta = 1/4, gamma = 1/2
    let link = Link {
        qdot: 2.0 / h,
        vdot: 2.0 / h,
    };
    let mut values = vec![0.0; pattern.nnz()];
    form.combine(&blocks, &[], link, &mut values);
    let mut solver = (LINEAR_SOLVERS[0].build)();
    solver.analyse(&pattern, &groups);
    solver.factor(&values).unwrap();
    let one = vec![1.0; 3];
    let s12 = link.qdot * link.vdot;
    // physical forces and multipliers instead: rows of force times s1 s2, columns of lambda too
    let unscale = vec![s12, s12, 1.0];
    let column = vec![1.0, 1.0, 1.0 / s12];
    let mut condition = |left: &[f64], right: &[f64]| {
        norm(&pattern, &values, left, right) * inverse_norm(&mut *solver, 3, left, right)
    };
    (condition(&one, &one), condition(&unscale, &column))
}

#[test]
fn scaled_condition_is_flat_and_unscaled_grows_like_h_to_the_minus_4() {
    let all: Vec<(f64, f64)> = (2..=7).map(|k| conditions(10f64.powi(-k))).collect();
    let (low, high) = all.iter().fold((f64::INFINITY, 0.0f64), |(l, h), c| {
        (l.min(c.0), h.max(c.0))
    });
    assert!(
        high < 1.1 * low && high < 50.0,
        "scaled: {low:.3} to {high:.3}"
    );
    for pair in all.windows(2) {
        let decades = (pair[1].1 / pair[0].1).log10();
        assert!(
            (decades - 4.0).abs() < 0.05,
            "unscaled grows by {decades:.2} decades"
        );
    }
}

/// The scalings change the linear algebra, not the motion.
#[test]
fn every_scaling_gives_the_same_steps() {
    use linkwork_dae::drive::{Engine, Plan};
    use linkwork_dae::implicit::Implicit;
    use linkwork_dae::jacobian::JACOBIANS;
    use linkwork_dae::saddle::Saddle;
    use linkwork_dae::state::Tolerances;
    use linkwork_dae::stepper::bdf::{Bdf, Form};

    let mut ends = Vec::new();
    for scaling in [Scaling::None, Scaling::Right, Scaling::Both] {
        let mut sys = Small::new(Rheonomic);
        let guess = sys.facts().guess.clone();
        let start = linkwork_dae::initial::start(&mut sys, &guess).unwrap();
        let solver = || (LINEAR_SOLVERS[0].build)();
        let form = Formulation::index3(scaling);
        let implicit = Implicit::new(form, JACOBIANS[0].jacobian.build(), solver());
        let stepper = Box::new(Bdf::new(implicit, Form::VariableStep));
        let saddle = Saddle::new(&sys, &start.rows, solver());
        let controller = Box::new(linkwork_dae::control::order::OrderControl::new(5));
        let plan = Plan::new(1.5, Tolerances::relative(1e-6));
        let mut engine = Engine::new(&mut sys, stepper, controller, saddle, plan);
        engine.run(&start.state, &start.rows, &mut ());
        ends.push((engine.stats.steps, engine.state().q.clone()));
    }
    for end in &ends[1..] {
        assert_eq!(end.0, ends[0].0);
        let gap = (end.1[0] - ends[0].1[0])
            .abs()
            .max((end.1[1] - ends[0].1[1]).abs());
        // rounding of the worst scaling, far below the tolerance of 1e-6
        assert!(gap < 1e-8, "{gap:.1e}");
    }
}
