//! Memory and work grow in proportion to the number of bodies. Entries of the equations and of the
//! factors are counted, not timed, so the result is the same on every machine.

use linkwork_dae::formulation::{Formulation, ggl::Ggl, index3::Index3};
use linkwork_dae::linear::LINEAR_SOLVERS;
use linkwork_dae::state::Link;
use linkwork_dae::system::{Blocks, Rows, System, Terms};
use linkwork_mbs::assemble;
use linkwork_problems::rod_chain::rod_chain;

/// Entries of the iteration matrix and of its factors, per body.
fn entries(n: usize, form: &mut dyn Formulation) -> [f64; 2] {
    let mut sys = assemble(&rod_chain(n)).unwrap();
    let dims = sys.dims();
    let (pattern, groups) = form.bind(&sys, &Rows::all(dims));
    let guess = sys.guess();
    let mut s = linkwork_dae::state::State::new(dims);
    s.q.copy_from_slice(&guess.q);
    s.lambda.fill(1.0);
    let mut blocks = Blocks::new(sys.patterns());
    sys.linearise(&s.at(), &mut Terms::default(), form.parts(), &mut blocks)
        .unwrap();
    let link = Link {
        qdot: 1e4,
        vdot: 1e4,
    };
    let mut values = vec![0.0; pattern.nnz()];
    form.combine(&blocks, &[], link, &mut values);
    let mut solver = (LINEAR_SOLVERS[0].build)();
    solver.analyse(&pattern, &groups);
    let info = solver.factor(&values).unwrap();
    [pattern.nnz(), info.nnz].map(|entries| entries as f64 / n as f64)
}

#[test]
fn a_chain_costs_the_same_per_body_at_every_length() {
    let forms: [fn() -> Box<dyn Formulation>; 2] =
        [|| Box::<Index3>::default(), || Box::<Ggl>::default()];
    for build in forms {
        let few = entries(100, &mut *build());
        for n in [1000, 10_000] {
            let many = entries(n, &mut *build());
            for (few, many) in few.iter().zip(many) {
                // ends of the chain weigh 1 % at 100 bodies; the rest is the choice of pivots
                assert!(
                    (many / few - 1.0).abs() < 0.2,
                    "{many:.1} entries per body at {n}, {few:.1} at 100"
                );
            }
        }
    }
}
