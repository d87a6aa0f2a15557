//! What an integrator knows about a mechanism: sizes, equations, derivative blocks, words.
//!
//! Index-3 form, `C_q` being the derivative along the tangent (its columns match `v`):
//!
//! ```text
//!  M(q,t) a + C_q(q,t)' lambda + G_v(q,v,t)' mu = Q(q,v,x,lambda,t)
//!  C(q,t) = 0        C_q v + C_t = 0        C_q a = gamma(q,v,t)
//!                    g(q,v,t) = 0           G_v a = gamma(q,v,t) := -G_q v - G_t
//!  E xdot = f(q,v,x,t),   E = diag(1 or 0)
//! ```
//!
//! Non-holonomic constraints `g` are constraint rows without a position equation: they follow the
//! `nc` holonomic rows in everything that lives on the velocity level. So `lambda` means
//! `(lambda, mu)`, `cv` means `(C_q v + C_t, g)`, `C_q` means `(C_q; G_v)` and its derivative along
//! the motion `(C_q v + C_t; g)_q`, all with `nc + ng` rows. First-order states `x` are those of
//! controllers and filters; entries with `E = 0` are algebraic.
//!
//! Forces that follow reactions (friction, creep) may depend on the multipliers; a system says so by
//! giving the block [`Part::Rl`] a pattern, and then reads `lambda` also where only forces are wanted.
//!
//! A [`System`] is evaluated *by request*: the caller lists the terms it wants in [`Terms`] and the
//! system fills exactly those in one kinematic pass. [`System::linearise`] fills the same request
//! and, in the same pass, the derivative [`Blocks`].

use crate::auxiliary::Auxiliary;
use crate::chart::Chart;
use crate::cosim::Polynomial;
use crate::dense::Matrix;
use crate::kinetic::BodyMotions;
use crate::memory::Memory;
use crate::state::State;
use crate::switching::Switching;
use std::ops::{BitOr, Index, IndexMut};

/// Sizes of a system; they never change during a run (dropped rows change [`Rows`], not sizes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dims {
    /// Length of the configuration `q`.
    pub nq: usize,
    /// Length of `v` and `a` (tangent).
    pub nv: usize,
    /// Number of holonomic constraint equations.
    pub nc: usize,
    /// Number of non-holonomic constraint equations.
    pub ng: usize,
    /// Number of first-order and algebraic states.
    pub nx: usize,
}

impl Dims {
    /// Constraint rows at the velocity level: holonomic, then non-holonomic.
    pub fn rows(&self) -> usize {
        self.nc + self.ng
    }
}

/// Where to evaluate. Slices that a request does not need may be empty.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Acceleration.
    pub a: &'a [f64],
    /// Multipliers of the constraints, length `nc + ng`.
    pub lambda: &'a [f64],
    /// First-order and algebraic states.
    pub x: &'a [f64],
}

/// What is wanted; only the `Some` fields are computed.
///
/// Matrix-valued terms (`mass`, `c_q`) are lists of values in the order of their pattern.
#[derive(Debug, Default)]
pub struct Terms<'a> {
    /// `M a + C_q' lambda - Q`, all constraint rows, length `nv`.
    pub r: Option<&'a mut [f64]>,
    /// `M`, in the order of the pattern [`Part::Mass`].
    pub mass: Option<&'a mut [f64]>,
    /// `Q`, length `nv`.
    pub force: Option<&'a mut [f64]>,
    /// `C`, length `nc`.
    pub c: Option<&'a mut [f64]>,
    /// `C_q`, in the order of the pattern [`Part::Cq`].
    pub c_q: Option<&'a mut [f64]>,
    /// `C_q v + C_t`, then `g`; length `nc + ng`.
    pub cv: Option<&'a mut [f64]>,
    /// `gamma`, length `nc + ng`.
    pub gamma: Option<&'a mut [f64]>,
    /// `f`, length `nx`.
    pub f: Option<&'a mut [f64]>,
    /// Generators of the acceleration level, the first [`Auxiliary::base`] ones.
    pub generators: Option<&'a mut [f64]>,
}

