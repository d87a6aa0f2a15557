//! Spanning trees of mechanisms: which joint carries which body, and which joints close loops.
//!
//! Breadth first from the ground, joints in the order of the model. Between two bodies the joint that
//! leaves the least free comes first, so that as few equations as possible remain. A body that no
//! joint carries floats on the ground with all its freedoms; it becomes the root of its own tree.
//! Joints that only lead a point of body b (on a line, on a plane of body a) carry body b where nothing
//! else does: a body that hangs on a hinge as well would have more coordinates and more equations left.
//!
//! Whatever is not in the tree closes a loop and stays an equation: joints that relate coordinates
//! rather than leave some free (distances, drives and motions, gears and racks, curves, surfaces and
//! cams, rolling), constant velocity joints, whose free directions are fixed in neither body, joints
//! of bodies that lack freedoms (a ball holds a point all the same), and joints that the user wants cut.

use super::spatial::{Mat3, Vec3};
use super::{Mobility, Placement};
use crate::assembly::{Carried, Connection, Freedom};
use crate::error::ModelError;
use crate::spelling;
use std::collections::VecDeque;

/// A joint as part of a tree: what it leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pair {
    /// Nothing.
    Weld,
    /// The motions of a tree joint.
    Moves(Mobility),
}

/// A joint that can carry a body: its frames on both bodies, from their centres of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    pub(super) pair: Pair,
    pub(super) frames: [Placement; 2],
    /// Between bodies in the x-y plane: angle of body b minus that of body a where the coordinate is
    /// zero.
    pub(super) turn: f64,
    /// Whether both bodies move in the x-y plane.
    pub(super) flat: bool,
}

impl Hinge {
    /// Direction of the axis in the axes of body a.
    pub(crate) fn axis(&self) -> [f64; 3] {
        let z = self.frames[0].r.z;
        [z.x, z.y, z.z]
    }

    /// Frames with normal, third direction and axis on both bodies.
    pub fn pair(pair: Pair, sides: [([f64; 3], [[f64; 3]; 3]); 2]) -> Hinge {
        let frame = |(p, [x, y, z]): ([f64; 3], [[f64; 3]; 3])| Placement {
            r: Mat3 {
                x: x.into(),
                y: y.into(),
                z: z.into(),
            },
            p: p.into(),
        };
        Hinge {
            pair,
            frames: sides.map(frame),
            turn: 0.0,
            flat: false,
        }
    }

    /// The same with its frames seen from elsewhere: from where they are at these places.
    pub(crate) fn on(mut self, places: [[f64; 3]; 2]) -> Hinge {
        for (frame, place) in self.frames.iter_mut().zip(places) {
            frame.p += Vec3::from(place);
        }
        self
    }

    /// A ball joint between two points.
    pub fn ball(a: [f64; 3], b: [f64; 3]) -> Hinge {
        Hinge {
            pair: Pair::Moves(Mobility::Spherical),
            frames: [a, b].map(|p| Placement::at(p.into())),
            turn: 0.0,
            flat: false,
        }
    }

    /// The same where one body is a point: a ball holds it as if it were part of the other body.
    pub(crate) fn of_a_point(self) -> Option<Hinge> {
        let ball = match self.pair {
            Pair::Moves(Mobility::Revolute) => self.flat,
            pair => pair == Pair::Moves(Mobility::Spherical),
        };
        let pair = Pair::Weld;
        ball.then_some(Hinge { pair, ..self })
    }

