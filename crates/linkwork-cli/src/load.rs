//! From the word MODEL to a simulation: a file, a robot, a built-in model, a benchmark problem.

use crate::args::{ModelArgs, RobotArgs};
use crate::render::{self, SourceText};
use linkwork::beside;
use linkwork::catalogue::{self, MODELS};
use linkwork::import::flexible::read_document;
use linkwork::import::{Import, Importer, formats, importer};
use linkwork::mbs::ModelError;
use linkwork::mbs::lint::{Finding, lint};
use linkwork::mbs::spelling::nearest;
use linkwork::mbs::text::Document;
use linkwork::{Note, OptionError, Options, Settings, Simulation, refused_coordinates};
use linkwork_problems::{PROBLEMS, Problem};
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
        /// The file of another format that the text was made from.
        import: Option<Box<Import>>,
    },
    /// A benchmark problem.
    Problem(&'static Problem),
}

impl Loaded {
    /// What looks wrong with the numbers of the model.
    pub fn lint(&self) -> Vec<Finding> {
        match &self.origin {
            Origin::Problem(_) => Vec::new(),
            Origin::Text { document, .. } => {
                let end = self.simulation.given().t_end;
                let duration = end.map(|t| t - document.model.start_time);
                lint(document, duration)
            }
        }
    }

    /// What should be known of the model beside its results: what looks wrong, what was not imported.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes: Vec<Note> = Note::looks(&self.lint()).collect();
        notes.extend(self.import_notes());
        notes
    }

    /// What of an imported file is not in the model as it was written.
    pub fn import_notes(&self) -> Vec<Note> {
        match &self.origin {
            Origin::Text {
                import: Some(import),
                ..
            } => {
                let account = import.account().split_off(1);
                account.into_iter().map(Note::Import).collect()
            }
            _ => Vec::new(),
        }
    }

    /// An option that cannot be honoured: quoted from the command line, or shown in the model text,
    /// wherever it was given.
    pub fn option_error(&self, error: &OptionError, command_line: &Options) -> String {
        if let Some(value) = command_line.value(error.option) {
            let help = error.help.as_deref();
            return render::on_command_line(error.option, &value, &error.message, help);
        }
        if let Origin::Text {
            document, source, ..
        } = &self.origin
            && let Some(span) = document.simulation.fields().span(error.option)
        {
            let mut located = ModelError::new(&error.message).at(span);
            located.help = render::help_of(error);
            if let Some(rival) = self.rival(command_line) {
                located = located.with_label(format!("does not go with {rival}"));
            }
            return render::model_error(&located, source);
        }
        render::option_error(error)
    }

    /// What the command line has brought against options of the file that are sound by themselves.
    fn rival(&self, command_line: &Options) -> Option<String> {
        const DECISIVE: [&str; 3] = ["method", "formulation", "step"];
        let Origin::Text { document, .. } = &self.origin else {
            return None;
        };
        let mut own = Options::read(document.simulation.fields()).ok()?;
        let t_start = document.model.start_time;
        own.t_end = own.t_end.or(Some(t_start + 1.0));
        Settings::new(&own, t_start).ok()?;
        let given = |option| Some(format!("--{option} {}", command_line.value(option)?));
        DECISIVE.into_iter().find_map(given)
    }
}

/// A text with a name, before it is read.
struct Found {
    /// Name of the model where the text has none.
    name: String,
    source: SourceText,
}

impl Found {
    fn importer(&self) -> Option<&'static Importer> {
        importer(&self.source.text, &self.source.name)
    }
}

