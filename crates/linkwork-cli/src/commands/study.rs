//! `linkwork study`: which setting reaches an accuracy at the least cost.

use crate::args::StudyArgs;
use crate::exit::Exit;
use crate::load::{Loaded, Origin, load};
use crate::printer::Printer;
use crate::progress::{Bar, listen};
use crate::render;
use linkwork::observe::StopFlag;
use linkwork::options::COORDINATES;
use linkwork::plural::count;
use linkwork::store::file_name;
use linkwork::study::{Ask, FAR, Finding, PATIENCE, Row, Study, Watch};
use linkwork::{Options, Simulation, plot};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Tight runs that agree to fewer digits tell of a motion that forgets its start.
const CHAOTIC: f64 = 3.0;

/// Conducts a study of a model.
pub fn study(args: &StudyArgs, printer: &Printer) -> Exit {
    match try_study(args, printer) {
        Ok(exit) => exit,
        Err(complaint) => {
            printer.message(&complaint);
            Exit::BadInput
        }
    }
}

fn try_study(args: &StudyArgs, printer: &Printer) -> Result<Exit, String> {
    let loaded = load(&args.model)?;
    let name = loaded.simulation.name().to_string();
    let given = args.options();
    let ask = ask(args, &loaded, &given);
    let dir = match &args.out {
        Some(dir) => dir.clone(),
        None => ["out", "study", &file_name(&name)]
            .iter()
            .collect::<PathBuf>(),
    };
    super::run::make_dir(Some(&dir))?;
    let build = builder(&loaded, args)?;
    let bar = Mutex::new(Bar::new(printer));
    let stop = StopFlag::default();
    listen(&stop);
    let watch = Watch {
        stop,
        tell: &|done, all| {
            // a bar that died is no trouble
            if let Ok(mut bar) = bar.lock() {
                let words = || format!("{done} of {}", count(all, "run", "runs"));
                bar.tell_words(done as f64 / all.max(1) as f64, words);
            }
        },
    };
    let found = Study::conduct(&ask, &*build, &watch);
    if let Ok(bar) = bar.lock() {
        bar.clear();
    }
    let found = found.map_err(|e| render::plain(&e.message, e.help.as_deref()))?;
    let files = write(&found, &dir)?;
    if args.json {
        let mut object = found.to_object(&ask.base);
        object["files"] = files.into();
        printer.result(&format!("{object}\n"));
    } else if printer.speaks() {
        printer.result(&describe(&found, &ask.base, &files));
    }
    let least = ask.digits.iter().copied().fold(f64::INFINITY, f64::min);
    let told = found.reference.digits();
    let agreed = found.reference.is_checked() && told.iter().all(|digits| *digits >= least);
    Ok(if agreed && !found.cut_short {
        Exit::Success
    } else {
        Exit::Doubtful
    })
}

fn ask(args: &StudyArgs, loaded: &Loaded, given: &Options) -> Ask {
    let usual = Ask::default();
    let own = loaded.simulation.given().clone();
    let coordinates = match (&loaded.origin, &given.coordinates) {
        (Origin::Problem(_), _) => Vec::new(),
        (Origin::Text { .. }, Some(one)) => vec![one.clone()],
        (Origin::Text { .. }, None) => COORDINATES.map(String::from).to_vec(),
    };
    let or = |list: &[f64], usual: Vec<f64>| match list {
        [] => usual,
        list => list.to_vec(),
    };
    Ask {
        base: given.clone().or(own),
        methods: args.methods.clone(),
        formulations: args.formulations.clone(),
        coordinates,
        tolerances: or(&args.tolerances, usual.tolerances),
        channels: args.channels.clone(),
        digits: or(&args.digits, usual.digits),
        threads: args.threads.map_or(usual.threads, usize::from),
        limit: args.limit,
    }
}

type Builder<'a> = Box<dyn Fn(&Options) -> Result<Simulation, String> + Sync + 'a>;

/// Makes simulations of the model again and again.
fn builder<'a>(loaded: &'a Loaded, args: &'a StudyArgs) -> Result<Builder<'a>, String> {
    let name = loaded.simulation.name();
    Ok(match &loaded.origin {
        Origin::Text { document, .. } => {
            let model = &document.model;
            Box::new(move |options| {
                let made = Simulation::in_coordinates(model, options);
                made.map(|s| s.named(name)).map_err(|e| e.to_string())
            })
        }
        Origin::Problem(problem) => {
            let parameters = crate::load::parameters(&args.model.set)?;
            Box::new(move |options| {
                let system = (problem.build)(&parameters)?;
                Ok(Simulation::new(system).named(name).options(options.clone()))
            })
        }
    })
}

