//! The claims of reproduced studies.

use linkwork_problems::reproduce::{STUDIES, Study, StudyRow};
use std::sync::OnceLock;

/// A study, computed once for all tests.
fn study(id: &str) -> &'static Study {
    static COMPUTED: [OnceLock<Study>; 32] = [const { OnceLock::new() }; 32];
    let i = STUDIES.iter().position(|e| e.id == id);
    let i = i.expect("it is listed");
    let run = STUDIES[i].brief.unwrap_or(STUDIES[i].run);
    COMPUTED[i].get_or_init(|| run().expect("it can be computed"))
}

fn row<'a>(study: &'a Study, label: &str) -> &'a StudyRow {
    let found = study.rows.iter().find(|r| r.label == label);
    found.unwrap_or_else(|| panic!("no row `{label}`"))
}

fn measured(study: &Study, label: &str, column: &str) -> f64 {
    let value = row(study, label).measured_in(study, column);
    value.unwrap_or_else(|| panic!("no `{column}` in `{label}`"))
}

#[test]
fn every_study_is_whole() {
    for entry in STUDIES {
        let study = study(entry.id);
        let n = study.columns.len();
        assert!(!study.rows.is_empty() && !study.notes.is_empty());
        println!("{}: {:?}", entry.id, study.columns);
        for row in &study.rows {
            println!("{}: {:?} beside {:?}", row.label, row.measured, row.paper);
            assert_eq!(
                (row.paper.len(), row.measured.len()),
                (n, n),
                "{}",
                entry.id
            );
            let whole = row.measured.iter().flatten().all(|x| x.is_finite());
            assert!(whole, "{}: {row:?}", entry.id);
        }
        // what is worse than printed has a reason, and reasons have something to explain
        for b in entry.behind(study) {
            assert!(b.why.is_some(), "{}: {b:?}", entry.id);
        }
        for reason in entry.reasons {
            let printed = |r: &StudyRow| {
                let columns = study.columns.iter().zip(&r.paper);
                let mut of_reason = columns.filter(|(c, _)| c.starts_with(reason.column));
                r.label.starts_with(reason.row) && of_reason.any(|(_, p)| p.is_some())
            };
            assert!(study.rows.iter().any(printed), "{}: {reason:?}", entry.id);
        }
        let mut names: Vec<&str> = study.figures.iter().map(|f| f.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), study.figures.len(), "{}", entry.id);
        assert!(study.figures.iter().all(|f| !f.curves.is_empty()));
    }
}

/// Bottasso, Dopico & Trainelli derive the exponents; means of 15 steps scatter by a few per cent
/// over four decades of h.
#[test]
fn scaling_exponents_are_those_of_the_paper() {
    let study = study("bottasso-fig2-4");
    assert_eq!(study.rows.len(), 3);
    let mut compared = 0;
    for row in &study.rows {
        for (paper, measured) in row.paper.iter().zip(&row.measured) {
            if let Some(paper) = paper {
                let measured = measured.expect("what is printed is measured");
                assert!((measured - paper).abs() < 0.2, "{}: {row:?}", row.label);
                compared += 1;
            }
        }
        // no scaling helps the multiplier itself
        let physical = row.measured_in(study, "physical multiplier: exponent");
        assert!((physical.unwrap() + 2.0).abs() < 0.2, "{row:?}");
    }
    assert_eq!(compared, 9);
    let condition = |h: &str| measured(study, "right and left", &format!("condition at h = {h}"));
    assert!(condition("1e-3") < 100.0 && condition("1e-7") < 100.0);
    // far beyond what double precision could invert
    assert!(measured(study, "none", "condition at h = 1e-7") > 1e25);
}

