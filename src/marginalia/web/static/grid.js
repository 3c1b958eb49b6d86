// A table that sorts, groups and filters its rows.
import { button, make, select } from "./dom.js";
import { compare, number, say } from "./say.js";

// columns: { name, value(row) -> what to sort, group and filter by, cell(row) -> what to show }
export function grid({ columns, rows, label, sort = null, groups = [] }) {
  const state = { sort, down: false, group: "", words: "" };
  const body = make("tbody");
  const count = make("span", { class: "quiet", role: "status" });
  const cellOf = (column, row) => (column.cell ? column.cell(row) : column.value(row)) ?? "";
  const heads = columns.map((column) => make("th", { scope: "col", "aria-sort": "none", class: column.numeric ? "number" : null },
    button(column.name, () => { state.down = state.sort === column ? !state.down : false; state.sort = column; fill(); }, "sorter", { title: `${column.name}: ${say("sort")}` })));

  function chosen() {
    const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = rows.filter((row) => {
      const all = columns.map((column) => String(column.value(row) ?? "")).join(" ").toLowerCase();
      return words.every((word) => all.includes(word));
    });
    if (state.sort) kept.sort((a, b) => (state.down ? -1 : 1) * compare(state.sort.value(a), state.sort.value(b)));
    return kept;
  }

  function fill() {
    heads.forEach((head, index) => head.setAttribute("aria-sort", columns[index] !== state.sort ? "none" : state.down ? "descending" : "ascending"));
    const kept = chosen();
    const row = (one) => make("tr", {}, columns.map((column) => make("td", { class: column.numeric ? "number" : null }, cellOf(column, one))));
    const by = state.group ? columns.find((column) => column.name === state.group) : null;
    if (!by) body.replaceChildren(...kept.map(row));
    else {
      const found = Map.groupBy ? Map.groupBy(kept, (one) => String(by.value(one) ?? "–") || "–") : grouped(kept, by);
      body.replaceChildren(...[...found].sort((a, b) => b[1].length - a[1].length).flatMap(([name, own]) => [
        make("tr", { class: "group" }, make("th", { scope: "rowgroup", colspan: String(columns.length) }, `${name} · ${number(own.length)}`)), ...own.map(row)]));
    }
    count.textContent = kept.length === 1 ? say("row") : say("rows", number(kept.length));
  }

  fill();
  const tools = rows.length < 6 ? null : make("div", { class: "grid-tools" },
    make("input", { type: "search", class: "filter-rows", placeholder: say("filter_rows"), "aria-label": say("filter_rows"), oninput: (event) => { state.words = event.target.value; fill(); } }),
    groups.length ? select(null, say("group"), [["", say("no_group")], ...groups.map((name) => [name, name])], "", (name) => { state.group = name; fill(); }) : null, count);
  return make("div", { class: "grid" }, tools, make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    make("table", {}, make("thead", {}, make("tr", {}, heads)), body)));
}

function grouped(rows, by) {
  const found = new Map();
  for (const row of rows) {
    const name = String(by.value(row) ?? "–") || "–";
    if (!found.has(name)) found.set(name, []);
    found.get(name).push(row);
  }
  return found;
}
