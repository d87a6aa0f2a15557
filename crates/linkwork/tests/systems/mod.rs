//! The example systems, and the same as single models.
#![allow(dead_code, reason = "each test takes what it needs")]

use linkwork::catalogue::{find_system, system_part};
use linkwork::cosim::{CosimOptions, CoupledRun, CoupledSystem};
use linkwork::dae::drive::Flow;
use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation};

/// Finds the models of the example systems.
pub fn part(word: &str) -> Result<(String, String), String> {
    let text = system_part(word).ok_or(format!("no model {word}"))?;
    Ok((word.to_string(), text.to_string()))
}

/// A built-in system with overrides.
pub fn system(name: &str, set: &[&str]) -> CoupledSystem {
    let entry = find_system(name).expect("it is built in");
    let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    match CoupledSystem::read(name, name, entry.text, &set, &mut part) {
        Ok(system) => system,
        Err(mistakes) => panic!("{mistakes:#?}"),
    }
}

/// Runs a system.
pub fn run(system: &CoupledSystem, options: &CosimOptions) -> CoupledRun {
    let run = system.run(options, &mut |_, _| Flow::Continue);
    run.expect("its options are sound")
}

/// Options with a tolerance, on one thread.
pub fn tolerance(rtol: f64) -> CosimOptions {
    CosimOptions {
        rtol: Some(rtol),
        threads: Some(1),
        ..CosimOptions::default()
    }
}

/// A part of a model text: everything between `[model]` and `[simulation]` but these.
fn inside(text: &str) -> String {
    let first = text.find("[[").expect("it has parts");
    let last = text.find("[simulation]").expect("it can run");
    text[first..last].to_string()
}

fn parts(name: &str) -> String {
    part(&format!("parts/{name}.toml"))
        .expect("it is built in")
        .1
}

/// A bushing between two point sensors of one model, as forces by formulas.
fn bushing(
    name: &str,
    ports: [&str; 2],
    bodies: [(&str, [f64; 2]); 2],
    k: [f64; 2],
    d: [f64; 2],
    o: [f64; 2],
) -> String {
    let mut text = String::new();
    for (s, sign) in [(0, ""), (1, "-")] {
        let (body, point) = bodies[s];
        text.push_str(&format!(
            "[[force]]\nname = \"{name}_{s}\"\nkind = \"force\"\nbody_b = \"{body}\"\npoint = {point:?}\n"
        ));
        for (i, axis) in ["x", "y"].into_iter().enumerate() {
            let [a, b] = ports.map(|p| format!("{p}.{axis}"));
            text.push_str(&format!(
                "{axis} = \"{sign}({:?}*({b} - {a} - ({:?})) + {:?}*({b}.velocity - {a}.velocity))\"\n",
                k[i], o[i], d[i]
            ));
        }
    }
    text
}

