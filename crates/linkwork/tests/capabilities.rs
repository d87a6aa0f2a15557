//! What a system can do does not depend on the coordinates in which it is told, and its facts fit its size.

use linkwork::dae::system::{Facts, System};
use linkwork::mbs::text;
use linkwork::mbs::tree::{Explicit, JointCoordinates};
use std::path::PathBuf;

/// Everything that a wrapper must not lose, by name; forward dynamics may come along with a tree.
fn capabilities(sys: &mut dyn System) -> Vec<(&'static str, bool)> {
    vec![
        ("time events", sys.time_events().is_some()),
        ("switching", sys.switching().is_some()),
        ("inputs", sys.inputs().is_some()),
        ("excitations", sys.excitations().is_some()),
        ("bodies", sys.bodies().is_some()),
        ("energy", {
            let s = linkwork::dae::state::State::new(sys.dims());
            sys.energy(&s).is_some()
        }),
    ]
}

fn assert_sound(what: &str, sys: &mut dyn System) {
    assert_eq!(
        sys.chart().is_some(),
        sys.chart_mut().is_some(),
        "{what}: a chart can be read and moved, or neither"
    );
    assert_eq!(
        sys.stage_form().is_some(),
        sys.stage_form_mut().is_some(),
        "{what}: a stage form can be read and evaluated, or neither"
    );
    let Facts {
        dims,
        scale,
        reference,
        scale_x,
        differential,
        guess,
        ..
    } = sys.facts();
    let lengths = [
        (scale.len(), dims.nq),
        (reference.len(), dims.nq),
        (scale_x.len(), dims.nx),
        (differential.len(), dims.nx),
        (guess.q.len(), dims.nq),
        (guess.v.len(), dims.nv),
        (guess.weight_q.len(), dims.nq),
        (guess.weight_v.len(), dims.nv),
        (guess.x.len(), dims.nx),
    ];
    for (k, (is, should)) in lengths.into_iter().enumerate() {
        assert_eq!(is, should, "{what}, list {k}");
    }
}

#[test]
fn no_wrapper_loses_a_capability() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).expect("the folder of models");
    let mut count = 0;
    for file in files.map(|f| f.expect("readable").path()) {
        if file.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let name = file.display().to_string();
        let source = std::fs::read_to_string(&file).expect("readable");
        // a system of several models is none itself
        let Ok(document) = text::read(&source) else {
            continue;
        };
        let mut plain = linkwork::mbs::system(&document.model).expect("sound");
        assert_sound(&name, &mut *plain);
        let expected = capabilities(&mut *plain);
        let Ok(mut joints) = JointCoordinates::new(&document.model, &[]) else {
            continue;
        };
        count += 1;
        assert_sound(&name, &mut joints);
        assert_eq!(capabilities(&mut joints), expected, "{name} in joints");
        let inner = joints.facts().clone();
        assert_eq!(inner.channels, plain.facts().channels, "{name}");
        assert_eq!(inner.inputs, plain.facts().inputs, "{name}");
        let Ok(mut explicit) = Explicit::new(joints) else {
            continue;
        };
        assert_sound(&name, &mut explicit);
        assert_eq!(capabilities(&mut explicit), expected, "{name}, explicit");
        let sys: &mut dyn System = &mut explicit;
        let form = sys.stage_form_mut().expect("a stage form");
        assert_eq!(capabilities(form), expected, "{name}, its stage form");
        assert_eq!(form.facts().names, inner.names, "{name}");
    }
    assert!(count >= 10, "only {count} models in joint coordinates");
}
