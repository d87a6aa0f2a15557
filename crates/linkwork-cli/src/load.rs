//! From the word MODEL to a simulation: a file, a built-in model, a benchmark problem.

use crate::args::ModelArgs;
use crate::render::{self, SourceText};
use linkwork::catalogue::{self, BuiltIn, MODELS};
use linkwork::mbs::ModelError;
use linkwork::mbs::text::{self, Document};
use linkwork::options::Coordinates;
use linkwork::problems::{PROBLEMS, Problem};
use linkwork::{OptionError, Options, Simulation};
use std::path::Path;

/// A model that is ready to be simulated.
pub struct Loaded {
    /// The simulation, with the options of the model.
    pub simulation: Simulation,
    /// Where it came from.
    pub origin: Origin,
}

/// Where a model came from.
pub enum Origin {
    /// A model text.
    Text {
        /// What it says.
        document: Box<Document>,
        /// The text, for errors.
        source: SourceText,
    },
    /// A benchmark problem.
    Problem(&'static Problem),
}

impl Loaded {
    /// An option that cannot be honoured, shown in the model text if that is where it was given.
    pub fn option_error(&self, error: &OptionError, command_line: &Options) -> String {
        if let Origin::Text { document, source } = &self.origin {
            let span = document.simulation.fields().span(error.option);
            if span.is_some() && !command_line.has(error.option) {
                let mut located = ModelError::new(&error.message).at(span);
                located.help.clone_from(&error.help);
                return render::model_error(&located, source);
            }
        }
        render::option_error(error)
    }
}

/// Loads a model; on failure the rendered complaint.
pub fn load(args: &ModelArgs) -> Result<Loaded, String> {
    let path = Path::new(&args.model);
    if path.is_file() {
        let text = std::fs::read_to_string(path)
            .map_err(|e| render::plain(&format!("cannot read {}: {e}", args.model), None))?;
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let name = stem.unwrap_or_else(|| args.model.clone());
        return from_text(&name, &args.model, text, args);
    }
    match catalogue::find(&args.model) {
        Ok(BuiltIn::Model(model)) => {
            let file = format!("built-in model {}", model.name);
            from_text(model.name, &file, model.text.to_string(), args)
        }
        Ok(BuiltIn::Problem(problem)) => from_problem(problem, args),
        Err(near) => Err(not_found(&args.model, near)),
    }
}

fn not_found(word: &str, near: Option<&str>) -> String {
    let path = Path::new(word);
    if path.is_dir() {
        let help = "give a model file, such as models/squeezer.toml";
        return render::plain(&format!("{word} is a directory"), Some(help));
    }
    let looks_like_file = path.extension().is_some() || path.components().count() > 1;
    if looks_like_file {
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let built_in = stem.filter(|s| catalogue::find(s).is_ok());
        let help = match built_in {
            Some(name) => format!("`{name}` is a built-in model: linkwork run {name}"),
            None => "check the path; `linkwork list models` shows what is built in".into(),
        };
        return render::plain(&format!("there is no file {word}"), Some(&help));
    }
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<&str> = MODELS
                .iter()
                .map(|m| m.name)
                .chain(PROBLEMS.iter().map(|p| p.name))
                .collect();
            format!("built in are {}", names.join(", "))
        }
    };
    render::plain(
        &format!("`{word}` is neither a file nor a built-in model or problem"),
        Some(&help),
    )
}

fn from_text(name: &str, file: &str, text: String, args: &ModelArgs) -> Result<Loaded, String> {
    let source = SourceText {
        name: file.to_string(),
        text,
    };
    let document = text::read_with(&source.text, &args.set).map_err(|errors| {
        // the first few tell the story
        const SHOWN: usize = 10;
        let mut rendered: Vec<String> = errors
            .iter()
            .take(SHOWN)
            .map(|e| render::model_error(e, &source))
            .collect();
        if let Some(more) = errors.len().checked_sub(SHOWN).filter(|&n| n > 0) {
            rendered.push(format!("  and {more} more\n"));
        }
        rendered.concat()
    })?;
    let simulation = Simulation::from_document_in(&document, args.coordinates())
        .map_err(|e| render::model_error(&e, &source))?;
    let simulation = if document.model.name.is_empty() {
        simulation.named(name)
    } else {
        simulation
    };
    Ok(Loaded {
        simulation,
        origin: Origin::Text {
            document: Box::new(document),
            source,
        },
    })
}

fn from_problem(problem: &'static Problem, args: &ModelArgs) -> Result<Loaded, String> {
    if args.coordinates() != Coordinates::default() {
        let message = format!("problem `{}` has coordinates of its own", problem.name);
        let help = "coordinates, cut and formalism are for models";
        return Err(render::plain(&message, Some(help)));
    }
    let parameters = args
        .set
        .iter()
        .map(|assignment| parameter(assignment))
        .collect::<Result<Vec<_>, _>>()?;
    let system = (problem.build)(&parameters)
        .map_err(|e| render::plain(&format!("problem `{}`: {e}", problem.name), None))?;
    let options = Options {
        t_end: Some(problem.t_end),
        ..Options::default()
    };
    Ok(Loaded {
        simulation: Simulation::new(system)
            .named(problem.name)
            .identified(&format!("problem {} {parameters:?}", problem.name))
            .options(options),
        origin: Origin::Problem(problem),
    })
}

fn parameter(assignment: &str) -> Result<(String, f64), String> {
    let parsed = assignment
        .split_once('=')
        .and_then(|(name, value)| Some((name.trim().to_string(), value.trim().parse().ok()?)));
    parsed.ok_or_else(|| {
        render::plain(
            &format!("--set {assignment}: problems take numbers, such as n=40"),
            None,
        )
    })
}