/// Writes table, object and diagrams; their paths.
fn write(study: &Study, dir: &Path) -> Result<Vec<String>, String> {
    let mut files = vec![("study.csv".to_string(), study.to_csv())];
    files.push(("study.json".to_string(), format!("{}\n", study.to_json())));
    for (i, measure) in study.measures.iter().enumerate() {
        let figures = study.figures(i);
        files.push((
            format!("{}.svg", file_name(measure)),
            plot::beside(&figures),
        ));
    }
    let mut paths = Vec::new();
    for (name, text) in files {
        let path = dir.join(name);
        std::fs::write(&path, text)
            .map_err(|e| render::plain(&format!("cannot write {}: {e}", path.display()), None))?;
        paths.push(path.display().to_string());
    }
    Ok(paths)
}

fn describe(study: &Study, base: &Options, files: &[String]) -> String {
    let mut text = format!(
        "{}: {} to t = {} s, {:.1} s\n\n",
        study.model,
        count(
            study.rows.iter().filter(|r| r.work > 0.0).count(),
            "run",
            "runs"
        ),
        study.t_end,
        study.seconds
    );
    text.push_str(&reference_words(study));
    for (i, measure) in study.measures.iter().enumerate() {
        let title = match measure.as_str() {
            "motion" => "the whole motion: worst of all positions and angles".to_string(),
            channel => channel.to_string(),
        };
        let _ = writeln!(text, "\n{title}\n");
        text.push_str(&table(study, i));
        text.push('\n');
        for finding in study.findings.iter().filter(|f| f.measure == *measure) {
            text.push_str(&finding_words(finding, base));
        }
    }
    text.push_str(&troubles(study));
    text.push_str("\nfiles\n");
    for file in files {
        let _ = writeln!(text, "  {file}");
    }
    text
}

fn reference_words(study: &Study) -> String {
    let reference = &study.reference;
    let runs: Vec<String> = reference.runs.iter().map(|r| r.setting.whole()).collect();
    let mut text = format!("  reference    {}\n", runs.join("\n               "));
    if reference.is_checked() {
        let agree = (study.measures.iter().zip(reference.digits()))
            .map(|(name, digits)| format!("{name} to {:.1} digits", digits.max(0.0)));
        let _ = writeln!(
            text,
            "  they agree   {}",
            agree.collect::<Vec<_>>().join(", ")
        );
        let told = reference.digits();
        for (i, parted) in reference.parted.iter().enumerate() {
            let Some(t) = parted else { continue };
            let name = &study.measures[i];
            let why = if told[i] < CHAOTIC {
                "the motion is chaotic\n               or passes a singular pose, or neither run is \
                 accurate; a shorter --t-end can be told"
            } else {
                "more digits\n               than these cannot be told there"
            };
            let _ = writeln!(
                text,
                "  they part    {name}, at t = {t:.4} s, by more than the wanted digits allow: {why}"
            );
        }
    } else {
        text.push_str("  unchecked    no second tight run of another family reached the end\n");
    }
    for (who, why) in &reference.unfinished {
        let _ = writeln!(text, "  no reference {who}: {why}");
    }
    text
}

/// Settings by tolerances: digits and work of each.
fn table(study: &Study, measure: usize) -> String {
    let mut tolerances: Vec<f64> = study.rows.iter().map(|r| r.setting.rtol).collect();
    tolerances.sort_by(|a, b| b.total_cmp(a));
    tolerances.dedup();
    let groups: Vec<&[Row]> = study
        .rows
        .chunk_by(|a, b| a.setting.is_akin(&b.setting))
        .collect();
    let words = |rows: &&[Row]| rows[0].setting.words();
    let width = groups
        .iter()
        .map(|rows| words(rows).len())
        .max()
        .unwrap_or(0);
    let mut text = format!("  {:width$}", "digits and work at rtol");
    for rtol in &tolerances {
        let _ = write!(text, "  {:>10}", format!("{rtol:.0e}"));
    }
    text.push('\n');
    for rows in &groups {
        let _ = write!(text, "  {:width$}", words(rows));
        for rtol in &tolerances {
            let row = rows.iter().find(|r| r.setting.rtol == *rtol);
            let cell = row.map_or(String::new(), |row| cell(row, measure));
            let _ = write!(text, "  {cell:>10}");
        }
        let trimmed = text.trim_end().len();
        text.truncate(trimmed);
        text.push('\n');
    }
    text
}

