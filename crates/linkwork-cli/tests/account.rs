//! What a run tells of its derivatives: how many, how they came about, what they cost, what they followed.

mod binary;

use binary::{json, linkwork};

/// Every strategy tells how many Jacobians of each kind it made, what they cost and what single columns
/// would have cost; each that was made was factored.
#[test]
fn the_account_of_every_jacobian_strategy_is_complete() {
    for (strategy, keeps_factors, differences) in [
        ("auto", false, false),
        ("exact", false, false),
        ("exact-reuse", true, false),
        ("dense", false, true),
        ("grouped", false, true),
        ("partitioned", true, true),
        ("extended", true, true),
    ] {
        let args = ["run", "squeezer", "--jacobian", strategy];
        let said = linkwork(&args).out;
        let line = said.lines().find(|l| l.starts_with("  Jacobians"));
        let line = line.unwrap_or_else(|| panic!("{strategy}: {said}"));
        for words in ["evaluated", "residuals;", "column by column", "recombined"] {
            assert!(line.contains(words), "{strategy}: {line}");
        }
        let (_, v) = json(&[&args[..], &["--json"]].concat());
        let of = |key: &str| v["stats"][key].as_u64().unwrap_or_else(|| panic!("{key}"));
        let (made, updates) = (of("jacobian_evaluations"), of("jacobian_updates"));
        assert_eq!(made + updates, of("factorisations"), "{strategy}");
        assert_eq!(of("factors_kept") > 0, keeps_factors, "{strategy}");
        assert_eq!(line.contains("factors kept"), keeps_factors, "{strategy}");
        let columns = of("residual_evaluations_column_by_column");
        assert_eq!(columns % made, 0, "{strategy}");
        let spent = of("residual_evaluations_for_jacobians");
        assert_eq!(spent > 0, differences, "{strategy}");
        if strategy == "dense" {
            assert_eq!(spent, columns, "{strategy}");
        }
    }
}

/// Derivatives that follow tell what they followed, by name, and what that took; a model without anything
/// to follow is told so, by a note and not by silence.
#[test]
fn the_account_names_the_excitations() {
    fn extended<'a>(args: &[&'a str]) -> Vec<&'a str> {
        [&["run", "--once"], args, &["--jacobian", "extended"]].concat()
    }
    let args = extended(&["boarding_bridge"]);
    let said = linkwork(&args).out;
    let line = said.lines().find(|l| l.starts_with("  excitations"));
    let line = line.unwrap_or_else(|| panic!("{said}"));
    for words in [
        "followed drive `telescope`;",
        "without effect: drive `turn`;",
        "residuals",
    ] {
        assert!(line.contains(words), "{line}");
    }
    assert!(!said.contains("note:"), "{said}");
    let (_, v) = json(&[&args[..], &["--json"]].concat());
    let e = &v["excitations"];
    assert_eq!(e["followed"], serde_json::json!(["drive `telescope`"]));
    assert_eq!(e["without_effect"], serde_json::json!(["drive `turn`"]));
    assert!(e["residual_evaluations_for_slopes"].as_u64() > Some(0));
    assert!(e["given_up_at"].is_null());
    assert!(v["stats"]["excitation_updates"].as_u64() > Some(0));

    let (_, v) = json(
        &[
            &extended(&["cardan_shaft", "--coordinates", "joint"])[..],
            &["--json"],
        ]
        .concat(),
    );
    let e = &v["excitations"];
    assert_eq!(e["followed"], serde_json::json!(["drive `motor`"]));
    assert!(e["given_up_at"].as_f64().is_some_and(|t| t > 0.0), "{v}");
    let notes = v["notes"].to_string();
    assert!(notes.contains("followed the excitations until"), "{notes}");

    for (model, why) in [
        (
            "squeezer",
            "no force has an input that is a formula of time alone",
        ),
        ("suspension", "they depend on none of the excitations"),
    ] {
        let said = linkwork(&extended(&[model, "--coordinates", "joint"])).out;
        let note = said.lines().find(|l| l.starts_with("  note:"));
        let note = note.unwrap_or_else(|| panic!("{said}"));
        assert!(
            note.contains("same as `partitioned`") && note.contains(why),
            "{note}"
        );
    }
    // whoever did not ask for it is not told
    let (_, v) = json(&[
        "run",
        "squeezer",
        "--jacobian",
        "partitioned",
        "--json",
        "--once",
    ]);
    assert!(v["notes"].is_null() && v["excitations"].is_null());
}

/// What single columns would cost is a matter of the system, not of the strategy that saves them; in
/// joint coordinates with explicit equations the columns of the multipliers are terms of the system.
#[test]
fn exact_derivatives_are_compared_with_the_columns_that_differences_make() {
    let per_jacobian = |strategy: &str| {
        let explicit = [
            "--coordinates",
            "joint",
            "--formalism",
            "explicit",
            "--json",
        ];
        let args = [&["run", "squeezer", "--jacobian", strategy][..], &explicit].concat();
        let (_, v) = json(&args);
        let of = |key: &str| v["stats"][key].as_u64().unwrap_or_else(|| panic!("{key}"));
        of("residual_evaluations_column_by_column") / of("jacobian_evaluations")
    };
    // seven angles and their velocities
    assert_eq!(per_jacobian("dense"), 14);
    assert_eq!(per_jacobian("exact"), 14);
}
