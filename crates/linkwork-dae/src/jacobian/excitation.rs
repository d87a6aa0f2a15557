//! How the blocks follow the excitations.
//!
//! Where time enters through known functions `u(t)`, blocks at a later time follow from those of a
//! reference without an evaluation (Arnold, Fuchs & Fuehrer 2006, equation 26):
//!
//! ```text
//!  K(t) = K_ref + sum_i D_i (u_i(t) - u_i,ref),   D_i = (K(u + du_i e_i) - K(u)) / du_i
//! ```
//!
//! The `D_i` are differenced once, at the start; only reference blocks are renewed later. `M` and
//! `C_q` are never part of this: they are evaluated at every point.
//!
//! Entries of `D_i` that are no more than the rounding of the differences are set to zero. An
//! excitation without any other, such as a force that no block depends on, costs nothing from then
//! on; without any excitation that matters kept blocks stay as they are.
//!
//! Good where a motion about a fixed state is shaken. Bad where the state goes along with the
//! excitation, as a wheelset with the track: what matters is their difference, and the slope along
//! one of them alone leads astray. So each evaluation of new blocks judges: if those of the
//! reference had been nearer than those that followed, nothing follows any more.

use super::differences::Differences;
use crate::memory::Memory;
use crate::system::{Blocks, Part, Parts, System};

/// One excitation in the account of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// What the system calls it.
    pub name: String,
    /// Whether derivative blocks depend on it; `None`: not looked at yet.
    pub matters: Option<bool>,
}

/// What came of following the excitations of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Following {
    /// All excitations.
    pub excitations: Vec<Followed>,
    /// Residual evaluations that finding the slopes took.
    pub residuals: u64,
    /// When new blocks showed that following led astray, so that nothing follows any more.
    pub given_up_at: Option<f64>,
}

/// Slopes of the blocks along the excitations, and where they are taken from.
#[derive(Default)]
pub struct Excitation {
    /// Blocks that follow.
    parts: Parts,
    /// Values now, at the reference, their typical sizes, and how far they are moved.
    u: Vec<f64>,
    reference_u: Vec<f64>,
    scale: Vec<f64>,
    pub(super) offset: Vec<f64>,
    slopes: Vec<Blocks>,
    /// Whether each slope has an entry.
    matters: Vec<bool>,
    reference: Blocks,
    known: bool,
    /// When following was given up.
    misled: Option<f64>,
    /// Residuals that the slopes took.
    spent: u64,
    names: Vec<String>,
}

/// Share of its typical size by which an excitation is moved, `eps^(1/5)`. Blocks by differences carry an
/// error of some ten `sqrt(eps)`, so the balance of rounding and curvature is at some four times
/// `eps^(1/4)`; forces, which enter without curvature, would take more.
fn share() -> f64 {
    f64::EPSILON.powf(0.2)
}

/// A difference between two mistakes that decides nothing, as a share of them: an excitation that has
/// hardly moved is not to blame for what else has changed.
const SLIGHT: f64 = 0.1;
/// A share of the blocks that may be rounding of their differences.
const ROUNDING: f64 = 1e-5;

fn tell(sys: &mut dyn System, t: f64, out: &mut [f64]) {
    if let Some(excitations) = sys.excitations() {
        excitations.excitation(t, out);
    }
}

fn offset(sys: &mut dyn System, offset: &[f64]) {
    if let Some(excitations) = sys.excitations() {
        excitations.offset_excitations(offset);
    }
}

impl Excitation {
    /// Allocates for a system and the blocks that follow.
    pub fn new(sys: &dyn System, parts: Parts) -> Excitation {
        let list = &sys.facts().excitations;
        let n = list.len();
        let blocks = || Blocks::new(sys.patterns());
        Excitation {
            parts,
            u: vec![0.0; n],
            reference_u: vec![0.0; n],
            scale: list.iter().map(|e| e.scale).collect(),
            offset: vec![0.0; n],
            slopes: (0..n).map(|_| blocks()).collect(),
            matters: vec![false; n],
            reference: if n > 0 { blocks() } else { Blocks::default() },
            known: false,
            misled: None,
            spent: 0,
            names: list.iter().map(|e| e.name.clone()).collect(),
        }
    }

    /// Number of excitations.
    pub fn count(&self) -> usize {
        self.u.len()
    }

    /// Whether the slopes have been found.
    pub fn known(&self) -> bool {
        self.known
    }

    /// Whether blocks follow.
    pub fn is_followed(&self) -> bool {
        self.known && self.misled.is_none() && self.matters.contains(&true)
    }

