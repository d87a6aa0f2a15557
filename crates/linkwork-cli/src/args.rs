//! The command line as types. Names that can be chosen come from the registries.

mod analyses;
mod robot;

pub use analyses::{EquilibriumArgs, KinematicsArgs, ModesArgs};
pub use robot::{ImportArgs, RobotArgs};

use clap::builder::{PossibleValue, PossibleValuesParser, Styles, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use linkwork::coordinates::{COORDINATES, FORMALISMS};
use linkwork::cosim::CosimOptions;
use linkwork::cosim::options::APPROACHES;
use linkwork::dae::control::CONTROLLERS;
use linkwork::dae::formulation::FORMULATIONS;
use linkwork::dae::jacobian::JACOBIANS;
use linkwork::dae::linear::LINEAR_SOLVERS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::options::{Checkpoints, Coordinates, Options, Outputs, Scheme, Steps, Tolerance};
use linkwork::settings::{AUTO, ERROR_CONSTANTS, ERROR_ESTIMATES, SCALINGS, names};
use linkwork::table::FORMATS;
use std::path::PathBuf;

/// What `auto` does, for lists.
pub const AUTO_SUMMARY: &str = "chosen from a few trial steps and the modes of the model";

const EXAMPLES: &str = "\
Examples:
  linkwork list models                               what there is to try
  linkwork run squeezer                              a built-in model
  linkwork run models/squeezer.toml --format csv     your own file; results in out/squeezer/
  linkwork check models/door.toml                    is the model sound? runs nothing
  linkwork equilibrium suspension                    where does it come to rest?
  linkwork modes suspension --at equilibrium         how does it vibrate there?
  linkwork kinematics slider_crank                   what do the drives demand?
  linkwork cosim two_mass                            several models side by side
  linkwork run arm.urdf --joint elbow=30deg          a robot; what of the file is not used is told
  linkwork reproduce                                 published tables and figures, computed again

Exit codes: 0 converged, 1 degraded or failed (partial results are kept), 2 bad input or usage.";

const RUN_EXAMPLES: &str = "\
Examples:
  linkwork run squeezer                              summary on the terminal, no files
  linkwork run squeezer --format csv,npz             tables in out/squeezer/
  linkwork run squeezer --out results --rtol 1e-8    tables in results/, tighter
  linkwork run squeezer --set crank.mass=50g         change one value of the model
  linkwork run squeezer --method gen-alpha           another integrator
  linkwork run andrews --json                        a benchmark problem, one JSON object
  linkwork run squeezer --checkpoint half.ckpt       save the run; then go on for longer with
  linkwork run squeezer --restart half.ckpt --t-end 0.06

Every option of integration, accuracy, time and checkpoints can be written into the [simulation]
table of the model (--max-order is max_order there); the command line wins. Ctrl-C stops a run and keeps what it has.";

const COSIM_EXAMPLES: &str = r#"Examples:
  linkwork cosim two_mass                            a built-in system, summary on the terminal
  linkwork cosim models/cosim/lorry.toml --format csv     your own file; results in out/lorry/
  linkwork cosim chain --threads 2 --rtol 1e-6       two threads, the same bits as one
  linkwork cosim lorry --set front.wheel.mass=80     change a value of a subsystem
  linkwork cosim lorry --checkpoint half.ckpt        save the run; then go on for longer with
  linkwork cosim lorry --restart half.ckpt --t-end 4

A system file names models and what lies between them:

  [[subsystem]]                  [[element]]                    [[signal]]
  name = "left"                  name = "spring"                name = "measured"
  model = "left_mass.toml"       kind = "spring_damper"         from = "left.mass.x"
                                 port_a = "left.end"            to = "right.target"
  [[subsystem]]                  port_b = "right.end"
  name = "right"                 stiffness = "4 kN/m"           [simulation]
  model = "right_mass.toml"      damping = "30 N s/m"           t_end = 10

Ports are point sensors of the models. Signals go from any coordinate, sensor or control to a
control of kind "input". `linkwork list elements` shows what can lie between ports.

Every option of coupling, accuracy and checkpoints can be written into the [simulation] table of
the system (--max-step is max_step there); the command line wins. Ctrl-C stops a run and keeps what
it has.

Exit codes: 0 converged, 1 degraded or failed (partial results are kept), 2 bad input."#;

const CHECK_EXAMPLES: &str = "\
Examples:
  linkwork check squeezer
  linkwork check models/door.toml --set leaf.mass=40
  linkwork check models/door.toml --json             one JSON object: dof, redundant, lint, ...

Lint looks at the numbers of a model: masses, inertias, units, springs. Hints are only told; warnings
and errors are findings. `linkwork list lints` says what is looked for.

Exit codes: 0 nothing found, 1 findings (redundant equations, singular pose, does not assemble, lint),
2 bad input.";

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
    /// Compute published tables and figures again: paper beside measured
    Reproduce(ReproduceArgs),
}

