//! How options are declared: one row each, from which their text keys, their place on the command line,
//! their documentation and their part in the heading of a checkpoint come.

use super::Outputs;
use crate::settings::OptionError;
use linkwork_mbs::error::ModelError;
use linkwork_mbs::field::{Form, Key};
use linkwork_mbs::text::Fields;
use linkwork_mbs::units::Unit;
use std::fmt;
use std::path::PathBuf;

/// What an option is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Which unknowns describe the mechanism.
    Model,
    /// How parts of a system are connected.
    Coupling,
    /// How steps are made.
    Integration,
    /// How accurate and how long they are.
    Accuracy,
    /// Which points are kept.
    Results,
    /// Saving a run, and going on with it.
    Checkpoints,
}

/// What holds when an option is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usual {
    /// It must be given.
    Nothing,
    /// This value.
    Value(&'static str),
    /// What these words say.
    Words(&'static str),
}

/// A value of an option that is one of a few.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
}

/// A test of a number, and what it asks for in words.
pub type Bound = (fn(f64) -> bool, &'static str);

/// What a row says beside the name, the type and the meaning of an option.
#[derive(Clone, Copy)]
pub struct Row {
    /// What it is about.
    pub group: Group,
    /// What holds without it.
    pub usual: Usual,
    /// Physical kind of its number.
    pub unit: Unit,
    /// What can be chosen from; `None`: anything of its type.
    pub choices: Option<fn() -> Vec<Choice>>,
    /// What a number must be, and that in words.
    pub must: Option<Bound>,
    /// Whether a saved run goes on only with the same value.
    pub same: bool,
    /// Whether it may stand in a file.
    pub in_text: bool,
}

impl Row {
    /// An option that holds by default what `usual` says.
    pub const fn new(group: Group, usual: Usual) -> Row {
        Row {
            group,
            usual,
            unit: Unit::None,
            choices: None,
            must: None,
            same: false,
            in_text: true,
        }
    }

    /// In seconds.
    pub const fn seconds(self) -> Row {
        let unit = Unit::Time;
        Row { unit, ..self }
    }

    /// One of a few words.
    pub const fn of(self, choices: fn() -> Vec<Choice>) -> Row {
        let choices = Some(choices);
        Row { choices, ..self }
    }

    /// A number with bounds.
    pub const fn must(self, be: fn(f64) -> bool, words: &'static str) -> Row {
        let must = Some((be, words));
        Row { must, ..self }
    }

    /// A number above zero.
    pub const fn positive(self) -> Row {
        self.must(|x| x.is_finite() && x > 0.0, "greater than zero")
    }

    /// A count from one on.
    pub const fn counted(self) -> Row {
        self.must(|x| x >= 1.0, "at least 1")
    }

    /// Not to be changed when a saved run goes on.
    pub const fn same(self) -> Row {
        Row { same: true, ..self }
    }

    /// Not in files.
    pub const fn not_in_text(self) -> Row {
        let in_text = false;
        Row { in_text, ..self }
    }

    /// Whether a value given by this name is possible at all.
    fn check(&self, option: &'static str, value: &str) -> Result<(), OptionError> {
        let refuse = |message: String, help| {
            Err(OptionError {
                option,
                message,
                help,
            })
        };
        match (self.must, value.parse()) {
            (Some((be, words)), Ok(x)) if !be(x) => {
                let message = format!("{option} = {value} cannot be used: it must be {words}");
                return refuse(message, None);
            }
            _ => {}
        }
        match self.names() {
            Some(names) if !names.contains(&value) => refuse(
                format!("`{value}` is not a known {option}"),
                Some(super::unknown(value, self)),
            ),
            _ => Ok(()),
        }
    }

    /// Names that can be chosen from.
    pub fn names(&self) -> Option<Vec<&'static str>> {
        Some(self.choices?().iter().map(|c| c.name).collect())
    }
}

