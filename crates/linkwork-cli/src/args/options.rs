//! Options of the library as arguments: one for each row of its tables.

use super::names::choice;
use clap::builder::ValueParser;
use clap::error::{Error, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use linkwork::cosim::{COSIM_OPTIONS, CosimOptions};
use linkwork::mbs::field::Form;
use linkwork::mbs::units::Unit;
use linkwork::options::{Group, OPTIONS, Opt, Options};
use std::fmt::Debug;

/// A table of options, or some rows of it.
pub trait Table: Debug + 'static {
    /// What they are options of.
    type Options: Clone + Debug + Default + Send + Sync + 'static;

    /// The rows.
    fn rows() -> impl Iterator<Item = &'static Opt<Self::Options>>;
}

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident: $options:ty = $rows:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl Table for $name {
            type Options = $options;

            fn rows() -> impl Iterator<Item = &'static Opt<$options>> {
                $rows
            }
        }
    )*};
}

tables! {
    /// What a model is described by.
    OfModel: Options = OPTIONS.iter().filter(|o| o.row.group == Group::Model);
    /// All else of a run.
    OfRun: Options = OPTIONS.iter().filter(|o| o.row.group != Group::Model);
    /// The same without checkpoints: runs of a sweep are short and many.
    OfSweep: Options = OPTIONS.iter()
        .filter(|o| ![Group::Model, Group::Checkpoints].contains(&o.row.group));
    /// The time and the points of a motion.
    OfMotion: Options = OPTIONS.iter().filter(|o| ["t_end", "outputs"].contains(&o.name));
    /// The time alone.
    OfTime: Options = OPTIONS.iter().filter(|o| o.name == "t_end");
    /// Those of a co-simulation.
    OfCosim: CosimOptions = COSIM_OPTIONS.iter();
}

/// Options that were given.
#[derive(Debug)]
pub struct Given<T: Table>(pub T::Options);

impl<T: Table> Args for Given<T> {
    fn augment_args(command: Command) -> Command {
        command.args(T::rows().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Given::<T>::augment_args(command)
    }
}

impl<T: Table> FromArgMatches for Given<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given<T>, Error> {
        let mut given = Given(T::Options::default());
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in T::rows() {
            if let Some(texts) = matches.get_many::<String>(option.name) {
                let text = texts.cloned().collect::<Vec<_>>().join(",");
                (option.set)(&mut self.0, &option.row, &text)
                    .map_err(|why| Error::raw(ErrorKind::ValueValidation, why))?;
            }
        }
        Ok(())
    }
}

fn heading(group: Group) -> &'static str {
    match group {
        Group::Model => "Model",
        Group::Coupling => "Coupling",
        Group::Integration => "Integration",
        Group::Accuracy => "Accuracy",
        Group::Results => "Results",
        Group::Checkpoints => "Checkpoints",
    }
}

fn argument<O: Default + 'static>(option: &'static Opt<O>) -> Arg {
    let parser: ValueParser = match option.row.choices {
        Some(choices) => choice(choices().into_iter()).into(),
        None => ValueParser::new(move |text: &str| {
            let mut scratch = O::default();
            (option.set)(&mut scratch, &option.row, text).map(|()| text.to_string())
        }),
    };
    let arg = Arg::new(option.name)
        .long(option.name.replace('_', "-"))
        .help(option.help())
        .help_heading(heading(option.row.group))
        .value_parser(parser);
    match (option.form, option.row.unit) {
        (Form::Flag, _) => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
        (Form::Words, _) => arg.action(ArgAction::Append).value_name("NAME"),
        (Form::Number, Unit::Time) => arg.value_name("S"),
        (Form::Number, _) if option.name == "outputs" => arg.value_name("N|steps|T,T,..."),
        (Form::Number, _) => arg.value_name("N"),
        (Form::Word, _) if option.row.choices.is_none() => arg.value_name("FILE"),
        _ => arg.value_name("NAME"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arguments;
    use clap::{CommandFactory, Parser};

    /// Every option of the tables is an argument with its help, and sets what its row says.
    #[test]
    fn every_option_is_an_argument() {
        let all = Arguments::command();
        let of = |command: &str, name: &str| {
            let command = all.find_subcommand(command).expect("it exists");
            let mut arguments = command.get_arguments();
            let found = arguments.find(|a| a.get_id() == name);
            let found = found.unwrap_or_else(|| panic!("{name} is missing"));
            assert!(found.get_help().is_some(), "{name}");
            assert_eq!(found.get_long(), Some(name.replace('_', "-").as_str()));
        };
        OPTIONS.iter().for_each(|o| of("run", o.name));
        COSIM_OPTIONS.iter().for_each(|o| of("cosim", o.name));
        #[derive(Parser)]
        struct Whole {
            #[command(flatten)]
            model: Given<OfModel>,
            #[command(flatten)]
            run: Given<OfRun>,
        }
        for option in OPTIONS {
            let value = match (option.row.names(), option.form) {
                (Some(names), _) => names[names.len() - 1].to_string(),
                (None, Form::Flag) => "true".into(),
                (None, Form::Words | Form::Word) => "hinge".into(),
                (None, _) => "3".into(),
            };
            let given = format!("--{}={value}", option.name.replace('_', "-"));
            let whole = Whole::try_parse_from(["linkwork", &given]).expect(&given);
            let options = whole.run.0.or(whole.model.0);
            assert_eq!(options.value(option.name), Some(value), "{given}");
        }
    }

    /// What is there for published comparisons cannot be chosen: `reproduce` has it.
    #[test]
    fn comparators_are_not_offered() {
        let mut all = Arguments::command();
        let run = all.find_subcommand_mut("run").expect("it exists");
        let help = run.render_long_help().to_string();
        for word in [
            "dassl",
            "bdf-fixed-leading",
            "classical",
            "--scaling",
            "stewart",
        ] {
            assert!(!help.contains(word), "{word}");
        }
        assert!(help.contains("gen-alpha") && help.contains("--renewal"));
    }
}
