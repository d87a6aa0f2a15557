//! Which orders of backward differentiation are stable on a lightly damped vibration.
//!
//! On `x' = i omega x`, `theta = omega h`, the root of order k is
//! `log z = i theta + (i theta)^(k+1) / (k+1) - ..`: order 3 grows by `theta^4 / 4` a step, order 4 by
//! `theta^6 / 3`, order 5 decays by `theta^6 / 6` as long as the next terms are small. All in all a
//! vibration grows for
//!
//! ```text
//!  k = 1, 2: no theta    k = 3: theta < 1.94    k = 4: theta < 4.71    k = 5: 0.72 < theta < 9.39
//! ```
//!
//! (the curves of Hairer & Wanner 1996, V.1). With a damping ratio above 0.07 order 3 is stable on it,
//! above 0.29 order 4.

use crate::spectrum::Mode;

/// The highest order that is stable on the whole imaginary axis.
pub(super) const STABLE_ORDER: usize = 2;
/// `theta` from which orders 3, 4 and 5 are stable again.
const STABLE_ABOVE: [f64; 3] = [1.94, 4.71, 9.39];
/// Damping ratio below which order 3 is unstable: the cosine of its angle of A(alpha)-stability.
const RINGING: f64 = 0.07;
/// `theta` below which growth is slower than 0.2 per cent a step at any order.
const RESOLVED: f64 = 0.3;
/// `theta` to follow a vibration with, by the highest order. Order 5 is stable, and damps by 0.2 per
/// cent a step, which leaves room for steps that vary; orders 3 and 4 grow by 0.04 per cent.
const FOLLOWED: [f64; 3] = [0.2, 0.33, 0.65];

/// Whether a mode is a vibration that order 3 is unstable on at some step.
pub(super) fn ringing(mode: &Mode) -> bool {
    mode.im > 0.0 && mode.damping() < RINGING
}

/// Whether an order above 2 is unstable on a lightly damped mode at a step.
pub(super) fn unstable(mode: &Mode, order: usize, h: f64) -> bool {
    let i = (order - STABLE_ORDER - 1).min(2);
    (RESOLVED..STABLE_ABOVE[i]).contains(&(h * mode.im))
}

/// The step to follow vibrations up to this frequency with.
pub(super) fn following_step(omega: f64, max_order: usize) -> f64 {
    FOLLOWED[max_order.clamp(3, 5) - 3] / omega
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Growth of `x' = i theta x` over steps of size 1 at order k, per step, in the long run.
    fn growth(k: usize, theta: f64) -> f64 {
        // sum_j 1/j D^j x_n = i theta x_n, as weights of x_n, x_n-1, ..
        let mut weights = [0.0; 6];
        for j in 1..=k {
            let mut binomial = 1.0;
            for (i, w) in weights.iter_mut().enumerate().take(j + 1) {
                *w += binomial / j as f64;
                binomial *= -((j - i) as f64) / (i + 1) as f64;
            }
        }
        let mut past = [(1.0, 0.0); 5];
        let mut log = 0.0;
        let mut half = 0.0;
        const STEPS: usize = 4000;
        for n in 0..STEPS {
            let (mut re, mut im) = (0.0, 0.0);
            for (w, x) in weights[1..=k].iter().zip(past) {
                re -= w * x.0;
                im -= w * x.1;
            }
            // divided by w_0 - i theta
            let (a, b) = (weights[0], -theta);
            let d = a * a + b * b;
            let new = ((re * a + im * b) / d, (im * a - re * b) / d);
            past.rotate_right(1);
            past[0] = new;
            let size = new.0.hypot(new.1);
            past = past.map(|x| (x.0 / size, x.1 / size));
            log += size.ln();
            if n == STEPS / 2 {
                half = log;
            }
        }
        (log - half) / (STEPS / 2 - 1) as f64
    }

    #[test]
    fn bounds_are_those_of_the_formulas() {
        for (i, bound) in STABLE_ABOVE.into_iter().enumerate() {
            let k = STABLE_ORDER + 1 + i;
            assert!(growth(k, 0.99 * bound) > 0.0);
            assert!(growth(k, 1.01 * bound) < 0.0);
            assert!(growth(k, RESOLVED) < 0.002);
            assert!(growth(k, FOLLOWED[i]) < 5e-4);
        }
        assert!(growth(5, FOLLOWED[2]) < -0.0015);
        for theta in [0.1, 1.0, 10.0] {
            assert!(growth(STABLE_ORDER, theta) < 0.0);
        }
    }
}
