//! Polynomials on 0 to 1 with their derivatives, and sums that integrate them.

/// Value and three derivatives.
pub(super) type Jet = [f64; 4];

/// Derivatives of a product.
pub(super) fn times(a: Jet, b: Jet) -> Jet {
    [
        a[0] * b[0],
        a[1] * b[0] + a[0] * b[1],
        a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2],
        a[3] * b[0] + 3.0 * (a[2] * b[1] + a[1] * b[2]) + a[0] * b[3],
    ]
}

/// Legendre's polynomial of `2 s - 1`.
pub(super) fn legendre(degree: usize, s: f64) -> Jet {
    let t = [2.0 * s - 1.0, 2.0, 0.0, 0.0];
    let (mut last, mut now) = ([0.0; 4], [1.0, 0.0, 0.0, 0.0]);
    for k in 0..degree {
        let k = k as f64;
        let next = times(t, now);
        let next = [0, 1, 2, 3].map(|i| ((2.0 * k + 1.0) * next[i] - k * last[i]) / (k + 1.0));
        (last, now) = (now, next);
    }
    now
}

/// `s^a (1 - s)^b`.
pub(super) fn weight([a, b]: [usize; 2], s: f64) -> Jet {
    let mut w = [1.0, 0.0, 0.0, 0.0];
    for _ in 0..a {
        w = times(w, [s, 1.0, 0.0, 0.0]);
    }
    for _ in 0..b {
        w = times(w, [1.0 - s, -1.0, 0.0, 0.0]);
    }
    w
}

/// Places within 0 to 1 and weights of Gauss's rule.
pub(super) fn gauss(count: usize) -> Vec<[f64; 2]> {
    let one = |i: usize| {
        let mut s =
            0.5 - 0.5 * (std::f64::consts::PI * (i as f64 + 0.75) / (count as f64 + 0.5)).cos();
        for _ in 0..100 {
            let [p, slope, ..] = legendre(count, s);
            let step = p / slope;
            s -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        let slope = legendre(count, s)[1];
        [s, 1.0 / (s * (1.0 - s) * slope * slope)]
    };
    (0..count).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gauss_integrates_polynomials() {
        let rule = gauss(9);
        for power in 0..18 {
            let sum: f64 = rule.iter().map(|[s, w]| w * s.powi(power)).sum();
            assert!((sum - 1.0 / f64::from(power + 1)).abs() < 1e-15, "{power}");
        }
    }
}
