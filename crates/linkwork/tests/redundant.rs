//! Redundant mechanisms by methods that choose coordinates or project: the rows kept at the start do not last.

use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation};

/// A four-bar linkage in a slanting plane whose crank turns round and round: four hinges with parallel axes, of
/// which three equations say nothing new. Which three changes with the pose.
fn four_bar() -> String {
    // in the plane, with axes u and v of it, w across
    let [a, b, c, d] = [
        [0.0, 0.0],
        [0.0, 0.3],
        [0.866_431_808_350_737_7, 0.799_295_425_052_213_5],
        [0.9, 0.0],
    ];
    let w = [1.0, 2.0, 3.0].map(|x: f64| x / 14f64.sqrt());
    let u = [13.0, -2.0, -3.0].map(|x: f64| x / 182f64.sqrt());
    let v = [
        w[1] * u[2] - w[2] * u[1],
        w[2] * u[0] - w[0] * u[2],
        w[0] * u[1] - w[1] * u[0],
    ];
    let at = |p: [f64; 2]| {
        let [x, y, z] = [0, 1, 2].map(|i| p[0] * u[i] + p[1] * v[i]);
        format!("[{x}, {y}, {z}]")
    };
    let axis = format!("[{}, {}, {}]", w[0], w[1], w[2]);
    let spin = format!(
        "angular_velocity = [{}, {}, {}]\nexact = [\"velocity\"]\n",
        10.0 * w[0],
        10.0 * w[1],
        10.0 * w[2]
    );
    let body = |name: &str, from: [f64; 2], to: [f64; 2], speed: &str| {
        let centre = at([0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])]);
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = {centre}\n{speed}\n"
        )
    };
    let hinge = |name: &str, ends: &str, p: [f64; 2]| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"revolute\"\n{ends}\nat = {}\naxis = {axis}\n\n",
            at(p)
        )
    };
    [
        "[model]\nname = \"four_bar\"\nplanar = false\ngravity = [0, -9.81, 0]\n\n".to_string(),
        body("crank", a, b, &spin),
        body("coupler", b, c, ""),
        body("rocker", d, c, ""),
        hinge("a", "body_b = \"crank\"", a),
        hinge("b", "body_a = \"crank\"\nbody_b = \"coupler\"", b),
        hinge("c", "body_a = \"coupler\"\nbody_b = \"rocker\"", c),
        hinge("d", "body_b = \"rocker\"", d),
        "[simulation]\nt_end = 3\n".to_string(),
    ]
    .concat()
}

fn model(name: &str) -> String {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn run(text: &str, options: Options) -> Run {
    let document = text::read(text).unwrap();
    let mut simulation = Simulation::from_document_with(&document, options).unwrap();
    simulation.run().unwrap()
}

fn last(run: &Run, channel: &str) -> f64 {
    *run.channel(channel).unwrap().last().unwrap()
}

/// The door passes a pose where the arms that were kept cannot hold it without the third.
#[test]
fn the_door_opens_by_every_method_of_the_state_space() {
    let tight = run(&model("door"), Options::new().method("bdf").rtol(1e-10));
    let angle = last(&tight, "arm_left.angle");
    for method in ["rosenbrock", "w", "dopri5", "dop853", "adams"] {
        let options = Options::new().method(method).formulation("state-space");
        let run = run(&model("door"), options);
        assert!(run.failure().is_none(), "{method}: {:?}", run.failure());
        let off = (last(&run, "arm_left.angle") - angle).abs();
        assert!(off < 1e-4, "{method}: {off:.1e}");
        assert!(
            run.stats.steps < 20_000,
            "{method}: {} steps",
            run.stats.steps
        );
        assert!(run.stats.exchanges > 0, "{method}");
    }
}

/// Several turns; all methods end at one place.
#[test]
fn a_redundant_loop_in_space_is_held_at_tight_tolerances() {
    let mut ends = Vec::new();
    for (method, formulation, rtol) in [
        ("dop853", "projected", 1e-8),
        ("dop853", "projected", 1e-10),
        ("dop853", "state-space", 1e-8),
        ("rosenbrock", "state-space", 1e-6),
        ("radau", "index3", 1e-9),
    ] {
        let options = Options::new()
            .method(method)
            .formulation(formulation)
            .rtol(rtol);
        let run = run(&four_bar(), options);
        let name = format!("{method} {formulation} {rtol:.0e}");
        assert!(run.failure().is_none(), "{name}: {:?}", run.failure());
        assert!(run.stats.steps < 5000, "{name}: {} steps", run.stats.steps);
        println!(
            "{name}: {} steps, {} exchanges",
            run.stats.steps, run.stats.exchanges
        );
        ends.push((name, last(&run, "coupler.x"), last(&run, "coupler.y")));
    }
    let (_, x, y) = ends[1];
    for (name, a, b) in &ends {
        let off = (a - x).hypot(b - y);
        assert!(off < 1e-5, "{name}: {off:.1e}");
    }
}

/// A run that was saved behind an exchange goes on with the rows it had.
#[test]
fn exchanged_rows_outlast_a_checkpoint() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("door.ckpt");
    let options = || Options::new().method("rosenbrock");
    let whole = run(&model("door"), options());
    let half = options().t_end(5.0).checkpoint(&path);
    assert!(run(&model("door"), half).stats.exchanges > 0);
    let rest = run(&model("door"), options().restart(&path));
    assert_eq!(rest.stats, whole.stats);
    let [a, b] = [&rest, &whole].map(|r| last(r, "leaf.x").to_bits());
    assert_eq!(a, b);
}
