//! The body of [`crate::rigid_body`] in Euler parameters: four plain numbers and their norm as a
//! constraint, for comparison.
//!
//! ```text
//!  w = L(e) e',  L = 2 G:   L' (J L e'' + w x J w) - H' f + 2 e mu = 0,   e.e - 1 = 0
//!  H(e) = d(R(e) X)/de;     x - R(e) X = 0,  m x'' + lambda = weight,  f = -lambda     with positions
//! ```
//!
//! `L(a) b = -L(b) a` and `H(a) b = H(b) a`, since the first is bilinear and skew and the second the
//! derivative of a quadratic form; `L(e') e' = 0` is why no further term appears.

use crate::rigid_body::Body;
use crate::small::Equations;
use linkwork_dae::rotation::{Matrix, Vector, cross, dot, hat};
use linkwork_dae::system::{At, Energy};

/// See the [module](self); `N` is 4 and `C` 1 about the fixed point, 7 and 4 with positions.
#[derive(Clone, Copy, Debug)]
pub struct EulerParameters<const N: usize, const C: usize> {
    /// The body and its start.
    pub body: Body,
}

/// About the fixed point.
pub type Turning = EulerParameters<4, 1>;
/// With the centre of mass as coordinates.
pub type Moving = EulerParameters<7, 4>;

type Four = [f64; 4];
type Wide = [Four; 3];

fn four(x: &[f64]) -> Four {
    let mut out = [0.0; 4];
    out.copy_from_slice(&x[x.len() - 4..]);
    out
}

/// `L(e)`.
fn rate_matrix(e: Four) -> Wide {
    let [w, x, y, z] = e.map(|x| 2.0 * x);
    [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]
}

/// `L(e)' f` as a matrix that multiplies `e`.
fn transposed_by_e(f: Vector) -> [Four; 4] {
    let [a, b, c] = f.map(|x| 2.0 * x);
    [
        [0.0, -a, -b, -c],
        [a, 0.0, c, -b],
        [b, -c, 0.0, a],
        [c, b, -a, 0.0],
    ]
}

fn times(m: &Wide, x: Four) -> Vector {
    m.map(|row| (0..4).map(|j| row[j] * x[j]).sum())
}

/// `A' B C` of two wide matrices with a square one between.
fn sandwich(a: &Wide, b: &Matrix, c: &Wide) -> [Four; 4] {
    let bc: Wide =
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| b[i][k] * c[k][j]).sum()));
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[k][i] * bc[k][j]).sum()))
}

fn diagonal(d: Vector) -> Matrix {
    [[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]]
}

impl<const N: usize, const C: usize> EulerParameters<N, C> {
    const MOVING: bool = C > 1;
    /// Index of the first Euler parameter.
    const E: usize = N - 4;

    fn inertia(&self) -> Vector {
        if Self::MOVING {
            self.body.inertia
        } else {
            self.body.inertia_about_joint()
        }
    }

    fn weight(&self) -> Vector {
        [0.0, 0.0, -self.body.mass * self.body.gravity]
    }

    /// `R(e) X`, of degree two in `e`.
    fn end(&self, e: Four) -> Vector {
        let (x, u) = (self.body.arm, [e[1], e[2], e[3]]);
        let (along, turned) = (dot(u, x), cross(u, x));
        let plain = e[0] * e[0] - dot(u, u);
        std::array::from_fn(|i| plain * x[i] + 2.0 * (u[i] * along + e[0] * turned[i]))
    }

    /// `H(e)`.
    fn end_by_e(&self, e: Four) -> Wide {
        let (x, u) = (self.body.arm, [e[1], e[2], e[3]]);
        let (along, turned, skew) = (dot(u, x), cross(u, x), hat(x));
        std::array::from_fn(|i| {
            let mut row = [2.0 * (e[0] * x[i] + turned[i]), 0.0, 0.0, 0.0];
            for j in 0..3 {
                let unit = if i == j { along } else { 0.0 };
                row[1 + j] = 2.0 * (unit + u[i] * x[j] - x[i] * u[j] - e[0] * skew[i][j]);
            }
            row
        })
    }

    /// `(H(e)' f)_e`, a constant.
    fn load_by_e(&self, f: Vector) -> [Four; 4] {
        let columns: [Four; 4] = std::array::from_fn(|j| {
            let mut unit = [0.0; 4];
            unit[j] = 1.0;
            let h = self.end_by_e(unit);
            std::array::from_fn(|i| (0..3).map(|k| h[k][i] * f[k]).sum())
        });
        std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
    }

    /// `d(w x J w)/dw`.
    fn gyroscopic_by_w(&self, w: Vector) -> Matrix {
        let j = self.inertia();
        let (of_w, momentum) = (hat(w), hat(std::array::from_fn(|i| j[i] * w[i])));
        std::array::from_fn(|r| std::array::from_fn(|c| of_w[r][c] * j[c] - momentum[r][c]))
    }

    fn gyroscopic(&self, w: Vector) -> Vector {
        let j = self.inertia();
        cross(w, std::array::from_fn(|i| j[i] * w[i]))
    }

    /// Adds to the block of the Euler parameters.
    fn add(out: &mut [f64], factor: f64, block: &[Four; 4]) {
        for (i, row) in block.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                out[(Self::E + i) * N + Self::E + j] += factor * x;
            }
        }
    }

    /// Angular velocity in body axes.
    pub fn omega(q: &[f64], v: &[f64]) -> Vector {
        times(&rate_matrix(four(q)), four(v))
    }
}

