//! When to renew the matrix: one policy for every source of blocks.
//!
//! Exact blocks cost about as much as a residual: renewed at every prediction, they let a single
//! iteration suffice. Blocks by differences cost up to two residuals per coordinate: they are kept
//! while that pays, and only the constraint blocks are renewed in every step. A stale `C_q` ruins
//! the iteration even when stale forces do not: the multiplier increment leaks into the motion by
//! the angle between the old and the new constraint normals.
//!
//! What "pays" means is decided by the rate of convergence, or by a ledger of the iterations lost. Those that a solve on new factors needs beyond the first solves after an
//! evaluation are the debt of the blocks; those that a solve on old factors needs beyond one on new
//! factors are the debt of the factors, and so are all those on factors that did not serve. Each is paid when it has
//! reached its price: residuals for all columns, or a recombination with new factors. Where the excess grows in
//! proportion to the age, `E` being the price, this minimises the cost per step, `(E + c n^2 / 2) / n`; whatever the
//! excess does, it never costs more than twice what foresight would (the rent-or-buy rule of Karlin,
//! Manasse, Rudolph & Sleator 1988). Prices are counted, never timed: equal input gives equal runs.
//!
//! A stale `C_q` ruins an iteration only where the constraint normals have turned. In joint
//! coordinates and on rails they hardly turn, and the ledger finds out.

use super::{Made, Refresh, Situation};
use crate::memory::Memory;
use crate::system::Parts;

/// A renewal policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// Everything, at every prediction.
    EveryStep,
    /// Force blocks after failure or slow convergence; cheap blocks always where there are constraints,
    /// else with each new step size.
    WhenSlow,
    /// The cheapest thing that may serve, one rung after the other: keep the factors, recombine,
    /// evaluate. Upwards when the ledger says so.
    Ladder,
}

/// A contraction slower than this asks for new blocks.
pub(super) const SLOW_RATE: f64 = 0.5;
/// Change of the leading coefficient with which factors are kept, at most: what it costs the rate of
/// convergence need not be tried.
const RANGE: f64 = 0.8;

/// A renewal policy at work.
pub struct Reuse {
    renewal: Renewal,
    ledger: Ledger,
}

impl Reuse {
    /// Begins with an empty ledger.
    pub fn new(renewal: Renewal) -> Reuse {
        Reuse {
            renewal,
            ledger: Ledger::default(),
        }
    }

    /// Whether iterations lost are weighed against prices.
    pub fn is_patient(&self) -> bool {
        self.renewal == Renewal::Ladder
    }

    /// Force blocks have been evaluated.
    pub fn evaluated(&mut self) {
        self.ledger.clear();
    }

    /// Saves or restores the ledger; the policy must be what it was.
    pub fn memory(&mut self, m: &mut Memory) {
        let Reuse { renewal, ledger } = self;
        m.same(match *renewal {
            Renewal::EveryStep => 0,
            Renewal::WhenSlow => 1,
            Renewal::Ladder => 2,
        });
        ledger.memory(m);
    }

    /// The decision. `cheap` are the blocks that cost next to nothing, `price` is what the others cost in
    /// corrector iterations; on the ladder they are evaluated in any case where they are `wanted`.
    pub fn decide(&mut self, now: &Situation, cheap: Parts, price: u32, wanted: bool) -> Refresh {
        let all = Refresh::Renew(now.needed);
        let recombined = Refresh::Renew(now.needed.and(cheap));
        match now.tried {
            Some(Made::Kept) if self.renewal == Renewal::Ladder => return recombined,
            Some(_) => return all,
            None => {}
        }
        let due = match self.renewal {
            Renewal::Ladder => self.ledger.enter(now, price),
            _ => Due::default(),
        };
        if !now.valid || now.failed {
            return all;
        }
        let (evaluates, recombines) = match self.renewal {
            Renewal::EveryStep => (true, false),
            Renewal::WhenSlow => (now.rate > SLOW_RATE, now.constrained),
            Renewal::Ladder => (due.blocks || wanted, due.factors),
        };
        let steady = now.ratio >= RANGE && now.ratio * RANGE <= 1.0;
        match evaluates {
            true => all,
            false if recombines || !steady => recombined,
            false => Refresh::Keep,
        }
    }
}

