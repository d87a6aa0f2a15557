//! Inertia of a flexible body from nine integrals over its mass, exact for displacements `Phi z`.
//!
//! ```text
//!  m        S0 = sum c     Sf_k = sum phi_k     G0_k = sum c x phi_k     G1_kj = sum phi_k x phi_j
//!  Mf = sum Phi' Phi       J0 = -sum c^ c^      J1_k = -sum c^ phi_k^    J2_kl = -sum phi_k^ phi_l^
//!
//!  S = S0 + Sf z     G_k = G0_k + sum_l z_l G1_lk     N_k = J1_k + sum_l z_l J2_lk
//!  J = J0 + sum_k z_k (J1_k' + N_k)                   H = sum_k z'_k N_k
//!
//!  a_b = R' (x'' - g)                                 g1 = w' x S + Sf z'' + w x (w x S + 2 Sf z')
//!  r_x = m (x'' - g) + R g1
//!  r_w = S x a_b + J w' + G z'' + w x J w + 2 H w
//!  r_k = Sf_k a_b + G_k w' + (Mf z'')_k - w' N_k w + 2 sum_l z'_l G1_lk w + (K z + D z')_k
//! ```
//!
//! Lumped moments of inertia count with the rotations of the modes to first order: in J0, G0 and Mf. Shortenings
//! `-e_x z' B z/2` count to first order as well, with points on the x axis: with `b = sum B`
//!
//! ```text
//!  S = S0 + Sf z - e_x z' b z/2      Sf_k - e_x (b z)_k in place of Sf_k      g1 - e_x z'' b z'
//!  J2_kl + sum B_kl (c^ e_x^ + e_x^ c^)/2 in place of J2_kl
//! ```

mod terms;

use super::Modal;
use super::floating::Floating;
use super::frame::sum;
use super::symmetric::eigen;
use crate::carrier::{CarrierPoint, OwnTerms};
use crate::geometry::{Matrix, Vector, add, cross, dot, hat, product, scaled};
use linkwork_dae::system::Energy;
use terms::Here;

/// The integrals, and what the modes resist with.
#[derive(Clone, Debug)]
pub(super) struct Invariants {
    floating: Floating,
    n: usize,
    mass: f64,
    s0: Vector,
    sf: Vec<Vector>,
    g0: Vec<Vector>,
    /// `G1_kj` at `k n + j`, and so on for all that have two modes.
    g1: Vec<Vector>,
    mf: Vec<f64>,
    j0: Matrix,
    j1: Vec<Matrix>,
    j2: Vec<Matrix>,
    /// `b`; empty where nothing shortens.
    short: Vec<f64>,
    stiffness: Vec<f64>,
    /// Strain energy of the third order.
    cubic: Vec<([usize; 3], f64)>,
    damping: Vec<f64>,
    /// Amplitudes at which the modes are as large as the body.
    pub scales: Vec<f64>,
}

/// `to += factor m`.
fn add_to(to: &mut Matrix, m: &Matrix, factor: f64) {
    for (to, m) in to.as_flattened_mut().iter_mut().zip(m.as_flattened()) {
        *to += factor * m;
    }
}

