//! `linkwork run`.

use super::{Given, ModelArgs, OfRun, ResultArgs};
use clap::Args;
use linkwork::Options;

const RUN_EXAMPLES: &str = "\
Examples:
  linkwork run squeezer                              summary on the terminal, no files
  linkwork run squeezer --format csv,npz             tables in out/squeezer/
  linkwork run squeezer --out results --rtol 1e-8    tables in results/, tighter
  linkwork run squeezer --verify                     computed twice, with the measured error
  linkwork run squeezer --set crank.mass=50g         change one value of the model
  linkwork run squeezer --method gen-alpha           another integrator
  linkwork run andrews --json                        a benchmark problem, one JSON object
  linkwork run squeezer --checkpoint half.ckpt       save the run; then go on for longer with
  linkwork run squeezer --restart half.ckpt --t-end 0.06

Every option of integration, accuracy, time and checkpoints can be written into the [simulation]
table of the model (--max-order is max_order there); the command line wins. Ctrl-C stops a run and keeps what it has.";

/// `linkwork run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES, allow_negative_numbers = true)]
pub struct RunArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub given: Given<OfRun>,

    /// Compute the motion once more by an independent way (another method of its kind, other coordinates, a tenth of the
    /// tolerance, a quarter for implicit methods) and tell how far the two agree; at most 2.5 times the work: where that
    /// does not do, the run's own way at ten times the tolerance tells, or that nothing is verified is a doubt
    #[arg(long, help_heading = "Accuracy")]
    pub verify: bool,

    /// Take the motion as one run gives it. Otherwise a run at ten times the tolerance tells
    /// how far the end is off; a tighter one takes its place where that may be more than 100 tolerances, for at most five
    /// times the work in all, unless method and tolerance are both named or a checkpoint is written; an end that may still
    /// be off by as much is a doubt
    #[arg(long, help_heading = "Accuracy", conflicts_with = "verify")]
    pub once: bool,

    #[command(flatten)]
    pub results: ResultArgs,
}

impl RunArgs {
    /// The options given on the command line.
    pub fn options(&self) -> Options {
        self.given.0.clone().or(self.model.options())
    }
}
