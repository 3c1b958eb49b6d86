// Ask the margin: what is known of the words that are selected, here and in the library; a language model only where one asks it.
import { model } from "./annotators.js";
import * as api from "./api.js";
import { button, icon, make, toast } from "./dom.js";
import { short } from "./notes.js";
import { number, say } from "./say.js";

const MARKED = /\u2068([^\u2069]*)\u2069/g;
const FEW = 3; // places that are shown at once

// A text with some of its words in bold: those between two signs, or those that were asked about.
const bold = (text, pattern) => text.split(pattern).map((piece, index) => (index % 2 ? make("b", {}, piece) : piece));
const emphasised = (text, words) => bold(text, new RegExp(`(${words.trim().split(/\s+/).map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+")})`, "i"));

export async function askMargin(page, span) {
  let said;
  try { said = await api.askMargin(page.id, span); } catch (problem) { toast(problem.message); return; }
  document.querySelector(".answer")?.remove();
  const part = (label, rows) => (rows.length ? [make("h3", {}, label), make("ul", {}, rows.map((row) => make("li", {}, row)))] : []);
  const jump = (words, start) => button(words, () => page.reach(start), "line");
  const place = (one) => jump(emphasised(one.text, said.quote), one.start);
  const there = (id, query, ...words) => make("a", { class: "line", href: `#/d/${encodeURIComponent(id)}/text?${new URLSearchParams(query)}` }, words);
  const similar = make("div", { class: "similar", "aria-busy": "true" }, make("h3", {}, say("similar")), make("p", { class: "quiet wait" }, say("looking")));
  const known = said.defined.length + said.meanings.length + said.places.length + said.elsewhere.length;
  const node = make("aside", { class: "answer", role: "dialog", "aria-label": say("ask"), tabindex: "-1" },
    make("button", { type: "button", class: "icon", "aria-label": say("close"), onclick: () => close() }, icon("close")),
    make("h2", {}, short(said.quote, 80)),
    ...part(say("by_document"), said.defined.map((one) => jump([make("b", {}, one.term), ` ${one.meaning}`], one.start))),
    ...part(say("by_dictionary"), said.meanings.map((one) => [make("b", {}, one.word), ` ${one.gloss}`, one.easier ? make("small", { class: "quiet" }, ` · ${say("easier")}: ${one.easier}`) : ""])),
    known ? "" : make("p", { class: "quiet" }, say("nothing_known")),
    model && page.mayWrite ? explaining(page, span, jump) : "",
    said.count === 1 ? make("h3", {}, say("also_once")) : "", ...part(say("also_here", number(said.count)), said.places.slice(0, FEW).map(place)),
    said.places.length > FEW ? make("details", {}, make("summary", {}, say("more")), make("ul", {}, said.places.slice(FEW).map((one) => make("li", {}, place(one))))) : "",
    ...part(say("in_library"), said.elsewhere.map((one) => there(one.id, { find: said.quote }, make("b", {}, one.title), " ", bold(one.text, MARKED)))), similar);
  const close = () => { node.remove(); page.panel.focus?.({ preventScroll: true }); };
  node.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } });
  document.body.append(node);
  node.focus({ preventScroll: true });
  const found = await api.similar(page.id, span).catch(() => []);
  similar.removeAttribute("aria-busy");
  similar.replaceChildren(...part(say("similar"), found.map((one) => (one.id === page.id ? jump(one.text, one.start) : there(one.id, { at: one.start }, make("b", {}, one.title), ` ${one.text}`)))));
}

// Only what is in the document is shown as its words; the server has checked it.
function explaining(page, span, jump) {
  const place = make("div", { class: "explanation" });
  const ask = async () => {
    place.replaceChildren(make("p", { class: "quiet wait", role: "status" }, say("looking")));
    try {
      const { text, quotes, model: who } = await api.explain(page.id, span);
      place.replaceChildren(make("h3", {}, `✦ ${who}`), make("p", { role: "status" }, text), quotes.length ? make("p", { class: "quiet" }, say("rests_on")) : "",
        ...quotes.map((one) => make("blockquote", {}, jump(one.text, one.start))));
    } catch (problem) { place.replaceChildren(make("p", { class: "error", role: "alert" }, problem.message), start); }
  };
  const start = button(say("explain_with", model), ask, "button", { id: "explain", title: say("asks_why", model) });
  place.append(start);
  return place;
}
