//! Watching a co-simulation: rows of every subsystem, macro points of the coupling.

use super::saving::Saver;
use crate::audit::Audit;
use crate::observe::Recorder;
use crate::options::Outputs;
use crate::table::Table;
use linkwork_dae::cosim::{MacroStep, Watch};
use linkwork_dae::drive::{EventLog, Flow, Observer, ObserverError, View};
use linkwork_dae::memory::Memory;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{After, Channel, System};

/// Rows, accounts and counters of one subsystem; steps that are taken back leave no trace.
pub(super) struct Recording {
    pub recorder: Recorder<'static>,
    pub audit: Audit,
    pub events: EventLog,
    pub stats: Stats,
}

impl Recording {
    pub fn new(sys: &dyn System, outputs: Outputs, t_end: f64) -> Recording {
        Recording {
            recorder: Recorder::new(sys, outputs, t_end),
            audit: Audit::new(sys),
            events: EventLog {
                every_instant: true,
                ..EventLog::default()
            },
            stats: Stats::default(),
        }
    }
}

/// A recording that somebody else keeps.
pub(super) struct Shared<'a>(pub &'a mut Recording);

impl Observer for Shared<'_> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.0.recorder.on_start(view)?;
        self.0.audit.on_start(view)
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.0.stats = *view.stats;
        self.0.recorder.on_step(view)?;
        self.0.audit.on_step(view)
    }

    fn on_resume(&mut self, t: f64) {
        self.0.recorder.forget_after(t);
        self.0.recorder.on_resume(t);
        self.0.audit.on_resume(t);
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        self.0.recorder.on_event(view, after)?;
        self.0.events.on_event(view, after)?;
        self.0.audit.on_event(view, after)
    }

    fn memory(&mut self, m: &mut Memory) {
        self.0.recorder.memory(m);
        self.0.audit.memory(m);
        self.0.stats.memory(m);
        // like rows, events stay where they are listed; those of steps that are taken back go
        let EventLog {
            happenings,
            left_out,
            ..
        } = &mut self.0.events;
        let mut kept = happenings.len() as u64;
        m.u64(&mut kept);
        m.u64(left_out);
        if m.has_read() {
            happenings.truncate(usize::try_from(kept).unwrap_or(usize::MAX));
        }
    }
}

/// Called with the share of the run that is done, 0 to 1, and the number of accepted macro steps.
pub type Tell<'a> = dyn FnMut(f64, u64) -> Flow + 'a;

/// Keeps the macro points and tells progress.
pub(super) struct Log<'a> {
    pub table: Table,
    pub tell: &'a mut Tell<'a>,
    pub t_start: f64,
    pub t_end: f64,
    pub saver: Option<Saver>,
    accepted: u64,
    row: Vec<f64>,
}

impl<'a> Log<'a> {
    pub fn new(inputs: &[String], (t_start, t_end): (f64, f64), tell: &'a mut Tell<'a>) -> Log<'a> {
        let mut channels = vec![
            Channel::new("macro.step", "s"),
            Channel::new("macro.error", ""),
            Channel::new("macro.degree", ""),
        ];
        channels.extend(inputs.iter().map(|name| Channel::new(name, "")));
        Log {
            table: Table::new(&channels),
            tell,
            t_start,
            t_end,
            saver: None,
            accepted: 0,
            row: Vec::new(),
        }
    }
}

impl Watch for Log<'_> {
    fn on_step(&mut self, step: &MacroStep, inputs: &[f64]) -> Flow {
        let mut t = step.t;
        if step.accepted {
            t += step.h;
            self.accepted += 1;
            self.row.clear();
            self.row.extend([step.h, step.error, step.degree as f64]);
            self.row.extend(inputs);
            self.table.push(t, &self.row);
        }
        (self.tell)(
            (t - self.t_start) / (self.t_end - self.t_start),
            self.accepted,
        )
    }

    fn wants_tape(&mut self, step: Option<&MacroStep>) -> bool {
        self.saver.as_mut().is_some_and(|saver| saver.is_due(step))
    }

    fn on_tape(&mut self, words: &[u64]) {
        if let Some(saver) = &mut self.saver {
            saver.write(words);
        }
    }
}
