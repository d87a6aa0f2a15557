//! The registries as Python sees them: element methods, keywords, documentation and stubs are made from
//! this.

use linkwork::catalogue::{MODELS, SYSTEMS};
use linkwork::cosim::COSIM_OPTIONS;
use linkwork::mbs::body::BODIES;
use linkwork::mbs::control::{CONTROL_KEYS, CONTROLS};
use linkwork::mbs::field::{Form, Key};
use linkwork::mbs::force::FORCES;
use linkwork::mbs::joint::{BODY_KEYS, JOINTS};
use linkwork::mbs::model::Axes;
use linkwork::mbs::sensor::SENSORS;
use linkwork::mbs::shape::{SHAPE_KEYS, SHAPES};
use linkwork::mbs::text::{self, MARKER, MODEL, PLANAR_MARKER};
use linkwork::mbs::{Body, BodyRef, Formula, Model};
use linkwork::options::{OPTIONS, Opt, Usual};
use linkwork_problems::PROBLEMS;
use linkwork_problems::reproduce::STUDIES;
use pyo3::prelude::*;
use serde_json::{Value, json};

fn form(form: Form) -> &'static str {
    match form {
        Form::Number => "number",
        Form::Vector => "vector",
        Form::Direction => "direction",
        Form::Formula => "formula",
        Form::Curve => "curve",
        Form::List => "list",
        Form::Word => "word",
        Form::Flag => "flag",
        Form::Words => "words",
    }
}

fn key(key: &Key) -> Value {
    json!({
        "name": key.name,
        "form": form(key.form),
        "unit": key.unit.symbol(),
        "default": key.default.map(|d| d.to_string()),
        "doc": key.doc,
    })
}

fn keys(lists: &[&[Key]]) -> Vec<Value> {
    let mut all: Vec<&Key> = Vec::new();
    for list in lists.iter().copied().flatten() {
        if all.iter().all(|k| k.name != list.name) {
            all.push(list);
        }
    }
    all.into_iter().map(key).collect()
}

/// A kind with its keys; those with places take markers in their stead.
fn kind(kind: &str, summary: &str, lists: &[&[Key]], planar: Option<&str>, places: bool) -> Value {
    let mut keys = keys(lists);
    let has = |name: &str| lists.iter().copied().flatten().any(|k| k.name == name);
    if places {
        let markers: &[&str] = match has("point") {
            true => &["marker"],
            false => &["marker_a", "marker_b"],
        };
        keys.extend(markers.iter().map(|name| {
            json!({
                "name": name,
                "form": "word",
                "unit": "",
                "default": "not used",
                "doc": "A marker in place of a body, a point and directions on it.",
            })
        }));
    }
    json!({"kind": kind, "summary": summary, "planar": planar, "keys": keys})
}

fn option<O>(o: &Opt<O>) -> Value {
    let usual = match o.row.usual {
        Usual::Nothing => None,
        Usual::Value(words) | Usual::Words(words) => Some(words),
    };
    json!({
        "name": o.name,
        "form": form(o.form),
        "unit": o.row.unit.symbol(),
        "default": usual,
        "doc": o.help.trim(),
        "choices": o.row.names(),
    })
}

/// Everything that can be named, as JSON.
#[pyfunction]
pub fn registry() -> String {
    let bodies = BODIES.iter().map(|e| {
        kind(
            e.kind,
            e.summary,
            &[&e.keys()],
            e.kind_in(Axes::Plane),
            false,
        )
    });
    let joints = JOINTS.iter().map(|e| {
        let planar = e.in_plane.then_some(e.kind);
        kind(e.kind, e.summary, &[BODY_KEYS, &e.keys()], planar, true)
    });
    let forces = FORCES.iter().map(|e| {
        let planar = e.in_plane.then_some(e.kind);
        kind(e.kind, e.summary, &[e.body_keys(), &e.keys()], planar, true)
    });
    let sensors = SENSORS.iter().map(|e| {
        let planar = e.in_plane.then_some(e.kind);
        kind(e.kind, e.summary, &[e.body_keys(), &e.keys()], planar, true)
    });
    let controls = CONTROLS.iter().map(|e| {
        kind(
            e.kind,
            e.summary,
            &[&e.keys(), CONTROL_KEYS],
            Some(e.kind),
            false,
        )
    });
    let shapes = SHAPES.iter().map(|e| {
        kind(
            e.kind,
            e.summary,
            &[SHAPE_KEYS, &e.keys()],
            Some(e.kind),
            false,
        )
    });
    json!({
        "kinds": {
            "body": bodies.collect::<Value>(),
            "joint": joints.collect::<Value>(),
            "force": forces.collect::<Value>(),
            "sensor": sensors.collect::<Value>(),
            "control": controls.collect::<Value>(),
            "shape": shapes.collect::<Value>(),
        },
        "model": keys(&[&MODEL.keys()]),
        "marker": keys(&[&MARKER.keys(), &PLANAR_MARKER.keys()]),
        "simulate": OPTIONS.iter().map(option).collect::<Value>(),
        "cosim": COSIM_OPTIONS.iter().map(option).collect::<Value>(),
        "models": MODELS.iter().map(|m| json!([m.name, m.summary()])).collect::<Value>(),
        "systems": SYSTEMS.iter().map(|s| json!([s.name, s.summary()])).collect::<Value>(),
        "problems": PROBLEMS.iter().map(|p| json!([p.name, p.summary])).collect::<Value>(),
        "studies": STUDIES.iter().map(|s| json!([s.id, s.title])).collect::<Value>(),
    })
    .to_string()
}

/// Numbers for examples.
fn draw() -> impl FnMut() -> f64 {
    let mut x = 0.17;
    move || {
        x = (x * 7.3 + 0.37) % 1.0;
        2.0 * x - 1.0
    }
}

/// Section, kind and model text of an example of every joint, force and control.
#[pyfunction]
pub fn examples() -> Vec<(&'static str, &'static str, String)> {
    let stage = || {
        let mut model = Model::new("example").gravity([0.0, -9.81, 0.0]);
        let inertia = [0.03, 0.02, 0.04];
        let a = model.add_body(Body::rigid("a", 1.5, inertia).at([0.0, 0.1, 0.0]));
        let b = model.add_body(Body::rigid("b", 0.7, inertia).at([0.9, 0.2, 0.3]));
        (model, a, b)
    };
    let mut all = Vec::new();
    for e in JOINTS {
        let (mut model, a, b) = stage();
        model.add_joint("part", a, b, e.example(&mut draw()));
        all.push(("joint", e.kind, text::write(&model)));
    }
    for e in FORCES {
        let (mut model, a, b) = stage();
        let force = e.example(&mut draw());
        let a = if force.is_external() {
            BodyRef::GROUND
        } else {
            a
        };
        model.add_force("part", a, b, force);
        all.push(("force", e.kind, text::write(&model)));
    }
    for e in CONTROLS {
        let (mut model, _, _) = stage();
        let input = Formula::parse_with("a.x", &Default::default(), true);
        let input = input.map_or(Formula::constant(1.0), |(formula, _)| formula);
        model.add_control("part", e.example_of(&mut draw(), Some(input)));
        all.push(("control", e.kind, text::write(&model)));
    }
    all
}
