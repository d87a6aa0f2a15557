//! The simulator on the command line, as a library: the binary `linkwork` and the Python package call the
//! same commands and show mistakes in the same words.

mod args;
mod commands;
mod exit;
mod load;
mod printer;
mod progress;
mod render;
mod report;

use args::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use printer::Printer;
use std::ffi::OsString;

pub use commands::check::findings;
pub use load::{BUILT_IN, not_found, plain_complaints, unambiguous};

/// Runs the program with these arguments, its own name first; its exit code.
pub fn main_from(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => execute(&arguments) as u8,
        Err(e) => {
            // a reader that has gone is no error
            let _ = e.print();
            u8::try_from(e.exit_code()).unwrap_or(Exit::BadInput as u8)
        }
    }
}

fn execute(arguments: &Arguments) -> Exit {
    let (quiet, json) = match &arguments.command {
        Command::Run(args) => (args.results.quiet, args.results.json),
        Command::Check(args) => (false, args.json),
        Command::Kinematics(args) => (args.results.quiet, args.results.json),
        Command::Equilibrium(args) => (args.quiet, args.json),
        Command::Modes(args) => (args.quiet, args.json),
        Command::Import(_) => (false, false),
        Command::List(args) => (false, args.json),
        Command::Cosim(args) => (args.results.quiet, args.results.json),
        Command::Reproduce(args) => (args.quiet, args.json),
        Command::Study(args) => (args.quiet, args.json),
        Command::Sweep(args) => (args.quiet, args.json),
        Command::View(_) | Command::Plot(_) => (false, false),
        Command::Completions(_) | Command::Manual(_) => (false, false),
    };
    let printer = Printer::new(quiet, json);
    let exit = match &arguments.command {
        Command::Run(args) => commands::run::run(args, &printer),
        Command::Check(args) => commands::check::check(args, &printer),
        Command::Kinematics(args) => commands::kinematics::kinematics(args, &printer),
        Command::Equilibrium(args) => commands::equilibrium::equilibrium(args, &printer),
        Command::Modes(args) => commands::modes::modes(args, &printer),
        Command::Import(args) => commands::import::import(args, &printer),
        Command::List(args) => commands::list::list(args, &printer),
        Command::Cosim(args) => commands::cosim::cosim(args, &printer),
        Command::Reproduce(args) => commands::reproduce::reproduce(args, &printer),
        Command::Study(args) => commands::study::study(args, &printer),
        Command::Sweep(args) => commands::sweep::sweep(args, &printer),
        Command::View(args) => commands::view::view(args, &printer),
        Command::Plot(args) => commands::plot::plot(args, &printer),
        Command::Completions(args) => commands::shell::completions(args, &printer),
        Command::Manual(args) => commands::shell::manual(args, &printer),
    };
    if printer.lost() {
        return Exit::BadInput;
    }
    exit
}
