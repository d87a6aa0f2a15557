//! Natural modes of a linearised system.

use super::{Linearisation, LineariseError};
use crate::eigen::{Complex, eigenpairs};
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
    /// Share of every coordinate in the kinetic energy of the mode, summing up to 1; zeros where
    /// nothing with inertia moves.
    pub energy: Vec<f64>,
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

/// All modes, slowest first; vectors that belong to a steady drift are not counted again.
pub fn modes(system: &Linearisation) -> Result<Vec<EigenMode>, LineariseError> {
    let pairs = eigenpairs(&system.a)?;
    let mut list: Vec<EigenMode> = Vec::new();
    let mut drifts: Vec<(Vec<Complex>, Vec<Complex>)> = Vec::new();
    for pair in pairs.into_iter().filter(|p| p.value.im >= 0.0) {
        let apply = |m: &crate::dense::Matrix| -> Vec<Complex> {
            (0..m.rows())
                .map(|i| {
                    let mut sum = Complex::ZERO;
                    for (x, a) in pair.vector.iter().zip(m.row(i)) {
                        sum = sum + x.scale(*a);
                    }
                    sum
                })
                .collect()
        };
        let (dq, dv, dx) = (apply(&system.dq), apply(&system.dv), apply(&system.dx));
        if pair.depth > 1 {
            drifts.push((dq, dv));
            continue;
        }
        list.push(normalised(system, pair.value, dq, dx));
    }
    for (_, dv) in &drifts {
        for mode in list.iter_mut().filter(|m| m.is_zero()) {
            mode.drifts |= overlaps(&mode.dq, dv, &system.scale);
        }
    }
    list.sort_by(|a, b| {
        (a.value.abs().total_cmp(&b.value.abs())).then(a.value.re.total_cmp(&b.value.re))
    });
    Ok(list)
}

/// Whether two directions are far from orthogonal.
fn overlaps(a: &[Complex], b: &[Complex], scale: &[f64]) -> bool {
    let product = |a: &[Complex], b: &[Complex]| -> f64 {
        (a.iter().zip(b).zip(scale))
            .map(|((a, b), s)| (a.conj() * *b).re / (s * s))
            .sum()
    };
    let cosine = product(a, b) / (product(a, a) * product(b, b)).sqrt();
    cosine.abs() > 1e-6
}

fn normalised(
    system: &Linearisation,
    value: Complex,
    mut dq: Vec<Complex>,
    mut dx: Vec<Complex>,
) -> EigenMode {
    let mut largest = (0.0, Complex::ONE);
    let sizes = (dq.iter().zip(&system.scale)).chain(dx.iter().zip(&system.scale_x));
    for (x, s) in sizes {
        let size = x.abs() / s;
        // equal entries differ by rounding; the first should win then
        if size > largest.0 * (1.0 + 1e-9) {
            largest = (size, x.scale(1.0 / s));
        }
    }
    for x in dq.iter_mut().chain(dx.iter_mut()) {
        *x = *x / largest.1;
        // what is rounding beside the largest entry
        let tidy = |x: f64| if x.abs() < 1e-14 { 0.0 } else { x };
        *x = Complex::new(tidy(x.re), tidy(x.im));
    }
    let mut energy: Vec<f64> = (0..dq.len())
        .map(|i| {
            let mut momentum = Complex::ZERO;
            for (x, m) in dq.iter().zip(system.mass.row(i)) {
                momentum = momentum + x.scale(*m);
            }
            (dq[i].conj() * momentum).re
        })
        .collect();
    let total: f64 = energy.iter().sum();
    for e in &mut energy {
        *e = if total > 0.0 { *e / total } else { 0.0 };
    }
    EigenMode {
        value,
        dq,
        dx,
        energy,
        drifts: false,
    }
}
