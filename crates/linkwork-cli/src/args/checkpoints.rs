//! Saving a run and going on with it.

use super::time::seconds;
use clap::Args;
use linkwork::options::Checkpoints;
use std::path::PathBuf;

/// Files of saved runs.
#[derive(Debug, Args)]
pub struct CheckpointArgs {
    /// Save the run to this file at its end, also when it fails or is interrupted
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub checkpoint: Option<PathBuf>,

    /// Save it also after every N accepted steps
    #[arg(long, value_name = "N", help_heading = "Checkpoints")]
    pub checkpoint_steps: Option<u64>,

    /// Save it also after every S seconds of simulated time
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Checkpoints")]
    pub checkpoint_interval: Option<f64>,

    /// Go on with a saved run of the same model and options; t-end and outputs may differ. The table
    /// begins after the saved state
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub restart: Option<PathBuf>,
}

impl CheckpointArgs {
    /// The options given on the command line.
    pub fn options(&self) -> Checkpoints {
        Checkpoints {
            checkpoint: self.checkpoint.clone(),
            checkpoint_steps: self.checkpoint_steps,
            checkpoint_interval: self.checkpoint_interval,
            restart: self.restart.clone(),
        }
    }
}
