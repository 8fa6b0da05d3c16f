//! Nested rollout policy adaptation.

use crate::attempts::{Attempts, Ended, fault};
use crate::driver::Optimizer;
use crate::weights::{Choices, MOST, Weights};
use ramure::{ActionCode, GameFault, GameState, ParameterError, Scored};

/// NRPA: nested rollout policy adaptation. A pass is one search of the highest level.
///
/// A rollout draws each action with a probability in proportion to `exp(w + β)`, where `w` is the weight of
/// the action's [code](ActionCode) and `β` is an optional [bias](Self::bias). A search of level n makes N
/// searches of the level below, which begin with its weights. After each, it *adapts* its weights: it makes
/// the actions of the best line so far more likely, by a step of gradient ascent. A search of level 0 is a
/// rollout. So a pass of level n makes Nⁿ rollouts.
///
/// **Use it** for puzzles whose good lines share many actions: it set the records of Morpion Solitaire. Try
/// it first; level 3 with N = 100 takes a million rollouts. [`NestedSearch`](crate::NestedSearch) needs no
/// codes, and suits puzzles in which an action means something different in each line.
///
/// **Parameters:** the level, at least 1. [`iterations`](Self::iterations), N. [`alpha`](Self::alpha), the
/// step. [`rollouts`](Self::rollouts): stabilised NRPA. [`bias`](Self::bias): generalised NRPA.
/// [`beam`](Self::beam): beam NRPA. **Cost:** a rollout looks up the weight of each legal action, and
/// allocates no memory. An adaptation takes about as long as a rollout.
///
/// A weight stays within ±300. The weights of a game with few codes usually fit into the cache. **Memory:**
/// about 55 bytes for each code that occurs, and 24 bytes for each code and level, with which a level takes
/// back its changes. It does not grow with N.
///
/// **Source:** Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, 2011, algorithms 1
/// and 2. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020 (without its temperature, which acts
/// like another `alpha`). Cazenave, Sevestre and Toulemont, *Stabilized Nested Rollout Policy
/// Adaptation*, 2020. Cazenave and Teytaud, *Beam Nested Rollout Policy Adaptation*, 2012.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::Morpion;
/// use ramure_puzzles::{Nrpa, Optimization};
/// let nrpa = Nrpa::new(2).iterations(20);
/// let best = Optimization::new(Morpion::disjoint(), nrpa).passes(1).run(Budget::iterations(1_000))?;
/// assert_eq!(best.rollouts, 400);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Nrpa<B = ()> {
    level: usize,
    iterations: usize,
    alpha: f64,
    rollouts: usize,
    beam: Option<(usize, usize)>,
    bias: B,
}

impl Nrpa {
    /// Creates the search of `level`, at least 1 and at most 10.
    pub fn new(level: usize) -> Self {
        Nrpa { level, iterations: 100, alpha: 1.0, rollouts: 1, beam: None, bias: () }
    }
}

/// The greatest step of an adaptation. With greater ones, the search finds worse lines than random play does.
const MOST_ALPHA: f64 = 5.0;

/// The highest level of a nested search.
pub(crate) const MOST_LEVEL: usize = 10;

impl<B> Nrpa<B> {
    /// Sets N, the number of searches that each level makes of the one below, at least 1. \[Default: 100\]
    #[must_use]
    pub fn iterations(mut self, iterations: usize) -> Self {
        self.iterations = iterations;
        self
    }

    /// Sets the step of the adaptation, above 0 and at most 5. \[Default: 1\]
    ///
    /// A step of α makes the actions of the best line up to exp(α) times as likely as others at once. Greater
    /// steps than 5 would repeat the first lines instead of searching: on Morpion Solitaire, 1 000 rollouts
    /// of level 1 with a step of 10 find 57.3 strokes, and random lines 60.0 (means of 10 runs, ± .9).
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// Makes this many rollouts at level 1 before each adaptation: stabilised NRPA. A pass of level n then
    /// makes P Nⁿ rollouts. At
    /// least 1. \[Default: 1\]
    #[must_use]
    pub fn rollouts(mut self, rollouts: usize) -> Self {
        self.rollouts = rollouts;
        self
    }

    /// Keeps the best `width` lines at `level`, each with weights of its own: beam NRPA. A search of that
    /// level makes N searches of the level below for each of them. The level is at least 1 and at most that
    /// of the search, the width at least 1. \[Default: one line at each level\]
    #[must_use]
    pub fn beam(mut self, level: usize, width: usize) -> Self {
        self.beam = Some((level, width));
        self
    }

