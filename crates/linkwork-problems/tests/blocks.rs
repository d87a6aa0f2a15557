//! Exact derivative blocks against differences, at random states of every problem.

use linkwork_dae::system::{At, Blocks, Part, Parts, System, Terms};
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

struct Point {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
}

impl Point {
    fn at(&self, t: f64) -> At<'_> {
        At {
            t,
            q: &self.q,
            v: &self.v,
            a: &self.a,
            lambda: &self.lambda,
        }
    }
}

/// r, C and C_q v + C_t at a point, one after the other.
fn values(sys: &mut dyn System, at: &At<'_>) -> [Vec<f64>; 3] {
    let d = sys.dims();
    let mut out = [vec![0.0; d.nv], vec![0.0; d.nc], vec![0.0; d.nc]];
    let [r, c, cv] = &mut out;
    let mut want = Terms {
        r: Some(r),
        c: Some(c),
        cv: Some(cv),
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

/// Central differences with increment 1e-6 are good to about 1e-9 relative to the size of the
/// block; the bound leaves two decades.
#[test]
fn exact_blocks_equal_central_differences() {
    const STEP: f64 = 1e-6;
    const BOUND: f64 = 1e-7;
    for problem in PROBLEMS {
        let mut sys = (problem.build)(&[]).unwrap();
        let d = sys.dims();
        let patterns = sys.patterns().clone();
        for part in Part::ALL {
            let mut entries = patterns[part].clone();
            entries.sort_unstable();
            entries.dedup();
            assert_eq!(
                entries.len(),
                patterns[part].len(),
                "{} {part:?}: doubled entry",
                problem.name
            );
        }
        let mut random = Random(7);
        for _ in 0..20 {
            let t = random.next();
            let mut p = Point {
                q: sys.guess().q,
                v: random.vector(d.nv),
                a: random.vector(d.nv),
                lambda: random.vector(d.nc),
            };
            for q in &mut p.q {
                *q += 0.3 * random.next();
            }
            let mut blocks = Blocks::new(&patterns);
            let parts = sys.exact_parts();
            sys.linearise(&p.at(t), &mut Terms::default(), parts, &mut blocks)
                .unwrap();
            let full = |part: Part, rows| dense(&patterns[part], &blocks[part], rows, d.nv);
            let exact = [
                (Part::Rq, full(Part::Rq, d.nv)),
                (Part::CVq, full(Part::CVq, d.nc)),
                (Part::Cq, full(Part::Cq, d.nc)),
                (Part::Rv, full(Part::Rv, d.nv)),
                (Part::Mass, full(Part::Mass, d.nv)),
            ];
            let check = |what: Part, j: usize, high: &[f64], low: &[f64]| {
                let (_, block) = exact.iter().find(|(p, _)| *p == what).unwrap();
                let size = block.iter().fold(1.0f64, |m, x| m.max(x.abs()));
                for i in 0..high.len() {
                    let difference = (high[i] - low[i]) / (2.0 * STEP);
                    let error = (difference - block[i * d.nv + j]).abs() / size;
                    assert!(
                        error < BOUND,
                        "{} {what:?} ({i}, {j}): {error:.1e}",
                        problem.name
                    );
                }
            };
            for j in 0..d.nv {
                let mut moved = |shift: f64, which: usize| {
                    let slot = |p: &mut Point| match which {
                        0 => p.q[j] += shift,
                        1 => p.v[j] += shift,
                        _ => p.a[j] += shift,
                    };
                    let mut m = Point {
                        q: p.q.clone(),
                        v: p.v.clone(),
                        a: p.a.clone(),
                        lambda: p.lambda.clone(),
                    };
                    slot(&mut m);
                    values(&mut *sys, &m.at(t))
                };
                let (high, low) = (moved(STEP, 0), moved(-STEP, 0));
                check(Part::Rq, j, &high[0], &low[0]);
                check(Part::Cq, j, &high[1], &low[1]);
                check(Part::CVq, j, &high[2], &low[2]);
                let (high, low) = (moved(STEP, 1), moved(-STEP, 1));
                check(Part::Rv, j, &high[0], &low[0]);
                let (high, low) = (moved(STEP, 2), moved(-STEP, 2));
                check(Part::Mass, j, &high[0], &low[0]);
            }
            gamma_is_the_rest_of_the_second_derivative(&mut *sys, &p, t, problem.name);
        }
    }
}

/// Along any motion `d/dt (C_q v + C_t) = C_q a - gamma`.
fn gamma_is_the_rest_of_the_second_derivative(sys: &mut dyn System, p: &Point, t: f64, name: &str) {
    const STEP: f64 = 1e-5;
    let d = sys.dims();
    let n = sys.patterns()[Part::Cq].len();
    let (mut gamma, mut c_q) = (vec![0.0; d.nc], vec![0.0; n]);
    let mut want = Terms {
        gamma: Some(&mut gamma),
        c_q: Some(&mut c_q),
        ..Terms::default()
    };
    sys.eval(&p.at(t), &mut want).unwrap();
    let mut along = |dt: f64| {
        let moved = Point {
            q: (0..d.nv)
                .map(|i| p.q[i] + dt * (p.v[i] + 0.5 * dt * p.a[i]))
                .collect(),
            v: (0..d.nv).map(|i| p.v[i] + dt * p.a[i]).collect(),
            a: p.a.clone(),
            lambda: p.lambda.clone(),
        };
        values(sys, &moved.at(t + dt))[2].clone()
    };
    let (high, low) = (along(STEP), along(-STEP));
    let dense = dense(&sys.patterns()[Part::Cq], &c_q, d.nc, d.nv);
    for i in 0..d.nc {
        let ca: f64 = (0..d.nv).map(|j| dense[i * d.nv + j] * p.a[j]).sum();
        let rate = (high[i] - low[i]) / (2.0 * STEP);
        // central differences: STEP^2 times third derivatives of order 1 to 10
        assert!((rate - (ca - gamma[i])).abs() < 1e-7, "{name} gamma {i}");
    }
}

#[test]
fn part_sets_are_sets() {
    let parts = Parts::from(Part::Cq) | Part::Rq;
    assert!(parts.has(Part::Cq) && parts.has(Part::Rq) && !parts.has(Part::Mass));
    assert!(parts.without(parts).is_empty());
}
