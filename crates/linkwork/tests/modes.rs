//! Modes against closed forms, and the state matrix against differences of the motion.

use linkwork::dae::dense::Matrix;
use linkwork::dae::linear::SparseLu;
use linkwork::dae::linearise::linearise;
use linkwork::dae::saddle::Saddle;
use linkwork::dae::system::{Part, System, Terms};
use linkwork::dae::tangent::Tangent;
use linkwork::mbs::text;
use linkwork::modes::{Modes, Point, named_modes};
use linkwork::{Options, Simulation, Verdict};
use std::f64::consts::TAU;

fn simulation(model: &str) -> Simulation {
    Simulation::from_document(&text::read(model).unwrap()).unwrap()
}

fn modes_at(model: &str, point: Point) -> Modes {
    let found = named_modes(&mut simulation(model), point).unwrap();
    assert_eq!(found.verdict, Verdict::Converged, "{:?}", found.failure);
    found
}

fn close(found: f64, wanted: f64, relative: f64) {
    assert!(
        (found - wanted).abs() <= relative * wanted.abs(),
        "found {found}, wanted {wanted}"
    );
}

/// A carriage on a horizontal rail.
fn carriage(name: &str, mass: f64, x: f64) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nmass = {mass}\ninertia = 1\nposition = [{x}, 0]\n
         [[joint]]\nname = \"rail_{name}\"\nkind = \"prismatic\"\nbody_b = \"{name}\"\nat = [{x}, 0]\naxis = [1, 0]\n"
    )
}

fn spring(name: &str, a: &str, b: &str, x: [f64; 2], k: f64, c: f64) -> String {
    format!(
        "[[force]]\nname = \"{name}\"\nkind = \"spring_damper\"\nbody_a = \"{a}\"\nbody_b = \"{b}\"\n
         at_a = [{}, 0]\nat_b = [{}, 0]\nstiffness = {k}\ndamping = {c}\n",
        x[0], x[1]
    )
}

#[test]
fn a_chain_of_masses_and_springs() {
    let (n, m, k) = (5, 0.3, 700.0);
    let mut model = String::new();
    for i in 1..=n {
        model += &carriage(&format!("m{i}"), m, i as f64);
    }
    for i in 0..=n {
        let name = |i: usize| match i {
            i if i == 0 || i == n + 1 => "ground".to_string(),
            i => format!("m{i}"),
        };
        if i == n {
            // the ground cannot be body_b of a spring written this way round
            let x = [(n + 1) as f64, n as f64];
            model += &spring(&format!("k{i}"), "ground", &name(n), x, k, 0.0);
        } else {
            let x = [i as f64, i as f64 + 1.0];
            model += &spring(&format!("k{i}"), &name(i), &name(i + 1), x, k, 0.0);
        }
    }
    let found = modes_at(&model, Point::Start);
    assert_eq!(found.modes.len(), n);
    for (i, mode) in found.modes.iter().enumerate() {
        let angle = (i + 1) as f64 * std::f64::consts::PI / (2 * (n + 1)) as f64;
        // exact derivatives, a well-conditioned matrix: rounding only
        close(
            mode.frequency_hz,
            2.0 * (k / m).sqrt() * angle.sin() / TAU,
            1e-12,
        );
        assert!(mode.damping_ratio.abs() < 1e-12 && mode.kind == "vibration");
    }
    // the slowest mode of a chain is half a sine
    let amplitude = |name: &str| {
        let shape = &found.modes[0].shape;
        shape
            .iter()
            .find(|e| e.coordinate == format!("body `{name}`, x"))
            .unwrap()
            .re
    };
    close(
        amplitude("m1") / amplitude("m3"),
        (std::f64::consts::PI / 6.0).sin(),
        1e-10,
    );
    let energy: f64 = found.modes[0].parts.iter().map(|p| p.energy).sum();
    close(energy, 1.0, 1e-12);
    assert!(
        found.modes[0].words.starts_with("m3 33 %"),
        "{}",
        found.modes[0].words
    );
}

