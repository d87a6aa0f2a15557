//! Modes as sums of trial shapes, of stationary energy (Ritz 1909).

use super::super::symmetric::{Square, eigen};
use std::rc::Rc;

/// `v, v', v'', h, h', h''` of a shape.
pub(super) type Sample = [f64; 6];
pub(super) type Shape = Box<dyn Fn(f64) -> Sample>;

/// How a problem stores energy: forms of two samples, and the rule that integrates them.
pub(super) struct Forms<'a> {
    pub stiffness: &'a dyn Fn(&Sample, &Sample) -> f64,
    pub mass: &'a dyn Fn(&Sample, &Sample) -> f64,
    pub rule: &'a [[f64; 2]],
}

/// One of the problems: its shapes as sums of trial shapes.
pub(super) struct Family {
    trial: Vec<Shape>,
    /// Square of the angular frequency and coefficients of each mode.
    pub modes: Vec<(f64, Vec<f64>)>,
}

impl Family {
    /// The lowest modes among trial shapes beside motions of the whole, which are `skip`.
    pub fn lowest(
        trial: Vec<Shape>,
        forms: &Forms<'_>,
        skip: usize,
        count: usize,
    ) -> Option<Family> {
        let n = trial.len();
        let (mut k, mut m): (Square, Square) = (vec![vec![0.0; n]; n], vec![vec![0.0; n]; n]);
        for [s, w] in forms.rule {
            let at: Vec<Sample> = trial.iter().map(|shape| shape(*s)).collect();
            for i in 0..n {
                for j in 0..n {
                    k[i][j] += w * (forms.stiffness)(&at[i], &at[j]);
                    m[i][j] += w * (forms.mass)(&at[i], &at[j]);
                }
            }
        }
        let pairs = eigen(&k, &m)?;
        let modes = pairs.into_iter().skip(skip).take(count).collect();
        Some(Family { trial, modes })
    }

    /// The shape of a mode.
    pub fn sample(&self, mode: usize, s: f64) -> Sample {
        let mut sum = [0.0; 6];
        for (shape, c) in self.trial.iter().zip(&self.modes[mode].1) {
            let at = shape(s);
            (0..6).for_each(|i| sum[i] += c * at[i]);
        }
        sum
    }

    /// Its modes as trial shapes of their own, after others.
    pub fn after(self, mut others: Vec<Shape>) -> Vec<Shape> {
        let family = Rc::new(self);
        for mode in 0..family.modes.len() {
            let family = family.clone();
            others.push(Box::new(move |s| family.sample(mode, s)));
        }
        others
    }
}
