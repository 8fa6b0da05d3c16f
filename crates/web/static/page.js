// The page: asks the host, and shows what it answers.

import { createBoard } from "./board.js";
import { createSettings } from "./settings.js";

const find = (id) => document.getElementById(id);
const STORED = "ramure-web";

/** Settings that an earlier visit stored. Nothing depends on them. */
function restore() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    return {};
  }
}

function store() {
  try {
    localStorage.setItem(STORED, JSON.stringify({ seats, settings, show: find("show").value }));
  } catch {
    say("note", "Your settings are not kept for the next visit: the browser's storage is full or closed.");
  }
}

function say(kind, text) {
  const message = find("message");
  message.className = kind;
  message.textContent = text;
  message.hidden = text === "";
}

let lists = null;
let seats = ["you", "search"];
let settings = null;
let latest = null;
let isDrawing = false;
let ask = () => {};

const board = createBoard(find("board"), (action) => request("play", { action }));

function request(what, details = {}) {
  if (!find("message").classList.contains("lasting")) say("", "");
  ask({ ask: what, ...details });
}

/** Opens a position. If its link is nonsense, the host says so, and the game that was there stays. */
function open(link, paused = false) {
  request("open", { link, seats: [...seats], settings: settings.map((wanted) => fitting(wanted, link.split("/")[0])), paused });
}

/** The policies of a game. */
function policiesOf(game) {
  return lists.policies.filter(({ games }) => games.length === 0 || games.includes(game));
}

/** Returns the settings, with the standard policy in place of one that the game does not have. */
function fitting(wanted, game) {
  const isOffered = policiesOf(game).some(({ word }) => word === wanted.policy);
  return isOffered ? wanted : { ...wanted, policy: lists.settings.policy, constants: {} };
}

function gameOf(link) {
  return lists.games.find((game) => game.word === link.split("/")[0]) ?? lists.games[0];
}

function begin(message) {
  ({ lists } = message);
  const stored = restore();
  const isSeat = (seat) => seat === "you" || seat === "search";
  if (Array.isArray(stored.seats) && stored.seats.length === 2 && stored.seats.every(isSeat)) ({ seats } = stored);
  const standard = [lists.settings, { ...lists.settings, seed: lists.settings.seed + 1 }];
  const known = (list, word) => list.find((entry) => entry.word === word);
  const isInRange = ({ constants }) => ([name, value]) => constants.some((constant) => constant.name === name && constant.least <= value && value <= constant.most);
  const isKnown = (old) => {
    const policy = known(lists.policies, old?.policy);
    return policy && known(lists.rollouts, old.rollouts) && old.effort && Object.entries(old.constants ?? {}).every(isInRange(policy));
  };
  settings = standard.map((usual, player) => (isKnown(stored.settings?.[player]) ? stored.settings[player] : usual));
  if (["visits", "means", "nothing"].includes(stored.show)) find("show").value = stored.show;

  find("game").replaceChildren(
    ...lists.games.map(({ word, title }) => Object.assign(document.createElement("option"), { value: word, textContent: title })),
  );
  for (const player of [0, 1]) find(`seat${player}`).value = seats[player];
  const link = decodeURIComponentOrNothing(location.hash.slice(1));
  // A first request that always succeeds, so that there is a board whatever the link says.
  open(lists.games[0].word);
  if (link !== "") open(link, link.includes("/"));
  document.body.classList.add("ready");
}

/** The game whose policies the forms offer. */
let offered = null;

/** Offers the policies of a game. */
function offerPolicies(game) {
  if (game === offered) return;
  offered = game;
  for (const player of [0, 1]) {
    settings[player] = fitting(settings[player], game);
    showSettings(player);
  }
}

function showSettings(player) {
  createSettings(find(`settings${player}`), { ...lists, policies: policiesOf(offered) }, settings[player], (wanted) => setSettings(player, wanted));
}

