//! Models with rolling and sliding contacts (non-holonomic) against reference solutions.
//!
//! The reference of the discs is the motion in the classical variables of a leaning disc, by an
//! explicit method of order eight with a tolerance of 1e-13; the sleigh has a closed form.

use linkwork::dae::rotation;
use linkwork::mbs::text;
use linkwork::options::Outputs;
use linkwork::{Options, Run, Simulation, Verdict};

const DISC: &str = include_str!("../../linkwork-problems/reference/rolling_disc.csv");
const COIN: &str = include_str!("../../linkwork-problems/reference/rolling_disc_coin.csv");
const SLEIGH: &str = include_str!("../../linkwork-problems/reference/chaplygin_sleigh.csv");

fn run(name: &str, t_end: f64, rows: usize, rtol: f64, scheme: [&str; 2]) -> Run {
    let entry = (linkwork::catalogue::MODELS.iter().find(|m| m.name == name)).unwrap();
    let document = text::read(entry.text).unwrap();
    let mut options = Options {
        t_end: Some(t_end),
        outputs: Some(Outputs::Uniform(rows)),
        ..Options::default()
    };
    options.rtol = Some(rtol);
    options.method = Some(scheme[0].into());
    options.formulation = Some(scheme[1].into());
    let run = Simulation::from_document(&document)
        .unwrap()
        .options(options)
        .run()
        .unwrap();
    let what = format!("{name} {scheme:?}: {:?} {:?}", run.doubts, run.ending);
    assert_eq!(run.verdict, Verdict::Converged, "{what}");
    run
}

fn rows(table: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
    table.lines().skip(1).map(numbers).collect()
}

fn channel(run: &Run, name: &str, at: usize) -> f64 {
    run.channel(name).unwrap_or_else(|| panic!("{name}"))[at]
}

/// theta, w1, w2, w3, xP, yP of a disc of radius `r` whose axis is z of the body.
fn disc(run: &Run, body: &str, r: f64, at: usize) -> [f64; 6] {
    let take = |keys: &[&str], prefix: &str| -> Vec<f64> {
        let one = |k: &&str| channel(run, &format!("{body}.{prefix}{k}"), at);
        keys.iter().map(one).collect()
    };
    let q = take(&["w", "x", "y", "z"], "quaternion.");
    let m = rotation::matrix([q[0], q[1], q[2], q[3]]);
    let omega = take(&["x", "y", "z"], "omega.");
    let spin = rotation::apply(&m, [omega[0], omega[1], omega[2]]);
    let centre = take(&["x", "y"], "");
    let e3 = [m[0][2], m[1][2], m[2][2]];
    let sin = e3[0].hypot(e3[1]);
    let e1 = [-e3[1] / sin, e3[0] / sin, 0.0];
    let e2 = [-e3[2] * e1[1], e3[2] * e1[0], sin];
    let along = |e: [f64; 3]| e[0] * spin[0] + e[1] * spin[1] + e[2] * spin[2];
    [
        sin.atan2(e3[2]),
        along(e1),
        along(e2),
        along(e3),
        centre[0] - r * e2[0],
        centre[1] - r * e2[1],
    ]
}

/// Largest error over all rows of a table, as fractions of the sizes of the six quantities.
fn errors(run: &Run, body: &str, r: f64, table: &str, sizes: [f64; 6]) -> f64 {
    let mut worst = 0.0_f64;
    for (i, row) in rows(table).iter().enumerate() {
        assert!((run.times()[i + 1] - row[0]).abs() < 1e-12);
        let found = disc(run, body, r, i + 1);
        for (k, column) in [2, 4, 5, 6, 7, 8].into_iter().enumerate() {
            worst = worst.max((found[k] - row[column]).abs() / sizes[k]);
        }
    }
    worst
}

/// Ten seconds, forty metres: errors of a few hundred times the tolerance, as the path bends with the
/// error of the heading; energy is kept to the same order. The explicit method of order eight shows
/// that the tables hold to eleven digits.
#[test]
fn a_disc_rolls_as_the_reference_says() {
    for (scheme, rtol, bound) in [
        (["bdf", "ggl"], 1e-9, 5e-6),
        (["bdf", "index3"], 1e-9, 5e-6),
        (["gen-alpha", "ggl"], 1e-8, 1e-3),
        (["dop853", "projected"], 1e-11, 1e-10),
    ] {
        let r = run("rolling_disc", 10.0, 10, rtol, scheme);
        let error = errors(&r, "disc", 1.0, DISC, [1.0, 1.0, 1.0, 4.0, 10.0, 10.0]);
        let energy = r.energy.unwrap();
        println!(
            "{scheme:?}: {error:.1e} {:.1e} steps {}",
            energy.imbalance(),
            r.stats.steps
        );
        assert!(error < bound, "{scheme:?}: {error:.1e}");
        assert!(energy.imbalance().abs() < 10.0 * bound, "{energy:?}");
    }
}

/// Half a second of a wobbling coin: the contact ends at x = 2.00494702e-3, to all these digits with
/// the explicit method.
#[test]
fn a_coin_wobbles_as_the_reference_says() {
    for (scheme, rtol, bound) in [
        (["bdf", "ggl"], 1e-9, 1e-6),
        (["bdf", "index3"], 1e-9, 1e-6),
        (["dop853", "projected"], 1e-11, 1e-10),
    ] {
        let r = run("coin", 0.5, 5, rtol, scheme);
        let sizes = [1.0, 30.0, 30.0, 30.0, 1e-2, 1e-2];
        let error = errors(&r, "coin", 0.01, COIN, sizes);
        let x = disc(&r, "coin", 0.01, 5)[4];
        println!("{scheme:?}: {error:.1e}, x {x:.9e} steps {}", r.stats.steps);
        assert!(error < bound, "{scheme:?}: {error:.1e}");
        assert!((x - 2.00494702e-3).abs() < 1e-11 + 1e-2 * bound, "{x}");
    }
}

/// The sleigh against its closed form, with the path from the table.
#[test]
fn a_sleigh_follows_its_closed_form() {
    for scheme in [["bdf", "ggl"], ["bdf", "index3"]] {
        let table = rows(SLEIGH);
        for row in table.iter().filter(|row| row[0] <= 5.0) {
            let r = run("chaplygin", row[0], 1, 1e-9, scheme);
            let of = |name: &str| channel(&r, name, 1);
            let (sin, cos) = of("sleigh.angle").sin_cos();
            let (vx, vy) = (of("edge.x.velocity"), of("edge.y.velocity"));
            let found = [
                of("edge.x"),
                of("edge.y"),
                of("sleigh.angle"),
                cos * vx + sin * vy,
                of("sleigh.angle.velocity"),
            ];
            for (found, want) in found.iter().zip(&row[1..]) {
                assert!((found - want).abs() < 1e-6, "{scheme:?} {found} {row:?}");
            }
            let slip = -sin * vx + cos * vy;
            assert!(slip.abs() < 1e-8, "{scheme:?}: slip {slip:e}");
        }
    }
}
