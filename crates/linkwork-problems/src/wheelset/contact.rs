//! Where a conical wheel touches a rail of circular section, for any scalar.

use linkwork_dae::scalar::Scalar;

/// Nominal rolling radius, m.
pub(super) const RADIUS: f64 = 0.1;
/// Inclination of the wheel cone.
const CONE: f64 = 0.0262;
/// Half distance of the nominal contact points, m.
const HALF_GAUGE: f64 = 0.1506;
/// Radius of the rail head, m.
const RAIL_RADIUS: f64 = 0.06;

/// Side of the track: `+1` for the wheel at positive abscissa, `-1` for the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Side(pub f64);

/// A value with its first two derivatives.
pub(super) struct Profile<S> {
    pub v: S,
    pub d: S,
    pub dd: S,
}

/// Radius of the wheel at the abscissa `xi` on its axis.
pub(super) fn wheel<S: Scalar>(side: Side, xi: S) -> Profile<S> {
    let slope = CONE.tan();
    Profile {
        v: (xi * -side.0 + HALF_GAUGE) * slope + RADIUS,
        d: S::from(-side.0 * slope),
        dd: S::from(0.0),
    }
}

/// Height of the rail at the abscissa `x` of the track.
pub(super) fn rail<S: Scalar>(side: Side, x: S) -> Profile<S> {
    let middle = HALF_GAUGE + RAIL_RADIUS * CONE.sin();
    let out = x * side.0 - middle;
    let t = (-(out * out) + RAIL_RADIUS * RAIL_RADIUS).sqrt();
    Profile {
        v: t - (RADIUS + RAIL_RADIUS * CONE.cos()),
        d: -out * side.0 / t,
        dd: S::from(-RAIL_RADIUS * RAIL_RADIUS) / (t * t * t),
    }
}

/// The point of contact of one wheel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact<S> {
    pub side: Side,
    /// Angle around the axle, from the lowest point.
    pub psi: S,
    /// Abscissa on the axle.
    pub xi: S,
    /// Sines and cosines of yaw, roll and `psi`.
    pub yaw: (S, S),
    pub roll: (S, S),
    pub turn: (S, S),
}

impl<S: Scalar> Contact<S> {
    fn at(side: Side, yaw: S, roll: S, psi: S, xi: S) -> Contact<S> {
        Contact {
            side,
            psi,
            xi,
            yaw: yaw.sin_cos(),
            roll: roll.sin_cos(),
            turn: psi.sin_cos(),
        }
    }

    /// Abscissa of the point in the track.
    pub fn abscissa(&self, x: S) -> S {
        let ((st, ct), (sp, cp), (ss, cs)) = (self.yaw, self.roll, self.turn);
        let r = wheel(self.side, self.xi).v;
        x + self.xi * ct * cp + r * (ct * sp * cs - st * ss)
    }

    /// Both surfaces have the same tangent plane: two equations for `psi` and `xi`.
    fn tangency(&self, x: S) -> [S; 2] {
        let ((st, ct), (sp, cp), (ss, cs)) = (self.yaw, self.roll, self.turn);
        let slope = wheel(self.side, self.xi).d;
        let rail = rail(self.side, self.abscissa(x)).d;
        [
            rail * (slope * sp + cp * cs) + slope * ct * cp - ct * sp * cs + st * ss,
            slope * st * cp - st * sp * cs - ct * ss,
        ]
    }

    /// Height of the wheel over the rail at the point.
    pub fn gap(&self, x: S, y: S) -> S {
        let ((sp, cp), (_, cs)) = (self.roll, self.turn);
        let r = wheel(self.side, self.xi).v;
        rail(self.side, self.abscissa(x)).v - y - self.xi * sp + r * cp * cs
    }

