//! Tables whose curve is not what their points suggest.

use super::{Finding, Scene, Severity};

/// Share of the range of its points that a spline may leave it by: what a smooth course does between coarse
/// points.
const USUAL: f64 = 0.1;

/// Splines that swing out between steep points.
pub(super) fn overshoot(scene: &Scene<'_>) -> Vec<Finding> {
    let links = scene.joints().into_iter().chain(scene.forces());
    let mut findings = Vec::new();
    for link in links {
        for (key, curve) in link.splines() {
            let Some(found) = curve.overshoot().filter(|o| o.share > USUAL) else {
                continue;
            };
            let [from, to] = found.between;
            let message = format!(
                "`{}`: the spline through the table `{key}` leaves the range of its points: {:.3} between {from} and {to}",
                link.name, found.value
            );
            let help = "write [\"monotone\", [...], ...] to stay between the points, or [\"linear\", [...], ...]";
            let finding = scene.finding("overshoot", Severity::Warning, link.name, message, help);
            findings.push(finding.at(key));
        }
    }
    findings
}
