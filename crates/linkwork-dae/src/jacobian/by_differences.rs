//! Difference blocks under a renewal policy: the strategies `dense`, `grouped`, `partitioned` and
//! `extended` (Arnold, Fuchs & Fuehrer 2006).
//!
//! ```text
//!  keep the factors -> recombine: M, C_q and the step size new -> differences -> all columns and
//!  a larger pattern -> a smaller step
//! ```
//!
//! The pattern that columns are grouped by is the declared one where that is sparse enough to be
//! worth it. Otherwise it is estimated: what depends on what at the start and at a few states
//! nearby. A dependence that shows up only later is met as slow convergence with fresh blocks; then
//! all columns are differenced one by one and what is new joins the pattern.

use super::differences::{Differences, PERTURBED_STATES};
use super::excitation::{Excitation, Following};
use super::renewal::{Renewal, Reuse, SLOW_RATE};
use super::{Effort, JacobianStrategy, Made, Refresh, Situation};
use crate::memory::Memory;
use crate::state::Weights;
use crate::system::{At, Blocks, EvalError, Part, Parts, System, Terms};

/// How columns are differenced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// One by one.
    Single,
    /// In groups, by the declared pattern if it is sparse, by an estimated one if not.
    Grouped,
    /// In groups by a pattern estimated at the start and at so many states near it.
    Estimated {
        /// Perturbed states.
        states: u32,
    },
}

/// See the [module](self).
pub struct ByDifferences {
    /// How columns are differenced.
    pub columns: Columns,
    /// When force blocks are renewed.
    pub renewal: Renewal,
    /// Whether kept blocks follow the excitations.
    pub follows: bool,
    differences: Differences,
    excitation: Excitation,
    reuse: Reuse,
    /// Perturbed states of an estimate; `None`: the declared pattern is used.
    estimated: Option<u32>,
    /// Whether an estimate has been made.
    looked: bool,
    /// The estimate has shown that nothing can be grouped.
    ungrouped: bool,
    /// The next evaluation takes all columns.
    thorough: bool,
    /// The last evaluation was by groups of an estimated pattern.
    incomplete: bool,
    /// Evaluations for which slowness is not blamed on the pattern: it has just been searched in
    /// vain. Doubles each time.
    patience: u32,
    waited: u32,
    /// Blocks that are no differences: those of the constraints, and mass.
    cheap: Parts,
    /// Residuals that an evaluation costs, and what single columns would cost.
    price: u32,
    dense_price: u32,
}

/// A declared pattern that needs more than this share of the columns as groups is not worth having.
const SPARSE: f64 = 0.7;
/// Iterations that a dear evaluation may be put off by, at most.
const MOST_ITERATIONS: u32 = 10;

impl ByDifferences {
    /// A strategy over the given parts.
    pub fn new(columns: Columns, renewal: Renewal, follows: bool) -> ByDifferences {
        ByDifferences {
            columns,
            renewal,
            follows,
            differences: Differences::default(),
            excitation: Excitation::default(),
            reuse: Reuse::new(renewal),
            estimated: None,
            looked: false,
            ungrouped: false,
            thorough: false,
            incomplete: false,
            patience: 1,
            waited: 0,
            cheap: Parts::NONE,
            price: 1,
            dense_price: 1,
        }
    }

    /// The moved variables `(q, v, x)` and their groups.
    pub fn differences(&self) -> &Differences {
        &self.differences
    }

    /// Whether columns are differenced one by one.
    fn single(&self) -> bool {
        self.columns == Columns::Single || self.ungrouped
    }

    fn is_worth_grouping(&self) -> bool {
        f64::from(self.price) <= SPARSE * f64::from(self.dense_price)
    }

    /// Groups the columns unless that is hopeless: no grouping has fewer groups than the longest row
    /// has entries.
    fn regroup_if_worth_it(&mut self) {
        self.price = self.differences.groups().bound() as u32;
        if self.is_worth_grouping() {
            self.regroup();
        }
    }

