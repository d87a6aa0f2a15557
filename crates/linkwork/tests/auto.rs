//! The method that a plain run takes: the cheaper one, changed where the model changes its character, with
//! end values that can be believed.

use linkwork::mbs::text;
use linkwork::{Note, Options, Run, Simulation, Verdict};

/// A pendulum whose hinge is held by a strong brake for a while.
const BRAKED: &str = r#"
[model]
gravity = [0, -9.81]

[[body]]
name = "bar"
mass = 1
inertia = 0.083
position = [0.5, 0]

[[joint]]
name = "hinge"
kind = "revolute"
body_b = "bar"
point_a = [0, 0]
point_b = [-0.5, 0]

[[force]]
name = "brake"
kind = "torque"
body_b = "bar"
torque = "-bar.angle.velocity*step(t, 2, 0, 2.1, 1e6)*step(t, 6, 1, 6.1, 0)"

[simulation]
t_end = 30
"#;

fn simulation(text: &str, options: &Options) -> Simulation {
    let document = text::read(text).unwrap();
    Simulation::from_document_with(&document, options.clone()).unwrap()
}

fn model(name: &str) -> String {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn turns(run: &Run) -> Vec<&'static str> {
    let of = |note: &Note| match note {
        Note::Chose { method, .. } | Note::Turned { method, .. } => Some(*method),
        _ => None,
    };
    run.notes.iter().filter_map(of).collect()
}

#[test]
fn the_method_changes_with_the_model() {
    let run = simulation(BRAKED, &Options::new()).run().unwrap();
    assert!(run.failure().is_none(), "{run:?}");
    assert_eq!(turns(&run).first(), Some(&"dop853"), "{:?}", run.notes);
    let turned = |from: f64, to: f64| {
        let within =
            |note: &&Note| matches!(note, Note::Turned { t, .. } if (from..to).contains(t));
        run.notes.iter().any(|note| within(&note))
    };
    // as soon as the brake is on, and not long after it is off
    assert!(turned(2.0, 2.1) && turned(6.0, 12.0), "{:?}", run.notes);
    // explicit steps alone would be held at 1e-6 s for four seconds
    assert!(run.stats.steps < 20_000, "{} steps", run.stats.steps);

    let tight = Options::new().method("bdf").rtol(1e-9);
    let exact = simulation(BRAKED, &tight).run().unwrap();
    for (name, bound) in [("bar.angle", 1e-2), ("bar.angle.velocity", 1e-2)] {
        let [a, b] = [&run, &exact].map(|r| *r.channel(name).unwrap().last().unwrap());
        assert!((a - b).abs() < bound, "{name}: {a} {b}, {:?}", run.notes);
    }
}

/// Explicit steps that stability limits for a while are told to whoever named them, and to nobody else.
#[test]
fn who_chooses_the_method_is_not_advised_to_take_another() {
    let advised = |options: Options| {
        let run = simulation(&model("suspension"), &options).run().unwrap();
        let told = |n: &Note| matches!(n, Note::Integrator(words) if words.contains("implicit"));
        (turns(&run).contains(&"dop853"), run.notes.iter().any(told))
    };
    assert_eq!(advised(Options::new()), (true, false));
    assert!(advised(Options::new().method("dop853")).1);
}

#[test]
fn turns_are_taken_again_after_a_restart() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let whole = simulation(BRAKED, &Options::new()).run().unwrap();
    let last = |run: &Run| -> Vec<u64> {
        let table = &run.table;
        let row = table.times().len() - 1;
        (table.channels().iter())
            .map(|c| run.channel(&c.name).unwrap()[row].to_bits())
            .collect()
    };
    for t in [1.0, 4.0, 25.0] {
        let path = folder.join("braked.ckpt");
        let half = Options::new().t_end(t).checkpoint(&path);
        simulation(BRAKED, &half).run().unwrap();
        let rest = Options::new().restart(&path);
        let rest = simulation(BRAKED, &rest).run().unwrap();
        assert_eq!(last(&rest), last(&whole), "saved at {t} s");
        assert_eq!(rest.stats, whole.stats, "saved at {t} s");
    }
}

