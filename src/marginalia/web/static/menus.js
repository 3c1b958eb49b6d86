// Menus of the bar: one is open at a time; Escape, a click elsewhere and another menu close it.
import { icon, make } from "./dom.js";

export function menu(id, sign, label, content) {
  return make("details", { class: "menu", id: `menu-${id}` }, make("summary", { "aria-label": label, title: label }, icon(sign)), make("div", {}, content));
}

const open = () => [...document.querySelectorAll("details.menu[open]")];

export const closeMenus = (but = null) => { for (const one of open()) if (one !== but) one.open = false; };

document.addEventListener("toggle", (event) => { if (event.target.matches?.("details.menu[open]")) closeMenus(event.target); }, true);
document.addEventListener("pointerdown", (event) => closeMenus(event.target.closest?.("details.menu")), true);
document.addEventListener("focusin", (event) => { if (!event.target.closest("dialog")) closeMenus(event.target.closest("details.menu")); });
document.addEventListener("keydown", (event) => {
  const [one] = open();
  if (event.key !== "Escape" || !one) return;
  event.stopPropagation();
  one.open = false;
  one.querySelector("summary").focus();
}, true);
