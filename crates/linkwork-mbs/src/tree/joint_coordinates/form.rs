//! The two forms of the derivatives, and what each of them keeps.

use super::augmented::{Augmented, Ingredients};
use super::bend::Bend;
use super::eliminated::Eliminated;
use super::inertial::Inertial;
use super::operators::{Operators, Paths, Perches};
use super::spread::{Entries, Place, Spread};
use super::square::{Entry, Square};
use super::{JointCoordinates, Layout};
use crate::assembly::{Assembly, Carried};
use crate::tree::Tree;
use linkwork_dae::system::{BlockPatterns, Part, System, Terms};
use std::sync::Arc;

/// How derivatives are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As blocks with an entry for each pair of coordinates that move one body, or coupled ones.
    Stored,
    /// As relations along the tree, see [`linkwork_dae::auxiliary`].
    Augmented,
    /// Whichever costs less in a run.
    Cheaper,
}

/// Blocks with one side along the tangent.
#[derive(Clone, Debug, Default)]
pub(super) struct Sided {
    pub c_q: Spread,
    pub cv_by_q: Spread,
    pub cv_by_v: Spread,
    pub r_x: Spread,
    pub r_l: Spread,
    pub f_by_q: Spread,
    pub f_by_v: Spread,
    pub f_v: Spread,
}

/// Where everything of a form is.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// Of the bodies that constraints act on; of all bodies where blocks are stored.
    pub paths: Paths,
    pub wide: Sided,
    pub augmented: Option<Augmented>,
}

/// Stored blocks with both sides along the tangent.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub inertial: Inertial,
    pub damping: Square,
    pub stiffness: Square,
    pub bend: Bend,
}

/// Mean number of coordinates that move a body from which on relations along the tree are cheaper than
/// stored blocks. Implicit steps of chains cost the same with 3 rods in the plane and with 12 in space,
/// where the relations have nearly three times as many unknowns, explicit ones with 10 and with 40.
const LONG_IN_PLANE: usize = 4;
const LONG_IN_SPACE: usize = 10;

impl JointCoordinates {
    /// Changes the form; whoever has laid out a matrix for the old one must do it again.
    pub(super) fn take_form(&mut self, form: Form) {
        let flexible = self.assembly.is_mapped();
        let augmented = match form {
            // inertia of flexible bodies is among the relations only
            _ if flexible => true,
            // the relations know nothing of forces that follow reactions
            _ if !self.assembly.facts().patterns[Part::Rl].is_empty() => false,
            Form::Stored => false,
            Form::Augmented => true,
            Form::Cheaper => self.is_long(),
        };
        let layout = &*self.layout;
        let places = places(&layout.movers, self.tree.nv());
        let here = rows_here(layout);
        let perches = Perches {
            list: &layout.perches,
            at: &layout.perch_at,
        };
        let (stored, shape, patterns) = if augmented {
            let mut constrained = vec![false; layout.bodies.len()];
            for &(i, j) in &self.assembly.facts().patterns[Part::Cq] {
                if here[i as usize].is_some() {
                    constrained[places[j as usize].body] = true;
                }
            }
            let nodes = layout.nodes.iter().zip(&constrained);
            let nodes: Vec<Option<usize>> =
                nodes.map(|(node, yes)| node.filter(|_| *yes)).collect();
            let paths = Paths::new(&self.tree, &nodes, &perches);
            let (shape, patterns) = self.augmented_shape(paths, &places, &here);
            (None, shape, patterns)
        } else {
            let paths = Paths::new(&self.tree, &layout.nodes, &perches);
            let (stored, shape, patterns) =
                stored_shape(&self.assembly, layout, &self.tree, paths, &places, &here);
            (Some(stored), shape, patterns)
        };
        self.eliminated = match (&shape.augmented, form) {
            (Some(augmented), Form::Stored) => Some(Eliminated::new(augmented, layout.dims)),
            _ => None,
        };
        let facts = Arc::make_mut(&mut self.facts);
        facts.patterns = match &self.eliminated {
            Some(eliminated) => eliminated.patterns(patterns),
            None => patterns,
        };
        let handed = shape
            .augmented
            .as_ref()
            .filter(|_| self.eliminated.is_none());
        facts.auxiliary = handed.map(|a| a.auxiliary.clone());
        self.operators = Operators::new(&self.tree, &shape.paths, !augmented);
        self.stored = stored;
        self.shape = Arc::new(shape);
    }

