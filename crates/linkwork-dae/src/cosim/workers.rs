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
pub(super) struct MemberRuns<'a> {
    pub name: String,
    pub main: Mutex<Post<'a>>,
    pub twin: Option<Mutex<Post<'a>>>,
    pub tapes: [Mutex<Memory>; 2],
}

impl<'a> MemberRuns<'a> {
    pub fn new(member: Member<'a>) -> MemberRuns<'a> {
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
        MemberRuns {
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
pub(super) struct Workers<'a, 'b> {
    members: &'b [MemberRuns<'a>],
    /// The tape that holds the beginning of the step.
    current: AtomicUsize,
    /// Pieces of work: number of a member, and whether its twin.
    work: Mutex<Vec<(usize, bool)>>,
    next: AtomicUsize,
    gate: Barrier,
    over: AtomicBool,
    alone: bool,
}

impl<'a, 'b> Workers<'a, 'b> {
    /// Lets `lead` direct the members with the help of `threads - 1` further threads.
    pub fn run<R>(
        members: &'b [MemberRuns<'a>],
        threads: usize,
        lead: impl FnOnce(&Workers<'a, 'b>) -> R,
    ) -> R {
        let pieces = 2 * members.len();
        let threads = threads.clamp(1, pieces.max(1));
        let workers = Workers {
            members,
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
                        workers.gate.wait();
                        if workers.over.load(Ordering::Acquire) {
                            return;
                        }
                        workers.toil();
                        workers.gate.wait();
                    }
                });
            }
            let result = lead(&workers);
            workers.over.store(true, Ordering::Release);
            if !workers.alone {
                workers.gate.wait();
            }
            result
        })
    }

    /// The members.
    pub fn members(&self) -> &'b [MemberRuns<'a>] {
        self.members
    }

    /// The tape of a member that holds the beginning of the step.
    pub fn tape(&self, runs: &'b MemberRuns<'a>) -> &'b Mutex<Memory> {
        &runs.tapes[self.current.load(Ordering::Relaxed)]
    }

    /// The tape of a member that holds the end of the step.
    pub fn next_tape(&self, runs: &'b MemberRuns<'a>) -> &'b Mutex<Memory> {
        &runs.tapes[1 - self.current.load(Ordering::Relaxed)]
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
            for (i, runs) in self.members.iter().enumerate() {
                if round != Round::Twins {
                    work.push((i, false));
                }
                if round != Round::Mains && runs.twin.is_some() {
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
            let runs = &self.members[i];
            match (&runs.twin, twin) {
                (Some(post), true) => self.step(runs, &mut hold(post), false),
                _ => self.step(runs, &mut hold(&runs.main), true),
            }
        }
    }

    /// One macro step of one run. A panic of a foreign subsystem is a trouble like others; without
    /// this the other threads would wait for ever.
    fn step(&self, runs: &'b MemberRuns<'a>, post: &mut Post<'a>, main: bool) {
        let clock = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| {
            if post.back {
                post.sub.restore(&mut hold(self.tape(runs)))?;
            }
            post.sub.advance(post.to, &post.inputs)?;
            post.sub.motion(&mut post.motion);
            if main && runs.twin.is_some() {
                post.sub.save(&mut hold(self.next_tape(runs)));
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
