//! Numbers without pattern, the same in every run.

// Not every test needs all of them.
#![allow(dead_code)]

use linkwork_mbs::geometry::Vector;

/// Reproducible numbers between -1 and 1 (Knuth's linear congruential generator).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, size: f64) -> Vector {
        std::array::from_fn(|_| size * self.next())
    }
}

/// The same as a function, for those who draw examples.
pub fn draws(seed: u64) -> impl FnMut() -> f64 {
    let mut numbers = Numbers(seed);
    move || numbers.next()
}
