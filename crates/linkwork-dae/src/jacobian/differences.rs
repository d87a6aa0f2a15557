//! Blocks by one-sided differences, one column or one group of columns at a time.
//!
//! `M` and `C_q` are terms of the system and never differenced; the columns of the multipliers are
//! `C_q'` itself or made of the two, and are differenced only where forces follow reactions. What remains are the columns of `r_q`, `r_v`, `r_x`, `(C_q v + C_t)_q`, `f_q`,
//! `f_v` and `f_x`. In a line with the moved variables `y = (q, v, x)` and the values
//! `F = (r, C_q v + C_t, f)`:
//!
//! ```text
//!  column j       (F(y + delta_j e_j) - F(y)) / delta_j,   delta = sqrt(eps) max(|y_j|, typical size)
//!  group g        F(y + sum_{j in g} delta_j e_j) - F(y):  row i belongs to the one column of the
//!                 group that it depends on                 (Curtis, Powell & Reid 1974)
//! ```
//!
//! On a chart positions move along the tangent. The typical size keeps a coordinate that passes through zero from drowning in rounding
//! (Brenan, Campbell & Petzold 1996, 5.4.1, with the error weights for the same purpose); increments
//! are exactly representable. They do not depend on the grouping, so with a pattern that holds every
//! dependence the blocks are those of single columns to the last bit. An entry that the pattern
//! lacks is not lost: it is added to another column of its group.

mod measure;

use super::groups::Groups;
use crate::state::{State, Weights};
use crate::system::{At, BlockPatterns, Blocks, Dims, EvalError, Part, Parts, System, Terms};

/// Blocks that are differenced, by the variable that is moved.
const BY_Q: [Part; 3] = [Part::Rq, Part::CVq, Part::Fq];
const BY_V: [Part; 2] = [Part::Rv, Part::Fv];
const BY_X: [Part; 2] = [Part::Rx, Part::Fx];

/// Perturbed states that an estimated pattern is the union of, beside the state itself.
pub const PERTURBED_STATES: u32 = 2;
/// Their distance, relative to the size of a variable.
const DISTANCE: f64 = 1e-2;

/// An entry of a block, sorted by the variable that is moved. Entries of `C_q` are dependences of
/// `C_q v + C_t` on `v`: columns must not share them, but they are not differenced.
#[derive(Clone, Copy, Debug)]
struct Entry {
    part: Part,
    /// Index in the block.
    index: u32,
    /// Index in `C_q` of what the same row and multiplier have in common beside `r_lambda`.
    reaction: u32,
}

const NONE: u32 = u32::MAX;

impl Entry {
    fn new(part: Part, index: u32) -> Entry {
        Entry {
            part,
            index,
            reaction: NONE,
        }
    }

    /// The entry of a block from its difference quotient.
    fn write(self, quotient: f64, out: &mut Blocks) {
        if self.part == Part::Cq {
            return;
        }
        let c_q = out[Part::Cq].get(self.reaction as usize).copied();
        out[self.part][self.index as usize] = quotient - c_q.unwrap_or(0.0);
    }
}

/// Differences of a system; see the [module](self).
#[derive(Default)]
pub struct Differences {
    dims: Dims,
    /// Whether force rows are divided by the mass matrix.
    divided: bool,
    parts: Parts,
    entries: Vec<Entry>,
    /// Row of each entry, and where the entries of each variable begin.
    row: Vec<u32>,
    start: Vec<u32>,
    groups: Groups,
    /// The point that is moved.
    q: Vec<f64>,
    /// A step along the tangent, on a chart.
    step: Vec<f64>,
    v: Vec<f64>,
    x: Vec<f64>,
    lambda: Vec<f64>,
    delta: Vec<f64>,
    base: Vec<f64>,
    moved: Vec<f64>,
    beside: State,
}

/// An increment of the wanted size that is exactly representable at `x`.
fn increment(x: f64, direction: f64, size: f64) -> f64 {
    let delta = f64::EPSILON.sqrt() * x.abs().max(size);
    let moved = x + delta.copysign(direction);
    moved - x
}

/// Whether multipliers are moved too: where forces follow reactions, unless their whole block is a
/// term of the system.
fn differences_reactions(p: &BlockPatterns, needed: Parts) -> bool {
    needed.has(Part::Rl) && !p[Part::Rl].is_empty() && !p.whole_r_l
}

