//! The recursions over one tree, ready to be called with a new state each time.
#![allow(dead_code)]

use linkwork_mbs::tree::derivatives::Point;
use linkwork_mbs::tree::{
    Aba, Branches, Crba, Derivatives, ForwardDerivatives, Kinematics, Ltl, Rnea, Tree,
};
use std::hint::black_box;

/// Names of the recursions.
pub const KERNELS: [&str; 8] = [
    "rnea",
    "aba",
    "kinematics",
    "crba",
    "ltl",
    "derivatives",
    "forward",
    "sincos",
];

/// Those whose work grows with the square of the depth, or more.
pub const STORED: [&str; 4] = ["crba", "ltl", "derivatives", "forward"];

/// States that are called in turn.
const STATES: usize = 16;

/// Knuth's MMIX generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn list(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.next()).collect()
    }
}

struct State {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    tau: Vec<f64>,
}

/// One tree with everything that the recursions need.
pub struct Recursions {
    pub tree: Tree,
    out: Vec<f64>,
    branches: Branches,
    states: Vec<State>,
    next: usize,
    rnea: Rnea,
    aba: Aba,
    kin: Kinematics,
    crba: Crba,
    ltl: Ltl,
    derivatives: Derivatives,
    forward: ForwardDerivatives,
}

impl Recursions {
    /// `stored`: with the matrices of `N^2` entries.
    pub fn new(tree: Tree, stored: bool) -> Recursions {
        let n = tree.nv();
        let none = Tree::default();
        let small = if stored { &tree } else { &none };
        let branches = Branches::new(small);
        let mut random = Random(n as u64);
        let states = (0..if n > 10_000 { 2 } else { STATES })
            .map(|_| State {
                q: random.list(n, 3.0),
                v: random.list(n, 1.0),
                a: random.list(n, 1.0),
                tau: random.list(n, 1.0),
            })
            .collect();
        let mut all = Recursions {
            states,
            next: 0,
            rnea: Rnea::new(&tree),
            aba: Aba::new(&tree),
            kin: Kinematics::new(&tree),
            crba: Crba::new(&tree, &branches),
            ltl: Ltl::new(&branches),
            derivatives: Derivatives::new(&tree, &branches),
            forward: ForwardDerivatives::new(small),
            out: vec![0.0; n],
            branches,
            tree,
        };
        // every recursion finds what the ones before it make
        all.call("kinematics");
        if stored {
            all.call("crba");
        }
        all
    }

    /// One call, with the next state.
    pub fn call(&mut self, kernel: &str) {
        self.next = (self.next + 1) % self.states.len();
        let (tree, State { q, v, a, tau }) = (&self.tree, &self.states[self.next]);
        match kernel {
            "rnea" => self.rnea.run(tree, q, v, a, &[], &mut self.out),
            "aba" => {
                let _ = self.aba.run(tree, q, v, tau, &[], &mut self.out);
            }
            "kinematics" => self.kin.place(tree, q),
            "crba" => {
                self.kin.place(tree, q);
                self.crba.run(tree, &self.branches, &self.kin);
            }
            "ltl" => {
                let _ = self.ltl.factor(&self.branches, &self.crba.mass);
            }
            "derivatives" => {
                let external = &[][..];
                let point = Point { q, v, a, external };
                (self.derivatives).run(tree, &self.branches, &mut self.kin, &point);
            }
            "forward" => {
                let _ = self.forward.run(tree, q, v, tau, &[], &mut self.out);
            }
            "sincos" => {
                for (out, q) in self.out.iter_mut().zip(q) {
                    let (s, c) = q.sin_cos();
                    *out = s + c;
                }
            }
            _ => {}
        }
        black_box(&mut *self);
    }
}
