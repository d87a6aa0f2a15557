//! Rotations as a chart; angles that pass whole turns are renewed when its base moves.

use super::Space;
use linkwork_dae::chart::Chart;

impl Chart for Space {
    fn tangent(&self, q: &[f64], qdot: &[f64], v: &mut [f64]) {
        self.rotations.tangent(q, qdot, v);
    }

    fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        self.rotations.rate(q, v, qdot);
    }

    fn advance(&self, q: &mut [f64], d: &[f64]) {
        self.rotations.advance(q, d);
    }

    fn pattern(&self) -> Vec<(u32, u32)> {
        self.rotations.pattern()
    }

    fn rate_derivative(&self, q: &[f64], qdot: &[f64], out: &mut [f64]) {
        self.rotations.rate_derivative(q, qdot, out);
    }

    fn rate_excess(&self, q: &[f64], out: &mut [f64]) {
        self.rotations.rate_excess(q, out);
    }

    fn tangent_excess(&self, q: &[f64], out: &mut [f64]) {
        self.rotations.tangent_excess(q, out);
    }

    fn bend_rate(&self, v: &[f64], a: &[f64], out: &mut [f64]) {
        self.rotations.bend_rate(v, a, out);
    }

    fn rebase(&mut self, t: f64, q: &[f64]) -> bool {
        self.wind(t, q);
        self.rotations.rebase(t, q)
    }

    fn carry(&self, t: f64, q: &mut [f64], v: &mut [f64]) {
        self.rotations.carry(t, q, v);
    }

    fn carried(&self) -> Vec<usize> {
        self.rotations.carried()
    }

    fn turn(&self, v: &[f64]) -> f64 {
        self.rotations.turn(v)
    }
}
