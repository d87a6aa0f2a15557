//! What the points of a flexible body are as a rigid one, and whether their numbers are in the same units.

use super::{Modal, ModalPoint};
use crate::geometry::{Vector, add, cross, dot, norm, scaled, sub};

impl Modal {
    /// Mass of all points.
    pub fn mass(&self) -> f64 {
        self.points.iter().map(|p| p.mass).sum()
    }

    /// Centre of mass in the body frame, m.
    pub fn centre_of_mass(&self) -> Vector {
        let moments = self.points.iter().map(|p| scaled(p.place, p.mass));
        scaled(moments.fold([0.0; 3], add), 1.0 / self.mass())
    }

    /// Moments of inertia about axes through the centre of mass along those of the body, kg m^2.
    pub fn moments_of_inertia(&self) -> Vector {
        let centre = self.centre_of_mass();
        let of = |p: &ModalPoint| {
            let c = sub(p.place, centre);
            [0, 1, 2].map(|i| p.mass * (dot(c, c) - c[i] * c[i]) + p.inertia[i])
        };
        self.points.iter().map(of).fold([0.0; 3], add)
    }

    /// How far masses are from the centre of mass.
    pub fn reach(&self) -> f64 {
        let centre = self.centre_of_mass();
        let heavy = self.points.iter().filter(|p| p.mass > 0.0);
        let far = heavy.map(|p| norm(sub(p.place, centre)));
        far.fold(0.0, f64::max)
    }

    /// How displacements compare with rotations: where a mode turns points, neighbours are displaced against each other by
    /// `psi x (c_j - c_i)`, but for strains. The mode (from 1) for which that is most nearly so, and the ratio of both by
    /// least squares; `None` where nothing is displaced by turning.
    ///
    /// One mode is enough to tell that units belong together: shear has rotations without displacements, and coarse
    /// meshes know the shapes of high modes badly.
    pub fn turning_ratio(&self) -> Option<(usize, f64)> {
        let pairs: Vec<(usize, usize)> = (0..self.points.len())
            .filter(|i| turns(&self.points[*i]))
            .filter_map(|i| Some((i, self.neighbour(i)?)))
            .collect();
        let ratio = |k: usize| {
            let (mut common, mut turned) = (0.0, 0.0);
            for &(i, j) in &pairs {
                let [a, b] = [&self.points[i], &self.points[j]];
                let mean = match turns(b) {
                    true => scaled(add(a.rotation[k], b.rotation[k]), 0.5),
                    // points of solids have no rotations of their own
                    false => a.rotation[k],
                };
                let by_turning = cross(mean, sub(b.place, a.place));
                let moved = sub(b.displacement[k], a.displacement[k]);
                common += dot(moved, by_turning);
                turned += dot(by_turning, by_turning);
            }
            let ratio = common / turned;
            (ratio > 0.0 && ratio.is_finite()).then_some((k + 1, ratio))
        };
        let off = |ratio: f64| ratio.ln().abs();
        (0..self.modes())
            .filter_map(ratio)
            .min_by(|a, b| off(a.1).total_cmp(&off(b.1)))
    }

    /// The mode (from 1) whose given inertia is closest to that of the points, and how many times that it is; `None` where
    /// none is given. Short waves have little of lumped masses, but not all modes are such.
    pub fn inertia_ratio(&self) -> Option<(usize, f64)> {
        let n = self.modes();
        let ratio = |k: usize| {
            let own = |p: &ModalPoint| {
                let (phi, psi) = (p.displacement[k], p.rotation[k]);
                let turning = (0..3).map(|i| p.inertia[i] * psi[i] * psi[i]).sum::<f64>();
                p.mass * dot(phi, phi) + turning
            };
            let given = self.modal_mass.get(k * n + k)?;
            Some((k + 1, given / self.points.iter().map(own).sum::<f64>()))
        };
        let off = |ratio: f64| ratio.ln().abs();
        let all = (0..n).filter_map(ratio);
        all.min_by(|a, b| off(a.1).total_cmp(&off(b.1)))
    }

    /// The nearest point elsewhere; one that turns, if any does.
    fn neighbour(&self, i: usize) -> Option<usize> {
        let from = self.points[i].place;
        let nearest = |turning: bool| {
            let others = self.points.iter().enumerate();
            let distance = |p: &ModalPoint| norm(sub(p.place, from));
            let fits = |(_, p): &(usize, &ModalPoint)| distance(p) > 0.0 && turns(p) == turning;
            let found =
                (others.filter(fits)).min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
            found.map(|(j, _)| j)
        };
        // an interface moves with its patch, however far the next one is
        let turning = self.points.iter().filter(|p| turns(p)).count();
        match 2 * turning > self.points.len() {
            true => nearest(true).or_else(|| nearest(false)),
            false => nearest(false).or_else(|| nearest(true)),
        }
    }
}

/// Whether some mode turns a point.
fn turns(p: &ModalPoint) -> bool {
    p.rotation.iter().any(|psi| *psi != [0.0; 3])
}
