// One document: its text with notes, its pages, its tables; filters for all of them.
import * as api from "./api.js";
import { make } from "./dom.js";
import { GENERAL, Notes } from "./notes.js";
import { PagesView } from "./pages.js";
import { number, say } from "./say.js";
import { overview, taskTable } from "./tables.js";
import { TextView } from "./text.js";

const ORDER = ["complexity", "measurement", "variables", "clarification", "similarity"];
const live = document.getElementById("live");

export function showDocument(main, title, id, view = "text") {
  const page = new DocumentPage(main, title, id, view || "text");
  page.load();
  return () => page.close();
}

class DocumentPage {
  constructor(main, title, id, view) {
    Object.assign(this, { main, title, id, view, notes: new Notes(), gone: false });
    this.state = make("p", { class: "state", role: "status" });
    this.filters = make("fieldset", { class: "filters" });
    this.tabs = make("div", { class: "tabs", role: "tablist", "aria-label": say("overview") });
    this.panel = make("div", { class: "panel", role: "tabpanel", id: "panel" });
    this.bar = make("progress", { max: "1", value: "0", "aria-label": say("noting"), hidden: true });
    main.append(make("div", { class: "tools" }, this.tabs, this.filters, this.bar, this.state), this.panel);
    this.keys = (event) => this.press(event);
    addEventListener("keydown", this.keys);
  }

  close() {
    this.gone = true;
    this.stop?.();
    this.text?.close();
    this.pages?.close();
    removeEventListener("keydown", this.keys);
  }

  async load() {
    try {
      this.doc = await api.getDocument(this.id);
    } catch (error) {
      this.say(error.message, true);
      return;
    }
    if (this.gone) return;
    this.title.textContent = this.doc.title;
    document.title = `${this.doc.title} – Marginalia`;
    this.done = { ...this.done };
    if (this.doc.text !== undefined) {
      this.notes.clear();
      this.notes.add(this.doc.annotations);
      this.rank(this.doc);
      this.show();
    }
    if (this.doc.state === "failed") this.say(this.doc.error, true);
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
      this.say(event.error, true);
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
      this.rank(event);
      this.update();
      this.finish();
    }
  }

  finish() {
    this.bar.hidden = true;
    this.doc.state = "done";
    this.count();
    this.state.dataset.state = "done";
  }

  count() {
    if (this.doc.state !== "done") return;
    this.notes.shown();
    const all = Object.values(this.notes.counts()).reduce((sum, one) => sum + one, 0);
    this.say(say("shown", number(this.notes.heads), number(all)));
    this.state.append(make("span", { class: "keys" }, ` · ${say("keys")}`));
  }

  say(words, wrong = false) {
    this.state.textContent = words;
    this.state.classList.toggle("error", wrong);
    live.textContent = words;
  }

  show() {
    this.text?.close();
    this.pages?.close();
    this.text = new TextView(this.doc, this.notes, () => {});
    this.pages = this.doc.pages?.length ? new PagesView(this.doc, this.notes, (id) => this.go(id)) : null;
    this.build();
    this.turn(this.view);
  }

  kinds() {
    const counts = this.notes.counts();
    return [...ORDER.filter((task) => counts[task]), ...Object.keys(counts).filter((task) => !ORDER.includes(task)).sort()];
  }

  build() {
    const counts = this.notes.counts();
    const kinds = this.kinds();
    const views = ["text", ...(this.pages ? ["pages"] : []), ...kinds, "overview"];
    this.tabs.replaceChildren(...views.map((view) => make("button", {
      type: "button", role: "tab", id: `tab-${view}`, "aria-controls": "panel",
      "aria-selected": String(view === this.view), tabindex: view === this.view ? "0" : "-1",
      onclick: () => this.turn(view, true), onkeydown: (event) => this.walk(event, views),
    }, counts[view] ? `${say(view)} ${number(counts[view])}` : say(view))));
    const boxes = kinds.map((task) => make("label", { class: `k-${task}` },
      make("input", { type: "checkbox", checked: !this.notes.off.has(task), "data-task": task,
        onchange: (event) => this.filter(task, event.target.checked) }), say(task)));
    const slider = make("input", { type: "range", id: "level", min: "0.2", max: "0.6", step: "0.02", value: String(this.notes.level),
      oninput: (event) => { this.notes.level = Number(event.target.value); shown.textContent = number(this.notes.level, 2); this.update(false); } });
    const shown = make("output", { for: "level" }, number(this.notes.level ?? GENERAL, 2));
    const all = make("label", {}, make("input", { type: "checkbox", id: "all", checked: this.notes.all,
      onchange: (event) => { this.notes.all = event.target.checked; this.update(false); } }), say("all"));
    const save = make("span", { class: "save" }, `${say("export")} `, ["html", "json", "csv"].map((format) =>
      make("a", { href: api.saved(this.id, format), download: "" }, format.toUpperCase())));
    this.filters.replaceChildren(make("legend", { class: "hidden" }, say("filter")), ...boxes,
      ...(counts.complexity ? [make("label", { class: "level" }, say("level"), slider, shown)] : []), all, save);
  }

  filter(task, on) {
    if (on) this.notes.off.delete(task); else this.notes.off.add(task);
    this.update(false);
  }

  update(rebuild = true) {
    this.notes.changed();
    if (!this.text) return;
    if (rebuild && this.kinds().join() !== this.built) { this.built = this.kinds().join(); this.build(); }
    else if (rebuild) this.recount();
    this.text.sort();
    this.pages?.refresh();
    if (!["text", "pages"].includes(this.view)) this.turn(this.view);
    this.count();
  }

  recount() {
    const counts = this.notes.counts();
    for (const [task, count] of Object.entries(counts)) {
      const tab = document.getElementById(`tab-${task}`);
      if (tab) tab.textContent = `${say(task)} ${number(count)}`;
    }
  }

  turn(view, focus = false) {
    if (!document.getElementById(`tab-${view}`)) view = "text";
    this.view = view;
    for (const tab of this.tabs.children) {
      const on = tab.id === `tab-${view}`;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      if (on && focus) tab.focus();
    }
    this.panel.setAttribute("aria-labelledby", `tab-${view}`);
    const go = (id) => this.go(id);
    const node = view === "text" ? this.text.node
      : view === "pages" ? this.pages.node
      : view === "overview" ? overview(this.notes, this.doc)
      : taskTable(view, this.notes, this.doc, go);
    this.panel.replaceChildren(node);
    if (view === "text") this.text.layoutAll();
  }

  walk(event, views) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.turn(views[(views.indexOf(this.view) + by + views.length) % views.length], true);
  }

  // A row, a box on a page or a link between notes leads to the place in the text.
  go(id) {
    const note = this.notes.byId.get(id);
    if (!note) return;
    if (!this.notes.shown().has(id)) {
      this.notes.off.delete(note.task);
      this.notes.all = true;
      if (note.task === "complexity") this.notes.level = Math.min(this.notes.level, note.score ?? GENERAL);
      this.build();
      this.update();
    }
    this.turn("text");
    this.text.open(id, { focus: true });
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (this.view !== "text" || !this.text) return;
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      this.text.step(event.key === "j" ? 1 : -1);
    } else if (event.key === "Escape" && this.text.active) this.text.shut();
  }
}
