//! Models of other programs, turned into models of this one, with an account of what was used.
//!
//! ```
//! use linkwork::import::{Choices, importer};
//!
//! let robot = r#"
//! <robot name="swing">
//!   <link name="world"/>
//!   <link name="bar">
//!     <inertial>
//!       <origin xyz="0 0 -0.5"/>
//!       <mass value="2"/>
//!       <inertia ixx="0.17" iyy="0.17" izz="0.001"/>
//!     </inertial>
//!     <collision><geometry><box size="0.1 0.1 1"/></geometry></collision>
//!   </link>
//!   <joint name="hinge" type="continuous">
//!     <parent link="world"/> <child link="bar"/> <axis xyz="0 1 0"/>
//!   </joint>
//! </robot>"#;
//! let choices = Choices { joints: vec!["hinge=90 deg".into()], ..Choices::default() };
//! let urdf = importer(robot, "swing.urdf").unwrap();
//! let import = (urdf.read)(robot, "swing.urdf", &choices).unwrap();
//! let document = linkwork::mbs::text::read(&import.text()).unwrap();
//! let run = linkwork::Simulation::from_document(&document)?.run().unwrap();
//! assert_eq!(run.start.unwrap().dof, 1);
//! assert!(import.account()[1].starts_with("not used: collision of link `bar` (line 10)"));
//! # Ok::<(), linkwork::mbs::ModelError>(())
//! ```

pub mod flexible;
pub mod urdf;

use linkwork_mbs::{Model, ModelError, text};
use std::fmt::Write;
use std::path::Path;

/// A format of another program.
pub struct Importer {
    /// What it is called.
    pub name: &'static str,
    /// What such files hold.
    pub summary: &'static str,
    /// Endings of such files.
    pub extensions: &'static [&'static str],
    /// Whether a text looks like one, whatever its file is called.
    pub sniff: fn(&str) -> bool,
    /// Reads a text; the second text is the name of its file. Reports as many mistakes as it can
    /// find, each with its place.
    pub read: fn(&str, &str, &Choices) -> Result<Import, Vec<ModelError>>,
}

/// All formats. Of two that both know a text by its looks the first is taken.
pub static IMPORTERS: &[Importer] = &[
    Importer {
        name: "URDF",
        summary: "robots: trees of links and joints in XML",
        extensions: &["urdf"],
        sniff: urdf::is_xml,
        read: urdf::read,
    },
    Importer {
        name: "flexible body",
        summary: "reduced finite-element bodies: a header in TOML and arrays of NumPy",
        extensions: &[],
        sniff: flexible::is_header,
        read: flexible::read,
    },
];

/// The format of a file, by its ending or else by its looks; `None` for model text.
pub fn importer(source: &str, file: &str) -> Option<&'static Importer> {
    let ending = Path::new(file).extension().and_then(|e| e.to_str());
    let by_ending = |i: &&Importer| ending.is_some_and(|e| i.extensions.contains(&e));
    let text = source.trim_start_matches('\u{feff}').trim_start();
    let by_looks = |i: &&Importer| (i.sniff)(text);
    // model text may be called anything, but not everything is model text
    (IMPORTERS.iter().find(by_ending)).or_else(|| IMPORTERS.iter().find(by_looks))
}

/// The names of all formats, for messages.
pub fn formats() -> String {
    let names: Vec<&str> = IMPORTERS.iter().map(|i| i.name).collect();
    names.join(", ")
}

/// End time in the text of an imported model, s: other formats do not know one.
pub const T_END: f64 = 1.0;

/// What the file leaves open.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// How the first link is held.
    pub base: Base,
    /// Acceleration of gravity, m/s^2.
    pub gravity: [f64; 3],
    /// Start values: `elbow=0.5`, `elbow=30 deg`, `elbow.velocity=2`; zero where none is given.
    pub joints: Vec<String>,
}

impl Default for Choices {
    fn default() -> Choices {
        Choices {
            base: Base::Fixed,
            gravity: [0.0, 0.0, -9.81],
            joints: Vec::new(),
        }
    }
}

