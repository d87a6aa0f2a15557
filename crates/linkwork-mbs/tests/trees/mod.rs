//! Random trees and states for the tests of the recursions.
// every test takes what it needs
#![allow(dead_code)]

use linkwork_mbs::tree::{Frame, Inertia, Kinematics, Mat3, Mobility, Placement, Sym3, Tree, Vec3};

/// A sequence of numbers that look random and are always the same (Knuth's MMIX generator).
pub struct Random(pub u64);

impl Random {
    /// The next number in [-1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    pub fn list(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) * 0.5 * n as f64) as usize % n.max(1)
    }

    pub fn placement(&mut self) -> Placement {
        Placement {
            r: Mat3::exp(self.vector() * 2.0),
            p: self.vector(),
        }
    }

    pub fn inertia(&mut self) -> Inertia {
        // second moments of four point masses: a possible body
        let mut sum = Inertia::about_centre(0.5, self.vector(), Sym3::scalar(0.05));
        for _ in 0..4 {
            sum += Inertia::point(0.3 + 0.2 * self.next(), self.vector());
        }
        sum
    }
}

/// A tree of `n` bodies whose joints are drawn from `joints`, with long and short branches.
pub fn random_tree(seed: u64, n: usize, joints: &[Mobility]) -> Tree {
    let mut random = Random(seed);
    let mut tree = Tree::new(Vec3::new(0.5, -1.0, -9.81));
    let mut frames = vec![Frame::GROUND];
    for i in 0..n {
        let parent = match random.below(3) {
            0 => frames[random.below(frames.len())],
            _ => *frames.last().unwrap(),
        };
        let joint = joints[(i + random.below(joints.len())) % joints.len()];
        let (on_parent, on_child) = (random.placement(), random.placement());
        let frame = tree
            .add(&parent, joint, &on_parent, &on_child, &random.inertia())
            .unwrap();
        let body = frame.body().unwrap();
        tree.set_base(body, Mat3::exp(random.vector()));
        frames.push(frame);
    }
    tree
}

/// A tree and coordinates moved along the tangent by `h d`; rotation vectors must be zero.
pub fn moved(tree: &Tree, q: &[f64], d: &[f64], h: f64) -> (Tree, Vec<f64>) {
    (
        tree.clone(),
        q.iter().zip(d).map(|(q, d)| q + h * d).collect(),
    )
}

/// Random coordinates with rotation vectors zero: there the tangent is that of the coordinates.
pub fn random_pose(tree: &Tree, random: &mut Random) -> Vec<f64> {
    let mut q = random.list(tree.nv());
    for b in 0..tree.bodies() {
        if let Some(at) = tree.joint(b).rotation_vector() {
            q[tree.dofs(b).start + at..][..3].fill(0.0);
        }
    }
    q
}

/// Kinetic energy and momentum about the world's origin, from velocities alone.
pub fn energy_and_momentum(tree: &Tree, q: &[f64], v: &[f64]) -> (f64, f64, Vec3, Vec3) {
    let mut kin = Kinematics::new(tree);
    kin.place(tree, q);
    kin.move_along(tree, v, &[], Vec3::ZERO);
    let (mut kinetic, mut potential) = (0.0, 0.0);
    let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
    for b in 0..tree.bodies() {
        let frame = tree.frame_of(b);
        let inertia = kin.frame(&frame).inertia(tree.inertia(b));
        let motion = kin.point_velocity(&frame, Vec3::ZERO);
        let momentum = inertia.apply(motion);
        kinetic += 0.5 * motion.dot(momentum);
        potential -= tree.gravity().dot(inertia.h);
        linear += momentum.f;
        angular += momentum.n;
    }
    (kinetic, potential, linear, angular)
}

/// Largest absolute difference.
pub fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(
        0.0,
        |m, (a, b)| if (a - b).abs() <= m { m } else { (a - b).abs() },
    )
}
