//! Parameters.

use super::{Finding, Scene, Severity};

/// Parameters that nothing uses.
pub(super) fn unused(scene: &Scene<'_>) -> Vec<Finding> {
    let Some(document) = scene.document else {
        return Vec::new();
    };
    let finding = |name: &str| {
        let message = format!("parameter `{name}` is not used");
        let help = "a number that was to follow it may have been written out";
        scene.finding("unused-parameter", Severity::Hint, name, message, help)
    };
    (document.unused_parameters().into_iter())
        .map(finding)
        .collect()
}
