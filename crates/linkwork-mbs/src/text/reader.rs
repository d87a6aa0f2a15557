//! From text to model: every table is read on its own, so one mistake does not hide the next.

mod items;

use super::body_names::BodyNames;
use super::markers::Markers;
use super::outline::{Header, TextOutline};
use super::stock::Stock;
use super::tree::Table;
use super::{Document, SignalUse, Simulation, apply_override, parameters};
use crate::assemble::refusal;
use crate::beam::Beam;
use crate::control::Input;
use crate::error::ModelError;
use crate::expr::{Constants, Formula};
use crate::model::{Axes, Model};
use crate::spelling::nearest;
use items::Reader;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Reads a model with overrides such as `crank.mass=0.05`; reports as many mistakes as it can find.
pub fn read_with(source: &str, overrides: &[impl AsRef<str>]) -> Result<Document, Vec<ModelError>> {
    let mut tree = Table::parse(source)?;
    let errors: Vec<ModelError> = overrides
        .iter()
        .filter_map(|o| apply_override(&mut tree, o.as_ref()).err())
        .collect();
    read_tree_with(tree, errors)
}

/// Reads a model from a tree that need not come from a text; reports as many mistakes as it can find.
pub fn read_tree(tree: Table) -> Result<Document, Vec<ModelError>> {
    read_tree_with(tree, Vec::new())
}

/// The same with mistakes that are known already.
pub fn read_tree_with(
    tree: Table,
    mut errors: Vec<ModelError>,
) -> Result<Document, Vec<ModelError>> {
    let mut outline = TextOutline::new(&tree, &mut errors);
    let around = Surroundings::read(&outline, &mut errors);
    let markers = around.markers(outline.of("marker"), &mut errors);
    let channels = markers.sensors(around.planar);
    outline.add_sensors(&channels, &mut errors);
    let mut reader = around.reader(&markers);
    reader.errors = errors;

    let mut model = outline
        .model
        .map_or_else(|| Model::planar(""), |table| reader.head(table));
    reader.axes = model.axes;
    reader.items(&outline, &around.beams, &mut model);
    let controls: Vec<_> = outline
        .of("control")
        .iter()
        .map(|t| reader.control(t))
        .collect();
    let events: Vec<_> = outline
        .of("event")
        .iter()
        .map(|t| reader.event(t))
        .collect();
    let shapes: Vec<_> = outline
        .of("shape")
        .iter()
        .map(|t| reader.shape(t))
        .collect();

    let mut places = Vec::new();
    if reader.errors.is_empty() {
        for (name, scale, control) in controls.into_iter().flatten() {
            model.add_control(name, control);
            if let Some(last) = model.controls.last_mut() {
                last.scale = scale;
            }
        }
        for set in around
            .parameters
            .list()
            .iter()
            .filter(|p| p.set_by.is_some())
        {
            let value = Formula::constant(set.value);
            model.add_control(set.name.clone(), Input { value });
        }
        model.events.extend(events.into_iter().flatten());
        for shape in shapes.into_iter().flatten() {
            model.add_shape(shape);
        }
        places = outline.places();
        for (beam, table) in around.beams.iter().zip(outline.of("beam")) {
            let pieces = beam.iter().flat_map(|b| b.pieces(0));
            let names = pieces.map(|(name, ..)| name);
            let nodes = beam.iter().flat_map(Beam::node_names);
            places.extend(names.chain(nodes).map(|name| (name, table.span.clone())));
        }
        let unknown = unknown_signals(&model, &reader.signals);
        reader.errors.extend(unknown);
    }
    if reader.errors.is_empty() {
        // What remains can be seen only with all parts in place, such as a hinge on a point mass.
        reader
            .errors
            .extend(refusal(&model).map(|e| locate(&places, e)));
    }
    let mut errors = reader.errors;
    if errors.is_empty() {
        let simulation = Simulation {
            table: outline.simulation.cloned().unwrap_or_default(),
            parameters: around.parameters,
        };
        return Ok(Document {
            model,
            simulation,
            places,
            tree,
            index: OnceLock::new(),
        });
    }
    errors.sort_by_key(|e| e.span.as_ref().map_or(usize::MAX, |s| s.start));
    errors.dedup_by(|b, a| is_same(a, b));
    Err(errors)
}

/// Whether two complaints are about one mistake.
fn is_same(a: &ModelError, b: &ModelError) -> bool {
    match &a.span {
        Some(_) => a.span == b.span,
        None => a.message == b.message && b.span.is_none(),
    }
}

