//! Carriers: maps of frames and what carriers have by themselves, against differences and mass points.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]

mod flexible;
mod frames;

use flexible::{flexible, planar, stiffened};
use frames::Numbers;
use linkwork_dae::rotation::{IDENTITY, Quaternion, compose, exp, inverse, log, matrix};
use linkwork_dae::state::State;
use linkwork_dae::system::{Blocks, Part, Parts, System, Terms};
use linkwork_mbs::body::Shape;
use linkwork_mbs::carrier::{Carrier, CarrierPoint, FrameMap, OwnTerms};
use linkwork_mbs::geometry::{Vector, add, apply, cross, dot, scaled, sub};
use linkwork_mbs::joint::{Revolute, Spherical};
use linkwork_mbs::model::Rotation;
use linkwork_mbs::{Body, BodyRef, Model, assemble, text};
use std::sync::Arc;

const STEP: f64 = 1e-6;
const GRAVITY: Vector = [0.4, -0.7, -9.81];

/// A point of a carrier that can be moved.
#[derive(Clone, Debug)]
struct Point {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    orientation: Quaternion,
    /// First entry of the rotation vector.
    turn: Option<usize>,
}

impl Point {
    fn random(carrier: &dyn Carrier, n: &mut Numbers) -> Point {
        let start = carrier.coordinates();
        let mut draw = |size: f64| start.iter().map(|_| size * n.next()).collect::<Vec<f64>>();
        let (mut q, v, a) = (draw(0.4), draw(1.0), draw(1.0));
        for (q, c) in q.iter_mut().zip(&start) {
            *q += c.start[0];
        }
        Point {
            q,
            v,
            a,
            orientation: match carrier.rotation() {
                Some(_) => exp(n.vector(1.0)),
                None => IDENTITY,
            },
            turn: carrier.rotation().map(|(at, _)| at),
        }
    }

    fn at(&self) -> CarrierPoint<'_> {
        CarrierPoint {
            q: &self.q,
            v: &self.v,
            a: &self.a,
            orientation: self.orientation,
            gravity: GRAVITY,
        }
    }

    /// Moved along the tangent.
    fn moved(&self, d: &[f64]) -> Point {
        let mut p = self.clone();
        for (i, (q, d)) in p.q.iter_mut().zip(d).enumerate() {
            if self
                .turn
                .is_none_or(|first| !(first..first + 3).contains(&i))
            {
                *q += d;
            }
        }
        if let Some(first) = self.turn {
            let turn = exp([d[first], d[first + 1], d[first + 2]]);
            p.orientation = compose(self.orientation, turn);
        }
        p
    }

    fn shifted(&self, j: usize, h: f64) -> Point {
        let mut d = vec![0.0; self.q.len()];
        d[j] = h;
        self.moved(&d)
    }

    fn faster(&self, j: usize, h: f64) -> Point {
        let mut p = self.clone();
        p.v[j] += h;
        p
    }

    fn after(&self, h: f64) -> Point {
        let d: Vec<f64> = (self.v.iter().zip(&self.a))
            .map(|(v, a)| h * v + 0.5 * h * h * a)
            .collect();
        let mut p = self.moved(&d);
        for (v, a) in p.v.iter_mut().zip(&self.a) {
            *v += h * a;
        }
        p
    }
}

/// Every kind of carrier.
fn carriers() -> Vec<Arc<dyn Carrier>> {
    let rigid = Body::rigid("r", 1.2, [0.4, 0.5, 0.6]).turned([0.3, -0.4, 0.2]);
    let bodies = [
        (rigid, Rotation::EulerParameters),
        (flexible("f", 11), Rotation::Vectors),
        (stiffened("s"), Rotation::Vectors),
        (planar("p", 12), Rotation::Vectors),
    ];
    let carrier = |(body, rotation): (Body, Rotation)| {
        assert_eq!(body.check(), Ok(()));
        body.carrier(rotation).expect("behind a map")
    };
    bodies.map(carrier).to_vec()
}

fn close(got: f64, hi: f64, lo: f64, what: &str) {
    let want = (hi - lo) / (2.0 * STEP);
    assert!(
        (got - want).abs() < 1e-8 * (1.0 + want.abs()),
        "{what}: {got} {want}"
    );
}

