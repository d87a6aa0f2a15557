//! Motions with impacts, dry friction and forces that jump, against closed forms: with every kind of
//! method, over five tolerances, split and whole.

use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::drive::{Cause, Ending, Engine, EventLog, Flow, Observer, ObserverError, View};
use linkwork_dae::initial::Start;
use linkwork_dae::saddle::SaddleError;
use linkwork_dae::state::State;
use linkwork_dae::switching::{Crossing, Sense, Switch};
use linkwork_dae::system::{After, At, System};
use linkwork_mbs::{assemble, text};
use linkwork_problems::balls::Balls;
use linkwork_problems::hybrid::forced::{Course, Forced, Hidden, Secret};
use linkwork_problems::hybrid::friction::{Belt, Rub};
use linkwork_problems::hybrid::impact::{Ball, WallPendulum};
use linkwork_problems::small::{Equations, Small};
use linkwork_problems::study::{Outcome, Setup};

const METHODS: [(&str, &str); 7] = [
    ("bdf", "ggl"),
    ("bdf", "index3"),
    ("gen-alpha", "index3"),
    ("rosenbrock", "state-space"),
    ("dop853", "projected"),
    ("adams", "projected"),
    ("ndf", "ggl"),
];

/// Every other stepper.
const FURTHER: [(&str, &str); 10] = [
    ("bdf-fixed-leading", "ggl"),
    ("bdf-quasi", "ggl"),
    ("hht", "index3"),
    ("newmark", "ggl"),
    ("radau", "index3"),
    ("radau", "ggl"),
    ("dopri5", "projected"),
    ("rock4", "projected"),
    ("rkc2", "projected"),
    ("w", "state-space"),
];

const TOLERANCES: [f64; 4] = [1e-3, 1e-4, 1e-6, 1e-8];

fn run<E: Equations>(setup: &Setup, equations: E) -> (Outcome, EventLog) {
    let mut log = EventLog::default();
    let out = setup.run(&mut Small::new(equations), &mut log).unwrap();
    (out, log)
}

/// `x'' = -rate^2 x`, from `x = cos phase`: what a method makes of a motion without events.
#[derive(Clone)]
struct Smooth {
    rate: f64,
    phase: f64,
}

impl Equations for Smooth {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("mass", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (sin, cos) = self.phase.sin_cos();
        (vec![cos], vec![-self.rate * sin], vec![])
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = -self.rate * self.rate * at.q[0];
    }

    fn force_q(&self, _: &At<'_>, f_q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        f_q[0] = -self.rate * self.rate;
    }
}

/// The error of the same method on smooth vibrations of this rate and duration, the worst of four phases.
fn smooth_error(setup: &Setup, rate: f64) -> f64 {
    let of_phase = |phase: f64| {
        let (out, _) = run(setup, Smooth { rate, phase });
        let (sin, cos) = (rate * setup.plan.t_end + phase).sin_cos();
        distance(&out, (cos, -rate * sin), rate)
    };
    [0.0, 0.8, 1.6, 2.4]
        .map(of_phase)
        .into_iter()
        .fold(0.0, f64::max)
}

