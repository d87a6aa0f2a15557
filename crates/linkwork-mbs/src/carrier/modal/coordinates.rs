//! A flexible body as a carrier: its coordinates, frames and own equations.

use super::floating::Floating;
use super::frame::{Node, sum};
use super::inertia::Invariants;
use super::{Modal, ModalPoint};
use crate::body::Body;
use crate::carrier::{
    Carrier, CarrierPoint, Coordinate, FrameMap, OwnPattern, OwnTerms, Reach, Recovered,
};
use crate::geometry::{Vector, add, apply};
use linkwork_dae::rotation::{Quaternion, compose, matrix};
use linkwork_dae::system::Energy;
use std::ops::Range;
use std::sync::Arc;

/// A flexible body, ready for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct ModalBody {
    body: Body,
    modal: Arc<Modal>,
    invariants: Invariants,
}

impl ModalBody {
    pub fn new(body: &Body, modal: &Arc<Modal>) -> ModalBody {
        ModalBody {
            body: body.clone(),
            modal: modal.clone(),
            invariants: Invariants::new(modal),
        }
    }

    fn floating(&self) -> Floating {
        self.modal.floating()
    }

    fn count(&self) -> usize {
        self.floating().count() + self.modal.modes()
    }

    /// Orientation of the floating frame.
    fn orientation(&self, at: &CarrierPoint<'_>) -> Quaternion {
        self.floating().orientation(at)
    }

    /// The point of a frame; none for the first one, which is that of the coordinates.
    fn point(&self, frame: usize) -> Option<&ModalPoint> {
        let (_, point) = self.modal.frames.get(frame.checked_sub(1)?)?;
        self.modal.points.get(*point)
    }
}

impl Carrier for ModalBody {
    fn coordinates(&self) -> Vec<Coordinate> {
        let body = &self.body;
        let [of_velocity, of_spin] = body.velocity_trusts();
        let there = |first: usize| move |i: &usize| self.floating().at(first + i).is_some();
        let axes = ["x", "y", "z"];
        let place = (0..3).filter(there(0)).map(|i| Coordinate {
            words: [axes[i].into(), format!("{} velocity", axes[i])],
            start: [body.position[i], body.velocity[i]],
            trust: [body.position_trust, of_velocity],
            scale: None,
            rate: 0.0,
            channel: None,
            mode: None,
        });
        let turn = (0..3).filter(there(3)).map(|i| Coordinate {
            words: match self.modal.flat {
                true => ["angle".into(), "angular velocity".into()],
                false => ["rotation", "angular velocity"]
                    .map(|what| format!("{what} about its {} axis", axes[i])),
            },
            start: [
                if self.modal.flat { body.angle() } else { 0.0 },
                body.angular_velocity[i],
            ],
            trust: [body.orientation_trust, of_spin],
            scale: Some(1.0),
            rate: 0.0,
            channel: None,
            mode: None,
        });
        let scales = self.invariants.scales.iter();
        let vibrations = self.invariants.vibrations();
        let modes = self
            .modal
            .start
            .iter()
            .zip(scales)
            .zip(vibrations)
            .enumerate();
        let name = |k: usize| match self.modal.names.get(k) {
            Some(name) => name.clone(),
            None => format!("mode {}", k + 1),
        };
        let modes = modes.map(|(k, ((start, scale), [rate, _]))| Coordinate {
            words: ["amplitude", "rate"].map(|what| format!("{what} of its {}", name(k))),
            start: *start,
            trust: [body.position_trust, body.velocity_trust],
            scale: Some(*scale),
            rate,
            channel: Some(format!("mode{}", k + 1)),
            mode: Some(name(k)),
        });
        place.chain(turn).chain(modes).collect()
    }

    fn rotation(&self) -> Option<(usize, Quaternion)> {
        (!self.modal.flat).then_some((3, self.body.orientation))
    }

