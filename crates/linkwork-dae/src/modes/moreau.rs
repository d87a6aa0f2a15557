//! Impulses of contacts and friction over a while, all at once.
//!
//! ```text
//!  u+ = u + h a + G z                       a: accelerations without contacts and friction
//!  0 <= z_n  complementary to  u+_n + C/h >= 0
//!  |z_t| <= f z_n  or  h F,   z_t against u+_t where it is at its limit           (Moreau 1988; Stewart & Trinkle 1996)
//! ```
//!
//! Unlike forces such impulses always exist: who jams is stopped. By projections, one place after the other (Jean 1999): that
//! ends with rows that depend on each other as well, and shares what they bear among them. Between sweeps it goes on as conjugate
//! gradients would, with what a sweep changes in place of the gradient (Silcowitz-Hansen, Niebe & Erleben 2010).

/// Sweeps over all places at most, and what a sweep changes of the rates when they have ended.
const SWEEPS: usize = 5000;
const ENDED: f64 = 1e-13;

/// What a place can bear.
#[derive(Clone, Copy)]
pub(super) enum Bears {
    /// A contact, with what is left of its gap.
    Presses { gap: f64 },
    /// Friction of a contact, whose row this is, with its coefficient.
    Rubs { contact: usize, coefficient: f64 },
    /// Other friction, with what it can bear.
    Most(f64),
}

/// A row, or two across each other.
pub(super) struct Place {
    pub law: usize,
    /// Its rows among all.
    pub row: usize,
    pub wide: bool,
    pub bears: Bears,
}

impl Place {
    /// Its two entries in a list of all rows; the second of a single row is none.
    pub fn of(&self, rows: &[f64]) -> [f64; 2] {
        [
            rows[self.row],
            if self.wide { rows[self.row + 1] } else { 0.0 },
        ]
    }
}

/// Rows of the places, and what they answer to impulses.
#[derive(Default)]
pub(super) struct Problem {
    pub places: Vec<Place>,
    /// Laws of all rows.
    pub of: Vec<usize>,
    pub u: Vec<f64>,
    /// Rates that the forces make in a second, and the size of what makes up the rates at the end.
    pub rate: Vec<f64>,
    pub terms: Vec<f64>,
    /// Change of velocities by a unit impulse of each row, and of the rates of all.
    pub y: Vec<f64>,
    pub g: Vec<f64>,
    /// The impulses.
    pub z: Vec<f64>,
}

impl Problem {
    pub fn len(&self) -> usize {
        self.of.len()
    }

    pub fn g(&self, i: usize, j: usize) -> f64 {
        self.g[self.len() * i + j]
    }

    /// Rates at the end.
    pub fn after(&self, h: f64) -> Vec<f64> {
        let rate = |i: usize| {
            let pushed: f64 = (0..self.len()).map(|j| self.g(i, j) * self.z[j]).sum();
            self.u[i] + h * self.rate[i] + pushed
        };
        (0..self.len()).map(rate).collect()
    }

    /// Finds the impulses.
    pub fn solve(&mut self, h: f64) {
        let mut u = self.after(h);
        let size = self.terms.iter().fold(0.0f64, |m, t| m.max(*t));
        let n = self.len();
        // where the search goes, and what the last sweep has moved
        let (mut way, mut moved) = (vec![0.0; n], 0.0);
        for _ in 0..SWEEPS {
            let before = self.z.clone();
            // NaN must not pass
            if !(self.sweep(&mut u, h) > ENDED * size) {
                break;
            }
            let step = |i: usize| self.z[i] - before[i];
            let now: f64 = (0..n).map(|i| self.g(i, i) * step(i) * step(i)).sum();
            let share = now / moved;
            let on = |i: usize| if share <= 1.0 { share * way[i] } else { 0.0 };
            let ahead: Vec<f64> = (0..n).map(on).collect();
            for i in 0..n {
                way[i] = ahead[i] + step(i);
            }
            for (z, ahead) in self.z.iter_mut().zip(&ahead) {
                *z += ahead;
            }
            u = self.after(h);
            moved = now;
        }
    }

    /// Projects the impulses of all places, one after the other; returns the most that has changed of a rate.
    fn sweep(&mut self, u: &mut [f64], h: f64) -> f64 {
        let mut most = 0.0f64;
        for p in 0..self.places.len() {
            let (row, wide) = (self.places[p].row, self.places[p].wide);
            let before = self.places[p].of(&self.z);
            let z = self.project(&self.places[p], u, h);
            for half in 0..=usize::from(wide) {
                let (j, change) = (row + half, z[half] - before[half]);
                if change != 0.0 {
                    self.z[j] = z[half];
                    (0..self.len()).for_each(|i| u[i] += self.g(i, j) * change);
                    most = most.max((self.g(j, j) * change).abs());
                }
            }
        }
        most
    }