/// A cam whose outline is a table of 24 points turns three times: at every point the third derivative jumps. No mode
/// limits explicit steps, but every second attempt fails, so that what was foreseen has to be tried.
#[test]
fn a_motion_that_is_hardly_smooth_is_handed_over() {
    let outline = |angle: f64| 0.01 * angle.cos() + (9e-4 - (0.01 * angle.sin()).powi(2)).sqrt();
    let row = |k: i32| {
        let degrees = 15.0 * f64::from(k);
        format!("[\"{degrees} deg\", {}]", outline(degrees.to_radians()))
    };
    let rows: Vec<String> = (0..=24).map(row).collect();
    let body = |name: &str, z: f64| {
        format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = 0.02\nposition = [0, 0, {z}]\n")
    };
    let joint = |keys: &str| format!("[[joint]]\n{keys}\n");
    let parts = [
        body("cam", 0.0),
        body("tappet", 0.04),
        joint(
            "name = \"bearing\"\nkind = \"revolute\"\nbody_b = \"cam\"\nat = [0, 0, 0]\naxis = [0, -1, 0]",
        ),
        joint(
            "name = \"guide\"\nkind = \"prismatic\"\nbody_b = \"tappet\"\nat = [0, 0, 0.04]\naxis = [0, 0, 1]",
        ),
        joint(
            "name = \"motor\"\nkind = \"drive\"\nbody_b = \"cam\"\naxis = [0, -1, 0]\nvalue = \"10*t\"",
        ),
        joint(&format!(
            "name = \"tip\"\nkind = \"cam\"\nbody_a = \"cam\"\nbody_b = \"tappet\"\naxis = [0, -1, 0]\n\
             normal_a = [0, 0, 1]\nprofile = [{}]",
            rows.join(", ")
        )),
    ];
    let model = "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n";
    let text = format!("{model}{}[simulation]\nt_end = 1.9\n", parts.concat());
    for rtol in [1e-6, 1e-9] {
        let run = simulation(&text, &Options::new().rtol(rtol)).run().unwrap();
        let stats = &run.stats;
        assert_eq!(run.verdict, Verdict::Converged, "{rtol}: {:?}", run.doubts);
        assert_eq!(turns(&run), ["dop853", "radau"], "{rtol}");
        assert!(stats.steps + stats.rejected < 150, "{rtol}: {stats:?}");
        let end = *run.channel("tappet.z").unwrap().last().unwrap();
        assert!((end - outline(-19.0)).abs() < 5e-7, "{rtol}: {end}");
    }
}

