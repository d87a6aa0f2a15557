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

mod bushing;
mod spring_damper;

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
    /// How the body is turned.
    pub turn: Turn,
    /// Its angular velocity, rad/s, where the element asks for turns.
    pub omega: [f64; 3],
}

/// How the body of a port is turned, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Turn {
    /// The element does not ask for it.
    #[default]
    Unknown,
    /// By an angle in the plane, rad.
    Angle(f64),
    /// In space: where the directions are that were x, y and z.
    Axes([[f64; 3]; 3]),
}

impl Turn {
    /// The turn from this one to another: in space twice the tangent of half the angle, along the axis. That is the angle up to its
    /// cube, smooth up to half a turn.
    fn to(&self, other: &Turn) -> [f64; 3] {
        match (self, other) {
            (Turn::Angle(a), Turn::Angle(b)) => [0.0, 0.0, b - a],
            (Turn::Axes(a), Turn::Axes(b)) => {
                let mut twice_sine = [0.0; 3];
                let mut trace = 0.0;
                for (a, b) in a.iter().zip(b) {
                    for (sum, x) in twice_sine.iter_mut().zip(cross(a, b)) {
                        *sum += x;
                    }
                    trace += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                }
                twice_sine.map(|x| 2.0 * x / (1.0 + trace))
            }
            _ => [0.0; 3],
        }
    }
}

/// The cross product.
pub(super) fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Force and torque on a port.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Force, N.
    pub f: [f64; 3],
    /// Torque, N m.
    pub m: [f64; 3],
}

impl Load {
    /// Power of the load at a port.
    pub fn power(&self, at: &PortMotion) -> f64 {
        let along = |i: usize| self.f[i] * at.v[i] + self.m[i] * at.omega[i];
        along(0) + along(1) + along(2)
    }

    /// The difference of two loads.
    pub fn minus(&self, other: &Load) -> Load {
        Load {
            f: [0, 1, 2].map(|i| self.f[i] - other.f[i]),
            m: [0, 1, 2].map(|i| self.m[i] - other.m[i]),
        }
    }
}

/// The names of the quantities of a port in formulas: place, velocity, and how the body is turned.
#[derive(Clone, Debug)]
pub struct PortNames {
    /// `x`, `y` and, in space, `z`.
    pub p: Vec<String>,
    /// Rates of these.
    pub v: Vec<String>,
    /// In the plane the angle and its rate. In space the places of two points that were one metre along x and y from the port,
    /// then their velocities.
    pub turn: Vec<String>,
}

/// Formulas of the components of a vector.
type Symbols = [String; 3];

fn symbols(f: impl Fn(usize) -> String) -> Symbols {
    [0, 1, 2].map(f)
}

fn cross_of(a: &Symbols, b: &Symbols) -> Symbols {
    symbols(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        format!("({}*{} - {}*{})", a[j], b[k], a[k], b[j])
    })
}

fn sum_of(terms: &[Symbols]) -> Symbols {
    symbols(|i| {
        let each: Vec<&str> = terms.iter().map(|term| term[i].as_str()).collect();
        format!("({})", each.join(" + "))
    })
}

impl PortNames {
    /// The two axes and their rates, from the points that tell them.
    fn axes(&self) -> [[Symbols; 2]; 2] {
        let from = |first: usize, origin: &[String]| {
            symbols(|i| format!("({} - {})", self.turn[first + i], origin[i]))
        };
        [
            [from(0, &self.p), from(3, &self.p)],
            [from(6, &self.v), from(9, &self.v)],
        ]
    }

    /// All three axes, and the angular velocity `1/2 sum e x e'`.
    fn turned(&self) -> ([Symbols; 3], Symbols) {
        let [[x, y], [x_rate, y_rate]] = self.axes();
        let z = cross_of(&x, &y);
        let z_rate = sum_of(&[cross_of(&x_rate, &y), cross_of(&x, &y_rate)]);
        let twice = sum_of(&[
            cross_of(&x, &x_rate),
            cross_of(&y, &y_rate),
            cross_of(&z, &z_rate),
        ]);
        let omega = twice.map(|x| format!("0.5*{x}"));
        ([x, y, z], omega)
    }
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
    /// the torque, in space its components.
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
pub static ELEMENTS: &[&ElementEntry] = &[&spring_damper::ENTRY, &bushing::ENTRY];

#[cfg(test)]
mod tests {
    use super::bushing::Bushing;
    use super::spring_damper::SpringDamper;
    use super::*;
    use linkwork_mbs::expr::Formula;

