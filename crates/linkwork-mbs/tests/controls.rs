//! Assemblies with controls: blocks against differences, words, refusals, clocks.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]

mod numbers;

use linkwork_dae::state::State;
use linkwork_dae::system::{After, Blocks, Part, Parts, Row, System, Terms, TimeEvents};
use linkwork_mbs::control::{
    CONTROLS, Control, ControlTerms, Equation, Filter, Linear, Pid, SampledPid, SampledStateSpace,
    StateSpace, Transfer,
};
use linkwork_mbs::force::{AppliedForce, SpringDamper, Torque};
use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::Revolute;
use linkwork_mbs::sensor::{AngleSensor, DistanceSensor, PointSensor};
use linkwork_mbs::{Assembly, Body, BodyRef, Formula, Model, assemble, text};
use numbers::Numbers;

const GROUND: BodyRef = BodyRef::GROUND;

fn f(text: &str) -> Formula {
    Formula::parse_with_signals(text).unwrap()
}

/// Two bodies and a point under every kind of control, cascaded, through every kind of sensor.
fn loops() -> Model {
    let mut m = Model::planar("loops").gravity([0.0, -9.81]);
    let a = m.add_body(Body::planar("a", 1.2, 0.4).at([0.5, 0.1]).turned(0.2));
    let b = m.add_body(Body::planar("b", 0.7, 0.1).at([1.4, -0.3]).turned(-0.7));
    let p = m.add_body(Body::bead("p", 0.3).at([2.0, 0.5]));
    m.add_joint("hinge", GROUND, a, Revolute::pin([0.0, 0.0]));
    m.add_joint("knee", a, b, Revolute::pin([1.0, 0.2]));
    let spring = SpringDamper::between(
        Marker::body([0.2, -0.1]),
        Marker::ORIGIN,
        [40.0, 3.0],
        Some(0.6),
    );
    m.add_force("spring", b, p, spring);
    let point = Marker::body([0.3, 0.2]);
    m.add_sensor("tip", GROUND, b, PointSensor::at(point));
    m.add_sensor("bend", b, a, AngleSensor::turn());
    m.add_sensor("gap", p, a, DistanceSensor::between(Marker::ORIGIN, point));
    m.add_control(
        "pid",
        Pid::new(f("bend + 0.1*lag"), f("sin(t)"), [8.0, 3.0, 0.5]).limited(4.0),
    );
    m.add_control(
        "lag",
        Filter {
            input: f("pid*cos(gap) + gap.velocity"),
            time: 0.1,
            gain: 1.5,
            start: Some(0.3),
        },
    );
    m.add_control(
        "lead",
        Transfer::new(f("tip.y.velocity - lag"), vec![2.0, 1.0], vec![0.2, 1.0]),
    );
    m.add_control(
        "observer",
        StateSpace {
            inputs: vec![f("a.angle*b.y.velocity"), f("lead + hold.2")],
            law: Linear {
                a: vec![vec![-1.0, 0.5], vec![0.2, -2.0]],
                b: vec![vec![1.0, 0.3], vec![-0.4, 1.0]],
                c: vec![vec![1.0, 0.0], vec![0.5, -1.0]],
                d: vec![vec![0.2, 0.0], vec![0.0, 0.7]],
            },
            start: vec![0.1, 0.2],
        },
    );
    m.add_control(
        "soft",
        Equation {
            residual: f("observer.1 + tip.x*p.y - soft - soft^3/10 + other"),
            start: 0.1,
        },
    );
    // an algebraic loop of two equations is solved, not refused
    m.add_control(
        "other",
        Equation {
            residual: f("0.3*soft - other"),
            start: 0.0,
        },
    );
    m.add_control(
        "hold",
        SampledStateSpace {
            inputs: vec![f("gap")],
            law: Linear {
                a: vec![vec![0.5]],
                b: vec![vec![1.0]],
                c: vec![vec![1.0], vec![0.0]],
                d: vec![vec![0.0], vec![2.0]],
            },
            start: vec![0.25],
            sample_time: 0.1,
        },
    );
    m.add_control(
        "clock",
        SampledPid {
            input: f("bend"),
            target: f("0.1*t"),
            sample_time: 0.3,
            kp: 5.0,
            ki: 1.0,
            kd: 0.2,
            limit: None,
        },
    );
    m.add_force(
        "motor",
        a,
        b,
        Torque::about([0.0, 0.0, 1.0], f("lag + 0.2*pid*soft")),
    );
    let push = |body_fixed| AppliedForce {
        point: Marker::body([0.2, 0.4]),
        force: [
            f("observer.2 + hold.1*lead"),
            f("3*bend.velocity*tip.x.velocity"),
            Formula::constant(0.0),
        ],
        body_fixed,
        flat: false,
    };
    m.add_force("push", GROUND, b, push(true));
    m.add_force("pull", GROUND, a, push(false));
    let on_point = AppliedForce {
        point: Marker::ORIGIN,
        force: [f("-2*p.x + clock"), f("gap"), Formula::constant(0.0)],
        body_fixed: false,
        flat: false,
    };
    m.add_force("draw", GROUND, p, on_point);
    m
}

