//! Blocks from the system itself: hand-written or by dual numbers.

use super::renewal::{Due, Renewal};
use super::{Effort, JacobianStrategy, Refresh, Situation};
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
    fn bind(&mut self, _: &dyn System, _: Parts) {}

    fn decide(&mut self, now: &Situation) -> Refresh {
        let cheap = Parts::from(Part::Cq) | Part::CVq;
        self.renewal.decide(now, cheap, Due::default())
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
        let Exact { renewal } = self;
        m.section("exact");
        renewal.memory(m);
    }
}
