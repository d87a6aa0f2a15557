//! Benchmarks computed badly by a run that sees nothing wrong with itself: computing them once more tells.

use linkwork::dae::system::System;
use linkwork::verify::{Look, verify};
use linkwork::{Doubt, Options, Run, Simulation, Verdict};
use linkwork_mbs::error::ModelError;
use linkwork_problems::PROBLEMS;

/// Makes simulations of a problem or of a model.
fn maker(name: &'static str) -> impl FnMut(&Options) -> Result<Simulation, ModelError> {
    let problem = PROBLEMS.iter().find(|p| p.name == name);
    let system: Option<Box<dyn System>> = problem.map(|p| (p.build)(&[]).unwrap());
    let t_end = problem.map(|p| p.t_end);
    move |options| match &system {
        Some(system) => {
            let t_end = options.t_end.or(t_end).unwrap();
            Ok(Simulation::new(system.fork()).options(options.clone().t_end(t_end)))
        }
        None => {
            let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            Simulation::from_document_with(
                &linkwork_mbs::text::read(&text).unwrap(),
                options.clone(),
            )
        }
    }
}

fn run(name: &'static str, options: Options) -> Run {
    maker(name)(&options).unwrap().run().unwrap()
}

/// Largest difference of a channel over all rows, relative to its range.
fn apart(run: &Run, tight: &Run, channel: &str) -> f64 {
    let [a, b] = [run, tight].map(|r| r.channel(channel).unwrap());
    assert_eq!(a.len(), b.len());
    let range =
        b.iter().fold(f64::MIN, |m, x| m.max(*x)) - b.iter().fold(f64::MAX, |m, x| m.min(*x));
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max) / range
}

#[test]
fn wrong_results_are_found() {
    for (name, method, rtol) in [
        ("crank", "bdf", 1e-3),
        ("crank", "gen-alpha", 1e-3),
        ("chain", "bdf", 1e-3),
        ("chain", "gen-alpha", 1e-2),
        ("hmmwv", "bdf", 1e-2),
    ] {
        let asked = Options::new().method(method).rtol(rtol);
        let mut found = run(name, asked.clone());
        let seen = format!("{name}, {method}, {rtol:e}");
        assert_eq!(
            found.verdict,
            Verdict::Converged,
            "{seen}: {:?}",
            found.doubts
        );
        verify(
            &mut found,
            (Look::Verify, &asked),
            &mut maker(name),
            &mut (),
        );
        assert_eq!(
            found.verdict,
            Verdict::Degraded,
            "{seen}: {:?}",
            found.verification
        );
        let channel = found.doubts.iter().find_map(|d| match d {
            Doubt::Inaccurate { channel, .. } => Some(channel.clone()),
            _ => None,
        });
        let channel = channel.unwrap_or_else(|| panic!("{seen}: {:?}", found.doubts));
        // the accusation is true
        let tight = run(name, Options::new().method("radau").rtol(1e-7));
        let error = apart(&found, &tight, &channel);
        assert!(error > 5e-3, "{seen}: {channel} is off by {error:.1e} only");
    }
}

#[test]
fn sound_results_are_confirmed() {
    for name in ["squeezer", "hmmwv", "rod-chain"] {
        let asked = Options::new();
        let mut found = run(name, asked.clone());
        verify(
            &mut found,
            (Look::Verify, &asked),
            &mut maker(name),
            &mut (),
        );
        assert_eq!(
            found.verdict,
            Verdict::Converged,
            "{name}: {:?}",
            found.doubts
        );
        let work = found.verification.unwrap().work;
        assert!(work < 2.5, "{name}: {work} times the work of the run");
    }
}
