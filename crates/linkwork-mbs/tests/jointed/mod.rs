//! Models for joint coordinates, plane and space, trees and loops, and random states of them.

use crate::frames::Numbers;
use crate::mechanism::squeezer;
use linkwork_dae::chart;
use linkwork_dae::state::State;
use linkwork_dae::system::{System, Terms};
use linkwork_mbs::force::{FORCES, Rotor, SpringDamper};
use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::{
    Cylindrical, Distance, Fixed, Fixture, Planar, Prismatic, Revolute, Spherical, Universal,
};
use linkwork_mbs::sensor::AngleSensor;
use linkwork_mbs::{Body, BodyRef, Model, text};

const GROUND: BodyRef = BodyRef::GROUND;

/// Every joint that can carry a body, with the carried body first and second; a floating body, forces
/// of every kind between bodies far apart in the tree, a point and a planar body.
fn spatial_tree() -> (Model, Vec<BodyRef>) {
    let mut n = Numbers(5);
    let mut m = Model::new("").gravity([0.3, -0.2, -9.81]);
    let mut bodies = Vec::new();
    for i in 0..8 {
        let at = [0.7 * i as f64, 0.3 * n.next(), 0.3 * n.next()];
        let turn = n.vector(0.3);
        let body = Body::rigid(format!("b{i}"), 1.0 + 0.1 * i as f64, [0.2, 0.3, 0.4]);
        let body = body.at(at).turned(turn).centred([0.05, -0.02, 0.03]);
        bodies.push(m.add_body(body));
    }
    let between = |i: usize| [0.7 * i as f64 - 0.35, 0.1, -0.05];
    let axis = [0.3, 0.5, 0.9];
    m.add_joint(
        "revolute",
        GROUND,
        bodies[0],
        Revolute::at(between(0), axis),
    );
    m.add_force("motor", GROUND, bodies[0], Rotor::about(axis, 0.02, 7.0));
    m.add_joint(
        "prismatic",
        bodies[1],
        bodies[0],
        Prismatic::at(between(1), axis),
    );
    m.add_joint(
        "cylindrical",
        bodies[1],
        bodies[2],
        Cylindrical::at(between(2), axis),
    );
    let cross = Universal::at(between(3), [1.0, 0.0, 0.2], [-0.2, 0.3, 1.0]);
    m.add_joint("universal", bodies[3], bodies[2], cross);
    m.add_joint("fixed", bodies[3], bodies[4], Fixed::at(between(4)));
    m.add_joint("spherical", bodies[4], bodies[5], Spherical::at(between(5)));
    m.add_joint("planar", bodies[2], bodies[6], Planar::at(between(6), axis));
    // bodies[7] floats and carries a hinge with a rotor of either sort
    for (name, rotor) in [
        ("shoulder", Rotor::about(axis, 0.03, -5.0)),
        ("elbow", Rotor::about(axis, 0.04, 3.0).armature()),
    ] {
        let at = [5.2, 0.1, if name == "elbow" { 0.6 } else { 0.1 }];
        let body = Body::rigid(name, 0.8, [0.1, 0.2, 0.3]).at(at);
        let body = m.add_body(body.turned(n.vector(0.3)));
        let from = *bodies.last().unwrap_or(&GROUND);
        m.add_joint(format!("{name}_hinge"), body, from, Revolute::at(at, axis));
        m.add_force(format!("{name}_motor"), from, body, rotor);
        bodies.push(body);
    }
    let arms = bodies.split_off(8);
    let p = m.add_body(Body::point("p", 0.3).at([2.0, 0.5, -0.4]));
    let c = m.add_body(Body::planar("c", 2.0, 0.9).at([-1.0, 0.8, 0.3]));
    // a bushing is only defined for bodies that are nearly aligned, a rotor has to sit on a hinge
    let kinds = FORCES
        .iter()
        .filter(|f| f.kind != "bushing" && f.kind != "rotor");
    for (i, entry) in kinds.enumerate() {
        let ends = [
            (bodies[5], bodies[6]),
            (bodies[7], bodies[3]),
            (GROUND, bodies[2]),
        ];
        for (k, (from, to)) in ends.into_iter().enumerate() {
            let force = entry.example(&mut || n.next());
            let from = if force.is_external() { GROUND } else { from };
            m.add_force(format!("f{i}_{k}"), from, to, force);
        }
    }
    for (name, from, to) in [("hanger", bodies[5], p), ("stay", c, bodies[6])] {
        let spring = SpringDamper::between(
            Marker::body([0.0; 3]),
            Marker::body([0.0; 3]),
            [10.0, 1.0],
            None,
        );
        m.add_force(name, from, to, spring);
    }
    let fixture = Fixture::at([0.0; 3], [0.2, 0.1, 1.0]);
    let (a, b) = (bodies[5], bodies[7]);
    m.add_sensor("s3", a, b, AngleSensor { fixture });
    bodies.extend([p, c]);
    bodies.extend(arms);
    (m, bodies)
}

