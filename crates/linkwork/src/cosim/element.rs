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

/// Motion of a port. In the plane z is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PortMotion {
    /// Place, m.
    pub p: [f64; 3],
    /// Its velocity, m/s.
    pub v: [f64; 3],
    /// Angle of the body in the plane, rad; 0 where the element does not ask for it.
    pub angle: f64,
    /// Its rate, rad/s.
    pub omega: f64,
}

/// Force and torque on a port.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Force, N.
    pub f: [f64; 3],
    /// Torque, N m.
    pub m: f64,
}

impl Load {
    /// Power of the load at a port.
    pub fn power(&self, at: &PortMotion) -> f64 {
        let [x, y, z] = at.v;
        self.f[0] * x + self.f[1] * y + self.f[2] * z + self.m * at.omega
    }

    /// The difference of two loads.
    pub fn minus(&self, other: &Load) -> Load {
        Load {
            f: [0, 1, 2].map(|i| self.f[i] - other.f[i]),
            m: self.m - other.m,
        }
    }
}

/// The names of the quantities of a port in formulas: place, velocity, angle and its rate.
#[derive(Clone, Debug)]
pub struct PortNames {
    /// `x`, `y` and, in space, `z`.
    pub p: Vec<String>,
    /// Rates of these.
    pub v: Vec<String>,
    /// Angle and its rate.
    pub turn: [String; 2],
}

/// A law between two ports.
pub trait Element: Debug + Send + Sync {
    /// Whether the angles of the bodies matter.
    fn turns(&self) -> bool {
        false
    }

    /// How many directions it has parameters for, if they must be as many as those of the ports: two
    /// in the plane, three in space.
    fn axes(&self) -> Option<usize> {
        None
    }

    /// The load on port b; that on port a is the opposite.
    fn load(&self, a: &PortMotion, b: &PortMotion) -> Load;

    /// The same as formulas of the named quantities: one for each direction and, if angles matter,
    /// the torque.
    fn formulas(&self, a: &PortNames, b: &PortNames) -> Vec<String>;

    /// Completes parameters that depend on the start: a free length, say.
    fn settle(&mut self, a: [f64; 3], b: [f64; 3]) {
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
        summary: "Springs and dampers along the global axes; in the plane also about the axis of rotation.",
        keys: &[
            Key::optional(
                "stiffness",
                Unit::Stiffness,
                "0",
                "Force per displacement along x and y, in space also z.",
            )
            .takes(Form::Vector),
            Key::optional(
                "damping",
                Unit::Damping,
                "0",
                "Force per velocity along x and y, in space also z.",
            )
            .takes(Form::Vector),
            Key::optional(
                "offset",
                Unit::Length,
                "0",
                "Place of port b relative to port a without force.",
            )
            .takes(Form::Vector),
            Key::optional(
                "torsion",
                Unit::None,
                "0",
                "In the plane: torque per angle of the body of b relative to that of a, N m/rad.",
            ),
            Key::optional(
                "torsion_damping",
                Unit::None,
                "0",
                "Torque per rate of that angle, N m s/rad.",
            ),
        ],
        read: |f| Ok(Box::new(Bushing::read(f)?)),
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
        let d = [0, 1, 2].map(|i| b.p[i] - a.p[i]);
        let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
        let rate = (0..3).map(|i| d[i] * (b.v[i] - a.v[i])).sum::<f64>() / length;
        let free = self.free_length.unwrap_or(0.0);
        let tension = self.stiffness * (length - free) + self.damping * rate;
        Load {
            f: d.map(|d| -tension * d / length),
            m: 0.0,
        }
    }

    fn formulas(&self, a: &PortNames, b: &PortNames) -> Vec<String> {
        let apart = |a: &[String], b: &[String]| -> Vec<String> {
            let pairs = a.iter().zip(b);
            pairs.map(|(a, b)| format!("({b} - {a})")).collect()
        };
        let (d, rates) = (apart(&a.p, &b.p), apart(&a.v, &b.v));
        let squares: Vec<String> = d.iter().map(|d| format!("{d}^2")).collect();
        let length = format!("sqrt({})", squares.join(" + "));
        let products: Vec<String> = (d.iter().zip(&rates))
            .map(|(d, rate)| format!("{d}*{rate}"))
            .collect();
        let rate = format!("({})/{length}", products.join(" + "));
        let free = self.free_length.unwrap_or(0.0);
        let tension = format!(
            "(({:?})*({length} - ({free:?})) + ({:?})*{rate})",
            self.stiffness, self.damping
        );
        d.iter()
            .map(|d| format!("-{tension}*{d}/{length}"))
            .collect()
    }

    fn settle(&mut self, a: [f64; 3], b: [f64; 3]) {
        let squares = (0..3).map(|i| (b[i] - a[i]).powi(2));
        self.free_length.get_or_insert(squares.sum::<f64>().sqrt());
    }
}

/// Springs and dampers along the global axes.
#[derive(Clone, Debug, PartialEq)]
struct Bushing {
    /// Directions: 2 or 3.
    axes: usize,
    stiffness: [f64; 3],
    damping: [f64; 3],
    offset: [f64; 3],
    torsion: f64,
    torsion_damping: f64,
}

