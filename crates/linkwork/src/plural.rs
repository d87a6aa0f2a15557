//! Counts in words: one of a thing is not many of it.

use std::fmt::Display;

/// "1 body", "2 bodies", "0 bodies".
pub fn count<N: Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    let word = if n == N::from(1) { one } else { many };
    format!("{n} {word}")
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_not_many() {
        assert_eq!(count(0usize, "body", "bodies"), "0 bodies");
        assert_eq!(count(1u64, "body", "bodies"), "1 body");
        assert_eq!(count(21u32, "body", "bodies"), "21 bodies");
    }
}
