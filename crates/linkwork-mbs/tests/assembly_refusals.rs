//! Assembled mechanisms: what cannot be evaluated or assembled, and in which words.

use linkwork_dae::state::State;
use linkwork_dae::system::{EvalError, System, Terms};
use linkwork_mbs::force::{AppliedForce, SpringDamper};
use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::{Distance, Drive, DryFriction, Fixed, Revolute};
use linkwork_mbs::sensor::AngleSensor;
use linkwork_mbs::{Body, BodyRef, Formula, Model, assemble};

const GROUND: BodyRef = BodyRef::GROUND;

#[test]
fn failures_name_the_element() {
    let mut m = Model::planar("m");
    let a = m.add_body(Body::planar("a", 1.0, 1.0).at([1.0, 0.0]));
    m.add_joint(
        "swing",
        GROUND,
        a,
        Drive::turn(Formula::parse("sqrt(1 - t)").unwrap()),
    );
    let spring = SpringDamper::between(Marker::ORIGIN, Marker::ORIGIN, [1.0, 0.0], Some(0.5));
    m.add_force("coil", GROUND, a, spring);
    let mut sys = assemble(&m).unwrap();
    let mut s = State::new(sys.facts().dims);
    s.q = vec![1.0, 0.0, 0.0];
    let mut fail = |s: &State| {
        let (mut r, mut c) = (vec![0.0; 3], vec![0.0; 1]);
        let mut want = Terms {
            r: Some(&mut r),
            c: Some(&mut c),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want).unwrap_err()
    };
    s.t = 2.0;
    let what = "joint `swing`, prescribed angle".to_string();
    assert_eq!(fail(&s), EvalError::NotFinite { what });
    s.t = 0.0;
    s.q[2] = f64::NAN;
    let what = "body `a`, angle".to_string();
    assert_eq!(fail(&s), EvalError::NotFinite { what });
    s.q = vec![0.0; 3];
    let e = fail(&s).to_string();
    assert!(
        e.contains("force `coil`") && e.contains("length is zero"),
        "{e}"
    );
    s.q = vec![f64::MAX, f64::MAX, 0.0];
    let what = "force `coil`".to_string();
    assert_eq!(fail(&s), EvalError::NotFinite { what });
}

#[test]
fn models_without_meaning_are_refused_in_words() {
    let rigid = |name: &str| Body::planar(name, 1.0, 1.0);
    let refused = |build: &dyn Fn(&mut Model)| {
        let mut m = Model::planar("m");
        build(&mut m);
        assemble(&m).unwrap_err().message
    };
    let twice = refused(&|m| {
        m.add_body(rigid("a"));
        m.add_body(rigid("a"));
    });
    assert_eq!(twice, "two body entries are called `a`");
    let both = refused(&|m| {
        let a = m.add_body(rigid("a"));
        m.add_joint("a", GROUND, a, Revolute::pin([0.0; 2]));
    });
    assert_eq!(both, "a body and a joint are both called `a`");
    let itself = refused(&|m| {
        let a = m.add_body(rigid("a"));
        m.add_joint("j", a, a, Revolute::pin([0.0; 2]));
    });
    assert_eq!(itself, "joint `j` connects `a` with itself");
    let point = refused(&|m| {
        let p = m.add_body(Body::bead("p", 1.0));
        m.add_joint("j", GROUND, p, Fixed::at([0.0; 2]));
    });
    assert_eq!(
        point,
        "joint `j` needs the orientation of `p`, which is a point"
    );
    let beside = refused(&|m| {
        let p = m.add_body(Body::bead("p", 1.0));
        m.add_joint("j", GROUND, p, Revolute::between([0.0; 2], [1.0, 0.0]));
    });
    assert_eq!(beside, "joint `j` attaches beside `p`, which is a point");
    let negative = refused(&|m| {
        m.add_body(Body::planar("a", -1.0, 1.0));
    });
    assert_eq!(
        negative,
        "body `a`: the mass must not be negative, it is -1"
    );
    let foreign = refused(&|m| {
        m.add_joint("j", GROUND, BodyRef::from_index(4), Revolute::pin([0.0; 2]));
    });
    assert_eq!(
        foreign,
        "joint `j` refers to a body that is not in this model"
    );
    let short = refused(&|m| {
        let a = m.add_body(rigid("a"));
        let rod = Distance::between(Marker::ORIGIN, Marker::ORIGIN, None);
        m.add_joint("j", GROUND, a, rod);
    });
    assert_eq!(
        short,
        "joint `j`: the length must be greater than zero, it is 0"
    );
    let driving = refused(&|m| {
        let a = m.add_body(rigid("a"));
        let brake = DryFriction {
            coulomb: Formula::constant(-1.0),
            static_ratio: 1.0,
            ..DryFriction::default()
        };
        m.add_joint("j", GROUND, a, brake);
    });
    assert_eq!(
        driving,
        "joint `j`: the coulomb must not be negative, it is -1"
    );
    let useless = refused(&|m| {
        m.add_force(
            "f",
            GROUND,
            GROUND,
            AppliedForce::constant([0.0; 2], [1.0, 0.0]),
        );
    });
    assert_eq!(
        useless,
        "force `f` acts on the ground, where it has no effect"
    );
    let clash = refused(&|m| {
        let a = m.add_body(rigid("a"));
        m.add_sensor("a.x", GROUND, a, AngleSensor::turn());
    });
    assert_eq!(clash, "two outputs would be called `a.x`");
}
