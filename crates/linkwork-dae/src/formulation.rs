//! Which equations and unknowns a step solves.
//!
//! A formulation only *places*: it says which terms it wants, puts them into its rows, puts blocks
//! into the iteration matrix and increments into the [`Stage`]. It evaluates nothing and knows no
//! time scheme beyond the two numbers of a [`Link`]. All unknowns and rows are in position units,
//! which is the optimal index-3 scaling of Bottasso, Dopico & Trainelli (2008).
//!
//! It is a table: which unknowns stand beside which equations ([`index3`], [`ggl`]). What else there is
//! to know follows from what an unknown moves and what an equation contains, `TERMS`:
//!
//! ```text
//!  M a + C_q' lambda - Q        M da + Q_v dv + K dq + (C_q' + R_l) dlambda - Q_x dx
//!  W (q' - v) + C_q' xi         W (dq' - dv) + C_q' dxi
//!  C_q v + C_t,  g              C_q dv + (C_q v)_q dq
//!  C                            C_q dq
//!  x' - f                       dx' - f_q dq - f_v dv - f_x dx
//! ```

mod collocation;
mod generated;
pub mod ggl;
pub mod index3;
mod layout;
mod matrix;
mod place;
mod registry;
mod stage;

use crate::auxiliary::Place;
use crate::chart::Chart;
use crate::law::{Bond, Tie};
use crate::linear::Pattern;
use crate::state::{Link, Stage};
use crate::system::{BlockPatterns, Blocks, Part, Parts, Row, Rows, System, Terms};
pub(crate) use collocation::{Defect, Run};
use ggl::{GGL, metric};
use index3::{INDEX3, Scaling};
use layout::{Equation, Kind, Layout, Unknown, Variable};
pub use matrix::Matrix;
pub(crate) use place::Power;
use place::{DROPPED, Placement};
pub use registry::{FORMULATIONS, FormulationEntry, Means};
use stage::rates;
use std::borrow::Cow;

/// Unknowns beside equations.
struct Table {
    kinds: &'static [Kind],
    /// Error, as a share of the tolerance, that a first iteration judged by its curvature may leave.
    single: f64,
}

/// The derivatives of each equation; `C_q` with a multiplier is transposed.
const TERMS: [(Equation, Part, Variable); 13] = [
    (Equation::Force, Part::Mass, Variable::Acceleration),
    (Equation::Force, Part::Rv, Variable::Velocity),
    (Equation::Force, Part::Rq, Variable::Position),
    (Equation::Force, Part::Cq, Variable::Multiplier),
    (Equation::Force, Part::Rl, Variable::Multiplier),
    (Equation::Force, Part::Rx, Variable::State),
    (Equation::Kinematic, Part::Cq, Variable::Stabiliser),
    (Equation::Rate, Part::Cq, Variable::Velocity),
    (Equation::Rate, Part::CVq, Variable::Position),
    (Equation::Closure, Part::Cq, Variable::Position),
    (Equation::State, Part::Fq, Variable::Position),
    (Equation::State, Part::Fv, Variable::Velocity),
    (Equation::State, Part::Fx, Variable::State),
];

/// Placement of the equations of motion in the nonlinear system of one step.
pub struct Formulation {
    table: &'static Table,
    scaling: Scaling,
    layout: Layout,
    placement: Placement,
    parts: Parts,
    /// Diagonal of `W`.
    metric: Vec<f64>,
    /// Places and values of `C_q`, and what else is asked of the system; where the row of a place is among the unknowns.
    places: Vec<(u32, u32)>,
    closures: Vec<u32>,
    c_q: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
    rhs: Vec<f64>,
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

impl Formulation {
    fn of(table: &'static Table, scaling: Scaling) -> Formulation {
        Formulation {
            table,
            scaling,
            layout: Layout::default(),
            placement: Placement::default(),
            parts: Parts::NONE,
            metric: Vec::new(),
            places: Vec::new(),
            closures: Vec::new(),
            c_q: Vec::new(),
            c: Vec::new(),
            cv: Vec::new(),
            rhs: Vec::new(),
        }
    }

    /// Position constraints, see [`index3`].
    pub fn index3(scaling: Scaling) -> Formulation {
        Formulation::of(&INDEX3, scaling)
    }