/// Number of variables that have to be moved one by one for the blocks in `needed`.
pub fn columns(sys: &dyn System, needed: Parts) -> u32 {
    let Dims { nv, nx, .. } = sys.dims();
    let p = sys.patterns();
    if p.generators > 0 {
        // everything depends on everything, and no pattern says so
        return (2 * nv + nx) as u32;
    }
    let mut moved = vec![false; 2 * nv + nx + sys.dims().rows()];
    let by = [(&BY_Q[..], 0), (&BY_V[..], nv), (&BY_X[..], 2 * nv)];
    for (blocks, first) in by {
        for &part in blocks.iter().filter(|part| needed.has(**part)) {
            for &(_, j) in &p[part] {
                moved[first + j as usize] = true;
            }
        }
    }
    if needed.has(Part::CVq) {
        for &(_, j) in &p[Part::Cq] {
            moved[nv + j as usize] = true;
        }
    }
    if differences_reactions(p, needed) {
        let (rl, c_q) = (p[Part::Rl].iter(), p[Part::Cq].iter());
        for k in rl.map(|e| e.1).chain(c_q.map(|e| e.0)) {
            moved[2 * nv + nx + k as usize] = true;
        }
    }
    moved.iter().filter(|m| **m).count() as u32
}

impl Differences {
    /// Allocates for a system; only blocks in `needed` are ever differenced.
    pub fn new(sys: &dyn System, needed: Parts) -> Differences {
        let dims = sys.dims();
        let p = sys.patterns();
        let Dims { nv, nx, .. } = dims;
        let (cv, f) = (nv as u32, (nv + dims.rows()) as u32);
        let mut parts = Parts::NONE;
        let mut list: Vec<(u32, u32, Entry)> = Vec::new();
        let by = [(&BY_Q[..], 0), (&BY_V[..], nv), (&BY_X[..], 2 * nv)];
        for (blocks, first) in by {
            for &part in blocks.iter().filter(|part| needed.has(**part)) {
                parts = parts | part;
                let below = match part {
                    Part::CVq => cv,
                    Part::Fq | Part::Fv | Part::Fx => f,
                    _ => 0,
                };
                for (index, &(i, j)) in (0..).zip(&p[part]) {
                    let entry = Entry::new(part, index);
                    list.push((first as u32 + j, below + i, entry));
                }
            }
        }
        if parts.has(Part::CVq) {
            for (index, &(i, j)) in (0..).zip(&p[Part::Cq]) {
                list.push((nv as u32 + j, cv + i, Entry::new(Part::Cq, index)));
            }
        }
        if differences_reactions(p, needed) {
            parts = parts | Part::Rl;
            let first = (2 * nv + nx) as u32;
            let mut both: Vec<(u32, u32, Entry)> = (0..)
                .zip(&p[Part::Rl])
                .map(|(index, &(i, k))| (first + k, i, Entry::new(Part::Rl, index)))
                .collect();
            for (index, &(k, i)) in (0..).zip(&p[Part::Cq]) {
                match both.iter_mut().find(|e| (e.0, e.1) == (first + k, i)) {
                    Some(entry) => entry.2.reaction = index,
                    None => list.push((first + k, i, Entry::new(Part::Cq, index))),
                }
            }
            list.extend(both);
        }
        list.sort_unstable_by_key(|e| (e.0, e.1));
        let variables = 2 * nv + nx + dims.rows();
        let values = nv + dims.rows() + nx;
        let positions: Vec<(u32, u32)> = list.iter().map(|e| (e.1, e.0)).collect();
        let start = |c: u32| list.partition_point(|e| e.0 < c) as u32;
        Differences {
            dims,
            divided: p.whole_r_l,
            parts,
            start: (0..=variables as u32).map(start).collect(),
            groups: Groups::new(values, variables, &positions),
            row: list.iter().map(|e| e.1).collect(),
            entries: list.iter().map(|e| e.2).collect(),
            q: vec![0.0; dims.nq],
            step: vec![0.0; nv],
            v: vec![0.0; nv],
            x: vec![0.0; nx],
            lambda: vec![0.0; dims.rows()],
            delta: vec![0.0; variables],
            base: vec![0.0; values],
            moved: vec![0.0; values],
            beside: State::new(dims),
        }
    }

    /// Blocks that are differenced.
    pub fn parts(&self) -> Parts {
        self.parts
    }

    /// The grouping of the moved variables `(q, v, x)`.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The grouping, to be changed.
    pub fn groups_mut(&mut self) -> &mut Groups {
        &mut self.groups
    }

