//! Forces: loads on one or two bodies, and the table of all kinds.
//!
//! ```text
//!  columns of a force, local numbering     dx_a (3)  theta_a (3) | dx_b (3)  theta_b (3)
//!  q          force (global), torque about the centre of mass (body axes), for both bodies
//!  stiffness  -dQ/dq                       12 x 12, along the tangent, x' and omega fixed
//!  damping    -dQ/dv                       12 x 12
//!  by_input   dQ by inputs that name signals
//!  states     x' = f of its own states, dQ/dx, and derivatives of f
//! ```
//!
//! A force computes with both bodies as if they had all six freedoms; the assembly takes only
//! those that exist. Adding a kind takes one file in `force/` and one row in [`FORCES`]: list its
//! keys ([`Part::keys`]), write [`Law`] once for any scalar and let [`by_scalar`] derive everything ([`Evolution`] where the force has
//! states of its own), or write the terms by hand where speed counts. Gravity is a property of the model.

mod applied;
mod beam;
mod bushing;
pub mod by_scalar;
mod callback;
mod contact;
mod creep;
mod elastic_cable;
pub mod evolution;
mod follow;
mod friction;
mod hysteresis;
mod line;
mod lugre;
pub(crate) mod measure;
mod moment;
mod probe;
mod rotor;
mod slip_tyre;
mod smooth;
mod spring_damper;
mod torque;
mod torsion;
mod tyre;
mod wheel_creep;

pub use applied::AppliedForce;
pub(crate) use beam::screw_motion;
pub use beam::{BeamElement, Resistance};
pub use bushing::Bushing;
use by_scalar::derived;
pub use by_scalar::{Bodies, Law, press, push, twist};
pub use callback::Callback;
pub use contact::{Contact, Partner};
pub use creep::Creep;
pub use elastic_cable::ElasticCable;
pub use evolution::Evolution;
pub(crate) use follow::Follow;
pub use friction::{Against, Friction};
pub use hysteresis::Hysteresis;
pub use line::LineForce;
pub use lugre::LuGre;
pub use moment::Moment;
pub use rotor::Rotor;
pub use slip_tyre::SlipTyre;
pub use spring_damper::SpringDamper;
pub use torque::Torque;
pub use torsion::TorsionSpring;
pub use tyre::Tyre;
pub use wheel_creep::WheelCreep;

use crate::curve::Curve;
use crate::expr::{Formula, Now};
use crate::field::Key;
use crate::geometry::{Frame, Site, Vector};
use crate::joint::{BODY_KEYS, COLUMNS, wanted};
use crate::lanes::Lanes;
use crate::part::{Entry, OfKind, Part};
use crate::sensor::Sensor;
use std::borrow::Cow;
use std::iter::repeat_n;
use std::sync::Arc;

/// Inputs of a force.
pub const MAX_INPUTS: usize = 6;

/// Own states of a force.
pub const MAX_STATES: usize = 4;

/// Switching functions of a force.
pub const MAX_SWITCHES: usize = 64;

/// Where a force is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct ForcePoint<'a> {
    /// Time.
    pub now: Now,
    /// Body a.
    pub a: &'a Frame,
    /// Body b.
    pub b: &'a Frame,
    /// Values of [`Force::inputs`]; empty when none of them names a signal.
    pub inputs: &'a [f64],
    /// The force's angles, beyond one turn, a short while ago; see [`Force::turns`].
    pub turns: &'a [f64],
    /// Values of [`Force::states`]; empty while turns are counted.
    pub states: &'a [f64],
    /// On which side of zero its switching functions are taken to be, positive or not, wherever they are; empty:
    /// where they are.
    pub sides: &'a [bool],
    /// The columns that are wanted.
    pub lanes: &'a Lanes,
}

impl ForcePoint<'_> {
    /// The value of one input, whose formula is at hand.
    #[inline]
    pub fn input(&self, index: usize, formula: &Formula) -> f64 {
        match self.inputs.get(index) {
            Some(value) => *value,
            None => formula.eval_at(self.now),
        }
    }

    /// What a law is asked with, values of its formulas beside it.
    pub fn bodies<'a>(&'a self, inputs: &'a [f64; MAX_INPUTS]) -> Bodies<'a, f64> {
        Bodies {
            inputs,
            a: self.a,
            b: self.b,
            turns: self.turns,
            sides: self.sides,
        }
    }
}

