//! How a run ends, and why it could not go on.

use crate::drive::observer::{ObserverError, OwnError};
use crate::initial::Undetermined;
use crate::log::Attempt;
use crate::modes::Overlap;
use crate::saddle::SaddleError;

/// Why a run could not go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// The step has become too small to advance time.
    StepTooSmall {
        /// The step.
        h: f64,
    },
    /// Steps are so short beside the time that is left that no number of them reaches the end.
    OutOfReach {
        /// The step.
        h: f64,
    },
    /// One step was tried too often.
    TooManyRetries {
        /// How often.
        retries: u32,
    },
    /// Steps of every length met a matrix without a usable inverse: the mechanism is in a pose
    /// where constraints depend on each other.
    Singular {
        /// How many were tried.
        attempts: usize,
    },
    /// The attempts of the plan are used up.
    OutOfAttempts {
        /// How many there were.
        attempts: u64,
    },
    /// Accelerations and reactions could not be computed for output.
    Output(SaddleError),
    /// What events ask for contradicts the equations: behind them accelerations and reactions are undetermined,
    /// whichever method has led up to them.
    Event {
        /// Names of the switches that crossed; none at an instant of the clock.
        switches: Vec<String>,
        /// What is undetermined.
        why: SaddleError,
    },
    /// An observer has failed.
    Observer(OwnError),
    /// Switches cross again and again without time going on.
    Chatter {
        /// Their names.
        switches: Vec<String>,
        /// How many events in a row.
        events: u32,
    },
    /// Jumps follow each other ever faster up to a time, and what causes them does not end them.
    PilesUp {
        /// The name of the switch that crosses at each of them.
        switch: String,
        /// The time.
        end: f64,
    },
    /// The start is beyond a stop, a rope or a contact.
    Overlap(Overlap),
    /// Algebraic states have no value after a jump of the inputs.
    Restart(Undetermined),
}

impl From<ObserverError> for Cause {
    fn from(error: ObserverError) -> Cause {
        match error {
            ObserverError::Motion(e) => Cause::Output(e),
            ObserverError::Own(e) => Cause::Observer(e),
        }
    }
}

/// A run that could not go on, with what is needed to explain it.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The last time reached.
    pub t: f64,
    /// Why.
    pub cause: Cause,
    /// The last attempts, oldest first.
    pub recent: Vec<Attempt>,
}

/// How a run ended. Everything computed until then is with the observer.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The end time was reached.
    Finished,
    /// The observer asked to stop.
    Stopped,
    /// It could not go on.
    Failed(Failure),
}
