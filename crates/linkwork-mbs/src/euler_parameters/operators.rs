//! What Euler parameters do to one rotation; see the parent module for the formulas.

/// Four numbers, scalar part first.
pub(super) type Four = [f64; 4];
/// Three rows of four.
pub(super) type Wide = [Four; 3];

/// `B`, its rates and derivatives at one point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Operators {
    pub e: Four,
    pub rate: Four,
    pub omega: [f64; 3],
    pub alpha: [f64; 3],
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

fn dot(a: Four, b: Four) -> f64 {
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
        let turning = times(&b, second);
        let by_second = by_e(second);
        let a = combined(|r, c| {
            let slope = rate[c] - 2.0 * radial * i * e[c];
            by_second[r][c] - 2.0 * i * omega[r] * slope - 2.0 * radial * i * w[r][c]
        });
        Operators {
            e,
            rate,
            omega,
            alpha: std::array::from_fn(|k| turning[k] + bias[k]),
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
        let tau = [0.4, -1.1, 0.6];
        for j in 0..4 {
            let shifted = |x: Four, h: f64| {
                let mut x = x;
                x[j] += h;
                x
            };
            let at = |h: f64| Operators::new(shifted(e, h), v, a);
            let fast = |h: f64| Operators::new(e, shifted(v, h), a);
            let close = |got: f64, hi: f64, lo: f64| {
                let want = (hi - lo) / (2.0 * STEP);
                assert!((got - want).abs() < 1e-8, "{got} {want}");
            };
            for i in 0..3 {
                close(here.w[i][j], at(STEP).omega[i], at(-STEP).omega[i]);
                close(here.a[i][j], at(STEP).alpha[i], at(-STEP).alpha[i]);
                close(here.b[i][j], fast(STEP).omega[i], fast(-STEP).omega[i]);
                let (hi, lo) = (fast(STEP).alpha[i], fast(-STEP).alpha[i]);
                close(here.bias_v[i][j], hi, lo);
            }
            let m = here.pull_by_e(tau);
            for i in 0..4 {
                close(m[i][j], at(STEP).pull(tau)[i], at(-STEP).pull(tau)[i]);
            }
        }
        // along the motion: alpha is the rate of omega
        let moved = |h: f64| {
            let q = std::array::from_fn(|i| e[i] + h * v[i] + 0.5 * h * h * a[i]);
            Operators::new(q, std::array::from_fn(|i| v[i] + h * a[i]), a)
        };
        for i in 0..3 {
            let want = (moved(STEP).omega[i] - moved(-STEP).omega[i]) / (2.0 * STEP);
            assert!((here.alpha[i] - want).abs() < 1e-8);
        }
    }
}
