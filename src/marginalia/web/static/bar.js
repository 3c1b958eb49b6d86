// The bar above a document: who reads, how many notes, and the menus of what can be done with it.
import { profileName, profiles } from "./annotators.js";
import * as api from "./api.js";
import { catalogueMenu } from "./catalogues.js";
import { button, icon, make, select, toast } from "./dom.js";
import { showKeys } from "./editor.js";
import { menu } from "./menus.js";
import { languageName, say, sayOr } from "./say.js";

const FOR_PEOPLE = ["pdf", "html", "xlsx", "anki"], FOR_PROGRAMS = ["json", "csv", "jsonld", "xmi", "brat", "ttl", "sarif"];
export const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt", "pl"];

// Who reads and how densely: on a phone this stands in the side panel.
export function dial(page) {
  const { notes } = page;
  const reader = select("audience", make("span", { class: "hidden" }, say("audience")), profiles.map(({ name }) => [name, profileName(name)]), page.doc.audience, (audience) => page.readFor(audience), !page.mayWrite);
  reader.title = say("audience_why");
  notes.shown();
  const slider = make("input", { type: "range", id: "many", min: "0", max: "100", step: "1", value: String(notes.many ?? notes.usual), title: say("many_title"), "aria-label": say("many_title"),
    oninput: (event) => { notes.many = Number(event.target.value); page.update(false); } });
  return make("div", { class: "dial" }, reader, make("span", { class: "many" }, make("span", { "aria-hidden": "true" }, say("few")), slider, make("span", { "aria-hidden": "true" }, say("many"))));
}

export function saveMenu(page) {
  let kept = "shown";
  const address = (format) => (kept === "shown" ? api.saved(page.id, format, page.notes) : api.saved(page.id, format, kept));
  const links = (formats) => formats.filter((format) => format !== "pdf" || page.doc.pages?.length).map((format) =>
    make("li", {}, make("a", { href: "#", download: "", "data-format": format, onclick: (event) => { event.target.href = address(format); } }, sayOr(`as_${format}`, format.toUpperCase()))));
  const which = select("save-notes", say("save_notes"), ["shown", "open", "accepted", "decisions", "all"].map((one) => [one, say(`n_${one}`)]), kept, (one) => { kept = one; });
  return menu("share", "share", say("saved_menu"), [which, make("ul", { class: "formats each" }, links(FOR_PEOPLE)), make("h3", {}, say("for_programs")), make("ul", { class: "formats" }, links(FOR_PROGRAMS)), make("hr"),
    make("p", {}, make("a", { href: api.decisionsFile(page.id), download: "" }, say("save_decisions"))),
    make("p", {}, button(say("copy_link"), () => navigator.clipboard.writeText(location.href).then(() => toast(say("copied")), () => toast(location.href)))),
    make("p", {}, button(say("print"), () => { page.turn("text"); print(); }))]);
}

export function documentMenu(page) {
  const { doc } = page;
  const keys = make("p", {}, button(say("keys"), () => showKeys()), " ", make("kbd", {}, "?"));
  if (!page.mayWrite) return menu("document", "more", say("more_menu"), [keys]);
  const set = async (what) => {
    try { return Object.assign(doc, await api.change(page.id, what)); } catch (problem) { toast(problem.message); return doc; }
  };
  const field = (id, label, value, onchange, more = {}) => make("p", {}, make("label", { class: "row", for: id }, label, make("input", { id, value, onchange, ...more })));
  const file = make("input", { type: "file", id: "new-version", class: "hidden-input", onchange: (event) => page.again(() => api.newVersion(page.id, event.target.files[0])) });
  return menu("document", "more", say("more_menu"), [
    make("p", {}, button(say("undo"), () => page.deciding.undo(), "plain", { id: "undo" }), " ", make("kbd", {}, "u"), " · ", button(say("keys"), () => showKeys()), " ", make("kbd", {}, "?")),
    field("doc-title", say("name"), doc.title, async (event) => { page.name((await set({ title: event.target.value })).title); }),
    field("doc-collection", say("collection"), doc.collection, (event) => set({ collection: event.target.value }), { list: "collections" }),
    field("doc-tags", say("tags"), doc.tags.join(", "), (event) => set({ tags: event.target.value.split(",") })),
    doc.mine ? make("p", {}, make("label", {}, make("input", { type: "checkbox", id: "doc-shared", checked: doc.shared, onchange: (event) => set({ shared: event.target.checked }) }), " ", say("share_it"))) : null,
    make("p", {}, select("doc-lang", say("text_language"), [["", say("by_itself")], ...LANGUAGES.map((one) => [one, languageName(one)])], doc.asked_lang ?? "", (one) => page.again(() => api.readAgain(page.id, { lang: one || null })))),
    catalogueMenu(page),
    make("p", {}, make("label", { class: "plain", for: "new-version" }, say("new_version")), file),
    make("p", {}, make("a", { href: `#/?with=${encodeURIComponent(page.id)}` }, say("compare_with"))),
    make("p", {}, button(say("reread"), () => page.again(() => api.readAgain(page.id)))),
    make("p", { class: "quiet" }, `${say("owner")}: ${doc.owner}`)]);
}

export const findButton = (page) => make("button", { type: "button", class: "icon", id: "find-toggle", "aria-label": say("find"), title: `${say("find")} (/)`, "aria-expanded": "false", onclick: () => page.finder.toggle() }, icon("find"));
