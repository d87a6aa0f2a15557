//! Mechanisms in joint coordinates: blocks against differences, motion and reactions against the same
//! model in absolute coordinates, trees in words.

// Published values keep their published digits.
#![allow(clippy::excessive_precision)]

mod frames;
mod jointed;
mod mechanism;

use frames::Numbers;
use jointed::{PLANAR, models, points, random_state, stewart, values};
use linkwork_dae::chart;
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::system::{Blocks, EnergyAccount, Inputs, Part, Parts, Row, System, Terms};
use linkwork_mbs::tree::{Explicit, JointCoordinates};
use linkwork_mbs::{Model, assemble, text};
use mechanism::{accelerate, squeezer};

fn column(sys: &dyn System, blocks: &Blocks, part: Part, rows: usize, j: usize) -> Vec<f64> {
    let mut out = vec![0.0; rows];
    for (&(i, k), x) in sys.patterns()[part].iter().zip(&blocks[part]) {
        if k as usize == j {
            out[i as usize] += x;
        }
    }
    out
}

/// Central differences with 1e-6 lose half the digits: 1e-7 of the largest entry is expected.
#[test]
fn blocks_equal_differences() {
    for (name, model) in models() {
        let mut sys = JointCoordinates::new(&model, &[]).expect(name);
        check_blocks(name, &mut sys);
        if name.starts_with("flexible") {
            continue;
        }
        let mut explicit = Explicit::new(sys).expect(name);
        let system: &mut dyn System = &mut explicit;
        let form = system.stage_form_mut().expect("explicit");
        check_blocks(&format!("{name}, explicit"), form);
    }
}

fn check_blocks(name: &str, sys: &mut dyn System) {
    const H: f64 = 1e-6;
    let d = sys.dims();
    let mut n = Numbers(3);
    for round in 0..3 {
        let s = random_state(sys, &mut n);
        let mut blocks = Blocks::new(sys.patterns());
        let none = &mut Terms::default();
        sys.linearise(&s.at(), none, Parts::ALL, &mut blocks)
            .expect(name);
        let check = |exact: &[f64], high: &[f64], low: &[f64], what: &str| {
            let size = (exact.iter().chain(high)).fold(1.0f64, |m, x| m.max(x.abs()));
            for (i, x) in exact.iter().enumerate() {
                let difference = (high[i] - low[i]) / (2.0 * H);
                let error = (difference - x).abs();
                assert!(
                    error < 2e-7 * size,
                    "{name}, {round}: {what} in row {i}: {x} but {difference}"
                );
            }
        };
        for j in 0..d.nv {
            let moved = |sys: &mut dyn System, h: f64, which: usize| {
                let mut m = s.clone();
                match which {
                    0 => {
                        let mut d = vec![0.0; d.nv];
                        d[j] = h;
                        chart::advance(sys, &mut m.q, &d);
                    }
                    1 => m.v[j] += h,
                    _ => m.a[j] += h,
                }
                values(sys, &m)
            };
            let what = sys.describe(Row::Position(j));
            let of = |part, rows| column(sys, &blocks, part, rows, j);
            let by_q = [of(Part::Rq, d.nv), of(Part::CVq, d.rows())];
            let [f_q, f_v] = [of(Part::Fq, d.nx), of(Part::Fv, d.nx)];
            let mut c_q = of(Part::Cq, d.rows());
            let by_v = of(Part::Rv, d.nv);
            let by_a = of(Part::Mass, d.nv);
            let (high, low) = (moved(sys, H, 0), moved(sys, -H, 0));
            check(&by_q[0], &high.r, &low.r, &format!("K by {what}"));
            check(&by_q[1], &high.cv, &low.cv, &format!("(C_q v)_q by {what}"));
            check(&f_q, &high.f, &low.f, &format!("f_q by {what}"));
            let (high_v, low_v) = (moved(sys, H, 1), moved(sys, -H, 1));
            check(&by_v, &high_v.r, &low_v.r, &format!("D by {what}"));
            check(&c_q, &high_v.cv, &low_v.cv, &format!("C_q by {what}"));
            check(&f_v, &high_v.f, &low_v.f, &format!("f_v by {what}"));
            c_q.truncate(d.nc);
            check(&c_q, &high.c, &low.c, &format!("C_q of C by {what}"));
            let (high, low) = (moved(sys, H, 2), moved(sys, -H, 2));
            check(&by_a, &high.r, &low.r, &format!("M by {what}"));
        }
        for j in 0..d.nx {
            let mut moved = |h: f64| {
                let mut m = s.clone();
                m.x[j] += h;
                values(sys, &m)
            };
            let (high, low) = (moved(H), moved(-H));
            let of = |part, rows| column(sys, &blocks, part, rows, j);
            check(&of(Part::Rx, d.nv), &high.r, &low.r, "r_x");
            check(&of(Part::Fx, d.nx), &high.f, &low.f, "f_x");
        }
        for j in 0..d.rows() {
            let mut moved = |h: f64| {
                let mut m = s.clone();
                m.lambda[j] += h;
                values(sys, &m)
            };
            let (high, low) = (moved(H), moved(-H));
            let mut r_l = column(sys, &blocks, Part::Rl, d.nv, j);
            if !sys.patterns().whole_r_l {
                for (&(i, k), x) in sys.patterns()[Part::Cq].iter().zip(&blocks[Part::Cq]) {
                    r_l[k as usize] += if i as usize == j { *x } else { 0.0 };
                }
            }
            check(&r_l, &high.r, &low.r, "r by lambda");
        }
    }
}

