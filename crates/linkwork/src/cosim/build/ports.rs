//! Ports of elements: where they are in a model, and what is added to the model there.

use super::{Draft, Planned, find, suggestion};
use crate::cosim::element::{Element, PortNames};
use crate::cosim::text::{Description, Drive, ElementText, Place};
use linkwork_mbs::control::Input;
use linkwork_mbs::error::ModelError;
use linkwork_mbs::force::{AppliedForce, Torque};
use linkwork_mbs::geometry::{Given, Marker};
use linkwork_mbs::model::Axes;
use linkwork_mbs::sensor::PointSensor;
use linkwork_mbs::{BodyRef, Formula, Model};
use std::sync::Arc;

/// Where an element ends.
pub(super) struct Site {
    subsystem: usize,
    sensor: String,
    body: BodyRef,
    body_name: String,
    point: Marker,
    /// Directions that its model tells.
    axes: usize,
    /// Where it is at the start.
    pub place: [f64; 3],
}

/// The point sensors of a model: name, body, point.
fn points(model: &Model) -> Vec<(&str, BodyRef, Marker)> {
    let sensors = model.sensors.iter();
    let points = sensors.filter_map(|s| match (s.sensor.kind(), s.sensor.markers()) {
        ("point", [_, Some(point)]) => {
            let given = Given::Placed;
            Some((s.name.as_str(), s.b, Marker { point, given }))
        }
        _ => None,
    });
    points.collect()
}

/// The port that a system file names.
pub(super) fn port(
    description: &Description,
    drafts: &[Draft],
    place: &Place,
) -> Result<Site, ModelError> {
    let subsystem = find(description, place)?;
    let model = &drafts[subsystem].model;
    let known = points(model);
    let Some(&(sensor, body, point)) = known.iter().find(|p| p.0 == place.what) else {
        let names: Vec<String> = known.iter().map(|p| format!("`{}`", p.0)).collect();
        let message = format!(
            "subsystem `{}` has no point sensor `{}`",
            place.subsystem, place.what
        );
        let help = if names.is_empty() {
            drafts[subsystem].lacks("a port is a [[sensor]] of kind \"point\"")
        } else {
            format!("its point sensors are {}", names.join(", "))
        };
        return Err(ModelError::new(message)
            .at(place.span.clone())
            .with_label(suggestion(&place.what, known.iter().map(|p| p.0)))
            .with_help(help));
    };
    if sensor.contains('-') || body == BodyRef::GROUND {
        let why = if sensor.contains('-') {
            format!("the name `{sensor}` cannot stand in a formula")
        } else {
            format!("`{sensor}` is a point of the ground, which does not move")
        };
        return Err(ModelError::new(why)
            .at(place.span.clone())
            .with_label("cannot be a port"));
    }
    Ok(Site {
        subsystem,
        sensor: sensor.to_string(),
        body,
        body_name: model
            .body(body)
            .map_or_else(String::new, |b| b.name.clone()),
        point,
        axes: match model.axes {
            Axes::Plane => 2,
            Axes::Space => 3,
        },
        place: model.site(body).pose.point(point.point),
    })
}

/// Whether a model has a part of this name.
fn has(model: &Model, name: &str) -> bool {
    model.bodies.iter().any(|x| x.name == name)
        || model.joints.iter().any(|x| x.name == name)
        || model.forces.iter().any(|x| x.name == name)
        || model.sensors.iter().any(|x| x.name == name)
        || model.controls.iter().any(|x| x.name == name)
}

/// What speaks against an element between two ports: a name that a model has already, one port in the
/// plane and one in space, or numbers for the other.
pub(super) fn mismatch(
    drafts: &[Draft],
    element: &ElementText,
    [a, b]: [&Site; 2],
) -> Option<ModelError> {
    for site in [a, b] {
        let draft = &drafts[site.subsystem];
        if has(&draft.model, &element.name) {
            let message = format!(
                "subsystem `{}` has a part `{}` of its own",
                draft.name, element.name
            );
            return Some(
                ModelError::new(message)
                    .at(element.name_span.clone())
                    .with_label("needs another name")
                    .with_help("an element becomes a force of its name in the models at its ends"),
            );
        }
    }
    for (site, port) in [a, b].into_iter().zip(&element.ports) {
        let body = drafts[site.subsystem].model.body(site.body);
        if element.element.turns() && body.is_some_and(|body| !body.is_oriented()) {
            let message = format!("`{}` is a point mass, which does not turn", site.body_name);
            return Some(
                ModelError::new(message)
                    .at(port.span.clone())
                    .with_label("no torque can act here"),
            );
        }
    }
    let word = |axes: usize| match axes {
        2 => "planar",
        _ => "in space",
    };
    let end = &element.ports[1];
    if a.axes != b.axes {
        let message = format!(
            "element `{}`: the model of `{}` is {}, that of `{}` {}",
            element.name,
            element.ports[0].subsystem,
            word(a.axes),
            end.subsystem,
            word(b.axes)
        );
        return Some(
            ModelError::new(message)
                .at(end.span.clone())
                .with_label("must be like the other")
                .with_help("a planar mechanism can be a model in space, with bodies of kind \"planar\"; signals connect any models"),
        );
    }
    let own = element.element.axes()?;
    (own != a.axes).then(|| {
        let message = format!(
            "element `{}` has numbers for {own} directions, its ports are {}",
            element.name,
            word(a.axes)
        );
        ModelError::new(message)
            .at(element.span.clone())
            .with_label(if own == 2 {
                "expected [x, y, z]"
            } else {
                "expected [x, y]"
            })
    })
}

