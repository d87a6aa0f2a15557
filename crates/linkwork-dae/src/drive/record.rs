//! What happened on the way: a list of events for the account of a run.

use super::{Flow, Observer, ObserverError, Occasion, View};
use crate::memory::Memory;
use crate::system::After;

/// Entries kept; of what happens more often only the number is.
const MOST: usize = 100_000;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// When.
    pub t: f64,
    /// What, in words: the name of a switch, or whose force jumped.
    pub name: String,
    /// What kind of event: `clock`, `falls`, `rises`, `accumulates`, `found`, or what a contact or friction does:
    /// see [`Change`](crate::modes::Change).
    pub kind: &'static str,
    /// What came of it.
    pub after: After,
}

/// An observer that lists the events of a run, but for instants of the clock at which nothing jumps.
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    /// The events, in order.
    pub happenings: Vec<Happening>,
    /// How many more there were than are listed.
    pub left_out: u64,
    /// Whether instants of the clock at which nothing jumps here are listed too: what is connected to this
    /// system may feel them.
    pub every_instant: bool,
}

const KINDS: [&str; 12] = [
    "clock",
    "falls",
    "rises",
    "accumulates",
    "found",
    "closes",
    "opens",
    "sticks",
    "slips",
    "hits",
    "rests",
    "chatters",
];
const AFTER: [After; 4] = [After::Continue, After::Restart, After::Jump, After::Stop];

impl EventLog {
    /// How many events there were, listed or not.
    pub fn count(&self) -> u64 {
        self.happenings.len() as u64 + self.left_out
    }

    /// What ended the run, if an event did.
    pub fn ended_by(&self) -> Option<&Happening> {
        self.happenings.last().filter(|h| h.after == After::Stop)
    }

    fn add(&mut self, t: f64, name: String, kind: &'static str, after: After) {
        // the last word is always kept
        if self.happenings.len() >= MOST && after != After::Stop {
            self.left_out += 1;
            return;
        }
        self.happenings.push(Happening {
            t,
            name,
            kind,
            after,
        });
    }
}

impl Observer for EventLog {
    fn on_step(&mut self, _: &mut View<'_>) -> Result<Flow, ObserverError> {
        Ok(Flow::Continue)
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        let t = view.to;
        match view.occasion {
            Some(Occasion::Clock) if after != After::Continue || self.every_instant => {
                self.add(t, "clock".into(), "clock", after);
            }
            None | Some(Occasion::Clock) => {}
            Some(Occasion::Switches { crossed, changes }) => {
                for c in crossed {
                    let switching = view.sys.switching();
                    let rose = switching.as_ref().map_or(c.rising, |s| s.rose(c));
                    let switches = switching.map(|s| s.switches());
                    let name = switches.and_then(|s| s.get(c.switch)).map(|s| &s.name);
                    let kind = match (c.accumulates, rose) {
                        (Some(_), _) => "accumulates",
                        (None, true) => "rises",
                        (None, false) => "falls",
                    };
                    self.add(t, name.cloned().unwrap_or_default(), kind, after);
                }
                for change in changes {
                    self.add(t, change.name.clone(), change.what, after);
                }
            }
            Some(Occasion::Found { row, whose, .. }) => {
                let name = whose.map_or_else(|| view.sys.owner(row), str::to_string);
                self.add(t, name, "found", after);
            }
        }
        Ok(())
    }

    fn memory(&mut self, m: &mut Memory) {
        let EventLog {
            happenings,
            left_out,
            every_instant: _,
        } = self;
        m.section("events");
        m.u64(left_out);
        // a tape holds numbers: names are lists of their letters
        let mut all: Vec<f64> = Vec::new();
        for h in &*happenings {
            let kind = KINDS.iter().position(|k| *k == h.kind).unwrap_or(0);
            let after = AFTER.iter().position(|a| *a == h.after).unwrap_or(0);
            all.extend([h.t, kind as f64, after as f64, h.name.len() as f64]);
            all.extend(h.name.bytes().map(f64::from));
        }
        m.list(&mut all);
        if !m.has_read() {
            return;
        }
        happenings.clear();
        let mut rest = &all[..];
        while let [t, kind, after, length, others @ ..] = rest {
            let (name, others) = others.split_at((*length as usize).min(others.len()));
            let bytes: Vec<u8> = name.iter().map(|b| *b as u8).collect();
            happenings.push(Happening {
                t: *t,
                name: String::from_utf8_lossy(&bytes).into_owned(),
                kind: KINDS.get(*kind as usize).copied().unwrap_or("clock"),
                after: AFTER
                    .get(*after as usize)
                    .copied()
                    .unwrap_or(After::Continue),
            });
            rest = others;
        }
    }
}
