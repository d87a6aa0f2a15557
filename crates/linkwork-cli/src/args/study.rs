//! `linkwork study`.

use super::names::choice;
use super::{Given, ModelArgs, OfTime};
use clap::Args;
use linkwork::Options;
use linkwork::dae::formulation::FORMULATIONS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::options::Choice;
use std::path::PathBuf;
use std::time::Duration;

const STUDY_EXAMPLES: &str = "\
A study runs a model by every method, in every formulation and in both coordinates, at tolerances from
1e-3 to 1e-9, and measures errors against two tight runs of different families, of which each setting is
judged by one that is not of its own family. It prints the cheapest setting for 3, 5 and 7 digits with the
lines to put into [simulation], and what every run has reached and cost.

An error is the largest over the motion, relative to how far a channel moves. Work is counted, not timed:
evaluations, derivatives, factorisations and solves, each with its price in instructions, so that a study
says the same on any machine; times are for information. Runs that cost more than 20 times what bdf costs
at the same tolerance are given up. A run marked ! said \"converged\" with an error above 100 tolerances.

Examples:
  linkwork study squeezer                             table, diagram and csv in out/study/squeezer/
  linkwork study slider_crank --channels rod.angle    one channel instead of the whole motion
  linkwork study pendulum --methods bdf,gen-alpha --digits 4,6
  linkwork study four_bar --tolerances 1e-3,1e-5,1e-7 --json

Exit codes: 0 done, 1 the tight runs do not agree or time was up (what was found is told), 2 bad input.";

/// `linkwork study`.
#[derive(Debug, Args)]
#[command(after_help = STUDY_EXAMPLES, allow_negative_numbers = true)]
pub struct StudyArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub given: Given<OfTime>,

    /// Methods, separated by commas (default: all)
    #[arg(long, value_delimiter = ',', value_name = "NAME", help_heading = "Study",
          value_parser = choice(STEPPERS.iter().map(|e| Choice {
              name: e.name, summary: e.summary })))]
    pub methods: Vec<String>,

    /// Formulations, separated by commas (default: all that a method runs with)
    #[arg(long, value_delimiter = ',', value_name = "NAME", help_heading = "Study",
          value_parser = choice(FORMULATIONS.iter().map(|e| Choice {
              name: e.name, summary: e.summary })))]
    pub formulations: Vec<String>,

    /// Relative tolerances, separated by commas (default: 1e-3 to 1e-9)
    #[arg(long, value_delimiter = ',', value_name = "N", help_heading = "Study", value_parser = tolerance)]
    pub tolerances: Vec<f64>,

    /// Channels to judge one by one, separated by commas (default: all positions and angles together)
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NAME",
        help_heading = "Study"
    )]
    pub channels: Vec<String>,

    /// Wanted digits, separated by commas (default: 3,5,7)
    #[arg(long, value_delimiter = ',', value_name = "N", help_heading = "Study", value_parser = digits)]
    pub digits: Vec<f64>,

    /// Time that the whole may take, s
    #[arg(long, value_name = "S", default_value = "600", help_heading = "Study", value_parser = limit)]
    pub limit: Duration,

    /// Threads (default: as many as there are processors); results are the same for any number
    #[arg(long, value_name = "N", help_heading = "Study",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    /// Directory for table and diagrams (default: out/study/MODEL)
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,

    /// Print one JSON object instead of the table
    #[arg(long, help_heading = "Results")]
    pub json: bool,

    /// Print no table and no progress; errors only
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

impl StudyArgs {
    /// The options given on the command line.
    pub fn options(&self) -> Options {
        self.given.0.clone().or(self.model.options())
    }
}

fn number(text: &str, fits: impl Fn(f64) -> bool, words: &str) -> Result<f64, String> {
    let found = text.trim().parse().ok().filter(|x| fits(*x));
    found.ok_or_else(|| format!("it must be {words}"))
}

fn tolerance(text: &str) -> Result<f64, String> {
    let fits = |x| (1e-13..=0.1).contains(&x);
    number(text, fits, "a number between 1e-13 and 0.1")
}

fn digits(text: &str) -> Result<f64, String> {
    let fits = |x| (0.5..=15.0).contains(&x);
    number(text, fits, "a number between 0.5 and 15")
}

fn limit(text: &str) -> Result<Duration, String> {
    let seconds = number(text, |x| x > 0.0 && x < 1e9, "a time in seconds")?;
    Ok(Duration::from_secs_f64(seconds))
}