fn formula(text: &str) -> Formula {
    // made of names and numbers that have been checked
    Formula::parse_with_signals(text).unwrap_or_else(|_| Formula::constant(f64::NAN))
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Adds inputs and forces of an element to the models at its ends.
pub(super) fn attach(
    drafts: &mut [Draft],
    name: &str,
    law: &Arc<dyn Element>,
    sites: [&Site; 2],
    drives: [Drive; 2],
) -> Planned {
    let (turns, axes) = (law.turns(), sites[0].axes);
    let beside = |s: usize| ["x", "y"].map(|axis| format!("{name}_{}_{axis}", ["a", "b"][s]));
    let own = |s: usize, site: &Site| {
        let place =
            |s: &str| -> Vec<String> { AXES[..axes].iter().map(|x| format!("{s}.{x}")).collect() };
        let velocity = |s: &str| -> Vec<String> {
            let all = place(s).into_iter();
            all.map(|x| format!("{x}.velocity")).collect()
        };
        let (sensor, body) = (&site.sensor, &site.body_name);
        let points = beside(s);
        PortNames {
            p: place(sensor),
            v: velocity(sensor),
            turn: match (turns, axes) {
                (false, _) => Vec::new(),
                (true, 2) => vec![format!("{body}.angle"), format!("{body}.angle.velocity")],
                (true, _) => (points.iter().flat_map(|p| place(p)))
                    .chain(points.iter().flat_map(|p| velocity(p)))
                    .collect(),
            },
        }
    };
    let mut outputs = [0; 2];
    let mut inputs: [Vec<String>; 2] = Default::default();
    for s in 0..2 {
        let site = sites[s];
        let draft = &mut drafts[site.subsystem];
        let names = own(s, site);
        if turns && axes == 3 {
            // two points beside the port tell how its body is turned
            for (sensor, k) in beside(s).into_iter().zip(0..) {
                let mut point = site.place;
                point[k] += 1.0;
                let sensor_of_point = PointSensor::at(Marker::global(point));
                (draft.model).add_sensor(sensor, BodyRef::GROUND, site.body, sensor_of_point);
            }
        }
        outputs[s] = draft.outputs.len();
        let all = names.p.iter().chain(&names.v).chain(&names.turn);
        draft.outputs.extend(all.cloned());
        let input = |what: &str| format!("{name}_{what}");
        let texts: Vec<String> = match drives[s] {
            Drive::Force => {
                let torques: &[&str] = match (turns, axes) {
                    (false, _) => &[],
                    (true, 2) => &["m"],
                    (true, _) => &["mx", "my", "mz"],
                };
                inputs[s] = (AXES[..axes].iter())
                    .map(|x| input(&format!("f{x}")))
                    .chain(torques.iter().map(|m| input(m)))
                    .collect();
                inputs[s].clone()
            }
            Drive::Displacement => {
                let all = AXES[..axes].iter();
                let other = PortNames {
                    p: all.clone().map(|x| input(x)).collect(),
                    v: all.map(|x| input(&format!("v{x}"))).collect(),
                    turn: match (turns, axes) {
                        (false, _) => Vec::new(),
                        (true, 2) => ["angle", "omega"].map(input).into(),
                        (true, _) => (["x", "y", "vx", "vy"].iter())
                            .flat_map(|of| AXES.map(|x| input(&format!("e{of}_{x}"))))
                            .collect(),
                    },
                };
                let all = other.p.iter().chain(&other.v).chain(&other.turn);
                inputs[s] = all.cloned().collect();
                if s == 1 {
                    law.formulas(&other, &names)
                } else {
                    let on_b = law.formulas(&names, &other);
                    on_b.iter().map(|f| format!("-({f})")).collect()
                }
            }
        };
        let model = &mut draft.model;
        for input in &inputs[s] {
            model.add_control(input.as_str(), Input::zero());
        }
        let component = |i: usize| match i < axes {
            true => formula(&texts[i]),
            false => Formula::constant(0.0),
        };
        let force = AppliedForce {
            point: site.point,
            force: [0, 1, 2].map(component),
            body_fixed: false,
            flat: false,
        };
        model.add_force(name, BodyRef::GROUND, site.body, force);
        let torques = texts.get(axes..).unwrap_or_default();
        for (k, text) in torques.iter().enumerate() {
            let (k, suffix) = match axes {
                2 => (2, String::new()),
                _ => (k, format!("_{}", AXES[k])),
            };
            let mut axis = [0.0; 3];
            axis[k] = 1.0;
            let torque = Torque::about(axis, formula(text));
            let name = format!("{name}_torque{suffix}");
            model.add_force(name, BodyRef::GROUND, site.body, torque);
        }
    }
    Planned::Element {
        name: name.to_string(),
        law: law.clone(),
        axes,
        subsystems: [sites[0].subsystem, sites[1].subsystem],
        outputs,
        inputs,
        drives,
    }
}
