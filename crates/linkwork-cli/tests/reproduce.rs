//! `linkwork reproduce`: list, table, files, JSON, misspelt names.

mod binary;

use binary::{Folder, linkwork};

#[test]
fn without_a_name_it_lists() {
    let said = linkwork(&["reproduce"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    for id in ["bottasso-fig2-4", "ren-zhou-table5", "ren-zhou-table6"] {
        assert!(said.out.lines().any(|l| l.starts_with(id)), "{}", said.out);
    }
    let said = linkwork(&["reproduce", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let entries = list.as_array().unwrap();
    assert!(entries.len() >= 3);
    assert!(
        entries
            .iter()
            .all(|e| e["name"].is_string() && e["summary"].is_string())
    );
}

#[test]
fn a_table_has_both_sides_notes_and_files() {
    let folder = Folder::new("reproduce-table");
    let out = folder.path("new/place");
    let said = linkwork(&["reproduce", "bottasso-fig2-4", "--out", &out]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let header = said.out.lines().find(|l| l.contains("paper")).unwrap();
    assert!(header.contains("measured"));
    let row = said
        .out
        .lines()
        .find(|l| l.starts_with("right and left"))
        .unwrap();
    assert_eq!(row.matches('|').count(), 2, "{row}");
    assert!(said.out.contains("Misprint"));
    assert!(said.out.lines().all(|l| l.len() < 200));
    for file in [
        "table.csv",
        "condition.csv",
        "condition.svg",
        "multiplier.svg",
    ] {
        let path = format!("{out}/{file}");
        assert!(said.out.contains(&path), "{file}");
        let text = std::fs::read_to_string(&path).unwrap();
        if file.ends_with(".svg") {
            assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        }
    }
    let table = std::fs::read_to_string(format!("{out}/table.csv")).unwrap();
    assert!(table.starts_with("label,paper: condition"), "{table}");
    assert_eq!(table.lines().count(), 4);
}

#[test]
fn json_is_one_object_with_rows_by_column() {
    let folder = Folder::new("reproduce-json");
    let said = linkwork(&[
        "reproduce",
        "ren-zhou-table5",
        "--json",
        "--out",
        &folder.path("o"),
    ]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let object: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(object["id"], "ren-zhou-table5");
    let rows = object["rows"].as_array().unwrap();
    assert!(rows.len() >= 9);
    for row in rows {
        assert!(row["label"].is_string() && row["paper"].is_object());
        assert!(row["measured"]["steps"].as_f64().unwrap() > 20.0, "{row}");
    }
}

#[test]
fn quiet_prints_nothing_and_writes_all_the_same() {
    let folder = Folder::new("reproduce-quiet");
    let out = folder.path("o");
    let said = linkwork(&["reproduce", "ren-zhou-table6", "--quiet", "--out", &out]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), ""),
        "{}",
        said.err
    );
    assert!(std::path::Path::new(&format!("{out}/order.svg")).is_file());
}

#[test]
fn bad_input_is_refused() {
    let said = linkwork(&["reproduce", "ren-zou-table5"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(
        said.err.contains("did you mean `ren-zhou-table5`?"),
        "{}",
        said.err
    );
    let said = linkwork(&["reproduce", "xyzzy"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("studies are bottasso-fig2-4"),
        "{}",
        said.err
    );
    let folder = Folder::new("reproduce-blocked");
    let file = folder.file("file", "in the way");
    let said = linkwork(&["reproduce", "ren-zhou-table5", "--out", &file]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("cannot make"), "{}", said.err);
}
