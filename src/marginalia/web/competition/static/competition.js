// The site of a competition: the board for everybody, and for a team its submissions.
import { make } from "./dom.js";
import { asker, at, attempt, table } from "./site.js";

const state = { about: null, token: sessionStorage.getItem("token") ?? "", team: null };
const POLL = 1500;
const SLOW_POLL = 20000;

const { ask, post } = asker(() => state.token);
const time = (text) => (text ? `${text.slice(0, 16).replace("T", " ")} UTC` : "–");
const between = (bounds) => (bounds ? make("div", { class: "quiet", title: "95 % interval" }, `[${bounds.map((each) => each.toFixed(3)).join(", ")}]`) : "");
const figure = (value) => (value === null || value === undefined ? "–" : value.toFixed(4));

function showAbout() {
  const { about } = state;
  document.title = about.title;
  at("title").textContent = about.title;
  at("description").textContent = about.description || about.shared_task;
  at("head").textContent = about.head;
  at("register").hidden = about.registration !== "open" || state.team !== null;
  at("phases").replaceChildren(table(["Phase", "State", "Opens", "Closes"], about.phases.map((phase) =>
    make("tr", {}, make("td", {}, phase.name), make("td", {}, make("span", { class: "badge" }, phase.state)),
      make("td", {}, time(phase.opens)), make("td", {}, time(phase.closes))))));
  if (!at("phase").options.length) {
    at("phase").append(...about.phases.map((phase) => make("option", { value: phase.name }, phase.name)));
    at("phase").value = about.current;
    at("figure").append(...about.figures.map((name) => make("option", { value: name }, name)));
  }
}

async function showBoard() {
  const phase = state.about.phases.find((each) => each.name === at("phase").value);
  const rows = await ask(`board?${new URLSearchParams({ phase: phase.name, figure: at("figure").value })}`);
  const over = phase.state === "closed" || phase.state === "late";
  at("board-note").textContent = over ? "Final figures." : phase.public === 0
    ? "Figures are shown when the phase has closed."
    : phase.public < 1 ? `Figures on ${Math.round(100 * phase.public)} % of the data; the rest decides when the phase has closed.`
    : `The ${phase.counts} submission of each team is ranked.`;
  const shown = rows.filter((row) => at("all").checked || row.mark !== "other");
  at("board").replaceChildren(table(["Rank", "Team", "System", ...state.about.figures, "Received", "Mark"],
    shown.map((row) => make("tr", { class: [row.rank === null ? "beside" : "", row.team === state.team?.name ? "mine" : ""].join(" ") },
      make("td", { class: "number" }, row.rank === null ? "–" : String(row.rank)),
      make("td", {}, row.team), make("td", {}, row.description),
      state.about.figures.map((name) => make("td", { class: "number" }, figure(row.figures[name]), between(row.intervals[name]))),
      make("td", {}, time(row.received)),
      make("td", {}, row.mark === "withdrawn" || row.mark === "late" ? make("span", { class: "badge" }, row.mark) : "")))));
}

async function showOwn() {
  at("enter").hidden = state.team !== null;
  at("submit").hidden = state.team === null;
  at("who").textContent = state.team?.name ?? "";
  if (!state.team) return false;
  const rows = await ask("submissions");
  at("own").replaceChildren(table(["Number", "File", "Received", "State", ...state.about.figures, "Action"], rows.map((row) =>
    make("tr", { "data-submission": String(row.id), "data-state": row.state },
      make("td", { class: "number" }, String(row.id)), make("td", {}, row.file), make("td", {}, time(row.received)),
      make("td", {}, make("span", { class: `badge ${row.state}` }, row.state), row.problem ? ` ${row.problem}` : "",
        row.warnings.map((each) => make("div", { class: "quiet" }, each))),
      state.about.figures.map((name) => make("td", { class: "number" }, figure(row.figures[name]))),
      make("td", {}, row.state === "scored" || row.state === "queued"
        ? make("button", { class: "plain", type: "button", onclick: () => withdraw(row.id) }, "withdraw") : "")))));
  return rows.some((row) => row.state === "queued");
}

async function showLog() {
  const entries = await ask(`log?after=${Math.max(0, state.about.entries - 20)}`);
  at("log").replaceChildren(table(["Number", "Time", "Who", "What", "Hash"], entries.reverse().map((entry) =>
    make("tr", {}, make("td", { class: "number" }, String(entry.number)), make("td", {}, time(entry.at)), make("td", {}, entry.who),
      make("td", {}, `${entry.what}${entry.detail.submission ? ` (${entry.detail.submission})` : ""}`),
      make("td", {}, make("code", {}, entry.hash.slice(0, 12)))))));
}

async function refresh() {
  state.about = await ask("competition");
  showAbout();
  const [waits] = await Promise.all([showOwn(), showBoard(), showLog()]);
  clearTimeout(state.timer);
  state.timer = setTimeout(() => attempt(refresh), waits ? POLL : SLOW_POLL);
}

async function enter(token) {
  state.token = token;
  try {
    state.team = await ask("team");
  } catch (error) {
    state.token = "";
    throw error;
  }
  sessionStorage.setItem("token", token);
  await refresh();
}

const withdraw = (id) => attempt(async () => {
  const reason = prompt("Why is it withdrawn? (shown to the organisers)", "");
  if (reason === null) return;
  await post(`submissions/${id}/withdrawal`, { reason });
  await refresh();
});

at("register").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const { token } = await post("teams", { name: at("name").value });
    at("token-value").textContent = token;
    at("token-shown").hidden = false;
    await enter(token);
  });
});
at("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(() => enter(at("token").value.trim()));
});
at("submit").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const file = at("file").files[0];
    const query = new URLSearchParams({ phase: at("phase").value, file: file.name, description: at("what").value });
    const headers = { "idempotency-key": crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
    const made = await ask(`submissions?${query}`, { method: "POST", body: file, headers });
    at("live").textContent = `Submission ${made.id} is taken.`;
    at("submit").reset();
    await refresh();
  });
});
at("phase").addEventListener("change", () => attempt(showBoard));
at("figure").addEventListener("change", () => attempt(showBoard));
at("all").addEventListener("change", () => attempt(showBoard));
attempt(async () => {
  if (state.token) await enter(state.token).catch(() => sessionStorage.removeItem("token"));
  await refresh();
});
