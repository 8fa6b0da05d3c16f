// The board: draws the position, marks what the search thinks, and takes moves by mouse, touch and keyboard.

const SVG = "http://www.w3.org/2000/svg";
const percent = (share) => `${Math.round(100 * share)}`;

/** A board in `place`. Calls `play` with the action that the visitor chooses. */
export function createBoard(place, play) {
  let picture = null;
  let cells = new Map();
  let overlay = null;
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
    overlay = document.createElementNS(SVG, "g");
    overlay.setAttribute("class", "overlay");
    overlay.setAttribute("aria-hidden", "true");
    svg.append(overlay);
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

  /** Writes numbers on the cells: `show` is "visits", "means" or "nothing". */
  function mark(report, hint, show) {
    overlay.replaceChildren();
    const entries = new Map((report?.actions ?? []).map((entry) => [entry.action, entry]));
    for (const [action, cell] of cells) {
      const entry = entries.get(action);
      const share = entry && show !== "nothing" ? entry.share : 0;
      cell.style.setProperty("--share", share.toFixed(3));
      cell.classList.toggle("hint", action === hint);
      const said = entry?.visits > 0 ? `, ${percent(entry.share)} % of visits, mean ${percent(entry.mean)} %` : "";
      cell.setAttribute("aria-label", `play ${action}${said}${action === hint ? ", advised" : ""}`);
      if (!entry || entry.visits === 0 || show === "nothing") continue;
      const box = cell.getBBox();
      const side = Math.min(box.width, box.height);
      const isColumn = box.height > 1.5 * box.width;
      const [x, y] = [box.x + box.width / 2, box.y + (isColumn ? side : box.height) / 2];
      if (isColumn) {
        // The stones in a column keep their colours: only the topmost hole, which is free, shows the share.
        const hole = document.createElementNS(SVG, "circle");
        for (const [name, value] of Object.entries({ cx: x, cy: y, r: 0.4 * side })) hole.setAttribute(name, value);
        hole.style.setProperty("--share", share.toFixed(3));
        overlay.append(hole);
      }
      const proven = { 1: "win", 0.5: "draw", 0: "loss" }[entry.proof];
      const text = document.createElementNS(SVG, "text");
      text.textContent = proven ?? percent(show === "visits" ? entry.share : entry.mean);
      text.setAttribute("x", x);
      text.setAttribute("y", y);
      text.setAttribute("font-size", side * (proven ? 0.3 : 0.36));
      if (action === report.best) text.setAttribute("class", "best");
      overlay.append(text);
    }
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
    /** Shows a position. `open` says whether the visitor is to move. */
    show(view, { title, open, hint, show }) {
      isOpen = open;
      draw(view, title);
      setTabs();
      mark(view.report, hint, show);
    },
    /** Returns whether an action has a cell. */
    has: (action) => cells.has(action),
  };
}
