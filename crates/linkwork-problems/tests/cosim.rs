//! Explicit co-simulation: orders of the local errors, sharpness of their estimates, step control,
//! threads, failures.

use linkwork_dae::cosim::account::{Ending, Guarantee};
use linkwork_dae::cosim::{
    Approach, Coupling, Entry, MacroStep, Member, Motion, Plan, Polynomial, Report, Subsystem,
    Trouble, Watch, Why, conduct, resume,
};
use linkwork_dae::drive::Flow;
use linkwork_dae::memory::Memory;
use linkwork_problems::reproduce::coupling::{adaptive, mean};
use linkwork_problems::two_mass::{Cross, Half, exact, members};

const BOTH: [Approach; 2] = [Approach::Extrapolation, Approach::Interpolation];

/// Positions have the local error H^(k+3), velocities H^(k+2). Between H = 0.05 and 0.025 the exponents
/// of the extrapolated run are within 0.1. The leading term of the interpolated run is smaller and
/// takes shorter steps to lead: between 0.0125 and 0.00625 within 0.25.
#[test]
fn local_errors_have_the_proven_orders() {
    for k in 0..=3 {
        for (run, h, within) in [(0, 0.05, 0.1), (1, 0.0125, 0.25)] {
            let (coarse, fine) = (mean(k, h), mean(k, 0.5 * h));
            for level in 0..2 {
                let order = (coarse.error[run][level] / fine.error[run][level]).log2();
                let proven = (k + 3 - level) as f64;
                assert!(
                    (order - proven).abs() < within,
                    "degree {k}, run {run}, level {level}: {order:.2} instead of {proven}"
                );
            }
        }
    }
}

/// Estimate over true error is within a factor 2 where steps are small enough for the leading term:
/// everywhere at H = 0.025, for the extrapolated run already at 0.1.
#[test]
fn estimates_are_sharp() {
    for k in 0..=3 {
        for (h, runs) in [(0.1, 1), (0.025, 2)] {
            let found = mean(k, h);
            for run in 0..runs {
                for level in 0..2 {
                    let ratio = found.estimate[run][level] / found.error[run][level];
                    assert!(
                        (0.5..2.0).contains(&ratio),
                        "degree {k}, H = {h}, run {run}, level {level}: {ratio:.2}"
                    );
                }
            }
        }
    }
}

/// A step may use rtol^(1/(k+1)) of the tolerance, so that the errors of all steps, of which there are
/// about rtol^(-1/(k+1)), add up to the same number of tolerances from 1e-3 to 1e-7: below 3 here, and
/// within a factor 2 of each other for the extrapolated run. (The error of the interpolated one is a
/// difference of nearly equal constants.)
#[test]
fn errors_are_proportional_to_the_tolerance() {
    for approach in BOTH {
        let errors = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7].map(|rtol| {
            let (report, error) = adaptive(2, approach, rtol).unwrap();
            assert!(error < 3.0 * rtol, "{approach:?} {rtol:e}: {error:e}");
            assert!(report.rejected <= 10, "{approach:?} {rtol:e}");
            assert_eq!(report.guarantee, Guarantee::Estimated);
            assert!(report.largest_error <= 1.0);
            // what the account says of the sum bounds the error of a motion that damps
            assert!(error < report.accumulated * rtol);
            error / rtol
        });
        let least = errors.iter().fold(f64::INFINITY, |m, e| m.min(*e));
        let most = errors.iter().fold(0.0f64, |m, e| m.max(*e));
        if approach == Approach::Extrapolation {
            assert!(most < 2.0 * least, "{errors:?}");
        }
    }
}

/// Higher degrees need fewer macro steps at a tight tolerance.
#[test]
fn degree_pays() {
    let steps = [0, 1, 2, 3].map(|k| {
        let (report, _) = adaptive(k, Approach::Extrapolation, 1e-6).unwrap();
        report.accepted
    });
    assert!(steps.windows(2).all(|w| w[1] < w[0]), "{steps:?}");
}

#[derive(Default)]
struct Points(Vec<(f64, Vec<f64>)>);

impl Watch for Points {
    fn on_step(&mut self, step: &MacroStep, inputs: &[f64]) -> Flow {
        if step.accepted {
            self.0.push((step.t + step.h, inputs.to_vec()));
        }
        Flow::Continue
    }
}

fn run(plan: &Plan) -> (Report, Points) {
    let mut points = Points::default();
    let report = conduct(members(plan.rtol), &mut Cross::default(), plan, &mut points);
    (report, points)
}

#[test]
fn threads_do_not_change_a_bit() {
    let mut plan = Plan::new(5.0, 1e-6);
    let (one, points) = run(&plan);
    for threads in [2, 3, 4] {
        plan.threads = threads;
        let (more, others) = run(&plan);
        assert_eq!(one.steps, more.steps);
        assert_eq!(points.0, others.0);
    }
}