/// Mistakes of one item by itself, as the reader of the whole would find them: its name, its keys and
/// their values. The document does not have it yet; what it says of signals is not looked at.
pub fn check_item(document: &Table, section: &str, item: &Table) -> Vec<ModelError> {
    // mistakes of other parts are told when the whole is read
    let mut elsewhere = Vec::new();
    let outline = TextOutline::sorted(document, &mut elsewhere);
    let around = Surroundings::read(&outline, &mut elsewhere);
    let markers = around.markers(outline.of("marker"), &mut elsewhere);
    let mut reader = around.reader(&markers);
    reader
        .errors
        .extend(outline.check_name(section, item).err());
    match section {
        "body" => drop(reader.body(item)),
        "joint" => drop(reader.joint(item)),
        "force" => drop(reader.force(item)),
        "sensor" => drop(reader.sensor(item)),
        "control" => drop(reader.control(item)),
        "event" => drop(reader.event(item)),
        "shape" => drop(reader.shape(item)),
        "section" => drop(reader.section(item)),
        "material" => drop(reader.material(item)),
        "beam" => drop(reader.beam(item)),
        "model" => drop(reader.head(item)),
        "marker" => drop(around.markers(&[item], &mut reader.errors)),
        _ => {}
    }
    let mut errors = reader.errors;
    errors.dedup_by(|b, a| is_same(a, b));
    errors
}

/// What items may name, read before any of them.
struct Surroundings {
    planar: bool,
    parameters: Constants,
    stock: Stock,
    /// Nothing in place of those that could not be read.
    beams: Vec<Option<Beam>>,
    names: BodyNames,
}

impl Surroundings {
    fn read(outline: &TextOutline<'_>, errors: &mut Vec<ModelError>) -> Surroundings {
        let parameters = parameters::resolve(outline, errors);
        let planar = outline.is_planar();
        let stock = read_stock(outline, planar, &parameters, errors);
        let beams = read_beams(outline, planar, &parameters, &stock, errors);
        let nodes = beams.iter().flatten().flat_map(Beam::node_names);
        Surroundings {
            names: BodyNames::new(outline.body_names(nodes)),
            planar,
            parameters,
            stock,
            beams,
        }
    }

    fn markers<'a>(&'a self, tables: &[&'a Table], errors: &mut Vec<ModelError>) -> Markers<'a> {
        Markers::read(tables, self.planar, &self.names, &self.parameters, errors)
    }

    fn reader<'a>(&'a self, markers: &'a Markers<'a>) -> Reader<'a> {
        Reader {
            names: &self.names,
            ..Reader::early(markers, &self.stock, self.planar, &self.parameters)
        }
    }
}

fn axes_of(planar: bool) -> Axes {
    match planar {
        true => Axes::Plane,
        false => Axes::Space,
    }
}

/// Reads sections and materials.
fn read_stock(
    outline: &TextOutline<'_>,
    planar: bool,
    parameters: &Constants,
    errors: &mut Vec<ModelError>,
) -> Stock {
    let (markers, nothing) = (Markers::default(), Stock::default());
    let mut reader = Reader::early(&markers, &nothing, planar, parameters);
    let name = |table: &Table| {
        super::outline::name(table)
            .map_or("", |(name, _)| name)
            .to_string()
    };
    let sections = outline.of("section").iter().map(|table| {
        let section = reader.section(table);
        (name(table), section.unwrap_or_else(Stock::any_section))
    });
    let sections = sections.collect();
    let materials = outline.of("material").iter().map(|table| {
        let material = reader.material(table);
        (name(table), material.unwrap_or_else(Stock::any_material))
    });
    let materials = materials.collect();
    errors.append(&mut reader.errors);
    Stock {
        sections,
        materials,
    }
}

/// Reads beams; nothing in place of those that could not be read.
fn read_beams(
    outline: &TextOutline<'_>,
    planar: bool,
    parameters: &Constants,
    stock: &Stock,
    errors: &mut Vec<ModelError>,
) -> Vec<Option<Beam>> {
    let markers = Markers::default();
    let mut reader = Reader::early(&markers, stock, planar, parameters);
    let beams = outline
        .of("beam")
        .iter()
        .map(|table| reader.beam(table))
        .collect();
    errors.append(&mut reader.errors);
    beams
}

/// Complaints about signals that no body, sensor or control gives.
fn unknown_signals(model: &Model, uses: &[SignalUse]) -> Vec<ModelError> {
    let known = model.signals();
    let names: BTreeSet<&String> = known.iter().collect();
    let unknown = uses.iter().filter(|u| !names.contains(&u.name));
    unknown
        .map(|u| {
            let near = nearest(&u.name, known.iter().map(String::as_str));
            let label = match near {
                Some(name) => format!("did you mean `{name}`?"),
                None => "not known".into(),
            };
            ModelError::new(format!("{}: there is no signal `{}`", u.by, u.name))
                .of(named(&u.by).next().unwrap_or(""), None)
                .at(u.span.clone())
                .with_label(label)
                .with_help(
                    "signals are coordinates of bodies (`arm.angle`, `arm.angle.velocity`), sensors and controls",
                )
        })
        .collect()
}

/// Points an error without a place at the first item that its message names.
pub(super) fn locate(places: &[Header], error: ModelError) -> ModelError {
    if error.span.is_some() {
        return error;
    }
    let found = named(&error.message).find_map(|word| places.iter().find(|(name, _)| name == word));
    match found {
        Some((name, span)) => error.of(name, None).at(span.clone()),
        None => error,
    }
}

/// What a message has in quotes.
fn named(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}