fn random_state(sys: &Assembly, n: &mut Numbers) -> State {
    let mut s = State::new(sys.facts().dims);
    s.t = n.next();
    s.q = sys.facts().guess.q.clone();
    for q in &mut s.q {
        *q += 0.2 * n.next();
    }
    let rest = (s.v.iter_mut().chain(&mut s.a))
        .chain(&mut s.lambda)
        .chain(&mut s.x);
    for x in rest {
        *x = n.next();
    }
    s
}

/// `r` and `f`.
fn residuals(sys: &mut Assembly, s: &State) -> [Vec<f64>; 2] {
    let d = sys.facts().dims;
    let (mut r, mut f) = (vec![0.0; d.nv], vec![0.0; d.nx]);
    let mut want = Terms {
        r: Some(&mut r),
        f: Some(&mut f),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    [r, f]
}

/// Central differences with increment 1e-6 of residuals of order 10 to 100: rounding leaves 1e-8,
/// the third derivatives of the saturated controller (limit 4, corners of 2 %) some 1e-7.
#[test]
fn blocks_equal_central_differences() {
    const H: f64 = 1e-6;
    let mut n = Numbers(3);
    let mut sys = assemble(&loops()).unwrap();
    let d = sys.facts().dims;
    assert_eq!(d.nx, 2 + 1 + 1 + 2 + 1 + 1);
    for round in 0..6 {
        let mut s = random_state(&sys, &mut n);
        if round > 2 {
            // with something in the memory
            sys.on_time_event(&mut s).unwrap();
        }
        let mut blocks = Blocks::new(&sys.facts().patterns);
        sys.linearise(&s.at(), &mut Terms::default(), Parts::ALL, &mut blocks)
            .unwrap();
        for (part, which, by) in [
            (Part::Rq, 0, 'q'),
            (Part::Rv, 0, 'v'),
            (Part::Rx, 0, 'x'),
            (Part::Fq, 1, 'q'),
            (Part::Fv, 1, 'v'),
            (Part::Fx, 1, 'x'),
        ] {
            let columns = if by == 'x' { d.nx } else { d.nv };
            let rows = if which == 0 { d.nv } else { d.nx };
            let mut exact = vec![vec![0.0; columns]; rows];
            for (&(i, j), x) in sys.facts().patterns[part].iter().zip(&blocks[part]) {
                exact[i as usize][j as usize] += x;
            }
            assert!(exact.iter().flatten().any(|x| *x != 0.0), "{part:?}");
            for j in 0..columns {
                let mut shifted = |h: f64| {
                    let mut s = s.clone();
                    match by {
                        'q' => s.q[j] += h,
                        'v' => s.v[j] += h,
                        _ => s.x[j] += h,
                    }
                    residuals(&mut sys, &s)[which].clone()
                };
                let (hi, lo) = (shifted(H), shifted(-H));
                for i in 0..rows {
                    let slope = (hi[i] - lo[i]) / (2.0 * H);
                    let got = exact[i][j];
                    assert!(
                        (got - slope).abs() < 2e-6 * (1.0 + slope.abs()),
                        "{part:?}[{i}][{j}]: {got} instead of {slope}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_copy_agrees_and_keeps_a_memory_of_its_own() {
    let mut sys = assemble(&loops()).unwrap();
    let mut s = random_state(&sys, &mut Numbers(4));
    s.t = 0.0;
    sys.reset();
    assert_eq!(sys.on_time_event(&mut s), Ok(After::Restart));
    let mut copy = sys.fork();
    let observe = |sys: &mut dyn System, s: &State| {
        let mut out = vec![0.0; sys.channels().len()];
        sys.observe(s, &mut out);
        out
    };
    let before = observe(&mut sys, &s);
    assert_eq!(observe(&mut *copy, &s), before);
    s.t = 0.3;
    copy.time_events().unwrap().on_time_event(&mut s).unwrap();
    assert_ne!(observe(&mut *copy, &s), observe(&mut sys, &s));
    // back to the start: the same samples again
    s.t = 0.0;
    copy.reset();
    copy.time_events().unwrap().on_time_event(&mut s).unwrap();
    assert_eq!(observe(&mut *copy, &s), before);
}

#[test]
fn clocks_tick_together_where_they_meet() {
    let mut sys = assemble(&loops()).unwrap();
    let mut instants = vec![];
    let mut t = 0.0;
    while let Some(next) = sys.next_time_event(t).filter(|t| *t < 1.05) {
        assert!(next > t);
        instants.push(next);
        t = next;
    }
    // every third tick of 0.1 is one of 0.3, although 3 * 0.1 is not 0.3
    assert_eq!(instants.len(), 10);
    for (k, t) in (1..).zip(&instants) {
        let own = f64::from(k) * 0.1;
        assert!(*t == own || *t == f64::from(k / 3) * 0.3, "{t}");
    }
    // both sample at the common instant
    let mut s = random_state(&sys, &mut Numbers(5));
    sys.reset();
    s.t = 0.0;
    sys.on_time_event(&mut s).unwrap();
    let read = |sys: &mut Assembly, s: &State, name: &str| {
        let k = sys
            .facts()
            .channels
            .iter()
            .position(|c| c.name == name)
            .unwrap();
        let mut out = vec![0.0; sys.facts().channels.len()];
        sys.observe(s, &mut out);
        out[k]
    };
    let clock = read(&mut sys, &s, "clock");
    for (t, moves) in [(0.1, false), (0.2, false), (instants[2], true)] {
        s.t = t;
        s.q[2] += 0.1;
        let hold = read(&mut sys, &s, "hold.1");
        sys.on_time_event(&mut s).unwrap();
        assert_ne!(read(&mut sys, &s, "hold.1"), hold);
        assert_eq!(read(&mut sys, &s, "clock") != clock, moves, "{t}");
    }
}

#[test]
fn states_have_names() {
    let sys = assemble(&loops()).unwrap();
    assert_eq!(
        sys.facts().names.describe(Row::State(0)),
        "control `pid`, integral"
    );
    assert_eq!(
        sys.facts().names.describe(Row::State(1)),
        "control `pid`, derivative filter"
    );
    assert_eq!(
        sys.facts().names.describe(Row::State(5)),
        "control `observer`, state 2"
    );
    assert_eq!(sys.facts().names.owner(Row::State(6)), "soft");
    let differential = sys.facts().differential.clone();
    assert_eq!(differential[5..], [true, false, false]);
    let names: Vec<&str> = sys
        .facts()
        .channels
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    for name in ["pid", "observer.1", "observer.2", "hold.2", "clock"] {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn a_nan_names_its_control() {
    let mut m = loops();
    m.add_control(
        "root",
        Filter {
            input: f("sqrt(gap - 100)"),
            time: 1.0,
            gain: 1.0,
            start: Some(0.0),
        },
    );
    let mut sys = assemble(&m).unwrap();
    let s = random_state(&sys, &mut Numbers(6));
    let mut out = vec![0.0; sys.facts().dims.nx];
    let mut want = Terms {
        f: Some(&mut out),
        ..Terms::default()
    };
    let e = sys.eval(&s.at(), &mut want).unwrap_err();
    assert_eq!(e.to_string(), "control `root`, its input is not finite");
}

fn with<const N: usize>(controls: [(&str, Box<dyn Control>); N]) -> String {
    let mut m = Model::planar("small");
    m.add_body(Body::bead("p", 1.0));
    for (name, control) in controls {
        m.add_control(name, control);
    }
    assemble(&m).err().map_or("fine".into(), |e| e.message)
}

#[test]
fn algebraic_loops_are_refused_by_name() {
    let gain =
        |input: &str| -> Box<dyn Control> { Pid::new(f(input), f("p.x"), [2.0, 0.0, 0.0]).into() };
    let lag = |input: &str| -> Box<dyn Control> {
        Filter {
            input: f(input),
            time: 0.1,
            gain: 1.0,
            start: None,
        }
        .into()
    };
    assert_eq!(
        with([("one", gain("2*one"))]),
        "the output of control `one` depends on itself at the same instant"
    );
    assert_eq!(
        with([
            ("one", gain("three")),
            ("two", gain("one")),
            ("three", gain("two"))
        ]),
        "the outputs of controls `three`, `two`, `one` depend on each other at the same instant"
    );
    assert_eq!(
        with([
            ("one", gain("three")),
            ("two", lag("one")),
            ("three", gain("two"))
        ]),
        "fine"
    );
    assert_eq!(
        with([("one", gain("p.z"))]),
        "control `one`: there is no signal `p.z`"
    );
    assert_eq!(
        with([("sin", gain("1"))]),
        "a control cannot be called `sin`"
    );
}

#[test]
fn parameters_without_meaning_are_refused() {
    let bad: Vec<(Box<dyn Control>, &str)> = vec![
        (
            Transfer::new(f("1"), vec![1.0, 0.0, 0.0], vec![1.0, 1.0]).into(),
            "degree of the numerator",
        ),
        (
            Transfer::new(f("1"), vec![1.0], vec![0.0]).into(),
            "denominator",
        ),
        (
            StateSpace {
                inputs: vec![f("1")],
                law: Linear {
                    a: vec![vec![1.0, 2.0]],
                    b: vec![vec![1.0]],
                    c: vec![vec![1.0]],
                    d: vec![vec![0.0]],
                },
                start: vec![0.0],
            }
            .into(),
            "`a` must have 1 rows of 1 numbers",
        ),
    ];
    for (control, words) in bad {
        let mut m = Model::planar("m");
        m.add_body(Body::bead("p", 1.0));
        m.add_control("c", control);
        let message = assemble(&m).unwrap_err().message;
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn every_kind_reads_back_what_it_wrote() {
    let mut n = Numbers(7);
    let mut m = loops();
    for round in 0..5 {
        for entry in CONTROLS {
            let control = entry.example_of(&mut || n.next(), Some(f("2*bend - gap.velocity")));
            m.add_control(format!("{}_{round}", entry.kind), control);
        }
    }
    m.controls[0].scale = 3.5;
    let written = text::write(&m);
    let read = text::read(&written).unwrap_or_else(|e| panic!("{e:#?}\n{written}"));
    assert_eq!(text::write(&read.model), written);
}

#[test]
fn complaints_point_at_the_signal() {
    let source = r#"
[[body]]
name = "p"
kind = "point"
mass = 1
[[control]]
name = "pull"
kind = "filter"
input = "2*p.vx"
time = "10 ms"
[[force]]
name = "hand"
kind = "force"
body_b = "p"
x = "pul"
"#;
    let errors = text::read(source).unwrap_err();
    let shown: Vec<(&str, &str, &str)> = (errors.iter())
        .map(|e| {
            (
                e.message.as_str(),
                &source[e.span.clone().unwrap()],
                e.label.as_str(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (
                "control `pull`: there is no signal `p.vx`",
                "p.vx",
                "did you mean `p.x`?"
            ),
            (
                "force `hand`: there is no signal `pul`",
                "pul",
                "did you mean `pull`?"
            ),
        ]
    );
}

/// Central differences of the laws themselves with increment 1e-6: rounding 1e-10 times their
/// size, which is about 10.
#[test]
fn derivatives_equal_differences() {
    const H: f64 = 1e-6;
    let mut seed = 0.37;
    for entry in CONTROLS {
        for _ in 0..20 {
            let mut draw = || {
                seed = (seed * 7.31 + 0.377) % 1.0;
                2.0 * seed - 1.0
            };
            let control = entry.example_of(&mut draw, Some(Formula::constant(0.0)));
            let (n, m) = (control.states().len(), control.inputs().len());
            let p = control.outputs();
            // inputs, then states
            let at: Vec<f64> = (0..m + n).map(|_| draw()).collect();
            let eval = |at: &[f64]| {
                let (u, x) = at.split_at(m);
                let mut t = ControlTerms::new(n, m, p);
                control.output(u, x, &mut t);
                control.rates(u, x, &mut t);
                t
            };
            let here = eval(&at);
            for j in 0..m + n {
                let moved = |by: f64| {
                    let mut at = at.clone();
                    at[j] += by;
                    eval(&at)
                };
                let (hi, lo) = (moved(H), moved(-H));
                let (f, y, column, width) = match j.checked_sub(m) {
                    None => (&here.f_u, &here.y_u, j, m),
                    Some(j) => (&here.f_x, &here.y_x, j, n),
                };
                for (hi, lo, exact) in [(&hi.f, &lo.f, f), (&hi.y, &lo.y, y)] {
                    for (i, (hi, lo)) in hi.iter().zip(lo).enumerate() {
                        let d = (hi - lo) / (2.0 * H);
                        let off = (d - exact[i * width + column]).abs();
                        assert!(off < 1e-7 * (1.0 + d.abs()), "{control:?}");
                    }
                }
            }
            if !control.feedthrough() {
                assert!(here.y_u.iter().all(|d| *d == 0.0), "{control:?}");
                let mut blind = ControlTerms::new(n, m, p);
                control.output(&vec![f64::NAN; m], &at[m..], &mut blind);
                assert_eq!(blind.y, here.y, "{control:?}");
            }
        }
    }
}
