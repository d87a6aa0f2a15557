//! `linkwork sweep`.

use super::{Given, ModelArgs, OfSweep};
use clap::Args;
use linkwork::Options;
use std::path::PathBuf;

const SWEEP_EXAMPLES: &str = "\
Examples:
  linkwork sweep suspension --vary main_spring.stiffness=3e4..5e4:9
  linkwork sweep suspension --vary tyre.stiffness=1e5,2e5 --vary tyre.damping=99..999:9 --out grid
  linkwork sweep suspension --vary tyre.stiffness=1e5,2e5 --keep 'max(chassis.y)' --out two
  linkwork sweep suspension --samples 50 --seed 7 --vary tyre.damping=normal:150,5 --out random
  linkwork sweep suspension --table points.csv --out table    paths in its first line, then points

Every point is a run of its own with its verdict; one that fails does not stop the rest. Outcomes are
written as they come: DIR/log.csv, and DIR/sweep.csv in the order of the points once all are there. A
sweep that was interrupted goes on where it was when it is started again; results do not depend on the
number of threads. What is kept is the last value of a channel, or first(), max(), min(), peak(),
mean() or rms() of it; the rows that these look at are those of --outputs.

Exit codes: 0 all converged, 1 some did not or the sweep was stopped, 2 bad input.";

/// `linkwork sweep`.
#[derive(Debug, Args)]
#[command(after_help = SWEEP_EXAMPLES, allow_negative_numbers = true)]
pub struct SweepArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// What to vary: `PATH=FROM..TO:COUNT`, `PATH=log:FROM..TO:COUNT` or `PATH=VALUE,VALUE`; several make a grid
    #[arg(long, value_name = "PATH=RANGE", help_heading = "Points")]
    pub vary: Vec<String>,

    /// Draw so many random points from `PATH=FROM..TO`, `log:FROM..TO` or `normal:MEAN,DEVIATION`
    #[arg(long, value_name = "N", help_heading = "Points")]
    pub samples: Option<usize>,

    /// Which random points; the same number gives the same ones
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Points")]
    pub seed: u64,

    /// Take the points from a csv file
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["vary", "samples"], help_heading = "Points")]
    pub table: Option<PathBuf>,

    /// What to keep of each run: `rod.angle`, `max(rod.angle)`; may be repeated (default: all channels at the end)
    #[arg(long, value_name = "OUTPUT", help_heading = "Results")]
    pub keep: Vec<String>,

    /// Points that are computed at the same time (default: one for each core)
    #[arg(long, value_name = "N", help_heading = "Points")]
    pub threads: Option<usize>,

    /// Directory for results (default: out/MODEL_sweep)
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,

    /// Print one JSON object instead of the summary
    #[arg(long, help_heading = "Results")]
    pub json: bool,

    /// Print no summary and no progress; errors only
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,

    #[command(flatten)]
    pub given: Given<OfSweep>,
}

impl SweepArgs {
    /// The options given on the command line.
    pub fn options(&self) -> Options {
        self.given.0.clone().or(self.model.options())
    }
}
