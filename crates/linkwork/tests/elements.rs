//! Kinds of joints and forces in runs, against closed forms and independent solutions.

use linkwork::mbs::body::Shape;
use linkwork::mbs::force::{Callback, Moment, Rotor, Torque};
use linkwork::mbs::joint::{
    Drive, Orientation, ParallelAxes, Revolute, RollingEllipsoid, Spherical,
};
use linkwork::mbs::{Body, BodyRef, Formula, Model, text};
use linkwork::{Options, Run, Simulation, Verdict};

mod runs;

use runs::{close, converged, last, options};

const GROUND: BodyRef = BodyRef::GROUND;

fn run(model: &Model, t_end: f64, rtol: f64, coordinates: &str) -> Run {
    converged(model, t_end, options(coordinates, "bdf", rtol))
}

/// A cabin on a swinging arm that keeps its orientation moves as a point does, whatever its inertia:
/// with the arm at the angle `p` from the vertical, `(I + m l^2/4 + c l^2) p'^2/2 - (m/2 + c) g l cos p`
/// stays what it was. Local errors of 1e-9 leave some 1e-7 of the largest fall.
#[test]
fn a_cabin_that_keeps_its_orientation_swings_as_a_point() {
    let (m, i, l, c, g) = (2.0, 0.3, 1.2, 5.0, 9.81);
    for planar in [true, false] {
        let mut model = Model::new("cabin").gravity([0.0, -g, 0.0]);
        let arm = if planar {
            Body::planar("arm", m, i).at([l / 2.0, 0.0])
        } else {
            Body::rigid("arm", m, [1e-3, i, i]).at([l / 2.0, 0.0, 0.0])
        };
        let cabin = if planar {
            Body::planar("cabin", c, 40.0).at([l, -0.2])
        } else {
            Body::rigid("cabin", c, [40.0, 40.0, 40.0]).at([l, -0.2, 0.0])
        };
        let arm = model.add_body(arm);
        let cabin = model.add_body(cabin);
        let up = [0.0, 0.0, 1.0];
        model.add_joint("pin", GROUND, arm, Revolute::at([0.0; 3], up));
        if planar {
            model.add_joint("hang", arm, cabin, Revolute::at([l, 0.0, 0.0], up));
        } else {
            model.add_joint("hang", arm, cabin, Spherical::at([l, 0.0, 0.0]));
        }
        model.add_joint("level", GROUND, cabin, Orientation::kept());
        for coordinates in ["absolute", "joint"] {
            let r = run(&model, 1.3, 1e-9, coordinates);
            let w = last(
                &r,
                if planar {
                    "arm.angle.velocity"
                } else {
                    "arm.omega.z"
                },
            );
            let y = last(&r, "arm.y");
            let effective = i + m * l * l / 4.0 + c * l * l;
            let fallen = -(m + 2.0 * c) * g * y;
            let largest = (m + 2.0 * c) * g * l / 2.0;
            close(0.5 * effective * w * w, fallen, 1e-7 * largest, "energy");
            let turned = if planar { "cabin.angle" } else { "cabin.roll" };
            close(last(&r, turned), 0.0, 1e-9, turned);
        }
    }
}

/// A rotor whose axis stays parallel to z of the ground spins at its own rate about it while it is thrown:
/// `J` about the axis alone counts, and the torque that holds the axis is that of its deviation moments,
/// `T_x = J_yz w^2`, `T_y = -J_xz w^2` in body axes.
#[test]
fn parallel_axes_hold_an_unbalanced_rotor() {
    let (jxz, jyz, w) = (0.02, -0.05, 7.0);
    let inertia = [[0.3, 0.0, jxz], [0.0, 0.4, jyz], [jxz, jyz, 0.2]];
    let mut model = Model::new("rotor").gravity([0.0, 0.0, -9.81]);
    let mut body = Body::rigid("rotor", 2.0, [0.0; 3])
        .moving([1.0, 2.0, 3.0])
        .spinning([0.0, 0.0, w]);
    body.shape = Shape::Rigid { inertia };
    let rotor = model.add_body(body);
    model.add_joint("axis", GROUND, rotor, ParallelAxes::along([0.0, 0.0, 1.0]));
    let t = 0.8;
    for coordinates in ["absolute", "joint"] {
        let r = run(&model, t, 1e-9, coordinates);
        close(last(&r, "rotor.omega.z"), w, 1e-7, "spin");
        close(last(&r, "rotor.z"), 3.0 * t - 0.5 * 9.81 * t * t, 1e-7, "z");
        // the reaction turns with the body: omega x J omega = w^2 (-J_yz, J_xz, 0), in global axes
        let (sin, cos) = (w * t).sin_cos();
        let held = [-jyz * w * w, jxz * w * w];
        let want = [cos * held[0] - sin * held[1], sin * held[0] + cos * held[1]];
        close(
            last(&r, "axis.reaction.torque.x"),
            want[0],
            1e-6,
            "torque about x",
        );
        close(
            last(&r, "axis.reaction.torque.y"),
            want[1],
            1e-6,
            "torque about y",
        );
    }
}

