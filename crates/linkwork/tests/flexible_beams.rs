//! Straight beams as flexible bodies: frequencies, axial forces that stiffen, and runs against beams that bend far.

use linkwork::mbs::carrier::{ModeSet, StraightBeam};
use linkwork::mbs::{Material, Section, text};
use linkwork::modes::{Point, named_modes};
use std::f64::consts::{PI, TAU};

mod runs;

use runs::{channel, converged, ended as run, options, simulation};

/// A section of 1 m^2 and a material with these stiffnesses, without mass about the axis of the beam that matters.
fn stock(axial: f64, bending: f64, line: f64) -> String {
    let second = bending / axial;
    format!(
        "[model]\nplanar = false\n\
         [[section]]\nname = \"s\"\nkind = \"general\"\narea = 1\nsecond_moments = [{second:e}, {second:e}]\n\
         [[material]]\nname = \"m\"\nyoung = {axial:e}\npoisson = 0\ndensity = {line:e}\n"
    )
}

fn beam(length: f64, keys: &str) -> String {
    format!(
        "[[body]]\nname = \"arm\"\nkind = \"flexible_beam\"\nlength = {length}\nsection = \"s\"\nmaterial = \"m\"\n{keys}\n"
    )
}

const CLAMP: &str = "[[joint]]\nname = \"clamp\"\nkind = \"fixed\"\nbody_b = \"arm.start\"\n";

