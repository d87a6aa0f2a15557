//! `linkwork check MODEL --coordinates joint`: coordinates, constraints, degrees of freedom and cut
//! joints of mechanisms with loops, against counts by hand.
//!
//! The tree is grown breadth first from the ground, in the order in which joints are written; a joint
//! that would reach a body a second time is cut and stays as equations. Each joint of the tree brings
//! its own freedom as coordinates, each cut joint takes six (three in the plane) less its freedom:
//!
//! ```text
//!            in the plane                     in space
//!  freedom   revolute 1, prismatic 1          revolute 1, prismatic 1, universal 2, spherical 3, floating 6
//!  equations revolute 2, prismatic 2, drive 1 spherical 3, universal 4, distance 1, drive 1
//! ```

mod binary;

use binary::linkwork;
use serde_json::Value;

/// What is expected of one model.
struct Count {
    /// Model and further options.
    args: &'static [&'static str],
    coordinates: usize,
    constraints: usize,
    freedom: usize,
    /// Kind, name and equations of every joint that is not in the tree.
    cut: Vec<(&'static str, String, usize)>,
}

fn cut(kind: &'static str, name: &str, equations: usize) -> (&'static str, String, usize) {
    (kind, name.to_string(), equations)
}

/// One `1 equation` or several.
fn many(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

fn held(count: &Count) {
    let name = count.args.join(" ");
    let mut args = vec!["check"];
    args.extend(count.args);
    args.extend(["--coordinates", "joint"]);
    let said = linkwork(&args);
    assert_eq!(said.code, Some(0), "{name}: {}{}", said.out, said.err);
    let freedom = many(count.freedom, "degree", "degrees");
    let equations = many(count.constraints, "equation", "equations");
    for line in [
        format!("  coordinates    {}\n", count.coordinates),
        format!("  constraints    {equations}\n"),
        format!("  freedom        {freedom}\n"),
    ] {
        assert!(
            said.out.contains(&line),
            "{name}: no {line:?} in\n{}",
            said.out
        );
    }
    // the list of cut joints, complete and in the order of the model
    let (_, list) = said.out.split_once("cut joints\n").expect("loops are cut");
    let listed: Vec<&str> = list.lines().take_while(|l| l.starts_with("  ")).collect();
    let expected: Vec<String> = (count.cut.iter())
        .map(|(kind, joint, rows)| {
            format!(
                "  {kind} `{joint}`: {}",
                many(*rows, "equation", "equations")
            )
        })
        .collect();
    assert_eq!(listed, expected, "{name}");
    // equations of the cut joints are all there are
    let sum: usize = count.cut.iter().map(|c| c.2).sum();
    assert_eq!(sum, count.constraints, "{name}");

    args.push("--json");
    let said = linkwork(&args);
    assert_eq!(said.code, Some(0), "{name}: {}", said.err);
    let object: Value = serde_json::from_str(&said.out).expect("an object");
    assert_eq!(object["coordinates"], count.coordinates, "{name}");
    assert_eq!(object["constraints"], count.constraints, "{name}");
    assert_eq!(object["dof"], count.freedom, "{name}");
    assert_eq!(
        object["redundant"].as_array().map(Vec::len),
        Some(0),
        "{name}"
    );
    let names: Vec<&str> = (object["cut"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    let expected: Vec<&str> = count.cut.iter().map(|c| &*c.1).collect();
    assert_eq!(names, expected, "{name}");
    // coordinates are those of the branches
    let of_branches: usize = (object["tree"].as_array().into_iter().flatten())
        .filter_map(|b| b["coordinates"].as_array())
        .map(Vec::len)
        .sum();
    assert_eq!(of_branches, count.coordinates, "{name}");
}

/// Three bars on four hinges. Crank and rocker hang on the ground, the coupler on the crank: 1 + 1 + 1;
/// the hinge between coupler and rocker closes the loop: 2. A four-bar linkage has 3 - 2 = 1 freedom.
#[test]
fn four_bar() {
    held(&Count {
        args: &["four_bar"],
        coordinates: 3,
        constraints: 2,
        freedom: 1,
        cut: vec![cut("revolute", "pin_rocker", 2)],
    });
    // cut at the ground, all three bars make one chain: again 1 + 1 + 1 and 2
    held(&Count {
        args: &["four_bar", "--cut", "pivot_rocker"],
        coordinates: 3,
        constraints: 2,
        freedom: 1,
        cut: vec![cut("revolute", "pivot_rocker", 2)],
    });
}

/// Crank and piston on the ground, the rod on the crank: 3. The piston pin takes 2, and the starter
/// gives the angle of the crank as a function of time: 1. Nothing is free.
#[test]
fn slider_crank() {
    held(&Count {
        args: &["slider_crank"],
        coordinates: 3,
        constraints: 3,
        freedom: 0,
        cut: vec![cut("revolute", "piston_pin", 2), cut("drive", "starter", 1)],
    });
    // without its guide on the ground the piston is the end of a chain: the guide takes 2
    held(&Count {
        args: &["slider_crank", "--cut", "cylinder"],
        coordinates: 3,
        constraints: 3,
        freedom: 0,
        cut: vec![cut("prismatic", "cylinder", 2), cut("drive", "starter", 1)],
    });
}

/// Crank 1, slider 1, the rod on the crank by its ball 3; the universal joint between rod and slider
/// takes 4: 5 - 4 = 1.
#[test]
fn spatial_slider_crank() {
    held(&Count {
        args: &["spatial_slider_crank"],
        coordinates: 5,
        constraints: 4,
        freedom: 1,
        cut: vec![cut("universal", "cross", 4)],
    });
    // cut at the ball, the rod hangs on the slider by 2 angles, and the ball takes 3: 4 - 3 = 1
    held(&Count {
        args: &["spatial_slider_crank", "--cut", "ball"],
        coordinates: 4,
        constraints: 3,
        freedom: 1,
        cut: vec![cut("spherical", "ball", 3)],
    });
}

/// Six legs of a universal joint and a slide, 6 (2 + 1), and the platform on the first leg by a ball, 3:
/// 21. Five more balls take 15, the six drives of the slides 6: 21 - 21 = 0.
#[test]
fn stewart() {
    let joints = |without: usize| {
        let mut joints = Vec::new();
        for leg in 1..=6 {
            joints.push(cut("drive", &format!("drive{leg}"), 1));
            if leg != without {
                joints.push(cut("spherical", &format!("head{leg}"), 3));
            }
        }
        joints
    };
    held(&Count {
        args: &["stewart"],
        coordinates: 21,
        constraints: 21,
        freedom: 0,
        cut: joints(1),
    });
    // the platform rides on the second leg instead
    held(&Count {
        args: &["stewart", "--cut", "head1"],
        coordinates: 21,
        constraints: 21,
        freedom: 0,
        cut: joints(2),
    });
}

/// The chassis floats, 6, and carries the rack, 1. Each corner has two arms, 1 + 1, and a wheel on the
/// upper one by a ball, 3: 27 in all. Each corner takes 3 for the lower ball and 1 for the tie rod, the
/// steering lock 1: 17. What is left, 10, are the motions of the chassis and the stroke of each wheel.
#[test]
fn hmmwv() {
    let joints = |pinned: bool| {
        let mut joints = vec![cut("drive", "steering_lock", 1)];
        for corner in ["fr", "fl", "rr", "rl"] {
            let ball = if pinned && corner == "fr" {
                "upper"
            } else {
                "lower"
            };
            joints.push(cut("spherical", &format!("{ball}_ball_{corner}"), 3));
            joints.push(cut("distance", &format!("tie_rod_{corner}"), 1));
        }
        joints
    };
    held(&Count {
        args: &["hmmwv"],
        coordinates: 27,
        constraints: 17,
        freedom: 10,
        cut: joints(false),
    });
    held(&Count {
        args: &["hmmwv", "--cut", "upper_ball_fr"],
        coordinates: 27,
        constraints: 17,
        freedom: 10,
        cut: joints(true),
    });
}

/// As before, with arms in the other order, so that the carrier is on the lower one, and with a wheel
/// that spins on each carrier: 6 + 1 + 4 (1 + 1 + 3 + 1) = 31, less 4 (3 + 1) + 1 = 17, makes 14.
#[test]
fn passenger_car() {
    let joints = |pinned: bool| {
        let mut joints = vec![cut("drive", "steering", 1)];
        for corner in ["fl", "fr", "rl", "rr"] {
            let ball = if pinned && corner == "rl" {
                "lower"
            } else {
                "upper"
            };
            joints.push(cut("spherical", &format!("{ball}_ball_{corner}"), 3));
            joints.push(cut("distance", &format!("rod_{corner}"), 1));
        }
        joints
    };
    held(&Count {
        args: &["passenger_car"],
        coordinates: 31,
        constraints: 17,
        freedom: 14,
        cut: joints(false),
    });
    held(&Count {
        args: &["passenger_car", "--cut", "lower_ball_rl"],
        coordinates: 31,
        constraints: 17,
        freedom: 14,
        cut: joints(true),
    });
}

/// In absolute coordinates there is no tree, and three coordinates in the plane or six in space for
/// each body; the freedom is the same.
#[test]
fn freedom_does_not_depend_on_coordinates() {
    for (model, coordinates, freedom) in [
        ("four_bar", 3 * 3, 1),
        ("slider_crank", 3 * 3, 0),
        ("spatial_slider_crank", 6 * 3, 1),
        ("stewart", 6 * 13, 0),
        ("hmmwv", 6 * 14, 10),
        ("passenger_car", 6 * 18, 14),
    ] {
        let said = linkwork(&["check", model, "--json"]);
        assert_eq!(said.code, Some(0), "{model}: {}", said.err);
        let object: Value = serde_json::from_str(&said.out).expect("an object");
        assert_eq!(object["coordinates"], coordinates, "{model}");
        assert_eq!(object["constraints"], coordinates - freedom, "{model}");
        assert_eq!(object["dof"], freedom, "{model}");
        assert!(object["cut"].is_null(), "{model}");
    }
}
