//! Which rows with [laws](crate::law) are in force, and what changes that.
//!
//! ```text
//!  mode      function that is positive in it      behind its zero
//!  open      C                                    impact; closed, if it does not bounce
//!  closed    N = -lambda                          open
//!  sticks    F_s - mu,  F_s + mu                  slides that way
//!  slides    sign g                               sticks           in space: modes/cone.rs
//! ```
//!
//! The functions are watched like all others ([`crate::switching`]), so each change is located, and what
//! does not last on the other side of one (a contact that would pull, a row that bears more than it can)
//! changes again at the same time: contacts all at once (`modes/arrange.rs`), in space and beside friction of joints
//! one by one, the worst first. This is how modes are searched. A contact that closes needs no impact any more when it
//! would bounce less than the tolerance; one whose row depends on others in force bears a share of what they do. What changes without
//! end at one time is taken over a stride (`modes/stride.rs`, `modes/moreau.rs`).

mod arrange;
mod complement;
mod cone;
mod grip;
mod guess;
mod impact;
mod judge;
mod kick;
mod moreau;
mod outlook;
mod pivot;
mod press;
mod stride;
mod strike;
mod touching;

pub use guess::overlap;

use crate::initial::solver_for;
use crate::law::{Bond, Impacts, Law, Limit, RowLaw, Tie};
use crate::memory::Memory;
use crate::saddle::Saddle;
use crate::state::State;
use crate::switching::{Sense, Switch};
use crate::system::{EvalError, Part, Rows, System, Terms};
use cone::Heading;
use outlook::Outlook;

/// A gap this small, relative to the size of its terms, is none.
const TOUCHING: f64 = 1e-9;
/// A speed this small, relative to its terms, is none.
const STILL: f64 = 1e-10;

/// What a row with a law is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Open,
    Closed,
    /// Friction of a contact that is open.
    Off,
    Sticks,
    Slides {
        positive: bool,
    },
    /// In space, in the direction in which it began.
    Gives,
    /// In space, with the sign of the first or second rate.
    Skids {
        second: bool,
        positive: bool,
    },
}

const fn skids(second: bool, positive: bool) -> Mode {
    Mode::Skids { second, positive }
}

const MODES: [Mode; 11] = [
    Mode::Open,
    Mode::Closed,
    Mode::Off,
    Mode::Sticks,
    Mode::Slides { positive: true },
    Mode::Slides { positive: false },
    Mode::Gives,
    skids(false, true),
    skids(false, false),
    skids(true, true),
    skids(true, false),
];

/// A change of modes, for the list of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Whose: "floor".
    pub name: String,
    /// `closes`, `opens`, `sticks`, `slips`, `hits`, `rests` where impacts that pile up were ended, or `chatters` where changes
    /// without end were.
    pub what: &'static str,
}

/// A start is beyond a stop, a rope or a contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// Whose row it is.
    pub name: String,
    /// By how much.
    pub by: f64,
}

/// What a row bears that depends on others: a share of the multiplier of one of them, or of what its friction can bear.
#[derive(Clone, Copy, Debug, Default)]
struct Lent {
    row: u32,
    share: f64,
}

/// See the [module](self).
pub(crate) struct Modes {
    laws: Vec<RowLaw>,
    /// Whether contacts are all there is, and their friction in the plane: what touches is arranged at once.
    at_once: bool,
    rule: Impacts,
    mode: Vec<Mode>,
    /// Rows that would be in force if they did not depend on others, and what they bear beside these.
    spare: Vec<bool>,
    lent: Vec<Lent>,
    /// How far below zero each gap was when it opened, by rounding: it is met again there. Without friction of forces as well.
    sunk: Vec<f64>,
    /// Which gaps turn at zero by themselves, until the next look at them.
    turns: Vec<bool>,
    /// What is no force of each contact behind the last event.
    quiet: Vec<f64>,
    /// How each cone that gives way does so.
    heading: Vec<Heading>,
    /// First switching function of each law, and the number of all.
    first: Vec<usize>,
    switches: Vec<Switch>,
    /// Kept rows that need no mode to be in force: at the start, and without those that were released.
    kept: Vec<u32>,
    lasting: Vec<u32>,
    /// The system with these alone, for impulses.
    free: Option<Saddle>,
    /// Entries of `C_q` in each row with a law: index and column.
    entries: Vec<Vec<(usize, usize)>>,
    scale: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
    changes: Vec<Change>,
    changed: bool,
    /// Kinetic energy lost in impacts, J.
    lost: f64,
    /// Whether a joint has been locked at this event: it stops at once, by an impulse.
    locked: bool,
    /// Which gaps are far from closing.
    outlook: Outlook,
}

