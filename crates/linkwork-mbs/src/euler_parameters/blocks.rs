//! How entries of the blocks of the assembly reach the blocks in Euler parameters.

use super::operators::{Operators, Wide};
use linkwork_dae::rotation::Quaternion;
use linkwork_dae::system::{BlockPatterns, Blocks, Dims, Part, Parts};
use std::collections::BTreeMap;

/// A row or column of a block of the assembly.
#[derive(Clone, Copy, Debug)]
enum Side {
    /// Stays one row or column, here with its new number.
    Plain(u32),
    /// One of the three of a rotation; becomes four from the given number on.
    Turn { k: usize, axis: usize, first: u32 },
}

/// What the columns of a rotation are multiplied by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    /// `P`.
    Tangent,
    /// `W`.
    Rate,
    /// `A`.
    Second,
    /// `b_v`.
    Bias,
}

impl By {
    fn of(self, o: &Operators) -> &Wide {
        match self {
            By::Tangent => &o.b,
            By::Rate => &o.w,
            By::Second => &o.a,
            By::Bias => &o.bias_v,
        }
    }
}

/// One entry of a block of the assembly and its one, four or sixteen places in a block here.
#[derive(Debug)]
struct Job {
    from: usize,
    row: Side,
    column: Side,
    by: By,
    /// First of its places in the list.
    places: usize,
}

/// A block here, from a block of the assembly.
#[derive(Debug)]
struct Flow {
    to: Part,
    from: Part,
    jobs: Vec<Job>,
}

/// All of them, and the entries that rotations add themselves.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    flows: Vec<Flow>,
    places: Vec<u32>,
    /// Places in K of the 4 x 4 entries of each rotation.
    pub turning: Vec<[u32; 16]>,
    /// Places of the rows of the norms in `C_q` and its rate.
    pub norm: Vec<[u32; 4]>,
    pub norm_rate: Vec<[u32; 4]>,
}

/// What each block is made of.
const FLOWS: [(Part, Part, By); 15] = [
    (Part::Mass, Part::Mass, By::Tangent),
    (Part::Cq, Part::Cq, By::Tangent),
    (Part::CVq, Part::CVq, By::Tangent),
    (Part::CVq, Part::Cq, By::Rate),
    (Part::Rq, Part::Rq, By::Tangent),
    (Part::Rq, Part::Rv, By::Rate),
    (Part::Rq, Part::Mass, By::Second),
    (Part::Rv, Part::Rv, By::Tangent),
    (Part::Rv, Part::Mass, By::Bias),
    (Part::Rx, Part::Rx, By::Tangent),
    (Part::Rl, Part::Rl, By::Tangent),
    (Part::Fq, Part::Fq, By::Tangent),
    (Part::Fq, Part::Fv, By::Rate),
    (Part::Fv, Part::Fv, By::Tangent),
    (Part::Fx, Part::Fx, By::Tangent),
];

/// The blocks of the assembly that some blocks here are made of.
pub(super) fn needed(parts: Parts) -> Parts {
    let flows = FLOWS.iter().filter(|(to, ..)| parts.has(*to));
    flows.fold(Parts::NONE, |all, (_, from, _)| all | *from)
}

