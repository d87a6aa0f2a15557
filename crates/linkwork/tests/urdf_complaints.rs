//! Robots as URDF: what is refused, and in which words.

use linkwork::import::{Choices, Import, urdf};
use linkwork::mbs::ModelError;

const PENDULUM: &str = include_str!("urdf/pendulum.urdf");
const DOUBLE_PENDULUM: &str = include_str!("urdf/double_pendulum.urdf");
const ARM: &str = include_str!("../../../models/arm.urdf");

fn choices(joints: &[&str]) -> Choices {
    Choices {
        joints: joints.iter().map(|s| s.to_string()).collect(),
        ..Choices::default()
    }
}

fn import(source: &str, joints: &[&str]) -> Import {
    urdf::read(source, "robot.urdf", &choices(joints)).unwrap_or_else(|e| panic!("{e:#?}"))
}

fn complaint(source: &str, joints: &[&str]) -> Vec<ModelError> {
    match urdf::read(source, "robot.urdf", &choices(joints)) {
        Ok(_) => panic!("accepted:\n{source}"),
        Err(errors) => errors,
    }
}

/// Each complaint names the element and points at its line.
#[test]
fn complaints_name_the_element_and_its_line() {
    // what is replaced in double_pendulum.urdf, by what, the complaint, its line
    let cases: [(&str, &str, &str, usize); 21] = [
        (
            "<parent link=\"upper\"/>",
            "<parent link=\"uper\"/>",
            "joint `elbow`: its parent `uper` is not a link of the robot",
            24,
        ),
        (
            "<parent link=\"upper\"/>",
            "",
            "joint `elbow` needs a <parent link=\"...\"/>",
            23,
        ),
        (
            "<parent link=\"world\"/>",
            "<parent link=\"lower\"/>",
            "the links `upper`, `lower`, `upper` make a loop: each is carried by the one before",
            17,
        ),
        (
            "<child link=\"lower\"/>",
            "<child link=\"upper\"/>",
            "joint `elbow` connects the link `upper` with itself",
            23,
        ),
        (
            "<child link=\"upper\"/>",
            "<child link=\"lower\"/>",
            "joint `elbow`: the link `lower` is already the child of joint `shoulder`",
            23,
        ),
        (
            "name=\"elbow\" type=\"revolute\"",
            "name=\"elbow\" type=\"revolut\"",
            "joint `elbow`: there is no joint type `revolut`",
            23,
        ),
        (
            "name=\"elbow\" type=\"revolute\"",
            "name=\"elbow\"",
            "<joint> needs the attribute `type`",
            23,
        ),
        (
            "<mass value=\"0.8\"/>",
            "<mass value=\"-0.8\"/>",
            "link `lower`: the mass must not be negative, it is -0.8",
            13,
        ),
        (
            "<mass value=\"0.8\"/>",
            "<mass value=\"heavy\"/>",
            "`value` of <mass>: `heavy` is not a number",
            13,
        ),
        (
            "<mass value=\"0.8\"/>",
            "<mass value=\"nan\"/>",
            "`value` of <mass>: `nan` is not a number",
            13,
        ),
        (
            "<mass value=\"0.8\"/>",
            "<mass value=\"${m}\"/>",
            "`value` of <mass>: `${m}` is not a number",
            13,
        ),
        (
            "<mass value=\"0.8\"/>",
            "",
            "link `lower`: <inertial> needs a <mass>",
            11,
        ),
        (
            "ixx=\"0.05\"",
            "ixx=\"-0.05\"",
            "link `lower`: the ixx must not be negative, it is -0.05",
            14,
        ),
        (
            "ixx=\"0.05\"",
            "ixx=\"0.05\" ixy=\"1\"",
            "body `lower`: the moments of inertia must not be negative about any axis",
            14,
        ),
        (
            "xyz=\"0 0 -0.7\"",
            "xyz=\"0 0\"",
            "`xyz` of <origin>: three numbers are expected, there are 2",
            26,
        ),
        (
            "xyz=\"0 0 -0.7\"",
            "xyz=\"0 0 1 2\"",
            "`xyz` of <origin>: `2` is one number too many",
            26,
        ),
        (
            "-0.7\"/>\n    <axis xyz=\"0 1 0\"/>",
            "-0.7\"/>\n    <axis xyz=\"0 0 0\"/>",
            "joint `elbow`: its axis needs a length",
            27,
        ),
        (
            "<link name=\"lower\">",
            "<link name=\"upper\">",
            "two <link> elements are called `upper`",
            10,
        ),
        (
            "  <link name=\"world\"/>\n",
            "  <link name=\"world\"/> <link name=\"spare\"/>\n",
            "the links `world` and `spare` both have no parent: no joint connects them",
            2,
        ),
        ("</robot>", "", "the file is not well-formed XML", 29),
        (
            "<mass value=\"0.8\"/>",
            "<mass value=\"0.8\">",
            "the file is not well-formed XML: expected 'mass' tag, not 'inertial'",
            15,
        ),
    ];
    for (what, by, message, line) in cases {
        assert!(DOUBLE_PENDULUM.contains(what), "{what}");
        let source = DOUBLE_PENDULUM.replace(what, by);
        let errors = complaint(&source, &[]);
        let found = errors.iter().find(|e| e.message.starts_with(message));
        let found = found.unwrap_or_else(|| panic!("{message}: {errors:#?}"));
        assert_eq!(
            found.line_column(&source).map(|p| p.0),
            Some(line),
            "{found:#?}"
        );
    }
}

