//! The watch on made-up steps.

use super::averages::WINDOW;
use super::*;
use crate::system::Row;

/// A step at order 5 of a motion of rate 0.01 whose differences fall by `ratio`.
fn trial(ratio: f64) -> Trial {
    let error = 0.1;
    Trial {
        err: [f64::INFINITY, f64::INFINITY, error, f64::INFINITY],
        difference: [
            f64::INFINITY,
            6.0 * error / ratio,
            6.0 * error,
            f64::INFINITY,
        ],
        order: 5,
        worst: Row::Position(0),
        iterations: 1,
        contraction: 0.0,
        rate: 0.01,
    }
}

/// An undamped mode of frequency 0.7, and the step that follows it.
const MODE: Mode = Mode { re: 0.0, im: 0.7 };
const FOLLOW: f64 = 0.65 / 0.7;

/// A step, and the answers of a driver that knows the modes and the error of order 2.
fn step(watch: &mut Watch, h: f64, modes: &[Mode], low: f64) {
    watch.accepted(&trial(0.7), h);
    if watch.wants_error_at().is_some() {
        watch.hear_error(low);
    }
    if watch.wants_modes() {
        watch.hear(Modes {
            found: modes,
            complete: true,
        });
    }
}

/// Steps until modes are asked for, at most `n`.
fn until_asked(watch: &mut Watch, n: u32, trial: &Trial, h: f64) -> Option<u32> {
    (0..n).find(|_| {
        watch.accepted(trial, h);
        watch.wants_modes()
    })
}

/// After a suspicion that these modes answer, with this error of order 2 in steps of 1.
fn suspicious(modes: &[Mode], complete: bool, low: f64) -> Watch {
    let mut watch = Watch::new(5);
    until_asked(&mut watch, 100, &trial(0.7), 1.0).unwrap();
    watch.hear(Modes {
        found: modes,
        complete,
    });
    step(&mut watch, 1.0, modes, low);
    watch
}

fn note(watch: &Watch) -> String {
    let mut notes = Vec::new();
    watch.notes(&mut notes);
    assert!(notes.len() < 2);
    notes.pop().unwrap_or_default()
}

#[test]
fn a_fast_vibration_is_suspicious_at_once() {
    let mut watch = Watch::new(5);
    let asked = until_asked(&mut watch, 100, &trial(0.7), 1.0);
    assert_eq!(asked, Some(WINDOW - 1));
}

#[test]
fn resolved_or_slow_motion_is_not() {
    let mut watch = Watch::new(5);
    assert_eq!(until_asked(&mut watch, 1000, &trial(0.4), 1.0), None);
    let slow = Trial {
        rate: 0.1,
        ..trial(0.7)
    };
    assert_eq!(until_asked(&mut watch, 1000, &slow, 1.0), None);
    assert_eq!(note(&watch), "");
}

#[test]
fn orders_follow_the_modes_and_the_step() {
    let watch = suspicious(&[MODE], true, 0.1);
    let theta = |x: f64| watch.limit(x / 0.7);
    assert_eq!(theta(0.2), usize::MAX);
    assert_eq!(
        [0.5, 1.9, 2.0, 4.6, 4.8, 9.3].map(theta),
        [2, 2, 3, 3, 4, 4]
    );
    assert_eq!(theta(9.5), usize::MAX);
    assert_eq!(watch.longest_step(), f64::INFINITY);
}

#[test]
fn without_a_guilty_mode_nothing_is_limited_unless_some_may_be_missing() {
    let slow = Mode { re: 0.0, im: 0.1 };
    let damped = Mode { re: -0.07, im: 0.7 };
    let modes = [damped, slow];
    assert_eq!(suspicious(&modes, true, 0.1).limit(1.0), usize::MAX);
    assert_eq!(suspicious(&modes, false, 0.1).limit(1.0), 2);
    // what was seen is faster than every mode: not one of them
    let slower = [slow];
    assert_eq!(suspicious(&slower, false, 0.1).limit(1.0), usize::MAX);
}

/// Order 2 would need steps of a third: it is given up after the first look, and the note says so.
#[test]
fn vibrations_far_above_the_tolerance_are_followed() {
    let mut watch = suspicious(&[MODE], true, 20.0);
    let tried = (1..200).find(|_| {
        step(&mut watch, 0.3 * FOLLOW, &[MODE], 20.0);
        !watch.low
    });
    assert!(f64::from(tried.unwrap()) < PATIENCE, "{tried:?}");
    for _ in 0..100 {
        step(&mut watch, 0.9, &[MODE], 20.0);
        assert_eq!(watch.limit(0.9), usize::MAX);
        assert_eq!(watch.longest_step(), FOLLOW);
    }
    let told = note(&watch);
    assert!(
        told.starts_with("vibrations at 7.0e-1 rad/s make orders above 2 unstable: "),
        "{told}"
    );
    assert!(
        told.ends_with("length limited to follow them for 100 steps"),
        "{told}"
    );
}

