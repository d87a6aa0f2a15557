//! What can lie between two ports of different subsystems, and the table of all kinds.
//!
//! With `d = p_b - p_a` and its rate, an element pulls its port b by `F` and its port a by `-F`.
//! A side is driven in one of two ways:
//!
//! ```text
//!  force          the subsystem gets F as a function of time
//!  displacement   it gets the motion of the other port, and computes F with its own
//! ```
//!
//! A displacement-driven side feels its own part of a stiff element implicitly, which allows longer
//! macro steps; a force-driven side needs fewer inputs.

use linkwork_mbs::error::ModelError;
use linkwork_mbs::field::{Form, Key};
use linkwork_mbs::text::Fields;
use linkwork_mbs::units::Unit;
use std::fmt::Debug;

/// Motion of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PortMotion {
    /// Place, m.
    pub p: [f64; 2],
    /// Its velocity, m/s.
    pub v: [f64; 2],
    /// Angle of the body, rad; 0 where the element does not ask for it.
    pub angle: f64,
    /// Its rate, rad/s.
    pub omega: f64,
}

/// Force and torque on a port.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Force, N.
    pub f: [f64; 2],
    /// Torque, N m.
    pub m: f64,
}

impl Load {
    /// Power of the load at a port.
    pub fn power(&self, at: &PortMotion) -> f64 {
        self.f[0] * at.v[0] + self.f[1] * at.v[1] + self.m * at.omega
    }

    /// The difference of two loads.
    pub fn minus(&self, other: &Load) -> Load {
        Load {
            f: [self.f[0] - other.f[0], self.f[1] - other.f[1]],
            m: self.m - other.m,
        }
    }
}

/// The names of the quantities of a port in formulas: place, velocity, angle and its rate.
#[derive(Clone, Debug)]
pub struct PortNames {
    /// `x`, `y`.
    pub p: [String; 2],
    /// Rates of these.
    pub v: [String; 2],
    /// Angle and its rate.
    pub turn: [String; 2],
}

/// A law between two ports.
pub trait Element: Debug + Send + Sync {
    /// Whether the angles of the bodies matter.
    fn turns(&self) -> bool {
        false
    }

    /// The load on port b; that on port a is the opposite.
    fn load(&self, a: &PortMotion, b: &PortMotion) -> Load;

    /// The same as formulas of the named quantities: x, y and, if angles matter, torque.
    fn formulas(&self, a: &PortNames, b: &PortNames) -> Vec<String>;

    /// Completes parameters that depend on the start: a free length, say.
    fn settle(&mut self, a: [f64; 2], b: [f64; 2]) {
        let _ = (a, b);
    }
}

/// One kind of element: documentation and reader.
pub struct ElementEntry {
    /// Name in the system file.
    pub kind: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The keys it understands besides those of all elements.
    pub keys: &'static [Key],
    /// Reads the parameters.
    pub read: fn(&Fields<'_>) -> Result<Box<dyn Element>, ModelError>,
}

/// The keys of every element.
pub static ELEMENT_KEYS: &[Key] = &[
    Key::required(
        "port_a",
        Unit::None,
        "One end: SUBSYSTEM.SENSOR, a point sensor of that model.",
    )
    .takes(Form::Word),
    Key::required("port_b", Unit::None, "The other end.").takes(Form::Word),
    Key::optional(
        "scheme",
        Unit::None,
        "displacement/displacement",
        "What the sides are driven by, that of port_a first: `force` or `displacement` each.",
    )
    .takes(Form::Word),
];

/// Every kind of element.
pub static ELEMENTS: &[ElementEntry] = &[
    ElementEntry {
        kind: "spring_damper",
        summary: "Spring and damper along the line between two ports.",
        keys: &[
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
            Ok(Box::new(SpringDamper {
                stiffness: f.number_or("stiffness", Unit::Stiffness, 0.0)?,
                damping: f.number_or("damping", Unit::Damping, 0.0)?,
                free_length: f.optional_number("free_length", Unit::Length)?,
            }))
        },
    },
    ElementEntry {
        kind: "bushing",
        summary: "Springs and dampers along the global axes, and about the axis of rotation.",
        keys: &[
            Key::optional(
                "stiffness",
                Unit::Stiffness,
                "[0, 0]",
                "Force per displacement along x and y.",
            )
            .takes(Form::Vector),
            Key::optional(
                "damping",
                Unit::Damping,
                "[0, 0]",
                "Force per velocity along x and y.",
            )
            .takes(Form::Vector),
            Key::optional(
                "offset",
                Unit::Length,
                "[0, 0]",
                "Place of port b relative to port a without force.",
            )
            .takes(Form::Vector),
            Key::optional(
                "torsion",
                Unit::None,
                "0",
                "Torque per angle of the body of b relative to that of a, N m/rad.",
            ),
            Key::optional(
                "torsion_damping",
                Unit::None,
                "0",
                "Torque per rate of that angle, N m s/rad.",
            ),
        ],
        read: |f| {
            Ok(Box::new(Bushing {
                stiffness: f.vector_or("stiffness", Unit::Stiffness, [0.0; 2])?,
                damping: f.vector_or("damping", Unit::Damping, [0.0; 2])?,
                offset: f.vector_or("offset", Unit::Length, [0.0; 2])?,
                torsion: f.number_or("torsion", Unit::None, 0.0)?,
                torsion_damping: f.number_or("torsion_damping", Unit::None, 0.0)?,
            }))
        },
    },
];

/// Spring and damper along the line of the ports.
#[derive(Clone, Debug, PartialEq)]
struct SpringDamper {
    stiffness: f64,
    damping: f64,
    free_length: Option<f64>,
}

impl Element for SpringDamper {
    fn load(&self, a: &PortMotion, b: &PortMotion) -> Load {
        let d = [b.p[0] - a.p[0], b.p[1] - a.p[1]];
        let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
        let rate = (d[0] * (b.v[0] - a.v[0]) + d[1] * (b.v[1] - a.v[1])) / length;
        let free = self.free_length.unwrap_or(0.0);
        let tension = self.stiffness * (length - free) + self.damping * rate;
        Load {
            f: [-tension * d[0] / length, -tension * d[1] / length],
            m: 0.0,
        }
    }

