//! From text to model: every table is read on its own, so one mistake does not hide the next.

use super::head::MODEL;
use super::markers::Markers;
use super::outline::{Outline, Place};
use super::stock::{BEAM, Stock};
use super::tree::Table;
use super::{Document, Fields, SignalUse, Simulation, apply_override, parameters};
use crate::assemble::assemble;
use crate::beam::Beam;
use crate::body::{BODIES, Body, BodyEntry};
use crate::control::{CONTROL_KEYS, CONTROLS, Control, ControlEntry};
use crate::error::ModelError;
use crate::event::{EVENTS, Event, EventEntry};
use crate::expr::Constants;
use crate::field::Key;
use crate::force::{FORCES, Force, ForceEntry};
use crate::handle::BodyRef;
use crate::joint::{BODY_KEYS, JOINTS, Joint, JointEntry, read_bodies};
use crate::material::{MATERIAL, Material};
use crate::model::{Axes, Model};
use crate::part::{Entry, Part};
use crate::section::{SECTIONS, Section, SectionEntry};
use crate::sensor::{SENSORS, Sensor, SensorEntry};
use crate::shape::{SHAPE_KEYS, SHAPES, Shape, ShapeEntry};
use crate::spelling::nearest;
use crate::units::Unit;

/// Reads a model with overrides such as `crank.mass=0.05`; reports as many mistakes as it can find.
pub fn read_with(source: &str, overrides: &[impl AsRef<str>]) -> Result<Document, Vec<ModelError>> {
    let mut tree = Table::parse(source)?;
    let errors: Vec<ModelError> = overrides
        .iter()
        .filter_map(|o| apply_override(&mut tree, o.as_ref()).err())
        .collect();
    read_document(tree, errors)
}

/// Reads a model from a tree that need not come from a text; reports as many mistakes as it can find.
pub fn read_tree(tree: Table) -> Result<Document, Vec<ModelError>> {
    read_document(tree, Vec::new())
}

fn read_document(tree: Table, mut errors: Vec<ModelError>) -> Result<Document, Vec<ModelError>> {
    let mut outline = Outline::new(&tree, &mut errors);
    let parameters = parameters::resolve(outline.parameters, &mut errors);
    let planar = outline.is_planar();
    let stock = read_stock(&outline, planar, &parameters, &mut errors);
    let beams = read_beams(&outline, planar, &parameters, &stock, &mut errors);
    let names = outline.body_names(node_names(&beams));
    let markers = Markers::read(&outline.markers, planar, &names, &parameters, &mut errors);
    let channels = markers.sensors(planar);
    outline.add_sensors(&channels, &mut errors);
    let mut reader = Reader {
        names: &names,
        parameters: &parameters,
        markers: &markers,
        stock: &stock,
        axes: Axes::Plane,
        errors,
        signals: Vec::new(),
    };

    let mut model = outline
        .model
        .map_or_else(|| Model::planar(""), |table| reader.head(table));
    reader.axes = model.axes;
    reader.items(&outline, &beams, &mut model);
    let controls: Vec<_> = outline.controls.iter().map(|t| reader.control(t)).collect();
    let events: Vec<_> = outline.events.iter().map(|t| reader.event(t)).collect();
    let shapes: Vec<_> = outline.shapes.iter().map(|t| reader.shape(t)).collect();

    let mut places = Vec::new();
    if reader.errors.is_empty() {
        for (name, scale, control) in controls.into_iter().flatten() {
            model.add_control(name, control);
            if let Some(last) = model.controls.last_mut() {
                last.scale = scale;
            }
        }
        model.events.extend(events.into_iter().flatten());
        for shape in shapes.into_iter().flatten() {
            model.add_shape(shape);
        }
        places = outline.places();
        for (beam, table) in beams.iter().zip(&outline.beams) {
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
            .extend(assemble(&model).err().map(|e| locate(&places, e)));
    }
    if reader.errors.is_empty() {
        let simulation = Simulation {
            table: outline.simulation.cloned().unwrap_or_default(),
            parameters,
        };
        return Ok(Document {
            model,
            simulation,
            places,
            tree,
        });
    }
    let mut errors = reader.errors;
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
    let outline = Outline::sorted(document, &mut elsewhere);
    let parameters = parameters::resolve(outline.parameters, &mut elsewhere);
    let planar = outline.is_planar();
    let stock = read_stock(&outline, planar, &parameters, &mut elsewhere);
    let beams = read_beams(&outline, planar, &parameters, &stock, &mut elsewhere);
    let names = outline.body_names(node_names(&beams));
    let markers = Markers::read(
        &outline.markers,
        planar,
        &names,
        &parameters,
        &mut elsewhere,
    );
    let mut reader = Reader {
        names: &names,
        parameters: &parameters,
        markers: &markers,
        stock: &stock,
        axes: axes_of(planar),
        errors: Vec::new(),
        signals: Vec::new(),
    };
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
        "marker" => drop(Markers::read(
            &[item],
            planar,
            &names,
            &parameters,
            &mut reader.errors,
        )),
        _ => {}
    }
    let mut errors = reader.errors;
    errors.dedup_by(|b, a| is_same(a, b));
    errors
}

