//! Arrays of numbers in NumPy's `.npz`: a zip archive of `.npy` files, stored without compression.

use std::ops::Range;

/// An array by rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub shape: Vec<usize>,
    pub values: Vec<f64>,
}

/// Names of files and where their bytes are.
type Files = Vec<(String, Range<usize>)>;

/// The files of an archive by name.
pub(super) struct Arrays<'a> {
    bytes: &'a [u8],
    files: Files,
}

/// A number of so many bytes, the lowest first.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let part = bytes.get(at..at.checked_add(size)?)?;
    let all = part.iter().rev();
    Some(all.fold(0, |n, b| n << 8 | usize::from(*b)))
}

impl<'a> Arrays<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Arrays<'a>, String> {
        let files = list(bytes).ok_or("the file is no zip archive, or is cut short")??;
        Ok(Arrays { bytes, files })
    }

    /// Whether there is such an array.
    pub fn has(&self, name: &str) -> bool {
        let file = format!("{name}.npy");
        self.files.iter().any(|(own, _)| *own == file)
    }

    pub fn get(&self, name: &str) -> Result<Array, String> {
        let file = format!("{name}.npy");
        let found = self.files.iter().find(|(own, _)| *own == file);
        let Some((_, range)) = found else {
            let all: Vec<&str> = self.files.iter().map(|(own, _)| own.as_str()).collect();
            return Err(format!(
                "there is no array `{name}`, but {}",
                all.join(", ")
            ));
        };
        let bytes = self.bytes.get(range.clone());
        let bytes = bytes.ok_or_else(|| format!("`{file}` is cut short"))?;
        parse(bytes).map_err(|why| format!("`{file}`: {why}"))
    }
}

/// The central directory: where the data of every file are. Nothing where the archive is damaged.
fn list(bytes: &[u8]) -> Option<Result<Files, String>> {
    let last = bytes.len().checked_sub(22)?;
    // a comment may stand behind the end
    let end = (0..=last.min(65_535)).map(|k| last - k);
    let end = end
        .into_iter()
        .find(|at| bytes[*at..].starts_with(b"PK\x05\x06"))?;
    let count = number(bytes, end + 10, 2)?;
    let mut at = number(bytes, end + 16, 4)?;
    let mut files = Vec::new();
    for _ in 0..count {
        if !bytes.get(at..)?.starts_with(b"PK\x01\x02") {
            return None;
        }
        let [method, name, extra, comment] = [
            number(bytes, at + 10, 2)?,
            number(bytes, at + 28, 2)?,
            number(bytes, at + 30, 2)?,
            number(bytes, at + 32, 2)?,
        ];
        let (size, place) = (number(bytes, at + 20, 4)?, number(bytes, at + 42, 4)?);
        let own = String::from_utf8_lossy(bytes.get(at + 46..at + 46 + name)?).into_owned();
        if method != 0 {
            return Some(Err(format!(
                "`{own}` is compressed: write it with numpy.savez"
            )));
        }
        let first = place + 30 + number(bytes, place + 26, 2)? + number(bytes, place + 28, 2)?;
        files.push((own, first..first.checked_add(size)?));
        at += 46 + name + extra + comment;
    }
    Some(Ok(files))
}

/// One `.npy` file of doubles.
fn parse(bytes: &[u8]) -> Result<Array, String> {
    let damaged = || "it is no array of NumPy, or is cut short".to_string();
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err(damaged());
    }
    // versions 2 and 3 have longer lengths
    let wide = if bytes.get(6) == Some(&1) { 2 } else { 4 };
    let length = number(bytes, 8, wide).ok_or_else(damaged)?;
    let first = 8 + wide;
    let head = bytes.get(first..first + length).ok_or_else(damaged)?;
    let head = String::from_utf8_lossy(head);
    if !head.contains("'<f8'") {
        return Err("its numbers are no doubles: write it as float64".into());
    }
    if head.contains("'fortran_order': True") {
        return Err("it is stored by columns: write numpy.ascontiguousarray of it".into());
    }
    let inner = head
        .split_once("'shape': (")
        .and_then(|(_, rest)| rest.split_once(')'));
    let (inner, _) = inner.ok_or_else(damaged)?;
    let words = inner.split(',').map(str::trim).filter(|w| !w.is_empty());
    let shape: Result<Vec<usize>, _> = words.map(str::parse).collect();
    let shape = shape.map_err(|_| damaged())?;
    let count = shape.iter().try_fold(1usize, |n, k| n.checked_mul(*k));
    let data = bytes.get(first + length..).unwrap_or(&[]);
    let (doubles, rest) = data.as_chunks::<8>();
    if count != Some(doubles.len()) || !rest.is_empty() {
        return Err(damaged());
    }
    Ok(Array {
        shape,
        values: doubles.iter().map(|b| f64::from_le_bytes(*b)).collect(),
    })
}
