//! Flexible bodies: a floating frame and mode shapes on mass points.

use super::{Body, BodyEntry, Draft, Shape};
use crate::carrier::{Modal, ModalPoint, Recovered};
use crate::error::ModelError;
use crate::geometry::Vector;
use crate::part::{Keys, Rows};
use crate::text::Fields;
use crate::units::Unit;
use std::sync::Arc;

pub(super) const ENTRY: BodyEntry = BodyEntry {
    kind: "modal",
    summary: "A flexible body: x, y, z and orientation of a floating frame, and amplitudes of mode \
              shapes, which are small deformations. Joints, forces and sensors are attached to its \
              named points as bodies called `body.frame`.",
    in_plane: false,
    blank: || Draft::blank(Body::modal("", Modal::default()), keys),
};

pub(super) const IN_PLANE: BodyEntry = BodyEntry {
    kind: "planar_modal",
    summary: "A flexible body that moves and bends parallel to the x-y plane: x, y and angle of a floating frame, and \
              amplitudes of mode shapes, which are small deformations. Joints, forces and sensors are attached to its \
              named points as bodies called `body.frame`.",
    in_plane: true,
    blank: || Draft::blank(Body::modal("", flat()), keys),
};

/// Nothing yet, in the plane.
pub(super) fn flat() -> Modal {
    Modal {
        flat: true,
        ..Modal::default()
    }
}

pub(super) fn keys(body: &mut Body, k: &mut Keys<'_>) {
    if let Shape::Modal(modal) = &body.shape {
        let centred = body.centre_of_mass == [0.0; 3];
        k.placed(|| match modal.problem() {
            Some(why) => Err(why),
            None if centred => Ok(()),
            None => Err("its points say where its centre of mass is".into()),
        });
    }
    let mut lists = match &body.shape {
        Shape::Modal(modal) => Lists::of(modal),
        _ => Lists::default(),
    };
    file_key(k);
    lists.keys(k);
    let mut told = Told::default();
    told.keys(k);
    lists.frame_keys(k);
    let modes = lists.modes();
    body.floating_keys(k, &mut lists.state, modes);
    if let Some(modal) = k.make(|| lists.modal()) {
        k.read(|f| told.check(f, &modal));
        body.mass = modal.mass();
        body.shape = Shape::Modal(Arc::new(modal));
    }
}

/// A file in place of points, modes, stiffness and frames. Whoever reads a model from a file puts there what the file tells; text by
/// itself has no place from which it could be found.
fn file_key(k: &mut Keys<'_>) {
    if k.draw().is_some() {
        return;
    }
    let doc = "File of a reduced finite-element model, from the folder of the model: it tells points, modes, stiffness, damping \
               ratios and frames, which are left out here then. For bodies in space.";
    let mut file: Option<String> = None;
    k.key("file", Unit::None, doc)
        .or("they are given here")
        .text(&mut file);
    let why = format!(
        "`{}` is found from the folder of a model that is a file itself, and this one is not",
        file.as_deref().unwrap_or_default()
    );
    k.rule("file", file.is_none(), why);
}

/// Amplitudes at the start and their rates; empty for zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    amplitudes: Vec<f64>,
    rates: Vec<f64>,
}

impl State {
    /// That of a body.
    pub fn read(modal: &Modal) -> State {
        State {
            amplitudes: modal.start.iter().map(|s| s[0]).collect(),
            rates: modal.start.iter().map(|s| s[1]).collect(),
        }
    }

    /// Both, for each mode.
    pub fn of(&self, modes: usize) -> Vec<[f64; 2]> {
        let [q, v] = [&self.amplitudes, &self.rates].map(|list| filled(list, modes));
        q.into_iter().zip(v).map(|(q, v)| [q, v]).collect()
    }
}

impl Body {
    /// Place and motion of a floating frame and of its modes.
    pub(super) fn floating_keys(&mut self, k: &mut Keys<'_>, state: &mut State, modes: usize) {
        let flat = self.is_flat();
        self.position_key(k);
        match flat {
            true => self.angle_key(k),
            false => self.orientation_keys(k),
        }
        let doc = "Start amplitudes of the modes.";
        k.key("amplitudes", Unit::None, doc)
            .or("0")
            .like(0.0, 0.01)
            .list(Rows::plain(modes), &mut state.amplitudes);
        self.velocity_key(k);
        match flat {
            true => self.flat_spin_key(k),
            false => self.spin_key(k),
        }
        let doc = "Start rates of the amplitudes.";
        k.key("amplitude_rates", Unit::None, doc)
            .or("0")
            .list(Rows::plain(modes), &mut state.rates);
        self.exact_key(k);
    }
}

