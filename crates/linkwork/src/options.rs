//! What a user may ask of a run: one struct per concern, the same names in Rust, on the command
//! line (`--max-order`) and in the `[simulation]` table of a model (`max_order`).
//!
//! Everything is optional, so that sources can be laid over each other with [`Options::or`];
//! [`Settings::new`](crate::settings::Settings::new) fills in the defaults and checks the whole.

mod value;

use crate::coordinates::{COORDINATES, FORMALISMS};
use crate::settings::{AUTO, ERROR_CONSTANTS, ERROR_ESTIMATES, SCALINGS, names, order_controls};
use linkwork_dae::formulation::FORMULATIONS;
use linkwork_dae::jacobian::JACOBIANS;
use linkwork_dae::linear::LINEAR_SOLVERS;
use linkwork_dae::stepper::STEPPERS;
use linkwork_mbs::error::ModelError;
use linkwork_mbs::field::{Form, Key};
use linkwork_mbs::text::Fields;
use linkwork_mbs::units::Unit;
use std::path::PathBuf;
pub(crate) use value::written;

/// The keys of the `[simulation]` table.
pub static SIMULATION_KEYS: &[Key] = &[
    Key::required(
        "t_end",
        Unit::Time,
        "End time; `--t-end` may give it instead.",
    ),
    Key::optional(
        "coordinates",
        Unit::None,
        "absolute",
        "`absolute`: of every body, with an equation for whatever a joint blocks; `joint`: of the joints of a spanning tree, with equations only where loops close.",
    )
    .takes(Form::Word),
    Key::optional(
        "cut",
        Unit::None,
        "found by a search from the ground",
        "With joint coordinates: joints that stay equations instead of carrying a body.",
    )
    .takes(Form::Words),
    Key::optional(
        "formalism",
        Unit::None,
        "residual",
        "With joint coordinates and implicit methods: `residual`, M a + C_q' lambda = Q as it stands, or `explicit`, a = M^-1 (Q - C_q' lambda).",
    )
    .takes(Form::Word),
    Key::optional("method", Unit::None, "bdf", "Time discretisation.").takes(Form::Word),
    Key::optional(
        "formulation",
        Unit::None,
        "the first that the method lists",
        "Which equations are solved.",
    )
    .takes(Form::Word),
    Key::optional(
        "jacobian",
        Unit::None,
        "auto",
        "Where derivatives come from.",
    )
    .takes(Form::Word),
    Key::optional("linear", Unit::None, "sparse", "Linear solver.").takes(Form::Word),
    Key::optional(
        "max_order",
        Unit::None,
        "5",
        "Highest order of a BDF method, 1 to 5.",
    ),
    Key::optional(
        "rho",
        Unit::None,
        "0.6",
        "Spectral radius of gen-alpha at infinity, 0 to 1.",
    ),
    Key::optional("alpha", Unit::None, "0.3", "Damping of hht, 0 to 1/3."),
    Key::optional(
        "error_constant",
        Unit::None,
        "leading",
        "Error estimate of gen-alpha, hht and newmark: `leading` term, or `unit`, ten times more careful.",
    )
    .takes(Form::Word),
    Key::optional(
        "error_estimate",
        Unit::None,
        "plain",
        "Error estimate of rosenbrock and w: `plain`, or `stiff`, damped in stiff directions.",
    )
    .takes(Form::Word),
    Key::optional(
        "order_control",
        Unit::None,
        "order",
        "How a BDF method chooses step and order.",
    )
    .takes(Form::Word),
    Key::optional(
        "scaling",
        Unit::None,
        "both",
        "Scaling of index3: `both`; `right` and `none` to measure rounding.",
    )
    .takes(Form::Word),
    Key::optional(
        "rtol",
        Unit::None,
        "1e-4; 1e-5 for methods of order 2",
        "Relative tolerance of a step.",
    ),
    Key::optional(
        "atol",
        Unit::None,
        "rtol times the size of the mechanism",
        "Absolute tolerance of positions, in m and rad.",
    ),
    Key::optional(
        "atol_v",
        Unit::None,
        "from atol and the speed of the motion",
        "Absolute tolerance of velocities, in m/s and rad/s.",
    ),
    Key::optional(
        "step",
        Unit::Time,
        "chosen by the tolerances",
        "Fixed step; switches error control off.",
    ),
    Key::optional(
        "first_step",
        Unit::Time,
        "from the first accelerations",
        "First step.",
    ),
    Key::optional("max_step", Unit::Time, "no bound", "Longest step."),
    Key::optional(
        "max_steps",
        Unit::None,
        "no bound",
        "Attempted steps before the run is given up.",
    ),
    Key::optional(
        "outputs",
        Unit::None,
        "200",
        "Output intervals of equal length, or \"steps\" for every step.",
    ),
    Key::optional(
        "checkpoint",
        Unit::None,
        "none",
        "File that keeps the run for `--restart`, also when it fails.",
    )
    .takes(Form::Word),
    Key::optional(
        "checkpoint_steps",
        Unit::None,
        "only at the end",
        "Accepted steps between two checkpoints.",
    ),
    Key::optional(
        "checkpoint_interval",
        Unit::Time,
        "only at the end",
        "Simulated time between two checkpoints.",
    ),
];

