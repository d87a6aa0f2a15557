//! Damaged input: whatever a text, a system, a robot or a checkpoint has become, it is read or refused, in time.
//!
//! Mutations are the same in every run. `FUZZ=100 cargo test --release -p linkwork --test fuzz` makes a hundred
//! times as many, a million in all; with `FUZZ_FROM=25000` those before the 25 000th of each kind are left out.

mod systems;

use cpu_time::ProcessTime;
use linkwork::cosim::{CosimOptions, CoupledSystem};
use linkwork::dae::drive::Flow;
use linkwork::dae::memory::hash;
use linkwork::import::{Choices, urdf};
use linkwork::{Options, Simulation, cosim, mbs};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use systems::part;

/// Longest time that one input may take.
const LIMIT: Duration = Duration::from_secs(20);

/// How long something takes: by the clock, or by the processor where others keep that busy.
struct Watch(Instant, ProcessTime);

impl Watch {
    fn start() -> Watch {
        Watch(Instant::now(), ProcessTime::now())
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed().min(self.1.elapsed())
    }
}

/// Reproducible numbers (Knuth's linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = (self.0)
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

fn times(n: usize) -> usize {
    n * variable("FUZZ").unwrap_or(1)
}

fn variable(name: &str) -> Option<usize> {
    (std::env::var(name).ok()).map(|x| x.parse().expect("a number"))
}

/// What inputs are damaged with.
const PIECES: [&str; 26] = [
    "",
    "0",
    "-1",
    "1e308",
    "-1e-308",
    "1e400",
    "nan",
    "inf",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "=",
    "\n",
    "[[body]]\n",
    "[[",
    "<",
    "/>",
    "\u{0}",
    "\u{fffd}",
    "\"t/0\"",
    "\"1e9 mm\"",
    "99999999999999999999",
    "ground",
];

/// One to three damages: a piece put in or in place of a word, a line dropped, doubled or moved, an end cut off.
fn damaged(source: &str, draw: &mut Numbers) -> String {
    let mut text = source.to_string();
    for _ in 0..1 + draw.below(3) {
        let lines: Vec<&str> = text.lines().collect();
        let words: Vec<&str> = text
            .split_inclusive([' ', '\n', ',', '=', '"', '>'])
            .collect();
        let piece = PIECES[draw.below(PIECES.len())];
        let [line, other] = [draw.below(lines.len()), draw.below(lines.len())];
        let word = draw.below(words.len());
        let put = |list: &[&str], i: usize, with: &[&str], end: &str| {
            let (before, after) = list.split_at(i.min(list.len()));
            let rest = after.get(1..).unwrap_or_default();
            [before, with, rest].concat().join(end)
        };
        text = match draw.below(7) {
            0 | 1 => put(&words, word, &[piece, " "], ""),
            2 => put(&words, word, &[words.get(word).unwrap_or(&""), piece], ""),
            3 => put(&lines, line, &[], "\n"),
            4 => put(
                &lines,
                line,
                &[lines.get(line).copied().unwrap_or(""); 2],
                "\n",
            ),
            5 => put(&lines, line, &[lines.get(other).unwrap_or(&"")], "\n"),
            _ => {
                let end = draw.below(text.len());
                (0..=end)
                    .rev()
                    .find_map(|i| text.get(..i))
                    .unwrap_or("")
                    .into()
            }
        };
    }
    text
}

fn sources(folder: &str, ending: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|p| fs::read_to_string(p).unwrap())
        .collect()
}

/// Gives damaged sources to a reader; tells how many it accepted.
fn feed(
    sources: &[String],
    n: usize,
    seed: u64,
    mut read: impl FnMut(&str, usize) -> bool,
) -> usize {
    assert!(!sources.is_empty());
    let mut draw = Numbers(seed);
    let mut accepted = 0;
    let from = variable("FUZZ_FROM").unwrap_or(0);
    for i in 0..n {
        let text = damaged(&sources[i % sources.len()], &mut draw);
        if i < from {
            continue;
        }
        let begun = Watch::start();
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| read(&text, i)));
        let took = begun.elapsed();
        match done {
            Ok(taken) => accepted += usize::from(taken),
            Err(_) => panic!("input {i} makes it panic:\n{text}"),
        }
        assert!(took < LIMIT, "input {i} takes {took:?}:\n{text}");
    }
    accepted
}