/// A set of force terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForceWant(u8);

impl ForceWant {
    /// The generalised force.
    pub const Q: ForceWant = ForceWant(1);
    /// `-dQ/dq`.
    pub const STIFFNESS: ForceWant = ForceWant(2);
    /// `-dQ/dv`.
    pub const DAMPING: ForceWant = ForceWant(4);
    /// `dQ` by the inputs.
    pub const BY_INPUT: ForceWant = ForceWant(8);
    /// Rates of the states.
    pub const RATES: ForceWant = ForceWant(16);
    /// Derivatives of the rates, and `dQ` by the states.
    pub const SLOPES: ForceWant = ForceWant(32);
    /// All of them.
    pub const ALL: ForceWant = ForceWant(63);
}

wanted!(ForceWant);

/// Values of one force. Matrix entries outside its pattern hold leftovers and are never read.
#[derive(Clone, Debug, Default)]
pub struct ForceTerms {
    /// Generalised force.
    pub q: [f64; COLUMNS],
    /// `-dQ/dq`.
    pub stiffness: [[f64; COLUMNS]; COLUMNS],
    /// `-dQ/dv`.
    pub damping: [[f64; COLUMNS]; COLUMNS],
    /// `dQ` by each input.
    pub by_input: [[f64; COLUMNS]; MAX_INPUTS],
    /// What has to do with its states.
    pub states: StateTerms,
}

/// Rates of the states of a force, `x' = f`, and derivatives.
#[derive(Clone, Debug, Default)]
pub struct StateTerms {
    /// `f`.
    pub f: [f64; MAX_STATES],
    /// `df/dq`, a row for each state.
    pub f_q: [[f64; COLUMNS]; MAX_STATES],
    /// `df/dv`.
    pub f_v: [[f64; COLUMNS]; MAX_STATES],
    /// `df/dx`.
    pub f_x: [[f64; MAX_STATES]; MAX_STATES],
    /// `df` by the inputs.
    pub f_u: [[f64; MAX_INPUTS]; MAX_STATES],
    /// `dQ` by each state.
    pub by_state: [[f64; COLUMNS]; MAX_STATES],
}

/// A first-order state of a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceState {
    /// What it is, in a word or two: "deflection".
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Value at the start of a run.
    pub start: f64,
    /// Typical size, which its absolute tolerance refers to.
    pub scale: f64,
}

/// Which entries of the matrices of a force can be nonzero, as (row, column).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForcePattern {
    /// Entries of `-dQ/dq`.
    pub stiffness: Vec<(u8, u8)>,
    /// Entries of `-dQ/dv`.
    pub damping: Vec<(u8, u8)>,
    /// Entries of `dQ` by the inputs, as (row, input).
    pub by_input: Vec<(u8, u8)>,
    /// Entries of `dQ` by the states, as (row, state).
    pub by_state: Vec<(u8, u8)>,
    /// Entries of `df/dq`, as (state, column).
    pub f_q: Vec<(u8, u8)>,
    /// Entries of `df/dv`.
    pub f_v: Vec<(u8, u8)>,
}

impl ForcePattern {
    /// Whether a derivative by a freedom or its rate can be nonzero.
    pub(crate) fn has_column(&self, column: usize) -> bool {
        let lists = [&self.stiffness, &self.damping, &self.f_q, &self.f_v];
        let mut entries = lists.into_iter().flatten();
        entries.any(|(_, j)| usize::from(*j) == column)
    }
}

/// What a force adds to the energy account.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceEnergy {
    /// Stored energy, J.
    pub potential: f64,
    /// Power delivered to the bodies beyond the change of the stored energy, W.
    pub power: f64,
}

impl ForceEnergy {
    /// Of a force that stores none.
    pub fn spent(power: f64) -> ForceEnergy {
        ForceEnergy {
            potential: 0.0,
            power,
        }
    }
}

