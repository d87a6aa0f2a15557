//! Running a coupled system, and what comes out.

use super::build::{CoupledSystem, Part};
use super::options::{CosimOptions, CosimSettings};
use super::saving::{self, Saver};
use super::watch::{Lens, Log, Reel, Tell};
use crate::audit::{ConstraintResidual, EnergyAccount};
use crate::auto;
use crate::checkpoint::{self, Checkpoint};
use crate::doubts;
use crate::explain::{self, Explanation};
use crate::observe::StopFlag;
use crate::options::Checkpoints;
use crate::run::Verdict;
use crate::settings::{OptionError, Settings};
use crate::simulation::{controller, stepper};
use crate::table::Table;
use linkwork_dae::cosim::account::Ending;
use linkwork_dae::cosim::mechanism::Integrator;
use linkwork_dae::cosim::{Mechanism, Member, Plan, Report, Why, conduct, resume};
use linkwork_dae::initial::{self, StartError, StartReport};
use linkwork_dae::state::Tolerances;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::System;
use std::path::PathBuf;
use std::time::Instant;

/// What one subsystem has done.
#[derive(Clone, Debug)]
pub struct PartRun {
    /// Name.
    pub name: String,
    /// Method and formulation of its micro steps.
    pub method: &'static str,
    /// Formulation.
    pub formulation: &'static str,
    /// All channels at the kept points.
    pub table: Table,
    /// Work counters of the run that counts.
    pub stats: Stats,
    /// Largest constraint residuals.
    pub constraint_residual: ConstraintResidual,
    /// Energy account.
    pub energy: Option<EnergyAccount>,
}

/// The result of a co-simulation. There always is one: one that fails keeps what it has.
#[derive(Clone, Debug)]
pub struct CoupledRun {
    /// Name of the system.
    pub name: String,
    /// How it was made.
    pub settings: CosimSettings,
    /// What it is worth.
    pub verdict: Verdict,
    /// What speaks against it.
    pub doubts: Vec<String>,
    /// What the run has taught.
    pub notes: Vec<String>,
    /// Why it failed, if it did.
    pub failure: Option<Explanation>,
    /// Whether somebody stopped it.
    pub stopped: bool,
    /// Where it went on from a checkpoint; tables begin there, counters go on.
    pub restarted_at: Option<f64>,
    /// Steps, errors, energies, work; `None` if a subsystem has no start.
    pub report: Option<Report>,
    /// Names of the connections, in the order of the report.
    pub connections: Vec<String>,
    /// The subsystems.
    pub parts: Vec<PartRun>,
    /// Macro points: step, error over tolerance, degree, all inputs.
    pub coupling: Table,
    /// The last time reached; NaN if there was no start.
    pub t_last: f64,
    /// Seconds by the clock on the wall.
    pub wall_seconds: f64,
}

impl CoupledRun {
    /// Values of a channel of a subsystem at the kept points.
    pub fn channel(&self, part: &str, name: &str) -> Option<&[f64]> {
        let part = self.parts.iter().find(|p| p.name == part)?;
        part.table.column(name)
    }
}

/// What a run has to do with files of checkpoints.
struct Records {
    restart: Option<(PathBuf, Vec<u64>)>,
    saver: Option<Saver>,
}

impl CoupledSystem {
    /// Runs to the end, or as far as it goes. Options that cannot be honoured are the only error.
    pub fn run(
        &self,
        options: &CosimOptions,
        tell: &mut Tell<'_>,
    ) -> Result<CoupledRun, OptionError> {
        self.run_until(options, &StopFlag::default(), tell)
    }

    /// The same with a flag that stops it within a macro step too, which `tell` does not see.
    pub fn run_until(
        &self,
        options: &CosimOptions,
        stop: &StopFlag,
        tell: &mut Tell<'_>,
    ) -> Result<CoupledRun, OptionError> {
        let clock = Instant::now();
        let options = options.clone().or(self.options().clone());
        let mut settings = options.settings(self.start_time())?;
        // nobody has more to do than each run of each part
        let runs = if settings.forward_only { 1 } else { 2 };
        settings.threads = settings.threads.min(runs * self.parts.len());
        let mut micro = Vec::new();
        let mut choices = Vec::new();
        for part in &self.parts {
            let mut own = part.options.clone();
            own.t_end = Some(settings.t_end);
            own.tolerance.rtol = Some(settings.micro_rtol);
            let named = |mut e: OptionError| {
                e.message = format!("subsystem `{}`: {}", part.name, e.message);
                e
            };
            let mut settings = Settings::new(&own, self.start_time()).map_err(named)?;
            if settings.auto {
                let mut alone = part.system.fork();
                let guess = alone.guess();
                // a part without a start says so when it begins
                if let Ok(start) = initial::start(&mut *alone, &guess) {
                    let advice = auto::advise(&*alone, &start, settings.rtol, settings.t_end);
                    settings = settings.advised(&advice).map_err(named)?;
                    choices.push(format!(
                        "subsystem `{}`: chose {} in {} form: {}",
                        part.name, advice.method, advice.formulation, advice.reason
                    ));
                }
            }
            // a method that does not suit the system is an option that cannot be honoured
            settings.suit(&*part.system).map_err(named)?;
            drop(stepper(&settings, &*part.system).map_err(named)?);
            micro.push(settings);
        }
        let records = self.records(&settings, &micro, &options.checkpoints)?;
        let mut run = self.run_with(&settings, &micro, records, stop, tell)?;
        run.notes.splice(..0, choices);
        for part in &self.parts {
            let own = part.notes.iter();
            run.notes
                .extend(own.map(|note| format!("subsystem `{}`: {note}", part.name)));
        }
        run.wall_seconds = clock.elapsed().as_secs_f64();
        Ok(run)
    }