fn transposed(m: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

fn add_scaled(to: &mut Vector, x: Vector, factor: f64) {
    *to = add(*to, scaled(x, factor));
}

impl Invariants {
    pub fn new(modal: &Modal) -> Invariants {
        let n = modal.modes();
        let mut all = Invariants {
            floating: modal.floating(),
            n,
            mass: modal.mass(),
            s0: [0.0; 3],
            sf: vec![[0.0; 3]; n],
            g0: vec![[0.0; 3]; n],
            g1: vec![[0.0; 3]; n * n],
            mf: match modal.added_mass.is_empty() {
                true => vec![0.0; n * n],
                false => modal.added_mass.clone(),
            },
            j0: [[0.0; 3]; 3],
            j1: vec![[[0.0; 3]; 3]; n],
            j2: vec![[[0.0; 3]; 3]; n * n],
            short: match modal.points.iter().all(|p| p.shortening.is_empty()) {
                true => Vec::new(),
                false => vec![0.0; n * n],
            },
            stiffness: modal.stiffness.clone(),
            cubic: modal.cubic_energy.clone(),
            damping: match modal.damping.is_empty() {
                true => vec![0.0; n * n],
                false => modal.damping.clone(),
            },
            scales: Vec::new(),
        };
        // masses that move along x, to both sides alike
        let across_x = [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for (j2, added) in all.j2.iter_mut().zip(&modal.added_mass) {
            add_to(j2, &across_x, *added);
        }
        for p in &modal.points {
            let (m, c) = (p.mass, p.place);
            add_scaled(&mut all.s0, c, m);
            add_to(&mut all.j0, &product(&hat(c), &hat(c)), -m);
            for i in 0..3 {
                all.j0[i][i] += p.inertia[i];
            }
            let (across, along) = (hat(c), hat([1.0, 0.0, 0.0]));
            let pairs = all.short.iter_mut().zip(&mut all.j2);
            for ((short, j2), b) in pairs.zip(&p.shortening) {
                *short += m * b;
                add_to(j2, &product(&across, &along), 0.5 * m * b);
                add_to(j2, &product(&along, &across), 0.5 * m * b);
            }
            let turned = |psi: Vector| [0, 1, 2].map(|i| p.inertia[i] * psi[i]);
            let shapes = p.displacement.iter().zip(&p.rotation).take(n);
            for (k, (&phi, &psi)) in shapes.clone().enumerate() {
                add_scaled(&mut all.sf[k], phi, m);
                add_scaled(&mut all.g0[k], cross(c, phi), m);
                add_scaled(&mut all.g0[k], turned(psi), 1.0);
                add_to(&mut all.j1[k], &product(&hat(c), &hat(phi)), -m);
                for (l, (&other, &turn)) in shapes.clone().enumerate() {
                    let kl = k * n + l;
                    add_scaled(&mut all.g1[kl], cross(phi, other), m);
                    all.mf[kl] += m * dot(phi, other) + dot(psi, turned(turn));
                    add_to(&mut all.j2[kl], &product(&hat(phi), &hat(other)), -m);
                }
            }
        }
        if !modal.modal_mass.is_empty() {
            all.mf.clone_from(&modal.modal_mass);
        }
        for (k, ratio) in modal.damping_ratio.iter().take(n).enumerate() {
            let at = k * n + k;
            let stiffness = all.stiffness.get(at).copied().unwrap_or(0.0);
            all.damping[at] += 2.0 * ratio * (stiffness * all.mf[at]).max(0.0).sqrt();
        }
        let [by_mass, by_stiffness] = modal.rayleigh;
        for (d, (m, k)) in (all.damping.iter_mut()).zip(all.mf.iter().zip(&all.stiffness)) {
            *d += by_mass * m + by_stiffness * k;
        }
        all.scales = scales(modal);
        all
    }

    /// Squares of the angular frequencies of the free body beside motions of the whole.
    pub fn frequencies(&self) -> Option<Vec<f64>> {
        let own = self.floating.count();
        let count = own + self.n;
        let mass = self.mass_at_rest();
        let rows = |m: &[f64], n: usize| -> Vec<Vec<f64>> {
            m.chunks_exact(n).map(<[f64]>::to_vec).collect()
        };
        let mut stiffness = vec![0.0; count * count];
        for k in 0..self.n {
            let first = (own + k) * count + own;
            stiffness[first..first + self.n].copy_from_slice(self.row(&self.stiffness, k));
        }
        let pairs = eigen(&rows(&stiffness, count), &rows(&mass, count))?;
        let mut all: Vec<f64> = pairs.into_iter().map(|(value, _)| value).collect();
        // motions of the whole are those closest to zero
        all.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let mut all = all.split_off(own.min(all.len()));
        all.sort_by(f64::total_cmp);
        Some(all)
    }

    /// Inertia that any two modes (from 1) have in common, as a share of their own.
    pub fn overlaps(&self) -> Vec<(usize, usize, f64)> {
        let own = |k: usize| self.mf[k * self.n + k].abs().sqrt();
        let pairs = (0..self.n).flat_map(|i| (0..i).map(move |j| (j, i)));
        let share = |(i, j): (usize, usize)| {
            let share = self.mf[i * self.n + j].abs() / (own(i) * own(j));
            (i + 1, j + 1, share)
        };
        pairs.map(share).filter(|s| s.2.is_finite()).collect()
    }

    /// Angular frequency and damping ratio of each mode alone.
    pub fn vibrations(&self) -> Vec<[f64; 2]> {
        let one = |k: usize| {
            let at = k * self.n + k;
            let of = |x: &[f64]| x.get(at).copied().unwrap_or(0.0);
            let [m, c, k] = [&self.mf, &self.damping, &self.stiffness].map(|x| of(x));
            match m > 0.0 && k > 0.0 {
                true => [(k / m).sqrt(), 0.5 * c / (k * m).sqrt()],
                false => [0.0; 2],
            }
        };
        (0..self.n).map(one).collect()
    }

    /// Strain energy, then for each mode its share of it and of the energy of the rates.
    pub fn energies(&self, at: &CarrierPoint<'_>, out: &mut [f64]) {
        let own = self.floating.count();
        let (z, rates) = (&at.q[own..], &at.v[own..]);
        let share = |matrix: &[f64], k: usize, x: &[f64]| 0.5 * x[k] * self.times(matrix, k, x);
        let Some((whole, modes)) = out.split_first_mut() else {
            return;
        };
        *whole = self.cubic_energy(z);
        for (k, to) in modes.iter_mut().enumerate() {
            let strain = share(&self.stiffness, k, z);
            *whole += strain;
            *to = strain + share(&self.mf, k, rates);
        }
    }

    fn cubic_energy(&self, z: &[f64]) -> f64 {
        let product = |(of, factor): &([usize; 3], f64)| of.iter().fold(*factor, |x, k| x * z[*k]);
        self.cubic.iter().map(product).sum()
    }

    /// The mass matrix where nothing is deformed.
    fn mass_at_rest(&self) -> Vec<f64> {
        let count = self.floating.count() + self.n;
        let mut own = OwnTerms::new(count, 0);
        let zeros = vec![0.0; count];
        let at = CarrierPoint {
            q: &zeros,
            v: &zeros,
            a: &zeros,
            orientation: linkwork_dae::rotation::IDENTITY,
            gravity: [0.0; 3],
        };
        self.terms(&at, true, &mut own);
        own.mass
    }

    /// Why the body could not be moved: a mode that is none, or a motion of the whole.
    pub fn problem(&self) -> Option<String> {
        let own = self.floating.count();
        let count = own + self.n;
        // Cholesky; a pivot that is left of what it was shows a dependent motion
        let mut m = self.mass_at_rest();
        for k in 0..count {
            let whole = m[k * count + k];
            for j in 0..k {
                let l = m[k * count + j];
                m[k * count + k] -= l * l;
            }
            let pivot = m[k * count + k];
            if !(pivot > 1e-10 * whole) {
                let left = if whole > 0.0 { pivot / whole } else { 0.0 };
                return Some(match k.checked_sub(own) {
                    None => format!(
                        "its mass points must not lie on a line, or have inertia: of that about an axis {left:.1e} is its own"
                    ),
                    Some(k) => format!(
                        "mode {} moves no mass, or as the body or other modes do: of its inertia {left:.1e} is its own",
                        k + 1
                    ),
                });
            }
            let root = pivot.sqrt();
            for i in k + 1..count {
                for j in 0..k {
                    m[i * count + k] -= m[i * count + j] * m[k * count + j];
                }
                m[i * count + k] /= root;
            }
        }
        None
    }

    /// `G_k`.
    fn g(&self, k: usize, z: &[f64]) -> Vector {
        add(self.g0[k], self.g1(k, z))
    }

    /// `N_k`.
    fn n(&self, k: usize, z: &[f64]) -> Matrix {
        let mut sum = self.j1[k];
        for (l, z) in z.iter().enumerate() {
            add_to(&mut sum, &self.j2[l * self.n + k], *z);
        }
        sum
    }

    /// `sum_l z_l G1_lk`.
    fn g1(&self, k: usize, z: &[f64]) -> Vector {
        let all = z.iter().enumerate();
        all.fold([0.0; 3], |sum, (l, z)| {
            add(sum, scaled(self.g1[l * self.n + k], *z))
        })
    }

    /// `Sf_k - e_x (b z)_k`.
    fn sf(&self, k: usize, z: &[f64]) -> Vector {
        let mut f = self.sf[k];
        f[0] -= self.short_by(k, z);
        f
    }

    /// `(b x)_k`.
    fn short_by(&self, k: usize, x: &[f64]) -> f64 {
        let row = self.short.get(k * self.n..(k + 1) * self.n);
        let row = row.unwrap_or(&[]);
        row.iter().zip(x).map(|(b, x)| b * x).sum()
    }

    /// `sum_k (Sf_k - e_x (b z)_k) x_k`.
    fn sum_sf(&self, z: &[f64], x: &[f64]) -> Vector {
        let mut total = sum(&self.sf, x);
        if !self.short.is_empty() {
            let both = x.iter().enumerate().map(|(k, x)| x * self.short_by(k, z));
            total[0] -= both.sum::<f64>();
        }
        total
    }

    fn row<'a>(&self, x: &'a [f64], k: usize) -> &'a [f64] {
        &x[k * self.n..(k + 1) * self.n]
    }

    /// Row `k` of a matrix of the modes times `x`.
    fn times(&self, matrix: &[f64], k: usize, x: &[f64]) -> f64 {
        let row = self.row(matrix, k).iter().zip(x);
        row.map(|(m, x)| m * x).sum()
    }

    /// Everything at a point.
    pub fn terms(&self, at: &CarrierPoint<'_>, derivatives: bool, out: &mut OwnTerms) {
        let here = Here::new(self, at);
        let zero: Vector = [0.0; 3];
        here.residual(zero, zero, None, &mut out.force);
        out.force.iter_mut().for_each(|x| *x = -*x);
        let [second, wd] = [0, 3].map(|first| self.floating.three(at.a, first));
        let modes = &at.a[self.floating.count()..];
        here.residual(second, wd, Some(modes), &mut out.r);
        here.mass(&mut out.mass);
        if derivatives {
            here.derivatives(&mut out.r_q, &mut out.r_v);
        }
    }

    /// Energies and the power of damping at a point.
    pub fn energy(&self, at: &CarrierPoint<'_>) -> Energy {
        Here::new(self, at).energy(at)
    }
}

/// Amplitudes at which the modes move or turn points by the size of the body, or by one radian.
fn scales(modal: &Modal) -> Vec<f64> {
    let places = modal.points.iter().map(|p| p.place);
    let span = |i: usize| {
        let along = places.clone().map(|p| p[i]);
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        high - low
    };
    let size = (0..3).map(span).fold(0.0, f64::max);
    let largest = |shape: Option<&Vector>| {
        let all = shape.into_iter().flatten();
        all.fold(0.0f64, |m, x| m.max(x.abs()))
    };
    let scale = |k: usize| {
        let of_point = modal.points.iter().map(|p| {
            let moved = largest(p.displacement.get(k)) / size;
            moved.max(largest(p.rotation.get(k)))
        });
        let most = of_point.fold(0.0, f64::max);
        if most > 0.0 && most.is_finite() {
            1.0 / most
        } else {
            1.0
        }
    };
    (0..modal.modes()).map(scale).collect()
}
