//! What some systems can do beside their equations, each a small trait, and how it is asked for.
//!
//! A system answers one question, [`System::capability`], with a `match` on what is asked. One that
//! wraps another passes on what it does not change; one that changes coordinates names every capability,
//! so that a new one does not compile until it is decided what becomes of it.

use super::{After, At, Energy, EvalError, System};
use crate::chart::Chart;
use crate::cosim::Polynomial;
use crate::dense::Matrix;
use crate::kinetic::BodyMotions;
use crate::state::State;
use crate::switching::Switching;

/// A place for something that can do what is asked for, filled by a system that has it.
pub enum Capability<'r, 'a> {
    /// The base of a chart can be moved. Systems that have [`System::chart`] fill it, no others.
    Chart(Place<'r, 'a, dyn Chart + 'a>),
    /// Another form of the equations can be evaluated. Systems that have [`System::stage_form`] fill it,
    /// no others.
    StageForm(Place<'r, 'a, dyn System + 'a>),
    /// The equations change by the clock.
    TimeEvents(Place<'r, 'a, dyn TimeEvents + 'a>),
    /// The equations change where functions of the state are zero.
    Switching(Place<'r, 'a, dyn Switching + 'a>),
    /// Dry friction can bear what is known over time.
    Capacities(Place<'r, 'a, dyn Capacities + 'a>),
    /// Inputs can be driven from outside.
    Inputs(Place<'r, 'a, dyn Inputs + 'a>),
    /// Known functions of time can be told and moved.
    Excitations(Place<'r, 'a, dyn Excitations + 'a>),
    /// There is an energy account.
    Energy(Place<'r, 'a, dyn EnergyAccount + 'a>),
    /// Bodies are known.
    Bodies(Place<'r, 'a, dyn Bodies + 'a>),
    /// Accelerations are found without a mass matrix.
    ForwardDynamics(Place<'r, 'a, dyn ForwardDynamics + 'a>),
}

/// Where a capability is put.
pub type Place<'r, 'a, T> = &'r mut Option<&'a mut T>;

/// Instants at which the equations change by the clock.
pub trait TimeEvents {
    /// The next instant, strictly later than `t`. Integrators step exactly onto it. Instants that differ
    /// by roundings must be made one.
    fn next_time_event(&self, t: f64) -> Option<f64>;

    /// The clock has reached a time event. The start of a run is one too, at positions and velocities
    /// that are consistent already. With [`After::Jump`] the constraints ask for other velocities: they get there by
    /// impulses. Fails where they ask for other positions.
    fn on_time_event(&mut self, s: &mut State) -> Result<After, EvalError>;
}

/// What dry friction of given strength can bear, see [`crate::law::Limit`], and what else a system knows of its rows
/// with laws.
pub trait Capacities {
    /// The force of a sliding row at a state, not negative, or that force over the reaction that presses it; `law`
    /// counts [`Facts::laws`](super::Facts::laws). Multipliers and accelerations of the state do not count.
    fn capacity(&mut self, law: usize, s: &State) -> f64;

    /// Whether a row with the law [`Held`](crate::law::Law::Held) is in force, and whether a contact is there at
    /// all; changes at events only.
    fn holds(&self, law: usize) -> bool {
        let _ = law;
        true
    }

    /// A row whose rate an event has reversed, and to which share of what it was; told once.
    fn reversal(&mut self) -> Option<(usize, f64)> {
        None
    }

    /// Rows with laws whose values nobody reads until this is called again: the system may leave them out of
    /// its evaluations. Their multipliers are 0.
    fn rest(&mut self, laws: &[bool]) {
        let _ = laws;
    }
}

/// Inputs that can be driven from outside, [`Facts::inputs`](super::Facts::inputs).
pub trait Inputs {
    /// Lets an input follow a polynomial of time from now on.
    fn set_input(&mut self, input: usize, course: &Polynomial);
}

/// Known functions of time through which the derivative blocks depend on time,
/// [`Facts::excitations`](super::Facts::excitations): prescribed motions, time-dependent inputs of
/// forces. Strategies may let blocks follow them.
pub trait Excitations {
    /// Values at a time.
    fn excitation(&self, t: f64, out: &mut [f64]);

    /// From now on every evaluation takes place with the excitations this far off their values, and
    /// their derivatives as they are. A run leaves them at zero.
    fn offset_excitations(&mut self, offset: &[f64]);
}

/// An account of energy.
pub trait EnergyAccount {
    /// The account at a state; `None` where none is kept.
    fn energy(&mut self, s: &State) -> Option<Energy>;
}

/// Bodies behind the coordinates.
pub trait Bodies {
    /// Velocities and momenta of the bodies at `q` for the velocities in the columns of `v`.
    fn motions(&mut self, q: &[f64], v: &Matrix) -> BodyMotions;
}

/// Accelerations without a mass matrix: of a tree of bodies without constraints.
pub trait ForwardDynamics {
    /// Accelerations at a point, and the rates of first-order states; `None` where a direction has no
    /// inertia, and whoever asks has to solve for them.
    fn accelerate(
        &mut self,
        at: &At<'_>,
        a: &mut [f64],
        f: &mut [f64],
    ) -> Option<Result<(), EvalError>>;
}

macro_rules! ask {
    ($($(#[$words:meta])* $name:ident: $kind:ident($of:path);)*) => {
        impl<'s> dyn System + 's {
            $($(#[$words])*
            pub fn $name(&mut self) -> Option<&mut (dyn $of + '_)> {
                let mut found = None;
                self.capability(Capability::$kind(&mut found));
                found
            })*
        }
    };
}

ask! {
    /// The chart, to move its base.
    chart_mut: Chart(Chart);
    /// The form that implicit methods solve, to evaluate it.
    stage_form_mut: StageForm(System);
    /// Instants at which the equations change by the clock.
    time_events: TimeEvents(TimeEvents);
    /// Switching functions of the state, and what else is known about where the equations are not smooth.
    switching: Switching(Switching);
    /// What dry friction can bear over time.
    capacities: Capacities(Capacities);
    /// Inputs from outside.
    inputs: Inputs(Inputs);
    /// Known functions of time.
    excitations: Excitations(Excitations);
    /// Bodies behind the coordinates.
    bodies: Bodies(Bodies);
    /// Accelerations without a mass matrix.
    forward_dynamics: ForwardDynamics(ForwardDynamics);
}

impl dyn System + '_ {
    /// The energy account at a state; `None` where none is kept.
    pub fn energy(&mut self, s: &State) -> Option<Energy> {
        let mut found = None;
        self.capability(Capability::Energy(&mut found));
        found.and_then(|account| account.energy(s))
    }
}
