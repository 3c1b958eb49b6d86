// What the pages of competitions and of rating share: asking the server, saying what went wrong, and plain tables.
import { make } from "./dom.js";

export const at = (id) => document.getElementById(id);

// How to ask as whoever holds the token that ``token`` gives; an error has the status of the answer.
export function asker(token) {
  async function ask(path, options = {}) {
    const headers = { ...options.headers };
    if (token()) headers.authorization = `Bearer ${token()}`;
    const answer = await fetch(`/api/${path}`, { ...options, headers });
    const data = await answer.json().catch(() => ({}));
    if (answer.ok) return data;
    throw Object.assign(new Error(data.error ?? data.detail?.[0]?.msg ?? answer.statusText), { status: answer.status });
  }
  const post = (path, value) =>
    ask(path, { method: "POST", body: JSON.stringify(value), headers: { "content-type": "application/json" } });
  return { ask, post };
}

export async function attempt(action) {
  at("error").textContent = "";
  try {
    await action();
  } catch (error) {
    at("error").textContent = error.message;
  }
}

export function table(heads, rows) {
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": heads[0] },
    make("table", {},
      make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, rows)));
}
