//! Joints that nothing resists: the mass matrix over the joint coordinates.

use super::build::turned_inertia;
use super::robot::{Kind, Link, Robot};
use super::start::{self, Values, coordinates};
use super::topology::Tree;
use linkwork_dae::rotation::matrix;
use linkwork_mbs::ModelError;
use linkwork_mbs::geometry::{Vector, apply, apply_transposed, cross, dot};

/// Whether inertia about some axis may be missing.
fn may_lack_inertia(link: &Link) -> bool {
    let Some(inertial) = &link.inertial else {
        return true;
    };
    let [x, y, z] = inertial.inertia;
    let size = x[0].max(y[1]).max(z[2]);
    let determinant = dot(x, cross(y, z));
    !(inertial.mass > 0.0 && determinant > 1e-12 * size * size * size)
}

/// Refuses joints that nothing resists: the mass matrix over the joint coordinates in the start
/// pose must have a Cholesky factorisation. Needed only where a link lacks inertia.
pub(super) fn check(robot: &Robot, tree: &Tree, values: &Values) -> Result<(), Vec<ModelError>> {
    let moving = |i: &usize| robot.joints[*i].kind != Kind::Fixed;
    let root = values.base.is_some().then_some(tree.root);
    let children = tree
        .joints
        .iter()
        .filter(|i| moving(i))
        .map(|&i| robot.joints[i].child);
    if !root
        .into_iter()
        .chain(children)
        .any(|link| may_lack_inertia(&robot.links[link]))
    {
        return Ok(());
    }
    // Each coordinate in turn moves with unit speed; what energy couples two of them.
    let mut still = values.clone();
    still
        .joints
        .iter_mut()
        .chain(&mut still.base)
        .for_each(|v| v.rate = [0.0; 6]);
    let mut columns: Vec<(Option<usize>, Vec<Twist>)> = Vec::new();
    if let Some(base) = still.base {
        for k in 0..6 {
            let mut values = still.clone();
            let mut value = base;
            value.rate[k] = 1.0;
            values.base = Some(value);
            columns.push((None, twists(robot, tree, &values)));
        }
    }
    for &i in &tree.joints {
        for k in 0..coordinates(robot.joints[i].kind).len() {
            let mut values = still.clone();
            values.joints[i].rate[k] = 1.0;
            columns.push((Some(i), twists(robot, tree, &values)));
        }
    }
    let n = columns.len();
    let mut l = vec![vec![0.0; n]; n];
    for j in 0..n {
        for i in j..n {
            let energy: f64 = (columns[i].1.iter().zip(&columns[j].1))
                .map(|(a, b)| a.mass * dot(a.velocity, b.velocity) + dot(a.momentum, b.spin))
                .sum();
            let known: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            if i > j {
                l[i][j] = (energy - known) / l[j][j];
            } else if energy - known > 1e-12 * energy {
                l[j][j] = (energy - known).sqrt();
            } else {
                return Err(vec![without_inertia(robot, tree, columns[j].0, energy)]);
            }
        }
    }
    Ok(())
}

fn without_inertia(robot: &Robot, tree: &Tree, joint: Option<usize>, energy: f64) -> ModelError {
    let help = "give the link an <inertial>, or make the joint fixed";
    let Some(joint) = joint.map(|i| &robot.joints[i]) else {
        let link = &robot.links[tree.root];
        let message = format!("link `{}` floats without inertia", link.name);
        return ModelError::new(message)
            .at(link.span.clone())
            .with_help(help);
    };
    let (name, link) = (&joint.name, &robot.links[joint.child]);
    let message = if energy > 0.0 {
        format!(
            "joint `{name}` moves nothing that the joints before it do not move in the same way: \
             a link between them, or `{}`, lacks inertia",
            link.name
        )
    } else {
        format!(
            "joint `{name}`: nothing resists its motion, since the link `{}` and what it carries \
             have no inertia about its axis",
            link.name
        )
    };
    ModelError::new(message)
        .at(joint.span.clone())
        .with_related(link.span.clone(), "this link")
        .with_help(help)
}

/// How a link moves, in body axes for rotations.
struct Twist {
    mass: f64,
    velocity: Vector,
    spin: Vector,
    momentum: Vector,
}

fn twists(robot: &Robot, tree: &Tree, values: &Values) -> Vec<Twist> {
    let states = start::states(robot, tree, values);
    let heavy = robot.links.iter().zip(&states);
    heavy
        .filter_map(|(link, state)| {
            let inertial = link.inertial.as_ref()?;
            let inertia = turned_inertia(&inertial.inertia, &inertial.origin);
            let spin = apply_transposed(&matrix(state.frame.turn), state.spin);
            Some(Twist {
                mass: inertial.mass,
                velocity: state.velocity_at(state.frame.point(inertial.origin.at)),
                spin,
                momentum: apply(&inertia, spin),
            })
        })
        .collect()
}
