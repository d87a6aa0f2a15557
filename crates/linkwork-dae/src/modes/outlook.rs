//! Which gaps can close within a while. The others need no values, and what is open none in a step.
//!
//! ```text
//!  C(t) >= C(t0) - 2 |C_q| |dq|,      |dq_j| <= 2 (t - t0) max |v_j|
//! ```
//!
//! Of each gap what is left at least is remembered, and taken down by how far its coordinates can have moved
//! since. Only where nothing is left of that the gap is evaluated anew. Time is looked at in stretches in which
//! few gaps can close. The two twos are margins: for normals and arms that turn, for speeds between samples.

use super::{Mode, Modes};
use crate::memory::Memory;
use crate::state::State;
use crate::system::System;

/// Fewer rows with laws are all watched all the time.
const MANY: usize = 32;
/// One in so many gaps may be close in a stretch.
const SHARE: usize = 16;
/// Parts of a stretch between which speeds are looked at.
const LOOKS: usize = 4;
/// The shortest stretch, relative to the step.
const SHORTEST: f64 = 1e-6;
const MARGIN: f64 = 2.0;

/// Which rows the system has been told to leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Told {
    #[default]
    Nothing,
    /// Those that are not in force.
    Open,
    /// Those that are far from closing.
    Far,
    /// All but this one.
    Others(usize),
}

/// See the [module](self).
#[derive(Debug, Default)]
pub(super) struct Outlook {
    /// What is left of each gap at least, and the size of its row of `C_q`.
    clear: Vec<f64>,
    slope: Vec<f64>,
    /// The gap with which each touches: impacts of others pass through those that do, at rest as well.
    touching: Vec<f64>,
    far: Vec<bool>,
    /// How far each coordinate can move.
    travel: Vec<f64>,
    /// Length of the last stretch.
    window: f64,
    rests: Vec<bool>,
    /// Those that do not, while all but what is far is evaluated.
    watched: Vec<usize>,
    told: Told,
}

impl Outlook {
    pub fn new(laws: usize, coordinates: usize) -> Outlook {
        Outlook {
            clear: vec![0.0; laws],
            slope: vec![0.0; laws],
            touching: vec![0.0; laws],
            far: vec![false; laws],
            travel: vec![0.0; coordinates],
            window: f64::INFINITY,
            rests: vec![false; laws],
            watched: Vec::with_capacity(laws),
            told: Told::Nothing,
        }
    }

    /// Modes have changed.
    pub fn forget(&mut self) {
        self.told = Told::Nothing;
    }

    /// Nothing is known to be far.
    pub fn begin(&mut self) {
        self.far.fill(false);
        self.clear.fill(0.0);
        self.window = f64::INFINITY;
        self.forget();
    }

    /// Lets the system evaluate everything.
    pub fn wake_all(&mut self, sys: &mut dyn System) {
        self.rests.fill(false);
        if let Some(rows) = sys.capacities() {
            rows.rest(&self.rests);
        }
        self.forget();
    }

    /// How many velocities there are.
    pub fn coordinates(&self) -> usize {
        self.travel.len()
    }

    pub fn is_far(&self, k: usize) -> bool {
        self.far[k]
    }

    /// The laws that are neither far nor off, after [`Modes::wake`].
    pub fn watched(&self) -> &[usize] {
        &self.watched
    }

    pub fn take_slope(&mut self, k: usize, slope: f64, touching: f64) {
        self.slope[k] = slope;
        self.touching[k] = touching;
    }

    pub fn memory(&mut self, m: &mut Memory) {
        m.slice(&mut self.clear);
        m.slice(&mut self.slope);
        m.slice(&mut self.touching);
        for far in &mut self.far {
            m.bool(far);
        }
        m.f64(&mut self.window);
        if m.is_reading() {
            self.forget();
        }
    }
}

impl Modes {
    /// Lets the system leave out what is not in force: until modes are asked for again.
    pub fn doze(&mut self, sys: &mut dyn System) {
        if self.is_empty() || self.outlook.told == Told::Open {
            return;
        }
        for k in 0..self.laws.len() {
            let in_force = match self.mode[k] {
                Mode::Closed | Mode::Sticks => self.takes_part(k),
                Mode::Slides { .. } | Mode::Gives | Mode::Skids { .. } => true,
                Mode::Open | Mode::Off => false,
            };
            self.outlook.rests[k] = !in_force;
        }
        self.tell_rests(sys, Told::Open);
    }

