//! Jacobian strategies: what Arnold, Fuchs & Fuehrer (2006) save by column groups, recombination and
//! updates along the excitations.

pub mod car;
pub mod chain;
pub mod train;

use super::{Axis, Curve, Figure, Study, StudyRow};
use crate::study::{Outcome, Setup};
use cpu_time::ThreadTime;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::jacobian::JacobianStrategy;
use linkwork_dae::jacobian::groups::Groups;
use linkwork_dae::linear::Pattern;
use linkwork_dae::state::State;
use linkwork_dae::system::System;

/// Columns of the two tables of vehicles.
pub(super) const COLUMNS: [&str; 12] = [
    "time, ms",
    "time, %",
    "function calls",
    "function calls, %",
    "calls without Jacobians",
    "Jacobian evaluations",
    "Jacobian evaluations, %",
    "updates",
    "steps",
    "error over tolerance",
    "time, % of blocks kept",
    "function calls, % of blocks kept",
];

/// Columns that all tables share, the first ones.
pub(super) const SHARED: usize = 10;

/// Strategies of the tables, the two baselines first.
pub(super) const STRATEGIES: [(&str, &str); 5] = [
    ("dense, classical reuse", "classical"),
    ("dense, blocks kept", "dense"),
    ("grouped", "grouped"),
    ("grouped, partitioned", "partitioned"),
    ("grouped, extended", "extended"),
];

/// Medians over a few runs that differ by a millionth of the tolerance: where steps are at a
/// stability limit counts are at the level of rounding, and single ones mean nothing. That goes for
/// times as well: the least is that of the run which happens to need the fewest evaluations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Medians {
    seconds: f64,
    calls: f64,
    calls_for_jacobians: f64,
    evaluations: f64,
    updates: f64,
    steps: f64,
    error: f64,
}

impl Medians {
    /// The columns that all tables share, times and calls in per cent of the first line.
    pub(super) fn columns(&self, base: &Medians) -> [f64; SHARED] {
        [
            1e3 * self.seconds,
            100.0 * self.seconds / base.seconds,
            self.calls,
            100.0 * self.calls / base.calls,
            self.calls - self.calls_for_jacobians,
            self.evaluations,
            100.0 * self.evaluations / base.evaluations,
            self.updates,
            self.steps,
            self.error,
        ]
    }
}

/// The middle of some numbers; NaN of none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs that take less time, s, are timed again so many times, all strategies in turn: they are over
/// before the machine is warm, and other work on it comes and goes.
const SHORT: f64 = 0.05;
const ROUNDS: u32 = 20;

/// Makes a system anew for every run.
pub(super) type Build<'a> = &'a dyn Fn() -> Result<Box<dyn System>, String>;

fn timed(setup: &Setup, build: Build<'_>) -> Result<(f64, Outcome), String> {
    let mut sys = build()?;
    let clock = ThreadTime::now();
    let out = setup.run(&mut *sys, &mut ())?;
    Ok((clock.elapsed().as_secs_f64(), out))
}

/// Runs a system `runs` times with a strategy; `error` measures the end state in tolerances.
pub(super) fn measure(
    setup: &Setup,
    runs: u32,
    build: Build<'_>,
    error: &dyn Fn(&State) -> f64,
) -> Result<Medians, String> {
    let mut all: Vec<(f64, Outcome)> = Vec::new();
    for i in 0..runs {
        let mut setup = setup.clone();
        setup.plan.tolerances.rtol *= 1.0 + 1e-6 * f64::from(i);
        let (seconds, out) = timed(&setup, build)?;
        if out.ending != Ending::Finished {
            return Err(format!("{}: {:?}", setup.jacobian, out.ending));
        }
        all.push((seconds, out));
    }
    let of = |f: &dyn Fn(&(f64, Outcome)) -> f64| median(all.iter().map(f).collect());
    Ok(Medians {
        seconds: of(&|r| r.0),
        calls: of(&|r| {
            let s = &r.1.stats;
            (s.residual_evaluations + s.residual_evaluations_for_jacobians) as f64
        }),
        calls_for_jacobians: of(&|r| r.1.stats.residual_evaluations_for_jacobians as f64),
        evaluations: of(&|r| r.1.stats.jacobian_evaluations as f64),
        updates: of(&|r| r.1.stats.jacobian_updates as f64),
        steps: of(&|r| r.1.stats.steps as f64),
        error: of(&|r| error(&r.1.state)),
    })
}