    /// The axes turned by an angle about a slanting axis.
    fn turned(angle: f64) -> [[f64; 3]; 3] {
        let n = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
        let (s, c) = angle.sin_cos();
        [0, 1, 2].map(|k| {
            let mut e = [0.0; 3];
            e[k] = 1.0;
            let across = cross(&n, &e);
            [0, 1, 2].map(|i| c * e[i] + s * across[i] + (1.0 - c) * n[k] * n[i])
        })
    }

    /// A coordinate of the points that tell how a port is turned, or of their velocities.
    fn of_point(m: &PortMotion, k: usize) -> f64 {
        let Turn::Axes(axes) = m.turn else {
            return f64::NAN;
        };
        let (axis, i) = (&axes[k / 3 % 2], k % 3);
        match k < 6 {
            true => m.p[i] + axis[i],
            false => m.v[i] + cross(&m.omega, axis)[i],
        }
    }

    /// The turn between two ports is the angle about its axis, up to the cube of it.
    #[test]
    fn turns_in_space_are_told_by_axis_and_angle() {
        for angle in [0.0, 1e-3, 0.2, -0.2, 2.5] {
            let between = Turn::Axes(turned(0.3)).to(&Turn::Axes(turned(0.3 + angle)));
            let n = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
            let wanted = 2.0 * f64::tan(0.5 * angle);
            for (x, n) in between.iter().zip(n) {
                assert!((x - wanted * n).abs() < 1e-12, "{angle}: {between:?}");
            }
        }
    }

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
            torsion: [3.0; 3],
            torsion_damping: [0.5; 3],
        };
        let in_space = Bushing {
            axes: 3,
            stiffness: [20.0, 50.0, 30.0],
            damping: [1.0, -2.0, 0.7],
            offset: [0.1, -0.2, 0.3],
            torsion: [0.0; 3],
            torsion_damping: [0.0; 3],
        };
        let turning = Bushing {
            torsion: [3.0, 5.0, 7.0],
            torsion_damping: [0.5, 0.2, 0.3],
            ..in_space.clone()
        };
        let names = |side: &str, axes: usize| {
            let name = |what: &&str| format!("{side}.{what}");
            PortNames {
                p: ["x", "y", "z"][..axes].iter().map(name).collect(),
                v: ["vx", "vy", "vz"][..axes].iter().map(name).collect(),
                turn: match axes {
                    2 => vec![name(&"w"), name(&"o")],
                    _ => (0..12).map(|i| name(&format!("t{i}").as_str())).collect(),
                },
            }
        };
        let motion = |s: f64, axes: usize| PortMotion {
            p: [
                0.3 + s,
                1.0 - 2.0 * s,
                if axes == 3 { 0.6 * s } else { 0.0 },
            ],
            v: [0.2 * s, 1.5, if axes == 3 { -0.4 * s } else { 0.0 }],
            turn: match axes {
                2 => Turn::Angle(0.1 * s),
                _ => Turn::Axes(turned(0.4 * s)),
            },
            omega: match axes {
                2 => [0.0, 0.0, -0.7 * s],
                _ => [0.3 * s, -0.7 * s, 0.1],
            },
        };
        let elements: [(&dyn Element, usize); 5] = [
            (&spring, 2),
            (&spring, 3),
            (&bushing, 2),
            (&in_space, 3),
            (&turning, 3),
        ];
        for (element, axes) in elements {
            let (a, b) = (motion(0.0, axes), motion(1.3, axes));
            let load = element.load(&a, &b);
            let mut want = load.f[..axes].to_vec();
            match axes {
                2 => want.push(load.m[2]),
                _ => want.extend(load.m),
            }
            let formulas = element.formulas(&names("a", axes), &names("b", axes));
            let torques = if axes == 2 { 1 } else { 3 };
            let torques = if element.turns() { torques } else { 0 };
            assert_eq!(formulas.len(), axes + torques);
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
                        "w" => match m.turn {
                            Turn::Angle(angle) => angle,
                            _ => f64::NAN,
                        },
                        "o" => m.omega[2],
                        point => of_point(m, point[1..].parse().unwrap()),
                    }
                });
                assert!((value - want).abs() < 1e-12 * (1.0 + want.abs()), "{text}");
            }
        }
    }
}
