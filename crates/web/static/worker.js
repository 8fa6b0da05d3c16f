// The worker in which searches think, so that the page never waits for them.

import { createHost } from "./host.js";

// Requests that come before the engine is loaded wait here.
const waiting = [];
let receive = (request) => waiting.push(request);
onmessage = (event) => receive(event.data);

try {
  receive = await createHost((message) => postMessage(message));
  waiting.forEach(receive);
} catch (error) {
  postMessage({ fatal: `The engine could not be loaded: ${error.message ?? error}` });
}
