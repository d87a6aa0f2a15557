//! `linkwork reproduce`: published tables and figures beside measured ones.

use crate::args::ReproduceArgs;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::render;
use linkwork::mbs::spelling::nearest;
use linkwork_problems::reproduce::{Behind, STUDIES, Study, StudyEntry, StudyRow, store};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Columns of a table are at least so wide, and their names are broken to fit.
const COLUMN: usize = 11;
/// Columns of notes.
const WIDTH: usize = 96;

/// Lists the studies, or runs one.
pub fn reproduce(args: &ReproduceArgs, printer: &Printer) -> Exit {
    let Some(id) = &args.id else {
        printer.result(&list(args.json));
        return Exit::Success;
    };
    let Some(entry) = STUDIES.iter().find(|e| e.id == id) else {
        printer.message(&not_found(id));
        return Exit::BadInput;
    };
    let dir = match &args.out {
        Some(dir) => dir.clone(),
        None => ["out", "reproduce", entry.id].iter().collect::<PathBuf>(),
    };
    // a result that cannot be kept should be known before it is computed
    if let Err(e) = std::fs::create_dir_all(&dir) {
        let message = format!("cannot make {}: {e}", dir.display());
        printer.message(&render::plain(&message, None));
        return Exit::BadInput;
    }
    let study = match (entry.run)() {
        Ok(study) => study,
        Err(why) => {
            let message = format!("study `{}` could not be computed: {why}", entry.id);
            printer.message(&render::plain(&message, None));
            return Exit::Doubtful;
        }
    };
    let files = match store(&study, &dir) {
        Ok(files) => files,
        Err(e) => {
            printer.message(&render::plain(&e.to_string(), None));
            return Exit::BadInput;
        }
    };
    if args.json {
        printer.result(&format!("{}\n", object(entry, &study, &files)));
    } else if printer.speaks() {
        printer.result(&describe(entry, &study, &files));
    }
    Exit::Success
}

fn list(json: bool) -> String {
    if json {
        let object = |e: &StudyEntry| json!({"name": e.id, "summary": e.title, "source": e.source});
        let objects: Vec<Value> = STUDIES.iter().map(object).collect();
        return format!("{}\n", Value::from(objects));
    }
    let width = STUDIES.iter().map(|e| e.id.len()).max().unwrap_or(0);
    let line = |e: &StudyEntry| format!("{:width$}  {}\n", e.id, e.title);
    STUDIES.iter().map(line).collect()
}

fn not_found(id: &str) -> String {
    let names = || STUDIES.iter().map(|e| e.id);
    let help = match nearest(id, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("studies are {}", names().collect::<Vec<_>>().join(", ")),
    };
    render::plain(&format!("there is no study `{id}`"), Some(&help))
}

fn object(entry: &StudyEntry, study: &Study, files: &[String]) -> Value {
    let side = |values: &[Option<f64>]| -> Map<String, Value> {
        let pairs = study.columns.iter().zip(values);
        let known = pairs.filter_map(|(c, v)| Some((c.to_string(), Value::from((*v)?))));
        known.collect()
    };
    let row = |r: &StudyRow| json!({"label": r.label, "paper": side(&r.paper), "measured": side(&r.measured)});
    let behind = |b: &Behind<'_>| json!({"label": b.label, "column": b.column, "paper": b.paper, "measured": b.measured, "why": b.why});
    json!({
        "id": entry.id,
        "source": entry.source,
        "rows": study.rows.iter().map(row).collect::<Vec<_>>(),
        "notes": study.notes,
        "worse": entry.behind(study).iter().map(behind).collect::<Vec<_>>(),
        "files": files,
    })
}

fn describe(entry: &StudyEntry, study: &Study, files: &[String]) -> String {
    let mut text = format!("{}: {}\n", entry.id, entry.title);
    text.push_str(&paragraph(entry.source, "  "));
    text.push('\n');
    text.push_str(&table(study));
    text.push('\n');
    for note in study.notes.iter().chain(&entry.account(study)) {
        text.push_str(&paragraph(note, "- "));
    }
    text.push_str("\nfiles\n");
    for file in files {
        text.push_str(&format!("  {file}\n"));
    }
    text
}

