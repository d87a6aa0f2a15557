//! Work counters of a run.

use crate::memory::Memory;

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
    /// Right-hand sides of an explicit method.
    pub right_hand_sides: u64,
    /// Most right-hand sides in one attempted step: its worst-case cost.
    pub most_right_hand_sides: u64,
    /// Constraint evaluations of projections, beside the right-hand sides.
    pub projection_evaluations: u64,
    /// Choices of independent coordinates.
    pub partitions: u64,
}

impl Stats {
    /// Closes a step that began with `before` right-hand sides.
    pub(crate) fn count_step(&mut self, before: u64) {
        let spent = self.right_hand_sides - before;
        self.most_right_hand_sides = self.most_right_hand_sides.max(spent);
    }
}

impl Stats {
    /// Saves or restores the counters.
    pub fn memory(&mut self, m: &mut Memory) {
        let Stats {
            steps,
            rejected,
            residual_evaluations,
            residual_evaluations_for_jacobians,
            jacobian_evaluations,
            jacobian_updates,
            factorisations,
            pivot_searches,
            solves,
            newton_iterations,
            newton_failures,
            events,
            restarts,
            right_hand_sides,
            most_right_hand_sides,
            projection_evaluations,
            partitions,
        } = self;
        m.section("stats");
        for counter in [
            steps,
            rejected,
            residual_evaluations,
            residual_evaluations_for_jacobians,
            jacobian_evaluations,
            jacobian_updates,
            factorisations,
            pivot_searches,
            solves,
            newton_iterations,
            newton_failures,
            events,
            restarts,
            right_hand_sides,
            most_right_hand_sides,
            projection_evaluations,
            partitions,
        ] {
            m.u64(counter);
        }
    }
}
