//! What a robot file leaves open, as keys of its `[[subsystem]]`.

use crate::import::{Base, Choices};
use linkwork_mbs::error::ModelError;
use linkwork_mbs::text::Fields;
use linkwork_mbs::units::Unit;
use std::ops::Range;

/// How a robot starts.
#[derive(Clone, Debug, Default)]
pub struct RobotText {
    /// The choices.
    pub choices: Choices,
    /// The first key that is given, and where.
    pub given: Option<(&'static str, Option<Range<usize>>)>,
}

const KEYS: [&str; 3] = ["joints", "base", "gravity"];

impl RobotText {
    /// Reads the keys of a subsystem.
    pub(super) fn read(f: &Fields<'_>) -> Result<RobotText, ModelError> {
        let usual = Choices::default();
        let joints = if f.has("joints") {
            f.texts("joints")?
        } else {
            Vec::new()
        };
        let base = match f.choice("base", &["fixed", "floating"], Some("fixed"))? {
            "floating" => Base::Floating,
            _ => Base::Fixed,
        };
        let given = KEYS.into_iter().find(|key| f.has(key));
        Ok(RobotText {
            choices: Choices {
                base,
                gravity: f.vector_or("gravity", Unit::Acceleration, usual.gravity)?,
                joints: joints.into_iter().map(str::to_string).collect(),
            },
            given: given.map(|key| (key, f.span(key))),
        })
    }
}