fn pendulum(hinges: usize) -> String {
    let mut model = "[model]\ngravity = [0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 2\ninertia = 0.3\nposition = [0, -0.7]\n".to_string();
    for i in 0..hinges {
        model += &format!(
            "[[joint]]\nname = \"hinge{i}\"\nkind = \"revolute\"\nbody_b = \"rod\"\nat = [0, 0]\n"
        );
    }
    model
}

#[test]
fn a_pendulum_and_the_same_with_redundant_hinges() {
    let wanted = (2.0 * 9.81 * 0.7 / (0.3 + 2.0 * 0.49f64)).sqrt() / TAU;
    for hinges in [1, 2, 3] {
        let found = modes_at(&pendulum(hinges), Point::Start);
        assert_eq!(found.modes.len(), 1);
        close(found.modes[0].frequency_hz, wanted, 1e-12);
        assert_eq!(found.modes[0].parts[0].part, "rod");
    }
}

#[test]
fn a_double_pendulum_of_points() {
    let model = r#"
        [model]
        gravity = [0, -9.81]
        [[body]]
        name = "upper"
        kind = "point"
        mass = 1.5
        position = [0, -0.8]
        [[body]]
        name = "lower"
        kind = "point"
        mass = 1.5
        position = [0, -1.6]
        [[joint]]
        name = "string1"
        kind = "distance"
        body_b = "upper"
        [[joint]]
        name = "string2"
        kind = "distance"
        body_a = "upper"
        body_b = "lower"
    "#;
    let found = modes_at(model, Point::Start);
    // the tension of the strings is all the stiffness there is
    for (mode, sign) in found.modes.iter().zip([-1.0, 1.0]) {
        let wanted = ((2.0 + sign * 2f64.sqrt()) * 9.81 / 0.8).sqrt();
        close(mode.im, wanted, 1e-11);
    }
}

#[test]
fn a_damped_oscillator_below_and_above_critical_damping() {
    let (m, k): (f64, f64) = (4.0, 900.0);
    for damping in [0.02, 0.7, 3.0] {
        let c = 2.0 * damping * (k * m).sqrt();
        let model = carriage("m", m, 1.0) + &spring("k", "ground", "m", [0.0, 1.0], k, c);
        let found = modes_at(&model, Point::Start);
        if damping < 1.0 {
            let mode = &found.modes[0];
            close(mode.damping_ratio, damping, 1e-12);
            close(mode.natural_hz, (k / m).sqrt() / TAU, 1e-12);
        } else {
            let root = (damping * damping - 1.0).sqrt();
            let rates: Vec<f64> = found.modes.iter().map(|m| m.re).collect();
            close(rates[0], -(k / m).sqrt() * (damping - root), 1e-11);
            close(rates[1], -(k / m).sqrt() * (damping + root), 1e-11);
            assert!(found.modes.iter().all(|m| m.kind == "decay"));
        }
    }
}

#[test]
fn a_quarter_car_satisfies_its_characteristic_equation() {
    let (ms, mu, ks, kt, c) = (320.0, 40.0, 18e3, 200e3, 1.2e3);
    let model = carriage("wheel", mu, 1.0)
        + &carriage("body", ms, 2.0)
        + &spring("tyre", "ground", "wheel", [0.0, 1.0], kt, 0.0)
        + &spring("strut", "wheel", "body", [1.0, 2.0], ks, c);
    let found = modes_at(&model, Point::Start);
    assert_eq!(found.modes.len(), 2);
    for mode in &found.modes {
        use linkwork::dae::eigen::Complex;
        let s = Complex::new(mode.re, mode.im);
        let real = |x: f64| Complex::new(x, 0.0);
        let strut = s * real(c) + real(ks);
        let body = s * s * real(ms) + strut;
        let wheel = s * s * real(mu) + strut + real(kt);
        let size = body.abs() * wheel.abs();
        assert!((body * wheel - strut * strut).abs() < 1e-11 * size.max(strut.abs().powi(2)));
    }
    assert_eq!(found.modes[0].parts[0].part, "body");
    assert_eq!(found.modes[1].parts[0].part, "wheel");
}

