//! What a co-simulation is asked for, and how much of the tolerance one macro step may use.
//!
//! A macro step has the local error `l = c H^{k+2}` in velocities. `N = T/H` of them add up to
//!
//! ```text
//!  e = N l = T c^{1/(k+2)} l^{(k+1)/(k+2)}
//! ```
//!
//! If every step might use the whole tolerance, `l = rtol`, the result would have the error
//! `rtol^{(k+1)/(k+2)}`: ever more tolerances, the smaller the tolerance is. The error is proportional to
//! the tolerance if a step may use
//!
//! ```text
//!  l = rtol^{(k+2)/(k+1)} = rtol rtol^{1/(k+1)},     then  e = T c^{1/(k+2)} rtol
//! ```
//!
//! (tolerance proportionality: Stetter 1980; by an exponent on the tolerance: Soederlind & Wang 2006).
//! `c^{1/(k+2)}` is a frequency, that of the fastest motion which passes through the coupling, so that
//! the factor is the number of its radians over which the subsystems remember an error.
//!
//! Error per unit step, `l <= rtol H/T`, is proportional too, but it does not spend the error where it
//! is worth most: the fewest steps for a given sum of local errors have equal local errors (Lagrange:
//! minimise `int dt/H` with `int c H^{k+1} dt` given, which makes `c H^{k+2}` constant). It would also
//! make the beginning of a run depend on its end.

/// Which of the two runs goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approach {
    /// The one with extrapolated inputs.
    #[default]
    Extrapolation,
    /// The one with inputs interpolated to their prediction: smaller errors, smaller stability.
    Interpolation,
}

/// What a co-simulation is asked for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// End time.
    pub t_end: f64,
    /// Degree of the polynomials, 0 to 3.
    pub degree: usize,
    /// Which run goes on.
    pub approach: Approach,
    /// Relative tolerance: of the result, see the [module](self). The weights of positions and rates
    /// that are made from it are with the subsystems.
    pub rtol: f64,
    /// Constant macro step; errors are estimated but nothing is rejected once there is a past to
    /// extrapolate from. Steps of the start grow to it, as those of a multistep method do: a first
    /// step with constant inputs would leave an error that no later step is as large as.
    pub step: Option<f64>,
    /// First macro step; `None`: a thousandth of the run.
    pub first_step: Option<f64>,
    /// Longest macro step.
    pub max_step: f64,
    /// Attempted macro steps before it is given up.
    pub max_steps: u64,
    /// Threads.
    pub threads: usize,
}

impl Plan {
    /// A plan with defaults for everything but the end time and the tolerance.
    pub fn new(t_end: f64, rtol: f64) -> Plan {
        Plan {
            t_end,
            degree: 2,
            approach: Approach::default(),
            rtol,
            step: None,
            first_step: None,
            max_step: f64::INFINITY,
            max_steps: u64::MAX,
            threads: 1,
        }
    }

    /// Share of the tolerance that one macro step may use.
    pub fn share_of_step(&self) -> f64 {
        share_of_step(self.rtol, self.degree)
    }
}

/// Share of the tolerance `rtol` that one macro step of degree `k` may use, `rtol^{1/(k+1)}`.
pub fn share_of_step(rtol: f64, k: usize) -> f64 {
    rtol.powf(1.0 / (k as f64 + 1.0)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model of a run: local errors `c H^{k+2}` of exactly the permitted size add up to the same
    /// number of tolerances for all of them.
    #[test]
    fn permitted_errors_add_up_to_the_same_number_of_tolerances() {
        for k in 0..=3 {
            let p = k as f64 + 2.0;
            let tolerances_at_the_end = |rtol: f64| {
                let permitted = rtol * share_of_step(rtol, k);
                let steps = (3.0 / permitted).powf(1.0 / p);
                steps * permitted / rtol
            };
            let (loose, tight) = (tolerances_at_the_end(1e-3), tolerances_at_the_end(1e-8));
            assert!((loose / tight - 1.0).abs() < 1e-12, "{k}: {loose} {tight}");
        }
    }
}
