//! Bodies: masses with a start pose and a start velocity, and the table of all kinds.

mod point;
mod rigid;

use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::space::{Pose, Site, Vector};
use crate::text::Fields;
use crate::units::Unit;

/// What a body has besides its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Coordinates x, y, angle; moment of inertia about the centre of mass, kg m^2.
    Rigid {
        /// Moment of inertia.
        inertia: f64,
    },
    /// Coordinates x, y.
    Point,
}

/// How much the assembly may move a start value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// A guess: moved as needed.
    #[default]
    Guess,
    /// Exact: moved only where the joints leave no other way.
    Exact,
}

impl Trust {
    /// Weight of a start value in the assembly.
    pub fn weight(self) -> f64 {
        match self {
            Trust::Guess => 1.0,
            Trust::Exact => 1e6,
        }
    }
}

/// A body; its origin is its centre of mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Rigid or point.
    pub shape: Shape,
    /// Start position of the centre of mass, m.
    pub position: Vector,
    /// Start angle, rad; 0 for points.
    pub angle: f64,
    /// Start velocity, m/s.
    pub velocity: Vector,
    /// Start angular velocity, rad/s; 0 for points.
    pub angular_velocity: f64,
    /// How far the start position is to be trusted.
    pub position_trust: Trust,
    /// How far the start angle is to be trusted.
    pub angle_trust: Trust,
    /// How far the start velocity and angular velocity are to be trusted.
    pub velocity_trust: Trust,
}

impl Body {
    /// A rigid body with mass (kg) and moment of inertia about its centre of mass (kg m^2).
    pub fn rigid(name: impl Into<String>, mass: f64, inertia: f64) -> Body {
        Body::new(name.into(), mass, Shape::Rigid { inertia })
    }

    /// A point mass (kg).
    pub fn point(name: impl Into<String>, mass: f64) -> Body {
        Body::new(name.into(), mass, Shape::Point)
    }

    fn new(name: String, mass: f64, shape: Shape) -> Body {
        Body {
            name,
            mass,
            shape,
            position: [0.0; 2],
            angle: 0.0,
            velocity: [0.0; 2],
            angular_velocity: 0.0,
            position_trust: Trust::Guess,
            angle_trust: Trust::Guess,
            velocity_trust: Trust::Guess,
        }
    }

    /// Sets the start position of the centre of mass.
    #[must_use]
    pub fn at(mut self, position: Vector) -> Body {
        self.position = position;
        self
    }

    /// Sets the start angle.
    #[must_use]
    pub fn turned(mut self, angle: f64) -> Body {
        self.angle = angle;
        self
    }

    /// Sets the start velocity.
    #[must_use]
    pub fn moving(mut self, velocity: Vector) -> Body {
        self.velocity = velocity;
        self
    }

    /// Sets the start angular velocity.
    #[must_use]
    pub fn spinning(mut self, angular_velocity: f64) -> Body {
        self.angular_velocity = angular_velocity;
        self
    }

    /// Declares the start pose exact.
    #[must_use]
    pub fn exact_pose(mut self) -> Body {
        self.position_trust = Trust::Exact;
        if self.is_oriented() {
            self.angle_trust = Trust::Exact;
        }
        self
    }

    /// Declares the start velocity exact.
    #[must_use]
    pub fn exact_velocity(mut self) -> Body {
        self.velocity_trust = Trust::Exact;
        self
    }

    /// Whether the body has an angle.
    pub fn is_oriented(&self) -> bool {
        matches!(self.shape, Shape::Rigid { .. })
    }

    /// Number of coordinates.
    pub fn coordinates(&self) -> usize {
        if self.is_oriented() { 3 } else { 2 }
    }

    /// The body in its start pose.
    pub fn site(&self) -> Site {
        Site {
            pose: Pose::new(self.position, self.angle),
            oriented: self.is_oriented(),
        }
    }

