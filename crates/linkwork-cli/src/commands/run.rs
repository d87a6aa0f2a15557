//! `linkwork run`: simulate, judge, write.

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::load::{Loaded, Origin, load};
use crate::printer::{Printer, Tone};
use crate::render;
use indicatif::{ProgressBar, ProgressStyle};
use linkwork::dae::stats::Stats;
use linkwork::dae::stepper::STEPPERS;
use linkwork::observe::{Both, Progress, StopFlag};
use linkwork::summary::Summary;
use linkwork::table::{FORMATS, FormatEntry};
use linkwork::{Run, Verdict, following, store};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs shorter than this need no progress bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two drawings of the bar.
const BREATH: Duration = Duration::from_millis(50);
/// Resolution of the bar.
const TICKS: u64 = 10_000;

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
    let settings = loaded
        .simulation
        .settings()
        .map_err(|e| loaded.option_error(&e, &options))?;
    let store = Destination::of(args.out.as_deref(), &args.format, loaded.simulation.name());
    if let Some(to) = &store {
        // a result that cannot be kept should be known before it is computed
        std::fs::create_dir_all(&to.dir)
            .map_err(|e| render::plain(&format!("cannot make {}: {e}", to.dir.display()), None))?;
    }

    let mut stop = StopFlag::default();
    listen(&stop);
    let mut bar = Bar::new(printer);
    let mut progress = Progress::new(settings.t_end, |share, stats| bar.tell(share, stats));
    let mut watchers = Both(&mut progress, &mut stop);
    let mut run = loaded
        .simulation
        .run(&mut watchers)
        .map_err(|e| render::option_error(&e))?;
    run.notes.extend(loaded.import_notes());
    bar.clear();

    let files = match &store {
        Some(to) => store::store(&run, &to.dir, &to.formats)
            .map_err(|e| render::plain(&e.to_string(), None))?,
        None => Vec::new(),
    };
    if args.json {
        printer.result(&format!("{}\n", Summary::new(&run, &files).to_json()));
    } else if printer.speaks() {
        printer.result(&describe(&run, &loaded, &files, printer));
    }
    if !printer.speaks() {
        printer.message(&troubles(&run));
    }
    Ok(run.verdict.into())
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
            dir: out.map_or_else(
                || PathBuf::from("out").join(file_name(model)),
                Path::to_path_buf,
            ),
            formats: FORMATS
                .iter()
                .filter(|f| names.iter().any(|n| n == f.name))
                .collect(),
        })
    }
}

/// A model name as the name of a directory.
fn file_name(model: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    model
        .chars()
        .map(|c| if safe(c) { c } else { '_' })
        .collect()
}

/// Ctrl-C asks for a stop; a second one ends the program at once.
pub(super) fn listen(stop: &StopFlag) {
    let flag = stop.clone();
    // without a handler Ctrl-C still ends the program, only less gently
    let _ = ctrlc::set_handler(move || {
        if flag.is_raised() {
            std::process::exit(130);
        }
        flag.raise();
    });
}

/// A progress bar that appears only when a run takes long. indicatif hides it when stderr is no
/// terminal.
pub(super) struct Bar {
    allowed: bool,
    since: Instant,
    drawn: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    pub fn new(printer: &Printer) -> Bar {
        let now = Instant::now();
        Bar {
            allowed: printer.shows_progress(),
            since: now,
            drawn: now,
            bar: None,
        }
    }

    fn tell(&mut self, share: f64, stats: &Stats) {
        self.tell_words(share, || format!("{} steps", stats.steps));
    }

    /// Draws the share that is done, with a few words.
    pub fn tell_words(&mut self, share: f64, words: impl FnOnce() -> String) {
        if !self.allowed || self.drawn.elapsed() < BREATH || self.since.elapsed() < PATIENCE {
            return;
        }
        self.drawn = Instant::now();
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(TICKS);
            if let Ok(style) =
                ProgressStyle::with_template("{bar:40} {percent} %  {msg}  {eta} left")
            {
                bar.set_style(style);
            }
            bar
        });
        bar.set_position((share * TICKS as f64) as u64);
        bar.set_message(words());
    }

    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Doubts and failure, for runs that print no summary.
