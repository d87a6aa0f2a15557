//! Frames and how they move.

use linkwork_dae::rotation::{IDENTITY, Quaternion, compose, exp, matrix, normalise};
use linkwork_mbs::geometry::{Vector, add, apply, cross, sub};

/// Place and orientation of a frame in another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub at: Vector,
    pub turn: Quaternion,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            at: [0.0; 3],
            turn: IDENTITY,
        }
    }
}

impl Frame {
    /// From an origin and angles about the fixed axes x, y and z, in this order.
    pub fn new(at: Vector, [roll, pitch, yaw]: Vector) -> Frame {
        let about = |axis: usize, angle: f64| {
            let mut vector = [0.0; 3];
            vector[axis] = angle;
            exp(vector)
        };
        let turn = compose(about(2, yaw), compose(about(1, pitch), about(0, roll)));
        Frame {
            at,
            turn: normalise(turn),
        }
    }

    /// A frame given in this one, in the frame that this one is given in.
    pub fn of(&self, inner: &Frame) -> Frame {
        Frame {
            at: self.point(inner.at),
            turn: normalise(compose(self.turn, inner.turn)),
        }
    }

    pub fn point(&self, p: Vector) -> Vector {
        add(self.at, self.direction(p))
    }

    pub fn direction(&self, u: Vector) -> Vector {
        apply(&matrix(self.turn), u)
    }
}

/// A frame with its velocities in global components.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moving {
    pub frame: Frame,
    pub velocity: Vector,
    pub spin: Vector,
}

impl Moving {
    /// Velocity of a point given in global coordinates.
    pub fn velocity_at(&self, place: Vector) -> Vector {
        add(self.velocity, cross(self.spin, sub(place, self.frame.at)))
    }
}
