//! What never changes about a system, as plain data: sizes, sparsity, typical sizes, start, words.
//!
//! A system builds its facts once and shares them with its copies. One that wraps another copies the
//! other's facts and edits what it changes; whatever it does not know of comes along.

use super::{At, BlockPatterns, Parts};
use crate::auxiliary::Auxiliary;
use crate::law::{Impacts, Law, RowLaw, Tie};
use std::sync::Arc;

/// What never changes about a system, built once and shared with its copies. A system that wraps another copies
/// these and edits what it changes; whatever it does not know of comes along.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Sizes.
    pub dims: Dims,
    /// Positions of the entries of every block.
    pub patterns: BlockPatterns,
    /// Equations with unknowns of their own that stand for the stored blocks, see [`crate::auxiliary`].
    /// Their values are the generators of the blocks. `None`: all blocks are stored.
    pub auxiliary: Option<Arc<Auxiliary>>,
    /// Blocks that [`System::linearise`](super::System::linearise) can supply.
    pub exact: Parts,
    /// Residuals that `M` and `C_q` take where they are found by residuals; 0 where the system knows
    /// them. Strategies weigh this against what new ones save.
    pub mass_residuals: u32,
    /// Typical size of each configuration entry: 1 for angles, the size of the mechanism for lengths.
    /// Absolute tolerances and difference increments refer to it.
    pub scale: Vec<f64>,
    /// Angular frequency of each configuration entry on its own, 1/s: that of the mode of an elastic amplitude, 0 where
    /// nothing makes it vibrate. A vibration that is off by `x` is off by `rate x` in its velocity.
    pub rate: Vec<f64>,
    /// What the relative tolerance of each configuration entry refers to.
    pub reference: Vec<Reference>,
    /// Typical size of each entry of `x`, for absolute tolerances and difference increments.
    pub scale_x: Vec<f64>,
    /// Whether each entry of `x` has a derivative in its equation (`E = 1`) or is algebraic.
    pub differential: Vec<bool>,
    /// Start time and start guesses.
    pub guess: Guess,
    /// What was changed to make these guesses of others, before they were put into these coordinates.
    pub fitted: Vec<Fitted>,
    /// Named outputs.
    pub channels: Vec<Channel>,
    /// Unknowns and equations in words.
    pub names: Names,
    /// Names of the inputs that can be driven from outside, see [`Inputs`](super::Inputs).
    pub inputs: Vec<String>,
    /// Known functions of time through which the derivative blocks depend on time, see
    /// [`Excitations`](super::Excitations).
    pub excitations: Vec<Excitation>,
    /// Rows that are not always in force, ascending.
    pub laws: Vec<RowLaw>,
    /// What several impacts at one time do.
    pub impacts: Impacts,
}

impl Facts {
    /// The constraint rows that are in force at the start whatever it is.
    pub fn lasting(&self) -> impl Iterator<Item = usize> + '_ {
        let law = |i: usize| self.laws.binary_search_by_key(&(i as u32), |l| l.row);
        let lasts = move |i: &usize| law(*i).map_or(true, |k| self.laws[k].law == Law::LASTS);
        (0..self.dims.rows()).filter(lasts)
    }

    /// Facts of a system of some size about which nothing is known but that: its patterns are empty, its
    /// derivatives exact, everything is of size 1, starts from zero and is numbered.
    pub fn new(dims: Dims) -> Facts {
        Facts {
            exact: Parts::ALL,
            scale: vec![1.0; dims.nq],
            rate: vec![0.0; dims.nq],
            reference: vec![Reference::Itself; dims.nq],
            scale_x: vec![1.0; dims.nx],
            differential: vec![true; dims.nx],
            guess: Guess {
                x: vec![0.0; dims.nx],
                ..Guess::at(&vec![0.0; dims.nq], &vec![0.0; dims.nv])
            },
            names: Names::numbered(dims),
            dims,
            ..Facts::default()
        }
    }
}

/// A start value that was changed to fit the joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// In words: "body `slider`, y".
    pub what: String,
    /// By how much.
    pub by: f64,
    /// The same as a share of the size of the mechanism, or of the fastest speed that was given.
    pub share: f64,
}

/// What the relative tolerance of a configuration entry and of its velocity refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// Its own size.
    Itself,
    /// Its own size, at most the typical one: places are counted from anywhere.
    Place,
    /// Its typical size: angles mean no more after many turns.
    Size,
}

/// A known function of time: a prescribed motion, a time-dependent input of a force.
#[derive(Clone, Debug, PartialEq)]
pub struct Excitation {
    /// In words: "force `thrust`, x".
    pub name: String,
    /// Typical size, for difference increments.
    pub scale: f64,
}

