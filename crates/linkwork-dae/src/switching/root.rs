//! Zeros and dips of a function of one variable, for few evaluations.

/// What changes by this share of a bracket between neighbouring times jumps.
const JUMP: f64 = 1e-3;

/// A zero of `f` between `lo`, where it is `f_lo > 0`, and `hi`, where it is `f_hi <= 0`, to within `tol`:
/// the better end of the last bracket (Brent 1973, chapter 4). Where `f` jumps there is none, but the time behind the jump.
pub(super) fn root(
    [lo, hi]: [f64; 2],
    [f_lo, f_hi]: [f64; 2],
    tol: f64,
    mut f: impl FnMut(f64) -> f64,
) -> f64 {
    // (b, fb) is the best point, (c, fc) the other end of the bracket, (a, fa) the best before
    let ([mut a, mut b], [mut fa, mut fb]) = ([lo, hi], [f_lo, f_hi]);
    let (mut c, mut fc) = (a, fa);
    let mut d = b - a;
    let mut e = d;
    for _ in 0..200 {
        if fc.abs() < fb.abs() {
            (a, fa) = (b, fb);
            (b, fb) = (c, fc);
            (c, fc) = (a, fa);
        }
        let step = tol + 2.0 * f64::EPSILON * b.abs();
        let half = 0.5 * (c - b);
        if half.abs() <= step || fb == 0.0 {
            let jumps = (fb - fc).abs() > JUMP * f_lo.max(-f_hi);
            return if jumps && fb > 0.0 { c } else { b };
        }
        if e.abs() >= step && fa.abs() > fb.abs() {
            let s = fb / fa;
            let (mut p, mut q) = if a == c {
                (2.0 * half * s, 1.0 - s)
            } else {
                let (q, r) = (fa / fc, fb / fc);
                (
                    s * (2.0 * half * q * (q - r) - (b - a) * (r - 1.0)),
                    (q - 1.0) * (r - 1.0) * (s - 1.0),
                )
            };
            if p > 0.0 {
                q = -q;
            } else {
                p = -p;
            }
            if 2.0 * p < (3.0 * half * q - (step * q).abs()).min((e * q).abs()) {
                (e, d) = (d, p / q);
            } else {
                (d, e) = (half, half);
            }
        } else {
            (d, e) = (half, half);
        }
        (a, fa) = (b, fb);
        b += if d.abs() > step {
            d
        } else {
            step.copysign(half)
        };
        fb = f(b);
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            d = b - a;
            e = d;
        }
    }
    b
}

/// Searches `[a, b]`, at whose ends `f` is positive, for a point where it is not, beginning at `x`.
///
/// Brent's minimisation (1973, chapter 5). It ends as soon as there is such a point, or as the parabola
/// through the three best points has twice in a row promised less than half of the height that is left.
pub(super) fn dip(
    [mut a, mut b]: [f64; 2],
    mut x: f64,
    mut f: impl FnMut(f64) -> f64,
) -> Option<f64> {
    const MOST: usize = 16;
    const GOLD: f64 = 0.381_966;
    let tol = 1e-7 * (b - a);
    let mut fx = f(x);
    if fx <= 0.0 {
        return Some(x);
    }
    let (mut w, mut fw, mut v, mut fv) = (x, fx, x, fx);
    let mut d = b - a;
    let mut e = d;
    let mut calm = 0;
    for _ in 0..MOST {
        let middle = 0.5 * (a + b);
        let mut parabolic = false;
        if x != w && x != v && w != v {
            let (slope_w, slope_v) = ((fw - fx) / (w - x), (fv - fx) / (v - x));
            let bend = (slope_w - slope_v) / (w - v);
            let slope = slope_w - bend * (w - x);
            let gain = if bend > 0.0 {
                0.25 * slope * slope / bend
            } else {
                0.0
            };
            calm = if gain < 0.5 * fx { calm + 1 } else { 0 };
            if calm >= 2 {
                return None;
            }
            let step = -0.5 * slope / bend;
            if bend > 0.0 && step.abs() < 0.5 * e.abs() && x + step > a && x + step < b {
                parabolic = true;
                (e, d) = (d, step);
            }
        }
        if !parabolic {
            e = if x >= middle { a - x } else { b - x };
            d = GOLD * e;
        }
        let u = x + if d.abs() > tol { d } else { tol.copysign(d) };
        let fu = f(u);
        if fu <= 0.0 {
            return Some(u);
        }
        if fu <= fx {
            if u >= x {
                a = x;
            } else {
                b = x;
            }
            (v, fv) = (w, fw);
            (w, fw) = (x, fx);
            (x, fx) = (u, fu);
        } else {
            if u < x {
                a = u;
            } else {
                b = u;
            }
            if fu <= fw || w == x {
                (v, fv) = (w, fw);
                (w, fw) = (u, fu);
            } else if fu <= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        }
        if b - a < 4.0 * tol {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_to_rounding() {
        type F = fn(f64) -> f64;
        let cases: [(F, f64, u32); 4] = [
            (|x| 0.3 - x, 0.3, 4),
            (|x| (-x).exp() - 0.5, std::f64::consts::LN_2, 10),
            (|x| (0.7 - x).powi(3), 0.7, 150),
            (|x| if x < 0.123 { 1.0 } else { -1e-9 }, 0.123, 150),
        ];
        for (f, known, most) in cases {
            let mut calls = 0;
            let x = root([0.0, 1.0], [f(0.0), f(1.0)], 1e-14, |x| {
                calls += 1;
                f(x)
            });
            // a triple zero is flat to rounding over a hundred-thousandth
            assert!((x - known).abs() < 1e-5, "{x} for {known}");
            assert!(f(x).abs() < 1e-14 || known == 0.123, "{}", f(x));
            assert!(calls <= most, "{calls}");
        }
    }

    #[test]
    fn dips_are_found_or_given_up_soon() {
        for depth in [1e-2, 1e-5, 1e-9, -1e-9, -1e-3] {
            let mut calls = 0;
            let f = |x: f64| (x - 0.41).powi(2) * (1.0 + x) - depth;
            let found = dip([0.0, 1.0], 0.5, |x| {
                calls += 1;
                f(x)
            });
            assert_eq!(found.is_some(), depth > 0.0, "{depth}");
            assert!(found.is_none_or(|x| f(x) <= 0.0));
            assert!(calls <= 17, "{calls}");
        }
    }
}
