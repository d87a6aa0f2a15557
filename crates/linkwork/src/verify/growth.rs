//! Whether the difference of two motions grows exponentially, as it does where a motion is chaotic.

use serde::Serialize;

/// Factor by which a difference must have grown along the line.
const GROWN: f64 = 100.0;
/// Share of the variance of `log e` that the line must explain.
const STRAIGHT: f64 = 0.9;
/// Growth is looked at from this share of the saturated difference on: before, all errors are young.
const YOUNG: f64 = 1e-4;
/// Rows on the line: enough to tell one from a scatter.
const ROWS: usize = 8;
/// Errors that add up grow as a power of time: as `t`, `t^2` where velocities are wrong, `t^3` where these
/// errors add up in turn. Nothing but exponential growth looks like a power beyond.
const POWER: f64 = 4.0;

/// Exponential growth of errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Growth {
    /// Rate, 1/s: errors grow as `exp(rate t)`.
    pub rate: f64,
    /// Time in which they grow tenfold, s.
    pub tenfold: f64,
}

impl Growth {
    /// The growth of errors over time up to where they saturate, if it is exponential.
    pub(super) fn of(times: &[f64], errors: &[f64], saturated: f64) -> Option<Growth> {
        let mut largest = 0.0f64;
        let mut line = Vec::new();
        for (t, e) in times.iter().zip(errors) {
            // the envelope: differences of oscillations pass through zero
            largest = largest.max(*e);
            if largest > saturated {
                break;
            }
            if largest > YOUNG * saturated {
                line.push((t - times[0], largest.ln()));
            }
        }
        let (first, last) = (line.first()?, line.last()?);
        if line.len() < ROWS || last.1 - first.1 < GROWN.ln() {
            return None;
        }
        let (rate, exponential) = fit(line.iter().copied());
        let (exponent, power) = fit(line.iter().map(|(t, y)| (t.ln(), *y)));
        let adds_up = power >= exponential && exponent < POWER;
        (exponential > STRAIGHT && !adds_up).then(|| Growth {
            rate,
            tenfold: std::f64::consts::LN_10 / rate,
        })
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
            Growth::of(&times, &errors, 1e-2)
        };
        let chaos = of(&|t| 1e-7 * (1.5 * t).exp() * (1.0 + 0.3 * (7.0 * t).sin())).unwrap();
        assert!((chaos.rate - 1.5).abs() < 0.1, "{chaos:?}");
        // late, a line looks like a steep power; nothing that adds up is as steep
        let late = of(&|t| 1e-11 * (2.3 * t).exp() * (1.0 + 0.3 * (7.0 * t).sin())).unwrap();
        assert!((late.rate - 2.3).abs() < 0.2, "{late:?}");
        assert_eq!(of(&|t| 1e-6 * t), None);
        assert_eq!(of(&|t| 1e-7 * t * t * t), None);
        assert_eq!(of(&|_| 1e-6), None);
    }
}
