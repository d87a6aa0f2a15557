//! Models that come with the program, by name.

use linkwork_mbs::spelling::nearest;

/// A model text that comes with the program.
pub struct ModelEntry {
    /// Name on the command line; the name of the file without its ending.
    pub name: &'static str,
    /// Name of the file; its ending tells the format.
    pub file: &'static str,
    /// The text.
    pub text: &'static str,
}

impl ModelEntry {
    /// One line for lists: the first comment of the text.
    pub fn summary(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or("");
        let first = first.trim_start_matches('#').trim_start_matches("<!--");
        first.trim_end_matches("-->").trim()
    }
}

macro_rules! models {
    ($($name:literal $ending:literal),* $(,)?) => {
        &[$(ModelEntry {
            name: $name,
            file: concat!($name, $ending),
            text: include_str!(concat!("../../../models/", $name, $ending)),
        }),*]
    };
}

/// Every model text in `models/`.
pub static MODELS: &[ModelEntry] = models![
    "arm" ".urdf",
    "belt" ".toml",
    "boarding_bridge" ".toml",
    "bouncing_ball" ".toml",
    "cardan_shaft" ".toml",
    "carriage" ".toml",
    "chaplygin" ".toml",
    "clutch" ".toml",
    "coin" ".toml",
    "crane" ".toml",
    "door" ".toml",
    "egg" ".toml",
    "elastic_slider_crank" ".toml",
    "engine" ".toml",
    "flexible_arm" ".toml",
    "four_bar" ".toml",
    "gyroscope" ".toml",
    "heavy_top" ".toml",
    "hmmwv" ".toml",
    "isolator" ".toml",
    "passenger_car" ".toml",
    "peaucellier" ".toml",
    "pendulum" ".toml",
    "rolling_disc" ".toml",
    "sampled" ".toml",
    "servo" ".toml",
    "slack_rope" ".toml",
    "slider_crank" ".toml",
    "spatial_slider_crank" ".toml",
    "spherical_pendulum" ".toml",
    "springboard" ".toml",
    "squeezer" ".toml",
    "stewart" ".toml",
    "stick_slip" ".toml",
    "suspension" ".toml",
    "wheelset" ".toml",
];

/// A system of several models that comes with the program.
pub struct SystemEntry {
    /// Name on the command line; the name of the file without its ending.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

impl SystemEntry {
    /// One line for lists: the first comment of the text.
    pub fn summary(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or("");
        first.trim_start_matches('#').trim()
    }
}

macro_rules! systems {
    ($($name:literal),* $(,)?) => {
        &[$(SystemEntry {
            name: $name,
            text: include_str!(concat!("../../../models/cosim/", $name, ".toml")),
        }),*]
    };
}

macro_rules! parts {
    ($($name:literal),* $(,)?) => {
        &[$((
            concat!("parts/", $name, ".toml"),
            include_str!(concat!("../../../models/cosim/parts/", $name, ".toml")),
        )),*]
    };
}

/// Every system in `models/cosim/`.
pub static SYSTEMS: &[SystemEntry] =
    systems!["chain", "lorry", "positioning", "servo", "top", "two_mass"];

/// The models that they are made of, by the words of the system files.
static PARTS: &[(&str, &str)] = parts![
    "arm",
    "chain_1",
    "chain_2",
    "chain_3",
    "chain_4",
    "left_mass",
    "lorry_body",
    "pid",
    "regulator",
    "right_mass",
    "table",
    "top",
    "wheel",
];

/// Finds a built-in system; on failure the nearest name there is.
pub fn find_system(name: &str) -> Result<&'static SystemEntry, Option<&'static str>> {
    let found = SYSTEMS.iter().find(|s| s.name == name);
    found.ok_or_else(|| nearest(name, SYSTEMS.iter().map(|s| s.name)))
}

/// The text of a model that a built-in system names.
pub fn system_part(word: &str) -> Option<&'static str> {
    PARTS.iter().find(|p| p.0 == word).map(|p| p.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_model_file_is_listed_and_names_are_unique() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let mut endings = vec!["toml"];
        endings.extend(crate::import::IMPORTERS.iter().flat_map(|i| i.extensions));
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| endings.contains(&p.extension().and_then(|e| e.to_str()).unwrap_or("")))
            .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        let listed: BTreeSet<String> = MODELS.iter().map(|m| m.file.to_string()).collect();
        assert_eq!(files, listed);
        let names: BTreeSet<&str> = MODELS.iter().map(|m| m.name).collect();
        assert_eq!(names.len(), MODELS.len());
        assert!(MODELS.iter().all(|m| m.summary().len() > 10));
    }

    #[test]
    fn every_system_file_and_every_part_is_listed() {
        let names = |folder: &str| -> BTreeSet<String> {
            let folder = format!("{}/../../models/cosim{folder}", env!("CARGO_MANIFEST_DIR"));
            let files = std::fs::read_dir(folder)
                .unwrap()
                .map(|e| e.unwrap().path());
            let toml = files.filter(|p| p.extension().is_some_and(|e| e == "toml"));
            toml.map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
                .collect()
        };
        let systems = SYSTEMS.iter().map(|s| format!("{}.toml", s.name));
        assert_eq!(names(""), systems.collect());
        let parts = PARTS.iter().map(|p| p.0.replace("parts/", ""));
        assert_eq!(names("/parts"), parts.collect());
        assert!(SYSTEMS.iter().all(|s| s.summary().len() > 10));
    }
}
