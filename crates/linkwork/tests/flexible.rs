//! Runs of flexible bodies: conserved quantities, a mechanism that is one in disguise, and frequencies of
//! a beam.

use linkwork::mbs::carrier::{Modal, ModalPoint};
use linkwork::mbs::force::SpringDamper;
use linkwork::mbs::geometry::{Marker, Vector, add, cross, scaled};
use linkwork::mbs::joint::{Fixed, PointOnLine, Spherical};
use linkwork::mbs::{self, Body, BodyRef, Model};
use linkwork::modes::{Point, named_modes};
use linkwork::{Options, Run, Simulation, Verdict};

const GROUND: BodyRef = BodyRef::GROUND;

fn run(model: &Model, t_end: f64, rtol: f64, method: &str, formulation: &str) -> Run {
    let mut options = Options {
        t_end: Some(t_end),
        ..Options::default()
    };
    options.rtol = Some(rtol);
    options.method = Some(method.into());
    options.formulation = Some(formulation.into());
    let run = Simulation::of(model).unwrap().options(options).run();
    let run = run.unwrap();
    assert_eq!(
        run.verdict,
        Verdict::Converged,
        "{:?} {:?}",
        run.doubts,
        run.ending
    );
    run
}

fn at(run: &Run, name: &str, row: usize) -> f64 {
    run.channel(name).unwrap_or_else(|| panic!("{name}"))[row]
}

fn last(run: &Run, name: &str) -> f64 {
    at(
        run,
        name,
        run.channel(name).unwrap_or_else(|| panic!("{name}")).len() - 1,
    )
}

/// Four mass points that bend and twist while they tumble.
fn tumbling() -> (Modal, Vec<f64>) {
    let masses = vec![1.0, 0.5, 0.8, 1.2];
    let places = [[0.0; 3], [1.0, 0.0, 0.2], [0.3, 1.1, 0.0], [-0.4, 0.2, 0.9]];
    let shapes: [[Vector; 2]; 4] = [
        [[0.0, 0.1, 0.0], [0.05, 0.0, 0.0]],
        [[0.1, 0.0, 0.4], [0.0, 0.3, 0.0]],
        [[0.3, 0.1, 0.0], [0.2, 0.0, 0.3]],
        [[0.0, 0.2, 0.1], [-0.3, 0.1, 0.0]],
    ];
    let points =
        (masses.iter().zip(places).zip(shapes)).map(|((mass, place), shapes)| ModalPoint {
            place,
            mass: *mass,
            displacement: shapes.to_vec(),
            rotation: vec![[0.0; 3]; 2],
            ..ModalPoint::default()
        });
    let modal = Modal {
        points: points.collect(),
        stiffness: vec![40.0, 5.0, 5.0, 60.0],
        damping_ratio: vec![0.0; 2],
        frames: (0..4).map(|k| (format!("p{k}"), k)).collect(),
        start: vec![[0.2, 0.0], [0.0, 1.0]],
        ..Modal::default()
    };
    (modal, masses)
}

/// Nothing acts on it: momentum, angular momentum and energy stay, by every kind of method, up to the sum
/// of the local errors of all steps. What its frames show is summed over its mass points.
#[test]
fn a_free_flexible_body_keeps_its_momenta_and_its_energy() {
    let (modal, masses) = tumbling();
    let mut m = Model::new("");
    let body = Body::modal("f", modal).turned([0.2, -0.3, 0.5]);
    m.add_body(body.moving([0.1, 0.2, 0.3]).spinning([0.5, 1.0, -0.7]));
    let m = m.named("free");
    for (method, formulation, rtol) in [
        ("bdf", "ggl", 1e-8),
        ("bdf", "index3", 1e-8),
        ("dop853", "projected", 1e-9),
    ] {
        let r = run(&m, 4.0, rtol, method, formulation);
        let bound = r.stats.steps as f64 * rtol;
        let momenta = |row: usize| {
            let (mut p, mut l) = ([0.0; 3], [0.0; 3]);
            for (k, mass) in masses.iter().enumerate() {
                let of = |what: &str| -> Vector {
                    ["x", "y", "z"].map(|axis| at(&r, &format!("f.p{k}.{axis}{what}"), row))
                };
                let own = scaled(of(".velocity"), *mass);
                p = add(p, own);
                l = add(l, cross(of(""), own));
            }
            [p, l]
        };
        let rows = r.channel("f.x").unwrap().len();
        let (first, end) = (momenta(0), momenta(rows - 1));
        for (a, b) in first.as_flattened().iter().zip(end.as_flattened()) {
            assert!((a - b).abs() < bound, "{method} {formulation}: {a} {b}");
        }
        let e = r.energy.unwrap();
        assert!(e.imbalance().abs() < bound, "{method} {formulation} {e:?}");
        assert!(last(&r, "f.mode1").abs() > 1e-3);
    }
}

