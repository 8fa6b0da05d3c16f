"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const HEIGHT = 30;
  // For light and for dark pages.
  const COLOURS = [["#0072b2", "#5ab4f0"], ["#c75100", "#ff8f4a"], ["#00805c", "#3fd0a2"], ["#b3568b", "#e39cc5"], ["#2f8fc4", "#9bd4f5"], ["#9a6a00", "#f0b429"]]
    .map(([light, dark]) => `stroke: light-dark(${light}, ${dark})`);
  const DASHES = ["", "6 3", "2 3", "8 3 2 3", "12 4", "4 2"];
  const ROOT = 0;

  if (data.visits.length === 0) {
    element("summary").textContent = "The tree is empty: the search has not run yet.";
    for (const part of ["tree-panel", "node-panel", "theme"]) element(part).hidden = true;
    return;
  }

  // ---- The tree ----

  /// For each node, its children.
  const children = data.visits.map(() => []);
  data.parent.forEach((parent, node) => { if (parent >= 0) children[parent].push(node); });
  // In a graph, the children of a position are written below the first node that leads to it.
  const homes = new Map();
  if (data.position) data.position.forEach((position, node) => { if (position >= 0 && !homes.has(position)) homes.set(position, node); });
  const homeOf = (node) => (data.position && data.position[node] >= 0 ? homes.get(data.position[node]) : node);
  const childrenOf = (node) => children[homeOf(node)];
  /// The number of children that are not in the page, and their visits.
  const leftOut = (node) => data.hidden[homeOf(node)] ?? [0, 0];

  const nameOf = (node) => (node === ROOT ? "the root" : data.actions[data.action[node]]);
  const playerName = (player) => data.players[player] ?? `player ${player}`;
  const proofOf = (node) => (data.proof && data.proof[node] >= 0 ? data.proof[node] : null);
  const priorOf = (node) => (data.prior && data.prior[node] >= 0 ? data.prior[node] : null);
  const best = new Set(data.best);

  /// The interval that reports print: Wilson 1927, 95 %.
  function intervalOf(node) {
    const n = data.visits[node];
    if (n === 0) return [0, 1];
    const z = 1.959963984540054, p = data.mean[node];
    const scale = 1 / (1 + z * z / n);
    const centre = p + z * z / (2 * n);
    const spread = z * Math.sqrt(Math.max(0, p * (1 - p) / n + z * z / (4 * n * n)));
    return [Math.max(0, (centre - spread) * scale), Math.min(1, (centre + spread) * scale)];
  }

  const proofName = (proof) => ({ 1: "win", 0.5: "draw", 0: "loss" })[proof] ?? `proven ${proof}`;
  const count = (number) => number.toLocaleString("en-US").replaceAll(",", "\u202f");
  const fixed = (number, digits = 3) => number.toFixed(digits);

  function share(row) {
    const { node, above } = row;
    if (!above) return 1;
    above.sum ??= childrenOf(above.node).reduce((sum, child) => sum + data.visits[child], leftOut(above.node)[1]);
    return above.sum === 0 ? 0 : data.visits[node] / above.sum;
  }

  // ---- Rows: the nodes that are shown, each with the way that leads to it ----

  const ORDERS = {
    visits: ["visits", (a, b) => data.visits[b] - data.visits[a]],
    mean: ["mean", (a, b) => (data.visits[b] > 0) - (data.visits[a] > 0) || data.mean[b] - data.mean[a]],
    lower: ["lower bound", (a, b) => (data.visits[b] > 0) - (data.visits[a] > 0) || intervalOf(b)[0] - intervalOf(a)[0]],
    prior: ["prior", (a, b) => (priorOf(b) ?? -1) - (priorOf(a) ?? -1)],
    proof: ["proof", (a, b) => (proofOf(b) ?? -1) - (proofOf(a) ?? -1)],
    action: ["action", (a, b) => nameOf(a).localeCompare(nameOf(b), "en", { numeric: true })],
  };
  if (!data.prior) delete ORDERS.prior;
  if (!data.proof) delete ORDERS.proof;
  let order = "visits";

  const newRow = (node, above) => ({ node, above, depth: above ? above.depth + 1 : 0, isOpen: false, below: null });
  const root = newRow(ROOT, null);
  let rows = [root];
  let selected = root;
  let kept = null;

  function below(row) {
    if (!row.below) row.below = childrenOf(row.node).map((node) => newRow(node, row));
    if (row.order !== order) {
      const compare = ORDERS[order][1];
      row.below.sort((a, b) => compare(a.node, b.node) || ORDERS.visits[1](a.node, b.node) || a.node - b.node);
      row.order = order;
    }
    return row.below;
  }

  /// Lists the rows that are shown. A list of what is still to do takes the place of a recursion.
  function list() {
    rows = [];
    const pending = [root];
    while (pending.length > 0) {
      const row = pending.pop();
      row.index = rows.length;
      rows.push(row);
      if (row.isOpen) {
        const inside = below(row);
        for (let index = inside.length - 1; index >= 0; index -= 1) pending.push(inside[index]);
      }
    }
  }

  const canOpen = (row) => childrenOf(row.node).length > 0;

  function open(row, isOpen) {
    if (row.isOpen === isOpen || (isOpen && !canOpen(row))) return;
    row.isOpen = isOpen;
    list();
    if (!isOpen) {
      for (let up = selected; up; up = up.above) if (up === row) select(row, false);
    }
    draw();
  }

  /// Opens the way to a node, and returns its row.
  function reveal(path) {
    let row = root;
    for (const node of path) {
      row.isOpen = true;
      row = below(row).find((child) => child.node === node);
    }
    list();
    return row;
  }

  function pathTo(node) {
    const path = [];
    for (let up = node; up !== ROOT; up = data.parent[up]) path.unshift(up);
    return path;
  }

  // ---- Drawing the rows that are in sight ----

  const tree = element("tree"), body = element("rows");

  function cell(text, kind) {
    const cell = document.createElement("span");
    cell.setAttribute("role", "gridcell");
    if (kind) cell.className = kind;
    cell.textContent = text;
    return cell;
  }

  const SVG = "http://www.w3.org/2000/svg";
  function svg(name, attributes, ...inside) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  }

  /// The means that the column of the intervals shows: as far from 1/2 as those of the busy nodes after one and two actions, on both sides, because players alternate.
  const isNear = (node) => node !== ROOT && (data.parent[node] === ROOT || data.parent[data.parent[node]] === ROOT);
  const busy = data.visits.map((_, node) => node).filter((node) => isNear(node) && data.visits[node] >= Math.max(30, data.visits[ROOT] / 50));
  const distances = busy.flatMap(intervalOf).map((value) => Math.abs(value - .5));
  const reach = busy.length === 0 ? .5 : Math.min(.5, Math.ceil(20 * distances.reduce((a, b) => Math.max(a, b), .05)) / 20);

  function whisker(node) {
    const [low, high] = intervalOf(node);
    const onScale = (value) => Math.min(1, Math.max(0, (value - .5 + reach) / (2 * reach)));
    const at = (value) => fixed(2 + 96 * onScale(value), 1);
    const picture = svg("svg", { viewBox: "0 0 100 18", preserveAspectRatio: "none", class: "whisker", "aria-hidden": "true" },
      svg("line", { x1: 50, x2: 50, y1: 2, y2: 16, stroke: "currentColor", "stroke-opacity": ".25" }),
      svg("line", { x1: 2, x2: 98, y1: 9, y2: 9, stroke: "currentColor", "stroke-opacity": ".15" }));
    if (data.visits[node] > 0) {
      picture.append(svg("rect", { x: at(low), width: fixed(Math.max(.8, 96 * (onScale(high) - onScale(low))), 1), y: 6, height: 6, fill: "currentColor", "fill-opacity": ".35" }),
        svg("rect", { x: at(data.mean[node]), width: 1.6, y: 3, height: 12, fill: "currentColor" }));
    }
    return picture;
  }

  function drawRow(row) {
    const { node } = row;
    const line = document.createElement("div");
    line.className = "row";
    line.id = `row-${row.index}`;
    line.style.top = `${row.index * HEIGHT}px`;
    line.dataset.index = row.index;
    line.setAttribute("role", "row");
    line.setAttribute("aria-rowindex", row.index + 2);
    line.setAttribute("aria-level", row.depth + 1);
    line.setAttribute("aria-selected", row === selected);
    if (canOpen(row)) line.setAttribute("aria-expanded", row.isOpen);

    const name = cell("", "name");
    // Deep rows are indented less, so that their names stay in sight.
    name.style.paddingLeft = `calc(${fixed(Math.min(row.depth, 8) + Math.min(12, Math.max(0, row.depth - 8)) / 3, 2)} * var(--indent))`;
    const twisty = document.createElement("span");
    twisty.className = "twisty";
    twisty.setAttribute("aria-hidden", "true");
    twisty.textContent = canOpen(row) ? (row.isOpen ? "▾" : "▸") : "";
    const bold = document.createElement("b");
    bold.textContent = nameOf(node);
    name.append(twisty, bold);
    if (best.has(node)) {
      const mark = document.createElement("span");
      mark.className = "best";
      mark.title = "on the best line";
      mark.textContent = "★";
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", "on the best line");
      name.append(mark);
    }
    if (node !== ROOT) name.append(Object.assign(document.createElement("span"), { className: "who", textContent: playerName(data.chooser[node]) }));
    if (row === kept) name.append(" (kept)");

    const bar = cell("", "share");
    const part = share(row);
    const outer = document.createElement("div"), inner = document.createElement("i");
    outer.className = "bar";
    inner.style.width = `${100 * part}%`;
    outer.append(inner);
    outer.title = `${fixed(100 * part, 1)} % of the visits`;
    bar.append(outer);

    const interval = cell("", "interval");
    const [low, high] = intervalOf(node);
    interval.title = `95 % interval ${fixed(low)} to ${fixed(high)}`;
    if (node !== ROOT) interval.append(whisker(node));
    const prior = priorOf(node), proof = proofOf(node);
    line.append(name, bar, cell(count(data.visits[node]), "number"),
      cell(node === ROOT || data.visits[node] === 0 ? "–" : fixed(data.mean[node]), "number"), interval);
    if (data.prior) line.append(cell(prior === null ? "" : fixed(prior), "number"));
    if (data.proof) line.append(cell(proof === null ? "" : proofName(proof), { 1: "win", 0: "loss" }[proof] ?? ""));
    return line;
  }

  /// The rows that are drawn, by their index.
  const drawn = new Map();
  let isDue = false, isStale = true;
  /// Draws the rows in sight in the next frame. While the tree only scrolls, rows that stay in sight stay as they are.
  function draw(event) {
    if (event?.type !== "scroll") isStale = true;
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      const first = Math.max(0, Math.floor(tree.scrollTop / HEIGHT) - 6);
      const last = Math.min(rows.length, Math.ceil((tree.scrollTop + tree.clientHeight) / HEIGHT) + 6);
      for (const [index, line] of drawn) {
        if (isStale || index < first || index >= last) {
          line.remove();
          drawn.delete(index);
        }
      }
      if (isStale) {
        isStale = false;
        body.style.height = `${rows.length * HEIGHT}px`;
        tree.setAttribute("aria-rowcount", rows.length + 1);
      }
      let next = body.firstChild;
      for (let index = first; index < last; index += 1) {
        const line = drawn.get(index);
        if (line) {
          next = line.nextSibling;
        } else {
          drawn.set(index, body.insertBefore(drawRow(rows[index]), next));
        }
      }
      if (drawn.has(selected.index)) tree.setAttribute("aria-activedescendant", `row-${selected.index}`);
      else tree.removeAttribute("aria-activedescendant");
    });
  }

  function scrollTo(row) {
    const head = element("head").offsetHeight;
    const top = row.index * HEIGHT, room = tree.clientHeight - head - HEIGHT;
    if (top < tree.scrollTop) tree.scrollTop = top;
    else if (top > tree.scrollTop + room) tree.scrollTop = top - room;
  }

  function select(row, shows = true) {
    selected = row;
    drawNode();
    if (shows) {
      body.style.height = `${rows.length * HEIGHT}px`;
      scrollTo(row);
    }
    draw();
  }

  // ---- Positions: each is stored as the lines in which it differs from its parent's ----

  function linesOf(node) {
    const way = [node];
    while (data.drawing[way[0]][0] !== -1) way.unshift(data.parent[way[0]]);
    const lines = data.drawing[way[0]].slice(1);
    for (const step of way.slice(1)) {
      const changes = data.drawing[step];
      for (let index = 0; index < changes.length; index += 2) lines[changes[index]] = changes[index + 1];
    }
    return lines.map((line) => data.lines[line]).join("\n");
  }

  function board(node, caption) {
    const figure = document.createElement("figure");
    if (data.format === "svg") {
      const template = document.createElement("template");
      template.innerHTML = linesOf(node);
      const picture = template.content.querySelector("svg");
      if (picture) {
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", `The position after ${spoken(node)}`);
        figure.append(picture);
      }
    } else {
      const text = document.createElement("pre");
      text.textContent = linesOf(node);
      text.tabIndex = 0;
      figure.append(text);
    }
    if (caption) {
      const words = document.createElement("figcaption");
      words.textContent = caption;
      figure.append(words);
    }
    return figure;
  }

  const spoken = (node) => (node === ROOT ? "no action" : pathTo(node).map(nameOf).join(", "));

  // ---- The selected node ----

  function turnOf(node) {
    const turn = data.turn[node];
    if (turn === -1) return "chance draws";
    if (turn === -2) return "the game is over";
    return `${playerName(turn)} to move`;
  }

  /// The facts about a node, as pairs of a name and a text.
  function facts(row) {
    const { node } = row;
    const all = [["turn", turnOf(node)]];
    const prior = priorOf(node), proof = proofOf(node);
    if (node === ROOT) {
      all.push(["visits", count(data.visits[node])]);
    } else {
      const [low, high] = intervalOf(node);
      all.push(["visits", `${count(data.visits[node])} (${fixed(100 * share(row), 1)} % of its parent's)`]);
      all.push(["chosen by", playerName(data.chooser[node])]);
      all.push(["mean of this player", data.visits[node] === 0 ? "–" : fixed(data.mean[node], 4)]);
      all.push(["95 % interval", `${fixed(low)} to ${fixed(high)}`]);
    }
    if (data.positionVisits && data.positionVisits[node] !== data.visits[node]) {
      all.push(["visits of the position", `${count(data.positionVisits[node])}, by all ways`]);
      all.push(["mean of the position", fixed(data.positionMean[node], 4)]);
    }
    if (prior !== null) all.push(["prior", fixed(prior, 4)]);
    if (proof !== null) all.push([`proven for ${playerName(data.chooser[node])}`, proofName(proof)]);
    if (data.kept) all.push(["statistics of the policies", data.statistics[data.kept[node]]]);
    const inside = childrenOf(node).length, [out] = leftOut(node);
    all.push(["children", count(inside + out) + (out > 0 ? `, of which ${count(out)} are not in this page` : "")]);
    return all;
  }

  function drawNode() {
    const way = [];
    for (let row = selected; row; row = row.above) way.unshift(row);
    element("line").replaceChildren(...way.map((row) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = row.node === ROOT ? "root" : nameOf(row.node);
      if (row === selected) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => select(row));
      return button;
    }));

    const parts = [];
    const pair = kept && kept !== selected;
    if (data.format) {
      const boards = document.createElement("div");
      boards.className = "boards";
      boards.append(board(selected.node, pair ? `selected: ${nameOf(selected.node)}` : ""));
      if (pair) boards.append(board(kept.node, `kept: ${nameOf(kept.node)}`));
      parts.push(boards);
    }
    const table = document.createElement("table");
    if (pair) {
      const head = table.insertRow();
      for (const text of ["", `selected: ${nameOf(selected.node)}`, `kept: ${nameOf(kept.node)}`]) {
        // The first column has no title.
        const title = document.createElement(text === "" ? "td" : "th");
        if (text !== "") title.scope = "col";
        title.textContent = text;
        head.append(title);
      }
    }
    const other = pair ? new Map(facts(kept)) : null;
    const own = facts(selected);
    if (pair) for (const [key] of other) if (!own.some(([name]) => name === key)) own.push([key, ""]);
    for (const [key, text] of own) {
      const line = table.insertRow();
      const title = document.createElement("th");
      title.scope = "row";
      title.textContent = key;
      line.append(title);
      line.insertCell().textContent = text;
      if (pair) line.insertCell().textContent = other.get(key) ?? "";
    }
    parts.push(table);
    if (pair) parts.push(verdict());

    const button = document.createElement("button");
    button.type = "button";
    button.textContent = selected === kept ? "Stop comparing" : "Keep, to compare with another node";
    button.addEventListener("click", keep);
    parts.push(button);
    const most = childrenOf(selected.node).filter((node) => data.visits[node] > 0).sort((a, b) => data.visits[b] - data.visits[a]).slice(0, 2);
    if (most.length === 2) {
      const both = document.createElement("button");
      both.type = "button";
      both.textContent = `Compare ${nameOf(most[0])} with ${nameOf(most[1])}`;
      both.addEventListener("click", () => {
        open(selected, true);
        kept = below(selected).find((row) => row.node === most[1]);
        select(below(selected).find((row) => row.node === most[0]));
      });
      parts.push(" ", both);
    }
    element("node").replaceChildren(...parts);
  }

  /// Says whether the intervals of the two nodes tell their means apart.
  function verdict() {
    const note = document.createElement("p");
    note.className = "note";
    const [a, b] = [selected.node, kept.node];
    if (a === ROOT || b === ROOT) return note;
    if (data.chooser[a] !== data.chooser[b]) {
      note.textContent = "Different players chose these actions, so their means cannot be compared.";
      return note;
    }
    const [lowA, highA] = intervalOf(a), [lowB, highB] = intervalOf(b);
    const apart = lowA > highB || lowB > highA;
    note.textContent = apart ? `The intervals do not overlap: ${nameOf(data.mean[a] > data.mean[b] ? a : b)} has the greater mean.`
      : "The intervals overlap: the visits do not tell the two means apart.";
    return note;
  }

  function keep() {
    kept = kept === selected ? null : selected;
    drawNode();
    draw();
  }

  // ---- The root over time ----

  /// Draws lines over time. Values are from `bottomValue` to `topValue`; a line has a gap where it is out of this range.
  function chart(title, times, lines, [bottomValue, topValue]) {
    const [width, height, left, bottom] = [420, 190, 40, 26];
    const end = times[times.length - 1], start = times.length > 1 ? 0 : end - 1;
    const x = (time) => left + (width - left - 8) * (time - start) / Math.max(1, end - start);
    const y = (value) => 8 + (height - bottom - 8) * (topValue - value) / (topValue - bottomValue);
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title },
      svg("path", { class: "frame", d: `M${left} 8V${height - bottom}H${width - 8}` }));
    for (const part of [0, .5, 1]) {
      const value = bottomValue + part * (topValue - bottomValue);
      picture.append(svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, fixed(value, 2)),
        svg("path", { class: "frame", "stroke-opacity": ".5", d: `M${left} ${y(value)}H${width - 8}` }));
    }
    for (const time of [start, (start + end) / 2, end]) {
      picture.append(svg("text", { x: x(time), y: height - 8, "text-anchor": time === end ? "end" : time === start ? "start" : "middle" }, count(Math.round(time))));
    }
    lines.forEach((values, index) => {
      let pen = "M", path = "";
      values.forEach((value, at) => {
        if (value === null || value < bottomValue || value > topValue) {
          pen = "M";
          return;
        }
        path += `${pen}${fixed(x(times[at]), 1)} ${fixed(y(value), 1)}`;
        pen = "L";
      });
      picture.append(svg("path", { d: path, fill: "none", style: COLOURS[index], "stroke-width": 2, "stroke-dasharray": DASHES[index] }));
    });
    const figure = document.createElement("figure"), caption = document.createElement("figcaption");
    caption.textContent = title;
    figure.append(caption, picture);
    return figure;
  }

  function drawHistory() {
    const history = data.history;
    if (!history) return;
    element("history-panel").hidden = false;
    const end = history.visits.length - 1;
    const order = history.actions.map((_, index) => index).sort((a, b) => history.shares[b][end] - history.shares[a][end]).slice(0, COLOURS.length);
    // The means of the two most visited actions, and of others with a share of the visits, fill the chart.
    const means = order.filter((index, place) => place < 2 || history.shares[index][end] >= .01).flatMap((index) => history.means[index]).filter((mean) => mean !== null);
    let [low, high] = means.length === 0 ? [0, 1] : [Math.min(...means), Math.max(...means)];
    if (low >= 0 && high <= 1) {
      [low, high] = [Math.floor(10 * low) / 10, Math.ceil(10 * high) / 10];
      if (low === high) [low, high] = [Math.max(0, low - .1), Math.min(1, high + .1)];
    } else if (low === high) { // the returns of a simulator, on any scale
      [low, high] = [low - 1, high + 1];
    }
    const charts = document.createElement("div");
    charts.className = "charts";
    charts.append(chart("Share of the visits, by visits of the root", history.visits, order.map((index) => history.shares[index]), [0, 1]),
      chart("Mean, by visits of the root", history.visits, order.map((index) => history.means[index]), [low, high]));
    const legend = document.createElement("ul");
    legend.className = "legend";
    order.forEach((index, place) => {
      const item = document.createElement("li");
      const key = svg("svg", { viewBox: "0 0 26 10", "aria-hidden": "true" },
        svg("path", { d: "M0 5H26", style: COLOURS[place], "stroke-width": 2.5, "stroke-dasharray": DASHES[place] }));
      const mean = history.means[index][end];
      item.append(key, ` ${history.actions[index]}: ${fixed(100 * history.shares[index][end], 1)} %` + (mean === null ? "" : `, mean ${fixed(mean)}`));
      legend.append(item);
    });
    element("history").replaceChildren(charts, legend);
    const rest = history.actions.length - order.length;
    if (rest > 0) {
      const note = document.createElement("p");
      note.className = "note";
      note.textContent = `The ${order.length} most visited of ${history.actions.length} actions.`;
      element("history").append(note);
    }
  }

  // ---- Finding ----

  let matches = [], match = -1, query = "";

  function find() {
    const text = element("find").value.trim();
    if (text === "") {
      element("found").textContent = "";
      return;
    }
    if (text !== query) {
      [query, match] = [text, -1];
      const words = text.split(/[\s,]+/);
      const line = follow(words);
      if (line && words.length > 1) {
        matches = [line];
      } else {
        const small = text.toLowerCase();
        matches = [];
        data.action.forEach((action, node) => {
          if (node !== ROOT && data.actions[action].toLowerCase() === small) matches.push(node);
        });
        if (matches.length === 0) {
          data.action.forEach((action, node) => {
            if (node !== ROOT && data.actions[action].toLowerCase().includes(small)) matches.push(node);
          });
        }
        matches = matches.sort((a, b) => data.visits[b] - data.visits[a] || a - b).map(pathTo);
      }
    }
    if (matches.length === 0) {
      element("found").textContent = "nothing found";
      return;
    }
    match = (match + 1) % matches.length;
    element("found").textContent = `${count(match + 1)} of ${count(matches.length)}`;
    select(reveal(matches[match]));
  }

  /// Returns the nodes of a line of play from the root, or null if the page does not have it.
  function follow(words) {
    const path = [];
    let node = ROOT;
    for (const word of words) {
      node = childrenOf(node).find((child) => nameOf(child).toLowerCase() === word.toLowerCase());
      if (node === undefined) return null;
      path.push(node);
    }
    return path;
  }

  // ---- Events ----

  tree.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(tree);
  body.addEventListener("click", (event) => {
    const line = event.target.closest(".row");
    if (!line) return;
    const row = rows[Number(line.dataset.index)];
    select(row, false);
    if (event.target.closest(".twisty")) open(row, !row.isOpen);
  });
  body.addEventListener("dblclick", () => open(selected, !selected.isOpen));

  tree.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(tree.clientHeight / HEIGHT) - 2);
    const go = (index) => select(rows[Math.min(rows.length - 1, Math.max(0, index))]);
    const keys = {
      ArrowDown: () => go(selected.index + 1),
      ArrowUp: () => go(selected.index - 1),
      PageDown: () => go(selected.index + page),
      PageUp: () => go(selected.index - page),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (selected.isOpen ? go(selected.index + 1) : open(selected, true)),
      ArrowLeft: () => (selected.isOpen ? open(selected, false) : selected.above && select(selected.above)),
      Enter: () => open(selected, !selected.isOpen),
      " ": () => open(selected, !selected.isOpen),
      c: keep,
      C: keep,
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  for (const [key, [name]] of Object.entries(ORDERS)) {
    const option = document.createElement("option");
    [option.value, option.textContent] = [key, name];
    element("sort").append(option);
  }
  element("sort").addEventListener("change", (event) => {
    order = event.target.value;
    list();
    select(selected);
  });
  element("tools").addEventListener("submit", (event) => {
    event.preventDefault();
    find();
  });
  function showBest() {
    let row = root;
    for (const node of data.best) {
      row.isOpen = true;
      const next = below(row).find((child) => child.node === node);
      if (!next) break;
      row = next;
    }
    list();
  }
  element("best").addEventListener("click", () => {
    showBest();
    const end = [...rows].reverse().find((row) => best.has(row.node));
    select(end ?? root);
  });
  // A graph can have far more ways than positions, so there is an end. The rows near the root are opened first.
  const MOST_ROWS = 200_000;
  element("unfold").addEventListener("click", () => {
    const reached = [root];
    for (let at = 0; at < reached.length && reached.length < MOST_ROWS; at += 1) {
      if (!canOpen(reached[at])) continue;
      reached[at].isOpen = true;
      for (const row of below(reached[at])) reached.push(row);
    }
    list();
    select(selected);
  });
  element("fold").addEventListener("click", () => {
    for (const row of rows) row.isOpen = false;
    list();
    select(root);
  });

  const themes = window.matchMedia("(prefers-color-scheme: dark)");
  let isDark = themes.matches;
  function showTheme() {
    document.documentElement.style.colorScheme = isDark ? "dark" : "light";
    element("theme").textContent = isDark ? "Light" : "Dark";
  }
  element("theme").addEventListener("click", () => {
    isDark = !isDark;
    showTheme();
  });
  themes.addEventListener("change", (event) => {
    isDark = event.matches;
    showTheme();
  });

  // ---- The start ----

  const COLUMNS = [["action", "minmax(var(--name), 1fr)"], ["share of visits", "var(--share)", "share"], ["visits", "var(--visits)", "number"],
    ["mean", "3.4rem", "number"], [reach === .5 ? "interval, 0 to 1" : `${fixed(.5 - reach, 2)} to ${fixed(.5 + reach, 2)}`, "var(--interval)", "interval"]];
  if (data.prior) COLUMNS.push(["prior", "3.4rem", "number"]);
  if (data.proof) COLUMNS.push(["proof", "3.2rem"]);
  tree.style.setProperty("--columns", COLUMNS.map(([, width]) => width).join(" "));
  // A narrow page has no room for the bars: the visits say the same.
  tree.style.setProperty("--narrow-columns", COLUMNS.filter(([, , kind]) => kind !== "share").map(([, width]) => width).join(" "));
  const head = document.createElement("div");
  head.className = "row";
  head.setAttribute("role", "row");
  head.setAttribute("aria-rowindex", 1);
  for (const [title, , kind] of COLUMNS) {
    const name = document.createElement("span");
    name.setAttribute("role", "columnheader");
    if (kind) name.className = kind;
    name.textContent = title;
    if (kind === "interval") name.setAttribute("aria-label", `95 % interval, on a scale from ${fixed(.5 - reach, 2)} to ${fixed(.5 + reach, 2)}`);
    head.append(name);
  }
  element("head").append(head);
  const shown = data.visits.length;
  element("summary").textContent = `${count(data.visits[ROOT])} visits. ` +
    (shown < data.nodes ? `The ${count(shown)} most visited of ${count(data.nodes)} nodes. ` : `${count(shown)} nodes. `) +
    "The mean of an action is that of the player who chooses it.";
  showTheme();
  root.isOpen = canOpen(root);
  showBest();
  drawHistory();
  select(root);
})();