impl Jobs {
    pub fn new(
        inner: &BlockPatterns,
        dims: Dims,
        rotations: &[(usize, Quaternion)],
    ) -> (Jobs, BlockPatterns) {
        let count = rotations.len() as u32;
        let velocity = |i: u32| {
            let i = i as usize;
            let k = rotations.iter().position(|(f, _)| (*f..f + 3).contains(&i));
            match k {
                Some(k) => Side::Turn {
                    k,
                    axis: i - rotations[k].0,
                    first: (rotations[k].0 + k) as u32,
                },
                None => {
                    let before = rotations.iter().filter(|(f, _)| *f < i).count();
                    Side::Plain((i + before) as u32)
                }
            }
        };
        let constraint = |i: u32| {
            let moved = if (i as usize) < dims.nc { 0 } else { count };
            Side::Plain(i + moved)
        };
        let sides = |part: Part, (i, j): (u32, u32)| match part {
            Part::Mass | Part::Rq | Part::Rv => (velocity(i), velocity(j)),
            Part::Cq | Part::CVq => (constraint(i), velocity(j)),
            Part::Rx => (velocity(i), Side::Plain(j)),
            Part::Rl => (velocity(i), constraint(j)),
            Part::Fq | Part::Fv => (Side::Plain(i), velocity(j)),
            Part::Fx => (Side::Plain(i), Side::Plain(j)),
        };
        let mut maps: [BTreeMap<(u32, u32), u32>; Part::COUNT] = Default::default();
        let mut place = |part: Part, entry: (u32, u32)| {
            let map = &mut maps[part as usize];
            let next = map.len() as u32;
            *map.entry(entry).or_insert(next)
        };
        let mut all = Jobs::default();
        for (to, from, by) in FLOWS {
            let mut flow = Flow {
                to,
                from,
                jobs: Vec::new(),
            };
            for (index, entry) in inner[from].iter().enumerate() {
                let (row, column) = sides(from, *entry);
                if by != By::Tangent && matches!(column, Side::Plain(_)) {
                    continue;
                }
                let places = all.places.len();
                for i in spread(row) {
                    for j in spread(column) {
                        all.places.push(place(to, (i, j)));
                    }
                }
                flow.jobs.push(Job {
                    from: index,
                    row,
                    column,
                    by,
                    places,
                });
            }
            all.flows.push(flow);
        }
        for (k, (first, _)) in rotations.iter().enumerate() {
            let e = (first + k) as u32;
            let row = (dims.nc + k) as u32;
            let mut turning = [0; 16];
            for (n, turning) in turning.iter_mut().enumerate() {
                let n = n as u32;
                *turning = place(Part::Rq, (e + n / 4, e + n % 4));
            }
            all.turning.push(turning);
            let mut norm = |part: Part| [0, 1, 2, 3].map(|j| place(part, (row, e + j)));
            all.norm.push(norm(Part::Cq));
            all.norm_rate.push(norm(Part::CVq));
        }
        let mut patterns = BlockPatterns::default();
        for part in Part::ALL {
            let map = &maps[part as usize];
            let mut list = vec![(0, 0); map.len()];
            for (entry, place) in map {
                list[*place as usize] = *entry;
            }
            patterns[part] = list;
        }
        (all, patterns)
    }

    /// Fills the blocks in `parts`, but for what rotations add themselves.
    pub fn fill(&self, operators: &[Operators], from: &Blocks, parts: Parts, out: &mut Blocks) {
        for part in Part::ALL {
            if parts.has(part) {
                out[part].fill(0.0);
            }
        }
        for flow in self.flows.iter().filter(|f| parts.has(f.to)) {
            self.run(flow, operators, &from[flow.from], &mut out[flow.to]);
        }
    }

    /// Fills one block whose values of the assembly are a plain list.
    pub fn fill_one(&self, part: Part, operators: &[Operators], from: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for flow in &self.flows {
            if flow.to == part && flow.from == part {
                self.run(flow, operators, from, out);
            }
        }
    }

    fn run(&self, flow: &Flow, operators: &[Operators], from: &[f64], out: &mut [f64]) {
        const ONE: [f64; 4] = [1.0; 4];
        for job in &flow.jobs {
            let x = from[job.from];
            let (rows, of_row) = match job.row {
                Side::Plain(_) => (1, ONE),
                Side::Turn { k, axis, .. } => (4, operators[k].b[axis]),
            };
            let (columns, of_column) = match job.column {
                Side::Plain(_) => (1, ONE),
                Side::Turn { k, axis, .. } => (4, job.by.of(&operators[k])[axis]),
            };
            let places = &self.places[job.places..job.places + rows * columns];
            for (places, row) in places.chunks_exact(columns).zip(of_row) {
                for (place, column) in places.iter().zip(of_column) {
                    out[*place as usize] += row * x * column;
                }
            }
        }
    }
}

fn spread(side: Side) -> std::ops::Range<u32> {
    match side {
        Side::Plain(i) => i..i + 1,
        Side::Turn { first, .. } => first..first + 4,
    }
}
