//! NumPy archives: a zip of uncompressed `.npy` files.
//!
//! ```text
//!  zip     { local header, name, data } ...  { central header, name } ...  end record
//!  .npy    "\x93NUMPY" 1 0, header length, "{'descr': '<f8', ...}" padded to 64, doubles
//! ```
//!
//! Stored, not deflated: doubles of a motion hardly shrink. Dates are fixed, so equal results are
//! equal files. Bad at: archives of 4 GiB and more, which are refused (zip64 is not written).

use super::Table;
use std::io::{self, Error, ErrorKind, Write};

/// 1 January 1980 in the packed form of MS-DOS: the first date a zip can hold.
const DATE: u16 = 0x21;
/// Version 2.0 of the format: stored entries.
const VERSION: u16 = 20;
/// Names are UTF-8.
const FLAGS: u16 = 0x800;

/// Writes one array per channel, and `t`.
pub(super) fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let columns = table.channels().iter().map(|c| c.name.as_str());
    let names = std::iter::once("t").chain(columns);
    let values = std::iter::once(table.times()).chain(table.columns().iter().map(Vec::as_slice));
    let mut offset = 0usize;
    let mut central = Vec::new();
    let mut count = 0usize;
    for (name, values) in names.zip(values) {
        let name = format!("{name}.npy");
        let data = npy(values);
        let entry = entry_fields(&name, &data)?;
        let local = [&b"PK\x03\x04"[..], &entry, name.as_bytes()].concat();
        out.write_all(&local)?;
        out.write_all(&data)?;
        central.extend_from_slice(b"PK\x01\x02");
        central.extend_from_slice(&VERSION.to_le_bytes());
        central.extend_from_slice(&entry);
        // comment, disk, two attribute words
        central.extend_from_slice(&[0; 10]);
        central.extend_from_slice(&size32(offset)?.to_le_bytes());
        central.extend_from_slice(name.as_bytes());
        offset += local.len() + data.len();
        count += 1;
    }
    out.write_all(&central)?;
    let count = u16::try_from(count).map_err(|_| too_large())?;
    out.write_all(b"PK\x05\x06\0\0\0\0")?;
    out.write_all(&count.to_le_bytes())?;
    out.write_all(&count.to_le_bytes())?;
    out.write_all(&size32(central.len())?.to_le_bytes())?;
    out.write_all(&size32(offset)?.to_le_bytes())?;
    out.write_all(&[0, 0])?;
    out.flush()
}

/// What the local and the central header of an entry have in common.
fn entry_fields(name: &str, data: &[u8]) -> io::Result<Vec<u8>> {
    let size = size32(data.len())?.to_le_bytes();
    let name_length = u16::try_from(name.len()).map_err(|_| too_large())?;
    Ok([
        &VERSION.to_le_bytes()[..],
        &FLAGS.to_le_bytes(),
        // stored; midnight
        &[0; 4],
        &DATE.to_le_bytes(),
        &crc32(data).to_le_bytes(),
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
    const PREFIX: usize = 10;
    let mut header = format!(
        "{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}",
        values.len()
    );
    while !(PREFIX + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut data = Vec::with_capacity(PREFIX + header.len() + 8 * values.len());
    data.extend_from_slice(b"\x93NUMPY\x01\x00");
    data.extend_from_slice(&(header.len() as u16).to_le_bytes());
    data.extend_from_slice(header.as_bytes());
    for value in values {
        data.extend_from_slice(&value.to_le_bytes());
    }
    data
}

/// Checksum of zip: reflected polynomial 0xEDB88320.
fn crc32(data: &[u8]) -> u32 {
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
    !data.iter().fold(!0u32, |c, b| {
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
