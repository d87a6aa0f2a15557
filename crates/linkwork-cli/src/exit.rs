//! Exit codes.

use linkwork::Verdict;

/// What the exit code of the program means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Converged, or nothing found.
    Success = 0,
    /// Degraded, failed, or findings; partial results are kept.
    Doubtful = 1,
    /// Bad input or usage, or results that cannot be written.
    BadInput = 2,
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Converged => Exit::Success,
            Verdict::Degraded | Verdict::Failed => Exit::Doubtful,
        }
    }
}