    /// Derivative of the gap by x, y, z, yaw, roll. That by `psi` and `xi` vanishes at a contact.
    pub fn direction(&self, x: S) -> [S; 5] {
        let ((st, ct), (sp, cp), (ss, cs)) = (self.yaw, self.roll, self.turn);
        let r = wheel(self.side, self.xi).v;
        let g = rail(self.side, self.abscissa(x)).d;
        [
            g,
            S::from(-1.0),
            S::from(0.0),
            g * (r * (-(ct * ss) - cs * sp * st) - self.xi * cp * st),
            -(r * cs * sp) - self.xi * cp + g * (r * cp * cs * ct - self.xi * ct * sp),
        ]
    }
}

/// The contact of one wheel at a lateral displacement, yaw and roll.
///
/// Newton's method in numbers first; then a few more steps with the frozen inverse in the scalar:
/// each makes the derivatives of one more order exact.
pub(super) fn contact<S: Scalar>(side: Side, x: S, yaw: S, roll: S) -> Contact<S> {
    const ITERATIONS: usize = 30;
    const ORDERS: usize = 4;
    let (x0, yaw0, roll0) = (x.value(), yaw.value(), roll.value());
    let residual = |psi: f64, xi: f64| Contact::at(side, yaw0, roll0, psi, xi).tangency(x0);
    let (mut psi, mut xi) = (0.0, side.0 * HALF_GAUGE);
    let mut inverse = [[0.0; 2]; 2];
    for _ in 0..ITERATIONS {
        let h = 1e-6;
        let f = residual(psi, xi);
        let [a, c] = difference(residual(psi + h, xi), residual(psi - h, xi), h);
        let [b, d] = difference(residual(psi, xi + h), residual(psi, xi - h), h);
        let det = a * d - b * c;
        inverse = [[d / det, -b / det], [-c / det, a / det]];
        let step = inverse.map(|row| row[0] * f[0] + row[1] * f[1]);
        psi -= step[0];
        xi -= step[1];
        if step[0].abs() + step[1].abs() < 1e-15 {
            break;
        }
    }
    let (mut psi, mut xi) = (S::from(psi), S::from(xi));
    for _ in 0..ORDERS {
        let f = Contact::at(side, yaw, roll, psi, xi).tangency(x);
        psi -= f[0] * inverse[0][0] + f[1] * inverse[0][1];
        xi -= f[0] * inverse[1][0] + f[1] * inverse[1][1];
    }
    Contact::at(side, yaw, roll, psi, xi)
}

fn difference(hi: [f64; 2], lo: [f64; 2], h: f64) -> [f64; 2] {
    [(hi[0] - lo[0]) / (2.0 * h), (hi[1] - lo[1]) / (2.0 * h)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::scalar::Dual;

    /// The start of the benchmark lists its contact points with 16 digits.
    #[test]
    fn published_contact_points() {
        let (x, yaw, roll) = (0.14941e-02, -0.28573e-03, 0.26459e-03);
        for (side, psi, xi) in [
            (
                Side(-1.0),
                -7.412_238_035_766_714e-6,
                -0.152_136_429_612_124_8,
            ),
            (Side(1.0), 7.563_440_639_517_294e-6, 0.149_063_571_473_381_9),
        ] {
            let c = contact(side, x, yaw, roll);
            assert!((c.psi - psi).abs() < 1e-13 && (c.xi - xi).abs() < 1e-13);
        }
    }

    #[test]
    fn contact_derivatives_match_differences() {
        let at = [0.002, -0.001, 0.0007];
        let by = |f: &dyn Fn(Contact<f64>) -> f64, lane: usize| {
            let h = 1e-6;
            let shifted = |s: f64| {
                let mut p = at;
                p[lane] += s;
                f(contact(Side(1.0), p[0], p[1], p[2]))
            };
            (shifted(h) - shifted(-h)) / (2.0 * h)
        };
        let [x, yaw, roll] = std::array::from_fn(|i| Dual::<3>::variable(at[i], i));
        let c = contact(Side(1.0), x, yaw, roll);
        for lane in 0..3 {
            // truncation h^2 times third derivatives of order 1e3 (the rail is curved at 6 cm)
            assert!((c.psi.d[lane] - by(&|c| c.psi, lane)).abs() < 1e-6);
            assert!((c.xi.d[lane] - by(&|c| c.xi, lane)).abs() < 1e-6);
        }
    }
}
