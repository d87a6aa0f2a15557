//! Static equilibrium: a pose at which all forces balance.
//!
//! ```text
//!  C_q' lambda - Q(q, 0, x, t0) = 0        C(q, t0) = 0        f(q, 0, x, t0) = 0
//! ```
//!
//! Velocities are zero, drives stand where they are at the start time, first-order states are at
//! rest. Newton's method alone would run to whatever equilibrium is near, often an unstable one, so
//! it is reached through pseudo-time: implicit Euler steps of `q' = -(C_q' lambda - Q)` on the
//! constraints, whose length `tau` grows until they are Newton steps (Kelley & Keyes 1998),
//!
//! ```text
//!  [ W/tau + K   C_q'   Rx       ] [ dq      ]     [ r ]
//!  [ C_q         0      0        ] [ dlambda ] = - [ C ]
//!  [ -F_q        0      1/tau-Fx ] [ dx      ]     [ -f ]
//! ```
//!
//! `W` is the same for every coordinate in its typical size: statics does not depend on masses. A
//! step must begin downhill and must not end in a slope that is as steep upwards; its end is put back
//! onto the constraints. That forces balance does not tell how far a pose is from its place: what is soft beside the
//! rest, as bending is beside the tension of a slender beam, may be off though they do. Where every direction is
//! held, Newton steps without `W` follow for as long as they become shorter. Bad at: forces with jumps,
//! and equilibria held by a non-conservative force that turns around them.

mod flow;
mod support;

pub use support::{Direction, Support};

use crate::initial::Start;
use crate::linear::SparseLu;
use crate::linearise::LineariseError;
use crate::saddle::Saddle;
use crate::state::State;
use crate::system::{EvalError, Parts, Reader, Row, Rows, System};
use flow::Flow;

/// Wanted residual relative to the largest force.
const BALANCED: f64 = 1e-10;
/// What rounding may leave when steps no longer improve it.
const NEARLY_BALANCED: f64 = 1e-7;
/// Constraints that are open by less, relative to the sizes of the coordinates, hold.
const CLOSED: f64 = 1e-11;
const STEPS: usize = 400;
/// Longest step relative to the sizes of the coordinates.
const LONGEST: f64 = 0.5;
/// A Newton step of this length, relative to the same sizes, is the last: what it leaves is about its square.
const SHORTEST: f64 = 1e-9;
/// Way, in sizes of the mechanism, after which it counts as running away.
const FAR: f64 = 60.0;
const RETRIES: usize = 40;

/// A pose in balance; on a chart, about the base that the system has now.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// Positions, multipliers and states; velocities, accelerations and rates are 0.
    pub state: State,
    /// The independent constraint rows.
    pub rows: Rows,
    /// Steps taken.
    pub steps: usize,
    /// Largest unbalanced force relative to the largest force at work.
    pub residual: f64,
    /// The same before the first step.
    pub residual_before: f64,
    /// What holds the pose.
    pub support: Support,
}

/// Why there is no equilibrium.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EquilibriumError {
    /// The system could not be evaluated.
    #[error("{source}")]
    Eval {
        /// What went wrong.
        source: EvalError,
        /// Where.
        state: Box<State>,
    },
    /// The system does not supply its derivatives.
    #[error("the system gives no derivatives")]
    NoDerivatives,
    /// A force acts in directions that nothing holds.
    #[error("nothing holds the mechanism in {} direction(s)", directions.len())]
    Unsupported {
        /// The directions.
        directions: Vec<Direction>,
        /// Where it was last.
        state: Box<State>,
    },
    /// No balance was found.
    #[error("no balance was found in {steps} steps; the relative residual is {residual:.2e}")]
    NotBalanced {
        /// Coordinate with the largest unbalanced force.
        row: Row,
        /// That force relative to the largest one at work.
        residual: f64,
        /// Steps taken.
        steps: usize,
        /// The last pose.
        state: Box<State>,
    },
}

impl EquilibriumError {
    /// The last pose, if there is one.
    pub fn state(&self) -> Option<&State> {
        match self {
            EquilibriumError::NoDerivatives => None,
            EquilibriumError::Eval { state, .. }
            | EquilibriumError::Unsupported { state, .. }
            | EquilibriumError::NotBalanced { state, .. } => Some(state),
        }
    }
}

