//! The format of a saved search.
//!
//! A file begins with [`MAGIC`] and the number of the format. Sections follow: a tag of four bytes, the
//! length of the content in eight bytes, the content, and a checksum in eight bytes, CRC-64/XZ of the number
//! of the section, the tag, the length and the content. So the reader notices if a section was changed, left
//! out or exchanged. The last section is empty. All numbers are little-endian.
//!
//! `tree/image.rs` and `tree/positions/image.rs` define the content of the blocks and of the positions. All
//! other sections are in the format of `postcard`.

use crate::saved::FileError;
use crc::{CRC_64_XZ, Crc, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{ErrorKind, Read, Write};

/// The first bytes of a file. The first byte is not a character. A program that mistakes the file for text
/// changes the line end, so the reader notices.
const MAGIC: [u8; 8] = *b"\x8eramure\n";

/// The number of the format that this version reads and writes.
const FORMAT: u32 = 3;

static CRC: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_XZ);

/// The kind of a section.
#[derive(Clone, Copy)]
pub(crate) struct Tag {
    tag: [u8; 4],
    /// The name in errors.
    pub name: &'static str,
}

pub(crate) const SETTINGS: Tag = Tag { tag: *b"SETT", name: "the settings" };
pub(crate) const POSITION: Tag = Tag { tag: *b"POSI", name: "the root state" };
pub(crate) const LEARNED: Tag = Tag { tag: *b"LRND", name: "what the policies have learned" };
pub(crate) const OUTLINE: Tag = Tag { tag: *b"TREE", name: "the outline of the tree" };
pub(crate) const BLOCKS: Tag = Tag { tag: *b"BLCK", name: "the tree" };
pub(crate) const GRAPH: Tag = Tag { tag: *b"GRPH", name: "the outline of the positions" };
pub(crate) const SHARED: Tag = Tag { tag: *b"SHRD", name: "the positions" };
pub(crate) const PLAYERS: Tag = Tag { tag: *b"PLRS", name: "the step that is under way" };
const END: Tag = Tag { tag: *b"DONE", name: "the end" };
const START: Tag = Tag { tag: *b"HEAD", name: "the first bytes" };

fn checksum(number: u64, header: &[u8], content: &[u8]) -> [u8; 8] {
    let mut digest = CRC.digest();
    digest.update(&number.to_le_bytes());
    digest.update(header);
    digest.update(content);
    digest.finalize().to_le_bytes()
}

/// Writes the sections of a file.
pub(crate) struct Output<W> {
    writer: W,
    /// The number of the next section.
    number: u64,
}

impl<W: Write> Output<W> {
    pub fn new(mut writer: W) -> Result<Self, FileError> {
        writer.write_all(&MAGIC)?;
        writer.write_all(&FORMAT.to_le_bytes())?;
        Ok(Output { writer, number: 0 })
    }

    /// Writes a section.
    pub fn section(&mut self, tag: Tag, content: &[u8]) -> Result<(), FileError> {
        let mut header = [0; 12];
        header[..4].copy_from_slice(&tag.tag);
        header[4..].copy_from_slice(&(content.len() as u64).to_le_bytes());
        self.writer.write_all(&header)?;
        self.writer.write_all(content)?;
        self.writer.write_all(&checksum(self.number, &header, content))?;
        self.number += 1;
        Ok(())
    }

    /// Writes a value as a section.
    pub fn value(&mut self, tag: Tag, value: &impl Serialize) -> Result<(), FileError> {
        let bytes = postcard::to_allocvec(value).map_err(|error| FileError::value(tag.name, error))?;
        self.section(tag, &bytes)
    }

    pub fn finish(mut self) -> Result<(), FileError> {
        self.section(END, &[])?;
        Ok(self.writer.flush()?)
    }
}

/// Reads the sections of a file, in their order.
pub(crate) struct Input<R> {
    reader: R,
    number: u64,
}

impl<R: Read> Input<R> {
    pub fn new(reader: R) -> Result<Self, FileError> {
        let mut input = Input { reader, number: 0 };
        let mut magic = Vec::new();
        let length = MAGIC.len() as u64;
        (&mut input.reader).take(length).read_to_end(&mut magic).map_err(io_error)?;
        if magic.len() < MAGIC.len() && MAGIC.starts_with(&magic) {
            return Err(FileError::Incomplete { part: START.name });
        }
        if magic != MAGIC {
            return Err(FileError::Foreign);
        }
        match u32::from_le_bytes(input.bytes(START)?) {
            FORMAT => Ok(input),
            found => Err(FileError::Version { found, supported: FORMAT }),
        }
    }

