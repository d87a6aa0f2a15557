//! NumPy archives: a zip of uncompressed `.npy` files.
//!
//! ```text
//!  zip     { local header, name, data } ...  { central header, name } ...  end record
//!  .npy    "\x93NUMPY" 1 0, header length, "{'descr': '<f8', ...}" padded to 64, doubles
//! ```
//!
//! Stored, not deflated: doubles of a motion hardly shrink. Dates are fixed, so equal results are
//! equal files. Bad at: archives of 4 GiB and more, which are refused (zip64 is not written).

use super::{Table, stream};
use std::fs::File;
use std::io::{self, Error, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// 1 January 1980 in the packed form of MS-DOS: the first date a zip can hold.
const DATE: u16 = 0x21;
/// Version 2.0 of the format: stored entries.
const VERSION: u16 = 20;
/// Names are UTF-8.
const FLAGS: u16 = 0x800;

/// Name of the file.
pub(crate) const FILE: &str = "table.npz";
/// Numbers that are turned round at a time.
const BLOCK: usize = 1 << 21;

/// Turns a file of rows into an archive, in memory that does not grow with it. `names` are those of the columns
/// behind the times.
pub(crate) fn of_rows<'a>(
    rows: &Path,
    names: impl Iterator<Item = &'a str>,
    archive: &Path,
) -> io::Result<()> {
    let (mut numbers, columns, count) = stream::numbers(rows)?;
    let names: Vec<String> = std::iter::once("t")
        .chain(names)
        .map(|n| format!("{n}.npy"))
        .collect();
    if names.len() != columns {
        let why = format!("it has {columns} columns, not {}", names.len());
        return Err(Error::new(ErrorKind::InvalidData, why));
    }
    let head = npy_header(count);
    // where entries are is known before their sums are
    let size = head.len() + 8 * count;
    let mut starts = Vec::with_capacity(columns);
    let mut offset = 0;
    for name in &names {
        starts.push(offset);
        offset += LOCAL + name.len() + size;
    }
    let beside = archive.with_extension("npz.part");
    let mut out = File::create(&beside)?;
    let mut sums = vec![crc_of(!0, &head); columns];
    for (start, name) in starts.iter().zip(&names) {
        out.seek(SeekFrom::Start((start + LOCAL + name.len()) as u64))?;
        out.write_all(&head)?;
    }
    let block = (BLOCK / columns).max(1);
    let mut turned = vec![Vec::with_capacity(8 * block); columns];
    let mut word = [0; 8];
    let mut done = 0;
    while done < count {
        let some = block.min(count - done);
        turned.iter_mut().for_each(Vec::clear);
        for _ in 0..some {
            for column in &mut turned {
                numbers.read_exact(&mut word)?;
                column.extend_from_slice(&word);
            }
        }
        for (k, column) in turned.iter().enumerate() {
            sums[k] = crc_of(sums[k], column);
            let place = starts[k] + LOCAL + names[k].len() + head.len() + 8 * done;
            out.seek(SeekFrom::Start(place as u64))?;
            out.write_all(column)?;
        }
        done += some;
    }
    let mut directory = Directory::default();
    for ((start, name), sum) in starts.iter().zip(&names).zip(sums) {
        let local = directory.entry(name, !sum, size, *start)?;
        out.seek(SeekFrom::Start(*start as u64))?;
        out.write_all(&local)?;
    }
    out.seek(SeekFrom::Start(offset as u64))?;
    out.write_all(&directory.end(offset)?)?;
    drop(out);
    std::fs::rename(&beside, archive)
}

/// Length of a local header before the name.
const LOCAL: usize = 30;

/// What stands behind the entries of an archive.
#[derive(Default)]
struct Directory {
    bytes: Vec<u8>,
    count: usize,
}

impl Directory {
    /// Adds an entry with this sum and size at this place; its local header.
    fn entry(&mut self, name: &str, sum: u32, size: usize, offset: usize) -> io::Result<Vec<u8>> {
        let entry = entry_fields(name, sum, size)?;
        self.bytes.extend_from_slice(b"PK\x01\x02");
        self.bytes.extend_from_slice(&VERSION.to_le_bytes());
        self.bytes.extend_from_slice(&entry);
        // comment, disk, two attribute words
        self.bytes.extend_from_slice(&[0; 10]);
        self.bytes.extend_from_slice(&size32(offset)?.to_le_bytes());
        self.bytes.extend_from_slice(name.as_bytes());
        self.count += 1;
        Ok([&b"PK\x03\x04"[..], &entry, name.as_bytes()].concat())
    }

