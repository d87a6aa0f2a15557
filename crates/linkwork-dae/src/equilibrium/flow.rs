//! Implicit pseudo-time steps towards balance.

use crate::chart;
use crate::linear::{LinearSolver, Pattern, SparseLu};
use crate::state::State;
use crate::system::{Blocks, EvalError, Part, Parts, Row, Rows, System, Terms};
use crate::tangent::sizes;

/// How far a pose is from balance.
#[derive(Clone, Debug)]
pub(super) struct Balance {
    /// `C_q' lambda - Q`.
    pub r: Vec<f64>,
    /// Largest unbalanced force, in the sizes of the coordinates, relative to [`Self::force_scale`].
    pub residual: f64,
    /// Where it is.
    pub worst: Row,
    /// Largest `|C|` relative to the sizes of the coordinates.
    pub open: f64,
    /// Largest force at work, times the size of its coordinate (J).
    pub force_scale: f64,
}

/// Length of a step that was solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Largest change relative to the sizes of the coordinates.
    pub size: f64,
}

/// The matrix of the steps and what it needs.
pub(super) struct Flow {
    rows: Vec<usize>,
    scale: Vec<f64>,
    scale_x: Vec<f64>,
    differential: Vec<bool>,
    largest_scale: f64,
    solver: Box<dyn LinearSolver>,
    places: Places,
    blocks: Blocks,
    values: Vec<f64>,
    solution: Vec<f64>,
    force_scale: f64,
    stiffness_scale: f64,
    /// Share of the stiffness at which `W/tau` ends.
    share: f64,
}

/// Slots of the entries of the blocks in the matrix; `usize::MAX` for those of dropped rows.
struct Places {
    r_q: Vec<usize>,
    c_q: Vec<(usize, usize)>,
    r_x: Vec<usize>,
    r_l: Vec<usize>,
    f_q: Vec<usize>,
    f_x: Vec<usize>,
    diagonal: Vec<usize>,
}

const DROPPED: usize = usize::MAX;
/// Steps end up with `W/tau` at this share of the stiffness: Newton's method for all purposes, and
/// still regular where a direction has no stiffness.
const SHARE: f64 = 1e-8;
/// What is softer than that creeps: the share is lowered for it, down to what rounding leaves of the largest stiffness.
const LEAST_SHARE: f64 = 1e-13;

impl Flow {
    pub fn new(sys: &dyn System, rows: &Rows) -> Flow {
        let dims = sys.dims();
        let rows: Vec<usize> = rows.c.iter().map(|&i| i as usize).collect();
        let (nv, nr) = (dims.nv, rows.len());
        let n = nv + nr + dims.nx;
        let mut place = vec![None; dims.rows()];
        for (k, &i) in rows.iter().enumerate() {
            place[i] = Some((nv + k) as u32);
        }
        let state = |i: u32| i + (nv + nr) as u32;
        let patterns = sys.patterns();
        let mut at: Vec<(u32, u32)> = (0..n as u32).map(|i| (i, i)).collect();
        at.extend(&patterns[Part::Rq]);
        for &(i, j) in &patterns[Part::Cq] {
            at.extend(place[i as usize].map(|i| (i, j)));
            at.extend(place[i as usize].map(|i| (j, i)));
        }
        for &(i, j) in &patterns[Part::Rl] {
            at.extend(place[j as usize].map(|j| (i, j)));
        }
        at.extend(patterns[Part::Rx].iter().map(|&(i, j)| (i, state(j))));
        at.extend(patterns[Part::Fq].iter().map(|&(i, j)| (state(i), j)));
        at.extend(
            patterns[Part::Fx]
                .iter()
                .map(|&(i, j)| (state(i), state(j))),
        );
        let pattern = Pattern::from_entries(n, &at);
        let slot = |i: u32, j: u32| pattern.slot(i, j).unwrap_or(DROPPED);
        let places = Places {
            r_q: patterns[Part::Rq]
                .iter()
                .map(|&(i, j)| slot(i, j))
                .collect(),
            c_q: (patterns[Part::Cq].iter())
                .map(|&(i, j)| match place[i as usize] {
                    Some(i) => (slot(i, j), slot(j, i)),
                    None => (DROPPED, DROPPED),
                })
                .collect(),
            r_x: (patterns[Part::Rx].iter())
                .map(|&(i, j)| slot(i, state(j)))
                .collect(),
            r_l: (patterns[Part::Rl].iter())
                .map(|&(i, j)| place[j as usize].map_or(DROPPED, |j| slot(i, j)))
                .collect(),
            f_q: (patterns[Part::Fq].iter())
                .map(|&(i, j)| slot(state(i), j))
                .collect(),
            f_x: (patterns[Part::Fx].iter())
                .map(|&(i, j)| slot(state(i), state(j)))
                .collect(),
            diagonal: (0..n as u32).map(|i| slot(i, i)).collect(),
        };
        let mut solver: Box<dyn LinearSolver> = Box::new(SparseLu::new());
        solver.analyse(&pattern, &[]);
        let scale = sizes(sys);
        let scale_x = sys.facts().scale_x.clone();
        let differential = sys.facts().differential.clone();
        Flow {
            largest_scale: scale.iter().copied().fold(0.0, f64::max),
            rows,
            scale,
            scale_x,
            differential,
            solver,
            places,
            blocks: Blocks::new(patterns),
            values: vec![0.0; pattern.nnz()],
            solution: vec![0.0; n],
            force_scale: 0.0,
            stiffness_scale: 0.0,
            share: SHARE,
        }
    }