/// One derivative block of the equations of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Part {
    /// `M`, nv x nv, both triangles stored.
    Mass = 0,
    /// `C_q`, then `G_v`; (nc + ng) x nv.
    Cq = 1,
    /// `d(M a + C_q' lambda - Q)/dq`, nv x nv ("stiffness" K).
    Rq = 2,
    /// `d(G_v' mu - Q)/dv`, nv x nv ("damping" D).
    Rv = 3,
    /// `d(C_q v + C_t)/dq`, then `g_q`; (nc + ng) x nv.
    CVq = 4,
    /// `-dQ/dx`, nv x nx.
    Rx = 5,
    /// `df/dq`, nx x nv.
    Fq = 6,
    /// `df/dv`, nx x nv.
    Fv = 7,
    /// `df/dx`, nx x nx.
    Fx = 8,
    /// `-dQ/dlambda`, nv x (nc + ng): empty unless forces follow reactions. See also
    /// [`BlockPatterns::whole_r_l`].
    Rl = 9,
}

impl Part {
    /// Every block, in storage order.
    pub const ALL: [Part; 10] = [
        Part::Mass,
        Part::Cq,
        Part::Rq,
        Part::Rv,
        Part::CVq,
        Part::Rx,
        Part::Fq,
        Part::Fv,
        Part::Fx,
        Part::Rl,
    ];
    /// Number of blocks.
    pub const COUNT: usize = Part::ALL.len();
}

/// A set of blocks: what a formulation needs, what a strategy renews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts(u16);

impl Parts {
    /// No block.
    pub const NONE: Parts = Parts(0);
    /// Every block.
    pub const ALL: Parts = Parts((1 << Part::COUNT) - 1);

    /// Whether `part` is in the set.
    pub fn has(self, part: Part) -> bool {
        self.0 & (1 << part as u16) != 0
    }

    /// The blocks in both sets.
    pub fn and(self, other: Parts) -> Parts {
        Parts(self.0 & other.0)
    }

    /// The blocks of this set that are not in `other`.
    pub fn without(self, other: Parts) -> Parts {
        Parts(self.0 & !other.0)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl From<Part> for Parts {
    fn from(part: Part) -> Parts {
        Parts(1 << part as u16)
    }
}

impl BitOr<Part> for Parts {
    type Output = Parts;
    fn bitor(self, part: Part) -> Parts {
        Parts(self.0 | 1 << part as u16)
    }
}

/// (row, column) of every entry of every block; the entries of one block are unique.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockPatterns {
    entries: [Vec<(u32, u32)>; Part::COUNT],
    /// Length of the list of generators, the values of auxiliary equations, see
    /// [`System::auxiliary`]; 0 for most systems.
    pub generators: usize,
    /// Whether [`Part::Rl`] is all of the derivative of the force rows by the multipliers, and not
    /// what they have beside `C_q'`: the case of force rows that are divided by the mass matrix, see
    /// [`System::stage_form`]. It is then a block that costs little, as `C_q` does.
    pub whole_r_l: bool,
}

impl BlockPatterns {
    /// Blocks that follow from `M` and `C_q` alone: what must not grow old in an iteration matrix.
    pub fn of_constraints(&self) -> Parts {
        let c_q = Parts::from(Part::Cq);
        if self.whole_r_l { c_q | Part::Rl } else { c_q }
    }

    /// Every entry of every block: what can be said of a system about which nothing is known.
    pub fn full(dims: Dims) -> BlockPatterns {
        let Dims { nv, nx, .. } = dims;
        let rows = dims.rows();
        let mut p = BlockPatterns::default();
        for (part, rows, columns) in [
            (Part::Mass, nv, nv),
            (Part::Cq, rows, nv),
            (Part::Rq, nv, nv),
            (Part::Rv, nv, nv),
            (Part::CVq, rows, nv),
            (Part::Rx, nv, nx),
            (Part::Fq, nx, nv),
            (Part::Fv, nx, nv),
            (Part::Fx, nx, nx),
        ] {
            let row = |i| (0..columns as u32).map(move |j| (i, j));
            p[part] = (0..rows as u32).flat_map(row).collect();
        }
        p
    }
}

impl Index<Part> for BlockPatterns {
    type Output = Vec<(u32, u32)>;
    fn index(&self, part: Part) -> &Vec<(u32, u32)> {
        &self.entries[part as usize]
    }
}

impl IndexMut<Part> for BlockPatterns {
    fn index_mut(&mut self, part: Part) -> &mut Vec<(u32, u32)> {
        &mut self.entries[part as usize]
    }
}

/// Values of the derivative blocks, each in the order of its pattern.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    values: [Vec<f64>; Part::COUNT],
    generators: Vec<f64>,
}

