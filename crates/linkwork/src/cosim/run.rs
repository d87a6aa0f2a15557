//! Running a coupled system, and what comes out.

use super::build::{CoupledSystem, Part};
use super::options::{CosimOptions, CosimSettings};
use super::saving::{self, Saver};
use super::watch::{Log, Recording, Shared, Tell};
use crate::audit::{ConstraintResidual, EnergyAccount};
use crate::auto::Field;
use crate::checkpoint;
use crate::doubts::{self, Doubt};
use crate::explain::{self, Explanation};
use crate::notes::Note;
use crate::observe::StopFlag;
use crate::run::Verdict;
use crate::settings::{OptionError, Settings};
use crate::start::about_start;
use crate::table::Table;
use linkwork_dae::cosim::account::Ending;
use linkwork_dae::cosim::{Mechanism, Member, Plan, Report, Why, conduct, resume};
use linkwork_dae::drive::EventLog;
use linkwork_dae::initial::{self, StartError, StartReport};
use linkwork_dae::state::Tolerances;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::System;
use linkwork_mbs::text;
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
    /// What happened on the way.
    pub events: EventLog,
    /// Its model as text.
    pub model: String,
}

/// The result of a co-simulation. There always is one: one that fails keeps what it has.
#[derive(Clone, Debug)]
pub struct CoupledRun {
    /// Name of the system.
    pub name: String,
    /// The text that describes it.
    pub text: String,
    /// How it was made.
    pub settings: CosimSettings,
    /// What it is worth.
    pub verdict: Verdict,
    /// What speaks against it.
    pub doubts: Vec<Doubt>,
    /// What the run has taught.
    pub notes: Vec<Note>,
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
        settings.plan.threads = settings.plan.threads.min(runs * self.parts.len());
        let mut choices = Vec::new();
        let micro = (self.parts.iter())
            .map(|part| self.micro(part, &settings, &mut choices))
            .collect::<Result<Vec<Settings>, OptionError>>()?;
        let records = self.records(&settings, &micro, &options)?;
        let mut run = self.run_with(&settings, &micro, records, stop, tell)?;
        run.notes.splice(..0, choices);
        for part in &self.parts {
            let own = part.notes.iter().cloned().map(Note::Import);
            run.notes.extend(own.map(|note| in_part(part, note)));
        }
        run.wall_seconds = clock.elapsed().as_secs_f64();
        Ok(run)
    }

    /// How a subsystem is integrated; what was chosen for it joins the notes.
    fn micro(
        &self,
        part: &Part,
        whole: &CosimSettings,
        choices: &mut Vec<Note>,
    ) -> Result<Settings, OptionError> {
        let named = |mut e: OptionError| {
            e.message = format!("subsystem `{}`: {}", part.name, e.message);
            e
        };
        let mut own = part.options.clone();
        // explicit steps suit few parts all the time, and nobody looks after them between macro steps
        own.method = own.method.or(Some("bdf".into()));
        let own = own.t_end(whole.plan.t_end).rtol(whole.micro_rtol);
        let mut settings = Settings::new(&own, self.start_time()).map_err(named)?;
        if settings.auto {
            let mut alone = part.system.fork();
            let guess = alone.facts().guess.clone();
            // a part without a start says so when it begins
            if let Ok(start) = initial::start(&mut *alone, &guess) {
                let field = Field::new(&*alone, &settings);
                let (way, note) = field.first(&*alone, &start, None);
                settings = field.settings().nth(way).cloned().unwrap_or(settings);
                choices.extend(note.map(|note| in_part(part, note)));
            }
        }
        settings.suit(&*part.system).map_err(named)?;
        settings.recipe.plan.tolerances.of_step = true;
        Ok(settings)
    }

    /// The saved run to go on with and the file to save this one to, as far as they are asked for.
    fn records(
        &self,
        settings: &CosimSettings,
        micro: &[Settings],
        asked: &CosimOptions,
    ) -> Result<Records, OptionError> {
        let names = self.parts.iter().map(|part| part.name.as_str());
        let parts: Vec<_> = names.zip(micro).collect();
        let heading = saving::heading(self.identity, settings, &parts);
        let restart = checkpoint::to_restart(&heading, asked.restart.as_deref())?;
        let saver = match &asked.checkpoint {
            None => None,
            Some(path) => {
                checkpoint::check_writable(path)?;
                let (steps, interval) = (asked.checkpoint_steps, asked.checkpoint_interval);
                Some(Saver::new(path.clone(), heading, steps, interval))
            }
        };
        Ok(Records { restart, saver })
    }

    fn run_with(
        &self,
        settings: &CosimSettings,
        micro: &[Settings],
        mut records: Records,
        stop: &StopFlag,
        tell: &mut Tell<'_>,
    ) -> Result<CoupledRun, OptionError> {
        let forked = |p: &Part| [p.system.fork(), p.system.fork()];
        let mut systems: Vec<[Box<dyn System>; 2]> = self.parts.iter().map(forked).collect();
        let t_end = settings.plan.t_end;
        let mut recordings: Vec<Recording> = (self.parts.iter())
            .map(|p| Recording::new(&*p.system, settings.outputs.clone(), t_end))
            .collect();
        let mut starts: Vec<StartReport> = Vec::new();
        // a lifetime of its own, shorter than that of the caller's
        let mut retell = |share: f64, steps: u64| tell(share, steps);
        let span = (self.start_time(), t_end);
        let mut log = Log::new(&self.input_names, span, &mut retell);
        log.saver = records.saver.take();
        let both = systems.iter_mut().zip(&mut recordings);
        let (report, no_start) = match self.members(settings, micro, stop, both, &mut starts)? {
            Ok(members) => {
                let restart = records.restart.as_ref();
                let report = self.conduct(members, &settings.plan, &mut log, restart)?;
                (Some(report), None)
            }
            Err(why) => (None, Some(why)),
        };
        let coupling = std::mem::take(&mut log.table);
        let unsaved = log.saver.take().and_then(|saver| saver.trouble);
        drop(log);
        let failure = no_start.or_else(|| self.explain(micro, report.as_ref()?));
        let mut doubts = Vec::new();
        doubts.extend(unsaved.map(|why| Doubt::NotSaved { why }));
        let mut stopped = false;
        if let Some(report) = &report {
            stopped = matches!(report.ending, Ending::Stopped);
            let t = report.t;
            doubts.extend(stopped.then_some(Doubt::Stopped { t, t_end }));
            doubts.extend(self.doubts(settings, report));
            let finished = failure.is_none();
            doubts.extend(self.doubts_of_parts(settings, micro, &starts, &recordings, finished));
        }
        let mut notes = report.as_ref().map_or(Vec::new(), |r| self.notes(r));
        let ended = (report.as_ref()).and_then(|r| self.ended_by(r, &recordings));
        notes.extend(ended);
        for (part, start) in self.parts.iter().zip(&starts) {
            let (_, own) = about_start(&*part.system, start, false);
            notes.extend(own.into_iter().map(|note| in_part(part, note)));
        }
        Ok(CoupledRun {
            name: self.name.clone(),
            text: self.text().to_string(),
            settings: settings.clone(),
            verdict: Verdict::of(failure.is_some(), &doubts),
            doubts,
            notes,
            failure,
            stopped,
            restarted_at: records.restart.and_then(|_| {
                let report = report.as_ref()?;
                Some(report.steps.first().map_or(report.t, |step| step.t))
            }),
            t_last: report.as_ref().map_or(f64::NAN, |r| match r.ending {
                // the macro step ends a little behind it
                Ending::Ended { t, .. } => t,
                _ => r.t,
            }),
            report,
            connections: self.connections().map(str::to_string).collect(),
            parts: self.part_runs(micro, recordings),
            coupling,
            wall_seconds: 0.0,
        })
    }

    /// The subsystems, ready to begin, and what their starts found; or why one has no start.
    fn members<'s>(
        &self,
        settings: &CosimSettings,
        micro: &[Settings],
        stop: &StopFlag,
        systems: impl Iterator<Item = (&'s mut [Box<dyn System>; 2], &'s mut Recording)>,
        starts: &mut Vec<StartReport>,
    ) -> Result<Result<Vec<Member<'s>>, Explanation>, OptionError> {
        let tolerances = Tolerances::relative(settings.plan.rtol);
        let mut members = Vec::new();
        for ((part, micro), ([main, twin], recording)) in self.parts.iter().zip(micro).zip(systems)
        {
            let main = match mechanism(part, micro, &tolerances, &mut **main)? {
                Ok(main) => main.stopped_by(stop.shared()),
                Err(why) => {
                    let mut words = explain::no_start(&*part.system, &why);
                    words.cause = format!("subsystem `{}`: {}", part.name, words.cause);
                    return Ok(Err(words));
                }
            };
            starts.push(main.start_report().clone());
            let twin = match settings.forward_only {
                true => None,
                false => mechanism(part, micro, &tolerances, &mut **twin)?.ok(),
            };
            members.push(Member {
                name: part.name.clone(),
                main: Box::new(main.observed(Box::new(Shared(recording)))),
                twin: twin.map(|twin| Box::new(twin.stopped_by(stop.shared())) as _),
            });
        }
        Ok(Ok(members))
    }

    /// All macro steps, from the start or from where a saved run was.
    fn conduct(
        &self,
        members: Vec<Member<'_>>,
        plan: &Plan,
        log: &mut Log<'_>,
        restart: Option<&(PathBuf, Vec<u64>)>,
    ) -> Result<Report, OptionError> {
        let mut wires = self.wires.clone();
        let Some((path, words)) = restart else {
            return Ok(conduct(members, &mut wires, plan, log));
        };
        let refused = |why: &str| checkpoint::refused(path, why);
        let resumed = resume(members, &mut wires, plan, log, words);
        let report = resumed.map_err(|trouble| match trouble.why {
            Why::Memory(why) => refused(&why.to_string()),
            Why::Told(why) => refused(&why),
            _ => refused("a subsystem could not be put back"),
        })?;
        if report.t > plan.t_end {
            let (t, t_end) = (report.t, plan.t_end);
            return Err(refused(&format!(
                "it is at t = {t}, after the end, {t_end}"
            )));
        }
        Ok(report)
    }

    /// Which event ended the run, if one did.
    fn ended_by(&self, report: &Report, recordings: &[Recording]) -> Option<Note> {
        let Ending::Ended { member, t } = report.ending else {
            return None;
        };
        let by = recordings[member].events.ended_by()?;
        let event = by.name.clone();
        Some(in_part(&self.parts[member], Note::EndedBy { event, t }))
    }

    /// What speaks against the motion of the subsystems.
    fn doubts_of_parts(
        &self,
        settings: &CosimSettings,
        micro: &[Settings],
        starts: &[StartReport],
        recordings: &[Recording],
        finished: bool,
    ) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for (
            i,
            Recording {
                recorder,
                audit,
                stats,
                ..
            },
        ) in recordings.iter().enumerate()
        {
            let part = &self.parts[i];
            // inputs jump at macro points, which an audit takes for a smooth force: what a part
            // owes is the tolerance of the whole, not that of its own steps
            let mut owed = micro[i].clone();
            owed.recipe.plan.tolerances.rtol = settings.plan.rtol;
            let (mut own, _) = about_start(&*part.system, &starts[i], false);
            let incomplete = recorder.incomplete();
            own.extend(doubts::about_motion(
                &owed, stats, audit, incomplete, finished,
            ));
            doubts.extend(own.into_iter().map(|doubt| Doubt::InPart {
                part: part.name.clone(),
                doubt: Box::new(doubt),
            }));
        }
        doubts
    }

    fn part_runs(&self, micro: &[Settings], recordings: Vec<Recording>) -> Vec<PartRun> {
        let parts = self.parts.iter().zip(micro).zip(recordings);
        let run = |((part, micro), recording): ((&Part, &Settings), Recording)| PartRun {
            name: part.name.clone(),
            method: micro.recipe.method.name,
            formulation: micro.recipe.formulation.name,
            stats: recording.stats,
            constraint_residual: recording.audit.residual(),
            energy: recording.audit.energy(),
            events: recording.events,
            model: text::write(&part.model),
            table: recording.recorder.into_table(),
        };
        parts.map(run).collect()
    }
}

fn in_part(part: &Part, note: Note) -> Note {
    Note::InPart {
        part: part.name.clone(),
        note: Box::new(note),
    }
}

fn mechanism<'s>(
    part: &Part,
    settings: &Settings,
    tolerances: &Tolerances,
    sys: &'s mut dyn System,
) -> Result<Result<Mechanism<'s>, StartError>, OptionError> {
    let integrator = settings.recipe.integrator(sys);
    let integrator = integrator.map_err(|why| settings.unfit(&why))?;
    let mechanism = Mechanism::new(sys, integrator, tolerances, part.outputs.clone());
    Ok(mechanism.map(|m| m.with_feedthrough(part.feedthrough)))
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
        let own = part.options.clone().t_end(10.0);
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
