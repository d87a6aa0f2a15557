//! The derivative blocks of a system: which there are, where their entries are, their values.

use super::Dims;
use crate::memory::Memory;
use std::ops::{BitOr, Index, IndexMut};

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
    /// [`Facts::auxiliary`](super::Facts::auxiliary); 0 for most systems.
    pub generators: usize,
    /// Whether [`Part::Rl`] is all of the derivative of the force rows by the multipliers, and not
    /// what they have beside `C_q'`: the case of force rows that are divided by the mass matrix, see
    /// [`System::stage_form`](super::System::stage_form). It is then a block that costs little, as `C_q` does.
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

    /// Values of auxiliary equations, see [`Facts::auxiliary`](super::Facts::auxiliary).
    pub fn generators(&self) -> &[f64] {
        &self.generators
    }

    /// The same, to be filled by [`System::linearise`](super::System::linearise) together with [`Part::Rq`] and [`Part::Rv`].
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
