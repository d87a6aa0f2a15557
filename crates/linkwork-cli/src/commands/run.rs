//! `linkwork run`: simulate, judge, write.

mod words;

pub(super) use words::{heading, model_words, reached_words, seconds};

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::load::{Origin, load};
use crate::printer::Printer;
use crate::progress::{Bar, Waiting, announce, listen};
use crate::render;
use crate::report::{self, PageFile};
use linkwork::cost;
use linkwork::dae::drive::Observer;
use linkwork::observe::{Both, Progress, Sink, StopFlag};
use linkwork::plural::count;
use linkwork::store::{Live, StoreError, results_dir};
use linkwork::summary::Summary;
use linkwork::table::{FORMATS, FormatEntry};
use linkwork::verify::{Look, verify};
use linkwork::view::{Lanes, pages};
use linkwork::{Options, Run, Simulation, store};
use std::path::{Path, PathBuf};
use words::describe;

/// Simulates a model.
pub fn run(args: &RunArgs, printer: &Printer) -> Exit {
    match try_run(args, printer) {
        Ok(exit) => exit,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_run(args: &RunArgs, printer: &Printer) -> Result<Exit, String> {
    let mut loaded = load(&args.model)?;
    let options = args.options();
    loaded.simulation = loaded.simulation.options(options.clone());
    let store = Destination::of(
        args.results.out.as_deref(),
        &args.results.format,
        loaded.simulation.name(),
    );
    // the model names the file of checkpoints, the user the directory
    let model = loaded.simulation.name();
    let dir = (store.as_ref()).map_or_else(|| results_dir(model), |to| to.dir.clone());
    let named = options.checkpoint.is_none() && loaded.simulation.names_checkpoint().is_some();
    loaded.simulation = loaded.simulation.saving_in(&dir);
    loaded.simulation.settle();
    let settings = loaded
        .simulation
        .settings()
        .map_err(|e| loaded.option_error(&e, &options))?;
    make_dir((store.is_some() || named).then_some(dir.as_path()))?;
    let report = PageFile::new(args.results.report.as_deref())?;
    let mut lanes = report
        .as_ref()
        .map(|_| Lanes::new(loaded.simulation.system()));

    let cost = cost::of_run(loaded.simulation.system(), &settings);
    announce(printer, loaded.simulation.name(), cost);
    let mut stop = StopFlag::default();
    listen(&stop);
    let mut stop_again = stop.clone();
    let mut bar = Bar::new(printer);
    // the start and the first step may take long, too
    let mut waiting = Some(Waiting::new(printer, "assembling"));
    let mut progress = Progress::new(settings.t_end(), |share, stats| {
        waiting.take();
        bar.tell_words(share, || count(stats.steps, "step", "steps"));
    });
    let mut watchers = Both(&mut progress, &mut stop);
    let mut nobody = ();
    let recorder: &mut dyn Observer = match &mut lanes {
        Some(lanes) => lanes,
        None => &mut nobody,
    };
    let mut watchers = Both(&mut watchers, recorder);
    let cannot = |e: StoreError| render::plain(&e.to_string(), None);
    let mut live = match &store {
        Some(to) => {
            let manifest = loaded.simulation.manifest(&settings);
            let channels = loaded.simulation.system().channels().to_vec();
            let live = Live::new(&to.dir, &to.formats, &channels, manifest).map_err(cannot)?;
            // as it is run: `linkwork view DIR` shows both
            Some(live.with_model(match &loaded.origin {
                Origin::Text { document, .. } => Some(document.to_text()),
                Origin::Problem(_) => None,
            }))
        }
        None => None,
    };
    let rows = live.as_mut().map(|live| live as &mut (dyn Sink + Send));
    let mut run = loaded
        .simulation
        .run_onto(rows, &mut watchers)
        .map_err(|e| loaded.option_error(&e, &options))?;
    run.notes.extend(loaded.notes());
    let name = loaded.simulation.name().to_string();
    let origin = &loaded.origin;
    let copy = loaded.simulation.system().fork();
    let mut make = |options: &Options| match origin {
        Origin::Text { document, .. } => {
            Simulation::from_document_with(document, options.clone()).map(|s| s.named(&name))
        }
        Origin::Problem(_) => Ok(Simulation::new(copy.fork())
            .named(&name)
            .options(options.clone())),
    };
    drop(waiting);
    bar.clear();
    let again_words = "computing again, which tells what the result is worth (Ctrl-C: enough)";
    let waiting = Waiting::new(printer, again_words);
    let asked = loaded.simulation.given();
    let look = match () {
        () if args.verify => Some(Look::Verify),
        () if args.once => None,
        () => Some(Look::Estimate),
    };
    let replaced =
        look.and_then(|look| verify(&mut run, (look, asked), &mut make, &mut stop_again));
    // what is on disk and in the story belongs to the run that was replaced
    let mut again = replaced.and_then(|options| make(&options).ok());
    if let Some(again) = &mut again {
        again.settle();
    }
    drop(waiting);

    let mut files = match live {
        Some(live) if again.is_some() => live.replay(&run).map_err(cannot)?,
        Some(live) => live.finish(&run).map_err(cannot)?,
        None => Vec::new(),
    };
    if let Some(report) = &report {
        let system = match (&mut again, &mut lanes) {
            (Some(again), Some(lanes)) => {
                *lanes = Lanes::new(again.system());
                let _ = again.run_with(lanes);
                again.system()
            }
            _ => loaded.simulation.system(),
        };
        let story = lanes.map(|lanes| lanes.story(system));
        let page = pages::of_run(&run, &report::subject(&loaded), story);
        files.push(report.write(&page)?);
    }
    if let Some(to) = &store {
        store::write_summary(&run, &to.dir, &files)
            .map_err(|e| render::plain(&e.to_string(), None))?;
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

/// Makes the directory of results: what cannot be kept should be known before it is computed.
pub(super) fn make_dir(dir: Option<&Path>) -> Result<(), String> {
    let Some(dir) = dir else {
        return Ok(());
    };
    std::fs::create_dir_all(dir)
        .map_err(|e| render::plain(&format!("cannot make {}: {e}", dir.display()), None))
}

/// Where results go.
pub(super) struct Destination {
    pub dir: PathBuf,
    pub formats: Vec<&'static FormatEntry>,
}

impl Destination {
    pub fn of(out: Option<&Path>, format: &[String], model: &str) -> Option<Destination> {
        if out.is_none() && format.is_empty() {
            return None;
        }
        let default = [FORMATS[0].name.to_string()];
        let names = if format.is_empty() {
            &default[..]
        } else {
            format
        };
        Some(Destination {
            dir: out.map_or_else(|| results_dir(model), Path::to_path_buf),
            formats: FORMATS
                .iter()
                .filter(|f| names.iter().any(|n| n == f.name))
                .collect(),
        })
    }
}

/// Doubts and failure, for runs that print no summary.
pub(super) fn troubles(run: &Run) -> String {
    let mut text = String::new();
    for doubt in &run.doubts {
        text.push_str(&format!("{}: {doubt}\n", run.model));
    }
    if let Some(why) = run.failure() {
        text.push_str(&format!("{}: {}", run.model, render::failure(why)));
    }
    text
}