/// One option of `O`.
pub struct Opt<O: 'static> {
    /// Its name: `max_order` in text and in Rust, `--max-order` on the command line.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
    /// What may stand behind it.
    pub form: Form,
    /// The rest of its row.
    pub row: Row,
    /// Its value as it would be written.
    pub get: fn(&O) -> Option<String>,
    /// Gives it a value by a text.
    pub set: fn(&mut O, &Row, &str) -> Result<(), String>,
    /// Gives it the value of a key of a file.
    pub read: fn(&mut O, &Row, &Fields<'_>) -> Result<(), ModelError>,
    /// Takes the value back.
    pub clear: fn(&mut O),
}

impl<O> Opt<O> {
    /// The option as a documented key.
    pub fn key(&self) -> Key {
        let (name, unit) = (self.name, self.row.unit);
        let help = self.help.trim();
        let key = match self.row.usual {
            Usual::Nothing => Key::required(name, unit, help),
            Usual::Value(words) | Usual::Words(words) => Key::optional(name, unit, words, help),
        };
        key.takes(self.form)
    }

    /// The help with the default.
    pub fn help(&self) -> String {
        let help = self.help.trim();
        match self.row.usual {
            Usual::Nothing => help.to_string(),
            Usual::Value(words) | Usual::Words(words) => {
                format!("{} (default: {words})", help.trim_end_matches('.'))
            }
        }
    }
}

impl<O> Opt<O> {
    /// Whether the option has a possible value, if any.
    pub(crate) fn check(&self, options: &O) -> Result<(), OptionError> {
        match (self.get)(options) {
            Some(value) => self.row.check(self.name, &value),
            None => Ok(()),
        }
    }
}

/// The type of an option.
pub trait Value: Sized {
    /// How it is given in Rust.
    type Given<'a>;
    /// What may stand behind its key.
    const FORM: Form;
    /// The value given in Rust.
    fn given(value: Self::Given<'_>) -> Self;
    /// The value of a text.
    fn parse(text: &str, row: &Row) -> Result<Self, String>;
    /// The value of a key.
    fn read(f: &Fields<'_>, key: &'static str, row: &Row) -> Result<Self, ModelError>;
    /// The value as it would be written.
    fn text(&self) -> String;
}

/// A number as people write it: `1`, `0.25`, `1e-8`.
pub(crate) fn written(number: f64) -> String {
    let (plain, power) = (format!("{number}"), format!("{number:e}"));
    if power.len() + 1 < plain.len() {
        power
    } else {
        plain
    }
}

impl Value for f64 {
    type Given<'a> = f64;
    const FORM: Form = Form::Number;

    fn given(value: f64) -> f64 {
        value
    }

    fn parse(text: &str, row: &Row) -> Result<f64, String> {
        // what is no time as a number is refused with the option's own bounds
        match text.trim().parse() {
            Ok(number) => Ok(number),
            Err(e) if row.unit == Unit::None => Err(format!("{e}")),
            Err(_) => (row.unit.parse(text)).map_err(|e| format!("{}; {}", e.message, e.help)),
        }
    }

    fn read(f: &Fields<'_>, key: &'static str, row: &Row) -> Result<f64, ModelError> {
        f.number(key, row.unit)
    }

