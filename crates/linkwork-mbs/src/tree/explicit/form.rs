//! The equations divided by the mass matrix, as implicit steps see them.
//!
//! ```text
//!  a* = M^-1 (Q - C_q' lambda)      r = a - a*      r_a = I      r_lambda = M^-1 C_q'
//!
//!  r_q = M^-1 (M a + C_q' lambda - Q)_q at a = a*,      because (M^-1)_q = -M^-1 M_q M^-1
//!  r_v, r_x likewise
//! ```
//!
//! `M` couples the coordinates of one tree, so `M^-1` fills rows of its tree and no others: bodies
//! that only forces connect keep their zeros. Amplitudes of flexible bodies are coordinates like others.

use crate::forward::forward_states;
use crate::tree::{Branches, JointCoordinates, Ltl};
use linkwork_dae::linear::Singular;
use linkwork_dae::system::{
    At, Blocks, Capability, EvalError, Facts, Part, Parts, Reader, Row, System, Terms,
};
use std::sync::Arc;

/// Blocks that are divided, columns of which are those of the residual form.
const DIVIDED: [Part; 3] = [Part::Rq, Part::Rv, Part::Rx];

/// Share of its inertia that a coordinate must feel with everything else free. A chain of a thousand
/// rods has 1e-9.
const LEAST_SHARE: f64 = 1e-14;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct ExplicitForm {
    pub inner: JointCoordinates,
    layout: Arc<Arrangement>,
    ltl: Ltl,
    mass: Vec<f64>,
    /// The mass matrix by branches.
    lower: Vec<f64>,
    /// `a*`, and zeros.
    accel: Vec<f64>,
    rest: Vec<f64>,
    c_q: Vec<f64>,
    blocks: Blocks,
    /// One block, column by column.
    columns: Vec<f64>,
}

#[derive(Debug)]
struct Arrangement {
    branches: Branches,
    facts: Facts,
    /// Entries of the mass matrix below the diagonal: number, and place by branches.
    lower: Vec<(u32, u32)>,
}

/// The rows that `M^-1` fills from those of a pattern, column by column of the same.
fn filled(pattern: &[(u32, u32)], root: &[usize]) -> Vec<(u32, u32)> {
    let mut met = std::collections::BTreeSet::new();
    for &(i, j) in pattern {
        met.insert((root[i as usize], j));
    }
    let rows = (0..root.len() as u32).zip(root);
    let mut out: Vec<(u32, u32)> = rows
        .flat_map(|(i, r)| {
            let columns = met.range((*r, 0)..=(*r, u32::MAX));
            columns.map(move |(_, j)| (i, *j))
        })
        .collect();
    out.sort_unstable();
    out
}

impl Arrangement {
    fn new(inner: &JointCoordinates) -> Arrangement {
        let masses = &inner.facts().patterns[Part::Mass];
        let branches = Branches::holding(inner.facts().dims.nv, masses);
        let mut places = std::collections::BTreeMap::new();
        let mut root = vec![0; branches.len()];
        for k in 0..branches.len() {
            let row = branches.row(k);
            for (j, place) in branches.path(k).zip(row.rev()) {
                places.insert((k as u32, j as u32), place as u32);
                root[k] = j;
            }
        }
        let from = &inner.facts().patterns;
        let lower = (from[Part::Mass].iter().enumerate())
            .filter_map(|(n, entry)| Some((n as u32, *places.get(entry)?)))
            .collect();
        let mut patterns = from.clone();
        patterns.generators = 0;
        patterns.whole_r_l = true;
        patterns[Part::Mass] = (0..root.len() as u32).map(|i| (i, i)).collect();
        for part in DIVIDED {
            patterns[part] = filled(&from[part], &root);
        }
        let transposed: Vec<(u32, u32)> = from[Part::Cq].iter().map(|&(i, j)| (j, i)).collect();
        patterns[Part::Rl] = filled(&transposed, &root);
        let facts = Facts {
            patterns,
            ..inner.facts().clone()
        };
        Arrangement {
            branches,
            facts,
            lower,
        }
    }
}

impl ExplicitForm {
    pub fn new(mut inner: JointCoordinates) -> ExplicitForm {
        inner.structure(Reader::Entries);
        let layout = Arc::new(Arrangement::new(&inner));
        let d = inner.facts().dims;
        let from = &inner.facts().patterns;
        ExplicitForm {
            ltl: Ltl::new(&layout.branches),
            mass: vec![0.0; from[Part::Mass].len()],
            lower: vec![0.0; layout.branches.entries()],
            accel: vec![0.0; d.nv],
            rest: vec![0.0; d.nv],
            c_q: vec![0.0; from[Part::Cq].len()],
            blocks: Blocks::new(from),
            columns: vec![0.0; d.nv * d.nv.max(d.nx).max(d.rows())],
            inner,
            layout,
        }
    }

    /// A coordinate without inertia at the start, in words. A start without a value is not judged here.
    pub fn massless(&mut self) -> Option<String> {
        let guess = self.inner.facts().guess.clone();
        let at = guess.point();
        let mut want = Terms {
            mass: Some(&mut self.mass),
            ..Terms::default()
        };
        self.inner.eval(&at, &mut want).ok()?;
        let singular = self.factor().err()?;
        Some(
            self.inner
                .facts()
                .names
                .describe(Row::Position(singular.column)),
        )
    }

