//! Processor time of repeated calls.
//!
//! A busy machine makes calls slower and never faster: the smallest time is that of the program, and
//! the median beside it tells how busy the machine was.
#![allow(dead_code)]

use std::time::Instant;

/// Smallest time and median, in microseconds.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    pub smallest: f64,
    pub median: f64,
}

/// Time of one call, over about `seconds` of repetitions.
pub fn time(seconds: f64, mut call: impl FnMut()) -> Time {
    let started = Instant::now();
    call();
    let once = started.elapsed().as_secs_f64().max(1e-8);
    // the clock itself takes 25 ns
    let inner = (2e-5 / once).clamp(1.0, 200.0) as usize;
    let mut all = Vec::new();
    let whole = Instant::now();
    while whole.elapsed().as_secs_f64() < seconds || all.len() < 3 {
        let started = Instant::now();
        for _ in 0..inner {
            call();
        }
        all.push(1e6 * started.elapsed().as_secs_f64() / inner as f64);
    }
    all.sort_by(f64::total_cmp);
    Time {
        smallest: all[0],
        median: all[all.len() / 2],
    }
}

/// Seconds that this thread has run, where the system tells; else those of the clock.
pub fn processor_seconds(clock: &Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = told
        .ok()
        .and_then(|t| t.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| clock.elapsed().as_secs_f64(), |n| 1e-9 * n)
}
