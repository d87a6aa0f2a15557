//! When to renew the blocks.
//!
//! Exact blocks cost about as much as a residual: renewed at every prediction, they let a single
//! iteration suffice. Blocks by differences cost two residuals per coordinate: they are kept while
//! the corrector converges quickly, and only the constraint blocks are renewed in every step. A
//! stale `C_q` ruins the iteration even when stale forces do not: the multiplier increment leaks
//! into the motion by the angle between the old and the new constraint normals.

use super::{Refresh, Situation};
use crate::memory::Memory;
use crate::system::Parts;

/// A renewal policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// Everything, at every prediction.
    EveryStep,
    /// Force blocks after `max_age` steps, slow convergence or failure; cheap blocks always.
    Aged {
        /// Accepted steps that force blocks may live.
        max_age: u32,
    },
}

/// A contraction slower than this asks for new blocks.
const SLOW_RATE: f64 = 0.5;

impl Renewal {
    /// The policy must be what it was.
    pub fn memory(self, m: &mut Memory) {
        m.same(match self {
            Renewal::EveryStep => 0,
            Renewal::Aged { max_age } => 1 + u64::from(max_age),
        });
    }

    /// The decision; `cheap` are the blocks that cost next to nothing.
    pub fn decide(self, now: &Situation, cheap: Parts) -> Refresh {
        let keep = match self {
            Renewal::EveryStep => false,
            Renewal::Aged { max_age } => {
                now.valid && !now.failed && now.age < max_age && now.rate <= SLOW_RATE
            }
        };
        Refresh::Renew(if keep {
            now.needed.and(cheap)
        } else {
            now.needed
        })
    }
}
