//! Example systems against single models of the same, by tolerance, and what a co-simulation tells.

mod systems;

use linkwork::Verdict;
use linkwork::cosim::{CosimOptions, CoupledSystem, Mistake};
use linkwork::dae::cosim::account::Guarantee;
use linkwork::dae::drive::Flow;
use systems::{distance, part, reference, run, system, tolerance, whole};

/// Largest distance from the whole, over all kept points, positions and rates relative to their
/// size, in tolerances. Local errors of 1 tolerance each add up over the macro steps, and the motion
/// of the chain amplifies them.
const FACTORS: [(&str, f64); 4] = [
    ("two_mass", 60.0),
    ("lorry", 15.0),
    ("servo", 1.0),
    ("chain", 400.0),
];

#[test]
fn examples_agree_with_single_models() {
    for (name, factor) in FACTORS {
        let (text, pairs) = whole(name);
        let system = system(name, &[]);
        let exact = reference(&text, system.options().t_end.unwrap());
        for rtol in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            let run = run(&system, &tolerance(rtol));
            let error = distance(&run, &exact, &pairs);
            assert_eq!(
                run.verdict,
                Verdict::Converged,
                "{name} {rtol:e}: {:?}",
                run.doubts
            );
            assert!(error < factor * rtol, "{name} {rtol:e}: {error:e}");
        }
    }
}

/// Interpolation and the other degrees solve the same problem.
#[test]
fn approaches_and_degrees_agree() {
    for (name, factor) in [("two_mass", 60.0), ("lorry", 15.0)] {
        let (text, pairs) = whole(name);
        let system = system(name, &[]);
        let exact = reference(&text, system.options().t_end.unwrap());
        for (approach, degree) in [
            ("extrapolation", 3),
            ("interpolation", 2),
            ("interpolation", 3),
        ] {
            let mut options = tolerance(1e-5);
            options.approach = Some(approach.into());
            options.degree = Some(degree);
            let error = distance(&run(&system, &options), &exact, &pairs);
            assert!(
                error < factor * 1e-5,
                "{name} {approach} {degree}: {error:e}"
            );
        }
    }
}

/// Every kind of integrator can be stopped at macro points, taken back, and go on: one-step,
/// multistep, implicit, explicit. All give the coupling error of the same size.
#[test]
fn every_method_can_take_part() {
    let (text, pairs) = whole("two_mass");
    let exact = reference(&text, 10.0);
    for method in [
        "bdf",
        "ndf",
        "bdf-quasi",
        "gen-alpha",
        "hht",
        "newmark",
        "dopri5",
        "dop853",
        "adams",
        "rock4",
        "rkc2",
    ] {
        let set = [
            format!("left.method={method}"),
            format!("right.method={method}"),
        ];
        let system = system("two_mass", &[&set[0], &set[1]]);
        let run = run(&system, &tolerance(1e-4));
        let error = distance(&run, &exact, &pairs);
        assert!(run.failure.is_none(), "{method}: {:?}", run.failure);
        assert!(error < 60.0 * 1e-4, "{method}: {error:e}");
        let steps = run.report.unwrap().accepted;
        assert!((170..200).contains(&steps), "{method}: {steps} macro steps");
    }
}

/// The way in which the sides are driven changes the steps, not the answer.
#[test]
fn schemes_agree() {
    let (text, pairs) = whole("two_mass");
    let exact = reference(&text, 10.0);
    for scheme in ["force/force", "force/displacement", "displacement/force"] {
        let set = format!("joint_spring.scheme={scheme}");
        let run = run(&system("two_mass", &[&set]), &tolerance(1e-5));
        let error = distance(&run, &exact, &pairs);
        assert!(error < 60.0 * 1e-5, "{scheme}: {error:e}");
    }
}

#[test]
fn adaptive_steps_beat_the_best_constant_one() {
    let (text, pairs) = whole("lorry");
    let system = system("lorry", &[]);
    let exact = reference(&text, 2.0);
    let adaptive = run(&system, &tolerance(1e-4));
    let steps = adaptive.report.as_ref().unwrap().accepted as usize;
    let error = distance(&adaptive, &exact, &pairs);
    // as many constant steps as it took attempts are less accurate
    let attempts = adaptive.report.as_ref().unwrap().steps.len();
    let mut options = tolerance(1e-4);
    options.step = Some(2.0 / attempts as f64);
    let constant = distance(&run(&system, &options), &exact, &pairs);
    assert!(
        constant > 1.5 * error,
        "{steps} steps: {error:e}, constant {constant:e}"
    );
}