/// Angular frequencies that are not zero, from below.
fn frequencies(model: &str, point: Point) -> Vec<f64> {
    let modes = named_modes(&mut simulation(model), point).unwrap();
    let all = modes.modes.iter().map(|m| TAU * m.frequency_hz);
    let mut all: Vec<f64> = all.filter(|w| *w > 1e-4).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// Clamped by a joint, the modes of every set give the frequencies of the cantilever.
#[test]
fn a_clamped_beam_has_its_frequencies_with_every_set_of_modes() {
    let roots = [
        1.875_104_069,
        4.694_091_133,
        7.854_757_438,
        10.995_540_73,
        14.137_168_39,
    ];
    for (set, bounds) in [("clamped", [1e-6; 5]), ("interface", [1e-3; 5])] {
        let keys = format!("modes = [10, 0, 0, 0]\ntheory = \"euler\"\nmode_set = \"{set}\"");
        let found = frequencies(
            &(stock(1e6, 1.0, 1.0) + &beam(1.0, &keys) + CLAMP),
            Point::Start,
        );
        for ((w, root), bound) in found.iter().zip(roots).zip(bounds) {
            let off = w / (root * root) - 1.0;
            println!("{set}: {off:e}");
            assert!(off.abs() < bound, "{set}: {w} {off:e}");
        }
    }
}

/// First five of bending in both planes, of tension and of torsion, of a body that is free, clamped or between pins, by both
/// theories, with modes of interfaces as with those of the support itself; slender, so that the theories agree.
#[test]
fn a_body_has_its_frequencies_however_it_is_held() {
    let free = [
        4.730_040_745,
        7.853_204_624,
        10.995_607_84,
        14.137_165_49,
        17.278_759_66,
    ];
    let pinned = [1.0, 2.0, 3.0, 4.0, 5.0].map(|k| k * PI);
    let clamped = [
        1.875_104_069,
        4.694_091_133,
        7.854_757_438,
        10.995_540_73,
        14.137_168_39,
    ];
    let pins = "[[joint]]\nname = \"left\"\nkind = \"universal\"\nbody_b = \"arm.start\"\naxis = [0, 0, 1]\nsecond_axis = [0, 1, 0]\n\
                [[joint]]\nname = \"right\"\nkind = \"point_on_line\"\nbody_b = \"arm.end\"\naxis = [1, 0, 0]\n";
    let slender = 1e4f64;
    // tension and torsion of a general section with nu = 0 have the wave speeds 1 and sqrt(1/2)
    for (support, set, joints, roots, along) in [
        ("free", "free", "", free, 1.0),
        ("free", "interface", "", free, 1.0),
        ("pinned", "pinned", pins, pinned, 0.5),
        ("pinned", "interface", pins, pinned, 0.5),
        ("clamped", "clamped", CLAMP, clamped, 0.5),
        ("clamped", "interface", CLAMP, clamped, 0.5),
    ] {
        for theory in ["euler", "timoshenko"] {
            // those of interfaces are not those of the support, and take more
            let count = if set == "interface" { 20 } else { 6 };
            let keys = format!(
                "modes = [{count}, {count}, {count}, {count}]\ntheory = \"{theory}\"\nmode_set = \"{set}\"\nstiffening = false"
            );
            let model =
                stock(1.0, 1.0 / (12.0 * slender * slender), 1.0) + &beam(1.0, &keys) + joints;
            let found = frequencies(&model, Point::Start);
            let unit = 1.0 / (slender * 12f64.sqrt());
            let mut wanted: Vec<(&str, f64)> = roots.map(|r| ("bending", r * r * unit)).to_vec();
            for k in 0..5 {
                let number = PI * (f64::from(k) + along);
                wanted.extend([("tension", number), ("torsion", number * 0.5f64.sqrt())]);
            }
            for (what, w) in wanted {
                let off = found.iter().map(|f| (f / w - 1.0).abs());
                let off = off.fold(f64::INFINITY, f64::min);
                println!("{support} {set} {theory} {what} {w}: {off:e}");
                assert!(off < 1e-3, "{support} {set} {theory} {what}: {w} {found:?}");
            }
        }
    }
}

/// The highest degree still tells modes apart: all of twenty are those of closed forms.
#[test]
fn as_many_modes_as_are_allowed_are_sound() {
    let most = StraightBeam::MOST_MODES;
    for timoshenko in [false, true] {
        let beam = StraightBeam {
            length: 1.0,
            section: Section::rectangle(1e-4, 1e-4),
            material: Material::new(1.0, 0.3, 1.0),
            timoshenko,
            set: ModeSet::Pinned,
            modes: [most; 4],
            stiffening: true,
        };
        let modal = beam.modal(&[]).unwrap();
        assert_eq!(modal.problem(), None);
        let found = |k: usize| modal.stiffness[k * (4 * most + 1)].sqrt();
        let unit = 1e-4 / 12f64.sqrt();
        for k in 0..most {
            let number = (k + 1) as f64 * PI;
            let bending = found(k) / (number * number * unit) - 1.0;
            let tension = found(2 * most + k) / ((k as f64 + 0.5) * PI) - 1.0;
            println!("{timoshenko} {k}: {bending:e} {tension:e}");
            assert!(bending.abs() < 1e-4 && tension.abs() < 1e-6, "{k}");
        }
    }
}

/// Without stiffening a beam that turns flaps as one at rest.
#[test]
fn without_stiffening_rotation_changes_no_flapping() {
    let keys = "modes = [0, 6, 0, 0]\ntheory = \"euler\"\nmode_set = \"clamped\"\nstiffening = false\n\
                angular_velocity = [0, 0, 8]";
    let hinge = "[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbody_b = \"arm\"\naxis = [0, 0, 1]\n\
                 [[joint]]\nname = \"drive\"\nkind = \"drive\"\nbody_b = \"arm\"\naxis = [0, 0, 1]\nvalue = \"8*t\"\n";
    let model = stock(1e6, 1.0, 1.0) + &beam(1.0, keys) + hinge;
    let found = frequencies(&model, Point::Start);
    assert!((found[0] / 3.516_015 - 1.0).abs() < 1e-4, "{found:?}");
}

/// A force along the axis at its end softens a beam between pins until it buckles: `w^2 (1 - P/P_cr)`.
#[test]
fn a_load_at_the_end_softens() {
    let critical = PI * PI;
    for part in [-1.0, 0.0, 0.5, 0.9] {
        let rest = format!(
            "[[joint]]\nname = \"left\"\nkind = \"revolute\"\nbody_b = \"arm.start\"\naxis = [0, 0, 1]\n\
             [[joint]]\nname = \"right\"\nkind = \"point_on_line\"\nbody_b = \"arm.end\"\naxis = [1, 0, 0]\n\
             [[force]]\nname = \"load\"\nkind = \"force\"\nbody_b = \"arm.end\"\nx = {:?}\n",
            -part * critical
        );
        let keys = "modes = [4, 0, 1, 0]\ntheory = \"euler\"\nmode_set = \"pinned\"";
        let found = frequencies(
            &(stock(1e6, 1.0, 1.0) + &beam(1.0, keys) + &rest),
            Point::Equilibrium,
        );
        let wanted = PI * PI * (1.0 - part).sqrt();
        println!("{part}: {} {wanted}", found[0]);
        assert!(
            (found[0] / wanted - 1.0).abs() < 1e-3,
            "{part}: {found:?} {wanted}"
        );
    }
}

/// The spin-up of Simo & Vu-Quoc (1986): with one, two and four modes of bending as by an independent implementation, to
/// the digits that are known of it.
#[test]
fn a_flexible_body_that_is_spun_up_lags_behind() {
    let angle = "0.4*(t^2/2 + (7.5/pi)^2*(cos(pi*t/7.5) - 1))";
    let hinge = format!(
        "[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbody_b = \"arm\"\naxis = [0, 0, 1]\n\
         [[joint]]\nname = \"drive\"\nkind = \"drive\"\nbody_b = \"arm\"\naxis = [0, 0, 1]\nvalue = \"{angle}\"\n"
    );
    for (modes, wanted, digit) in [(1, -0.578, 1e-3), (2, -0.5736, 1e-4), (4, -0.5743, 1e-4)] {
        let keys =
            format!("modes = [{modes}, 0, 0, 0]\ntheory = \"euler\"\nmode_set = \"clamped\"");
        let model = stock(2.8e7, 1.4e4, 1.2) + &beam(10.0, &keys) + &hinge;
        let r = run(&model, 9.0, 1e-7, "radau");
        let (x, y) = (channel(&r, "arm.end.x"), channel(&r, "arm.end.y"));
        let lag = r.times().iter().zip(x).zip(y).map(|((t, x), y)| {
            let angle: f64 =
                0.4 * (t * t / 2.0 + (7.5 / PI).powi(2) * ((PI * t / 7.5).cos() - 1.0));
            -angle.sin() * x + angle.cos() * y
        });
        let most = lag.fold(0.0, f64::min);
        println!("{modes}: {most}");
        assert!((most - wanted).abs() < 0.6 * digit, "{modes}: {most}");
        let e = r.energy.unwrap();
        assert!(e.imbalance().abs() < 1e-4 * e.exchanged, "{e:?}");
    }
}

/// A beam swings from the horizontal, as a flexible body and as a chain of elements: small deflections are the same.
#[test]
fn modes_and_elements_swing_alike() {
    let gravity = |text: String| {
        text.replace(
            "planar = false\n",
            "planar = false\ngravity = [0, -9.81, 0]\n",
        )
    };
    let hinge = |at: &str| {
        format!(
            "[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbody_b = \"{at}\"\naxis = [0, 0, 1]\n"
        )
    };
    let keys = "modes = [4, 0, 0, 0]\nmode_set = \"pinned\"\n";
    let modal = gravity(stock(1e7, 2e3, 2.0)) + &beam(2.0, keys) + &hinge("arm.start");
    let chain = "[[beam]]\nname = \"arm\"\npoints = [[0, 0, 0], [2, 0, 0]]\nelements = 12\nsection = \"s\"\nmaterial = \"m\"\n";
    let chain = gravity(stock(1e7, 2e3, 2.0)) + chain + &hinge("arm_start");
    let [a, b] = [
        (run(&modal, 0.6, 1e-6, "bdf"), "arm.end"),
        (run(&chain, 0.6, 1e-6, "bdf"), "arm_e12"),
    ]
    .map(|(r, end)| {
        ["x", "y"].map(|axis| {
            channel(&r, &format!("{end}.{axis}"))
                .last()
                .copied()
                .unwrap()
        })
    });
    println!("{a:?} {b:?}");
    let apart = (a[0] - b[0]).hypot(a[1] - b[1]);
    assert!(apart < 2e-4, "{a:?} {b:?}");
}

/// A four-bar linkage whose coupler bends, as a flexible body and as a chain of elements, in both coordinates.
#[test]
fn a_four_bar_linkage_has_a_coupler_that_bends() {
    let (pin, pivot) = ([0.0, 0.1], [0.4, 0.0]);
    let (coupler, rocker) = (0.4f64, 0.3f64);
    // the upper intersection of two circles
    let (dx, dy) = (pivot[0] - pin[0], pivot[1] - pin[1]);
    let apart = f64::hypot(dx, dy);
    let along = (coupler * coupler - rocker * rocker + apart * apart) / (2.0 * apart);
    let across = (coupler * coupler - along * along).sqrt();
    let eye = [
        pin[0] + (along * dx - across * dy) / apart,
        pin[1] + (along * dy + across * dx) / apart,
    ];
    let angle = (eye[1] - pin[1]).atan2(eye[0] - pin[0]);
    let head = "[model]\nplanar = false\n\
         [[section]]\nname = \"s\"\nkind = \"circle\"\ndiameter = \"6 mm\"\n\
         [[material]]\nname = \"m\"\nyoung = \"2 GPa\"\npoisson = 0.3\ndensity = 1200\ndamping_time = 1e-4\n\
         [[body]]\nname = \"crank\"\nmass = 0.1\ninertia = 1e-4\nposition = [0, 0.05, 0]\n";
    let [x, y] = [0.5 * (eye[0] + pivot[0]), 0.5 * (eye[1] + pivot[1])];
    let head = format!(
        "{head}[[body]]\nname = \"rocker\"\nmass = 0.1\ninertia = 1e-3\nposition = [{x:?}, {y:?}, 0]\n"
    );
    let joint = |name: &str, kind: &str, a: &str, b: &str, at: [f64; 2], more: &str| {
        let [x, y] = at;
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"{kind}\"\nbody_a = \"{a}\"\nbody_b = \"{b}\"\nat = [{x:?}, {y:?}, 0]\n{more}"
        )
    };
    let z = "axis = [0, 0, 1]\n";
    let joints = |start: &str, end: &str| {
        joint("bearing", "revolute", "ground", "crank", [0.0; 2], z)
            + &joint(
                "motor",
                "drive",
                "ground",
                "crank",
                [0.0; 2],
                &format!("{z}value = \"8*t^2\"\n"),
            )
            + &joint("pin", "revolute", "crank", start, pin, z)
            + &joint("eye", "spherical", end, "rocker", eye, "")
            + &joint("pivot", "revolute", "ground", "rocker", pivot, z)
    };
    let modal = format!(
        "{head}[[body]]\nname = \"rod\"\nkind = \"flexible_beam\"\nlength = {coupler}\nsection = \"s\"\nmaterial = \"m\"\n\
         modes = [5, 0, 1, 0]\nframes = [\"mid\"]\nframe_places = [0.5]\nposition = [{:?}, {:?}, 0]\nrotation_vector = [0, 0, {angle:?}]\n",
        pin[0], pin[1]
    ) + &joints("rod.start", "rod.end");
    let chain = format!(
        "{head}[[beam]]\nname = \"rod\"\npoints = [[{:?}, {:?}, 0], [{:?}, {:?}, 0]]\nelements = 12\nsection = \"s\"\nmaterial = \"m\"\n",
        pin[0], pin[1], eye[0], eye[1]
    ) + &joints("rod_start", "rod_end");
    let models = [(modal, "rod.mid"), (chain, "rod_e6")];
    let paths: Vec<Vec<[f64; 2]>> = (models.iter())
        .flat_map(|(model, middle)| {
            ["absolute", "joint"].map(|coordinates| {
                let model = text::read(model).unwrap_or_else(|e| panic!("{e:?}")).model;
                let options = options(coordinates, "bdf", 1e-6);
                let r = converged(&model, 0.4, options);
                let [x, y] = ["x", "y"].map(|axis| channel(&r, &format!("{middle}.{axis}")));
                x.iter().zip(y).map(|(x, y)| [*x, *y]).collect()
            })
        })
        .collect();
    let apart = |a: &[[f64; 2]], b: &[[f64; 2]]| {
        assert_eq!(a.len(), b.len());
        let each = a
            .iter()
            .zip(b)
            .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        each.fold(0.0, f64::max)
    };
    let [by_modes, joint_modes, by_elements, joint_elements] = &paths[..] else {
        panic!("four runs");
    };
    let found = [
        apart(by_modes, joint_modes),
        apart(by_elements, joint_elements),
        apart(by_modes, by_elements),
        apart(joint_modes, joint_elements),
    ];
    println!("{found:?}");
    for (apart, bound) in found.into_iter().zip([1e-6, 1e-6, 5e-6, 5e-6]) {
        assert!(apart < bound, "{found:?}");
    }
}