/// End values of a plain run, against a tight one and relative to the range of the channel. One that hardly
/// moves is compared with its value, and with the largest range of its unit.
#[test]
fn a_plain_run_gives_three_digits() {
    let mut bad = Vec::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut names: Vec<String> = (std::fs::read_dir(folder).unwrap())
        .filter_map(|e| e.unwrap().file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".toml").map(String::from))
        .collect();
    names.sort();
    assert!(names.len() > 20);
    for name in names {
        let text = model(&name);
        let mut options = Options::new();
        if name == "carriage" {
            // wheels that turn some hundred times take long
            options = options.t_end(2.5);
        }
        let plain = simulation(&text, &options).run().unwrap();
        let tight = options.method("bdf").rtol(1e-10);
        let tight = simulation(&text, &tight).run().unwrap();
        let motion = |unit: &str| ["m", "rad", "m/s", "rad/s"].contains(&unit);
        let range = |channel: &str| {
            let values = tight.channel(channel).unwrap();
            let most = values.iter().copied().fold(f64::MIN, f64::max);
            most - values.iter().copied().fold(f64::MAX, f64::min)
        };
        let channels = tight.table.channels();
        for c in channels.iter().filter(|c| motion(&c.unit)) {
            let like = channels.iter().filter(|o| o.unit == c.unit);
            let largest = like.map(|o| range(&o.name)).fold(0.0, f64::max);
            let steady = |value: f64| (range(&c.name) < 1e-3 * value).then_some(value);
            let [a, b] = [&plain, &tight].map(|r| *r.channel(&c.name).unwrap().last().unwrap());
            let size = (range(&c.name).max(1e-2 * largest)).max(steady(b.abs()).unwrap_or(1e-9));
            let error = (a - b).abs() / size;
            if !(error < 1e-3) {
                bad.push(format!(
                    "{name}: {} off by {error:.1e} of its range",
                    c.name
                ));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn options_that_bind_a_method_choose_it() {
    let method = |options: Options| {
        let settings = simulation(BRAKED, &options).settings().unwrap();
        settings.options.value("method").unwrap()
    };
    assert_eq!(method(Options::new()), "auto");
    assert_eq!(method(Options::new().formulation("index3")), "bdf");
    assert_eq!(method(Options::new().formulation("penalty")), "rock4");
    assert_eq!(method(Options::new().max_order(3)), "bdf");
    assert_eq!(method(Options::new().method("adams").max_order(3)), "adams");
}

/// Coordinates are chosen with the method: joint ones where they take away most of the unknowns, and only where nobody has
/// named method or coordinates, or parts by the names that they have in one of them. A run in those that were chosen is the run in
/// the same that are named, to the last bit, and takes less work than one in the others.
#[test]
fn coordinates_are_chosen_with_the_method() {
    let chosen = |name: &str, options: &Options| {
        let run = simulation(&model(name), options).run().unwrap();
        assert!(run.failure().is_none(), "{name}");
        let told = run.notes.iter().any(|note| {
            matches!(note, Note::Chose { unknowns: Some([absolute, joint]), .. } if 3 * joint < *absolute)
        });
        let coordinates = run.options.coordinates.clone().unwrap();
        assert_eq!(told, coordinates == "joint", "{name}: {:?}", run.notes);
        (coordinates, run)
    };
    let short = |name: &str| match name {
        "passenger_car" | "hmmwv" => Options::new().t_end(0.5),
        _ => Options::new(),
    };
    for name in ["gyroscope", "passenger_car", "hmmwv"] {
        let options = short(name);
        let (coordinates, run) = chosen(name, &options);
        assert_eq!(coordinates, "joint", "{name}");
        let by = |word: &str| {
            let options = options.clone().coordinates(word);
            simulation(&model(name), &options).run().unwrap()
        };
        let (joint, absolute) = (by("joint"), by("absolute"));
        assert_eq!(run.stats, joint.stats, "{name}");
        let end = |run: &Run, channel: &str| *run.channel(channel).unwrap().last().unwrap();
        for c in run.table.channels() {
            let [a, b] = [&run, &joint].map(|r| end(r, &c.name).to_bits());
            assert_eq!(a, b, "{name}: {}", c.name);
        }
        assert!(run.stats.steps <= absolute.stats.steps, "{name}");
    }
    for name in ["squeezer", "heavy_top", "coin", "flexible_arm"] {
        let options = Options::new().t_end(0.01);
        assert_eq!(chosen(name, &options).0, "absolute", "{name}");
    }
    let bound = [
        Options::new().method("bdf"),
        Options::new().coordinates("absolute"),
        Options::new().formulation("index3"),
        Options::new().atol_of(&["rotor=1e-9"]),
    ];
    for options in bound {
        let options = options.t_end(0.1);
        assert_eq!(chosen("gyroscope", &options).0, "absolute", "{options:?}");
    }
    // whoever names a method later has the coordinates that go with it
    let mut gyroscope = simulation(&model("gyroscope"), &Options::new().t_end(0.1));
    let word = |run: &Run| run.options.coordinates.clone().unwrap();
    assert_eq!(word(&gyroscope.run().unwrap()), "joint");
    let mut gyroscope = gyroscope.method("bdf");
    assert_eq!(word(&gyroscope.run().unwrap()), "absolute");
}

/// A run in coordinates that were chosen is saved and goes on in them.
#[test]
fn chosen_coordinates_outlast_a_checkpoint() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gyroscope.ckpt");
    let whole = simulation(&model("gyroscope"), &Options::new())
        .run()
        .unwrap();
    let half = Options::new().t_end(0.7).checkpoint(&path);
    simulation(&model("gyroscope"), &half).run().unwrap();
    let rest = simulation(&model("gyroscope"), &Options::new().restart(&path));
    let rest = { rest }.run().unwrap();
    assert_eq!(rest.stats, whole.stats);
    let end = |run: &Run| run.channel("rotor.z").unwrap().last().unwrap().to_bits();
    assert_eq!(end(&rest), end(&whole));
}

/// A flexible rod that swings from one end, without damping.
fn rod(keys: &str) -> String {
    format!(
        "[model]\ngravity = [0, -9.81]\n\
         [[section]]\nname = \"bar\"\nkind = \"rectangle\"\nheight = 0.02\nwidth = 0.02\n\
         [[material]]\nname = \"steel\"\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800\n\
         [[body]]\nname = \"rod\"\nkind = \"flexible_beam\"\nlength = 1.5\nsection = \"bar\"\nmaterial = \"steel\"\n{keys}\n\
         [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbody_b = \"rod.start\"\nat = [0, 0]\n\
         [simulation]\nt_end = 1\n"
    )
}

/// Collocation steps over vibrations that nothing damps with fewer evaluations than explicit steps follow them: in both
/// coordinates it begins, and is not left for a method that takes more. Few modes and many, stiff frames and pinned ones.
#[test]
fn flexible_bodies_stay_with_collocation() {
    let sets = [
        "",
        "mode_set = \"pinned\"\nmodes = [3, 0]",
        "mode_set = \"clamped\"\nmodes = [2, 0]",
    ];
    for coordinates in ["absolute", "joint"] {
        for keys in sets {
            for rtol in [1e-4, 1e-5] {
                let options = Options::new().coordinates(coordinates).rtol(rtol);
                let run = |method: &str| {
                    let options = options.clone().method(method);
                    simulation(&rod(keys), &options).run().unwrap()
                };
                let (run, explicit) = (run("auto"), run("dop853"));
                let what = format!("{coordinates} {keys} {rtol}: {:?}", run.notes);
                assert_eq!(turns(&run), ["radau"], "{what}");
                let [own, other] = [&run.stats, &explicit.stats]
                    .map(|s| s.residual_evaluations + s.right_hand_sides);
                assert!(own < other, "{what}: {own} for {other}");
            }
        }
        for name in ["flexible_arm", "elastic_slider_crank", "springboard"] {
            let options = Options::new().coordinates(coordinates);
            let run = simulation(&model(name), &options).run().unwrap();
            assert_eq!(turns(&run), ["radau"], "{name} {coordinates}");
        }
    }
}

/// At tolerances beyond 1e-4 collocation has three stages, and following a vibration may cost it more than explicit steps
/// of order 8: whichever is taken, nothing is lost. With work in proportion to the fifth root of the error collocation
/// alone would evaluate the equations as often for the same error, or more.
#[test]
fn loose_vibrations_are_followed_by_whoever_is_cheaper() {
    let keys = "mode_set = \"pinned\"\nmodes = [3, 0]";
    for coordinates in ["absolute", "joint"] {
        let run = |method: &str, rtol: f64| {
            let options = Options::new().coordinates(coordinates).rtol(rtol);
            let run = simulation(&rod(keys), &options.method(method)).run();
            run.unwrap()
        };
        let end = |run: &Run| {
            ["x", "y"].map(|axis| {
                *run.channel(&format!("rod.end.{axis}.velocity"))
                    .unwrap()
                    .last()
                    .unwrap()
            })
        };
        let known = end(&run("radau", 1e-10));
        let [(own, own_work), (other, other_work)] = ["auto", "radau"].map(|method| {
            let run = run(method, 1e-3);
            let [x, y] = end(&run);
            let s = &run.stats;
            let passes = s.residual_evaluations + s.jacobian_evaluations + s.right_hand_sides;
            ((x - known[0]).hypot(y - known[1]), passes as f64)
        });
        println!("{coordinates}: {own:e} for {own_work}, {other:e} for {other_work}");
        let alike = other_work * (other / own).powf(0.2);
        // starts differ by some steps where both take the same method
        assert!(own_work < 1.05 * alike, "{coordinates}: {own_work} {alike}");
    }
}

/// In joint coordinates collocation reads relations along the tree, so that a long chain has no full matrices: the rows of a chain of
/// twice as many links have twice as many entries.
#[test]
fn collocation_has_sparse_matrices_in_joint_coordinates() {
    let chain = |links: usize| {
        let mut text = String::from("[model]\ngravity = [0, -9.81]\n");
        for i in 0..links {
            let last = match i {
                0 => String::new(),
                i => format!("body_a = \"b{}\"\n", i - 1),
            };
            text += &format!(
                "[[body]]\nname = \"b{i}\"\nmass = 1\ninertia = 0.1\nposition = [{}, 0]\n\
                 [[joint]]\nname = \"j{i}\"\nkind = \"revolute\"\nbody_b = \"b{i}\"\n{last}at = [{i}, 0]\n",
                i as f64 + 0.5
            );
        }
        let options = Options::new()
            .coordinates("joint")
            .method("radau")
            .rtol(1e-6);
        let mut simulation = simulation(&text, &options.t_end(0.05));
        let start = simulation.start().unwrap();
        let settings = simulation.settings().unwrap();
        let found = linkwork::sparsity::sparsity(simulation.system(), &settings, &start);
        (found.unwrap().unwrap().pattern.nnz(), simulation)
    };
    let (few, _) = chain(20);
    let (many, _) = chain(40);
    assert!(many < 2 * few + few / 10, "{few} {many}");
    let (_, mut joint) = chain(8);
    let run = joint.run().unwrap();
    assert!(run.failure().is_none());
}
