//! From model to text. Numbers are written in SI units with all their digits, points in body
//! frames, so reading the text gives back the same model.

use std::fmt::Write;

use super::Simulation;
use super::tree::{Content, Value as Node};
use crate::expr::Constant;
use crate::field::Value;
use crate::handle::BodyRef;
use crate::model::Model;
use crate::sensor::Sensor;
use crate::spatial::{self, Mechanism};
use crate::units::is_unit;

/// The model as text.
pub fn write(model: &Model) -> String {
    write_document(model, &Simulation::default())
}

/// The model and its `[simulation]` table as text.
pub(super) fn write_document(model: &Model, simulation: &Simulation) -> String {
    let mut page = Page {
        text: String::new(),
    };
    page.header("[model]");
    page.key("name", &text(&model.name));
    match &model.spatial {
        Some(mechanism) => {
            page.line("planar", "false");
            page.key("gravity", &Value::Vector3(mechanism.gravity));
            if mechanism.rotation != spatial::Rotation::default() {
                page.key("rotation", &text(mechanism.rotation.name()));
            }
        }
        None => page.key("gravity", &Value::Vector(model.gravity)),
    }
    if model.start_time != 0.0 {
        page.key("start_time", &Value::Number(model.start_time));
    }
    if let Some(length) = model.length {
        page.key("length", &Value::Number(length));
    }
    for body in &model.bodies {
        page.item("body", &body.name, body.kind());
        page.keys(&body.fields());
    }
    for joint in &model.joints {
        page.item("joint", &joint.name, joint.joint.kind());
        page.ends(model, joint.a, joint.b);
        page.keys(&joint.joint.fields());
    }
    for force in &model.forces {
        page.item("force", &force.name, force.force.kind());
        if force.force.is_external() {
            page.key("body_b", &body_name(model, force.b));
        } else {
            page.ends(model, force.a, force.b);
        }
        page.keys(&force.force.fields());
    }
    for sensor in &model.sensors {
        page.sensor(model, &sensor.name, &sensor.sensor);
    }
    if let Some(mechanism) = &model.spatial {
        page.mechanism(mechanism);
    }
    for control in &model.controls {
        page.item("control", &control.name, control.control.kind());
        page.keys(&control.control.fields());
        if control.scale != 1.0 {
            page.key("scale", &Value::Number(control.scale));
        }
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
        page.header("[simulation]");
        for entry in &table.entries {
            page.line(&key_text(&entry.key), &node_text(&entry.value));
        }
    }
    page.text
}

fn text(s: &str) -> Value {
    Value::Text(s.to_string())
}

fn body_name(model: &Model, body: BodyRef) -> Value {
    text(model.body(body).map_or("ground", |b| &b.name))
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

    fn key(&mut self, key: &str, value: &Value) {
        self.line(key, &value.to_string());
    }

    fn keys(&mut self, fields: &[(&'static str, Value)]) {
        for (key, value) in fields {
            self.key(key, value);
        }
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

    /// The items of a model in space.
    fn mechanism(&mut self, m: &Mechanism) {
        let name = |body: BodyRef| text(m.body(body).map_or("ground", |b| &b.name));
        for body in &m.bodies {
            self.item("body", &body.name, body.kind());
            self.keys(&body.fields());
        }
        for j in &m.joints {
            self.item("joint", &j.name, j.joint.kind());
            self.key("body_a", &name(j.a));
            self.key("body_b", &name(j.b));
            self.keys(&j.joint.fields());
        }
        for f in &m.forces {
            self.item("force", &f.name, f.force.kind());
            if !f.force.is_external() {
                self.key("body_a", &name(f.a));
            }
            self.key("body_b", &name(f.b));
            self.keys(&f.force.fields());
        }
        for s in &m.sensors {
            self.item("sensor", &s.name, s.sensor.kind());
            let (a, b) = s.sensor.bodies();
            if let spatial::Sensor::Point { body, .. } | spatial::Sensor::Velocity { body, .. } =
                s.sensor
            {
                self.key("body", &name(body));
            } else {
                self.key("body_a", &name(a));
                self.key("body_b", &name(b));
            }
            self.keys(&s.sensor.fields());
        }
    }

    fn sensor(&mut self, model: &Model, name: &str, sensor: &Sensor) {
        match sensor {
            Sensor::Point { body, point } => {
                self.item("sensor", name, "point");
                self.key("body", &body_name(model, *body));
                self.key("point", &Value::Vector(point.point));
            }
            Sensor::Distance {
                a,
                point_a,
                b,
                point_b,
            } => {
                self.item("sensor", name, "distance");
                self.ends(model, *a, *b);
                self.key("point_a", &Value::Vector(point_a.point));
                self.key("point_b", &Value::Vector(point_b.point));
            }
            Sensor::Angle { a, b } => {
                self.item("sensor", name, "angle");
                self.ends(model, *a, *b);
            }
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
