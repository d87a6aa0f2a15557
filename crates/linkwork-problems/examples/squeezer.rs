//! Work and accuracy of the hand-written squeezer: `squeezer METHOD FORMULATION RTOL...`
use linkwork_dae::control::CONTROLLERS;
use linkwork_dae::drive::{Engine, Plan};
use linkwork_dae::formulation::FORMULATIONS;
use linkwork_dae::implicit::Implicit;
use linkwork_dae::jacobian::JACOBIANS;
use linkwork_dae::linear::LINEAR_SOLVERS;
use linkwork_dae::saddle::Saddle;
use linkwork_dae::state::{State, Tolerances};
use linkwork_dae::stepper::STEPPERS;
use linkwork_dae::system::{Rows, System};
use linkwork_problems::andrews::Andrews;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let reference: Vec<f64> = include_str!("../reference/andrews.csv")
        .lines()
        .skip(1)
        .map(|l| l.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    let linear = std::env::var("LINEAR").unwrap_or("sparse".into());
    let jac = std::env::var("JAC").unwrap_or("exact".into());
    for rtol in &args[3..] {
        let rtol: f64 = rtol.parse().unwrap();
        let mut sys = Andrews::default();
        let solver = || {
            (LINEAR_SOLVERS
                .iter()
                .find(|e| e.name == linear)
                .unwrap()
                .build)()
        };
        let rows = Rows::all(sys.dims());
        let mut saddle = Saddle::new(&sys, &rows, solver());
        let g = sys.guess();
        let mut s = State::new(sys.dims());
        s.q = g.q;
        s.v = g.v;
        saddle.accelerate(&mut sys, &mut s).unwrap();
        let form = (FORMULATIONS
            .iter()
            .find(|e| e.name == args[2])
            .unwrap()
            .build)();
        let jacobian = (JACOBIANS.iter().find(|e| e.name == jac).unwrap().build)();
        let entry = STEPPERS.iter().find(|e| e.name == args[1]).unwrap();
        let stepper = (entry.build)(Implicit::new(form, jacobian, solver()));
        let controller = (CONTROLLERS
            .iter()
            .find(|e| e.name == entry.controller)
            .unwrap()
            .build)(5);
        let mut tol = Tolerances::relative(rtol);
        tol.atol = Some(rtol);
        let mut engine = Engine::new(&mut sys, stepper, controller, saddle, Plan::new(0.03, tol));
        let t0 = std::time::Instant::now();
        let ending = engine.run(&s, &rows, &mut ());
        let dt = t0.elapsed();
        let q = &engine.state().q;
        let rel = (0..7)
            .map(|i| ((q[i] - reference[i]) / reference[i]).abs())
            .fold(0.0, f64::max);
        let abs = (0..7)
            .map(|i| (q[i] - reference[i]).abs())
            .fold(0.0, f64::max);
        let st = engine.stats;
        println!(
            "{rtol:.0e} abs {abs:.2e} rel {rel:.2e} scd {:.2} steps {} rej {} res {} jacres {} jac {} upd {} lu {} piv {} solves {} it {} fail {} {:?} {}",
            -rel.log10(),
            st.steps,
            st.rejected,
            st.residual_evaluations,
            st.residual_evaluations_for_jacobians,
            st.jacobian_evaluations,
            st.jacobian_updates,
            st.factorisations,
            st.pivot_searches,
            st.solves,
            st.newton_iterations,
            st.newton_failures,
            dt,
            if ending == linkwork_dae::drive::Ending::Finished {
                "ok".into()
            } else {
                format!("{ending:?}")
            }
        );
    }
}
