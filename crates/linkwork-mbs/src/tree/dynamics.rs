//! The dynamics of a model in its joint coordinates, call by call.
//!
//! ```text
//!  inverse dynamics    tau = M a + c(q, v) - J' f          the joint forces that make a motion
//!  forward dynamics    a = M^-1 (tau - c + J' f)           the motion that joint forces make
//!  mass matrix         M(q)
//!  derivatives         of both by q, v and by a or tau, along the tangent
//!  kinematics          frames of bodies, their Jacobians
//! ```
//!
//! `f` are the forces of the model's elements, or none ([`Dynamics::of_bodies`]). The recursions are those
//! that runs in joint coordinates use. Bad at: loops. Joint forces of a mechanism that is closed are not
//! determined by its motion, and it is refused.

mod flexible;

use super::derivatives::Point;
use super::joint_coordinates::{Form, JointCoordinates};
use super::{
    Aba, Branches, Crba, Derivatives, ForwardDerivatives, Frame, Kinematics, Placement, Rnea, Tree,
    Vec3,
};
use crate::error::ModelError;
use crate::model::Model;
use linkwork_dae::dense::Matrix;
use linkwork_dae::system::{At, Blocks, EvalError, Part, Parts, Row, System, Terms};

/// Why a call has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DynamicsError {
    /// The model has no joint coordinates.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Equations remain beside the joint coordinates.
    #[error(
        "{equations} equations remain beside the joint coordinates, those of {}: its motion does not \
         determine joint forces", joints.join(", ")
    )]
    Closed {
        /// The joints that close loops or prescribe motions, with back-ticks.
        joints: Vec<String>,
        /// Their equations.
        equations: usize,
    },
    /// A list of another length than there are coordinates.
    #[error("{what}: {given} numbers for {expected} coordinates")]
    Length {
        /// Which list.
        what: &'static str,
        /// Number of coordinates.
        expected: usize,
        /// Its length.
        given: usize,
    },
    /// Nothing that moves with a coordinate has inertia.
    #[error("{coordinate}: nothing that moves with it has inertia")]
    NoInertia {
        /// The coordinate in words.
        coordinate: String,
    },
    /// No body has this name.
    #[error("there is no body `{0}`")]
    NoBody(String),
    /// An element has no value at this point.
    #[error(transparent)]
    Eval(#[from] EvalError),
}

/// Derivatives of inverse or forward dynamics. On coordinates of a rotation vector they are along the
/// tangent: by a turn about the axes of the child.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partials {
    /// By positions.
    pub by_q: Matrix,
    /// By velocities.
    pub by_v: Matrix,
    /// By what went in beside them: accelerations (the mass matrix) or joint forces (its inverse).
    pub by_input: Matrix,
}

impl Partials {
    /// Room for `n` coordinates.
    pub fn new(n: usize) -> Partials {
        let zero = || Matrix::zero(n, n);
        Partials {
            by_q: zero(),
            by_v: zero(),
            by_input: zero(),
        }
    }
}

/// A frame in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePose {
    /// The centre of mass of the body.
    pub position: [f64; 3],
    /// Axes of the body as the columns of a matrix, given by rows.
    pub rotation: [[f64; 3]; 3],
}

impl From<Placement> for FramePose {
    fn from(place: Placement) -> FramePose {
        let rows = place.r.transposed();
        FramePose {
            position: place.p.array(),
            rotation: [rows.x.array(), rows.y.array(), rows.z.array()],
        }
    }
}

/// See the [module](self).
#[derive(Debug)]
pub struct Dynamics {
    system: JointCoordinates,
    /// Whether there are flexible bodies.
    flexible: bool,
    /// Whether forces of elements take part.
    with_elements: bool,
    /// The time that functions of time are taken at.
    pub t: f64,
    /// States of the controls.
    pub states: Vec<f64>,
    start: [Vec<f64>; 2],
    branches: Branches,
    rnea: Rnea,
    aba: Aba,
    kin: Kinematics,
    crba: Crba,
    derivatives: Derivatives,
    forward: ForwardDerivatives,
    rest: Vec<f64>,
    rates: Vec<f64>,
    blocks: Blocks,
}

