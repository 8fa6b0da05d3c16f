// The board: draws the position, marks the results of the search, and takes moves by mouse, touch and keyboard.

import { fraction } from "./numbers.js";
import { shape } from "./svg.js";

/** A board in `place`. Calls `play` with the action that the visitor chooses, and `point` with the one under the pointer, or null. */
export function createBoard(place, play, point) {
  let picture = null;
  let cells = new Map();
  let overlay = null;
  let ghosts = null;
  let isOpen = false;
  /** The action of the cell that the Tab key reaches. */
  let current = null;

  function draw(view, title) {
    if (view.picture === picture) return;
    const hadFocus = place.contains(document.activeElement);
    picture = view.picture;
    // The picture is the engine's own: no text of a visitor is in it.
    place.innerHTML = picture;
    const svg = place.firstElementChild;
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `${title}: the board`);
    cells = new Map();
    for (const cell of svg.querySelectorAll("[data-action]")) {
      cells.set(cell.dataset.action, cell);
      cell.setAttribute("role", "button");
      cell.classList.toggle("column", cell.getBBox().height > 1.5 * cell.getBBox().width);
    }
    [overlay, ghosts] = [0, 1].map(() => shape("g", { class: "overlay", "aria-hidden": "true" }));
    svg.append(overlay, ghosts);
    if (!cells.has(current)) current = nearest() ?? null;
    setTabs();
    if (hadFocus) cells.get(current)?.focus();
  }

  /** The legal cell that is nearest to the middle. */
  function nearest() {
    const keys = [...cells.keys()];
    return keys[Math.floor(keys.length / 2)];
  }

  function setTabs() {
    for (const [action, cell] of cells) {
      cell.setAttribute("tabindex", isOpen && action === current ? "0" : "-1");
      cell.setAttribute("aria-disabled", String(!isOpen));
    }
    place.classList.toggle("open", isOpen);
  }

  /** Writes numbers on the cells: `show` is "visits", "means" or "nothing". Marks the advised and the played action. */
  function mark(report, hint, played, show) {
    overlay.replaceChildren();
    const entries = new Map((report?.actions ?? []).map((entry) => [entry.action, entry]));
    for (const [action, cell] of cells) {
      const entry = entries.get(action);
      const share = entry && show !== "nothing" ? entry.share : 0;
      cell.style.setProperty("--share", share.toFixed(3));
      cell.classList.toggle("hint", action === hint);
      cell.classList.toggle("played", action === played);
      const said = entry?.visits > 0 ? `, share of visits ${fraction(entry.share)}, mean ${fraction(entry.mean)}` : "";
      cell.setAttribute("aria-label", `play ${action}${said}${action === hint ? ", advised" : ""}`);
      // A share that would be written as 0.00 says less than an empty cell.
      if (!entry || entry.visits === 0 || show === "nothing" || (show === "visits" && entry.share < 0.005 && entry.proof === null)) continue;
      const box = cell.getBBox();
      const side = Math.min(box.width, box.height);
      const isColumn = box.height > 1.5 * box.width;
      const [x, y] = [box.x + box.width / 2, box.y + (isColumn ? side : box.height) / 2];
      if (isColumn) {
        // The stones in a column keep their colours: only the topmost hole, which is free, shows the share.
        const hole = shape("circle", { cx: x, cy: y, r: 0.4 * side });
        hole.style.setProperty("--share", share.toFixed(3));
        overlay.append(hole);
      }
      const proven = { 1: "win", 0.5: "draw", 0: "loss" }[entry.proof];
      const text = shape("text", { x, y, "font-size": side * 0.3 }, proven ?? fraction(show === "visits" ? entry.share : entry.mean));
      if (action === report.best) text.setAttribute("class", "best");
      overlay.append(text);
    }
  }

  /** The stones of a picture, by player and place. */
  function stonesOf(picture) {
    const template = document.createElement("template");
    template.innerHTML = picture;
    const place = (stone) => stone.getAttribute("d") ?? `${stone.getAttribute("cx")} ${stone.getAttribute("cy")}`;
    return new Map([...template.content.querySelectorAll(".p0, .p1")].filter((stone) => !stone.matches(".board")).map((stone) => [`${stone.classList[0]} ${place(stone)}`, stone]));
  }

  /** Draws the moves of a line as numbered stones. `pictures` are those of the positions along the line. */
  function drawLine(pictures) {
    ghosts.replaceChildren();
    overlay.toggleAttribute("hidden", pictures.length > 1);
    let before = stonesOf(pictures[0] ?? "");
    pictures.slice(1).forEach((picture, index) => {
      const after = stonesOf(picture);
      for (const [key, stone] of after) {
        if (before.has(key)) continue;
        ghosts.append(stone);
        const box = stone.getBBox();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        ghosts.append(shape("text", { x, y, "font-size": 0.55 * Math.max(box.width, 18) }, String(index + 1)));
      }
      before = after;
    });
  }

  function choose(target) {
    const action = target.closest?.("[data-action]")?.dataset.action;
    if (action !== undefined && isOpen) {
      current = action;
      play(action);
    }
  }

  /** The nearest cell in a direction from the one with the focus. */
  function neighbour(from, dx, dy) {
    const middle = (cell) => {
      const { x, y, width, height } = cell.getBBox();
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(from);
    let best = null;
    for (const [action, cell] of cells) {
      const [cellX, cellY] = middle(cell);
      const along = (cellX - x) * dx + (cellY - y) * dy;
      const across = Math.abs((cellX - x) * dy) + Math.abs((cellY - y) * dx);
      if (along > 1 && (best === null || along + 2 * across < best.distance)) {
        best = { action, distance: along + 2 * across };
      }
    }
    return best?.action;
  }

  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  place.addEventListener("click", (event) => choose(event.target));
  place.addEventListener("pointerover", (event) => point(event.target.closest?.("[data-action]")?.dataset.action ?? null));
  place.addEventListener("pointerleave", () => point(null));
  place.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(event.target);
    } else if (event.key in DIRECTIONS) {
      event.preventDefault();
      const next = neighbour(event.target, ...DIRECTIONS[event.key]);
      if (next !== undefined) {
        current = next;
        setTabs();
        cells.get(next).focus();
      }
    }
  });

  return {
    /** Shows a position. `open` says whether the visitor is to move, `report` what to write on the cells. */
    show(view, { title, open, report, hint, played, show }) {
      isOpen = open;
      draw(view, title);
      setTabs();
      mark(report, hint, played, show);
    },
    drawLine,
    /** Returns whether an action has a cell. */
    has: (action) => cells.has(action),
  };
}
