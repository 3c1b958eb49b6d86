// What was found as tables; each row leads to its place in the text.
import { choice, siValue } from "./card.js";
import { button, make } from "./dom.js";
import { grid } from "./grid.js";
import { isWide, short } from "./notes.js";
import { labelOf, number, reason, say } from "./say.js";

const QUANTITIES = new Set(["measurement", "count", "date"]);

export function taskTable(task, notes, doc, go) {
  const found = notes.of(task);
  const pageOf = (note) => (doc.meta.pages ?? []).findLastIndex(([start]) => start <= note.start) + 1 || null;
  const sectionOf = (note) => (doc.meta.sections ?? []).findLast((one) => one.start <= note.start)?.title ?? "";
  const place = (name) => ({ name, value: (note) => note.quote, cell: (note) => button(short(note.quote, 90) || "¶", () => go(note.id), "plain", { title: say("go") }) });
  const page = doc.pages?.length ? [{ name: say("page"), numeric: true, value: pageOf }] : [];
  const section = doc.meta.sections?.length > 1 ? [{ name: say("contents"), value: sectionOf, cell: (note) => short(sectionOf(note), 40) }] : [];
  const state = { name: say("state"), value: (note) => (note.attrs.decision ? say(note.attrs.decision) : "") };
  const why = { name: say("why"), value: reason };
  const role = (name) => ({ name: say(name), value: (note) => notes.linked(note, name).map((part) => part.quote).join("; ") });
  const list = (name, of) => ({ name, value: (note) => of(note).map(choice).join("; "), cell: (note) => make("ol", {}, of(note).slice(0, 6).map((one) => make("li", {}, choice(one)))) });
  const kinds = {
    measurement: {
      columns: [place(say("quantity")), { name: say("kind"), value: labelOf }, role("property"), role("entity"), role("qualifier"),
        { name: say("value"), value: (note) => note.attrs.low ?? note.attrs.value ?? "", cell: (note) => note.attrs.value ?? "" },
        { name: say("unit"), value: (note) => note.attrs.unit ?? "" }, { name: say("si"), value: (note) => note.attrs.si_low ?? note.attrs.si_high ?? "", cell: (note) => siValue(note.attrs) }],
      rows: found.filter((note) => QUANTITIES.has(note.label) || !isWide(note)), groups: [say("kind"), say("unit"), say("property"), say("entity")],
    },
    variables: { columns: [place(say("sentence")), list(say("candidates"), (note) => note.attrs.candidates ?? note.attrs.variables ?? []), why], rows: found, groups: [] },
    clarification: { columns: [place(say("place")), { name: say("kind"), value: labelOf }, list(say("could"), (note) => note.attrs.readings ?? []), why], rows: found, groups: [say("kind")] },
    complexity: {
      columns: [place(say("words")), { name: say("kind"), value: labelOf }, { name: say("score"), numeric: true, value: (note) => note.score, cell: (note) => (note.score === null ? "" : number(note.score, 2)) },
        ...(found.some((note) => note.attrs.meaning) ? [{ name: say("meaning"), value: (note) => note.attrs.meaning ?? "" }] : []),
        { name: say("easier"), value: (note) => (note.attrs.easier ?? []).map((one) => one.word ?? one).join(", ") }, why],
      rows: [...found].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)), groups: [say("kind"), say("words")],
    },
  };
  const other = { columns: [place(say("passage")), { name: say("notes"), value: labelOf }, why], rows: found, groups: [say("notes")] };
  const { columns, rows, groups } = kinds[task] ?? other;
  if (!rows.length) return make("p", { class: "quiet" }, say("nothing"));
  const extra = [...section, ...page, ...(found.some((note) => note.attrs.decision) ? [state] : [])];
  return make("div", {}, make("p", { class: "quiet explain" }, task in kinds && found.some((note) => note.score !== null) ? `${say("score")}: ${say(`why_${task}`)}` : ""),
    grid({ columns: [...columns, ...extra], rows, label: say(task), groups: [...groups, ...(section.length ? [say("contents")] : [])] }));
}

// The terms of a document and what they mean; each leads to where it is explained or first used.
export function glossary(page) {
  const { text } = page;
  const jump = (entry) => button(entry.term, () => page.jumpTo(text.blocks[text.find(entry.start)].node), "plain", { title: say("go") });
  return grid({ label: say("glossary"), rows: page.doc.summary.complexity.glossary, groups: [say("source"), say("kind")], columns: [
    { name: say("term"), value: (entry) => entry.term, cell: jump }, { name: say("meaning"), value: (entry) => entry.meaning ?? "" },
    { name: say("kind"), value: (entry) => labelOf({ label: entry.kind ?? "" }) }, { name: say("source"), value: (entry) => (entry.source === "document" ? say("by_document") : entry.source ?? "") }] });
}