#[test]
fn maps_equal_differences() {
    let mut n = Numbers(3);
    for carrier in carriers() {
        let count = carrier.coordinates().len();
        for frame in (0..=carrier.more_frames().len()).cycle().take(9) {
            let p = Point::random(&*carrier, &mut n);
            let load: [f64; 6] = std::array::from_fn(|_| n.next());
            let map = |p: &Point| {
                let mut map = FrameMap::new(count);
                carrier.map(frame, &p.at(), &mut map).expect("a pose");
                map
            };
            let velocity = |p: &Point| map(p).times(&p.v);
            let acceleration = |p: &Point| {
                let map = map(p);
                let a = map.times(&p.a);
                std::array::from_fn::<f64, 6, _>(|i| a[i] + map.bias[i])
            };
            let pulled = |p: &Point| {
                let mut out = vec![0.0; count];
                map(p).pull(&load, &mut out);
                out
            };
            let here = map(&p);
            let bent = carrier.bent(frame);
            let mut bend = vec![f64::NAN; bent.len() * bent.len()];
            carrier.bend(frame, &p.at(), &load, &mut bend);
            let reach = carrier.reach(frame);
            let (origin, turned) = carrier.pose(frame, &p.at());
            for j in 0..count {
                let [hi, lo] = [STEP, -STEP].map(|h| p.shifted(j, h));
                let place = |p: &Point| {
                    let (x, r) = carrier.pose(frame, &p.at());
                    let turn = log(compose(inverse(turned), r));
                    let x = sub(x, origin);
                    [x[0], x[1], x[2], turn[0], turn[1], turn[2]]
                };
                let (x_hi, x_lo) = (place(&hi), place(&lo));
                let (v_hi, v_lo) = (velocity(&hi), velocity(&lo));
                let (a_hi, a_lo) = (acceleration(&hi), acceleration(&lo));
                let [fast, slow] = [STEP, -STEP].map(|h| acceleration(&p.faster(j, h)));
                for i in 0..6 {
                    let at = i * count + j;
                    close(here.j[at], x_hi[i], x_lo[i], "J");
                    close(here.w[at], v_hi[i], v_lo[i], "W");
                    close(here.a[at], a_hi[i], a_lo[i], "A");
                    close(here.bias_v[at], fast[i], slow[i], "b_v");
                    let reached = reach[i].columns.contains(&j);
                    assert!(reached || here.j[at] == 0.0);
                    let moves = reached && !reach[i].constant;
                    assert!(moves || [here.w[at], here.a[at], here.bias_v[at]] == [0.0; 3]);
                }
                let (l_hi, l_lo) = (pulled(&hi), pulled(&lo));
                for i in 0..count {
                    let inside = bent.contains(&i) && bent.contains(&j);
                    let at = |i: usize, j: usize| (i - bent.start) * bent.len() + j - bent.start;
                    let got = if inside { bend[at(i, j)] } else { 0.0 };
                    close(got, l_hi[i], l_lo[i], "bend");
                }
            }
            let [hi, lo] = [STEP, -STEP].map(|h| velocity(&p.after(h)));
            let a = acceleration(&p);
            for i in 0..6 {
                close(a[i], hi[i], lo[i], "acceleration");
            }
        }
    }
}

