//! `M^-1` times many columns at once, with the articulated bodies of the last forward dynamics.
//!
//! Forward dynamics at rest and without weight, for all columns `b` of a matrix together:
//!
//! ```text
//!  r = D^-1 (b - J' p),   p_p += X' (p + U r)           from the leaves
//!  x = r - D^-1 U' X a_p,   a = X a_p + J x             from the root
//! ```
//!
//! Each column takes some 30 multiplications for each body whatever the length of the tree, where
//! factors of the mass matrix take as many as the path is long. Components of `p` and `a` are lists over
//! the columns, so that the loops run over neighbouring numbers.

use super::{Aba, Column};
use crate::tree::mobility::MOST_DOF;
use crate::tree::small::Small;
use crate::tree::spatial::Vec3;
use crate::tree::{Mobility, Tree};

/// Room for a number of columns.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    width: usize,
    /// Forces on the way in, accelerations on the way out.
    last: Vec<f64>,
    /// Both for bodies with children further on.
    kept: Vec<f64>,
}

impl Columns {
    /// Room for `width` columns of a tree.
    pub fn new(tree: &Tree, width: usize) -> Columns {
        Columns {
            width,
            last: vec![0.0; 6 * width],
            kept: vec![0.0; 6 * width * tree.slots as usize],
        }
    }
}

/// Six lists of equal length: angular components, linear ones.
type Six<'a> = [&'a mut [f64]; 6];

fn six(all: &mut [f64], width: usize) -> Six<'_> {
    let (a, rest) = all.split_at_mut(width);
    let (b, rest) = rest.split_at_mut(width);
    let (c, rest) = rest.split_at_mut(width);
    let (d, rest) = rest.split_at_mut(width);
    let (e, f) = rest.split_at_mut(width);
    [a, b, c, d, e, &mut f[..width]]
}

/// `b` becomes `r`, and `p` goes to the parent. A hinge has no linear column.
#[inline]
fn inward<const SLIDES: bool>(column: &Column, arm: Vec3, b: &mut [f64], p: Six<'_>) {
    let [nx, ny, nz, fx, fy, fz] = p;
    let Column { j, u, per_d, .. } = *column;
    let n = b.len();
    // all lists have this length: no checks in the loop
    let (nx, ny, nz) = (&mut nx[..n], &mut ny[..n], &mut nz[..n]);
    let (fx, fy, fz) = (&mut fx[..n], &mut fy[..n], &mut fz[..n]);
    for c in 0..n {
        let mut power = j.w.x * nx[c] + j.w.y * ny[c] + j.w.z * nz[c];
        if SLIDES {
            power += j.v.x * fx[c] + j.v.y * fy[c] + j.v.z * fz[c];
        }
        let r = (b[c] - power) * per_d;
        b[c] = r;
        let f = Vec3::new(fx[c] + u.f.x * r, fy[c] + u.f.y * r, fz[c] + u.f.z * r);
        nx[c] += u.n.x * r + (arm.y * f.z - arm.z * f.y);
        ny[c] += u.n.y * r + (arm.z * f.x - arm.x * f.z);
        nz[c] += u.n.z * r + (arm.x * f.y - arm.y * f.x);
        (fx[c], fy[c], fz[c]) = (f.x, f.y, f.z);
    }
}

/// `r` becomes `x`, and the acceleration of the parent that of the body.
#[inline]
fn outward<const SLIDES: bool>(column: &Column, arm: Vec3, x: &mut [f64], a: Six<'_>) {
    let [wx, wy, wz, vx, vy, vz] = a;
    let Column { j, u, per_d, .. } = *column;
    let n = x.len();
    let (wx, wy, wz) = (&mut wx[..n], &mut wy[..n], &mut wz[..n]);
    let (vx, vy, vz) = (&mut vx[..n], &mut vy[..n], &mut vz[..n]);
    for c in 0..n {
        let w = Vec3::new(wx[c], wy[c], wz[c]);
        let v = Vec3::new(vx[c], vy[c], vz[c]) + w.cross(arm);
        let at = x[c] - (w.dot(u.n) + v.dot(u.f)) * per_d;
        x[c] = at;
        (wx[c], wy[c], wz[c]) = (w.x + j.w.x * at, w.y + j.w.y * at, w.z + j.w.z * at);
        if SLIDES {
            (vx[c], vy[c], vz[c]) = (v.x + j.v.x * at, v.y + j.v.y * at, v.z + j.v.z * at);
        } else {
            (vx[c], vy[c], vz[c]) = (v.x, v.y, v.z);
        }
    }
}

fn motion(s: &Six<'_>, c: usize) -> [f64; 6] {
    [0, 1, 2, 3, 4, 5].map(|k| s[k][c])
}

