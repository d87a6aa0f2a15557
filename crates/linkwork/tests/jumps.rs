//! Forces that jump by the clock and roads that jump in place, as model text: no user's `max_step`, every kind of
//! method, both coordinates, tolerances from loose to tight.

use forced::{Course, at};
use linkwork::mbs::text;
use linkwork::{Options, Run, Simulation};

const METHODS: [&str; 5] = ["bdf", "gen-alpha", "rosenbrock", "dop853", "adams"];

/// Piecewise closed form of `x'' + 100 x = F(t)` from rest.
mod forced {
    /// A force that is a line between instants: `(from, value there, rate)`, in order.
    pub type Course = Vec<(f64, f64, f64)>;

    /// Position and velocity at `t`.
    pub fn at(course: &Course, t: f64) -> (f64, f64) {
        let (stiffness, omega) = (100.0, 10.0);
        let (mut x, mut v) = (0.0, 0.0);
        for (k, &(from, f, rate)) in course.iter().enumerate() {
            let next = course.get(k + 1).map_or(t, |next| next.0.min(t));
            if from >= t {
                break;
            }
            let (p, slope) = (f / stiffness, rate / stiffness);
            let (a, b) = (x - p, (v - slope) / omega);
            let dt = next - from;
            let (sin, cos) = (omega * dt).sin_cos();
            x = p + slope * dt + a * cos + b * sin;
            v = slope + omega * (b * cos - a * sin);
        }
        (x, v)
    }
}

fn oscillator(force: &str, t_end: f64) -> String {
    format!(
        r#"
[model]
length = 0.1
[[body]]
name = "mass"
kind = "point"
mass = 1
[[joint]]
name = "rail"
kind = "point_on_line"
body_b = "mass"
axis = [1, 0]
[[force]]
name = "spring"
kind = "spring_damper"
point_a = [-1, 0]
body_b = "mass"
stiffness = 100
free_length = 1
[[force]]
name = "push"
kind = "force"
body_b = "mass"
x = "{force}"
[simulation]
t_end = {t_end}
"#
    )
}

fn run(document: &text::Document, method: &str, coordinates: &str, rtol: f64) -> Run {
    let options = Options::new()
        .coordinates(coordinates)
        .method(method)
        .rtol(rtol);
    let mut simulation = Simulation::from_document_with(document, options).unwrap();
    let run = simulation.run().unwrap();
    assert!(
        run.failure().is_none(),
        "{method} {coordinates}: {:?}",
        run.failure()
    );
    run
}

fn last(run: &Run, name: &str) -> f64 {
    let channel = run.channel(name).unwrap_or_else(|| panic!("{name}"));
    channel[channel.len() - 1]
}

/// A smooth motion of the same rate and length, for what a method of low order adds up by itself: pushed by a
/// constant force from rest.
fn smooth(method: &str, coordinates: &str, rtol: f64, t_end: f64) -> f64 {
    let document = text::read(&oscillator("5", t_end)).unwrap_or_else(|e| panic!("{e:?}"));
    let run = run(&document, method, coordinates, rtol);
    let (x, v) = at(&vec![(0.0, 5.0, 0.0)], t_end);
    let off = (last(&run, "mass.x") - x).abs() / 0.1;
    off.max((last(&run, "mass.x.velocity") - v).abs())
}

