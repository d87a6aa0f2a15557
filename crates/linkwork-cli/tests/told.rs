//! What must not pass in silence: starts that were changed, mechanisms that cannot move, answers that hang on the
//! coordinates, files that a text may not reach.

mod binary;

use binary::{Folder, linkwork};

/// A slider whose guess is off its guide by 0.4 m, and a spring whose free length nobody gave.
const OFF_GUIDE: &str = r#"
[[body]]
name = "slider"
mass = 1
inertia = 0.01
position = [0.3, 0.4]
[[joint]]
name = "guide"
kind = "prismatic"
body_b = "slider"
axis = [1, 0]
[[force]]
name = "spring"
kind = "spring_damper"
body_b = "slider"
stiffness = 100
[simulation]
t_end = 1
"#;

fn json(args: &[&str]) -> serde_json::Value {
    let said = linkwork(&[args, &["--json"]].concat());
    serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err))
}

#[test]
fn free_lengths_are_those_of_the_start_that_the_joints_allow() {
    let folder = Folder::new("free-length");
    let model = folder.file("off_guide.toml", OFF_GUIDE);
    for coordinates in ["absolute", "joint"] {
        let run = json(&["run", &model, "--coordinates", coordinates]);
        // the spring is 0.3 m long there, not 0.5
        let start = run["energy"]["start"].as_f64().expect("an energy");
        assert!(start.abs() < 1e-12, "{coordinates}: {start}");
    }
    // what is written as the rest rests
    let rest = folder.path("rest.toml");
    let said = linkwork(&["equilibrium", &model, "--write", &rest]);
    assert!(said.code != Some(2), "{}", said.err);
    let text = std::fs::read_to_string(&rest).expect("written");
    let length = text.lines().find(|l| l.starts_with("free_length"));
    let length: f64 = length
        .and_then(|l| l.split('=').nth(1)?.trim().parse().ok())
        .expect("told");
    assert!((length - 0.3).abs() < 1e-9, "{length}");
    // a drive turns the arm by half a radian before anything moves
    let turned = r#"
[[body]]
name = "arm"
mass = 1
inertia = 0.1
angle = 0.5
[[joint]]
name = "hinge"
kind = "revolute"
body_b = "arm"
at = [0, 0]
[[joint]]
name = "drive"
kind = "drive"
body_b = "arm"
value = "0"
[[force]]
name = "spring"
kind = "torsion_spring"
body_b = "arm"
stiffness = 10
[simulation]
t_end = 0.1
"#;
    let run = json(&["run", &folder.file("turned.toml", turned)]);
    let start = run["energy"]["start"].as_f64().expect("an energy");
    assert!(start.abs() < 1e-12, "{start}");
}

#[test]
fn changed_starts_are_told_in_all_coordinates() {
    for coordinates in ["absolute", "joint"] {
        let said = linkwork(&["run", "four_bar", "--coordinates", coordinates]);
        let told = "the start was fitted to the joints: body `coupler`, angle by +5.362e-1";
        assert!(said.out.contains(told), "{coordinates}: {}", said.out);
    }
    let folder = Folder::new("exact");
    let exact = OFF_GUIDE.replace(
        "position = [0.3, 0.4]",
        "position = [0.3, 0.4]\nexact = true",
    );
    let exact = folder.file("exact.toml", &exact);
    for coordinates in ["absolute", "joint"] {
        let said = linkwork(&["run", &exact, "--coordinates", coordinates]);
        assert!(said.code.is_some_and(|c| c != 0), "{}", said.out);
        let all = said.out + &said.err.replace("\n  │ ", " ");
        assert!(all.contains("marked exact"), "{coordinates}: {all}");
    }
}