pub(super) fn troubles(run: &Run) -> String {
    let mut text = String::new();
    for doubt in &run.doubts {
        text.push_str(&format!("{}: {doubt}\n", run.model));
    }
    if let Some(why) = run.failure() {
        text.push_str(&format!("{}: {why}", run.model));
    }
    text
}

fn describe(run: &Run, loaded: &Loaded, files: &[String], printer: &Printer) -> String {
    let tone = match run.verdict {
        Verdict::Converged => Tone::Good,
        Verdict::Degraded => Tone::Doubtful,
        Verdict::Failed => Tone::Bad,
    };
    let mut text = format!(
        "{}: {}\n",
        run.model,
        printer.toned(run.verdict.word(), tone)
    );
    for doubt in &run.doubts {
        text.push_str(&format!("  doubt: {doubt}\n"));
    }
    for note in &run.notes {
        text.push_str(&format!("  note: {note}\n"));
    }
    if let Some(why) = run.failure() {
        for line in why.to_string().lines() {
            text.push_str(&format!("  {line}\n").replace("  \n", "\n"));
        }
    }
    text.push('\n');
    let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<12} {value}\n"));
    row("model", model_words(run, loaded));
    row("method", method_words(run));
    row("reached", reached_words(run));
    if run.start.is_some() {
        let s = &run.stats;
        row(
            "steps",
            format!(
                "{} ({} rejected, {} Newton failures)",
                s.steps, s.rejected, s.newton_failures
            ),
        );
        row("work", work_words(s));
        if let Some(words) = jacobian_words(s) {
            row("Jacobians", words);
        }
        if let Some(words) = run.following.as_ref().and_then(following::words) {
            row("excitations", words);
        }
        if loaded_constraints(run) {
            let c = run.constraint_residual;
            row(
                "constraints",
                format!(
                    "open by at most {:.1e} in position (m, rad), {:.1e} in velocity (m/s, rad/s)",
                    c.position, c.velocity
                ),
            );
        }
        if let Some(words) = energy_words(run) {
            row("energy", words);
        }
        if !run.limiters.is_empty() {
            row("step set by", limiter_words(run));
        }
    }
    row(
        "time",
        format!(
            "{} of processor time, {} of it in steps; at most {} and {} in one step",
            seconds(run.cpu_seconds),
            seconds(run.step_cpu_seconds),
            seconds(run.longest_step_seconds),
            count(
                run.stats.most_evaluations as usize,
                "evaluation",
                "evaluations"
            )
        ),
    );
    if let Some(t) = run.restarted_at {
        row("restarted", format!("at t = {t}"));
    }
    if let Some(path) = &loaded.simulation.given().checkpoints.checkpoint {
        row("checkpoint", path.display().to_string());
    }
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

fn loaded_constraints(run: &Run) -> bool {
    run.start
        .as_ref()
        .is_some_and(|s| !s.residual_after.is_empty())
}

pub(super) fn model_words(run: &Run, loaded: &Loaded) -> String {
    let mut words = match &loaded.origin {
        Origin::Text { document, .. } => {
            let [bodies, joints, forces] = document.model.counts();
            format!(
                "{}, {}, {}",
                count(bodies, "body", "bodies"),
                count(joints, "joint", "joints"),
                count(forces, "force", "forces")
            )
        }
        Origin::Problem(problem) => problem.summary.to_string(),
    };
    if let Some(start) = &run.start {
        words.push_str(&format!(
            "; {}",
            count(start.dof, "degree of freedom", "degrees of freedom")
        ));
    }
    words
}

/// "1 body", "2 bodies".
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn method_words(run: &Run) -> String {
    let r = &run.recipe;
    let mut control = match r.rtol {
        Some(rtol) => format!("rtol {rtol:e}"),
        None => "fixed step".to_string(),
    };
    // that of the method itself needs no words
    let method = STEPPERS.iter().find(|e| e.name == r.method);
    let usual = method.map(|e| e.controller);
    if let Some(name) = r.order_control.filter(|name| Some(*name) != usual) {
        control.push_str(&format!(", order control {name}"));
    }
    format!(
        "{}, {}, {} derivatives, {} solver, {control}",
        r.method, r.formulation, r.jacobian, r.linear
    )
}

