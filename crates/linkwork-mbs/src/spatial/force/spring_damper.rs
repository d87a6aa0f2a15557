//! Linear spring and damper between two points in space.
//!
//! With `d = p_b - p_a`, `L = |d|`, `u = d / L`, `J = [ -I  R_a s_a^ | I  -R_b s_b^ ]`, `g = J' u`:
//!
//! ```text
//!  F = k (L - L0) + c L'        L' = g . v        Q = -F g
//!  g_q = J' (I - u u') J / L + diag(0, -s_a^ (R_a' u)^, 0, s_b^ (R_b' u)^)
//!  L'_q = J' (v - L' u)/L + (0, -(omega_a x s_a) x R_a' u, 0, (omega_b x s_b) x R_b' u)
//!  -dQ/dq = g (k g + c L'_q)' + F g_q            -dQ/dv = c g g'
//! ```
//!
//! `v` is the relative velocity of the ends. Undefined at `L = 0`, where the line of action has no
//! direction.

use super::{Force, ForceEntry, ForcePattern, ForcePoint, ForceTerms, full};
use crate::field::{Key, Value};
use crate::force::{ForceEnergy, ForceWant, OutOfDomain};
use crate::spatial::geometry::{
    Marker, Matrix, Site, Vector, apply_transposed, cross, dot, norm, scaled, sub, two_hats,
};
use crate::spatial::joint::{AT_A, AT_B, COLUMNS, POINT_A, POINT_B, read_markers, write_markers};
use crate::units::Unit;

/// Pulls two points together with `k (L - L0) + c L'`.
#[derive(Clone, Debug, PartialEq)]
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
}

pub(super) const ENTRY: ForceEntry = ForceEntry {
    kind: "spring_damper",
    summary: "A linear spring and damper in the line between two points.",
    keys: &[
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        Key::optional("stiffness", Unit::Stiffness, "0", "Force per elongation."),
        Key::optional(
            "damping",
            Unit::Damping,
            "0",
            "Force per rate of elongation.",
        ),
        Key::optional(
            "free_length",
            Unit::Length,
            "as in the start pose",
            "Length at which the spring exerts no force.",
        ),
    ],
    read: |f| {
        if f.has("at") {
            return Err(f.error("at", "the two ends of a spring cannot coincide"));
        }
        let [a, b] = read_markers(f)?;
        Ok(SpringDamper {
            a,
            b,
            stiffness: f.not_negative_or("stiffness", Unit::Stiffness, 0.0)?,
            damping: f.not_negative_or("damping", Unit::Damping, 0.0)?,
            free_length: f.optional_number("free_length", Unit::Length)?,
        }
        .into())
    },
    example: |draw| {
        SpringDamper {
            a: [draw(), draw(), draw()].into(),
            b: [draw(), draw(), draw()].into(),
            stiffness: 20.0 + 10.0 * draw(),
            damping: 2.0 + draw(),
            free_length: Some(1.0 + 0.5 * draw()),
        }
        .into()
    },
};

/// Geometry of the line between the two ends.
struct Line {
    u: Vector,
    /// `R_a' u`, `R_b' u`.
    ua: Vector,
    ub: Vector,
    length: f64,
    /// Relative velocity of the ends.
    v: Vector,
    rate: f64,
}

impl SpringDamper {
    #[inline(always)]
    fn line(&self, at: &ForcePoint<'_>) -> Line {
        let (a, b) = (at.a, at.b);
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        let length = norm(d);
        let u = scaled(d, 1.0 / length);
        let v = sub(b.velocity_at(self.b.point), a.velocity_at(self.a.point));
        Line {
            u,
            ua: apply_transposed(&a.pose.rotation, u),
            ub: apply_transposed(&b.pose.rotation, u),
            length,
            v,
            rate: dot(u, v),
        }
    }

    #[inline(always)]
    fn tension(&self, line: &Line) -> f64 {
        let elongation = line.length - self.free_length.unwrap_or(0.0);
        self.stiffness * elongation + self.damping * line.rate
    }

    /// `J' f` for `f` in global components, given its components in both bodies.
    #[inline(always)]
    fn along(&self, f: Vector, fa: Vector, fb: Vector) -> [f64; COLUMNS] {
        let (ta, tb) = (cross(self.a.point, fa), cross(self.b.point, fb));
        let mut out = [0.0; COLUMNS];
        for i in 0..3 {
            (out[i], out[3 + i]) = (-f[i], -ta[i]);
            (out[6 + i], out[9 + i]) = (f[i], tb[i]);
        }
        out
    }

