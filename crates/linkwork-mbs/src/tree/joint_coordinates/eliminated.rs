//! Blocks of entries from relations: own unknowns of the augmented problem are eliminated.
//!
//! Own rows are triangular, `w_k = -(sum of entries)`, so that each own unknown is a sum over increments `d`, `y` of the coordinates and
//! over states, at powers of `s1` and `s2`; put into the rows of the formulation they give the blocks, one for each kind of increment and
//! power:
//!
//! ```text
//!  rows of motion         y: M      y/s2: D      d/(s1 s2): K      x/(s1 s2): r_x
//!  rows of constraints    d/s1: (C_q v)_q            states        d: f_q      s1 y: f_v
//! ```
//!
//! Which products that takes is found once; they are as many as entries of full blocks, for whoever reads these.

use super::augmented::Augmented;
use linkwork_dae::auxiliary::Place;
use linkwork_dae::system::{BlockPatterns, Dims, Part};
use std::collections::BTreeMap;

/// What a term of a sum is: kind and number of the increment, powers of `s1` and `s2`.
type Term = (u8, u32, i8, i8);

const POSITION: u8 = 0;
const VELOCITY: u8 = 1;
const STATE: u8 = 2;

/// Entries of a block, (row, column), and where their values are.
type Placed = Vec<((u32, u32), u32)>;

/// `values[to] += factor * generator * values[from]`; what is missing is one.
#[derive(Clone, Copy, Debug)]
struct Product {
    to: u32,
    from: Option<u32>,
    generator: Option<u32>,
    factor: f64,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Eliminated {
    products: Vec<Product>,
    values: Vec<f64>,
    generators: Vec<f64>,
    /// By the numbers of the blocks.
    blocks: BTreeMap<u16, Placed>,
}

/// The block that a term of a row belongs to, and its row; none where it is told otherwise or not at all.
fn block(row: Place, term: Term) -> Option<(Part, u32)> {
    let (kind, _, qdot, vdot) = term;
    match (row, kind, qdot, vdot) {
        (Place::Velocity(i), VELOCITY, 0, 0) => Some((Part::Mass, i)),
        (Place::Velocity(i), VELOCITY, 0, -1) => Some((Part::Rv, i)),
        (Place::Velocity(i), POSITION, -1, -1) => Some((Part::Rq, i)),
        (Place::Velocity(i), STATE, -1, -1) => Some((Part::Rx, i)),
        (Place::Constraint(i), POSITION, -1, 0) => Some((Part::CVq, i)),
        (Place::State(i), POSITION, 0, 0) => Some((Part::Fq, i)),
        (Place::State(i), VELOCITY, 1, 0) => Some((Part::Fv, i)),
        _ => None,
    }
}

impl Eliminated {
    pub fn new(augmented: &Augmented, dims: Dims) -> Eliminated {
        let auxiliary = &augmented.auxiliary;
        let mut all = Eliminated {
            generators: vec![0.0; augmented.generators],
            ..Eliminated::default()
        };
        let mut own: Vec<BTreeMap<Term, u32>> = vec![BTreeMap::new(); auxiliary.owner.len()];
        let mut entries: Vec<usize> = (0..auxiliary.entries.len()).collect();
        let order = |row: Place| match row {
            Place::Own(k) => k,
            _ => u32::MAX,
        };
        entries.sort_by_key(|n| order(auxiliary.entries[*n].row));
        let mut placed: BTreeMap<(u16, u32, u32), u32> = BTreeMap::new();
        for entry in entries.into_iter().map(|n| &auxiliary.entries[n]) {
            let one = |kind: u8, k: u32| vec![((kind, k, 0, 0), None)];
            let terms: Vec<(Term, Option<u32>)> = match entry.column {
                Place::Position(k) => one(POSITION, k),
                Place::Velocity(k) => one(VELOCITY, k),
                Place::State(k) => one(STATE, k),
                Place::Own(k) => own[k as usize]
                    .iter()
                    .map(|(t, at)| (*t, Some(*at)))
                    .collect(),
                Place::Constraint(_) | Place::Closure(_) => continue,
            };
            for ((kind, k, qdot, vdot), from) in terms {
                let term = (kind, k, qdot + entry.qdot, vdot + entry.vdot);
                let next = all.values.len() as u32;
                let (to, sign) = match entry.row {
                    Place::Own(row) => (*own[row as usize].entry(term).or_insert(next), -1.0),
                    row => {
                        let Some((part, i)) = block(row, term) else {
                            continue;
                        };
                        let at = (part as u16, i, k);
                        (*placed.entry(at).or_insert(next), 1.0)
                    }
                };
                if to == next {
                    all.values.push(0.0);
                }
                all.products.push(Product {
                    to,
                    from,
                    generator: entry.value,
                    factor: sign * entry.factor,
                });
            }
        }
        // the diagonal of M is read whether or not anything is there
        for i in 0..dims.nv as u32 {
            let next = all.values.len() as u32;
            let at = *placed.entry((Part::Mass as u16, i, i)).or_insert(next);
            if at == next {
                all.values.push(0.0);
            }
        }
        for ((part, i, j), at) in placed {
            let list = all.blocks.entry(part).or_default();
            list.push(((i, j), at));
        }
        all
    }

    /// Patterns with these blocks.
    pub fn patterns(&self, mut others: BlockPatterns) -> BlockPatterns {
        others.generators = 0;
        for part in Part::ALL {
            if let Some(list) = self.blocks.get(&(part as u16)) {
                others[part] = list.iter().map(|(entry, _)| *entry).collect();
            }
        }
        others
    }

    /// The numbers of the relations.
    pub fn generators_mut(&mut self) -> &mut [f64] {
        &mut self.generators
    }

    /// Renews all values.
    pub fn run(&mut self) {
        self.values.fill(0.0);
        for product in &self.products {
            let from = product.from.map_or(1.0, |at| self.values[at as usize]);
            let generator = product
                .generator
                .map_or(1.0, |n| self.generators[n as usize]);
            self.values[product.to as usize] += product.factor * generator * from;
        }
    }

    /// Writes a block that is among them.
    pub fn fill(&self, part: Part, out: &mut [f64]) {
        let list = self.blocks.get(&(part as u16)).into_iter().flatten();
        for (out, (_, at)) in out.iter_mut().zip(list) {
            *out = self.values[*at as usize];
        }
    }
}
