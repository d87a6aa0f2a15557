//! When to renew the blocks.
//!
//! Exact blocks cost about as much as a residual: renewed at every prediction, they let a single
//! iteration suffice. Blocks by differences cost up to two residuals per coordinate: they are kept
//! while that pays, and only the constraint blocks are renewed in every step. A stale `C_q` ruins
//! the iteration even when stale forces do not: the multiplier increment leaks into the motion by
//! the angle between the old and the new constraint normals.
//!
//! What "pays" means is decided by age, by the classical rules of DASSL, or by a ledger: iterations
//! beyond those of the first solves after an evaluation are a debt, and an evaluation is due when
//! the debt has reached its price. Where the excess grows in proportion to the age, `E` being the
//! price, this minimises the cost per step, `(E + c n^2 / 2) / n`.

use super::{Made, Refresh, Situation};
use crate::memory::Memory;
use crate::system::Parts;

/// A renewal policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// Everything, at every prediction.
    EveryStep,
    /// Force blocks after failure or slow convergence, of which less is enough from `max_age` steps
    /// on; cheap blocks always where there are constraints, else with each new step size.
    Aged {
        /// Accepted steps from which on force blocks are old.
        max_age: u32,
    },
    /// The whole matrix is kept until the leading coefficient has left 0.6 to 1.67 times its value or
    /// the corrector fails, then everything is evaluated: the rules of DASSL (Brenan, Campbell &
    /// Petzold 1996, chapter 5).
    Classical,
    /// The cheapest thing that may serve, one rung after the other: keep the factors, recombine,
    /// evaluate. Evaluations when the ledger says so.
    Ladder,
}

/// A contraction slower than this asks for new blocks.
const SLOW_RATE: f64 = 0.5;
/// The same of blocks that have reached their age: none are renewed for their age alone.
const AGED_RATE: f64 = 0.1;
/// Change of the leading coefficient that is no reason to recombine where no normals turn: it costs
/// a rate of convergence of a tenth of the stiffness terms at most.
const AGED_RANGE: f64 = 0.95;
/// Change of the leading coefficient that DASSL puts up with.
const CLASSICAL_RANGE: f64 = 0.6;
/// Change of the leading coefficient with which factors are kept: the rate of convergence it costs
/// is half of it.
const LADDER_RANGE: f64 = 0.8;

impl Renewal {
    /// The policy must be what it was.
    pub fn memory(self, m: &mut Memory) {
        m.same(match self {
            Renewal::EveryStep => 0,
            Renewal::Aged { max_age } => 1 + u64::from(max_age),
            Renewal::Classical => u64::MAX,
            Renewal::Ladder => u64::MAX - 1,
        });
    }

    /// The decision; `cheap` are the blocks that cost next to nothing, `due` says that the ledger
    /// asks for an evaluation.
    pub fn decide(self, now: &Situation, cheap: Parts, due: bool) -> Refresh {
        let usable = now.valid && !now.failed;
        let within = |range: f64| now.ratio >= range && now.ratio * range <= 1.0;
        let all = Refresh::Renew(now.needed);
        let recombined = Refresh::Renew(now.needed.and(cheap));
        match (self, now.tried) {
            (Renewal::Ladder, Some(Made::Kept)) => recombined,
            (_, Some(_)) | (Renewal::EveryStep, None) => all,
            (Renewal::Aged { max_age }, None) => {
                let slow = if now.age < max_age {
                    SLOW_RATE
                } else {
                    AGED_RATE
                };
                if !usable || now.rate > slow {
                    all
                } else if now.constrained || !within(AGED_RANGE) {
                    recombined
                } else {
                    Refresh::Keep
                }
            }
            (Renewal::Classical, None) => {
                if usable && within(CLASSICAL_RANGE) {
                    Refresh::Keep
                } else {
                    all
                }
            }
            (Renewal::Ladder, None) => {
                if !usable || due {
                    all
                } else if now.constrained || !within(LADDER_RANGE) || now.rate > SLOW_RATE {
                    recombined
                } else {
                    Refresh::Keep
                }
            }
        }
    }
}

/// Iterations lost to blocks that have aged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ledger {
    /// Iterations of the first solve with kept blocks; 0: not known yet.
    usual: u32,
    debt: u32,
}

impl Ledger {
    /// Enters the last solve; `true` when an evaluation at this price has become due.
    pub fn enter(&mut self, iterations: u32, price: u32) -> bool {
        if self.usual == 0 {
            // one iteration is luck, not the rule
            self.usual = iterations.max(2);
        }
        self.debt += iterations.saturating_sub(self.usual);
        self.debt >= price.max(1)
    }

    /// Blocks are new.
    pub fn clear(&mut self) {
        *self = Ledger::default();
    }

    /// Saves or restores the ledger.
    pub fn memory(&mut self, m: &mut Memory) {
        let Ledger { usual, debt } = self;
        m.u32(usual);
        m.u32(debt);
    }
}
