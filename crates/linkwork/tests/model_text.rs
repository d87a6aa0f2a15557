//! Holds `docs/model-text.md` against the registries.
//!
//! ```text
//!  UPDATE_DOCS=1 cargo test -p linkwork --test model_text       writes the page anew
//! ```

use linkwork::cosim::COSIM_OPTIONS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::mbs::Formula;
use linkwork::mbs::body::BODIES;
use linkwork::mbs::control::CONTROLS;
use linkwork::mbs::event::EVENTS;
use linkwork::mbs::field::{Form, Key, Value};
use linkwork::mbs::force::FORCES;
use linkwork::mbs::joint::{BODY_KEYS, JOINTS, JointEntry};
use linkwork::mbs::material::MATERIAL;
use linkwork::mbs::model::Axes;
use linkwork::mbs::part::Part;
use linkwork::mbs::section::SECTIONS;
use linkwork::mbs::sensor::SENSORS;
use linkwork::mbs::shape::{SHAPE_KEYS, SHAPES};
use linkwork::mbs::text::{BEAM, MARKER, MODEL, PLANAR_MARKER};
use linkwork::options::OPTIONS;
use std::fmt::Write;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/model-text.md");

const HEAD: &str = "\
<!-- Written by `UPDATE_DOCS=1 cargo test -p linkwork --test model_text`; edit the registries. -->

# Model text

A model is a TOML file: `[model]`, `[parameters]`, any number of `[[body]]`, `[[marker]]`, `[[joint]]`, `[[force]]`,
`[[sensor]]` and `[[control]]`, and `[simulation]`. [models/](../models/README.md) has commented examples.

- **Numbers** are in the unit of the table below (SI), or text with a unit of the same kind:
  `0.005` or `\"5 mm\"`, `\"30 deg\"`, `\"4.53 N/mm\"`, `\"1200 rpm\"`, `\"22 g cm^2\"`; `linkwork list units` has them all.
- **[x, y]** is a pair of such numbers: `[0, \"-9.81 m/s^2\"]`.
- **Formulas** are text in `t` (s) and give SI units: `\"0.1 + 0.02*sin(2*pi*t)\"`. Operators `+ - * / ^`,
  the constant `pi`, functions `sin cos tan asin acos atan atan2 sqrt exp ln abs sign min max`,
  `step(t, t0, a, t1, b)`, a smooth passage from `a` at `t0` to `b` at `t1` (a jump where they are equal), and
  `if(t > 1, a, b)` with `<`, `<=`, `>` or `>=`. Steps end where one of these changes its branch, by time or by
  signals.
- **Tables** are lists of points of rising first number, `[[0, 0], [0.5, 2], [1, 3]]`, and become the natural cubic
  spline through them: smooth up to curvature, but beyond its neighbours where points are steep (`linkwork check`
  and runs warn of that). `[\"monotone\", [0, 0], [0.5, 2], [1, 3]]` stays between neighbouring points with a
  continuous slope, `[\"linear\", ...]` takes straight lines. Beyond its ends a table goes on straight.
- **Parameters** are named numbers, in `[parameters]`: `length = \"300 mm\"`, `half = \"length/2\"`. Any
  number may be a formula of them, also inside lists: `position = [\"half\", 0]`, `stiffness = \"2*k\"`,
  `t_end = \"3*period\"`; formulas of time and signals may use them too. A parameter with a unit fits
  where that unit does, and sums need equal units; one without fits anywhere. A number with a unit behind it
  stays a quantity (`\"2 m\"`), `\"2*m\"` is a product if `m` is a parameter. `--set length=0.5` changes a
  parameter and all that follows from it; `linkwork check` lists them. Their names have letters, digits and
  `_`, and no sensor or control may share them.
- **Names** are unique in the whole model, made of letters, digits, `_` and `-`. Messages, result
  columns and `--set name.key=value` use them. `ground` is the frame.
- **Points** stand in the frame of their body (`point_a`, `point_b`) or in the global frame in the
  start pose (`at` for both bodies, `at_a`, `at_b`), whichever is handy. The origin of a body is its
  centre of mass.
- **Start values** are guesses: the assembly moves bodies until all joints close, and what is marked
  `exact` last.
- A key that is not listed is an error, not ignored.
";

/// Parameters for examples, different ones in each round.
fn draw(round: usize) -> impl FnMut() -> f64 {
    let mut x = 0.17 + 0.29 * round as f64;
    move || {
        x = (x * 7.3 + 0.37) % 1.0;
        2.0 * x - 1.0
    }
}

fn keys(page: &mut String, keys: &[&[Key]]) {
    let all: Vec<&Key> = keys.iter().copied().flatten().collect();
    page.push_str("\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    for key in all {
        let default = (key.default).map_or("**required**".to_string(), |d| d.to_string());
        let (form, unit) = (key.form.noun(), key.unit.symbol());
        writeln!(
            page,
            "| `{}` | {form} | {unit} | {default} | {} |",
            key.name, key.doc
        )
        .unwrap();
    }
}

