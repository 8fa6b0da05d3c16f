//! Suggestions for mistyped words.

/// The known word nearest to `word`, if its distance is at most two and at most half the letters of the known word.
pub(super) fn nearest<'k>(word: &str, known: &'k [String]) -> Option<&'k str> {
    let word = word.to_lowercase();
    let distances = known.iter().map(|other| (distance(&word, other), other));
    let (distance, near) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance <= (near.chars().count() / 2).min(2)).then_some(near)
}

/// The least number of letters to insert, delete or change (Levenshtein 1966).
fn distance(one: &str, other: &str) -> usize {
    let other = Vec::from_iter(other.chars());
    // The distance of the letters of `one` read so far from each prefix of `other`.
    let mut row = Vec::from_iter(0..=other.len());
    for (read, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], read + 1);
        for (index, &expected) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != expected);
            diagonal = row[index + 1];
            row[index + 1] = changed.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn edit_distances_match_the_textbook() {
        for (one, other, expected) in
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("saturday", "sunday", 3)]
        {
            assert_eq!(distance(one, other), expected, "{one}, {other}");
        }
    }

    #[test]
    fn only_similar_words_are_suggested() {
        let known = ["c", "mcts", "alphabeta", "mc"].map(str::to_owned);
        for (word, expected) in [
            ("mtcs", Some("mcts")),
            ("MCTS", Some("mcts")),
            ("mctss", Some("mcts")),
            ("alpha-beta", Some("alphabeta")),
            ("elephant", None),
            ("alphazero", None),
            ("x", None),
        ] {
            assert_eq!(nearest(word, &known), expected, "{word}");
        }
    }
}