/// Everything that can be asked of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// End time in seconds; built-in problems bring their own, everything else must be told.
    pub t_end: Option<f64>,
    /// Which unknowns describe the mechanism.
    pub coordinates: Coordinates,
    /// How steps are made.
    pub scheme: Scheme,
    /// How accurate they have to be.
    pub tolerance: Tolerance,
    /// How long they may be.
    pub steps: Steps,
    /// Which points are kept (default: 200 uniform intervals).
    pub outputs: Option<Outputs>,
    /// Whether it is saved, or continues one that was.
    pub checkpoints: Checkpoints,
}

/// Which unknowns describe a mechanism. They are chosen when a simulation is made: see
/// [`Simulation::in_coordinates`](crate::Simulation::in_coordinates).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coordinates {
    /// `absolute` (default) or `joint`.
    pub coordinates: Option<String>,
    /// With joint coordinates: joints that stay equations.
    pub cut: Option<Vec<String>>,
    /// With joint coordinates: `residual` (default) or `explicit`.
    pub formalism: Option<String>,
}

impl Coordinates {
    /// These where they are given, else those of `below`.
    #[must_use]
    pub fn or(self, below: Coordinates) -> Coordinates {
        Coordinates {
            coordinates: self.coordinates.or(below.coordinates),
            cut: self.cut.or(below.cut),
            formalism: self.formalism.or(below.formalism),
        }
    }
}

/// How steps are made. Names are those of the registries; see `linkwork list`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scheme {
    /// Time discretisation (default `bdf`).
    pub method: Option<String>,
    /// Which equations are solved (default: the first that the method lists).
    pub formulation: Option<String>,
    /// Where derivatives come from (default `exact`).
    pub jacobian: Option<String>,
    /// Linear solver (default `sparse`).
    pub linear: Option<String>,
    /// Highest order of a multistep method (default: the highest it has).
    pub max_order: Option<usize>,
    /// Spectral radius at infinity of generalised-alpha, 0 to 1 (default 0.6).
    pub rho: Option<f64>,
    /// Damping of HHT, 0 to 1/3 (default 0.3).
    pub alpha: Option<f64>,
    /// Error estimate of the alpha family: `leading` (default) or `unit`.
    pub error_constant: Option<String>,
    /// Error estimate of linearly implicit methods: `plain` (default) or `stiff`.
    pub error_estimate: Option<String>,
    /// How a BDF method chooses step and order (default `order`).
    pub order_control: Option<String>,
    /// Scaling of the index-3 equations: `both` (default), `right` or `none`.
    pub scaling: Option<String>,
}

/// How accurate steps have to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Relative tolerance (default: 1e-4; 1e-5 for methods of order 2).
    pub rtol: Option<f64>,
    /// Absolute tolerance of positions, m and rad (default: `rtol` times the size of the mechanism).
    pub atol: Option<f64>,
    /// Absolute tolerance of velocities, m/s and rad/s (default: from `atol` and the speed of the motion).
    pub atol_v: Option<f64>,
}

/// How long steps may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// Fixed step in seconds; switches error control off.
    pub step: Option<f64>,
    /// First step (default: from the first accelerations).
    pub first_step: Option<f64>,
    /// Longest step (default: no bound).
    pub max_step: Option<f64>,
    /// Attempted steps before the run is given up (default: no bound).
    pub max_steps: Option<u64>,
}

/// Saving a run, and going on with a saved one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoints {
    /// File that the run is saved to, at its end however it ends (default: none).
    pub checkpoint: Option<PathBuf>,
    /// Accepted steps after which it is saved on the way (default: only at the end).
    pub checkpoint_steps: Option<u64>,
    /// Simulated seconds after which it is saved on the way (default: only at the end).
    pub checkpoint_interval: Option<f64>,
    /// File of a saved run to go on with (default: start anew). Not in models.
    pub restart: Option<PathBuf>,
}

