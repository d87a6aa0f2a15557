//! From model to text. Numbers are written in SI units with all their digits, points in body
//! frames, so reading the text gives back the same model.

use std::borrow::Cow;
use std::fmt::Write;

use super::tree::{Content, Table, Value as Node};
use super::{Named, Simulation};
use crate::body::{Body, in_plane};
use crate::expr::Constant;
use crate::field::Value;
use crate::handle::BodyRef;
use crate::model::{Axes, Model};
use crate::part::Part;
use crate::units::is_unit;

/// The model as text.
pub fn write(model: &Model) -> String {
    write_document(model, &Simulation::default())
}

/// The model and its `[simulation]` table as text.
pub(super) fn write_document(model: &Model, simulation: &Simulation) -> String {
    let mut page = Page {
        axes: model.axes,
        text: String::new(),
    };
    page.header("[model]");
    page.keys(&model.head().fields());
    let bodies = page.stock(&model.bodies);
    for body in &bodies {
        page.item("body", &body.name, body.kind_in(model.axes));
        page.keys(&body.draft().fields());
    }
    for joint in &model.joints {
        page.item("joint", &joint.name, joint.joint.kind());
        page.ends(model, joint.a, joint.b);
        page.further(model, &joint.further);
        page.keys(&joint.joint.fields_in(model.axes));
    }
    for force in &model.forces {
        page.item("force", &force.name, force.force.kind());
        if force.force.is_external() {
            page.key("body_b", &body_name(model, force.b));
        } else {
            page.ends(model, force.a, force.b);
        }
        page.further(model, &force.further);
        page.keys(&force.force.fields_in(model.axes));
    }
    for sensor in &model.sensors {
        page.item("sensor", &sensor.name, sensor.sensor.kind());
        match sensor.sensor.is_single() {
            true => page.key("body", &body_name(model, sensor.b)),
            false => page.ends(model, sensor.a, sensor.b),
        }
        page.keys(&sensor.sensor.fields_in(model.axes));
    }
    for control in &model.controls {
        page.item("control", &control.name, control.control.kind());
        page.keys(&control.control.fields());
        if control.scale != 1.0 {
            page.key("scale", &Value::Number(control.scale));
        }
    }
    for event in &model.events {
        page.item("event", &event.name, event.kind());
        page.keys(&event.fields());
    }
    for shape in &model.shapes {
        page.item("shape", &shape.name, shape.kind());
        page.key("body", &body_name(model, shape.body));
        page.keys(&shape.fields());
    }
    let table = &simulation.table;
    let parameters = simulation.parameters.list().iter();
    let named: Vec<_> = parameters
        .filter(|p| table.names_in_a_value(&p.name))
        .collect();
    if !named.is_empty() {
        page.header("[parameters]");
        for p in named {
            page.key(&p.name, &quantity(p));
        }
    }
    if !table.entries.is_empty() {
        page.table("[simulation]", table);
    }
    page.text
}

/// A tree as text, with what was written in it: units, formulas, parameters.
pub fn write_tree(tree: &Table) -> String {
    let mut page = Page {
        axes: Axes::Space,
        text: String::new(),
    };
    for entry in &tree.entries {
        let key = &entry.key;
        match &entry.value.content {
            Content::Table(table) => page.table(&format!("[{key}]"), table),
            Content::List(items) => {
                let tables = items.iter().filter_map(|item| match &item.content {
                    Content::Table(table) => Some(table),
                    _ => None,
                });
                for table in tables {
                    page.table(&format!("[[{key}]]"), table);
                }
            }
            _ => {}
        }
    }
    page.text
}

fn text(s: &str) -> Value {
    Value::Text(s.to_string())
}

fn body_name(model: &Model, body: BodyRef) -> Value {
    let frames = model.body(body).map(|b| b.frames());
    text(
        frames
            .as_ref()
            .map_or("ground", |names| &names[body.frame()]),
    )
}

/// The value of a parameter with its unit; without, if no text stands for it: roots of metres.
fn quantity(parameter: &Constant) -> Value {
    let unit = parameter.dimension.to_string();
    if unit.is_empty() || !is_unit(&unit) {
        return Value::Number(parameter.value);
    }
    Value::Text(format!("{:?} {unit}", parameter.value))
}

