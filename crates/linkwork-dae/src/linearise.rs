//! A system linearised at a state, constraints eliminated: `y' = A y` with `y = (z, w, x)`.
//!
//! Independent coordinates are `z = Z' q` with the tangent plane at the state as chart, so that
//! `z' = Z' v` and `z'' = Z' a` hold exactly and not only to first order. Small changes are, with
//! `C_q+` the least motion that meets a demand of the constraints ([`crate::tangent`]),
//!
//! ```text
//!  dq = Z z        dv = Z_v w - C_q+ (C_q v + C_t)_q dq         da = Z_v w' + C_q+ b
//!  z' = Z' dv                                                  b = dgamma - d(C_q) a
//!  Z_v' M Z_v w' = -Z_v' ( M C_q+ b + K dq + D dv + Rx dx )
//!  E dx' = F_q dq + F_v dv + F_x dx                              algebraic states eliminated
//! ```
//!
//! For holonomic rows `d(C_q) a` is exact, since `(C_q v + C_t)_q` is linear in `v`; `dgamma` and the
//! non-holonomic part of `b` come from central differences and vanish at rest. Rotating bodies are
//! looked at in their own axes, round ones in axes that do not share their spin (`spin.rs`). The matrix
//! belongs to the frozen state: where the motion is no equilibrium and not steady, its eigenvalues
//! describe what happens during a time that is short compared with that of the motion.

mod eigenspace;
mod mode;
mod spin;

pub use mode::{EigenMode, modes};

use crate::chart;
use crate::dense::Matrix;
use crate::eigen::EigenError;
use crate::kinetic::BodyMotions;
use crate::state::State;
use crate::system::{At, Blocks, EvalError, Part, Parts, Reader, Row, Rows, System, Terms};
use crate::tangent::Tangent;

/// Pivots of the reduced mass matrix below this share of their column: no inertia.
const MASSLESS: f64 = 1e-13;
/// Difference increment relative to the sizes of the coordinates; errors of central differences are
/// its square.
const INCREMENT: f64 = 1e-5;
/// Roundings that the terms of a difference have seen.
const ROUNDINGS: f64 = 16.0;

/// Why a system could not be linearised.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LineariseError {
    /// The system could not be evaluated.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// The system does not supply its derivatives.
    #[error("the system gives no derivatives")]
    NoDerivatives,
    /// A kept constraint depends on the others in this pose.
    #[error("constraints depend on each other at {row:?}")]
    SingularPose {
        /// The row.
        row: Row,
    },
    /// A direction of motion has no inertia.
    #[error("a free direction has no inertia: {row:?}")]
    Massless {
        /// The coordinate with the largest share in it.
        row: Row,
    },
    /// An algebraic state is not determined by its equation.
    #[error("{row:?} is not determined by its equation")]
    Undetermined {
        /// The state.
        row: Row,
    },
    /// The eigenvalues could not be computed.
    #[error(transparent)]
    Eigen(#[from] EigenError),
}

/// The linearised system.
#[derive(Clone, Debug)]
pub struct Linearisation {
    /// `A`.
    pub a: Matrix,
    /// `dq` of each unit vector of `y`, nv x n.
    pub dq: Matrix,
    /// `dv` of each unit vector of `y`.
    pub dv: Matrix,
    /// `dx` of each unit vector of `y`, nx x n.
    pub dx: Matrix,
    /// Mass matrix at the state.
    pub mass: Matrix,
    /// Motions of the bodies for `dq` of each unit vector of `y`.
    pub motions: BodyMotions,
    /// Spin of round bodies, nv x nv, zero elsewhere: their axes stay behind by `spin dq`.
    pub spin: Matrix,
    /// Typical size of each coordinate.
    pub scale: Vec<f64>,
    /// Typical size of each first-order or algebraic state.
    pub scale_x: Vec<f64>,
}

/// The derivative blocks at a state as full matrices.
pub(crate) struct FullBlocks {
    pub mass: Matrix,
    pub c_q: Matrix,
    pub r_q: Matrix,
    pub r_v: Matrix,
    pub cv_q: Matrix,
    pub r_x: Matrix,
    pub r_l: Option<Matrix>,
    pub f_q: Matrix,
    pub f_v: Matrix,
    pub f_x: Matrix,
}

