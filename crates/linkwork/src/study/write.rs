//! A study as csv and as a work-precision diagram.

use super::{Row, Study};
use crate::options::written;
use crate::plot::{Axis, Curve, Figure};
use std::fmt::Write;

/// Most curves of a diagram: more cannot be told apart.
const CURVES: usize = 12;

/// Every run as a row.
pub(super) fn csv(study: &Study) -> String {
    let mut text = String::from("method,formulation,coordinates,rtol,outcome,far");
    for name in &study.measures {
        let _ = write!(text, ",{}", quoted(&format!("error of {name}")));
    }
    text.push_str(",steps,evaluations,factorisations,solves,work,seconds,reason\n");
    for row in &study.rows {
        let setting = &row.setting;
        let outcome = match (row.verdict, row.without) {
            (Some(verdict), _) => verdict.word(),
            (None, word) => word.unwrap_or_default(),
        };
        let _ = write!(
            text,
            "{},{},{},{},{outcome},{}",
            setting.method,
            setting.formulation,
            setting.coordinates.as_deref().unwrap_or_default(),
            written(setting.rtol),
            row.far,
        );
        for error in &row.errors {
            let _ = match error.is_nan() {
                true => write!(text, ","),
                false => write!(text, ",{error:.3e}"),
            };
        }
        let _ = writeln!(
            text,
            ",{},{},{},{},{:.4e},{:.3e},{}",
            row.steps,
            row.evaluations,
            row.factorisations,
            row.solves,
            row.work,
            row.seconds,
            quoted(row.reason.as_deref().unwrap_or_default()),
        );
    }
    text
}

fn quoted(word: &str) -> String {
    if word.contains([',', '"', '\n']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_string()
    }
}

/// Error against counted work and against time. Of each method the variant is drawn that needs the least
/// work; others only as long as there is room.
pub(super) fn figures(study: &Study, measure: usize) -> [Figure; 2] {
    let groups: Vec<Vec<&Row>> = (study.rows)
        .chunk_by(|a, b| a.setting.is_akin(&b.setting))
        .map(|rows| rows.iter().filter(|r| drawn(r, measure)).collect())
        .filter(|rows: &Vec<&Row>| !rows.is_empty())
        .collect();
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let merits: Vec<f64> = groups.iter().map(|rows| merit(rows, measure)).collect();
    order.sort_by(|&a, &b| merits[b].total_cmp(&merits[a]));
    let mut seen: Vec<&str> = Vec::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for i in order {
        let method = groups[i][0].setting.method;
        if seen.contains(&method) {
            rest.push(i);
        } else {
            seen.push(method);
            first.push(i);
        }
    }
    first.extend(rest);
    first.truncate(CURVES);
    // in the order of the table, so that a method keeps its place from one diagram to the next
    first.sort_unstable();
    let figure = |name: &str, label: &str, of: fn(&Row) -> f64| Figure {
        name: name.to_string(),
        title: format!("{}: {}", study.model, study.measures[measure]),
        x: Axis::log("error, relative to the motion"),
        y: Axis::log(label),
        curves: (first.iter())
            .map(|&i| Curve {
                name: groups[i][0].setting.words(),
                points: (groups[i].iter())
                    .map(|row| (10f64.powf(-row.digits[measure]), of(row)))
                    .collect(),
            })
            .collect(),
    };
    [
        figure("work", "work / instructions, estimated from counts", |r| {
            r.work
        }),
        figure("time", "processor time of the steps / s", |r| r.seconds),
    ]
}

fn drawn(row: &Row, measure: usize) -> bool {
    row.without.is_none() && row.digits[measure] > 0.0
}

/// Digits per decade of work, at the best: what puts a variant before others of its method.
fn merit(rows: &[&Row], measure: usize) -> f64 {
    let of = |row: &&Row| row.digits[measure] - 2.0 * row.work.max(1.0).log10();
    rows.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
}