fn results(page: &mut String, channels: &[(String, String)]) {
    let words: Vec<String> = channels
        .iter()
        .map(|(name, unit)| format!("`{name}` ({unit})"))
        .collect();
    writeln!(page, "\nResults: {}.", words.join(", ")).unwrap();
}

fn named(channels: &[(&str, &str)], between: &str) -> Vec<(String, String)> {
    channels
        .iter()
        .map(|(name, unit)| (format!("NAME{between}{name}"), unit.to_string()))
        .collect()
}

/// The equations of a joint in words and its result columns, one entry per variant of the kind.
fn joint_variants(entry: &JointEntry) -> Vec<String> {
    let mut variants: Vec<String> = Vec::new();
    for round in 0..8 {
        let joint = entry.example(&mut draw(round));
        let rows = joint.row_names().iter().chain(joint.velocity_row_names());
        let names: Vec<&str> = rows.copied().collect();
        let count = names.len();
        let mut words = format!("{count} equations: {}.", names.join(", "));
        if count == 1 {
            words = words.replace("1 equations", "1 equation");
        }
        if !joint.velocity_row_names().is_empty() {
            let of_velocities = joint.velocity_row_names().join(", ");
            write!(words, " Of velocities alone: {of_velocities}.").unwrap();
        }
        let reacts = joint.reacts();
        words.push_str(match (reacts.force, reacts.torque) {
            (true, true) => " Reacts with a force and a torque.",
            (true, false) => " Reacts with a force.",
            (false, true) => " Reacts with a torque.",
            (false, false) => "",
        });
        if !variants.contains(&words) {
            variants.push(words);
        }
    }
    variants.sort();
    variants
}

fn choices(page: &mut String, title: &str, rows: impl Iterator<Item = (String, String)>) {
    writeln!(page, "\n### {title}\n").unwrap();
    for (name, summary) in rows {
        writeln!(page, "- `{name}`: {summary}").unwrap();
    }
}

