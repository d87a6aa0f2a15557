//! Triangles from mesh files: STL (binary and text), OBJ, glTF (`.gltf` with its buffers, `.glb`).
//!
//! Read are places of corners only; normals, colours and textures are the page's own business.

use super::base64;
use crate::beside;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Most triangles of one mesh in a page: 36 bytes each.
const MOST: usize = 200_000;

/// Where a mesh is: at its path in `folder` or below, or, for `package://NAME/REST`, at `REST` or `NAME/REST` in
/// a folder around.
pub fn locate(folder: &Path, file: &str) -> Result<PathBuf, String> {
    let Some(inner) = file.strip_prefix("package://") else {
        return beside::locate(folder, file.strip_prefix("file://").unwrap_or(file));
    };
    let rest = inner.split_once('/').map_or(inner, |(_, rest)| rest);
    let around = folder.ancestors().chain([Path::new("")]);
    let mut places = around.flat_map(|a| [(a, rest), (a, inner)]);
    let found = places.find_map(|(a, file)| beside::locate(a, file).ok());
    found.ok_or_else(|| "there is no such file in the folders around".to_string())
}

/// Corners of triangles, one after the other, as the file has them.
pub fn read(path: &Path) -> Result<Vec<[f64; 3]>, String> {
    beside::plain(path)?;
    let bytes = fs::read(path).map_err(|e| e.to_string())?;
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let corners = match ending.as_deref() {
        Some("stl") => stl(&bytes),
        Some("obj") => obj(&bytes),
        Some("glb") => glb(&bytes),
        Some("gltf") => gltf(&bytes, path.parent().unwrap_or(Path::new("")), None),
        _ => Err("meshes are STL, OBJ or glTF files".to_string()),
    }?;
    if corners.len() > 3 * MOST {
        return Err(format!(
            "it has {} triangles; {MOST} are allowed",
            corners.len() / 3
        ));
    }
    if corners.is_empty() {
        return Err("it has no triangles".into());
    }
    Ok(corners)
}

/// Corners as the page wants them.
pub(super) fn packed(corners: &[[f64; 3]], scale: f64) -> String {
    base64::floats(corners.iter().flatten().map(|x| scale * x))
}

type Corners = Result<Vec<[f64; 3]>, String>;

fn single(bytes: &[u8], at: usize) -> Option<f64> {
    let part = bytes.get(at..at + 4)?;
    Some(f64::from(f32::from_le_bytes(part.try_into().ok()?)))
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let part = bytes.get(at..at + 4)?;
    usize::try_from(u32::from_le_bytes(part.try_into().ok()?)).ok()
}

/// Binary STL is 84 bytes and 50 for each triangle; what has another length is text.
fn stl(bytes: &[u8]) -> Corners {
    let count = word(bytes, 80);
    if let Some(n) = count.filter(|n| n.checked_mul(50).is_some_and(|m| m + 84 == bytes.len())) {
        let corner = |t: usize, k: usize| {
            let at = 84 + 50 * t + 12 + 12 * k;
            Some([
                single(bytes, at)?,
                single(bytes, at + 4)?,
                single(bytes, at + 8)?,
            ])
        };
        let all = (0..n).flat_map(|t| [corner(t, 0), corner(t, 1), corner(t, 2)]);
        return all
            .collect::<Option<Vec<_>>>()
            .ok_or("it is cut short".into());
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is neither binary nor text STL")?;
    let mut corners = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.trim_start().strip_prefix("vertex") {
            corners.push(three(rest).ok_or_else(|| format!("`{}` is no corner", line.trim()))?);
        }
    }
    if !corners.len().is_multiple_of(3) {
        return Err("its triangles do not have three corners each".into());
    }
    Ok(corners)
}

fn three(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split_whitespace().map(|x| x.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// `v x y z` and `f a b c ...`: numbers from 1, or backwards from -1; faces are fans.
fn obj(bytes: &[u8]) -> Corners {
    let text = String::from_utf8_lossy(bytes);
    let (mut places, mut corners) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let wrong = || format!("`{}` is not understood", line.trim());
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let rest: Vec<&str> = words.collect();
                places.push(three(&rest.join(" ")).ok_or_else(wrong)?);
            }
            Some("f") => {
                let corner = |word: &str| {
                    let number: i64 = word.split('/').next()?.parse().ok()?;
                    let index = if number < 0 {
                        places.len() as i64 + number
                    } else {
                        number - 1
                    };
                    places.get(usize::try_from(index).ok()?).copied()
                };
                let face: Option<Vec<[f64; 3]>> = words.map(corner).collect();
                let face = face.filter(|f| f.len() >= 3).ok_or_else(wrong)?;
                for k in 1..face.len() - 1 {
                    corners.extend([face[0], face[k], face[k + 1]]);
                }
            }
            _ => {}
        }
    }
    Ok(corners)
}

