// Elements are made from data only: text of a document is always a text node, never markup.
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

export function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.flat());
  return node;
}

export const button = (words, onclick, look = "plain", more = {}) => make("button", { type: "button", class: look, onclick, ...more }, words);

export function select(id, label, options, value, onchange, disabled = false) {
  return make("label", { class: "choose" }, label, " ",
    make("select", { id, disabled, onchange: (event) => onchange(event.target.value) },
      options.map(([name, words]) => make("option", { value: name, selected: name === value }, words))));
}

// Keys that are meant for a field, a dialog or the browser; boxes and sliders take no letters.
export const isTaken = (event) => event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null
  || event.target.matches?.("textarea, select, input:not([type=checkbox], [type=range])");

const live = document.getElementById("live");
const toasts = document.getElementById("toast");
let fading;

export function announce(words) { live.textContent = words; }

// What could be undone belongs to the page that is left.
export function hush() {
  clearTimeout(fading);
  toasts.replaceChildren();
}

// A sentence at the bottom of the page, with something to do about it.
export function toast(words, label, act) {
  hush();
  toasts.append(make("div", { class: "toast" }, make("span", {}, words),
    label ? button(label, () => { hush(); act(); }, "plain", { id: "toast-act" }) : null));
  announce(words);
  fading = setTimeout(hush, 8_000);
}
