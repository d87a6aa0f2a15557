//! Rounding of the index-3 equations under three scalings (Bottasso, Dopico & Trainelli 2008).
//!
//! ```text
//!  trapezoidal rule, unknowns (u, lambda):    s1 = s2 = 2/h,  s1 s2 = 1/(beta h^2),  beta = 1/4
//!
//!  none   [ s1 s2 T   C_q' ] [ du     ]    right   [ s1 s2 T   s1 s2 C_q' ] [ du               ]
//!         [ C_q       0    ] [ dlambda]            [ C_q       0          ] [ dlambda / (s1 s2)]
//!
//!  right and left   [ T     C_q' ] [ du               ]        T = M + D/s2 + K/(s1 s2)
//!                   [ C_q   0    ] [ dlambda / (s1 s2)]
//! ```
//!
//! In every step Newton runs on fresh matrices until its corrections stop shrinking; the last one
//! that shrank is what rounding leaves. The correction of the multiplier is that of the unknown that
//! is solved for. The physical multiplier is `s1 s2` times the scaled one, so its rounding grows
//! like `eps/h^2` in all three: that is a property of index 3, not of the linear algebra.

use super::{Axis, Curve, Figure, Study, StudyRow, exponent};
use crate::small::Small;
use crate::squeezer_points::SqueezerPoints;
use crate::study::Setup;
use linkwork_dae::drive::Ending;
use linkwork_dae::formulation::Formulation;
use linkwork_dae::formulation::index3::Scaling;
use linkwork_dae::linear::{DenseLu, LinearSolver, Pattern};
use linkwork_dae::state::{Link, Stage, State};
use linkwork_dae::system::{Blocks, Rows, System};

/// Where the steps begin, s: the crank has left its dead point and turns at about 14 rad/s. Fifteen
/// steps of 1e-3 s from 2e-3 s on would end beyond the reach of Newton.
const FROM: f64 = 1e-3;
/// Steps that are averaged.
const STEPS: usize = 15;
/// Corrections stop shrinking long before.
const MAX_ITERATIONS: usize = 30;
/// Corrections of the positions above this, m, are no rounding: Newton has failed.
const LARGEST_ROUNDING: f64 = 1e-12;
const STEP_SIZES: [f64; 5] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

/// A scaling with its name and the exponents of h that the paper derives for the condition number
/// and for the corrections of positions and of the multiplier solved for.
const SCALINGS: [(Scaling, &str, [f64; 3]); 3] = [
    (Scaling::None, "none", [-4.0, 0.0, -2.0]),
    (Scaling::Right, "right", [-2.0, 0.0, 0.0]),
    (Scaling::Both, "right and left", [0.0, 0.0, 0.0]),
];

/// What rounding leaves in a step.
#[derive(Clone, Copy, Default)]
struct Residue {
    condition: f64,
    position: f64,
    /// Of the multiplier that is solved for.
    multiplier: f64,
    physical: f64,
}

pub(super) fn study() -> Result<Study, String> {
    let from = state_at(FROM)?;
    let mut rows = Vec::new();
    let mut curves: [Vec<Curve>; 4] = Default::default();
    for (scaling, name, paper) in SCALINGS {
        let mut points: [Vec<(f64, f64)>; 4] = Default::default();
        for h in STEP_SIZES {
            let r = mean_residue(scaling, &from, h)?;
            let values = [r.condition, r.position, r.multiplier, r.physical];
            for (points, value) in points.iter_mut().zip(values) {
                points.push((h, value));
            }
        }
        let at_the_ends = [points[0][0].1, points[0][STEP_SIZES.len() - 1].1];
        let exponents = points.iter().map(|p| exponent(p));
        rows.push(StudyRow {
            label: name.to_string(),
            paper: [&paper.map(Some)[..], &[None; 3]].concat(),
            measured: exponents.chain(at_the_ends).map(Some).collect(),
        });
        for (curves, points) in curves.iter_mut().zip(points) {
            let name = name.to_string();
            curves.push(Curve { name, points });
        }
    }
    Ok(Study {
        columns: vec![
            "condition: exponent of h",
            "position correction: exponent",
            "multiplier correction: exponent",
            "physical multiplier: exponent",
            "condition at h = 1e-3",
            "condition at h = 1e-7",
        ],
        rows,
        notes: notes(),
        figures: figures(curves),
    })
}

