//! A hundred balls in a box for ten seconds: what an impact costs among 5350 possible contacts.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench balls
//! ```

use linkwork_mbs::{assemble, text};
use linkwork_problems::balls::{Balls, Guard};
use linkwork_problems::study::Setup;
use std::time::Instant;

fn main() {
    println!("balls  restitution  impacts  ms each  energy at the end  overlap");
    for (count, restitution) in [(25, 1.0), (100, 1.0), (100, 0.9)] {
        let balls = Balls {
            count,
            restitution,
            gravity: 0.0,
        };
        let Ok(document) = text::read(&balls.text()) else {
            println!("the model is not read");
            return;
        };
        let Ok(mut sys) = assemble(&document.model) else {
            println!("the model is not assembled");
            return;
        };
        let mut guard = Guard::new(&balls);
        let clock = Instant::now();
        let setup = Setup::new("dop853", "projected", 10.0, 1e-6);
        match setup.run(&mut sys, &mut guard) {
            Ok(out) => println!(
                "{count:5}  {restitution:11}  {:7}  {:7.3}  {:17.6}  {:7.1e}  {:?}",
                guard.events,
                1e3 * clock.elapsed().as_secs_f64() / guard.events as f64,
                guard.energy / guard.start,
                guard.overlap,
                out.ending
            ),
            Err(why) => println!("{why}"),
        }
    }
}
