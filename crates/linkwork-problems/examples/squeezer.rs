//! Work and accuracy on the hand-written squeezer:
//! `squeezer METHOD FORMULATION JACOBIAN TOLERANCE...`

use linkwork_problems::andrews::Andrews;
use linkwork_problems::study::Setup;

fn main() -> Result<(), String> {
    let args: &'static [String] = std::env::args().skip(1).collect::<Vec<_>>().leak();
    let [method, formulation, jacobian, tolerances @ ..] = args else {
        return Err("usage: squeezer METHOD FORMULATION JACOBIAN TOLERANCE...".into());
    };
    let reference: Vec<f64> = include_str!("../reference/andrews.csv")
        .lines()
        .skip(1)
        .filter_map(|l| l.split(',').nth(1)?.parse().ok())
        .collect();
    for tol in tolerances {
        let tol: f64 = tol.parse().map_err(|e| format!("{tol}: {e}"))?;
        let mut setup = Setup::new(method, formulation, 0.03, tol);
        setup.jacobian = jacobian;
        let mut sys = Andrews::default();
        let out = setup.run(&mut sys, &mut ())?;
        let relative = |i: usize| (out.state.q[i] - reference[i]) / reference[i];
        let worst = (0..7).map(|i| relative(i).abs()).fold(0.0, f64::max);
        println!(
            "tol {tol:.1e} digits {:5.2} beta {:+.2e} {:?} {:?}",
            -worst.log10(),
            relative(0),
            out.stats,
            out.ending
        );
    }
    Ok(())
}
