//! Carriers: bodies whose frames follow their coordinates through a map.
//!
//! Elements see frames alone, with six freedoms each: `dx` global and a small rotation in body axes. How a
//! frame follows the coordinates of its body is either a *selection*, one coordinate for each freedom
//! that exists (rigid, planar and point bodies, [`Body::freedoms`](crate::Body::freedoms)), or a *map* of
//! any number of coordinates, of which a carrier gives
//!
//! ```text
//!  v~ = J v      a~ = J a + b      W = (J v)_q      A = (J a + b)_q      b_v      (J' l)_q for a load l
//! ```
//!
//! Derivatives are along the tangent where the carrier has a rotation vector among its coordinates. What
//! the chain rule makes of these operators is written once, in `assembly/pull_back.rs`; elements,
//! sensors and controls never know. A carrier may have inertia and equations of its own, in its
//! coordinates.

pub(crate) mod euler;
pub(crate) mod four;
pub(crate) mod modal;

pub use modal::{Modal, ModalPoint, ModeSet, Source, StraightBeam};

use crate::body::Trust;
use crate::geometry::{Matrix, Vector};
use linkwork_dae::rotation::Quaternion;
use linkwork_dae::system::{Energy, Part};
use std::fmt::Debug;
use std::ops::Range;

/// A coordinate of a carrier.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Its value and its rate in words.
    pub words: [String; 2],
    /// Start value and rate.
    pub start: [f64; 2],
    /// How far they are to be trusted.
    pub trust: [Trust; 2],
    /// Its typical size; `None` for lengths, which have that of the mechanism.
    pub scale: Option<f64>,
    /// Angular frequency by itself; 0 where nothing makes it vibrate.
    pub rate: f64,
    /// Its name among the results, where frames do not tell it.
    pub channel: Option<String>,
    /// The mode whose amplitude it is.
    pub mode: Option<String>,
}

/// A quantity that is a sum over coordinates of a carrier: a section force, a stress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recovered {
    /// Its name behind that of the body: `end.torque`.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Factors of the coordinates that are told by themselves, in their order.
    pub factors: Vec<f64>,
}

/// How one of the six freedoms of a frame follows the coordinates of its carrier.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The coordinates that move it.
    pub columns: Range<usize>,
    /// Whether its row of `J` is constant: nothing of `b`, `W` and `A`.
    pub constant: bool,
}

/// Where a carrier is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct CarrierPoint<'a> {
    /// Its coordinates.
    pub q: &'a [f64],
    /// Their velocities.
    pub v: &'a [f64],
    /// Their accelerations.
    pub a: &'a [f64],
    /// What its rotation vector means; without one the identity.
    pub orientation: Quaternion,
    /// Acceleration of gravity.
    pub gravity: Vector,
}

/// How a frame follows the coordinates of its carrier at a point; matrices of six rows.
#[derive(Clone, Debug)]
pub struct FrameMap {
    columns: usize,
    /// `J`.
    pub j: Vec<f64>,
    /// `W = (J v)_q`.
    pub w: Vec<f64>,
    /// `A = (J a + b)_q`.
    pub a: Vec<f64>,
    /// `b_v`.
    pub bias_v: Vec<f64>,
    /// `b`.
    pub bias: [f64; 6],
}

impl FrameMap {
    /// Zeros for a carrier with so many coordinates.
    pub fn new(columns: usize) -> FrameMap {
        let zeros = || vec![0.0; 6 * columns];
        FrameMap {
            columns,
            j: zeros(),
            w: zeros(),
            a: zeros(),
            bias_v: zeros(),
            bias: [0.0; 6],
        }
    }

    /// `J x`.
    pub fn times(&self, x: &[f64]) -> [f64; 6] {
        let mut rows = self.j.chunks_exact(self.columns);
        std::array::from_fn(|_| {
            let row = rows.next().into_iter().flatten();
            row.zip(x).map(|(j, x)| j * x).sum()
        })
    }

    /// `out += J' l`.
    pub fn pull(&self, load: &[f64], out: &mut [f64]) {
        for (row, l) in self.j.chunks_exact(self.columns).zip(load) {
            for (out, j) in out.iter_mut().zip(row) {
                *out += j * l;
            }
        }
    }
}

/// Writes three rows of a matrix with so many columns in all, from a row and a column on.
pub(crate) fn put<const C: usize>(
    to: &mut [f64],
    columns: usize,
    [row, column]: [usize; 2],
    block: &[[f64; C]; 3],
) {
    for (i, values) in block.iter().enumerate() {
        let first = (row + i) * columns + column;
        to[first..first + C].copy_from_slice(values);
    }
}

/// Entries of what a carrier has by itself that can be nonzero.
#[derive(Clone, Debug, Default)]
pub struct OwnPattern {
    /// Of `M`.
    pub mass: Vec<(usize, usize)>,
    /// Of `r_q`.
    pub r_q: Vec<(usize, usize)>,
    /// Of `r_v`.
    pub r_v: Vec<(usize, usize)>,
    /// Of `C_q` and its rate.
    pub c_q: Vec<(usize, usize)>,
}

