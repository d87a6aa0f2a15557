//! Blocks with both sides along the tangent: `J' Y` by a sweep towards the roots.
//!
//! `Y`, such as `K J`, has six rows for each body and a column for each coordinate that moves the body
//! or one that it is coupled with. A column of `Y` is a force on the body, so columns are summed and
//! shifted towards the root as forces are, and only there multiplied by the motions of the joints. For
//! a chain of `N` bodies this takes `N^2` operations, not `N^3`.

use super::operators::{Body, Operator, Paths};
use super::spread::Place;
use crate::tree::{Kinematics, Tree, Vec3, Wrench};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One entry of a block of the assembly: a row of `Y` gets a multiple of a row of an operator.
#[derive(Clone, Copy, Debug)]
struct RowJob {
    from: u32,
    freedom: u32,
    other: u32,
    other_freedom: u32,
    /// First place in the list of columns.
    first: u32,
}

/// Jobs of one factor, sorted by bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Factor {
    jobs: Vec<RowJob>,
    /// Jobs of each body.
    of_body: Vec<Range<usize>>,
}

/// Columns of one body of the tree.
#[derive(Clone, Debug, Default)]
struct BodyColumns {
    /// Coordinates, ascending.
    list: Vec<u32>,
    /// First place in the lists of all bodies.
    first: usize,
    /// Where each column is among those of the parent; empty at a root.
    up: Vec<u32>,
    /// First entry of the block.
    entry: usize,
}

/// Layout and scratch of one block.
#[derive(Clone, Debug, Default)]
pub(super) struct Square {
    columns: Vec<BodyColumns>,
    /// Columns of a body's path among those of the body it is coupled with.
    maps: Vec<u32>,
    factors: Vec<Factor>,
    pattern: Vec<(u32, u32)>,
    y: Vec<f64>,
    z: Vec<Wrench>,
}

/// A tree and its bodies, placed.
#[derive(Clone, Copy)]
pub(super) struct Point<'a> {
    pub tree: &'a Tree,
    pub paths: &'a Paths,
    pub kin: &'a Kinematics,
    pub bodies: &'a [Body],
    /// The body of the tree that carries each body of the model.
    pub nodes: &'a [Option<usize>],
}

/// An entry of a block of the assembly: its number, row and column.
pub(super) type Entry = (usize, Place, Place);

