//! Equations of several stages that are solved together: what a formulation knows of their units, of
//! matrices for complex numbers, and of errors behind them.
//!
//! With all rows and unknowns in units of `1/h` a collocation method mixes its stages by powers of
//! its coefficients: row and unknown of power `p` by `lam^-p` and `lam^p` for an eigenvalue `lam`.

use super::Formulation;
use super::layout::{Equation, Layout, Section, Unknown};
use super::stage::add;
use crate::auxiliary::Products;
use crate::chart::Chart;
use crate::eigen::Complex;
use crate::state::{Link, Stage};
use crate::system::{BlockPatterns, Blocks, Part};
use std::ops::Range;

/// Neighbouring rows, or unknowns, whose units have the same power of `s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub range: Range<usize>,
    pub power: usize,
}

/// An error of positions, velocities and states that an implicit method has left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defect {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub x: Vec<f64>,
}

fn runs(powers: impl Iterator<Item = usize>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (i, power) in powers.enumerate() {
        match runs.last_mut() {
            Some(run) if run.power == power => run.range.end = i + 1,
            _ => runs.push(Run {
                range: i..i + 1,
                power,
            }),
        }
    }
    runs
}

impl Formulation {
    /// Rows by the power of `s` in their units.
    pub(crate) fn row_runs(&self) -> Vec<Run> {
        let of_section = |s: &Section| {
            let (_, qdot, vdot) = s.row_unit.parts();
            let power = (qdot + vdot) as usize;
            let differential = &self.layout.differential;
            let states = s.equation == Equation::State;
            let of = move |i: usize| match states && !differential[i] {
                true => 0,
                false => power,
            };
            s.entries.clone().map(of).collect::<Vec<_>>()
        };
        runs(self.layout.sections.iter().flat_map(of_section))
    }

    /// Unknowns by the power of `s` in their units.
    pub(crate) fn unknown_runs(&self) -> Vec<Run> {
        let of_section = |s: &Section| {
            let (_, qdot, vdot) = s.unit.parts();
            s.range.clone().map(move |_| (qdot + vdot) as usize)
        };
        runs(self.layout.sections.iter().flat_map(of_section))
    }

    /// Rows, or unknowns, that are vectors of the tangent: force and kinematic rows, increments of
    /// positions and velocities.
    pub(crate) fn tangent_sections(&self) -> Vec<usize> {
        let of_tangent = |s: &&Section| {
            matches!(
                s.unknown,
                Unknown::Motion | Unknown::Position | Unknown::Velocity
            )
        };
        let all = self.layout.sections.iter().filter(of_tangent);
        all.map(|s| s.range.start).collect()
    }

    /// Which unknowns share their neighbours, as [`Formulation::bind`] has said.
    pub(crate) fn groups(&self) -> Vec<u32> {
        let n = self.layout.size() + self.layout.auxiliary.len();
        self.layout.groups(n)
    }

    /// Whether velocities follow the positions.
    pub(crate) fn follows(&self) -> bool {
        self.layout.follows
    }

    /// Combines blocks for a complex `s1 = s2`.
    pub(crate) fn combine_complex(
        &self,
        blocks: &Blocks,
        bend: &[Complex],
        s: Complex,
        values: &mut [Complex],
    ) {
        self.placement.combine(blocks, bend, [s, s], values);
    }

    /// Moves multipliers and states of a stage by a correction, and velocities that do not follow: positions, what follows
    /// and discrete derivatives are those of all stages together, and given multipliers are to be [given](Self::give) anew. The increments are left in the stage.
    pub(crate) fn displace(&mut self, chart: Option<&dyn Chart>, dz: &[f64], st: &mut Stage) {
        let Layout { sections, keep, .. } = &mut self.layout;
        for s in sections {
            let d = &dz[s.range.clone()];
            let unit = s.unit.value(st.link);
            match s.unknown {
                Unknown::Motion | Unknown::Position => match chart {
                    Some(chart) => chart.rate(&st.s.q, d, &mut st.dq),
                    None => st.dq.copy_from_slice(d),
                },
                Unknown::Velocity => {
                    st.dv.fill(0.0);
                    add(&mut st.dv, unit, d);
                    add(&mut st.s.v, 1.0, &st.dv);
                }
                Unknown::State => {
                    st.dx.copy_from_slice(d);
                    add(&mut st.s.x, 1.0, d);
                }
                Unknown::Multiplier | Unknown::Stabiliser => {
                    let values = match s.unknown {
                        Unknown::Multiplier => &mut st.s.lambda,
                        _ => &mut st.xi,
                    };
                    for (d, &row) in d.iter().zip(&keep[s.entries.clone()]) {
                        values[row as usize] += unit * d;
                    }
                }
            }
        }
    }

    /// Lets velocities of a stage follow where they do, and leaves what they have moved by in the stage.
    pub(crate) fn follow(&mut self, chart: Option<&dyn Chart>, st: &mut Stage) {
        if !self.layout.follows {
            return;
        }
        let step = &mut self.layout.step;
        let rates = match chart {
            None => &st.qdot,
            Some(chart) => {
                st.velocity(chart, step);
                &*step
            }
        };
        for (v, (to, dv)) in rates.iter().zip(st.s.v.iter_mut().zip(&mut st.dv)) {
            *dv = v - *to;
            *to = *v;
        }
    }

