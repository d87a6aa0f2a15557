//! Work counters of a run.

use crate::jacobian::Effort;
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
    /// Further residual evaluations spent on difference Jacobians, and on `M` and `C_q` where they
    /// are found by residuals.
    pub residual_evaluations_for_jacobians: u64,
    /// What the evaluations of the force blocks would have taken had every column been differenced by
    /// itself, exact ones included.
    pub residual_evaluations_column_by_column: u64,
    /// Evaluations of the force derivative blocks.
    pub jacobian_evaluations: u64,
    /// Iteration matrices rebuilt from kept force blocks (new step size or new constraint blocks).
    pub jacobian_updates: u64,
    /// Among them those whose force blocks followed the excitations of the model.
    pub excitation_updates: u64,
    /// Solves that began with the factors of an earlier one.
    pub factors_kept: u64,
    /// Evaluations, among those of the force blocks, that also searched what depends on what.
    pub pattern_searches: u64,
    /// Entries that joined an estimated pattern after its first estimate.
    pub pattern_growth: u64,
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
    /// Calls at which switching functions of the state crossed.
    pub switches: u64,
    /// Discontinuities found that the system did not name.
    pub located: u64,
    /// Accelerations computed in search of them.
    pub search_evaluations: u64,
    /// Strides over contacts and friction whose modes changed without end.
    pub strides: u64,
    /// Right-hand sides of an explicit method.
    pub right_hand_sides: u64,
    /// Most right-hand sides in one attempted step: its worst-case cost.
    pub most_right_hand_sides: u64,
    /// Constraint evaluations of projections, beside the right-hand sides.
    pub projection_evaluations: u64,
    /// Further evaluations of forces that follow reactions, until both agree.
    pub settling_evaluations: u64,
    /// Choices of independent coordinates.
    pub partitions: u64,
    /// Changes of the rows kept of a redundant system, because those kept had become dependent.
    pub exchanges: u64,
    /// Most evaluations of the equations in one accepted step with all its attempts: its
    /// worst-case cost.
    pub most_evaluations: u64,
    /// All evaluations up to the last accepted step.
    evaluations_before: u64,
}

impl Stats {
    /// All evaluations of the equations so far: residuals, right-hand sides, constraints alone,
    /// derivatives.
    pub fn evaluations(&self) -> u64 {
        self.residual_evaluations
            + self.residual_evaluations_for_jacobians
            + self.jacobian_evaluations
            + self.right_hand_sides
            + self.projection_evaluations
            + self.settling_evaluations
    }

    /// Closes an accepted step.
    pub(crate) fn accept_step(&mut self) {
        self.steps += 1;
        let all = self.evaluations();
        let spent = all - self.evaluations_before.min(all);
        self.most_evaluations = self.most_evaluations.max(spent);
        self.evaluations_before = all;
    }

    /// An accepted step is taken once more: it was an attempt.
    pub(crate) fn take_back_step(&mut self) {
        self.steps -= 1;
        self.rejected += 1;
    }

    /// Closes a step that began with `before` right-hand sides.
    pub(crate) fn count_step(&mut self, before: u64) {
        let spent = self.right_hand_sides - before;
        self.most_right_hand_sides = self.most_right_hand_sides.max(spent);
    }
}

impl Stats {
    /// Enters what blocks took: all of them, or some with the force blocks kept.
    pub(crate) fn count_blocks(&mut self, effort: &Effort, whole: bool) {
        self.residual_evaluations_for_jacobians += u64::from(effort.evaluations);
        self.residual_evaluations_column_by_column += u64::from(effort.column_by_column);
        self.pattern_searches += u64::from(effort.pattern_searched);
        self.pattern_growth += u64::from(effort.joined);
        if whole {
            self.jacobian_evaluations += 1;
        } else {
            self.jacobian_updates += 1;
            self.excitation_updates += u64::from(effort.followed);
        }
    }

    /// Saves or restores the counters.
    pub fn memory(&mut self, m: &mut Memory) {
        let Stats {
            steps,
            rejected,
            residual_evaluations,
            residual_evaluations_for_jacobians,
            residual_evaluations_column_by_column,
            jacobian_evaluations,
            jacobian_updates,
            excitation_updates,
            factors_kept,
            pattern_searches,
            pattern_growth,
            factorisations,
            pivot_searches,
            solves,
            newton_iterations,
            newton_failures,
            events,
            restarts,
            switches,
            located,
            search_evaluations,
            strides,
            right_hand_sides,
            most_right_hand_sides,
            projection_evaluations,
            settling_evaluations,
            partitions,
            exchanges,
            most_evaluations,
            evaluations_before,
        } = self;
        m.section("stats");
        for counter in [
            steps,
            rejected,
            residual_evaluations,
            residual_evaluations_for_jacobians,
            residual_evaluations_column_by_column,
            jacobian_evaluations,
            jacobian_updates,
            excitation_updates,
            factors_kept,
            pattern_searches,
            pattern_growth,
            factorisations,
            pivot_searches,
            solves,
            newton_iterations,
            newton_failures,
            events,
            restarts,
            switches,
            located,
            search_evaluations,
            strides,
            right_hand_sides,
            most_right_hand_sides,
            projection_evaluations,
            settling_evaluations,
            partitions,
            exchanges,
            most_evaluations,
            evaluations_before,
        ] {
            m.u64(counter);
        }
    }
}
