//! Paints a session: the status, the board, the curves, the tree with its actions as bars, the best line, the
//! keys.
#![expect(
    clippy::disallowed_methods,
    reason = "a scale on the screen need not be the same on every platform"
)]

use super::board::{board, marks};
use super::session::{Bars, Row, Session};
use crate::commands::{AnyAction, AnyGame};
use crate::several::{extent, joined};
use ramure::{GameState, Search, Turn};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType, Paragraph, Wrap};
use std::env;

/// Whether the screen has colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    /// Colours, and the same marks as without.
    Yes,
    /// No colours: the selected action is reversed, titles are bold.
    No,
}

impl Colors {
    /// Follows the variable `NO_COLOR`; see <https://no-color.org>.
    pub fn of_environment() -> Self {
        if env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) { Colors::No } else { Colors::Yes }
    }

    pub(super) fn of(self, color: Color) -> Style {
        if self == Colors::Yes { Style::new().fg(color) } else { Style::new() }
    }
}

/// From this width, the board is beside the actions.
const WIDE: u16 = 60;
/// From this height, a narrow window has the board above the actions.
const TALL: u16 = 18;
/// From this height, there is room for the line of keys and the best line.
const LOW: u16 = 8;
/// The least height of the curves, with their border.
const CURVES: u16 = 7;

/// The text of the line of keys: the longest one that finds room.
const KEYS: [&str; 3] = [
    "↑↓ select  → into  ← back  p play  u undo  space pause  m means  ? help  q quit",
    "↑↓ select  → into  ← back  p play  ? help  q quit",
    "? help  q quit",
];

/// The titles of the figures of a row, as wide as the figures.
const TITLES: [&str; 3] = ["visits", "  share", "    mean ±95%"];

const HELP: &str = "\
Up, Down     select an action
Right, Enter look at the position after it
Left         look at the position before
Home         look at the root
p            play it: its position becomes the root
u            take the last play back
Space        pause or resume the search
m            bars show means instead of visits
?            show or hide this help; Esc hides it, too
q, Esc       quit

Each row is an action: its visits, its share of them, its mean reward for the player who chooses it, and half of \
the 95 % interval of the mean. A row with `proven` shows the result of best play instead. Indented rows follow the row \
above them. The tree shows the most visited rows that fit. The best line follows the most visited actions. \
The curves are the means of the most visited actions of the root.";

/// Paints the session.
pub fn draw(frame: &mut Frame<'_>, session: &Session, colors: Colors) {
    let area = frame.area();
    let (status, rest) = split(area, Constraint::Length(1), Constraint::Fill(1));
    frame.render_widget(Paragraph::new(status_line(session, usize::from(area.width), colors)), status);
    if session.shows_help {
        let help = Paragraph::new(HELP).wrap(Wrap { trim: false }).scroll((session.help_line, 0));
        frame.render_widget(help.block(panel("↑↓ scroll  ? close", colors)), rest);
        return;
    }
    let rest = if area.height < LOW {
        rest
    } else {
        let [rest, line, keys] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)]).areas(rest);
        let best = session.best_line();
        let best = Line::from(vec![Span::styled("best line: ", bold()), Span::raw(names(&best))]);
        frame.render_widget(Paragraph::new(best), line);
        let fits = |keys: &&str| keys.chars().count() <= usize::from(area.width);
        let text = KEYS.into_iter().find(fits).unwrap_or_default();
        frame.render_widget(Paragraph::new(text).style(colors.of(Color::DarkGray)), keys);
        rest
    };
    let shown = session.shown();
    let draws = |width, height| board(&shown, session.last(), (width, height), colors);
    let actions = if area.width >= WIDE {
        // The actions need half of the width, the curves a third of the height.
        let board = draws(area.width / 2 - 2, (rest.height * 2 / 3).saturating_sub(2));
        let width = (board.width() as u16 + 2).clamp(area.width / 3, area.width / 2);
        let [left, right] = Layout::horizontal([Constraint::Length(width), Constraint::Fill(1)]).areas(rest);
        let height = board.height() as u16 + 2;
        if left.height >= height + CURVES {
            let (above, below) = split(left, Constraint::Length(height), Constraint::Fill(1));
            draw_board(frame, session, &shown, board, above, colors);
            draw_curves(frame, session, below, colors);
        } else {
            draw_board(frame, session, &shown, board, left, colors);
        }
        right
    } else if area.height >= TALL {
        let board = draws(0, 0);
        let (above, below) = split(rest, Constraint::Max(board.height() as u16 + 2), Constraint::Min(6));
        draw_board(frame, session, &shown, board, above, colors);
        below
    } else {
        rest
    };
    draw_actions(frame, session, actions, colors);
}

