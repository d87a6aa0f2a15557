//! Stabilised index 2 by the matrix of index 3.
//!
//! With increments `d` of the positions and `(I + B) e` of the velocities over `s1`, and positions that are ahead of the velocities
//! by `p`, `(I + B) p = (qdot - v)/s1`, the rows of [`ggl`](super::ggl) are
//!
//! ```text
//!  (M + D/s2)(I + B) e + K/(s1 s2) d + C_q' lambda = r      equations of motion
//!  C_q (I + B) e + CV_q/s1 d                       = r_v    constraints of the velocities
//!  C_q d                                           = r_c    constraints of the positions
//!  W (p + d - e) + C_q' xi                         = 0      the difference is normal to the constraints
//! ```
//!
//! so that `y = d - e` does not depend on the motion but by the turn of the constraints, and comes before it; the rest is
//! solved with the matrix of index 3, `J = [A C_q'; C_q 0]`, `A = (M + D/s2)(I + B) + K/(s1 s2)`:
//!
//! ```text
//!  p + y normal,  C_q (p + y) = r_c - r_v + C_q p                     (`normal.rs`)
//!  J [e; lambda]  = [r - K/(s1 s2) y; r_v]
//!  J [e'; lambda] = [0; r_v - (C_q (I + B) e + CV_q/s1 (e + y))]      added to e, not to d
//!  J [d'; lambda] = [K/(s1 s2) e'; 0]                                 added to both
//! ```
//!
//! Rows of states and non-holonomic rows are those of index 3. `e'` is a turn of the constraint normals in a step times a correction,
//! and `d'` is far below that; what `d'` opens of the constraints of the velocities is closed along their normals. The next term
//! is never seen.
//!
//! Two matrices, each less than half as large as that of [`ggl`](super::ggl), and four solves instead of one. Bad at: constraints that
//! turn far within a step.

use super::Table;
use super::layout::{Equation, Layout, Over, Unknown};
use super::matrix::Matrix;
use super::normal::Normal;
use super::place::{DROPPED, Power};
use crate::auxiliary::Products;
use crate::chart::Chart;
use crate::state::Link;
use crate::system::{Part, System};
use std::ops::Range;

pub(super) const STABILISED: Table = Table {
    kinds: &[
        (Over::Coordinates, Unknown::Motion, Equation::Force),
        (Over::Holonomic, Unknown::Multiplier, Equation::Closure),
        (Over::Nonholonomic, Unknown::Multiplier, Equation::Rate),
        (Over::States, Unknown::State, Equation::State),
    ],
    single: super::ggl::SINGLE,
    stabilised: true,
};

/// Terms of the series for the inverse of `I + B`: a step turns bodies by less than half a radian as a rule, `B` has half of that.
const SWEEPS: usize = 4;

/// A block that multiplies positions: its power, and row and column of each entry; rows may be `DROPPED`.
struct Term {
    part: Part,
    power: Power,
    places: Vec<(u32, u32)>,
}

impl Term {
    fn new(sys: &dyn System, part: Part, power: Power, row: impl Fn(u32) -> Option<u32>) -> Term {
        let placed = |&(i, j): &(u32, u32)| (row(i).unwrap_or(DROPPED), j);
        let places = sys.patterns()[part].iter().map(placed).collect();
        Term {
            part,
            power,
            places,
        }
    }

    /// `out += X d` of a block without powers.
    fn add(&self, matrix: &Matrix, d: &[f64], out: &mut [f64]) {
        for (&(i, j), x) in self.places.iter().zip(&matrix.blocks[self.part]) {
            if let Some(out) = out.get_mut(i as usize) {
                *out += x * d[j as usize];
            }
        }
    }

    /// `out -= X d`.
    fn subtract(&self, matrix: &Matrix, link: Link, d: &[f64], out: &mut [f64]) {
        let c = self.power.value(link);
        for (&(i, j), x) in self.places.iter().zip(&matrix.blocks[self.part]) {
            if let Some(out) = out.get_mut(i as usize) {
                *out -= c * x * d[j as usize];
            }
        }
    }
}

