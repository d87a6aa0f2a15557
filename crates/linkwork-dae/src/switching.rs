//! Switches: functions of the state whose zeros change the equations, and what a system does there.
//!
//! A *switching function* `g` is smooth as long as the equations are. It is sampled on the dense output
//! of every accepted step (`switching/watch.rs`), its zeros are located to rounding, the step ends at the first of
//! them, and [`Switching::on_switch`] says what comes of it. Between two calls the equations must stay
//! smooth: a contact law, a segment of a table or a sign of friction is *frozen* as a mode of the system and
//! continued beyond its zero, because steps reach beyond it before they are cut. Modes are part of
//! [`System::memory`](crate::system::System::memory).
//!
//! All that a system with switches has to say is in [`Switching`], reached by
//! [`Capability::Switching`](crate::system::Capability::Switching).

mod certificate;
mod root;
pub(crate) mod watch;

use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::After;

/// When a switching function has crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// It is positive while the present mode lasts: crossed when it falls, and wherever it is found
    /// negative at the start or after another event.
    Mode,
    /// It falls through zero.
    Falling,
    /// It rises through zero.
    Rising,
    /// Either.
    Both,
}

impl Sense {
    /// Whether a crossing in this direction counts.
    fn takes(self, rising: bool) -> bool {
        match self {
            Sense::Mode | Sense::Falling => !rising,
            Sense::Rising => rising,
            Sense::Both => true,
        }
    }
}

/// A switching function in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// Its name: "stop `bumper`".
    pub name: String,
    /// When it has crossed.
    pub sense: Sense,
    /// Typical size: what is a billionth of a thousandth of it is zero.
    pub scale: f64,
    /// Whether results have a row where it crosses.
    pub recorded: bool,
}

impl Switch {
    /// A switch of typical size 1.
    pub fn new(name: impl Into<String>, sense: Sense) -> Switch {
        Switch {
            name: name.into(),
            sense,
            scale: 1.0,
            recorded: false,
        }
    }
}

/// A switching function that has crossed zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which, as in [`Switching::switches`].
    pub switch: usize,
    /// Whether it rose.
    pub rising: bool,
    /// Where its crossings pile up, if they do and what moves until then is below the tolerance: the
    /// system should end the sequence (close the contact, stick), for it has no last member.
    pub accumulates: Option<f64>,
    /// It has crossed back at once, or its crossings pile up: the motion is drawn to its zero from both sides. What a tolerance in
    /// a single coordinate makes of it.
    pub attracts: Option<f64>,
}

/// What a system with switches says and does.
pub trait Switching {
    /// The switching functions; their number and order are fixed for a run.
    fn switches(&self) -> &[Switch];

    /// Whether functions in use at present read accelerations or multipliers: these are then solved for
    /// at every sample.
    fn reads_reactions(&self) -> bool {
        false
    }

    /// Values of all functions at a state; infinite (or NaN) where one is not in use.
    fn values(&mut self, s: &State, out: &mut [f64]);

    /// How many relays slide: their functions stay at zero, drawn there from both sides, and each takes a share of what
    /// acts above and the rest of what acts below. Accelerations and rates depend on each share along a straight line.
    fn sliding(&self) -> usize {
        0
    }

    /// Lets relays that slide take these shares of their upper sides, NaN for one whose function no share changes the rate of.
    /// None: equations are evaluated for themselves, and each share follows its function, so steeply that tolerances do not tell.
    fn share(&mut self, shares: &[f64]) {
        let _ = shares;
    }

    /// A run begins anew where shares were last found: equations that are evaluated for themselves have these shares where the
    /// functions are zero.
    fn centre(&mut self) {}

    /// Values of the functions of relays that slide, and their rates along the velocities, accelerations and rates of a state.
    fn drift(&mut self, s: &State, out: &mut [[f64; 2]]) {
        let _ = (s, out);
    }

    /// Whether what is behind a function rose where it crossed; asked after [`Switching::on_switch`]. Functions of
    /// [modes](Sense::Mode) always fall: a system that gives them the sign of the present mode knows better.
    fn rose(&self, crossing: &Crossing) -> bool {
        crossing.rising
    }

    /// Functions have crossed at `s`, whose accelerations and multipliers are those before. Changes
    /// modes and, with [`After::Jump`], velocities and first-order states. Velocities are then moved onto
    /// the constraints in the mass metric, which is what their impulses do.
    fn on_switch(
        &mut self,
        crossed: &[Crossing],
        s: &mut State,
        saddle: &mut Saddle,
    ) -> Result<After, SaddleError>;

    /// Whether the equations as they are now, continued beyond the zero of a function that has crossed, are not smooth
    /// there; asked before and after [`Switching::on_switch`]. Before, the dense output of a step that ran over the zero
    /// is worth less than its end, and the step is taken once more; after, the next step has an error that does not fall
    /// with its order.
    fn is_rough(&self, crossing: &Crossing) -> bool {
        let _ = crossing;
        false
    }

    /// The longest step from a state on that does not leap over what the system knows of its surroundings (a bump of
    /// a road, a narrow table). A step that is not longer than `looks` times what it takes to pass something sees
    /// it; one that ends where it begins need not.
    fn longest_step(&mut self, s: &State, looks: f64) -> f64 {
        let _ = (s, looks);
        f64::INFINITY
    }

    /// Whose force has jumped between two times of one motion: "force `rub`". `None`: the system cannot
    /// tell.
    fn jumped(&mut self, before: &State, after: &State) -> Option<String> {
        let _ = (before, after);
        None
    }
}