    /// Position and velocity constraints, see [`ggl`].
    pub fn ggl() -> Formulation {
        Formulation::of(&GGL, Scaling::Both)
    }

    /// Fewer equations with the same solution for this very system, if there are: without constraints
    /// nothing is stabilised, `qdot = v` holds to rounding, and positions alone are unknowns enough.
    #[must_use]
    pub fn condensed(self, sys: &dyn System) -> Formulation {
        match sys.dims().rows() {
            0 => Formulation::index3(self.scaling),
            _ => self,
        }
    }

    /// Prepares scatter maps for the kept rows; returns the pattern of the iteration matrix and
    /// which unknowns share their neighbours (see [`LinearSolver::analyse`](crate::linear::LinearSolver::analyse)).
    /// The [auxiliary unknowns](crate::auxiliary) of a system follow those of the formulation.
    pub fn bind(&mut self, sys: &dyn System, keep: &Rows) -> (Pattern, Vec<u32>) {
        self.layout = Layout::new(sys, keep, self.table.kinds, self.scaling);
        self.metric = match self.layout.holonomic {
            // nothing is normal to no constraints
            0 => vec![1.0; self.layout.dims.nv],
            _ => metric(sys),
        };
        self.parts = self.needed(sys.patterns());
        let bend = sys.chart().map_or(Vec::new(), Chart::pattern);
        self.placement = Placement::default();
        self.place_blocks(&placed(sys), &bend);
        self.place_ties(&placed(sys));
        self.place_constants(&bend);
        self.place_auxiliary(sys, &bend);
        let n = self.layout.size();
        let pattern = self.placement.finish(n + self.layout.auxiliary.len());
        self.places.clone_from(&sys.patterns()[Part::Cq]);
        let closure = |&(i, _): &(u32, u32)| self.layout.row(Equation::Closure, i);
        let closures = self.places.iter().map(closure);
        self.closures = closures.map(|row| row.unwrap_or(DROPPED)).collect();
        self.c_q = vec![0.0; self.places.len()];
        self.c = vec![0.0; self.layout.dims.nc];
        self.cv = vec![0.0; self.layout.dims.rows()];
        self.rhs = vec![0.0; n];
        let groups = self.layout.groups(pattern.n);
        (pattern, groups)
    }

    /// The blocks in equations that there are, of variables that move.
    fn needed(&self, patterns: &BlockPatterns) -> Parts {
        let mut parts = Parts::from(Part::Mass) | Part::Cq;
        for (equation, part, _) in TERMS {
            let placed = !self.layout.rows(equation).is_empty();
            let optional = matches!(part, Part::Rl) && patterns[part].is_empty();
            let stateless = matches!(part, Part::Rx) && self.layout.dims.nx == 0;
            if placed && !optional && !stateless {
                parts = parts | part;
            }
        }
        parts
    }

    fn place_blocks(&mut self, p: &BlockPatterns, bend: &[(u32, u32)]) {
        let Formulation {
            layout, placement, ..
        } = self;
        for (equation, part, variable) in TERMS {
            let Some(rows) = layout.sections.iter().find(|s| s.equation == equation) else {
                continue;
            };
            let moved = layout.moved(variable);
            let bend = if moved.bent { bend } else { &[] };
            let transposed =
                part == Part::Cq && matches!(variable, Variable::Multiplier | Variable::Stabiliser);
            if transposed && equation == Equation::Force && p.whole_r_l {
                continue;
            }
            let power = moved.power.over(rows.row_unit);
            let at = |i: u32, j: u32| {
                let (i, j) = if transposed { (j, i) } else { (i, j) };
                Some((layout.row(equation, i)?, layout.column(moved.by, j)?))
            };
            if equation != Equation::State {
                placement.velocity_block(p, part, power, bend, at);
                continue;
            }
            // rows are (x' - f)/s2 and, where algebraic, -f
            for (rate, power) in [(true, power), (false, moved.power)] {
                let own = |i: u32| layout.differential[i as usize] == rate;
                let at = |i: u32, j: u32| at(i, j).filter(|_| own(i));
                placement.velocity_block(p, part, power.times(-1.0, 0, 0), bend, at);
            }
        }
    }

