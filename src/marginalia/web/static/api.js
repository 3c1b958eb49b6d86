// The server, as functions.
import { say } from "./say.js";

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, options);
  } catch {
    throw new Refused(say("lost"), 0);
  }
  if (answer.status === 204) return null;
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(data.error ?? answer.statusText, answer.status);
  return data;
}

const send = (path, data = {}, method = "POST") =>
  ask(path, { method, body: JSON.stringify(data), headers: { "content-type": "application/json" } });
const doc = (id) => `documents/${encodeURIComponent(id)}`;

// What was read last comes first, so a place that is being kept is waited for.
export const documents = (removed = false) => keeping.then(() => ask(`documents${removed ? "?removed=true" : ""}`));
export const annotators = () => ask("annotators");
export const profiles = () => ask("profiles");
export const llm = () => ask("llm");
export const me = () => ask("me");
export const precision = () => ask("me/precision");
export const setSettings = (settings) => send("me/settings", settings, "PUT");
export const addWord = (word) => send("me/words", { word });
export const dropWord = (word) => ask(`me/words?word=${encodeURIComponent(word)}`, { method: "DELETE" });
export const search = (words) => ask(`search?q=${encodeURIComponent(words)}`);
export const getDocument = (id) => ask(doc(id));
export const change = (id, what) => send(doc(id), what, "PATCH");
let keeping = Promise.resolve();
export const keepPlace = (id, place) => {
  const kept = ask(`${doc(id)}/position`, { method: "PUT", keepalive: true, body: JSON.stringify(place), headers: { "content-type": "application/json" } });
  keeping = kept.catch(() => {});
  return kept;
};
export const remove = (id, forGood = false) => ask(`${doc(id)}${forGood ? "?for_good=true" : ""}`, { method: "DELETE" });
export const restore = (id) => send(`${doc(id)}/restore`);
export const readAgain = (id, how = {}) => send(`${doc(id)}/read`, how);
export const lines = (id, page) => ask(`${doc(id)}/pages/${page}/lines`);
export const picture = (id, page) => `/api/${doc(id)}/pages/${page}`;
export const cover = ({ id, changed }) => `/api/${doc(id)}/cover?of=${encodeURIComponent(changed)}`;
export const figure = (id, number) => `/api/${doc(id)}/figures/${number}`;
// What the page shows, or what of the notes is named: open, accepted, decisions, all.
export function saved(id, format, notes) {
  const query = typeof notes === "string" ? { format, notes } : { format, notes: "shown", show: notes.state, hide: [...notes.off].join(), ...(notes.many !== null && { many: notes.many }) };
  return `/api/${doc(id)}/export?${new URLSearchParams(query)}`;
}
const pair = (old, now) => new URLSearchParams({ old, new: now });
export const compare = (old, now) => ask(`compare?${pair(old, now)}`);
export const compareAcross = (old, now) => ask(`compare/across?${pair(old, now)}`);
export const comparedFile = (old, now, format) => `/api/compare/export?${pair(old, now)}&format=${format}`;
export const library = "/api/library";
export const bringLibrary = (body) => ask("library", { method: "POST", body });

export const askMargin = (id, { start, end }) => ask(`${doc(id)}/ask?start=${start}&end=${end}`);
export const similar = (id, { start, end }) => ask(`${doc(id)}/similar?start=${start}&end=${end}`);
export const explain = (id, { start, end }) => send(`${doc(id)}/explain?start=${start}&end=${end}`);
export const decisions = (id) => ask(`${doc(id)}/decisions`);
export const decisionsFile = (id) => `/api/${doc(id)}/decisions/export`;
export const decide = (id, notes, verdict, known = false) => send(`${doc(id)}/decisions`, { notes, verdict, known_word: known });
export const edit = (id, what) => send(`${doc(id)}/decisions/edit`, what);
export const addNote = (id, what) => send(`${doc(id)}/decisions/add`, what);
export const undo = (id, redo = false) => send(`${doc(id)}/decisions/undo${redo ? "?redo=true" : ""}`);
export const bringNotes = (id, lines) => send(`${doc(id)}/notes/import`, { lines });
export const bringDecisions = (id, lines) => send(`${doc(id)}/decisions/import`, { lines });

export const decideCandidate = (id, what) => send(`${doc(id)}/candidates`, what);
export const catalogues = () => ask("catalogues");
export const bringCatalogue = (file) => ask(`catalogues?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
export const removeCatalogue = (id) => ask(`catalogues/${encodeURIComponent(id)}`, { method: "DELETE" });

export function upload(body, { name = "", lang = "", audience = "", llm = false } = {}) {
  const query = new URLSearchParams({ ...(name && { name }), ...(lang && { lang }), ...(audience && { audience }), ...(llm && { llm }) });
  return ask(`documents?${query}`, { method: "POST", body });
}

export const newVersion = (id, file) => ask(`${doc(id)}/file?name=${encodeURIComponent(file.name)}`, { method: "PUT", body: file });

export function listen(id, after, hear) {
  const source = new EventSource(`/api/${doc(id)}/events?after=${after}`);
  for (const kind of ["read", "notes", "done", "failed"]) {
    source.addEventListener(kind, (event) => {
      if (kind === "done" || kind === "failed") source.close();
      hear(JSON.parse(event.data));
    });
  }
  return () => source.close();
}
