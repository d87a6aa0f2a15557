//! Whether guesses fit the joints.

use super::Assembly;
use linkwork_dae::system::{Guess, System, Terms};

impl Assembly {
    /// How far guesses leave loops open, and how fast they leave them, relative to the size of the mechanism and
    /// its speed. To find out costs as much as one evaluation. `None` where there is no value.
    pub(crate) fn openness(&self, guess: &Guess) -> Option<[f64; 2]> {
        let dims = self.facts().dims;
        let (mut c, mut cv) = (vec![0.0; dims.nc], vec![0.0; dims.rows()]);
        let mut want = Terms {
            c: Some(&mut c),
            cv: Some(&mut cv),
            ..Terms::default()
        };
        self.clone().eval(&guess.point(), &mut want).ok()?;
        // what is open there may be a gap
        for law in &self.facts().laws {
            let row = law.row as usize;
            cv[row] = 0.0;
            c.get_mut(row).into_iter().for_each(|c| *c = 0.0);
        }
        let largest = |x: &[f64]| x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let size = largest(&guess.q).max(self.length());
        let speed = largest(&guess.v) * size.max(1.0);
        let relative = |x: &[f64], to: f64| match largest(x) {
            0.0 => 0.0,
            open => open / to,
        };
        let finite = c.iter().chain(&cv).all(|x| x.is_finite());
        finite.then(|| [relative(&c, size), relative(&cv, speed)])
    }
}
