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

/// Discs that rub on each other and on the walls come to rest too: stuck, rolling or wedged, all of which is found at once
/// behind every event. Where wedges are nearly as many ways determined as they are rows a search may fail, and says so; until
/// then energy has not risen, either.
#[test]
fn discs_that_rub_come_to_rest() {
    let (mut failed, mut rolling) = (0, 0);
    for count in [2, 3, 4, 6] {
        for restitution in [0.0, 0.5, 0.8] {
            for start in 0..3 {
                let balls = Balls {
                    count,
                    restitution,
                    friction: 0.3,
                    gravity: 9.81,
                    start,
                };
                let (guard, ending) = try_run(balls, "dop853", "projected", 5.0);
                failed += u32::from(ending != Ending::Finished);
                // nothing slows a disc that rolls on the floor
                rolling += u32::from(ending == Ending::Finished && guard.speed > 1e-9);
                // what a tolerance of 1e-6 makes of discs that roll on each other
                assert!(guard.risen < 1e-6 * guard.start, "{:e}", guard.risen);
                assert!(guard.overlap < 1e-6, "{:e}", guard.overlap);
            }
        }
    }
    println!("{failed} of 36 failed, {rolling} roll on");
    assert!(failed <= 3 && rolling <= 18, "{failed} {rolling}");
}