impl Blocks {
    /// Zero blocks for the given patterns.
    pub fn new(patterns: &BlockPatterns) -> Blocks {
        Blocks {
            values: Part::ALL.map(|p| vec![0.0; patterns[p].len()]),
            generators: vec![0.0; patterns.generators],
        }
    }

    /// Values of auxiliary equations, see [`System::auxiliary`].
    pub fn generators(&self) -> &[f64] {
        &self.generators
    }

    /// The same, to be filled by [`System::linearise`] together with [`Part::Rq`] and [`Part::Rv`].
    pub fn generators_mut(&mut self) -> &mut [f64] {
        &mut self.generators
    }

    /// `M` and `C_q`, which are terms of a system as well.
    pub fn mass_and_c_q(&mut self) -> (&mut [f64], &mut [f64]) {
        let [mass, c_q, ..] = &mut self.values;
        (mass, c_q)
    }

    /// Gives every entry the same value.
    pub fn fill(&mut self, value: f64) {
        for values in &mut self.values {
            values.fill(value);
        }
        self.generators.fill(value);
    }

    /// Saves or restores all values.
    pub fn memory(&mut self, m: &mut Memory) {
        for values in &mut self.values {
            m.slice(values);
        }
        m.slice(&mut self.generators);
    }
}

impl Index<Part> for Blocks {
    type Output = [f64];
    fn index(&self, part: Part) -> &[f64] {
        &self.values[part as usize]
    }
}

impl IndexMut<Part> for Blocks {
    fn index_mut(&mut self, part: Part) -> &mut [f64] {
        &mut self.values[part as usize]
    }
}

/// An evaluation that has no answer; it names the element at fault.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvalError {
    /// A formula gave NaN or infinity.
    #[error("{what} is not finite")]
    NotFinite {
        /// The element and term, in words: "force `spring`, tension".
        what: String,
    },
    /// A formula was asked outside its domain.
    #[error("{what}: {why}")]
    Domain {
        /// The element, in words.
        what: String,
        /// What left the domain.
        why: String,
    },
}

/// An unknown or an equation of a system, to be put in words by [`System::describe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Row {
    /// Entry of `q` (tangent numbering).
    Position(usize),
    /// Entry of `v`.
    Velocity(usize),
    /// Constraint equation and its multiplier; from `nc` on non-holonomic.
    Constraint(usize),
    /// Entry of `x` and its equation.
    State(usize),
}

/// The constraint rows in use. The multiplier of a dropped row stays 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Kept constraint rows, holonomic and non-holonomic, ascending.
    pub c: Vec<u32>,
}

impl Rows {
    /// All rows of a system.
    pub fn all(dims: Dims) -> Rows {
        Rows {
            c: (0..dims.rows() as u32).collect(),
        }
    }
}

/// A named output quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Dotted name: `crank.angle.velocity`.
    pub name: String,
    /// Unit in SI notation: `rad/s`; empty for a pure number.
    pub unit: String,
}

impl Channel {
    /// A channel from its name and unit.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Channel {
        Channel {
            name: name.into(),
            unit: unit.into(),
        }
    }
}

/// Energy account of a system at one state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy of gravity and springs, J.
    pub potential: f64,
    /// Power of everything that the two do not cover (dampers, drives, applied loads), W.
    pub power: f64,
}

