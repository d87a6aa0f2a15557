//! Balls in a box for ten seconds: what an event costs among up to 5350 possible contacts, as a gas and in heaps.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench balls               # all
//!  cargo bench -p linkwork-problems --bench balls -- 100 0.8    # of 100 balls, with this restitution
//! ```

use cpu_time::ThreadTime;
use linkwork_mbs::{assemble, text};
use linkwork_problems::balls::{Balls, Guard};
use linkwork_problems::study::Setup;

/// Balls, restitutions, weight of a kilogram, starts.
const CASES: [(usize, &[f64], f64, u32); 6] = [
    (16, &[0.8], 9.81, 7),
    (25, &[0.5, 0.8], 9.81, 7),
    (25, &[1.0], 0.0, 1),
    (100, &[1.0, 0.9], 0.0, 1),
    (100, &[0.5, 0.8], 9.81, 1),
    (100, &[0.0], 9.81, 1),
];

fn main() {
    let only: Vec<f64> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    println!(
        "| balls | restitution | weight, N | start | ending | events | ms each | energy, J | risen, J | overlap, m | speed, m/s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (count, restitutions, gravity, starts) in CASES {
        for (&restitution, start) in
            (restitutions.iter()).flat_map(|e| (0..starts).map(move |start| (e, start)))
        {
            let balls = Balls {
                space: false,
                count,
                restitution,
                friction: 0.0,
                gravity,
                start,
            };
            let own = [count as f64, restitution];
            if only.iter().zip(own).all(|(only, own)| *only == own) {
                match row(&balls) {
                    Ok(row) => println!("{row}"),
                    Err(why) => println!("{why}"),
                }
            }
        }
    }
}

fn row(balls: &Balls) -> Result<String, String> {
    let document = text::read(&balls.text()).map_err(|_| "the model is not read")?;
    let mut sys = assemble(&document.model).map_err(|_| "the model is not assembled")?;
    let mut guard = Guard::new(balls);
    let clock = ThreadTime::now();
    let setup = Setup::new("dop853", "projected", 10.0, 1e-6);
    let out = setup.run(&mut sys, &mut guard)?;
    Ok(format!(
        "| {} | {} | {} | {} | {:?} | {} | {:.2} | {:.4} to {:.4} | {:.0e} | {:.0e} | {:.0e} |",
        balls.count,
        balls.restitution,
        balls.gravity,
        balls.start,
        out.ending,
        guard.events,
        1e3 * clock.elapsed().as_secs_f64() / guard.events as f64,
        guard.start,
        guard.energy,
        guard.risen,
        guard.overlap,
        guard.speed,
    ))
}
