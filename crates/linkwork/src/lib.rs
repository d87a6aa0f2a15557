//! Multibody dynamics simulation: models, integrators, results.
//!
//! ```text
//!  model text, builder or problem --> System --> Simulation --run--> Run --> files, summary
//! ```
//!
//! Start with [`Simulation`]; what may be asked of it is in [`options`], what comes out is a [`Run`].
//! The same simulation answers other questions: [`kinematics`], [`balance`] (static equilibrium),
//! [`modes`]. Inverse and forward dynamics of a model, its mass matrix and their derivatives are calls of
//! [`dynamics`].
//!
//! # Forces of one's own
//!
//! A closure of signals makes a force: values of sensors, coordinates and controls in, force and torque out. How
//! the signals depend on the motion is known exactly, the closure is differenced. A pod that hovers:
//!
//! ```
//! use linkwork::mbs::{Body, BodyRef, Model, force::Callback};
//! use linkwork::Simulation;
//!
//! let mut model = Model::new("hover").gravity([0.0, 0.0, -9.81]);
//! let pod = model.add_body(Body::rigid("pod", 2.0, [0.1, 0.1, 0.1]).at([0.0, 0.0, 1.0]));
//! let thrust = Callback::new(["pod.z", "pod.z.velocity"], |_, s| {
//!     let lift = 2.0 * 9.81 - 8.0 * s[0] - 8.0 * s[1];
//!     Ok([0.0, 0.0, lift, 0.0, 0.0, 0.0])
//! })?;
//! model.add_force("thrust", BodyRef::GROUND, pod, thrust);
//! let run = Simulation::of(&model)?.t_end(3.0).run()?;
//! // critically damped: z = (1 + 2 t) e^(-2 t)
//! let z = run.channel("pod.z").unwrap().last().unwrap();
//! assert!((z - 7.0 * (-6.0_f64).exp()).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Equations of one's own
//!
//! Whatever is not made of the elements of [`mbs`] can be given by its residual alone, with its
//! constraints if it has any; derivatives are differenced then, and what depends on what is found
//! out on the way. A pendulum in Cartesian coordinates whose pivot is shaken:
//!
//! ```
//! use linkwork::dae::residual::{Blackbox, Residual};
//! use linkwork::dae::system::{At, Dims, Guess};
//! use linkwork::Simulation;
//!
//! #[derive(Clone)]
//! struct Pendulum;
//!
//! fn pivot(t: f64) -> f64 {
//!     0.1 * (3.0 * t).sin()
//! }
//!
//! impl Residual for Pendulum {
//!     fn dims(&self) -> Dims {
//!         Dims { nq: 2, nv: 2, nc: 1, ..Dims::default() }
//!     }
//!     fn start(&self) -> Guess {
//!         Guess::at(&[1.0, 0.0], &[0.3, 0.0])
//!     }
//!     // mass times acceleration + C_q' lambda - forces
//!     fn residual(&self, at: &At<'_>, r: &mut [f64]) {
//!         let arm = [at.q[0] - pivot(at.t), at.q[1]];
//!         r[0] = 2.0 * at.a[0] + arm[0] * at.lambda[0] + 0.1 * at.v[0];
//!         r[1] = 2.0 * at.a[1] + arm[1] * at.lambda[0] + 0.1 * at.v[1] + 2.0 * 9.81;
//!     }
//!     fn constraint(&self, t: f64, q: &[f64], c: &mut [f64]) {
//!         c[0] = 0.5 * ((q[0] - pivot(t)).powi(2) + q[1] * q[1] - 1.0);
//!     }
//! }
//!
//! let run = Simulation::new(Box::new(Blackbox::new(Pendulum))).method("bdf").t_end(2.0).run()?;
//! let (x, y) = (run.channel("q1").unwrap(), run.channel("q2").unwrap());
//! let length = (x.last().unwrap() - pivot(2.0)).hypot(*y.last().unwrap());
//! assert!((length - 1.0).abs() < 1e-6);
//! assert_eq!(run.options.jacobian.as_deref(), Some("extended"));
//! # // the same end with every strategy that needs no derivatives: to a hundred tolerances
//! # for entry in linkwork::dae::jacobian::JACOBIANS {
//! #     if entry.jacobian.is_exact() {
//! #         continue;
//! #     }
//! #     let options = linkwork::Options::new().t_end(2.0).jacobian(entry.name);
//! #     let other = Simulation::new(Box::new(Blackbox::new(Pendulum)));
//! #     let other = other.options(options).run()?;
//! #     let gap = other.channel("q1").unwrap().last().unwrap() - x.last().unwrap();
//! #     assert!(gap.abs() < 1e-2, "{}: {gap}", entry.name);
//! # }
//! # Ok::<(), linkwork::OptionError>(())
//! ```

mod advice;
pub mod attempts;
mod audit;
mod auto;
pub mod balance;
pub mod beside;
mod branches;
pub mod catalogue;
mod checkpoint;
mod compare;
pub mod conditioning;
mod coordinates;
pub mod cosim;
pub mod cost;
mod doubts;
pub mod dynamics;
pub mod events;
pub mod explain;
mod following;
mod highlights;
pub mod import;
pub mod kinematics;
pub mod modes;
mod notes;
pub mod observe;
pub mod options;
mod pace;
pub mod plot;
#[doc(hidden)]
pub mod plural;
mod price;
mod room;
mod run;
mod settings;
mod signs;
mod simulation;
pub mod sparsity;
mod start;
pub mod store;
pub mod study;
pub mod summary;
pub mod sweep;
pub mod table;
pub mod verify;
pub mod view;

pub use advice::Advice;
pub use audit::{ConstraintResidual, EnergyAccount};
pub use coordinates::culprit as refused_coordinates;
pub use doubts::Doubt;
pub use explain::Explanation;
pub use following::words as excitations_in_words;
pub use highlights::{Highlights, Peak};
pub use linkwork_dae as dae;
pub use linkwork_mbs as mbs;
pub use notes::Note;
pub use options::Options;
pub use run::{Ending, Run, Verdict};
pub use settings::{OptionError, Settings};
pub use simulation::Simulation;
pub use start::{about_start, beyond};
