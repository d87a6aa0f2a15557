//! Static equilibrium of a model: pose, reactions, what holds it.

use crate::doubts::Doubt;
use crate::explain::{self, Explanation};
use crate::notes::Note;
use crate::plural::count;
use crate::run::Verdict;
use crate::simulation::Simulation;
use crate::start::about_start;
use crate::store::{StoreError, write};
use linkwork_dae::equilibrium::{Direction, EquilibriumError, equilibrium};
use linkwork_dae::initial::Start;
use linkwork_dae::state::State;
use linkwork_dae::system::{Channel, System};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::path::Path;

/// Name of the file with all values.
pub const VALUES_FILE: &str = "equilibrium.csv";
/// Name of the file with the outcome.
pub const OUTCOME_FILE: &str = "equilibrium.json";

/// Values of all channels at one state, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Names and units.
    pub channels: Vec<Channel>,
    /// Values.
    pub values: Vec<f64>,
}

impl Values {
    /// Observes a state.
    pub fn of(sys: &mut dyn System, state: &State) -> Values {
        let mut values = vec![0.0; sys.channels().len()];
        sys.observe(state, &mut values);
        Values {
            channels: sys.channels().to_vec(),
            values,
        }
    }

    /// The value of a channel.
    pub fn get(&self, name: &str) -> Option<f64> {
        let i = self.channels.iter().position(|c| c.name == name)?;
        self.values.get(i).copied()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        for (channel, value) in self.channels.iter().zip(&self.values) {
            map.serialize_entry(&channel.name, value)?;
        }
        map.end()
    }
}

/// The outcome of a search for equilibrium; serialises to the object of `--json`.
#[derive(Clone, Debug, Serialize)]
pub struct Balance {
    /// Name of the model.
    pub model: String,
    /// What it is worth: degraded when the pose is not stable.
    pub verdict: Verdict,
    /// What speaks against it.
    pub doubts: Vec<Doubt>,
    /// What should be known beside it.
    pub notes: Vec<Note>,
    /// Time at which drives stand, s.
    pub t: f64,
    /// Degrees of freedom; `None` without a start.
    pub dof: Option<usize>,
    /// "stable", "neutral" or "unstable"; `None` without balance.
    pub stability: Option<&'static str>,
    /// Coordinates of directions without stiffness.
    pub neutral: Vec<String>,
    /// Coordinates of directions with negative stiffness.
    pub unstable: Vec<String>,
    /// Largest unbalanced force relative to the largest at work; `None` without balance.
    pub residual: Option<f64>,
    /// Steps taken.
    pub steps: usize,
    /// All channels at the pose, or at the last one that was tried.
    pub values: Values,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Explanation>,
    /// Files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// All channels at the start.
    #[serde(skip)]
    pub start: Values,
    /// The state of balance.
    #[serde(skip)]
    pub state: Option<State>,
}

/// Unknowns up to which the search is repeated in the other coordinates.
const REPEATED: usize = 500;
/// Places that differ by less of the size of the mechanism are the same.
const SAME_PLACE: f64 = 1e-4;

/// Finds the equilibrium that the start of a model settles to. Which of several that is may hang on the path of the
/// search: it is repeated in the other coordinates, and told where that ends elsewhere.
pub fn balance(simulation: &mut Simulation) -> Balance {
    let mut found = search(simulation);
    let is_found = |b: &Balance| b.state.is_some() && b.neutral.is_empty();
    if is_found(&found)
        && simulation.system().dims().nv <= REPEATED
        && let Some(mut other) = simulation.in_other_coordinates()
    {
        let again = search(&mut other);
        let apart = found.apart(&again).filter(|_| is_found(&again));
        let stability = again.stability.unwrap_or_default();
        let coordinates = other.given().coordinates.clone().unwrap_or_default();
        let several = apart.map(|(channel, mine, theirs)| Note::SeveralEquilibria {
            coordinates,
            stability,
            channel,
            places: [mine, theirs],
        });
        found.notes.extend(several);
    }
    found
}

fn search(simulation: &mut Simulation) -> Balance {
    let mut outcome = Balance {
        model: simulation.name().to_string(),
        verdict: Verdict::Failed,
        doubts: Vec::new(),
        notes: Vec::new(),
        t: simulation.system().facts().guess.t,
        dof: None,
        stability: None,
        neutral: Vec::new(),
        unstable: Vec::new(),
        residual: None,
        steps: 0,
        values: Values::default(),
        failure: None,
        files: Vec::new(),
        start: Values::default(),
        state: None,
    };
    let start = match simulation.start() {
        Ok(start) => start,
        Err(why) => {
            let sys = simulation.system();
            if let Some(state) = why.state() {
                outcome.values = Values::of(sys, state);
            }
            outcome.failure = Some(explain::no_start(sys, &why));
            return outcome;
        }
    };
    let sys = simulation.system();
    outcome.start = Values::of(sys, &start.state);
    outcome.dof = Some(start.report.dof);
    (outcome.doubts, _) = about_start(sys, &start.report, false);
    // what is sought is another pose anyway
    (outcome.doubts).retain(|doubt| !matches!(doubt, Doubt::StartChanged(_)));
    settle(sys, &start, &mut outcome);
    outcome
}

