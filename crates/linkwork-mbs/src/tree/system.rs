//! A tree of bodies as a system for integrators.
//!
//! ```text
//!  residual formalism   r = M a + c - tau,  by inverse dynamics; M, K, D stored by branches
//!  explicit formalism   r = a - M^-1 (tau - c),  by articulated bodies; M = 1, K and D as generators
//! ```
//!
//! Stored matrices of a chain of `N` bodies have `N^2` entries, so the explicit formalism is the one
//! for long chains: everything is then proportional to `N`, explicit methods included. Joints may
//! carry a spring, a damper and a constant force.

use super::generators::{JointRates, Point};
use super::{
    Aba, Branches, Crba, Derivatives, Generators, Kinematics, Mat3, Motion, Recursion, Rnea, Tree,
    TreeError, Unknowns, Vec3,
};
use crate::forward::sizes_of_angles_and_lengths;
use linkwork_dae::chart::Chart;
use linkwork_dae::linear::LinearSolver;
use linkwork_dae::memory::Memory;
use linkwork_dae::rotation::RotationVectors;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Channel, Dims, Energy, EvalError, Guess, Part, Parts, Row, System,
    Terms,
};

/// How equations of motion are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formalism {
    /// `M a + c - tau = 0`, mass matrix and derivatives stored.
    Residual,
    /// `a = M^-1 (tau - c)`, nothing stored that is not proportional to the number of bodies.
    Explicit,
}

/// Force in a joint coordinate: `drive - stiffness (q - rest) - damping v`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointLoad {
    /// Constant part.
    pub drive: f64,
    /// Spring rate.
    pub stiffness: f64,
    /// Coordinate at which the spring has no force.
    pub rest: f64,
    /// Damping rate.
    pub damping: f64,
}

impl JointLoad {
    fn force(&self, q: f64, v: f64) -> f64 {
        self.drive - self.stiffness * (q - self.rest) - self.damping * v
    }
}

/// See the [module](self).
#[derive(Clone)]
pub struct TreeSystem {
    tree: Tree,
    formalism: Formalism,
    loads: Vec<JointLoad>,
    guess: Guess,
    length: f64,
    patterns: BlockPatterns,
    channels: Vec<Channel>,
    body_of_dof: Vec<u32>,
    /// Which coordinates are angles.
    angular: Vec<bool>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    tau: Vec<f64>,
    accel: Vec<f64>,
    rnea: Rnea,
    aba: Aba,
    kin: Kinematics,
    generators: Generators,
    stored: Option<Stored>,
    chart: RotationVectors,
    /// Bodies whose joints have a rotation vector, in the order of the chart.
    turning: Vec<u32>,
    /// Coordinates of the bases.
    zero: Vec<f64>,
}

/// What the residual formalism keeps.
#[derive(Clone)]
struct Stored {
    branches: Branches,
    crba: Crba,
    derivatives: Derivatives,
    /// Generators.
    list: Vec<f64>,
}

