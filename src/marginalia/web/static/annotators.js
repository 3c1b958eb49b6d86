// What annotators say of their notes, and who may read them: names, colours, order, tables. Nothing here knows any one of them.
import * as api from "./api.js";
import { inWords, number, say, sayOr } from "./say.js";

let known = new Map();
export let profiles = [];
export let model = null; // the language model that the server may ask, where the reader says so

export async function load() {
  const [annotators, readers, llm] = await Promise.all([api.annotators(), api.profiles(), api.llm()]);
  known = new Map(annotators.map((one) => [one.name, one]));
  profiles = readers;
  model = llm.model;
  const colours = annotators.filter((one) => one.look.colour).map(({ name, look: { colour } }) =>
    `.k-${CSS.escape(name)} { --c: light-dark(${colour}, color-mix(in srgb, ${colour} 45%, white)) !important }`);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(colours.join("\n"));
  document.adoptedStyleSheets = [sheet];
}

const lookOf = (name) => known.get(name)?.look ?? {};
const takes = (name, option) => Boolean(known.get(name)?.options.includes(option));

export const heading = (name) => inWords(lookOf(name).heading) || sayOr(name, name);
export const signOf = (name) => lookOf(name).sign || (name === "own" ? "✎" : "•"); // beside its colour, for those who see none
export const scoreMeaning = (name) => inWords(lookOf(name).score);
export const leavesOutKnown = (name) => takes(name, "known"); // words that its reader knows
export const inOrder = (names) => [...[...known.keys()].filter((one) => names.includes(one)), ...names.filter((one) => !known.has(one)).sort()];
export const profileName = (name) => sayOr(`for_${name}`, name);

// Who gets notes for which there is such an option; nobody else, if this reader does.
export function readerWith(option, current) {
  const notes = [...known.keys()].filter((name) => takes(name, option));
  if (profiles.find((one) => one.name === current)?.notes.some((name) => notes.includes(name))) return current;
  return profiles.find((one) => one.notes.some((name) => notes.includes(name)))?.name ?? current;
}

// Labels of notes are names, the same in all exports; the page says them in its own language.
export const labelOf = ({ task, label }) => inWords(lookOf(task).labels, {})[label] ?? sayOr(`l_${label}`, label);

// Reasons come in the language of the document. Those that are made of fixed words are said in that of the page.
export function reason(note) {
  let said = String(note.attrs.why ?? "");
  for (const [pattern, words] of Object.entries(inWords(lookOf(note.task).reasons, {}))) said = said.replace(new RegExp(pattern, "g"), words);
  return said;
}

// The name of a figure of a comparison: a kind of note, or what sums a document up.
export function figureName(name) {
  const [first, ...rest] = name.split(": ");
  if (rest.length) return `${heading(first)}: ${labelOf({ task: first, label: rest.join(": ") })}`;
  return sayOr(`figure_${name.replaceAll(" ", "_")}`, name);
}

export function columnsOf(name) {
  const own = (lookOf(name).columns ?? []).map((one) => ({ ...one, name: inWords(one.heading) }));
  return own.length ? own : [{ name: say("passage"), value: ["quote"] }, { name: say("kind"), value: ["label"], group: true }, { name: say("why"), value: ["attrs.why"] }];
}

function valueAt(note, path, notes) {
  const [where, ...rest] = path.split(".");
  const name = rest.join(".");
  if (path === "label") return labelOf(note);
  if (path === "attrs.why") return reason(note);
  if (where === "links") return notes.linked(note, name).map((part) => part.quote).join("; ");
  return where === "attrs" ? note.attrs[name] : note[where];
}

// Of several values, numbers that differ are a range and texts follow: 5 – 10 kg.
export function valueOf(note, column, notes) {
  const found = column.value.map((path) => valueAt(note, path, notes)).filter((one) => one !== null && one !== undefined && one !== "");
  if (found.length < 2) return found[0] ?? "";
  const numbers = new Set(found.filter((one) => typeof one === "number").map((one) => number(one, 6)));
  return [[...numbers].join(" – "), ...found.filter((one) => typeof one !== "number")].join(" ").trim();
}