/// A symmetric body under a constant torque `T` about its own axis: `w_z = w_0 + T t/C`, and the transverse
/// angular velocity keeps its size and turns in the body by `(C - A)/A` times the angle of `w_z`.
#[test]
fn a_torque_that_turns_with_the_body_spins_it_up_about_its_own_axis() {
    let (a, c, torque) = (0.5, 0.8, 0.3);
    let start = [0.4, 0.0, 2.0];
    let mut model = Model::new("spinner");
    let body = model.add_body(Body::rigid("b", 1.0, [a, a, c]).spinning(start));
    let force = Moment::constant([0.0, 0.0, torque]).turning();
    model.add_force("thrusters", GROUND, body, force);
    let t = 3.0;
    for coordinates in ["absolute", "joint"] {
        let r = run(&model, t, 1e-9, coordinates);
        let angle = (c - a) / a * (start[2] * t + 0.5 * torque / c * t * t);
        let want = [
            start[0] * angle.cos(),
            start[0] * angle.sin(),
            start[2] + torque / c * t,
        ];
        for (axis, want) in ["x", "y", "z"].into_iter().zip(want) {
            close(last(&r, &format!("b.omega.{axis}")), want, 1e-7, axis);
        }
    }
}

/// A slider on a rail along x, with more of the text of a planar model, or of one in space.
fn slider(planar: bool, more: &str) -> Model {
    let source = format!(
        r#"
[model]
name = "slider"
planar = {planar}
[[body]]
name = "slider"
mass = 2
inertia = INERTIA
position = [1, 0 Z]
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "slider"
at = [1, 0 Z]
axis = [1, 0 Z]
{more}
"#
    );
    let [inertia, z] = if planar {
        ["0.1", ""]
    } else {
        ["[0.1, 0.1, 0.1]", ", 0"]
    };
    let source = source.replace("INERTIA", inertia).replace(" Z", z);
    text::read(&source)
        .unwrap_or_else(|e| panic!("{e:?}"))
        .model
}

/// A spring with hysteresis that is drawn out by `U`, pushed in by `U` and drawn out again. With exponent 2
/// and straight unloading the deflection is `Y tanh` of the path over `Y` from where it was zero, and
/// falls as the path does on the way back to zero. Where the motion turns the rates have a corner: steps end there,
/// and each turn is met once.
#[test]
fn hysteresis_follows_the_closed_form_of_its_loops() {
    let (u, y, k, soft) = (0.03_f64, 0.01, 1000.0, 0.1);
    let first = y * (u / y).tanh();
    let second = -y * ((2.0 * u - first) / y).tanh();
    let third = y * ((2.0 * u + second) / y).tanh();
    let quarter = std::f64::consts::FRAC_PI_2;
    for planar in [true, false] {
        let model = slider(
            planar,
            r#"
[[joint]]
name = "path"
kind = "drive"
quantity = "displacement"
body_b = "slider"
at = [1, 0 Z]
axis = [1, 0 Z]
value = "0.03*sin(t)"
[[force]]
name = "spring"
kind = "hysteresis"
body_b = "slider"
at_a = [0, 0 Z]
at_b = [1, 0 Z]
stiffness = 1000
hardening = 0.1
yield = "10 mm"
"#,
        );
        for coordinates in ["absolute", "joint"] {
            for (quarters, u, z) in [(1.0, u, first), (3.0, -u, second), (5.0, u, third)] {
                let r = run(&model, quarters * quarter, 1e-9, coordinates);
                close(last(&r, "spring.deflection"), z, 1e-6 * y, "deflection");
                let force = k * (soft * u + (1.0 - soft) * z);
                close(last(&r, "spring.force"), force, 1e-6 * k * y, "force");
                // it dissipates: the account closes only if the state is in it
                let e = r.energy.unwrap();
                assert!(e.imbalance().abs() < 1e-6, "{e:?}");
                let turns = ((quarters - 1.0) / 2.0).round() as u64;
                let met = r.stats.switches;
                assert!(
                    met == turns || met == turns + 1,
                    "{met} events, {turns} turns"
                );
            }
        }
    }
}

