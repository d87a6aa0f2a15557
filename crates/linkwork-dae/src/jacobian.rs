//! Where the derivative blocks come from and when they are renewed.

pub mod by_differences;
pub mod differences;
pub mod exact;
pub mod excitation;
pub mod groups;
pub mod renewal;

use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, EvalError, Parts, System, Terms, stage_form};
use by_differences::{ByDifferences, Columns};
use excitation::Following;
use renewal::Renewal;

/// How the iteration matrix of a solve came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Made {
    /// Factors of an earlier solve.
    Kept,
    /// Combined anew from kept force blocks.
    Recombined,
    /// All blocks evaluated.
    #[default]
    Evaluated,
}

impl Made {
    /// What a decision makes of the matrix.
    pub fn by(refresh: Refresh, needed: Parts) -> Made {
        match refresh {
            Refresh::Keep => Made::Kept,
            Refresh::Renew(parts) if parts == needed => Made::Evaluated,
            Refresh::Renew(_) => Made::Recombined,
        }
    }

    /// Saves or restores it.
    pub(crate) fn memory(&mut self, m: &mut Memory) {
        let mut code = *self as u32;
        m.u32(&mut code);
        *self = match code {
            0 => Made::Kept,
            1 => Made::Recombined,
            _ => Made::Evaluated,
        };
    }
}

/// What a strategy may know when it decides.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// Blocks that the formulation needs.
    pub needed: Parts,
    /// Whether the matrix at hand can be used at all.
    pub valid: bool,
    /// Accepted steps since the force blocks were evaluated.
    pub age: u32,
    /// Contraction rate of the last solve.
    pub rate: f64,
    /// Iterations of the last solve with the matrix that it ended with; 0 if it failed.
    pub iterations: u32,
    /// How that matrix came about.
    pub made: Made,
    /// Iterations of the last solve on kept factors that did not serve.
    pub wasted: u32,
    /// Whether the corrector has just failed with the matrix at hand.
    pub failed: bool,
    /// Leading coefficient of this solve over that of the matrix at hand.
    pub ratio: f64,
    /// Whether there are constraints, whose normals turn with the motion.
    pub constrained: bool,
    /// What new factors from kept force blocks cost, in corrector iterations.
    pub update_price: f64,
    /// The matrix with which this very solve did not converge, if it has been tried.
    pub tried: Option<Made>,
}

/// What is to be done with the iteration matrix before a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Keep the factors.
    Keep,
    /// Evaluate these blocks (none: only recombine with the new step size), combine, factor.
    Renew(Parts),
}

/// What filling blocks took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Residual evaluations spent on blocks.
    pub evaluations: u32,
    /// What they would have been with every column differenced by itself.
    pub column_by_column: u32,
    /// Whether all columns were taken to find out what depends on what.
    pub pattern_searched: bool,
    /// Entries that joined the pattern after its first estimate.
    pub joined: u32,
    /// Whether kept blocks were moved along the excitations.
    pub followed: bool,
}

/// Supplies derivative blocks.
pub trait JacobianStrategy: Send {
    /// Allocates for a system and the blocks that will be needed.
    fn bind(&mut self, sys: &dyn System, needed: Parts);

    /// Decides what to renew. A solve that has tried a matrix without success asks again; then
    /// keeping is no answer.
    fn decide(&mut self, now: &Situation) -> Refresh;

    /// Fills the wanted terms and the given blocks at a point.
    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        w: &Weights,
        out: &mut Blocks,
    ) -> Result<Effort, EvalError>;

    /// Whether evaluations may miss entries at all.
    fn may_miss(&self) -> bool {
        false
    }

    /// Whether the last evaluation may have missed entries, so that a failure with it proves
    /// nothing about the step.
    fn incomplete(&self) -> bool {
        false
    }

    /// Iterations that are worth spending on a matrix of kept blocks before new ones are evaluated.
    fn patience(&self) -> u32 {
        0
    }

    /// What has come of following the excitations; `None` for a strategy that does not.
    fn following(&self) -> Option<Following> {
        None
    }

    /// The equations may be others from now on.
    fn restart(&mut self) {}

    /// Saves or restores what the decisions depend on, blocks apart.
    fn memory(&mut self, m: &mut Memory);
}

/// Where the force blocks come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Derivatives of the elements.
    Exact,
    /// Differences of residuals.
    Differences(Columns),
}

/// The choice of derivatives: three questions with an answer each (Arnold, Fuchs & Fuehrer 2006).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jacobian {
    /// Where blocks come from.
    pub source: Source,
    /// When they are renewed.
    pub renewal: Renewal,
    /// Whether kept blocks are moved along the excitations; differences only.
    pub follow: bool,
}

