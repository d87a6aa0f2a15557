//! Forces of contacts at rest of which some rub: who presses, who sticks, who begins to slide. All at once, in the plane.
//!
//! ```text
//!  0 <= N  complementary to  a_n >= 0                      a_n, a_t: accelerations along normals and tangents
//!  |T| <= f N,   T = -f N where a_t > 0,   T = f N where a_t < 0
//!
//!  S = f N + T,  a_t = a - b:    0 <= S  complementary to  a = a_t + b >= 0
//!                                0 <= b  complementary to  2 f N - S >= 0      (Glocker & Pfeiffer 1996)
//! ```
//!
//! Three unknowns `N, S, b` for a contact without slip; one that slides has `T = -+f N` and `N` alone. Rows that depend on
//! others bear nothing, or as much as they can: such a friction is led by the others, and is told from one that
//! gives way by what is left of its row beside them. Where an event has named the way in which one begins to slide, that is tried
//! first: there to stick is as right, but for rounding.

use super::complement::Independent;
use super::pivot::{Solution, pivot};
use super::touching::{NOTHING, Rub, Touching};

/// What friction does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    Sticks,
    Slides {
        positive: bool,
    },
    /// As much as it can, without slip, because others hold it.
    Led {
        positive: bool,
    },
    /// Nothing, without slip, because others hold it.
    Spare,
}

impl Touching {
    /// Finds the forces of contacts at rest, and what friction of each does where it presses. `None`: nothing does, it jams.
    pub fn grip(&mut self, stand: &[bool]) -> Option<Vec<Way>> {
        let mut problem = Problem::new(self, stand);
        loop {
            problem.solve(self)?;
            if !problem.reconsider(self) {
                break;
            }
        }
        self.force.fill(0.0);
        for (&i, force) in problem.contacts.iter().zip(&problem.normal) {
            self.force[i] = *force;
        }
        let ways = (problem.way.iter().zip(&problem.accelerations))
            .map(|(way, [a, noise])| match way {
                Some(positive) => Way::Slides {
                    positive: *positive,
                },
                None if a.abs() > *noise => Way::Slides { positive: *a > 0.0 },
                None => Way::Sticks,
            })
            .collect();
        let mut holding = Holding {
            forces: self.force.iter().chain(&problem.tangent).copied().collect(),
            ways,
        };
        holding.thin_out(self, &problem.limit);
        let n = self.len();
        self.force.copy_from_slice(&holding.forces[..n]);
        Some(holding.ways)
    }
}

/// Forces of all rows, and what friction does.
struct Holding {
    forces: Vec<f64>,
    ways: Vec<Way>,
}

impl Holding {
    /// Leaves as many rows in force as are independent: forces are moved along what nothing feels, until a row bears nothing
    /// or all it can.
    fn thin_out(&mut self, t: &Touching, limit: &[Option<bool>]) {
        let n = t.len();
        let closed: Vec<usize> = (0..n).filter(|&i| t.force[i] > t.quiet(i)).collect();
        let of_closed = |rub: &usize| closed.contains(&t.rubs[*rub].contact);
        let all: Vec<usize> = (0..t.rubs.len()).filter(of_closed).collect();
        let (last, first): (Vec<usize>, Vec<usize>) =
            all.into_iter().partition(|rub| limit[*rub].is_some());
        let rubs = first.into_iter().chain(last).map(|rub| t.along(rub));
        let order: Vec<usize> = closed.iter().copied().chain(rubs).collect();
        // each turn takes one of them out
        while let Some((row, others)) = self.dependent(t, &order) {
            match row.checked_sub(n).and_then(|rub| limit[rub]) {
                Some(positive) => self.ways[row - n] = Way::Led { positive },
                None => self.relieve(t, row, &others),
            }
        }
    }

    /// The first row in force that depends on those before it, and what it is made of.
    fn dependent(&self, t: &Touching, order: &[usize]) -> Option<(usize, Vec<(usize, f64)>)> {
        let own = |i: usize| std::iter::once((i, 1.0)).chain(self.led_by(t, i));
        let mut rows = Independent::new(t.rows(), |i, j| {
            let terms = own(i).flat_map(|(i, a)| own(j).map(move |(j, b)| a * b * t.g(i, j)));
            terms.sum()
        });
        let mut in_force = order.iter().filter(|row| self.holds(t, **row));
        let row = in_force.find(|row| !rows.take(**row))?;
        Some((*row, rows.made_of(*row)))
    }