/// A body with a mass that slides along a line of it against a spring is a flexible body with one mode:
/// the mode is an exact displacement, so both move alike, with all forces of the rotating frame.
#[test]
fn a_sliding_mass_is_a_mode() {
    let (mass, inertia, slider) = (2.0, [0.3, 0.4, 0.5], 0.7);
    let place = [0.6, 0.2, -0.1];
    let along: Vector = [0.6, 0.0, 0.8];
    let stiffness = 80.0;
    let gravity = [0.0, 0.0, -9.81];
    let start = [[0.1, 0.2, 0.3], [0.3, -0.2, 0.1]];
    let spin = [1.0, 2.0, -1.5];

    let rigid = ModalPoint {
        place: [0.0; 3],
        mass,
        inertia,
        displacement: vec![[0.0; 3]],
        rotation: vec![[0.0; 3]],
        ..ModalPoint::default()
    };
    let modal = Modal {
        points: vec![
            rigid,
            ModalPoint {
                place,
                mass: slider,
                displacement: vec![along],
                rotation: vec![[0.0; 3]],
                ..ModalPoint::default()
            },
        ],
        stiffness: vec![stiffness],
        damping_ratio: vec![0.0],
        frames: vec![("slider".into(), 1)],
        start: vec![[0.0, 0.0]],
        ..Modal::default()
    };
    let mut flexible = Model::new("").gravity(gravity);
    let body = Body::modal("base", modal).at(start[0]).turned(start[1]);
    let base = flexible.add_body(body.spinning(spin));
    let pull = |a: BodyRef, m: &mut Model| {
        let law = [15.0, 0.5];
        let spring = SpringDamper::between(Marker::global([1.0, 2.0, 3.0]), [0.0; 3], law, None);
        m.add_force("pull", GROUND, a, spring);
    };
    flexible.add_joint("ball", GROUND, base, Spherical::at([0.1, 0.2, 0.3]));
    pull(base.on_frame(1), &mut flexible);

    let mut jointed = Model::new("").gravity(gravity);
    let body = Body::rigid("base", mass, inertia)
        .at(start[0])
        .turned(start[1]);
    let body = body.spinning(spin);
    let pose = body.site().pose;
    let base = jointed.add_body(body);
    // fixed in the body at first
    let moving = pose.direction(cross(spin, place));
    let point = Body::point("slider", slider)
        .at(pose.point(place))
        .moving(moving);
    let point = jointed.add_body(point);
    jointed.add_joint("ball", GROUND, base, Spherical::at([0.1, 0.2, 0.3]));
    let line = PointOnLine::at(pose.point(place), pose.direction(along));
    jointed.add_joint("line", base, point, line);
    let anchor = add(place, scaled(along, -3.0));
    let spring = SpringDamper::between(anchor, [0.0; 3], [stiffness, 0.0], Some(3.0));
    jointed.add_force("spring", base, point, spring);
    pull(point, &mut jointed);

    let [got, want] = [flexible.named("flexible"), jointed.named("jointed")]
        .map(|m| run(&m, 1.5, 1e-9, "bdf", "ggl"));
    for (own, other) in [("base.slider", "slider"), ("base", "base")] {
        for what in ["x", "y", "z", "x.velocity", "z.velocity"] {
            let x = last(&got, &format!("{own}.{what}"));
            let y = last(&want, &format!("{other}.{what}"));
            // two ways to the same motion at a tolerance of 1e-9 over some hundred steps
            assert!(
                (x - y).abs() < 1e-6 * (1.0 + y.abs()),
                "{own}.{what}: {x} {y}"
            );
        }
    }
    for what in ["omega.x", "omega.y", "omega.z"] {
        let [x, y] = [&got, &want].map(|r| last(r, &format!("base.{what}")));
        assert!((x - y).abs() < 1e-6 * (1.0 + y.abs()), "{what}: {x} {y}");
    }
    let [x, y] = [&got, &want].map(|r| last(r, "ball.reaction.z"));
    assert!((x - y).abs() < 1e-5 * (1.0 + y.abs()), "reaction: {x} {y}");
    // both count the same energy
    let [e, f] = [&got, &want].map(|r| r.energy.unwrap());
    assert!(
        (e.exchanged - f.exchanged).abs() < 1e-4 * f.exchanged,
        "{e:?} {f:?}"
    );
}