/// A parallelogram next to its change point: closed to rounding, slopes of one equation 1e-6 of the others.
#[test]
fn a_closed_start_near_a_change_point_stays() {
    let a = -4.962363671007318e-7f64;
    let (c, s) = (a.cos(), a.sin());
    let body = |name: &str, inertia: f64, [x, y]: [f64; 2], rest: String| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = {inertia}\nposition = [{x:?}, {y:?}]\n{rest}\n"
        )
    };
    let crank = |v: f64| {
        let velocity = [-10.0 * v * s, 10.0 * v * c];
        format!("angle = {a:?}\nangular_velocity = 10\nvelocity = {velocity:?}")
    };
    let mut text = body("a", 0.1, [0.5 * c, 0.5 * s], crank(0.5));
    text += &body("b", 0.1, [2.0 + 0.5 * c, 0.5 * s], crank(0.5));
    text += &body(
        "c",
        0.3,
        [1.0 + c, s],
        format!("velocity = {:?}", [-10.0 * s, 10.0 * c]),
    );
    for (name, ends) in [
        ("j1", "body_b = \"a\"\npoint_b = [-0.5, 0]"),
        (
            "j2",
            "body_b = \"b\"\npoint_a = [2, 0]\npoint_b = [-0.5, 0]",
        ),
        (
            "j3",
            "body_a = \"a\"\nbody_b = \"c\"\npoint_a = [0.5, 0]\npoint_b = [-1, 0]",
        ),
        (
            "j4",
            "body_a = \"b\"\nbody_b = \"c\"\npoint_a = [0.5, 0]\npoint_b = [1, 0]",
        ),
    ] {
        text += &format!("[[joint]]\nname = \"{name}\"\nkind = \"revolute\"\n{ends}\n");
    }
    text += "[simulation]\nt_end = 0.1\n";
    let folder = Folder::new("change-point");
    let model = folder.file("parallelogram.toml", &text);
    for coordinates in ["absolute", "joint"] {
        let said = linkwork(&["check", &model, "--coordinates", coordinates]);
        assert!(!said.out.contains("fitted"), "{coordinates}: {}", said.out);
        let said = linkwork(&[
            "run",
            &model,
            "--coordinates",
            coordinates,
            "--method",
            "bdf",
        ]);
        assert!(
            said.out.contains("a.angle = 1 rad, b.angle = 1 rad"),
            "{coordinates}: {}",
            said.out
        );
    }
}

