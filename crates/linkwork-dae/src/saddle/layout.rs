//! Where the entries of the acceleration-level system lie.

use super::Saddle;
use super::tableau::Tableau;
use crate::law::{Bond, Tie};
use crate::linear::Pattern;
use crate::system::{Part, Rows, System};

/// An entry of `C_q` in a row whose multiplier follows that of a kept one.
#[derive(Clone, Copy, Debug)]
pub(super) struct TiedEntry {
    pub value: usize,
    pub row: usize,
    pub column: usize,
    pub slot: usize,
    pub ratio: f64,
}

/// An entry of `C_q` in a kept row: index in the pattern, row of the matrix, column, both slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct CqEntry {
    pub value: usize,
    pub row: usize,
    pub column: usize,
    pub lower: usize,
    pub upper: usize,
}

impl Saddle {
    /// Lays out the matrix for a system and its kept rows.
    pub(crate) fn bind(&mut self, sys: &dyn System, rows: &Rows) {
        let dims = sys.dims();
        let n = dims.nv + rows.c.len();
        let patterns = sys.patterns();
        let mut place = vec![None; dims.rows()];
        for (k, &i) in rows.c.iter().enumerate() {
            if let Some(p) = place.get_mut(i as usize) {
                *p = Some(dims.nv + k);
            }
        }
        self.coordinate_scale.clone_from(&sys.facts().scale);
        let scale = &self.coordinate_scale[..dims.nv];
        let mut tableau = Tableau::new(sys, &place, n, scale);
        let mass_at = patterns[Part::Mass].clone();
        let mut entries = mass_at.clone();
        // The diagonal is always stored: it takes the shift of the null-vector and minimum-norm
        // solves, which must not change the pattern.
        entries.extend((0..n as u32).map(|i| (i, i)));
        let kept: Vec<(usize, usize, usize)> = patterns[Part::Cq]
            .iter()
            .enumerate()
            .filter_map(|(k, &(i, j))| Some((k, place.get(i as usize).copied()??, j as usize)))
            .collect();
        match &tableau {
            Some(tableau) => entries.extend(tableau.positions()),
            None => {
                for &(_, i, j) in &kept {
                    entries.push((i as u32, j as u32));
                    entries.push((j as u32, i as u32));
                }
            }
        }
        let own = |row: u32| {
            let all = patterns[Part::Cq].iter().enumerate();
            all.filter(move |(_, e)| e.0 == row)
                .map(|(k, e)| (k, e.1 as usize))
        };
        let (mut given_entry, mut tied) = (Vec::new(), Vec::new());
        for tie in &rows.ties {
            match tie.to {
                Bond::Capacity { .. } | Bond::Reaction { .. } => {
                    given_entry.extend(own(tie.row).map(|(k, j)| (k, tie.row as usize, j)));
                }
                Bond::Follows { row, ratio } => {
                    let Some(to) = place.get(row as usize).copied().flatten() else {
                        continue;
                    };
                    tied.extend(own(tie.row).map(|(k, j)| (k, to, j, ratio)));
                }
            }
        }
        entries.extend(tied.iter().map(|&(_, to, j, _)| (j as u32, to as u32)));
        let order = n + tableau.as_ref().map_or(0, Tableau::unknowns);
        let pattern = Pattern::from_entries(order, &entries);
        if let Some(tableau) = &mut tableau {
            tableau.finish(&pattern);
        }
        self.tableau = tableau;
        self.generators = vec![0.0; sys.facts().auxiliary.as_ref().map_or(0, |a| a.base)];
        let slot = |i: usize, j: usize| pattern.slot(i as u32, j as u32).unwrap_or(0);
        self.solver.analyse(&pattern, &[]);
        if let Some(tableau) = &self.tableau {
            self.solver.suggest(tableau.order());
        }
        self.dims = dims;
        self.rows.clone_from(&rows.c);
        self.mass_slot = mass_at
            .iter()
            .map(|&(i, j)| slot(i as usize, j as usize))
            .collect();
        self.c_q_entry = kept
            .iter()
            .map(|&(value, row, column)| CqEntry {
                value,
                row,
                column,
                lower: slot(row, column),
                upper: slot(column, row),
            })
            .collect();
        self.given_entry = given_entry;
        self.tied_entry = tied
            .iter()
            .map(|&(value, row, column, ratio)| TiedEntry {
                value,
                row,
                column,
                slot: slot(column, row),
                ratio,
            })
            .collect();
        self.ties.clone_from(&rows.ties);
        self.capacity = vec![0.0; rows.ties.len()];
        self.given = vec![0.0; dims.rows()];
        self.diagonal_slot = (0..n).map(|i| slot(i, i)).collect();
        self.values = vec![0.0; pattern.nnz()];
        self.equilibration = vec![1.0; n];
        self.mass = vec![0.0; mass_at.len()];
        self.mass_at = mass_at;
        self.c_q = vec![0.0; patterns[Part::Cq].len()];
        self.force = vec![0.0; dims.nv];
        self.constraint = vec![0.0; dims.rows()];
        self.f = vec![0.0; dims.nx];
        self.rhs = vec![0.0; order];
        let follows = |tie: &Tie| matches!(tie.to, Bond::Reaction { .. });
        self.reactive = !patterns[Part::Rl].is_empty() || rows.ties.iter().any(follows);
    }
}
