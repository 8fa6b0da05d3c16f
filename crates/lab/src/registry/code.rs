//! The search of a text as a line of Rust.

use super::parameters::Asked;

/// The parameters of a text, as a line of Rust is made of them.
struct Values<'a>(&'a [Asked]);

/// The search of the agent `mcts` whose text has these parameters. `None` if a part or a setting has no code
/// here: parts that the program added, threads, windows, and the like.
pub(crate) fn code(asked: &[Asked]) -> Option<String> {
    let all = Values(asked);
    // What the line would not say.
    let says =
        ["policy", "rollout", "backprop", "solver", "expand", "depth", "fpu", "order", "final", "a", "c"];
    let is_left_out = |asked: &Asked| {
        let is_optional = asked.part.is_none() || asked.default.is_none();
        asked.written.is_some() && is_optional && !says.contains(&&*asked.name)
    };
    if asked.iter().any(is_left_out) {
        return None;
    }
    let [policy, rollout, backprop] = ["policy", "rollout", "backprop"].map(|part| all.get(None, part));
    let rollout_code = rollout_policy(&rollout, &all)?;
    let tau = asked.iter().any(|asked| asked.part == Some("policy") && asked.name == "prior-tau");
    let rollout_code = match tau {
        true => format!(
            ".rollout_policy(EvaluationPriors::new({rollout_code}, {}))",
            all.number("policy", "prior-tau")
        ),
        false if rollout == "uniform" => String::new(),
        false => format!(".rollout_policy({rollout_code})"),
    };
    let backprop = backpropagation(&backprop, &all)?;
    let backprop =
        if all.get(None, "solver") == "yes" { format!("Solver::new({backprop})") } else { backprop };
    let policy = tree_policy(&policy, &all)?;
    let mut line = format!("Mcts::new(game).tree_policy({policy}){rollout_code}.backprop({backprop})");
    let mut expansion = String::new();
    if let Some(visit) = all.written("expand") {
        expansion += &format!(".on_visit({visit})");
    }
    if let Some(plies) = all.written("depth") {
        expansion += &format!(".depth({plies})");
    }
    if let Some(value) = all.written("fpu") {
        expansion += &match value.strip_prefix("mean-") {
            Some(below) => format!(".first_play(FirstPlay::BelowMean({}))", float(below)),
            None => format!(".first_play(FirstPlay::Value({}))", float(value)),
        };
    }
    match all.written("order") {
        Some("listed") => expansion += ".order(Order::AsListed)",
        Some("prior") => expansion += ".order(Order::Prior)",
        _ => {}
    }
    if !expansion.is_empty() {
        line += &format!(".expansion(Expansion::default(){expansion})");
    }
    line += &match all.written("final") {
        Some("robust") => ".root_decision(RootDecision::Robust)".to_owned(),
        Some("max") => ".root_decision(RootDecision::Max)".to_owned(),
        Some("secure") => format!(".root_decision(RootDecision::Secure({}))", float(&all.get(None, "a"))),
        Some(_) => return None,
        None => String::new(),
    };
    Some(line)
}

fn tree_policy(word: &str, all: &Values<'_>) -> Option<String> {
    let n = |name: &str| all.number("policy", name);
    let rescaled = || if all.get(Some("policy"), "rescale") == "yes" { ".rescaled()" } else { "" };
    let puct = || {
        let reduction = n("fpu-reduction");
        let reduction =
            if reduction == "0.0" { String::new() } else { format!(".fpu_reduction({reduction})") };
        format!("Puct::new({}){reduction}", all.exploration())
    };
    Some(match word {
        "ucb1" => format!("Ucb1::new({})", all.exploration()),
        "ucb1-tuned" => format!("Ucb1Tuned::new({})", n("c")),
        "ucb-v" => format!("UcbV::new({}, {})", n("zeta"), n("c")),
        "kl-ucb" => format!("KlUcb::new({})", n("c")),
        "moss" => "Moss::new()".into(),
        "single-player" => format!("SinglePlayer::new({}, {})", n("c"), n("d")),
        "bayes-uct" if n("formula") == "1.0" => format!("BayesUct::first({})", n("c")),
        "bayes-uct" => format!("BayesUct::second({})", n("c")),
        "shot" => "Shot::new()".into(),
        "halving" => format!("AtRoot::new(SequentialHalving::new(), Ucb1::new({}))", all.exploration()),
        "thompson" => "Thompson".into(),
        "gaussian-thompson" => format!("GaussianThompson::new({})", n("sigma")),
        "epsilon-greedy" => format!("EpsilonGreedy::new({})", n("epsilon")),
        "epsilon-n-greedy" => format!("EpsilonGreedy::decreasing({}, {})", n("c"), n("d")),
        "boltzmann" => format!("Boltzmann::new({})", n("tau")),
        "exp3" => format!("Exp3::new({})", n("gamma")),
        "grave" => format!("Grave::new({}, {})", n("ref"), n("bias")),
        "hrave" => format!("Grave::hrave({})", n("bias")),
        "rave" => format!("Rave::new({}).exploration({})", n("bias"), n("c")),
        "rave-k" => format!("Rave::hand_selected({}).exploration({})", n("k"), n("c")),
        "alpha-amaf" => format!("AlphaAmaf::new({}, {})", n("alpha"), all.exploration()),
        "progressive-history" => format!("ProgressiveHistory::new({}, {})", all.exploration(), n("weight")),
        "puct" => puct(),
        "puct-noise" => {
            format!("AtRoot::new(Dirichlet::scaled({}).epsilon({}), {})", n("total"), n("epsilon"), puct())
        }
        "gumbel" => {
            let scale = format!("{}, {}", n("c-visit"), n("c-scale"));
            let root = format!("GumbelRoot::new({}).scale({scale}).noise({})", n("actions"), n("noise"));
            format!("AtRoot::new({root}, CompletedValues::new({scale})){}", rescaled())
        }
        "completed" => format!("CompletedValues::new({}, {}){}", n("c-visit"), n("c-scale"), rescaled()),
        "progressive-bias" => format!("ProgressiveBias::new({}, {})", all.exploration(), n("weight")),
        _ => return None,
    })
}

