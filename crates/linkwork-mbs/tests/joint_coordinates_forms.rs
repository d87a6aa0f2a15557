//! Forms of the equations in joint coordinates against each other: explicit against residual, relations
//! along the tree against stored blocks.

// Published values keep their published digits.
#![allow(clippy::excessive_precision)]

mod frames;
mod jointed;
mod mechanism;

use frames::Numbers;
use jointed::{models, random_state, values};
use linkwork_dae::formulation::index3::Scaling;
use linkwork_dae::formulation::{Formulation, Matrix};
use linkwork_dae::implicit::Implicit;
use linkwork_dae::jacobian::JACOBIANS;
use linkwork_dae::linear::SparseLu;
use linkwork_dae::state::{Link, State};
use linkwork_dae::system::{Part, Rows, System, Terms};
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::tree::{Explicit, JointCoordinates};
use linkwork_mbs::{Model, text};
use mechanism::accelerate;

/// The explicit form is the residual one divided by the mass matrix: `M r_explicit = r`, at any point.
#[test]
fn explicit_form_is_divided_by_the_mass_matrix() {
    // random amplitudes are far beyond what shapes are for: formalisms of flexible bodies are compared in runs
    let rigid = |(name, _): &(&str, Model)| !name.starts_with("flexible");
    for (name, model) in models().into_iter().filter(rigid) {
        let sys = JointCoordinates::new(&model, &[]).expect(name);
        let mut explicit = Explicit::new(sys).expect(name);
        let mut n = Numbers(17);
        let s = random_state(&explicit, &mut n);
        let d = explicit.facts().dims;
        let system: &mut dyn System = &mut explicit;
        let form = system.stage_form_mut().expect("explicit");
        let divided = values(form, &s).r;
        let residual = values(&mut explicit, &s).r;
        let mut mass = vec![0.0; explicit.facts().patterns[Part::Mass].len()];
        let mut want = Terms {
            mass: Some(&mut mass),
            ..Terms::default()
        };
        explicit.eval(&s.at(), &mut want).expect(name);
        let mut product = vec![0.0; d.nv];
        for (&(i, j), m) in explicit.facts().patterns[Part::Mass].iter().zip(&mass) {
            product[i as usize] += m * divided[j as usize];
        }
        let size = residual.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (a, b) in product.iter().zip(&residual) {
            // the mass matrices of these models have condition numbers below 1e5
            assert!((a - b).abs() < 1e-10 * size, "{name}: {a} but {b}");
        }
    }
}

/// Models of the folder, too.
fn every_model() -> Vec<(String, Model)> {
    let own = models().into_iter().map(|(name, m)| (name.to_string(), m));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let files = std::fs::read_dir(folder).expect("the folder of models");
    let mut files: Vec<_> = files.map(|f| f.expect("readable").path()).collect();
    // in any state wheels would leave their rails
    let on_rails = |name: &std::ffi::OsStr| name == "wheelset" || name == "carriage";
    let rolls = |f: &std::path::Path| f.file_stem().is_some_and(on_rails);
    files.retain(|f| f.extension().is_some_and(|e| e == "toml") && !rolls(f));
    files.sort();
    let read = files.into_iter().map(|f| {
        let text = std::fs::read_to_string(&f).expect("readable");
        let name = f.file_stem().expect("a name").to_string_lossy().to_string();
        (name, text::read(&text).expect("sound").model)
    });
    own.chain(read).collect()
}