/// Damping in proportion to mass and stiffness.
pub(super) fn rayleigh_key(k: &mut Keys<'_>, rayleigh: &mut [f64; 2]) {
    let doc = "Further damping in proportion to mass (1/s) and stiffness (s).";
    let mut given = (*rayleigh != [0.0; 2]).then_some(*rayleigh);
    k.key("rayleigh", Unit::None, doc)
        .or("[0, 0]")
        .like(0.1, 0.05)
        .array(&mut given);
    *rayleigh = given.unwrap_or_default();
}

/// Refuses what cannot be the name of a frame.
pub(super) fn frame_names(k: &mut Keys<'_>, names: &[String]) {
    let sound = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let wrong = names.iter().find(|n| n.is_empty() || !n.chars().all(sound));
    let why = wrong.map(|name| format!("`{name}` cannot be the name of a frame"));
    k.rule("frames", why.is_none(), why.unwrap_or_default());
}

/// What the source told of a body: other units or other modes show there.
#[derive(Default)]
struct Told {
    mass: Option<f64>,
    frequencies: Vec<f64>,
}

impl Told {
    fn keys(&mut self, k: &mut Keys<'_>) {
        // nothing that examples could know
        if k.draw().is_some() {
            return;
        }
        let doc =
            "Mass that the source of these numbers told; refused where the points have another.";
        k.key("expected_mass", Unit::Mass, doc)
            .or("not checked")
            .number(&mut self.mass);
        let doc = "Lowest frequencies of the free body that the source of these numbers told; refused where modes and stiffness \
                   have others.";
        k.key("expected_frequencies", Unit::Frequency, doc)
            .or("not checked")
            .list(Rows::any(1, 0), &mut self.frequencies);
    }

    fn check(&self, f: &Fields<'_>, modal: &Modal) -> Result<(), ModelError> {
        let apart = |found: f64, told: f64| !((found - told).abs() <= 0.01 * told.abs());
        let found = modal.mass();
        if let Some(told) = self.mass.filter(|told| apart(found, *told)) {
            let message = format!(
                "its points have a mass of {found} kg, {told} kg were expected, {} times as much",
                told / found
            );
            return Err(f.error("expected_mass", message));
        }
        if self.frequencies.is_empty() {
            return Ok(());
        }
        let found = modal.frequencies().unwrap_or_default();
        for (k, told) in self.frequencies.iter().enumerate() {
            let found = found.get(k).map_or(0.0, |w| w.max(0.0).sqrt());
            let found = found / std::f64::consts::TAU;
            if apart(found, *told) {
                let message = format!(
                    "frequency {} of the free body is {found} Hz, {told} Hz were expected, {} times as much",
                    k + 1,
                    told / found
                );
                return Err(f.error("expected_frequencies", message).with_help(
                    "mode shapes, masses and stiffness must be in SI units, and belong together",
                ));
            }
        }
        Ok(())
    }
}

/// A flexible body as text has it: lists over points and modes. What may be left out is empty then.
#[derive(Clone, Debug, Default)]
struct Lists {
    flat: bool,
    places: Vec<f64>,
    masses: Vec<f64>,
    inertias: Vec<f64>,
    displacements: Vec<f64>,
    rotations: Vec<f64>,
    stiffness: Vec<f64>,
    /// Rows of three modes and a factor.
    cubic: Vec<f64>,
    added_mass: Vec<f64>,
    modal_mass: Vec<f64>,
    damping_ratio: Vec<f64>,
    damping: Vec<f64>,
    rayleigh: [f64; 2],
    names: Vec<String>,
    shortening: Vec<f64>,
    outputs: Vec<String>,
    units: Vec<String>,
    factors: Vec<f64>,
    frames: Vec<String>,
    frame_points: Vec<f64>,
    state: State,
}

/// A list that may be left out for zeros.
fn filled(list: &[f64], count: usize) -> Vec<f64> {
    match list.is_empty() {
        true => vec![0.0; count],
        false => list.to_vec(),
    }
}

