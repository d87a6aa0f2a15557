//! What a result has taught, or what should be known beside it.

use crate::branches::Branches;
use crate::plural::count;
use crate::start::{Changes, Shared};
use linkwork_dae::drive::EventLog;
use linkwork_dae::jacobian::excitation::Following;
use linkwork_mbs::lint::{Finding, Severity};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// Something worth knowing that is no doubt; shown as a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// The method was chosen from the model.
    Chose {
        /// Its name.
        method: &'static str,
        /// Name of the formulation.
        formulation: &'static str,
        /// Unknowns in absolute and in joint coordinates, where the latter were chosen.
        unknowns: Option<[usize; 2]>,
        /// Why.
        reason: String,
    },
    /// The run went on with another method.
    Turned {
        /// When.
        t: f64,
        /// To which method.
        method: &'static str,
        /// Why.
        reason: String,
    },
    /// At the tolerance that was asked for the end was not reliable: the run was made with a smaller one.
    Tightened {
        /// The tolerance of the first run.
        began: f64,
        /// With what it was made.
        rtol: f64,
    },
    /// Many attempted steps failed, and the end is right all the same, as another run has told.
    Rough {
        /// Failed attempts.
        failed: u64,
        /// Accepted steps.
        steps: u64,
    },
    /// No second run tells how far the end is off.
    Unmeasured {
        /// Why.
        why: String,
    },
    /// Start values that the joints do not allow were changed.
    StartChanged(Changes),
    /// The start chooses none of the branches that meet in its pose; starts beside it lead to one motion.
    Branches(Branches),
    /// Redundant constraints share their load in many ways.
    ReactionsNotUnique(Shared),
    /// Something about the numbers of the model that looks wrong.
    Looks(String),
    /// An event ended the run.
    EndedBy {
        /// Its name.
        event: String,
        /// When.
        t: f64,
    },
    /// A force jumps that nobody has declared.
    Jumps {
        /// Whose.
        whose: String,
        /// When first.
        t: f64,
        /// How often.
        times: u64,
    },
    /// Impacts that pile up were ended.
    Piled {
        /// Whose first.
        whose: String,
        /// When.
        t: f64,
        /// How often in all.
        times: u64,
    },
    /// Contacts and friction changed without end at one time, and were taken over a short while as a whole.
    Chattered {
        /// Whose first.
        whose: String,
        /// When.
        t: f64,
        /// How often in all.
        times: u64,
    },
    /// Derivatives that follow had nothing to follow.
    NothingToFollow,
    /// They depend on none of the excitations.
    FollowedInVain,
    /// They were given up at this time.
    FollowedUntil(f64),
    /// Rows kept of a redundant model were chosen anew so many times.
    Exchanged(u64),
    /// What the integrator says of itself.
    Integrator(String),
    /// What of an imported file is not in the model as it was written.
    Import(String),
    /// Rows on disk were too many to keep all of them in memory.
    Thinned {
        /// Rows that what is told and drawn here relies on.
        kept: usize,
        /// All rows.
        rows: usize,
    },
    /// Modes about a state that moves by so much of its size per second or squared second.
    Frozen(f64),
    /// The same modes are others in these coordinates, because the state moves.
    OtherModes {
        /// The other coordinates.
        coordinates: String,
        /// The eigenvalue that differs most, in both: real part 1/s, imaginary part rad/s.
        values: [[f64; 2]; 2],
    },
    /// The search for the equilibrium ends elsewhere in these coordinates.
    SeveralEquilibria {
        /// The other coordinates.
        coordinates: String,
        /// "stable", "neutral" or "unstable": the other one.
        stability: &'static str,
        /// The length that differs most.
        channel: String,
        /// Its values, m.
        places: [f64; 2],
    },
    /// Nothing connects the subsystems.
    Unconnected,
    /// These subsystems are connected with nothing.
    Loose(Vec<String>),
    /// The error of the motion is not known.
    ForwardOnly,
    /// A note on a subsystem.
    InPart {
        /// Its name.
        part: String,
        /// The note.
        note: Box<Note>,
    },
}

