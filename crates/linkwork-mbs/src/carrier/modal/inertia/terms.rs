//! Equations of motion of a flexible body at a point, from its integrals; all derivatives exact.

use super::{Invariants, add_scaled, add_to, transposed};
use crate::carrier::CarrierPoint;
use crate::carrier::modal::frame::sum;
use crate::geometry::{
    Matrix, Vector, add, apply, apply_transposed, cross, dot, hat, product, scaled, sub,
};
use linkwork_dae::rotation::matrix;
use linkwork_dae::system::Energy;

/// The sums at a point.
pub(super) struct Here<'a> {
    of: &'a Invariants,
    r: Matrix,
    gravity: Vector,
    w: Vector,
    z: &'a [f64],
    rates: &'a [f64],
    second: &'a [f64],
    place: [Vector; 2],
    s: Vector,
    s_rate: Vector,
    j: Matrix,
    h: Matrix,
}

impl<'a> Here<'a> {
    pub fn new(of: &'a Invariants, at: &CarrierPoint<'a>) -> Here<'a> {
        let own = of.floating.count();
        let (z, rates) = (&at.q[own..], &at.v[own..]);
        let (mut j, mut h) = (of.j0, [[0.0; 3]; 3]);
        for k in 0..of.n {
            let n = of.n(k, z);
            add_to(&mut j, &transposed(&of.j1[k]), z[k]);
            add_to(&mut j, &n, z[k]);
            add_to(&mut h, &n, rates[k]);
        }
        Here {
            of,
            r: matrix(of.floating.orientation(at)),
            gravity: at.gravity,
            w: of.floating.three(at.v, 3),
            z,
            rates,
            second: at.a.get(own..).unwrap_or(&[]),
            place: [0, 3].map(|first| of.floating.three(at.a, first)),
            s: {
                let mut s = add(of.s0, sum(&of.sf, z));
                let both = z.iter().enumerate().map(|(k, z_k)| z_k * of.short_by(k, z));
                s[0] -= 0.5 * both.sum::<f64>();
                s
            },
            s_rate: of.sum_sf(z, rates),
            j,
            h,
        }
    }

    /// `g1`.
    fn swing(&self, wd: Vector, second: &[f64]) -> Vector {
        let w = self.w;
        let inner = add(cross(w, self.s), scaled(self.s_rate, 2.0));
        let mut own = add(cross(wd, self.s), self.of.sum_sf(self.z, second));
        let rates = self.rates.iter().enumerate();
        own[0] -= rates
            .map(|(k, rate)| rate * self.of.short_by(k, self.rates))
            .sum::<f64>();
        add(own, cross(w, inner))
    }

    /// `r` for some accelerations; those of the modes are zero where there are none.
    pub fn residual(&self, second: Vector, wd: Vector, modes: Option<&[f64]>, r: &mut [f64]) {
        let Here {
            of, w, z, rates, ..
        } = *self;
        let modes = modes.unwrap_or(&[]);
        let own = of.floating.count();
        let falls = sub(second, self.gravity);
        let seen = apply_transposed(&self.r, falls);
        let place = apply(&self.r, self.swing(wd, modes));
        let mut turn = add(cross(self.s, seen), apply(&self.j, wd));
        turn = add(turn, cross(w, apply(&self.j, w)));
        turn = add(turn, scaled(apply(&self.h, w), 2.0));
        for k in 0..of.n {
            let g = of.g(k, z);
            add_scaled(&mut turn, g, modes.get(k).copied().unwrap_or(0.0));
            let mut sum = dot(of.sf(k, z), seen) + dot(g, wd) - dot(w, apply(&of.n(k, z), w));
            sum += 2.0 * dot(of.g1(k, rates), w);
            let lists = [(&of.mf, modes), (&of.stiffness, z), (&of.damping, rates)];
            for (matrix, x) in lists {
                sum += of.times(matrix, k, x);
            }
            r[own + k] = sum;
        }
        for (modes, factor) in &of.cubic {
            for (i, k) in modes.iter().enumerate() {
                let [a, b] = [(i + 1) % 3, (i + 2) % 3].map(|j| z[modes[j]]);
                r[own + k] += factor * a * b;
            }
        }
        for i in 0..3 {
            if let Some(row) = of.floating.at(i) {
                r[row] = of.mass * falls[i] + place[i];
            }
            if let Some(row) = of.floating.at(3 + i) {
                r[row] = turn[i];
            }
        }
    }

    /// Energies and the power of damping.
    pub fn energy(&self, at: &CarrierPoint<'_>) -> Energy {
        let Here {
            of, w, z, rates, ..
        } = *self;
        let form = |matrix: &[f64], x: &[f64]| -> f64 {
            (0..of.n).map(|k| x[k] * of.times(matrix, k, x)).sum()
        };
        let [origin, v] = [at.q, at.v].map(|x| of.floating.three(x, 0));
        let moving = apply(&self.r, add(cross(w, self.s), self.s_rate));
        let turning = (0..of.n).fold([0.0; 3], |sum, k| add(sum, scaled(of.g(k, z), rates[k])));
        let whole = add(scaled(origin, of.mass), apply(&self.r, self.s));
        let strain = 0.5 * form(&of.stiffness, z) + of.cubic_energy(z);
        Energy {
            kinetic: 0.5 * of.mass * dot(v, v)
                + dot(v, moving)
                + 0.5 * dot(w, apply(&self.j, w))
                + dot(w, turning)
                + 0.5 * form(&of.mf, rates),
            potential: strain - dot(at.gravity, whole),
            strain,
            power: -form(&of.damping, rates),
        }
    }

    /// The mass matrix.
    pub fn mass(&self, m: &mut [f64]) {
        let floating = self.of.floating;
        let own = floating.count();
        let count = own + self.of.n;
        for i in (0..3).filter_map(|i| floating.at(i)) {
            m[i * count + i] = self.of.mass;
        }
        let coupled = product(&self.r, &hat(scaled(self.s, -1.0)));
        floating.put_square(m, count, [0, 3], &coupled);
        floating.put_square(m, count, [3, 0], &transposed(&coupled));
        floating.put_square(m, count, [3, 3], &self.j);
        for k in 0..self.of.n {
            let column = own + k;
            let f = self.of.sf(k, self.z);
            let (place, turn) = (apply(&self.r, f), self.of.g(k, self.z));
            for (freedom, x) in place.into_iter().chain(turn).enumerate() {
                if let Some(i) = floating.at(freedom) {
                    m[i * count + column] = x;
                    m[column * count + i] = x;
                }
            }
            let first = column * count + own;
            m[first..first + self.of.n].copy_from_slice(self.of.row(&self.of.mf, k));
        }
    }

    /// `r_q` along the tangent and `r_v`.
    pub fn derivatives(&self, r_q: &mut [f64], r_v: &mut [f64]) {
        let Here {
            of, w, z, rates, ..
        } = *self;
        let floating = of.floating;
        let own = floating.count();
        let (n, count) = (of.n, own + of.n);
        let put = |to: &mut [f64], at: [usize; 2], block: &Matrix| {
            floating.put_square(to, count, at, block);
        };
        let [falls, wd] = [sub(self.place[0], self.gravity), self.place[1]];
        let seen = apply_transposed(&self.r, falls);
        let turned = |m: &Matrix| product(&self.r, m);
        let swing = self.swing(wd, self.second);
        put(r_q, [0, 3], &turned(&hat(scaled(swing, -1.0))));
        put(r_q, [3, 3], &product(&hat(self.s), &hat(seen)));
        let (ws, wj) = (hat(cross(w, self.s)), product(&hat(w), &self.j));
        let (w_hat_s, jw) = (product(&hat(w), &hat(self.s)), hat(apply(&self.j, w)));
        let flow = hat(self.s_rate);
        let place: Matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| -ws[i][j] - w_hat_s[i][j] - 2.0 * flow[i][j])
        });
        put(r_v, [0, 3], &turned(&place));
        let turn: Matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| wj[i][j] - jw[i][j] + 2.0 * self.h[i][j])
        });
        put(r_v, [3, 3], &turn);
        for k in 0..n {
            let column = own + k;
            let f = of.sf(k, z);
            // derivatives of the static moment by this mode, along x, with rates and accelerations
            let shorter = |x: &[f64]| [-of.short_by(k, x), 0.0, 0.0];
            let (by_rate, by_second) = (shorter(rates), shorter(self.second));
            let moments = of.n(k, z);
            // J by z_k
            let mut by = moments;
            add_to(&mut by, &transposed(&moments), 1.0);
            let across = add(cross(wd, f), cross(w, cross(w, f)));
            let across = add(across, add(by_second, scaled(cross(w, by_rate), 2.0)));
            let mut turn = add(cross(f, seen), apply(&by, wd));
            turn = add(turn, cross(w, apply(&by, w)));
            for j in 0..n {
                let kj = k * n + j;
                let second = self.second.get(j).copied().unwrap_or(0.0);
                add_scaled(&mut turn, of.g1[kj], second);
                let pair = apply(&of.j2[kj], w);
                add_scaled(&mut turn, pair, 2.0 * rates[j]);
                let at = (own + j) * count + column;
                let short = of.short.get(kj).map_or(0.0, |b| b * seen[0]);
                r_q[at] = dot(of.g1[kj], wd) - dot(w, pair) + of.stiffness[j * n + k] - short;
                r_v[at] = 2.0 * dot(of.g1[kj], w) + of.damping[j * n + k];
            }
            let place = apply(&self.r, across);
            let swept = apply(&self.r, scaled(add(cross(w, f), by_rate), 2.0));
            let spun = scaled(apply(&moments, w), 2.0);
            let by_turn = cross(f, seen);
            let by_spin = sub(
                scaled(of.g1(k, rates), 2.0),
                add(apply(&moments, w), apply_transposed(&moments, w)),
            );
            for i in 0..3 {
                if let Some(row) = floating.at(i) {
                    r_q[row * count + column] = place[i];
                    r_v[row * count + column] = swept[i];
                }
                if let Some(row) = floating.at(3 + i) {
                    r_q[row * count + column] = turn[i];
                    r_q[column * count + row] = by_turn[i];
                    r_v[row * count + column] = spun[i];
                    r_v[column * count + row] = by_spin[i];
                }
            }
        }
        for (modes, factor) in &of.cubic {
            for i in 0..3 {
                for j in (0..3).filter(|j| *j != i) {
                    let third = z[modes[3 - i - j]];
                    r_q[(own + modes[i]) * count + own + modes[j]] += factor * third;
                }
            }
        }
    }
}