/// A step that was rejected leaves no trace: with a first step that is far too large the run goes
/// on as one that begins with the step that was accepted in the end.
#[test]
fn rejected_steps_leave_no_trace() {
    let mut plan = Plan::new(2.0, 1e-6);
    plan.first_step = Some(0.5);
    let (rough, points) = run(&plan);
    assert!(rough.rejected > 0);
    let accepted = rough.steps.iter().find(|s| s.accepted).unwrap();
    plan.first_step = Some(accepted.h);
    let (_, gentle) = run(&plan);
    assert_eq!(points.0[0], gentle.0[0]);
}

/// Without a twin nothing can be repeated: steps follow the defects of the inputs, and the account
/// says which guarantee is left.
#[test]
fn forward_only_judges_by_the_inputs() {
    let mut plan = Plan::new(10.0, 1e-4);
    plan.first_step = Some(1e-3);
    let mut points = Points::default();
    let mut blind = members(1e-4);
    blind[1].twin = None;
    let report = conduct(blind, &mut Cross::default(), &plan, &mut points);
    assert_eq!(report.guarantee, Guarantee::ForwardOnly);
    assert_eq!(
        (report.ending.clone(), report.rejected),
        (Ending::Finished, 0)
    );
    let z = exact(10.0);
    let (_, last) = points.0.last().unwrap();
    // defects of 1e-4 in the inputs move the motion by about as much
    let error = (last[0] - z[2]).abs().max((last[2] - z[0]).abs());
    assert!(error < 1e-2, "{error:e}");
    assert!((20..2000).contains(&report.accepted), "{}", report.accepted);
}

/// A member that cannot go on ends the run with its place, its time and its words; what was accepted
/// before stays.
#[test]
fn a_member_that_fails_is_named() {
    let weak = || {
        let mut half = Half::new(0, 1e-6);
        half.wall = 1.004;
        Box::new(half)
    };
    let mut all = members(1e-6);
    all[0].main = weak();
    all[0].twin = Some(weak());
    let mut points = Points::default();
    let report = conduct(
        all,
        &mut Cross::default(),
        &Plan::new(10.0, 1e-6),
        &mut points,
    );
    let Ending::Failed { member, trouble } = &report.ending else {
        panic!("{:?}", report.ending)
    };
    assert_eq!(*member, 0);
    assert_eq!(trouble.why, Why::Told("it has hit the wall".into()));
    assert!(report.failed > 0);
    let (t, last) = points.0.last().unwrap();
    assert_eq!(report.t, *t);
    assert!(trouble.t >= *t && trouble.t - t < 1e-3, "{} {t}", trouble.t);
    assert!(last[2] <= 1.004 && last[2] > 1.003, "{last:?}");
}

/// A half whose output is not a number from some time on.
struct Broken(Half, f64);

impl Subsystem for Broken {
    fn inputs(&self) -> usize {
        self.0.inputs()
    }
    fn outputs(&self) -> usize {
        self.0.outputs()
    }
    fn sizes(&self) -> (usize, usize) {
        self.0.sizes()
    }
    fn start(&mut self, inputs: &[f64]) -> Result<f64, Trouble> {
        self.0.start(inputs)
    }
    fn advance(&mut self, to: f64, inputs: &[Polynomial]) -> Result<(), Trouble> {
        self.1 = to;
        self.0.advance(to, inputs)
    }
    fn output(&mut self, inputs: &[f64], out: &mut [f64]) -> Result<(), Trouble> {
        self.0.output(inputs, out)?;
        if self.1 > 1.0 {
            out[0] = f64::NAN;
        }
        Ok(())
    }
    fn motion(&mut self, out: &mut Motion) {
        self.0.motion(out);
    }
    fn describe(&self, entry: Entry) -> String {
        self.0.describe(entry)
    }
    fn save(&mut self, tape: &mut Memory) {
        self.0.save(tape);
    }
    fn restore(&mut self, tape: &mut Memory) -> Result<(), Trouble> {
        self.0.restore(tape)
    }
}

#[test]
fn an_output_that_is_no_number_is_named() {
    let broken = || Box::new(Broken(Half::new(0, 1e-4), 0.0));
    let mut all = members(1e-4);
    all[0].main = broken();
    all[0].twin = Some(broken());
    let report = conduct(all, &mut Cross::default(), &Plan::new(10.0, 1e-4), &mut ());
    let Ending::Failed { member: 0, trouble } = &report.ending else {
        panic!("{:?}", report.ending)
    };
    assert!(matches!(&trouble.why, Why::NotFinite { what } if what == "output 1"));
    assert!(report.t > 0.5 && report.t <= 1.0, "{}", report.t);
}