impl Dynamics {
    /// Everything that a model has: inertia, weight, forces, controls.
    pub fn new(model: &Model) -> Result<Dynamics, DynamicsError> {
        Dynamics::build(model, true)
    }

    /// Inertia and weight of the bodies alone, whatever forces a model has.
    pub fn of_bodies(model: &Model) -> Result<Dynamics, DynamicsError> {
        Dynamics::build(model, false)
    }

    fn build(model: &Model, all: bool) -> Result<Dynamics, DynamicsError> {
        let bends = |b: &crate::Body| matches!(b.shape, crate::body::Shape::Modal(_));
        let flexible = model.bodies.iter().any(bends);
        let mut bare;
        let mut model = model;
        if flexible && !all {
            bare = model.clone();
            bare.forces.clear();
            bare.controls.clear();
            bare.events.clear();
            model = &bare;
        }
        let system = JointCoordinates::in_form(model, &[], Form::Stored)?;
        let outline = system.outline();
        if outline.constraints > 0 {
            let word = |(name, _, _): &(String, String, usize)| format!("`{name}`");
            return Err(DynamicsError::Closed {
                joints: outline.cut.iter().map(word).collect(),
                equations: outline.constraints,
            });
        }
        let guess = system.facts().guess.clone();
        let tree = system.tree();
        let branches = Branches::new(tree);
        let n = system.facts().dims.nv;
        Ok(Dynamics {
            flexible,
            with_elements: flexible || (all && system.has_elements()),
            t: guess.t,
            start: [guess.q, guess.v],
            rates: vec![0.0; guess.x.len()],
            states: guess.x,
            rnea: Rnea::new(tree),
            aba: Aba::new(tree),
            kin: Kinematics::new(tree),
            crba: Crba::new(tree, &branches),
            derivatives: Derivatives::new(tree, &branches),
            forward: ForwardDerivatives::new(tree),
            rest: vec![0.0; n],
            blocks: Blocks::new(&system.facts().patterns),
            branches,
            system,
        })
    }

    /// Number of coordinates, of speeds and of joint forces.
    pub fn coordinates(&self) -> usize {
        self.rest.len()
    }

    /// A coordinate in words: "joint `elbow`, angle".
    pub fn describe(&self, coordinate: usize) -> String {
        self.system
            .facts()
            .names
            .describe(Row::Position(coordinate))
    }

    /// Coordinates and speeds that the model starts with.
    pub fn start(&self) -> (&[f64], &[f64]) {
        let [q, v] = &self.start;
        (q, v)
    }

    /// The tree of bodies.
    pub fn tree(&self) -> &Tree {
        self.system.tree()
    }