/// Damaged models that can still be read start, and take a few steps.
#[test]
fn damaged_models_are_read_or_refused() {
    let n = times(6000);
    let accepted = feed(&sources("models", "toml"), n, 1, |text, i| {
        let Ok(document) = mbs::text::read(text) else {
            return false;
        };
        if i % 10 == 0 {
            let options = Options::new().t_end(1e-3).max_steps(20);
            if let Ok(mut simulation) = Simulation::from_document_with(&document, options) {
                let _ = simulation.run();
            }
        }
        true
    });
    assert!(accepted > n / 20 && accepted < n, "{accepted} of {n}");
}

/// Damaged systems that can still be read start, and take a few macro steps.
#[test]
fn damaged_systems_are_read_or_refused() {
    let n = times(1500);
    let mut began = 0;
    let read = |text: &str, i: usize| {
        if cosim::text::read(text, &[]).is_err() {
            return false;
        }
        if i.is_multiple_of(5)
            && let Ok(system) = CoupledSystem::read("s", "s.toml", text, &[], &mut part)
        {
            let options = CosimOptions {
                t_end: Some(system.start_time() + 1e-3),
                max_steps: Some(5),
                ..CosimOptions::default()
            };
            let run = system.run(&options, &mut |_, _| Flow::Continue);
            began += usize::from(run.is_ok());
        }
        true
    };
    let accepted = feed(&sources("models/cosim", "toml"), n, 2, read);
    assert!(accepted > 0 && accepted < n, "{accepted} of {n}");
    assert!(began > n / 100, "{began} of {n}");
}

/// Damaged robots that can still be read start, and take a few steps.
#[test]
fn damaged_robots_are_read_or_refused() {
    let n = times(1500);
    let robots = [
        sources("models", "urdf"),
        sources("crates/linkwork/tests/urdf", "urdf"),
    ]
    .concat();
    let mut began = 0;
    let read = |text: &str, i: usize| {
        let Ok(import) = urdf::read(text, "robot.urdf", &Choices::default()) else {
            return false;
        };
        let options = Options::new().t_end(1e-3).max_steps(20);
        if i.is_multiple_of(5)
            && let Ok(mut simulation) = Simulation::in_coordinates(&import.model, &options)
        {
            began += usize::from(simulation.run().is_ok());
        }
        true
    };
    let accepted = feed(&robots, n, 3, read);
    assert!(accepted > 0 && accepted < n, "{accepted} of {n}");
    assert!(began > n / 100, "{began} of {n}");
}

/// Words of a saved run are changed, and the seal renewed, as no accident would.
#[test]
fn damaged_checkpoints_are_restored_or_refused() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let text = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/servo.toml"
    ))
    .unwrap();
    let document = mbs::text::read(&text).unwrap();
    let run = |options: Options| {
        Simulation::from_document_with(&document, options)
            .unwrap()
            .run()
    };
    let saved = folder.join("fuzz_saved.ckpt");
    run(Options::new().t_end(0.02).method("bdf").checkpoint(&saved)).unwrap();
    let bytes = fs::read(&saved).unwrap();
    let path = folder.join("fuzz.ckpt");
    let mut draw = Numbers(4);
    let (n, mut refused) = (times(1000), 0);
    for i in 0..n {
        let mut words: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|w| u64::from_le_bytes(w.try_into().unwrap()))
            .collect();
        words.pop();
        for _ in 0..1 + draw.below(4) {
            let at = draw.below(words.len());
            words[at] = match draw.below(6) {
                0 => 0,
                1 => u64::MAX,
                2 => f64::NAN.to_bits(),
                3 => (1e300f64).to_bits(),
                4 => words[at] ^ (1 << draw.below(64)),
                _ => draw.below(usize::MAX) as u64,
            };
        }
        if draw.below(4) == 0 {
            words.truncate(draw.below(words.len()));
        }
        let length = 8 * words.len() as u64;
        words.push(hash(&[&words[..], &[0, length]].concat()));
        fs::write(
            &path,
            words
                .iter()
                .flat_map(|w| w.to_le_bytes())
                .collect::<Vec<u8>>(),
        )
        .unwrap();
        let begun = Watch::start();
        let options = Options::new()
            .t_end(0.03)
            .method("bdf")
            .restart(&path)
            .max_steps(400);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(options)));
        let took = begun.elapsed();
        match done {
            Ok(done) => refused += usize::from(done.is_err()),
            Err(_) => panic!("checkpoint {i} makes it panic"),
        }
        assert!(took < LIMIT, "checkpoint {i} takes {took:?}");
    }
    assert!(refused > n / 4 && refused < n, "{refused} of {n} refused");
}
