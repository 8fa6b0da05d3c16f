// The list of moves to step through, and the review after the end of a game.

import { fraction } from "./numbers.js";
import { markOf } from "./values.js";

/** The mistakes that a review lists. */
const LISTED = 3;

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** How much of the mean the move after a judged position lost, as words; empty if it is not known or rounds to nothing. */
export const lossOf = (entry) => (entry?.loss >= 0.005 ? `lost ${fraction(entry.loss)}` : "");

/** Lists the moves of a game in `place`, with marks if `marked`. Calls `look` with the number of moves before the position that is chosen. */
export function showMoves(place, { moves, judged, ply }, marked, look) {
  const marks = moves.map((_, index) => (marked ? markOf(judged[index]?.loss) : undefined));
  const losses = moves.map((_, index) => (marked ? lossOf(judged[index]) : ""));
  // The list stays as it is while nothing in it changes, and so does the focus.
  const signature = `${moves}|${ply}|${marks.map((mark) => mark?.sign)}|${losses}`;
  if (place.dataset.signature === signature) return;
  const focused = [...place.querySelectorAll("button")].indexOf(document.activeElement);
  place.dataset.signature = signature;
  const button = (move, index) => {
    const mark = marks[index];
    const made = element("button", { type: "button", textContent: move });
    made.dataset.action = move;
    if (mark) made.append(element("span", { className: `mark ${mark.word}`, textContent: mark.sign }));
    made.setAttribute("aria-label", `move ${index + 1}: ${move}${mark ? `, ${mark.word}` : ""}${losses[index] && `, ${losses[index]}`}`);
    if (losses[index]) made.title = losses[index];
    if (index + 1 === ply) made.setAttribute("aria-current", "true");
    made.addEventListener("click", () => look(index + 1));
    return made;
  };
  const turns = [];
  for (let index = 0; index < moves.length; index += 2) turns.push(element("li", {}, ...moves.slice(index, index + 2).map((move, next) => button(move, index + next))));
  place.replaceChildren(...turns);
  const buttons = place.querySelectorAll("button");
  if (focused >= 0) buttons[Math.min(focused, buttons.length - 1)]?.focus();
  const current = place.querySelector("[aria-current]");
  if (current) place.scrollTop = current.offsetTop - place.offsetTop - place.clientHeight / 2;
}

/** Writes the review of a finished game: the moves that lost most, and what the search would have played. */
export function showReview(place, { moves, judged, result }, players, look) {
  place.hidden = result === null;
  if (place.hidden) return;
  const left = judged.filter((entry) => entry === null).length;
  const signature = `${moves}|${left}`;
  if (place.dataset.signature === signature) return;
  place.dataset.signature = signature;
  if (left > 0) {
    place.replaceChildren(element("p", { textContent: `Reviewing the game: ${judged.length - left} of ${judged.length} positions` }));
    return;
  }
  const losses = judged.map((entry, index) => ({ ...entry, index })).filter((entry) => markOf(entry.loss));
  const worst = losses.sort((a, b) => b.loss - a.loss).slice(0, LISTED);
  const row = ({ index, player, best, loss, value }) => {
    const before = player === 0 ? value : 1 - value;
    const { word } = markOf(loss);
    const button = element("button", { type: "button", className: "plain", textContent: `Move ${index + 1}, ${players[player]} ${moves[index]}` });
    button.addEventListener("click", () => look(index));
    return element("li", {}, button, ` was a${word === "inaccuracy" ? "n" : ""} ${word}: mean ${fraction(before)} to ${fraction(before - loss)}. The search plays `, element("b", { textContent: best }), ".");
  };
  const title = worst.length === 0 ? "No move lost 0.05 or more of the mean." : worst.length === 1 ? "The move that lost most" : `The ${worst.length} moves that lost most`;
  place.replaceChildren(element("h3", { textContent: title }), element("ol", {}, ...worst.map(row)));
}