#[test]
fn tighter_tolerances_give_digits_for_steps() {
    let study = study("ren-zhou-table5");
    for method in ["generalised-alpha, index 3", "BDF, index 3", "BDF, index 2"] {
        let at = |tolerance: &str, column: &str| {
            measured(study, &format!("{method}, tolerance {tolerance}"), column)
        };
        assert!(
            at("1e-8", "digits") > 5.0 && at("1e-4", "digits") > 1.5,
            "{method}"
        );
        assert!(at("1e-8", "steps") > 2.0 * at("1e-4", "steps"), "{method}");
        assert!(
            at("1e-8", "rejected") < 0.1 * at("1e-8", "steps"),
            "{method}"
        );
    }
    // order 2 against orders up to 5
    let steps = |m: &str| measured(study, &format!("{m}, tolerance 1e-8"), "steps");
    assert!(steps("generalised-alpha, index 3") > 2.0 * steps("BDF, index 2"));
}

/// The value that is printed beside a measured one.
fn printed(study: &Study, label: &str, column: &str) -> f64 {
    let i = study.columns.iter().position(|c| *c == column);
    let value = i.and_then(|i| row(study, label).paper[i]);
    value.unwrap_or_else(|| panic!("no printed `{column}` in `{label}`"))
}

/// The paper gives neither end time nor absolute tolerances; what compares are steps relative to those of
/// BDF. Its order rule fails in a tenth of the attempts.
#[test]
fn the_squeezer_takes_steps_in_the_printed_proportions() {
    let study = study("ren-zhou-table5");
    let ratio = "steps, times those of BDF at 1e-4";
    for label in [
        "generalised-alpha, index 3, tolerance 1e-6",
        "stabilised explicit, penalty, tolerance 1e-4",
        "BDF, index 3, tolerance 1e-4",
    ] {
        let (own, paper) = (measured(study, label, ratio), printed(study, label, ratio));
        assert!(
            (0.8..1.25).contains(&(own / paper)),
            "{label}: {own} {paper}"
        );
        assert!(measured(study, label, "steps") < printed(study, label, "steps"));
    }
    let label = "BDF, index 3, published order rule, tolerance 1e-4";
    let repeated = measured(study, label, "rejected, % of attempts");
    assert!((5.0..15.0).contains(&repeated), "{repeated}");
}

/// At the tolerances of the paper generalised-alpha takes 1.07 times the printed steps, BDF fewer.
#[test]
fn the_elastic_crank_takes_the_printed_steps() {
    let study = study("ren-zhou-table6");
    for (words, most) in [
        ("generalised-alpha, index 3", 1.1),
        ("BDF, index 3", 1.0),
        ("BDF, index 2", 1.0),
    ] {
        let label = format!("as published: {words}");
        let of = |column| measured(study, &label, column);
        let steps = of("steps") / printed(study, &label, "steps");
        assert!(steps <= most, "{words}: {steps}");
        assert!(of("digits, rigid") > 5.5, "{words}");
    }
}

/// The spike measure separates the formulations: 0.3 and more in index 3, a hundredth below.
#[test]
fn index_3_spikes_and_lower_indices_do_not() {
    let study = study("ren-zhou-table6");
    let largest = |label: &str| {
        let of = |column| measured(study, label, column);
        of("largest spike, rod end").max(of("largest spike, slider"))
    };
    let count = |label: &str| {
        let of = |column| measured(study, label, column);
        of("spikes, rod end") + of("spikes, slider")
    };
    for spiky in ["generalised-alpha, index 3", "BDF, index 3"] {
        assert!(largest(spiky) > 0.25 && count(spiky) > 0.0, "{spiky}");
    }
    for smooth in [
        "generalised-alpha, index 2",
        "BDF, index 2",
        "BDF of order 1 and 2, index 2",
        "BDF, index 1",
    ] {
        assert!(largest(smooth) < 0.05 && count(smooth) == 0.0, "{smooth}");
    }
    let tight = |row: &&StudyRow| !row.label.starts_with("as published");
    for row in study.rows.iter().filter(tight) {
        let rigid = row.measured_in(study, "digits, rigid").unwrap();
        assert!(rigid > 5.5, "{}: {rigid:.1}", row.label);
        let all = row.measured_in(study, "digits, all").unwrap();
        assert!(all > 1.5, "{}: {all:.1}", row.label);
    }
    let order = |label: &str| measured(study, label, "mean order");
    assert!(order("BDF, index 3") > 3.0 && order("BDF of order 1 and 2, index 3") <= 2.0);
}

