//! Coefficients of fourth-order stabilised methods of the ROCK4 type (Abdulle 2002).
//!
//! ```text
//!  g_1 = y + mu_1 h f(y),   g_j = mu_j h f(g_{j-1}) + nu_j g_{j-1} + (1 - nu_j) g_{j-2}
//!  then four stages from g_{s-4} with a_ij, b_i; embedded weights on these and on the end
//! ```
//!
//! The recurrence runs along polynomials orthogonal for a weight that contains the last four
//! stages; these make the whole of order 4. The stability polynomial is bounded by 0.95 on its
//! real interval, about `0.35 s^2` long. The numbers are an own computation: interval maximised,
//! last stages of least norm that satisfy the eight order conditions of the composition.

use std::sync::OnceLock;

static TEXT: &str = include_str!("../../../data/rock4.txt");
/// Numbers of a line besides the recurrence: stages, interval, a, b, embedded weights.
const FIXED: usize = 2 + 6 + 4 + 5;
pub(super) const ORDER: i32 = 4;
/// Stages behind the recurrence.
pub(super) const LAST: usize = 4;

/// One method.
#[derive(Clone, Debug)]
pub(super) struct Method {
    /// Length of the real stability interval.
    pub interval: f64,
    pub mu: Vec<f64>,
    pub nu: Vec<f64>,
    /// Nodes of `g_0` to `g_{s-4}`.
    pub nodes: Vec<f64>,
    /// Rows of the last stages, the first one empty.
    pub a: [[f64; LAST]; LAST],
    pub b: [f64; LAST],
    /// Error weights: `b` minus the embedded ones, the end of the step last.
    pub error: [f64; LAST + 1],
}

fn parse(line: &str) -> Option<Method> {
    let words: Vec<f64> = line
        .split_whitespace()
        .map(|w| w.parse().ok())
        .collect::<Option<_>>()?;
    let [stages, interval, rest @ ..] = words.as_slice() else {
        return None;
    };
    let chain = words.len().checked_sub(FIXED)? / 2;
    if chain == 0 || *stages != (chain + LAST) as f64 || words.len() != FIXED + 2 * chain {
        return None;
    }
    let (mu, rest) = rest.split_at(chain);
    let (nu, rest) = rest.split_at(chain);
    let &[a21, a31, a32, a41, a42, a43, ref rest @ ..] = rest else {
        return None;
    };
    let &[b1, b2, b3, b4, e1, e2, e3, e4, e5] = rest else {
        return None;
    };
    let mut nodes = vec![0.0, mu[0]];
    for j in 1..chain {
        nodes.push(mu[j] + nu[j] * nodes[j] + (1.0 - nu[j]) * nodes[j - 1]);
    }
    Some(Method {
        interval: *interval,
        mu: mu.to_vec(),
        nu: nu.to_vec(),
        nodes,
        a: [
            [0.0; LAST],
            [a21, 0.0, 0.0, 0.0],
            [a31, a32, 0.0, 0.0],
            [a41, a42, a43, 0.0],
        ],
        b: [b1, b2, b3, b4],
        error: [b1 - e1, b2 - e2, b3 - e3, b4 - e4, -e5],
    })
}

/// Every method, from the shortest to the longest interval.
pub(super) fn methods() -> &'static [Method] {
    static METHODS: OnceLock<Vec<Method>> = OnceLock::new();
    METHODS.get_or_init(|| TEXT.lines().filter_map(parse).collect())
}

