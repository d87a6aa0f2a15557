//! Balls in a box in the plane: every ball may meet every other and four walls.
//!
//! ```text
//!  gaps      n (n - 1)/2 + 4 n, of which few can close at a time
//!  energy    never rises; at restitution 1 and without weight it stays
//! ```

use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::system::After;
use std::fmt::Write;

/// The box is this wide and high, m.
pub const BOX: f64 = 1.0;

/// A box with balls of unit mass on a grid, shaken by nobody, with velocities of any direction. Those that rub are discs, which
/// turn.
#[derive(Clone, Copy, Debug)]
pub struct Balls {
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
    /// Radius of a ball, m: a fifth of the box is filled.
    pub fn radius(&self) -> f64 {
        BOX * (0.2 / (std::f64::consts::PI * self.count as f64)).sqrt()
    }

    /// Inertia of those that turn, kg m^2.
    fn inertia(&self) -> f64 {
        0.5 * self.radius().powi(2)
    }

    /// The model.
    pub fn text(&self) -> String {
        let (radius, e) = (self.radius(), self.restitution);
        let body = match self.friction > 0.0 {
            true => format!("inertia = {}", self.inertia()),
            false => "kind = \"point\"".into(),
        };
        let friction = match self.friction > 0.0 {
            true => format!("friction = {}\n", self.friction),
            false => String::new(),
        };
        let across = (self.count as f64).sqrt().ceil() as usize;
        let pitch = BOX / across as f64;
        let mut text = format!("[model]\ngravity = [0, -{}]\n", self.gravity);
        let mut seed = 0.371_f64 + 1e-3 * f64::from(self.start);
        let mut draw = || {
            seed = (seed * 97.31 + 0.137).fract();
            2.0 * seed - 1.0
        };
        // writing to a string cannot fail
        for i in 0..self.count {
            let x = pitch * ((i % across) as f64 + 0.5 + 0.1 * draw());
            let y = pitch * ((i / across) as f64 + 0.5 + 0.1 * draw());
            let (vx, vy) = (draw(), draw());
            let _ = write!(
                text,
                "[[body]]\nname = \"b{i}\"\n{body}\nmass = 1\nposition = [{x}, {y}]\n\
                 velocity = [{vx}, {vy}]\n"
            );
        }
        let walls = [
            ("left", "[0, 0]", "[1, 0]"),
            ("right", "[1, 0]", "[-1, 0]"),
            ("floor", "[0, 0]", "[0, 1]"),
            ("roof", "[0, 1]", "[0, -1]"),
        ];
        for i in 0..self.count {
            for (wall, point, axis) in walls {
                let _ = write!(
                    text,
                    "[[joint]]\nname = \"{wall}{i}\"\nkind = \"rigid_contact\"\nbody_b = \"b{i}\"\n\
                     point_a = {point}\naxis = {axis}\nradius = {radius}\nrestitution = {e}\n{friction}"
                );
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
            gravity: balls.gravity,
            inertia: (balls.friction > 0.0).then(|| balls.inertia()),
            least: f64::INFINITY,
            ..Guard::default()
        }
    }

    fn look(&mut self, view: &View<'_>) {
        let (s, r) = (view.state(), self.radius);
        let each = if self.inertia.is_some() { 3 } else { 2 };
        let mass = [1.0, 1.0, self.inertia.unwrap_or(0.0)];
        let own = s.v.iter().zip(mass[..each].iter().cycle());
        let speeds: f64 = own.map(|(v, m)| m * v * v).sum();
        self.speed = s.v.iter().fold(0.0, |m, v| m.max(v.abs()));
        let heights: f64 = s.q.iter().skip(1).step_by(each).sum();
        self.energy = 0.5 * speeds + self.gravity * heights;
        if self.least == f64::INFINITY {
            self.start = self.energy;
        }
        self.risen = self.risen.max(self.energy - self.least);
        self.least = self.least.min(self.energy);
        for (i, a) in s.q.chunks_exact(each).enumerate() {
            for x in &a[..2] {
                self.overlap = self.overlap.max(r - x).max(r - (BOX - x));
            }
            for b in s.q.chunks_exact(each).take(i) {
                let apart = (a[0] - b[0]).hypot(a[1] - b[1]);
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