#[test]
fn own_terms_equal_differences() {
    let mut n = Numbers(4);
    for carrier in carriers() {
        let (count, rows) = (carrier.coordinates().len(), carrier.rows().len());
        let pattern = carrier.own_pattern();
        for _ in 0..4 {
            let p = Point::random(&*carrier, &mut n);
            let lambda: Vec<f64> = (0..rows).map(|_| n.next()).collect();
            let own = |p: &Point| {
                let mut own = OwnTerms::new(count, rows);
                carrier.own(&p.at(), &lambda, true, &mut own);
                own
            };
            let here = own(&p);
            let size = here.r.iter().fold(1.0f64, |m, r| m.max(r.abs()));
            let near = |got: f64, hi: f64, lo: f64, what: &str| {
                close(got / size, hi / size, lo / size, what);
            };
            let entry = |of: &[(usize, usize)], values: &[f64], i: usize, j: usize| {
                let value = values[i * count + j];
                assert!(
                    value == 0.0 || of.contains(&(i, j)),
                    "{i} {j} is not in the pattern"
                );
                value
            };
            for j in 0..count {
                let [hi, lo] = [STEP, -STEP].map(|h| own(&p.shifted(j, h)));
                let [fast, slow] = [STEP, -STEP].map(|h| own(&p.faster(j, h)));
                for i in 0..count {
                    near(
                        entry(&pattern.r_q, &here.r_q, i, j),
                        hi.r[i],
                        lo.r[i],
                        "r_q",
                    );
                    near(
                        entry(&pattern.r_v, &here.r_v, i, j),
                        fast.r[i],
                        slow.r[i],
                        "r_v",
                    );
                    let mut p = p.clone();
                    p.a[j] += 1.0;
                    let m = entry(&pattern.mass, &here.mass, i, j);
                    let want = own(&p).r[i] - here.r[i];
                    assert!((m - want).abs() < 1e-13 * size, "M: {m} {want}");
                }
                for i in 0..rows {
                    let c_q = entry(&pattern.c_q, &here.c_q, i, j);
                    close(c_q, hi.c[i], lo.c[i], "C_q");
                    close(c_q, fast.cv[i], slow.cv[i], "C_q");
                    close(
                        entry(&pattern.c_q, &here.cv_q, i, j),
                        hi.cv[i],
                        lo.cv[i],
                        "CV_q",
                    );
                }
            }
            for i in 0..count {
                let mut r = -here.force[i];
                for j in 0..count {
                    r += here.mass[i * count + j] * p.a[j];
                }
                for (k, lambda) in lambda.iter().enumerate() {
                    r += here.c_q[k * count + i] * lambda;
                }
                assert!((r - here.r[i]).abs() < 1e-13 * size, "{r} {}", here.r[i]);
            }
            let [hi, lo] = [STEP, -STEP].map(|h| own(&p.after(h)));
            for i in 0..rows {
                let c_q = &here.c_q[i * count..(i + 1) * count];
                let second: f64 = c_q.iter().zip(&p.a).map(|(c, a)| c * a).sum();
                close(second - here.gamma[i], hi.cv[i], lo.cv[i], "gamma");
            }
        }
    }
}

/// What drives a carrier goes into its energy, or is lost in its dampers.
#[test]
fn the_power_of_own_forces_is_the_rate_of_energy() {
    let mut n = Numbers(8);
    for body in [flexible("f", 11), stiffened("s")] {
        let carrier = body.carrier(Rotation::Vectors).expect("behind a map");
        let count = carrier.coordinates().len();
        for _ in 0..4 {
            let p = Point::random(&*carrier, &mut n);
            let mut own = OwnTerms::new(count, 0);
            carrier.own(&p.at(), &[], false, &mut own);
            let driven: f64 = own.r.iter().zip(&p.v).map(|(r, v)| r * v).sum();
            let stored = |p: &Point| {
                let energy = carrier.energy(&p.at());
                energy.kinetic + energy.potential
            };
            let lost = carrier.energy(&p.at()).power;
            let [hi, lo] = [STEP, -STEP].map(|h| stored(&p.after(h)));
            close(driven + lost, hi, lo, "power");
        }
    }
}

