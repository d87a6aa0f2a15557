//! Newton's iteration with one matrix, and when it is enough.
//!
//! ```text
//!  d_i = -Jhat^-1 F(z_i),   z_{i+1} = z_i + d_i,   sigma = |d_i| / |d_{i-1}|
//!  remaining error <= sigma / (1 - sigma) |d_i|              (Hairer & Wanner 1996, IV.8)
//! ```
//!
//! It knows nothing of where the matrix comes from or what is to be done when it does not serve.

use super::Retry;

/// Accepted remaining error, as a share of the error tolerance.
pub(super) const TOLERANCE: f64 = 1e-2;
/// A correction that leaves nothing to correct, whatever the rate.
const NEGLIGIBLE: f64 = 0.1 * TOLERANCE;
/// Corrections that shrink less than this are not converging.
pub(super) const MAX_RATE: f64 = 0.9;
/// Corrections that grow more than this are beyond hope.
pub(super) const MAX_GROWTH: f64 = 2.0;

/// Equations with a matrix to correct their unknowns by.
pub(super) trait Linearised {
    /// Corrects the unknowns once; returns the weighted size of the correction.
    fn correct(&mut self) -> Result<f64, Retry>;

    /// Size of corrections that the rounding of the unknowns makes.
    fn noise(&self) -> f64;
}

/// What is expected of the iteration with a matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    /// Iterations at most.
    pub most: u32,
    /// A first correction `d` leaves `curvature d^2`, where that is known.
    pub curvature: Option<f64>,
    /// Error that a first correction judged by its curvature may leave, as a share of the tolerance.
    pub single: f64,
    /// Corrections with this very matrix shrink at this rate or faster, where that is known.
    pub contraction: Option<f64>,
    /// Rate of earlier iterations, of which half is believed as long as none is measured.
    pub rate: f64,
    /// Whether the rate is that of another matrix.
    pub fresh: bool,
    /// Whether corrections may stall or grow once: a matrix with old constraint normals leaks from the
    /// multipliers into the motion, which the next correction puts right.
    pub patient: bool,
}

/// How the iteration went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Course {
    /// Whether the last correction was small enough; else the matrix does not serve.
    pub converged: bool,
    pub iterations: u32,
    /// First and last correction, and the ratio of the last two.
    pub first: f64,
    pub last: f64,
    pub ratio: f64,
    /// The rate that is believed from now on.
    pub rate: f64,
    /// What the first correction has left, over its square.
    pub curvature: Option<f64>,
}

impl Course {
    /// Takes the next correction; whether there is to be another.
    fn step(&mut self, d: f64, test: &Test, patient: &mut bool, noise: impl Fn() -> f64) -> bool {
        let old = std::mem::replace(&mut self.last, d);
        self.iterations += 1;
        if self.iterations == 1 {
            self.first = d;
            let quadratic = |curvature| curvature * d * d <= test.single;
            let linear = |rate: f64| rate / (1.0 - rate) * d <= TOLERANCE;
            self.converged = d <= NEGLIGIBLE
                || test.curvature.is_some_and(quadratic)
                || test.contraction.is_some_and(linear);
            return !self.converged;
        }
        self.ratio = d / old;
        let known = self.rate;
        if self.iterations == 2 {
            self.curvature = Some(d / (old * old));
        }
        if self.ratio <= MAX_RATE {
            self.rate = match self.iterations == 2 && test.fresh {
                true => self.ratio,
                false => self.ratio.max(0.5 * known),
            };
            let left = self.rate / (1.0 - self.rate) * d;
            self.converged = left <= TOLERANCE || d <= NEGLIGIBLE;
            let ahead = test.most.saturating_sub(self.iterations);
            let in_reach = ahead > 0 && left * self.rate.powi(ahead as i32) <= 0.5;
            if self.converged || in_reach {
                return !self.converged;
            }
        } else if d <= TOLERANCE.max(noise()) {
            self.converged = true;
            return false;
        }
        let forgiven = *patient && self.ratio <= MAX_GROWTH;
        if forgiven {
            (*patient, self.rate) = (false, known);
        }
        forgiven
    }
}