/// Every output of the same state is the same to rounding, reactions of the joints of the tree and of
/// loops included: 1e-9 of the largest value, since the pivots of nearly touching forces lose digits.
#[test]
fn motion_and_reactions_are_those_of_absolute_coordinates() {
    for (name, model) in models() {
        let mut joint = JointCoordinates::new(&model, &[]).expect(name);
        let mut absolute = assemble(&model).expect(name);
        assert_eq!(joint.facts().channels, absolute.facts().channels, "{name}");
        let mut n = Numbers(11);
        for _ in 0..3 {
            let mut s = random_state(&joint, &mut n);
            if joint.facts().dims.nc > 0 {
                // loops are only closed at the start
                s.q = joint.facts().guess.q.clone();
                s.t = joint.facts().guess.t;
            }
            accelerate(&mut joint, &mut s);
            let mut same = joint.absolute(&s).clone();
            accelerate(&mut absolute, &mut same);
            let mut out = [(); 2].map(|()| vec![0.0; absolute.facts().channels.len()]);
            joint.observe(&s, &mut out[0]);
            absolute.observe(&same, &mut out[1]);
            let size = out[1].iter().fold(1.0f64, |m, x| m.max(x.abs()));
            for (k, channel) in absolute.facts().channels.iter().enumerate() {
                let error = (out[0][k] - out[1][k]).abs();
                assert!(
                    error < 1e-9 * size,
                    "{name}, {}: {} but {}",
                    channel.name,
                    out[0][k],
                    out[1][k]
                );
            }
            let [a, b] = [joint.energy(&s), absolute.energy(&same)].map(Option::unwrap);
            assert!((a.kinetic - b.kinetic).abs() < 1e-10 * b.kinetic, "{name}");
            assert!((a.power - b.power).abs() < 1e-8 * size, "{name}");
        }
    }
}

/// Counted by hand.
#[test]
fn trees_in_words() {
    let outline = |model: &Model, cut: &[String]| {
        let system = JointCoordinates::new(model, cut).expect("sound");
        system.outline()
    };
    // seven angles; ten hinges, seven of which carry a body
    let o = outline(&squeezer(), &[]);
    assert_eq!((o.coordinates, o.constraints), (7, 6));
    let names: Vec<&str> = o.cut.iter().map(|c| c.0.as_str()).collect();
    assert_eq!(names, ["e3", "e4", "e6"]);
    let o = outline(&squeezer(), &["b".into(), "a5".into(), "a7".into()]);
    assert_eq!((o.coordinates, o.constraints), (7, 6));
    let names: Vec<&str> = o.cut.iter().map(|c| c.0.as_str()).collect();
    assert_eq!(names, ["b", "a5", "a7"]);
    // hinge, guide, elbow; a body and a point that float; two rods and a drive
    let o = outline(&text::read(PLANAR).expect("sound").model, &[]);
    assert_eq!((o.coordinates, o.constraints), (3 + 3 + 2, 3));
    // two and one for each leg, three of the ball that carries the platform; five balls are cut
    let o = outline(&stewart(), &[]);
    assert_eq!((o.coordinates, o.constraints), (6 * 3 + 3, 5 * 3));
    // balls hold points: an angle of the arm, six freedoms of the rod, an angle of the plate, one ball cut
    let o = outline(&points(), &[]);
    assert_eq!((o.coordinates, o.constraints), (1 + 6 + 1, 3));
    let e = JointCoordinates::new(&squeezer(), &["g7".into()]).err();
    assert_eq!(
        e.map(|e| e.message),
        Some("there is no joint `g7` to cut".into())
    );
}

/// Signals from outside reach the assembly.
#[test]
fn inputs_are_those_of_the_model() {
    let push = "[[control]]\nname = \"push\"\nkind = \"input\"\n\
                [[force]]\nname = \"pushed\"\nkind = \"torque\"\nbody_b = \"a\"\ntorque = \"push\"\n";
    let model = text::read(&format!("{PLANAR}{push}")).expect("sound").model;
    let mut sys = JointCoordinates::new(&model, &[]).expect("sound");
    assert_eq!(
        sys.facts().inputs,
        assemble(&model).expect("sound").facts().inputs
    );
    assert_eq!(sys.facts().inputs, ["push"]);
    let s = random_state(&sys, &mut Numbers(1));
    let before = values(&mut sys, &s).r;
    sys.set_input(0, &Polynomial::constant(2.0));
    let after = values(&mut sys, &s).r;
    // a torque on the first body works on the angle of its hinge
    assert!((before[0] - after[0] - 2.0).abs() < 1e-12);
}