    /// Lets the system evaluate all but what is far.
    pub fn wake(&mut self, sys: &mut dyn System) {
        if self.is_empty() || self.outlook.told == Told::Far {
            return;
        }
        for k in 0..self.laws.len() {
            self.outlook.rests[k] = match self.mode[k] {
                Mode::Open => self.outlook.far[k],
                Mode::Off => true,
                Mode::Closed
                | Mode::Sticks
                | Mode::Slides { .. }
                | Mode::Gives
                | Mode::Skids { .. } => false,
            };
        }
        self.outlook.watched.clear();
        let awake = (0..self.laws.len()).filter(|k| !self.outlook.rests[*k]);
        self.outlook.watched.extend(awake);
        self.tell_rests(sys, Told::Far);
    }

    /// Lets the system evaluate one row alone.
    pub(super) fn wake_alone(&mut self, k: usize, sys: &mut dyn System) {
        if self.outlook.told != Told::Others(k) {
            self.outlook.rests.fill(true);
            self.outlook.rests[k] = false;
            self.tell_rests(sys, Told::Others(k));
        }
    }

    fn tell_rests(&mut self, sys: &mut dyn System, told: Told) {
        if let Some(rows) = sys.capacities() {
            rows.rest(&self.outlook.rests);
        }
        self.outlook.told = told;
    }

    /// Finds a stretch of the step from `from` on in which few gaps can close, and which; returns its end.
    /// `look` gives the motion, and is left at `from`; with few rows nothing is done.
    pub fn look_ahead(
        &mut self,
        sys: &mut dyn System,
        [from, to]: [f64; 2],
        s: &mut State,
        mut look: impl FnMut(f64, &mut State),
    ) -> f64 {
        if !self.are_many() {
            return to;
        }
        let most = self.laws.len() / SHARE;
        let whole = to - from;
        let mut h = whole.min(self.outlook.window);
        self.look_along(from, h, s, &mut look);
        for k in 0..self.laws.len() {
            self.outlook.far[k] = self.mode[k] == Mode::Open && !self.may_close(k);
        }
        self.outlook.forget();
        look(from, s);
        if self.evaluate(sys, s, false).is_err() {
            // all of them are close then
            self.outlook.far.fill(false);
            self.outlook.forget();
            return to;
        }
        for k in 0..self.laws.len() {
            if self.mode[k] == Mode::Open && !self.outlook.far[k] {
                self.outlook.clear[k] = self.c[self.laws[k].row as usize];
            }
        }
        // bodies that touch are close in the shortest stretch as well
        let touching = self.near(SHORTEST * whole / h);
        let near = loop {
            let near = self.near(1.0).saturating_sub(touching);
            if near <= most || h <= SHORTEST * whole {
                break near;
            }
            h *= 0.5;
            self.look_along(from, h, s, &mut look);
        };
        for k in 0..self.laws.len() {
            if self.mode[k] == Mode::Open {
                self.outlook.far[k] = !self.may_close(k);
                self.outlook.clear[k] -= self.closes_by(k);
            }
        }
        self.outlook.forget();
        self.outlook.window = if MARGIN * (near as f64) < most as f64 {
            2.0 * h
        } else {
            h
        };
        look(from, s);
        if h >= whole { to } else { from + h }
    }

    /// Whether there are so many rows that not all are watched all the time.
    pub fn are_many(&self) -> bool {
        self.laws.len() >= MANY
    }

    /// How far each coordinate can move within a stretch.
    fn look_along(
        &mut self,
        from: f64,
        h: f64,
        s: &mut State,
        look: &mut impl FnMut(f64, &mut State),
    ) {
        self.outlook.travel.fill(0.0);
        for k in 0..=LOOKS {
            look(from + h * k as f64 / LOOKS as f64, s);
            for (travel, v) in self.outlook.travel.iter_mut().zip(&s.v) {
                *travel = travel.max(MARGIN * h * v.abs());
            }
        }
    }

    fn closes_by(&self, k: usize) -> f64 {
        let travel = &self.outlook.travel;
        let square = |&(_, j): &(usize, usize)| travel[j] * travel[j];
        let way = self.entries[k].iter().map(square).sum::<f64>().sqrt();
        MARGIN * self.outlook.slope[k] * way
    }

    fn may_close(&self, k: usize) -> bool {
        // NaN must not pass
        !(self.outlook.clear[k] > self.closes_by(k) + self.outlook.touching[k])
    }

    /// How many open gaps may close within a share of the stretch.
    fn near(&self, share: f64) -> usize {
        let open = (0..self.laws.len()).filter(|k| self.mode[*k] == Mode::Open);
        let least = |k: usize| share * self.closes_by(k) + self.outlook.touching[k];
        open.filter(|k| !(self.outlook.clear[*k] > least(*k)))
            .count()
    }
}
