// The notes of a document: which are shown, and why the others are not.
import { leavesOutKnown } from "./annotators.js";

export const KEPT = new Set(["accepted", "edited", "added"]);

export const isPart = (note) => Boolean(note.attrs.part_of?.length);

// A note on a whole sentence: its words need not be said again beside it, and it must not outshine the notes within.
export const isWide = (note) => note.quote.length > 60;

export const kindOf = (note) => `${note.task}.${note.label.replaceAll(" ", "-")}`;

export const plainWord = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

const flat = (text) => text.replace(/\s+/g, " ").trim();

export function short(text, length) {
  const whole = flat(text);
  return whole.length <= length ? whole : `${whole.slice(0, length - 1).trimEnd()}…`;
}

// Whether a value, or each of a list, stands in these words already.
export const repeats = (value, words) => [value].flat().every((one) => typeof one === "string" && flat(words).toLowerCase().includes(flat(one).toLowerCase()));

// A note that says no more than the words it stands at.
const onlyRepeats = ({ attrs, quote }) => typeof attrs.why === "string" && flat(attrs.why) === flat(quote);

export class Notes {
  constructor() {
    this.byId = new Map();
    this.ranked = [];
    this.room = Infinity;
    this.off = new Set(); // tasks that are not shown
    this.many = null; // how much of what there is, in percent, the most useful first; null: as many as have room
    this.state = "open"; // open, accepted, rejected or all
    this.known = new Set(); // words this reader knows
    this.thresholds = {}; // kind -> least score
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

  drop(task) { for (const note of this.byId.values()) if (note.task === task) this.byId.delete(note.id); }

  // What a decision has changed.
  apply({ notes, gone, ranked, room, known_words: known }) {
    for (const id of gone) this.byId.delete(id);
    this.ranked = ranked;
    this.room = room ?? Infinity;
    this.known = new Set(known);
    this.add(notes);
  }

  changed() {
    this.kept = null;
    this.why = null;
    this.ranks = null;
  }

  // Why a note does not pass the filters; empty if it does.
  barrier(note) {
    const { decision } = note.attrs;
    if (this.state === "accepted" && !KEPT.has(decision)) return "state";
    if (this.state === "rejected" && decision !== "rejected") return "state";
    if (this.state === "open" && decision === "rejected") return "rejected";
    const off = this.off.has(note.task) ? "off" : "";
    if (decision) return off;
    const asksWords = leavesOutKnown(note.task);
    if (asksWords && this.known.has(plainWord(note.quote))) return "known";
    const least = this.thresholds[kindOf(note)];
    if (least !== undefined && (note.score ?? 1) < least) return "below";
    return off;
  }

  // The place of a note among all, the most useful first.
  rankOf(id) {
    this.ranks ??= new Map(this.ranked.map((one, place) => [one, place]));
    return this.ranks.get(id) ?? this.ranked.length;
  }

  passes(note) { return !this.barrier(note); }

  // How many notes each barrier holds back.
  barred() {
    if (this.why) return this.why;
    this.why = { below: 0, known: 0, rejected: 0, off: 0, state: 0 };
    for (const note of this.byId.values()) {
      const barrier = isPart(note) ? "" : this.barrier(note);
      if (barrier) this.why[barrier] += 1;
    }
    return this.why;
  }

  // The ids that are shown: of those that pass the filters the most useful, with their parts. What was decided stays.
  shown() {
    if (this.kept) return this.kept;
    const ranked = this.ranked.length ? this.ranked : [...this.byId.keys()];
    const heads = ranked.map((id) => this.byId.get(id)).filter((note) => note && !isPart(note) && this.passes(note));
    const decided = heads.filter((note) => note.attrs.decision);
    const undecided = heads.filter((note) => !note.attrs.decision);
    const useful = this.many === 100 || this.room === Infinity ? undecided : undecided.filter((note) => !onlyRepeats(note));
    const room = this.many === null ? this.room - decided.length : Math.round((useful.length * this.many) / 100);
    const most = useful.slice(0, Math.max(0, room));
    this.usual = useful.length ? Math.min(100, Math.round((100 * most.length) / useful.length)) : 100;
    const kept = new Set([...decided, ...most].map((note) => note.id));
    this.heads = kept.size;
    this.passing = heads.length;
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

  // What passes the filters, for tables and plots: those have room for all.
  of(task) {
    return [...this.byId.values()].filter((note) => note.task === task && !isPart(note) && this.passes(note))
      .sort((a, b) => a.start - b.start);
  }

  // The kinds that there are, with how many pass the filters: the same numbers on tabs, in tables and in the line above the text.
  counts() {
    const counts = {};
    for (const note of this.byId.values()) {
      if (isPart(note)) continue;
      counts[note.task] ??= 0;
      if (["", "off"].includes(this.barrier(note))) counts[note.task] += 1;
    }
    return counts;
  }

  linked(note, role) {
    return (note.links[role] ?? []).map((id) => this.byId.get(id)).filter(Boolean);
  }
}
