//! What full matrices will cost, told before they are made.
//!
//! Most of the program works with sparse matrices, and time grows with the number of bodies. Some
//! analyses and options need full ones of `n` unknowns: `n^2` entries and a multiple of `n^3`
//! operations. The multiples are those of the algorithms, or measured on chains of 100 to 400 rods
//! where several algorithms follow each other; the seconds are for a machine that does
//! [`OPERATIONS_PER_SECOND`], so they are right within a factor of three or so.

use crate::settings::Settings;
use linkwork_dae::stepper::Family;
use linkwork_dae::system::{Reader, System};
use std::fmt;

/// What a core does in these loops.
pub const OPERATIONS_PER_SECOND: f64 = 1.7e9;
/// An analysis that takes longer than this is announced, s.
const LONG: f64 = 5.0;
/// The same for one step of a run, which has hundreds of them.
const LONG_STEP: f64 = 0.05;

/// Hessenberg form, QR iterations and vectors of a nonsymmetric matrix (Golub & Van Loan 2013, 7.5.6).
const EIGEN: f64 = 25.0;
/// An orthogonal factorisation with its factor, and the products that eliminate constraints.
const ELIMINATION: f64 = 15.0;
/// Stored blocks of a chain and their factors.
const STORED: f64 = 4.0;
/// A step of a linearly implicit method: derivatives of the state-space equations and their factors.
const LINEARLY_IMPLICIT: f64 = 25.0;
/// Factors of a matrix that is stored in full; the solver passes over zeros, of which there are so
/// many that a thirtieth of the usual 2/3 remains.
const DENSE: f64 = 0.02;
/// Steps that a search for equilibrium takes on the way, more or less.
const SEARCH: f64 = 100.0;

/// The cost of full matrices.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// What needs them: "the modes".
    pub what: String,
    /// Rows and columns.
    pub size: usize,
    /// Operations of the whole analysis, or of one step.
    pub operations: f64,
    /// Whether it is one step of many.
    pub each_step: bool,
    /// What would cost less.
    pub instead: &'static str,
}

impl Cost {
    /// Expected time, s.
    pub fn seconds(&self) -> f64 {
        self.operations / OPERATIONS_PER_SECOND
    }

    /// Whether somebody who waits for it should know before.
    pub fn is_long(&self) -> bool {
        let bound = if self.each_step { LONG_STEP } else { LONG };
        self.seconds() > bound
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost {
            what,
            size,
            operations,
            instead,
            ..
        } = self;
        let each = if self.each_step { " in each step" } else { "" };
        let entries = (*size as f64).powi(2);
        let time = duration(self.seconds());
        write!(
            f,
            "{what} will take long: full matrices of {size} x {size}, {entries:.1e} entries, \
             {operations:.0e} operations{each}, about {time}; {instead}"
        )
    }
}

/// A time of which only the size is known.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{s:.1} s"),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} minutes", s / 60.0),
        s => format!("{:.0} hours", s / 3600.0),
    }
}

fn cube(n: usize) -> f64 {
    (n as f64).powi(3)
}

/// Freedoms, as far as they are known before rows are found to be redundant.
fn freedoms(sys: &dyn System) -> usize {
    let dims = sys.dims();
    dims.nv.saturating_sub(dims.rows())
}

/// Whether derivatives of a system in joint coordinates are kept as relations along its tree, which
/// would be full matrices otherwise.
fn has_relations(sys: &dyn System) -> bool {
    sys.facts().auxiliary.is_some()
}

/// The cost of the modes of a system.
pub fn of_modes(sys: &dyn System) -> Cost {
    let dims = sys.dims();
    let size = 2 * freedoms(sys) + dims.nx;
    let (elimination, instead) = if dims.rows() > 0 {
        (
            ELIMINATION * cube(dims.nv),
            "coordinates = joint has smaller ones where joints form a tree",
        )
    } else {
        (0.0, "a model with fewer bodies has smaller ones")
    };
    Cost {
        what: "finding the modes".into(),
        size: size.max(dims.nv),
        operations: EIGEN * cube(size) + elimination,
        each_step: false,
        instead,
    }
}

/// The cost of the static equilibrium of a system.
pub fn of_equilibrium(sys: &dyn System) -> Cost {
    let nv = sys.dims().nv;
    let (multiple, instead) = if has_relations(sys) {
        (
            SEARCH * STORED,
            "coordinates = absolute has sparse ones on the way",
        )
    } else {
        (STORED, "a model with fewer bodies has smaller ones")
    };
    Cost {
        what: "finding the equilibrium".into(),
        size: nv,
        operations: multiple * cube(nv),
        each_step: false,
        instead,
    }
}