    /// Adds a bias to the weight of each action: generalised NRPA. `bias` gets the state and the action, and
    /// returns a finite number, which is limited to ±300. Use it for what you know about an action: a bias of
    /// 1 makes it 2.7 times as likely as one of 0.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure_games::{Morpion, morpion::Stroke};
    /// use ramure_puzzles::{Nrpa, Optimization};
    /// let level = |_: &Morpion, stroke: Stroke| {
    ///     let [(_, row), .., (_, last)] = stroke.points();
    ///     if row == last { 0.5 } else { 0.0 }
    /// };
    /// let nrpa = Nrpa::new(1).bias(level);
    /// let best = Optimization::new(Morpion::disjoint(), nrpa).run(Budget::iterations(100))?;
    /// assert!(best.score > 20.0);
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn bias<F>(self, bias: F) -> Nrpa<F> {
        let Nrpa { level, iterations, alpha, rollouts, beam, .. } = self;
        Nrpa { level, iterations, alpha, rollouts, beam, bias }
    }

    /// Returns the width of the beam at `level`.
    fn width(&self, level: usize) -> usize {
        self.beam.map_or(1, |(at, width)| if at == level { width } else { 1 })
    }
}

/// The bias of each action in [`Nrpa`]: every `Fn(&G, G::Action) -> f64`, or `()` for none.
pub trait Bias<G: GameState> {
    /// Whether all biases are 0. Then [`Nrpa`] never calls [`bias`](Self::bias).
    const IS_ZERO: bool = false;

    /// Returns the bias of `action`, one of the actions of `state`.
    fn bias(&self, state: &G, action: G::Action) -> f64;
}

/// No bias: all actions whose codes have equal weights are equally likely.
impl<G: GameState> Bias<G> for () {
    const IS_ZERO: bool = true;

    fn bias(&self, _: &G, _: G::Action) -> f64 {
        0.0
    }
}

impl<G: GameState, F: Fn(&G, G::Action) -> f64> Bias<G> for F {
    fn bias(&self, state: &G, action: G::Action) -> f64 {
        self(state, action)
    }
}

/// A line, with everything that an adaptation needs.
#[derive(Clone)]
struct Sequence<A> {
    score: f64,
    actions: Vec<A>,
    /// The codes of all actions offered, step after step.
    codes: Vec<u64>,
    /// The exponentials of their biases. Without a bias, the list is empty.
    biases: Vec<f64>,
    /// For each step, the number of actions offered, and which of them was played.
    steps: Vec<(u32, u32)>,
}

impl<A> Sequence<A> {
    fn new() -> Self {
        Sequence {
            score: f64::NEG_INFINITY,
            actions: Vec::new(),
            codes: Vec::new(),
            biases: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.score = f64::NEG_INFINITY;
        self.actions.clear();
        self.codes.clear();
        self.biases.clear();
        self.steps.clear();
    }

    /// Returns the choices of the line, first to last.
    fn choices(&self) -> impl Iterator<Item = Choices<'_>> {
        let mut begun = 0;
        self.steps.iter().map(move |&(count, chosen)| {
            let range = begun..begun + count as usize;
            begun = range.end;
            Choices {
                codes: &self.codes[range.clone()],
                biases: self.biases.get(range).unwrap_or(&[]),
                chosen: chosen as usize,
            }
        })
    }
}

/// A line of a beam, with the changes that led to its weights.
struct Ray<A> {
    sequence: Sequence<A>,
    weights: Vec<(u64, f64)>,
}

/// The memory of a pass.
struct Work<A> {
    weights: Weights,
    /// For each level, the lines that its last search found, best first: one, or as many as its beam is wide.
    found: Vec<Vec<Sequence<A>>>,
    /// The actions of a state, and the running sums of their odds.
    actions: Vec<A>,
    sums: Vec<f64>,
}

impl<B> Nrpa<B> {
    /// Plays a rollout by the weights.
    fn play<G: Scored + ActionCode>(
        &self,
        attempts: &mut Attempts<'_, G>,
        work: &mut Work<G::Action>,
    ) -> Result<(), Ended>
    where
        B: Bias<G>,
    {
        let Work { weights, found, actions, sums } = work;
        let line = &mut found[0][0];
        line.clear();
        let mut state = attempts.root().clone();
        loop {
            attempts.list(&state, &line.actions, actions)?;
            if actions.is_empty() {
                break;
            }
            sums.clear();
            let mut sum = 0.0;
            for (index, action) in actions.iter().enumerate() {
                let code = state.action_code(action.clone());
                let mut odds = weights.factor(code);
                if !B::IS_ZERO {
                    let bias = self.bias.bias(&state, action.clone());
                    if !bias.is_finite() {
                        return Err(fault(GameFault::Heuristic { index }, line.actions.iter()));
                    }
                    let factor = libm::exp(bias.clamp(-MOST, MOST));
                    line.biases.push(factor);
                    odds *= factor;
                }
                sum += odds;
                line.codes.push(code);
                sums.push(sum);
            }
            let threshold = attempts.rng().unit() * sum;
            // The product may round up to the sum.
            let chosen = sums.iter().position(|&sum| threshold < sum).unwrap_or(sums.len() - 1);
            line.steps.push((actions.len() as u32, chosen as u32));
            let action = actions.swap_remove(chosen);
            line.actions.push(action.clone());
            state.apply(action);
        }
        line.score = attempts.finish(&state, &line.actions)?;
        Ok(())
    }

