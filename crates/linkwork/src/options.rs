//! What a user may ask of a run: one table of options, with the same names in Rust, on the command line
//! (`--max-order`) and in the `[simulation]` table of a model (`max_order`).
//!
//! Everything is optional, so that sources can be laid over each other with [`Options::or`];
//! [`Settings::new`](crate::Settings::new) fills in the defaults and checks the whole.

mod choices;
mod table;

use crate::settings::OptionError;
use linkwork_mbs::error::ModelError;
use linkwork_mbs::spelling::nearest;
use linkwork_mbs::text::Fields;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) use choices::{APPROACHES, ERROR_ESTIMATES, approaches, named, pick};
pub use choices::{AUTO, COORDINATES, FORMALISMS};
pub use table::{Bound, Choice, Group, Opt, Row, Usual, Value};
pub(crate) use table::{options, written};

/// Which points of the motion are kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Outputs {
    /// This many intervals of equal length.
    Uniform(usize),
    /// Every accepted step.
    Steps,
    /// These times, and no others.
    At(Arc<[f64]>),
}

impl Outputs {
    /// Refuses times that are not in order between start and end.
    pub(crate) fn check(&self, t_start: f64, t_end: f64) -> Result<(), OptionError> {
        let Outputs::At(times) = self else {
            return Ok(());
        };
        let within = |t: &&f64| (t_start..=t_end).contains(*t);
        let ordered = times.is_sorted_by(|a, b| a < b);
        let why = match times.iter().find(|t| !within(t)) {
            Some(t) => format!("{t} is not between start and end, {t_start} and {t_end} s"),
            None if !ordered => "times must grow from one to the next".to_string(),
            None => return Ok(()),
        };
        Err(OptionError {
            option: "outputs",
            message: format!("outputs at these times are not possible: {why}"),
            help: None,
        })
    }
}

/// Whether a number of output intervals can be wanted. Whether rows fit into memory is another question.
pub(crate) fn is_output_count(n: f64) -> bool {
    (1.0..=1e8).contains(&n)
}

/// The same in words.
pub(crate) const OUTPUT_COUNT: &str = "between 1 and 100000000";

/// An option that holds a value by default.
pub(crate) const fn is(group: Group, value: &'static str) -> Row {
    Row::new(group, Usual::Value(value))
}

/// An option whose default is no value.
pub(crate) const fn or(group: Group, words: &'static str) -> Row {
    Row::new(group, Usual::Words(words))
}

use Group::{Accuracy, Checkpoints, Integration, Model, Results};

