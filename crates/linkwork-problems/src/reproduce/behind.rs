//! Where a value is worse than the printed one, and why.

use super::{Study, StudyEntry};

/// Printed values have three digits; what is behind by less is equal.
const EQUAL: f64 = 1.01;

/// Columns where more is better, by how their names begin.
const MORE: &[&str] = &["times faster"];
/// Columns with a property in them, not an achievement.
const NEITHER: &[&str] = &[
    "steps, times those of BDF",
    // what evaluations are saved by
    "updates",
    "mean order",
    "angle: time",
    "rate: time",
    // exponents as they are proven
    "order",
    "condition",
    "position correction",
    "multiplier correction",
];

/// Why some values of a study are worse than printed.
#[derive(Clone, Copy, Debug)]
pub struct Reason {
    /// How the names of the columns begin.
    pub column: &'static str,
    /// How the rows begin.
    pub row: &'static str,
    /// The words.
    pub why: &'static str,
}

/// A value that is worse than the printed one.
#[derive(Clone, Debug)]
pub struct Behind<'a> {
    /// The row.
    pub label: &'a str,
    /// The column.
    pub column: &'static str,
    /// The printed value.
    pub paper: f64,
    /// Ours.
    pub measured: f64,
    /// Why; none where nobody knows.
    pub why: Option<&'static str>,
}

/// Whether a value is worse than the printed one: in all other columns less is better.
fn is_worse(column: &str, measured: f64, paper: f64) -> bool {
    let among = |names: &[&str]| names.iter().any(|name| column.starts_with(name));
    match (among(NEITHER), among(MORE)) {
        (true, _) => false,
        (_, true) => EQUAL * measured < paper,
        (_, false) => measured > EQUAL * paper,
    }
}

impl StudyEntry {
    /// All values of this study, as computed, that are worse than the printed ones.
    pub fn behind<'a>(&self, study: &'a Study) -> Vec<Behind<'a>> {
        let mut found = Vec::new();
        for row in &study.rows {
            for (i, &column) in study.columns.iter().enumerate() {
                let (Some(paper), Some(measured)) = (row.paper[i], row.measured[i]) else {
                    continue;
                };
                if !is_worse(column, measured, paper) {
                    continue;
                }
                let says =
                    |r: &&Reason| column.starts_with(r.column) && row.label.starts_with(r.row);
                found.push(Behind {
                    label: &row.label,
                    column,
                    paper,
                    measured,
                    why: self.reasons.iter().find(says).map(|r| r.why),
                });
            }
        }
        found
    }

    /// The same in words: for each reason how many values there are, and the worst of them.
    pub fn account(&self, study: &Study) -> Vec<String> {
        let behind = self.behind(study);
        let mut reasons: Vec<Option<&str>> = Vec::new();
        for b in &behind {
            if !reasons.contains(&b.why) {
                reasons.push(b.why);
            }
        }
        let line = |why: &Option<&str>| {
            let own = || behind.iter().filter(|b| b.why == *why);
            let worst = own().max_by(|a, b| a.factor().total_cmp(&b.factor()))?;
            let count = match own().count() {
                1 => String::new(),
                n => format!(" in {n} values, at worst"),
            };
            let (label, column) = (worst.label, worst.column);
            let (ours, paper) = (short(worst.measured), short(worst.paper));
            let why = why.unwrap_or("The cause is not known.");
            Some(format!(
                "Worse than printed{count}: {label}, {column}, {ours} for {paper}. {why}"
            ))
        };
        reasons.iter().filter_map(line).collect()
    }
}

impl Behind<'_> {
    /// How many times worse.
    fn factor(&self) -> f64 {
        (self.measured / self.paper).max(self.paper / self.measured)
    }
}

/// Three digits.
fn short(x: f64) -> String {
    let decimals = (2.0 - x.abs().log10().floor()).clamp(0.0, 2.0) as usize;
    match (1e-2..1e5).contains(&x.abs()) {
        true => format!("{x:.decimals$}"),
        false => format!("{x:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{STUDIES, StudyRow};
    use super::*;

    #[test]
    fn what_is_worse_is_found() {
        let study = Study {
            columns: vec!["steps", "times faster than adams", "mean order", "digits"],
            rows: vec![StudyRow {
                label: "a line".into(),
                paper: vec![Some(100.0), Some(10.0), Some(2.0), None],
                measured: vec![Some(110.0), Some(9.0), Some(5.0), Some(1.0)],
            }],
            notes: Vec::new(),
            figures: Vec::new(),
        };
        let mut entry = StudyEntry {
            reasons: &[],
            ..STUDIES[0]
        };
        let columns = |e: &StudyEntry| -> Vec<(&str, bool)> {
            let all = e.behind(&study);
            all.iter().map(|b| (b.column, b.why.is_some())).collect()
        };
        assert_eq!(
            columns(&entry),
            [("steps", false), ("times faster than adams", false)]
        );
        entry.reasons = &[Reason {
            column: "steps",
            row: "a",
            why: "Because.",
        }];
        assert_eq!(
            columns(&entry),
            [("steps", true), ("times faster than adams", false)]
        );
        let account = entry.account(&study);
        assert_eq!(
            account[0],
            "Worse than printed: a line, steps, 110 for 100. Because."
        );
        assert!(
            account[1].ends_with("9.00 for 10.0. The cause is not known."),
            "{account:?}"
        );
    }
}
