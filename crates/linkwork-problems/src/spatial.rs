//! Rigid bodies in space described by three coordinates and three angles.
//!
//! ```text
//!  R = Rz(psi) Rx(phi) Ry(theta): yaw, roll, then pitch or spin about the body's y axis
//!  b = (phi', theta' + psi' sin phi, psi' cos phi)      angular velocity, axes after yaw and roll
//! ```
//!
//! Singular at a roll of a quarter turn only, whatever the spin, which suits wheels. Generalised
//! moments are components along the roll axis `Rz e_x`, the pitch axis `Rz Rx e_y` and `e_z`.

/// A vector in space.
pub type V3 = [f64; 3];

/// `a . b`.
pub fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a x b`.
pub fn cross(a: V3, b: V3) -> V3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `a + s b`.
pub fn plus(a: V3, s: f64, b: V3) -> V3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// `a - b`.
pub fn minus(a: V3, b: V3) -> V3 {
    plus(a, -1.0, b)
}

/// A body at an instant: place, axes, velocities.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pose {
    /// Centre of mass and its velocity.
    pub r: V3,
    /// Velocity of the centre of mass.
    pub v: V3,
    /// Axes of the body, in the inertial frame.
    pub axes: [V3; 3],
    /// Roll axis.
    pub roll: V3,
    /// Pitch or spin axis.
    pub pitch: V3,
    /// Angular velocity of the body.
    pub omega: V3,
    /// Angular velocity of the axes after yaw and roll.
    pub carrier: V3,
    sin_roll: f64,
    cos_roll: f64,
    sin_pitch: f64,
    cos_pitch: f64,
}

impl Pose {
    /// Place `r`, angles (roll, pitch, yaw) and their rates.
    pub fn new(r: V3, v: V3, angle: V3, rate: V3) -> Pose {
        let [(sf, cf), (st, ct), (sp, cp)] = angle.map(f64::sin_cos);
        let roll = [cp, sp, 0.0];
        let pitch = [-sp * cf, cp * cf, sf];
        let up = [sp * sf, -cp * sf, cf];
        let carrier = plus([0.0, 0.0, rate[2]], rate[0], roll);
        Pose {
            r,
            v,
            axes: [
                plus([ct * roll[0], ct * roll[1], 0.0], -st, up),
                pitch,
                plus([st * roll[0], st * roll[1], 0.0], ct, up),
            ],
            roll,
            pitch,
            omega: plus(carrier, rate[1], pitch),
            carrier,
            sin_roll: sf,
            cos_roll: cf,
            sin_pitch: st,
            cos_pitch: ct,
        }
    }

    /// A vector of the body, in the inertial frame.
    pub fn outward(&self, x: V3) -> V3 {
        let [a, b, c] = self.axes;
        plus(plus(plus([0.0; 3], x[0], a), x[1], b), x[2], c)
    }

    /// A vector of the inertial frame, in axes of the body.
    pub fn inward(&self, x: V3) -> V3 {
        self.axes.map(|axis| dot(axis, x))
    }

    /// Generalised moments about the three axes.
    pub fn moments(&self, m: V3) -> V3 {
        [dot(m, self.roll), dot(m, self.pitch), m[2]]
    }

    /// Angular velocity in the axes after yaw and roll.
    fn b(&self, rate: V3) -> V3 {
        [
            rate[0],
            rate[1] + rate[2] * self.sin_roll,
            rate[2] * self.cos_roll,
        ]
    }

    /// Generalised moments of inertia, for rates and accelerations of the angles; `spin` is a
    /// constant rate of a body of revolution about its pitch axis beside that of its angle.
    pub fn inertia(&self, i: V3, rate: V3, acceleration: V3, spin: Option<f64>) -> V3 {
        let (s, c) = (self.sin_roll, self.cos_roll);
        let mut b = self.b(rate);
        let mut db = self.b(acceleration);
        db[1] += rate[2] * c * rate[0];
        db[2] -= rate[2] * s * rate[0];
        let torque = match spin {
            Some(spin) => {
                // the inertia does not change in axes that do not spin
                b[1] += spin;
                let frame = [rate[0], rate[2] * s, rate[2] * c];
                let momentum = [i[0] * b[0], i[1] * b[1], i[2] * b[2]];
                let turning = cross(frame, momentum);
                [0, 1, 2].map(|k| i[k] * db[k] + turning[k])
            }
            None => {
                let w = self.unpitch(b);
                let dw = minus(self.unpitch(db), cross([0.0, rate[1], 0.0], w));
                let gyroscopic = cross(w, [i[0] * w[0], i[1] * w[1], i[2] * w[2]]);
                self.repitch([0, 1, 2].map(|k| i[k] * dw[k] + gyroscopic[k]))
            }
        };
        [torque[0], torque[1], s * torque[1] + c * torque[2]]
    }

    /// Mass matrix of the angles.
    pub fn mass(&self, i: V3, revolution: bool) -> [V3; 3] {
        let columns = [0, 1, 2].map(|k| {
            let mut rate = [0.0; 3];
            rate[k] = 1.0;
            let b = self.b(rate);
            let l = if revolution {
                [i[0] * b[0], i[1] * b[1], i[2] * b[2]]
            } else {
                let w = self.unpitch(b);
                self.repitch([i[0] * w[0], i[1] * w[1], i[2] * w[2]])
            };
            [l[0], l[1], self.sin_roll * l[1] + self.cos_roll * l[2]]
        });
        [0, 1, 2].map(|row| columns.map(|c| c[row]))
    }

    fn unpitch(&self, x: V3) -> V3 {
        let (s, c) = (self.sin_pitch, self.cos_pitch);
        [c * x[0] - s * x[2], x[1], s * x[0] + c * x[2]]
    }

    fn repitch(&self, x: V3) -> V3 {
        let (s, c) = (self.sin_pitch, self.cos_pitch);
        [c * x[0] + s * x[2], x[1], c * x[2] - s * x[0]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mass matrix is the derivative of the moments by the accelerations, to rounding; at
    /// constant rates the moments do the work that the kinetic energy gains, to the error of a
    /// central difference of 1e-5 s.
    #[test]
    fn moments_of_inertia_agree_with_the_energy() {
        let (angle, rate, i) = ([0.3, -0.7, 1.1], [0.5, -1.3, 0.8], [2.0, 3.0, 2.5]);
        let pose = |t: f64| {
            let now = [0, 1, 2].map(|k| angle[k] + t * rate[k]);
            Pose::new([0.0; 3], [0.0; 3], now, rate)
        };
        let quiet = pose(0.0).inertia(i, rate, [0.0; 3], None);
        let mass = pose(0.0).mass(i, false);
        for k in 0..3 {
            let mut one = [0.0; 3];
            one[k] = 1.0;
            let moved = pose(0.0).inertia(i, rate, one, None);
            for row in 0..3 {
                assert!((moved[row] - quiet[row] - mass[row][k]).abs() < 1e-14);
                assert!((mass[row][k] - mass[k][row]).abs() < 1e-14);
            }
        }
        let energy = |t: f64| {
            let m = pose(t).mass(i, false);
            0.5 * dot(rate, [0, 1, 2].map(|r| dot(m[r], rate)))
        };
        let gain = (energy(1e-5) - energy(-1e-5)) / 2e-5;
        assert!((dot(quiet, rate) - gain).abs() < 1e-8);
        // both descriptions of a body of revolution
        let i = [2.0, 3.0, 2.0];
        let plain = pose(0.0).inertia(i, rate, [0.1, 0.2, 0.3], None);
        let spinning = pose(0.0).inertia(i, [0.5, 0.0, 0.8], [0.1, 0.2, 0.3], Some(-1.3));
        assert!((0..3).all(|k| (plain[k] - spinning[k]).abs() < 1e-13));
    }

    #[test]
    fn axes_turn_with_the_angular_velocity() {
        let (angle, rate) = ([0.3, -0.7, 1.1], [0.5, -1.3, 0.8]);
        let at = |t: f64| {
            let now = [0, 1, 2].map(|k| angle[k] + t * rate[k]);
            Pose::new([0.0; 3], [0.0; 3], now, rate)
        };
        let (low, now, high) = (at(-1e-5), at(0.0), at(1e-5));
        for k in 0..3 {
            let turn = cross(now.omega, now.axes[k]);
            let change = minus(high.axes[k], low.axes[k]).map(|x| x / 2e-5);
            assert!((0..3).all(|i| (turn[i] - change[i]).abs() < 1e-9));
            let x = [0.2, 0.3, -0.4];
            assert!((now.inward(now.outward(x))[k] - x[k]).abs() < 1e-15);
        }
    }
}