options! {
    /// Everything that can be asked of a run.
    ///
    /// ```
    /// use linkwork::Options;
    ///
    /// let options = Options::new().t_end(2.0).method("gen-alpha").rtol(1e-6);
    /// assert_eq!(options.value("method").as_deref(), Some("gen-alpha"));
    /// ```
    pub struct Options, OPTIONS {
        /// End time.
        t_end: f64 = Row::new(Integration, Usual::Nothing).seconds(),
        /// Unknowns: `absolute`, of every body, with an equation for whatever a joint blocks; `joint`, of
        /// the joints of a spanning tree, with equations only where loops close.
        coordinates: String =
            or(Model, "absolute; where the method is left open, too, joint in space if that leaves less than a third of the unknowns")
                .of(choices::coordinates).same(),
        /// With joint coordinates: joints that stay equations instead of carrying a body, separated by
        /// commas on the command line.
        cut: Vec<String> = or(Model, "found by a search from the ground").same(),
        /// With joint coordinates and implicit methods: `residual`, M a + C_q' lambda = Q as it stands, or
        /// `explicit`, a = M^-1 (Q - C_q' lambda).
        formalism: String = or(Model, "residual").of(choices::formalisms).same(),
        /// Sampled controls: `held`, by their clocks, or `continuous`, as laws without clocks.
        sampled: String = or(Model, "held").of(choices::sampled).same(),
        /// Time discretisation; `auto` takes the cheapest, by the modes of the model, changes it where a trial
        /// shows that another has become cheaper, and says why.
        method: String = is(Integration, "auto").of(choices::methods).same(),
        /// Which equations are solved.
        formulation: String =
            or(Integration, "the first that the method lists").of(choices::formulations).same(),
        /// Where derivatives come from; `auto` is exact where the model has exact derivatives, exact-reuse without
        /// constraints, else extended.
        jacobian: String = is(Integration, "auto").of(choices::jacobians).same(),
        /// When derivatives are renewed.
        renewal: String = or(Integration, "as `jacobian` names it").of(choices::renewals).same(),
        /// Whether kept derivatives by differences are moved along the excitations.
        follow: bool = or(Integration, "as `jacobian` names it").same(),
        /// Linear solver.
        linear: String = is(Integration, "sparse").of(choices::solvers).same(),
        /// Highest order of a method whose order varies.
        max_order: usize = or(Integration, "the highest of the method").counted().same(),
        /// Spectral radius of gen-alpha at infinity, 0 to 1.
        rho: f64 = is(Integration, "0.6")
            .must(|x| (0.0..=1.0).contains(&x), "between 0 and 1").same(),
        /// Damping of hht, 0 to 1/3.
        alpha: f64 = is(Integration, "0.3")
            .must(|x| (0.0..=1.0 / 3.0).contains(&x), "between 0 and 1/3").same(),
        /// Weight of the new acceleration in the positions of newmark.
        beta: f64 = is(Integration, "0.25")
            .must(|x| x > 0.0 && x <= 1.0, "above 0, at most 1").same(),
        /// Weight of the new acceleration in the velocities of newmark; above 0.5 it damps, and is of order 1.
        gamma: f64 = is(Integration, "0.5")
            .must(|x| (0.5..=1.0).contains(&x), "between 0.5 and 1").same(),
        /// Error estimate of rosenbrock and w: `plain`, or `stiff`, damped in stiff directions.
        error_estimate: String = is(Integration, "plain").of(choices::error_estimates).same(),
        /// Relative tolerance of a step. With methods of order 2 (gen-alpha, hht, newmark, w, rkc2) a step may use its power 1.5, with bdf, but for index3, its power 1.2: their errors add
        /// up to more, and those of the end are in proportion to it then.
        rtol: f64 = is(Accuracy, "1e-6")
            .must(|x| (1e-14..=0.1).contains(&x), "between 1e-14 and 0.1").same(),
        /// Absolute tolerance of positions, in m and rad.
        atol: f64 = or(Accuracy, "rtol times the size of the mechanism").positive().same(),
        /// Absolute tolerance of velocities, in m/s and rad/s.
        atol_v: f64 = or(Accuracy, "from atol and the speed of the motion").positive().same(),
        /// Absolute tolerances of single parts, instead of those two: `rod=1e-9` for the positions of a body
        /// (with joint coordinates, of a joint), `rod.velocity=1e-3` for its velocities, `rod.angle=1e-6` or
        /// `rod.angular_velocity=1e-2` for one quantity. Later ones win; separated by commas on the command line.
        atol_of: Vec<String> = or(Accuracy, "none").same(),
        /// Fixed step; switches error control off.
        step: f64 = or(Accuracy, "chosen by the tolerances").seconds().positive().same(),
        /// First step.
        first_step: f64 = or(Accuracy, "from the first accelerations").seconds().positive(),
        /// Longest step.
        max_step: f64 = or(Accuracy, "no bound").seconds().positive().same(),
        /// Attempted steps before the run is given up.
        max_steps: u64 = or(Accuracy, "no bound").counted(),
        /// Output intervals of equal length, "steps" for every step and both sides of every jump (steps.csv then tells order, length, error and limiter of all attempts), or a list of times.
        outputs: Outputs = is(Results, "200").must(is_output_count, OUTPUT_COUNT),
        /// Whether reactions that are not unique are a doubt about the result, not a note on these channels.
        strict: bool = or(Results, "no"),
        /// Whether the condition number of the iteration matrix is told, the worst of a hundred along the run, and what rounding
        /// leaves of a correction; for methods that iterate.
        condition: bool = or(Results, "no"),
        /// File that the run is saved to at its end, also when it fails or is interrupted.
        /// A model gives a name without directories; the file stands beside the results.
        checkpoint: PathBuf = or(Checkpoints, "none"),
        /// Accepted steps between two checkpoints.
        checkpoint_steps: u64 = or(Checkpoints, "only at the end").counted(),
        /// Simulated time between two checkpoints.
        checkpoint_interval: f64 = or(Checkpoints, "only at the end").seconds().positive(),
        /// File of a saved run of the same model and options to go on with; the end time and the outputs
        /// may differ. The table begins after the saved state.
        restart: PathBuf = or(Checkpoints, "start anew").not_in_text(),
    }
}

