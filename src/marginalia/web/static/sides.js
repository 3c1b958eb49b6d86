// The paragraphs of two documents, one beside the other; what did not change is folded together.
import { button, make } from "./dom.js";
import { number, say } from "./say.js";

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