/// What the ledger asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Due {
    /// An evaluation of the force blocks.
    blocks: bool,
    /// New factors.
    factors: bool,
}

/// Iterations lost to blocks and to factors that have aged.
#[derive(Clone, Copy, Debug, Default)]
struct Ledger {
    /// Fewest iterations of a solve on kept blocks; 0: there was none.
    usual: u32,
    /// Iterations of the last solve on new factors.
    renewed: u32,
    blocks: u32,
    factors: f64,
}

/// One iteration is luck, not the rule.
const LEAST: u32 = 2;

impl Ledger {
    /// Enters the last solve; says what has become due at the prices of an evaluation and of new
    /// factors. A solve that failed has no iterations.
    fn enter(&mut self, now: &Situation, evaluation: u32) -> Due {
        let update = now.update_price.max(1.0);
        if now.made == Made::Evaluated {
            self.clear();
        }
        let spent = now.iterations.max(LEAST);
        if now.made != Made::Kept {
            self.renewed = spent;
            self.factors = (self.factors + f64::from(now.wasted) - update).max(0.0);
        }
        if now.made != Made::Evaluated && now.iterations > 0 {
            if self.usual == 0 {
                self.usual = spent;
            }
            self.usual = self.usual.min(spent);
            self.blocks += spent.min(self.renewed).saturating_sub(self.usual);
            let lost = spent.saturating_sub(self.renewed);
            self.factors += f64::from(lost);
        }
        Due {
            blocks: self.blocks >= evaluation.max(1),
            factors: self.factors >= update,
        }
    }

    /// Blocks are new.
    fn clear(&mut self) {
        *self = Ledger {
            factors: self.factors,
            ..Ledger::default()
        };
    }

    /// Saves or restores the ledger.
    fn memory(&mut self, m: &mut Memory) {
        let Ledger {
            usual,
            renewed,
            blocks,
            factors,
        } = self;
        for count in [usual, renewed, blocks] {
            m.u32(count);
        }
        m.f64(factors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Part;

    fn after(made: Made, iterations: u32) -> Situation {
        Situation {
            needed: Parts::from(Part::Rq),
            valid: true,
            age: 0,
            rate: 0.0,
            iterations,
            made,
            wasted: 0,
            failed: false,
            ratio: 1.0,
            constrained: false,
            update_price: 3.0,
            tried: None,
        }
    }

    /// Debts are those since the last evaluation, whoever made it.
    #[test]
    fn an_evaluation_pays() {
        let mut ledger = Ledger::default();
        ledger.enter(&after(Made::Evaluated, 2), 4);
        ledger.enter(&after(Made::Recombined, 2), 4);
        let due = ledger.enter(&after(Made::Recombined, 6), 4);
        assert!(due.blocks);
        assert_eq!(ledger.enter(&after(Made::Evaluated, 2), 4), Due::default());
        assert_eq!(ledger.enter(&after(Made::Kept, 2), 4), Due::default());
    }

    /// Iterations beyond those on new factors buy new ones at their price.
    #[test]
    fn lost_iterations_are_charged_to_the_factors() {
        let mut ledger = Ledger::default();
        ledger.enter(&after(Made::Recombined, 2), 100);
        let lost = after(Made::Kept, 3);
        let due: Vec<bool> = (0..4).map(|_| ledger.enter(&lost, 100).factors).collect();
        assert_eq!(due, [false, false, true, true]);
    }

    /// Factors that do not serve are not kept again and again.
    #[test]
    fn wasted_iterations_outlast_the_factors() {
        let mut ledger = Ledger::default();
        let in_vain = Situation {
            wasted: 7,
            ..after(Made::Recombined, 2)
        };
        assert!(ledger.enter(&in_vain, 100).factors);
        let renewed = after(Made::Recombined, 2);
        assert!(!ledger.enter(&renewed, 100).factors);
    }
}