    /// A joint between bodies that move in the x-y plane, along an axis of body a in the plane or
    /// about z; body b is turned by `turn` against body a where it has no turn.
    pub fn flat(pair: Pair, [a, b]: [[f64; 3]; 2], axis: [f64; 3], turn: f64) -> Option<Hinge> {
        let level = |p: [f64; 3], r: Mat3| Placement { r, p: p.into() };
        let (s, c) = turn.sin_cos();
        let along = |u: Vec3| Mat3 {
            x: Vec3::Z,
            y: u.cross(Vec3::Z),
            z: u,
        };
        let [ux, uy, _] = axis;
        let (pair, frames) = match pair {
            Pair::Weld => {
                let turned = Mat3::IDENTITY.turned_about_z(s, c);
                (pair, [level(a, turned), level(b, Mat3::IDENTITY)])
            }
            Pair::Moves(Mobility::Revolute) => (pair, [a, b].map(|p| level(p, Mat3::IDENTITY))),
            Pair::Moves(Mobility::Prismatic) => {
                let on_b = Vec3::new(c * ux + s * uy, -s * ux + c * uy, 0.0);
                (pair, [level(a, along(axis.into())), level(b, along(on_b))])
            }
            // a pin in a slot
            Pair::Moves(Mobility::BallOnLine) => {
                let x: Vec3 = axis.into();
                let r = Mat3 {
                    x,
                    y: Vec3::Z.cross(x),
                    z: Vec3::Z,
                };
                (Pair::Moves(Mobility::Slot), [level(a, r), level(b, r)])
            }
            Pair::Moves(_) => return None,
        };
        let turns = matches!(pair, Pair::Weld | Pair::Moves(Mobility::Prismatic));
        Some(Hinge {
            pair,
            frames,
            turn: if turns { turn } else { 0.0 },
            flat: true,
        })
    }

    /// The tree joint that it is; a weld is none.
    pub fn joint(&self) -> Option<Mobility> {
        match self.pair {
            Pair::Moves(joint) => Some(joint),
            Pair::Weld => None,
        }
    }

    /// The frames of the joint as seen from the centres of mass of both bodies, in their axes.
    pub fn frames(&self) -> [Placement; 2] {
        self.frames
    }

    fn freedoms(&self) -> usize {
        match self.pair {
            Pair::Weld => 0,
            Pair::Moves(joint) => joint.dof(),
        }
    }

    /// Whether it only leads a point.
    fn is_weak(&self) -> bool {
        use Mobility::{BallOnLine, BallOnPlane, Slot};
        matches!(self.pair, Pair::Moves(Slot | BallOnLine | BallOnPlane))
    }
}

/// What carries a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// A joint on another body (frame `parent`, 0 for the ground).
    Joint {
        /// Index of the joint.
        joint: usize,
        /// Frame of the parent.
        parent: usize,
        /// Whether the carried body is the first one of the joint.
        reversed: bool,
    },
    /// Nothing: the body floats.
    Float,
}

/// Names of the joints that can carry a body, the first few of many.
fn carriers(joints: &[Connection]) -> String {
    const NAMED: usize = 12;
    let names = joints.iter().filter(|j| j.hinge.is_some());
    let names: Vec<&str> = names.map(|j| j.name.as_str()).collect();
    match names.len() {
        0 => "none".to_string(),
        n if n > NAMED => format!("{} and {} more", names[..NAMED].join(", "), n - NAMED),
        _ => names.join(", "),
    }
}

/// The spanning tree of a mechanism.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// Every body with what carries it, parents first.
    pub order: Vec<(usize, Support)>,
    /// Whether each joint is part of the tree.
    pub in_tree: Vec<bool>,
}

impl Topology {
    /// The tree of some bodies and joints, with the named joints cut.
    pub(crate) fn new(
        bodies: &[Carried],
        joints: &[Connection],
        cut: &[String],
    ) -> Result<Topology, ModelError> {
        let mut open = vec![true; joints.len()];
        for name in cut {
            let Some(k) = joints.iter().position(|j| j.name == *name) else {
                let message = format!("there is no joint `{name}` to cut");
                let names = joints.iter().map(|j| j.name.as_str());
                let help = match spelling::nearest(name, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("joints that could be cut are {}", carriers(joints)),
                };
                return Err(ModelError::new(message).with_help(help));
            };
            let joint = &joints[k];
            let refused = if joint.hinge.is_none() {
                let kind = joint.kind;
                let why = format!("joints of kind {kind} never carry a body");
                Some(format!("cut `{name}` has no effect: {why}"))
            } else if !open[k] {
                Some(format!("cut `{name}` is said twice"))
            } else {
                None
            };
            if let Some(message) = refused {
                let help = "leave it out: cut is for joints that would carry a body";
                return Err(ModelError::new(message).with_help(help));
            }
            open[k] = false;
        }
        let mut at = vec![Vec::new(); bodies.len() + 1];
        for (k, j) in joints.iter().enumerate() {
            at[j.a].push(k);
            if j.a != j.b {
                at[j.b].push(k);
            }
        }
        let mut search = Search {
            at,
            bodies,
            joints,
            open,
            weak: false,
            reached: vec![false; bodies.len() + 1],
            tree: Topology {
                order: Vec::new(),
                in_tree: vec![false; joints.len()],
            },
        };
        search.reached[0] = true;
        search.grow(0);
        search.lead();
        for body in 0..bodies.len() {
            if !search.reached[body + 1] {
                search.reached[body + 1] = true;
                search.tree.order.push((body, Support::Float));
                search.grow(body + 1);
                search.lead();
            }
        }
        Ok(search.tree)
    }
}

