//! Coordinates and steps: a chain of rods takes as many in joint coordinates as in absolute ones.

use linkwork_dae::state::State;
use linkwork_dae::system::System;
use linkwork_mbs::joint::{Joint, Revolute, Spherical};
use linkwork_mbs::tree::JointCoordinates;
use linkwork_mbs::{Body, BodyRef, Model};
use linkwork_problems::study::Setup;

/// Rods in a row on hinges with axes that alternate, or on balls, released under gravity.
fn chain(n: usize, balls: bool) -> Model {
    let mut m = Model::new("").gravity([0.0, 0.0, -9.81]);
    let mut last = BodyRef::GROUND;
    for i in 0..n {
        let at = [i as f64 + 0.5, 0.0, 0.0];
        let rod = m.add_body(Body::rigid(format!("r{i}"), 1.0, [0.01, 0.084, 0.084]).at(at));
        let place = [i as f64, 0.0, 0.0];
        let axis = [0.0, (i % 2) as f64, ((i + 1) % 2) as f64 + 0.3];
        let joint: Box<dyn Joint> = if balls {
            Spherical::at(place).into()
        } else {
            Revolute::at(place, axis).into()
        };
        m.add_joint(format!("h{i}"), last, rod, joint);
        last = rod;
    }
    m.named("chain")
}

/// Positions of all rods.
fn places(sys: &mut dyn System, s: &State) -> Vec<f64> {
    let mut out = vec![0.0; sys.channels().len()];
    sys.observe(s, &mut out);
    let all = sys.channels().iter().zip(out);
    all.filter(|(c, _)| c.unit == "m").map(|(_, x)| x).collect()
}

/// An order rule without stability watch shows what accuracy alone asks for: as many steps to a tenth,
/// and errors of the same size to a factor of ten, since errors of angles add up along the chain.
#[test]
fn chains_take_as_many_steps_in_both() {
    for (n, balls) in [(10, false), (10, true), (30, false)] {
        let model = chain(n, balls);
        let exact = {
            let mut sys = JointCoordinates::new(&model, &[]).expect("sound");
            let setup = Setup::new("dop853", "projected", 1.0, 1e-10);
            let out = setup.run(&mut sys, &mut ()).expect("runs");
            places(&mut sys, &out.state)
        };
        let systems: [Box<dyn System>; 2] = [
            linkwork_mbs::system(&model).expect("sound"),
            Box::new(JointCoordinates::new(&model, &[]).expect("sound")),
        ];
        let [absolute, joint] = systems.map(|mut sys| {
            let mut setup = Setup::new("bdf", "ggl", 1.0, 1e-6);
            setup.order_rule = Some("largest");
            let out = setup.run(&mut *sys, &mut ()).expect("runs");
            let end = places(&mut *sys, &out.state);
            let error = (end.iter().zip(&exact)).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            (out.stats.steps as f64, error)
        });
        let steps = joint.0 / absolute.0;
        assert!(
            (0.85..1.15).contains(&steps),
            "{n}: {joint:?}, {absolute:?}"
        );
        let error = joint.1 / absolute.1;
        assert!((0.1..10.0).contains(&error), "{n}: {joint:?}, {absolute:?}");
    }
}
