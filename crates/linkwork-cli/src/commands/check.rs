//! `linkwork check`: is the model sound? Assembles and looks, runs nothing.

mod object;

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::load::{Loaded, Origin, load};
use crate::printer::{Printer, Tone};
use crate::render::{self, SourceText};
use crate::report::{self, PageFile};
use linkwork::balance::Values;
use linkwork::dae::initial::{PoseCheck, Start, StartError, StartReport};
use linkwork::dae::system::{EvalError, Row, System};
use linkwork::mbs::ModelError;
use linkwork::mbs::lint::{Finding, Severity};
use linkwork::mbs::text::Document;
use linkwork::mbs::tree::JointCoordinates;
use linkwork::mbs::tree::joint_coordinates::Form;
use linkwork::mbs::tree::joint_coordinates::Outline;
use linkwork::plural::count;
use linkwork::sparsity::{self, Sparsity};
use linkwork::view::pages;
use linkwork::{Doubt, Note, OptionError, Simulation, about_start, beyond, explain};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Entries of a table before it is cut short.
const LONGEST: usize = 12;
/// Moves below this share of the largest coordinate size are rounding.
const MOVED: f64 = 1e-9;

/// Looks at a model.
pub fn check(args: &CheckArgs, printer: &Printer) -> Exit {
    let mut loaded = match load(&args.model).and_then(|loaded| with_sound_options(loaded, args)) {
        Ok(loaded) => loaded,
        Err(complaint) => {
            printer.message(&complaint);
            return Exit::BadInput;
        }
    };
    let looked = Looked::at(&mut loaded, args.jacobian || args.jacobian_svg.is_some());
    let unwritten = draw(&loaded, &looked, args)
        .and_then(|()| page(&mut loaded, &looked, args))
        .err();
    if args.json {
        printer.result(&format!("{}\n", object::object(&mut loaded, &looked)));
    } else {
        printer.result(&describe(&mut loaded, &looked, args, printer));
    }
    if let Some(complaint) = unwritten {
        printer.message(&complaint);
        return Exit::BadInput;
    }
    if looked.findings > 0 || looked.start.is_err() {
        Exit::Doubtful
    } else {
        Exit::Success
    }
}

/// What a look at a model finds, as one JSON object; with its iteration matrix if wanted.
pub fn findings(
    document: Document,
    text: &str,
    simulation: Simulation,
    with_matrix: bool,
) -> Result<Value, OptionError> {
    let mut loaded = Loaded {
        simulation: with_end(simulation),
        origin: Origin::Text {
            document: Box::new(document),
            source: SourceText {
                name: String::new(),
                text: text.to_string(),
            },
            import: None,
        },
    };
    loaded.simulation.settings()?;
    let looked = Looked::at(&mut loaded, with_matrix);
    Ok(object::object(&mut loaded, &looked))
}

/// What a look at a model has found.
struct Looked {
    lint: Vec<Finding>,
    start: Result<Start, StartError>,
    doubts: Vec<Doubt>,
    notes: Vec<Note>,
    /// Doubts, errors and warnings.
    findings: usize,
    /// The iteration matrix, where it was asked for and the model starts.
    matrix: Option<Matrix>,
}

impl Looked {
    fn at(loaded: &mut Loaded, with_matrix: bool) -> Looked {
        let lint = loaded.lint();
        let start = loaded.simulation.start();
        let strict = loaded.simulation.given().strict == Some(true);
        let (mut doubts, notes) = match &start {
            Ok(start) => about_start(loaded.simulation.system(), &start.report, strict),
            Err(_) => Default::default(),
        };
        if let Ok(start) = &start {
            doubts.extend(beyond(loaded.simulation.system(), start));
        }
        let serious = lint.iter().filter(|f| f.severity != Severity::Hint).count();
        let matrix = match &start {
            Ok(start) if with_matrix => matrix(loaded, start),
            _ => None,
        };
        Looked {
            findings: doubts.len() + serious,
            lint,
            start,
            doubts,
            notes,
            matrix,
        }
    }
}