/// With the norm and the step formula of the paper steps are the printed ones, and errors 2 to 7 times those of
/// table 4, repaired, and of table 6; the test of the library has the printed errors for up to 1.55 times the
/// steps, or the printed steps with its own tolerance of velocities.
#[test]
fn the_stiff_double_pendulum_takes_the_printed_steps() {
    let study = study("negrut-tables4-6");
    assert_eq!(study.rows.len(), 18);
    let errors = [
        "angle: largest error, rad",
        "angle: mean error, rad",
        "rate: largest error, rad/s",
        "rate: mean error, rad/s",
    ];
    for k in 2..=7 {
        let of = |block: &str, column: &str| {
            let label = format!("{block}, tolerance 1e-{k}");
            measured(study, &label, column) / printed(study, &label, column)
        };
        let [published, worst, by_size] = [
            "as published",
            "worst of all coordinates",
            "the same, velocities by their size",
        ];
        let steps = of(published, "steps");
        assert!((0.95..1.15).contains(&steps), "{k}: {steps}");
        assert!(of(worst, "steps") <= 1.6, "{k}: {}", of(worst, "steps"));
        assert!(of(by_size, "steps") <= 1.2, "{k}: {}", of(by_size, "steps"));
        if k > 5 {
            continue;
        }
        for column in errors {
            assert!(
                of(published, column) < 7.5,
                "{k}, {column}: {}",
                of(published, column)
            );
            assert!(
                of(worst, column) < 1.7,
                "{k}, {column}: {}",
                of(worst, column)
            );
        }
        // the absolute errors of three rows are printed ten times too large
        let factor = if k < 5 { 10.0 } else { 1.0 };
        let label = format!("{published}, tolerance 1e-{k}");
        let [as_printed, repaired] = ["angle: largest error as printed, rad", errors[0]]
            .map(|column| printed(study, &label, column));
        assert!((as_printed / repaired / factor - 1.0).abs() < 1e-12);
        assert!(k == 5 || measured(study, &label, errors[0]) < as_printed);
    }
    // a decade of tolerance is a decade of error
    for block in ["as published", "worst of all coordinates"] {
        let error = |k: i32| measured(study, &format!("{block}, tolerance 1e-{k}"), errors[0]);
        assert!(error(2) / error(7) > 1e3, "{block}");
    }
}

/// Explicit steps are bound by stability at every tolerance, Rosenbrock-Nystrom's by accuracy: a
/// hundred times faster at 1e-3 with an error of the tolerance at most. The span that is run
/// explicitly ends at the same height.
#[test]
fn the_stiff_vehicle_needs_implicit_steps() {
    let study = study("negrut-tables7-8");
    let of = |label: &str, column: &str| measured(study, label, column);
    for tol in ["1e-2", "1e-3", "1e-4", "1e-5"] {
        let value: f64 = tol.parse().unwrap();
        // a mean step between 1e-5 and 1e-6 s is printed
        let label = format!("adams state-space, tolerance {tol}");
        let adams = of(&label, "steps to 4 s");
        assert!((4e5..4e6).contains(&adams), "{tol}: {adams}");
        assert!(of(&label, "height off after the short span, m") < 0.1 * value);
        let label = format!("dopri5 state-space, tolerance {tol}");
        let steps = of(&label, "steps to 4 s");
        // 3.3 over an eigenvalue of -2.6e5 1/s for 4 s, give or take what step control wastes
        assert!((2.8e5..4.0e5).contains(&steps), "{tol}: {steps}");
        assert!(of(&label, "height off after the short span, m") < 0.1 * value);
        let label = format!("rosenbrock state-space, tolerance {tol}");
        assert!(of(&label, "error of height, m") < 0.2 * value, "{tol}");
        assert!(of(&label, "height off after the short span, m") < 0.1 * value);
        assert!(of(&label, "steps to 4 s") < 0.01 * steps, "{tol}");
        let faster = "times faster than adams to 4 s";
        let (own, paper) = (of(&label, faster), printed(study, &label, faster));
        assert!(own > paper, "{tol}: {own} beside {paper}");
    }
    let fastest = of("rosenbrock state-space, tolerance 1e-3", "time to 4 s, s");
    for formulation in ["state-space", "projected"] {
        let label = format!("dopri5 {formulation}, tolerance 1e-3");
        let time = of(&label, "time to 4 s, s");
        assert!(time > 100.0 * fastest, "{formulation}: {time} {fastest}");
    }
}

