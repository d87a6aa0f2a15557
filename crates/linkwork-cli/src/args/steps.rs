//! How long steps may be, of a run and of a co-simulation.

use super::time::seconds;
use clap::Args;
use linkwork::options::Steps;

/// How long steps may be.
#[derive(Debug, Args)]
pub struct StepArgs {
    /// Fixed step, s; switches error control off
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Accuracy")]
    pub step: Option<f64>,

    /// First step, s (default: from the first accelerations)
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Accuracy")]
    pub first_step: Option<f64>,

    /// Longest step, s
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Accuracy")]
    pub max_step: Option<f64>,

    /// Attempted steps before the run is given up
    #[arg(long, value_name = "N", help_heading = "Accuracy")]
    pub max_steps: Option<u64>,
}

impl StepArgs {
    /// The options given on the command line.
    pub fn options(&self) -> Steps {
        Steps {
            step: self.step,
            first_step: self.first_step,
            max_step: self.max_step,
            max_steps: self.max_steps,
        }
    }
}
