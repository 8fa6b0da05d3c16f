// The values of a game's positions: the bar beside the board, the curve over the game, and the marks of moves that lost much.

import { fraction } from "./numbers.js";
import { shape } from "./svg.js";

/** The colours of the players, as on the boards. */
const COLOURS = { Red: "#cc1f1f", Yellow: "#f0e442", Orange: "#d55e00", Blue: "#0072b2", Cross: "#d55e00", Circle: "#0072b2" };

/** From which loss of the mean a move has which mark. */
const MARKS = [
  [0.2, "??", "blunder"],
  [0.1, "?", "mistake"],
  [0.05, "?!", "inaccuracy"],
];

/** The mark of a move that lost so much, as a sign and a word; undefined if it lost little. */
export function markOf(loss) {
  const found = MARKS.find(([least]) => loss >= least);
  return found && { sign: found[1], word: found[2] };
}

/**
 * Shows the value of a position for the first player. Without one, which is null, the bar stays as it was and has no number, so that the
 * board beside it does not move while somebody clicks.
 */
export function showBar(bar, isShown, value, players) {
  bar.hidden = !isShown;
  bar.style.setProperty("--first", COLOURS[players[0]]);
  bar.style.setProperty("--second", COLOURS[players[1]]);
  if (value !== null) bar.style.setProperty("--value", value);
  bar.querySelector("b").textContent = value === null ? "" : fraction(value);
  bar.setAttribute("aria-label", value === null ? "no mean is known" : `mean of ${players[0]}: ${fraction(value)}`);
}

const [WIDTH, HEIGHT, LEFT, EDGE] = [320, 96, 28, 8];

/** Draws the values of the positions over the game in `place`, and marks position `ply`. Calls `look` with the position that is clicked. */
export function showCurve(place, judged, ply, players, look) {
  const known = judged.map((entry, index) => [index, entry?.value]).filter(([, value]) => value !== undefined);
  place.hidden = known.length < 2;
  if (place.hidden) return;
  const last = judged.length - 1;
  const x = (index) => LEFT + ((WIDTH - LEFT - EDGE) * index) / last;
  const y = (value) => EDGE + (HEIGHT - 2 * EDGE) * (1 - value);
  const line = known.map(([index, value]) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  svg.setAttribute("aria-label", `Mean of ${players[0]} over the game, from ${fraction(known[0][1])} to ${fraction(known.at(-1)[1])}`);
  for (const value of [0, 0.5, 1]) {
    svg.append(shape("path", { class: "rule", d: `M${LEFT} ${y(value)}H${WIDTH - EDGE}` }), shape("text", { x: LEFT - 5, y: y(value) + 3.5, "text-anchor": "end" }, String(value)));
  }
  svg.append(shape("path", { class: "area", d: `M${x(known[0][0])} ${y(0.5)}L${line}L${x(known.at(-1)[0])} ${y(0.5)}z` }), shape("path", { class: "curve", d: `M${line}` }));
  svg.append(shape("path", { class: "ply", d: `M${x(ply)} ${EDGE}V${HEIGHT - EDGE}` }));
  judged.forEach((entry, index) => {
    // The point after the move that lost.
    if (entry?.loss >= MARKS[1][0]) svg.append(shape("circle", { class: "lost", cx: x(index + 1), cy: y(judged[index + 1].value), r: 3.5 }));
  });
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    look(Math.min(last, Math.max(0, Math.round(((at - LEFT) / (WIDTH - LEFT - EDGE)) * last))));
  });
  const caption = document.createElement("p");
  caption.className = "about";
  caption.textContent = `Mean of ${players[0]} over the game. Click to go to a move, or use the buttons above.`;
  place.replaceChildren(svg, caption);
}
