//! How far a square constraint Jacobian is from singular, and which side of it.

use crate::dense::Matrix;
use crate::system::Rows;

/// Rows up to which the pose is examined in every step.
const LARGEST: usize = 300;

/// What an elimination with full pivoting tells about a square Jacobian.
#[derive(Clone, Debug, PartialEq)]
pub struct Examination {
    /// Whether the determinant is positive; it changes its sign where a singular pose is passed.
    pub positive: bool,
    /// Smallest over largest pivot of the scaled matrix.
    pub smallest: f64,
    /// Position among the kept rows of the equation that is most dependent on the others.
    pub row: usize,
    /// Coordinate that is least determined.
    pub coordinate: usize,
}

/// Examines the kept rows of `C_q`, given in pattern order; `None` when there are too many.
pub(super) fn examine(
    pattern: &[(u32, u32)],
    c_q: &[f64],
    rows: &Rows,
    scale: &[f64],
) -> Option<Examination> {
    let n = rows.c.len();
    if n == 0 || n > LARGEST || n != scale.len() {
        return None;
    }
    let mut a = Matrix::zero(n, n);
    for (&(i, j), x) in pattern.iter().zip(c_q) {
        if let Ok(k) = rows.c.binary_search(&i) {
            a[(k, j as usize)] += x * scale[j as usize];
        }
    }
    for i in 0..n {
        let norm = a.row(i).iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm > 0.0 {
            for j in 0..n {
                a[(i, j)] /= norm;
            }
        }
    }
    let mut row: Vec<usize> = (0..n).collect();
    let mut column: Vec<usize> = (0..n).collect();
    let mut positive = true;
    let (mut largest, mut smallest) = (0.0f64, f64::INFINITY);
    let mut last = (0, 0);
    for k in 0..n {
        let mut best = (k, k, 0.0);
        for i in k..n {
            for j in k..n {
                let x = a[(row[i], column[j])].abs();
                if x > best.2 {
                    best = (i, j, x);
                }
            }
        }
        let (i, j, size) = best;
        positive ^= i != k;
        positive ^= j != k;
        row.swap(k, i);
        column.swap(k, j);
        let pivot = a[(row[k], column[k])];
        positive ^= pivot < 0.0;
        largest = largest.max(size);
        if size < smallest {
            smallest = size;
            last = (row[k], column[k]);
        }
        if size == 0.0 {
            break;
        }
        for &i in &row[k + 1..] {
            let l = a[(i, column[k])] / pivot;
            if l != 0.0 {
                for &j in &column[k..] {
                    let u = a[(row[k], j)];
                    a[(i, j)] -= l * u;
                }
            }
        }
    }
    Some(Examination {
        positive,
        smallest: if largest > 0.0 {
            smallest / largest
        } else {
            0.0
        },
        row: last.0,
        coordinate: last.1,
    })
}
