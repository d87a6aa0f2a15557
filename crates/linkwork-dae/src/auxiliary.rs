//! Equations with unknowns of their own: derivatives that are full, yet made of few local numbers.
//!
//! In joint coordinates every body moves with all the joints on its way to the ground, so that the
//! derivatives of a long chain are full. The relations behind them are local: a displacement is that
//! of the parent and of one joint, a force is that of a body and of what it carries. A system may
//! hand over these relations instead of the blocks `M`, `D`, `K`, `(C_q v)_q`, `-Q_x`, `f_q`, `f_v`:
//! as equations in its own *auxiliary* unknowns `w`, which are part of the linear problem only,
//!
//! ```text
//!  w_k + sum over entries = 0       entries of lower own unknowns, of d, y, lambda, xi and x
//! ```
//!
//! and as entries of `w` in the rows of the formulation. Own rows are triangular with ones on the
//! diagonal: they can always be solved, and the matrix without them is the Schur complement. A sparse
//! solver eliminates both in whatever order is cheap (the sparse tableau of circuit simulation,
//! Hachtel, Brayton & Gustavson 1971; for multibody systems Orlandea, Chace & Calahan 1977).
//!
//! Units are those of the [formulation](crate::formulation): `d` of positions, `y = dv/s1`,
//! `lambda/(s1 s2)`. The stored pattern of `C_q` stays, because projections, filters and start values
//! multiply with it; so does `f_x`.

mod product;
mod selection;

pub(crate) use product::Products;
pub(crate) use selection::Selection;

/// A row or a column of a linear problem, whatever the formulation makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Column: increment `y` of a velocity. Row: equation of motion, in units of `M y`.
    Velocity(u32),
    /// Column: increment `d` of a position. Row: `q' = v`, where a formulation has it.
    Position(u32),
    /// Column: multiplier of a constraint. Row: the constraint at the velocity level.
    Constraint(u32),
    /// Column: multiplier of `q' = v`, where a formulation has it. Row: the constraint at the position
    /// level.
    Closure(u32),
    /// Column: increment of a first-order state. Row: its equation, `f` alone.
    State(u32),
    /// Own unknown and its equation.
    Own(u32),
}

/// An entry: a value times `factor s1^qdot s2^vdot`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Where it stands.
    pub row: Place,
    /// What it multiplies.
    pub column: Place,
    /// Its value among the generators of the blocks; `None` for 1, then without powers.
    pub value: Option<u32>,
    /// A constant that the value is multiplied with.
    pub factor: f64,
    /// Power of `s1`.
    pub qdot: i8,
    /// Power of `s2`. Entries without powers are those of the acceleration level.
    pub vdot: i8,
}

/// Auxiliary unknowns of a system and their equations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Auxiliary {
    /// The velocity that each own unknown is told by, where it has to be named.
    pub owner: Vec<u32>,
    /// All entries but the ones on the diagonal of own rows.
    pub entries: Vec<Entry>,
    /// An order of elimination with pivots on the diagonal; columns that are not in it come last.
    pub order: Vec<Place>,
    /// Number of leading generators that entries without powers refer to.
    pub base: usize,
    /// Typical inertia, in units of energy over squared velocity at the scale of the coordinates.
    pub inertia: f64,
}
