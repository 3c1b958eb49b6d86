// One document: its text with notes, its pages, its tables; what is shown of them, and what is decided.
import * as address from "./address.js";
import * as api from "./api.js";
import { decisionsView } from "./decisions.js";
import { announce, button, make, toast } from "./dom.js";
import { editNote, showKeys } from "./editor.js";
import { documentMenu, filterBar, saveMenu } from "./filters.js";
import { Finder, outline } from "./find.js";
import { isPart, Notes, short } from "./notes.js";
import { overview } from "./overview.js";
import { PagesView } from "./pages.js";
import { number, say } from "./say.js";
import { glossary, taskTable } from "./tables.js";
import { TextView } from "./text.js";

const ORDER = ["complexity", "measurement", "variables", "clarification", "similarity", "own"];

export class DocumentPage {
  constructor(main, title, { id, view, params }) {
    Object.assign(this, { main, title, id, view, notes: new Notes(), gone: false, mayWrite: true });
    this.take(params);
    this.state = make("p", { class: "state", role: "status" });
    this.bars = make("div", { class: "bars-row" });
    this.filters = make("div");
    this.tabs = make("div", { class: "tabs", role: "tablist", "aria-label": say("overview") });
    this.panel = make("div", { class: "panel", role: "tabpanel", id: "panel" }, make("p", { class: "wait" }, say("loading")));
    this.bar = make("progress", { max: "1", value: "0", "aria-label": say("noting"), hidden: true });
    this.chip = button(say("add"), () => this.addNote(), "button chip", { hidden: true, onmousedown: (event) => event.preventDefault() });
    main.append(make("div", { class: "tools" }, this.tabs, this.bars, this.filters, this.bar, this.state), this.panel, this.chip);
    this.keys = (event) => this.press(event);
    this.selects = () => this.offer();
    addEventListener("keydown", this.keys);
    document.addEventListener("selectionchange", this.selects);
    this.load();
  }

  close() {
    this.gone = true;
    this.stop?.();
    this.text?.close();
    this.pages?.close();
    removeEventListener("keydown", this.keys);
    document.removeEventListener("selectionchange", this.selects);
  }

  // Filters, thresholds and the open note are in the address.
  take(params) {
    const { notes } = this;
    notes.off = new Set((params.get("hide") ?? "").split(",").filter(Boolean));
    notes.level = Number(params.get("from")) || 0;
    notes.all = params.get("all") === "1";
    notes.state = params.get("show") || "open";
    this.wanted = params.get("note");
    this.sought = params.get("find");
    notes.changed();
  }

  put(jump = false) {
    const { notes } = this;
    const params = new URLSearchParams({ hide: [...notes.off].join(), from: notes.level ? String(notes.level) : "", all: notes.all ? "1" : "",
      show: notes.state === "open" ? "" : notes.state, note: this.open?.active ?? "" });
    address.change(address.build(this.id, this.view, params), jump);
  }

  // The address has changed under us: back, forward or another link.
  visit({ view, params }, state) {
    if (!this.doc || !this.text) return;
    this.take(params);
    this.rebuild();
    this.turn(view, { keep: true });
    this.update(false, true);
    if (this.wanted) this.open?.open(this.wanted);
    else this.open?.shut?.();
    if (state?.scroll !== undefined) scrollTo(0, state.scroll);
  }

  get open() { return { text: this.text, pages: this.pages }[this.view]; }

  async load() {
    try {
      [this.doc, this.me] = await Promise.all([api.getDocument(this.id), this.me ?? api.me()]);
    } catch (error) {
      if (!this.gone) this.fail(error);
      return;
    }
    if (this.gone) return;
    this.mayWrite = this.me.may === "write";
    this.title.textContent = this.doc.title;
    document.title = `${this.doc.title} – Marginalia`;
    if (this.doc.text !== undefined) {
      this.notes.clear();
      this.notes.add(this.doc.annotations);
      this.notes.known = new Set(this.doc.known_words);
      this.notes.thresholds = this.me.settings.thresholds ?? {};
      this.rank(this.doc);
      this.show();
    }
    if (this.doc.state === "failed") this.failed(this.doc.error);
    else if (this.doc.state !== "done") {
      this.say(say(this.doc.state));
      this.stop = api.listen(this.id, this.doc.seen, (event) => this.hear(event));
    } else this.finish();
  }

