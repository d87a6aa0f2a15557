//! Whole runs of a small system: results, verdicts, failures, files.

mod pendulum;

use linkwork::Ending;
use linkwork::dae::drive::{Flow, Observer, ObserverError, View};
use linkwork::dae::formulation::FORMULATIONS;
use linkwork::dae::jacobian::JACOBIANS;
use linkwork::dae::linear::LINEAR_SOLVERS;
use linkwork::dae::stepper::{Needs, STEPPERS};
use linkwork::observe::{Progress, StopFlag};
use linkwork::options::{Options, Outputs};
use linkwork::summary::Summary;
use linkwork::table::FORMATS;
use linkwork::{Run, Simulation, Verdict, store};
use pendulum::{GRAVITY, Pendulum};

fn run_to(t_end: f64, pendulum: Pendulum, change: impl FnOnce(&mut Options)) -> Run {
    let mut options = Options {
        t_end: Some(t_end),
        ..Options::default()
    };
    change(&mut options);
    Simulation::new(Box::new(pendulum))
        .named("pendulum")
        .options(options)
        .run()
        .expect("options are fine")
}

#[test]
fn a_conservative_pendulum_converges_and_balances_its_energy() {
    let run = run_to(2.0, Pendulum::new(0.0, false), |o| {
        o.rtol = Some(1e-8);
    });
    assert_eq!(run.verdict, Verdict::Converged, "{:?}", run.doubts);
    assert_eq!(run.times().len(), 201);
    assert_eq!(run.times()[0], 0.0);
    assert_eq!(run.times()[200], 2.0);
    assert_eq!(run.start.as_ref().map(|s| s.dof), Some(1));
    // the reaction of a released pendulum is 3 g sin(angle): 3 g times the height fallen
    let (y, f) = (
        run.channel("mass.y").unwrap(),
        run.channel("rod.reaction").unwrap(),
    );
    let y0 = y[0];
    for (y, f) in y.iter().zip(f) {
        let expected = -GRAVITY * y + 2.0 * GRAVITY * (y0 - y);
        // the sum of local errors over two swings is some hundred tolerances
        assert!((f - expected).abs() < 1e-4, "{f} instead of {expected}");
    }
    let energy = run.energy.unwrap();
    assert_eq!(energy.work, 0.0);
    assert!(energy.imbalance().abs() < 1e-6 * energy.exchanged);
    assert!(run.constraint_residual.position < 1e-8);
    assert!(run.constraint_residual.velocity < 1e-8);
    assert_eq!(run.limiters[0].owner, "mass");
    assert!(run.step_cpu_seconds <= run.cpu_seconds);
}

#[test]
fn damping_does_the_work_that_the_energy_loses() {
    let run = run_to(3.0, Pendulum::new(0.3, false), |o| {
        o.rtol = Some(1e-7);
    });
    let e = run.energy.unwrap();
    assert!(e.work < -1.0, "the damper takes energy: {}", e.work);
    assert!(e.imbalance().abs() < 1e-5 * e.work.abs(), "{e:?}");
    assert_eq!(run.verdict, Verdict::Converged);
}

#[test]
fn every_combination_reaches_the_same_end() {
    let reference = run_to(1.0, Pendulum::new(0.1, false), |o| {
        o.rtol = Some(1e-9);
    });
    let expected = reference.channel("mass.x").unwrap()[200];
    for method in STEPPERS {
        for formulation in FORMULATIONS {
            if !method.formulations.contains(&formulation.name) {
                continue;
            }
            for jacobian in JACOBIANS {
                for linear in LINEAR_SOLVERS {
                    let run = run_to(1.0, Pendulum::new(0.1, false), |o| {
                        o.method = Some(method.name.into());
                        o.formulation = Some(formulation.name.into());
                        // explicit methods refuse a choice that means nothing to them
                        if matches!(method.needs, Needs::Implicit(_)) {
                            o.jacobian = Some(jacobian.name.into());
                        }
                        o.linear = Some(linear.name.into());
                        o.rtol = Some(1e-6);
                    });
                    let name = [method.name, formulation.name, jacobian.name, linear.name];
                    let x = run.channel("mass.x").unwrap()[200];
                    assert_eq!(run.verdict, Verdict::Converged, "{name:?} {:?}", run.doubts);
                    assert!((x - expected).abs() < 2e-4, "{name:?}: {x} for {expected}");
                }
            }
        }
    }
}

#[test]
fn a_force_that_ends_mid_way_leaves_its_rows_and_its_name() {
    let mut pendulum = Pendulum::new(0.0, false);
    pendulum.broken_from = 0.5;
    let run = run_to(1.0, pendulum, |_| ());
    assert_eq!(run.verdict, Verdict::Failed);
    assert!(run.t_last > 0.49 && run.t_last <= 0.5, "{}", run.t_last);
    assert!(run.times().len() >= 98, "{}", run.times().len());
    assert_eq!(*run.times().last().unwrap(), run.t_last);
    let why = run.failure().expect("it failed");
    assert!(why.cause.contains("force `gravity` is not finite"), "{why}");
    assert!(
        why.advice[0].to_string().contains("correct the formula"),
        "{why}"
    );
    assert_eq!(why.attempts.len(), 20);
    assert!(why.to_string().contains("last attempts"));
    let json = Summary::new(&run, &[]).to_json();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["failure"]["attempts"].as_array().unwrap().len(), 20);
}

