//! Static equilibria against closed forms; what is unsupported is named.

use linkwork::balance::{Balance, balance};
use linkwork::mbs::text;
use linkwork::{Simulation, Verdict};

fn settle(model: &str) -> Balance {
    let document = text::read(model).unwrap();
    balance(&mut Simulation::from_document(&document).unwrap())
}

fn near(found: f64, wanted: f64, within: f64) {
    assert!(
        (found - wanted).abs() <= within,
        "found {found}, wanted {wanted}"
    );
}

fn pendulum(position: [f64; 2], angle: f64) -> String {
    format!(
        "[model]\ngravity = [0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 2\ninertia = 0.3\n
         position = [{}, {}]\nangle = {angle}\n
         [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbody_b = \"rod\"\npoint_b = [-0.7, 0]\n",
        position[0], position[1]
    )
}

#[test]
fn a_pendulum_hangs_down_wherever_it_starts() {
    // horizontal, and almost upright: Newton alone would stand it on its head
    for angle in [0.0f64, 1.5, 1.57] {
        let found = settle(&pendulum([0.7 * angle.cos(), 0.7 * angle.sin()], angle));
        assert_eq!(found.verdict, Verdict::Converged, "{:?}", found.failure);
        assert_eq!(found.stability, Some("stable"));
        near(found.values.get("rod.y").unwrap(), -0.7, 1e-12);
        near(
            found.values.get("hinge.reaction.y").unwrap(),
            2.0 * 9.81,
            1e-9,
        );
        near(found.values.get("hinge.reaction.x").unwrap(), 0.0, 1e-8);
        assert!(found.residual.unwrap() < 1e-9);
    }
}

#[test]
fn a_pendulum_that_stands_on_its_head_is_in_unstable_balance() {
    let half_turn = std::f64::consts::FRAC_PI_2;
    let found = settle(&pendulum([0.0, 0.7], half_turn));
    assert_eq!(found.verdict, Verdict::Degraded);
    assert_eq!(found.stability, Some("unstable"));
    near(found.values.get("rod.y").unwrap(), 0.7, 1e-12);
    assert!(
        found.doubts[0].to_string().contains("body `rod`"),
        "{:?}",
        found.doubts
    );
}

#[test]
fn springs_carry_the_weight() {
    let found = settle(
        r#"
        [model]
        gravity = [0, -10]
        [[body]]
        name = "load"
        mass = 3
        inertia = 1
        position = [0, -1]
        [[joint]]
        name = "rail"
        kind = "prismatic"
        body_b = "load"
        at = [0, -1]
        axis = [0, 1]
        [[force]]
        name = "spring"
        kind = "spring_damper"
        body_b = "load"
        stiffness = 150
        damping = 7
        free_length = 1
    "#,
    );
    assert_eq!(found.verdict, Verdict::Converged, "{:?}", found.failure);
    near(found.values.get("load.y").unwrap(), -1.2, 1e-10);
    near(found.values.get("spring.force").unwrap(), 30.0, 1e-8);
}

#[test]
fn a_rope_of_points_becomes_a_catenary_in_balance() {
    // twelve points on a rope between two supports, started as a straight, slack zigzag
    let n = 12;
    let mut model = "[model]\ngravity = [0, -9.81]\n".to_string();
    for i in 1..=n {
        let x = i as f64 / (n + 1) as f64;
        let y = if i % 2 == 0 { 0.03 } else { -0.03 };
        model += &format!(
            "[[body]]\nname = \"p{i}\"\nkind = \"point\"\nmass = 0.1\nposition = [{x}, {y}]\n"
        );
    }
    for i in 0..=n {
        let a = if i == 0 {
            "ground".into()
        } else {
            format!("p{i}")
        };
        let (b, at) = if i == n {
            (format!("p{n}"), "point_a = [1, 0]\n")
        } else {
            (format!("p{}", i + 1), "")
        };
        let a = if i == n { "ground".to_string() } else { a };
        model += &format!(
            "[[joint]]\nname = \"r{i}\"\nkind = \"distance\"\nbody_a = \"{a}\"\nbody_b = \"{b}\"\n{at}length = 0.1\n"
        );
    }
    let found = settle(&model);
    assert_eq!(found.verdict, Verdict::Converged, "{:?}", found.failure);
    assert_eq!(found.stability, Some("stable"));
    let y = |i: usize| found.values.get(&format!("p{i}.y")).unwrap();
    for i in 1..=n / 2 {
        near(y(i), y(n + 1 - i), 1e-9);
    }
    assert!(y(6) < -0.3 && y(6) < y(5) && y(5) < y(4));
}

#[test]
fn the_models_that_come_along_settle() {
    for name in ["suspension", "four_bar", "pendulum", "squeezer"] {
        let source = linkwork::catalogue::MODELS
            .iter()
            .find(|m| m.name == name)
            .unwrap();
        let found = settle(source.text);
        assert_ne!(
            found.verdict,
            Verdict::Failed,
            "{name}: {:?}",
            found.failure
        );
        assert!(
            found.residual.unwrap() < 1e-8,
            "{name}: {:?}",
            found.residual
        );
    }
}

#[test]
fn what_nothing_holds_is_named() {
    let found = settle(
        "[model]\ngravity = [0, -9.81]\n[[body]]\nname = \"stone\"\nmass = 1\ninertia = 1\n",
    );
    assert_eq!(found.verdict, Verdict::Failed);
    let failure = found.failure.unwrap();
    assert!(
        failure.cause.contains("body `stone`, y"),
        "{}",
        failure.cause
    );
    assert!(failure.advice[0].to_string().contains("`stone`"));

    let found = settle(
        "[model]\ngravity = [0, -9.81]\n[[body]]\nname = \"puck\"\nmass = 1\ninertia = 1\n
         [[joint]]\nname = \"table\"\nkind = \"prismatic\"\nbody_b = \"puck\"\nat = [0, 0]\naxis = [1, 0]\n",
    );
    assert_eq!(found.verdict, Verdict::Degraded);
    assert_eq!(found.neutral, ["body `puck`, x"]);
    near(found.values.get("table.reaction.y").unwrap(), 9.81, 1e-9);

    // a torque that no pose can balance
    let model = pendulum([0.7, 0.0], 0.0)
        + "[[force]]\nname = \"motor\"\nkind = \"torque\"\nbody_b = \"rod\"\ntorque = 20\n";
    let found = settle(&model);
    assert_eq!(found.verdict, Verdict::Failed);
    assert!(found.failure.unwrap().cause.contains("rod"));
}

#[test]
fn an_integrating_control_drives_its_error_to_zero() {
    let found = settle(
        r#"
        [model]
        gravity = [0, -9.81]
        [[body]]
        name = "arm"
        mass = 1
        inertia = 0.1
        position = [0.5, 0]
        [[joint]]
        name = "hinge"
        kind = "revolute"
        body_b = "arm"
        at = [0, 0]
        [[control]]
        name = "hold"
        kind = "pid"
        target = 0.2
        input = "arm.angle"
        kp = 40
        ki = 30
        kd = 4
        [[force]]
        name = "motor"
        kind = "torque"
        body_b = "arm"
        torque = "hold"
    "#,
    );
    assert_eq!(found.verdict, Verdict::Converged, "{:?}", found.failure);
    near(found.values.get("arm.angle").unwrap(), 0.2, 1e-9);
    near(
        found.values.get("motor.torque").unwrap(),
        9.81 * 0.5 * 0.2f64.cos(),
        1e-7,
    );
}