    /// Makes a search of `level`, and puts the lines that it found into `work.found[level]`. Leaves the
    /// weights unchanged.
    fn search<G: Scored + ActionCode>(
        &self,
        level: usize,
        attempts: &mut Attempts<'_, G>,
        work: &mut Work<G::Action>,
    ) -> Result<(), Ended>
    where
        B: Bias<G>,
    {
        if level == 0 {
            return self.play(attempts, work);
        }
        if self.width(level) > 1 {
            return self.search_beam(level, attempts, work);
        }
        let before = work.weights.enter();
        work.found[level][0].clear();
        let inner = if level == 1 { self.rollouts } else { 1 };
        for _ in 0..self.iterations {
            for _ in 0..inner {
                self.search(level - 1, attempts, work)?;
                let (below, own) = work.found.split_at_mut(level);
                if let ([below, ..], [own, ..]) = (&mut below[level - 1][..], &mut own[0][..])
                    && below.score >= own.score
                {
                    core::mem::swap(below, own);
                }
            }
            work.weights.adapt(self.alpha, work.found[level][0].choices());
        }
        work.weights.leave(before);
        Ok(())
    }

    /// Does the same as [`search`](Self::search) with a beam.
    fn search_beam<G: Scored + ActionCode>(
        &self,
        level: usize,
        attempts: &mut Attempts<'_, G>,
        work: &mut Work<G::Action>,
    ) -> Result<(), Ended>
    where
        B: Bias<G>,
    {
        let before = work.weights.enter();
        let inner = if level == 1 { self.rollouts } else { 1 };
        let mut beam = vec![Ray { sequence: Sequence::new(), weights: Vec::new() }];
        for _ in 0..self.iterations {
            // The lines of this round, each with the number of the ray whose weights it continues.
            let mut lines: Vec<(usize, Sequence<G::Action>)> = Vec::new();
            for (number, ray) in beam.iter_mut().enumerate() {
                work.weights.set(&ray.weights);
                for _ in 0..inner {
                    self.search(level - 1, attempts, work)?;
                    lines.extend(work.found[level - 1].iter().map(|line| (number, line.clone())));
                }
                let old = core::mem::replace(&mut ray.sequence, Sequence::new());
                if !old.steps.is_empty() {
                    lines.push((number, old));
                }
                work.weights.take_back(before);
            }
            // Of two lines with equal puzzle scores, the newer one goes first, as without a beam. A line that
            // occurs twice counts once.
            lines.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
            let mut next: Vec<Ray<G::Action>> = Vec::new();
            for (number, sequence) in lines {
                if next.len() == self.width(level) {
                    break;
                }
                if next.iter().any(|ray| ray.sequence.actions == sequence.actions) {
                    continue;
                }
                work.weights.set(&beam[number].weights);
                work.weights.adapt(self.alpha, sequence.choices());
                let mut weights = Vec::new();
                work.weights.since(before, &mut weights);
                work.weights.take_back(before);
                next.push(Ray { sequence, weights });
            }
            beam = next;
        }
        work.weights.leave(before);
        work.found[level] = beam.into_iter().map(|ray| ray.sequence).collect();
        Ok(())
    }
}

impl<G: Scored + ActionCode, B: Bias<G>> Optimizer<G> for Nrpa<B> {
    fn pass(&self, attempts: &mut Attempts<'_, G>) -> Result<(), Ended> {
        let mut work = Work {
            weights: Weights::default(),
            found: (0..=self.level).map(|_| vec![Sequence::new()]).collect(),
            actions: Vec::new(),
            sums: Vec::new(),
        };
        self.search(self.level, attempts, &mut work)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let level = (1..=MOST_LEVEL).contains(&self.level);
        ParameterError::unless(level, "Nrpa, level", self.level as f64, "in 1 to 10")?;
        let positive =
            |value: usize, name| ParameterError::unless(value > 0, name, value as f64, "at least 1");
        positive(self.iterations, "Nrpa::iterations")?;
        positive(self.rollouts, "Nrpa::rollouts")?;
        let alpha = self.alpha > 0.0 && self.alpha <= MOST_ALPHA;
        ParameterError::unless(alpha, "Nrpa::alpha", self.alpha, "above 0 and at most 5")?;
        let (level, width) = self.beam.unwrap_or((1, 1));
        positive(width, "Nrpa::beam, width")?;
        let fits = (1..=self.level).contains(&level);
        ParameterError::unless(fits, "Nrpa::beam, level", level as f64, "in 1 to the level of the search")
    }
}
