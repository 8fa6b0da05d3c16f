// Bandits: three policies play the same arms, each in a search of the library.

import { ask, listen } from "./channel.js";
import { fraction, grouped } from "./numbers.js";
import { shape } from "./svg.js";
import { isSeen, isShown, isStill, whenOpened } from "./tabs.js";

const find = (id) => document.getElementById(id);
const FIRST = [0.3, 0.45, 0.5, 0.6];
/** The milliseconds between two pictures. */
const BEAT = 100;
/** The moments that the curves of the regret keep. */
const MOMENTS = 300;
const COLOURS = ["light-dark(#0072b2, #5ab4f0)", "light-dark(#a84300, #ff8f4a)", "light-dark(#00694b, #3fd0a2)"];
const DASHES = ["", "7 3", "2 3"];

let names = [];
let arms = FIRST;
/** The latest plays, and the regrets at moments before. */
let latest = null;
let moments = [];
let runs = !isStill;
/** Whether the host plays. */
let waits = false;

listen("lists", ({ lists }) => {
  names = lists.learners;
  if (isShown("bandits")) begin();
});

function begin() {
  ask("bandits", { arms, seed: Math.floor(2 ** 32 * Math.random()) });
  latest = { plays: 0, learners: names.map(() => ({ regret: 0, arms: arms.map(() => ({ plays: 0, mean: 0, interval: [0, 1] })) })) };
  moments = [{ plays: 0, regrets: names.map(() => 0) }];
  waits = false;
  draw();
}

function showArms() {
  find("arms").replaceChildren(
    ...arms.map((arm, index) => {
      const input = Object.assign(document.createElement("input"), { type: "number", min: 0, max: 1, step: 0.01, value: arm, required: true });
      const label = document.createElement("label");
      label.append(`Arm ${index + 1} `, input);
      return label;
    }),
  );
}

function pull(count) {
  if (waits) return;
  waits = true;
  ask("pull", { count });
}

listen("pulls", ({ pulls }) => {
  // An answer may be about arms that are gone.
  if (!waits) return;
  waits = false;
  latest = pulls;
  moments.push({ plays: pulls.plays, regrets: pulls.learners.map((learner) => learner.regret) });
  if (moments.length > MOMENTS) moments = moments.filter((_, index) => index % 2 === 0 || index === moments.length - 1);
  draw();
});

const [WIDTH, ROW, LEFT] = [320, 30, 56];
/** The distance between two lines of text in the chart of the regret. */
const LINE = 15;

/** An arm for each row: its share of the plays as a bar, the mean with its interval, and the true probability. */
function drawLearner({ arms: known, regret }, name) {
  const panel = Object.assign(document.createElement("section"), { className: "learner" });
  const title = Object.assign(document.createElement("h2"), { textContent: name });
  const most = Math.max(1, ...known.map((arm) => arm.plays));
  const x = (value) => LEFT + (WIDTH - LEFT - 8) * value;
  const best = Math.max(...arms);
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${ROW * known.length}`, role: "img" });
  svg.setAttribute("aria-label", known.map((arm, index) => `arm ${index + 1}: ${grouped(arm.plays)} plays, mean ${fraction(arm.mean)}`).join("; "));
  known.forEach((arm, index) => {
    const y = ROW * index;
    svg.append(
      shape("rect", { class: "share", x: LEFT, y: y + 3, width: ((WIDTH - LEFT - 8) * arm.plays) / most, height: 13 }),
      shape("text", { class: arms[index] === best ? "best" : "", x: 0, y: y + 14 }, `arm ${index + 1}`),
      shape("text", { x: LEFT + 4, y: y + 14 }, grouped(arm.plays)),
      shape("path", { class: "truth", d: `M${x(arms[index])} ${y + 18}v10` }),
    );
    if (arm.plays === 0) return;
    svg.append(
      shape("path", { class: "range", d: `M${x(arm.interval[0])} ${y + 23}H${x(arm.interval[1])}` }),
      shape("circle", { class: "mean-mark", cx: x(arm.mean), cy: y + 23, r: 3.5 }),
    );
  });
  const said = Object.assign(document.createElement("p"), { textContent: `Regret: ${regret.toFixed(1)}` });
  panel.append(title, svg, said);
  return panel;
}

function drawRegret() {
  const [width, height, left, bottom] = [Math.max(320, find("regret").clientWidth), 240, 44, 24];
  const end = Math.max(2, latest.plays);
  const most = Math.max(1, ...moments.flatMap(({ regrets }) => regrets));
  const x = (plays) => left + ((width - left - 140) * plays) / end;
  // Above the curves is room for names that stand apart.
  const y = (regret) => height - bottom - ((height - bottom - 2 * LINE - 8) * regret) / most;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.setAttribute("aria-label", names.map((name, index) => `${name}: ${latest.learners[index].regret.toFixed(1)}`).join("; "));
  for (const share of [0, 0.5, 1]) {
    svg.append(
      shape("path", { class: "rule", d: `M${left} ${y(share * most)}H${x(end)}` }),
      shape("text", { x: left - 5, y: y(share * most) + 4, "text-anchor": "end" }, (share * most).toFixed(most < 20 ? 1 : 0)),
      shape("text", { x: x(share * end), y: height - 6, "text-anchor": "middle" }, grouped(share * end)),
    );
  }
  // Names stand beside the ends of their curves, and not one upon another: each at least a line above the one below.
  let below = height - bottom + LINE;
  const byHeight = names.map((_, index) => index).sort((a, b) => latest.learners[a].regret - latest.learners[b].regret);
  for (const index of byHeight) {
    const d = moments.map(({ plays, regrets }) => `${x(plays).toFixed(1)} ${y(regrets[index]).toFixed(1)}`).join("L");
    below = Math.min(y(latest.learners[index].regret), below - LINE);
    const [name, ending] = [shape("path", { d: `M${d}`, "stroke-dasharray": DASHES[index] }), shape("text", { class: "legend", x: x(end) + 6, y: below + 4 }, names[index].split(",")[0])];
    name.style.stroke = ending.style.fill = COLOURS[index];
    svg.append(name, ending);
  }
  find("regret").replaceChildren(svg);
}

function draw() {
  find("plays").textContent = `${grouped(latest.plays)} play${latest.plays === 1 ? "" : "s"}`;
  find("pull").textContent = runs ? "Pause" : "Play";
  find("learners").replaceChildren(...latest.learners.map((learner, index) => drawLearner(learner, names[index])));
  drawRegret();
}

setInterval(() => {
  if (runs && isSeen("bandits")) pull(Math.max(1, (Number(find("speed").value) * BEAT) / 1000));
}, BEAT);

find("pull").addEventListener("click", () => {
  runs = !runs;
  draw();
});
find("pull-once").addEventListener("click", () => pull(1));
find("arms-new").addEventListener("click", () => {
  arms = arms.map(() => Math.round(100 * Math.random()) / 100);
  showArms();
  begin();
});
find("arms-again").addEventListener("click", begin);
find("arms").addEventListener("submit", (event) => event.preventDefault());
find("arms").addEventListener("change", () => {
  if (!find("arms").reportValidity()) return;
  arms = [...find("arms").querySelectorAll("input")].map((input) => input.valueAsNumber);
  begin();
});
whenOpened("bandits", () => {
  showArms();
  begin();
});