/// Ends within 100 tolerances, or within four times what the method is off without jumps.
fn ends_right(what: &str, force: &str, course: &Course, t_end: f64, tolerances: &[f64]) {
    let document = text::read(&oscillator(force, t_end)).unwrap_or_else(|e| panic!("{e:?}"));
    let (x, v) = at(course, t_end);
    let mut misses = Vec::new();
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            for &rtol in tolerances {
                let run = run(&document, method, coordinates, rtol);
                let off = (last(&run, "mass.x") - x).abs() / 0.1;
                let error = off.max((last(&run, "mass.x.velocity") - v).abs()) / rtol;
                let steps = run.stats.steps;
                println!(
                    "{what} {method} {coordinates} {rtol:.0e}: {error:.2} tolerances, {steps} steps"
                );
                if error < 100.0 {
                    continue;
                }
                let allowed = 4.0 * smooth(method, coordinates, rtol, t_end) / rtol;
                if !(error < allowed) {
                    misses.push(format!(
                        "{what}, {method}, {coordinates}, {rtol:.0e}: {error:.1} tolerances, smooth {allowed:.1}"
                    ));
                }
            }
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

const TOLERANCES: [f64; 4] = [1e-3, 1e-4, 1e-6, 1e-8];

/// 1000 N for 1 ms after 5 s of rest.
#[test]
fn a_pulse_of_a_millisecond() {
    let force = "step(t, 5, 0, 5, 1000) - step(t, 5.001, 0, 5.001, 1000)";
    let course = vec![(0.0, 0.0, 0.0), (5.0, 1000.0, 0.0), (5.001, 0.0, 0.0)];
    let (x, v) = at(&course, 10.0);
    assert!((x + 0.026_719_527_074_724_16).abs() < 1e-13);
    assert!((v - 0.963_638_082_469_114_9).abs() < 1e-12);
    ends_right("pulse", force, &course, 10.0, &TOLERANCES);
}

/// A push sets the mass moving; begun with that motion instead, the run is as far off at its end. What is left of
/// many tolerances is what eight periods add up without any jump.
#[test]
fn a_pulse_costs_no_accuracy() {
    // 1 Ns within a millisecond, and what follows from there
    let force = "step(t, 5, 0, 5, 1000) - step(t, 5.001, 0, 5.001, 1000)";
    let course = vec![(0.0, 0.0, 0.0), (5.0, 1000.0, 0.0), (5.001, 0.0, 0.0)];
    let (x, v) = at(&course, 5.001);
    let (x_end, v_end) = at(&course, 10.0);
    let pushed = oscillator(force, 10.0);
    let started = oscillator("0", 10.0 - 5.001).replacen(
        "mass = 1\n",
        &format!("mass = 1\nposition = [{x:e}, 0]\nvelocity = [{v:e}, 0]\n"),
        1,
    );
    let [pushed, started] =
        [pushed, started].map(|text| text::read(&text).unwrap_or_else(|e| panic!("{e:?}")));
    let mut misses = Vec::new();
    for method in METHODS {
        for rtol in TOLERANCES {
            let [jumps, smooth] = [&pushed, &started].map(|document| {
                let run = run(document, method, "absolute", rtol);
                let off = (last(&run, "mass.x") - x_end).abs() / 0.1;
                off.max((last(&run, "mass.x.velocity") - v_end).abs()) / rtol
            });
            println!("{method} {rtol:.0e}: {jumps:.1} tolerances, {smooth:.1} without a jump");
            if !(jumps < 2.0 * smooth + 20.0) {
                misses.push(format!(
                    "{method}, {rtol:.0e}: {jumps:.1} beside {smooth:.1}"
                ));
            }
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

/// From -5 N to 5 N in every second.
#[test]
fn a_sawtooth() {
    let drops: Vec<String> = (1..10)
        .map(|k| format!("step(t, {k}, 0, {k}, 10)"))
        .collect();
    let force = format!("10*t - 5 - ({})", drops.join(" + "));
    let course: Course = (0..10).map(|k| (f64::from(k), -5.0, 10.0)).collect();
    let (x, v) = at(&course, 10.0);
    assert!((x - 0.012_553_131_242_211_87).abs() < 1e-13);
    assert!((v - 0.034_132_040_672_439_86).abs() < 1e-12);
    ends_right("sawtooth", &force, &course, 10.0, &TOLERANCES);
}

/// 100 N that change their sign 2000 times in a second.
#[test]
fn a_square_wave_of_a_kilohertz() {
    let course: Course = (0..2000)
        .map(|k| {
            let force = if k % 2 == 0 { 100.0 } else { -100.0 };
            (0.0005 * f64::from(k), force, 0.0)
        })
        .collect();
    ends_right(
        "square",
        "100*sign(sin(2*pi*1000*t))",
        &course,
        1.0,
        &[1e-3, 1e-6, 1e-8],
    );
}

/// A point on a soft tyre over three spikes of 10 cm, each of which is passed in 5 ms.
#[test]
fn a_road_of_single_spikes() {
    let spike = |x: f64| format!("0.03*max(0, 1 - abs(x - {x})/0.05)");
    let text = format!(
        r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "car"
kind = "point"
mass = 100
position = [0, 0, "0.5 - 981/20000"]
velocity = [20, 0, 0]
[[force]]
name = "tyre"
kind = "tyre"
body_b = "car"
stiffness = 20000
damping = 200
radius = 0.5
road = "{} + {} + {}"
[simulation]
t_end = 2
"#,
        spike(11.0),
        spike(19.3),
        spike(30.1)
    );
    let document = text::read(&text).unwrap_or_else(|e| panic!("{e:?}"));
    let fine = Options {
        max_step: Some(2e-4),
        ..Options::new().method("dop853").rtol(1e-11)
    };
    let fine = Simulation::from_document_with(&document, fine);
    let fine = fine.unwrap().run().unwrap();
    let (z, v) = (last(&fine, "car.z"), last(&fine, "car.z.velocity"));
    assert!(v.abs() > 1e-3, "the spikes do something: {v}");
    let mut misses = Vec::new();
    for method in METHODS {
        for coordinates in ["absolute", "joint"] {
            for rtol in TOLERANCES {
                let run = run(&document, method, coordinates, rtol);
                let off = [last(&run, "car.z") - z, last(&run, "car.z.velocity") - v];
                let steps = run.stats.steps;
                println!("spikes {method} {coordinates} {rtol:.0e}: {off:?} {steps} steps");
                if !(off[0].abs() < 100.0 * rtol) {
                    misses.push(format!("{method}, {coordinates}, {rtol:.0e}: {off:?}"));
                }
            }
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

/// The vehicle glides for most of a second before its wheels meet a bump of 0.64 m; nobody limits the steps. The
/// reference is known to seven digits.
#[test]
fn the_bump_of_the_hmmwv() {
    let path = format!("{}/../../models/hmmwv.toml", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let document = text::read(&source).unwrap_or_else(|e| panic!("{e:?}"));
    let mut misses = Vec::new();
    for (method, coordinates, rtol) in [
        ("bdf", "absolute", 1e-3),
        ("bdf", "absolute", 1e-6),
        ("bdf", "absolute", 1e-8),
        ("bdf", "joint", 1e-3),
        ("bdf", "joint", 1e-6),
        ("gen-alpha", "absolute", 1e-4),
        ("gen-alpha", "absolute", 1e-6),
        ("gen-alpha", "joint", 1e-4),
        ("rosenbrock", "absolute", 1e-3),
        ("rosenbrock", "joint", 1e-3),
    ] {
        let options = Options::new()
            .coordinates(coordinates)
            .method(method)
            .rtol(rtol);
        let simulation = Simulation::from_document_with(&document, options).unwrap();
        let run = simulation.t_end(2.0).run().unwrap();
        let off = last(&run, "chassis.z") - 0.712_765_9;
        let steps = run.stats.steps;
        println!("bump {method} {coordinates} {rtol:.0e}: {off:.1e}, {steps} steps");
        // without the bump it stays at 0.71
        if !(off.abs() < (100.0 * rtol).clamp(2e-7, 1.5e-3)) {
            misses.push(format!("{method}, {coordinates}, {rtol:.0e}: {off:.1e}"));
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}
