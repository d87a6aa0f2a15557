//! Methods on the state space.

use linkwork_dae::drive::Ending;
use linkwork_problems::double_pendulum::{self, ANGLES};
use linkwork_problems::study::Setup;

#[test]
fn probe_double_pendulum() {
    let mut sys = linkwork_mbs::assemble(&double_pendulum::double_pendulum()).unwrap();
    let exact = *double_pendulum::reference().last().unwrap();
    assert_eq!(double_pendulum::reference().len(), 20);
    for filter in [false, true] {
        for k in 2..=7 {
            let mut setup = Setup::new("rosenbrock", "state-space", 2.0, 10f64.powi(-k));
            setup.tuning.error_filter = filter;
            let out = setup.run(&mut sys, &mut ()).unwrap();
            assert_eq!(out.ending, Ending::Finished);
            let e = (out.state.q[ANGLES[0]] - exact[1]).abs();
            println!("{filter} 1e-{k}: {e:.2e} {:?}", out.stats);
        }
    }
}