    /// Places the columns of multipliers that follow kept ones: `ratio C_q,t'` beside `C_q,n'`.
    fn place_ties(&mut self, p: &BlockPatterns) {
        let Formulation {
            layout, placement, ..
        } = self;
        let power = (layout.moved(Variable::Multiplier).power).over(self.scaling.force());
        for &Tie { row: t, to } in &layout.ties {
            let Bond::Follows { row: n, ratio } = to else {
                continue;
            };
            let power = power.times(ratio, 0, 0);
            let place = |row: u32, of: u32| {
                let own = (of == t).then(|| layout.column(Unknown::Multiplier, n))??;
                Some((layout.row(Equation::Force, row)?, own))
            };
            if !p.whole_r_l {
                placement.velocity_block(p, Part::Cq, power, &[], |i, j| place(j, i));
            }
            placement.velocity_block(p, Part::Rl, power, &[], place);
        }
    }

    /// Lets given multipliers of a stage have their values; see [`crate::law`].
    pub(crate) fn give(&mut self, sys: &mut dyn System, st: &mut Stage) {
        let Layout { ties, capacity, .. } = &mut self.layout;
        if !ties.is_empty() {
            Rows::give(ties, sys, &st.s, capacity);
            Rows::follow(ties, capacity, &mut st.s.lambda);
        }
    }

    /// Places `W (I + B)` and `-W` of the kinematic rows, and the rates of states.
    fn place_constants(&mut self, bend: &[(u32, u32)]) {
        let Formulation {
            layout,
            placement,
            metric,
            ..
        } = self;
        let first = |range: std::ops::Range<usize>| range.start as u32;
        let kinematic = layout.rows(Equation::Kinematic);
        for (row, (i, w)) in kinematic.clone().zip((0..).zip(&*metric)) {
            placement.constant(row as u32, i, -w);
            placement.constant(row as u32, row as u32, *w);
        }
        if !kinematic.is_empty() {
            let kinematic = first(kinematic);
            for (entry, &(i, j)) in (0..).zip(bend) {
                let w = metric[i as usize];
                placement.bend_entry(entry, kinematic + i, kinematic + j, w);
            }
        }
        let states = first(layout.rows(Equation::State));
        for (i, _) in (states..).zip(&layout.differential).filter(|(_, d)| **d) {
            placement.constant(i, i, 1.0);
        }
    }

    fn place_auxiliary(&mut self, sys: &dyn System, bend: &[(u32, u32)]) {
        let Some(auxiliary) = sys.facts().auxiliary.as_deref() else {
            return;
        };
        let (layout, scaling) = (&self.layout, self.scaling);
        let both = Power::of(1.0, 1, 1);
        let one = |k: u32| (k, Power::ONE);
        let row = |place: Place| match place {
            Place::Velocity(i) => {
                let force = both.over(scaling.force());
                layout.row(Equation::Force, i).map(|k| (k, force))
            }
            Place::Position(i) => layout.row(Equation::Kinematic, i).map(one),
            Place::Constraint(i) => layout.row(Equation::Rate, i).map(one),
            Place::Closure(i) => layout.row(Equation::Closure, i).map(one),
            Place::State(i) => {
                let vdot = -i32::from(layout.differential[i as usize]);
                let unit = Power::of(-1.0, 0, vdot);
                layout.row(Equation::State, i).map(|k| (k, unit))
            }
            Place::Own(_) => None,
        };
        let of = |variable| layout.moved(variable).by;
        let column = |place: Place| match place {
            Place::Velocity(i) => layout.column(of(Variable::Velocity), i).map(one),
            Place::Position(i) => layout.column(of(Variable::Position), i).map(one),
            Place::Constraint(i) => {
                let unit = scaling.multiplier().over(both);
                layout.column(Unknown::Multiplier, i).map(|k| (k, unit))
            }
            Place::Closure(i) => layout.column(Unknown::Stabiliser, i).map(one),
            Place::State(i) => layout.column(Unknown::State, i).map(one),
            Place::Own(_) => None,
        };
        let bend = if layout.follows { bend } else { &[] };
        let first = layout.size() as u32;
        (self.layout.auxiliary, self.layout.order) =
            (self.placement).auxiliary(auxiliary, first, bend, row, column);
    }

    /// An order of elimination, where auxiliary equations have one.
    pub fn order(&self) -> &[u32] {
        &self.layout.order
    }

    /// Number of unknowns, without auxiliary ones.
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// The unknown with the given index; an auxiliary one is told by its owner.
    pub fn unknown(&self, index: usize) -> Row {
        self.layout.unknown(index)
    }

