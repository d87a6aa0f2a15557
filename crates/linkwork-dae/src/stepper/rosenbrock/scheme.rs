//! Coefficients of Rosenbrock-Nyström methods.
//!
//! A Rosenbrock method `(alpha_ij, gamma_ij, b_i)`, `gamma_ii = gamma`, applied to `w' = z`,
//! `z' = f`, has stages for `w` that can be eliminated. With `u_i = sum_j gamma_ij l_j` of the
//! stages `l_i` of `z` and the matrices `A`, `G` of its coefficients,
//!
//! ```text
//!  a = A G^-1         c = 1/gamma - G^-1      m' = b' G^-1
//!  theta = A (a + I)  delta = G (a + I)       mu' = b' (a + I)
//! ```
//!
//! (Hairer & Wanner 1996, IV.7; Negrut, Sandu, Haug, Potra & Sandu 2003.) Only the defining
//! coefficients are written down; the others are computed from them.

/// Most stages.
pub(super) const STAGES: usize = 4;

type Table = [[f64; STAGES]; STAGES];
type Weights = [f64; STAGES];

/// A method in the form in which it is applied. Rows and columns beyond its stages are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheme {
    pub(super) stages: usize,
    pub(super) gamma: f64,
    /// Order of the error estimate: the error it controls is of order `h^(estimate + 1)`.
    pub(super) estimate: usize,
    /// Order of the method.
    pub(super) order: usize,
    /// Abscissae.
    pub(super) alpha: Weights,
    /// Weights of the time derivative.
    pub(super) gamma_sum: Weights,
    pub(super) a: Table,
    pub(super) c: Table,
    pub(super) theta: Table,
    pub(super) delta: Table,
    /// Weights of velocities and positions, and the differences from those of the embedded method.
    pub(super) m: Weights,
    pub(super) mu: Weights,
    pub(super) m_error: Weights,
    pub(super) mu_error: Weights,
    /// Whether a stage takes the right-hand side of the one before it.
    pub(super) repeats: [bool; STAGES],
    /// Whether the last stage is evaluated at the end of the step.
    pub(super) lands: bool,
    /// Whether derivatives may be those of an earlier step.
    pub(super) rough: bool,
}

/// The defining coefficients.
struct Rosenbrock {
    stages: usize,
    gamma: f64,
    alpha: Table,
    /// Below the diagonal.
    gammas: Table,
    b: Weights,
    b_embedded: Weights,
}

impl Scheme {
    /// L-stable, order 4 with an embedded order 3, three right-hand sides a step (Negrut et al.
    /// 2003, table 1, with `gamma_21` negative: with the printed sign the conditions of orders 2 to
    /// 4 fail by up to 2). `gamma` is the root of `x^4 - 4 x^3 + 3 x^2 - 2/3 x + 1/24` that makes the
    /// stability function vanish at infinity, to 8 digits.
    pub fn nystrom4() -> Scheme {
        let third = [0.520_920_789_130_629, 0.134_294_186_842_504_8, 0.0, 0.0];
        let table = Rosenbrock {
            stages: 4,
            gamma: 0.572_816_06,
            alpha: [[0.0; 4], [1.145_632_12, 0.0, 0.0, 0.0], third, third],
            gammas: [
                [0.0; 4],
                [-2.341_993_127_112_014, 0.0, 0.0, 0.0],
                [
                    -0.027_333_746_543_489_836,
                    0.213_811_650_836_699_7,
                    0.0,
                    0.0,
                ],
                [
                    -0.259_083_837_785_510_2,
                    -0.190_595_807_732_311_75,
                    -0.228_031_035_973_133_84,
                    0.0,
                ],
            ],
            b: [
                0.324_534_707_891_734_5,
                0.049_086_544_787_523_31,
                0.0,
                0.626_378_747_320_742_1,
            ],
            b_embedded: [
                0.520_920_789_130_629,
                0.144_549_714_665_364_6,
                0.124_559_686_414_702_05,
                0.209_969_809_789_304_32,
            ],
        };
        Scheme {
            estimate: 3,
            order: 4,
            repeats: [false, false, false, true],
            rough: false,
            ..table.transformed()
        }
    }

    /// Order 2 with any derivatives (Shampine & Reichelt 1997). With exact ones L-stable and the embedded
    /// method, Simpson's rule, of order 3; with others that is of order 2 too, and the estimate still of `h^3`:
    /// `sum b alpha = 1/2`, `sum b gamma = 0` hold for both.
    pub fn w23() -> Scheme {
        let d = 1.0 / (2.0 + std::f64::consts::SQRT_2);
        let e = 6.0 + std::f64::consts::SQRT_2;
        let table = Rosenbrock {
            stages: 3,
            gamma: d,
            alpha: [
                [0.0; 4],
                [0.5, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0; 4],
            ],
            gammas: [
                [0.0; 4],
                [-d, 0.0, 0.0, 0.0],
                [(e - 2.0) * d, -e * d, 0.0, 0.0],
                [0.0; 4],
            ],
            b: [0.0, 1.0, 0.0, 0.0],
            b_embedded: [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0, 0.0],
        };
        Scheme {
            estimate: 2,
            order: 2,
            lands: true,
            rough: true,
            ..table.transformed()
        }
    }
}

