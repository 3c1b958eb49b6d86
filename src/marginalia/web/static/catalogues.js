// Catalogues of survey variables: brought in, chosen for a document, removed.
import { readerWith } from "./annotators.js";
import * as api from "./api.js";
import { button, make, select, toast } from "./dom.js";
import { number, say } from "./say.js";

export const CATALOGUE_FILES = ".xml,.ddi,.json,.jsonl,.csv,.tsv,.xlsx,.sav,.por,.dta";

function bringer(id, took) {
  return make("input", { type: "file", id, class: "hidden-input", accept: CATALOGUE_FILES, onchange: async (event) => {
    const [file] = event.target.files;
    toast(say("reading_catalogue", file.name));
    try {
      const kept = await api.bringCatalogue(file);
      toast(say("catalogue_kept", kept.name, number(kept.variables)));
      await took(kept);
    } catch (problem) { toast(problem.message); }
  } });
}

// In the menu of a document: which catalogue its sentences are looked up in.
export function catalogueMenu(page) {
  // Whoever chooses one wants the notes that it is for.
  const choose = (id) => page.again(() => api.readAgain(page.id, { catalogue: id || null, audience: id ? readerWith("catalogue", page.doc.audience) : page.doc.audience }));
  const choices = [["", say("no_catalogue")], ...page.catalogues.map((one) => [one.id, `${one.name} (${number(one.variables)})`])];
  return make("div", {}, make("p", {}, select("doc-catalogue", say("catalogue"), choices, page.doc.catalogue ?? "", choose)),
    make("p", {}, make("label", { class: "plain", for: "bring-catalogue" }, say("bring_catalogue")), bringer("bring-catalogue", (kept) => choose(kept.id))));
}

// In the library: all there are.
export function catalogueShelf(catalogues, me, refresh) {
  const remove = (one) => button(say("remove"), async () => {
    try { await api.removeCatalogue(one.id); } catch (problem) { toast(problem.message); }
    refresh();
  }, "plain", { "aria-label": `${say("remove")}: ${one.name}` });
  const mine = (one) => me.may === "write" && (me.all || one.owner === me.name);
  return make("details", { class: "bin", id: "catalogues", open: catalogues.length > 0 }, make("summary", {}, `${say("catalogues")} (${number(catalogues.length)})`),
    make("p", { class: "quiet" }, say("catalogue_why")),
    make("ul", {}, catalogues.map((one) => make("li", {}, `${one.name}: ${say("variables_in", number(one.variables))} `, mine(one) ? remove(one) : ""))),
    me.may === "write" ? make("p", {}, make("label", { class: "plain", for: "bring-catalogue" }, say("bring_catalogue")), bringer("bring-catalogue", refresh)) : null);
}
