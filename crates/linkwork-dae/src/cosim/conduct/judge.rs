//! Judging a macro step: error, limiters, defects and energies of the connections.

use super::Conductor;
use crate::cosim::account::{Ending, Report};
use crate::cosim::plan::Approach;
use crate::cosim::signal::Shares;
use crate::cosim::workers::hold;
use crate::cosim::{Entry, Motion};

/// The interpolated run is better than its estimate says until steps are small.
const CAUTION: f64 = 2.0;
/// The worst entry of an estimate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worst {
    pub error: f64,
    pub member: usize,
    pub entry: Entry,
}

impl Conductor<'_, '_, '_> {
    /// The largest estimated error over what a step may use of the tolerance.
    pub(super) fn estimate(&mut self, to: f64, without_past: bool, surprised: bool) -> Worst {
        let mut shares = Shares::default();
        for (i, step) in self.steps.iter().enumerate() {
            let own = match step {
                Some(step) => step.shares,
                None if self.held[i] => continue,
                None => self.signals[i].shares(0, to),
            };
            shares.position = shares.position.max(own.position);
            shares.velocity = shares.velocity.max(own.velocity);
        }
        if self.plan.approach == Approach::Interpolation && surprised {
            // the second run is the better one, and not by a known share
            (shares.position, shares.velocity) = (1.0, 1.0);
        } else if self.plan.approach == Approach::Interpolation && !without_past {
            shares.position = CAUTION * (1.0 - shares.position).abs();
            shares.velocity = CAUTION * (1.0 - shares.velocity).abs();
        }
        shares.position /= self.share;
        shares.velocity /= self.share;
        let mut worst = Worst {
            error: 0.0,
            member: 0,
            entry: Entry::Rate(0),
        };
        for (member, runs) in self.workers.members().iter().enumerate() {
            let Some(twin) = &runs.twin else { continue };
            let (a, b) = (hold(&runs.main), hold(twin));
            let mut see = |error: f64, entry: Entry| {
                if error > worst.error || error.is_nan() {
                    worst = Worst {
                        error,
                        member,
                        entry,
                    };
                }
            };
            let Motion {
                q,
                v,
                weight_q,
                weight_v,
            } = &a.motion;
            for (i, ((a, b), w)) in q.iter().zip(&b.motion.q).zip(weight_q).enumerate() {
                see(shares.position * (a - b).abs() * w, Entry::Position(i));
            }
            for (i, ((a, b), w)) in v.iter().zip(&b.motion.v).zip(weight_v).enumerate() {
                see(shares.velocity * (a - b).abs() * w, Entry::Rate(i));
            }
        }
        worst
    }

    /// Counts who ruled the error: the entry, and the connection whose prediction moved most among
    /// those that feed its subsystem.
    pub(super) fn count_limiter(&mut self, worst: &Worst) {
        let [positions, rates] = &mut self.rulers[worst.member];
        let slot = match worst.entry {
            Entry::Position(i) => positions.get_mut(i),
            Entry::Rate(i) => rates.get_mut(i),
        };
        if let Some(n) = slot {
            *n += 1;
        }
        self.report.members[worst.member].limited += 1;
        let range = self.inputs_of[worst.member].clone();
        let mut found: Option<(usize, f64)> = None;
        for (c, connection) in self.coupling.connections().iter().enumerate() {
            for &i in connection.inputs.iter().filter(|i| range.contains(i)) {
                let Some(step) = &self.steps[i] else { continue };
                let end = step.predicted;
                let moved =
                    (self.extrapolated[i] - end).abs() / self.largest[i].max(f64::MIN_POSITIVE);
                if found.is_none_or(|(_, most)| moved > most) {
                    found = Some((c, moved));
                }
            }
        }
        if let Some((c, _)) = found {
            self.report.connections[c].limited += 1;
        }
    }

    /// Defects and energies of the connections over the accepted step; inputs are those at its end.
    pub(super) fn keep_accounts(&mut self, to: f64, h: f64) {
        for (largest, u) in self.largest.iter_mut().zip(&self.inputs) {
            *largest = largest.max(u.abs());
        }
        for (defects, (used, u)) in
            (self.defects.iter_mut()).zip(self.used.iter().zip(&self.inputs))
        {
            let defect = (used - u).abs();
            defects[0] = defects[0].max(defect);
            defects[1] += defect * defect;
        }
        for (c, account) in self.report.connections.iter_mut().enumerate() {
            let connection = &self.coupling.connections()[c];
            account.energy_through += h * self.coupling.power(c, &self.outputs).abs();
            let Some(&first) = connection.inputs.first() else {
                continue;
            };
            let shares = match &self.steps[first] {
                Some(step) => step.shares,
                None => self.signals[first].shares(0, to),
            };
            let time = match (self.plan.approach, &self.steps[first]) {
                (Approach::Interpolation, Some(_)) => shares.time - shares.time / shares.velocity,
                _ => shares.time,
            };
            if let Some(power) = self
                .coupling
                .power_defect(c, &self.extrapolated, &self.outputs)
            {
                let energy = time * power;
                *account.energy_residual.get_or_insert(0.0) += energy;
                account.energy_scatter += energy.abs();
            }
        }
    }

    /// Largest defect of an input over its tolerance: all that is known where nothing is repeated.
    /// Counts the connection and the member that it belongs to.
    pub(super) fn defect(&mut self) -> f64 {
        let (mut worst, mut at) = (0.0f64, None);
        for (i, (used, u)) in self.used.iter().zip(&self.inputs).enumerate() {
            if !self.held[i] && self.largest[i] > 0.0 {
                let error = (used - u).abs() / (self.plan.rtol * self.largest[i]);
                if error > worst {
                    (worst, at) = (error, Some(i));
                }
            }
        }
        let Some(at) = at else {
            return worst;
        };
        let connections = self.coupling.connections().iter();
        for (account, connection) in self.report.connections.iter_mut().zip(connections) {
            account.limited += u64::from(connection.inputs.contains(&at));
        }
        for (account, range) in self.report.members.iter_mut().zip(&self.inputs_of) {
            account.limited += u64::from(range.contains(&at));
        }
        worst
    }

    /// The accounts, closed.
    pub(super) fn report(mut self, ending: Ending) -> Report {
        let steps = (self.report.accepted as f64).max(1.0);
        let connections = self.coupling.connections().iter();
        for (account, connection) in self.report.connections.iter_mut().zip(connections) {
            let of_inputs = || connection.inputs.iter().map(|&i| self.largest[i]);
            // inputs that are zero but for rounding have no scale of their own
            let rounding = 1e-12 * of_inputs().fold(0.0, f64::max);
            for &i in &connection.inputs {
                let ([largest, squares], size) = (self.defects[i], self.largest[i]);
                if size > rounding {
                    account.largest_defect = account.largest_defect.max(largest / size);
                    let mean = (squares / steps).sqrt() / size;
                    account.mean_defect = account.mean_defect.max(mean);
                }
            }
        }
        let of_members = self.report.members.iter_mut().zip(&self.rulers);
        for ((account, [positions, rates]), runs) in of_members.zip(self.workers.members()) {
            let main = hold(&runs.main);
            account.micro_steps = main.sub.micro_steps();
            account.seconds = main.seconds;
            if let Some(twin) = &runs.twin {
                account.seconds += hold(twin).seconds;
            }
            let positions = (positions.iter().enumerate()).map(|(i, n)| (*n, Entry::Position(i)));
            let rates = (rates.iter().enumerate()).map(|(i, n)| (*n, Entry::Rate(i)));
            let most = positions.chain(rates).max_by_key(|(n, _)| *n);
            account.limiter = most
                .filter(|(n, _)| *n > 0)
                .map(|(_, entry)| main.sub.describe(entry));
        }
        self.report.t = self.t;
        self.report.ending = ending;
        self.report
    }
}
