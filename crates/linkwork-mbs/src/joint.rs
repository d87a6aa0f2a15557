//! Joints: constraint equations between two bodies, and the table of all kinds.
//!
//! ```text
//!  columns of a joint, local numbering     dx_a (3)  theta_a (3) | dx_b (3)  theta_b (3)
//!                                          dx global, theta in the axes of the body
//!  c       C                               one entry per holonomic row
//!  c_q     C_q            G_v              derivatives along the tangent, rows x 12
//!  cv      C_q v + C_t    g
//!  gamma   C_q a = gamma                   gamma = -C'' with a = 0;  -(g_q v + g_t)
//!  cv_q    (C_q v + C_t)_q    g_q          rows x 12
//!  load    C_q' lambda    G_v' mu          12; the reaction on the bodies is its negative
//!  hess    (C_q' lambda)_q (G_v' mu)_q     12 x 12; not symmetric: rotations do not commute
//!  hess_v                 (G_v' mu)_v      12 x 12
//! ```
//!
//! Rows of positions come first, rows of velocities (non-holonomic constraints `g(q,v,t) = 0`)
//! after them. Derivatives by `q` hold `x'` and `omega` (body axes) fixed.
//!
//! A joint computes with both bodies as if they had all six freedoms; the assembly takes only
//! those columns that exist, and those rows that have any. Between bodies that move in the x-y plane
//! some joints become simpler ones, which they learn when they are placed. Adding a kind takes one file in `joint/` and one row in [`JOINTS`]:
//! list its keys ([`Part::keys`]) and write [`Constraint`] (positions) or [`Rolling`] (velocities) once for any scalar and let
//! [`by_scalar`] derive everything; `mounted.rs` has the rest of what joints on a [`Fixture`], [`Disc`] or [`Span`] share. A list of
//! [`Primitive`]s on a fixture is a [`PairKind`], a row of `pairs.rs`. A joint of more than two bodies is a sum of such
//! joints between pairs of them ([`Joint::legs`]).

pub mod by_scalar;
pub(crate) mod cable;
mod cam;
mod constant_velocity;
mod differential;
mod disc;
mod distance;
mod drive;
mod dry_friction;
pub mod fixture;
mod gear;
mod knife_edge;
mod latch;
mod limit;
mod lower_pair;
mod motion;
pub(crate) mod mounted;
mod no_slip_wheel;
mod pairs;
mod point_on_curve;
mod point_on_surface;
pub mod primitive;
mod rack_pinion;
mod rigid_contact;
mod rolling_disc;
mod rolling_ellipsoid;
mod rope;
mod screw;
mod servo;
mod span;
mod spherical;
mod wheel_rail;

pub use by_scalar::{Constraint, Poses, Rolling, rows};
pub use cable::Cable;
pub use cam::{Cam, Follower};
pub use constant_velocity::ConstantVelocity;
pub use differential::Differential;
pub use disc::Disc;
pub use distance::Distance;
pub use drive::{Drive, Driven};
pub use dry_friction::DryFriction;
pub use fixture::Fixture;
pub use gear::{Gear, Mesh};
pub use knife_edge::KnifeEdge;
pub(crate) use latch::Latch;
pub use limit::Limit;
pub use lower_pair::{LowerPair, PairBuilder, PairKind};
pub use motion::Motion;
pub use no_slip_wheel::NoSlipWheel;
pub use pairs::{
    Cylindrical, Fixed, Orientation, ParallelAxes, Planar, PointOnLine, PointOnPlane, Prismatic,
    Revolute, Universal,
};
pub use point_on_curve::PointOnCurve;
pub use point_on_surface::{PointOnSurface, Surface};
pub use primitive::Primitive;
pub use rack_pinion::RackPinion;
pub use rigid_contact::RigidContact;
pub use rolling_disc::RollingDisc;
pub use rolling_ellipsoid::RollingEllipsoid;
pub use rope::Rope;
pub use screw::Screw;
pub use servo::{Servo, Target};
pub use span::Span;
pub use spherical::Spherical;
pub use wheel_rail::{Creepage, WheelRail};

use crate::assembly::{JointPass, JointPlaces};
use crate::curve::Curve;
use crate::error::ModelError;
use crate::expr::Formula;
use crate::field::{Form, Key};
use crate::force::Force;
use crate::geometry::{Frame, Site, Vector};
use crate::handle::BodyRef;
pub use crate::lanes::COLUMNS;
use crate::lanes::Lanes;
use crate::part::{Entry, Keys, OfKind, Part};
use crate::text::Fields;
use crate::tree::topology::Hinge;
use crate::units::Unit;
use linkwork_dae::law::Law;
use std::ops::Range;
use std::sync::Arc;