fn cell(row: &Row, measure: usize) -> String {
    match row.without {
        Some("failed") => "failed".into(),
        Some("given up") => "dear".into(),
        Some(_) => "-".into(),
        None => {
            let mark = if row.far { "!" } else { "" };
            format!(
                "{:.1}{mark} {}",
                row.digits[measure].max(0.0),
                amount(row.work)
            )
        }
    }
}

/// Two digits and a letter: 4.3M.
fn amount(x: f64) -> String {
    let (value, letter) = match x {
        x if x >= 1e12 => (x / 1e12, "T"),
        x if x >= 1e9 => (x / 1e9, "G"),
        x if x >= 1e6 => (x / 1e6, "M"),
        x => (x / 1e3, "k"),
    };
    if value < 9.95 {
        format!("{value:.1}{letter}")
    } else {
        format!("{value:.0}{letter}")
    }
}

fn finding_words(finding: &Finding, base: &Options) -> String {
    let digits = finding.digits;
    let (Some(setting), Some(work)) = (&finding.cheapest, finding.work) else {
        let why = finding.without.as_deref().unwrap_or_default();
        return format!("  {digits} digits: {why}\n");
    };
    let mut text = format!(
        "  {digits} digits: {} ({:.1} digits, {} instructions, {:.1} ms)\n",
        setting.whole(),
        finding.reached.unwrap_or(f64::NAN),
        amount(work),
        1e3 * finding.seconds.unwrap_or(f64::NAN),
    );
    for line in setting.lines(base) {
        let _ = writeln!(text, "      {line}");
    }
    if let (Some(fastest), Some(seconds)) = (&finding.fastest, finding.fastest_seconds)
        && fastest != setting
    {
        let ms = 1e3 * seconds;
        let _ = writeln!(
            text,
            "      (by the clock, here and now: {}, {ms:.1} ms)",
            fastest.whole()
        );
    }
    text
}

/// What failed, what was given up, what does not fit, whose verdict was wrong.
fn troubles(study: &Study) -> String {
    let mut text = String::new();
    let groups = || study.rows.chunk_by(|a, b| a.setting.is_akin(&b.setting));
    if study.far().next().is_some() {
        let _ = writeln!(
            text,
            "\n! converged, with an error above {FAR:.0} tolerances"
        );
        for rows in groups() {
            let far: Vec<&Row> = rows.iter().filter(|r| r.far).collect();
            let Some(first) = far.first() else { continue };
            let times = |row: &&Row| {
                let worst = row.errors.iter().copied().fold(0.0, f64::max);
                worst / row.setting.rtol
            };
            let low = far.iter().map(times).fold(f64::INFINITY, f64::min);
            let high = far.iter().map(times).fold(0.0, f64::max);
            let range = match far.len() {
                1 => format!("{low:.0} tolerances at rtol {:.0e}", first.setting.rtol),
                n => format!("{low:.0} to {high:.0} tolerances at {n} of them"),
            };
            let _ = writeln!(text, "  {}: {range}", first.setting.words());
        }
    }
    let failed: Vec<&Row> = study
        .rows
        .iter()
        .filter(|r| r.without == Some("failed"))
        .collect();
    if !failed.is_empty() {
        text.push_str("\nfailed\n");
        for row in failed {
            let why = row.reason.as_deref().unwrap_or_default();
            let _ = writeln!(text, "  {}: {why}", row.setting.whole());
        }
    }
    let is_dear = |r: &&Row| r.without == Some("given up");
    let dear: Vec<String> = groups()
        .filter_map(|rows| rows.iter().find(is_dear).map(|r| r.setting.words()))
        .collect();
    if !dear.is_empty() {
        let _ = writeln!(
            text,
            "\ndear: given up at {PATIENCE} times the work of the first row at the same tolerance\n  {}",
            dear.join("\n  ")
        );
    }
    if !study.left_out.is_empty() {
        text.push_str("\ndo not fit\n");
        for reasons in study.left_out.chunk_by(|a, b| a.1 == b.1) {
            let settings: Vec<&str> = reasons.iter().map(|r| r.0.as_str()).collect();
            let _ = writeln!(text, "  {}: {}", settings.join("; "), reasons[0].1);
        }
    }
    if study.cut_short {
        text.push_str("\ntime was up before all runs were made; --limit gives more\n");
    }
    text
}
