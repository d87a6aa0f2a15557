//! Shares of bodies in the kinetic energy of modes: sums, closed forms, and the same in every coordinates.

use linkwork::Options;
use linkwork::mbs::text;
use linkwork::modes::{Modes, NamedMode, Point, named_modes};
use linkwork::{Simulation, Verdict, catalogue};

fn modes_in(model: &str, kind: &str, point: Point) -> Modes {
    let document = text::read(model).unwrap();
    let coordinates = Options {
        coordinates: Some(kind.to_string()),
        ..Options::default()
    };
    let mut simulation = Simulation::from_document_with(&document, coordinates).unwrap();
    let found = named_modes(&mut simulation, point).unwrap();
    assert_ne!(
        found.verdict,
        Verdict::Failed,
        "{kind}: {:?}",
        found.failure
    );
    found
}

fn share(mode: &NamedMode, body: &str) -> (f64, f64) {
    let part = mode.parts.iter().find(|p| p.part == body);
    part.map_or((0.0, 0.0), |p| (p.energy, p.rotation.unwrap()))
}

/// Shares are those of a whole.
fn assert_whole(found: &Modes, what: &str) {
    for mode in found.modes.iter().filter(|m| !m.parts.is_empty()) {
        let sum: f64 = mode.parts.iter().map(|p| p.energy).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{what}, {}: {sum}", mode.number);
        for p in &mode.parts {
            let rotation = p.rotation.unwrap();
            let sound = p.energy > 0.0 && rotation > -1e-15 && rotation <= p.energy + 1e-15;
            assert!(sound, "{what}, {}: {p:?}", mode.number);
        }
    }
}

/// Both coordinates have the same modes with the same shares.
///
/// Eigenvalues and vectors carry the rounding of two different matrices, 1e-16 times their condition;
/// shares of eigenvectors with neighbouring eigenvalues lose the digits that these have in common.
fn assert_same(model: &str, point: Point, what: &str) -> Modes {
    let [absolute, joint] = ["absolute", "joint"].map(|kind| modes_in(model, kind, point));
    assert_eq!(absolute.modes.len(), joint.modes.len(), "{what}");
    assert!(!absolute.modes.is_empty(), "{what}");
    for found in [&absolute, &joint] {
        assert_whole(found, what);
    }
    for (a, j) in absolute.modes.iter().zip(&joint.modes) {
        let size = a.re.hypot(a.im).max(1e-3);
        let same = (a.re - j.re).hypot(a.im - j.im) < 1e-7 * size;
        assert!(
            same,
            "{what}, {}: {} {} {} {}",
            a.number, a.re, a.im, j.re, j.im
        );
        assert_eq!(a.kind, j.kind, "{what}, {}", a.number);
        let names = a.parts.iter().chain(&j.parts).map(|p| &p.part);
        for name in names {
            let (of_a, of_j) = (share(a, name), share(j, name));
            let near = (of_a.0 - of_j.0).abs() < 1e-6 && (of_a.1 - of_j.1).abs() < 1e-6;
            assert!(near, "{what}, {}, {name}: {of_a:?} {of_j:?}", a.number);
        }
        // equal shares may be in any order
        let printed = |m: &NamedMode| {
            let words = m.words.split("; most").next().unwrap_or_default();
            let mut shares: Vec<String> = words.split(", ").map(str::to_string).collect();
            shares.sort();
            shares
        };
        assert_eq!(printed(a), printed(j), "{what}, {}", a.number);
    }
    joint
}

fn catalogued(name: &str) -> &'static str {
    let model = catalogue::MODELS.iter().find(|m| m.name == name);
    model.expect("in the catalogue").text
}

/// Models of the catalogue at rest: plane and space, with and without loops and damping.
#[test]
fn the_catalogue_in_both_coordinates() {
    for name in ["pendulum", "four_bar", "suspension", "hmmwv"] {
        assert_same(catalogued(name), Point::Equilibrium, name);
    }
}