    /// Wanted terms. The accelerations and the factor of the mass matrix stay where `divide` asks for
    /// them or a term needs them.
    fn evaluate(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        divide: bool,
        c_q: bool,
    ) -> Result<(), EvalError> {
        let divided = divide || want.r.is_some();
        let factored = divided || c_q || want.force.is_some();
        let own_c_q = match want.c_q.as_deref_mut() {
            Some(wanted) => Some(wanted),
            None => c_q.then_some(&mut self.c_q[..]),
        };
        let mut terms = Terms {
            r: divided.then_some(&mut self.accel[..]),
            mass: factored.then_some(&mut self.mass[..]),
            force: want.force.as_deref_mut(),
            c: want.c.as_deref_mut(),
            c_q: own_c_q,
            cv: want.cv.as_deref_mut(),
            gamma: want.gamma.as_deref_mut(),
            f: want.f.as_deref_mut(),
            generators: None,
        };
        let resting = At {
            a: &self.rest,
            ..*at
        };
        self.inner.eval(&resting, &mut terms)?;
        if c_q && let Some(wanted) = want.c_q.as_deref() {
            self.c_q.copy_from_slice(wanted);
        }
        if let Some(mass) = want.mass.as_deref_mut() {
            mass.fill(1.0);
        }
        if !factored {
            return Ok(());
        }
        self.factor().map_err(|e| EvalError::Domain {
            what: self.inner.facts().names.describe(Row::Velocity(e.column)),
            why: "nothing that moves with it has inertia for the explicit formalism to divide by"
                .into(),
        })?;
        let branches = &self.layout.branches;
        if let Some(force) = want.force.as_deref_mut() {
            self.ltl.solve(branches, force);
        }
        if divided {
            // r at rest is C_q' lambda - Q
            self.ltl.solve(branches, &mut self.accel);
            for a in &mut self.accel {
                *a = -*a;
            }
        }
        if let Some(r) = want.r.as_deref_mut() {
            for (r, (a, own)) in r.iter_mut().zip(at.a.iter().zip(&self.accel)) {
                *r = a - own;
            }
        }
        Ok(())
    }

    fn factor(&mut self) -> Result<(), Singular> {
        for (n, place) in &self.layout.lower {
            self.lower[*place as usize] = self.mass[*n as usize];
        }
        let branches = &self.layout.branches;
        self.ltl.factor(branches, &self.lower)?;
        // what rounding leaves of nothing is no inertia
        let left = |k: &usize| {
            let own = self.lower[branches.row(*k).end - 1];
            self.ltl.pivot(branches, *k) > LEAST_SHARE * own
        };
        match (0..branches.len()).find(|k| !left(k)) {
            None => Ok(()),
            Some(column) => Err(Singular { column }),
        }
    }

    /// `M^-1` times what is in the first columns, in the order of the pattern of a block.
    fn divide(&mut self, part: Part, columns: usize, out: &mut [f64]) {
        let n = self.accel.len().max(1);
        for column in self.columns.chunks_exact_mut(n).take(columns) {
            if column.iter().any(|x| *x != 0.0) {
                self.ltl.solve(&self.layout.branches, column);
            }
        }
        for (out, &(i, j)) in out.iter_mut().zip(&self.layout.facts.patterns[part]) {
            *out = self.columns[j as usize * n + i as usize];
        }
    }
}

impl System for ExplicitForm {
    fn facts(&self) -> &Facts {
        &self.layout.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        self.evaluate(at, want, false, false)
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let divided = DIVIDED.into_iter().any(|part| parts.has(part));
        self.evaluate(at, want, divided, parts.has(Part::Rl))?;
        if parts.has(Part::Mass) {
            out[Part::Mass].fill(1.0);
        }
        let n = self.accel.len();
        let d = self.layout.facts.dims;
        if parts.has(Part::Rl) {
            self.columns.fill(0.0);
            for (&(i, j), x) in self.inner.facts().patterns[Part::Cq].iter().zip(&self.c_q) {
                self.columns[i as usize * n + j as usize] = *x;
            }
            self.divide(Part::Rl, d.rows(), &mut out[Part::Rl]);
        }
        let rest = parts.without(Parts::from(Part::Mass) | Part::Rl);
        if rest.is_empty() {
            return Ok(());
        }
        let there = At {
            a: &self.accel,
            ..*at
        };
        (self.inner).linearise(&there, &mut Terms::default(), rest, &mut self.blocks)?;
        for (part, columns) in DIVIDED.into_iter().zip([d.nv, d.nv, d.nx]) {
            if parts.has(part) {
                self.columns.fill(0.0);
                let entries = self.inner.facts().patterns[part]
                    .iter()
                    .zip(&self.blocks[part]);
                for (&(i, j), x) in entries {
                    self.columns[j as usize * n + i as usize] = *x;
                }
                self.divide(part, columns, &mut out[part]);
            }
        }
        for part in [Part::Cq, Part::CVq, Part::Fq, Part::Fv, Part::Fx] {
            if parts.has(part) {
                out[part].copy_from_slice(&self.blocks[part]);
            }
        }
        Ok(())
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        self.inner.capability(wanted);
    }

    forward_states!(inner);
}
