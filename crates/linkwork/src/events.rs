//! Events of a run as a file beside its table.
//!
//! ```text
//!  DIR/events.csv   t, kind (clock, falls, closes, sticks, ...), name, after
//! ```

use linkwork_dae::drive::{EventLog, Happening};
use linkwork_dae::system::After;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Name of the file.
pub const EVENTS_FILE: &str = "events.csv";

/// An event as pages and files have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// When.
    pub t: f64,
    /// What kind of event: `clock`; `falls`, `rises`, `accumulates` of a switch; `closes`, `opens`, `hits`, `rests`, `sticks`,
    /// `slips`, `chatters` of contacts and friction; `found` of a jump that nobody named.
    pub kind: String,
    /// What happened: the name of a switch, or whose force jumped.
    pub name: String,
    /// What came of it: `forces jump`, `velocities jump` or `the end`.
    pub after: String,
}

impl From<&Happening> for Mark {
    fn from(h: &Happening) -> Mark {
        let after = match h.after {
            After::Continue => "",
            After::Restart => "forces jump",
            After::Jump => "velocities jump",
            After::Stop => "the end",
        };
        Mark {
            t: h.t,
            kind: h.kind.to_string(),
            name: h.name.clone(),
            after: after.to_string(),
        }
    }
}

/// Writes the events as csv.
pub fn write(log: &EventLog, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["t", "kind", "name", "after"])?;
    for mark in log.happenings.iter().map(Mark::from) {
        csv.write_record([&mark.t.to_string(), &mark.kind, &mark.name, &mark.after])?;
    }
    csv.flush()
}

/// The events of a directory of results; none where there is no such file. Rows that cannot be read are
/// left out: a plot without a mark is better than none.
pub fn read(dir: &Path) -> Vec<Mark> {
    let Ok(mut csv) = csv::Reader::from_path(dir.join(EVENTS_FILE)) else {
        return Vec::new();
    };
    let mark = |row: csv::StringRecord| {
        let text = |i: usize| row.get(i).unwrap_or_default().to_string();
        Some(Mark {
            t: text(0).parse().ok()?,
            kind: text(1),
            name: text(2),
            after: text(3),
        })
    };
    csv.records().flatten().filter_map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let happening = |t, name: &str, after| Happening {
            t,
            name: name.to_string(),
            kind: "falls",
            after,
        };
        let log = EventLog {
            happenings: vec![
                happening(0.25, "floor, \"hard\"", After::Jump),
                happening(1.0 / 3.0, "stop", After::Stop),
            ],
            ..EventLog::default()
        };
        let dir = std::env::temp_dir().join(format!("linkwork-events-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory");
        assert!(read(&dir).is_empty());
        let mut file = std::fs::File::create(dir.join(EVENTS_FILE)).expect("a file");
        write(&log, &mut file).expect("it is written");
        let marks = read(&dir);
        std::fs::remove_dir_all(&dir).expect("it goes");
        let expected: Vec<Mark> = log.happenings.iter().map(Mark::from).collect();
        assert_eq!(marks, expected);
        assert_eq!(marks[0].after, "velocities jump");
    }
}