impl Note {
    /// Jumps that were found without having been declared, each with its owner once.
    pub(crate) fn on_jumps(log: &EventLog) -> Vec<Note> {
        let mut all: Vec<Note> = Vec::new();
        for h in log.happenings.iter().filter(|h| h.kind == "found") {
            let known = all.iter_mut().find_map(|note| match note {
                Note::Jumps { whose, times, .. } if *whose == h.name => Some(times),
                _ => None,
            });
            match known {
                Some(times) => *times += 1,
                None => all.push(Note::Jumps {
                    whose: h.name.clone(),
                    t: h.t,
                    times: 1,
                }),
            }
        }
        all
    }

    /// Contacts that closed behind impacts that follow each other ever faster.
    pub(crate) fn on_piles(log: &EventLog) -> Option<Note> {
        /// Impacts before it that tell a pile from a landing.
        const LEAST: usize = 3;
        let mut hits: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let mut ended = Vec::new();
        for h in &log.happenings {
            let own = hits.entry(&h.name).or_default();
            match h.kind {
                "hits" => own.push(h.t),
                "closes" | "rests" => {
                    own.push(h.t);
                    let last = &own[own.len().saturating_sub(LEAST + 1)..];
                    let shrink = last.windows(3).all(|t| t[2] - t[1] < t[1] - t[0]);
                    if last.len() > LEAST && shrink {
                        ended.push(h);
                    }
                    own.clear();
                }
                _ => {}
            }
        }
        ended.first().map(|first| Note::Piled {
            whose: first.name.clone(),
            t: first.t,
            times: ended.len() as u64,
        })
    }

    /// Contacts and friction that changed without end, where they were taken as a whole.
    pub(crate) fn on_chatter(log: &EventLog) -> Option<Note> {
        let all = || log.happenings.iter().filter(|h| h.kind == "chatters");
        let first = all().next()?;
        let mut times: Vec<f64> = all().map(|h| h.t).collect();
        times.dedup();
        Some(Note::Chattered {
            whose: first.name.clone(),
            t: first.t,
            times: times.len() as u64,
        })
    }

