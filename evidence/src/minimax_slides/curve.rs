//! The convergence of the search to minimax: the share of optimal actions over its iterations.

use crate::positions::{quiet_position, stream};
use crate::report::{Finding, Part, Section, Verdict};
use crate::setting::{SaveOnFirst, Setting};
use ramure::{Budget, GameState, Player, Search, Turn};
use ramure_agents::AlphaBeta;
use ramure_games::Connect4;
use ramure_games::sudo_tic_tac_toe::{Mode, SudoTicTacToe};
use ramure_lab::Failure;
use ramure_lab::commands::parallel::try_map;
use ramure_lab::commands::{AnyAction, AnyGame};
use ramure_lab::contest::Estimate;
use ramure_lab::pictures::{Curve, Curves, Scale};

/// The numbers of iterations after which to check.
const ITERATIONS: [u64; 9] = [10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 100_000];

/// The share of optimal actions at every check.
type Shares = Vec<Estimate>;

/// Adds the claim to the section.
pub fn measure(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let looks = &ITERATIONS[..setting.pick(9, 8)];
    let positions = setting.pick(400, 40);
    let sudo = SudoTicTacToe::new;
    let games = [
        ("Connect 4, 22 stones", shares(setting, Connect4::new(), (22, positions), looks)?),
        ("Sudo mode 1, 44 marks", shares(setting, sudo(Mode::LocalWin), (44, positions), looks)?),
        ("Sudo mode 2, 56 marks", shares(setting, sudo(Mode::Ultimate), (56, positions), looks)?),
    ];
    let mut picture = Curves::new("Convergence to minimax: how often the search plays an optimal action")
        .size(960, 560)
        .x_label("iterations")
        .x_scale(Scale::Log10)
        .y_label("share of optimal actions")
        .y_percent()
        .y_within(0.0, 1.0);
    for (name, both) in &games {
        for (shares, kind) in both.iter().zip(["", ", solver"]) {
            let name = format!("{name}{kind}");
            let points = looks.iter().map(|&iterations| iterations as f64).zip(shares.iter().copied());
            picture = picture.curve(Curve::of_estimates(name, points));
        }
    }
    let shown = format!(
        "share of positions in which the search plays an optimal action, out of {positions} each, 95 % intervals"
    );
    let (path, part) = setting.picture("minimax_curve", &shown)?;
    picture.save_on_first(path)?;
    section.parts.push(Part::Text(format!(
        "The picture shows the share of optimal actions in {positions} random positions of each game. No action ends the game there, and some \
         actions are optimal and some are not, by alpha-beta to the end of the game. The searches are `Mcts::uct` \
         (c = sqrt 2), with and without `Solver`."
    )));
    section.parts.push(part);

    let last = looks.len() - 1;
    let all = || games.iter().flat_map(|(_, both)| both);
    let rises = all().all(|shares| shares[last].low > shares[0].high);
    let ends: Vec<String> = games
        .iter()
        .map(|(name, [plain, solver])| {
            format!("{name}: from {} to {}, with a solver to {}", plain[0], plain[last], solver[last])
        })
        .collect();
    let near = all().all(|shares| shares[last].value >= 0.95);
    section.findings.push(Finding::new(
        format!(
            "the more iterations, the closer to minimax (share of optimal actions, {} to {} iterations)",
            looks[0], looks[last]
        ),
        "no figure",
        ends.join("; "),
        Verdict::of(
            rises && near,
            "for some game the rise is within the error, or the share is below 0.95 at the last check",
        ),
    ));
    Ok(())
}

/// Returns the shares without and with a solver.
fn shares(
    setting: &Setting,
    start: impl Into<AnyGame>,
    (actions, positions): (u32, usize),
    looks: &[u64],
) -> Result<[Shares; 2], Failure> {
    let (start, known) = (&start.into(), AnyGame::registry());
    let right = try_map(setting.threads, positions, |index| {
        let mut rng = stream(setting.seed, index);
        let (state, optimal) = loop {
            let state = quiet_position(start, actions, &mut rng);
            let values = values(&state)?;
            let best = values.iter().map(|&(_, value)| value).fold(0.0, f64::max);
            let optimal = values.iter().filter(|&&(_, value)| value == best).map(|&(action, _)| action);
            let optimal = Vec::from_iter(optimal);
            if optimal.len() < values.len() {
                break (state, optimal);
            }
        };
        let plain =
            right(known.search("ucb1:c=1.4142135,solver=no", state.clone(), rng.bits())?, &optimal, looks)?;
        let solver = known.search("ucb1:c=1.4142135,solver=yes", state, rng.bits())?;
        Ok::<_, Failure>([plain, right(solver, &optimal, looks)?])
    })?;
    let share = |kind: usize, look: usize| {
        let count = right.iter().filter(|both| both[kind][look]).count();
        Estimate::wilson(count as f64, right.len() as u64).ok_or("there are no positions")
    };
    let shares = |kind| (0..looks.len()).map(|look| share(kind, look)).collect::<Result<Shares, _>>();
    Ok([shares(0)?, shares(1)?])
}

/// Returns the value of each action to the player to move, if both play perfectly.
fn values(state: &AnyGame) -> Result<Vec<(AnyAction, f64)>, Failure> {
    let mover = player(state)?;
    let value = |action: AnyAction| {
        let mut next = state.clone();
        next.apply(action);
        if next.turn() == Turn::Over {
            return Ok((action, next.reward(mover)));
        }
        let found = AlphaBeta::new(81).by_evaluation().look_ahead(&next)?;
        Ok((action, if player(&next)? == mover { found.value } else { 1.0 - found.value }))
    };
    state.actions().into_iter().map(value).collect()
}

fn player(state: &AnyGame) -> Result<Player, Failure> {
    match state.turn() {
        Turn::Player(player) => Ok(player),
        _ => Err("there is no player to move".into()),
    }
}

/// Returns, for each check, whether the search chooses an optimal action.
fn right(
    mut search: impl Search<Space = AnyGame>,
    optimal: &[AnyAction],
    looks: &[u64],
) -> Result<Vec<bool>, Failure> {
    let mut done = 0;
    let look = |&iterations: &u64| {
        let report = search.run(Budget::iterations(iterations - done))?;
        done = iterations;
        Ok(optimal.contains(&report.try_best_action()?))
    };
    looks.iter().map(look).collect()
}
