//! Records in the spellings of other programs, and broken ones.

use super::{HexMove, HexRecord, read};
use ramure::Rng;
use ramure_games::Hex;

fn one(text: &str) -> HexRecord {
    let mut records = read(text).expect(text);
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

fn last(record: &HexRecord) -> Hex {
    let empty = Hex::new(record.size).expect("a size").with_swap();
    record.positions(empty).expect("legal").pop().expect("there is always the first")
}

/// Records as other programs write them, each with the moves that are read.
const RECORDS: [(&str, &str); 15] = [
    // HexGui.
    (
        "(;AP[HexGui:0.10.GIT]FF[4]GM[11]SZ[11];B[a10];W[swap-pieces];B[f6];W[resign])",
        "0 a10,1 swap-pieces,0 f6,1 resign",
    ),
    ("(;FF[4]GM[11]SZ[5:5];B[b2];W[swap-sides];W[c3];B[d4])", "0 b2,1 swap-sides,1 c3,0 d4"),
    ("(;FF[4]GM[11]SZ[6]AB[a1][b2][c3]AW[d4]PL[W];W[e5];B[f6])", "1 e5,0 f6"),
    // A variation of HexGui, and one within it.
    ("(;FF[4]GM[11]SZ[5];B[a1](;W[b2];B[c3](;W[d4])(;W[e5]))(;W[e1];B[a1]))", "0 a1,1 b2,0 c3,1 d4"),
    // Little Golem: two letters, White begins, Black swaps.
    (
        "(;FF[4]EV[hex.mc.2009.jul.1.1]PB[one]PW[two]SZ[13]RE[B]GC[ game #1]SO[http://example.org];W[ac];B[swap];W[gg];B[hf])",
        "1 a3,0 swap-pieces,1 g7,0 h6",
    ),
    ("(;FF[4]PB[one]PW[two]SZ[13]RE[W];W[mb];B[ii];W[resign])", "1 m2,0 i9,1 resign"),
    ("(;GM[11]SZ[11];W[ak];B[SWAP];W[resign]\n)\n", "1 a11,0 swap-pieces,1 resign"),
    // Capitals, and a comment with brackets.
    (
        "( ;FF[4] GM[11]\r\nSZ[4] C[see [1\\] (;B\\\\]\n;B[A3]C[bad?] ;W [Swap-Pieces]\n;B[D1] )",
        "0 a3,1 swap-pieces,0 d1",
    ),
    // FF[3]: small letters in the names of properties.
    ("(;FileFormat[3]GaMe[11]SiZe[5];Black[c3];White[b4])", "0 c3,1 b4"),
    // A rectangle of stones, and stones after the first node.
    ("(;GM[11]SZ[5]AW[a1:b2];B[c3];AB[d4]AW[e5])", "0 c3,0 d4,1 e5"),
    // A game without moves, and moves in the first node.
    ("(;GM[11]SZ[2])", ""),
    ("(;GM[11]SZ[3]B[b2])", "0 b2"),
    // A pass is an empty value, too.
    ("(;GM[11]SZ[3];B[];W[pass];B[b2])", "0 pass,1 pass,0 b2"),
    // Times and marks say nothing about the moves.
    ("(;GM[11]SZ[3]KM[0]TM[300];B[b2]BL[299.5]OB[3]LB[b2:1][a1:x];W[a1]WL[298]N[end])", "0 b2,1 a1"),
    ("\u{feff}(;CA[UTF-8]GM[11]SZ[19]PB[Zo\u{eb}];B[s19];W[aa])", "0 s19,1 a1"),
];

#[test]
fn records_of_other_programs_are_read() {
    for (text, expected) in RECORDS {
        let record = one(text);
        let moves: Vec<String> =
            record.moves.iter().map(|(player, action)| format!("{player} {action}")).collect();
        assert_eq!(moves.join(","), expected, "{text}");
        // What is written is read as the same record.
        let written = record.to_string();
        assert_eq!(one(&written), record, "{written}");
        assert_eq!(last(&one(&written)), last(&record));
    }
}

#[test]
fn a_swap_follows_the_colours_of_the_record() {
    let pieces = "swap: taken\npasses: 1\nmoves: 3\nstatus: O to play";
    assert!(last(&one("(;SZ[3];W[cb];B[swap])")).to_string().ends_with(pieces));
    assert_eq!(last(&one("(;SZ[3];W[cb];B[swap])")).cell(2, 1), Some(0), "c2 becomes b3, of Black");
    let sides = last(&one("(;SZ[3];B[c2];W[swap-sides];W[a1])")).to_string();
    assert!(sides.starts_with("  a b c\n1 O . .\n 2 . . X\n") && sides.ends_with("X to play"), "{sides}");
}

#[test]
fn stones_that_alternate_are_a_position_of_play() {
    let set_up = last(&one("(;SZ[3]AB[a1][b2]AW[c3][a3])"));
    let played = last(&one("(;SZ[3];B[a1];W[c3];B[b2];W[a3])"));
    assert_eq!(set_up, played);
    // After stones of one colour, the other one has the turn, unless the record names one.
    assert!(last(&one("(;SZ[3]AB[a1][b2])")).to_string().ends_with("moves: 3\nstatus: O to play"));
    assert!(last(&one("(;SZ[3]AB[a1][b2]PL[B])")).to_string().ends_with("moves: 4\nstatus: X to play"));
}

#[test]
fn several_games_are_read_one_by_one() {
    let records = read("(;SZ[3]PB[a\\]b];B[a1])\n\n(;SZ[4];B[d4])").expect("two games");
    assert_eq!(records.iter().map(|record| record.size).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(records[0].players[0], "a]b");
    assert_eq!(records[1].moves, [(0, "d4".parse::<HexMove>().expect("a move"))]);
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    for (text, expected) in [
        ("", "line 1, column 1: the text ends too early; expected a game, which begins with `(;`"),
        ("\n hello", "line 2, column 2: found 'h'; expected a game, which begins with `(;`"),
        ("(B[a1])", "line 1, column 2: found 'B'; expected the `;` of the first node"),
        ("(;SZ[3]", "line 1, column 8: the text ends too early; expected `;`, `(` or `)`"),
        ("(;SZ[3];B[a1]]", "line 1, column 14: found ']'; expected `;`, `(` or `)`"),
        ("(;SZ[3]\n;B[a1", "line 2, column 4: the text ends too early; expected the `]` of this value"),
        ("(;SZ[3];B)", "line 1, column 10: found ')'; expected the `[` of a value"),
        ("(;SZ[3];B[a1])x", "line 1, column 15: found 'x'; expected a game"),
        ("(;FF[4]GM[1]SZ[19];B[aa])", "line 1, column 11: GM[1] is another game; Hex is GM[11]"),
        ("(;FF[4]GM[11];B[a1])", "line 1, column 3: the size of the board is missing; write SZ"),
        (
            "(;SZ[11:9];B[a1])",
            "line 1, column 6: SZ[11:9] is not a size; a board has as many rows as columns",
        ),
        ("(;SZ[20];B[a1])", "line 1, column 6: SZ[20] is not a size"),
        ("(;SZ[five])", "line 1, column 6: SZ[five] is not a size"),
        ("(;SZ[3];B[a1]\n;W[z9])", "line 2, column 4: \"z9\" is not a move; write a cell such as b3"),
        ("(;SZ[3];B[a1];W[d1])", "line 1, column 17: d1 is not legal: this cell is off the board"),
        ("(;SZ[3];B[a1];W[a1])", "line 1, column 17: a1 is not legal: this cell is taken"),
        ("(;SZ[3];B[swap-pieces])", "line 1, column 11: swap is not legal"),
        ("(;SZ[3];B[a1];W[b1];B[swap-sides])", "line 1, column 23: swap is not legal"),
        ("(;SZ[2];B[a1];W[b1];B[a2];W[b2])", "line 1, column 29: b2 is not legal: the game is over"),
        ("(;SZ[3];B[resign];W[a1])", "line 1, column 21: a player has resigned before this move"),
        ("(;SZ[3]AB[a1][a1])", "line 1, column 15: a1 is not legal: this cell is taken"),
        ("(;SZ[3]AB[swap])", "line 1, column 11: \"swap\" is not a cell or a rectangle of cells"),
        ("(;SZ[3]PL[red])", "line 1, column 11: \"red\" is not a colour; write B or W"),
        ("(;SZ[3];B[a1];AE[a1])", "line 1, column 15: AE takes stones off the board"),
    ] {
        let error = read(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text}\n{error}\n{expected}");
    }
}

/// Changes, cuts and repeats parts of records. What is then read must be a game.
#[test]
fn broken_records_are_errors_and_never_a_panic() {
    let mut rng = Rng::seeded(3);
    let pieces: Vec<char> = "()[];:\\ \n\u{e9}BWASZPLEG0123456789abcs-swp".chars().collect();
    let (mut whole, mut broken) = (0, 0);
    for round in 0..20_000 {
        let mut text: Vec<char> = RECORDS[round % RECORDS.len()].0.chars().collect();
        for _ in 0..=rng.below(5) {
            let (at, piece) = (rng.below(text.len()), pieces[rng.below(pieces.len())]);
            match rng.below(5) {
                0 => text[at] = piece,
                1 => text.insert(at, piece),
                2 if text.len() > 1 => drop(text.remove(at)),
                3 if rng.below(8) == 0 => text.truncate(at + 1),
                _ => {
                    let end = text.len().min(at + rng.below(9));
                    text.splice(at..at, text[at..end].to_vec());
                }
            }
        }
        let text: String = text.into_iter().collect();
        match read(&text) {
            Ok(records) => {
                whole += 1;
                for record in records {
                    assert_eq!(one(&record.to_string()), record, "{text}");
                }
            }
            Err(error) => {
                broken += 1;
                let lines: Vec<&str> = text.split('\n').collect();
                assert!((1..=lines.len()).contains(&error.line), "{error}: {text}");
                assert!(
                    (1..=lines[error.line - 1].chars().count() + 1).contains(&error.column),
                    "{error}: {text}"
                );
            }
        }
    }
    assert!(whole > 1000 && broken > 1000, "{whole} and {broken}");
    // Neither depth nor length is a danger.
    let deep = format!("(;SZ[3]{}", "(;C[x]".repeat(200_000));
    assert!(read(&deep).is_err());
    assert!(read(&format!("(;SZ[{}])", "1".repeat(1_000_000))).expect_err("no size").to_string().len() < 200);
    assert_eq!(one(&format!("(;SZ[3]{})", ";B[pass];W[pass]".repeat(50_000))).moves.len(), 100_000);
}
