//! Exact derivative blocks against differences, at random states of every problem.

use linkwork_dae::chart;
use linkwork_dae::system::{At, Blocks, Part, Parts, Reader, System, Terms};
use linkwork_problems::PROBLEMS;

/// A small linear congruential generator: the same states on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

#[derive(Clone)]
struct Point {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
    x: Vec<f64>,
}

impl Point {
    fn at(&self, t: f64) -> At<'_> {
        At {
            t,
            q: &self.q,
            v: &self.v,
            a: &self.a,
            lambda: &self.lambda,
            x: &self.x,
        }
    }
}

/// The terms that blocks are derivatives of.
struct Values {
    r: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
    f: Vec<f64>,
}

fn values(sys: &mut dyn System, at: &At<'_>) -> Values {
    let d = sys.dims();
    let mut out = Values {
        r: vec![0.0; d.nv],
        c: vec![0.0; d.nc],
        cv: vec![0.0; d.rows()],
        f: vec![0.0; d.nx],
    };
    let mut want = Terms {
        r: Some(&mut out.r),
        c: Some(&mut out.c),
        cv: Some(&mut out.cv),
        f: Some(&mut out.f),
        ..Terms::default()
    };
    sys.eval(at, &mut want).unwrap();
    out
}

fn dense(pattern: &[(u32, u32)], values: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    let mut m = vec![0.0; rows * columns];
    for (&(i, j), x) in pattern.iter().zip(values) {
        m[i as usize * columns + j as usize] = *x;
    }
    m
}

/// Which argument a block differentiates by.
#[derive(Clone, Copy)]
enum By {
    Q,
    V,
    A,
    X,
    Lambda,
}

/// Parameters that switch on terms which the default leaves out.
fn variants(problem: &str) -> Vec<Vec<(String, f64)>> {
    let mut all = vec![Vec::new()];
    let on = |name: &str| (name.to_string(), 1.0);
    match problem {
        "crank" => all.push(vec![on("nonlinear"), on("damped")]),
        "heavy-top" => {
            all.push(vec![on("positions")]);
            all.push(vec![on("euler")]);
            all.push(vec![on("positions"), on("euler")]);
        }
        "free-body" | "rotor" => all.push(vec![on("euler")]),
        _ => {}
    }
    all
}

#[test]
fn exact_blocks_equal_central_differences() {
    let all = PROBLEMS.iter().flat_map(|problem| {
        variants(problem.name)
            .into_iter()
            .map(move |v| (problem, v))
    });
    for (problem, variant) in all {
        let mut sys = (problem.build)(&variant).unwrap();
        if sys.facts().exact == Parts::NONE {
            continue;
        }
        let scale = sys.facts().scale.clone();
        compare(problem.name, &mut *sys, &scale, 0.0);
    }
}

/// A force of four sides: its parts follow the lengths of each other.
#[test]
fn blocks_of_a_force_of_several_sides_equal_central_differences() {
    let source = r#"
model = { name = "tackle", planar = false, gravity = [0, -9.81, 0] }
body = [
  { name = "load", kind = "point", mass = 5, position = [0.1, -2, 0.3] },
  { name = "weight", mass = 3, inertia = 0.2, position = [1, -3, -0.2], angular_velocity = [1, 2, 3] },
]
force = [{ name = "rope", kind = "elastic_cable", body_b = "load", bodies = ["ground", "weight"], points = [[1, 0, 0], [0.1, 0.2, 0.3]], free_length = 3, stiffness = 500, damping = 5 }]
"#;
    let model = linkwork_mbs::text::read(source).unwrap().model;
    let mut sys = linkwork_mbs::system(&model).unwrap();
    compare("tackle", &mut *sys, &[0.5; 9], 0.0);
}

/// Forces that read multipliers, contacts that are found: the wheelset as a model, within the play of its wheels.
#[test]
fn blocks_of_wheels_on_rails_equal_central_differences() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/wheelset.toml");
    let source = std::fs::read_to_string(path).unwrap();
    let model = linkwork_mbs::text::read(&source).unwrap().model;
    let mut sys = linkwork_mbs::system(&model).unwrap();
    let scale = [1e-2, 1e-3, 1e-1, 1e-1, 1e-2, 1e-2];
    compare("wheelset model", &mut *sys, &scale, 80.0);
}

