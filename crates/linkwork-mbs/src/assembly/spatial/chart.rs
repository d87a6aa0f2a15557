//! Rotations as a chart; angles that pass whole turns are renewed when its base moves.

use super::Space;
use crate::forward::forward_coordinates;
use linkwork_dae::chart::Chart;

impl Chart for Space {
    forward_coordinates!(rotations);

    fn rebase(&mut self, t: f64, q: &[f64]) -> bool {
        self.wind(t, q);
        self.rotations.rebase(t, q)
    }

    fn turn(&self, v: &[f64]) -> f64 {
        self.rotations.turn(v)
    }
}
