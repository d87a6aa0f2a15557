//! Unknowns and rows of a step as data: what each section of them is, and in which units.
//!
//! A section is a run of unknowns with as many rows, paired so that the pattern is nearly symmetric. An
//! unknown times its unit is what a variable moves by, a row is a residual over its unit; units are
//! powers of `s1` and `s2`. Sizes, weights, rounding, names, corrections and places in the iteration
//! matrix follow from that.

use super::index3::Scaling;
use super::place::Power;
use crate::law::Tie;
use crate::system::{Dims, Row, Rows, System};
use std::ops::Range;

/// What a section of unknowns moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// Positions, and velocities as their discrete derivative.
    Motion,
    /// Velocities.
    Velocity,
    /// Positions alone.
    Position,
    /// Multipliers of the constraints.
    Multiplier,
    /// Multipliers that stabilise the positions.
    Stabiliser,
    /// First-order and algebraic states.
    State,
}

impl Unknown {
    fn unit(self, scaling: Scaling) -> Power {
        match self {
            Unknown::Motion | Unknown::Position | Unknown::State => Power::ONE,
            Unknown::Velocity | Unknown::Stabiliser => Power::of(1.0, 1, 0),
            Unknown::Multiplier => scaling.multiplier(),
        }
    }
}

/// What a section of rows says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Equation {
    /// The equations of motion.
    Force,
    /// Velocities are the derivatives of the positions.
    Kinematic,
    /// Constraints at the position level.
    Closure,
    /// Constraints at the velocity level.
    Rate,
    /// Equations of the states, those without a rate in units of 1.
    State,
}

impl Equation {
    fn unit(self, scaling: Scaling) -> Power {
        match self {
            Equation::Force => scaling.force(),
            Equation::Kinematic | Equation::Rate => Power::of(1.0, 1, 0),
            Equation::Closure => Power::ONE,
            Equation::State => Power::of(1.0, 0, 1),
        }
    }
}

/// What a section has an entry for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Coordinates,
    /// Kept constraint rows: all of them, the holonomic, or the others.
    Constraints,
    Holonomic,
    Nonholonomic,
    States,
}

/// A line of the table that a formulation is.
pub(super) type Kind = (Over, Unknown, Equation);

/// A variable of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    Position,
    Velocity,
    Acceleration,
    Multiplier,
    Stabiliser,
    State,
}

/// How a variable moves with the unknowns: by which, by how much, and whether a chart bends it.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub by: Unknown,
    pub power: Power,
    pub bent: bool,
}

/// A section of unknowns and rows in a step.
pub(super) struct Section {
    pub unknown: Unknown,
    pub equation: Equation,
    pub unit: Power,
    pub row_unit: Power,
    /// Indices of its unknowns and rows.
    pub range: Range<usize>,
    /// Which of the coordinates, kept constraint rows or states it has.
    pub entries: Range<usize>,
}

/// What of the system a residual needs: where its force rows are, where states begin, whether there are constraints at the
/// velocity level and stabilised positions.
#[derive(Default)]
pub(super) struct Asked {
    pub force: Range<usize>,
    pub states: usize,
    pub rates: bool,
    pub stabilised: bool,
}

/// See the [module](self).
#[derive(Default)]
pub(super) struct Layout {
    /// Those that are not empty.
    pub sections: Vec<Section>,
    pub asked: Asked,
    /// Whether velocities follow the positions.
    pub follows: bool,
    pub dims: Dims,
    /// Kept constraint rows, holonomic ones first.
    pub keep: Vec<u32>,
    /// Dropped rows whose multiplier is given.
    pub ties: Vec<Tie>,
    /// What friction can bear, for each of them.
    pub capacity: Vec<f64>,
    /// How many of the kept rows are holonomic.
    pub holonomic: usize,
    /// Index among the kept rows of each row, `u32::MAX` when dropped.
    kept_index: Vec<u32>,
    /// Which entries of `x` have a derivative.
    pub differential: Vec<bool>,
    /// What each auxiliary unknown is told by, and the order of elimination.
    pub auxiliary: Vec<u32>,
    pub order: Vec<u32>,
    /// An increment of `q`, or a velocity.
    pub step: Vec<f64>,
}