  rank({ ranked, room }) {
    if (ranked) this.notes.ranked = ranked;
    if (room) this.notes.room = room;
    this.notes.changed();
  }

  hear(event) {
    if (this.gone) return;
    if (event.kind === "failed") {
      this.bar.hidden = true;
      this.failed(event.error);
    } else if (event.kind === "read") {
      this.stop();
      this.load();
    } else if (event.kind === "notes") {
      this.notes.add(event.notes);
      this.bar.hidden = false;
      this.bar.value = event.done / Math.max(1, event.total);
      this.say(`${say("noting")}: ${say(event.task)}`);
      this.update();
    } else {
      this.doc.summary = event.summary;
      this.load(); // with what was decided earlier
    }
  }

  finish() {
    this.bar.hidden = true;
    this.doc.state = "done";
    this.count();
    this.state.dataset.state = "done";
    if (this.doc.lost?.length) toast(`${say("lost_decisions")}: ${number(this.doc.lost.length)}`, say("show"), () => this.turn("decisions"));
  }

  count() {
    if (this.doc.state !== "done") return;
    this.notes.shown();
    const barred = this.notes.barred();
    const parts = [say("shown", number(this.notes.heads), number(this.notes.passing))];
    if (barred.below) parts.push(say("below", number(barred.below)));
    if (barred.known) parts.push(say("hidden_known", number(barred.known)));
    if (barred.rejected) parts.push(say("hidden_rejected", number(barred.rejected)));
    this.say(parts.join(" · "));
  }

  say(words) {
    this.state.textContent = words;
    this.state.classList.remove("error");
    announce(words);
  }

  // What happened and what to do next.
  problem(words, advice, ...ways) {
    this.state.textContent = words;
    this.state.classList.add("error");
    this.panel.replaceChildren(make("div", { class: "problem" }, make("h2", {}, say("what_next")), make("p", {}, advice),
      make("p", { class: "ways" }, ways, make("a", { href: "#/" }, say("back_to_library")))));
    announce(words);
  }

  fail(error) {
    const again = button(say("try_again"), () => { this.panel.replaceChildren(make("p", { class: "wait" }, say("loading"))); this.load(); }, "button");
    if (error.status === 404) this.problem(error.message, say("next_missing"));
    else this.problem(error.message, error.status ? say("next_failed") : "", again);
  }

  // The document is read once more: what is shown is out of date.
  async again(work) {
    try { await work(); location.reload(); } catch (problem) { toast(problem.message); }
  }

  failed(words) {
    this.problem(words, say("next_failed"), this.mayWrite ? button(say("try_again"), () => this.again(() => api.readAgain(this.id)), "button", { id: "again" }) : "");
  }

  show() {
    this.text?.close();
    this.pages?.close();
    this.text = new TextView(this.doc, this.notes, this);
    this.pages = this.doc.pages?.length ? new PagesView(this.doc, this.notes, this) : null;
    this.finder = new Finder(this);
    this.back = button(`← ${say("back")}`, () => history.back(), "plain back", { hidden: !history.state?.jumped });
    this.bars.replaceChildren(...[outline(this), this.finder.node, saveMenu(this), documentMenu(this),
      this.mayWrite ? button(`${say("undo")}`, () => this.undo(), "plain", { id: "undo" }) : null, button("?", showKeys, "step", { "aria-label": say("keys") }), this.back].filter(Boolean));
    this.rebuild();
    this.turn(this.view, { keep: true });
    if (this.wanted && this.notes.byId.has(this.wanted)) this.open?.open(this.wanted);
    if (this.sought) { this.finder.field.value = this.sought; this.finder.look(); }
  }