/// Central differences with an increment of 1e-6 of the scale of a coordinate are good to about
/// 1e-9 relative to the largest entry of the row and the size of its terms; the bound leaves two decades.
fn compare(name: &str, sys: &mut dyn System, scale: &[f64], load: f64) {
    const STEP: f64 = 1e-6;
    const BOUND: f64 = 1e-7;
    sys.structure(Reader::Entries);
    let d = sys.dims();
    let patterns = sys.patterns().clone();
    for part in Part::ALL {
        let mut entries = patterns[part].clone();
        entries.sort_unstable();
        entries.dedup();
        let found = entries.len();
        assert_eq!(
            found,
            patterns[part].len(),
            "{} {part:?}: doubled entry",
            name
        );
    }
    let mut random = Random(7);
    for _ in 0..20 {
        let t = random.next();
        let guess = sys.facts().guess.clone();
        let mut p = Point {
            q: guess.q,
            v: guess.v,
            a: random.vector(d.nv),
            lambda: random.vector(d.rows()).iter().map(|x| load + x).collect(),
            x: random.vector(d.nx),
        };
        for (i, scale) in scale.iter().enumerate() {
            p.q[i] += 0.3 * scale * random.next();
            p.v[i] += scale * random.next();
            p.a[i] *= scale;
        }
        let mut blocks = Blocks::new(&patterns);
        let parts = sys.facts().exact;
        sys.linearise(&p.at(t), &mut Terms::default(), parts, &mut blocks)
            .unwrap();
        for by in [By::Q, By::V, By::A, By::X, By::Lambda] {
            let n = match by {
                By::X => d.nx,
                By::Lambda => d.rows(),
                _ => d.nv,
            };
            let unit = |j: usize| match by {
                By::X | By::Lambda => 1.0,
                _ => scale[j],
            };
            for j in 0..n {
                let step = STEP * unit(j);
                let mut moved = |shift: f64| {
                    let mut m = p.clone();
                    match by {
                        By::Q => {
                            let mut d = vec![0.0; d.nv];
                            d[j] = shift;
                            chart::advance(sys, &mut m.q, &d);
                        }
                        By::V => m.v[j] += shift,
                        By::A => m.a[j] += shift,
                        By::X => m.x[j] += shift,
                        By::Lambda => m.lambda[j] += shift,
                    }
                    values(sys, &m.at(t))
                };
                let (high, low) = (moved(step), moved(-step));
                let check = |part: Part, high: &[f64], low: &[f64]| {
                    let block = dense(&patterns[part], &blocks[part], high.len(), n);
                    for i in 0..high.len() {
                        let row = block[i * n..(i + 1) * n].iter().enumerate();
                        let size = high[i].abs().max(1e-3);
                        let size = row.fold(size, |m, (j, x)| m.max(x.abs() * unit(j)));
                        let difference = (high[i] - low[i]) / (2.0 * step);
                        let error = (difference - block[i * n + j]).abs() * unit(j) / size;
                        assert!(error < BOUND, "{} {part:?} ({i}, {j}): {error:.1e}", name);
                    }
                };
                match by {
                    By::Q => {
                        check(Part::Rq, &high.r, &low.r);
                        check(Part::CVq, &high.cv, &low.cv);
                        check(Part::Fq, &high.f, &low.f);
                        // holonomic rows of the velocity Jacobian
                        let rows = |v: &Values| [&v.c[..], &vec![0.0; d.ng]].concat();
                        let mut block = dense(&patterns[Part::Cq], &blocks[Part::Cq], d.rows(), n);
                        block.truncate(d.nc * n);
                        let (high, low) = (rows(&high), rows(&low));
                        for i in 0..d.nc {
                            let difference = (high[i] - low[i]) / (2.0 * step);
                            let error = (difference - block[i * n + j]).abs() * unit(j);
                            assert!(error < BOUND, "{} C_q ({i}, {j})", name);
                        }
                    }
                    By::V => {
                        check(Part::Rv, &high.r, &low.r);
                        check(Part::Cq, &high.cv, &low.cv);
                        check(Part::Fv, &high.f, &low.f);
                    }
                    By::A => check(Part::Mass, &high.r, &low.r),
                    By::X => {
                        check(Part::Rx, &high.r, &low.r);
                        check(Part::Fx, &high.f, &low.f);
                    }
                    By::Lambda => {
                        let n = d.rows();
                        let mut block = dense(&patterns[Part::Rl], &blocks[Part::Rl], d.nv, n);
                        for (&(row, column), x) in patterns[Part::Cq].iter().zip(&blocks[Part::Cq])
                        {
                            block[column as usize * n + row as usize] += x;
                        }
                        for i in 0..d.nv {
                            let difference = (high.r[i] - low.r[i]) / (2.0 * step);
                            let exact = block[i * n + j];
                            let size = exact.abs().max(high.r[i].abs()).max(1e-3);
                            assert!(
                                (difference - exact).abs() < BOUND * size,
                                "{} r by lambda ({i}, {j}): {difference} {exact}",
                                name
                            );
                        }
                    }
                }
            }
        }
        gamma_is_the_rest_of_the_second_derivative(sys, &p, t, name);
    }
}

/// Along any motion `d/dt (C_q v + C_t) = C_q a - gamma`, and the same for `g`.
fn gamma_is_the_rest_of_the_second_derivative(sys: &mut dyn System, p: &Point, t: f64, name: &str) {
    let speed = p.v.iter().fold(1.0f64, |m, v| m.max(v.abs()));
    let step = 1e-5 / speed;
    let d = sys.dims();
    let n = sys.patterns()[Part::Cq].len();
    let (mut gamma, mut c_q) = (vec![0.0; d.rows()], vec![0.0; n]);
    let mut want = Terms {
        gamma: Some(&mut gamma),
        c_q: Some(&mut c_q),
        ..Terms::default()
    };
    sys.eval(&p.at(t), &mut want).unwrap();
    let mut along = |dt: f64| {
        let mut moved = p.clone();
        let mut step = vec![0.0; d.nv];
        for i in 0..d.nv {
            step[i] = dt * (p.v[i] + 0.5 * dt * p.a[i]);
            moved.v[i] += dt * p.a[i];
        }
        chart::advance(sys, &mut moved.q, &step);
        values(sys, &moved.at(t + dt)).cv
    };
    let (high, low) = (along(step), along(-step));
    let dense = dense(&sys.patterns()[Part::Cq], &c_q, d.rows(), d.nv);
    for i in 0..d.rows() {
        let ca: f64 = (0..d.nv).map(|j| dense[i * d.nv + j] * p.a[j]).sum();
        let rate = (high[i] - low[i]) / (2.0 * step);
        // central differences: step^2 times third derivatives, and rounding over step
        let size = ca.abs().max(gamma[i].abs()).max(speed);
        assert!(
            (rate - (ca - gamma[i])).abs() < 1e-7 * size,
            "{name} gamma {i}"
        );
    }
}

#[test]
fn part_sets_are_sets() {
    let parts = Parts::from(Part::Cq) | Part::Rq;
    assert!(parts.has(Part::Cq) && parts.has(Part::Rq) && !parts.has(Part::Mass));
    assert!(parts.without(parts).is_empty());
}
