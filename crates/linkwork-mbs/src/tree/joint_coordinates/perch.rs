//! Frames of flexible bodies that joints of the tree sit on: perches.
//!
//! The frame of the body and its modes move a perch, by the map of its carrier ([`crate::carrier`]):
//!
//! ```text
//!  xi = J xi_b        nu = J nu_b + W xi_b/s1        al = J al_b + b_v nu_b/s2 + A xi_b/(s1 s2)
//!  F_b += J' F + (J' l)_q xi_b/(s1 s2)               G_b += J' G               b: frame and amplitudes of the body
//! ```
//!
//! In the tree a perch is a body without inertia and without coordinates; where it is and how it moves against the frame of
//! its body comes from the amplitudes. Several perches of a body share them, so no joint of a tree could be that.

use super::JointCoordinates;
use crate::assembly::{Assembly, Carried, Connection};
use crate::carrier::{Carrier, CarrierPoint, FrameMap};
use crate::tree::topology::{Support, Topology};
use crate::tree::{Frame, Mat3, Placement, Twist, Vec3};
use linkwork_dae::rotation::IDENTITY;
use std::sync::Arc;

/// A frame of a flexible body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Site {
    /// The body, counted as [`Assembly::carried`] does.
    pub body: usize,
    /// Number of the frame on it.
    pub frame: usize,
}

/// The side of a joint that is its parent's.
fn site(joint: &Connection, parent: usize, reversed: bool) -> Option<Site> {
    let frame = joint.perches[usize::from(reversed)]?;
    let body = parent.checked_sub(1)?;
    Some(Site { body, frame })
}

/// The perch that a body of the tree sits on.
pub(super) fn of(sites: &[Site], joints: &[Connection], support: Support) -> Option<usize> {
    let Support::Joint {
        joint,
        parent,
        reversed,
    } = support
    else {
        return None;
    };
    let own = site(&joints[joint], parent, reversed)?;
    sites.iter().position(|s| *s == own)
}

/// All perches of a tree, in the order in which they are needed.
pub(super) fn sites(joints: &[Connection], topology: &Topology) -> Vec<Site> {
    let mut all = Vec::new();
    for &(_, support) in &topology.order {
        if let Support::Joint {
            joint,
            parent,
            reversed,
        } = support
            && let Some(site) = site(&joints[joint], parent, reversed)
            && !all.contains(&site)
        {
            all.push(site);
        }
    }
    all
}

/// A perch in the tree.
#[derive(Debug)]
pub(super) struct Perch {
    pub site: Site,
    carrier: Arc<dyn Carrier>,
    /// Its body of the tree.
    pub node: usize,
    /// The frame of the flexible body on the body of the tree that it belongs to.
    outer: Placement,
    /// Number of coordinates of the frame of the body, before the amplitudes.
    pub own: usize,
    pub modes: usize,
    /// The first amplitude here.
    pub first: usize,
    /// Its first column behind those of the joints.
    pub column: usize,
    /// Coordinates of the body by which loads bend.
    pub bent: std::ops::Range<usize>,
}

impl Perch {
    pub fn new(
        site: Site,
        (assembly, bodies): (&Assembly, &[Carried]),
        (frames, node): (&[Frame], usize),
        [joints, column]: [usize; 2],
    ) -> Option<Perch> {
        let carrier = assembly.carrier(site.body)?;
        let before = bodies[..site.body].iter().map(|b| b.modes).sum::<usize>();
        let body = &bodies[site.body];
        Some(Perch {
            site,
            bent: carrier.bent(site.frame),
            carrier,
            node,
            outer: *frames[site.body].place(),
            own: body.freedoms.len(),
            modes: body.modes,
            first: joints + before,
            column,
        })
    }

    /// Number of coordinates that move it.
    pub fn columns(&self) -> usize {
        self.own + self.modes
    }

    /// How it followed the coordinates of its body in the last pass.
    pub fn map<'a>(&self, assembly: &'a Assembly) -> Option<&'a FrameMap> {
        assembly.frame_map(self.site.body, self.site.frame)
    }
}

/// Numbers of the relations.
impl Perch {
    /// How many depend on the pose only: `J` by rows.
    pub fn pose_numbers(&self) -> usize {
        self.carrier.freedoms().len() * self.columns()
    }

    /// How many others there are: `W`, `b_v`, `A` and `(J' l)_q`.
    pub fn motion_numbers(&self) -> usize {
        3 * self.pose_numbers() + self.bent.len() * self.bent.len()
    }

    /// Rows of a matrix that are freedoms.
    fn rows(&self, from: &[f64], to: &mut [f64]) {
        let columns = self.columns();
        let rows = to.chunks_exact_mut(columns);
        for (to, freedom) in rows.zip(self.carrier.freedoms()) {
            to.copy_from_slice(&from[freedom * columns..(freedom + 1) * columns]);
        }
    }

    /// The former, of the last pass.
    pub fn fill_pose(&self, assembly: &Assembly, out: &mut [f64]) {
        if let Some(map) = self.map(assembly) {
            self.rows(&map.j, &mut out[..self.pose_numbers()]);
        }
    }

