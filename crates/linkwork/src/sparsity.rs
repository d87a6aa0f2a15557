//! The iteration matrix of a run at its start: unknowns, entries, column groups, fill of its factors, its
//! condition.
//!
//! It is the matrix that a run factors. Where a system hands over derivatives as auxiliary equations
//! ([`linkwork_dae::auxiliary`]), their unknowns follow those of the formulation. Groups of columns are for
//! differences, which need stored blocks: such a matrix has none.

mod drawing;

use linkwork_dae::formulation::Formulation;
use linkwork_dae::implicit::Implicit;
use linkwork_dae::initial::Start;
use linkwork_dae::jacobian::differences::Differences;
use linkwork_dae::jacobian::groups::Groups;
use linkwork_dae::linear::{LinearSolver, Pattern, Work};
use linkwork_dae::recipe::Recipe;
use linkwork_dae::state::{Link, State, Tolerances, Weights};
use linkwork_dae::system::{Blocks, EvalError, Part, Parts, Row, Rows, System, Terms};

use crate::settings::Settings;

/// Unknowns of one kind that stand beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// "positions", "velocities", "multipliers", "states" or "auxiliary".
    pub kind: &'static str,
    /// How many there are.
    pub count: usize,
}

/// The word for unknowns of a local relation behind full blocks.
pub const AUXILIARY: &str = "auxiliary";

/// Columns that differences can move together.
#[derive(Clone, Debug)]
pub struct Grouping {
    /// Group of each column of the matrix: no row meets two columns of a group.
    pub group: Vec<u32>,
    /// Number of groups of its columns.
    pub groups: usize,
    /// Most entries of a row, which no grouping can go below.
    pub fullest_row: usize,
    /// Variables that differences move one by one (positions, velocities, states).
    pub variables: usize,
    /// Groups in which they can be moved.
    pub variable_groups: usize,
}

/// What is known about the iteration matrix.
#[derive(Clone, Debug)]
pub struct Sparsity {
    /// Its pattern.
    pub pattern: Pattern,
    /// Its unknowns, in order.
    pub sections: Vec<Section>,
    /// Groups of columns; `None` where the matrix has auxiliary unknowns.
    pub grouping: Option<Grouping>,
    /// Entries of both factors at the start; `None` when the matrix is singular there.
    pub factor: Option<usize>,
    /// What these factors took, and what solves with them take.
    pub work: Work,
    /// Condition number of the matrix in the 1-norm, each row divided by its largest entry, for the step of a hundredth of
    /// what the motion takes; `None` where it was not asked for or is singular. Corrections of steps, which are in units of positions,
    /// are rounded by about this many units of the last place.
    pub condition: Option<f64>,
}

/// Most unknowns for which the condition number is found: it takes a solve each.
const JUDGED: usize = 5000;

/// The matrix that a run with these settings would factor, from its start; `None` for methods that
/// need none.
pub fn sparsity(
    sys: &mut dyn System,
    settings: &Settings,
    start: &Start,
) -> Result<Option<Sparsity>, EvalError> {
    look(sys, settings, &start.state, (&start.rows, Judged::Usual))
}

/// Condition number for a step of this length from a state; `None` where the matrix is singular, cannot be found, or is too
/// large to be judged.
pub(crate) fn condition_at(
    sys: &mut dyn System,
    settings: &Settings,
    state: &State,
    rows: &Rows,
    step: f64,
) -> Option<f64> {
    let found = look(sys, settings, state, (rows, Judged::Step(step)));
    found.ok().flatten()?.condition
}

/// The step that the condition is found for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Judged {
    /// It is not asked for.
    No,
    /// A hundredth of what the motion takes.
    Usual,
    /// This one, s.
    Step(f64),
}

/// The same from any state, for rows that are kept, without its condition.
pub(crate) fn of(
    sys: &mut dyn System,
    settings: &Settings,
    state: &State,
    rows: &Rows,
) -> Result<Option<Sparsity>, EvalError> {
    look(sys, settings, state, (rows, Judged::No))
}

fn look(
    sys: &mut dyn System,
    settings: &Settings,
    state: &State,
    (rows, judged): (&Rows, Judged),
) -> Result<Option<Sparsity>, EvalError> {
    sys.structure(settings.recipe.reader(sys));
    let recipe = &settings.recipe;
    let Some(mut implicit) = recipe.implicit(sys) else {
        return Ok(None);
    };
    implicit.bind(sys, rows);
    let found = match sys.stage_form_mut() {
        Some(form) => of_stage(form, implicit, recipe, (state, judged)),
        None => of_stage(sys, implicit, recipe, (state, judged)),
    };
    found.map(Some)
}

