//! Inertia that elements have between the rotations of two bodies, as inertia of a tree.
//!
//! A rotor on a hinge gives the mass matrix of the assembly the blocks `A`, `B` of its two bodies and `C` between
//! them. With the axis `u` of the hinge fixed in both bodies, `theta' = u . omega_b - u . omega_a`, and `C = -g u u'`:
//!
//! ```text
//!  T = omega_a' (A - g u u') omega_a/2 + omega_b' (B - g u u') omega_b/2 + g theta'^2/2
//! ```
//!
//! The first two are inertia of the bodies, the last that of the joint's own coordinate (armature), which
//! recursions over a tree know.

use crate::assembly::{Assembly, Carried, Connection};
use crate::error::ModelError;
use crate::geometry::{self, dot};
use crate::tree::topology::{Pair, Support, Topology};
use crate::tree::{Inertia, Mobility, Sym3, Vec3};
use linkwork_dae::system::{Part, System, Terms};
use std::collections::BTreeMap;

type Block = [[f64; 3]; 3];

/// Inertia of bodies and joints of a tree.
#[derive(Debug, Default)]
pub(super) struct Inertias {
    /// Of each body about its centre of mass, in its axes.
    pub bodies: Vec<Inertia>,
    /// Bodies with the inertia of the joint that carries them.
    pub armatures: Vec<(usize, f64)>,
}

/// Reads the inertia of a tree from the mass matrix of an assembly that starts with bodies at `frames`.
pub(super) fn read(
    assembly: &mut Assembly,
    bodies: &[Carried],
    joints: &[Connection],
    topology: &Topology,
    frames: &[geometry::Frame],
) -> Result<Inertias, ModelError> {
    let places = super::form::places(bodies, 0);
    let mut mass = vec![0.0; assembly.facts().patterns[Part::Mass].len()];
    let guess = assembly.facts().guess.clone();
    let at = guess.point();
    let mut want = Terms {
        mass: Some(&mut mass),
        ..Terms::default()
    };
    // a start that has no value is refused later
    let _ = assembly.eval(&at, &mut want);
    let mut own = vec![(0.0, Block::default()); bodies.len()];
    let mut between: BTreeMap<(usize, usize), Block> = BTreeMap::new();
    for (&(i, j), m) in assembly.facts().patterns[Part::Mass].iter().zip(&mass) {
        let (row, column) = (places[i as usize], places[j as usize]);
        let block = match row.body == column.body {
            true => &mut own[row.body].1,
            false => between.entry((row.body, column.body)).or_default(),
        };
        match (row.freedom, column.freedom) {
            (0, 0) => own[row.body].0 = *m,
            (i @ 3..6, j @ 3..6) => block[i - 3][j - 3] = *m,
            _ => {}
        }
    }
    // inertia of flexible bodies is projected as a whole
    if assembly.is_mapped() {
        between.clear();
    }
    let mut armatures = Vec::new();
    for (&(a, b), block) in between.iter().filter(|((a, b), _)| a < b) {
        let (body, axes) =
            hinge(a, b, joints, topology, frames).ok_or_else(|| refused(a, b, bodies))?;
        let [u, w] = axes;
        let turned = block.map(|row| dot(row, w));
        let inertia = -dot(u, turned);
        let size = block
            .as_flattened()
            .iter()
            .fold(0.0_f64, |m, x| m.max(x.abs()));
        for i in 0..3 {
            for j in 0..3 {
                if !((block[i][j] + inertia * u[i] * w[j]).abs() <= 1e-9 * size) {
                    return Err(refused(a, b, bodies));
                }
                own[a].1[i][j] -= inertia * u[i] * u[j];
                own[b].1[i][j] -= inertia * w[i] * w[j];
            }
        }
        armatures.push((body, inertia));
    }
    let inertia = |(mass, i): &(f64, Block)| {
        let moments = Sym3 {
            xx: i[0][0],
            yy: i[1][1],
            zz: i[2][2],
            xy: i[0][1],
            xz: i[0][2],
            yz: i[1][2],
        };
        Inertia::about_centre(*mass, Vec3::ZERO, moments)
    };
    Ok(Inertias {
        bodies: own.iter().map(inertia).collect(),
        armatures,
    })
}

/// The body that a hinge of the tree between two bodies carries, and the axis on each of them, in the same
/// direction.
fn hinge(
    a: usize,
    b: usize,
    joints: &[Connection],
    topology: &Topology,
    frames: &[geometry::Frame],
) -> Option<(usize, [[f64; 3]; 2])> {
    let carried = topology.order.iter().find_map(|(body, carrier)| {
        let Support::Joint { joint, .. } = carrier else {
            return None;
        };
        let ends = [joints[*joint].a, joints[*joint].b];
        let theirs = ends == [a + 1, b + 1] || ends == [b + 1, a + 1];
        theirs.then_some((*body, &joints[*joint]))
    });
    let (body, joint) = carried?;
    let hinge = joint.hinge.as_ref()?;
    if !matches!(
        hinge.pair,
        Pair::Moves(Mobility::Revolute | Mobility::Screw { .. })
    ) {
        return None;
    }
    let [mut u, mut w] = hinge.frames.map(|f| f.r.z.array());
    if joint.a != a + 1 {
        (u, w) = (w, u);
    }
    let [on_a, on_b] = [(a, u), (b, w)].map(|(body, u)| frames[body].pose.direction(u));
    if dot(on_a, on_b) < 0.0 {
        w = w.map(|x| -x);
    }
    Some((body, [u, w]))
}

fn refused(a: usize, b: usize, bodies: &[Carried]) -> ModelError {
    let [a, b] = [a, b].map(|i| bodies[i].name.as_str());
    let message = format!(
        "in joint coordinates a rotor between `{a}` and `{b}` must sit on a hinge of the tree that joins them, about \
         its axis"
    );
    ModelError::new(message).with_help(
        "give the rotor the axis of the hinge, cut another joint (`cut`), or run in absolute coordinates",
    )
}