#[test]
fn threads_do_not_change_a_bit() {
    for name in ["chain", "lorry", "servo"] {
        let system = system(name, &[]);
        let mut options = tolerance(1e-4);
        options.t_end = Some(0.4);
        let one = run(&system, &options);
        options.threads = Some(2);
        let two = run(&system, &options);
        assert_eq!(one.coupling, two.coupling, "{name}");
        for (a, b) in one.parts.iter().zip(&two.parts) {
            assert_eq!(a.table, b.table, "{name}, {}", a.name);
            assert_eq!(a.stats, b.stats, "{name}, {}", a.name);
        }
    }
}

#[test]
fn accounts_are_kept() {
    let run = run(&system("chain", &[]), &tolerance(1e-4));
    let report = run.report.as_ref().unwrap();
    assert_eq!(report.guarantee, Guarantee::Estimated);
    assert!(report.largest_error() <= 1.0);
    let accepted = report.steps.iter().filter(|s| s.accepted).count() as u64;
    assert_eq!(accepted, report.accepted);
    for account in &report.connections {
        let residual = account.energy_residual.unwrap();
        assert!(residual.abs() <= account.energy_scatter);
        assert!(
            account.energy_scatter < 1e-3 * account.energy_through,
            "{account:?}"
        );
        assert!(account.largest_defect < 1e-2 && account.mean_defect < account.largest_defect);
    }
    let limited: u64 = report.members.iter().map(|m| m.limited).sum();
    assert_eq!(limited, report.steps.len() as u64 - report.failed);
    assert!(
        report
            .members
            .iter()
            .all(|m| m.micro_steps > 0 && m.seconds > 0.0)
    );
    // what the parts know of their energy must balance with the work of the cuts
    for part in &run.parts {
        let energy = part.energy.unwrap();
        assert!(
            energy.imbalance().abs() < 1e-4 * energy.exchanged,
            "{}",
            part.name
        );
    }
}

#[test]
fn forward_only_is_said() {
    let mut options = tolerance(1e-4);
    options.forward_only = Some(true);
    let run = run(&system("two_mass", &[]), &options);
    assert_eq!(
        run.report.as_ref().unwrap().guarantee,
        Guarantee::ForwardOnly
    );
    assert!(
        run.notes
            .iter()
            .any(|n| n.contains("coupling variables alone"))
    );
}

/// A formula that loses its value at 0.4 s: the part is named with its time, and the rows before are
/// there.
#[test]
fn a_part_that_fails_is_named_and_results_are_kept() {
    let source = r#"
        [[subsystem]]
        name = "left"
        model = "parts/left_mass.toml"
        [[subsystem]]
        name = "weak"
        model = "weak"
        [[element]]
        name = "spring"
        kind = "bushing"
        port_a = "left.end"
        port_b = "weak.end"
        stiffness = [4, 0]
        [simulation]
        t_end = 1
        outputs = 100
    "#;
    let weak = r#"
        [model]
        length = 1
        [[body]]
        name = "mass"
        kind = "point"
        mass = 1
        [[force]]
        name = "pull"
        kind = "force"
        body_b = "mass"
        x = "sqrt(0.4 - t)"
        [[sensor]]
        name = "end"
        kind = "point"
        body = "mass"
    "#;
    let mut load = |word: &str| match word {
        "weak" => Ok((word.to_string(), weak.to_string())),
        word => part(word),
    };
    let system = CoupledSystem::read("s", "s.toml", source, &[], &mut load)
        .unwrap_or_else(|e| panic!("{e:?}"));
    let run = systems::run(&system, &CosimOptions::default());
    assert_eq!(run.verdict, Verdict::Failed);
    let why = run.failure.unwrap();
    assert!(why.cause.contains("subsystem `weak`"), "{}", why.cause);
    assert!(
        why.cause.contains("pull") || why.cause.contains("mass"),
        "{}",
        why.cause
    );
    assert!(run.t_last > 0.39 && run.t_last <= 0.4, "{}", run.t_last);
    for part in &run.parts {
        assert_eq!(part.table.times().len(), 40, "{}", part.name);
    }
}

fn mistakes(source: &str) -> Vec<Mistake> {
    match CoupledSystem::read("s", "s.toml", source, &[], &mut part) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes,
    }
}

const SOUND: &str = r#"[[subsystem]]
name = "left"
model = "parts/left_mass.toml"

[[subsystem]]
name = "right"
model = "parts/right_mass.toml"

[[element]]
name = "spring"
kind = "spring_damper"
port_a = "left.end"
port_b = "right.end"
stiffness = 4

[simulation]
t_end = 1
"#;