    fn along_global(&self, at: &ForcePoint<'_>, f: Vector) -> [f64; COLUMNS] {
        let fa = apply_transposed(&at.a.pose.rotation, f);
        let fb = apply_transposed(&at.b.pose.rotation, f);
        self.along(f, fa, fb)
    }

    fn stiffness_matrix(&self, at: &ForcePoint<'_>, line: &Line, g: &[f64; COLUMNS]) -> Square {
        let (k, c, tension) = (self.stiffness, self.damping, self.tension(line));
        let (sa, sb) = (self.a.point, self.b.point);
        let turning = scaled(sub(line.v, scaled(line.u, line.rate)), 1.0 / line.length);
        let mut rate_q = self.along_global(at, turning);
        let da = cross(cross(at.a.omega, sa), line.ua);
        let db = cross(cross(at.b.omega, sb), line.ub);
        for i in 0..3 {
            rate_q[3 + i] -= da[i];
            rate_q[9 + i] += db[i];
        }
        // J' (I - u u') J = J' J - g g', J' J column by column
        let bend = tension / line.length;
        let mut out = [[0.0; COLUMNS]; COLUMNS];
        for axis in 0..3 {
            let mut e = [0.0; 3];
            e[axis] = 1.0;
            let row = self.along_global(at, e);
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
        let mut turn = |first: usize, m: Matrix, factor: f64| {
            for i in 0..3 {
                for j in 0..3 {
                    out[first + i][first + j] += factor * m[i][j];
                }
            }
        };
        turn(3, two_hats(sa, line.ua), -tension);
        turn(9, two_hats(sb, line.ub), tension);
        out
    }
}

type Square = [[f64; COLUMNS]; COLUMNS];

impl Force for SpringDamper {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.a.point), Some(self.b.point)]
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
        let d = sub(b.pose.point(self.b.point), a.pose.point(self.a.point));
        self.free_length.get_or_insert(norm(d));
    }
    fn check(&self) -> Result<(), String> {
        let free = self.free_length.unwrap_or(0.0);
        for (what, x) in [
            ("stiffness", self.stiffness),
            ("damping", self.damping),
            ("free length", free),
        ] {
            if !(x >= 0.0 && x.is_finite()) {
                return Err(format!("the {what} must be zero or greater, it is {x}"));
            }
        }
        Ok(())
    }
    fn extent(&self) -> f64 {
        self.free_length.unwrap_or(0.0)
    }
    fn pattern(&self) -> ForcePattern {
        ForcePattern {
            by_input: Vec::new(),
            stiffness: full(),
            damping: if self.damping == 0.0 {
                Vec::new()
            } else {
                full()
            },
        }
    }
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain> {
        let line = self.line(at);
        if line.length == 0.0 {
            return Err(OutOfDomain(
                "its length is zero, so its force has no direction",
            ));
        }
        let g = self.along(line.u, line.ua, line.ub);
        if want.any(ForceWant::Q) {
            let tension = self.tension(&line);
            out.q = g.map(|g| -tension * g);
        }
        if want.any(ForceWant::STIFFNESS) {
            out.stiffness = self.stiffness_matrix(at, &line, &g);
        }
        if want.any(ForceWant::DAMPING) && self.damping != 0.0 {
            out.damping = g.map(|x| g.map(|y| self.damping * x * y));
        }
        Ok(())
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let line = self.line(at);
        let elongation = line.length - self.free_length.unwrap_or(0.0);
        let rate = if line.length > 0.0 { line.rate } else { 0.0 };
        ForceEnergy {
            potential: 0.5 * self.stiffness * elongation * elongation,
            power: -self.damping * rate * rate,
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("length", "m"), ("force", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let line = self.line(at);
        out[..2].copy_from_slice(&[line.length, self.tension(&line)]);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.push(("stiffness", Value::Number(self.stiffness)));
        fields.push(("damping", Value::Number(self.damping)));
        if let Some(length) = self.free_length {
            fields.push(("free_length", Value::Number(length)));
        }
        fields
    }
}
