//! Spring and damper along the line between two ports.

use super::{Element, ElementEntry, Load, PortMotion, PortNames};
use linkwork_mbs::field::Key;
use linkwork_mbs::units::Unit;

/// Its row in the table of all kinds.
pub(super) static ENTRY: ElementEntry = ElementEntry {
    kind: "spring_damper",
    summary: "Spring and damper along the line between two ports.",
    keys: &[
        Key::optional("stiffness", Unit::Stiffness, "0", "Force per elongation."),
        Key::optional(
            "damping",
            Unit::Damping,
            "0",
            "Force per rate of elongation.",
        ),
        Key::optional(
            "free_length",
            Unit::Length,
            "as in the start pose",
            "Length at which the spring exerts no force.",
        ),
    ],
    read: |f| {
        Ok(Box::new(SpringDamper {
            stiffness: f.number_or("stiffness", Unit::Stiffness, 0.0)?,
            damping: f.number_or("damping", Unit::Damping, 0.0)?,
            free_length: f.optional_number("free_length", Unit::Length)?,
        }))
    },
};

/// Spring and damper along the line of the ports.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpringDamper {
    pub stiffness: f64,
    pub damping: f64,
    pub free_length: Option<f64>,
}

impl Element for SpringDamper {
    fn load(&self, a: &PortMotion, b: &PortMotion) -> Load {
        let d = [0, 1, 2].map(|i| b.p[i] - a.p[i]);
        let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
        let rate = (0..3).map(|i| d[i] * (b.v[i] - a.v[i])).sum::<f64>() / length;
        let free = self.free_length.unwrap_or(0.0);
        let tension = self.stiffness * (length - free) + self.damping * rate;
        Load {
            f: d.map(|d| -tension * d / length),
            m: [0.0; 3],
        }
    }

    fn formulas(&self, a: &PortNames, b: &PortNames) -> Vec<String> {
        let apart = |a: &[String], b: &[String]| -> Vec<String> {
            let pairs = a.iter().zip(b);
            pairs.map(|(a, b)| format!("({b} - {a})")).collect()
        };
        let (d, rates) = (apart(&a.p, &b.p), apart(&a.v, &b.v));
        let squares: Vec<String> = d.iter().map(|d| format!("{d}^2")).collect();
        let length = format!("sqrt({})", squares.join(" + "));
        let products: Vec<String> = (d.iter().zip(&rates))
            .map(|(d, rate)| format!("{d}*{rate}"))
            .collect();
        let rate = format!("({})/{length}", products.join(" + "));
        let free = self.free_length.unwrap_or(0.0);
        let tension = format!(
            "(({:?})*({length} - ({free:?})) + ({:?})*{rate})",
            self.stiffness, self.damping
        );
        d.iter()
            .map(|d| format!("-{tension}*{d}/{length}"))
            .collect()
    }

    fn settle(&mut self, a: [f64; 3], b: [f64; 3]) {
        let squares = (0..3).map(|i| (b[i] - a[i]).powi(2));
        self.free_length.get_or_insert(squares.sum::<f64>().sqrt());
    }
}
