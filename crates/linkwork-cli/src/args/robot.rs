//! What a robot file leaves open, and `linkwork import`.

use clap::{Args, ValueEnum};
use linkwork::import::{Base, Choices};
use std::path::PathBuf;

const IMPORT_EXAMPLES: &str = "\
The model text holds what would run, with all its digits: `linkwork run robot.urdf` and a run of the
text give the same numbers. Add springs, controls and drives there.

Examples:
  linkwork import builtin:arm                         model text on the terminal
  linkwork import arm.urdf --out arm.toml             a file; what is used and not is printed
  linkwork import arm.urdf --base floating --joint base.z=0.4 --joint elbow=-30deg

Joint values are SI or have a unit: `elbow=0.5`, `elbow=30deg`, `elbow.velocity=2`, `lift=20mm`. Planar
joints have x, y and angle, floating ones and the floating first link (`base`) x, y, z, roll, pitch
and yaw (`hover.x=1`, `hover.yaw.velocity=2`); their angular velocities are about axes of the child.

Exit codes: 0 imported, 2 bad input.";

/// How a robot starts.
#[derive(Debug, Default, Args)]
pub struct RobotArgs {
    /// Start value of a joint: `elbow=0.5`, `elbow=30deg`, `elbow.velocity=2`. May be repeated
    #[arg(
        long = "joint",
        value_name = "NAME=VALUE",
        help_heading = "Robots (URDF)"
    )]
    pub joints: Vec<String>,

    /// How the first link is held (default fixed)
    #[arg(long, help_heading = "Robots (URDF)")]
    pub base: Option<Hold>,

    /// Acceleration of gravity, m/s^2 (default 0,0,-9.81)
    #[arg(long, value_name = "X,Y,Z", value_parser = gravity, allow_hyphen_values = true)]
    #[arg(help_heading = "Robots (URDF)")]
    pub gravity: Option<[f64; 3]>,
}

/// How the first link of a robot is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Hold {
    /// It is the ground
    Fixed,
    /// It has six freedoms
    Floating,
}

impl RobotArgs {
    /// The choices for an import.
    pub fn choices(&self) -> Choices {
        let default = Choices::default();
        Choices {
            base: match self.base {
                Some(Hold::Floating) => Base::Floating,
                Some(Hold::Fixed) | None => Base::Fixed,
            },
            gravity: self.gravity.unwrap_or(default.gravity),
            joints: self.joints.clone(),
        }
    }

    /// The first option that was given, and what does the same for a model text.
    pub fn given(&self) -> Option<(&'static str, &'static str)> {
        if !self.joints.is_empty() {
            Some((
                "--joint",
                "start poses of a model text are keys of its bodies",
            ))
        } else if self.base.is_some() {
            Some(("--base", "leave it out"))
        } else if self.gravity.is_some() {
            Some(("--gravity", "write --set model.gravity=[0,0,-9.81]"))
        } else {
            None
        }
    }
}

fn gravity(text: &str) -> Result<[f64; 3], String> {
    let bare = text.trim().trim_start_matches('[').trim_end_matches(']');
    let numbers: Option<Vec<f64>> = (bare.split(','))
        .map(|word| word.trim().parse().ok().filter(|x: &f64| x.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => Err("three numbers with commas are expected, such as 0,0,-9.81".into()),
    }
}

/// `linkwork import`.
#[derive(Debug, Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub struct ImportArgs {
    /// A robot file (URDF), or the name of a built-in one
    pub file: String,

    #[command(flatten)]
    pub robot: RobotArgs,

    /// File for the model text (default: the terminal)
    #[arg(long, value_name = "FILE.toml")]
    pub out: Option<PathBuf>,
}
