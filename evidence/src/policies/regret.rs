//! Section F: the regret of every bandit policy.

use super::changing;
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::{SaveOnFirst, Setting};
use ramure_lab::Failure;
use ramure_lab::commands::bandit::{self, Row, Settings};
use ramure_lab::pictures::{Colour, Curve, Curves, Scale};

/// The policies, and whether the picture shows them. Words in capitals depend on the bandit: see [`text`].
const POLICIES: [(&str, bool); 19] = [
    ("ucb1:c=1.4142135", true),
    ("ucb1:c=0.5", false),
    ("ucb1-tuned", true),
    ("ucb-v", false),
    ("kl-ucb", true),
    ("moss", false),
    ("moss:horizon=PLAYS", true),
    ("single-player", false),
    ("single-player:c=0.7,d=0.01", false),
    ("bayes-uct:backprop=bayes", false),
    ("thompson", true),
    ("gaussian-thompson:sigma=0.5", false),
    ("epsilon-greedy", true),
    ("epsilon-n-greedy:c=0.1,d=GAP", false),
    ("boltzmann", false),
    ("boltzmann:tau=0.03", false),
    ("exp3", false),
    ("exp3:gamma=TUNED", true),
    (HALVING, false),
];

/// The policy that divides the plays in advance, so it is measured only at the end.
const HALVING: &str = "halving";

/// The number of bandits: those of section E, and harder ones with many arms or a small gap.
const BANDITS: usize = 5;

