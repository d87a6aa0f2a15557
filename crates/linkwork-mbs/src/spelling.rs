//! The word somebody probably meant.

/// Edit distance in which swapping two neighbours counts once (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let differ = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + differ);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

/// The candidate nearest to `word`, if one is near enough to be worth suggesting.
/// Case is ignored; of equally near ones the first wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |s: &str| s.to_lowercase().chars().collect::<Vec<char>>();
    let word = fold(word);
    // Long inputs are no misspellings, and the distance costs their product.
    if word.is_empty() || word.len() > 64 {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let folded = fold(candidate);
        let d = distance(&word, &folded);
        // of short words more than half must be right: `rk45` is no `rkc2`
        let length = word.len().max(folded.len());
        if d <= length.div_ceil(3) && 2 * d < length && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, candidate));
        }
    }
    best.map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_refuses_strangers() {
        let words = ["mass", "inertia", "position", "angle"];
        assert_eq!(nearest("mas", words), Some("mass"));
        assert_eq!(nearest("interia", words), Some("inertia"));
        assert_eq!(nearest("Angel", words), Some("angle"));
        assert_eq!(nearest("colour", words), None);
        assert_eq!(nearest("rk45", ["rkc2", "rock4"]), None);
        assert_eq!(nearest("", words), None);
    }
}
