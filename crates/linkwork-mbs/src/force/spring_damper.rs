//! Linear spring and damper between two points.
//!
//! With `d = p_b - p_a`, `L = |d|`, `u = d / L`, `J = d_q = [ -I  R_a s_a^ | I  -R_b s_b^ ]`, `g = J' u`:
//!
//! ```text
//!  F = k (L - L0) + c L'        L' = g . v        Q = -F g
//!  g_q = J' (I - u u') J / L + diag(0, -s_a^ (R_a' u)^, 0, s_b^ (R_b' u)^)
//!  L'_q = J' (v - L' u)/L + (0, -(omega_a x s_a) x R_a' u, 0, (omega_b x s_b) x R_b' u)
//!  -dQ/dq = g (k g + c L'_q)' + F g_q            -dQ/dv = c g g'
//! ```
//!
//! In the x-y plane `I - u u' = u^ u^'`, so that with `w = J' u^`
//!
//! ```text
//!  g_q = w w' / L + diag(0, 0, u.s_a, 0, 0, -u.s_b)          L'_q = g_q v
//! ```
//!
//! `v` is the relative velocity of the ends. Undefined at `L = 0`, where the line of action has no
//! direction.

use super::{Force, ForcePattern, ForcePoint, ForceTerms, full};
use super::{ForceEnergy, ForceWant, OutOfDomain};
use crate::geometry::{Marker, Site, Vector, norm, scaled, sub};
use crate::joint::COLUMNS;
use crate::joint::mounted::stretches;
use crate::kernel::{Ends, FLAT, Flat, Solid, Space};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// Pulls two points together with `k (L - L0) + c L'`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringDamper {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
    /// Stiffness `k`, N/m.
    pub stiffness: f64,
    /// Damping `c`, N s/m.
    pub damping: f64,
    /// Length without force, m; `None`: as in the start pose.
    pub free_length: Option<f64>,
    /// Whether both bodies move in the x-y plane.
    flat: bool,
}

impl SpringDamper {
    /// Between two points, with the length that it has in the start pose unless one is given.
    pub fn between(
        a: impl Into<Marker>,
        b: impl Into<Marker>,
        [stiffness, damping]: [f64; 2],
        free_length: Option<f64>,
    ) -> SpringDamper {
        SpringDamper {
            a: a.into(),
            b: b.into(),
            stiffness,
            damping,
            free_length,
            flat: false,
        }
    }

    fn ends(&self) -> [Vector; 2] {
        [self.a.point, self.b.point]
    }
}

impl Kind for SpringDamper {
    const NAME: &'static str = "spring_damper";
    const SUMMARY: &'static str = "A linear spring and damper in the line between two points.";
}

impl Part for SpringDamper {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let why = "the two ends of a spring cannot coincide";
        k.ends(&mut self.a, &mut self.b, why);
        k.key("stiffness", Unit::Stiffness, "Force per elongation.")
            .or(0.0)
            .like(20.0, 10.0)
            .not_negative(&mut self.stiffness);
        k.key("damping", Unit::Damping, "Force per rate of elongation.")
            .or(0.0)
            .like(2.0, 1.0)
            .not_negative(&mut self.damping);
        let doc = "Length at which the spring exerts no force.";
        k.key("free_length", Unit::Length, doc)
            .or("as in the start pose")
            .like(1.0, 0.5)
            .not_negative(&mut self.free_length);
    }
}

/// Geometry of the line between the two ends.
struct Between<'a, X: Space> {
    ends: Ends<'a, X>,
    u: X::V,
    length: f64,
    /// Relative velocity of the ends.
    v: X::V,
    rate: f64,
}

/// `-dQ/dq` of a spring in a space.
trait Bending: Space + Sized {
    fn stiffness(
        spring: &SpringDamper,
        line: &Between<'_, Self>,
        g: &[f64; 12],
        out: &mut FullBlock,
    );
}

type FullBlock = [[f64; COLUMNS]; COLUMNS];

impl SpringDamper {
    #[inline(always)]
    fn line<'a, X: Space>(&'a self, at: &ForcePoint<'a>) -> Between<'a, X> {
        let ends = Ends::<X>::new([at.a, at.b], [&self.a.point, &self.b.point]);
        let d = ends.apart();
        let length = X::dot(d, d).sqrt();
        let u = X::times(d, 1.0 / length);
        let v = ends.velocity();
        Between {
            ends,
            u,
            length,
            v,
            rate: X::dot(u, v),
        }
    }

    #[inline(always)]
    fn tension(&self, length: f64, rate: f64) -> f64 {
        let elongation = length - self.free_length.unwrap_or(0.0);
        self.stiffness * elongation + self.damping * rate
    }

    /// Length and its rate.
    fn observed(&self, at: &ForcePoint<'_>) -> (f64, f64) {
        if self.flat {
            let line = self.line::<Flat>(at);
            return (line.length, line.rate);
        }
        let line = self.line::<Solid>(at);
        (line.length, line.rate)
    }

