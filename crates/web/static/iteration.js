// One iteration at a time: the four phases of a search of Tic-Tac-Toe, as the library makes them.

import { ask, listen } from "./channel.js";
import { fraction } from "./numbers.js";
import { shape } from "./svg.js";
import { isSeen, isStill, whenOpened } from "./tabs.js";

const find = (id) => document.getElementById(id);
const PHASES = ["selection", "expansion", "simulation", "backpropagation"];
const PLAYERS = ["Cross", "Circle"];

/** The iterations so far, and the phase that is shown: the number of an iteration, from 0, and of a phase. Before the first, -1. */
let iterations = [];
let [at, phase] = [-1, PHASES.length - 1];
let start = "";
/** Whether the host makes an iteration. */
let waits = false;
/** The iterations that a visitor sees first, and the milliseconds from one to the next. */
const [FIRST, BEAT] = [10, 80];
/** How many of these are still to come. */
let left = 0;

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const depthOf = (path) => (path === "" ? 0 : path.split(" ").length);
const parentOf = (path) => path.split(" ").slice(0, -1).join(" ");
const actionOf = (path) => path.split(" ").at(-1);
const nameOf = (path) => (path === "" ? "the root" : path);
/** With three digits, so that the sums of the formula look right. */
const exact = (number) => number.toFixed(3);

/** The tree before the phase that is shown has changed it. */
function treeNow() {
  if (at < 0) return [{ path: "", visits: 0, mean: 0 }];
  if (phase === 3) return iterations[at].tree;
  const before = at === 0 ? [{ path: "", visits: 0, mean: 0 }] : iterations[at - 1].tree;
  if (phase === 0) return before;
  const fresh = iterations[at].expansion.filter((path) => !before.some((node) => node.path === path));
  return [...before, ...fresh.map((path) => ({ path, visits: 0, mean: 0 }))];
}

const [COLUMN, LEVEL, RADIUS] = [46, 78, 17];

/** Draws the nodes that were visited, and those that this iteration touches. */
function drawTree() {
  const current = iterations[at];
  const touched = new Set(current ? [...current.backpropagation.map((node) => node.path), ...(phase === 1 ? current.expansion : [])] : []);
  const nodes = treeNow().filter((node) => node.visits > 0 || node.path === "" || (phase > 0 && touched.has(node.path)));
  const below = new Map(nodes.map((node) => [node.path, []]));
  for (const node of nodes) if (node.path !== "") below.get(parentOf(node.path))?.push(node.path);
  // Leaves stand side by side, and a node stands over the middle of its children.
  const places = new Map();
  let leaves = 0;
  const place = (path) => {
    const inside = below.get(path);
    inside.forEach(place);
    const middle = inside.length > 0 ? (places.get(inside[0]) + places.get(inside.at(-1))) / 2 : leaves++;
    places.set(path, middle);
  };
  place("");
  const deepest = Math.max(...nodes.map((node) => depthOf(node.path)));
  const width = Math.max(leaves, 6) * COLUMN;
  const height = (deepest + 1) * LEVEL + 10;
  const x = (path) => (places.get(path) + 0.5) * COLUMN + ((Math.max(leaves, 6) - leaves) * COLUMN) / 2;
  const y = (path) => depthOf(path) * LEVEL + RADIUS + 8;
  const isOnPath = (path) => current !== undefined && touched.has(path) && (path === "" || current.leaf === path || current.leaf.startsWith(`${path} `));
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `The tree: ${nodes.length} nodes` });
  svg.style.minWidth = `${0.6 * width}px`;
  svg.style.maxWidth = `${1.6 * width}px`;
  for (const { path } of nodes) {
    if (path === "") continue;
    const [fromX, fromY, toX, toY] = [x(parentOf(path)), y(parentOf(path)), x(path), y(path)];
    svg.append(
      shape("path", { class: isOnPath(path) ? "branch on" : "branch", d: `M${fromX} ${fromY}L${toX} ${toY}` }),
      shape("text", { class: "action", x: 0.35 * fromX + 0.65 * toX, y: 0.35 * fromY + 0.65 * toY }, actionOf(path)),
    );
  }
  for (const { path, visits, mean } of nodes) {
    const kind = [isOnPath(path) ? "on" : "", current?.leaf === path && phase > 0 ? "leaf" : "", visits === 0 ? "new" : ""].join(" ");
    svg.append(
      shape("circle", { class: `node ${kind}`, cx: x(path), cy: y(path), r: RADIUS }),
      shape("text", { class: "visits", x: x(path), y: y(path) - (path === "" ? 0 : 4) }, String(visits)),
    );
    if (path !== "" && visits > 0) svg.append(shape("text", { class: "mean", x: x(path), y: y(path) + 8 }, fraction(mean)));
  }
  find("growth").replaceChildren(svg);
  // On a narrow screen, the leaf is in sight.
  if (current) find("growth").scrollLeft = (x(current.leaf && places.has(current.leaf) ? current.leaf : "") / width) * svg.getBoundingClientRect().width - find("growth").clientWidth / 2;
}

