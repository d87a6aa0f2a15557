//! The chain rule: from equations along frames to equations along the coordinates of carriers.
//!
//! A tilde marks what the elements give along frames; `J`, `b`, `W`, `A` are those of
//! [`FrameMap`](crate::carrier::FrameMap), and one everywhere for bodies that are reached by selection.
//!
//! ```text
//!  r = J' r~                       gamma = gamma~ - C~_q b      Q = J' (Q~ - M~ b)     M = J' M~ J
//!  C_q = C~_q J                    cv_q = cv~_q J + C~_q W      f_q = f~_q J + f~_v W
//!  K = J' (K~ J + D~ W + M~ A) + (J' r~)_q                      D = J' (D~ J + M~ b_v)
//! ```
//!
//! Frames behind maps have the last coordinates among the frames, and their carriers the last among all:
//! what comes before stays where it is. Each entry of a block goes to as many places as its row and column
//! reach; which, is found once.

use crate::assemble::Plan;
use crate::carrier::{FrameMap, OwnPattern, OwnTerms, Reach};
use linkwork_dae::system::{BlockPatterns, Dims, Part, Parts};
use std::collections::BTreeMap;
use std::ops::Range;

/// A row or column of a block along frames.
#[derive(Clone, Debug)]
enum Side {
    /// Stays one, with the number that it has here.
    Plain(u32),
    /// A freedom of a frame behind a map: where its columns are among the entries of the map, and
    /// where here.
    Mapped {
        map: usize,
        entries: Range<usize>,
        first: u32,
        constant: bool,
    },
}

impl Side {
    /// How many rows or columns it becomes.
    fn places(&self) -> Range<u32> {
        match self {
            Side::Plain(i) => *i..i + 1,
            Side::Mapped { entries, first, .. } => *first..first + entries.len() as u32,
        }
    }

    fn is_constant(&self) -> bool {
        match self {
            Side::Plain(_) => true,
            Side::Mapped { constant, .. } => *constant,
        }
    }
}

/// What columns are multiplied by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Tangent,
    Rate,
    Second,
    Bias,
}

impl By {
    fn of(self, map: &FrameMap) -> &[f64] {
        match self {
            By::Tangent => &map.j,
            By::Rate => &map.w,
            By::Second => &map.a,
            By::Bias => &map.bias_v,
        }
    }
}

/// One entry of a block along frames, and the first of its places here in the list.
#[derive(Debug)]
struct Pulled {
    from: usize,
    row: Side,
    column: Side,
    places: usize,
}

/// What a block is made of: a block along frames, times an operator.
#[derive(Debug)]
struct OperatorProduct {
    to: Part,
    from: Part,
    by: By,
    jobs: Vec<Pulled>,
}

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

/// The blocks along frames that some blocks here are made of.
pub(super) fn needed(parts: Parts) -> Parts {
    let flows = FLOWS.iter().filter(|(to, ..)| parts.has(*to));
    flows.fold(Parts::NONE, |all, (_, from, _)| all | *from)
}

/// Blocks to which carriers add entries of their own.
const OWN: [Part; 5] = [Part::Mass, Part::Rq, Part::Rv, Part::Cq, Part::CVq];