impl Jacobian {
    const fn exact(renewal: Renewal) -> Jacobian {
        Jacobian {
            source: Source::Exact,
            renewal,
            follow: false,
        }
    }

    const fn differences(columns: Columns, renewal: Renewal, follow: bool) -> Jacobian {
        Jacobian {
            source: Source::Differences(columns),
            renewal,
            follow,
        }
    }

    /// What suits a system: its own derivatives where it has them, else differences with everything
    /// that saves evaluations. Fresh blocks close constraints far below the tolerance; where there are
    /// none, they are kept while that pays.
    pub fn suited(sys: &dyn System) -> Jacobian {
        if !Parts::ALL.without(sys.facts().exact).is_empty() {
            return Jacobian::differences(Columns::Grouped, Renewal::Ladder, true);
        }
        Jacobian::exact(match stage_form(sys).dims().rows() {
            0 => Renewal::Ladder,
            _ => Renewal::EveryStep,
        })
    }

    /// Whether the system must supply its derivatives.
    pub fn is_exact(&self) -> bool {
        self.source == Source::Exact
    }

    /// The strategy.
    pub fn build(&self) -> Box<dyn JacobianStrategy> {
        match self.source {
            Source::Exact => Box::new(exact::Exact::new(self.renewal)),
            Source::Differences(columns) => {
                Box::new(ByDifferences::new(columns, self.renewal, self.follow))
            }
        }
    }

    /// Its name where it has one, else its answers.
    pub fn name(&self) -> String {
        if let Some(entry) = JACOBIANS.iter().find(|e| e.jacobian == *self) {
            return entry.name.to_string();
        }
        let source = match self.source {
            Source::Exact => "exact",
            Source::Differences(Columns::Single) => "dense",
            Source::Differences(Columns::Grouped | Columns::Estimated { .. }) => "grouped",
        };
        let renewal = RENEWALS.iter().find(|e| e.renewal == self.renewal);
        let renewal = renewal.map_or("", |e| e.name);
        let follow = if self.follow { ", follow" } else { "" };
        format!("{source}, {renewal}{follow}")
    }
}

/// A usual choice of derivatives by name.
#[derive(Debug)]
pub struct JacobianEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// The choice.
    pub jacobian: Jacobian,
}

/// The usual choices of derivatives; renewal and following can be chosen apart from the source.
pub static JACOBIANS: &[JacobianEntry] = &[
    JacobianEntry {
        name: "exact",
        summary: "derivatives of the elements, renewed in every step",
        jacobian: Jacobian::exact(Renewal::EveryStep),
    },
    JacobianEntry {
        name: "exact-reuse",
        summary: "the same; kept factors, recombination, evaluation: whatever is cheapest",
        jacobian: Jacobian::exact(Renewal::Ladder),
    },
    JacobianEntry {
        name: "dense",
        summary: "column-by-column differences, kept over many steps; constraint blocks exact and renewed",
        jacobian: Jacobian::differences(Columns::Single, Renewal::WhenSlow, false),
    },
    JacobianEntry {
        name: "grouped",
        summary: "differences of columns that share no row at once, by topology or an estimated pattern that grows",
        jacobian: Jacobian::differences(Columns::Grouped, Renewal::WhenSlow, false),
    },
    JacobianEntry {
        name: "partitioned",
        summary: "grouped; kept factors, recombination, evaluation: whatever is cheapest",
        jacobian: Jacobian::differences(Columns::Grouped, Renewal::Ladder, false),
    },
    JacobianEntry {
        name: "extended",
        summary: "partitioned; kept blocks follow the excitations: inputs of forces that are formulas of time alone, in joint coordinates also driven joints, and what a system declares",
        jacobian: Jacobian::differences(Columns::Grouped, Renewal::Ladder, true),
    },
];

/// A renewal policy by name.
pub struct RenewalEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// The policy.
    pub renewal: Renewal,
}

/// Every renewal policy.
pub static RENEWALS: &[RenewalEntry] = &[
    RenewalEntry {
        name: "every-step",
        summary: "all blocks at every prediction",
        renewal: Renewal::EveryStep,
    },
    RenewalEntry {
        name: "when-slow",
        summary: "force blocks after slow convergence",
        renewal: Renewal::WhenSlow,
    },
    RenewalEntry {
        name: "ledger",
        summary: "kept factors, recombination, evaluation: each when the iterations lost have reached its price",
        renewal: Renewal::Ladder,
    },
];
