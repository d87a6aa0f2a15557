//! Memory and work grow in proportion to the number of bodies. Entries of the equations and of the
//! factors are counted, not timed, so the result is the same on every machine.

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::formulation::{Formulation, index3::Scaling};
use linkwork_dae::linear::LINEAR_SOLVERS;
use linkwork_dae::state::Link;
use linkwork_dae::system::{Blocks, EnergyAccount, Part, Rows, System, Terms};
use linkwork_mbs::assemble;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_problems::rod_chain::{rod_chain, rod_chain_in_angles};
use linkwork_problems::study::Setup;

/// Entries of the iteration matrix and of its factors, per body.
fn entries(n: usize, mut form: Formulation) -> [f64; 2] {
    let mut sys = assemble(&rod_chain(n)).unwrap();
    let dims = sys.facts().dims;
    let (pattern, groups) = form.bind(&sys, &Rows::all(dims));
    let guess = sys.facts().guess.clone();
    let mut s = linkwork_dae::state::State::new(dims);
    s.q.copy_from_slice(&guess.q);
    s.lambda.fill(1.0);
    let mut blocks = Blocks::new(&sys.facts().patterns);
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
    let forms: [fn() -> Formulation; 2] = [|| Formulation::index3(Scaling::Both), Formulation::ggl];
    for build in forms {
        let few = entries(100, build());
        for n in [1000, 10_000] {
            let many = entries(n, build());
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

/// Stops after so many steps.
struct First(u32);

impl Observer for First {
    fn on_step(&mut self, _: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.0 -= 1;
        Ok(if self.0 == 0 {
            Flow::Stop
        } else {
            Flow::Continue
        })
    }
}

/// Numbers that `bdf` goes through for one step and one body of the chain in joint angles: those of
/// positions, velocities and residual, of derivatives, and of factors, each as often as a run of 60
/// steps makes, kept or solved with them.
fn numbers_per_step_and_body(n: usize, form: &'static str, blocks_as: Form) -> f64 {
    let mut sys = rod_chain_in_angles(n, blocks_as).unwrap();
    let dims = sys.facts().dims;
    let mut s = linkwork_dae::state::State::new(dims);
    s.q.fill(0.1);
    let mut blocks = Blocks::new(&sys.facts().patterns);
    let how = match form {
        "index3" => Formulation::index3(Scaling::Both),
        _ => Formulation::ggl(),
    };
    // without constraints both are solved for positions alone
    let mut how = how.condensed(&sys);
    let (pattern, groups) = how.bind(&sys, &Rows::all(dims));
    sys.linearise(&s.at(), &mut Terms::default(), how.parts(), &mut blocks)
        .unwrap();
    let link = Link {
        qdot: 1e4,
        vdot: 1e4,
    };
    let mut values = vec![0.0; pattern.nnz()];
    how.combine(&blocks, &[], link, &mut values);
    let mut solver = (LINEAR_SOLVERS[0].build)();
    solver.analyse(&pattern, &groups);
    if !how.order().is_empty() {
        solver.suggest(how.order());
    }
    let factors = solver.factor(&values).unwrap().nnz;
    let stored = [Part::Mass, Part::Rq, Part::Rv].map(|p| blocks[p].len());
    let derivatives = blocks.generators().len() + stored.iter().sum::<usize>();

    let setup = Setup::new("bdf", form, 10.0, 1e-4);
    let out = setup.run(&mut sys, &mut First(60)).unwrap();
    assert_eq!(out.ending, Ending::Stopped);
    let k = out.stats;
    let steps = k.steps + k.rejected;
    let all = k.residual_evaluations * 3 * n as u64
        + k.jacobian_evaluations * derivatives as u64
        + (k.factorisations + k.solves) * factors as u64;
    all as f64 / (steps * n as u64) as f64
}

/// In joint angles every coordinate depends on every other, and still a step costs the same for each
/// body: relations along the chain and their factors are so many numbers for each joint. What varies is how
/// many iterations and new Jacobians 60 steps take, which the limit of 1.5 allows for.
#[test]
fn a_chain_in_joint_angles_costs_the_same_per_body_at_every_length() {
    for form in ["index3", "ggl"] {
        let few = numbers_per_step_and_body(100, form, Form::Augmented);
        for n in [1000, 10_000] {
            let many = numbers_per_step_and_body(n, form, Form::Augmented);
            assert!(
                many < 1.5 * few && few < 1.5 * many,
                "{form}: {many:.0} numbers per step and body at {n}, {few:.0} at 100"
            );
        }
    }
}

/// The count tells: with stored matrices a body costs in proportion to the length of the chain.
#[test]
fn stored_matrices_of_a_chain_cost_more_per_body_the_longer_it_is() {
    let [short, long] = [25, 100].map(|n| numbers_per_step_and_body(n, "index3", Form::Stored));
    assert!(
        long > 3.0 * short,
        "{short:.0} numbers at 25 and {long:.0} at 100"
    );
}

/// Energy of a long, undamped chain is kept to the tolerance, and its steps converge as short chains' do.
#[test]
fn a_long_chain_keeps_its_energy() {
    let mut sys = rod_chain_in_angles(200, Form::Cheaper).unwrap();
    let setup = Setup::new("bdf", "index3", 0.02, 1e-6);
    let start = setup.start(&mut sys).unwrap();
    let before = sys.energy(&start.state).unwrap();
    let out = setup.run(&mut sys, &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    let after = sys.energy(&out.state).unwrap();
    assert!(after.kinetic > 1e-3, "{after:?}");
    let e = (after.total() - before.total()).abs() / after.kinetic;
    assert!(e < 1e-4, "{e:.1e}");
    let iterations = out.stats.newton_iterations as f64 / out.stats.steps as f64;
    assert!(iterations < 1.5, "{iterations} iterations per step");
}
