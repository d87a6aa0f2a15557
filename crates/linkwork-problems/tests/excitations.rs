//! What models declare as excitations, and how blocks follow them.

mod excited;

use excited::{IN_SPACE, built_in, explicit, in_joints, model};
use linkwork_dae::jacobian::JacobianStrategy;
use linkwork_dae::jacobian::by_differences::{ByDifferences, Columns};
use linkwork_dae::jacobian::renewal::Renewal;
use linkwork_dae::state::{State, Tolerances, Weights};
use linkwork_dae::system::{At, Blocks, Excitations, Part, Parts, System, Terms};
use linkwork_mbs::tree::JointCoordinates;

/// Blocks that are differenced.
const DIFFERENCED: [Part; 7] = [
    Part::Rq,
    Part::Rv,
    Part::Rx,
    Part::CVq,
    Part::Fq,
    Part::Fv,
    Part::Fx,
];

fn stage_form(sys: &mut dyn System) -> &mut dyn System {
    sys.stage_form_mut().unwrap()
}

fn names(sys: &dyn System) -> Vec<String> {
    let list = sys.facts().excitations.iter();
    list.map(|e| e.name.clone()).collect()
}

/// A state beside the start that moves, accelerates and is loaded.
fn somewhere(sys: &dyn System) -> State {
    let guess = sys.facts().guess.clone();
    let mut s = State::new(sys.dims());
    let wave = |i: usize| (1.0 + 2.3 * i as f64).sin();
    s.t = 0.3;
    for (i, q) in s.q.iter_mut().enumerate() {
        *q = guess.q[i] + 0.1 * wave(i);
    }
    for values in [&mut s.v, &mut s.a, &mut s.lambda, &mut s.x] {
        for (i, x) in values.iter_mut().enumerate() {
            *x = wave(i + 3);
        }
    }
    s
}

/// How blocks that follow differ at another time from the reference, at the same state.
fn followed(sys: &mut dyn System, s: &State, t: f64) -> Blocks {
    let mut w = Weights::new(sys, &Tolerances::relative(1e-6));
    w.start(s);
    let mut strategy = ByDifferences::new(Columns::Grouped, Renewal::Ladder, true);
    strategy.bind(sys, Parts::ALL);
    let mut reference = Blocks::new(sys.patterns());
    let fill =
        |strategy: &mut ByDifferences, sys: &mut dyn System, at: &At<'_>, parts, out: &mut _| {
            let none = &mut Terms::default();
            strategy.fill(sys, at, none, parts, &w, out).unwrap()
        };
    fill(&mut strategy, sys, &s.at(), Parts::ALL, &mut reference);
    let mut out = reference.clone();
    let later = At { t, ..s.at() };
    let kept = Parts::from(Part::Mass) | Part::Cq;
    let effort = fill(&mut strategy, sys, &later, kept, &mut out);
    assert!(effort.followed);
    for part in DIFFERENCED {
        for (x, y) in out[part].iter_mut().zip(&reference[part]) {
            *x -= y;
        }
    }
    out
}

fn exact(sys: &mut dyn System, at: &At<'_>) -> Blocks {
    let mut out = Blocks::new(sys.patterns());
    let all = DIFFERENCED.into_iter().fold(Parts::NONE, |p, x| p | x);
    sys.linearise(at, &mut Terms::default(), all, &mut out)
        .unwrap();
    out
}

/// Adds a multiple of the exact blocks at a point.
fn add(sum: &mut Blocks, factor: f64, sys: &mut dyn System, at: &At<'_>) {
    let other = exact(sys, at);
    for part in DIFFERENCED {
        for (x, y) in sum[part].iter_mut().zip(&other[part]) {
            *x += factor * y;
        }
    }
}