/// Runs a problem with every method and tolerance and hands every outcome to `check`, which returns the
/// error at the end in units of the tolerance. It must be below 100 tolerances, or four times that of a
/// smooth motion of the given rate: methods of low order add up more than that at tight tolerances.
fn over_all<E: Equations>(
    what: &str,
    t_end: f64,
    rate: f64,
    build: impl Fn() -> E,
    check: impl Fn(&Outcome, &EventLog) -> f64,
) {
    let mut bad = Vec::new();
    for (method, formulation) in METHODS {
        for tol in TOLERANCES {
            let mut setup = Setup::new(method, formulation, t_end, tol);
            setup.plan.tolerances.atol = None;
            let (out, log) = run(&setup, build());
            let name = format!("{what} {method} {formulation} {tol:.0e}");
            if out.ending != Ending::Finished {
                bad.push(format!("{name}: {:?}", out.ending));
                continue;
            }
            let error = check(&out, &log) / tol;
            let smooth = smooth_error(&setup, rate) / tol;
            println!(
                "{name}: error {error:.2} smooth {smooth:.1} steps {} rejected {} failures {} evaluations {} switches {} events {} located {}",
                out.stats.steps,
                out.stats.rejected,
                out.stats.newton_failures,
                out.stats.evaluations(),
                out.stats.switches,
                out.stats.events,
                out.stats.located,
            );
            if !(error < 100f64.max(4.0 * smooth)) {
                bad.push(format!("{name}: {error:.1} tolerances"));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

fn distance(out: &Outcome, (x, v): (f64, f64), scale_v: f64) -> f64 {
    let (q, w) = (out.state.q[0], out.state.v[0]);
    (q - x).abs().max((w - v).abs() / scale_v)
}

#[test]
fn a_ball_bounces_and_comes_to_rest() {
    let ball = || Ball::new(0.8);
    over_all("ball", 3.62, 1.0, ball, |out, log| {
        let falls = log.happenings.iter().filter(|h| h.kind == "falls");
        let times: Vec<f64> = falls.map(|h| h.t).collect();
        assert_eq!(times.len(), 10);
        let late = (1..).zip(&times).map(|(n, t)| (t - ball().impact(n)).abs());
        let end = distance(out, ball().at(3.62), 4.5);
        late.fold(end, f64::max)
    });
    over_all("ball to rest", 5.0, 1.0, ball, |out, log| {
        let last = log.happenings.last().unwrap();
        assert_eq!(last.kind, "accumulates", "{last:?}");
        assert!(log.happenings.len() < 80);
        assert!((last.t - 4.063_712_768_871_578).abs() < 0.1);
        assert_eq!((out.state.q[0], out.state.v[0]), (0.0, 0.0));
        0.0
    });
}

#[test]
fn a_pendulum_hits_a_wall() {
    over_all(
        "wall",
        5.0,
        3.0,
        || WallPendulum,
        |out, log| {
            let times: Vec<f64> = log.happenings.iter().map(|h| h.t).collect();
            assert_eq!(times.len(), 4, "{times:?}");
            let pairs = times.iter().zip(WallPendulum::IMPACTS);
            let late = pairs
                .map(|(t, known)| (t - known).abs())
                .fold(0.0, f64::max);
            // energy is lost at impacts only
            let s = &out.state;
            late.max((s.q[0] * s.q[0] + s.q[1] * s.q[1] - 1.0).abs())
        },
    );
}

#[test]
fn a_block_sticks_and_slips_on_a_belt() {
    let ends = 8.5;
    over_all(
        "belt",
        ends,
        10.0,
        || Belt { mode: 0 },
        |out, log| {
            // methods of order 2 and 4 take more at 1e-8, smooth motions or not
            let tight = log.happenings.is_empty() || out.stats.steps >= 2000;
            assert!(!tight || out.stats.steps < 5000, "{}", out.stats.steps);
            let slips = log.happenings.iter().filter(|h| h.name == "slips");
            let times: Vec<f64> = slips.map(|h| h.t).collect();
            assert!(times.len() >= 9, "{times:?}");
            let known = (0..).map(|n| 0.8 + f64::from(n) * Belt::PERIOD);
            let late = times.iter().zip(known).map(|(t, known)| (t - known).abs());
            late.fold(0.0, f64::max)
        },
    );
}

#[test]
fn friction_ends_an_oscillation() {
    over_all("rub", 1.2, 10.0, Rub::new, |out, log| {
        assert_eq!(log.happenings.len(), 3);
        let stop = log.happenings[2].t;
        assert_eq!(out.state.v[0], 0.0);
        let late = (stop - 0.942_477_796_076_938).abs();
        late.max((out.state.q[0] + 0.02).abs() / 0.2)
    });
}

#[test]
fn forces_that_jump_by_the_clock_are_met() {
    for (what, course, t_end) in [
        (
            "square",
            Course::Square {
                force: 100.0,
                period: 1e-3,
            },
            1.0,
        ),
        (
            "pulse",
            Course::Pulse {
                force: 1000.0,
                from: 5.0,
                to: 5.001,
            },
            6.0,
        ),
        (
            "sawtooth",
            Course::Sawtooth {
                force: 5.0,
                period: 1.0,
            },
            10.0,
        ),
    ] {
        let build = || Forced::new(course);
        over_all(what, t_end, 10.0, build, |out, _| {
            distance(out, build().at(t_end), 1.0) / 0.1
        });
    }
}

/// Errors at constant steps fall with the order of the method across events, as they do without.
#[test]
fn orders_are_kept_across_events() {
    for (method, formulation, order, steps) in [
        ("gen-alpha", "index3", 2, [400, 800, 1600]),
        ("dopri5", "projected", 5, [40, 80, 160]),
        ("rosenbrock", "state-space", 4, [60, 120, 240]),
    ] {
        let mut errors = Vec::new();
        for n in steps {
            let t_end = 1.2;
            let mut setup = Setup::new(method, formulation, t_end, 1e-6);
            let h = t_end / f64::from(n);
            setup.plan.first_step = Some(h);
            let mut sys = Small::new(Rub::new());
            let start = setup.start(&mut sys).unwrap();
            let fixed = Box::new(Fixed::new(h, order));
            let mut log = EventLog::default();
            let out = setup.run_from(&mut sys, &start, fixed, &mut log).unwrap();
            assert_eq!(out.ending, Ending::Finished);
            assert_eq!(log.happenings.len(), 3);
            // the grid is met again after each event
            assert!(out.stats.steps <= n as u64 + 3, "{}", out.stats.steps);
            errors.push((log.happenings[2].t - 0.942_477_796_076_938).abs());
        }
        let orders: Vec<f64> = errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect();
        println!("{method}: {errors:?} {orders:?}");
        let least = order as f64 - 0.5;
        assert!(orders.iter().all(|o| *o > least), "{method}: {orders:?}");
    }
}

/// Reference values of the sawtooth and the pulse at 10 s.
#[test]
fn closed_forms_are_right() {
    let sawtooth = Forced::new(Course::Sawtooth {
        force: 5.0,
        period: 1.0,
    });
    let (x, v) = sawtooth.at(10.0);
    assert!((x - 0.012_553_131_242_211_87).abs() < 1e-13);
    assert!((v - 0.034_132_040_672_439_86).abs() < 1e-12);
    let pulse = Forced::new(Course::Pulse {
        force: 1000.0,
        from: 5.0,
        to: 5.001,
    });
    let (x, v) = pulse.at(10.0);
    assert!((x + 0.026_719_527_074_724_16).abs() < 1e-13);
    assert!((v - 0.963_638_082_469_114_9).abs() < 1e-12);
    assert!((Ball::new(0.8).impact(10) - 3.578_892_951_020_438).abs() < 1e-14);
}

/// Every bit of what an observer sees, steps and both sides of events; stops where it is told.
#[derive(Clone, Debug, Default, PartialEq)]
struct Trace {
    seen: Vec<Vec<u64>>,
    stop_at: Vec<u64>,
    steps: u64,
}

impl Trace {
    fn note(&mut self, view: &mut View<'_>, what: u64) -> Result<(), SaddleError> {
        let mut bits = vec![
            what,
            view.from.to_bits(),
            view.to.to_bits(),
            view.stats.steps,
        ];
        let s = view.state();
        for values in [&s.q, &s.v, &s.a, &s.lambda, &s.x, &s.xdot] {
            bits.extend(values.iter().map(|x| x.to_bits()));
        }
        if view.stats.steps.is_multiple_of(3) {
            let s = view.consistent(0.25 * view.from + 0.75 * view.to)?;
            bits.extend(s.a.iter().chain(&s.lambda).map(|x| x.to_bits()));
        }
        self.seen.push(bits);
        Ok(())
    }
}

impl Observer for Trace {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.note(view, 0)?;
        self.steps += 1;
        let stop = self.stop_at.contains(&self.steps);
        Ok(if stop { Flow::Stop } else { Flow::Continue })
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        Ok(self.note(view, 1 + after as u64)?)
    }
}

fn engine<'a>(setup: &Setup, sys: &'a mut dyn System, start: &Start) -> Engine<'a> {
    let controller = setup.controller().unwrap();
    setup.engine(sys, start, controller).unwrap()
}

/// Stops after every few steps, before and at events, and goes on in another engine; also from a run that
/// ended early.
fn split(what: &str, t_end: f64, ends: &[f64], build: impl Fn() -> Box<dyn System>) {
    split_with(&METHODS, what, t_end, ends, build);
}

fn split_with(
    methods: &[(&'static str, &'static str)],
    what: &str,
    t_end: f64,
    ends: &[f64],
    build: impl Fn() -> Box<dyn System>,
) {
    for &(method, formulation) in methods {
        let mut setup = Setup::new(method, formulation, t_end, 1e-5);
        setup.plan.tolerances.atol = None;
        setup.plan.first_step = Some(1e-3);
        setup.plan.tolerances.atol_v = Some(1e-5);
        let name = format!("{what} {method} {formulation}");
        let mut whole = Trace::default();
        let mut sys = build();
        let start = setup.start(&mut *sys).unwrap();
        let ending = engine(&setup, &mut *sys, &start).run(&start.state, &start.rows, &mut whole);
        assert_eq!(ending, Ending::Finished, "{name}");
        let events = whole.seen.iter().filter(|bits| bits[0] > 0).count();
        assert!(events > 0 || what == "hidden", "{name}: no event");
        let mut sys = build();
        let start = setup.start(&mut *sys).unwrap();
        let mut first = engine(&setup, &mut *sys, &start);
        let mut trace = Trace {
            stop_at: (1..whole.steps).collect(),
            ..Trace::default()
        };
        let mut tapes = Vec::new();
        let mut ending = first.run(&start.state, &start.rows, &mut trace);
        while ending == Ending::Stopped {
            tapes.push((trace.seen.len(), first.save(&mut trace)));
            ending = first.proceed(&mut trace);
        }
        assert_eq!(trace.seen, whole.seen, "{name}: saving changes the run");
        for (seen, tape) in tapes {
            let mut sys = build();
            let start = setup.start(&mut *sys).unwrap();
            let mut second = engine(&setup, &mut *sys, &start);
            let mut rest = Trace::default();
            second.resume(&start.rows, &mut rest, tape).unwrap();
            assert_eq!(second.proceed(&mut rest), Ending::Finished);
            assert!(rest.seen == whole.seen[seen..], "{name} from {seen}");
        }
        for end in ends {
            let mut early = setup.clone();
            early.plan.t_end = *end;
            early.plan.continued = true;
            let mut sys = build();
            let start = early.start(&mut *sys).unwrap();
            let mut first = engine(&early, &mut *sys, &start);
            // outputs leave their traces in the pivots: the same observer
            let mut seen = Trace::default();
            let ending = first.run(&start.state, &start.rows, &mut seen);
            assert_eq!(ending, Ending::Finished);
            let tape = first.save(&mut seen);
            let mut sys = build();
            let start = setup.start(&mut *sys).unwrap();
            let mut second = engine(&setup, &mut *sys, &start);
            let mut rest = Trace::default();
            second.resume(&start.rows, &mut rest, tape).unwrap();
            assert_eq!(second.proceed(&mut rest), Ending::Finished);
            let tail = &whole.seen[whole.seen.len() - rest.seen.len()..];
            assert!(rest.seen == tail, "{name} to {end}");
        }
    }
}

#[test]
fn split_runs_agree_to_the_last_bit() {
    let all = [&METHODS[..], &FURTHER].concat();
    let split = |what: &str, t_end: f64, ends: &[f64], build: &dyn Fn() -> Box<dyn System>| {
        split_with(&all, what, t_end, ends, build);
    };
    let impacts = [0.451_523_640_985_730_9, 1.0, 1.173_961_466_562_9];
    split("ball", 3.0, &impacts, &|| small(Ball::new(0.8)));
    split("wall", 2.5, &[0.6, 0.635_492_413_545_112_3, 0.64], &|| {
        small(WallPendulum)
    });
    split("belt", 2.0, &[0.8, 0.85, 1.2], &|| small(Belt { mode: 0 }));
    let sawtooth = Course::Sawtooth {
        force: 5.0,
        period: 1.0,
    };
    split("sawtooth", 2.5, &[0.99, 1.0, 1.01], &|| {
        small(Forced::new(sawtooth))
    });
    let hidden = Hidden::Time(0.913);
    split("hidden", 1.3, &[0.9, 0.913, 0.92], &|| {
        small(Secret {
            hidden,
            force: 40.0,
        })
    });
}

fn small<E: Equations + 'static>(equations: E) -> Box<dyn System> {
    Box::new(Small::new(equations))
}

