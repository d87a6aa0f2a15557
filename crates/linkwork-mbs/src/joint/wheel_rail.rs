//! Wheel on a rail: a surface of revolution touches a profile that is drawn along a track.
//!
//! ```text
//!  wheel  c + xi a + R(xi) (cos psi d + sin psi f)    a axle, d across it and down, f = a x d
//!  rail   height G(y - Y(x)) at the way x along the track (t) and y to its left (l), up is u
//!
//!  n = cos psi d + sin psi f - R' a                   outward normal of the wheel
//!  n.(t - G' Y' u) = 0    n.(l + G' u) = 0            both surfaces have the same tangent plane there
//!  C = G - z                                          at that point
//! ```
//!
//! The two conditions determine the point of contact, `psi` and `xi`, which are solved for within an evaluation:
//! by Newton's method in numbers, then with the frozen inverse in the scalar, where every further iteration makes
//! derivatives of one more order exact. The multiplier is the vertical part of the force on the wheel, positive
//! where the rail presses. One point of contact is followed, the one below the wheel; a second one, at the flange,
//! is not found. Creep forces are a companion of the joint, [`crate::force::WheelCreep`].

use super::by_scalar::derived;
use super::fixture::{AXIS_B, Further, NORMAL_A, Way};
use super::mounted::{sits_on, told};
use super::{COLUMNS, Constraint, Fixture, Joint, JointPattern, MAX_ROWS, Poses, rows};
use crate::curve::Curve;
use crate::expr::Formula;
use crate::field::Key;
use crate::force::measure::{displacements, observe};
use crate::force::{Force, WheelCreep};
use crate::geometry::{Axis, Frame, Pose, Vector, add, cross, dot, norm, scaled, sub};
use crate::part::{Draw, Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::{Dual, Scalar};
use std::sync::Arc;

/// A wheel of body b on a rail of body a.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelRail {
    /// A point of the rail and one of the axle; the direction of the track and that of the axle, which points to
    /// the left; as normal of body a the direction up.
    pub fixture: Fixture,
    /// Radius `R` over the length `s` along the axle from its point, m.
    pub wheel: Curve,
    /// Height `G` over the length `s` to the left of the rail, m.
    pub rail: Curve,
    /// How far the rail is to the left, `Y`, over the way `s` along the track, m.
    pub track: Curve,
    /// Creep.
    pub creep: Creepage,
}

/// What creep forces depend on; see [`crate::force::WheelCreep`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Creepage {
    /// Coefficient of friction; 0: there is no creep force.
    pub friction: f64,
    /// Shear modulus, Pa.
    pub shear_modulus: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Kalker's coefficients: along, across, and across by spin.
    pub kalker: [f64; 3],
    /// Complete elliptic integral of the second kind and ratio of the axes, of the ellipse of contact.
    pub ellipse: [f64; 2],
}

impl Default for WheelRail {
    fn default() -> WheelRail {
        let fixture = Fixture {
            normal_a: Some(Axis::global([0.0, 0.0, 1.0])),
            ..Fixture::default()
        };
        WheelRail {
            fixture,
            wheel: Curve::default(),
            rail: Curve::default(),
            track: Curve::default(),
            creep: Creepage::default(),
        }
    }
}

impl Kind for WheelRail {
    const NAME: &'static str = "wheel_rail";
    const SUMMARY: &'static str = "A wheel of body_b touches a rail of body_a, both with profiles, and creeps on it: `axis` is the \
              direction of the track.";
    const IN_PLANE: bool = false;
}

const AXLE: Key = Key::direction(
    "axle",
    "this or `axis_b`",
    "Direction of the axle, to the left, in global components in the start pose.",
);
const UP: Key = Key::direction(
    "up",
    "[0, 0, 1]",
    "Direction up in global components in the start pose.",
);

impl Part for WheelRail {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "Radius of the wheel: a formula of `s`, the length along the axle from point_b to the left, or a \
                   table [[s, radius], ...].";
        k.key("wheel", Unit::Length, doc)
            .curve("s", Unit::Length, &mut self.wheel);
        let doc = "Height of the rail over point_a: a formula of `s`, the length to the left, or a table \
                   [[s, height], ...].";
        k.key("rail", Unit::Length, doc)
            .curve("s", Unit::Length, &mut self.rail);
        let doc = "How far the rail has moved to the left: a formula of `s`, the way along the track, or a table \
                   [[s, offset], ...].";
        k.key("track", Unit::Length, doc)
            .or(0.0)
            .curve("s", Unit::Length, &mut self.track);
        self.fixture.points(k);
        self.fixture.axis(k, Way::Along);
        let axle = [AXLE, AXIS_B];
        self.fixture.further(k, Further::AxisB, axle, true);
        let up = [UP, NORMAL_A];
        self.fixture.further(k, Further::NormalA, up, false);
        self.creep.keys(k);
        if let Some(draw) = k.draw() {
            self.draw(draw);
        }
    }
}

