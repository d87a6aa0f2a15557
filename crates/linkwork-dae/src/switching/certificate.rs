//! Where a function that is known at seven points of an interval may be negative.
//!
//! Samples at the Chebyshev-Lobatto points give the coefficients `c_k` of the interpolating polynomial in
//! Chebyshev's and `b_i` in Bernstein's basis. A polynomial lies above the least of its Bernstein
//! coefficients (Farouki 2012); what the function has beside it is guessed from the last Chebyshev
//! coefficients, `R = 2 (|c_5| + |c_6|)`, which overestimates where coefficients fall by a factor of 2 or
//! more. Cells where `b > R` are clear; others are halved (de Casteljau) to a 32nd.

/// Number of samples.
pub(super) const NODES: usize = 7;
const M: usize = NODES - 1;
const DEPTH: usize = 5;
/// Cells are widened by this share of the interval.
const MARGIN: f64 = 0.03;
/// Most separate groups of cells.
pub(super) const GROUPS: usize = 1 << (DEPTH - 1);
/// Points of the interpolant that are compared for its least value.
const LOOKS: usize = 24;

/// See the [module](self).
pub(super) struct Certificate {
    nodes: [f64; NODES],
    /// Chebyshev coefficients from samples.
    chebyshev: [[f64; NODES]; NODES],
    /// Bernstein coefficients from those.
    bernstein: [[f64; NODES]; NODES],
}

/// Groups of cells where a function may be negative, as shares of the interval.
#[derive(Default)]
pub(super) struct Doubts {
    pub groups: [[f64; 2]; GROUPS],
    pub known: usize,
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

impl Certificate {
    pub fn new() -> Certificate {
        let m = M as f64;
        let angle = |j: usize| std::f64::consts::PI * j as f64 / m;
        let half = |j: usize| if j == 0 || j == M { 0.5 } else { 1.0 };
        let mut c = Certificate {
            nodes: std::array::from_fn(|j| 0.5 * (1.0 - angle(j).cos())),
            chebyshev: [[0.0; NODES]; NODES],
            bernstein: [[0.0; NODES]; NODES],
        };
        for k in 0..NODES {
            for j in 0..NODES {
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                let cos = (angle(j) * k as f64).cos();
                c.chebyshev[k][j] = 2.0 / m * half(k) * half(j) * sign * cos;
            }
            // T_k in the basis of degree k, raised to degree M
            for i in 0..NODES {
                for l in i.saturating_sub(M - k)..=i.min(k) {
                    let sign = if (k - l) % 2 == 0 { 1.0 } else { -1.0 };
                    let own = sign * binomial(2 * k, 2 * l) / binomial(k, l);
                    let share = binomial(k, l) * binomial(M - k, i - l) / binomial(M, i);
                    c.bernstein[i][k] += own * share;
                }
            }
        }
        c
    }

    /// Where the samples are, as shares of the interval.
    pub fn node(&self, j: usize) -> f64 {
        self.nodes[j]
    }

    /// Chebyshev coefficients of the interpolant.
    pub fn coefficients(&self, y: &[f64; NODES]) -> [f64; NODES] {
        std::array::from_fn(|k| self.chebyshev[k].iter().zip(y).map(|(a, y)| a * y).sum())
    }

    /// Whether the samples tell what happens between them: the last coefficient must be small.
    pub fn resolves(c: &[f64; NODES]) -> bool {
        let largest = c.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        c[M].abs() <= 0.1 * largest
    }

    /// Groups of cells in which a function with these coefficients may be negative.
    pub fn doubts(&self, c: &[f64; NODES], sign: f64) -> Doubts {
        let rest = 2.0 * (c[M].abs() + c[M - 1].abs());
        let whole: [f64; NODES] = std::array::from_fn(|i| {
            let row = self.bernstein[i].iter().zip(c);
            sign * row.map(|(b, c)| b * c).sum::<f64>()
        });
        let mut doubts = Doubts::default();
        // cells from left to right: at most one waits at every depth
        let mut waiting = [(0.0, 0, whole); DEPTH + 2];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (from, depth, b) = waiting[top];
            // NaN counts as clear: a function without a value has no zero
            if !b.iter().any(|b| *b <= rest) {
                continue;
            }
            let width = 1.0 / f64::from(1u32 << depth);
            if depth == DEPTH {
                doubts.add(from, from + width);
                continue;
            }
            let (left, right) = halves(b);
            waiting[top] = (from + 0.5 * width, depth + 1, right);
            waiting[top + 1] = (from, depth + 1, left);
            top += 2;
        }
        for group in &mut doubts.groups[..doubts.known] {
            *group = [(group[0] - MARGIN).max(0.0), (group[1] + MARGIN).min(1.0)];
        }
        doubts
    }