impl Options {
    /// Reads the `[simulation]` table of a model; names must be in the registries.
    pub fn read(f: Fields<'_>) -> Result<Options, ModelError> {
        let options = Options::read_from(&f)?;
        f.finish()?;
        Ok(options)
    }
}

/// What is known instead of a word that is not, the nearest first.
pub(crate) fn unknown(wanted: &str, row: &Row) -> String {
    let offered = row.choices.map_or(Vec::new(), |choices| choices());
    let known = offered.iter().map(|c| c.name);
    let known: Vec<&str> = known.collect();
    match nearest(wanted, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? known are {}", known.join(", ")),
        None => format!("known are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::options::{COSIM_OPTIONS, CosimOptions};
    use linkwork_mbs::field::Form;
    use linkwork_mbs::text::tree::Table;

    fn read(text: &str) -> Result<Options, ModelError> {
        Options::read(Fields::section("simulation", &Table::parse(text).unwrap()))
    }

    /// A value that an option can have and how it is written in a file.
    fn example<O>(option: &Opt<O>) -> (String, String) {
        let value = match (option.row.names(), option.form) {
            (Some(names), _) => names[names.len() - 1].to_string(),
            (None, Form::Flag) => "true".into(),
            (None, Form::Words) => "hinge,knee".into(),
            (None, Form::Word) => "some.file".into(),
            (None, _) => "3".into(),
        };
        let written = match option.form {
            Form::Number | Form::Flag => value.clone(),
            Form::Words => "[\"hinge\", \"knee\"]".into(),
            _ => format!("\"{value}\""),
        };
        (value, written)
    }

    /// Whatever is in the table can be set by a text, read from a file, asked for by its name and laid
    /// over others, and its default has its form.
    #[test]
    fn every_option_comes_from_its_row() {
        for option in OPTIONS {
            let (value, written) = example(option);
            let mut set = Options::new();
            (option.set)(&mut set, &option.row, &value).unwrap();
            assert_eq!(set.value(option.name).as_deref(), Some(value.as_str()));
            assert!(!Options::new().has(option.name));
            assert_eq!(Options::new().or(set.clone()), set);
            let text = read(&format!("{} = {written}", option.name));
            match option.row.in_text {
                true => assert_eq!(text.unwrap(), set, "{}", option.name),
                false => assert!(text.is_err(), "{}", option.name),
            }
            if let Usual::Value(usual) = option.row.usual {
                let completed = Options::new().completed().value(option.name);
                assert_eq!(completed.as_deref(), Some(usual), "{}", option.name);
            }
            assert!(option.help.trim().ends_with('.'), "{}", option.name);
        }
        for option in COSIM_OPTIONS {
            let (value, _) = example(option);
            let mut set = CosimOptions::new();
            (option.set)(&mut set, &option.row, &value).unwrap();
            assert_eq!(set.value(option.name).as_deref(), Some(value.as_str()));
            if let Usual::Value(usual) = option.row.usual {
                let completed = CosimOptions::new().completed().value(option.name);
                assert_eq!(completed.as_deref(), Some(usual), "{}", option.name);
            }
        }
    }

    #[test]
    fn values_may_have_units() {
        let o =
            read("t_end = \"30 ms\"\noutputs = \"steps\"\ncheckpoint_interval = \"1 ms\"").unwrap();
        assert_eq!((o.t_end, o.checkpoint_interval), (Some(0.03), Some(0.001)));
        assert_eq!(o.outputs, Some(Outputs::Steps));
        let set = |name: &str, text: &str| {
            let option = OPTIONS.iter().find(|o| o.name == name).unwrap();
            let mut o = Options::new();
            (option.set)(&mut o, &option.row, text).map(|()| o.value(name).unwrap())
        };
        assert_eq!(set("t_end", "30ms").as_deref(), Ok("0.03"));
        assert_eq!(set("max_step", "2 min").as_deref(), Ok("120"));
        assert!(set("step", "3 kg").unwrap_err().contains("a time"));
        assert!(set("step", "soon").unwrap_err().contains("number"));
        assert!(set("method", "bfd").unwrap_err().contains("bdf"));
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

    #[test]
    fn upper_layers_win() {
        let below = Options::new().t_end(9.0).rtol(1e-3).atol(1e-5);
        let both = Options::new().t_end(1.0).rtol(1e-8).or(below);
        assert_eq!(both, Options::new().t_end(1.0).rtol(1e-8).atol(1e-5));
    }
}