impl FullBlocks {
    pub fn at(sys: &mut dyn System, s: &State) -> Result<FullBlocks, LineariseError> {
        if sys.facts().exact != Parts::ALL {
            return Err(LineariseError::NoDerivatives);
        }
        let mut blocks = Blocks::new(&sys.structure(Reader::Entries).patterns);
        let dims = sys.dims();
        sys.linearise(&s.at(), &mut Terms::default(), Parts::ALL, &mut blocks)?;
        let (nv, nr, nx) = (dims.nv, dims.rows(), dims.nx);
        let full = |part, size| Matrix::of_block(sys.patterns(), &blocks, part, size);
        Ok(FullBlocks {
            mass: full(Part::Mass, (nv, nv)),
            c_q: full(Part::Cq, (nr, nv)),
            r_q: full(Part::Rq, (nv, nv)),
            r_v: full(Part::Rv, (nv, nv)),
            cv_q: full(Part::CVq, (nr, nv)),
            r_x: full(Part::Rx, (nv, nx)),
            r_l: (!sys.patterns()[Part::Rl].is_empty()).then(|| full(Part::Rl, (nv, nr))),
            f_q: full(Part::Fq, (nx, nv)),
            f_v: full(Part::Fv, (nx, nv)),
            f_x: full(Part::Fx, (nx, nx)),
        })
    }
}

/// Linearises a system at a state with consistent accelerations and multipliers, on kept rows.
pub fn linearise(
    sys: &mut dyn System,
    s: &State,
    rows: &Rows,
) -> Result<Linearisation, LineariseError> {
    if sys.chart().is_none() {
        return linearise_at_base(sys, s, rows);
    }
    // the formulas hold at the base of a chart; the caller's stays where it is
    let mut own = sys.fork();
    let mut at = s.clone();
    if let Some(chart) = own.chart_mut()
        && chart.rebase(at.t, &at.q)
    {
        chart.carry(at.t, &mut at.q, &mut at.v);
    }
    linearise_at_base(&mut *own, &at, rows)
}

fn linearise_at_base(
    sys: &mut dyn System,
    s: &State,
    rows: &Rows,
) -> Result<Linearisation, LineariseError> {
    let dims = sys.dims();
    let b = FullBlocks::at(sys, s)?;
    let tangent =
        Tangent::new(sys, &b.c_q, rows).map_err(|row| LineariseError::SingularPose { row })?;
    let kept: Vec<usize> = rows.c.iter().map(|&i| i as usize).collect();
    let cv_q = b.cv_q.take_rows(&kept);

    let differential = sys.facts().differential.clone();
    let (differential, algebraic): (Vec<usize>, Vec<usize>) =
        (0..dims.nx).partition(|&i| differential[i]);
    let (nz, nw) = (tangent.displacements(), tangent.velocities());
    let n = nz + nw + differential.len();

    let mut dq = Matrix::zero(dims.nv, n);
    let mut dv = Matrix::zero(dims.nv, n);
    for j in 0..nz {
        let d = tangent.displacement(j);
        let demand: Vec<f64> = (0..kept.len())
            .map(|k| -cv_q.row(k).iter().zip(&d).map(|(c, d)| c * d).sum::<f64>())
            .collect();
        let v = tangent.least(&demand);
        for i in 0..dims.nv {
            dq[(i, j)] = d[i];
            dv[(i, j)] = v[i];
        }
    }
    for j in 0..nw {
        for (i, v) in tangent.velocity(j).into_iter().enumerate() {
            dv[(i, nz + j)] = v;
        }
    }
    let of_motion = b.f_q.times(&dq).plus(&b.f_v.times(&dv));
    let dx = states(&b.f_x, &of_motion, (&differential, &algebraic), nz + nw)?;

    let mut force = b
        .r_q
        .times(&dq)
        .plus(&b.r_v.times(&dv))
        .plus(&b.r_x.times(&dx));
    let normal = centripetal(sys, s, &tangent, &kept, (&dq, &dv))?;
    force = force.plus(&b.mass.times(&normal));
    let w_rate = accelerations(&b, &tangent, &kept, &force)?;
    let spin = spin::of_round_bodies(sys, s, &b.mass)?;
    let turning = turning(sys, s, &dq).plus(&spin.times(&dq).scaled(-1.0));
    let despun = spin.times(&dv);
    let x_rate = of_motion.plus(&b.f_x.times(&dx));

    let mut a = Matrix::zero(n, n);
    for j in 0..n {
        let mut rate = dv.column(j);
        for (i, x) in rate.iter_mut().enumerate() {
            *x -= turning[(i, j)];
        }
        let z_rate = tangent.coordinates(&rate);
        for (i, x) in z_rate.into_iter().enumerate() {
            // displacements and velocities come from the same orthogonal matrix
            a[(i, j)] = if x.abs() < 1e-15 { 0.0 } else { x };
        }
        let despun = tangent.coordinates(&despun.column(j));
        for i in 0..nw {
            a[(nz + i, j)] = w_rate[(i, j)] + despun[nz - nw + i];
        }
        for (i, &k) in differential.iter().enumerate() {
            a[(nz + nw + i, j)] = x_rate[(k, j)];
        }
    }
    let scale_x = sys.facts().scale_x.clone();
    let motions = match sys.bodies() {
        Some(bodies) => bodies.motions(&s.q, &dq),
        None => BodyMotions::of_coordinates(sys, &dq, &b.mass),
    };
    Ok(Linearisation {
        a,
        dq,
        dv,
        dx,
        mass: b.mass,
        motions,
        spin,
        scale: tangent.scale().to_vec(),
        scale_x,
    })
}

