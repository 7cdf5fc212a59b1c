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

/** An HTML element with attributes (`onclick` and the like are listeners) and children. */
export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const icon = (name) =>
  svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `/static/icons/icons.svg#i-${name}` }));

export const byId = (id) => document.getElementById(id);

/** A sentence that shows for some seconds and is read aloud. */
export function toast(text) {
  const line = el("p", {}, text);
  byId("toasts").replaceChildren(line);
  setTimeout(() => line.remove(), 4500);
}

export const csrfToken = () => document.querySelector("meta[name=csrf-token]").content;

const postOf = (body, headers) => ({ method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json", ...headers }, body: JSON.stringify(body) });

/** Post JSON and give the answer's JSON; a refused request throws an Error with `code` and `body`. */
export async function post(url, body, headers = {}, fetched = fetch) {
  const answer = await fetched(url, postOf(body, headers));
  const json = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(json.error?.message ?? answer.statusText), { code: json.error?.code, body: json });
  return json;
}
