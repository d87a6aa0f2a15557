//! State-space equations on a [`crate::chart`].
//!
//! ```text
//!  v = T(q) q'          a = T q'' + (T q')_q q'          (T q')_q: at constant q'
//! ```
//!
//! Methods that integrate first-order equations take `(q, v)` at their word, and `v` has independent
//! entries of its own: of `C_q v + C_t = 0`. Those that integrate `w'' = f(w, w')` need rates of the
//! coordinates; with the base at the beginning of the step, `q = 0` there, `T = I` and
//!
//! ```text
//!  v = q'     a = q''     dv = dq' + B dq     da = dq'' + A dq     B = (T q')_q     A = B'
//! ```
//!
//! so both kinds start from the same point, and derivatives differ by `A` and `B`. In an expression
//! like `(C_q v + C_t)_q` the derivative along the tangent at constant `v` becomes the one by
//! coordinates at constant `q'`:
//!
//! ```text
//!  (C_q T q' + C_t)_q = (CV + C_q B_t) T       CV = (C_q v + C_t)_q,  B_t T = (T q')_q
//! ```
//!
//! Derivatives by coordinates commute with `d/dt`, those along the tangent do not. With `T' = -B` at
//! the base (lines through it are motions with constant velocity, so `(T q) = q`) the rate is
//!
//! ```text
//!  CV' + C_q' B + C_q A - CV B
//! ```

use super::Entry;
use crate::chart::Chart;
use crate::state::State;
use crate::system::System;

/// An entry of `C_q (T - I)` from one of `C_q` and one of `T - I`.
#[derive(Clone, Copy, Debug)]
struct Turned {
    value: usize,
    excess: usize,
    slot: usize,
}

/// See the [module](self).
#[derive(Default)]
pub(super) struct Curved {
    /// Places (row, column) of the entries of `C_q T`, and where each entry of `C_q` has its own.
    pub places: Vec<(usize, usize)>,
    slot: Vec<usize>,
    pattern: Vec<(u32, u32)>,
    turned: Vec<Turned>,
    /// `T - I`, or `(T q')_q` along the tangent, in the order of the pattern.
    excess: Vec<f64>,
    bend: Vec<f64>,
    work: Vec<f64>,
}

impl Curved {
    /// For a system and the entries of `C_q` in kept rows.
    pub fn new(sys: &dyn System, entries: &[Entry]) -> Curved {
        let pattern = sys.chart().map_or(Vec::new(), Chart::pattern);
        let turns = |e: &Entry| {
            let column = e.column;
            (pattern.iter().enumerate()).filter(move |(_, at)| at.0 as usize == column)
        };
        let mut places: Vec<(usize, usize)> = entries.iter().map(|e| (e.row, e.column)).collect();
        for e in entries {
            places.extend(turns(e).map(|(_, at)| (e.row, at.1 as usize)));
        }
        places.sort_unstable();
        places.dedup();
        let slot = |row, column| places.binary_search(&(row, column)).unwrap_or(0);
        let mut turned = Vec::new();
        for e in entries {
            turned.extend(turns(e).map(|(excess, at)| Turned {
                value: e.value,
                excess,
                slot: slot(e.row, at.1 as usize),
            }));
        }
        Curved {
            slot: entries.iter().map(|e| slot(e.row, e.column)).collect(),
            places,
            turned,
            excess: vec![0.0; pattern.len()],
            bend: vec![0.0; pattern.len()],
            work: vec![0.0; sys.dims().nv],
            pattern,
        }
    }

    /// Takes `T` at a configuration.
    pub fn find_tangent(&mut self, sys: &dyn System, q: &[f64]) {
        if let Some(chart) = sys.chart() {
            chart.tangent_excess(q, &mut self.excess);
        }
    }

    /// `C_q T` at its places.
    pub fn multiply(&self, entries: &[Entry], c_q: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (e, &slot) in entries.iter().zip(&self.slot) {
            out[slot] += c_q[e.value];
        }
        for e in &self.turned {
            out[e.slot] += c_q[e.value] * self.excess[e.excess];
        }
    }

    /// `q'' = T^-1 (a - (T q')_q q')`.
    pub fn second_rates(&mut self, sys: &dyn System, s: &State, qdot: &[f64], out: &mut [f64]) {
        let Some(chart) = sys.chart() else {
            out.copy_from_slice(&s.a);
            return;
        };
        chart.rate_derivative(&s.q, qdot, &mut self.bend);
        self.work.copy_from_slice(&s.a);
        for (&(i, j), b) in self.pattern.iter().zip(&self.bend) {
            self.work[i as usize] -= b * s.v[j as usize];
        }
        chart.rate(&s.q, &self.work, out);
    }
}