    /// Friction that follows the force of a contact, and its share of that.
    fn led_by(&self, t: &Touching, contact: usize) -> Option<(usize, f64)> {
        let rub = t.rubs.iter().position(|rub| rub.contact == contact)?;
        match self.ways[rub] {
            Way::Led { positive } => {
                let f = t.rubs[rub].sliding;
                Some((t.along(rub), if positive { -f } else { f }))
            }
            _ => None,
        }
    }

    /// Whether a row is in force.
    fn holds(&self, t: &Touching, row: usize) -> bool {
        let rub = row.checked_sub(t.len());
        rub.map_or(self.forces[row] > 0.0, |rub| {
            self.ways[rub] == Way::Sticks && self.forces[t.rubs[rub].contact] > 0.0
        })
    }

    /// Moves the force of a row onto those that it is made of, as far as they can bear it, and takes out who bears nothing or all
    /// it can then.
    fn relieve(&mut self, t: &Touching, row: usize, others: &[(usize, f64)]) {
        let mut change = vec![0.0; t.rows()];
        change[row] = -self.forces[row];
        for &(j, share) in others {
            change[j] = share * self.forces[row];
        }
        for i in 0..t.len() {
            if let Some((along, share)) = self.led_by(t, i) {
                change[along] = share * change[i];
            }
        }
        // how far, who, and which way friction leads
        let mut first = (1.0, row, None);
        let mut meet = |value: f64, slope: f64, who: usize, led: Option<bool>| {
            let share = value.max(0.0) / -slope;
            if slope < 0.0 && share < first.0 {
                first = (share, who, led);
            }
        };
        for &(j, _) in others.iter().filter(|(j, _)| *j < t.len()) {
            meet(self.forces[j], change[j], j, None);
        }
        for (rub, own) in t.rubs.iter().enumerate() {
            let (along, f) = (t.along(rub), own.sticking);
            if !self.holds(t, along) {
                continue;
            }
            for (sign, positive) in [(1.0, false), (-1.0, true)] {
                let value = f * self.forces[own.contact] - sign * self.forces[along];
                let slope = f * change[own.contact] - sign * change[along];
                meet(value, slope, along, Some(positive));
            }
        }
        let (share, gone, led) = first;
        for (force, change) in self.forces.iter_mut().zip(&change) {
            *force += share * change;
        }
        match (led, gone.checked_sub(t.len())) {
            (Some(positive), Some(rub)) => self.ways[rub] = Way::Led { positive },
            (_, Some(rub)) => self.ways[rub] = Way::Spare,
            (_, None) => self.forces[gone] = 0.0,
        }
    }
}

/// The forces of contacts at rest.
struct Problem {
    contacts: Vec<usize>,
    /// Friction of each of them.
    rub: Vec<Option<usize>>,
    /// The way that friction slides; `None`: it has no slip.
    way: Vec<Option<bool>>,
    /// Whether that may change.
    open: Vec<bool>,
    normal: Vec<f64>,
    tangent: Vec<f64>,
    /// Without slip and at its limit: against which way.
    limit: Vec<Option<bool>>,
    /// Of each friction, with what of it is rounding.
    accelerations: Vec<[f64; 2]>,
}

impl Problem {
    fn new(t: &Touching, stand: &[bool]) -> Problem {
        let contacts: Vec<usize> = (0..t.len())
            .filter(|&i| stand[i] && t.g(i, i) > 0.0)
            .collect();
        let rub = (contacts.iter())
            .map(|i| t.rubs.iter().position(|rub| rub.contact == *i))
            .map(|rub| rub.filter(|&rub| t.g(t.along(rub), t.along(rub)) > 0.0))
            .collect();
        let way = (t.rubs.iter().enumerate())
            .map(|(k, rub)| match rub.begins {
                Some(way) => Some(way),
                None if t.is_still(k) => None,
                None => Some(t.u[t.along(k)] > 0.0),
            })
            .collect();
        let open = (0..t.rubs.len())
            .map(|k| t.is_still(k) || t.rubs[k].begins.is_some())
            .collect();
        Problem {
            normal: vec![0.0; contacts.len()],
            contacts,
            rub,
            way,
            open,
            tangent: vec![0.0; t.rubs.len()],
            limit: vec![None; t.rubs.len()],
            accelerations: vec![[0.0; 2]; t.rubs.len()],
        }
    }

