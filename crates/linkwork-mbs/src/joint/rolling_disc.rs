//! Rolling disc: a thin disc rolls on a plane without slipping.
//!
//! One equation of positions keeps the disc on the plane; two equations of velocities, which no
//! equations of positions can replace, forbid slip along the heading and across it.

use super::by_scalar::derived;
use super::disc::{Disc, SLIP};
use super::mounted::{sits_on, told};
use super::{Constraint, Joint, MAX_ROWS, Poses, Rolling, rows};
use crate::geometry::Frame;
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// A coin or hoop that rolls on a plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollingDisc {
    /// The disc and the plane.
    pub disc: Disc,
}

impl Kind for RollingDisc {
    const NAME: &'static str = "rolling_disc";
    const SUMMARY: &'static str =
        "A thin disc of body_b touches a plane of body_a and rolls on it without slip.";
}

impl Part for RollingDisc {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.disc.keys(k);
    }
}

impl Constraint for RollingDisc {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        rows([self.disc.height(a, b)])
    }
}

impl Rolling for RollingDisc {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let [along, across] = self.disc.slip(a, b);
        rows([S::from(0.0), along, across])
    }
}

impl Joint for RollingDisc {
    told!(&["contact with the plane"], SLIP);
    sits_on!(disc);
    derived!(evaluate_both);
    fn extent(&self) -> f64 {
        self.disc.radius
    }
}

#[cfg(test)]
mod tests {
    use super::super::{JointPoint, JointTerms, Want};
    use super::*;
    use crate::geometry::{Pose, Site, Vector, add, cross, scaled};
    use crate::lanes::Lanes;
    use crate::orientation::rotation_by;

    /// A leaning disc: e1 = (cos psi, sin psi, 0) is the heading, e3 the axis, e2 = e3 x e1 points
    /// up the disc. Without slip its centre, r e2 above the contact, moves with r (w1 e3 - w3 e1)
    /// for the angular velocity w1 e1 + w2 e2 + w3 e3, whatever w2.
    #[test]
    fn the_centre_moves_as_rolling_demands() {
        let (r, psi, theta) = (0.4_f64, 0.7_f64, 1.1_f64);
        let e1 = [psi.cos(), psi.sin(), 0.0];
        // axis at the angle theta from the vertical, heading k x e3 / |k x e3| = e1
        let e3 = [
            theta.sin() * psi.sin(),
            -theta.sin() * psi.cos(),
            theta.cos(),
        ];
        let e2 = cross(e3, e1);
        assert!(e2[2] > 0.0);
        let w = [0.3, -0.8, 2.5];
        let spin = add(add(scaled(e1, w[0]), scaled(e2, w[1])), scaled(e3, w[2]));
        let velocity = scaled(add(scaled(e3, w[0]), scaled(e1, -w[2])), r);
        // the disc turned about its axis by some angle: columns of the rotation
        let (s, c) = 0.9_f64.sin_cos();
        let x = add(scaled(e1, c), scaled(e2, s));
        let y = cross(e3, x);
        let rotation = std::array::from_fn(|i| [x[i], y[i], e3[i]]);
        let pose = Pose::new([1.0, -2.0, r * theta.sin()], rotation);
        let disc = |velocity: Vector| Frame {
            pose,
            velocity,
            omega: pose.local_direction(spin),
        };
        let mut joint = RollingDisc {
            disc: Disc {
                b: [0.0; 3].into(),
                axis: [0.0, 0.0, 1.0].into(),
                ..Disc::on_floor([0.0; 3], [0.0, 0.0, 1.0], r)
            },
        };
        joint.place(&Site::GROUND, &Site::GROUND);
        let eval = |a: &Frame, b: &Frame| {
            let at = JointPoint {
                t: 0.0,
                a,
                b,
                lambda: &[],
                turns: &[],
                lanes: &Lanes::ALL,
            };
            let mut out = JointTerms::default();
            joint.eval(&at, Want::C | Want::CV, &mut out);
            (out.c, out.cv)
        };
        let (c, cv) = eval(&Frame::GROUND, &disc(velocity));
        assert!(c[0].abs() < 1e-15);
        assert!(cv.iter().all(|x| x.abs() < 1e-15), "{cv:?}");
        // slip is what the centre moves too much, along e1 and k x e1
        let faster = add(
            velocity,
            add(scaled(e1, 0.1), scaled(cross([0.0, 0.0, 1.0], e1), 0.2)),
        );
        let (_, cv) = eval(&Frame::GROUND, &disc(faster));
        assert!((cv[1] - 0.1).abs() < 1e-15 && (cv[2] - 0.2).abs() < 1e-15);
        // on a turntable the floor moves
        let table = Frame {
            pose: Pose::new([0.0; 3], rotation_by([0.0; 3])),
            velocity: [0.0; 3],
            omega: [0.0, 0.0, 1.0],
        };
        let contact = add(pose.position, scaled(e2, -r));
        let carried = add(velocity, cross([0.0, 0.0, 1.0], contact));
        let (_, cv) = eval(&table, &disc(carried));
        assert!(cv.iter().all(|x| x.abs() < 1e-15), "{cv:?}");
    }
}