    /// Lets steps become longer; not for ever.
    pub fn lengthen(&mut self) -> bool {
        let before = self.share;
        self.share = (0.01 * before).max(LEAST_SHARE);
        self.share < before
    }

    /// Largest force seen so far, times the size of its coordinate.
    pub fn force_scale(&self) -> f64 {
        self.force_scale
    }

    /// Longest pseudo-time of a step.
    pub fn longest_time(&self) -> f64 {
        let share = self.share * self.stiffness_scale;
        if share > 0.0 {
            (self.force_scale / share).clamp(1.0, 1e15)
        } else {
            1e6
        }
    }

    /// Evaluates the balance at a state.
    pub fn measure(&mut self, sys: &mut dyn System, s: &State) -> Result<Balance, EvalError> {
        let dims = sys.dims();
        let mut r = vec![0.0; dims.nv];
        let mut force = vec![0.0; dims.nv];
        let mut c = vec![0.0; dims.nc];
        let mut f = vec![0.0; dims.nx];
        let mut want = Terms {
            r: Some(&mut r),
            force: Some(&mut force),
            c: Some(&mut c),
            f: (dims.nx > 0).then_some(&mut f[..]),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want)?;
        for (force, s) in force.iter().zip(&self.scale) {
            self.force_scale = self.force_scale.max(force.abs() * s);
        }
        // springs at rest exert nothing; rounding of their stiffness is no force
        let force_scale = self.force_scale.max(1e-6 * self.stiffness_scale);
        let mut worst = (0.0, Row::Position(0));
        for (i, (r, s)) in r.iter().zip(&self.scale).enumerate() {
            let e = (r * s).abs() / force_scale.max(f64::MIN_POSITIVE);
            if e > worst.0 {
                worst = (e, Row::Position(i));
            }
        }
        for (i, (f, s)) in f.iter().zip(&self.scale_x).enumerate() {
            let e = (f / s).abs();
            if e > worst.0 {
                worst = (e, Row::State(i));
            }
        }
        let open = (self.rows.iter().filter(|&&i| i < dims.nc))
            .fold(0.0f64, |m, &i| m.max(c[i].abs() / self.largest_scale));
        Ok(Balance {
            r,
            residual: worst.0,
            worst: worst.1,
            open,
            force_scale,
        })
    }

