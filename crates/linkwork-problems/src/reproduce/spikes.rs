//! Spikes in accelerations: the discrete ones of a step against consistent ones.
//!
//! A step of a formulation has accelerations of its own, the discrete derivatives of its velocities.
//! At the same positions and velocities the equations of motion and the constraints at the
//! acceleration level determine the consistent ones. Where the two differ by more than the method's
//! error, and for a few steps only, the curve of the former has a spike.

use linkwork_dae::drive::{Flow, Observer, ObserverError, View};

/// Off by more than this share of the range counts as a spike.
pub const NOTICEABLE: f64 = 0.1;

/// An accepted step.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// End of the step.
    pub t: f64,
    /// Order of the step.
    pub order: usize,
    /// Accelerations of the discrete equations.
    pub discrete: Vec<f64>,
    /// Accelerations of the acceleration level at the same positions and velocities.
    pub consistent: Vec<f64>,
}

impl Sample {
    /// Distance of the two for a coordinate.
    pub fn distance(&self, coordinate: usize) -> f64 {
        (self.discrete[coordinate] - self.consistent[coordinate]).abs()
    }
}

/// Keeps every accepted step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// The steps.
    pub samples: Vec<Sample>,
}

impl Observer for Recorder {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let discrete = view.state().a.clone();
        let consistent = view.consistent(view.to)?.a.clone();
        self.samples.push(Sample {
            t: view.to,
            order: view.order,
            discrete,
            consistent,
        });
        Ok(Flow::Continue)
    }
}

/// Range of the consistent accelerations of a coordinate.
pub fn range(samples: &[Sample], coordinate: usize) -> f64 {
    let values = || samples.iter().map(|s| s.consistent[coordinate]);
    let (high, low) = (
        values().fold(f64::NEG_INFINITY, f64::max),
        values().fold(f64::INFINITY, f64::min),
    );
    (high - low).max(0.0)
}

/// How far the discrete accelerations of one coordinate stray from the consistent ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spikes {
    /// Largest distance, as a share of the range.
    pub largest: f64,
    /// Steps with a distance above [`NOTICEABLE`].
    pub count: usize,
}

impl Spikes {
    /// Spikes of a coordinate, measured by the range of the true motion: a run that vibrates where
    /// the motion does not has a larger range of its own, which would hide them.
    pub fn of(samples: &[Sample], coordinate: usize, range: f64) -> Spikes {
        let mut spikes = Spikes::default();
        for s in samples {
            let share = s.distance(coordinate) / range;
            spikes.largest = spikes.largest.max(share);
            spikes.count += usize::from(share > NOTICEABLE);
        }
        spikes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_is_measured_by_the_range() {
        let sample = |t: f64, discrete: f64, consistent: f64| Sample {
            t,
            order: 1,
            discrete: vec![discrete],
            consistent: vec![consistent],
        };
        let samples = [
            sample(0.0, -1.0, -1.0),
            sample(1.0, 3.1, 3.0),
            sample(2.0, 5.0, 1.0),
        ];
        assert_eq!(range(&samples, 0), 4.0);
        let (largest, count) = (1.0, 1);
        assert_eq!(Spikes::of(&samples, 0, 4.0), Spikes { largest, count });
        assert_eq!(range(&[], 0), 0.0);
    }
}