fn bandits() -> [(&'static str, Vec<f64>); BANDITS] {
    let best_and = |best: f64, others: f64, count: usize| [vec![best], vec![others; count]].concat();
    [
        ("easy", vec![0.9, 0.6]),
        ("ten arms", best_and(0.9, 0.6, 9)),
        ("ten arms, noisy", best_and(0.55, 0.45, 9)),
        ("fifty arms", best_and(0.7, 0.5, 49)),
        ("a small gap", vec![0.52, 0.5]),
    ]
}

/// A bound on a regret, given the arms and the number of plays.
type Bound = fn(&[f64], u32) -> f64;

/// Returns the policy as a text for this bandit.
fn text(policy: &str, arms: &[f64], plays: u32) -> String {
    policy
        .replace("PLAYS", &plays.to_string())
        .replace("TUNED", &format!("{:.5}", exp3_gamma(arms, plays)))
        .replace("GAP", &format!("{:.5}", arms[0] - arms[1]))
}

/// The results of one policy on every bandit.
struct Measured {
    policy: &'static str,
    rows: Vec<Row>,
}

impl Measured {
    fn of(policy: &'static str, settings: Settings) -> Result<Self, Failure> {
        crate::note(format_args!("  {policy}"));
        let end = [settings.plays];
        let rows = bandits().map(|(_, arms)| {
            let text = text(policy, &arms, settings.plays);
            match policy {
                HALVING => bandit::measure_at(&arms, &text, settings, &end),
                _ => bandit::measure(&arms, &text, settings),
            }
        });
        Ok(Measured { policy, rows: rows.into_iter().collect::<Result<_, _>>()? })
    }

    /// Judges whether the regret stays below a published bound.
    fn below(&self, source: &str, bound: Bound) -> Finding {
        let is_below = |row: &&Row| row.last().regret.value <= bound(&row.arms, row.last().plays);
        let below = self.rows.iter().filter(is_below).count();
        Finding::new(
            format!("The regret of `{}` is below the bound of its theorem", self.policy),
            source,
            format!("{below} of {BANDITS} bandits"),
            Verdict::of(below == BANDITS, "see the table"),
        )
    }

    /// Judges whether this policy loses less than another.
    fn better(&self, other: &Measured, source: &str) -> Finding {
        let pairs = || {
            self.rows.iter().zip(&other.rows).map(|(own, other)| [own, other].map(|row| row.last().regret))
        };
        let fewer = pairs().filter(|[own, other]| own.high < other.low).count();
        let more = pairs().filter(|[own, other]| own.low > other.high).count();
        Finding::new(
            format!("`{}` loses less than `{}`", self.policy, other.policy),
            source,
            format!("{fewer} of {BANDITS} bandits, more on {more}"),
            Verdict::of(fewer == BANDITS, "see the table"),
        )
    }

    /// Returns the growth of the regret over the last tenfold plays, relative to the lower bound for all
    /// policies.
    fn growth(&self, source: &str) -> Result<Finding, Failure> {
        let ratio = |row: &Row| {
            let last = row.last();
            let first =
                row.curve.iter().rfind(|point| point.plays <= last.plays / 10).ok_or("too few plays")?;
            let least = [last, *first].map(|point| lower_bound(&row.arms, point.plays));
            Ok::<_, Failure>(format!(
                "{:.1}",
                (last.regret.value - first.regret.value) / (least[0] - least[1])
            ))
        };
        let ratios = self.rows.iter().map(ratio).collect::<Result<Vec<_>, _>>()?;
        Ok(Finding::new(
            format!(
                "The regret of `{}` grows as slowly as possible: over the last tenfold plays, relative to Lai and Robbins",
                self.policy
            ),
            source,
            format!("{} times on the five bandits", ratios.join(", ")),
            Verdict::Observed("1 in the limit"),
        ))
    }
}

/// Measures all policies.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let (plays, runs) = (setting.pick(50_000, 2_000), setting.pick(40, 4));
    let settings = Settings { plays, runs, seed: setting.seed, threads: setting.threads };
    let mut section = Section {
        title: "Regret on bandits".into(),
        about: about(plays, runs),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    let all = POLICIES.map(|(policy, _)| Measured::of(policy, settings));
    let all = all.into_iter().collect::<Result<Vec<_>, _>>()?;
    let of = |policy: &str| all.iter().find(|measured| measured.policy == policy).ok_or("not measured");
    let ucb1 = of("ucb1:c=1.4142135")?;
    let least = "Lai and Robbins 1985, theorem 1, for long runs";
    section.findings.extend([
        ucb1.below("Auer et al. 2002a, theorem 1", bandit::bound),
        of("moss:horizon=PLAYS")?.below("Audibert and Bubeck 2009: 49 √(n K)", moss_bound),
        of("exp3:gamma=TUNED")?.below("Auer et al. 2002b, corollary 3.2: 2.63 √(n K ln K)", exp3_bound),
        of("kl-ucb")?.growth(least)?,
        of("thompson")?.growth(least)?,
        of("kl-ucb")?.better(ucb1, "Garivier and Cappé 2011"),
        of("ucb1-tuned")?.better(ucb1, "Auer et al. 2002a, section 4"),
        of("thompson")?.better(ucb1, "Chapelle and Li 2011, section 3"),
        of("moss:horizon=PLAYS")?.better(ucb1, "Audibert and Bubeck 2009: a better bound"),
    ]);
    section.parts.push(Part::Table(table(&all, plays)));
    let gammas = bandits().map(|(_, arms)| format!("{:.4}", exp3_gamma(&arms, plays)));
    section.parts.push(Part::Text(format!("TUNED is {} on the five bandits.", gammas.join(", "))));
    let (path, part) = setting.picture("regret_policies", "Regret over plays, ten arms")?;
    picture(&all, runs).save_on_first(path)?;
    section.parts.push(part);
    changing::add(setting, &mut section)?;
    Ok(section)
}

fn about(plays: u32, runs: u32) -> String {
    format!(
        "The regret of {plays} plays of Bernoulli arms against the best arm, as a mean of {runs} runs. Each policy runs in the search \
         itself. PLAYS stands for {plays}; GAP for the gap of the second arm \
         to the best, as in section 4 of Auer et al. 2002a; TUNED for the γ of corollary 3.2 of Auer et al. 2002b. `{HALVING}` \
         looks for the best arm and ignores the cost. `bayes` treats the arms as a player's choices and estimates their maximum."
    )
}

/// Returns the regret after all plays, and the bounds.
fn table(all: &[Measured], plays: u32) -> Table {
    let heads = bandits().map(|(name, arms)| format!("{name}: {}", bandit::label(&arms)));
    let mut table = Table::new([&["policy".to_owned()][..], &heads].concat());
    for Measured { policy, rows } in all {
        let cells = rows.iter().map(|row| {
            let regret = row.last().regret;
            format!("{:.0} ± {:.0}", regret.value, (regret.high - regret.low) / 2.0)
        });
        table.row([format!("`{policy}`")].into_iter().chain(cells));
    }
    let bounds: [(&str, Bound); 4] = [
        ("bound for `ucb1`", bandit::bound),
        ("bound for `moss:horizon=PLAYS`", moss_bound),
        ("bound for `exp3:gamma=TUNED`", exp3_bound),
        ("Lai and Robbins, for long runs", lower_bound),
    ];
    for (name, bound) in bounds {
        let cells = bandits().map(|(_, arms)| format!("{:.0}", bound(&arms, plays)));
        table.row([name.to_owned()].into_iter().chain(cells));
    }
    table
}

/// Draws some policies on the ten arms.
fn picture(all: &[Measured], runs: u32) -> Curves {
    let (name, arms) = &bandits()[1];
    let mut picture = Curves::new(format!("Regret on {name}, {}: {runs} runs", bandit::label(arms)))
        .x_label("plays")
        .x_scale(Scale::Log10)
        .y_label("regret [rewards lost], with 95 % bands")
        .y_scale(Scale::Log10);
    // While each arm is tried once, all policies are equal.
    let after_trials = |row: &Row| {
        row.curve.iter().copied().filter(|point| point.plays >= arms.len() as u32).collect::<Vec<_>>()
    };
    for (measured, _) in all.iter().zip(POLICIES).filter(|(_, (_, shown))| *shown) {
        let points = after_trials(&measured.rows[1]);
        let points = points.iter().map(|point| (f64::from(point.plays), point.regret));
        picture = picture.curve(Curve::of_estimates(measured.policy, points).band());
    }
    let bound = after_trials(&all[0].rows[1]);
    let bound = bound.iter().map(|point| (f64::from(point.plays), point.bound));
    picture.curve(Curve::new("bound for ucb1", bound).colour(Colour::Grey))
}

/// The upper bound on MOSS's expected regret if MOSS knows the number of plays: `49 sqrt(n K)` (Audibert and
/// Bubeck 2009, section on MOSS).
fn moss_bound(arms: &[f64], plays: u32) -> f64 {
    49.0 * (f64::from(plays) * arms.len() as f64).sqrt()
}

/// The `gamma` with which Exp3's theorem holds for `g = plays`: `min(1, sqrt(K ln K / ((e - 1) g)))` (Auer,
/// Cesa-Bianchi, Freund and Schapire 2002, corollary 3.2). For two or more arms.
fn exp3_gamma(arms: &[f64], plays: u32) -> f64 {
    let count = arms.len() as f64;
    (count * libm::log(count) / ((std::f64::consts::E - 1.0) * f64::from(plays))).sqrt().min(1.0)
}

/// The upper bound on Exp3's expected regret with that `gamma`: `2.63 sqrt(g K ln K)` (the same corollary).
/// The regret is measured against the arm that paid most. It is at least the regret against the best arm.
fn exp3_bound(arms: &[f64], plays: u32) -> f64 {
    let count = arms.len() as f64;
    2.63 * (f64::from(plays) * count * libm::log(count)).sqrt()
}

/// The lower bound on the regret, in the long run, of any policy that is good on all bandits: `ln n sum gap /
/// kl(arm, best)` over the arms that are not the best, with the divergence `kl` of Bernoulli arms (Lai and
/// Robbins 1985, theorem 1). The bound is on the growth: after `n` plays, a regret may be smaller.
fn lower_bound(arms: &[f64], plays: u32) -> f64 {
    let best = arms.iter().copied().fold(0.0, f64::max);
    let term = |p: f64, q: f64| if p > 0.0 { p * libm::log(p / q) } else { 0.0 };
    let divergence = |arm: f64| term(arm, best) + term(1.0 - arm, 1.0 - best);
    let worse = arms.iter().copied().filter(|&arm| arm < best);
    // Not `sum`, which returns -0 if there are no arms.
    libm::log(f64::from(plays))
        * worse.map(|arm| (best - arm) / divergence(arm)).fold(0.0, |sum, term| sum + term)
}

#[cfg(test)]
mod tests {
    use super::{exp3_bound, exp3_gamma, lower_bound, moss_bound};

    #[test]
    fn the_bounds_match_hand_computed_values() {
        let is = |value: f64, expected: f64| {
            assert!((value / expected - 1.0).abs() < 1e-4, "{value}, not {expected}");
        };
        is(moss_bound(&[0.9, 0.6], 50_000), 15_495.2);
        is(exp3_gamma(&[0.5; 10], 50_000), 0.016371);
        is(exp3_bound(&[0.5; 10], 50_000), 2_821.97);
        assert_eq!(exp3_gamma(&[0.5; 10], 5), 1.0);
        // .3 / (.6 ln (.6 / .9) + .4 ln (.4 / .1)) ln 1000
        is(lower_bound(&[0.9, 0.6], 1_000), 6.6583);
        is(lower_bound(&[0.6, 0.9, 0.9, 0.6], 1_000), 2.0 * 6.6583);
        // An arm that never pays: .9 / ln (1 / .1) ln 1000
        is(lower_bound(&[0.9, 0.0], 1_000), 2.7);
        for arms in [&[0.5][..], &[0.3, 0.3]] {
            assert_eq!(lower_bound(arms, 1_000).to_bits(), 0.0_f64.to_bits(), "{arms:?}");
        }
    }
}
