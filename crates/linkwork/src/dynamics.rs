//! Inverse and forward dynamics, mass matrix, their derivatives and kinematics of any model, call by call.
//!
//! Any model whose joints make a tree, from text, Rust or URDF. A robot arm:
//!
//! ```
//! use linkwork::dynamics::{Dynamics, Matrix, Partials};
//! use linkwork::import::{Choices, urdf};
//!
//! let source = include_str!("../../../models/arm.urdf");
//! let robot = urdf::read(source, "arm.urdf", &Choices::default()).expect("a sound robot");
//! let mut arm = Dynamics::new(&robot.model)?;
//! let n = arm.coordinates();
//! assert_eq!(n, 7);
//!
//! let (q, v) = (vec![0.3; n], vec![0.1; n]);
//! let mut a = vec![0.5; n];
//! let mut tau = vec![0.0; n];
//! arm.inverse_dynamics(&q, &v, &a, &mut tau)?;
//! arm.forward_dynamics(&q, &v, &tau, &mut a)?;
//! assert!(a.iter().all(|a| (a - 0.5).abs() < 1e-9));
//!
//! let mut mass = Matrix::zero(n, n);
//! arm.mass_matrix(&q, &mut mass)?;
//! let mut by = Partials::new(n);
//! arm.inverse_derivatives(&q, &v, &a, &mut by)?;
//! assert_eq!(by.by_input, mass);
//! // accelerations by joint forces: the inverse of the mass matrix
//! arm.forward_derivatives(&q, &v, &tau, &mut a, &mut by)?;
//! assert!(by.by_input.times(&mass).plus(&Matrix::unit(n).scaled(-1.0)).size() < 1e-9);
//! # Ok::<(), linkwork::dynamics::DynamicsError>(())
//! ```
//!
//! Forces of elements take part: inverse dynamics tells what joints must do beside springs, dampers and
//! controls. [`Dynamics::of_bodies`] leaves them out. A model from text, and where its bodies are:
//!
//! ```
//! use linkwork::dynamics::{Dynamics, DynamicsError, Matrix};
//!
//! let source = r#"
//! [model]
//! name = "pendulum"
//! gravity = [0, -9.81]
//! [[body]]
//! name = "bar"
//! mass = 2
//! inertia = 0.5
//! position = [1, 0]
//! [[joint]]
//! name = "pin"
//! kind = "revolute"
//! body_b = "bar"
//! point_b = [-1, 0]
//! "#;
//! let model = linkwork::mbs::text::read(source).expect("a sound model").model;
//! let mut pendulum = Dynamics::new(&model)?;
//! assert_eq!(pendulum.describe(0), "joint `pin`, angle");
//! // what holds it level, and how it falls
//! let (mut tau, mut a) = ([0.0], [0.0]);
//! pendulum.inverse_dynamics(&[0.0], &[0.0], &[0.0], &mut tau)?;
//! assert!((tau[0] - 2.0 * 9.81).abs() < 1e-12);
//! pendulum.forward_dynamics(&[0.0], &[0.0], &[0.0], &mut a)?;
//! assert!((a[0] + 2.0 * 9.81 / 2.5).abs() < 1e-12);
//!
//! let bar = pendulum.body("bar")?;
//! let up = std::f64::consts::FRAC_PI_2;
//! assert!((pendulum.frame(&[up], bar)?.position[1] - 1.0).abs() < 1e-15);
//! let mut jacobian = Matrix::zero(6, 1);
//! pendulum.jacobian(&[up], bar, &mut jacobian)?;
//! assert!((jacobian[(0, 0)] + 1.0).abs() < 1e-15 && jacobian[(5, 0)] == 1.0);
//! // lists of the wrong length are no panic
//! let wrong = pendulum.inverse_dynamics(&[], &[0.0], &[0.0], &mut tau);
//! assert!(matches!(wrong, Err(DynamicsError::Length { .. })));
//! # Ok::<(), DynamicsError>(())
//! ```
//!
//! A mechanism with loops is refused with the joints that close them:
//!
//! ```
//! # use linkwork::dynamics::{Dynamics, DynamicsError};
//! let source = include_str!("../../../models/four_bar.toml");
//! let model = linkwork::mbs::text::read(source).expect("a sound model").model;
//! let Err(DynamicsError::Closed { joints, equations }) = Dynamics::new(&model) else {
//!     panic!("it is closed");
//! };
//! assert_eq!((joints.len(), equations), (1, 2));
//! ```
//!
//! Flexible bodies take part with their amplitudes as further coordinates; full matrices are factored for them then, and their forces
//! are those of the modes.
//!
//! Coordinates of ball joints and free bodies are rotation vectors about the orientation that the model
//! starts with; speeds are angular velocities in axes of the child.

pub use linkwork_dae::dense::Matrix;
pub use linkwork_mbs::tree::dynamics::{Dynamics, DynamicsError, FramePose, Partials};
