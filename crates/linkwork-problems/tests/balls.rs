//! Many contacts: balls in a box.

use linkwork_dae::drive::Ending;
use linkwork_mbs::{assemble, text};
use linkwork_problems::balls::{Balls, Guard};
use linkwork_problems::study::Setup;
use std::time::Instant;

fn run(balls: Balls, method: &'static str, formulation: &'static str, t_end: f64) -> Guard {
    let document = text::read(&balls.text()).unwrap_or_else(|e| panic!("{e:?}"));
    let mut sys = assemble(&document.model).unwrap();
    let setup = Setup::new(method, formulation, t_end, 1e-6);
    let mut guard = Guard::new(&balls);
    let clock = Instant::now();
    let out = setup.run(&mut sys, &mut guard).unwrap();
    let from = guard.log.happenings.len().saturating_sub(60);
    for h in &guard.log.happenings[from..] { println!("{:.12} {} {}", h.t, h.name, h.kind); }
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
    assert_eq!(out.ending, Ending::Finished);
    guard
}

/// What bounces without loss keeps its energy through thousands of impacts.
#[test]
fn a_gas_of_balls_keeps_its_energy() {
    let balls = Balls {
        count: 100,
        restitution: 1.0,
        gravity: 0.0,
    };
    let guard = run(balls, "dop853", "projected", 2.0);
    assert!(guard.events > 500, "{}", guard.events);
    assert!(guard.risen < 1e-9 * guard.start, "{:e}", guard.risen);
    assert!((guard.energy - guard.start).abs() < 1e-9 * guard.start);
    assert!(guard.overlap < 1e-9, "{:e}", guard.overlap);
}

/// With weight and losses they pile up on the floor.
#[test]
fn balls_fall_into_a_heap() {
    let balls = Balls {
        count: 20,
        restitution: 0.5,
        gravity: 9.81,
    };
    for (method, formulation) in [("dop853", "projected"), ("bdf", "ggl")] {
        let guard = run(balls, method, formulation, 2.0);
        assert!(guard.risen < 1e-6 * guard.start, "{:e}", guard.risen);
        assert!(guard.overlap < 1e-6, "{:e}", guard.overlap);
        assert!(guard.energy < 0.5 * guard.start);
    }
}
