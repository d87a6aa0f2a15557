//! Multibody dynamics simulation: models, integrators, results.
//!
//! ```text
//!  model text, builder or problem --> System --> Simulation --run--> Run --> files, summary
//! ```
//!
//! Start with [`Simulation`]; what may be asked of it is in [`options`], what comes out in [`run`].

pub mod audit;
pub mod auto;
pub mod catalogue;
pub mod checkpoint;
pub mod cosim;
pub mod doubts;
pub mod explain;
pub mod observe;
pub mod options;
pub mod plot;
pub mod reproduction;
pub mod run;
pub mod settings;
pub mod simulation;
pub mod store;
pub mod summary;
pub mod table;

pub use linkwork_dae as dae;
pub use linkwork_mbs as mbs;
pub use linkwork_problems as problems;
pub use options::Options;
pub use run::{Run, Verdict};
pub use settings::{OptionError, Settings};
pub use simulation::Simulation;
