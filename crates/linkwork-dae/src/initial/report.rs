//! What a start found: the consistent state and the facts a user wants to know about the model.

use crate::state::State;
use crate::system::{Fitted, Row, Rows, System};

/// A consistent start.
#[derive(Clone, Debug)]
pub struct Start {
    /// Consistent positions, velocities, accelerations and multipliers.
    pub state: State,
    /// The independent constraint rows.
    pub rows: Rows,
    /// What was found.
    pub report: StartReport,
}

/// Facts about a start.
#[derive(Clone, Debug)]
pub struct StartReport {
    /// Degrees of freedom: velocities minus kept rows.
    pub dof: usize,
    /// Iterations of the assembly.
    pub iterations: usize,
    /// `C` at the guess.
    pub residual_before: Vec<f64>,
    /// `C` at the start, dropped rows included.
    pub residual_after: Vec<f64>,
    /// Start positions minus guess.
    pub moved: Vec<f64>,
    /// Start velocities minus guess.
    pub velocity_moved: Vec<f64>,
    /// Rows that were removed because others imply them.
    pub redundant: Vec<Redundant>,
    /// Rows whose multipliers are a choice among many: removed rows and those they depend on.
    pub not_unique: Vec<usize>,
    /// Whether the pose is singular.
    pub pose: PoseCheck,
    /// Where accelerations and multipliers come from.
    pub accelerations: Accelerations,
}

impl StartReport {
    /// Start values that were changed by more than rounding of what was written, the largest changes first.
    /// Velocities that nobody gave follow from others: only those that are not zero count.
    pub fn changes(&self, sys: &dyn System) -> Vec<Fitted> {
        const ROUNDING: f64 = 1e-6;
        let facts = sys.facts();
        let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let (size, speed) = (largest(&facts.scale), largest(&facts.guess.v));
        let positions = self.moved.iter().enumerate();
        let positions = positions.map(|(i, by)| (Row::Position(i), *by, by.abs() / size));
        let given = self.velocity_moved.iter().zip(&facts.guess.v).enumerate();
        let given = given.filter(|(_, (_, given))| **given != 0.0);
        let velocities = given.map(|(i, (by, _))| (Row::Velocity(i), *by, by.abs() / speed));
        let mut found: Vec<Fitted> = positions
            .chain(velocities)
            .filter(|(_, _, share)| *share > ROUNDING)
            .map(|(row, by, share)| Fitted {
                what: sys.describe(row),
                by,
                share,
            })
            .collect();
        found.sort_by(|a, b| b.share.total_cmp(&a.share));
        found
    }
}

/// Where accelerations and multipliers of a start come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accelerations {
    /// The equations of motion determine them.
    Solved,
    /// Limits along the branch of motion that the velocities follow through a singular pose. The
    /// multipliers have a pole there; those given are its finite part and do not balance the
    /// equations of motion.
    Branch,
}

/// A constraint row that the kept rows imply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redundant {
    /// The removed row.
    pub row: usize,
    /// The kept rows it is a combination of; empty when the row constrains nothing.
    pub depends_on: Vec<usize>,
}

impl Redundant {
    /// "joint `b`, x coincidence depends on joint `a`, x coincidence and ...".
    pub fn explain(&self, sys: &dyn System) -> String {
        let name = |i: &usize| sys.describe(Row::Constraint(*i));
        if self.depends_on.is_empty() {
            return format!("{} constrains nothing", name(&self.row));
        }
        let others: Vec<String> = self.depends_on.iter().map(name).collect();
        format!("{} depends on {}", name(&self.row), others.join("; "))
    }
}

/// Whether the constraints lose independence at the start pose.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseCheck {
    /// Kept rows are clearly independent.
    Regular {
        /// Smallest relative pivot of the row-scaled Jacobian.
        smallest_pivot: f64,
    },
    /// Close to a pose where rows become dependent: reactions there are large and uncertain.
    NearlySingular {
        /// Smallest relative pivot of the row-scaled Jacobian.
        smallest_pivot: f64,
        /// Rows that are nearly dependent.
        rows: Vec<usize>,
    },
    /// Rows are dependent here and independent next to here: branches of motion meet.
    Singular {
        /// Rows that lose their independence; they are kept.
        rows: Vec<usize>,
        /// Their smallest relative pivot a thousandth of the mechanism's size away.
        regained: f64,
    },
}
