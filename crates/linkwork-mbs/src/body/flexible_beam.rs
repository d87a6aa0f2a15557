//! Straight beam as a flexible body: modes by section and material.

use super::modal::{State, frame_names, rayleigh_key};
use super::{Body, BodyEntry, Draft, Shape, modal};
use crate::carrier::{Modal, ModeSet, Source, StraightBeam};
use crate::error::ModelError;
use crate::field::{Form, Value};
use crate::material::Material;
use crate::part::{Keys, Rows};
use crate::section::Profile;
use crate::text::{Fields, Named};
use crate::units::Unit;
use std::sync::Arc;

/// Frames that every such body has.
pub(crate) const ENDS: [&str; 2] = ["start", "end"];

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "flexible_beam",
    summary: "A straight beam along the x axis of its frame, from its origin, with small deformations: modes of bending, \
              tension and torsion from section and material. It has the frames `start` and `end`; attach to \
              `body.end`.",
    in_plane: false,
    blank: || Draft::blank(Body::modal("", Modal::default()), keys),
};

pub(super) const IN_PLANE: BodyEntry = BodyEntry {
    kind: "planar_flexible_beam",
    summary: "A straight beam along the x axis of its frame, from its origin, that bends in the x-y plane, with small \
              deformations: modes of bending and tension from section and material. It has the frames `start` and `end`; \
              attach to `body.end`.",
    in_plane: true,
    blank: || {
        let mut draft = Draft::blank(Body::modal("", modal::flat()), keys);
        draft.in_plane = Some(ENTRY.kind);
        draft
    },
};

pub(super) fn keys(body: &mut Body, k: &mut Keys<'_>) {
    let (known, mut state) = match &body.shape {
        Shape::Modal(modal) => (modal.beam(), State::read(modal)),
        _ => (None, State::default()),
    };
    let mut source = known.map_or_else(|| FlexibleBeam::blank(body.is_flat()), |s| (*s).clone());
    if let Shape::Modal(modal) = &body.shape
        && k.asks()
    {
        let problem = modal.problem();
        k.placed(|| problem.map_or(Ok(()), Err));
    }
    source.keys(k);
    let modes = source.modes.iter().sum();
    body.floating_keys(k, &mut state, modes);
    if let Some(mut modal) = k.make(|| source.modal(&state)) {
        body.mass = modal.mass();
        modal.source = Some(Source {
            beam: Arc::new(source),
            made: modal.fingerprint(),
        });
        body.shape = Shape::Modal(Arc::new(modal));
    }
}

impl Modal {
    /// The straight beam of model text that it was made from, where it is still that.
    pub(crate) fn beam(&self) -> Option<Arc<FlexibleBeam>> {
        let source = self.source.as_ref()?;
        (self.fingerprint() == source.made).then(|| source.beam.clone())
    }

    /// A number made of all its numbers but for the start (Fowler, Noll & Vo's hash).
    fn fingerprint(&self) -> u64 {
        let points = self.points.iter().flat_map(|p| {
            let shapes = p.displacement.iter().chain(&p.rotation).flatten();
            let own = p.place.iter().chain(&p.inertia).chain([&p.mass]);
            own.chain(shapes).chain(&p.shortening)
        });
        let told = self.recovered.iter().flat_map(|r| &r.factors);
        let modes = (self.stiffness.iter()).chain(&self.damping_ratio);
        let masses = self.added_mass.iter().chain(&self.modal_mass);
        let modes = modes.chain(&self.damping).chain(masses);
        let numbers = points.chain(modes).chain(&self.rayleigh).chain(told);
        let mix = |sum: u64, x: u64| (sum ^ x).wrapping_mul(0x0100_0000_01b3);
        let sum = numbers.fold(0xcbf2_9ce4_8422_2325, |sum, x| mix(sum, x.to_bits()));
        let frames = self.frames.iter().map(|(_, point)| *point as u64);
        let names = self
            .names
            .iter()
            .chain(self.frames.iter().map(|(name, _)| name));
        let bytes = names.flat_map(|name| name.bytes().map(u64::from));
        let further = [self.cubic_energy.len() as u64, u64::from(self.flat)];
        frames.chain(bytes).chain(further).fold(sum, mix)
    }
}

