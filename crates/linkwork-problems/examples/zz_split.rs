//! temporary
use linkwork_dae::formulation::index3::Scaling;
use linkwork_dae::formulation::{FORMULATIONS, Means};
use linkwork_dae::implicit::Implicit;
use linkwork_dae::jacobian::JACOBIANS;
use linkwork_dae::linear::SparseLu;
use linkwork_dae::saddle::Saddle;
use linkwork_dae::state::{Link, State};
use linkwork_dae::system::{Rows, System, Terms};
use linkwork_mbs::spatial::joint::Revolute;
use linkwork_mbs::spatial::{Body, Mechanism};
use linkwork_mbs::tree::JointCoordinates;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::{BodyRef, Model};
use linkwork_problems::rod_chain::rod_chain;
use std::time::Instant;

fn chain_in_space(n: usize) -> Model {
    let mut m = Mechanism::new().gravity([0.0, 0.0, -9.81]);
    let mut last = BodyRef::GROUND;
    for i in 0..n {
        let at = [i as f64 + 0.5, 0.0, 0.0];
        let rod = m.add_body(Body::rigid(format!("r{i}"), 1.0, [0.01, 0.084, 0.084]).at(at));
        let axis = [0.0, (i % 2) as f64, ((i + 1) % 2) as f64 + 0.3];
        m.add_joint(
            format!("h{i}"),
            last,
            rod,
            Revolute::at([i as f64, 0.0, 0.0], axis),
        );
        last = rod;
    }
    m.model("chain")
}

fn best(n: usize, mut f: impl FnMut()) -> f64 {
    let mut b = f64::INFINITY;
    for _ in 0..n {
        let c = Instant::now();
        f();
        b = b.min(c.elapsed().as_secs_f64());
    }
    b * 1e6
}

fn main() {
    for (name, n) in [
        ("plane", 100),
        ("plane", 1000),
        ("plane", 10000),
        ("space", 100),
        ("space", 1000),
    ] {
        let model = if name == "plane" {
            rod_chain(n)
        } else {
            chain_in_space(n)
        };
        let c = Instant::now();
        let mut sys = JointCoordinates::in_form(&model, &[], Form::Augmented).unwrap();
        println!(
            "{name} {n}: build {:.1} ms",
            c.elapsed().as_secs_f64() * 1e3
        );
        let rows = Rows::all(sys.dims());
        let mut s = State::new(sys.dims());
        s.q = sys.guess().q;
        for (i, (v, a)) in s.v.iter_mut().zip(&mut s.a).enumerate() {
            *v = 0.3 + (i as f64).sin() * 0.2;
            *a = (i as f64).cos();
        }
        let per = 1.0 / n as f64;
        for fo in [0, 1] {
            let Means::Placement(build) = FORMULATIONS[fo].means else {
                continue;
            };
            let mut own = Implicit::new(
                build(Scaling::Both),
                (JACOBIANS[0].build)(),
                Box::new(SparseLu::new()),
            );
            let c = Instant::now();
            own.bind(&sys, &rows);
            let bind = c.elapsed().as_secs_f64() * 1e3;
            let link = Link {
                qdot: 300.0,
                vdot: 300.0,
            };
            let (form, matrix) = (&mut own.form, &mut own.matrix);
            let mut r = vec![0.0; form.size()];
            let lin = best(10, || {
                sys.linearise(
                    &s.at(),
                    &mut Terms::default(),
                    form.parts(),
                    &mut matrix.blocks,
                )
                .unwrap();
            });
            let mut force = vec![0.0; sys.dims().nv];
            let eval = best(10, || {
                sys.eval(
                    &s.at(),
                    &mut Terms {
                        r: Some(&mut force),
                        ..Terms::default()
                    },
                )
                .unwrap();
            });
            let comb = best(10, || {
                form.combine(&matrix.blocks, &matrix.bend, link, &mut matrix.values)
            });
            let c = Instant::now();
            let first = matrix.factor(&mut **form, link).unwrap();
            let fresh = c.elapsed().as_secs_f64() * 1e3;
            let factor = best(10, || {
                matrix.solver.factor(&matrix.values).unwrap();
            });
            let info = matrix.solver.factor(&matrix.values).unwrap();
            let solve = best(10, || {
                r.fill(1.0);
                matrix.solve(&mut r);
            });
            println!(
                "  {} size {:.1} nnz {:.1} lu {:.1} bind {bind:.1} ms fresh {fresh:.1} ms {} ratio {:.1e} | us per body: linearise {:.3} eval {:.3} combine {:.3} factor {:.3} solve {:.3}",
                FORMULATIONS[fo].name,
                matrix.pattern.n as f64 * per,
                matrix.pattern.nnz() as f64 * per,
                info.nnz as f64 * per,
                info.reused_pivots,
                first.pivot_ratio,
                lin * per,
                eval * per,
                comb * per,
                factor * per,
                solve * per
            );
        }
        let mut saddle = Saddle::new(&sys, &rows, Box::new(SparseLu::new()));
        let c = Instant::now();
        saddle.accelerate(&mut sys, &mut s).unwrap();
        let fresh = c.elapsed().as_secs_f64() * 1e3;
        let acc = best(10, || saddle.accelerate(&mut sys, &mut s).unwrap());
        println!("  saddle fresh {fresh:.1} ms, {:.3} us per body", acc * per);
    }
}
