//! Blocks from the system itself: hand-written or by dual numbers.

use super::differences::columns;
use super::renewal::{Renewal, Reuse};
use super::{Effort, JacobianStrategy, Refresh, Situation};
use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, EvalError, Part, Parts, System, Terms};

/// See the [module](self).
pub struct Exact {
    renewal: Renewal,
    reuse: Reuse,
    /// Blocks that are cheap: those of the mass matrix and of the constraints.
    cheap: Parts,
    /// Blocks that are needed, and what differences of all of them would take.
    needed: Parts,
    columns: u32,
}

/// Corrector iterations that all blocks cost beyond those which are cheap: exact derivatives take
/// one to two residuals.
const PRICE: u32 = 2;

impl Exact {
    /// Exact blocks under a renewal policy.
    pub fn new(renewal: Renewal) -> Exact {
        Exact {
            renewal,
            reuse: Reuse::new(renewal),
            cheap: Parts::NONE,
            needed: Parts::NONE,
            columns: 0,
        }
    }
}

impl JacobianStrategy for Exact {
    fn bind(&mut self, sys: &dyn System, needed: Parts) {
        self.cheap = sys.patterns().of_constraints() | Part::Mass | Part::CVq;
        (self.needed, self.columns) = (needed, columns(sys, needed));
        self.reuse = Reuse::new(self.renewal);
    }

    fn decide(&mut self, now: &Situation) -> Refresh {
        self.reuse.decide(now, self.cheap, PRICE, false)
    }

    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        _: &Weights,
        out: &mut Blocks,
    ) -> Result<Effort, EvalError> {
        sys.linearise(at, want, parts, out)?;
        let mut effort = Effort::default();
        if parts == self.needed {
            effort.column_by_column = self.columns;
            self.reuse.evaluated();
        }
        Ok(effort)
    }

    fn patience(&self) -> u32 {
        if self.reuse.is_patient() { PRICE } else { 0 }
    }

    fn memory(&mut self, m: &mut Memory) {
        m.section("exact");
        self.reuse.memory(m);
    }
}
