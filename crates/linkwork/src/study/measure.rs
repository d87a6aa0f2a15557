//! What a study measures errors of, and how far motions are apart in it: the largest
//! [difference](crate::compare) over the points of time; a measure of several channels has that of the
//! worst.

use super::StudyError;
use crate::compare::{self, Meaning};
use crate::table::Table;
use linkwork_dae::system::Channel;
use linkwork_mbs::spelling::nearest;

/// What errors are measured of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measures {
    /// Names: "motion", or a channel each.
    pub names: Vec<String>,
    /// Channels of each, by their place in [`Measures::channels`].
    members: Vec<Vec<usize>>,
    /// Channels that are looked at, by their place in a table.
    channels: Vec<usize>,
    looked_at: Vec<Channel>,
}

/// The channels of a run that are looked at, at distinct points of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Motion {
    pub times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Measures {
    /// One for each chosen channel, or all positions and angles together.
    pub fn new(channels: &[Channel], chosen: &[String]) -> Result<Measures, StudyError> {
        let place = |name: &str| channels.iter().position(|c| c.name == name);
        let (names, picked, members) = if chosen.is_empty() {
            let picked = positions(channels);
            let members = vec![(0..picked.len()).collect()];
            (vec!["motion".to_string()], picked, members)
        } else {
            let mut picked = Vec::new();
            for name in chosen {
                picked.push(place(name).ok_or_else(|| {
                    let near = nearest(name, channels.iter().map(|c| c.name.as_str()));
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "channels.csv of a run names all of them".to_string(),
                    };
                    StudyError::new(format!("there is no channel `{name}`"), help)
                })?);
            }
            let members = (0..picked.len()).map(|i| vec![i]).collect();
            (chosen.to_vec(), picked, members)
        };
        if picked.is_empty() {
            let help = "name some of its channels";
            return Err(StudyError::new(
                "the model has no channels to compare",
                help,
            ));
        }
        Ok(Measures {
            names,
            members,
            looked_at: picked.iter().map(|&i| channels[i].clone()).collect(),
            channels: picked,
        })
    }

    /// What is looked at of a table. Of several rows at one time the last counts.
    pub fn motion(&self, table: &Table) -> Motion {
        let times = table.times();
        let last = |i: &usize| times.get(i + 1).is_none_or(|next| *next > times[*i]);
        let rows: Vec<usize> = (0..times.len()).filter(last).collect();
        let column = |&c: &usize| rows.iter().map(|&row| table.columns()[c][row]).collect();
        Motion {
            times: rows.iter().map(|&row| times[row]).collect(),
            columns: self.channels.iter().map(column).collect(),
        }
    }

    /// How far each channel moves, as errors are held against it.
    fn scales(&self, reference: &Motion) -> Vec<f64> {
        let ranges: Vec<f64> = (reference.columns.iter())
            .map(|column| compare::range(column))
            .collect();
        let units = self.looked_at.iter().map(|c| c.unit.as_str());
        compare::scales(&ranges, units, compare::STILL)
    }

    /// The error of a motion for each measure, up to each time of the reference.
    pub fn errors(&self, motion: &Motion, reference: &Motion) -> Vec<f64> {
        let courses = self.courses(motion, reference);
        let worst = |course: &Vec<f64>| course.iter().copied().fold(0.0, f64::max);
        courses.iter().map(worst).collect()
    }

    /// The error at each time of the reference, for each measure; infinite where there is no value.
    pub fn courses(&self, motion: &Motion, reference: &Motion) -> Vec<Vec<f64>> {
        let scales = self.scales(reference);
        let complete = motion.times.len() == reference.times.len();
        let error = |channel: usize, row: usize| {
            let (found, right) = (&motion.columns[channel], reference.columns[channel][row]);
            let difference = match found.get(row) {
                Some(found) if complete => {
                    Meaning::of(&self.looked_at[channel].name).difference(*found, right)
                }
                _ => f64::INFINITY,
            };
            match (right.is_finite(), difference.is_nan(), difference == 0.0) {
                (false, _, _) | (_, _, true) => 0.0,
                (true, true, _) => f64::INFINITY,
                (true, false, _) => difference / scales[channel],
            }
        };
        let worst = |members: &Vec<usize>, row: usize| {
            let errors = members.iter().map(|&channel| error(channel, row));
            errors.fold(0.0, f64::max)
        };
        let rows = 0..reference.times.len();
        let course = |members: &Vec<usize>| rows.clone().map(|row| worst(members, row)).collect();
        self.members.iter().map(course).collect()
    }
}

