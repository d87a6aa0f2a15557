//! Events of a model: where a formula of time and signals passes another, something is done.
//!
//! ```text
//!  when = "cart.x > 0.1"       the difference of both sides rises through zero
//! ```
//!
//! A step ends there, located to rounding. What holds at the start already is no event.

use crate::expr::Formula;
use crate::field::{Form, Value};
use crate::part::{Entry, Keys, Part};
use crate::units::Unit;

/// What an event does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The run ends.
    Stop,
    /// A row is written.
    Row,
    /// A control of kind `input` has this value from now on; in model text also a parameter, which then is one.
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

/// One kind of event.
pub type EventEntry = Entry<Event>;

/// All kinds of events.
pub static EVENTS: &[EventEntry] = &[
    EventEntry {
        kind: "stop",
        summary: "The run ends, with a row.",
        in_plane: true,
        blank: || blank(Action::Stop),
    },
    EventEntry {
        kind: "row",
        summary: "A row is written.",
        in_plane: true,
        blank: || blank(Action::Row),
    },
    EventEntry {
        kind: "set",
        summary: "A control of kind `input`, or a parameter, has another value from then on.",
        in_plane: true,
        blank: || {
            blank(Action::Set {
                input: String::new(),
                value: 0.0,
            })
        },
    },
    EventEntry {
        kind: "lock",
        summary: "A hinge or a slide stands still from then on. A joint of kind `dry_friction` (a brake, a clutch), a \
                  stop, a rope or a rigid contact, which did nothing until then, is there.",
        in_plane: true,
        blank: || {
            blank(Action::Lock {
                joint: String::new(),
            })
        },
    },
    EventEntry {
        kind: "release",
        summary: "A joint that was locked moves again; any other does not hold any more: something breaks or lets go.",
        in_plane: true,
        blank: || {
            blank(Action::Release {
                joint: String::new(),
            })
        },
    },
    EventEntry {
        kind: "reverse",
        summary: "A hinge or a slide moves the other way from then on, by an impulse: it is knocked back.",
        in_plane: true,
        blank: || {
            blank(Action::Reverse {
                joint: String::new(),
                restitution: 1.0,
            })
        },
    },
];

fn blank(action: Action) -> Box<Event> {
    Box::new(Event {
        name: String::new(),
        when: Formula::default(),
        rising: true,
        action,
    })
}

impl Part for Event {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "What has to become true: two formulas of `t` and signals, multipliers of joints among them, with > or < between them.";
        let mut when = (self.when.clone(), self.rising);
        k.key("when", Unit::None, doc).special(
            Form::Formula,
            &mut when,
            |f, key| f.condition(key),
            |(formula, rising)| {
                let sign = if *rising { '>' } else { '<' };
                Value::Text(format!("{} {sign} 0", formula.text()))
            },
            |draw| {
                let formula = Formula::parse(&format!("t - {:?}", draw().abs()));
                (formula.unwrap_or_default(), draw() > 0.0)
            },
        );
        (self.when, self.rising) = when;
        match &mut self.action {
            Action::Stop | Action::Row => {}
            Action::Set { input, value } => {
                let doc = "The control, or a parameter: formulas of forces and controls follow it.";
                k.key("input", Unit::None, doc).text(input);
                k.key("value", Unit::None, "Its value.").number(value);
            }
            Action::Lock { joint } | Action::Release { joint } => {
                k.key("joint", Unit::None, "The joint.").text(joint);
            }
            Action::Reverse { joint, restitution } => {
                k.key("joint", Unit::None, "The joint.").text(joint);
                let doc = "Speed behind it over speed before it, 0 to 1.";
                k.key("restitution", Unit::None, doc)
                    .or(1.0)
                    .between(0.0, 1.0, restitution);
            }
        }
    }
}

impl Event {
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
}
