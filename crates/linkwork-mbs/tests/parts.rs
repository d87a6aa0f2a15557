//! Every table of model text has one list of keys: what it draws is written, read again unchanged and written
//! the same, and what it does not list is refused with part, key and line.

mod numbers;

use linkwork_mbs::body::BODIES;
use linkwork_mbs::control::{CONTROL_KEYS, CONTROLS};
use linkwork_mbs::event::{Action, EVENTS};
use linkwork_mbs::expr::Formula;
use linkwork_mbs::field::{Key, Value};
use linkwork_mbs::force::{FORCES, MAX_INPUTS, MAX_STATES, MAX_SWITCHES};
use linkwork_mbs::joint::{BODY_KEYS, JOINTS, MAX_ROWS, MAX_TURNS};
use linkwork_mbs::material::MATERIAL;
use linkwork_mbs::model::Axes;
use linkwork_mbs::part::{Entry, Part};
use linkwork_mbs::section::SECTIONS;
use linkwork_mbs::sensor::SENSORS;
use linkwork_mbs::shape::{SHAPE_KEYS, SHAPES};
use linkwork_mbs::text::tree::Table;
use linkwork_mbs::text::{BEAM, BodyNames, Fields, MARKER, MODEL, PLANAR_MARKER};
use linkwork_mbs::{Body, BodyRef, Model, text};
use numbers::draws;
use std::fmt::Debug;

