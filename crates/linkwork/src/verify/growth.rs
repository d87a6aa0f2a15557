//! Whether the difference of two motions grows exponentially, as it does where a motion is chaotic.
//!
//! Errors that add up grow as a power of time, `e ~ t^p`: as `t`, as `t^2` where velocities are wrong, as `t^3` where these
//! errors add up in turn. On the way to where two motions part, from a quarter of it on, that is a line of slope `p` in
//! `log t`; a steeper one is none of them, but growth as `exp(rate t)`, however uneven: the chaotic part in bursts.

use serde::Serialize;

/// The share of the way to the parting after which growth is looked at: before, errors are young.
const YOUNG: f64 = 0.25;
/// Rows on the line: enough to tell one from a scatter.
const ROWS: usize = 8;
/// Slope in `log t` that nothing but exponential growth has: 3, and half of one for envelopes that are no lines.
const STEEP: f64 = 3.5;
/// Share of the variance of `log e` that a line must explain: a single leap is none.
const STRAIGHT: f64 = 0.8;
/// What is beyond the parting by more than this factor is a leap of the last row.
const LEAP: f64 = 10.0;

/// Exponential growth of errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Growth {
    /// Rate, 1/s: errors grow as `exp(rate t)`.
    pub rate: f64,
    /// Time in which they grow tenfold, s.
    pub tenfold: f64,
}

/// What the way to a parting tells of how errors grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// Exponentially.
    Exponential(Growth),
    /// Not faster than errors add up.
    Power,
    /// There are too few rows on the way.
    Short,
}

impl Way {
    /// How errors have grown until they were `parted`; nothing where they never are.
    pub fn of(times: &[f64], errors: &[f64], parted: f64) -> Option<Way> {
        let end = errors.iter().position(|e| *e > parted)?;
        let span = times[end] - times[0];
        let mut largest = 0.0f64;
        let mut line = Vec::new();
        for (t, e) in times.iter().zip(errors).take(end + 1) {
            // the envelope: differences of oscillations pass through zero
            largest = largest.max(e.min(LEAP * parted));
            if largest > 0.0 && t - times[0] >= YOUNG * span {
                line.push((t - times[0], largest.ln()));
            }
        }
        if line.len() < ROWS {
            return Some(Way::Short);
        }
        let (rate, exponential) = fit(line.iter().copied());
        let (slope, power) = fit(line.iter().map(|(t, y)| (t.ln(), *y)));
        let is_steep = slope > STEEP && exponential.max(power) > STRAIGHT;
        Some(match is_steep {
            true => Way::Exponential(Growth {
                rate,
                tenfold: std::f64::consts::LN_10 / rate,
            }),
            false => Way::Power,
        })
    }

    /// The growth, where it is exponential.
    pub fn growth(self) -> Option<Growth> {
        match self {
            Way::Exponential(growth) => Some(growth),
            _ => None,
        }
    }
}

/// Slope of a line through points, and the share of the variance that it explains.
fn fit(points: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let n = points.clone().count() as f64;
    let mean = |f: fn((f64, f64)) -> f64| points.clone().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (px, py) in points {
        let (dx, dy) = (px - x, py - y);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    (xy / xx, xy * xy / (xx * yy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_growth_is_told_from_powers() {
        let times: Vec<f64> = (0..200).map(|i| 0.05 * f64::from(i)).collect();
        let of = |f: &dyn Fn(f64) -> f64| {
            let errors: Vec<f64> = times.iter().map(|t| f(*t)).collect();
            Way::of(&times, &errors, 1e-2)
        };
        let rate = |f| of(f).and_then(Way::growth).map_or(f64::NAN, |g| g.rate);
        let chaos = rate(&|t| 1e-7 * (1.5 * t).exp() * (1.0 + 0.3 * (7.0 * t).sin()));
        assert!((chaos - 1.5).abs() < 0.1, "{chaos:?}");
        let late = rate(&|t| 1e-11 * (2.3 * t).exp() * (1.0 + 0.3 * (7.0 * t).sin()));
        assert!((late - 2.3).abs() < 0.2, "{late:?}");
        // in bursts, with a rest before the last
        let bursts = rate(&|t| 1e-10 * (2.6 * t.min(6.0) + 2.6 * (t - 8.5).max(0.0)).exp());
        assert!((1.0..3.0).contains(&bursts), "{bursts:?}");
        assert_eq!(of(&|t| 2e-3 * t), Some(Way::Power));
        assert_eq!(of(&|t| 2e-5 * t * t * t), Some(Way::Power));
        // a leap, as where one of two motions misses an event
        assert_eq!(of(&|t| if t < 8.0 { 1e-7 } else { 1.0 }), Some(Way::Power));
        // parted after a few rows
        assert_eq!(of(&|t| 0.1 * t), Some(Way::Short));
        assert_eq!(of(&|t| 1e-9 * t), None);
    }
}
