//! Rows that are not always in force: contacts, stops, ropes, dry friction.
//!
//! ```text
//!  one-sided   C >= 0,  N = -lambda >= 0,  C N = 0
//!  dry         g = 0 and |mu| <= static F,  or  mu = sign(g) F
//! ```
//!
//! A system lists such rows in [`Facts::laws`](crate::system::Facts::laws) and evaluates them like any others.
//! Which of them are in force is a matter of [modes](crate::modes), which the driver keeps: a row that is not
//! has no equation, and its multiplier is *given*, 0 for an open contact, the sliding friction for a slipping
//! one. So a change of modes is a change of the kept [`Rows`], and no stepper or
//! formulation knows of it.

use crate::system::Rows;

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
}

/// What dry friction can bear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// A function of time, see [`Capacities`](crate::system::Capacities), while it slides; `ratio` times that
    /// while it sticks.
    Given {
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
    /// The multiplier of a kept row times this.
    Follows {
        /// The kept row.
        row: u32,
        /// The factor.
        ratio: f64,
    },
}

impl Rows {
    /// Lets multipliers follow those that they are tied to.
    pub(crate) fn follow(ties: &[Tie], lambda: &mut [f64]) {
        for tie in ties {
            if let Bond::Follows { row, ratio } = tie.to {
                lambda[tie.row as usize] = ratio * lambda[row as usize];
            }
        }
    }

    /// Gives the multipliers that depend on time only. `sys` is asked only where there are any.
    pub(crate) fn give(
        ties: &[Tie],
        sys: &mut dyn crate::system::System,
        t: f64,
        lambda: &mut [f64],
    ) {
        for tie in ties {
            if let Bond::Capacity { law, sign } = tie.to {
                let capacity = sys.capacities().map_or(0.0, |c| c.capacity(law, t));
                lambda[tie.row as usize] = sign * capacity;
            }
        }
    }
}