    /// The saved run to go on with and the file to save this one to, as far as they are asked for.
    fn records(
        &self,
        settings: &CosimSettings,
        micro: &[Settings],
        asked: &Checkpoints,
    ) -> Result<Records, OptionError> {
        let parts: Vec<_> = (self.parts.iter().zip(micro))
            .map(|(part, settings)| (part.name.as_str(), &part.options.coordinates, settings))
            .collect();
        let heading = saving::heading(self.identity, settings, &parts);
        let restart = match &asked.restart {
            None => None,
            Some(path) => {
                let saved = Checkpoint::read(path)?;
                let differences = heading.differences(&saved.heading);
                if !differences.is_empty() {
                    return Err(checkpoint::refused(path, &differences.join("; ")));
                }
                Some((path.clone(), saved.words))
            }
        };
        let saver = match &asked.checkpoint {
            None => None,
            Some(path) => {
                checkpoint::check_writable(path)?;
                Some(Saver::new(
                    path.clone(),
                    heading,
                    asked.checkpoint_steps,
                    asked.checkpoint_interval,
                ))
            }
        };
        Ok(Records { restart, saver })
    }

    fn run_with(
        &self,
        settings: &CosimSettings,
        micro: &[Settings],
        records: Records,
        stop: &StopFlag,
        tell: &mut Tell<'_>,
    ) -> Result<CoupledRun, OptionError> {
        let mut systems: Vec<[Box<dyn System>; 2]> = (self.parts.iter())
            .map(|p| [p.system.fork(), p.system.fork()])
            .collect();
        for (systems, settings) in systems.iter_mut().zip(micro) {
            if settings.reads_blocks() {
                systems.iter_mut().for_each(|sys| sys.store_blocks());
            }
        }
        let mut reels: Vec<Reel> = (self.parts.iter())
            .map(|p| Reel::new(&*p.system, settings.outputs, settings.t_end))
            .collect();
        let mut starts: Vec<StartReport> = Vec::new();
        let mut members = Vec::new();
        let mut no_start = None;
        let tolerances = Tolerances::relative(settings.rtol);
        let pairs = systems.iter_mut().zip(&mut reels).enumerate();
        for (i, ([main, twin], reel)) in pairs {
            let part = &self.parts[i];
            match mechanism(part, &micro[i], &tolerances, &mut **main)? {
                Err(why) => {
                    let mut words = explain::no_start(&*part.system, &why);
                    words.cause = format!("subsystem `{}`: {}", part.name, words.cause);
                    no_start = Some(words);
                    break;
                }
                Ok(main) => {
                    let main = main.stopped_by(stop.shared());
                    starts.push(main.start_report().clone());
                    let twin = if settings.forward_only {
                        None
                    } else {
                        mechanism(part, &micro[i], &tolerances, &mut **twin)?
                            .ok()
                            .map(|twin| twin.stopped_by(stop.shared()))
                    };
                    members.push(Member {
                        name: part.name.clone(),
                        main: Box::new(main.observed(Box::new(Lens(reel)))),
                        twin: twin.map(|t| Box::new(t) as _),
                    });
                }
            }
        }
        let t_start = self.start_time();
        // a lifetime of its own, shorter than that of the caller's
        let mut retell = |share: f64, steps: u64| tell(share, steps);
        let mut log = Log::new(&self.input_names, (t_start, settings.t_end), &mut retell);
        let report = if no_start.is_none() {
            let mut plan = Plan::new(settings.t_end, settings.rtol);
            plan.degree = settings.degree;
            plan.approach = settings.approach;
            plan.step = settings.step;
            plan.first_step = settings.first_step;
            plan.max_step = settings.max_step.unwrap_or(plan.max_step);
            plan.max_steps = settings.max_steps.unwrap_or(plan.max_steps);
            plan.threads = settings.threads;
            let mut wires = self.wires.clone();
            log.saver = records.saver;
            Some(match &records.restart {
                None => conduct(members, &mut wires, &plan, &mut log),
                Some((path, words)) => {
                    let refused = |why: &str| checkpoint::refused(path, why);
                    let report =
                        resume(members, &mut wires, &plan, &mut log, words).map_err(|trouble| {
                            match trouble.why {
                                Why::Memory(why) => refused(&why.to_string()),
                                Why::Told(why) => refused(&why),
                                _ => refused("a subsystem could not be put back"),
                            }
                        })?;
                    if report.t > settings.t_end {
                        let why = format!(
                            "it is at t = {}, after the end, {}",
                            report.t, settings.t_end
                        );
                        return Err(refused(&why));
                    }
                    report
                }
            })
        } else {
            drop(members);
            None
        };
        let coupling = std::mem::take(&mut log.table);
        let unsaved = log.saver.take().and_then(|saver| saver.trouble);
        drop(log);
        let failure = no_start.or_else(|| {
            let report = report.as_ref()?;
            self.explain(micro, report)
        });
        let stopped = matches!(report.as_ref().map(|r| &r.ending), Some(Ending::Stopped));
        let mut doubts = Vec::new();
        let mut notes = Vec::new();
        if let Some(why) = unsaved {
            doubts.push(format!("the checkpoint could not be written: {why}"));
        }
        if let Some(report) = &report {
            if stopped {
                doubts.push(format!(
                    "stopped at t = {} before the end, {}",
                    report.t, settings.t_end
                ));
            }
            self.doubts(settings, report, &mut doubts, &mut notes);
            for (i, reel) in reels.iter().enumerate() {
                let part = &self.parts[i];
                let own = doubts::about_start(&*part.system, &starts[i]).into_iter();
                // inputs jump at macro points, which an audit takes for a smooth force: what a part
                // owes is the tolerance of the whole, not that of its own steps
                let mut owed = micro[i];
                owed.rtol = settings.rtol;
                let own = own.chain(doubts::about_motion(
                    &owed,
                    &reel.stats,
                    &reel.audit,
                    reel.recorder.incomplete(),
                    failure.is_none(),
                ));
                doubts.extend(own.map(|d| format!("subsystem `{}`: {d}", part.name)));
            }
        }
        let verdict = match (&failure, doubts.is_empty()) {
            (Some(_), _) => Verdict::Failed,
            (None, true) => Verdict::Converged,
            (None, false) => Verdict::Degraded,
        };
        let parts = reels.into_iter().enumerate().map(|(i, reel)| PartRun {
            name: self.parts[i].name.clone(),
            method: micro[i].method.name,
            formulation: micro[i].formulation.name,
            stats: reel.stats,
            constraint_residual: reel.audit.residual(),
            energy: reel.audit.energy(),
            table: reel.recorder.into_table(),
        });
        Ok(CoupledRun {
            name: self.name.clone(),
            settings: settings.clone(),
            verdict,
            doubts,
            notes,
            failure,
            stopped,
            restarted_at: records.restart.and_then(|_| {
                let report = report.as_ref()?;
                Some(report.steps.first().map_or(report.t, |step| step.t))
            }),
            t_last: report.as_ref().map_or(f64::NAN, |r| r.t),
            report,
            connections: self.connections().map(str::to_string).collect(),
            parts: parts.collect(),
            coupling,
            wall_seconds: 0.0,
        })
    }
}

