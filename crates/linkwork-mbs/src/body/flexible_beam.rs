//! Straight beam as a flexible body: modes by section and material.

use super::modal::{State, frame_names, rayleigh_key};
use super::{Body, BodyEntry, Draft, Shape, modal};
use crate::carrier::{Modal, ModeSet, StraightBeam};
use crate::error::ModelError;
use crate::field::{Form, Value};
use crate::part::{Keys, Rows};
use crate::text::{Fields, Named};
use crate::units::Unit;
use std::sync::Arc;

/// Frames that every such body has.
pub(crate) const ENDS: [&str; 2] = ["start", "end"];

/// Most modes of a sort.
const MOST: usize = 12;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "flexible_beam",
    summary: "A straight beam along the x axis of its frame, from its origin, with small deformations: modes of bending, \
              tension and torsion from section and material. It has the frames `start` and `end`; attach to \
              `body.end`. Written as a `modal` body.",
    in_plane: false,
    blank: || Draft::blank(Body::modal("", Modal::default()), keys),
};

/// Once there is such a body it is a modal one.
fn keys(body: &mut Body, k: &mut Keys<'_>) {
    if k.asks() {
        return modal::keys(body, k);
    }
    let mut source = Source::default();
    source.keys(k);
    let modes = source.modes.iter().sum();
    body.floating_keys(k, &mut source.state, modes);
    if let Some(modal) = k.make(|| source.modal()) {
        body.mass = modal.mass();
        body.shape = Shape::Modal(Arc::new(modal));
    }
}

/// What such a body is made from.
struct Source {
    length: f64,
    section: Named<crate::Section>,
    material: Named<crate::Material>,
    modes: [usize; 4],
    set: ModeSet,
    euler: bool,
    stiffening: bool,
    /// Of all modes or of each.
    ratios: Vec<f64>,
    rayleigh: [f64; 2],
    frames: Vec<String>,
    places: Vec<f64>,
    state: State,
}

impl Default for Source {
    fn default() -> Source {
        Source {
            length: 1.0,
            section: Named::section(),
            material: Named::material(),
            modes: [3, 3, 1, 1],
            set: ModeSet::Interface,
            euler: false,
            stiffening: true,
            ratios: Vec::new(),
            rayleigh: [0.0; 2],
            frames: Vec::new(),
            places: Vec::new(),
            state: State::default(),
        }
    }
}

impl Source {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.key("length", Unit::Length, "Length.")
            .positive(&mut self.length);
        k.section(&mut self.section);
        k.material(&mut self.material);
        let doc = "Number of modes of bending along y, bending along z, tension and torsion, up to 12 of each.";
        let usual = self.modes;
        k.key("modes", Unit::None, doc).or("[3, 3, 1, 1]").special(
            Form::List,
            &mut self.modes,
            read_counts,
            |modes: &[usize; 4]| Value::numbers(&modes.map(|n| n as f64)),
            |_| usual,
        );
        let modes = self.modes.iter().sum();
        let doc = "Which modes: `free` (of the free beam), `clamped` (at its start), `pinned` (between pins) or `interface` \
                   (deflections by loads at both ends and modes between clamped ends: Craig and Bampton). It also says what \
                   the frame follows.";
        k.key("mode_set", Unit::None, doc).word(&mut self.set);
        let doc = "`timoshenko`: sections shear and have rotary inertia; `euler`: they do not.";
        k.key("theory", Unit::None, doc)
            .either(["timoshenko", "euler"], &mut self.euler);
        let doc = "Whether axial forces stiffen or soften bending: those of a rotation, of accelerations along the axis and of \
                   what is attached.";
        k.key("stiffening", Unit::None, doc)
            .or(true)
            .flag(&mut self.stiffening);
        let doc = "Damping ratio of all modes, or of each.";
        let each = k.table().is_some_and(|f| f.is_list("damping_ratio"));
        k.key("damping_ratio", Unit::None, doc)
            .or("0")
            .like(0.1, 0.05)
            .list(Rows::plain(if each { modes } else { 1 }), &mut self.ratios);
        rayleigh_key(k, &mut self.rayleigh);
        let doc = "Names of frames besides `start` and `end`.";
        k.key("frames", Unit::None, doc)
            .or("[]")
            .texts(&["middle"], &mut self.frames);
        frame_names(k, &self.frames);
        let doc = "Where these are, as parts of the length: 0.5 is the middle.";
        k.key("frame_places", Unit::None, doc)
            .or("none")
            .like(0.5, 0.4)
            .list(Rows::plain(self.frames.len()), &mut self.places);
        let said = self.frames.len() == self.places.len();
        k.rule("frames", said, "`frame_places` must say where they are");
        let wrong = self.places.iter().find(|x| !(0.0..=1.0).contains(*x));
        let why = wrong.map(|x| format!("places are parts of the length, from 0 to 1, not {x}"));
        k.rule("frame_places", why.is_none(), why.unwrap_or_default());
    }

    fn modal(&self) -> Result<Modal, String> {
        let beam = StraightBeam {
            length: self.length,
            section: self.section.item,
            material: self.material.item,
            timoshenko: !self.euler,
            set: self.set,
            modes: self.modes,
            stiffening: self.stiffening,
        };
        let ends = ENDS.map(str::to_string).into_iter().zip([0.0, 1.0]);
        let further = self.frames.iter().cloned().zip(self.places.iter().copied());
        let frames: Vec<(String, f64)> = ends.chain(further).collect();
        let mut modal = beam.modal(&frames)?;
        let n = modal.modes();
        modal.damping_ratio = match self.ratios[..] {
            [] => vec![0.0; n],
            [ratio] => vec![ratio; n],
            _ => self.ratios.clone(),
        };
        // that of the material is in proportion to the stiffness as well
        modal.rayleigh = [self.rayleigh[0], modal.rayleigh[1] + self.rayleigh[1]];
        modal.start = self.state.of(n);
        match modal.problem() {
            Some(why) => Err(why),
            None => Ok(modal),
        }
    }
}

fn read_counts(f: &Fields<'_>, key: &'static str) -> Result<[usize; 4], ModelError> {
    let list = f.quantities(key, Unit::None)?;
    let whole = |x: &f64| x.fract() == 0.0 && (0.0..=MOST as f64).contains(x);
    let given: Result<[f64; 4], _> = list.as_slice().try_into();
    match given {
        Ok(given) if given.iter().all(whole) => Ok(given.map(|x| x as usize)),
        _ => Err(f.error(
            key,
            "`modes` has four whole numbers up to 12: bending along y and z, tension, torsion",
        )),
    }
}
