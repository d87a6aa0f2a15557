//! Pages: where they go, and what they are about.

use crate::load::{Loaded, Origin};
use crate::render;
use linkwork::view::pages::Subject;
use linkwork::view::{Page, Source};
use std::path::{Path, PathBuf};

/// A page that is wanted.
pub struct PageFile {
    path: PathBuf,
}

impl PageFile {
    /// A page at this path, if one is wanted. What cannot be written should be known before it is
    /// computed.
    pub fn new(path: Option<&Path>) -> Result<Option<PageFile>, String> {
        let Some(path) = path else {
            return Ok(None);
        };
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
        let missing = folder.is_some_and(|f| !f.is_dir());
        if missing || path.is_dir() {
            let shown = path.display();
            let why = if missing {
                "there is no such directory"
            } else {
                "it is a directory"
            };
            return Err(render::plain(&format!("cannot write {shown}: {why}"), None));
        }
        Ok(Some(PageFile {
            path: path.to_path_buf(),
        }))
    }

    /// Writes the page; its path.
    pub fn write(&self, page: &Page) -> Result<String, String> {
        let shown = self.path.display().to_string();
        std::fs::write(&self.path, page.html())
            .map_err(|e| render::plain(&format!("cannot write {shown}: {e}"), None))?;
        Ok(shown)
    }
}

/// What a page of this model is about.
pub fn subject(loaded: &Loaded) -> Subject<'_> {
    subject_of(&loaded.origin)
}

/// The same by origin.
pub fn subject_of(origin: &Origin) -> Subject<'_> {
    match origin {
        Origin::Text {
            document, source, ..
        } => Subject {
            model: Some(&document.model),
            source: Source {
                name: source.name.clone(),
                text: source.text.clone(),
                ..Source::default()
            },
            folder: folder(&source.name),
        },
        Origin::Problem(_) => Subject::default(),
    }
}

/// Where the meshes of a model are: beside its file.
pub fn folder(file: &str) -> PathBuf {
    let file = file.strip_prefix("model text of ").unwrap_or(file);
    let file = file.strip_prefix("model text of ").unwrap_or(file);
    Path::new(file)
        .parent()
        .map_or_else(PathBuf::new, Path::to_path_buf)
}
