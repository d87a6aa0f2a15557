//! Bodies whose spin shows nowhere: wheels, rotors.
//!
//! Displacements `theta` of a body and changes of its angular velocity are seen from the body, so
//! while a wheel rolls the rest of the mechanism turns about it, and a matrix frozen at one instant
//! is not that of the next: its eigenvalues mean nothing. If the wheel is round, the equations are
//! the same in axes that share its axle but not its spin. With `a` the axle, `s = omega . a`,
//!
//! ```text
//!  theta' = domega - omega x theta + s a x theta        (domega)' = ... + s a x domega
//! ```
//!
//! In general `Omega = diag(0, s a^, ...)` is added to the rates of displacements and velocities. A
//! body is round if its inertia is that of a solid of revolution and constraint Jacobian and forces
//! are the same when it is turned about its axle. A hub with blades is not: its axes must turn with
//! those of the blades.

use crate::chart;
use crate::dense::Matrix;
use crate::eigen::eigenpairs;
use crate::rotation::{self, Vector, apply_transposed, dot, exp, hat};
use crate::state::State;
use crate::system::{EvalError, Part, System, Terms};

/// Moments of inertia that differ by less, relative to the largest, are equal.
const EQUAL: f64 = 1e-9;
/// Angle by which a body is turned to see whether anything changes; any that is no symmetry of a
/// polygon.
const TURN: f64 = 1.0;

/// `Omega`, nv x nv: spins of round bodies, zero elsewhere.
pub(super) fn of_round_bodies(
    sys: &mut dyn System,
    s: &State,
    mass: &Matrix,
) -> Result<Matrix, EvalError> {
    let nv = sys.dims().nv;
    let mut out = Matrix::zero(nv, nv);
    let Some(chart) = sys.chart() else {
        return Ok(out);
    };
    let pattern = chart.pattern();
    let mut seen: Option<Seen> = None;
    for block in pattern.chunks_exact(9) {
        let first = block[0].0;
        let is_rotation =
            (block.iter().zip(0..9)).all(|(at, k)| *at == (first + k / 3, first + k % 3));
        let first = first as usize;
        if !is_rotation || first + 3 > nv {
            continue;
        }
        let omega: Vector = std::array::from_fn(|i| s.v[first + i]);
        if omega == [0.0; 3] {
            continue;
        }
        let inertia = Matrix::new(3, 3, |i, j| mass[(first + i, first + j)]);
        let Some(axle) = axle(&inertia, omega) else {
            continue;
        };
        let as_it_is = match seen.take() {
            Some(seen) => seen,
            None => Seen::at(sys, s)?,
        };
        let elsewhere = turned(sys, s, first, axle);
        let turned = Seen::at(sys, &elsewhere)?;
        if as_it_is.is_same(&turned, first, axle) {
            let spin = hat(axle.map(|x| x * dot(omega, axle)));
            for i in 0..3 {
                for j in 0..3 {
                    out[(first + i, first + j)] = spin[i][j];
                }
            }
        }
        seen = Some(as_it_is);
    }
    Ok(out)
}

/// The axis about which a body is a solid of revolution; for one that is a sphere that of its spin.
fn axle(inertia: &Matrix, omega: Vector) -> Option<Vector> {
    let mut pairs = eigenpairs(inertia).ok()?;
    pairs.sort_by(|a, b| a.value.re.total_cmp(&b.value.re));
    let [low, middle, high] = <[_; 3]>::try_from(pairs).ok()?;
    let size = high.value.re.abs();
    let equal = |x: f64, y: f64| (x - y).abs() <= EQUAL * size;
    let axis: Vector = match (
        equal(low.value.re, middle.value.re),
        equal(middle.value.re, high.value.re),
    ) {
        (true, true) => omega,
        (true, false) => std::array::from_fn(|i| high.vector[i].re),
        (false, true) => std::array::from_fn(|i| low.vector[i].re),
        (false, false) => return None,
    };
    let length = dot(axis, axis).sqrt();
    (length > 0.0).then(|| axis.map(|x| x / length))
}

fn turn_block(x: &mut [f64], first: usize, axle: Vector) {
    let block: Vector = std::array::from_fn(|i| x[first + i]);
    let by = rotation::matrix(exp(axle.map(|x| x * TURN)));
    x[first..first + 3].copy_from_slice(&apply_transposed(&by, block));
}

/// The same motion with one body turned about its axle: its components are seen from the new axes.
fn turned(sys: &dyn System, s: &State, first: usize, axle: Vector) -> State {
    let mut out = s.clone();
    let mut step = vec![0.0; s.v.len()];
    for i in 0..3 {
        step[first + i] = TURN * axle[i];
    }
    chart::advance(sys, &mut out.q, &step);
    turn_block(&mut out.v, first, axle);
    turn_block(&mut out.a, first, axle);
    out
}

/// What the equations say at a state. Inertia has been looked at, and what joints hold follows from
/// their Jacobian.
struct Seen {
    force: Vec<f64>,
    /// Rows of `C_q`, full.
    c_q: Vec<Vec<f64>>,
    f: Vec<f64>,
}

impl Seen {
    fn at(sys: &mut dyn System, s: &State) -> Result<Seen, EvalError> {
        let dims = sys.dims();
        let (mut force, mut f) = (vec![0.0; dims.nv], vec![0.0; dims.nx]);
        let mut values = vec![0.0; sys.patterns()[Part::Cq].len()];
        let mut want = Terms {
            force: Some(&mut force),
            c_q: Some(&mut values),
            f: Some(&mut f),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want)?;
        let mut c_q = vec![vec![0.0; dims.nv]; dims.rows()];
        for (&(i, j), x) in sys.patterns()[Part::Cq].iter().zip(&values) {
            c_q[i as usize][j as usize] += x;
        }
        Ok(Seen { force, c_q, f })
    }

    /// Whether nothing but the axes of one body differ.
    fn is_same(&self, turned: &Seen, first: usize, axle: Vector) -> bool {
        let near = |a: &[f64], b: &[f64]| {
            let size = a.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            (a.iter().zip(b)).all(|(a, b)| (a - b).abs() <= EQUAL * size)
        };
        let with_axes = |x: &[f64]| {
            let mut x = x.to_vec();
            turn_block(&mut x, first, axle);
            x
        };
        let mut rows = self.c_q.iter().zip(&turned.c_q);
        rows.all(|(a, b)| near(&with_axes(a), b))
            && near(&with_axes(&self.force), &turned.force)
            && near(&self.f, &turned.f)
    }
}