/// What a carrier has by itself, in its own coordinates; matrices by rows. All of it is written anew.
#[derive(Clone, Debug, Default)]
pub struct OwnTerms {
    /// `M a + C_q' lambda - Q`.
    pub r: Vec<f64>,
    /// `Q`.
    pub force: Vec<f64>,
    /// `M`.
    pub mass: Vec<f64>,
    /// `r_q`.
    pub r_q: Vec<f64>,
    /// `r_v`.
    pub r_v: Vec<f64>,
    /// Its equations, their rates, and their right sides on the level of accelerations.
    pub c: Vec<f64>,
    /// `C_q v`.
    pub cv: Vec<f64>,
    /// `gamma`.
    pub gamma: Vec<f64>,
    /// `C_q`.
    pub c_q: Vec<f64>,
    /// `(C_q v)_q`.
    pub cv_q: Vec<f64>,
}

impl OwnTerms {
    /// Zeros for so many coordinates and equations.
    pub fn new(coordinates: usize, rows: usize) -> OwnTerms {
        let zeros = |n: usize| vec![0.0; n];
        let square = coordinates * coordinates;
        OwnTerms {
            r: zeros(coordinates),
            force: zeros(coordinates),
            mass: zeros(square),
            r_q: zeros(square),
            r_v: zeros(square),
            c: zeros(rows),
            cv: zeros(rows),
            gamma: zeros(rows),
            c_q: zeros(rows * coordinates),
            cv_q: zeros(rows * coordinates),
        }
    }

    /// The values of a block.
    pub(crate) fn block(&self, part: Part) -> &[f64] {
        match part {
            Part::Mass => &self.mass,
            Part::Rq => &self.r_q,
            Part::Rv => &self.r_v,
            Part::Cq => &self.c_q,
            Part::CVq => &self.cv_q,
            _ => &[],
        }
    }
}

/// A body whose frames follow its coordinates through maps.
pub trait Carrier: Debug + Send + Sync {
    /// Its coordinates.
    fn coordinates(&self) -> Vec<Coordinate>;

    /// The first of three coordinates that are a rotation vector, with the start orientation.
    fn rotation(&self) -> Option<(usize, Quaternion)> {
        None
    }

    /// What its frames can do, among dx, dy, dz, theta_x, theta_y, theta_z.
    fn freedoms(&self) -> &'static [usize] {
        &[0, 1, 2, 3, 4, 5]
    }

    /// Angle about z of a frame that moves in the x-y plane, over whole turns; zero for others.
    fn angle(&self, frame: usize, at: &CarrierPoint<'_>) -> f64 {
        let _ = (frame, at);
        0.0
    }

    /// Names of its equations.
    fn rows(&self) -> &'static [&'static str] {
        &[]
    }

    /// Names of its frames beside the first one, which has the name of the body.
    fn more_frames(&self) -> Vec<String> {
        Vec::new()
    }

    /// What is told beside frames and coordinates.
    fn recovered(&self) -> &[Recovered] {
        &[]
    }

    /// The constant mass and moments of inertia that a frame has; none where the carrier counts them
    /// itself.
    fn frame_inertia(&self, frame: usize) -> (f64, Matrix) {
        let _ = frame;
        (0.0, [[0.0; 3]; 3])
    }

    /// How the freedoms of a frame follow the coordinates.
    fn reach(&self, frame: usize) -> [Reach; 6];

    /// Where a frame is.
    fn pose(&self, frame: usize, at: &CarrierPoint<'_>) -> (Vector, Quaternion);

    /// Where a frame is in the first one, if nothing but that moves it.
    fn fixed_at(&self, frame: usize) -> Option<Vector> {
        (frame == 0).then_some([0.0; 3])
    }

    /// How a frame follows the coordinates; says why where it cannot be told.
    fn map(
        &self,
        frame: usize,
        at: &CarrierPoint<'_>,
        out: &mut FrameMap,
    ) -> Result<(), &'static str>;

    /// The coordinates whose entries of `(J' l)_q` can be nonzero.
    fn bent(&self, frame: usize) -> Range<usize>;

    /// Writes `(J' l)_q` between these coordinates, by rows.
    fn bend(&self, frame: usize, at: &CarrierPoint<'_>, load: &[f64; 6], out: &mut [f64]);

    /// Entries of what it has by itself.
    fn own_pattern(&self) -> OwnPattern;

    /// Its own inertia, forces and equations with their multipliers; derivatives where wanted.
    fn own(&self, at: &CarrierPoint<'_>, lambda: &[f64], derivatives: bool, out: &mut OwnTerms);

    /// Its own energy.
    fn energy(&self, at: &CarrierPoint<'_>) -> Energy {
        let _ = at;
        Energy::default()
    }

    /// Names of the energies that it tells beside.
    fn energies(&self) -> Vec<String> {
        Vec::new()
    }

    /// Their values, J.
    fn tell_energies(&self, at: &CarrierPoint<'_>, out: &mut [f64]) {
        let _ = (at, out);
    }

    /// The fastest rotation at some velocities, rad/s, where it has no rotation vector.
    fn turn(&self, v: &[f64]) -> f64 {
        let _ = v;
        0.0
    }
}
