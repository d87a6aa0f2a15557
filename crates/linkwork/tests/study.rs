//! Studies of work and precision: what they say can be checked by other runs.

use linkwork::mbs::text;
use linkwork::observe::StopFlag;
use linkwork::options::Outputs;
use linkwork::study::{Ask, FAR, Study, StudyError, Watch};
use linkwork::{Options, Simulation, Verdict};
use std::time::Duration;

const FOUR_BAR: &str = include_str!("../../../models/four_bar.toml");

/// Two rods that swing over: a motion that doubles small differences many times.
const DOUBLE_PENDULUM: &str = r#"
[model]
gravity = [0, -9.81]
[[body]]
name = "upper"
mass = 1
inertia = 0.08
position = [0.5, 0]
[[body]]
name = "lower"
mass = 1
inertia = 0.08
position = [1.5, 0]
[[joint]]
name = "pivot"
kind = "revolute"
body_b = "upper"
at = [0, 0]
[[joint]]
name = "knee"
kind = "revolute"
body_a = "upper"
body_b = "lower"
at = [1, 0]
[simulation]
t_end = 20
"#;

fn conduct(source: &str, ask: &Ask) -> Result<Study, StudyError> {
    let document = text::read(source).expect("it reads");
    let own = Options::read(document.simulation.fields()).expect("options are sound");
    let ask = Ask {
        base: ask.base.clone().or(own),
        ..ask.clone()
    };
    let build = |options: &Options| {
        Simulation::in_coordinates(&document.model, options).map_err(|e| e.to_string())
    };
    let watch = Watch {
        stop: StopFlag::default(),
        tell: &|_, _| {},
    };
    Study::conduct(&ask, &build, &watch)
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|w| w.to_string()).collect()
}

fn small() -> Ask {
    Ask {
        methods: words(&["bdf", "gen-alpha", "dopri5"]),
        coordinates: words(&["absolute", "joint"]),
        tolerances: vec![1e-3, 1e-5, 1e-7],
        digits: vec![3.0, 5.0],
        threads: 2,
        ..Ask::default()
    }
}

#[test]
fn any_number_of_threads_says_the_same() {
    let said = |threads: usize| {
        let mut study = conduct(FOUR_BAR, &Ask { threads, ..small() }).expect("it is done");
        study.seconds = 0.0;
        for run in &mut study.reference.runs {
            run.seconds = 0.0;
        }
        for row in &mut study.rows {
            row.seconds = 0.0;
        }
        for finding in &mut study.findings {
            finding.seconds = None;
            finding.fastest = None;
            finding.fastest_seconds = None;
        }
        study.to_json()
    };
    let alone = said(1);
    assert!(alone.contains("\"method\": \"gen-alpha\""));
    assert_eq!(alone, said(3));
}

/// The lines that a study prints, put into a model, give a run with the digits that it promised, against a
/// tight run of a method that had no part in the study.
#[test]
fn what_is_recommended_keeps_its_promise() {
    let channel = "coupler.angle";
    let ask = Ask {
        channels: words(&[channel]),
        ..small()
    };
    let study = conduct(FOUR_BAR, &ask).expect("it is done");
    assert!(study.reference.is_checked());
    assert!(
        study.reference.digits()[0] > 8.0,
        "{:?}",
        study.reference.apart
    );
    let run = |lines: &str| {
        let source = FOUR_BAR.replace("[simulation]", &format!("[simulation]\n{lines}"));
        let document = text::read(&source).expect("it reads");
        let simulation = Simulation::from_document(&document).expect("it assembles");
        let options = Options::new().outputs(Outputs::Uniform(200));
        let run = simulation.options(options).run().expect("it runs");
        assert_eq!(run.verdict, Verdict::Converged, "{lines}");
        run.channel(channel).expect("the channel is there").to_vec()
    };
    let exact = run("method = \"adams\"\nrtol = 1e-12");
    let span = exact.iter().copied().fold(f64::MIN, f64::max)
        - exact.iter().copied().fold(f64::MAX, f64::min);
    for (finding, wanted) in study.findings.iter().zip([3.0, 5.0]) {
        let setting = finding.cheapest.as_ref().expect("there is one");
        let found = run(&setting.lines(&Options::new()).join("\n"));
        let worst = found.iter().zip(&exact).map(|(a, b)| (a - b).abs());
        let digits = -(worst.fold(0.0, f64::max) / span).log10();
        assert!(digits >= wanted, "{}: {digits}", setting.whole());
        let told = finding.reached.expect("digits are told");
        assert!((digits - told).abs() < 0.01, "{digits} against {told}");
        // nobody who reaches the digits at all tighter tolerances is cheaper
        for row in &study.rows {
            let cheaper = row.work < finding.work.expect("it has a price");
            let akin = study
                .rows
                .iter()
                .filter(|r| r.setting.is_akin(&row.setting));
            let mut tighter =
                akin.filter(|r| r.setting.rtol <= row.setting.rtol && r.without.is_none());
            let reaches = row.without.is_none() && tighter.all(|r| r.digits[0] >= wanted);
            assert!(!(cheaper && reaches), "{} is cheaper", row.setting.whole());
        }
    }
}