    /// Whether paths are long on the average.
    fn is_long(&self) -> bool {
        let layout = &*self.layout;
        let mut length = vec![0; layout.movers.len()];
        for link in &layout.links {
            length[link.body] = link.dofs.len() + link.parent.map_or(0, |p| length[p]);
        }
        let long = match self.assembly.in_plane() {
            true => LONG_IN_PLANE,
            false => LONG_IN_SPACE,
        };
        length.iter().sum::<usize>() > long * length.len()
    }

    fn augmented_shape(
        &self,
        paths: Paths,
        places: &[Place],
        here: &[Option<u32>],
    ) -> (Shape, BlockPatterns) {
        let layout = &*self.layout;
        let inner = &self.assembly.facts().patterns;
        let mut c_q = Entries::default();
        let wide = Sided {
            c_q: constraints(&paths, inner, places, here, Part::Cq, &mut c_q),
            ..Sided::default()
        };
        let (length, inertia) = self.typical_sizes(places);
        let augmented = Augmented::new(&Ingredients {
            tree: &self.tree,
            bodies: &layout.movers,
            perches: &layout.perches,
            places,
            frames: &layout.frames,
            links: &layout.links,
            patterns: inner,
            rows: here,
            holonomic: layout.dims.nc,
            length: &length,
            inertia: &inertia,
        });
        let mut patterns = BlockPatterns::default();
        patterns.generators = augmented.generators;
        patterns[Part::Cq] = c_q.list;
        patterns[Part::Fx].clone_from(&inner[Part::Fx]);
        let shape = Shape {
            paths,
            wide,
            augmented: Some(augmented),
        };
        (shape, patterns)
    }

    /// Typical length of each body, and inertia of everything that it carries at this length, as they
    /// start: units in which relations along a long chain of short bodies are of the size of one.
    fn typical_sizes(&self, places: &[Place]) -> (Vec<f64>, Vec<f64>) {
        let layout = &*self.layout;
        let count = layout.movers.len();
        let mut copy = self.clone();
        let guess = &layout.guess;
        let mut force = vec![0.0; layout.dims.nv];
        let mut want = Terms {
            force: Some(&mut force),
            ..Terms::default()
        };
        let at = guess.point();
        let found = copy.eval(&at, &mut want).is_ok();
        let (mut mass, mut turning) = (vec![0.0f64; count], vec![0.0f64; count]);
        let entries = self.assembly.facts().patterns[Part::Mass].iter();
        for (&(i, j), m) in entries.zip(&copy.scratch.mass) {
            let place = &places[i as usize];
            if i == j && found {
                let largest = match place.freedom {
                    0..3 => &mut mass[place.body],
                    3..FREEDOMS => &mut turning[place.body],
                    _ => continue,
                };
                *largest = largest.max(m.abs());
            }
        }
        let mut length = vec![layout.length; count];
        for link in &layout.links {
            let own = &copy.bodies[link.body];
            let from = match (link.parent, link.node) {
                (Some(p), _) => copy.bodies[p].p,
                (None, Some(node)) => copy.kin.pose[node].p,
                (None, None) => continue,
            };
            let arm = (own.p - from).norm();
            // a body on its own has no arm, and one at its joint no long one
            let radius = (turning[link.body] / mass[link.body]).sqrt();
            let size = arm.max(if radius.is_finite() { radius } else { 0.0 });
            if size > 0.0 && size < layout.length {
                length[link.body] = size;
            }
        }
        for link in layout.links.iter().rev() {
            if let Some(p) = link.parent {
                mass[p] += mass[link.body];
            }
        }
        let inertia = |b: usize| power_of_two(mass[b] * length[b].powi(2) + turning[b]);
        let inertia = (0..count).map(inertia).collect();
        (length.into_iter().map(power_of_two).collect(), inertia)
    }
}

/// The nearest power of two, or 1 for what is no size: scaling by it rounds nothing.
fn power_of_two(x: f64) -> f64 {
    if x.is_finite() && x > 0.0 {
        x.log2().round().exp2()
    } else {
        1.0
    }
}

/// Row here of each row of the assembly.
fn rows_here(layout: &Layout) -> Vec<Option<u32>> {
    let mut here = vec![None; layout.inner.rows()];
    for (n, row) in layout.rows.iter().enumerate() {
        here[*row as usize] = Some(n as u32);
    }
    here
}

