// The way to the host: a worker, or this page if the browser has no workers.

/** Pairs of a key and the function that takes the messages with this key. */
const receivers = [];
let send = () => {};

/** Asks the host. */
export function ask(what, details = {}) {
  send({ ask: what, ...details });
}

/** Calls `receive` with each message that has `key`. */
export function listen(key, receive) {
  receivers.push([key, receive]);
}

function receive(message) {
  for (const [key, receiver] of receivers) if (message[key] !== undefined) receiver(message);
}

/** Without workers, the host runs in the page itself. */
async function runHere() {
  receive({ note: "This browser has no workers, so the page may stutter while a search thinks." });
  const { createHost } = await import("./host.js");
  const early = [];
  send = (details) => early.push(details);
  // The answers come later, as those of a worker do.
  send = await createHost((message) => setTimeout(() => receive(message)));
  early.forEach(send);
}

/** Starts the host. */
export function start() {
  try {
    const worker = new Worker("./worker.js", { type: "module" });
    worker.onmessage = (event) => receive(event.data);
    worker.onerror = (event) => receive({ fatal: `The engine could not be started: ${event.message ?? "this browser cannot load it"}` });
    send = (details) => worker.postMessage(details);
  } catch {
    runHere().catch((error) => receive({ fatal: `The engine could not be loaded: ${error.message}` }));
  }
}
