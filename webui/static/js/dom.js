// Small helpers to make elements.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element with attributes (`onclick` and the like are listeners) and children. @type {(tag: string, attributes?: object, ...children: any[]) => any} */
export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const icon = (name) =>
  svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `/static/icons/icons.svg#i-${name}` }));

/** The element with this id, whatever it is. @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

/** A sentence that shows for some seconds and is read aloud. */
export function toast(text) {
  const line = el("p", {}, text);
  byId("toasts").replaceChildren(line);
  setTimeout(() => line.remove(), 4500);
}
