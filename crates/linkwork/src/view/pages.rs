//! Pages of the things that can be done with a model.

use super::columns::Columns;
use super::lanes::Story;
use super::modes::shape;
use super::scene::Scene;
use super::{Page, Source};
use crate::balance::{Balance, Values};
use crate::events::Mark;
use crate::modes::Modes;
use crate::run::{Run, Verdict};
use crate::summary::Summary;
use crate::table::Table;
use linkwork_dae::system::System;
use linkwork_mbs::{Model, text};
use std::path::PathBuf;

/// What a page is about: the model, if there is one, and its text.
#[derive(Clone, Debug, Default)]
pub struct Subject<'a> {
    /// The model; `None` for systems without bodies.
    pub model: Option<&'a Model>,
    /// Its text as the user wrote it.
    pub source: Source,
    /// Where its meshes are.
    pub folder: PathBuf,
}

impl Subject<'_> {
    fn page(&self, title: &str, what: &'static str) -> Page {
        let mut notes = Vec::new();
        let scene = (self.model).map(|model| Scene::new(model, &self.folder, &mut notes));
        Page {
            title: title.to_string(),
            what,
            sources: if self.source.text.is_empty() {
                Vec::new()
            } else {
                vec![self.source.clone()]
            },
            scene,
            notes,
            version: env!("CARGO_PKG_VERSION"),
            ..Page::default()
        }
    }
}

/// Most events that a page lists.
const EVENTS: usize = 2000;

impl Page {
    pub(super) fn mark(&mut self, mut events: Vec<Mark>, left_out: u64) {
        self.events_left_out = left_out + events.len().saturating_sub(EVENTS) as u64;
        events.truncate(EVENTS);
        self.events = events;
    }

    /// The verdict as a summary on disk has it.
    pub(super) fn judged(&mut self, summary: serde_json::Value) {
        let words = |key: &str| {
            let list = summary.get(key).and_then(|v| v.as_array());
            let texts = list.map(|l| l.iter().filter_map(|v| v.as_str().map(String::from)));
            texts.map_or_else(Vec::new, Iterator::collect)
        };
        let verdict = summary.get("verdict").and_then(|v| v.as_str());
        self.verdict = verdict.unwrap_or("results").to_string();
        self.tone = match verdict {
            Some("converged") => "good",
            Some("failed") => "bad",
            _ => "doubtful",
        };
        self.doubts = words("doubts");
        self.notes.extend(words("notes"));
        let cause = summary.get("failure").and_then(|f| f.get("cause"));
        self.failure = cause.and_then(|c| c.as_str()).map(String::from);
        self.summary = summary;
    }
}

/// The page of a run.
pub fn of_run(run: &Run, subject: &Subject<'_>, story: Option<Story>) -> Page {
    let mut page = subject.page(&run.model, "run");
    page.verdict = run.verdict.word().to_string();
    page.tone = tone(run.verdict);
    page.doubts = told(&run.doubts);
    page.notes.extend(told(&run.notes));
    page.failure = run.failure().map(ToString::to_string);
    page.summary = object(&Summary::new(run, &[]).to_json());
    page.table = Some(Columns::new(&run.table, page.scene.as_ref()));
    page.lanes = story;
    let marks = run.events.happenings.iter().map(Mark::from).collect();
    page.mark(marks, run.events.left_out);
    page
}

impl Run {
    /// The page of the run as one HTML file, with the mechanism if its model is given: for a mail, a server, a
    /// cell of a notebook. Meshes of `[[shape]]` are looked for where the program runs; the solver's story
    /// needs an observer, see [`of_run`].
    ///
    /// ```
    /// use linkwork::Simulation;
    /// use linkwork::mbs::{Body, BodyRef, Model, joint::Revolute};
    ///
    /// let mut model = Model::planar("pendulum").gravity([0.0, -9.81]);
    /// let rod = model.add_body(Body::planar("rod", 1.0, 0.1).at([0.5, 0.0]));
    /// model.add_joint("hinge", BodyRef::GROUND, rod, Revolute::pin([0.0, 0.0]));
    /// let page = Simulation::of(&model)?.t_end(1.0).run()?.html(Some(&model));
    /// assert!(page.starts_with("<!doctype html>") && page.contains("rod.angle"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn html(&self, model: Option<&Model>) -> String {
        let subject = Subject {
            model,
            source: Source {
                name: "model text".to_string(),
                text: model.map_or_else(String::new, text::write),
                ..Source::default()
            },
            ..Subject::default()
        };
        of_run(self, &subject, None).html()
    }
}

