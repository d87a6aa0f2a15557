//! Everything a run remembers, as one tape of 64-bit words.
//!
//! ```text
//!  section | words ... | section | words ... | seal
//! ```
//!
//! A part with state has one function, `memory`, that both saves and restores it: the tape knows
//! the direction, so the two lists cannot differ. While writing, values go to the tape; while
//! reading, they come from it. The first mistake of a reading is kept, everything after it leaves
//! its value alone, and [`Memory::finish`] tells. Parts take themselves apart field by field
//! (`let Part { a, b } = self`), so that a new field cannot be forgotten.
//!
//! Sections begin with a short name and lists with their length, so that the tape of another run
//! is refused with a reason. The seal is a hash of all words before it: a tape that was damaged is
//! not read at all.
//!
//! What is not here: the wording of the last attempts, see [`crate::log`].

use std::fmt;
use std::ops::RangeInclusive;

/// Longest name of a section, in bytes: it is kept in one word.
const NAME: usize = 8;

/// The name of a section as it is on a tape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name(u64);

impl Name {
    fn new(name: &str) -> Name {
        debug_assert!(name.len() <= NAME && name.is_ascii(), "{name}");
        let mut bytes = [b' '; NAME];
        for (to, from) in bytes.iter_mut().zip(name.bytes()) {
            *to = from;
        }
        Name(u64::from_le_bytes(bytes))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.to_le_bytes();
        match std::str::from_utf8(&bytes) {
            Ok(name) if bytes.iter().all(|b| b.is_ascii_graphic() || *b == b' ') => {
                f.write_str(name.trim_end())
            }
            _ => write!(f, "{:#x}", self.0),
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

/// Why a tape could not be read.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MemoryError {
    /// The seal does not fit the words.
    #[error("it is damaged: its checksum does not fit its content")]
    Damaged,
    /// The tape ends too early.
    #[error("it ends within the part `{section}`")]
    Short {
        /// The part being read.
        section: Name,
    },
    /// The tape goes on where it should end.
    #[error("{words} words are left at its end")]
    Surplus {
        /// How many.
        words: usize,
    },
    /// Another part than the one being read.
    #[error("it holds `{found}` where `{expected}` is needed")]
    Foreign {
        /// The part being read.
        expected: Name,
        /// What the tape says.
        found: Name,
    },
    /// A list of another length.
    #[error("part `{section}`: a list of {found} values where {expected} are needed")]
    Length {
        /// The part being read.
        section: Name,
        /// Length at hand.
        expected: usize,
        /// Length on the tape.
        found: u64,
    },
    /// A value that the part cannot have.
    #[error("part `{section}`: the value {value} is impossible")]
    Range {
        /// The part being read.
        section: Name,
        /// The value.
        value: u64,
    },
    /// A parameter of the part that is not what it was.
    #[error("part `{section}` had other parameters")]
    Differs {
        /// The part being read.
        section: Name,
    },
    /// A matrix that has no factors.
    #[error("part `{section}`: a matrix that cannot be factored")]
    Singular {
        /// The part being read.
        section: Name,
    },
}

/// A tape, being written or read.
#[derive(Clone, Debug)]
pub struct Memory {
    words: Vec<u64>,
    /// The next word to be read, and the seal.
    at: usize,
    end: usize,
    reading: bool,
    section: Name,
    error: Option<MemoryError>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::writing()
    }
}

impl Memory {
    /// An empty tape to be written.
    pub fn writing() -> Memory {
        Memory {
            words: Vec::new(),
            at: 0,
            end: 0,
            reading: false,
            section: Name::new(""),
            error: None,
        }
    }

    /// A written tape to be read.
    pub fn reading(words: Vec<u64>) -> Result<Memory, MemoryError> {
        let mut m = Memory {
            words,
            ..Memory::writing()
        };
        m.rewind()?;
        Ok(m)
    }

    /// Begins to read what was written, from its beginning.
    pub fn rewind(&mut self) -> Result<(), MemoryError> {
        match self.words.split_last() {
            Some((seal, words)) if *seal == hash(words) => {
                self.end = words.len();
                self.at = 0;
                self.reading = true;
                self.error = None;
                Ok(())
            }
            _ => Err(MemoryError::Damaged),
        }
    }

    /// Begins to write anew in the room there is.
    pub fn clear(&mut self) {
        self.words.clear();
        self.at = 0;
        self.reading = false;
        self.error = None;
    }

    /// Whether values come from the tape.
    pub fn is_reading(&self) -> bool {
        self.reading
    }

