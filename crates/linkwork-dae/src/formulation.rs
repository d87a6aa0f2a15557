//! Which equations and unknowns a step solves.
//!
//! A formulation only *places*: it says which terms it wants, puts them into its rows, puts blocks
//! into the iteration matrix and increments into the [`Stage`]. It evaluates nothing and knows no
//! time scheme beyond the two numbers of a [`Link`]. All unknowns and rows are in position units,
//! which is the optimal index-3 scaling of Bottasso, Dopico & Trainelli (2008).

mod followed;
mod generated;
pub mod ggl;
pub mod index3;
mod place;

use crate::chart::Chart;
use crate::linear::{FactorInfo, LinearSolver, Pattern, Singular, Work};
use crate::memory::Memory;
use crate::ode::Hold;
use crate::state::{Link, Stage, Weights};
use crate::system::{BlockPatterns, Blocks, Dims, Part, Parts, Row, Rows, System, Terms};
pub(crate) use followed::Followed;
use index3::Scaling;
use place::Placement;
pub(crate) use place::Power;
use std::borrow::Cow;

/// Placement of the equations of motion in the nonlinear system of one step.
pub trait Formulation: Send {
    /// Prepares scatter maps for the kept rows; returns the pattern of the iteration matrix and
    /// which unknowns share their neighbours (see [`LinearSolver::analyse`]). The [auxiliary unknowns](crate::auxiliary) of a system
    /// follow those of the formulation.
    fn bind(&mut self, sys: &dyn System, keep: &Rows) -> (Pattern, Vec<u32>);

    /// An order of elimination, where auxiliary equations have one.
    fn order(&self) -> &[u32] {
        &[]
    }

    /// Number of unknowns, without auxiliary ones.
    fn size(&self) -> usize;

    /// The unknown with the given index; an auxiliary one is told by its owner.
    fn unknown(&self, index: usize) -> Row;

    /// Derivative blocks that the iteration matrix is made of.
    fn parts(&self) -> Parts;

    /// Completes a stepper's prediction.
    fn predict(&mut self, chart: Option<&dyn Chart>, st: &mut Stage);

    /// The terms wanted for a residual; `r` holds the rows.
    fn request<'a>(&'a mut self, st: &Stage, r: &'a mut [f64]) -> Terms<'a>;

    /// Turns the filled request into the negative residual rows.
    fn finish(&mut self, chart: Option<&dyn Chart>, st: &Stage, r: &mut [f64]);

    /// Combines blocks, and the bend of a chart, into the values of the iteration matrix.
    fn combine(&mut self, blocks: &Blocks, bend: &[f64], link: Link, values: &mut [f64]);

    /// Adds a correction to the stage: positions move along the tangent.
    fn apply(&mut self, chart: Option<&dyn Chart>, dz: &[f64], st: &mut Stage);

    /// Inverse error weight of each unknown; 0 for multipliers.
    fn weigh(&self, w: &Weights, link: Link, out: &mut [f64]);

    /// Rounding level of a correction in the weighted norm: smaller ones carry no information.
    fn noise(&self, st: &Stage, weight: &[f64]) -> f64;

    /// Sizes of the unknowns themselves, in the units of their increments; at least the typical
    /// size of a coordinate, since equations contain others of its kind.
    fn sizes(&self, st: &Stage, w: &Weights, out: &mut [f64]);

    /// Fewer equations with the same solution for this very system, if there are.
    fn condensed(&self, sys: &dyn System) -> Option<Box<dyn Formulation>> {
        let _ = sys;
        None
    }

    /// Error, as a share of the tolerance, that a first iteration judged by its curvature may leave.
    fn one_iteration_tolerance(&self) -> f64 {
        5e-2
    }

    /// Whether [`Formulation::filter`] has anything to remove.
    fn filters(&self) -> bool {
        false
    }

    /// Removes from a velocity-level vector its part normal to the constraint manifold.
    fn filter(&mut self, matrix: &mut Matrix, e: &mut [f64]) {
        let _ = (matrix, e);
    }
}

/// Blocks, combined values and factors of the iteration matrix, and the Link they were made for.
pub struct Matrix {
    /// Derivative blocks.
    pub blocks: Blocks,
    /// What a tangent step does to velocities beyond `s1`, see [`Chart`]; empty without a chart.
    pub bend: Vec<f64>,
    /// Where the values are.
    pub pattern: Pattern,
    /// Values in the order of the pattern.
    pub values: Vec<f64>,
    /// Factors.
    pub solver: Box<dyn LinearSolver>,
    /// A right-hand side with zeros for auxiliary equations; empty without them.
    pub long: Vec<f64>,
    /// The same matrix for another step size than that of the factors.
    pub followed: followed::Followed,
    /// The time discretisation the factors belong to.
    pub link: Link,
    /// Accepted steps since the force blocks were evaluated.
    pub age: u32,
    /// Whether blocks and factors can be used at all.
    pub valid: bool,
}