/// Bristles carry a force below the limit `g` of friction at `z = F/s0` without creeping; a load that grows
/// slowly moves the body by `-(g/s0) ln(1 - F/g)`, the integral of `dx = dz/(1 - s0 z/g)`, up to 1e-4 that its
/// speed changes `g`. Sliding in the steady state goes on at its speed: `F = F_c (1 + (r - 1) exp(-(v/v_s)^2)) + s2 v`.
#[test]
fn bristles_stick_and_slide() {
    let friction = r#"
[[force]]
name = "friction"
kind = "lugre_friction"
against = "sliding"
body_b = "slider"
at = [1, 0 Z]
axis = [1, 0 Z]
coulomb = 3
static_ratio = 1.5
stribeck_speed = 0.1
bristle_stiffness = 1e4
bristle_damping = 200
viscous = 0.4
[[force]]
name = "push"
kind = "force"
body_b = "slider"
"#;
    for planar in [true, false] {
        let sticks = slider(
            planar,
            &format!("{friction}x = \"4*step(t, 0, 0, 8, 1)\"\n"),
        );
        let v = 0.25_f64;
        let steady = 3.0 * (1.0 + 0.5 * (-(v / 0.1_f64).powi(2)).exp()) + 0.4 * v;
        let mut slides = slider(planar, &format!("{friction}x = {steady:?}\n"));
        slides.bodies[0] = slides.bodies[0].clone().moving([v, 0.0, 0.0]);
        for coordinates in ["absolute", "joint"] {
            let r = run(&sticks, 11.0, 1e-8, coordinates);
            close(last(&r, "friction.deflection"), 4.0 / 1e4, 1e-8, "bristles");
            close(last(&r, "friction.speed"), 0.0, 1e-7, "speed");
            let way = -(4.5 / 1e4) * (1.0_f64 - 4.0 / 4.5).ln();
            close(
                last(&r, "slider.x"),
                1.0 + way,
                5e-4 * way,
                "way under load",
            );
            let r = run(&slides, 2.0, 1e-8, coordinates);
            close(last(&r, "friction.speed"), v, 1e-7, "speed");
            close(last(&r, "slider.x"), 1.0 + 2.0 * v, 1e-6, "way");
        }
    }
}

/// A torque on the output of a gear: `(J + n^2 I) theta'' = T` on the ground, in the plane and in space. On a
/// free carrier of inertia `A` the total angular momentum about the axis stays zero with the rotor's,
/// `A w_a + J w_b + I (w_a + n (w_b - w_a)) = 0`, so that the carrier turns back by a closed form.
#[test]
fn rotors_behind_gears_add_their_inertia() {
    let (j, i, n, torque, t) = (0.5, 0.002, 20.0, 3.0, 2.0);
    let (carrier, up) = (1.5, [0.0, 0.0, 1.0]);
    for planar in [true, false] {
        let body = |name: &str, j: f64| match planar {
            true => Body::planar(name, 1.0, j),
            false => Body::rigid(name, 1.0, [j, j, j]),
        };
        for free in [false, true] {
            let mut model = Model::new("geared");
            let a = match free {
                true => model.add_body(body("a", carrier)),
                false => GROUND,
            };
            let b = model.add_body(body("b", j));
            model.add_joint("hinge", a, b, Revolute::at([0.0; 3], up));
            model.add_force("motor", a, b, Rotor::about(up, i, n));
            model.add_force("torque", a, b, Torque::constant(torque));
            for coordinates in ["absolute", "joint"] {
                let r = run(&model, t, 1e-9, coordinates);
                let speed = |name: &str| {
                    let key = if planar { "angle.velocity" } else { "omega.z" };
                    last(&r, &format!("{name}.{key}"))
                };
                if !free {
                    let want = torque * t / (j + n * n * i);
                    close(speed("b"), want, 1e-7 * want, "speed");
                    close(last(&r, "motor.speed"), n * want, 1e-7 * n * want, "rotor");
                    continue;
                }
                // w_a = x w: momentum; then the power of the torque is the growth of the energy
                let x = -(j + i * n) / (carrier + i * (1.0 - n));
                let rotor = x + n * (1.0 - x);
                let inertia = (carrier * x * x + j + i * rotor * rotor) / (1.0 - x).powi(2);
                let relative = torque * t / inertia;
                let want = relative / (1.0 - x);
                close(speed("b"), want, 1e-7 * want, "speed of b");
                close(speed("a"), x * want, 1e-7 * want, "speed of a");
            }
        }
    }
}