#[test]
fn runs_tell_what_cannot_move_and_what_nothing_moves() {
    let said = linkwork(&["run", "models/odd/oblique_hinge.toml"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let told = "nothing can move. It could if the axis of `B` were parallel to that of `A`: they are 2.86 degrees apart";
    assert!(said.out.contains(told), "{}", said.out);
    let said = linkwork(&["run", "models/odd/weightless.toml"]);
    assert!(
        said.out
            .contains("note: nothing moves: there is no gravity"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("no gravity; 1 degree of freedom"),
        "{}",
        said.out
    );
    let said = linkwork(&["run", "models/odd/forgotten_body.toml", "--t-end", "0.1"]);
    assert!(
        said.out.contains("has no joint and no force"),
        "{}",
        said.out
    );
}

/// Three bodies in a loop that can rest in two ways.
const TWO_RESTS: &str = r#"
[model]
gravity = [0, -9.81]
[[body]]
name = "b0"
mass = 3.469
inertia = 0.493
position = [-1.403, -0.132]
angle = 1.42
[[body]]
name = "b1"
mass = 2.104
inertia = 0.166
position = [0.121, -0.614]
angle = -2.67
[[body]]
name = "b2"
mass = 4.108
inertia = 0.929
position = [-0.401, 1.311]
angle = -1.704
[[joint]]
name = "j0"
kind = "distance"
body_a = "ground"
body_b = "b0"
point_a = [0.263, -0.091]
point_b = [-0.096, 0.109]
[[joint]]
name = "j1"
kind = "revolute"
body_a = "ground"
body_b = "b1"
at = [-0.174, -0.238]
[[joint]]
name = "j2"
kind = "point_on_line"
body_a = "b0"
body_b = "b2"
at = [-0.662, 0.678]
axis = [-0.99, 0.141]
[[joint]]
name = "loop"
kind = "revolute"
body_a = "b2"
body_b = "b1"
at = [-0.14, 0.348]
"#;

#[test]
fn answers_that_hang_on_the_coordinates_are_told() {
    let folder = Folder::new("several");
    let model = folder.file("two_rests.toml", TWO_RESTS);
    for coordinates in ["absolute", "joint"] {
        let said = linkwork(&["equilibrium", &model, "--coordinates", coordinates]);
        let told = "note: there are several equilibria";
        assert!(said.out.contains(told), "{coordinates}: {}", said.out);
        let said = linkwork(&["modes", "gyroscope", "--coordinates", coordinates]);
        assert!(
            said.out.contains("the frozen state has other modes"),
            "{coordinates}: {}",
            said.out
        );
    }
    // one answer needs no words
    for model in ["suspension", "crane"] {
        let said = linkwork(&["equilibrium", model]);
        assert!(!said.out.contains("several"), "{}", said.out);
    }
    let said = linkwork(&["modes", "rolling_disc"]);
    assert!(!said.out.contains("other modes"), "{}", said.out);
}

/// Texts reach plain files in their own folder or below.
#[cfg(unix)]
#[test]
fn texts_reach_files_beside_them_only() {
    let folder = Folder::new("beside");
    std::fs::create_dir_all(folder.0.join("inner")).expect("made");
    let secret = folder.file("secret.toml", "root:x:0:0\n");
    std::os::unix::fs::symlink(&secret, folder.0.join("inner/link.toml")).expect("linked");
    let fifo = folder.path("inner/fifo.toml");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.is_ok_and(|s| s.success()));
    let passwd = "/etc/passwd";
    folder.file(
        "inner/good.toml",
        "[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n",
    );
    for (part, why) in [
        ("../secret.toml", "must be in the folder"),
        (passwd, "must be in the folder"),
        ("link.toml", "must be in the folder"),
        ("fifo.toml", "is not a plain file"),
    ] {
        let named = |name: &str, model: &str| {
            format!("[[subsystem]]\nname = \"{name}\"\nmodel = \"{model}\"\n")
        };
        let system = named("a", part) + &named("b", "good.toml") + "[simulation]\nt_end = 1\n";
        let system = folder.file("inner/system.toml", &system);
        let said = linkwork(&["cosim", &system]);
        assert_eq!(said.code, Some(2), "{part}: {}", said.out);
        let all = said.err.replace("\n  │ ", " ");
        assert!(
            all.contains(why) && !all.contains("root:x"),
            "{part}: {all}"
        );
        let shape = format!(
            "[model]\nplanar = false\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[[shape]]\nname = \"s\"\n\
             kind = \"mesh\"\nbody = \"a\"\nfile = \"{}\"\n[simulation]\nt_end = 0.1\n",
            part.replace(".toml", ".stl")
        );
        let model = folder.file("inner/model.toml", &shape);
        let page = folder.path("page.html");
        let said = linkwork(&["run", &model, "--report", &page]);
        assert_eq!(said.code, Some(0), "{part}: {}{}", said.out, said.err);
        assert!(
            !std::fs::read_to_string(&page)
                .expect("a page")
                .contains("root:x")
        );
    }
}

/// A table on four parallel rods of one length: next to its poses the rods are independent, on its way they are not.
/// It is a pendulum of 2 m, whatever the inertia.
#[test]
fn a_table_on_parallel_rods_swings() {
    let height = -(3.0f64.sqrt());
    let mut text = format!(
        "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"table\"\nmass = 25\n\
         inertia = [2, 3, 4]\nposition = [1, 0, {height:?}]\n"
    );
    for (k, [x, y]) in [[0.5, 0.4], [-0.5, 0.4], [-0.5, -0.4], [0.5, -0.4]]
        .into_iter()
        .enumerate()
    {
        let foot = [x + 1.0, y, height];
        text += &format!(
            "[[joint]]\nname = \"rod{k}\"\nkind = \"distance\"\nbody_b = \"table\"\nat_a = [{x}, {y}, 0]\n\
             at_b = {foot:?}\nlength = 2\n"
        );
    }
    let rods = text.clone() + "[simulation]\nt_end = 3\n";
    let pendulum = "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"table\"\nkind = \"point\"\nmass = 25\n"
        .to_string()
        + &format!("position = [1, 0, {height:?}]\n[[joint]]\nname = \"rod\"\nkind = \"distance\"\nbody_b = \"table\"\nat_a = [0, 0, 0]\nlength = 2\n")
        + "[simulation]\nt_end = 3\n";
    let folder = Folder::new("swing-table");
    let end = |name: &str, text: &str| -> f64 {
        let model = folder.file(name, text);
        let out = folder.path(&format!("{name}.out"));
        let said = linkwork(&[
            "run", &model, "--format", "csv", "--out", &out, "--rtol", "1e-8",
        ]);
        assert!(said.code == Some(0), "{}{}", said.out, said.err);
        let table = linkwork::table::read(std::path::Path::new(&out)).expect("a table");
        let x = table.column("table.x").expect("a channel");
        *x.last().expect("rows")
    };
    let (rods, pendulum) = (end("rods.toml", &rods), end("pendulum.toml", &pendulum));
    assert!((rods - pendulum).abs() < 1e-5, "{rods} {pendulum}");
}

/// Two wheels in mesh turn at constant speed: nothing speaks against 15 correct digits.
#[test]
fn wheels_that_turn_steadily_are_in_no_doubt() {
    let wheel = |name: &str, x: f64, spin: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1e-3, 1e-3, 2e-3]\nposition = [{x}, 0, 0]\n\
             angular_velocity = [0, 0, {spin}]\n[[joint]]\nname = \"bearing_{name}\"\nkind = \"revolute\"\n\
             body_b = \"{name}\"\nat = [{x}, 0, 0]\naxis = [0, 0, 1]\n"
        )
    };
    let text = "[model]\nplanar = false\n".to_string()
        + &wheel("first", 0.0, 100.0)
        + &wheel("second", 0.2, -60.0)
        + "[[joint]]\nname = \"mesh\"\nkind = \"gear\"\nbody_a = \"first\"\nbody_b = \"second\"\naxis = [0, 0, 1]\n\
           ratio = -0.6\n[simulation]\nt_end = 5\n";
    let folder = Folder::new("wheels");
    let said = linkwork(&[
        "run",
        &folder.file("wheels.toml", &text),
        "--method",
        "rosenbrock",
    ]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
}

