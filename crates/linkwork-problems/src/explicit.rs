//! A system solved for its accelerations: the equations of a formalism that eliminates the mass matrix,
//! the explicit form (10) of Arnold, Fuchs & Führer (2006).
//!
//! ```text
//!  a* = M^-1 (Q - C_q' lambda)     r = a - a*     r_a = I     r_lambda = M^-1 C_q'
//!  r_q = M^-1 (M a + C_q' lambda - Q)_q at a = a*,            r_v = -M^-1 Q_v
//! ```
//!
//! `M^-1` fills the rows of coordinates that the mass matrix couples and no others. An evaluation costs a
//! Cholesky factorisation, so that work is counted in evaluations. Bad at: the iteration of an implicit
//! step does not need `M^-1`; the system itself is several times as fast. First-order states are not known
//! here. Under constraints only steps may see this form, see [`Staged`]: what finds accelerations needs `M`.

use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{At, Blocks, Capability, EvalError, Facts, Part, Parts, System, Terms};
use std::collections::BTreeSet;
use std::sync::Arc;

/// See the [module](self).
#[derive(Clone)]
pub struct Explicit<S> {
    inner: S,
    facts: Arc<Facts>,
    /// First column of each row of the factor that can differ from zero.
    first: Vec<usize>,
    mass: Vec<f64>,
    /// Lower Cholesky factor of `M`, by rows.
    factor: Vec<f64>,
    acceleration: Vec<f64>,
    rest: Vec<f64>,
    c_q: Vec<f64>,
    /// One block by columns.
    columns: Vec<f64>,
    blocks: Blocks,
}

/// The first coordinate of those that the mass matrix couples with each one.
fn roots(n: usize, mass: &[(u32, u32)]) -> Vec<usize> {
    let mut root: Vec<usize> = (0..n).collect();
    loop {
        let before = root.clone();
        for &(i, j) in mass {
            let least = root[i as usize].min(root[j as usize]);
            (root[i as usize], root[j as usize]) = (least, least);
        }
        if root == before {
            return root;
        }
    }
}

/// The entries that `M^-1` makes of a pattern.
fn filled(pattern: impl Iterator<Item = (u32, u32)>, root: &[usize]) -> Vec<(u32, u32)> {
    let met: BTreeSet<(usize, u32)> = pattern.map(|(i, j)| (root[i as usize], j)).collect();
    let rows = root.iter().enumerate();
    rows.flat_map(|(i, r)| {
        let columns = met.range((*r, 0)..=(*r, u32::MAX));
        columns.map(move |(_, j)| (i as u32, *j))
    })
    .collect()
}

impl<S: System> Explicit<S> {
    /// The same motion as that of a system without first-order states.
    pub fn new(inner: S) -> Explicit<S> {
        let facts = inner.facts();
        let (d, from) = (facts.dims, &facts.patterns);
        let root = roots(d.nv, &from[Part::Mass]);
        let mut facts = facts.clone();
        let patterns = &mut facts.patterns;
        patterns[Part::Mass] = (0..d.nv as u32).map(|i| (i, i)).collect();
        for part in [Part::Rq, Part::Rv] {
            patterns[part] = filled(from[part].iter().copied(), &root);
        }
        if d.rows() > 0 {
            patterns[Part::Rl] = filled(from[Part::Cq].iter().map(|&(i, j)| (j, i)), &root);
            patterns.whole_r_l = true;
        }
        Explicit {
            facts: Arc::new(facts),
            first: root,
            mass: vec![0.0; from[Part::Mass].len()],
            factor: vec![0.0; d.nv * d.nv],
            acceleration: vec![0.0; d.nv],
            rest: vec![0.0; d.nv],
            c_q: vec![0.0; from[Part::Cq].len()],
            columns: vec![0.0; d.nv * d.nv.max(d.rows())],
            blocks: Blocks::new(from),
            inner,
        }
    }

    /// The factor of the mass matrix at a point, and accelerations there.
    fn accelerate(&mut self, at: &At<'_>) -> Result<(), EvalError> {
        let mut want = Terms {
            mass: Some(&mut self.mass),
            r: Some(&mut self.acceleration),
            ..Terms::default()
        };
        let resting = At {
            a: &self.rest,
            ..*at
        };
        self.inner.eval(&resting, &mut want)?;
        let n = self.rest.len();
        self.factor.fill(0.0);
        for (&(i, j), x) in self.inner.facts().patterns[Part::Mass]
            .iter()
            .zip(&self.mass)
        {
            self.factor[i as usize * n + j as usize] = *x;
        }
        factorise(&self.first, &mut self.factor)?;
        // r at rest is C_q' lambda - Q
        solve(&self.first, &self.factor, &mut self.acceleration);
        self.acceleration.iter_mut().for_each(|a| *a = -*a);
        Ok(())
    }

    /// `M^-1` times the columns of a block, which are in `columns`.
    fn divide(&mut self, part: Part, out: &mut Blocks) {
        let n = self.rest.len();
        for column in self.columns.chunks_exact_mut(n) {
            if column.iter().any(|x| *x != 0.0) {
                solve(&self.first, &self.factor, column);
            }
        }
        for (x, &(i, j)) in out[part].iter_mut().zip(&self.facts.patterns[part]) {
            *x = self.columns[j as usize * n + i as usize];
        }
    }
}

