// The notes of a document: which are shown, and what each says.
import { make } from "./dom.js";
import { number, say } from "./say.js";

export const GENERAL = 0.2; // the share of raters from which on a word is hard for general readers

export class Notes {
  constructor() {
    this.byId = new Map();
    this.ranked = [];
    this.room = Infinity;
    this.off = new Set(); // tasks that are not shown
    this.level = GENERAL;
    this.all = false;
    this.changed();
  }

  clear() {
    this.byId.clear();
    this.ranked = [];
    this.changed();
  }

  add(notes) {
    for (const note of notes) this.byId.set(note.id, note);
    this.changed();
  }

  changed() { this.kept = null; }

  passes(note) {
    if (this.off.has(note.task)) return false;
    if (note.task !== "complexity") return true;
    return note.score === null || note.score >= this.level;
  }

  // The ids that are shown: of those that pass the filters the most useful, with their parts.
  shown() {
    if (this.kept) return this.kept;
    const ranked = this.ranked.length ? this.ranked : [...this.byId.keys()];
    const heads = ranked.map((id) => this.byId.get(id))
      .filter((note) => note && !isPart(note) && this.passes(note));
    const kept = new Set((this.all ? heads : heads.slice(0, this.room)).map((note) => note.id));
    this.heads = kept.size;
    for (const note of this.byId.values()) {
      if (isPart(note) && note.attrs.part_of.some((id) => kept.has(id))) kept.add(note.id);
    }
    this.kept = kept;
    return kept;
  }

  inOrder() {
    const shown = this.shown();
    return [...this.byId.values()].filter((note) => shown.has(note.id))
      .sort((a, b) => a.start - b.start || a.end - b.end);
  }

  of(task) {
    return [...this.byId.values()].filter((note) => note.task === task)
      .sort((a, b) => a.start - b.start);
  }

  counts() {
    const counts = {};
    for (const note of this.byId.values()) {
      if (!isPart(note)) counts[note.task] = (counts[note.task] ?? 0) + 1;
    }
    return counts;
  }

  linked(note, role) {
    return (note.links[role] ?? []).map((id) => this.byId.get(id)).filter(Boolean);
  }
}

export const isPart = (note) => Boolean(note.attrs.part_of?.length);

// A note on a whole sentence: its words need not be said again beside it, and it must not outshine the notes within.
export const isWide = (note) => note.quote.length > 60;

export function short(text, length) {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= length ? flat : `${flat.slice(0, length - 1).trimEnd()}…`;
}

// All that is known of a note, for the one that is open.
export function details(note, notes, go) {
  const rows = [];
  const row = (name, ...value) => rows.push(make("div", {}, make("dt", {}, name), make("dd", {}, ...value)));
  if (note.score !== null) row(say("value"), number(note.score, 2));
  for (const role of ["property", "entity", "qualifier"]) {
    const parts = notes.linked(note, role);
    if (parts.length) row(say(role), parts.map((part) => part.quote).join("; "));
  }
  if (note.attrs.si) row(say("si"), siValue(note.attrs));
  if (note.attrs.easier?.length) row(say("easier"), note.attrs.easier.join(", "));
  const listed = note.attrs.variables ?? note.attrs.readings ?? [];
  if (listed.length) {
    row(say(note.attrs.variables ? "candidates" : "could"),
      make("ol", {}, listed.slice(0, 10).map((one) => make("li", {}, choice(one)))));
  }
  for (const [role, ids] of Object.entries(note.links)) {
    if (["property", "entity", "qualifier"].includes(role)) continue;
    const inside = ids.map((id) => notes.byId.get(id)).filter(Boolean);
    if (inside.length) {
      row(say("also"), ...inside.map((other) =>
        make("button", { type: "button", class: "plain", onclick: () => go(other.id) }, short(other.quote, 60))));
    }
  }
  return make("dl", { class: "details" }, rows);
}

export function choice(one) {
  if (typeof one === "string") return one;
  const name = one.filler ?? one.label ?? one.text ?? one.quote ?? one.id;
  const value = one.score ?? one.rating;
  const id = one.id && one.id !== name ? ` (${one.id})` : "";
  return `${short(String(name), 90)}${id}${value === undefined || value === null ? "" : ` · ${number(value, 2)}`}`;
}

export function siValue(attrs) {
  if (!attrs.si) return "";
  const { si_low: low, si_high: high } = attrs;
  const range = low === null || high === null || low === high
    ? number(low ?? high ?? 0, 6) : `${number(low, 6)} – ${number(high, 6)}`;
  return `${range} ${attrs.si_symbol || attrs.si}`;
}