/// Every mistake names what is wrong, points at its line, and offers the nearest right word.
#[test]
fn mistakes_point_at_their_place() {
    assert!(mistakes(SOUND).is_empty());
    let cases = [
        (
            "stiffness = 4",
            "stifness = 4",
            14,
            "did you mean `stiffness`?",
        ),
        ("\"left.end\"", "\"left.ned\"", 12, "did you mean `end`?"),
        (
            "\"right.end\"",
            "\"rihgt.end\"",
            13,
            "did you mean `right`?",
        ),
        (
            "\"right.end\"",
            "\"left.end\"",
            13,
            "must belong to another one",
        ),
        (
            "spring_damper",
            "spring_dmper",
            11,
            "did you mean `spring_damper`?",
        ),
        (
            "[simulation]",
            "[simulaton]",
            16,
            "did you mean `simulation`?",
        ),
        (
            "t_end = 1",
            "t_end = 1\ndegre = 2",
            18,
            "did you mean `degree`?",
        ),
        (
            "name = \"spring\"",
            "name = \"left\"",
            10,
            "used again here",
        ),
        (
            "parts/left_mass.toml",
            "parts/left_mas.toml",
            3,
            "cannot be read",
        ),
        (
            "stiffness = 4",
            "stiffness = 4\nscheme = \"force/forc\"",
            15,
            "did you mean `force/force`?",
        ),
    ];
    for (right, wrong, line, label) in cases {
        let source = SOUND.replacen(right, wrong, 1);
        let found = mistakes(&source);
        let first = found
            .first()
            .unwrap_or_else(|| panic!("{wrong} is accepted"));
        let place = first.error.line_column(&source).map(|p| p.0);
        assert_eq!(place, Some(line), "{wrong}: {first:?}");
        assert_eq!(first.error.label, label, "{wrong}: {first:?}");
    }
    // a mistake in a model is shown in that model
    let source = SOUND.replacen(
        "left_mass.toml\"",
        "left_mass.toml\"\nset = [\"mass.mas=1\"]",
        1,
    );
    assert_eq!(mistakes(&source)[0].file, "parts/left_mass.toml");
}

#[test]
fn inputs_must_be_connected_once() {
    let servo = linkwork::catalogue::find_system("servo").unwrap().text;
    let cut = servo.find("[[signal]]\nname = \"command\"").unwrap();
    let end = servo.find("[simulation]").unwrap();
    let open = format!("{}{}", &servo[..cut], &servo[end..]);
    let found = mistakes(&open);
    assert_eq!(
        found[0].error.message,
        "the input `plant.command` is not connected"
    );
    let twice = servo.replace(
        "[simulation]",
        "[[signal]]\nname = \"again\"\nfrom = \"plant.swing\"\nto = \"plant.command\"\n[simulation]",
    );
    assert!(
        mistakes(&twice)[0]
            .error
            .message
            .contains("is fed by `command` and by `again`")
    );
    let missing = servo.replace("plant.swing", "plant.sving");
    assert_eq!(mistakes(&missing)[0].error.label, "did you mean `swing`?");
}

#[test]
fn options_are_checked() {
    let system = system("two_mass", &[]);
    let refused = |options: CosimOptions| {
        let run = system.run(&options, &mut |_, _| Flow::Continue);
        run.err().map(|e| e.option)
    };
    let base = CosimOptions::default;
    assert_eq!(
        refused(CosimOptions {
            degree: Some(4),
            ..base()
        }),
        Some("degree")
    );
    assert_eq!(
        refused(CosimOptions {
            micro: Some(0.5),
            ..base()
        }),
        Some("micro")
    );
    assert_eq!(
        refused(CosimOptions {
            rtol: Some(0.0),
            ..base()
        }),
        Some("rtol")
    );
    assert_eq!(
        refused(CosimOptions {
            t_end: Some(-1.0),
            ..base()
        }),
        Some("t_end")
    );
    assert_eq!(
        refused(CosimOptions {
            threads: Some(0),
            ..base()
        }),
        Some("threads")
    );
}

/// A watcher may stop the run; what it has is kept.
#[test]
fn a_run_can_be_stopped() {
    let system = system("two_mass", &[]);
    let mut tell = |share: f64, _| {
        if share > 0.5 {
            Flow::Stop
        } else {
            Flow::Continue
        }
    };
    let run = system.run(&tolerance(1e-4), &mut tell).unwrap();
    assert!(run.stopped && run.verdict == Verdict::Degraded);
    assert!(run.t_last > 5.0 && run.t_last < 5.2, "{}", run.t_last);
    assert!(run.parts[0].table.times().len() > 100);
}
