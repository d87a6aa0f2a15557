//! Blocks from the system itself: hand-written or by dual numbers.

use super::renewal::Renewal;
use super::{Effort, JacobianStrategy, Refresh, Situation};
use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, EvalError, Part, Parts, System, Terms};

/// See the [module](self).
pub struct Exact {
    /// When blocks are renewed.
    pub renewal: Renewal,
    /// Blocks of the constraints.
    cheap: Parts,
}

impl Exact {
    /// Exact blocks under a renewal policy.
    pub fn new(renewal: Renewal) -> Exact {
        Exact {
            renewal,
            cheap: Parts::from(Part::Cq) | Part::CVq,
        }
    }
}

impl Default for Exact {
    fn default() -> Exact {
        Exact::new(Renewal::EveryStep)
    }
}

impl JacobianStrategy for Exact {
    fn bind(&mut self, sys: &dyn System, _: Parts) {
        self.cheap = sys.patterns().of_constraints() | Part::CVq;
    }

    fn decide(&mut self, now: &Situation) -> Refresh {
        self.renewal.decide(now, self.cheap, false)
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
        Ok(Effort::default())
    }

    fn memory(&mut self, m: &mut Memory) {
        let Exact { renewal, cheap: _ } = self;
        m.section("exact");
        renewal.memory(m);
    }
}
