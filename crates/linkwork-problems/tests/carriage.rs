//! The railway carriage as a model beside the same carriage written by hand.
//!
//! Bodies and suspensions are the same. The system by hand has an approximate contact, other profiles and linear
//! creep, so that wheelsets run some millimetres beside those of the model; what the car does hardly depends on it.

use linkwork::mbs::text;
use linkwork::options::Outputs;
use linkwork::{Options, Run, Simulation, Verdict};
use linkwork_problems::train::{Declared, Train};

fn options() -> Options {
    Options {
        t_end: Some(6.0),
        method: Some("bdf".into()),
        rtol: Some(1e-5),
        outputs: Some(Outputs::Uniform(60)),
        ..Options::default()
    }
}

fn model() -> Run {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/carriage.toml");
    let document = text::read(&std::fs::read_to_string(path).unwrap()).unwrap();
    let run = Simulation::from_document_with(&document, options());
    run.unwrap().run().unwrap()
}

fn by_hand() -> Run {
    let train = Box::new(Train::new(Declared::Topology));
    Simulation::new(train).options(options()).run().unwrap()
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |l, x| l.max(x.abs()))
}

#[test]
fn the_model_moves_as_the_carriage_by_hand() {
    let (model, hand) = (model(), by_hand());
    assert_eq!(model.verdict, Verdict::Converged);
    assert_eq!(model.times(), hand.times());
    for (name, share) in [
        ("car.y", 1e-3),
        ("car.yaw", 0.02),
        ("car.roll", 0.08),
        ("front_bogie.y", 2e-3),
        ("rear_bogie.yaw", 0.05),
    ] {
        let [seen, wanted] = [&model, &hand].map(|run| run.channel(name).unwrap());
        let size = largest(wanted.iter().copied());
        let apart = largest(seen.iter().zip(wanted).map(|(a, b)| a - b));
        assert!(apart < share * size, "{name}: {apart:.3e} of {size:.3e}");
    }
    // the rails carry the weight, in the curve not all wheels alike
    let weight = 9.81 * (32000.0 + 2.0 * 2615.0 + 4.0 * 1813.0);
    let wheels =
        (1..=4).flat_map(|k| ["left", "right"].map(|s| format!("wheelset{k}_{s}.reaction.z")));
    let loads: Vec<&[f64]> = wheels.map(|w| run_channel(&model, &w)).collect();
    let at = |row: usize| loads.iter().map(move |l| l[row].abs());
    // creep across, which the spin of inclined wheels makes, carries a little of it
    let carried = at(0).sum::<f64>() / weight;
    assert!((carried - 1.0).abs() < 0.02, "{carried}");
    for row in 0..model.times().len() {
        assert!(at(row).all(|load| load > 0.5 * weight / 8.0), "row {row}");
    }
}

fn run_channel<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.channel(name)
        .unwrap_or_else(|| panic!("no channel {name}"))
}
