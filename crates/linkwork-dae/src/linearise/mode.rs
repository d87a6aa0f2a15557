//! Natural modes of a linearised system.

use super::eigenspace::{Drifts, Member, settle};
use super::{Linearisation, LineariseError};
use crate::eigen::{Complex, eigenpairs};
use crate::kinetic::{BodyShare, combined};
use std::f64::consts::TAU;

/// One mode; of a conjugate pair only the one with positive imaginary part is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct EigenMode {
    /// Eigenvalue, 1/s.
    pub value: Complex,
    /// Change of every coordinate, scaled so that the largest entry (in its typical size) of
    /// coordinates and states is 1, with phase 0.
    pub dq: Vec<Complex>,
    /// Change of every first-order and algebraic state.
    pub dx: Vec<Complex>,
    /// Share of every body of [`Linearisation::motions`] in the kinetic energy of the mode, in the mean
    /// over a period, summing up to 1; zeros where nothing with inertia moves.
    pub shares: Vec<BodyShare>,
    /// For a zero: the displacement may also grow steadily, as that of a free body does.
    pub drifts: bool,
}

impl EigenMode {
    /// Frequency of the vibration, Hz; 0 for an aperiodic mode.
    pub fn frequency(&self) -> f64 {
        self.value.im / TAU
    }

    /// `|lambda| / 2 pi`, Hz: the frequency without damping, for a mode of one mass.
    pub fn natural_frequency(&self) -> f64 {
        self.value.abs() / TAU
    }

    /// Share of critical damping: 1 for an aperiodic decay, 0 without damping, negative when the
    /// mode grows.
    pub fn damping_ratio(&self) -> f64 {
        if self.is_zero() {
            0.0
        } else {
            -self.value.re / self.value.abs()
        }
    }

    /// Whether the mode neither vibrates nor decays nor grows.
    pub fn is_zero(&self) -> bool {
        self.value == Complex::ZERO
    }

    /// Whether the mode grows, beyond what rounding makes of an undamped one.
    pub fn is_unstable(&self) -> bool {
        self.value.re > 1e-9 * self.value.abs()
    }
}

/// Eigenvalues that differ by less, relative to their size, are equal.
const EQUAL: f64 = 1e-9;
/// The same relative to the largest of all, for slow ones beside fast ones.
const ROUNDED: f64 = 1e-15;
/// Share of a free direction in those that drift from which on it drifts.
const DRIFTS: f64 = 1e-6;

/// All modes, slowest first; vectors that belong to a steady drift are not counted again.
pub fn modes(system: &Linearisation) -> Result<Vec<EigenMode>, LineariseError> {
    let mut pairs = eigenpairs(&system.a)?;
    pairs.retain(|p| p.value.im >= 0.0);
    let (pairs, deep): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|p| p.depth <= 1);
    let drifting = deep.iter().filter(|p| p.depth == 2);
    let drifting = drifting.map(|p| combined(&system.a, &p.vector)).collect();
    let drifts = Drifts::new(&system.motions, drifting);
    let mut spaces: Vec<(Complex, Vec<Vec<Complex>>)> = Vec::new();
    let fastest = pairs.iter().fold(0.0f64, |m, p| m.max(p.value.abs()));
    for pair in pairs {
        let equal = |value: Complex| {
            let near = (EQUAL * value.abs()).max(ROUNDED * fastest);
            let both_zero = value == pair.value;
            let neither = value != Complex::ZERO && pair.value != Complex::ZERO;
            both_zero || (neither && (value - pair.value).abs() <= near)
        };
        match spaces.iter_mut().find(|(value, _)| equal(*value)) {
            Some((_, vectors)) => vectors.push(pair.vector),
            None => spaces.push((pair.value, vec![pair.vector])),
        }
    }
    sort(&mut spaces);
    let mut list: Vec<EigenMode> = Vec::new();
    for (value, vectors) in spaces {
        let of_one_size = vectors.iter().map(|y| normal_vector(system, y)).collect();
        for y in settle(&system.motions, &drifts, of_one_size) {
            let mut mode = normalised(system, value, &y);
            if mode.is_zero() {
                let member = Member::new(&system.motions, y);
                mode.drifts = drifts.share(&system.motions, &member) > DRIFTS;
            }
            list.push(mode);
        }
    }
    Ok(list)
}

/// Slowest first; of those that are equally fast, up to rounding, the one that decays faster.
fn sort(spaces: &mut [(Complex, Vec<Vec<Complex>>)]) {
    spaces.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let mut from = 0;
    while from < spaces.len() {
        let slowest = spaces[from].0.abs();
        let as_fast = (spaces[from..].iter())
            .take_while(|s| s.0.abs() <= (1.0 + EQUAL) * slowest)
            .count();
        let run = &mut spaces[from..from + as_fast];
        run.sort_by(|a, b| a.0.re.total_cmp(&b.0.re));
        from += as_fast;
    }
}

/// The largest entry of a vector in typical sizes of coordinates and states, over that size.
fn largest_entry(system: &Linearisation, dq: &[Complex], dx: &[Complex]) -> Complex {
    let mut largest = (0.0, Complex::ONE);
    let sizes = (dq.iter().zip(&system.scale)).chain(dx.iter().zip(&system.scale_x));
    for (x, s) in sizes {
        let size = x.abs() / s;
        // equal entries differ by rounding; the first should win then
        if size > largest.0 * (1.0 + 1e-9) {
            largest = (size, x.scale(1.0 / s));
        }
    }
    largest.1
}

/// A vector whose largest entry is 1.
fn normal_vector(system: &Linearisation, y: &[Complex]) -> Vec<Complex> {
    let (dq, dx) = (combined(&system.dq, y), combined(&system.dx, y));
    let largest = largest_entry(system, &dq, &dx);
    y.iter().map(|y| *y / largest).collect()
}

fn normalised(system: &Linearisation, value: Complex, y: &[Complex]) -> EigenMode {
    let (mut dq, mut dx) = (combined(&system.dq, y), combined(&system.dx, y));
    let largest = largest_entry(system, &dq, &dx);
    for x in dq.iter_mut().chain(dx.iter_mut()) {
        *x = *x / largest;
        // what is rounding beside the largest entry
        let tidy = |x: f64| if x.abs() < 1e-14 { 0.0 } else { x };
        *x = Complex::new(tidy(x.re), tidy(x.im));
    }
    // rounding has no shares
    let moves = dq.iter().any(|x| *x != Complex::ZERO);
    let still = vec![Complex::ZERO; y.len()];
    let moving = system.motions.along(if moves { y } else { &still });
    EigenMode {
        value,
        dq,
        dx,
        shares: system.motions.shares(&moving),
        drifts: false,
    }
}
