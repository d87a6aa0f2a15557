//! The command line as types. Names that can be chosen come from the registries.

mod analyses;
mod catalogue;
mod cosim;
mod model;
mod names;
mod options;
mod results;
mod robot;
mod run;
mod shell;
mod study;
mod view;

pub use analyses::{CheckArgs, EquilibriumArgs, KinematicsArgs, ModesArgs};
pub use catalogue::{ListArgs, ReproduceArgs, What};
pub use cosim::CosimArgs;
pub use model::ModelArgs;
pub use options::{Given, OfCosim, OfModel, OfMotion, OfRun, OfTime};
pub use results::ResultArgs;
pub use robot::{ImportArgs, RobotArgs};
pub use run::RunArgs;
pub use shell::{CompletionsArgs, ManualArgs};
pub use study::StudyArgs;
pub use view::{PlotArgs, ViewArgs};

use clap::builder::Styles;
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  linkwork list models                               what there is to try
  linkwork run squeezer                              a built-in model
  linkwork run models/squeezer.toml --format csv     your own file; results in out/squeezer/
  linkwork view squeezer                             see it move, in the browser
  linkwork check models/door.toml                    is the model sound? runs nothing
  linkwork equilibrium suspension                    where does it come to rest?
  linkwork modes suspension --at equilibrium         how does it vibrate there?
  linkwork kinematics slider_crank                   what do the drives demand?
  linkwork study slider_crank                        which method and tolerance suit it best?
  linkwork cosim two_mass                            several models side by side
  linkwork run arm.urdf --joint elbow=30deg          a robot; what of the file is not used is told
  linkwork reproduce                                 published tables and figures, computed again

Exit codes: 0 converged, 1 degraded or failed (partial results are kept), 2 bad input or usage.";

/// Simulates mechanisms: rigid bodies, joints and forces, described in a text file.
#[derive(Debug, Parser)]
#[command(name = "linkwork", version, after_help = EXAMPLES, styles = Styles::plain())]
#[command(max_term_width = 100, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a model and judge the result
    Run(Box<RunArgs>),
    /// Look at a model without running it: degrees of freedom, redundancy, start pose, assembly
    Check(CheckArgs),
    /// Compute a motion that drives determine completely, with reactions: inverse dynamics
    Kinematics(KinematicsArgs),
    /// Find the pose in which all forces balance
    Equilibrium(EquilibriumArgs),
    /// Find natural frequencies, damping and mode shapes
    Modes(ModesArgs),
    /// Turn a robot (URDF) into model text and say what of it is used
    Import(ImportArgs),
    /// List what can be named: models, methods, joints, ...
    List(ListArgs),
    /// Simulate several models side by side, connected at macro points, with an error estimate
    Cosim(Box<CosimArgs>),
    /// Show a model or results in the browser: one page that works from disk
    View(ViewArgs),
    /// Draw channels of results over time as SVG
    Plot(PlotArgs),
    /// Find the method, formulation, coordinates and tolerance that reach an accuracy at the least cost
    Study(Box<StudyArgs>),
    /// Print what a shell needs to complete commands
    Completions(CompletionsArgs),
    /// Write manual pages
    Manual(ManualArgs),
    /// Compute published tables and figures again: paper beside measured
    Reproduce(ReproduceArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    /// `run` and `cosim` share options; each says them in its own words.
    #[test]
    fn shared_options_are_worded_for_their_command() {
        let help = |command: &str, option: &str| {
            let all = Arguments::command();
            let command = all.find_subcommand(command).expect("it exists");
            let mut options = command.get_arguments();
            let option = options.find(|a| a.get_long() == Some(option));
            let help = option.and_then(|o| o.get_help()).expect("it is explained");
            help.to_string()
        };
        for option in ["step", "first-step", "max-step", "max-steps"] {
            assert!(help("cosim", option).contains("macro step"), "{option}");
            assert!(!help("run", option).contains("macro step"), "{option}");
        }
        assert!(help("cosim", "out").contains("out/SYSTEM"));
        assert!(help("run", "out").contains("out/MODEL"));
        assert!(help("cosim", "restart").contains("same system"));
    }
}