/// What is wrong with a flexible body is told with the number that tells.
#[test]
fn bad_flexible_bodies_are_refused_by_name() {
    let body = |keys: &str| {
        format!(
            "[model]\nplanar = false\n[[body]]\nname = \"rod\"\nkind = \"modal\"\n\
             points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\nmasses = [1, 1, 1, 1]\n{keys}"
        )
    };
    let shapes =
        "modes = [[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]]\n";
    let cases = [
        (
            format!("{shapes}stiffness = [100, -4]\n"),
            "mode 2 is negative: -4",
        ),
        (
            format!("{shapes}stiffness = [[1, 2], [2, 1]]\n"),
            "combination of modes",
        ),
        (
            format!("{shapes}stiffness = [[1, 2], [3, 9]]\n"),
            "it is 2 and 3",
        ),
        (format!("{shapes}stiffness = [1, 2, 3]\n"), "not 3 numbers"),
        (
            format!("{shapes}stiffness = [1, 2]\nexpected_mass = 4000\n"),
            "1000 times",
        ),
        (
            format!("{shapes}stiffness = [1, 2]\nexpected_frequencies = [700]\n"),
            "Hz were expected",
        ),
        (
            "modes = [[1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]]\nstiffness = [1]\n".to_string(),
            "mode 1 moves no mass, or as the body",
        ),
        (
            format!("{shapes}stiffness = [1, 2]\nmodal_mass = [[1, 0.1], [0.2, 1]]\n"),
            "the mass of the modes must be symmetric: between modes 1 and 2 it is 0.1 and 0.2",
        ),
        (
            format!("{shapes}stiffness = [1, 2]\nmodal_mass = [[1, 0], [0, -1]]\n"),
            "mode 2 moves no mass, or as the body or other modes do: of its inertia",
        ),
        (
            "modes = [[1, 0, 0]]\nstiffness = [1]\n".to_string(),
            "needs 12 numbers",
        ),
    ];
    for (keys, wanted) in cases {
        let errors = text::read(&body(&keys)).expect_err(&keys);
        let told = &errors[0].message;
        assert!(
            told.contains("`rod`") && told.contains(wanted),
            "{told}\n{keys}"
        );
    }
}