/// What no mode confirms is followed while it is seen.
#[test]
fn what_was_observed_is_forgotten_when_it_has_gone() {
    let mut watch = suspicious(&[], false, 20.0);
    while watch.low {
        watch.rejected();
    }
    for _ in 0..120 {
        step(&mut watch, 0.9, &[], 20.0);
        assert!(watch.longest_step() < 1.2);
    }
    for _ in 0..80 {
        watch.accepted(&trial(0.2), 0.9);
        if watch.wants_error_at().is_some() {
            watch.hear_error(20.0);
        }
    }
    assert_eq!(watch.longest_step(), f64::INFINITY);
}

/// Steps of half the length of following are given up, and not tried again unless third differences promise twice it.
#[test]
fn a_limit_that_does_not_pay_is_given_up() {
    let mut watch = suspicious(&[MODE], true, 1.0);
    let attempts = (1..1000).find(|_| {
        step(&mut watch, 0.5 * FOLLOW, &[MODE], 1.0);
        !watch.low
    });
    assert!(attempts.is_some());
    assert_eq!(watch.longest_step(), FOLLOW);
    for _ in 0..1000 {
        step(&mut watch, 0.9, &[MODE], 0.6);
        assert!(!watch.low);
    }
    let again = (1..1000).find(|_| {
        step(&mut watch, 0.9, &[MODE], 0.01);
        watch.low
    });
    assert!(again.unwrap() <= 2 * WINDOW, "{again:?}");
}

/// Steps a little longer than those of following are not worth the errors of order 2; twice as long ones are.
#[test]
fn steps_must_be_worth_it() {
    for (steps, pays) in [(1.5, false), (2.1, true)] {
        let mut watch = suspicious(&[MODE], true, 0.5);
        for _ in 0..600 {
            step(&mut watch, steps * FOLLOW, &[MODE], 0.5);
        }
        assert_eq!(watch.low, pays, "{steps}");
    }
}

#[test]
fn rejected_attempts_are_lost() {
    let mut watch = suspicious(&[MODE], true, 0.1);
    let lost = (1..1000).find(|_| {
        watch.rejected();
        !watch.low
    });
    // from twice what is worth it to half of that
    let expected = PATIENCE * 2f64.ln();
    assert!(
        (f64::from(lost.unwrap()) - expected).abs() < 2.0,
        "{lost:?}"
    );
}

/// Modes that the motion has left behind do not hold the step.
#[test]
fn what_is_resolved_or_gone_is_not_followed() {
    let mut watch = suspicious(&[MODE], true, 20.0);
    for _ in 0..200 {
        step(&mut watch, 0.4, &[MODE], 20.0);
    }
    assert_eq!(watch.limit(0.4), usize::MAX);
    assert_eq!(watch.longest_step(), f64::INFINITY);
}

#[test]
fn a_limit_that_pays_stays_and_is_told() {
    let mut watch = suspicious(&[MODE], true, 0.1);
    let before = watch.since;
    for _ in before + 1..REFRESH {
        watch.accepted(&trial(0.3), 2.0);
        assert!(!watch.wants_modes());
    }
    watch.accepted(&trial(0.3), 2.0);
    assert!(watch.wants_modes());
    assert_eq!(watch.limit(2.0), 2);
    let told = format!(
        "vibrations at 7.0e-1 rad/s make orders above 2 unstable: order limited for {REFRESH} steps",
    );
    assert_eq!(note(&watch), told);
}

#[test]
fn numbers_that_are_none_do_no_harm() {
    let mut watch = suspicious(&[MODE], true, 0.1);
    for error in [f64::NAN, 0.0, f64::INFINITY] {
        let mut t = trial(0.7);
        t.err = [error; 4];
        t.difference = [error; 4];
        for h in [1.0, 0.0, f64::NAN] {
            for _ in 0..200 {
                watch.accepted(&t, h);
                watch.rejected();
                watch.hear_error(error);
            }
            watch.hear(Modes {
                found: &[Mode {
                    re: f64::NAN,
                    im: f64::NAN,
                }],
                complete: false,
            });
            assert!(watch.limit(1.0) >= 2);
            assert!(watch.longest_step() > 0.0);
        }
    }
}
