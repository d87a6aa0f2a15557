//! Which model, and in which coordinates.

use super::RobotArgs;
use clap::Args;
use clap::builder::PossibleValuesParser;
use linkwork::coordinates::{COORDINATES, FORMALISMS};
use linkwork::options::{Coordinates, Options};

/// Which model, with which changes.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// A model file or robot (URDF), or the name of a built-in model or problem (`linkwork list models`)
    pub model: String,

    /// Change one value: `crank.mass=50g`, `model.gravity=[0,0]`; or a parameter of a model or problem:
    /// `length=30cm`, `n=40`. May be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "Model")]
    pub set: Vec<String>,

    /// Unknowns (default absolute): of every body, or of the joints of a spanning tree
    #[arg(long, value_parser = PossibleValuesParser::new(COORDINATES), help_heading = "Model")]
    pub coordinates: Option<String>,

    /// With joint coordinates: joints that stay equations, separated by commas
    #[arg(
        long,
        value_name = "JOINT",
        value_delimiter = ',',
        help_heading = "Model"
    )]
    pub cut: Vec<String>,

    /// With joint coordinates: equations as they stand (default), or solved for the accelerations
    #[arg(long, value_parser = PossibleValuesParser::new(FORMALISMS), help_heading = "Model")]
    pub formalism: Option<String>,

    #[command(flatten)]
    pub robot: RobotArgs,
}

impl ModelArgs {
    /// The options given on the command line as far as they are about the model.
    pub fn options(&self) -> Options {
        Options {
            coordinates: self.coordinates(),
            ..Options::default()
        }
    }

    /// The coordinates asked for.
    pub fn coordinates(&self) -> Coordinates {
        Coordinates {
            coordinates: self.coordinates.clone(),
            // an empty word asks for no cut, whatever the model says
            cut: (!self.cut.is_empty()).then(|| {
                let names = self.cut.iter().map(|name| name.trim().to_string());
                names.filter(|name| !name.is_empty()).collect()
            }),
            formalism: self.formalism.clone(),
        }
    }
}