fn parts(a: Vec3, b: Vec3) -> [f64; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

fn dot(a: [f64; 6], b: [f64; 6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The same for a joint with several coordinates; `b` keeps `b - J' p`.
fn inward_several(columns: &[Column], inverse: &Small, arm: Vec3, b: &mut [f64], p: Six<'_>) {
    let width = p[0].len();
    for c in 0..width {
        let load = motion(&p, c);
        let mut rest = [0.0; MOST_DOF];
        for (k, column) in columns.iter().enumerate() {
            rest[k] = b[k * width + c] - dot(parts(column.j.w, column.j.v), load);
            b[k * width + c] = rest[k];
        }
        let mut load = load;
        for (k, column) in columns.iter().enumerate() {
            let r: f64 = (0..MOST_DOF).map(|l| inverse[k][l] * rest[l]).sum();
            for (x, u) in load.iter_mut().zip(parts(column.u.n, column.u.f)) {
                *x += u * r;
            }
        }
        let [nx, ny, nz, fx, fy, fz] = load;
        let turn = arm.cross(Vec3::new(fx, fy, fz));
        let sum = parts(Vec3::new(nx, ny, nz) + turn, Vec3::new(fx, fy, fz));
        for k in 0..6 {
            p[k][c] = sum[k];
        }
    }
}

fn outward_several(columns: &[Column], inverse: &Small, arm: Vec3, x: &mut [f64], a: Six<'_>) {
    let width = a[0].len();
    for c in 0..width {
        let [wx, wy, wz, vx, vy, vz] = motion(&a, c);
        let w = Vec3::new(wx, wy, wz);
        let mut moved = parts(w, Vec3::new(vx, vy, vz) + w.cross(arm));
        let mut wanted = [0.0; MOST_DOF];
        for (k, column) in columns.iter().enumerate() {
            wanted[k] = x[k * width + c] - dot(moved, parts(column.u.n, column.u.f));
        }
        for (k, column) in columns.iter().enumerate() {
            let at: f64 = (0..MOST_DOF).map(|l| inverse[k][l] * wanted[l]).sum();
            x[k * width + c] = at;
            for (m, j) in moved.iter_mut().zip(parts(column.j.w, column.j.v)) {
                *m += j * at;
            }
        }
        for k in 0..6 {
            a[k][c] = moved[k];
        }
    }
}

impl Aba {
    /// Solves `M X = B` in place at the pose of the last [`Aba::run`] that succeeded: row `k` of `x`
    /// holds the entries of coordinate `k`, one for each of the columns that `room` is for.
    pub fn solve_columns(&self, tree: &Tree, room: &mut Columns, x: &mut [f64]) {
        let width = room.width;
        if width == 0 {
            return;
        }
        let Columns { last, kept, .. } = room;
        kept.fill(0.0);
        for (i, node) in tree.nodes.iter().enumerate().rev() {
            if !node.sweep.continued {
                last.fill(0.0);
            }
            if let Some(slot) = node.sweep.slot {
                add(last, &kept[6 * width * slot as usize..]);
            }
            let arm = self.pass[i].pose.arm;
            let b = &mut x[width * node.dof as usize..][..width * node.joint.dof()];
            let columns = &self.column[node.dofs()];
            match (node.joint, columns) {
                (Mobility::Revolute, [one]) => inward::<false>(one, arm, b, six(last, width)),
                (_, [one]) => inward::<true>(one, arm, b, six(last, width)),
                _ => {
                    let inverse = &self.inverse[self.several[i] as usize];
                    inward_several(columns, inverse, arm, b, six(last, width));
                }
            }
            if !node.sweep.chained && node.parent.is_some() {
                let slot = tree.slot_of_parent(node);
                add(&mut kept[6 * width * slot..][..6 * width], last);
            }
        }
        for (i, node) in tree.nodes.iter().enumerate() {
            if node.parent.is_none() {
                last.fill(0.0);
            } else if !node.sweep.chained {
                let slot = tree.slot_of_parent(node);
                last.copy_from_slice(&kept[6 * width * slot..][..6 * width]);
            }
            let arm = self.pass[i].pose.arm;
            let x = &mut x[width * node.dof as usize..][..width * node.joint.dof()];
            let columns = &self.column[node.dofs()];
            match (node.joint, columns) {
                (Mobility::Revolute, [one]) => outward::<false>(one, arm, x, six(last, width)),
                (_, [one]) => outward::<true>(one, arm, x, six(last, width)),
                _ => {
                    let inverse = &self.inverse[self.several[i] as usize];
                    outward_several(columns, inverse, arm, x, six(last, width));
                }
            }
            if let Some(slot) = node.sweep.slot {
                kept[6 * width * slot as usize..][..6 * width].copy_from_slice(last);
            }
        }
    }
}

fn add(to: &mut [f64], from: &[f64]) {
    for (t, f) in to.iter_mut().zip(from) {
        *t += f;
    }
}
