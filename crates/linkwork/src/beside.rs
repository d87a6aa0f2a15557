//! Files that a text names: parts of systems, flexible bodies, meshes.
//!
//! A text may come from anywhere. It reaches files in its own folder and below only, links that lead out of it
//! included, and plain files only: a pipe would be waited for, a device read without end.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Largest file that is read because a text names it, bytes.
const LARGEST: u64 = 1 << 30;

/// The file that a text in this folder names; why not, where it may not be read.
pub fn locate(folder: &Path, file: &str) -> Result<PathBuf, String> {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let outside =
        || format!("`{file}` must be in the folder of the file that names it, or below it");
    if !Path::new(file).components().all(inside) {
        return Err(outside());
    }
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let path = folder.join(file);
    let words = |e: std::io::Error| format!("cannot read {}: {e}", path.display());
    let real = path.canonicalize().map_err(words)?;
    if !real.starts_with(folder.canonicalize().map_err(words)?) {
        return Err(outside());
    }
    plain(&path)?;
    Ok(path)
}

/// Refuses what is no plain file, or too large.
pub fn plain(path: &Path) -> Result<(), String> {
    let name = path.display();
    let found = fs::metadata(path).map_err(|e| format!("cannot read {name}: {e}"))?;
    match (found.is_file(), found.len() <= LARGEST) {
        (false, _) => Err(format!("{name} is not a plain file")),
        (_, false) => Err(format!(
            "{name} has {} bytes; {LARGEST} are allowed",
            found.len()
        )),
        (true, true) => Ok(()),
    }
}

/// Its bytes.
pub fn bytes(folder: &Path, file: &str) -> Result<Vec<u8>, String> {
    let path = locate(folder, file)?;
    fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// Its text, and the name it is told by.
pub fn text(folder: &Path, file: &str) -> Result<(String, String), String> {
    let path = locate(folder, file)?;
    Ok((path.display().to_string(), read_text(&path)?))
}

/// The text of a file; says in which line it is none.
pub fn read_text(path: &Path) -> Result<String, String> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|e| format!("cannot read {name}: {e}"))?;
    String::from_utf8(bytes).map_err(|e| {
        let sound = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + sound.iter().filter(|b| **b == b'\n').count();
        format!("cannot read {name}: line {line} is not text (UTF-8)")
    })
}