fn chain(n: usize, damping: f64) -> String {
    let mut model = "[model]\ngravity = [0, -9.81]\n".to_string();
    for i in 0..n {
        let (y, hinge) = (-0.5 - i as f64, -(i as f64));
        let before = if i == 0 {
            String::new()
        } else {
            format!("body_a = \"rod{}\"\n", i - 1)
        };
        model += &format!(
            "[[body]]\nname = \"rod{i}\"\nmass = 1\ninertia = 0.0833\nposition = [0, {y}]\n
             [[joint]]\nname = \"hinge{i}\"\nkind = \"revolute\"\n{before}body_b = \"rod{i}\"\nat = [0, {hinge}]\n
             [[force]]\nname = \"twist{i}\"\nkind = \"torsion_spring\"\n{before}body_b = \"rod{i}\"\n\
             stiffness = 3\ndamping = {}\n",
            damping * (1.0 + i as f64)
        );
    }
    model
}

/// Damping that is not proportional makes modes complex: rods move with different phases.
#[test]
fn a_chain_with_and_without_damping() {
    for damping in [0.0, 0.4] {
        let found = assert_same(&chain(6, damping), Point::Start, "chain");
        let mixed = (found.modes.iter().flat_map(|m| &m.shape))
            .any(|e| (e.phase_deg.rem_euclid(180.0) - 90.0).abs() < 80.0);
        assert_eq!(mixed, damping > 0.0);
    }
}

/// Two equal carriages and a spring between them: `x1 = x2` is free, in the other mode they are opposed.
/// A third of another mass shares in proportion.
#[test]
fn a_free_drift_moves_everything_in_proportion_to_mass() {
    let masses = [2.0, 2.0, 6.0];
    let mut model = String::new();
    for (i, mass) in masses.iter().enumerate() {
        let x = i as f64;
        // each is carried by the one before: two joint coordinates move the last
        let before = if i == 0 {
            String::new()
        } else {
            format!("body_a = \"m{}\"\n", i - 1)
        };
        model += &format!(
            "[[body]]\nname = \"m{i}\"\nmass = {mass}\ninertia = 1\nposition = [{x}, 0]\n
             [[joint]]\nname = \"rail{i}\"\nkind = \"prismatic\"\n{before}body_b = \"m{i}\"\nat = [{x}, 0]\naxis = [1, 0]\n"
        );
        if i > 0 {
            model += &format!(
                "[[force]]\nname = \"k{i}\"\nkind = \"spring_damper\"\n{before}body_b = \"m{i}\"\n
                 at_a = [{}, 0]\nat_b = [{x}, 0]\nstiffness = 50\n",
                x - 1.0
            );
        }
    }
    let found = assert_same(&model, Point::Start, "carriages");
    assert_eq!(found.modes[0].kind, "free drift");
    for (i, mass) in masses.iter().enumerate() {
        let (energy, rotation) = share(&found.modes[0], &format!("m{i}"));
        assert!((energy - mass / 10.0).abs() < 1e-12 && rotation == 0.0);
    }
}

