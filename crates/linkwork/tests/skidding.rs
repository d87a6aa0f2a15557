//! Rigid contacts in space with friction that sticks: two directions of slip, against closed forms, in both
//! coordinates and with every kind of method.

use linkwork::mbs::text;
use linkwork::options::Outputs;
use linkwork::{Options, Run, Simulation};
use std::f64::consts::PI;

const G: f64 = 9.81;

/// Runs with every kind of method in both coordinates; all that is off is told together.
fn everywhere(text: &str, rtol: f64, check: impl Fn(&Run) -> Vec<String>) {
    let document = text::read(text).unwrap_or_else(|e| panic!("{e:?}"));
    let mut all = Vec::new();
    for method in ["bdf", "gen-alpha", "dop853", "adams", "radau", "rosenbrock"] {
        for coordinates in ["absolute", "joint"] {
            let options = Options {
                outputs: Some(Outputs::Steps),
                ..Options::new().coordinates(coordinates).method(method)
            };
            let options = options.rtol(rtol);
            let mut simulation = Simulation::from_document_with(&document, options).unwrap();
            let run = simulation.run().unwrap();
            let case = format!("{method}, {coordinates}");
            println!(
                "{case}: {} steps, {} switches, {:?} {:?}",
                run.stats.steps,
                run.stats.switches,
                run.failure().map(|f| &f.cause),
                run.events.happenings
            );
            if let Some(failure) = run.failure() {
                all.push(format!("{case}: {failure:?}"));
            } else {
                let own = check(&run).into_iter();
                all.extend(own.map(|c| format!("{case}: {c}")));
            }
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}

/// Those of `(got, want, bound, what)` that are off.
fn off(all: &[(f64, f64, f64, &str)]) -> Vec<String> {
    let bad = |(got, want, bound, _): &&(f64, f64, f64, &str)| {
        // NaN is off too
        !((got - want).abs() <= *bound)
    };
    let tell = |(got, want, _, what): &(f64, f64, f64, &str)| {
        format!("{what}: {got} instead of {want}, off by {:.2e}", got - want)
    };
    all.iter().filter(bad).map(tell).collect()
}

fn times(run: &Run, kind: &str) -> Vec<f64> {
    let own = run.events.happenings.iter().filter(|h| h.kind == kind);
    own.map(|h| h.t).collect()
}

fn first(run: &Run, kind: &str) -> f64 {
    times(run, kind).first().copied().unwrap_or(f64::NAN)
}

fn last(run: &Run, name: &str) -> f64 {
    let channel = run.channel(name).unwrap_or_else(|| panic!("{name}"));
    channel[channel.len() - 1]
}

fn ball(start: &str, friction: f64, t_end: f64) -> String {
    format!(
        r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "ball"
mass = 1
inertia = [0.004, 0.004, 0.004]
position = [0, 0, 0.1]
{start}
[[joint]]
name = "floor"
kind = "rigid_contact"
body_b = "ball"
axis = [0, 0, 1]
radius = 0.1
friction = {friction}
[simulation]
t_end = {t_end}
"#
    )
}

/// Thrown along the floor it slides for `2 v/(7 mu g)` and rolls with `5/7 v` from then on.
#[test]
fn a_ball_rolls_after_sliding() {
    let (speed, mu) = (5.0f64.sqrt(), 0.2);
    let text = ball("velocity = [2, 1, 0]", mu, 2.0);
    let rolls = 2.0 * speed / (7.0 * mu * G);
    // v t - mu g t^2/2 while it slides
    let way = speed * rolls - 0.5 * mu * G * rolls * rolls + 5.0 / 7.0 * speed * (2.0 - rolls);
    everywhere(&text, 1e-8, |run| {
        off(&[
            (first(run, "sticks"), rolls, 1e-7, "begins to roll"),
            (
                last(run, "ball.x.velocity"),
                10.0 / 7.0,
                1e-6,
                "speed along x",
            ),
            (
                last(run, "ball.y.velocity"),
                5.0 / 7.0,
                1e-6,
                "speed along y",
            ),
            (last(run, "ball.x"), way * 2.0 / speed, 2e-6, "x"),
            (last(run, "ball.y"), way / speed, 2e-6, "y"),
            (last(run, "ball.z"), 0.1, 1e-9, "height"),
            (times(run, "slips").len() as f64, 0.0, 0.0, "slips again"),
        ])
    });
}

/// With spin across the throw the slip keeps its direction, so the ball runs along a parabola until it rolls with
/// `v - 2/7 slip`. Behind that instant a slip has no direction: stages of an explicit step that lie there cost the
/// dense output some digits, and with them the time, but not the motion.
#[test]
fn a_ball_with_side_spin_turns_aside() {
    let mu = 0.2;
    let text = ball(
        "velocity = [2, 0, 0]\nangular_velocity = [-10, 0, 0]",
        mu,
        1.5,
    );
    // of the lowest point: v + omega x (0, 0, -r)
    let slip = [2.0, -1.0f64];
    let rolls = 2.0 * slip[0].hypot(slip[1]) / (7.0 * mu * G);
    everywhere(&text, 1e-8, |run| {
        off(&[
            (first(run, "sticks"), rolls, 1e-6, "begins to roll"),
            (
                last(run, "ball.x.velocity"),
                2.0 - 2.0 / 7.0 * slip[0],
                1e-6,
                "speed along x",
            ),
            (
                last(run, "ball.y.velocity"),
                -2.0 / 7.0 * slip[1],
                1e-6,
                "speed along y",
            ),
        ])
    });
}

fn block(start: &str, gravity: [f64; 3], friction: f64, force: &str, t_end: f64) -> String {
    format!(
        r#"
[model]
planar = false
gravity = {gravity:?}
[[body]]
name = "block"
kind = "point"
mass = 1
{start}
[[joint]]
name = "slope"
kind = "rigid_contact"
body_b = "block"
axis = [0, 0, 1]
friction = {friction}
{force}
[simulation]
t_end = {t_end}
"#
    )
}

/// On a slope whose line of fall is not along an axis: a block that sticks stays where it is; with less friction
/// it goes down with `g (sin - mu cos)`.
#[test]
fn a_block_sticks_on_a_slope() {
    let (slope, beta) = (0.25f64.atan(), 0.4f64);
    let down = [beta.cos(), beta.sin()];
    let along = G * slope.sin();
    let gravity = [along * down[0], along * down[1], -G * slope.cos()];
    everywhere(&block("", gravity, 0.3, "", 5.0), 1e-6, |run| {
        off(&[
            (last(run, "block.x"), 0.0, 1e-12, "x"),
            (last(run, "block.y"), 0.0, 1e-12, "y"),
            (
                last(run, "slope.reaction.x"),
                -along * down[0],
                1e-9,
                "friction",
            ),
            (run.events.happenings.len() as f64, 0.0, 0.0, "events"),
        ])
    });
    let way = 0.5 * G * (slope.sin() - 0.2 * slope.cos());
    everywhere(&block("", gravity, 0.2, "", 1.0), 1e-8, |run| {
        off(&[
            (last(run, "block.x"), way * down[0], 1e-6, "x"),
            (last(run, "block.y"), way * down[1], 1e-6, "y"),
        ])
    });
}

/// Pushed along (0.6, 0.8) ever harder: it gives way where the push is as large as the friction can be, and goes
/// that way like `(t - t1)^3/6`.
#[test]
fn a_block_gives_way() {
    let push = "[[force]]\nname = \"push\"\nkind = \"force\"\nbody_b = \"block\"\nx = \"0.6*t\"\ny = \"0.8*t\"";
    let text = block("", [0.0, 0.0, -G], 0.3, push, 5.0);
    let t1 = 0.3 * G;
    let way = (5.0 - t1).powi(3) / 6.0;
    everywhere(&text, 1e-8, |run| {
        off(&[
            (first(run, "slips"), t1, 1e-7, "gives way"),
            (last(run, "block.x"), 0.6 * way, 3e-6, "x"),
            (last(run, "block.y"), 0.8 * way, 3e-6, "y"),
        ])
    });
}

/// A force that turns drives a block around a circle: `F = m v w` inwards and `mu m g` along. The slip takes every
/// direction.
#[test]
fn a_block_slides_around_a_circle() {
    let (v, w, mu) = (1.0f64, 2.0f64, 0.3);
    let (inwards, along) = (v * w, mu * G);
    let push = format!(
        "[[force]]\nname = \"push\"\nkind = \"force\"\nbody_b = \"block\"\n\
         x = \"{along}*cos({w}*t) - {inwards}*sin({w}*t)\"\ny = \"{along}*sin({w}*t) + {inwards}*cos({w}*t)\""
    );
    let text = block("velocity = [1, 0, 0]", [0.0, 0.0, -G], mu, &push, 2.25 * PI);
    // two turns and a quarter
    everywhere(&text, 1e-8, |run| {
        off(&[
            (last(run, "block.x"), v / w, 3e-6, "x"),
            (last(run, "block.y"), v / w, 3e-6, "y"),
            (last(run, "block.x.velocity"), 0.0, 3e-6, "speed along x"),
            (last(run, "block.y.velocity"), v, 3e-6, "speed along y"),
            (times(run, "sticks").len() as f64, 0.0, 0.0, "sticks"),
        ])
    });
}

/// A ball that rolls down a larger one, off the axes, slips where `2 sin = mu (17 cos - 10 cos0)`.
#[test]
fn a_ball_rolls_down_a_ball() {
    let (theta0, mu, beta) = (0.3f64, 0.5, 0.7f64);
    let reach = 1.1;
    let place = [
        reach * theta0.sin() * beta.cos(),
        reach * theta0.sin() * beta.sin(),
        reach * theta0.cos(),
    ];
    let text = format!(
        r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "ball"
mass = 1
inertia = [0.004, 0.004, 0.004]
position = {place:?}
[[joint]]
name = "globe"
kind = "rigid_contact"
body_b = "ball"
radius_a = 1
radius = 0.1
friction = {mu}
[[event]]
name = "low"
when = "ball.z < 0.2"
kind = "stop"
[simulation]
t_end = 2
"#
    );
    // bisection: the left side grows, the right one falls
    let (mut lo, mut hi) = (theta0, 1.0);
    for _ in 0..60 {
        let x = 0.5 * (lo + hi);
        let slips = 2.0 * f64::sin(x) > mu * (17.0 * x.cos() - 10.0 * theta0.cos());
        if slips {
            hi = x;
        } else {
            lo = x;
        }
    }
    everywhere(&text, 1e-8, |run| {
        let t = first(run, "slips");
        let row = run.times().iter().position(|x| *x >= t).unwrap_or(0);
        let z = run.channel("ball.z").map_or(f64::NAN, |z| z[row]);
        let x = run.channel("ball.x").map_or(f64::NAN, |x| x[row]);
        off(&[
            (z, reach * lo.cos(), 1e-6, "height where it slips"),
            (x, reach * lo.sin() * beta.cos(), 1e-6, "x where it slips"),
            (times(run, "opens").len() as f64, 1.0, 0.0, "leaves once"),
        ])
    });
}

/// Thrown across a slope it turns downhill as it slows, `v = v0 tan(phi/2)^k / sin(phi)` with `k = mu/tan`, stops
/// after `v0 k/((k^2 - 1) g sin)`, and sticks.
#[test]
fn a_block_thrown_across_a_slope_stops() {
    let (slope, v0) = (0.2f64.atan(), 1.5);
    let (k, along) = (2.0, G * slope.sin());
    let gravity = [along, 0.0, -G * slope.cos()];
    let text = block("velocity = [0, 1.5, 0]", gravity, k * 0.2, "", 2.0);
    let stops = v0 * k / ((k * k - 1.0) * along);
    // x' = v cos, y' = v sin, dt = -v dphi/(g sin sin(phi)); with u = tan(phi/2), from 1 to 0
    let across = v0 * v0 / along * (0.5 * (1.0 / 3.0 + 1.0 / 5.0));
    let down = v0 * v0 / along * (0.25 * (1.0 / 2.0 - 1.0 / 6.0));
    everywhere(&text, 1e-8, |run| {
        off(&[
            (first(run, "sticks"), stops, 1e-4, "stops"),
            (last(run, "block.x"), down, 1e-6, "x"),
            (last(run, "block.y"), across, 1e-6, "y"),
            (last(run, "block.x.velocity"), 0.0, 1e-12, "speed"),
            (last(run, "slope.reaction.x"), -along, 1e-9, "friction"),
        ])
    });
}

/// A ball that hops while it slides: its impulses add up to its weight over the time, and friction to a share of them,
/// whatever is left of the hops when they are ended. That is where they are below the tolerance of the run: methods whose
/// steps may use a ten-thousandth of it went on until rounding ruled, for ever.
#[test]
fn hops_below_the_tolerance_are_ended_with_their_friction() {
    let text = "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n\
        [[body]]\nname = \"ball\"\nmass = 1\ninertia = [1e6, 1e6, 1e6]\nposition = [0, 0, 0.6]\nvelocity = [20, 0, 0]\n\
        [[joint]]\nname = \"floor\"\nkind = \"rigid_contact\"\nbody_b = \"ball\"\naxis = [0, 0, 1]\nradius = 0.1\n\
        restitution = 0.6\nfriction = 0.3\n[simulation]\nt_end = 4\n";
    everywhere(text, 1e-8, |run| {
        let hits = times(run, "hits").len() as f64;
        let speed = *run.channel("ball.x.velocity").unwrap().last().unwrap();
        off(&[
            (hits, 18.0, 2.0, "hops"),
            (speed, 20.0 - 0.3 * G * 4.0, 1e-7, "speed"),
        ])
    });
}

/// What friction takes is booked along steps as long as methods of high order make them, first ones behind an event and
/// histories of several among them.
#[test]
fn the_work_of_friction_balances_along_long_steps() {
    let text = "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n\
        [[body]]\nname = \"block\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nvelocity = [2, 0, 0]\n\
        [[joint]]\nname = \"floor\"\nkind = \"rigid_contact\"\nbody_b = \"block\"\naxis = [0, 0, 1]\nfriction = 0.4\n\
        [[joint]]\nname = \"upright\"\nkind = \"orientation\"\nbody_b = \"block\"\n\
        [[force]]\nname = \"push\"\nkind = \"force\"\nbody_b = \"block\"\ny = \"5*sin(3*t)\"\n[simulation]\nt_end = 3\n";
    everywhere(text, 1e-6, |run| {
        let energy = run.energy.unwrap();
        off(&[(energy.imbalance() / energy.exchanged, 0.0, 1e-5, "energy")])
    });
}
