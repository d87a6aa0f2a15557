//! Wrong results are found by computing them once more, right ones are not accused.

use linkwork::dae::residual::{Blackbox, Residual};
use linkwork::dae::system::{At, Dims, Guess};
use linkwork::verify::verify;
use linkwork::{Doubt, Options, Run, Simulation, Verdict};

fn verified(text: &str, options: Options) -> Run {
    let document = linkwork::mbs::text::read(text).unwrap();
    let mut run = Simulation::from_document_with(&document, options)
        .unwrap()
        .run()
        .unwrap();
    let mut make = |o: &Options| Simulation::from_document_with(&document, o.clone());
    verify(&mut run, &mut make, &mut ());
    run
}

fn model(name: &str) -> String {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn an_accurate_run_is_confirmed() {
    let run = verified(&model("peaucellier"), Options::new().rtol(1e-6));
    assert_eq!(run.verdict, Verdict::Converged, "{:?}", run.doubts);
    let found = run.verification.unwrap();
    assert!(
        found.digits > 3.5 && found.tolerances.unwrap() < 100.0,
        "{found:?}"
    );
    assert!(found.companion.contains("joint coordinates"), "{found:?}");
    assert!(found.work < 1.6, "{found:?}");
    assert_eq!(found.rows, run.table.times().len());
}

#[test]
fn a_loose_run_is_found_out() {
    let run = verified(&model("four_bar"), Options::new().rtol(1e-3));
    assert_eq!(run.verdict, Verdict::Degraded);
    assert!(
        run.doubts
            .iter()
            .any(|d| matches!(d, Doubt::Disagrees { end_error, .. } if *end_error > 0.01)),
        "{:?}",
        run.doubts
    );
}

#[test]
fn chaos_is_called_chaos() {
    let text = r#"
[model]
gravity = [0, -9.81]

[[body]]
name = "upper"
mass = 1
inertia = 0.083
position = [0.5, 0]

[[body]]
name = "lower"
mass = 1
inertia = 0.083
position = [1, 0.5]
angle = "90 deg"

[[joint]]
name = "shoulder"
kind = "revolute"
body_b = "upper"
at = [0, 0]

[[joint]]
name = "elbow"
kind = "revolute"
body_a = "upper"
body_b = "lower"
at = [1, 0]

[simulation]
t_end = 20
"#;
    let run = verified(text, Options::new().rtol(1e-8));
    let chaotic = run.doubts.iter().find_map(|d| match d {
        Doubt::Chaotic { rate, horizon } => Some((*rate, *horizon)),
        _ => None,
    });
    let (rate, horizon) =
        chaotic.unwrap_or_else(|| panic!("{:?} {:?}", run.doubts, run.verification));
    assert!((0.5..10.0).contains(&rate), "{rate}");
    assert!((2.0..20.0).contains(&horizon), "{horizon}");
}

/// A mass at rest with a pulse that nobody has declared.
#[derive(Clone)]
struct Hidden;

impl Residual for Hidden {
    fn dims(&self) -> Dims {
        Dims {
            nq: 1,
            nv: 1,
            ..Dims::default()
        }
    }
    fn start(&self) -> Guess {
        Guess::at(&[0.0], &[0.0])
    }
    fn residual(&self, at: &At<'_>, r: &mut [f64]) {
        let x = (at.t - 6.2) / 0.08;
        r[0] = at.a[0] - 40.0 * (-x * x).exp();
    }
}

#[test]
fn a_pulse_that_was_leapt_over_is_found() {
    let make =
        |o: &Options| Ok(Simulation::new(Box::new(Blackbox::new(Hidden))).options(o.clone()));
    let mut leapt = 0;
    for method in ["bdf", "adams", "dop853", "dopri5", "gen-alpha"] {
        let mut run = make(&Options::new().t_end(10.0).method(method))
            .unwrap()
            .run()
            .unwrap();
        let end = *run.channel("q1").unwrap().last().unwrap();
        if end.abs() > 1e-3 {
            continue;
        }
        leapt += 1;
        assert_eq!(run.verdict, Verdict::Converged, "{method}");
        verify(&mut run, &mut { make }, &mut ());
        assert_eq!(
            run.verdict,
            Verdict::Degraded,
            "{method}: {:?}",
            run.verification
        );
    }
    assert!(leapt > 0, "nothing was leapt over");
}