    /// Positions, velocities and two further lists with their names.
    fn check_all(
        &self,
        [q, v]: [&[f64]; 2],
        further: [(&'static str, &[f64]); 2],
    ) -> Result<(), DynamicsError> {
        let [x, y] = further.map(|(what, list)| (what, list.len()));
        self.check(&[("positions", q.len()), ("velocities", v.len()), x, y])
    }

    fn check(&self, lists: &[(&'static str, usize)]) -> Result<(), DynamicsError> {
        let expected = self.rest.len();
        match lists.iter().find(|(_, given)| *given != expected) {
            None => Ok(()),
            Some(&(what, given)) => Err(DynamicsError::Length {
                what,
                expected,
                given,
            }),
        }
    }

    fn without_inertia(&self, coordinate: usize) -> DynamicsError {
        DynamicsError::NoInertia {
            coordinate: self.describe(coordinate),
        }
    }

    /// The joint forces that make a motion, beside what elements do.
    pub fn inverse_dynamics(
        &mut self,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        tau: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.check_all([q, v], [("accelerations", a), ("joint forces", tau)])?;
        if !self.with_elements {
            self.rnea.run(self.system.tree(), q, v, a, &[], tau);
            return Ok(());
        }
        let at = point(self.t, (q, v, a), &self.states);
        let mut want = Terms {
            r: Some(tau),
            ..Terms::default()
        };
        Ok(self.system.eval(&at, &mut want)?)
    }

    /// The accelerations that joint forces make, together with elements.
    pub fn forward_dynamics(
        &mut self,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        a: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.check_all([q, v], [("joint forces", tau), ("accelerations", a)])?;
        if self.flexible {
            return self.full_forward((q, v, tau), a).map(drop);
        }
        let done = if self.with_elements {
            let at = point(self.t, (q, v, &[]), &self.states);
            (self.system).articulate(&at, v, (tau, a), &mut self.rates)?
        } else {
            self.aba.run(self.system.tree(), q, v, tau, &[], a)
        };
        done.map_err(|e| self.without_inertia(e.column))
    }

    /// The mass matrix.
    pub fn mass_matrix(&mut self, q: &[f64], out: &mut Matrix) -> Result<(), DynamicsError> {
        self.check(&[
            ("positions", q.len()),
            ("rows", out.rows()),
            ("columns", out.columns()),
        ])?;
        self.place_mass(q, out)
    }

    fn place_mass(&mut self, q: &[f64], out: &mut Matrix) -> Result<(), DynamicsError> {
        if self.flexible {
            return self.full_mass(q, out);
        }
        let tree = self.system.tree();
        self.kin.place(tree, q);
        self.crba.run(tree, &self.branches, &self.kin);
        fill(&self.branches, [&self.crba.mass; 2], out);
        Ok(())
    }

    /// Derivatives of inverse dynamics; [`Partials::by_input`] is the mass matrix.
    pub fn inverse_derivatives(
        &mut self,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        out: &mut Partials,
    ) -> Result<(), DynamicsError> {
        self.check(&[
            ("positions", q.len()),
            ("velocities", v.len()),
            ("accelerations", a.len()),
        ])?;
        self.fit(out)?;
        if self.with_elements {
            self.linearise(q, v, a)?;
            for (part, to) in [(Part::Rq, &mut out.by_q), (Part::Rv, &mut out.by_v)] {
                spread(&self.system.facts().patterns[part], &self.blocks[part], to);
            }
        } else {
            let external = &[][..];
            let point = Point { q, v, a, external };
            let tree = self.system.tree();
            let d = &mut self.derivatives;
            d.run(tree, &self.branches, &mut self.kin, &point);
            fill(&self.branches, [&d.q_lower, &d.q_upper], &mut out.by_q);
            fill(&self.branches, [&d.v_lower, &d.v_upper], &mut out.by_v);
        }
        self.place_mass(q, &mut out.by_input)
    }

    /// Accelerations and the derivatives of forward dynamics; [`Partials::by_input`] is the inverse of
    /// the mass matrix.
    pub fn forward_derivatives(
        &mut self,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        a: &mut [f64],
        out: &mut Partials,
    ) -> Result<(), DynamicsError> {
        self.fit(out)?;
        self.check_all([q, v], [("joint forces", tau), ("accelerations", a)])?;
        if self.flexible {
            return self.full_derivatives((q, v, tau), a, out);
        }
        if self.with_elements {
            self.forward_dynamics(q, v, tau, a)?;
            self.linearise(q, v, a)?;
            let (patterns, blocks) = (&self.system.facts().patterns, &self.blocks);
            let [by_q, by_v] = [Part::Rq, Part::Rv].map(|p| (&patterns[p][..], &blocks[p]));
            (self.forward).divide(self.system.tree(), self.system.articulated(), [by_q, by_v]);
        } else {
            let done = (self.forward).run(self.system.tree(), q, v, tau, &[], a);
            done.map_err(|e| self.without_inertia(e.column))?;
        }
        for i in 0..self.rest.len() {
            let from = [
                self.forward.by_positions(i),
                self.forward.by_velocities(i),
                self.forward.by_forces(i),
            ];
            let to = [&mut out.by_q, &mut out.by_v, &mut out.by_input];
            for (from, to) in from.into_iter().zip(to) {
                for (j, x) in from.iter().enumerate() {
                    to[(i, j)] = *x;
                }
            }
        }
        Ok(())
    }

    fn fit(&self, out: &Partials) -> Result<(), DynamicsError> {
        let Partials {
            by_q,
            by_v,
            by_input,
        } = out;
        [by_q, by_v, by_input].into_iter().try_for_each(|m| {
            self.check(&[
                ("rows of derivatives", m.rows()),
                ("columns of derivatives", m.columns()),
            ])
        })
    }

    /// `K` and `D` of everything.
    fn linearise(&mut self, q: &[f64], v: &[f64], a: &[f64]) -> Result<(), EvalError> {
        let at = point(self.t, (q, v, a), &self.states);
        let parts = Parts::from(Part::Rq) | Part::Rv;
        let none = &mut Terms::default();
        self.system.linearise(&at, none, parts, &mut self.blocks)
    }

    /// The number of a body in [`Dynamics::frame`] and [`Dynamics::jacobian`].
    pub fn body(&self, name: &str) -> Result<usize, DynamicsError> {
        let found = self.system.body_names().position(|n| n == name);
        found.ok_or_else(|| DynamicsError::NoBody(name.to_string()))
    }

    fn frame_of(&self, body: usize) -> Result<Frame, DynamicsError> {
        let frame = self.system.frame_of_body(body);
        frame.ok_or_else(|| DynamicsError::NoBody(format!("number {body}")))
    }

    /// Where a body is.
    pub fn frame(&mut self, q: &[f64], body: usize) -> Result<FramePose, DynamicsError> {
        self.check(&[("positions", q.len())])?;
        let frame = self.frame_of(body)?;
        if self.flexible {
            return Ok(self.system.placed(q, body).into());
        }
        self.kin.place(self.system.tree(), q);
        Ok(self.kin.frame(&frame).into())
    }

    /// Velocity of the centre of mass of a body (three rows) and its angular velocity (three rows), both
    /// in world axes, by the speeds.
    pub fn jacobian(
        &mut self,
        q: &[f64],
        body: usize,
        out: &mut Matrix,
    ) -> Result<(), DynamicsError> {
        self.check(&[("positions", q.len()), ("columns", out.columns())])?;
        if out.rows() != 6 {
            return Err(DynamicsError::Length {
                what: "rows, which are six",
                expected: 6,
                given: out.rows(),
            });
        }
        let frame = self.frame_of(body)?;
        if self.flexible {
            self.full_jacobian(q, body, out);
            return Ok(());
        }
        let tree = self.system.tree();
        self.kin.place(tree, q);
        let p = self.kin.frame(&frame).p;
        for i in 0..6 {
            for k in 0..self.rest.len() {
                out[(i, k)] = 0.0;
            }
        }
        let mut next = frame.body();
        while let Some(node) = next {
            for k in tree.dofs(node) {
                let s = self.kin.column[k].shifted(p - self.kin.pose[node].p);
                for (i, x) in parts_of(s.v, s.w).into_iter().enumerate() {
                    out[(i, k)] = x;
                }
            }
            next = tree.parent(node);
        }
        Ok(())
    }
}

fn parts_of(v: Vec3, w: Vec3) -> [f64; 6] {
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

fn point<'a>(t: f64, (q, v, a): (&'a [f64], &'a [f64], &'a [f64]), x: &'a [f64]) -> At<'a> {
    At {
        t,
        q,
        v,
        a,
        lambda: &[],
        x,
    }
}

/// A full matrix from entries of the branches.
fn fill(branches: &Branches, [lower, upper]: [&[f64]; 2], out: &mut Matrix) {
    clear(out);
    for i in 0..branches.len() {
        for (j, at) in branches.path(i).zip(branches.row(i).rev()) {
            out[(j, i)] = upper[at];
            // last, because the diagonal is that of the lower list
            out[(i, j)] = lower[at];
        }
    }
}

fn spread(pattern: &[(u32, u32)], values: &[f64], out: &mut Matrix) {
    clear(out);
    for (&(i, j), x) in pattern.iter().zip(values) {
        out[(i as usize, j as usize)] = *x;
    }
}

fn clear(out: &mut Matrix) {
    for i in 0..out.rows() {
        for j in 0..out.columns() {
            out[(i, j)] = 0.0;
        }
    }
}
