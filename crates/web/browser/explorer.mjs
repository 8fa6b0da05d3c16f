// Tests of the explorer's pages, which `examples/pages.rs` writes.

import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** The tests; `folder` has the pages. */
export function explorerTests({ browser, folder, picture, accessible, close }) {
  async function open(name, { width = 1200, theme = "light", motion = "reduce" } = {}) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.problems = [];
    page.on("console", (message) => ["error", "warn"].includes(message.type()) && page.problems.push(message.text()));
    page.on("pageerror", (error) => page.problems.push(error.message));
    page.on("dialog", (dialog) => page.problems.push(`a dialog: ${dialog.message()}`));
    page.on("request", (request) => /^(file|data):/.test(request.url()) || page.problems.push(`a request: ${request.url()}`));
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }, { name: "prefers-reduced-motion", value: motion }]);
    await page.goto(pathToFileURL(`${folder}/${name}.html`).href);
    return page;
  }

  /** The page draws in the next frame. */
  const drawing = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  /** The number of rows and their heading, whether drawn or not. */
  const rowCount = async (page) => {
    await drawing(page);
    return Number(await page.$eval("#tree", (tree) => tree.getAttribute("aria-rowcount")));
  };
  /** The rows that are drawn: name, level, visits and mean as they are written. */
  const rows = async (page) => {
    await drawing(page);
    return page.$$eval("#rows .row", (lines) =>
      lines.map((line) => {
        const cells = [...line.querySelectorAll("[role=gridcell]")].map((cell) => cell.textContent);
        return {
          name: line.querySelector("b").textContent,
          level: Number(line.getAttribute("aria-level")),
          visits: Number(cells[2].replaceAll("\u202f", "")),
          mean: Number(cells[3]),
          isSelected: line.getAttribute("aria-selected") === "true",
          isOpen: line.getAttribute("aria-expanded"),
          isBest: line.querySelector(".best") !== null,
        };
      }),
    );
  };
  const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
  const selected = async (page) => (await rows(page)).find((row) => row.isSelected);
  const data = (page) => page.$eval("#data", (script) => JSON.parse(script.textContent));
  const line = (page) => page.$$eval("#line button", (buttons) => buttons.map((button) => button.textContent));
  const press = async (page, ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    await drawing(page);
  };

  return {
    async "the tree of a search: the best line, sort, fold"() {
      const page = await open("connect4");
      const { best, action, actions, visits, parent } = await data(page);
      const drawn = await rows(page);
      const stars = drawn.filter((row) => row.isBest).map((row) => row.name);
      assert.deepEqual(stars, best.map((node) => actions[action[node]]).slice(0, stars.length));
      assert.ok(stars.length > 3);
      const ofRoot = (list) => list.filter((row) => row.level === 2);

      await page.click("#fold");
      const byVisits = ofRoot(await rows(page));
      assert.equal(byVisits.length, 0, "all is folded");
      await page.focus("#tree");
      await press(page, "ArrowRight");
      const expected = visits.filter((_, node) => parent[node] === 0).sort((a, b) => b - a);
      assert.deepEqual(ofRoot(await rows(page)).map((row) => row.visits), expected);

      await page.select("#sort", "mean");
      const means = ofRoot(await rows(page)).map((row) => row.mean);
      assert.deepEqual(means, [...means].sort((a, b) => b - a));
      await page.select("#sort", "action");
      assert.deepEqual(ofRoot(await rows(page)).map((row) => row.name), ["0", "1", "2", "3", "4", "5", "6"]);

      // The triangle of a row opens and closes it.
      const at = (await rows(page)).findIndex((row) => row.isOpen === "false");
      await page.click(`#rows .row:nth-child(${at + 1}) .twisty`);
      assert.equal((await rows(page))[at].isOpen, "true");
      assert.equal((await rows(page))[at + 1].level, 3);
      await page.click(`#rows .row:nth-child(${at + 1}) .twisty`);
      assert.equal((await rows(page)).length, 8);

      await page.click("#unfold");
      assert.equal(await rowCount(page), visits.length + 1);
      await page.click("#best");
      assert.ok((await selected(page)).isBest);
      assert.equal(await page.$eval("#history-panel", (panel) => panel.querySelectorAll("svg[role=img]").length), 2);
      await close(page);
    },

    async "a tree is searched for an action and for a line of play"() {
      const page = await open("connect4");
      const find = async (words) => {
        await page.$eval("#find", (input) => { input.value = ""; });
        await page.type("#find", words);
        await press(page, "Enter");
        return text(page, "#found");
      };
      const { best, action, actions } = await data(page);
      const [first, second, third] = best.map((node) => actions[action[node]]);
      assert.equal(await find(`${first} ${second}, ${third}`), "1 of 1");
      assert.deepEqual(await line(page), ["root", first, second, third]);
      assert.match(await find("6"), /^1 of /);
      const most = (await selected(page)).visits;
      assert.match(await find("6"), /^2 of /, "the same words go on");
      assert.ok((await selected(page)).visits <= most, "the most visited first");
      assert.equal(await find("<b>nonsense</b>"), "nothing found");
      assert.equal(await find("3 9"), "nothing found");
      await close(page);
    },

    async "two children are compared"() {
      const page = await open("connect4");
      await page.click("#fold");
      await page.focus("#tree");
      await press(page, "ArrowRight", "ArrowDown", "c", "ArrowDown");
      const titles = await page.$$eval("#node th[scope=col]", (titles) => titles.map((title) => title.textContent));
      const [best, second] = (await rows(page)).slice(1, 3);
      assert.deepEqual(titles, [`selected: ${second.name}`, `kept: ${best.name}`]);
      assert.equal(await page.$$eval("#node .boards svg", (boards) => boards.length), 2);
      const said = await text(page, "#node .note");
      const { mean, visits, parent } = await data(page);
      // Wilson's interval, in the form with the discriminant.
      const interval = (node) => {
        const [z, n, p] = [1.959963984540054, visits[node], mean[node]];
        const root = z * Math.sqrt(z * z + 4 * n * p * (1 - p));
        return [(2 * n * p + z * z - root) / (2 * (n + z * z)), (2 * n * p + z * z + root) / (2 * (n + z * z))];
      };
      const [a, b] = visits.map((_, node) => node).filter((node) => parent[node] === 0).sort((a, b) => visits[b] - visits[a]).map(interval);
      const shown = await page.$$eval("#node tr", (lines) =>
        lines.filter((line) => line.textContent.startsWith("95 %")).flatMap((line) => [...line.querySelectorAll("td")].map((cell) => cell.textContent)));
      assert.deepEqual(shown, [b, a].map(([low, high]) => `${low.toFixed(3)} to ${high.toFixed(3)}`));
      const overlap = a[0] <= b[1] && b[0] <= a[1];
      assert.match(said, overlap ? /^The intervals overlap/ : /^The intervals do not overlap/);
      await press(page, "ArrowRight", "ArrowDown");
      assert.match(await text(page, "#node .note"), /^Different players/);
      await picture(page, "explorer-compare");
      await press(page, "c", "c");
      assert.equal(await page.$("#node th[scope=col]"), null, "nothing is kept");
      // A button compares the two most visited actions of a node.
      await press(page, "Home");
      const button = await page.$$("#node > button").then((buttons) => buttons.at(-1));
      assert.equal(await button.evaluate((button) => button.textContent), `Compare ${best.name} with ${second.name}`);
      await button.click();
      assert.deepEqual(await page.$$eval("#node th[scope=col]", (titles) => titles.map((title) => title.textContent)), [`selected: ${best.name}`, `kept: ${second.name}`]);
      await close(page);
    },

    async "each row says who chose it, and statistics are words"() {
      const page = await open("connect4");
      const players = await page.$$eval("#rows .row", (lines) => lines.map((line) => line.querySelector(".who")?.textContent ?? ""));
      assert.deepEqual(players.slice(0, 5), ["", "Red", "Yellow", "Red", "Yellow"]);
      assert.match(await text(page, "#node table"), /tree policy: 0\.\d{4}; backpropagation: nothing is proven/);
      // The scale of the intervals is the one that the heading names, with the means of the best line inside.
      const scale = (await page.$$eval("#head span", (heads) => heads.map((head) => head.textContent))).find((head) => / to /.test(head));
      const [low, high] = scale.match(/[\d.]+ to [\d.]+/)[0].split(" to ").map(Number);
      const { best, mean } = await data(page);
      assert.ok(high - low < 1 && best.slice(0, 3).every((node) => low < mean[node] && mean[node] < high), scale);
      await close(page);
    },

    async "the keyboard reaches all of it"() {
      const page = await open("connect4");
      const visited = [];
      for (let tabs = 0; tabs < 12; tabs += 1) {
        await press(page, "Tab");
        visited.push(await page.evaluate(() => document.activeElement.id));
      }
      for (const id of ["theme", "find", "sort", "best", "unfold", "fold", "tree"]) assert.ok(visited.includes(id), `Tab does not reach ${id}`);
      await page.focus("#tree");
      await press(page, "Home");
      assert.equal((await selected(page)).name, "the root");
      await press(page, "End");
      const end = Number((await page.$eval("#tree", (tree) => tree.getAttribute("aria-activedescendant"))).slice(4));
      assert.equal(end, await rowCount(page) - 2);
      await press(page, "PageUp", "PageDown");
      assert.equal(await page.$eval("#tree", (tree) => tree.getAttribute("aria-activedescendant")), `row-${end}`);
      await press(page, "Home", "ArrowLeft");
      assert.deepEqual((await rows(page)).map((row) => row.isOpen), ["false"]);
      await press(page, "Enter");
      assert.equal((await rows(page))[0].isOpen, "true");
      await press(page, " ", "ArrowRight", "ArrowRight");
      assert.equal((await selected(page)).level, 2);
      const before = await line(page);
      // Keys with Control belong to the browser.
      await page.keyboard.down("Control");
      await press(page, "ArrowDown");
      await page.keyboard.up("Control");
      assert.deepEqual(await line(page), before);
      await close(page);
    },

    async "a graph: each way to a position leads to its children"() {
      const page = await open("graph");
      const { position, visits, positionVisits, parent, action, actions } = await data(page);
      const shared = position.filter((own, node) => own >= 0 && position.indexOf(own) < node);
      assert.ok(shared.length > 100);
      await page.click("#fold");
      const inside = async (words) => {
        await page.$eval("#find", (input, words) => { input.value = words; }, words);
        await page.focus("#find");
        await press(page, "Enter");
        assert.equal(await text(page, "#found"), "1 of 1", words);
        await page.focus("#tree");
        await press(page, "ArrowRight");
        const all = await rows(page);
        const at = all.findIndex((row) => row.isSelected);
        const found = all.slice(at + 1).filter((row, index, list) => list.slice(0, index + 1).every((other) => other.level > all[at].level));
        const facts = await text(page, "#node table");
        await page.click("#fold");
        return { children: found.filter((row) => row.level === all[at].level + 1), facts };
      };
      // Two ways to the most visited position, of those after three actions to which several lead.
      const pathTo = (node) => (node === 0 ? [] : [...pathTo(parent[node]), actions[action[node]]]);
      const nodes = position.map((_, node) => node).filter((node) => shared.includes(position[node]) && pathTo(node).length === 3);
      const most = nodes.reduce((best, node) => (positionVisits[node] > positionVisits[best] ? node : best));
      const [first, second] = nodes.filter((node) => position[node] === position[most]).map((node) => pathTo(node).join(" "));
      const [one, other] = [await inside(first), await inside(second)];
      assert.ok(one.children.length > 0);
      assert.deepEqual(other.children, one.children);
      assert.ok([one, other].some(({ facts }) => facts.includes("visits of the position")), "a way has fewer visits than its position");
      assert.ok(visits.some((count, node) => count < positionVisits[node]));
      await page.click("#unfold");
      assert.ok(await rowCount(page) > position.length, "all ways are open");
      await picture(page, "explorer-graph");
      await accessible(page);
      await close(page);
    },

    async "texts of a game stay texts"() {
      const page = await open("hostile");
      const { actions, players } = await data(page);
      await page.click("#unfold");
      await page.focus("#tree");
      const names = new Set();
      for (let row = 0; row < 13; row += 1) {
        names.add((await selected(page)).name);
        await press(page, "c", "ArrowDown", "ArrowDown", "c", "ArrowUp");
      }
      for (const name of actions.filter((name) => name !== "")) assert.ok(names.has(name), name);
      assert.ok((await text(page, "#node")).includes(players[0]) || (await text(page, "#node")).includes(players[1]));
      assert.match(await text(page, "#node pre"), /<img src=x/);
      assert.equal(await page.title(), actions.find((name) => name.startsWith("</script>")));
      assert.equal(await page.evaluate(() => window.broken), undefined);
      assert.equal(await page.$$eval("img, a, #node script, [onerror], [onload]", (found) => found.length), 0);
      await accessible(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `it is ${overflow} pixels too wide`);
      await close(page);
    },

    async "axe finds no fault in the explorer, light and dark, wide and narrow"() {
      for (const [theme, width] of [["light", 1200], ["dark", 1200], ["light", 320], ["dark", 320]]) {
        const page = await open("connect4", { theme, width });
        // The name of the deepest node is in sight, however much its row is indented.
        const { parent, action, actions } = await data(page);
        const depth = [0];
        parent.forEach((above, node) => { if (above >= 0) depth[node] = depth[above] + 1; });
        const deepest = [];
        for (let node = depth.indexOf(Math.max(...depth)); node !== 0; node = parent[node]) deepest.unshift(actions[action[node]]);
        assert.ok(deepest.length > 10);
        await page.type("#find", deepest.join(" "));
        await press(page, "Enter");
        assert.equal((await selected(page)).level, deepest.length + 1);
        const hidden = await page.$$eval("#rows .row b", (names) => names.filter((name) => name.scrollWidth > name.clientWidth || name.clientWidth === 0).length);
        assert.equal(hidden, 0, `${hidden} names are cut off at ${width}`);
        await page.focus("#tree");
        await press(page, "Home", "ArrowDown", "c", "ArrowDown");
        await accessible(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `at ${width}, the page is ${overflow} pixels too wide`);
        await picture(page, `explorer-${theme}-${width}`);
        await close(page);
      }
      const page = await open("empty");
      assert.match(await text(page, "#summary"), /the search has not run yet/);
      await accessible(page);
      await close(page);
    },

    async "a tree of 100 000 nodes opens and scrolls"() {
      enlarge(`${folder}/connect4.html`, `${folder}/large.html`, 100_000);
      const size = statSync(`${folder}/large.html`).size;
      assert.ok(size < 20e6, `${size} bytes`);
      const page = await open("large", { motion: "no-preference" });
      const frame = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      await frame();
      const opened = await page.evaluate(() => performance.now() / 1000);
      const session = await page.createCDPSession();
      await session.send("Performance.enable", { timeDomain: "threadTicks" });
      /** The processor time of the page's thread, in seconds. What else the machine does has no part in it. */
      const spent = async () => {
        const { metrics } = await session.send("Performance.getMetrics");
        return metrics.find(({ name }) => name === "TaskDuration").value;
      };
      const begin = await spent();
      await page.reload();
      await frame();
      const opening = (await spent()) - begin;

      await page.click("#unfold");
      assert.ok(await rowCount(page) > 100_000);
      await page.$eval("#tree", (tree) => { tree.scrollTop = 1_000_000; });
      await frame();
      const before = await spent();
      const { frames, seconds } = await page.evaluate(async () => {
        const begin = performance.now();
        let frames = 0, now = begin;
        while (now - begin < 2_000) {
          document.getElementById("tree").scrollTop += 300;
          now = await new Promise(requestAnimationFrame);
          frames += 1;
        }
        return { frames, seconds: (now - begin) / 1000 };
      });
      assert.ok((await page.$$eval("#rows .row", (lines) => lines.length)) < 100, "only rows in sight are drawn");
      const work = ((await spent()) - before) / frames;
      console.log(
        `   ${(size / 1e6).toFixed(1)} MB; opens in ${opened.toFixed(2)} s, ${opening.toFixed(2)} s of them its own work; ` +
          `scrolls at ${(frames / seconds).toFixed(0)} frames a second, ${(1000 * work).toFixed(1)} ms of work for each`,
      );
      // The marks are 2 s and 30 frames a second, on a machine that does nothing else.
      assert.ok(opening < 2 && work < 1 / 30, `${opening} s, ${work} s`);
      await close(page);
    },
  };
}

/** Repeats the tree of a page below its root until it has `count` nodes. */
function enlarge(from, to, count) {
  const page = readFileSync(from, "utf8");
  const [before, rest] = page.split('<script id="data" type="application/json">');
  const end = rest.indexOf("</script>");
  const data = JSON.parse(rest.slice(0, end));
  const own = data.parent.length;
  const perNode = Object.keys(data).filter((key) => Array.isArray(data[key]) && data[key].length === own);
  for (let first = own; first < count; first += own - 1) {
    const offset = first - 1;
    for (const key of perNode) {
      const copy = data[key].slice(1, own);
      for (const value of copy) data[key].push(key === "parent" && value > 0 ? value + offset : value);
    }
  }
  data.nodes = data.parent.length;
  writeFileSync(to, `${before}<script id="data" type="application/json">${JSON.stringify(data).replaceAll("<", "\\u003c")}${rest.slice(end)}`);
}