/// Forces, energy and mass of a flexible body without lumped inertia are sums over its mass points, of
/// some ten terms of order ten.
#[test]
fn inertia_is_that_of_mass_points() {
    let mut body = flexible("f", 21);
    let Shape::Modal(modal) = &mut body.shape else {
        panic!("{body:?}")
    };
    let modal = Arc::make_mut(modal);
    modal.points.iter_mut().for_each(|p| p.inertia = [0.0; 3]);
    modal.damping_ratio.fill(0.0);
    modal.rayleigh = [0.0; 2];
    let modal = modal.clone();
    let carrier = body.carrier(Rotation::Vectors).unwrap();
    let mut n = Numbers(6);
    for _ in 0..5 {
        let p = Point::random(&*carrier, &mut n);
        let r = matrix(p.orientation);
        let three = |x: &[f64], i: usize| [x[i], x[i + 1], x[i + 2]];
        let (w, wd) = (three(&p.v, 3), three(&p.a, 3));
        let mut want = vec![0.0; 8];
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for point in &modal.points {
            let sum = |x: &[f64]| {
                let [a, b] = [0, 1].map(|k| scaled(point.displacement[k], x[6 + k]));
                add(a, b)
            };
            let u = add(point.place, sum(&p.q));
            let rate = add(cross(w, u), sum(&p.v));
            let swing = add(cross(w, cross(w, u)), scaled(cross(w, sum(&p.v)), 2.0));
            let second = add(add(cross(wd, u), sum(&p.a)), swing);
            let acceleration = add(sub(three(&p.a, 0), GRAVITY), apply(&r, second));
            let force = scaled(acceleration, point.mass);
            let seen = linkwork_mbs::geometry::apply_transposed(&r, force);
            let turn = cross(u, seen);
            for i in 0..3 {
                want[i] += force[i];
                want[3 + i] += turn[i];
            }
            for k in 0..2 {
                want[6 + k] += dot(point.displacement[k], seen);
            }
            let velocity = add(three(&p.v, 0), apply(&r, rate));
            kinetic += 0.5 * point.mass * dot(velocity, velocity);
            let place = add(three(&p.q, 0), apply(&r, u));
            potential -= point.mass * dot(GRAVITY, place);
        }
        for i in 0..2 {
            for j in 0..2 {
                let k = modal.stiffness[2 * i + j];
                want[6 + i] += k * p.q[6 + j];
                potential += 0.5 * k * p.q[6 + i] * p.q[6 + j];
            }
        }
        let mut own = OwnTerms::new(8, 0);
        carrier.own(&p.at(), &[], false, &mut own);
        for (got, want) in own.r.iter().zip(&want) {
            assert!((got - want).abs() < 1e-12, "{got} {want}");
        }
        let energy = carrier.energy(&p.at());
        assert!(
            (energy.kinetic - kinetic).abs() < 1e-12,
            "{} {kinetic}",
            energy.kinetic
        );
        assert!((energy.potential - potential).abs() < 1e-12);
    }
}

/// Sensors on frames behind maps, through controls into forces: all blocks of states and signals.
#[test]
fn signals_of_mapped_frames_have_exact_derivatives() {
    let source = r#"
        [model]
        planar = false
        gravity = [0, 0, -9.81]
        [[body]]
        name = "beam"
        kind = "modal"
        points = [[0, 0, 0], [1, 0, 0.1], [2, 0.1, 0], [1, 0.5, 0]]
        masses = [1, 2, 1, 0.5]
        modes = [[0, 0, 0, 0, 0, -0.3, 0, 0, 0.4, 0, 0.1, 0], [0, 0, 0, 0, 0.2, 0, 0, -0.3, 0, 0, 0, 0.2]]
        mode_rotations = [[0, 0.2, 0, 0, 0.1, 0, 0, -0.4, 0, 0, 0, 0], [0, 0, 0.1, 0, 0, 0, 0, 0, 0.3, 0, 0, 0]]
        stiffness = [400, 900]
        damping_ratio = [0.01, 0.02]
        frames = ["root", "tip"]
        frame_points = [1, 3]
        [[body]]
        name = "load"
        kind = "rigid"
        mass = 2
        inertia = [0.1, 0.2, 0.3]
        position = [2, 0.1, 0]
        [[joint]]
        name = "shaft"
        kind = "revolute"
        body_b = "beam.root"
        at = [0, 0, 0]
        axis = [0, 1, 0]
        [[joint]]
        name = "ball"
        kind = "spherical"
        body_a = "beam.tip"
        body_b = "load"
        at = [2, 0.1, 0]
        [[sensor]]
        name = "swing"
        kind = "angle"
        body_a = "beam.root"
        body_b = "beam.tip"
        axis = [0, 1, 0]
        [[sensor]]
        name = "gap"
        kind = "distance"
        body_a = "beam.tip"
        body_b = "ground"
        at_b = [1, 2, 3]
        at_a = [2, 0.1, 0]
        [[control]]
        name = "lag"
        kind = "filter"
        input = "gap*swing.velocity + beam.tip.omega.y + load.x"
        time = 0.1
        [[force]]
        name = "push"
        kind = "force"
        body_b = "beam.tip"
        x = "lag*gap"
        z = "3*beam.tip.z - swing"
    "#;
    let model = text::read(source).unwrap_or_else(|e| panic!("{e:?}")).model;
    let mut sys = assemble(&model).unwrap();
    let d = sys.facts().dims;
    let mut n = Numbers(5);
    let mut s = State::new(d);
    s.q = sys.facts().guess.clone().q;
    s.q.iter_mut().for_each(|q| *q += 0.1 * n.next());
    for x in (s.v.iter_mut())
        .chain(&mut s.a)
        .chain(&mut s.lambda)
        .chain(&mut s.x)
    {
        *x = n.next();
    }
    let mut blocks = Blocks::new(&sys.facts().patterns);
    sys.linearise(&s.at(), &mut Terms::default(), Parts::ALL, &mut blocks)
        .unwrap();
    let of = |sys: &dyn System, part: Part, i: usize, j: usize| -> f64 {
        let entries = sys.patterns()[part].iter().zip(&blocks[part]);
        let found = entries.filter(|(entry, _)| **entry == (i as u32, j as u32));
        found.map(|(_, x)| x).sum()
    };
    let values = |sys: &mut dyn System, s: &State| {
        let (mut r, mut f) = (vec![0.0; d.nv], vec![0.0; d.nx]);
        let mut want = Terms {
            r: Some(&mut r),
            f: Some(&mut f),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want).unwrap();
        (r, f)
    };
    let mut check =
        |parts: [Part; 2], count: usize, change: &dyn Fn(&dyn System, &mut State, usize, f64)| {
            for j in 0..count {
                let [hi, lo] = [STEP, -STEP].map(|h| {
                    let mut s = s.clone();
                    change(&sys, &mut s, j, h);
                    values(&mut sys, &s)
                });
                for i in 0..d.nv {
                    let want = (hi.0[i] - lo.0[i]) / (2.0 * STEP);
                    let got = of(&sys, parts[0], i, j);
                    assert!(
                        (got - want).abs() < 1e-6 * (1.0 + want.abs()),
                        "{parts:?} {got} {want}"
                    );
                }
                for i in 0..d.nx {
                    let want = (hi.1[i] - lo.1[i]) / (2.0 * STEP);
                    let got = of(&sys, parts[1], i, j);
                    assert!(
                        (got - want).abs() < 1e-6 * (1.0 + want.abs()),
                        "{parts:?} {got} {want}"
                    );
                }
            }
        };
    check([Part::Rq, Part::Fq], d.nv, &|sys, s, j, h| {
        let mut step = vec![0.0; s.q.len()];
        step[j] = h;
        linkwork_dae::chart::advance(sys, &mut s.q, &step);
    });
    check([Part::Rv, Part::Fv], d.nv, &|_, s, j, h| s.v[j] += h);
    check([Part::Rx, Part::Fx], d.nx, &|_, s, j, h| s.x[j] += h);
    // what a copy computes are the same bits
    let mut copy = sys.fork();
    assert_eq!(values(&mut *copy, &s), values(&mut sys, &s));
}