/// Slopes are one-sided differences of differences. With increments of `eps^(1/5)`, 7e-4, they carry a
/// curvature of that order and a rounding of some ten `sqrt(eps)` over it, 2e-4, relative to the blocks;
/// what is below 32 `sqrt(eps)` over it, 6e-4, is dropped.
fn assert_close(what: &str, is: &Blocks, should: &Blocks, blocks: &Blocks) {
    let largest = |b: &[f64]| b.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let mut seen = false;
    for part in DIFFERENCED {
        // exact blocks that vanish leave roundings of their differences over increments of 1e-5
        let size = largest(&blocks[part]).max(largest(&should[part])).max(1e-8);
        seen |= largest(&should[part]) > 0.05 * size && size > 0.0;
        for (k, (x, y)) in is[part].iter().zip(&should[part]).enumerate() {
            assert!(
                (x - y).abs() <= 2e-3 * size,
                "{what}, {part:?} {k}: {x} {y} of {size}"
            );
        }
    }
    assert!(seen, "{what}: nothing follows");
}

/// A slider that is driven along a turning arm, springs to the ground beyond it. Coordinates: arm,
/// slider, hand.
const IN_PLANE: &str = r#"
[model]
gravity = [0, -9.81]
[[body]]
name = "arm"
mass = 3
inertia = 0.4
position = [0.5, 0]
[[body]]
name = "slider"
mass = 2
inertia = 0.1
position = [1, 0]
[[body]]
name = "hand"
mass = 1
inertia = 0.05
position = [1.3, 0.2]
[[joint]]
kind = "revolute"
name = "shoulder"
body_b = "arm"
at = [0, 0]
[[joint]]
kind = "prismatic"
name = "guide"
body_a = "slider"
body_b = "arm"
at = [1, 0]
axis = [1, 0]
[[joint]]
kind = "drive"
quantity = "displacement"
name = "feed"
body_a = "arm"
body_b = "slider"
at = [1, 0]
axis = [1, 0]
value = "0.2*sin(t)"
[[joint]]
kind = "revolute"
name = "wrist"
body_a = "slider"
body_b = "hand"
at = [1, 0]
[[force]]
kind = "spring_damper"
name = "spring"
body_b = "hand"
at_a = [1.3, 2]
at_b = [1.3, 0.2]
stiffness = 4000
damping = 30
"#;

/// Blocks follow a driven joint as exact blocks do where the joint itself is moved, speeds,
/// accelerations and reactions as they are; in both formalisms, with the joint given either way round.
#[test]
fn blocks_follow_driven_joints() {
    let h = 1e-5;
    // The guide goes from the slider to the arm: its coordinate is the feed all the same, or minus it.
    for (what, source, coordinate, t) in [("plane", IN_PLANE, 1, 1.5), ("space", IN_SPACE, 0, 0.5)]
    {
        let model = model(source);
        let (mut plain, mut divided) = (in_joints(&model), explicit(&model));
        let systems: [(&str, &mut dyn System); 2] = [
            ("residual", &mut plain),
            ("explicit", stage_form(&mut divided)),
        ];
        for (formalism, sys) in systems {
            let s = somewhere(sys);
            let change = |sys: &mut dyn System| {
                let count = sys.facts().excitations.len();
                let mut u = [vec![0.0; count], vec![0.0; count]];
                let excitations = sys.excitations().unwrap();
                excitations.excitation(s.t, &mut u[0]);
                excitations.excitation(t, &mut u[1]);
                u[1][0] - u[0][0]
            };
            // du of the drive is du / factor of the joint
            let factor = {
                let mut c = [vec![0.0; sys.dims().nc], vec![0.0; sys.dims().nc]];
                let mut q = s.q.clone();
                for c in &mut c {
                    let mut want = Terms {
                        c: Some(c),
                        ..Terms::default()
                    };
                    sys.eval(&At { q: &q, ..s.at() }, &mut want).unwrap();
                    q[coordinate] += 1.0;
                }
                c[1][0] - c[0][0]
            };
            assert!((factor.abs() - 1.0).abs() < 1e-12, "{what}: {factor}");
            let du = change(sys);
            let mut should = Blocks::new(sys.patterns());
            for side in [1.0, -1.0] {
                let mut q = s.q.clone();
                q[coordinate] += side * h / factor;
                let factor = side * du / (2.0 * h);
                add(&mut should, factor, sys, &At { q: &q, ..s.at() });
            }
            let is = followed(sys, &s, t);
            let blocks = exact(sys, &s.at());
            let what = format!("{what}, {formalism}");
            assert_close(&what, &is, &should, &blocks);
        }
    }
}