impl Checkpoints {
    /// These where they are given, else those of `below`.
    #[must_use]
    pub fn or(self, below: Checkpoints) -> Checkpoints {
        Checkpoints {
            checkpoint: self.checkpoint.or(below.checkpoint),
            checkpoint_steps: self.checkpoint_steps.or(below.checkpoint_steps),
            checkpoint_interval: self.checkpoint_interval.or(below.checkpoint_interval),
            restart: self.restart.or(below.restart),
        }
    }
}

/// Which points of the motion are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// This many intervals of equal length.
    Uniform(usize),
    /// Every accepted step.
    Steps,
}

impl std::str::FromStr for Outputs {
    type Err = String;

    fn from_str(text: &str) -> Result<Outputs, String> {
        match text.parse() {
            Ok(n) if n > 0 => Ok(Outputs::Uniform(n)),
            _ if text == "steps" => Ok(Outputs::Steps),
            _ => Err("a number of intervals such as 200, or the word `steps`".into()),
        }
    }
}

impl Options {
    /// These options where they are given, else those of `below`.
    #[must_use]
    pub fn or(self, below: Options) -> Options {
        Options {
            t_end: self.t_end.or(below.t_end),
            coordinates: self.coordinates.or(below.coordinates),
            scheme: Scheme {
                method: self.scheme.method.or(below.scheme.method),
                formulation: self.scheme.formulation.or(below.scheme.formulation),
                jacobian: self.scheme.jacobian.or(below.scheme.jacobian),
                linear: self.scheme.linear.or(below.scheme.linear),
                max_order: self.scheme.max_order.or(below.scheme.max_order),
                rho: self.scheme.rho.or(below.scheme.rho),
                alpha: self.scheme.alpha.or(below.scheme.alpha),
                error_constant: self.scheme.error_constant.or(below.scheme.error_constant),
                error_estimate: self.scheme.error_estimate.or(below.scheme.error_estimate),
                order_control: self.scheme.order_control.or(below.scheme.order_control),
                scaling: self.scheme.scaling.or(below.scheme.scaling),
            },
            tolerance: Tolerance {
                rtol: self.tolerance.rtol.or(below.tolerance.rtol),
                atol: self.tolerance.atol.or(below.tolerance.atol),
                atol_v: self.tolerance.atol_v.or(below.tolerance.atol_v),
            },
            steps: Steps {
                step: self.steps.step.or(below.steps.step),
                first_step: self.steps.first_step.or(below.steps.first_step),
                max_step: self.steps.max_step.or(below.steps.max_step),
                max_steps: self.steps.max_steps.or(below.steps.max_steps),
            },
            outputs: self.outputs.or(below.outputs),
            checkpoints: self.checkpoints.or(below.checkpoints),
        }
    }

    /// Reads the `[simulation]` table of a model; names must be in the registries.
    pub fn read(f: Fields<'_>) -> Result<Options, ModelError> {
        let name = |key, known: &[&'static str]| {
            f.has(key)
                .then(|| f.choice(key, known, None).map(str::to_string))
                .transpose()
        };
        let count = |key| {
            f.has(key)
                .then(|| f.count_or(key, 0).map(|n| n as u64))
                .transpose()
        };
        let mut methods: Vec<_> = STEPPERS.iter().map(|e| e.name).collect();
        methods.push(AUTO);
        let formulations: Vec<_> = FORMULATIONS.iter().map(|e| e.name).collect();
        let jacobians: Vec<_> = JACOBIANS.iter().map(|e| e.name).collect();
        let solvers: Vec<_> = LINEAR_SOLVERS.iter().map(|e| e.name).collect();
        let options = Options {
            t_end: f.optional_number("t_end", Unit::Time)?,
            coordinates: Coordinates {
                coordinates: name("coordinates", &COORDINATES)?,
                cut: (f.has("cut"))
                    .then(|| f.texts("cut"))
                    .transpose()?
                    .map(|names| names.into_iter().map(str::to_string).collect()),
                formalism: name("formalism", &FORMALISMS)?,
            },
            scheme: Scheme {
                method: name("method", &methods)?,
                formulation: name("formulation", &formulations)?,
                jacobian: name("jacobian", &jacobians)?,
                linear: name("linear", &solvers)?,
                max_order: count("max_order")?.map(|n| n as usize),
                rho: f.optional_number("rho", Unit::None)?,
                alpha: f.optional_number("alpha", Unit::None)?,
                error_constant: name("error_constant", &names(ERROR_CONSTANTS))?,
                error_estimate: name("error_estimate", &names(ERROR_ESTIMATES))?,
                order_control: name("order_control", &order_controls())?,
                scaling: name("scaling", &names(SCALINGS))?,
            },
            tolerance: Tolerance {
                rtol: f.optional_number("rtol", Unit::None)?,
                atol: f.optional_number("atol", Unit::None)?,
                atol_v: f.optional_number("atol_v", Unit::None)?,
            },
            steps: Steps {
                step: f.optional_number("step", Unit::Time)?,
                first_step: f.optional_number("first_step", Unit::Time)?,
                max_step: f.optional_number("max_step", Unit::Time)?,
                max_steps: count("max_steps")?,
            },
            outputs: read_outputs(&f)?,
            checkpoints: Checkpoints {
                checkpoint: f.optional_text("checkpoint")?.map(PathBuf::from),
                checkpoint_steps: count("checkpoint_steps")?,
                checkpoint_interval: f.optional_number("checkpoint_interval", Unit::Time)?,
                restart: None,
            },
        };
        f.finish()?;
        Ok(options)
    }
}

