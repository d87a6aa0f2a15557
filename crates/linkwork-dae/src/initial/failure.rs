//! Why a start failed, with what was computed so far and words for the user.

use crate::state::State;
use crate::system::{EvalError, Part, Row, System};
use std::fmt::{self, Write};

/// The level of an equation: the constraint itself or one of its time derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `C = 0`.
    Position,
    /// `C_q v + C_t = 0`.
    Velocity,
    /// `C_q a = gamma`.
    Acceleration,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Position => "position",
            Level::Velocity => "velocity",
            Level::Acceleration => "acceleration",
        })
    }
}

/// Why no consistent start was found. `state` is the best one reached; entries that were not
/// computed are 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The guess does not fit the system.
    #[error("the guess has {found} {what}, the system {expected}")]
    WrongLength {
        /// "positions" or "velocities".
        what: &'static str,
        /// Length found.
        found: usize,
        /// Length expected.
        expected: usize,
    },
    /// A start value, or a term of the equations at the guess, is NaN or infinite.
    #[error("{what} is not finite")]
    NotFinite {
        /// The culprit in words.
        what: String,
        /// The guess.
        state: Box<State>,
    },
    /// The constraints could not be closed within the allowed iterations.
    #[error("the mechanism could not be assembled in {iterations} iterations")]
    NotAssembled {
        /// Constraint rows furthest from closed, with residuals, worst first.
        rows: Vec<(usize, f64)>,
        /// Iterations spent.
        iterations: usize,
        /// The configuration with the smallest residual.
        state: Box<State>,
    },
    /// Constraints ask for different things.
    #[error("constraints contradict each other at {level} level")]
    Contradictory {
        /// Rows that cannot hold together, with residuals, worst first.
        rows: Vec<(usize, f64)>,
        /// Where they contradict.
        level: Level,
        /// The state with the smallest residual.
        state: Box<State>,
    },
    /// Values marked exact are not those of any start that the constraints allow.
    #[error("exact start values cannot be kept")]
    NotKept {
        /// Positions or velocities and what they would have to change by, worst first.
        entries: Vec<(Row, f64)>,
        /// The nearest consistent positions and velocities.
        state: Box<State>,
    },
    /// A coordinate can move but has no inertia.
    #[error("a free direction has no inertia: {row:?}")]
    MasslessDirection {
        /// The coordinate with the largest share in the direction.
        row: Row,
        /// Consistent positions and velocities.
        state: Box<State>,
    },
    /// Velocities or accelerations cannot be determined at a singular pose: they follow none of the
    /// branches of motion that meet there, or do not choose one.
    #[error("the start pose is singular and the {level} equations do not determine a motion there")]
    SingularStart {
        /// Rows that lose their independence at the pose.
        rows: Vec<usize>,
        /// Rows whose equation is violated, with residuals; empty when no branch was chosen.
        violated: Vec<(usize, f64)>,
        /// The level that has no solution.
        level: Level,
        /// Consistent positions, and what could be found beyond them.
        state: Box<State>,
    },
    /// Reactions and the forces that follow them (friction) found no balance.
    #[error("reactions and the forces that follow them do not settle: {row:?}")]
    Unsettled {
        /// The reaction that changed most.
        row: Row,
        /// Consistent positions and velocities.
        state: Box<State>,
    },
    /// The system could not be evaluated.
    #[error("{source}")]
    Eval {
        /// What went wrong, with the element's name.
        source: EvalError,
        /// Where.
        state: Box<State>,
    },
}

impl StartError {
    /// The best state reached, if any.
    pub fn state(&self) -> Option<&State> {
        match self {
            StartError::WrongLength { .. } => None,
            StartError::NotFinite { state, .. }
            | StartError::NotAssembled { state, .. }
            | StartError::Contradictory { state, .. }
            | StartError::NotKept { state, .. }
            | StartError::MasslessDirection { state, .. }
            | StartError::SingularStart { state, .. }
            | StartError::Unsettled { state, .. }
            | StartError::Eval { state, .. } => Some(state),
        }
    }

