//! The tree of a mechanism with all its frames, and the coordinates of a pose.

use super::{Owner, perch};
use crate::assembly::{Carried, Connection, Freedom};
use crate::error::ModelError;
use crate::geometry;
use crate::tree::topology::{Hinge, Pair, Support, Topology};
use crate::tree::{Frame, Inertia, Kinematics, Mat3, Mobility, Placement, Tree, Twist, Vec3};
use std::f64::consts::TAU;

/// A tree and where its bodies are.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub tree: Tree,
    /// Centre of mass and axes of each body of the model.
    pub frames: Vec<Frame>,
    /// Angle of each planar body where all coordinates are zero.
    pub turn: Vec<f64>,
    /// What each body of the tree is called after.
    pub owners: Vec<Owner>,
    /// The body of the tree that each perch is.
    pub perches: Vec<Option<usize>>,
    /// Start values.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

fn vec3(x: [f64; 3]) -> Vec3 {
    x.into()
}

/// A pose as a placement.
fn placement(pose: &geometry::Pose) -> Placement {
    let [a, b, c] = pose.rotation;
    let column = |i: usize| Vec3::new(a[i], b[i], c[i]);
    Placement {
        r: Mat3 {
            x: column(0),
            y: column(1),
            z: column(2),
        },
        p: vec3(pose.position),
    }
}

/// A mechanism at its start.
pub(super) struct Start<'a> {
    pub bodies: &'a [Carried],
    pub joints: &'a [Connection],
    /// Of the bodies, then of perches.
    pub frames: &'a [geometry::Frame],
    pub perches: &'a [perch::FlexibleSite],
    /// Inertia of each body about its centre of mass, in its axes.
    pub inertia: &'a [Inertia],
    pub gravity: Vec3,
}

/// Joint frames on the parent and on the child, and the angle between the two bodies at zero.
fn sides(hinge: &Hinge, reversed: bool) -> ([Placement; 2], f64) {
    let [a, b] = hinge.frames;
    if reversed {
        ([b, a], -hinge.turn)
    } else {
        ([a, b], hinge.turn)
    }
}

/// Whole turns, rad, by which a screw is ahead of an angle where it has advanced this far.
fn turns_of(pitch: f64, advance: f64, angle: f64) -> f64 {
    let turns = ((advance / pitch - angle) / TAU).round();
    if turns.is_finite() { turns * TAU } else { 0.0 }
}

/// Half a turn about the first axis.
fn about_x(r: &Mat3) -> Mat3 {
    Mat3 {
        x: r.x,
        y: -r.y,
        z: -r.z,
    }
}

/// Half a turn about the third axis.
fn about_z(r: &Mat3) -> Mat3 {
    Mat3 {
        x: -r.x,
        y: -r.y,
        z: r.z,
    }
}

