//! Jobs on several threads; answers in the order of the jobs, whoever was first.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Answers of `work` for all jobs.
pub(super) fn all<T: Sync, R: Send>(
    jobs: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let serve = || {
        let mut own = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            match jobs.get(i) {
                Some(job) => own.push((i, work(job))),
                None => return own,
            }
        }
    };
    let threads = threads.clamp(1, jobs.len().max(1));
    let mut answers: Vec<(usize, R)> = if threads == 1 {
        serve()
    } else {
        std::thread::scope(|scope| {
            let crew: Vec<_> = (0..threads).map(|_| scope.spawn(serve)).collect();
            let joined = crew.into_iter().map(|one| match one.join() {
                Ok(own) => own,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.flatten().collect()
        })
    };
    answers.sort_by_key(|(i, _)| *i);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn answers_come_in_the_order_of_the_jobs() {
        let jobs: Vec<u64> = (0..50).collect();
        // the first ones take longest
        let slow = |job: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(50 * (50 - job)));
            job * job
        };
        let squares: Vec<u64> = jobs.iter().map(|j| j * j).collect();
        for threads in [1, 3, 100] {
            assert_eq!(all(&jobs, threads, slow), squares);
        }
        assert!(all(&[], 2, slow).is_empty());
    }
}