impl Energy {
    /// Kinetic plus potential energy.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Where a run starts: guesses, and how much each may be moved by the assembly.
#[derive(Clone, Debug, Default)]
pub struct Guess {
    /// Start time.
    pub t: f64,
    /// Configuration guess.
    pub q: Vec<f64>,
    /// Velocity guess.
    pub v: Vec<f64>,
    /// Assembly weight of each configuration entry: 1 for a guess, 1e6 or more for a trusted one.
    pub weight_q: Vec<f64>,
    /// Assembly weight of each velocity entry.
    pub weight_v: Vec<f64>,
    /// First-order states, and guesses of the algebraic ones.
    pub x: Vec<f64>,
}

/// What an event means for the integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Nothing jumped that the integrator must know: at most second derivatives of the forces.
    Continue,
    /// Inputs jumped: accelerations, multipliers and algebraic states are new, and what the
    /// integrator remembers of their past is void. Positions, velocities and differential states
    /// are continuous.
    Restart,
    /// Velocities or differential states jumped as well.
    Jump,
    /// The run ends here. What jumped is as with [`After::Jump`].
    Stop,
}

/// Equations of motion ready to be evaluated: the only thing integrators know.
pub trait System: Send {
    /// Sizes.
    fn dims(&self) -> Dims;

    /// Positions of the entries of every block.
    fn patterns(&self) -> &BlockPatterns;

    /// Computes the wanted terms at a point.
    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError>;