    /// Whether values come from the tape and have made sense so far: what is derived from them can
    /// be made anew.
    pub fn has_read(&self) -> bool {
        self.reading && self.error.is_none()
    }

    /// Ends the tape: seals what was written, or tells whether all was read and made sense.
    pub fn finish(&mut self) -> Result<(), MemoryError> {
        if !self.reading {
            self.words.push(hash(&self.words));
            return Ok(());
        }
        match (self.error, self.end - self.at) {
            (Some(error), _) => Err(error),
            (None, 0) => Ok(()),
            (None, words) => Err(MemoryError::Surplus { words }),
        }
    }

    /// The words, sealed after [`Memory::finish`].
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Begins a part; its name has at most eight letters.
    pub fn section(&mut self, name: &str) {
        let expected = Name::new(name);
        self.section = expected;
        let mut word = expected.0;
        self.u64(&mut word);
        if word != expected.0 {
            let found = Name(word);
            self.refuse(MemoryError::Foreign { expected, found });
        }
    }

    /// Gives up reading; only the first reason is kept.
    fn refuse(&mut self, why: MemoryError) {
        self.error.get_or_insert(why);
    }

    /// Says that a tape within this one cannot be read.
    pub fn spoil(&mut self, why: MemoryError) {
        self.refuse(why);
    }

    /// Says that a matrix on the tape cannot be factored.
    pub fn singular(&mut self) {
        let section = self.section;
        self.refuse(MemoryError::Singular { section });
    }

    /// One word.
    pub fn u64(&mut self, x: &mut u64) {
        if !self.reading {
            self.words.push(*x);
            return;
        }
        if self.error.is_some() {
            return;
        }
        match self.words[..self.end].get(self.at) {
            Some(word) => {
                *x = *word;
                self.at += 1;
            }
            None => {
                let section = self.section;
                self.refuse(MemoryError::Short { section });
            }
        }
    }

    /// A number, to the last bit.
    pub fn f64(&mut self, x: &mut f64) {
        let mut word = x.to_bits();
        self.u64(&mut word);
        *x = f64::from_bits(word);
    }

    /// A number within a range.
    pub fn index(&mut self, x: &mut usize, range: RangeInclusive<usize>) {
        let mut word = *x as u64;
        self.u64(&mut word);
        match usize::try_from(word) {
            Ok(value) if range.contains(&value) => *x = value,
            _ => self.impossible(word),
        }
    }

    /// A count.
    pub fn usize(&mut self, x: &mut usize) {
        self.index(x, 0..=usize::MAX);
    }

    /// A count.
    pub fn u32(&mut self, x: &mut u32) {
        let mut word = u64::from(*x);
        self.u64(&mut word);
        match u32::try_from(word) {
            Ok(value) => *x = value,
            Err(_) => self.impossible(word),
        }
    }

    /// Yes or no.
    pub fn bool(&mut self, x: &mut bool) {
        let mut word = u64::from(*x);
        self.u64(&mut word);
        match word {
            0 | 1 => *x = word == 1,
            _ => self.impossible(word),
        }
    }

    /// A number or none.
    pub fn option(&mut self, x: &mut Option<f64>) {
        let mut some = x.is_some();
        let mut value = x.unwrap_or(0.0);
        self.bool(&mut some);
        self.f64(&mut value);
        if self.error.is_none() {
            *x = some.then_some(value);
        }
    }

    /// As many numbers as there are.
    pub fn slice(&mut self, x: &mut [f64]) {
        if self.length(x.len()) {
            for x in x {
                self.f64(x);
            }
        }
    }

    /// As many counts as there are.
    pub fn counts(&mut self, x: &mut [u32]) {
        if self.length(x.len()) {
            for x in x {
                self.u32(x);
            }
        }
    }

    /// Any number of numbers; reading allocates.
    pub fn list(&mut self, x: &mut Vec<f64>) {
        let mut length = x.len() as u64;
        self.u64(&mut length);
        if self.has_read() {
            let left = (self.end - self.at) as u64;
            if length > left {
                let section = self.section;
                return self.refuse(MemoryError::Short { section });
            }
            x.clear();
            x.resize(length as usize, 0.0);
        }
        for x in x {
            self.f64(x);
        }
    }

    /// A parameter that must be what it was.
    pub fn same(&mut self, parameter: u64) {
        let mut word = parameter;
        self.u64(&mut word);
        if word != parameter {
            let section = self.section;
            self.refuse(MemoryError::Differs { section });
        }
    }

