//! `linkwork sweep`: many runs of one model, over all cores.

use crate::args::SweepArgs;
use crate::exit::Exit;
use crate::load::{Origin, load};
use crate::printer::{Printer, Tone};
use crate::progress::{Bar, listen};
use crate::render;
use linkwork::observe::StopFlag;
use linkwork::plural::count;
use linkwork::store::file_name;
use linkwork::sweep::{Journal, Outcome, Points, Study, SweepError, TABLE_FILE, Vary};
use linkwork::sweep::{grid, samples, table};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// Outputs of the printed table before it is cut short.
const LONGEST: usize = 20;

/// Computes a sweep.
pub fn sweep(args: &SweepArgs, printer: &Printer) -> Exit {
    match try_sweep(args, printer) {
        Ok(exit) => exit,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_sweep(args: &SweepArgs, printer: &Printer) -> Result<Exit, String> {
    let mut loaded = load(&args.model)?;
    let name = loaded.simulation.name().to_string();
    let options = args.options();
    loaded.simulation = loaded.simulation.options(options.clone());
    (loaded.simulation.settings()).map_err(|e| loaded.option_error(&e, &options))?;
    let Origin::Text { document, .. } = &loaded.origin else {
        let help = "sweeps are for models; a problem runs once for each `linkwork run --set`";
        return Err(render::plain(&format!("{name} is a problem"), Some(help)));
    };
    let points = points(args)?;
    let keep: Vec<&str> = args.keep.iter().map(String::as_str).collect();
    let tree = document.tree().clone();
    let study = Study::new(&name, tree, options, points, &keep).map_err(|e| complaint(&e))?;
    let default = || PathBuf::from("out").join(format!("{}_sweep", file_name(&name)));
    let dir = args.out.clone().unwrap_or_else(default);
    let mut journal = Journal::open(&dir, &study).map_err(|e| complaint(&e))?;
    let before = journal.done().len();

    let all = study.points().len();
    let left = journal.left(&study);
    let threads = args
        .threads
        .unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    let stop = StopFlag::default();
    listen(&stop);
    let mut bar = Bar::new(printer);
    let mut trouble = None;
    study.run_some(&left, threads, &stop, &mut |outcome| {
        trouble = journal.keep(&study, outcome).err();
        let done = journal.done().len();
        // the estimate of the time left is about what is computed now
        let share = (done - before) as f64 / left.len() as f64;
        bar.tell_words(share, || format!("{done} of {all} points"));
        trouble.is_none()
    });
    bar.clear();
    if let Some(e) = trouble {
        return Err(complaint(&e));
    }
    let outcomes = journal.finish(&study).map_err(|e| complaint(&e))?;
    if args.json {
        printer.result(&format!("{}\n", object(&study, &outcomes, &dir)));
    } else if printer.speaks() {
        printer.result(&describe(&study, &outcomes, before, &dir, printer));
    }
    let converged = outcomes.iter().all(|o| o.verdict == "converged");
    Ok(match converged && outcomes.len() == all {
        true => Exit::Success,
        false => Exit::Doubtful,
    })
}

fn points(args: &SweepArgs) -> Result<Points, String> {
    let made = match (&args.table, args.samples) {
        (Some(path), _) => {
            let text = std::fs::read_to_string(path);
            let shown = path.display();
            let text =
                text.map_err(|e| render::plain(&format!("cannot read {shown}: {e}"), None))?;
            table(&text)
        }
        (None, samples_wanted) => {
            if args.vary.is_empty() {
                let help = "for example --vary spring.stiffness=1e4..4e4:9, or --table points.csv";
                return Err(render::plain("nothing is varied", Some(help)));
            }
            let varied = args.vary.iter().map(|word| Vary::parse(word));
            let varied: Result<Vec<Vary>, SweepError> = varied.collect();
            varied.and_then(|varied| match samples_wanted {
                Some(n) => samples(&varied, n, args.seed),
                None => grid(&varied),
            })
        }
    };
    made.map_err(|e| complaint(&e))
}

fn complaint(e: &SweepError) -> String {
    let help = match e {
        SweepError::Asked { help, .. } => help.clone(),
        SweepError::Model(errors) => errors.first().and_then(|e| e.help.clone()),
        SweepError::File(_) => None,
    };
    render::plain(&e.to_string(), help.as_deref())
}

/// Verdicts with their numbers, in the order in which they occur first.
fn verdicts(outcomes: &[Outcome]) -> Vec<(&str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for outcome in outcomes {
        match counts.iter_mut().find(|(word, _)| *word == outcome.verdict) {
            Some((_, n)) => *n += 1,
            None => counts.push((&outcome.verdict, 1)),
        }
    }
    counts
}

/// Smallest and largest value of an output, each with the number of its point.
fn extremes(outcomes: &[Outcome], k: usize) -> Option<[(f64, usize); 2]> {
    let values = outcomes.iter().map(|o| (o.values[k], o.number));
    let known: Vec<(f64, usize)> = values.filter(|(x, _)| !x.is_nan()).collect();
    let least = known.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0));
    let most = known.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0));
    Some([least?, most?])
}

