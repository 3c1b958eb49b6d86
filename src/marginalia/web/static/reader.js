// One document: its text with notes, its pages, its tables; what is shown of them, and what is decided.
import * as address from "./address.js";
import { heading, inOrder } from "./annotators.js";
import * as api from "./api.js";
import { dial, documentMenu, findButton, LANGUAGES, saveMenu } from "./bar.js";
import { Deciding } from "./deciding.js";
import { decisionsView } from "./decisions.js";
import { announce, button, icon, make, select, toast } from "./dom.js";
import { Finder } from "./find.js";
import { isPart, Notes } from "./notes.js";
import { overview } from "./overview.js";
import { PagesView } from "./pages.js";
import { Place } from "./place.js";
import { languageName, number, say } from "./say.js";
import { Side } from "./side.js";
import { taskTable } from "./tables.js";
import { TextView } from "./text.js";
import { startTour } from "./tour.js";
import { explainsAll, vocabulary, vocabularyOf } from "./vocabulary.js";

const NARROW = matchMedia("(max-width: 46rem)");

const OCR = "https://ocrmypdf.readthedocs.io";

export class DocumentPage {
  constructor(main, title, top, { id, view, params }) {
    Object.assign(this, { main, title, top, id, view, notes: new Notes(), gone: false, mayWrite: true });
    this.take(params);
    this.state = make("p", { class: "state", role: "status" });
    this.tabs = make("div", { class: "tabs", role: "tablist", "aria-orientation": "vertical", "aria-label": say("views") });
    this.panel = make("div", { class: "panel", role: "tabpanel", id: "panel" }, make("p", { class: "wait" }, say("loading")));
    this.bar = make("progress", { class: "progress", max: "1", value: "0", "aria-label": say("noting"), hidden: true });
    this.chip = make("div", { class: "chip", role: "group", hidden: true, onpointerdown: (event) => event.preventDefault() },
      button(say("ask"), () => this.deciding.ask(), "button", { id: "chip-ask" }), button(say("add"), () => this.deciding.addNote(), "button", { id: "chip-add" }));
    this.back = button(`← ${say("back")}`, () => history.back(), "button back", { hidden: !history.state?.jumped });
    this.flip = button("", () => this.turn(this.view === "text" ? "pages" : "text"), "button flip", { hidden: true });
    this.problems = make("p", { class: "error", id: "problems", hidden: true });
    this.side = new Side(this);
    this.tools = make("div", { class: "strip" });
    this.dialPlace = make("div", { class: "strip" });
    top.append(this.dialPlace, this.state, this.flip, this.tools);
    document.getElementById("lead").append(make("a", { class: "icon", id: "home", href: "#/", "aria-label": say("back_to_library"), title: say("back_to_library") }, icon("back")), this.side.toggleButton);
    main.append(this.bar, this.problems, make("div", { class: "reader" }, this.side.node, this.panel), this.chip, this.back);
    this.placeDial = () => this.dial && (NARROW.matches ? this.side.dialPlace : this.dialPlace).append(this.dial);
    NARROW.addEventListener("change", this.placeDial);
    this.deciding = new Deciding(this);
    this.load();
  }

  close() {
    this.gone = true;
    this.endTour?.();
    document.querySelector(".answer")?.remove();
    this.stop?.();
    this.text?.close();
    this.pages?.close();
    this.place?.close();
    this.side.close();
    this.deciding.close();
    NARROW.removeEventListener("change", this.placeDial);
  }

  // Filters, thresholds and the open note are in the address.
  take(params) {
    const { notes } = this;
    notes.off = new Set((params.get("hide") ?? "").split(",").filter(Boolean));
    notes.many = params.get("many") ? Number(params.get("many")) : null;
    notes.state = params.get("show") || "open";
    this.wanted = params.get("note");
    this.sought = params.get("find");
    this.at = params.get("at");
    this.touring = params.has("tour");
    notes.changed();
  }

  put(jump = false) {
    const { notes } = this;
    const params = new URLSearchParams({ hide: [...notes.off].join(), many: notes.many === null ? "" : String(notes.many),
      show: notes.state === "open" ? "" : notes.state, note: this.open?.active ?? "" });
    address.change(address.build(this.id, this.view, params), jump);
  }

