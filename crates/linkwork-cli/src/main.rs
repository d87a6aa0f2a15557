//! Binary `linkwork`: the simulator on the command line.

mod args;
mod commands;
mod exit;
mod load;
mod printer;
mod render;

use args::{Arguments, Command};
use clap::Parser;
use printer::Printer;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let exit = match &arguments.command {
        Command::Run(args) => {
            let printer = Printer::new(args.quiet, args.json);
            commands::run::run(args, &printer)
        }
        Command::Check(args) => commands::check::check(args, &Printer::new(false, false)),
        Command::List(args) => commands::list::list(args, &Printer::new(false, args.json)),
    };
    exit.into()
}
