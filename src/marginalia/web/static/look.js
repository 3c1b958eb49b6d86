// How the page looks: theme, size and width of the text, language. Remembered by this browser.
import { make, select } from "./dom.js";
import { menu } from "./menus.js";
import { say } from "./say.js";

const THEMES = ["", "light", "sepia", "dark"];

export function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

export function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* private windows keep nothing */ }
}

function looks() {
  try { return JSON.parse(recall("look") ?? "{}"); } catch { return {}; }
}

function change(name, value) {
  remember("look", JSON.stringify({ ...looks(), [name]: value }));
  const root = document.documentElement;
  if (name === "theme" && value) root.dataset.theme = value;
  else if (name === "theme") delete root.dataset.theme;
  else root.style.setProperty(`--${name}`, name === "size" ? `${value / 16}rem` : `${value}rem`);
  dispatchEvent(new Event("resize")); // notes are laid out anew
}

function range(name, label, low, high, usual) {
  return make("p", {}, make("label", { class: "row" }, label,
    make("input", { type: "range", id: `look-${name}`, min: low, max: high, value: String(looks()[name] ?? usual), oninput: (event) => change(name, Number(event.target.value)) })));
}

// `speak` is told which language was chosen.
export function lookMenu(language, speak) {
  const chosen = looks().theme ?? "";
  const themes = make("fieldset", { class: "themes" }, make("legend", {}, say("theme")), THEMES.map((theme) =>
    make("label", { "data-theme": theme || null }, make("input", { type: "radio", name: "theme", value: theme, checked: theme === chosen, onchange: () => change("theme", theme) }), say(`theme_${theme || "auto"}`))));
  return menu("look", "look", say("look"), [themes, range("size", say("text_size"), "14", "26", 18), range("measure", say("text_width"), "28", "56", 40),
    make("p", {}, select("language", say("language"), [["en", "English"], ["de", "Deutsch"]], language, speak))]);
}
