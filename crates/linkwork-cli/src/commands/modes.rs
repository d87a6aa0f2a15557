//! `linkwork modes`: natural frequencies, damping, mode shapes.

use super::run::make_dir;
use crate::args::ModesArgs;
use crate::exit::Exit;
use crate::load::load;
use crate::printer::{Printer, Tone};
use crate::progress::{Waiting, announce};
use crate::render;
use crate::report::{self, PageFile};
use linkwork::cost;
use linkwork::modes::{Modes, Point, named_modes};
use linkwork::plural::count;
use linkwork::view::pages;

/// Modes of the printed table before it is cut short.
const LONGEST: usize = 40;

/// Finds the modes of a model.
pub fn modes(args: &ModesArgs, printer: &Printer) -> Exit {
    match try_modes(args, printer) {
        Ok(exit) => exit,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_modes(args: &ModesArgs, printer: &Printer) -> Result<Exit, String> {
    let mut loaded = load(&args.model)?;
    let point = args.point();
    if args.given.0.t_end.is_some() && point != Point::End {
        let help = "with --at end modes are about the end of a simulation; otherwise leave it out";
        return Err(render::plain(
            "--t-end has no effect without --at end",
            Some(help),
        ));
    }
    let options = args.given.0.clone().or(args.model.options());
    loaded.simulation = loaded.simulation.options(options.clone());
    make_dir(args.out.as_deref())?;
    let report = PageFile::new(args.report.as_deref())?;
    let system = loaded.simulation.system();
    let mut cost = cost::of_modes(system);
    if point == Point::Equilibrium {
        cost.operations += cost::of_equilibrium(system).operations;
    }
    announce(printer, loaded.simulation.name(), Some(cost));
    let waiting = Waiting::new(printer, "looking for the modes");
    let found = named_modes(&mut loaded.simulation, point);
    drop(waiting);
    let mut found = found.map_err(|e| loaded.option_error(&e, &options))?;
    if let Some(dir) = &args.out {
        found
            .store(dir)
            .map_err(|e| render::plain(&e.to_string(), None))?;
    }
    if let Some(report) = &report {
        let subject = report::subject_of(&loaded.origin);
        let page = pages::of_modes(&found, loaded.simulation.system(), &subject);
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

fn describe(found: &Modes, printer: &Printer) -> String {
    let (word, tone) = match (&found.failure, found.stable) {
        (Some(_), _) | (_, None) => ("no modes".to_string(), Tone::Bad),
        (_, Some(stable)) => {
            let n = count(found.modes.len(), "mode", "modes");
            let at = match found.at {
                "start" => "about the start",
                "equilibrium" => "about the equilibrium",
                _ => "about the end of the run",
            };
            let suffix = if stable { "" } else { ", unstable" };
            let tone = if stable { Tone::Good } else { Tone::Doubtful };
            (format!("{n} {at}{suffix}"), tone)
        }
    };
    let mut text = format!("{}: {}\n", found.model, printer.toned(&word, tone));
    for doubt in &found.doubts {
        text.push_str(&format!("  doubt: {doubt}\n"));
    }
    for note in &found.notes {
        text.push_str(&format!("  note: {note}\n"));
    }
    if let Some(why) = &found.failure {
        for line in why.to_string().lines() {
            text.push_str(&format!("  {line}\n").replace("  \n", "\n"));
        }
        return text;
    }
    if !found.modes.is_empty() {
        text.push_str(
            "\n  mode  frequency/Hz  damping    decay 1/s  what moves, by kinetic energy\n",
        );
    }
    for m in found.modes.iter().take(LONGEST) {
        let damping = if m.kind.starts_with("free") {
            "-".to_string()
        } else {
            format!("{:.4}", tidy(m.damping_ratio))
        };
        let kind = match m.kind {
            "vibration" | "decay" => String::new(),
            other => format!("{other}: "),
        };
        text.push_str(&format!(
            "  {:>4}  {:>12}  {damping:>7}  {:>11}  {kind}{}\n",
            m.number,
            number(m.frequency_hz),
            number(tidy_beside(-m.re, m.natural_hz)),
            m.words
        ));
    }
    if let Some(more) = found.modes.len().checked_sub(LONGEST).filter(|n| *n > 0) {
        text.push_str(&format!(
            "  ... and {more} more; --out DIR keeps them all\n"
        ));
    }
    for (i, file) in found.files.iter().enumerate() {
        let word = if i == 0 { "\n  files " } else { "        " };
        text.push_str(&format!("{word} {file}\n"));
    }
    text
}

/// What is rounding is 0, without a sign.
fn tidy(x: f64) -> f64 {
    if x.abs() < 1e-9 { 0.0 } else { x }
}

fn tidy_beside(x: f64, size: f64) -> f64 {
    if x.abs() < 1e-9 * size { 0.0 } else { x }
}

fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_string()
    } else if (1e-3..1e6).contains(&size) {
        format!("{x:.5}")
    } else {
        format!("{x:.4e}")
    }
}
