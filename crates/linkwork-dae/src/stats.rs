//! Work counters of a run.

/// What a run has spent. Counters are part of the result and of regression tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Accepted steps.
    pub steps: u64,
    /// Steps rejected by the error test.
    pub rejected: u64,
    /// Residual evaluations of the corrector.
    pub residual_evaluations: u64,
    /// Further residual evaluations spent on difference Jacobians.
    pub residual_evaluations_for_jacobians: u64,
    /// Evaluations of the force derivative blocks.
    pub jacobian_evaluations: u64,
    /// Iteration matrices rebuilt from kept force blocks (new step size or new constraint blocks).
    pub jacobian_updates: u64,
    /// Factorisations.
    pub factorisations: u64,
    /// Factorisations that had to choose new pivots.
    pub pivot_searches: u64,
    /// Linear solves.
    pub solves: u64,
    /// Corrector iterations.
    pub newton_iterations: u64,
    /// Steps given up by the corrector.
    pub newton_failures: u64,
    /// Time events met on the way.
    pub events: u64,
    /// Events after which the integrator had to start anew.
    pub restarts: u64,
}
