//! Small copyable names for parts of a model.

/// A body of a model, one of the further frames of a body, or the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyRef {
    body: Option<u32>,
    frame: u32,
}

impl BodyRef {
    /// The frame that does not move.
    pub const GROUND: BodyRef = BodyRef {
        body: None,
        frame: 0,
    };

    /// Position in the model's list of bodies; `None` for the ground.
    pub fn index(self) -> Option<usize> {
        self.body.map(|i| i as usize)
    }

    /// The body at this position of the model's list.
    ///
    /// # Panics
    /// With more than `u32::MAX` bodies.
    pub fn from_index(index: usize) -> BodyRef {
        BodyRef {
            body: Some(u32::try_from(index).expect("more bodies than u32 can count")),
            frame: 0,
        }
    }

    /// One of the frames of the body, of which the first is its own.
    #[must_use]
    pub fn on_frame(self, frame: usize) -> BodyRef {
        BodyRef {
            frame: u32::try_from(frame).unwrap_or(u32::MAX),
            ..self
        }
    }

    /// The frame of the body.
    pub fn frame(self) -> usize {
        self.frame as usize
    }

    /// Whether this is the ground.
    pub fn is_ground(self) -> bool {
        self.body.is_none()
    }
}
