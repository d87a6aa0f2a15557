//! Bodies on their way from text and to it: the keys that kinds share.

use super::{Body, Shape, Trust};
use crate::orientation;
use crate::part::{Entry, Keys, Part};
use crate::units::Unit;
use linkwork_dae::rotation::exp;

/// A body with the list of its keys.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The body.
    pub body: Body,
    pub(super) list: fn(&mut Body, &mut Keys<'_>),
    /// Name of the kind in planar models, where its shape does not tell.
    pub(super) in_plane: Option<&'static str>,
}

/// One kind of body.
pub type BodyEntry = Entry<Draft>;

impl Draft {
    pub(super) fn blank(body: Body, list: fn(&mut Body, &mut Keys<'_>)) -> Box<Draft> {
        Box::new(Draft {
            body,
            list,
            in_plane: None,
        })
    }
}

impl Part for Draft {
    fn keys(&mut self, k: &mut Keys<'_>) {
        (self.list)(&mut self.body, k);
        let body = &self.body;
        let vectors = [body.position, body.centre_of_mass, body.velocity];
        let vectors = vectors.as_flattened().iter().chain(&body.angular_velocity);
        let finite = vectors.into_iter().all(|x| x.is_finite());
        k.sound(finite, "start pose and velocity must be finite");
    }

    fn kind_in_plane(&self) -> Option<&'static str> {
        let told = match &self.body.shape {
            Shape::Planar { .. } => Some("rigid"),
            Shape::Bead => Some("point"),
            Shape::Modal(modal) if modal.flat => match modal.beam() {
                Some(_) => Some("flexible_beam"),
                None => Some("modal"),
            },
            _ => None,
        };
        self.in_plane.or(told)
    }
}

impl Body {
    pub(super) fn mass_key(&mut self, k: &mut Keys<'_>) {
        let doc = "Mass; 0 for a part whose motion the joints determine completely.";
        k.key("mass", Unit::Mass, doc).not_negative(&mut self.mass);
    }

    /// Models are written from centres of mass.
    pub(super) fn centre_key(&mut self, k: &mut Keys<'_>) {
        if k.writes().is_some() {
            (self.position, self.centre_of_mass) = (self.centre(), [0.0; 3]);
            return;
        }
        let doc = "Centre of mass in the frame of the body. Results refer to it.";
        k.key("centre_of_mass", Unit::Length, doc)
            .or("[0, 0, 0]")
            .vector(&mut self.centre_of_mass);
    }

    pub(super) fn position_key(&mut self, k: &mut Keys<'_>) {
        let doc = "Start position of the origin of the body.";
        k.key("position", Unit::Length, doc)
            .or("[0, 0, 0]")
            .vector(&mut self.position);
    }

    pub(super) fn orientation_keys(&mut self, k: &mut Keys<'_>) {
        orientation::keys(k, "[1, 0, 0, 0]", &mut self.orientation);
        let length: f64 = self.orientation.iter().map(|x| x * x).sum();
        k.sound(
            (length - 1.0).abs() <= 1e-12,
            "the quaternion of its start orientation must have length 1",
        );
    }

    pub(super) fn velocity_key(&mut self, k: &mut Keys<'_>) {
        let doc = match self.shape {
            Shape::Modal(_) => "Start velocity of the origin of the body.",
            _ => "Start velocity of the centre of mass.",
        };
        k.key("velocity", Unit::Velocity, doc)
            .or("[0, 0, 0]")
            .vector(&mut self.velocity);
        if !self.is_flat() {
            return;
        }
        if k.draw().is_some() {
            self.velocity[2] = 0.0;
        }
        let why = format!("a {} cannot leave its plane", self.noun());
        k.rule("velocity", self.velocity[2] == 0.0, why);
    }

    fn noun(&self) -> &'static str {
        match self.shape {
            Shape::Planar { .. } | Shape::Modal(_) => "planar body",
            _ => self.kind(),
        }
    }

    /// Angle and angular velocity about z of a body whose orientation is kept as in space.
    pub(super) fn angle_key(&mut self, k: &mut Keys<'_>) {
        let mut angle = self.angle();
        k.key("angle", Unit::Angle, "Start angle about z.")
            .or(0.0)
            .number(&mut angle);
        let [_, x, y, _] = self.orientation;
        k.sound([x, y] == [0.0; 2], "a planar body cannot leave its plane");
        self.orientation = exp([0.0, 0.0, angle]);
    }

    pub(super) fn flat_spin_key(&mut self, k: &mut Keys<'_>) {
        let [x, y, z] = &mut self.angular_velocity;
        let doc = "Start angular velocity about z.";
        k.key("angular_velocity", Unit::AngularVelocity, doc)
            .or(0.0)
            .number(z);
        k.sound([*x, *y] == [0.0; 2], "a planar body cannot leave its plane");
    }

    pub(super) fn spin_key(&mut self, k: &mut Keys<'_>) {
        let doc = "Start angular velocity, in body axes.";
        k.key("angular_velocity", Unit::AngularVelocity, doc)
            .or("[0, 0, 0]")
            .vector(&mut self.angular_velocity);
    }

    pub(super) fn exact_key(&mut self, k: &mut Keys<'_>) {
        let oriented = self.is_oriented();
        let in_text = |word| match k.table().is_some_and(|f| f.in_plane()) {
            true => in_plane(word),
            false => word,
        };
        let words = EXACT.into_iter();
        let words: Vec<&'static str> = words
            .filter(|word| oriented || *word != "orientation")
            .map(in_text)
            .collect();
        let trusts = [
            &mut self.position_trust,
            &mut self.orientation_trust,
            &mut self.velocity_trust,
        ];
        let exact = EXACT.iter().zip(&trusts);
        let mut exact: Vec<&'static str> = exact
            .filter(|(_, trust)| ***trust == Trust::Exact)
            .map(|(word, _)| *word)
            .collect();
        let doc = "Start values that the assembly must keep; joints that do not allow them are an error: \
                   a list of \"position\", \"orientation\" (\"angle\" in planar models), \"velocity\", or true \
                   for all of them.";
        k.key("exact", Unit::None, doc)
            .or(false)
            .words(&words, &mut exact);
        for (trust, word) in trusts.into_iter().zip(EXACT) {
            *trust = match exact.contains(&word) || exact.contains(&in_plane(word)) {
                true => Trust::Exact,
                false => Trust::Guess,
            };
        }
        let doc = "How much its start values, where they are guesses, weigh when joints move them: those of a body \
                   with 100 move a hundredth as far as those of one with 1.";
        k.key("start_weight", Unit::None, doc)
            .or(1.0)
            .between(1e-2, 1e2, &mut self.start_weight);
    }
}

/// What `exact` may list.
const EXACT: [&str; 3] = ["position", "orientation", "velocity"];

/// The same in planar models.
pub(crate) fn in_plane(word: &'static str) -> &'static str {
    match word {
        "orientation" => "angle",
        word => word,
    }
}