    #[inline(always)]
    fn fill<X: Bending>(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        let line = self.line::<X>(at);
        if line.length == 0.0 {
            return Err(OutOfDomain::because(
                "its length is zero, so its force has no direction",
            ));
        }
        let g = line.ends.along(line.u);
        if want.any(ForceWant::Q) {
            let tension = self.tension(line.length, line.rate);
            out.q = g.map(|g| -tension * g);
        }
        if want.any(ForceWant::STIFFNESS) {
            X::stiffness(self, &line, &g, &mut out.stiffness);
        }
        if want.any(ForceWant::DAMPING) && self.damping != 0.0 {
            out.damping = g.map(|x| g.map(|y| self.damping * x * y));
        }
        Ok(())
    }
}

impl Bending for Flat {
    #[inline(always)]
    fn stiffness(
        spring: &SpringDamper,
        line: &Between<'_, Flat>,
        g: &[f64; 12],
        out: &mut FullBlock,
    ) {
        let (a, b) = (line.ends.a, line.ends.b);
        let v = [
            a.velocity[0],
            a.velocity[1],
            a.omega[2],
            b.velocity[0],
            b.velocity[1],
            b.omega[2],
        ];
        let tension = spring.tension(line.length, line.rate);
        let across = line.ends.along([-line.u[1], line.u[0]]);
        let (g, w) = (FLAT.map(|j| g[j]), FLAT.map(|j| across[j]));
        let turn_a = Flat::dot(line.u, line.ends.arms[0]);
        let turn_b = -Flat::dot(line.u, line.ends.arms[1]);
        let wv: f64 = (0..6).map(|i| w[i] * v[i]).sum::<f64>() / line.length;
        let mut hv = w.map(|w| w * wv);
        hv[2] += turn_a * v[2];
        hv[5] += turn_b * v[5];
        let f: [f64; 6] = std::array::from_fn(|j| spring.stiffness * g[j] + spring.damping * hv[j]);
        let bend = tension / line.length;
        for (i, row) in FLAT.into_iter().enumerate() {
            for (j, column) in FLAT.into_iter().enumerate() {
                out[row][column] = g[i] * f[j] + bend * w[i] * w[j];
            }
        }
        out[FLAT[2]][FLAT[2]] += tension * turn_a;
        out[FLAT[5]][FLAT[5]] += tension * turn_b;
    }
}

impl Bending for Solid {
    fn stiffness(
        spring: &SpringDamper,
        line: &Between<'_, Solid>,
        g: &[f64; 12],
        out: &mut FullBlock,
    ) {
        let (k, c) = (spring.stiffness, spring.damping);
        let tension = spring.tension(line.length, line.rate);
        let turning = scaled(sub(line.v, scaled(line.u, line.rate)), 1.0 / line.length);
        let mut rate_q = line.ends.along(turning);
        let [of_a, of_b] = (line.ends).both(|f, s, arm| Solid::moment_of_rate(f, s, arm, line.u));
        for i in 0..3 {
            rate_q[3 + i] -= of_a[i];
            rate_q[9 + i] += of_b[i];
        }
        // J' (I - u u') J = J' J - g g', J' J column by column
        let bend = tension / line.length;
        *out = [[0.0; COLUMNS]; COLUMNS];
        for axis in 0..3 {
            let mut e = [0.0; 3];
            e[axis] = 1.0;
            let row = line.ends.along(e);
            for (out, x) in out.iter_mut().zip(row) {
                for (out, y) in out.iter_mut().zip(row) {
                    *out += bend * x * y;
                }
            }
        }
        for (i, out) in out.iter_mut().enumerate() {
            for (j, out) in out.iter_mut().enumerate() {
                *out += g[i] * (k * g[j] + c * rate_q[j] - bend * g[j]);
            }
        }
        let turned = line
            .ends
            .both(|f, s, arm| Solid::moment_by_turn(f, s, arm, line.u));
        for (first, m, factor) in [(3, turned[0], -tension), (9, turned[1], tension)] {
            for i in 0..3 {
                for j in 0..3 {
                    out[first + i][first + j] += factor * m[3 * i + j];
                }
            }
        }
    }
}

impl Force for SpringDamper {
    stretches!();
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        self.free_length.get_or_insert(norm(d));
        self.flat = a.flat && b.flat && d[2] == 0.0;
    }
    fn pattern(&self, _: bool) -> ForcePattern {
        let mut all = full();
        let flat = |j: &u8| FLAT.contains(&usize::from(*j));
        all.retain(|(i, j)| !self.flat || flat(i) && flat(j));
        ForcePattern {
            damping: if self.damping == 0.0 {
                Vec::new()
            } else {
                all.clone()
            },
            stiffness: all,
            ..ForcePattern::default()
        }
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        match self.flat {
            true => self.fill::<Flat>(at, want, out),
            false => self.fill::<Solid>(at, want, out),
        }
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let (length, rate) = self.observed(at);
        let elongation = length - self.free_length.unwrap_or(0.0);
        let rate = if length > 0.0 { rate } else { 0.0 };
        ForceEnergy {
            potential: 0.5 * self.stiffness * elongation * elongation,
            power: -self.damping * rate * rate,
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("length", "m"), ("force", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let (length, rate) = self.observed(at);
        out[..2].copy_from_slice(&[length, self.tension(length, rate)]);
    }
}
