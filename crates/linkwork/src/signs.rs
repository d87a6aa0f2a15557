//! Signs of orientations along the rows of a run.
//!
//! A quaternion and its negative are one orientation. Where bodies are found along a tree of joints nothing keeps the sign, and a
//! wheel that turns would change it from row to row: plots would jump, and differences of rows mean nothing. So each row has
//! the sign that is nearer to the row before.

use linkwork_dae::memory::Memory;
use linkwork_dae::system::Channel;

/// What the last row has told of each orientation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signs {
    /// First channel of each, scalar part first.
    first: Vec<usize>,
    last: Vec<f64>,
}

impl Signs {
    /// Of the orientations among some channels.
    pub fn new(channels: &[Channel]) -> Signs {
        let is_scalar = |c: &Channel| c.name.ends_with(".quaternion.w");
        let first: Vec<usize> = (channels.iter().enumerate())
            .filter(|(k, c)| is_scalar(c) && k + 4 <= channels.len())
            .map(|(k, _)| k)
            .collect();
        Signs {
            last: vec![0.0; 4 * first.len()],
            first,
        }
    }

    /// Gives the orientations of a row the signs that are nearer to those before.
    pub fn keep(&mut self, row: &mut [f64]) {
        for (last, &first) in self.last.chunks_exact_mut(4).zip(&self.first) {
            let Some(now) = row.get_mut(first..first + 4) else {
                continue;
            };
            let along: f64 = last.iter().zip(&*now).map(|(a, b)| a * b).sum();
            if along < 0.0 {
                now.iter_mut().for_each(|x| *x = -*x);
            }
            last.copy_from_slice(now);
        }
    }

    /// Saves or restores the last row.
    pub fn memory(&mut self, m: &mut Memory) {
        m.slice(&mut self.last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_that_turns_keeps_its_sign() {
        let names = [
            "t",
            "w.quaternion.w",
            "w.quaternion.x",
            "w.quaternion.y",
            "w.quaternion.z",
        ];
        let channels: Vec<Channel> = names.map(|name| Channel::new(name, "")).into();
        let mut signs = Signs::new(&channels);
        let mut before: Option<[f64; 5]> = None;
        for k in 0..40 {
            let half = 0.3 * f64::from(k);
            // with the scalar part never negative, as from a matrix
            let sign = half.cos().signum();
            let mut row = [1.0, sign * half.cos(), 0.0, sign * half.sin(), 0.0];
            signs.keep(&mut row);
            assert!((row[1] - half.cos()).abs() < 1e-15, "{k}");
            assert!((row[3] - half.sin()).abs() < 1e-15, "{k}");
            assert!(before.is_none_or(|b| (b[3] - row[3]).abs() < 0.31));
            before = Some(row);
        }
    }
}
