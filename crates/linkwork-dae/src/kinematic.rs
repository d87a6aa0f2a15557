//! Motion without freedom: the constraints alone determine it.
//!
//! At every instant, with as many independent constraints as coordinates,
//!
//! ```text
//!  C(q, t) = 0     C_q v = -C_t     C_q a = gamma     C_q' lambda = Q - M a
//! ```
//!
//! so nothing is integrated and no error accumulates. Steps lead from one solution to the next of
//! the same branch: the pose is predicted with `q + h v + h^2/2 a`, corrected by Newton's method,
//! and the step is shortened where the correction is long, Newton is slow, or the velocity jumps
//! near a singular pose. Three things can happen there: the mechanism locks (a dead centre of what
//! is driven; no pose beyond), it may go on along several branches (it goes straight on, which is
//! noted), or the drives ask for an infinite velocity. Bad at: states of controllers, which would
//! have to be integrated.

mod examine;

pub use examine::Examination;

use crate::chart;
use crate::initial::{Algebraic, Start, Undetermined};
use crate::linear::SparseLu;
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::{EvalError, Part, Row, Rows, System, Terms};
use crate::tangent::{Tangent, sizes};

/// Longest correction of a predicted pose, relative to the sizes of the coordinates.
const NEAR: f64 = 0.02;
/// Newton iterations from which a step counts as too long.
const SLOW: usize = 7;
/// Relative pivots below this mark a pose near which branches may meet.
const NEARLY_SINGULAR: f64 = 1e-2;
/// Relative pivots below this explain why there is no way on.
const SINGULAR: f64 = 1e-3;
/// Largest jump of the velocity relative to the velocity itself, near a singular pose.
const JUMP: f64 = 0.25;
/// Shortest step relative to the interval that was asked for.
const SHORTEST: f64 = 1e-10;
/// Residual of a removed row, relative to the size of the mechanism, that is still closed.
const CLOSED: f64 = 1e-8;

/// Why the motion is not determined by the constraints, or could not go on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum KinematicError {
    /// Some motion is left free.
    #[error("{} degree(s) of freedom are left", coordinates.len())]
    Free {
        /// Coordinates that describe it.
        coordinates: Vec<Row>,
    },
    /// Rolling constraints do not determine positions.
    #[error("non-holonomic constraints do not determine positions")]
    NonHolonomic,
    /// There is no pose beyond this time, or none that can be told from others.
    #[error("no way on at t = {t}: {cause:?}")]
    Stuck {
        /// The last time reached.
        t: f64,
        /// What stopped it.
        cause: Stop,
        /// The last pose.
        examination: Option<Examination>,
    },
    /// A constraint that followed from the others at the start contradicts them now.
    #[error("a removed constraint is violated at t = {t}")]
    Contradictory {
        /// The time.
        t: f64,
        /// The row.
        row: usize,
        /// Its residual.
        residual: f64,
    },
    /// The system could not be evaluated.
    #[error("{source}")]
    Eval {
        /// The last time reached.
        t: f64,
        /// What went wrong.
        source: EvalError,
    },
}

/// What ruled the last attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// Newton's method found no pose near the predicted one.
    NoPose {
        /// The constraint that stays open.
        row: Row,
    },
    /// The constraints do not determine the velocity or the reactions.
    Singular {
        /// The constraint or coordinate.
        row: Row,
    },
    /// The nearest pose is far from the predicted one: another branch.
    Far {
        /// The coordinate that would jump.
        row: Row,
    },
    /// The velocity jumps.
    Kink {
        /// The coordinate.
        row: Row,
    },
}

/// A singular pose that was passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Last time before it.
    pub from: f64,
    /// First time after it.
    pub to: f64,
    /// The constraint that depends on the others there.
    pub row: usize,
    /// The coordinate that it leaves free.
    pub coordinate: usize,
}

/// Work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KinematicStats {
    /// Accepted steps.
    pub steps: u64,
    /// Steps that were too long.
    pub rejected: u64,
    /// Newton iterations.
    pub iterations: u64,
}

/// What is known at the time that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Everything.
    Complete,
    /// The pose only: it is singular, velocities and reactions have no value.
    PoseOnly,
}

/// A motion that the constraints determine.
pub struct Kinematics<'a> {
    sys: &'a mut dyn System,
    saddle: Saddle,
    algebraic: Algebraic,
    rows: Rows,
    dropped: Vec<usize>,
    scale: Vec<f64>,
    /// The last complete state.
    base: State,
    /// The state on trial, or the one that was reached.
    state: State,
    examination: Option<Examination>,
    h: f64,
    /// Work so far.
    pub stats: KinematicStats,
    /// Singular poses passed so far.
    pub passages: Vec<Passage>,
}

