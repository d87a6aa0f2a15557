//! Joints that are mounted on both bodies and written once for any scalar.
//!
//! What such a joint is, is its equations and a few parameters. Where it sits on the bodies, a
//! [`Fixture`] or a [`Disc`], knows its points, directions and keys; the rest is the same for all.

use super::Want;
use super::{Disc, Fixture, Joint, JointPattern, JointPoint, JointTerms, Latch, MAX_ROWS, Reacts};
use super::{by_scalar, lower_pair};
use crate::assembly::{JointPass, JointPlaces};
use crate::curve::Curve;
use crate::expr::Formula;
use crate::geometry::{Site, Vector};
use crate::part::Part;
use crate::tree::topology::Hinge;
use linkwork_dae::law::Law;

/// Points and directions by which a joint sits on its bodies.
pub(super) trait Mount {
    /// The attachment points.
    fn points(&self) -> [Vector; 2];
    /// Expresses everything in body axes, using the start poses.
    fn put(&mut self, a: &Site, b: &Site);
    /// The turn of body b against body a, near the one that is known, where there is an axis for it.
    fn turn(&self, at: &JointPoint<'_>) -> Option<f64> {
        let _ = at;
        None
    }
}

impl Mount for Fixture {
    fn points(&self) -> [Vector; 2] {
        [self.a.point, self.b.point]
    }
    fn put(&mut self, a: &Site, b: &Site) {
        self.place(a, b);
    }
    fn turn(&self, at: &JointPoint<'_>) -> Option<f64> {
        let known = at.turns.first().copied().unwrap_or(0.0);
        Some(self.angle(&at.a.pose, &at.b.pose, known))
    }
}

impl Mount for Disc {
    fn points(&self) -> [Vector; 2] {
        [self.a.point, self.b.point]
    }
    fn put(&mut self, a: &Site, b: &Site) {
        self.place(a, b);
    }
}

/// A joint on a [`Mount`]; everything with a default is what most of them have.
pub(super) trait Mounted: Part {
    /// What it sits on.
    type On: Mount;

    /// Name of the kind in model text.
    const KIND: &'static str;
    /// The equations of positions in words.
    const ROWS: &'static [&'static str];
    /// The equations of velocities in words.
    const VELOCITY_ROWS: &'static [&'static str] = &[];
    /// Whether it keeps count of its turn beyond whole ones.
    const COUNTS: bool = false;

    /// What it sits on.
    fn mount(&self) -> &Self::On;
    /// The same, to be placed.
    fn mount_mut(&mut self) -> &mut Self::On;

    /// Fills the wanted terms.
    fn terms(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms);

    /// The same with curves in general position, which find all entries that can be nonzero.
    fn winding(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Entries that can be nonzero.
    fn entries(&self, flat: bool) -> JointPattern
    where
        Self: Sized,
    {
        let winding = self.winding();
        let joint = winding.as_ref().unwrap_or(self);
        by_scalar::probe(flat, |at, out| joint.terms(at, Want::ALL, out))
    }

    /// Evaluates it straight into place, where that is worth while; else answers false.
    #[inline(always)]
    fn straight(&self, places: &JointPlaces, pass: &mut JointPass<'_>) -> bool {
        let _ = (places, pass);
        false
    }

    /// Its rows in words where they differ between bodies that move in the x-y plane.
    fn own_rows(&self) -> &'static [&'static str] {
        Self::ROWS
    }

    /// Which of the two bodies must have an orientation.
    fn oriented(&self) -> [bool; 2] {
        [true, true]
    }

    /// The attachment points, where they matter.
    fn attached(&self) -> [Option<Vector>; 2] {
        self.mount().points().map(Some)
    }

    /// What it exerts.
    fn exerts(&self) -> Reacts {
        lower_pair::BOTH
    }

    /// What has to be done once the mount is placed.
    fn settle(&mut self) {}

    /// The longest length among the parameters, beside the points.
    fn length(&self) -> f64 {
        0.0
    }

    /// `C_t`.
    fn by_time(&self, at: &JointPoint<'_>) -> [f64; MAX_ROWS] {
        let _ = at;
        [0.0; MAX_ROWS]
    }

    /// Rows that are a function of the poses minus a function of time, with the latter.
    fn follows(&self) -> Vec<(usize, &Curve)> {
        Vec::new()
    }

    /// Rows that are not always in force.
    fn in_force(&self) -> Vec<(usize, Law)> {
        Vec::new()
    }

    /// What its dry friction can bear, over time.
    fn bears(&self) -> Option<&Formula> {
        None
    }

    /// The joint whose reaction presses its dry friction.
    fn pressed(&self) -> Option<&str> {
        None
    }

    /// How many of its first rows are forces.
    fn pushes(&self) -> usize {
        0
    }

    /// What holds the one motion that it leaves free.
    fn held_by(&self) -> Option<Latch> {
        None
    }

    /// What it leaves free, where it can carry a body in joint coordinates.
    fn carries(&self) -> Option<Hinge> {
        None
    }
}

/// What a joint sits on, a field of it, and the function of [`by_scalar`] that evaluates it.
macro_rules! sits_on {
    ($field:ident: $mount:ident, $evaluate:ident) => {
        type On = $mount;
        fn mount(&self) -> &$mount {
            &self.$field
        }
        fn mount_mut(&mut self) -> &mut $mount {
            &mut self.$field
        }
        fn terms(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
            by_scalar::$evaluate(self, at, want, out);
        }
    };
}
pub(super) use sits_on;

impl<T: Mounted> Joint for T {
    fn run(&self, places: &JointPlaces, pass: &mut JointPass<'_>) {
        if !self.straight(places, pass) {
            pass.through_table(self, places);
        }
    }
    fn kind(&self) -> &'static str {
        T::KIND
    }
    fn row_names(&self) -> &'static [&'static str] {
        self.own_rows()
    }
    fn velocity_row_names(&self) -> &'static [&'static str] {
        T::VELOCITY_ROWS
    }
    fn needs_orientation(&self) -> [bool; 2] {
        self.oriented()
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        self.attached()
    }
    fn reacts(&self) -> Reacts {
        self.exerts()
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.mount_mut().put(a, b);
        self.settle();
    }
    fn extent(&self) -> f64 {
        self.length()
    }
    fn pattern(&self, flat: bool) -> JointPattern {
        self.entries(flat)
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        self.terms(at, want, out);
    }
    fn turns(&self) -> usize {
        usize::from(T::COUNTS)
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        if let Some(angle) = self.mount().turn(at).filter(|_| T::COUNTS) {
            by_scalar::renew(turns, [angle]);
        }
    }
    fn c_t(&self, at: &JointPoint<'_>) -> [f64; MAX_ROWS] {
        self.by_time(at)
    }
    fn prescribed(&self) -> Vec<(usize, &Curve)> {
        self.follows()
    }
    fn laws(&self) -> Vec<(usize, Law)> {
        self.in_force()
    }
    fn capacity(&self) -> Option<&Formula> {
        self.bears()
    }
    fn pressed_by(&self) -> Option<&str> {
        self.pressed()
    }
    fn force_rows(&self) -> usize {
        self.pushes()
    }
    fn latch(&self) -> Option<Box<dyn Joint>> {
        self.held_by().map(|latch| latch.into())
    }
    fn hinge(&self) -> Option<Hinge> {
        self.carries()
    }
}