/// Which model, with which changes.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// A model file or robot (URDF), or the name of a built-in model or problem (`linkwork list models`)
    pub model: String,

    /// Change one value: `crank.mass=50g`, `model.gravity=[0,0]`; for problems a parameter: `n=40`.
    /// May be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "Model")]
    pub set: Vec<String>,

    /// Unknowns (default absolute): of every body, or of the joints of a spanning tree
    #[arg(long, value_parser = PossibleValuesParser::new(COORDINATES), help_heading = "Model")]
    pub coordinates: Option<String>,

    /// With joint coordinates: joints that stay equations, separated by commas
    #[arg(
        long,
        value_name = "JOINT",
        value_delimiter = ',',
        help_heading = "Model"
    )]
    pub cut: Vec<String>,

    /// With joint coordinates: equations as they stand (default), or solved for the accelerations
    #[arg(long, value_parser = PossibleValuesParser::new(FORMALISMS), help_heading = "Model")]
    pub formalism: Option<String>,

    #[command(flatten)]
    pub robot: RobotArgs,
}

impl ModelArgs {
    /// The coordinates asked for.
    pub fn coordinates(&self) -> Coordinates {
        Coordinates {
            coordinates: self.coordinates.clone(),
            cut: (!self.cut.is_empty()).then(|| self.cut.clone()),
            formalism: self.formalism.clone(),
        }
    }
}

