//! Keys of single numbers and what they may be.

use super::keys::{Draw, Item, Job, Slot};
use crate::expr::Formula;
use crate::field::{Fallback, Form, Value};
use crate::text::Fields;

/// What a number may be.
#[derive(Clone, Copy)]
enum Bound {
    Any,
    Positive,
    NotNegative,
    Between(f64, f64),
}

impl Bound {
    fn admits(self, x: f64) -> bool {
        match self {
            Bound::Any => x.is_finite(),
            Bound::Positive => x > 0.0 && x.is_finite(),
            Bound::NotNegative => x >= 0.0 && x.is_finite(),
            Bound::Between(least, most) => (least..=most).contains(&x),
        }
    }

    fn words(self) -> String {
        match self {
            Bound::Any => "be finite".into(),
            Bound::Positive => "be greater than zero".into(),
            Bound::NotNegative => "not be negative".into(),
            Bound::Between(least, f64::MAX) => format!("be {least} or greater"),
            Bound::Between(least, most) => format!("be between {least} and {most}"),
        }
    }

    /// What is expected, beside a number that is out of bounds.
    fn label(self) -> String {
        match self {
            Bound::Positive => "must be greater than 0".into(),
            Bound::NotNegative => "must be 0 or greater".into(),
            _ => format!("must {}", self.words()),
        }
    }
}

impl Item<'_, '_> {
    /// A number.
    pub fn number(self, slot: &mut impl Slot<f64>) {
        self.bounded(Bound::Any, slot);
    }

    /// A number greater than zero.
    pub fn positive(self, slot: &mut impl Slot<f64>) {
        self.bounded(Bound::Positive, slot);
    }

    /// A number that is zero or greater.
    pub fn not_negative(self, slot: &mut impl Slot<f64>) {
        self.bounded(Bound::NotNegative, slot);
    }

    /// A number within bounds.
    pub fn between(self, least: f64, most: f64, slot: &mut impl Slot<f64>) {
        self.bounded(Bound::Between(least, most), slot);
    }

    /// A number that is at least as large as another.
    pub fn at_least(self, least: f64, slot: &mut impl Slot<f64>) {
        self.bounded(Bound::Between(least, f64::MAX), slot);
    }

    /// A formula of time and signals that is not negative, as far as can be told before there is any motion: a number.
    pub fn formula_not_negative(self, slot: &mut impl Slot<Formula>) {
        self.admitted(slot, |item, slot| item.formula(slot));
    }

    /// The same of a part that has no inputs to be driven by.
    pub fn of_signals_not_negative(self, slot: &mut impl Slot<Formula>) {
        self.admitted(slot, |item, slot| item.of_signals(slot));
    }

    fn admitted<S: Slot<Formula>>(self, slot: &mut S, visit: impl FnOnce(Item<'_, '_>, &mut S)) {
        let (name, bound) = (self.key.name, Bound::NotNegative);
        let own = Item {
            keys: &mut *self.keys,
            ..self
        };
        visit(own, slot);
        let number = Slot::<Formula>::get(slot).and_then(Formula::number);
        let Some(x) = number.filter(|x| !bound.admits(*x)) else {
            return;
        };
        let must = bound.words();
        match &mut self.keys.job {
            Job::Read(fields, mistakes) if mistakes.is_empty() => {
                let refused = fields.error(name, format!("`{name}` must {must}"));
                mistakes.push(refused.with_label(bound.label()));
            }
            Job::Check(verdict) if verdict.is_ok() => {
                let what = name.replace('_', " ");
                **verdict = Err(format!("the {what} must {must}, it is {x}"));
            }
            _ => {}
        }
    }

    fn bounded(self, bound: Bound, slot: &mut impl Slot<f64>) {
        let (key, like) = (self.key, self.like);
        let fallback = self.number_otherwise();
        // what holds unless given is right, limits that are infinite among it
        let refused = |x: &f64| !bound.admits(*x) && Some(*x) != fallback;
        if let (Job::Check(verdict), Some(x)) = (&mut self.keys.job, Slot::<f64>::get(slot))
            && verdict.is_ok()
            && refused(x)
        {
            let what = key.name.replace('_', " ");
            **verdict = Err(format!("the {what} must {}, it is {x}", bound.words()));
        }
        let read = |f: &Fields<'_>| {
            let x = f.number(key.name, key.unit)?;
            match bound {
                _ if !refused(&x) => Ok(x),
                Bound::Positive => Err("be positive".to_string()),
                _ => Err(bound.words()),
            }
            .map_err(|must| {
                f.error(key.name, format!("`{}` must {must}", key.name))
                    .with_label(bound.label())
            })
        };
        let write = |x: &f64| (!x.is_infinite()).then_some(Value::Number(*x));
        let draw = |draw: Draw<'_>| match (like, bound) {
            (Some([middle, spread]), _) => middle + spread * draw(),
            (None, Bound::Any) => draw(),
            (None, Bound::Between(least, most)) if most < f64::MAX => {
                0.5 * (least + most) + 0.4 * (most - least) * draw()
            }
            (None, Bound::Between(least, _)) => least + 1.5 + draw(),
            (None, Bound::Positive | Bound::NotNegative) => 1.5 + draw(),
        };
        self.value(Form::Number, slot, fallback, read, write, draw);
    }

    pub(super) fn number_otherwise(&self) -> Option<f64> {
        match self.key.default {
            Some(Fallback::Number(x)) => Some(x),
            _ => None,
        }
    }
}