/// What the paper prints for a line: seconds, calls in all, calls without Jacobians, Jacobian evaluations,
/// updates.
#[derive(Clone, Copy, Default)]
pub(super) struct Printed {
    pub seconds: Option<f64>,
    pub calls: Option<f64>,
    pub own_calls: Option<f64>,
    pub evaluations: Option<f64>,
    pub updates: Option<f64>,
}

impl Printed {
    /// The shared columns, in per cent of a first line.
    pub(super) fn columns(&self, base: &Printed) -> [Option<f64>; SHARED] {
        let share = |x: Option<f64>, of: Option<f64>| Some(100.0 * x? / of?);
        [
            self.seconds.map(|s| 1e3 * s),
            share(self.seconds, base.seconds),
            self.calls,
            share(self.calls, base.calls),
            self.own_calls,
            self.evaluations,
            share(self.evaluations, base.evaluations),
            self.updates,
            None,
            None,
        ]
    }
}

/// A line of a published table: its words, the strategy, what is printed.
pub(super) type Published = (&'static str, fn() -> Box<dyn JacobianStrategy>, Printed);

/// The lines of a published table, each relative to the first.
pub(super) fn published(
    prefix: &str,
    setup: &Setup,
    runs: u32,
    build: Build<'_>,
    error: &dyn Fn(&State) -> f64,
    lines: &[Published],
) -> Result<Vec<StudyRow>, String> {
    let mut rows = Vec::new();
    let mut base: Option<(Medians, Printed)> = None;
    for (words, strategy, printed) in lines {
        let mut setup = setup.clone();
        setup.own_jacobian = Some(*strategy);
        let m = measure(&setup, runs, build, error)?;
        let (base, first) = *base.get_or_insert((m, *printed));
        let mut paper = printed.columns(&first).to_vec();
        paper.resize(COLUMNS.len(), None);
        let mut measured: Vec<_> = m.columns(&base).map(Some).to_vec();
        measured.resize(COLUMNS.len(), None);
        rows.push(StudyRow {
            label: format!("{prefix}{words}"),
            paper,
            measured,
        });
    }
    Ok(rows)
}

/// The lines of one model under the strategies of the library, each relative to the first and to the second.
pub(super) fn rows(
    prefix: &str,
    setup: &Setup,
    runs: u32,
    build: Build<'_>,
    error: &dyn Fn(&State) -> f64,
) -> Result<Vec<StudyRow>, String> {
    let mut all = Vec::new();
    for (_, jacobian) in STRATEGIES {
        let mut setup = setup.clone();
        setup.jacobian = jacobian;
        all.push(measure(&setup, runs, build, error)?);
    }
    for _ in 0..ROUNDS {
        for ((_, jacobian), m) in STRATEGIES.iter().zip(&mut all) {
            if m.seconds < SHORT {
                let mut setup = setup.clone();
                setup.jacobian = jacobian;
                m.seconds = m.seconds.min(timed(&setup, build)?.0);
            }
        }
    }
    let mut rows = Vec::new();
    let (base, kept) = (all[0], all[1]);
    for ((words, _), m) in STRATEGIES.iter().zip(&all) {
        let of_kept = [m.seconds / kept.seconds, m.calls / kept.calls];
        let columns = m.columns(&base).into_iter();
        let measured = columns.chain(of_kept.map(|share| 100.0 * share));
        rows.push(StudyRow {
            label: format!("{prefix}{words}"),
            paper: vec![None; COLUMNS.len()],
            measured: measured.map(Some).collect(),
        });
    }
    Ok(rows)
}

/// Instants at which a run evaluated or updated its Jacobian.
#[derive(Default)]
pub(super) struct Instants {
    evaluations: Vec<f64>,
    updates: Vec<f64>,
    seen: (u64, u64),
}

impl Observer for Instants {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let now = (view.stats.jacobian_evaluations, view.stats.jacobian_updates);
        if now.0 > self.seen.0 {
            self.evaluations.push(view.to);
        }
        if now.1 > self.seen.1 {
            self.updates.push(view.to);
        }
        self.seen = now;
        Ok(Flow::Continue)
    }
}