/// How the first link of a robot is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// It is the ground.
    #[default]
    Fixed,
    /// It is a body with six freedoms.
    Floating,
}

/// What became of a part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Treatment {
    /// It has no effect on the model.
    NotUsed,
    /// It is in the model in another way than the file says.
    Changed,
}

/// One part of the file that the model does not hold as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What became of it.
    pub treatment: Treatment,
    /// The sort of part: "limit".
    pub what: String,
    /// Whose it is: "joint `elbow`"; empty for parts of the whole file.
    pub whose: String,
    /// Line of the file, from 1.
    pub line: usize,
    /// Why, or what instead.
    pub why: String,
}

/// A model and how it came about.
#[derive(Clone, Debug)]
pub struct Import {
    /// Where it came from.
    pub file: String,
    /// The model.
    pub model: Model,
    /// What was used, one sentence per sort of part.
    pub used: Vec<String>,
    /// What was not, or in another way, in the order of the file.
    pub notes: Vec<Note>,
}

/// Owners and lines named before a list is cut short.
const NAMED: usize = 4;

impl Import {
    /// What was used and what was not, one line per sort of part and reason.
    pub fn account(&self) -> Vec<String> {
        let mut lines = vec![format!("used: {}", self.used.join("; "))];
        let mut groups: Vec<(&Note, Vec<&Note>)> = Vec::new();
        for note in &self.notes {
            let same = |n: &Note| {
                (n.treatment, &n.what, &n.why) == (note.treatment, &note.what, &note.why)
            };
            match groups.iter_mut().find(|(first, _)| same(first)) {
                Some((_, members)) => members.push(note),
                None => groups.push((note, vec![note])),
            }
        }
        groups.sort_by_key(|(first, _)| first.treatment);
        lines.extend(
            groups
                .iter()
                .map(|(first, members)| group_words(first, members)),
        );
        lines
    }

    /// The model as text, with the account as a comment; reading it gives the model that runs.
    pub fn text(&self) -> String {
        let mut text = format!("# {}: imported from {}\n#\n", self.model.name, self.file);
        for line in self.account() {
            let _ = writeln!(text, "# {line}");
        }
        // names may hold what would end a comment
        let tame = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
        let mut text: String = text.chars().map(tame).collect();
        text.push('\n');
        text.push_str(&text::write(&self.model));
        let _ = write!(text, "\n[simulation]\nt_end = {T_END}\n");
        text
    }
}

fn group_words(first: &Note, members: &[&Note]) -> String {
    let treatment = match first.treatment {
        Treatment::NotUsed => "not used",
        Treatment::Changed => "changed",
    };
    let mut sorts: Vec<(&str, Vec<&str>)> = Vec::new();
    for (sort, name) in members.iter().filter_map(|m| m.whose.split_once(' ')) {
        match sorts.iter_mut().find(|s| s.0 == sort) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => sorts.push((sort, vec![name])),
        }
    }
    let of: Vec<String> = (sorts.iter())
        .map(|(sort, names)| match names.len() {
            1 => format!("{sort} {}", names[0]),
            _ => format!("{sort}s {}", listed(names)),
        })
        .collect();
    let of = match of.len() {
        0 => String::new(),
        _ => format!(" of {}", of.join(" and ")),
    };
    let lines: Vec<String> = members.iter().map(|m| m.line.to_string()).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let lines = listed(&lines);
    format!(
        "{treatment}: {}{of} ({word} {lines}): {}",
        first.what, first.why
    )
}

fn listed<S: AsRef<str>>(words: &[S]) -> String {
    let n = words.len();
    // one more is not worth a remark
    let shown = if n <= NAMED + 1 { n } else { NAMED };
    let mut list: Vec<&str> = words.iter().take(shown).map(AsRef::as_ref).collect();
    let rest = format!("{} more", n - shown);
    if n > shown {
        list.push(&rest);
    }
    list.join(", ")
}
