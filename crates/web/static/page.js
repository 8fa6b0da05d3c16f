// The tab of the games: asks the host, and shows its answers.

import "./bandits.js";
import { createBoard } from "./board.js";
import { ask, listen, start } from "./channel.js";
import "./iteration.js";
import { lossOf, showMoves, showReview } from "./moves.js";
import { fraction, grouped } from "./numbers.js";
import "./puzzle.js";
import { MOST, createSettings } from "./settings.js";
import { isShown as isTab, show as showTab } from "./tabs.js";
import { showBar, showCurve } from "./values.js";

const find = (id) => document.getElementById(id);
const STORED = "ramure-web";
/** The levels, in the order of their efforts in the list of games. With the level "own", the settings are those of the forms. */
const LEVELS = ["easy", "medium", "hard"];
/** The sides that a visitor can take, by the seats of the two players. */
const SIDES = { first: ["you", "search"], second: ["search", "you"], both: ["you", "you"], neither: ["search", "search"] };
/** The most actions in the table of a search. */
const ROWS = 8;

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
    localStorage.setItem(STORED, JSON.stringify({ seats, level, settings, show: find("show").value, analysis: find("analysis").checked }));
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
let seats = SIDES.first;
let level = "medium";
let settings = null;
let latest = null;
let isDrawing = false;

const board = createBoard(find("board"), (action) => request("play", { action }), pointAt);

function request(what, details = {}) {
  if (!find("message").classList.contains("lasting")) say("", "");
  ask(what, details);
}

const look = (ply) => request("look", { ply });

/** Opens a position. If its link is nonsense, the host says so, and the game that was there stays. */
function open(link, paused = false) {
  const word = link.split("/")[0];
  // Each game at a level is another one.
  if (level !== "own") settings = ofLevel(gameOf(word), () => Math.floor(2 ** 32 * Math.random()));
  offered = null; // the forms show the new seeds
  request("open", { link, seats: [...seats], settings: settings.map((wanted) => fitting(wanted, word)), paused });
}

/** The settings of both players at a level: the search plays at the level, and advises at its best. */
function ofLevel(game, seedOf) {
  const effort = game.levels[LEVELS.indexOf(level)];
  return seats.map((seat, player) => ({ ...lists.settings, effort: seat === "search" ? effort : lists.settings.effort, seed: seedOf(player) }));
}

/** Changes the level or the seats within a game. */
function change(details) {
  ({ level = level, seats = seats } = details);
  if (details.seats) request("seats", { seats: [...seats] });
  if (level !== "own") {
    ofLevel(gameOf(latest.view.link), (player) => settings[player].seed).forEach((wanted, player) => {
      settings[player] = wanted;
      request("set", { player, settings: wanted });
      showSettings(player);
    });
  }
  showLevel();
  store();
}

function showLevel() {
  find("own-level").hidden = level !== "own";
  for (const input of document.getElementsByName("level")) input.checked = input.value === level;
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
  if (stored.settings) level = LEVELS.includes(stored.level) ? stored.level : "own";
  const standard = [lists.settings, { ...lists.settings, seed: lists.settings.seed + 1 }];
  const known = (list, word) => list.find((entry) => entry.word === word);
  const isInRange = ({ constants }) => ([name, value]) => constants.some((constant) => constant.name === name && constant.least <= value && value <= constant.most);
  const isKnown = (old) => {
    const policy = known(lists.policies, old?.policy);
    const hasEffort = Object.entries(old?.effort ?? {}).some(([unit, amount]) => amount >= 1 && amount <= MOST[unit]);
    return policy && known(lists.rollouts, old.rollouts) && hasEffort && Object.entries(old.constants ?? {}).every(isInRange(policy));
  };
  settings = standard.map((usual, player) => (isKnown(stored.settings?.[player]) ? stored.settings[player] : usual));
  if (["visits", "means", "nothing"].includes(stored.show)) find("show").value = stored.show;
  find("analysis").checked = stored.analysis === true;

  const option = (value, textContent) => Object.assign(document.createElement("option"), { value, textContent });
  find("game").replaceChildren(...lists.games.map(({ word, title }) => option(word, title)));
  showLevel();
  const link = decodeURIComponentOrNothing(location.hash.slice(1));
  // A first request that always succeeds, so that there is a board whatever the link says.
  open(lists.games[0].word);
  if (link !== "" && !showTab(link)) open(link, link.includes("/"));
  watch();
  document.body.classList.add("ready");
}

/** The game whose policies and players the forms offer. */
let offered = null;

function offer(game) {
  if (game.word !== offered) {
    offered = game.word;
    settings = settings.map((wanted) => fitting(wanted, game.word));
    const names = { first: `${game.players[0]}, first`, second: `${game.players[1]}, second`, both: "both sides", neither: "no side" };
    find("side").replaceChildren(...Object.entries(names).map(([value, textContent]) => Object.assign(document.createElement("option"), { value, textContent })));
    [0, 1].forEach(showSettings);
  }
  find("side").value = Object.keys(SIDES).find((side) => SIDES[side].every((seat, player) => seat === seats[player]));
}