    /// Solves a step of pseudo-time `tau` from a state; `None` when the matrix is singular.
    pub fn step(
        &mut self,
        sys: &mut dyn System,
        s: &State,
        tau: f64,
    ) -> Result<Option<Step>, EvalError> {
        let dims = sys.dims();
        let (nv, nr) = (dims.nv, self.rows.len());
        let mut r = vec![0.0; nv];
        let mut c = vec![0.0; dims.nc];
        let mut f = vec![0.0; dims.nx];
        let mut want = Terms {
            r: Some(&mut r),
            c: Some(&mut c),
            f: (dims.nx > 0).then_some(&mut f[..]),
            ..Terms::default()
        };
        sys.linearise(&s.at(), &mut want, Parts::ALL, &mut self.blocks)?;
        self.values.fill(0.0);
        self.stiffness_scale = 0.0;
        let r_q = sys.patterns()[Part::Rq].iter().zip(&self.blocks[Part::Rq]);
        for ((&(i, j), x), &slot) in r_q.zip(&self.places.r_q) {
            self.values[slot] += x;
            let size = x.abs() * self.scale[i as usize] * self.scale[j as usize];
            self.stiffness_scale = self.stiffness_scale.max(size);
        }
        for (x, &(lower, upper)) in self.blocks[Part::Cq].iter().zip(&self.places.c_q) {
            if lower != DROPPED {
                self.values[lower] += x;
                self.values[upper] += x;
            }
        }
        for (x, &slot) in self.blocks[Part::Rx].iter().zip(&self.places.r_x) {
            self.values[slot] += x;
        }
        for (x, &slot) in self.blocks[Part::Rl].iter().zip(&self.places.r_l) {
            if slot != DROPPED {
                self.values[slot] += x;
            }
        }
        for (x, &slot) in self.blocks[Part::Fq].iter().zip(&self.places.f_q) {
            self.values[slot] -= x;
        }
        for (x, &slot) in self.blocks[Part::Fx].iter().zip(&self.places.f_x) {
            self.values[slot] -= x;
        }
        let energy = self.force_scale.max(f64::MIN_POSITIVE);
        for (&slot, s) in self.places.diagonal[..nv].iter().zip(&self.scale) {
            self.values[slot] += energy / (tau * s * s);
        }
        let of_states = &self.places.diagonal[nv + nr..];
        for (&slot, differential) in of_states.iter().zip(&self.differential) {
            if *differential {
                self.values[slot] += 1.0 / tau;
            }
        }
        let regular = self.solver.factor(&self.values).is_ok();
        for (x, r) in self.solution[..nv].iter_mut().zip(&r) {
            *x = -r;
        }
        for (x, &i) in self.solution[nv..nv + nr].iter_mut().zip(&self.rows) {
            // non-holonomic rows have no position: the pose does not move along them
            *x = -c.get(i).copied().unwrap_or(0.0);
        }
        self.solution[nv + nr..].copy_from_slice(&f);
        self.solver.solve(&mut self.solution);
        if !regular || self.solution.iter().any(|x| !x.is_finite()) {
            return Ok(None);
        }
        let size =
            (self.solution.iter().zip(&self.scale)).fold(0.0f64, |m, (d, s)| m.max((d / s).abs()));
        Ok(Some(Step { size }))
    }

    /// Work of the unbalanced forces along the last step.
    pub fn work(&self, at: &Balance) -> f64 {
        -at.r
            .iter()
            .zip(&self.solution)
            .map(|(r, d)| r * d)
            .sum::<f64>()
    }

    /// The state after the last step.
    pub fn take(&self, sys: &dyn System, from: &State, to: &mut State) {
        let nv = self.scale.len();
        let nr = self.rows.len();
        to.copy_from(from);
        chart::advance(sys, &mut to.q, &self.solution[..nv]);
        for (d, &i) in self.solution[nv..nv + nr].iter().zip(&self.rows) {
            to.lambda[i] += d;
        }
        for (x, d) in to.x.iter_mut().zip(&self.solution[nv + nr..]) {
            *x += d;
        }
    }
}
