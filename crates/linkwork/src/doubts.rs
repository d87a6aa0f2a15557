//! What speaks against a result that was reached. Each doubt is a sentence with its own numbers.

use crate::audit::{Audit, EnergyAccount};
use crate::plural::count;
use crate::settings::Settings;
use linkwork_dae::initial::{Accelerations, PoseCheck, StartReport};
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{Row, System};

/// A run tolerates an error of `rtol` in each of about `rtol^(-1/(p+1))` steps, so the whole may be
/// off by a multiple of `rtol^(p/(p+1))`, p being the highest order of the method. On mechanisms
/// with known balance the multiple is 1 to 20; above this, something else happened.
const ENERGY_MULTIPLE: f64 = 30.0;
/// However loose the tolerance, a motion that makes or loses this share is in doubt.
const LARGEST_ENERGY_BOUND: f64 = 0.05;
/// The same for a fixed step, where no tolerance was asked for: one per cent.
const ENERGY_OF_FIXED_STEP: f64 = 1e-2;
/// Least balance that is asked for, whatever the tolerance: the accounts themselves are Simpson sums.
const LEAST_ENERGY_BOUND: f64 = 1e-6;
/// Position constraints may stay open by this many relative tolerances of the smallest size.
const RESIDUAL_TOLERANCES: f64 = 10.0;
/// Residual bound of a fixed step, relative to the smallest size.
const RESIDUAL_OF_FIXED_STEP: f64 = 1e-4;
/// More failed attempts than this share of the accepted steps are a sign of trouble.
const MANY_REJECTIONS: f64 = 0.5;
/// A short run may stumble this often.
const FEW_REJECTIONS: u64 = 20;
/// Equations named before a list is cut short.
const NAMED: usize = 6;

/// Doubts about the start: reactions that are not unique, singular poses.
pub fn about_start(sys: &dyn System, report: &StartReport) -> Vec<String> {
    let mut doubts = Vec::new();
    if !report.redundant.is_empty() {
        let removed: Vec<usize> = report.redundant.iter().map(|r| r.row).collect();
        doubts.push(format!(
            "reactions are not unique in {}; redundant, so taken to carry no load: {}",
            owners(sys, &report.not_unique),
            names(sys, &removed),
        ));
    }
    match &report.pose {
        PoseCheck::Regular { .. } => {}
        PoseCheck::NearlySingular {
            smallest_pivot,
            rows,
        } => doubts.push(format!(
            "the start pose is nearly singular (relative pivot {smallest_pivot:.1e}): reactions \
             of {} are uncertain",
            names(sys, rows)
        )),
        PoseCheck::Singular { rows, .. } => doubts.push(format!(
            "the start pose is singular, branches of motion meet there; no longer independent: {}",
            names(sys, rows)
        )),
    }
    match report.accelerations {
        Accelerations::Solved => {}
        Accelerations::Branch => doubts.push(
            "reactions at the start do not balance: they have a pole at the singular pose".into(),
        ),
    }
    doubts
}

/// Doubts about the motion: drift, energy balance, a struggling integrator, missing reactions.
pub fn about_motion(
    settings: &Settings,
    stats: &Stats,
    audit: &Audit,
    incomplete: &[f64],
    finished: bool,
) -> Vec<String> {
    let mut doubts = Vec::new();
    let adaptive = settings.step.is_none();
    let share = if adaptive {
        RESIDUAL_TOLERANCES * settings.rtol
    } else {
        RESIDUAL_OF_FIXED_STEP
    };
    let bound = share * audit.residual_scale();
    let open = audit.residual().position;
    if open > bound {
        doubts.push(format!(
            "constraints stay open by up to {open:.1e}, more than {bound:.1e}"
        ));
    }
    if let Some(doubt) = audit.energy().and_then(|e| unbalanced(settings, &e)) {
        doubts.push(doubt);
    }
    let failed = stats.rejected + stats.newton_failures;
    // a run that failed explains its last attempts itself
    if finished && failed > FEW_REJECTIONS && failed as f64 > MANY_REJECTIONS * stats.steps as f64 {
        doubts.push(format!(
            "{failed} failed attempts for {}: the motion is hardly smooth at this tolerance",
            count(stats.steps, "accepted step", "accepted steps")
        ));
    }
    if let Some(first) = incomplete.first() {
        doubts.push(format!(
            "accelerations and reactions are undetermined at {} of the kept points, first at t = {first}",
            incomplete.len()
        ));
    }
    doubts
}

fn unbalanced(settings: &Settings, e: &EnergyAccount) -> Option<String> {
    let bound = if settings.step.is_none() {
        let p = settings.highest_order() as f64;
        (ENERGY_MULTIPLE * settings.rtol.powf(p / (p + 1.0)))
            .clamp(LEAST_ENERGY_BOUND, LARGEST_ENERGY_BOUND)
    } else {
        ENERGY_OF_FIXED_STEP
    };
    // rounding of the stored energy, for motions that exchange next to nothing
    let rounding = 1e-12 * e.start.abs().max(e.end.abs());
    let missing = e.imbalance().abs();
    if missing <= bound * e.exchanged + rounding {
        return None;
    }
    if !(missing.is_finite() && e.exchanged.is_finite()) {
        return Some(
            "the energy balance has no value: energies or powers grew without bound".into(),
        );
    }
    Some(format!(
        "the energy balance is off by {missing:.2e} J, {:.1e} of the {:.2e} J in play (bound {bound:.1e})",
        missing / e.exchanged,
        e.exchanged
    ))
}

fn names(sys: &dyn System, rows: &[usize]) -> String {
    shortened(rows.iter().map(|&i| sys.describe(Row::Constraint(i))), "; ")
}

fn owners(sys: &dyn System, rows: &[usize]) -> String {
    let mut owners: Vec<String> = Vec::new();
    for &i in rows {
        let owner = sys.owner(Row::Constraint(i));
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    shortened(owners.into_iter(), ", ")
}

fn shortened(words: impl Iterator<Item = String>, between: &str) -> String {
    let all: Vec<String> = words.collect();
    let more = all.len().saturating_sub(NAMED);
    let mut text = all[..all.len() - more].join(between);
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
