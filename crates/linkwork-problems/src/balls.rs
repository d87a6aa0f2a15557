//! Balls in a box, in the plane or in space: every ball may meet every other and all walls.
//!
//! ```text
//!  gaps      n (n - 1)/2 + 4 n, or 6 n in space, of which few can close at a time
//!  energy    never rises; at restitution 1 and without weight it stays
//! ```

use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::system::After;
use std::fmt::Write;

/// The box is this wide and high, and deep, m.
pub const BOX: f64 = 1.0;

/// A box with balls of unit mass on a grid, shaken by nobody, with velocities of any direction. Those that rub turn: in the plane
/// they are discs.
#[derive(Clone, Copy, Debug)]
pub struct Balls {
    /// In space, not in the plane.
    pub space: bool,
    /// How many.
    pub count: usize,
    /// Speed of departure over speed of approach.
    pub restitution: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Weight of a kilogram, N.
    pub gravity: f64,
    /// Which of many starts.
    pub start: u32,
}

impl Balls {
    /// Directions in which they move.
    fn axes(&self) -> usize {
        if self.space { 3 } else { 2 }
    }

    /// Radius of a ball, m: a fifth of the box is filled, in space a sixteenth.
    pub fn radius(&self) -> f64 {
        let each = |share: f64| share / (std::f64::consts::PI * self.count as f64);
        BOX * match self.space {
            true => (0.75 * each(0.0625)).cbrt(),
            false => each(0.2).sqrt(),
        }
    }

    /// Inertia of those that turn, kg m^2.
    fn inertia(&self) -> f64 {
        let share = if self.space { 0.4 } else { 0.5 };
        share * self.radius().powi(2)
    }

    /// The model.
    pub fn text(&self) -> String {
        let (radius, e, axes) = (self.radius(), self.restitution, self.axes());
        let vector = |x: &[f64]| format!("{:?}", &x[..axes]);
        let along = |axis: usize, size: f64| {
            let mut x = [0.0; 3];
            x[axis] = size;
            vector(&x)
        };
        let inertia = self.inertia();
        let body = match (self.friction > 0.0, self.space) {
            (true, false) => format!("inertia = {inertia}"),
            (true, true) => format!("inertia = [{inertia}, {inertia}, {inertia}]"),
            (false, _) => "kind = \"point\"".into(),
        };
        let friction = match self.friction > 0.0 {
            true => format!("friction = {}\n", self.friction),
            false => String::new(),
        };
        let across = (self.count as f64).powf(1.0 / axes as f64);
        let across = (across - 1e-9).ceil() as usize;
        let pitch = BOX / across as f64;
        let gravity = along(axes - 1, -self.gravity);
        let mut text = format!("[model]\nplanar = {}\ngravity = {gravity}\n", !self.space);
        let mut seed = 0.371_f64 + 1e-3 * f64::from(self.start);
        let mut draw = || {
            seed = (seed * 97.31 + 0.137).fract();
            2.0 * seed - 1.0
        };
        // writing to a string cannot fail
        for i in 0..self.count {
            let (mut position, mut velocity) = ([0.0; 3], [0.0; 3]);
            for (k, x) in position[..axes].iter_mut().enumerate() {
                let cell = i / across.pow(k as u32) % across;
                *x = pitch * (cell as f64 + 0.5 + 0.1 * draw());
            }
            velocity[..axes].fill_with(&mut draw);
            let (position, velocity) = (vector(&position), vector(&velocity));
            let _ = write!(
                text,
                "[[body]]\nname = \"b{i}\"\n{body}\nmass = 1\nposition = {position}\nvelocity = {velocity}\n"
            );
        }
        for i in 0..self.count {
            for axis in 0..axes {
                let names = match axis {
                    _ if axis + 1 == axes => ["floor", "roof"],
                    0 => ["left", "right"],
                    _ => ["front", "back"],
                };
                for (name, at, axis) in [
                    (names[0], along(axis, 0.0), along(axis, 1.0)),
                    (names[1], along(axis, BOX), along(axis, -1.0)),
                ] {
                    let _ = write!(
                        text,
                        "[[joint]]\nname = \"{name}{i}\"\nkind = \"rigid_contact\"\nbody_b = \"b{i}\"\n\
                         point_a = {at}\naxis = {axis}\nradius = {radius}\nrestitution = {e}\n{friction}"
                    );
                }
            }
            for j in 0..i {
                let _ = write!(
                    text,
                    "[[joint]]\nname = \"c{j}_{i}\"\nkind = \"rigid_contact\"\nbody_a = \"b{j}\"\n\
                     body_b = \"b{i}\"\nradius_a = {radius}\nradius = {radius}\nrestitution = {e}\n{friction}"
                );
            }
        }
        text
    }
}

/// Looks at every step and both sides of every event: energy that rises, balls that overlap or leave.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    radius: f64,
    axes: usize,
    gravity: f64,
    /// Inertia of those that turn.
    inertia: Option<f64>,
    /// Energy at the start, J.
    pub start: f64,
    /// Energy now, J.
    pub energy: f64,
    least: f64,
    /// The most that the energy has risen, J.
    pub risen: f64,
    /// The deepest overlap of balls, or of a ball and a wall, m.
    pub overlap: f64,
    /// The largest speed along an axis now, m/s.
    pub speed: f64,
    /// Impacts and changes of contacts.
    pub events: u64,
}

impl Guard {
    /// For these balls.
    pub fn new(balls: &Balls) -> Guard {
        Guard {
            radius: balls.radius(),
            axes: balls.axes(),
            gravity: balls.gravity,
            inertia: (balls.friction > 0.0).then(|| balls.inertia()),
            least: f64::INFINITY,
            ..Guard::default()
        }
    }

    fn look(&mut self, view: &View<'_>) {
        let (s, r, axes) = (view.state(), self.radius, self.axes);
        // a turn in the plane, three in space
        let turns = if self.inertia.is_some() {
            2 * axes - 3
        } else {
            0
        };
        let each = axes + turns;
        let speeds = s.v.iter().enumerate().map(|(i, v)| match i % each < axes {
            true => v * v,
            false => self.inertia.unwrap_or(0.0) * v * v,
        });
        self.energy = 0.5 * speeds.sum::<f64>();
        self.speed = s.v.iter().fold(0.0, |m, v| m.max(v.abs()));
        let heights: f64 = s.q.iter().skip(axes - 1).step_by(each).sum();
        self.energy += self.gravity * heights;
        if self.least == f64::INFINITY {
            self.start = self.energy;
        }
        self.risen = self.risen.max(self.energy - self.least);
        self.least = self.least.min(self.energy);
        for (i, a) in s.q.chunks_exact(each).enumerate() {
            for x in &a[..axes] {
                self.overlap = self.overlap.max(r - x).max(r - (BOX - x));
            }
            for b in s.q.chunks_exact(each).take(i) {
                let apart = |k: usize| (a[k] - b[k]).powi(2);
                let apart = (0..axes).map(apart).sum::<f64>().sqrt();
                self.overlap = self.overlap.max(2.0 * r - apart);
            }
        }
    }
}

impl Observer for Guard {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.look(view);
        Ok(())
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.look(view);
        Ok(Flow::Continue)
    }

    fn on_event(&mut self, view: &mut View<'_>, _: After) -> Result<(), ObserverError> {
        self.events += 1;
        self.look(view);
        Ok(())
    }
}
