//! The state matrix of every problem against differences of its motion; rotating bodies against
//! closed forms.

use linkwork_dae::chart;
use linkwork_dae::dense::Matrix;
use linkwork_dae::equilibrium::equilibrium;
use linkwork_dae::initial::{Algebraic, start};
use linkwork_dae::linear::DenseLu;
use linkwork_dae::linearise::{Linearisation, linearise, modes};
use linkwork_dae::saddle::Saddle;
use linkwork_dae::state::State;
use linkwork_dae::system::{Part, Parts, Row, Rows, System, Terms};
use linkwork_dae::tangent::Tangent;
use linkwork_problems::PROBLEMS;
use linkwork_problems::free_body::TUMBLING;
use linkwork_problems::heavy_top::TOP;
use linkwork_problems::rigid_body::{Body, RigidBody};

fn tangent_at(sys: &mut dyn System, s: &State, rows: &Rows) -> Tangent {
    let dims = sys.dims();
    let mut values = vec![0.0; sys.patterns()[Part::Cq].len()];
    let mut want = Terms {
        c_q: Some(&mut values),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    let mut c_q = Matrix::zero(dims.rows(), dims.nv);
    for (&(i, j), x) in sys.patterns()[Part::Cq].iter().zip(&values) {
        c_q[(i as usize, j as usize)] += x;
    }
    Tangent::new(sys, &c_q, rows).unwrap()
}

/// `(Z' a, xdot)` at a displaced state. Corrections onto the constraints leave `Z' q` and `Z' v`
/// alone: that is the chart in which the matrix is defined.
fn rates(
    sys: &mut dyn System,
    tangent: &Tangent,
    rows: &Rows,
    base: &State,
    d: [Vec<f64>; 3],
) -> Vec<f64> {
    let dims = sys.dims();
    let mut s = base.clone();
    chart::advance(sys, &mut s.q, &d[0]);
    for (v, d) in s.v.iter_mut().zip(&d[1]) {
        *v += d;
    }
    for (x, d) in s.x.iter_mut().zip(&d[2]) {
        *x += d;
    }
    for level in [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1] {
        let mut open = vec![0.0; dims.rows()];
        let mut want = Terms::default();
        if level == 0 {
            want.c = Some(&mut open[..dims.nc]);
        } else {
            want.cv = Some(&mut open);
        }
        sys.eval(&s.at(), &mut want).unwrap();
        let demand: Vec<f64> = rows.c.iter().map(|&i| -open[i as usize]).collect();
        let step = tangent.least(&demand);
        if level == 0 {
            chart::advance(sys, &mut s.q, &step);
        } else {
            for (v, d) in s.v.iter_mut().zip(&step) {
                *v += d;
            }
        }
    }
    Algebraic::new(sys).solve(sys, &mut s).unwrap();
    let mut saddle = Saddle::new(sys, rows, Box::new(DenseLu::new()));
    saddle.accelerate(sys, &mut s).unwrap();
    let all = tangent.coordinates(&s.a);
    let kept = tangent.displacements() - tangent.velocities();
    let differential = sys.facts().differential.clone();
    let states = (s.xdot.iter().zip(&differential)).filter(|(_, d)| **d);
    (all[kept..].iter().copied())
        .chain(states.map(|(x, _)| *x))
        .collect()
}

#[test]
fn matrices_of_all_problems_agree_with_differences() {
    let mut compared = Vec::new();
    for problem in PROBLEMS {
        let mut sys = (problem.build)(&[]).unwrap();
        let sys = &mut *sys;
        if sys.facts().exact != Parts::ALL {
            continue;
        }
        // a start at a singular pose has no tangent
        let guess = sys.facts().guess.clone();
        let Ok(begin) = start(sys, &guess) else {
            continue;
        };
        let system: Linearisation = match linearise(sys, &begin.state, &begin.rows) {
            Ok(system) => system,
            Err(e) => panic!("{}: {e}", problem.name),
        };
        if sys.dims().nv > 60 {
            continue;
        }
        compared.push(problem.name);
        let tangent = tangent_at(sys, &begin.state, &begin.rows);
        let n = system.a.rows();
        let first = tangent.displacements();
        let mut state = begin.state.clone();
        state.a.fill(0.0);
        for j in 0..n {
            let columns = [&system.dq, &system.dv, &system.dx].map(|m| m.column(j));
            let side = |sys: &mut dyn System, h: f64| {
                let d = columns.clone().map(|c| c.iter().map(|x| h * x).collect());
                rates(sys, &tangent, &begin.rows, &state, d)
            };
            let size = columns[0].iter().chain(&columns[1]).chain(&columns[2]);
            let size = size.fold(0.0f64, |m, x| m.max(x.abs()));
            let h = 1e-5 / size.max(1.0);
            let (up, down) = (side(sys, h), side(sys, -h));
            // differences are those of components in axes that share the spin of every body
            let unseen = (0..sys.dims().nv).map(|i| {
                let row = system.spin.row(i).iter().zip(&columns[1]);
                row.map(|(s, v)| s * v).sum()
            });
            let unseen = tangent.coordinates(&unseen.collect::<Vec<f64>>());
            let unseen = &unseen[tangent.displacements() - tangent.velocities()..];
            for i in 0..n - first {
                let slope = (up[i] - down[i]) / (2.0 * h) + unseen.get(i).copied().unwrap_or(0.0);
                let row = (0..n).fold(0.0f64, |m, k| m.max(system.a[(first + i, k)].abs()));
                let error = (system.a[(first + i, j)] - slope).abs();
                // central differences of solved accelerations: rounding over h, relative to the row
                assert!(
                    error <= 2e-5 * row + 1e-7,
                    "{}: ({i}, {j}) {} by differences {slope}, row {row:e}",
                    problem.name,
                    system.a[(first + i, j)]
                );
            }
        }
    }
    // among them reactions that drive forces, rolling, controls, and a chart
    for name in [
        "wheelset-rails",
        "sleigh",
        "servo_loop",
        "heavy-top",
        "andrews",
    ] {
        assert!(compared.contains(&name), "{name} is not among {compared:?}");
    }
}

#[test]
fn a_body_that_spins_about_its_middle_axis_tumbles_at_the_rate_of_euler() {
    let spin = 10.0;
    let mut body = RigidBody::new(
        Body {
            omega: [spin, 0.0, 0.0],
            ..TUMBLING
        },
        false,
    );
    let guess = body.facts().guess.clone();
    let begin = start(&mut body, &guess).unwrap();
    let system = linearise(&mut body, &begin.state, &begin.rows).unwrap();
    let found = modes(&system).unwrap();
    // inertias 2, 1, 3: rate spin sqrt((3 - 2)(2 - 1)/(1 3))
    let rate = spin / 3f64.sqrt();
    let has = |re: f64, im: f64| {
        (found.iter()).any(|m| (m.value.re - re).abs() < 1e-9 && (m.value.im - im).abs() < 1e-9)
    };
    assert!(has(rate, 0.0) && has(-rate, 0.0), "{found:?}");
    // a small tilt stands still in space, so it turns with the spin as seen from the body
    assert!(has(0.0, spin), "{found:?}");
    assert!(found.iter().any(|m| m.is_zero() && m.drifts), "{found:?}");
}

/// A sleeping top: with spin `n` about the vertical and moments `J` across and `J3` along it, both
/// about its point, tilts turn at the roots of `J w^2 - J3 n w + m g l = 0` in space. The axes that
/// do not share the spin stand still, so these are the frequencies.
#[test]
fn a_sleeping_top_has_the_two_frequencies_of_lagrange() {
    let n = 300.0;
    let upright = Body {
        inertia: [TOP.inertia[0], TOP.inertia[2], TOP.inertia[1]],
        arm: [0.0, 0.0, 1.0],
        omega: [0.0, 0.0, n],
        ..TOP
    };
    let [across, _, along] = upright.inertia_about_joint();
    let root = ((along * n).powi(2) - 4.0 * across * TOP.mass * TOP.gravity).sqrt();
    let wanted = [(along * n - root), (along * n + root)].map(|x| x / (2.0 * across));
    for positions in [false, true] {
        let mut body = RigidBody::new(upright, positions);
        let guess = body.facts().guess.clone();
        let begin = start(&mut body, &guess).unwrap();
        let system = linearise(&mut body, &begin.state, &begin.rows).unwrap();
        let found = modes(&system).unwrap();
        for w in wanted {
            let near = |m: &linkwork_dae::linearise::EigenMode| {
                m.value.re.abs() < 1e-6 * w && (m.value.im / w - 1.0).abs() < 1e-6
            };
            assert!(found.iter().any(near), "{w} not among {found:?}");
        }
    }
}

#[test]
fn a_top_at_rest_hangs_and_swings_alike_in_both_forms() {
    let about_joint = TOP.inertia_about_joint()[0];
    let wanted = (TOP.mass * TOP.gravity / about_joint).sqrt();
    for positions in [false, true] {
        let resting = Body {
            omega: [0.0; 3],
            ..TOP
        };
        let mut body = RigidBody::new(resting, positions);
        let guess = body.facts().guess.clone();
        let begin = start(&mut body, &guess).unwrap();
        let found = equilibrium(&mut body, &begin).unwrap();
        // it may turn about the vertical, and does not care
        assert_eq!(found.support.word(), "neutral");
        assert_eq!(found.support.neutral.len(), 1);
        assert!(matches!(found.support.neutral[0].row, Row::Position(_)));
        let mut values = [0.0; 10];
        body.observe(&found.state, &mut values);
        assert!((values[2] + 1.0).abs() < 1e-10, "{values:?}");
        let system = linearise(&mut body, &found.state, &found.rows).unwrap();
        let found = modes(&system).unwrap();
        assert_eq!(found.len(), 3);
        assert!(found[0].is_zero());
        for mode in &found[1..] {
            assert!(
                (mode.value.im / wanted - 1.0).abs() < 1e-9,
                "{:?}",
                mode.value
            );
        }
    }
}

/// A system whose mass matrix couples coordinates of different names tells no shares.
#[test]
fn coupled_coordinates_of_unknown_bodies_have_no_shares() {
    let problem = linkwork_problems::andrews::Andrews::default();
    use linkwork::modes::{Point, named_modes};
    let mut simulation = linkwork::Simulation::new(Box::new(problem));
    let found = named_modes(&mut simulation, Point::Start).unwrap();
    for mode in &found.modes {
        assert!(
            mode.parts.is_empty() && mode.words.starts_with("most: "),
            "{}",
            mode.words
        );
    }
}
