//! Events that lead nowhere: the run ends there, and says whose they are.

use super::events::Happens;
use super::{Cause, Engine};
use crate::switching::Switch;

impl Engine<'_> {
    /// Where the run is: at an event that it could not leave, or at the newest state.
    pub(super) fn reached(&self) -> f64 {
        if self.pile.stuck {
            self.pile.last
        } else {
            self.stepper.state().t
        }
    }

    fn names_of_switches(&mut self, switches: Vec<usize>) -> Vec<String> {
        let of_system = self.sys.switching().map_or(&[][..], |s| s.switches());
        let all: Vec<&Switch> = of_system.iter().chain(self.modes.switches()).collect();
        let name = |switch: usize| all.get(switch).map(|s| s.name.clone());
        switches.into_iter().filter_map(name).collect()
    }

    /// The run ends at the event of `cut`.
    fn end_at_cut(&mut self) {
        self.consistent.copy_from(&self.cut);
        self.pile.stick(self.cut.t);
    }

    pub(super) fn chatter(&mut self) -> Cause {
        let row: Vec<usize> = self.pile.row().collect();
        Cause::Chatter {
            switches: self.names_of_switches(row),
            events: self.pile.streak,
        }
    }

    /// What an event of `cut` led to. Where that is nothing, the run ends there: the step has gone on behind it, by
    /// equations that do not hold any more.
    pub(super) fn or_contradiction<T>(
        &mut self,
        led_to: Result<T, Cause>,
        happens: Happens,
    ) -> Result<T, Cause> {
        led_to.map_err(|cause| match cause {
            Cause::Output(why) => {
                self.end_at_cut();
                let crossed = match happens {
                    Happens::Switches => self.watch.crossed().iter().map(|c| c.switch).collect(),
                    Happens::Nothing | Happens::Clock | Happens::Found => Vec::new(),
                };
                let switches = self.names_of_switches(crossed);
                Cause::Event { switches, why }
            }
            other => other,
        })
    }

    /// Zeros of a function pile up and nobody has ended them.
    pub(super) fn piles_up(&mut self, switch: usize, end: f64) -> Cause {
        self.end_at_cut();
        let mut names = self.names_of_switches(vec![switch]);
        Cause::PilesUp {
            switch: names.pop().unwrap_or_default(),
            end,
        }
    }
}
