// All documents: the last read first, what was read of each and decided about it; searched, sorted, put in order and away.
import { comparison } from "./address.js";
import * as api from "./api.js";
import { catalogueShelf } from "./catalogues.js";
import { button, icon, make, select, toast } from "./dom.js";
import { recall, remember } from "./look.js";
import { menu } from "./menus.js";
import { adder, welcome } from "./opener.js";
import { compare, day, extent, number, say } from "./say.js";

const MARKED = /\u2068([^\u2069]*)\u2069/g;
const READ = 0.97; // the share of a text from which on it counts as read

const lastSeen = (doc) => (doc.last_read && doc.last_read > doc.added ? doc.last_read : doc.added);
const noteCount = (doc) => Object.values(doc.counts).reduce((sum, one) => sum + one, 0);
const SORTS = {
  recent: (a, b) => compare(lastSeen(b), lastSeen(a)), added: (a, b) => compare(b.added, a.added), title: (a, b) => compare(a.title, b.title),
  progress: (a, b) => b.progress - a.progress, notes: (a, b) => noteCount(b) - b.decided - (noteCount(a) - a.decided), length: (a, b) => b.words - a.words,
};
const FILTERS = {
  all: () => true, unread: (doc) => doc.progress === 0, begun: (doc) => doc.progress > 0 && doc.progress < READ, read: (doc) => doc.progress >= READ,
  open: (doc) => noteCount(doc) > doc.decided, failed: (doc) => doc.state === "failed",
};

// The first page of a PDF, or what kind of file it is.
function cover(doc) {
  const kind = doc.name.includes(".") ? doc.name.split(".").pop().slice(0, 5) : "text";
  const tile = make("span", { class: "cover", "aria-hidden": "true" }, kind);
  if (!doc.page_count) return tile;
  return make("img", { class: "cover", src: api.cover(doc), alt: "", loading: "lazy", onerror: (event) => event.target.replaceWith(tile) });
}

export class LibraryPage {
  constructor(main, bar, params) {
    this.gone = false;
    this.picked = new Set(params.getAll("with")); // to be compared, moved or removed
    this.collection = this.tag = null;
    this.filter = "all";
    this.sort = recall("sort") in SORTS ? recall("sort") : "recent";
    this.list = make("section", { "aria-labelledby": "documents" });
    this.hits = make("div", { class: "hits", role: "status" });
    this.error = make("p", { class: "error", role: "alert" });
    this.more = make("div", { class: "strip" });
    this.add = adder(() => this.refresh());
    const search = make("input", { type: "search", id: "search", placeholder: say("search"), "aria-label": say("search"), oninput: (event) => this.search(event.target.value) });
    bar.append(make("div", { role: "search" }, search), make("button", { type: "button", class: "button", id: "add", onclick: () => this.add.show() }, make("span", { "aria-hidden": "true" }, "+"), make("span", { class: "label" }, ` ${say("add_document")}`)), this.more);
    main.append(this.error, this.hits, this.list, this.add.node);
    this.came = () => this.refresh();
    addEventListener("library", this.came);
    this.load();
  }

  close() {
    this.gone = true;
    removeEventListener("library", this.came);
  }

  async load() {
    try {
      this.me = await api.me();
      document.getElementById("add").hidden = this.me.may !== "write";
      await this.refresh();
    } catch (problem) {
      this.error.replaceChildren(problem.message, " ", button(say("try_again"), () => { this.error.textContent = ""; this.load(); }, "button"));
    }
  }

  async refresh() {
    if (this.gone) return;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const found = await Promise.all([api.documents(), api.documents(true), api.catalogues()]);
    if (this.gone || turn !== this.turn) return; // a later answer counts
    const said = JSON.stringify(found);
    [this.docs, this.removed, this.catalogues] = found;
    // What somebody is choosing from stays where it is.
    if (said !== this.said && !this.list.querySelector("details.menu[open]")) { this.said = said; this.render(); }
    if (this.docs.some((doc) => !["done", "failed"].includes(doc.state))) setTimeout(() => this.refresh().catch((problem) => { this.error.textContent = problem.message; }), 700);
  }

