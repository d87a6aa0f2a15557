//! Flexible bodies for tests.

use crate::frames::Numbers;
use linkwork_mbs::Body;
use linkwork_mbs::carrier::{Modal, ModalPoint};

/// A flexible body with two modes, mass on six points with and without inertia, frames on two of them.
pub fn flexible(name: &str, seed: u64) -> Body {
    let mut n = Numbers(seed);
    let point = |n: &mut Numbers| ModalPoint {
        place: n.vector(0.6),
        mass: 0.3 + 0.1 * n.next(),
        inertia: n.vector(0.02).map(|j| 0.03 + j),
        displacement: vec![n.vector(0.3), n.vector(0.3)],
        rotation: vec![n.vector(0.4), n.vector(0.4)],
    };
    let points = (0..6).map(|_| point(&mut n)).collect();
    Body::modal(
        name,
        Modal {
            points,
            stiffness: vec![30.0, 4.0, 4.0, 50.0],
            damping_ratio: vec![0.05, 0.0],
            frames: vec![("root".into(), 1), ("tip".into(), 4)],
            start: vec![[0.05, 0.1], [-0.03, 0.2]],
        },
    )
}
