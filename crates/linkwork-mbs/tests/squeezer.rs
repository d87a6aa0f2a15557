//! The squeezer of the example models is the published mechanism (Hairer & Wanner 1996, VII.7), though
//! it is described by seven rigid bodies in place of seven angles.

use linkwork_dae::system::{At, Part, System, Terms};
use linkwork_mbs::body::Shape;
use linkwork_mbs::{BodyRef, Model, assemble, text};

fn squeezer() -> Model {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/squeezer.toml");
    let source = std::fs::read_to_string(path).unwrap();
    text::read(&source)
        .unwrap_or_else(|e| panic!("{e:#?}"))
        .model
}

#[test]
fn the_squeezer_is_closed_at_the_start() {
    let model = squeezer();
    assert_eq!((model.bodies.len(), model.joints.len()), (7, 10));
    for joint in &model.joints {
        let [a, b] = joint.joint.markers().map(Option::unwrap);
        let p = model.site(joint.a).pose.point(a);
        let q = model.site(joint.b).pose.point(b);
        let gap = (p[0] - q[0]).hypot(p[1] - q[1]);
        // Poses carry 17 digits; lengths are below 0.1 m.
        assert!(gap < 1e-16, "{} is open by {gap:e}", joint.name);
    }
}

/// Derivatives of the pose of every body by the seven angles of Hairer & Wanner 1996, VII.7:
/// beta, Theta, gamma, Phi, delta, Omega, epsilon. Bodies hang on each other in two-link chains.
fn pose_rates(model: &Model, q: [f64; 7]) -> Vec<[[f64; 3]; 7]> {
    let [beta, theta, gamma, phi, delta, omega, epsilon] = q;
    let along = |names: [usize; 2]| {
        let mut row = [0.0; 7];
        for n in names {
            row[n] = 1.0;
        }
        row
    };
    // Body, its joint to the ground or to the body before it, its angle, and which angles make it up.
    let chains = [
        ("crank", "joint_o", beta, along([0, 0])),
        ("rod", "joint_f", beta + theta, along([0, 1])),
        ("triangle", "joint_b", gamma, along([2, 2])),
        ("link_ag", "joint_a_ag", delta, along([4, 4])),
        ("link_eg", "joint_g", phi + delta, along([3, 4])),
        ("link_ah", "joint_a_ah", epsilon, along([6, 6])),
        ("link_eh", "joint_h", omega + epsilon, along([5, 6])),
    ];
    let mut rates = vec![[[0.0; 3]; 7]; model.bodies.len()];
    let mut angles = vec![0.0; model.bodies.len()];
    for (body, joint, angle, row) in chains {
        let i = model.bodies.iter().position(|b| b.name == body).unwrap();
        let joint = model.joints.iter().find(|j| j.name == joint).unwrap();
        assert_eq!(joint.b, BodyRef::from_index(i));
        angles[i] = angle;
        let [a, b] = joint.joint.markers().map(Option::unwrap);
        // d(A u)/d(angle) of a body-fixed vector u.
        let turned = |u: [f64; 3], angle: f64| {
            let (s, c) = angle.sin_cos();
            [-(s * u[0] + c * u[1]), c * u[0] - s * u[1]]
        };
        let own = turned(b, angle);
        for k in 0..7 {
            let mut rate = [-own[0] * row[k], -own[1] * row[k], row[k]];
            if let Some(parent) = joint.a.index() {
                let before = rates[parent][k];
                let arm = turned(a, angles[parent]);
                rate[0] += before[0] + arm[0] * before[2];
                rate[1] += before[1] + arm[1] * before[2];
            }
            rates[i][k] = rate;
        }
    }
    rates
}

