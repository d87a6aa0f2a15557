//! The commands that look something up: what there is to name, and studies of papers.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

const LIST_EXAMPLES: &str = "\
Examples:
  linkwork list models                               names that run and check understand
  linkwork list joints                               kinds of joints
  linkwork list joints --json                        with their keys, units and defaults";

const REPRODUCE_EXAMPLES: &str = "\
Examples:
  linkwork reproduce                                 which studies there are
  linkwork reproduce ren-zhou-table6                 the table; figures in out/reproduce/ren-zhou-table6/
  linkwork reproduce ren-zhou-table6 --json          one JSON object

Exit codes: 0 computed, 1 a run of the study failed, 2 bad input.";

/// `linkwork list`.
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
pub struct ListArgs {
    /// What to list; without it, what there is to list
    pub what: Option<What>,

    /// Print a JSON array of objects with `name`, `summary` and, for parts of models, `keys`
    #[arg(long)]
    pub json: bool,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Models that come with the program
    Models,
    /// Coupled systems that come with the program
    Systems,
    /// Benchmark problems that come with the program
    Problems,
    /// Time discretisations
    Methods,
    /// Options of a run
    Options,
    /// Equations that can be solved
    Formulations,
    /// Sources of derivatives
    Jacobians,
    /// When derivatives are renewed
    Renewals,
    /// Linear solvers
    Linear,
    /// Kinds of bodies
    Bodies,
    /// Kinds of joints
    Joints,
    /// Kinds of forces
    Forces,
    /// What can lie between the parts of a coupled system
    Elements,
    /// Kinds of sensors
    Sensors,
    /// Kinds of controls
    Controls,
    /// What can be done where something becomes true
    Events,
    /// Kinds of shapes, which bodies look like
    Shapes,
    /// Kinds of cross-sections of beams
    Sections,
    /// Tables of model text that have no kinds: the head of a model, markers, materials, beams
    Tables,
    /// Units that can be written behind a number, alone or as products, powers and quotients: `4.53 N/mm`
    Units,
    /// What `check` looks for in the numbers of a model
    Lints,
    /// File formats of tables
    Formats,
    /// Formats of other programs whose models can be run
    Importers,
}

/// `linkwork reproduce`.
#[derive(Debug, Args)]
#[command(after_help = REPRODUCE_EXAMPLES)]
pub struct ReproduceArgs {
    /// The study; without it all are listed
    pub id: Option<String>,

    /// Directory for tables and figures (default out/reproduce/ID)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Print one JSON object instead of the table
    #[arg(long)]
    pub json: bool,

    /// Print no table; errors only
    #[arg(long, short)]
    pub quiet: bool,
}
