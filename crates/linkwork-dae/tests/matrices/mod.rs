//! Iteration matrices of mechanisms with made-up numbers, for tests and benches.
#![allow(dead_code)]

use linkwork_dae::linear::Pattern;

/// A reproducible stream of numbers (xorshift, Marsaglia 2003).
pub struct Stream(u64);

impl Stream {
    pub fn new(seed: u64) -> Stream {
        Stream(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Uniform in `[from, to)`.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in `0..n`.
    pub fn below(&mut self, n: u32) -> u32 {
        (self.bits() % n as u64) as u32
    }

    /// Magnitude in `[0.5, 1.5)`, either sign.
    pub fn away_from_zero(&mut self) -> f64 {
        let size = self.between(0.5, 1.5);
        if self.bits() & 1 == 0 { size } else { -size }
    }
}

#[derive(Clone)]
pub struct Matrix {
    pub pattern: Pattern,
    pub values: Vec<f64>,
    pub group: Vec<u32>,
}

impl Matrix {
    /// Entries at the same place are added.
    pub fn new(n: usize, entries: &[(u32, u32, f64)], group: Vec<u32>) -> Matrix {
        let places: Vec<(u32, u32)> = entries.iter().map(|&(i, j, _)| (i, j)).collect();
        let pattern = Pattern::from_entries(n, &places);
        let mut values = vec![0.0; pattern.nnz()];
        for &(i, j, value) in entries {
            values[pattern.slot(i, j).expect("entry is in the pattern")] += value;
        }
        Matrix {
            pattern,
            values,
            group,
        }
    }

    pub fn n(&self) -> usize {
        self.pattern.n
    }

    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.n()];
        for (j, x) in x.iter().enumerate() {
            for p in self.pattern.span(j) {
                y[self.pattern.row[p] as usize] += self.values[p] * x;
            }
        }
        y
    }

    /// `max_i |b - A x|_i / (max_j |a_ij| max_j |x_j| + |b_i|)`: the row-wise backward error, which
    /// elimination with bounded multipliers keeps near rounding (Skeel 1979).
    pub fn backward_error(&self, x: &[f64], b: &[f64]) -> f64 {
        let mut residual = b.to_vec();
        let mut largest = vec![0.0f64; b.len()];
        let mut size = 0.0f64;
        for (j, x) in x.iter().enumerate() {
            size = size.max(x.abs());
            for p in self.pattern.span(j) {
                let i = self.pattern.row[p] as usize;
                residual[i] -= self.values[p] * x;
                largest[i] = largest[i].max(self.values[p].abs());
            }
        }
        let mut error = 0.0;
        for i in 0..b.len() {
            let relative = residual[i].abs() / (largest[i] * size + b[i].abs());
            if relative > error || relative.is_nan() {
                error = relative;
            }
        }
        error
    }
}

/// Mass, stiffness and constraint gradients of a mechanism, as (row, column, value).
pub struct Mechanism {
    pub coordinates: u32,
    pub constraints: u32,
    pub mass: Vec<(u32, u32, f64)>,
    pub stiffness: Vec<(u32, u32, f64)>,
    pub gradient: Vec<(u32, u32, f64)>,
    pub velocity_gradient: Vec<(u32, u32, f64)>,
}

impl Mechanism {
    /// `[M + K, C'; C, 0]`.
    pub fn index3(&self) -> Matrix {
        let n = self.coordinates;
        let mut entries = self.mass.clone();
        entries.extend(&self.stiffness);
        for &(c, q, value) in &self.gradient {
            entries.extend([(n + c, q, value), (q, n + c, value)]);
        }
        Matrix::new((n + self.constraints) as usize, &entries, Vec::new())
    }