    fn text(&self) -> String {
        written(*self)
    }
}

macro_rules! count {
    ($($kind:ty),*) => {$(
        impl Value for $kind {
            type Given<'a> = $kind;
            const FORM: Form = Form::Number;

            fn given(value: $kind) -> $kind {
                value
            }

            fn parse(text: &str, _: &Row) -> Result<$kind, String> {
                text.trim().parse().map_err(|e| format!("{e}"))
            }

            fn read(f: &Fields<'_>, key: &'static str, _: &Row) -> Result<$kind, ModelError> {
                f.count_or(key, 0).map(|n| n as $kind)
            }

            fn text(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
count!(u64, usize);

impl Value for bool {
    type Given<'a> = bool;
    const FORM: Form = Form::Flag;

    fn given(value: bool) -> bool {
        value
    }

    fn parse(text: &str, _: &Row) -> Result<bool, String> {
        text.trim().parse().map_err(|e| format!("{e}"))
    }

    fn read(f: &Fields<'_>, key: &'static str, _: &Row) -> Result<bool, ModelError> {
        f.flag_or(key, false)
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl Value for String {
    type Given<'a> = &'a str;
    const FORM: Form = Form::Word;

    fn given(value: &str) -> String {
        value.to_string()
    }

    fn parse(text: &str, row: &Row) -> Result<String, String> {
        match row.names() {
            Some(names) if !names.contains(&text) => Err(super::unknown(text, row)),
            _ => Ok(text.to_string()),
        }
    }

    fn read(f: &Fields<'_>, key: &'static str, row: &Row) -> Result<String, ModelError> {
        match row.names() {
            Some(names) => f.choice(key, &names, None).map(str::to_string),
            None => f.text(key).map(str::to_string),
        }
    }

    fn text(&self) -> String {
        self.clone()
    }
}

impl Value for Vec<String> {
    type Given<'a> = &'a [&'a str];
    const FORM: Form = Form::Words;

    fn given(value: &[&str]) -> Vec<String> {
        value.iter().map(|word| word.to_string()).collect()
    }

    /// Words separated by commas; an empty text is none.
    fn parse(text: &str, _: &Row) -> Result<Vec<String>, String> {
        let words = text.split(',').map(|word| word.trim().to_string());
        Ok(words.filter(|word| !word.is_empty()).collect())
    }

    fn read(f: &Fields<'_>, key: &'static str, _: &Row) -> Result<Vec<String>, ModelError> {
        let words = f.texts(key)?;
        Ok(words.into_iter().map(str::to_string).collect())
    }

    fn text(&self) -> String {
        self.join(",")
    }
}

impl Value for PathBuf {
    type Given<'a> = &'a std::path::Path;
    const FORM: Form = Form::Word;

    fn given(value: &std::path::Path) -> PathBuf {
        value.to_path_buf()
    }

    fn parse(text: &str, _: &Row) -> Result<PathBuf, String> {
        Ok(text.into())
    }

    /// A model may come from anybody: it names files beside its results, directories are for the user.
    fn read(f: &Fields<'_>, key: &'static str, _: &Row) -> Result<PathBuf, ModelError> {
        let path = PathBuf::from(f.text(key)?);
        if path.components().count() == 1 && path.file_name() == Some(path.as_os_str()) {
            return Ok(path);
        }
        let message =
            "must be the name of a file, without directories: say where on the command line";
        Err(f.error(key, message))
    }

    fn text(&self) -> String {
        self.display().to_string()
    }
}

impl Value for Outputs {
    type Given<'a> = Outputs;
    const FORM: Form = Form::Number;

    fn given(value: Outputs) -> Outputs {
        value
    }

    fn parse(text: &str, row: &Row) -> Result<Outputs, String> {
        match text.parse() {
            Ok(n) if n > 0 => Ok(Outputs::Uniform(n)),
            _ if text == "steps" => Ok(Outputs::Steps),
            _ if text.contains(',') => {
                // a list of one ends with its comma
                let times = text.trim_end_matches(',').split(',');
                let times = times.map(|t| <f64 as Value>::parse(t, row));
                let times: Result<Vec<f64>, String> = times.collect();
                times.map(|times| Outputs::At(times.into()))
            }
            _ => Err(
                "a number of intervals such as 200, the word `steps`, or times separated by commas"
                    .into(),
            ),
        }
    }

    fn read(f: &Fields<'_>, key: &'static str, _: &Row) -> Result<Outputs, ModelError> {
        if f.is_list(key) {
            return Ok(Outputs::At(f.numbers(key)?.into()));
        }
        if let Ok(Some(word)) = f.optional_text(key)
            && (word == "steps" || f.optional_number(key, Unit::None).is_err())
        {
            f.choice(key, &["steps"], None)?;
            return Ok(Outputs::Steps);
        }
        match f.count_or(key, 0)? {
            0 => Err(f
                .error(key, "`outputs` must be at least 1")
                .with_label("must be 1, 2, 3, ... or \"steps\"")),
            n => Ok(Outputs::Uniform(n)),
        }
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Outputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outputs::Uniform(n) => write!(f, "{n}"),
            Outputs::Steps => f.write_str("steps"),
            Outputs::At(times) => {
                let one = if times.len() == 1 { "," } else { "" };
                let times: Vec<String> = times.iter().map(|t| format!("{t:?}")).collect();
                write!(f, "{}{one}", times.join(","))
            }
        }
    }
}

/// A struct of options and the table of them: `name: type = row`, with its meaning as its comment.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $options:ident, $table:ident {
            $($(#[doc = $help:literal])* $name:ident: $kind:ty = $row:expr,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $options {
            $($(#[doc = $help])* pub $name: Option<$kind>,)*
        }

        #[doc = concat!("Every option of [`", stringify!($options), "`].")]
        pub static $table: &[$crate::options::Opt<$options>] = &[$($crate::options::Opt {
            name: stringify!($name),
            help: concat!($($help),*),
            form: <$kind as $crate::options::Value>::FORM,
            row: $row,
            get: |o| o.$name.as_ref().map($crate::options::Value::text),
            set: |o, row, text| {
                o.$name = Some($crate::options::Value::parse(text, row)?);
                Ok(())
            },
            read: |o, row, f| {
                o.$name = Some($crate::options::Value::read(f, stringify!($name), row)?);
                Ok(())
            },
            clear: |o| o.$name = None,
        }),*];

        impl $options {
            $(
                $(#[doc = $help])*
                #[must_use]
                pub fn $name(
                    mut self,
                    value: <$kind as $crate::options::Value>::Given<'_>,
                ) -> $options {
                    self.$name = Some($crate::options::Value::given(value));
                    self
                }
            )*

            /// No option given.
            pub fn new() -> $options {
                $options::default()
            }

            /// These options where they are given, else those of `below`.
            #[must_use]
            pub fn or(self, below: $options) -> $options {
                $options { $($name: self.$name.or(below.$name)),* }
            }

            /// These options as far as `which` says so.
            #[must_use]
            pub fn only(mut self, which: impl Fn(&$crate::options::Opt<$options>) -> bool) -> $options {
                for option in $table.iter().filter(|o| !which(o)) {
                    (option.clear)(&mut self);
                }
                self
            }

            /// What the option of this name is given as.
            pub fn value(&self, name: &str) -> Option<String> {
                let option = $table.iter().find(|o| o.name == name)?;
                (option.get)(self)
            }

            /// Whether the option of this name is given.
            pub fn has(&self, name: &str) -> bool {
                self.value(name).is_some()
            }

            /// The options of a table of a file; what else is in the table is not looked at.
            pub fn read_from(
                f: &linkwork_mbs::text::Fields<'_>,
            ) -> Result<$options, linkwork_mbs::error::ModelError> {
                let mut options = $options::default();
                for option in $table.iter().filter(|o| o.row.in_text) {
                    if f.has(option.name) {
                        (option.read)(&mut options, &option.row, f)?;
                    }
                }
                Ok(options)
            }

            /// The same with defaults that are values filled in.
            #[must_use]
            pub fn completed(&self) -> $options {
                let mut options = self.clone();
                for option in $table {
                    if let $crate::options::Usual::Value(text) = option.row.usual
                        && (option.get)(self).is_none()
                    {
                        // a default has the form of its option: a test sees to it
                        let _ = (option.set)(&mut options, &option.row, text);
                    }
                }
                options
            }

            /// Complains of the first value that is not possible, whatever the others are.
            pub(crate) fn check(&self) -> Result<(), $crate::OptionError> {
                $table.iter().try_for_each(|option| option.check(self))
            }

            /// What a saved run must have been made with: names, and values or the words for none.
            pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
                let same = $table.iter().filter(|o| o.row.same);
                let line = |o: &$crate::options::Opt<$options>| {
                    let none = match o.row.usual {
                        $crate::options::Usual::Words(words) => words,
                        _ => "none",
                    };
                    (o.name, (o.get)(self).unwrap_or(none.into()))
                };
                same.map(line).collect()
            }
        }
    };
}
pub(crate) use options;

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn numbers_look_as_they_are_written() {
        for word in ["1", "0.25", "1e-8", "1e-4", "0.001", "-3", "1e300", "NaN"] {
            let number: f64 = word.parse().unwrap();
            assert_eq!(written(number), word);
        }
    }
}
