//! Memory that is left, so that what will not fit is refused before it is begun.

use std::fs;

/// Share of what is left that one table may take.
const SHARE: f64 = 0.8;

/// Bytes that this program may still take, where the operating system tells: of the machine, and of a limit on its
/// addresses.
fn left() -> Option<f64> {
    let kilobytes = |file: &str, key: &str| -> Option<f64> {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|l| l.strip_prefix(key))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let machine = 1024.0 * kilobytes("/proc/meminfo", "MemAvailable:")?;
    let limit = kilobytes("/proc/self/limits", "Max address space");
    let taken = kilobytes("/proc/self/status", "VmSize:").map(|k| 1024.0 * k);
    let own = limit.zip(taken).map(|(limit, taken)| limit - taken);
    Some(own.map_or(machine, |own| own.min(machine)))
}

/// Refuses a table of numbers that does not fit into what is left, in words. Tables double while they grow.
pub(crate) fn for_numbers(rows: f64, columns: f64) -> Result<(), String> {
    let bytes = 2.0 * 8.0 * rows * columns;
    match left() {
        Some(left) if bytes > SHARE * left => Err(format!(
            "{rows} rows of {columns} channels take up to {:.1} GB of memory, and {:.1} GB are left",
            bytes / 1e9,
            left / 1e9
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(for_numbers(1e3, 10.0).is_ok());
        if left().is_some() {
            let why = for_numbers(1e15, 10.0).unwrap_err();
            assert!(why.contains("GB are left"), "{why}");
        }
    }
}
