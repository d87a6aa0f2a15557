//! Rows that are not always in force: contacts, stops, ropes, dry friction.
//!
//! ```text
//!  one-sided   C >= 0,  N = -lambda >= 0,  C N = 0
//!  dry         g = 0 and |mu| <= static F,  or  mu = sign(g) F          F given, f N, or f |lambda| of a joint
//!  cone        two rows g = 0 and |mu| <= f_s N,  or  mu = f N on a row |g|
//! ```
//!
//! A system lists such rows in [`Facts::laws`](crate::system::Facts::laws) and evaluates them like any others.
//! Which of them are in force is a matter of [modes](crate::modes), which the driver keeps: a row that is not
//! has no equation, and its multiplier is *given*, 0 for an open contact, the sliding friction for a slipping
//! one. So a change of modes is a change of the kept [`Rows`], and no stepper or
//! formulation knows of it.

use crate::state::State;
use crate::system::{Rows, System};

/// A row that is not always in force.
#[derive(Clone, Debug, PartialEq)]
pub struct RowLaw {
    /// The constraint row.
    pub row: u32,
    /// When it is in force.
    pub law: Law,
    /// Whose it is, for events: "floor".
    pub name: String,
}

/// When a row is in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// A row of positions, `C >= 0`: in force while it is closed and presses. It closes by an impact.
    OneSided {
        /// Speed of departure over speed of approach, 0 to 1.
        restitution: f64,
    },
    /// A row of velocities: in force while it sticks.
    Dry(Limit),
    /// The first of two rows of velocities across each other, which are in force while a contact sticks in space.
    Cone(Cone),
    /// A further row of a cone.
    Led,
    /// In force as long as the system holds it, see [`Capacities::holds`](crate::system::Capacities::holds).
    Held {
        /// Whether it does so from the start on.
        at_first: bool,
    },
}

impl Law {
    /// In force at the start, whatever that is.
    pub(crate) const LASTS: Law = Law::Held { at_first: true };

    /// Whether the system alone says when it is in force.
    pub(crate) fn is_held(self) -> bool {
        matches!(self, Law::Held { .. })
    }

    /// The one-sided row that presses this one.
    pub(crate) fn pressed_by(self) -> Option<u32> {
        match self {
            Law::Dry(Limit::Pressed { by, .. }) | Law::Cone(Cone { by, .. }) => Some(by),
            _ => None,
        }
    }

    /// Gives the rows that it names other numbers.
    pub fn renumber(&mut self, row: impl Fn(u32) -> u32) {
        match self {
            Law::Dry(Limit::Pressed { by, .. }) => *by = row(*by),
            Law::Dry(Limit::Reacting { by, .. }) => {
                by.iter_mut().flatten().for_each(|by| *by = row(*by));
            }
            Law::Cone(Cone {
                by, second, along, ..
            }) => {
                for own in [by, second].into_iter().chain(along) {
                    *own = row(*own);
                }
            }
            Law::OneSided { .. } | Law::Dry(_) | Law::Led | Law::Held { .. } => {}
        }
    }
}

/// Friction of a contact in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// The one-sided row that presses.
    pub by: u32,
    /// Coefficient while it sticks.
    pub sticking: f64,
    /// Coefficient while it slides.
    pub sliding: f64,
    /// The second row that sticks.
    pub second: u32,
    /// The speed of sliding as a row, twice: with the sign of the first rate, and with that of the second. So the
    /// direction of sliding goes on through zero, as long as the rate with the sign does.
    pub along: [u32; 2],
}

/// What dry friction can bear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// A function of time and motion, see [`Capacities`](crate::system::Capacities), while it slides; `ratio` times
    /// that while it sticks.
    Given {
        /// Static over sliding friction.
        ratio: f64,
    },
    /// The same times the size of a reaction, that of some rows which are always in force.
    Reacting {
        /// These rows.
        by: [Option<u32>; 3],
        /// Static over sliding friction.
        ratio: f64,
    },
    /// In proportion to the normal force of a one-sided row.
    Pressed {
        /// That row.
        by: u32,
        /// Coefficient while it sticks.
        sticking: f64,
        /// Coefficient while it slides.
        sliding: f64,
    },
}

/// What several impacts at one time do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Impacts {
    /// One after the other, the fastest approach first: a Newton's cradle.
    #[default]
    Sequential,
    /// All at once, as a complementarity problem.
    Simultaneous,
}

/// The multiplier of a row that is not in force, where it is not 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// The row.
    pub row: u32,
    /// What its multiplier is.
    pub to: Bond,
}

/// What a given multiplier is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bond {
    /// The capacity of a law times this.
    Capacity {
        /// Number of the law.
        law: usize,
        /// 1 or -1.
        sign: f64,
    },
    /// The capacity of a law times the size of a reaction times this.
    Reaction {
        /// Number of the law.
        law: usize,
        /// The rows of the reaction.
        by: [Option<u32>; 3],
        /// 1 or -1.
        sign: f64,
    },
    /// The multiplier of a kept row times this.
    Follows {
        /// The kept row.
        row: u32,
        /// The factor.
        ratio: f64,
    },
}

/// The size of the reaction of some rows.
pub(crate) fn size(by: &[Option<u32>; 3], lambda: &[f64]) -> f64 {
    let own = by.iter().flatten().map(|row| lambda[*row as usize]);
    own.map(|x| x * x).sum::<f64>().sqrt()
}

impl Rows {
    /// What friction can bear at a state, for each of the ties that ask for it. `sys` is asked only where there
    /// are any.
    pub(crate) fn give(ties: &[Tie], sys: &mut dyn System, s: &State, capacity: &mut [f64]) {
        for (tie, capacity) in ties.iter().zip(capacity) {
            if let Bond::Capacity { law, .. } | Bond::Reaction { law, .. } = tie.to {
                *capacity = sys.capacities().map_or(0.0, |c| c.capacity(law, s));
            }
        }
    }

    /// Lets multipliers be what they are tied to.
    pub(crate) fn follow(ties: &[Tie], capacity: &[f64], lambda: &mut [f64]) {
        for (tie, capacity) in ties.iter().zip(capacity) {
            lambda[tie.row as usize] = match tie.to {
                Bond::Capacity { sign, .. } => sign * capacity,
                Bond::Reaction { sign, by, .. } => sign * capacity * size(&by, lambda),
                Bond::Follows { row, ratio } => ratio * lambda[row as usize],
            };
        }
    }
}
