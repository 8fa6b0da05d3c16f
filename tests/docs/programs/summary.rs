use ramure_games::Connect4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let summary = ramure_rules::check(Connect4::new()).hash().text().winner(Connect4::winner).run()?;
    println!("{summary}");
    assert_eq!((summary.lengths.least, summary.branching.most), (7, 7));
    Ok(())
}
