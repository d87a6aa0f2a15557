//! Events of a model: where a formula of time and signals passes another, something is done.
//!
//! ```text
//!  when = "cart.x > 0.1"       the difference of both sides rises through zero
//! ```
//!
//! A step ends there, located to rounding. What holds at the start already is no event.

use crate::error::ModelError;
use crate::expr::Formula;
use crate::field::{Form, Key, Value};
use crate::text::Fields;
use crate::units::Unit;

/// What an event does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The run ends.
    Stop,
    /// A row is written.
    Row,
    /// A control of kind `input` has this value from now on.
    Set {
        /// The control.
        input: String,
        /// Its value.
        value: f64,
    },
    /// A hinge or a slide stands still from now on; or dry friction or a contact, which did nothing until
    /// then, is there.
    Lock {
        /// The joint.
        joint: String,
    },
    /// A joint that was locked moves again; any other does not hold any more.
    Release {
        /// The joint.
        joint: String,
    },
    /// The motion of a hinge or a slide is reversed.
    Reverse {
        /// The joint.
        joint: String,
        /// Speed behind it over speed before it.
        restitution: f64,
    },
}

/// An event with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Unique name.
    pub name: String,
    /// What passes zero.
    pub when: Formula,
    /// Whether it rises.
    pub rising: bool,
    /// What is done then.
    pub action: Action,
}

/// One kind of event: documentation and reader.
#[derive(Clone, Copy, Debug)]
pub struct EventEntry {
    /// Name in model text.
    pub kind: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The keys it understands besides `name` and `kind`.
    pub keys: &'static [Key],
    read: fn(&Fields<'_>) -> Result<Action, ModelError>,
}

const WHEN: Key = Key::required(
    "when",
    Unit::None,
    "What has to become true: two formulas of `t` and signals with > or < between them.",
)
.takes(Form::Formula);
const RESTITUTION: Key = Key::optional(
    "restitution",
    Unit::None,
    "1",
    "Speed behind it over speed before it, 0 to 1.",
);
const JOINT: Key = Key::required("joint", Unit::None, "The joint.").takes(Form::Word);

/// All kinds of events.
pub static EVENTS: &[EventEntry] = &[
    EventEntry {
        kind: "stop",
        summary: "The run ends, with a row.",
        keys: &[WHEN],
        read: |_| Ok(Action::Stop),
    },
    EventEntry {
        kind: "row",
        summary: "A row is written.",
        keys: &[WHEN],
        read: |_| Ok(Action::Row),
    },
    EventEntry {
        kind: "set",
        summary: "A control of kind `input` has another value from then on.",
        keys: &[
            WHEN,
            Key::required("input", Unit::None, "The control.").takes(Form::Word),
            Key::required("value", Unit::None, "Its value."),
        ],
        read: |f| {
            Ok(Action::Set {
                input: f.text("input")?.to_string(),
                value: f.number("value", Unit::None)?,
            })
        },
    },
    EventEntry {
        kind: "lock",
        summary: "A hinge or a slide stands still from then on. A joint of kind `dry_friction` (a brake, a clutch), a \
                  stop, a rope or a rigid contact, which did nothing until then, is there.",
        keys: &[WHEN, JOINT],
        read: |f| {
            Ok(Action::Lock {
                joint: f.text("joint")?.to_string(),
            })
        },
    },
    EventEntry {
        kind: "release",
        summary: "A joint that was locked moves again; any other does not hold any more: something breaks or lets go.",
        keys: &[WHEN, JOINT],
        read: |f| {
            Ok(Action::Release {
                joint: f.text("joint")?.to_string(),
            })
        },
    },
    EventEntry {
        kind: "reverse",
        summary: "A hinge or a slide moves the other way from then on, by an impulse: it is knocked back.",
        keys: &[WHEN, JOINT, RESTITUTION],
        read: |f| {
            let restitution = f.number_or("restitution", Unit::None, 1.0)?;
            if !(0.0..=1.0).contains(&restitution) {
                let message =
                    format!("the restitution must be between 0 and 1, it is {restitution}");
                return Err(f.error("restitution", message));
            }
            Ok(Action::Reverse {
                joint: f.text("joint")?.to_string(),
                restitution,
            })
        },
    },
];

impl Event {
    /// Reads an event of a kind.
    pub(crate) fn read(f: &Fields<'_>, entry: &EventEntry) -> Result<Event, ModelError> {
        let (when, rising) = f.condition("when")?;
        Ok(Event {
            name: f.name().to_string(),
            when,
            rising,
            action: (entry.read)(f)?,
        })
    }

    /// Name of its kind.
    pub fn kind(&self) -> &'static str {
        match self.action {
            Action::Stop => "stop",
            Action::Row => "row",
            Action::Set { .. } => "set",
            Action::Lock { .. } => "lock",
            Action::Release { .. } => "release",
            Action::Reverse { .. } => "reverse",
        }
    }

    /// The parameters as keys of the model text.
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let sign = if self.rising { '>' } else { '<' };
        let when = format!("{} {sign} 0", self.when.text());
        let mut fields = vec![("when", Value::Text(when))];
        match &self.action {
            Action::Stop | Action::Row => {}
            Action::Set { input, value } => {
                fields.push(("input", Value::Text(input.clone())));
                fields.push(("value", Value::Number(*value)));
            }
            Action::Lock { joint } | Action::Release { joint } => {
                fields.push(("joint", Value::Text(joint.clone())));
            }
            Action::Reverse { joint, restitution } => {
                fields.push(("joint", Value::Text(joint.clone())));
                fields.push(("restitution", Value::Number(*restitution)));
            }
        }
        fields
    }
}