/// Components of displacements and of rotations that are listed, in space and in the plane.
const COMPONENTS: [[&[usize]; 2]; 2] = [[&[0, 1, 2], &[0, 1, 2]], [&[0, 1], &[2]]];

/// Vectors of which some components are listed.
fn vectors(list: &[f64], components: &[usize]) -> Vec<Vector> {
    let one = |given: &[f64]| {
        let mut vector = [0.0; 3];
        for (i, x) in components.iter().zip(given) {
            vector[*i] = *x;
        }
        vector
    };
    list.chunks_exact(components.len()).map(one).collect()
}

impl Lists {
    /// Components of displacements and of rotations.
    fn components(&self) -> [&'static [usize]; 2] {
        COMPONENTS[usize::from(self.flat)]
    }

    fn points(&self) -> usize {
        self.places.len() / self.components()[0].len()
    }

    fn modes(&self) -> usize {
        let row = self.components()[0].len() * self.points().max(1);
        self.displacements.len() / row
    }

    /// The words for space or for the plane.
    fn say(&self, [space, plane]: [&'static str; 2]) -> &'static str {
        if self.flat { plane } else { space }
    }

    fn keys(&mut self, k: &mut Keys<'_>) {
        let [moves, turns] = self.components().map(<[usize]>::len);
        let doc = self.say([
            "Places of its points in the body frame, a list of [x, y, z].",
            "Places of its points in the body frame, a list of [x, y].",
        ]);
        k.key("points", Unit::Length, doc)
            .list(Rows::any(moves, 4), &mut self.places);
        let count = self.points();
        k.key("masses", Unit::Mass, "Lumped masses of the points.")
            .like(1.5, 1.0)
            .list(Rows::plain(count), &mut self.masses);
        let doc = self.say([
            "Lumped moments of inertia of the points about the axes of the body, a list of [Jx, Jy, Jz].",
            "Lumped moments of inertia of the points about z.",
        ]);
        k.key("inertias", Unit::Inertia, doc)
            .or("0")
            .like(0.5, 0.4)
            .list(Rows::of(count, turns), &mut self.inertias);
        let doc = self.say([
            "Mode shapes, a row for each: the displacements x, y, z of all points by one unit of its \
             amplitude. None may be a motion of the whole body.",
            "Mode shapes, a row for each: the displacements x, y of all points by one unit of its \
             amplitude. None may be a motion of the whole body.",
        ]);
        k.key("modes", Unit::None, doc)
            .list(Rows::any(moves * count, 2), &mut self.displacements);
        let n = self.modes();
        let doc = self.say([
            "The same for the rotations of the points about x, y, z, rad.",
            "The same for the rotations of the points about z, rad.",
        ]);
        k.key("mode_rotations", Unit::None, doc)
            .or("0")
            .list(Rows::of(n, turns * count), &mut self.rotations);
        let doc = "Stiffness of the modes: a number for each, or a matrix by rows. The square of the angular \
                   frequency for modes of unit mass.";
        let columns = if self.stiffness.len() > n { n } else { 1 };
        k.key("stiffness", Unit::None, doc)
            .like(50.0, 20.0)
            .list(Rows::any(columns, n), &mut self.stiffness);
        let given = self.stiffness.len();
        let fits = [n, n * n].contains(&given);
        let why =
            format!("`stiffness` has {n} numbers or a matrix of {n} rows, not {given} numbers");
        k.rule("stiffness", fits, why);
        let doc = "Strain energy beyond that of the stiffness: a list of [i, j, k, factor], the factor times the amplitudes of \
                   modes i, j and k, counted from 1.";
        k.key("cubic_energy", Unit::None, doc)
            .or("[]")
            .list(Rows::any(4, 0), &mut self.cubic);
        let is_mode = |x: &f64| x.fract() == 0.0 && (1.0..=n as f64).contains(x);
        let mut terms = self.cubic.chunks(4);
        let fits = terms.all(|term| term.len() == 4 && term[..3].iter().all(is_mode));
        let why = format!("`cubic_energy` is a list of [i, j, k, factor] with modes from 1 to {n}");
        k.rule("cubic_energy", fits, why);
        let doc = "Inertia of the modes beside that of the points, of masses that they move along x to both sides alike: a matrix \
                   by rows.";
        let rows = Rows::of(n, n);
        k.key("added_mass", Unit::None, doc)
            .or("0")
            .list(Rows { drawn: 0, ..rows }, &mut self.added_mass);
        let doc = "Inertia of the modes in place of that of the points and of `added_mass`: a matrix by rows. Of modes of a consistent \
                   mass, which lumped masses have not.";
        k.key("modal_mass", Unit::None, doc)
            .or("that of the points")
            .list(Rows { drawn: 0, ..rows }, &mut self.modal_mass);
        k.key("damping_ratio", Unit::None, "Damping ratio of each mode.")
            .or("0")
            .like(0.1, 0.05)
            .list(Rows::plain(n), &mut self.damping_ratio);
        let doc = "Further damping of the modes: a matrix by rows.";
        let rows = Rows::of(n, n);
        k.key("damping", Unit::None, doc)
            .or("0")
            .list(Rows { drawn: 0, ..rows }, &mut self.damping);
        rayleigh_key(k, &mut self.rayleigh);
        let doc = "What the modes are called in messages.";
        k.key("mode_names", Unit::None, doc)
            .or("1, 2, 3 and so on")
            .texts(&["bending", "torsion"], &mut self.names);
        let called = self.names.len();
        let why = format!("there are {n} modes, and {called} names");
        k.rule("mode_names", [0, n].contains(&called), why);
        let doc = "Second-order displacements along -x, by which axial forces stiffen: for each point a matrix B by rows, \
                   z' B z/2 for amplitudes z. Points with mass must lie on the x axis.";
        let rows = Rows::of(count, n * n);
        k.key("shortening", Unit::None, doc)
            .or("0")
            .list(Rows { drawn: 0, ..rows }, &mut self.shortening);
        self.output_keys(k, n);
    }

    fn output_keys(&mut self, k: &mut Keys<'_>, n: usize) {
        let doc = "Names of further results that are sums over the amplitudes, such as stresses.";
        k.key("outputs", Unit::None, doc)
            .or("[]")
            .texts(&["stress"], &mut self.outputs);
        let count = self.outputs.len();
        k.key("output_units", Unit::None, "Their units.")
            .or("none")
            .texts(&["Pa"], &mut self.units);
        let units = self.units.len();
        let why = format!("there are {count} outputs, and {units} units");
        k.rule("output_units", [0, count].contains(&units), why);
        let doc = "A row for each: factors of the amplitudes.";
        k.key("output_factors", Unit::None, doc)
            .or("none")
            .list(Rows::of(count, n), &mut self.factors);
        let said = count == 0 || !self.factors.is_empty();
        k.rule("outputs", said, "`output_factors` must say what they are");
    }

    fn frame_keys(&mut self, k: &mut Keys<'_>) {
        let doc = "Names of frames that are fixed to points and turn with them.";
        k.key("frames", Unit::None, doc)
            .or("[]")
            .texts(&["base", "tip"], &mut self.frames);
        let doc = "Which points these are, counted from 1.";
        let rows = Rows::plain(self.frames.len());
        k.key("frame_points", Unit::None, doc)
            .or("1, 2, 3 and so on")
            .list(Rows { drawn: 0, ..rows }, &mut self.frame_points);
        if self.frame_points.is_empty() {
            self.frame_points = (1..=self.frames.len()).map(|i| i as f64).collect();
        }
        let points = self.points();
        let is_point = |x: &f64| x.fract() == 0.0 && (1.0..=points as f64).contains(x);
        let key = match k.table() {
            Some(f) if !f.has("frame_points") => "frames",
            _ => "frame_points",
        };
        let why =
            format!("`frame_points` needs a number from 1 to {points} for each of the `frames`");
        k.rule(key, self.frame_points.iter().all(is_point), why);
        frame_names(k, &self.frames);
    }

    /// The body; lists have their right lengths.
    fn modal(&self) -> Result<Modal, String> {
        let (count, n) = (self.points(), self.modes());
        let [moves, turns] = self.components();
        let inertias = filled(&self.inertias, turns.len() * count);
        let rotations = filled(&self.rotations, n * turns.len() * count);
        let [places, shapes] = [&self.places, &self.displacements].map(|x| vectors(x, moves));
        let [inertias, rotations] = [inertias, rotations].map(|x| vectors(&x, turns));
        let of_point = |list: &[Vector], i: usize| -> Vec<Vector> {
            list.chunks_exact(count.max(1))
                .map(|mode| mode[i])
                .collect()
        };
        let points = self.masses.iter().enumerate().map(|(i, &mass)| ModalPoint {
            place: places[i],
            mass,
            inertia: inertias[i],
            displacement: of_point(&shapes, i),
            rotation: of_point(&rotations, i),
            shortening: match self.shortening.is_empty() {
                true => Vec::new(),
                false => self.shortening[i * n * n..(i + 1) * n * n].to_vec(),
            },
        });
        let outputs = self.outputs.iter().zip(self.factors.chunks(n.max(1)));
        let recovered = outputs.enumerate().map(|(i, (name, row))| Recovered {
            name: name.clone(),
            unit: self.units.get(i).cloned().unwrap_or_default(),
            factors: row.to_vec(),
        });
        let frames = self.frames.iter().zip(&self.frame_points);
        let cubic = self.cubic.as_chunks::<4>().0.iter();
        let modal = Modal {
            flat: self.flat,
            added_mass: self.added_mass.clone(),
            modal_mass: self.modal_mass.clone(),
            cubic_energy: cubic
                .map(|[i, j, k, factor]| ([i, j, k].map(|x| *x as usize - 1), *factor))
                .collect(),
            points: points.collect(),
            stiffness: match self.stiffness.len() == n * n {
                true => self.stiffness.clone(),
                false => {
                    let mut all = vec![0.0; n * n];
                    (0..n).for_each(|k| all[k * n + k] = self.stiffness[k]);
                    all
                }
            },
            damping_ratio: filled(&self.damping_ratio, n),
            damping: self.damping.clone(),
            rayleigh: self.rayleigh,
            names: self.names.clone(),
            frames: frames
                .map(|(name, at)| (name.clone(), *at as usize - 1))
                .collect(),
            recovered: recovered.collect(),
            start: self.state.of(n),
            source: None,
        };
        match modal.problem() {
            Some(why) => Err(why),
            None => Ok(modal),
        }
    }

    fn of(modal: &Modal) -> Lists {
        let (points, n) = (&modal.points, modal.modes());
        let [moves, turns] = COMPONENTS[usize::from(modal.flat)];
        let vectors = |of: fn(&ModalPoint) -> Vector, listed: &'static [usize]| {
            let all = points.iter().map(of);
            all.flat_map(|x| listed.iter().map(move |i| x[*i]))
                .collect()
        };
        let shapes = |of: fn(&ModalPoint) -> &[Vector], listed: &'static [usize]| {
            let shape = |k: usize| {
                let at = move |p| of(p).get(k).copied().unwrap_or_default();
                let all = points.iter().map(at);
                all.flat_map(|x| listed.iter().map(move |i| x[*i]))
            };
            (0..n).flat_map(shape).collect()
        };
        let cubic = modal.cubic_energy.iter().flat_map(|([i, j, k], factor)| {
            let [i, j, k] = [i, j, k].map(|k| (k + 1) as f64);
            [i, j, k, *factor]
        });
        let shortened = points.iter().any(|p| !p.shortening.is_empty());
        let shortening = points.iter().filter(|_| shortened);
        let shortening = shortening.flat_map(|p| filled(&p.shortening, n * n));
        let told = modal.recovered.iter();
        Lists {
            flat: modal.flat,
            cubic: cubic.collect(),
            added_mass: modal.added_mass.clone(),
            modal_mass: modal.modal_mass.clone(),
            places: vectors(|p| p.place, moves),
            masses: points.iter().map(|p| p.mass).collect(),
            inertias: vectors(|p| p.inertia, turns),
            displacements: shapes(|p| &p.displacement, moves),
            rotations: shapes(|p| &p.rotation, turns),
            stiffness: modal.stiffness.clone(),
            damping_ratio: modal.damping_ratio.clone(),
            damping: modal.damping.clone(),
            rayleigh: modal.rayleigh,
            names: modal.names.clone(),
            shortening: shortening.collect(),
            outputs: told.clone().map(|r| r.name.clone()).collect(),
            units: told.clone().map(|r| r.unit.clone()).collect(),
            factors: told.flat_map(|r| r.factors.clone()).collect(),
            frames: modal.frames.iter().map(|(name, _)| name.clone()).collect(),
            frame_points: (modal.frames.iter())
                .map(|(_, point)| (point + 1) as f64)
                .collect(),
            state: State::read(modal),
        }
    }
}