impl Bushing {
    fn read(f: &Fields<'_>) -> Result<Bushing, ModelError> {
        let mut axes = None;
        let mut along = |key: &'static str, unit: Unit| {
            let mut values = [0.0; 3];
            if !f.has(key) {
                return Ok(values);
            }
            let given = f.quantities(key, unit)?;
            let n = given.len();
            if n != 2 && n != 3 {
                let message = format!("`{key}` has {n} components");
                let error = f.error(key, message);
                return Err(error.with_label("expected [x, y], or in space [x, y, z]"));
            }
            if axes.replace(n).is_some_and(|before| before != n) {
                let message = format!("`{key}` has {n} components, other keys have not");
                let error = f.error(key, message);
                return Err(error.with_label("must have as many components as the others"));
            }
            values[..n].copy_from_slice(&given);
            Ok(values)
        };
        let bushing = Bushing {
            stiffness: along("stiffness", Unit::Stiffness)?,
            damping: along("damping", Unit::Damping)?,
            offset: along("offset", Unit::Length)?,
            axes: 0,
            torsion: f.number_or("torsion", Unit::None, 0.0)?,
            torsion_damping: f.number_or("torsion_damping", Unit::None, 0.0)?,
        };
        let axes = axes.unwrap_or(2);
        if axes == 3 && bushing.turns() {
            let key = if f.has("torsion") {
                "torsion"
            } else {
                "torsion_damping"
            };
            let error = f.error(key, "a bushing in space has no torsional spring");
            return Err(error.with_label("for the plane only").with_help(
                "put several ports on a body, or a `torque` of signals into the models",
            ));
        }
        Ok(Bushing { axes, ..bushing })
    }
}

impl Element for Bushing {
    fn axes(&self) -> Option<usize> {
        Some(self.axes)
    }

    fn turns(&self) -> bool {
        self.torsion != 0.0 || self.torsion_damping != 0.0
    }

    fn load(&self, a: &PortMotion, b: &PortMotion) -> Load {
        let along = |i: usize| {
            -self.stiffness[i] * (b.p[i] - a.p[i] - self.offset[i])
                - self.damping[i] * (b.v[i] - a.v[i])
        };
        Load {
            f: [0, 1, 2].map(along),
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
        let mut all: Vec<String> = (0..a.p.len()).map(along).collect();
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
        spring.settle([0.0, 0.0, 1.0], [0.3, 0.4, 1.0]);
        assert_eq!(spring.free_length, Some(0.5));
        let bushing = Bushing {
            axes: 2,
            stiffness: [20.0, 50.0, 0.0],
            damping: [1.0, -2.0, 0.0],
            offset: [0.1, -0.2, 0.0],
            torsion: 3.0,
            torsion_damping: 0.5,
        };
        let in_space = Bushing {
            axes: 3,
            stiffness: [20.0, 50.0, 30.0],
            damping: [1.0, -2.0, 0.7],
            offset: [0.1, -0.2, 0.3],
            torsion: 0.0,
            torsion_damping: 0.0,
        };
        let names = |side: &str, axes: usize| {
            let name = |what: &&str| format!("{side}.{what}");
            PortNames {
                p: ["x", "y", "z"][..axes].iter().map(name).collect(),
                v: ["vx", "vy", "vz"][..axes].iter().map(name).collect(),
                turn: [name(&"w"), name(&"o")],
            }
        };
        let motion = |s: f64, axes: usize| PortMotion {
            p: [
                0.3 + s,
                1.0 - 2.0 * s,
                if axes == 3 { 0.6 * s } else { 0.0 },
            ],
            v: [0.2 * s, 1.5, if axes == 3 { -0.4 * s } else { 0.0 }],
            angle: 0.1 * s,
            omega: -0.7 * s,
        };
        let elements: [(&dyn Element, usize); 4] =
            [(&spring, 2), (&spring, 3), (&bushing, 2), (&in_space, 3)];
        for (element, axes) in elements {
            let (a, b) = (motion(0.0, axes), motion(1.3, axes));
            let load = element.load(&a, &b);
            let mut want = load.f[..axes].to_vec();
            want.push(load.m);
            let formulas = element.formulas(&names("a", axes), &names("b", axes));
            assert_eq!(formulas.len(), axes + usize::from(element.turns()));
            for (text, want) in formulas.iter().zip(want) {
                let f = Formula::parse_with_signals(text).unwrap();
                let signals = f.signals();
                let value = f.eval_with(0.0, |k| {
                    let (side, what) = signals[k].name.split_once('.').unwrap();
                    let m = if side == "a" { &a } else { &b };
                    match what {
                        "x" => m.p[0],
                        "y" => m.p[1],
                        "z" => m.p[2],
                        "vx" => m.v[0],
                        "vy" => m.v[1],
                        "vz" => m.v[2],
                        "w" => m.angle,
                        _ => m.omega,
                    }
                });
                assert!((value - want).abs() < 1e-12 * (1.0 + want.abs()), "{text}");
            }
        }
    }
}
