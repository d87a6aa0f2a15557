//! What a mechanism did, in a few numbers: where it ended, how fast it was, what its joints carried.

use crate::table::Table;

/// The largest size of a vector over a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// The part of the model.
    pub part: String,
    /// The size.
    pub value: f64,
    /// When.
    pub t: f64,
}

/// What there is to tell of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Highlights {
    /// A few coordinates or sensors that have moved most, with their last values and units.
    pub ends: Vec<(String, f64, String)>,
    /// The fastest body, m/s.
    pub speed: Option<Peak>,
    /// The fastest turning body, rad/s.
    pub turning: Option<Peak>,
    /// The body with the largest acceleration, m/s^2.
    pub acceleration: Option<Peak>,
    /// The joint with the largest reaction force, N.
    pub reaction: Option<Peak>,
}

/// Channels that are told of the end.
const TOLD: usize = 3;

impl Highlights {
    /// Looks through the rows of a run. Rows without values do not count.
    pub fn of(table: &Table) -> Highlights {
        let vector = |suffixes: &[&str]| peak(table, suffixes);
        Highlights {
            ends: ends(table),
            speed: vector(&[".x.velocity", ".y.velocity", ".z.velocity"]),
            turning: vector(&[".angle.velocity", ".omega.x", ".omega.y", ".omega.z"]),
            acceleration: vector(&[".x.acceleration", ".y.acceleration", ".z.acceleration"]),
            reaction: vector(&[".reaction.x", ".reaction.y", ".reaction.z"]),
        }
    }

    /// The highlights as rows of a summary: a word, and what there is to say.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        if !self.ends.is_empty() {
            let told = self.ends.iter().map(|(name, value, unit)| {
                let unit = if unit.is_empty() {
                    String::new()
                } else {
                    format!(" {unit}")
                };
                format!("{name} = {}{unit}", digits(*value))
            });
            rows.push(("at the end", told.collect::<Vec<_>>().join(", ")));
        }
        let mut fastest = Vec::new();
        for (peak, unit) in [
            (&self.speed, "m/s"),
            (&self.turning, "rad/s"),
            (&self.acceleration, "m/s^2"),
        ] {
            if let Some(p) = peak {
                fastest.push(p.words(unit));
            }
        }
        if !fastest.is_empty() {
            rows.push(("fastest", fastest.join(", ")));
        }
        if let Some(p) = &self.reaction {
            rows.push(("reactions", format!("up to {}", p.words("N"))));
        }
        rows
    }
}

impl Peak {
    fn words(&self, unit: &str) -> String {
        format!(
            "{} {unit} ({} at {} s)",
            digits(self.value),
            self.part,
            digits(self.t)
        )
    }
}

/// Four digits are enough to know a motion by.
fn digits(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_string()
    } else if (1e-3..1e5).contains(&size) {
        let decimals = (3 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{x:.decimals$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        } else {
            text
        }
    } else {
        format!("{x:.3e}")
    }
}

/// The largest vector whose components end in these suffixes.
fn peak(table: &Table, suffixes: &[&str]) -> Option<Peak> {
    let mut best: Option<Peak> = None;
    let stem = |name: &str| {
        let found = suffixes.iter().find_map(|s| name.strip_suffix(s));
        found.map(str::to_string)
    };
    let mut i = 0;
    let channels = table.channels();
    while i < channels.len() {
        let Some(part) = stem(&channels[i].name) else {
            i += 1;
            continue;
        };
        // components of a part may have other channels between them
        let own: Vec<usize> = (i..channels.len())
            .take_while(|k| channels[*k].name.starts_with(&format!("{part}.")))
            .filter(|k| stem(&channels[*k].name).as_deref() == Some(&part))
            .collect();
        for (row, t) in table.times().iter().enumerate() {
            let square: f64 = own.iter().map(|k| table.columns()[*k][row].powi(2)).sum();
            let value = square.sqrt();
            if value > best.as_ref().map_or(0.0, |p| p.value) {
                best = Some(Peak {
                    part: part.clone(),
                    value,
                    t: *t,
                });
            }
        }
        i = own.last().copied().unwrap_or(i) + 1;
    }
    best
}

/// Positions and angles that have changed most, in their order.
fn ends(table: &Table) -> Vec<(String, f64, String)> {
    let told = |name: &str| {
        let quiet = [
            ".velocity",
            ".acceleration",
            ".yaw",
            ".pitch",
            ".roll",
            ".length",
        ];
        !name.contains(".quaternion.") && !quiet.iter().any(|q| name.ends_with(q))
    };
    let mut moved: Vec<(usize, f64)> = Vec::new();
    for (i, channel) in table.channels().iter().enumerate() {
        if !matches!(channel.unit.as_str(), "m" | "rad") || !told(&channel.name) {
            continue;
        }
        let column = &table.columns()[i];
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if high - low > 0.0 && column.last().is_some_and(|x| x.is_finite()) {
            moved.push((i, high - low));
        }
    }
    moved.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    moved.truncate(TOLD);
    moved.sort_unstable_by_key(|m| m.0);
    let row = |(i, _): &(usize, f64)| {
        let channel = &table.channels()[*i];
        let last = table.columns()[*i].last().copied().unwrap_or(f64::NAN);
        (channel.name.clone(), last, channel.unit.clone())
    };
    moved.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::system::Channel;

    #[test]
    fn peaks_are_sizes_of_vectors_with_part_and_time() {
        let names = [
            ("a.x", "m"),
            ("a.x.velocity", "m/s"),
            ("a.y", "m"),
            ("a.y.velocity", "m/s"),
            ("b.x.velocity", "m/s"),
            ("j.reaction.x", "N"),
            ("j.reaction.y", "N"),
        ];
        let mut table = Table::new(&names.map(|(n, u)| Channel::new(n, u)));
        table.push(0.0, &[0.0, 3.0, 1.0, 4.0, 4.5, 1.0, 0.0]);
        table.push(1.0, &[2.0, 1.0, 1.0, 0.0, f64::NAN, -6.0, 8.0]);
        let h = Highlights::of(&table);
        let speed = h.speed.clone().unwrap();
        assert_eq!((speed.part.as_str(), speed.value, speed.t), ("a", 5.0, 0.0));
        let reaction = h.reaction.clone().unwrap();
        assert_eq!(
            (reaction.part.as_str(), reaction.value, reaction.t),
            ("j", 10.0, 1.0)
        );
        assert_eq!(h.ends, [("a.x".to_string(), 2.0, "m".to_string())]);
        assert_eq!(h.turning, None);
        let rows = h.words();
        assert_eq!(rows[0], ("at the end", "a.x = 2 m".to_string()));
        assert_eq!(rows[2], ("reactions", "up to 10 N (j at 1 s)".to_string()));
        assert_eq!(Highlights::of(&Table::default()), Highlights::default());
    }

    #[test]
    fn numbers_have_four_digits() {
        let pairs = [
            (15.80812, "15.81"),
            (0.012345, "0.01235"),
            (1234.6, "1235"),
            (1e-7, "1.000e-7"),
            (-2.0, "-2"),
        ];
        for (x, text) in pairs {
            assert_eq!(digits(x), text);
        }
    }
}
