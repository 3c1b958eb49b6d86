// Two documents side by side: what one contradicts or repeats, what changed in notes, numbers and text.
import * as address from "./address.js";
import { figureName, heading, labelOf, reason } from "./annotators.js";
import * as api from "./api.js";
import { announce, button, isTaken, make } from "./dom.js";
import { showKeys } from "./editor.js";
import { grid } from "./grid.js";
import { short } from "./notes.js";
import { number, say } from "./say.js";

const KINDS = ["changed", "new", "gone"];
const KEYS = [["j k", "k_change"], ["s", "k_swap"], ["?", "k_help"], ["Esc", "k_close"]];

export class ComparePage {
  constructor(main, title, { id, view, params }) {
    Object.assign(this, { main, title, old: id, new: view, gone: false });
    this.take(params);
    this.state = make("p", { class: "state", role: "status" }, say("comparing"));
    this.ways = make("div", { class: "ways" });
    this.filters = make("div");
    this.body = make("div", { class: "compare" }, make("p", { class: "wait" }, say("loading")));
    main.append(make("div", { class: "tools" }, this.ways, this.filters, this.state), this.body);
    this.keys = (event) => this.press(event);
    addEventListener("keydown", this.keys);
    this.load();
  }

  close() {
    this.gone = true;
    removeEventListener("keydown", this.keys);
  }

  take(params) {
    this.off = new Set((params.get("hide") ?? "").split(",").filter(Boolean)); // kinds of change and of notes
    this.same = params.get("same") === "1";
  }

  is(where) { return where.kind === "c" && where.id === this.old && where.view === this.new; }

  visit({ params }) {
    this.take(params);
    if (this.found) this.render();
  }

  put() {
    address.change(address.comparison(this.old, this.new, new URLSearchParams({ hide: [...this.off].join(), same: this.same ? "1" : "" })));
  }

  async load() {
    try {
      this.found = await api.compare(this.old, this.new);
    } catch (problem) {
      if (!this.gone) this.fail(problem);
      return;
    }
    if (this.gone) return;
    const { old, new: now } = this.found;
    if (old.title === now.title && old.name !== now.name) [old.title, now.title] = [old.name, now.name]; // two versions
    this.title.textContent = `${old.title} → ${now.title}`;
    document.title = `${this.title.textContent} – Marginalia`;
    this.render();
    this.look();
  }

  // What one contradicts or repeats takes the models some time: the rest is there before.
  async look() {
    try {
      this.pairs = await api.compareAcross(this.old, this.new);
      this.trouble = null;
    } catch (problem) {
      this.trouble = problem.message;
    }
    if (this.gone) return;
    this.fillAcross();
    this.count();
  }

  fail(problem) {
    this.state.textContent = problem.message;
    this.state.classList.add("error");
    this.body.replaceChildren(make("div", { class: "problem" }, make("h2", {}, say("what_next")), make("p", {}, say(problem.status === 404 ? "next_missing" : "next_compare")),
      make("p", { class: "ways" }, button(say("try_again"), () => { this.state.classList.remove("error"); this.load(); }, "button"), make("a", { href: "#/" }, say("back_to_library")))));
    announce(problem.message);
  }

  count() {
    const { paragraphs, changes } = this.found;
    const notes = (kind) => changes.filter((one) => one.kind === kind).length;
    const line = (name, count) => `${say(name)}: ${KINDS.map((kind) => `${number(count(kind))} ${say(`c_${kind}`)}`).join(", ")}`;
    const parts = [line("paragraphs", (kind) => paragraphs[kind]), line("notes", notes)];
    if (this.pairs) parts.push(...["contradiction", "repetition"].map((kind) => `${say(`a_${kind}`)}: ${number(this.pairs.filter((one) => one.kind === kind).length)}`));
    this.state.textContent = parts.join(" · ");
    if (this.pairs || this.trouble) this.state.dataset.state = "done";
    announce(this.state.textContent);
  }

