// A document in numbers and plots.
import { bars, line } from "./charts.js";
import { columnsOf, heading, inOrder, valueOf } from "./annotators.js";
import { make } from "./dom.js";
import { languageName, number, regionName, say } from "./say.js";

export function overview(notes, doc, kinds) {
  const parts = [];
  const facts = [`${number(doc.words)} ${say("words")}`, ...(doc.lang ? [languageName(doc.lang)] : [])];
  parts.push(make("p", {}, facts.join(" · ")));
  const said = inOrder(Object.keys(doc.summary ?? {})).filter((task) => doc.summary[task].said);
  if (said.length) parts.push(make("dl", { class: "sums" }, said.map((task) => [make("dt", { class: `k-${task}` }, heading(task)), make("dd", { lang: doc.lang ?? "" }, doc.summary[task].said)])));
  const found = kinds.flatMap((task) => notes.of(task));
  if (found.length > 2) {
    const bins = new Array(Math.min(40, Math.max(4, Math.round(doc.words / 250)))).fill(0);
    const size = doc.text.length / bins.length, words = doc.words / bins.length;
    for (const note of found) bins[Math.min(bins.length - 1, Math.floor(note.start / size))] += 100 / words;
    parts.push(make("h3", {}, say("density")), line(bins, say("per_100"), say("along")));
  }
  for (const task of kinds) {
    for (const column of columnsOf(task).filter((one) => one.chart)) {
      const counts = new Map();
      for (const value of notes.of(task).map((note) => valueOf(note, column, notes)).filter(Boolean)) counts.set(value, (counts.get(value) ?? 0) + 1);
      const words = `${heading(task)}: ${column.name}`;
      if (counts.size) parts.push(make("h3", {}, words), bars([...counts].sort((a, b) => b[1] - a[1]).slice(0, 15), "", words));
    }
  }
  const passed = doc.meta?.passed_over;
  if (passed?.notes.length) parts.push(make("p", {}, say("unknown_language", languageName(passed.lang), passed.notes.map(heading).join(", "))));
  const regions = Object.entries(passed?.regions ?? {}).filter(([, share]) => share >= 0.005);
  if (regions.length) {
    parts.push(make("p", {}, `${say("passed_over")}: ${regions.map(([kind, share]) => `${regionName(kind)} ${number(100 * share)} %`).join(", ")}`));
  }
  if (doc.meta?.problems?.length) {
    parts.push(make("h3", {}, say("problems")), make("ul", {}, doc.meta.problems.map((one) => make("li", {}, String(one)))));
  }
  return make("div", { class: "overview" }, parts);
}
