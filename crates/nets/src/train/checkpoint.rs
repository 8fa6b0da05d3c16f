//! The file from which a training goes on.

use super::play::Record;
use super::{Settings, TrainError};
use crc::{CRC_32_ISO_HDLC, Crc};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The beginning of each checkpoint, with the version of what follows.
const HEAD: &[u8; 16] = b"ramure train 1\r\n";
const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Everything on which the rest of a training depends.
#[derive(Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub settings: Settings,
    /// What the game looked like: the shape of the input, the columns of the policy, the players.
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
/// is replaced. Of two processes that do this at once, one wins. Removes the unfinished files that killed
/// processes left over.
///
/// # Errors
///
/// Returns the error of the system, for example if the disk is full or a link leads to no file. The old file
/// stays then.
pub fn replace_file(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    let path = path.as_ref();
    let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let path = if is_link { fs::canonicalize(path)? } else { path.to_owned() };
    remove_unfinished(&path);
    let (mut file, new) = create_beside(&path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.and_then(|()| fs::rename(&new, &path)).inspect_err(|_| {
        let _ = fs::remove_file(&new); // what is half written is of no use
    })
}

/// What the names of unfinished files end with.
const UNFINISHED: &str = ".new";

/// Removes the files beside `path` that [`create_beside`] made and that nobody has locked.
fn remove_unfinished(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(name), Ok(files)) = (path.file_name(), fs::read_dir(folder)) else { return };
    for file in files.flatten() {
        let found = file.file_name();
        let rest = found.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
        let number = rest.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(UNFINISHED.as_bytes()));
        let is_number = |number: &[u8]| number.len() == 16 && number.iter().all(u8::is_ascii_hexdigit);
        if number.is_some_and(is_number)
            && let Ok(open) = File::open(file.path())
            && open.try_lock().is_ok()
        {
            let _ = fs::remove_file(file.path()); // who locks it later sees that it is gone
        }
    }
}

/// Creates a new file whose name begins with `path`, and locks it for as long as it is open. No other process
/// and no other thread has this name.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    loop {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        let number = RandomState::new().hash_one(&name);
        name.push(format!(".{number:016x}{UNFINISHED}"));
        let new = path.with_file_name(name);
        match File::create_new(&new) {
            // Some systems have no locks. There, nobody removes an unfinished file.
            Ok(file) if file.lock().is_err() || new.exists() => return Ok((file, new)),
            Ok(_) => {} // another process took it for one that was left over
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
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
        fs::write(folder.join("far/file.0123456789abcdef.new"), "of a process that was killed").unwrap();
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
