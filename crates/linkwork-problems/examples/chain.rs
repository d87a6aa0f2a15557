//! scratch
use linkwork_dae::jacobian::by_differences::{ByDifferences, Columns};
use linkwork_dae::jacobian::renewal::Renewal;
use linkwork_problems::chain::{Chain, ExplicitChain};
use linkwork_problems::study::Setup;
use linkwork_dae::system::System;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: usize = args[1].parse().unwrap();
    let runs: u32 = args[2].parse().unwrap();
    for method in ["dassl", "bdf-fixed-leading", "bdf"] {
      for jac in ["classical", "dense", "extended", "exact"] {
        for explicit in [true, false] {
        for i in 0..runs {
            let method: &'static str = method.to_string().leak();
            let mut s = Setup::new(method, "ggl", 200.0, 1e-4);
            s.jacobian = jac.to_string().leak();
            s.plan.tolerances.atol = Some(1e-6);
            s.plan.tolerances.atol_v = Some(1e-6);
            s.plan.tolerances.rtol *= 1.0 + 1e-6 * f64::from(i);
            if method == "dassl" { s.plan.first_step = Some(0.2); }
            let chain = Chain::new(n, std::f64::consts::TAU * 0.05, 0.0);
            let mut sys: Box<dyn System> = if explicit { Box::new(ExplicitChain::new(chain)) } else { Box::new(chain) };
            let clock = Instant::now();
            let o = s.run(&mut *sys, &mut ()).unwrap();
            let ms = clock.elapsed().as_secs_f64()*1e3;
            let st = &o.stats;
            println!("{method:8} {jac:10} explicit {explicit:5} {ms:6.1} ms Je {:4} upd {:4} steps {:5} rej {:4} fail {:3} calls {:6} forJ {:6} fact {} q {:.3e} {:?}", st.jacobian_evaluations, st.jacobian_updates, st.steps, st.rejected, st.newton_failures, st.residual_evaluations, st.residual_evaluations_for_jacobians, st.factorisations, o.state.q[n-1], o.ending == linkwork_dae::drive::Ending::Finished);
        }}
      }
    }
    let _ = (Columns::Single, Renewal::Classical, ByDifferences::new(Columns::Single, Renewal::Classical, false));
}