  render() {
    const { old, new: now } = this.found;
    const link = (side) => make("a", { href: `#/d/${encodeURIComponent(side.id)}` }, side.title);
    const save = (format) => make("a", { href: api.comparedFile(this.old, this.new, format), download: "", "data-format": format }, format.toUpperCase());
    const jump = (id, name) => button(say(name), () => { const head = document.getElementById(id); head.tabIndex = -1; head.focus(); head.scrollIntoView(); });
    const sections = [["across", "across"], ["changes", "notes"], ["numbers", "numbers"], ["texts", "text"]];
    this.ways.replaceChildren(make("nav", { class: "ways", "aria-label": say("contents") }, sections.map(([id, name]) => jump(id, name))), button(`⇄ ${say("swap")}`, () => this.swap(), "plain", { id: "swap" }),
      button("↑", () => this.step(-1), "step", { "aria-label": say("previous_change") }), button("↓", () => this.step(1), "step", { "aria-label": say("next_change") }),
      make("span", {}, `${say("export")} `, save("html"), " ", save("json")), button(say("print"), () => print()), button("?", () => showKeys(KEYS), "step", { "aria-label": say("keys") }));
    this.filters.replaceChildren(this.filterBar());
    const section = (id, ...parts) => make("section", { "aria-labelledby": id }, make("h2", { id }, say(sections.find(([one]) => one === id)[1])), parts);
    this.across = make("div", { class: "across" });
    const changes = this.found.changes.filter((one) => !this.off.has(one.kind) && !this.off.has(one.task));
    this.body.replaceChildren(
      make("p", { class: "quiet both" }, link(old), " → ", link(now)),
      section("across", this.across),
      section("changes", changes.length ? this.notes(changes) : make("p", { class: "quiet" }, say("nothing_changed"))),
      section("numbers", this.found.numbers.length ? this.numbers() : make("p", { class: "quiet" }, say("nothing_changed"))),
      section("texts", sideBySide(this.found, this.off, this.same)));
    this.fillAcross();
    this.count();
  }

  filterBar() {
    const box = (name, words, on, change) => make("label", {}, make("input", { type: "checkbox", "data-show": name, checked: on, onchange: (event) => { change(event.target.checked); this.put(); this.render(); document.querySelector(`[data-show="${name}"]`)?.focus(); } }), words);
    const tasks = [...new Set(this.found.changes.map((one) => one.task))].sort();
    const turn = (name) => (on) => this.off[on ? "delete" : "add"](name);
    return make("fieldset", { class: "filters" }, make("legend", { class: "hidden" }, say("filter")),
      KINDS.map((kind) => box(kind, say(`c_${kind}`), !this.off.has(kind), turn(kind))),
      tasks.map((task) => box(task, heading(task), !this.off.has(task), turn(task))),
      box("same", say("same_too"), this.same, (on) => { this.same = on; }));
  }

  fillAcross() {
    const place = (side, start, words) => make("a", { href: `#/d/${encodeURIComponent(side.id)}/text?at=${start}`, lang: side.lang ?? "" }, words);
    const { old, new: now } = this.found;
    if (this.trouble) this.across.replaceChildren(make("p", { class: "error", role: "alert" }, this.trouble), button(say("try_again"), () => { this.trouble = null; this.fillAcross(); this.look(); }, "button"));
    else if (!this.pairs) this.across.replaceChildren(make("p", { class: "wait" }, say("looking_across")));
    else if (!this.pairs.length) this.across.replaceChildren(make("p", { class: "quiet" }, say("none_across")));
    else this.across.replaceChildren(grid({ label: say("across"), rows: this.pairs, groups: [], columns: [
      { name: say("kind"), value: (one) => say(`a_${one.kind}`) },
      { name: short(old.title, 40), value: (one) => one.old, cell: (one) => place(old, one.old_start, one.old) },
      { name: short(now.title, 40), value: (one) => one.new, cell: (one) => place(now, one.new_start, one.new) },
      { name: say("why"), value: (one) => one.why }] }));
  }

