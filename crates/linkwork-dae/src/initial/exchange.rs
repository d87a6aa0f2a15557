//! Other rows of a redundant system than those at work.

use super::least_change::LeastChange;
use super::rank;
use crate::system::System;

/// How much farther from dependent others must be. A step leads about as far as the rows last.
const WORTH_IT: f64 = 3.0;

/// As many rows of those in force as are kept, farther from dependent than these; `None`: there are none.
/// Values of `C_q` are in the order of its pattern.
pub(crate) fn other_rows(
    sys: &dyn System,
    c_q: &[f64],
    in_force: &[usize],
    kept: &[u32],
) -> Option<Vec<u32>> {
    let weight = vec![1.0; sys.dims().nv];
    let among = |rows: &[usize]| {
        let scaled = LeastChange::new(sys, rows, &weight).scaled_rows(c_q);
        rank::analyse(&scaled, &[]).among(rows)
    };
    let at_work: Vec<usize> = kept.iter().map(|&row| row as usize).collect();
    let (now, best) = (among(&at_work), among(in_force));
    let dependent = now.kept.len() < at_work.len();
    let better = dependent || best.smallest() > WORTH_IT * now.smallest();
    (best.kept.len() == kept.len() && better)
        .then(|| best.kept.iter().map(|&row| row as u32).collect())
}
