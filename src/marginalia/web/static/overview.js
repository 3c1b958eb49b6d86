// A document in numbers and plots.
import { columnsOf, heading, inOrder, valueOf } from "./annotators.js";
import { draw, make } from "./dom.js";
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
  const passed = doc.meta?.skipped;
  if (passed?.notes.length) parts.push(make("p", {}, say("unknown_language", languageName(passed.lang), passed.notes.map(heading).join(", "))));
  const regions = Object.entries(passed?.regions ?? {}).filter(([, share]) => share >= 0.005);
  if (regions.length) {
    parts.push(make("p", {}, `${say("skipped")}: ${regions.map(([kind, share]) => `${regionName(kind)} ${number(100 * share)} %`).join(", ")}`));
  }
  if (doc.meta?.problems?.length) {
    parts.push(make("h3", {}, say("problems")), make("ul", {}, doc.meta.problems.map((one) => make("li", {}, String(one)))));
  }
  return make("div", { class: "overview" }, parts);
}

// Small plots with axes, drawn as SVG; their numbers are a table for those who do not see them.

export function bars(pairs, unit, label) {
  const most = Math.max(...pairs.map(([, value]) => value), 1e-9);
  return make("dl", { class: "bars", "aria-label": label }, pairs.map(([name, value]) => {
    const bar = make("span", { class: "bar", "aria-hidden": "true" });
    bar.style.inlineSize = `${value && Math.max(1, (80 * value) / most)}%`;
    return make("div", {}, make("dt", { title: name }, name),
      make("dd", {}, bar, make("span", {}, `${number(value, 1)}${unit}`)));
  }));
}

// Steps of a scale that reaches this far: 1, 2 or 5 times a power of ten.
function steps(most) {
  const power = 10 ** Math.floor(Math.log10(most / 3 || 1));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => most / one <= 4.5) ?? 10 * power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

export function line(values, label, across) {
  const [left, bottom, width, height] = [34, 34, 640, 170];
  const most = Math.max(...values, 0.1) * 1.08;
  const x = (place) => left + ((place + 0.5) / values.length) * (width - left - 8);
  const y = (value) => 10 + (1 - value / most) * (height - bottom - 10);
  const points = values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`);
  const rules = steps(most).flatMap((value) => [
    draw("line", { class: "rule", x1: left, x2: width - 8, y1: y(value), y2: y(value) }),
    draw("text", { class: "tick", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, number(value, 2)),
  ]);
  const ends = [0, 25, 50, 75, 100].map((share) => draw("text", { class: "tick", x: left + (share / 100) * (width - left - 8), y: height - bottom + 16, "text-anchor": share === 0 ? "start" : share === 100 ? "end" : "middle" }, `${share} %`));
  const peak = values.indexOf(Math.max(...values));
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const said = `${label}: ${number(mean, 1)} (${number(Math.min(...values), 1)} – ${number(values[peak], 1)})`;
  return make("figure", { class: "plot" }, make("figcaption", {}, label),
    draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said },
      rules, ends,
      draw("text", { class: "tick", x: (left + width) / 2, y: height - 3, "text-anchor": "middle" }, across),
      draw("polygon", { class: "area", points: `${x(0)},${height - bottom} ${points.join(" ")} ${x(values.length - 1)},${height - bottom}` }),
      draw("polyline", { class: "curve", points: points.join(" "), fill: "none" })),
    make("details", {}, make("summary", {}, say("table_of")),
      make("table", { class: "numbers" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, across), make("th", { scope: "col" }, label))),
        make("tbody", {}, values.map((value, place) => make("tr", {},
          make("th", { scope: "row" }, `${number((100 * place) / values.length)} – ${number((100 * (place + 1)) / values.length)} %`), make("td", { class: "number" }, number(value, 1))))))));
}