impl Start<'_> {
    fn place(&self, frame: usize) -> Placement {
        match frame.checked_sub(1) {
            Some(body) => placement(&self.frames[body].pose),
            None => Placement::IDENTITY,
        }
    }

    /// Angular velocity, and velocity of the point that is at `p`.
    fn velocity(&self, frame: usize, p: Vec3) -> Twist {
        let Some(body) = frame.checked_sub(1) else {
            return Twist::ZERO;
        };
        let f = &self.frames[body];
        let place = self.place(frame);
        let w = place.r.apply(vec3(f.omega));
        Twist::new(w, vec3(f.velocity)).shifted(p - place.p)
    }

    fn angle(&self, frame: usize) -> f64 {
        frame
            .checked_sub(1)
            .map_or(0.0, |b| self.frames[b].pose.angle)
    }

    /// The frame on the child as the pose has it: axes may be opposite, normals may be, too, where the
    /// equations of the joint allow both.
    fn closed(
        &self,
        hinge: &Hinge,
        parent: usize,
        child: usize,
        on: [Placement; 2],
    ) -> [Placement; 2] {
        let pair = hinge.pair;
        let [on_parent, mut on_child] = on;
        if let Pair::Moves(Mobility::Universal) = pair {
            // the axis of the child is its first one
            let Mat3 { x, y, z } = on_child.r;
            on_child.r = Mat3 { x: z, y: x, z: y };
            return [on_parent, on_child];
        }
        let turns_freely = matches!(
            pair,
            Pair::Moves(Mobility::Spherical | Mobility::BallOnLine | Mobility::BallOnPlane)
        );
        if hinge.flat || turns_freely {
            return [on_parent, on_child];
        }
        let outer = self.place(parent).r.times(&on_parent.r);
        let body = self.place(child).r;
        if outer.z.dot(body.apply(on_child.r.z)) < 0.0 {
            on_child.r = about_x(&on_child.r);
        }
        let turns = !matches!(pair, Pair::Weld | Pair::Moves(Mobility::Prismatic));
        if !turns && outer.x.dot(body.apply(on_child.r.x)) < 0.0 {
            on_child.r = about_z(&on_child.r);
        }
        [on_parent, on_child]
    }

    pub fn build(&self, topology: &Topology) -> Result<Built, ModelError> {
        let count = self.frames.len();
        let mut built = Built {
            tree: Tree::new(self.gravity),
            frames: vec![Frame::GROUND; count],
            turn: vec![0.0; count],
            owners: Vec::new(),
            perches: vec![None; self.perches.len()],
            q: Vec::new(),
            v: Vec::new(),
        };
        for &(body, carrier) in &topology.order {
            match carrier {
                Support::Joint {
                    joint,
                    parent,
                    reversed,
                } => {
                    let [on, by] = perch::of(self.perches, self.joints, body, carrier);
                    let parent = self.frame_of(&mut built, on, parent)?;
                    let mover = by.map_or(body, |k| self.bodies.len() + k);
                    self.carry(&mut built, mover, joint, parent, reversed)?;
                    if let Some(k) = by {
                        self.hang(&mut built, k)?;
                    }
                }
                Support::Float => self.float(&mut built, body)?,
            }
        }
        self.read_velocities(topology, &mut built);
        Ok(built)
    }

    /// The frame that carries a body, where the parent is given: its own, or a perch on it.
    fn frame_of(
        &self,
        built: &mut Built,
        perch: Option<usize>,
        parent: usize,
    ) -> Result<usize, ModelError> {
        let Some(k) = perch else {
            return Ok(parent);
        };
        let frame = self.bodies.len() + k;
        if built.perches[k].is_none() {
            let body = self.perches[k].body;
            self.bend(built, k, [body, frame], &Inertia::ZERO)?;
        }
        Ok(frame + 1)
    }

    /// A flexible body on the perch that carries it.
    fn hang(&self, built: &mut Built, k: usize) -> Result<(), ModelError> {
        let (body, frame) = (self.perches[k].body, self.bodies.len() + k);
        self.bend(built, k, [frame, body], &self.inertia[body])
    }

    /// Of a perch and its body the one that amplitudes move against the other.
    fn bend(
        &self,
        built: &mut Built,
        k: usize,
        [from, to]: [usize; 2],
        inertia: &Inertia,
    ) -> Result<(), ModelError> {
        let place = self.place(from + 1).inverse().then(&self.place(to + 1));
        let (one, outer) = (Placement::IDENTITY, built.frames[from]);
        let added = (built.tree).add(&outer, Mobility::Perch, &place, &one, inertia);
        let body = self.perches[k].body;
        let added = added.map_err(|e| {
            let name = &self.bodies[body].name;
            ModelError::new(format!("body `{name}` cannot be part of a tree: {e}"))
        })?;
        built.owners.push(Owner::Perch(body));
        built.perches[k] = added.body();
        built.frames[to] = added;
        built.turn[to] = built.turn[from];
        Ok(())
    }

    fn carry(
        &self,
        built: &mut Built,
        body: usize,
        joint: usize,
        parent: usize,
        reversed: bool,
    ) -> Result<(), ModelError> {
        let connection = &self.joints[joint];
        let refused = |e: &dyn std::fmt::Display| {
            ModelError::new(format!(
                "joint `{}` cannot carry a body: {e}",
                connection.name
            ))
        };
        let Some(hinge) = &connection.hinge else {
            return Err(refused(&"it has no motion of its own"));
        };
        let (on, turn) = sides(hinge, reversed);
        let [on_parent, on_child] = self.closed(hinge, parent, body + 1, on);
        let (outer, offset) = match parent.checked_sub(1) {
            Some(p) => (built.frames[p], built.turn[p]),
            None => (Frame::GROUND, 0.0),
        };
        built.turn[body] = offset + turn;
        // a perch has none
        let inertia = *self.inertia.get(body).unwrap_or(&Inertia::ZERO);
        let frame = match hinge.pair {
            Pair::Weld => {
                let at = on_parent.then(&on_child.inverse());
                (built.tree).weld(&outer, &at, &inertia)
            }
            Pair::Moves(kind) => {
                let added = (built.tree)
                    .add(&outer, kind, &on_parent, &on_child, &inertia)
                    .map_err(|e| refused(&e))?;
                let mount = self.place(parent).then(&on_parent);
                let child = self.place(body + 1).then(&on_child);
                let angle = hinge
                    .flat
                    .then(|| self.angle(body + 1) - self.angle(parent) - turn);
                built.owners.push(Owner::Mobility(joint));
                built.read(kind, &mount.inverse().then(&child), angle);
                Ok(added)
            }
        };
        built.frames[body] = frame.map_err(|e| refused(&e))?;
        Ok(())
    }

    fn float(&self, built: &mut Built, body: usize) -> Result<(), ModelError> {
        let refused = |e: crate::tree::TreeError| {
            let name = &self.bodies[body].name;
            ModelError::new(format!("body `{name}` cannot float: {e}"))
        };
        let place = self.place(body + 1);
        let one = Placement::IDENTITY;
        let inertia = &self.inertia[body];
        let add = |built: &mut Built, outer: &Frame, joint, on: [&Placement; 2], inertia| {
            built.owners.push(Owner::Body(body));
            (built.tree).add(outer, joint, on[0], on[1], inertia)
        };
        let ground = Frame::GROUND;
        let frame = match self.bodies[body].freedom {
            Freedom::Space(_) => {
                let added =
                    add(built, &ground, Mobility::Free, [&one, &one], inertia).map_err(refused)?;
                built.read(Mobility::Free, &place, None);
                added
            }
            Freedom::Plane => {
                let level = Placement::at(Vec3::new(0.0, 0.0, place.p.z));
                let added = add(built, &ground, Mobility::Planar, [&level, &one], inertia)
                    .map_err(refused)?;
                built.read(Mobility::Planar, &place, Some(self.angle(body + 1)));
                added
            }
            Freedom::Point => {
                let added = add(built, &ground, Mobility::Translation, [&one, &one], inertia)
                    .map_err(refused)?;
                built.read(Mobility::Translation, &place, None);
                added
            }
            Freedom::Target => {
                let x = Placement::along(Mat3::IDENTITY.x, Vec3::ZERO);
                let added = add(built, &ground, Mobility::Prismatic, [&x, &x], inertia);
                built.q.push(place.p.x);
                added.map_err(refused)?
            }
            Freedom::PointInPlane => {
                // no joint has two displacements: one after the other
                let [x, y] = [Mat3::IDENTITY.x, Mat3::IDENTITY.y]
                    .map(|axis| Placement::along(axis, Vec3::ZERO));
                let level = Placement {
                    p: Vec3::new(0.0, 0.0, place.p.z),
                    ..x
                };
                let between = add(
                    built,
                    &ground,
                    Mobility::Prismatic,
                    [&level, &x],
                    &Inertia::ZERO,
                );
                let between = between.map_err(refused)?;
                let added = add(built, &between, Mobility::Prismatic, [&y, &y], inertia);
                built.q.extend([place.p.x, place.p.y]);
                added.map_err(refused)?
            }
        };
        built.frames[body] = frame;
        Ok(())
    }

    /// Speeds: each relative motion along the columns of its joint, which are at right angles.
    fn read_velocities(&self, topology: &Topology, built: &mut Built) {
        let mut kin = Kinematics::new(&built.tree);
        kin.place(&built.tree, &built.q);
        built.v = vec![0.0; built.tree.nv()];
        for &(body, carrier) in &topology.order {
            let [on, by] = perch::of(self.perches, self.joints, body, carrier);
            let mover = by.map_or(body, |k| self.bodies.len() + k);
            let Some(node) = built.frames[mover].body() else {
                continue;
            };
            let parent = match carrier {
                Support::Joint { parent, joint, .. } => {
                    let weld = (self.joints[joint].hinge).is_none_or(|h| h.pair == Pair::Weld);
                    if weld {
                        continue;
                    }
                    on.map_or(parent, |k| self.bodies.len() + k + 1)
                }
                Support::Float => 0,
            };
            let p = kin.pose[node].p;
            let relative = self.velocity(mover + 1, p) - self.velocity(parent, p);
            let mut nodes = vec![node];
            if self.bodies[body].freedom == Freedom::PointInPlane && carrier == Support::Float {
                nodes.push(node - 1);
            }
            for k in nodes.into_iter().flat_map(|n| built.tree.dofs(n)) {
                let s = kin.column[k];
                let along = s.w.dot(relative.w) + s.v.dot(relative.v);
                built.v[k] = along / (s.w.dot(s.w) + s.v.dot(s.v));
            }
        }
    }
}