/// The latest stage of all members, in steps.
pub(super) fn reach() -> f64 {
    let mut latest = 1.0f64;
    for method in methods() {
        let base = method.nodes.get(method.mu.len()).copied().unwrap_or(1.0);
        let of_rows =
            (method.a.iter().enumerate()).map(|(j, row)| base + row[..j].iter().sum::<f64>());
        latest = method
            .nodes
            .iter()
            .copied()
            .chain(of_rows)
            .fold(latest, f64::max);
    }
    latest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole method as one Runge-Kutta tableau, the end of the step as its last stage.
    fn tableau(m: &Method) -> (Vec<Vec<f64>>, Vec<f64>) {
        let chain = m.mu.len();
        let n = chain + LAST + 1;
        let mut rows = vec![vec![0.0; n]];
        for j in 0..chain {
            let mut row: Vec<f64> = rows[j].iter().map(|x| m.nu[j] * x).collect();
            if j > 0 {
                for (r, x) in row.iter_mut().zip(&rows[j - 1]) {
                    *r += (1.0 - m.nu[j]) * x;
                }
            }
            row[j] += m.mu[j];
            rows.push(row);
        }
        let base = rows.pop().unwrap();
        for i in 0..LAST {
            let mut row = base.clone();
            for j in 0..i {
                row[chain + j] += m.a[i][j];
            }
            rows.push(row);
        }
        let mut b = base;
        for j in 0..LAST {
            b[chain + j] += m.b[j];
        }
        rows.push(b.clone());
        (rows, b)
    }

    fn dot(b: &[f64], x: &[f64]) -> f64 {
        b.iter().zip(x).map(|(b, x)| b * x).sum()
    }

    /// Violations of the eight conditions of order 4, those of order 3 first.
    fn violations(a: &[Vec<f64>], b: &[f64]) -> [f64; 8] {
        let times = |x: &[f64]| a.iter().map(|row| dot(row, x)).collect::<Vec<f64>>();
        let one = vec![1.0; b.len()];
        let c = times(&one);
        let ac = times(&c);
        let c2: Vec<f64> = c.iter().map(|c| c * c).collect();
        let c3: Vec<f64> = c.iter().map(|c| c * c * c).collect();
        let cac: Vec<f64> = c.iter().zip(&ac).map(|(c, x)| c * x).collect();
        [
            dot(b, &one) - 1.0,
            dot(b, &c) - 1.0 / 2.0,
            dot(b, &c2) - 1.0 / 3.0,
            dot(b, &ac) - 1.0 / 6.0,
            dot(b, &c3) - 1.0 / 4.0,
            dot(b, &cac) - 1.0 / 8.0,
            dot(b, &times(&c2)) - 1.0 / 12.0,
            dot(b, &times(&ac)) - 1.0 / 24.0,
        ]
    }

    #[test]
    fn methods_have_order_four_and_estimates_of_order_three() {
        let all = methods();
        assert_eq!(
            all.len(),
            TEXT.lines().filter(|l| !l.starts_with('#')).count()
        );
        assert_eq!((all.len(), all[0].mu.len(), all[31].mu.len()), (32, 1, 96));
        for m in all {
            let (a, b) = tableau(m);
            let worst = violations(&a, &b)
                .iter()
                .fold(0.0f64, |m, x| m.max(x.abs()));
            assert!(worst < 1e-13, "s = {}: {worst:.1e}", m.mu.len() + LAST);
            let mut embedded = b;
            let chain = m.mu.len();
            for (e, x) in embedded[chain..].iter_mut().zip(&m.error) {
                *e -= x;
            }
            let v = violations(&a, &embedded);
            assert!(
                v[..4].iter().all(|x| x.abs() < 1e-13),
                "s = {}",
                m.mu.len() + LAST
            );
            assert!(
                v[4..].iter().any(|x| x.abs() > 1e-6),
                "s = {}",
                m.mu.len() + LAST
            );
        }
    }

    /// `|R| <= 0.951` over the interval, except next to 0 where `R = e^z`.
    #[test]
    fn methods_are_stable_on_their_interval() {
        for m in methods() {
            for i in 1..=4000 {
                let z = -m.interval * f64::from(i) / 4000.0;
                let (mut last, mut r) = (1.0, 1.0 + m.mu[0] * z);
                for j in 1..m.mu.len() {
                    let new = (m.mu[j] * z + m.nu[j]) * r + (1.0 - m.nu[j]) * last;
                    last = r;
                    r = new;
                }
                let mut k = [0.0; LAST];
                for j in 0..LAST {
                    k[j] = z * (r + dot(&m.a[j], &k));
                }
                let end = r + dot(&m.b, &k);
                assert!(
                    end.abs() < z.exp().max(0.951) + 1e-6,
                    "s = {}: R({z}) = {end}",
                    m.mu.len() + LAST
                );
            }
        }
    }
}