#[test]
fn flexible_bodies_are_checked() {
    let refused = |change: fn(&mut linkwork_mbs::carrier::Modal)| {
        let mut body = flexible("f", 2);
        if let Shape::Modal(modal) = &mut body.shape {
            change(Arc::make_mut(modal));
        }
        let mut model = Model::new("m");
        model.add_body(body);
        assemble(&model).unwrap_err().message
    };
    // a mode that moves the whole body
    let whole = refused(|m| {
        for p in &mut m.points {
            (p.displacement[1], p.rotation[1]) = ([1.0, 0.0, 0.0], [0.0; 3]);
        }
    });
    assert!(
        whole.contains("mode 2 moves no mass, or as the body"),
        "{whole}"
    );
    let skew = refused(|m| m.stiffness[1] = 9.0);
    assert!(skew.contains("symmetric"), "{skew}");
    let nowhere = refused(|m| m.frames[0].1 = 17);
    assert!(nowhere.contains("6 points"), "{nowhere}");
    let mut model = Model::new("m");
    let f = model.add_body(flexible("f", 2));
    model.add_joint("j", BodyRef::GROUND, f.on_frame(7), Spherical::at([0.0; 3]));
    let unknown = assemble(&model).unwrap_err().message;
    assert!(unknown.contains("not in this model"), "{unknown}");
    let mut model = Model::new("m");
    let f = model.add_body(flexible("f", 2));
    model.add_joint(
        "j",
        f.on_frame(1),
        f.on_frame(1),
        Revolute::at([0.0; 3], [0.0, 0.0, 1.0]),
    );
    let itself = assemble(&model).unwrap_err().message;
    assert!(itself.contains("with itself"), "{itself}");
}
