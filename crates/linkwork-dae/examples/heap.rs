use linkwork_dae::chart::Chart;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, Plan, View};
use linkwork_dae::law::{Law, RowLaw};
use linkwork_dae::memory::Memory;
use linkwork_dae::recipe::Recipe;
use linkwork_dae::state::{State, Tolerances};
use linkwork_dae::system::*;
use std::sync::Arc;
use std::time::Instant;

#[derive(Clone)]
struct Balls { n: usize, r: f64, g: f64, rows: Vec<(usize, usize)>, at: Vec<usize>, rests: Vec<bool>, facts: Arc<Facts> }
const WALLS: [[f64; 3]; 4] = [[1.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, -1.0, 1.0]];
impl Balls {
    fn new(n: usize, e: f64, g: f64) -> Balls {
        let r = (0.2 / (std::f64::consts::PI * n as f64)).sqrt();
        let across = (n as f64).sqrt().ceil() as usize;
        let pitch = 1.0 / across as f64;
        let mut seed = 0.371_f64 + std::env::var("SEED").map_or(0.0, |s| 1e-3 * s.parse::<f64>().unwrap());
        let mut draw = || { seed = (seed * 97.31 + 0.137).fract(); 2.0 * seed - 1.0 };
        let (mut q, mut v) = (vec![], vec![]);
        for i in 0..n {
            q.push(pitch * ((i % across) as f64 + 0.5 + 0.1 * draw()));
            q.push(pitch * ((i / across) as f64 + 0.5 + 0.1 * draw()));
            v.push(draw()); v.push(draw());
        }
        let (mut rows, mut laws, mut cq, mut at) = (vec![], vec![], vec![], vec![]);
        for i in 0..n {
            for w in 0..4 { rows.push((i, n + w)); }
            for j in 0..i { rows.push((i, j)); }
        }
        for (k, &(i, j)) in rows.iter().enumerate() {
            let name = if j >= n { format!("{}{i}", ["left", "right", "floor", "roof"][j - n]) } else { format!("c{j}_{i}") };
            laws.push(RowLaw { row: k as u32, law: Law::OneSided { restitution: e }, name });
            at.push(cq.len());
            let k = k as u32;
            cq.push((k, 2 * i as u32)); cq.push((k, 2 * i as u32 + 1));
            if j < n { cq.push((k, 2 * j as u32)); cq.push((k, 2 * j as u32 + 1)); }
        }
        let dims = Dims { nq: 2 * n, nv: 2 * n, nc: rows.len(), ng: 0, nx: 0 };
        let mut patterns = BlockPatterns::default();
        patterns[Part::Mass] = (0..2 * n as u32).map(|i| (i, i)).collect();
        patterns[Part::Cq] = cq;
        let facts = Facts { patterns, guess: Guess::at(&q, &v), laws, reference: vec![Reference::Place; 2 * n], ..Facts::new(dims) };
        Balls { n, r, g, rests: vec![false; rows.len()], rows, at, facts: Arc::new(facts) }
    }
}
impl System for Balls {
    fn facts(&self) -> &Facts { &self.facts }
    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        if let Some(m) = want.mass.as_deref_mut() { m.fill(1.0); }
        if let Some(f) = want.force.as_deref_mut() { for (i, f) in f.iter_mut().enumerate() { *f = if i % 2 == 1 { -self.g } else { 0.0 }; } }
        for (k, &(i, j)) in self.rows.iter().enumerate() {
            if self.rests[k] { continue; }
            let (x, y) = (at.q[2 * i], at.q[2 * i + 1]);
            if j >= self.n {
                let [a, b, c] = WALLS[j - self.n];
                if let Some(o) = want.c.as_deref_mut() { o[k] = a * x + b * y + c - self.r; }
                if let Some(o) = want.c_q.as_deref_mut() { o[self.at[k]] = a; o[self.at[k] + 1] = b; }
                if let Some(o) = want.cv.as_deref_mut() { o[k] = a * at.v[2 * i] + b * at.v[2 * i + 1]; }
                if let Some(o) = want.gamma.as_deref_mut() { o[k] = 0.0; }
            } else {
                let (dx, dy) = (x - at.q[2 * j], y - at.q[2 * j + 1]);
                let d = dx.hypot(dy);
                let (a, b) = (dx / d, dy / d);
                if let Some(o) = want.c.as_deref_mut() { o[k] = d - 2.0 * self.r; }
                if let Some(o) = want.c_q.as_deref_mut() { o[self.at[k]..self.at[k] + 4].copy_from_slice(&[a, b, -a, -b]); }
                if want.cv.is_some() || want.gamma.is_some() {
                    let (vx, vy) = (at.v[2 * i] - at.v[2 * j], at.v[2 * i + 1] - at.v[2 * j + 1]);
                    let u = a * vx + b * vy;
                    if let Some(o) = want.cv.as_deref_mut() { o[k] = u; }
                    if let Some(o) = want.gamma.as_deref_mut() { o[k] = -(vx * vx + vy * vy - u * u) / d; }
                }
            }
        }
        Ok(())
    }
    fn linearise(&mut self, at: &At<'_>, want: &mut Terms<'_>, _: Parts, _: &mut Blocks) -> Result<(), EvalError> { self.eval(at, want) }
    fn observe(&mut self, _: &State, _: &mut [f64]) {}
    fn chart(&self) -> Option<&dyn Chart> { None }
    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) { if let Capability::Capacities(to) = wanted { *to = Some(self) } }
    fn reset(&mut self) {}
    fn memory(&mut self, _: &mut Memory) {}
    fn fork(&self) -> Box<dyn System> { Box::new(self.clone()) }
}
impl Capacities for Balls {
    fn capacity(&mut self, _: usize, _: &State) -> f64 { 0.0 }
    fn rest(&mut self, laws: &[bool]) { self.rests.copy_from_slice(laws); }
}
#[derive(Default)]
struct Guard { n: usize, r: f64, g: f64, start: f64, energy: f64, least: f64, risen: f64, overlap: f64, events: u64, last: f64, t: f64 }
impl Guard {
    fn look(&mut self, view: &View<'_>) {
        let s = view.state();
        self.t = s.t;
        self.energy = 0.5 * s.v.iter().map(|v| v * v).sum::<f64>() + self.g * s.q.iter().skip(1).step_by(2).sum::<f64>();
        if self.least == 0.0 { self.start = self.energy; self.least = f64::INFINITY; }
        let rise = self.energy - self.least;
        if rise > self.risen && rise > 1e-7 { eprintln!("t {} energy rises by {rise:e}", s.t); }
        self.risen = self.risen.max(rise);
        self.least = self.least.min(self.energy);
        let before = self.overlap;
        for i in 0..self.n {
            for x in &s.q[2 * i..2 * i + 2] { self.overlap = self.overlap.max(self.r - x).max(self.r - (1.0 - x)); }
            for j in 0..i { self.overlap = self.overlap.max(2.0 * self.r - (s.q[2 * i] - s.q[2 * j]).hypot(s.q[2 * i + 1] - s.q[2 * j + 1])); }
        }
        if self.overlap > before && self.overlap > 1e-8 { eprintln!("t {} overlap {:e}", s.t, self.overlap); }
        if s.t > self.last + 0.5 { self.last = s.t; eprintln!("t {:.3} events {} energy {}", s.t, self.events, self.energy); }
    }
}
impl Observer for Guard {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> { self.look(view); Ok(()) }
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> { self.look(view); Ok(Flow::Continue) }
    fn on_event(&mut self, view: &mut View<'_>, _: After) -> Result<(), ObserverError> { self.events += 1; self.look(view); Ok(()) }
}
fn main() {
    let arg: Vec<String> = std::env::args().collect();
    let f = |i: usize| arg[i].parse::<f64>().unwrap();
    let (n, e, tol, t_end) = (f(1) as usize, f(2), f(3), f(4));
    let mut sys = Balls::new(n, e, arg.get(5).map_or(9.81, |g| g.parse().unwrap()));
    let mut tolerances = Tolerances::relative(tol);
    tolerances.atol = Some(tol);
    let recipe = Recipe::named("dop853", "projected", Plan::new(t_end, tolerances)).unwrap();
    let start = recipe.start(&mut sys).unwrap();
    let mut guard = Guard { n, r: sys.r, g: sys.g, ..Guard::default() };
    let clock = Instant::now();
    let parts = recipe.integrator(&mut sys).unwrap();
    let mut engine = parts.engine(&mut sys, &start.rows);
    let ending = engine.run(&start.state, &start.rows, &mut guard);
    let s = clock.elapsed().as_secs_f64();
    let speed = engine.state().v.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    print!("n {n} e {e} tol {tol:e}: {} events {} steps {s:.1} s {:.2} ms each, energy {:.5} -> {:.5}, risen {:.1e} overlap {:.1e} speed {speed:.1e} t {:.3} ", guard.events, engine.stats.steps, 1e3 * s / guard.events as f64, guard.start, guard.energy, guard.risen, guard.overlap, guard.t);
    match ending { Ending::Failed(f) => println!("FAILED {:?}", f.cause), e => println!("{e:?}") }
}