impl Creepage {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.key(
            "friction",
            Unit::None,
            "Coefficient of friction; 0: no creep.",
        )
        .or(0.0)
        .not_negative(&mut self.friction);
        k.key(
            "shear_modulus",
            Unit::Pressure,
            "Shear modulus of wheel and rail.",
        )
        .or(7.92e10)
        .positive(&mut self.shear_modulus);
        k.key("poisson", Unit::None, "Poisson's ratio of wheel and rail.")
            .or(0.28)
            .between(0.0, 0.5, &mut self.poisson);
        let [along, across, spin] = &mut self.kalker;
        for (key, doc, slot) in [
            ("c11", "Kalker's coefficient C11, of creep along.", along),
            ("c22", "Kalker's coefficient C22, of creep across.", across),
            ("c23", "Kalker's coefficient C23, of spin, across.", spin),
        ] {
            k.key(key, Unit::None, doc).or(0.0).not_negative(slot);
        }
        let [integral, ratio] = &mut self.ellipse;
        let doc = "Complete elliptic integral of the second kind of the ellipse of contact.";
        k.key("ellipse_integral", Unit::None, doc)
            .or(1.0)
            .positive(integral);
        let doc = "Shorter over longer axis of the ellipse of contact.";
        k.key("ellipse_ratio", Unit::None, doc)
            .or(1.0)
            .positive(ratio);
    }
}

/// What the poses say: axes of the track, of the wheel, and the point of the axle from that of the rail.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat<S> {
    along: Vector<S>,
    left: Vector<S>,
    pub up: Vector<S>,
    pub axle: Vector<S>,
    down: Vector<S>,
    fore: Vector<S>,
    centre: Vector<S>,
}

/// The point of contact, or what could become one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch<S> {
    /// From the point of the rail.
    pub place: Vector<S>,
    /// Normal of the rail, away from it; its part along `up` is one.
    pub normal: Vector<S>,
    /// Place along the axle, and across the rail.
    pub at: [S; 2],
    /// Height of the rail over the point.
    gap: S,
    /// How far the tangent planes are from being one.
    aslant: [S; 2],
}

/// The axle may be at most this far from level (sine of the angle): beyond, the wheel lies on its side.
const STEEP: f64 = 0.9;

/// A curve and its slope.
fn with_slope<S: Scalar>(curve: &Curve, x: S) -> [S; 2] {
    let y = curve.eval(Dual::<1, S>::variable(x, 0));
    [y.v, y.d[0]]
}

impl WheelRail {
    /// Profiles that touch in any pose: an ellipsoid on a wavy rail.
    fn draw(&mut self, draw: Draw<'_>) {
        let text = [
            format!(
                "{}*sqrt(1 - (s/{})^2)",
                1.2 + 0.1 * draw(),
                1.5 + 0.1 * draw()
            ),
            format!("0.1*sin({}*s)", 0.5 + 0.1 * draw()),
            format!("0.1*sin({}*s)", 0.3 + 0.1 * draw()),
        ];
        let slots = [&mut self.wheel, &mut self.rail, &mut self.track];
        for (slot, text) in slots.into_iter().zip(text) {
            let formula = Formula::parse_with_signals(&text).map_err(|e| e.to_string());
            if let Ok(curve) = formula.and_then(|f| Curve::formula(f, "s")) {
                *slot = curve;
            }
        }
    }

