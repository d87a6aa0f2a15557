//! Many contacts: balls in a box.

use linkwork_dae::drive::Ending;
use linkwork_mbs::{assemble, text};
use linkwork_problems::balls::{Balls, Guard};
use linkwork_problems::study::Setup;
use std::time::Instant;

fn run(balls: Balls, method: &'static str, formulation: &'static str, t_end: f64) -> Guard {
    let (guard, ending) = try_run(balls, method, formulation, t_end);
    assert_eq!(ending, Ending::Finished);
    guard
}

fn try_run(
    balls: Balls,
    method: &'static str,
    formulation: &'static str,
    t_end: f64,
) -> (Guard, Ending) {
    let document = text::read(&balls.text()).unwrap_or_else(|e| panic!("{e:?}"));
    let mut sys = assemble(&document.model).unwrap();
    let setup = Setup::new(method, formulation, t_end, 1e-6);
    let mut guard = Guard::new(&balls);
    let clock = Instant::now();
    let out = setup.run(&mut sys, &mut guard).unwrap();
    let each = clock.elapsed().as_secs_f64() / guard.events as f64;
    println!(
        "{balls:?} {method}: {:?} {} events, {} steps, {} evaluations, energy {:.4} -> {:.4}, risen {:.1e}, \
         overlap {:.1e}, {:.2} ms an event",
        out.ending,
        guard.events,
        out.stats.steps,
        out.stats.evaluations(),
        guard.start,
        guard.energy,
        guard.risen,
        guard.overlap,
        1e3 * each
    );
    (guard, out.ending)
}

/// What bounces without loss keeps its energy through thousands of impacts.
#[test]
fn a_gas_of_balls_keeps_its_energy() {
    let balls = Balls {
        space: false,
        count: 100,
        restitution: 1.0,
        friction: 0.0,
        gravity: 0.0,
        start: 0,
    };
    let guard = run(balls, "dop853", "projected", 10.0);
    assert!(guard.events > 5000, "{}", guard.events);
    assert!(guard.risen < 1e-9 * guard.start, "{:e}", guard.risen);
    assert!((guard.energy - guard.start).abs() < 1e-9 * guard.start);
    assert!(guard.overlap < 1e-9, "{:e}", guard.overlap);
}

/// Impacts with losses take energy and never give any; the same with another kind of method.
#[test]
fn balls_that_lose_energy_never_gain_any() {
    for (count, t_end, method, formulation) in
        [(36, 10.0, "dop853", "projected"), (12, 3.0, "bdf", "ggl")]
    {
        let balls = Balls {
            space: false,
            count,
            restitution: 0.9,
            friction: 0.0,
            gravity: 0.0,
            start: 0,
        };
        let guard = run(balls, method, formulation, t_end);
        assert!(guard.risen < 1e-9 * guard.start, "{:e}", guard.risen);
        assert!(guard.overlap < 1e-6, "{:e}", guard.overlap);
        assert!(guard.energy < 0.7 * guard.start, "{}", guard.energy);
    }
}

/// With weight, and as lively as ever.
#[test]
fn balls_with_weight_bounce_on_the_floor() {
    let balls = Balls {
        space: false,
        count: 25,
        restitution: 1.0,
        friction: 0.0,
        gravity: 9.81,
        start: 0,
    };
    let guard = run(balls, "dop853", "projected", 2.0);
    assert!((guard.energy - guard.start).abs() < 1e-6 * guard.start);
    assert!(guard.overlap < 1e-6, "{:e}", guard.overlap);
}

/// A hundred of them fall upon each other, until those below lie side by side. What takes them all to rest is measured by a bench.
#[test]
fn a_hundred_balls_fall() {
    let balls = Balls {
        space: false,
        count: 100,
        restitution: 0.0,
        friction: 0.0,
        gravity: 9.81,
        start: 0,
    };
    let guard = run(balls, "dop853", "projected", 0.33);
    assert!(guard.events > 1500, "{}", guard.events);
    assert!(guard.risen < 1e-7 * guard.start, "{:e}", guard.risen);
    assert!(guard.overlap < 1e-7, "{:e}", guard.overlap);
}

