// SVG elements.

const SVG = "http://www.w3.org/2000/svg";

/** Creates an element with attributes, and a text or elements in it. */
export function shape(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}