/// `linkwork run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES, allow_negative_numbers = true)]
pub struct RunArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// End time, s
    #[arg(long, value_name = "S", help_heading = "Integration")]
    pub t_end: Option<f64>,

    /// Time discretisation (default bdf); `auto` looks at the model, chooses and says why
    #[arg(long, value_parser = methods(), help_heading = "Integration")]
    pub method: Option<String>,

    /// Equations solved (default: the first that the method lists, see `linkwork list methods`)
    #[arg(long, value_parser = formulations(), help_heading = "Integration")]
    pub formulation: Option<String>,

    /// Where derivatives come from (default auto: exact-priced where the model has exact derivatives,
    /// else extended). Excitations of extended are inputs of forces that are formulas of time alone, in
    /// joint coordinates also driven joints, and what a system declares
    #[arg(long, value_parser = jacobians(), help_heading = "Integration")]
    pub jacobian: Option<String>,

    /// Linear solver (default sparse)
    #[arg(long, value_parser = solvers(), help_heading = "Integration")]
    pub linear: Option<String>,

    /// Highest order of a BDF method, 1 to 5
    #[arg(long, value_name = "K", help_heading = "Integration")]
    pub max_order: Option<usize>,

    /// Spectral radius of gen-alpha at infinity, 0 to 1 (default 0.6)
    #[arg(long, help_heading = "Integration")]
    pub rho: Option<f64>,

    /// Damping of hht, 0 to 1/3 (default 0.3)
    #[arg(long, help_heading = "Integration")]
    pub alpha: Option<f64>,

    /// Error estimate of gen-alpha, hht and newmark: its leading term (default), or ten times more careful
    #[arg(long, value_parser = PossibleValuesParser::new(names(ERROR_CONSTANTS)), help_heading = "Integration")]
    pub error_constant: Option<String>,

    /// Error estimate of rosenbrock and w: plain (default), or damped in stiff directions
    #[arg(long, value_parser = PossibleValuesParser::new(names(ERROR_ESTIMATES)), help_heading = "Integration")]
    pub error_estimate: Option<String>,

    /// How a BDF method chooses step and order (default order)
    #[arg(long, value_parser = order_control_names(), help_heading = "Integration")]
    pub order_control: Option<String>,

    /// Scaling of the index3 equations (default both; the others are there to measure rounding)
    #[arg(long, value_parser = PossibleValuesParser::new(names(SCALINGS)), help_heading = "Integration")]
    pub scaling: Option<String>,

    /// Relative tolerance (default 1e-4; 1e-5 for methods of order 2)
    #[arg(long, help_heading = "Accuracy")]
    pub rtol: Option<f64>,

    /// Absolute tolerance of positions, m and rad (default: rtol times the size of the mechanism)
    #[arg(long, help_heading = "Accuracy")]
    pub atol: Option<f64>,

    /// Absolute tolerance of velocities, m/s and rad/s (default: from atol and the speed of the motion)
    #[arg(long, help_heading = "Accuracy")]
    pub atol_v: Option<f64>,

    /// Fixed step, s; switches error control off
    #[arg(long, value_name = "S", help_heading = "Accuracy")]
    pub step: Option<f64>,

    /// First step, s (default: from the first accelerations)
    #[arg(long, value_name = "S", help_heading = "Accuracy")]
    pub first_step: Option<f64>,

    /// Longest step, s
    #[arg(long, value_name = "S", help_heading = "Accuracy")]
    pub max_step: Option<f64>,

    /// Attempted steps before the run is given up
    #[arg(long, value_name = "N", help_heading = "Accuracy")]
    pub max_steps: Option<u64>,

    /// Output intervals of equal length, or `steps` for every step (default 200)
    #[arg(long, value_name = "N|steps", help_heading = "Results")]
    pub outputs: Option<Outputs>,

    /// Directory for results (default with --format: out/MODEL; without both nothing is written)
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,

    /// Table formats, separated by commas (default with --out: csv)
    #[arg(long, value_delimiter = ',', value_parser = formats(), help_heading = "Results")]
    pub format: Vec<String>,

    /// Save the run to this file at its end, also when it fails or is interrupted
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub checkpoint: Option<PathBuf>,

    /// Save it also after every N accepted steps
    #[arg(long, value_name = "N", help_heading = "Checkpoints")]
    pub checkpoint_steps: Option<u64>,

    /// Save it also after every S seconds of simulated time
    #[arg(long, value_name = "S", help_heading = "Checkpoints")]
    pub checkpoint_interval: Option<f64>,

    /// Go on with a saved run of the same model and options; t-end and outputs may differ. The table
    /// begins after the saved state
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub restart: Option<PathBuf>,

    /// Print one JSON object instead of the summary
    #[arg(long, help_heading = "Results")]
    pub json: bool,

    /// Print no summary and no progress; errors only
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