#[test]
fn free_bodies_have_exact_zeros_beside_fast_springs() {
    let model = r#"
        [[body]]
        name = "a"
        mass = 2
        inertia = 0.5
        [[body]]
        name = "b"
        mass = 3
        inertia = 0.2
        position = [1, 0.4]
        [[force]]
        name = "rod"
        kind = "spring_damper"
        body_a = "a"
        body_b = "b"
        stiffness = 1e9
        [[force]]
        name = "twist"
        kind = "torsion_spring"
        body_a = "a"
        body_b = "b"
        stiffness = 4
    "#;
    let found = modes_at(model, Point::Start);
    let zeros = found
        .modes
        .iter()
        .filter(|m| m.re == 0.0 && m.im == 0.0)
        .count();
    // x, y, rotation of the whole, and b around a on the rod without turning
    assert_eq!(
        zeros,
        4,
        "{:?}",
        found.modes.iter().map(|m| m.im).collect::<Vec<_>>()
    );
    assert!(found.modes[..4].iter().all(|m| m.kind == "free drift"));
    close(
        found.modes[4].im,
        (4.0 * (1.0 / 0.5 + 1.0 / 0.2f64)).sqrt(),
        1e-6,
    );
    close(
        found.modes[5].im,
        (1e9 * (1.0 / 2.0 + 1.0 / 3.0f64)).sqrt(),
        1e-12,
    );
    assert_eq!(found.stable, Some(true));
}

#[test]
fn controls_bring_their_own_modes() {
    let model = carriage("m", 2.0, 1.0)
        + &spring("k", "ground", "m", [0.0, 1.0], 50.0, 0.0)
        + "[[control]]\nname = \"slow\"\nkind = \"filter\"\ninput = \"m.x\"\ntime = 0.25\n";
    let found = modes_at(&model, Point::Start);
    assert!(
        found
            .modes
            .iter()
            .any(|m| (m.re + 4.0).abs() < 1e-10 && m.im == 0.0)
    );
    assert!(found.modes.iter().any(|m| (m.im - 5.0).abs() < 1e-10));
}

#[test]
fn an_upright_pendulum_grows() {
    let model = pendulum(1).replace("position = [0, -0.7]", "position = [0, 0.7]");
    let found = modes_at(&model, Point::Start);
    assert_eq!(found.stable, Some(false));
    let rate = (2.0 * 9.81 * 0.7 / (0.3 + 2.0 * 0.49f64)).sqrt();
    assert!(
        found
            .modes
            .iter()
            .any(|m| m.kind == "growth" && (m.re / rate - 1.0).abs() < 1e-12)
    );
}

