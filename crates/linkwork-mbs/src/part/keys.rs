//! The visitor of keys: reads, writes, tells, checks or draws what stands behind them.

use crate::curve::Curve;
use crate::error::ModelError;
use crate::expr::Formula;
use crate::field::{Fallback, Form, Key, Value};
use crate::geometry::Vector;
use crate::model::Axes;
use crate::text::Fields;
use crate::units::Unit;

/// A source of numbers between -1 and 1 from which examples take their values.
pub type Draw<'a> = &'a mut dyn FnMut() -> f64;

type Result<T> = std::result::Result<T, ModelError>;

/// Visits the keys of a part, for one of several purposes.
pub struct Keys<'a> {
    pub(super) job: Job<'a>,
}

/// What the visit is for, and where its results go.
pub(super) enum Job<'a> {
    Read(&'a Fields<'a>, &'a mut Vec<ModelError>),
    Write(&'a mut Vec<(&'static str, Value)>, Axes),
    Tell(&'a mut Vec<Key>),
    Check(&'a mut std::result::Result<(), String>),
    Draw(Draw<'a>, Option<Formula>),
}

impl<'a> Keys<'a> {
    /// A key with its unit and what it means in one sentence. It is required unless it says what
    /// holds [otherwise](Item::or), and ends with the form and the field behind it.
    pub fn key(&mut self, name: &'static str, unit: Unit, doc: &'static str) -> Item<'_, 'a> {
        self.item(Key::required(name, unit, doc))
    }

    /// The same for a key that several parts share.
    pub fn item(&mut self, key: Key) -> Item<'_, 'a> {
        Item {
            keys: self,
            key,
            called: None,
            like: None,
        }
    }

    /// The table that is read, where one is.
    pub fn table(&self) -> Option<&'a Fields<'a>> {
        match self.job {
            Job::Read(fields, _) => Some(fields),
            _ => None,
        }
    }

    /// Whether a part that has its values is asked for them, by being written or checked.
    pub fn asks(&self) -> bool {
        matches!(self.job, Job::Write(..) | Job::Check(_))
    }

    /// For which models a part is written, while it is.
    pub fn writes(&self) -> Option<Axes> {
        match self.job {
            Job::Write(_, axes) => Some(axes),
            _ => None,
        }
    }

    /// Where examples come from, while one is drawn.
    pub fn draw(&mut self) -> Option<&mut (dyn FnMut() -> f64 + 'a)> {
        match &mut self.job {
            Job::Draw(draw, _) => Some(&mut **draw),
            _ => None,
        }
    }

    /// A key that the visit of another one reads.
    pub fn tell(&mut self, key: Key) {
        if let Job::Tell(keys) = &mut self.job {
            keys.push(key);
        }
    }

    /// A value behind a key, while a part is written.
    pub fn write(&mut self, key: &'static str, value: impl FnOnce() -> Value) {
        if let Job::Write(fields, _) = &mut self.job {
            fields.push((key, value()));
        }
    }

    /// Reads something; `None` where nothing is read or there was a mistake, which is kept.
    pub fn read<T>(&mut self, read: impl FnOnce(&Fields<'_>) -> Result<T>) -> Option<T> {
        let Job::Read(fields, mistakes) = &mut self.job else {
            return None;
        };
        read(fields).map_err(|e| mistakes.push(e)).ok()
    }

    /// A rule between values, told of a key. What cannot be read is not looked at.
    pub fn rule(&mut self, key: &str, holds: bool, otherwise: impl Into<String>) {
        match &mut self.job {
            Job::Read(fields, mistakes) if mistakes.is_empty() && !holds => {
                mistakes.push(fields.error(key, otherwise.into()));
            }
            Job::Check(verdict) if verdict.is_ok() && !holds => **verdict = Err(otherwise.into()),
            _ => {}
        }
    }

    /// Refuses a key that has no meaning in the table that is read.
    pub fn forbid(
        &mut self,
        key: &'static str,
        when: impl FnOnce(&Fields<'_>) -> bool,
        why: &'static str,
    ) {
        self.read(|f| match when(f) {
            true => Err(f.error(key, why)),
            false => Ok(()),
        });
    }

    /// Makes something of the values that were read or drawn, as far as there was no mistake.
    pub fn make<T>(&mut self, make: impl FnOnce() -> std::result::Result<T, String>) -> Option<T> {
        match &mut self.job {
            Job::Read(fields, mistakes) if mistakes.is_empty() => match make() {
                Ok(made) => return Some(made),
                Err(why) => mistakes.push(fields.error_here(why)),
            },
            Job::Draw(..) => return make().ok(),
            _ => {}
        }
        None
    }

    /// Something that must hold once the part is placed.
    pub fn sound(&mut self, holds: bool, otherwise: &str) {
        self.placed(|| match holds {
            true => Ok(()),
            false => Err(otherwise.into()),
        });
    }

    /// A rule that can be asked once the part is placed.
    pub fn placed(&mut self, rule: impl FnOnce() -> std::result::Result<(), String>) {
        if let Job::Check(verdict) = &mut self.job
            && verdict.is_ok()
        {
            **verdict = rule();
        }
    }
}

/// A field that a key stands for: a value, or one that may be left out.
pub trait Slot<T> {
    /// Whether it may be without a value.
    const OPTIONAL: bool;
    /// Its value, if it has one.
    fn get(&self) -> Option<&T>;
    /// Gives it a value.
    fn put(&mut self, value: T);
}

impl<T> Slot<T> for T {
    const OPTIONAL: bool = false;
    fn get(&self) -> Option<&T> {
        Some(self)
    }
    fn put(&mut self, value: T) {
        *self = value;
    }
}

impl<T> Slot<T> for Option<T> {
    const OPTIONAL: bool = true;
    fn get(&self) -> Option<&T> {
        self.as_ref()
    }
    fn put(&mut self, value: T) {
        *self = Some(value);
    }
}

/// A choice of a few words; the first holds where none is given.
pub trait Word: Copy + PartialEq + Sized + 'static {
    /// The words and what they stand for.
    const WORDS: &'static [(&'static str, Self)];
}

/// One key on its way to a field.
pub struct Item<'k, 'a> {
    pub(super) keys: &'k mut Keys<'a>,
    pub(super) key: Key,
    /// The default in words, where it has a value as well.
    pub(super) called: Option<&'static str>,
    pub(super) like: Option<[f64; 2]>,
}

impl Item<'_, '_> {
    /// Its unit.
    pub fn unit(&self) -> Unit {
        self.key.unit
    }

    /// What holds where the key is left out: a value, or words where the field says it itself.
    #[must_use]
    pub fn or(mut self, fallback: impl Into<Fallback>) -> Self {
        self.key.default = Some(fallback.into());
        self
    }

    /// The words by which the documentation calls the value that holds otherwise.
    #[must_use]
    pub fn called(mut self, words: &'static str) -> Self {
        self.called = Some(words);
        self
    }

    /// What examples are like: numbers around a middle.
    #[must_use]
    pub fn like(mut self, middle: f64, spread: f64) -> Self {
        self.like = Some([middle, spread]);
        self
    }

    /// true or false.
    pub fn flag(self, slot: &mut impl Slot<bool>) {
        let name = self.key.name;
        let fallback = match self.key.default {
            Some(Fallback::Flag(flag)) => flag,
            _ => false,
        };
        let read = |f: &Fields<'_>| f.flag_or(name, fallback);
        let write = |flag: &bool| Some(Value::Flag(*flag));
        let draw = |draw: Draw<'_>| draw() > 0.0;
        self.value(Form::Flag, slot, Some(fallback), read, write, draw);
    }

    /// A vector.
    pub fn vector(self, slot: &mut impl Slot<Vector>) {
        let key = self.key;
        let [middle, spread] = self.like.unwrap_or([0.0, 1.0]);
        let read = |f: &Fields<'_>| f.vector(key.name, key.unit);
        let write = |x: &Vector| Some(Value::Vector(*x));
        let draw = |draw: Draw<'_>| [(); 3].map(|()| middle + spread * draw());
        self.value(Form::Vector, slot, None, read, write, draw);
    }

    /// A number or a formula of time and signals.
    pub fn formula(self, slot: &mut impl Slot<Formula>) {
        let (key, like) = (self.key, self.like);
        let fallback = self.number_otherwise().map(Formula::constant);
        let input = self.input();
        let read = |f: &Fields<'_>| f.signal(key.name, key.unit);
        let write = |formula: &Formula| Some(Value::from(formula));
        let draw = |draw: Draw<'_>| match (input, like) {
            (Some(input), _) => input,
            (None, Some([middle, spread])) => Formula::constant(middle + spread * draw()),
            (None, None) => Formula::parse(&format!("{} + cos({}*t)", draw(), draw()))
                .unwrap_or_else(|_| Formula::constant(draw())),
        };
        self.value(Form::Formula, slot, fallback, read, write, draw);
    }

    /// A number or a formula of time alone.
    pub fn of_time(self, slot: &mut impl Slot<Formula>) {
        self.undriven(|f, key, unit| f.formula(key, unit), slot);
    }

    /// A number or a formula of time and signals, of a part that has no inputs to be driven by.
    pub fn of_signals(self, slot: &mut impl Slot<Formula>) {
        self.undriven(|f, key, unit| f.signal(key, unit), slot);
    }

    fn undriven(
        self,
        read: fn(&Fields<'_>, &'static str, Unit) -> Result<Formula>,
        slot: &mut impl Slot<Formula>,
    ) {
        let key = self.key;
        let fallback = self.number_otherwise().map(Formula::constant);
        let [middle, spread] = self.like.unwrap_or([0.0, 1.0]);
        let read = |f: &Fields<'_>| read(f, key.name, key.unit);
        let write = |formula: &Formula| Some(Value::from(formula));
        let draw = |draw: Draw<'_>| Formula::constant(middle + spread * draw());
        self.value(Form::Formula, slot, fallback, read, write, draw);
    }

    /// The formula that inputs of examples follow.
    pub(super) fn input(&self) -> Option<Formula> {
        match &self.keys.job {
            Job::Draw(_, input) => input.clone(),
            _ => None,
        }
    }

    /// A number, a formula or a table of a variable, which has a unit.
    pub fn curve(self, variable: &str, from: Unit, slot: &mut impl Slot<Curve>) {
        let key = self.key;
        let fallback = self.number_otherwise().map(Curve::constant);
        let read = |f: &Fields<'_>| f.curve(key.name, variable, [from, key.unit]);
        let write = |curve: &Curve| Some(curve.value());
        let draw = |draw: Draw<'_>| Curve::example(variable, draw);
        self.value(Form::Curve, slot, fallback, read, write, draw);
    }

    /// One of a few words.
    pub fn word<W: Word>(self, slot: &mut impl Slot<W>) {
        let words: Vec<&'static str> = W::WORDS.iter().map(|(word, _)| *word).collect();
        let (name, first) = (self.key.name, words.first().copied());
        let find = |word: &str| W::WORDS.iter().find(|(w, _)| *w == word).map(|(_, x)| *x);
        let unknown = |f: &Fields<'_>| f.error(name, "has no such word");
        let read = |f: &Fields<'_>| {
            let word = f.choice(name, &words, first)?;
            find(word).ok_or_else(|| unknown(f))
        };
        let write = |x: &W| {
            let (word, _) = W::WORDS.iter().find(|(_, y)| x == y)?;
            Some(Value::Text(word.to_string()))
        };
        let draw = |draw: Draw<'_>| {
            let count = W::WORDS.len() as f64;
            let index = (0.5 * (1.0 - draw()) * count) as usize;
            W::WORDS[index.min(W::WORDS.len() - 1)].1
        };
        let fallback = first.and_then(find);
        let item = self.or(first.unwrap_or_default());
        item.value(Form::Word, slot, fallback, read, write, draw);
    }

    /// One of two words, of which the second means true.
    pub fn either(self, words: [&'static str; 2], slot: &mut bool) {
        let name = self.key.name;
        let read = |f: &Fields<'_>| Ok(f.choice(name, &words, Some(words[0]))? == words[1]);
        let write = |second: &bool| Some(Value::Text(words[usize::from(*second)].into()));
        let draw = |draw: Draw<'_>| draw() > 0.0;
        let item = self.or(words[0]);
        item.value(Form::Word, slot, Some(false), read, write, draw);
    }

    /// Anything else: how it is read, written and drawn.
    pub fn special<T>(
        self,
        form: Form,
        slot: &mut impl Slot<T>,
        read: impl FnOnce(&Fields<'_>, &'static str) -> Result<T>,
        write: impl FnOnce(&T) -> Value,
        draw: impl FnOnce(Draw<'_>) -> T,
    ) {
        let name = self.key.name;
        let read = |f: &Fields<'_>| read(f, name);
        self.value(form, slot, None, read, |x| Some(write(x)), draw);
    }

    pub(super) fn value<T, S: Slot<T>>(
        self,
        form: Form,
        slot: &mut S,
        fallback: Option<T>,
        read: impl FnOnce(&Fields<'_>) -> Result<T>,
        write: impl FnOnce(&T) -> Option<Value>,
        draw: impl FnOnce(Draw<'_>) -> T,
    ) {
        let mut key = self.key.takes(form);
        match &mut self.keys.job {
            Job::Read(fields, mistakes) => {
                if key.default.is_none() || fields.has(key.name) {
                    match read(fields) {
                        Ok(value) => Slot::<T>::put(slot, value),
                        Err(mistake) => mistakes.push(mistake),
                    }
                } else if let Some(value) = fallback {
                    Slot::<T>::put(slot, value);
                }
            }
            Job::Write(fields, _) => {
                let value = Slot::<T>::get(slot).and_then(write);
                fields.extend(value.map(|value| (key.name, value)));
            }
            Job::Tell(keys) => {
                if let Some(words) = self.called {
                    key.default = Some(words.into());
                }
                keys.push(key);
            }
            Job::Check(_) => {}
            Job::Draw(source, _) => {
                // some examples go without
                if !(S::OPTIONAL && source() < -0.4) {
                    Slot::<T>::put(slot, draw(source));
                }
            }
        }
    }
}
