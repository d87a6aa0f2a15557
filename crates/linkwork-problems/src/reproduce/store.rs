//! A reproduced study on disk.
//!
//! ```text
//!  DIR/table.csv      label, then a column `paper: ..` and `measured: ..` for each value
//!  DIR/FIGURE.csv     curve, x, y
//!  DIR/FIGURE.svg     the same drawn
//! ```

use super::{Figure, Study};
use linkwork::plot;
use linkwork::store::{StoreError, write};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Name of the file that holds the table.
const TABLE_FILE: &str = "table.csv";

/// Writes the table and the figures of a study; returns the paths written. The directory is made
/// when it does not exist; files of an older run are replaced.
pub fn store(study: &Study, dir: &Path) -> Result<Vec<String>, StoreError> {
    fs::create_dir_all(dir).map_err(|source| StoreError {
        path: dir.to_path_buf(),
        source,
    })?;
    let mut files = vec![TABLE_FILE.to_string()];
    write(dir, TABLE_FILE, |out| write_table(study, out))?;
    for figure in &study.figures {
        let (data, drawing) = (
            format!("{}.csv", figure.name),
            format!("{}.svg", figure.name),
        );
        write(dir, &data, |out| write_points(figure, out))?;
        write(dir, &drawing, |out| {
            out.write_all(plot::svg(figure).as_bytes())
        })?;
        files.extend([data, drawing]);
    }
    let path = |file: &String| dir.join(file).display().to_string();
    Ok(files.iter().map(path).collect())
}

fn write_table(study: &Study, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let side = |side: &str| -> Vec<String> {
        let name = |c: &&str| format!("{side}: {c}");
        study.columns.iter().map(name).collect()
    };
    csv.write_record([vec!["label".to_string()], side("paper"), side("measured")].concat())?;
    for row in &study.rows {
        let values = row.paper.iter().chain(&row.measured);
        let words = values.map(|v| v.map_or(String::new(), |v| v.to_string()));
        csv.write_record([row.label.clone()].into_iter().chain(words))?;
    }
    csv.flush()
}

fn write_points(figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["curve", &figure.x.label, &figure.y.label])?;
    for curve in &figure.curves {
        for (x, y) in &curve.points {
            csv.write_record([&curve.name, &x.to_string(), &y.to_string()])?;
        }
    }
    csv.flush()
}
