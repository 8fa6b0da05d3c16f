//! Writes `docs/benchmarks.md`, `docs/evidence/parts.md` and their pictures from the measurements of
//! `benches/run.sh`.
//!
//! The prose is fixed and describes how the figures were measured. Every figure comes from the measurements.

mod chapter;
mod criterion;
mod numbers;
mod peers;
mod pictures;
mod tables;

use clap::Parser;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes the pages on benchmarks and their pictures
#[derive(Parser)]
struct Cli {
    /// Reads the measurements from this folder
    #[arg(long)]
    from: PathBuf,
    /// Writes the chapter into this folder, and the rest into `evidence` and `pictures` inside it
    #[arg(long)]
    docs: PathBuf,
}

/// All measurements.
struct Measured {
    machine: String,
    natural: String,
    natural_peers: String,
    hex: String,
    peers: String,
    growth: String,
    policies: String,
    threads: String,
    contest: String,
    contest_alone: String,
    information_sets: String,
    bytes: String,
    instructions: String,
    growth_runs: Vec<peers::Row>,
    policy_runs: Vec<peers::Row>,
    benches: criterion::Benches,
}

impl Measured {
    fn read(from: &Path) -> Result<Self, Box<dyn Error>> {
        let text = |name: &str| -> Result<String, Box<dyn Error>> {
            let file = from.join(name);
            let text = std::fs::read_to_string(&file);
            Ok(text.map_err(|error| format!("{}: {error}", file.display()))?.trim().to_owned())
        };
        Ok(Measured {
            machine: text("machine.md")?,
            natural: text("natural.md")?,
            natural_peers: text("natural-peers.md")?,
            hex: text("hex.md")?,
            peers: text("peers.md")?,
            growth: text("growth.md")?,
            policies: text("policies.md")?,
            threads: text("threads.md")?,
            contest: text("contest.md")?,
            contest_alone: text("contest-alone.md")?,
            information_sets: text("information-sets.md")?,
            bytes: text("bytes.md")?,
            instructions: text("instructions.md")?,
            growth_runs: peers::read(&text("growth.json")?)?,
            policy_runs: peers::read(&text("policies.json")?)?,
            benches: criterion::Benches::read(&from.join("criterion"))?,
        })
    }
}

fn write(cli: &Cli) -> Result<(), Box<dyn Error>> {
    let measured = Measured::read(&cli.from)?;
    std::fs::write(cli.docs.join("benchmarks.md"), chapter::benchmarks(&measured))?;
    std::fs::create_dir_all(cli.docs.join("evidence"))?;
    std::fs::write(cli.docs.join("evidence/parts.md"), chapter::parts(&measured))?;
    pictures::draw(&measured, &cli.docs.join("pictures"))
}

fn main() -> ExitCode {
    match write(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
