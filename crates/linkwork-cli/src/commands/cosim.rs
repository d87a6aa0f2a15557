//! `linkwork cosim`: several models side by side.

use super::run::{Destination, make_dir, seconds};
use crate::args::CosimArgs;
use crate::exit::Exit;
use crate::load::{BUILT_IN, is_built_in, unambiguous};
use crate::printer::{Printer, Tone};
use crate::progress::{Bar, listen};
use crate::render::{self, SourceText};
use crate::report::{PageFile, folder};
use linkwork::beside;
use linkwork::catalogue::{self, SystemEntry};
use linkwork::cosim::summary::{CosimSummary, guarantee_word, store};
use linkwork::cosim::{COSIM_OPTIONS, CosimOptions, CoupledRun, CoupledSystem, Mistake};
use linkwork::dae::cosim::Report;
use linkwork::dae::cosim::account::Guarantee;
use linkwork::dae::drive::Flow;
use linkwork::mbs::ModelError;
use linkwork::observe::StopFlag;
use linkwork::options::{OPTIONS, Options};
use linkwork::plural::count;
use linkwork::store::results_dir;
use linkwork::view::{Page, Source, coupled};
use linkwork::{OptionError, Verdict};
use std::path::Path;

/// Runs a coupled system.
pub fn cosim(args: &CosimArgs, printer: &Printer) -> Exit {
    match try_cosim(args, printer) {
        Ok(exit) => exit,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_cosim(args: &CosimArgs, printer: &Printer) -> Result<Exit, String> {
    let (system, source) = load(&args.system, &args.set)?;
    let mut options = args.given.0.clone();
    let store_to = Destination::of(
        args.results.out.as_deref(),
        &args.results.format,
        system.name(),
    );
    make_dir(store_to.as_ref().map(|to| to.dir.as_path()))?;
    if let (None, Some(file)) = (&options.checkpoint, &system.options().checkpoint) {
        // the system names the file, the user the directory
        let dir =
            (store_to.as_ref()).map_or_else(|| results_dir(system.name()), |to| to.dir.clone());
        make_dir(Some(&dir))?;
        options.checkpoint = Some(dir.join(file));
    }
    let report = PageFile::new(args.results.report.as_deref())?;
    let stop = StopFlag::default();
    listen(&stop);
    let mut bar = Bar::new(printer);
    let mut tell = |share: f64, steps: u64| {
        bar.tell_words(share, || count(steps, "macro step", "macro steps"));
        if stop.is_raised() {
            Flow::Stop
        } else {
            Flow::Continue
        }
    };
    let run = system
        .run_until(&options, &stop, &mut tell)
        .map_err(|e| option_error(&system, &source, &options, &e))?;
    bar.clear();
    let mut files = match &store_to {
        Some(to) => {
            store(&run, &to.dir, &to.formats).map_err(|e| render::plain(&e.to_string(), None))?
        }
        None => Vec::new(),
    };
    if let Some(report) = &report {
        files.push(report.write(&coupled::of_cosim(
            &run,
            &system,
            shown(&source),
            &folder(&source.name),
        ))?);
    }
    if args.results.json {
        printer.result(&format!("{}\n", CosimSummary::new(&run, &files).to_json()));
    } else if printer.speaks() {
        printer.result(&describe(&run, &files, printer));
    }
    if !printer.speaks() {
        printer.message(&troubles(&run));
    }
    Ok(run.verdict.into())
}

/// Whether a word names a system of models.
pub(super) fn is_system(word: &str) -> bool {
    match std::fs::read_to_string(word) {
        Ok(text) => text
            .lines()
            .any(|l| l.trim_start().starts_with("[[subsystem]]")),
        Err(_) => {
            let word = word.strip_prefix(BUILT_IN).unwrap_or(word);
            !is_built_in(word) && catalogue::find_system(word).is_ok()
        }
    }
}

/// The page of a system as it stands.
pub(super) fn page(word: &str, set: &[String], asked: &Options) -> Result<(Page, Exit), String> {
    let (system, source) = load(word, set)?;
    let mut options = CosimOptions::default();
    for row in OPTIONS {
        let Some(value) = asked.value(row.name) else {
            continue;
        };
        let Some(own) = COSIM_OPTIONS.iter().find(|o| o.name == row.name) else {
            let message = "co-simulations have no such option";
            return Err(render::on_command_line(row.name, &value, message, None));
        };
        (own.set)(&mut options, &own.row, &value)
            .map_err(|why| render::on_command_line(own.name, &value, &why, None))?;
    }
    let stop = StopFlag::default();
    listen(&stop);
    let run = system.run_until(&options, &stop, &mut |_, _| Flow::Continue);
    let run = run.map_err(|e| option_error(&system, &source, &options, &e))?;
    let page = coupled::of_cosim(&run, &system, shown(&source), &folder(&source.name));
    Ok((page, run.verdict.into()))
}

fn shown(source: &SourceText) -> Source {
    Source {
        name: source.name.clone(),
        text: source.text.clone(),
        ..Source::default()
    }
}

fn load(word: &str, set: &[String]) -> Result<(CoupledSystem, SourceText), String> {
    let path = Path::new(word);
    let read = |stem: &str, file: &str, text: String, models: &mut Loader<'_>| {
        let read = CoupledSystem::read(stem, file, &text, set, models);
        let system = read.map_err(|mistakes| all(&mistakes))?;
        let name = file.to_string();
        Ok((system, SourceText { name, text }))
    };
    unambiguous(word, catalogue::find_system(word).is_ok())?;
    let (path, word) = match word.strip_prefix(BUILT_IN) {
        // no file has an empty name
        Some(word) => (Path::new(""), word),
        None => (path, word),
    };
    if path.is_file() {
        let text = beside::read_text(path).map_err(|why| render::plain(&why, None))?;
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut models = |word: &str| beside::text(folder, word);
        return read(&stem.unwrap_or_default(), word, text, &mut models);
    }
    match catalogue::find_system(word) {
        Ok(SystemEntry { name, text }) => {
            let file = format!("built-in system {name}");
            let mut models = |word: &str| {
                let part = catalogue::system_part(word);
                let text = part.ok_or_else(|| format!("there is no built-in model {word}"))?;
                Ok((format!("built-in model {word}"), text.to_string()))
            };
            read(name, &file, text.to_string(), &mut models)
        }
        Err(near) => {
            let message = format!("`{}` is neither a file nor a built-in system", word);
            let help = match near {
                _ if is_built_in(word) => {
                    format!("it is a single model: linkwork run {}", word)
                }
                Some(near) => format!("did you mean `{near}`?"),
                None => "`linkwork list systems` shows what is built in".into(),
            };
            Err(render::plain(&message, Some(&help)))
        }
    }
}

type Loader<'a> = dyn FnMut(&str) -> Result<(String, String), String> + 'a;

/// The first mistakes, each in its own file.
fn all(mistakes: &[Mistake]) -> String {
    const SHOWN: usize = 10;
    let mut text = String::new();
    for m in mistakes.iter().take(SHOWN) {
        let source = SourceText {
            name: m.file.clone(),
            text: m.text.to_string(),
        };
        text.push_str(&render::model_error(&m.error, &source));
    }
    if let Some(more) = mistakes.len().checked_sub(SHOWN).filter(|&n| n > 0) {
        text.push_str(&format!("  and {more} more\n"));
    }
    text
}

/// An option that cannot be honoured: quoted from the command line, or shown in the system file,
/// wherever it was given.
fn option_error(
    system: &CoupledSystem,
    source: &SourceText,
    command_line: &CosimOptions,
    error: &OptionError,
) -> String {
    if let Some(value) = command_line.value(error.option) {
        let help = error.help.as_deref();
        return render::on_command_line(error.option, &value, &error.message, help);
    }
    if let Some(span) = system.option_span(error.option) {
        let mut located = ModelError::new(&error.message).at(span);
        located.help = render::help_of(error);
        return render::model_error(&located, source);
    }
    render::option_error(error)
}

/// Doubts and failure, for runs that print no summary.
fn troubles(run: &CoupledRun) -> String {
    let mut text = String::new();
    for doubt in &run.doubts {
        text.push_str(&format!("{}: {doubt}\n", run.name));
    }
    if let Some(why) = &run.failure {
        text.push_str(&format!("{}: {}", run.name, render::failure(why)));
    }
    text
}

fn describe(run: &CoupledRun, files: &[String], printer: &Printer) -> String {
    let tone = match run.verdict {
        Verdict::Converged => Tone::Good,
        Verdict::Degraded => Tone::Doubtful,
        Verdict::Failed => Tone::Bad,
    };
    let verdict = printer.toned(run.verdict.word(), tone);
    let mut text = format!("{}: {verdict}\n", run.name);
    for doubt in &run.doubts {
        text.push_str(&format!("  doubt: {doubt}\n"));
    }
    for note in &run.notes {
        text.push_str(&format!("  note: {note}\n"));
    }
    if let Some(why) = &run.failure {
        for line in render::failure(why).lines() {
            text.push_str(&format!("  {line}\n").replace("  \n", "\n"));
        }
    }
    text.push('\n');
    let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<12} {value}\n"));
    let s = &run.settings;
    row(
        "system",
        format!(
            "{}, {}",
            count(run.parts.len(), "subsystem", "subsystems"),
            count(run.connections.len(), "connection", "connections")
        ),
    );
    let control = match s.plan.step {
        None => format!("rtol {:e}", s.plan.rtol),
        Some(h) => format!("constant step {h} s"),
    };
    row(
        "method",
        format!(
            "{} of degree {}, {control}, subsystems at rtol {:.1e}",
            s.options.approach.as_deref().unwrap_or_default(),
            s.plan.degree,
            s.micro_rtol
        ),
    );
    row(
        "reached",
        if run.t_last.is_nan() {
            "nothing: there was no start".into()
        } else {
            format!("t = {} of {} s", run.t_last, s.plan.t_end)
        },
    );
    if let Some(t) = run.restarted_at {
        row("restarted", format!("at t = {t}"));
    }
    if let Some(r) = &run.report {
        row(
            "macro steps",
            format!(
                "{} ({} rejected, {} repeated after a failure)",
                r.accepted, r.rejected, r.failed
            ),
        );
        row("error", error(r));
        for (i, (name, a)) in run.connections.iter().zip(&r.connections).enumerate() {
            let energy = match a.energy_residual {
                None => String::new(),
                Some(e) if !(e.is_finite() && a.energy_through.is_finite()) => {
                    "; its energy has no value".into()
                }
                Some(e) => format!("; brought in {e:.1e} J of {:.1e} J", a.energy_through),
            };
            let title = if i == 0 { "connections" } else { "" };
            let limited = share(a.limited, r.connections.iter().map(|a| a.limited).sum());
            row(
                title,
                format!(
                    "{name}: off by {:.1e} at most{energy}; limits {limited}",
                    a.largest_defect
                ),
            );
        }
        let all_seconds: f64 = r.members.iter().map(|m| m.seconds).sum();
        for (i, (m, part)) in r.members.iter().zip(&run.parts).enumerate() {
            let title = if i == 0 { "subsystems" } else { "" };
            let limited = share(m.limited, r.members.iter().map(|m| m.limited).sum());
            let by = m
                .limiter
                .as_ref()
                .map_or(String::new(), |l| format!(" ({l})"));
            row(
                title,
                format!(
                    "{}: {}, {}, {}, {:.0} % of the work; limits {limited}{by}",
                    m.name,
                    part.method,
                    count(m.micro_steps, "step", "steps"),
                    count(part.events.count(), "event", "events"),
                    100.0 * m.seconds / all_seconds.max(f64::MIN_POSITIVE)
                ),
            );
        }
    }
    let wall = seconds(run.wall_seconds);
    row(
        "time",
        format!("{wall} on {}", count(s.plan.threads, "thread", "threads")),
    );
    match files {
        [] => row("files", "none; --format csv,npz keeps the tables".into()),
        [first, rest @ ..] => {
            row("files", first.clone());
            for file in rest {
                row("", file.clone());
            }
        }
    }
    text
}

/// What is known of the error, in words.
fn error(report: &Report) -> String {
    let word = guarantee_word(report.guarantee);
    match report.guarantee {
        Guarantee::Estimated => format!(
            "{word}: steps add up to {:.1} tolerances; each at most {:.2} of what it may err by",
            report.accumulated, report.largest_error
        ),
        Guarantee::ForwardOnly => format!(
            "{word}, motion not estimated: inputs off by {:.2} tolerances at most",
            report.largest_error
        ),
    }
}

fn share(n: u64, of: u64) -> String {
    format!("{:.0} %", 100.0 * n as f64 / (of as f64).max(1.0))
}