/// See the [module](self).
pub(super) struct Stabiliser {
    /// What positions do in the rows of the matrix, and in the velocity level of constraints of positions.
    terms: Vec<Term>,
    rates: Vec<Term>,
    /// Normal vectors.
    pub(super) normal: Normal,
    /// The same by relations: rows of motion, of constraints and of states.
    products: Option<Products>,
    bend: Vec<(u32, u32)>,
    motion: Range<usize>,
    closure: Range<usize>,
    /// How far positions are ahead, `(qdot - v)/s1`, and the increment that is left of it with `B` taken off.
    ahead: Vec<f64>,
    p: Vec<f64>,
    /// Increments that velocities do not follow, a right-hand side, constraints of the velocities.
    y: Vec<f64>,
    rhs: Vec<f64>,
    rate: Vec<f64>,
    /// What constraints of positions and of velocities are apart.
    apart: Vec<f64>,
}

impl Stabiliser {
    pub(super) fn new(sys: &dyn System, layout: &Layout) -> Stabiliser {
        let row = |equation| move |i: u32| layout.row(equation, i);
        let state = |rate: bool| {
            move |i: u32| {
                let own = layout.differential[i as usize] == rate;
                own.then(|| layout.row(Equation::State, i)).flatten()
            }
        };
        let force = layout.unit(Equation::Force);
        let rate = layout.unit(Equation::Rate);
        let closure = layout.rows(Equation::Closure);
        let first = closure.start as u32;
        let holonomic = |i: u32| layout.row(Equation::Closure, i).map(|k| k - first);
        let terms = vec![
            Term::new(sys, Part::Rq, Power::ONE.over(force), row(Equation::Force)),
            Term::new(sys, Part::CVq, Power::ONE.over(rate), row(Equation::Rate)),
            Term::new(sys, Part::Fq, Power::of(-1.0, 0, -1), state(true)),
            Term::new(sys, Part::Fq, Power::of(-1.0, 0, 0), state(false)),
        ];
        let n = layout.size();
        Stabiliser {
            terms,
            normal: Normal::new(sys, layout),
            rates: vec![
                Term::new(sys, Part::Cq, Power::ONE, holonomic),
                Term::new(sys, Part::CVq, Power::ONE.over(rate), holonomic),
            ],
            products: (sys.facts().auxiliary.as_deref()).map(|a| Products::new(a, layout.dims)),
            bend: sys.chart().map_or(Vec::new(), Chart::pattern),
            motion: 0..layout.dims.nv,
            rate: vec![0.0; closure.len()],
            apart: vec![0.0; closure.len()],
            closure,
            ahead: vec![0.0; layout.dims.nv],
            p: vec![0.0; layout.dims.nv],
            y: vec![0.0; layout.dims.nv],
            rhs: vec![0.0; n],
        }
    }

    /// Takes how far the rates of the positions are ahead of the velocities.
    pub(super) fn compare(&mut self, qdot: &[f64], v: &[f64], link: Link) {
        for (ahead, (qdot, v)) in self.ahead.iter_mut().zip(qdot.iter().zip(v)) {
            *ahead = (qdot - v) / link.qdot;
        }
    }

    /// Takes `B` off what positions are ahead by; `e` takes what the last term of the series leaves.
    fn straighten(&mut self, matrix: &Matrix, e: &mut [f64]) {
        self.p.copy_from_slice(&self.ahead);
        e.fill(0.0);
        if self.bend.is_empty() {
            return;
        }
        for _ in 0..SWEEPS {
            e.copy_from_slice(&self.ahead);
            for (&(i, j), b) in self.bend.iter().zip(&matrix.bend) {
                e[i as usize] -= b * self.p[j as usize];
            }
            self.p.copy_from_slice(e);
        }
        for (e, (ahead, p)) in e.iter_mut().zip(self.ahead.iter().zip(&self.p)) {
            *e = ahead - p;
        }
        for (&(i, j), b) in self.bend.iter().zip(&matrix.bend) {
            e[i as usize] -= b * self.p[j as usize];
        }
    }

