// What the page says, in English and German, with numbers, dates and reasons of that language.
import de from "./words_de.js";
import en from "./words_en.js";

const WORDS = { en, de };

// Labels of notes are names, the same in all exports; the page says them in its own language.
const LABELS = {
  de: {
    "hard word": "schweres Wort", "hard expression": "schwerer Ausdruck", measurement: "Messwert", count: "Anzahl",
    date: "Datum", "measured entity": "wovon", "measured property": "Eigenschaft", qualifier: "Bedingung",
    "survey variable": "Variable einer Umfrage", repetition: "Wiederholung", contradiction: "Widerspruch",
    "implicit reference": "Ungesagtes", "fused head": "fehlendes Nomen", "noun compound": "unvollständiges Nomen",
    metonymy: "übertragenes Nomen", note: "Anmerkung", "hard word again": "schweres Wort, wieder", term: "Begriff", abbreviation: "Abkürzung",
  },
};

const REGIONS = {
  de: {
    authors: "Autoren", code: "Code", contents: "Inhaltsverzeichnis", foreign: "andere Sprachen", formula: "Formeln",
    references: "Literatur", figure: "Text in Abbildungen",
  },
};

// Figures with which a document is summed up, beside the counts of its notes.
const FIGURES = { de: { words: "Wörter", "hard words": "schwere Wörter", "hard share": "Anteil schwerer Wörter", sentences: "Sätze" } };

// Reasons come in the language of the document. Those that are made of fixed words are said in that of the page.
const REASONS = {
  de: [
    [/\brare: 1 in ([\d.,]+) million words/g, "selten: 1 von $1 Millionen Wörtern"], [/\brare: 1 in ([\d.,]+) words/g, "selten: 1 von $1 Wörtern"],
    [/\b(\d+) syllables/g, "$1 Silben"], [/\bin no word list\b/g, "in keiner Wortliste"],
    [/^add a catalogue to identify the variable$/, "mit einem Katalog ließe sich sagen, welche Variable"],
    [/^mentions a survey variable, perhaps /, "nennt eine Umfragevariable, vielleicht "], [/^mentions a survey variable, but none of the catalogue fits$/, "nennt eine Umfragevariable, die der Katalog nicht hat"],
    [/^mentions /, "nennt "], [/\((explicit|implicit), /g, (_, kind) => `(${say(kind)}, `],
    [/^number of /, "Anzahl "], [/^short for /, "kurz für "], [/^the document says: /, "im Dokument erklärt: "], [/(^| · )easier: /g, "$1einfacher: "],
  ],
  en: [
    [/\bselten: 1 von ([\d.,]+) Millionen Wörtern/g, "rare: 1 in $1 million words"], [/\bselten: 1 von ([\d.,]+) Wörtern/g, "rare: 1 in $1 words"],
    [/\b(\d+) Silben/g, "$1 syllables"], [/\bin keiner Wortliste\b/g, "in no word list"], [/^Anzahl /, "number of "],
    [/^kurz für /, "short for "], [/^im Dokument erklärt: /, "the document says: "], [/(^| · )zusammengesetzt: /g, "$1made of: "],
  ],
};

let chosen = "en";

export function choose(lang) {
  chosen = WORDS[lang] ? lang : "en";
  document.documentElement.lang = chosen;
  for (const node of document.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  return chosen;
}

export function say(key, ...values) {
  const words = WORDS[chosen][key] ?? WORDS.en[key] ?? key;
  return words.replace(/\{(\d)\}/g, (_, place) => values[place]);
}

export const labelOf = (note) => LABELS[chosen]?.[note.label] ?? note.label;

// The name of a figure of a comparison: a kind of note, or what sums a document up.
export function figureName(name) {
  const [first, ...rest] = name.split(": ");
  const own = rest.length ? rest.join(": ") : first;
  const said = LABELS[chosen]?.[own] ?? FIGURES[chosen]?.[own] ?? own;
  return rest.length ? `${say(first)}: ${said}` : said;
}

export const regionName = (kind) => REGIONS[chosen]?.[kind] ?? kind;

export const languageName = (code) => new Intl.DisplayNames([chosen], { type: "language" }).of(code);

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(chosen, { maximumFractionDigits: digits }).format(value);

export const date = (text) => new Intl.DateTimeFormat(chosen, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));

export const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a ?? "").localeCompare(String(b ?? ""), chosen, { numeric: true }));

export function reason(note) {
  let said = note.attrs.why ?? "";
  if (typeof said !== "string" || note.task === "own") return String(said);
  for (const [pattern, words] of REASONS[chosen]) said = said.replace(pattern, words);
  return said;
}
