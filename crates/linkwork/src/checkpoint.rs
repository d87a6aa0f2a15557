//! A run on disk, to be continued later: by a longer one, or after an interruption.
//!
//! ```text
//!  linkwork | format | length of heading | heading, padded | tape ... | checksum
//!      8        8             8              8 n                          8       bytes
//! ```
//!
//! The heading is text, one `key = value` per line: what must agree for the continuation to be the
//! same run to the last bit. The end time, the outputs and the limit of attempts may change. The
//! tape is that of [`Memory`], little-endian.
//!
//! Continuations of one run agree to the last bit wherever they end.

mod heading;

pub use heading::Heading;

use crate::auto::Pilot;
use crate::notes::Note;
use crate::settings::OptionError;
use linkwork_dae::drive::{Ending, Engine, Flow, Observer, ObserverError, View};
use linkwork_dae::log::Attempt;
use linkwork_dae::memory::{Memory, hash};
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{After, Rows, System};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"linkwork";
/// Changes with the layout of the file or of the tape.
const FORMAT: u64 = 3;
const WORD: usize = size_of::<u64>();

/// A saved run.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What it belongs to.
    pub heading: Heading,
    /// The tape.
    pub words: Vec<u64>,
}

impl Checkpoint {
    /// The saved run as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let text = self.heading.text();
        for word in [FORMAT, text.len() as u64] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(WORD), b'\n');
        for word in &self.words {
            bytes.extend(word.to_le_bytes());
        }
        let seal = hash_of(&bytes);
        bytes.extend(seal.to_le_bytes());
        bytes
    }

    /// Reads bytes; on failure says in words what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, String> {
        let rest = bytes
            .strip_prefix(&MAGIC)
            .ok_or("it is not a checkpoint of this program")?;
        let (words, _) = rest.as_chunks::<WORD>();
        let word = |i: usize| words.get(i).map(|w| u64::from_le_bytes(*w));
        match word(0) {
            Some(FORMAT) => {}
            Some(other) => {
                return Err(format!(
                    "it has format {other}; this program reads format {FORMAT}"
                ));
            }
            None => return Err("it is cut short".into()),
        }
        let (content, seal) = bytes.split_at(bytes.len() - WORD);
        if !bytes.len().is_multiple_of(WORD) || hash_of(content).to_le_bytes() != *seal {
            return Err("it is damaged or cut short: its checksum does not fit".into());
        }
        let inside = &words[..words.len() - 1];
        let length = word(1).and_then(|n| usize::try_from(n).ok());
        let end = length.and_then(|n| (n.checked_next_multiple_of(WORD)? / WORD).checked_add(2));
        let heading = end.and_then(|end| inside.get(2..end));
        let (Some(length), Some(end), Some(heading)) = (length, end, heading) else {
            return Err("its heading is longer than the file".into());
        };
        let heading = heading.as_flattened().get(..length).unwrap_or_default();
        let heading = String::from_utf8(heading.to_vec())
            .map_err(|_| "its heading is not text".to_string())?;
        Ok(Checkpoint {
            heading: Heading::from_text(heading),
            words: inside[end..]
                .iter()
                .map(|w| u64::from_le_bytes(*w))
                .collect(),
        })
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Checkpoint, OptionError> {
        let bytes = fs::read(path).map_err(|e| refused(path, &e.to_string()))?;
        Checkpoint::from_bytes(&bytes).map_err(|why| refused(path, &why))
    }

    /// Writes a file beside the wanted one and then puts it in its place, so that there is a whole
    /// one at any time.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let beside = beside(path);
        let mut file = File::create(&beside)?;
        file.write_all(&self.to_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    }
}

/// The file that a checkpoint is written to before it takes its place.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Whether a file begins as checkpoints do. Pipes and devices, which may never answer, do not.
fn is_checkpoint(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    path.is_file()
        && File::open(path).is_ok_and(|mut f| f.read_exact(&mut start).is_ok() && start == MAGIC)
}

/// Whether a checkpoint can be written there; better known before the run than after it.
pub(crate) fn check_writable(path: &Path) -> Result<(), OptionError> {
    let beside = beside(path);
    let tried = if path.is_dir() {
        Err(io::Error::other("it is a directory"))
    } else if path.exists() && !is_checkpoint(path) {
        Err(io::Error::other(
            "a file that is no checkpoint has this name",
        ))
    } else {
        File::create(&beside).and_then(|_| fs::remove_file(&beside))
    };
    tried.map_err(|e| OptionError {
        option: "checkpoint",
        message: format!("cannot write the checkpoint {}: {e}", path.display()),
        help: None,
    })
}

/// The tape of the run to go on with under a heading, if there is one, and its file.
pub(crate) fn to_restart(
    heading: &Heading,
    path: Option<&Path>,
) -> Result<Option<(PathBuf, Vec<u64>)>, OptionError> {
    let Some(path) = path else {
        return Ok(None);
    };
    let saved = Checkpoint::read(path)?;
    let differences = heading.differences(&saved.heading);
    if !differences.is_empty() {
        return Err(refused(path, &differences.join("; ")));
    }
    Ok(Some((path.to_path_buf(), saved.words)))
}