  async search(words) {
    this.sought = words;
    const found = words.trim() ? await api.search(words).catch((problem) => { this.error.textContent = problem.message; return []; }) : [];
    if (this.sought !== words) return;
    const marked = (text) => text.split(MARKED).map((piece, index) => (index % 2 ? make("mark", { class: "hit" }, piece) : piece));
    this.list.hidden = Boolean(words.trim());
    this.hits.replaceChildren(...(words.trim() ? [make("p", { class: "quiet" }, found.length === 1 ? say("hit") : found.length ? say("hits", number(found.length)) : say("no_hits")), make("ul", {}, found.map((one) => make("li", {},
      make("a", { href: `#/d/${encodeURIComponent(one.id)}/text?find=${encodeURIComponent(words)}` }, one.title), make("p", { class: "quiet" }, ...marked(one.text)))))] : []));
  }

  get rows() {
    return this.docs.filter((doc) => (this.collection === null || doc.collection === this.collection) && (this.tag === null || doc.tags.includes(this.tag)) && FILTERS[this.filter](doc)).sort(SORTS[this.sort]);
  }

  render() {
    const { docs } = this, writes = this.me.may === "write";
    this.more.replaceChildren(this.me.all ? menu("library", "more", say("library"), this.whole()) : "");
    if (!docs.length) {
      this.list.replaceChildren(writes ? welcome(this.add) : make("p", { class: "quiet" }, say("none")), this.bin() ?? "");
      return;
    }
    const chips = (name, label, values, none) => (values.length ? make("div", { class: "tags", role: "group", "aria-label": label }, [null, ...values].map((value) =>
      button(value === null ? none : value, () => { this[name] = value; this.render(); }, "tag", { "aria-pressed": String(value === this[name]) }))) : null);
    const all = (name) => [...new Set(docs.flatMap((doc) => doc[name]))].filter(Boolean).sort((a, b) => compare(a, b));
    const { rows } = this;
    this.list.replaceChildren(make("div", { class: "shelf-tools" }, make("h2", { id: "documents" }, say("documents"), " ", make("small", { class: "quiet" }, number(rows.length))),
      select("filter", make("span", { class: "hidden" }, say("filter_documents")), Object.keys(FILTERS).filter((one) => one === this.filter || docs.some(FILTERS[one])).map((one) => [one, say(`f_${one}`)]), this.filter, (one) => { this.filter = one; this.render(); }),
      select("sort", make("span", { class: "hidden" }, say("sort_by")), Object.keys(SORTS).map((one) => [one, say(`by_${one}`)]), this.sort, (one) => { this.sort = one; remember("sort", one); this.render(); })),
    chips("collection", say("collection"), all("collection"), say("all_collections")) ?? "", chips("tag", say("tags"), all("tags"), say("all_tags")) ?? "",
    make("datalist", { id: "collections" }, all("collection").map((one) => make("option", { value: one }))),
    rows.length ? make("ul", { class: "docs" }, rows.map((doc) => this.row(doc, writes))) : make("p", { class: "quiet" }, say("none_such")), this.chosen(), ...this.below());
  }

  row(doc, writes) {
    const facts = [doc.authors, ...extent(doc), say(lastSeen(doc) === doc.added ? "added_on" : "last_read_on", day(lastSeen(doc))), this.docs.some((one) => one.owner !== this.me.name) ? doc.owner : "", doc.shared ? say("shared") : ""].filter(Boolean);
    const state = doc.state === "failed" ? make("p", { class: "error" }, doc.error, " ", writes ? this.act("try_again", doc, () => api.readAgain(doc.id)) : "")
      : doc.state !== "done" ? make("p", { class: "quiet busy" }, say(doc.state)) : null;
    const count = noteCount(doc), share = Math.round(100 * doc.progress);
    const far = doc.progress >= READ ? `✓ ${say("finished")}` : doc.progress ? `${number(share)} %` : say("f_unread");
    return make("li", { class: "doc", "data-id": doc.id, "data-state": doc.state }, make("div", { class: "doc-cover" }, cover(doc),
      make("input", { type: "checkbox", "data-pick": doc.id, checked: this.picked.has(doc.id), "aria-label": say("pick_one", doc.title), onchange: (event) => { this.picked[event.target.checked ? "add" : "delete"](doc.id); this.offer(); } })),
      make("div", { class: "doc-main" }, make("a", { class: "doc-title", href: `#/d/${encodeURIComponent(doc.id)}` }, doc.title),
        make("p", { class: "quiet" }, facts.join(" · "), doc.collection ? [" · ", make("small", { class: "tag collection" }, doc.collection)] : null, doc.tags.map((tag) => [" ", make("small", { class: "tag" }, tag)])), state),
      make("div", { class: "doc-side quiet" }, doc.state === "done" ? [doc.progress > 0 && doc.progress < READ ? make("progress", { max: "1", value: String(doc.progress), "aria-label": say("read_so_far") }) : "", make("span", { class: "far" }, far),
        make("span", { class: "of-notes" }, count === 1 ? say("one_note") : count ? say("some_notes", number(count)) : "", doc.decided ? ` · ${say("decided_count", number(doc.decided))}` : "")] : null),
      writes ? this.rowMenu(doc) : null);
  }

