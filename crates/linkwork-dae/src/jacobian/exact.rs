//! Blocks from the system itself: hand-written or by dual numbers.

use super::renewal::Renewal;
use super::{JacobianStrategy, Refresh, Situation};
use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, EvalError, Part, Parts, System, Terms};

/// See the [module](self).
pub struct Exact {
    /// When blocks are renewed.
    pub renewal: Renewal,
}

impl Default for Exact {
    fn default() -> Exact {
        Exact {
            renewal: Renewal::EveryStep,
        }
    }
}

impl JacobianStrategy for Exact {
    fn bind(&mut self, _: &dyn System) {}

    fn decide(&mut self, now: &Situation) -> Refresh {
        self.renewal.decide(now, Parts::from(Part::Cq) | Part::CVq)
    }

    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        _: &Weights,
        out: &mut Blocks,
    ) -> Result<u32, EvalError> {
        sys.linearise(at, want, parts, out)?;
        Ok(0)
    }

    fn memory(&mut self, m: &mut Memory) {
        let Exact { renewal } = self;
        m.section("exact");
        renewal.memory(m);
    }
}
