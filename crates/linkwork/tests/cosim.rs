//! Co-simulations of the example systems: methods, schemes, threads, accounts, files, mistakes.

mod systems;

use linkwork::cosim::summary::CosimSummary;
use linkwork::cosim::{CosimOptions, CoupledRun, CoupledSystem, Mistake};
use linkwork::dae::cosim::account::Guarantee;
use linkwork::dae::drive::Flow;
use linkwork::{Doubt, Note, Verdict};
use systems::{FACTOR, distance, part, reference, run, system, tolerance, whole};

/// Every kind of integrator can be stopped at macro points, taken back, and go on: one-step,
/// multistep, implicit, explicit. All give the coupling error of the same size.
#[test]
fn every_method_can_take_part() {
    let (text, pairs) = whole("two_mass");
    let exact = reference(&text, 10.0);
    for method in [
        "bdf",
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
        assert!(error < FACTOR * 1e-4, "{method}: {error:e}");
        let steps = run.report.unwrap().accepted;
        assert!((370..410).contains(&steps), "{method}: {steps} macro steps");
    }
}

/// `auto` looks at each part alone, chooses, and says what and why.
#[test]
fn methods_can_be_chosen_for_the_parts() {
    let (text, pairs) = whole("lorry");
    let exact = reference(&text, 2.0);
    let system = system("lorry", &["body.method=auto", "front.method=auto"]);
    let run = run(&system, &tolerance(1e-4));
    let error = distance(&run, &exact, &pairs);
    assert!(error < FACTOR * 1e-4, "{error:e}");
    for (part, note) in ["body", "front"].iter().zip(&run.notes) {
        let start = format!("subsystem `{part}`: chose ");
        assert!(note.to_string().starts_with(&start), "{note}");
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
        assert!(error < FACTOR * 1e-5, "{scheme}: {error:e}");
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    for name in ["chain", "lorry", "servo", "top"] {
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
    assert!(report.largest_error <= 1.0);
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

/// The weaker guarantee is in the account, in a note of the run and, where inputs were off by more than
/// the tolerance, in the verdict: the bump of the lorry comes out of rest, which nobody can foresee.
#[test]
fn forward_only_is_said() {
    let mut options = tolerance(1e-4);
    options.forward_only = Some(true);
    for name in ["two_mass", "lorry"] {
        let run = run(&system(name, &[]), &options);
        let report = run.report.as_ref().unwrap();
        assert_eq!(report.guarantee, Guarantee::ForwardOnly);
        assert_eq!((report.rejected, report.failed), (0, 0));
        assert!(run.notes.contains(&Note::ForwardOnly));
        let summary = CosimSummary::new(&run, &[]).to_json();
        assert!(summary.contains("\"guarantee\":\"forward only\""));
        assert!(summary.contains("\"accumulated_error\":null"));
        assert_eq!(run.verdict == Verdict::Degraded, report.exceeded > 0);
        assert!(report.exceeded > 0 || name != "lorry");
        assert_eq!(
            matches!(run.doubts[..], [Doubt::InputsOff { .. }, ..]),
            report.exceeded > 0
        );
        let limited: u64 = report.connections.iter().map(|c| c.limited).sum();
        assert!(limited > report.accepted / 2, "{limited}");
    }
    // what cannot go back cannot be saved
    options.checkpoint = Some("unused.ckpt".into());
    let refused = system("two_mass", &[]).run(&options, &mut |_, _| Flow::Continue);
    assert_eq!(refused.unwrap_err().option, "checkpoint");
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
        // one at every 0.01 s; the last step may or may not reach 0.4 s
        let rows = part.table.times().len();
        assert!((40..=41).contains(&rows), "{}: {rows}", part.name);
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
            "name = \"spring\"",
            "name = \"end\"",
            10,
            "needs another name",
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
    let model = linkwork::catalogue::system_part("parts/wheel.toml").unwrap();
    let found = mistakes(model);
    assert_eq!(found.len(), 1);
    assert!(found[0].error.message.contains("is a model"), "{found:?}");
    // the plane and space do not mix, nor do their numbers
    let space = [
        ("parts/right_mass.toml", "parts/table.toml"),
        ("right.end", "right.centre"),
    ];
    let mut source = SOUND.to_string();
    for (right, wrong) in space {
        source = source.replacen(right, wrong, 1);
    }
    let found = mistakes(&source);
    assert_eq!(found[0].error.label, "must be like the other");
    assert_eq!(found[0].error.line_column(&source).map(|p| p.0), Some(13));
    let top = linkwork::catalogue::find_system("top").unwrap().text;
    let flat = top.replace(
        "[\"2 kN/m\", \"2 kN/m\", \"2 kN/m\"]",
        "[\"2 kN/m\", \"2 kN/m\"]",
    );
    assert_eq!(
        mistakes(&flat)[0].error.label,
        "must have as many components as the others"
    );
    let start = top.find("stiffness").unwrap();
    let end = top.find("[simulation]").unwrap();
    let flat = format!("{}stiffness = [1, 1]\n{}", &top[..start], &top[end..]);
    assert_eq!(mistakes(&flat)[0].error.label, "expected [x, y, z]");
    // a change that a model does not take is shown where it is written
    let source = SOUND.replacen(
        "left_mass.toml\"",
        "left_mass.toml\"\nset = [\"mass.mas=1\"]",
        1,
    );
    let file = mistakes(&source)[0].file.clone();
    assert!(!file.starts_with("parts/"), "{file}");
    // a mistake in a model is shown in that model
    let mut broken = |word: &str| part(word).map(|(name, text)| (name, text + "\nmas = 1\n"));
    let mistakes = CoupledSystem::read("s", "s.toml", SOUND, &[], &mut broken).err();
    assert_eq!(mistakes.unwrap()[0].file, "parts/left_mass.toml");
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
    // local tolerances beyond rounding: 1e-9^(2/1) with degree 0, 1e-9^(5/4) with degree 3
    for (degree, want) in [(0, Some("rtol")), (3, None)] {
        assert_eq!(
            refused(CosimOptions {
                rtol: Some(1e-9),
                degree: Some(degree),
                t_end: Some(1e-3),
                ..base()
            }),
            want
        );
    }
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

/// A flag stops a run within a macro step that would take some 1e9 micro steps, after one of them; the
/// step does not count.
#[test]
fn a_run_can_be_stopped_within_a_macro_step() {
    let system = system("two_mass", &["joint_spring.stiffness=[1e20, 0]"]);
    let stop = linkwork::observe::StopFlag::default();
    stop.raise();
    let run = system.run_until(&tolerance(1e-4), &stop, &mut |_, _| Flow::Continue);
    let run = run.unwrap();
    assert!(run.stopped && run.failure.is_none(), "{:?}", run.failure);
    assert_eq!(run.t_last, 0.0);
    assert!(run.parts.iter().all(|p| p.stats.steps <= 1));
}

/// A step that is not used, threads that have nothing to do.
#[test]
fn what_has_no_effect_is_not_claimed() {
    let system = system("two_mass", &[]);
    let mut options = CosimOptions {
        step: Some(0.01),
        t_end: Some(0.1),
        threads: Some(100_000),
        ..CosimOptions::default()
    };
    let run = run(&system, &options);
    // two runs of two parts
    assert_eq!(run.settings.plan.threads, 4);
    let summary = CosimSummary::new(&run, &[]).to_json();
    assert!(summary.contains("\"step\":0.01"), "{summary}");
    options.max_step = Some(1e-3);
    let refused = system.run(&options, &mut |_, _| Flow::Continue);
    assert_eq!(refused.unwrap_err().option, "max_step");
}

/// A change of a model that cannot be made is shown where it is written: in the system file.
#[test]
fn changes_of_models_are_shown_in_the_system_file() {
    let text = linkwork::catalogue::find_system("two_mass").unwrap().text;
    let model = "model = \"parts/right_mass.toml\"";
    for set in ["mass.mas=1", "mas.mass=1", "mass.mass=heavy"] {
        let text = text.replace(model, &format!("{model}\nset = [\"{set}\"]"));
        let mistakes = CoupledSystem::read("s", "s.toml", &text, &[], &mut part).err();
        let mistakes = mistakes.unwrap();
        let m = &mistakes[0];
        assert_eq!(m.file, "s.toml", "{m:?}");
        assert!(m.error.message.contains("subsystem `right`"), "{m:?}");
        let place = &text[m.error.span.clone().unwrap()];
        assert!(place.contains(set), "{place}");
    }
}

/// A run that was saved on its way and goes on from the file ends with the same bits as the one that was
/// not interrupted: rows after the checkpoint, macro points, counters. The top is saved in a spin, where
/// the base of its rotation follows the motion; the servo between two sampling instants.
#[test]
fn a_saved_run_goes_on_to_the_last_bit() {
    let file = std::env::temp_dir().join(format!("linkwork-cosim-{}.ckpt", std::process::id()));
    for name in ["top", "servo", "lorry"] {
        let system = system(name, &[]);
        let mut options = tolerance(1e-4);
        options.t_end = Some(0.6);
        let whole = run(&system, &options);
        // stop it in the middle, which saves it
        options.checkpoint = Some(file.clone());
        let mut tell = |share: f64, _| {
            if share > 0.55 {
                Flow::Stop
            } else {
                Flow::Continue
            }
        };
        let half = system.run(&options, &mut tell).unwrap();
        assert!(half.stopped);
        let mut options = tolerance(1e-4);
        options.t_end = Some(0.6);
        options.threads = Some(2);
        options.restart = Some(file.clone());
        let rest = run(&system, &options);
        assert_eq!(rest.restarted_at, Some(half.t_last), "{name}");
        let rows = rest.coupling.times().len();
        assert!(rows > 10);
        let first = whole.coupling.times().len() - rows;
        for (a, b) in whole.coupling.columns().iter().zip(rest.coupling.columns()) {
            assert_eq!(a[first..], b[..], "{name}");
        }
        for (a, b) in whole.parts.iter().zip(&rest.parts) {
            assert_eq!(a.stats, b.stats, "{name}, {}", a.name);
            let first = a.table.times().len() - b.table.times().len();
            assert_eq!(a.table.times()[first..], *b.table.times());
            for (a, b) in a.table.columns().iter().zip(b.table.columns()) {
                assert_eq!(a[first..], b[..], "{name}");
            }
        }
        let counters = |run: &CoupledRun| {
            let r = run.report.as_ref().unwrap();
            let errors = [r.accumulated, r.largest_error].map(f64::to_bits);
            (r.accepted, r.rejected, r.events, errors)
        };
        assert_eq!(counters(&whole), counters(&rest), "{name}");
        assert_eq!(whole.verdict, rest.verdict);
        // another tolerance, another end, another system
        options.rtol = Some(1e-5);
        let why = system
            .run(&options, &mut |_, _| Flow::Continue)
            .unwrap_err();
        assert!(why.message.contains("rtol was 1e-4"), "{}", why.message);
        options.rtol = Some(1e-4);
        let part = &whole.parts[0].name;
        let changed = systems::system(name, &[&format!("{part}.method=gen-alpha")]);
        let why = changed.run(&options, &mut |_, _| Flow::Continue);
        let why = why.unwrap_err().message;
        let words = format!("method of subsystem `{part}` was ");
        assert!(why.contains(&words) && !why.contains('{'), "{why}");
        options.t_end = Some(0.1);
        let why = system
            .run(&options, &mut |_, _| Flow::Continue)
            .unwrap_err();
        assert!(why.message.contains("after the end"), "{}", why.message);
        let other = systems::system("two_mass", &[]);
        let why = other.run(&options, &mut |_, _| Flow::Continue).unwrap_err();
        assert!(
            why.message.contains("the model is not the same"),
            "{}",
            why.message
        );
    }
    std::fs::remove_file(file).unwrap();
}

/// Parameters of a part are changed by its `set` and from outside, as keys of its own parts are.
#[test]
fn parameters_of_parts_can_be_changed() {
    let entry = linkwork::catalogue::find_system("two_mass").unwrap();
    let mut parametric = |word: &str| {
        let (name, text) = part(word)?;
        let text = text.replace("\nmass = 1\n", "\nmass = \"load\"\n");
        Ok((name, format!("[parameters]\nload = 7\n{text}")))
    };
    let mut end = |text: &str, set: &[&str]| {
        let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
        let system = CoupledSystem::read("two_mass", "two_mass", text, &set, &mut parametric);
        system.map(|system| {
            let run = run(&system, &tolerance(1e-4));
            let end = run.channel("left", "mass.x").expect("it is there");
            end.to_vec()
        })
    };
    let plain = end(entry.text, &["left.mass.mass=3"]).unwrap();
    assert_eq!(end(entry.text, &["left.load=3"]).unwrap(), plain);
    assert_eq!(end(entry.text, &["left.load=3 kg"]).unwrap(), plain);
    assert_ne!(end(entry.text, &[]).unwrap(), plain);
    let model = "model = \"parts/left_mass.toml\"";
    let inside = entry
        .text
        .replace(model, &format!("{model}\nset = [\"load=3\"]"));
    assert_eq!(end(&inside, &[]).unwrap(), plain);
    let mistakes = end(entry.text, &["left.laod=3"]).unwrap_err();
    let e = &mistakes[0].error;
    assert!(e.message.starts_with("subsystem `left`: "), "{e:?}");
    assert_eq!(e.help.as_deref(), Some("did you mean `load`?"));
}