    fn formulas(&self, a: &PortNames, b: &PortNames) -> Vec<String> {
        let dx = format!("({} - {})", b.p[0], a.p[0]);
        let dy = format!("({} - {})", b.p[1], a.p[1]);
        let length = format!("sqrt({dx}^2 + {dy}^2)");
        let rate = format!(
            "({dx}*({} - {}) + {dy}*({} - {}))/{length}",
            b.v[0], a.v[0], b.v[1], a.v[1]
        );
        let free = self.free_length.unwrap_or(0.0);
        let tension = format!(
            "(({:?})*({length} - ({free:?})) + ({:?})*{rate})",
            self.stiffness, self.damping
        );
        vec![
            format!("-{tension}*{dx}/{length}"),
            format!("-{tension}*{dy}/{length}"),
        ]
    }

    fn settle(&mut self, a: [f64; 2], b: [f64; 2]) {
        let d = [b[0] - a[0], b[1] - a[1]];
        self.free_length
            .get_or_insert((d[0] * d[0] + d[1] * d[1]).sqrt());
    }
}

/// Springs and dampers along the global axes.
#[derive(Clone, Debug, PartialEq)]
struct Bushing {
    stiffness: [f64; 2],
    damping: [f64; 2],
    offset: [f64; 2],
    torsion: f64,
    torsion_damping: f64,
}

impl Element for Bushing {
    fn turns(&self) -> bool {
        self.torsion != 0.0 || self.torsion_damping != 0.0
    }

    fn load(&self, a: &PortMotion, b: &PortMotion) -> Load {
        let along = |i: usize| {
            -self.stiffness[i] * (b.p[i] - a.p[i] - self.offset[i])
                - self.damping[i] * (b.v[i] - a.v[i])
        };
        Load {
            f: [along(0), along(1)],
            m: -self.torsion * (b.angle - a.angle) - self.torsion_damping * (b.omega - a.omega),
        }
    }

    fn formulas(&self, a: &PortNames, b: &PortNames) -> Vec<String> {
        let along = |i: usize| {
            format!(
                "-({:?})*({} - {} - ({:?})) - ({:?})*({} - {})",
                self.stiffness[i], b.p[i], a.p[i], self.offset[i], self.damping[i], b.v[i], a.v[i]
            )
        };
        let mut all = vec![along(0), along(1)];
        if self.turns() {
            all.push(format!(
                "-({:?})*({} - {}) - ({:?})*({} - {})",
                self.torsion, b.turn[0], a.turn[0], self.torsion_damping, b.turn[1], a.turn[1]
            ));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_mbs::expr::Formula;

    /// Formulas and laws are two writings of one thing: equal up to rounding at arbitrary places.
    #[test]
    fn formulas_say_the_same_as_the_laws() {
        let mut spring = SpringDamper {
            stiffness: 300.0,
            damping: 7.0,
            free_length: None,
        };
        spring.settle([0.0, 0.0], [0.3, 0.4]);
        assert_eq!(spring.free_length, Some(0.5));
        let bushing = Bushing {
            stiffness: [20.0, 50.0],
            damping: [1.0, -2.0],
            offset: [0.1, -0.2],
            torsion: 3.0,
            torsion_damping: 0.5,
        };
        let names = |side: &str| {
            let name = |what: &str| format!("{side}.{what}");
            PortNames {
                p: ["x", "y"].map(name),
                v: ["vx", "vy"].map(name),
                turn: ["w", "o"].map(name),
            }
        };
        let motion = |s: f64| PortMotion {
            p: [0.3 + s, 1.0 - 2.0 * s],
            v: [0.2 * s, 1.5],
            angle: 0.1 * s,
            omega: -0.7 * s,
        };
        let elements: [&dyn Element; 2] = [&spring, &bushing];
        for element in elements {
            let (a, b) = (motion(0.0), motion(1.3));
            let load = element.load(&a, &b);
            let want = [load.f[0], load.f[1], load.m];
            for (text, want) in element.formulas(&names("a"), &names("b")).iter().zip(want) {
                let f = Formula::parse_with_signals(text).unwrap();
                let signals = f.signals();
                let value = f.eval_with(0.0, |k| {
                    let (side, what) = signals[k].name.split_once('.').unwrap();
                    let m = if side == "a" { &a } else { &b };
                    match what {
                        "x" => m.p[0],
                        "y" => m.p[1],
                        "vx" => m.v[0],
                        "vy" => m.v[1],
                        "w" => m.angle,
                        _ => m.omega,
                    }
                });
                assert!((value - want).abs() < 1e-12 * (1.0 + want.abs()), "{text}");
            }
        }
    }
}
