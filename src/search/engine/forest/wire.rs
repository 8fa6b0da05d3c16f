//! Digests as bytes, for messages between processes. All numbers are little-endian.

use crate::run::budget::StopReason;
use crate::run::counts::{RunCounts, TreeSize};
use crate::run::error::SearchError;
use crate::search::engine::forest::digest::{Digest, Entry};
use crate::statistics::Pack;

/// A message that is not what another rank of this version sends.
#[derive(Debug)]
pub(crate) struct Malformed;

/// Why a tree wants a run to stop, by the code that stands for it in messages. 0 stands for none.
const REASONS: [StopReason; 10] = [
    StopReason::Iterations,
    StopReason::Time,
    StopReason::Bytes,
    StopReason::Stopped,
    StopReason::Proven,
    StopReason::Decided,
    StopReason::CountFull,
    StopReason::NotRun,
    StopReason::Passes,
    StopReason::AskAndTell,
];

/// Set in the word of an entry's action if the node is new in the tree.
const IS_NEW: u32 = 1 << 31;

pub(crate) fn write_u32(to: &mut Vec<u8>, number: u32) {
    to.extend_from_slice(&number.to_le_bytes());
}

pub(crate) fn write_u64(to: &mut Vec<u8>, number: u64) {
    to.extend_from_slice(&number.to_le_bytes());
}

pub(crate) fn write_text(to: &mut Vec<u8>, text: &str) {
    write_u32(to, text.len() as u32);
    to.extend_from_slice(text.as_bytes());
}

pub(crate) fn write_stop(to: &mut Vec<u8>, stop: Option<StopReason>) {
    let code = stop.and_then(|stop| REASONS.iter().position(|&reason| reason == stop));
    to.push(code.map_or(0, |code| code as u8 + 1));
}

/// Bytes of a message that have not been read yet.
pub(crate) struct Reader<'m>(pub &'m [u8]);

impl<'m> Reader<'m> {
    pub fn bytes(&mut self, count: usize) -> Result<&'m [u8], Malformed> {
        let (read, rest) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = rest;
        Ok(read)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.bytes(N)?.try_into().map_err(|_| Malformed)
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Malformed> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn text(&mut self) -> Result<&'m str, Malformed> {
        let len = self.u32()? as usize;
        core::str::from_utf8(self.bytes(len)?).map_err(|_| Malformed)
    }

    pub fn stop(&mut self) -> Result<Option<StopReason>, Malformed> {
        match self.u8()? {
            0 => Ok(None),
            code => REASONS.get(usize::from(code) - 1).map(|&reason| Some(reason)).ok_or(Malformed),
        }
    }

    /// Returns `count` if as many parts of at least `size` bytes can follow.
    fn count(&mut self, size: usize) -> Result<usize, Malformed> {
        let count = self.u32()? as usize;
        if count.checked_mul(size).is_some_and(|bytes| bytes <= self.0.len()) {
            Ok(count)
        } else {
            Err(Malformed)
        }
    }
}

/// Writes `error` with its sources as text; an empty text if there is none.
pub(crate) fn write_error(to: &mut Vec<u8>, error: Option<&SearchError>) {
    write_text(to, &error.map_or(String::new(), with_sources));
}

/// Returns the text of an error and of the errors that caused it.
pub(crate) fn with_sources(error: &SearchError) -> String {
    let mut text = error.to_string();
    let mut source = core::error::Error::source(error);
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}

fn write_entry<P: Pack, B: Pack>(to: &mut Vec<u8>, words: &mut Vec<u32>, entry: &Entry<P, B>) {
    write_u32(to, entry.action | if entry.is_new { IS_NEW } else { 0 });
    write_u32(to, entry.visits);
    write_u64(to, entry.sum.to_bits());
    words.clear();
    words.resize(P::WORDS + B::WORDS, 0);
    let (stats, backprop) = words.split_at_mut(P::WORDS);
    entry.stats.pack(stats);
    entry.backprop.pack(backprop);
    words.iter().for_each(|&word| write_u32(to, word));
}

fn read_entry<P: Pack, B: Pack>(
    from: &mut Reader<'_>,
    words: &mut Vec<u32>,
) -> Result<Entry<P, B>, Malformed> {
    let (action, visits, sum) = (from.u32()?, from.u32()?, f64::from_bits(from.u64()?));
    words.clear();
    for _ in 0..P::WORDS + B::WORDS {
        words.push(from.u32()?);
    }
    let (stats, backprop) = words.split_at(P::WORDS);
    if !sum.is_finite() || !P::is_sound(stats) || !B::is_sound(backprop) {
        return Err(Malformed);
    }
    Ok(Entry {
        action: action & !IS_NEW,
        visits,
        sum,
        is_new: action & IS_NEW != 0,
        stats: P::unpack(stats),
        backprop: B::unpack(backprop),
    })
}

/// Writes a digest.
pub(crate) fn write<P: Pack, B: Pack>(to: &mut Vec<u8>, digest: &Digest<P, B>) {
    let RunCounts { iterations, depth, depth_sum, others, .. } = digest.counts;
    write_stop(to, digest.stop);
    write_error(to, digest.failure.as_ref());
    write_u64(to, iterations);
    write_u32(to, depth);
    write_u64(to, depth_sum);
    write_u64(to, others.nodes as u64);
    write_u64(to, others.bytes as u64);
    write_u64(to, others.recycled);
    let words = &mut Vec::new();
    to.push(u8::from(digest.root.is_some()));
    digest.root.iter().for_each(|root| write_entry(to, words, root));
    write_u32(to, digest.families.len() as u32);
    for &(family, end) in &digest.families {
        write_u32(to, family);
        write_u32(to, end);
    }
    write_u32(to, digest.entries.len() as u32);
    digest.entries.iter().for_each(|entry| write_entry(to, words, entry));
}

/// Reads what [`write`] wrote on `rank`.
pub(crate) fn read<P: Pack, B: Pack>(
    from: &mut Reader<'_>,
    rank: usize,
    digest: &mut Digest<P, B>,
) -> Result<(), Malformed> {
    digest.clear();
    digest.stop = from.stop()?;
    let failure = from.text()?;
    digest.failure = if failure.is_empty() {
        None
    } else {
        Some(SearchError::OtherRank { rank, message: failure.into() })
    };
    let mut counts = RunCounts::new(StopReason::NotRun);
    counts.iterations = from.u64()?;
    counts.depth = from.u32()?;
    counts.depth_sum = from.u64()?;
    let size = |number: u64| usize::try_from(number).map_err(|_| Malformed);
    counts.others = TreeSize { nodes: size(from.u64()?)?, bytes: size(from.u64()?)?, recycled: from.u64()? };
    digest.counts = counts;
    let words = &mut Vec::new();
    digest.root = match from.u8()? {
        0 => None,
        _ => Some(read_entry(from, words)?),
    };
    let mut last = (None, 0);
    for _ in 0..from.count(8)? {
        let (family, end) = (from.u32()?, from.u32()?);
        if last.0.is_some_and(|last| last >= family) || last.1 >= end {
            return Err(Malformed);
        }
        last = (Some(family), end);
        digest.families.push((family, end));
    }
    let entries = from.count(16)?;
    if last.1 as usize != entries {
        return Err(Malformed);
    }
    for _ in 0..entries {
        digest.entries.push(read_entry(from, words)?);
    }
    Ok(())
}