/// What is solved with relations along the tree solves the equations with stored blocks, to rounding:
/// the residual is compared with the sum of its terms. Steps, a chart that bends, constraints of all
/// sorts and states are in every matrix.
#[test]
fn relations_along_the_tree_are_the_stored_blocks() {
    let link = Link {
        qdot: 13.0,
        vdot: 17.0,
    };
    for (name, model) in every_model() {
        let mut forms = [Form::Stored, Form::Augmented]
            .map(|form| JointCoordinates::in_form(&model, &[], form).expect(&name));
        let mut n = Numbers(19);
        let s = random_state(&forms[0], &mut n);
        let formulations: [fn() -> Formulation; 4] = [
            Formulation::ggl,
            || Formulation::index3(Scaling::Both),
            || Formulation::index3(Scaling::Right),
            || Formulation::index3(Scaling::None),
        ];
        for (index, build) in formulations.into_iter().enumerate() {
            let rows = Rows::all(forms[0].facts().dims);
            let mut numbers = Numbers(23);
            let [stored, augmented] = forms.each_mut().map(|sys| {
                let jacobian = JACOBIANS[0].jacobian.build();
                let solver = Box::new(SparseLu::new());
                let mut own = Implicit::new(build(), jacobian, solver);
                own.bind(sys, &rows);
                let (form, matrix) = (&mut own.form, &mut own.matrix);
                let none = &mut Terms::default();
                sys.linearise(&s.at(), none, form.parts(), &mut matrix.blocks)
                    .expect(&name);
                let mut same = Numbers(29);
                for b in &mut matrix.bend {
                    *b = 0.1 * same.next();
                }
                form.combine(&matrix.blocks, &matrix.bend, link, &mut matrix.values);
                own
            });
            let size = stored.form.size();
            let b: Vec<f64> = (0..size).map(|_| numbers.next()).collect();
            let mut x = b.clone();
            let mut augmented = augmented;
            let factors = augmented.matrix.factor(&mut augmented.form, link);
            assert!(factors.is_ok(), "{name}, {index}");
            augmented.matrix.solve(&mut x);
            let Matrix {
                pattern, values, ..
            } = &stored.matrix;
            let (mut residual, mut terms) = (b.clone(), vec![0.0; size]);
            for (t, b) in terms.iter_mut().zip(&b) {
                *t = b.abs();
            }
            for (j, x) in x.iter().enumerate() {
                for k in pattern.span(j) {
                    let i = pattern.row[k] as usize;
                    residual[i] -= values[k] * x;
                    terms[i] += (values[k] * x).abs();
                }
            }
            for (i, (r, t)) in residual.iter().zip(&terms).enumerate() {
                // amplitudes of 0.2 m strain rod and board with 1e7 N
                let roundings = match &*name {
                    "elastic_slider_crank" | "springboard" => 1e-9,
                    _ => 1e-11,
                };
                assert!(
                    r.abs() < roundings * t,
                    "{name}, {index}, {:?}: {r:e} of {t:e}",
                    stored.form.unknown(i)
                );
            }
        }
    }
}

/// A coupler without mass: the loop says how it moves, but there is nothing to divide by.
#[test]
fn massless_bodies_are_no_matter_for_the_explicit_formalism() {
    let text = "[[body]]\nname = \"crank\"\nmass = 1\ninertia = 0.1\nposition = [0.5, 0.5]\n\
                [[body]]\nname = \"rocker\"\nmass = 1\ninertia = 0.1\nposition = [2.5, 0.5]\n\
                [[body]]\nname = \"coupler\"\nmass = 0\ninertia = 0\nposition = [1.5, 1]\n\
                [[joint]]\nname = \"left\"\nkind = \"revolute\"\nbody_b = \"crank\"\nat = [0, 0]\n\
                [[joint]]\nname = \"right\"\nkind = \"revolute\"\nbody_b = \"rocker\"\nat = [3, 0]\n\
                [[joint]]\nname = \"elbow\"\nkind = \"revolute\"\nbody_a = \"crank\"\n\
                body_b = \"coupler\"\nat = [1, 1]\n\
                [[joint]]\nname = \"wrist\"\nkind = \"revolute\"\nbody_a = \"rocker\"\n\
                body_b = \"coupler\"\nat = [2, 1]\n";
    let model = text::read(text).expect("sound").model;
    let mut sys = JointCoordinates::new(&model, &[]).expect("sound");
    let mut s = State::new(sys.facts().dims);
    s.q = sys.facts().guess.q.clone();
    accelerate(&mut sys, &mut s);
    let e = Explicit::new(sys).expect_err("refused");
    assert_eq!(
        e.message,
        "formalism explicit cannot solve for joint `elbow`, angle: nothing that moves with it has \
         inertia to divide by"
    );
    assert!(e.help.is_some_and(|help| help.contains("residual")));
}

/// Two sliders along one line with nothing in between: only their sum has inertia, and rounding is none.
#[test]
fn inertia_that_is_rounding_is_none() {
    let text = "[[body]]\nname = \"shuttle\"\nmass = 0\ninertia = 0\n\
                [[body]]\nname = \"load\"\nmass = 0.7\ninertia = 0.3\n\
                [[joint]]\nname = \"bed\"\nkind = \"prismatic\"\nbody_b = \"shuttle\"\n\
                at = [0, 0]\naxis = [1, 0.3]\n\
                [[joint]]\nname = \"slide\"\nkind = \"prismatic\"\nbody_a = \"shuttle\"\n\
                body_b = \"load\"\nat = [0.1, 0.2]\naxis = [1, 0.3]\n";
    let model = text::read(text).expect("sound").model;
    let sys = JointCoordinates::new(&model, &[]).expect("sound");
    let e = Explicit::new(sys).expect_err("refused");
    assert!(
        e.message.contains("joint `bed`, displacement"),
        "{}",
        e.message
    );
}