fn notes() -> Vec<String> {
    let notes = [
        "Squeezing mechanism in the points E, F, G, H (8 coordinates, 7 constant distances), \
         trapezoidal rule, h = 1e-3 to 1e-7; means over 15 steps from t = 0.001 s. Corrections are \
         the last that shrank in Euclidean norm; matrices are factored by dense LU with equilibrated rows and partial pivoting.",
        "Condition numbers are in the 2-norm, from the norm of the matrix and the norm of its \
         inverse, the latter by way of the well-scaled matrix: beyond 1e16 an inverse of the \
         unscaled one means nothing in double precision.",
        "The multiplier of the figures is the unknown that is solved for, lambda or \
         beta h^2 lambda. The physical multiplier saturates at eps/h^2 in all three scalings; no \
         scaling of the linear algebra removes that, only a reduction of the index does.",
        "Misprint: equation (13) has (1 - 1/(2 beta)) a_n in the history term; the derivation of \
         Newmark's formulas gives (1/(2 beta) - 1) a_n, which is used here.",
        "The paper prints no initial values; the start is that of the Test Set for IVP Solvers. Its \
         figures carry no tabulated numbers, so exponents are compared.",
    ];
    notes.map(str::to_string).to_vec()
}

fn figures(curves: [Vec<Curve>; 4]) -> Vec<Figure> {
    let words = [
        ("condition", "Condition number", "condition number"),
        (
            "position",
            "Last shrinking correction of the positions",
            "correction, m",
        ),
        (
            "multiplier",
            "Last shrinking correction of the multiplier solved for",
            "correction, N or kg m",
        ),
        (
            "physical_multiplier",
            "Last shrinking correction of the physical multiplier",
            "correction, N",
        ),
    ];
    let figure = |((name, title, y), curves): ((&str, &str, &str), _)| Figure {
        name: name.to_string(),
        title: title.to_string(),
        x: Axis::log("step size h, s"),
        y: Axis::log(y),
        curves,
    };
    words.into_iter().zip(curves).map(figure).collect()
}

/// The state on the motion at `t`, with consistent accelerations and multipliers.
fn state_at(t: f64) -> Result<State, String> {
    let mut setup = Setup::new("bdf", "index1", t, 1e-12);
    setup.plan.tolerances.atol = None;
    let out = setup.run(&mut Small::new(SqueezerPoints), &mut ())?;
    match out.ending {
        Ending::Finished => Ok(out.state),
        other => Err(format!("the run to t = {t} ended early: {other:?}")),
    }
}

fn mean_residue(scaling: Scaling, from: &State, h: f64) -> Result<Residue, String> {
    let mut bench = Bench::new(scaling);
    let mut s = from.clone();
    let mut mean = Residue::default();
    for _ in 0..STEPS {
        let r = bench.step(&mut s, h)?;
        mean.condition += r.condition / STEPS as f64;
        mean.position += r.position / STEPS as f64;
        mean.multiplier += r.multiplier / STEPS as f64;
        mean.physical += r.physical / STEPS as f64;
    }
    Ok(mean)
}

/// The equations in one scaling, and in the optimal one for the inverse.
struct Bench {
    scaling: Scaling,
    sys: Small<SqueezerPoints>,
    form: Formulation,
    pattern: Pattern,
    blocks: Blocks,
    values: Vec<f64>,
    solver: DenseLu,
    optimal: Formulation,
    r: Vec<f64>,
}

impl Bench {
    fn new(scaling: Scaling) -> Bench {
        let sys = Small::new(SqueezerPoints);
        let rows = Rows::all(sys.facts().dims);
        let mut form = Formulation::index3(scaling);
        let (pattern, groups) = form.bind(&sys, &rows);
        let mut optimal = Formulation::index3(Scaling::Both);
        // the scalings differ in values only
        optimal.bind(&sys, &rows);
        let mut solver = DenseLu::new();
        solver.analyse(&pattern, &groups);
        Bench {
            scaling,
            blocks: Blocks::new(&sys.facts().patterns),
            values: vec![0.0; pattern.nnz()],
            r: vec![0.0; form.size()],
            sys,
            form,
            pattern,
            solver,
            optimal,
        }
    }

