//! A model that starts from a pose that was computed.

use crate::error::ModelError;
use crate::model::Model;

/// Puts all bodies at rest into the pose `q`, whose entries are the coordinates of the bodies in
/// order.
///
/// Attachment points, free lengths and free angles stay as they are: only the start changes.
pub fn repose(model: &mut Model, q: &[f64]) -> Result<(), ModelError> {
    let wanted: usize = model.bodies.iter().map(|b| b.coordinates()).sum();
    if q.len() != wanted {
        let message = format!("the pose has {} coordinates, the model {wanted}", q.len());
        return Err(ModelError::new(message));
    }
    let mut first = 0;
    for body in &mut model.bodies {
        let pose = &q[first..first + body.coordinates()];
        first += pose.len();
        body.position = [pose[0], pose[1]];
        if let Some(angle) = pose.get(2) {
            body.angle = *angle;
        }
        body.velocity = [0.0; 2];
        body.angular_velocity = 0.0;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;

    #[test]
    fn bodies_take_their_coordinates_in_order() {
        let mut model = Model::new("m");
        model.add_body(Body::point("p", 1.0).moving([1.0, 2.0]));
        model.add_body(Body::rigid("r", 1.0, 1.0).spinning(3.0));
        repose(&mut model, &[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!(model.bodies[0].position, [1.0, 2.0]);
        assert_eq!(model.bodies[0].velocity, [0.0, 0.0]);
        let rigid = &model.bodies[1];
        assert_eq!((rigid.position, rigid.angle), ([3.0, 4.0], 5.0));
        assert_eq!(rigid.angular_velocity, 0.0);
        assert!(repose(&mut model, &[0.0; 4]).is_err());
    }
}
