use linkwork_problems::andrews::Andrews;
use linkwork_problems::slider_crank::SliderCrank;
use linkwork_problems::small::Small;
use linkwork_problems::study::Setup;
fn reference(text: &str) -> Vec<f64> {
    text.lines()
        .skip(1)
        .map(|l| l.split(',').nth(1).unwrap().parse().unwrap())
        .collect()
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (problem, method, form) = (&a[1], &a[2], &a[3]);
    let max: usize = a[4].parse().unwrap();
    let method: &'static str = Box::leak(method.clone().into_boxed_str());
    let form: &'static str = Box::leak(form.clone().into_boxed_str());
    for tol in &a[5..] {
        let tol: f64 = tol.parse().unwrap();
        let t_end = if problem == "andrews" { 0.03 } else { 0.1 };
        let mut setup = Setup::new(method, form, t_end, tol);
        setup.max_order = max;
        setup.jacobian = "auto";
        setup.plan.max_attempts = 20000;
        let (out, exact) = if problem == "andrews" {
            (
                setup.run(&mut Andrews::default(), &mut ()).unwrap(),
                reference(include_str!("../reference/andrews.csv")),
            )
        } else {
            if problem == "crank-scaled" {
                setup.plan.tolerances.atol = None;
            }
            (
                setup
                    .run(&mut Small::new(SliderCrank::default()), &mut ())
                    .unwrap(),
                reference(include_str!("../reference/slider_crank_consistent.csv")),
            )
        };
        if let linkwork_dae::drive::Ending::Failed(f) = &out.ending {
            println!("{} {:?}", f.t, f.cause);
            for a in &f.recent {
                println!("{a:?}");
            }
        }
        let worst = (0..7)
            .map(|i| ((out.state.q[i] - exact[i]) / exact[i]).abs())
            .fold(0.0, f64::max);
        let s = &out.stats;
        println!(
            "{tol:.0e} steps {} rej {} nf {} it {} fact {} res {} jac {} digits {:.2} {:?}",
            s.steps,
            s.rejected,
            s.newton_failures,
            s.newton_iterations,
            s.factorisations,
            s.residual_evaluations,
            s.jacobian_evaluations,
            -worst.log10(),
            if matches!(out.ending, linkwork_dae::drive::Ending::Finished) {
                ""
            } else {
                "FAILED"
            }
        );
    }
}