    /// Where the interpolant is least between two shares of the interval, ends excluded.
    pub fn least(&self, c: &[f64; NODES], sign: f64, [lo, hi]: [f64; 2]) -> f64 {
        let mut best = (f64::INFINITY, 0.5 * (lo + hi));
        for k in 1..LOOKS {
            let theta = lo + (hi - lo) * k as f64 / LOOKS as f64;
            let value = sign * chebyshev_sum(c, 2.0 * theta - 1.0);
            if value < best.0 {
                best = (value, theta);
            }
        }
        best.1
    }
}

impl Doubts {
    fn add(&mut self, lo: f64, hi: f64) {
        if let Some(last) = self.groups[..self.known].last_mut()
            && last[1] >= lo
        {
            last[1] = hi;
        } else {
            self.groups[self.known] = [lo, hi];
            self.known += 1;
        }
    }
}

/// Both halves of a polynomial in Bernstein's basis.
fn halves(b: [f64; NODES]) -> ([f64; NODES], [f64; NODES]) {
    let (mut left, mut right, mut w) = (b, b, b);
    for level in 0..NODES {
        left[level] = w[0];
        right[M - level] = w[M - level];
        for i in 0..M - level {
            w[i] = 0.5 * (w[i] + w[i + 1]);
        }
    }
    (left, right)
}

/// Clenshaw's recurrence.
fn chebyshev_sum(c: &[f64; NODES], x: f64) -> f64 {
    let (mut b1, mut b2) = (0.0, 0.0);
    for c in c[1..].iter().rev() {
        (b1, b2) = (2.0 * x * b1 - b2 + c, b1);
    }
    x * b1 - b2 + c[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(certificate: &Certificate, f: impl Fn(f64) -> f64) -> [f64; NODES] {
        std::array::from_fn(|j| f(certificate.node(j)))
    }

    #[test]
    fn both_bases_reproduce_a_polynomial() {
        let certificate = Certificate::new();
        let f = |x: f64| 0.3 - x + 2.0 * x.powi(3) - 1.4 * x.powi(6);
        let c = certificate.coefficients(&samples(&certificate, f));
        let b: [f64; NODES] =
            std::array::from_fn(|i| (0..NODES).map(|k| certificate.bernstein[i][k] * c[k]).sum());
        for x in [0.0f64, 0.2, 0.55, 1.0] {
            let by_bernstein: f64 = (0..NODES)
                .map(|i| binomial(M, i) * x.powi(i as i32) * (1.0 - x).powi((M - i) as i32) * b[i])
                .sum();
            assert!((by_bernstein - f(x)).abs() < 1e-13);
            assert!((chebyshev_sum(&c, 2.0 * x - 1.0) - f(x)).abs() < 1e-13);
        }
    }

    #[test]
    fn a_dip_is_in_doubt_and_a_clear_function_is_not() {
        let certificate = Certificate::new();
        let clear = certificate.coefficients(&samples(&certificate, |x| 1.0 + 0.3 * x.sin()));
        assert_eq!(certificate.doubts(&clear, 1.0).known, 0);
        let touching = |x: f64| (x - 0.63).powi(2) - 1e-6;
        let c = certificate.coefficients(&samples(&certificate, touching));
        let doubts = certificate.doubts(&c, 1.0);
        assert_eq!(doubts.known, 1);
        let [lo, hi] = doubts.groups[0];
        assert!(lo < 0.62 && hi > 0.64 && hi - lo < 0.2, "{lo} {hi}");
        assert!((certificate.least(&c, 1.0, [lo, hi]) - 0.63).abs() < 0.01);
    }
}
