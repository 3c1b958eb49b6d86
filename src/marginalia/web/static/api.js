// The server, as functions.
import { say } from "./say.js";

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error(say("lost"));
  }
  if (answer.status === 204) return null;
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error ?? data.detail?.[0]?.msg ?? answer.statusText);
  return data;
}

export const documents = () => ask("documents");
export const tasks = () => ask("tasks");
export const getDocument = (id) => ask(`documents/${encodeURIComponent(id)}`);
export const remove = (id) => ask(`documents/${encodeURIComponent(id)}`, { method: "DELETE" });
export const boxes = (id, page) => ask(`documents/${encodeURIComponent(id)}/pages/${page}/boxes`);
export const picture = (id, page) => `/api/documents/${encodeURIComponent(id)}/pages/${page}`;
export const saved = (id, format) => `/api/documents/${encodeURIComponent(id)}/export?format=${format}`;

export const upload = (name, body) =>
  ask(`documents?name=${encodeURIComponent(name)}`, { method: "POST", body });

export function listen(id, after, hear) {
  const source = new EventSource(`/api/documents/${encodeURIComponent(id)}/events?after=${after}`);
  for (const kind of ["read", "notes", "done", "failed"]) {
    source.addEventListener(kind, (event) => {
      if (kind === "done" || kind === "failed") source.close();
      hear(JSON.parse(event.data));
    });
  }
  return () => source.close();
}
