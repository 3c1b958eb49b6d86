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

// Signs of the bar, drawn in a square of 24.
const SIGNS = {
  back: "M15 5l-7 7l7 7", side: "M4 5h16v14H4z M10 5v14", find: "M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13z M15.5 15.5L20 20", share: "M12 15V4 M8 7.5L12 3.5l4 4 M6 11H5v9h14v-9h-1",
  more: "M12 5.5h.01 M12 12h.01 M12 18.5h.01", look: "M3 18L8 6h1l5 12 M5 14h7 M15 18c0-6 6-6 6-2.5V18 M21 14.5c-3-.5-6 0-6 2s5 2 6-.5", add: "M12 5v14 M5 12h14", close: "M6 6l12 12 M18 6L6 18",
};
export const icon = (name) => draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: `sign-${name}` }, draw("path", { d: SIGNS[name] }));

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

// What the page has made becomes a file.
export function saveAs(name, text, media = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type: `${media};charset=utf-8` }));
  make("a", { href: address, download: name.replace(/[\\/:*?"<>|]+/g, " ") }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