    /// Name of the kind in model text.
    pub fn kind(&self) -> &'static str {
        match self.shape {
            Shape::Rigid { .. } => rigid::ENTRY.kind,
            Shape::Point => point::ENTRY.kind,
        }
    }

    /// Refuses values without meaning.
    pub fn check(&self) -> Result<(), ModelError> {
        let bad = |what: &str, x: f64| {
            Err(ModelError::new(format!(
                "body `{}`: the {what} must not be negative, it is {x}",
                self.name
            )))
        };
        if !(self.mass >= 0.0 && self.mass.is_finite()) {
            return bad("mass", self.mass);
        }
        match self.shape {
            Shape::Rigid { inertia } if !(inertia >= 0.0 && inertia.is_finite()) => {
                return bad("inertia", inertia);
            }
            Shape::Point if self.angle != 0.0 || self.angular_velocity != 0.0 => {
                return Err(ModelError::new(format!(
                    "body `{}` is a point and has no angle",
                    self.name
                )));
            }
            _ => {}
        }
        let numbers = [
            self.position[0],
            self.position[1],
            self.angle,
            self.velocity[0],
            self.velocity[1],
            self.angular_velocity,
        ];
        if numbers.iter().any(|x| !x.is_finite()) {
            return Err(ModelError::new(format!(
                "body `{}`: start pose and velocity must be finite",
                self.name
            )));
        }
        Ok(())
    }

    /// The body as keys of the model text (without name and kind).
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![("mass", Value::Number(self.mass))];
        if let Shape::Rigid { inertia } = self.shape {
            fields.push(("inertia", Value::Number(inertia)));
            fields.push(("angle", Value::Number(self.angle)));
            fields.push(("angular_velocity", Value::Number(self.angular_velocity)));
        }
        fields.push(("position", Value::Vector(self.position)));
        fields.push(("velocity", Value::Vector(self.velocity)));
        let trusts = [self.position_trust, self.angle_trust, self.velocity_trust];
        let exact = EXACT_WORDS.iter().zip(trusts);
        let exact: Vec<&'static str> = exact
            .filter(|(_, trust)| *trust == Trust::Exact)
            .map(|(word, _)| *word)
            .collect();
        if !exact.is_empty() {
            fields.push(("exact", Value::Words(exact)));
        }
        fields
    }

    /// Reads the keys that all kinds share into a body.
    fn read_motion(mut self, f: &Fields<'_>) -> Result<Body, ModelError> {
        self.position = f.vector_or("position", Unit::Length, [0.0; 2])?;
        self.velocity = f.vector_or("velocity", Unit::Velocity, [0.0; 2])?;
        let words = EXACT_WORDS.into_iter();
        let words: Vec<&'static str> = words
            .filter(|word| self.is_oriented() || *word != "angle")
            .collect();
        let exact = f.words("exact", &words)?;
        let trust = |word| match exact.contains(&word) {
            true => Trust::Exact,
            false => Trust::Guess,
        };
        self.position_trust = trust("position");
        self.angle_trust = trust("angle");
        self.velocity_trust = trust("velocity");
        Ok(self)
    }
}

const MASS: Key = Key::required(
    "mass",
    Unit::Mass,
    "Mass; 0 for a part whose motion the joints determine completely.",
);
const POSITION: Key = Key::optional(
    "position",
    Unit::Length,
    "[0, 0]",
    "Start position of the centre of mass.",
)
.takes(Form::Vector);
const VELOCITY: Key = Key::optional(
    "velocity",
    Unit::Velocity,
    "[0, 0]",
    "Start velocity of the centre of mass.",
)
.takes(Form::Vector);
const EXACT: Key = Key::optional(
    "exact",
    Unit::None,
    "false",
    "Start values that the assembly changes only if the joints leave no other way: \
     a list of \"position\", \"angle\", \"velocity\", or true for all of them.",
)
.takes(Form::Words);

/// What `exact` may list.
const EXACT_WORDS: [&str; 3] = ["position", "angle", "velocity"];

/// One kind of body: documentation and reader.
#[derive(Clone, Copy, Debug)]
pub struct BodyEntry {
    /// Name in model text.
    pub kind: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// The keys it understands besides `name` and `kind`.
    pub keys: &'static [Key],
    /// Reads a body.
    pub read: fn(&Fields<'_>) -> Result<Body, ModelError>,
}

/// All kinds of bodies; the first is the default.
pub static BODIES: &[BodyEntry] = &[rigid::ENTRY, point::ENTRY];