fn split(area: Rect, first: Constraint, second: Constraint) -> (Rect, Rect) {
    let [first, second] = Layout::vertical([first, second]).areas(area);
    (first, second)
}

fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

fn panel<'t>(title: impl Into<Line<'t>>, colors: Colors) -> Block<'t> {
    Block::bordered().title(title.into().style(bold())).border_style(colors.of(Color::DarkGray))
}

/// Returns a number in at most six characters, with a letter for its size from 10 000, as in `1.2M`.
fn short(number: f64) -> String {
    match number {
        1e9.. => format!("{:.1}G", number / 1e9),
        1e6.. => format!("{:.1}M", number / 1e6),
        1e4.. => format!("{:.0}k", number / 1e3),
        _ => format!("{number:.0}"),
    }
}

fn names(line: &[AnyAction]) -> String {
    joined(line, " ")
}

/// Returns the first line. Figures that find no room are left out, the last ones first.
fn status_line(session: &Session, width: usize, colors: Colors) -> Line<'static> {
    let (game, status) = (session.search.state().game_name(), format!(" {}", session.status()));
    let figures = [
        format!("  {} iterations", short(session.iterations as f64)),
        format!("  {}/s", short(session.rate)),
        format!("  {}", session.search.memory_usage()),
        format!("  depth {}", session.depth),
        format!("  {} nodes", short(session.nodes as f64)),
    ];
    let mut room = width.saturating_sub(game.chars().count() + status.chars().count());
    let mut shown = String::new();
    for figure in figures {
        let Some(rest) = room.checked_sub(figure.chars().count()) else { break };
        room = rest;
        shown += &figure;
    }
    Line::from(vec![
        Span::styled(game, bold()),
        Span::styled(status, colors.of(Color::Green)),
        Span::raw(shown),
    ])
}

fn draw_board(
    frame: &mut Frame<'_>,
    session: &Session,
    shown: &AnyGame,
    board: Text<'static>,
    area: Rect,
    colors: Colors,
) {
    let title = match session.walked() {
        [] => "position".to_owned(),
        walked => format!("after {}", names(walked)),
    };
    let mark = |player: u8| marks(shown)[usize::from(player)];
    let whose = match (shown.turn(), shown.reward(0)) {
        (Turn::Player(player), _) => format!("{} to move", mark(player)),
        (_, 0.5) => "a draw".into(),
        (_, reward) => format!("{} has won", mark(u8::from(reward < 0.5))),
    };
    frame.render_widget(Paragraph::new(board).block(panel(title.as_str(), colors).title_bottom(whose)), area);
}

/// Draws the means of the most visited actions of the root over the iterations, on a logarithmic scale.
fn draw_curves(frame: &mut Frame<'_>, session: &Session, area: Rect, colors: Colors) {
    const LOOKS: [(Color, Marker); 3] =
        [(Color::Cyan, Marker::Braille), (Color::Magenta, Marker::Dot), (Color::Gray, Marker::Dot)];
    let curves = session.favourites(LOOKS.len()).into_iter().map(|action| {
        let points = session.curve(action).into_iter().map(|(at, mean)| (at.log10(), mean));
        (action.to_string(), points.collect::<Vec<_>>())
    });
    let curves: Vec<_> = curves.collect();
    let points = || curves.iter().flat_map(|(_, points)| points);
    let ((first, last), (low, high)) =
        (extent(points().map(|point| point.0)), extent(points().map(|point| point.1)));
    let names = curves.iter().zip(LOOKS);
    let names = names.map(|((name, _), look)| Span::styled(format!(" {name}"), colors.of(look.0)));
    let block = panel(Line::from_iter([Span::raw("means:")].into_iter().chain(names)), colors);
    if first >= last {
        frame.render_widget(block, area);
        return;
    }
    // Round numbers with some room.
    let [low, high] = [(low * 100.0 - 0.2).floor(), (high * 100.0 + 0.2).ceil()];
    let [low, high] = [low.max(0.0) / 100.0, high.min(100.0) / 100.0];
    let datasets = curves.iter().zip(LOOKS).map(|((_, points), (color, marker))| {
        let line = Dataset::default().marker(marker).graph_type(GraphType::Line);
        line.style(colors.of(color)).data(points)
    });
    let iterations = [first, (first + last) / 2.0, last].map(|place| short(10f64.powf(place)));
    let means = [low, (low + high) / 2.0, high].map(|mean| format!("{mean:.2}"));
    let chart = Chart::new(datasets.collect())
        .block(block)
        .x_axis(Axis::default().bounds([first, last]).labels(iterations))
        .y_axis(Axis::default().bounds([low, high]).labels(means));
    frame.render_widget(chart, area);
}

