// What the page says, in English and German, with numbers, dates and reasons of that language.
import de from "./words_de.js";
import en from "./words_en.js";

const WORDS = { en, de };

const REGIONS = {
  de: {
    authors: "Autoren", code: "Code", contents: "Inhaltsverzeichnis", foreign: "andere Sprachen", formula: "Formeln",
    references: "Literatur", figure: "Text in Abbildungen", noise: "unlesbar",
  },
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

// What the page says for a key, or else these words.
export const sayOr = (key, words) => (key in WORDS.en ? say(key) : words);

// Of words by language those of the page, else the English ones.
export const inWords = (words, none = "") => words?.[chosen] ?? words?.en ?? none;

export const regionName = (kind) => REGIONS[chosen]?.[kind] ?? kind;

export const languageName = (code) => new Intl.DisplayNames([chosen], { type: "language" }).of(code);

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(chosen, { maximumFractionDigits: digits }).format(value);

export const date = (text) => new Intl.DateTimeFormat(chosen, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));

// Today, yesterday, or the day.
export function day(text) {
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(text).setHours(0, 0, 0, 0)) / 86_400_000);
  return days === 0 || days === 1 ? new Intl.RelativeTimeFormat(chosen, { numeric: "auto" }).format(-days, "day") : new Intl.DateTimeFormat(chosen, { dateStyle: "medium" }).format(new Date(text));
}

const WORDS_A_MINUTE = 230;

// How long a document is: pages, words, and about how many minutes they take.
export const extent = ({ page_count: pages, words }) => [pages ? say(pages === 1 ? "page_one" : "page_count", number(pages)) : "",
  ...(words ? [say("word_count", number(words)), words < 60 * WORDS_A_MINUTE ? say("minutes", number(Math.max(1, words / WORDS_A_MINUTE))) : say("hours", number(words / WORDS_A_MINUTE / 60))] : [])].filter(Boolean);

export const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a ?? "").localeCompare(String(b ?? ""), chosen, { numeric: true }));