/// Forces of time in space: all inputs that vary, in every kind of coordinates.
#[test]
fn blocks_follow_forces_of_time_in_space() {
    let source = r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "plate"
mass = 2
inertia = [0.2, 0.3, 0.4]
position = [1, 0, 0]
[[joint]]
kind = "spherical"
name = "pivot"
body_b = "plate"
at = [0, 0, 0]
[[force]]
kind = "force"
name = "thrust"
body_b = "plate"
point = [0.4, 0.1, -0.3]
x = "3 + 20*sin(2*t)"
y = 7
z = "50*cos(t)"
[[force]]
kind = "line_force"
name = "winch"
body_b = "plate"
at_a = [2, 0, 3]
at_b = [1.5, 0.2, 0]
force = "40 + 30*t"
[[force]]
kind = "torque"
name = "twist"
body_b = "plate"
axis = [0, 0, 1]
torque = "5*t"
"#;
    let expected = [
        "force `thrust`, x",
        "force `thrust`, z",
        "force `winch`, force",
        "force `twist`, torque",
    ];
    let plain = model(source);
    let euler = source.replace(
        "planar = false",
        "planar = false\nrotation = \"euler-parameters\"",
    );
    let euler = model(&euler);
    let mut divided = explicit(&plain);
    let systems: [(&str, &mut dyn System); 4] = [
        ("vectors", &mut *linkwork_mbs::system(&plain).unwrap()),
        ("parameters", &mut *linkwork_mbs::system(&euler).unwrap()),
        ("joints", &mut in_joints(&plain)),
        ("explicit", stage_form(&mut divided)),
    ];
    for (what, sys) in systems {
        assert_eq!(names(sys), expected, "{what}");
        let mut s = somewhere(sys);
        if what == "parameters" {
            s.q.copy_from_slice(&sys.facts().guess.q);
        }
        let later = 1.1;
        let mut should = exact(sys, &At { t: later, ..s.at() });
        add(&mut should, -1.0, sys, &s.at());
        let is = followed(sys, &s, later);
        let blocks = exact(sys, &s.at());
        assert_close(what, &is, &should, &blocks);
        // nothing is left off its value
        let mut u = [0.0; 4];
        sys.excitations().unwrap().excitation(0.0, &mut u);
        assert_eq!(u, [3.0, 50.0, 40.0, 0.0]);
    }
}

/// A drive counts where it is one coordinate of the tree, and only there: not in absolute coordinates,
/// not across two joints, not when its value is constant, and once.
#[test]
fn drives_count_where_they_are_a_coordinate() {
    let plane = model(IN_PLANE);
    assert_eq!(names(&*linkwork_mbs::system(&plane).unwrap()).len(), 0);
    assert_eq!(names(&in_joints(&plane)), ["drive `feed`"]);
    assert_eq!(names(&explicit(&plane)), ["drive `feed`"]);
    // cut, the guide is an equation, and the slider a body that floats
    let cut = JointCoordinates::new(&plane, &["guide".into()]).unwrap();
    assert!(names(&cut).is_empty(), "{:?}", names(&cut));

    let across = IN_PLANE.replace(
        "quantity = \"displacement\"\nname = \"feed\"\nbody_a = \"arm\"\nbody_b = \"slider\"",
        "quantity = \"angle\"\nname = \"feed\"\nbody_a = \"arm\"\nbody_b = \"hand\"",
    );
    let across = across.replace("at = [1, 0]\naxis = [1, 0]\nvalue", "value");
    // arm and hand turn by the wrist alone: the slider does not turn
    assert_eq!(names(&in_joints(&model(&across))), ["drive `feed`"]);
    let from_ground = across.replace("body_a = \"arm\"\nbody_b = \"hand\"", "body_b = \"hand\"");
    assert!(names(&in_joints(&model(&from_ground))).is_empty());

    let steady = IN_PLANE.replace("0.2*sin(t)", "0.2");
    assert!(names(&in_joints(&model(&steady))).is_empty());

    let again = IN_SPACE.replace(
        "[[force]]",
        "[[joint]]\nkind = \"drive\"\nname = \"again\"\nbody_b = \"mast\"\naxis = [0, 0, 1]\n\
         value = \"0.5*t^2\"\n[[force]]",
    );
    assert_eq!(names(&in_joints(&model(&again))), ["drive `motor`"]);

    // the legs of a platform: sliders between universal and ball joints, all in loops but one
    assert_eq!(names(&in_joints(&built_in("stewart"))).len(), 6);
    assert_eq!(
        names(&in_joints(&built_in("passenger_car"))),
        ["drive `steering`"]
    );
}

