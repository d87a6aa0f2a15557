//! Model texts of `models/` as systems, and what tests ask of them.

#![allow(dead_code)]

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::initial::{Start, start};
use linkwork_dae::linearise::{EigenMode, linearise, modes};
use linkwork_dae::state::State;
use linkwork_dae::system::System;
use linkwork_mbs::{Assembly, assemble, text};
use linkwork_problems::study::{Outcome, Setup};

/// A model of the folder `models/`, with values changed as by `--set`.
pub fn model(name: &str, overrides: &[&str]) -> Assembly {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let document = text::read_with(&source, overrides).unwrap_or_else(|e| panic!("{e:#?}"));
    assemble(&document.model).unwrap_or_else(|e| panic!("{e:#?}"))
}

/// The consistent start.
pub fn consistent_start(sys: &mut Assembly) -> Start {
    let guess = sys.facts().guess.clone();
    start(sys, &guess).unwrap_or_else(|e| panic!("{}", e.explain(sys)))
}

/// The value of a channel at a state.
pub fn channel(sys: &mut dyn System, state: &State, name: &str) -> f64 {
    let index = sys.channels().iter().position(|c| c.name == name);
    let mut values = vec![0.0; sys.channels().len()];
    sys.observe(state, &mut values);
    values[index.unwrap_or_else(|| panic!("no channel {name}"))]
}

/// Nonzero eigenvalues at the start as (real, imaginary), imaginary parts not negative, by
/// magnitude; and the number of zeros, steady drifts counted twice.
pub fn eigenvalues(sys: &mut Assembly) -> (Vec<[f64; 2]>, usize) {
    let start = consistent_start(sys);
    let linear = linearise(sys, &start.state, &start.rows).unwrap();
    let found = modes(&linear).unwrap();
    // chains such as heading and place leave the root of the rounding error
    let still = |m: &&EigenMode| m.value.abs() < 1e-4;
    let zeros = (found.iter().filter(still))
        .map(|m| 1 + usize::from(m.drifts || m.value.im != 0.0))
        .sum();
    let moving = found.iter().filter(|m| !still(m));
    let mut values: Vec<[f64; 2]> = moving.map(|m| [m.value.re, m.value.im]).collect();
    values.sort_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])));
    (values, zeros)
}

/// Every wanted eigenvalue is among those found, to a relative accuracy.
pub fn assert_among(found: &[[f64; 2]], wanted: &[[f64; 2]], accuracy: f64) {
    assert_eq!(found.len(), wanted.len(), "{found:?}");
    let mut left = found.to_vec();
    for w in wanted {
        let off = |v: &[f64; 2]| (v[0] - w[0]).hypot(v[1] - w[1]);
        let nearest = (0..left.len())
            .min_by(|i, j| off(&left[*i]).total_cmp(&off(&left[*j])))
            .unwrap();
        let v = left.swap_remove(nearest);
        assert!(off(&v) < accuracy * w[0].hypot(w[1]), "{v:?} for {w:?}");
    }
}

/// Keeps channels at given times.
struct Sampler<'a> {
    times: &'a [f64],
    channels: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Observer for Sampler<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        while let Some(&t) = self.times.get(self.rows.len()) {
            if t > view.to {
                break;
            }
            let state = view.consistent(t)?.clone();
            let mut values = vec![0.0; view.sys.channels().len()];
            view.sys.observe(&state, &mut values);
            self.rows
                .push(self.channels.iter().map(|&i| values[i]).collect());
        }
        Ok(Flow::Continue)
    }
}

/// Runs a model and gives, for each of the times, the values of the channels.
pub fn sample(
    sys: &mut Assembly,
    setup: &Setup,
    times: &[f64],
    channels: &[&str],
) -> (Vec<Vec<f64>>, Outcome) {
    let place = |name: &&str| sys.facts().channels.iter().position(|c| c.name == *name);
    let mut sampler = Sampler {
        times,
        channels: (channels.iter())
            .map(|name| place(name).unwrap_or_else(|| panic!("no channel {name}")))
            .collect(),
        rows: Vec::new(),
    };
    let outcome = setup.run(sys, &mut sampler).unwrap();
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(sampler.rows.len(), times.len());
    (sampler.rows, outcome)
}
