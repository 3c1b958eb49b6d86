// All documents: search them, see what was found in them, put them away and bring them back.
import { comparison } from "./address.js";
import { heading } from "./annotators.js";
import * as api from "./api.js";
import { catalogueShelf } from "./catalogues.js";
import { button, make, toast } from "./dom.js";
import { grid } from "./grid.js";
import { opener } from "./opener.js";
import { date, number, say } from "./say.js";

const MARKED = /\u2068([^\u2069]*)\u2069/g;

export class LibraryPage {
  constructor(main, params) {
    this.gone = false;
    this.picked = new Set(params.getAll("with")); // to be compared
    this.tag = "";
    this.list = make("section", { "aria-labelledby": "documents" });
    this.hits = make("div", { class: "hits", role: "status" });
    this.error = make("p", { class: "error", role: "alert" });
    const search = make("input", { type: "search", id: "search", placeholder: say("search"), "aria-label": say("search"), oninput: (event) => this.search(event.target.value) });
    main.append(opener(() => this.refresh()), make("div", { role: "search", class: "search" }, search), this.hits, this.error, this.list);
    this.load();
  }

  close() { this.gone = true; }

  async load() {
    try {
      this.me = await api.me();
      await this.refresh();
    } catch (problem) {
      this.error.replaceChildren(problem.message, " ", button(say("try_again"), () => { this.error.textContent = ""; this.load(); }, "button"));
    }
  }

  async refresh() {
    if (this.gone) return;
    const [docs, removed, catalogues] = await Promise.all([api.documents(), api.documents(true), api.catalogues()]);
    this.catalogues = catalogues;
    if (this.gone) return;
    this.render(docs, removed);
    if (docs.some((doc) => !["done", "failed"].includes(doc.state))) setTimeout(() => this.refresh().catch((problem) => { this.error.textContent = problem.message; }), 700);
  }

  async search(words) {
    this.sought = words;
    const found = words.trim() ? await api.search(words).catch((problem) => { this.error.textContent = problem.message; return []; }) : [];
    if (this.sought !== words) return;
    const marked = (text) => text.split(MARKED).map((piece, index) => (index % 2 ? make("mark", { class: "hit" }, piece) : piece));
    this.hits.replaceChildren(...(words.trim() ? [make("p", { class: "quiet" }, say("hits", number(found.length))), make("ul", {}, found.map((one) => make("li", {},
      make("a", { href: `#/d/${encodeURIComponent(one.id)}/text?find=${encodeURIComponent(words)}` }, one.title), make("p", { class: "quiet" }, ...marked(one.text)))))] : []));
  }

  render(docs, removed) {
    const head = make("h2", { id: "documents" }, say("documents"));
    const tags = [...new Set(docs.flatMap((doc) => doc.tags))].sort();
    const tagRow = tags.length ? make("p", { class: "tags", role: "group", "aria-label": say("tags") }, ["", ...tags].map((tag) =>
      button(tag || say("all_tags"), () => { this.tag = tag; this.render(docs, removed); }, "tag", { "aria-pressed": String(tag === this.tag) }))) : null;
    const rows = docs.filter((doc) => !this.tag || doc.tags.includes(this.tag));
    const writes = this.me.may === "write";
    const columns = [
      ...(docs.length > 1 ? [{ name: say("compare"), value: (doc) => (this.picked.has(doc.id) ? 0 : 1), cell: (doc) => this.pick(doc) }] : []),
      { name: say("name"), value: (doc) => doc.title, cell: (doc) => make("span", {}, make("a", { href: `#/d/${encodeURIComponent(doc.id)}` }, doc.title), doc.tags.map((tag) => [" ", make("small", { class: "tag" }, tag)])) },
      { name: say("state"), value: (doc) => say(doc.state), cell: (doc) => (doc.state !== "failed" ? say(doc.state) : make("span", {}, make("span", { class: "error" }, doc.error), " ", writes ? this.act("try_again", doc, () => api.readAgain(doc.id)) : "")) },
      { name: say("words"), numeric: true, value: (doc) => doc.words || null, cell: (doc) => (doc.words ? number(doc.words) : "") },
      { name: say("notes"), value: (doc) => Object.values(doc.counts).reduce((sum, one) => sum + one, 0), cell: (doc) => Object.entries(doc.counts).map(([task, count]) => `${heading(task)} ${number(count)}`).join(" · ") },
      { name: say("when"), value: (doc) => doc.added, cell: (doc) => date(doc.added) },
      ...(docs.some((doc) => doc.owner !== this.me.name || doc.shared) ? [{ name: say("owner"), value: (doc) => doc.owner, cell: (doc) => `${doc.owner}${doc.shared ? ` (${say("shared")})` : ""}` }] : []),
      ...(writes ? [{ name: "", value: () => "", cell: (doc) => (doc.mine ? this.act("remove", doc, async () => { await api.remove(doc.id); toast(say("removed_it", doc.title), say("undo"), async () => { await api.restore(doc.id); this.refresh(); }); }) : "") }] : []),
    ];
    this.list.replaceChildren(...[head, tagRow, docs.length > 1 ? this.comparing(docs) : null, docs.length ? grid({ columns, rows, label: say("documents") }) : make("p", { class: "quiet" }, say("none")),
      this.bin(removed), catalogueShelf(this.catalogues, this.me, () => this.refresh()), this.me.all ? this.whole() : null].flat().filter(Boolean));
  }

  pick(doc) {
    return make("input", { type: "checkbox", "data-pick": doc.id, checked: this.picked.has(doc.id), disabled: doc.state !== "done", "aria-label": say("pick_one", doc.title), onchange: (event) => {
      this.picked[event.target.checked ? "add" : "delete"](doc.id);
      this.offer();
    } });
  }

  // Of two documents the one that was here first is the older version.
  comparing(docs) {
    const words = make("span", { class: "quiet" }, say("compare_how"));
    const go = button(say("compare_two"), () => { location.hash = comparison(...docs.filter((doc) => this.picked.has(doc.id)).map((doc) => doc.id)); }, "button", { id: "compare" });
    this.offer = () => {
      const count = docs.filter((doc) => this.picked.has(doc.id)).length;
      go.disabled = count !== 2;
      words.hidden = count === 2;
    };
    this.offer();
    return make("p", { class: "ways" }, go, words);
  }

  act(name, doc, work) {
    return button(say(name), async () => {
      try { await work(); } catch (problem) { toast(problem.message); }
      this.refresh();
    }, "plain", { "aria-label": `${say(name)}: ${doc.title}` });
  }

  bin(removed) {
    if (!removed.length) return null;
    return make("details", { class: "bin" }, make("summary", {}, `${say("removed")} (${number(removed.length)})`), make("ul", {}, removed.map((doc) => make("li", {}, doc.title, " ",
      this.act("restore", doc, () => api.restore(doc.id)), " ", doc.mine ? this.act("for_good", doc, () => api.remove(doc.id, true)) : ""))));
  }

  whole() {
    const bring = make("input", { type: "file", id: "bring", class: "hidden-input", accept: ".zip", onchange: async (event) => {
      try {
        const { added, known } = await api.bringLibrary(event.target.files[0]);
        toast(say("brought", number(added), number(known)));
      } catch (problem) { toast(problem.message); }
      this.refresh();
    } });
    return make("p", { class: "ways whole" }, make("a", { href: api.library, download: "" }, say("take_along")), " ", make("label", { class: "plain", for: "bring" }, say("bring_back")), bring);
  }
}
