//! Where the derivative blocks come from and when they are renewed.

pub mod differences;
pub mod exact;
pub mod renewal;

use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, EvalError, Parts, System, Terms};
use renewal::Renewal;

/// What a strategy may know when it decides.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// Blocks that the formulation needs.
    pub needed: Parts,
    /// Whether the matrix at hand can be used at all.
    pub valid: bool,
    /// Accepted steps since the force blocks were evaluated.
    pub age: u32,
    /// Contraction rate of the last solve.
    pub rate: f64,
    /// Whether the corrector has just failed with the matrix at hand.
    pub failed: bool,
}

/// What is to be done with the iteration matrix before a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Keep the factors.
    Keep,
    /// Evaluate these blocks (none: only recombine with the new step size), combine, factor.
    Renew(Parts),
}

/// Supplies derivative blocks.
pub trait JacobianStrategy: Send {
    /// Allocates for a system.
    fn bind(&mut self, sys: &dyn System);

    /// Decides what to renew.
    fn decide(&mut self, now: &Situation) -> Refresh;

    /// Fills the wanted terms and the given blocks at a point; returns the residual evaluations
    /// spent on blocks.
    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        w: &Weights,
        out: &mut Blocks,
    ) -> Result<u32, EvalError>;

    /// Saves or restores what the decisions depend on, blocks apart.
    fn memory(&mut self, m: &mut Memory);
}

/// A Jacobian strategy by name.
pub struct JacobianEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// Constructor.
    pub build: fn() -> Box<dyn JacobianStrategy>,
}

/// Every Jacobian strategy.
pub static JACOBIANS: &[JacobianEntry] = &[
    JacobianEntry {
        name: "exact",
        summary: "derivatives of the elements, renewed in every step",
        build: || Box::new(exact::Exact::default()),
    },
    JacobianEntry {
        name: "exact-reuse",
        summary: "the same, force blocks kept over many steps and recombined with each new step size",
        build: || {
            Box::new(exact::Exact {
                renewal: Renewal::Aged { max_age: 30 },
            })
        },
    },
    JacobianEntry {
        name: "dense",
        summary: "column-by-column differences, kept over many steps; constraint blocks exact and renewed",
        build: || Box::new(differences::Differences::default()),
    },
];