/// Corrects until that is enough, or until it is clear that the matrix does not serve.
pub(super) fn iterate(problem: &mut dyn Linearised, test: &Test) -> Result<Course, Retry> {
    let mut course = Course {
        rate: test.rate,
        ..Course::default()
    };
    let mut patient = test.patient;
    loop {
        let d = problem.correct()?;
        if !course.step(d, test, &mut patient, || problem.noise()) {
            return Ok(course);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corrections as given, the last one again and again.
    struct Stub {
        corrections: Vec<f64>,
        noise: f64,
    }

    impl Linearised for Stub {
        fn correct(&mut self) -> Result<f64, Retry> {
            Ok(match self.corrections.len() {
                1 => self.corrections[0],
                _ => self.corrections.remove(0),
            })
        }

        fn noise(&self) -> f64 {
            self.noise
        }
    }

    const FRESH: Test = Test {
        most: 6,
        curvature: None,
        single: 0.05,
        contraction: None,
        rate: 0.0,
        fresh: true,
        patient: false,
    };

    fn course(corrections: &[f64], test: Test) -> Course {
        let corrections = corrections.to_vec();
        let mut stub = Stub {
            corrections,
            noise: 0.0,
        };
        iterate(&mut stub, &test).unwrap()
    }

    #[test]
    fn a_negligible_correction_is_enough() {
        let c = course(&[1e-4], FRESH);
        assert!(c.converged && c.iterations == 1);
    }

    #[test]
    fn curvature_vouches_for_one_iteration() {
        let curved = Test {
            curvature: Some(0.1),
            ..FRESH
        };
        let c = course(&[0.5, 1e-9], curved);
        assert!(c.converged && c.iterations == 1 && c.curvature.is_none());
        let c = course(&[0.9, 1e-9], curved);
        assert!(c.converged && c.iterations == 2);
        assert_eq!(c.curvature, Some(1e-9 / (0.9 * 0.9)));
    }

    #[test]
    fn the_rate_tells_what_is_left() {
        // 0.1 / 0.9 * 0.05 is below the tolerance
        let c = course(&[0.5, 0.05], FRESH);
        assert!(c.converged && c.iterations == 2 && c.rate == 0.1);
        // half of an earlier rate is believed of a matrix that is not fresh
        let kept = Test {
            rate: 0.8,
            fresh: false,
            ..FRESH
        };
        let c = course(&[0.5, 0.05, 5e-3], kept);
        assert!(c.converged && c.iterations == 3);
        assert_eq!(c.rate, 0.2);
    }

    #[test]
    fn corrections_that_shrink_too_slowly_are_given_up_early() {
        let c = course(&[100.0, 85.0, 72.0], FRESH);
        assert!(!c.converged && c.iterations == 2 && c.ratio == 0.85);
    }

    #[test]
    fn the_number_of_iterations_is_limited() {
        let slow = [1.0, 0.6, 0.36, 0.216, 0.13, 0.078, 0.0467];
        let c = course(&slow, FRESH);
        assert!(!c.converged && c.iterations <= 6);
        let more = course(&slow, Test { most: 20, ..FRESH });
        assert!(more.iterations > c.iterations);
    }

    #[test]
    fn corrections_that_grow_are_given_up() {
        let c = course(&[1.0, 3.0], FRESH);
        assert!(!c.converged && c.iterations == 2 && c.ratio == 3.0);
    }

    #[test]
    fn rounding_is_no_divergence() {
        let mut stub = Stub {
            corrections: vec![0.02, 0.019],
            noise: 0.05,
        };
        let c = iterate(&mut stub, &FRESH).unwrap();
        assert!(c.converged && c.iterations == 2);
    }

    #[test]
    fn an_old_matrix_may_stall_once() {
        let patient = Test {
            patient: true,
            fresh: false,
            ..FRESH
        };
        let c = course(&[1.0, 1.5, 0.01, 1e-6], patient);
        assert!(c.converged && c.iterations == 3);
        let c = course(&[1.0, 1.5, 1.6], patient);
        assert!(!c.converged && c.iterations == 3, "{c:?}");
        let c = course(&[1.0, 2.5], patient);
        assert!(!c.converged && c.iterations == 2);
    }

    #[test]
    fn failures_of_the_equations_come_through() {
        struct Broken;
        impl Linearised for Broken {
            fn correct(&mut self) -> Result<f64, Retry> {
                Err(Retry::Slow {
                    iterations: 0,
                    worst: crate::system::Row::Position(0),
                })
            }
            fn noise(&self) -> f64 {
                0.0
            }
        }
        assert!(iterate(&mut Broken, &FRESH).is_err());
    }
}
