//! The matrix that `check --jacobian` shows is the one that a run lays out and factors.

use linkwork::mbs::text;
use linkwork::sparsity::{AUXILIARY, Sparsity, sparsity};
use linkwork::{Options, Simulation, catalogue};

/// A chain of rods, its end tied to the ground by a spring or, to close a loop, by a joint.
fn chain(n: usize, end: &str) -> String {
    let mut model = "[model]\ngravity = [0, -9.81]\n".to_string();
    for i in 0..n {
        let before = match i {
            0 => String::new(),
            i => format!("body_a = \"rod{}\"\n", i - 1),
        };
        model += &format!(
            "[[body]]\nname = \"rod{i}\"\nmass = 1\ninertia = 0.0833\nposition = [{i}.5, 0]\n
             [[joint]]\nname = \"hinge{i}\"\nkind = \"revolute\"\n{before}body_b = \"rod{i}\"\nat = [{i}, 0]\n"
        );
    }
    model
        + &end
            .replace("LAST", &format!("rod{}", n - 1))
            .replace("END", &n.to_string())
}

const SPRING: &str = "[[force]]\nname = \"tie\"\nkind = \"spring_damper\"\nbody_b = \"LAST\"\n\
                      at_a = [END, 1]\nat_b = [END, 0]\nstiffness = 100\ndamping = 1\n";
const LOOP: &str = "[[joint]]\nname = \"rail\"\nkind = \"point_on_line\"\nbody_b = \"LAST\"\nat = [END, 0]\naxis = [1, 0]\n";

/// Rods in space, each on a ball joint: three rotations move all that follow.
fn balls(n: usize) -> String {
    let mut model = "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n".to_string();
    for i in 0..n {
        let before = match i {
            0 => String::new(),
            i => format!("body_a = \"rod{}\"\n", i - 1),
        };
        model += &format!(
            "[[body]]\nname = \"rod{i}\"\nmass = 1\ninertia = [0.01, 0.08, 0.08]\nposition = [{i}.5, 0, 0]\n
             [[joint]]\nname = \"ball{i}\"\nkind = \"spherical\"\n{before}body_b = \"rod{i}\"\nat = [{i}, 0, 0]\n"
        );
    }
    model
}

fn simulation(model: &str, kind: &str, formulation: &str, jacobian: &str) -> Simulation {
    let document = text::read(model).unwrap();
    let coordinates = Options {
        coordinates: Some(kind.to_string()),
        ..Options::default()
    };
    let options = Options {
        t_end: Some(1.0),

        formulation: Some(formulation.to_string()),
        jacobian: Some(jacobian.to_string()),
        ..Options::default()
    };
    let made = Simulation::from_document_with(&document, coordinates).unwrap();
    made.options(options)
}

fn look(simulation: &mut Simulation) -> Sparsity {
    let settings = simulation.settings().unwrap();
    let start = simulation.start().unwrap();
    let found = sparsity(simulation.system(), &settings, &start).unwrap();
    found.expect("an implicit method")
}

/// The same pattern and unknowns as a stepper lays out, whatever the form of the derivatives.
#[test]
fn it_is_the_matrix_of_a_stepper() {
    let squeezer = catalogue::MODELS.iter().find(|m| m.name == "squeezer");
    let car = catalogue::MODELS.iter().find(|m| m.name == "hmmwv");
    let models = [
        chain(3, ""),
        chain(20, SPRING),
        chain(12, LOOP),
        balls(9),
        squeezer.unwrap().text.to_string(),
        car.unwrap().text.to_string(),
    ];
    let mut forms = Vec::new();
    for model in &models {
        for (kind, formulation, jacobian) in [
            ("absolute", "ggl", "exact"),
            ("joint", "index3", "exact"),
            ("joint", "ggl", "exact"),
            ("joint", "ggl", "grouped"),
        ] {
            let mut simulation = simulation(model, kind, formulation, jacobian);
            let found = look(&mut simulation);
            let settings = simulation.settings().unwrap();
            let start = simulation.start().unwrap();
            let sys = simulation.system();
            let mut implicit = settings.recipe.implicit(sys).expect("an implicit method");
            implicit.bind(sys, &start.rows);
            assert_eq!(implicit.matrix.pattern, found.pattern);
            let own = implicit.form.size();
            assert_eq!(found.auxiliary(), found.pattern.n - own);
            assert_eq!(found.auxiliary() > 0, sys.facts().auxiliary.is_some());
            assert_eq!(found.grouping.is_none(), found.auxiliary() > 0);
            assert_eq!(found.auxiliary() > 0, found.form() == "augmented");
            assert!(jacobian == "exact" || found.auxiliary() == 0);
            let unknowns: usize = found.sections.iter().map(|s| s.count).sum();
            assert_eq!(unknowns, found.pattern.n);
            assert!(found.factor.is_some());
            forms.push(found.form());
        }
    }
    assert!(forms.contains(&"stored") && forms.contains(&"augmented"));
}

