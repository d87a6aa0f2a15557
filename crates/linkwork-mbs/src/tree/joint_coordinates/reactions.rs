//! Reactions of the joints of the tree, which the equations in joint coordinates do not know.
//!
//! From the tips inwards: what the motion of a body and everything that it carries lacks, `-r`, is the
//! load of its joint, `C_q' lambda = -r` on the child. There are no more multipliers than entries of
//! `r`, and the equations agree since `J' r = 0`, so that normal equations do. The other side of the
//! joint hands the load on to the parent.

use crate::assembly::{Carried, Connection};
use crate::tree::topology::{Support, Topology};

/// Most rows of a joint.
const ROWS: usize = 6;

/// One joint of the tree with its entries of `C_q`.
#[derive(Clone, Debug)]
struct Step {
    first_row: usize,
    rows: usize,
    /// Entries on the child: number in the block, row, coordinate.
    child: Vec<(u32, u32, u32)>,
    /// Entries on the parent.
    parent: Vec<(u32, u32, u32)>,
    /// Coordinates of the child.
    first: usize,
    count: usize,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Reactions {
    steps: Vec<Step>,
}

impl Reactions {
    pub fn new(
        topology: &Topology,
        bodies: &[Carried],
        joints: &[Connection],
        c_q: &[(u32, u32)],
    ) -> Reactions {
        let mut steps = Vec::new();
        let count = c_q.iter().map(|(i, _)| *i as usize + 1).max();
        let mut of_row: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count.unwrap_or(0)];
        for (n, (i, j)) in (0..).zip(c_q) {
            of_row[*i as usize].push((n, *j));
        }
        for &(body, carrier) in topology.order.iter().rev() {
            let Support::Joint { joint, .. } = carrier else {
                continue;
            };
            let rows = joints[joint].rows.clone();
            let (first, count) = (bodies[body].first, bodies[body].freedoms.len());
            let mut step = Step {
                first_row: rows.start,
                rows: rows.len().min(ROWS),
                child: Vec::new(),
                parent: Vec::new(),
                first,
                count,
            };
            for (i, own) in (0..).zip(of_row.get(rows).unwrap_or_default()) {
                for &(n, j) in own {
                    if (first..first + count).contains(&(j as usize)) {
                        step.child.push((n, i, j));
                    } else {
                        step.parent.push((n, i, j));
                    }
                }
            }
            steps.push(step);
        }
        Reactions { steps }
    }

    /// Fills the multipliers of the joints of the tree; uses up the residual `r`, which holds
    /// everything but them.
    pub fn run(&self, c_q: &[f64], r: &mut [f64], lambda: &mut [f64]) {
        for step in &self.steps {
            let m = step.rows;
            let mut c = [[0.0; 6]; ROWS];
            for &(n, i, j) in &step.child {
                c[i as usize][j as usize - step.first] = c_q[n as usize];
            }
            let own = &r[step.first..step.first + step.count];
            let mut normal = [[0.0; ROWS]; ROWS];
            let mut load = [0.0; ROWS];
            for i in 0..m {
                load[i] = -(c[i].iter().zip(own)).map(|(c, r)| c * r).sum::<f64>();
                for k in 0..m {
                    normal[i][k] = c[i].iter().zip(&c[k]).map(|(a, b)| a * b).sum();
                }
            }
            solve(m, &mut normal, &mut load);
            lambda[step.first_row..step.first_row + m].copy_from_slice(&load[..m]);
            for &(n, i, j) in &step.parent {
                r[j as usize] += c_q[n as usize] * load[i as usize];
            }
        }
    }
}

/// Solves a positive definite system by `L D L'`. Rows without pivot get 0.
fn solve(m: usize, a: &mut [[f64; ROWS]; ROWS], x: &mut [f64; ROWS]) {
    for k in 0..m {
        let pivot = a[k][k];
        for i in k + 1..m {
            let factor = if pivot > 0.0 { a[i][k] / pivot } else { 0.0 };
            for j in k + 1..m {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..m).rev() {
        let rest: f64 = (k + 1..m).map(|j| a[k][j] * x[j]).sum();
        let pivot = a[k][k];
        x[k] = if pivot > 0.0 {
            (x[k] - rest) / pivot
        } else {
            0.0
        };
    }
}
