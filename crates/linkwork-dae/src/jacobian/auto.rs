//! The strategy that suits a system: exact blocks where it has them, else differences with
//! everything that saves evaluations.

use super::excitation::Following;
use super::{Effort, JACOBIANS, JacobianEntry, JacobianStrategy, Refresh, Situation};
use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, EvalError, Parts, System, Terms};

/// The entry that suits a system of which these blocks are needed.
pub fn suited(sys: &dyn System, needed: Parts) -> &'static JacobianEntry {
    let exact = needed.without(sys.exact_parts()).is_empty();
    let name = if exact { "exact-priced" } else { "extended" };
    let found = JACOBIANS.iter().find(|e| e.name == name);
    found.unwrap_or(&JACOBIANS[0])
}

/// Decides when it is bound to a system.
#[derive(Default)]
pub(super) struct Auto {
    chosen: Option<Box<dyn JacobianStrategy>>,
}

impl JacobianStrategy for Auto {
    fn bind(&mut self, sys: &dyn System, needed: Parts) {
        let mut chosen = (suited(sys, needed).build)();
        chosen.bind(sys, needed);
        self.chosen = Some(chosen);
    }

    fn decide(&mut self, now: &Situation) -> Refresh {
        match &mut self.chosen {
            Some(chosen) => chosen.decide(now),
            None => Refresh::Renew(now.needed),
        }
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
        match &mut self.chosen {
            Some(chosen) => chosen.fill(sys, at, want, parts, w, out),
            None => {
                sys.linearise(at, want, parts, out)?;
                Ok(Effort::default())
            }
        }
    }

    fn incomplete(&self) -> bool {
        self.chosen.as_ref().is_some_and(|c| c.incomplete())
    }

    fn patience(&self) -> u32 {
        self.chosen.as_ref().map_or(0, |c| c.patience())
    }

    fn following(&self) -> Option<Following> {
        self.chosen.as_ref().and_then(|c| c.following())
    }

    fn restart(&mut self) {
        if let Some(chosen) = &mut self.chosen {
            chosen.restart();
        }
    }

    fn memory(&mut self, m: &mut Memory) {
        m.section("auto");
        if let Some(chosen) = &mut self.chosen {
            chosen.memory(m);
        }
    }
}
