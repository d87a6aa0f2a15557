//! Pages of co-simulations: all parts together, from a run or from its files.

use super::columns::Columns;
use super::pages::{object, told, tone};
use super::scene::Scene;
use super::{Page, Source};
use crate::cosim::summary::{COUPLING_FILE, CosimSummary, SYSTEM_FILE};
use crate::cosim::{CoupledRun, CoupledSystem};
use crate::events::{self, Mark};
use crate::store::MODEL_FILE;
use crate::table::{self, ReadError, Table};
use linkwork_dae::system::Channel;
use linkwork_mbs::{Model, text};
use std::path::{Component, Path};

/// A part as a page shows it.
struct Shown<'a> {
    name: &'a str,
    model: Option<&'a Model>,
    table: &'a Table,
    marks: Vec<Mark>,
}

/// The page of a co-simulation. Meshes are looked for in `folder`.
pub fn of_cosim(run: &CoupledRun, system: &CoupledSystem, source: Source, folder: &Path) -> Page {
    let models = system.models().map(|(_, model)| model);
    let parts = run.parts.iter().zip(models).map(|(part, model)| Shown {
        name: &part.name,
        model: Some(model),
        table: &part.table,
        marks: part.events.happenings.iter().map(Mark::from).collect(),
    });
    let parts: Vec<Shown<'_>> = parts.collect();
    let left_out = run.parts.iter().map(|p| p.events.left_out).sum();
    let mut page = together(parts, vec![source], folder, left_out);
    page.title = run.name.clone();
    page.verdict = run.verdict.word().to_string();
    page.tone = tone(run.verdict);
    page.doubts = told(&run.doubts);
    page.notes.extend(told(&run.notes));
    page.failure = run.failure.as_ref().map(ToString::to_string);
    page.summary = object(&CosimSummary::new(run, &[]).to_json());
    page.coupling = Some(Columns::new(&run.coupling, None));
    page
}

/// Whether a directory holds the results of a co-simulation.
pub fn is_coupled(dir: &Path) -> bool {
    dir.join(COUPLING_FILE).is_file()
}

/// The page of the results of a co-simulation on disk; the summary names their parts.
pub fn of_coupled_results(dir: &Path, summary: serde_json::Value) -> Result<Page, ReadError> {
    let names = summary.get("subsystems").and_then(|v| v.as_array());
    let names = names.into_iter().flatten();
    // a summary may come from anywhere, and names folders in this one only
    let plain = |name: &&str| {
        Path::new(name)
            .components()
            .eq([Component::Normal(name.as_ref())])
    };
    let names = names.filter_map(|p| p.get("name")?.as_str()).filter(plain);
    let names: Vec<&str> = names.collect();
    let coupling = table::read(&dir.join(COUPLING_FILE))?;
    let read = |file: &Path| std::fs::read_to_string(file).ok();
    let mut parts = Vec::new();
    for name in &names {
        let own = dir.join(name);
        // parts whose model later versions do not read still have plots
        let document = read(&own.join(MODEL_FILE)).and_then(|text| text::read(&text).ok());
        parts.push((*name, table::read(&own)?, document, events::read(&own)));
    }
    let parts = parts.iter().map(|(name, table, document, marks)| Shown {
        name,
        model: document.as_ref().map(|d| &d.model),
        table,
        marks: marks.clone(),
    });
    let sources = read(&dir.join(SYSTEM_FILE)).map(|text| Source {
        name: SYSTEM_FILE.to_string(),
        text,
        ..Source::default()
    });
    let mut page = together(parts.collect(), sources.into_iter().collect(), dir, 0);
    let title = summary.get("system").and_then(|v| v.as_str());
    let name = dir.file_name().map(|n| n.to_string_lossy().into_owned());
    page.title = title.map_or_else(|| name.unwrap_or_default(), str::to_string);
    page.judged(summary);
    page.coupling = Some(Columns::new(&coupling, None));
    Ok(page)
}

/// Scenes, texts, tables and events of all parts; names of a part are preceded by its own.
fn together(parts: Vec<Shown<'_>>, mut sources: Vec<Source>, folder: &Path, left_out: u64) -> Page {
    let mut notes = Vec::new();
    let (mut scenes, mut marks) = (Vec::new(), Vec::new());
    let table = joined(&parts);
    for part in parts {
        if let Some(model) = part.model {
            sources.push(Source {
                name: part.name.to_string(),
                text: text::write(model),
                prefix: format!("{}.", part.name),
            });
            let scene = Scene::new(model, folder, &mut notes);
            scenes.push((format!("{}.", part.name), scene));
        }
        marks.extend(part.marks.into_iter().map(|mark| Mark {
            name: format!("{}.{}", part.name, mark.name),
            ..mark
        }));
    }
    marks.sort_by(|a, b| a.t.total_cmp(&b.t));
    let scene = Scene::join(scenes);
    let mut page = Page {
        what: "cosim",
        notes,
        sources,
        table: Some(Columns::new(&table, Some(&scene))),
        scene: Some(scene),
        version: env!("CARGO_PKG_VERSION"),
        ..Page::default()
    };
    page.mark(marks, left_out);
    page
}

/// The channels of all parts at the times of the longest; parts are kept at the same times, and what
/// one of them has not reached stays empty.
fn joined(parts: &[Shown<'_>]) -> Table {
    let channels = parts.iter().flat_map(|p| {
        let named = |c: &Channel| Channel::new(format!("{}.{}", p.name, c.name), c.unit.clone());
        p.table.channels().iter().map(named)
    });
    let channels: Vec<Channel> = channels.collect();
    let mut table = Table::new(&channels);
    let longest = parts.iter().max_by_key(|p| p.table.times().len());
    let times = longest.map_or(&[][..], |p| p.table.times());
    let mut row = vec![f64::NAN; channels.len()];
    for (i, t) in times.iter().enumerate() {
        let values = parts.iter().flat_map(|p| {
            let known = p.table.times().get(i) == Some(t);
            (p.table.columns().iter()).map(move |c| if known { c[i] } else { f64::NAN })
        });
        for (slot, value) in row.iter_mut().zip(values) {
            *slot = value;
        }
        table.push(*t, &row);
    }
    table
}