/// Most equations of one joint.
pub const MAX_ROWS: usize = 6;
/// Most turning angles that one joint or force keeps count of.
pub const MAX_TURNS: usize = 3;

/// Where a joint is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct JointPoint<'a> {
    /// Time.
    pub t: f64,
    /// Body a.
    pub a: &'a Frame,
    /// Body b.
    pub b: &'a Frame,
    /// Multipliers of the joint's rows; read only for loads and their derivatives, else may be
    /// empty.
    pub lambda: &'a [f64],
    /// The joint's angles, beyond one turn, a short while ago; see [`Joint::turns`].
    pub turns: &'a [f64],
    /// The columns that are wanted.
    pub lanes: &'a Lanes,
}

/// A set of terms that may be wanted, by their bits.
macro_rules! wanted {
    ($set:ident) => {
        impl $set {
            /// Nothing.
            pub const NONE: $set = $set(0);

            /// Whether a term of `other` is in the set.
            #[inline]
            pub fn any(self, other: $set) -> bool {
                self.0 & other.0 != 0
            }

            /// This set if `condition` holds, else nothing.
            #[inline]
            pub fn when(self, condition: bool) -> $set {
                if condition { self } else { $set::NONE }
            }
        }

        impl std::ops::BitOr for $set {
            type Output = $set;
            #[inline]
            fn bitor(self, o: $set) -> $set {
                $set(self.0 | o.0)
            }
        }

        impl std::ops::BitAnd for $set {
            type Output = $set;
            #[inline]
            fn bitand(self, o: $set) -> $set {
                $set(self.0 & o.0)
            }
        }
    };
}
pub(crate) use wanted;

/// A set of joint terms; see the table at the top of the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want(u8);

impl Want {
    /// The equations.
    pub const C: Want = Want(1);
    /// Their derivative.
    pub const C_Q: Want = Want(2);
    /// Their rate.
    pub const CV: Want = Want(4);
    /// Right-hand side of the acceleration equations.
    pub const GAMMA: Want = Want(8);
    /// `C_q' lambda`.
    pub const LOAD: Want = Want(16);
    /// Derivative of the rate.
    pub const CV_Q: Want = Want(32);
    /// Derivative of `C_q' lambda`.
    pub const HESS: Want = Want(64);
    /// Derivative of `G_v' mu` by the velocities, of velocity constraints.
    pub const HESS_V: Want = Want(128);
    /// All of them.
    pub const ALL: Want = Want(255);
}

wanted!(Want);

/// Values of one joint. Entries outside the joint's pattern hold leftovers and are never read.
#[derive(Clone, Debug)]
pub struct JointTerms {
    /// `C`.
    pub c: [f64; MAX_ROWS],
    /// `C_q v + C_t`, `g`.
    pub cv: [f64; MAX_ROWS],
    /// `gamma`.
    pub gamma: [f64; MAX_ROWS],
    /// `C_q' lambda`.
    pub load: [f64; COLUMNS],
    /// `C_q`, `G_v`.
    pub c_q: [[f64; COLUMNS]; MAX_ROWS],
    /// `(C_q v + C_t)_q`, `g_q`.
    pub cv_q: [[f64; COLUMNS]; MAX_ROWS],
    /// `(C_q' lambda)_q`.
    pub hess: [[f64; COLUMNS]; COLUMNS],
    /// `(G_v' mu)_v`.
    pub hess_v: [[f64; COLUMNS]; COLUMNS],
}

impl JointTerms {
    /// A table full of one number.
    pub fn filled(x: f64) -> JointTerms {
        JointTerms {
            c: [x; MAX_ROWS],
            cv: [x; MAX_ROWS],
            gamma: [x; MAX_ROWS],
            load: [x; COLUMNS],
            c_q: [[x; COLUMNS]; MAX_ROWS],
            cv_q: [[x; COLUMNS]; MAX_ROWS],
            hess: [[x; COLUMNS]; COLUMNS],
            hess_v: [[x; COLUMNS]; COLUMNS],
        }
    }
}

impl Default for JointTerms {
    fn default() -> JointTerms {
        JointTerms::filled(0.0)
    }
}

/// Which entries of the matrices of a joint can be nonzero, as (row, column).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JointPattern {
    /// Entries of `C_q`.
    pub c_q: Vec<(u8, u8)>,
    /// Entries of `(C_q v + C_t)_q`.
    pub cv_q: Vec<(u8, u8)>,
    /// Entries of `(C_q' lambda)_q`.
    pub hess: Vec<(u8, u8)>,
    /// Entries of `(G_v' mu)_v`.
    pub hess_v: Vec<(u8, u8)>,
}