/// A checkpoint that cannot be used.
pub(crate) fn refused(path: &Path, why: &str) -> OptionError {
    OptionError {
        option: "restart",
        message: format!("cannot restart from {}: {why}", path.display()),
        help: None,
    }
}

/// A hash of bytes.
pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<WORD>();
    let mut last = [0; WORD];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]);
    let mut words: Vec<u64> = words.map(|w| u64::from_le_bytes(*w)).collect();
    words.push(bytes.len() as u64);
    hash(&words)
}

/// A hash of what a system says of itself: sizes, names of its outputs, start values.
pub(crate) fn hash_of_system(sys: &dyn System) -> u64 {
    let guess = sys.facts().guess.clone();
    let names: Vec<&str> = sys.channels().iter().map(|c| c.name.as_str()).collect();
    let text = format!(
        "{:?} {names:?} {:?} {:?} {:?} {:?}",
        sys.dims(),
        guess.t,
        guess.q,
        guess.v,
        guess.x
    );
    hash_of(text.as_bytes())
}

/// When and where a run is saved.
pub(crate) struct Schedule {
    pub path: PathBuf,
    /// Accepted steps between two checkpoints.
    pub steps: Option<u64>,
    /// Simulated time between two checkpoints.
    pub interval: Option<f64>,
    pub heading: Heading,
}

/// Drives a run that is ready to begin or to proceed, saving it on the way and at its end. Returns
/// why a checkpoint could not be written, if so.
pub(crate) fn drive(
    engine: &mut Engine<'_>,
    rows: &Rows,
    schedule: &Schedule,
    pilot: Pilot<'_, &mut dyn Observer>,
    begin: impl FnOnce(&mut Engine<'_>, &mut dyn Observer) -> Ending,
) -> (Ending, Vec<Note>, Option<io::Error>) {
    let mut pilot = pilot.around(|inner| Pause {
        inner,
        steps: schedule.steps.unwrap_or(u64::MAX),
        interval: schedule.interval.unwrap_or(f64::INFINITY),
        steps_left: schedule.steps.unwrap_or(u64::MAX),
        since: engine.state().t,
        stopped: false,
    });
    let mut trouble = None;
    let mut ending = begin(engine, &mut pilot);
    loop {
        ending = pilot.conduct(engine, rows, ending);
        let checkpoint = Checkpoint {
            heading: schedule.heading.clone(),
            words: engine.save(&mut pilot),
        };
        if let Err(e) = checkpoint.write(&schedule.path) {
            trouble.get_or_insert(e);
        }
        if ending != Ending::Stopped || pilot.inner.stopped {
            return (ending, pilot.turns, trouble);
        }
        ending = engine.proceed(&mut pilot);
    }
}

/// Stops a run whenever a checkpoint is due.
struct Pause<'a> {
    inner: &'a mut dyn Observer,
    steps: u64,
    interval: f64,
    steps_left: u64,
    since: f64,
    /// Whether the inner observer has asked for the stop.
    stopped: bool,
}

impl Observer for Pause<'_> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.since = view.to;
        self.inner.on_start(view)
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        if self.inner.on_step(view)? == Flow::Stop {
            self.stopped = true;
            return Ok(Flow::Stop);
        }
        self.steps_left -= 1;
        if self.steps_left > 0 && view.to - self.since < self.interval {
            return Ok(Flow::Continue);
        }
        self.steps_left = self.steps;
        self.since = view.to;
        Ok(Flow::Stop)
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        self.inner.on_event(view, after)
    }

    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        self.inner.on_attempt(attempt, stats);
    }

    fn on_resume(&mut self, t: f64) {
        self.since = t;
        self.inner.on_resume(t);
    }

    fn memory(&mut self, m: &mut Memory) {
        self.inner.memory(m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            heading: Heading::new(7, &[("rtol", "1e-4".into())]),
            words: vec![1, u64::MAX, 3],
        }
    }

    #[test]
    fn bytes_come_back() {
        let bytes = checkpoint().to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes), Ok(checkpoint()));
    }

    #[test]
    fn every_changed_or_missing_byte_is_noticed() {
        let bytes = checkpoint().to_bytes();
        for i in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[i] ^= 0x10;
            assert!(Checkpoint::from_bytes(&changed).is_err(), "byte {i}");
            assert!(Checkpoint::from_bytes(&bytes[..i]).is_err(), "length {i}");
        }
        // a length of the heading that no file has, under a fitting checksum
        let mut forged = bytes[..bytes.len() - WORD].to_vec();
        forged[2 * WORD..3 * WORD].copy_from_slice(&u64::MAX.to_le_bytes());
        forged.extend(hash_of(&forged).to_le_bytes());
        assert!(Checkpoint::from_bytes(&forged).is_err());
        let mut newer = bytes;
        newer[WORD] = 9;
        let why = Checkpoint::from_bytes(&newer).unwrap_err();
        assert_eq!(
            why,
            format!("it has format 9; this program reads format {FORMAT}")
        );
    }
}
