//! What a co-simulation has to tell: steps, errors, energy, work.

use super::Trouble;

/// One attempted macro step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MacroStep {
    /// Its beginning.
    pub t: f64,
    /// Its length.
    pub h: f64,
    /// Lowest degree of a polynomial in it.
    pub degree: usize,
    /// Estimated error over what a step may use of the tolerance
    /// ([`Plan::share_of_step`](super::Plan::share_of_step)).
    pub error: f64,
    /// Whether it counts.
    pub accepted: bool,
}

/// How a co-simulation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The end time was reached.
    Finished,
    /// The watcher asked to stop.
    Stopped,
    /// A subsystem could not go on, however short the macro step.
    Failed {
        /// The subsystem, by its place.
        member: usize,
        /// What it says.
        trouble: Trouble,
    },
    /// The macro step has become too small to advance time.
    StepTooSmall {
        /// The step.
        h: f64,
        /// The subsystem that ruled the error, by its place.
        member: usize,
    },
    /// Macro steps are so short beside the time that is left that no number of them reaches the end.
    OutOfReach {
        /// The step.
        h: f64,
        /// The subsystem that ruled the error, by its place.
        member: usize,
    },
    /// An event of a subsystem has ended the run.
    Ended {
        /// The subsystem, by its place.
        member: usize,
        /// When.
        t: f64,
    },
    /// The attempts of the plan are used up.
    OutOfSteps,
    /// Outputs and inputs depend on each other at the same instant and do not settle.
    AlgebraicLoop {
        /// The connection that keeps changing, by its place.
        connection: usize,
    },
}

/// What is known about the error of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Positions and velocities: every accepted step was run twice and its error estimated.
    Estimated,
    /// Coupling variables only: a subsystem cannot go back, so that steps were judged after the fact
    /// by how far its inputs had been from what they should have been.
    ForwardOnly,
}

/// The account of one connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConnectionAccount {
    /// Largest distance, at the end of a step, of an input from what it should have been, as a share
    /// of the largest value of that input.
    pub largest_defect: f64,
    /// Root mean square of the same over the steps.
    pub mean_defect: f64,
    /// Energy that the approximation has brought in, J; `None` for one that carries none.
    pub energy_residual: Option<f64>,
    /// The same without regard to its sign: sum over the steps, J.
    pub energy_scatter: f64,
    /// Energy that went through, in either direction, J.
    pub energy_through: f64,
    /// Attempted steps that this connection limited.
    pub limited: u64,
}

/// The account of one subsystem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemberAccount {
    /// Name.
    pub name: String,
    /// Micro steps of the run that counts.
    pub micro_steps: u64,
    /// Seconds spent in it, both runs together.
    pub seconds: f64,
    /// Attempted macro steps whose error it ruled.
    pub limited: u64,
    /// The entry that did so most often, in words.
    pub limiter: Option<String>,
}

/// The result of a co-simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How it ended.
    pub ending: Ending,
    /// The last time reached.
    pub t: f64,
    /// What is known about its error.
    pub guarantee: Guarantee,
    /// Every attempted macro step since the start or the tape.
    pub steps: Vec<MacroStep>,
    /// Accepted macro steps.
    pub accepted: u64,
    /// Macro steps repeated because of their error.
    pub rejected: u64,
    /// Macro steps repeated because a subsystem could not go on.
    pub failed: u64,
    /// Accepted steps with an error above what a step may use, which happens where nothing can be
    /// repeated and with constant steps.
    pub exceeded: u64,
    /// Sum of the estimated errors of the accepted steps, in tolerances: what the error of the result
    /// would be if all of them pointed the same way, and the motion neither damped nor amplified
    /// them.
    pub accumulated: f64,
    /// Largest error of an accepted step over what a step may use of the tolerance.
    pub largest_error: f64,
    /// Time events.
    pub events: u64,
    /// The connections.
    pub connections: Vec<ConnectionAccount>,
    /// The subsystems.
    pub members: Vec<MemberAccount>,
}

impl Report {
    /// A report of nothing yet.
    pub(super) fn empty() -> Report {
        Report {
            ending: Ending::Finished,
            t: 0.0,
            guarantee: Guarantee::Estimated,
            steps: Vec::new(),
            accepted: 0,
            rejected: 0,
            failed: 0,
            exceeded: 0,
            accumulated: 0.0,
            largest_error: 0.0,
            events: 0,
            connections: Vec::new(),
            members: Vec::new(),
        }
    }
}
