//! The file from which a training goes on.

use super::play::Record;
use super::{Settings, TrainError};
use atomic_write_file::AtomicWriteFile;
use crc::{CRC_32_ISO_HDLC, Crc};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The beginning of each checkpoint, with the version of what follows.
const HEAD: &[u8; 16] = b"ramure train 1\r\n";
const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Everything on which the rest of a training depends.
#[derive(Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub settings: Settings,
    /// The shape of the game: the shape of the input, the columns of the policy, the players.
    pub game: String,
    pub iteration: u64,
    pub positions: u64,
    pub steps: u64,
    pub weights: Vec<Vec<f32>>,
    pub moments: [Vec<Vec<f32>>; 2],
    pub average: Vec<Vec<f32>>,
    pub best: Vec<Vec<f32>>,
    pub games: Vec<Record>,
}

impl Checkpoint {
    pub(crate) fn save(&self, path: &Path) -> Result<(), TrainError> {
        let failed = |error| TrainError::File { path: path.into(), error };
        let body = postcard::to_allocvec(self).map_err(|error| failed(io::Error::other(error)))?;
        let crc = CRC.checksum(&body).to_le_bytes();
        replace_file(path, &[HEAD, &body[..], &crc].concat()).map_err(failed)
    }

    pub(crate) fn load(path: &Path) -> Result<Self, TrainError> {
        let bytes = fs::read(path).map_err(|error| TrainError::File { path: path.into(), error })?;
        let wrong = |reason: &str| TrainError::Checkpoint { path: path.into(), reason: reason.into() };
        let body = bytes
            .strip_prefix(HEAD)
            .ok_or_else(|| wrong("it does not start with the header of a checkpoint of this version"))?;
        let (body, crc) = body.split_last_chunk::<4>().ok_or_else(|| wrong("it is cut off"))?;
        if CRC.checksum(body) != u32::from_le_bytes(*crc) {
            return Err(wrong("it is damaged or cut off"));
        }
        postcard::from_bytes(body).map_err(|error| wrong(&error.to_string()))
    }
}

/// Writes a file so that, after a crash at any moment, the old file is there or the new one. The network of a
/// training can be replaced so while others read it. If `path` is a symbolic link, the file that it leads to
/// is replaced. Of two processes that do this at once, one wins.
///
/// # Errors
///
/// Returns the error of the system, for example if the disk is full or a link leads to no file. The old file
/// stays then.
pub fn replace_file(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    let path = path.as_ref();
    let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let mut file = AtomicWriteFile::open(if is_link { fs::canonicalize(path)? } else { path.to_owned() })?;
    file.write_all(bytes)?;
    file.commit()
}

#[cfg(all(test, unix))]
mod tests {
    use super::replace_file;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::thread;

    #[test]
    fn a_link_stays_a_link_and_two_writers_leave_one_whole_file() {
        let folder = std::env::temp_dir().join(format!("ramure-replace-{}", std::process::id()));
        fs::create_dir_all(folder.join("far")).unwrap();
        let (file, link) = (folder.join("far/file"), folder.join("link"));
        fs::write(&file, "old").unwrap();
        symlink("far/file", &link).unwrap();
        let texts = ["a", "b"].map(|letter| letter.repeat(100_000));
        thread::scope(|scope| {
            for text in &texts {
                let link = &link;
                scope.spawn(move || (0..10).for_each(|_| replace_file(link, text.as_bytes()).unwrap()));
            }
        });
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(texts.contains(&fs::read_to_string(&file).unwrap()));
        symlink("nothing", folder.join("dangling")).unwrap();
        assert!(replace_file(folder.join("dangling"), b"new").is_err());
        // Nothing else is left behind.
        assert_eq!(fs::read_dir(folder.join("far")).unwrap().count(), 1);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
        fs::remove_dir_all(folder).unwrap();
    }
}
