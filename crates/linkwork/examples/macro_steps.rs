#[path = "../tests/systems/mod.rs"]
mod systems;
use systems::{distance, reference, run, system, tolerance, whole};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let names: Vec<&str> = args[1].split(',').collect();
    let constant = args.len() > 2;
    let degree: usize = std::env::var("K").map_or(2, |k| k.parse().unwrap());
    let micro: Option<f64> = std::env::var("MICRO").ok().map(|k| k.parse().unwrap());
    let set: Vec<String> = std::env::var("SET").map_or(Vec::new(), |s| s.split(';').map(str::to_string).collect());
    let set: Vec<&str> = set.iter().map(|s| s.as_str()).collect();
    for name in names {
        let (text, pairs) = whole(name);
        let system = system(name, &set);
        let t_end = std::env::var("TEND").map_or(system.options().t_end.unwrap(), |k| k.parse().unwrap());
        let exact = reference(&text, t_end);
        println!("{name} T={t_end}");
        for rtol in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            let mut o = tolerance(rtol);
            o.t_end = Some(t_end);
            o.degree = Some(degree);
            o.micro = micro;
            o.approach = std::env::var("APP").ok();
            let r = run(&system, &o);
            let error = distance(&r, &exact, &pairs);
            let rep = r.report.as_ref().unwrap();
            let sum = rep.accumulated;
            let energy = rep.connections.iter().fold(0.0f64, |m, c| m.max(c.energy_residual.unwrap_or(0.0).abs() / c.energy_through));
            let micro: u64 = rep.members.iter().map(|m| m.micro_steps).sum();
            print!("  {rtol:.0e}: {:6} acc {:4} rej  micro {micro:7} err/tol {:9.3} sum/tol {:9.3} amp {:.3} en/tol {:.2} {:?} {:.2}s", rep.accepted, rep.rejected, error / rtol, sum, error/rtol/sum, energy/rtol, r.verdict, r.wall_seconds);
            if constant {
                let attempts = rep.steps.len() as f64;
                let mut n = (attempts / 3.0).max(4.0);
                let mut found = None;
                while n < 6.0 * attempts {
                    let mut c = o.clone();
                    c.step = Some(t_end / n.round());
                    let r = run(&system, &c);
                    let e = distance(&r, &exact, &pairs);
                    if r.failure.is_none() && e <= error { found = Some((r.report.unwrap().accepted, e / rtol)); break; }
                    n *= 1.1;
                }
                match found { Some((m, e)) => print!("  const {m} ({e:.3}) ratio {:.2}", m as f64 / attempts), None => print!("  const none") }
            }
            println!();
        }
    }
}
