// What the page says, in English and German.
const WORDS = {
  en: {
    skip: "Skip to the text", language: "Language", open: "Open a document",
    drop: "Drop a file here: PDF, DOCX, Markdown, HTML, XML or plain text", pick: "Choose a file",
    paste: "or paste a text", read: "Read it", documents: "Documents", none: "No documents yet.",
    name: "Document", words: "Words", state: "State", notes: "Notes", hard: "Hard words",
    remove: "Remove", waiting: "waiting", reading: "reading", noting: "making notes", done: "ready",
    failed: "failed", text: "Text", pages: "Pages", measurement: "Measurements",
    variables: "Variables", clarification: "Readings", similarity: "Repetitions", overview: "Overview",
    complexity: "Hard words", kinds: "Kinds of notes", level: "Hard from", all: "All notes",
    margin: "Notes in the margin", go: "Show in the text", previous: "Previous note", next: "Next note",
    keys: "j and k step through the notes, Enter shows the place, Escape goes back",
    nothing: "Nothing of this kind was found.", page: "page", export: "Save as",
    readability: "Hard words along the document", units: "Measurements by unit",
    share: "share of hard words", hardest: "Hardest sentence",
    quantity: "Quantity", value: "Value", unit: "Unit", si: "SI", property: "Property",
    entity: "Of what", qualifier: "Under", sentence: "Sentence", candidates: "Variables",
    place: "Place", could: "Could mean", passage: "Passage", also: "Also in", why: "Why",
    count: "Notes", words_of: "words", more: "more", easier: "Easier", lost: "The server does not answer.",
    problems: "Parts of the file could not be read", contents: "Contents", zoom: "Page width",
    filter: "Notes shown", shown: "{0} of {1} notes shown", passed_over: "Passed over",
    unknown_language: "In {0}: no notes of the kinds {1}.", failedToOpen: "It could not be opened",
  },
  de: {
    skip: "Zum Text", language: "Sprache", open: "Dokument öffnen",
    drop: "Datei hierher ziehen: PDF, DOCX, Markdown, HTML, XML oder reiner Text", pick: "Datei wählen",
    paste: "oder Text einfügen", read: "Lesen", documents: "Dokumente", none: "Noch keine Dokumente.",
    name: "Dokument", words: "Wörter", state: "Stand", notes: "Anmerkungen", hard: "Schwere Wörter",
    remove: "Entfernen", waiting: "wartet", reading: "wird gelesen", noting: "wird angemerkt",
    done: "fertig", failed: "gescheitert", text: "Text", pages: "Seiten", measurement: "Messwerte",
    variables: "Variablen", clarification: "Lesarten", similarity: "Wiederholungen",
    overview: "Überblick", complexity: "Schwere Wörter", kinds: "Arten von Anmerkungen",
    level: "Schwer ab", all: "Alle Anmerkungen", margin: "Anmerkungen am Rand",
    go: "Im Text zeigen", previous: "Vorige Anmerkung", next: "Nächste Anmerkung",
    keys: "j und k gehen durch die Anmerkungen, Eingabe zeigt die Stelle, Escape führt zurück",
    nothing: "Davon wurde nichts gefunden.", page: "Seite", export: "Sichern als",
    readability: "Schwere Wörter im Verlauf", units: "Messwerte nach Einheit",
    share: "Anteil schwerer Wörter", hardest: "Schwerster Satz",
    quantity: "Größe", value: "Wert", unit: "Einheit", si: "SI", property: "Eigenschaft",
    entity: "Wovon", qualifier: "Unter", sentence: "Satz", candidates: "Variablen",
    place: "Stelle", could: "Kann heißen", passage: "Stelle", also: "Auch in", why: "Warum",
    count: "Anmerkungen", words_of: "Wörter", more: "mehr", easier: "Leichter",
    lost: "Der Server antwortet nicht.", problems: "Teile der Datei waren nicht lesbar",
    contents: "Inhalt", zoom: "Seitenbreite", filter: "Gezeigte Anmerkungen",
    shown: "{0} von {1} Anmerkungen gezeigt", passed_over: "Übergangen",
    unknown_language: "Auf {0}: keine Anmerkungen der Art {1}.", failedToOpen: "Es konnte nicht geöffnet werden",
  },
};

// Labels of notes are names, the same in all exports; the page says them in its own language.
const LABELS = {
  de: {
    "hard word": "schweres Wort", "hard expression": "schwerer Ausdruck", measurement: "Messwert", count: "Anzahl",
    date: "Datum", "measured entity": "wovon", "measured property": "Eigenschaft", qualifier: "Bedingung",
    "survey variable": "Variable einer Umfrage", repetition: "Wiederholung", contradiction: "Widerspruch",
    "implicit reference": "Ungesagtes", "fused head": "fehlendes Nomen", "noun compound": "unvollständiges Nomen",
    metonymy: "übertragenes Nomen",
  },
};

const REGIONS = {
  de: {
    authors: "Autoren", code: "Code", contents: "Inhaltsverzeichnis", foreign: "andere Sprachen", formula: "Formeln",
    references: "Literatur",
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

export const labelOf = (note) => LABELS[chosen]?.[note.label] ?? note.label;

export const regionName = (kind) => REGIONS[chosen]?.[kind] ?? kind;

export const languageName = (code) => new Intl.DisplayNames([chosen], { type: "language" }).of(code);

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(chosen, { maximumFractionDigits: digits }).format(value);