impl RunArgs {
    /// The options given on the command line.
    pub fn options(&self) -> Options {
        Options {
            t_end: self.t_end,
            coordinates: Coordinates::default(),
            scheme: Scheme {
                method: self.method.clone(),
                formulation: self.formulation.clone(),
                jacobian: self.jacobian.clone(),
                linear: self.linear.clone(),
                max_order: self.max_order,
                rho: self.rho,
                alpha: self.alpha,
                error_constant: self.error_constant.clone(),
                error_estimate: self.error_estimate.clone(),
                order_control: self.order_control.clone(),
                scaling: self.scaling.clone(),
            },
            tolerance: Tolerance {
                rtol: self.rtol,
                atol: self.atol,
                atol_v: self.atol_v,
            },
            steps: Steps {
                step: self.step,
                first_step: self.first_step,
                max_step: self.max_step,
                max_steps: self.max_steps,
            },
            outputs: self.outputs,
            checkpoints: Checkpoints {
                checkpoint: self.checkpoint.clone(),
                checkpoint_steps: self.checkpoint_steps,
                checkpoint_interval: self.checkpoint_interval,
                restart: self.restart.clone(),
            },
        }
    }
}

/// `linkwork cosim`.
#[derive(Debug, Args)]
#[command(after_help = COSIM_EXAMPLES, allow_negative_numbers = true)]
pub struct CosimArgs {
    /// A system file, or the name of a built-in system (`linkwork list systems`)
    pub system: String,

    /// Change one value: `spring.stiffness=2e4` of the system, `front.wheel.mass=80` of a subsystem.
    /// May be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "System")]
    pub set: Vec<String>,

    /// End time, s
    #[arg(long, value_name = "S", help_heading = "Coupling")]
    pub t_end: Option<f64>,

    /// Degree of the polynomials that inputs follow within a macro step, 0 to 3 (default 2)
    #[arg(long, value_name = "K", help_heading = "Coupling")]
    pub degree: Option<usize>,

    /// Which of the two runs of a macro step goes on (default extrapolation)
    #[arg(long, value_parser = PossibleValuesParser::new(names(APPROACHES)), help_heading = "Coupling")]
    pub approach: Option<String>,

    /// Never repeat a step: half the work, and an error judged by the coupling variables alone
    #[arg(long, help_heading = "Coupling")]
    pub forward_only: bool,

    /// Threads (default: as many as the machine has); results do not depend on them
    #[arg(long, value_name = "N", help_heading = "Coupling")]
    pub threads: Option<usize>,

    /// Relative tolerance of the result (default 1e-4): errors of macro steps add up to a few of it
    #[arg(long, help_heading = "Accuracy")]
    pub rtol: Option<f64>,

    /// Tolerance of the subsystems as a share of what a macro step may err by, at most 0.1 (default 0.1)
    #[arg(long, value_name = "SHARE", help_heading = "Accuracy")]
    pub micro: Option<f64>,

    /// Constant macro step, s; switches error control off
    #[arg(long, value_name = "S", help_heading = "Accuracy")]
    pub step: Option<f64>,

    /// First macro step, s (default: a thousandth of the run)
    #[arg(long, value_name = "S", help_heading = "Accuracy")]
    pub first_step: Option<f64>,

    /// Longest macro step, s
    #[arg(long, value_name = "S", help_heading = "Accuracy")]
    pub max_step: Option<f64>,

    /// Attempted macro steps before the run is given up
    #[arg(long, value_name = "N", help_heading = "Accuracy")]
    pub max_steps: Option<u64>,

    /// Output intervals of equal length, or `steps` for every micro step (default 200)
    #[arg(long, value_name = "N|steps", help_heading = "Results")]
    pub outputs: Option<Outputs>,

    /// Directory for results (default with --format: out/SYSTEM; without both nothing is written)
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,

    /// Table formats, separated by commas (default with --out: csv)
    #[arg(long, value_delimiter = ',', value_parser = formats(), help_heading = "Results")]
    pub format: Vec<String>,

    /// Save the run to this file at its end, also when it fails or is interrupted
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub checkpoint: Option<PathBuf>,

    /// Save it also after every N accepted macro steps
    #[arg(long, value_name = "N", help_heading = "Checkpoints")]
    pub checkpoint_steps: Option<u64>,

    /// Save it also after every S seconds of simulated time
    #[arg(long, value_name = "S", help_heading = "Checkpoints")]
    pub checkpoint_interval: Option<f64>,