/// A force law asked outside its domain; the text completes "force `name`: ".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfDomain(pub Cow<'static, str>);

impl OutOfDomain {
    /// For a reason that is known beforehand.
    pub const fn because(why: &'static str) -> OutOfDomain {
        OutOfDomain(Cow::Borrowed(why))
    }
}

/// A kind of force with its parameters; stored behind a pointer, called once per evaluation.
pub trait Force: Part + OfKind {
    /// Which of the two bodies must have an orientation.
    fn needs_orientation(&self) -> [bool; 2] {
        [true, true]
    }

    /// The attachment points on body a and body b, from their centres of mass in body axes, where
    /// there are any.
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, None]
    }

    /// Whether the force acts on a single body, b, without reaction on body a; model text then
    /// refuses `body_a`.
    fn is_external(&self) -> bool {
        false
    }

    /// Whether the force refers to the global frame: a road, a rail, global components of a torque.
    fn stands_on_ground(&self) -> bool {
        false
    }

    /// Formulas that may name signals, at most [`MAX_INPUTS`].
    fn inputs(&self) -> Vec<&Formula> {
        Vec::new()
    }

    /// Whether its free length or angle was left open: it is that of the start, once all joints are closed.
    fn rests_at_start(&self) -> bool {
        false
    }

    /// The same force with the free length or angle that it has where its bodies are at these places.
    fn rested(&self, sites: &[Site]) -> Option<Arc<dyn Force>> {
        let _ = sites;
        None
    }

    /// Its own states, at most [`MAX_STATES`].
    fn states(&self) -> Vec<ForceState> {
        Vec::new()
    }

    /// Start values of the states that depend on the motion at the start.
    fn settle(&self, at: &ForcePoint<'_>, states: &mut [f64]) {
        let _ = (at, states);
    }

    /// Its switching functions in words, with their typical sizes; at most [`MAX_SWITCHES`]. Where one of them
    /// changes sign the law has a corner. A step ends there: within it sides are frozen, and the law goes on smoothly
    /// beyond. Unless it says otherwise they are the corners of its curves.
    fn switches(&self) -> Vec<(&'static str, f64)> {
        let curves = self.profiles().into_iter().flatten();
        let corners = curves.flat_map(|(word, curve)| repeat_n((word, 1.0), curve.corners()));
        let all: Vec<_> = corners.collect();
        // of more the kinks are left to error control
        match all.len() <= MAX_SWITCHES {
            true => all,
            false => Vec::new(),
        }
    }

    /// Values of the switching functions, whatever sides are given.
    fn switch_values(&self, at: &ForcePoint<'_>, out: &mut [f64]) {
        let mut out = out.iter_mut();
        for (curve, x) in self.profiles().into_iter().zip(self.along_profile(at)) {
            let Some((_, curve)) = curve else { continue };
            for (k, out) in (0..curve.corners()).zip(out.by_ref()) {
                *out = curve.corner(k, x);
            }
        }
    }

    /// Whether its law on these sides is not smooth where a switching function is zero, however it is continued beyond:
    /// the dense output of steps over that place is worth less than their ends.
    fn is_rough(&self, sides: &[bool]) -> bool {
        let _ = sides;
        false
    }

    /// Whether its switching functions are corners of curves that anybody may write: one that attracts the motion
    /// from both sides is let go, and read where it is.
    fn lets_go(&self) -> bool {
        self.profiles().iter().any(Option::is_some)
    }

    /// How near its two [points](Self::markers) are when it begins to act, if it does nothing until they meet.
    fn reach(&self) -> Option<f64> {
        None
    }

    /// Curves, with words for their corners: one that it moves along (a road, a table over a length), and one over how
    /// fast it moves along that, or would.
    fn profiles(&self) -> [Option<(&'static str, &Curve)>; 2] {
        [None, None]
    }

    /// Where on the former it is, and how fast it moves along it.
    fn along_profile(&self, at: &ForcePoint<'_>) -> [f64; 2] {
        let _ = at;
        [0.0; 2]
    }

    /// How many bodies it has: a, b and further ones.
    fn sides(&self) -> usize {
        2
    }

    /// Places what belongs to further sides; all of them are given, a and b first.
    fn place_further(&mut self, sites: &[Site]) {
        let _ = sites;
    }

    /// What stands for a force of several sides once it is placed: forces between pairs of them, which may
    /// follow signals of each other's sensors. `name` is that of the whole.
    fn legs(&self, name: &str) -> Vec<ForceLeg> {
        let _ = name;
        Vec::new()
    }

    /// Rotational inertia of its own, constant and symmetric: `T = w' I w/2` with `w = (omega_a, omega_b)` in
    /// body axes, once placed. The assembly adds it to the mass matrix, with its gyroscopic torques.
    fn spin_inertia(&self) -> Option<[[f64; 6]; 6]> {
        None
    }

    /// Expresses everything in body axes from the centres of mass, using the start poses.
    fn place(&mut self, a: &Site, b: &Site);

    /// The longest length among the parameters, beside the markers.
    fn extent(&self) -> f64 {
        0.0
    }

    /// Entries that can be nonzero; `flat`: between bodies that move in the x-y plane.
    fn pattern(&self, flat: bool) -> ForcePattern;

    /// Fills the wanted terms.
    fn eval(
        &self,
        at: &ForcePoint<'_>,
        want: ForceWant,
        out: &mut ForceTerms,
    ) -> Result<(), OutOfDomain>;

    /// Number of angles that may pass whole turns, as for joints.
    fn turns(&self) -> usize {
        0
    }

    /// Renews the remembered angles.
    fn wind(&self, at: &ForcePoint<'_>, turns: &mut [f64]) {
        let _ = (at, turns);
    }

    /// Stored energy and the power that it does not cover.
    fn energy(&self, at: &ForcePoint<'_>) -> ForceEnergy;

    /// Whether what it stores is strain of a part that bends: the name of the whole whose energy is told as one, empty
    /// where it is a part by itself.
    fn strains(&self) -> Option<&str> {
        None
    }

    /// Output quantities as (name, unit); names follow the name of the force.
    fn channels(&self) -> &'static [(&'static str, &'static str)];

    /// Values of the output quantities.
    fn observe(&self, at: &ForcePoint<'_>, out: &mut [f64]);
}

/// A part of a force of several sides; see [`Force::legs`].
#[derive(Clone, Debug)]
pub struct ForceLeg {
    /// Its name, which is that of its sensor too.
    pub name: String,
    /// The sides that it connects.
    pub sides: [usize; 2],
    /// What acts between them.
    pub force: Arc<dyn Force>,
    /// What the parts know of each other.
    pub sensor: Arc<dyn Sensor>,
}

impl<F: Force + 'static> From<F> for Box<dyn Force> {
    fn from(force: F) -> Box<dyn Force> {
        Box::new(force)
    }
}

/// One kind of force.
pub type ForceEntry = Entry<dyn Force>;

impl ForceEntry {
    /// The keys that name the bodies: a force on a single body has no `body_a`.
    pub fn body_keys(&self) -> &'static [Key] {
        match (self.blank)().is_external() {
            true => &BODY_KEYS[1..],
            false => BODY_KEYS,
        }
    }
}

/// All kinds of forces.
pub static FORCES: &[ForceEntry] = &[
    Entry::of::<SpringDamper>(),
    Entry::of::<TorsionSpring>(),
    Entry::of::<LineForce>(),
    Entry::of::<ElasticCable>(),
    Entry::of::<AppliedForce>(),
    Entry::of::<Torque>(),
    Entry::of::<Bushing>(),
    Entry::of::<Friction>(),
    Entry::of::<Contact>(),
    Entry::of::<Tyre>(),
    Entry::of::<SlipTyre>(),
    Entry::of::<Creep>(),
    Entry::of::<Moment>(),
    Entry::of::<Hysteresis>(),
    Entry::of::<LuGre>(),
    Entry::of::<Rotor>(),
    Entry::of::<BeamElement>(),
];

/// Every (row, column) of a 12 x 12 matrix.
pub(crate) fn full() -> Vec<(u8, u8)> {
    (0..COLUMNS as u8)
        .flat_map(|i| (0..COLUMNS as u8).map(move |j| (i, j)))
        .collect()
}