/// The whole as one model, and for each channel of it the subsystem and channel that it equals.
pub fn whole(name: &str) -> (String, Vec<(String, &'static str, String)>) {
    let mut pairs = Vec::new();
    let mut pair = |channel: &str, part: &'static str, own: &str| {
        for rate in ["", ".velocity"] {
            pairs.push((format!("{channel}{rate}"), part, format!("{own}{rate}")));
        }
    };
    let head = |g: &str| format!("[model]\nname = \"whole\"\ngravity = [0, {g}]\nlength = 1\n");
    let text = match name {
        "two_mass" => {
            let mut text = head("0");
            for (part, file) in [("left", "left_mass"), ("right", "right_mass")] {
                let own = inside(&parts(file));
                let own = own.replace("\"mass\"", &format!("\"{part}\""));
                let own = own.replace("\"track\"", &format!("\"track_{part}\""));
                let own = own.replace("\"wall_spring\"", &format!("\"wall_{part}\""));
                text.push_str(&own.replace("\"end\"", &format!("\"end_{part}\"")));
                pair(&format!("{part}.x"), part, "mass.x");
            }
            text + &bushing(
                "c",
                ["end_left", "end_right"],
                [("left", [0.0; 2]), ("right", [0.0; 2])],
                [4.0, 0.0],
                [0.3, 0.0],
                [3.0, 0.0],
            )
        }
        "chain" => {
            let mut text = head("-9.81");
            for (i, part) in ["part1", "part2", "part3", "part4"].into_iter().enumerate() {
                let own = inside(&parts(&format!("chain_{}", i + 1)));
                let own = own.replace("\"head\"", &format!("\"head{i}\""));
                text.push_str(&own.replace("\"tail\"", &format!("\"tail{i}\"")));
                for bar in 4 * i + 1..=4 * i + 4 {
                    for what in ["x", "y", "angle"] {
                        let channel = format!("bar{bar}.{what}");
                        pair(&channel, part, &channel);
                    }
                }
            }
            for i in 0..3 {
                let ports = [format!("tail{i}"), format!("head{}", i + 1)];
                let bodies = [format!("bar{}", 4 * i + 4), format!("bar{}", 4 * i + 5)];
                text.push_str(&bushing(
                    &format!("link{i}"),
                    [&ports[0], &ports[1]],
                    [(&bodies[0], [0.25, 0.0]), (&bodies[1], [-0.25, 0.0])],
                    [2000.0; 2],
                    [40.0; 2],
                    [0.0; 2],
                ));
            }
            text
        }
        "lorry" => {
            let mut text = head("-9.81") + &inside(&parts("lorry_body"));
            let wheels = [
                ("front", 3.0, 0.2),
                ("second", 1.5, 0.3),
                ("third", -1.5, 0.5),
                ("rear", -3.0, 0.6),
            ];
            for (i, (part, x, t)) in wheels.into_iter().enumerate() {
                let own = inside(&parts("wheel"));
                let own = own.replace("[3, 0.5]", &format!("[{x:?}, 0.5]"));
                let mut own = own.replace("\"wheel\"", &format!("\"{part}\""));
                for name in ["track", "tyre", "hub"] {
                    own = own.replace(&format!("\"{name}\""), &format!("\"{name}{i}\""));
                }
                let from = own.find("y = \"-4").expect("the tyre");
                let to = from + own[from..].find('\n').expect("its end");
                let tyre = format!(
                    "y = \"-400000*({part}.y - 0.5 - 0.03*(step(t, {t}, 0, {:.2}, 1) - step(t, {:.2}, 0, {:.2}, 1))) - 800*{part}.y.velocity + 17167.5\"",
                    t + 0.1,
                    t + 0.15,
                    t + 0.25
                );
                own.replace_range(from..to, &tyre);
                text.push_str(&own);
                let ports = [format!("mount{}", i + 1), format!("hub{i}")];
                text.push_str(&bushing(
                    &format!("s{i}"),
                    [&ports[0], &ports[1]],
                    [("chassis", [x, 0.0]), (part, [0.0; 2])],
                    [0.0, 80e3],
                    [0.0, 6e3],
                    [0.0, -0.5 - 16677.0 / 80000.0],
                ));
                pair(&format!("{part}.y"), part, "wheel.y");
            }
            pair("chassis.y", "body", "chassis.y");
            pair("chassis.angle", "body", "chassis.angle");
            text
        }
        "top" => {
            let head =
                "[model]\nname = \"whole\"\nplanar = false\ngravity = [0, 0, -9.81]\nlength = 1\n";
            let mut text = head.to_string() + &inside(&parts("table")) + &inside(&parts("top"));
            for (body, point, sign) in [("table", [0.0; 3], ""), ("top", [0.0, 0.0, -0.08], "-")] {
                text.push_str(&format!(
                    "[[force]]\nname = \"on_{body}\"\nkind = \"force\"\nbody_b = \"{body}\"\npoint = {point:?}\n"
                ));
                for (axis, offset) in [("x", 0.0), ("y", 0.0), ("z", 0.004905)] {
                    text.push_str(&format!(
                        "{axis} = \"{sign}(2000*(foot.{axis} - centre.{axis} - {offset:?}) + 20*(foot.{axis}.velocity - centre.{axis}.velocity))\"\n"
                    ));
                }
            }
            for (channel, part) in [("table", "table"), ("top", "top"), ("tip", "top")] {
                for axis in ["x", "y", "z"] {
                    let channel = format!("{channel}.{axis}");
                    pair(&channel, part, &channel);
                }
            }
            text
        }
        "positioning" => {
            pair("arm.angle", "plant", "arm.angle");
            include_str!("../../../../models/servo.toml").replace("[simulation]\nt_end = 2\n", "")
        }
        _ => {
            pair("arm.angle", "plant", "arm.angle");
            include_str!("../../../../models/sampled.toml").replace("[simulation]\nt_end = 2\n", "")
        }
    };
    (text, pairs)
}