#[test]
fn links_without_inertia_are_refused_by_name() {
    let cut = |source: &str, after: &str| {
        let from = source.find(after).unwrap();
        let start = from + source[from..].find("<inertial>").unwrap();
        let end = from + source[from..].find("</inertial>").unwrap() + "</inertial>".len();
        format!("{}{}", &source[..start], &source[end..])
    };
    let end = complaint(&cut(DOUBLE_PENDULUM, "\"lower\""), &[]);
    let message = "joint `elbow`: nothing resists its motion, since the link `lower` and what it carries have no inertia about its axis";
    assert_eq!(end[0].message, message);
    // two hinges on one line: only the sum of their angles has inertia
    let in_line = cut(DOUBLE_PENDULUM, "\"upper\"").replace("<origin xyz=\"0 0 -0.7\"/>", "");
    let message = &complaint(&in_line, &[])[0].message;
    assert!(
        message.starts_with("joint `elbow` moves nothing that the joints before it do not"),
        "{message}"
    );
}

#[test]
fn joint_values_are_checked() {
    for (value, message, help) in [
        (
            "elbw=1",
            "there is no joint `elbw`",
            "did you mean `elbow`?",
        ),
        ("elbow", "there is no `=`", "joint values look like"),
        (
            "elbow=",
            "does not start with a number",
            "expected an angle",
        ),
        ("elbow=1 kg", "kg", "expected an angle"),
        ("elbow.x=1", "the joint `elbow` has no coordinate `x`", ""),
        ("elbow=inf", "", ""),
        ("base.x=1", "there is no joint `base.x`", ""),
    ] {
        let errors = complaint(DOUBLE_PENDULUM, &[value]);
        let error = &errors[0];
        assert!(
            error
                .message
                .starts_with(&format!("joint value `{value}`: ")),
            "{error:?}"
        );
        assert!(error.message.contains(message), "{error:?}");
        assert!(
            error.help.as_deref().unwrap_or("").contains(help),
            "{error:?}"
        );
    }
}

#[test]
fn what_is_not_known_is_told_with_the_nearest_name() {
    let source = PENDULUM
        .replace("<axis", "<axes")
        .replace("</robot>", "<gazebo/></robot>");
    let account = import(&source, &[]).account().join("\n");
    let axes = "not used: axes of joint `hinge` (line 16): not an element of URDF at this place; did you mean <axis>?";
    assert!(account.contains(axes), "{account}");
    assert!(
        account.contains("not used: gazebo (line 18): settings of another program"),
        "{account}"
    );
    let xacro =
        "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><xacro:macro name=\"a\"/></robot>";
    assert!(
        complaint(xacro, &[])[0]
            .help
            .as_deref()
            .unwrap()
            .contains("xacro FILE > robot.urdf")
    );
}

/// Whatever a file holds, there is an answer.
#[test]
fn broken_files_are_refused_without_a_panic() {
    for cut in (0..ARM.len())
        .step_by(37)
        .filter(|&i| ARM.is_char_boundary(i))
    {
        assert!(urdf::read(&ARM[..cut], "cut.urdf", &Choices::default()).is_err());
    }
    for word in [
        "value=\"", "link=\"", "xyz=\"", "<", ">", "name=\"", "type=\"", "</", "0",
    ] {
        for by in ["", "\"", "1e999 ", "&#0;", "&#10;", "<link name='q'/>"] {
            let source = DOUBLE_PENDULUM.replace(word, &format!("{word}{by}"));
            let _ = urdf::read(&source, "odd.urdf", &Choices::default()).map(|i| i.text());
        }
    }
    let deep = format!("<robot>{}", "<link>".repeat(20_000));
    assert!(urdf::read(&deep, "deep.urdf", &Choices::default()).is_err());
}
