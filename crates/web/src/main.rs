//! `ramure-web`: builds the page, serves it on this computer, and builds the site.

mod build;
mod serve;
mod site;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Five games in the browser, against Monte-Carlo tree search compiled to WebAssembly.
#[derive(Parser)]
#[command(max_term_width = 80, after_help = EXAMPLES)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the page into a folder, as files that any web server can serve
    Build {
        /// Set the folder
        #[arg(long, value_name = "FOLDER", default_value = "target/web")]
        folder: PathBuf,

        /// Offer neural networks of Connect 4 and Hex 7 x 7: visitors load 4.7 MB, and the build takes some
        /// minutes
        #[arg(long)]
        networks: bool,
    },
    /// Build the page and serve it on this computer
    Serve {
        /// Set the folder of the page
        #[arg(long, value_name = "FOLDER", default_value = "target/web")]
        folder: PathBuf,

        /// Set the port; 0 chooses a free one
        #[arg(long, value_name = "N", default_value_t = 8080)]
        port: u16,

        /// Offer neural networks of Connect 4 and Hex 7 x 7: visitors load 4.7 MB, and the build takes some
        /// minutes
        #[arg(long)]
        networks: bool,

        /// Serve what an earlier build wrote
        #[arg(long, conflicts_with = "networks")]
        no_build: bool,
    },
    /// Write the site into a folder: the chapters, the page, trees and the reference of the API, with all
    /// links checked
    Site {
        /// Set the folder
        #[arg(long, value_name = "FOLDER", default_value = "target/site")]
        folder: PathBuf,
    },
}

const EXAMPLES: &str = "\
Examples:
  cargo run --release -p ramure-web -- serve
  cargo run --release -p ramure-web -- serve --networks
  cargo run --release -p ramure-web -- build --folder public
  cargo run --release -p ramure-web -- site --folder public
  cargo run --release -p ramure-web -- serve --no-build --folder target/site";

fn main() -> ExitCode {
    let done = match Options::parse().command {
        Command::Build { folder, networks } => build::build(&folder, networks),
        Command::Serve { folder, port, networks, no_build } => {
            let built = if no_build { Ok(()) } else { build::build(&folder, networks) };
            built.and_then(|()| serve::serve(&folder, port))
        }
        Command::Site { folder } => site::site(&folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
