//! NumPy archives: a zip of uncompressed `.npy` files.
//!
//! ```text
//!  zip     { local header, name, data } ...  { central header, name } ...  end record
//!  .npy    "\x93NUMPY" 1 0, header length, "{'descr': '<f8', ...}" padded to 64, doubles
//! ```
//!
//! Stored, not deflated: doubles of a motion hardly shrink. Dates are fixed, so equal results are
//! equal files. Places and counts beyond 32 and 16 bits are told as zip64 does; a single column of 4 GiB is refused.

use super::rows::Rows;
use std::fs::File;
use std::io::{self, Error, ErrorKind, Seek, SeekFrom, Write};

/// 1 January 1980 in the packed form of MS-DOS: the first date a zip can hold.
const DATE: u16 = 0x21;
/// Version 2.0 of the format: stored entries.
const VERSION: u16 = 20;
/// Version 4.5: numbers of 64 bits.
const VERSION_64: u16 = 45;
/// Names are UTF-8.
const FLAGS: u16 = 0x800;

/// Name of the file.
pub(super) const FILE: &str = "table.npz";

/// Writes one array per channel, and `t`, in memory that does not grow with them.
pub(super) fn write(rows: &mut Rows<'_>, out: &mut File) -> io::Result<()> {
    let names: Vec<String> = rows.names().map(|n| format!("{n}.npy")).collect();
    let head = npy_header(rows.count());
    // where entries are is known before their sums are
    let size = (head.len() + 8 * rows.count()) as u64;
    let mut starts = Vec::with_capacity(names.len());
    let mut offset = 0;
    for name in &names {
        starts.push(offset);
        offset += (LOCAL + name.len()) as u64 + size;
    }
    let mut ends = Vec::with_capacity(names.len());
    for (start, name) in starts.iter().zip(&names) {
        let data = start + (LOCAL + name.len()) as u64;
        out.seek(SeekFrom::Start(data))?;
        out.write_all(&head)?;
        ends.push(data + head.len() as u64);
    }
    let mut sums = vec![crc_of(!0, &head); names.len()];
    let mut columns = Vec::new();
    let mut bytes = Vec::new();
    while rows.next_columns(&mut columns)? {
        for (k, column) in columns.iter().enumerate() {
            bytes.clear();
            bytes.extend(column.iter().flat_map(|value| value.to_le_bytes()));
            sums[k] = crc_of(sums[k], &bytes);
            out.seek(SeekFrom::Start(ends[k]))?;
            out.write_all(&bytes)?;
            ends[k] += bytes.len() as u64;
        }
    }
    let mut directory = Directory::default();
    for ((start, name), sum) in starts.iter().zip(&names).zip(sums) {
        let local = directory.entry(name, !sum, size, *start)?;
        out.seek(SeekFrom::Start(*start))?;
        out.write_all(&local)?;
    }
    out.seek(SeekFrom::Start(offset))?;
    out.write_all(&directory.end(offset))
}

/// Length of a local header before the name.
const LOCAL: usize = 30;

/// What stands behind the entries of an archive.
#[derive(Default)]
struct Directory {
    bytes: Vec<u8>,
    count: u64,
}

impl Directory {
    /// Adds an entry with this sum and size at this place; its local header.
    fn entry(&mut self, name: &str, sum: u32, size: u64, offset: u64) -> io::Result<Vec<u8>> {
        let size = u32::try_from(size).map_err(|_| too_large())?.to_le_bytes();
        let name_length = u16::try_from(name.len()).map_err(|_| too_large())?;
        // a place that 32 bits cannot tell stands in an extra field
        let far = offset >= u64::from(u32::MAX);
        let fields = |extra: u16| {
            [
                &(if extra > 0 { VERSION_64 } else { VERSION }).to_le_bytes()[..],
                &FLAGS.to_le_bytes(),
                // stored; midnight
                &[0; 4],
                &DATE.to_le_bytes(),
                &sum.to_le_bytes(),
                &size,
                &size,
                &name_length.to_le_bytes(),
                &extra.to_le_bytes(),
            ]
            .concat()
        };
        self.bytes.extend_from_slice(b"PK\x01\x02");
        self.bytes.extend_from_slice(&VERSION_64.to_le_bytes());
        self.bytes
            .extend_from_slice(&fields(if far { 12 } else { 0 }));
        // comment, disk, two attribute words
        self.bytes.extend_from_slice(&[0; 10]);
        self.bytes.extend_from_slice(&low32(offset).to_le_bytes());
        self.bytes.extend_from_slice(name.as_bytes());
        if far {
            self.bytes.extend_from_slice(&[1, 0, 8, 0]);
            self.bytes.extend_from_slice(&offset.to_le_bytes());
        }
        self.count += 1;
        Ok([&b"PK\x03\x04"[..], &fields(0), name.as_bytes()].concat())
    }

