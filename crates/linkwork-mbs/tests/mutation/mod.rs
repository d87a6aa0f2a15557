//! Model texts made from the example models by random damage, the same sequence for the same seed.
//!
//! Damage is chosen to reach deep: most texts stay well-formed TOML with one or two wrong values, so
//! that readers, units, formulas, assembly and evaluation see them, not only the parser.

use linkwork_dae::state::State;
use linkwork_dae::system::{Blocks, Parts, System, Terms};
use linkwork_mbs::lint::lint;
use linkwork_mbs::{assemble, text};

/// Xorshift (Marsaglia 2003): small, and the same on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// Values that a careless or malicious author may write.
const VALUES: &[&str] = &[
    "0",
    "-0.0",
    "1e308",
    "-1e308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "9223372036854775807",
    "1e400",
    "true",
    "\"\"",
    "[]",
    "[[]]",
    "{}",
    "[0, 0]",
    "[0, 0, 0]",
    "[1e300, 1e300]",
    "[1, 0, 0, 0]",
    "[nan, 0]",
    "\"ground\"",
    "\"0 deg\"",
    "\"1 parsec\"",
    "\"-3 mm\"",
    "\"1/0\"",
    "\"sqrt(-1)\"",
    "\"t^t^t\"",
    "\"sin(((((t)))))\"",
    "\"((((((((((\"",
    "\"1e999\"",
    "\"log(t)\"",
    "\"µ\"",
    "'''",
    "\"",
    "\"crank.angle\"",
    "\"stroke/2\"",
    "\"-rod*radius^9e9\"",
    "\"1/(gas - gas)\"",
    "\"loop.output\"",
    "1979-05-27",
    "0x7fffffffffffffff",
];

/// One damaged text.
pub fn damaged(corpus: &[String], dice: &mut Dice) -> String {
    let mut text = corpus[dice.below(corpus.len())].clone();
    for _ in 0..1 + dice.below(2) {
        text = damage(text, corpus, dice);
    }
    text
}

fn damage(text: String, corpus: &[String], dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = dice.below(lines.len());
    match dice.below(18) {
        9.. => {
            // another number in the same place: the form stays right
            let from: Vec<usize> = (0..lines.len())
                .filter(|i| has_number(&lines[*i]))
                .collect();
            if !from.is_empty() {
                let line = &mut lines[from[dice.below(from.len())]];
                *line = other_number(line, dice);
            }
        }
        0..=2 => {
            // another value behind the same key
            if let Some(line) = lines.get_mut(at)
                && let Some(equals) = line.find('=')
            {
                line.truncate(equals + 1);
                line.push_str(dice.pick(VALUES));
            }
        }
        3 if !lines.is_empty() => {
            lines.remove(at);
        }
        4 if !lines.is_empty() => {
            let copy = lines[at].clone();
            let to = dice.below(lines.len());
            lines.insert(to, copy);
        }
        5 if !lines.is_empty() => {
            let other = dice.below(lines.len());
            lines.swap(at, other);
        }
        6 => {
            // a line of another model
            let donor: Vec<&str> = corpus[dice.below(corpus.len())].lines().collect();
            let line = donor[dice.below(donor.len())].to_owned();
            lines.insert(at, line);
        }
        7 => {
            // one character more, less or other
            if let Some(line) = lines.get_mut(at) {
                let mut letters: Vec<char> = line.chars().collect();
                let i = dice.below(letters.len());
                match dice.below(3) {
                    0 if !letters.is_empty() => {
                        letters.remove(i);
                    }
                    1 => {
                        letters.insert(i, *dice.pick(&[&'"', &'[', &'.', &'-', &'9', &'é', &'\0']))
                    }
                    _ => {
                        if let Some(letter) = letters.get_mut(i) {
                            *letter = *dice.pick(&[&'e', &'0', &' ', &'=', &']', &'#', &'\\']);
                        }
                    }
                }
                *line = letters.into_iter().collect();
            }
        }
        _ => lines.truncate(at),
    }
    lines.join("\n")
}

const NUMBERS: &[&str] = &[
    "0", "-1", "1", "1e-300", "1e300", "1e-12", "1e12", "-1e9", "90", "3.14159", "0.5",
];

fn has_number(line: &str) -> bool {
    (line.find('=')).is_some_and(|at| line[at..].contains(|c: char| c.is_ascii_digit()))
}

/// The line with one of its numbers replaced.
fn other_number(line: &str, dice: &mut Dice) -> String {
    let equals = line.find('=').unwrap_or(0);
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let mut starts = Vec::new();
    let mut inside = false;
    for (i, c) in line.char_indices().filter(|(i, _)| *i > equals) {
        if is_digit(c) && !inside {
            starts.push(i);
        }
        inside = is_digit(c);
    }
    let Some(&start) = starts.get(dice.below(starts.len())) else {
        return line.to_owned();
    };
    let rest = &line[start..];
    let end = rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
    format!("{}{}{}", &line[..start], dice.pick(NUMBERS), &rest[end..])
}

/// How far a text got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Refused by the reader.
    Text,
    /// Read, but refused by the assembly.
    Model,
    /// Evaluated, with or without an answer.
    Equations,
}

/// Reads a text, assembles it, lints it, evaluates everything once. Must not panic.
pub fn swallow(source: &str) -> Reached {
    let document = match text::read(source) {
        Ok(document) => document,
        Err(errors) => {
            for e in errors {
                e.line_column(source);
            }
            return Reached::Text;
        }
    };
    let mut system = match assemble(&document.model) {
        Ok(system) => system,
        Err(e) => {
            document.locate(e);
            return Reached::Model;
        }
    };
    let again = text::read(&document.to_text());
    assert!(again.is_ok(), "what was written cannot be read: {again:?}");
    for finding in lint(&document, Some(1.0)) {
        assert!(finding.span.is_some(), "no place for {finding:?}");
    }
    evaluate(&mut system);
    Reached::Equations
}

fn evaluate(system: &mut dyn System) {
    let dims = system.dims();
    let guess = system.facts().guess.clone();
    let mut s = State::new(dims);
    s.t = guess.t;
    s.q.copy_from_slice(&guess.q);
    s.v.copy_from_slice(&guess.v);
    s.x.copy_from_slice(&guess.x);
    let mut blocks = Blocks::new(system.patterns());
    let mut r = vec![0.0; dims.nv];
    let mut c = vec![0.0; dims.nc];
    let mut gamma = vec![0.0; dims.rows()];
    let mut f = vec![0.0; dims.nx];
    let mut want = Terms {
        r: Some(&mut r),
        c: Some(&mut c),
        gamma: Some(&mut gamma),
        f: Some(&mut f),
        ..Terms::default()
    };
    // an error is an answer too
    let _ = system.linearise(&s.at(), &mut want, Parts::ALL, &mut blocks);
    let mut out = vec![0.0; system.channels().len()];
    system.observe(&s, &mut out);
    system.energy(&s);
}

/// The example models and the bad ones.
pub fn corpus() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut paths: Vec<_> = [folder.to_owned(), format!("{folder}/bad")]
        .iter()
        .flat_map(|f| std::fs::read_dir(f).into_iter().flatten())
        .filter_map(|f| Some(f.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|p| std::fs::read_to_string(p).ok())
        .collect()
}
