//! Stabilised index 2 (Gear, Gupta & Leimkuhler 1985): position and velocity constraints hold.
//!
//! ```text
//!  W (q' - v) + C_q' xi = 0;  unknowns y = e/s1 (e: of v), d (of q), (lambda, mu)/(s1 s2), xi/s1
//!
//!  [ M + D/s2   K/(s1 s2)   C_q' G_v'  0    ] [ y            ]     [ r / (s1 s2)                ]
//!  [ -W         W           0    0     C_q' ] [ d            ]     [ (W(qdot-v) + C_q' xi) / s1 ]
//!  [ C_q        CV_q/s1     0    0     0    ] [ lambda/(s1 s2)] = -[ (C_q v + C_t) / s1         ]
//!  [ G_v        G_q/s1      0    0     0    ] [ mu/(s1 s2)   ]     [ g / s1                     ]
//!  [ 0          C_q         0    0     0    ] [ xi/s1        ]     [ C                          ]
//! ```
//!
//! The rows are ordered so that each multiplier is paired with the constraint row of the same
//! structure, which keeps the pattern nearly symmetric. The derivative of `C_q' xi` is left out:
//! `xi` is of the size of the local error. On a chart the second row is `W (T(q) qdot - v) + C_q' xi`
//! and the increment `d` a tangent step, which makes its block `W (I + B)`.
//!
//! `W` decides which coordinates take up the part of the discretisation error that is normal to the
//! constraints. It is `diag(1/scale^2)`: every coordinate in proportion to its size, whatever the
//! units. With `W = I` elastic coordinates of a millimetre share the error of a rotation of one
//! radian, which excites their vibrations (ten times the steps on an elastic slider crank).
//! First-order states (see [`super`]) join at the velocity
//! level. Bad at: the matrix is twice as large as in index 3, unless there are no constraints
//! ([`Formulation::condensed`](super::Formulation::condensed)).

use super::Table;
use super::layout::{Equation, Over, Unknown};
use crate::system::System;

pub(super) const GGL: Table = Table {
    kinds: &[
        (Over::Coordinates, Unknown::Velocity, Equation::Force),
        (Over::Coordinates, Unknown::Position, Equation::Kinematic),
        (Over::Constraints, Unknown::Multiplier, Equation::Rate),
        (Over::Holonomic, Unknown::Stabiliser, Equation::Closure),
        (Over::States, Unknown::State, Equation::State),
    ],
    // For the motion a twentieth would do. This form is chosen for its constraints, and what an
    // iteration leaves of them is not tested anywhere else: with this bound the velocity
    // constraints of the example models and problems hold to 1e-10 at tolerance 1e-6.
    single: 1.5e-6,
};

/// Diagonal of `W`, relative to the coordinate of the largest scale.
pub(super) fn metric(sys: &dyn System) -> Vec<f64> {
    let scale = sys.facts().scale.clone();
    let largest = scale.iter().fold(0.0f64, |m, &s| m.max(s));
    let relative = scale.iter().map(|s| (largest / s).powi(2));
    relative
        .map(|w| if w.is_finite() { w } else { 1.0 })
        .collect()
}