enum Word {
    Text(Found),
    Problem(&'static Problem),
}

/// What stands before the name of a built-in model that is meant whatever files there are.
pub const BUILT_IN: &str = "builtin:";

/// Refuses to guess whether a bare word means something built in or a file beside it.
pub fn unambiguous(word: &str, is_built_in: bool) -> Result<(), String> {
    let candidates = [
        word.to_string(),
        format!("{word}.toml"),
        format!("{word}.urdf"),
    ];
    match candidates.iter().find(|file| Path::new(file).is_file()) {
        Some(file) if is_built_in => {
            let message = format!("`{word}` is built in, and there is a file {file} here");
            let help = format!(
                "say which is meant: {BUILT_IN}{word} or .{}{file}",
                std::path::MAIN_SEPARATOR
            );
            Err(render::plain(&message, Some(&help)))
        }
        _ => Ok(()),
    }
}

/// What the word MODEL means.
fn find(word: &str) -> Result<Word, String> {
    if let Some(name) = word.strip_prefix(BUILT_IN) {
        return built_in(name).ok_or_else(|| not_found(name));
    }
    unambiguous(word, is_built_in(word))?;
    let path = Path::new(word);
    if path.is_file() {
        let text = beside::read_text(path).map_err(|why| render::plain(&why, None))?;
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let name = stem.unwrap_or_else(|| word.to_string());
        let source = SourceText {
            name: word.to_string(),
            text,
        };
        return Ok(Word::Text(Found { name, source }));
    }
    built_in(word).ok_or_else(|| not_found(word))
}

/// A built-in model or problem.
fn built_in(word: &str) -> Option<Word> {
    let model = MODELS.iter().find(|m| m.name == word).map(|model| {
        Word::Text(Found {
            name: model.name.to_string(),
            source: SourceText {
                name: format!("built-in model {}", model.file),
                text: model.text.to_string(),
            },
        })
    });
    let problem = || PROBLEMS.iter().find(|p| p.name == word);
    model.or_else(|| problem().map(Word::Problem))
}

/// Whether a model or problem of this name is built in.
pub fn is_built_in(word: &str) -> bool {
    built_in(word).is_some()
}

/// Loads a model; on failure the rendered complaint.
pub fn load(args: &ModelArgs) -> Result<Loaded, String> {
    let word = find(&args.model)?;
    if let Word::Text(found) = &word
        && let Some(format) = found.importer()
    {
        let import = imported(format, &found.source, &args.robot)?;
        let source = SourceText {
            name: format!("model text of {}", found.source.name),
            text: import.text(),
        };
        return from_text(&found.name, source, args, Some(Box::new(import)));
    }
    if let Some((option, help)) = args.robot.given() {
        let (formats, model) = (formats(), &args.model);
        let message = format!("{option} is for robots ({formats}), and {model} is none");
        return Err(render::plain(&message, Some(help)));
    }
    match word {
        Word::Text(found) => from_text(&found.name, found.source, args, None),
        Word::Problem(problem) => from_problem(problem, args),
    }
}

/// Imports a file of another program; on failure the rendered complaint.
pub fn import_of(word: &str, args: &RobotArgs) -> Result<Import, String> {
    if let Word::Text(found) = find(word)?
        && let Some(format) = found.importer()
    {
        return imported(format, &found.source, args);
    }
    let message = format!("{word} is not a file that can be imported ({})", formats());
    let help = "model text needs no import; `linkwork list importers` shows what does";
    Err(render::plain(&message, Some(help)))
}

fn imported(format: &Importer, source: &SourceText, args: &RobotArgs) -> Result<Import, String> {
    let read = (format.read)(&source.text, &source.name, &args.choices());
    read.map_err(|e| complaints(&e, source))
}

/// The first few mistakes, which tell the story.
fn complaints(errors: &[ModelError], source: &SourceText) -> String {
    const SHOWN: usize = 10;
    let mut rendered: Vec<String> = errors
        .iter()
        .take(SHOWN)
        .map(|e| render::model_error(e, source))
        .collect();
    if let Some(more) = errors.len().checked_sub(SHOWN).filter(|&n| n > 0) {
        rendered.push(format!("  and {more} more\n"));
    }
    rendered.concat()
}

/// Mistakes of a model text of this name, as they are shown where there is no terminal.
pub fn plain_complaints(errors: &[ModelError], name: &str, text: &str) -> String {
    let source = SourceText {
        name: name.to_string(),
        text: text.to_string(),
    };
    // what would stand beside the marked place is told with the rest where nothing can be marked
    let told =
        errors.iter().map(
            |e| match e.label.starts_with("did you mean") && e.span.is_none() {
                true => ModelError {
                    message: format!("{}; {}", e.message, e.label),
                    ..e.clone()
                },
                false => e.clone(),
            },
        );
    let told: Vec<ModelError> = told.collect();
    render::without_colour(|| complaints(&told, &source))
}

/// What to say of a word that is neither a file nor something built in.
pub fn not_found(word: &str) -> String {
    let models = MODELS.iter().map(|m| m.name);
    let names: Vec<&str> = models.chain(PROBLEMS.iter().map(|p| p.name)).collect();
    let near = nearest(word, names.iter().copied());
    let path = Path::new(word);
    if path.is_dir() {
        let help = "give a model file, such as models/squeezer.toml";
        return render::plain(&format!("{word} is a directory"), Some(help));
    }
    let looks_like_file = path.extension().is_some() || path.components().count() > 1;
    if looks_like_file {
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let known = stem.filter(|s| is_built_in(s));
        let help = match known {
            Some(name) => format!("`{name}` is a built-in model: linkwork run {name}"),
            None => "check the path; `linkwork list models` shows what is built in".into(),
        };
        return render::plain(&format!("there is no file {word}"), Some(&help));
    }
    let system = catalogue::find_system(word).is_ok();
    let help = match near {
        _ if system => format!("it is a system of models: linkwork cosim {word}"),
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("built in are {}", names.join(", ")),
    };
    render::plain(
        &format!("`{word}` is neither a file nor a built-in model or problem"),
        Some(&help),
    )
}

fn from_text(
    name: &str,
    source: SourceText,
    args: &ModelArgs,
    import: Option<Box<Import>>,
) -> Result<Loaded, String> {
    // what is built in has no folder
    let file = Path::new(&source.name);
    let folder = file.is_file().then(|| file.parent()).flatten();
    let document = read_document(&source.text, &args.set, folder)
        .map_err(|errors| complaints(&errors, &source))?;
    let given = args.options();
    let simulation = Simulation::from_document_with(&document, given.clone()).map_err(|e| {
        // what the text says of coordinates stays below what is given
        let own = Options::read(document.simulation.fields()).unwrap_or_default();
        let asked = given.clone().or(own);
        let option = refused_coordinates(&document.model, &asked);
        match option.and_then(|option| Some((option, given.value(option)?))) {
            Some((option, value)) => {
                render::on_command_line(option, &value, &e.message, e.help.as_deref())
            }
            None => render::model_error(&e, &source),
        }
    })?;
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
            import,
        },
    })
}

fn from_problem(problem: &'static Problem, args: &ModelArgs) -> Result<Loaded, String> {
    let given = args.options();
    let mut options = ["coordinates", "cut", "formalism"].into_iter();
    if let Some((option, value)) = options.find_map(|o| Some((o, given.value(o)?))) {
        let message = format!("problem `{}` has coordinates of its own", problem.name);
        let help = "coordinates, cut and formalism are for models";
        return Err(render::on_command_line(
            option,
            &value,
            &message,
            Some(help),
        ));
    }
    let parameters = parameters(&args.set)?;
    let system = (problem.build)(&parameters)
        .map_err(|e| render::plain(&format!("problem `{}`: {e}", problem.name), None))?;
    Ok(Loaded {
        simulation: Simulation::new(system)
            .named(problem.name)
            .identified(&format!("problem {} {parameters:?}", problem.name))
            .t_end(problem.t_end),
        origin: Origin::Problem(problem),
    })
}

/// Named numbers of a problem.
pub fn parameters(set: &[String]) -> Result<Vec<(String, f64)>, String> {
    set.iter().map(|assignment| parameter(assignment)).collect()
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
