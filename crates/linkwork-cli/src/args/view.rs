//! `linkwork view` and `linkwork plot`.

use super::{Given, ModelArgs, OfRun};
use clap::Args;
use linkwork::Options;
use std::path::PathBuf;

const VIEW_EXAMPLES: &str = "\
Examples:
  linkwork view squeezer                        simulates and shows: squeezer.html
  linkwork view my.toml --out my.html           your own file
  linkwork view lorry                           a co-simulation
  linkwork run squeezer --format csv            keeps results in out/squeezer/; then
  linkwork view out/squeezer                    shows them without simulating again

The page is one file: it needs no server and no network, and can be sent by mail. It opens by itself
where there is a display. `run`, `cosim`, `modes`, `equilibrium`, `kinematics` and `check` write the
same page with --report FILE.html.";

const PLOT_EXAMPLES: &str = "\
Examples:
  linkwork run squeezer --format csv
  linkwork plot out/squeezer crank.angle.velocity --out speed.svg
  linkwork plot out/squeezer joint_o.reaction.x joint_o.reaction.y --out bearing.svg --from 0.01

All channels of a drawing have the same unit. Events of the run are marked. `channels.csv` in the
directory names all channels; a name that is not there is answered with the nearest.";

/// `linkwork view`.
#[derive(Debug, Args)]
#[command(after_help = VIEW_EXAMPLES, allow_negative_numbers = true)]
#[command(mut_arg("model", |arg| arg.help(
    "A model file, robot or system, the name of a built-in one, or a directory of results"
)))]
pub struct ViewArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// The page (default: NAME.html)
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,

    /// Write the page, do not open it
    #[arg(long)]
    pub no_open: bool,

    #[command(flatten)]
    pub given: Given<OfRun>,
}

impl ViewArgs {
    /// The options given on the command line.
    pub fn options(&self) -> Options {
        self.given.0.clone().or(self.model.options())
    }
}

/// `linkwork plot`.
#[derive(Debug, Args)]
#[command(after_help = PLOT_EXAMPLES, allow_negative_numbers = true)]
pub struct PlotArgs {
    /// A directory of results, or a csv, npz or parquet file in one
    pub results: PathBuf,

    /// Names of channels
    #[arg(required = true)]
    pub channels: Vec<String>,

    /// The drawing
    #[arg(long, value_name = "FILE.svg")]
    pub out: PathBuf,

    /// Title (default: the model)
    #[arg(long)]
    pub title: Option<String>,

    /// Begin of the time axis, s
    #[arg(long, value_name = "S")]
    pub from: Option<f64>,

    /// End of the time axis, s
    #[arg(long, value_name = "S")]
    pub to: Option<f64>,

    /// Logarithmic vertical axis
    #[arg(long)]
    pub log: bool,
}