fn page() -> String {
    let mut page = HEAD.to_string();
    page.push_str("\n## [model]\n");
    keys(&mut page, &[&MODEL.keys()]);

    page.push_str(
        "\n## [[body]]\n\nEvery body has a `name`; `kind` may be left out for `rigid`. In planar models `rigid` is the \
         body that\nis `planar` in space, and `point` the one that is `bead`.\n\n\
         Results: `NAME.x` (m), `NAME.x.velocity` (m/s), `NAME.x.acceleration` (m/s^2) and so on for each coordinate of \
         the\ncentre of mass, `angle` (rad) of a planar body among them. For a rigid body in space also \
         `NAME.quaternion.w`,\n`.x`, `.y`, `.z`, `NAME.yaw`, `NAME.pitch`, `NAME.roll` (rad; about z, the new y, the new x), \
         `NAME.omega.x` and so\non (rad/s, body axes), `NAME.omega.x.rate` (rad/s^2) and `NAME.spin.x` (rad/s, global axes).\n\
         A flexible body has the same of its origin, and of every frame as of a body `NAME.FRAME`; its amplitudes are\n`NAME.mode1` and so on, with `.velocity` and `.acceleration`. A `flexible_beam` also has `NAME.FRAME.force.axial`, `.shear.normal`\nand `.shear.third` (N), `.torque`, `.bending.normal` and `.bending.third` (N m) of its sections at frames.\n",
    );
    for e in BODIES {
        let plane = match e.kind_in(Axes::Plane) {
            Some(name) => format!("space, plane as `{name}`"),
            None => "space".to_string(),
        };
        writeln!(page, "\n### {} ({plane})\n\n{}", e.kind, e.summary).unwrap();
        keys(&mut page, &[&e.keys()]);
    }

    page.push_str(
        "\n## [[marker]]\n\nA named frame on a body. Joints, forces and sensors with two bodies may name markers as \
         `marker_a` and `marker_b`\nin place of `body_a`, `point_a` and `axis_a`, those with one body as `marker` in place of \
         the body and `point`. Saying\ntwice what a marker says is an error. A marker without directions gives its place \
         alone; one with directions also\ngives the axis and the normal. In space its z axis is the axis and its x axis the \
         normal (the z axis where there is a\nnormal alone, that of a plane). In planar models its x axis is the direction \
         of guides and the normal of planes, and\nelsewhere the normal that angles are measured from and to; between two \
         such markers the `angle` of joints is zero. Drives of a displacement and friction that slides need their axis besides.\n",
    );
    keys(&mut page, &[&PLANAR_MARKER.keys()]);
    page.push_str("\nIn space:\n");
    keys(&mut page, &[&MARKER.keys()]);

    page.push_str(
        "\n## [[joint]]\n\nEvery joint has a `name`, a `kind` and two bodies. Reactions are what it \
         exerts on `body_b`, in\nglobal components, at its point on `body_b`: `NAME.reaction.x`, `.y`, `.z` (N) and \
         `NAME.reaction.torque.x`, `.y`,\n`.z` (N m); in planar models `.x`, `.y` and `NAME.reaction.torque`. Between bodies \
         that move in the plane only\nthose equations exist that their motion can change. Joints marked `joint` can carry a \
         body in joint coordinates.\n",
    );
    for e in JOINTS {
        let mut where_to = vec!["space"];
        where_to.extend(e.in_plane.then_some("plane"));
        let carries = e.example(&mut draw(0)).hinge().is_some();
        where_to.extend(carries.then_some("joint"));
        writeln!(
            page,
            "\n### {} ({})\n\n{}",
            e.kind,
            where_to.join(", "),
            e.summary
        )
        .unwrap();
        keys(&mut page, &[BODY_KEYS, &e.keys()]);
        for words in joint_variants(e) {
            writeln!(page, "\n{words}").unwrap();
        }
    }

    page.push_str(
        "\n## [[force]]\n\nEvery force has a `name`, a `kind` and its bodies. Gravity is a key of `[model]`. In planar \
         models results\nalong z are left out.\n",
    );
    for e in FORCES {
        let plane = if e.in_plane { ", plane" } else { "" };
        writeln!(page, "\n### {} (space{plane})\n\n{}", e.kind, e.summary).unwrap();
        keys(&mut page, &[e.body_keys(), &e.keys()]);
        results(&mut page, &named(e.example(&mut draw(0)).channels(), "."));
    }

    page.push_str(
        "\n## [[section]]\n\nCross-sections that beams name. y is along the normal of a beam, in planar models in the \
         plane, and z across both.\nEvery section has a `name` and a `kind`.\n",
    );
    for e in SECTIONS {
        writeln!(page, "\n### {}\n\n{}", e.kind, e.summary).unwrap();
        keys(&mut page, &[&e.keys()]);
    }
    page.push_str("\n## [[material]]\n\nElastic materials that beams name.\n");
    keys(&mut page, &[&MATERIAL.keys()]);
    page.push_str(
        "\n## [[beam]]\n\nA beam that may bend as far as it likes: a chain of bodies, its nodes, and geometrically exact \
         elements between\nthem. Nodes are bodies `NAME_start`, `NAME_1`, ..., `NAME_end` with their origin on the centre line and \
         their x axis\nalong it; joints, forces, sensors and markers are attached to them. A clamp is a `fixed` joint. Elements are forces\n\
         `NAME_e1`, `NAME_e2` and so on of the kind `beam`, whose results tell the deformed centre line, section forces and \
         stresses;\n`NAME.strain_energy` (J) is that of all of them. Mass is lumped at the nodes: frequencies converge with the third order of the length of an element. \
         Lines without resistance\nto bending, such as cables, are refused.\n",
    );
    keys(&mut page, &[&BEAM.keys()]);

    page.push_str(
        "\n## [[control]]\n\nEvery control has a `name` and a `kind`. Its outputs are signals: formulas of forces, \
         torques and other controls may name them, as they may name sensors and body coordinates \
         such as `arm.angle.velocity`. Forces without states, and events, may also name multipliers of joints, `JOINT.multiplier` \
         or `JOINT.multiplier1` and so on in the order of its equations: what follows a reaction. Such joints stay \
         equations in joint coordinates.\n",
    );
    for e in CONTROLS {
        writeln!(page, "\n### {}\n\n{}", e.kind, e.summary).unwrap();
        keys(&mut page, &[&e.keys()]);
    }

    page.push_str(
        "\n## [[sensor]]\n\nEvery sensor has a `name` and a `kind`. It adds columns to the results.\n",
    );
    for e in SENSORS {
        let plane = if e.in_plane { ", plane" } else { "" };
        writeln!(page, "\n### {} (space{plane})\n\n{}", e.kind, e.summary).unwrap();
        keys(&mut page, &[e.body_keys(), &e.keys()]);
        results(&mut page, &named((e.blank)().channels(), ""));
    }

    page.push_str(
        "\n## [[event]]\n\nWhere something becomes true, something is done: a step ends there, located to rounding. What is true from the start on does not \
         become true; what begins at equality and holds right behind it does, at the start. Every event \
         has a `name`\nand a `kind`, which is what it does. `events.csv` lists when it happened.\n",
    );
    for e in EVENTS {
        writeln!(page, "\n### {}\n\n{}", e.kind, e.summary).unwrap();
        keys(&mut page, &[&e.keys()]);
    }

    page.push_str(
        "\n## [[shape]]\n\nHow bodies look in `linkwork view`; nothing collides. Every shape has a `name` and a `kind`. \
         Bodies without\nshapes get some from their joints and inertia.\n",
    );
    for e in SHAPES {
        writeln!(page, "\n### {}\n\n{}", e.kind, e.summary).unwrap();
        keys(&mut page, &[SHAPE_KEYS, &e.keys()]);
    }

    page.push_str(
        "\n## [simulation]\n\nThe options of `linkwork run`, which win over this table; `--max-order` is \
         `max_order` here.\n",
    );
    let in_text = OPTIONS.iter().filter(|o| o.row.in_text);
    let offered: Vec<Key> = in_text.map(|o| o.key()).collect();
    keys(&mut page, &[&offered]);
    for option in OPTIONS {
        let offered = option.row.choices.map_or(Vec::new(), |choices| choices());
        let described = offered.iter().filter(|c| !c.summary.is_empty());
        let pairs: Vec<(String, String)> = described
            .map(|c| {
                let method = STEPPERS.iter().filter(|_| option.name == "method");
                let with = method.filter(|e| e.name == c.name);
                let with: String = with
                    .map(|e| format!("; formulations {}", e.formulations.join(", ")))
                    .collect();
                (c.name.into(), format!("{}{with}", c.summary))
            })
            .collect();
        if !pairs.is_empty() {
            let title = format!("Choices of `{}`", option.name);
            choices(&mut page, &title, pairs.into_iter());
        }
    }
    page.push_str(
        "\n## [simulation] of a coupled system\n\nThe options of `linkwork cosim`, in the file of the system.\n",
    );
    let in_text = COSIM_OPTIONS.iter().filter(|o| o.row.in_text);
    let offered: Vec<Key> = in_text.map(|o| o.key()).collect();
    keys(&mut page, &[&offered]);
    page
}