/// A rotor that spins on a body is a gyroscope: with the spin held by momentum, `H = I n theta'`, the body
/// answers a torque across by precession. Total angular momentum in space and energy stay, whatever happens.
#[test]
fn a_spinning_rotor_keeps_the_angular_momentum_of_its_carrier() {
    let (i, n) = (0.004, 30.0);
    let axis = [0.2, 0.3, 1.0];
    let mut model = Model::new("gyrostat");
    let a = model.add_body(Body::rigid("a", 2.0, [0.3, 0.4, 0.5]).spinning([0.4, -0.3, 0.2]));
    let wheel = Body::rigid("b", 0.5, [0.02, 0.03, 0.04]).spinning([1.4, -0.1, 5.0]);
    let b = model.add_body(wheel);
    model.add_joint("hinge", a, b, Revolute::at([0.0; 3], axis));
    model.add_force("motor", a, b, Rotor::about(axis, i, n));
    let length = (0.04_f64 + 0.09 + 1.0).sqrt();
    let axis = axis.map(|x| x / length);
    for coordinates in ["absolute", "joint"] {
        let r = run(&model, 3.0, 1e-9, coordinates);
        let at = |k: usize| -> [f64; 3] {
            let value = |name: String| r.channel(&name).unwrap()[k];
            let mut total = [0.0; 3];
            for (body, j) in [("a", [0.3, 0.4, 0.5]), ("b", [0.02, 0.03, 0.04])] {
                let q = ["w", "x", "y", "z"].map(|c| value(format!("{body}.quaternion.{c}")));
                let omega = ["x", "y", "z"].map(|c| value(format!("{body}.omega.{c}")));
                let mut l: [f64; 3] = std::array::from_fn(|k| j[k] * omega[k]);
                if body == "a" {
                    // of the rotor about its axis, which is fixed in body a
                    let own: f64 = (0..3).map(|k| axis[k] * omega[k]).sum();
                    let spin = own + value("motor.speed".into());
                    l = std::array::from_fn(|k| l[k] + i * spin * axis[k]);
                }
                let m = linkwork::dae::rotation::matrix(q);
                let l = linkwork::dae::rotation::apply(&m, l);
                // both centres of mass rest at the hinge
                total = std::array::from_fn(|k| total[k] + l[k]);
            }
            total
        };
        let (first, end) = (at(0), at(r.times().len() - 1));
        for k in 0..3 {
            close(end[k], first[k], 1e-6, "angular momentum");
        }
        let e = r.energy.unwrap();
        assert!(e.imbalance().abs() < 1e-7, "{e:?}");
    }
}

/// `m x'' + c x' + k x = 0` by a closure: `x = e^(-d t) (cos w t + d/w sin w t)` from rest at 1.
#[test]
fn a_closure_makes_an_oscillator() {
    let (m, c, k, t) = (2.0_f64, 0.6_f64, 50.0_f64, 2.0_f64);
    for planar in [true, false] {
        let mut model = slider(planar, "");
        let body = BodyRef::from_index(0);
        let spring = Callback::new(["slider.x", "slider.x.velocity"], move |_, s| {
            Ok([-k * s[0] - c * s[1], 0.0, 0.0, 0.0, 0.0, 0.0])
        });
        model.add_force("spring", GROUND, body, spring.unwrap());
        for coordinates in ["absolute", "joint"] {
            let r = run(&model, t, 1e-9, coordinates);
            let d = c / (2.0 * m);
            let w = (k / m - d * d).sqrt();
            let x = (-d * t).exp() * ((w * t).cos() + d / w * (w * t).sin());
            close(last(&r, "slider.x"), x, 1e-7, "x");
            let force = -k * last(&r, "slider.x") - c * last(&r, "slider.x.velocity");
            close(last(&r, "spring.force.x"), force, 1e-12 * k, "force");
        }
    }
}