fn rollout_policy(word: &str, all: &Values<'_>) -> Option<String> {
    let n = |name: &str| all.number("rollout", name);
    let is = |name: &str| all.get(Some("rollout"), name) == "yes";
    Some(match word {
        "uniform" => "Uniform".into(),
        "cutoff" => format!("Cutoff::new({})", n("actions")),
        "cutoff-random" => format!("Cutoff::with_probability({})", n("probability")),
        "cutoff-decided" => format!("Cutoff::when_decided({}).every({})", n("margin"), n("every")),
        "evaluation" => "Cutoff::new(0)".into(),
        // A function of yours: the evaluation of the state after an action, for the player to move.
        "epsilon-greedy" => format!("EpsilonGreedyRollouts::new({}, value_after)", n("epsilon")),
        "softmax" => format!("Softmax::new({}, value_after)", n("tau")),
        "decisive" => format!("Decisive::new(){}", if is("anti") { ".anti()" } else { "" }),
        "mast" => format!("Mast::new({})", n("epsilon")),
        "mast-gibbs" => format!("Mast::gibbs({})", n("tau")),
        "nst" => format!("Nst::new({}, {}).k({})", n("longest"), n("epsilon"), n("k")),
        "lgr" if is("forgets") => format!("LastGoodReply::forgetting({})", n("actions")),
        "lgr" => format!("LastGoodReply::new({})", n("actions")),
        "ppa" => format!("Ppa::new({})", n("alpha")),
        "multiple" => format!("MultipleRollouts::new({}, Uniform)", n("rollouts")),
        "mixed" => format!("Mixed::new(Cutoff::new(0), Uniform).lambda({})", n("lambda")),
        _ => return None,
    })
}

fn backpropagation(word: &str, all: &Values<'_>) -> Option<String> {
    let n = |name: &str| all.number("backprop", name);
    Some(match word {
        "average" => "Average".into(),
        "contempt" => format!("Contempt::new({}, Average)", n("draw")),
        "relative-bonus" => format!("RelativeBonus::new({}, {}, Average)", n("k"), n("bonus")),
        "discounted" => format!("Discounted::new({})", n("gamma")),
        "recency-weighted" => format!("RecencyWeighted::new({})", n("alpha")),
        "max" => "MaxBackup".into(),
        "power-mean" => format!("PowerMean::new({})", n("power")),
        "softmax" => format!("SoftmaxBackup::new({})", n("tau")),
        "bayes" => "BayesBackup".into(),
        "implicit-minimax" => format!("ImplicitMinimax::new({}, Average)", n("alpha")),
        "score-bounds" if all.get(Some("backprop"), "general") == "yes" => {
            "ScoreBounds::general(Average)".into()
        }
        "score-bounds" => "ScoreBounds::new(Average)".into(),
        _ => return None,
    })
}

impl Values<'_> {
    fn asked(&self, part: Option<&str>, name: &str) -> Option<&Asked> {
        let is = |asked: &&Asked| {
            // If two parts share a name, it begins with the part.
            let own = part.and_then(|part| asked.name.strip_prefix(part)?.strip_prefix('-'));
            asked.part == part && (asked.name == name || own == Some(name))
        };
        self.0.iter().find(is)
    }

    /// The value of a parameter: as written, or the default; empty if there is neither.
    fn get(&self, part: Option<&str>, name: &str) -> String {
        let value = self.asked(part, name).and_then(|asked| asked.written.clone().or(asked.default.clone()));
        value.unwrap_or_default()
    }

    /// The value of a setting that is not the default.
    fn written(&self, name: &str) -> Option<&str> {
        self.asked(None, name)?.written.as_deref()
    }

    /// The value of a parameter as a literal.
    fn number(&self, part: &str, name: &str) -> String {
        let value = self.get(Some(part), name);
        let is_whole = self.asked(Some(part), name).is_some_and(|asked| asked.values.starts_with("a whole"));
        if is_whole { value } else { float(&value) }
    }

    /// The exploration constant of a tree policy.
    fn exploration(&self) -> String {
        match &*self.get(Some("policy"), "c") {
            "" => format!("Exploration::deviations({})", self.number("policy", "k")),
            c => float(c),
        }
    }
}

/// A number as a literal of Rust.
fn float(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(core::f64::consts::SQRT_2) => "std::f32::consts::SQRT_2".into(),
        Ok(number) => format!("{number:?}"),
        Err(_) => text.into(),
    }
}
