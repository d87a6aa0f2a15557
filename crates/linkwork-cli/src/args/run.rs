//! `linkwork run`.

use super::names::{formulations, jacobians, methods, order_control_names, solvers};
use super::time::seconds;
use super::{CheckpointArgs, ModelArgs, ResultArgs, StepArgs};
use clap::Args;
use clap::builder::PossibleValuesParser;
use linkwork::options::{Options, Outputs, Scheme, Tolerance};
use linkwork::settings::{ERROR_CONSTANTS, ERROR_ESTIMATES, SCALINGS, names};

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

/// `linkwork run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES, allow_negative_numbers = true)]
pub struct RunArgs {
    #[command(flatten)]
    pub model: ModelArgs,

    /// End time, s, or with a unit: `30ms`
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Integration")]
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

    #[command(flatten)]
    pub steps: StepArgs,

    /// Output intervals of equal length, or `steps` for every step (default 200)
    #[arg(long, value_name = "N|steps", help_heading = "Results")]
    pub outputs: Option<Outputs>,

    #[command(flatten)]
    pub results: ResultArgs,

    #[command(flatten)]
    pub checkpoints: CheckpointArgs,
}

impl RunArgs {
    /// The options given on the command line.
    pub fn options(&self) -> Options {
        Options {
            t_end: self.t_end,
            coordinates: self.model.coordinates(),
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
            steps: self.steps.options(),
            outputs: self.outputs,
            checkpoints: self.checkpoints.options(),
        }
    }
}