impl Built {
    /// Coordinates of the joint just added, from the child's joint frame as the parent's sees it. The
    /// angle is given where it may be more than a turn.
    fn read(&mut self, joint: Mobility, at: &Placement, angle: Option<f64>) {
        let Mat3 { x, y, z } = at.r;
        let angle = angle.unwrap_or_else(|| x.y.atan2(x.x));
        let body = self.owners.len() - 1;
        let p = at.p;
        match joint {
            Mobility::Perch => {}
            Mobility::Revolute => self.q.push(angle),
            Mobility::Screw { pitch } => self.q.push(angle + turns_of(pitch, p.z, angle)),
            Mobility::Slot => self.q.extend([p.x, angle]),
            Mobility::Prismatic => self.q.push(p.z),
            Mobility::Cylindrical => self.q.extend([angle, p.z]),
            Mobility::Universal => self.q.extend([angle, y.z.atan2(z.z)]),
            Mobility::Planar => self.q.extend([p.x, p.y, angle]),
            Mobility::Translation => self.q.extend(p.array()),
            Mobility::Spherical | Mobility::Free | Mobility::BallOnLine | Mobility::BallOnPlane => {
                match joint {
                    Mobility::Free => self.q.extend(p.array()),
                    Mobility::BallOnPlane => self.q.extend([p.x, p.y]),
                    Mobility::BallOnLine => self.q.push(p.z),
                    _ => {}
                }
                self.q.extend([0.0; 3]);
                self.tree.set_base(body, at.r);
            }
        }
    }
}