  kinds() {
    const counts = this.notes.counts();
    return [...ORDER.filter((task) => task in counts), ...Object.keys(counts).filter((task) => !ORDER.includes(task)).sort()];
  }

  views() { return ["text", ...(this.pages ? ["pages"] : []), ...this.kinds(), ...(this.doc.summary?.complexity?.glossary?.length ? ["glossary"] : []), "overview", "decisions"]; }

  rebuild() {
    const counts = this.notes.counts();
    this.built = this.kinds().join();
    this.tabs.replaceChildren(...this.views().map((view) => make("button", {
      type: "button", role: "tab", id: `tab-${view}`, "aria-controls": "panel",
      "aria-selected": String(view === this.view), tabindex: view === this.view ? "0" : "-1",
      onclick: () => this.turn(view, { focus: true }), onkeydown: (event) => this.walk(event),
    }, view in counts ? `${say(view)} ${number(counts[view])}` : say(view))));
    this.filters.replaceChildren(filterBar(this));
  }

  update(rebuild = true, quiet = false) {
    this.notes.changed();
    if (!this.text) return;
    if (rebuild && this.kinds().join() !== this.built) this.rebuild();
    const counts = this.notes.counts();
    for (const task of this.kinds()) {
      const tab = document.getElementById(`tab-${task}`);
      if (tab) tab.textContent = `${say(task)} ${number(counts[task])}`;
    }
    this.text.sort();
    this.pages?.refresh();
    if (!["text", "pages"].includes(this.view)) this.turn(this.view, { keep: true });
    this.count();
    if (!quiet) this.put();
  }

  turn(view, { focus = false, keep = false } = {}) {
    if (!document.getElementById(`tab-${view}`)) view = "text";
    if (!keep && view !== this.view) address.change(location.hash);
    const before = this.view;
    this.view = view;
    for (const tab of this.tabs.children) {
      const on = tab.id === `tab-${view}`;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      if (on && focus) tab.focus();
    }
    this.panel.setAttribute("aria-labelledby", `tab-${view}`);
    const node = view === "text" ? this.text.node
      : view === "pages" ? this.pages.node
      : view === "overview" ? overview(this.notes, this.doc)
      : view === "decisions" ? decisionsView(this)
      : view === "glossary" ? glossary(this)
      : taskTable(view, this.notes, this.doc, (id) => this.go(id));
    this.panel.replaceChildren(node);
    if (view === "text") this.text.layoutAll();
    if (!keep) this.put(before !== view);
  }

  walk(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const views = this.views();
    this.turn(views[(views.indexOf(this.view) + by + views.length) % views.length], { focus: true });
  }

  // A row, a box on a page or a link between notes leads to the place in the text; the way back leads to where one was.
  go(id) {
    const note = this.notes.byId.get(id);
    if (!note) return;
    address.change(location.hash);
    if (!this.notes.shown().has(id)) {
      this.notes.off.delete(note.task);
      this.notes.all = true;
      if (note.attrs.decision === "rejected") this.notes.state = "all";
      if (note.task === "complexity") this.notes.level = Math.min(this.notes.level, note.score ?? 0);
      this.rebuild();
      this.update(true, true);
    }
    this.jumping = true;
    if (this.view !== "text") this.turn("text", { keep: true });
    this.text.open(id, { focus: true });
  }

  jumpTo(node) {
    address.change(location.hash);
    if (this.view !== "text") this.turn("text");
    document.getElementById("outline")?.removeAttribute("open");
    this.text.scroll(node);
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
  }

  // A note was opened or closed: the address says which.
  opened() {
    this.put(this.jumping);
    if (this.jumping && this.back) this.back.hidden = false;
    this.jumping = false;
  }

  step(by) {
    const order = this.notes.inOrder().filter((note) => !isPart(note));
    if (!order.length) return;
    let index = order.findIndex((note) => note.id === this.open.active);
    if (index < 0) index = this.open.from(order, by);
    this.open.open(order[Math.min(order.length - 1, Math.max(0, index + by))].id, { focus: true });
  }

