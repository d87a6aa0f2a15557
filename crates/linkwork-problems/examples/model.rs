//! Work and accuracy on a model file: `model FILE METHOD FORMULATION T_END TOLERANCE...`

use linkwork_dae::system::System;
use linkwork_problems::study::Setup;

fn main() -> Result<(), String> {
    let args: &'static [String] = std::env::args().skip(1).collect::<Vec<_>>().leak();
    let [file, method, formulation, t_end, tolerances @ ..] = args else {
        return Err("usage: model FILE METHOD FORMULATION T_END TOLERANCE...".into());
    };
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let document = linkwork_mbs::text::read(&text).map_err(|e| format!("{e:?}"))?;
    for tol in tolerances {
        let mut sys = linkwork_mbs::assemble(&document.model).map_err(|e| format!("{e:?}"))?;
        let tol: f64 = tol.parse().map_err(|e| format!("{tol}: {e}"))?;
        let mut setup = Setup::new(method, formulation, t_end.parse().unwrap(), tol);
        if std::env::var("ATOL").is_err() {
            setup.plan.tolerances.atol = None;
        }
        let out = setup.run(&mut sys, &mut ())?;
        let mut values = vec![0.0; sys.channels().len()];
        sys.observe(&out.state, &mut values);
        let angle = sys
            .channels()
            .iter()
            .zip(&values)
            .find(|(c, _)| c.name == "crank.angle");
        let error = angle.map_or(f64::NAN, |(_, x)| (x - 1.581_077_119_515_370_7e1) / 15.81);
        println!(
            "tol {tol:.1e} error {error:+.2e} {:?} {:?}",
            out.stats, out.ending
        );
    }
    Ok(())
}