/// The page of results on disk: the table and, where they are beside it, summary and model.
pub fn of_results(
    name: &str,
    table: &Table,
    summary: serde_json::Value,
    events: Vec<Mark>,
    subject: &Subject<'_>,
) -> Page {
    let title = summary.get("model").and_then(|v| v.as_str());
    let mut page = subject.page(title.unwrap_or(name), "run");
    page.judged(summary);
    page.table = Some(Columns::new(table, page.scene.as_ref()));
    page.mark(events, 0);
    page
}

/// The page of modes, which move about their state.
pub fn of_modes(found: &Modes, sys: &mut dyn System, subject: &Subject<'_>) -> Page {
    let mut page = subject.page(&found.model, "modes");
    page.verdict = match (found.stable, &found.failure) {
        (Some(true), None) => "stable".to_string(),
        (Some(false), None) => "unstable".to_string(),
        _ => "no modes".to_string(),
    };
    page.tone = match found.stable {
        Some(false) if found.verdict == Verdict::Converged => "doubtful",
        _ => tone(found.verdict),
    };
    page.doubts = told(&found.doubts);
    page.notes.extend(told(&found.notes));
    page.failure = found.failure.as_ref().map(ToString::to_string);
    page.summary = object(&found.to_json());
    if let Some(list) = page.summary.get_mut("modes") {
        // they have a place of their own on the page
        *list = serde_json::Value::Null;
    }
    if let Some(state) = &found.state {
        let values = Values::of(sys, state);
        page.table = Some(one_row(state.t, &values, page.scene.as_ref()));
        let scene = page.scene.as_ref();
        let bodies = scene.map_or_else(Vec::new, |s| s.bodies.iter().map(|b| &*b.name).collect());
        let shapes = found.modes.iter().map(|m| shape(sys, state, m, &bodies));
        page.modes = shapes.collect();
    }
    page
}

/// The page of an equilibrium: its pose, the start as a ghost beside it.
pub fn of_balance(found: &Balance, subject: &Subject<'_>) -> Page {
    let mut page = subject.page(&found.model, "equilibrium");
    page.verdict = found.stability.unwrap_or("no equilibrium").to_string();
    page.tone = tone(found.verdict);
    page.doubts = told(&found.doubts);
    page.failure = found.failure.as_ref().map(ToString::to_string);
    page.summary = object(&found.to_json());
    page.table = Some(one_row(found.t, &found.values, page.scene.as_ref()));
    page
}

/// The page of a look at a model: the assembled pose, or the best one found.
pub fn of_check(
    name: &str,
    verdict: &str,
    tone: &'static str,
    summary: &str,
    values: Option<(f64, Values)>,
    subject: &Subject<'_>,
) -> Page {
    let mut page = subject.page(name, "check");
    page.verdict = verdict.to_string();
    page.tone = tone;
    page.summary = object(summary);
    page.table = values.map(|(t, values)| one_row(t, &values, page.scene.as_ref()));
    page
}

fn one_row(t: f64, values: &Values, scene: Option<&Scene>) -> Columns {
    let mut table = Table::new(&values.channels);
    if !values.values.is_empty() {
        table.push(t, &values.values);
    }
    Columns::new(&table, scene)
}

/// Doubts or notes as sentences.
pub(super) fn told<T: ToString>(list: &[T]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

pub(super) fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Converged => "good",
        Verdict::Degraded => "doubtful",
        Verdict::Failed => "bad",
    }
}

pub(super) fn object(json: &str) -> serde_json::Value {
    serde_json::from_str(json).unwrap_or_default()
}
