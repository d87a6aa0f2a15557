//! The configuration moved by a step along the tangent.

/// `q` moved by `share` times the step `d`.
pub(crate) fn displace(q: &mut [f64], d: &[f64], share: f64) {
    for (q, d) in q.iter_mut().zip(d) {
        *q += share * d;
    }
}
