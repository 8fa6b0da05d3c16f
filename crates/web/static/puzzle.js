// A puzzle to watch: a search plays SameGame, move by move.

import { ask, listen } from "./channel.js";
import { fraction, grouped } from "./numbers.js";
import { shape } from "./svg.js";
import { isSeen, isStill, whenOpened } from "./tabs.js";

const find = (id) => document.getElementById(id);
/** The iterations between two pictures. */
const SLICE = 250;
/** The milliseconds for which a choice is on the board before it is played. */
const PAUSE = 400;
/** The most groups in the table. */
const ROWS = 6;
/** From which share of the visits a group shows its share on the board. */
const LEAST_SHARE = 0.05;
/** Colours that the colour-blind can tell apart (Okabe and Ito 2008). */
const COLOURS = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#cc79a7"];

let latest = null;
/** The points, and those that the search expects at the end, before each move. */
let values = [];
/** The answers that have not come yet: only the last one is about what was asked last. */
let asked = 0;
let runs = !isStill;
/** Whether the search plays one move and then waits. */
let once = false;
let board = 1;
let timer;

function request(details) {
  asked += 1;
  ask("puzzle", details);
}

function begin() {
  clearTimeout(timer);
  [values, once] = [[], false];
  request({ board, seed: Math.floor(2 ** 32 * Math.random()) });
}

/** Asks for what comes next: more iterations, or the move. */
function go() {
  clearTimeout(timer);
  if (asked > 0 || !(runs || once)) return;
  if (!isSeen("puzzle")) {
    timer = setTimeout(go, PAUSE);
    return;
  }
  const rest = Number(find("puzzle-effort").value) - latest.iterations;
  if (rest > 0) request({ think: Math.min(SLICE, rest) });
  else timer = setTimeout(() => (runs || once) && request({ play: true }), PAUSE);
}

listen("puzzle", ({ puzzle }) => {
  asked -= 1;
  if (asked > 0) return;
  if (puzzle.moves > 0 && puzzle.iterations === 0) once = false;
  latest = puzzle;
  values[puzzle.moves] = { points: puzzle.points, expected: puzzle.is_over ? puzzle.points : puzzle.groups[0]?.points };
  if (puzzle.is_over) runs = false;
  draw();
  go();
});

const shareOf = ({ visits }) => visits / Math.max(1, latest.groups.reduce((sum, group) => sum + group.visits, 0));

/** The board: the next group has a frame, and groups show their shares of the visits. */
function drawBoard() {
  const side = latest.columns.length;
  const svg = shape("svg", { viewBox: `0 0 ${10 * side} ${10 * side}`, role: "img" });
  const left = latest.columns.flat().filter((colour) => colour > 0).length;
  svg.setAttribute("aria-label", `${left} blocks, ${grouped(latest.points)} points`);
  const block = (column, row, colour, kind) =>
    shape("rect", { class: kind, x: 10 * column + 0.6, y: 10 * (side - 1 - row) + 0.6, width: 8.8, height: 8.8, rx: 1, fill: COLOURS[colour - 1] });
  latest.columns.forEach((colours, column) =>
    colours.forEach((colour, row) => {
      if (colour > 0) svg.append(block(column, row, colour, ""));
    }),
  );
  const [best] = latest.groups;
  if (best) svg.append(...best.blocks.map(([column, row]) => block(column, row, best.colour, "next")));
  for (const group of latest.groups) {
    const [column, row] = group.blocks[0];
    if (shareOf(group) < LEAST_SHARE) continue;
    svg.append(shape("text", { x: 10 * column + 5, y: 10 * (side - 1 - row) + 5.2 }, fraction(shareOf(group))));
  }
  find("blocks").replaceChildren(svg);
}

function drawGroups() {
  const most = Math.max(1, ...latest.groups.map(({ visits }) => visits));
  find("groups").replaceChildren(
    ...latest.groups.slice(0, ROWS).map((group, index) => {
      const row = document.createElement("tr");
      if (index === 0) row.className = "best";
      const name = Object.assign(document.createElement("th"), { scope: "row", textContent: group.group });
      const swatch = Object.assign(document.createElement("i"), { className: "swatch" });
      swatch.style.background = COLOURS[group.colour - 1];
      name.prepend(swatch);
      const cells = [group.blocks.length, grouped(group.visits), grouped(group.points)].map((textContent) => Object.assign(document.createElement("td"), { textContent }));
      cells[1].className = "bar";
      cells[1].style.setProperty("--length", group.visits / most);
      row.append(name, ...cells);
      return row;
    }),
  );
}

function drawCurve() {
  const [width, height, left, edge] = [320, 110, 40, 10];
  const expected = values.flatMap((value, index) => (value?.expected === undefined ? [] : [[index, value.expected]]));
  const all = [...values.map(({ points }) => points), ...expected.map(([, points]) => points)];
  const [least, most] = [Math.min(0, ...all), Math.max(100, ...all)];
  const x = (index) => left + ((width - left - edge) * index) / Math.max(20, values.length - 1);
  const y = (points) => height - edge - ((height - 2 * edge) * (points - least)) / (most - least);
  const path = (points) => `M${points.map(([index, value]) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}`;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.setAttribute("aria-label", `Points after ${values.length - 1} moves: ${grouped(latest.points)}${expected.length > 0 ? `; expected at the end: ${grouped(expected.at(-1)[1])}` : ""}`);
  for (const points of [0, most]) {
    svg.append(shape("path", { class: "rule", d: `M${left} ${y(points)}H${width - edge}` }), shape("text", { x: left - 5, y: y(points) + 3.5, "text-anchor": "end" }, grouped(points)));
  }
  svg.append(shape("path", { class: "curve points", d: path(values.map(({ points }, index) => [index, points])) }));
  if (expected.length > 0) svg.append(shape("path", { class: "curve", d: path(expected) }));
  find("points").replaceChildren(svg);
}

function draw() {
  const said = `${latest.is_over ? "The end: " : ""}${latest.moves} move${latest.moves === 1 ? "" : "s"}, ${grouped(latest.points)} point${latest.points === 1 ? "" : "s"}`;
  if (find("puzzle-status").textContent !== said) find("puzzle-status").textContent = said;
  find("puzzle-play").textContent = runs ? "Pause" : "Play";
  find("puzzle-play").disabled = find("puzzle-once").disabled = latest.is_over;
  find("puzzle-iterations").textContent = `Iterations for this move: ${grouped(latest.iterations)}`;
  drawBoard();
  drawGroups();
  drawCurve();
}

find("puzzle-play").addEventListener("click", () => {
  if (latest === null) return;
  runs = !runs;
  draw();
  go();
});
find("puzzle-once").addEventListener("click", () => {
  [runs, once] = [false, true];
  go();
});
find("puzzle-new").addEventListener("click", () => {
  board = Math.floor(2 ** 32 * Math.random());
  begin();
});
find("puzzle-again").addEventListener("click", begin);
whenOpened("puzzle", begin);
