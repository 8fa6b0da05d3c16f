// The tabs of the page: one is shown.

const tabs = [...document.querySelectorAll("[role=tab]")];
const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

/** Called when a tab is shown for the first time, by the id of its panel. */
const openings = new Map();

function choose(tab) {
  for (const other of tabs) {
    other.setAttribute("aria-selected", String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    panelOf(other).hidden = other !== tab;
  }
  const id = panelOf(tab).id;
  openings.get(id)?.();
  openings.delete(id);
  tab.dispatchEvent(new Event("chosen", { bubbles: true }));
}

/** Calls `open` when the panel is shown for the first time. */
export function whenOpened(id, open) {
  openings.set(id, open);
}

/** Shows the panel with this id. Returns whether there is one. */
export function show(id) {
  const tab = tabs.find((tab) => panelOf(tab).id === id);
  if (tab) choose(tab);
  return tab !== undefined;
}

/** Returns whether the panel with this id is shown. */
export const isShown = (id) => !document.getElementById(id).hidden;

/** Returns whether somebody sees the panel with this id. */
export const isSeen = (id) => isShown(id) && !document.hidden;

/** Whether the visitor wants no motion that nobody asked for. */
export const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;

for (const tab of tabs) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
}