  // Decide, then go on to the next note, as whoever goes through a document does.
  async decide(id, verdict, known = false) {
    const note = this.notes.byId.get(id);
    const order = this.notes.inOrder().filter((one) => !isPart(one));
    const next = order[order.findIndex((one) => one.id === id) + 1];
    try {
      this.took(await api.decide(this.id, [id], verdict, known));
    } catch (problem) {
      toast(problem.message);
      return;
    }
    toast(say("did", say(verdict), short(note.quote, 60)), say("undo"), () => this.undo());
    if (next && verdict !== "cleared" && this.notes.shown().has(next.id)) this.open?.open(next.id, { focus: true });
  }

  async undo(redo = false) {
    try {
      this.took(await api.undo(this.id, redo));
      toast(say(redo ? "redone" : "undone"), say(redo ? "undo" : "redo"), () => this.undo(!redo));
    } catch (problem) {
      toast(problem.message);
    }
  }

  took(difference) {
    this.notes.apply(difference);
    if (this.text?.active && !this.notes.shown().has(this.text.active)) this.text.active = null;
    this.update();
    this.pages?.reload();
  }

  async edit(id) {
    const note = this.notes.byId.get(id);
    const why = typeof note.attrs.why === "string" ? note.attrs.why : "";
    const result = await editNote({ note, quote: note.quote, why, near: note.start, place: (words, near) => this.text.slicer.nearest(words, near) });
    if (result) await this.send(() => api.edit(this.id, { note: id, start: result.start, end: result.end, attrs: result.attrs }), id, "edited");
  }

  // On the selection; without one on the note that is open, or the paragraph on the screen.
  async addNote() {
    const active = this.notes.byId.get(this.open?.active);
    const block = this.text.blocks.find((one) => one.node.getBoundingClientRect().bottom > 120) ?? this.text.blocks[0];
    const from = this.text.selected() ?? active ?? { start: block.start, quote: this.text.slicer.cut(block.start, block.end) };
    const result = await editNote({ quote: from.quote, near: from.start, place: (words, near) => this.text.slicer.nearest(words, near) });
    if (result) await this.send(() => api.addNote(this.id, { start: result.start, end: result.end, why: result.why }), null, "added");
  }

  async send(work, id, verdict) {
    try {
      const difference = await work();
      this.took(difference);
      const open = id ?? difference.notes.at(-1)?.id;
      if (open) this.open?.open(open, { focus: true });
      toast(say(verdict), say("undo"), () => this.undo());
    } catch (problem) {
      toast(problem.message);
    }
  }

  // Beside a selection stands what can be done with it.
  offer() {
    const span = this.view === "text" && this.mayWrite ? this.text?.selected() : null;
    this.chip.hidden = !span;
    if (!span) return;
    const place = getSelection().getRangeAt(0).getBoundingClientRect();
    this.chip.style.top = `${scrollY + place.bottom + 6}px`;
    this.chip.style.left = `${Math.min(place.left, innerWidth - 180)}px`;
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (!this.text) return;
    const id = this.open?.active;
    const about = (work) => (id && this.mayWrite ? () => work(id) : null);
    const acts = {
      "?": showKeys, "/": () => this.finder.field.focus(), o: () => { const menu = document.getElementById("outline"); if (menu) { menu.open = !menu.open; menu.querySelector("summary").focus(); } },
      j: this.open && (() => this.step(1)), k: this.open && (() => this.step(-1)), Escape: id && (() => this.open.shut()),
      a: about((one) => this.decide(one, "accepted")), r: about((one) => this.decide(one, "rejected")), e: about((one) => this.edit(one)),
      w: about((one) => this.notes.byId.get(one).task === "complexity" && this.decide(one, "rejected", true)),
      n: this.open && this.mayWrite && (() => this.addNote()), u: this.mayWrite && (() => this.undo()), U: this.mayWrite && (() => this.undo(true)),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
}