/// Nothing holds this: three zeros that may be mixed at will. Shifts come apart from the turn about the
/// common centre of mass.
#[test]
fn free_motions_are_shifts_and_a_turn() {
    let model = r#"
        [[body]]
        name = "a"
        mass = 2
        inertia = 0.5
        position = [0, 0]
        [[body]]
        name = "b"
        mass = 3
        inertia = 0.2
        position = [1, 0.4]
        [[joint]]
        name = "hinge"
        kind = "revolute"
        body_a = "a"
        body_b = "b"
        at = [0.5, 0.1]
        [[force]]
        name = "twist"
        kind = "torsion_spring"
        body_a = "a"
        body_b = "b"
        stiffness = 4
    "#;
    let found = assert_same(model, Point::Start, "free");
    assert_eq!(found.modes.len(), 4);
    for shift in &found.modes[..2] {
        assert_eq!(shift.kind, "free drift");
        let (energy, rotation) = share(shift, "a");
        assert!((energy - 0.4).abs() < 1e-9 && rotation.abs() < 1e-9);
    }
    // about the common centre: m r^2 = 2 0.6^2 (1 + 0.16), 3 0.4^2 (1 + 0.16)
    let turn = &found.modes[2];
    let orbit = [2.0 * 0.36 * 1.16, 3.0 * 0.16 * 1.16];
    let total = orbit[0] + orbit[1] + 0.5 + 0.2;
    let (energy, rotation) = share(turn, "a");
    assert!((energy - (orbit[0] + 0.5) / total).abs() < 1e-9);
    assert!((rotation - 0.5 / total).abs() < 1e-9);
    assert_eq!(found.modes[3].kind, "vibration");
}

/// Two equal pendulums have one frequency; each of the two modes is one pendulum.
#[test]
fn equal_pendulums_are_told_apart() {
    let mut model = "[model]\ngravity = [0, -9.81]\n".to_string();
    for (i, name) in ["left", "middle", "right"].iter().enumerate() {
        model += &format!(
            "[[body]]\nname = \"{name}\"\nmass = 2\ninertia = 0.3\nposition = [{i}, -0.7]\n
             [[joint]]\nname = \"hinge_{name}\"\nkind = \"revolute\"\nbody_b = \"{name}\"\nat = [{i}, 0]\n"
        );
    }
    let found = assert_same(&model, Point::Start, "pendulums");
    for (mode, name) in found.modes.iter().zip(["left", "middle", "right"]) {
        let (energy, rotation) = share(mode, name);
        assert!((energy - 1.0).abs() < 1e-12, "{name}: {energy}");
        let of_turn = 0.3 / (0.3 + 2.0 * 0.49);
        assert!((rotation - of_turn).abs() < 1e-12, "{name}: {rotation}");
    }
}

fn in_space(rotation: &str) -> String {
    format!(
        r#"
        [model]
        planar = false
        gravity = [0, 0, -9.81]
        {rotation}
        [[body]]
        name = "upper"
        mass = 2
        inertia = [0.2, 0.3, 0.05]
        position = [0, 0, -0.6]
        [[body]]
        name = "lower"
        mass = 1
        inertia = [0.1, 0.07, 0.02]
        position = [0.05, 0, -1.7]
        [[joint]]
        name = "ball"
        kind = "spherical"
        body_b = "upper"
        at = [0, 0, 0]
        [[joint]]
        name = "cross"
        kind = "universal"
        body_a = "upper"
        body_b = "lower"
        at = [0, 0, -1.2]
        axis = [1, 0, 0]
        second_axis = [0, 1, 0]
        [[force]]
        name = "stay"
        kind = "spring_damper"
        body_b = "lower"
        at_a = [0.4, 0.3, -2]
        at_b = [0.1, 0, -1.7]
        stiffness = 40
        damping = 1.5
    "#
    )
}

/// Rotations in space, in three coordinates: rotation vectors, Euler parameters, joints.
#[test]
fn a_pendulum_in_space() {
    let joint = assert_same(&in_space(""), Point::Equilibrium, "ball and cross");
    let euler = in_space("rotation = \"euler-parameters\"");
    let euler = modes_in(&euler, "absolute", Point::Equilibrium);
    assert_whole(&euler, "euler parameters");
    assert_eq!(euler.modes.len(), joint.modes.len());
    for (e, j) in euler.modes.iter().zip(&joint.modes) {
        for name in ["upper", "lower"] {
            let (of_e, of_j) = (share(e, name), share(j, name));
            let near = (of_e.0 - of_j.0).abs() < 1e-6 && (of_e.1 - of_j.1).abs() < 1e-6;
            assert!(near, "{}, {name}: {of_e:?} {of_j:?}", e.number);
        }
    }
}
