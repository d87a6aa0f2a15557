//! Buffers that outlive a factorisation, so that choosing new pivots does not allocate.

/// Reserves space for `total` entries, present ones included.
pub(super) fn reserve<T>(list: &mut Vec<T>, total: usize) {
    list.reserve(total.saturating_sub(list.len()));
}

/// Replaces the contents by `len` times the value.
pub(super) fn refill<T: Copy>(list: &mut Vec<T>, len: usize, value: T) {
    list.clear();
    list.resize(len, value);
}

/// Replaces the contents by those of another list.
pub(super) fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}
