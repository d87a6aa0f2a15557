//! Corrections of the stabilised form by the matrix of index 3 beside those by the whole matrix.

use linkwork_dae::formulation::Formulation;
use linkwork_dae::implicit::Implicit;
use linkwork_dae::jacobian::JACOBIANS;
use linkwork_dae::linear::SparseLu;
use linkwork_dae::state::{Link, Stage};
use linkwork_dae::system::{Parts, Reader, Rows, System};
use linkwork_problems::PROBLEMS;

/// A fixed sequence between -1 and 1.
fn number(k: usize) -> f64 {
    2.0 * (k as f64 * 0.618_033_988_749_895 + 0.3).fract() - 1.0
}

/// A state near the start with a prediction that is a little off, and rates to match the step.
fn stage(sys: &dyn System, s: f64) -> Stage {
    let d = sys.dims();
    let mut st = Stage::new(d);
    st.link = Link { qdot: s, vdot: s };
    let guess = &sys.facts().guess;
    st.s.q.copy_from_slice(&guess.q);
    st.s.v.copy_from_slice(&guess.v);
    st.s.x.copy_from_slice(&guess.x);
    for (i, scale) in sys.facts().scale.iter().enumerate() {
        st.s.q[i] += 1e-3 * scale * number(i);
        st.s.v[i] += scale * number(i + 5);
        st.qdot[i] = st.s.v[i] + 1e-3 * s * scale * number(i + 11);
        st.s.a[i] = scale * number(i + 17);
    }
    for (i, l) in st.s.lambda.iter_mut().enumerate() {
        *l = number(i + 23);
    }
    st
}

/// Corrections of positions and, over `s`, of velocities; none where the matrix has no inverse.
fn corrections(sys: &mut dyn System, whole: bool, s: f64) -> Option<[Vec<f64>; 2]> {
    let d = sys.dims();
    let (form, jacobian) = match whole {
        true => (Formulation::ggl(), JACOBIANS[0].jacobian.build()),
        false => (Formulation::stabilised(), JACOBIANS[0].jacobian.build()),
    };
    let mut implicit = Implicit::new(form, jacobian, Box::new(SparseLu::new()));
    implicit.bind(sys, &Rows::all(d));
    let st = stage(sys, s);
    let Implicit { form, matrix, .. } = &mut implicit;
    let mut r = vec![0.0; form.corrections()];
    let parts = form.parts();
    let mut want = form.request(&st, &mut r);
    sys.linearise(&st.s.at(), &mut want, parts, &mut matrix.blocks)
        .ok()?;
    form.finish(sys.chart(), &st, &mut r);
    if let Some(chart) = sys.chart() {
        st.bend(chart, &mut matrix.bend);
    }
    matrix.factor(form, st.link).ok()?;
    let size = form.size();
    form.solve(matrix, st.link, &mut r);
    Some(match whole {
        true => [r[d.nv..2 * d.nv].to_vec(), r[..d.nv].to_vec()],
        false => [r[..d.nv].to_vec(), r[size..].to_vec()],
    })
}

/// Largest difference in the scale of each coordinate, over the largest correction.
fn apart(scale: &[f64], a: &[Vec<f64>; 2], b: &[Vec<f64>; 2]) -> f64 {
    let (mut apart, mut largest) = (0.0f64, 0.0f64);
    for (a, b) in a.iter().zip(b) {
        for (scale, (a, b)) in scale.iter().zip(a.iter().zip(b)) {
            apart = apart.max((a - b).abs() / scale);
            largest = largest.max(a.abs() / scale);
        }
    }
    apart / largest
}

/// What is left out is `K/s^2` times a turn of the constraints in a step, which is in proportion to `1/s`: three powers, of which
/// two are asked for, since the corrections change with the step too.
#[test]
fn what_is_left_out_falls_with_the_step() {
    let mut seen = 0;
    for problem in PROBLEMS {
        let mut sys = (problem.build)(&[]).unwrap();
        let exact = Parts::ALL.without(sys.facts().exact).is_empty();
        sys.structure(Reader::Entries);
        if sys.dims().nc == 0 || !exact || sys.stage_form_mut().is_some() {
            continue;
        }
        let scale = sys.facts().scale.clone();
        let mut at = |s: f64| {
            let whole = corrections(&mut *sys, true, s)?;
            let split = corrections(&mut *sys, false, s)?;
            Some(apart(&scale, &whole, &split))
        };
        let (Some(coarse), Some(fine)) = (at(1e4), at(1e5)) else {
            continue;
        };
        println!("{}: {coarse:.1e} {fine:.1e}", problem.name);
        assert!(
            fine < 1e-9 || fine < 1e-2 * coarse,
            "{}: {coarse:e} {fine:e}",
            problem.name
        );
        seen += 1;
    }
    assert!(seen > 8, "{seen}");
}
