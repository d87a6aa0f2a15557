//! Random trees as models, with every joint that can carry a body: joint coordinates say what absolute
//! ones say, and motions keep what the mechanics keep.

use linkwork_dae::chart;
use linkwork_dae::linear::SparseLu;
use linkwork_dae::saddle::Saddle;
use linkwork_dae::state::State;
use linkwork_dae::system::{EnergyAccount, Part, Rows, System, Terms};
use linkwork_mbs::body::Shape;
use linkwork_mbs::force::SpringDamper;
use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::{
    Cylindrical, Fixed, JOINTS, Joint, Planar, PointOnLine, PointOnPlane, Prismatic, Revolute,
    Screw, Spherical, Universal,
};
use linkwork_mbs::tree::JointCoordinates;
use linkwork_mbs::{Body, BodyRef, Model, assemble};
use linkwork_problems::study::Setup;

/// Numbers that look random and are always the same (Knuth's MMIX generator).
struct Random(u64);

impl Random {
    /// In [-1, 1).
    fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| size * self.next())
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) * 0.5 * n as f64) as usize % n
    }
}

/// Kinds that carry bodies in space; what else there is closes loops.
const CARRY_IN_SPACE: [&str; 10] = [
    "spherical",
    "revolute",
    "prismatic",
    "cylindrical",
    "universal",
    "planar",
    "fixed",
    "screw",
    "point_on_line",
    "point_on_plane",
];
/// The same in the plane.
const CARRY_IN_PLANE: [&str; 4] = ["revolute", "prismatic", "fixed", "point_on_line"];

fn joint_in_space(kind: &str, place: [f64; 3], random: &mut Random) -> Box<dyn Joint> {
    let axis = [
        1.0 + 0.3 * random.next(),
        0.5 * random.next(),
        random.next(),
    ];
    match kind {
        "spherical" => Spherical::at(place).into(),
        "revolute" => Revolute::at(place, axis).into(),
        "prismatic" => Prismatic::at(place, axis).into(),
        "cylindrical" => Cylindrical::at(place, axis).into(),
        "universal" => Universal::at(place, axis, [-axis[1], axis[0], 0.0]).into(),
        "planar" => Planar::at(place, axis).into(),
        "fixed" => Fixed::at(place).into(),
        "screw" => Screw::at(place, axis, 0.7).into(),
        "point_on_line" => PointOnLine::at(place, axis).into(),
        _ => PointOnPlane::at(place, axis).into(),
    }
}

/// Kinds that lead a point of body b: only that can be the carried one.
fn leads_a_point(kind: &str) -> bool {
    kind.starts_with("point")
}

/// A tree in space whose joints take turns; every second joint that can has the carried body first. Some
/// bodies are roots on the ground, `free` has them float instead, all on one.
fn tree_in_space(seed: u64, free: bool, gravity: [f64; 3]) -> Model {
    let mut random = Random(seed);
    let mut m = Model::new("").gravity(gravity);
    let mut bodies: Vec<(BodyRef, [f64; 3])> = Vec::new();
    for i in 0..11 {
        let roots = usize::from(!free || i == 0);
        let choice = random.below(bodies.len() + roots);
        let parent = bodies.get(choice).copied();
        let from = parent.map_or([0.0; 3], |p| p.1);
        let at: [f64; 3] = std::array::from_fn(|k| from[k] + random.next());
        let inertia = [(); 3].map(|()| 0.3 + 0.05 * random.next());
        let body = Body::rigid(format!("b{i}"), 1.0 + 0.5 * random.next(), inertia)
            .at(at)
            .turned(random.vector(1.5));
        let body = m.add_body(body);
        let ground = (BodyRef::GROUND, [0.0; 3]);
        if !free || i > 0 {
            let kind = CARRY_IN_SPACE[(i + seed as usize) % CARRY_IN_SPACE.len()];
            let place: [f64; 3] = std::array::from_fn(|k| 0.5 * (from[k] + at[k]));
            let joint = joint_in_space(kind, place, &mut random);
            let (a, b) = (parent.unwrap_or(ground).0, body);
            let (a, b) = if i % 2 == 0 || leads_a_point(kind) {
                (a, b)
            } else {
                (b, a)
            };
            m.add_joint(format!("{kind} {i}"), a, b, joint);
        }
        bodies.push((body, at));
    }
    for i in 0..6 {
        let spring = SpringDamper::between(
            Marker::body(random.vector(0.3)),
            Marker::body(random.vector(0.3)),
            [30.0, 0.0],
            Some(0.5),
        );
        let (a, b) = (bodies[i].0, bodies[10 - i].0);
        if i != 5 {
            m.add_force(format!("s{i}"), a, b, spring);
        }
    }
    m.named("tree")
}

