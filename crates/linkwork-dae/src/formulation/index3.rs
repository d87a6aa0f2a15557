//! Index 3: position constraints, one increment for positions and velocities.
//!
//! ```text
//!  v = qdot;  unknowns d (of q) and lambda / (s1 s2)
//!
//!  [ M + D/s2 + K/(s1 s2)   C_q'  G_v' ] [ d                 ]     [ r / (s1 s2) ]
//!  [ C_q                    0     0    ] [ lambda / (s1 s2)  ] = - [ C           ]
//!  [ G_v + G_q/s1           0     0    ] [ mu / (s1 s2)      ]     [ g / s1      ]
//! ```
//!
//! On a chart `v = T(q) qdot` and `d` is a tangent step, so that `dv = s1 (I + B) d`: the blocks
//! that multiply velocities, `M`, `D` and `G_v`, gain a factor `I + B`.
//!
//! This is the optimal scaling (Bottasso, Dopico & Trainelli 2008): rows and unknowns in position
//! units, a condition number that does not depend on the step. Without it the condition grows like
//! h^-4 and the multipliers solved for carry rounding of h^-2; both worse variants are kept as
//! [`Scaling`] to be measured.
//!
//! Non-holonomic rows and first-order states (see [`super`]) join at the velocity level.
//!
//! Bad at: velocities satisfy their constraint only to the order of the method; accelerations and
//! multipliers of the discrete equations are noisy after a change of step or order, so outputs
//! take them from the acceleration level instead.

use super::Table;
use super::layout::{Equation, Over, Unknown};
use super::place::Power;

pub(super) const INDEX3: Table = Table {
    kinds: &[
        (Over::Coordinates, Unknown::Motion, Equation::Force),
        (Over::Holonomic, Unknown::Multiplier, Equation::Closure),
        (Over::Nonholonomic, Unknown::Multiplier, Equation::Rate),
        (Over::States, Unknown::State, Equation::State),
    ],
    single: 5e-2,
};

/// How the equations and the multipliers are scaled before the linear algebra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scaling {
    /// Forces and multipliers as they are: condition O(h^-4).
    None,
    /// Multipliers in position units: condition O(h^-2).
    Right,
    /// Multipliers and force rows in position units: condition O(1).
    #[default]
    Both,
}

impl Scaling {
    /// Unit of the multipliers.
    pub(super) fn multiplier(self) -> Power {
        match self {
            Scaling::None => Power::ONE,
            Scaling::Right | Scaling::Both => Power::of(1.0, 1, 1),
        }
    }

    /// Unit of the force rows.
    pub(super) fn force(self) -> Power {
        match self {
            Scaling::None | Scaling::Right => Power::ONE,
            Scaling::Both => Power::of(1.0, 1, 1),
        }
    }
}