    /// What has come of it so far.
    pub fn account(&self) -> Following {
        let followed = |(name, matters): (&String, &bool)| Followed {
            name: name.clone(),
            matters: self.known.then_some(*matters),
        };
        Following {
            excitations: self.names.iter().zip(&self.matters).map(followed).collect(),
            residuals: self.spent,
            given_up_at: self.misled,
        }
    }

    /// Compares newly evaluated blocks with those that followed and with the reference.
    pub(super) fn judge(&mut self, sys: &mut dyn System, t: f64, new: &Blocks, by: &Differences) {
        if !self.is_followed() {
            return;
        }
        tell(sys, t, &mut self.u);
        let [followed, kept] = by.distances(new, |part, k| {
            let reference = self.reference[part][k];
            let mut moved = reference;
            for (i, slope) in self.slopes.iter().enumerate() {
                if self.matters[i] {
                    moved += slope[part][k] * (self.u[i] - self.reference_u[i]);
                }
            }
            [moved, reference]
        });
        if followed > kept + SLIGHT * kept.max(ROUNDING) {
            self.misled = Some(t);
        }
    }

    /// Moves one excitation of a system off its value; returns by how much.
    pub(super) fn move_one(&mut self, sys: &mut dyn System, i: usize) -> f64 {
        self.offset.fill(0.0);
        self.offset[i] = share() * self.scale[i];
        offset(sys, &self.offset);
        self.offset[i]
    }

    /// Puts all excitations back.
    pub(super) fn put_back(&mut self, sys: &mut dyn System) {
        self.offset.fill(0.0);
        offset(sys, &self.offset);
    }

    /// Room for the blocks with excitation `i` moved.
    pub(super) fn slope(&mut self, i: usize) -> &mut Blocks {
        &mut self.slopes[i]
    }

    /// Turns the blocks with excitation `i` moved by `du` into the slope; what is no more than the
    /// rounding of the differences is dropped.
    pub(super) fn difference(&mut self, i: usize, du: f64, base: &Blocks, by: &mut Differences) {
        let slope = &mut self.slopes[i];
        for part in Part::ALL {
            if self.parts.has(part) {
                for (d, base) in slope[part].iter_mut().zip(&base[part]) {
                    *d -= base;
                }
            }
        }
        self.matters[i] = by.drop_rounding(base, slope);
        for part in Part::ALL {
            if self.parts.has(part) {
                for d in &mut slope[part] {
                    *d /= du;
                }
            }
        }
    }

    /// The equations have no value beside excitation `i`: nothing follows it.
    pub(super) fn leave_out(&mut self, i: usize) {
        self.slopes[i].fill(0.0);
        self.matters[i] = false;
    }

    /// All slopes are found, by so many residuals.
    pub(super) fn set_known(&mut self, spent: u32) {
        self.known = true;
        self.spent += u64::from(spent);
    }

    /// Makes freshly evaluated blocks the reference.
    pub fn refer(&mut self, sys: &mut dyn System, t: f64, blocks: &Blocks) {
        if !self.is_followed() {
            return;
        }
        tell(sys, t, &mut self.reference_u);
        for part in Part::ALL {
            if self.parts.has(part) {
                self.reference[part].copy_from_slice(&blocks[part]);
            }
        }
    }

    /// Blocks at another time, from the reference.
    pub fn follow(&mut self, sys: &mut dyn System, t: f64, out: &mut Blocks) {
        if !self.is_followed() {
            return;
        }
        tell(sys, t, &mut self.u);
        for part in Part::ALL {
            if !self.parts.has(part) {
                continue;
            }
            out[part].copy_from_slice(&self.reference[part]);
            for (i, slope) in self.slopes.iter().enumerate() {
                if !self.matters[i] {
                    continue;
                }
                let du = self.u[i] - self.reference_u[i];
                for (o, d) in out[part].iter_mut().zip(&slope[part]) {
                    *o += d * du;
                }
            }
        }
    }

    /// Saves or restores slopes and reference.
    pub fn memory(&mut self, m: &mut Memory) {
        let Excitation {
            parts: _,
            u: _,
            reference_u,
            scale: _,
            offset: _,
            slopes,
            matters,
            reference,
            known,
            misled,
            spent,
            names: _,
        } = self;
        m.bool(known);
        m.option(misled);
        m.u64(spent);
        for matters in matters {
            m.bool(matters);
        }
        m.slice(reference_u);
        if !reference_u.is_empty() {
            reference.memory(m);
            for slope in slopes {
                slope.memory(m);
            }
        }
    }
}
