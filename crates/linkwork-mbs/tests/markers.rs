//! Named frames: users of markers against the same parts with bodies, points and directions written
//! out, in the plane and in space; mistakes; channels.

use linkwork_mbs::text::{self, Document};
use linkwork_mbs::{ModelError, assemble};

fn read(source: &str) -> Document {
    text::read(source).unwrap_or_else(|e| panic!("{e:#?}\n{source}"))
}

const PLANE: &str = "[parameters]\nh = 0.25\n\
    [[body]]\nname = \"crank\"\nmass = 1\ninertia = 1\n\
    [[body]]\nname = \"slide\"\nmass = 1\ninertia = 1\nposition = [1, 0.5]\nangle = \"20 deg\"\n\
    [[marker]]\nname = \"rail\"\nbody = \"crank\"\npoint = [\"2*h\", 0]\nangle = \"30 deg\"\n\
    [[marker]]\nname = \"shoe\"\nbody = \"slide\"\npoint = [0, \"h\"]\nangle = \"10 deg\"\n\
    [[marker]]\nname = \"wall\"\nat = [3, 4]\n\
    [[marker]]\nname = \"tip\"\nbody = \"slide\"\nat = [1, 1]\n";

const SPACE: &str = "[model]\nplanar = false\n\
    [[body]]\nname = \"frame\"\nmass = 1\ninertia = 1\n\
    [[body]]\nname = \"wheel\"\nmass = 1\ninertia = 1\nposition = [1, 0, 0]\n\
    [[marker]]\nname = \"axle\"\nbody = \"frame\"\npoint = [0.5, 0, 0]\naxis = [0, 2, 0]\nnormal = [1, 1, 0]\n\
    [[marker]]\nname = \"hub\"\nbody = \"wheel\"\npoint = [\"-50 cm\", 0, 0]\nrotation_vector = [\"-90 deg\", 0, 0]\n\
    [[marker]]\nname = \"floor\"\naxis = [0, 0, 1]\n\
    [[marker]]\nname = \"spot\"\nbody = \"wheel\"\nat = [1, 1, 1]\n";

/// What `item` becomes in a model, as text.
fn written(base: &str, item: &str) -> String {
    let all = text::write(&read(&format!("{base}{item}")).model);
    let start = all.find("name = \"x\"").expect("it is written");
    all[start..].to_string()
}

#[track_caller]
fn same(base: &str, with_markers: &str, written_out: &str) {
    let header = with_markers.split('\n').next().unwrap_or("");
    let by_hand = format!("{header}\n{written_out}");
    assert_eq!(
        written(base, with_markers),
        written(base, &by_hand),
        "{with_markers}"
    );
}

#[test]
fn in_the_plane_markers_stand_for_bodies_points_and_directions() {
    let (c, s) = (30f64.to_radians().cos(), 30f64.to_radians().sin());
    let (a, b) = (30f64.to_radians(), 10f64.to_radians());
    let between = "marker_a = \"rail\"\nmarker_b = \"shoe\"\n";
    let ends = "body_a = \"crank\"\nbody_b = \"slide\"\npoint_a = [0.5, 0]\npoint_b = [0, 0.25]\n";
    let head = "[[joint]]\nname = \"x\"\n";
    for (kind, more) in [
        ("revolute", String::new()),
        ("distance", String::new()),
        ("point_on_line", format!("axis_a = [{c:?}, {s:?}]\n")),
        (
            "prismatic",
            format!("axis_a = [{c:?}, {s:?}]\nangle = {:?}\n", a - b),
        ),
        ("fixed", format!("angle = {:?}\n", a - b)),
    ] {
        let kind = format!("kind = \"{kind}\"\n");
        same(
            PLANE,
            &format!("{head}{kind}{between}"),
            &format!("name = \"x\"\n{kind}{ends}{more}"),
        );
    }
    // x is what angles are measured from and to, the direction of guides, the normal of planes
    let (cb, sb) = (b.cos(), b.sin());
    let bodies = "body_a = \"crank\"\nbody_b = \"slide\"\n";
    let normals = format!("normal_a = [{c:?}, {s:?}]\nnormal_b = [{cb:?}, {sb:?}]\n");
    for (head, ends, more) in [
        (
            "[[sensor]]\nname = \"x\"\nkind = \"angle\"\n",
            bodies,
            normals.clone(),
        ),
        (
            "[[force]]\nname = \"x\"\nkind = \"torsion_spring\"\nstiffness = 3\n",
            bodies,
            normals,
        ),
        (
            "[[sensor]]\nname = \"x\"\nkind = \"displacement\"\n",
            ends,
            format!("axis_a = [{c:?}, {s:?}]\n"),
        ),
        (
            "[[joint]]\nname = \"x\"\nkind = \"point_on_curve\"\noffset = \"s^2\"\n",
            ends,
            format!("axis_a = [{c:?}, {s:?}]\nnormal_a = [{:?}, {c:?}]\n", -s),
        ),
        (
            "[[joint]]\nname = \"x\"\nkind = \"knife_edge\"\n",
            "body_a = \"crank\"\nbody_b = \"slide\"\npoint_b = [0, 0.25]\n",
            format!("axis_b = [{cb:?}, {sb:?}]\n"),
        ),
    ] {
        let (_, rest) = head.split_once('\n').unwrap();
        same(
            PLANE,
            &format!("{head}{between}"),
            &format!("{rest}{ends}{more}"),
        );
    }
    same(
        PLANE,
        "[[force]]\nname = \"x\"\nkind = \"spring_damper\"\nmarker_a = \"wall\"\nmarker_b = \"tip\"\nstiffness = 3\n",
        "name = \"x\"\nkind = \"spring_damper\"\nbody_b = \"slide\"\nat_a = [3, 4]\nat_b = [1, 1]\nstiffness = 3\n",
    );
    same(
        PLANE,
        "[[force]]\nname = \"x\"\nkind = \"force\"\nmarker = \"shoe\"\nx = 3\n",
        "name = \"x\"\nkind = \"force\"\nbody_b = \"slide\"\npoint = [0, 0.25]\nx = 3\n",
    );
    same(
        PLANE,
        "[[force]]\nname = \"x\"\nkind = \"torque\"\nmarker_b = \"shoe\"\ntorque = 3\n",
        "name = \"x\"\nkind = \"torque\"\nbody_b = \"slide\"\ntorque = 3\n",
    );
    same(
        PLANE,
        "[[sensor]]\nname = \"x\"\nkind = \"point\"\nmarker = \"shoe\"\n",
        "name = \"x\"\nkind = \"point\"\nbody = \"slide\"\npoint = [0, 0.25]\n",
    );
}

