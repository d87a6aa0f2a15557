//! Axes of rotating bodies that turn from stage to stage.
//!
//! All stages share one matrix, with blocks of one stage. Over a step a body turns by an angle, and
//! blocks in its axes at one stage are wrong by that angle at another. So force and kinematic rows of
//! a rotation are seen in the axes of the reference stage before stages are mixed, and increments are turned
//! back after: with constraints this contracts ten times faster. Free bodies do better in their own axes,
//! with the bend of the chart in the matrix.

use crate::chart::Chart;
use crate::system::{Part, System};

/// Turning of every rotation at every stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    /// First coordinate of each rotation that is turned, with its place in the pattern of the chart.
    turned: Vec<(usize, usize)>,
    /// First unknowns of the sections that are vectors of the tangent.
    sections: Vec<usize>,
    /// Configuration of the reference stage.
    pub reference: Vec<f64>,
    stages: Vec<Vec<f64>>,
}

impl Frames {
    pub fn new(sys: &dyn System, sections: Vec<usize>, stages: usize) -> Frames {
        let pattern = sys.chart().map_or(Vec::new(), Chart::pattern);
        let (blocks, _) = pattern.as_chunks::<9>();
        let constrained = |first: u32| {
            let mut columns = sys.patterns()[Part::Cq].iter().map(|&(_, j)| j);
            columns.any(|j| (first..first + 3).contains(&j))
        };
        let firsts = blocks.iter().map(|block| block[0].0).enumerate();
        let turned = firsts.filter(|(_, first)| constrained(*first));
        Frames {
            turned: turned.map(|(k, first)| (first as usize, k)).collect(),
            sections,
            reference: vec![0.0; sys.dims().nq],
            stages: vec![vec![0.0; pattern.len()]; stages],
        }
    }

    /// Whether nothing is turned.
    pub fn is_empty(&self) -> bool {
        self.turned.is_empty()
    }

    /// Leaves the bend of rotations that are turned out.
    pub fn straighten(&self, bend: &mut [f64]) {
        let (blocks, _) = bend.as_chunks_mut::<9>();
        for &(_, k) in &self.turned {
            blocks[k] = [0.0; 9];
        }
    }

    /// Finds the axes of a stage.
    pub fn find(&mut self, chart: &dyn Chart, stage: usize, q: &[f64]) {
        chart.transport(q, &self.reference, &mut self.stages[stage]);
    }

    /// Turns the rows of a stage into the axes of the reference stage.
    pub fn forth(&self, stage: usize, rows: &mut [f64]) {
        self.turn(stage, rows, |m, i, j| m[3 * i + j]);
    }

    /// Turns unknowns in the axes of the reference stage into those of a stage.
    pub fn back(&self, stage: usize, unknowns: &mut [f64]) {
        self.turn(stage, unknowns, |m, i, j| m[3 * j + i]);
    }

    fn turn(&self, stage: usize, x: &mut [f64], entry: impl Fn(&[f64; 9], usize, usize) -> f64) {
        let (blocks, _) = self.stages[stage].as_chunks::<9>();
        for &(first, k) in &self.turned {
            for section in &self.sections {
                let at = section + first;
                let old = [x[at], x[at + 1], x[at + 2]];
                for i in 0..3 {
                    x[at + i] = (0..3).map(|j| entry(&blocks[k], i, j) * old[j]).sum();
                }
            }
        }
    }
}
