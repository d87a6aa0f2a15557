//! What there is to know of a start: what assembly changed, redundant equations, singular poses.

use crate::doubts::Doubt;
use crate::notes::Note;
use linkwork_dae::initial::{Accelerations, PoseCheck, Start, StartReport};
use linkwork_dae::modes::{Overlap, overlap};
use linkwork_dae::system::{Row, System};
use std::fmt;

/// From this share on a start is another one than was asked for: half the mechanism away, half the speed gone.
const LARGE: f64 = 0.5;
/// Equations named before a list is cut short.
const NAMED: usize = 6;

/// Start values that were changed, the largest changes first.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    /// What, and by how much.
    pub entries: Vec<(String, f64)>,
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = |(name, by): &(String, f64)| format!("{name} by {by:+.3e}");
        let entries = shortened(self.entries.iter().map(entry), "; ");
        write!(f, "the start was fitted to the joints: {entries}")
    }
}

/// Redundant constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// Joints whose reactions are not unique.
    pub joints: String,
    /// Equations that were taken to carry nothing.
    pub redundant: String,
}

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { joints, redundant } = self;
        write!(
            f,
            "reactions are not unique in {joints}; redundant, so taken to carry no load: {redundant}"
        )
    }
}

/// Whether a start is beyond a stop, a rope or a contact: no run begins there.
pub fn beyond(sys: &mut dyn System, start: &Start) -> Option<Doubt> {
    let Overlap { name, by } = overlap(sys, start)?;
    Some(Doubt::Beyond { name, by })
}

/// What there is to know of a start. Motions do not depend on how redundant constraints share their load: that is
/// a doubt only where it is asked for.
pub fn about_start(
    sys: &dyn System,
    report: &StartReport,
    strict: bool,
) -> (Vec<Doubt>, Vec<Note>) {
    let (mut doubts, mut notes) = (Vec::new(), Vec::new());
    let (changes, large) = changes(sys, report);
    match (changes.entries.is_empty(), large) {
        (true, _) => {}
        (false, true) => doubts.push(Doubt::StartChanged(changes)),
        (false, false) => notes.push(Note::StartChanged(changes)),
    }
    if !report.redundant.is_empty() {
        let removed: Vec<usize> = report.redundant.iter().map(|r| r.row).collect();
        let shared = Shared {
            joints: owners(sys, &report.not_unique),
            redundant: names(sys, &removed),
        };
        match strict {
            true => doubts.push(Doubt::ReactionsNotUnique(shared)),
            false => notes.push(Note::ReactionsNotUnique(shared)),
        }
    }
    match &report.pose {
        PoseCheck::Regular { .. } => {}
        PoseCheck::NearlySingular {
            smallest_pivot,
            rows,
        } => doubts.push(Doubt::NearlySingular {
            pivot: *smallest_pivot,
            equations: names(sys, rows),
        }),
        PoseCheck::Singular { rows, .. } => doubts.push(Doubt::Singular {
            equations: names(sys, rows),
        }),
    }
    match report.accelerations {
        Accelerations::Solved => {}
        Accelerations::Branch => doubts.push(Doubt::ReactionsUnbalanced),
    }
    (doubts, notes)
}

/// What was changed, here or before the guesses were put into these coordinates, and whether that is much.
fn changes(sys: &dyn System, report: &StartReport) -> (Changes, bool) {
    let mut found = sys.facts().fitted.clone();
    found.extend(report.changes(sys));
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    let large = found.first().is_some_and(|f| f.share > LARGE);
    let entries = found.into_iter().map(|f| (f.what, f.by)).collect();
    (Changes { entries }, large)
}

fn names(sys: &dyn System, rows: &[usize]) -> String {
    shortened(rows.iter().map(|&i| sys.describe(Row::Constraint(i))), "; ")
}

fn owners(sys: &dyn System, rows: &[usize]) -> String {
    let mut owners: Vec<String> = Vec::new();
    for &i in rows {
        let owner = sys.owner(Row::Constraint(i));
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    shortened(owners.into_iter(), ", ")
}

fn shortened(words: impl Iterator<Item = String>, between: &str) -> String {
    let all: Vec<String> = words.collect();
    let more = all.len().saturating_sub(NAMED);
    let mut text = all[..all.len() - more].join(between);
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