/// Finds the equilibrium that a consistent start settles to.
pub fn equilibrium(sys: &mut dyn System, start: &Start) -> Result<Equilibrium, EquilibriumError> {
    if sys.facts().exact != Parts::ALL {
        return Err(EquilibriumError::NoDerivatives);
    }
    sys.structure(Reader::Entries);
    let mut state = start.state.clone();
    state.v.fill(0.0);
    state.a.fill(0.0);
    state.xdot.fill(0.0);
    let mut flow = Flow::new(sys, &start.rows);
    let mut saddle = Saddle::new(sys, &start.rows, Box::new(SparseLu::new()));
    let failed = |source, state: &State| EquilibriumError::Eval {
        source,
        state: Box::new(state.clone()),
    };
    let mut now = flow.measure(sys, &state).map_err(|e| failed(e, &state))?;
    let residual_before = now.residual;
    let mut tau = 0.1;
    let (mut steps, mut way, mut idle) = (0, 0.0, 0);
    let mut trial = state.clone();
    // one step more than needed: it costs little and gains digits
    let mut polished = false;
    loop {
        let closed = now.open <= CLOSED;
        if idle >= 3 && tau >= flow.longest_time() && flow.lengthen() {
            idle = 0;
        }
        if closed && now.residual <= BALANCED && (polished || now.residual == 0.0) {
            break;
        }
        if closed && now.residual <= NEARLY_BALANCED && idle >= 3 {
            break;
        }
        if steps >= STEPS || way > FAR {
            return Err(diagnose(sys, &start.rows, &state, &now, steps));
        }
        polished = closed && now.residual <= BALANCED;
        let mut accepted = None;
        for _ in 0..RETRIES {
            let Some(step) = flow.step(sys, &state, tau).map_err(|e| failed(e, &state))? else {
                tau *= 0.25;
                continue;
            };
            if step.size > LONGEST {
                tau *= 0.5 * LONGEST / step.size;
                continue;
            }
            let work = flow.work(&now);
            let small = 1e-12 * flow.force_scale();
            if work < -small {
                tau *= 0.25;
                continue;
            }
            flow.take(sys, &state, &mut trial);
            let closed = saddle.project_position(sys, &mut trial).is_ok();
            let then = flow.measure(sys, &trial).ok().filter(|_| closed);
            let Some(then) = then else {
                tau *= 0.25;
                continue;
            };
            let work_then = flow.work(&then);
            if work_then < -work.abs() - small && step.size > 1e-7 {
                tau *= 0.25;
                continue;
            }
            accepted = Some((step, then, work_then >= -0.25 * work.abs()));
            break;
        }
        let Some((step, then, downhill)) = accepted else {
            if closed && now.residual <= NEARLY_BALANCED {
                break;
            }
            return Err(diagnose(sys, &start.rows, &state, &now, steps));
        };
        steps += 1;
        way += step.size;
        idle = if then.residual > 0.5 * now.residual {
            idle + 1
        } else {
            0
        };
        std::mem::swap(&mut state, &mut trial);
        now = then;
        rebase(sys, &mut state);
        if downhill {
            tau = (4.0 * tau).min(flow.longest_time());
        }
    }
    let held = support::support(sys, &state, &start.rows, now.force_scale);
    let support = held.map_err(|e| match e {
        LineariseError::Eval(source) => failed(source, &state),
        _ => EquilibriumError::NoDerivatives,
    })?;
    if support.neutral.is_empty() {
        let closed = |sys: &mut dyn System, s: &mut State| saddle.project_position(sys, s).is_ok();
        if let Some((found, count)) = finish(sys, &mut flow, &mut state, now.residual, closed) {
            now = found;
            steps += count;
        }
        rebase(sys, &mut state);
    }
    Ok(Equilibrium {
        state,
        rows: start.rows.clone(),
        steps,
        residual: now.residual,
        residual_before,
        support,
    })
}

/// Newton steps from a balance, each at most half as long as the one before, to where they end; forces along stiff
/// directions may rise on the way there. Answers the balance and the number of steps where they led to one.
fn finish(
    sys: &mut dyn System,
    flow: &mut Flow,
    state: &mut State,
    before: f64,
    mut closed: impl FnMut(&mut dyn System, &mut State) -> bool,
) -> Option<(flow::Balance, usize)> {
    let (mut here, mut trial) = (state.clone(), state.clone());
    let (mut found, mut last) = (None, 2.0 * LONGEST);
    for count in 1.. {
        let Ok(Some(step)) = flow.step(sys, &here, f64::INFINITY) else {
            break;
        };
        if !(step.size <= 0.5 * last) {
            break;
        }
        flow.take(sys, &here, &mut trial);
        if !closed(sys, &mut trial) {
            break;
        }
        let Ok(then) = flow.measure(sys, &trial) else {
            break;
        };
        std::mem::swap(&mut here, &mut trial);
        if then.open <= CLOSED && then.residual <= before.max(BALANCED) {
            state.copy_from(&here);
            found = Some((then, count));
        }
        if step.size <= SHORTEST {
            break;
        }
        last = step.size;
    }
    found
}

/// Moves the base of a chart to a state.
fn rebase(sys: &mut dyn System, state: &mut State) {
    if let Some(chart) = sys.chart_mut()
        && chart.rebase(state.t, &state.q)
    {
        chart.carry(state.t, &mut state.q, &mut state.v);
    }
}

/// Names what is missing: a direction with a force but without stiffness, or just the largest
/// unbalanced force.
fn diagnose(
    sys: &mut dyn System,
    rows: &Rows,
    state: &State,
    now: &flow::Balance,
    steps: usize,
) -> EquilibriumError {
    if let Ok(support) = support::support(sys, state, rows, now.force_scale) {
        let directions: Vec<Direction> = (support.neutral.into_iter())
            .filter(|d| {
                let force: f64 = d.shape.iter().zip(&now.r).map(|(d, r)| d * r).sum();
                force.abs() > 1e-6 * now.force_scale
            })
            .collect();
        if !directions.is_empty() {
            return EquilibriumError::Unsupported {
                directions,
                state: Box::new(state.clone()),
            };
        }
    }
    EquilibriumError::NotBalanced {
        row: now.worst,
        residual: now.residual,
        steps,
        state: Box::new(state.clone()),
    }
}