#[test]
fn the_squeezer_has_the_published_mass_matrix() {
    let model = squeezer();
    let q = [0.7, -0.4, 0.5, 0.3, 0.45, -0.25, 1.2];
    let rates = pose_rates(&model, q);
    let mut mass = [[0.0; 7]; 7];
    for (body, rate) in model.bodies.iter().zip(&rates) {
        let Shape::Planar { inertia, .. } = body.shape else {
            panic!()
        };
        for i in 0..7 {
            for j in 0..7 {
                mass[i][j] += body.mass * (rate[i][0] * rate[j][0] + rate[i][1] * rate[j][1])
                    + inertia * rate[i][2] * rate[j][2];
            }
        }
    }
    let (m1, m2, m3, m4, m5, m6, m7) = (
        0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498,
    );
    let (i1, i2, i3, i4, i5, i6, i7) = (
        2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5,
    );
    let (da, rr, ra, sa, sb, ta, tb) = (0.0115, 0.007, 0.00092, 0.01874, 0.01043, 0.02308, 0.00916);
    let (u, ua, ub, zt): (f64, f64, f64, f64) = (0.04, 0.01228, 0.00449, 0.04);
    let (a, b): (f64, f64) = (0.02 - 0.01421, 0.02 - 0.01421);
    let [_, theta, _, phi, _, omega, _] = q;
    let mut published = [[0.0; 7]; 7];
    let mut set = |i: usize, j: usize, x: f64| {
        published[i - 1][j - 1] = x;
        published[j - 1][i - 1] = x;
    };
    let (cos, sin4, sin6) = (theta.cos(), phi.sin(), omega.sin());
    set(
        1,
        1,
        m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * cos + da * da) + i1 + i2,
    );
    set(1, 2, m2 * (da * da - da * rr * cos) + i2);
    set(2, 2, m2 * da * da + i2);
    set(3, 3, m3 * (sa * sa + sb * sb) + i3);
    set(4, 4, m4 * a * a + i4);
    set(4, 5, m4 * (a * a + zt * a * sin4) + i4);
    set(
        5,
        5,
        m4 * (zt * zt + 2.0 * zt * a * sin4 + a * a) + m5 * (ta * ta + tb * tb) + i4 + i5,
    );
    set(6, 6, m6 * b * b + i6);
    set(6, 7, m6 * (b * b - u * b * sin6) + i6);
    set(
        7,
        7,
        m6 * (b * b - 2.0 * u * b * sin6 + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7,
    );
    for i in 0..7 {
        for j in 0..7 {
            // Entries are about 1e-6 to 1e-4 kg m^2 and made of few terms.
            let error = (mass[i][j] - published[i][j]).abs();
            assert!(
                error < 1e-18,
                "M{}{}: {} is not {}",
                i + 1,
                j + 1,
                mass[i][j],
                published[i][j]
            );
        }
    }
}

#[test]
fn the_squeezer_spring_ends_at_the_published_points() {
    let model = squeezer();
    let spring = &model.forces[0];
    let [c, d] = spring.force.markers().map(Option::unwrap);
    assert_eq!(c, [0.014, 0.072, 0.0]);
    let d = model.site(spring.b).pose.point(d);
    let gamma = 0.455_279_819_163_070_37_f64;
    let (sd, sc) = (0.02, 0.018);
    let x = sd * gamma.cos() + sc * gamma.sin() - 0.03635;
    let y = sd * gamma.sin() - sc * gamma.cos() + 0.03273;
    assert!((d[0] - x).hypot(d[1] - y) < 1e-16, "{d:?} is not {x}, {y}");
}

/// Solves `a x = b` by elimination with row pivoting.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .unwrap();
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            if f != 0.0 {
                let (top, bottom) = a.split_at_mut(i);
                for (x, y) in bottom[0][k..].iter_mut().zip(&top[k][k..]) {
                    *x -= f * y;
                }
                b[i] -= f * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    b
}

#[test]
fn the_squeezer_starts_with_the_published_accelerations_and_reactions() {
    let mut system = assemble(&squeezer()).unwrap();
    let dims = system.facts().dims;
    assert_eq!((dims.nv, dims.nc), (21, 20));
    let guess = system.facts().guess.clone();
    let patterns = system.facts().patterns.clone();
    let mut mass = vec![0.0; patterns[Part::Mass].len()];
    let mut c_q = vec![0.0; patterns[Part::Cq].len()];
    let (mut force, mut gamma) = (vec![0.0; dims.nv], vec![0.0; dims.nc]);
    let at = At {
        t: 0.0,
        q: &guess.q,
        v: &guess.v,
        a: &[],
        lambda: &[],
        x: &[],
    };
    let mut want = Terms {
        mass: Some(&mut mass),
        force: Some(&mut force),
        c_q: Some(&mut c_q),
        gamma: Some(&mut gamma),
        ..Terms::default()
    };
    system.eval(&at, &mut want).unwrap();
    let n = dims.nv + dims.nc;
    let mut a = vec![vec![0.0; n]; n];
    for (&(i, j), m) in patterns[Part::Mass].iter().zip(&mass) {
        a[i as usize][j as usize] = *m;
    }
    for (&(i, j), c) in patterns[Part::Cq].iter().zip(&c_q) {
        a[dims.nv + i as usize][j as usize] = *c;
        a[j as usize][dims.nv + i as usize] = *c;
    }
    let x = solve(a, force.into_iter().chain(gamma).collect());
    // The angles are beta (crank) and beta + Theta (rod); the others start without acceleration.
    let beta = 14222.443919954113;
    let rod = beta - 10666.832939965585;
    for (k, want) in [beta, rod, 0.0, 0.0, 0.0, 0.0, 0.0].into_iter().enumerate() {
        let got = x[3 * k + 2];
        // Start data have 17 digits; masses of 1e-2 kg beside inertias of 1e-6 kg m^2 cost a few.
        assert!(
            (got - want).abs() < 1e-10 * beta,
            "angle of body {k}: {got} is not {want}"
        );
    }
    // Joint E is the fourth: rows 6 and 7. The published equation is "rod minus triangle", ours the
    // reverse, and so is the sign of the multipliers.
    let (x6, x7) = (x[dims.nv + 6], x[dims.nv + 7]);
    assert!((x6 + 98.566_870_396_241_09).abs() < 1e-8, "{x6}");
    assert!((x7 - 6.122_688_344_255_662).abs() < 1e-8, "{x7}");
}