    /// Computes the wanted terms and the derivative blocks in `parts`, in one pass.
    ///
    /// A system that leaves this out must say so in [`System::exact_parts`]; it then runs with
    /// difference strategies only.
    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let _ = (at, want, parts, out);
        Err(EvalError::Domain {
            what: "exact derivatives".into(),
            why: "the system has none; use a difference strategy".into(),
        })
    }

    /// Blocks that [`System::linearise`] can supply.
    fn exact_parts(&self) -> Parts {
        Parts::ALL
    }

    /// Residuals that `M` and `C_q` take where they are found by residuals; 0 where the system knows
    /// them. Strategies weigh this against what new ones save.
    fn mass_residuals(&self) -> u32 {
        0
    }

    /// Number of excitations: known functions of time, such as prescribed motions and time-dependent
    /// inputs, through which the derivative blocks depend on time. Strategies may let blocks follow
    /// them.
    fn excitations(&self) -> usize {
        0
    }

    /// Values of the excitations at a time.
    fn excitation(&self, t: f64, out: &mut [f64]) {
        let _ = (t, out);
    }

    /// An excitation in words: "force `thrust`, x".
    fn excitation_name(&self, i: usize) -> String {
        format!("excitation {}", i + 1)
    }

    /// Typical size of each excitation, for difference increments.
    fn excitation_scale(&self, out: &mut [f64]) {
        out.fill(1.0);
    }

    /// From now on every evaluation takes place with the excitations this far off their values, and
    /// their derivatives as they are. A run leaves them at zero.
    fn offset_excitations(&mut self, offset: &[f64]) {
        let _ = offset;
    }

    /// Start time and start guesses.
    fn guess(&self) -> Guess;

    /// Typical size of each configuration entry: 1 for angles, the size of the mechanism for
    /// lengths. Absolute tolerances and difference increments refer to it.
    fn scale(&self, out: &mut [f64]) {
        out.fill(1.0);
    }

    /// What the relative tolerance of each position refers to: `|q|`, but 1 rad for rotations.
    fn magnitude(&self, q: &[f64], out: &mut [f64]) {
        for (o, q) in out.iter_mut().zip(q) {
            *o = q.abs();
        }
    }

    /// Whether each entry of `x` has a derivative in its equation (`E = 1`) or is algebraic.
    fn differential(&self, out: &mut [bool]) {
        out.fill(true);
    }

    /// Typical size of each entry of `x`, for absolute tolerances and difference increments.
    fn scale_x(&self, out: &mut [f64]) {
        out.fill(1.0);
    }

    /// Coordinates about a base, for configurations that are not vectors. `None`: `q` is a vector
    /// and `q' = v`. The system owns the base: it resets, remembers and forks it.
    fn chart(&self) -> Option<&dyn Chart> {
        None
    }

    /// The same, to move the base. Either both are there or none.
    fn chart_mut(&mut self) -> Option<&mut dyn Chart> {
        None
    }

    /// The same equations as implicit methods are to solve them, where that is another form: same
    /// unknowns, same constraints, force rows multiplied by a regular matrix.
    ///
    /// Everything that is not the iteration of a step (start values, projections, balance, modes)
    /// takes the equations of motion as they are.
    fn stage_form(&self) -> Option<&dyn System> {
        None
    }

    /// The same, to evaluate it. Either both are there or none.
    fn stage_form_mut(&mut self) -> Option<&mut dyn System> {
        None
    }

    /// Accelerations at a point, and the rates of first-order states, where the system finds them
    /// without a mass matrix: a tree of bodies without constraints. `None`: whoever asks has to solve
    /// for them, also where a direction has no inertia.
    fn accelerate(
        &mut self,
        at: &At<'_>,
        a: &mut [f64],
        f: &mut [f64],
    ) -> Option<Result<(), EvalError>> {
        let _ = (at, a, f);
        None
    }

    /// Equations with unknowns of their own that stand for the stored blocks, see
    /// [`crate::auxiliary`]. Their values are the generators of the blocks.
    fn auxiliary(&self) -> Option<&Auxiliary> {
        None
    }

    /// From now on all blocks are stored: for whoever reads them instead of solving with them.
    /// Patterns change; a system without auxiliary equations has nothing to do.
    fn store_blocks(&mut self) {}

    /// Forgets what an earlier run has left behind: held inputs, discrete states, the base of a
    /// chart.
    fn reset(&mut self) {}

    /// The next instant, strictly later than `t`, at which the equations change by the clock.
    /// Integrators step exactly onto it. Instants that differ by roundings must be made one.
    fn next_time_event(&self, t: f64) -> Option<f64> {
        let _ = t;
        None
    }

    /// The clock has reached a time event. The start of a run is one too, at positions and
    /// velocities that are consistent already.
    fn on_time_event(&mut self, s: &mut State) -> After {
        let _ = s;
        After::Continue
    }

    /// Switching functions of the state, and what else a system knows about where its equations are
    /// not smooth; `None`: nothing.
    fn switching(&mut self) -> Option<&mut dyn Switching> {
        None
    }

    /// Names of the inputs that can be driven from outside.
    fn inputs(&self) -> Vec<String> {
        Vec::new()
    }

    /// Lets an input follow a polynomial of time from now on.
    fn set_input(&mut self, input: usize, course: &Polynomial) {
        let _ = (input, course);
    }

    /// Named outputs.
    fn channels(&self) -> &[Channel] {
        &[]
    }

    /// Values of the named outputs at a state with consistent accelerations and multipliers.
    fn observe(&mut self, s: &State, out: &mut [f64]) {
        let _ = (s, out);
    }

    /// Energy account; `None` when the system keeps none.
    fn energy(&mut self, s: &State) -> Option<Energy> {
        let _ = s;
        None
    }

    /// Velocities and momenta of the bodies at `q` for the velocities in the columns of `v`; `None` when
    /// the system knows no bodies.
    fn body_motions(&mut self, q: &[f64], v: &Matrix) -> Option<BodyMotions> {
        let _ = (q, v);
        None
    }

    /// An unknown or equation in words: "joint `hinge`, y coincidence".
    fn describe(&self, row: Row) -> String {
        match row {
            Row::Position(i) => format!("coordinate {}", i + 1),
            Row::Velocity(i) => format!("velocity {}", i + 1),
            Row::Constraint(i) => format!("constraint {}", i + 1),
            Row::State(i) => format!("state {}", i + 1),
        }
    }

    /// The part of the model that an unknown or equation belongs to: "hinge".
    fn owner(&self, row: Row) -> String {
        match row {
            Row::Position(i) | Row::Velocity(i) => format!("coordinate {}", i + 1),
            Row::Constraint(_) | Row::State(_) => self.describe(row),
        }
    }

    /// Saves or restores what the system remembers beside its states: modes, held inputs, delays, the
    /// base of a chart.
    fn memory(&mut self, m: &mut Memory) {
        let _ = m;
    }

    /// A copy with scratch of its own, for another thread.
    fn fork(&self) -> Box<dyn System>;
}

/// The form of a system that implicit methods solve.
pub fn stage_form(sys: &dyn System) -> &dyn System {
    sys.stage_form().unwrap_or(sys)
}