impl<const N: usize, const C: usize> Equations for EulerParameters<N, C> {
    const N: usize = N;
    const C: usize = C;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        const NAMES: [(&str, &str); 7] = [
            ("x", "m"),
            ("y", "m"),
            ("z", "m"),
            ("e0", ""),
            ("e1", ""),
            ("e2", ""),
            ("e3", ""),
        ];
        NAMES[7 - N..].to_vec()
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (vec![0.0; N], vec![0.0; N]);
        q[Self::E] = 1.0;
        for i in 0..3 {
            v[Self::E + 1 + i] = 0.5 * self.body.omega[i];
        }
        if Self::MOVING {
            q[..3].copy_from_slice(&self.body.arm);
            v[..3].copy_from_slice(&cross(self.body.omega, self.body.arm));
        }
        (q, v, Vec::new())
    }

    /// Half an angle is an Euler parameter.
    fn scale(&self, i: usize) -> f64 {
        if i < Self::E { 1.0 } else { 0.5 }
    }

    fn mass(&self, q: &[f64], _: f64, m: &mut [f64]) {
        m.fill(0.0);
        for i in 0..Self::E {
            m[i * N + i] = self.body.mass;
        }
        let l = rate_matrix(four(q));
        Self::add(m, 1.0, &sandwich(&l, &diagonal(self.inertia()), &l));
    }

    fn mass_q(&self, q: &[f64], a: &[f64], _: f64, out: &mut [f64]) {
        let (l, j) = (rate_matrix(four(q)), self.inertia());
        let turning = times(&l, four(a));
        let moment = std::array::from_fn(|i| j[i] * turning[i]);
        Self::add(out, 1.0, &transposed_by_e(moment));
        let of_a = rate_matrix(four(a));
        Self::add(out, -1.0, &sandwich(&l, &diagonal(j), &of_a));
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        let e = four(at.q);
        let l = rate_matrix(e);
        let gyroscopic = self.gyroscopic(times(&l, four(at.v)));
        let (h, weight) = (self.end_by_e(e), self.weight());
        f.fill(0.0);
        for i in 0..4 {
            let load: f64 = (0..3).map(|k| h[k][i] * weight[k]).sum();
            let inertia: f64 = (0..3).map(|k| l[k][i] * gyroscopic[k]).sum();
            f[Self::E + i] = if Self::MOVING { 0.0 } else { load } - inertia;
        }
        if Self::MOVING {
            f[..3].copy_from_slice(&weight);
        }
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], _: &mut [f64]) {
        let (l, of_v) = (rate_matrix(four(at.q)), rate_matrix(four(at.v)));
        let w = times(&l, four(at.v));
        let by_w = self.gyroscopic_by_w(w);
        Self::add(f_q, -1.0, &transposed_by_e(self.gyroscopic(w)));
        Self::add(f_q, 1.0, &sandwich(&l, &by_w, &of_v));
        Self::add(f_v, -1.0, &sandwich(&l, &by_w, &l));
        if !Self::MOVING {
            Self::add(f_q, 1.0, &self.load_by_e(self.weight()));
        }
    }

    fn constraint(&self, q: &[f64], _: f64, c: &mut [f64]) {
        let e = four(q);
        c[C - 1] = e.iter().map(|x| x * x).sum::<f64>() - 1.0;
        if Self::MOVING {
            let end = self.end(e);
            for i in 0..3 {
                c[i] = q[i] - end[i];
            }
        }
    }

    fn c_q(&self, q: &[f64], _: f64, c_q: &mut [f64]) {
        let e = four(q);
        c_q.fill(0.0);
        for (j, e) in e.iter().enumerate() {
            c_q[(C - 1) * N + Self::E + j] = 2.0 * e;
        }
        if Self::MOVING {
            for (i, row) in self.end_by_e(e).iter().enumerate() {
                c_q[i * N + i] = 1.0;
                for (j, x) in row.iter().enumerate() {
                    c_q[i * N + Self::E + j] = -x;
                }
            }
        }
    }

    fn cv_q(&self, _: &[f64], v: &[f64], _: f64, out: &mut [f64]) {
        self.c_q(v, 0.0, out);
        for i in 0..Self::E {
            out[i * N + i] = 0.0;
        }
    }

    fn lambda_q(&self, _: &[f64], lambda: &[f64], _: f64, out: &mut [f64]) {
        for i in Self::E..N {
            out[i * N + i] += 2.0 * lambda[C - 1];
        }
        if Self::MOVING {
            let joint = [lambda[0], lambda[1], lambda[2]];
            Self::add(out, -1.0, &self.load_by_e(joint));
        }
    }

    fn gamma(&self, _: &[f64], v: &[f64], _: f64, gamma: &mut [f64]) {
        let rate = four(v);
        gamma[C - 1] = -2.0 * rate.iter().map(|x| x * x).sum::<f64>();
        if Self::MOVING {
            gamma[..3].copy_from_slice(&times(&self.end_by_e(rate), rate));
        }
    }

    fn energy(&self, q: &[f64], v: &[f64], _: f64) -> Option<Energy> {
        let (w, j) = (Self::omega(q, v), self.inertia());
        let mut twice: f64 = (0..3).map(|i| j[i] * w[i] * w[i]).sum();
        if Self::MOVING {
            twice += self.body.mass * (0..3).map(|i| v[i] * v[i]).sum::<f64>();
        }
        Some(Energy {
            kinetic: 0.5 * twice,
            potential: self.body.mass * self.body.gravity * self.end(four(q))[2],
            ..Energy::default()
        })
    }
}