    pub(crate) fn seat<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> Seat<S> {
        let [up, right, along] = self.fixture.triad(0).map(|u| a.direction(u));
        let axle = b.direction(self.fixture.triad(1)[2]);
        let across = sub(scaled(axle, dot(up, axle)), up);
        let down = scaled(across, S::from(1.0) / norm(across));
        Seat {
            along,
            left: right.map(|x| -x),
            up,
            axle,
            down,
            fore: cross(axle, down),
            centre: sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point)),
        }
    }

    /// The point of the wheel at an angle and a place along the axle.
    fn touch<S: Scalar>(&self, seat: &Seat<S>, [psi, xi]: [S; 2]) -> Touch<S> {
        let (sin, cos) = psi.sin_cos();
        let [radius, slope] = with_slope(&self.wheel, xi);
        let out = add(scaled(seat.down, cos), scaled(seat.fore, sin));
        let arm = add(scaled(seat.axle, xi), scaled(out, radius));
        let place = add(seat.centre, arm);
        let of_wheel = sub(out, scaled(seat.axle, slope));
        let [shift, bend] = with_slope(&self.track, dot(seat.along, place));
        let s = dot(seat.left, place) - shift;
        let [height, rise] = with_slope(&self.rail, s);
        let ahead = sub(seat.along, scaled(seat.up, rise * bend));
        let aside = add(seat.left, scaled(seat.up, rise));
        let tilt = sub(scaled(seat.along, rise * bend), scaled(seat.left, rise));
        Touch {
            place,
            normal: add(seat.up, tilt),
            at: [xi, s],
            gap: height - dot(seat.up, place),
            aslant: [dot(of_wheel, ahead), dot(of_wheel, aside)],
        }
    }

    /// The point of contact.
    pub(crate) fn contact<S: Scalar>(&self, seat: &Seat<S>) -> Touch<S> {
        const ORDERS: usize = 2;
        let (found, inverse) = self.solve(&seat.map(S::value));
        let mut at = found.map(S::from);
        for _ in 0..ORDERS {
            let f = self.touch(seat, at).aslant;
            for i in 0..2 {
                at[i] -= f[0] * inverse[i][0] + f[1] * inverse[i][1];
            }
        }
        self.touch(seat, at)
    }

    /// `psi` and `xi` of the point of contact and the inverse of the derivative of its conditions; no numbers
    /// where there is none.
    fn solve(&self, seat: &Seat<f64>) -> ([f64; 2], [[f64; 2]; 2]) {
        const ITERATIONS: usize = 50;
        const HALVINGS: usize = 12;
        const ROUNDING: f64 = 1e-13;
        const NONE: f64 = f64::NAN;
        let level = dot(seat.up, seat.axle);
        if !(level.abs() < STEEP) {
            return ([NONE; 2], [[NONE; 2]; 2]);
        }
        let size = |at: [f64; 2]| -> f64 {
            let [x, y] = self.touch(seat, at).aslant;
            x.hypot(y)
        };
        let wide = seat.map(Dual::<2>::from);
        let slopes = |at: [f64; 2]| {
            let at = [Dual::variable(at[0], 0), Dual::variable(at[1], 1)];
            self.touch(&wide, at).aslant
        };
        // where a ball would touch
        let mut at = [0.0, -level * self.wheel.eval(0.0)];
        let mut off = size(at);
        let mut inverse = [[NONE; 2]; 2];
        for _ in 0..ITERATIONS {
            let f = slopes(at);
            let ([a, b], [c, d]) = (f[0].d, f[1].d);
            let det = a * d - b * c;
            inverse = [[d / det, -b / det], [-c / det, a / det]];
            let step = inverse.map(|row| row[0] * f[0].v + row[1] * f[1].v);
            let mut part = 1.0;
            let mut better = None;
            for _ in 0..HALVINGS {
                let there = [at[0] - part * step[0], at[1] - part * step[1]];
                let left = size(there);
                if left < off {
                    better = Some((there, left));
                    break;
                }
                // where a whole step is no better, parts of it are better by rounding only
                if off < ROUNDING {
                    break;
                }
                part *= 0.5;
            }
            match better {
                Some(found) => (at, off) = found,
                None => break,
            }
        }
        match off < 1e-10 {
            true => (at, inverse),
            false => ([NONE; 2], [[NONE; 2]; 2]),
        }
    }

    /// Sums of curvatures of the two surfaces at a point of contact: along the track and across, half of each.
    pub(crate) fn curvatures<S: Scalar>(&self, touch: &Touch<S>) -> [S; 2] {
        let [xi, s] = touch.at;
        let twice = |curve: &Curve, x: S| {
            let x = Dual::<1, Dual<1, S>>::variable(Dual::variable(x, 0), 0);
            let y = curve.eval(x);
            [y.v.v, y.v.d[0], y.d[0].d[0]]
        };
        let bend = |[_, d, dd]: [S; 3]| {
            let steep = d * d + 1.0;
            -dd / (steep * steep.sqrt())
        };
        let (wheel, rail) = (twice(&self.wheel, xi), twice(&self.rail, s));
        let [radius, slope, _] = wheel;
        let rolling = S::from(0.5) / (radius * (slope * slope + 1.0).sqrt());
        [rolling, (bend(wheel) + bend(rail)) * 0.5]
    }
}

impl<S: Scalar> Seat<S> {
    /// The same in other numbers.
    fn map<T: Scalar>(&self, f: impl Fn(S) -> T) -> Seat<T> {
        let f = |v: Vector<S>| v.map(&f);
        Seat {
            along: f(self.along),
            left: f(self.left),
            up: f(self.up),
            axle: f(self.axle),
            down: f(self.down),
            fore: f(self.fore),
            centre: f(self.centre),
        }
    }
}

impl Constraint for WheelRail {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        rows([self.contact(&self.seat(a, b)).gap])
    }
}

impl Joint for WheelRail {
    told!(&["height of the wheel over the rail"]);
    sits_on!(fixture);
    derived!(eval evaluate);
    fn pattern(&self, _: bool) -> JointPattern {
        let row: Vec<(u8, u8)> = (0..COLUMNS as u8).map(|j| (0, j)).collect();
        JointPattern {
            c_q: row.clone(),
            cv_q: row,
            hess: crate::force::full(),
            hess_v: Vec::new(),
        }
    }
    fn features(&self) -> Vec<f64> {
        self.track.features()
    }
    fn along_curve(&self, a: &Frame, b: &Frame) -> [f64; 2] {
        let [_, _, (s, rate)] = observe(a, b, |a, b| displacements(&self.fixture, a, b));
        [s, rate]
    }
    fn extent(&self) -> f64 {
        self.wheel.eval(0.0)
    }
    fn companion(&self, name: &str) -> Option<Arc<dyn Force>> {
        let force = || WheelCreep::of(self.clone(), Formula::signal(format!("{name}.multiplier")));
        (self.creep.friction > 0.0).then(|| Arc::new(force()) as Arc<dyn Force>)
    }
}