/// One side of the table: the columns that have a value there.
struct Side<'a> {
    name: &'static str,
    columns: Vec<usize>,
    values: fn(&'a StudyRow) -> &'a [Option<f64>],
}

impl<'a> Side<'a> {
    fn new(
        study: &'a Study,
        name: &'static str,
        values: fn(&'a StudyRow) -> &'a [Option<f64>],
    ) -> Side<'a> {
        let has = |i: &usize| study.rows.iter().any(|r| values(r)[*i].is_some());
        Side {
            name,
            columns: (0..study.columns.len()).filter(has).collect(),
            values,
        }
    }

    /// The lines of the side: its name, the names of its columns, the rows.
    fn lines(&self, study: &'a Study, header: usize) -> Vec<String> {
        let heads: Vec<Vec<String>> = self
            .columns
            .iter()
            .map(|&i| wrapped(study.columns[i], COLUMN))
            .collect();
        let widest = |words: &Vec<String>| words.iter().map(String::len).max().unwrap_or(0);
        let widths: Vec<usize> = heads.iter().map(|h| widest(h).max(COLUMN)).collect();
        let line = |words: Vec<String>| -> String {
            let cells = words.iter().zip(&widths);
            cells
                .map(|(word, width)| format!("  {word:>width$}"))
                .collect()
        };
        let mut lines = vec![format!("  {}", self.name)];
        for k in 0..header {
            let words = heads.iter().map(|h| h.get(k).cloned().unwrap_or_default());
            lines.push(line(words.collect()));
        }
        for row in &study.rows {
            let values = self.columns.iter().map(|&i| number((self.values)(row)[i]));
            lines.push(line(values.collect()));
        }
        let width = widths.iter().map(|w| w + 2).sum();
        lines.iter().map(|l| format!("{l:width$}")).collect()
    }
}

fn table(study: &Study) -> String {
    let sides = [
        Side::new(study, "paper", |r| &r.paper),
        Side::new(study, "measured", |r| &r.measured),
    ];
    let used = || sides.iter().filter(|s| !s.columns.is_empty());
    let names = used().flat_map(|s| &s.columns).map(|&i| study.columns[i]);
    let header = names.map(|n| wrapped(n, COLUMN).len()).max().unwrap_or(0);
    let blank = || std::iter::repeat_n("", header + 1);
    let labels = blank().chain(study.rows.iter().map(|r| r.label.as_str()));
    let width = study.rows.iter().map(|r| r.label.len()).max().unwrap_or(0);
    let columns: Vec<Vec<String>> = used().map(|s| s.lines(study, header)).collect();
    let mut text = String::new();
    for (i, label) in labels.enumerate() {
        let cells: Vec<&str> = columns.iter().map(|c| c[i].as_str()).collect();
        let line = format!("{label:width$} |{}", cells.join(" |"));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Three digits, whole numbers in full.
fn number(value: Option<f64>) -> String {
    let Some(x) = value else {
        return "-".to_string();
    };
    let size = x.abs();
    if x.fract() == 0.0 && size < 1e7 {
        format!("{x:.0}")
    } else if (0.01..1e4).contains(&size) {
        let decimals = (2.0 - size.log10().floor()).max(0.0) as usize;
        format!("{x:.decimals$}")
    } else {
        format!("{x:.1e}")
    }
}

/// Text in lines of at most `width`, broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

fn paragraph(text: &str, first: &str) -> String {
    let mut mark = first;
    let mut out = String::new();
    for line in wrapped(text, WIDTH - first.len()) {
        out.push_str(&format!("{mark}{line}\n"));
        mark = "  ";
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let words = |x| number(Some(x));
        assert_eq!(words(3325.0), "3325");
        assert_eq!(words(-4.011), "-4.01");
        assert_eq!(words(46.36), "46.4");
        assert_eq!(words(0.2595), "0.260");
        assert_eq!(words(1.2e27), "1.2e27");
        assert_eq!(words(0.0), "0");
        assert_eq!(number(None), "-");
    }

    #[test]
    fn names_are_broken_between_words() {
        assert_eq!(
            wrapped("largest spike, slider", 11),
            ["largest", "spike,", "slider"]
        );
        assert_eq!(wrapped("steps", 11), ["steps"]);
    }
}