/// The paper: 52 % of the time of dense differences. Work is asserted, times only shown.
#[test]
fn groups_and_recombination_save_half_on_the_carriage() {
    let study = study("arnold-table1");
    let of = |label: &str, column: &str| measured(study, label, column);
    let calls = "function calls, %";
    // 20 % and 44 % when this was written
    assert!(of("grouped, partitioned", calls) < 30.0);
    let kept = "function calls, % of blocks kept";
    assert!(of("grouped, partitioned", kept) < 60.0);
    assert_eq!(of("dense, blocks kept", kept), 100.0);
    // 90 of 98 columns each time, those of the stabilising correction are known
    let baseline = |column: &str| of("dense, classical reuse", column);
    let (all, own) = (
        baseline("function calls"),
        baseline("calls without Jacobians"),
    );
    assert_eq!(all - own, 90.0 * baseline("Jacobian evaluations"));
    // the published lines: groups and recombination save calls in both formalisms, as printed
    for formalism in ["explicit", "residual"] {
        let label = |line: &str| format!("{formalism}, {line}");
        let all = of(&label("dense"), "function calls");
        let own = of(&label("dense"), "calls without Jacobians");
        let evaluations = of(&label("dense"), "Jacobian evaluations");
        assert_eq!(all - own, 90.0 * evaluations, "{formalism}");
        for line in ["sparse", "dense, partitioned", "sparse, partitioned"] {
            let (own, paper) = (of(&label(line), calls), printed(study, &label(line), calls));
            assert!(own < 1.1 * paper, "{formalism}, {line}: {own} {paper}");
        }
        let evaluations_left = of(&label("sparse, partitioned"), "Jacobian evaluations");
        assert!(evaluations_left < 0.5 * evaluations, "{formalism}");
    }
    assert!(of("grouped", calls) < of("dense, blocks kept", calls));
    for row in &study.rows {
        let error = row.measured_in(study, "error over tolerance").unwrap();
        // matrices kept under the rules of DASSL cost it accuracy: 8.7, with updates 12.4
        let published = ["explicit, ", "residual, "].map(|p| row.label.starts_with(p));
        let most = if published.contains(&true) {
            15.0
        } else {
            10.0
        };
        assert!(error < most, "{}: {error}", row.label);
    }
    let growth = study.figures.iter().find(|f| f.name == "pattern_growth");
    let points = &growth.unwrap().curves[0].points;
    let at = |t: f64| points.iter().take_while(|p| p.0 < t).last().unwrap().1;
    // wheelset 1 enters the curve at 0.71 s
    assert!(at(0.6) < 0.2 * at(15.1) && at(15.1) > 200.0);
}