  is(where) { return where.kind === "d" && where.id === this.id; }

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
    const before = this.doc?.text;
    try {
      [this.doc, this.me, this.catalogues] = await Promise.all([api.getDocument(this.id), this.me ?? api.me(), this.catalogues ?? api.catalogues()]);
    } catch (error) {
      if (!this.gone) this.fail(error);
      return;
    }
    if (this.gone) return;
    this.mayWrite = this.me.may === "write";
    this.name(this.doc.title);
    if (this.doc.text !== undefined) {
      this.notes.clear();
      this.notes.add(this.doc.annotations);
      this.notes.known = new Set(this.doc.known_words);
      this.notes.thresholds = this.me.settings.thresholds ?? {};
      this.rank(this.doc);
      // The text that is there stays: nobody loses a place or a selection because notes have come.
      if (this.text && before === this.doc.text) { this.rebuild(); this.update(true, true); } else this.build();
    }
    if (this.doc.state === "failed") this.failed(this.doc);
    else if (this.doc.state !== "done") {
      this.say(say(this.doc.state));
      this.stop = api.listen(this.id, this.doc.seen, (event) => this.hear(event));
    } else this.finish();
  }

  name(title) {
    this.title.textContent = title;
    document.title = `${title} – Marginalia`;
  }

  // Until all notes are made there is no ranking of them, and room for those that there are.
  rank({ ranked, room, state }) {
    this.notes.ranked = state === "done" ? ranked : [];
    this.notes.room = state === "done" ? room ?? Infinity : Infinity;
    this.notes.changed();
  }

  hear(event) {
    if (this.gone) return;
    if (event.kind === "failed") {
      this.bar.hidden = true;
      this.failed(event);
    } else if (event.kind === "read") {
      this.stop();
      this.load();
    } else if (event.kind === "notes") {
      if (event.replaces) this.notes.drop(event.annotator); // those on the beginning, which were made before
      this.notes.add(event.notes);
      this.bar.hidden = false;
      this.bar.value = event.done / Math.max(1, event.total);
      this.say(`${say("noting")}: ${heading(event.annotator)}`);
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
    const problems = this.doc.meta?.problems ?? [];
    this.problems.hidden = !problems.length;
    this.problems.textContent = `${say("problems")}: ${problems.join("; ")}`;
    if (this.touring && !this.endTour) this.endTour = startTour(this);
    if (this.doc.lost?.length) toast(`${say("lost_decisions")}: ${number(this.doc.lost.length)}`, say("show"), () => this.turn("decisions"));
  }

  count() {
    if (this.doc.state !== "done") return;
    this.notes.shown();
    const slider = document.getElementById("many");
    if (slider && this.notes.many === null) slider.value = String(this.notes.usual);
    const barred = this.notes.barred();
    const { heads } = this.notes;
    this.say(!this.notes.byId.size ? say("none_noted") : heads === 1 ? say("one_note") : say("some_notes", number(heads)));
    const parts = [];
    if (!this.notes.byId.size) parts.push(say("no_notes"));
    else if (heads < this.notes.passing) parts.push(say("shown", number(heads), number(this.notes.passing)));
    if (barred.below) parts.push(say("below", number(barred.below)));
    if (barred.known) parts.push(say("hidden_known", number(barred.known)));
    if (barred.rejected) parts.push(say("hidden_rejected", number(barred.rejected)));
    this.side.say(parts.join(" · "), this.doc.meta?.elsewhere ?? []);
  }

  say(words) {
    this.state.textContent = words;
    announce(words);
  }

  // What happened and what to do next.
  problem(words, advice, ...ways) {
    this.state.textContent = "";
    this.panel.replaceChildren(make("div", { class: "problem" }, make("p", { class: "state error" }, words), make("h2", {}, say("what_next")), make("p", {}, advice),
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

  // What is missing for another reader is made; what was decided stays.
  readFor(audience) { return this.again(() => api.readAgain(this.id, { audience })); }

  // A scan has no text yet: it can be recognised, or the page says how to get what recognises it.
  failed({ error, scan }) {
    const way = (words, how, id) => (this.mayWrite ? button(say(words), () => this.again(() => api.readAgain(this.id, how)), "button", { id }) : "");
    const how = { ocr: true, lang: this.doc?.asked_lang ?? null };
    const spoken = select("scan-lang", say("text_language"), [["", say("by_itself")], ...LANGUAGES.map((one) => [one, languageName(one)])], how.lang ?? "", (one) => { how.lang = one || null; });
    if (scan === "offer") this.problem(say("no_text"), say("next_scan"), this.mayWrite ? spoken : "", way("recognise", how, "recognise"));
    else if (scan) this.problem(say("no_text"), say("next_no_ocr"), make("a", { href: OCR, id: "ocr", rel: "noopener", target: "_blank" }, say("get_ocr")), way("try_again", {}, "again"));
    else this.problem(error, say("next_failed"), way("try_again", {}, "again"));
  }

  build() {
    this.text?.close();
    this.pages?.close();
    this.text = new TextView(this.doc, this.notes, this);
    this.pages = this.doc.pages?.length ? new PagesView(this.doc, this.notes, this) : null;
    this.finder = new Finder(this);
    this.panel.before(this.finder.node);
    this.tools.replaceChildren(findButton(this), saveMenu(this), documentMenu(this));
    this.dial?.remove();
    this.dial = dial(this);
    this.placeDial();
    this.rebuild();
    this.side.outline();
    this.side.fill();
    this.place?.close();
    this.turn(this.view, { keep: true });
    if (this.wanted && this.notes.byId.has(this.wanted)) this.open?.open(this.wanted);
    else if (this.at) this.text.scroll(this.text.blocks[this.text.find(Number(this.at))].node);
    this.place = new Place(this, !this.wanted && !this.at && !this.sought);
    if (this.sought) { this.finder.toggle(true); this.finder.field.value = this.sought; this.finder.look(); }
  }

  kinds() {
    return inOrder(Object.keys(this.notes.counts()));
  }

  views() { return ["text", ...(this.pages ? ["pages"] : []), ...(vocabularyOf(this).length ? ["vocabulary"] : []), ...this.kinds().filter((task) => !explainsAll(task, this.notes)), "overview", "decisions"]; }

  rebuild() {
    const counts = this.notes.counts();
    this.built = this.kinds().join();
    this.tabs.replaceChildren(...this.views().map((view) => make("button", {
      type: "button", role: "tab", id: `tab-${view}`, "aria-controls": "panel",
      "aria-selected": String(view === this.view), tabindex: view === this.view ? "0" : "-1",
      onclick: () => { this.side.leave(); this.turn(view, { focus: true }); }, onkeydown: (event) => this.walk(event),
    }, view in counts ? [heading(view), " ", make("small", {}, number(counts[view]))] : say(view))));
    this.side.filterBar();
  }

  update(rebuild = true, quiet = false) {
    this.notes.changed();
    if (!this.text) return;
    if (rebuild && this.kinds().join() !== this.built) this.rebuild();
    const counts = this.notes.counts();
    for (const task of this.kinds()) {
      for (const count of document.querySelectorAll(`#tab-${CSS.escape(task)} small, .filters .k-${CSS.escape(task)} small`)) count.textContent = number(counts[task]);
    }
    this.text.sort();
    if (this.view === "pages") this.pages.refresh();
    if (!["text", "pages"].includes(this.view)) this.turn(this.view, { keep: true });
    this.count();
    this.side.fill();
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
      : view === "overview" ? overview(this.notes, this.doc, this.kinds())
      : view === "decisions" ? decisionsView(this)
      : view === "vocabulary" ? vocabulary(this)
      : taskTable(view, this.notes, this.doc, (id) => this.go(id));
    this.panel.replaceChildren(node);
    if (view === "pages") this.pages.refresh();
    this.open?.layoutAll();
    this.flip.hidden = view === "text" && !this.pages;
    this.flip.textContent = view === "text" ? say("pages") : say("text");
    if (!keep) this.put(before !== view);
  }

  walk(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
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
      this.notes.many = 100;
      if (note.attrs.decision === "rejected") this.notes.state = "all";
      this.rebuild();
      this.update(true, true);
    }
    this.jumping = true;
    if (this.view !== "text") this.turn("text", { keep: true });
    this.text.open(id, { focus: true });
  }

  // A note of the list is opened where one reads: in the text or on its page.
  show(id) {
    if (this.view !== "pages") { this.go(id); return; }
    address.change(location.hash);
    this.jumping = true;
    this.pages.open(id, { focus: true });
  }

  // To an offset of the text, where one reads: in the text or on its page.
  reach(offset) {
    if (this.view === "pages") { address.change(location.hash); this.pages.reach(offset); } else this.jumpTo(this.text.blocks[this.text.find(offset)].node);
  }

  jumpTo(node) {
    address.change(location.hash);
    if (this.view !== "text") this.turn("text");
    this.text.scroll(node);
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
  }

  // A note was opened or closed: the address says which.
  opened(id) {
    this.put(this.jumping);
    this.side.follow(id);
    if (this.jumping) this.back.hidden = false;
    this.jumping = false;
  }

  step(by) {
    const order = this.notes.inOrder().filter((note) => !isPart(note));
    if (!order.length) return;
    let index = order.findIndex((note) => note.id === this.open.active);
    if (index < 0) index = this.open.from(order, by);
    this.open.open(order[Math.min(order.length - 1, Math.max(0, index + by))].id, { focus: true });
  }
}