fn of_stage(
    sys: &mut dyn System,
    implicit: Implicit,
    recipe: &Recipe,
    (state, judged): (&State, Judged),
) -> Result<Sparsity, EvalError> {
    let Implicit {
        mut form, matrix, ..
    } = implicit;
    let (pattern, mut solver) = (matrix.pattern, matrix.solver);
    let (blocks, grouping) = if sys.facts().auxiliary.is_some() {
        (exact_blocks(sys, form.parts(), state)?, None)
    } else {
        let mut differences = Differences::new(sys, form.parts());
        let grouping = grouping(&pattern, &mut differences);
        (blocks(sys, &mut differences, state)?, Some(grouping))
    };
    let mut weights = Weights::new(sys, &recipe.plan.tolerances);
    let rate = match judged {
        Judged::Step(h) => 1.0 / h,
        // any step will do: a hundredth of what the motion takes
        Judged::Usual | Judged::No => 100.0 * weights.start(state),
    };
    let link = Link {
        qdot: rate,
        vdot: rate,
    };
    let mut values = vec![0.0; pattern.nnz()];
    // about its own base a chart does not bend
    let bend = vec![0.0; sys.chart().map_or(0, |chart| chart.pattern().len())];
    form.combine(&blocks, &bend, link, &mut values);
    let factor = solver.factor(&values).ok().map(|info| info.nnz);
    let work = solver.work();
    let judged = judged != Judged::No && factor.is_some() && pattern.n <= JUDGED;
    Ok(Sparsity {
        sections: sections(&form, pattern.n),
        grouping,
        factor,
        work,
        condition: judged.then(|| condition(&pattern, &values, &mut *solver)),
        pattern,
    })
}

/// `|B|_1 |B^-1|_1` for `B = R A`, `R` the inverse of the largest entries of the rows: columns of `B^-1` are those of
/// `A^-1` divided by `R`.
fn condition(pattern: &Pattern, values: &[f64], solver: &mut dyn LinearSolver) -> f64 {
    let n = pattern.n;
    let mut largest = vec![0.0f64; n];
    for (row, x) in pattern.row.iter().zip(values) {
        let most = &mut largest[*row as usize];
        *most = most.max(x.abs());
    }
    let (mut norm, mut inverse) = (0.0f64, 0.0f64);
    let mut column = vec![0.0; n];
    for j in 0..n {
        let entries = pattern.span(j);
        let sum = entries.map(|k| (values[k] / largest[pattern.row[k] as usize]).abs());
        norm = norm.max(sum.sum());
        column.fill(0.0);
        column[j] = largest[j];
        solver.solve(&mut column);
        inverse = inverse.max(column.iter().map(|x| x.abs()).sum());
    }
    norm * inverse
}

fn grouping(pattern: &Pattern, differences: &mut Differences) -> Grouping {
    let groups = Groups::of_pattern(pattern.n, pattern.n, &entries(pattern));
    differences.groups_mut().use_all();
    let variable_groups = differences.groups_mut().colour();
    Grouping {
        group: groups.of().to_vec(),
        groups: groups.count(),
        fullest_row: groups.bound(),
        variables: differences.columns(),
        variable_groups: variable_groups.min(differences.columns()),
    }
}

/// Runs of unknowns of one kind.
fn sections(form: &Formulation, n: usize) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for index in 0..n {
        let kind = match form.unknown(index) {
            _ if index >= form.size() => AUXILIARY,
            Row::Position(_) => "positions",
            Row::Velocity(_) => "velocities",
            Row::Constraint(_) => "multipliers",
            Row::State(_) => "states",
        };
        match sections.last_mut() {
            Some(last) if last.kind == kind => last.count += 1,
            _ => sections.push(Section { kind, count: 1 }),
        }
    }
    sections
}

/// (row, column) of every entry.
pub fn entries(pattern: &Pattern) -> Vec<(u32, u32)> {
    let column = |j: usize| pattern.span(j).map(move |k| (pattern.row[k], j as u32));
    (0..pattern.n).flat_map(column).collect()
}

/// The given blocks, and those that constraints are made of.
fn needed(sys: &dyn System, parts: Parts) -> Parts {
    Part::ALL
        .into_iter()
        .filter(|part| sys.patterns().of_constraints().has(*part))
        .fold(parts | Part::Mass, |all, part| all | part)
}