    /// Unknowns (y, d, lambda, xi):
    /// `[M, K, C', 0; -I, I, 0, C'; C, CV, 0, 0; 0, C, 0, 0]`.
    pub fn ggl(&self) -> Matrix {
        let (n, m) = (self.coordinates, self.constraints);
        let mut entries = self.mass.clone();
        entries.extend(self.stiffness.iter().map(|&(i, j, k)| (i, n + j, k)));
        for i in 0..n {
            entries.extend([(n + i, i, -1.0), (n + i, n + i, 1.0)]);
        }
        let (lambda, xi) = (2 * n, 2 * n + m);
        for &(c, q, value) in &self.gradient {
            entries.extend([
                (q, lambda + c, value),
                (n + q, xi + c, value),
                (lambda + c, q, value),
                (xi + c, n + q, value),
            ]);
        }
        for &(c, q, value) in &self.velocity_gradient {
            entries.push((lambda + c, n + q, value));
        }
        let coordinates = (0..2 * n).map(|i| i % n);
        let group = coordinates.chain((0..2 * m).map(|c| n + c % m)).collect();
        Matrix::new(2 * (n + m) as usize, &entries, group)
    }
}

/// Seven angles and six loop equations with the sparsity of Andrews' squeezer
/// (Hairer & Wanner 1996, VII.7) and masses of its size.
pub fn squeezer(stream: &mut Stream) -> Mechanism {
    let couples = [(0, 1), (3, 4), (5, 6)];
    let mut mass: Vec<(u32, u32, f64)> =
        (0..7).map(|i| (i, i, stream.between(2e-5, 2e-3))).collect();
    let mut stiffness: Vec<_> = (0..7).map(|i| (i, i, stream.between(1e-7, 1e-6))).collect();
    for (i, j) in couples {
        let value = stream.between(1e-6, 1e-5);
        mass.extend([(i, j, value), (j, i, value)]);
        let value = stream.between(1e-7, 1e-6);
        stiffness.extend([(i, j, value), (j, i, value)]);
    }
    let acts_on: [&[u32]; 3] = [&[0, 1, 2], &[0, 1, 3, 4], &[0, 1, 5, 6]];
    let (mut gradient, mut velocity_gradient) = (Vec::new(), Vec::new());
    for c in 0..6 {
        for &q in acts_on[c as usize / 2] {
            gradient.push((c, q, 0.03 * stream.away_from_zero()));
            velocity_gradient.push((c, q, 0.003 * stream.away_from_zero()));
        }
    }
    Mechanism {
        coordinates: 7,
        constraints: 6,
        mass,
        stiffness,
        gradient,
        velocity_gradient,
    }
}

/// Planar bodies (x, y, angle) with revolute joints; body `None` is the ground.
pub fn planar(bodies: u32, joints: &[(u32, Option<u32>)], stream: &mut Stream) -> Mechanism {
    let mut mass = Vec::new();
    let mut stiffness = Vec::new();
    for body in 0..bodies {
        let m = stream.between(0.5, 2.0);
        mass.extend([(3 * body, 3 * body, m), (3 * body + 1, 3 * body + 1, m)]);
        mass.push((3 * body + 2, 3 * body + 2, m * stream.between(0.05, 0.1)));
        for i in 3 * body..3 * body + 3 {
            stiffness.push((i, i, stream.between(0.001, 0.01)));
        }
    }
    let (mut gradient, mut velocity_gradient) = (Vec::new(), Vec::new());
    for (joint, &(a, b)) in joints.iter().enumerate() {
        let row = 2 * joint as u32;
        for (body, sign) in [(Some(a), 1.0), (b, -1.0)] {
            let Some(body) = body else { continue };
            for axis in 0..2 {
                gradient.push((row + axis, 3 * body + axis, sign));
                gradient.push((row + axis, 3 * body + 2, 0.5 * stream.away_from_zero()));
                velocity_gradient.push((row + axis, 3 * body + 2, 0.1 * stream.away_from_zero()));
            }
        }
    }
    Mechanism {
        coordinates: 3 * bodies,
        constraints: 2 * joints.len() as u32,
        mass,
        stiffness,
        gradient,
        velocity_gradient,
    }
}

/// The squeezer as seven planar bodies with ten revolute joints.
pub fn seven_bodies(stream: &mut Stream) -> Mechanism {
    let joints = [
        (0, None),
        (0, Some(1)),
        (1, Some(2)),
        (1, Some(3)),
        (1, Some(5)),
        (2, None),
        (3, Some(4)),
        (4, None),
        (5, Some(6)),
        (6, None),
    ];
    planar(7, &joints, stream)
}

/// A hanging chain of rods.
pub fn chain(rods: u32, stream: &mut Stream) -> Mechanism {
    let joints: Vec<_> = (0..rods).map(|rod| (rod, rod.checked_sub(1))).collect();
    planar(rods, &joints, stream)
}

