// What is shown, and what can be done with the document: the bar above it.
import { heading, model, profileName, profiles } from "./annotators.js";
import * as api from "./api.js";
import { catalogueMenu } from "./catalogues.js";
import { button, make, select, toast } from "./dom.js";
import { languageName, say } from "./say.js";

const FORMATS = ["html", "pdf", "json", "csv", "xlsx", "jsonld", "xmi", "brat", "ttl", "sarif"];
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt", "pl"];

export function filterBar(page) {
  const { notes } = page;
  const boxes = page.kinds().map((task) => make("label", { class: `k-${task}` },
    make("input", { type: "checkbox", checked: !notes.off.has(task), "data-task": task,
      onchange: (event) => { notes.off[event.target.checked ? "delete" : "add"](task); page.update(false); } }), heading(task)));
  notes.shown();
  const slider = make("input", { type: "range", id: "many", min: "0", max: "100", step: "1", value: String(notes.many ?? notes.usual), title: say("many_title"), "aria-label": say("many_title"),
    oninput: (event) => { notes.many = Number(event.target.value); page.update(false); } });
  const reader = select("audience", say("audience"), profiles.map(({ name }) => [name, profileName(name)]), page.doc.audience, (audience) => page.readFor(audience), !page.mayWrite);
  const ask = model ? make("label", { title: say("asks_why", model) }, make("input", { type: "checkbox", id: "llm", checked: page.doc.llm, disabled: !page.mayWrite,
    onchange: (event) => page.again(() => api.readAgain(page.id, { llm: event.target.checked })) }), say("asks", model)) : null;
  const state = select("state", say("show"), ["open", "accepted", "rejected", "all"].map((one) => [one, say(`s_${one}`)]), notes.state, (one) => { notes.state = one; page.update(); });
  return make("fieldset", { class: "filters" }, make("legend", { class: "hidden" }, say("filter")), reader, ask, boxes,
    make("span", { class: "many" }, make("label", { for: "many" }, say("few")), slider, make("label", { for: "many" }, say("many"))), state);
}

export function saveMenu(page) {
  let kept = "open";
  const links = FORMATS.filter((format) => format !== "pdf" || page.doc.pages?.length).map((format) => {
    const link = make("a", { href: api.saved(page.id, format, kept), download: "", "data-format": format }, format.toUpperCase());
    return make("li", {}, link);
  });
  const which = select("save-notes", say("save_notes"), ["open", "accepted", "decisions", "all"].map((one) => [one, say(`n_${one}`)]), kept, (one) => {
    kept = one;
    for (const item of links) item.firstChild.href = api.saved(page.id, item.firstChild.dataset.format, kept);
  });
  return make("details", { class: "menu" }, make("summary", {}, say("saved_menu")),
    make("div", {}, which, make("ul", { class: "formats" }, links), make("p", {}, make("a", { href: api.decisionsFile(page.id), download: "" }, say("save_decisions"))),
      make("p", {}, button(say("print"), () => { page.turn("text"); print(); }))));
}

export function documentMenu(page) {
  if (!page.mayWrite) return null;
  const { doc } = page;
  const file = make("input", { type: "file", id: "new-version", class: "hidden-input", onchange: (event) => page.again(() => api.newVersion(page.id, event.target.files[0])) });
  const tags = make("input", { id: "doc-tags", value: doc.tags.join(", "), onchange: async (event) => {
    try { doc.tags = (await api.change(page.id, { tags: event.target.value.split(",") })).tags; } catch (problem) { toast(problem.message); }
  } });
  const shared = make("input", { type: "checkbox", id: "doc-shared", checked: doc.shared, onchange: async (event) => {
    try { await api.change(page.id, { shared: event.target.checked }); } catch (problem) { toast(problem.message); }
  } });
  return make("details", { class: "menu" }, make("summary", {}, say("more_menu")), make("div", {},
    make("p", {}, select("doc-lang", say("text_language"), [["", say("by_itself")], ...LANGUAGES.map((one) => [one, languageName(one)])], doc.asked_lang ?? "", (one) => page.again(() => api.readAgain(page.id, { lang: one || null })))),
    catalogueMenu(page),
    make("p", {}, make("label", { for: "doc-tags" }, say("tags")), " ", tags),
    doc.mine ? make("p", {}, make("label", {}, shared, " ", say("share_it"))) : null,
    make("p", {}, make("label", { class: "plain", for: "new-version" }, say("new_version")), file),
    make("p", {}, make("a", { href: `#/?with=${encodeURIComponent(page.id)}` }, say("compare_with"))),
    make("p", {}, button(say("reread"), () => page.again(() => api.readAgain(page.id)))),
    make("p", { class: "quiet" }, `${say("owner")}: ${doc.owner}`)));
}

export { LANGUAGES };