    /// Go on with a saved run of the same system and options; t-end, outputs and threads may differ.
    /// Tables begin after the saved state
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub restart: Option<PathBuf>,

    /// Print one JSON object instead of the summary
    #[arg(long, help_heading = "Results")]
    pub json: bool,

    /// Print no summary and no progress; errors only
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

impl CosimArgs {
    /// The options given on the command line.
    pub fn options(&self) -> CosimOptions {
        CosimOptions {
            t_end: self.t_end,
            rtol: self.rtol,
            micro: self.micro,
            degree: self.degree,
            approach: self.approach.clone(),
            step: self.step,
            first_step: self.first_step,
            max_step: self.max_step,
            max_steps: self.max_steps,
            outputs: self.outputs,
            threads: self.threads,
            forward_only: self.forward_only.then_some(true),
            checkpoints: Checkpoints {
                checkpoint: self.checkpoint.clone(),
                checkpoint_steps: self.checkpoint_steps,
                checkpoint_interval: self.checkpoint_interval,
                restart: self.restart.clone(),
            },
        }
    }

    /// Whether the option of this name is given on the command line.
    pub fn has(&self, option: &str) -> bool {
        match option {
            "t_end" => self.t_end.is_some(),
            "rtol" => self.rtol.is_some(),
            "micro" => self.micro.is_some(),
            "degree" => self.degree.is_some(),
            "approach" => self.approach.is_some(),
            "step" => self.step.is_some(),
            "first_step" => self.first_step.is_some(),
            "max_step" => self.max_step.is_some(),
            "max_steps" => self.max_steps.is_some(),
            "outputs" => self.outputs.is_some(),
            "threads" => self.threads.is_some(),
            "forward_only" => self.forward_only,
            "checkpoint" => self.checkpoint.is_some(),
            "checkpoint_steps" => self.checkpoint_steps.is_some(),
            "checkpoint_interval" => self.checkpoint_interval.is_some(),
            "restart" => self.restart.is_some(),
            _ => false,
        }
    }
}

/// `linkwork check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,

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

/// `linkwork list`.
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
pub struct ListArgs {
    /// What to list
    pub what: What,

    /// Print a JSON array of objects with `name`, `summary` and, for parts of models, `keys`
    #[arg(long)]
    pub json: bool,
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
    /// Equations that can be solved
    Formulations,
    /// How a BDF method may choose step and order
    OrderControls,
    /// Sources of derivatives
    Jacobians,
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
    /// What `check` looks for in the numbers of a model
    Lints,
    /// File formats of tables
    Formats,
}

fn choice(names: impl Iterator<Item = (&'static str, &'static str)>) -> PossibleValuesParser {
    PossibleValuesParser::new(names.map(|(name, help)| PossibleValue::new(name).help(help)))
}

fn methods() -> impl TypedValueParser<Value = String> {
    choice(
        STEPPERS
            .iter()
            .map(|e| (e.name, e.summary))
            .chain([(AUTO, AUTO_SUMMARY)]),
    )
}

fn order_control_names() -> impl TypedValueParser<Value = String> {
    let multistep = CONTROLLERS.iter().filter(|e| e.multistep);
    choice(multistep.map(|e| (e.name, e.summary)))
}

fn formulations() -> impl TypedValueParser<Value = String> {
    choice(FORMULATIONS.iter().map(|e| (e.name, e.summary)))
}

fn jacobians() -> impl TypedValueParser<Value = String> {
    choice(JACOBIANS.iter().map(|e| (e.name, e.summary)))
}

fn solvers() -> impl TypedValueParser<Value = String> {
    choice(LINEAR_SOLVERS.iter().map(|e| (e.name, e.summary)))
}

fn formats() -> impl TypedValueParser<Value = String> {
    choice(FORMATS.iter().map(|e| (e.name, e.summary)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}
