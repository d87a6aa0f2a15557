//! From a model to a system in joint coordinates.

use super::build::{self, Built};
use super::spread::{Entries, Place, Spread};
use super::square::{Entry, Square};
use super::words::Outline;
use super::{
    Bend, Body, JointCoordinates, Layout, Operators, Paths, Reactions, Scratch, Topology, Wide,
};
use crate::assemble::assemble;
use crate::assembly::Assembly;
use crate::error::ModelError;
use crate::model::Model;
use crate::spatial::mechanism::Rotation;
use crate::tree::{Kinematics, Tree};
use linkwork_dae::initial;
use linkwork_dae::rotation::RotationVectors;
use linkwork_dae::system::{BlockPatterns, Dims, Guess, Part, System};
use std::sync::Arc;

impl JointCoordinates {
    /// A model in joint coordinates; the named joints are cut, whatever else closes a loop is, too.
    ///
    /// The start is that of absolute coordinates: the same guesses are made consistent in the same
    /// way. Where that fails, the guesses are taken as they are.
    pub fn new(model: &Model, cut: &[String]) -> Result<JointCoordinates, ModelError> {
        let in_euler_parameters =
            (model.spatial.as_ref()).is_some_and(|m| m.rotation == Rotation::EulerParameters);
        if in_euler_parameters {
            let message = "Euler parameters are absolute coordinates: they cannot be joined with joint \
                           coordinates";
            let help = "leave out `rotation`, or run in absolute coordinates";
            return Err(ModelError::new(message).with_help(help));
        }
        let mut assembly = assemble(model)?;
        let guess = assembly.guess();
        let start = initial::start(&mut assembly.copy(), &guess);
        let (q, v, x) = match start {
            Ok(start) => (start.state.q, start.state.v, start.state.x),
            Err(_) => (guess.q.clone(), guess.v.clone(), guess.x.clone()),
        };
        let bodies = assembly.carried();
        let joints = assembly.connections();
        let in_plane = assembly.in_plane();
        let topology = Topology::new(&bodies, &joints, in_plane, cut)?;
        let frames = assembly.frames_at(&q, &v);
        let built = build::Start {
            bodies: &bodies,
            joints: &joints,
            frames: &frames,
            q: &q,
            in_plane,
        }
        .build(&topology)?;
        assembly.leave_out(&topology.in_tree);
        let Built {
            tree,
            frames,
            turn,
            owners,
            q,
            v,
        } = built;
        let nodes: Vec<Option<usize>> = frames.iter().map(|f| f.body()).collect();
        let paths = Paths::new(&tree, &nodes);
        let inner = assembly.dims();
        let rows = kept_rows(&topology, &joints, inner);
        let nc = rows.iter().filter(|i| (**i as usize) < inner.nc).count();
        let dims = Dims {
            nq: tree.nv(),
            nv: tree.nv(),
            nc,
            ng: rows.len() - nc,
            nx: inner.nx,
        };
        let places = places(&assembly, &bodies);
        let [mass, damping, stiffness] = squares(&assembly, &tree, &paths, &nodes, &places);
        let (wide, mut patterns) = wide(&assembly, &paths, &places, &rows);
        patterns[Part::Mass] = mass.pattern().to_vec();
        patterns[Part::Rv] = damping.pattern().to_vec();
        patterns[Part::Rq] = stiffness.pattern().to_vec();
        patterns[Part::Fx].clone_from(&assembly.patterns()[Part::Fx]);
        let mut angular = Vec::new();
        let (mut turning, mut rotations) = (Vec::new(), Vec::new());
        for body in 0..tree.bodies() {
            let joint = tree.joint(body);
            angular.extend((0..joint.dof()).map(|k| joint.is_angle(k)));
            if let Some(at) = joint.rotation_vector() {
                rotations.push((tree.dofs(body).start + at, tree.base(body).quaternion()));
                turning.push(body as u32);
            }
        }
        let length = assembly.length();
        let weight = |angular: &bool| {
            if *angular {
                1.0
            } else {
                1.0 / (length * length)
            }
        };
        let weights: Vec<f64> = angular.iter().map(weight).collect();
        let layout = Layout {
            inner,
            dims,
            reactions: Reactions::new(&topology, &bodies, &joints, &assembly.patterns()[Part::Cq]),
            guess: Guess {
                t: guess.t,
                q,
                v,
                weight_q: weights.clone(),
                weight_v: weights,
                x,
            },
            channels: assembly.channels().to_vec().into(),
            topology,
            bodies,
            joints,
            nodes,
            frames,
            turn,
            owners,
            paths,
            rows,
            patterns,
            wide,
            angular,
            length,
            turning,
        };
        let bend = Bend::new(&tree, &layout.paths, &stiffness);
        let chart = RotationVectors::new(rotations);
        Ok(JointCoordinates {
            kin: Kinematics::new(&tree),
            chart,
            bodies: vec![Body::default(); layout.bodies.len()],
            operators: Operators::new(&tree, &layout.paths),
            mass,
            damping,
            stiffness,
            bend,
            scratch: Scratch::new(&assembly, &layout, &tree),
            layout: Arc::new(layout),
            tree,
            assembly,
        })
    }