/// Rows that come into force and go, sticking and slipping, a rope that goes slack, many contacts.
#[test]
fn split_runs_of_models_with_contacts_agree_to_the_last_bit() {
    let model = |text: &str| -> Box<dyn System> {
        let document = text::read(text).unwrap_or_else(|e| panic!("{e:?}"));
        Box::new(assemble(&document.model).unwrap())
    };
    let example = |name: &str| {
        let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
    };
    let (ball, belt) = (example("bouncing_ball"), example("belt"));
    let (clutch, rope) = (example("clutch"), example("slack_rope"));
    split(
        "bouncing_ball",
        2.0,
        &[0.451_523_640_985_730_9, 0.5],
        || model(&ball),
    );
    split("belt", 1.4, &[0.8, 1.2], || model(&belt));
    split("clutch", 10.5, &[9.5, 9.6], || model(&clutch));
    split("rope", 1.4, &[0.481_994_283_461_421_9, 1.3], || {
        model(&rope)
    });
    let balls = Balls {
        space: false,
        count: 8,
        restitution: 0.9,
        friction: 0.0,
        gravity: 0.0,
        start: 0,
    };
    split("balls", 0.6, &[0.3], || model(&balls.text()));
}

/// Two modes that point at each other.
#[derive(Clone)]
struct Relay {
    push: f64,
}

impl Equations for Relay {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("mass", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![0.0], vec![1.0], vec![])
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, _: &At<'_>, f: &mut [f64]) {
        f[0] = self.push;
    }

    fn switches(&self) -> Vec<Switch> {
        vec![Switch::new("relay", Sense::Mode)]
    }

    fn values(&self, s: &State, out: &mut [f64]) {
        out[0] = -self.push * s.v[0];
    }

    fn on_switch(&mut self, _: &[Crossing], _: &mut State) -> After {
        self.push = -self.push;
        After::Restart
    }
}

#[test]
fn chatter_ends_a_run_with_the_name_of_the_switch() {
    for (method, formulation) in METHODS {
        let setup = Setup::new(method, formulation, 2.0, 1e-5);
        let (out, log) = run(&setup, Relay { push: -1.0 });
        let Ending::Failed(failure) = &out.ending else {
            panic!("{method}: {:?}", out.ending);
        };
        assert!((failure.t - 1.0).abs() < 1e-3, "{method}: {}", failure.t);
        assert_eq!(
            failure.cause,
            Cause::Chatter {
                switches: vec!["relay".to_string()],
                events: 20
            }
        );
        assert_eq!(log.happenings[0].name, "relay");
    }
}