    /// One step of the trapezoidal rule from `s`, solved as far as rounding allows.
    fn step(&mut self, s: &mut State, h: f64) -> Result<Residue, String> {
        let mut st = self.predict(s, h);
        let nv = s.v.len();
        let s12 = st.link.qdot * st.link.vdot;
        let unit = match self.scaling {
            Scaling::None => 1.0,
            Scaling::Right | Scaling::Both => s12,
        };
        let mut last = f64::INFINITY;
        let mut residue = Residue::default();
        for _ in 0..MAX_ITERATIONS {
            self.correct(&st)?;
            let (position, multiplier) = (length(&self.r[..nv]), length(&self.r[nv..]));
            let both = position.hypot(multiplier);
            if both.is_nan() || both >= last {
                break;
            }
            last = both;
            self.form.apply(None, &self.r, &mut st);
            residue.position = position;
            residue.multiplier = multiplier;
            residue.physical = unit * multiplier;
        }
        if last.is_infinite() || residue.position > LARGEST_ROUNDING {
            return Err(format!("no convergence at t = {}, h = {h}", st.s.t));
        }
        residue.condition = self.condition(st.link)?;
        s.copy_from(&st.s);
        Ok(residue)
    }

    /// Newmark's formulas with beta = 1/4 and gamma = 1/2 about the point that the velocity leads to.
    fn predict(&mut self, s: &State, h: f64) -> Stage {
        let mut st = Stage::new(self.sys.facts().dims);
        st.s.copy_from(s);
        st.s.t += h;
        for i in 0..s.v.len() {
            st.s.q[i] += h * s.v[i];
            st.s.a[i] = -s.a[i];
        }
        st.qdot.copy_from_slice(&st.s.v);
        st.h = h;
        st.link = Link {
            qdot: 2.0 / h,
            vdot: 2.0 / h,
        };
        self.form.predict(None, &mut st);
        st
    }

    /// Newton's correction at the stage, in `r`.
    fn correct(&mut self, st: &Stage) -> Result<(), String> {
        let parts = self.form.parts();
        let mut want = self.form.request(st, &mut self.r);
        self.sys
            .linearise(&st.s.at(), &mut want, parts, &mut self.blocks)
            .map_err(|e| e.to_string())?;
        self.form.finish(None, st, &mut self.r);
        self.form
            .combine(&self.blocks, &[], st.link, &mut self.values);
        self.solver
            .factor(&self.values)
            .map_err(|e| e.to_string())?;
        self.solver.solve(&mut self.r);
        Ok(())
    }

    /// Condition number of the last matrix, `A = L B R` with `B` optimally scaled and the diagonal
    /// matrices known: the inverse is `R^-1 B^-1 L^-1`.
    fn condition(&mut self, link: Link) -> Result<f64, String> {
        let n = self.pattern.n;
        let nv = self.sys.facts().dims.nv;
        let mut matrix = vec![0.0; n * n];
        for j in 0..n {
            for k in self.pattern.span(j) {
                matrix[self.pattern.row[k] as usize * n + j] = self.values[k];
            }
        }
        self.optimal
            .combine(&self.blocks, &[], link, &mut self.values);
        self.solver
            .factor(&self.values)
            .map_err(|e| e.to_string())?;
        let s12 = link.qdot * link.vdot;
        let (force_row, multiplier_column) = match self.scaling {
            Scaling::None => (s12, 1.0 / s12),
            Scaling::Right => (s12, 1.0),
            Scaling::Both => (1.0, 1.0),
        };
        let mut inverse = vec![0.0; n * n];
        let mut column = vec![0.0; n];
        for j in 0..n {
            column.fill(0.0);
            column[j] = 1.0;
            self.solver.solve(&mut column);
            let left = if j < nv { force_row } else { 1.0 };
            for (i, x) in column.iter().enumerate() {
                let right = if i < nv { 1.0 } else { multiplier_column };
                inverse[i * n + j] = x / (right * left);
            }
        }
        Ok(norm_2(&matrix, n) * norm_2(&inverse, n))
    }
}

fn length(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |sum, x| f64::hypot(sum, *x))
}

/// Largest singular value, by the power method on `A' A`.
fn norm_2(a: &[f64], n: usize) -> f64 {
    const SWEEPS: usize = 100;
    let mut x = vec![1.0; n];
    let mut size = 0.0;
    for _ in 0..SWEEPS {
        let ax: Vec<f64> = a
            .chunks_exact(n)
            .map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum())
            .collect();
        let mut next = vec![0.0; n];
        for (row, y) in a.chunks_exact(n).zip(&ax) {
            for (next, a) in next.iter_mut().zip(row) {
                *next += a * y;
            }
        }
        size = (length(&ax) / length(&x)).max(size);
        let scale = length(&next);
        x = next.into_iter().map(|x| x / scale).collect();
    }
    size
}