/// `Ok(None)`: the method needs no matrix.
type Matrix = Result<Option<Sparsity>, EvalError>;

fn matrix(loaded: &mut Loaded, start: &Start) -> Option<Matrix> {
    let settings = loaded.simulation.settings().ok()?;
    let sys = loaded.simulation.system();
    Some(sparsity::sparsity(sys, &settings, start))
}

/// Writes the drawing of the iteration matrix if there is one and it is wanted.
fn draw(loaded: &Loaded, looked: &Looked, args: &CheckArgs) -> Result<(), String> {
    let (Some(path), Some(Ok(Some(matrix)))) = (&args.jacobian_svg, &looked.matrix) else {
        return Ok(());
    };
    let (name, entries) = (loaded.simulation.name(), matrix.pattern.nnz());
    let title = match &matrix.grouping {
        Some(g) => format!("{name}: {entries} entries, {} groups of columns", g.groups),
        None => format!(
            "{name}: {entries} entries, {} of {} unknowns are auxiliary",
            matrix.auxiliary(),
            matrix.pattern.n
        ),
    };
    std::fs::write(path, matrix.svg(&title))
        .map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Writes the page of the assembled pose, or of the best one found, if it is wanted.
fn page(loaded: &mut Loaded, looked: &Looked, args: &CheckArgs) -> Result<(), String> {
    let Some(file) = PageFile::new(args.report.as_deref())? else {
        return Ok(());
    };
    let summary = object::object(loaded, looked).to_string();
    let state = match &looked.start {
        Ok(start) => Some(&start.state),
        Err(why) => why.state(),
    };
    let sys = loaded.simulation.system();
    let values = state.map(|s| (s.t, Values::of(sys, s)));
    let (word, tone) = match (&looked.start, looked.findings) {
        (Err(_), _) => ("does not start", "bad"),
        (Ok(_), 0) => ("sound", "good"),
        (Ok(_), _) => ("findings", "doubtful"),
    };
    let name = loaded.simulation.name().to_string();
    let subject = report::subject(loaded);
    let mut page = pages::of_check(&name, word, tone, &summary, values, &subject);
    page.doubts = looked.doubts.iter().map(ToString::to_string).collect();
    page.doubts
        .extend(looked.lint.iter().map(|f| f.message.clone()));
    if let Err(why) = &looked.start {
        let words = explain::no_start(loaded.simulation.system(), why);
        page.failure = Some(words.to_string());
    }
    file.write(&page).map(|_| ())
}

/// Line and column of a finding in the model text.
fn line_column(loaded: &Loaded, finding: &Finding) -> Option<(usize, usize)> {
    match &loaded.origin {
        // lines of a text that nobody wrote are of no use
        Origin::Problem(_)
        | Origin::Text {
            import: Some(_), ..
        } => None,
        Origin::Text { source, .. } => ModelError::new("")
            .at(finding.span.clone())
            .line_column(&source.text),
    }
}

/// Refuses a model whose `[simulation]` cannot be honoured; an end time need not be there.
fn with_sound_options(mut loaded: Loaded, args: &CheckArgs) -> Result<Loaded, String> {
    loaded.simulation = with_end(loaded.simulation);
    match loaded.simulation.settings() {
        Ok(_) => Ok(loaded),
        Err(e) => Err(loaded.option_error(&e, &args.model.options())),
    }
}

/// The simulation with some end time, which options are checked with.
fn with_end(mut simulation: Simulation) -> Simulation {
    if simulation.given().has("t_end") {
        return simulation;
    }
    let start = simulation.system().facts().guess.t;
    simulation.t_end(start + 1.0)
}

fn describe(loaded: &mut Loaded, looked: &Looked, args: &CheckArgs, printer: &Printer) -> String {
    let name = loaded.simulation.name().to_string();
    let dims = loaded.simulation.system().dims();
    let lint = lint_words(loaded, &looked.lint);
    let notes = loaded.import_notes();
    let mut facts = String::new();
    let mut row = |name: &str, value: String| facts.push_str(&format!("  {name:<14} {value}\n"));
    match &loaded.origin {
        Origin::Text { document, .. } => {
            let [bodies, joints, forces] = document.model.counts();
            row("bodies", bodies.to_string());
            row("joints", joints.to_string());
            row("forces", forces.to_string());
        }
        Origin::Problem(problem) => row("problem", problem.summary.to_string()),
    }
    row("coordinates", dims.nv.to_string());
    let mut constraints = count(dims.nc, "equation", "equations");
    if dims.ng > 0 {
        constraints += &format!(", and {} of velocities", dims.ng);
    }
    row("constraints", constraints);
    let tree = tree_words(loaded);
    let parameters = parameter_words(loaded);

    let sys = loaded.simulation.system();
    let report = match &looked.start {
        Ok(start) => &start.report,
        Err(why) => {
            let verdict = printer.toned("does not start", Tone::Bad);
            let words = indented(&render::failure(&explain::no_start(sys, why)));
            return format!("{name}: {verdict}\n{lint}\n{facts}\n{words}");
        }
    };
    row("freedom", count(report.dof, "degree", "degrees"));
    row("start pose", pose_words(sys, &report.pose));
    let mut text = if looked.findings == 0 {
        format!("{name}: {}\n", printer.toned("sound", Tone::Good))
    } else {
        let words = count(looked.findings, "finding", "findings");
        format!("{name}: {}\n", printer.toned(&words, Tone::Doubtful))
    };
    for finding in &looked.doubts {
        text.push_str(&format!("  finding: {finding}\n"));
    }
    text.push_str(&lint);
    for note in looked.notes.iter().chain(&notes) {
        text.push_str(&format!("  note: {note}\n"));
    }
    text.push_str(&format!("\n{facts}"));
    text.push_str(&parameters);
    text.push_str(&tree);
    text.push_str(&redundancy_words(sys, report));
    text.push_str(&assembly_words(sys, report));
    if let Some(matrix) = &looked.matrix {
        text.push_str(&matrix_words(matrix, args));
    }
    text
}

/// The parameters of a model text with their values.
fn parameter_words(loaded: &Loaded) -> String {
    let parameters = match &loaded.origin {
        Origin::Text { document, .. } => document.parameters().list(),
        Origin::Problem(_) => &[],
    };
    if parameters.is_empty() {
        return String::new();
    }
    let width = parameters.iter().map(|p| p.name.len()).max().unwrap_or(0);
    let mut text = "\nparameters\n".to_string();
    for p in parameters {
        let line = format!("  {:width$}  {} {}", p.name, p.value, p.dimension);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The spanning tree of a model in joint coordinates, for text and JSON.
fn outline(loaded: &Loaded) -> Option<Outline> {
    let Origin::Text { document, .. } = &loaded.origin else {
        return None;
    };
    let asked = loaded.simulation.given();
    if asked.coordinates.as_deref() != Some("joint") {
        return None;
    }
    let cut = asked.cut.as_deref().unwrap_or(&[]);
    let system = JointCoordinates::in_form(&document.model, cut, Form::Cheaper).ok()?;
    Some(system.outline())
}

fn tree_words(loaded: &Loaded) -> String {
    let Some(tree) = outline(loaded) else {
        return String::new();
    };
    let mut text = "\ntree (body on what carries it: joint, coordinates)\n".to_string();
    for b in &tree.branches {
        let by = match &b.joint {
            Some((name, kind)) => format!("{kind} `{name}`"),
            None => "floats".to_string(),
        };
        let coordinates = if b.coordinates.is_empty() {
            "none".to_string()
        } else {
            b.coordinates.join(", ")
        };
        text.push_str(&format!("  {} on {}: {by}, {coordinates}\n", b.body, b.on));
    }
    if tree.cut.is_empty() {
        text.push_str("cut joints: none\n");
        return text;
    }
    text.push_str("cut joints\n");
    for (name, kind, rows) in &tree.cut {
        let rows = count(*rows, "equation", "equations");
        text.push_str(&format!("  {kind} `{name}`: {rows}\n"));
    }
    text
}

/// Findings of one rule that are shown before the rest is only counted.
const ALIKE: usize = 10;

fn lint_words(loaded: &Loaded, lint: &[Finding]) -> String {
    let mut text = String::new();
    for alike in lint.chunk_by(|a, b| a.rule == b.rule) {
        for f in alike.iter().take(ALIKE) {
            let line =
                line_column(loaded, f).map_or(String::new(), |(line, _)| format!(" (line {line})"));
            let (severity, message) = (f.severity.word(), &f.message);
            text.push_str(&format!("  {severity}: {message}{line} [{}]\n", f.rule));
            text.push_str(&format!("    {}\n", f.help));
        }
        if let Some(f) = alike.get(ALIKE) {
            let more = alike.len() - ALIKE;
            text.push_str(&format!("    and {more} more like these [{}]\n", f.rule));
        }
    }
    text
}

/// The iteration matrix in words and characters.
fn matrix_words(matrix: &Matrix, args: &CheckArgs) -> String {
    const WIDTH: usize = 100;
    let matrix = match matrix {
        Ok(Some(matrix)) => matrix,
        Ok(None) => return "\niteration matrix: the method needs none\n".to_string(),
        Err(e) => return format!("\niteration matrix: {e}\n"),
    };
    let mut text = "\niteration matrix\n".to_string();
    for (what, value) in matrix.words() {
        text.push_str(&format!("  {what:<14} {value}\n"));
    }
    if args.jacobian {
        text.push('\n');
        if matrix.auxiliary() > 0 {
            text.push_str("  a: an auxiliary unknown or its equation, x: others\n");
        }
        text.push_str(&matrix.text(WIDTH));
    }
    text
}

fn pose_words(sys: &dyn System, pose: &PoseCheck) -> String {
    let names = |rows: &[usize]| {
        let words: Vec<String> = rows
            .iter()
            .map(|&i| sys.describe(Row::Constraint(i)))
            .collect();
        words.join("; ")
    };
    match pose {
        PoseCheck::Regular { smallest_pivot } => {
            format!("regular (smallest relative pivot {smallest_pivot:.1e})")
        }
        PoseCheck::NearlySingular {
            smallest_pivot,
            rows,
        } => format!(
            "nearly singular (smallest relative pivot {smallest_pivot:.1e}): {}",
            names(rows)
        ),
        PoseCheck::Singular { rows, .. } => format!("singular: {}", names(rows)),
    }
}

fn redundancy_words(sys: &dyn System, report: &StartReport) -> String {
    if report.redundant.is_empty() {
        return String::new();
    }
    let mut text =
        "\nredundant equations (the motion is unique, the reactions are not)\n".to_string();
    for redundant in &report.redundant {
        let name = sys.describe(Row::Constraint(redundant.row));
        let words = if redundant.depends_on.is_empty() {
            "constrains nothing".to_string()
        } else {
            format!("follows from {}", owners(sys, &redundant.depends_on))
        };
        text.push_str(&format!("  {name}: {words}\n"));
    }
    text.push_str(&format!(
        "  reactions that are not unique: {}\n",
        owners(sys, &report.not_unique)
    ));
    text.push_str(
        "  to make them unique, give one of these joints fewer equations, or let a stiff spring carry its load\n",
    );
    text
}

/// The joints that equations belong to.
fn owners(sys: &dyn System, rows: &[usize]) -> String {
    let mut seen = HashSet::new();
    let mut names: Vec<String> = rows
        .iter()
        .map(|&i| sys.owner(Row::Constraint(i)))
        .collect();
    names.retain(|name| seen.insert(name.clone()));
    names.join(", ")
}

fn assembly_words(sys: &dyn System, report: &StartReport) -> String {
    let mut text = match report.iterations {
        0 => "\nassembly: the start values close all joints\n".to_string(),
        n => format!(
            "\nassembly: closed in {}\n",
            count(n, "iteration", "iterations")
        ),
    };
    let joints = residuals_by_owner(sys, report);
    if !joints.is_empty() {
        let width = joints.iter().map(|j| j.0.len()).max().unwrap_or(0).max(14);
        text.push_str(&format!(
            "  {:width$}  {:>12}  {:>12}\n",
            "joint (m, rad)", "open before", "open after"
        ));
        for (owner, before, after) in joints.iter().take(LONGEST) {
            let (before, after) = (size(*before), size(*after));
            text.push_str(&format!("  {owner:width$}  {before:>12}  {after:>12}\n"));
        }
        text.push_str(&rest(joints.len()));
    }
    let scale = sys.facts().scale.clone();
    let largest = scale.iter().fold(0.0, |m: f64, s| m.max(*s));
    text.push_str(&moves(
        sys,
        "moved",
        &report.moved,
        MOVED * largest,
        Row::Position,
    ));
    let velocity = Row::Velocity;
    text.push_str(&moves(
        sys,
        "changed",
        &report.velocity_moved,
        MOVED * largest,
        velocity,
    ));
    text
}

fn size(x: f64) -> String {
    if x == 0.0 {
        "0".to_string()
    } else {
        format!("{x:.1e}")
    }
}

/// Largest residual of each joint before and after, worst first.
fn residuals_by_owner(sys: &dyn System, report: &StartReport) -> Vec<(String, f64, f64)> {
    let mut joints: Vec<(String, f64, f64)> = Vec::new();
    let mut places = HashMap::new();
    let rows = report.residual_before.iter().zip(&report.residual_after);
    for (i, (before, after)) in rows.enumerate() {
        let owner = sys.owner(Row::Constraint(i));
        let place = *places.entry(owner.clone()).or_insert(joints.len());
        if place == joints.len() {
            joints.push((owner, 0.0, 0.0));
        }
        let j = &mut joints[place];
        j.1 = j.1.max(before.abs());
        j.2 = j.2.max(after.abs());
    }
    joints.sort_by(|a, b| b.1.total_cmp(&a.1));
    joints
}

/// Coordinates that the assembly changed, largest change first.
fn moves(
    sys: &dyn System,
    verb: &str,
    change: &[f64],
    least: f64,
    row: fn(usize) -> Row,
) -> String {
    let mut changed: Vec<(usize, f64)> = change
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, d)| d.abs() > least)
        .collect();
    if changed.is_empty() {
        return String::new();
    }
    changed.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let words: Vec<(String, f64)> = changed
        .iter()
        .take(LONGEST)
        .map(|&(i, d)| (sys.describe(row(i)), d))
        .collect();
    let width = words.iter().map(|w| w.0.len()).max().unwrap_or(0);
    let unit = match row(0) {
        Row::Velocity(_) => "m/s, rad/s",
        _ => "m, rad",
    };
    let mut text = format!("  {verb} to fit the joints ({unit})\n");
    for (name, d) in words {
        text.push_str(&format!("    {name:width$}  {d:>+12.4e}\n"));
    }
    text.push_str(&rest(changed.len()));
    text
}

fn rest(n: usize) -> String {
    match n.saturating_sub(LONGEST) {
        0 => String::new(),
        more => format!("    ... and {more} more\n"),
    }
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| {
            if line.is_empty() {
                "\n".to_string()
            } else {
                format!("  {line}\n")
            }
        })
        .collect()
}
