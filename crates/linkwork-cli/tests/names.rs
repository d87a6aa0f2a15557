//! A word that may mean two things is asked about.

mod binary;

use binary::{Folder, Said, command, hinged};

fn here(folder: &Folder, args: &[&str]) -> Said {
    let mut command = command(args);
    command.current_dir(&folder.0);
    command.output().expect("the program starts").into()
}

#[test]
fn a_name_that_is_built_in_and_a_file_is_not_guessed() {
    let folder = Folder::new("names");
    let text = hinged("0", "t_end = 0.1");
    for file in ["pendulum", "squeezer.toml", "two_mass.toml"] {
        folder.file(file, &text);
        let name = file.trim_end_matches(".toml");
        for args in [["run", name], ["check", name], ["cosim", name]] {
            // a system is no model
            if (args[0] == "cosim") != (name == "two_mass") {
                continue;
            }
            let said = here(&folder, &args);
            assert_eq!(said.code, Some(2), "{args:?}: {}", said.out);
            let asks = said.err.contains(&format!("builtin:{name}")) && said.err.contains(file);
            assert!(asks, "{args:?}: {}", said.err);
        }
    }
    let mine = here(&folder, &["run", "./pendulum"]);
    assert!(
        mine.out.contains("hinged: converged"),
        "{}{}",
        mine.out,
        mine.err
    );
    let built_in = here(&folder, &["run", "builtin:pendulum", "--t-end", "0.1"]);
    assert!(
        built_in.out.contains("pendulum: converged"),
        "{}{}",
        built_in.out,
        built_in.err
    );
    let system = here(&folder, &["cosim", "builtin:two_mass"]);
    assert_eq!(system.code, Some(0), "{}", system.err);
    let page = here(
        &folder,
        &["view", "builtin:two_mass", "--no-open", "--out", "p.html"],
    );
    assert_eq!(page.code, Some(0), "{}", page.err);
}

/// What is listed can be run: a problem with the name of a model would be hidden by it.
#[test]
fn models_and_problems_do_not_share_names() {
    let folder = Folder::new("listed");
    let names = |what: &str| -> Vec<String> {
        let listed = here(&folder, &["list", what]).out;
        let first = |line: &str| line.split_whitespace().next().map(String::from);
        listed.lines().filter_map(first).collect()
    };
    let (models, problems) = (names("models"), names("problems"));
    assert!(models.len() > 20 && problems.len() > 10);
    let shared: Vec<&String> = problems.iter().filter(|p| models.contains(p)).collect();
    assert!(shared.is_empty(), "{shared:?}");
}

/// A stranger's system file writes beside the results and nowhere else.
#[test]
fn a_checkpoint_that_a_system_names_stands_beside_its_results() {
    let folder = Folder::new("strange");
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/cosim");
    let text = std::fs::read_to_string(format!("{models}/two_mass.toml")).unwrap();
    std::fs::create_dir_all(folder.0.join("parts")).unwrap();
    for part in ["left_mass", "right_mass"] {
        let part = format!("parts/{part}.toml");
        std::fs::copy(format!("{models}/{part}"), folder.0.join(&part)).unwrap();
    }
    let with = |file: &str| {
        let line = format!("[simulation]\ncheckpoint = \"{file}\"");
        text.replace("[simulation]", &line)
    };
    folder.file("system.toml", &with("saved"));
    let said = here(
        &folder,
        &["cosim", "system.toml", "--out", "kept", "--quiet"],
    );
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(folder.0.join("kept/saved").is_file() && !folder.0.join("saved").exists());
    for file in ["../saved", "/tmp/linkwork-stranger"] {
        folder.file("system.toml", &with(file));
        let said = here(&folder, &["cosim", "system.toml", "--out", "kept"]);
        assert_eq!(said.code, Some(2), "{}", said.out);
        assert!(!std::path::Path::new(file).exists());
    }
}