/// Displacements of a prescribed motion are coordinates of a body that floats on the ground; its
/// rotation vector is none.
#[test]
fn displacements_of_a_motion_count() {
    let source = r#"
[model]
planar = false
[[body]]
name = "table"
mass = 5
inertia = [1, 1, 1]
[[joint]]
kind = "motion"
name = "shaker"
body_b = "table"
x = "0.1*sin(t)"
z = "0.2*t"
gamma = "0.1*t"
"#;
    let sys = in_joints(&model(source));
    let expected = [
        "motion `shaker`, prescribed x",
        "motion `shaker`, prescribed z",
    ];
    assert_eq!(names(&sys), expected);
}

/// Formulas that name signals depend on the state: they stay out, and those beside them in the same force
/// do not.
#[test]
fn formulas_with_signals_stay_out() {
    let source = r#"
[model]
[[body]]
name = "plate"
mass = 2
inertia = 0.3
[[sensor]]
kind = "point"
name = "tip"
body = "plate"
[[force]]
kind = "force"
name = "push"
body_b = "plate"
point = [0.4, 0.1]
x = "3 - 20*tip.x"
y = "5*sin(t)"
[[force]]
kind = "torque"
name = "servo"
body_b = "plate"
torque = "tip.y*t"
"#;
    let model = model(source);
    let mut sys = linkwork_mbs::system(&model).unwrap();
    assert_eq!(names(&*sys), ["force `push`, y"]);
    // moved by 2 N, the force is 2 N more, signals as they are
    let s = somewhere(&*sys);
    let mut r = [vec![0.0; 3], vec![0.0; 3]];
    for (r, offset) in r.iter_mut().zip([0.0, 2.0]) {
        let excitations = sys.excitations().unwrap();
        excitations.offset_excitations(&[offset]);
        let mut want = Terms {
            r: Some(r),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want).unwrap();
    }
    assert!((r[1][0] - r[0][0]).abs() < 1e-12);
    assert!((r[1][1] - r[0][1] + 2.0).abs() < 1e-12);
}

/// A moved drive moves with its joint: its equation keeps its residual.
#[test]
fn a_drive_moves_with_its_joint() {
    for source in [IN_PLANE, IN_SPACE] {
        let mut sys = in_joints(&model(source));
        let s = somewhere(&sys);
        let mut c = [
            vec![0.0; sys.facts().dims.nc],
            vec![0.0; sys.facts().dims.nc],
        ];
        for (c, offset) in c.iter_mut().zip([0.0, 0.05]) {
            sys.offset_excitations(&[offset]);
            let mut want = Terms {
                c: Some(c),
                ..Terms::default()
            };
            sys.eval(&s.at(), &mut want).unwrap();
        }
        assert!((c[0][0] - c[1][0]).abs() < 1e-14, "{c:?}");
        assert!(c[0][0].abs() > 1e-3, "the state is off the drive");
    }
}
