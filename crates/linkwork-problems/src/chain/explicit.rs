//! The chain solved for its accelerations, `a = f(q, v, t)` with `M f = Q`: the ordinary differential
//! equations of a formalism that eliminates the mass matrix.
//!
//! ```text
//!  r = a - f,   r_q = M^-1 (M a - Q)_q at a = f,   r_v = -M^-1 Q_v
//! ```
//!
//! An evaluation costs a Cholesky factorisation, so that work is counted in evaluations. Bad at: the
//! iteration of an implicit step does not need `M^-1`; [`Chain`] itself is several times as fast.

use super::Chain;
use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{At, Blocks, Capability, EvalError, Facts, Part, Parts, System, Terms};
use std::sync::Arc;

/// The driven chain solved for its accelerations, for methods that want `y' = f(t, y)`.
#[derive(Clone)]
pub struct ExplicitChain {
    chain: Chain,
    facts: Arc<Facts>,
    /// Lower Cholesky factor of `M`, by rows.
    factor: Vec<f64>,
    acceleration: Vec<f64>,
    column: Vec<f64>,
    blocks: Blocks,
}

impl ExplicitChain {
    /// The same motion as that of a chain.
    pub fn new(chain: Chain) -> ExplicitChain {
        let n = chain.n;
        let mut facts = chain.facts().clone();
        facts.patterns[Part::Mass] = (0..n as u32).map(|i| (i, i)).collect();
        ExplicitChain {
            facts: Arc::new(facts),
            factor: vec![0.0; n * n],
            acceleration: vec![0.0; n],
            column: vec![0.0; n],
            blocks: Blocks::new(&chain.facts().patterns),
            chain,
        }
    }

    /// Accelerations at a point, and the factor they were found with.
    fn accelerate(&mut self, at: &At<'_>) -> Result<(), EvalError> {
        let mut want = Terms {
            mass: Some(&mut self.factor),
            force: Some(&mut self.acceleration),
            ..Terms::default()
        };
        self.chain.eval(at, &mut want)?;
        factorise(self.chain.n, &mut self.factor)?;
        solve(self.chain.n, &self.factor, &mut self.acceleration);
        Ok(())
    }

    /// `M^-1` times the columns of a block of the chain.
    fn divide(&mut self, part: Part, out: &mut Blocks) {
        let n = self.chain.n;
        for j in 0..n {
            for i in 0..n {
                self.column[i] = self.blocks[part][i * n + j];
            }
            solve(n, &self.factor, &mut self.column);
            for i in 0..n {
                out[part][i * n + j] = self.column[i];
            }
        }
    }
}

/// Cholesky factor of a symmetric matrix in its lower triangle.
fn factorise(n: usize, m: &mut [f64]) -> Result<(), EvalError> {
    for i in 0..n {
        let (above, row) = m.split_at_mut(i * n);
        for j in 0..i {
            let other = &above[j * n..j * n + j + 1];
            let known = row[..j].iter().zip(other).map(|(a, b)| a * b);
            row[j] = (row[j] - known.sum::<f64>()) / other[j];
        }
        let left = row[i] - row[..i].iter().map(|x| x * x).sum::<f64>();
        // NaN must not pass
        if !(left > 0.0) {
            return Err(EvalError::Domain {
                what: "chain".into(),
                why: "its mass matrix is not positive definite".into(),
            });
        }
        row[i] = left.sqrt();
    }
    Ok(())
}

fn solve(n: usize, factor: &[f64], x: &mut [f64]) {
    for i in 0..n {
        let row = &factor[i * n..i * n + i + 1];
        let known: f64 = row[..i].iter().zip(&*x).map(|(l, x)| l * x).sum();
        x[i] = (x[i] - known) / row[i];
    }
    for i in (0..n).rev() {
        let row = &factor[i * n..i * n + i + 1];
        x[i] /= row[i];
        let known = x[i];
        for (x, l) in x[..i].iter_mut().zip(row) {
            *x -= l * known;
        }
    }
}

impl System for ExplicitChain {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        if want.r.is_some() || want.force.is_some() {
            self.accelerate(at)?;
        }
        if let Some(r) = want.r.as_deref_mut() {
            for (r, (a, f)) in r.iter_mut().zip(at.a.iter().zip(&self.acceleration)) {
                *r = a - f;
            }
        }
        if let Some(force) = want.force.as_deref_mut() {
            force.copy_from_slice(&self.acceleration);
        }
        if let Some(mass) = want.mass.as_deref_mut() {
            mass.fill(1.0);
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
        if parts.has(Part::Rq) || parts.has(Part::Rv) {
            self.accelerate(at)?;
            let solved = At {
                a: &self.acceleration,
                ..*at
            };
            let both = Parts::from(Part::Rq) | Part::Rv;
            let none = &mut Terms::default();
            self.chain
                .linearise(&solved, none, both, &mut self.blocks)?;
            for part in [Part::Rq, Part::Rv] {
                if parts.has(part) {
                    self.divide(part, out);
                }
            }
        }
        Ok(())
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.chain.observe(s, out);
    }

    fn chart(&self) -> Option<&dyn Chart> {
        self.chain.chart()
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        self.chain.capability(wanted);
    }

    fn reset(&mut self) {
        self.chain.reset();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.chain.memory(m);
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn accelerations(sys: &mut ExplicitChain, y: &[f64]) -> Vec<f64> {
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
        let a = accelerations(&mut ExplicitChain::new(chain.clone()), &y);
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
        let mut sys = ExplicitChain::new(Chain::new(N, 0.3, 0.0));
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
}