  rowMenu(doc) {
    let sent = Promise.resolve(); // one change after the other; the list is read again when all have arrived
    const set = (what) => {
      sent = sent.then(() => api.change(doc.id, what)).catch((problem) => toast(problem.message));
      sent.then(() => node.open || this.refresh());
    };
    const field = (name, label, value, change, more = {}) => make("p", {}, make("label", { class: "row" }, label, make("input", { "data-field": name, value, onchange: (event) => change(event.target.value), ...more })));
    const node = menu(`doc-${doc.id}`, "more", say("more_of", doc.title), [
      field("title", say("name"), doc.title, (value) => set({ title: value })), field("collection", say("collection"), doc.collection, (value) => set({ collection: value }), { list: "collections" }),
      field("tags", say("tags"), doc.tags.join(", "), (value) => set({ tags: value.split(",") })),
      doc.mine ? make("p", {}, this.act("remove", doc, () => this.remove([doc]))) : null]);
    node.addEventListener("toggle", () => { if (!node.open) sent.then(() => this.refresh()); });
    return node;
  }

  async remove(docs) {
    for (const doc of docs) await api.remove(doc.id);
    this.picked.clear();
    toast(say("removed_it", docs.map((one) => one.title).join(", ")), say("undo"), async () => { for (const doc of docs) await api.restore(doc.id); this.refresh(); });
  }

  // What can be done with those that are chosen. Of two, the one that was here first is the older version.
  chosen() {
    const node = make("div", { class: "chosen", role: "region", "aria-label": say("chosen") });
    this.offer = () => {
      const docs = this.docs.filter((doc) => this.picked.has(doc.id)), ready = docs.length === 2 && docs.every((doc) => doc.state === "done");
      node.hidden = !docs.length;
      const into = make("input", { id: "into", list: "collections", placeholder: say("collection"), "aria-label": say("move_to") });
      node.replaceChildren(make("span", {}, say("chosen_are", number(docs.length))),
        button(say("compare_two"), () => { location.hash = comparison(...docs.map((doc) => doc.id)); }, "button", { id: "compare", disabled: !ready }), ready ? "" : make("span", { class: "quiet" }, say("compare_how")),
        ...(this.me.may === "write" ? [into, button(say("move_to"), async () => { for (const doc of docs) await api.change(doc.id, { collection: into.value }); this.picked.clear(); this.refresh(); }, "button"),
          button(say("remove"), async () => { await this.remove(docs.filter((doc) => doc.mine)); this.refresh(); }, "plain")] : []),
        make("button", { type: "button", class: "icon", "aria-label": say("choose_none"), onclick: () => { this.picked.clear(); this.render(); } }, icon("close")));
    };
    this.offer();
    return node;
  }

  act(name, doc, work) {
    return button(say(name), async (event) => {
      event.target.closest("details.menu")?.removeAttribute("open");
      try { await work(); } catch (problem) { toast(problem.message); }
      this.refresh();
    }, "plain", { "aria-label": `${say(name)}: ${doc.title}` });
  }

  below() { return [this.bin(), catalogueShelf(this.catalogues, this.me, () => this.refresh())].filter(Boolean); }

  bin() {
    if (!this.removed.length) return null;
    return make("details", { class: "bin" }, make("summary", {}, `${say("removed")} (${number(this.removed.length)})`), make("ul", {}, this.removed.map((doc) => make("li", {}, doc.title, " ",
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
    return [make("p", {}, make("a", { href: api.library, download: "" }, say("take_along"))), make("p", {}, make("label", { class: "plain", for: "bring" }, say("bring_back")), bring)];
  }
}
