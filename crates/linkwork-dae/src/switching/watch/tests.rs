use super::*;

/// Numbers between 0 and 1.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// `cos(rate t + phase) - level`: zeros in pairs, close together where the level is near 1.
#[derive(Clone, Copy)]
struct Wave {
    rate: f64,
    phase: f64,
    level: f64,
}

impl Wave {
    fn draw(draw: &mut Draw) -> Wave {
        // pairs from half a period to a thousandth of a radian apart
        let apart = 10f64.powf(-3.0 * draw.next());
        Wave {
            rate: 1.0 + 2.0 * draw.next(),
            phase: 6.0 * draw.next(),
            level: if draw.next() < 0.5 {
                apart.cos()
            } else {
                -apart.cos()
            },
        }
    }

    fn at(&self, t: f64) -> f64 {
        (self.rate * t + self.phase).cos() - self.level
    }

    /// Zeros in an interval with their direction, in order.
    fn zeros(&self, from: f64, to: f64) -> Vec<(f64, bool)> {
        let angle = self.level.acos();
        let turn = std::f64::consts::TAU;
        let mut zeros = Vec::new();
        let first = (self.rate * from + self.phase) / turn;
        let last = (self.rate * to + self.phase) / turn;
        for k in (first.floor() as i64 - 1)..=(last.ceil() as i64 + 1) {
            for (x, rising) in [(-angle, true), (angle, false)] {
                let t = (k as f64 * turn + x - self.phase) / self.rate;
                if t > from && t <= to {
                    zeros.push((t, rising));
                }
            }
        }
        zeros
    }
}

/// Every crossing of random functions is found once, in order and to rounding, whatever the steps are.
#[test]
fn every_crossing_is_found_once_and_in_order() {
    const FUNCTIONS: usize = 4;
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let (mut total, mut close, mut evaluations, mut steps) = (0, 0, 0u64, 0u64);
    while total < 100_000 {
        let waves: [Wave; FUNCTIONS] = std::array::from_fn(|_| Wave::draw(&mut draw));
        let switches: Vec<Switch> = [Sense::Both, Sense::Both, Sense::Falling, Sense::Rising]
            .map(|sense| Switch::new("wave", sense))
            .to_vec();
        let mut watch = Watch::new(&switches);
        let fill = |t: f64, out: &mut [f64]| {
            for (o, w) in out.iter_mut().zip(&waves) {
                *o = w.at(t);
            }
        };
        watch.begin(|out| fill(0.0, out));
        let (mut t, mut found) = (0.0, Vec::new());
        while t < 200.0 {
            // up to a quarter of the fastest period: what a step of a method of high order spans
            let to = t + 0.05 + 0.45 * draw.next();
            let mut from = t;
            steps += 1;
            let mut sample = |t: f64, _: Option<usize>, out: &mut [f64]| {
                evaluations += 1;
                fill(t, out);
            };
            while let Some(at) = watch.first(from, to, &mut sample) {
                assert!(at >= from && at <= to);
                found.extend(watch.crossed().iter().map(|c| (at, c.switch, c.rising)));
                from = at;
            }
            t = to;
        }
        let mut known: Vec<(f64, usize, bool)> = (waves.iter().enumerate())
            .flat_map(|(i, w)| {
                let zeros = w.zeros(0.0, t).into_iter();
                zeros.map(move |(at, rising)| (at, i, rising))
            })
            .filter(|(_, i, rising)| switches[*i].sense.takes(*rising))
            .collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(found.len(), known.len());
        for (found, known) in found.iter().zip(&known) {
            // zeros a thousandth of a radian apart have a slope of a thousandth
            assert!((found.0 - known.0).abs() < 1e-11, "{found:?} {known:?}");
            assert_eq!((found.1, found.2), (known.1, known.2));
        }
        close += (known.windows(2))
            .filter(|w| w[1].0 - w[0].0 < 0.05)
            .count();
        total += known.len();
    }
    assert!(close > 10_000, "{close} pairs closer than a step");
    // three samples a step where nothing is near, and some twenty for each crossing
    let each = evaluations as f64 / steps as f64;
    println!("{total} crossings, {close} close pairs, {each:.1} evaluations a step");
}

