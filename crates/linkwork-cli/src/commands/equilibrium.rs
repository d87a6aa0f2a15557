//! `linkwork equilibrium`: the pose in which all forces balance.

use super::run::make_dir;
use crate::args::EquilibriumArgs;
use crate::exit::Exit;
use crate::load::{Loaded, Origin, load};
use crate::printer::{Printer, Tone};
use crate::progress::{Waiting, announce};
use crate::render;
use crate::report::{self, PageFile};
use linkwork::balance::{Balance, balance};
use linkwork::cost;
use linkwork::mbs::repose::repose;
use linkwork::plural::count;
use linkwork::view::pages;
use linkwork::{Doubt, Verdict};
use std::path::Path;

/// Rows of the printed list before it is cut short.
const LONGEST: usize = 40;

/// Finds the equilibrium of a model.
pub fn equilibrium(args: &EquilibriumArgs, printer: &Printer) -> Exit {
    match try_equilibrium(args, printer) {
        Ok(exit) => exit,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_equilibrium(args: &EquilibriumArgs, printer: &Printer) -> Result<Exit, String> {
    let mut loaded = load(&args.model)?;
    if args.write.is_some() && matches!(loaded.origin, Origin::Problem(_)) {
        let help = "give a model file or the name of a built-in model";
        return Err(render::plain(
            "--write needs a model text; this is a benchmark problem",
            Some(help),
        ));
    }
    make_dir(args.out.as_deref())?;
    let report = PageFile::new(args.report.as_deref())?;
    let folder = args.write.as_deref().and_then(Path::parent);
    if let Some(folder) = folder.filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
        let message = format!("--write: there is no directory {}", folder.display());
        return Err(render::plain(&message, None));
    }
    let cost = cost::of_equilibrium(loaded.simulation.system());
    announce(printer, loaded.simulation.name(), Some(cost));
    let waiting = Waiting::new(printer, "looking for the equilibrium");
    let mut found = balance(&mut loaded.simulation);
    drop(waiting);
    if let Some(dir) = &args.out {
        found
            .store(dir)
            .map_err(|e| render::plain(&e.to_string(), None))?;
    }
    if let Some(path) = &args.write {
        write_model(&loaded, &mut found, path)?;
    }
    if let Some(report) = &report {
        let page = pages::of_balance(&found, &report::subject(&loaded));
        found.files.push(report.write(&page)?);
    }
    if args.json {
        printer.result(&format!("{}\n", found.to_json()));
    } else if printer.speaks() {
        printer.result(&describe(&found, printer));
    } else if let Some(why) = &found.failure {
        printer.message(&format!("{}: {}", found.model, render::failure(why)));
    }
    Ok(found.verdict.into())
}

/// Writes the model with the balance as its start; nothing when there is none.
fn write_model(loaded: &Loaded, found: &mut Balance, path: &Path) -> Result<(), String> {
    let (Origin::Text { document, .. }, Some(_)) = (&loaded.origin, &found.state) else {
        return Ok(());
    };
    let mut settled = (**document).clone();
    let value = |name: &str| found.values.get(name);
    repose(&mut settled.model, value).map_err(|e| render::plain(&e.message, None))?;
    std::fs::write(path, settled.to_text())
        .map_err(|e| render::plain(&format!("cannot write {}: {e}", path.display()), None))?;
    found.files.push(path.display().to_string());
    if !settled.model.controls.is_empty() {
        found.doubts.push(Doubt::StatesNotWritten);
    }
    Ok(())
}

fn describe(found: &Balance, printer: &Printer) -> String {
    let (word, tone) = match (found.verdict, found.stability) {
        (Verdict::Failed, _) | (_, None) => ("no equilibrium", Tone::Bad),
        (Verdict::Converged, Some(word)) => (word, Tone::Good),
        (Verdict::Degraded, Some(word)) => (word, Tone::Doubtful),
    };
    let mut text = format!("{}: {}\n", found.model, printer.toned(word, tone));
    for doubt in &found.doubts {
        text.push_str(&format!("  doubt: {doubt}\n"));
    }
    for note in &found.notes {
        text.push_str(&format!("  note: {note}\n"));
    }
    if let Some(why) = &found.failure {
        for line in render::failure(why).lines() {
            text.push_str(&format!("  {line}\n").replace("  \n", "\n"));
        }
        return text;
    }
    text.push('\n');
    let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<12} {value}\n"));
    if let Some(dof) = found.dof {
        row("freedom", count(dof, "degree", "degrees"));
    }
    row(
        "found in",
        format!(
            "{}, drives at t = {} s",
            count(found.steps, "step", "steps"),
            found.t
        ),
    );
    if let Some(residual) = found.residual {
        row("unbalanced", format!("{residual:.1e} of the largest force"));
    }
    match &found.files[..] {
        [] => {}
        [first, rest @ ..] => {
            row("files", first.clone());
            for file in rest {
                row("", file.clone());
            }
        }
    }
    let moves = found.moved();
    if !moves.is_empty() {
        let shown = moves.iter().take(LONGEST);
        let width = shown.clone().map(|m| m.0.name.len()).max().unwrap_or(0);
        text.push_str("\nmoved from the start\n");
        for (c, d) in shown {
            text.push_str(&format!("  {:width$}  {d:>+12.4e} {}\n", c.name, c.unit));
        }
    }
    text.push_str("\nvalues\n");
    // nothing moves: rates are zero; forces and torques are what balances
    let at_rest = ["m/s", "rad/s", "m/s^2", "rad/s^2"];
    let (reactions, places): (Vec<_>, Vec<_>) =
        (found.values.channels.iter().zip(&found.values.values))
            .filter(|(c, _)| !at_rest.contains(&c.unit.as_str()))
            .partition(|(c, _)| c.unit.starts_with('N'));
    let shown: Vec<_> = reactions.into_iter().chain(places).collect();
    let width = shown.iter().map(|(c, _)| c.name.len()).max().unwrap_or(0);
    for (c, x) in shown.iter().take(LONGEST) {
        let x = number(**x);
        text.push_str(&format!("  {:width$}  {x:>14} {}\n", c.name, c.unit));
    }
    if let Some(more) = shown.len().checked_sub(LONGEST).filter(|n| *n > 0) {
        text.push_str(&format!(
            "  ... and {more} more; --out DIR keeps them all\n"
        ));
    }
    text
}

/// A number with six digits; what is rounding in any mechanism is 0.
fn number(x: f64) -> String {
    let size = x.abs();
    if size < 1e-12 {
        "0".to_string()
    } else if (1e-3..1e7).contains(&size) {
        format!("{x:.6}")
    } else {
        format!("{x:.5e}")
    }
}
