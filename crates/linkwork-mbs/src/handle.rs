//! Small copyable names for parts of a model.

/// A body of a model, or the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyRef(Option<u32>);

impl BodyRef {
    /// The frame that does not move.
    pub const GROUND: BodyRef = BodyRef(None);

    /// Position in the model's list of bodies; `None` for the ground.
    pub fn index(self) -> Option<usize> {
        self.0.map(|i| i as usize)
    }

    /// The body at this position of the model's list.
    ///
    /// # Panics
    /// With more than `u32::MAX` bodies.
    pub fn from_index(index: usize) -> BodyRef {
        BodyRef(Some(
            u32::try_from(index).expect("more bodies than u32 can count"),
        ))
    }

    /// Whether this is the ground.
    pub fn is_ground(self) -> bool {
        self.0.is_none()
    }
}
