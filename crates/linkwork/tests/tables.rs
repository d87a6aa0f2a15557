//! Tables in model text: how their points are joined, and what is told of it.

use linkwork::{Options, Simulation};

fn shaker(value: &str) -> String {
    format!(
        r#"
[[body]]
name = "base"
mass = 1
inertia = 1

[[joint]]
name = "guide"
kind = "prismatic"
body_b = "base"
axis = [1, 0]

[[joint]]
name = "shaker"
kind = "drive"
quantity = "displacement"
body_b = "base"
axis = [1, 0]
value = {value}

[simulation]
t_end = 1.5
outputs = 1500
"#
    )
}

const BUMP: &str = "[0, 0], [1, 0], [1.01, 0.05], [1.02, 0], [1.03, 0], [3, 0]]";

fn range(text: &str) -> [f64; 2] {
    let document = linkwork::mbs::text::read(text).unwrap();
    let mut simulation = Simulation::from_document_with(&document, Options::new()).unwrap();
    let run = simulation.run().unwrap();
    assert!(run.failure().is_none(), "{:?}", run.failure());
    let x = run.channel("base.x").unwrap();
    [
        x.iter().copied().fold(f64::INFINITY, f64::min),
        x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ]
}

/// A base that a table moves by 50 mm within 20 ms.
#[test]
fn a_monotone_table_stays_between_its_points() {
    let [low, high] = range(&shaker(&format!("[\"monotone\", {BUMP}")));
    assert!(
        low > -1e-9 && (0.045..0.05 + 1e-9).contains(&high),
        "{low} {high}"
    );
    // the spline through the same points does not
    assert!(range(&shaker(&format!("[{BUMP}")))[0] < -0.1);
    // and is warned of, the other not
    let overshoots = |value: &str| {
        let document = linkwork::mbs::text::read(&shaker(value)).unwrap();
        let found = linkwork::mbs::lint::lint(&document, Some(1.5));
        found.iter().filter(|f| f.rule == "overshoot").count()
    };
    assert_eq!(overshoots(&format!("[{BUMP}")), 1);
    assert_eq!(overshoots(&format!("[\"monotone\", {BUMP}")), 0);
    assert_eq!(overshoots("[[0, 0], [1, 1], [2, 1.5]]"), 0);
}

#[test]
fn ways_to_join_are_written_as_they_are_read_and_others_refused() {
    let text = shaker("[\"linear\", [0, 0], [1, 0.5], [3, 0.5]]");
    let document = linkwork::mbs::text::read(&text).unwrap();
    let written = linkwork::mbs::text::write(&document.model);
    assert!(written.contains("\"linear\""), "{written}");
    let again = linkwork::mbs::text::read(&written).unwrap();
    assert_eq!(linkwork::mbs::text::write(&again.model), written);
    let wrong = linkwork::mbs::text::read(&shaker("[\"cubic\", [0, 0], [1, 1]]")).unwrap_err();
    assert!(format!("{wrong:?}").contains("monotone"), "{wrong:?}");
}
