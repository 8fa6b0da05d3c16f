//! Suggestions for mistyped words.

use std::fmt;

/// Suggests the nearest of the known words, if one is similar.
pub(crate) struct DidYouMean<'a, S>(pub &'a str, pub &'a [S]);

impl<S: AsRef<str>> fmt::Display for DidYouMean<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        nearest(self.0, self.1).map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
    }
}

/// Returns the known word nearest to `word`, if at most two letters, and at most half of its own, are to be
/// inserted, deleted, changed or swapped with their neighbours.
fn nearest<'k>(word: &str, known: &'k [impl AsRef<str>]) -> Option<&'k str> {
    let word = word.to_lowercase();
    let distances = known.iter().map(AsRef::as_ref).map(|other| (strsim::osa_distance(&word, other), other));
    let (distance, near) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance <= (near.chars().count() / 2).min(2)).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_similar_words_are_suggested() {
        let known = ["c", "mcts", "alphabeta", "mc", "connect4"];
        for (word, expected) in [
            ("mtcs", Some("mcts")),
            ("MCTS", Some("mcts")),
            ("mctss", Some("mcts")),
            ("alpha-beta", Some("alphabeta")),
            ("conenct5", Some("connect4")),
            ("elephant", None),
            ("alphazero", None),
            ("x", None),
        ] {
            assert_eq!(nearest(word, &known), expected, "{word}");
        }
    }
}