/// A stroke at each place: figures are made of curves, which a point without a place interrupts.
fn strokes(name: &str, places: impl Iterator<Item = [(f64, f64); 2]>) -> Curve {
    let gap = (f64::NAN, f64::NAN);
    Curve {
        name: name.to_string(),
        points: places.flat_map(|[a, b]| [a, b, gap]).collect(),
    }
}

/// Instants of evaluations and updates, one line of strokes for each strategy.
pub(super) fn instants_figure(
    name: &str,
    title: &str,
    setup: &Setup,
    build: Build<'_>,
) -> Result<Figure, String> {
    let mut curves = Vec::new();
    let shown = ["classical", "partitioned", "extended"];
    for (level, jacobian) in shown.into_iter().enumerate() {
        let mut setup = setup.clone();
        setup.jacobian = jacobian;
        let mut instants = Instants::default();
        setup.run(&mut *build()?, &mut instants)?;
        let level = level as f64;
        let upright = |low: f64, high: f64| move |t: &f64| [(*t, level + low), (*t, level + high)];
        let evaluations = instants.evaluations.iter().map(upright(0.05, 0.45));
        curves.push(strokes(&format!("{jacobian}: evaluations"), evaluations));
        if !instants.updates.is_empty() {
            let updates = instants.updates.iter().map(upright(0.5, 0.8));
            curves.push(strokes(&format!("{jacobian}: updates"), updates));
        }
    }
    Ok(Figure {
        name: name.to_string(),
        title: title.to_string(),
        x: Axis::linear("time, s"),
        y: Axis::linear("strategy"),
        curves,
    })
}

/// The entries of a matrix, and the group of each column.
pub(super) fn pattern_figures(name: &str, title: &str, pattern: &Pattern) -> [Figure; 2] {
    let column = |j: usize| pattern.span(j).map(move |k| (pattern.row[k], j as u32));
    let entries: Vec<(u32, u32)> = (0..pattern.n).flat_map(column).collect();
    let groups = Groups::of_pattern(pattern.n, pattern.n, &entries);
    let dash = |x: f64, y: f64| [(x - 0.4, y), (x + 0.4, y)];
    let places = entries
        .iter()
        .map(|&(i, j)| dash(f64::from(j + 1), -f64::from(i + 1)));
    let of = groups.of().iter().enumerate();
    let group = of.map(|(j, g)| dash(j as f64 + 1.0, f64::from(g + 1)));
    let figure = |name: String, title: String, y: &str, curve: Curve| Figure {
        name,
        title,
        x: Axis::linear("column"),
        y: Axis::linear(y),
        curves: vec![curve],
    };
    let nonzeros = format!("{} nonzeros", pattern.nnz());
    let in_groups = format!("{} groups", groups.count());
    [
        figure(
            format!("{name}_pattern"),
            format!("{title}: {nonzeros}"),
            "row, from above",
            strokes(&nonzeros, places),
        ),
        figure(
            format!("{name}_groups"),
            format!("{title}: {in_groups}"),
            "group",
            strokes(&in_groups, group),
        ),
    ]
}

/// A study with the common columns.
pub(super) fn table(rows: Vec<StudyRow>, notes: Vec<String>, figures: Vec<Figure>) -> Study {
    Study {
        columns: COLUMNS.to_vec(),
        rows,
        notes,
        figures,
    }
}

/// What the two tables of vehicles have to say.
pub(super) fn common_note(runs: u32) -> String {
    format!(
        "Medians of {runs} runs whose relative tolerances differ by a millionth; processor times of this \
         machine beside those of the paper's, which it does not name. Lines of the paper have its integrator, \
         DASSL with root mean squares, and its rules: derivatives are evaluated whenever the step size has \
         changed by more than a factor 0.6 to 1.67 or the corrector fails, and kept as they are otherwise; where \
         they are partitioned, a new step size recombines them instead. Dense: every column is differenced, those \
         of the multipliers too, those of the stabilising correction are known. Per cent are of the first line of \
         each block."
    )
}

/// What the lines of the library have to say.
pub(super) const OF_LIBRARY: &str = "Below the lines of the paper stand those of the library, with `--method bdf`: \
     dense differences under the rules of DASSL, the dense baseline that comes for free where blocks are kept apart \
     (a new step size is a recombination, and the columns of the multipliers are known), and its strategies. The last \
     two columns are relative to the second of them.";