#[test]
fn repeated_equations_are_named_and_leave_a_doubt_about_reactions() {
    let run = run_to(1.0, Pendulum::new(0.0, true), |_| ());
    assert_eq!(run.verdict, Verdict::Converged);
    let noted = run.notes.iter().map(ToString::to_string);
    let doubt = noted
        .filter(|note| note.contains("reactions"))
        .collect::<String>();
    assert!(doubt.contains("not unique"), "{doubt}");
    assert!(doubt.contains("rod"), "{doubt}");
    assert_eq!(run.start.unwrap().dof, 1);
}

#[test]
fn contradicting_equations_do_not_start() {
    let mut pendulum = Pendulum::new(0.0, true);
    pendulum.mismatch = 0.1;
    let run = run_to(1.0, pendulum, |_| ());
    assert_eq!(run.verdict, Verdict::Failed);
    assert_eq!(run.times().len(), 1, "the best pose is kept");
    let why = run.failure().unwrap();
    assert!(why.cause.contains("rod"), "{why}");
    assert!(!why.advice.is_empty());
}

#[test]
fn a_raised_flag_stops_and_keeps_the_rows() {
    let flag = StopFlag::default();
    let raise = flag.clone();
    let mut seen = 0.0;
    let mut progress = Progress::new(1.0, |share, _| {
        seen = share;
        if share > 0.3 {
            raise.raise();
        }
    });
    let mut flag = flag;
    let mut both = linkwork::observe::Both(&mut progress, &mut flag);
    let options = Options {
        t_end: Some(1.0),
        ..Options::default()
    };
    let run = Simulation::new(Box::new(Pendulum::new(0.0, false)))
        .options(options)
        .run_with(&mut both)
        .unwrap();
    assert_eq!(run.ending, Ending::Stopped);
    assert_eq!(run.verdict, Verdict::Degraded);
    assert!(
        run.doubts[0].to_string().starts_with("stopped at t = 0.3"),
        "{:?}",
        run.doubts
    );
    assert_eq!(*run.times().last().unwrap(), run.t_last);
    assert!(seen > 0.3 && seen < 1.0);
}

#[test]
fn fixed_steps_and_step_outputs() {
    let run = run_to(1.0, Pendulum::new(0.0, false), |o| {
        o.method = Some("gen-alpha".into());
        o.rho = Some(0.8);
        o.step = Some(0.01);
        o.outputs = Some(Outputs::Steps);
    });
    assert_eq!(run.stats.steps, 100);
    assert_eq!(run.times().len(), 101);
    assert_eq!(run.options.step, Some(0.01));
}

#[test]
fn used_up_attempts_end_a_run_with_advice() {
    let run = run_to(10.0, Pendulum::new(0.0, false), |o| {
        o.max_steps = Some(30);
    });
    let why = run.failure().expect("30 attempts do not suffice");
    assert!(why.cause.contains("30 attempts"), "{why}");
    assert!(
        why.advice[0].to_string().contains("max_steps = 300"),
        "{why}"
    );
}