/// Input that would take forever, or be echoed without end, is refused with the limit.
#[test]
fn hostile_input_is_refused_with_a_limit() {
    let folder = Folder::new("hostile");
    let attributes: String = (0..100_000).map(|i| format!(" a{i}=\"1\"")).collect();
    let robot = format!("<robot name=\"r\"><link name=\"a\"{attributes}/></robot>");
    let nested = format!("[model]\nx{} = 1\n", ".x".repeat(100_000));
    let digits = format!("[[body]]\nname = \"a\"\nmass = {}\n", "9".repeat(1_000_000));
    for (name, text, told) in [
        ("robot.urdf", robot, "more than 1000 attributes"),
        ("nested.toml", nested, "80 levels are allowed"),
        ("digits.toml", digits, "9999... is out of range"),
    ] {
        let said = linkwork(&["check", &folder.file(name, &text)]);
        assert_eq!(said.code, Some(2), "{name}");
        assert!(said.err.len() < 2000, "{name}: {} bytes", said.err.len());
        let all = said.err.replace("\n  │ ", " ");
        assert!(all.contains(told), "{name}: {all}");
    }
    let path = folder.path("bytes.toml");
    std::fs::write(&path, b"[model]\n# \xff\n").expect("written");
    let said = linkwork(&["check", &path]);
    assert!(
        said.code == Some(2) && said.err.contains("line 2"),
        "{}",
        said.err
    );
}

/// A block on a belt that sticks and slips, and errs by a thousand tolerances with the method that is named: a name is no
/// reason to take the end for what it is not.
const RUBBED: &str = r#"
[[body]]
name = "block"
mass = 1
inertia = 1
[[joint]]
name = "guide"
kind = "prismatic"
body_b = "block"
axis = [1, 0]
[[body]]
name = "belt"
mass = 1
inertia = 1
[[joint]]
name = "rail"
kind = "prismatic"
body_b = "belt"
axis = [1, 0]
[[joint]]
name = "drive"
kind = "drive"
quantity = "displacement"
body_b = "belt"
axis = [1, 0]
value = "0.1*t"
[[force]]
name = "spring"
kind = "spring_damper"
body_b = "block"
at_a = [-1, 0]
stiffness = 100
[[force]]
name = "rub"
kind = "friction"
against = "sliding"
body_a = "belt"
body_b = "block"
axis = [1, 0]
coulomb = 5
static_ratio = 1.5
transition_speed = 1e-4
[simulation]
t_end = 10
"#;

#[test]
fn methods_that_are_named_are_judged_as_well() {
    let folder = Folder::new("named");
    let model = folder.file("rubbed.toml", RUBBED);
    let tight = json(&[
        "run", &model, "--method", "radau", "--rtol", "1e-10", "--once",
    ]);
    let x = |run: &serde_json::Value| run["final"]["block.x"].as_f64().expect("a place");
    let run = json(&["run", &model, "--method", "bdf", "--rtol", "1e-6"]);
    assert!((x(&run) - x(&tight)).abs() > 1e-5, "{run}");
    assert_eq!(
        (&run["verdict"], run["rtol"].as_f64()),
        (&"degraded".into(), Some(1e-6))
    );
    let doubts = run["doubts"].to_string();
    assert!(doubts.contains("not within 100 tolerances"), "{doubts}");
    // one run says nothing about that
    let run = json(&["run", &model, "--method", "bdf", "--rtol", "1e-6", "--once"]);
    assert!(run.get("verification").is_none(), "{run}");
    // a tolerance that nobody named is the program's to choose: 100 times 1e-6 is promised, of 2 m
    let run = json(&["run", "pendulum", "--method", "gen-alpha"]);
    let true_x = json(&[
        "run", "pendulum", "--method", "dop853", "--rtol", "1e-11", "--once",
    ]);
    let x = |run: &serde_json::Value| run["final"]["bob.x"].as_f64().expect("a place");
    assert!((x(&run) - x(&true_x)).abs() < 2e-4, "{run}");
    assert_eq!(run["verdict"], "converged", "{run}");
}
