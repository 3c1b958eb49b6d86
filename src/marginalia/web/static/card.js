// All that is known of a note, and what can be decided about it: the same in the margin and on a page.
import { columnsOf, labelOf, leavesOutKnown, reason, scoreMeaning, signOf, valueOf } from "./annotators.js";
import { button, make } from "./dom.js";
import { isWide, repeats, short } from "./notes.js";
import { number, say, sayOr } from "./say.js";

const MARKS = { accepted: "✓ ", edited: "✓ ", rejected: "✗ " };
const SAID = ["quote", "label", "score", "attrs.why", "attrs.candidates"]; // elsewhere on the card

function details(note, notes, go) {
  const rows = [];
  const row = (name, ...value) => rows.push(make("div", {}, make("dt", {}, name), make("dd", {}, ...value)));
  const columns = columnsOf(note.task);
  for (const column of columns.filter((one) => !SAID.includes(one.value[0]))) {
    const value = valueOf(note, column, notes);
    if (value !== "" && value.length !== 0 && !repeats(value, reason(note))) row(column.name, shownValue(value));
  }
  for (const [role, ids] of Object.entries(note.links)) {
    if (columns.some((one) => one.value.includes(`links.${role}`))) continue;
    const inside = ids.map((id) => notes.byId.get(id)).filter(Boolean);
    if (inside.length) row(say("also"), ...inside.map((other) => button(short(other.quote, 60), () => go(other.id))));
  }
  if (note.attrs.model) row(say("language_model"), `${note.attrs.model} (${sayOr(`v_${note.attrs.verdict}`, "")})`);
  if (note.attrs.decision) row(say("state"), say("decided_by", say(note.attrs.decision), note.attrs.decided_by || "–"));
  const about = [isWide(note) ? "" : labelOf(note), note.score === null ? "" : `${say("score")} ${number(note.score, 2)}: ${scoreMeaning(note.task)}`].filter(Boolean).join(" · ");
  return make("div", { class: "details" }, make("dl", {}, rows), about ? make("p", { class: "quiet about" }, about) : null);
}

// What can be done with a note; each has a key as well.
function actions(note, page) {
  if (!page.mayWrite) return null;
  const decided = note.attrs.decision;
  const act = (name, key, run, on = false) => button([say(name), " ", make("kbd", { "aria-hidden": "true" }, key)], (event) => { event.stopPropagation(); run(); }, `act act-${name}`,
    { "aria-pressed": String(on), "aria-keyshortcuts": key });
  return make("div", { class: "acts", role: "group", "aria-label": say("decisions") },
    leavesOutKnown(note.task) && decided !== "rejected" ? act("know", "w", () => page.deciding.decide(note.id, "rejected", true)) : null,
    act("accept", "a", () => page.deciding.decide(note.id, "accepted"), decided === "accepted"),
    act("reject", "r", () => page.deciding.decide(note.id, "rejected"), decided === "rejected"),
    act("edit", "e", () => page.deciding.edit(note.id), decided === "edited"),
    decided ? button(say("clear"), () => page.deciding.decide(note.id, "cleared"), "act act-clear") : null);
}

const wordsOf = (text) => text.toLowerCase().match(/\p{L}+/gu) ?? [];

// A note in one line: its sign, its words in the text, what it says. The kind is a sign and a colour, and a word for those who hear it.
function headline(note, { onclick, open }) {
  const { mark, label, why } = said(note);
  const [first, ...more] = short(why, 600).split(" · "); // where there is little room, the first part is what is said
  const rest = more.filter((part) => !wordsOf(part.split(": ").pop()).every((word) => wordsOf(first).includes(word))); // "complete, without limit · easier: complete"
  const words = isWide(note) ? label : short(note.quote, 48) || "¶";
  return [make("button", { type: "button", class: "quote", "aria-expanded": String(open), title: label, onclick },
    make("span", { class: "sign", "aria-hidden": "true" }, signOf(note.task)), make("span", { class: "hidden" }, isWide(note) ? "" : `${label}: `), mark, make("b", {}, words)),
  " ", make("span", { class: "said" }, first, rest.length ? make("span", { class: "extra" }, ` · ${rest.join(" · ")}`) : null)];
}

// A note in the margin, of a text or a page: a line, and all that is known of it once it is open.
export function noteItem(note, page, open, onclick) {
  const item = make("li", { id: `note-${note.id}`, class: `note k-${note.task}${open ? " open" : ""}${note.attrs.decision ? ` d-${note.attrs.decision}` : ""}` }, headline(note, { open, onclick }));
  if (open) item.append(details(note, page.notes, (id) => page.go(id)), candidateList(note, page), actions(note, page) ?? "");
  return item;
}

export function said(note) {
  const mark = MARKS[note.attrs.decision] ?? (note.attrs.model ? "✦ " : "");
  return { mark, label: labelOf(note), why: reason(note) };
}

export function choice(one) {
  if (typeof one === "string") return one;
  const name = one.filler ?? one.label ?? one.text ?? one.quote ?? one.id;
  const value = one.score ?? one.rating;
  const id = one.id && one.id !== name ? ` (${one.id})` : "";
  return `${MARKS[one.decision] ?? ""}${short(String(name), 90)}${id}${value === undefined || value === null ? "" : ` · ${number(value, 2)}`}`;
}

export function shownValue(value) {
  if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? value.join(", ") : make("ol", {}, value.slice(0, 10).map((one) => make("li", {}, choice(one))));
  return typeof value === "number" ? number(value, 3) : String(value);
}

// The variables that a sentence may use: each with how often such a claim was right, why it is offered, and a key to accept it.

function candidateList(note, page) {
  const { candidates } = note.attrs;
  if (!candidates?.length) return "";
  return make("div", { class: "candidates" }, make("h4", {}, say("may_use")), make("ol", {}, candidates.map((one, index) =>
    make("li", { class: one.decision ? `d-${one.decision}` : "", "data-variable": one.id },
      make("b", {}, one.label || one.id), " ", make("small", { class: "quiet" }, [one.id, one.survey].filter(Boolean).join(" · ")), " ",
      one.decided ? make("small", {}, say("decided_before")) : one.score === null ? "" : make("small", { title: say("why_candidate") }, say("right_share", number(100 * one.score))),
      one.question && one.question !== one.label ? make("p", { class: "quiet" }, one.question) : null,
      make("p", { class: "quiet evidence" }, evidence(note, one)),
      page.mayWrite ? verdicts(note, one, index, page) : null))));
}

function evidence(note, one) {
  const signs = [...note.quote]; // offsets count characters, not UTF-16 units
  const words = [...new Set((one.words ?? []).map(([start, end]) => signs.slice(start, end).join("").toLowerCase()))];
  return [say(one.kind), words.length ? `${say("common_words")}: ${words.join(", ")}` : "", one.named_in ? `${say("named_in")}: “${one.named_in}”` : ""].filter(Boolean).join(" · ");
}

function verdicts(note, one, index, page) {
  const act = (name, verdict, key) => button(key ? [say(name), " ", make("kbd", { "aria-hidden": "true" }, key)] : say(name),
    (event) => { event.stopPropagation(); page.deciding.choose(note.id, one.id, verdict); }, `act act-${name}-candidate`,
    { "aria-pressed": String(one.decision === verdict), "aria-label": `${say(name)}: ${one.label || one.id}`, ...(key && { "aria-keyshortcuts": key }) });
  const key = index < 9 ? String(index + 1) : "";
  return make("div", { class: "acts" }, act("accept", "accepted", key), act("reject", "rejected", key && `⇧${key}`));
}