    /// The tree in words.
    pub fn outline(&self) -> Outline {
        Outline::new(&self.layout, &self.tree)
    }

    /// The tree, without inertia.
    pub(in crate::tree) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// A copy with scratch of its own.
    pub(in crate::tree) fn copy(&self) -> JointCoordinates {
        JointCoordinates {
            assembly: self.assembly.copy(),
            layout: self.layout.clone(),
            tree: self.tree.clone(),
            kin: self.kin.clone(),
            chart: self.chart.clone(),
            bodies: self.bodies.clone(),
            operators: self.operators.clone(),
            mass: self.mass.clone(),
            damping: self.damping.clone(),
            stiffness: self.stiffness.clone(),
            bend: self.bend.clone(),
            scratch: self.scratch.clone(),
        }
    }
}

/// Rows of the assembly that joints of the tree do not own, in their order.
fn kept_rows(topology: &Topology, joints: &[crate::assembly::Connection], inner: Dims) -> Vec<u32> {
    let mut kept = vec![true; inner.rows()];
    for (joint, in_tree) in joints.iter().zip(&topology.in_tree) {
        if *in_tree {
            kept[joint.rows.clone()].fill(false);
        }
    }
    (0..inner.rows() as u32)
        .filter(|i| kept[*i as usize])
        .collect()
}

/// Body and freedom of every coordinate of the assembly.
fn places(assembly: &Assembly, bodies: &[crate::assembly::Carried]) -> Vec<Place> {
    let mut places = Vec::with_capacity(assembly.dims().nv);
    for (body, carried) in bodies.iter().enumerate() {
        let freedoms = carried.freedoms.iter();
        places.extend(freedoms.map(|freedom| Place {
            body,
            freedom: *freedom,
        }));
    }
    places
}

/// `M`, `D` and `K`.
fn squares(
    assembly: &Assembly,
    tree: &Tree,
    paths: &Paths,
    nodes: &[Option<usize>],
    places: &[Place],
) -> [Square; 3] {
    let entries = |part: Part| -> Vec<Entry> {
        let list = assembly.patterns()[part].iter().enumerate();
        list.map(|(n, (i, j))| (n, places[*i as usize], places[*j as usize]))
            .collect()
    };
    let (mass, damping, stiffness) = (entries(Part::Mass), entries(Part::Rv), entries(Part::Rq));
    let factors: [Vec<Vec<Entry>>; 3] = [
        vec![mass.clone()],
        vec![damping.clone(), mass.clone()],
        vec![stiffness, damping, mass],
    ];
    factors.map(|factors| Square::new(tree, paths, nodes, &factors))
}

/// Blocks with one side along the tangent, and their patterns.
fn wide(
    assembly: &Assembly,
    paths: &Paths,
    places: &[Place],
    rows: &[u32],
) -> (Wide, BlockPatterns) {
    let inner = assembly.patterns();
    let here: Vec<Option<u32>> = {
        let mut here = vec![None; assembly.dims().rows()];
        for (n, row) in rows.iter().enumerate() {
            here[*row as usize] = Some(n as u32);
        }
        here
    };
    let of_row = |k: u32, row: u32| (row, k);
    let constraints = |part: Part, entries: &mut Entries| {
        let kept = (inner[part].iter().enumerate())
            .filter_map(|(n, (i, j))| Some((n, places[*j as usize], here[*i as usize]?)));
        Spread::new(paths, entries, kept, of_row)
    };
    let states = |part: Part, entries: &mut Entries| {
        let list = (inner[part].iter().enumerate()).map(|(n, (i, j))| (n, places[*j as usize], *i));
        Spread::new(paths, entries, list, of_row)
    };
    let [mut c_q, mut cv_q, mut r_x, mut f_q, mut f_v] = [(); 5].map(|()| Entries::default());
    let wide = Wide {
        c_q: constraints(Part::Cq, &mut c_q),
        cv_by_q: constraints(Part::CVq, &mut cv_q),
        cv_by_v: constraints(Part::Cq, &mut cv_q),
        r_x: {
            let list = (inner[Part::Rx].iter().enumerate())
                .map(|(n, (i, j))| (n, places[*i as usize], *j));
            Spread::new(paths, &mut r_x, list, |k, x| (k, x))
        },
        f_by_q: states(Part::Fq, &mut f_q),
        f_by_v: states(Part::Fv, &mut f_q),
        f_v: states(Part::Fv, &mut f_v),
    };
    let mut patterns = BlockPatterns::default();
    patterns[Part::Cq] = c_q.list;
    patterns[Part::CVq] = cv_q.list;
    patterns[Part::Rx] = r_x.list;
    patterns[Part::Fq] = f_q.list;
    patterns[Part::Fv] = f_v.list;
    (wide, patterns)
}