  notes(changes) {
    const { old, new: now } = this.found;
    const quote = (side, note, tag, changed) => (note ? make("a", { href: `#/d/${encodeURIComponent(side.id)}/text?all=1&note=${encodeURIComponent(note.id)}`, lang: side.lang ?? "" },
      changed ? make(tag, {}, short(note.quote, 120)) : short(note.quote, 120)) : "");
    const paged = changes.some((one) => (one.new ?? one.old).page);
    return grid({ label: say("notes"), rows: changes, groups: [say("kind"), say("change")], columns: [
      { name: say("kind"), value: labelOf }, { name: say("change"), value: (one) => say(`c_${one.kind}`) },
      { name: short(old.title, 40), value: (one) => one.old?.quote ?? "", cell: (one) => quote(old, one.old, "del", one.kind === "changed") },
      { name: short(now.title, 40), value: (one) => one.new?.quote ?? "", cell: (one) => quote(now, one.new, "ins", one.kind === "changed") },
      ...(paged ? [{ name: say("page"), numeric: true, value: (one) => (one.new ?? one.old).page }] : []),
      { name: say("why"), value: (one) => reason({ task: one.task, attrs: one }) }] });
  }

  numbers() {
    const { old, new: now, numbers } = this.found;
    return grid({ label: say("numbers"), rows: numbers, columns: [
      { name: say("what"), value: (one) => figureName(one.name) },
      { name: short(old.title, 40), numeric: true, value: (one) => one.old, cell: (one) => number(one.old, 4) },
      { name: short(now.title, 40), numeric: true, value: (one) => one.new, cell: (one) => number(one.new, 4) },
      { name: say("difference"), numeric: true, value: (one) => one.new - one.old, cell: (one) => `${one.new > one.old ? "+" : "−"}${number(Math.abs(one.new - one.old), 4)}` }] });
  }

  swap() { location.hash = address.comparison(this.new, this.old, new URLSearchParams({ hide: [...this.off].join(), same: this.same ? "1" : "" })); }

  // From change to change of the text.
  step(by) {
    const rows = [...this.body.querySelectorAll("tr[data-change]")];
    if (!rows.length) return;
    const here = rows.indexOf(document.activeElement);
    const next = here >= 0 ? here + by : by > 0 ? 0 : rows.length - 1;
    const row = rows[Math.min(rows.length - 1, Math.max(0, next))];
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "center" });
  }

  press(event) {
    if (isTaken(event)) return;
    const act = this.found && { j: () => this.step(1), k: () => this.step(-1), s: () => this.swap(), "?": () => showKeys(KEYS) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

// The paragraphs of two documents, one beside the other; what did not change is folded together.

const NEAR = 1; // paragraphs before and after a change that are shown though they are the same

export function sideBySide({ old, new: now, rows }, off, same) {
  const shown = rows.filter((row) => row.kind === "same" || !off.has(row.kind));
  const body = make("tbody");
  const near = shown.map((_, index) => same || shown.slice(Math.max(0, index - NEAR), index + NEAR + 1).some((row) => row.kind !== "same"));
  for (let index = 0; index < shown.length; index++) {
    if (near[index]) { body.append(line(shown[index], old, now)); continue; }
    let end = index;
    while (end < shown.length && !near[end]) end++;
    body.append(fold(shown.slice(index, end), old, now));
    index = end - 1;
  }
  const head = (side) => make("th", { scope: "col" }, side.title);
  return make("table", { class: "sides" }, make("thead", {}, make("tr", {}, head(old), head(now))), body);
}

function fold(rows, old, now) {
  const row = make("tr", { class: "fold" }, make("td", { colspan: "2" }, button(rows.length === 1 ? say("same_one") : say("same_rows", number(rows.length)), () => {
    const lines = rows.map((one) => line(one, old, now));
    row.replaceWith(...lines);
    lines[0].tabIndex = -1;
    lines[0].focus({ preventScroll: true });
  }, "plain", { "aria-expanded": "false" })));
  return row;
}

function line(row, old, now) {
  const side = (doc, pieces, tag) => make("td", { lang: doc.lang ?? "", class: row.block === "heading" ? "heading" : null },
    (pieces ?? []).map(([text, changed]) => (changed ? make(tag, {}, text) : text)));
  if (row.kind === "same") return make("tr", { class: "same" }, side(old, [[row.text, false]]), side(now, [[row.text, false]]));
  return make("tr", { class: row.kind, "data-change": row.kind, tabindex: "-1", "aria-label": say(`c_${row.kind}`) }, side(old, row.old, "del"), side(now, row.new, "ins"));
}