fn mechanism<'s>(
    part: &Part,
    settings: &Settings,
    tolerances: &Tolerances,
    sys: &'s mut dyn System,
) -> Result<Result<Mechanism<'s>, StartError>, OptionError> {
    let integrator = integrator(settings, sys)?;
    let mechanism = Mechanism::new(sys, integrator, tolerances, part.outputs.clone());
    Ok(mechanism.map(|m| m.with_feedthrough(part.feedthrough)))
}

fn integrator(settings: &Settings, sys: &dyn System) -> Result<Integrator, OptionError> {
    let stepper = stepper(settings, sys)?;
    Ok(Integrator {
        controller: controller(settings, &*stepper),
        stepper,
        linear: (settings.linear.build)(),
        plan: settings.plan(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{find_system, system_part};
    use linkwork_dae::cosim::{Polynomial, Subsystem};

    /// A macro step ends where its micro steps are used up, and the next one has as many again.
    #[test]
    fn micro_steps_are_bounded() {
        let mut load = |word: &str| {
            let text = system_part(word).ok_or("no such model")?;
            Ok((word.to_string(), text.to_string()))
        };
        let text = find_system("two_mass").unwrap().text;
        let system = CoupledSystem::read("s", "s", text, &[], &mut load);
        let system = system.unwrap_or_else(|e| panic!("{e:?}"));
        let part = &system.parts[0];
        let mut own = part.options.clone();
        own.t_end = Some(10.0);
        let mut settings = Settings::new(&own, 0.0).unwrap();
        settings.suit(&*part.system).unwrap();
        let mut sys = part.system.fork();
        let tolerances = Tolerances::relative(1e-4);
        let mechanism = mechanism(part, &settings, &tolerances, &mut *sys).unwrap();
        let mut sub = mechanism.unwrap().with_micro_steps(5);
        let inputs = vec![0.0; sub.inputs()];
        sub.start(&inputs).unwrap();
        let inputs = vec![Polynomial::constant(0.0); inputs.len()];
        for steps in [5, 10] {
            let trouble = sub.advance(10.0, &inputs).unwrap_err();
            assert_eq!(trouble.why, Why::TooManySteps { steps: 5 });
            assert!(trouble.t > 0.0 && trouble.t < 10.0, "{}", trouble.t);
            assert!(sub.micro_steps() <= steps, "{}", sub.micro_steps());
        }
    }
}