    /// The latter, at coordinates of the assembly, for a force and a moment in its axes.
    pub fn fill_motion(&self, assembly: &Assembly, q: &[f64], load: &[f64; 6], out: &mut [f64]) {
        let Some(map) = self.map(assembly) else {
            return;
        };
        let (maps, bend) = out.split_at_mut(3 * self.pose_numbers());
        let parts = maps.chunks_exact_mut(self.pose_numbers());
        for (to, from) in parts.zip([&map.w, &map.bias_v, &map.a]) {
            self.rows(from, to);
        }
        let bend = &mut bend[..self.bent.len() * self.bent.len()];
        let Site { body, frame } = self.site;
        assembly.bend_frame((body, frame), q, load, bend);
    }
}

/// What a perch does against the frame of its body.
#[derive(Clone, Debug)]
pub(super) struct Relative {
    /// Coordinates, velocities and accelerations of the body, whose frame is at rest.
    states: [Vec<f64>; 3],
    map: FrameMap,
    place: Placement,
    /// Angle about z.
    pub angle: f64,
}

impl Relative {
    pub fn new(perch: &Perch) -> Relative {
        Relative {
            states: std::array::from_fn(|_| vec![0.0; perch.columns()]),
            map: FrameMap::new(perch.columns()),
            place: Placement::IDENTITY,
            angle: 0.0,
        }
    }

    /// At amplitudes, their rates and accelerations, of those that are not given zeros.
    fn renew(&mut self, perch: &Perch, states: [&[f64]; 3]) {
        for (to, from) in self.states.iter_mut().zip(states) {
            let given = from.get(perch.first..perch.first + perch.modes);
            match given {
                Some(given) => to[perch.own..].copy_from_slice(given),
                None => to[perch.own..].fill(0.0),
            }
        }
        let [q, v, a] = &self.states;
        let at = CarrierPoint {
            q,
            v,
            a,
            orientation: IDENTITY,
            gravity: [0.0; 3],
        };
        let (carrier, frame) = (&perch.carrier, perch.site.frame);
        let ((p, turn), (origin, _)) = (carrier.pose(frame, &at), carrier.pose(0, &at));
        self.place = Placement {
            r: Mat3::of_quaternion(turn),
            p: Vec3::from(p) - Vec3::from(origin),
        };
        self.angle = carrier.angle(frame, &at);
        // modal frames have a map everywhere
        let _ = carrier.map(frame, &at, &mut self.map);
    }

    /// A motion of the frame at rest in world axes; `body` and `own` are those of the body and of the perch.
    fn turned([x, y, z, turn @ ..]: [f64; 6], body: &Mat3, own: &Mat3) -> Twist {
        Twist::new(own.apply(turn.into()), body.apply(Vec3::new(x, y, z)))
    }
}

impl JointCoordinates {
    /// Axes of the flexible body of a perch.
    fn axes(&self, k: usize) -> Mat3 {
        let perch = &self.layout.perches[k];
        let outer = match self.tree.parent(perch.node) {
            Some(node) => self.kin.pose[node].r,
            None => Mat3::IDENTITY,
        };
        outer.times(&perch.outer.r)
    }

    /// Poses of all bodies of the tree, at the coordinates of the scratch.
    pub(super) fn place_tree(&mut self) {
        let layout = self.layout.clone();
        if layout.perches.is_empty() {
            return self.kin.place(&self.tree, &self.scratch.q);
        }
        for node in 0..self.tree.bodies() {
            let Some(k) = layout.perch_at[node] else {
                self.kin.place_body(&self.tree, node, &self.scratch.q);
                continue;
            };
            let perch = &layout.perches[k];
            self.relative[k].renew(perch, [&self.scratch.q, &[], &[]]);
            let place = perch.outer.then(&self.relative[k].place);
            self.tree.set_mount(node, place);
            self.kin.place_body(&self.tree, node, &self.scratch.q);
            let (body, own) = (self.axes(k), self.kin.pose[node].r);
            let map = &self.relative[k].map;
            for m in 0..perch.modes {
                let column = perch.own + m;
                let along = std::array::from_fn(|i| map.j[i * perch.columns() + column]);
                let at = self.tree.nv() + perch.column + m;
                self.kin.column[at] = Relative::turned(along, &body, &own);
            }
        }
    }

    /// Velocities and accelerations of all bodies of the tree.
    pub(super) fn move_tree(&mut self, v: &[f64], a: &[f64]) {
        let layout = self.layout.clone();
        if layout.perches.is_empty() {
            return self.kin.move_along(&self.tree, v, a, Vec3::ZERO);
        }
        for node in 0..self.tree.bodies() {
            self.kin.move_body(&self.tree, node, v, a, Vec3::ZERO);
            if let Some(k) = layout.perch_at[node] {
                let perch = &layout.perches[k];
                let (body, own) = (self.axes(k), self.kin.pose[node].r);
                let relative = &mut self.relative[k];
                relative.renew(perch, [&self.scratch.q, v, a]);
                let (map, states) = (&relative.map, &relative.states);
                let speed = map.times(&states[1]);
                let mut rate = map.times(&states[2]);
                rate.iter_mut().zip(map.bias).for_each(|(a, b)| *a += b);
                let [speed, rate] = [speed, rate].map(|x| Relative::turned(x, &body, &own));
                self.kin.carry(node, speed, rate);
            }
        }
    }
}