    /// The directory as it stands at this place.
    fn end(mut self, offset: u64) -> Vec<u8> {
        let size = self.bytes.len() as u64;
        let few = u16::try_from(self.count).unwrap_or(u16::MAX);
        if few == u16::MAX || offset >= u64::from(u32::MAX) || size >= u64::from(u32::MAX) {
            // zip64: the same numbers in full, and where they stand
            self.bytes.extend_from_slice(b"PK\x06\x06");
            self.bytes.extend_from_slice(&44u64.to_le_bytes());
            self.bytes.extend_from_slice(&VERSION_64.to_le_bytes());
            self.bytes.extend_from_slice(&VERSION_64.to_le_bytes());
            self.bytes.extend_from_slice(&[0; 8]);
            for number in [self.count, self.count, size, offset] {
                self.bytes.extend_from_slice(&number.to_le_bytes());
            }
            self.bytes.extend_from_slice(b"PK\x06\x07\0\0\0\0");
            self.bytes.extend_from_slice(&(offset + size).to_le_bytes());
            self.bytes.extend_from_slice(&1u32.to_le_bytes());
        }
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend_from_slice(&few.to_le_bytes());
        self.bytes.extend_from_slice(&few.to_le_bytes());
        self.bytes.extend_from_slice(&low32(size).to_le_bytes());
        self.bytes.extend_from_slice(&low32(offset).to_le_bytes());
        self.bytes.extend_from_slice(&[0, 0]);
        self.bytes
    }
}

/// A number in 32 bits; all of them set where they do not suffice.
fn low32(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn too_large() -> Error {
    Error::new(
        ErrorKind::InvalidData,
        "a column is too large for an npz file; use csv, parquet or fewer output points",
    )
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

/// Checksum of zip over pieces, reflected polynomial 0xEDB88320: begins with all bits set, ends with all of them
/// turned.
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
    use super::super::Table;
    use super::*;
    use linkwork_dae::system::Channel;

    #[test]
    fn checksum_of_the_standard_example() {
        assert_eq!(!crc_of(crc_of(!0, b"1234"), b"56789"), 0xCBF4_3926);
    }

    #[test]
    fn headers_are_padded_and_offsets_point_at_entries() {
        let mut table = Table::new(&[Channel::new("crank.angle", "rad")]);
        table.push(0.0, &[1.5]);
        table.push(0.1, &[2.5]);
        let bytes = super::super::tests::written(&table, "npz");
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
    /// Far places are told in 64 bits, near ones as they always were.
    #[test]
    fn archives_beyond_four_gigabytes_have_a_directory() {
        let far = 5u64 << 30;
        let mut directory = Directory::default();
        directory.entry("t.npy", 1, 100, 7).unwrap();
        let near = directory.bytes.len();
        assert_eq!(near, 46 + 5);
        directory.entry("x.npy", 2, 100, far).unwrap();
        let place = directory.bytes.len() - 8;
        assert_eq!(directory.bytes[place..], far.to_le_bytes());
        assert_eq!(directory.bytes[near + 42..near + 46], [0xFF; 4]);
        let end = directory.end(far + 200);
        let (zip64, plain) = end.split_at(end.len() - 22 - 20);
        assert!(plain.starts_with(b"PK\x06\x07") && plain[20..].starts_with(b"PK\x05\x06"));
        let record = &zip64[zip64.len() - 56..];
        assert!(record.starts_with(b"PK\x06\x06"));
        assert_eq!(record[24..32], 2u64.to_le_bytes());
        assert_eq!(record[48..56], (far + 200).to_le_bytes());
        assert!(Directory::default().entry("t.npy", 0, far, 0).is_err());
    }
}