    /// Several lines of plain words: what happened, which equations, what to try.
    pub fn explain(&self, sys: &dyn System) -> String {
        let mut text = String::new();
        match self {
            StartError::WrongLength { .. } | StartError::Eval { .. } => {
                text = format!("{self}.\n");
            }
            StartError::NotFinite { what, .. } => {
                say(&mut text, &format!("{what} is not a finite number."));
                say(
                    &mut text,
                    "Try: check this start value and the parameters it is computed from.",
                );
            }
            StartError::NotAssembled {
                rows, iterations, ..
            } => {
                say(
                    &mut text,
                    &format!(
                        "The joints could not be closed in {iterations} iterations. Furthest apart:"
                    ),
                );
                list(&mut text, sys, rows);
                say(
                    &mut text,
                    "Try: start positions closer to an assembled mechanism, or fewer values marked exact.",
                );
            }
            StartError::Contradictory { rows, level, .. } => {
                say(
                    &mut text,
                    match level {
                        Level::Position => {
                            "These equations cannot be closed together; every small move opens one of them further:"
                        }
                        Level::Velocity => {
                            "These equations depend on others in position but ask for a different speed:"
                        }
                        Level::Acceleration => {
                            "These equations depend on others in position and speed but ask for a different acceleration:"
                        }
                    },
                );
                list(&mut text, sys, rows);
                say(
                    &mut text,
                    match level {
                        Level::Position => {
                            "Try: check lengths and joint positions of the parts named; remove a joint that repeats another; or start closer to an assembled pose if the lengths are right."
                        }
                        Level::Velocity | Level::Acceleration => {
                            "Try: keep only one of the drives or joints named, or make their motions agree."
                        }
                    },
                );
            }
            StartError::NotKept { entries, .. } => {
                say(
                    &mut text,
                    "The joints do not allow start values that are marked exact. To fit, these would have to change by:",
                );
                for (row, by) in entries.iter().take(MOST_NAMED) {
                    say(&mut text, &format!("  {}: {by:+.4e}", sys.describe(*row)));
                }
                if entries.len() > MOST_NAMED {
                    let more = entries.len() - MOST_NAMED;
                    say(&mut text, &format!("  and {more} more"));
                }
                say(
                    &mut text,
                    "Try: values that fit the joints, or name as exact only what must be kept, such as `exact = [\"position\"]`.",
                );
            }
            StartError::Unsettled { row, .. } => {
                let reaction = sys.describe(*row);
                say(
                    &mut text,
                    &format!(
                        "The reaction of {reaction} and the forces that follow it do not settle."
                    ),
                );
                say(
                    &mut text,
                    "Try: a smaller coefficient of friction; large ones can jam a mechanism.",
                );
            }
            StartError::MasslessDirection { row, .. } => {
                say(
                    &mut text,
                    &format!(
                        "{} is free to change but no inertia resists it, so its acceleration is undetermined.",
                        sys.describe(*row)
                    ),
                );
                say(
                    &mut text,
                    "Try: give the part a mass and a moment of inertia, or hold it by a joint.",
                );
            }
            StartError::SingularStart {
                rows,
                violated,
                level,
                state,
            } => {
                say(
                    &mut text,
                    "The mechanism starts exactly in a pose where branches of motion meet; these equations lose their independence there:",
                );
                for &i in rows {
                    say(
                        &mut text,
                        &format!("  {}", sys.describe(Row::Constraint(i))),
                    );
                }
                say(&mut text, "The pose, as far as they see it:");
                pose(&mut text, sys, rows, state);
                if violated.is_empty() {
                    say(
                        &mut text,
                        "The start velocities choose none of the branches, so the motion is undetermined.",
                    );
                } else {
                    say(
                        &mut text,
                        &format!(
                            "The start velocities follow no branch: the {level} equations cannot all hold, worst"
                        ),
                    );
                    list(&mut text, sys, violated);
                }
                say(
                    &mut text,
                    "Try: move the start a little off this pose, to the side where the motion is wanted.",
                );
                say(
                    &mut text,
                    "Try: give all parts velocities that follow one branch through the pose.",
                );
            }
        }
        text
    }
}

/// Entries that are named before a list is cut short.
const MOST_NAMED: usize = 9;

fn say(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The coordinates that the rows contain, with their values.
fn pose(text: &mut String, sys: &dyn System, rows: &[usize], state: &State) {
    const LONGEST: usize = 9;
    let mut coordinates: Vec<usize> = sys.patterns()[Part::Cq]
        .iter()
        .filter(|(i, _)| rows.contains(&(*i as usize)))
        .map(|&(_, j)| j as usize)
        .collect();
    coordinates.sort_unstable();
    coordinates.dedup();
    for &j in coordinates.iter().take(LONGEST) {
        let value = state.q.get(j).copied().unwrap_or(f64::NAN);
        say(
            text,
            &format!("  {} = {value:.6}", sys.describe(Row::Position(j))),
        );
    }
    if coordinates.len() > LONGEST {
        let more = coordinates.len() - LONGEST;
        say(text, &format!("  and {more} more"));
    }
}

fn list(text: &mut String, sys: &dyn System, rows: &[(usize, f64)]) {
    for &(i, residual) in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "  {}: residual {residual:.3e}",
            sys.describe(Row::Constraint(i))
        );
    }
}
