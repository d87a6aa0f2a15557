//! Recursions over a robot read from URDF (`models/arm.urdf`: seven hinges, inertias about oblique
//! axes), in microseconds per call.
//!
//! ```text
//!  cargo bench -p linkwork --bench robot
//!  valgrind --tool=callgrind --toggle-collect='robot::counted*' \
//!      target/release/deps/robot-* count rnea                    instructions of one call
//! ```

#[path = "../../linkwork-problems/benches/recursions/mod.rs"]
mod recursions;
#[path = "../../linkwork-problems/benches/timing/mod.rs"]
mod timing;

use linkwork::import::{Choices, urdf};
use linkwork::mbs::Model;
use linkwork::mbs::body::{Body, Shape};
use linkwork::mbs::tree::{Frame, Inertia, Kinematics, Sym3, Tree, Vec3};
use recursions::{KERNELS, Recursions};
use timing::time;

const ARM: &str = include_str!("../../../models/arm.urdf");

/// About the centre of mass, in axes of the body.
fn inertia(body: &Body) -> Inertia {
    let moments = match body.shape {
        Shape::Rigid { inertia: i } => Sym3 {
            xx: i[0][0],
            yy: i[1][1],
            zz: i[2][2],
            xy: i[0][1],
            xz: i[0][2],
            yz: i[1][2],
        },
        _ => Sym3::scalar(0.0),
    };
    Inertia::about_centre(body.mass, Vec3::ZERO, moments)
}

/// The tree of an imported robot: joints stand in the order of their links, parents first.
fn tree(mechanism: &Model) -> Result<Tree, String> {
    let mut tree = Tree::new(Vec3::from(mechanism.gravity));
    let mut frames = vec![Frame::GROUND; mechanism.bodies.len()];
    for named in &mechanism.joints {
        let hinge = named.joint.hinge().ok_or("a joint that carries no body")?;
        let child = named.b.index().ok_or("a joint that ends at the ground")?;
        let parent = named.a.index().map_or(Frame::GROUND, |p| frames[p]);
        let [on_parent, on_child] = hinge.frames();
        let moves = hinge.joint().ok_or("a weld")?;
        let inertia = inertia(&mechanism.bodies[child]);
        let added = tree.add(&parent, moves, &on_parent, &on_child, &inertia);
        frames[child] = added.map_err(|e| format!("joint `{}`: {e}", named.name))?;
    }
    // the start pose of the robot is that of zero coordinates
    let mut kin = Kinematics::new(&tree);
    kin.place(&tree, &vec![0.0; tree.nv()]);
    for (body, frame) in mechanism.bodies.iter().zip(&frames) {
        let apart = kin.frame(frame).p - Vec3::from(body.centre());
        if !(apart.norm() < 1e-9) {
            return Err(format!(
                "body `{}` is off by {:.1e} m",
                body.name,
                apart.norm()
            ));
        }
    }
    Ok(tree)
}

/// One call that callgrind counts.
#[inline(never)]
fn counted(b: &mut Recursions, kernel: &str) {
    b.call(kernel);
}

fn main() -> Result<(), String> {
    let import = urdf::read(ARM, "arm.urdf", &Choices::default()).map_err(|e| format!("{e:?}"))?;
    let mechanism = &import.model;
    let tree = tree(mechanism)?;
    let words: Vec<String> = (std::env::args().skip(1))
        .filter(|a| !a.starts_with("--"))
        .collect();
    let mut b = Recursions::new(tree, true);
    if let [_, kernel] = &words[..] {
        b.call(kernel);
        counted(&mut b, kernel);
        return Ok(());
    }
    println!(
        "arm.urdf, {} joints, microseconds per call: smallest (median)",
        b.tree.nv()
    );
    for kernel in KERNELS {
        let t = time(0.3, || b.call(kernel));
        println!("{kernel:>12} {:8.3} ({:.3})", t.smallest, t.median);
    }
    Ok(())
}
