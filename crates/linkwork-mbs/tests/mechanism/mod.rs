//! Mechanisms that several tests use, and a dense solver for their accelerations.

use linkwork_dae::state::State;
use linkwork_dae::system::{Part, System, Terms};
use linkwork_mbs::force::{SpringDamper, Torque};
use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::Revolute;
use linkwork_mbs::{Body, BodyRef, Model};

/// Andrews' squeezing mechanism as seven bodies and ten revolute joints in its published start
/// position (Schiehlen 1990; Hairer & Wanner 1996, VII.7).
#[allow(dead_code)] // not every test uses it
pub fn squeezer() -> Model {
    let (beta, theta) = (-0.0617138900142764496_f64, 0.0_f64);
    let (gamma, phi) = (0.455279819163070380_f64, 0.222668390165885885_f64);
    let (delta, omega) = (0.487364979543842550_f64, -0.222668390165885885_f64);
    let epsilon = 1.23054744454982119_f64;
    let (d, da, e, ea, rr, ra) = (0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092);
    let (sa, sb, sc, sd) = (0.01874, 0.01043, 0.018, 0.02);
    let (ta, tb, u, ua, ub) = (0.02308, 0.00916, 0.04, 0.01228, 0.00449);
    let (zf, zt, fa) = (0.02, 0.04, 0.01421);
    let (a, b, c) = ([-0.06934, -0.00227], [-0.03635, 0.03273], [0.014, 0.072]);
    let along = |angle: f64| [angle.cos(), angle.sin()];
    let add = |p: [f64; 2], s: f64, u: [f64; 2], t: f64| {
        // p + s u + t u turned left
        [p[0] + s * u[0] - t * u[1], p[1] + s * u[1] + t * u[0]]
    };
    let f = add([0.0; 2], rr, along(beta), 0.0);
    let point_e = add(f, -d, along(beta + theta), 0.0);
    let point_d = add(b, sd, along(gamma), -sc);
    let point_g = add(a, zt, along(delta), 0.0);
    let point_h = add(a, 0.0, along(epsilon), -u);

    let mut m = Model::planar("squeezer");
    let body = |m: &mut Model, name: &str, mass, inertia, at, angle| {
        m.add_body(Body::planar(name, mass, inertia).at(at).turned(angle))
    };
    let at1 = add([0.0; 2], ra, along(beta), 0.0);
    let b1 = body(&mut m, "crank", 0.04325, 2.194e-6, at1, beta);
    let at2 = add(f, -da, along(beta + theta), 0.0);
    let b2 = body(&mut m, "rod", 0.00365, 4.410e-7, at2, beta + theta);
    let at3 = add(b, sb, along(gamma), -sa);
    let b3 = body(&mut m, "triangle", 0.02373, 5.255e-6, at3, gamma);
    let at4 = add(point_g, 0.0, along(phi + delta), -(e - ea));
    let b4 = body(&mut m, "upper_rod", 0.00706, 5.667e-7, at4, phi + delta);
    let at5 = add(a, ta, along(delta), tb);
    let b5 = body(&mut m, "upper_arm", 0.07050, 1.169e-5, at5, delta);
    let at6 = add(point_h, zf - fa, along(omega + epsilon), 0.0);
    let b6 = body(&mut m, "lower_rod", 0.00706, 5.667e-7, at6, omega + epsilon);
    let at7 = add(a, -ub, along(epsilon), -ua);
    let b7 = body(&mut m, "lower_arm", 0.05498, 1.912e-5, at7, epsilon);

    m.add_joint("o", BodyRef::GROUND, b1, Revolute::pin([0.0; 2]));
    m.add_joint("f", b1, b2, Revolute::pin(f));
    m.add_joint("e3", b2, b3, Revolute::pin(point_e));
    m.add_joint("e4", b2, b4, Revolute::pin(point_e));
    m.add_joint("e6", b2, b6, Revolute::pin(point_e));
    m.add_joint("b", BodyRef::GROUND, b3, Revolute::pin(b));
    m.add_joint("g", b4, b5, Revolute::pin(point_g));
    m.add_joint("h", b6, b7, Revolute::pin(point_h));
    m.add_joint("a5", BodyRef::GROUND, b5, Revolute::pin(a));
    m.add_joint("a7", BodyRef::GROUND, b7, Revolute::pin(a));
    m.add_force(
        "spring",
        BodyRef::GROUND,
        b3,
        SpringDamper::between(
            Marker::global(c),
            Marker::global(point_d),
            [4530.0, 0.0],
            Some(0.07785),
        ),
    );
    m.add_force("motor", BodyRef::GROUND, b1, Torque::constant(0.033));
    m
}

/// Solves a dense system by Gaussian elimination with column pivots.
pub fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .unwrap();
        a.swap(k, p);
        b.swap(k, p);
        assert!(a[k][k] != 0.0, "singular");
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    b
}

/// Fills the accelerations and multipliers of a state: `M a + C_q' lambda = Q`, `C_q a = gamma`.
pub fn accelerate(sys: &mut dyn System, s: &mut State) {
    let d = sys.dims();
    let n = d.nv + d.nc;
    let mut mass = vec![0.0; sys.patterns()[Part::Mass].len()];
    let mut c_q = vec![0.0; sys.patterns()[Part::Cq].len()];
    let mut rhs = vec![0.0; n];
    let (force, gamma) = rhs.split_at_mut(d.nv);
    let mut want = Terms {
        mass: Some(&mut mass),
        c_q: Some(&mut c_q),
        force: Some(force),
        gamma: Some(gamma),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    let mut a = vec![vec![0.0; n]; n];
    for (&(i, j), x) in sys.patterns()[Part::Mass].iter().zip(&mass) {
        a[i as usize][j as usize] += x;
    }
    for (&(i, j), x) in sys.patterns()[Part::Cq].iter().zip(&c_q) {
        a[d.nv + i as usize][j as usize] += x;
        a[j as usize][d.nv + i as usize] += x;
    }
    let x = solve(a, rhs);
    s.a.copy_from_slice(&x[..d.nv]);
    s.lambda.copy_from_slice(&x[d.nv..]);
}
