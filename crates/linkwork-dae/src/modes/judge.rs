//! What modes last, and what changes where one does not.

use super::arrange::Crossed;
use super::{Mode, Modes};
use crate::law::{Law, Limit, size};
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::switching::Crossing;
use crate::system::{After, System, Terms};

impl Modes {
    /// What friction can bear while it sticks.
    fn bears(&self, k: usize, limit: Limit, sys: &mut dyn System, s: &State) -> f64 {
        let mut capacity = || sys.capacities().map_or(0.0, |c| c.capacity(k, s));
        match limit {
            Limit::Given { ratio } => ratio * capacity(),
            Limit::Reacting { by, ratio } => ratio * capacity() * size(&by, &s.lambda),
            Limit::Pressed { by, sticking, .. } => -sticking * s.lambda[by as usize],
        }
    }

    /// Values of the switching functions at a state, with its multipliers where they are read.
    pub fn values(&mut self, sys: &mut dyn System, s: &State, out: &mut [f64]) {
        if self.is_empty() {
            return;
        }
        let slides = |m: &Mode| matches!(m, Mode::Slides { .. } | Mode::Gives | Mode::Skids { .. });
        let rates = self.mode.iter().any(slides);
        if self.evaluate(sys, s, rates).is_err() {
            out.fill(f64::NAN);
            return;
        }
        out.fill(f64::INFINITY);
        for &k in self.outlook.watched() {
            let (row, at) = (self.laws[k].row as usize, self.first[k]);
            match (self.mode[k], self.laws[k].law) {
                (_, Law::Held { .. } | Law::Led) => {}
                (_, Law::Cone(cone)) => {
                    out[at..at + 2].copy_from_slice(&self.lasts(k, cone, &s.lambda));
                }
                (Mode::Open, _) => out[at] = self.c[row] - self.sunk[k],
                (Mode::Closed, _) if self.spare[k] => out[at] = self.c[row],
                (Mode::Closed, _) => out[at] = -s.lambda[row] - self.sunk[k],
                (Mode::Sticks, Law::Dry(limit)) if !self.spare[k] => {
                    let most = self.bears(k, limit, sys, s);
                    out[at] = most - s.lambda[row];
                    out[at + 1] = most + s.lambda[row];
                }
                (Mode::Slides { positive }, _) if !self.spare[k] => {
                    out[at] = if positive {
                        self.cv[row]
                    } else {
                        -self.cv[row]
                    };
                }
                (
                    Mode::Off
                    | Mode::Sticks
                    | Mode::Slides { .. }
                    | Mode::Gives
                    | Mode::Skids { .. },
                    _,
                ) => {}
            }
        }
    }

    /// One of them for less: a gap needs no other, a force those in force alone, by the saddle with their rows. `None`:
    /// friction, which may need more.
    pub fn value(
        &mut self,
        switch: usize,
        sys: &mut dyn System,
        saddle: &mut Saddle,
        s: &mut State,
    ) -> Option<f64> {
        let (k, _) = self.owner(switch);
        let row = self.laws[k].row as usize;
        let known = match (self.laws[k].law, self.mode[k]) {
            (Law::OneSided { .. }, Mode::Closed) if !self.spare[k] => {
                self.doze(sys);
                let found = saddle.accelerate(sys, s);
                found.map(|()| -s.lambda[row] - self.sunk[k]).ok()
            }
            (Law::OneSided { .. }, Mode::Open | Mode::Closed) => {
                self.wake_alone(k, sys);
                let mut want = Terms {
                    c: Some(&mut self.c),
                    ..Terms::default()
                };
                let sunk = match self.mode[k] {
                    Mode::Open => self.sunk[k],
                    _ => 0.0,
                };
                let found = sys.eval(&s.at(), &mut want);
                found.map(|()| self.c[row] - sunk).ok()
            }
            _ => return None,
        };
        Some(known.unwrap_or(f64::NAN))
    }

