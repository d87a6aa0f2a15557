//! Every way in which a solve can end, on one equation `a + law(q) = 0` with `a = q`.

use super::*;
use crate::formulation::index3::Scaling;
use crate::implicit::Implicit;
use crate::jacobian::Effort;
use crate::linear::DenseLu;
use crate::residual::{Blackbox, Residual};
use crate::state::{Link, Tolerances};
use crate::system::Parts;
use crate::system::{At, Blocks, Dims, Guess, Part, Rows, Terms};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A force law.
#[derive(Clone)]
enum Law {
    /// `stiffness q + bend q^2 - load`.
    Spring {
        stiffness: f64,
        bend: f64,
        load: f64,
    },
    /// A force of rounding size with alternating sign.
    Rough { size: f64, up: Arc<AtomicBool> },
}

impl Residual for Law {
    fn dims(&self) -> Dims {
        Dims {
            nq: 1,
            nv: 1,
            ..Dims::default()
        }
    }

    fn start(&self) -> Guess {
        Guess::at(&[0.0], &[0.0])
    }

    fn residual(&self, at: &At<'_>, r: &mut [f64]) {
        let q = at.q[0];
        r[0] = at.a[0]
            + match self {
                Law::Spring {
                    stiffness,
                    bend,
                    load,
                } => stiffness * q + bend * q * q - load,
                Law::Rough { size, up } => match up.fetch_xor(true, Ordering::Relaxed) {
                    true => *size,
                    false => -*size,
                },
            };
    }
}

/// Answers and stiffnesses in turn, the last ones again and again; what was asked.
#[derive(Default)]
struct Script {
    answers: Vec<Refresh>,
    stiffness: Vec<f64>,
    /// Evaluations that may have missed entries.
    doubtful: usize,
    fills: usize,
    asked: Arc<Mutex<Vec<Situation>>>,
}

impl JacobianStrategy for Script {
    fn bind(&mut self, _: &dyn System, _: Parts) {}

    fn decide(&mut self, now: &Situation) -> Refresh {
        self.asked.lock().unwrap().push(*now);
        match self.answers.len() {
            0 => Refresh::Renew(now.needed),
            1 => self.answers[0],
            _ => self.answers.remove(0),
        }
    }

    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        want: &mut Terms<'_>,
        _: Parts,
        _: &Weights,
        out: &mut Blocks,
    ) -> Result<Effort, EvalError> {
        sys.eval(at, want)?;
        out[Part::Mass][0] = 1.0;
        out[Part::Rv][0] = 0.0;
        out[Part::Rq][0] = self.stiffness[self.fills.min(self.stiffness.len() - 1)];
        self.fills += 1;
        Ok(Effort::default())
    }

    fn may_miss(&self) -> bool {
        self.doubtful > 0
    }

    fn incomplete(&self) -> bool {
        self.fills <= self.doubtful
    }

    fn memory(&mut self, _: &mut Memory) {}
}

struct Bench {
    implicit: Implicit,
    weights: Weights,
    stats: Stats,
    asked: Arc<Mutex<Vec<Situation>>>,
}

impl Bench {
    /// `weight` is that of the only unknown.
    fn new(script: Script, weight: f64) -> Bench {
        let asked = Arc::clone(&script.asked);
        let form = Formulation::index3(Scaling::Both);
        let mut implicit = Implicit::new(form, Box::new(script), Box::new(DenseLu::new()));
        let sys = Blackbox::new(spring(0.0, 0.0));
        implicit.bind(&sys, &Rows::all(sys.facts().dims));
        let mut weights = Weights::new(&sys, &Tolerances::relative(1e-6));
        weights.q[0] = weight;
        Bench {
            implicit,
            weights,
            stats: Stats::default(),
            asked,
        }
    }

    /// Solves from a prediction of zero; returns iterations and the solution.
    fn solve(&mut self, law: &Law) -> Result<(u32, f64), Retry> {
        let mut sys = Blackbox::new(law.clone());
        let mut st = Stage::new(sys.facts().dims);
        st.link = Link {
            qdot: 1.0,
            vdot: 1.0,
        };
        let Bench {
            implicit,
            weights,
            stats,
            ..
        } = self;
        let iterations = implicit.solve(&mut sys, weights, stats, &mut st)?;
        assert_eq!(st.dq, st.s.q, "increments begin at the prediction");
        Ok((iterations, st.s.q[0]))
    }

    fn last_asked(&self) -> Situation {
        *self.asked.lock().unwrap().last().unwrap()
    }
}

fn spring(stiffness: f64, load: f64) -> Law {
    let bend = 0.0;
    Law::Spring {
        stiffness,
        bend,
        load,
    }
}

fn renewing(stiffness: &[f64]) -> Script {
    Script {
        stiffness: stiffness.to_vec(),
        ..Script::default()
    }
}

const ALL: Refresh = Refresh::Renew(Parts::ALL);

fn is_near(x: f64, expected: f64) -> bool {
    (x - expected).abs() < 1e-12 * expected
}

#[test]
fn kept_factors_serve() {
    let mut script = renewing(&[0.1]);
    script.answers = vec![ALL, Refresh::Keep];
    let mut bench = Bench::new(script, 1.0);
    bench.solve(&spring(0.1, 1.0)).unwrap();
    let (_, q) = bench.solve(&spring(0.1, 2.0)).unwrap();
    assert!(is_near(q, 2.0 / 1.1));
    assert_eq!(
        (bench.stats.factors_kept, bench.stats.factorisations),
        (1, 1)
    );
}

