//! Work and accuracy on the hand-written squeezer:
//! `squeezer METHOD FORMULATION JACOBIAN TOLERANCE...`

use linkwork_dae::drive::{Flow, Observer, View};
use linkwork_dae::saddle::SaddleError;
use linkwork_problems::andrews::Andrews;
use linkwork_problems::study::Setup;

/// Positions at a hundred equal times.
#[derive(Default)]
struct Sampler(Vec<Vec<f64>>);

impl Observer for Sampler {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, SaddleError> {
        while self.0.len() < 100 {
            let t = 0.03 * (self.0.len() + 1) as f64 / 100.0;
            if t > view.to {
                break;
            }
            self.0.push(view.motion(t).q.clone());
        }
        Ok(Flow::Continue)
    }
}

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
    let mut exact = Sampler::default();
    if std::env::var_os("ALONG").is_some() {
        Setup::new("bdf", "ggl", 0.03, 1e-12).run(&mut Andrews::default(), &mut exact)?;
    }
    for tol in tolerances {
        let tol: f64 = tol.parse().map_err(|e| format!("{tol}: {e}"))?;
        let mut setup = Setup::new(method, formulation, 0.03, tol);
        setup.jacobian = jacobian;
        let mut samples = Sampler::default();
        let mut sys = Andrews::default();
        let out = setup.run(&mut sys, &mut samples)?;
        let along = exact
            .0
            .iter()
            .zip(&samples.0)
            .flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()))
            .fold(0.0, f64::max);
        let relative = |i: usize| (out.state.q[i] - reference[i]) / reference[i];
        let worst = (0..7).map(|i| relative(i).abs()).fold(0.0, f64::max);
        println!(
            "tol {tol:.1e} digits {:5.2} along {:.2} {:?} {:?}",
            -worst.log10(),
            -f64::log10(along),
            out.stats,
            out.ending
        );
    }
    Ok(())
}
