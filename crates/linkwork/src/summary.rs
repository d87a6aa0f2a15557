//! The outcome of a run as one object: printed by `--json`, written as `summary.json`.

use crate::conditioning::Conditioning;
use crate::doubts::Doubt;
use crate::events::Mark;
use crate::explain::Explanation;
use crate::following::Excitations;
use crate::notes::Note;
use crate::run::{Run, Verdict};
use crate::verify::Verification;
use linkwork_dae::stats::Stats;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Events that are listed.
const LISTED: usize = 1000;

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Name of the file that holds the object.
pub const SUMMARY_FILE: &str = "summary.json";

/// The outcome of a run. Numbers without a value (NaN, no energy account) are null.
#[derive(Serialize)]
pub struct Summary<'a> {
    model: &'a str,
    verdict: Verdict,
    doubts: &'a [Doubt],
    #[serde(skip_serializing_if = "<[Note]>::is_empty")]
    notes: &'a [Note],
    method: Option<&'a str>,
    formulation: Option<&'a str>,
    coordinates: Option<&'a str>,
    jacobian: Option<&'a str>,
    linear: Option<&'a str>,
    rtol: Option<f64>,
    t_end: Option<f64>,
    dof: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restarted_at: Option<f64>,
    #[serde(rename = "final")]
    last: LastRow<'a>,
    constraint_residual: Residual,
    #[serde(skip_serializing_if = "Option::is_none")]
    conditioning: Option<Conditioning>,
    energy: Option<Energy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<&'a Verification>,
    stats: Counters,
    #[serde(skip_serializing_if = "Option::is_none")]
    excitations: Option<Excitations<'a>>,
    limiters: Vec<Share<'a>>,
    /// The first of them; a file holds all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<Mark>,
    #[serde(skip_serializing_if = "is_zero")]
    events_left_out: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a Explanation>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    files: &'a [String],
}

/// Channels of the last row, in the order of the table.
struct LastRow<'a>(&'a Run);

impl Serialize for LastRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.0.table.last() {
            map.serialize_entry(name, &value)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Residual {
    position: f64,
    velocity: f64,
}

#[derive(Serialize)]
struct Energy {
    start: f64,
    end: f64,
    work: f64,
    impacts: f64,
    #[serde(flatten)]
    strain: Option<Strain>,
}

/// Of the energy, that of parts that bend.
#[derive(Serialize)]
struct Strain {
    strain_start: f64,
    strain_end: f64,
    strain_most: f64,
}

#[derive(Serialize)]
struct Share<'a> {
    owner: &'a str,
    share: f64,
}

#[derive(Serialize)]
struct Counters {
    steps: u64,
    rejected: u64,
    residual_evaluations: u64,
    residual_evaluations_for_jacobians: u64,
    jacobian_evaluations: u64,
    jacobian_updates: u64,
    // of iteration matrices only
    #[serde(skip_serializing_if = "Option::is_none")]
    residual_evaluations_column_by_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    factors_kept: Option<u64>,
    // of difference Jacobians only
    #[serde(skip_serializing_if = "Option::is_none")]
    excitation_updates: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern_searches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern_growth: Option<u64>,
    factorisations: u64,
    solves: u64,
    newton_iterations: u64,
    newton_failures: u64,
    // of explicit methods only
    #[serde(skip_serializing_if = "Option::is_none")]
    right_hand_sides: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most_right_hand_sides: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    projection_evaluations: Option<u64>,
    // of forces that follow reactions only
    #[serde(skip_serializing_if = "Option::is_none")]
    settling_evaluations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partitions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exchanges: Option<u64>,
    most_evaluations: u64,
    // all that `events` lists, and those beyond
    events: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    strides: Option<u64>,
    restarts: u64,
    cpu_seconds: f64,
    step_cpu_seconds: f64,
    longest_step_seconds: f64,
}

impl<'a> Summary<'a> {
    /// The outcome of `run`, whose results went to `files`.
    pub fn new(run: &'a Run, files: &'a [String]) -> Summary<'a> {
        let o = &run.options;
        let s: &Stats = &run.stats;
        let explicit = s.right_hand_sides > 0;
        let iterated = s.residual_evaluations_column_by_column > 0;
        let differenced = s.residual_evaluations_for_jacobians > 0;
        Summary {
            model: &run.model,
            verdict: run.verdict,
            doubts: &run.doubts,
            notes: &run.notes,
            method: o.method.as_deref(),
            formulation: o.formulation.as_deref(),
            coordinates: o.coordinates.as_deref(),
            jacobian: o.jacobian.as_deref(),
            linear: o.linear.as_deref(),
            rtol: run.tolerance(),
            t_end: o.t_end,
            dof: run.start.as_ref().map(|s| s.dof),
            restarted_at: run.restarted_at,
            last: LastRow(run),
            constraint_residual: Residual {
                position: run.constraint_residual.position,
                velocity: run.constraint_residual.velocity,
            },
            conditioning: run.conditioning,
            energy: run.energy.map(|e| Energy {
                start: e.start,
                end: e.end,
                work: e.work,
                impacts: e.impacts,
                strain: (e.strain_most > 0.0).then_some(Strain {
                    strain_start: e.strain_start,
                    strain_end: e.strain_end,
                    strain_most: e.strain_most,
                }),
            }),
            verification: run.verification.as_ref(),
            stats: Counters {
                steps: s.steps,
                rejected: s.rejected,
                residual_evaluations: s.residual_evaluations,
                residual_evaluations_for_jacobians: s.residual_evaluations_for_jacobians,
                jacobian_evaluations: s.jacobian_evaluations,
                jacobian_updates: s.jacobian_updates,
                residual_evaluations_column_by_column: iterated
                    .then_some(s.residual_evaluations_column_by_column),
                factors_kept: iterated.then_some(s.factors_kept),
                excitation_updates: differenced.then_some(s.excitation_updates),
                pattern_searches: differenced.then_some(s.pattern_searches),
                pattern_growth: differenced.then_some(s.pattern_growth),
                factorisations: s.factorisations,
                solves: s.solves,
                newton_iterations: s.newton_iterations,
                newton_failures: s.newton_failures,
                right_hand_sides: explicit.then_some(s.right_hand_sides),
                most_right_hand_sides: explicit.then_some(s.most_right_hand_sides),
                projection_evaluations: explicit.then_some(s.projection_evaluations),
                settling_evaluations: (s.settling_evaluations > 0)
                    .then_some(s.settling_evaluations),
                partitions: (s.partitions > 0).then_some(s.partitions),
                exchanges: (s.exchanges > 0).then_some(s.exchanges),
                most_evaluations: s.most_evaluations,
                events: run.events.count(),
                strides: (s.strides > 0).then_some(s.strides),
                restarts: s.restarts,
                cpu_seconds: run.cpu_seconds,
                step_cpu_seconds: run.step_cpu_seconds,
                longest_step_seconds: run.longest_step_seconds,
            },
            excitations: run.following.as_ref().and_then(Excitations::new),
            events: run
                .events
                .happenings
                .iter()
                .take(LISTED)
                .map(Mark::from)
                .collect(),
            events_left_out: run.events.left_out
                + run.events.happenings.len().saturating_sub(LISTED) as u64,
            limiters: run
                .limiters
                .iter()
                .map(|l| Share {
                    owner: &l.owner,
                    share: l.share,
                })
                .collect(),
            failure: run.failure(),
            files,
        }
    }

    /// The object as one line of JSON.
    pub fn to_json(&self) -> String {
        // maps with text keys and plain numbers cannot fail to serialise
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The object as indented JSON.
    pub fn to_json_pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}