function table(head, rows) {
  const cells = (texts, tag) => texts.map((textContent) => element(tag, tag === "th" ? { textContent, scope: "col" } : { textContent }));
  return element(
    "table",
    { className: "numbers" },
    element("thead", {}, element("tr", {}, ...cells(head, "th"))),
    element("tbody", {}, ...rows.map(({ texts, isBest }) => element("tr", { className: isBest ? "best" : "" }, ...cells(texts, "td")))),
  );
}

const paragraph = (textContent) => element("p", { textContent });

function drawings(...pictures) {
  const all = pictures.map(([picture, caption]) => {
    const figure = element("figure");
    // The picture is the engine's own.
    figure.innerHTML = picture;
    figure.firstElementChild.setAttribute("role", "img");
    figure.firstElementChild.setAttribute("aria-label", caption);
    figure.append(element("figcaption", { textContent: caption }));
    return figure;
  });
  return element("div", { className: "drawings" }, ...all);
}

/** What each phase did, as elements. */
const TELLS = {
  selection({ selection, leaf }) {
    const c = Number(find("lesson-c").value);
    const parts = [paragraph("From the root, the search goes to the child with the greatest value, until it leaves the nodes that have children:"), element("p", { className: "formula", textContent: "value = mean + c · √(ln N / n)" })];
    for (const { path, player, visits, children } of selection) {
      parts.push(element("h3", { textContent: `At ${nameOf(path)}, ${PLAYERS[player]} chooses (N = ${visits})` }));
      const value = ({ mean, bonus }) => (bonus === null ? Infinity : mean + bonus);
      const rows = [...children].sort((a, b) => value(b) - value(a)).map((child) => ({
        isBest: child.chosen,
        texts: child.bonus === null ? [child.action, "0", "–", "∞", "∞"] : [child.action, String(child.visits), exact(child.mean), exact(child.bonus), exact(value(child))],
      }));
      parts.push(table(["action", "n", "mean", "bonus", "value"], rows));
      const chosen = children.find((child) => child.chosen);
      if (chosen.bonus !== null) {
        parts.push(element("p", { className: "formula", textContent: `${chosen.action}: ${exact(chosen.mean)} + ${c} · √(ln ${visits} / ${chosen.visits}) = ${exact(value(chosen))}` }));
      } else {
        parts.push(paragraph("A child without visits comes first: its bonus is infinite. Among several, the order is random."));
      }
    }
    parts.push(paragraph(`The leaf of this iteration is ${nameOf(leaf)}.`));
    return parts;
  },
  expansion({ expansion, leaf, rollout }) {
    if (expansion.length === 0 && rollout.length === 0) return [paragraph(`The game is over at ${leaf}, so there is nothing to add.`)];
    if (expansion.length === 0) return [paragraph(`${leaf} is in the tree, but was never visited. The search adds nothing: a node gets its children on its second visit.`)];
    const parent = parentOf(expansion[0]);
    const why = parent === "" ? "The root has children from the start" : `${parent} is visited for the second time, so it gets its children`;
    return [paragraph(`${why}: ${expansion.map(actionOf).join(", ")}. The search goes on to one of them, ${actionOf(leaf)}.`)];
  },
  simulation({ leaf, rollout, rewards, leaf_picture, end_picture }) {
    const said = rollout.length === 0 ? `The game is over at ${leaf}. No action is left to play.` : `From the leaf, both players choose at random until the game is over: ${rollout.join(", ")}.`;
    const winner = rewards.indexOf(1);
    const result = winner < 0 ? "A draw: each player gets the reward 0.5." : `${PLAYERS[winner]} wins: the reward is 1 for ${PLAYERS[winner]} and 0 for ${PLAYERS[1 - winner]}.`;
    return [paragraph(said), drawings([leaf_picture, "the leaf"], [end_picture, "the end"]), paragraph(result)];
  },
  backpropagation({ backpropagation, rewards }) {
    const before = new Map((at === 0 ? [] : iterations[at - 1].tree).map((node) => [node.path, node]));
    const mover = Number(find("lesson-start").selectedOptions[0].dataset.player);
    const rows = backpropagation.map(({ path, visits, mean }) => {
      const old = before.get(path);
      // The player to move at the root chose the nodes one action below it.
      const chooser = (mover + depthOf(path) + 1) % 2;
      const means = path === "" ? ["–", "–"] : [PLAYERS[chooser], `${old?.visits > 0 ? exact(old.mean) : "–"} → ${exact(mean)}`];
      return { texts: [nameOf(path), `${old?.visits ?? 0} → ${visits}`, ...means, path === "" ? "–" : String(rewards[chooser])] };
    });
    return [
      paragraph("Each node on the path counts one more visit, and takes the reward into its mean. The mean of a node is that of the player who chose it."),
      table(["node", "visits", "chosen by", "mean", "reward"], rows),
    ];
  },
};

