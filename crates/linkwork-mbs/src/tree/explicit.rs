//! A mechanism in joint coordinates, its accelerations stated explicitly: `a - M^-1 (Q - C_q' lambda) = 0`.
//!
//! This is the function `F` of Arnold, Fuchs & Führer (2006, equation 10); what every other part of
//! the program works with is their residual form (equation 9), which stays what this system says of
//! itself. Only implicit steps see the explicit form ([`System::stage_form`], in `form.rs`). Its
//! iteration matrix has the identity in place of the mass matrix, and multipliers act through `M^-1 C_q'`:
//!
//! ```text
//!  [ I + D/s2 + K/(s1 s2)   M^-1 C_q' ]       K, D: M^-1 times those of the residual form, taken at
//!  [ C_q                    0         ]             the acceleration that belongs to the point
//! ```
//!
//! Good where derivatives are differenced and kept: of what differs between two steps, the mass matrix
//! is already divided out. Bad at: bodies without inertia, whose mass matrix has no inverse although the
//! constraints determine the motion, and long chains, for which `M^-1 K` costs `N^3`.

mod form;

use super::JointCoordinates;
use crate::error::ModelError;
use crate::forward::forward_states;
use form::ExplicitForm;
use linkwork_dae::system::{At, Blocks, Capability, EvalError, Facts, Parts, System, Terms};

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Explicit {
    form: ExplicitForm,
}

impl Explicit {
    /// The same mechanism with implicit steps in explicit form; one that has no inertia to divide by
    /// at its start is refused.
    pub fn new(inner: JointCoordinates) -> Result<Explicit, ModelError> {
        let mut form = ExplicitForm::new(inner);
        match form.massless() {
            None => Ok(Explicit { form }),
            Some(coordinate) => {
                let why = "nothing that moves with it has inertia to divide by";
                let message = format!("formalism explicit cannot solve for {coordinate}: {why}");
                let help = "use formalism = \"residual\", or give it some mass";
                Err(ModelError::new(message).with_help(help))
            }
        }
    }
}

/// The residual form, but for what implicit steps see.
impl System for Explicit {
    fn facts(&self) -> &Facts {
        self.form.inner.facts()
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        self.form.inner.eval(at, want)
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.form.inner.linearise(at, want, parts, out)
    }

    fn stage_form(&self) -> Option<&dyn System> {
        Some(&self.form)
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        match wanted {
            Capability::StageForm(to) => *to = Some(&mut self.form),
            other => self.form.inner.capability(other),
        }
    }

    forward_states!(form.inner);
}
