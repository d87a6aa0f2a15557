//! Vectors of equal eigenvalues that do not depend on the coordinates.
//!
//! Modes with one eigenvalue may be mixed at will: those of two equal pendulums, or the free motions of
//! a mechanism that nothing holds. An algorithm returns some mixture, another one in other coordinates.
//! Forms that belong to the mechanism single out a basis. Vectors are made orthonormal in the kinetic
//! energy, and then diagonalise, one form after the other on what is still equal,
//!
//! ```text
//!  the projector onto displacements that may grow steadily        of a free mechanism
//!  the energy of translation                                      shifts apart from turns
//!  the energy of the first body, of the second, ...               each pendulum for itself
//! ```
//!
//! Where all of them are multiples of the unit matrix, every mixture has the same shares.

use crate::eigen::{Complex, hermitian};
use crate::kinetic::{BodyMotions, MotionRow, Moving};

/// Values of forms that differ by less are equal; they are shares, 0 to 1.
const EQUAL: f64 = 1e-7;
/// Vectors of which less is left, beside those before them, depend on them.
const DEPENDENT: f64 = 1e-8;
/// Energies below this share of the largest: no inertia moves.
const IDLE: f64 = 1e-12;

/// A vector with its motion.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub y: Vec<Complex>,
    pub moving: Moving,
}

impl Member {
    pub fn new(motions: &BodyMotions, y: Vec<Complex>) -> Member {
        let moving = motions.along(&y);
        Member { y, moving }
    }
}

/// Directions in which displacements may grow steadily, orthonormal in the kinetic energy.
#[derive(Debug, Default)]
pub(super) struct Drifts(Vec<Member>);

impl Drifts {
    /// The directions that the given vectors span.
    pub fn new(motions: &BodyMotions, vectors: Vec<Vec<Complex>>) -> Drifts {
        let mut list: Vec<Member> = Vec::new();
        for y in vectors {
            if let Some(member) = beside(motions, &list, Member::new(motions, y)) {
                list.push(member);
            }
        }
        Drifts(list)
    }

    /// The share of a vector that lies in them, by energy.
    pub fn share(&self, motions: &BodyMotions, member: &Member) -> f64 {
        let total = energy(motions, &member.moving, &member.moving).re;
        let within = (self.0.iter()).fold(0.0, |sum, d| {
            sum + energy(motions, &d.moving, &member.moving).abs().powi(2)
        });
        if total > 0.0 { within / total } else { 0.0 }
    }
}

fn energy(motions: &BodyMotions, a: &Moving, b: &Moving) -> Complex {
    motions.product(a, b, |_| true)
}

/// What is left of a vector beside an orthonormal list, of unit energy; `None` if that is nothing.
fn beside(motions: &BodyMotions, list: &[Member], member: Member) -> Option<Member> {
    let mut y = member.y;
    let mut moving = member.moving;
    let before = energy(motions, &moving, &moving).re;
    // twice is enough (Kahan)
    for _ in 0..2 {
        for other in list {
            let part = energy(motions, &other.moving, &moving);
            for (y, o) in y.iter_mut().zip(&other.y) {
                *y = *y - part * *o;
            }
            moving = motions.along(&y);
        }
    }
    let left = energy(motions, &moving, &moving).re;
    // a NaN is nothing as well
    if !(left.is_finite() && before > 0.0 && left > DEPENDENT * before) {
        return None;
    }
    let unit = 1.0 / left.sqrt();
    let y = y.iter().map(|y| y.scale(unit)).collect();
    Some(Member::new(motions, y))
}

/// Which form comes next.
#[derive(Clone, Copy)]
enum Form {
    Drift,
    Translation,
    Body(usize),
}

/// The basis of the [module](self) of what some vectors span. Vectors without inertia stay as they are
/// and come last; so do all of them where they are not independent.
pub(super) fn settle(
    motions: &BodyMotions,
    drifts: &Drifts,
    vectors: Vec<Vec<Complex>>,
) -> Vec<Vec<Complex>> {
    if vectors.len() < 2 {
        return vectors;
    }
    let members: Vec<Member> = (vectors.iter())
        .map(|y| Member::new(motions, y.clone()))
        .collect();
    let size = |m: &Member| energy(motions, &m.moving, &m.moving).re;
    let largest = members.iter().map(size).fold(0.0, f64::max);
    let (moving, idle): (Vec<Member>, Vec<Member>) =
        (members.into_iter()).partition(|m| size(m) > IDLE * largest);
    let mut basis: Vec<Member> = Vec::new();
    for member in moving {
        match beside(motions, &basis, member) {
            Some(member) => basis.push(member),
            None => return vectors,
        }
    }
    let refine = Refine { motions, drifts };
    let mut settled = Vec::with_capacity(vectors.len());
    refine.by(Some(Form::Drift), basis, &mut settled);
    settled.extend(idle.into_iter().map(|m| m.y));
    settled
}

struct Refine<'a> {
    motions: &'a BodyMotions,
    drifts: &'a Drifts,
}

impl Refine<'_> {
    fn next(&self, form: Form) -> Option<Form> {
        let body = match form {
            Form::Drift => return Some(Form::Translation),
            Form::Translation => 0,
            Form::Body(b) => b + 1,
        };
        (body < self.motions.names.len()).then_some(Form::Body(body))
    }

    fn value(&self, form: Form, a: &Member, b: &Member) -> Complex {
        let over = |wanted: &dyn Fn(&MotionRow) -> bool| {
            self.motions.product(&a.moving, &b.moving, wanted)
        };
        match form {
            Form::Drift => (self.drifts.0.iter()).fold(Complex::ZERO, |sum, d| {
                let of = |m: &Member| energy(self.motions, &d.moving, &m.moving);
                sum + of(a).conj() * of(b)
            }),
            Form::Translation => over(&|row| row.turns != Some(true)),
            Form::Body(body) => over(&|row| row.body == body),
        }
    }

    /// Diagonalises a form on an orthonormal basis, and the next ones where its values are equal.
    fn by(&self, form: Option<Form>, basis: Vec<Member>, out: &mut Vec<Vec<Complex>>) {
        let Some(form) = form.filter(|_| basis.len() > 1) else {
            out.extend(basis.into_iter().map(|m| m.y));
            return;
        };
        let gram: Vec<Vec<Complex>> = (basis.iter())
            .map(|a| basis.iter().map(|b| self.value(form, a, b)).collect())
            .collect();
        let pairs = hermitian(&gram);
        let next = self.next(form);
        if pairs.windows(2).all(|w| w[0].0 - w[1].0 <= EQUAL) {
            return self.by(next, basis, out);
        }
        let mut equal: Vec<Member> = Vec::new();
        let mut last = f64::INFINITY;
        for (value, x) in pairs {
            if last - value > EQUAL && !equal.is_empty() {
                self.by(next, std::mem::take(&mut equal), out);
            }
            last = value;
            equal.push(self.mixed(&basis, &x));
        }
        self.by(next, equal, out);
    }

    fn mixed(&self, basis: &[Member], x: &[Complex]) -> Member {
        let length = basis.first().map_or(0, |m| m.y.len());
        let mut y = vec![Complex::ZERO; length];
        for (member, x) in basis.iter().zip(x) {
            for (y, m) in y.iter_mut().zip(&member.y) {
                *y = *y + *m * *x;
            }
        }
        Member::new(self.motions, y)
    }
}