    /// Functions have crossed at `s`, whose accelerations and multipliers are those before; `values` are
    /// theirs. Changes modes, and velocities by impacts. `again`: others have crossed at this time before.
    pub fn cross(
        &mut self,
        crossed: impl Iterator<Item = Crossing> + Clone,
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
        again: bool,
    ) -> Result<After, SaddleError> {
        if self.at_once
            && let Some(after) = self.cross_at_once(&crossed, sys, s, w)?
        {
            return Ok(after);
        }
        if again {
            return self.cross_again(&crossed, sys, s, w);
        }
        self.evaluate(sys, s, true)?;
        let mut hits = Vec::new();
        // of those that would pull only the worst opens: the others may press then
        let mut pulls: Option<(f64, usize)> = None;
        let (mut cones, mut any) = (Vec::new(), false);
        for c in crossed {
            any = true;
            let (k, which) = self.owner(c.switch);
            let row = self.laws[k].row as usize;
            match self.mode[k] {
                _ if matches!(self.laws[k].law, Law::Cone(_)) => cones.push(k),
                Mode::Open => hits.push((k, c.accumulates.is_some())),
                Mode::Closed if self.spare[k] => hits.push((k, false)),
                Mode::Closed => {
                    let force = -s.lambda[row];
                    if pulls.is_none_or(|(worst, _)| force < worst) {
                        pulls = Some((force, k));
                    }
                }
                Mode::Sticks => {
                    let positive = which == 0;
                    self.turn(k, Mode::Slides { positive });
                }
                Mode::Slides { .. } => self.turn(k, Mode::Sticks),
                Mode::Off | Mode::Gives | Mode::Skids { .. } => {}
            }
        }
        if !any {
            return Ok(After::Continue);
        }
        self.turn_cones(&cones, sys, s, w)?;
        if let Some((_, k)) = pulls
            && !self.press(sys, s)?
        {
            self.turn(k, Mode::Open);
        }
        if self.changed || pulls.is_some() {
            self.spare.fill(false);
            self.unpress();
        }
        if hits.is_empty() {
            return Ok(After::Restart);
        }
        self.strike(&hits, sys, s, w)?;
        self.changed = true;
        Ok(After::Jump)
    }

    /// What follows from changes one by one: all modes at once.
    fn cross_again(
        &mut self,
        crossed: &(impl Iterator<Item = Crossing> + Clone),
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<After, SaddleError> {
        let all = crossed.clone().map(|c| (self.owner(c.switch).0, c));
        let hits: Vec<(usize, bool)> = all
            .filter(|(k, _)| {
                let closes = self.mode[*k] == Mode::Closed && self.spare[*k];
                self.mode[*k] == Mode::Open || closes
            })
            .map(|(k, c)| (k, c.accumulates.is_some()))
            .collect();
        if crossed.clone().next().is_none() {
            return Ok(After::Continue);
        }
        if !hits.is_empty() {
            self.strike(&hits, sys, s, w)?;
        }
        self.decide(sys, s, w)?;
        self.changed = true;
        Ok(match hits.is_empty() {
            true => After::Restart,
            false => After::Jump,
        })
    }

    /// The same for all contacts that touch, where these and their friction are all there is. `None`: friction jams.
    fn cross_at_once(
        &mut self,
        crossed: &(impl Iterator<Item = Crossing> + Clone),
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<Option<After>, SaddleError> {
        let mut found = Crossed::default();
        for c in crossed.clone() {
            let (k, which) = self.owner(c.switch);
            match self.mode[k] {
                Mode::Open => found.hits.push((k, c.accumulates.is_some())),
                Mode::Closed if self.spare[k] => found.hits.push((k, false)),
                Mode::Closed => found.leaving.push(k),
                Mode::Sticks => found.begins.push((k, which == 0)),
                Mode::Slides { .. } => found.stops.push(k),
                Mode::Off | Mode::Gives | Mode::Skids { .. } => {}
            }
        }
        if found.is_empty() {
            return Ok(Some(After::Continue));
        }
        if !self.arrange(&found, sys, s, w)? {
            return Ok(None);
        }
        self.changed = true;
        let after = if found.hits.is_empty() {
            After::Restart
        } else {
            After::Jump
        };
        Ok(Some(after))
    }

    /// Friction goes with its contact.
    pub(super) fn unpress(&mut self) {
        for k in 0..self.laws.len() {
            if let Some(by) = self.laws[k].law.pressed_by()
                && !self.is_closed(by)
            {
                self.turn(k, Mode::Off);
            }
        }
    }
}
