//! A model that starts from a pose that was computed.

use crate::assemble::rested;
use crate::body::Shape;
use crate::error::ModelError;
use crate::geometry::{apply, sub};
use crate::model::Model;
use linkwork_dae::rotation::exp;
use std::sync::Arc;

/// Puts all bodies at rest into a pose that is told by the channels of a result, in any coordinates.
///
/// Attachment points, free lengths and free angles stay as they are: only the start changes.
pub fn repose(model: &mut Model, channel: impl Fn(&str) -> Option<f64>) -> Result<(), ModelError> {
    if let Some(rested) = rested(model) {
        *model = rested;
    }
    take_pose(model, channel)
}

/// Puts all bodies at rest into a pose; what refers to the start refers to this one then.
pub(crate) fn take_pose(
    model: &mut Model,
    channel: impl Fn(&str) -> Option<f64>,
) -> Result<(), ModelError> {
    for body in &mut model.bodies {
        let name = body.name.clone();
        let value = |what: &str| {
            let channel_name = format!("{name}.{what}");
            let missing = || ModelError::new(format!("the pose has no `{channel_name}`"));
            channel(&channel_name).ok_or_else(missing)
        };
        let mut centre = body.centre();
        for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
            if body.freedoms().contains(&i) {
                centre[i] = value(axis)?;
            }
        }
        match &mut body.shape {
            Shape::Modal(modal) if modal.flat => {
                body.orientation = exp([0.0, 0.0, value("angle")?]);
            }
            Shape::Rigid { .. } | Shape::Modal(_) => {
                let parts = ["w", "x", "y", "z"].map(|part| value(&format!("quaternion.{part}")));
                let [w, x, y, z] = parts;
                let q = [w?, x?, y?, z?];
                // channels may be rounded
                let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
                body.orientation = q.map(|x| x / length);
            }
            Shape::Planar { angle, .. } => *angle = value("angle")?,
            Shape::Point | Shape::Bead | Shape::Target { .. } => {}
        }
        if let Shape::Modal(modal) = &mut body.shape {
            for (k, start) in Arc::make_mut(modal).start.iter_mut().enumerate() {
                *start = [value(&format!("mode{}", k + 1))?, 0.0];
            }
        }
        body.position = sub(centre, apply(&body.rotation(), body.centre_of_mass));
        (body.velocity, body.angular_velocity) = ([0.0; 3], [0.0; 3]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;

    #[test]
    fn bodies_take_their_channels() {
        let mut model = Model::new("m");
        model.add_body(Body::bead("p", 1.0).moving([1.0, 2.0]));
        model.add_body(Body::planar("r", 1.0, 1.0).spinning(3.0));
        let solid = Body::rigid("s", 1.0, [1.0; 3]).centred([0.5, 0.0, 0.0]);
        model.add_body(solid);
        let pose = [
            ("p.x", 1.0),
            ("p.y", 2.0),
            ("r.x", 3.0),
            ("r.y", 4.0),
            ("r.angle", 5.0),
            ("s.x", 6.0),
            ("s.y", 7.0),
            ("s.z", 8.0),
            ("s.quaternion.w", 0.0),
            ("s.quaternion.x", 0.0),
            ("s.quaternion.y", 0.0),
            ("s.quaternion.z", 1.0),
        ];
        let find = |name: &str| pose.iter().find(|(n, _)| *n == name).map(|(_, x)| *x);
        repose(&mut model, find).unwrap();
        assert_eq!(model.bodies[0].position, [1.0, 2.0, 0.0]);
        assert_eq!(model.bodies[0].velocity, [0.0; 3]);
        let planar = &model.bodies[1];
        assert_eq!(planar.site().pose.angle, 5.0);
        assert_eq!(planar.position, [3.0, 4.0, 0.0]);
        assert_eq!(planar.angular_velocity, [0.0; 3]);
        // half a turn about z: the centre of mass is left of the origin
        let solid = &model.bodies[2];
        assert_eq!(
            (solid.centre(), solid.position),
            ([6.0, 7.0, 8.0], [6.5, 7.0, 8.0])
        );
        let e = repose(&mut model, |name| find(name).filter(|_| name != "r.angle"));
        assert_eq!(e.unwrap_err().message, "the pose has no `r.angle`");
    }
}
