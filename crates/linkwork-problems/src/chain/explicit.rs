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
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Channel, Dims, EvalError, Guess, Part, Parts, Row, System, Terms,
};
use std::sync::Arc;

/// See the [module](self).
#[derive(Clone)]
pub struct ExplicitChain {
    chain: Chain,
    patterns: Arc<BlockPatterns>,
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
        let mut patterns = BlockPatterns::full(chain.dims());
        patterns[Part::Mass] = (0..n as u32).map(|i| (i, i)).collect();
        ExplicitChain {
            patterns: Arc::new(patterns),
            factor: vec![0.0; n * n],
            acceleration: vec![0.0; n],
            column: vec![0.0; n],
            blocks: Blocks::new(&chain.patterns),
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
    fn dims(&self) -> Dims {
        self.chain.dims()
    }

    fn patterns(&self) -> &BlockPatterns {
        &self.patterns
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
            self.chain.linearise(&solved, none, both, &mut self.blocks)?;
            for part in [Part::Rq, Part::Rv] {
                if parts.has(part) {
                    self.divide(part, out);
                }
            }
        }
        Ok(())
    }

    fn excitations(&self) -> usize {
        self.chain.excitations()
    }

    fn excitation(&self, t: f64, out: &mut [f64]) {
        self.chain.excitation(t, out);
    }

    fn excitation_scale(&self, out: &mut [f64]) {
        self.chain.excitation_scale(out);
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        self.chain.offset_excitations(offset);
    }

    fn guess(&self) -> Guess {
        self.chain.guess()
    }

    fn channels(&self) -> &[Channel] {
        self.chain.channels()
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.chain.observe(s, out);
    }

    fn describe(&self, row: Row) -> String {
        self.chain.describe(row)
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the accelerations found, the equations of the chain hold; its blocks are differences of
    /// the residual, central ones with an error of `1e-10`.
    #[test]
    fn accelerations_and_their_derivatives_are_those_of_the_chain() {
        let n = 5;
        let mut chain = Chain::new(n, 0.3, 0.0);
        let mut sys = ExplicitChain::new(chain.clone());
        let q: Vec<f64> = (0..n).map(|i| 0.4 * (i as f64 + 0.3).sin()).collect();
        let v: Vec<f64> = (0..n).map(|i| (1.7 * i as f64).cos()).collect();
        let zero = vec![0.0; n];
        let at = |q, v, a| At {
            t: 1.3,
            q,
            v,
            a,
            lambda: &[],
            x: &[],
        };
        let mut accelerations = |q: &[f64], v: &[f64]| {
            let mut force = vec![0.0; n];
            let mut want = Terms {
                force: Some(&mut force),
                ..Terms::default()
            };
            sys.eval(&at(q, v, &zero), &mut want).unwrap();
            force
        };
        let a = accelerations(&q, &v);
        let mut r = vec![1.0; n];
        let mut want = Terms {
            r: Some(&mut r),
            ..Terms::default()
        };
        chain.eval(&at(&q, &v, &a), &mut want).unwrap();
        assert!(r.iter().all(|r| r.abs() < 1e-12), "{r:?}");
        let d = 1e-5;
        let mut slopes = Vec::new();
        for j in 0..2 * n {
            let mut sides = [-d, d].map(|d| {
                let (mut q, mut v) = (q.clone(), v.clone());
                if j < n { q[j] += d } else { v[j - n] += d }
                accelerations(&q, &v)
            });
            let up = std::mem::take(&mut sides[1]);
            slopes.push((up.iter().zip(&sides[0])).map(|(u, l)| (u - l) / (2.0 * d)));
        }
        let slopes: Vec<Vec<f64>> = slopes.into_iter().map(Iterator::collect).collect();
        let mut blocks = Blocks::new(sys.patterns());
        let parts = Parts::from(Part::Rq) | Part::Rv;
        let none = &mut Terms::default();
        sys.linearise(&at(&q, &v, &zero), none, parts, &mut blocks)
            .unwrap();
        for j in 0..n {
            for i in 0..n {
                for (part, slope) in [(Part::Rq, &slopes[j]), (Part::Rv, &slopes[n + j])] {
                    let exact = -blocks[part][i * n + j];
                    assert!((exact - slope[i]).abs() < 1e-7, "{part:?} {i} {j}");
                }
            }
        }
    }
}