function draw() {
  drawTree();
  const current = iterations[at];
  find("phases").replaceChildren(
    ...PHASES.map((name, index) => {
      const item = element("li", { textContent: name });
      if (current && index === phase) item.setAttribute("aria-current", "step");
      return item;
    }),
  );
  find("lesson-title").textContent = current ? `Iteration ${current.number}, phase ${phase + 1}: ${PHASES[phase]}` : "Before the first iteration";
  const parts = current ? TELLS[PHASES[phase]](current) : [paragraph("The search knows nothing but this position. Each iteration is a pass of four phases, and adds a little to the tree."), drawings([start, "the root"])];
  find("told").replaceChildren(...parts);
  find("lesson-back").disabled = at < 0;
}

/** Goes on to a phase, counted from the first phase of the first iteration. */
function goTo(target) {
  if (waits) return;
  [at, phase] = [Math.floor(target / 4), target % 4];
  const missing = at + 1 - iterations.length;
  if (missing <= 0) return draw();
  waits = true;
  ask("iterate", { count: missing });
}

listen("iterations", (message) => {
  if (!waits) return;
  iterations.push(...message.iterations);
  waits = false;
  draw();
});

function back() {
  if (waits || at < 0) return;
  const target = 4 * at + phase - 1;
  [at, phase] = [Math.floor(target / 4), (target + 4) % 4];
  draw();
}

function begin() {
  left = 0;
  if (!find("lesson-form").reportValidity()) return;
  ask("lesson", { moves: find("lesson-start").value, c: find("lesson-c").valueAsNumber, seed: Math.floor(2 ** 32 * Math.random()) });
}

/** The last phase of an iteration that comes `count` after the latest one that is complete. */
const endOf = (count) => 4 * ((phase === 3 ? at : at - 1) + count) + 3;

listen("lesson", (message) => {
  ({ lesson: start } = message);
  [iterations, at, phase, waits] = [[], -1, 3, false];
  draw();
  if (left > 0 && isStill) goTo(4 * left);
  if (isStill) left = 0;
  grow();
});

/** Lets the tree grow before the visitor does anything, and then shows how the next iteration selects. */
function grow() {
  if (left === 0) return;
  if (!waits && isSeen("iteration")) {
    left -= 1;
    goTo(left > 0 ? endOf(1) : 4 * FIRST);
  }
  setTimeout(grow, BEAT);
}

/** Lets a button do `step`; from then on, the visitor says what happens. */
function onClick(button, step) {
  find(button).addEventListener("click", () => {
    left = 0;
    step();
  });
}

onClick("lesson-next", () => goTo(4 * at + phase + 1));
onClick("lesson-iteration", () => goTo(endOf(1)));
onClick("lesson-ten", () => goTo(endOf(10)));
onClick("lesson-back", back);
onClick("lesson-again", begin);
find("lesson-form").addEventListener("change", begin);
find("lesson-form").addEventListener("submit", (event) => event.preventDefault());
whenOpened("iteration", () => {
  begin();
  left = FIRST;
});
