//! Flexible bodies of a model text that are files beside it: `file = "rod.toml"` in place of all that such a file tells.

use super::read_modal;
use crate::beside;
use linkwork_mbs::text::tree::{Content, Table, Value};
use linkwork_mbs::text::{self, Document, Fields};
use linkwork_mbs::{Body, ModelError};
use std::ops::Range;
use std::path::Path;

/// Keys that files tell.
const TOLD: [&str; 10] = [
    "points",
    "masses",
    "inertias",
    "modes",
    "mode_rotations",
    "stiffness",
    "damping_ratio",
    "modal_mass",
    "frames",
    "frame_points",
];

/// Reads a model text with overrides; its flexible bodies may be files in its folder or below it.
pub fn read_document(
    source: &str,
    overrides: &[impl AsRef<str>],
    folder: Option<&Path>,
) -> Result<Document, Vec<ModelError>> {
    let Some(folder) = folder else {
        return text::read_with(source, overrides);
    };
    let mut tree = Table::parse(source)?;
    let changes = overrides.iter().map(AsRef::as_ref);
    let mut errors: Vec<ModelError> = changes
        .filter_map(|o| text::apply_override(&mut tree, o).err())
        .collect();
    if names_files(&tree) {
        errors.extend(insert(&mut tree, folder));
        if !errors.is_empty() {
            // what the body of such a file lacks is no mistake of the text
            return Err(errors);
        }
    }
    text::read_tree_with(tree, errors)
}

/// Whether a body has the key `file`.
fn names_files(tree: &Table) -> bool {
    let bodies = match tree.get("body").map(|v| &v.content) {
        Some(Content::List(list)) => &list[..],
        _ => &[],
    };
    let names = |body: &Value| match &body.content {
        Content::Table(body) => body.get("file").is_some(),
        _ => false,
    };
    bodies.iter().any(names)
}

/// Puts what files tell in place of their names; says what is wrong with them.
pub fn insert(tree: &mut Table, folder: &Path) -> Vec<ModelError> {
    let mut errors = Vec::new();
    let planar = match tree.get("model").map(|v| &v.content) {
        Some(Content::Table(head)) => {
            head.get("planar").map(|v| &v.content) != Some(&Content::Flag(false))
        }
        _ => true,
    };
    let bodies = tree.entries.iter_mut().filter(|e| e.key == "body");
    for entry in bodies {
        let Content::List(list) = &mut entry.value.content else {
            continue;
        };
        for item in list {
            if let Content::Table(body) = &mut item.content
                && let Err(error) = insert_one(body, planar, folder)
            {
                errors.push(error);
            }
        }
    }
    errors
}

fn insert_one(body: &mut Table, planar: bool, folder: &Path) -> Result<(), ModelError> {
    let word = |key: &str| match body.get(key).map(|v| &v.content) {
        Some(Content::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let (Some(file), Some("modal")) = (word("file"), word("kind").as_deref()) else {
        // anything else is told where bodies are read
        return Ok(());
    };
    let name = word("name").unwrap_or_default();
    let value = body.get("file").cloned();
    let span = value.as_ref().and_then(|v| v.span.clone());
    let refused = |why: String| {
        let message = format!("body `{name}`: {why}");
        ModelError::new(message).at(span.clone())
    };
    if planar {
        let why = format!("the body of {file} bends in space, and the model is planar");
        return Err(refused(why).with_help("say `planar = false` in [model]"));
    }
    if let Some(twice) = TOLD.into_iter().find(|key| body.get(key).is_some()) {
        return Err(refused(format!(
            "{file} tells its `{twice}`: leave it out here"
        )));
    }
    let (path, source) = beside::text(folder, &file).map_err(&refused)?;
    let path = Path::new(&path);
    // complaints point at the model, and name the file
    let of_file = |e: ModelError| {
        let error = refused(format!("{file}: {}", e.message));
        match e.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    };
    let first = |errors: Vec<ModelError>| errors.into_iter().next();
    let header = Table::parse(&source).map_err(|e| {
        let none = || refused(format!("{file} cannot be read"));
        first(e).map_or_else(none, of_file)
    })?;
    let fields = Fields::section("flexible body", &header);
    let modal = read_modal(&fields, &header, path).map_err(of_file)?;
    let written = Body::modal(name.clone(), modal).draft();
    let written = linkwork_mbs::part::Part::fields(&written);
    body.remove("file");
    for (key, value) in written.iter().filter(|(key, _)| TOLD.contains(key)) {
        if let Some(mut value) = Table::parse_value(&value.to_string()) {
            place(&mut value, &span);
            body.set(key, value);
        }
    }
    Ok(())
}

/// Everything that a value says is said where the file is named.
fn place(value: &mut Value, span: &Option<Range<usize>>) {
    value.span.clone_from(span);
    if let Content::List(list) = &mut value.content {
        list.iter_mut().for_each(|value| place(value, span));
    }
}
