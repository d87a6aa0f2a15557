//! Every model in `models/bad` is refused with the right words at the right place. Those that are
//! wrong as mechanisms, not as texts, must read without complaint.

use linkwork_mbs::ModelError;
use linkwork_mbs::text;

fn source(name: &str) -> String {
    let path = format!(
        "{}/../../models/bad/{name}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Line, column, marked text, message, label, help: all that a front end shows.
fn shown(source: &str, e: &ModelError) -> String {
    let place = match (e.line_column(source), &e.span) {
        (Some((line, column)), Some(span)) => {
            format!("{line}:{column} {}", source[span.clone()].trim_end())
        }
        _ => "nowhere".into(),
    };
    let mut text = format!("{place}\n{}\n{}", e.message, e.label);
    for (span, label) in &e.related {
        let (line, column) = e.clone().at(span.clone()).line_column(source).unwrap();
        text.push_str(&format!(
            "\n{line}:{column} {} {label}",
            &source[span.clone()]
        ));
    }
    if let Some(help) = &e.help {
        text.push_str(&format!("\n{help}"));
    }
    text
}

/// The errors of a text as the snapshot records them.
fn report(source: &str, overrides: &[&str]) -> String {
    match text::read_with(source, overrides) {
        Ok(_) => "no complaint".into(),
        Err(errors) => {
            let shown: Vec<String> = errors.iter().map(|e| shown(source, e)).collect();
            shown.join("\n\n")
        }
    }
}

macro_rules! bad_models {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            insta::assert_snapshot!(name, report(&source(name), &[]));
        }
    )*};
}

bad_models! {
    formula_syntax
    missing_key
    negative_friction
    misspelt_key
    name_twice
    nan_formula
    not_toml
    several
    unknown_body
    unknown_kind
    wrong_unit
}

#[test]
fn wrong_mechanisms_are_right_texts() {
    for name in ["contradictory_loop", "singular_start", "zero_mass"] {
        assert_eq!(report(&source(name), &[]), "no complaint", "{name}");
    }
}

#[test]
fn every_bad_model_is_tested() {
    let folder = format!("{}/../../models/bad", env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| {
            f.unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    found.sort();
    let tested = "contradictory_loop formula_syntax missing_key misspelt_key name_twice nan_formula \
                  negative_friction not_toml several singular_start unknown_body unknown_kind wrong_unit zero_mass";
    assert_eq!(found, tested.split(' ').collect::<Vec<_>>());
}

#[test]
fn mistakes_in_overrides_name_the_override() {
    let good = source("singular_start");
    let overrides = [
        "crank.mass=heavy",
        "crnak.mass=1",
        "rod.mas=2",
        "crank_pin.body_b=\"piton\"",
        "piston",
    ];
    insta::assert_snapshot!("overrides", report(&good, &overrides));
}

#[test]
fn mistakes_found_after_reading_are_pointed_at() {
    let source = source("singular_start");
    let document = text::read(&source).unwrap();
    let e = document.locate(ModelError::new(
        "joint `guide`: redundant with joint `bearing`",
    ));
    assert_eq!(shown(&source, &e).lines().next(), Some("52:1 [[joint]]"));
    let e = document.locate(ModelError::new("the moon is `green`"));
    assert_eq!(e.span, None);
}

#[test]
fn mistakes_seen_only_at_assembly_point_at_the_item() {
    let source = "[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\n\n\
                  [[joint]]\nname = \"weld\"\nkind = \"fixed\"\nbody_b = \"bob\"\n";
    insta::assert_snapshot!("weld_on_a_point", report(source, &[]));
}

#[test]
fn a_joint_of_a_body_with_itself_and_a_single_bracket() {
    let source = "[[body]]\nname = \"bob\"\nmass = 1\ninertia = 1\n\n\
                  [[joint]]\nname = \"weld\"\nkind = \"fixed\"\nbody_a = \"bob\"\nbody_b = \"bob\"\n\n\
                  [force]\nname = \"push\"\n";
    insta::assert_snapshot!("shape_of_a_model", report(source, &[]));
}
