//! Jacobians under the rules of the paper, for tables that count what it counted.
//!
//! ```text
//!  leading coefficient within 0.6 to 1.67 of that of the matrix     keep the factors
//!  beyond                       with updates                        recombine, follow excitations
//!                               without                             evaluate
//!  corrector fails              with an old or an updated matrix    evaluate, repeat the step
//!                               with new blocks of an estimated     all columns, larger pattern
//!                               pattern
//! ```
//!
//! These are DASSL's own rules with one change: a new step size asks for an update and not for an
//! evaluation. Patterns are those found at the start (Arnold, Fuchs & Fuehrer 2006, section 3). The
//! strategies `partitioned` and `extended` of the library decide otherwise: by what evaluations and
//! iterations cost.

use linkwork_dae::jacobian::by_differences::{ByDifferences, Columns};
use linkwork_dae::jacobian::renewal::Renewal;
use linkwork_dae::jacobian::{Effort, JacobianStrategy, Refresh, Situation};
use linkwork_dae::memory::Memory;
use linkwork_dae::state::Weights;
use linkwork_dae::system::{At, Blocks, EvalError, Part, Parts, System, Terms};

/// Columns in groups, no updates.
pub(super) fn grouped() -> Box<dyn JacobianStrategy> {
    Published::boxed(AT_THE_START, false, false)
}

/// Columns in groups, updates by recombination.
pub(super) fn grouped_partitioned() -> Box<dyn JacobianStrategy> {
    Published::boxed(AT_THE_START, true, false)
}

/// All columns, updates along the excitations.
pub(super) fn dense_extended() -> Box<dyn JacobianStrategy> {
    Published::boxed(Columns::Single, true, true)
}

/// Columns in groups, updates along the excitations.
pub(super) fn grouped_extended() -> Box<dyn JacobianStrategy> {
    Published::boxed(AT_THE_START, true, true)
}

/// The pattern of one dense difference at the start.
const AT_THE_START: Columns = Columns::Estimated { states: 0 };

/// See the [module](self).
struct Published {
    differences: ByDifferences,
    updates: bool,
}

impl Published {
    fn boxed(columns: Columns, updates: bool, follows: bool) -> Box<dyn JacobianStrategy> {
        Box::new(Published {
            differences: ByDifferences::new(columns, Renewal::Classical, follows),
            updates,
        })
    }
}

impl JacobianStrategy for Published {
    fn bind(&mut self, sys: &dyn System, needed: Parts) {
        self.differences.bind(sys, needed);
    }

    fn decide(&mut self, now: &Situation) -> Refresh {
        let decision = self.differences.decide(now);
        let by_step_size = now.valid && !now.failed && now.tried.is_none();
        if self.updates && by_step_size && decision != Refresh::Keep {
            return Refresh::Renew(now.needed.and(Parts::from(Part::Mass) | Part::Cq));
        }
        decision
    }

    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        w: &Weights,
        out: &mut Blocks,
    ) -> Result<Effort, EvalError> {
        self.differences.fill(sys, at, want, parts, w, out)
    }

    fn incomplete(&self) -> bool {
        self.differences.incomplete()
    }

    fn restart(&mut self) {
        self.differences.restart();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.differences.memory(m);
    }
}
