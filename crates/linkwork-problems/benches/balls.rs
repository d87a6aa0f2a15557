//! Balls in a box for ten seconds: what an event costs among up to 5350 possible contacts, as a gas and in heaps, and where they rub.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench balls               # all
//!  cargo bench -p linkwork-problems --bench balls -- 16 0.8 0.3   # of 16 balls, with this restitution and friction
//! ```

use cpu_time::ThreadTime;
use linkwork_mbs::{assemble, text};
use linkwork_problems::balls::{Balls, Guard};
use linkwork_problems::study::Setup;

/// In space, balls, restitutions, friction, weight of a kilogram, starts.
type Case = (bool, usize, &'static [f64], f64, f64, u32);

const CASES: [Case; 11] = [
    (false, 16, &[0.8], 0.0, 9.81, 7),
    (false, 25, &[0.5, 0.8], 0.0, 9.81, 7),
    (false, 25, &[1.0], 0.0, 0.0, 1),
    (false, 100, &[1.0, 0.9], 0.0, 0.0, 1),
    (false, 100, &[0.5, 0.8], 0.0, 9.81, 1),
    (false, 100, &[0.0], 0.0, 9.81, 1),
    (false, 6, &[0.0, 0.5, 0.8], 0.3, 9.81, 7),
    (false, 16, &[0.0, 0.5, 0.8], 0.3, 9.81, 7),
    (false, 36, &[0.5], 0.3, 9.81, 1),
    (true, 8, &[0.0, 0.5, 0.8], 0.3, 9.81, 7),
    (true, 27, &[0.5], 0.3, 9.81, 1),
];

fn main() {
    let only: Vec<f64> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    println!(
        "| | balls | restitution | friction | weight, N | start | ending | events | strides | ms each | energy, J | risen, J | overlap, m | speed, m/s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (space, count, restitutions, friction, gravity, starts) in CASES {
        for (&restitution, start) in
            (restitutions.iter()).flat_map(|e| (0..starts).map(move |start| (e, start)))
        {
            let balls = Balls {
                space,
                count,
                restitution,
                friction,
                gravity,
                start,
            };
            let own = [count as f64, restitution, friction];
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
        "| {} | {} | {} | {} | {} | {} | {:?} | {} | {} | {:.2} | {:.4} to {:.4} | {:.0e} | {:.0e} | {:.0e} |",
        if balls.space { "space" } else { "plane" },
        balls.count,
        balls.restitution,
        balls.friction,
        balls.gravity,
        balls.start,
        out.ending,
        guard.events,
        out.stats.strides,
        1e3 * clock.elapsed().as_secs_f64() / guard.events as f64,
        guard.start,
        guard.energy,
        guard.risen,
        guard.overlap,
        guard.speed,
    ))
}
