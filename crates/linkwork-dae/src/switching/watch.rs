//! Finds the crossings of switching functions within a step, each once and in order.
//!
//! An interval is sampled at seven points; where all functions are far from zero, at three. A change of
//! sign between samples is a bracket; before it, cells that the certificate does not clear are searched
//! for a dip, so that pairs of crossings between two samples are found too. Intervals that seven samples
//! do not resolve are halved.
//!
//! What is within a *band* about zero, a billionth of the largest sample, is zero. A function that has
//! crossed, or begins within its band, is not *armed*: it has no side until a sample is ten bands away,
//! and if that is on another side than expected, it is searched for an excursion between. So a zero is
//! never found twice, a dip that stays within the band is none, and a ball that has hardly left the floor
//! is seen to come back.

use super::certificate::{Certificate, NODES};
use super::root::{dip, root};
use super::{Crossing, Sense, Switch};
use crate::memory::Memory;

/// Half-width of the band, relative to the largest sample.
const BAND: f64 = 1e-9;
/// The same for what is small throughout, relative to the typical size.
const LEAST: f64 = 1e-12;
/// What is not told from zero right behind an event, relative to the typical size.
const NOISE: f64 = 1e-8;
/// Bands to leave before a function is armed.
const ARMED: f64 = 10.0;
/// A function is far from zero if its least of three samples is this many times their spread.
const FAR: f64 = 4.0;
/// Times that an interval is halved.
const DEPTH: u32 = 6;
/// Wanted accuracy of a zero relative to the step.
const LOCATED: f64 = 1e-13;
/// Crossings that do not count which are passed in one step.
const MOST: usize = 4096;

/// What is known about a function at the present point.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// Sign of the function; 0: not armed.
    side: i8,
    /// Side on which it is expected to be armed; 0: either.
    expect: i8,
    /// The side on which it is armed within the interval looked at.
    next: i8,
    band: f64,
}

/// Values of all functions at a time within the step, or of this one at least.
pub(crate) type Sampler<'a> = &'a mut dyn FnMut(f64, Option<usize>, &mut [f64]);

/// See the [module](self).
pub(crate) struct Watch {
    sense: Vec<Sense>,
    scale: Vec<f64>,
    marks: Vec<Mark>,
    /// Values at the present point.
    left: Vec<f64>,
    samples: [Vec<f64>; NODES],
    probe: Vec<f64>,
    live: Vec<bool>,
    /// Zeros in the interval, infinite where there is none.
    zeros: Vec<f64>,
    crossed: Vec<Crossing>,
    /// Marks and values where the present step began.
    kept: (Vec<Mark>, Vec<f64>),
    certificate: Certificate,
    /// Intervals that seven samples did not resolve at any depth.
    unresolved: u64,
}

fn sign(x: f64) -> i8 {
    if x > 0.0 {
        1
    } else if x < 0.0 {
        -1
    } else {
        0
    }
}

impl Watch {
    pub fn new(switches: &[Switch]) -> Watch {
        let n = switches.len();
        Watch {
            sense: switches.iter().map(|s| s.sense).collect(),
            scale: switches.iter().map(|s| s.scale.abs()).collect(),
            marks: vec![Mark::default(); n],
            left: vec![0.0; n],
            samples: std::array::from_fn(|_| vec![0.0; n]),
            probe: vec![0.0; n],
            live: vec![false; n],
            zeros: vec![f64::INFINITY; n],
            crossed: Vec::with_capacity(n),
            kept: (vec![Mark::default(); n], vec![0.0; n]),
            certificate: Certificate::new(),
            unresolved: 0,
        }
    }

    /// Whether there is nothing to watch.
    pub fn is_empty(&self) -> bool {
        self.sense.is_empty()
    }

    /// How many functions there are.
    pub fn len(&self) -> usize {
        self.sense.len()
    }

    /// The functions that crossed at the time found last.
    pub fn crossed(&self) -> &[Crossing] {
        &self.crossed
    }

    /// The same, to add what is known about their past.
    pub fn crossed_mut(&mut self) -> &mut [Crossing] {
        &mut self.crossed
    }

    /// Begins at a point with these values, which `fill` writes: at the start of a run.
    pub fn begin(&mut self, fill: impl FnOnce(&mut [f64])) -> bool {
        for mark in &mut self.marks {
            *mark = Mark::default();
        }
        self.crossed.clear();
        let crossed = self.settle(false, fill);
        // what begins at zero has not crossed yet
        for (mark, sense) in self.marks.iter_mut().zip(&self.sense) {
            mark.expect = match sense {
                Sense::Rising if mark.side == 0 => -1,
                Sense::Falling if mark.side == 0 => 1,
                _ => mark.expect,
            };
        }
        crossed
    }

