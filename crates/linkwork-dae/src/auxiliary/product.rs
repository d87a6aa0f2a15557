//! Products with blocks that a system hands over as relations.
//!
//! Own rows are triangular, so that own unknowns follow one after the other from given increments of the velocities; put into the
//! rows of motion and of states they are what stored blocks would make of these:
//!
//! ```text
//!  rows of motion  M y + D y/s2          states  s1 f_v y          without powers  M y
//! ```

use super::{Auxiliary, Entry, Place};
use crate::formulation::Power;
use crate::state::Link;

/// Where the product of an entry goes.
#[derive(Clone, Copy, Debug)]
enum To {
    Own(usize),
    Velocity(usize),
    State(usize),
}

/// What an entry multiplies.
#[derive(Clone, Copy, Debug)]
enum From {
    Own(usize),
    Velocity(usize),
}

/// An entry in the order of the products.
#[derive(Clone, Copy, Debug)]
struct Term {
    to: To,
    from: From,
    value: Option<u32>,
    power: Power,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    terms: Vec<Term>,
    /// How many own unknowns there are, and their values.
    own: Vec<f64>,
    /// Rows of motion and of states.
    pub velocity: Vec<f64>,
    pub state: Vec<f64>,
}

impl Products {
    /// Of relations between `nv` velocities and `nx` states.
    pub fn new(auxiliary: &Auxiliary, nv: usize, nx: usize) -> Products {
        let term = |e: &Entry| {
            let to = match e.row {
                Place::Own(k) => To::Own(k as usize),
                Place::Velocity(k) => To::Velocity(k as usize),
                Place::State(k) => To::State(k as usize),
                Place::Position(_) | Place::Constraint(_) | Place::Closure(_) => return None,
            };
            let from = match e.column {
                Place::Own(k) => From::Own(k as usize),
                Place::Velocity(k) => From::Velocity(k as usize),
                _ => return None,
            };
            Some(Term {
                to,
                from,
                value: e.value,
                power: Power::ONE.times(e.factor, e.qdot, e.vdot),
            })
        };
        let mut terms: Vec<Term> = auxiliary.entries.iter().filter_map(term).collect();
        // a sum is complete before it is read: own rows from the lowest on, the others behind them
        terms.sort_by_key(|t| match t.to {
            To::Own(k) => k,
            To::Velocity(_) | To::State(_) => usize::MAX,
        });
        Products {
            terms,
            own: vec![0.0; auxiliary.owner.len()],
            velocity: vec![0.0; nv],
            state: vec![0.0; nx],
        }
    }

    /// What rows make of increments `y` of the velocities; without a `link` only by entries without powers.
    pub fn multiply(&mut self, generators: &[f64], link: Option<Link>, y: &[f64]) {
        let Products {
            terms,
            own,
            velocity,
            state,
        } = self;
        for sums in [&mut *own, &mut *velocity, &mut *state] {
            sums.fill(0.0);
        }
        for term in &*terms {
            let c = match link {
                Some(link) => term.power.value(link),
                None => match term.power.parts() {
                    (factor, 0, 0) => factor,
                    _ => continue,
                },
            };
            let x = match term.from {
                From::Own(k) => own[k],
                From::Velocity(k) => y[k],
            };
            let product = c * x * term.value.map_or(1.0, |n| generators[n as usize]);
            match term.to {
                // w + sum of entries = 0
                To::Own(k) => own[k] -= product,
                To::Velocity(k) => velocity[k] += product,
                To::State(k) => state[k] += product,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two bodies in a row: the second moves with both coordinates, and its force acts on both, with masses 2 and 3, a damper
    /// of 5 at the second and a state that follows its speed by a factor of 7.
    #[test]
    fn products_are_those_of_blocks() {
        let entry = |row, column, value, vdot| Entry {
            row,
            column,
            value,
            factor: 1.0,
            qdot: 0,
            vdot,
        };
        use Place::{Own, State, Velocity};
        let negative = |e: Entry| Entry { factor: -1.0, ..e };
        let auxiliary = Auxiliary {
            owner: vec![0, 1, 1],
            // listed from the outside in: sums must be complete before they are read
            entries: vec![
                entry(Velocity(0), Own(2), None, 0),
                entry(Velocity(1), Own(2), None, 0),
                entry(Velocity(0), Own(0), Some(0), 0),
                Entry {
                    qdot: 1,
                    ..entry(State(0), Own(1), Some(3), 0)
                },
                negative(entry(Own(2), Own(1), Some(1), 0)),
                negative(entry(Own(2), Own(1), Some(2), -1)),
                negative(entry(Own(1), Own(0), None, 0)),
                negative(entry(Own(1), Velocity(1), None, 0)),
                negative(entry(Own(0), Velocity(0), None, 0)),
            ],
            ..Auxiliary::default()
        };
        let mut products = Products::new(&auxiliary, 2, 1);
        let values = [2.0, 3.0, 5.0, 7.0];
        let y = [1.0, 10.0];
        products.multiply(&values, None, &y);
        assert_eq!(products.velocity, [2.0 + 33.0, 33.0]);
        assert_eq!(products.state, [0.0]);
        let link = Link {
            qdot: 4.0,
            vdot: 2.0,
        };
        products.multiply(&values, Some(link), &y);
        let force = 11.0 * (3.0 + 5.0 / 2.0);
        assert_eq!(products.velocity, [2.0 + force, force]);
        assert_eq!(products.state, [4.0 * 7.0 * 11.0]);
    }
}