struct Search<'a> {
    /// Joints of each frame, in the order of the model.
    at: Vec<Vec<usize>>,
    bodies: &'a [Carried],
    joints: &'a [Connection],
    /// Joints that may be part of the tree.
    open: Vec<bool>,
    /// Whether joints that only lead a point are taken.
    weak: bool,
    reached: Vec<bool>,
    tree: Topology,
}

impl Search<'_> {
    /// Bodies that only a point on a line or plane connects with what is reached, one after the other,
    /// each with everything that it carries.
    fn lead(&mut self) {
        while let Some((joint, parent, child)) = self.weakest_link() {
            self.attach(joint, parent, child);
            self.grow(child);
        }
    }

    /// The joint that leads an unreached body with the least freedom, and its two frames.
    fn weakest_link(&mut self) -> Option<(usize, usize, usize)> {
        self.weak = true;
        let mut best: Option<(usize, (usize, usize, usize))> = None;
        for (k, joint) in self.joints.iter().enumerate() {
            let (parent, child) = (joint.a, joint.b);
            if !self.reached[parent] || self.reached[child] {
                continue;
            }
            if let Some(free) = self.freedoms(k, parent, child)
                && best.is_none_or(|(least, _)| free < least)
            {
                best = Some((free, (k, parent, child)));
            }
        }
        self.weak = false;
        best.map(|(_, link)| link)
    }

    fn attach(&mut self, joint: usize, parent: usize, child: usize) {
        self.reached[child] = true;
        self.tree.in_tree[joint] = true;
        let carrier = Support::Joint {
            joint,
            parent,
            reversed: self.joints[joint].a == child,
        };
        self.tree.order.push((child - 1, carrier));
    }

    /// Everything that can be reached from a frame.
    fn grow(&mut self, root: usize) {
        let mut queue = VecDeque::from([root]);
        while let Some(parent) = queue.pop_front() {
            for n in 0..self.at[parent].len() {
                let k = self.at[parent][n];
                let j = &self.joints[k];
                let child = match (j.a == parent, j.b == parent) {
                    (true, false) => j.b,
                    (false, true) => j.a,
                    _ => continue,
                };
                if self.reached[child] || self.freedoms(k, parent, child).is_none() {
                    continue;
                }
                let best = self.least_free(k, parent, child);
                self.attach(best, parent, child);
                queue.push_back(child);
            }
        }
    }

    /// The joint between two frames that leaves the least free, among those from `first` on.
    fn least_free(&self, first: usize, parent: usize, child: usize) -> usize {
        let mut best = first;
        let both = self.at[child].iter().copied();
        for k in both.filter(|k| *k > first) {
            let fewer = self.freedoms(k, parent, child) < self.freedoms(best, parent, child);
            if self.freedoms(k, parent, child).is_some() && fewer {
                best = k;
            }
        }
        best
    }

    /// How much a joint leaves free between two frames, where it can carry the child.
    fn freedoms(&self, k: usize, parent: usize, child: usize) -> Option<usize> {
        let j = &self.joints[k];
        let between = (j.a, j.b) == (parent, child) || (j.a, j.b) == (child, parent);
        let hinge = j.hinge.as_ref().filter(|_| between && self.open[k])?;
        if hinge.is_weak() != self.weak {
            return None;
        }
        let is_point = |body: usize| {
            let freedom = self.bodies[body].freedom;
            matches!(freedom, Freedom::Point | Freedom::PointInPlane)
        };
        // A body that moves in a plane has fewer freedoms than joints in space assume; a point has all
        // that a joint leaves it.
        let body = child.checked_sub(1)?;
        let whole = matches!(self.bodies[body].freedom, Freedom::Space(_));
        let carries = hinge.flat || whole || is_point(body);
        let carried = parent.checked_sub(1).is_none_or(|parent| !is_point(parent));
        (carries && carried).then(|| hinge.freedoms())
    }
}
