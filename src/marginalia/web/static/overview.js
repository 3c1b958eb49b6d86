// A document in numbers and plots.
import { bars, line } from "./charts.js";
import { make } from "./dom.js";
import { languageName, number, regionName, say } from "./say.js";

export function overview(notes, doc) {
  const parts = [];
  const summary = doc.summary?.complexity;
  const facts = [`${number(doc.words)} ${say("words")}`, ...(doc.lang ? [languageName(doc.lang)] : [])];
  if (summary?.hard_share !== undefined) facts.push(`${say("share")} ${number(100 * summary.hard_share, 1)} % (${say("reader_level")}: ${say(doc.level)})`);
  if (summary?.mean !== undefined) facts.push(`${say("mean")} ${number(summary.mean, 2)}`);
  parts.push(make("p", {}, facts.join(" · ")), make("p", { class: "quiet" }, `${say("score")}: ${say("why_complexity")}`));
  if (summary?.hardest_sentence) parts.push(make("p", {}, make("b", {}, `${say("hardest")}: `), make("q", { lang: doc.lang ?? "" }, summary.hardest_sentence)));
  const hard = notes.of("complexity");
  if (hard.length > 2) {
    const bins = new Array(Math.min(40, Math.max(4, Math.round(doc.words / 250)))).fill(0);
    const size = doc.text.length / bins.length, words = doc.words / bins.length;
    for (const note of hard) bins[Math.min(bins.length - 1, Math.floor(note.start / size))] += 100 / words;
    parts.push(make("h3", {}, say("readability")), line(bins, say("per_100"), say("along")));
  }
  const units = new Map();
  for (const note of notes.of("measurement")) {
    if (note.label === "measurement" && note.attrs.unit) units.set(note.attrs.unit, (units.get(note.attrs.unit) ?? 0) + 1);
  }
  if (units.size) {
    const most = [...units].sort((a, b) => b[1] - a[1]).slice(0, 15);
    parts.push(make("h3", {}, say("units")), bars(most, "", say("units")));
  }
  const passed = doc.meta?.skipped;
  if (passed?.notes.length) parts.push(make("p", {}, say("unknown_language", languageName(passed.lang), passed.notes.map((one) => say(one)).join(", "))));
  const regions = Object.entries(passed?.regions ?? {}).filter(([, share]) => share >= 0.005);
  if (regions.length) {
    parts.push(make("p", {}, `${say("skipped")}: ${regions.map(([kind, share]) => `${regionName(kind)} ${number(100 * share)} %`).join(", ")}`));
  }
  if (doc.meta?.problems?.length) {
    parts.push(make("h3", {}, say("problems")), make("ul", {}, doc.meta.problems.map((one) => make("li", {}, String(one)))));
  }
  return make("div", { class: "overview" }, parts);
}
