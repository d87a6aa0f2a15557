//! The spatial slider-crank of `models/` against the closed formula of its slider.

mod text_model;

use linkwork_dae::system::System;
use linkwork_problems::study::Setup;
use text_model::{channel, consistent_start, model, sample};

/// The slider for an angle of the crank, and how it changes with it.
fn slider(angle: f64) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    let (y, z) = (0.1 - 0.08 * s, 0.12 + 0.08 * c);
    let x = (0.09 - y * y - z * z).sqrt();
    [x, (0.08 * c * y + 0.08 * s * z) / x]
}

#[test]
fn the_start_is_that_of_the_crank() {
    let mut sys = model("spatial_slider_crank", &[]);
    assert_eq!((sys.facts().dims.nv, sys.facts().dims.nc), (18, 17));
    let start = consistent_start(&mut sys);
    assert_eq!(start.report.dof, 1);
    // dx/dangle = 0.08 * 0.1 / 0.2 at angle 0, 6 rad/s; `exact` outweighs guesses by 1e12
    let mut at = |name: &str| channel(&mut sys, &start.state, name);
    assert!((at("crank.omega.x") - 6.0).abs() < 1e-9);
    assert!((at("slider.x.velocity") - 0.24).abs() < 1e-9);
    assert!((at("slider.x") - 0.2).abs() < 1e-15);
}

/// Geometry holds whatever the motion: to what a step leaves open of the constraints, far below the
/// tolerance in GGL form, and in index 3 for the position. The crank makes several turns.
#[test]
fn the_slider_follows_the_crank() {
    let times: Vec<f64> = (1..=50).map(|i| 0.1 * f64::from(i)).collect();
    let names = [
        "angle",
        "angle.velocity",
        "slider.x",
        "slider.x.velocity",
        "slider.y",
        "slider.roll",
    ];
    for (method, formulation, bound, bound_v) in [
        ("bdf", "ggl", 1e-9, 1e-6),
        ("bdf", "index3", 1e-9, 1e-2),
        ("gen-alpha", "ggl", 1e-9, 1e-6),
    ] {
        let mut sys = model("spatial_slider_crank", &[]);
        let setup = Setup::new(method, formulation, 5.0, 1e-7);
        let (rows, _) = sample(&mut sys, &setup, &times, &names);
        let mut farthest = 0.0f64;
        for row in &rows {
            let [x, slope] = slider(row[0]);
            farthest = farthest.max(row[0].abs());
            let what = format!("{method} {formulation}: {row:?} for {x} {slope}");
            assert!((row[2] - x).abs() < 1e-6 + bound, "{what}");
            assert!((row[3] - slope * row[1]).abs() < 1e-4 + bound_v, "{what}");
            assert!(row[4].abs() < 1e-6 && row[5].abs() < 1e-6, "{what}");
        }
        assert!(farthest > 0.999 * std::f64::consts::TAU, "{farthest}");
    }
}

/// With the drive of a crank at a constant rate nothing is left to integrate: errors are those of the
/// corrector and of the interpolation between steps.
#[test]
fn a_driven_crank_moves_the_slider_by_the_formula() {
    let path = format!(
        "{}/../../models/spatial_slider_crank.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let source = std::fs::read_to_string(path).unwrap()
        + "\n[[joint]]\nname = \"motor\"\nkind = \"drive\"\nbody_b = \"crank\"\naxis = [1, 0, 0]\nvalue = \"6*t\"\n";
    let document = linkwork_mbs::text::read(&source).unwrap();
    let mut sys = linkwork_mbs::assemble(&document.model).unwrap();
    let times: Vec<f64> = (1..=20).map(|i| 0.1 * f64::from(i)).collect();
    let setup = Setup::new("bdf", "ggl", 2.0, 1e-8);
    let (rows, _) = sample(&mut sys, &setup, &times, &["slider.x", "slider.x.velocity"]);
    for (t, row) in times.iter().zip(&rows) {
        let [x, slope] = slider(6.0 * t);
        assert!((row[0] - x).abs() < 1e-6, "t {t}: {row:?} for {x}");
        assert!((row[1] - 6.0 * slope).abs() < 1e-4, "t {t}: {row:?}");
    }
}