fn axes_of(planar: bool) -> Axes {
    match planar {
        true => Axes::Plane,
        false => Axes::Space,
    }
}

/// Reads sections and materials.
fn read_stock(
    outline: &Outline<'_>,
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
    let sections = outline.sections.iter().map(|table| {
        let section = reader.section(table);
        (name(table), section.unwrap_or_else(Stock::any_section))
    });
    let sections = sections.collect();
    let materials = outline.materials.iter().map(|table| {
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
    outline: &Outline<'_>,
    planar: bool,
    parameters: &Constants,
    stock: &Stock,
    errors: &mut Vec<ModelError>,
) -> Vec<Option<Beam>> {
    let markers = Markers::default();
    let mut reader = Reader::early(&markers, stock, planar, parameters);
    let beams = outline
        .beams
        .iter()
        .map(|table| reader.beam(table))
        .collect();
    errors.append(&mut reader.errors);
    beams
}

fn node_names(beams: &[Option<Beam>]) -> impl Iterator<Item = String> {
    beams.iter().flatten().flat_map(Beam::node_names)
}

/// Complaints about signals that no body, sensor or control gives.
fn unknown_signals(model: &Model, uses: &[SignalUse]) -> Vec<ModelError> {
    let known = model.signals();
    let unknown = uses.iter().filter(|u| !known.contains(&u.name));
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
pub(super) fn locate(places: &[Place], error: ModelError) -> ModelError {
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

/// Name and bodies of a joint, force or sensor.
struct Ends {
    name: String,
    a: BodyRef,
    b: BodyRef,
    further: Vec<BodyRef>,
}

struct Reader<'a> {
    names: &'a [String],
    parameters: &'a Constants,
    markers: &'a Markers<'a>,
    stock: &'a Stock,
    axes: Axes,
    errors: Vec<ModelError>,
    /// Signals that the items read so far have named.
    signals: Vec<SignalUse>,
}

impl<'a> Reader<'a> {
    /// For what is read before bodies are numbered.
    fn early(
        markers: &'a Markers<'a>,
        stock: &'a Stock,
        planar: bool,
        parameters: &'a Constants,
    ) -> Reader<'a> {
        Reader {
            names: &[],
            parameters,
            markers,
            stock,
            axes: axes_of(planar),
            errors: Vec::new(),
            signals: Vec::new(),
        }
    }

    /// Reads bodies, joints, forces and sensors.
    fn items(&mut self, outline: &Outline<'_>, beams: &[Option<Beam>], model: &mut Model) {
        let bodies: Vec<_> = outline.bodies.iter().map(|t| self.body(t)).collect();
        let joints: Vec<_> = outline.joints.iter().map(|t| self.joint(t)).collect();
        let forces: Vec<_> = outline.forces.iter().map(|t| self.force(t)).collect();
        let sensors: Vec<_> = outline.sensors.iter().map(|t| self.sensor(t)).collect();
        if !self.errors.is_empty() {
            return;
        }
        // Without errors nothing was left out, so the indices behind `BodyRef` are right.
        for body in bodies.into_iter().flatten() {
            model.add_body(body);
        }
        let mut pieces = Vec::new();
        for beam in beams.iter().flatten() {
            pieces.extend(beam.pieces(model.bodies.len()));
            model.bodies.extend(beam.bodies(model.axes));
        }
        for (at, item) in joints.into_iter().flatten() {
            model.add_joint_of(at.name, [at.a, at.b], &at.further, item);
        }
        for (at, item) in forces.into_iter().flatten() {
            model.add_force(at.name, at.a, at.b, item);
        }
        for (name, a, b, element) in pieces {
            model.add_force(name, a, b, element);
        }
        for (at, item) in sensors.into_iter().flatten() {
            model.add_sensor(at.name, at.a, at.b, item);
        }
    }

    fn head(&mut self, table: &Table) -> Model {
        let fields = Fields::section("model", table).knowing(self.parameters);
        fields.allow(MODEL.keys().iter().map(|k| k.name));
        // what is wrong with it is told by its own reading
        let planar = fields.flag_or("planar", true).unwrap_or(true);
        let fields = fields.planar(planar);
        let model = MODEL.read(&fields);
        self.errors.extend(fields.unknown_keys());
        let axes = axes_of(planar);
        model.map_or_else(
            |errors| {
                self.errors.extend(errors);
                Model {
                    axes,
                    ..Model::default()
                }
            },
            |model| *model,
        )
    }

    fn body(&mut self, table: &Table) -> Option<Body> {
        let default = BODIES.iter().find_map(|e| e.kind_in(self.axes));
        self.item("body", table, BODIES, default, |fields, entry| {
            let mut body = entry.read(fields)?.body;
            body.name = fields.name().to_string();
            Ok(body)
        })
    }

    fn joint(&mut self, table: &Table) -> Option<(Ends, Box<dyn Joint>)> {
        self.item("joint", table, JOINTS, None, |fields, entry| {
            Ok((ends(fields).map_err(alone)?, entry.read(fields)?))
        })
    }

    fn force(&mut self, table: &Table) -> Option<(Ends, Box<dyn Force>)> {
        self.item("force", table, FORCES, None, |fields, entry| {
            let force = entry.read(fields)?;
            if force.is_external() && fields.has("body_a") {
                let message = format!("a {} acts on `body_b` alone", entry.kind);
                let error = fields.error("body_a", message);
                return Err(vec![error.with_label("has no meaning here")]);
            }
            Ok((ends(fields).map_err(alone)?, force))
        })
    }

    fn sensor(&mut self, table: &Table) -> Option<(Ends, Box<dyn Sensor>)> {
        self.item("sensor", table, SENSORS, None, |fields, entry| {
            let sensor = entry.read(fields)?;
            let bodies = match sensor.is_single() {
                true => fields.body("body").map(|b| (BodyRef::GROUND, b)),
                false => read_bodies(fields),
            };
            let (a, b) = bodies.map_err(alone)?;
            let name = fields.name().to_string();
            Ok((
                Ends {
                    name,
                    a,
                    b,
                    further: Vec::new(),
                },
                sensor,
            ))
        })
    }

    fn control(&mut self, table: &Table) -> Option<(String, f64, Box<dyn Control>)> {
        self.item("control", table, CONTROLS, None, |fields, entry| {
            let scale = fields.positive_or("scale", Unit::None, 1.0);
            let name = fields.name().to_string();
            Ok((name, scale.map_err(alone)?, entry.read(fields)?))
        })
    }

    fn event(&mut self, table: &Table) -> Option<Event> {
        self.item("event", table, EVENTS, None, |fields, entry| {
            let mut event = *entry.read(fields)?;
            event.name = fields.name().to_string();
            Ok(event)
        })
    }

    fn shape(&mut self, table: &Table) -> Option<Shape> {
        self.item("shape", table, SHAPES, None, |fields, entry| {
            let mut shape = *entry.read(fields)?;
            shape.name = fields.name().to_string();
            shape.body = fields.body("body").map_err(alone)?;
            Ok(shape)
        })
    }

    fn section(&mut self, table: &Table) -> Option<Section> {
        self.item("section", table, SECTIONS, None, |fields, entry| {
            Ok(entry.read(fields)?.section())
        })
    }

    fn material(&mut self, table: &Table) -> Option<Material> {
        let (_, material) = self.plain(table, &MATERIAL)?;
        Some(*material)
    }

    fn beam(&mut self, table: &Table) -> Option<Beam> {
        let (name, draft) = self.plain(table, &BEAM)?;
        Some(Beam { name, ..draft.beam })
    }

    /// Reads one item that has no kinds, with its name.
    fn plain<P: Part>(&mut self, table: &Table, entry: &Entry<P>) -> Option<(String, Box<P>)> {
        let fields = Fields::item(entry.kind, table, &[]);
        let fields = fields.map_err(|e| self.errors.push(e)).ok()?;
        let fields = fields.planar(self.axes == Axes::Plane);
        let fields = fields.knowing(self.parameters).using(self.stock);
        fields.allow(entry.keys().iter().map(|key| key.name));
        let item = entry.read(&fields);
        self.errors.extend(fields.unknown_keys());
        let item = item.map_err(|e| self.errors.extend(e)).ok()?;
        Some((fields.name().to_string(), item))
    }

    /// Reads one item as the kind of the registry that it names.
    fn item<P: Part + ?Sized, T>(
        &mut self,
        section: &str,
        table: &Table,
        registry: &'static [Entry<P>],
        default: Option<&'static str>,
        read: impl FnOnce(&Fields<'_>, &'static Entry<P>) -> Result<T, Vec<ModelError>>,
    ) -> Option<T>
    where
        Entry<P>: Family,
    {
        let (axes, names, markers, stock) = (self.axes, self.names, self.markers, self.stock);
        let fields = Fields::item(section, table, names);
        let parameters = self.parameters;
        let chosen = fields.and_then(|fields| {
            let fields = fields.planar(axes == Axes::Plane).knowing(parameters);
            let fields = fields.using(stock);
            let kinds: Vec<&'static str> = registry.iter().filter_map(|e| e.kind_in(axes)).collect();
            let kind = fields.choice("kind", &kinds, default).map_err(|e| {
                match fields.optional_text("kind") {
                    Ok(Some(kind)) if registry.iter().any(|e| e.kind_in(axes.other()) == Some(kind)) => {
                        let (sort, planar) = match axes {
                            Axes::Space => ("planar models", true),
                            Axes::Plane => ("models in space", false),
                        };
                        e.with_label(format!("exists in {sort}"))
                            .with_help(format!("models are planar unless [model] says `planar = false`; this kind needs `planar = {planar}`"))
                    }
                    _ => e,
                }
            })?;
            match registry.iter().find(|e| e.kind_in(axes) == Some(kind)) {
                Some(entry) => Ok((fields, entry)),
                None => Err(fields.error("kind", "this kind cannot be read")),
            }
        });
        match chosen {
            Ok((fields, entry)) => {
                let keys = [entry.shared(), &entry.keys()].concat();
                fields.allow(keys.iter().map(|key| key.name));
                let places = ["joint", "force", "sensor"].contains(&section);
                let resolved = match places.then(|| markers.resolve(&fields, table, &keys)) {
                    Some(Err(refused)) => {
                        self.errors.extend(refused.mistake());
                        return None;
                    }
                    resolved => resolved.and_then(Result::ok).flatten(),
                };
                let fields = match &resolved {
                    Some(table) => fields.instead(table),
                    None => fields,
                };
                let item = read(&fields, entry);
                self.errors.extend(fields.unknown_keys());
                self.signals.extend(fields.signal_uses());
                item.map_err(|e| self.errors.extend(e)).ok()
            }
            // Which keys are right depends on the kind, so nothing more can be said.
            Err(e) => {
                self.errors.push(e);
                None
            }
        }
    }
}

/// A mistake on its own.
fn alone(mistake: ModelError) -> Vec<ModelError> {
    vec![mistake]
}

/// Keys that all parts of a registry have beside their own.
trait Family {
    fn shared(&self) -> &'static [Key] {
        &[]
    }
}

impl Family for JointEntry {
    fn shared(&self) -> &'static [Key] {
        BODY_KEYS
    }
}

impl Family for ForceEntry {
    fn shared(&self) -> &'static [Key] {
        BODY_KEYS
    }
}

impl Family for SensorEntry {
    fn shared(&self) -> &'static [Key] {
        self.body_keys()
    }
}

impl Family for ControlEntry {
    fn shared(&self) -> &'static [Key] {
        CONTROL_KEYS
    }
}

impl Family for ShapeEntry {
    fn shared(&self) -> &'static [Key] {
        SHAPE_KEYS
    }
}

impl Family for BodyEntry {}
impl Family for EventEntry {}
impl Family for SectionEntry {}

fn ends(fields: &Fields<'_>) -> Result<Ends, ModelError> {
    let (a, b) = read_bodies(fields)?;
    if a == b {
        return Err(fields
            .error("body_b", "`body_a` and `body_b` are the same")
            .with_label("must differ from `body_a`, which is the ground unless given"));
    }
    Ok(Ends {
        name: fields.name().to_string(),
        a,
        b,
        further: fields.bodies("bodies")?,
    })
}
