//! Subsystems on threads. Everyone takes the next piece of work that nobody has taken; which thread
//! does what leaves no trace in the results, since pieces share nothing but tapes that nobody writes
//! while others read.

use super::{Member, Motion, Polynomial, Subsystem, Trouble, Why};
use crate::memory::Memory;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// One of the two runs of a subsystem.
pub(super) struct Post<'a> {
    pub sub: Box<dyn Subsystem + 'a>,
    /// The macro step to be made: its end and the courses of the inputs.
    pub to: f64,
    pub inputs: Vec<Polynomial>,
    /// Whether it has to go back to the beginning of the step first.
    pub back: bool,
    pub motion: Motion,
    pub result: Result<(), Trouble>,
    pub seconds: f64,
}

/// A member with its two runs and its tapes: the beginning of the step and its end, by turns.
pub(super) struct Station<'a> {
    pub name: String,
    pub main: Mutex<Post<'a>>,
    pub twin: Option<Mutex<Post<'a>>>,
    pub tapes: [Mutex<Memory>; 2],
}

impl<'a> Station<'a> {
    pub fn new(member: Member<'a>) -> Station<'a> {
        let post = |sub: Box<dyn Subsystem + 'a>| {
            let (positions, rates) = sub.sizes();
            Mutex::new(Post {
                inputs: vec![Polynomial::default(); sub.inputs()],
                sub,
                to: 0.0,
                back: false,
                motion: Motion::new(positions, rates),
                result: Ok(()),
                seconds: 0.0,
            })
        };
        Station {
            name: member.name,
            main: post(member.main),
            twin: member.twin.map(post),
            tapes: [Mutex::new(Memory::writing()), Mutex::new(Memory::writing())],
        }
    }
}

/// A lock whose holder cannot have left a mess: panics are caught inside.
pub(super) fn hold<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is to be done in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    Mains,
    Twins,
    Both,
}

/// The members and those who work on them.
pub(super) struct Crew<'a, 'b> {
    stations: &'b [Station<'a>],
    /// The tape that holds the beginning of the step.
    current: AtomicUsize,
    /// Pieces of work: station, and whether its twin.
    work: Mutex<Vec<(usize, bool)>>,
    next: AtomicUsize,
    gate: Barrier,
    over: AtomicBool,
    alone: bool,
}

impl<'a, 'b> Crew<'a, 'b> {
    /// Lets `lead` direct the members with the help of `threads - 1` further threads.
    pub fn run<R>(
        stations: &'b [Station<'a>],
        threads: usize,
        lead: impl FnOnce(&Crew<'a, 'b>) -> R,
    ) -> R {
        let pieces = 2 * stations.len();
        let threads = threads.clamp(1, pieces.max(1));
        let crew = Crew {
            stations,
            current: AtomicUsize::new(0),
            work: Mutex::new(Vec::with_capacity(pieces)),
            next: AtomicUsize::new(0),
            gate: Barrier::new(threads),
            over: AtomicBool::new(false),
            alone: threads == 1,
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| {
                    loop {
                        crew.gate.wait();
                        if crew.over.load(Ordering::Acquire) {
                            return;
                        }
                        crew.toil();
                        crew.gate.wait();
                    }
                });
            }
            let result = lead(&crew);
            crew.over.store(true, Ordering::Release);
            if !crew.alone {
                crew.gate.wait();
            }
            result
        })
    }

    /// The members.
    pub fn stations(&self) -> &'b [Station<'a>] {
        self.stations
    }

    /// The tape of a member that holds the beginning of the step.
    pub fn tape(&self, station: &'b Station<'a>) -> &'b Mutex<Memory> {
        &station.tapes[self.current.load(Ordering::Relaxed)]
    }

    /// The tape of a member that holds the end of the step.
    pub fn next_tape(&self, station: &'b Station<'a>) -> &'b Mutex<Memory> {
        &station.tapes[1 - self.current.load(Ordering::Relaxed)]
    }

    /// The end of the step becomes the beginning of the next.
    pub fn turn(&self) {
        let current = self.current.load(Ordering::Relaxed);
        self.current.store(1 - current, Ordering::Relaxed);
    }

    /// Does a round; everything is done when it returns.
    pub fn round(&self, round: Round) {
        {
            let mut work = hold(&self.work);
            work.clear();
            for (i, station) in self.stations.iter().enumerate() {
                if round != Round::Twins {
                    work.push((i, false));
                }
                if round != Round::Mains && station.twin.is_some() {
                    work.push((i, true));
                }
            }
            self.next.store(0, Ordering::Relaxed);
        }
        if self.alone {
            self.toil();
        } else {
            self.gate.wait();
            self.toil();
            self.gate.wait();
        }
    }

    fn toil(&self) {
        loop {
            let k = self.next.fetch_add(1, Ordering::Relaxed);
            let Some((i, twin)) = hold(&self.work).get(k).copied() else {
                return;
            };
            let station = &self.stations[i];
            match (&station.twin, twin) {
                (Some(post), true) => self.step(station, &mut hold(post), false),
                _ => self.step(station, &mut hold(&station.main), true),
            }
        }
    }

    /// One macro step of one run. A panic of a foreign subsystem is a trouble like others; without
    /// this the other threads would wait for ever.
    fn step(&self, station: &'b Station<'a>, post: &mut Post<'a>, main: bool) {
        let clock = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| {
            if post.back {
                post.sub.restore(&mut hold(self.tape(station)))?;
            }
            post.sub.advance(post.to, &post.inputs)?;
            post.sub.motion(&mut post.motion);
            if main && station.twin.is_some() {
                post.sub.save(&mut hold(self.next_tape(station)));
            }
            Ok(())
        }));
        post.result = done.unwrap_or_else(|_| {
            Err(Trouble {
                t: post.to,
                why: Why::Told("it panicked".into()),
            })
        });
        if post.result.is_ok() {
            let values = post.motion.q.iter().chain(&post.motion.v);
            if let Some(i) = values.into_iter().position(|x| !x.is_finite()) {
                let what = format!("entry {i} of its state");
                post.result = Err(Trouble {
                    t: post.to,
                    why: Why::NotFinite { what },
                });
            }
        }
        post.seconds += clock.elapsed().as_secs_f64();
    }
}