    fn bytes<const N: usize>(&mut self, tag: Tag) -> Result<[u8; N], FileError> {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => FileError::Incomplete { part: tag.name },
            _ => io_error(error),
        })?;
        Ok(bytes)
    }

    /// Reads the next section, which must be of this kind, and checks its checksum. The memory that this
    /// takes grows with the bytes that exist, not with the length that the file claims.
    pub fn section(&mut self, tag: Tag) -> Result<Vec<u8>, FileError> {
        let header: [u8; 12] = self.bytes(tag)?;
        let (kind, length) = header.split_at(4);
        if kind != tag.tag {
            return Err(FileError::invalid(tag, "another section is in its place"));
        }
        let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
        let mut content = Vec::new();
        (&mut self.reader).take(length).read_to_end(&mut content).map_err(io_error)?;
        if (content.len() as u64) < length {
            return Err(FileError::Incomplete { part: tag.name });
        }
        if self.bytes(tag)? != checksum(self.number, &header, &content) {
            return Err(FileError::Checksum { part: tag.name });
        }
        self.number += 1;
        Ok(content)
    }

    /// Reads the value in the next section.
    pub fn value<T: DeserializeOwned>(&mut self, tag: Tag) -> Result<T, FileError> {
        let content = self.section(tag)?;
        let (value, rest) =
            postcard::take_from_bytes(&content).map_err(|error| FileError::invalid(tag, error))?;
        if rest.is_empty() { Ok(value) } else { Err(FileError::invalid(tag, "it is too long")) }
    }

    pub fn finish(mut self) -> Result<(), FileError> {
        let content = self.section(END)?;
        if content.is_empty() { Ok(()) } else { Err(FileError::invalid(END, "it is too long")) }
    }
}

/// Compares the settings in a file with those of a search.
pub(crate) fn compare(saved: Vec<(String, String)>, own: Vec<(String, String)>) -> Result<(), FileError> {
    for number in 0..saved.len().max(own.len()) {
        let (name, saved, search) = match (saved.get(number), own.get(number)) {
            (Some(saved), Some(own)) if saved == own => continue,
            (Some((name, saved)), Some((own_name, search))) if name == own_name => {
                (name, &saved[..], &search[..])
            }
            (Some((name, saved)), None) => (name, &saved[..], "none"),
            // Another kind of search has settings of other names.
            (_, Some((name, search))) => (name, "none", &search[..]),
            (None, None) => break,
        };
        return Err(FileError::Different {
            setting: name.clone(),
            saved: saved.to_owned(),
            search: search.to_owned(),
        });
    }
    Ok(())
}

pub(crate) fn io_error(error: std::io::Error) -> FileError {
    FileError::Read { error: crate::CustomError::new(error) }
}

/// Returns an error if the reader has bytes left.
pub(crate) fn ends(reader: &mut impl Read) -> Result<(), FileError> {
    match reader.take(1).read_to_end(&mut Vec::new()).map_err(io_error)? {
        0 => Ok(()),
        _ => Err(FileError::invalid(END, "bytes follow it")),
    }
}

/// Corrects the checksums of a file, up to the first length that does not fit.
#[cfg(test)]
pub(crate) fn resign(file: &mut [u8]) {
    let (mut at, mut number) = (MAGIC.len() + 4, 0);
    while let Some(header) = file.get(at..at + 12).map(<[u8]>::to_vec) {
        let length = u64::from_le_bytes(header[4..].try_into().expect("eight bytes")) as usize;
        let Some(end) = length.checked_add(at + 12).filter(|end| end + 8 <= file.len()) else { return };
        let correct = checksum(number, &header, &file[at + 12..end]);
        file[end..end + 8].copy_from_slice(&correct);
        (at, number) = (end + 8, number + 1);
    }
}

/// Changes a byte of a file, from byte `from` on.
#[cfg(test)]
pub(crate) fn damage(file: &mut [u8], from: usize, draws: &mut crate::Rng) {
    let at = from + draws.below(file.len() - from);
    file[at] = match draws.below(4) {
        0 => file[at] ^ 1 << draws.below(8),
        1 => file[at].wrapping_add(1),
        2 => [0, 1, 127, 128, 255][draws.below(5)],
        _ => file[draws.below(file.len())],
    };
}
