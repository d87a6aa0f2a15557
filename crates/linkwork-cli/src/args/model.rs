//! Which model, and in which coordinates.

use super::{Given, OfModel, RobotArgs};
use clap::Args;
use linkwork::Options;

/// Which model, with which changes.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// A model file or robot (URDF), or the name of a built-in model or problem (`linkwork list models`)
    pub model: String,

    /// Change one value: `crank.mass=50g`, `model.gravity=[0,0]`; or a parameter of a model or problem:
    /// `length=30cm`, `n=40`. May be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "Model")]
    pub set: Vec<String>,

    #[command(flatten)]
    pub given: Given<OfModel>,

    #[command(flatten)]
    pub robot: RobotArgs,
}

impl ModelArgs {
    /// The options given on the command line as far as they are about the model.
    pub fn options(&self) -> Options {
        self.given.0.clone()
    }
}