/// Multiplications that a pass over the system takes for each entry of the iteration matrix: every
/// entry stands for a coupling that the pass computes. Compiled code has 13 to 25 instructions for
/// each on the carriage and the car, about half of them arithmetic.
const PASS: f64 = 10.0;

impl Matrix {
    /// What new factors from kept force blocks cost, in corrector iterations: a pass over the system
    /// for `M` and `C_q`, or as many residuals as they take, and a factorisation, against a residual
    /// and a solve.
    pub fn update_price(&self, sys: &dyn System) -> f64 {
        let Work { factor, solve } = self.solver.work();
        let pass = PASS * (1 + self.pattern.nnz()) as f64;
        let passes = f64::from(sys.facts().mass_residuals.max(1));
        (passes * pass + factor) / (pass + solve)
    }

    /// What a sweep of refinement costs, in corrector iterations: a product and a solve.
    pub fn sweep_price(&self) -> f64 {
        let nnz = (1 + self.pattern.nnz()) as f64;
        let Work { solve, .. } = self.solver.work();
        (nnz + solve) / (PASS * nnz + solve)
    }

    /// Combines the blocks for a time discretisation and factors.
    pub fn factor(
        &mut self,
        form: &mut dyn Formulation,
        link: Link,
    ) -> Result<FactorInfo, Singular> {
        form.combine(&self.blocks, &self.bend, link, &mut self.values);
        self.followed.forget();
        self.solver.factor(&self.values)
    }

    /// Solves in place with the last factors, for the unknowns of the formulation.
    pub fn solve(&mut self, b: &mut [f64]) {
        if self.long.is_empty() {
            self.solver.solve(b);
            return;
        }
        let (own, auxiliary) = self.long.split_at_mut(b.len());
        own.copy_from_slice(b);
        auxiliary.fill(0.0);
        self.solver.solve(&mut self.long);
        b.copy_from_slice(&self.long[..b.len()]);
    }

    /// Saves or restores blocks and pivots. Values and factors follow from them: reading combines
    /// and factors anew, with the same result to the last bit.
    pub fn memory(&mut self, form: &mut dyn Formulation, m: &mut Memory) {
        let Matrix {
            blocks,
            bend,
            pattern: _,
            values: _,
            long: _,
            followed,
            solver,
            link,
            age,
            valid,
        } = self;
        m.section("matrix");
        link.memory(m);
        m.u32(age);
        m.bool(valid);
        if *valid {
            blocks.memory(m);
            m.slice(bend);
        }
        solver.memory(m);
        followed.memory(m);
        if self.valid && m.has_read() {
            let followed = self.followed.link();
            if self.factor(form, self.link).is_err() {
                self.valid = false;
                m.singular();
            }
            self.combine_followed(form, followed);
        }
    }
}

/// How a formulation is realised.
#[derive(Clone, Copy)]
pub enum Means {
    /// As the equations and unknowns of an implicit step.
    Placement(fn(Scaling) -> Box<dyn Formulation>),
    /// As ordinary differential equations that hold their constraints.
    Ode(Hold),
}

/// A formulation by name.
pub struct FormulationEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// What it is made of.
    pub means: Means,
    /// Whether accelerations and multipliers of accepted states are taken from the acceleration
    /// level.
    pub consistent: bool,
    /// Whether there is a choice of scaling.
    pub scaled: bool,
}