/// The cost of a step of a run, if it has full matrices.
pub fn of_run(sys: &dyn System, settings: &Settings) -> Option<Cost> {
    let nv = sys.dims().nv;
    let recipe = &settings.recipe;
    let method = recipe.method.name;
    let cost = |what: String, size: usize, multiple: f64, instead| {
        Some(Cost {
            what,
            size,
            operations: multiple * cube(size),
            each_step: true,
            instead,
        })
    };
    if recipe.method.family == Family::LinearlyImplicit {
        let instead = "method = bdf has sparse ones";
        let size = freedoms(sys);
        return cost(format!("`{method}`"), size, LINEARLY_IMPLICIT, instead);
    }
    if recipe.linear.full {
        let size = recipe.unknowns(sys);
        let instead = "linear = sparse needs none";
        return cost("the dense solver".into(), size, DENSE, instead);
    }
    if sys.stage_form().is_some() {
        let instead = "formalism = residual has sparse ones";
        return cost("the explicit formalism".into(), nv, STORED, instead);
    }
    if recipe.reader(sys) == Reader::Entries && has_relations(sys) {
        return if recipe.is_reduced() {
            let instead =
                "coordinates = absolute, formulation = projected or method = bdf has sparse ones";
            cost("the state-space form".into(), nv, 6.0 * STORED, instead)
        } else {
            let name = recipe.jacobian_of(sys).name();
            let what = format!("`{name}` derivatives in joint coordinates");
            let instead = "jacobian = exact or coordinates = absolute has sparse ones";
            cost(what, nv, STORED, instead)
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::simulation::Simulation;
    use linkwork_mbs::joint::Revolute;
    use linkwork_mbs::{Body, BodyRef, Model};

    fn chain(n: usize, coordinates: &str) -> Simulation {
        let mut model = Model::planar("chain").gravity([0.0, -9.81]);
        let mut last = BodyRef::GROUND;
        for i in 0..n {
            let at = [i as f64, 0.0];
            let body = Body::planar(format!("b{i}"), 1.0, 0.1).at([at[0] + 0.5, 0.0]);
            let body = model.add_body(body);
            model.add_joint(format!("j{i}"), last, body, Revolute::pin(at));
            last = body;
        }
        let options = Options::new().coordinates(coordinates);
        Simulation::in_coordinates(&model, &options).unwrap()
    }

    fn run(n: usize, coordinates: &str, options: Options) -> Option<Cost> {
        let mut simulation = chain(n, coordinates).options(options).t_end(1.0);
        let settings = simulation.settings().unwrap();
        of_run(simulation.system(), &settings).filter(Cost::is_long)
    }

    /// Sizes by hand: a chain of n rods has n freedoms, 3 n absolute coordinates and 2 n constraints.
    #[test]
    fn full_matrices_are_counted() {
        let mut absolute = chain(50, "absolute");
        let modes = of_modes(absolute.system());
        assert_eq!(modes.size, 150);
        assert_eq!(modes.operations, 25.0 * 1e6 + 15.0 * 150f64.powi(3));
        assert!(!modes.is_long());
        let mut joint = chain(50, "joint");
        let modes = of_modes(joint.system());
        assert_eq!((modes.size, modes.operations), (100, 25.0 * 1e6));
        let words = of_modes(chain(1000, "joint").system()).to_string();
        assert_eq!(
            words,
            "finding the modes will take long: full matrices of 2000 x 2000, 4.0e6 entries, 2e11 \
             operations, about 2 minutes; a model with fewer bodies has smaller ones"
        );
        let (joint, absolute) = (
            of_equilibrium(chain(400, "joint").system()),
            of_equilibrium(chain(400, "absolute").system()),
        );
        assert!(joint.is_long() && joint.instead.contains("absolute"));
        assert!(absolute.seconds() < joint.seconds());
    }

    #[test]
    fn runs_with_sparse_matrices_are_not_announced() {
        for coordinates in ["absolute", "joint"] {
            for method in ["bdf", "gen-alpha", "dopri5", "rock4"] {
                let cost = run(400, coordinates, Options::new().method(method));
                assert_eq!(cost, None, "{coordinates} {method}");
            }
            for small in ["rosenbrock", "w"] {
                let cost = run(40, coordinates, Options::new().method(small));
                assert_eq!(cost, None, "{coordinates} {small}");
            }
        }
    }

    #[test]
    fn what_would_cost_less_is_named() {
        let cases = [
            ("joint", "method = bdf", Options::new().method("rosenbrock")),
            ("absolute", "method = bdf", Options::new().method("w")),
            (
                "absolute",
                "linear = sparse",
                Options::new().linear("dense"),
            ),
            (
                "joint",
                "jacobian = exact",
                Options::new().jacobian("dense"),
            ),
            (
                "joint",
                "coordinates = absolute",
                Options::new().method("dopri5").formulation("state-space"),
            ),
        ];
        for (coordinates, instead, options) in cases {
            let cost = run(400, coordinates, options.clone()).expect(instead);
            assert!(cost.instead.contains(instead), "{cost}");
            assert!(run(20, coordinates, options).is_none(), "{instead}");
        }
    }
}