#[test]
fn in_space_the_z_axis_is_the_axis_and_x_the_normal() {
    let ends =
        "body_a = \"frame\"\nbody_b = \"wheel\"\npoint_a = [0.5, 0, 0]\npoint_b = [-0.5, 0, 0]\n";
    let q = (-90f64).to_radians();
    // the rotation vector turns z to y, to rounding
    let turned = linkwork_dae::rotation::matrix(linkwork_dae::rotation::exp([q, 0.0, 0.0]));
    let column = |j: usize| format!("{:?}", [turned[0][j], turned[1][j], turned[2][j]]);
    let half = 1.0 / 2f64.sqrt();
    let between = "marker_a = \"axle\"\nmarker_b = \"hub\"\n";
    let (axes, normals) = (
        format!("axis_a = [0, 1, 0]\naxis_b = {}\n", column(2)),
        format!(
            "normal_a = [{:?}, {:?}, 0]\nnormal_b = {}\n",
            1.0 / 2f64.sqrt(),
            half,
            column(0)
        ),
    );
    for (kind, directions) in [
        ("spherical", String::new()),
        ("revolute", axes.clone()),
        ("cylindrical", axes.clone()),
        ("prismatic", format!("{axes}{normals}")),
        ("fixed", format!("{axes}{normals}")),
        ("point_on_plane", "axis_a = [0, 1, 0]\n".to_string()),
    ] {
        let kind = format!("kind = \"{kind}\"\n");
        same(
            SPACE,
            &format!("[[joint]]\nname = \"x\"\n{kind}{between}"),
            &format!("name = \"x\"\n{kind}{ends}{directions}"),
        );
    }
    // a plane is its normal
    same(
        SPACE,
        "[[joint]]\nname = \"x\"\nkind = \"no_slip_wheel\"\nmarker_a = \"floor\"\nmarker_b = \"hub\"\nradius = 0.2\n",
        &format!(
            "name = \"x\"\nkind = \"no_slip_wheel\"\nbody_b = \"wheel\"\npoint_b = [-0.5, 0, 0]\nnormal_a = [0, 0, 1]\n\
             axis_b = {}\nradius = 0.2\n",
            column(2)
        ),
    );
    same(
        SPACE,
        "[[sensor]]\nname = \"x\"\nkind = \"velocity\"\nmarker = \"spot\"\n",
        "name = \"x\"\nkind = \"velocity\"\nbody = \"wheel\"\nat = [1, 1, 1]\n",
    );
    // one side by a marker, the other as ever
    same(
        SPACE,
        "[[joint]]\nname = \"x\"\nkind = \"revolute\"\nbody_a = \"frame\"\naxis_a = [0, 1, 0]\nmarker_b = \"spot\"\n",
        "name = \"x\"\nkind = \"revolute\"\nbody_a = \"frame\"\nbody_b = \"wheel\"\naxis_a = [0, 1, 0]\nat_b = [1, 1, 1]\n",
    );
}