impl Rosenbrock {
    fn transformed(&self) -> Scheme {
        let s = self.stages;
        let mut g = self.gammas;
        for (i, row) in g.iter_mut().enumerate().take(s) {
            row[i] = self.gamma;
        }
        let inverse = invert(&g, s);
        let a = multiply(&self.alpha, &inverse, s);
        let mut plus = a;
        for (i, row) in plus.iter_mut().enumerate().take(s) {
            row[i] += 1.0;
        }
        let weights = |b: &Weights, table: &Table| {
            let mut out = [0.0; STAGES];
            for (j, o) in out.iter_mut().enumerate().take(s) {
                *o = (0..s).map(|i| b[i] * table[i][j]).sum();
            }
            out
        };
        let minus = |a: Weights, b: Weights| std::array::from_fn(|i| a[i] - b[i]);
        let mut c = inverse.map(|row| row.map(|x| -x));
        for (i, row) in c.iter_mut().enumerate().take(s) {
            row[i] = 0.0;
        }
        let (m, mu) = (weights(&self.b, &inverse), weights(&self.b, &plus));
        let sums = |table: &Table| table.map(|row| row.iter().sum());
        Scheme {
            stages: s,
            gamma: self.gamma,
            estimate: 0,
            order: 0,
            alpha: sums(&self.alpha),
            gamma_sum: sums(&g),
            c,
            theta: multiply(&self.alpha, &plus, s),
            delta: multiply(&g, &plus, s),
            m_error: minus(m, weights(&self.b_embedded, &inverse)),
            mu_error: minus(mu, weights(&self.b_embedded, &plus)),
            a,
            m,
            mu,
            repeats: [false; STAGES],
            lands: false,
            rough: false,
        }
    }
}

fn multiply(a: &Table, b: &Table, s: usize) -> Table {
    let mut out = [[0.0; STAGES]; STAGES];
    for i in 0..s {
        for j in 0..s {
            out[i][j] = (0..s).map(|k| a[i][k] * b[k][j]).sum();
        }
    }
    out
}

/// Inverse of a lower triangular matrix.
fn invert(g: &Table, s: usize) -> Table {
    let mut out = [[0.0; STAGES]; STAGES];
    for j in 0..s {
        for i in j..s {
            let unit = if i == j { 1.0 } else { 0.0 };
            let sum: f64 = (j..i).map(|k| g[i][k] * out[k][j]).sum();
            out[i][j] = (unit - sum) / g[i][i];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(x: f64, y: f64) {
        assert!((x - y).abs() < 2e-14 * y.abs().max(1.0), "{x} {y}");
    }

    /// The transformed table of the publication (table 2, with `a_21 = 2` instead of 0.2).
    #[test]
    fn nystrom4_is_the_published_method() {
        let s = Scheme::nystrom4();
        close(s.a[1][0], 2.0);
        close(s.a[2][0], 1.867_948_149_498_237);
        close(s.a[3][1], 0.234_445_568_517_238_85);
        close(s.c[1][0], -7.137_649_943_349_98);
        close(s.c[3][2], -0.694_966_049_282_445_2);
        close(s.theta[2][0], 0.789_509_162_815_638_6);
        close(s.delta[1][0], -1.196_361_007_112_014);
        close(s.delta[3][0], 0.003_765_094_355_556_166);
        close(s.m[0], 2.255_566_228_604_565);
        close(s.mu[0], 1.592_750_819_409_585_3);
        close(s.mu[0] - s.mu_error[0], 1.434_903_971_848_209_5);
        close(s.m[3] - s.m_error[3], 0.366_557_127_936_155_14);
        close(s.gamma_sum[1], -1.769_177_067_112_014);
        close(s.alpha[2], 0.655_214_975_973_133_8);
        assert_eq!(s.alpha[2], s.alpha[3]);
    }

    /// Conditions of order 2 for any derivatives, of the method and of the embedded one; of order 3 with exact
    /// ones for the latter; a last stage at the end of the step.
    #[test]
    fn w23_is_of_order_2_whatever_the_derivatives() {
        let s = Scheme::w23();
        // weights of stages from those of their transforms: b' = m' G
        let d = s.gamma;
        let e = 6.0 + std::f64::consts::SQRT_2;
        let g = [[d, 0.0, 0.0], [-d, d, 0.0], [(e - 2.0) * d, -e * d, d]];
        let weights = |m: &Weights| -> [f64; 3] {
            std::array::from_fn(|j| (0..3).map(|i| m[i] * g[i][j]).sum())
        };
        let embedded: Weights = std::array::from_fn(|i| s.m[i] - s.m_error[i]);
        for (m, third) in [(&s.m, false), (&embedded, true)] {
            let b = weights(m);
            let sum = |x: [f64; 3]| b.iter().zip(x).map(|(b, x)| b * x).sum::<f64>();
            close(sum([1.0; 3]), 1.0);
            close(sum([s.alpha[0], s.alpha[1], s.alpha[2]]), 0.5);
            close(
                sum([s.gamma_sum[0], s.gamma_sum[1], s.gamma_sum[2]]) + 1.0,
                1.0,
            );
            if third {
                close(sum([0.0, 0.25, 1.0]), 1.0 / 3.0);
                // sum b beta beta = 1/6, beta = alpha + gamma
                let beta = [
                    [d, 0.0, 0.0],
                    [0.5 - d, d, 0.0],
                    [(e - 2.0) * d, 1.0 - e * d, d],
                ];
                let sums = beta.map(|row| row.iter().sum::<f64>());
                let inner = beta.map(|row| row.iter().zip(sums).map(|(x, y)| x * y).sum());
                close(sum(inner), 1.0 / 6.0);
            }
        }
        assert_eq!((s.a[2], s.theta[2]), (s.m, s.mu));
        assert_eq!(s.alpha[2], 1.0);
    }
}
