//! Springs and dampers along the global axes and about them.

use super::{Element, ElementEntry, Load, PortMotion, PortNames, cross_of, sum_of};
use linkwork_mbs::error::ModelError;
use linkwork_mbs::field::{Form, Key};
use linkwork_mbs::text::Fields;
use linkwork_mbs::units::Unit;

/// Its row in the table of all kinds.
pub(super) static ENTRY: ElementEntry = ElementEntry {
    kind: "bushing",
    summary: "Springs and dampers along the global axes and about them.",
    keys: &[
        Key::optional(
            "stiffness",
            Unit::Stiffness,
            "0",
            "Force per displacement along x and y, in space also z.",
        )
        .takes(Form::Vector),
        Key::optional(
            "damping",
            Unit::Damping,
            "0",
            "Force per velocity along x and y, in space also z.",
        )
        .takes(Form::Vector),
        Key::optional(
            "offset",
            Unit::Length,
            "0",
            "Place of port b relative to port a without force.",
        )
        .takes(Form::Vector),
        Key::optional(
            "torsion",
            Unit::AngularStiffness,
            "0",
            "Torque per angle that the body of b has turned relative to that of a since the start; in space about x, y and z, \
             or one number for all.",
        ),
        Key::optional(
            "torsion_damping",
            Unit::AngularDamping,
            "0",
            "Torque per angular velocity of the body of b relative to that of a, likewise.",
        ),
    ],
    read: |f| Ok(Box::new(Bushing::read(f)?)),
};

/// Springs and dampers along the global axes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bushing {
    /// Directions: 2 or 3.
    pub axes: usize,
    pub stiffness: [f64; 3],
    pub damping: [f64; 3],
    pub offset: [f64; 3],
    pub torsion: [f64; 3],
    pub torsion_damping: [f64; 3],
}

impl Bushing {
    fn read(f: &Fields<'_>) -> Result<Bushing, ModelError> {
        let mut axes = None;
        let mut along = |key: &'static str, unit: Unit| {
            let mut values = [0.0; 3];
            if !f.has(key) {
                return Ok(values);
            }
            let given = f.quantities(key, unit)?;
            let n = given.len();
            if n != 2 && n != 3 {
                let message = format!("`{key}` has {n} components");
                let error = f.error(key, message);
                return Err(error.with_label("expected [x, y], or in space [x, y, z]"));
            }
            if axes.replace(n).is_some_and(|before| before != n) {
                let message = format!("`{key}` has {n} components, other keys have not");
                let error = f.error(key, message);
                return Err(error.with_label("must have as many components as the others"));
            }
            values[..n].copy_from_slice(&given);
            Ok(values)
        };
        let stiffness = along("stiffness", Unit::Stiffness)?;
        let damping = along("damping", Unit::Damping)?;
        let offset = along("offset", Unit::Length)?;
        let about = |key: &'static str, unit: Unit| {
            if !f.has(key) {
                return Ok(([0.0; 3], None));
            }
            match f.quantities(key, unit)?[..] {
                [all] => Ok(([all; 3], None)),
                [x, y, z] => Ok(([x, y, z], Some(3))),
                ref given => {
                    let message = format!("`{key}` has {} components", given.len());
                    let error = f.error(key, message);
                    Err(error.with_label("expected a number, or in space [x, y, z]"))
                }
            }
        };
        let (torsion, told) = about("torsion", Unit::AngularStiffness)?;
        let (torsion_damping, told_again) = about("torsion_damping", Unit::AngularDamping)?;
        let told = told.or(told_again);
        if let (Some(2), Some(_)) = (axes, told) {
            let message = "numbers about three axes, and along two";
            return Err(f
                .error_here(message)
                .with_label("in the plane there is one axis"));
        }
        Ok(Bushing {
            axes: axes.or(told).unwrap_or(2),
            stiffness,
            damping,
            offset,
            torsion,
            torsion_damping,
        })
    }
}

impl Element for Bushing {
    fn axes(&self) -> Option<usize> {
        Some(self.axes)
    }

    fn turns(&self) -> bool {
        let all = self.torsion.iter().chain(&self.torsion_damping);
        all.into_iter().any(|x| *x != 0.0)
    }

    fn load(&self, a: &PortMotion, b: &PortMotion) -> Load {
        let along = |i: usize| {
            -self.stiffness[i] * (b.p[i] - a.p[i] - self.offset[i])
                - self.damping[i] * (b.v[i] - a.v[i])
        };
        let turned = a.turn.to(&b.turn);
        let about = |i: usize| {
            -self.torsion[i] * turned[i] - self.torsion_damping[i] * (b.omega[i] - a.omega[i])
        };
        Load {
            f: [0, 1, 2].map(along),
            m: [0, 1, 2].map(about),
        }
    }

    fn formulas(&self, a: &PortNames, b: &PortNames) -> Vec<String> {
        let along = |i: usize| {
            format!(
                "-({:?})*({} - {} - ({:?})) - ({:?})*({} - {})",
                self.stiffness[i], b.p[i], a.p[i], self.offset[i], self.damping[i], b.v[i], a.v[i]
            )
        };
        let mut all: Vec<String> = (0..a.p.len()).map(along).collect();
        let [torsion, damping] = [self.torsion, self.torsion_damping];
        if self.turns() && a.p.len() == 2 {
            all.push(format!(
                "-({:?})*({} - {}) - ({:?})*({} - {})",
                torsion[2], b.turn[0], a.turn[0], damping[2], b.turn[1], a.turn[1]
            ));
        } else if self.turns() {
            let ((axes_a, omega_a), (axes_b, omega_b)) = (a.turned(), b.turned());
            let pairs = || axes_a.iter().zip(&axes_b);
            let twice_sine = sum_of(&pairs().map(|(a, b)| cross_of(a, b)).collect::<Vec<_>>());
            let products = pairs().flat_map(|(a, b)| a.iter().zip(b));
            let products: Vec<String> = products.map(|(a, b)| format!("{a}*{b}")).collect();
            let trace = products.join(" + ");
            all.extend((0..3).map(|i| {
                format!(
                    "-({:?})*2*{}/(1 + {trace}) - ({:?})*({} - {})",
                    torsion[i], twice_sine[i], damping[i], omega_b[i], omega_a[i]
                )
            }));
        }
        all
    }
}