/// Header, a chunk of JSON, a chunk of bytes.
fn glb(bytes: &[u8]) -> Corners {
    let parts = || -> Option<(&[u8], &[u8])> {
        if bytes.get(..4)? != b"glTF" {
            return None;
        }
        let length = word(bytes, 12)?;
        let json = bytes.get(20..20 + length)?;
        let rest = 20 + length;
        let size = word(bytes, rest).unwrap_or(0);
        Some((
            json,
            bytes.get(rest + 8..rest + 8 + size).unwrap_or_default(),
        ))
    };
    let (json, body) = parts().ok_or("it is no binary glTF")?;
    gltf(json, Path::new(""), Some(body))
}

/// The triangles of all nodes of the scene, each in its place. Rotations and scales of nodes count.
fn gltf(json: &[u8], folder: &Path, body: Option<&[u8]>) -> Corners {
    let document: serde_json::Value = serde_json::from_slice(json).map_err(|e| e.to_string())?;
    let mut reader = Gltf {
        document: &document,
        folder,
        body,
        buffers: HashMap::new(),
        corners: Vec::new(),
    };
    let list = |v: &serde_json::Value| -> Vec<u64> {
        let items = v
            .as_array()
            .map(|a| a.iter().filter_map(|x| x.as_u64()).collect());
        items.unwrap_or_default()
    };
    let chosen = document["scene"].as_u64().unwrap_or(0) as usize;
    for node in list(&document["scenes"][chosen]["nodes"]) {
        reader.node(node as usize, IDENTITY, 0)?;
    }
    Ok(reader.corners)
}

type Matrix = [[f64; 4]; 3];
const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut c = [[0.0; 4]; 3];
    for i in 0..3 {
        for j in 0..4 {
            c[i][j] = (0..3).map(|k| a[i][k] * b[k][j]).sum::<f64>();
        }
        c[i][3] += a[i][3];
    }
    c
}

struct Gltf<'a> {
    document: &'a serde_json::Value,
    folder: &'a Path,
    body: Option<&'a [u8]>,
    buffers: HashMap<usize, Vec<u8>>,
    corners: Vec<[f64; 3]>,
}

impl Gltf<'_> {
    fn node(&mut self, index: usize, parent: Matrix, depth: usize) -> Result<(), String> {
        const DEEPEST: usize = 64;
        if depth > DEEPEST {
            return Err("its nodes go round in a circle".into());
        }
        let document = self.document;
        let node = &document["nodes"][index];
        let frame = product(&parent, &placed(node));
        if let Some(mesh) = node["mesh"].as_u64() {
            let primitives = document["meshes"][mesh as usize]["primitives"].as_array();
            for primitive in primitives.into_iter().flatten() {
                // 4 is triangles
                if primitive["mode"].as_u64().unwrap_or(4) == 4 {
                    self.primitive(primitive, &frame)?;
                }
            }
        }
        for child in node["children"].as_array().into_iter().flatten() {
            let child = child.as_u64().unwrap_or(u64::MAX) as usize;
            self.node(child, frame, depth + 1)?;
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &serde_json::Value, frame: &Matrix) -> Result<(), String> {
        let places = self.accessor(&primitive["attributes"]["POSITION"], 3)?;
        let place = |i: usize| {
            let p = places.get(3 * i..3 * i + 3)?;
            Some([0, 1, 2].map(|r| frame[r][3] + (0..3).map(|k| frame[r][k] * p[k]).sum::<f64>()))
        };
        let order: Vec<usize> = if primitive["indices"].is_null() {
            (0..places.len() / 3).collect()
        } else {
            let indices = self.accessor(&primitive["indices"], 1)?;
            indices.iter().map(|x| *x as usize).collect()
        };
        for triangle in order.chunks_exact(3) {
            for i in triangle {
                self.corners
                    .push(place(*i).ok_or("an index has no corner")?);
            }
        }
        Ok(())
    }

    /// The numbers of an accessor with this many components.
    fn accessor(
        &mut self,
        index: &serde_json::Value,
        components: usize,
    ) -> Result<Vec<f64>, String> {
        let document = self.document;
        let wrong = || "it refers to what is not in it".to_string();
        let index = index.as_u64().ok_or_else(wrong)? as usize;
        let accessor = &document["accessors"][index];
        let whole = |v: &serde_json::Value| v.as_u64().unwrap_or(0) as usize;
        let (size, kind) = match accessor["componentType"].as_u64() {
            Some(5126) => (4, 'f'),
            Some(5125) => (4, 'u'),
            Some(5123) => (2, 'u'),
            Some(5121) => (1, 'u'),
            _ => return Err("an accessor has a type that places and indices cannot have".into()),
        };
        let view = &document["bufferViews"][whole(&accessor["bufferView"])];
        let begin = whole(&view["byteOffset"]) + whole(&accessor["byteOffset"]);
        let stride = match whole(&view["byteStride"]) {
            0 => size * components,
            n => n,
        };
        let buffer = self.buffer(whole(&view["buffer"]))?;
        let mut numbers = Vec::new();
        for item in 0..whole(&accessor["count"]) {
            for k in 0..components {
                let at = begin + item * stride + k * size;
                let part = buffer.get(at..at + size).ok_or_else(wrong)?;
                numbers.push(if kind == 'f' {
                    single(part, 0).ok_or_else(wrong)?
                } else {
                    part.iter()
                        .rev()
                        .fold(0.0, |x, b| 256.0 * x + f64::from(*b))
                });
            }
        }
        Ok(numbers)
    }

    fn buffer(&mut self, index: usize) -> Result<&[u8], String> {
        if !self.buffers.contains_key(&index) {
            let bytes = match self.document["buffers"][index]["uri"].as_str() {
                None => self.body.ok_or("a buffer has no place")?.to_vec(),
                Some(uri) => match uri.split_once(";base64,") {
                    Some((_, text)) => base64::decode(text).ok_or("a buffer is no base64")?,
                    None => beside::bytes(self.folder, uri)?,
                },
            };
            self.buffers.insert(index, bytes);
        }
        Ok(self.buffers.get(&index).map_or(&[], Vec::as_slice))
    }
}

