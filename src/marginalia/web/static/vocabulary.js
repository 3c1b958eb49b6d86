// The words and terms of a document with their meanings: looked through, known or not, taken along as cards to learn.
import { labelOf, leavesOutKnown } from "./annotators.js";
import * as api from "./api.js";
import { button, make, toast } from "./dom.js";
import { grid } from "./grid.js";
import { isPart, plainWord, short } from "./notes.js";
import { number, say } from "./say.js";

// What the document itself explains, then what notes explain; each term once.
export function vocabularyOf(page) {
  const { doc, notes } = page, found = new Map();
  const take = (entry) => { const key = plainWord(entry.term); if (!found.has(key)) found.set(key, { ...entry, key }); else if (!found.get(key).note) Object.assign(found.get(key), { note: entry.note }, entry.note?.attrs.decision === "edited" && { meaning: entry.meaning }); };
  for (const [task, said] of Object.entries(doc.summary ?? {})) for (const entry of said?.glossary ?? []) take({ ...entry, task, meaning: entry.meaning ?? "", source: entry.source === "document" ? say("by_document") : entry.source ?? "" });
  for (const note of [...notes.byId.values()].sort((a, b) => a.start - b.start)) {
    if (isPart(note) || typeof note.attrs.meaning !== "string" || note.attrs.decision === "rejected" && !leavesOutKnown(note.task)) continue;
    take({ term: note.quote, meaning: note.attrs.meaning, kind: note.label, task: note.task, start: note.start, note, source: note.system === "document" ? say("by_document") : say("by_dictionary") });
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

// Whether all notes of a kind are words with meanings: then this is their table.
export const explainsAll = (task, notes) => [...notes.byId.values()].every((note) => note.task !== task || isPart(note) || typeof note.attrs.meaning === "string");

const isKnown = (entry, notes) => notes.known.has(entry.key);

const AROUND = 70;

// The sentence, roughly, in which a term stands; of a long one what is near the term.
function around(entry, text) {
  const block = text.blocks[text.find(entry.start)];
  const words = text.slicer.cut(block.start, block.end), at = text.slicer.cut(block.start, entry.start).length, end = at + entry.term.length;
  const stop = words.indexOf(". ", at), from = Math.max(0, words.lastIndexOf(". ", at) + 1), to = stop < 0 ? words.length : stop + 1;
  const low = at - from > AROUND ? words.indexOf(" ", at - AROUND) : from, high = to - end > AROUND ? words.lastIndexOf(" ", end + AROUND) : to;
  return short(`${low > from ? "…" : ""}${words.slice(low, high)}${high < to ? " …" : ""}`, 300);
}

export function vocabulary(page) {
  const { notes, text } = page;
  const rows = vocabularyOf(page);
  const jump = (entry) => button(entry.term, () => (entry.note ? page.go(entry.note.id) : page.jumpTo(text.blocks[text.find(entry.start)].node)), "plain", { title: say("go") });
  const know = (entry) => async () => {
    try {
      notes.known = new Set(isKnown(entry, notes) ? await api.dropWord(entry.key) : await api.addWord(entry.key));
    } catch (problem) { toast(problem.message); return; }
    page.update();
    document.querySelector(`[data-word="${CSS.escape(entry.key)}"]`)?.focus();
  };
  const act = (entry) => (!page.mayWrite ? "" : button(say(isKnown(entry, notes) ? "show_again" : "know_this"), know(entry), "act", { "data-word": entry.key, "aria-label": `${say(isKnown(entry, notes) ? "show_again" : "know_this")}: ${entry.term}` }));
  const known = rows.filter((entry) => isKnown(entry, notes)).length;
  // What is the same in all rows needs no column.
  const varied = (column) => new Set(rows.map(column.value)).size > 1;
  const kind = { name: say("kind"), value: (entry) => labelOf({ task: entry.task, label: entry.kind ?? "" }) }, source = { name: say("source"), value: (entry) => entry.source };
  const state = { name: say("state"), value: (entry) => (isKnown(entry, notes) ? say("known") : entry.note?.attrs.decision ? say(entry.note.attrs.decision) : "") };
  const more = [kind, source, state].filter(varied);
  return make("div", { class: "vocabulary" }, make("p", { class: "ways" }, make("span", { class: "quiet" }, say(known ? "vocabulary_is" : "vocabulary_all", number(rows.length), number(known))),
    make("a", { class: "button", id: "anki", href: api.saved(page.id, "anki", "open"), download: "", title: say("anki_why") }, say("anki"))),
  grid({ label: say("vocabulary"), rows, groups: more.map((one) => one.name), file: `${short(page.doc.title, 60)}.csv`, columns: [
    { name: say("term"), value: (entry) => entry.term, cell: jump }, { name: say("meaning"), value: (entry) => entry.meaning },
    { name: say("in_text"), value: (entry) => around(entry, text), cell: (entry) => make("span", { class: "quiet sentence" }, around(entry, text)) }, ...more,
    { name: "", value: () => "", cell: act }] }));
}