fn single(sense: Sense, g: impl Fn(f64) -> f64, ends: &[f64]) -> Vec<(f64, bool)> {
    let mut watch = Watch::new(&[Switch::new("g", sense)]);
    let mut found = Vec::new();
    if watch.begin(|out| out[0] = g(ends[0])) {
        found.push((ends[0], watch.crossed()[0].rising));
    }
    for pair in ends.windows(2) {
        let mut from = pair[0];
        while let Some(t) = watch.first(from, pair[1], &mut |t, _, out: &mut [f64]| out[0] = g(t)) {
            found.push((t, watch.crossed()[0].rising));
            from = t;
        }
    }
    found
}

#[test]
fn zeros_at_the_ends_of_steps_count_once() {
    let g = |t: f64| 1.0 - t;
    for ends in [
        &[0.0, 1.0, 2.0][..],
        &[0.0, 0.5, 1.0, 1.5],
        &[0.0, 2.0],
        &[0.9, 1.0 + 1e-12, 3.0],
    ] {
        let found = single(Sense::Both, g, ends);
        assert_eq!(found.len(), 1, "{ends:?}: {found:?}");
        assert!((found[0].0 - 1.0).abs() < 1e-9 && !found[0].1, "{found:?}");
    }
}

#[test]
fn a_start_at_zero_is_no_crossing_and_a_return_is_one() {
    for ends in [&[0.0, 1.0][..], &[0.0, 1e-3, 0.1, 0.3], &[0.0, 30.0]] {
        // up and back: a ball thrown from the floor, also within a small part of the step
        for v in [0.1, 1e-2, 1e-4] {
            for sense in [Sense::Mode, Sense::Falling, Sense::Both] {
                let found = single(sense, |t| v * t - 5.0 * t * t, ends);
                let back = v / 5.0;
                assert!(!found.is_empty(), "{v} {ends:?}");
                assert!((found[0].0 - back).abs() < 1e-9, "{v} {ends:?} {found:?}");
            }
            // it rises from there, and has not been above before
            let found = single(Sense::Rising, |t| v * t - 5.0 * t * t, ends);
            assert_eq!(found, [(0.0, true)], "{v} {ends:?}");
        }
        // leaves at once
        assert!(single(Sense::Both, |t| -t, ends).is_empty());
        assert!(single(Sense::Both, |t| t * t * t, ends).is_empty());
    }
}

/// What an event makes of a function that has crossed: it may turn back at once, and come again within the next step.
#[test]
fn behind_an_event_nothing_is_missed() {
    type Course = fn(f64) -> f64;
    let falls: Course = |t| 1.0 - t;
    let arc: Course = |t| (t - 1.0) * (1.02 - t);
    let returns: Course = |t| t - 1.0;
    let leaves: Course = |t| -3.0 - t;
    for (behind, jumped, want) in [
        // thrown back up, it falls again a fiftieth of a step later
        (arc, true, &[(1.02, false)][..]),
        // thrown back up for good
        (returns, true, &[]),
        // an event that changes nothing but accelerations
        (returns, false, &[(1.0, true)]),
        // thrown further down
        (leaves, true, &[]),
    ] {
        let mut watch = Watch::new(&[Switch::new("g", Sense::Both)]);
        watch.begin(|out| out[0] = falls(0.0));
        let first = watch.first(0.0, 2.0, &mut |t, _, out: &mut [f64]| out[0] = falls(t));
        assert!((first.unwrap() - 1.0).abs() < 1e-12);
        watch.place(|out| out[0] = falls(1.0));
        assert!(!watch.settle(jumped, |out| out[0] = behind(1.0)));
        let mut found = Vec::new();
        let mut from = 1.0;
        while let Some(t) = watch.first(from, 2.0, &mut |t, _, out: &mut [f64]| out[0] = behind(t))
        {
            found.push((t, watch.crossed()[0].rising));
            from = t;
        }
        assert_eq!(found.len(), want.len(), "{found:?} {want:?}");
        for (got, want) in found.iter().zip(want) {
            assert!(
                (got.0 - want.0).abs() < 1e-9 && got.1 == want.1,
                "{found:?}"
            );
        }
    }
}