    /// Friction for a unit of normal force: of one that slides, or the least of one that does not.
    fn ratio(&self, t: &Touching, rub: usize) -> f64 {
        let Rub {
            sticking, sliding, ..
        } = t.rubs[rub];
        match self.way[rub] {
            None => -sticking,
            Some(true) => -sliding,
            Some(false) => sliding,
        }
    }

    /// Solves for the forces with these ways.
    fn solve(&mut self, t: &Touching) -> Option<()> {
        let free = |rub: &usize| self.way[*rub].is_none();
        // first unknown of each contact
        let mut first = Vec::with_capacity(self.contacts.len());
        let mut n = 0;
        for rub in &self.rub {
            first.push(n);
            n += if rub.filter(free).is_some() { 3 } else { 1 };
        }
        let scale = |row: usize| 1.0 / t.g(row, row).sqrt();
        let (mut m, mut q) = (vec![0.0; n * n], vec![0.0; n]);
        for (a, &i) in self.contacts.iter().enumerate() {
            let along = self.rub[a].filter(free).map(|rub| t.along(rub));
            for (half, row) in std::iter::once(i).chain(along).enumerate() {
                let at = first[a] + half;
                q[at] = scale(row) * t.opening[row];
                for (b, &j) in self.contacts.iter().enumerate() {
                    let mut own = t.g(row, j);
                    if let Some(rub) = self.rub[b] {
                        own += self.ratio(t, rub) * t.g(row, t.along(rub));
                    }
                    m[n * at + first[b]] = scale(row) * own * scale(j);
                    if let Some(rub) = self.rub[b].filter(free) {
                        let column = t.along(rub);
                        let own = t.g(row, column);
                        m[n * at + first[b] + 1] = scale(row) * own * scale(column);
                    }
                }
            }
            if let (Some(rub), Some(row)) = (self.rub[a], along) {
                let [normal, tangent, slack] = [0, 1, 2].map(|k| first[a] + k);
                m[n * tangent + slack] = 1.0;
                m[n * slack + normal] = 2.0 * t.rubs[rub].sticking * scale(i) / scale(row);
                m[n * slack + tangent] = -1.0;
            }
        }
        let Solution { z, bears } = pivot(&m, &q)?;
        self.tangent.fill(0.0);
        self.limit.fill(None);
        for (a, &i) in self.contacts.iter().enumerate() {
            self.normal[a] = scale(i) * z[first[a]];
            if let Some(rub) = self.rub[a] {
                self.tangent[rub] = self.ratio(t, rub) * self.normal[a];
                if free(&rub) {
                    self.tangent[rub] += scale(t.along(rub)) * z[first[a] + 1];
                    let [bears, gives_way] = [bears[first[a] + 1], bears[first[a] + 2]];
                    self.limit[rub] = (!bears || gives_way).then_some(!bears);
                }
            }
        }
        self.accelerate(t);
        Some(())
    }

    /// Finds how fast each slip changes.
    fn accelerate(&mut self, t: &Touching) {
        for rub in 0..t.rubs.len() {
            let row = t.along(rub);
            let (mut a, mut size) = (t.opening[row], t.terms[row]);
            for (&j, (normal, other)) in self.contacts.iter().zip(self.normal.iter().zip(&self.rub))
            {
                a += t.g(row, j) * normal;
                size = size.max((t.g(row, j) * normal).abs());
                if let Some(other) = *other {
                    // what is known of friction is known beside its limit
                    let (g, most) = (t.g(row, t.along(other)), t.rubs[other].sticking * normal);
                    a += g * self.tangent[other];
                    size = size.max((g * most).abs());
                }
            }
            self.accelerations[rub] = [a, NOTHING * size];
        }
    }

    /// Lets friction go that is at its limit and slides with another coefficient, and keeps what does not begin to slide the way
    /// that was told. Each once; tells whether any has changed.
    fn reconsider(&mut self, t: &Touching) -> bool {
        let mut any = false;
        for (k, rub) in t.rubs.iter().enumerate() {
            let [a, noise] = self.accelerations[k];
            match self.way[k] {
                Some(positive) if self.open[k] && rub.begins.is_some() => {
                    let along = if positive { a } else { -a };
                    if along < -noise {
                        (self.way[k], any) = (None, true);
                    }
                }
                None if self.open[k] && a.abs() > noise && rub.sticking != rub.sliding => {
                    (self.way[k], self.open[k], any) = (Some(a > 0.0), false, true);
                }
                _ => {}
            }
        }
        any
    }
}
