//! Formulations by name.

use super::Formulation;
use super::index3::Scaling;
use crate::ode::Hold;

/// How a formulation is realised.
#[derive(Clone, Copy)]
pub enum Means {
    /// As the equations and unknowns of an implicit step.
    Placement(fn() -> Formulation),
    /// As ordinary differential equations that hold their constraints.
    Ode(Hold),
}

/// A formulation by name.
pub struct FormulationEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// What it is made of.
    pub means: Means,
    /// Whether accelerations and multipliers of accepted states are taken from the acceleration
    /// level.
    pub consistent: bool,
}

/// Every formulation.
pub static FORMULATIONS: &[FormulationEntry] = &[
    FormulationEntry {
        name: "index3",
        summary: "position constraints only, optimally scaled; the velocity error is filtered",
        means: Means::Placement(|| Formulation::index3(Scaling::Both)),
        consistent: false,
    },
    FormulationEntry {
        name: "ggl",
        summary: "stabilised index 2 (Gear, Gupta, Leimkuhler): position and velocity constraints",
        means: Means::Placement(Formulation::ggl),
        consistent: false,
    },
    // With its velocity row in the mass metric, M (v' - a) + C_q' tau = 0, the index-1 form has the
    // positions and velocities of the stabilised form exactly, and lambda + tau is its multiplier:
    // adding the force balance M a + C_q' lambda = Q gives M v' + C_q' (lambda + tau) = Q.
    FormulationEntry {
        name: "index1",
        summary: "the motion of ggl with accelerations and multipliers from the acceleration level",
        means: Means::Placement(Formulation::ggl),
        consistent: true,
    },
    FormulationEntry {
        name: "projected",
        summary: "accelerations integrated; positions and velocities projected after each step",
        means: Means::Ode(Hold::Projection),
        consistent: false,
    },
    FormulationEntry {
        name: "penalty",
        summary: "accelerations integrated; constraint errors decay at a rate within the equations",
        means: Means::Ode(Hold::Penalty),
        consistent: true,
    },
    FormulationEntry {
        name: "state-space",
        summary: "as many coordinates integrated as there are freedoms; the others follow everywhere",
        means: Means::Ode(Hold::Partition),
        consistent: false,
    },
];