impl<'a> Kinematics<'a> {
    /// Begins at a consistent start.
    pub fn new(sys: &'a mut dyn System, start: &Start) -> Result<Kinematics<'a>, KinematicError> {
        let dims = sys.dims();
        if dims.ng > 0 {
            return Err(KinematicError::NonHolonomic);
        }
        if start.rows.c.len() < dims.nv {
            return Err(KinematicError::Free {
                coordinates: free_coordinates(sys, start)?,
            });
        }
        let mut kinematics = Kinematics {
            saddle: Saddle::new(sys, &start.rows, Box::new(SparseLu::new())),
            algebraic: Algebraic::new(sys),
            dropped: (0..dims.nc)
                .filter(|&i| start.rows.c.binary_search(&(i as u32)).is_err())
                .collect(),
            rows: start.rows.clone(),
            scale: sizes(sys),
            base: start.state.clone(),
            state: start.state.clone(),
            examination: None,
            h: f64::INFINITY,
            stats: KinematicStats::default(),
            passages: Vec::new(),
            sys,
        };
        kinematics.examination = kinematics.examine()?;
        Ok(kinematics)
    }

    /// The last state; with [`Reached::PoseOnly`], the pose that has no velocities.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The system.
    pub fn system(&mut self) -> &mut dyn System {
        self.sys
    }

    /// Goes on to a later time.
    pub fn advance_to(&mut self, t: f64) -> Result<Reached, KinematicError> {
        let begin = self.base.t;
        let shortest = (SHORTEST * (t - begin)).max(16.0 * f64::EPSILON * t.abs());
        let mut limit = self.h;
        loop {
            let left = t - self.base.t;
            if left <= 0.0 {
                self.state.copy_from(&self.base);
                return Ok(Reached::Complete);
            }
            let lands = left <= limit * (1.0 + 1e-9);
            let h = if lands {
                left
            } else if left < 2.0 * limit {
                // two even steps instead of a whole one and a remainder
                0.5 * left
            } else {
                limit
            };
            let to = if lands { t } else { self.base.t + h };
            match self.attempt(to, h, h <= 4.0 * shortest)? {
                Ok(correction) => {
                    self.accept()?;
                    let growth = (NEAR / (4.0 * correction.max(1e-12))).cbrt();
                    let next = h * growth.clamp(0.5, 4.0);
                    // a step that was cut short to land says little about longer ones
                    limit = if h < limit { next.max(limit) } else { next };
                    self.h = limit;
                }
                // the constraints close here but determine no velocity: step over it next time
                Err(Stop::Singular { .. }) if lands => {
                    self.state.a.fill(f64::NAN);
                    self.state.v.fill(f64::NAN);
                    self.state.lambda.fill(f64::NAN);
                    self.h = limit.max(left);
                    return Ok(Reached::PoseOnly);
                }
                Err(cause) => {
                    self.stats.rejected += 1;
                    limit = 0.25 * h;
                    if limit < shortest {
                        let examination = self.examine()?;
                        return Err(KinematicError::Stuck {
                            t: self.base.t,
                            cause,
                            examination,
                        });
                    }
                }
            }
        }
    }

    /// Tries a step; the outer error ends the motion, the inner one only this step.
    fn attempt(
        &mut self,
        to: f64,
        h: f64,
        last_chance: bool,
    ) -> Result<Result<f64, Stop>, KinematicError> {
        let trial = &mut self.state;
        trial.copy_from(&self.base);
        trial.t = to;
        let step: Vec<f64> = (self.base.v.iter().zip(&self.base.a))
            .map(|(v, a)| h * v + 0.5 * h * h * a)
            .collect();
        chart::advance(self.sys, &mut trial.q, &step);
        let predicted = trial.q.clone();
        let stop = |e: SaddleError| match e {
            SaddleError::Eval(source) => Err(source),
            SaddleError::Singular { row } | SaddleError::Unsettled { row } => {
                Ok(Stop::Singular { row })
            }
            SaddleError::NotProjected { row, .. } => Ok(Stop::NoPose { row }),
        };
        let t = self.base.t;
        let eval = |source| KinematicError::Eval { t, source };
        let iterations = match self.saddle.project_position(self.sys, trial) {
            Ok(n) => n,
            // a singular matrix on the way to a pose is no singular pose
            Err(e) => {
                return Ok(Err(match stop(e).map_err(eval)? {
                    Stop::Singular { row } => Stop::NoPose { row },
                    other => other,
                }));
            }
        };
        self.stats.iterations += iterations as u64;
        let (correction, row) = largest_change(&trial.q, &predicted, &self.scale);
        if !(correction <= NEAR) || iterations >= SLOW {
            return Ok(Err(Stop::Far { row }));
        }
        if let Err(e) = self.saddle.project_velocity(self.sys, trial) {
            return stop(e).map_err(eval).map(Err);
        }
        match self.algebraic.solve(self.sys, trial) {
            Ok(()) => {}
            Err(Undetermined::Eval(source)) => return Err(eval(source)),
            Err(Undetermined::Singular { row } | Undetermined::NotConverged { row }) => {
                return Ok(Err(Stop::NoPose { row }));
            }
        }
        if let Err(e) = self.saddle.accelerate(self.sys, trial) {
            return stop(e).map_err(eval).map(Err);
        }
        let smooth: Vec<f64> = (0..trial.v.len())
            .map(|i| self.base.v[i] + 0.5 * h * (self.base.a[i] + trial.a[i]))
            .collect();
        let (jump, row) = largest_change(&trial.v, &smooth, &self.scale);
        let zero = vec![0.0; trial.v.len()];
        let speed = largest_change(&trial.v, &zero, &self.scale).0
            + largest_change(&self.base.v, &zero, &self.scale).0;
        if jump > JUMP * speed {
            let here = self.examine()?;
            // away from singular poses a jump is that of a drive
            let suspect = here.as_ref().is_some_and(|e| e.smallest < NEARLY_SINGULAR)
                || turned(&self.examination, &here);
            if suspect || !(last_chance || jump * h < NEAR) {
                return Ok(Err(Stop::Kink { row }));
            }
        }
        Ok(Ok(correction))
    }

    fn accept(&mut self) -> Result<(), KinematicError> {
        self.stats.steps += 1;
        let here = self.examine()?;
        if turned(&self.examination, &here)
            && let (Some(before), Some(after)) = (&self.examination, &here)
        {
            let nearer = if before.smallest < after.smallest {
                before
            } else {
                after
            };
            self.passages.push(Passage {
                from: self.base.t,
                to: self.state.t,
                row: self.rows.c[nearer.row] as usize,
                coordinate: nearer.coordinate,
            });
        }
        self.examination = here;
        std::mem::swap(&mut self.base, &mut self.state);
        if let Some(chart) = self.sys.chart_mut()
            && chart.rebase(self.base.t, &self.base.q)
        {
            chart.carry(self.base.t, &mut self.base.q, &mut self.base.v);
        }
        let result = self.check_dropped();
        self.state.copy_from(&self.base);
        result
    }

    fn check_dropped(&mut self) -> Result<(), KinematicError> {
        if self.dropped.is_empty() {
            return Ok(());
        }
        let t = self.base.t;
        let mut c = vec![0.0; self.sys.dims().nc];
        let mut want = Terms {
            c: Some(&mut c),
            ..Terms::default()
        };
        (self.sys.eval(&self.base.at(), &mut want))
            .map_err(|source| KinematicError::Eval { t, source })?;
        let size = self.scale.iter().copied().fold(0.0, f64::max);
        match self
            .dropped
            .iter()
            .find(|&&i| !(c[i].abs() <= CLOSED * size))
        {
            None => Ok(()),
            Some(&row) => Err(KinematicError::Contradictory {
                t,
                row,
                residual: c[row],
            }),
        }
    }

    /// Examines the pose on trial.
    fn examine(&mut self) -> Result<Option<Examination>, KinematicError> {
        let t = self.base.t;
        let patterns = self.sys.patterns()[Part::Cq].len();
        let mut c_q = vec![0.0; patterns];
        let mut want = Terms {
            c_q: Some(&mut c_q),
            ..Terms::default()
        };
        (self.sys.eval(&self.state.at(), &mut want))
            .map_err(|source| KinematicError::Eval { t, source })?;
        Ok(examine::examine(
            &self.sys.patterns()[Part::Cq],
            &c_q,
            &self.rows,
            &self.scale,
        ))
    }
}

impl KinematicError {
    /// Whether a singular pose is why there is no way on.
    pub fn is_singular(&self) -> bool {
        match self {
            KinematicError::Stuck {
                cause, examination, ..
            } => {
                matches!(cause, Stop::Singular { .. })
                    || examination.as_ref().is_some_and(|e| e.smallest < SINGULAR)
            }
            _ => false,
        }
    }
}

/// Whether the orientation of the constraints changed: a singular pose lies between.
fn turned(before: &Option<Examination>, after: &Option<Examination>) -> bool {
    match (before, after) {
        (Some(a), Some(b)) => a.positive != b.positive,
        _ => false,
    }
}

fn largest_change(a: &[f64], b: &[f64], scale: &[f64]) -> (f64, Row) {
    let mut worst = (0.0, Row::Position(0));
    for (i, ((a, b), s)) in a.iter().zip(b).zip(scale).enumerate() {
        let e = ((a - b) / s).abs();
        if e > worst.0 || e.is_nan() {
            worst = (e, Row::Position(i));
        }
    }
    worst
}

fn free_coordinates(sys: &mut dyn System, start: &Start) -> Result<Vec<Row>, KinematicError> {
    let dims = sys.dims();
    let mut values = vec![0.0; sys.patterns()[Part::Cq].len()];
    let mut want = Terms {
        c_q: Some(&mut values),
        ..Terms::default()
    };
    (sys.eval(&start.state.at(), &mut want)).map_err(|source| KinematicError::Eval {
        t: start.state.t,
        source,
    })?;
    let mut c_q = crate::dense::Matrix::zero(dims.rows(), dims.nv);
    for (&(i, j), x) in sys.patterns()[Part::Cq].iter().zip(&values) {
        c_q[(i as usize, j as usize)] += x;
    }
    Ok(match Tangent::new(sys, &c_q, &start.rows) {
        Ok(tangent) => tangent.free_coordinates(),
        // at a singular pose the count is right and the names are not to be had
        Err(_) => (0..dims.nv - start.rows.c.len())
            .map(Row::Position)
            .collect(),
    })
}