fn draw_actions(frame: &mut Frame<'_>, session: &Session, area: Rect, colors: Colors) {
    let has_border = area.height >= 5 && area.width >= 16;
    let rows = session.tree(usize::from(area.height) - if has_border { 2 } else { 0 });
    let bars = if session.bars == Bars::Visits { "visits" } else { "means" };
    let longest = rows.iter().map(|row| row_name(row).chars().count()).max().unwrap_or(1);
    // A border leaves too little of a very small window.
    let area = if has_border {
        let title = format!("actions by {bars}");
        let titles = TITLES[..figures_that_fit(longest, usize::from(area.width - 2))].concat();
        let mut block = panel(title.as_str(), colors);
        // Titles that would cover the one of the panel are left out.
        if title.chars().count() + titles.chars().count() + 3 <= usize::from(area.width) {
            block = block.title(Line::from(titles).right_aligned());
        }
        let inside = block.inner(area);
        frame.render_widget(block, area);
        inside
    } else {
        area
    };
    let Some(selected) = session.selected_action() else {
        let why = match session.shown().turn() {
            Turn::Over => "the game is over here",
            _ => "the search has not been here",
        };
        frame.render_widget(Paragraph::new(why).wrap(Wrap { trim: true }), area);
        return;
    };
    let is_selected = |row: &Row| row.line == [selected];
    let of_actions = rows.iter().filter(|row| row.line.len() == 1);
    let all: u64 = of_actions.map(|row| u64::from(row.report.visits)).sum();
    // The selected row stays on the screen.
    let height = usize::from(area.height).max(1);
    let first = rows.iter().position(is_selected).map_or(0, |at| (at + 1).saturating_sub(height));
    let lines = rows.iter().skip(first).take(height).map(|row| {
        let mut style = Style::new();
        if is_selected(row) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let text = row_text(row, all, longest, usize::from(area.width), session.bars, is_selected(row));
        let [name, bar, figures] = text;
        let color = if row.line.len() == 1 { Color::Cyan } else { Color::DarkGray };
        Line::from(vec![Span::raw(name), Span::styled(bar, colors.of(color)), Span::raw(figures)])
            .style(style)
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}

/// Returns the name of a row, indented by its depth.
fn row_name(row: &Row) -> String {
    format!("{:depth$}{}", "", row.report.action, depth = row.line.len() - 1)
}

/// Returns how many of the figures find room beside a name of this length and a bar of three cells.
fn figures_that_fit(longest: usize, width: usize) -> usize {
    let room = width.saturating_sub(longest + 2 + 3);
    let ends = TITLES.iter().scan(0, |end, title| {
        *end += title.chars().count();
        Some(*end)
    });
    ends.take_while(|&end| end <= room).count()
}

/// Returns a row: the name, the bar, the figures. Figures that find no room are left out, the last ones
/// first.
fn row_text(row: &Row, all: u64, longest: usize, width: usize, bars: Bars, is_selected: bool) -> [String; 3] {
    let mark = if is_selected { '>' } else { ' ' };
    let name = format!("{mark}{:<longest$} ", row_name(row));
    let row = &row.report;
    let share = f64::from(row.visits) / all.max(1) as f64;
    let mean = match row.proof {
        Some(proof) => match proof {
            0.0 => "proven loss".into(),
            0.5 => "proven draw".into(),
            1.0 => "proven win".into(),
            other => format!("proven {other:.3}"),
        },
        None if row.visits == 0 => "-".into(),
        None => format!("{:.3} ±{:.3}", row.mean, (row.interval.1 - row.interval.0) / 2.0),
    };
    let figures = [
        format!("{:>6}", short(row.visits.into())),
        format!("{:>6.1}%", share * 100.0),
        format!("{mean:>13}"),
    ];
    let shown = figures[..figures_that_fit(longest, width)].concat();
    let room = width.saturating_sub(name.chars().count() + shown.chars().count());
    let length = match bars {
        Bars::Visits => share,
        Bars::Means => f64::from(row.proof.unwrap_or(row.mean)),
    };
    [name, bar(length.clamp(0.0, 1.0), room), shown]
}

/// Returns a bar of a share of `width` cells.
fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (share * (width * 8) as f64) as usize;
    let mut bar: String = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8]);
    }
    let len = bar.chars().count();
    bar + &" ".repeat(width.saturating_sub(len))
}