/// The paper: 59, 96 and 43 evaluations fall to 6 to 12 by updates, a factor of 6 to 12, and 68.2 % of
/// the time remain for N = 14. Medians of 15 runs still scatter by a fifth: 54 to 84 evaluations fall
/// to 2 to 5. Work is asserted, times only shown. Under DASSL one call for each step is the least, and
/// 74 to 86 % of the calls remain. The control of the library takes fewer steps of two iterations: 118 to
/// 150 % of the calls, and a single evaluation.
#[test]
fn updates_save_most_evaluations_of_the_chain() {
    let study = study("arnold-table2");
    for n in [12, 14, 16] {
        let of = |words: &str, column: &str| measured(study, &format!("N = {n}, {words}"), column);
        let evaluations = |words: &str| of(words, "Jacobian evaluations");
        let (classical, calls) = ("dense, classical reuse", "function calls, %");
        assert!((35.0..120.0).contains(&evaluations(classical)), "N = {n}");
        for words in [
            "grouped, partitioned",
            "dense, extended",
            "grouped, extended",
        ] {
            let saved = evaluations(classical) / evaluations(words);
            assert!(saved >= 6.0, "N = {n}, {words}: {saved}");
            assert!(of(words, calls) < 90.0, "N = {n}, {words}");
            // nothing is left to be saved: a call for each step, a few for its repetition
            let least = of(words, "calls without Jacobians");
            assert!(least > 0.96 * of(words, "function calls"), "N = {n}");
            assert!(least < 1.12 * of(words, "steps"), "N = {n}");
        }
        let own = "`--method bdf --jacobian partitioned`";
        // two iterations a step; the paper, whose iterations are single, prints 68.2 for N = 14
        let most = [(12, 155.0), (14, 133.0), (16, 123.0)];
        let most = most.iter().find(|m| m.0 == n).expect("there").1;
        assert!(of(own, calls) <= most, "N = {n}: {}", of(own, calls));
        assert!(of(own, "calls without Jacobians") < 2.01 * of(own, "steps"));
        assert!(evaluations(own) <= 2.0, "N = {n}");
        // the rules of the library need a single evaluation, and never more calls
        let extended = "DASSL with `--jacobian extended`";
        assert!(evaluations(extended) <= 2.0, "N = {n}");
        for words in ["dense, blocks kept", extended] {
            assert!(of(words, calls) < 90.0, "N = {n}, {words}");
            assert!(
                of(words, "updates") < 0.1 * of(words, "steps"),
                "N = {n}, {words}"
            );
        }
    }
}

/// At order 5 the end of 30 to 70 undamped periods is within 10 tolerances of the reference, 12 for
/// N = 12 and 14, whatever the Jacobian, and strategies differ by no more than that from exact ones. That goes
/// for the step control of the library, too, whose stability watch follows the modes.
#[test]
fn no_strategy_costs_accuracy_on_the_chain() {
    let study = study("arnold-table2");
    for n in [12, 14, 16] {
        for row in &study.rows {
            if !row.label.starts_with(&format!("N = {n}")) {
                continue;
            }
            let of = |column: &str| row.measured_in(study, column).unwrap();
            let steps = of("steps");
            let most = if n == 16 { 10.0 } else { 12.0 };
            let error = of("error over tolerance");
            assert!(error < most, "{}: {error}", row.label);
            assert!((5500.0..8500.0).contains(&steps), "{}: {steps}", row.label);
            let apart = of("off exact Jacobians, over tolerance");
            assert!(apart < 10.0, "{}: {apart}", row.label);
        }
    }
    let figure = study.figures.iter().find(|f| f.name == "figure7_instants");
    let strokes = |name: &str| {
        let curves = &figure.unwrap().curves;
        let curve = curves.iter().find(|c| c.name == name);
        curve.map_or(0, |c| c.points.len() / 3)
    };
    let (before, after) = (
        strokes("dense, classical reuse: evaluations"),
        strokes("grouped, extended: evaluations"),
    );
    assert!(before > 4 * after && after > 0, "{before} {after}");
    assert!(strokes("grouped, extended: updates") > 0);
}