/// The same with loops of several sorts.
fn spatial_loops() -> Model {
    let (mut m, bodies) = spatial_tree();
    let b = |i: usize| bodies[i];
    let ends = [(b(5), b(6)), (b(7), b(4)), (b(9), b(5))];
    for (k, (from, to)) in ends.into_iter().enumerate() {
        let [a, b] = [[0.1, 0.2, -0.3], [-0.1, 0.05, 0.2]].map(Marker::body);
        let length = None;
        m.add_joint(format!("rod{k}"), from, to, Distance::between(a, b, length));
    }
    let ball = Spherical::at([4.0, 0.3, 0.2]);
    m.add_joint("ball", b(7), b(6), ball);
    m
}

/// A planar tree with a loop, a point, a floating body, controls.
pub const PLANAR: &str = r#"
[model]
gravity = [0.5, -9.81]
[[body]]
name = "a"
mass = 1.0
inertia = 0.2
position = [0.5, 0.1]
angle = 0.3
[[body]]
name = "b"
mass = 2.0
inertia = 0.3
position = [1.5, 0.4]
angle = 7.0
[[body]]
name = "c"
mass = 1.5
inertia = 0.1
position = [2.1, -0.4]
angle = -0.5
[[body]]
name = "d"
mass = 0.5
inertia = 0.1
position = [2.5, -0.6]
angle = 0.1
[[body]]
name = "free"
mass = 0.7
inertia = 0.2
position = [0.1, 1.5]
angle = 0.4
angular_velocity = 1.0
[[body]]
name = "p"
kind = "point"
mass = 0.4
position = [1.0, -1.0]
[[joint]]
name = "hinge"
kind = "revolute"
body_b = "a"
at = [0, 0]
[[joint]]
name = "guide"
kind = "prismatic"
body_a = "b"
body_b = "a"
at = [1.0, 0.2]
axis = [1, 0.4]
[[joint]]
name = "elbow"
kind = "revolute"
body_a = "b"
body_b = "c"
at = [1.8, 0]
[[joint]]
name = "weld"
kind = "fixed"
body_a = "c"
body_b = "d"
at = [2.3, -0.5]
[[joint]]
name = "rod"
kind = "distance"
body_a = "d"
body_b = "free"
point_a = [0.1, 0.1]
[[joint]]
name = "string"
kind = "distance"
body_a = "c"
body_b = "p"
[[joint]]
name = "wave"
kind = "drive"
body_a = "a"
body_b = "c"
value = "-0.8 + 0.3*sin(2*t)"
[[force]]
name = "spring"
kind = "spring_damper"
body_a = "d"
body_b = "a"
point_a = [0.1, 0.2]
stiffness = 100
damping = 3
[[sensor]]
name = "swing"
kind = "angle"
body_a = "a"
body_b = "d"
[[control]]
name = "motor"
kind = "filter"
input = "swing + 0.1*c.x.velocity"
time = 0.1
[[force]]
name = "torque"
kind = "torque"
body_b = "b"
torque = "3*motor + swing"
"#;

/// A platform on six legs of two halves each: cross below, slider between, ball above.
pub fn stewart() -> Model {
    let mut m = Model::new("").gravity([0.0, 0.0, -9.81]);
    let platform = m.add_body(Body::rigid("platform", 10.0, [0.5, 0.5, 1.0]).at([0.0, 0.0, 1.0]));
    for i in 0..6 {
        let (s, c) = (i as f64).sin_cos();
        let (foot, head) = ([1.2 * c, 1.2 * s, 0.0], [0.7 * c, 0.6 * s, 1.0]);
        let along: [f64; 3] = std::array::from_fn(|k| head[k] - foot[k]);
        let at = |share: f64| -> [f64; 3] { std::array::from_fn(|k| foot[k] + share * along[k]) };
        let lower = m.add_body(Body::rigid(format!("l{i}"), 1.0, [0.1, 0.1, 0.1]).at(at(0.25)));
        let upper = m.add_body(Body::rigid(format!("u{i}"), 1.0, [0.1, 0.1, 0.1]).at(at(0.75)));
        let level = [-along[1], along[0], 0.0];
        let across = [along[2], 0.0, -along[0]];
        let share =
            (level[0] * across[0] + level[1] * across[1]) / (level[0].powi(2) + level[1].powi(2));
        let square: [f64; 3] = std::array::from_fn(|k| across[k] - share * level[k]);
        m.add_joint(
            format!("cross{i}"),
            GROUND,
            lower,
            Universal::at(foot, level, square),
        );
        m.add_joint(
            format!("slider{i}"),
            lower,
            upper,
            Prismatic::at(at(0.5), along),
        );
        m.add_joint(format!("ball{i}"), upper, platform, Spherical::at(head));
    }
    m.named("stewart")
}

