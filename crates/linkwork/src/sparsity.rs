//! The iteration matrix of a model at its start: entries, column groups, fill of its factors.

use linkwork_dae::formulation::Means;
use linkwork_dae::initial::Start;
use linkwork_dae::jacobian::differences::Differences;
use linkwork_dae::jacobian::groups::Groups;
use linkwork_dae::linear::Pattern;
use linkwork_dae::state::{Link, Tolerances, Weights};
use linkwork_dae::system::{Blocks, EvalError, Part, System, Terms};

use crate::settings::Settings;

/// What is known about the iteration matrix.
#[derive(Clone, Debug)]
pub struct Sparsity {
    /// Its pattern.
    pub pattern: Pattern,
    /// Group of each of its columns: no row meets two columns of a group.
    pub group: Vec<u32>,
    /// Number of groups of its columns.
    pub groups: usize,
    /// Most entries of a row, which no grouping can go below.
    pub fullest_row: usize,
    /// Variables that differences move one by one (positions, velocities, states).
    pub variables: usize,
    /// Groups in which they can be moved.
    pub variable_groups: usize,
    /// Entries of both factors at the start; `None` when the matrix is singular there.
    pub factor: Option<usize>,
}

/// The matrix that a run with these settings would factor, from its start; `None` for methods that
/// need none.
pub fn sparsity(
    sys: &mut dyn System,
    settings: &Settings,
    start: &Start,
) -> Result<Option<Sparsity>, EvalError> {
    if let Some(form) = sys.stage_form_mut() {
        return sparsity(form, settings, start);
    }
    let Means::Placement(build) = settings.formulation.means else {
        return Ok(None);
    };
    sys.store_blocks();
    let mut form = build(settings.tuning.scaling);
    let (pattern, bodies) = form.bind(sys, &start.rows);
    let entries = entries(&pattern);
    let groups = Groups::of_pattern(pattern.n, pattern.n, &entries);
    let mut differences = Differences::new(sys, form.parts());
    differences.groups_mut().use_all();
    let variable_groups = differences.groups_mut().colour();
    let blocks = blocks(sys, &mut differences, start)?;
    let mut weights = Weights::new(sys, &Tolerances::relative(settings.rtol));
    // any step will do: a hundredth of what the motion takes
    let rate = 100.0 * weights.start(sys, &start.state);
    let link = Link {
        qdot: rate,
        vdot: rate,
    };
    let mut values = vec![0.0; pattern.nnz()];
    // about its own base a chart does not bend
    let bend = vec![0.0; sys.chart().map_or(0, |chart| chart.pattern().len())];
    form.combine(&blocks, &bend, link, &mut values);
    let mut solver = (settings.linear.build)();
    solver.analyse(&pattern, &bodies);
    let factor = solver.factor(&values).ok().map(|info| info.nnz);
    Ok(Some(Sparsity {
        group: groups.of().to_vec(),
        groups: groups.count(),
        fullest_row: groups.bound(),
        variables: differences.columns(),
        variable_groups: variable_groups.min(differences.columns()),
        factor,
        pattern,
    }))
}

/// (row, column) of every entry.
pub fn entries(pattern: &Pattern) -> Vec<(u32, u32)> {
    let column = |j: usize| pattern.span(j).map(move |k| (pattern.row[k], j as u32));
    (0..pattern.n).flat_map(column).collect()
}

/// Values of the blocks at the start, by columns where the system has none.
fn blocks(
    sys: &mut dyn System,
    differences: &mut Differences,
    start: &Start,
) -> Result<Blocks, EvalError> {
    let mut blocks = Blocks::new(sys.patterns());
    let (at, none) = (start.state.at(), Terms::default());
    let needed = differences.parts() | Part::Mass;
    let needed = Part::ALL
        .into_iter()
        .filter(|part| sys.patterns().of_constraints().has(*part))
        .fold(needed, |all, part| all | part);
    if needed.without(sys.exact_parts()).is_empty() {
        sys.linearise(&at, &mut Terms::default(), needed, &mut blocks)?;
        return Ok(blocks);
    }
    let mut w = Weights::new(sys, &Tolerances::relative(1e-6));
    w.start(sys, &start.state);
    let (mass, c_q) = blocks.mass_and_c_q();
    let mut want = Terms {
        mass: Some(mass),
        c_q: Some(c_q),
        ..Terms::default()
    };
    sys.eval(&at, &mut want)?;
    differences.by_columns(sys, &at, &w, &none, false, Some(&mut blocks))?;
    Ok(blocks)
}

impl Sparsity {
    /// The numbers in words, one line each: (name, value).
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let Pattern { n, .. } = self.pattern;
        let nnz = self.pattern.nnz();
        let share = 100.0 * nnz as f64 / ((n * n).max(1)) as f64;
        let mut lines = vec![
            ("matrix", format!("{n} x {n}, {nnz} entries ({share:.1} %)")),
            (
                "groups",
                format!(
                    "{} of {n} columns; fullest row {} entries",
                    self.groups, self.fullest_row
                ),
            ),
            (
                "differences",
                format!(
                    "{} residuals in groups, {} column by column",
                    self.variable_groups, self.variables
                ),
            ),
        ];
        lines.push((
            "factors",
            match self.factor {
                Some(factor) => {
                    let fill = factor as f64 / nnz.max(1) as f64;
                    format!("{factor} entries, {fill:.2} times those of the matrix")
                }
                None => "none: the matrix is singular at the start".to_string(),
            },
        ));
        lines
    }

    /// The pattern as rows of characters, at most `width` wide; larger matrices are shrunk.
    pub fn text(&self, width: usize) -> String {
        let n = self.pattern.n;
        let cell = n.div_ceil(width.max(1)).max(1);
        let cells = n.div_ceil(cell);
        let mut rows = vec![vec!['.'; cells]; cells];
        for (i, j) in entries(&self.pattern) {
            rows[i as usize / cell][j as usize / cell] = 'x';
        }
        let line = |row: Vec<char>| row.into_iter().collect::<String>() + "\n";
        rows.into_iter().map(line).collect()
    }
}