/// In joint coordinates one evaluation at the start serves the whole run, factors last for steps and steps
/// take two iterations: about 29 % of the function calls of the baseline. In absolute coordinates
/// wheels turn the normals of the constraints, so that the baseline evaluates in nearly every step: 1 %
/// of its calls remain, and of its time 8 %, asserted with room for a busy machine.
#[test]
fn one_jacobian_drives_the_car() {
    let study = study("arnold-table3");
    let of = |label: &str, column: &str| measured(study, label, column);
    // 426 and 487 calls of 1487
    for (words, most) in [("grouped, partitioned", 29.6), ("grouped, extended", 34.2)] {
        assert!(of(words, "Jacobian evaluations") <= 2.0);
        let calls = of(words, "function calls, %");
        assert!(calls < most, "{words}: {calls}");
        // factors are kept: fewer updates than steps by far
        assert!(of(words, "updates") < 0.4 * of(words, "steps"));
    }
    // under the rules of the paper updates leave one evaluation of nine, a larger share than printed is saved
    for line in [
        "dense, partitioned",
        "dense, extended",
        "sparse, partitioned",
        "sparse, extended",
    ] {
        let (label, column) = (format!("DASSL, {line}"), "Jacobian evaluations, %");
        assert!(
            of(&label, column) < printed(study, &label, column),
            "{line}"
        );
        assert!(of(&label, "function calls, %") < 45.0, "{line}");
    }
    let absolute = "absolute coordinates, index 3, grouped, partitioned";
    assert!(of(absolute, "function calls, %") < 2.0);
    assert!(of(absolute, "time, %") < 20.0);
    assert!(of("dense, classical reuse", "Jacobian evaluations") > 8.0);
    for row in &study.rows {
        let error = row.measured_in(study, "error over tolerance").unwrap();
        assert!(error < 10.0, "{}: {error}", row.label);
    }
}

/// Local errors of co-simulation follow H^(k+3) and H^(k+2); extrapolation is estimated to a few per
/// cent, interpolation within a factor 2 at H = 0.025. The leading term of the interpolated run is small
/// and does not lead alone yet between H = 0.025 and 0.0125: exponents are up to 0.4 too high.
#[test]
fn coupling_errors_have_the_proven_orders() {
    let study = study("meyer-orders");
    for k in 0..=3 {
        for (run, within) in [("extrapolation", 0.1), ("interpolation", 0.45)] {
            let label = format!("degree {k}, {run}");
            let row = row(study, &label);
            for (column, proven) in ["order, position", "order, velocity"]
                .iter()
                .zip(&row.paper)
            {
                let found = measured(study, &label, column);
                let proven = proven.expect("the orders are proven");
                assert!(
                    (found - proven).abs() < within,
                    "{label}, {column}: {found}"
                );
            }
            for column in [
                "est/true, position, H = 0.025",
                "est/true, velocity, H = 0.025",
            ] {
                let ratio = measured(study, &label, column);
                assert!((0.5..2.0).contains(&ratio), "{label}, {column}: {ratio}");
            }
        }
    }
    assert_eq!(study.figures.len(), 4);
}

/// All forms and rules follow the squeezer; none of the rules takes fewer steps than that of the library by
/// more than a tenth.
#[test]
fn order_rules_stand_on_equal_terms() {
    let study = study("order-rules");
    let of = |label: &str, column: &str| {
        let row = study.rows.iter().find(|r| r.label.contains(label));
        row.and_then(|r| r.measured_in(study, column))
    };
    for row in &study.rows {
        let digits = row.measured_in(study, "digits, squeezer");
        assert!(digits > Some(3.0), "{}: {digits:?}", row.label);
    }
    let own = of("of the library", "steps, squeezer").expect("finished");
    for rule in ["DASSL", "at once", "DIFSUB", "Stewart", "Skelboe"] {
        let steps = of(rule, "steps, squeezer").expect(rule);
        assert!(steps > 0.9 * own, "{rule}: {steps} beside {own}");
    }
    // a rule without a watch follows the vibrations of the crank
    let own = of("of the library", "steps, crank").expect("finished");
    assert!(of("at once", "steps, crank").expect("finished") > own);
}
