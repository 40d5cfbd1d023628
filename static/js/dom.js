/* Builds elements. Text always goes in as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (on… = listener, data = dataset, true = present, null/false = absent) and children. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A picture out of a sprite file: `symbol("/static/icons/icons.svg", "star")`. Decoration unless it has a label. */
export function symbol(sprite, name, { className = "icon", label = "" } = {}) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${sprite}#${name}`);
  svg.append(use);
  return svg;
}

/** Replaces children only where they changed, so that focus and running movements survive. */
export function fill(parent, ...children) {
  const wanted = children.flat().filter(Boolean);
  const same = wanted.length === parent.childNodes.length && wanted.every((node, at) => node === parent.childNodes[at]);
  if (!same) parent.replaceChildren(...wanted);
}

/** Sets text without touching the page when it is the same. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** True when the reader asked for less motion, on the device or in the reading settings. */
export function calm() {
  return document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