struct Page {
    axes: Axes,
    text: String,
}

impl Page {
    fn header(&mut self, header: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(header);
        self.text.push('\n');
    }

    fn line(&mut self, key: &str, value: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{key} = {value}");
    }

    fn table(&mut self, header: &str, table: &Table) {
        self.header(header);
        for entry in &table.entries {
            self.line(&key_text(&entry.key), &node_text(&entry.value));
        }
    }

    /// In planar models vectors have two components, axes along z need no mention, and neither do
    /// forces along it.
    fn key(&mut self, key: &str, value: &Value) {
        if self.axes == Axes::Space {
            return self.line(key, &value.to_string());
        }
        match value {
            Value::Vector([x, y, z]) if [*x, *y] == [0.0; 2] && *z != 0.0 => {}
            Value::Vector([x, y, _]) => self.line(key, &format!("[{x:?}, {y:?}]")),
            Value::Number(0.0) if key == "z" => {}
            Value::Words(words) => {
                let words = words.iter().map(|word| in_plane(word)).collect();
                self.line(key, &Value::Words(words).to_string());
            }
            _ => self.line(key, &value.to_string()),
        }
    }

    fn keys(&mut self, fields: &[(&'static str, Value)]) {
        for (key, value) in fields {
            self.key(key, value);
        }
    }

    /// Sections and materials of straight flexible beams, and the bodies: a beam that calls another section or material by a name
    /// in use is written by its modes.
    fn stock<'m>(&mut self, bodies: &'m [Body]) -> Vec<Cow<'m, Body>> {
        let (mut sections, mut materials) = (Vec::new(), Vec::new());
        let mut written = Vec::new();
        for body in bodies {
            let beam = body.beam();
            let Some(beam) = beam else {
                written.push(Cow::Borrowed(body));
                continue;
            };
            let fits = is_or_becomes_known(&mut sections, &beam.section)
                && is_or_becomes_known(&mut materials, &beam.material);
            written.push(match fits {
                true => Cow::Borrowed(body),
                false => Cow::Owned(body.by_modes()),
            });
        }
        for Named { name, item } in &sections {
            self.item("section", name, item.kind());
            self.keys(&item.fields());
        }
        for Named { name, item } in &materials {
            self.header("[[material]]");
            self.key("name", &text(name));
            self.keys(&item.fields());
        }
        written
    }

    fn item(&mut self, section: &str, name: &str, kind: &str) {
        self.header(&format!("[[{section}]]"));
        self.key("name", &text(name));
        self.key("kind", &text(kind));
    }

    fn ends(&mut self, model: &Model, a: BodyRef, b: BodyRef) {
        self.key("body_a", &body_name(model, a));
        self.key("body_b", &body_name(model, b));
    }

    /// The bodies beyond the first two.
    fn further(&mut self, model: &Model, bodies: &[BodyRef]) {
        if !bodies.is_empty() {
            let names = bodies.iter().map(|body| body_name(model, *body));
            let names: Vec<String> = names.map(|name| name.to_string()).collect();
            self.line("bodies", &format!("[{}]", names.join(", ")));
        }
    }
}

/// Whether a thing can be called by its name among others, which it joins.
fn is_or_becomes_known<T: Clone + PartialEq>(list: &mut Vec<Named<T>>, one: &Named<T>) -> bool {
    match list.iter().find(|known| known.name == one.name) {
        Some(known) => known == one,
        None => {
            list.push(one.clone());
            true
        }
    }
}

fn key_text(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) {
        key.to_string()
    } else {
        text(key).to_string()
    }
}

fn node_text(node: &Node) -> String {
    match &node.content {
        Content::Text(s) => text(s).to_string(),
        Content::Number(x) => Value::Number(*x).to_string(),
        Content::Flag(b) => b.to_string(),
        Content::Date(d) => d.clone(),
        Content::List(list) => {
            let items: Vec<String> = list.iter().map(node_text).collect();
            format!("[{}]", items.join(", "))
        }
        Content::Table(table) => {
            let items: Vec<String> = table
                .entries
                .iter()
                .map(|e| format!("{} = {}", key_text(&e.key), node_text(&e.value)))
                .collect();
            format!("{{ {} }}", items.join(", "))
        }
    }
}
