// Owns the engine: takes requests, lets searches think in slices, and sends what the page shows. It runs in a worker, or in the page if
// the browser has no workers.

import load, { Table, catalogue } from "./engine.js";

/** The milliseconds that a search thinks before the host looks at requests. */
const SLICE = 20;
/** The milliseconds between two views while a search thinks. */
const BETWEEN_VIEWS = 100;
/** The seconds after which a search that somebody watches stops, to spare the battery. */
const WATCHED_SECONDS = 30;

/** Loads the engine. Calls `send` with messages for the page; returns the function that takes requests. */
export async function createHost(send) {
  await load();
  const lists = JSON.parse(catalogue());

  let table = null;
  let seats = ["you", "search"];
  let settings = [lists.settings, { ...lists.settings, seed: lists.settings.seed + 1 }];
  let watches = true;
  let paused = false;
  /** Whether a visitor wants a hint, and whether it is shown. A shown hint is the best action so far, and follows the analysis. */
  let hint = "none";
  let view = null;
  let lastSent = 0;
  /** Whether the page has shown the latest view. Views must not wait in a line before a page that is slow. */
  let shown = true;

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
        table = null;
        send({ fatal: `The engine has stopped (${error.message}). Reload the page to go on.` });
      } else {
        send({ error: error.message ?? String(error) });
      }
    }
  }

  function tell() {
    lastSent = performance.now();
    shown = false;
    view = JSON.parse(table.view());
    const isSearch = view.player !== null && seats[view.player] === "search";
    const thinking = (isSearch && !paused) || hint === "wanted";
    send({ view, seats, paused, hint: hint === "shown" ? (view.report?.best ?? null) : null, thinking });
  }

  /** Thinks for a slice, if anybody wants it. */
  function step() {
    if (table === null || view.player === null) return;
    if (seats[view.player] === "search") {
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
    } else if (watches && !view.is_exhausted && (view.report?.seconds ?? 0) < WATCHED_SECONDS) {
      table.analyse(SLICE);
    } else {
      if (lastSent > 0) tell();
      return;
    }
    if (shown && performance.now() - lastSent >= BETWEEN_VIEWS) tell();
    schedule();
  }

  function play(action) {
    table.play(action);
    hint = "none";
    tell();
  }

  const requests = {
    open(request) {
      const opened = new Table(request.link, JSON.stringify(request.settings));
      table?.free();
      table = opened;
      ({ seats, settings } = request);
      hint = "none";
      // A position from a link waits until the visitor goes on.
      paused = request.paused ?? false;
      tell();
    },
    play({ action }) {
      if (view.player === null || seats[view.player] !== "you") return;
      play(action);
    },
    undo() {
      const hasPerson = seats.includes("you");
      do {
        if (table.undo(1) === 0) break;
        view = JSON.parse(table.view());
      } while (hasPerson && seats[view.player] !== "you" && view.moves.length > 0);
      hint = "none";
      if (!hasPerson) paused = true;
      tell();
    },
    hint() {
      if (view.player === null || seats[view.player] !== "you") return;
      table.restart_thinking();
      hint = "wanted";
      tell();
    },
    seat({ player, seat }) {
      seats[player] = seat;
      hint = "none";
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
  };

  send({ lists });
  return (request) =>
    guard(() => {
      if (request.ask === "shown") {
        shown = true;
        return;
      }
      if (table === null && request.ask !== "open") return;
      requests[request.ask](request);
      schedule();
    });
}
