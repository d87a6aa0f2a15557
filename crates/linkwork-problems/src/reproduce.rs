//! Published tables and figures, computed again.
//!
//! A study runs what a publication ran and lays its numbers beside the printed ones. Measured values
//! are always computed by the run; where a source prints no number the paper's side stays empty.
//! What is known to be misprinted is said in the notes of a study.

mod arnold;
mod behind;
pub mod coupling;
mod crank;
mod hmmwv;
mod orders;
mod rosenbrock;
mod scaling;
pub mod spikes;
mod squeezer;
mod store;

pub use behind::{Behind, Reason};
pub use linkwork::plot::{Axis, Curve, Figure};
pub use store::store;

/// A study by name.
#[derive(Clone, Copy)]
pub struct StudyEntry {
    /// Name on the command line.
    pub id: &'static str,
    /// One line for lists.
    pub title: &'static str,
    /// The publication.
    pub source: &'static str,
    /// Computes it, or says what went wrong.
    pub run: fn() -> Result<Study, String>,
    /// A shorter form with the same rows, where the whole takes minutes.
    pub brief: Option<fn() -> Result<Study, String>>,
    /// Why values are worse than printed, where they are.
    pub reasons: &'static [Reason],
}

/// Every study.
pub static STUDIES: &[StudyEntry] = &[
    StudyEntry {
        id: "bottasso-fig2-4",
        title: "rounding of index-3 equations under three scalings, squeezing mechanism",
        source: "Bottasso, Dopico & Trainelli, On the optimal scaling of index three DAEs in \
                 multibody dynamics, Multibody System Dynamics 19 (2008) 3-20",
        run: scaling::study,
        brief: None,
        reasons: &[],
    },
    StudyEntry {
        id: "arnold-table1",
        title: "column groups and recombined Jacobians on a railway carriage",
        source: "Arnold, Fuchs & Fuehrer 2006, corrector iteration in multibody dynamics, table 1, \
                 figures 3 to 5",
        run: arnold::train::study,
        brief: None,
        reasons: arnold::train::REASONS,
    },
    StudyEntry {
        id: "arnold-table2",
        title: "Jacobians updated along the excitations on a chain of pendulums",
        source: "Arnold, Fuchs & Fuehrer 2006, corrector iteration in multibody dynamics, table 2, \
                 figure 7",
        run: arnold::chain::study,
        brief: None,
        reasons: arnold::chain::REASONS,
    },
    StudyEntry {
        id: "arnold-table3",
        title: "Jacobians updated along the steering on a passenger car",
        source: "Arnold, Fuchs & Fuehrer 2006, corrector iteration in multibody dynamics, table 3",
        run: arnold::car::study,
        brief: None,
        reasons: arnold::car::REASONS,
    },
    StudyEntry {
        id: "meyer-orders",
        title: "local errors of explicit co-simulation and their estimates, two masses",
        source: "Meyer et al., error estimation and macro-step control of explicit co-simulation",
        run: coupling::study,
        brief: None,
        reasons: &[],
    },
    StudyEntry {
        id: "ren-zhou-table5",
        title: "steps and times of the integrators on the squeezing mechanism",
        source: "Ren & Zhou 2020, integrators for multibody systems, table 5",
        run: squeezer::study,
        brief: None,
        reasons: &[],
    },
    StudyEntry {
        id: "ren-zhou-table6",
        title: "steps, orders and spikes of accelerations on the elastic slider crank",
        source: "Ren & Zhou 2020, integrators for multibody systems, table 6, figures 6 and 7",
        run: crank::study,
        brief: None,
        reasons: crank::REASONS,
    },
    StudyEntry {
        id: "order-rules",
        title: "forms of backward differentiation and rules for its order",
        source: "Gear 1971 (DIFSUB); Skelboe 1977; Stewart 1990; Brenan, Campbell & Petzold 1996 (DASSL); \
                 Shampine & Reichelt 1997 (NDF); Ren & Zhou 2020",
        run: orders::study,
        brief: None,
        reasons: &[],
    },
    StudyEntry {
        id: "negrut-tables4-6",
        title: "errors and steps of Rosenbrock-Nystrom on the stiff double pendulum",
        source: "Negrut, Sandu, Haug, Potra & Sandu 2003, A Rosenbrock-Nystrom state space implicit \
                 approach for the dynamic analysis of mechanical systems II, tables 4 to 6",
        run: rosenbrock::study,
        brief: None,
        reasons: rosenbrock::REASONS,
    },
    StudyEntry {
        id: "negrut-tables7-8",
        title: "explicit and Rosenbrock-Nystrom steps of a stiff vehicle over a bump",
        source: "Negrut, Sandu, Haug, Potra & Sandu 2003, A Rosenbrock-Nystrom state space implicit \
                 approach for the dynamic analysis of mechanical systems II, tables 7 and 8, figure 4",
        run: hmmwv::study,
        brief: Some(hmmwv::brief),
        reasons: &[],
    },
];

/// What a study found.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Names of the values of a row.
    pub columns: Vec<&'static str>,
    /// The table.
    pub rows: Vec<StudyRow>,
    /// How it was measured, and what the publication misprints.
    pub notes: Vec<String>,
    /// The figures.
    pub figures: Vec<Figure>,
}

/// A row of a table: what is printed and what was measured, one entry for each column.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRow {
    /// What the row is about.
    pub label: String,
    /// Values of the publication; `None`: not printed, or not known here.
    pub paper: Vec<Option<f64>>,
    /// Values of this run; `None`: could not be measured.
    pub measured: Vec<Option<f64>>,
}

impl StudyRow {
    /// The measured value in a column of the study.
    pub fn measured_in(&self, study: &Study, column: &str) -> Option<f64> {
        let i = study.columns.iter().position(|c| *c == column)?;
        self.measured.get(i).copied().flatten()
    }
}

/// Slope of the least-squares line through (log x, log y): the exponent of a power law.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs = points.iter().map(|(x, y)| (x.log10(), y.log10()));
    let (sx, sy) = logs.clone().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let (mx, my) = (sx / n, sy / n);
    let (xy, xx) = logs.fold((0.0, 0.0), |s, (x, y)| {
        (s.0 + (x - mx) * (y - my), s.1 + (x - mx) * (x - mx))
    });
    xy / xx
}

/// The first `n` values of a reference table (component, value).
fn reference(text: &str, n: usize) -> Vec<f64> {
    text.lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1)?.parse().ok())
        .take(n)
        .collect()
}

/// Correct digits of the worst entry: `-log10` of the largest relative error.
fn digits(x: &[f64], exact: &[f64]) -> f64 {
    let errors = x.iter().zip(exact).map(|(x, e)| ((x - e) / e).abs());
    -errors.fold(0.0, f64::max).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (i, e) in STUDIES.iter().enumerate() {
            assert!(STUDIES[..i].iter().all(|other| other.id != e.id));
        }
    }

    #[test]
    fn exponent_of_a_power_law() {
        let points: Vec<(f64, f64)> = [1.0f64, 0.1, 0.003]
            .iter()
            .map(|&h| (h, 7.0 * h.powf(-1.5)))
            .collect();
        assert!((exponent(&points) + 1.5).abs() < 1e-12);
    }
}