/// Channels of positions and angles: those that have a velocity beside them, and quaternions; where there
/// are none all channels.
fn positions(channels: &[Channel]) -> Vec<usize> {
    let names: std::collections::BTreeSet<&str> =
        channels.iter().map(|c| c.name.as_str()).collect();
    let is_position = |c: &Channel| {
        names.contains(format!("{}.velocity", c.name).as_str()) || c.name.contains(".quaternion.")
    };
    let found: Vec<usize> = (0..channels.len())
        .filter(|&i| is_position(&channels[i]))
        .collect();
    if found.is_empty() {
        (0..channels.len()).collect()
    } else {
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(f64, [f64; 3])]) -> Table {
        let channels = [
            Channel::new("rod.x", "m"),
            Channel::new("rod.x.velocity", "m/s"),
            Channel::new("peg.x", "m"),
        ];
        let mut table = Table::new(&channels);
        for (t, row) in rows {
            table.push(*t, row);
        }
        table
    }

    #[test]
    fn errors_are_shares_of_the_motion() {
        let reference = table(&[(0.0, [1.0, 9.0, 5.0]), (1.0, [3.0, 9.0, 5.0])]);
        let found = table(&[(0.0, [1.0, 0.0, 5.0]), (1.0, [3.1, 0.0, 5.0])]);
        let measures = Measures::new(reference.channels(), &[]).expect("there are positions");
        let (r, f) = (measures.motion(&reference), measures.motion(&found));
        // the velocity is not looked at
        let errors = measures.errors(&f, &r);
        assert_eq!(errors.len(), 1);
        assert!((errors[0] - 0.05).abs() < 1e-12, "{errors:?}");
        let chosen = ["peg.x".to_string(), "rod.x".to_string()];
        let measures = Measures::new(reference.channels(), &chosen).expect("they exist");
        let (r, mut f) = (measures.motion(&reference), measures.motion(&found));
        let errors = measures.errors(&f, &r);
        assert_eq!(
            errors[0], 0.0,
            "what stands still and is right has no error"
        );
        // a thousandth of the farthest motion of the unit: 2 mm
        f.columns[0][1] = 5.001;
        assert!((measures.errors(&f, &r)[0] - 0.5).abs() < 1e-9);
        f.columns[1][1] = f64::NAN;
        assert_eq!(measures.errors(&f, &r)[1], f64::INFINITY);
    }

    #[test]
    fn both_sides_of_a_jump_count_once() {
        let rows = [
            (0.0, [0.0; 3]),
            (1.0, [1.0; 3]),
            (1.0, [2.0; 3]),
            (2.0, [3.0; 3]),
        ];
        let table = table(&rows);
        let measures = Measures::new(table.channels(), &[]).expect("there are positions");
        let motion = measures.motion(&table);
        assert_eq!(motion.times, [0.0, 1.0, 2.0]);
        assert_eq!(motion.columns[0], [0.0, 2.0, 3.0]);
    }

    #[test]
    fn a_channel_that_is_not_there_is_answered_with_the_nearest() {
        let table = table(&[]);
        let error = Measures::new(table.channels(), &["rod.xx".into()]).expect_err("misspelt");
        assert_eq!(error.help.as_deref(), Some("did you mean `rod.x`?"));
    }
}
