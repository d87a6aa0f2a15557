//! Transfer function, realised in controllable form with states of the size of its input.
//!
//! ```text
//!          b_0 s^n + .. + b_n          x_i' = w x_{i+1},  x_n' = w (u - sum_i a_{n+1-i} / w^{n+1-i} x_i)
//!  G(s) = --------------------         y = sum_i (b_{n+1-i} - a_{n+1-i} b_0) / w^{n+1-i} x_i + b_0 u
//!          s^n + a_1 s^{n-1} + .. + a_n
//! ```
//!
//! `w = max |a_k|^(1/k)`, which no pole exceeds by more than twice: in its unit of time all coefficients are at
//! most 1, and so are the states of a filter. Without it they would be smaller by powers of `w`, and no
//! tolerance would see them.

use super::{Control, ControlState, ControlTerms, INPUT, Linear};
use crate::expr::Formula;
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;

/// A rational transfer function from one input to one output; it starts at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transfer {
    input: Formula,
    numerator: Vec<f64>,
    denominator: Vec<f64>,
    law: Linear,
}

impl Transfer {
    /// Coefficients by falling powers of `s`; the numerator's degree is at most the denominator's.
    pub fn new(input: Formula, numerator: Vec<f64>, denominator: Vec<f64>) -> Transfer {
        let law = realise(&numerator, &denominator).unwrap_or_default();
        Transfer {
            input,
            numerator,
            denominator,
            law,
        }
    }
}

/// Coefficients from the first that is not zero.
fn leading(x: &[f64]) -> &[f64] {
    let first = x.iter().position(|c| *c != 0.0).unwrap_or(x.len());
    &x[first..]
}

fn realise(numerator: &[f64], denominator: &[f64]) -> Option<Linear> {
    let (b, a) = (leading(numerator), leading(denominator));
    let n = a.len().checked_sub(1)?;
    let missing = (n + 1).checked_sub(b.len())?;
    let a: Vec<f64> = a.iter().map(|c| c / a[0]).collect();
    let monic = b.iter().map(|c| c / leading(denominator)[0]);
    let b: Vec<f64> = std::iter::repeat_n(0.0, missing).chain(monic).collect();
    // an integrator alone has no rate of its own
    let rate = (1..=n).map(|k| a[k].abs().powf(1.0 / k as f64));
    let rate = match rate.fold(0.0, f64::max) {
        w if w > 0.0 && w.is_finite() => w,
        _ => 1.0,
    };
    let scaled = |c: f64, k: usize| {
        if c == 0.0 {
            0.0
        } else {
            c / rate.powi(k as i32)
        }
    };
    let mut law = Linear {
        a: vec![vec![0.0; n]; n],
        b: vec![vec![0.0]; n],
        c: vec![
            (0..n)
                .map(|i| scaled(b[n - i] - a[n - i] * b[0], n - i))
                .collect(),
        ],
        d: vec![vec![b[0]]],
    };
    for i in 0..n {
        if i + 1 < n {
            law.a[i][i + 1] = rate;
        } else {
            law.a[i] = (0..n).map(|j| -rate * scaled(a[n - j], n - j)).collect();
            law.b[i][0] = rate;
        }
    }
    Some(law)
}

impl Kind for Transfer {
    const NAME: &'static str = "transfer";
    const SUMMARY: &'static str =
        "Transfer function, numerator over denominator in falling powers of s.";
}

impl Transfer {
    /// Refuses what has no realisation.
    fn proper(&self) -> Result<(), String> {
        if leading(&self.denominator).is_empty() {
            return Err("the denominator has no coefficient other than zero".into());
        }
        if leading(&self.numerator).len() > leading(&self.denominator).len() {
            return Err(
                "the degree of the numerator must not exceed the denominator's: it would differentiate its input".into(),
            );
        }
        self.law.check(self.law.a.len(), 1)
    }
}

impl Part for Transfer {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.item(INPUT).formula(&mut self.input);
        let doc = "Coefficients by falling powers of s: [1, 2] is s + 2.";
        k.key("numerator", Unit::None, doc)
            .numbers(&mut self.numerator);
        let doc = "Coefficients by falling powers of s; at least of the numerator's degree.";
        k.key("denominator", Unit::None, doc)
            .numbers(&mut self.denominator);
        if let Some(draw) = k.draw() {
            self.denominator = vec![2.0, 1.5 + draw(), 2.5];
        }
        self.law = realise(&self.numerator, &self.denominator).unwrap_or_default();
        k.placed(|| self.proper());
    }
}

impl Control for Transfer {
    fn inputs(&self) -> Vec<&Formula> {
        vec![&self.input]
    }
    fn states(&self) -> Vec<ControlState> {
        (1..=self.law.a.len())
            .map(|i| ControlState::new(format!("state {i}"), 0.0))
            .collect()
    }
    fn feedthrough(&self) -> bool {
        self.law.feedthrough()
    }
    fn output(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        self.law.output(u, x, out);
    }
    fn rates(&self, u: &[f64], x: &[f64], out: &mut ControlTerms) {
        self.law.rates(u, x, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `C (s - A)^-1 B + D` at real points against the quotient of the polynomials.
    #[test]
    fn the_realisation_has_the_transfer_function() {
        let (b, a) = ([0.0, 3.0, -1.0, 2.0], [2.0, 1.0, 5.0, 0.5]);
        let horner = |c: &[f64], s: f64| c.iter().fold(0.0, |y, c| y * s + c);
        let law = realise(&b, &a).unwrap();
        for s in [0.7, 2.0, -3.0] {
            // w x_{i+1} = s x_i in this form, w being |a_2 / a_0|^(1/2) here, and the last row fixes x_1
            let w = 2.5f64.sqrt();
            let x1 = w.powi(3) * a[0] / horner(&a, s);
            let x = [x1, s / w * x1, (s / w).powi(2) * x1];
            assert!((law.rate(2, &x, &[1.0]) - s * x[2]).abs() < 1e-12);
            let y = law.value(0, &x, &[1.0]);
            assert!((y - horner(&b, s) / horner(&a, s)).abs() < 1e-12, "{s}");
        }
        // biproper: a lead element passes its input on
        let lead = realise(&[2.0, 1.0], &[1.0, 4.0]).unwrap();
        assert_eq!((lead.d[0][0], lead.c[0][0]), (2.0, -1.75));
        assert!(realise(&[1.0, 0.0], &[1.0]).is_none());
    }
}