/// A tight run of the whole.
pub fn reference(text: &str, t_end: f64) -> Run {
    let document = text::read(text).unwrap_or_else(|e| panic!("{e:#?}"));
    let mut options = Options {
        t_end: Some(t_end),
        ..Options::default()
    };
    options.method = Some("dop853".into());
    options.rtol = Some(1e-12);
    options.max_step = Some(0.01);
    let simulation = Simulation::from_document(&document).expect("it assembles");
    let run = simulation.options(options).run().expect("sound options");
    assert!(run.failure().is_none(), "{:?}", run.failure());
    run
}

/// Largest distance of a co-simulation from the whole over all kept points, positions and rates.
pub fn distance(run: &CoupledRun, whole: &Run, pairs: &[(String, &str, String)]) -> f64 {
    let mut worst = 0.0f64;
    for (channel, part, own) in pairs {
        let exact = whole
            .channel(channel)
            .unwrap_or_else(|| panic!("{channel}"));
        let found = run
            .channel(part, own)
            .unwrap_or_else(|| panic!("{part}.{own}"));
        let (times, exact_times) = (
            &run.parts
                .iter()
                .find(|p| p.name == *part)
                .expect("named")
                .table,
            whole.times(),
        );
        // rates count relative to the fastest
        let scale = exact.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let mut j = 0;
        for (t, x) in times.times().iter().zip(found) {
            while j + 1 < exact_times.len() && exact_times[j + 1] <= t + 1e-9 {
                j += 1;
            }
            if (exact_times[j] - t).abs() < 1e-9 {
                worst = worst.max((x - exact[j]).abs() / scale);
            }
        }
    }
    worst
}

/// Ratio of neighbouring steps in a search for constant ones.
const GRID: f64 = 1.1;
/// How many times fewer steps, and how many times more, the search looks at.
const SEARCH: [f64; 2] = [3.0, 8.0];

/// Macro steps of the longest constant step that is as accurate as `error`, with the error that it has;
/// `None` if none within the search is. `attempts` is the number of steps that the search begins
/// around.
pub fn best_constant(
    system: &CoupledSystem,
    options: &CosimOptions,
    attempts: usize,
    error: f64,
    error_of: impl Fn(&CoupledRun) -> f64,
) -> Option<(u64, f64)> {
    let span = options.t_end.or(system.options().t_end)? - system.start_time();
    let mut n = attempts as f64 / SEARCH[0];
    while n < attempts as f64 * SEARCH[1] {
        let mut options = options.clone();
        options.step = Some(span / n.round());
        let run = run(system, &options);
        let found = error_of(&run);
        // a run that has blown up may have no error at all
        if run.failure.is_none() && found <= error {
            return Some((run.report.as_ref()?.accepted, found));
        }
        n *= GRID;
    }
    None
}

/// Largest distance from the whole in tolerances, over all kept points, positions and rates relative to
/// their size, for every example and tolerance. Estimated errors of macro steps add up to 4 to 10
/// tolerances, whatever the tolerance is; the motion damps them to 0.3 (lorry) or hardly (chain, 9).
pub const FACTOR: f64 = 15.0;