/// Balls that lose energy at every impact end as a heap at rest, in which every contact presses or is open. Energy rises by
/// no more than the tolerance of smooth stretches, gaps by what positions moved onto closing contacts leave of the others.
#[test]
fn balls_with_weight_come_to_rest() {
    for (count, restitutions, starts) in [
        (4, &[0.0, 0.5, 0.8][..], 0..1),
        (5, &[0.0, 0.5, 0.8], 0..1),
        (8, &[0.0, 0.5, 0.8], 0..2),
        (12, &[0.0, 0.5, 0.8], 0..1),
        (16, &[0.8], 3..5),
        (25, &[0.0, 0.5], 0..1),
    ] {
        for (&restitution, start) in
            (restitutions.iter()).flat_map(|e| starts.clone().map(move |start| (e, start)))
        {
            let balls = Balls {
                space: false,
                count,
                restitution,
                friction: 0.0,
                gravity: 9.81,
                start,
            };
            let guard = run(balls, "dop853", "projected", 10.0);
            assert!(guard.risen < 1e-7 * guard.start, "{:e}", guard.risen);
            assert!(guard.overlap < 1e-7, "{:e}", guard.overlap);
            assert!(guard.energy < 0.5 * guard.start, "{}", guard.energy);
            assert!(guard.speed < 1e-9, "{:e}", guard.speed);
        }
    }
}

/// What is expected of balls that rub: they get to the end, energy does not rise but by what a tolerance of 1e-6 makes of rolling,
/// none falls through another or a wall.
fn rub(balls: Balls, t_end: f64) -> Guard {
    let guard = run(balls, "dop853", "projected", t_end);
    assert!(guard.risen < 1e-7 * guard.start, "{:e}", guard.risen);
    assert!(guard.overlap < 1e-7, "{:e}", guard.overlap);
    assert!(guard.energy < 0.8 * guard.start, "{}", guard.energy);
    guard
}

/// Discs that rub on each other and on the walls come to rest too: stuck, rolling or wedged, all of which is found at once
/// behind every event.
#[test]
fn discs_that_rub_come_to_rest() {
    let mut rolling = 0;
    for (count, restitutions, starts) in [
        (2, &[0.0, 0.5, 0.8][..], 0..3),
        (3, &[0.0, 0.5, 0.8], 0..3),
        (4, &[0.0, 0.5, 0.8], 0..3),
        (6, &[0.0, 0.5, 0.8], 0..3),
        (9, &[0.0, 0.5, 0.8], 0..1),
        (16, &[0.0], 0..1),
    ] {
        for (&restitution, start) in
            (restitutions.iter()).flat_map(|e| starts.clone().map(move |start| (e, start)))
        {
            let balls = Balls {
                space: false,
                count,
                restitution,
                friction: 0.3,
                gravity: 9.81,
                start,
            };
            // nothing slows a disc that rolls on the floor
            rolling += u32::from(rub(balls, 5.0).speed > 1e-9);
        }
    }
    assert!(rolling <= 20, "{rolling}");
}

/// The same in space, where they slide in two directions and never stop to roll and to spin.
#[test]
fn balls_that_rub_in_space_lie_at_the_bottom() {
    for (count, restitutions, starts) in [
        (1, &[0.0, 0.5][..], 0..2),
        (2, &[0.0, 0.5, 0.8], 0..3),
        (4, &[0.0, 0.5, 0.8], 0..2),
        (8, &[0.0, 0.5, 0.8], 0..1),
    ] {
        for (&restitution, start) in
            (restitutions.iter()).flat_map(|e| starts.clone().map(move |start| (e, start)))
        {
            let balls = Balls {
                space: true,
                count,
                restitution,
                friction: 0.3,
                gravity: 9.81,
                start,
            };
            rub(balls, 4.0);
        }
    }
}