/// The solve begins again at its prediction with new blocks, and what was spent in vain is told.
#[test]
fn kept_factors_that_do_not_serve_are_replaced() {
    let mut script = renewing(&[0.1, 5.0]);
    script.answers = vec![ALL, Refresh::Keep];
    let mut bench = Bench::new(script, 1.0);
    bench.solve(&spring(0.1, 1.0)).unwrap();
    let (_, q) = bench.solve(&spring(5.0, 1.0)).unwrap();
    assert!(is_near(q, 1.0 / 6.0));
    // keeping what does not serve is no answer
    assert_eq!(bench.last_asked().tried, Some(Made::Kept));
    bench.solve(&spring(5.0, 1.0)).unwrap();
    let now = bench.last_asked();
    assert_eq!(
        (now.made, now.wasted, now.failed),
        (Made::Evaluated, 2, false)
    );
}

#[test]
fn growing_corrections_on_new_blocks_are_divergence() {
    let mut bench = Bench::new(renewing(&[0.1]), 1.0);
    let failure = bench.solve(&spring(5.0, 1.0)).unwrap_err();
    let Retry::Diverged { rate, worst } = failure else {
        panic!("{failure:?}");
    };
    assert!(rate > 4.0 && worst == Row::Position(0));
    assert_eq!(bench.stats.newton_failures, 1);
    assert!(bench.solve(&spring(0.1, 1.0)).is_ok());
    assert!(bench.last_asked().failed);
}

#[test]
fn three_matrices_are_tried() {
    // J = 6.67 for a slope of 1: corrections shrink by 0.85
    let mut bench = Bench::new(renewing(&[5.67]), 1.0);
    let failure = bench.solve(&spring(0.0, 100.0)).unwrap_err();
    assert!(
        matches!(failure, Retry::Slow { iterations: 6, .. }),
        "{failure:?}"
    );
    assert_eq!(bench.stats.factorisations, 3);
}

#[test]
fn a_singular_matrix_names_its_unknown() {
    let mut bench = Bench::new(renewing(&[-1.0]), 1.0);
    let unknown = Row::Position(0);
    let failure = bench.solve(&spring(0.0, 1.0)).unwrap_err();
    assert_eq!(failure, Retry::Singular { unknown });
}

#[test]
fn rounding_ends_an_iteration() {
    // rounding of the unknown, whose size is 1, is 0.22 or 2.2 tolerances
    for (weight, is_small) in [(1e15, true), (1e16, false)] {
        let mut bench = Bench::new(renewing(&[0.0]), weight);
        let law = Law::Rough {
            size: 2e-16,
            up: Arc::default(),
        };
        match bench.solve(&law) {
            Ok((iterations, _)) => assert!(is_small && iterations == 2),
            Err(failure) => {
                assert!(!is_small);
                assert!(matches!(failure, Retry::Rounding { .. }), "{failure:?}");
            }
        }
    }
}

/// Noise of equations far above rounding is as good as nothing where it is far below the tolerance of the run, of which steps
/// use a share.
#[test]
fn noise_is_held_to_the_tolerance_of_the_run() {
    let law = Law::Rough {
        size: 2e-14,
        up: Arc::default(),
    };
    for (share, is_small) in [(1.0, false), (1e-2, true)] {
        let mut bench = Bench::new(renewing(&[0.0]), 1.0);
        bench.weights = bench.weights.of_steps(share);
        bench.weights.q[0] = 1e12;
        match bench.solve(&law) {
            Ok(_) => assert!(is_small),
            Err(failure) => assert!(
                !is_small && !matches!(failure, Retry::Rounding { .. }),
                "{failure:?}"
            ),
        }
    }
}

/// A failure with blocks that may have missed entries proves nothing.
#[test]
fn doubtful_blocks_are_made_again() {
    let mut script = renewing(&[0.1, 5.0]);
    script.doubtful = 1;
    let mut bench = Bench::new(script, 1.0);
    let (_, q) = bench.solve(&spring(5.0, 1.0)).unwrap();
    assert!(is_near(q, 1.0 / 6.0));
    assert_eq!(bench.last_asked().tried, Some(Made::Evaluated));
}

#[test]
fn equations_without_a_value_fail() {
    let mut bench = Bench::new(renewing(&[0.0]), 1.0);
    let failure = bench.solve(&spring(0.0, f64::NAN)).unwrap_err();
    assert!(matches!(failure, Retry::Eval(_)), "{failure:?}");
    // finite, over a matrix of 1e-10
    let mut bench = Bench::new(renewing(&[-1.0 + 1e-10]), 1.0);
    let failure = bench.solve(&spring(0.0, 1e300)).unwrap_err();
    assert!(
        matches!(failure, Retry::Diverged { rate, .. } if rate.is_infinite()),
        "{failure:?}"
    );
}

/// One iteration is enough by the curvature, which a second one checks now and then.
#[test]
fn curvature_is_remembered_checked_and_forgotten() {
    let law = Law::Spring {
        stiffness: 0.1,
        bend: 1e-3,
        load: 1.0,
    };
    let mut bench = Bench::new(renewing(&[0.1]), 1.0);
    let solves: Vec<u32> = (0..18).map(|_| bench.solve(&law).unwrap().0).collect();
    assert_eq!(solves[..2], [2, 1]);
    let check = CHECK_EVERY as usize;
    assert!(solves[1..check].iter().all(|&n| n == 1), "{solves:?}");
    assert_eq!(solves[check..], [2, 1]);
    bench.implicit.restart();
    assert_eq!(bench.solve(&law).unwrap().0, 2);
}