/// A straight chain of rods in space with a hinge each: rows that turn with a body have zeros where an arm lies along an axis.
pub fn chain_in_space(rods: u32, stream: &mut Stream) -> Mechanism {
    let (mut mass, mut stiffness, mut gradient) = (Vec::new(), Vec::new(), Vec::new());
    for body in 0..rods {
        for i in 0..3 {
            mass.push((6 * body + i, 6 * body + i, 1.0));
            for j in 0..3 {
                let inertia = if i == j {
                    stream.between(0.5, 2.0)
                } else {
                    0.0
                };
                mass.push((6 * body + 3 + i, 6 * body + 3 + j, inertia));
                stiffness.push((
                    6 * body + 3 + i,
                    6 * body + 3 + j,
                    0.1 * stream.away_from_zero(),
                ));
            }
        }
    }
    for (joint, body) in (0..rods).enumerate() {
        let row = 5 * joint as u32;
        for (side, sign) in [(Some(body), 1.0), (body.checked_sub(1), -1.0)] {
            let Some(side) = side else { continue };
            let arm = -0.5 * sign;
            for i in 0..3 {
                gradient.push((row + i, 6 * side + i, sign));
                for j in 0..3 {
                    // the cross product with an arm along x
                    let turn = [[0.0, 0.0, 0.0], [0.0, 0.0, arm], [0.0, -arm, 0.0]];
                    gradient.push((
                        row + i,
                        6 * side + 3 + j,
                        sign * turn[i as usize][j as usize],
                    ));
                }
            }
            for (i, free) in [(3, 0), (4, 2)] {
                for j in 0..3 {
                    let along = if j == free { sign } else { 0.0 };
                    gradient.push((row + i, 6 * side + 3 + j, along));
                }
            }
        }
    }
    Mechanism {
        coordinates: 6 * rods,
        constraints: 5 * rods,
        mass,
        stiffness,
        velocity_gradient: gradient.iter().map(|&(i, j, x)| (i, j, 0.01 * x)).collect(),
        gradient,
    }
}

/// A hub with many rods: one dense row and column.
pub fn star(rods: u32, stream: &mut Stream) -> Mechanism {
    let joints: Vec<_> = (1..=rods).map(|rod| (rod, Some(0))).collect();
    planar(rods + 1, &joints, stream)
}

/// A net of point masses with springs to the neighbours in a rectangular grid, rigidly coupled in
/// pairs: a matrix with much fill.
pub fn net(side: u32, stream: &mut Stream) -> Mechanism {
    let n = side * side;
    let mass = (0..n).map(|i| (i, i, stream.between(0.5, 2.0))).collect();
    let mut stiffness = Vec::new();
    for i in 0..n {
        stiffness.push((i, i, 4.0));
        for j in [(i % side + 1 < side).then_some(i + 1), Some(i + side)] {
            if let Some(j) = j.filter(|&j| j < n) {
                stiffness.extend([(i, j, -1.0), (j, i, -1.0)]);
            }
        }
    }
    let gradient = (0..n / 2)
        .flat_map(|c| [(c, 2 * c, 1.0), (c, 2 * c + 1, -1.0)])
        .collect();
    Mechanism {
        coordinates: n,
        constraints: n / 2,
        mass,
        stiffness,
        gradient,
        velocity_gradient: Vec::new(),
    }
}

/// A random saddle matrix `[M C'; C 0]` with full-rank `C`.
pub fn random_saddle(n: u32, m: u32, stream: &mut Stream) -> Matrix {
    let mut entries: Vec<(u32, u32, f64)> =
        (0..n).map(|i| (i, i, stream.between(1.0, 3.0))).collect();
    for _ in 0..n {
        let (i, j) = (stream.below(n), stream.below(n));
        entries.push((i, j, 0.2 * stream.away_from_zero()));
    }
    for c in 0..m {
        let mut row = vec![(c, 2.0 * stream.away_from_zero())];
        for _ in 0..2 {
            row.push((stream.below(n), 0.3 * stream.away_from_zero()));
        }
        for (q, value) in row {
            entries.extend([(n + c, q, value), (q, n + c, value)]);
        }
    }
    Matrix::new((n + m) as usize, &entries, vec![0; (n + m) as usize])
}