impl Layout {
    pub fn new(sys: &dyn System, keep: &Rows, kinds: &[Kind], scaling: Scaling) -> Layout {
        let dims = sys.dims();
        let mut kept_index = vec![u32::MAX; dims.rows()];
        for (k, &row) in keep.c.iter().enumerate() {
            kept_index[row as usize] = k as u32;
        }
        let differential = sys.facts().differential.clone();
        let kept = keep.c.len();
        let holonomic = keep.c.partition_point(|&row| (row as usize) < dims.nc);
        let mut n = 0;
        let section = |&(over, unknown, equation): &Kind| {
            let entries = match over {
                Over::Coordinates => 0..dims.nv,
                Over::Constraints => 0..kept,
                Over::Holonomic => 0..holonomic,
                Over::Nonholonomic => holonomic..kept,
                Over::States => 0..dims.nx,
            };
            let first = n;
            n += entries.len();
            Section {
                unknown,
                equation,
                unit: unknown.unit(scaling),
                row_unit: equation.unit(scaling),
                range: first..n,
                entries,
            }
        };
        let sections = kinds.iter().map(section);
        let mut layout = Layout {
            sections: sections.filter(|s| !s.range.is_empty()).collect(),
            asked: Asked::default(),
            follows: kinds.iter().any(|k| k.1 == Unknown::Motion),
            dims,
            keep: keep.c.clone(),
            ties: keep.ties.clone(),
            capacity: vec![0.0; keep.ties.len()],
            holonomic,
            kept_index,
            differential,
            auxiliary: Vec::new(),
            order: Vec::new(),
            step: vec![0.0; dims.nv],
        };
        layout.asked = Asked {
            force: layout.rows(Equation::Force),
            states: layout.rows(Equation::State).start,
            rates: !layout.rows(Equation::Rate).is_empty(),
            stabilised: !layout.rows(Equation::Kinematic).is_empty(),
        };
        layout
    }

    /// Number of unknowns, without auxiliary ones.
    pub fn size(&self) -> usize {
        self.sections.last().map_or(0, |s| s.range.end)
    }

    /// Indices of the rows that say something; the end where there are none.
    pub fn rows(&self, equation: Equation) -> Range<usize> {
        let found = self.sections.iter().find(|s| s.equation == equation);
        found.map_or(self.size()..self.size(), |s| s.range.clone())
    }

    /// What a variable moves with.
    pub fn moved(&self, variable: Variable) -> Move {
        let (by, qdot, vdot) = match (variable, self.follows) {
            (Variable::Position, true) => (Unknown::Motion, 0, 0),
            (Variable::Velocity, true) => (Unknown::Motion, 1, 0),
            (Variable::Acceleration, true) => (Unknown::Motion, 1, 1),
            (Variable::Position, false) => (Unknown::Position, 0, 0),
            (Variable::Velocity, false) => (Unknown::Velocity, 0, 0),
            (Variable::Acceleration, false) => (Unknown::Velocity, 0, 1),
            (Variable::Multiplier, _) => (Unknown::Multiplier, 0, 0),
            (Variable::Stabiliser, _) => (Unknown::Stabiliser, 0, 0),
            (Variable::State, _) => (Unknown::State, 0, 0),
        };
        let section = self.sections.iter().find(|s| s.unknown == by);
        let unit = section.map_or(Power::ONE, |s| s.unit);
        Move {
            by,
            power: unit.times(1.0, qdot, vdot),
            bent: by == Unknown::Motion && qdot > 0,
        }
    }

    /// Index of the unknown of a kind for an entry: a coordinate, a constraint row or a state.
    pub fn column(&self, unknown: Unknown, entry: u32) -> Option<u32> {
        self.index(entry, |s| s.unknown == unknown)
    }

    /// The same of a row.
    pub fn row(&self, equation: Equation, entry: u32) -> Option<u32> {
        self.index(entry, |s| s.equation == equation)
    }

    fn index(&self, entry: u32, of: impl Fn(&Section) -> bool) -> Option<u32> {
        self.sections.iter().filter(|s| of(s)).find_map(|s| {
            let entry = match s.unknown {
                Unknown::Multiplier | Unknown::Stabiliser => self.kept(entry)?,
                _ => entry as usize,
            };
            let own = s.entries.contains(&entry);
            own.then(|| (s.range.start + entry - s.entries.start) as u32)
        })
    }

    pub fn kept(&self, row: u32) -> Option<usize> {
        match self.kept_index[row as usize] {
            u32::MAX => None,
            k => Some(k as usize),
        }
    }

    /// The unknown with the given index; an auxiliary one is told by its owner.
    pub fn unknown(&self, index: usize) -> Row {
        let Some(s) = self.sections.iter().find(|s| s.range.contains(&index)) else {
            let own = index - self.size();
            return Row::Velocity(self.auxiliary.get(own).copied().unwrap_or(0) as usize);
        };
        let entry = index - s.range.start + s.entries.start;
        match s.unknown {
            Unknown::Motion | Unknown::Position => Row::Position(entry),
            Unknown::Velocity => Row::Velocity(entry),
            Unknown::Multiplier | Unknown::Stabiliser => Row::Constraint(self.keep[entry] as usize),
            Unknown::State => Row::State(entry),
        }
    }

    /// Which of `n` unknowns share their neighbours: position and velocity of a coordinate, the two
    /// multipliers of a constraint.
    pub fn groups(&self, n: usize) -> Vec<u32> {
        if self.follows {
            return Vec::new();
        }
        let mut groups: Vec<u32> = (0..n as u32).collect();
        for s in &self.sections {
            let first = match s.unknown {
                Unknown::State => continue,
                Unknown::Multiplier | Unknown::Stabiliser => self.dims.nv,
                _ => 0,
            };
            for (group, entry) in groups[s.range.clone()].iter_mut().zip(s.entries.clone()) {
                *group = (first + entry) as u32;
            }
        }
        groups
    }
}
