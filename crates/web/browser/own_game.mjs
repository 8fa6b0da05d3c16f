// Plays on the page of `examples/browser` in a real browser: `node own_game.mjs FILE`. With a folder as the second argument, keeps screenshots
// there.

import axe from "axe-core";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import puppeteer from "puppeteer-core";

const [, , file, pictures] = process.argv;
const browser = await puppeteer.launch({
  executablePath: execFileSync("which", [process.env.CHROMIUM ?? "chromium"], { encoding: "utf8" }).trim(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});

for (const [theme, width, height] of [["light", 1280, 800], ["dark", 390, 844]]) {
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.goto(`file://${resolve(file)}`);
  const text = (selector) => page.$eval(selector, (element) => element.textContent);
  const until = (condition) => page.waitForFunction(condition, { timeout: 30_000 });
  await until(() => /^[1-9]/.test(document.querySelector("#iterations").textContent));
  if (pictures) await page.screenshot({ path: `${pictures}/own-game-${width}.png` });
  await page.addScriptTag({ content: axe.source });
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing is wider than the page");

  // A click on the board plays, and the search answers within its second.
  await page.click('#board [data-action="g5"]');
  await until(() => document.querySelector("#played").textContent.startsWith("Played: g5 ") && /to move/.test(document.querySelector("#status").textContent));
  // So does a click in the table.
  const press = () => page.evaluate(() => {
    const button = document.querySelector("#actions button");
    button?.click();
    return button?.textContent;
  });
  const action = await press();
  await until(() => document.querySelector("#played").textContent.split(" ").length >= 4);
  assert.equal((await text("#played")).split(" ")[3], action);
  await until(() => /to move|wins/.test(document.querySelector("#status").textContent));
  await page.click("#undo");
  assert.equal((await text("#played")).split(" ").length, 3);

  // The search plays both sides in turn until the game is over.
  await page.select("#time", "200");
  await page.select("#side", "First");
  for (let turn = 0; !/wins/.test(await text("#status")) && turn < 40; turn += 1) {
    await until(() => /to move|wins/.test(document.querySelector("#status").textContent));
    await press();
  }
  assert.match(await text("#status"), /wins$/);

  await page.click("#new");
  await until(() => /^[1-9]/.test(document.querySelector("#iterations").textContent));
  const opened = new Promise((resolve) => page.once("popup", resolve));
  await page.click("#explore");
  const explorer = await opened;
  await explorer.waitForSelector("[role=gridcell]");
  await explorer.close();
  assert.deepEqual(problems, []);
  await page.close();
  console.log(`own game: ${width} x ${height}, ${theme}`);
}
await browser.close();