impl JointPattern {
    /// Whether anything depends on a column.
    pub(crate) fn has_column(&self, column: usize) -> bool {
        let lists = [&self.c_q, &self.cv_q, &self.hess, &self.hess_v];
        let mut entries = lists.into_iter().flatten();
        entries.any(|(_, j)| usize::from(*j) == column)
    }
}

/// What a joint can exert on a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reacts {
    /// A force at the marker of body b.
    pub force: bool,
    /// A torque.
    pub torque: bool,
}

impl Reacts {
    /// A force alone.
    pub const FORCE: Reacts = Reacts {
        force: true,
        torque: false,
    };
    /// A torque alone.
    pub const TORQUE: Reacts = Reacts {
        force: false,
        torque: true,
    };
    /// Both.
    pub const BOTH: Reacts = Reacts {
        force: true,
        torque: true,
    };
}

/// A function of time that a joint follows.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// What follows it.
    pub words: &'static str,
    /// The function.
    pub curve: &'a Curve,
    /// What makes no difference to its value, if anything: a whole turn.
    pub repeats: Option<f64>,
}

/// A kind of joint with its parameters; stored behind a pointer, called once per evaluation.
pub trait Joint: Part + OfKind {
    /// The equations of positions in words: "x coincidence".
    fn row_names(&self) -> &'static [&'static str];

    /// The equations of velocities in words, for non-holonomic constraints.
    fn velocity_row_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Number of equations of positions.
    fn rows(&self) -> usize {
        self.row_names().len()
    }

    /// Number of equations of velocities.
    fn velocity_rows(&self) -> usize {
        self.velocity_row_names().len()
    }

    /// Which of the two bodies must have an orientation.
    fn needs_orientation(&self) -> [bool; 2] {
        [true, true]
    }

    /// The attachment points on body a and body b, from their centres of mass in body axes, where
    /// there are any.
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, None]
    }

    /// What the joint exerts.
    fn reacts(&self) -> Reacts {
        Reacts::BOTH
    }

    /// Expresses everything in body axes from the centres of mass, using the start poses.
    fn place(&mut self, a: &Site, b: &Site);

    /// The longest length among the parameters, beside the markers.
    fn extent(&self) -> f64 {
        0.0
    }

    /// Entries that can be nonzero; `flat`: between bodies that move in the x-y plane.
    fn pattern(&self, flat: bool) -> JointPattern;

    /// Fills the wanted terms.
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms);

    /// Evaluates the joint as part of an assembly. There is no need to write this: compiled for
    /// each kind, it makes one virtual call out of evaluation and placing.
    fn run(&self, places: &JointPlaces, pass: &mut JointPass<'_>) {
        pass.through_table(self, places);
    }

    /// Number of angles that may pass whole turns, at most [`MAX_TURNS`]. The assembly remembers
    /// their values and lets [`Joint::wind`] renew them now and then, before they have moved by
    /// half a turn; [`crate::geometry::nearest_turn`] then continues an angle.
    fn turns(&self) -> usize {
        0
    }

    /// Renews the remembered angles.
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        let _ = (at, turns);
    }

    /// `C_t`, or `g` with the bodies at rest: zero unless the joint follows a function of time.
    fn c_t(&self, at: &JointPoint<'_>) -> [f64; MAX_ROWS] {
        let _ = at;
        [0.0; MAX_ROWS]
    }

    /// Rows that are a function of the poses minus a function of time, with the latter.
    fn prescribed(&self) -> Vec<(usize, &Curve)> {
        Vec::new()
    }

    /// All functions of time that it follows.
    fn courses(&self) -> Vec<Course<'_>> {
        let words = self.row_names();
        let all = self.prescribed().into_iter();
        all.map(|(row, curve)| Course {
            words: words[row],
            curve,
            repeats: None,
        })
        .collect()
    }

    /// How near its two [points](Self::markers) are when it begins to act, if it does nothing until they meet.
    fn reach(&self) -> Option<f64> {
        None
    }

    /// Places, ascending, where a curve that it moves along changes (an outline, a wire): see [`Curve::features`].
    fn features(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Where on that curve it is, and how fast it moves along it.
    fn along_curve(&self, a: &Frame, b: &Frame) -> [f64; 2] {
        let _ = (a, b);
        [0.0; 2]
    }

    /// Rows that are not always in force, by their own numbers; what presses friction is an own row too.
    fn laws(&self) -> Vec<(usize, Law)> {
        Vec::new()
    }

    /// What its dry friction of given strength can bear.
    fn capacity(&self) -> Option<&Formula> {
        None
    }

    /// The joint whose reaction presses its dry friction: that bears as much more.
    fn pressed_by(&self) -> Option<&str> {
        None
    }

    /// Those of its rows that are forces which can press, at most 3.
    fn force_rows(&self) -> Range<usize> {
        0..0
    }

    /// What holds the one motion that it leaves free, where events may lock or reverse that.
    fn latch(&self) -> Option<Box<dyn Joint>> {
        None
    }

    /// What it leaves free, where it can carry a body in joint coordinates.
    fn hinge(&self) -> Option<Hinge> {
        None
    }

    /// How many bodies it has: a, b and further ones.
    fn sides(&self) -> usize {
        2
    }

    /// What a joint with more than two sides consists of beside itself: its equations are sums over pairs
    /// of its sides. By itself it is the part of a and b; the others are joints of the same rows.
    fn legs(&self) -> Vec<Leg> {
        Vec::new()
    }

    /// Places what belongs to further sides; all of them are given, a and b first.
    fn place_further(&mut self, sites: &[Site]) {
        let _ = sites;
    }

    /// A force between its first two bodies that comes with it, beyond its reaction, and may read the signals
    /// of its multipliers: creep. Results of the force follow the name of the joint.
    fn companion(&self, name: &str) -> Option<Arc<dyn Force>> {
        let _ = name;
        None
    }

    /// The signal that it follows, where it does so through a coordinate of its own. The assembly adds
    /// that coordinate as a last side.
    fn target(&self) -> Option<Target<'_>> {
        None
    }
}