    /// What most likely is not meant in the numbers of a model; hints are left to those who ask for them.
    pub fn looks(findings: &[Finding]) -> impl Iterator<Item = Note> + '_ {
        let serious = findings.iter().filter(|f| f.severity != Severity::Hint);
        serious.map(|f| Note::Looks(format!("{} ({})", f.message, f.help)))
    }

    /// What a user who asked for derivatives that follow should know: that there was nothing to follow,
    /// or that it did not help.
    pub(crate) fn on_following(following: &Following) -> Option<Note> {
        if following.excitations.is_empty() {
            return Some(Note::NothingToFollow);
        }
        if let Some(t) = following.given_up_at {
            return Some(Note::FollowedUntil(t));
        }
        let mut all = following.excitations.iter();
        all.all(|e| e.matters == Some(false))
            .then_some(Note::FollowedInVain)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same = "`extended` derivatives are the same as `partitioned` here";
        match self {
            Note::Chose {
                method,
                formulation,
                unknowns,
                reason,
            } => {
                write!(f, "chose {method} in {formulation} form: {reason}")?;
                match unknowns {
                    None => Ok(()),
                    Some([absolute, joint]) => {
                        write!(f, "; joint coordinates: {joint} unknowns for {absolute}")
                    }
                }
            }
            Note::Turned { t, method, reason } => {
                write!(f, "from t = {t:.4} on {method}: {reason}")
            }
            Note::Tightened { began, rtol } => write!(
                f,
                "computed with rtol {rtol:.0e}: with {began:.0e} the end was not within the tolerance that was asked \
                 for (--once takes the first run as it is)"
            ),
            Note::Rough { failed, steps } => write!(
                f,
                "{failed} failed attempts for {steps} accepted steps: the motion is hardly smooth at this tolerance, \
                 which has cost time and not accuracy"
            ),
            Note::Unmeasured { why } => {
                write!(f, "how far the end is off is not known: {why}")
            }
            Note::NothingToFollow => write!(
                f,
                "{same}: no force has an input that is a formula of time alone, and no coordinate is \
                 driven (drives count in joint coordinates)"
            ),
            Note::FollowedInVain => write!(f, "{same}: they depend on none of the excitations"),
            Note::FollowedUntil(t) => write!(
                f,
                "derivatives followed the excitations until t = {t:.4}: there new ones were nearer to the \
                 old than to those that had followed"
            ),
            Note::StartChanged(changes) => write!(f, "{changes}"),
            Note::Branches(branches) => write!(f, "{branches}"),
            Note::ReactionsNotUnique(shared) => write!(f, "{shared}"),
            Note::EndedBy { event, t } => write!(f, "{event} ended the run at t = {t} s"),
            Note::Piled { whose, t, times } => {
                let more = match times {
                    1 => String::new(),
                    times => format!(", the first of {times} such ends"),
                };
                write!(
                    f,
                    "impacts of {whose} pile up and were ended at t = {t:.4}{more}: the hops that are left stay within \
                     the tolerance"
                )
            }
            Note::Chattered { whose, t, times } => {
                let more = match times {
                    1 => String::new(),
                    times => format!(", the first of {times} such places"),
                };
                write!(
                    f,
                    "contacts and friction of {whose} change without end at t = {t:.4}{more}: taken as a whole over a while in \
                     which forces move nothing by more than the tolerance"
                )
            }
            Note::Jumps { whose, t, times } => {
                write!(f, "{whose} jumps at t = {t:.6}")?;
                if *times > 1 {
                    write!(f, " and {} more", count(*times - 1, "time", "times"))?;
                }
                f.write_str(", which nothing in the model says: found by its steps that failed")
            }
            Note::Thinned { kept, rows } => write!(
                f,
                "what is told here relies on {kept} of {rows} rows; all of them are in the files"
            ),
            Note::Exchanged(times) => write!(
                f,
                "joints that say the same were chosen from anew {} because those that carried the load came to \
                 depend on each other; reactions there are shared anew",
                count(*times, "time", "times")
            ),
            Note::Integrator(words) | Note::Import(words) | Note::Looks(words) => f.write_str(words),
            Note::Frozen(rate) => write!(
                f,
                "the state is no equilibrium (it moves or accelerates by up to {rate:.1e} of its size per \
                 s or s^2): the modes are those of the frozen state; about an equilibrium they are those \
                 of a state at rest"
            ),
            Note::OtherModes {
                coordinates,
                values: [mine, theirs],
            } => {
                let word = |[re, im]: &[f64; 2]| format!("{re:.4e} 1/s, {im:.4e} rad/s");
                write!(
                    f,
                    "in {coordinates} coordinates the frozen state has other modes: {} for {}. Those of a steady \
                     motion are best found in joint coordinates, where what turns steadily has a coordinate of its own",
                    word(theirs),
                    word(mine)
                )
            }
            Note::SeveralEquilibria {
                coordinates,
                stability,
                channel,
                places: [mine, theirs],
            } => write!(
                f,
                "there are several equilibria: in {coordinates} coordinates the search ends in another one \
                 ({stability}), with {channel} = {theirs:.4} m instead of {mine:.4} m; start nearer to the one that \
                 is meant"
            ),
            Note::Unconnected => f.write_str(
                "nothing connects the subsystems: each runs as if it were alone, and macro steps are of \
                 no use; add an [[element]] or a [[signal]]",
            ),
            Note::Loose(names) => {
                let (subsystems, are) = match names.len() {
                    1 => ("subsystem", "is"),
                    _ => ("subsystems", "are"),
                };
                let names = names.join(", ");
                write!(f, "{subsystems} {names} {are} connected with nothing")
            }
            Note::ForwardOnly => f.write_str(
                "no step could be repeated: the error was judged afterwards, by the coupling variables \
                 alone; the error of the motion is not known",
            ),
            Note::InPart { part, note } => write!(f, "subsystem `{part}`: {note}"),
        }
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
