//! Binary `linkwork`: the simulator on the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    linkwork_cli::main_from(std::env::args_os()).into()
}
