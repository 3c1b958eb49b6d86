// What is shown is in the address, so that a link, a reload and the way back lead to the same view.
export function parse(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const [, kind, id, view] = path.split("/");
  return { kind: kind ?? "", id: id ? decodeURIComponent(id) : "", view: view ? decodeURIComponent(view) : "text", params: new URLSearchParams(query) };
}

export const build = (id, view, params) => `#/d/${encodeURIComponent(id)}/${view}${query(params)}`;

export const comparison = (old, now, params = new URLSearchParams()) => `#/c/${encodeURIComponent(old)}/${encodeURIComponent(now)}${query(params)}`;

function query(params) {
  for (const [name, value] of [...params]) if (value === "") params.delete(name);
  const said = params.toString().replaceAll("%2C", ",");
  return said ? `?${said}` : "";
}

// A change of filters replaces the entry of the history, a jump adds one; each remembers how far one had scrolled.
export function change(hash, jump = false) {
  history.replaceState({ ...history.state, scroll: scrollY }, "");
  if (hash === location.hash) return;
  if (jump) history.pushState({ jumped: true }, "", hash);
  else history.replaceState(history.state, "", hash);
}