/// The keys of a part as TOML.
fn lines(fields: &[(&'static str, Value)]) -> String {
    let line = |(key, value): &(&str, Value)| format!("{key} = {value}\n");
    fields.iter().map(line).collect()
}

fn again(model: &Model) -> Model {
    let written = text::write(model);
    let read = text::read(&written).unwrap_or_else(|e| panic!("{e:#?}\n{written}"));
    assert_eq!(text::write(&read.model), written);
    read.model
}

/// Kinds of a registry are unique and know their names, which `kind` tells.
fn named<P: Part + ?Sized>(registry: &[Entry<P>], kind: impl Fn(&P) -> &'static str) {
    for (i, e) in registry.iter().enumerate() {
        assert!(registry[..i].iter().all(|o| o.kind != e.kind));
        let part = e.example_of(&mut draws(3), Some(Formula::constant(1.0)));
        assert_eq!(kind(&part), e.kind);
    }
}

#[test]
fn kinds_are_unique_and_match_their_instances() {
    named(JOINTS, |joint| {
        assert!(joint.rows() + joint.velocity_rows() <= MAX_ROWS);
        assert!(joint.turns() <= MAX_TURNS);
        joint.kind()
    });
    named(FORCES, |force| {
        assert!(force.turns() <= MAX_TURNS && force.inputs().len() <= MAX_INPUTS);
        assert!(force.states().len() <= MAX_STATES);
        assert!(force.switches().len() <= MAX_SWITCHES);
        force.kind()
    });
    named(SENSORS, |sensor| sensor.kind());
    named(CONTROLS, |control| {
        assert_eq!(control.check(), Ok(()));
        control.kind()
    });
}

#[test]
fn every_body_is_read_back_as_it_was_written() {
    for round in 0..20 {
        for entry in BODIES {
            for axes in [Axes::Space, Axes::Plane] {
                if entry.kind_in(axes).is_none() {
                    continue;
                }
                let mut body = entry.example(&mut draws(round)).body;
                body.name = "part".into();
                if entry.kind.starts_with("planar_") && entry.kind != "planar_bead" {
                    // its angle is kept as a quaternion, which rounds
                    body.orientation = [1.0, 0.0, 0.0, 0.0];
                }
                assert_eq!(body.check(), Ok(()), "{} {round}", entry.kind);
                if axes == Axes::Plane {
                    body.position[2] = 0.0;
                    body.centre_of_mass[2] = 0.0;
                }
                let mut model = Model {
                    axes,
                    ..Model::default()
                };
                model.add_body(body.clone());
                let read = again(&model);
                // written from the centre of mass
                let body = body.clone().at(body.centre()).centred([0.0; 3]);
                assert_eq!(read.bodies, [body], "{} {round}", entry.kind);
            }
        }
    }
}

#[test]
fn every_head_is_read_back_as_it_was_written() {
    for round in 0..40 {
        let mut model = *MODEL.example(&mut draws(round));
        model.add_body(Body::bead("bob", 1.0));
        let read = again(&model);
        assert_eq!(format!("{read:?}"), format!("{model:?}"));
    }
}

#[test]
fn every_event_is_read_back_as_it_was_written() {
    for round in 0..8 {
        for entry in EVENTS {
            let mut model = Model::planar("model");
            let rod = model.add_body(Body::planar("rod", 1.0, 1.0));
            let mut event = *entry.example(&mut draws(round));
            event.name = "part".into();
            match &mut event.action {
                Action::Stop | Action::Row => {}
                Action::Set { input, .. } => {
                    let inputs = CONTROLS.iter().find(|e| e.kind == "input").unwrap();
                    *input = "signal".into();
                    model.add_control("signal", inputs.example(&mut draws(round)));
                }
                Action::Lock { joint: name } | Action::Release { joint: name } => {
                    *name = "brake".into();
                    let kind = JOINTS.iter().find(|e| e.kind == "dry_friction").unwrap();
                    let table = Table::parse("coulomb = 2.0").unwrap();
                    let brake = kind.read(&Fields::section("joint", &table).planar(true));
                    let brake = brake.unwrap_or_else(|e| panic!("{e:#?}"));
                    model.add_joint("brake", BodyRef::GROUND, rod, brake);
                }
                Action::Reverse { joint: name, .. } => {
                    *name = "pin".into();
                    let kind = JOINTS.iter().find(|e| e.kind == "revolute").unwrap();
                    let table = Table::parse("at = [0, 0]").unwrap();
                    let pin = kind.read(&Fields::section("joint", &table).planar(true));
                    let pin = pin.unwrap_or_else(|e| panic!("{e:#?}"));
                    model.add_joint("pin", BodyRef::GROUND, rod, pin);
                }
            }
            model.events.push(event.clone());
            let written = text::write(&model);
            let document = text::read(&written).unwrap_or_else(|e| panic!("{e:#?}\n{written}"));
            assert_eq!(document.model.events, [event], "{written}");
        }
    }
}

/// Draws a part, writes its table, and reads it once more.
fn survives<P: Part + PartialEq + Debug>(entry: &Entry<P>, stock: &str, section: &str) {
    for round in 0..20 {
        let part = entry.example(&mut draws(round));
        let fields = part.fields();
        assert!(part.check().is_ok(), "{} {round}", entry.kind);
        // in a whole model, with all that its reader looks at
        let kind = match section == entry.kind {
            true => String::new(),
            false => format!("kind = \"{}\"\n", entry.kind),
        };
        let table = format!("name = \"part\"\n{kind}{}", lines(&fields));
        let model = format!("[model]\nplanar = false\n{BODY}{stock}[[{section}]]\n{table}");
        text::read(&model).unwrap_or_else(|e| panic!("{e:#?}\n{model}"));
        // and by itself, where nothing looks things up by their names
        if fields.iter().any(|(key, _)| *key == "section") {
            continue;
        }
        let table = Table::parse(&table).unwrap();
        let bodies = BodyNames::new(vec!["text".to_string()]);
        let fields = Fields::item(section, &table, &bodies).unwrap();
        let read = entry.read(&fields).unwrap_or_else(|e| panic!("{e:#?}"));
        assert_eq!(read, part, "{} {round}", entry.kind);
    }
}

const BODY: &str = "[[body]]\nname = \"text\"\nmass = 1\ninertia = 1\n";

#[test]
fn every_table_is_read_back_as_it_was_written() {
    SECTIONS.iter().for_each(|e| survives(e, "", "section"));
    survives(&MATERIAL, "", "material");
    survives(&MARKER, "", "marker");
    let stock = "[[section]]\nname = \"section\"\nkind = \"circle\"\ndiameter = 0.1\n\
                 [[material]]\nname = \"material\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n";
    survives(&BEAM, stock, "beam");
}

/// A misspelt key of a table: told with the table, the key, its line and what was meant.
fn told(section: &str, kind: Option<&str>, planar: bool, keys: &[Key]) {
    let Some(key) = keys.iter().map(|k| k.name).find(|name| name.len() > 3) else {
        panic!("{section} {kind:?} has no key");
    };
    let wrong = format!("{key}z");
    let head = format!("[model]\nplanar = {planar}\n");
    let (source, title) = match section {
        "model" => (format!("{head}{wrong} = 1\n"), "[model]".to_string()),
        _ => {
            let kind = kind.map_or(String::new(), |kind| format!("kind = \"{kind}\"\n"));
            let table = format!("[[{section}]]\nname = \"part\"\n{kind}{wrong} = 1\n");
            (format!("{head}{table}"), format!("{section} `part`"))
        }
    };
    let errors = text::read(&source).expect_err(&source);
    let error = errors
        .iter()
        .find(|e| e.message.contains(&format!("unknown key `{wrong}`")))
        .unwrap_or_else(|| panic!("{errors:#?}\n{source}"));
    assert!(error.message.starts_with(&title), "{error:?}");
    let span = error.span.clone().expect("a place");
    assert_eq!(source[span], wrong, "{source}");
    let label = error.label.as_str();
    assert_eq!(label, format!("did you mean `{key}`?"), "{source}");
}

fn all_told<P: Part + ?Sized>(
    section: &str,
    entries: &[Entry<P>],
    shared: impl Fn(&Entry<P>) -> Vec<Key>,
) {
    for entry in entries {
        for axes in [Axes::Space, Axes::Plane] {
            if let Some(kind) = entry.kind_in(axes) {
                let keys = [shared(entry), entry.keys()].concat();
                told(section, Some(kind), axes == Axes::Plane, &keys);
            }
        }
    }
}

#[test]
fn keys_that_no_list_has_are_refused_with_part_key_and_line() {
    all_told("body", BODIES, |_| Vec::new());
    all_told("joint", JOINTS, |_| BODY_KEYS.to_vec());
    all_told("force", FORCES, |e| e.body_keys().to_vec());
    all_told("sensor", SENSORS, |e| e.body_keys().to_vec());
    all_told("control", CONTROLS, |_| CONTROL_KEYS.to_vec());
    all_told("event", EVENTS, |_| Vec::new());
    all_told("shape", SHAPES, |_| SHAPE_KEYS.to_vec());
    all_told("section", SECTIONS, |_| Vec::new());
    for planar in [true, false] {
        told("model", None, planar, &MODEL.keys());
        told("material", None, planar, &MATERIAL.keys());
        told("beam", None, planar, &BEAM.keys());
    }
    told("marker", None, true, &PLANAR_MARKER.keys());
    told("marker", None, false, &MARKER.keys());
}

#[test]
fn formulas_of_events_are_read_as_they_are_written() {
    let event = EVENTS[0].example(&mut draws(3));
    let written = lines(&event.fields());
    let table = Table::parse(&written).unwrap();
    let read = EVENTS[0].read(&Fields::section("event", &table)).unwrap();
    assert_eq!(*read, *event);
    assert_ne!(read.when, Formula::default());
}
