//! Eigenvalues of two small symmetric matrices, `K x = w^2 M x`, by Cholesky and Jacobi's rotations.

/// A square matrix by rows.
pub(super) type Square = Vec<Vec<f64>>;

/// Eigenvalues from below, with vectors of unit mass; `None` where `M` is not positive definite.
pub(super) fn eigen(k: &Square, m: &Square) -> Option<Vec<(f64, Vec<f64>)>> {
    let n = k.len();
    let l = cholesky(m)?;
    // A = L^-1 K L^-T, a column at a time
    let mut half: Square = (0..n)
        .map(|j| forward(&l, &(0..n).map(|i| k[i][j]).collect::<Vec<_>>()))
        .collect();
    half = (0..n)
        .map(|i| forward(&l, &half.iter().map(|column| column[i]).collect::<Vec<_>>()))
        .collect();
    let (values, vectors) = jacobi(half);
    let mut pairs: Vec<(f64, Vec<f64>)> = values
        .into_iter()
        .zip(vectors)
        .map(|(value, vector)| (value, backward(&l, vector)))
        .collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(pairs)
}

/// The lower triangle `L` with `L L' = m`.
pub(super) fn cholesky(m: &Square) -> Option<Square> {
    let n = m.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|p| l[i][p] * l[j][p]).sum();
            let left = m[i][j] - known;
            if i == j {
                if !(left > 1e-14 * m[i][i] && left.is_finite()) {
                    return None;
                }
                l[i][i] = left.sqrt();
            } else {
                l[i][j] = left / l[j][j];
            }
        }
    }
    Some(l)
}

/// `L x = b`.
fn forward(l: &Square, b: &[f64]) -> Vec<f64> {
    let mut x: Vec<f64> = Vec::with_capacity(b.len());
    for (row, b) in l.iter().zip(b) {
        let known: f64 = row.iter().zip(&x).map(|(l, x)| l * x).sum();
        let pivot = row[x.len()];
        x.push((b - known) / pivot);
    }
    x
}

/// `L' x = b`.
fn backward(l: &Square, mut x: Vec<f64>) -> Vec<f64> {
    for i in (0..x.len()).rev() {
        let known: f64 = (i + 1..x.len()).map(|p| l[p][i] * x[p]).sum();
        x[i] = (x[i] - known) / l[i][i];
    }
    x
}

/// Eigenvalues and vectors of a symmetric matrix: rotations in turn until nothing is left beside the diagonal.
fn jacobi(mut a: Square) -> (Vec<f64>, Square) {
    let n = a.len();
    let mut v: Square = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    let whole: f64 = a.iter().flatten().map(|x| x * x).sum();
    for _ in 0..60 {
        let beside = |a: &Square| -> f64 {
            (0..n)
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .map(|(i, j)| a[i][j] * a[i][j])
                .sum()
        };
        if beside(&a) <= 1e-34 * whole {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                for i in 0..n {
                    let (x, y) = (a[p][i], a[q][i]);
                    (a[p][i], a[q][i]) = (c * x - s * y, s * x + c * y);
                }
                for i in 0..n {
                    let (x, y) = (v[p][i], v[q][i]);
                    (v[p][i], v[q][i]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_satisfy_their_equation() {
        let entry = |i: usize, j: usize| ((i * j + 1) as f64).sin() + ((i + j) as f64).cos();
        let n = 7;
        let with = |scale: f64| -> Square {
            let root: Square = (0..n)
                .map(|i| (0..n).map(|j| scale * entry(i, j)).collect())
                .collect();
            let product = |i: usize, j: usize| (0..n).map(|k| root[i][k] * root[j][k]).sum::<f64>();
            (0..n)
                .map(|i| {
                    (0..n)
                        .map(|j| product(i, j) + f64::from(u8::from(i == j)))
                        .collect()
                })
                .collect()
        };
        let (k, m) = (with(2.0), with(0.3));
        let pairs = eigen(&k, &m).unwrap();
        assert!(pairs.windows(2).all(|p| p[0].0 <= p[1].0));
        for (value, x) in &pairs {
            let times = |m: &Square| -> Vec<f64> {
                m.iter()
                    .map(|row| row.iter().zip(x).map(|(m, x)| m * x).sum())
                    .collect()
            };
            let (kx, mx) = (times(&k), times(&m));
            for (a, b) in kx.iter().zip(&mx) {
                assert!((a - value * b).abs() < 1e-12 * (1.0 + a.abs()));
            }
            let mass: f64 = x.iter().zip(&mx).map(|(x, m)| x * m).sum();
            assert!((mass - 1.0).abs() < 1e-12);
        }
        assert!(eigen(&k, &vec![vec![0.0; n]; n]).is_none());
    }
}