/// A thin disc that rolls upright falls or wobbles at `l^2 = (m g r A - w^2 C (C + m r^2)) / (A (A + m r^2))`, `A` about a
/// diameter, `C` about the axis (Neimark & Fufaev 1972, III.3), in whatever coordinates it is written.
#[test]
fn a_rolling_disc_falls_as_fast_in_all_coordinates() {
    let (m, r, a, c, g) = (2.0, 0.3, 0.045, 0.09, 9.81);
    for spin in [0.5, 2.0, 5.0] {
        let text = format!(
            "[model]\nplanar = false\ngravity = [0, 0, -{g}]\nROTATION\n\
             [[body]]\nname = \"disc\"\nmass = {m}\ninertia = [{a}, {c}, {a}]\nposition = [0, 0, {r}]\n\
             velocity = [{}, 0, 0]\nangular_velocity = [0, {spin}, 0]\nexact = true\n\
             [[joint]]\nname = \"floor\"\nkind = \"rolling_disc\"\nbody_b = \"disc\"\naxis_b = [0, 1, 0]\n\
             radius = {r}\n",
            r * spin
        );
        let square = (m * g * r * a - spin * spin * c * (c + m * r * r)) / (a * (a + m * r * r));
        let rate = f64::sqrt(f64::abs(square));
        for (rotation, coordinates) in [
            ("", "absolute"),
            ("", "joint"),
            ("rotation = \"euler-parameters\"", "absolute"),
        ] {
            let document = text::read(&text.replace("ROTATION", rotation)).unwrap();
            let options = Options::new().coordinates(coordinates);
            let mut disc = Simulation::from_document_with(&document, options).unwrap();
            let found = named_modes(&mut disc, Point::Start).unwrap();
            let seen: Vec<[f64; 2]> = found.modes.iter().map(|m| [m.re, m.im]).collect();
            let is = |[re, im]: &[f64; 2]| match square > 0.0 {
                true => (re - rate).abs() < 1e-6 * rate && *im == 0.0,
                false => (im - rate).abs() < 1e-6 * rate && re.abs() < 1e-6 * rate,
            };
            assert!(
                seen.iter().any(is),
                "{coordinates} {rotation}: {seen:?}, not {rate}"
            );
            // everything else about it is neutral
            let rest = seen
                .iter()
                .filter(|x| x[0].hypot(x[1]) > 1e-3 * rate)
                .count();
            assert_eq!(
                rest,
                if square > 0.0 { 2 } else { 1 },
                "{coordinates} {rotation}: {seen:?}"
            );
        }
    }
}

/// The motion in independent coordinates `u = Z' q`: accelerations `Z' a` at displaced `u`, `u'`.
fn reduced_acceleration(
    sys: &mut dyn System,
    saddle: &mut Saddle,
    tangent: &Tangent,
    at: &linkwork::dae::state::State,
    (du, dw): (&[f64], &[f64]),
    rows: &linkwork::dae::system::Rows,
) -> Vec<f64> {
    let mut s = at.clone();
    for i in 0..s.q.len() {
        s.q[i] += du[i];
        s.v[i] += dw[i];
    }
    let dims = sys.dims();
    for level in [0, 0, 0, 0, 1] {
        let (mut c, mut cv) = (vec![0.0; dims.nc], vec![0.0; dims.nc]);
        let mut want = Terms {
            c: Some(&mut c),
            cv: Some(&mut cv),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want).unwrap();
        let open = if level == 0 { &c } else { &cv };
        let demand: Vec<f64> = rows.c.iter().map(|&i| -open[i as usize]).collect();
        // the chart of the tangent plane: corrections leave Z' q and Z' v alone
        if level == 0 {
            for (q, d) in s.q.iter_mut().zip(tangent.least(&demand)) {
                *q += d;
            }
        } else {
            // C_q at the displaced pose differs from that of the chart: iterate
            for _ in 0..6 {
                let mut cv = vec![0.0; dims.nc];
                let mut want = Terms {
                    cv: Some(&mut cv),
                    ..Terms::default()
                };
                sys.eval(&s.at(), &mut want).unwrap();
                let demand: Vec<f64> = rows.c.iter().map(|&i| -cv[i as usize]).collect();
                for (v, d) in s.v.iter_mut().zip(tangent.least(&demand)) {
                    *v += d;
                }
            }
        }
    }
    saddle.accelerate(sys, &mut s).unwrap();
    tangent.coordinates(&s.a)
}