pub(super) fn reached_words(run: &Run) -> String {
    let first = run.times().first().copied().unwrap_or(f64::NAN);
    let rows = run.times().len();
    if run.start.is_none() {
        return "no start; the best pose found is kept as the only row".to_string();
    }
    format!(
        "t = {first} to {} of {} s; {} of {}",
        run.t_last,
        run.recipe.t_end,
        count(rows, "row", "rows"),
        count(run.table.channels().len(), "channel", "channels")
    )
}

fn work_words(s: &Stats) -> String {
    if s.right_hand_sides > 0 {
        return format!(
            "{} right-hand sides, at most {} in a step, {} factorisations, {} projection evaluations",
            s.right_hand_sides, s.most_right_hand_sides, s.factorisations, s.projection_evaluations
        );
    }
    let mut words = format!("{} residuals", s.residual_evaluations);
    if s.residual_evaluations_for_jacobians > 0 {
        words.push_str(&format!(
            " + {} for Jacobians",
            s.residual_evaluations_for_jacobians
        ));
    }
    format!(
        "{words}, {} Jacobians, {} factorisations, {} solves",
        s.jacobian_evaluations, s.factorisations, s.solves
    )
}

/// How many Jacobians of each kind a run made, what they cost, and what single columns would have.
fn jacobian_words(s: &Stats) -> Option<String> {
    let (columns, evaluated) = (
        s.residual_evaluations_column_by_column,
        s.jacobian_evaluations,
    );
    if columns == 0 {
        return None;
    }
    let cost = match s.residual_evaluations_for_jacobians {
        0 => format!("exactly (no residuals; {columns} column by column)"),
        n => format!("({n} residuals; {columns} column by column)"),
    };
    let mut words = format!(
        "{evaluated} evaluated {cost}, {} recombined",
        s.jacobian_updates
    );
    if s.excitation_updates > 0 {
        words.push_str(&format!(
            " ({} following the excitations)",
            s.excitation_updates
        ));
    }
    if s.factors_kept > 0 {
        words.push_str(&format!(", factors kept {} times", s.factors_kept));
    }
    if s.pattern_searches > 0 {
        let searches = count(s.pattern_searches as usize, "search", "searches");
        let entries = count(s.pattern_growth as usize, "entry", "entries");
        words.push_str(&format!(
            "; pattern estimated in {searches}, {entries} found later"
        ));
    }
    Some(words)
}

fn energy_words(run: &Run) -> Option<String> {
    let e = run.energy?;
    let share = e.imbalance().abs() / e.exchanged;
    let balance = if share.is_finite() {
        format!("balanced to {share:.1e} of the energy in play")
    } else {
        "nothing was exchanged".to_string()
    };
    let joules = |x: f64| joules(x, e.exchanged);
    Some(format!(
        "{} J to {} J, work {} J; {balance}",
        joules(e.start),
        joules(e.end),
        joules(e.work)
    ))
}

/// An energy with enough digits to be compared; what is rounding beside `exchanged` is 0.
fn joules(x: f64, exchanged: f64) -> String {
    let size = x.abs();
    if size <= 1e-14 * exchanged {
        "0".to_string()
    } else if (1e-2..1e6).contains(&size) {
        format!("{x:.6}")
    } else {
        format!("{x:.4e}")
    }
}

fn limiter_words(run: &Run) -> String {
    let top: Vec<String> = run
        .limiters
        .iter()
        .take(3)
        .map(|l| format!("{} {:.0} %", l.owner, 100.0 * l.share))
        .collect();
    top.join(", ")
}

pub(super) fn seconds(s: f64) -> String {
    if s < 1.0 {
        format!("{:.2} ms", 1e3 * s)
    } else {
        format!("{s:.2} s")
    }
}
