//! Everything that the sources of this project claim, tried: `ramure-lab reproduce`.

mod connect4_bots;
mod equal_time;
mod hex_report;
mod minimax_slides;
mod papers;
mod policies;
mod positions;
mod report;
mod setting;
mod sudo_tutorial;

use clap::Args;
use ramure_lab::experiments::Failure;
use ramure_lab::experiments::output;
use ramure_lab::experiments::parallel::cores;
use report::{Section, Verdict};
use setting::Setting;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// Runs every experiment of the five sources and of the two papers, and writes a report: each claim, the source's figure, ours
/// with its interval, a verdict, and pictures.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Two minutes instead of most of an hour: fewer games and iterations, wider intervals
    #[arg(long)]
    quick: bool,

    /// The folder that gets experiments.md, and the pictures in pictures/experiments
    #[arg(long, value_name = "FOLDER", default_value = "target/experiments")]
    folder: PathBuf,

    /// Only these sections; may be given several times [default: all; A to E, with --policies F to H]
    #[arg(long, value_name = "LETTER", value_parser = ["A", "B", "C", "D", "E", "F", "G", "H"], ignore_case = true)]
    only: Vec<String>,

    /// Instead of the sources' experiments: the evidence that every policy does what its paper says, which goes into
    /// policies.md, below the marker if that chapter is there
    #[arg(long)]
    policies: bool,

    /// Fixes all that is random; times, and what is played on time, differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Games and searches at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab reproduce --quick
  ramure-lab reproduce --folder docs       what is committed as docs/experiments.md
  ramure-lab reproduce --only B --seed 2

Nothing else should run on the machine meanwhile: some of the claims are about time.";

/// What measures a section.
type Experiment = fn(&Setting) -> Result<Section, Failure>;

const SECTIONS: [(&str, Experiment); 5] = [
    ("A", connect4_bots::section),
    ("B", hex_report::section),
    ("C", sudo_tutorial::section),
    ("D", minimax_slides::section),
    ("E", papers::section),
];

/// Tries every claim, and writes the report.
pub fn run(options: &Options) -> Result<(), Failure> {
    let begin = Instant::now();
    let setting = Setting {
        quick: options.quick,
        threads: options.threads.map_or_else(cores, usize::from),
        seed: options.seed,
        folder: options.folder.clone(),
    };
    fs::create_dir_all(&setting.folder)
        .map_err(|error| format!("cannot make {}: {error}", setting.folder.display()))?;
    let (path, all) = match options.policies {
        true => (setting.folder.join("policies.md"), &policies::SECTIONS[..]),
        false => (setting.folder.join("experiments.md"), &SECTIONS[..]),
    };
    let mut sections = Vec::new();
    for &(letter, experiment) in all {
        if options.only.is_empty() || options.only.iter().any(|only| only.eq_ignore_ascii_case(letter)) {
            eprintln!("{letter} ...");
            let section = experiment(&setting)?;
            eprintln!("{}, after {:.0} s in all", section.title, begin.elapsed().as_secs_f64());
            sections.push(section);
            // Anew with each section, so that none is lost if a later one fails.
            let text = written(&setting, options.policies, &sections, begin.elapsed().as_secs_f64() / 60.0);
            let chapter = fs::read_to_string(&path).ok().filter(|_| options.policies);
            output::write(&path, policies::splice(chapter.as_deref(), &text))?;
        }
    }
    let findings = || sections.iter().flat_map(|section| &section.findings);
    let failed: Vec<_> = findings().filter(|finding| matches!(finding.verdict, Verdict::Not(_))).collect();
    for finding in &failed {
        output::say(format_args!(
            "not reproduced: {}: {}; here {}",
            finding.claim, finding.source, finding.ours
        ))?;
    }
    let open = findings().filter(|finding| finding.verdict == Verdict::Open).count();
    let (all, failed) = (findings().count(), failed.len());
    output::say(format_args!(
        "{} of {all} claims hold, {open} are open, {failed} do not; {}",
        all - failed - open,
        path.display()
    ))
}

/// The whole report.
fn written(setting: &Setting, of_policies: bool, sections: &[Section], minutes: f64) -> String {
    let mut text = format!(
        "{}\n\n```sh\n\
         ramure-lab reproduce {}{}--folder docs --seed {}\n```\n\nin {minutes:.0} minutes on {}, {} threads. \
         Intervals are of 95 %. A verdict of *reproduced* says that {}.\n",
        if of_policies {
            "# Evidence\n\nThat policies do what their papers say, and what they are worth. Written by"
        } else {
            "# Experiments\n\nWhat the documents claim from which this project grew, tried with ramure. Written by"
        },
        if of_policies { "--policies " } else { "" },
        if setting.quick { "--quick " } else { "" },
        setting.seed,
        machine(),
        setting.threads,
        if of_policies {
            "the claim holds here, beyond the error"
        } else {
            "our figure is theirs within the error of both; *beaten* that it is better beyond it"
        },
    );
    for section in sections {
        text += &format!("\n{section}");
    }
    text
}

/// What it ran on, as far as that can be seen.
fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    name.unwrap_or("an unknown processor").to_owned()
}