#[test]
fn a_moving_linkage_agrees_with_differences_of_its_motion() {
    let source = linkwork::catalogue::MODELS
        .iter()
        .find(|m| m.name == "four_bar")
        .unwrap();
    let set = ["crank.angular_velocity=7"];
    let document = text::read_with(source.text, &set).unwrap();
    let mut simulation = Simulation::from_document(&document).unwrap();
    let start = simulation.start().unwrap();
    let sys = simulation.system();
    let system = linearise(sys, &start.state, &start.rows).unwrap();
    let dims = sys.dims();
    let mut values = vec![0.0; sys.patterns()[Part::Cq].len()];
    let mut want = Terms {
        c_q: Some(&mut values),
        ..Terms::default()
    };
    sys.eval(&start.state.at(), &mut want).unwrap();
    let mut c_q = Matrix::zero(dims.nc, dims.nv);
    for (&(i, j), x) in sys.patterns()[Part::Cq].iter().zip(&values) {
        c_q[(i as usize, j as usize)] += x;
    }
    let tangent = Tangent::new(sys, &c_q, &start.rows).unwrap();
    let mut saddle = Saddle::new(sys, &start.rows, Box::new(SparseLu::new()));
    let h = 1e-5;
    let n = system.a.rows();
    assert_eq!(n, 2);
    for j in 0..n {
        let (dq, dv) = (system.dq.column(j), system.dv.column(j));
        let mut side = |sign: f64| {
            let scaled = |x: &[f64]| x.iter().map(|x| sign * h * x).collect::<Vec<f64>>();
            let d = (&scaled(&dq)[..], &scaled(&dv)[..]);
            reduced_acceleration(sys, &mut saddle, &tangent, &start.state, d, &start.rows)[0]
        };
        let slope = (side(1.0) - side(-1.0)) / (2.0 * h);
        // central differences: h^2 times third derivatives, some 1e-8
        close(system.a[(1, j)], slope, 1e-6);
    }
}

#[test]
fn small_vibrations_of_a_linkage_have_the_period_of_its_mode() {
    let source = linkwork::catalogue::MODELS
        .iter()
        .find(|m| m.name == "four_bar")
        .unwrap();
    let found = modes_at(source.text, Point::Equilibrium);
    let period = 1.0 / found.modes[0].frequency_hz;
    // near the equilibrium, pushed gently
    let document = text::read(source.text).unwrap();
    let mut simulation = Simulation::from_document(&document).unwrap();
    let rest = linkwork::balance::balance(&mut simulation).values;
    let mut model = document.model.clone();
    linkwork::mbs::repose::repose(&mut model, |name| rest.get(name)).unwrap();
    model.bodies[0].angular_velocity = [0.0, 0.0, 1e-3];
    model.bodies[0].velocity_trust = linkwork::mbs::body::Trust::Exact;
    let options = Options {
        t_end: Some(2.0 * period),

        rtol: Some(1e-9),
        outputs: Some(linkwork::options::Outputs::Uniform(2000)),
        ..Options::default()
    };
    let run = Simulation::of(&model)
        .unwrap()
        .options(options)
        .run()
        .unwrap();
    let rate = run.channel("crank.angle.velocity").unwrap();
    // the velocity falls through zero a quarter of a period after the push
    let mut crossings = Vec::new();
    for (k, w) in rate.windows(2).enumerate() {
        if w[0] > 0.0 && w[1] <= 0.0 {
            let share = w[0] / (w[0] - w[1]);
            crossings.push(run.times()[k] + share * (run.times()[k + 1] - run.times()[k]));
        }
    }
    // amplitude 1e-3 rad and linear interpolation within 1/1000 period
    close(crossings[1] - crossings[0], period, 1e-5);
}

#[test]
fn the_end_of_a_run_and_failures() {
    let model = pendulum(1) + "[simulation]\nt_end = 0.5\n";
    let found = modes_at(&model, Point::End);
    assert_eq!(found.t, 0.5);
    let massless = "[[body]]\nname = \"ghost\"\nmass = 0\ninertia = 0\n";
    let found = named_modes(&mut simulation(massless), Point::Start).unwrap();
    assert_eq!(found.verdict, Verdict::Failed);
    assert!(found.failure.unwrap().cause.contains("ghost"));
}