    /// Right-hand side of the linear system that tells what an error `e` of positions, velocities and
    /// states is worth in a stiff, constrained system (Hairer & Wanner 1996, IV.8 and VII.4):
    ///
    /// ```text
    ///  stabilised   M e_v/s,  W e_q,  0,  C_q e_q,  e_x
    ///  index 3      M e_v/s + (M + D/s) e_q,  C_q e_q,  G_v e_q,  e_x - f_v e_q       as  dv = s (d - e_q)
    /// ```
    ///
    /// Normal to the constraints positions have no error at the end of a step, but `C_q e_q` is what the polynomials of
    /// the step are off in between. Where a motion is given by drives, that is all there is to see of it.
    ///
    /// Without `damping` the block `D` is left out, as in a matrix without it.
    pub(crate) fn load_defect(
        &self,
        (patterns, products, blocks): (&BlockPatterns, Option<&mut Products>, &Blocks),
        (s, damping): (f64, bool),
        e: &Defect,
        out: &mut [f64],
    ) {
        let link = Link { qdot: s, vdot: s };
        let follows = self.layout.follows;
        out.fill(0.0);
        if let Some(products) = products {
            self.load_relations(products, blocks.generators(), (link, damping), e, out);
        }
        for section in &self.layout.sections {
            let unit = section.row_unit.value(link);
            let out = &mut out[section.range.clone()];
            let mut add = |part: Part, c: f64, x: &[f64]| {
                for (&(i, j), value) in patterns[part].iter().zip(&blocks[part]) {
                    out[i as usize] += c * value * x[j as usize];
                }
            };
            match section.equation {
                Equation::Force => {
                    add(Part::Mass, s / unit, &e.v);
                    if follows {
                        add(Part::Mass, s * s / unit, &e.q);
                        if damping {
                            add(Part::Rv, s / unit, &e.q);
                        }
                    }
                }
                Equation::Kinematic => {
                    for (x, (w, e)) in out.iter_mut().zip(self.metric.iter().zip(&e.q)) {
                        *x = w * e;
                    }
                }
                Equation::Rate if !follows => {}
                Equation::Rate | Equation::Closure => {
                    for (&(i, j), c) in self.places.iter().zip(&blocks[Part::Cq]) {
                        let kept = self.layout.kept(i);
                        let own = kept.and_then(|k| k.checked_sub(section.entries.start));
                        if let Some(x) = own.and_then(|k| out.get_mut(k)) {
                            *x += c * e.q[j as usize];
                        }
                    }
                }
                Equation::State => {
                    let states = out.iter_mut().zip(&e.x).zip(&self.layout.differential);
                    for ((x, e), _) in states.filter(|(_, differential)| **differential) {
                        *x += *e;
                    }
                    if follows {
                        for (&(i, j), f) in patterns[Part::Fv].iter().zip(&blocks[Part::Fv]) {
                            let differential = self.layout.differential[i as usize];
                            let c = if differential { 1.0 } else { s };
                            out[i as usize] -= c * f * e.q[j as usize];
                        }
                    }
                }
            }
        }
    }

    /// The same products, by relations that stand for the blocks. In `out` there is nothing yet.
    fn load_relations(
        &self,
        products: &mut Products,
        generators: &[f64],
        (link, damping): (Link, bool),
        e: &Defect,
        out: &mut [f64],
    ) {
        let s = link.vdot;
        let mut add = |products: &Products, c: f64| {
            for section in &self.layout.sections {
                let per_unit = c / section.row_unit.value(link);
                let out = &mut out[section.range.clone()];
                match section.equation {
                    Equation::Force => {
                        for (x, r) in out.iter_mut().zip(&products.velocity) {
                            *x += s * s * per_unit * r;
                        }
                    }
                    Equation::State => {
                        let rows = products.state.iter().zip(&self.layout.differential);
                        for (x, (f, differential)) in out.iter_mut().zip(rows) {
                            *x -= f * if *differential { per_unit } else { c };
                        }
                    }
                    Equation::Kinematic | Equation::Rate | Equation::Closure => {}
                }
            }
        };
        products.multiply(generators, None, &e.v);
        add(products, 1.0 / s);
        if self.layout.follows {
            products.multiply(generators, damping.then_some(link), &e.q);
            add(products, 1.0);
        }
    }

    /// Turns the solution of that system into the error it stands for; algebraic states have none.
    pub(crate) fn store_defect(
        &self,
        bend: &[f64],
        bend_at: &[(u32, u32)],
        s: f64,
        solution: &[f64],
        e: &mut Defect,
    ) {
        for section in &self.layout.sections {
            let d = &solution[section.range.clone()];
            match section.unknown {
                Unknown::Motion => {
                    for (v, (d, e)) in e.v.iter_mut().zip(d.iter().zip(&e.q)) {
                        *v = s * (d - e);
                    }
                    for (&(i, j), b) in bend_at.iter().zip(bend) {
                        e.v[i as usize] += s * b * d[j as usize];
                    }
                    e.q.copy_from_slice(d);
                }
                Unknown::Position => e.q.copy_from_slice(d),
                Unknown::Velocity => {
                    for (v, d) in e.v.iter_mut().zip(d) {
                        *v = s * d;
                    }
                }
                Unknown::State => {
                    let states = e.x.iter_mut().zip(d).zip(&self.layout.differential);
                    for ((x, d), differential) in states {
                        *x = if *differential { *d } else { 0.0 };
                    }
                }
                Unknown::Multiplier | Unknown::Stabiliser => {}
            }
        }
    }
}