fn mistake(source: &str) -> (ModelError, Option<(usize, usize)>) {
    let mut all = text::read(source).map(|_| ()).unwrap_err();
    assert_eq!(all.len(), 1, "{all:#?}");
    let e = all.remove(0);
    let place = e.line_column(source);
    (e, place)
}

#[test]
fn mistakes_name_the_marker_and_the_line() {
    let lines = PLANE.lines().count();
    for (item, line, message) in [
        (
            "[[joint]]\nname = \"x\"\nkind = \"revolute\"\nmarker_a = \"ral\"\nmarker_b = \"shoe\"\n",
            4,
            "joint `x`: there is no marker `ral`",
        ),
        (
            "[[joint]]\nname = \"x\"\nkind = \"revolute\"\nmarker_b = \"shoe\"\nbody_b = \"slide\"\n",
            5,
            "joint `x`: marker `shoe` gives `body_b` already",
        ),
        (
            "[[joint]]\nname = \"x\"\nkind = \"revolute\"\nmarker_b = \"shoe\"\nat = [0, 0]\n",
            5,
            "joint `x`: marker `shoe` gives `at` already",
        ),
        (
            "[[joint]]\nname = \"x\"\nkind = \"prismatic\"\nmarker_a = \"rail\"\nmarker_b = \"tip\"\naxis = [1, 0]\n",
            6,
            "joint `x`: marker `rail` gives `axis` already",
        ),
        (
            "[[joint]]\nname = \"x\"\nkind = \"fixed\"\nmarker_a = \"rail\"\nmarker_b = \"shoe\"\nangle = 1\n",
            6,
            "joint `x`: `angle` is given by the markers as well",
        ),
        (
            "[[joint]]\nname = \"x\"\nkind = \"revolute\"\nmarker_a = \"tip\"\nmarker_b = \"shoe\"\n",
            5,
            "joint `x`: `body_a` and `body_b` are the same",
        ),
        (
            "[[sensor]]\nname = \"x\"\nkind = \"angle\"\nmarker_b = \"shoe\"\n",
            4,
            "sensor `x`: this marker has directions, and nothing says where angles start on body_a",
        ),
        (
            "[[force]]\nname = \"x\"\nkind = \"force\"\nmarker_b = \"shoe\"\nx = 1\n",
            4,
            "force `x`: this kind has one place, and no `marker_b`",
        ),
        (
            "[[joint]]\nname = \"x\"\nkind = \"revolute\"\nmarker = \"shoe\"\n",
            4,
            "joint `x`: this kind has two places, and no `marker`",
        ),
        (
            "[[marker]]\nname = \"x\"\nbody = \"slid\"\n[[force]]\nname = \"y\"\nkind = \"force\"\nmarker = \"x\"\n",
            3,
            "marker `x`: there is no body `slid`",
        ),
        (
            "[[marker]]\nname = \"x\"\nbody = \"slide\"\npoint = [1, 2, 3]\n",
            4,
            "marker `x`: `point` leaves the plane of the model",
        ),
        (
            "[[marker]]\nname = \"x\"\nbody = \"slide\"\naxis = [1, 0]\n",
            4,
            "marker `x`: unknown key `axis`",
        ),
        (
            "[[marker]]\nname = \"slide\"\n",
            2,
            "marker `slide`: the name is taken by a body",
        ),
        (
            "[[marker]]\nname = \"x\"\nchannels = true\n",
            3,
            "marker `x`: a marker on the ground does not move",
        ),
    ] {
        let (e, place) = mistake(&format!("{PLANE}{item}"));
        assert_eq!(e.message, message);
        assert_eq!(place.map(|p| p.0), Some(lines + line), "{message}");
    }
    let label = mistake(&format!(
        "{PLANE}[[sensor]]\nname = \"x\"\nkind = \"point\"\nmarker = \"sheo\"\n"
    ))
    .0
    .label;
    assert_eq!(label, "did you mean `shoe`?");
    for (orientation, message) in [
        ("axis = [0, 0, 0]", "marker `m`: a direction needs a length"),
        ("normal = [0, 0, 1]", "marker `m`: needs `axis` as well"),
        (
            "axis = [0, 0, 1]\nnormal = [0, 0, 3]",
            "marker `m`: `normal` must not be along `axis`",
        ),
        (
            "axis = [0, 0, 1]\ncardan = [0, 0, 3]",
            "marker `m`: `axis` and `normal` give the orientation already",
        ),
    ] {
        let e = mistake(&format!("{SPACE}[[marker]]\nname = \"m\"\n{orientation}\n")).0;
        assert_eq!(e.message, message);
    }
}

