//! Linear spring and damper between two points.
//!
//! With `d = p_b - p_a`, `L = |d|`, `u = d / L`, `g = L_q = J' u`, `J = [ -I  -s_a^ | I  s_b^ ]`
//! and `w = J' u^` (in the plane `I - u u' = u^ u^'`):
//!
//! ```text
//!  F = k (L - L0) + c L'        L' = g . v        Q = -F g
//!  H = L_qq = w w' / L + diag(0, 0, u.s_a, 0, 0, -u.s_b)
//!  -dQ/dq = g (k g + c H v)' + F H               -dQ/dv = c g g'
//! ```
//!
//! Undefined at `L = 0`, where the line of action has no direction.

use super::{
    Force, ForceEnergy, ForceEntry, ForcePattern, ForcePoint, ForceTerms, ForceWant, OutOfDomain,
    full, outer,
};
use crate::field::{Key, Value};
use crate::joint::{AT_A, AT_B, COLUMNS, POINT_A, POINT_B, read_markers, write_markers};
use crate::space::{Marker, Site, Vector, dot, perp};
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
            a: [draw(), draw()].into(),
            b: [draw(), draw()].into(),
            stiffness: 20.0 + 10.0 * draw(),
            damping: 2.0 + draw(),
            free_length: Some(1.0 + 0.5 * draw()),
        }
        .into()
    },
};

/// Geometry of the line between the two ends.
struct Line {
    sa: Vector,
    sb: Vector,
    u: Vector,
    length: f64,
    rate: f64,
}

impl SpringDamper {
    #[inline(always)]
    fn line(&self, at: &ForcePoint<'_>) -> Line {
        let (a, b) = (at.a, at.b);
        let sa = a.pose.direction(self.a.point);
        let sb = b.pose.direction(self.b.point);
        let d = [
            b.pose.x + sb[0] - (a.pose.x + sa[0]),
            b.pose.y + sb[1] - (a.pose.y + sa[1]),
        ];
        let length = dot(d, d).sqrt();
        let i = 1.0 / length;
        let u = [d[0] * i, d[1] * i];
        let (va, vb) = (a.velocity_at(sa), b.velocity_at(sb));
        let rate = dot(u, [vb[0] - va[0], vb[1] - va[1]]);
        Line {
            sa,
            sb,
            u,
            length,
            rate,
        }
    }

    #[inline(always)]
    fn tension(&self, line: &Line) -> f64 {
        let elongation = line.length - self.free_length.unwrap_or(0.0);
        self.stiffness * elongation + self.damping * line.rate
    }
}

/// `J' u` for a direction `u`.
#[inline(always)]
fn along(u: Vector, line: &Line) -> [f64; COLUMNS] {
    [
        -u[0],
        -u[1],
        -dot(u, perp(line.sa)),
        u[0],
        u[1],
        dot(u, perp(line.sb)),
    ]
}

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
        let (p, q) = (a.pose.point(self.a.point), b.pose.point(self.b.point));
        self.free_length
            .get_or_insert((q[0] - p[0]).hypot(q[1] - p[1]));
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
        let tension = self.tension(&line);
        let g = along(line.u, &line);
        if want.any(ForceWant::Q) {
            out.q = g.map(|g| -tension * g);
        }
        if want.any(ForceWant::STIFFNESS) {
            let (a, b) = (at.a, at.b);
            let v = [
                a.velocity[0],
                a.velocity[1],
                a.omega,
                b.velocity[0],
                b.velocity[1],
                b.omega,
            ];
            let w = along(perp(line.u), &line);
            let turn_a = dot(line.u, line.sa);
            let turn_b = -dot(line.u, line.sb);
            let wv: f64 = (0..COLUMNS).map(|i| w[i] * v[i]).sum::<f64>() / line.length;
            let mut hv = w.map(|w| w * wv);
            hv[2] += turn_a * v[2];
            hv[5] += turn_b * v[5];
            let f: [f64; COLUMNS] =
                std::array::from_fn(|j| self.stiffness * g[j] + self.damping * hv[j]);
            let bend = tension / line.length;
            out.stiffness =
                std::array::from_fn(|i| std::array::from_fn(|j| g[i] * f[j] + bend * w[i] * w[j]));
            out.stiffness[2][2] += tension * turn_a;
            out.stiffness[5][5] += tension * turn_b;
        }
        if want.any(ForceWant::DAMPING) && self.damping != 0.0 {
            out.damping = outer(&g.map(|g| self.damping * g), &g);
        }
        Ok(())
    }
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy {
        let line = self.line(at);
        let elongation = line.length - self.free_length.unwrap_or(0.0);
        ForceEnergy {
            potential: 0.5 * self.stiffness * elongation * elongation,
            power: -self.damping * line.rate * line.rate,
        }
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        &[("length", "m"), ("force", "N")]
    }
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let line = self.line(at);
        out[0] = line.length;
        out[1] = self.tension(&line);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.a, &self.b);
        fields.push(("stiffness", Value::Number(self.stiffness)));
        fields.push(("damping", Value::Number(self.damping)));
        fields.extend(self.free_length.map(|x| ("free_length", Value::Number(x))));
        fields
    }
}
