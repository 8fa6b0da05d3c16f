//! Suggestions for mistyped words.

/// Returns the known word nearest to `word`, if at most two letters, and at most half of its own, are to be
/// inserted, deleted, changed or swapped with their neighbours.
pub(crate) fn nearest<'k>(word: &str, known: &'k [impl AsRef<str>]) -> Option<&'k str> {
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