fn settle(sys: &mut dyn System, start: &Start, outcome: &mut Balance) {
    let found = match equilibrium(sys, start) {
        Ok(found) => found,
        Err(why) => {
            if let Some(state) = why.state() {
                outcome.values = Values::of(sys, state);
            }
            outcome.failure = Some(explain(sys, &why, start.state.t));
            return;
        }
    };
    let names = |list: &[Direction]| list.iter().map(|d| sys.describe(d.row)).collect();
    outcome.neutral = names(&found.support.neutral);
    outcome.unstable = names(&found.support.unstable);
    outcome.stability = Some(found.support.word());
    outcome.residual = Some(found.residual);
    outcome.steps = found.steps;
    if !outcome.unstable.is_empty() {
        outcome
            .doubts
            .push(Doubt::Unstable(outcome.unstable.clone()));
    }
    if !outcome.neutral.is_empty() {
        outcome.doubts.push(Doubt::Neutral(outcome.neutral.clone()));
    }
    outcome.verdict = Verdict::of(false, &outcome.doubts);
    outcome.values = Values::of(sys, &found.state);
    outcome.state = Some(found.state);
}

fn explain(sys: &dyn System, why: &EquilibriumError, t: f64) -> Explanation {
    let (cause, advice) = match why {
        EquilibriumError::Eval { source, .. } => (
            format!("no value: {source}"),
            vec!["look at the part that is named: its formulas have no value in this pose".into()],
        ),
        EquilibriumError::NoDerivatives => (
            "the system gives no derivatives of its forces".to_string(),
            vec!["simulate it with damping until it rests".into()],
        ),
        EquilibriumError::Unsupported { directions: d, .. } => {
            let names: Vec<String> = d.iter().map(|d| sys.describe(d.row)).collect();
            (
                format!(
                    "a force acts where nothing holds against it, in {}: {}",
                    count(d.len() as u64, "direction", "directions"),
                    names.join("; ")
                ),
                {
                    let mut owners: Vec<String> = d.iter().map(|d| sys.owner(d.row)).collect();
                    owners.sort();
                    owners.dedup();
                    (owners.iter())
                        .map(|owner| format!("attach `{owner}` with a joint or a spring, or remove what pushes it (gravity, forces)").into())
                        .collect()
                },
            )
        }
        EquilibriumError::NotBalanced {
            row,
            residual,
            steps,
            ..
        } => (
            format!(
                "no balance was found in {}; furthest from it is {} (residual {residual:.1e} of the largest force)",
                count(*steps, "step", "steps"),
                sys.describe(*row)
            ),
            vec![
                format!("look at the forces on `{}`: there may be no pose in which they balance", sys.owner(*row)).into(),
                "start nearer to the pose you expect: a simulation with dampers shows where it goes".into(),
            ],
        ),
    };
    Explanation {
        t,
        cause: format!("no equilibrium. {cause}"),
        attempts: Vec::new(),
        advice,
    }
}

impl Balance {
    /// The length in which another balance is furthest from this one, and its values in both; `None` where they are
    /// the same.
    fn apart(&self, other: &Balance) -> Option<(String, f64, f64)> {
        let mine = self.values.channels.iter().zip(&self.values.values);
        let lengths = mine.filter(|(c, _)| c.unit == "m");
        let both = lengths.filter_map(|(c, x)| Some((c, *x, other.values.get(&c.name)?)));
        let both: Vec<(&Channel, f64, f64)> = both.collect();
        let size = (both.iter()).fold(0.0f64, |m, (_, x, y)| m.max(x.abs()).max(y.abs()));
        let away = |(_, x, y): &(&Channel, f64, f64)| (x - y).abs();
        let worst = both.iter().max_by(|a, b| away(a).total_cmp(&away(b)))?;
        let differs = away(worst) > SAME_PLACE * size;
        differs.then(|| (worst.0.name.clone(), worst.1, worst.2))
    }

    /// The object as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Writes all values with their units and the outcome; names the files.
    pub fn store(&mut self, dir: &Path) -> Result<(), StoreError> {
        make_dir(dir)?;
        for file in [VALUES_FILE, OUTCOME_FILE] {
            self.files.push(dir.join(file).display().to_string());
        }
        write(dir, VALUES_FILE, |out| {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(["name", "value", "unit"])?;
            for (c, x) in self.values.channels.iter().zip(&self.values.values) {
                csv.write_record([&c.name, &format!("{x:?}"), &c.unit])?;
            }
            csv.flush()
        })?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        write(dir, OUTCOME_FILE, |out| writeln!(out, "{text}"))
    }

    /// Lengths and angles that differ from the start, largest change first.
    pub fn moved(&self) -> Vec<(&Channel, f64)> {
        const ROUNDING: f64 = 1e-9;
        let ends = self.values.values.iter().zip(&self.start.values);
        let mut moves: Vec<(&Channel, f64)> = (self.values.channels.iter().zip(ends))
            .filter(|(c, _)| c.unit == "m" || c.unit == "rad")
            .map(|(c, (to, from))| (c, to - from))
            .filter(|(_, d)| d.abs() > ROUNDING)
            .collect();
        moves.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        moves
    }
}

pub(crate) fn make_dir(dir: &Path) -> Result<(), StoreError> {
    std::fs::create_dir_all(dir).map_err(|source| StoreError {
        path: dir.to_path_buf(),
        source,
    })
}