#[test]
fn the_reference_page_is_up_to_date() {
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let kept = std::fs::read_to_string(PAGE).unwrap_or_default();
    let different = kept
        .lines()
        .zip(page.lines())
        .find(|(kept, page)| kept != page);
    assert!(
        kept == page,
        "docs/model-text.md is out of date: UPDATE_DOCS=1 cargo test -p linkwork --test model_text\n\
         first difference: {different:?}"
    );
}

#[test]
fn documented_forms_are_those_that_are_written() {
    let check = |kind: &str, keys: &[Key], fields: &[(&'static str, Value)]| {
        for (name, value) in fields {
            let key = keys.iter().find(|k| k.name == *name);
            let form = key.unwrap_or_else(|| panic!("`{name}` of {kind}")).form;
            let fits = match value {
                Value::Number(_) => matches!(form, Form::Number | Form::Formula | Form::Curve),
                Value::Vector(_) => matches!(form, Form::Vector | Form::Direction),
                Value::Flag(_) => form == Form::Flag,
                Value::Text(_) => matches!(form, Form::Word | Form::Formula | Form::Curve),
                Value::Words(_) => form == Form::Words,
                Value::List(_) => matches!(form, Form::List | Form::Curve),
            };
            assert!(fits, "`{name}` of {kind}: {value:?} as {form:?}");
        }
    };
    for round in 0..8 {
        for e in JOINTS {
            check(e.kind, &e.keys(), &e.example(&mut draw(round)).fields());
        }
        for e in SENSORS {
            check(e.kind, &e.keys(), &e.example(&mut draw(round)).fields());
        }
        for e in FORCES {
            check(e.kind, &e.keys(), &e.example(&mut draw(round)).fields());
        }
        for e in CONTROLS {
            let input = Formula::parse("0.1*t").unwrap();
            let control = e.example_of(&mut draw(round), Some(input));
            check(e.kind, &e.keys(), &control.fields());
        }
    }
    for round in 0..8 {
        for e in BODIES {
            // what is read as a beam is written as its modes
            let draft = e.example(&mut draw(round));
            check(e.kind, &draft.body.draft().list(), &draft.fields());
        }
        for e in SECTIONS {
            check(e.kind, &e.keys(), &e.example(&mut draw(round)).fields());
        }
        for e in EVENTS {
            check(e.kind, &e.keys(), &e.example(&mut draw(round)).fields());
        }
        for e in SHAPES {
            check(e.kind, &e.keys(), &e.example(&mut draw(round)).fields());
        }
        for e in [&MARKER, &PLANAR_MARKER] {
            check(e.kind, &e.keys(), &e.example(&mut draw(round)).fields());
        }
        let model = MODEL.example(&mut draw(round));
        check("model", &MODEL.keys(), &model.fields());
        let beam = BEAM.example(&mut draw(round));
        check("beam", &BEAM.keys(), &beam.fields());
        let material = MATERIAL.example(&mut draw(round));
        check("material", &MATERIAL.keys(), &material.fields());
    }
}