/// A part of a joint with more than two sides; see [`Joint::legs`].
#[derive(Clone, Debug)]
pub struct Leg {
    /// The sides that it connects; `None` is the ground.
    pub sides: [Option<usize>; 2],
    /// The terms that it adds.
    pub joint: Arc<dyn Joint>,
}

impl<J: Joint + 'static> From<J> for Box<dyn Joint> {
    fn from(joint: J) -> Box<dyn Joint> {
        Box::new(joint)
    }
}

/// One kind of joint.
pub type JointEntry = Entry<dyn Joint>;

/// The keys that name the two bodies of a joint or force.
pub static BODY_KEYS: &[Key] = &[BODY_A, BODY_B];

pub(crate) const BODY_A: Key =
    Key::optional("body_a", Unit::None, "ground", "The first body.").takes(Form::Word);
pub(crate) const BODY_B: Key =
    Key::required("body_b", Unit::None, "The second body.").takes(Form::Word);

/// The bodies `body_a` (the ground unless given) and `body_b`.
pub fn read_bodies(f: &Fields<'_>) -> Result<(BodyRef, BodyRef), ModelError> {
    Ok((f.body_or_ground("body_a")?, f.body("body_b")?))
}

/// All kinds of joints.
pub static JOINTS: &[JointEntry] = &[
    Entry::of::<Spherical>(),
    Entry::of::<Revolute>(),
    Entry::of::<Prismatic>(),
    Entry::of::<Cylindrical>(),
    Entry::of::<Universal>(),
    Entry::of::<Planar>(),
    Entry::of::<Fixed>(),
    Entry::of::<Orientation>(),
    Entry::of::<ParallelAxes>(),
    Entry::of::<Distance>(),
    Entry::of::<Cable>(),
    Entry::of::<PointOnLine>(),
    Entry::of::<PointOnPlane>(),
    Entry::of::<Drive>(),
    Entry::of::<Motion>(),
    Entry::of::<Servo>(),
    Entry::of::<Screw>(),
    Entry::of::<Gear>(),
    Entry::of::<Differential>(),
    Entry::of::<RackPinion>(),
    Entry::of::<ConstantVelocity>(),
    Entry::of::<Cam>(),
    Entry::of::<PointOnCurve>(),
    Entry::of::<PointOnSurface>(),
    Entry::of::<RollingDisc>(),
    Entry::of::<NoSlipWheel>(),
    Entry::of::<KnifeEdge>(),
    Entry::of::<RollingEllipsoid>(),
    Entry::of::<WheelRail>(),
    Entry::of::<Limit>(),
    Entry::of::<Rope>(),
    Entry::of::<RigidContact>(),
    Entry::of::<DryFriction>(),
];

/// The key of further bodies, of joints that have them.
pub(crate) const BODIES: Key = Key::optional(
    "bodies",
    Unit::None,
    "none",
    "The further bodies, in their order: a list of names.",
)
.takes(Form::Words);

/// How many further bodies the table that is read names.
pub(crate) fn further_bodies(k: &mut Keys<'_>) -> Option<usize> {
    k.tell(BODIES);
    k.read(|f| Ok(f.bodies("bodies")?.len()))
}