fn entries(of: &OwnPattern, part: Part) -> &[(usize, usize)] {
    match part {
        Part::Mass => &of.mass,
        Part::Rq => &of.r_q,
        Part::Rv => &of.r_v,
        _ => &of.c_q,
    }
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct PullBack {
    /// Sizes of the system.
    pub dims: Dims,
    pub patterns: BlockPatterns,
    flows: Vec<OperatorProduct>,
    places: Vec<u32>,
    /// Places in K of the bend of each map.
    bends: Vec<Vec<u32>>,
    /// Entries that carriers add: block, carrier, entry there, place here.
    own: Vec<(Part, usize, usize, u32)>,
}

/// Numbers the entries of the blocks as they come.
#[derive(Default)]
struct PlaceNumbers {
    maps: [BTreeMap<(u32, u32), u32>; Part::COUNT],
}

impl PlaceNumbers {
    fn of(&mut self, part: Part, entry: (u32, u32)) -> u32 {
        let map = &mut self.maps[part as usize];
        let next = map.len() as u32;
        *map.entry(entry).or_insert(next)
    }

    fn patterns(&self) -> BlockPatterns {
        let mut patterns = BlockPatterns::default();
        for part in Part::ALL {
            let map = &self.maps[part as usize];
            let mut list = vec![(0, 0); map.len()];
            for (entry, place) in map {
                list[*place as usize] = *entry;
            }
            patterns[part] = list;
        }
        patterns
    }
}

impl PullBack {
    /// For a numbered model; `None` where no body is behind a map.
    pub(crate) fn new(plan: &Plan) -> Option<PullBack> {
        let last = plan.carriers.last()?;
        let inner = plan.dims;
        let rows: usize = plan.carriers.iter().map(|c| c.rows.len()).sum();
        let nv = last.coordinates.end;
        let mut all = PullBack {
            dims: Dims {
                nq: nv,
                nv,
                nc: inner.nc + rows,
                ..inner
            },
            patterns: BlockPatterns::default(),
            flows: Vec::new(),
            places: Vec::new(),
            bends: Vec::new(),
            own: Vec::new(),
        };
        let sides = mapped_sides(plan);
        let mut places = PlaceNumbers::default();
        for (to, from, by) in FLOWS {
            let jobs = all.jobs(plan, &sides, (to, from, by), &mut places);
            all.flows.push(OperatorProduct { to, from, by, jobs });
        }
        for (k, c) in plan.carriers.iter().enumerate() {
            let first = c.coordinates.start;
            let here = |i: usize| (first + i) as u32;
            for frame in 0..c.frames.len() {
                let bent = c.carrier.bent(frame);
                let square = bent.clone().flat_map(|i| bent.clone().map(move |j| (i, j)));
                let square = square.map(|(i, j)| places.of(Part::Rq, (here(i), here(j))));
                all.bends.push(square.collect());
            }
            let pattern = c.carrier.own_pattern();
            for part in OWN {
                let of_equation = matches!(part, Part::Cq | Part::CVq);
                for &(i, j) in entries(&pattern, part) {
                    let row = if of_equation {
                        (c.rows.start + i) as u32
                    } else {
                        here(i)
                    };
                    let place = places.of(part, (row, here(j)));
                    let entry = i * c.coordinates.len() + j;
                    all.own.push((part, k, entry, place));
                }
            }
        }
        all.patterns = places.patterns();
        Some(all)
    }

    fn jobs(
        &mut self,
        plan: &Plan,
        mapped: &[Side],
        (to, from, by): (Part, Part, By),
        places: &mut PlaceNumbers,
    ) -> Vec<Pulled> {
        let plain = plan.plain_coordinates();
        let velocity = |i: u32| match (i as usize).checked_sub(plain) {
            None => Side::Plain(i),
            Some(i) => mapped[i].clone(),
        };
        let more = (self.dims.nc - plan.dims.nc) as u32;
        let constraint = |i: u32| {
            let moved = if (i as usize) < plan.dims.nc { 0 } else { more };
            Side::Plain(i + moved)
        };
        let sides = |(i, j): (u32, u32)| match from {
            Part::Mass | Part::Rq | Part::Rv => (velocity(i), velocity(j)),
            Part::Cq | Part::CVq => (constraint(i), velocity(j)),
            Part::Rx => (velocity(i), Side::Plain(j)),
            Part::Rl => (velocity(i), constraint(j)),
            Part::Fq | Part::Fv => (Side::Plain(i), velocity(j)),
            Part::Fx => (Side::Plain(i), Side::Plain(j)),
        };
        let mut jobs = Vec::new();
        for (index, entry) in plan.patterns[from].iter().enumerate() {
            let (row, column) = sides(*entry);
            if by != By::Tangent && column.is_constant() {
                continue;
            }
            let first = self.places.len();
            for i in row.places() {
                let places = column.places().map(|j| places.of(to, (i, j)));
                self.places.extend(places);
            }
            jobs.push(Pulled {
                from: index,
                row,
                column,
                places: first,
            });
        }
        jobs
    }

    /// Fills a block from those along frames.
    pub(super) fn fill<'a>(
        &self,
        part: Part,
        maps: &[FrameMap],
        from: impl Fn(Part) -> &'a [f64],
        own: &[OwnTerms],
        out: &mut [f64],
    ) {
        out.fill(0.0);
        for flow in self.flows.iter().filter(|f| f.to == part) {
            let from = from(flow.from);
            for job in &flow.jobs {
                let x = from[job.from];
                let row = coefficients(&job.row, By::Tangent, maps);
                let column = coefficients(&job.column, flow.by, maps);
                let places = &self.places[job.places..job.places + row.len() * column.len()];
                for (places, row) in places.chunks_exact(column.len()).zip(row) {
                    let x = row * x;
                    for (place, column) in places.iter().zip(column) {
                        out[*place as usize] += x * column;
                    }
                }
            }
        }
        for (_, k, entry, place) in self.own.iter().filter(|(to, ..)| *to == part) {
            out[*place as usize] += own[*k].block(part)[*entry];
        }
    }

    /// Adds the bend of a map to K.
    pub(super) fn add_bend(&self, map: usize, bend: &[f64], k: &mut [f64]) {
        for (place, x) in self.bends[map].iter().zip(bend) {
            k[*place as usize] += x;
        }
    }

    /// Entries of the bend of a map.
    pub(super) fn bend_size(&self, map: usize) -> usize {
        self.bends[map].len()
    }
}

fn coefficients<'a>(side: &Side, by: By, maps: &'a [FrameMap]) -> &'a [f64] {
    match side {
        Side::Plain(_) => &[1.0],
        Side::Mapped { map, entries, .. } => &by.of(&maps[*map])[entries.clone()],
    }
}

/// The freedoms of every frame behind a map.
fn mapped_sides(plan: &Plan) -> Vec<Side> {
    let mut sides = Vec::new();
    let mut map = 0;
    for c in &plan.carriers {
        let count = c.coordinates.len();
        for frame in 0..c.frames.len() {
            let reach = c.carrier.reach(frame);
            sides.extend(c.carrier.freedoms().iter().map(|freedom| {
                let Reach { columns, constant } = &reach[*freedom];
                let at = freedom * count;
                Side::Mapped {
                    map,
                    first: (c.coordinates.start + columns.start) as u32,
                    entries: at + columns.start..at + columns.end,
                    constant: *constant,
                }
            }));
            map += 1;
        }
    }
    sides
}
