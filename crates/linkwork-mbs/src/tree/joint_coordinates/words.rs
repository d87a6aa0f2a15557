//! The tree of a mechanism, its unknowns and equations in words.

use super::{JointCoordinates, Layout, Owner};
use crate::tree::Tree;
use crate::tree::topology::Support;
use linkwork_dae::system::{Row, System};

/// One body with what carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The body.
    pub body: String,
    /// The body that carries it; "ground" at a root.
    pub on: String,
    /// Name and kind of the joint; `None` for a body that floats.
    pub joint: Option<(String, String)>,
    /// Its coordinates in words.
    pub coordinates: Vec<&'static str>,
}

/// A mechanism as a tree with cut joints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Bodies, parents first.
    pub branches: Vec<Branch>,
    /// Name and kind of the joints that stay equations, with their number of equations.
    pub cut: Vec<(String, String, usize)>,
    /// Number of joint coordinates.
    pub coordinates: usize,
    /// Number of equations that remain.
    pub constraints: usize,
}

impl Outline {
    pub(super) fn new(layout: &Layout, tree: &Tree) -> Outline {
        let mut next = 0;
        let mut branches = Vec::new();
        for &(body, carrier) in &layout.topology.order {
            let (on, joint) = match carrier {
                Support::Joint { joint, .. } => {
                    let link = |body: usize| layout.links.iter().find(|l| l.body == body);
                    // a body that hangs on a perch of its own is carried by what that is carried by
                    let by = link(body).and_then(|l| match l.perch {
                        Some(_) => link(l.parent?)?.parent,
                        None => l.parent,
                    });
                    let on = by.map_or("ground", |p| &layout.movers[p].name);
                    let joint = &layout.joints[joint];
                    (on, Some((joint.name.clone(), joint.kind.to_string())))
                }
                Support::Float => ("ground", None),
            };
            let mut coordinates = Vec::new();
            if let Some(last) = layout.nodes[body] {
                for node in next..=last {
                    let kind = tree.joint(node);
                    coordinates.extend((0..kind.dof()).map(|k| word(layout, tree, node, k)));
                }
                next = next.max(last + 1);
            }
            coordinates.extend(std::iter::repeat_n("mode", layout.bodies[body].modes));
            branches.push(Branch {
                body: layout.bodies[body].name.clone(),
                on: on.to_string(),
                joint,
                coordinates,
            });
        }
        let cut = (layout.joints.iter().zip(&layout.topology.in_tree))
            .filter(|(_, in_tree)| !**in_tree)
            .map(|(j, _)| {
                let rows = j.rows.len() + j.velocity_rows.len();
                (j.name.clone(), j.kind.to_string(), rows)
            });
        Outline {
            branches,
            cut: cut.collect(),
            coordinates: layout.dims.nv,
            constraints: layout.dims.rows(),
        }
    }
}

/// What a coordinate of a body of the tree is.
fn word(layout: &Layout, tree: &Tree, node: usize, k: usize) -> &'static str {
    let pair = node > 0 && layout.owners[node] == layout.owners[node - 1];
    let first_of_pair = layout.owners.get(node + 1) == Some(&layout.owners[node]);
    match layout.owners[node] {
        Owner::Body(_) if first_of_pair => "x",
        Owner::Body(_) if pair => "y",
        _ => tree.joint(node).word(k),
    }
}

impl JointCoordinates {
    fn node_and_word(&self, i: usize) -> Option<(Owner, &'static str)> {
        if i >= self.layout.joint_coordinates {
            return None;
        }
        let node = self.layout.node_of[i] as usize;
        let k = i - self.tree.dofs(node).start;
        let owner = self.layout.owners[node];
        Some((owner, word(&self.layout, &self.tree, node, k)))
    }

    fn name(&self, owner: Owner) -> (&'static str, &str) {
        match owner {
            Owner::Mobility(j) => ("joint", &self.layout.joints[j].name),
            Owner::Body(b) | Owner::Perch(b) => ("body", &self.layout.bodies[b].name),
        }
    }

    /// The coordinate of the assembly that an amplitude is.
    pub(super) fn amplitude(&self, i: usize) -> Option<usize> {
        let mut left = i.checked_sub(self.layout.joint_coordinates)?;
        for body in &self.layout.bodies {
            if left < body.modes {
                return Some(body.first + body.freedoms.len() + left);
            }
            left -= body.modes;
        }
        None
    }

    /// The row of the assembly behind a constraint row.
    pub(super) fn inner_row(&self, i: usize) -> Row {
        Row::Constraint(self.layout.rows.get(i).map_or(usize::MAX, |i| *i as usize))
    }

    pub(super) fn words(&self, row: Row) -> String {
        let coordinate = |i: usize, rate: &str| match self.node_and_word(i) {
            Some((owner, word)) => {
                let (what, name) = self.name(owner);
                format!("{what} `{name}`, {word}{rate}")
            }
            None => format!("{row:?}, which does not exist"),
        };
        match row {
            Row::Position(i) | Row::Velocity(i) if self.amplitude(i).is_some() => {
                let inner = self.amplitude(i).unwrap_or(i);
                let row = match row {
                    Row::Position(_) => Row::Position(inner),
                    _ => Row::Velocity(inner),
                };
                self.assembly.facts().names.describe(row)
            }
            Row::Position(i) => coordinate(i, ""),
            Row::Velocity(i) => coordinate(i, " velocity"),
            Row::Constraint(i) => self.assembly.facts().names.describe(self.inner_row(i)),
            Row::State(_) => self.assembly.facts().names.describe(row),
        }
    }

    pub(super) fn part(&self, row: Row) -> String {
        match row {
            Row::Position(i) | Row::Velocity(i) => match self.node_and_word(i) {
                Some((owner, _)) => self.name(owner).1.to_string(),
                None => match self.amplitude(i) {
                    Some(i) => self.assembly.facts().names.owner(Row::Position(i)),
                    None => "unknown".to_string(),
                },
            },
            Row::Constraint(i) => self.assembly.facts().names.owner(self.inner_row(i)),
            Row::State(_) => self.assembly.facts().names.owner(row),
        }
    }
}