/// The same in the plane.
fn tree_in_plane(seed: u64) -> Model {
    let mut random = Random(seed);
    let mut m = Model::planar("tree").gravity([0.3, -9.81]);
    let mut bodies: Vec<(BodyRef, [f64; 2])> = vec![(BodyRef::GROUND, [0.0; 2])];
    for i in 0..8 {
        let (parent, from) = bodies[random.below(bodies.len())];
        let at = [from[0] + random.next(), from[1] + random.next()];
        let body = Body::planar(format!("b{i}"), 1.0 + 0.5 * random.next(), 0.2);
        let body = m.add_body(body.at(at).turned(4.0 * random.next()));
        let place = [0.5 * (from[0] + at[0]), 0.5 * (from[1] + at[1])];
        let axis = [1.0 + 0.5 * random.next(), random.next()];
        let kind = CARRY_IN_PLANE[(i + seed as usize) % CARRY_IN_PLANE.len()];
        let joint: Box<dyn Joint> = match kind {
            "revolute" => Revolute::pin(place).into(),
            "prismatic" => Prismatic::at(place, axis).into(),
            "fixed" => Fixed::at(place).into(),
            _ => PointOnLine::at(place, axis).into(),
        };
        let (a, b) = if i % 2 == 0 || leads_a_point(kind) {
            (parent, body)
        } else {
            (body, parent)
        };
        m.add_joint(format!("{kind} {i}"), a, b, joint);
        bodies.push((body, at));
    }
    m
}

fn models() -> Vec<Model> {
    let mut models: Vec<Model> = (0..12)
        .map(|seed| tree_in_space(seed, seed % 3 == 0, [0.5, -0.2, -9.81]))
        .collect();
    models.extend((0..8).map(tree_in_plane));
    models
}

fn accelerate(sys: &mut dyn System, s: &mut State) {
    let rows = Rows::all(sys.dims());
    let mut saddle = Saddle::new(sys, &rows, Box::new(SparseLu::new()));
    saddle.accelerate(sys, s).expect("regular");
}

fn random_state(sys: &dyn System, random: &mut Random) -> State {
    let mut s = State::new(sys.dims());
    let d: Vec<f64> = s.v.iter().map(|_| 0.3 * random.next()).collect();
    s.q = sys.facts().guess.q.clone();
    chart::advance(sys, &mut s.q, &d);
    for x in s.v.iter_mut().chain(&mut s.a) {
        *x = random.next();
    }
    s
}

/// Nothing is left to close in a tree; accelerations, reactions and everything else that can be
/// observed at the same state are equal to rounding, which reactions of long arms carry some digits of.
#[test]
fn the_same_accelerations_and_reactions() {
    let mut random = Random(99);
    for (n, model) in models().into_iter().enumerate() {
        let mut joint = JointCoordinates::new(&model, &[]).expect("sound");
        assert_eq!(joint.facts().dims.nc, 0, "{n}: {:?}", joint.outline().cut);
        let mut absolute = assemble(&model).expect("sound");
        for _ in 0..3 {
            let mut s = random_state(&joint, &mut random);
            accelerate(&mut joint, &mut s);
            let mut same = joint.absolute(&s).clone();
            // it is a state of the absolute system: its constraints hold
            let dims = absolute.facts().dims;
            let (mut c, mut cv) = (vec![0.0; dims.nc], vec![0.0; dims.rows()]);
            let mut want = Terms {
                c: Some(&mut c),
                cv: Some(&mut cv),
                ..Terms::default()
            };
            absolute.eval(&same.at(), &mut want).expect("finite");
            for (i, x) in c.iter().chain(&cv).enumerate() {
                assert!(x.abs() < 1e-12, "{n}: constraint {i} is open by {x:.1e}");
            }
            accelerate(&mut absolute, &mut same);
            let mut out = [(); 2].map(|()| vec![0.0; absolute.facts().channels.len()]);
            joint.observe(&s, &mut out[0]);
            absolute.observe(&same, &mut out[1]);
            let size = out[1].iter().fold(1.0f64, |m, x| m.max(x.abs()));
            for (k, channel) in absolute.facts().channels.iter().enumerate() {
                let error = (out[0][k] - out[1][k]).abs();
                assert!(
                    error < 1e-9 * size,
                    "{n}, {}: {} but {}",
                    channel.name,
                    out[0][k],
                    out[1][k]
                );
            }
        }
    }
}