/// Points on balls of bodies, in space and in a plane, one between two bodies.
pub fn points() -> Model {
    let mut m = Model::new("points").gravity([0.3, -0.2, -9.81]);
    let arm = Body::rigid("arm", 1.2, [0.4, 0.5, 0.6]).at([0.5, 0.1, 0.2]);
    let arm = m.add_body(arm.turned([0.3, -0.4, 0.2]));
    let p = m.add_body(Body::point("p", 0.3).at([1.0, 0.5, -0.4]));
    let rod = m.add_body(Body::rigid("rod", 0.7, [0.1, 0.2, 0.25]).at([1.6, 0.4, -0.2]));
    let plate = m.add_body(Body::planar("plate", 2.0, 0.9).at([-1.0, 0.8, 0.3]));
    let d = m.add_body(Body::bead("d", 0.5).at([-0.7, 0.2, 0.3]));
    let axis = [0.2, 1.0, 0.1];
    m.add_joint("hinge", GROUND, arm, Revolute::at([0.0; 3], axis));
    m.add_joint("tip", p, arm, Spherical::at([1.0, 0.5, -0.4]));
    m.add_joint("loop", p, rod, Spherical::at([1.0, 0.5, -0.4]));
    m.add_joint("pin", GROUND, plate, Spherical::at([-1.2, 0.5, 0.3]));
    m.add_joint("knob", plate, d, Spherical::at([-0.7, 0.2, 0.3]));
    let spring = |law| SpringDamper::between([0.0; 3], [0.0; 3], law, Some(0.4));
    m.add_force("pull", p, d, spring([30.0, 2.0]));
    m
}

/// Every model here, with its name.
pub fn models() -> Vec<(&'static str, Model)> {
    vec![
        ("points", points()),
        ("tree in space", spatial_tree().0.named("tree")),
        ("loops in space", spatial_loops().named("loops")),
        ("plane", text::read(PLANAR).expect("sound").model),
        ("squeezer", squeezer()),
        ("stewart", stewart()),
        (
            "flexible in space",
            text::read(FLEXIBLE).expect("sound").model,
        ),
        (
            "flexible in the plane",
            text::read(COUPLER).expect("sound").model,
        ),
    ]
}

/// Flexible bodies on hinges, one behind the other, a rigid body behind the second, a floating one; springs, signals and a loop,
/// all at frames that move with modes.
const FLEXIBLE: &str = r#"
    [model]
    planar = false
    gravity = [0.3, -0.4, -9.81]
    [[section]]
    name = "s"
    kind = "rectangle"
    height = 0.3
    width = 0.2
    [[material]]
    name = "m"
    young = 40
    poisson = 0.3
    density = 20
    damping_time = 0.02
    [[body]]
    name = "upper"
    kind = "flexible_beam"
    length = 1.2
    section = "s"
    material = "m"
    mode_set = "clamped"
    modes = [2, 1, 1, 1]
    amplitudes = [0.03, -0.02, 0.01, 0.02, 0.01]
    [[body]]
    name = "lower"
    kind = "flexible_beam"
    length = 0.9
    section = "s"
    material = "m"
    mode_set = "free"
    modes = [1, 1, 0, 1]
    position = [1.2, 0.1, 0]
    rotation_vector = [0.2, 0.1, 0.4]
    [[body]]
    name = "loose"
    kind = "flexible_beam"
    length = 0.7
    section = "s"
    material = "m"
    mode_set = "pinned"
    modes = [1, 0, 1, 0]
    position = [0.5, 0.5, 0.5]
    [[body]]
    name = "tool"
    mass = 0.8
    inertia = [0.1, 0.12, 0.09]
    position = [2.0, 0.6, 0.2]
    [[joint]]
    name = "shoulder"
    kind = "revolute"
    body_b = "upper.start"
    axis = [0.1, 0.2, 1]
    [[joint]]
    name = "elbow"
    kind = "revolute"
    body_a = "upper.end"
    body_b = "lower.start"
    axis = [0.3, -0.1, 1]
    [[joint]]
    name = "wrist"
    kind = "spherical"
    body_a = "lower.end"
    body_b = "tool"
    [[joint]]
    name = "stay"
    kind = "distance"
    body_a = "upper.start"
    body_b = "tool"
    point_b = [0.1, 0.2, 0]
    [[force]]
    name = "spring"
    kind = "spring_damper"
    body_a = "upper.end"
    body_b = "loose.end"
    stiffness = 30
    damping = 2
    free_length = 0.5
    [[sensor]]
    name = "gap"
    kind = "distance"
    body_a = "lower.end"
    body_b = "loose.start"
    [[control]]
    name = "lag"
    kind = "filter"
    input = "gap*upper.end.omega.y + loose.x"
    time = 0.1
    [[force]]
    name = "push"
    kind = "force"
    body_b = "lower.end"
    x = "lag*gap"
    z = "3*upper.end.z"