/// Cholesky factor of a symmetric matrix in its lower triangle; rows begin where `first` says.
fn factorise(first: &[usize], m: &mut [f64]) -> Result<(), EvalError> {
    let n = first.len();
    for i in 0..n {
        let (above, row) = m.split_at_mut(i * n);
        for j in first[i]..i {
            let from = first[i].max(first[j]);
            let other = &above[j * n..j * n + j + 1];
            let known = row[from..j].iter().zip(&other[from..]).map(|(a, b)| a * b);
            row[j] = (row[j] - known.sum::<f64>()) / other[j];
        }
        let left = row[i] - row[first[i]..i].iter().map(|x| x * x).sum::<f64>();
        // NaN must not pass
        if !(left > 0.0) {
            return Err(EvalError::Domain {
                what: format!("coordinate {}", i + 1),
                why: "its mass matrix is not positive definite".into(),
            });
        }
        row[i] = left.sqrt();
    }
    Ok(())
}

fn solve(first: &[usize], factor: &[f64], x: &mut [f64]) {
    let n = first.len();
    for i in 0..n {
        let row = &factor[i * n..i * n + i + 1];
        let known = row[first[i]..i].iter().zip(&x[first[i]..]);
        x[i] = (x[i] - known.map(|(l, x)| l * x).sum::<f64>()) / row[i];
    }
    for i in (0..n).rev() {
        let row = &factor[i * n..i * n + i + 1];
        x[i] /= row[i];
        let known = x[i];
        for (x, l) in x[first[i]..i].iter_mut().zip(&row[first[i]..]) {
            *x -= l * known;
        }
    }
}