impl TreeSystem {
    /// The system of a tree that starts at `(q, v)` under joint loads, one for each coordinate.
    /// Rotation vectors are about the base orientations of the tree. Springs of rotation vectors are
    /// refused: their torque would depend on the base.
    pub fn new(
        tree: Tree,
        formalism: Formalism,
        loads: Vec<JointLoad>,
        q: Vec<f64>,
        v: Vec<f64>,
    ) -> Result<TreeSystem, TreeError> {
        let (n, bodies) = (tree.nv(), tree.bodies());
        if [loads.len(), q.len(), v.len()] != [n; 3] {
            return Err(TreeError::Lengths { expected: n });
        }
        let mut rotations = Vec::new();
        let mut turning = Vec::new();
        for body in 0..bodies {
            let Some(at) = tree.joint(body).rotation_vector() else {
                continue;
            };
            let first = tree.dofs(body).start + at;
            if loads[first..first + 3].iter().any(|l| l.stiffness != 0.0) {
                return Err(TreeError::SpringOfRotation { body });
            }
            rotations.push((first, tree.base(body).quaternion()));
            turning.push(body as u32);
        }
        let length = (tree.nodes.iter())
            .map(|n| n.mount.p.norm())
            .fold(0.0f64, f64::max);
        let mut patterns = BlockPatterns::default();
        let generators = Generators::new(&tree);
        let stored = match formalism {
            Formalism::Residual => {
                let branches = Branches::new(&tree);
                for part in [Part::Mass, Part::Rq, Part::Rv] {
                    patterns[part] = branches.full_pattern();
                }
                Some(Stored {
                    crba: Crba::new(&tree, &branches),
                    derivatives: Derivatives::new(&tree, &branches),
                    list: vec![0.0; generators.length()],
                    branches,
                })
            }
            Formalism::Explicit => {
                patterns[Part::Mass] = (0..n as u32).map(|i| (i, i)).collect();
                patterns.generators = generators.length();
                None
            }
        };
        Ok(TreeSystem {
            formalism,
            guess: Guess {
                q,
                v,
                weight_q: vec![1.0; n],
                weight_v: vec![1.0; n],
                ..Guess::default()
            },
            length: if length > 0.0 { length } else { 1.0 },
            patterns,
            channels: channels(&tree),
            body_of_dof: tree.body_of_dof(),
            angular: (tree.nodes.iter())
                .flat_map(|n| (0..n.joint.dof()).map(|k| n.joint.is_angle(k)))
                .collect(),
            stiffness: loads.iter().map(|l| l.stiffness).collect(),
            damping: loads.iter().map(|l| l.damping).collect(),
            tau: vec![0.0; n],
            accel: vec![0.0; n],
            rnea: Rnea::new(&tree),
            aba: Aba::new(&tree),
            kin: Kinematics::new(&tree),
            generators,
            stored,
            chart: RotationVectors::new(rotations),
            turning,
            zero: vec![0.0; n],
            loads,
            tree,
        })
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Brings the bases of the chart into the tree.
    fn follow_chart(&mut self) {
        for (k, &body) in self.turning.iter().enumerate() {
            let base = self.chart.orientation(k, &self.zero);
            self.tree.set_base(body as usize, Mat3::of_quaternion(base));
        }
    }

    fn load_joints(&mut self, q: &[f64], v: &[f64]) {
        for (k, (tau, load)) in self.tau.iter_mut().zip(&self.loads).enumerate() {
            *tau = load.force(q[k], v[k]);
        }
    }

    /// Accelerations at `(q, v)` go to `accel`.
    fn accelerate(&mut self, q: &[f64], v: &[f64]) -> Result<(), EvalError> {
        self.load_joints(q, v);
        self.aba
            .run(&self.tree, q, v, &self.tau, &[], &mut self.accel)
            .map_err(|e| {
                let what = self.describe(Row::Velocity(e.column));
                if q.iter().chain(v).all(|x| x.is_finite()) {
                    let why = "nothing that moves with it has inertia".to_string();
                    EvalError::Domain { what, why }
                } else {
                    EvalError::NotFinite { what }
                }
            })
    }

    fn residual(&mut self, at: &At<'_>, r: &mut [f64]) {
        self.rnea.run(&self.tree, at.q, at.v, at.a, &[], r);
        self.load_joints(at.q, at.v);
        for (r, tau) in r.iter_mut().zip(&self.tau) {
            *r -= tau;
        }
    }

    fn joint_word(&self, k: usize) -> (u32, &'static str) {
        let body = self.body_of_dof[k];
        let first = self.tree.dofs(body as usize).start;
        (body, self.tree.joint(body as usize).word(k - first))
    }
}

fn channels(tree: &Tree) -> Vec<Channel> {
    let mut out = Vec::with_capacity(3 * tree.nv());
    for (order, rate) in ["", ".velocity", ".acceleration"].iter().enumerate() {
        for body in 0..tree.bodies() {
            let joint = tree.joint(body);
            for k in 0..joint.dof() {
                let word = joint.word(k).replace(' ', "_");
                let unit = if joint.is_angle(k) { "rad" } else { "m" };
                let unit = match order {
                    0 => unit.to_string(),
                    1 => format!("{unit}/s"),
                    _ => format!("{unit}/s^2"),
                };
                out.push(Channel::new(
                    format!("joint{}.{word}{rate}", body + 1),
                    unit,
                ));
            }
        }
    }
    out
}

impl System for TreeSystem {
    fn dims(&self) -> Dims {
        Dims {
            nq: self.tree.nv(),
            nv: self.tree.nv(),
            ..Dims::default()
        }
    }

    fn patterns(&self) -> &BlockPatterns {
        &self.patterns
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        self.follow_chart();
        let explicit = self.formalism == Formalism::Explicit;
        if explicit && (want.r.is_some() || want.force.is_some()) {
            self.accelerate(at.q, at.v)?;
        }
        if let Some(r) = want.r.as_deref_mut() {
            if explicit {
                for (r, (a, x)) in r.iter_mut().zip(at.a.iter().zip(&self.accel)) {
                    *r = a - x;
                }
            } else {
                self.residual(at, r);
            }
        }
        if let Some(force) = want.force.as_deref_mut() {
            if explicit {
                force.copy_from_slice(&self.accel);
            } else {
                self.accel.fill(0.0);
                self.rnea
                    .run(&self.tree, at.q, at.v, &self.accel, &[], force);
                self.load_joints(at.q, at.v);
                for (f, tau) in force.iter_mut().zip(&self.tau) {
                    *f = tau - *f;
                }
            }
        }
        if let Some(mass) = want.mass.as_deref_mut() {
            match &mut self.stored {
                None => mass.fill(1.0),
                Some(stored) => {
                    self.kin.place(&self.tree, at.q);
                    stored.mass(&self.tree, &self.kin, mass);
                }
            }
        }
        Ok(())
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.eval(at, want)?;
        let derivatives = parts.has(Part::Rq) || parts.has(Part::Rv);
        if !derivatives && !parts.has(Part::Mass) {
            return Ok(());
        }
        let explicit = self.formalism == Formalism::Explicit;
        if explicit && parts.has(Part::Mass) {
            out[Part::Mass].fill(1.0);
        }
        if explicit && !derivatives {
            return Ok(());
        }
        if derivatives {
            // a - M^-1 (tau - c) varies with q as M a + c - tau does at the acceleration of the forces
            if !explicit {
                self.accel.copy_from_slice(at.a);
            } else if want.r.is_none() && want.force.is_none() {
                self.accelerate(at.q, at.v)?;
            }
        }
        let point = Point {
            q: at.q,
            v: at.v,
            a: &self.accel,
            external: &[],
        };
        let (tree, kin, generators) = (&self.tree, &mut self.kin, &mut self.generators);
        let Some(stored) = &mut self.stored else {
            let rates = JointRates {
                stiffness: &self.stiffness,
                damping: &self.damping,
            };
            generators.run(tree, kin, &point, rates, out.generators_mut());
            return Ok(());
        };
        if derivatives {
            let list = &mut stored.list;
            generators.run(tree, kin, &point, JointRates::default(), list);
            let branches = &stored.branches;
            stored
                .derivatives
                .run(tree, branches, kin, generators, list);
            stored.spread(&self.stiffness, &self.damping, parts, out);
        } else {
            kin.place(tree, at.q);
        }
        if parts.has(Part::Mass) {
            stored.mass(tree, kin, &mut out[Part::Mass]);
        }
        Ok(())
    }

