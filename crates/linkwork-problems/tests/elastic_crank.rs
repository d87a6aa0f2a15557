//! The elastic slider crank as a model file, against the references of the hand-written system, which were computed in
//! extended precision at t = 0.1, in all variants.

use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation, Verdict};

const MODEL: &str = include_str!("../../../models/elastic_slider_crank.toml");

const CONSISTENT: &str = include_str!("../reference/slider_crank_consistent.csv");
/// From the published start, which is the consistent one to 9 digits.
const DAMPED: &str = include_str!("../reference/slider_crank_damped.csv");
const NONLINEAR: &str = include_str!("../reference/slider_crank_nonlinear.csv");
const REST: &str = include_str!("../reference/slider_crank_rest.csv");

/// A number of the reference.
fn reference(text: &str, name: &str) -> f64 {
    let line = text.lines().find(|l| l.starts_with(&format!("{name},")));
    let value = line.and_then(|l| l.split(',').nth(1));
    value.unwrap().parse().unwrap()
}

fn run(variant: &[&str], method: &str, formulation: &str, rtol: f64) -> Run {
    let document = text::read_with(MODEL, variant).unwrap_or_else(|e| panic!("{e:?}"));
    let options = Options {
        rtol: Some(rtol),
        method: Some(method.into()),
        formulation: (!formulation.is_empty()).then(|| formulation.into()),
        ..Options::default()
    };
    let simulation = Simulation::from_document(&document).unwrap();
    let run = simulation.options(options).run().unwrap();
    assert_ne!(run.verdict, Verdict::Failed, "{:?}", run.ending);
    run
}

fn last(run: &Run, name: &str) -> f64 {
    *run.channel(name)
        .unwrap_or_else(|| panic!("{name}"))
        .last()
        .unwrap()
}

/// Position of the block and amplitudes of the rod, and whether velocities and accelerations are to be compared as well.
fn compare(run: &Run, wanted: &str, bounds: [f64; 2], what: &str) {
    let pairs = [
        ("block.x", "x3"),
        ("rod.mode1", "q1"),
        ("rod.mode2", "q2"),
        ("rod.mode3", "q3"),
        ("rod.mode4", "q4"),
    ];
    let mut worst = [0.0f64; 2];
    for (name, told) in pairs {
        let off = (last(run, name) / reference(wanted, told) - 1.0).abs();
        worst[0] = worst[0].max(off);
    }
    for (name, told) in [
        ("block.x.acceleration", "ddx3"),
        ("rod.mode1.acceleration", "ddq1"),
    ] {
        let off = (last(run, name) / reference(wanted, told) - 1.0).abs();
        worst[1] = worst[1].max(off);
    }
    println!(
        "{what}: {:.1e} {:.1e}, {} steps",
        worst[0], worst[1], run.stats.steps
    );
    for (worst, bound) in worst.into_iter().zip(bounds) {
        assert!(worst < bound, "{what}: {worst:e}");
    }
}

/// Every variant by methods of every kind. Vibrations that the start excites are followed, which takes tight tolerances.
#[test]
fn the_model_meets_the_references_in_all_variants() {
    let cases: [(&[&str], &str, &[(&str, &str, f64)]); 4] = [
        (
            &[],
            CONSISTENT,
            &[
                ("bdf", "ggl", 1e-8),
                ("bdf", "index3", 1e-8),
                ("radau", "", 1e-8),
                ("gen-alpha", "", 1e-7),
                ("rosenbrock", "", 1e-8),
            ],
        ),
        (
            &["damped=1"],
            DAMPED,
            &[("bdf", "ggl", 1e-8), ("radau", "", 1e-8)],
        ),
        (
            &["nonlinear=1"],
            NONLINEAR,
            &[("radau", "", 1e-9), ("bdf", "ggl", 1e-9)],
        ),
        (
            &["rest=1"],
            REST,
            &[("radau", "", 1e-9), ("bdf", "ggl", 1e-9)],
        ),
    ];
    for (variant, wanted, methods) in cases {
        for (method, formulation, rtol) in methods {
            let run = run(variant, method, formulation, *rtol);
            let what = format!("{variant:?} {method} {formulation} {rtol:e}");
            compare(&run, wanted, [1e-3, 1e-1], &what);
        }
    }
}