    fn freedoms(&self) -> &'static [usize] {
        self.body.freedoms()
    }

    fn angle(&self, frame: usize, at: &CarrierPoint<'_>) -> f64 {
        if !self.modal.flat {
            return 0.0;
        }
        let own = self.floating().count();
        let bent = match self.point(frame) {
            Some(point) => 2.0 * (0.5 * sum(&point.rotation, &at.q[own..])[2]).atan(),
            None => 0.0,
        };
        at.q[self.floating().turns()] + bent
    }

    fn more_frames(&self) -> Vec<String> {
        let names = self.modal.frames.iter();
        names.map(|(name, _)| name.clone()).collect()
    }

    fn recovered(&self) -> &[Recovered] {
        &self.modal.recovered
    }

    fn reach(&self, frame: usize) -> [Reach; 6] {
        let (floating, all) = (self.floating(), self.count());
        std::array::from_fn(|i| match (self.point(frame), floating.at(i)) {
            (_, None) => Reach {
                columns: 0..0,
                constant: true,
            },
            (None, Some(column)) => Reach {
                columns: column..column + 1,
                constant: true,
            },
            (Some(_), _) => Reach {
                columns: if i < 3 { 0..all } else { floating.turns()..all },
                constant: false,
            },
        })
    }

    fn pose(&self, frame: usize, at: &CarrierPoint<'_>) -> (Vector, Quaternion) {
        let (mut origin, own) = (self.floating().three(at.q, 0), self.orientation(at));
        if self.modal.flat {
            origin[2] = self.body.position[2];
        }
        match self.point(frame) {
            None => (origin, own),
            Some(point) => {
                let (u, turn) = point.pose(&at.q[self.floating().count()..]);
                (add(origin, apply(&matrix(own), u)), compose(own, turn))
            }
        }
    }

    fn fixed_at(&self, frame: usize) -> Option<Vector> {
        let Some(point) = self.point(frame) else {
            return Some([0.0; 3]);
        };
        let shapes = point.displacement.iter().chain(&point.rotation).flatten();
        let still = shapes.chain(&point.shortening).all(|x| *x == 0.0);
        still.then_some(point.place)
    }

    fn map(
        &self,
        frame: usize,
        at: &CarrierPoint<'_>,
        out: &mut FrameMap,
    ) -> Result<(), &'static str> {
        match self.point(frame) {
            Some(point) => Node::new(self.floating(), point, at).fill(out),
            None => {
                let n = self.count();
                for i in 0..6 {
                    if let Some(column) = self.floating().at(i) {
                        out.j[i * n + column] = 1.0;
                    }
                }
            }
        }
        Ok(())
    }

    fn bent(&self, frame: usize) -> Range<usize> {
        match self.point(frame) {
            Some(_) => self.floating().turns()..self.count(),
            None => 0..0,
        }
    }

    fn bend(&self, frame: usize, at: &CarrierPoint<'_>, load: &[f64; 6], out: &mut [f64]) {
        if let Some(point) = self.point(frame) {
            Node::new(self.floating(), point, at).bend(load, out);
        }
    }

    fn own_pattern(&self) -> OwnPattern {
        let n = self.count();
        let first = self.floating().turns();
        let all = || (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)));
        let turned: Vec<(usize, usize)> = all().filter(|(_, j)| *j >= first).collect();
        OwnPattern {
            mass: all()
                .filter(|(i, j)| i == j || *i.max(j) >= first)
                .collect(),
            r_q: turned.clone(),
            r_v: turned,
            ..OwnPattern::default()
        }
    }

    fn own(&self, at: &CarrierPoint<'_>, _: &[f64], derivatives: bool, out: &mut OwnTerms) {
        self.invariants.terms(at, derivatives, out);
    }

    fn energy(&self, at: &CarrierPoint<'_>) -> Energy {
        self.invariants.energy(at)
    }

    fn energies(&self) -> Vec<String> {
        let modes = (1..=self.modal.modes()).map(|k| format!("mode{k}.energy"));
        std::iter::once("strain_energy".into())
            .chain(modes)
            .collect()
    }

    fn tell_energies(&self, at: &CarrierPoint<'_>, out: &mut [f64]) {
        self.invariants.energies(at, out);
    }
}
