//! The commands that look at a model in other ways than by simulating it.

use super::names::choice;
use super::{Given, ModelArgs, OfMotion, OfTime, ResultArgs};
use clap::Args;
use clap::builder::PossibleValuesParser;
use linkwork::modes::Point;
use linkwork::options::Choice;
use std::path::PathBuf;

const CHECK_EXAMPLES: &str = "\
Examples:
  linkwork check squeezer
  linkwork check models/door.toml --set leaf.mass=40
  linkwork check models/door.toml --json             one JSON object: dof, redundant, lint, ...

Lint looks at the numbers of a model: masses, inertias, units, springs. Hints are only told; warnings
and errors are findings. `linkwork list lints` says what is looked for.

Exit codes: 0 nothing found, 1 findings (redundant equations, singular pose, does not assemble, lint),
2 bad input.";

const KINEMATICS_EXAMPLES: &str = "\
Positions, velocities, accelerations and reactions follow from the constraints alone when drives take
every degree of freedom: nothing is integrated, every point is exact to rounding. Reactions include
the force or torque that each drive needs (inverse dynamics). The motion stops where the mechanism
locks, and what locks is named; singular poses that it passes are reported.

Examples:
  linkwork kinematics slider_crank                    summary on the terminal, no files
  linkwork kinematics slider_crank --format csv       tables in out/slider_crank/
  linkwork kinematics slider_crank --outputs 1000 --t-end 0.5 --json

Units are SI: m, rad, s, N, N m; channels.csv names the unit of every column.

Exit codes: 0 computed, 1 doubts (singular poses, reactions that are not unique) or stopped early
(what was reached is kept), 2 bad input, among them a model with degrees of freedom left.";

const EQUILIBRIUM_EXAMPLES: &str = "\
Forces balance at rest: velocities are zero, drives stand where they are at the start time, controls
are at rest. The search starts at the model's start and goes downhill, so it ends in the equilibrium
that the mechanism would settle to with enough friction. Reactions and spring forces are those of the
balance. Directions that nothing holds are named, and so is an equilibrium that is unstable.

Examples:
  linkwork equilibrium suspension                     pose and forces on the terminal
  linkwork equilibrium suspension --out rest          rest/equilibrium.csv and .json
  linkwork equilibrium suspension --write rest.toml   the model with the balance as its start
  linkwork equilibrium suspension --set tyre.stiffness=150kN/m --json

Units are SI: m, rad, N, N m.

Exit codes: 0 stable balance, 1 unstable or unsupported, reactions that are not unique, or none found,
2 bad input.";

const MODES_EXAMPLES: &str = "\
The model is linearised about a state and its constraints are eliminated, those of rolling and the
states of controls included. Printed are frequencies (Hz), damping (share of critical: 0 undamped,
1 aperiodic, negative growing) and what moves: the share of each body in the kinetic energy, in the
mean over a period, which is the same in all coordinates. Free motions have frequency 0; motions of
equal frequency are told apart by drift, translation and body. Shapes are scaled so that their largest entry is 1 (in m or rad, relative to the size of
the mechanism for lengths).

Examples:
  linkwork modes suspension --at equilibrium          vibrations about the balance
  linkwork modes servo --at end                       about the end of a simulation
  linkwork modes suspension --at equilibrium --out m    tables of modes, shapes and shares in m/

Exit codes: 0 computed (also when modes grow), 1 doubts or no modes, 2 bad input.";

/// `linkwork check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// Write one HTML page that shows the result in any browser
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    /// Print one JSON object instead of the report
    #[arg(long)]
    pub json: bool,

    /// Show the iteration matrix: entries, column groups, fill of its factors
    #[arg(long)]
    pub jacobian: bool,

    /// Draw the iteration matrix, columns coloured by group
    #[arg(long, value_name = "FILE.svg")]
    pub jacobian_svg: Option<PathBuf>,
}

/// `linkwork kinematics`.
#[derive(Debug, Args)]
#[command(after_help = KINEMATICS_EXAMPLES, allow_negative_numbers = true)]
#[command(mut_arg("quiet", |arg| arg.help("Print no summary; errors only")))]
pub struct KinematicsArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    #[command(flatten)]
    pub given: Given<OfMotion>,

    #[command(flatten)]
    pub results: ResultArgs,
}

/// `linkwork equilibrium`.
#[derive(Debug, Args)]
#[command(after_help = EQUILIBRIUM_EXAMPLES)]
pub struct EquilibriumArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// Directory for results: all values with their units, and the outcome
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,

    /// Write the model with the equilibrium as its start to this file
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub write: Option<PathBuf>,

    /// Write one HTML page that shows the result in any browser
    #[arg(long, value_name = "FILE.html", help_heading = "Results")]
    pub report: Option<PathBuf>,

    /// Print one JSON object instead of the summary
    #[arg(long, help_heading = "Results")]
    pub json: bool,

    /// Print no summary; errors only
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

/// `linkwork modes`.
#[derive(Debug, Args)]
#[command(after_help = MODES_EXAMPLES, allow_negative_numbers = true)]
pub struct ModesArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// The state to linearise about
    #[arg(long, default_value = "start", value_parser = points(), help_heading = "State")]
    pub at: String,

    #[command(flatten)]
    pub given: Given<OfTime>,

    /// Directory for results: modes, shapes, and the outcome
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,

    /// Write one HTML page that shows the result in any browser
    #[arg(long, value_name = "FILE.html", help_heading = "Results")]
    pub report: Option<PathBuf>,

    /// Print one JSON object instead of the table
    #[arg(long, help_heading = "Results")]
    pub json: bool,

    /// Print no table; errors only
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

impl ModesArgs {
    /// The state asked for.
    pub fn point(&self) -> Point {
        let found = Point::ALL.iter().find(|(word, _)| *word == self.at);
        found.map_or(Point::Start, |(_, point)| *point)
    }
}

fn points() -> PossibleValuesParser {
    choice(Point::ALL.into_iter().map(|(name, point)| Choice {
        name,
        summary: match point {
            Point::Start => "the assembled start",
            Point::Equilibrium => "the static equilibrium that the start settles to",
            Point::End => "the end of a simulation",
        },
    }))
}
