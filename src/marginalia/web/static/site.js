// What the pages of competitions and of rating share: asking the server, and saying what went wrong.
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
