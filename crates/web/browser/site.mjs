// Visits the site in a real browser: `node site.mjs URL`. With a folder as the second argument, keeps screenshots there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import puppeteer from "puppeteer-core";

const [, , address, pictures] = process.argv;
const browser = await puppeteer.launch({
  executablePath: execFileSync("which", [process.env.CHROMIUM ?? "chromium"], { encoding: "utf8" }).trim(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});

/** Pages of each kind, and what is there when they are ready. */
const PAGES = {
  "index.html": "main h1",
  "play.html": "iframe",
  "tree.html": "iframe",
  "reference.html": "main table",
  "docs/introduction.html": "main img",
  "docs/policies.html": "main table",
  "docs/experiments.html": "main img",
  "crates/lab/docs/contests.html": "main pre",
  "examples/your_own_game.rs.html": "pre",
  "crates/rules/tests/perft/index.html": "li a",
  "api/ramure/struct.Mcts.html": "#main-content",
  "play/index.html": "#board svg",
  "tree/hex.html": "[role=gridcell]",
};

for (const [theme, width] of [["light", 1280], ["dark", 360]]) {
  for (const [name, ready] of Object.entries(PAGES)) {
    const page = await browser.newPage();
    const problems = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !/^(data|blob):/.test(url)) problems.push(`a request to ${url}`);
    });
    page.on("response", (response) => {
      // Rustdoc asks for the list of a trait's other implementors, and writes it only if there are some.
      if (response.status() >= 400 && !response.url().includes("/trait.impl/")) problems.push(`${response.status()} for ${response.url()}`);
    });
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await page.goto(address + name, { waitUntil: "networkidle2", timeout: 60_000 });
    await page.waitForSelector(ready);
    const inside = page.frames().slice(1).filter((frame) => /\/(play|tree)\//.test(frame.url()));
    assert.equal(inside.length, ready === "iframe" ? 1 : 0, name);
    for (const frame of inside) await frame.waitForSelector("#board svg, [role=gridcell]", { timeout: 60_000 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(name.startsWith("api/") || overflow <= 0, `${name} at ${width} is ${overflow} pixels too wide`);
    const broken = await page.$$eval("img", (images) => images.filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src));
    assert.deepEqual([...problems, ...broken], [], `${name}, ${theme}, ${width}`);
    if (pictures) await page.screenshot({ path: `${pictures}/site-${name.replaceAll("/", "-")}-${width}.png` });
    await page.close();
  }
}

// The search of the book has its own index.
const page = await browser.newPage();
await page.goto(`${address}docs/memory.html?search=thompson`);
await page.waitForSelector("#mdbook-searchresults li, #searchresults li", { timeout: 60_000 });
await browser.close();
console.log(`visited ${Object.keys(PAGES).length} pages, wide and light, narrow and dark`);
