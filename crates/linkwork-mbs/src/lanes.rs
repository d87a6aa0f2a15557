//! Columns of an element that exist, as lanes of dual numbers.
//!
//! An element between two bodies has twelve columns, six freedoms for each body; the ground has none
//! of them, a body in the x-y plane three, and an angle between two bodies knows their turns alone. Work with dual
//! numbers grows with their lanes, so elements are evaluated with three, six or twelve. Lanes are independent: how
//! many there are changes no bit.

/// Columns of an element: six for each body.
pub const COLUMNS: usize = 12;

/// A lane that does not exist.
const NONE: usize = usize::MAX;

/// The lanes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Lane of each freedom of body a, then of body b; beyond the last one where there is none.
    pub of: [[usize; 6]; 2],
    /// Column of each lane.
    columns: [u8; COLUMNS],
    count: usize,
}

impl Lanes {
    /// All twelve.
    pub const ALL: Lanes = Lanes {
        of: [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]],
        columns: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        count: COLUMNS,
    };

    /// The turns of both bodies.
    pub(crate) const TURNS: Lanes = Lanes {
        of: [[NONE, NONE, NONE, 0, 1, 2], [NONE, NONE, NONE, 3, 4, 5]],
        columns: [3, 4, 5, 9, 10, 11, 0, 0, 0, 0, 0, 0],
        count: 6,
    };

    /// Those of the columns that exist; all of them where that saves nothing.
    pub fn new(exists: impl Fn(usize) -> bool) -> Lanes {
        let existing: Vec<usize> = (0..COLUMNS).filter(|j| exists(*j)).collect();
        if existing.len() > COLUMNS / 2 {
            return Lanes::ALL;
        }
        let mut lanes = Lanes {
            of: [[NONE; 6]; 2],
            columns: [0; COLUMNS],
            count: existing.len(),
        };
        for (lane, j) in existing.into_iter().enumerate() {
            lanes.of[j / 6][j % 6] = lane;
            lanes.columns[lane] = j as u8;
        }
        lanes
    }

    /// Those of two bodies that have all freedoms of space, or of the x-y plane.
    pub fn of_free(flat: bool) -> Lanes {
        match flat {
            true => Lanes::new(|j| matches!(j % 6, 0 | 1 | 5)),
            false => Lanes::ALL,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The column of each.
    #[inline]
    pub(crate) fn columns(&self) -> &[u8] {
        &self.columns[..self.count]
    }

    /// Puts the derivatives of `N` lanes into their columns; others become zero.
    #[inline]
    pub fn spread<const N: usize>(&self, d: &[f64; N]) -> [f64; COLUMNS] {
        let mut out = [0.0; COLUMNS];
        if N == COLUMNS {
            out.copy_from_slice(d);
        } else {
            for (x, column) in d.iter().zip(self.columns()) {
                out[usize::from(*column)] = *x;
            }
        }
        out
    }

    /// The same with a row for each lane.
    #[inline]
    pub fn spread_rows<const N: usize>(&self, rows: &[[f64; N]; N]) -> [[f64; COLUMNS]; COLUMNS] {
        let mut out = [[0.0; COLUMNS]; COLUMNS];
        if N == COLUMNS {
            for (out, row) in out.iter_mut().zip(rows) {
                *out = self.spread(row);
            }
        } else {
            for (row, column) in rows.iter().zip(self.columns()) {
                out[usize::from(*column)] = self.spread(row);
            }
        }
        out
    }
}

/// Calls a function of a number of lanes with as many as are needed.
macro_rules! with_lanes {
    ($lanes:expr, $f:ident($($argument:expr),*)) => {
        match $lanes.count() {
            0..=3 => $f::<3, _>($($argument),*),
            4..=6 => $f::<6, _>($($argument),*),
            _ => $f::<12, _>($($argument),*),
        }
    };
}
pub(crate) use with_lanes;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_find_their_columns() {
        let flat = |j: usize| [0, 1, 5, 6, 7, 11].contains(&j);
        let lanes = Lanes::new(flat);
        assert_eq!((lanes.count(), lanes.of[0][5], lanes.of[1][0]), (6, 2, 3));
        assert_eq!(lanes, Lanes::of_free(true));
        let row = lanes.spread(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!((row[5], row[6], row[2]), (3.0, 4.0, 0.0));
        assert_eq!(Lanes::new(|j| j != 3), Lanes::ALL);
        let one = Lanes::new(|j| j >= 9);
        assert_eq!((one.count(), one.spread(&[7.0, 8.0, 9.0])[10]), (3, 8.0));
    }
}