    /// The declared pattern without the entries of differenced blocks that are not in use.
    pub fn in_use(&self, declared: &BlockPatterns) -> BlockPatterns {
        let mut p = declared.clone();
        for part in BY_Q.into_iter().chain(BY_V).chain(BY_X).chain([Part::Rl]) {
            if self.parts.has(part) {
                p[part].clear();
            }
        }
        for (k, &Entry { part, index, .. }) in self.entries.iter().enumerate() {
            if part != Part::Cq && self.groups.active()[k] {
                p[part].push(declared[part][index as usize]);
            }
        }
        p
    }

    /// Number of variables that have to be moved one by one.
    pub fn columns(&self) -> usize {
        (0..self.delta.len()).filter(|&c| self.moves(c)).count()
    }

    fn moves(&self, c: usize) -> bool {
        self.start[c] < self.start[c + 1]
    }

    /// Makes the point and its values the base of the differences to come; `known` may hold them
    /// already. Returns the evaluations spent.
    fn begin(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        w: &Weights,
        known: &Terms<'_>,
    ) -> Result<u32, EvalError> {
        let Dims { nv, nx, .. } = self.dims;
        self.q.copy_from_slice(at.q);
        self.step.fill(0.0);
        self.v.copy_from_slice(at.v);
        self.x.copy_from_slice(at.x);
        self.lambda.copy_from_slice(at.lambda);
        let largest = at.lambda.iter().fold(1.0f64, |m, l| m.max(l.abs()));
        for (delta, l) in self.delta[2 * nv + nx..].iter_mut().zip(at.lambda) {
            *delta = increment(*l, 1.0, largest);
        }
        for j in 0..nv {
            self.delta[j] = increment(at.q[j], at.v[j], w.scale()[j]);
            self.delta[nv + j] = increment(at.v[j], at.a[j], w.speed(j));
        }
        for j in 0..nx {
            self.delta[2 * nv + j] = increment(at.x[j], 1.0, w.scale_x()[j]);
        }
        let wanted = self.wanted();
        let [r, cv, f] = split(&mut self.base, self.dims);
        let terms = [(r, &known.r), (cv, &known.cv), (f, &known.f)];
        let mut complete = true;
        for ((to, from), wanted) in terms.into_iter().zip(wanted) {
            match from {
                Some(from) if wanted => to.copy_from_slice(from),
                _ => complete &= !wanted,
            }
        }
        if complete {
            return Ok(0);
        }
        evaluate(sys, at, &mut self.base, self.dims, wanted)?;
        Ok(1)
    }

    /// Which of `(r, C_q v + C_t, f)` have derivatives that are differenced.
    fn wanted(&self) -> [bool; 3] {
        let any = |parts: &[Part]| parts.iter().any(|p| self.parts.has(*p));
        [
            any(&[Part::Rq, Part::Rv, Part::Rx, Part::Rl]),
            any(&[Part::CVq]),
            any(&[Part::Fq, Part::Fv, Part::Fx]),
        ]
    }

    /// The one place where a variable is moved; without an increment it goes back. On a chart all
    /// moved positions of a group are one step along the tangent.
    fn put(&mut self, sys: &dyn System, at: &At<'_>, c: usize, delta: f64) {
        let nv = self.dims.nv;
        if c < nv {
            match sys.chart() {
                Some(chart) => {
                    self.step[c] = delta;
                    self.q.copy_from_slice(at.q);
                    if self.step.iter().any(|d| *d != 0.0) {
                        chart.advance(&mut self.q, &self.step);
                    }
                }
                None => self.q[c] = at.q[c] + delta,
            }
        } else if c < 2 * nv {
            self.v[c - nv] = at.v[c - nv] + delta;
        } else if c < 2 * nv + self.dims.nx {
            self.x[c - 2 * nv] = at.x[c - 2 * nv] + delta;
        } else {
            let k = c - 2 * nv - self.dims.nx;
            self.lambda[k] = at.lambda[k] + delta;
        }
    }

    fn evaluate_moved(&mut self, sys: &mut dyn System, at: &At<'_>) -> Result<(), EvalError> {
        let at = At {
            q: &self.q,
            v: &self.v,
            x: &self.x,
            lambda: &self.lambda,
            ..*at
        };
        let wanted = self.wanted();
        evaluate(sys, &at, &mut self.moved, self.dims, wanted)
    }

