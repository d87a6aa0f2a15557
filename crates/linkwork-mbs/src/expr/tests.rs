use super::*;
use linkwork_dae::scalar::Jet;
use proptest::prelude::*;

fn at(text: &str, t: f64) -> f64 {
    Formula::parse(text)
        .unwrap_or_else(|e| panic!("{text}: {e}"))
        .eval(t)
}

#[test]
fn precedence_and_association() {
    assert_eq!(at("1 + 2*3", 0.0), 7.0);
    assert_eq!(at("8/4/2", 0.0), 1.0);
    assert_eq!(at("5 - 3 - 1", 0.0), 1.0);
    assert_eq!(at("-2^2", 0.0), -4.0);
    assert_eq!(at("2^3^2", 0.0), 512.0);
    assert_eq!(at("2^-1", 0.0), 0.5);
    assert_eq!(at("(t - 3)^2", 1.0), 4.0);
    assert_eq!(at("--t", 2.0), 2.0);
    assert_eq!(at("1.5e-1*t", 2.0), 0.3);
    assert_eq!(at("min(t, 2) + max(t, 2)", 3.0), 5.0);
    assert_eq!(at("sign(-t)*abs(-3)", 3.0), -3.0);
}

#[test]
fn constants_fold() {
    let f = Formula::parse("2*pi*(1 + sqrt(4))/6").unwrap();
    assert!(f.is_constant());
    assert!((f.eval(5.0) - std::f64::consts::PI).abs() < 1e-15);
    assert!(!Formula::parse("0*t").unwrap().is_constant());
}

#[test]
fn step_is_flat_outside_and_halfway_in_the_middle() {
    let f = "step(t, 1, 10, 3, 20)";
    assert_eq!(
        [at(f, 0.0), at(f, 1.0), at(f, 2.0), at(f, 3.0), at(f, 9.0)],
        [10.0, 10.0, 15.0, 20.0, 20.0]
    );
}

#[test]
fn time_derivatives_are_exact() {
    // Central differences with h = 1e-4 are good to about 1e-8 (first) and 1e-7 (second).
    let h = 1e-4;
    for text in [
        "0.3*sin(2*t)*exp(-t)",
        "tan(t/3) + atan(t) - asin(t/4) + acos(t/5)",
        "sqrt(1 + t^2) + ln(2 + t)",
        "t^3 + t^-2 + t^2.5 + 2^t + t^t",
        "step(t, 0.2, 1, 2, 3*t)",
        "abs(t - 5)*min(t, 2) + max(t^2, t) + sign(t)",
    ] {
        let f = Formula::parse(text).unwrap();
        for t in [0.4, 0.9, 1.7] {
            let jet = f.eval(Jet::time(t));
            let (m, c, p) = (f.eval(t - h), f.eval(t), f.eval(t + h));
            // The jet divides by multiplying with the reciprocal: a few roundings differ.
            assert!((jet.v - c).abs() <= 1e-14 * c.abs(), "{text} at {t}");
            assert!(
                (jet.d - (p - m) / (2.0 * h)).abs() < 1e-6 * (1.0 + jet.d.abs()),
                "{text} at {t}"
            );
            assert!(
                (jet.dd - (p - 2.0 * c + m) / (h * h)).abs() < 1e-5 * (1.0 + jet.dd.abs()),
                "{text} at {t}"
            );
        }
    }
}

#[test]
fn whole_powers_have_finite_derivatives_at_zero() {
    for (text, d, dd) in [("t^2", 0.0, 2.0), ("t^1", 1.0, 0.0), ("t^0", 0.0, 0.0)] {
        let jet = Formula::parse(text).unwrap().eval(Jet::time(0.0));
        assert_eq!((jet.d, jet.dd), (d, dd), "{text}");
    }
}

#[test]
fn errors_point_at_the_place() {
    let fail = |text: &str| Formula::parse(text).unwrap_err();
    let e = fail("2*sn(t)");
    assert_eq!((e.position, e.length), (2, 2));
    assert_eq!(e.message, "unknown function `sn`");
    assert_eq!(e.help.as_deref(), Some("did you mean `sin`?"));
    let e = fail("3 + ");
    assert_eq!((e.position, e.length), (4, 0));
    let e = fail("2 t");
    assert_eq!((e.position, e.length), (2, 1));
    assert!(e.help.unwrap().contains("2*t"));
    let e = fail("max(t)");
    assert_eq!(e.message, "`max` takes 2 arguments, not 1");
    let e = fail("1 + x*t");
    assert_eq!((e.position, e.length), (4, 1));
    assert_eq!(fail("(t").message, "a `)` is missing");
    assert_eq!(fail("t)").message, "unexpected `)`");
    assert_eq!(fail("").message, "the formula is empty");
    assert_eq!(fail("sqrt(-1)*t").message, "this part has no finite value");
    assert_eq!(fail("1/0").message, "this part has no finite value");
    assert!(
        fail("step(t, 2, 0, 1, 5)")
            .message
            .contains("must not be earlier")
    );
    let e = fail("if(t, 1, 2)");
    assert_eq!((e.position, e.length), (4, 1));
    assert_eq!(e.message, "`if` needs a comparison first");
    assert!(fail("2 > t").help.unwrap().contains("if(t > 1, a, b)"));
}