    /// Derivative blocks that the iteration matrix is made of.
    pub fn parts(&self) -> Parts {
        self.parts
    }

    /// Error, as a share of the tolerance, that a first iteration judged by its curvature may leave.
    pub fn one_iteration_tolerance(&self) -> f64 {
        self.table.single
    }

    /// The terms wanted for a residual; `r` holds the rows.
    pub fn request<'a>(&'a mut self, st: &Stage, r: &'a mut [f64]) -> Terms<'a> {
        let asked = &self.layout.asked;
        let (rest, f) = r.split_at_mut(asked.states);
        // C_q' xi is zero at the prediction
        let stabilised = asked.stabilised && is_stabilised(st);
        Terms {
            // none where nothing but states moves
            r: rest.get_mut(asked.force.clone()),
            c: Some(&mut self.c),
            cv: asked.rates.then_some(&mut self.cv[..]),
            c_q: stabilised.then_some(&mut self.c_q[..]),
            f: (!f.is_empty()).then_some(f),
            ..Terms::default()
        }
    }

    /// Turns the filled request into the negative residual rows.
    pub fn finish(&mut self, chart: Option<&dyn Chart>, st: &Stage, r: &mut [f64]) {
        let Layout {
            sections,
            keep,
            differential,
            step,
            ..
        } = &mut self.layout;
        for s in sections {
            let out = &mut r[s.range.clone()];
            let per_unit = -1.0 / s.row_unit.value(st.link);
            let values = match s.equation {
                Equation::Force => {
                    out.iter_mut().for_each(|x| *x *= per_unit);
                    continue;
                }
                Equation::Kinematic => {
                    let qdot = rates(chart, st, step);
                    let rates = qdot.iter().zip(&st.s.v).zip(&self.metric);
                    for (x, ((qdot, v), w)) in out.iter_mut().zip(rates) {
                        *x = per_unit * w * (qdot - v);
                    }
                    if is_stabilised(st) {
                        for (&(i, j), c) in self.places.iter().zip(&self.c_q) {
                            out[j as usize] += per_unit * c * st.xi[i as usize];
                        }
                    }
                    continue;
                }
                Equation::State => {
                    let states = out.iter_mut().zip(&st.s.xdot).zip(&*differential);
                    for ((f, xdot), _) in states.filter(|(_, differential)| **differential) {
                        *f = -per_unit * (*f - xdot);
                    }
                    continue;
                }
                Equation::Rate => &self.cv,
                Equation::Closure => &self.c,
            };
            for (x, &row) in out.iter_mut().zip(&keep[s.entries.clone()]) {
                *x = per_unit * values[row as usize];
            }
        }
    }

    /// Combines blocks, and the bend of a chart, into the values of the iteration matrix.
    pub fn combine(&mut self, blocks: &Blocks, bend: &[f64], link: Link, values: &mut [f64]) {
        let link = [link.qdot, link.vdot];
        self.placement.combine(blocks, bend, link, values);
    }

    /// Whether [`Formulation::filter`] has anything to remove.
    pub fn filters(&self) -> bool {
        self.layout.follows && self.layout.holonomic > 0
    }

    /// Removes from a velocity-level vector its part normal to the constraint manifold: subtracts `w`
    /// with `C_q w = C_q e`, `Mhat w + C_q' s = 0`, one solve with the factors at
    /// hand. Only the rest of a velocity error is a true error of the motion; the normal part does
    /// not shrink with the step (Gear, Gupta & Leimkuhler 1985; Fuehrer & Leimkuhler 1991).
    pub fn filter(&mut self, matrix: &mut Matrix, e: &mut [f64]) {
        self.rhs.fill(0.0);
        let places = self.closures.iter().zip(&self.places);
        for ((&row, &(_, j)), c) in places.zip(&matrix.blocks[Part::Cq]) {
            if let Some(x) = self.rhs.get_mut(row as usize) {
                *x += c * e[j as usize];
            }
        }
        matrix.solve(&mut self.rhs);
        for (e, w) in e.iter_mut().zip(&self.rhs) {
            *e -= w;
        }
    }
}

/// Whether positions have been stabilised in this solve.
fn is_stabilised(st: &Stage) -> bool {
    st.xi.iter().any(|&x| x != 0.0)
}
