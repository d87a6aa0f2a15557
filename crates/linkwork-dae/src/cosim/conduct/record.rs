//! A whole co-simulation on a tape: the past of every coupling variable, the step control, the
//! accounts, and the tape of every member at the present macro point.
//!
//! What was attempted before is not kept one by one, only counted; the wording of the last failure and
//! seconds spent are not kept at all. A [`Coupling`](crate::cosim::Coupling) with a memory of its own
//! would not be put back.

use super::{Conductor, Watch};
use crate::cosim::account::{ConnectionAccount, MacroStep, Report};
use crate::cosim::workers::hold;
use crate::cosim::{Trouble, Why};
use crate::memory::{Memory, MemoryError};

impl Conductor<'_, '_, '_> {
    /// Hands the whole to the watcher if it asks for it. Members that cannot go back cannot be saved.
    pub(super) fn keep(&mut self, watch: &mut dyn Watch, step: Option<&MacroStep>) {
        if self.estimated && watch.wants_tape(step) {
            let mut tape = Memory::writing();
            self.memory(&mut tape);
            // a tape that is written has nothing to refuse
            let _ = tape.finish();
            watch.on_tape(tape.words());
        }
    }

    /// Takes the whole from a tape and puts everybody where it says.
    pub(super) fn resume(&mut self, words: &[u64]) -> Result<(), Trouble> {
        let refused = |why: MemoryError| Trouble {
            t: f64::NAN,
            why: Why::Memory(why),
        };
        let mut tape = Memory::reading(words.to_vec()).map_err(refused)?;
        self.memory(&mut tape);
        tape.finish().map_err(refused)?;
        for (u, signal) in self.inputs.iter_mut().zip(&self.signals) {
            *u = signal.value();
        }
        for runs in self.workers.members() {
            let mut own = hold(self.workers.tape(runs));
            hold(&runs.main)
                .sub
                .restore(&mut own)
                .map_err(|trouble| match trouble.why {
                    Why::Memory(why) => Trouble {
                        t: trouble.t,
                        why: Why::Told(format!("subsystem `{}`: {why}", runs.name)),
                    },
                    _ => trouble,
                })?;
        }
        Ok(())
    }

    fn memory(&mut self, m: &mut Memory) {
        m.section("cosim");
        for x in [&mut self.t, &mut self.h, &mut self.first, &mut self.beyond] {
            m.f64(x);
        }
        m.bool(&mut self.rising);
        m.u32(&mut self.failures);
        self.controller.memory(m);
        m.section("signals");
        for signal in &mut self.signals {
            signal.memory(m);
        }
        m.slice(&mut self.largest);
        for pair in &mut self.defects {
            m.slice(pair);
        }
        m.section("accounts");
        for counts in self.rulers.iter_mut().flatten() {
            for n in counts {
                m.u64(n);
            }
        }
        let Report {
            ending: _,
            t: _,
            guarantee: _,
            steps: _,
            accepted,
            rejected,
            failed,
            exceeded,
            accumulated,
            largest_error,
            events,
            connections,
            members,
        } = &mut self.report;
        for n in [accepted, rejected, failed, exceeded, events] {
            m.u64(n);
        }
        m.f64(accumulated);
        m.f64(largest_error);
        for account in connections {
            account.memory(m);
        }
        for account in members {
            m.u64(&mut account.limited);
        }
        for runs in self.workers.members() {
            m.section("member");
            let mut tape = hold(self.workers.tape(runs));
            let words = tape.words().iter();
            let mut words: Vec<f64> = words.map(|w| f64::from_bits(*w)).collect();
            m.list(&mut words);
            if m.has_read() {
                let words = words.iter().map(|w| w.to_bits()).collect();
                match Memory::reading(words) {
                    Ok(own) => *tape = own,
                    Err(why) => m.spoil(why),
                }
            }
        }
    }
}

impl ConnectionAccount {
    fn memory(&mut self, m: &mut Memory) {
        let ConnectionAccount {
            largest_defect,
            mean_defect,
            energy_residual,
            energy_scatter,
            energy_through,
            limited,
        } = self;
        for x in [largest_defect, mean_defect, energy_scatter, energy_through] {
            m.f64(x);
        }
        m.option(energy_residual);
        m.u64(limited);
    }
}