/// The residual is linear in accelerations, so that its differences are the mass matrix to rounding.
#[test]
fn the_mass_matrix_is_the_derivative_of_the_residual() {
    let mut random = Random(5);
    for (n, model) in models().into_iter().enumerate() {
        let mut sys = JointCoordinates::new(&model, &[]).expect("sound");
        let nv = sys.facts().dims.nv;
        let mut s = random_state(&sys, &mut random);
        let mut mass = vec![0.0; sys.facts().patterns[Part::Mass].len()];
        let mut want = Terms {
            mass: Some(&mut mass),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want).expect("finite");
        let mut full = vec![0.0; nv * nv];
        for (&(i, j), m) in sys.facts().patterns[Part::Mass].iter().zip(&mass) {
            full[i as usize * nv + j as usize] = *m;
        }
        let mut residual = |s: &State| {
            let mut r = vec![0.0; nv];
            let mut want = Terms {
                r: Some(&mut r),
                ..Terms::default()
            };
            sys.eval(&s.at(), &mut want).expect("finite");
            r
        };
        let base = residual(&s);
        let size = base.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for j in 0..nv {
            s.a[j] += 1.0;
            let moved = residual(&s);
            s.a[j] -= 1.0;
            for i in 0..nv {
                let error = (moved[i] - base[i] - full[i * nv + j]).abs();
                assert!(error < 1e-11 * size, "{n}: ({i}, {j}) off by {error:.1e}");
            }
        }
    }
}

/// Kinetic plus potential energy, linear and angular momentum of a model in space.
fn kept(sys: &mut JointCoordinates, model: &Model, s: &State) -> (f64, [f64; 6]) {
    let mut out = vec![0.0; sys.facts().channels.len()];
    sys.observe(s, &mut out);
    let channels = sys.facts().channels.to_vec();
    let value = |name: String| {
        let at = channels.iter().position(|c| c.name == name);
        out[at.expect("there")]
    };
    let vector = |name: &str, what: &str| {
        ["x", "y", "z"].map(|axis| match what {
            "position" => value(format!("{name}.{axis}")),
            "velocity" => value(format!("{name}.{axis}.velocity")),
            _ => value(format!("{name}.omega.{axis}")),
        })
    };
    let cross = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            a[j] * b[k] - a[k] * b[j]
        })
    };
    let mut momentum = [0.0; 6];
    for body in &model.bodies {
        let name = &body.name;
        let [x, v, omega] = ["position", "velocity", "omega"].map(|what| vector(name, what));
        let Shape::Rigid { inertia } = body.shape else {
            panic!("only rigid bodies");
        };
        // diagonal: the bodies of these models have no deviation moments
        let own: [f64; 3] = std::array::from_fn(|i| inertia[i][i] * omega[i]);
        let u = ["x", "y", "z"].map(|axis| value(format!("{name}.quaternion.{axis}")));
        let w = value(format!("{name}.quaternion.w"));
        let once = cross(u, own);
        let twice = cross(u, once);
        let p: [f64; 3] = std::array::from_fn(|i| body.mass * v[i]);
        let orbit = cross(x, p);
        for i in 0..3 {
            momentum[i] += p[i];
            momentum[3 + i] += orbit[i] + own[i] + 2.0 * (w * once[i] + twice[i]);
        }
    }
    let energy = sys.energy(s).expect("kept").total();
    (energy, momentum)
}

