//! The passenger car of `models/`: 18 bodies, rolling tyres, a driven rack, a speed controller.
//!
//! Reference values come from fourteen minimal coordinates and, separately, from Euler parameters
//! with accelerations; both agree to 2e-8 m and 1e-9 rad.

mod text_model;

use linkwork_dae::equilibrium::equilibrium;
use linkwork_dae::system::System;
use linkwork_problems::study::Setup;
use text_model::{assert_among, channel, consistent_start, eigenvalues, model, sample};

#[test]
fn it_assembles_as_it_stands() {
    let mut sys = model("passenger_car", &[]);
    assert_eq!((sys.facts().dims.nv, sys.facts().dims.nc), (108, 94));
    let start = consistent_start(&mut sys);
    assert_eq!(start.report.dof, 14);
    // free lengths are rounded to 1e-6 m: 0.05 N on the lightest parts
    let largest = start.state.a.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
    assert!(largest < 0.006, "{largest}");
    let mut at = |name: &str| channel(&mut sys, &start.state, name);
    for (corner, load, preload) in [
        ("fl", 3859.05, 5265.1),
        ("fr", 3859.05, 5265.1),
        ("rl", 3356.21, 4515.9),
        ("rr", 3356.21, 4515.9),
    ] {
        let force = at(&format!("tyre_{corner}.force.vertical"));
        assert!((force - load).abs() < 0.2, "{corner}: {force}");
        let strut = at(&format!("strut_{corner}.force"));
        assert!((strut + preload).abs() < 0.2, "{corner}: {strut}");
    }
    assert_eq!((at("speed.x"), at("speed.y")), (20.0, 0.0));
    assert_eq!(at("cruise_control.x"), 0.0);
}

/// Without the controller the car rests where it is: along and across the road, in yaw and in the
/// angles of its wheels nothing holds it.
#[test]
fn it_rests_on_its_wheels() {
    let mut sys = model("passenger_car", &["cruise_control.x=0"]);
    let start = consistent_start(&mut sys);
    let found = equilibrium(&mut sys, &start).unwrap();
    assert_eq!(found.support.neutral.len(), 7);
    assert!(found.support.unstable.is_empty());
    let loads: f64 = ["fl", "fr", "rl", "rr"]
        .map(|corner| {
            let name = format!("tyre_{corner}.force.vertical");
            channel(&mut sys, &found.state, &name)
        })
        .iter()
        .sum();
    assert!((loads - 1471.0 * 9.81).abs() < 1e-6, "{loads}");
}

/// Five digits are known, and seven zeros: place, heading and the angles of the wheels.
#[test]
fn its_eigenvalues() {
    let (found, zeros) = eigenvalues(&mut model("passenger_car", &[]));
    let wanted = [
        [-338.28, 0.0],
        [-330.70, 0.0],
        [-326.76, 0.0],
        [-326.76, 0.0],
        [-29.588, 72.271],
        [-29.550, 72.534],
        [-29.282, 72.222],
        [-28.757, 74.291],
        [-12.862, 4.712],
        [-3.2892, 0.0],
        [-2.7228, 8.3601],
        [-2.1631, 7.6766],
        [-2.1154, 7.4633],
    ];
    assert_among(&found, &wanted, 1e-4);
    assert_eq!(zeros, 7);
}

/// Place at 2 s, roll at 3.5 s, yaw at 5 s, with all the digits that are known. Generalised-alpha is
/// of second order.
#[test]
fn it_changes_lanes() {
    for (method, formulation, tol, bound) in [
        ("bdf", "ggl", 1e-6, 1e-4),
        ("bdf", "index3", 1e-6, 1e-4),
        ("gen-alpha", "index3", 1e-6, 1e-3),
    ] {
        let mut sys = model("passenger_car", &[]);
        let setup = Setup::new(method, formulation, 5.0, tol);
        let names = ["chassis.y", "chassis.roll", "chassis.yaw", "speed.x"];
        let (rows, _) = sample(&mut sys, &setup, &[2.0, 3.5, 5.0], &names);
        for (i, wanted) in [-0.46344, 0.032338, -0.038663].into_iter().enumerate() {
            let x = rows[i][i];
            let what = format!("{method} {formulation}: {x} for {wanted}");
            assert!(
                (x - wanted).abs() < bound * wanted.abs().max(0.04),
                "{what}"
            );
            assert!((rows[i][3] - 20.0).abs() < 0.1);
        }
    }
}

/// Half the stroke, half the response, within 0.2 %.
#[test]
fn it_is_nearly_linear() {
    let setup = Setup::new("bdf", "index3", 3.5, 1e-6);
    let names = ["chassis.y", "chassis.yaw", "chassis.roll"];
    let half = "steering.value=\"0.0015*sin(pi*t)*(1 - exp(-(t/0.5)^2))\"";
    let [full, half] = [&[][..], &[half][..]].map(|overrides| {
        let mut sys = model("passenger_car", overrides);
        sample(&mut sys, &setup, &[3.5], &names).0.remove(0)
    });
    for ((name, half), full) in names.iter().zip(&half).zip(&full) {
        let ratio = 2.0 * half / full;
        assert!((ratio - 1.0).abs() < 2e-3, "{name}: {ratio}");
    }
}