pub(crate) fn read_outputs(f: &Fields<'_>) -> Result<Option<Outputs>, ModelError> {
    if !f.has("outputs") {
        return Ok(None);
    }
    if let Ok(Some(word)) = f.optional_text("outputs")
        && (word == "steps" || f.optional_number("outputs", Unit::None).is_err())
    {
        f.choice("outputs", &["steps"], None)?;
        return Ok(Some(Outputs::Steps));
    }
    match f.count_or("outputs", 0)? {
        0 => Err(f
            .error("outputs", "`outputs` must be at least 1")
            .with_label("must be 1, 2, 3, ... or \"steps\"")),
        n => Ok(Some(Outputs::Uniform(n))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_mbs::text::tree::Table;

    fn read(text: &str) -> Result<Options, ModelError> {
        Options::read(Fields::section("simulation", &Table::parse(text).unwrap()))
    }

    #[test]
    fn the_table_uses_the_names_of_the_command_line() {
        let o = read(
            "t_end = \"30 ms\"\nmethod = \"gen-alpha\"\nformulation = \"index3\"\n\
             jacobian = \"dense\"\nlinear = \"dense\"\nrtol = 1e-6\natol = 1e-8\natol_v = 1e-5\n\
             first_step = 1e-6\nmax_step = 1e-3\nmax_order = 3\nrho = 0.8\nmax_steps = 1000\n\
             outputs = 50\ncheckpoint = \"run.ckpt\"\ncheckpoint_steps = 100\n\
             checkpoint_interval = \"1 ms\"",
        )
        .unwrap();
        assert_eq!(o.t_end, Some(0.03));
        assert_eq!(o.scheme.method.as_deref(), Some("gen-alpha"));
        assert_eq!(o.scheme.max_order, Some(3));
        assert_eq!(o.steps.max_steps, Some(1000));
        assert_eq!(o.outputs, Some(Outputs::Uniform(50)));
        assert_eq!(o.checkpoints.checkpoint, Some("run.ckpt".into()));
        assert_eq!(o.checkpoints.checkpoint_steps, Some(100));
        assert_eq!(o.checkpoints.checkpoint_interval, Some(0.001));
        assert_eq!(
            read("outputs = \"steps\"").unwrap().outputs,
            Some(Outputs::Steps)
        );
        assert_eq!(read("").unwrap(), Options::default());
    }

    #[test]
    fn documented_keys_are_those_that_are_read() {
        // the complaint about an unknown key lists all that were asked for
        let mut listed = read("no_such_key = 1").unwrap_err().help.unwrap();
        for key in SIMULATION_KEYS {
            let name = format!("`{}`", key.name);
            assert!(listed.contains(&name), "{name} is not read");
            listed = listed.replacen(&name, "", 1);
        }
        assert!(!listed.contains('`'), "not documented: {listed}");
    }

    #[test]
    fn mistakes_point_at_their_place() {
        let text = "t_end = 1\nmethod = \"bfd\"";
        let e = read(text).unwrap_err();
        assert_eq!(e.line_column(text), Some((2, 10)));
        assert!(e.label.contains("bdf"), "{e:?}");
        assert!(read("rtoll = 1").unwrap_err().label.contains("rtol"));
        assert!(read("outputs = 0").is_err());
        assert!(read("outputs = \"all\"").is_err());
    }
}