/// Runs that end far from what was asked are marked, and others are not. How far they are off is in proportion to the
/// tolerance, because a step may use a share of it that follows from the order of the method.
#[test]
fn converged_and_far_away_is_marked() {
    let ask = Ask {
        methods: words(&["bdf", "gen-alpha"]),
        tolerances: vec![1e-4, 1e-5, 1e-6],
        ..small()
    };
    let study = conduct(FOUR_BAR, &ask).expect("it is done");
    let mut far = 0;
    for row in study.rows.iter().filter(|r| r.without.is_none()) {
        let converged = row.verdict == Some(Verdict::Converged);
        let expected = converged && row.errors[0] > FAR * row.setting.rtol;
        assert_eq!(row.far, expected, "{}", row.setting.whole());
        far += usize::from(row.far);
    }
    assert!(far > 0);
    for row in &study.rows {
        let akin =
            |r: &&linkwork::study::Row| r.setting.is_akin(&row.setting) && r.without.is_none();
        let off = study.rows.iter().filter(akin);
        let off: Vec<f64> = off.map(|r| r.errors[0] / r.setting.rtol).collect();
        let [least, most] = [f64::min, f64::max].map(|f| off.iter().copied().fold(off[0], f));
        // the last one of a method of order 2 may be too dear
        assert!(off.len() >= 2, "{}: {off:?}", row.setting.whole());
        // with whole tolerances bdf is off by up to 2.7 times as many at 1e-6 as at 1e-4
        assert!(most < 2.0 * least, "{}: {off:?}", row.setting.whole());
    }
}

#[test]
fn chaos_is_told() {
    let ask = Ask {
        coordinates: words(&["absolute"]),
        methods: words(&["bdf", "dopri5"]),
        tolerances: vec![1e-4],
        digits: vec![7.0],
        ..small()
    };
    let study = conduct(DOUBLE_PENDULUM, &ask).expect("it is done");
    let parted = study.reference.parted[0].expect("tight runs part");
    assert!((1.0..20.0).contains(&parted), "{parted}");
    assert!(study.reference.digits()[0] < 7.0);
    let why = study.findings[0]
        .without
        .as_deref()
        .expect("it cannot be told");
    assert!(why.contains("agree to"), "{why}");
    // a shorter motion can be told
    let base = Options::new().t_end(1.0);
    let study = conduct(DOUBLE_PENDULUM, &Ask { base, ..ask }).expect("it is done");
    assert_eq!(study.reference.parted, [None]);
}

#[test]
fn failed_runs_are_rows_with_their_reason() {
    let document = text::read(FOUR_BAR).expect("it reads");
    let build = |options: &Options| {
        let options = match (options.method.as_deref(), options.rtol) {
            (Some("gen-alpha"), Some(rtol)) if rtol < 1e-4 => options.clone().max_steps(5),
            _ => options.clone(),
        };
        Simulation::in_coordinates(&document.model, &options).map_err(|e| e.to_string())
    };
    let watch = Watch {
        stop: StopFlag::default(),
        tell: &|_, _| {},
    };
    let ask = Ask {
        base: Options::new().t_end(1.0),
        coordinates: Vec::new(),
        ..small()
    };
    let study = Study::conduct(&ask, &build, &watch).expect("it is done");
    let failed: Vec<_> = study
        .rows
        .iter()
        .filter(|r| r.without == Some("failed"))
        .collect();
    assert_eq!(failed.len(), 2 * 2, "two formulations, two tolerances");
    for row in failed {
        assert_eq!(row.setting.method, "gen-alpha");
        let why = row.reason.as_deref().expect("there is a reason");
        assert!(why.contains('5') && why.contains("attempts"), "{why}");
        assert!(study.to_csv().contains(why));
    }
    let [work, time] = study.figures(0);
    for figure in [work, time] {
        assert!(
            figure
                .curves
                .iter()
                .all(|c| c.points.iter().all(|p| p.0 > 0.0 && p.1 > 0.0))
        );
        assert_eq!(
            figure.curves.len(),
            3 + 2 + 2,
            "every setting has its curve"
        );
    }
}

#[test]
fn time_that_is_up_ends_it() {
    let limit = Duration::ZERO;
    let error = conduct(FOUR_BAR, &Ask { limit, ..small() }).expect_err("nothing can be run");
    assert!(
        error.message.contains("the time of the study was up"),
        "{error}"
    );
}

#[test]
fn what_does_not_fit_is_told() {
    let disc = include_str!("../../../models/rolling_disc.toml");
    let half = "[[control]]\nname = \"half\"\nkind = \"equation\"\nresidual = \"2*half - t\"\n";
    let disc = &format!("{half}{disc}");
    let ask = Ask {
        base: Options::new().t_end(0.2),
        tolerances: vec![1e-3],
        coordinates: words(&["absolute"]),
        methods: words(&["bdf", "radau", "rosenbrock"]),
        ..small()
    };
    let study = conduct(disc, &ask).expect("it is done");
    assert_eq!(study.left_out.len(), 1);
    let (who, why) = &study.left_out[0];
    assert_eq!(who, "rosenbrock, state-space, absolute");
    assert!(why.contains("algebraic"), "{why}");
    assert!(study.rows.iter().all(|r| r.setting.method != "rosenbrock"));
    let wrong = conduct(
        FOUR_BAR,
        &Ask {
            channels: words(&["coupler.angel"]),
            ..small()
        },
    );
    let error = wrong.expect_err("there is no such channel");
    assert_eq!(error.help.as_deref(), Some("did you mean `coupler.angle`?"));
}