/// Steps with an error of 1e-10 keep energy to 1e-8; without gravity and ground so do momenta.
#[test]
fn energy_and_momentum_are_kept() {
    for seed in 0..6 {
        let free = seed % 2 == 0;
        let gravity = if free { [0.0; 3] } else { [0.5, -0.2, -9.81] };
        let model = tree_in_space(seed, free, gravity);
        let mut sys = JointCoordinates::new(&model, &[]).expect("sound");
        let setup = Setup::new("dop853", "projected", 1.0, 1e-10);
        let mut start = setup.start(&mut sys).expect("starts");
        let mut random = Random(seed + 7);
        for v in &mut start.state.v {
            *v = random.next();
        }
        accelerate(&mut sys, &mut start.state);
        let before = kept(&mut sys, &model, &start.state);
        let controller = setup.controller().expect("there");
        let out = setup.run_from(&mut sys, &start, controller, &mut ());
        let end = out.expect("runs").state;
        assert_eq!(end.t, 1.0);
        let moved = (end.v.iter().zip(&start.state.v)).any(|(a, b)| (a - b).abs() > 0.1);
        assert!(moved, "{seed}: nothing happens");
        let after = kept(&mut sys, &model, &end);
        let drift = (after.0 - before.0).abs() / (1.0 + before.0.abs());
        assert!(drift < 1e-8, "{seed}: energy drifts by {drift:.1e}");
        if free {
            for (a, b) in after.1.iter().zip(&before.1) {
                assert!((a - b).abs() < 1e-8, "{seed}: momentum {b} becomes {a}");
            }
        }
    }
}

/// Every kind of joint either carries a body or stays an equation; a new kind has to say which.
#[test]
fn every_kind_has_its_place() {
    let mut random = Random(1);
    for entry in JOINTS {
        let mut m = Model::new("");
        let a = m.add_body(Body::rigid("a", 1.0, [1.0; 3]));
        let b = m.add_body(Body::rigid("b", 1.0, [1.0; 3]).at([0.5, 0.2, 0.1]));
        m.add_joint("j", a, b, entry.example(&mut || random.next()));
        let sys = JointCoordinates::new(&m.named("pair"), &[]).expect(entry.kind);
        let carries = sys.outline().cut.is_empty();
        assert_eq!(
            carries,
            CARRY_IN_SPACE.contains(&entry.kind),
            "{}",
            entry.kind
        );
    }
}

/// A nut three turns up its spindle is three turns up in joint coordinates too, and words tell the two
/// displacements of a point on a plane apart.
#[test]
fn turns_and_words() {
    let mut m = Model::new("");
    let nut = m.add_body(Body::rigid("nut", 1.0, [0.1; 3]));
    m.add_joint(
        "thread",
        BodyRef::GROUND,
        nut,
        Screw::at([0.0; 3], [0.0, 0.0, 1.0], 0.5),
    );
    let foot = m.add_body(Body::rigid("foot", 1.0, [0.1; 3]).at([1.0, 0.0, 0.0]));
    let plane = || PointOnPlane::at([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    m.add_joint("floor", BodyRef::GROUND, foot, plane());
    let mut sys = JointCoordinates::new(&m.named("nut"), &[]).expect("sound");
    let words = &sys.outline().branches;
    assert_eq!(words[0].coordinates, ["angle"]);
    let of_a_foot = ["x", "y", "rotation x", "rotation y", "rotation z"];
    assert_eq!(words[1].coordinates, of_a_foot);
    let mut s = State::new(sys.facts().dims);
    s.q[0] = 3.0 * std::f64::consts::TAU;
    let height = sys.absolute(&s).q[2];
    assert!((height - 1.5).abs() < 1e-12, "{height}");
}

/// A plane on the carried body stays an equation of a body that floats; a body that hangs on a hinge
/// as well is carried by the hinge.
#[test]
fn points_on_planes_that_close_loops() {
    let plane = || PointOnPlane::at([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let mut m = Model::new("");
    let table = m.add_body(Body::rigid("table", 1.0, [0.1; 3]));
    m.add_joint("leg", table, BodyRef::GROUND, plane());
    let sys = JointCoordinates::new(&m.named("table"), &[]).expect("sound");
    let o = sys.outline();
    assert_eq!((o.coordinates, o.constraints), (6, 1));

    let mut m = Model::new("");
    let rod = m.add_body(Body::rigid("rod", 1.0, [0.1; 3]).at([0.5, 0.0, 0.0]));
    let foot = m.add_body(Body::rigid("foot", 1.0, [0.1; 3]).at([1.0, 0.0, 0.0]));
    m.add_joint("floor", BodyRef::GROUND, foot, plane());
    m.add_joint("ball", foot, rod, Spherical::at([0.7, 0.0, 0.0]));
    m.add_joint(
        "hinge",
        BodyRef::GROUND,
        rod,
        Revolute::at([0.0; 3], [0.0, 1.0, 0.0]),
    );
    let sys = JointCoordinates::new(&m.named("foot"), &[]).expect("sound");
    let o = sys.outline();
    assert_eq!((o.coordinates, o.constraints), (1 + 3, 1));
    assert_eq!(o.cut[0].0, "floor");
}
