//! Keys of lists: numbers, rows of them, texts.

use super::keys::{Draw, Item, Job, Slot};
use crate::expr::Formula;
use crate::field::{Form, Value};
use crate::geometry::Vector;
use crate::text::Fields;
use crate::units::Unit;

/// How many numbers a list has.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// Numbers in a row; 1 for a plain list.
    pub columns: usize,
    /// Rows, where that is known.
    pub count: Option<usize>,
    /// Rows of examples.
    pub drawn: usize,
}

impl Rows {
    /// A plain list of as many numbers.
    pub fn plain(count: usize) -> Rows {
        Rows::of(count, 1)
    }

    /// As many rows with as many columns.
    pub fn of(count: usize, columns: usize) -> Rows {
        Rows {
            columns,
            count: Some(count),
            drawn: count,
        }
    }

    /// Any number of rows; examples have as many as given.
    pub fn any(columns: usize, drawn: usize) -> Rows {
        Rows {
            columns,
            count: None,
            drawn,
        }
    }

    /// What is wrong with a list of as many numbers.
    fn problem(self, key: &str, given: usize) -> Option<String> {
        let columns = self.columns.max(1);
        match self.count {
            Some(count) if given != count * columns => {
                let wanted = count * columns;
                Some(format!("`{key}` needs {wanted} numbers, not {given}"))
            }
            None if given == 0 || !given.is_multiple_of(columns) => {
                Some(format!("each row of `{key}` needs {columns} numbers"))
            }
            _ => None,
        }
    }
}

impl Item<'_, '_> {
    /// Numbers one after the other, in a list or in rows. An empty list is not written.
    pub fn list(self, rows: Rows, slot: &mut impl Slot<Vec<f64>>) {
        let key = self.key;
        let [middle, spread] = self.like.unwrap_or([0.0, 1.0]);
        // how many are wanted is not known where something was wrong before
        let known = matches!(&self.keys.job, Job::Read(_, mistakes) if mistakes.is_empty());
        let read = |f: &Fields<'_>| {
            let list = f.quantities(key.name, key.unit)?;
            match rows.problem(key.name, list.len()) {
                Some(why) if known => Err(f.error(key.name, why)),
                _ => Ok(list),
            }
        };
        let write = |list: &Vec<f64>| match (list.is_empty(), rows.columns) {
            (true, _) => None,
            (false, 0 | 1) => Some(Value::numbers(list)),
            (false, columns) => {
                let rows = list.chunks(columns).map(Value::numbers);
                Some(Value::List(rows.collect()))
            }
        };
        let draw = |draw: Draw<'_>| {
            let count = rows.drawn * rows.columns;
            (0..count).map(|_| middle + spread * draw()).collect()
        };
        self.value(Form::List, slot, None, read, write, draw);
    }

    /// A fixed number of numbers.
    pub fn array<const N: usize>(self, slot: &mut impl Slot<[f64; N]>) {
        let unit = self.unit();
        let [middle, spread] = self.like.unwrap_or([0.0, 1.0]);
        self.special(
            Form::List,
            slot,
            |f, key| {
                let list = f.quantities(key, unit)?;
                let found = list.as_slice().try_into();
                let count = list.len();
                found.map_err(|_| f.error(key, format!("`{key}` has {N} numbers, not {count}")))
            },
            |x: &[f64; N]| Value::numbers(x),
            |draw| [(); N].map(|()| middle + spread * draw()),
        );
    }

    /// A list of vectors.
    pub fn vectors(self, slot: &mut Vec<Vector>, drawn: usize) {
        let unit = self.unit();
        self.special(
            Form::List,
            slot,
            |f, key| f.vectors(key, unit),
            |list: &Vec<Vector>| Value::List(list.iter().copied().map(Value::Vector).collect()),
            |draw| {
                let vector = |i: usize| [3.0 * i as f64 + draw(), 0.3 * draw(), 0.3 * draw()];
                (0..drawn).map(vector).collect()
            },
        );
    }

    /// A whole number within bounds.
    pub fn count(self, [least, most]: [usize; 2], slot: &mut usize) {
        let name = self.key.name;
        let here = *slot;
        let read = |f: &Fields<'_>| match f.count_or(name, here)? {
            count if (least..=most).contains(&count) => Ok(count),
            _ => Err(f.error(name, format!("`{name}` lies between {least} and {most}"))),
        };
        let write = |count: &usize| Some(Value::Number(*count as f64));
        let draw = |_: Draw<'_>| here.clamp(least, most);
        self.value(Form::Number, slot, None, read, write, draw);
    }

    /// A text.
    pub fn text(self, slot: &mut impl Slot<String>) {
        let read = |f: &Fields<'_>, key| f.text(key).map(str::to_string);
        let write = |text: &String| Value::Text(text.clone());
        self.special(Form::Word, slot, read, write, |_| "text".to_string());
    }

    /// A list of texts, written unless it is empty; examples have those given.
    pub fn texts(self, examples: &[&str], slot: &mut Vec<String>) {
        let name = self.key.name;
        let own = |texts: Vec<&str>| texts.into_iter().map(str::to_string).collect();
        let read = |f: &Fields<'_>| f.texts(name).map(own);
        let write = |list: &Vec<String>| {
            let texts = list.iter().cloned().map(Value::Text);
            (!list.is_empty()).then(|| Value::List(texts.collect()))
        };
        let draw = |_: Draw<'_>| own(examples.to_vec());
        self.value(Form::List, slot, None, read, write, draw);
    }

    /// Some of a few words; none are not written.
    pub fn words(self, words: &[&'static str], slot: &mut Vec<&'static str>) {
        let name = self.key.name;
        let read = |f: &Fields<'_>| f.words(name, words);
        let write = |chosen: &Vec<_>| (!chosen.is_empty()).then(|| Value::Words(chosen.clone()));
        let draw = |draw: Draw<'_>| {
            let all = words.iter().copied();
            all.filter(|_| draw() > 0.0).collect()
        };
        self.value(Form::Words, slot, None, read, write, draw);
    }

    /// A list of numbers and formulas of time and signals.
    pub fn signals(self, slot: &mut Vec<Formula>) {
        let input = self.input().unwrap_or_default();
        let read = |f: &Fields<'_>, key| f.signals(key, Unit::None);
        let write = |list: &Vec<Formula>| Value::List(list.iter().map(Value::from).collect());
        self.special(Form::List, slot, read, write, |_| {
            vec![input.clone(), input]
        });
    }

    /// A list of numbers.
    pub fn numbers(self, slot: &mut Vec<f64>) {
        let read = |f: &Fields<'_>, key| f.numbers(key);
        let write = |list: &Vec<f64>| Value::numbers(list);
        self.special(Form::List, slot, read, write, |draw| vec![draw(), draw()]);
    }

    /// A list of rows of numbers.
    pub fn matrix(self, slot: &mut Vec<Vec<f64>>) {
        let read = |f: &Fields<'_>, key| f.matrix(key);
        let write = |rows: &Vec<Vec<f64>>| Value::matrix(rows);
        let draw = |draw: Draw<'_>| {
            let mut row = || vec![0.3 * draw(), 0.2 * draw()];
            vec![row(), row()]
        };
        self.special(Form::List, slot, read, write, draw);
    }
}
