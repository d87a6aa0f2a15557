//! `linkwork kinematics`: motion that the drives determine, with reactions.

use super::run::{Destination, heading, make_dir, model_words, reached_words, seconds, troubles};
use crate::args::KinematicsArgs;
use crate::exit::Exit;
use crate::load::{Loaded, load};
use crate::printer::Printer;
use crate::progress::{Bar, listen};
use crate::render;
use crate::report::{self, PageFile};
use linkwork::kinematics::{Refused, kinematics as compute};
use linkwork::observe::StopFlag;
use linkwork::plural::count;
use linkwork::summary::Summary;
use linkwork::view::pages;
use linkwork::{Run, store};

/// Computes the motion of a driven model.
pub fn kinematics(args: &KinematicsArgs, printer: &Printer) -> Exit {
    match try_kinematics(args, printer) {
        Ok(exit) => exit,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_kinematics(args: &KinematicsArgs, printer: &Printer) -> Result<Exit, String> {
    let mut loaded = load(&args.model)?;
    let options = args.given.0.clone().or(args.model.options());
    loaded.simulation = loaded.simulation.options(options.clone());
    loaded
        .simulation
        .settings()
        .map_err(|e| loaded.option_error(&e, &options))?;
    let store = Destination::of(
        args.results.out.as_deref(),
        &args.results.format,
        loaded.simulation.name(),
    );
    make_dir(store.as_ref().map(|to| to.dir.as_path()))?;
    let report = PageFile::new(args.results.report.as_deref())?;
    let stop = StopFlag::default();
    listen(&stop);
    let mut bar = Bar::new(printer);
    let computed = compute(&mut loaded.simulation, &mut |share| {
        bar.tell_words(share, String::new);
        !stop.is_raised()
    });
    bar.clear();
    let mut run = computed.map_err(|e| match e {
        Refused::Option(e) => loaded.option_error(&e, &options),
        Refused::Undetermined { message, help } => render::plain(
            &format!("{}: {message}", loaded.simulation.name()),
            Some(&help),
        ),
    })?;
    run.notes.extend(loaded.notes());
    let mut files = match &store {
        Some(to) => store::store(&run, &to.dir, &to.formats)
            .map_err(|e| render::plain(&e.to_string(), None))?,
        None => Vec::new(),
    };
    if let Some(report) = &report {
        let page = pages::of_run(&run, &report::subject(&loaded), None);
        files.push(report.write(&page)?);
    }
    if args.results.json {
        printer.result(&format!("{}\n", Summary::new(&run, &files).to_json()));
    } else if printer.speaks() {
        printer.result(&describe(&run, &loaded, &files, printer));
    }
    if !printer.speaks() {
        printer.message(&troubles(&run));
    }
    Ok(run.verdict.into())
}

fn describe(run: &Run, loaded: &Loaded, files: &[String], printer: &Printer) -> String {
    let mut text = heading(run, printer);
    let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<12} {value}\n"));
    row("model", model_words(run, loaded));
    row("reached", reached_words(run));
    if run.start.is_some() {
        let s = &run.stats;
        row(
            "steps",
            format!(
                "{} ({} too long), {}",
                s.steps,
                s.rejected,
                count(s.newton_iterations, "Newton iteration", "Newton iterations")
            ),
        );
        let c = run.constraint_residual;
        row(
            "constraints",
            format!(
                "open by at most {:.1e} in position (m, rad), {:.1e} in velocity (m/s, rad/s)",
                c.position, c.velocity
            ),
        );
        for (name, unit, peak) in demands(run) {
            row("largest", format!("{name} {peak:.6} {unit}"));
        }
    }
    row(
        "time",
        format!("{} of processor time", seconds(run.cpu_seconds)),
    );
    match files {
        [] => row("files", "none; --format csv,npz keeps the table".into()),
        [first, rest @ ..] => {
            row("files", first.clone());
            for file in rest {
                row("", file.clone());
            }
        }
    }
    text
}

/// Largest sizes of the first few reactions of drives, which are what a motor must deliver.
fn demands(run: &Run) -> Vec<(String, String, f64)> {
    const SHOWN: usize = 4;
    let table = &run.table;
    let columns = table.channels().iter().zip(table.columns());
    let mut peaks: Vec<(String, String, f64)> = columns
        .filter(|(c, _)| c.name.contains(".reaction"))
        .map(|(c, column)| {
            let peak = column.iter().filter(|x| x.is_finite());
            let peak = peak.fold(0.0f64, |m, x| m.max(x.abs()));
            (c.name.clone(), c.unit.clone(), peak)
        })
        .collect();
    peaks.sort_by(|a, b| b.2.total_cmp(&a.2));
    peaks.truncate(SHOWN);
    peaks
}
