//! Flexible bodies for tests.

use crate::frames::Numbers;
use linkwork_mbs::body::Shape;
use linkwork_mbs::carrier::{Modal, ModalPoint, ModeSet, StraightBeam};
use linkwork_mbs::{Body, Material, Section};

/// A flexible body with two modes, mass on six points with and without inertia, frames on two of them.
pub fn flexible(name: &str, seed: u64) -> Body {
    let mut n = Numbers(seed);
    let point = |n: &mut Numbers| ModalPoint {
        place: n.vector(0.6),
        mass: 0.3 + 0.1 * n.next(),
        inertia: n.vector(0.02).map(|j| 0.03 + j),
        displacement: vec![n.vector(0.3), n.vector(0.3)],
        rotation: vec![n.vector(0.4), n.vector(0.4)],
        ..ModalPoint::default()
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
            rayleigh: [0.1, 0.02],
            ..Modal::default()
        },
    )
}

/// The same in the plane, with inertia and strain energy of its modes beside those of points and stiffness.
#[allow(dead_code)]
pub fn planar(name: &str, seed: u64) -> Body {
    let body = flexible(name, seed);
    let Shape::Modal(modal) = &body.shape else {
        return body;
    };
    let mut modal = (**modal).clone();
    modal.flat = true;
    modal.added_mass = vec![0.4, 0.1, 0.1, 0.3];
    modal.cubic_energy = vec![([0, 0, 1], 7.0), ([1, 1, 1], -3.0), ([0, 1, 0], 2.0)];
    for p in &mut modal.points {
        p.place[2] = 0.0;
        p.inertia = [0.0, 0.0, p.inertia[2]];
        p.displacement.iter_mut().for_each(|u| u[2] = 0.0);
        p.rotation.iter_mut().for_each(|w| *w = [0.0, 0.0, w[2]]);
    }
    Body::modal(name, modal)
}

/// A straight beam with modes of every kind, which axial forces stiffen.
#[allow(dead_code)]
pub fn stiffened(name: &str) -> Body {
    let beam = StraightBeam {
        length: 1.2,
        section: Section::rectangle(0.3, 0.2),
        material: Material::new(40.0, 0.3, 20.0),
        timoshenko: true,
        set: ModeSet::Clamped,
        modes: [2, 1, 1, 1],
        stiffening: true,
    };
    let frames = [("start".to_string(), 0.0), ("end".to_string(), 1.0)];
    let mut modal = beam.modal(&frames).expect("a beam");
    for (k, start) in modal.start.iter_mut().enumerate() {
        *start = [0.03 * (k as f64 + 1.0).sin(), 0.1 * (k as f64).cos()];
    }
    Body::modal(name, modal)
}