fn object(study: &Study, outcomes: &[Outcome], dir: &Path) -> serde_json::Value {
    let verdicts = verdicts(outcomes).into_iter();
    let verdicts: serde_json::Map<_, _> =
        verdicts.map(|(w, n)| (w.to_string(), json!(n))).collect();
    let outputs = study.outputs().iter().enumerate().map(|(k, o)| {
        let ends = extremes(outcomes, k);
        let end = |i: usize| ends.map(|e| json!({"value": e[i].0, "point": e[i].1}));
        json!({"name": o.name(), "unit": o.unit(), "least": end(0), "most": end(1)})
    });
    json!({
        "model": study.name(),
        "points": study.points().len(),
        "computed": outcomes.len(),
        "varied": study.points().names(),
        "verdicts": verdicts,
        "outputs": outputs.collect::<Vec<_>>(),
        "table": dir.join(TABLE_FILE).display().to_string(),
    })
}

fn describe(
    study: &Study,
    outcomes: &[Outcome],
    before: usize,
    dir: &Path,
    printer: &Printer,
) -> String {
    let all = study.points().len();
    let converged = outcomes.iter().filter(|o| o.verdict == "converged").count();
    let words = format!("{converged} of {} converged", count(all, "point", "points"));
    let tone = if converged == all {
        Tone::Good
    } else {
        Tone::Doubtful
    };
    let mut text = format!("{}: {}\n", study.name(), printer.toned(&words, tone));
    if outcomes.len() < all {
        let left = count(all - outcomes.len(), "point is", "points are");
        text.push_str(&format!(
            "  stopped: {left} left; the same command goes on\n"
        ));
    }
    for (word, n) in verdicts(outcomes)
        .into_iter()
        .filter(|(w, _)| *w != "converged")
    {
        let first = outcomes.iter().find(|o| o.verdict == word);
        let (number, why) = first.map_or((0, ""), |o| (o.number, &o.message));
        text.push_str(&format!(
            "  {word}: {n}, the first is point {number}: {why}\n"
        ));
    }
    text.push('\n');
    let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<12} {value}\n"));
    row("varied", study.points().names().join(", "));
    if before > 0 {
        row(
            "resumed",
            format!("{} were there already", count(before, "point", "points")),
        );
    }
    row("table", dir.join(TABLE_FILE).display().to_string());
    text.push_str("\nsmallest and largest, with the numbers of their points\n");
    let shown = study.outputs().iter().take(LONGEST);
    let width = shown.clone().map(|o| o.name().len()).max().unwrap_or(0);
    for (k, o) in shown.enumerate() {
        if let Some([(least, i), (most, j)]) = extremes(outcomes, k) {
            let name = o.name();
            text.push_str(&format!(
                "  {name:width$}  {least:>13.6e} ({i})  {most:>13.6e} ({j}) {}\n",
                o.unit()
            ));
        }
    }
    if let Some(more) = study
        .outputs()
        .len()
        .checked_sub(LONGEST)
        .filter(|n| *n > 0)
    {
        text.push_str(&format!("  ... and {more} more; --keep chooses\n"));
    }
    text
}