/// Steps that would take longer than anybody waits are not taken to the end.
#[test]
fn an_end_out_of_reach_is_not_waited_for() {
    let mut plan = Plan::new(10.0, 1e-4);
    plan.max_step = 1e-14;
    let report = conduct(members(1e-4), &mut Cross::default(), &plan, &mut ());
    assert!(
        matches!(report.ending, Ending::OutOfReach { h, .. } if h <= 1e-14),
        "{:?}",
        report.ending
    );
    assert!(report.accepted < 20_000, "{}", report.accepted);
}

/// Outputs that follow inputs at once, in a circle with a gain of 2, never settle.
struct Mirror;

impl Subsystem for Mirror {
    fn inputs(&self) -> usize {
        1
    }
    fn outputs(&self) -> usize {
        1
    }
    fn sizes(&self) -> (usize, usize) {
        (0, 0)
    }
    fn start(&mut self, _: &[f64]) -> Result<f64, Trouble> {
        Ok(0.0)
    }
    fn advance(&mut self, _: f64, _: &[Polynomial]) -> Result<(), Trouble> {
        Ok(())
    }
    fn output(&mut self, inputs: &[f64], out: &mut [f64]) -> Result<(), Trouble> {
        out[0] = 2.0 * inputs[0] + 1.0;
        Ok(())
    }
    fn feedthrough(&self) -> bool {
        true
    }
    fn motion(&mut self, _: &mut Motion) {}
    fn describe(&self, _: Entry) -> String {
        String::new()
    }
    fn save(&mut self, tape: &mut Memory) {
        tape.clear();
        let _ = tape.finish();
    }
    fn restore(&mut self, _: &mut Memory) -> Result<(), Trouble> {
        Ok(())
    }
}

struct Circle(Vec<linkwork_dae::cosim::Connection>);

impl Coupling for Circle {
    fn couple(&mut self, outputs: &[f64], inputs: &mut [f64]) {
        (inputs[0], inputs[1]) = (outputs[1], outputs[0]);
    }
    fn connections(&self) -> &[linkwork_dae::cosim::Connection] {
        &self.0
    }
}

#[test]
fn an_algebraic_loop_is_refused() {
    let member = |name: &str| Member {
        name: name.into(),
        main: Box::new(Mirror) as Box<dyn Subsystem>,
        twin: Some(Box::new(Mirror) as Box<dyn Subsystem>),
    };
    let connection = linkwork_dae::cosim::Connection {
        name: "circle".into(),
        inputs: vec![0, 1],
    };
    let mut circle = Circle(vec![connection]);
    let all = vec![member("a"), member("b")];
    let report = conduct(all, &mut circle, &Plan::new(1.0, 1e-4), &mut ());
    assert_eq!(report.ending, Ending::AlgebraicLoop { connection: 0 });
}

/// Keeps the tape after some accepted step.
#[derive(Default)]
struct Keeper {
    points: Points,
    at: usize,
    tape: Vec<u64>,
}

impl Watch for Keeper {
    fn on_step(&mut self, step: &MacroStep, inputs: &[f64]) -> Flow {
        self.points.on_step(step, inputs)
    }
    fn wants_tape(&mut self, step: Option<&MacroStep>) -> bool {
        step.is_some() && self.points.0.len() == self.at
    }
    fn on_tape(&mut self, words: &[u64]) {
        self.tape = words.to_vec();
    }
}

/// A run that goes on from a tape has the steps, the inputs and the counters of the run that wrote it,
/// to the last bit; a tape that is damaged or of another system is refused.
#[test]
fn a_saved_run_goes_on_to_the_last_bit() {
    let mut plan = Plan::new(5.0, 1e-5);
    plan.first_step = Some(0.5);
    for at in [1, 3, 40] {
        let mut keeper = Keeper {
            at,
            ..Keeper::default()
        };
        let all = members(plan.rtol);
        let whole = conduct(all, &mut Cross::default(), &plan, &mut keeper);
        let mut points = Points::default();
        let all = members(plan.rtol);
        let rest = resume(all, &mut Cross::default(), &plan, &mut points, &keeper.tape).unwrap();
        assert_eq!(keeper.points.0[at..], points.0[..]);
        assert_eq!(
            whole.steps[whole.steps.len() - rest.steps.len()..],
            rest.steps
        );
        assert_eq!(
            (whole.accepted, whole.rejected, whole.accumulated),
            (rest.accepted, rest.rejected, rest.accumulated)
        );
        assert_eq!(whole.connections, rest.connections);
        let mut damaged = keeper.tape.clone();
        damaged[7] ^= 1;
        let all = members(plan.rtol);
        let refused = resume(all, &mut Cross::default(), &plan, &mut (), &damaged);
        assert!(matches!(
            refused,
            Err(Trouble {
                why: Why::Memory(_),
                ..
            })
        ));
        let one = members(plan.rtol).into_iter().take(1).collect();
        let refused = resume(one, &mut Cross::default(), &plan, &mut (), &keeper.tape);
        assert!(matches!(
            refused,
            Err(Trouble {
                why: Why::Memory(_),
                ..
            })
        ));
    }
}