/// Entries and fill of a long chain are in proportion to its length.
#[test]
fn a_thousand_rods_are_no_full_matrix() {
    let sizes = [500, 1000].map(|n| {
        let found = look(&mut simulation(&chain(n, SPRING), "joint", "ggl", "exact"));
        let last = found.sections.last().unwrap();
        assert_eq!(last.kind, AUXILIARY);
        let text = found.text(100);
        assert!(text.contains('a') && text.contains('x'));
        // strokes of entries that touch: fewer than entries, and lines between kinds of unknowns
        let drawing = found.svg("chain");
        assert!(drawing.matches("<rect").count() <= found.pattern.nnz() + 2);
        assert!(drawing.contains(" auxiliary</text>") && drawing.contains("#999999"));
        let factor = found.factor.unwrap();
        // 129 for each rod: damping at the end adds variations of velocities to the 75 of a free chain
        assert!(factor < 150 * n, "{factor}");
        [found.pattern.n, found.pattern.nnz(), factor]
    });
    for (short, long) in sizes[0].iter().zip(sizes[1]) {
        let ratio = long as f64 / *short as f64;
        assert!((ratio - 2.0).abs() < 0.05, "{ratio}");
    }
}

/// The condition of a run is told where it is asked for: of methods that iterate, the worst of many instants. In units of
/// positions it hardly depends on the step, four decades of it (Bottasso, Dopico & Trainelli 2008), and a run does not notice
/// that it is watched.
#[test]
fn the_condition_of_a_run_is_told_on_request() {
    let path = format!("{}/../../models/squeezer.toml", env!("CARGO_MANIFEST_DIR"));
    let model = std::fs::read_to_string(path).unwrap();
    let run = |options: Options| {
        let document = text::read(&model).unwrap();
        Simulation::from_document_with(&document, options.t_end(0.01))
            .unwrap()
            .run()
    };
    let asked = || Options::new().method("bdf").condition(true);
    for formulation in ["index3", "ggl"] {
        let watched = run(asked().formulation(formulation)).unwrap();
        let found = watched.conditioning.unwrap();
        assert!(found.condition > 10.0 && found.condition < 1e7, "{found:?}");
        assert_eq!(found.rounding, found.condition * f64::EPSILON);
        assert!(found.least <= found.condition, "{found:?}");
        assert!(found.t > 0.0 && found.step > 0.0, "{found:?}");
        let alone = run(Options::new().method("bdf").formulation(formulation)).unwrap();
        assert!(alone.conditioning.is_none());
        assert_eq!(alone.stats, watched.stats);
        let bits = |run: &linkwork::Run| {
            let angle = run.channel("crank.angle").unwrap();
            angle.last().unwrap().to_bits()
        };
        assert_eq!(bits(&alone), bits(&watched));
    }
    let at = |h: f64| {
        let fixed = Options::new().method("gen-alpha").step(h).t_end(20.0 * h);
        let document = text::read(&model).unwrap();
        let simulation = Simulation::from_document_with(&document, fixed.condition(true));
        let run = simulation.unwrap().run().unwrap();
        run.conditioning.unwrap().condition
    };
    let conditions = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9].map(at);
    let [low, high] = [f64::min, f64::max].map(|f| conditions.into_iter().reduce(f).unwrap());
    assert!(high < 3.0 * low, "{conditions:?}");
    // methods that do not iterate have none
    let refused = run(Options::new().method("dop853").condition(true)).unwrap_err();
    assert_eq!(refused.option, "condition");
}