function showSettings(player) {
  createSettings(find(`settings${player}`), { ...lists, policies: policiesOf(offered) }, settings[player], (wanted) => setSettings(player, wanted));
}

function setSettings(player, wanted) {
  settings[player] = wanted;
  level = "own";
  showLevel();
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

function describeProof(proof) {
  return { 1: "a proven win", 0.5: "a proven draw", 0: "a proven loss" }[proof] ?? "";
}

/** Whether the page shows the results of the search: if the visitor asks, if nobody plays, and after the end. */
function isShown({ player }) {
  return find("analysis").checked || !seats.includes("you") || player === null;
}

// ---- The table of the search ----

/** The action whose line is on the board. */
let pointed = null;

/** The milliseconds for which the pointer rests on an action before its line is drawn. */
const REST = 150;
let [under, resting] = [null, 0];

/** Draws the line of an action on the board when the pointer rests on it, or takes it away. */
function pointAt(action) {
  // A browser says again what is under the pointer when the page changes there.
  if (action === under) return;
  under = action;
  clearTimeout(resting);
  const draw = () => {
    pointed = action;
    showLine();
  };
  resting = setTimeout(draw, action === null ? 0 : REST);
}

let lineDrawn = "";

/** Asks for the pictures of the line that is to be drawn, if it is another than before. */
function showLine() {
  const entry = latest && isShown(latest) && latest.view.report?.actions.find((entry) => entry.action === pointed);
  const line = entry?.line?.length > 0 ? entry.line.join(",") : "";
  const wanted = `${latest?.view.ply} ${line}`;
  if (wanted === lineDrawn) return;
  lineDrawn = wanted;
  if (line === "") board.drawLine([]);
  else ask("draw", { line });
}

/** A row for each of the most visited actions. Rows stay while the pointer rests on them. */
function showActions(report) {
  const actions = [...report.actions].sort((a, b) => b.visits - a.visits).slice(0, ROWS);
  const most = Math.max(1, ...actions.map((entry) => entry.visits));
  const body = find("actions");
  while (body.rows.length > actions.length) body.deleteRow(-1);
  actions.forEach((entry, index) => {
    let row = body.rows[index];
    if (!row) {
      row = body.insertRow();
      row.innerHTML = '<th scope="row"><button type="button" class="plain"></button></th><td class="bar"></td><td></td><td></td>';
    }
    const [name, bar, mean, proof] = row.cells;
    row.dataset.action = entry.action;
    name.firstChild.textContent = entry.action;
    name.firstChild.setAttribute("aria-label", `${entry.action}: show its line on the board`);
    bar.style.setProperty("--length", entry.visits / most);
    bar.textContent = grouped(entry.visits);
    mean.textContent = entry.visits > 0 ? fraction(entry.mean) : "–";
    proof.textContent = describeProof(entry.proof).replace("a proven ", "");
    row.classList.toggle("best", entry.action === report.best);
  });
}

function showReport(message) {
  const { view, now, thinking } = message;
  const { report } = view;
  const game = gameOf(view.link);
  find("search").hidden = !isShown(message) || (view.player === null && now);
  find("search-title").textContent = now ? (thinking ? "The search thinks …" : "The search") : `The search before move ${view.ply + 1}`;
  find("nothing").textContent = now ? "No search has run in this position yet." : "This position is not reviewed yet.";
  find("nothing").hidden = report !== null;
  find("report").hidden = report === null;
  find("explore").hidden = !now;
  if (report === null) return;
  showActions(report);
  const speed = report.seconds > 0 ? report.iterations / report.seconds : 0;
  find("mean").textContent = view.player === null ? "Mean" : `Mean of ${game.players[view.player]}`;
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

// ---- The game ----

/** The value of the position for the first player: of the search, else of the review. */
function valueOf({ view, now }) {
  const { report, player, judged, ply } = view;
  const best = now && report?.actions.find((entry) => entry.action === report.best);
  if (!best || player === null) return judged[ply]?.value ?? null;
  const value = report.proof ?? best.mean;
  return player === 0 ? value : 1 - value;
}

/** How much of the mean the move before a position lost, as a sentence, if it is known and not nothing. */
function lastLossOf({ moves, judged, ply }, game) {
  const lost = lossOf(judged[ply - 1]);
  return lost && ` ${game.players[judged[ply - 1].player]} ${moves[ply - 1]} ${lost} of the mean.`;
}

function statusOf({ view, now, player, paused, hint, thinking }, game) {
  const { result, ply, moves, judged } = view;
  if (!now) return `After ${ply} of ${moves.length} moves.${isShown({ player }) ? lastLossOf({ moves, judged, ply }, game) : ""}`;
  if (result !== null) {
    const winner = game.players.findIndex((name) => result.startsWith(`${name} `));
    const isPlayed = seats.includes("you") && seats.includes("search") && winner >= 0;
    return `${result}.${isPlayed ? (seats[winner] === "you" ? " You win." : " You lose.") : ""}`;
  }
  const who = game.players[player];
  if (seats[player] === "you") {
    const turn = seats[0] === seats[1] ? `${who} to move` : `Your turn: ${who}`;
    return `${turn}.${hint ? ` Hint: ${hint}.` : thinking ? " The search looks for a hint …" : ""}`;
  }
  return paused ? `${who} waits. Press Resume.` : `${who} thinks …`;
}

function show(message) {
  latest = message;
  ({ seats } = message);
  const { view, now, player, hint } = message;
  const game = gameOf(view.link);
  const isYours = now && player !== null && seats[player] === "you";
  const isPast = !now && view.ply < view.moves.length;
  offer(game);
  find("game").value = game.word;
  find("rules").textContent = game.rules;
  find("board").classList.toggle("connect4", game.word === "connect4");
  board.show(view, {
    title: game.title,
    open: isYours,
    report: isShown(message) ? view.report : null,
    hint: isPast && isShown(message) ? view.judged[view.ply]?.best : hint,
    played: isPast ? view.moves[view.ply] : null,
    show: find("show").value,
  });
  const status = statusOf(message, game);
  if (find("status").textContent !== status) find("status").textContent = status;
  for (const player of [0, 1]) {
    find(`name${player}`).textContent = `${game.players[player]}: ${seats[player] === "you" ? "you" : "the search"}`;
    find(`player${player}`).classList.toggle("moves", view.player === player);
    find(`copy${player}`).textContent = `Copy to ${game.players[1 - player]}`;
  }
  find("undo").disabled = view.moves.length === 0;
  find("hint").disabled = !isYours;
  find("hint").hidden = !seats.includes("you");
  find("pause").hidden = seats.includes("you") && level !== "own" && !message.paused;
  find("pause").disabled = player === null || isYours;
  find("pause").textContent = message.paused ? "Resume" : "Pause";
  showExplore();

  showBar(find("evaluation"), isShown(message), valueOf(message), game.players);
  showMoves(find("moves"), view, isShown(message), look);
  showCurve(find("curve"), isShown(message) ? view.judged : [], view.ply, game.players, look);
  showReview(find("review"), { ...view, result: player === null ? view.result ?? "" : null }, game.players, look);
  find("first").disabled = find("back").disabled = view.ply === 0;
  find("last").disabled = find("forth").disabled = now;
  find("past").hidden = now;

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
  showLine();
  const hash = `#${view.link}`;
  if (isTab("play") && location.hash !== hash) history.replaceState(null, "", hash);
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

/** The drawing of a tree ends with a page or an error. */
function endDrawing() {
  isDrawing = false;
  showExplore();
}

listen("lists", begin);
listen("view", (message) => {
  show(message);
  ask("shown");
});
listen("pictures", ({ line, pictures }) => lineDrawn.endsWith(` ${line}`) && board.drawLine(pictures));
listen("page", ({ page }) => {
  endDrawing();
  showTree(page);
});
listen("note", ({ note }) => say("note lasting", note));
listen("error", ({ error }) => {
  endDrawing();
  say("error", error);
});
listen("fatal", ({ fatal }) => {
  endDrawing();
  say("error", fatal);
  find("status").textContent = "Stopped.";
});

// ---- What the visitor does ----

find("game").addEventListener("change", () => open(find("game").value));
find("new").addEventListener("click", () => open(find("game").value));
find("side").addEventListener("change", () => change({ seats: SIDES[find("side").value] }));
for (const input of document.getElementsByName("level")) input.addEventListener("change", () => change({ level: input.value }));
find("undo").addEventListener("click", () => request("undo"));
find("hint").addEventListener("click", () => request("hint"));
find("pause").addEventListener("click", () => request("pause", { paused: !latest.paused }));
find("first").addEventListener("click", () => look(0));
find("back").addEventListener("click", () => look(latest.view.ply - 1));
find("forth").addEventListener("click", () => look(latest.view.ply + 1));
find("last").addEventListener("click", () => look(latest.view.moves.length));
find("now").addEventListener("click", () => look(latest.view.moves.length));
find("here").addEventListener("click", () => request("here"));
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
find("analysis").addEventListener("change", () => {
  store();
  watch();
  if (latest) show(latest);
});
for (const event of ["pointerover", "focusin"]) find("actions").addEventListener(event, ({ target }) => pointAt(target.closest("tr")?.dataset.action ?? null));
for (const event of ["pointerleave", "focusout"]) find("actions").addEventListener(event, () => pointAt(null));
for (const player of [0, 1]) {
  find(`copy${player}`).addEventListener("click", () => {
    const other = 1 - player;
    // Each player keeps its seed, so that two equal searches do not play alike.
    setSettings(other, { ...settings[player], seed: settings[other].seed });
    showSettings(other);
    say("note", `${latest.view && gameOf(latest.view.link).players[other]} searches with the same settings now, but with a seed of its own.`);
  });
}
addEventListener("hashchange", () => {
  const link = decodeURIComponentOrNothing(location.hash.slice(1));
  if (showTab(link)) return;
  showTab("play");
  open(link, true);
});
document.addEventListener("visibilitychange", watch);
find("tabs").addEventListener("chosen", watch);

/** Nobody watches a page that is hidden, or a search that is not shown. */
function watch() {
  ask("watch", { watches: !document.hidden && isTab("play") && find("analysis").checked });
}

start();
