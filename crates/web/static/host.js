// Owns the engine: takes requests, lets searches think in slices, and sends what the page shows. It runs in a worker, or in the page if
// the browser has no workers.

import load, { Bandits, Lesson, Puzzle, Table, catalogue } from "./engine.js";

/** The milliseconds that a search thinks before the host looks at requests. */
const SLICE = 20;
/** The milliseconds between two views while a search thinks. */
const BETWEEN_VIEWS = 100;
/** The seconds after which a search that somebody watches stops, to spare the battery. */
const WATCHED_SECONDS = 30;
/** The requests of the other tabs, which need no game. */
const WITHOUT_TABLE = new Set(["open", "lesson", "iterate", "bandits", "pull", "puzzle"]);

/** Loads the engine. Calls `send` with messages for the page; returns the function that takes requests. */
export async function createHost(send) {
  await load();
  const lists = JSON.parse(catalogue());

  let table = null;
  let lesson = null;
  let bandits = null;
  let puzzle = null;
  let seats = ["you", "search"];
  let settings = [lists.settings, { ...lists.settings, seed: lists.settings.seed + 1 }];
  /** Whether somebody watches, so that the search of a person's side thinks and the game is reviewed. */
  let watches = true;
  let paused = false;
  /** Whether a visitor wants a hint, and whether it is shown. A shown hint is the best action so far, and follows the analysis. */
  let hint = "none";
  /** The position of the game now. */
  let view = null;
  /** The number of moves before the position that the page shows, if that is an earlier one. */
  let looks = null;
  let isReviewed = false;
  let lastSent = 0;
  /** Whether the page has shown the latest view. Views must not wait in a line before a page that is slow. */
  let shown = true;
  /** Whether the engine has stopped by a fault. */
  let hasStopped = false;

  // A message to oneself comes after the requests that wait, and without the pauses of timers.
  const channel = new MessageChannel();
  let scheduled = false;
  channel.port1.onmessage = () => {
    scheduled = false;
    guard(step);
  };
  function schedule() {
    if (!scheduled) {
      scheduled = true;
      channel.port2.postMessage(null);
    }
  }

  function guard(action) {
    try {
      action();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        table = lesson = bandits = puzzle = null;
        hasStopped = true;
        send({ fatal: `The engine has stopped (${error.message}). Reload the page to go on.` });
      } else {
        send({ error: error.message ?? String(error) });
      }
    }
  }

  function tell() {
    lastSent = performance.now();
    shown = false;
    view = look(table.plies());
    const isSearch = view.player !== null && seats[view.player] === "search";
    const thinking = (isSearch && !paused) || hint === "wanted";
    const position = looks === null ? view : look(looks);
    send({ view: position, now: looks === null, player: view.player, seats, paused, hint: hint === "shown" ? (view.report?.best ?? null) : null, thinking });
  }

  const look = (ply) => JSON.parse(table.view(ply));

  /** Thinks for a slice, if anybody wants it. */
  function step() {
    if (table === null) return;
    if (view.player === null) {
      if (isReviewed) return;
      review();
    } else if (seats[view.player] === "search") {
      if (paused) return;
      if (table.think(SLICE)) {
        // The page shows what led to the move before it shows the move.
        tell();
        play(view.report.best);
      }
    } else if (hint === "wanted") {
      if (table.think(SLICE)) {
        hint = "shown";
        tell();
      }
    } else if (watches && !isReviewed) {
      review();
    } else if ((watches || hint === "shown") && !view.is_exhausted && (view.report?.seconds ?? 0) < WATCHED_SECONDS) {
      table.analyse(SLICE);
    } else {
      if (lastSent > 0) tell();
      return;
    }
    if (shown && performance.now() - lastSent >= BETWEEN_VIEWS) tell();
    schedule();
  }

  function review() {
    isReviewed = table.review(SLICE);
    if (isReviewed) tell();
  }

  function play(action) {
    table.play(action);
    [hint, looks, isReviewed] = ["none", null, false];
    tell();
  }

  const requests = {
    open(request) {
      const opened = new Table(request.link, JSON.stringify(request.settings));
      table?.free();
      table = opened;
      ({ seats, settings } = request);
      [hint, looks, isReviewed] = ["none", null, false];
      // In a position from a link, a search waits until the visitor goes on.
      paused = (request.paused ?? false) && seats[look(table.plies()).player] === "search";
      tell();
    },
    play({ action }) {
      if (looks !== null || view.player === null || seats[view.player] !== "you") return;
      play(action);
    },
    undo() {
      const hasPerson = seats.includes("you");
      do {
        if (table.undo(1) === 0) break;
        view = look(table.plies());
      } while (hasPerson && seats[view.player] !== "you" && view.moves.length > 0);
      [hint, looks, isReviewed] = ["none", null, false];
      if (!hasPerson) paused = true;
      tell();
    },
    /** Shows the position after `ply` moves; the game stays as it is. */
    look({ ply }) {
      looks = ply < table.plies() ? ply : null;
      tell();
    },
    /** Takes back the moves after the position that is shown. If a search is to move there, it waits. */
    here() {
      if (looks === null) return;
      table.undo(table.plies() - looks);
      [hint, looks, isReviewed] = ["none", null, false];
      paused = seats[look(table.plies()).player] === "search";
      tell();
    },
    /** Sends the pictures along a line from the position that is shown. */
    draw({ line }) {
      send({ line, pictures: table.pictures(looks ?? table.plies(), line) });
    },
    hint() {
      if (looks !== null || view.player === null || seats[view.player] !== "you") return;
      table.restart_thinking();
      hint = "wanted";
      tell();
    },
    seats(request) {
      ({ seats } = request);
      [hint, paused] = ["none", false];
      table.restart_thinking();
      tell();
    },
    set({ player, settings: wanted }) {
      table.set(player, JSON.stringify(wanted));
      settings[player] = wanted;
      tell();
    },
    pause(request) {
      ({ paused } = request);
      tell();
    },
    watch(request) {
      ({ watches } = request);
    },
    explore() {
      send({ page: table.page() });
    },
    /** Begins the lesson of one iteration at a time. */
    lesson({ moves, c, seed }) {
      const begun = new Lesson(moves, c, seed);
      lesson?.free();
      lesson = begun;
      send({ lesson: lesson.picture() });
    },
    iterate({ count }) {
      send({ iterations: Array.from({ length: count }, () => JSON.parse(lesson.iterate())) });
    },
    bandits({ arms, seed }) {
      const set = new Bandits(Float64Array.from(arms), seed);
      bandits?.free();
      bandits = set;
    },
    pull({ count }) {
      send({ pulls: JSON.parse(bandits.play(count)) });
    },
    /** Sets up a board of SameGame, searches or plays. Sends the board. */
    puzzle({ board, seed, think, play }) {
      if (board !== undefined) {
        puzzle?.free();
        puzzle = new Puzzle(board, seed);
      }
      if (think) puzzle.think(think);
      if (play) puzzle.play();
      send({ puzzle: JSON.parse(puzzle.view()) });
    },
  };

  send({ lists });
  return (request) =>
    guard(() => {
      if (request.ask === "shown") {
        shown = true;
        return;
      }
      if (hasStopped || (table === null && !WITHOUT_TABLE.has(request.ask))) return;
      requests[request.ask](request);
      if (table !== null) schedule();
    });
}
