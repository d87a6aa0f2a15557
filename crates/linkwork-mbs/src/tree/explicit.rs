//! A tree in joint coordinates, solved for its accelerations: `a - M^-1 Q = 0`.
//!
//! The iteration matrix of an implicit method then has no mass matrix in it. Derivatives are those of
//! the residual at the acceleration that belongs to the point, times `M^-1`:
//!
//! ```text
//!  r = a - a*(q, v, x)      M a* = Q      r_q = M^-1 (M a - Q)_q at a = a*      r_v, r_x likewise
//! ```
//!
//! Loops have no place here: with their equations the mass matrix does not stand alone.

use super::{Branches, JointCoordinates, Ltl};
use crate::error::ModelError;
use linkwork_dae::chart::Chart;
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    After, At, BlockPatterns, Blocks, Channel, Dims, Energy, EvalError, Guess, Part, Parts, Row,
    System, Terms,
};
use std::sync::Arc;

/// See the [module](self).
#[derive(Debug)]
pub struct Explicit {
    inner: JointCoordinates,
    layout: Arc<Layout>,
    ltl: Ltl,
    mass: Vec<f64>,
    /// The mass matrix by branches.
    lower: Vec<f64>,
    accel: Vec<f64>,
    blocks: Blocks,
    /// One block, column by column.
    columns: Vec<f64>,
}

#[derive(Debug)]
struct Layout {
    branches: Branches,
    patterns: BlockPatterns,
    /// Entries of the mass matrix below the diagonal: number, and place by branches.
    lower: Vec<(u32, u32)>,
}

impl Explicit {
    /// The same tree; one with loops or other constraints is refused.
    pub fn new(inner: JointCoordinates) -> Result<Explicit, ModelError> {
        let dims = inner.dims();
        if dims.rows() > 0 {
            let cut: Vec<String> = (inner.outline().cut.into_iter())
                .map(|(name, ..)| format!("`{name}`"))
                .collect();
            let message = format!(
                "the explicit formalism is for trees without constraints, and joints {} are cut",
                cut.join(", ")
            );
            return Err(ModelError::new(message).with_help("use formalism = \"residual\""));
        }
        let branches = Branches::new(inner.tree());
        let mut places = std::collections::BTreeMap::new();
        for k in 0..branches.len() {
            let row = branches.row(k);
            for (j, place) in branches.path(k).zip(row.rev()) {
                places.insert((k as u32, j as u32), place as u32);
            }
        }
        let from = inner.patterns();
        let lower = (from[Part::Mass].iter().enumerate())
            .filter_map(|(n, entry)| Some((n as u32, *places.get(entry)?)))
            .collect();
        let n = dims.nv as u32;
        let full = |columns: u32| (0..n).flat_map(move |i| (0..columns).map(move |j| (i, j)));
        let mut patterns = BlockPatterns::default();
        patterns[Part::Mass] = (0..n).map(|i| (i, i)).collect();
        patterns[Part::Rq] = full(n).collect();
        patterns[Part::Rv] = full(n).collect();
        patterns[Part::Rx] = full(dims.nx as u32).collect();
        for part in [Part::Fq, Part::Fv, Part::Fx] {
            patterns[part].clone_from(&from[part]);
        }
        let layout = Layout {
            branches,
            patterns,
            lower,
        };
        Ok(Explicit::with(inner, Arc::new(layout)))
    }

    fn with(inner: JointCoordinates, layout: Arc<Layout>) -> Explicit {
        let d = inner.dims();
        Explicit {
            ltl: Ltl::new(&layout.branches),
            mass: vec![0.0; inner.patterns()[Part::Mass].len()],
            lower: vec![0.0; layout.branches.entries()],
            accel: vec![0.0; d.nv],
            blocks: Blocks::new(inner.patterns()),
            columns: vec![0.0; d.nv * d.nv.max(d.nx)],
            inner,
            layout,
        }
    }

    /// Accelerations at a point; the factor of the mass matrix stays.
    fn accelerate(&mut self, at: &At<'_>) -> Result<(), EvalError> {
        let mut want = Terms {
            mass: Some(&mut self.mass),
            force: Some(&mut self.accel),
            ..Terms::default()
        };
        self.inner.eval(at, &mut want)?;
        for (n, place) in &self.layout.lower {
            self.lower[*place as usize] = self.mass[*n as usize];
        }
        let branches = &self.layout.branches;
        if let Err(e) = self.ltl.factor(branches, &self.lower) {
            return Err(EvalError::Domain {
                what: self.inner.describe(Row::Velocity(e.column)),
                why: "nothing that moves with it has inertia".into(),
            });
        }
        self.ltl.solve(branches, &mut self.accel);
        Ok(())
    }

