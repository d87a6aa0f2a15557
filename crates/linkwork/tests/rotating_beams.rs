//! Beams that turn steadily: they flap and lag faster, by modes and by elements, against the published curve.

use linkwork::Simulation;
use linkwork::mbs::force::BeamElement;
use linkwork::mbs::joint::{Drive, Revolute};
use linkwork::mbs::{Beam, Body, BodyRef, Formula, Material, Model, Section};
use linkwork::modes::{Modes, Point, named_modes};

mod runs;

use runs::simulation;

/// Speed and the two lowest frequencies of flapping (out of the plane of rotation) and of lagging (in it), all by
/// `sqrt(EI/rho A L^4)`: a uniform cantilever without a hub, by collocation (Wright, Smith, Thresher & Wang 1982 print the same).
const CURVE: [(f64, [f64; 2], [f64; 2]); 6] = [
    (0.0, [3.516_014_9, 22.034_491], [3.516_014_9, 22.034_491]),
    (1.0, [3.681_646_4, 22.181_011], [3.543_235_9, 22.158_458]),
    (2.0, [4.137_319_1, 22.614_922], [3.621_796_5, 22.526_311]),
    (4.0, [5.585_001_2, 24.273_349], [3.897_722_2, 23.941_501]),
    (8.0, [9.256_837_5, 29.995_381], [4.657_149_3, 28.908_872]),
    (12.0, [13.170_15, 37.603_112], [5.427_048_9, 35.636_976]),
];

/// Angular frequencies of the vibrations that a coordinate takes part in, from below.
fn frequencies(modes: &Modes, takes_part: impl Fn(&str) -> bool) -> Vec<f64> {
    let moves = |m: &&linkwork::modes::NamedMode| {
        let mut shape = m.shape.iter();
        m.im > 1e-3 && shape.any(|e| e.amplitude > 1e-2 && takes_part(&e.coordinate))
    };
    let mut all: Vec<f64> = modes.modes.iter().filter(moves).map(|m| m.im).collect();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn modes_that_stiffen_follow_the_curve() {
    for (speed, flap, lag) in CURVE {
        let model = format!(
            "[model]\nplanar = false\n\
             [[section]]\nname = \"s\"\nkind = \"general\"\narea = 1\nsecond_moments = [1e-6, 1e-6]\n\
             [[material]]\nname = \"m\"\nyoung = 1e6\npoisson = 0\ndensity = 1\n\
             [[body]]\nname = \"arm\"\nkind = \"flexible_beam\"\nlength = 1\nsection = \"s\"\nmaterial = \"m\"\n\
             modes = [8, 8, 0, 0]\ntheory = \"euler\"\nmode_set = \"clamped\"\nangular_velocity = [0, 0, {speed}]\n\
             [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbody_b = \"arm\"\naxis = [0, 0, 1]\n\
             [[joint]]\nname = \"drive\"\nkind = \"drive\"\nbody_b = \"arm\"\naxis = [0, 0, 1]\nvalue = \"{speed}*t\"\n"
        );
        let modes = named_modes(&mut simulation(&model), Point::Start).unwrap();
        for (along, wanted) in [("along z", flap), ("along y", lag)] {
            let found = frequencies(&modes, |c| c.contains(along));
            for (w, wanted) in found.iter().zip(wanted) {
                let off = w / wanted - 1.0;
                println!("{speed} {along}: {w} {off:e}");
                assert!(off.abs() < 1e-3, "{speed} {along}: {found:?} {off:e}");
            }
        }
    }
}

/// A beam that turns about its start, each element as long as its tension makes it: nothing of it moves against the others.
fn turning(elements: usize, speed: f64) -> Model {
    let (axial, bending) = (1e6, 1.0);
    let second = bending / axial;
    let section = Section {
        area: 1.0,
        shear_areas: [1.0; 2],
        torsion_constant: 2.0 * second,
        second_moments: [second; 2],
        resistance: None,
    };
    let material = Material::new(axial, 0.0, 1.0);
    let straight = [[0.0; 3], [1.0, 0.0, 0.0]];
    let beam = Beam::through("arm", straight, elements, section, material);
    let mut bodies: Vec<Body> = beam.bodies(linkwork::mbs::model::Axes::Space);
    let each = 1.0 / elements as f64;
    // tensions from the tip inwards, at places that they stretch
    let mut places: Vec<f64> = (0..=elements).map(|i| i as f64 * each).collect();
    for _ in 0..40 {
        let mut tension = 0.0;
        let mut stretches = vec![0.0; elements];
        for i in (1..=elements).rev() {
            let body = &bodies[i];
            tension += body.mass * speed * speed * (places[i] + body.centre_of_mass[0]);
            stretches[i - 1] = tension / axial * each;
        }
        for i in 0..elements {
            places[i + 1] = places[i] + each + stretches[i];
        }
    }
    let mut model = Model::new("");
    for (body, x) in bodies.iter_mut().zip(&places) {
        let centre = x + body.centre_of_mass[0];
        let own = body.clone().at([*x, 0.0, 0.0]);
        let own = own.moving([0.0, speed * centre, 0.0]);
        model.add_body(own.spinning([0.0, 0.0, speed]));
    }
    for (name, a, b, element) in beam.pieces(0) {
        let undeformed = Some([each, 0.0, 0.0, 0.0, 0.0, 0.0]);
        model.add_force(
            name,
            a,
            b,
            BeamElement {
                undeformed,
                ..element
            },
        );
    }
    let start = BodyRef::from_index(0);
    let z = [0.0, 0.0, 1.0];
    model.add_joint("hinge", BodyRef::GROUND, start, Revolute::at([0.0; 3], z));
    let drive = Drive::angle(z, Formula::parse(&format!("{speed:?}*t")).unwrap());
    model.add_joint("drive", BodyRef::GROUND, start, drive);
    model.named("turning")
}

/// Elements between bodies have nothing of rotation in them: tension and inertia of the bodies are all that there is.
#[test]
fn elements_follow_the_curve() {
    // at rest flapping and lagging are the same
    for (speed, flap, _) in CURVE.into_iter().skip(1) {
        for (elements, bounds) in [(8, [1e-3, 5e-3]), (16, [2e-4, 1e-3])] {
            let model = turning(elements, speed);
            let modes = named_modes(&mut Simulation::of(&model).unwrap(), Point::Start).unwrap();
            let found = frequencies(&modes, |c| c.contains("`arm_end`") && c.ends_with(" z"));
            println!("{speed} {elements}: {:?}", &found[..found.len().min(4)]);
            for ((w, wanted), bound) in found.iter().zip(flap).zip(bounds) {
                let off = w / wanted - 1.0;
                println!("{speed} {elements}: {w} {off:e}");
                assert!(off.abs() < bound, "{speed} {elements}: {found:?} {off:e}");
            }
        }
    }
}