    fn solver(&self, unknowns: usize) -> Option<Box<dyn LinearSolver>> {
        let n = self.tree.nv();
        let unknowns = match unknowns {
            _ if self.formalism == Formalism::Residual => return None,
            u if u == n => Unknowns::Positions,
            u if u == 2 * n => Unknowns::Both,
            _ => return None,
        };
        Some(Box::new(Recursion::new(&self.tree, unknowns, true)))
    }

    fn guess(&self) -> Guess {
        self.guess.clone()
    }

    sizes_of_angles_and_lengths!(angular; length);

    fn chart(&self) -> Option<&dyn Chart> {
        (!self.chart.is_empty()).then_some(&self.chart)
    }

    fn chart_mut(&mut self) -> Option<&mut dyn Chart> {
        (!self.chart.is_empty()).then_some(&mut self.chart)
    }

    fn reset(&mut self) {
        self.chart.reset();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.chart.memory(m);
    }

    fn channels(&self) -> &[Channel] {
        &self.channels
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        let n = self.tree.nv();
        out[..n].copy_from_slice(&s.q);
        out[n..2 * n].copy_from_slice(&s.v);
        out[2 * n..].copy_from_slice(&s.a);
    }

    fn energy(&mut self, s: &State) -> Option<Energy> {
        self.follow_chart();
        self.kin.place(&self.tree, &s.q);
        self.kin.move_along(&self.tree, &s.v, &[], Vec3::ZERO);
        let mut e = Energy::default();
        for (i, node) in self.tree.nodes.iter().enumerate() {
            let pose = &self.kin.pose[i];
            let v: Motion = self.kin.v[i];
            let inertia = node.inertia.turned(&pose.r);
            e.kinetic += 0.5 * v.dot(inertia.apply(v));
            let moment = pose.p * inertia.m + inertia.h;
            e.potential -= self.tree.gravity().dot(moment);
        }
        for (load, (q, v)) in self.loads.iter().zip(s.q.iter().zip(&s.v)) {
            let stretch = q - load.rest;
            e.potential += 0.5 * load.stiffness * stretch * stretch;
            e.power += (load.drive - load.damping * v) * v;
        }
        Some(e)
    }

    fn describe(&self, row: Row) -> String {
        match row {
            Row::Position(k) | Row::Velocity(k) if k < self.tree.nv() => {
                let (body, word) = self.joint_word(k);
                format!("joint {}, {word}", body + 1)
            }
            _ => "nothing".to_string(),
        }
    }

    fn owner(&self, row: Row) -> String {
        match row {
            Row::Position(k) | Row::Velocity(k) if k < self.tree.nv() => {
                format!("joint {}", self.joint_word(k).0 + 1)
            }
            _ => "tree".to_string(),
        }
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl Stored {
    fn mass(&mut self, tree: &Tree, kin: &Kinematics, out: &mut [f64]) {
        self.crba.run(tree, &self.branches, kin);
        self.branches.spread(&self.crba.mass, &self.crba.mass, out);
    }

    fn spread(&mut self, stiffness: &[f64], damping: &[f64], parts: Parts, out: &mut Blocks) {
        let Stored {
            branches,
            derivatives: d,
            ..
        } = self;
        for k in 0..branches.len() {
            let diagonal = branches.row(k).end - 1;
            d.q_lower[diagonal] += stiffness[k];
            d.v_lower[diagonal] += damping[k];
        }
        if parts.has(Part::Rq) {
            branches.spread(&d.q_lower, &d.q_upper, &mut out[Part::Rq]);
        }
        if parts.has(Part::Rv) {
            branches.spread(&d.v_lower, &d.v_upper, &mut out[Part::Rv]);
        }
    }
}