    /// The length of a list that must agree; whether to go on with its values.
    fn length(&mut self, expected: usize) -> bool {
        let mut found = expected as u64;
        self.u64(&mut found);
        if found != expected as u64 {
            let section = self.section;
            self.refuse(MemoryError::Length {
                section,
                expected,
                found,
            });
        }
        self.error.is_none()
    }

    fn impossible(&mut self, value: u64) {
        let section = self.section;
        self.refuse(MemoryError::Range { section, value });
    }
}

/// A hash of words. Each one enters by a bijection (exclusive or, rotation, odd multiplier), so a
/// change of a single word always changes the hash.
pub fn hash(words: &[u64]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let start = words.len() as u64 ^ ODD;
    let sum = words
        .iter()
        .fold(start, |h, w| (h.rotate_left(23) ^ w).wrapping_mul(ODD));
    sum ^ (sum >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Part {
        x: f64,
        values: Vec<f64>,
        counts: Vec<u32>,
        list: Vec<f64>,
        flag: bool,
        order: usize,
        curvature: Option<f64>,
    }

    impl Part {
        fn memory(&mut self, m: &mut Memory) {
            m.section("part");
            m.f64(&mut self.x);
            m.slice(&mut self.values);
            m.counts(&mut self.counts);
            m.list(&mut self.list);
            m.bool(&mut self.flag);
            m.index(&mut self.order, 1..=5);
            m.option(&mut self.curvature);
        }
    }

    fn full() -> Part {
        Part {
            x: -0.0,
            values: vec![1.0 / 3.0, f64::INFINITY],
            counts: vec![7, u32::MAX],
            list: vec![1.0, 2.0, 3.0],
            flag: true,
            order: 4,
            curvature: Some(2.5),
        }
    }

    fn empty() -> Part {
        Part {
            values: vec![0.0; 2],
            counts: vec![0; 2],
            order: 1,
            ..Part::default()
        }
    }

    fn written() -> Vec<u64> {
        let mut m = Memory::writing();
        full().memory(&mut m);
        m.finish().unwrap();
        m.words().to_vec()
    }

    /// The tape with some words changed, sealed again.
    fn forged(change: impl FnOnce(&mut Vec<u64>)) -> Vec<u64> {
        let mut words = written();
        words.pop();
        change(&mut words);
        words.push(hash(&words));
        words
    }

    fn read(words: Vec<u64>, part: &mut Part) -> Result<(), MemoryError> {
        let mut m = Memory::reading(words)?;
        part.memory(&mut m);
        m.finish()
    }

    #[test]
    fn what_was_written_is_read() {
        let mut part = empty();
        read(written(), &mut part).unwrap();
        assert_eq!(part, full());
        assert!(part.x.is_sign_negative(), "every bit counts");
    }

    #[test]
    fn any_changed_word_breaks_the_seal() {
        for i in 0..written().len() {
            let mut words = written();
            words[i] ^= 1 << (i % 64);
            assert_eq!(read(words, &mut empty()), Err(MemoryError::Damaged));
        }
        for length in 0..written().len() {
            let words = written()[..length].to_vec();
            assert_eq!(read(words, &mut empty()), Err(MemoryError::Damaged));
        }
    }

    #[test]
    fn a_sealed_tape_that_does_not_fit_is_refused_with_its_part() {
        let section = Name::new("part");
        let cases: [(Vec<u64>, MemoryError); 6] = [
            (
                forged(|w| w[0] = Name::new("other").0),
                MemoryError::Foreign {
                    expected: section,
                    found: Name::new("other"),
                },
            ),
            (
                forged(|w| w[2] = 3),
                MemoryError::Length {
                    section,
                    expected: 2,
                    found: 3,
                },
            ),
            (forged(|w| w.truncate(5)), MemoryError::Short { section }),
            (forged(|w| w[8] = u64::MAX), MemoryError::Short { section }),
            (
                forged(|w| w[13] = 6),
                MemoryError::Range { section, value: 6 },
            ),
            (forged(|w| w.push(0)), MemoryError::Surplus { words: 1 }),
        ];
        for (words, expected) in cases {
            assert_eq!(read(words, &mut empty()), Err(expected));
        }
        let mut m = Memory::writing();
        m.same(1);
        m.finish().unwrap();
        let mut m = Memory::reading(m.words().to_vec()).unwrap();
        m.same(2);
        assert!(matches!(m.finish(), Err(MemoryError::Differs { .. })));
    }

    #[test]
    fn a_tape_can_be_written_again_in_its_room() {
        let mut m = Memory::writing();
        for _ in 0..2 {
            m.clear();
            full().memory(&mut m);
            m.finish().unwrap();
            assert_eq!(m.words(), written());
        }
    }
}