#[test]
fn conditions_choose() {
    assert_eq!(at("if(t > 1, 2, 3)", 1.0), 3.0);
    assert_eq!(at("if(t >= 1, 2, 3)", 1.0), 2.0);
    assert_eq!(at("if(t < 1, 2, 3)", 1.0), 3.0);
    assert_eq!(at("if(t <= 1, 2, 3)", 1.0), 2.0);
    assert_eq!(at("1 + if(t^2 < 2 + t, if(t < 1, 5, 6), 7)*2", 1.5), 13.0);
    assert_eq!(at("if(1 < 2, 4, 5)", 0.0), 4.0);
    assert_eq!(at("step(t, 1, 5, 1, 6)", 0.9), 5.0);
    assert_eq!(at("step(t, 1, 5, 1, 6)", 1.1), 6.0);
}

#[test]
fn angles_are_those_of_all_four_quadrants() {
    for k in 0..16 {
        let angle = 0.1 + f64::from(k) * 0.39 - 3.0;
        let f = Formula::parse(&format!("atan2(sin({angle} + t), cos({angle} + t))")).unwrap();
        let jet = f.eval(Jet::time(0.0));
        let turns = (jet.v - angle) / std::f64::consts::TAU;
        assert!((turns - turns.round()).abs() < 1e-14);
        assert!(
            (jet.d - 1.0).abs() < 1e-13 && jet.dd.abs() < 1e-12,
            "{jet:?}"
        );
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for text in [
        "(".repeat(100_000),
        "2^".repeat(100_000) + "t",
        "sin(".repeat(100_000),
        "t+(".repeat(40) + "t" + &")".repeat(40),
    ] {
        assert!(Formula::parse(&text).is_err());
    }
    assert_eq!(at(&("-".repeat(100_000) + "t"), 2.0), 2.0);
    let long = vec!["t"; 10_000].join("+");
    assert_eq!(at(&long, 1.0), 10_000.0);
}

#[test]
fn text_reads_back() {
    for x in [0.1, -3.0, 1e300, 5e-324, 0.0] {
        let f = Formula::constant(x);
        assert_eq!(Formula::parse(f.text()).unwrap(), f);
    }
}

#[test]
fn signals_are_named_once_and_have_exact_derivatives() {
    use linkwork_dae::scalar::Dual;
    let f = Formula::parse_with_signals("2*arm.angle*u_1 + sin(arm.angle) - t").unwrap();
    let names: Vec<(&str, usize)> = (f.signals().iter())
        .map(|s| (s.name.as_str(), s.position))
        .collect();
    assert_eq!(names, [("arm.angle", 2), ("u_1", 12)]);
    let x = [0.3, -2.0];
    let y = f.eval_with(Dual::<2>::from(1.5), |i| Dual::variable(x[i], i));
    assert_eq!(y.v, 2.0 * 0.3 * -2.0 + 0.3f64.sin() - 1.5);
    assert_eq!(y.d, [-4.0 + 0.3f64.cos(), 0.6]);
    assert!(f.eval(0.0).is_nan());
    // where signals have no meaning their names have none either
    assert_eq!(
        Formula::parse("2*arm.angle").unwrap_err().message,
        "unknown name `arm.angle`"
    );
}

#[test]
fn signals_do_not_hide_functions() {
    let fail = |text: &str| Formula::parse_with_signals(text).unwrap_err().message;
    assert_eq!(fail("sn(u)"), "unknown function `sn`");
    assert_eq!(fail("sin + u"), "`sin` is a function and needs arguments");
    assert_eq!(fail("u v"), "an operator is missing before `v`");
    assert_eq!(fail("u."), "unexpected `.`");
}

proptest! {
    #[test]
    fn never_panics(any in "\\PC*", near in "[0-9.te+*/^(), sincomaxpq-]{0,40}") {
        for text in [any, near] {
            if let Ok(f) = Formula::parse(&text) {
                let _ = f.eval(0.7);
            }
            if let Ok(f) = Formula::parse_with_signals(&text) {
                let _ = f.eval_with(0.7, |i| i as f64);
            }
        }
    }
}
