// All that is known of a note, and what can be decided about it: the same in the margin and on a page.
import { button, make } from "./dom.js";
import { short } from "./notes.js";
import { labelOf, number, reason, say } from "./say.js";

const MARKS = { accepted: "✓ ", edited: "✓ ", added: "✎ ", rejected: "✗ " };
const ROLES = ["property", "entity", "qualifier"];

export function details(note, notes, go) {
  const rows = [];
  const row = (name, ...value) => rows.push(make("div", {}, make("dt", {}, name), make("dd", {}, ...value)));
  for (const role of ROLES) {
    const parts = notes.linked(note, role);
    if (parts.length) row(say(role), parts.map((part) => part.quote).join("; "));
  }
  if (note.attrs.meaning) row(say("meaning"), String(note.attrs.meaning));
  if (note.attrs.si) row(say("si"), siValue(note.attrs));
  if (note.attrs.easier?.length) row(say("easier"), note.attrs.easier.map((one) => one.word ?? one).join(", "));
  const listed = note.attrs.candidates ? [] : note.attrs.variables ?? note.attrs.readings ?? []; // candidates have a list of their own
  if (listed.length) {
    row(say(note.attrs.variables ? "candidates" : "could"),
      make("ol", {}, listed.slice(0, 10).map((one) => make("li", {}, choice(one)))));
  }
  for (const [role, ids] of Object.entries(note.links)) {
    if (ROLES.includes(role)) continue;
    const inside = ids.map((id) => notes.byId.get(id)).filter(Boolean);
    if (inside.length) row(say("also"), ...inside.map((other) => button(short(other.quote, 60), () => go(other.id))));
  }
  if (note.score !== null) {
    row(say("score"), `${number(note.score, 2)} `, make("small", { class: "quiet" }, say(`why_${note.task}`)));
  }
  if (note.attrs.decision) row(say("state"), say("decided_by", say(note.attrs.decision), note.attrs.decided_by || "–"));
  return make("dl", { class: "details" }, rows);
}

// What can be done with a note; each has a key as well.
export function actions(note, page) {
  if (!page.mayWrite) return null;
  const decided = note.attrs.decision;
  const act = (name, key, run, on = false) => button([say(name), " ", make("kbd", { "aria-hidden": "true" }, key)], (event) => { event.stopPropagation(); run(); }, `act act-${name}`,
    { "aria-pressed": String(on), "aria-keyshortcuts": key });
  return make("div", { class: "acts", role: "group", "aria-label": say("decisions") },
    act("accept", "a", () => page.deciding.decide(note.id, "accepted"), decided === "accepted"),
    act("reject", "r", () => page.deciding.decide(note.id, "rejected"), decided === "rejected"),
    act("edit", "e", () => page.deciding.edit(note.id), decided === "edited"),
    note.task === "complexity" && decided !== "rejected" ? act("know", "w", () => page.deciding.decide(note.id, "rejected", true)) : null,
    decided ? button(say("clear"), () => page.deciding.decide(note.id, "cleared"), "act act-clear") : null);
}

export function said(note) {
  const mark = MARKS[note.attrs.decision] ?? "";
  return { mark, label: labelOf(note), why: reason(note) };
}

export function choice(one) {
  if (typeof one === "string") return one;
  const name = one.filler ?? one.label ?? one.text ?? one.quote ?? one.id;
  const value = one.score ?? one.rating;
  const id = one.id && one.id !== name ? ` (${one.id})` : "";
  return `${MARKS[one.decision] ?? ""}${short(String(name), 90)}${id}${value === undefined || value === null ? "" : ` · ${number(value, 2)}`}`;
}

export function siValue(attrs) {
  if (!attrs.si) return "";
  const { si_low: low, si_high: high } = attrs;
  const range = low === null || high === null || low === high
    ? number(low ?? high ?? 0, 6) : `${number(low, 6)} – ${number(high, 6)}`;
  return `${range} ${attrs.si_symbol || attrs.si}`;
}
