//! Items of a model text, each read as the kind of a registry that it names.

use super::axes_of;
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
use crate::section::{Profile, SECTIONS, SectionEntry};
use crate::sensor::{SENSORS, Sensor, SensorEntry};
use crate::shape::{SHAPE_KEYS, SHAPES, Shape, ShapeEntry};
use crate::text::body_names::BodyNames;
use crate::text::head::MODEL;
use crate::text::markers::Markers;
use crate::text::outline::TextOutline;
use crate::text::stock::{BEAM, Stock};
use crate::text::tree::Table;
use crate::text::{Fields, SignalUse};
use crate::units::Unit;

/// Name and bodies of a joint, force or sensor.
pub(super) struct Attached {
    name: String,
    a: BodyRef,
    b: BodyRef,
    further: Vec<BodyRef>,
}

/// Reads items, with what they may name; keeps mistakes.
pub(super) struct Reader<'a> {
    pub names: &'a BodyNames,
    pub parameters: &'a Constants,
    pub markers: &'a Markers<'a>,
    pub stock: &'a Stock,
    pub axes: Axes,
    pub errors: Vec<ModelError>,
    /// Signals that the items read so far have named.
    pub signals: Vec<SignalUse>,
}

impl<'a> Reader<'a> {
    /// For what is read before bodies are numbered.
    pub fn early(
        markers: &'a Markers<'a>,
        stock: &'a Stock,
        planar: bool,
        parameters: &'a Constants,
    ) -> Reader<'a> {
        Reader {
            names: BodyNames::NONE,
            parameters,
            markers,
            stock,
            axes: axes_of(planar),
            errors: Vec::new(),
            signals: Vec::new(),
        }
    }

    /// Reads bodies, joints, forces and sensors.
    pub fn items(&mut self, outline: &TextOutline<'_>, beams: &[Option<Beam>], model: &mut Model) {
        let bodies: Vec<_> = outline.of("body").iter().map(|t| self.body(t)).collect();
        let joints: Vec<_> = outline.of("joint").iter().map(|t| self.joint(t)).collect();
        let forces: Vec<_> = outline.of("force").iter().map(|t| self.force(t)).collect();
        let sensors: Vec<_> = outline
            .of("sensor")
            .iter()
            .map(|t| self.sensor(t))
            .collect();
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
            model.add_force_of(at.name, [at.a, at.b], &at.further, item);
        }
        for (name, a, b, element) in pieces {
            model.add_force(name, a, b, element);
        }
        for (at, item) in sensors.into_iter().flatten() {
            model.add_sensor(at.name, at.a, at.b, item);
        }
    }

    pub fn head(&mut self, table: &Table) -> Model {
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

    pub fn body(&mut self, table: &Table) -> Option<Body> {
        let default = BODIES.iter().find_map(|e| e.kind_in(self.axes));
        self.item("body", table, BODIES, default, |fields, entry| {
            let mut body = entry.read(fields)?.body;
            body.name = fields.name().to_string();
            Ok(body)
        })
    }

    pub fn joint(&mut self, table: &Table) -> Option<(Attached, Box<dyn Joint>)> {
        self.item("joint", table, JOINTS, None, |fields, entry| {
            Ok((ends(fields).map_err(alone)?, entry.read(fields)?))
        })
    }

    pub fn force(&mut self, table: &Table) -> Option<(Attached, Box<dyn Force>)> {
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

    pub fn sensor(&mut self, table: &Table) -> Option<(Attached, Box<dyn Sensor>)> {
        self.item("sensor", table, SENSORS, None, |fields, entry| {
            let sensor = entry.read(fields)?;
            let bodies = match sensor.is_single() {
                true => fields.body("body").map(|b| (BodyRef::GROUND, b)),
                false => read_bodies(fields),
            };
            let (a, b) = bodies.map_err(alone)?;
            let name = fields.name().to_string();
            Ok((
                Attached {
                    name,
                    a,
                    b,
                    further: Vec::new(),
                },
                sensor,
            ))
        })
    }

    pub fn control(&mut self, table: &Table) -> Option<(String, f64, Box<dyn Control>)> {
        self.item("control", table, CONTROLS, None, |fields, entry| {
            let scale = fields.positive_or("scale", Unit::None, 1.0);
            let name = fields.name().to_string();
            Ok((name, scale.map_err(alone)?, entry.read(fields)?))
        })
    }

    pub fn event(&mut self, table: &Table) -> Option<Event> {
        self.item("event", table, EVENTS, None, |fields, entry| {
            let mut event = *entry.read(fields)?;
            event.name = fields.name().to_string();
            Ok(event)
        })
    }

    pub fn shape(&mut self, table: &Table) -> Option<Shape> {
        self.item("shape", table, SHAPES, None, |fields, entry| {
            let mut shape = *entry.read(fields)?;
            shape.name = fields.name().to_string();
            shape.body = fields.body("body").map_err(alone)?;
            Ok(shape)
        })
    }

    pub fn section(&mut self, table: &Table) -> Option<Profile> {
        self.item("section", table, SECTIONS, None, |fields, entry| {
            Ok(*entry.read(fields)?)
        })
    }

    pub fn material(&mut self, table: &Table) -> Option<Material> {
        let (_, material) = self.plain(table, &MATERIAL)?;
        Some(*material)
    }

    pub fn beam(&mut self, table: &Table) -> Option<Beam> {
        let (name, draft) = self.plain(table, &BEAM)?;
        Some(Beam { name, ..draft.beam })
    }

    /// Reads one item that has no kinds, with its name.
    fn plain<P: Part>(&mut self, table: &Table, entry: &Entry<P>) -> Option<(String, Box<P>)> {
        let fields = Fields::item(entry.kind, table, BodyNames::NONE);
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
        Entry<P>: SharedKeys,
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
trait SharedKeys {
    fn shared(&self) -> &'static [Key] {
        &[]
    }
}

impl SharedKeys for JointEntry {
    fn shared(&self) -> &'static [Key] {
        BODY_KEYS
    }
}

impl SharedKeys for ForceEntry {
    fn shared(&self) -> &'static [Key] {
        BODY_KEYS
    }
}

impl SharedKeys for SensorEntry {
    fn shared(&self) -> &'static [Key] {
        self.body_keys()
    }
}

impl SharedKeys for ControlEntry {
    fn shared(&self) -> &'static [Key] {
        CONTROL_KEYS
    }
}

impl SharedKeys for ShapeEntry {
    fn shared(&self) -> &'static [Key] {
        SHAPE_KEYS
    }
}

impl SharedKeys for BodyEntry {}
impl SharedKeys for EventEntry {}
impl SharedKeys for SectionEntry {}

fn ends(fields: &Fields<'_>) -> Result<Attached, ModelError> {
    let (a, b) = read_bodies(fields)?;
    if a == b {
        return Err(fields
            .error("body_b", "`body_a` and `body_b` are the same")
            .with_label("must differ from `body_a`, which is the ground unless given"));
    }
    Ok(Attached {
        name: fields.name().to_string(),
        a,
        b,
        further: fields.bodies("bodies")?,
    })
}