    fn regroup(&mut self) {
        let count = self.differences.groups_mut().colour();
        self.price = count as u32;
    }

    /// Force blocks at a point; returns the evaluations spent and the entries that joined.
    fn evaluate(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        known: &Terms<'_>,
        w: &Weights,
        out: &mut Blocks,
    ) -> Result<Effort, EvalError> {
        let mut effort = Effort {
            column_by_column: self.dense_price,
            ..Effort::default()
        };
        let first = self.estimated.is_some() && !self.looked;
        let all = first || self.thorough || self.single();
        if !all {
            effort.evaluations = self.differences.by_groups(sys, at, w, known, out)?;
            self.incomplete = self.estimated.is_some();
            return Ok(effort);
        }
        let learn = self.estimated.is_some() && !self.ungrouped;
        let (spent, mut joined) =
            self.differences
                .by_columns(sys, at, w, known, learn, Some(out))?;
        effort.evaluations = spent;
        effort.pattern_searched = learn;
        self.incomplete = false;
        if first {
            self.looked = true;
            self.regroup_if_worth_it();
            // more states can only add to the pattern
            self.ungrouped = !self.is_worth_grouping();
            if self.ungrouped {
                self.price = self.dense_price;
                self.thorough = false;
                return Ok(effort);
            }
        }
        if let Some(states) = self.estimated.filter(|_| first) {
            let before = self.differences.groups().nonzeros();
            effort.evaluations += self.differences.look_around(sys, at, w, states);
            joined += self.differences.groups().nonzeros() - before;
        }
        if learn {
            if joined > 0 {
                self.regroup();
                self.patience = 1;
            } else {
                self.patience = self.patience.saturating_mul(2).min(1 << 16);
            }
            self.waited = 0;
            self.thorough = false;
            effort.joined = if first { 0 } else { joined as u32 };
        }
        Ok(effort)
    }

    /// Slopes along the excitations, once. Where the equations have no value beside the excitation
    /// the blocks do not follow it.
    fn find_slopes(
        &mut self,
        sys: &mut dyn System,
        at: &At<'_>,
        w: &Weights,
        base: &Blocks,
    ) -> u32 {
        let mut spent = 0;
        let single = self.single();
        for i in 0..self.excitation.count() {
            let du = self.excitation.move_one(sys, i);
            let none = Terms::default();
            let slope = self.excitation.slope(i);
            let result = if single {
                let d = &mut self.differences;
                let all = d.by_columns(sys, at, w, &none, false, Some(slope));
                all.map(|(spent, _)| spent)
            } else {
                self.differences.by_groups(sys, at, w, &none, slope)
            };
            self.excitation.put_back(sys);
            match result {
                Ok(n) => {
                    spent += n;
                    (self.excitation).difference(i, du, base, &mut self.differences);
                }
                Err(_) => self.excitation.leave_out(i),
            }
        }
        self.excitation.set_known(spent);
        spent
    }
}

impl JacobianStrategy for ByDifferences {
    fn bind(&mut self, sys: &dyn System, needed: Parts) {
        self.differences = Differences::new(sys, needed);
        self.cheap = sys.patterns().of_constraints() | Part::Mass;
        let followed = if self.follows {
            self.differences.parts()
        } else {
            Parts::NONE
        };
        self.excitation = Excitation::default();
        if self.follows {
            self.excitation = Excitation::new(sys, followed);
        }
        self.reuse = Reuse::new(self.renewal);
        (self.looked, self.thorough, self.incomplete) = (false, false, false);
        self.ungrouped = false;
        (self.patience, self.waited) = (1, 0);
        self.dense_price = self.differences.columns() as u32;
        self.price = self.dense_price;
        self.estimated = match self.columns {
            Columns::Single => None,
            Columns::Estimated { states } => Some(states),
            Columns::Grouped => {
                self.differences.groups_mut().use_all();
                self.regroup_if_worth_it();
                (!self.is_worth_grouping()).then_some(PERTURBED_STATES)
            }
        };
        if self.estimated.is_some() {
            self.differences.groups_mut().marks().fill(false);
            self.price = self.dense_price;
        }
    }