fn channels(document: &Document) -> Vec<String> {
    use linkwork_dae::system::System;
    let system = assemble(&document.model).unwrap();
    system
        .facts()
        .channels
        .iter()
        .map(|c| c.name.clone())
        .collect()
}

#[test]
fn channels_are_given_on_request() {
    assert!(!channels(&read(PLANE)).iter().any(|c| c.starts_with("shoe")));
    let source = PLANE.replace("name = \"shoe\"\n", "name = \"shoe\"\nchannels = true\n");
    let all = channels(&read(&source));
    for name in [
        "shoe.x",
        "shoe.y.velocity",
        "shoe_angle",
        "shoe_angle.velocity",
    ] {
        assert!(all.iter().any(|c| c == name), "{name}: {all:?}");
    }
    let source = SPACE.replace(
        "name = \"hub\"\n",
        "name = \"hub\"\nchannels = [\"orientation\"]\n",
    );
    let all = channels(&read(&source));
    assert!(
        all.contains(&"hub_orientation.yaw".to_string()) && !all.contains(&"hub.x".to_string())
    );
    // signals, and writing back
    let source = format!(
        "{source}[[force]]\nname = \"x\"\nkind = \"torque\"\nbody_b = \"wheel\"\naxis = [0, 0, 1]\ntorque = \"-hub_orientation.omega.z\"\n"
    );
    let document = read(&source);
    assert_eq!(read(&document.to_text()).to_text(), document.to_text());
    let taken = format!(
        "{source}[[sensor]]\nname = \"hub_orientation\"\nkind = \"point\"\nbody = \"wheel\"\n"
    );
    assert!(mistake(&taken).0.message.contains("`hub_orientation`"));
}

/// Names and values of all channels in the start pose.
fn observed(source: &str) -> (Vec<String>, Vec<f64>) {
    use linkwork_dae::state::State;
    use linkwork_dae::system::System;
    let mut system = assemble(&read(source).model).unwrap();
    let guess = system.facts().guess.clone();
    let mut s = State::new(system.facts().dims);
    s.q.copy_from_slice(&guess.q);
    s.v.copy_from_slice(&guess.v);
    let channels: Vec<String> = system
        .facts()
        .channels
        .iter()
        .map(|c| c.name.clone())
        .collect();
    let mut out = vec![0.0; channels.len()];
    system.observe(&s, &mut out);
    (channels, out)
}

/// In the plane angles are those of the frames: 20 deg of the body and 10 deg of `shoe` on it, against
/// the ground and against `rail`, which stands at 30 deg.
#[test]
fn angles_of_markers_are_those_of_their_frames() {
    let source = PLANE.replace("name = \"shoe\"\n", "name = \"shoe\"\nchannels = true\n");
    let source = format!(
        "{source}[[sensor]]\nname = \"x\"\nkind = \"angle\"\nmarker_a = \"rail\"\nmarker_b = \"shoe\"\n"
    );
    let (channels, out) = observed(&source);
    let value = |name: &str| out[channels.iter().position(|c| c == name).expect(name)];
    let (s, c) = 20f64.to_radians().sin_cos();
    for (name, wanted) in [
        ("shoe.x", 1.0 - 0.25 * s),
        ("shoe.y", 0.5 + 0.25 * c),
        ("shoe_angle", 30f64.to_radians()),
        ("x", 0.0),
    ] {
        assert!(
            (value(name) - wanted).abs() < 1e-14,
            "{name} = {}",
            value(name)
        );
    }
}

/// A frame that is turned against its body by known angles, on a body that is turned by others.
#[test]
fn orientations_of_markers_are_those_of_their_frames() {
    let source = "[model]\nplanar = false\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nrotation_vector = [0, 0, 0.5]\n\
        angular_velocity = [0, 0, 2]\n\
        [[marker]]\nname = \"m\"\nbody = \"b\"\ncardan = [0, 0, 0.25]\nchannels = [\"orientation\"]\n\
        [[marker]]\nname = \"n\"\nbody = \"b\"\naxis = [1, 0, 0]\nnormal = [0, 1, 0]\nchannels = [\"orientation\"]\n";
    let (channels, out) = observed(source);
    let value = |name: &str| out[channels.iter().position(|c| c == name).expect(name)];
    for (name, wanted) in [
        ("m_orientation.yaw", 0.75),
        ("m_orientation.pitch", 0.0),
        ("m_orientation.omega.z", 2.0),
        // x of this frame is y of the body, its y axis is z
        ("n_orientation.yaw", 0.5 + std::f64::consts::FRAC_PI_2),
        ("n_orientation.omega.y", 2.0),
        ("n_orientation.omega.z", 0.0),
    ] {
        assert!(
            (value(name) - wanted).abs() < 1e-14,
            "{name} = {}",
            value(name)
        );
    }
}