    /// `M^-1` times a block.
    fn divide(&mut self, part: Part, columns: usize, out: &mut [f64]) {
        let n = self.accel.len();
        let dense = &mut self.columns[..n * columns];
        dense.fill(0.0);
        let entries = self.inner.patterns()[part].iter().zip(&self.blocks[part]);
        for (&(i, j), x) in entries {
            dense[j as usize * n + i as usize] = *x;
        }
        for (j, column) in dense.chunks_exact_mut(n.max(1)).enumerate() {
            self.ltl.solve(&self.layout.branches, column);
            for (i, x) in column.iter().enumerate() {
                out[i * columns + j] = *x;
            }
        }
    }
}

impl System for Explicit {
    fn dims(&self) -> Dims {
        self.inner.dims()
    }

    fn patterns(&self) -> &BlockPatterns {
        &self.layout.patterns
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        if want.r.is_some() || want.force.is_some() {
            self.accelerate(at)?;
        }
        if let Some(r) = want.r.as_deref_mut() {
            for (r, (a, own)) in r.iter_mut().zip(at.a.iter().zip(&self.accel)) {
                *r = a - own;
            }
        }
        if let Some(force) = want.force.as_deref_mut() {
            force.copy_from_slice(&self.accel);
        }
        if let Some(mass) = want.mass.as_deref_mut() {
            mass.fill(1.0);
        }
        if let Some(f) = want.f.as_deref_mut() {
            let mut own = Terms {
                f: Some(f),
                ..Terms::default()
            };
            self.inner.eval(at, &mut own)?;
        }
        Ok(())
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.eval(at, want)?;
        if parts.has(Part::Mass) {
            out[Part::Mass].fill(1.0);
        }
        let divided = [Part::Rq, Part::Rv, Part::Rx];
        if divided.into_iter().any(|part| parts.has(part))
            && want.r.is_none()
            && want.force.is_none()
        {
            self.accelerate(at)?;
        }
        let rest = parts.without(Parts::from(Part::Mass) | Part::Cq | Part::CVq | Part::Rl);
        if rest.is_empty() {
            return Ok(());
        }
        let there = At {
            a: &self.accel,
            ..*at
        };
        (self.inner).linearise(&there, &mut Terms::default(), rest, &mut self.blocks)?;
        let d = self.dims();
        for (part, columns) in [(Part::Rq, d.nv), (Part::Rv, d.nv), (Part::Rx, d.nx)] {
            if parts.has(part) {
                self.divide(part, columns, &mut out[part]);
            }
        }
        for part in [Part::Fq, Part::Fv, Part::Fx] {
            if parts.has(part) {
                out[part].copy_from_slice(&self.blocks[part]);
            }
        }
        Ok(())
    }

    fn excitations(&self) -> usize {
        self.inner.excitations()
    }

    fn excitation(&self, t: f64, out: &mut [f64]) {
        self.inner.excitation(t, out);
    }

    fn excitation_scale(&self, out: &mut [f64]) {
        self.inner.excitation_scale(out);
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        self.inner.offset_excitations(offset);
    }

    fn guess(&self) -> Guess {
        self.inner.guess()
    }

    fn scale(&self, out: &mut [f64]) {
        self.inner.scale(out);
    }

    fn magnitude(&self, q: &[f64], out: &mut [f64]) {
        self.inner.magnitude(q, out);
    }

    fn differential(&self, out: &mut [bool]) {
        self.inner.differential(out);
    }

    fn scale_x(&self, out: &mut [f64]) {
        self.inner.scale_x(out);
    }

    fn chart(&self) -> Option<&dyn Chart> {
        self.inner.chart()
    }

    fn chart_mut(&mut self) -> Option<&mut dyn Chart> {
        self.inner.chart_mut()
    }

    fn groups(&self, out: &mut [u32]) {
        self.inner.groups(out);
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn inputs(&self) -> Vec<String> {
        self.inner.inputs()
    }

    fn set_input(&mut self, input: usize, course: &Polynomial) {
        self.inner.set_input(input, course);
    }

    fn next_time_event(&self, t: f64) -> Option<f64> {
        self.inner.next_time_event(t)
    }

    fn on_time_event(&mut self, s: &mut State) -> After {
        self.inner.on_time_event(s)
    }

    fn channels(&self) -> &[Channel] {
        self.inner.channels()
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.inner.observe(s, out);
    }

    fn energy(&mut self, s: &State) -> Option<Energy> {
        self.inner.energy(s)
    }

    fn describe(&self, row: Row) -> String {
        self.inner.describe(row)
    }

    fn owner(&self, row: Row) -> String {
        self.inner.owner(row)
    }

    fn memory(&mut self, m: &mut Memory) {
        self.inner.memory(m);
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(Explicit::with(self.inner.copy(), self.layout.clone()))
    }
}
