//! Blocks from the system itself: hand-written or by dual numbers.

use super::differences::columns;
use super::renewal::{Due, Ledger, Renewal};
use super::{Effort, JacobianStrategy, Refresh, Situation};
use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, EvalError, Part, Parts, System, Terms};

/// See the [module](self).
pub struct Exact {
    /// When blocks are renewed.
    pub renewal: Renewal,
    /// Blocks that are cheap: those of the mass matrix and of the constraints.
    cheap: Parts,
    /// Blocks that are needed, and what differences of all of them would take.
    needed: Parts,
    columns: u32,
    ledger: Ledger,
}

/// Corrector iterations that all blocks cost beyond those which are cheap: exact derivatives take
/// one to two residuals.
const PRICE: u32 = 2;

impl Exact {
    /// Exact blocks under a renewal policy.
    pub fn new(renewal: Renewal) -> Exact {
        Exact {
            renewal,
            cheap: Parts::NONE,
            needed: Parts::NONE,
            columns: 0,
            ledger: Ledger::default(),
        }
    }
}

impl JacobianStrategy for Exact {
    fn bind(&mut self, sys: &dyn System, needed: Parts) {
        self.cheap = sys.patterns().of_constraints() | Part::Mass | Part::CVq;
        (self.needed, self.columns) = (needed, columns(sys, needed));
        self.ledger = Ledger::default();
    }

    fn decide(&mut self, now: &Situation) -> Refresh {
        let mut due = Due::default();
        if self.renewal.applied(now) == Renewal::Ladder && now.tried.is_none() {
            due = self.ledger.enter(now, PRICE);
        }
        self.renewal.decide(now, self.cheap, due)
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
            self.ledger.clear();
        }
        Ok(effort)
    }

    fn patience(&self) -> u32 {
        match self.renewal {
            Renewal::Ladder | Renewal::ByPrice => PRICE,
            _ => 0,
        }
    }

    fn memory(&mut self, m: &mut Memory) {
        let Exact {
            renewal,
            cheap: _,
            needed: _,
            columns: _,
            ledger,
        } = self;
        m.section("exact");
        renewal.memory(m);
        ledger.memory(m);
    }
}