    fn decide(&mut self, now: &Situation) -> Refresh {
        let fresh = now.tried == Some(Made::Evaluated);
        if self.incomplete && fresh {
            self.thorough = true;
        }
        // slow although the blocks were made for the very last solve
        let slow = now.age <= 1 && now.rate > SLOW_RATE && now.valid;
        let suspect = self.incomplete && slow && self.waited >= self.patience;
        self.thorough |= suspect && now.tried.is_none();
        (self.reuse).decide(now, self.cheap, self.price, suspect)
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
        sys.eval(at, want)?;
        let mut mass_residuals = 0;
        if parts.has(Part::Mass) || parts.has(Part::Cq) {
            let (mass, c_q) = out.mass_and_c_q();
            let mut terms = Terms {
                mass: parts.has(Part::Mass).then_some(mass),
                c_q: (parts.has(Part::Cq) && !c_q.is_empty()).then_some(c_q),
                ..Terms::default()
            };
            sys.eval(at, &mut terms)?;
            mass_residuals = sys.facts().mass_residuals;
        }
        if parts.and(self.cheap).has(Part::Rl) {
            sys.linearise(at, &mut Terms::default(), Part::Rl.into(), out)?;
        }
        if parts.and(self.differences.parts()).is_empty() {
            let mut effort = Effort {
                evaluations: mass_residuals,
                ..Effort::default()
            };
            if self.excitation.is_followed() {
                self.excitation.follow(sys, at.t, out);
                effort.followed = true;
            }
            return Ok(effort);
        }
        let mut effort = self.evaluate(sys, at, want, w, out)?;
        effort.evaluations += mass_residuals;
        (self.excitation).judge(sys, at.t, out, &self.differences);
        self.waited = self.waited.saturating_add(1);
        self.reuse.evaluated();
        if self.excitation.count() > 0 && !self.excitation.known() {
            effort.evaluations += self.find_slopes(sys, at, w, out);
        }
        self.excitation.refer(sys, at.t, out);
        Ok(effort)
    }

    fn may_miss(&self) -> bool {
        self.estimated.is_some()
    }

    fn incomplete(&self) -> bool {
        self.incomplete
    }

    fn patience(&self) -> u32 {
        match self.reuse.is_patient() {
            true => (self.price / 2).min(MOST_ITERATIONS),
            false => 0,
        }
    }

    fn following(&self) -> Option<Following> {
        self.follows.then(|| self.excitation.account())
    }

    fn restart(&mut self) {
        // other couplings may be at work from now on
        self.thorough = self.estimated.is_some() && self.looked && !self.ungrouped;
    }

    fn memory(&mut self, m: &mut Memory) {
        let ByDifferences {
            columns,
            renewal: _,
            follows,
            differences,
            excitation,
            reuse,
            estimated: _,
            looked,
            ungrouped,
            thorough,
            incomplete,
            patience,
            waited,
            cheap: _,
            price: _,
            dense_price: _,
        } = self;
        m.section("differ");
        m.same(match columns {
            Columns::Single => 0,
            Columns::Grouped => 1,
            Columns::Estimated { states } => 2 + u64::from(*states),
        });
        m.same(u64::from(*follows));
        reuse.memory(m);
        excitation.memory(m);
        for flag in [looked, ungrouped, thorough, incomplete] {
            m.bool(flag);
        }
        m.u32(patience);
        m.u32(waited);
        for mark in differences.groups_mut().marks() {
            m.bool(mark);
        }
        if m.has_read() && self.columns != Columns::Single {
            self.regroup();
            if self.ungrouped {
                self.price = self.dense_price;
            }
        }
    }
}
