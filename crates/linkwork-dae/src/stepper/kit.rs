//! Puts a stepper together from registered parts, or says why they do not fit.

use super::{Needs, STEPPERS, Stepper, StepperEntry, Tuning};
use crate::formulation::{Formulation, FormulationEntry, Means};
use crate::implicit::Implicit;
use crate::jacobian::JacobianEntry;
use crate::linear::LinearSolverEntry;
use crate::ode::{Hold, Ode};
use crate::system::{Row, System, stage_form};

/// What a stepper is put together from; each takes what it needs.
#[derive(Clone, Copy)]
pub struct Kit<'a> {
    /// Which equations are solved.
    pub formulation: &'a FormulationEntry,
    /// Where derivatives come from; explicit methods need none.
    pub jacobian: &'a JacobianEntry,
    /// Linear solver.
    pub linear: &'a LinearSolverEntry,
}

/// Parts that do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The method does not run with the formulation.
    #[error("method `{method}` does not run with formulation `{formulation}`")]
    Formulation {
        /// Name of the method.
        method: &'static str,
        /// Name of the formulation.
        formulation: &'static str,
    },
    /// An explicit method cannot solve for algebraic states.
    #[error("method `{method}` is explicit and cannot solve the algebraic equation of {state}")]
    Algebraic {
        /// Name of the method.
        method: &'static str,
        /// The unknown.
        row: Row,
        /// The unknown in words.
        state: String,
    },
    /// Coordinate partitioning is for holonomic constraints.
    #[error(
        "formulation `{formulation}` cannot choose independent coordinates under the non-holonomic \
         {constraint}"
    )]
    Nonholonomic {
        /// Name of the formulation.
        formulation: &'static str,
        /// The constraint.
        row: Row,
        /// The constraint in words.
        constraint: String,
    },
}

impl Unfit {
    /// What works instead, in words.
    pub fn help(&self) -> String {
        if let Unfit::Formulation {
            method,
            formulation,
        } = self
        {
            return company(method, formulation);
        }
        let fitting = |e: &&StepperEntry| match self {
            Unfit::Formulation { .. } => true,
            Unfit::Algebraic { .. } => matches!(e.needs, Needs::Implicit(_)),
            Unfit::Nonholonomic { formulation, .. } => e.formulations != [*formulation],
        };
        let forms = |e: &StepperEntry| {
            let without = match self {
                Unfit::Nonholonomic { formulation, .. } => *formulation,
                Unfit::Formulation { .. } | Unfit::Algebraic { .. } => "",
            };
            let of = e.formulations.iter().copied();
            of.filter(|f| *f != without)
                .collect::<Vec<_>>()
                .join(" or ")
        };
        let pairs: Vec<String> = STEPPERS
            .iter()
            .filter(fitting)
            .map(|s| format!("{} with {}", s.name, forms(s)))
            .collect();
        format!("these combinations work: {}", pairs.join("; "))
    }
}

/// What a method and a formulation that do not go together go with.
fn company(method: &str, formulation: &str) -> String {
    let of_method = STEPPERS.iter().find(|s| s.name == method);
    let formulations = of_method.map_or(String::new(), |s| s.formulations.join(", "));
    let with: Vec<&str> = STEPPERS
        .iter()
        .filter(|s| s.formulations.contains(&formulation))
        .map(|s| s.name)
        .collect();
    let methods = with.join(", ");
    format!("`{method}` runs with {formulations}; `{formulation}` is for {methods}")
}

impl StepperEntry {
    /// Whether the method runs with the formulation.
    pub fn takes(&self, formulation: &FormulationEntry) -> Result<(), Unfit> {
        if self.formulations.contains(&formulation.name) {
            return Ok(());
        }
        Err(Unfit::Formulation {
            method: self.name,
            formulation: formulation.name,
        })
    }

    /// Whether the method can integrate the system.
    pub fn suits(&self, sys: &dyn System) -> Result<(), Unfit> {
        if matches!(self.needs, Needs::Implicit(_)) {
            return Ok(());
        }
        let mut differential = vec![true; sys.dims().nx];
        sys.differential(&mut differential);
        match differential.iter().position(|d| !d) {
            None => Ok(()),
            Some(i) => Err(Unfit::Algebraic {
                method: self.name,
                row: Row::State(i),
                state: sys.describe(Row::State(i)),
            }),
        }
    }

    /// Whether a formulation of the method can hold the constraints of the system.
    fn holds(&self, formulation: &FormulationEntry, sys: &dyn System) -> Result<(), Unfit> {
        let dims = sys.dims();
        if !matches!(formulation.means, Means::Ode(Hold::Partition)) {
            return Ok(());
        }
        if dims.ng == 0 {
            return Ok(());
        }
        let row = Row::Constraint(dims.nc);
        Err(Unfit::Nonholonomic {
            formulation: formulation.name,
            row,
            constraint: sys.describe(row),
        })
    }

    /// A formulation as steps of the method solve it: for fewer unknowns where the system allows, but
    /// `dassl` keeps those of DASSL.
    pub fn placement(&self, form: Box<dyn Formulation>, sys: &dyn System) -> Box<dyn Formulation> {
        match self.name {
            "dassl" => form,
            _ => form.condensed(stage_form(sys)).unwrap_or(form),
        }
    }

    /// The stepper for a system.
    pub fn build(
        &self,
        kit: &Kit<'_>,
        tuning: &Tuning,
        sys: &dyn System,
    ) -> Result<Box<dyn Stepper>, Unfit> {
        self.takes(kit.formulation)?;
        self.suits(sys)?;
        self.holds(kit.formulation, sys)?;
        match (self.needs, kit.formulation.means) {
            (Needs::Implicit(build), Means::Placement(form)) => {
                let form = self.placement(form(tuning.scaling), sys);
                let implicit = Implicit::new(form, (kit.jacobian.build)(), (kit.linear.build)());
                Ok(build(implicit, tuning))
            }
            (Needs::Ode(build), Means::Ode(hold)) => {
                Ok(build(Ode::new(hold, (kit.linear.build)()), tuning))
            }
            _ => Err(Unfit::Formulation {
                method: self.name,
                formulation: kit.formulation.name,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formulation::FORMULATIONS;

    /// Every row of the table names formulations that exist and are realised as it needs them.
    #[test]
    fn every_named_combination_is_of_one_kind() {
        for stepper in STEPPERS {
            for name in stepper.formulations {
                let entry = FORMULATIONS.iter().find(|f| f.name == *name).unwrap();
                let fits = matches!(
                    (stepper.needs, entry.means),
                    (Needs::Implicit(_), Means::Placement(_)) | (Needs::Ode(_), Means::Ode(_))
                );
                assert!(fits, "{} with {name}", stepper.name);
            }
        }
    }
}