/// Values of the blocks at the start.
fn exact_blocks(sys: &mut dyn System, parts: Parts, state: &State) -> Result<Blocks, EvalError> {
    let mut blocks = Blocks::new(sys.patterns());
    let parts = needed(sys, parts);
    sys.linearise(&state.at(), &mut Terms::default(), parts, &mut blocks)?;
    Ok(blocks)
}

/// The same, by columns where the system has none.
fn blocks(
    sys: &mut dyn System,
    differences: &mut Differences,
    state: &State,
) -> Result<Blocks, EvalError> {
    let parts = needed(sys, differences.parts());
    if parts.without(sys.facts().exact).is_empty() {
        return exact_blocks(sys, differences.parts(), state);
    }
    let mut blocks = Blocks::new(sys.patterns());
    let (at, none) = (state.at(), Terms::default());
    let mut w = Weights::new(sys, &Tolerances::relative(1e-6));
    w.start(state);
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
    /// Number of auxiliary unknowns, which come last.
    pub fn auxiliary(&self) -> usize {
        let of = self.sections.iter().filter(|s| s.kind == AUXILIARY);
        of.map(|s| s.count).sum()
    }

    /// Whether an entry belongs to an auxiliary unknown or its equation.
    fn is_auxiliary(&self, row: u32, column: u32) -> bool {
        row.max(column) as usize >= self.pattern.n - self.auxiliary()
    }

    /// How derivatives are handed over: "stored" blocks, or "augmented" by auxiliary equations.
    pub fn form(&self) -> &'static str {
        match self.auxiliary() {
            0 => "stored",
            _ => "augmented",
        }
    }

    /// The numbers in words, one line each: (name, value).
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let Pattern { n, .. } = self.pattern;
        let nnz = self.pattern.nnz();
        let share = 100.0 * nnz as f64 / ((n * n).max(1)) as f64;
        let unknowns = self.sections.iter().map(|s| match s.kind {
            AUXILIARY => format!("{} auxiliary (motions and forces of bodies)", s.count),
            kind => format!("{} {kind}", s.count),
        });
        let mut lines = vec![
            ("matrix", format!("{n} x {n}, {nnz} entries ({share:.1} %)")),
            ("unknowns", unknowns.collect::<Vec<_>>().join(", ")),
        ];
        if let Some(g) = &self.grouping {
            lines.push((
                "groups",
                format!(
                    "{} of {n} columns; fullest row {} entries",
                    g.groups, g.fullest_row
                ),
            ));
            lines.push((
                "differences",
                format!(
                    "{} residuals in groups, {} column by column",
                    g.variable_groups, g.variables
                ),
            ));
        } else {
            let words = "do not apply: differences take stored blocks";
            lines.push(("groups", words.to_string()));
        }
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
        if let Some(condition) = self.condition {
            let lost = condition * f64::EPSILON;
            lines.push((
                "condition",
                format!("{condition:.1e}; rounding leaves {lost:.0e} of a correction"),
            ));
        }
        lines
    }

    /// The pattern as rows of characters, at most `width` wide; larger matrices are shrunk. Entries of
    /// auxiliary unknowns and equations are `a`, others `x`.
    pub fn text(&self, width: usize) -> String {
        let n = self.pattern.n;
        let cell = n.div_ceil(width.max(1)).max(1);
        let cells = n.div_ceil(cell);
        let mut rows = vec![vec!['.'; cells]; cells];
        for (i, j) in entries(&self.pattern) {
            let place = &mut rows[i as usize / cell][j as usize / cell];
            if !self.is_auxiliary(i, j) {
                *place = 'x';
            } else if *place == '.' {
                *place = 'a';
            }
        }
        let line = |row: Vec<char>| row.into_iter().collect::<String>() + "\n";
        rows.into_iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::linear::DenseLu;

    /// `B = [1 1/2; 1/3 1]`: norms 3/2 and 9/5, however the first row is measured.
    #[test]
    fn the_condition_does_not_depend_on_units_of_rows() {
        let pattern = Pattern::from_entries(2, &[(0, 0), (1, 0), (0, 1), (1, 1)]);
        for unit in [1.0, 1e6] {
            let values = [2.0 * unit, 1.0, unit, 3.0];
            let mut solver = DenseLu::new();
            solver.analyse(&pattern, &[]);
            solver.factor(&values).unwrap();
            let found = condition(&pattern, &values, &mut solver);
            assert!((found - 2.7).abs() < 1e-12, "{found}");
        }
    }
}