/// A clamped beam with polynomials as shapes (Ritz): its frequencies are upper bounds of
/// `beta^2 sqrt(EI / rho A l^4)`, beta = 1.875104, 4.694091. Mass on Gauss points, exact for products of
/// the shapes.
#[test]
fn a_clamped_beam_has_its_frequencies() {
    // eight Gauss points on 0..1
    const GAUSS: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ];
    let shapes = 5;
    let mut points = Vec::new();
    for (x, weight) in GAUSS.into_iter().flat_map(|(x, w)| [(x, w), (-x, w)]) {
        let x = 0.5 + 0.5 * x;
        points.push(ModalPoint {
            place: [x, 0.0, 0.0],
            mass: 0.5 * weight,
            // a beam without thickness about its axis could turn for nothing
            inertia: [1e-3 * weight, 0.0, 0.0],
            displacement: (0..shapes).map(|k| [0.0, x.powi(2 + k), 0.0]).collect(),
            rotation: (0..shapes)
                .map(|k| [0.0, 0.0, f64::from(2 + k) * x.powi(1 + k)])
                .collect(),
            ..ModalPoint::default()
        });
    }
    // integral of x^(i - 2) x^(j - 2) with their factors
    let bend = |i: i32, j: i32| {
        let (i, j) = (f64::from(i + 2), f64::from(j + 2));
        i * (i - 1.0) * j * (j - 1.0) / (i + j - 3.0)
    };
    let stiffness = (0..shapes).flat_map(|i| (0..shapes).map(move |j| bend(i, j)));
    let modal = Modal {
        points,
        stiffness: stiffness.collect(),
        damping_ratio: vec![0.0; shapes as usize],
        frames: Vec::new(),
        start: vec![[0.0; 2]; shapes as usize],
        ..Modal::default()
    };
    let mut m = Model::new("");
    let beam = m.add_body(Body::modal("beam", modal));
    m.add_joint("clamp", GROUND, beam, Fixed::at([0.0; 3]));
    let mut simulation = Simulation::of(&m.named("beam")).unwrap();
    let found = named_modes(&mut simulation, Point::Equilibrium).unwrap();
    let mut frequencies: Vec<f64> = found.modes.iter().map(|m| m.im.abs()).collect();
    frequencies.sort_by(f64::total_cmp);
    for (got, (want, above)) in frequencies
        .iter()
        .zip([(3.516_015, 1e-6), (22.034_49, 1e-3)])
    {
        let excess = got / want - 1.0;
        assert!(excess > -1e-6 && excess < above, "{got} {want}: {excess:e}");
    }
    // the beam is all that moves
    let parts = &found.modes[0].parts;
    assert_eq!(parts.len(), 1, "{parts:?}");
    assert!(
        (parts[0].energy - 1.0).abs() < 1e-9 && parts[0].part == "beam",
        "{parts:?}"
    );
}

/// Found at rest, written and read: the same pose, amplitudes included.
#[test]
fn a_bent_body_is_written_with_its_amplitudes() {
    let (modal, _) = tumbling();
    let mut m = Model::new("").gravity([0.0, 0.0, -9.81]);
    let f = m.add_body(Body::modal("f", modal));
    m.add_joint("clamp", GROUND, f.on_frame(1), Fixed::at([0.0; 3]));
    let written = mbs::text::write(&m.named("bent"));
    let back = mbs::text::read(&written).unwrap();
    assert_eq!(mbs::text::write(&back.model), written);
}