#[test]
fn all_formats_hold_the_same_numbers() {
    let dir = std::env::temp_dir().join(format!("linkwork-store-{}", std::process::id()));
    let run = run_to(1.0, Pendulum::new(0.0, false), |_| ());
    let formats: Vec<_> = FORMATS.iter().collect();
    let files = store::store(&run, &dir, &formats).unwrap();
    assert_eq!(files.len(), 2 + formats.len());
    let mut csv = csv::Reader::from_path(dir.join("table.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), run.times().len());
    let npz = std::fs::read(dir.join("table.npz")).unwrap();
    // arrays are stored uncompressed: the last double of each column must be in the file
    for (i, column) in run.table.columns().iter().enumerate() {
        let last = column.last().unwrap();
        let text: f64 = rows.last().unwrap()[i + 1].parse().unwrap();
        assert_eq!(text.to_bits(), last.to_bits());
        let bytes = last.to_le_bytes();
        assert!(npz.windows(8).any(|w| w == bytes));
    }
    for format in &formats {
        let table = linkwork::table::read(&dir.join(format.file)).unwrap();
        assert_eq!(table, run.table, "{}", format.name);
    }
    let summary = std::fs::read_to_string(dir.join("summary.json")).unwrap();
    let value: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(value["files"].as_array().unwrap().len(), files.len());
    std::fs::remove_dir_all(&dir).unwrap();
}

fn sampled(change: impl FnOnce(&mut Options)) -> Simulation {
    let entry = linkwork::catalogue::MODELS
        .iter()
        .find(|m| m.name == "sampled")
        .unwrap();
    let document = linkwork::mbs::text::read(entry.text).unwrap();
    let mut options = Options {
        t_end: Some(0.5),
        ..Options::default()
    };
    change(&mut options);
    Simulation::from_document(&document)
        .unwrap()
        .options(options)
}

/// Rows every 5 ms: those at the ticks of 10 ms come twice, before and after the jump.
#[test]
fn both_sides_of_a_jump_are_kept() {
    let mut simulation = sampled(|o| o.outputs = Some(Outputs::Uniform(100)));
    let run = simulation.run().unwrap();
    assert_eq!(run.verdict, Verdict::Converged, "{:?}", run.doubts);
    let (t, held) = (run.times(), run.channel("regulator").unwrap());
    let angle = run.channel("arm.angle").unwrap();
    let mut jumps = 0;
    for i in 1..t.len() {
        let tick = (t[i] / 0.01 - (t[i] / 0.01).round()).abs() < 1e-9;
        if t[i] == t[i - 1] {
            jumps += 1;
            assert!(tick && held[i] != held[i - 1], "{}", t[i]);
            assert_eq!(angle[i], angle[i - 1]);
        } else {
            assert_eq!(held[i], held[i - 1], "held between ticks, {}", t[i]);
        }
    }
    assert_eq!(t.len(), 101 + jumps);
    // the watch ticks every 25 ms and drives nothing: an event, but no restart
    assert!(run.stats.restarts < run.stats.events);
    assert_eq!(run.stats.restarts, jumps as u64);
    assert_eq!(run.stats.events, 49 + 19 - 9);
    let json = Summary::new(&run, &[]).to_json();
    assert!(json.contains(&format!("\"restarts\":{jumps}")), "{json}");
    // the power jumps with the motor's input only through its lag: the account still closes
    let energy = run.energy.unwrap();
    assert!(energy.imbalance().abs() < 2e-3 * energy.exchanged);
    // the memory of the first run is not that of the second
    let again = simulation.run().unwrap();
    assert_eq!(run.table, again.table);
    assert_eq!(run.stats, again.stats);
}

/// An observer whose disk is full from some time on.
struct Full {
    from: f64,
}

impl Observer for Full {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        if view.to > self.from {
            return Err(ObserverError::own(std::io::Error::other("disk full")));
        }
        Ok(Flow::Continue)
    }
}

#[test]
fn an_observer_that_fails_ends_the_run_with_its_own_error_and_keeps_the_results() {
    let options = Options {
        t_end: Some(2.0),
        ..Options::default()
    };
    let run = Simulation::new(Box::new(Pendulum::new(0.0, false)))
        .options(options)
        .run_with(&mut Full { from: 1.0 })
        .expect("options are fine");
    assert_eq!(run.verdict, Verdict::Failed);
    let Ending::Failed(explanation) = &run.ending else {
        panic!("{:?}", run.ending);
    };
    assert!(explanation.to_string().contains("disk full"));
    let last = *run.times().last().expect("rows");
    assert!((0.9..=1.1).contains(&last), "kept until {last}");
}

/// With a row of every step comes a table of all attempts, kept and not.
#[test]
fn attempted_steps_are_told_with_order_length_error_and_limiter() {
    for method in ["bdf", "radau", "auto"] {
        let run = run_to(2.0, Pendulum::new(0.0, false), |o| {
            o.outputs = Some(Outputs::Steps);
            o.method = Some(method.into());
        });
        let kept = run.attempts.iter().filter(|s| s.outcome == "accepted");
        let (count, way) = kept.fold((0, 0.0), |(n, sum), s| (n + 1, sum + s.step));
        assert_eq!(count, run.stats.steps, "{method}");
        assert!((way - 2.0).abs() < 1e-12, "{method}: {way}");
        let failed = run.stats.rejected + run.stats.newton_failures;
        assert_eq!(run.attempts.len() as u64, run.stats.steps + failed);
        for s in &run.attempts {
            let met = s.error.is_some_and(|e| e <= 1.0);
            assert_eq!(met, s.outcome == "accepted", "{method}: {s:?}");
            assert!(s.order > 0 && !s.limiter.is_empty(), "{method}: {s:?}");
        }
        let dir = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("attempts");
        let files = store::store(&run, &dir, &[&FORMATS[0]]).unwrap();
        assert!(files.iter().any(|f| f.ends_with("steps.csv")), "{files:?}");
        let text = std::fs::read_to_string(dir.join("steps.csv")).unwrap();
        assert_eq!(text.lines().count(), run.attempts.len() + 1);
        assert!(text.starts_with("t,step,order,error,outcome,limiter\n"));
    }
    let run = run_to(2.0, Pendulum::new(0.0, false), |_| {});
    assert!(run.attempts.is_empty());
}