    /// The directory as it stands at this place.
    fn end(mut self, offset: usize) -> io::Result<Vec<u8>> {
        let size = size32(self.bytes.len())?;
        let count = u16::try_from(self.count).map_err(|_| too_large())?;
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend_from_slice(&count.to_le_bytes());
        self.bytes.extend_from_slice(&count.to_le_bytes());
        self.bytes.extend_from_slice(&size.to_le_bytes());
        self.bytes.extend_from_slice(&size32(offset)?.to_le_bytes());
        self.bytes.extend_from_slice(&[0, 0]);
        Ok(self.bytes)
    }
}

/// Writes one array per channel, and `t`.
pub(super) fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let columns = table.channels().iter().map(|c| c.name.as_str());
    let names = std::iter::once("t").chain(columns);
    let values = std::iter::once(table.times()).chain(table.columns().iter().map(Vec::as_slice));
    let mut offset = 0usize;
    let mut directory = Directory::default();
    for (name, values) in names.zip(values) {
        let name = format!("{name}.npy");
        let data = npy(values);
        let local = directory.entry(&name, crc32(&data), data.len(), offset)?;
        out.write_all(&local)?;
        out.write_all(&data)?;
        offset += local.len() + data.len();
    }
    out.write_all(&directory.end(offset)?)?;
    out.flush()
}

/// What the local and the central header of an entry have in common.
fn entry_fields(name: &str, sum: u32, size: usize) -> io::Result<Vec<u8>> {
    let size = size32(size)?.to_le_bytes();
    let name_length = u16::try_from(name.len()).map_err(|_| too_large())?;
    Ok([
        &VERSION.to_le_bytes()[..],
        &FLAGS.to_le_bytes(),
        // stored; midnight
        &[0; 4],
        &DATE.to_le_bytes(),
        &sum.to_le_bytes(),
        &size,
        &size,
        &name_length.to_le_bytes(),
        // no extra field
        &[0; 2],
    ]
    .concat())
}

fn size32(n: usize) -> io::Result<u32> {
    u32::try_from(n).map_err(|_| too_large())
}

fn too_large() -> Error {
    Error::new(
        ErrorKind::InvalidData,
        "the table is too large for an npz file; use csv or fewer output points",
    )
}

fn npy(values: &[f64]) -> Vec<u8> {
    let mut data = npy_header(values.len());
    data.reserve(8 * values.len());
    for value in values {
        data.extend_from_slice(&value.to_le_bytes());
    }
    data
}

fn npy_header(count: usize) -> Vec<u8> {
    const PREFIX: usize = 10;
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({count},), }}");
    while !(PREFIX + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut data = Vec::with_capacity(PREFIX + header.len());
    data.extend_from_slice(b"\x93NUMPY\x01\x00");
    data.extend_from_slice(&(header.len() as u16).to_le_bytes());
    data.extend_from_slice(header.as_bytes());
    data
}

/// Checksum of zip: reflected polynomial 0xEDB88320.
fn crc32(data: &[u8]) -> u32 {
    !crc_of(!0, data)
}

/// The same over pieces: begins with all bits set, ends with all of them turned.
fn crc_of(sum: u32, data: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut c = i as u32;
            let mut bit = 0;
            while bit < 8 {
                c = if c & 1 == 1 {
                    0xEDB8_8320 ^ (c >> 1)
                } else {
                    c >> 1
                };
                bit += 1;
            }
            table[i] = c;
            i += 1;
        }
        table
    };
    data.iter().fold(sum, |c, b| {
        TABLE[((c ^ u32::from(*b)) & 0xFF) as usize] ^ (c >> 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::system::Channel;

    #[test]
    fn checksum_of_the_standard_example() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn headers_are_padded_and_offsets_point_at_entries() {
        let mut table = Table::new(&[Channel::new("crank.angle", "rad")]);
        table.push(0.0, &[1.5]);
        table.push(0.1, &[2.5]);
        let mut bytes = Vec::new();
        write(&table, &mut bytes).unwrap();
        let end = bytes.len() - 22;
        assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
        };
        let central = word(end + 16);
        assert_eq!(&bytes[central..central + 4], b"PK\x01\x02");
        let second = central + 46 + "t.npy".len();
        assert_eq!(&bytes[second..second + 4], b"PK\x01\x02");
        let local = word(second + 42);
        assert_eq!(&bytes[local..local + 4], b"PK\x03\x04");
        let data = local + 30 + "crank.angle.npy".len();
        assert_eq!(&bytes[data..data + 6], b"\x93NUMPY");
        assert_eq!(&bytes[data + 128..data + 136], &1.5f64.to_le_bytes());
    }
}
