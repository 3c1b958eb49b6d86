// What was decided: by whom and when, what has lost its place, and how right the notes were.
import * as api from "./api.js";
import { button, make, toast } from "./dom.js";
import { grid } from "./grid.js";
import { short } from "./notes.js";
import { date, number, say } from "./say.js";

const ACTIONS = { undo: "undo", redo: "redone" };

export function decisionsView(page) {
  const node = make("div", { class: "decisions" }, make("p", { class: "quiet" }, say("loading")));
  fill(node, page).catch((problem) => node.replaceChildren(make("p", { class: "error" }, problem.message)));
  return node;
}

async function fill(node, page) {
  const [found, rows, me] = await Promise.all([api.decisions(page.id), api.precision(), api.me()]);
  const parts = [files(page)];
  if (!found.log.length) parts.push(make("p", { class: "quiet" }, say("no_decisions")));
  if (found.lost.length) {
    parts.push(make("h3", {}, say("lost_decisions")), make("p", { class: "quiet" }, say("lost_why")),
      make("ul", { class: "lost" }, found.lost.map((one) => make("li", {}, `${say(one.verdict)}: “${short(one.note.quote, 120)}”`, make("small", { class: "quiet" }, ` …${one.before.slice(-30)}[…]${one.after.slice(0, 30)}…`)))));
  }
  if (rows.length) parts.push(make("h3", {}, say("precision")), make("p", { class: "quiet" }, say("precision_why")), precision(rows, page));
  if (me.known_words.length) {
    parts.push(make("h3", {}, say("known_words")), make("ul", { class: "tags" }, me.known_words.map((word) => make("li", {}, word, " ",
      button("×", async () => { page.notes.known = new Set(await api.dropWord(word)); page.update(); }, "plain", { "aria-label": `${say("remove")}: ${word}` })))));
  }
  if (found.log.length) {
    parts.push(make("h3", {}, say("log")), grid({ label: say("log"), rows: found.log.reverse(), groups: [say("who"), say("what")], columns: [
      { name: say("when"), value: (one) => one.when, cell: (one) => date(one.when) }, { name: say("who"), value: (one) => one.who },
      { name: say("what"), value: (one) => say(ACTIONS[one.action] ?? one.action) }, { name: say("passage"), value: (one) => one.quote, cell: (one) => short(one.quote, 90) }] }));
  }
  node.replaceChildren(...parts);
}

function files(page) {
  const bringer = (id, accept, send) => make("input", { type: "file", id, class: "hidden-input", accept, onchange: async (event) => {
    try {
      const difference = await send(page.id, await event.target.files[0].text());
      page.deciding.took(difference);
      page.turn("decisions");
      if ("taken" in difference) toast(say("notes_came", number(difference.taken), number(difference.lost)), say("undo"), () => page.deciding.undo());
    } catch (problem) { toast(problem.message); }
  } });
  return make("p", { class: "ways" }, make("a", { href: api.decisionsFile(page.id), download: "" }, say("save_decisions")), " ",
    page.mayWrite ? [make("label", { class: "plain", for: "bring-decisions" }, say("take_decisions")), bringer("bring-decisions", ".jsonl", api.bringDecisions),
      make("label", { class: "plain", for: "bring-notes" }, say("take_notes")), bringer("bring-notes", ".json,.jsonld", api.bringNotes)] : "");
}

function precision(rows, page) {
  const set = async (kind, value) => {
    const thresholds = { ...page.notes.thresholds };
    if (value === undefined) delete thresholds[kind]; else thresholds[kind] = value;
    page.notes.thresholds = (await api.setSettings({ thresholds })).thresholds ?? {};
    page.update();
  };
  const act = (row) => (page.notes.thresholds[row.kind] !== undefined ? button(say("no_threshold"), () => set(row.kind))
    : row.threshold === null ? "" : button(say("use_threshold"), () => set(row.kind, row.threshold)));
  return grid({ label: say("precision"), rows, columns: [
    { name: say("kind"), value: (row) => row.kind }, { name: say("accepted"), numeric: true, value: (row) => row.accepted },
    { name: say("edited"), numeric: true, value: (row) => row.edited }, { name: say("rejected"), numeric: true, value: (row) => row.rejected },
    { name: say("kept"), numeric: true, value: (row) => row.precision, cell: (row) => `${number(100 * row.precision)} %` },
    { name: say("interval"), value: (row) => row.low, cell: (row) => `${number(100 * row.low)} – ${number(100 * row.high)} %` },
    { name: say("from_score"), numeric: true, value: (row) => row.threshold, cell: (row) => (row.threshold === null ? "–" : number(row.threshold, 2)) },
    { name: "", value: () => "", cell: act }] });
}
