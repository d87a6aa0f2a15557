//! A table as the page carries it: 32-bit numbers, thinned where there are too many.
//!
//! ```text
//!  rows    0 . . . . 5 . . . . 10      frames: every k-th row, the last one included
//!            ^ peak    v trough        between frames the least and the largest value of each
//!                                      channel with its own time, where they stand out
//! ```
//!
//! Frames carry poses and all channels; plots draw frames and extremes, so that no peak is lost. Where
//! even that is too much, channels of poses come first, then the others in their order, and the page
//! says how many are missing.

use super::base64::{doubles, floats};
use super::scene::Scene;
use crate::plural::count;
use crate::table::Table;
use serde::Serialize;
use std::collections::HashSet;

/// Most frames of a page.
pub const FRAMES: usize = 4000;
/// Most numbers of a page: 24 megabytes before they become text.
pub const NUMBERS: usize = 6_000_000;
/// Fewest frames that motion is still seen in.
const FEWEST: usize = 60;

/// Name and unit of a channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heading {
    /// Name.
    pub name: String,
    /// Unit; empty for pure numbers.
    pub unit: String,
}

/// A table in the form of the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Columns {
    /// Rows of the whole table.
    pub rows: usize,
    /// Frames that are kept.
    pub frames: usize,
    /// Times of the frames, 64-bit numbers in base64.
    pub times: String,
    /// Channels that are kept.
    pub channels: Vec<Heading>,
    /// Their values, channel by channel, 32-bit numbers in base64.
    pub values: String,
    /// Extremes between frames for each channel: pairs of time and value, 64-bit numbers in base64.
    /// Empty where every row is a frame.
    pub extremes: Vec<String>,
    /// What was thinned, in words.
    pub thinned: Vec<String>,
}

impl Columns {
    /// The table, thinned if it must be; poses of the scene are kept before all others.
    pub fn new(table: &Table, scene: Option<&Scene>) -> Columns {
        Columns::within(table, scene, FRAMES, NUMBERS)
    }

    fn within(table: &Table, scene: Option<&Scene>, frames: usize, numbers: usize) -> Columns {
        let (rows, all) = (table.times().len(), table.channels().len());
        let poses = scene.map_or_else(HashSet::new, pose_channels);
        let is_pose = |i: &usize| poses.contains(&table.channels()[*i].name);
        let of_poses = (0..all).filter(is_pose).count();
        let mut thinned = Vec::new();
        let mut most = frames.min(rows);
        if of_poses * most > numbers {
            most = (numbers / of_poses).max(FEWEST.min(rows));
        }
        let kept = pick(rows, most);
        // extremes take up to four numbers for each frame
        let each = if kept.len() < rows { 5 } else { 1 } * kept.len().max(1);
        let mut room = (numbers / each).max(of_poses) - of_poses;
        let mut chosen = Vec::new();
        for i in 0..all {
            if is_pose(&i) {
                chosen.push(i);
            } else if room > 0 {
                room -= 1;
                chosen.push(i);
            }
        }
        if kept.len() < rows {
            thinned.push(format!(
                "{} of {}; between them the least and the largest value of every channel",
                count(kept.len(), "row is kept", "rows are kept"),
                rows
            ));
        }
        if chosen.len() < all {
            thinned.push(format!(
                "{} of {all}: those of poses first; tables keep all",
                count(chosen.len(), "channel is kept", "channels are kept"),
            ));
        }
        let columns = table.columns();
        let extremes = if kept.len() < rows {
            let extremes = |i: &usize| doubles(extremes(table.times(), &columns[*i], &kept));
            chosen.iter().map(extremes).collect()
        } else {
            Vec::new()
        };
        let channels = chosen.iter().map(|&i| Heading {
            name: table.channels()[i].name.to_string(),
            unit: table.channels()[i].unit.to_string(),
        });
        let values = |i: &usize| {
            let column = &columns[*i];
            kept.iter().map(move |&row| column[row])
        };
        Columns {
            rows,
            frames: kept.len(),
            times: doubles(kept.iter().map(|&row| table.times()[row])),
            channels: channels.collect(),
            values: floats(chosen.iter().flat_map(values)),
            extremes,
            thinned,
        }
    }
}

/// Channels that say where bodies are.
fn pose_channels(scene: &Scene) -> HashSet<String> {
    const SUFFIXES: [&str; 8] = [
        "x",
        "y",
        "z",
        "angle",
        "quaternion.w",
        "quaternion.x",
        "quaternion.y",
        "quaternion.z",
    ];
    let names = |b: &super::scene::Body| SUFFIXES.map(|suffix| format!("{}.{suffix}", b.name));
    scene.bodies.iter().flat_map(names).collect()
}

/// At most `most` rows, evenly, the first and the last among them.
fn pick(rows: usize, most: usize) -> Vec<usize> {
    if rows <= most {
        return (0..rows).collect();
    }
    let last = most.max(2) - 1;
    (0..=last).map(|k| k * (rows - 1) / last).collect()
}

/// Times and values of the least and the largest value between neighbouring frames, where they are
/// beyond those of the frames.
fn extremes(times: &[f64], column: &[f64], kept: &[usize]) -> Vec<f64> {
    let mut found = Vec::new();
    for pair in kept.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let ends = [column[from], column[to]];
        let low = ends[0].min(ends[1]);
        let high = ends[0].max(ends[1]);
        let (mut least, mut most) = (None, None);
        let (mut least_value, mut most_value) = (low, high);
        for row in from + 1..to {
            if column[row] < least_value {
                (least, least_value) = (Some(row), column[row]);
            }
            if column[row] > most_value {
                (most, most_value) = (Some(row), column[row]);
            }
        }
        let mut rows: Vec<usize> = least.into_iter().chain(most).collect();
        rows.sort_unstable();
        for row in rows {
            found.extend([times[row], column[row]]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::system::Channel;

    fn table(rows: usize, channels: usize) -> Table {
        let names: Vec<Channel> = (0..channels)
            .map(|i| Channel::new(format!("c{i}"), "m"))
            .collect();
        let mut table = Table::new(&names);
        for i in 0..rows {
            table.push(i as f64, &vec![(i as f64 * 0.7).sin(); channels]);
        }
        table
    }

    #[test]
    fn small_tables_are_kept_whole() {
        let columns = Columns::new(&table(201, 5), None);
        assert_eq!(
            (columns.rows, columns.frames, columns.channels.len()),
            (201, 201, 5)
        );
        assert!(columns.thinned.is_empty() && columns.extremes.is_empty());
    }

    #[test]
    fn an_empty_table_stays_empty() {
        let columns = Columns::new(&table(0, 3), None);
        assert_eq!((columns.rows, columns.frames), (0, 0));
        assert_eq!(columns.values, "");
    }

    #[test]
    fn no_peak_is_lost() {
        let times: Vec<f64> = (0..1001).map(f64::from).collect();
        let mut column = vec![0.0; 1001];
        column[333] = 7.0;
        column[334] = -9.0;
        let kept = pick(1001, 11);
        assert_eq!(kept, (0..=10).map(|k| 100 * k).collect::<Vec<_>>());
        assert_eq!(extremes(&times, &column, &kept), [333.0, 7.0, 334.0, -9.0]);
    }

    #[test]
    fn what_is_too_large_is_thinned_and_says_so() {
        let columns = Columns::within(&table(1000, 40), None, 100, 10_000);
        assert_eq!(columns.frames, 100);
        assert_eq!(columns.channels.len(), 20);
        assert_eq!(columns.thinned.len(), 2);
        assert!(columns.thinned[1].contains("20 channels are kept of 40"));
    }
}