/// A closure that refuses ends the run with its reason and the name of the force.
#[test]
fn a_closure_that_refuses_says_why() {
    let mut model = slider(true, "");
    let body = BodyRef::from_index(0);
    let cable = Callback::new(["slider.x"], |_, s| match s[0] > 0.4 {
        true => Ok([-20.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        false => Err("the cable is slack".into()),
    });
    model.add_force("cable", GROUND, body, cable.unwrap());
    let options = Options {
        t_end: Some(5.0),
        ..Options::default()
    };
    let run = Simulation::of(&model).unwrap().options(options).run();
    let run = run.unwrap();
    assert_eq!(run.verdict, Verdict::Failed);
    let told = format!("{:?}", run.ending);
    assert!(told.contains("cable") && told.contains("slack"), "{told}");
    assert!((last(&run, "slider.x") - 0.4).abs() < 1e-2);
    assert!(Callback::new(["a + "], |_, _| Ok([0.0; 6])).is_err());
    let many = ["a", "b", "c", "d", "e", "f", "g"];
    assert!(Callback::new(many, |_, _| Ok([0.0; 6])).is_err());
}

/// A ball rolls down an incline with `5/7 g sin`, and on a turntable of angular velocity `W` its centre circles
/// with `2/7 W`, whatever its radius.
#[test]
fn balls_roll_as_they_are_known_to() {
    let (r, m, t) = (0.2, 3.0, 1.5_f64);
    let inertia = [0.4 * m * r * r; 3];
    let up = [0.0, 0.0, 1.0];
    let slope = 0.3_f64;
    let mut incline = Model::new("incline").gravity([9.81 * slope.sin(), 0.0, -9.81 * slope.cos()]);
    let ball = Body::rigid("ball", m, inertia).at([0.0, 0.0, r]);
    let ball = incline.add_body(ball);
    let rolls = RollingEllipsoid::sphere([0.0; 3], up, [0.0; 3], r);
    incline.add_joint("contact", GROUND, ball, rolls.clone());

    let turn = 2.0;
    let (x, v) = (0.5, 0.3);
    let mut carousel = Model::new("carousel").gravity([0.0, 0.0, -9.81]);
    let table = carousel.add_body(Body::rigid("table", 1.0, [1.0; 3]).spinning([0.0, 0.0, turn]));
    let ball = Body::rigid("ball", m, inertia)
        .at([x, 0.0, r])
        .moving([v, 0.0, 0.0]);
    let ball = carousel.add_body(ball.spinning([x * turn / r, v / r, 0.0]));
    carousel.add_joint("bearing", GROUND, table, Revolute::at([0.0; 3], up));
    let drive = Drive::angle(up, Formula::parse("2*t").unwrap());
    carousel.add_joint("drive", GROUND, table, drive);
    carousel.add_joint("contact", table, ball, rolls);
    for coordinates in ["absolute", "joint"] {
        let run_down = run(&incline, t, 1e-9, coordinates);
        let way = 0.5 * 5.0 / 7.0 * 9.81 * slope.sin() * t * t;
        close(last(&run_down, "ball.x"), way, 1e-7, "way");
        let circles = run(&carousel, t, 1e-9, coordinates);
        let (sin, cos) = (2.0 / 7.0 * turn * t).sin_cos();
        close(last(&circles, "ball.x.velocity"), v * cos, 1e-7, "along x");
        close(last(&circles, "ball.y.velocity"), v * sin, 1e-7, "along y");
    }
}

/// An ellipsoid on its flat side rocks about its short axis `c` with `w^2 = m g (a^2/c - c)/(J + m c^2)`: its
/// radius of curvature there is `a^2/c`, and smaller by some `3/2 (a/c)^2` of the squared angle beside. Amplitudes
/// of 5e-4 change the frequency by some 1e-6.
#[test]
fn an_ellipsoid_rocks_at_its_known_frequency() {
    let (a, b, c, m, g) = (0.3_f64, 0.25_f64, 0.1_f64, 2.0, 9.81);
    let moment = |x: f64, y: f64| m / 5.0 * (x * x + y * y);
    let inertia = [moment(b, c), moment(a, c), moment(a, b)];
    let tilt = 5e-4;
    let mut model = Model::new("pebble").gravity([0.0, 0.0, -g]);
    let body = Body::rigid("pebble", m, inertia).at([0.0, 0.0, c]);
    let body = model.add_body(body.turned([0.0, tilt, 0.0]).exact_pose());
    model.bodies[0].position_trust = linkwork::mbs::body::Trust::Guess;
    let mut rolls = RollingEllipsoid::sphere([0.0; 3], [0.0, 0.0, 1.0], [0.0; 3], c);
    rolls.semi_axes = [a, b, c];
    model.add_joint("contact", GROUND, body, rolls);
    let w = (m * g * (a * a / c - c) / (inertia[1] + m * c * c)).sqrt();
    for coordinates in ["absolute", "joint"] {
        for quarters in [1.0, 2.0, 3.0] {
            let t = quarters * std::f64::consts::FRAC_PI_2 / w;
            let r = run(&model, t, 1e-10, coordinates);
            let want = tilt * (w * t).cos();
            close(last(&r, "pebble.pitch"), want, 1e-4 * tilt, "pitch");
        }
    }
}
