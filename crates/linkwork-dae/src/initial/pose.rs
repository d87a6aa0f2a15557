//! Redundant rows or a singular pose?
//!
//! Both lower the rank of `C_q`. A redundant row stays dependent on the whole constraint manifold;
//! at a singular pose the dependence is gone as soon as the mechanism moves. So the pose is shaken
//! by a thousandth of the scales, put back onto the kept constraints (without that, redundant rows
//! look independent, because their dependence holds only on the manifold) and analysed again.

use super::assemble::{Ending, Noise, Place, assemble};
use super::least_change::LeastChange;
use super::rank::{self, Rank};
use crate::chart;
use crate::system::System;

/// Size of the shake relative to the coordinate scales.
const SHAKE: f64 = 1e-3;
const SAMPLES: u64 = 3;

/// The largest rank found near a pose, when larger than at the pose.
pub(super) struct Neighbourhood {
    /// Kept rows there; they contain those of the pose.
    pub kept: Vec<usize>,
    /// Rows that are independent there and dependent at the pose.
    pub regained: Vec<usize>,
    /// Smallest relative pivot of the regained rows.
    pub pivot: f64,
}

/// Analyses the neighbourhood of `q`, whose rank is `here`. `None`: the rank is the same all
/// around.
pub(super) fn explore(
    sys: &mut dyn System,
    place: Place<'_>,
    q: &[f64],
    here: &Rank,
) -> Option<Neighbourhood> {
    let dims = sys.dims();
    let weight = vec![1.0; dims.nq];
    // only holonomic rows have a position to be projected onto
    let holonomic = here.kept.partition_point(|&i| i < dims.nc);
    let mut kept = LeastChange::new(sys, &here.kept[..holonomic], &weight);
    let all: Vec<usize> = sys.facts().lasting().collect();
    let full = LeastChange::new(sys, &all, &weight);
    let mut prefer = vec![false; dims.rows()];
    for &i in &here.kept {
        prefer[i] = true;
    }
    let preferred: Vec<bool> = all.iter().map(|&i| prefer[i]).collect();
    let mut best: Option<(Rank, f64)> = None;
    for seed in 1..=SAMPLES {
        let mut noise = Noise::new(seed);
        let moves: Vec<f64> = (full.scale().iter())
            .map(|s| SHAKE * s * noise.next())
            .collect();
        let mut shaken = q.to_vec();
        chart::advance(sys, &mut shaken, &moves);
        let Ok(sample) = assemble(sys, place, &shaken, &mut kept, holonomic) else {
            continue;
        };
        if sample.ending != Ending::Closed {
            continue;
        }
        let there = rank::analyse(&full.scaled_rows(&sample.c_q), &preferred).among(&all);
        let pivot = there
            .kept
            .iter()
            .zip(&there.pivots)
            .filter(|(i, _)| !prefer[**i])
            .map(|(_, p)| *p)
            .fold(1.0, f64::min);
        let (known, clear) = best
            .as_ref()
            .map_or((here.kept.len(), 1.0), |b| (b.0.kept.len(), b.1));
        if there.kept.len() > known || (there.kept.len() == known && pivot > clear) {
            best = Some((there, pivot));
        }
    }
    best.map(|(there, pivot)| Neighbourhood {
        regained: there.kept.iter().copied().filter(|&i| !prefer[i]).collect(),
        kept: there.kept,
        pivot,
    })
}