    /// The impulses of a place with which its rates are as they should be, as far as it can bear them.
    fn project(&self, place: &Place, u: &[f64], h: f64) -> [f64; 2] {
        let (i, before, u) = (place.row, place.of(&self.z), place.of(u));
        // of two rows as stiff as both together, so that the way of the slip is kept
        let own = self.g(i, i)
            + if place.wide {
                self.g(i + 1, i + 1)
            } else {
                0.0
            };
        if !(own > 0.0) {
            return before;
        }
        let z = [before[0] - u[0] / own, before[1] - u[1] / own];
        let limit = match place.bears {
            Bears::Presses { gap } => return [(z[0] - gap / h / own).max(0.0), 0.0],
            Bears::Rubs {
                contact,
                coefficient,
            } => coefficient * self.z[contact],
            Bears::Most(most) => most,
        };
        let size = z[0].hypot(z[1]);
        if size > limit {
            z.map(|z| z * limit / size)
        } else {
            z
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        let minor = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
        [minor(1, 2), minor(2, 0), minor(0, 1)]
    }

    fn unit(a: [f64; 3]) -> [f64; 3] {
        let size = a.iter().map(|x| x * x).sum::<f64>().sqrt();
        a.map(|x| x / size)
    }

    /// A block on the ground, `x` along it: contact and friction.
    fn block(v: f64, push: f64, coefficient: f64) -> Problem {
        Problem {
            places: vec![
                Place {
                    law: 0,
                    row: 0,
                    wide: false,
                    bears: Bears::Presses { gap: 0.0 },
                },
                Place {
                    law: 1,
                    row: 1,
                    wide: false,
                    bears: Bears::Rubs {
                        contact: 0,
                        coefficient,
                    },
                },
            ],
            of: vec![0, 1],
            u: vec![0.0, v],
            rate: vec![-10.0, push],
            terms: vec![1.0; 2],
            y: Vec::new(),
            g: vec![1.0, 0.0, 0.0, 1.0],
            z: vec![0.0; 2],
        }
    }

    #[test]
    fn a_block_sticks_or_slides() {
        for (v, push, bears, after) in [
            (0.0, 2.0, -0.2, 0.0),
            (0.0, 5.0, -0.3, 0.2),
            (1.0, 0.0, -0.3, 0.7),
        ] {
            let mut block = block(v, push, 0.3);
            block.solve(0.1);
            assert!((block.z[0] - 1.0).abs() < 1e-12 && (block.z[1] - bears).abs() < 1e-12);
            let end = block.after(0.1);
            assert!(
                end[0].abs() < 1e-12 && (end[1] - after).abs() < 1e-12,
                "{end:?}"
            );
        }
    }

    /// Random contacts with friction in space, also dependent ones: no row below zero, none pulls, friction is within its cone,
    /// and against the slip where that is left. Energy does not rise.
    #[test]
    fn impulses_obey_the_laws() {
        let mut seed = 0.371_f64;
        let mut draw = || {
            seed = (seed * 97.31 + 0.137).fract();
            2.0 * seed - 1.0
        };
        for case in 0..500 {
            // points of bodies with unit mass and inertia, against the ground or the other one
            let (contacts, freedoms) = (1 + case % 7, 12);
            let n = 3 * contacts;
            let mut w = vec![0.0; n * freedoms];
            for c in 0..contacts {
                let mut vector = || [draw(), draw(), draw()];
                let normal = unit(vector());
                let across = unit(cross(normal, vector()));
                let sides = [(vector(), 0, 1.0), (vector(), 6, -((case % 2) as f64))];
                for (at, body, sign) in sides {
                    for (k, axis) in [normal, across, cross(normal, across)]
                        .into_iter()
                        .enumerate()
                    {
                        let row = &mut w[freedoms * (3 * c + k) + body..][..6];
                        let turn = cross(at, axis);
                        for i in 0..3 {
                            (row[i], row[3 + i]) = (sign * axis[i], sign * turn[i]);
                        }
                    }
                }
            }
            let v: Vec<f64> = (0..freedoms).map(|_| draw()).collect();
            let dot = |i: usize, x: &[f64]| -> f64 {
                (0..freedoms).map(|k| w[freedoms * i + k] * x[k]).sum()
            };
            let coefficient = 0.4 * (1.0 + draw());
            let mut problem = Problem {
                of: (0..n).collect(),
                u: (0..n).map(|i| dot(i, &v)).collect(),
                rate: vec![0.0; n],
                terms: vec![1.0; n],
                z: vec![0.0; n],
                ..Problem::default()
            };
            for c in 0..contacts {
                let (law, row) = (3 * c, 3 * c);
                problem.places.push(Place {
                    law,
                    row,
                    wide: false,
                    bears: Bears::Presses { gap: 0.0 },
                });
                problem.places.push(Place {
                    law,
                    row: row + 1,
                    wide: true,
                    bears: Bears::Rubs {
                        contact: row,
                        coefficient,
                    },
                });
            }
            let rows =
                (0..n * n).map(|k| dot(k / n, &w[freedoms * (k % n)..freedoms * (k % n + 1)]));
            problem.g = rows.collect();
            problem.solve(1.0);
            let after = problem.after(1.0);
            let work: f64 = (0..n)
                .map(|i| 0.5 * problem.z[i] * (problem.u[i] + after[i]))
                .sum();
            assert!(work < 1e-9, "case {case}: {work:e}");
            for c in 0..contacts {
                let (i, z) = (3 * c, &problem.z);
                assert!(
                    z[i] >= 0.0 && after[i] > -1e-6,
                    "case {case}: {:e}",
                    after[i]
                );
                assert!(z[i] * after[i] < 1e-6, "case {case}");
                let (t, slip) = ([z[i + 1], z[i + 2]], [after[i + 1], after[i + 2]]);
                let (bears, speed) = (t[0].hypot(t[1]), slip[0].hypot(slip[1]));
                assert!(bears <= coefficient * z[i] * (1.0 + 1e-12), "case {case}");
                let along = t[0] * slip[0] + t[1] * slip[1];
                let left = along + coefficient * z[i] * speed;
                assert!(left.abs() < 1e-5, "case {case}: {left:e}");
            }
        }
    }
}