/// Rates of the independent velocities: `M da + (C_q' + Rl) dlambda = -force` along them.
fn accelerations(
    b: &FullBlocks,
    tangent: &Tangent,
    kept: &[usize],
    force: &Matrix,
) -> Result<Matrix, LineariseError> {
    let (nv, nw) = (tangent.scale().len(), tangent.velocities());
    let z_v = tangent.velocity_basis();
    let massless = |k: usize| LineariseError::Massless {
        row: largest_of(&tangent.velocity(k), tangent.scale()),
    };
    let Some(r_l) = &b.r_l else {
        let reduced_mass = z_v.transposed().times(&b.mass).times(&z_v);
        let reduced_force = z_v.transposed().times(force).scaled(-1.0);
        return reduced_mass
            .solve(&reduced_force, MASSLESS)
            .map_err(massless);
    };
    // forces that follow reactions do work along the free directions: multipliers stay unknowns
    let m_z = b.mass.times(&z_v);
    let matrix = Matrix::new(nv, nv, |i, j| {
        if j < nw {
            m_z[(i, j)]
        } else {
            let row = kept[j - nw];
            b.c_q[(row, i)] + r_l[(i, row)]
        }
    });
    let solved = matrix
        .solve(&force.clone().scaled(-1.0), MASSLESS)
        .map_err(|k| match kept.get(k.wrapping_sub(nw)) {
            Some(&row) => LineariseError::SingularPose {
                row: Row::Constraint(row),
            },
            None => massless(k),
        })?;
    Ok(solved.take_rows(&(0..nw).collect::<Vec<_>>()))
}

/// What a displacement turns by while the motion goes on: on a chart, displacements `theta` of a
/// turning body are seen from it, `theta' = dv - omega x theta`. About the base the derivative of
/// the rates of the chart is half of that, because the coordinates themselves stay behind.
fn turning(sys: &dyn System, s: &State, dq: &Matrix) -> Matrix {
    let mut out = Matrix::zero(dq.rows(), dq.columns());
    let Some(chart) = sys.chart() else {
        return out;
    };
    let pattern = chart.pattern();
    let mut values = vec![0.0; pattern.len()];
    chart.rate_derivative(&s.q, &s.v, &mut values);
    for (&(i, k), x) in pattern.iter().zip(&values) {
        for j in 0..dq.columns() {
            out[(i as usize, j)] += 2.0 * x * dq[(k as usize, j)];
        }
    }
    out
}

/// `dx` of every unit vector: differential states are unknowns of their own from column `first` on,
/// algebraic ones follow.
fn states(
    f_x: &Matrix,
    of_motion: &Matrix,
    (differential, algebraic): (&[usize], &[usize]),
    first: usize,
) -> Result<Matrix, LineariseError> {
    let mut dx = Matrix::zero(f_x.rows(), of_motion.columns());
    for (k, &i) in differential.iter().enumerate() {
        dx[(i, first + k)] = 1.0;
    }
    let demand = of_motion.clone().plus(&f_x.times(&dx)).scaled(-1.0);
    let own = f_x.take_rows(algebraic).take_columns(algebraic);
    let solved = (own.solve(&demand.take_rows(algebraic), 1e-14)).map_err(|k| {
        LineariseError::Undetermined {
            row: Row::State(algebraic[k]),
        }
    })?;
    for (k, &i) in algebraic.iter().enumerate() {
        for j in 0..dx.columns() {
            dx[(i, j)] = solved[(k, j)];
        }
    }
    Ok(dx)
}

