//! Poses and moving frames.

use super::{
    IDENTITY, Matrix, Vector, add, apply, apply_transposed, cross, lifted, sub, times_hat,
};
use linkwork_dae::scalar::{Dual, Jet, Scalar};

/// Position and orientation of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S = f64> {
    /// Position of the centre of mass.
    pub position: Vector<S>,
    /// Takes body components to global ones.
    pub rotation: Matrix<S>,
    /// Angle about z, over whole turns, of a body that moves in the x-y plane; zero for others.
    pub angle: S,
}

impl Pose {
    /// The global frame.
    pub const GROUND: Pose = Pose {
        position: [0.0; 3],
        rotation: IDENTITY,
        angle: 0.0,
    };

    /// A pose in space.
    pub fn new(position: Vector, rotation: Matrix) -> Pose {
        Pose {
            position,
            rotation,
            angle: 0.0,
        }
    }

    /// A pose turned about z.
    pub fn flat(position: Vector, angle: f64) -> Pose {
        let (s, c) = angle.sin_cos();
        Pose {
            position,
            rotation: [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
            angle,
        }
    }

    /// A global direction as seen from this frame.
    pub fn local_direction(&self, u: Vector) -> Vector {
        apply_transposed(&self.rotation, u)
    }

    /// A global point as seen from this frame.
    pub fn local_point(&self, p: Vector) -> Vector {
        self.local_direction(sub(p, self.position))
    }
}

impl<S: Scalar> Pose<S> {
    /// A body-fixed direction in global components.
    #[inline]
    pub fn direction(&self, u: Vector) -> Vector<S> {
        std::array::from_fn(|i| {
            let row = self.rotation[i];
            row[0] * u[0] + row[1] * u[1] + row[2] * u[2]
        })
    }

    /// A body-fixed vector with components of any scalar in global components.
    #[inline]
    pub fn turn(&self, u: Vector<S>) -> Vector<S> {
        apply(&self.rotation, u)
    }

    /// Global components as seen from the body.
    #[inline]
    pub fn turn_back(&self, u: Vector<S>) -> Vector<S> {
        apply_transposed(&self.rotation, u)
    }

    /// A body-fixed point in global components.
    #[inline]
    pub fn point(&self, p: Vector) -> Vector<S> {
        add(self.position, self.direction(p))
    }

    /// The pose of plain numbers without derivatives.
    #[inline]
    pub fn constant(at: &Pose) -> Pose<S> {
        Pose {
            position: lifted(at.position),
            rotation: at.rotation.map(lifted),
            angle: S::from(at.angle),
        }
    }
}

/// Gives a lane of a number its derivative; a lane beyond the last one is none.
#[inline]
fn seed<const N: usize, S: Scalar>(x: &mut Dual<N, S>, lane: usize, d: S) {
    if let Some(to) = x.d.get_mut(lane) {
        *to = d;
    }
}

impl<const N: usize, S: Scalar> Pose<Dual<N, S>> {
    /// The pose without derivatives, filled in place: moving numbers with many lanes costs more than computing them.
    #[inline]
    fn still(at: &Pose<S>) -> Pose<Dual<N, S>> {
        let zero = Dual::constant(S::from(0.0));
        let mut pose = Pose {
            position: [zero; 3],
            rotation: [[zero; 3]; 3],
            angle: zero,
        };
        for (to, from) in pose.position.iter_mut().zip(&at.position) {
            to.v = *from;
        }
        for (to, from) in pose.rotation.iter_mut().zip(&at.rotation) {
            for (to, from) in to.iter_mut().zip(from) {
                to.v = *from;
            }
        }
        pose.angle.v = at.angle;
        pose
    }