/// Moments and forces along a cantilever at rest are those of statics, and read again from what is written.
#[test]
fn section_forces_are_those_of_statics() {
    let keys =
        "modes = [8, 8, 4, 4]\nmode_set = \"interface\"\nframes = [\"mid\"]\nframe_places = [0.5]";
    let load = "[[force]]\nname = \"load\"\nkind = \"force\"\nbody_b = \"arm.end\"\nx = 3e-3\ny = 1e-3\nz = 2e-3\n\
                [[force]]\nname = \"turn\"\nkind = \"moment\"\nbody_b = \"arm.end\"\nx = 4e-3\n";
    let model = stock(1e6, 1.0, 1.0) + &beam(1.0, keys) + CLAMP + load;
    let written = text::read(&model).unwrap().to_text();
    let euler = model.replace("modes =", "theory = \"euler\"\nmodes =");
    for model in [model, written, euler] {
        let found = linkwork::balance::balance(&mut simulation(&model));
        let value = |name: &str| found.values.get(name).unwrap_or_else(|| panic!("{name}"));
        for (frame, arm) in [("start", 1.0), ("mid", 0.5), ("end", 0.0)] {
            let wanted = [
                ("force.axial", 3e-3),
                ("shear.normal", 1e-3),
                ("shear.third", 2e-3),
                ("torque", 4e-3),
                ("bending.third", 1e-3 * arm),
                ("bending.normal", -2e-3 * arm),
            ];
            for (what, wanted) in wanted {
                let found = value(&format!("arm.{frame}.{what}"));
                // the load bends it by a thousandth, and so do its arms change
                assert!(
                    (found - wanted).abs() < 1e-5,
                    "{frame} {what}: {found} {wanted}"
                );
            }
        }
    }
}

