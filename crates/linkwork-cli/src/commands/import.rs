//! `linkwork import`: a robot as model text.

use crate::args::ImportArgs;
use crate::exit::Exit;
use crate::load::import_of;
use crate::printer::Printer;
use crate::render;

/// Reads a robot and writes model text; the account of what was used goes where the text does not.
pub fn import(args: &ImportArgs, printer: &Printer) -> Exit {
    let imported = import_of(&args.file, &args.robot).and_then(|import| {
        let text = import.text();
        let account = import.account().join("\n");
        match &args.out {
            Some(path) => {
                std::fs::write(path, text).map_err(|e| {
                    render::plain(&format!("cannot write {}: {e}", path.display()), None)
                })?;
                printer.result(&format!("{}: model text\n{account}\n", path.display()));
            }
            None => {
                printer.result(&text);
                printer.message(&format!("{account}\n"));
            }
        }
        Ok(())
    });
    match imported {
        Ok(()) => Exit::Success,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}
