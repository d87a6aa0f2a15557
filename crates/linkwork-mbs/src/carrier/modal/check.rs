//! What cannot be a flexible body, told with the number that tells.

use super::inertia::Invariants;
use super::{Modal, ModalPoint};

impl Modal {
    /// The lowest of them, where it is not rounding.
    fn softest(&self) -> Option<f64> {
        let all = self.frequencies()?;
        let most = all.last().copied().unwrap_or(0.0);
        all.first().copied().filter(|least| *least < -1e-9 * most)
    }

    /// Why it cannot be a body.
    pub fn problem(&self) -> Option<String> {
        let n = self.modes();
        if n == 0 {
            return Some("a flexible body has at least one mode".into());
        }
        for (i, p) in self.points.iter().enumerate() {
            let i = i + 1;
            let pairs = p.shortening.len();
            if p.displacement.len() != n || p.rotation.len() != n || ![0, n * n].contains(&pairs) {
                let [moved, turned] = [p.displacement.len(), p.rotation.len()];
                return Some(format!(
                    "point {i} does not move with each of the {n} modes: it has {moved} displacements, {turned} rotations and \
                     {pairs} shortenings"
                ));
            }
            let shapes = p.displacement.iter().chain(&p.rotation);
            let numbers = shapes.chain([&p.place, &p.inertia]).flatten();
            let mut numbers = numbers.chain(&p.shortening);
            if let Some(x) = numbers.find(|x| !x.is_finite()) {
                return Some(format!("the numbers of point {i} must be finite: {x}"));
            }
            if p.mass > 0.0 && !p.shortening.is_empty() && [p.place[1], p.place[2]] != [0.0; 2] {
                return Some(format!(
                    "point {i} has mass and a shortening, and does not lie on the x axis"
                ));
            }
            if !(p.mass >= 0.0 && p.mass.is_finite()) {
                let m = p.mass;
                return Some(format!(
                    "the mass of point {i} must not be negative: {m} kg"
                ));
            }
            if let Some(j) = p.inertia.iter().find(|j| **j < 0.0) {
                return Some(format!(
                    "the inertia of point {i} must not be negative: {j} kg m^2"
                ));
            }
        }
        if self.stiffness.len() != n * n || self.damping_ratio.len() != n {
            let given = (self.stiffness.len(), self.damping_ratio.len());
            return Some(format!(
                "stiffness and damping need numbers for {n} modes: there are {} of stiffness and {} of damping",
                given.0, given.1
            ));
        }
        if self.flat {
            let leaves = |p: &ModalPoint| {
                p.displacement.iter().any(|u| u[2] != 0.0)
                    || p.rotation.iter().any(|w| [w[0], w[1]] != [0.0; 2])
            };
            if let Some(i) = self.points.iter().position(leaves) {
                return Some(format!("its modes move point {} out of the plane", i + 1));
            }
        }
        if let Some(why) = self.further_problem() {
            return Some(why);
        }
        let mut given = (self.stiffness.iter()).chain(self.start.as_flattened());
        if let Some(x) = given.find(|x| !x.is_finite()) {
            return Some(format!(
                "stiffness and start of the modes must be finite: {x}"
            ));
        }
        let symmetric = |i: usize, j: usize| {
            let [a, b] = [self.stiffness[i * n + j], self.stiffness[j * n + i]];
            (a - b).abs() <= 1e-9 * (a.abs() + b.abs())
        };
        for i in 0..n {
            let own = self.stiffness[i * n + i];
            if own < 0.0 {
                return Some(format!(
                    "the stiffness of mode {} is negative: {own}",
                    i + 1
                ));
            }
            if let Some(j) = (0..i).find(|j| !symmetric(i, *j)) {
                let [a, b] = [self.stiffness[j * n + i], self.stiffness[i * n + j]];
                return Some(format!(
                    "the stiffness must be symmetric: between modes {} and {} it is {a} and {b}",
                    j + 1,
                    i + 1
                ));
            }
        }
        if let Some(least) = self.softest()
            && least < 0.0
        {
            return Some(format!(
                "the stiffness is negative for some combination of modes: {least} times their mass"
            ));
        }
        let sound = |z: &f64| *z >= 0.0 && z.is_finite();
        let mut ratios = (1..).zip(&self.damping_ratio);
        if let Some((k, z)) = ratios.find(|(_, z)| !sound(z)) {
            return Some(format!(
                "the damping ratio of mode {k} must not be negative: {z}"
            ));
        }
        if ![0, n * n].contains(&self.damping.len()) || self.damping.iter().any(|x| !x.is_finite())
        {
            return Some(format!("the damping needs {n} rows of {n} finite numbers"));
        }
        if let Some(x) = self.rayleigh.iter().find(|x| !sound(x)) {
            return Some(format!("Rayleigh's damping must not be negative: {x}"));
        }
        if ![0, n].contains(&self.names.len()) {
            return Some(format!(
                "there are {n} modes, and {} names of modes",
                self.names.len()
            ));
        }
        for quantity in &self.recovered {
            let factors = &quantity.factors;
            if factors.len() != n || factors.iter().any(|x| !x.is_finite()) {
                let name = &quantity.name;
                return Some(format!("its output `{name}` needs {n} finite numbers"));
            }
        }
        let count = self.points.len();
        if let Some((name, p)) = self.frames.iter().find(|(_, p)| *p >= count) {
            return Some(format!(
                "frame `{name}` is at the last of {} points, and there are {count} points to fix frames to",
                p.saturating_add(1)
            ));
        }
        let names = self.frames.iter().enumerate();
        let twice = |(i, (name, _)): (usize, &(String, usize))| {
            self.frames[..i].iter().any(|(other, _)| other == name)
        };
        if names.into_iter().any(twice) {
            return Some("its frames must have different names".into());
        }
        Invariants::new(self).problem()
    }

    /// What is wrong with added masses and energies.
    fn further_problem(&self) -> Option<String> {
        let n = self.modes();
        for (what, mass) in [
            ("added mass", &self.added_mass),
            ("mass of the modes", &self.modal_mass),
        ] {
            if ![0, n * n].contains(&mass.len()) || mass.iter().any(|x| !x.is_finite()) {
                return Some(format!("the {what} needs {n} rows of {n} finite numbers"));
            }
            if mass.is_empty() {
                continue;
            }
            let odd = |(i, j): &(usize, usize)| mass[i * n + j] != mass[j * n + i];
            let mut pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            if let Some((i, j)) = pairs.find(odd) {
                let (a, b) = (mass[j * n + i], mass[i * n + j]);
                let (i, j) = (i + 1, j + 1);
                return Some(format!(
                    "the {what} must be symmetric: between modes {j} and {i} it is {a} and {b}"
                ));
            }
        }
        for (modes, factor) in &self.cubic_energy {
            if modes.iter().any(|k| *k >= n) || !factor.is_finite() {
                return Some(format!(
                    "its cubic energy has finite factors of products of three of the {n} modes"
                ));
            }
        }
        None
    }
}
