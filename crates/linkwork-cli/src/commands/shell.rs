//! Completions and manual pages, made from the definitions of the commands.

use crate::args::{Arguments, CompletionsArgs, ManualArgs};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::render;
use clap::CommandFactory;

/// Prints what a shell needs to complete commands.
pub fn completions(args: &CompletionsArgs, printer: &Printer) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "linkwork", &mut text);
    printer.result(&String::from_utf8_lossy(&text));
    Exit::Success
}

/// Writes the manual pages.
pub fn manual(args: &ManualArgs, printer: &Printer) -> Exit {
    let written = std::fs::create_dir_all(&args.out)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), &args.out));
    match written {
        Ok(()) => {
            let page = args.out.join("linkwork.1");
            printer.result(&format!("{} and one page per command\n", page.display()));
            Exit::Success
        }
        Err(e) => {
            let message = format!("cannot write {}: {e}", args.out.display());
            printer.message(&render::plain(&message, None));
            Exit::BadInput
        }
    }
}
