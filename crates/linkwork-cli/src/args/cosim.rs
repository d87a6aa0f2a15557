//! `linkwork cosim`.

use super::time::seconds;
use super::{CheckpointArgs, ResultArgs, StepArgs};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args};
use linkwork::cosim::CosimOptions;
use linkwork::cosim::options::APPROACHES;
use linkwork::options::Outputs;
use linkwork::settings::names;

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

/// `linkwork cosim`.
#[derive(Debug, Args)]
#[command(after_help = COSIM_EXAMPLES, allow_negative_numbers = true)]
#[command(mut_args(in_macro_steps))]
pub struct CosimArgs {
    /// A system file, or the name of a built-in system (`linkwork list systems`)
    pub system: String,

    /// Change one value: `spring.stiffness=2e4` of the system, `front.wheel.mass=80` of a subsystem.
    /// May be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "System")]
    pub set: Vec<String>,

    /// End time, s, or with a unit: `30ms`
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Coupling")]
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

    #[command(flatten)]
    pub steps: StepArgs,

    /// Output intervals of equal length, or `steps` for every micro step (default 200)
    #[arg(long, value_name = "N|steps", help_heading = "Results")]
    pub outputs: Option<Outputs>,

    #[command(flatten)]
    pub results: ResultArgs,

    #[command(flatten)]
    pub checkpoints: CheckpointArgs,
}

impl CosimArgs {
    /// The options given on the command line.
    pub fn options(&self) -> CosimOptions {
        let steps = self.steps.options();
        CosimOptions {
            t_end: self.t_end,
            rtol: self.rtol,
            micro: self.micro,
            degree: self.degree,
            approach: self.approach.clone(),
            step: steps.step,
            first_step: steps.first_step,
            max_step: steps.max_step,
            max_steps: steps.max_steps,
            outputs: self.outputs,
            threads: self.threads,
            forward_only: self.forward_only.then_some(true),
            checkpoints: self.checkpoints.options(),
        }
    }
}

/// What the shared options mean here, where their words for a run would not be right.
fn in_macro_steps(arg: Arg) -> Arg {
    let help = match arg.get_id().as_str() {
        "step" => "Constant macro step, s; switches error control off",
        "first_step" => "First macro step, s (default: a thousandth of the run)",
        "max_step" => "Longest macro step, s",
        "max_steps" => "Attempted macro steps before the run is given up",
        "out" => {
            "Directory for results (default with --format: out/SYSTEM; without both nothing is written)"
        }
        "checkpoint_steps" => "Save it also after every N accepted macro steps",
        "restart" => {
            "Go on with a saved run of the same system and options; t-end, outputs and threads may \
             differ. Tables begin after the saved state"
        }
        _ => return arg,
    };
    arg.help(help)
}