/// `C_q+ b` of every unit vector, `b` being the change of `gamma - C_q a` at a given `a`.
fn centripetal(
    sys: &mut dyn System,
    s: &State,
    tangent: &Tangent,
    kept: &[usize],
    (dq, dv): (&Matrix, &Matrix),
) -> Result<Matrix, EvalError> {
    let dims = sys.dims();
    let mut normal = Matrix::zero(dims.nv, dq.columns());
    if kept.is_empty() {
        return Ok(normal);
    }
    let bending = bending(sys, s)?;
    let mut sides = [vec![0.0; dims.rows()], vec![0.0; dims.rows()]];
    let mut c_q = vec![0.0; sys.patterns()[Part::Cq].len()];
    let (mut q, mut v) = (s.q.clone(), s.v.clone());
    let speed = (s.v.iter().zip(tangent.scale())).fold(0.0f64, |m, (v, s)| m.max((v / s).abs()));
    for j in 0..dq.columns() {
        let (of_q, of_v) = (dq.column(j), dv.column(j));
        let size = (of_q.iter().zip(&of_v).zip(tangent.scale())).fold(0.0f64, |m, ((q, v), s)| {
            m.max((q / s).abs()).max((v / s).abs() / speed.max(1.0))
        });
        if size == 0.0 {
            continue;
        }
        let h = INCREMENT / size;
        for (side, sign) in sides.iter_mut().zip([-h, h]) {
            q.copy_from_slice(&s.q);
            v.copy_from_slice(&s.v);
            let step: Vec<f64> = of_q.iter().map(|d| sign * d).collect();
            chart::advance(sys, &mut q, &step);
            for (v, d) in v.iter_mut().zip(&of_v) {
                *v += sign * d;
            }
            let at = At {
                t: s.t,
                q: &q,
                v: &v,
                a: &[],
                lambda: &[],
                x: &s.x,
            };
            let mut want = Terms {
                gamma: Some(side),
                c_q: Some(&mut c_q),
                ..Terms::default()
            };
            sys.eval(&at, &mut want)?;
            let entries = sys.patterns()[Part::Cq].iter().zip(&c_q);
            for (&(i, j), c) in entries.filter(|(at, _)| at.0 as usize >= dims.nc) {
                side[i as usize] -= c * s.a[j as usize];
            }
        }
        // rounding of the differences must not pass for a force: the zeros of a free body, which
        // moves on steadily, would become its root
        let largest = (sides.iter().flatten()).fold(0.0f64, |m, x| m.max(x.abs()));
        let noise = ROUNDINGS * f64::EPSILON * largest / h;
        let slope: Vec<f64> = (kept.iter())
            .map(|&i| {
                let exact: f64 = bending.row(i).iter().zip(&of_q).map(|(b, d)| b * d).sum();
                let slope = (sides[1][i] - sides[0][i]) / (2.0 * h) - exact;
                if slope.abs() > noise { slope } else { 0.0 }
            })
            .collect();
        for (i, a) in tangent.least(&slope).into_iter().enumerate() {
            normal[(i, j)] = a;
        }
    }
    Ok(normal)
}

/// `(C_q a)_q` of holonomic rows; zero for the others.
fn bending(sys: &mut dyn System, s: &State) -> Result<Matrix, EvalError> {
    let dims = sys.dims();
    let mut blocks = Blocks::new(sys.patterns());
    let mut out = Matrix::zero(dims.rows(), dims.nv);
    let rest = vec![0.0; dims.nv];
    for (v, sign) in [(&s.a, 1.0), (&rest, -1.0)] {
        let at = At { v, ..s.at() };
        let parts = Parts::from(Part::CVq);
        sys.linearise(&at, &mut Terms::default(), parts, &mut blocks)?;
        let entries = sys.patterns()[Part::CVq].iter().zip(&blocks[Part::CVq]);
        for (&(i, j), x) in entries.filter(|(at, _)| (at.0 as usize) < dims.nc) {
            out[(i as usize, j as usize)] += sign * x;
        }
    }
    Ok(out)
}

/// The coordinate with the largest share in a direction.
pub(crate) fn largest_of(d: &[f64], scale: &[f64]) -> Row {
    let mut best = (0, 0.0);
    for (i, (d, s)) in d.iter().zip(scale).enumerate() {
        if (d / s).abs() > best.1 {
            best = (i, (d / s).abs());
        }
    }
    Row::Position(best.0)
}
