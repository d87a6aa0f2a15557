//! What is kept of a run: one number of a channel.

use super::SweepError;
use crate::table::Table;
use linkwork_dae::system::Channel;
use linkwork_mbs::spelling::nearest;

type Reduce = fn(&[f64], &[f64]) -> f64;

/// What can be made of the course of a channel: name, meaning, function of times and values.
pub static REDUCTIONS: &[(&str, &str, Reduce)] = &[
    ("last", "the value at the end", |_, x| {
        x.last().copied().unwrap_or(f64::NAN)
    }),
    ("first", "the value at the start", |_, x| {
        x.first().copied().unwrap_or(f64::NAN)
    }),
    ("max", "the largest value of the rows", |_, x| {
        fold(x, f64::max)
    }),
    ("min", "the smallest value of the rows", |_, x| {
        fold(x, f64::min)
    }),
    ("peak", "the largest magnitude of the rows", |_, x| {
        x.iter().fold(f64::NAN, |m, x| m.max(x.abs()))
    }),
    ("mean", "the mean over time", |t, x| {
        integral(t, x, |x| x) / span(t)
    }),
    ("rms", "the root of the mean square over time", |t, x| {
        (integral(t, x, |x| x * x) / span(t)).sqrt()
    }),
];

fn fold(x: &[f64], better: fn(f64, f64) -> f64) -> f64 {
    x.iter().copied().fold(f64::NAN, better)
}

fn span(t: &[f64]) -> f64 {
    t.last().copied().unwrap_or(f64::NAN) - t.first().copied().unwrap_or(f64::NAN)
}

/// By the trapezoidal rule over the rows.
fn integral(t: &[f64], x: &[f64], of: fn(f64) -> f64) -> f64 {
    let rows = t.windows(2).zip(x.windows(2));
    rows.map(|(t, x)| 0.5 * (t[1] - t[0]) * (of(x[0]) + of(x[1])))
        .sum()
}

/// One number of a run: `rod.angle` is its last value, `max(rod.angle)` what the function makes of it.
#[derive(Clone)]
pub struct Output {
    name: String,
    channel: String,
    unit: String,
    reduce: Reduce,
}

impl Output {
    /// Outputs by their words; all channels at the end where there are none.
    pub fn all(words: &[&str], channels: &[Channel]) -> Result<Vec<Output>, SweepError> {
        if words.is_empty() {
            return channels
                .iter()
                .map(|c| Output::new(&c.name, channels))
                .collect();
        }
        words
            .iter()
            .map(|word| Output::new(word, channels))
            .collect()
    }

    fn new(word: &str, channels: &[Channel]) -> Result<Output, SweepError> {
        let inside = word
            .trim()
            .strip_suffix(')')
            .and_then(|w| w.split_once('('));
        let (function, name) = inside.unwrap_or(("last", word));
        let (function, name) = (function.trim(), name.trim());
        let known = || REDUCTIONS.iter().map(|r| r.0);
        let Some((_, _, reduce)) = REDUCTIONS.iter().find(|r| r.0 == function) else {
            let message = format!("output `{word}`: there is no function `{function}`");
            let help = format!("functions are {}", known().collect::<Vec<_>>().join(", "));
            return Err(SweepError::asked(message, help));
        };
        let Some(channel) = channels.iter().find(|c| c.name == name) else {
            let message = format!("output `{word}`: there is no channel `{name}`");
            let near = nearest(name, channels.iter().map(|c| c.name.as_str()));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "channels are those of the table of a run".into(),
            };
            return Err(SweepError::asked(message, help));
        };
        Ok(Output {
            name: word.trim().to_string(),
            channel: channel.name.clone(),
            unit: channel.unit.clone(),
            reduce: *reduce,
        })
    }

    /// Its words.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its unit.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// The number of a run.
    pub fn of(&self, table: &Table) -> f64 {
        let column = table.column(&self.channel);
        column.map_or(f64::NAN, |x| (self.reduce)(table.times(), x))
    }
}