fn stored_shape(
    assembly: &Assembly,
    layout: &Layout,
    tree: &Tree,
    paths: Paths,
    places: &[Place],
    here: &[Option<u32>],
) -> (Stored, Shape, BlockPatterns) {
    let [damping, stiffness] = squares(assembly, tree, &paths, &layout.nodes, places);
    let inertial = Inertial::new(tree, &stiffness, &damping);
    let (wide, mut patterns) = wide(assembly, &paths, places, here);
    patterns[Part::Mass] = inertial.mass_pattern();
    patterns[Part::Rv] = damping.pattern().to_vec();
    patterns[Part::Rq] = stiffness.pattern().to_vec();
    patterns[Part::Fx].clone_from(&assembly.facts().patterns[Part::Fx]);
    let bend = Bend::new(tree, &paths, &stiffness);
    let stored = Stored {
        inertial,
        damping,
        stiffness,
        bend,
    };
    let shape = Shape {
        paths,
        wide,
        augmented: None,
    };
    (stored, shape, patterns)
}

/// Body and freedom of every coordinate of the assembly; amplitudes of modes follow so many coordinates of joints.
pub(super) fn places(bodies: &[Carried], joints: usize) -> Vec<Place> {
    let mut places = Vec::new();
    let mut next = joints as u32;
    for (body, carried) in bodies.iter().enumerate() {
        let freedoms = carried.freedoms.iter();
        places.extend(freedoms.map(|freedom| Place {
            body,
            freedom: *freedom,
            modal: None,
        }));
        for _ in 0..carried.modes {
            places.push(Place {
                body,
                freedom: FREEDOMS,
                modal: Some(next),
            });
            next += 1;
        }
    }
    places
}

/// Freedoms of a body in space.
const FREEDOMS: usize = 6;

/// `D` and `K` of elements.
fn squares(
    assembly: &Assembly,
    tree: &Tree,
    paths: &Paths,
    nodes: &[Option<usize>],
    places: &[Place],
) -> [Square; 2] {
    let entries = |part: Part| -> Vec<Entry> {
        let list = assembly.facts().patterns[part].iter().enumerate();
        list.map(|(n, (i, j))| (n, places[*i as usize], places[*j as usize]))
            .collect()
    };
    let (damping, stiffness) = (entries(Part::Rv), entries(Part::Rq));
    let factors: [Vec<Vec<Entry>>; 2] = [vec![damping.clone()], vec![stiffness, damping]];
    factors.map(|factors| Square::new(tree, paths, nodes, &factors))
}

/// Rows of constraints that are kept.
fn constraints(
    paths: &Paths,
    inner: &BlockPatterns,
    places: &[Place],
    here: &[Option<u32>],
    part: Part,
    entries: &mut Entries,
) -> Spread {
    let kept = (inner[part].iter().enumerate())
        .filter_map(|(n, (i, j))| Some((n, places[*j as usize], here[*i as usize]?)));
    Spread::new(paths, entries, kept, |k, row| (row, k))
}

/// Blocks with one side along the tangent, and their patterns.
fn wide(
    assembly: &Assembly,
    paths: &Paths,
    places: &[Place],
    here: &[Option<u32>],
) -> (Sided, BlockPatterns) {
    let inner = &assembly.facts().patterns;
    let of_row = |k: u32, row: u32| (row, k);
    let constraints =
        |part: Part, entries: &mut Entries| constraints(paths, inner, places, here, part, entries);
    let states = |part: Part, entries: &mut Entries| {
        let list = (inner[part].iter().enumerate()).map(|(n, (i, j))| (n, places[*j as usize], *i));
        Spread::new(paths, entries, list, of_row)
    };
    let [mut c_q, mut cv_q, mut r_x, mut r_l, mut f_q, mut f_v] =
        [(); 6].map(|()| Entries::default());
    let wide = Sided {
        c_q: constraints(Part::Cq, &mut c_q),
        cv_by_q: constraints(Part::CVq, &mut cv_q),
        cv_by_v: constraints(Part::Cq, &mut cv_q),
        r_x: {
            let list = (inner[Part::Rx].iter().enumerate())
                .map(|(n, (i, j))| (n, places[*i as usize], *j));
            Spread::new(paths, &mut r_x, list, |k, x| (k, x))
        },
        r_l: {
            let kept = (inner[Part::Rl].iter().enumerate())
                .filter_map(|(n, (i, j))| Some((n, places[*i as usize], here[*j as usize]?)));
            Spread::new(paths, &mut r_l, kept, |k, row| (k, row))
        },
        f_by_q: states(Part::Fq, &mut f_q),
        f_by_v: states(Part::Fv, &mut f_q),
        f_v: states(Part::Fv, &mut f_v),
    };
    let mut patterns = BlockPatterns::default();
    patterns[Part::Cq] = c_q.list;
    patterns[Part::CVq] = cv_q.list;
    patterns[Part::Rx] = r_x.list;
    patterns[Part::Rl] = r_l.list;
    patterns[Part::Fq] = f_q.list;
    patterns[Part::Fv] = f_v.list;
    (wide, patterns)
}