    /// The pose with a small motion in the lanes of its six freedoms: `x + dx`, `R (I + theta^)`;
    /// freedoms whose lane is beyond the last one stay where they are.
    ///
    /// Over another dual number the inner motion comes first, `R (I + inner^)(I + outer^)`: outer
    /// lanes differentiate along the tangent, inner lanes differentiate the result. Rotations do
    /// not commute, so the order matters.
    #[inline]
    pub fn seeded(at: &Pose<S>, lanes: &[usize; 6]) -> Pose<Dual<N, S>> {
        let mut pose = Pose::still(at);
        let one = S::from(1.0);
        for (x, lane) in pose.position.iter_mut().zip(lanes) {
            seed(x, *lane, one);
        }
        for (to, row) in pose.rotation.iter_mut().zip(&at.rotation) {
            for (j, x) in to.iter_mut().enumerate() {
                // row i of R theta^: column j is (row x theta) . e_j
                let (k, l) = ((j + 1) % 3, (j + 2) % 3);
                seed(x, lanes[3 + l], row[k]);
                seed(x, lanes[3 + k], -row[l]);
            }
        }
        seed(&mut pose.angle, lanes[5], one);
        pose
    }
}

impl<S: Scalar> Pose<Dual<1, S>> {
    /// The pose with its motion in the only lane: `x'`, `R' = R omega^`.
    #[inline]
    pub fn moving(at: &Pose<S>, velocity: Vector<S>, omega: Vector<S>) -> Pose<Dual<1, S>> {
        let mut pose = Pose::still(at);
        let rate = times_hat(&at.rotation, omega);
        for (to, from) in pose.position.iter_mut().zip(&velocity) {
            to.d = [*from];
        }
        for (to, from) in pose.rotation.iter_mut().zip(&rate) {
            for (to, from) in to.iter_mut().zip(from) {
                to.d = [*from];
            }
        }
        pose.angle.d = [omega[2]];
        pose
    }
}

impl Pose<Jet> {
    /// The pose along the motion with constant velocities:
    /// `R exp(omega^ t) = R + R omega^ t + R omega^ omega^ t^2/2`.
    #[inline]
    pub fn along(at: &Frame) -> Pose<Jet> {
        let rate = times_hat(&at.pose.rotation, at.omega);
        let second = times_hat(&rate, at.omega);
        let r = &at.pose.rotation;
        Pose {
            position: std::array::from_fn(|i| Jet::new(at.pose.position[i], at.velocity[i], 0.0)),
            rotation: std::array::from_fn(|i| {
                std::array::from_fn(|j| Jet::new(r[i][j], rate[i][j], second[i][j]))
            }),
            angle: Jet::new(at.pose.angle, at.omega[2], 0.0),
        }
    }
}

/// A pose with its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<S = f64> {
    /// Where the body is.
    pub pose: Pose<S>,
    /// Velocity of the centre of mass, global components.
    pub velocity: Vector<S>,
    /// Angular velocity, body axes.
    pub omega: Vector<S>,
}

impl Frame {
    /// The global frame at rest.
    pub const GROUND: Frame = Frame {
        pose: Pose::GROUND,
        velocity: [0.0; 3],
        omega: [0.0; 3],
    };
}

impl<S: Scalar> Frame<S> {
    /// The frame of plain numbers without derivatives.
    #[inline]
    pub fn constant(at: &Frame) -> Frame<S> {
        Frame {
            pose: Pose::constant(&at.pose),
            velocity: lifted(at.velocity),
            omega: lifted(at.omega),
        }
    }

    /// Velocity of a body-fixed point, global components.
    #[inline]
    pub fn velocity_at(&self, p: Vector) -> Vector<S> {
        add(self.velocity, self.pose.turn(cross(self.omega, lifted(p))))
    }

    /// Angular velocity in global components.
    #[inline]
    pub fn spin(&self) -> Vector<S> {
        self.pose.turn(self.omega)
    }
}

impl<const N: usize, S: Scalar> Frame<Dual<N, S>> {
    /// The frame with a small motion in the lanes of its six freedoms, velocities fixed.
    #[inline]
    pub fn moved(at: &Frame<S>, lanes: &[usize; 6]) -> Frame<Dual<N, S>> {
        Frame {
            pose: Pose::seeded(&at.pose, lanes),
            velocity: at.velocity.map(Dual::constant),
            omega: at.omega.map(Dual::constant),
        }
    }

    /// The frame with lanes in its velocities, the pose fixed.
    #[inline]
    pub fn faster(at: &Frame<S>, lanes: &[usize; 6]) -> Frame<Dual<N, S>> {
        let mut frame = Frame {
            pose: Pose::still(&at.pose),
            velocity: at.velocity.map(Dual::constant),
            omega: at.omega.map(Dual::constant),
        };
        for (x, lane) in [&mut frame.velocity, &mut frame.omega]
            .into_iter()
            .flatten()
            .zip(lanes)
        {
            seed(x, *lane, S::from(1.0));
        }
        frame
    }
}
