//! A rotation by four numbers of any length, and its derivatives (Nikravesh 1988).
//!
//! With `n^2 = e . e` and `L = 2 G`, exact also off the unit sphere because `B` is divided by the norm:
//!
//! ```text
//!  omega = B e'        B(e) = L(e)/n^2
//!  alpha = B e'' + b   b = -2 (e . e')/n^2 omega   since L(e') e' = 0
//!
//!  (B p)_e = -L(p)/n^2 - 2/n^2 (B p) e'        (B' tau)_e = T(tau)/n^2 - 2/n^2 (B' tau) e'
//! ```
//!
//! by `L(e) p = -L(p) e`.

/// Four numbers, scalar part first.
pub(super) type Four = [f64; 4];
/// Three rows of four.
pub(super) type Wide = [Four; 3];

/// `B`, its rates and derivatives at one point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Operators {
    e: Four,
    pub omega: [f64; 3],
    /// `b` of `alpha = B e'' + b`.
    pub bias: [f64; 3],
    /// `B`.
    pub b: Wide,
    /// `W = (B e')_e`.
    pub w: Wide,
    /// `A = (B e'' + b)_e`.
    pub a: Wide,
    /// `b_v`.
    pub bias_v: Wide,
    /// `n^2`.
    square: f64,
}

pub(super) fn dot(a: Four, b: Four) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// `L(e)`.
fn rate_matrix(e: Four) -> Wide {
    let [w, x, y, z] = e.map(|x| 2.0 * x);
    [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]
}

fn times(m: &Wide, x: Four) -> [f64; 3] {
    m.map(|row| dot(row, x))
}

fn combined(f: impl Fn(usize, usize) -> f64) -> Wide {
    std::array::from_fn(|i| std::array::from_fn(|j| f(i, j)))
}

impl Operators {
    pub fn new(e: Four, rate: Four, second: Four) -> Operators {
        let square = dot(e, e);
        let i = 1.0 / square;
        let b = rate_matrix(e).map(|row| row.map(|x| x * i));
        let omega = times(&b, rate);
        // (B p)_e
        let by_e = |p: Four| {
            let (l, value) = (rate_matrix(p), times(&b, p));
            combined(|r, c| -i * l[r][c] - 2.0 * i * value[r] * e[c])
        };
        let radial = dot(e, rate);
        let bias = omega.map(|x| -2.0 * radial * i * x);
        let w = by_e(rate);
        let by_second = by_e(second);
        let a = combined(|r, c| {
            let slope = rate[c] - 2.0 * radial * i * e[c];
            by_second[r][c] - 2.0 * i * omega[r] * slope - 2.0 * radial * i * w[r][c]
        });
        Operators {
            e,
            omega,
            bias,
            bias_v: combined(|r, c| -2.0 * i * (omega[r] * e[c] + radial * b[r][c])),
            b,
            w,
            a,
            square,
        }
    }

    /// `B' tau`.
    pub fn pull(&self, tau: [f64; 3]) -> Four {
        std::array::from_fn(|j| {
            tau[0] * self.b[0][j] + tau[1] * self.b[1][j] + tau[2] * self.b[2][j]
        })
    }

    /// `(B' tau)_e`.
    pub fn pull_by_e(&self, tau: [f64; 3]) -> [Four; 4] {
        let i = 1.0 / self.square;
        let [a, b, c] = tau.map(|x| 2.0 * i * x);
        let turned = [
            [0.0, -a, -b, -c],
            [a, 0.0, c, -b],
            [b, -c, 0.0, a],
            [c, b, -a, 0.0],
        ];
        let pulled = self.pull(tau);
        std::array::from_fn(|r| {
            std::array::from_fn(|c| turned[r][c] - 2.0 * i * pulled[r] * self.e[c])
        })
    }

    /// Rates of Euler parameters on the sphere with an angular velocity: `e' = L' omega / 4`.
    pub fn rates(e: Four, omega: [f64; 3]) -> Four {
        let l = rate_matrix(e);
        std::array::from_fn(|j| {
            0.25 * (l[0][j] * omega[0] + l[1][j] * omega[1] + l[2][j] * omega[2])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Increments of 1e-6 at values of order one leave 1e-9.
    #[test]
    fn operators_are_derivatives() {
        const STEP: f64 = 1e-6;
        // off the sphere on purpose
        let (e, v, a) = (
            [0.7, -0.4, 0.5, 0.9],
            [0.3, 0.8, -0.6, 0.1],
            [-0.2, 0.5, 0.4, 1.1],
        );
        let here = Operators::new(e, v, a);
        let omega = |e: Four, v: Four| times(&Operators::new(e, v, a).b, v);
        let alpha = |e: Four, v: Four| {
            let o = Operators::new(e, v, a);
            let turning = times(&o.b, a);
            [0, 1, 2].map(|i| turning[i] + o.bias[i])
        };
        let tau = [0.4, -1.1, 0.6];
        for j in 0..4 {
            let shifted = |x: Four, h: f64| {
                let mut x = x;
                x[j] += h;
                x
            };
            let at = |h: f64| Operators::new(shifted(e, h), v, a);
            let [ahead, behind] = [STEP, -STEP].map(|h| shifted(e, h));
            let [fast, slow] = [STEP, -STEP].map(|h| shifted(v, h));
            let close = |got: f64, hi: f64, lo: f64| {
                let want = (hi - lo) / (2.0 * STEP);
                assert!((got - want).abs() < 1e-8, "{got} {want}");
            };
            for i in 0..3 {
                close(here.w[i][j], omega(ahead, v)[i], omega(behind, v)[i]);
                close(here.a[i][j], alpha(ahead, v)[i], alpha(behind, v)[i]);
                close(here.b[i][j], omega(e, fast)[i], omega(e, slow)[i]);
                close(here.bias_v[i][j], alpha(e, fast)[i], alpha(e, slow)[i]);
            }
            let m = here.pull_by_e(tau);
            for i in 0..4 {
                close(m[i][j], at(STEP).pull(tau)[i], at(-STEP).pull(tau)[i]);
            }
        }
        // along the motion: alpha is the rate of omega
        let moved = |h: f64| {
            let q = std::array::from_fn(|i| e[i] + h * v[i] + 0.5 * h * h * a[i]);
            omega(q, std::array::from_fn(|i| v[i] + h * a[i]))
        };
        for i in 0..3 {
            let want = (moved(STEP)[i] - moved(-STEP)[i]) / (2.0 * STEP);
            assert!((alpha(e, v)[i] - want).abs() < 1e-8);
        }
    }
}