    /// Solves for the corrections: of the unknowns of index 3, then of the velocities. `cv` has the constraints
    /// of the velocities.
    pub(super) fn solve(
        &mut self,
        layout: &Layout,
        matrix: &mut Matrix,
        link: Link,
        cv: &[f64],
        r: &mut [f64],
    ) {
        let (r, e) = r.split_at_mut(layout.size());
        self.load_rates(layout, link, cv);
        self.straighten(matrix, e);
        let own = self.apart.iter_mut().zip(&mut r[self.closure.clone()]);
        for ((x, r), rate) in own.zip(&self.rate) {
            *x = *r - rate;
            *r = *rate;
        }
        self.rates[0].add(matrix, &self.p, &mut self.apart);
        (self.normal).solve(&matrix.blocks, &self.apart, &mut self.y);
        for (y, p) in self.y.iter_mut().zip(&self.p) {
            *y -= p;
        }
        self.move_rows(layout, matrix, link, r);
        matrix.solve(r);
        self.follow(matrix, &r[self.motion.clone()], e);
        for (d, y) in r[self.motion.clone()].iter_mut().zip(&self.y) {
            *d += y;
        }

        // the turn of the constraints, and what it does to the motion
        self.open_rates(layout, matrix, link, &r[self.motion.clone()], e);
        self.rhs.fill(0.0);
        self.rhs[self.closure.clone()].copy_from_slice(&self.rate);
        matrix.solve(&mut self.rhs);
        self.follow(matrix, &self.rhs[self.motion.clone()], e);
        for (x, more) in r.iter_mut().zip(&self.rhs).skip(self.motion.end) {
            *x += more;
        }
        for (y, more) in self.y.iter_mut().zip(&self.rhs) {
            *y = -more;
        }
        let mut rhs = std::mem::take(&mut self.rhs);
        rhs.fill(0.0);
        self.move_rows(layout, matrix, link, &mut rhs);
        matrix.solve(&mut rhs);
        self.follow(matrix, &rhs[self.motion.clone()], e);
        for (x, more) in r.iter_mut().zip(&rhs) {
            *x += more;
        }
        self.rhs = rhs;

        self.load_rates(layout, link, cv);
        self.open_rates(layout, matrix, link, &r[self.motion.clone()], e);
        (self.normal).solve(&matrix.blocks, &self.rate, &mut self.y);
        for (e, normal) in e.iter_mut().zip(&self.y) {
            *e += normal;
        }
    }

    fn load_rates(&mut self, layout: &Layout, link: Link, cv: &[f64]) {
        let per_unit = -1.0 / layout.unit(Equation::Rate).value(link);
        for (x, &row) in self.rate.iter_mut().zip(&layout.keep) {
            *x = per_unit * cv[row as usize];
        }
    }

    /// What is left of the rows when positions move by `y` and velocities do not.
    fn move_rows(&mut self, layout: &Layout, matrix: &Matrix, link: Link, r: &mut [f64]) {
        for term in &self.terms {
            term.subtract(matrix, link, &self.y, r);
        }
        let Some(products) = &mut self.products else {
            return;
        };
        products.multiply(matrix.blocks.generators(), Some(link), &[], &self.y);
        let unit = Power::of(1.0, 1, 1).over(layout.unit(Equation::Force));
        for (r, x) in r[self.motion.clone()].iter_mut().zip(&products.velocity) {
            *r -= unit.value(link) * x;
        }
        for section in layout.sections.iter() {
            match section.equation {
                Equation::Rate => {
                    let rows = &layout.keep[section.entries.clone()];
                    for (r, &row) in r[section.range.clone()].iter_mut().zip(rows) {
                        *r -= products.constraint[row as usize];
                    }
                }
                Equation::State => {
                    let states = products.state.iter().zip(&layout.differential);
                    for (r, (f, rate)) in r[section.range.clone()].iter_mut().zip(states) {
                        *r += if *rate { f / link.vdot } else { *f };
                    }
                }
                _ => {}
            }
        }
    }

    /// What is left of the constraints of the velocities when positions move by `d`, velocities by `s1 e`.
    fn open_rates(&mut self, layout: &Layout, matrix: &Matrix, link: Link, d: &[f64], e: &[f64]) {
        let rates = self.rates.iter().zip([e, d]);
        for (term, moved) in rates {
            term.subtract(matrix, link, moved, &mut self.rate);
        }
        if let Some(products) = &mut self.products {
            products.multiply(matrix.blocks.generators(), Some(link), &[], d);
            for (x, &row) in self.rate.iter_mut().zip(&layout.keep) {
                *x -= products.constraint[row as usize];
            }
        }
    }

    /// `out += (I + B) d`.
    fn follow(&self, matrix: &Matrix, d: &[f64], out: &mut [f64]) {
        for (out, d) in out.iter_mut().zip(d) {
            *out += d;
        }
        for (&(i, j), b) in self.bend.iter().zip(&matrix.bend) {
            out[i as usize] += b * d[j as usize];
        }
    }
}
