// What was found as tables; each row leads to its place in the text.
import { columnsOf, heading, labelOf, scoreMeaning, valueOf } from "./annotators.js";
import { choice, shownValue } from "./card.js";
import { button, make } from "./dom.js";
import { grid } from "./grid.js";
import { short } from "./notes.js";
import { say } from "./say.js";

export function taskTable(task, notes, doc, go) {
  const rows = notes.of(task);
  if (!rows.length) return make("p", { class: "quiet" }, say("nothing"));
  const own = columnsOf(task).map((column) => {
    const value = (note) => valueOf(note, column, notes);
    const isPlace = column.value[0] === "quote";
    return {
      name: column.name, group: column.group, isScore: column.value[0] === "score", value: (note) => [value(note)].flat().map((one) => (typeof one === "object" ? choice(one) : one)).join("; "),
      numeric: rows.every((note) => ["number", "undefined"].includes(typeof value(note))),
      cell: (note) => (isPlace ? button(short(note.quote, 90) || "¶", () => go(note.id), "plain", { title: say("go") }) : shownValue(value(note))),
    };
  }).filter((column) => rows.some((note) => column.value(note) !== ""));
  const pageOf = (note) => (doc.meta.pages ?? []).findLastIndex(([start]) => start <= note.start) + 1 || null;
  const sectionOf = (note) => (doc.meta.sections ?? []).findLast((one) => one.start <= note.start)?.title ?? "";
  const columns = [...own,
    ...(doc.meta.sections?.length > 1 ? [{ name: say("contents"), group: true, value: sectionOf, cell: (note) => short(sectionOf(note), 40) }] : []),
    ...(doc.pages?.length ? [{ name: say("page"), numeric: true, value: pageOf }] : []),
    ...(rows.some((note) => note.attrs.decision) ? [{ name: say("state"), value: (note) => (note.attrs.decision ? say(note.attrs.decision) : "") }] : [])];
  const meaning = own.some((column) => column.isScore) ? scoreMeaning(task) : "";
  return make("div", {}, meaning ? make("p", { class: "quiet explain" }, `${say("score")}: ${meaning}`) : null,
    grid({ columns, rows, label: heading(task), file: `${short(doc.title, 50)} ${heading(task)}.csv`, groups: columns.filter((one) => one.group).map((one) => one.name) }));
}