/// The frame of a node in that of its parent: a matrix, or translation, rotation and scale.
fn placed(node: &serde_json::Value) -> Matrix {
    let numbers = |key: &str| -> Vec<f64> {
        let list = node[key].as_array();
        list.map_or_else(Vec::new, |a| a.iter().filter_map(|x| x.as_f64()).collect())
    };
    let m = numbers("matrix");
    if m.len() == 16 {
        // columns, one after the other
        return [0, 1, 2].map(|r| [m[r], m[4 + r], m[8 + r], m[12 + r]]);
    }
    let three = |key: &str, rest: f64| match numbers(key)[..] {
        [x, y, z] => [x, y, z],
        _ => [rest; 3],
    };
    let (t, s) = (three("translation", 0.0), three("scale", 1.0));
    let q = match numbers("rotation")[..] {
        [x, y, z, w] => [w, x, y, z],
        _ => [1.0, 0.0, 0.0, 0.0],
    };
    let column = |k: usize| {
        let mut unit = [0.0; 3];
        unit[k] = s[k];
        super::scene::turn(q, unit)
    };
    let [a, b, c] = [column(0), column(1), column(2)];
    [0, 1, 2].map(|r| [a[r], b[r], c[r], t[r]])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.5]];

    fn binary_stl() -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend(1u32.to_le_bytes());
        bytes.extend([0; 12]);
        for x in TRIANGLE.iter().flatten() {
            bytes.extend((*x as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
        bytes
    }

    fn gltf_text() -> String {
        let mut body: Vec<u8> = Vec::new();
        for x in TRIANGLE.iter().flatten() {
            body.extend((*x as f32).to_le_bytes());
        }
        body.extend([0, 0, 1, 0, 2, 0]);
        format!(
            r#"{{"scenes": [{{"nodes": [0]}}], "nodes": [{{"children": [1], "translation": [0, 0, 3]}},
                {{"mesh": 0, "scale": [2, 2, 2]}}], "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
                "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3}},
                {{"bufferView": 0, "byteOffset": 36, "componentType": 5123, "count": 3}}],
                "bufferViews": [{{"buffer": 0}}],
                "buffers": [{{"uri": "data:application/octet-stream;base64,{}"}}]}}"#,
            base64::encode(&body)
        )
    }

    #[test]
    fn every_format_gives_the_triangle() {
        assert_eq!(stl(&binary_stl()).unwrap(), TRIANGLE);
        let text = b"solid a\nfacet normal 0 0 1\nouter loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 2 0.5\nendloop\nendfacet\n";
        assert_eq!(stl(text).unwrap(), TRIANGLE);
        let text = b"# t\nv 0 0 0\nv 1 0 0\nv 0 2 .5\nvn 0 0 1\nf 1//1 2//1 -1//1\n";
        assert_eq!(obj(text).unwrap(), TRIANGLE);
        let moved = TRIANGLE.map(|p| [2.0 * p[0], 2.0 * p[1], 2.0 * p[2] + 3.0]);
        assert_eq!(
            gltf(gltf_text().as_bytes(), Path::new(""), None).unwrap(),
            moved
        );
    }

    #[test]
    fn a_quadrilateral_is_two_triangles() {
        let square = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
        assert_eq!(obj(square).unwrap().len(), 6);
    }

    #[test]
    fn damaged_files_are_refused_without_a_panic() {
        assert!(obj(b"v 0 0\n").is_err() && obj(b"v 0 0 0\nf 1 2 9\n").is_err());
        let (binary, text) = (binary_stl(), gltf_text());
        for n in 0..binary.len() {
            let _ = stl(&binary[..n]);
        }
        for n in (0..text.len()).step_by(3) {
            let _ = gltf(&text.as_bytes()[..n], Path::new(""), None);
            let _ = glb(&text.as_bytes()[..n]);
        }
        let circle = r#"{"scenes": [{"nodes": [0]}], "nodes": [{"children": [0]}]}"#;
        assert!(gltf(circle.as_bytes(), Path::new(""), None).is_err());
    }
}
