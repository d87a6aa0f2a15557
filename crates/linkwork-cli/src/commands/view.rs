//! `linkwork view`: a model or results as a page, in the browser.

use crate::args::ViewArgs;
use crate::exit::Exit;
use crate::load::load;
use crate::printer::Printer;
use crate::render;
use crate::report::{self, PageFile};
use linkwork::events;
use linkwork::mbs::text;
use linkwork::observe::{Both, StopFlag};
use linkwork::store::{MODEL_FILE, Manifest, file_name};
use linkwork::summary::SUMMARY_FILE;
use linkwork::table::{self, FORMATS};
use linkwork::view::pages::{self, Subject};
use linkwork::view::{Lanes, Page, Source, coupled};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Shows a model or results.
pub fn view(args: &ViewArgs, printer: &Printer) -> Exit {
    match try_view(args, printer) {
        Ok(exit) => exit,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_view(args: &ViewArgs, printer: &Printer) -> Result<Exit, String> {
    let path = Path::new(&args.model.model);
    let formats = || FORMATS.iter().map(|f| f.name);
    let is_table = path.extension().is_some_and(|e| formats().any(|f| e == f));
    let (page, exit) = if path.is_dir() || is_table && path.is_file() {
        (results(path)?, Exit::Success)
    } else if super::cosim::is_system(&args.model.model) {
        super::cosim::page(&args.model.model, &args.model.set, &args.options())?
    } else {
        simulated(args)?
    };
    let default = || PathBuf::from(format!("{}.html", file_name(&page.title)));
    let out = args.out.clone().unwrap_or_else(default);
    let file = match PageFile::new(Some(&out))? {
        Some(file) => file.write(&page)?,
        None => return Ok(exit),
    };
    printer.result(&format!(
        "{}: {}\n  page  {file}\n",
        page.title, page.verdict
    ));
    if !args.no_open {
        open(&out);
    }
    Ok(exit)
}

fn simulated(args: &ViewArgs) -> Result<(Page, Exit), String> {
    let mut loaded = load(&args.model)?;
    let options = args.options();
    loaded.simulation = loaded.simulation.options(options.clone());
    loaded.simulation.settle();
    let mut lanes = Lanes::new(loaded.simulation.system());
    let mut stop = StopFlag::default();
    crate::progress::listen(&stop);
    let run = loaded.simulation.run_with(&mut Both(&mut lanes, &mut stop));
    let mut run = run.map_err(|e| loaded.option_error(&e, &options))?;
    run.notes.extend(loaded.notes());
    let story = lanes.story(loaded.simulation.system());
    let page = pages::of_run(&run, &report::subject(&loaded), Some(story));
    Ok((page, run.verdict.into()))
}

fn results(dir: &Path) -> Result<Page, String> {
    let complain = |message: String| {
        let help = "`linkwork run MODEL --format csv` writes such a directory";
        render::plain(&message, Some(help))
    };
    let folder = match dir.is_dir() {
        true => dir,
        false => dir.parent().unwrap_or(Path::new("")),
    };
    let summary = match std::fs::read_to_string(folder.join(SUMMARY_FILE)) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|e| complain(format!("{SUMMARY_FILE} is no JSON: {e}")))?,
        Err(_) => serde_json::Value::Null,
    };
    if dir.is_dir() && coupled::is_coupled(dir) {
        let page = coupled::of_coupled_results(dir, summary);
        return page.map_err(|e| complain(e.to_string()));
    }
    let table = table::read(dir).map_err(|e| complain(e.to_string()))?;
    let name = dir.file_name().map(|n| n.to_string_lossy().into_owned());
    let source = std::fs::read_to_string(folder.join(MODEL_FILE)).ok();
    // results without a model, or with one that later versions do not read, still have plots
    let document = source.as_deref().and_then(|s| text::read(s).ok());
    let subject = Subject {
        model: document.as_ref().map(|d| &d.model),
        source: Source {
            name: MODEL_FILE.to_string(),
            text: source.clone().unwrap_or_default(),
            ..Source::default()
        },
        folder: folder.to_path_buf(),
    };
    let unfinished = Manifest::read(folder).is_some_and(|m| !m.finished);
    let marks = events::read(folder);
    let name = name.unwrap_or_default();
    let mut page = pages::of_results(&name, &table, summary, marks, &subject);
    if unfinished {
        page.verdict = "unfinished".to_string();
        let words = "the run was interrupted, or still goes on: these are its rows so far";
        page.notes.push(words.to_string());
    }
    Ok(page)
}

/// Opens a page where there is a display. That it cannot be opened is no failure: its path is told.
fn open(path: &Path) {
    let graphic = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|v| std::env::var_os(v).is_some_and(|x| !x.is_empty()));
    if !graphic {
        return;
    }
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    let quiet = command
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let _ = quiet.spawn();
}