/// Every formulation.
pub static FORMULATIONS: &[FormulationEntry] = &[
    FormulationEntry {
        name: "index3",
        summary: "position constraints only, optimally scaled; the velocity error is filtered",
        means: Means::Placement(|scaling| Box::new(index3::Index3::scaled(scaling))),
        consistent: false,
        scaled: true,
    },
    FormulationEntry {
        name: "ggl",
        summary: "stabilised index 2 (Gear, Gupta, Leimkuhler): position and velocity constraints",
        means: Means::Placement(|_| Box::new(ggl::Ggl::default())),
        consistent: false,
        scaled: false,
    },
    // With its velocity row in the mass metric, M (v' - a) + C_q' tau = 0, the index-1 form has the
    // positions and velocities of the stabilised form exactly, and lambda + tau is its multiplier:
    // adding the force balance M a + C_q' lambda = Q gives M v' + C_q' (lambda + tau) = Q.
    FormulationEntry {
        name: "index1",
        summary: "the motion of ggl with accelerations and multipliers from the acceleration level",
        means: Means::Placement(|_| Box::new(ggl::Ggl::default())),
        consistent: true,
        scaled: false,
    },
    FormulationEntry {
        name: "projected",
        summary: "accelerations integrated; positions and velocities projected after each step",
        means: Means::Ode(Hold::Projection),
        consistent: false,
        scaled: false,
    },
    FormulationEntry {
        name: "penalty",
        summary: "accelerations integrated; constraint errors decay at a rate within the equations",
        means: Means::Ode(Hold::Penalty),
        consistent: true,
        scaled: false,
    },
    FormulationEntry {
        name: "state-space",
        summary: "as many coordinates integrated as there are freedoms; the others follow everywhere",
        means: Means::Ode(Hold::Partition),
        consistent: false,
        scaled: false,
    },
];

/// A few roundings of the last addition to an unknown.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What both placements keep of the system: sizes, kept rows and the pattern of `C_q`.
#[derive(Default)]
struct Frame {
    dims: Dims,
    /// Kept constraint rows, holonomic ones first.
    keep: Vec<u32>,
    /// How many of them are holonomic.
    holonomic: usize,
    c_q: Vec<(u32, u32)>,
    /// Index among the kept rows of each row, `u32::MAX` when dropped.
    kept_index: Vec<u32>,
    /// Which entries of `x` have a derivative.
    differential: Vec<bool>,
    /// Whether forces follow reactions.
    reactive: bool,
    /// Places of the bend of a chart.
    bend: Vec<(u32, u32)>,
    /// What each auxiliary unknown is told by, and the order of elimination.
    auxiliary: Vec<u32>,
    order: Vec<u32>,
    /// An increment of `q`, or a velocity.
    step: Vec<f64>,
}

/// The patterns that are placed block by block: where there are auxiliary equations, these place the
/// constraints.
fn placed(sys: &dyn System) -> Cow<'_, BlockPatterns> {
    let patterns = sys.patterns();
    if sys.facts().auxiliary.is_none() {
        return Cow::Borrowed(patterns);
    }
    let mut others = patterns.clone();
    others[Part::Cq].clear();
    Cow::Owned(others)
}

impl Frame {
    fn new(sys: &dyn System, keep: &Rows) -> Frame {
        let dims = sys.dims();
        let mut kept_index = vec![u32::MAX; dims.rows()];
        for (k, &row) in keep.c.iter().enumerate() {
            kept_index[row as usize] = k as u32;
        }
        let c_q = sys.patterns()[Part::Cq].clone();
        let differential = sys.facts().differential.clone();
        Frame {
            dims,
            keep: keep.c.clone(),
            holonomic: keep.c.partition_point(|&row| (row as usize) < dims.nc),
            c_q,
            kept_index,
            differential,
            reactive: !sys.patterns()[Part::Rl].is_empty(),
            bend: sys.chart().map_or(Vec::new(), Chart::pattern),
            auxiliary: Vec::new(),
            order: Vec::new(),
            step: vec![0.0; dims.nv],
        }
    }

    /// Row of the equation of a state and its factor: that of `-f`, over `s2` where it has a rate.
    fn state_row(&self, i: u32, first: u32) -> (u32, Power) {
        let vdot = -i32::from(self.differential[i as usize]);
        (first + i, Power::of(-1.0, 0, vdot))
    }

    /// The unknown that tells an auxiliary one; `size` are those of the formulation.
    fn owner(&self, index: usize, size: usize) -> Row {
        let k = self.auxiliary.get(index - size).copied().unwrap_or(0);
        Row::Velocity(k as usize)
    }

    /// Moves the positions of a stage and their discrete derivative by a tangent step.
    fn move_positions(&mut self, chart: Option<&dyn Chart>, d: &[f64], st: &mut Stage) {
        let s1 = st.link.qdot;
        let d = match chart {
            None => d,
            Some(chart) => {
                chart.rate(&st.s.q, d, &mut self.step);
                &self.step
            }
        };
        for x in [&mut st.s.q, &mut st.dq] {
            add(x, 1.0, d);
        }
        add(&mut st.qdot, s1, d);
    }

