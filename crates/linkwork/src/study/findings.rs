//! Which setting reaches wanted digits at the least cost.

use super::{Reference, Row, Setting};
use serde::Serialize;

/// The cheapest way to some digits.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What is measured, by its name.
    pub measure: String,
    /// Wanted digits.
    pub digits: f64,
    /// The setting with the least counted work that reaches them, at this tolerance and at all tighter ones
    /// that were tried; `None` if there is none.
    pub cheapest: Option<Setting>,
    /// Digits it has reached.
    pub reached: Option<f64>,
    /// Its counted work.
    pub work: Option<f64>,
    /// Its processor time, s.
    pub seconds: Option<f64>,
    /// The setting with the least processor time among those that reach the digits: for information, because
    /// it depends on the machine and on what else it does.
    pub fastest: Option<Setting>,
    /// Its processor time, s.
    pub fastest_seconds: Option<f64>,
    /// Why there is none.
    pub without: Option<String>,
}

/// One finding for each measure and each number of digits.
pub(super) fn all(
    rows: &[Row],
    measures: &[String],
    digits: &[f64],
    reference: &Reference,
) -> Vec<Finding> {
    let told = reference.digits();
    let mut findings = Vec::new();
    for (m, measure) in measures.iter().enumerate() {
        for &digits in digits {
            let found = least(rows, m, digits, |row| row.work);
            let fastest = least(rows, m, digits, |row| row.seconds);
            let without = match found {
                Some(_) => None,
                None if told[m] < digits => Some(format!(
                    "the tight runs agree to {:.1} digits only, so that {digits} cannot be told",
                    told[m].max(0.0)
                )),
                None => {
                    let reached = rows.iter().filter(|r| r.without.is_none());
                    let most = reached.map(|r| r.digits[m]).fold(0.0, f64::max);
                    Some(format!(
                        "no setting reaches it; the most is {most:.1} digits"
                    ))
                }
            };
            findings.push(Finding {
                measure: measure.clone(),
                digits,
                cheapest: found.map(|r| r.setting.clone()),
                reached: found.map(|r| r.digits[m]),
                work: found.map(|r| r.work),
                seconds: found.map(|r| r.seconds),
                fastest: fastest.map(|r| r.setting.clone()),
                fastest_seconds: fastest.map(|r| r.seconds),
                without,
            });
        }
    }
    findings
}

/// The row that reaches the digits and has the least of something. Digits at one tolerance may be luck:
/// those at all tighter ones have to be there as well.
fn least(rows: &[Row], measure: usize, digits: f64, of: fn(&Row) -> f64) -> Option<&Row> {
    let reaches = |row: &Row| row.without.is_none() && row.digits[measure] >= digits;
    let holds = |row: &Row| {
        let akin = rows.iter().filter(|r| r.setting.is_akin(&row.setting));
        let mut tighter = akin.filter(|r| r.setting.rtol < row.setting.rtol && r.verdict.is_some());
        tighter.all(reaches)
    };
    let good = rows.iter().filter(|row| reaches(row) && holds(row));
    good.min_by(|a, b| of(a).total_cmp(&of(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Verdict;

    fn row(method: &'static str, rtol: f64, digits: f64, work: f64) -> Row {
        Row {
            setting: Setting {
                method,
                formulation: "ggl",
                coordinates: None,
                rtol,
            },
            verdict: Some(Verdict::Converged),
            without: None,
            reason: None,
            errors: vec![10f64.powf(-digits)],
            digits: vec![digits],
            far: false,
            steps: 1,
            evaluations: 1,
            factorisations: 1,
            solves: 1,
            work,
            seconds: 0.0,
            share: 1.0,
        }
    }

    fn reference(apart: f64) -> Reference {
        Reference {
            runs: Vec::new(),
            apart: vec![apart],
            parted: vec![None],
            unfinished: Vec::new(),
        }
    }

    #[test]
    fn luck_at_one_tolerance_does_not_win() {
        let rows = [
            // more digits than at the next tolerance
            row("bdf", 1e-3, 5.2, 10.0),
            row("bdf", 1e-4, 4.1, 20.0),
            row("bdf", 1e-5, 5.5, 30.0),
            row("newmark", 1e-5, 5.1, 40.0),
            row("newmark", 1e-6, 6.1, 90.0),
        ];
        let found = all(
            &rows,
            &["motion".into()],
            &[4.0, 5.0, 6.0, 7.0],
            &reference(1e-9),
        );
        let works: Vec<Option<f64>> = found.iter().map(|f| f.work).collect();
        assert_eq!(works, [Some(10.0), Some(30.0), Some(90.0), None]);
        let why = found[3].without.as_deref();
        assert_eq!(why, Some("no setting reaches it; the most is 6.1 digits"));
    }
}