impl<S: System + Clone + 'static> System for Explicit<S> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        if want.r.is_some() || want.force.is_some() {
            self.accelerate(at)?;
        }
        if let Some(r) = want.r.as_deref_mut() {
            for (r, (a, own)) in r.iter_mut().zip(at.a.iter().zip(&self.acceleration)) {
                *r = a - own;
            }
        }
        if let Some(mass) = want.mass.as_deref_mut() {
            mass.fill(1.0);
        }
        let mut others = Terms {
            force: want.force.as_deref_mut(),
            c: want.c.as_deref_mut(),
            c_q: want.c_q.as_deref_mut(),
            cv: want.cv.as_deref_mut(),
            gamma: want.gamma.as_deref_mut(),
            ..Terms::default()
        };
        self.inner.eval(at, &mut others)?;
        if let Some(force) = want.force.as_deref_mut() {
            solve(&self.first, &self.factor, force);
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
        let n = self.rest.len();
        let inner = parts.without(Parts::from(Part::Mass) | Part::Rl);
        if parts.has(Part::Rl) || !inner.is_empty() {
            self.accelerate(at)?;
        }
        if parts.has(Part::Rl) && !self.c_q.is_empty() {
            let mut terms = Terms {
                c_q: Some(&mut self.c_q),
                ..Terms::default()
            };
            self.inner.eval(at, &mut terms)?;
            self.columns.fill(0.0);
            for (&(i, j), x) in self.inner.facts().patterns[Part::Cq].iter().zip(&self.c_q) {
                self.columns[i as usize * n + j as usize] = *x;
            }
            self.divide(Part::Rl, out);
        }
        if inner.is_empty() {
            return Ok(());
        }
        let solved = At {
            a: &self.acceleration,
            ..*at
        };
        let none = &mut Terms::default();
        (self.inner).linearise(&solved, none, inner, &mut self.blocks)?;
        for part in [Part::Rq, Part::Rv] {
            if parts.has(part) {
                self.columns.fill(0.0);
                let entries = &self.inner.facts().patterns[part];
                for (&(i, j), x) in entries.iter().zip(&self.blocks[part]) {
                    self.columns[j as usize * n + i as usize] = *x;
                }
                self.divide(part, out);
            }
        }
        for part in [Part::Cq, Part::CVq] {
            if parts.has(part) {
                out[part].copy_from_slice(&self.blocks[part]);
            }
        }
        Ok(())
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.inner.observe(s, out);
    }

    fn chart(&self) -> Option<&dyn Chart> {
        self.inner.chart()
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        self.inner.capability(wanted);
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.inner.memory(m);
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

/// A system whose implicit steps see the explicit form; for everything else it stays what it is.
#[derive(Clone)]
pub struct Staged<S>(Explicit<S>);

impl<S: System> Staged<S> {
    /// The same motion as that of a system without first-order states.
    pub fn new(inner: S) -> Staged<S> {
        Staged(Explicit::new(inner))
    }
}

impl<S: System + Clone + 'static> System for Staged<S> {
    fn facts(&self) -> &Facts {
        self.0.inner.facts()
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        self.0.inner.eval(at, want)
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.0.inner.linearise(at, want, parts, out)
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.0.inner.observe(s, out);
    }

    fn chart(&self) -> Option<&dyn Chart> {
        self.0.inner.chart()
    }

    fn stage_form(&self) -> Option<&dyn System> {
        Some(&self.0)
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        match wanted {
            Capability::StageForm(to) => *to = Some(&mut self.0),
            other => self.0.inner.capability(other),
        }
    }

    fn reset(&mut self) {
        self.0.inner.reset();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.0.inner.memory(m);
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;
    use crate::train::{Declared, Train};
    use linkwork_dae::state::State;

    const N: usize = 5;

    fn at<'a>(y: &'a [f64], a: &'a [f64]) -> At<'a> {
        At {
            t: 1.3,
            q: &y[..N],
            v: &y[N..],
            a,
            lambda: &[],
            x: &[],
        }
    }

    fn accelerations(sys: &mut Explicit<Chain>, y: &[f64]) -> Vec<f64> {
        let mut force = vec![0.0; N];
        let mut want = Terms {
            force: Some(&mut force),
            ..Terms::default()
        };
        sys.eval(&at(y, &[0.0; N]), &mut want).unwrap();
        force
    }

    fn somewhere() -> Vec<f64> {
        let q = (0..N).map(|i| 0.4 * (i as f64 + 0.3).sin());
        q.chain((0..N).map(|i| (1.7 * i as f64).cos())).collect()
    }

    #[test]
    fn accelerations_satisfy_the_equations_of_the_chain() {
        let mut chain = Chain::new(N, 0.3, 0.0);
        let y = somewhere();
        let a = accelerations(&mut Explicit::new(chain.clone()), &y);
        let mut r = vec![1.0; N];
        let mut want = Terms {
            r: Some(&mut r),
            ..Terms::default()
        };
        chain.eval(&at(&y, &a), &mut want).unwrap();
        assert!(r.iter().all(|r| r.abs() < 1e-12), "{r:?}");
    }

    /// Central differences of 1e-5 have an error of 1e-9.
    #[test]
    fn blocks_are_derivatives_of_the_accelerations() {
        let mut sys = Explicit::new(Chain::new(N, 0.3, 0.0));
        let y = somewhere();
        let mut blocks = Blocks::new(&sys.facts().patterns);
        let parts = Parts::from(Part::Rq) | Part::Rv;
        let none = &mut Terms::default();
        sys.linearise(&at(&y, &[0.0; N]), none, parts, &mut blocks)
            .unwrap();
        for j in 0..2 * N {
            let [low, high] = [-1e-5, 1e-5].map(|d| {
                let mut y = y.clone();
                y[j] += d;
                accelerations(&mut sys, &y)
            });
            let (part, column) = if j < N {
                (Part::Rq, j)
            } else {
                (Part::Rv, j - N)
            };
            for i in 0..N {
                let slope = (high[i] - low[i]) / 2e-5;
                let exact = -blocks[part][i * N + column];
                assert!((exact - slope).abs() < 1e-7, "{i} {j}: {exact} {slope}");
            }
        }
    }

    /// Divided by the mass of each body the residual is that of the carriage, and so are the columns of
    /// the multipliers.
    #[test]
    fn multipliers_act_through_the_inverse_of_the_mass() {
        let train = Train::new(Declared::Topology);
        let mut s = State::new(train.facts().dims);
        let wave = |(i, x): (usize, &mut f64)| *x = 0.01 * (i as f64).sin();
        s.q.iter_mut().enumerate().for_each(wave);
        s.v.iter_mut().enumerate().for_each(wave);
        s.a.iter_mut().enumerate().for_each(wave);
        s.lambda.fill(-5e4);
        let mut sys = Explicit::new(train.clone());
        let residual = |sys: &mut dyn System, s: &State| {
            let mut r = vec![0.0; s.v.len()];
            let mut want = Terms {
                r: Some(&mut r),
                ..Terms::default()
            };
            sys.eval(&s.at(), &mut want).unwrap();
            r
        };
        // with the accelerations of the explicit form nothing is left of the other
        let own = residual(&mut sys, &s);
        let mut solved = s.clone();
        solved.a.iter_mut().zip(&own).for_each(|(a, r)| *a -= r);
        let left = residual(&mut train.clone(), &solved);
        assert!(left.iter().all(|r| r.abs() < 1e-6), "{left:?}");
        let mut blocks = Blocks::new(&sys.facts().patterns);
        let none = &mut Terms::default();
        sys.linearise(&s.at(), none, Part::Rl.into(), &mut blocks)
            .unwrap();
        let mut met = 0;
        for k in 0..s.lambda.len() {
            let mut moved = s.clone();
            moved.lambda[k] += 1e3;
            let moved = residual(&mut sys, &moved);
            let pattern = sys.facts().patterns[Part::Rl].clone();
            for (i, (m, r)) in moved.iter().zip(&own).enumerate() {
                let place = pattern.iter().position(|e| *e == (i as u32, k as u32));
                let entry = place.map_or(0.0, |p| blocks[Part::Rl][p]);
                met += usize::from(entry != 0.0);
                assert!((entry - (m - r) / 1e3).abs() < 1e-9, "{i} {k}: {entry}");
            }
        }
        assert!(met >= 24, "{met}");
    }
}