"#;

/// A four-bar linkage with a coupler that bends, in the plane, and carries two bodies on frames of its own.
const COUPLER: &str = r#"
    [model]
    gravity = [0.2, -9.81]
    [[section]]
    name = "s"
    kind = "rectangle"
    height = 0.3
    width = 0.2
    [[material]]
    name = "m"
    young = 40
    poisson = 0.3
    density = 20
    [[body]]
    name = "crank"
    mass = 1
    inertia = 0.1
    position = [0, 0.25]
    angle = 1.57
    [[body]]
    name = "coupler"
    kind = "flexible_beam"
    length = 1.2
    section = "s"
    material = "m"
    mode_set = "pinned"
    modes = [2, 1]
    amplitudes = [0.02, -0.01, 0.01]
    position = [0, 0.5]
    frames = ["middle"]
    frame_places = [0.5]
    [[body]]
    name = "rocker"
    mass = 1.5
    inertia = 0.2
    position = [1.2, 0.25]
    [[joint]]
    name = "a"
    kind = "revolute"
    body_b = "crank"
    at = [0, 0]
    [[joint]]
    name = "b"
    kind = "revolute"
    body_a = "crank"
    body_b = "coupler.start"
    at = [0, 0.5]
    [[joint]]
    name = "c"
    kind = "revolute"
    body_a = "coupler.end"
    body_b = "rocker"
    [[joint]]
    name = "d"
    kind = "revolute"
    body_b = "rocker"
    at = [1.2, 0]
    [[body]]
    name = "bob"
    mass = 0.4
    inertia = 0.05
    position = [0.7, 0.2]
    angle = 0.3
    [[joint]]
    name = "hook"
    kind = "revolute"
    body_a = "coupler.middle"
    body_b = "bob"
    [[body]]
    name = "slide"
    mass = 0.2
    inertia = 0.01
    position = [1.4, 0.5]
    [[joint]]
    name = "rail"
    kind = "prismatic"
    body_a = "coupler.end"
    body_b = "slide"
    axis = [1, 0.2]
    [[joint]]
    name = "plumb"
    kind = "distance"
    body_a = "rocker"
    body_b = "bob"
    [[force]]
    name = "spring"
    kind = "spring_damper"
    body_b = "coupler.middle"
    point_a = [0.4, 2]
    stiffness = 20
    damping = 1
    free_length = 1
"#;

/// A state near the start; velocities, accelerations, multipliers and states are anything.
pub fn random_state(sys: &dyn System, n: &mut Numbers) -> State {
    let mut s = State::new(sys.dims());
    s.t = n.next();
    let d: Vec<f64> = s.v.iter().map(|_| 0.2 * n.next()).collect();
    s.q = sys.facts().guess.q.clone();
    chart::advance(sys, &mut s.q, &d);
    let all = s.v.iter_mut().chain(&mut s.a).chain(&mut s.lambda);
    for x in all.chain(&mut s.x) {
        *x = n.next();
    }
    s
}

/// What equations say at a state.
pub struct Values {
    pub r: Vec<f64>,
    pub c: Vec<f64>,
    pub cv: Vec<f64>,
    pub f: Vec<f64>,
}

/// Evaluates them.
pub fn values(sys: &mut dyn System, s: &State) -> Values {
    let d = sys.dims();
    let zeros = |n: usize| vec![0.0; n];
    let mut v = Values {
        r: zeros(d.nv),
        c: zeros(d.nc),
        cv: zeros(d.rows()),
        f: zeros(d.nx),
    };
    let mut want = Terms {
        r: Some(&mut v.r),
        c: Some(&mut v.c),
        cv: Some(&mut v.cv),
        f: Some(&mut v.f),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).expect("finite");
    v
}