    /// Column by column: every declared entry. Entries that differ from the base join the pattern
    /// when `learn` is set. Returns the evaluations spent and the entries that joined.
    pub fn by_columns(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        w: &Weights,
        known: &Terms<'_>,
        learn: bool,
        mut out: Option<&mut Blocks>,
    ) -> Result<(u32, usize), EvalError> {
        let mut spent = self.begin(sys, at, w, known)?;
        let mut joined = 0;
        for c in 0..self.delta.len() {
            if !self.moves(c) {
                continue;
            }
            self.put(sys, at, c, self.delta[c]);
            let result = self.evaluate_moved(sys, at);
            self.put(sys, at, c, 0.0);
            result?;
            spent += 1;
            for k in self.start[c] as usize..self.start[c + 1] as usize {
                let i = self.row[k] as usize;
                let d = self.moved[i] - self.base[i];
                if let Some(out) = out.as_deref_mut() {
                    self.entries[k].write(d / self.delta[c], out);
                }
                if learn && d != 0.0 {
                    joined += usize::from(self.groups.activate(k));
                }
            }
        }
        Ok((spent, joined))
    }

    /// Group by group; entries outside the pattern are zero. Returns the evaluations spent.
    pub fn by_groups(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        w: &Weights,
        known: &Terms<'_>,
        out: &mut Blocks,
    ) -> Result<u32, EvalError> {
        let mut spent = self.begin(sys, at, w, known)?;
        for g in 0..self.groups.count() {
            let mut any = false;
            for m in 0..self.groups.members(g).len() {
                let c = self.groups.members(g)[m] as usize;
                if self.moves(c) {
                    any = true;
                    self.put(sys, at, c, self.delta[c]);
                }
            }
            if !any {
                continue;
            }
            let result = self.evaluate_moved(sys, at);
            for m in 0..self.groups.members(g).len() {
                let c = self.groups.members(g)[m] as usize;
                self.put(sys, at, c, 0.0);
            }
            result?;
            spent += 1;
            for &c in self.groups.members(g) {
                let c = c as usize;
                for k in self.start[c] as usize..self.start[c + 1] as usize {
                    let i = self.row[k] as usize;
                    let entry = self.entries[k];
                    if self.groups.active()[k] {
                        entry.write((self.moved[i] - self.base[i]) / self.delta[c], out);
                    } else if entry.part != Part::Cq {
                        out[entry.part][entry.index as usize] = 0.0;
                    }
                }
            }
        }
        Ok(spent)
    }

    /// Adds to the pattern what depends on what at a few states near a point: derivatives vanish by
    /// accident in equilibrium, at rest and in symmetric poses. States where the equations have no
    /// value are passed over. Returns the evaluations spent.
    pub fn look_around(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        w: &Weights,
        states: u32,
    ) -> u32 {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut draw = || {
            // the same states in every run (Knuth's linear congruential generator)
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            DISTANCE * ((seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
        };
        let largest = |x: &[f64]| x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let (a, lambda) = (largest(at.a), largest(at.lambda));
        let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
        let mut spent = 0;
        let mut beside = std::mem::take(&mut self.beside);
        for _ in 0..states {
            beside.t = at.t;
            for (j, q) in beside.q.iter_mut().enumerate() {
                *q = at.q[j] + draw() * at.q[j].abs().max(w.scale()[j]);
            }
            for (j, v) in beside.v.iter_mut().enumerate() {
                *v = at.v[j] + draw() * at.v[j].abs().max(w.speed(j));
            }
            for (x, at) in beside.a.iter_mut().zip(at.a) {
                *x = at + draw() * or_one(a);
            }
            for (x, at) in beside.lambda.iter_mut().zip(at.lambda) {
                *x = at + draw() * or_one(lambda);
            }
            for (j, x) in beside.x.iter_mut().enumerate() {
                *x = at.x[j] + draw() * at.x[j].abs().max(w.scale_x()[j]);
            }
            let near = beside.at();
            let none = Terms::default();
            spent += match self.by_columns(sys, &near, w, &none, true, None) {
                Ok((spent, _)) => spent,
                Err(_) => 1,
            };
        }
        self.beside = beside;
        spent
    }
}

/// The parts `(r, C_q v + C_t, f)` of a list of values.
fn split(values: &mut [f64], dims: Dims) -> [&mut [f64]; 3] {
    let (r, rest) = values.split_at_mut(dims.nv);
    let (cv, f) = rest.split_at_mut(dims.rows());
    [r, cv, f]
}

fn evaluate(
    sys: &mut dyn System,
    at: &At<'_>,
    values: &mut [f64],
    dims: Dims,
    [wants_r, wants_cv, wants_f]: [bool; 3],
) -> Result<(), EvalError> {
    let [r, cv, f] = split(values, dims);
    let mut want = Terms {
        r: wants_r.then_some(r),
        cv: wants_cv.then_some(cv),
        f: wants_f.then_some(f),
        ..Terms::default()
    };
    sys.eval(at, &mut want)
}
