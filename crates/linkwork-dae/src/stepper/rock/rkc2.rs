//! Coefficients of the second-order Runge-Kutta-Chebyshev method in closed form (Sommeijer, Shampine
//! & Verwer 1998).
//!
//! ```text
//!  w0 = 1 + eps/s^2,  eps = 2/13,   w1 = T_s'(w0) / T_s''(w0),   b_j = T_j''(w0) / T_j'(w0)^2
//!  Y_1 = y + mt_1 h f_0
//!  Y_j = (1 - mu_j - nu_j) y + mu_j Y_{j-1} + nu_j Y_{j-2} + mt_j h f(Y_{j-1}) + gt_j h f_0
//! ```

/// Most stages.
pub(super) const MAX_STAGES: usize = 200;

/// Coefficients of one stage.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    pub mu: f64,
    pub nu: f64,
    pub mu_rate: f64,
    pub gamma_rate: f64,
    /// Node of the stage.
    pub node: f64,
}

/// Coefficients for one number of stages, kept until another is asked for.
pub(super) struct Method {
    stages: Vec<Stage>,
}

impl Method {
    /// Room for any number of stages.
    pub fn new() -> Method {
        Method {
            stages: Vec::with_capacity(MAX_STAGES),
        }
    }

    /// The stages 1 to `s`, `s` at least 2.
    pub fn stages(&mut self, s: usize) -> &[Stage] {
        if self.stages.len() != s {
            self.compute(s);
        }
        &self.stages
    }

    fn compute(&mut self, s: usize) {
        const EPSILON: f64 = 2.0 / 13.0;
        self.stages.clear();
        let w0 = 1.0 + EPSILON / (s * s) as f64;
        let step = |[t, d, dd]: [f64; 3], [t0, d0, dd0]: [f64; 3]| {
            [
                2.0 * w0 * t - t0,
                2.0 * t + 2.0 * w0 * d - d0,
                4.0 * d + 2.0 * w0 * dd - dd0,
            ]
        };
        let (zeroth, first) = ([1.0, 0.0, 0.0], [w0, 1.0, 0.0]);
        let second = step(first, zeroth);
        let b_of = |[_, d, dd]: [f64; 3]| dd / (d * d);
        let (mut before, mut now) = (zeroth, first);
        for _ in 1..s {
            (before, now) = (now, step(now, before));
        }
        let w1 = now[1] / now[2];
        let node = |[_, d, dd]: [f64; 3]| w1 * dd / d;
        let b2 = b_of(second);
        self.stages.push(Stage {
            mu_rate: b2 * w1,
            node: node(second) / second[1],
            ..Stage::default()
        });
        (before, now) = (zeroth, first);
        let (mut b_before, mut b_now) = (b2, b2);
        for _ in 2..=s {
            let a_now = 1.0 - b_now * now[0];
            (before, now) = (now, step(now, before));
            let b = b_of(now);
            let mu_rate = 2.0 * b * w1 / b_now;
            self.stages.push(Stage {
                mu: 2.0 * b * w0 / b_now,
                nu: -b / b_before,
                mu_rate,
                gamma_rate: -a_now * mu_rate,
                node: node(now),
            });
            (b_before, b_now) = (b_now, b);
        }
    }
}

/// Stages for a real interval `z = h rho`; the interval of `s` is `0.653 (s^2 - 1)`.
pub(super) fn stages_for(z: f64) -> usize {
    let s = 1.0 + (1.0 + 1.54 * z).sqrt().floor();
    if s > 2.0 { s as usize } else { 2 }
}

/// Longest real interval that [`MAX_STAGES`] covers.
pub(super) fn longest() -> f64 {
    let s = (MAX_STAGES - 1) as f64;
    (s * s - 1.0) / 1.54
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three terms of the exponential, and damping on the whole interval that the choice assumes.
    #[test]
    fn polynomial_is_second_order_and_stable() {
        for s in [2, 3, 5, 10, 50, MAX_STAGES] {
            let mut method = Method::new();
            let stages = method.stages(s).to_vec();
            assert!((stages[s - 1].node - 1.0).abs() < 1e-12);
            let r = |z: f64| {
                let (mut last, mut now) = (1.0, 1.0 + stages[0].mu_rate * z);
                for k in &stages[1..] {
                    let new = 1.0 - k.mu - k.nu
                        + (k.mu + k.mu_rate * z) * now
                        + k.nu * last
                        + k.gamma_rate * z;
                    last = now;
                    now = new;
                }
                now
            };
            let h = 1e-3;
            let third = (r(-h) - (1.0 - h + 0.5 * h * h)).abs();
            assert!(third < h * h * h, "s = {s}: {third:.1e}");
            let interval = if s == MAX_STAGES {
                longest()
            } else {
                0.65 * ((s * s) as f64 - 1.0)
            };
            for i in 1..=2000 {
                let z = -interval * f64::from(i) / 2000.0;
                assert!(r(z).abs() <= 1.0, "s = {s}: R({z}) = {}", r(z));
            }
        }
    }

    #[test]
    fn chosen_stages_cover_the_interval() {
        for z in [0.0, 1.0, 10.0, 1e3, longest()] {
            let s = stages_for(z);
            assert!(s <= MAX_STAGES);
            assert!(0.65 * ((s * s) as f64 - 1.0) >= 0.99 * z, "{z}: {s}");
        }
        assert_eq!(stages_for(f64::NAN), 2);
    }
}