    /// Takes over the values on the other side of an event. Tells whether functions have crossed by it:
    /// modes that do not last, functions that jumped over zero.
    pub fn settle(&mut self, jumped: bool, fill: impl FnOnce(&mut [f64])) -> bool {
        fill(&mut self.left);
        // flags of those that crossed before
        self.live.fill(false);
        for c in &self.crossed {
            self.live[c.switch] = true;
        }
        self.crossed.clear();
        for (i, mark) in self.marks.iter_mut().enumerate() {
            let g = self.left[i];
            let mode = self.sense[i] == Sense::Mode;
            mark.band = mark.band.max(LEAST * self.scale[i]);
            let within = !(g.abs() > mark.band);
            // what has crossed is on its way to where it is expected
            let before = if mark.side == 0 && !mode {
                mark.expect
            } else {
                mark.side
            };
            if mode && g < -mark.band {
                self.crossed.push(Crossing {
                    switch: i,
                    rising: false,
                    accumulates: None,
                    attracts: None,
                });
                (mark.side, mark.expect) = (0, 1);
            } else if within && !mode && !jumped && !self.live[i] && mark.side != 0 {
                // it may cross right behind an event that is none of its own
            } else if within || self.live[i] && (mode || !jumped || g.abs() <= ARMED * mark.band) {
                mark.expect = match jumped {
                    _ if mode => 1,
                    true => 0,
                    false => mark.expect,
                };
                mark.side = 0;
            } else {
                mark.side = sign(g);
                let rising = mark.side > 0;
                if before == -mark.side && !self.live[i] && self.sense[i].takes(rising) {
                    self.crossed.push(Crossing {
                        switch: i,
                        rising,
                        accumulates: None,
                        attracts: None,
                    });
                    (mark.side, mark.expect) = (0, mark.side);
                }
            }
        }
        !self.crossed.is_empty()
    }

    /// Keeps the present point, to be able to go back to it.
    pub fn keep(&mut self) {
        let (marks, left) = &mut self.kept;
        marks.copy_from_slice(&self.marks);
        left.copy_from_slice(&self.left);
    }

    /// Goes back to the point that was kept.
    pub fn go_back(&mut self) {
        let (marks, left) = &self.kept;
        self.marks.copy_from_slice(marks);
        self.left.copy_from_slice(left);
        self.crossed.clear();
    }

    /// Takes over values at the present point of functions that come into use.
    pub fn refresh(&mut self, fill: impl FnOnce(&mut [f64])) {
        fill(&mut self.probe);
        for (left, now) in self.left.iter_mut().zip(&self.probe) {
            if !left.is_finite() {
                *left = *now;
            }
        }
    }

    /// The time of the first crossing after the present point, `from`, and up to `to`. The point moves
    /// there; without any it moves to `to`.
    pub fn first(&mut self, from: f64, to: f64, sample: Sampler<'_>) -> Option<f64> {
        let tol = LOCATED * (to - from);
        let mut from = from;
        for _ in 0..MOST {
            let t = self.search(from, to, tol, sample)?;
            self.pass();
            let sense = &self.sense;
            self.crossed.retain(|c| sense[c.switch].takes(c.rising));
            if !self.crossed.is_empty() {
                return Some(t);
            }
            from = t;
        }
        None
    }

    /// Takes over values at a point close to the zero found. What is left of those that crossed is zero.
    pub fn place(&mut self, fill: impl FnOnce(&mut [f64])) {
        fill(&mut self.left);
        for c in &self.crossed {
            let mark = &mut self.marks[c.switch];
            mark.band = mark.band.max(2.0 * self.left[c.switch].abs());
        }
    }

    /// One of the values that `fill` writes.
    pub fn value(&mut self, of: usize, fill: impl FnOnce(&mut [f64])) -> f64 {
        fill(&mut self.probe);
        self.probe[of]
    }

    /// Moves on to the zero found: nothing that crossed there is armed.
    fn pass(&mut self) {
        std::mem::swap(&mut self.left, &mut self.probe);
        for c in &self.crossed {
            let mark = &mut self.marks[c.switch];
            mark.side = 0;
            mark.expect = if c.rising { 1 } else { -1 };
            mark.band = mark.band.max(2.0 * self.left[c.switch].abs());
        }
    }

