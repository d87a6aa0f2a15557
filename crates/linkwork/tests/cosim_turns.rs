//! Torques between subsystems in space: two rotors on ball joints, coupled by springs about all axes.

mod systems;

use linkwork::cosim::{CoupledSystem, Mistake};
use systems::{FACTOR, distance, reference, run, tolerance};

/// A rotor on a ball joint. The tips tell how it is turned.
fn rotor(name: &str, inertia: [f64; 3], spin: [f64; 3]) -> String {
    format!(
        r#"
[[body]]
name = "{name}"
mass = 1
inertia = {inertia:?}
angular_velocity = {spin:?}

[[joint]]
name = "{name}_ball"
kind = "spherical"
body_b = "{name}"

[[sensor]]
name = "{name}_hub"
kind = "point"
body = "{name}"

[[sensor]]
name = "{name}_x"
kind = "point"
body = "{name}"
point = [1, 0, 0]

[[sensor]]
name = "{name}_y"
kind = "point"
body = "{name}"
point = [0, 1, 0]
"#
    )
}

const HEAD: &str =
    "[model]\nname = \"rotors\"\nplanar = false\ngravity = [0, 0, 0]\nlength = \"1 m\"\n";

fn left() -> String {
    rotor("left", [0.2, 0.3, 0.4], [0.5, -0.3, 0.8])
}

fn right() -> String {
    rotor("right", [0.3, 0.25, 0.35], [0.3, 0.1, 0.9])
}

fn system(scheme: &str, element: &str) -> Result<CoupledSystem, Vec<Mistake>> {
    let source = format!(
        r#"[[subsystem]]
name = "one"
model = "left"

[[subsystem]]
name = "other"
model = "right"

[[element]]
name = "shaft"
kind = "bushing"
port_a = "one.left_hub"
port_b = "other.right_hub"
scheme = "{scheme}"
{element}

[simulation]
t_end = 2
"#
    );
    let mut part = |word: &str| {
        let own = if word == "left" { left() } else { right() };
        Ok((
            word.to_string(),
            format!("{HEAD}{own}[simulation]\nt_end = 2\n"),
        ))
    };
    CoupledSystem::read("rotors", "rotors.toml", &source, &[], &mut part)
}

/// The same motion as that of one model with the same springs. Angles stay below 0.05, so that measures of rotation agree up to
/// their cubes.
#[test]
fn springs_about_three_axes_pass_torques_on() {
    let whole = format!(
        "{HEAD}{}{}[[force]]\nname = \"shaft\"\nkind = \"bushing\"\nbody_a = \"left\"\nbody_b = \"right\"\n\
         axis = [0, 0, 1]\nstiffness = [0, 0, 0, 40, 40, 40]\ndamping = [0, 0, 0, 0.5, 0.5, 0.5]\n",
        left(),
        right()
    );
    let exact = reference(&whole, 2.0);
    let mut pairs = Vec::new();
    for (part, body) in [("one", "left"), ("other", "right")] {
        for (tip, axis) in [("x", "x"), ("x", "y"), ("x", "z"), ("y", "z")] {
            for rate in ["", ".velocity"] {
                let channel = format!("{body}_{tip}.{axis}{rate}");
                pairs.push((channel.clone(), part, channel));
            }
        }
    }
    for scheme in [
        "displacement/displacement",
        "force/displacement",
        "force/force",
    ] {
        for torsion in ["40", "[40, 40, 40]"] {
            let element =
                format!("stiffness = [0, 0, 0]\ntorsion = {torsion}\ntorsion_damping = 0.5");
            let system = system(scheme, &element).unwrap_or_else(|e| panic!("{e:#?}"));
            let run = run(&system, &tolerance(1e-5));
            assert!(run.failure.is_none(), "{scheme}: {:?}", run.failure);
            let error = distance(&run, &exact, &pairs);
            assert!(error < FACTOR * 1e-5, "{scheme}: {error:e}");
        }
    }
    // without them both go on by themselves
    let apart = system("force/force", "stiffness = [1, 1, 1]").unwrap_or_else(|e| panic!("{e:#?}"));
    let error = distance(&run(&apart, &tolerance(1e-5)), &exact, &pairs);
    assert!(error > 0.1, "{error:e}");
}

/// Springs about several axes need bodies in space that can turn.
#[test]
fn what_cannot_turn_is_refused() {
    let cases = [
        (
            "torsion = [1, 2]",
            "expected a number, or in space [x, y, z]",
        ),
        (
            "stiffness = [1, 1]\ntorsion = [1, 2, 3]",
            "in the plane there is one axis",
        ),
    ];
    for (element, label) in cases {
        let found = system("force/force", element).err().unwrap_or_default();
        assert_eq!(found.first().map(|m| m.error.label.as_str()), Some(label));
    }
    let top = linkwork::catalogue::find_system("top").map_or("", |s| s.text);
    let turning = top.replacen("offset", "torsion = 3\noffset", 1);
    let found = CoupledSystem::read("top", "top.toml", &turning, &[], &mut systems::part);
    let found = found.err().unwrap_or_default();
    assert_eq!(
        found.first().map(|m| m.error.label.as_str()),
        Some("no torque can act here")
    );
}
