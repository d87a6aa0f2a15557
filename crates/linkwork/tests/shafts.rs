//! Models of shafts, platforms and straight lines against closed forms.

use linkwork::kinematics::kinematics;
use linkwork::mbs::text::{self, Document};
use linkwork::{Options, Run, Simulation, Verdict};

fn document(name: &str) -> Document {
    let entry = (linkwork::catalogue::MODELS.iter().find(|m| m.name == name)).unwrap();
    text::read(entry.text).unwrap()
}

fn run(document: &Document, rtol: f64) -> Run {
    let options = Options::new().rtol(rtol);
    let run = Simulation::from_document(document)
        .unwrap()
        .options(options)
        .run()
        .unwrap();
    let what = format!("{:?} {:?}", run.doubts, run.ending);
    assert_eq!(run.verdict, Verdict::Converged, "{what}");
    run
}

fn channel<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.channel(name).unwrap_or_else(|| panic!("{name}"))
}

/// Between the two joints `cos b / (1 - sin(b)^2 sin(phi)^2)`, behind them as before: three turns.
#[test]
fn a_cardan_shaft_is_uneven_only_between_its_joints() {
    let r = run(&document("cardan_shaft"), 1e-8);
    let (sin2, cos) = (0.25, 0.75_f64.sqrt());
    let (t, before) = (r.times(), channel(&r, "before"));
    let (middle, after) = (
        channel(&r, "middle.velocity"),
        channel(&r, "after.velocity"),
    );
    let turned = channel(&r, "after");
    let mut range = [f64::MAX, f64::MIN];
    for i in 0..t.len() {
        let phi = 10.0 * t[i];
        assert!((before[i] - phi).abs() < 1e-7);
        let want = 10.0 * cos / (1.0 - sin2 * phi.sin().powi(2));
        assert!(
            (middle[i] - want).abs() < 1e-5,
            "{}: {} {want}",
            t[i],
            middle[i]
        );
        assert!((after[i] - 10.0).abs() < 1e-5 && (turned[i] - phi).abs() < 1e-6);
        range = [range[0].min(middle[i]), range[1].max(middle[i])];
    }
    // the unevenness is really there
    assert!(range[0] < 8.67 && range[1] > 11.5, "{range:?}");
}

/// Steady precession of the level axle, `m g l / (C spin)`, over one turn; fast spin leaves errors
/// of a hundred times the tolerance.
#[test]
fn a_gyroscope_precesses_at_the_known_rate() {
    let r = run(&document("gyroscope"), 1e-7);
    let rate = 0.5 * 9.81 * 0.1 / (6.25e-4 * 200.0);
    let (angle, tilt) = (channel(&r, "precession"), channel(&r, "tilt"));
    for (i, t) in r.times().iter().enumerate() {
        assert!((angle[i] - rate * t).abs() < 1e-4, "{t}: {}", angle[i]);
        assert!(tilt[i].abs() < 1e-4, "{t}: {}", tilt[i]);
    }
}

/// The straight line is exact: what is left is the closing of the joints.
#[test]
fn peaucellier_draws_a_straight_line() {
    let mut simulation = Simulation::from_document(&document("peaucellier")).unwrap();
    let r = kinematics(&mut simulation, &mut |_| true).unwrap();
    assert_eq!(r.verdict, Verdict::Converged, "{:?}", r.doubts);
    let (x, y) = (channel(&r, "P.x"), channel(&r, "P.y"));
    assert!(x.iter().all(|x| (x - 0.525).abs() < 1e-12));
    let reach = y.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
    let want = 0.525 * 0.55_f64.tan();
    assert!((reach - want).abs() < 1e-3, "{reach} {want}");
}

/// Equal legs lift the platform straight up: a leg has the length
/// `sqrt(z^2 + R^2 + r^2 - 2 R r cos(40 deg))`.
#[test]
fn a_stewart_platform_rises_level() {
    let mut simulation = Simulation::from_document(&document("stewart")).unwrap();
    let r = kinematics(&mut simulation, &mut |_| true).unwrap();
    assert_eq!(r.verdict, Verdict::Converged, "{:?}", r.doubts);
    let foot = 1.0 + 0.36 - 1.2 * 40.0_f64.to_radians().cos();
    let length = (1.44 + foot).sqrt();
    let of = |name: &str| channel(&r, &format!("platform.{name}"));
    let mut tilted = 0.0_f64;
    for (i, &t) in r.times().iter().enumerate() {
        if t > 1.0 {
            tilted = tilted.max(of("quaternion.w")[i].abs().acos());
            continue;
        }
        let rise = 0.15 * t.powi(3) * (10.0 - 15.0 * t + 6.0 * t * t);
        let want = ((length + rise).powi(2) - foot).sqrt();
        assert!(
            (of("z")[i] - want).abs() < 1e-11,
            "{t}: {} {want}",
            of("z")[i]
        );
        assert!(of("x")[i].abs() < 1e-11 && of("y")[i].abs() < 1e-11);
        assert!((of("quaternion.w")[i].abs() - 1.0).abs() < 1e-12);
    }
    assert!(tilted > 0.02, "{tilted}");
}

/// Thirteen bodies, six joints of 4, 5 and 3 equations each: without the drives six freedoms stay.
#[test]
fn a_stewart_platform_without_drives_has_six_freedoms() {
    let entry = (linkwork::catalogue::MODELS
        .iter()
        .find(|m| m.name == "stewart"))
    .unwrap();
    let blocks = entry.text.split("[[joint]]");
    let passive: Vec<&str> = blocks.filter(|b| !b.contains("name = \"drive")).collect();
    assert_eq!(passive.len(), 1 + 18);
    let document = text::read(&passive.join("[[joint]]")).unwrap();
    let options = Options {
        t_end: Some(1e-3),
        ..Options::default()
    };
    let mut simulation = Simulation::from_document(&document)
        .unwrap()
        .options(options);
    let start = simulation.run().unwrap().start.unwrap();
    assert_eq!(start.dof, 6);
}
