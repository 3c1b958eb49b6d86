// Ask the margin: what is known of the words that are selected, here and in the library, without asking anybody else.
import * as api from "./api.js";
import { button, icon, make, toast } from "./dom.js";
import { short } from "./notes.js";
import { number, say } from "./say.js";

const MARKED = /[\u2068\u2069]/g;

export async function askMargin(page, span) {
  let said;
  try { said = await api.askMargin(page.id, span); } catch (problem) { toast(problem.message); return; }
  document.querySelector(".answer")?.remove();
  const part = (label, rows) => (rows.length ? [make("h3", {}, label), make("ul", {}, rows.map((row) => make("li", {}, row)))] : []);
  const jump = (words, start) => button(words, () => page.reach(start), "line");
  const node = make("aside", { class: "answer", role: "dialog", "aria-label": say("ask"), tabindex: "-1" },
    make("button", { type: "button", class: "icon", "aria-label": say("close"), onclick: () => close() }, icon("close")),
    make("h2", {}, short(said.quote, 80)),
    ...part(say("by_document"), said.defined.map((one) => jump([make("b", {}, one.term), ` ${one.meaning}`], one.start))),
    ...part(say("by_dictionary"), said.meanings.map((one) => [make("b", {}, one.word), ` ${one.gloss}`, one.easier ? make("small", { class: "quiet" }, ` · ${say("easier")}: ${one.easier}`) : ""])),
    ...part(say("also_here", number(said.count)), said.places.map((one) => jump(`… ${one.text} …`, one.start))),
    ...part(say("in_library"), said.elsewhere.map((one) => make("a", { href: `#/d/${encodeURIComponent(one.id)}/text?find=${encodeURIComponent(said.quote)}` }, make("b", {}, one.title), ` ${one.text.replace(MARKED, "")}`))),
    said.defined.length + said.meanings.length + said.places.length + said.elsewhere.length ? "" : make("p", { class: "quiet" }, say("nothing_known")));
  const close = () => { node.remove(); page.panel.focus?.({ preventScroll: true }); };
  node.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } });
  document.body.append(node);
  node.focus({ preventScroll: true });
}
