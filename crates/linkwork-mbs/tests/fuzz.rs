//! No model text, however damaged, makes the reader, the assembly or an evaluation panic.
//!
//! `FUZZ_TEXTS=1000000 cargo test --release -p linkwork-mbs --test fuzz` runs a longer search;
//! `FUZZ_SEED` starts it elsewhere.

mod mutation;

use mutation::{Dice, Reached, corpus, damaged, swallow};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(default)
}

#[test]
fn damaged_texts_never_panic() {
    let texts = number("FUZZ_TEXTS", 4000);
    let seed = number("FUZZ_SEED", 1);
    let corpus = corpus();
    assert!(corpus.len() > 10, "the models are missing");
    let mut counts = [0u64; 3];
    for i in 0..texts {
        let mut dice = Dice::new(seed.wrapping_add(i));
        let text = damaged(&corpus, &mut dice);
        match catch_unwind(AssertUnwindSafe(|| swallow(&text))) {
            Ok(reached) => counts[reached as usize] += 1,
            Err(_) => panic!("text {i} of seed {seed}:\n{text}"),
        }
    }
    let [text, model, equations] = counts;
    println!("{text} refused as text, {model} as models, {equations} evaluated");
    // A search that never gets past the parser finds nothing: at least a tenth must be evaluated.
    assert!(equations * 10 > texts, "{counts:?}");
    assert_eq!(Reached::Equations as usize, 2);
}
