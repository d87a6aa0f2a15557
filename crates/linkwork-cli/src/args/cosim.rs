//! `linkwork cosim`.

use super::{Given, OfCosim, ResultArgs};
use clap::Args;

/// Where results go, in the words of this command.
const OUT: &str =
    "Directory for results (default with --format: out/SYSTEM; without both nothing is written)";

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
#[command(mut_arg("out", |arg| arg.help(OUT)))]
pub struct CosimArgs {
    /// A system file, or the name of a built-in system (`linkwork list systems`)
    pub system: String,

    /// Change one value: `spring.stiffness=2e4` of the system, `front.wheel.mass=80` of a subsystem.
    /// May be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "System")]
    pub set: Vec<String>,

    #[command(flatten)]
    pub given: Given<OfCosim>,

    #[command(flatten)]
    pub results: ResultArgs,
}