/// What such a body is made from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FlexibleBeam {
    flat: bool,
    length: f64,
    /// Cross-section.
    pub section: Named<Profile>,
    /// Material.
    pub material: Named<Material>,
    modes: [usize; 4],
    set: ModeSet,
    euler: bool,
    stiffening: bool,
    /// Of all modes or of each.
    ratios: Vec<f64>,
    rayleigh: [f64; 2],
    frames: Vec<String>,
    places: Vec<f64>,
}

impl FlexibleBeam {
    fn blank(flat: bool) -> FlexibleBeam {
        FlexibleBeam {
            flat,
            length: 1.0,
            section: Named::section(),
            material: Named::material(),
            modes: if flat { [3, 0, 1, 0] } else { [3, 3, 1, 1] },
            set: ModeSet::Interface,
            euler: false,
            stiffening: true,
            ratios: Vec::new(),
            rayleigh: [0.0; 2],
            frames: Vec::new(),
            places: Vec::new(),
        }
    }

    fn keys(&mut self, k: &mut Keys<'_>) {
        k.key("length", Unit::Length, "Length.")
            .positive(&mut self.length);
        k.section(&mut self.section);
        k.material(&mut self.material);
        let [doc, usual] = match self.flat {
            false => [
                "Number of modes of bending along y, bending along z, tension and torsion, up to 20 of each.",
                "[3, 3, 1, 1]",
            ],
            true => [
                "Number of modes of bending and tension, up to 20 of each.",
                "[3, 1]",
            ],
        };
        let (flat, modes) = (self.flat, self.modes);
        k.key("modes", Unit::None, doc).or(usual).special(
            Form::List,
            &mut self.modes,
            |f, key| read_counts(f, key, flat),
            |modes: &[usize; 4]| {
                let [y, z, tension, torsion] = modes.map(|n| n as f64);
                match flat {
                    true => Value::numbers(&[y, tension]),
                    false => Value::numbers(&[y, z, tension, torsion]),
                }
            },
            |_| modes,
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
        let each = match k.table() {
            Some(f) => f.is_list("damping_ratio"),
            None => !self.ratios.is_empty(),
        };
        k.key("damping_ratio", Unit::None, doc)
            .or("0")
            .like(0.1, 0.05)
            .list(Rows::plain(if each { modes } else { 1 }), &mut self.ratios);
        if let [ratio] = self.ratios[..] {
            self.ratios = vec![ratio; modes];
        }
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

    fn modal(&self, state: &State) -> Result<Modal, String> {
        let beam = StraightBeam {
            length: self.length,
            section: self.section.item.section(),
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
        modal.flat = self.flat;
        if self.flat {
            let points = modal.points.iter_mut();
            points.for_each(|p| p.inertia = [0.0, 0.0, p.inertia[2]]);
        }
        let n = modal.modes();
        modal.damping_ratio = match self.ratios[..] {
            [] => vec![0.0; n],
            _ => self.ratios.clone(),
        };
        // that of the material is in proportion to the stiffness as well
        modal.rayleigh = [self.rayleigh[0], modal.rayleigh[1] + self.rayleigh[1]];
        modal.start = state.of(n);
        match modal.problem() {
            Some(why) => Err(why),
            None => Ok(modal),
        }
    }
}

fn read_counts(f: &Fields<'_>, key: &'static str, flat: bool) -> Result<[usize; 4], ModelError> {
    let list = f.quantities(key, Unit::None)?;
    let whole = |x: &f64| x.fract() == 0.0 && (0.0..=StraightBeam::MOST_MODES as f64).contains(x);
    let given = match (flat, list.as_slice()) {
        (false, &[y, z, tension, torsion]) => Some([y, z, tension, torsion]),
        (true, &[bending, tension]) => Some([bending, 0.0, tension, 0.0]),
        _ => None,
    };
    let wanted = match flat {
        false => "`modes` has four whole numbers up to 20: bending along y and z, tension, torsion",
        true => "`modes` has two whole numbers up to 20: bending and tension",
    };
    match given.filter(|given| given.iter().all(whole)) {
        Some(given) => Ok(given.map(|x| x as usize)),
        None => Err(f.error(key, wanted)),
    }
}
