// What was found as tables and plots; each row leads to its place in the text.
import { bars, line } from "./charts.js";
import { make, table } from "./dom.js";
import { choice, short, siValue } from "./notes.js";
import { labelOf, languageName, number, regionName, say } from "./say.js";

const QUANTITIES = new Set(["measurement", "count", "date"]);

export function taskTable(task, notes, doc, go) {
  const found = notes.of(task);
  const link = (note) => make("button", { type: "button", class: "plain", title: say("go"), onclick: () => go(note.id) }, short(note.quote, 90) || "¶");
  const page = (note) => {
    const index = (doc.meta.pages ?? []).findLastIndex(([start]) => start <= note.start);
    return index < 0 ? "" : String(index + 1);
  };
  const kinds = {
    measurement: {
      heads: [say("quantity"), say("property"), say("entity"), say("qualifier"), say("value"), say("unit"), say("si"), say("page")],
      rows: found.filter((note) => QUANTITIES.has(note.label)),
      cells: (note) => [link(note), ...["property", "entity", "qualifier"].map((role) =>
        notes.linked(note, role).map((part) => part.quote).join("; ")),
        note.attrs.value ?? "", note.attrs.unit ?? "", siValue(note.attrs), page(note)],
    },
    variables: {
      heads: [say("sentence"), say("candidates"), say("why"), say("page")],
      rows: found,
      cells: (note) => [link(note), make("ol", {}, (note.attrs.variables ?? []).slice(0, 5).map((one) =>
        make("li", {}, choice(one)))), note.attrs.why ?? "", page(note)],
    },
    clarification: {
      heads: [say("place"), say("could"), say("why"), say("page")],
      rows: found,
      cells: (note) => [link(note), make("ol", {}, (note.attrs.readings ?? []).slice(0, 6).map((one) =>
        make("li", {}, choice(one)))), note.attrs.why ?? "", page(note)],
    },
    complexity: {
      heads: [say("words"), say("value"), say("easier"), say("why"), say("page")],
      rows: [...found].filter((note) => notes.passes({ ...note })).sort((a, b) => b.score - a.score),
      cells: (note) => [link(note), number(note.score, 2), (note.attrs.easier ?? []).join(", "), note.attrs.why ?? "", page(note)],
    },
  };
  const other = {
    heads: [say("passage"), say("notes"), say("why"), say("page")],
    rows: found,
    cells: (note) => [link(note), labelOf(note), note.attrs.why ?? "", page(note)],
  };
  const { heads, rows, cells } = kinds[task] ?? other;
  if (!rows.length) return make("p", { class: "quiet" }, say("nothing"));
  return table(heads, rows.map((note) => make("tr", {}, cells(note).map((cell) => make("td", {}, cell)))));
}

export function overview(notes, doc) {
  const parts = [];
  const summary = doc.summary?.complexity;
  if (summary?.hard_share_by_level) {
    parts.push(make("p", {}, summary.said));
    if (summary.hardest_sentence) parts.push(make("p", {}, make("b", {}, `${say("hardest")}: `), summary.hardest_sentence));
  }
  const hard = notes.of("complexity").filter((note) => notes.passes(note));
  if (hard.length > 2) {
    const bins = new Array(Math.min(40, Math.max(4, Math.round(doc.text.length / 1500)))).fill(0);
    const size = doc.text.length / bins.length;
    for (const note of hard) bins[Math.min(bins.length - 1, Math.floor(note.start / size))] += 600 / size;
    parts.push(make("h3", {}, say("readability")), line(bins, `${say("hard")} / 100 ${say("words_of")}`));
  }
  const units = new Map();
  for (const note of notes.of("measurement")) {
    if (note.label === "measurement" && note.attrs.unit) units.set(note.attrs.unit, (units.get(note.attrs.unit) ?? 0) + 1);
  }
  if (units.size) {
    const most = [...units].sort((a, b) => b[1] - a[1]).slice(0, 15);
    parts.push(make("h3", {}, say("units")), bars(most, "", say("units")));
  }
  const passed = doc.meta?.passed_over;
  if (passed?.notes.length) parts.push(make("p", {}, say("unknown_language", languageName(passed.lang), passed.notes.map((one) => say(one)).join(", "))));
  const regions = Object.entries(passed?.regions ?? {}).filter(([, share]) => share >= 0.005);
  if (regions.length) {
    parts.push(make("p", {}, `${say("passed_over")}: ${regions.map(([kind, share]) => `${regionName(kind)} ${number(100 * share)} %`).join(", ")}`));
  }
  if (doc.meta?.problems?.length) {
    parts.push(make("h3", {}, say("problems")), make("ul", {}, doc.meta.problems.map((one) => make("li", {}, String(one)))));
  }
  return make("div", { class: "overview" }, parts.length ? parts : make("p", { class: "quiet" }, say("nothing")));
}
