//! Motions off a singular start that chooses none of them.

use std::fmt;

/// Differences of the ends, relative to the size of a coordinate, that leave one motion.
const ONE_MOTION: f64 = 1e-2;

/// Starts beside a singular pose, and what comes of them. The run is that of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Branches {
    /// Each of them.
    pub ways: Vec<Way>,
    /// The coordinate that ends most differently, and whether that is a difference.
    pub tells: String,
    /// Largest difference of the ends over the size of the coordinate.
    pub apart: f64,
}

/// A start beside a singular pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The coordinate that was moved most, and by how much.
    pub moved: (String, f64),
    /// Where the coordinate that tells the motions apart ends; `None` where the end was not reached.
    pub end: Option<f64>,
}

impl Branches {
    /// Compares ends: their positions, or nothing where the end was not reached.
    pub(crate) fn compare(
        moved: Vec<(String, f64)>,
        ends: &[Option<Vec<f64>>],
        scale: &[f64],
        name: impl Fn(usize) -> String,
    ) -> Branches {
        let spread = |i: usize| {
            let all = ends.iter().flatten().map(|q| q[i]);
            let [low, high] = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                [low.min(x), high.max(x)]
            });
            (high - low) / scale[i]
        };
        let widest = (0..scale.len()).max_by(|&i, &j| spread(i).total_cmp(&spread(j)));
        let widest = widest.unwrap_or(0);
        let end = |q: &Option<Vec<f64>>| q.as_ref().and_then(|q| q.get(widest).copied());
        let lost = ends.iter().any(Option::is_none);
        Branches {
            tells: name(widest),
            apart: match lost || scale.is_empty() {
                true => f64::INFINITY,
                false => spread(widest),
            },
            ways: (moved.into_iter().zip(ends))
                .map(|(moved, q)| Way { moved, end: end(q) })
                .collect(),
        }
    }

    /// Whether all starts lead to the same motion.
    pub fn agree(&self) -> bool {
        self.apart <= ONE_MOTION
    }
}

impl fmt::Display for Branches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Branches { ways, tells, apart } = self;
        write!(
            f,
            "the start pose is singular and its velocities choose none of the branches that meet there; "
        )?;
        let starts = match ways.len() {
            1 => "the one start beside it that was found".to_string(),
            n => format!("{n} starts beside it"),
        };
        if self.agree() {
            let (name, by) = &ways[0].moved;
            return write!(
                f,
                "{starts} lead to one motion (ends are {apart:.1e} apart); this one has {name} moved by {by:+.3e}"
            );
        }
        write!(f, "{starts} were compared by the end of {tells}: ")?;
        for (i, Way { moved, end }) in ways.iter().enumerate() {
            let (name, by) = moved;
            let which = if i == 0 { "this run, " } else { "; " };
            let end = end.map_or("not reached".to_string(), |x| format!("{x:.6}"));
            write!(f, "{which}{name} moved by {by:+.3e}, {end}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(ends: &[Option<Vec<f64>>]) -> Branches {
        let moved = vec![("a".to_string(), 0.01), ("b".to_string(), -0.02)];
        Branches::compare(moved, ends, &[1.0, 0.1], |i| format!("q{i}"))
    }

    #[test]
    fn ends_are_compared_by_what_differs_most() {
        let two = compared(&[Some(vec![1.0, 0.0]), Some(vec![1.1, 0.05])]);
        assert!(!two.agree() && two.tells == "q1");
        let text = two.to_string();
        assert!(text.ends_with(
            "by the end of q1: this run, a moved by +1.000e-2, 0.000000; b moved by -2.000e-2, 0.050000"
        ));
        let one = compared(&[Some(vec![1.0, 0.0]), Some(vec![1.001, 0.0])]);
        assert!(one.agree() && one.to_string().contains("lead to one motion"));
    }

    #[test]
    fn an_end_that_was_not_reached_agrees_with_none() {
        let lost = compared(&[Some(vec![1.0, 0.0]), None]);
        assert!(!lost.agree() && lost.to_string().ends_with("not reached"));
    }
}