    /// The earliest zero of any armed function, whatever its direction, with values in `probe`.
    fn search(&mut self, from: f64, to: f64, tol: f64, sample: Sampler<'_>) -> Option<f64> {
        // from left to right: at most one interval waits at every depth
        let mut waiting = [(from, to, 0); DEPTH as usize + 2];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (a, b, depth) = waiting[top];
            let middle = 0.5 * (a + b);
            self.samples[0].copy_from_slice(&self.left);
            sample(b, None, &mut self.samples[NODES - 1]);
            sample(middle, None, &mut self.samples[NODES / 2]);
            if !self.awake() {
                self.left.copy_from_slice(&self.samples[NODES - 1]);
                continue;
            }
            for j in [1, 2, 4, 5] {
                let t = a + self.certificate.node(j) * (b - a);
                sample(t, None, &mut self.samples[j]);
            }
            if !self.resolved() {
                if depth < DEPTH && b - a > 16.0 * tol {
                    waiting[top] = (middle, b, depth + 1);
                    waiting[top + 1] = (a, middle, depth + 1);
                    top += 2;
                    continue;
                }
                self.unresolved += 1;
            }
            if let Some(t) = self.earliest(a, b, tol, sample) {
                return Some(t);
            }
            self.left.copy_from_slice(&self.samples[NODES - 1]);
        }
        None
    }

    /// Decides by three samples which functions need a closer look.
    fn awake(&mut self) -> bool {
        let mut any = false;
        for (i, live) in self.live.iter_mut().enumerate() {
            let y = [0, NODES / 2, NODES - 1].map(|j| self.samples[j][i]);
            let side = f64::from(self.marks[i].side);
            let least = y.iter().fold(f64::INFINITY, |m, y| m.min(side * y));
            let most = y.iter().fold(f64::NEG_INFINITY, |m, y| m.max(side * y));
            let usable = y.iter().all(|y| y.is_finite());
            *live = usable && (side == 0.0 || least <= FAR * (most - least));
            any |= *live;
        }
        any
    }

    fn course(&self, i: usize) -> [f64; NODES] {
        std::array::from_fn(|j| self.samples[j][i])
    }

    fn resolved(&self) -> bool {
        let live = self.live.iter().enumerate().filter(|(_, live)| **live);
        live.into_iter().all(|(i, _)| {
            let y = self.course(i);
            // rounding has no course
            y.iter().any(|y| !y.is_finite())
                || y.iter().all(|y| y.abs() <= LEAST * self.scale[i])
                || Certificate::resolves(&self.certificate.coefficients(&y))
        })
    }

    /// The earliest zero in an interval that is sampled.
    fn earliest(&mut self, a: f64, b: f64, tol: f64, sample: Sampler<'_>) -> Option<f64> {
        let mut best = f64::INFINITY;
        self.zeros.fill(f64::INFINITY);
        for i in 0..self.marks.len() {
            if !self.live[i] {
                continue;
            }
            let y = self.course(i);
            if y.iter().any(|y| !y.is_finite()) {
                continue;
            }
            let zero = self.zero(i, &y, [a, b], best, tol, sample);
            self.zeros[i] = zero;
            best = best.min(zero);
        }
        if best == f64::INFINITY {
            for (mark, live) in self.marks.iter_mut().zip(&self.live) {
                if *live {
                    mark.side = mark.next;
                }
            }
            return None;
        }
        sample(best, None, &mut self.probe);
        self.crossed.clear();
        for (i, zero) in self.zeros.iter().enumerate() {
            let together = *zero <= best || (zero.is_finite() && self.near(i));
            if together {
                self.crossed.push(Crossing {
                    switch: i,
                    rising: self.marks[i].next < 0,
                    accumulates: None,
                    attracts: None,
                });
            }
        }
        Some(best)
    }

    fn near(&self, i: usize) -> bool {
        self.probe[i].abs() <= self.marks[i].band
    }

    /// The first zero of function `i` in `[a, b]`, if it is before `limit`.
    fn zero(
        &mut self,
        i: usize,
        y: &[f64; NODES],
        [a, b]: [f64; 2],
        limit: f64,
        tol: f64,
        sample: Sampler<'_>,
    ) -> f64 {
        let t: [f64; NODES] = std::array::from_fn(|j| match j {
            0 => a,
            j if j == NODES - 1 => b,
            j => a + self.certificate.node(j) * (b - a),
        });
        let largest = y.iter().fold(0.0f64, |m, y| m.max(y.abs()));
        let Mark { side, expect, .. } = self.marks[i];
        let band = (BAND * largest).max(LEAST * self.scale[i]);
        self.marks[i].band = band;
        self.marks[i].next = side;
        let coefficients = self.certificate.coefficients(y);
        let mut begin = 0;
        let mut side = side;
        if side == 0 {
            let Some(j) = y.iter().position(|y| y.abs() > ARMED * band) else {
                return f64::INFINITY;
            };
            side = sign(y[j]);
            let mode = self.sense[i] == Sense::Mode;
            if side != expect || !mode {
                // it has been on the other side in between, or it never was
                let out = match j {
                    0 => None,
                    j => {
                        let along = (self.certificate.node(j), &coefficients);
                        self.excursion(i, -side, y[0], [a, t[j]], along, sample)
                    }
                };
                match out {
                    Some(_) if side == expect => return self.turns_back(i, a),
                    Some(out) => {
                        self.marks[i].next = -side;
                        return self.locate(i, [out, t[j]], y[j], tol, sample);
                    }
                    None if side == expect || expect == 0 => {}
                    None if !mode => return self.turns_back(i, a),
                    None if expect < 0 => {}
                    // what the iterations of a tiny step leave is no way out
                    None if largest < NOISE * self.scale[i] => return f64::INFINITY,
                    None => {
                        self.marks[i].next = expect;
                        // what begins above rounding lasts until it is gone, and not only until it is seen to go
                        return if y[0] > LEAST * self.scale[i] {
                            self.locate(i, [a, t[j]], y[j], tol, sample)
                        } else {
                            a
                        };
                    }
                }
            }
            self.marks[i].next = side;
            begin = j;
        }
        let s = f64::from(side);
        let fall = (begin + 1..NODES).find(|&j| s * y[j] < -band);
        // the last sample before it that is clearly on this side
        let end = fall.map_or(NODES - 1, |fall| {
            (begin..fall)
                .rev()
                .find(|&j| s * y[j] > 0.0)
                .unwrap_or(begin)
        });
        let doubts = self.certificate.doubts(&coefficients, s);
        for [lo, hi] in &doubts.groups[..doubts.known] {
            let lo = lo.max(self.certificate.node(begin));
            let hi = hi.min(self.certificate.node(end));
            if hi <= lo || a + lo * (b - a) > limit {
                continue;
            }
            let start = self.certificate.least(&coefficients, s, [lo, hi]);
            let ends = [a + lo * (b - a), a + hi * (b - a)];
            let found = dip(ends, a + start * (b - a), |t| {
                sample(t, Some(i), &mut self.probe);
                s * self.probe[i] + band
            });
            if let Some(out) = found {
                let before = (begin..end).rev().find(|&j| t[j] < out && s * y[j] > 0.0);
                let from = t[before.unwrap_or(begin)];
                let value = self.probe[i];
                return self.locate(i, [from, out], value, tol, sample);
            }
        }
        match fall {
            Some(fall) if t[end] <= limit => {
                self.locate(i, [t[end], t[fall]], y[fall], tol, sample)
            }
            _ => f64::INFINITY,
        }
    }

    /// A place between two times, the first the beginning of the interval, where function `i` is on a side, if it ever is.
    fn excursion(
        &mut self,
        i: usize,
        side: i8,
        begin: f64,
        [a, b]: [f64; 2],
        (share, coefficients): (f64, &[f64; NODES]),
        sample: Sampler<'_>,
    ) -> Option<f64> {
        let want = f64::from(side);
        let rounding = LEAST * self.scale[i] + 4.0 * begin.abs().min(self.marks[i].band);
        let start = self.certificate.least(coefficients, -want, [0.0, share]);
        dip([a, b], a + start * (b - a) / share, |t| {
            sample(t, Some(i), &mut self.probe);
            rounding - want * self.probe[i]
        })
    }

    /// Function `i` has crossed, and back again at the same time.
    fn turns_back(&mut self, i: usize, t: f64) -> f64 {
        self.marks[i].next = self.marks[i].expect;
        t
    }

    /// The zero of function `i` in a bracket at whose end it is `g_end`.
    fn locate(
        &mut self,
        i: usize,
        [lo, hi]: [f64; 2],
        g_end: f64,
        tol: f64,
        sample: Sampler<'_>,
    ) -> f64 {
        let s = if g_end < 0.0 { 1.0 } else { -1.0 };
        let mut f = |t: f64| {
            sample(t, Some(i), &mut self.probe);
            s * self.probe[i]
        };
        let f_lo = f(lo);
        // NaN must not pass
        if !(f_lo > 0.0) {
            return lo;
        }
        root([lo, hi], [f_lo, s * g_end], tol, f)
    }

    /// Saves or restores what the next search depends on.
    pub fn memory(&mut self, m: &mut Memory) {
        m.section("switches");
        m.slice(&mut self.left);
        let marks = self.marks.iter_mut();
        for Mark {
            side,
            expect,
            next: _,
            band,
        } in marks
        {
            for x in [side, expect] {
                let mut word = (*x + 1) as usize;
                m.index(&mut word, 0..=2);
                *x = word as i8 - 1;
            }
            m.f64(band);
        }
        m.u64(&mut self.unresolved);
    }
}

#[cfg(test)]
mod tests;
