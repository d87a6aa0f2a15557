//! Jacobians under the rules of DASSL and of Arnold, Fuchs & Fuehrer (2006), for tables that count what
//! these counted.
//!
//! ```text
//!  leading coefficient within 0.6 to 1.67 of that of the matrix     keep the factors
//!  beyond                       with updates                        recombine, follow excitations
//!                               without                             evaluate
//!  corrector fails              with an old or an updated matrix    evaluate, repeat the step
//!                               with new blocks of an estimated     all columns, larger pattern
//!                               pattern
//! ```
//!
//! Without updates these are DASSL's own rules (Brenan, Campbell & Petzold 1996, chapter 5); the paper
//! has one change: a new step size asks for an update and not for an evaluation. Its patterns are those
//! found at the start (section 3). The strategies `partitioned` and `extended` of the library
//! decide otherwise: by what evaluations and iterations cost.

use linkwork_dae::jacobian::by_differences::{ByDifferences, Columns};
use linkwork_dae::jacobian::renewal::Renewal;
use linkwork_dae::jacobian::{Effort, JacobianStrategy, Refresh, Situation};
use linkwork_dae::memory::Memory;
use linkwork_dae::state::Weights;
use linkwork_dae::system::{At, Blocks, EvalError, Part, Parts, System, Terms};

/// Every column by itself, those of the multipliers too, as a code takes them that knows nothing of its
/// equations but the columns of the stabilising correction; no updates.
pub fn classical() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::dense(false, false))
}

/// The same, updates by recombination.
pub fn dense_partitioned() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::dense(true, false))
}

/// Columns in groups, no updates.
pub fn grouped() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::new(AT_THE_START, false, false))
}

/// Columns in groups by the topology of the system, no updates.
pub fn by_topology() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::new(Columns::Grouped, false, false))
}

/// Columns in groups by the topology of the system, updates by recombination.
pub fn by_topology_partitioned() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::new(Columns::Grouped, true, false))
}

/// Columns in groups, updates by recombination.
pub fn grouped_partitioned() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::new(AT_THE_START, true, false))
}

/// Columns in groups by the topology of the system, updates along the excitations.
pub fn by_topology_extended() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::new(Columns::Grouped, true, true))
}

/// All columns, updates along the excitations.
pub fn dense_extended() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::dense(true, true))
}

/// Columns in groups, updates along the excitations.
pub fn grouped_extended() -> Box<dyn JacobianStrategy> {
    Box::new(Classical::new(AT_THE_START, true, true))
}

/// The pattern of one dense difference at the start.
const AT_THE_START: Columns = Columns::Estimated { states: 0 };
/// Change of the leading coefficient that DASSL puts up with.
const RANGE: f64 = 0.6;

/// See the [module](self).
struct Classical {
    differences: ByDifferences,
    updates: bool,
    multipliers: Option<Multipliers>,
    /// Blocks that an update renews.
    cheap: Parts,
}

impl Classical {
    fn new(columns: Columns, updates: bool, follows: bool) -> Classical {
        Classical {
            differences: ByDifferences::new(columns, Renewal::EveryStep, follows),
            updates,
            multipliers: None,
            cheap: Parts::NONE,
        }
    }

    fn dense(updates: bool, follows: bool) -> Classical {
        Classical {
            multipliers: Some(Multipliers::default()),
            ..Classical::new(Columns::Single, updates, follows)
        }
    }
}

impl JacobianStrategy for Classical {
    fn bind(&mut self, sys: &dyn System, needed: Parts) {
        self.differences.bind(sys, needed);
        self.cheap = sys.patterns().of_constraints() | Part::Mass;
        if let Some(multipliers) = &mut self.multipliers {
            multipliers.bind(sys);
        }
    }

    fn decide(&mut self, now: &Situation) -> Refresh {
        let evaluate = self.differences.decide(now);
        if !now.valid || now.failed || now.tried.is_some() {
            return evaluate;
        }
        if now.ratio >= RANGE && now.ratio * RANGE <= 1.0 {
            return Refresh::Keep;
        }
        match self.updates {
            true => Refresh::Renew(now.needed.and(self.cheap)),
            false => evaluate,
        }
    }

    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        w: &Weights,
        out: &mut Blocks,
    ) -> Result<Effort, EvalError> {
        let mut effort = self.differences.fill(sys, at, want, parts, w, out)?;
        let evaluated = !parts.without(self.cheap).is_empty();
        if let (Some(multipliers), Some(r), true) = (&mut self.multipliers, &want.r, evaluated) {
            let more = multipliers.fill(sys, at, r, out)?;
            effort.evaluations += more;
            effort.column_by_column += more;
        }
        Ok(effort)
    }

    fn may_miss(&self) -> bool {
        self.differences.may_miss()
    }

    fn incomplete(&self) -> bool {
        self.differences.incomplete()
    }

    fn restart(&mut self) {
        self.differences.restart();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.differences.memory(m);
    }
}

/// `C_q` from the columns of the multipliers; `M^-1 C_q'` where force rows are divided by the mass
/// matrix. Where forces follow reactions these columns are among the others, and `C_q` has to be known
/// for them. The stabilised form has such columns twice; those of its correction are known then, as in the
/// published counts.
#[derive(Default)]
struct Multipliers {
    count: usize,
    lambda: Vec<f64>,
    moved: Vec<f64>,
}

impl Multipliers {
    fn bind(&mut self, sys: &dyn System) {
        let (dims, patterns) = (sys.dims(), sys.patterns());
        let among_others = !patterns[Part::Rl].is_empty() && !patterns.whole_r_l;
        self.count = if among_others { 0 } else { dims.rows() };
        self.lambda = vec![0.0; dims.rows()];
        self.moved = vec![0.0; dims.nv];
    }

    /// Returns the evaluations spent.
    fn fill(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        r: &[f64],
        out: &mut Blocks,
    ) -> Result<u32, EvalError> {
        let divided = sys.patterns().whole_r_l;
        let part = if divided { Part::Rl } else { Part::Cq };
        let largest = at.lambda.iter().fold(1.0f64, |m, l| m.max(l.abs()));
        self.lambda.copy_from_slice(at.lambda);
        let mut spent = 0;
        for k in 0..self.count {
            self.lambda[k] = at.lambda[k] + f64::EPSILON.sqrt() * largest;
            let delta = self.lambda[k] - at.lambda[k];
            let moved = At {
                lambda: &self.lambda,
                ..*at
            };
            let mut want = Terms {
                r: Some(&mut self.moved),
                ..Terms::default()
            };
            let result = sys.eval(&moved, &mut want);
            self.lambda[k] = at.lambda[k];
            result?;
            spent += 1;
            for (index, &(row, column)) in sys.patterns()[part].iter().enumerate() {
                let (i, by) = if divided {
                    (row, column)
                } else {
                    (column, row)
                };
                if by as usize == k {
                    let i = i as usize;
                    out[part][index] = (self.moved[i] - r[i]) / delta;
                }
            }
        }
        Ok(spent)
    }
}