#[test]
fn a_mode_that_does_not_last_is_told_at_once() {
    assert_eq!(single(Sense::Mode, |t| -1.0 - t, &[0.0, 1.0])[0].0, 0.0);
    assert_eq!(single(Sense::Mode, |t| -t, &[0.0, 1.0])[0].0, 0.0);
    assert!(single(Sense::Falling, |t| -1.0 - t, &[0.0, 1.0]).is_empty());
}

#[test]
fn grazing_is_no_crossing_and_a_shallow_dip_is_two() {
    let at = |depth: f64| {
        single(
            Sense::Both,
            move |t| (t - 0.43).powi(2) - depth,
            &[0.0, 0.3, 0.7, 1.0],
        )
    };
    assert!(at(-1e-12).is_empty());
    assert!(at(1e-12).is_empty());
    for depth in [1e-8, 1e-6, 1e-3] {
        let found = at(depth);
        assert_eq!(found.len(), 2, "{depth}: {found:?}");
        assert!(!found[0].1 && found[1].1);
    }
}

#[test]
fn functions_out_of_use_and_without_a_value_are_passed_over() {
    assert!(single(Sense::Both, |_| f64::INFINITY, &[0.0, 1.0]).is_empty());
    assert!(single(Sense::Both, |_| f64::NAN, &[0.0, 1.0]).is_empty());
    assert!(single(Sense::Both, |t| (0.5 - t).sqrt(), &[0.0, 1.0]).is_empty());
}

#[test]
fn simultaneous_zeros_are_one_event() {
    let mut watch = Watch::new(&[
        Switch::new("a", Sense::Both),
        Switch::new("b", Sense::Both),
        Switch::new("c", Sense::Both),
    ]);
    let fill = |t: f64, out: &mut [f64]| {
        out[0] = 0.3 - t;
        out[1] = 5.0 * (t - 0.3) * (1.0 + t);
        out[2] = 0.4 - t;
    };
    watch.begin(|out| fill(0.0, out));
    let mut sample = |t: f64, _: Option<usize>, out: &mut [f64]| fill(t, out);
    let first = watch.first(0.0, 1.0, &mut sample).unwrap();
    assert_eq!(watch.crossed().len(), 2);
    assert!((first - 0.3).abs() < 1e-13);
    let second = watch.first(first, 1.0, &mut sample).unwrap();
    assert!((second - 0.4).abs() < 1e-13);
    assert_eq!(watch.crossed().len(), 1);
    assert_eq!(watch.first(second, 1.0, &mut sample), None);
}

#[test]
fn a_jump_over_zero_is_a_crossing() {
    let mut watch = Watch::new(&[Switch::new("v", Sense::Both)]);
    assert!(!watch.begin(|out| out[0] = 1.0));
    assert!(watch.settle(true, |out| out[0] = -0.5));
    assert!(!watch.crossed()[0].rising);
    assert!(!watch.settle(true, |out| out[0] = -0.5));
}

/// A force that is hardly there behind an event, and goes: it crosses where it is gone. At the event itself nothing
/// would have changed, and it would cross there again and again.
#[test]
fn what_begins_above_rounding_lasts_until_it_is_gone() {
    let mut watch = Watch::new(&[Switch::new("force", Sense::Mode)]);
    watch.begin(|out| out[0] = 1e3);
    let fall = |t: f64| 1e3 * (1.0 - t);
    let found = watch.first(0.0, 2.0, &mut |t, _, out| out[0] = fall(t));
    assert!((found.unwrap() - 1.0).abs() < 1e-12);
    // within the band of what was that large
    assert!(!watch.settle(false, |out| out[0] = 1e-8));
    let found = watch.first(1.0, 2.0, &mut |t, _, out| out[0] = 1e-8 - (t - 1.0));
    assert!((found.unwrap() - 1.0 - 1e-8).abs() < 1e-12, "{found:?}");
}