impl Modes {
    pub fn new(sys: &dyn System) -> Modes {
        let facts = sys.facts();
        let laws = facts.laws.clone();
        let (mut first, mut switches) = (Vec::new(), Vec::new());
        let size = |m: f64, s: &f64| m.min(*s);
        let scale = facts.scale.iter().fold(f64::INFINITY, size);
        for law in &laws {
            first.push(switches.len());
            let count = match law.law {
                Law::OneSided { .. } => 1,
                Law::Dry(_) | Law::Cone(_) => 2,
                Law::Held { .. } | Law::Led => 0,
            };
            let switch = Switch {
                name: law.name.clone(),
                sense: Sense::Mode,
                scale: if scale.is_finite() { scale } else { 1.0 },
                recorded: false,
            };
            switches.extend(std::iter::repeat_n(switch, count));
        }
        let mut entries = vec![Vec::new(); laws.len()];
        if !laws.is_empty() {
            for (k, &(i, j)) in sys.patterns()[Part::Cq].iter().enumerate() {
                if let Ok(law) = laws.binary_search_by_key(&i, |law| law.row) {
                    entries[law].push((k, j as usize));
                }
            }
        }
        let contact = |law: &RowLaw| match law.law {
            Law::OneSided { .. } | Law::Held { .. } | Law::Dry(Limit::Pressed { .. }) => true,
            Law::Dry(_) | Law::Cone(_) | Law::Led => false,
        };
        Modes {
            at_once: laws.iter().all(contact),
            rule: facts.impacts,
            mode: vec![Mode::Open; laws.len()],
            spare: vec![false; laws.len()],
            lent: vec![Lent::default(); laws.len()],
            sunk: vec![0.0; laws.len()],
            turns: vec![false; laws.len()],
            quiet: vec![0.0; laws.len()],
            heading: vec![Heading::default(); laws.len()],
            first,
            switches,
            kept: Vec::new(),
            lasting: Vec::new(),
            free: None,
            entries,
            scale: facts.scale.clone(),
            c: vec![0.0; facts.dims.nc],
            cv: vec![0.0; facts.dims.rows()],
            changes: Vec::new(),
            changed: false,
            lost: 0.0,
            locked: false,
            outlook: Outlook::new(laws.len(), facts.dims.nv),
            laws,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    pub fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// What the last event changed.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    pub fn forget_changes(&mut self) {
        self.changes.clear();
    }

    /// Whether rows have changed since they were asked for last.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Takes over the rows that a start has kept.
    pub fn bind(&mut self, sys: &dyn System, rows: &Rows) {
        self.kept = (rows.c.iter().copied())
            .filter(|row| {
                self.law(*row)
                    .is_none_or(|k| self.laws[k].law == Law::LASTS)
            })
            .collect();
        for (mode, law) in self.mode.iter_mut().zip(&self.laws) {
            *mode = match law.law {
                Law::Held { at_first: true } => Mode::Closed,
                Law::Held { at_first: false } => {
                    self.kept.push(law.row);
                    Mode::Off
                }
                Law::Led => Mode::Off,
                _ => Mode::Open,
            };
        }
        self.kept.sort_unstable();
        self.outlook.begin();
        self.lay_out(sys);
    }

    /// Rows that need no mode to be in force.
    pub fn kept(&self) -> &[u32] {
        &self.kept
    }

    /// Keeps other ones.
    pub fn keep(&mut self, sys: &dyn System, rows: Vec<u32>) {
        self.kept = rows;
        self.changed = true;
        self.lay_out(sys);
    }

    fn law(&self, row: u32) -> Option<usize> {
        self.laws.binary_search_by_key(&row, |law| law.row).ok()
    }

    /// Prepares impulses for the rows that have not been released.
    fn lay_out(&mut self, sys: &dyn System) {
        self.lasting = (self.kept.iter().copied())
            .filter(|row| self.law(*row).is_none_or(|k| self.mode[k] == Mode::Closed))
            .collect();
        if self.is_empty() {
            return;
        }
        let n = sys.dims().nv + self.lasting.len();
        let rows = Rows::of(self.lasting.clone());
        self.free = Some(Saddle::new(sys, &rows, solver_for(n)));
    }

    /// The rows in force now, with the multipliers of those that slide.
    pub fn rows(&self) -> Rows {
        let mut rows = Rows::of(self.lasting.clone());
        for (k, law) in self
            .laws
            .iter()
            .enumerate()
            .filter(|(_, law)| !law.law.is_held())
        {
            if self.is_left_out(k) {
                rows.ties.extend(self.borrowed(k));
                continue;
            }
            match (self.mode[k], law.law) {
                (Mode::Closed | Mode::Sticks, _) => rows.c.push(law.row),
                (Mode::Slides { positive }, Law::Dry(limit)) => {
                    let sign = if positive { 1.0 } else { -1.0 };
                    let to = match limit {
                        Limit::Given { .. } => Bond::Capacity { law: k, sign },
                        Limit::Reacting { by, .. } => Bond::Reaction { law: k, by, sign },
                        Limit::Pressed { by, sliding, .. } => self.follows(by, -sign * sliding),
                    };
                    rows.ties.push(Tie { row: law.row, to });
                }
                (Mode::Gives, Law::Cone(cone)) => {
                    let own = [law.row, cone.second].into_iter();
                    let ties = own.zip(self.heading[k].direction).map(|(row, d)| Tie {
                        row,
                        to: self.follows(cone.by, -d * cone.sliding),
                    });
                    rows.ties.extend(ties);
                }
                (Mode::Skids { second, positive }, Law::Cone(cone)) => {
                    let sign = if positive { 1.0 } else { -1.0 };
                    rows.ties.push(Tie {
                        row: cone.along[usize::from(second)],
                        to: self.follows(cone.by, -sign * cone.sliding),
                    });
                }
                _ => {}
            }
        }
        rows.c.sort_unstable();
        rows
    }

    /// Whether a constraint row is in force.
    pub fn holds(&self, row: u32) -> bool {
        let k = self.law(row);
        k.is_none_or(|k| matches!(self.mode[k], Mode::Closed | Mode::Sticks))
    }

    /// Whether any contact or friction is in force or slides.
    pub fn any(&self) -> bool {
        let mut all = self.mode.iter().zip(&self.laws);
        all.any(|(mode, law)| !law.law.is_held() && !matches!(mode, Mode::Open | Mode::Off))
    }

    /// How many contacts are closed.
    pub fn closed(&self) -> u32 {
        let closed = self.mode.iter().filter(|m| **m == Mode::Closed);
        closed.count() as u32
    }

    /// Whether functions in use read multipliers.
    pub fn reads_reactions(&self) -> bool {
        let mut all = self.mode.iter().zip(&self.laws);
        all.any(|(m, law)| !law.law.is_held() && matches!(m, Mode::Closed | Mode::Sticks))
    }

    fn evaluate(&mut self, sys: &mut dyn System, s: &State, rates: bool) -> Result<(), EvalError> {
        self.wake(sys);
        let mut want = Terms {
            c: Some(&mut self.c),
            cv: rates.then_some(&mut self.cv),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want)
    }

    /// Size of the terms of a row: of its positions, and of its velocities at a state.
    fn sizes(&self, k: usize, c_q: &[f64], v: &[f64]) -> [f64; 2] {
        let terms = self.entries[k].iter();
        terms.fold([0.0; 2], |[p, r], &(e, j)| {
            let c = c_q[e].abs();
            [p + c * self.scale[j], r + c * v[j].abs()]
        })
    }

    fn is_closed(&self, row: u32) -> bool {
        let k = self.law(row);
        k.is_some_and(|k| self.mode[k] == Mode::Closed && self.takes_part(k))
    }

    /// Lets a row have another mode.
    fn turn(&mut self, k: usize, mode: Mode) {
        if mode == Mode::Open && !self.at_once {
            self.sunk[k] = self.c[self.laws[k].row as usize].min(0.0);
        }
        let before = std::mem::replace(&mut self.mode[k], mode);
        if before == mode {
            return;
        }
        self.changed = true;
        self.outlook.forget();
        self.lead(k);
        let what = match mode {
            Mode::Open => "opens",
            Mode::Closed => "closes",
            Mode::Sticks => "sticks",
            // it turns
            Mode::Skids { .. } if matches!(before, Mode::Gives | Mode::Skids { .. }) => return,
            Mode::Slides { .. } | Mode::Gives | Mode::Skids { .. } => "slips",
            Mode::Off => return,
        };
        self.tell(k, what);
    }

    fn tell(&mut self, k: usize, what: &'static str) {
        let name = self.laws[k].name.clone();
        self.changes.push(Change { name, what });
    }

    /// The law behind a switching function.
    fn owner(&self, switch: usize) -> (usize, usize) {
        let k = self.first.partition_point(|first| *first <= switch) - 1;
        (k, switch - self.first[k])
    }

    /// The row behind a switching function.
    pub fn row(&self, switch: usize) -> u32 {
        self.laws[self.owner(switch).0].row
    }

    /// Whether a row would be in force and is left to others. Friction that slides bears what it does beside those that hold it.
    fn is_left_out(&self, k: usize) -> bool {
        self.spare[k] && matches!(self.mode[k], Mode::Closed | Mode::Sticks)
    }

    /// Whether a row that is closed or sticks bears anything, by itself or beside others.
    fn takes_part(&self, k: usize) -> bool {
        !self.spare[k] || self.lent[k].share != 0.0
    }

    /// A multiplier in proportion to that of a contact, which may be left to another.
    fn follows(&self, by: u32, ratio: f64) -> Bond {
        let left = self.law(by).filter(|k| self.is_left_out(*k));
        let (row, ratio) = left.map_or((by, ratio), |k| {
            let Lent { row, share } = self.lent[k];
            (row, share * ratio)
        });
        Bond::Follows { row, ratio }
    }

    /// What a row bears that is left to others.
    fn borrowed(&self, k: usize) -> Option<Tie> {
        let Lent { row, share } = self.lent[k];
        let to = match self.laws[k].law {
            Law::Dry(Limit::Given { .. }) => Bond::Capacity {
                law: k,
                sign: share,
            },
            Law::Dry(Limit::Reacting { by, .. }) => Bond::Reaction {
                law: k,
                by,
                sign: share,
            },
            _ => Bond::Follows { row, ratio: share },
        };
        let row = self.laws[k].row;
        (share != 0.0).then_some(Tie { row, to })
    }

    /// A row in force depends on others: it is left to them. `false`: nothing can be left out.
    pub fn leave_out(&mut self, row: u32) -> bool {
        let in_force = |k: &usize| self.is_in_force(*k);
        let named = self.law(row);
        let last = || (0..self.laws.len()).rev().find(in_force);
        let Some(k) = named.filter(in_force).or_else(last) else {
            return false;
        };
        self.leave(k, Lent::default());
        self.outlook.forget();
        self.unpress();
        true
    }

    fn leave(&mut self, k: usize, lent: Lent) {
        self.spare[k] = true;
        self.lent[k] = lent;
    }

    /// Kinetic energy lost in impacts so far, J.
    pub fn lost(&self) -> f64 {
        self.lost
    }

    pub fn memory(&mut self, sys: &dyn System, m: &mut Memory) {
        m.section("modes");
        for mode in &mut self.mode {
            let mut code = MODES.iter().position(|m| m == mode).unwrap_or(0) as u32;
            m.u32(&mut code);
            *mode = MODES.get(code as usize).copied().unwrap_or(Mode::Open);
        }
        for spare in &mut self.spare {
            m.bool(spare);
        }
        for Lent { row, share } in &mut self.lent {
            m.u32(row);
            m.f64(share);
        }
        m.slice(&mut self.sunk);
        m.slice(&mut self.quiet);
        for Heading { direction, clear } in &mut self.heading {
            m.slice(direction);
            m.f64(clear);
        }
        m.f64(&mut self.lost);
        let rows = sys.dims().rows();
        let mut anew = self.laws.iter().any(|law| law.law.is_held());
        for row in &mut self.kept {
            let mut index = *row as usize;
            m.index(&mut index, 0..=rows.saturating_sub(1));
            anew |= index as u32 != *row;
            *row = index as u32;
        }
        self.outlook.memory(m);
        if m.is_reading() && anew {
            self.lay_out(sys);
        }
    }
}

/// Whether the system lets a law be.
fn holds(sys: &mut dyn System, law: usize) -> bool {
    sys.capacities().is_none_or(|c| c.holds(law))
}