function setSettings(player, wanted) {
  settings[player] = wanted;
  request("set", { player, settings: wanted });
  store();
}

function decodeURIComponentOrNothing(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const grouped = (number) => Math.round(number).toLocaleString("en-US").replaceAll(",", "\u202f");

function describeProof(proof) {
  return { 1: "a proven win", 0.5: "a proven draw", 0: "a proven loss" }[proof] ?? "";
}

function showReport({ view, thinking }) {
  const { report } = view;
  find("thinking").textContent = thinking ? "thinking" : "";
  find("nothing").textContent = view.player === null ? "The game is over: there is nothing to search." : "No search has run in this position yet.";
  find("nothing").hidden = report !== null;
  find("report").hidden = report === null;
  if (report === null) return;
  const actions = [...report.actions].sort((a, b) => b.visits - a.visits).slice(0, 10);
  const most = Math.max(1, ...actions.map((entry) => entry.visits));
  const cell = (text) => Object.assign(document.createElement("td"), { textContent: text });
  find("actions").replaceChildren(
    ...actions.map((entry) => {
      const row = document.createElement("tr");
      const name = Object.assign(document.createElement("th"), { scope: "row", textContent: entry.action });
      const bar = document.createElement("td");
      bar.className = "bar";
      bar.style.setProperty("--length", entry.visits / most);
      bar.textContent = grouped(entry.visits);
      const mean = entry.visits > 0 ? `${(100 * entry.mean).toFixed(1)} %` : "–";
      row.append(name, bar, cell(mean), cell(describeProof(entry.proof).replace("a proven ", "")));
      row.classList.toggle("best", entry.action === report.best);
      return row;
    }),
  );
  const speed = report.seconds > 0 ? report.iterations / report.seconds : 0;
  find("mean").textContent = view.player === null ? "Mean" : `Mean of ${gameOf(view.link).players[view.player]}`;
  find("line").textContent = report.line.join(" ");
  find("verdict").textContent = describeProof(report.proof);
  find("figures").textContent = [
    `${grouped(report.iterations)} iterations`,
    `${grouped(speed)} a second`,
    `${grouped(report.nodes)} nodes`,
    `${(report.bytes / 2 ** 20).toFixed(1)} MiB`,
    `depth ${report.depth}`,
  ].join(" · ");
}

function show(message) {
  latest = message;
  ({ seats } = message);
  const { view, hint } = message;
  const game = gameOf(view.link);
  const isYours = view.player !== null && seats[view.player] === "you";
  offerPolicies(game.word);
  find("game").value = game.word;
  find("rules").textContent = game.rules;
  board.show(view, { title: game.title, open: isYours, hint, show: find("show").value });

  const who = view.player === null ? "" : game.players[view.player];
  const both = seats[0] === seats[1];
  const status =
    view.result !== null
      ? `${view.result}.`
      : isYours
        ? `${both ? who : `Your turn: ${who}`}${both ? " to move" : ""}.${hint ? ` Hint: ${hint}.` : ""}`
        : message.paused
          ? `${who} waits. Press Resume.`
          : `${who} thinks …`;
  if (find("status").textContent !== status) find("status").textContent = status;
  for (const player of [0, 1]) {
    find(`name${player}`).textContent = game.players[player];
    find(`seat${player}`).value = seats[player];
    find(`player${player}`).classList.toggle("moves", view.player === player);
    find(`copy${player}`).textContent = `Copy to ${game.players[1 - player]}`;
  }
  find("moves").textContent = view.moves.length > 0 ? view.moves.join(" ") : "none yet";
  find("undo").disabled = view.moves.length === 0;
  find("hint").disabled = !isYours;
  find("pause").disabled = view.player === null || isYours;
  find("pause").textContent = message.paused ? "Resume" : "Pause";
  showExplore();

  // Actions without a cell on the board, such as the swap of Hex.
  const others = isYours ? view.legal.filter((action) => !board.has(action)) : [];
  const signature = others.join(" ");
  if (find("others").dataset.actions !== signature) {
    find("others").dataset.actions = signature;
    find("others").replaceChildren(
      ...others.map((action) => {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: `Play ${action}` });
        button.addEventListener("click", () => request("play", { action }));
        return button;
      }),
    );
  }
  showReport(message);
  const hash = `#${view.link}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

/** To draw a tree takes a second or more, and the engine does nothing else meanwhile. */
function showExplore() {
  find("explore").disabled = isDrawing || !latest?.view?.report;
  find("explore").textContent = isDrawing ? "Drawing the tree …" : "Explore the tree";
}

function showTree(page) {
  const file = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  find("tree-frame").src = file;
  find("tree-link").href = file;
  find("tree").showModal();
}

function receive(message) {
  if (isDrawing && !message.view) {
    isDrawing = false;
    showExplore();
  }
  if (message.lists) begin(message);
  else if (message.view) {
    show(message);
    ask({ ask: "shown" });
  }
  else if (message.page) showTree(message.page);
  else if (message.error) say("error", message.error);
  else if (message.fatal) {
    say("error", message.fatal);
    find("status").textContent = "Stopped.";
  }
}

find("game").addEventListener("change", () => open(find("game").value));
find("new").addEventListener("click", () => open(find("game").value));
find("undo").addEventListener("click", () => request("undo"));
find("hint").addEventListener("click", () => request("hint"));
find("pause").addEventListener("click", () => request("pause", { paused: !latest.paused }));
find("explore").addEventListener("click", () => {
  isDrawing = true;
  showExplore();
  request("explore");
});
find("close-tree").addEventListener("click", () => find("tree").close());
find("tree").addEventListener("close", () => {
  URL.revokeObjectURL(find("tree-frame").src);
  find("tree-frame").removeAttribute("src");
});
find("link").addEventListener("click", async () => {
  // After a link that was refused, the address is not that of the position.
  const link = new URL(`#${latest.view.link}`, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    say("note", "The link to this position is in the clipboard.");
  } catch {
    say("note", `The link to this position: ${link}`);
  }
});
find("show").addEventListener("change", () => {
  store();
  if (latest) show(latest);
});
for (const player of [0, 1]) {
  find(`seat${player}`).addEventListener("change", (event) => {
    seats[player] = event.target.value;
    request("seat", { player, seat: seats[player] });
    store();
  });
}
for (const player of [0, 1]) {
  find(`copy${player}`).addEventListener("click", () => {
    const other = 1 - player;
    // Each player keeps its seed, so that two equal searches do not play alike.
    setSettings(other, { ...settings[player], seed: settings[other].seed });
    showSettings(other);
    say("note", `${latest.view && gameOf(latest.view.link).players[other]} searches with the same settings now, but with a seed of its own.`);
  });
}
addEventListener("hashchange", () => open(decodeURIComponentOrNothing(location.hash.slice(1)), true));
// Nobody watches a page that is hidden.
document.addEventListener("visibilitychange", () => request("watch", { watches: !document.hidden }));

/** Without workers, the host runs in the page itself. */
async function runHere() {
  say("note lasting", "This browser has no workers, so the page may stutter while a search thinks.");
  const { createHost } = await import("./host.js");
  const early = [];
  ask = (details) => early.push(details);
  // The answers come later, as those of a worker do.
  ask = await createHost((message) => setTimeout(() => receive(message)));
  early.forEach(ask);
}

function start() {
  try {
    const worker = new Worker("./worker.js", { type: "module" });
    worker.onmessage = (event) => receive(event.data);
    worker.onerror = (event) => receive({ fatal: `The engine could not be started: ${event.message ?? "this browser cannot load it"}` });
    ask = (details) => worker.postMessage(details);
  } catch {
    runHere().catch((error) => receive({ fatal: `The engine could not be loaded: ${error.message}` }));
  }
}

start();