/// A planar cantilever: the corners of its section are stressed by tension and bending, and its modes have energies whose sum of
/// strain is that of the load, half of its work.
#[test]
fn outer_fibres_are_stressed_as_statics_says() {
    let model = "[[section]]\nname = \"s\"\nkind = \"rectangle\"\nheight = 0.02\nwidth = 0.03\n\
                 [[material]]\nname = \"m\"\nyoung = 1e9\npoisson = 0.3\ndensity = 1000\n\
                 [[body]]\nname = \"arm\"\nkind = \"flexible_beam\"\nlength = 1\nsection = \"s\"\nmaterial = \"m\"\nmodes = [8, 2]\n\
                 [[joint]]\nname = \"clamp\"\nkind = \"fixed\"\nbody_b = \"arm.start\"\n\
                 [[force]]\nname = \"load\"\nkind = \"force\"\nbody_b = \"arm.end\"\nx = 0.3\ny = -0.1\n";
    let written = text::read(model).unwrap().to_text();
    for model in [model, &written] {
        let found = linkwork::balance::balance(&mut simulation(model));
        let value = |name: &str| found.values.get(name).unwrap_or_else(|| panic!("{name}"));
        let (tension, bending) = (0.3 / 6e-4, 0.1 / 2e-6);
        for (fibre, side) in [(1, 1.0), (2, -1.0), (3, -1.0), (4, 1.0)] {
            let stress = value(&format!("arm.start.stress.{fibre}"));
            let wanted = tension + side * bending;
            assert!(
                (stress / wanted - 1.0).abs() < 1e-2,
                "{fibre}: {stress} {wanted}"
            );
        }
        let strain = value("arm.strain_energy");
        let work = 0.5 * (0.1 * -value("arm.end.y") + 0.3 * (value("arm.end.x") - 1.0));
        println!("{strain:e} {work:e}");
        assert!((strain / work - 1.0).abs() < 2e-2, "{strain} {work}");
    }
}