impl Square {
    /// The block that is made of some blocks of the assembly, each with its entries. Bodies couple
    /// with themselves in any case.
    pub fn new(
        tree: &Tree,
        paths: &Paths,
        nodes: &[Option<usize>],
        factors: &[Vec<Entry>],
    ) -> Square {
        let mut sets: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); tree.bodies()];
        let own = (0..nodes.len()).map(|b| (b, b));
        let coupled = (factors.iter().flatten()).map(|(_, row, column)| (row.body, column.body));
        for (b, other) in own.chain(coupled) {
            if let Some(node) = nodes[b] {
                sets[node].extend(paths.of(other));
            }
        }
        // bodies of the tree that are no bodies of the model
        for (node, set) in sets.iter_mut().enumerate() {
            let mut at = Some(node);
            while let Some(n) = at {
                set.extend(tree.dofs(n).map(|k| k as u32));
                at = tree.parent(n);
            }
        }
        for node in (0..tree.bodies()).rev() {
            if let Some(parent) = tree.parent(node) {
                let set = sets[node].clone();
                sets[parent].extend(set);
            }
        }
        let lists: Vec<Vec<u32>> = (sets.into_iter())
            .map(|set| set.into_iter().collect())
            .collect();
        let mut square = Square::default();
        let mut first = 0;
        for (node, list) in lists.iter().enumerate() {
            let list = list.clone();
            let up = match tree.parent(node) {
                Some(p) => list.iter().map(|k| place_of(&lists[p], *k)).collect(),
                None => Vec::new(),
            };
            let entry = square.pattern.len();
            for k in tree.dofs(node) {
                square.pattern.extend(list.iter().map(|l| (k as u32, *l)));
            }
            let length = list.len();
            square.columns.push(BodyColumns {
                list,
                first,
                up,
                entry,
            });
            first += length;
        }
        let widest = square.columns.iter().map(|c| c.list.len()).max();
        square.y = vec![0.0; 6 * widest.unwrap_or(0)];
        square.z = vec![Wrench::ZERO; first];
        let mut known: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for entries in factors {
            let mut factor = Factor::default();
            let mut sorted = entries.clone();
            sorted.sort_by_key(|(_, row, _)| row.body);
            for (b, node) in nodes.iter().enumerate() {
                let start = factor.jobs.len();
                let from = sorted.partition_point(|(_, row, _)| row.body < b);
                let own = sorted[from..]
                    .iter()
                    .take_while(|(_, row, _)| row.body == b);
                for (from, row, column) in own {
                    let Some(node) = node else {
                        continue;
                    };
                    let first = *known.entry((*node, column.body)).or_insert_with(|| {
                        let first = square.maps.len() as u32;
                        let path = paths.of(column.body).iter();
                        square
                            .maps
                            .extend(path.map(|k| place_of(&lists[*node], *k)));
                        first
                    });
                    factor.jobs.push(RowJob {
                        from: *from as u32,
                        freedom: row.freedom as u32,
                        other: column.body as u32,
                        other_freedom: column.freedom as u32,
                        first,
                    });
                }
                factor.of_body.push(start..factor.jobs.len());
            }
            square.factors.push(factor);
        }
        square
    }

    /// (row, column) of the entries.
    pub fn pattern(&self) -> &[(u32, u32)] {
        &self.pattern
    }

    /// The entry of two coordinates of which one moves the other; `node` has the first.
    pub fn entry(&self, tree: &Tree, node: usize, row: usize, column: usize) -> Option<u32> {
        let c = &self.columns[node];
        let place = c.list.binary_search(&(column as u32)).ok()?;
        let line = row - tree.dofs(node).start;
        Some((c.entry + line * c.list.len() + place) as u32)
    }

    /// Fills the block: each factor with its operator and the values of its block of the assembly.
    pub fn run(&mut self, at: &Point<'_>, factors: &[(&Operator, &[f64])], out: &mut [f64]) {
        let Point {
            tree,
            paths,
            kin,
            bodies,
            nodes,
        } = *at;
        self.z.fill(Wrench::ZERO);
        for (b, body) in bodies.iter().enumerate() {
            let Some(node) = nodes[b] else {
                continue;
            };
            let columns = &self.columns[node];
            let length = columns.list.len();
            let y = &mut self.y[..6 * length];
            y.fill(0.0);
            for (factor, (operator, values)) in self.factors.iter().zip(factors) {
                for job in &factor.jobs[factor.of_body[b].clone()] {
                    let x = values[job.from as usize];
                    // entries of joints of the tree
                    if x == 0.0 {
                        continue;
                    }
                    let row = operator.row(paths, job.other as usize, job.other_freedom as usize);
                    let map = &self.maps[job.first as usize..][..row.len()];
                    let y = &mut y[job.freedom as usize * length..][..length];
                    for (at, o) in map.iter().zip(row) {
                        y[*at as usize] += x * o;
                    }
                }
            }
            let arm = body.p - kin.pose[node].p;
            for (l, z) in self.z[columns.first..][..length].iter_mut().enumerate() {
                let at = |f: usize| y[f * length + l];
                let force = Vec3::new(at(0), at(1), at(2));
                let torque = body.r.apply(Vec3::new(at(3), at(4), at(5)));
                *z += Wrench::new(torque, force).shifted_back(arm);
            }
        }
        for node in (0..tree.bodies()).rev() {
            let columns = &self.columns[node];
            let length = columns.list.len();
            let dofs = tree.dofs(node);
            let lines = out[columns.entry..].chunks_exact_mut(length.max(1));
            for (k, line) in dofs.zip(lines) {
                let s = kin.column[k];
                for (o, z) in line.iter_mut().zip(&self.z[columns.first..][..length]) {
                    *o = s.dot(*z);
                }
            }
            let Some(parent) = tree.parent(node) else {
                continue;
            };
            let arm = kin.pose[node].arm;
            let (head, tail) = self.z.split_at_mut(columns.first);
            let first = self.columns[parent].first;
            for (z, up) in tail[..length].iter().zip(&columns.up) {
                head[first + *up as usize] += z.shifted_back(arm);
            }
        }
    }
}

/// The place of a coordinate in an ascending list that has it.
fn place_of(list: &[u32], k: u32) -> u32 {
    list.partition_point(|x| *x < k) as u32
}
