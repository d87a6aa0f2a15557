//! The `[model]` table.

use crate::model::{Axes, Model, Rotation};
use crate::part::{Entry, Keys, Part, Word};
use crate::units::Unit;
use linkwork_dae::law::Impacts;

/// The keys of the `[model]` table.
pub static MODEL: Entry<Model> = Entry {
    kind: "model",
    summary: "What holds for the whole mechanism.",
    in_plane: true,
    blank: || Box::new(Model::planar("")),
};

impl Word for Rotation {
    const WORDS: &'static [(&'static str, Rotation)] = &[
        ("vectors", Rotation::Vectors),
        ("euler-parameters", Rotation::EulerParameters),
    ];
}

impl Word for Impacts {
    const WORDS: &'static [(&'static str, Impacts)] = &[
        ("sequential", Impacts::Sequential),
        ("simultaneous", Impacts::Simultaneous),
    ];
}

/// What is told unless it is what holds anyway.
fn unusual<T: PartialEq>(value: T, usual: &T) -> Option<T> {
    Some(value).filter(|x| x != usual)
}

/// A model without its parts is what this table says.
impl Part for Model {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "Name of the model in results and messages.";
        k.key("name", Unit::None, doc)
            .or("name of the file")
            .text(&mut self.name);
        k.key("gravity", Unit::Acceleration, "Acceleration of gravity.")
            .or("0")
            .vector(&mut self.gravity);
        let doc = "Whether the mechanism is planar; false: it moves in space.";
        let mut planar = unusual(self.axes == Axes::Plane, &true);
        k.key("planar", Unit::None, doc).or(true).flag(&mut planar);
        let planar = planar.unwrap_or(true);
        self.axes = if planar { Axes::Plane } else { Axes::Space };
        let doc = "Coordinates of rotations in space: `vectors` (three, about a base that follows the \
                   motion) or `euler-parameters` (four and an equation).";
        let mut rotation = unusual(self.rotation, &Rotation::Vectors);
        k.read(|f| match planar && f.has("rotation") {
            true => {
                let message =
                    "rotations in the plane are angles: `rotation` needs `planar = false`";
                Err(f.error("rotation", message))
            }
            false => Ok(()),
        });
        k.key("rotation", Unit::None, doc)
            .word::<Rotation>(&mut rotation);
        if k.draw().is_some() && planar {
            (self.gravity[2], rotation) = (0.0, None);
        }
        self.rotation = rotation.unwrap_or_default();
        let mut start = unusual(self.start_time, &0.0);
        k.key("start_time", Unit::Time, "Time at the start.")
            .or(0.0)
            .number(&mut start);
        self.start_time = start.unwrap_or(0.0);
        let doc = "Typical length that absolute tolerances refer to.";
        k.key("length", Unit::Length, doc)
            .or("size of the mechanism")
            .positive(&mut self.length);
        let doc = "Several impacts at one time: `sequential` (one after the other, the fastest approach first, as \
                   in a Newton's cradle) or `simultaneous` (a complementarity problem).";
        let mut impacts = unusual(self.impacts, &Impacts::Sequential);
        k.key("impacts", Unit::None, doc)
            .word::<Impacts>(&mut impacts);
        self.impacts = impacts.unwrap_or_default();
    }
}

impl Model {
    /// The model without its parts.
    pub(super) fn head(&self) -> Model {
        Model {
            name: self.name.clone(),
            axes: self.axes,
            gravity: self.gravity,
            rotation: self.rotation,
            start_time: self.start_time,
            length: self.length,
            impacts: self.impacts,
            ..Model::default()
        }
    }
}
