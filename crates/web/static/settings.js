// The form with the settings of a player's search.

/** The most effort of each unit, as in `settings.rs`. */
export const MOST = { millis: 600_000, iterations: 1_000_000_000 };

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function field(text, input) {
  return element("label", { className: "field" }, element("span", { textContent: text }), input);
}

function select(words, value) {
  const options = words.map(({ word, title }) => element("option", { value: word, textContent: title }));
  const made = element("select", {}, ...options);
  made.value = value;
  return made;
}

/** Fills `place` with a form. Calls `changed` with the settings whenever they change and are in their ranges. */
export function createSettings(place, lists, settings, changed) {
  /** The constants of each policy that the visitor has tried, for when the visitor returns to it. */
  const kept = { [settings.policy]: { ...settings.constants } };

  const policy = select(lists.policies, settings.policy);
  const about = element("p", { className: "about" });
  const constants = element("div", { className: "constants" });
  const rollouts = select(lists.rollouts, settings.rollouts);
  const aboutRollouts = element("p", { className: "about" });
  const proves = element("input", { type: "checkbox", checked: settings.proves });
  const [unit, amount] = Object.entries(settings.effort)[0];
  const effort = element("input", { type: "number", value: amount, min: 1, step: 1, required: true });
  const units = select(
    [
      { word: "millis", title: "ms a move" },
      { word: "iterations", title: "iterations a move" },
    ],
    unit,
  );
  units.setAttribute("aria-label", "Unit of the effort");
  const boundEffort = () => { effort.max = MOST[units.value]; };
  boundEffort();
  const seed = element("input", { type: "number", value: settings.seed, min: 0, max: 2 ** 53 - 1, step: 1, required: true });

  const wordOf = (list, word) => list.find((entry) => entry.word === word);

  function fillConstants() {
    const word = wordOf(lists.policies, policy.value);
    about.textContent = `${word.about} (${word.source})`;
    const values = (kept[word.word] ??= {});
    constants.replaceChildren(
      ...word.constants.map((constant) => {
        const input = element("input", {
          type: "number",
          name: constant.name,
          value: values[constant.name] ?? constant.default,
          min: constant.least,
          max: constant.most,
          step: "any",
          required: true,
          title: constant.about,
        });
        return field(`${constant.name}: ${constant.about}`, input);
      }),
    );
  }

  function fillRollouts() {
    const word = wordOf(lists.rollouts, rollouts.value);
    aboutRollouts.textContent = word.source ? `${word.about} (${word.source})` : word.about;
  }

  const form = element(
    "form",
    { className: "settings" },
    field("Tree policy", policy),
    about,
    constants,
    field("Rollouts", rollouts),
    aboutRollouts,
    element("label", { className: "check" }, proves, " Prove wins and losses (MCTS-Solver)"),
    element("div", { className: "pair" }, field("Effort", effort), units),
    field("Seed", seed),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => {
    if (event.target === policy) fillConstants();
    if (event.target === rollouts) fillRollouts();
    boundEffort();
    // The browser says what is wrong, beside the field.
    if (!form.reportValidity()) return;
    const values = kept[policy.value];
    for (const input of constants.querySelectorAll("input")) values[input.name] = input.valueAsNumber;
    changed({
      policy: policy.value,
      constants: { ...values },
      rollouts: rollouts.value,
      proves: proves.checked,
      effort: { [units.value]: effort.valueAsNumber },
      seed: seed.valueAsNumber,
    });
  });

  fillConstants();
  fillRollouts();
  place.replaceChildren(form);
}