/// An unknown or equation in words, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    text: String,
    owner: String,
    /// A piece of the owner that has a name of its own.
    piece: Option<String>,
}

/// All unknowns and equations of a system in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    positions: Vec<Name>,
    velocities: Vec<Name>,
    constraints: Vec<Name>,
    states: Vec<Name>,
}

impl Names {
    /// Words for every row of a system: what it is, "joint `hinge`, y coincidence", and the part of the
    /// model that it belongs to, "hinge".
    pub fn new(
        dims: Dims,
        describe: impl Fn(Row) -> String,
        owner: impl Fn(Row) -> String,
    ) -> Names {
        let list = |n: usize, row: fn(usize) -> Row| {
            let name = |i: usize| Name {
                text: describe(row(i)),
                owner: owner(row(i)),
                piece: None,
            };
            (0..n).map(name).collect()
        };
        Names {
            positions: list(dims.nv, Row::Position),
            velocities: list(dims.nv, Row::Velocity),
            constraints: list(dims.rows(), Row::Constraint),
            states: list(dims.nx, Row::State),
        }
    }

    /// With names of pieces of parts, of modes of flexible bodies, for the positions that belong to one and their rates.
    pub fn with_pieces(mut self, piece: impl Fn(usize) -> Option<String>) -> Names {
        for list in [&mut self.positions, &mut self.velocities] {
            for (i, name) in list.iter_mut().enumerate() {
                name.piece = piece(i);
            }
        }
        self
    }

    /// Rows with numbers for names.
    pub fn numbered(dims: Dims) -> Names {
        let describe = |row: Row| match row {
            Row::Position(i) => format!("coordinate {}", i + 1),
            Row::Velocity(i) => format!("velocity {}", i + 1),
            Row::Constraint(i) => format!("constraint {}", i + 1),
            Row::State(i) => format!("state {}", i + 1),
        };
        Names::new(dims, describe, |row| match row {
            Row::Velocity(i) => describe(Row::Position(i)),
            other => describe(other),
        })
    }

    fn find(&self, row: Row) -> Option<&Name> {
        match row {
            Row::Position(i) => self.positions.get(i),
            Row::Velocity(i) => self.velocities.get(i),
            Row::Constraint(i) => self.constraints.get(i),
            Row::State(i) => self.states.get(i),
        }
    }

    /// An unknown or equation in words: "joint `hinge`, y coincidence".
    pub fn describe(&self, row: Row) -> String {
        match self.find(row) {
            Some(name) => name.text.clone(),
            None => format!("{row:?}, which does not exist"),
        }
    }

    /// The part of the model that an unknown or equation belongs to: "hinge".
    pub fn owner(&self, row: Row) -> String {
        match self.find(row) {
            Some(name) => name.owner.clone(),
            None => "unknown".to_string(),
        }
    }

    /// The smallest thing with a name that a position belongs to, where that is a piece of its owner: "bending 3".
    pub fn piece(&self, position: usize) -> Option<&str> {
        self.positions.get(position)?.piece.as_deref()
    }

    /// Who is to blame for what happens to an unknown or equation: its owner, and the piece of it, "rod, bending 3".
    pub fn culprit(&self, row: Row) -> String {
        let owner = self.owner(row);
        match self.find(row).and_then(|name| name.piece.as_deref()) {
            Some(piece) => format!("{owner}, {piece}"),
            None => owner,
        }
    }
}

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

/// An unknown or an equation of a system, to be put in words by [`Names::describe`].
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

/// The constraint rows in use. The multiplier of a dropped row stays 0 unless it is tied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Kept constraint rows, holonomic and non-holonomic, ascending.
    pub c: Vec<u32>,
    /// Dropped rows whose multiplier is not 0, see [`crate::law`].
    pub ties: Vec<Tie>,
}

impl Rows {
    /// These rows, the multipliers of all others being 0.
    pub fn of(c: Vec<u32>) -> Rows {
        let ties = Vec::new();
        Rows { c, ties }
    }

    /// All rows of a system.
    pub fn all(dims: Dims) -> Rows {
        Rows::of((0..dims.rows() as u32).collect())
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

impl Guess {
    /// Where it is, for evaluations.
    pub fn point(&self) -> At<'_> {
        At {
            t: self.t,
            q: &self.q,
            v: &self.v,
            a: &[],
            lambda: &[],
            x: &self.x,
        }
    }

    /// A start at time 0 with equally trusted positions and velocities and no first-order states.
    pub fn at(q: &[f64], v: &[f64]) -> Guess {
        Guess {
            t: 0.0,
            q: q.to_vec(),
            v: v.to_vec(),
            weight_q: vec![1.0; q.len()],
            weight_v: vec![1.0; v.len()],
            x: Vec::new(),
        }
    }
}
