//! A run in words: the summary on the terminal.

use crate::load::{Loaded, Origin};
use crate::printer::{Printer, Tone};
use crate::render;
use linkwork::Highlights;
use linkwork::dae::stats::Stats;
use linkwork::options::COORDINATES;
use linkwork::plural::count;
use linkwork::verify::Verification;
use linkwork::{Run, Verdict, excitations_in_words};

/// The verdict with its doubts, notes and the reason of a failure.
pub(in super::super) fn heading(run: &Run, printer: &Printer) -> String {
    let tone = match run.verdict {
        Verdict::Converged => Tone::Good,
        Verdict::Degraded => Tone::Doubtful,
        Verdict::Failed => Tone::Bad,
    };
    let verdict = printer.toned(run.verdict.word(), tone);
    let mut text = format!("{}: {verdict}\n", run.model);
    for doubt in &run.doubts {
        text.push_str(&format!("  doubt: {doubt}\n"));
    }
    for note in &run.notes {
        text.push_str(&format!("  note: {note}\n"));
    }
    if let Some(why) = run.failure() {
        for line in render::failure(why).lines() {
            text.push_str(&format!("  {line}\n").replace("  \n", "\n"));
        }
    }
    text.push('\n');
    text
}

/// The summary.
pub(super) fn describe(run: &Run, loaded: &Loaded, files: &[String], printer: &Printer) -> String {
    let mut text = heading(run, printer);
    let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<12} {value}\n"));
    // the mechanism first, then how it was computed
    for (name, value) in Highlights::of(&run.table).words() {
        row(name, value);
    }
    row("model", model_words(run, loaded));
    row("method", method_words(run));
    row("reached", reached_words(run));
    if run.start.is_some() {
        let s = &run.stats;
        row(
            "steps",
            format!(
                "{} ({} rejected, {})",
                s.steps,
                s.rejected,
                count(s.newton_failures, "Newton failure", "Newton failures")
            ),
        );
        row("work", work_words(s));
        if let Some(words) = jacobian_words(s) {
            row("Jacobians", words);
        }
        if let Some(words) = run.following.as_ref().and_then(excitations_in_words) {
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
        if let Some(found) = &run.conditioning {
            row("condition", found.words());
        }
        if let Some(words) = energy_words(run) {
            row("energy", words);
        }
        match &run.verification {
            Some(found) if found.independent => {
                row("verified", verified_words(found));
                for worst in found.worst.iter().take(3) {
                    row(
                        "",
                        format!(
                            "{} agrees to {:.1} digits ({:.1e} {})",
                            worst.channel, worst.digits, worst.difference, worst.unit
                        ),
                    );
                }
            }
            Some(found) => row("accuracy", estimated_words(found)),
            None => row(
                "accuracy",
                "not measured: one run cannot tell how far its end is off".into(),
            ),
        }
        if !run.limiters.is_empty() {
            row("step set by", limiter_words(run));
        }
        if !run.events.happenings.is_empty() {
            row("events", event_words(run));
        }
    }
    row(
        "time",
        format!(
            "{} of processor time, {} of it in steps; at most {} and {} in one step",
            seconds(run.cpu_seconds),
            seconds(run.step_cpu_seconds),
            seconds(run.longest_step_seconds),
            count(run.stats.most_evaluations, "evaluation", "evaluations")
        ),
    );
    if let Some(t) = run.restarted_at {
        row("restarted", format!("at t = {t}"));
    }
    if let Some(path) = &loaded.simulation.given().checkpoint {
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

pub fn model_words(run: &Run, loaded: &Loaded) -> String {
    let mut words = match &loaded.origin {
        Origin::Text { document, .. } => {
            let [bodies, joints, forces] = document.model.counts();
            let gravity = match document.model.gravity == [0.0; 3] {
                true => ", no gravity",
                false => "",
            };
            format!(
                "{}, {}, {}{gravity}",
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

fn method_words(run: &Run) -> String {
    let o = &run.options;
    let word = |option: &str| o.value(option).unwrap_or_default();
    let control = match (o.step, o.rtol) {
        (None, Some(rtol)) => format!("rtol {rtol:e}"),
        _ => "fixed step".to_string(),
    };
    let method = word("method");
    // bodies have absolute coordinates unless others are asked for, or chosen
    let coordinates = match &o.coordinates {
        Some(word) if word != COORDINATES[0] => format!(" in {word} coordinates"),
        _ => String::new(),
    };
    let derivatives = match &o.jacobian {
        Some(word) => format!(" {word} derivatives,"),
        None => String::new(),
    };
    let [formulation, linear] = ["formulation", "linear"].map(word);
    format!("{method}, {formulation}{coordinates},{derivatives} {linear} solver, {control}")
}

pub fn reached_words(run: &Run) -> String {
    let first = run.times().first().copied().unwrap_or(f64::NAN);
    let rows = run.rows.max(run.times().len());
    if run.start.is_none() {
        return "no start; the best pose found is kept as the only row".to_string();
    }
    format!(
        "t = {first} to {} of {} s; {} of {}",
        run.t_last,
        run.options.t_end.unwrap_or(f64::NAN),
        count(rows, "row", "rows"),
        count(run.table.channels().len(), "channel", "channels")
    )
}

fn work_words(s: &Stats) -> String {
    let mut words = own_work_words(s);
    if s.settling_evaluations > 0 {
        let settling = s.settling_evaluations;
        words.push_str(&format!(
            ", {settling} more for forces that follow reactions"
        ));
    }
    words
}

fn own_work_words(s: &Stats) -> String {
    if s.right_hand_sides > 0 {
        return format!(
            "{}, at most {} in a step, {}, {}",
            count(s.right_hand_sides, "right-hand side", "right-hand sides"),
            s.most_right_hand_sides,
            count(s.factorisations, "factorisation", "factorisations"),
            count(
                s.projection_evaluations,
                "projection evaluation",
                "projection evaluations"
            )
        );
    }
    let mut words = count(s.residual_evaluations, "residual", "residuals");
    if s.residual_evaluations_for_jacobians > 0 {
        words.push_str(&format!(
            " + {} for Jacobians",
            s.residual_evaluations_for_jacobians
        ));
    }
    format!(
        "{words}, {}, {}, {}",
        count(s.jacobian_evaluations, "Jacobian", "Jacobians"),
        count(s.factorisations, "factorisation", "factorisations"),
        count(s.solves, "solve", "solves")
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
        n => {
            let residuals = count(n, "residual", "residuals");
            format!("({residuals}; {columns} column by column)")
        }
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
        let times = count(s.factors_kept, "time", "times");
        words.push_str(&format!(", factors kept {times}"));
    }
    if s.pattern_searches > 0 {
        let searches = count(s.pattern_searches, "search", "searches");
        let entries = count(s.pattern_growth, "entry", "entries");
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
    let impacts = match e.impacts {
        0.0 => String::new(),
        lost => format!(", lost in impacts {} J", joules(lost)),
    };
    let strain = match e.strain_most {
        0.0 => String::new(),
        most => format!(
            ", strain {} J to {} J, {} J at most",
            joules(e.strain_start),
            joules(e.strain_end),
            joules(most)
        ),
    };
    Some(format!(
        "{} J to {} J, work {} J{impacts}{strain}; {balance}",
        joules(e.start),
        joules(e.end),
        joules(e.work)
    ))
}

/// An error in tolerances.
fn tolerances(x: f64) -> String {
    match x {
        x if x < 0.1 => "less than 0.1 tolerances".into(),
        x if x < 10.0 => format!("about {x:.1} tolerances"),
        x => format!("about {x:.0} tolerances"),
    }
}

/// How far the end is off.
fn estimated_words(found: &Verification) -> String {
    // where nothing moves nothing is off most
    let most = match found.channel.as_str() {
        "" => String::new(),
        channel => format!(", `{channel}` most"),
    };
    format!(
        "off by {} at the end{most}, held against {}; {:.1} times the work of one run",
        tolerances(found.tolerances.unwrap_or(f64::NAN)),
        found.companion,
        found.work
    )
}

/// How far an independent computation agrees.
fn verified_words(found: &Verification) -> String {
    let mut words = format!(
        "positions and velocities agree to {:.1} digits",
        found.digits
    );
    if let Some(n) = found.tolerances {
        words.push_str(&format!(", at the end to {}", tolerances(n)));
    }
    format!(
        "{words}, with {}; {:.1} times the work of one run",
        found.companion, found.work
    )
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

/// How many there were, and what happened most often.
fn event_words(run: &Run) -> String {
    let mut each: Vec<(&str, usize)> = Vec::new();
    for h in &run.events.happenings {
        match each.iter_mut().find(|(name, _)| *name == h.name) {
            Some((_, n)) => *n += 1,
            None => each.push((&h.name, 1)),
        }
    }
    each.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let all = run.events.count();
    let top = each.iter().take(3).map(|(name, n)| format!("{name} {n}"));
    format!("{all}: {}", top.collect::<Vec<_>>().join(", "))
}

pub fn seconds(s: f64) -> String {
    if s < 1.0 {
        format!("{:.2} ms", 1e3 * s)
    } else {
        format!("{s:.2} s")
    }
}
