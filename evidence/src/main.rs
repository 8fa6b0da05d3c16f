//! Tests every claim of this project's sources, and of the papers behind its policies:
//! `evidence/run.sh`.

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

use clap::Parser;
use ramure_lab::Failure;
use ramure_lab::commands::output;
use ramure_lab::ranks::{self, cores};
use report::{Section, Verdict};
use setting::{Setting, create_folder};
use std::fmt::Display;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Runs the experiments of the sources that docs/experiments.md lists, and writes a report. For each claim it
/// gives the source's figure, the measured figure with its interval, and a verdict; it also draws pictures.
#[derive(Parser)]
#[command(name = "evidence/run.sh", max_term_width = 80, after_help = EXAMPLES)]
struct Options {
    /// Run for two minutes instead of a quarter of an hour, with fewer games and iterations and wider intervals
    #[arg(long)]
    quick: bool,

    /// Write experiments.md to this folder, and the pictures to pictures/experiments below it
    #[arg(long, value_name = "FOLDER", default_value = "target/experiments")]
    folder: PathBuf,

    /// Run only this section, as in B; may be repeated [default: all, which are A to E, or F to I with
    /// --policies]
    #[arg(long, value_name = "LETTER", value_parser = ["A", "B", "C", "D", "E", "F", "G", "H", "I"], ignore_case = true)]
    only: Vec<String>,

    /// Test the claims of the policies' papers instead of the sources' experiments. Write the results to
    /// evidence/policies.md, below the marker if that page exists
    #[arg(long)]
    policies: bool,

    /// Set the seed of all random numbers; times, and games with a time limit, still differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Run N games or searches at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

const EXAMPLES: &str = "\
Examples:
  evidence/run.sh --quick
  evidence/run.sh --folder docs       writes docs/experiments.md
  evidence/run.sh --only B --seed 2

Run nothing else on the machine at the same time, because some of the claims are about time.";

/// A function that measures a section.
type Experiment = fn(&Setting) -> Result<Section, Failure>;

const SECTIONS: [(&str, Experiment); 5] = [
    ("A", connect4_bots::section),
    ("B", hex_report::section),
    ("C", sudo_tutorial::section),
    ("D", minimax_slides::section),
    ("E", papers::section),
];

#[cfg(not(feature = "mpi"))]
fn main() -> ExitCode {
    let options = Options::parse();
    output::ended(run(options))
}

#[cfg(feature = "mpi")]
fn main() -> ExitCode {
    let options = Options::parse();
    match ramure_mpi::MpiLink::start() {
        Ok(link) => ramure_mpi::spread(link, || run(options)),
        Err(error) => output::ended(Err(error.into())),
    }
}

/// Writes to standard error how far the program is, on the first rank.
fn note(text: impl Display) {
    if ranks::is_first() {
        eprintln!("{text}");
    }
}

/// Tests every claim, and writes the report.
fn run(options: Options) -> Result<(), Failure> {
    let begin = Instant::now();
    let setting = Setting {
        quick: options.quick,
        threads: options.threads.map_or_else(cores, usize::from),
        seed: options.seed,
        folder: options.folder.clone(),
        from_page: if options.policies { "../" } else { "" },
    };
    let (path, all) = match options.policies {
        true => (setting.folder.join("evidence/policies.md"), &policies::SECTIONS[..]),
        false => (setting.folder.join("experiments.md"), &SECTIONS[..]),
    };
    create_folder(&path.with_file_name(""))?;
    let mut sections = Vec::new();
    for &(letter, experiment) in all {
        if options.only.is_empty() || options.only.iter().any(|only| only.eq_ignore_ascii_case(letter)) {
            note(format_args!("{letter} ..."));
            let section = experiment(&setting)?;
            note(format_args!("{}, after {:.0} s in all", section.title, begin.elapsed().as_secs_f64()));
            sections.push(section);
            // Write the report again after each section, so that none is lost if a later one fails.
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
        "{} of {all} claims hold, {open} are open, {failed} do not hold; see {}",
        all - failed - open,
        path.display()
    ))
}

/// Returns the whole report as text.
fn written(setting: &Setting, of_policies: bool, sections: &[Section], minutes: f64) -> String {
    let mut text = format!(
        "{}\n\n```sh\n\
         evidence/run.sh {}{}--folder docs --seed {}\n```\n\nin {minutes:.0} minutes on {}, {} threads{}{}. \
         Intervals are 95 % confidence intervals. The verdict *reproduced* means that {}.\n",
        if of_policies {
            "# Claims of the papers\n\nThis part shows whether policies do what their papers say, and how strong they are. It is written by"
        } else {
            "# Experiments\n\nThis chapter tests, with ramure, the claims of the sources from which this project grew. It is written by"
        },
        if of_policies { "--policies " } else { "" },
        if setting.quick { "--quick " } else { "" },
        setting.seed,
        machine(),
        setting.threads,
        match ranks::count() {
            1 => String::new(),
            count => format!(" on each of {count} ranks; this is the processor of the first one"),
        },
        when(),
        if of_policies {
            "the claim holds here, beyond the error"
        } else {
            "our figure equals theirs within the error of both; *beaten* means that ours is better, beyond the error"
        },
    );
    for section in sections {
        text += &format!("\n{section}");
    }
    spaced(&text)
}

/// Returns the date and the commit, if they are known.
fn when() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let date = said("date", &["+%F"]).map(|date| format!(", on {date}"));
    let commit = said("git", &["rev-parse", "--short", "HEAD"]).map(|commit| format!(", ramure {commit}"));
    date.unwrap_or_default() + &commit.unwrap_or_default()
}

/// Puts spaces between the thousands of numbers of five digits or more, outside of code and of links.
fn spaced(text: &str) -> String {
    let mut fenced = false;
    let line = |line: &str| {
        fenced ^= line.starts_with("```");
        if fenced {
            return line.to_owned();
        }
        let mut parts: Vec<String> = line.split('`').map(str::to_owned).collect();
        parts.iter_mut().step_by(2).for_each(|part| *part = spaced_words(part));
        parts.join("`")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The same for a text without code. A number that touches a letter or other sign of a name stays.
fn spaced_words(text: &str) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || "._-/#".contains(c);
    let mut spaced = String::new();
    for word in text.split_inclusive(|c| !is_of_name(c)) {
        let name = word.trim_end_matches(|c| !is_of_name(c));
        let digits = name.trim_end_matches('.');
        if digits.len() > 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            for (index, digit) in digits.chars().enumerate() {
                let starts_thousand = index > 0 && (digits.len() - index).is_multiple_of(3);
                spaced.extend(starts_thousand.then_some(' '));
                spaced.push(digit);
            }
            spaced += &word[digits.len()..];
        } else {
            spaced += word;
        }
    }
    spaced
}

/// Returns the name of the processor, if it is known.
fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    name.unwrap_or("an unknown processor").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_spaces_outside_of_code() {
        let text = "10901 of 10901, `c=10000` in 1000 plays (2114220). 2^16384 0.12345 a/12345 AES-12345\n```sh\n--n 20000\n```\n30000";
        let same = "10 901 of 10 901, `c=10000` in 1000 plays (2 114 220). 2^16 384 0.12345 a/12345 AES-12345\n```sh\n--n 20000\n```\n30 000";
        assert_eq!(spaced(text), same);
        assert_eq!(spaced(same), same);
    }
}
