//! Looking after the interpreter while Rust works: its signals, and who wants to know how far it is.

use crate::law::{Slot, has_raised};
use linkwork::dae::drive::{Flow, Observer, ObserverError, View};
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Time between two looks at the interpreter.
const BREATH: Duration = Duration::from_millis(50);

/// Stops what Python wants stopped, and keeps the exception that said so.
pub struct Watch {
    progress: Option<Py<PyAny>>,
    looked: Instant,
    from: f64,
    to: f64,
    /// What functions of the model raise.
    slot: Slot,
    /// What Python raised.
    pub raised: Option<PyErr>,
}

impl Watch {
    /// A watch over work that tells its share to `progress`.
    pub fn new(progress: Option<Py<PyAny>>) -> Watch {
        Watch {
            progress,
            looked: Instant::now(),
            from: 0.0,
            to: 1.0,
            slot: Slot::default(),
            raised: None,
        }
    }

    /// The same over a run to this time.
    pub fn until(mut self, t_end: f64) -> Watch {
        self.to = t_end;
        self
    }

    /// The same over functions that may raise: the run ends, even where it could do without their values.
    pub fn minding(mut self, slot: &Slot) -> Watch {
        self.slot = slot.clone();
        self
    }

    /// Looks at the interpreter if it is time to; whether to go on.
    pub fn goes_on(&mut self, share: f64) -> bool {
        if self.raised.is_some() || has_raised(&self.slot) {
            return false;
        }
        if self.looked.elapsed() < BREATH {
            return true;
        }
        let progress = &self.progress;
        let asked = Python::attach(|py| {
            py.check_signals()?;
            match progress {
                Some(progress) => progress.call1(py, (share,)).map(|_| ()),
                None => Ok(()),
            }
        });
        self.raised = asked.err();
        // what the others did meanwhile is not our time
        self.looked = Instant::now();
        self.raised.is_none()
    }

    /// Tells the end.
    pub fn finish(&mut self, py: Python<'_>) {
        if let (Some(progress), None) = (&self.progress, &self.raised) {
            self.raised = progress.call1(py, (1.0,)).err();
        }
    }
}

impl Observer for Watch {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.from = view.to;
        Ok(())
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let share = (view.to - self.from) / (self.to - self.from);
        Ok(match self.goes_on(share) {
            true => Flow::Continue,
            false => Flow::Stop,
        })
    }

    fn on_resume(&mut self, t: f64) {
        self.from = t;
    }
}
