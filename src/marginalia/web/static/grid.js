// A table that sorts, groups and filters its rows.
import { button, make, saveAs, select } from "./dom.js";
import { compare, number, say } from "./say.js";

// columns: { name, value(row) -> what to sort, group and filter by, cell(row) -> what to show }
// file: the name under which what the table shows can be saved
export function grid({ columns, rows, label, sort = null, groups = [], file = "" }) {
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
  const save = file ? button("CSV", () => saveAs(file, csv(columns.filter((one) => one.name), chosen()), "text/csv"), "plain save-table", { title: say("save_table") }) : null;
  const tools = rows.length < 6 ? save : make("div", { class: "grid-tools" },
    make("input", { type: "search", class: "filter-rows", placeholder: say("filter_rows"), "aria-label": say("filter_rows"), oninput: (event) => { state.words = event.target.value; fill(); } }),
    groups.length ? select(null, say("group"), [["", say("no_group")], ...groups.map((name) => [name, name])], "", (name) => { state.group = name; fill(); }) : null, count, save);
  return make("div", { class: "grid" }, tools, make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    make("table", {}, make("thead", {}, make("tr", {}, heads)), body)));
}

// What the table shows, in its order. A cell that a program would take for a formula is a text.
function csv(columns, rows) {
  const cell = (value) => `"${String(value ?? "").replace(/^(?=[=+@]|-\D)/, "'").replaceAll('"', '""')}"`;
  return [columns.map((one) => cell(one.name)), ...rows.map((row) => columns.map((one) => cell(one.value(row))))].map((line) => line.join(",")).join("\r\n") + "\r\n";
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