    /// Lets the velocities of a stage follow the discrete derivative of its positions.
    fn follow(&mut self, chart: Option<&dyn Chart>, st: &mut Stage) {
        let v = match chart {
            None => &st.qdot,
            Some(chart) => {
                st.velocity(chart, &mut self.step);
                &self.step
            }
        };
        let s2 = st.link.vdot;
        let moved = st.s.v.iter_mut().zip(&mut st.dv).zip(&mut st.s.a);
        for (v, ((to, dv), a)) in v.iter().zip(moved) {
            let e = v - *to;
            *dv += e;
            *a += s2 * e;
            *to = *v;
        }
    }

    /// Places the blocks of the first-order states: rows and columns from `x` on, columns of `q`
    /// from `q` on, those of `v` (in units of `v / s1`) from `v` on; `bend` has places where
    /// velocities follow the positions of a chart. Force rows are multiplied by `(s1 s2)^rows`.
    ///
    /// Rows are `(xdot - f)/s2` and, where algebraic, `-f`.
    fn place_states(
        &self,
        p: &BlockPatterns,
        placement: &mut Placement,
        rows: i32,
        bend: &[(u32, u32)],
        (q, v, x): (u32, u32, u32),
    ) {
        if self.dims.nx == 0 {
            return;
        }
        let force = Power::of(1.0, rows - 1, rows - 1);
        placement.block(p, Part::Rx, force, |i, j| Some((i, x + j)));
        let rate = |i: u32| self.differential[i as usize];
        for (wanted, vdot) in [(true, -1), (false, 0)] {
            let at = |i: u32, j: u32| (rate(i) == wanted).then_some((x + i, j));
            let level = Power::of(-1.0, 0, vdot);
            placement.block(p, Part::Fq, level, |i, j| at(i, q + j));
            let speed = Power::of(-1.0, 1, vdot);
            placement.velocity_block(p, Part::Fv, speed, bend, |i, j| at(i, v + j));
            placement.block(p, Part::Fx, level, |i, j| at(i, x + j));
        }
        for (i, _) in (0..).zip(&self.differential).filter(|(_, d)| **d) {
            placement.constant(x + i, x + i, 1.0);
        }
    }

    /// The given blocks, those of states and of reaction-driven forces where there are any.
    fn with_others(&self, mut parts: Parts) -> Parts {
        if self.dims.nx > 0 {
            parts = parts | Part::Rx | Part::Fq | Part::Fv | Part::Fx;
        }
        if self.reactive {
            parts = parts | Part::Rl;
        }
        parts
    }

    /// Negative residual of the states, from `f` in place.
    fn finish_states(&self, st: &Stage, f: &mut [f64]) {
        let per_vdot = 1.0 / st.link.vdot;
        for ((f, xdot), differential) in f.iter_mut().zip(&st.s.xdot).zip(&self.differential) {
            if *differential {
                *f = per_vdot * (*f - xdot);
            }
        }
    }

    fn state_sizes(&self, st: &Stage, w: &Weights, out: &mut [f64]) {
        for ((o, x), scale) in out.iter_mut().zip(&st.s.x).zip(w.scale_x()) {
            *o = x.abs().max(*scale);
        }
    }

    fn apply_states(&self, d: &[f64], st: &mut Stage) {
        let s2 = st.link.vdot;
        for (i, (d, differential)) in d.iter().zip(&self.differential).enumerate() {
            st.s.x[i] += d;
            st.dx[i] += d;
            if *differential {
                st.s.xdot[i] += s2 * d;
            }
        }
    }

    fn kept(&self, row: u32) -> Option<u32> {
        match self.kept_index[row as usize] {
            u32::MAX => None,
            k => Some(k),
        }
    }

    /// `out += C_q x` on the kept holonomic rows.
    fn add_c_q(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        for (&(i, j), c) in self.c_q.iter().zip(values) {
            if let Some(k) = self.kept(i).filter(|&k| (k as usize) < self.holonomic) {
                out[k as usize] += c * x[j as usize];
            }
        }
    }

    /// `out += factor C_q' xi` with `xi` on all rows (0 on dropped ones).
    fn add_c_q_transposed(&self, factor: f64, values: &[f64], xi: &[f64], out: &mut [f64]) {
        for (&(i, j), c) in self.c_q.iter().zip(values) {
            out[j as usize] += factor * c * xi[i as usize];
        }
    }
}

/// `x += c d`.
fn add(x: &mut [f64], c: f64, d: &[f64]) {
    for (x, d) in x.iter_mut().zip(d) {
        *x += c * d;
    }
}
