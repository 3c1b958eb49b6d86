// The list of documents: open one, see what was found in all of them.
import * as api from "./api.js";
import { bars } from "./charts.js";
import { make, table } from "./dom.js";
import { number, say } from "./say.js";

export function showLibrary(main) {
  let gone = false;
  const error = make("p", { class: "error", role: "alert" });
  const list = make("section", { "aria-labelledby": "documents" });
  main.append(opener(error), list);

  async function refresh() {
    if (gone) return;
    try {
      const found = await api.documents();
      if (gone) return;
      render(list, found, refresh);
      const busy = found.some((doc) => !["done", "failed"].includes(doc.state));
      if (busy) setTimeout(refresh, 700);
    } catch (problem) {
      error.textContent = problem.message;
    }
  }
  refresh();
  return () => { gone = true; };
}

function opener(error) {
  const file = make("input", { type: "file", id: "file", class: "hidden-input",
    accept: ".pdf,.docx,.odt,.epub,.tex,.rst,.adoc,.ipynb,.eml,.md,.markdown,.html,.htm,.xhtml,.xml,.txt,.text" });
  const text = make("textarea", { id: "paste", rows: "5", placeholder: say("paste"), "aria-label": say("paste") });
  const send = async (name, body) => {
    error.textContent = "";
    try {
      const doc = await api.upload(name, body);
      location.hash = `#/d/${encodeURIComponent(doc.id)}`;
    } catch (problem) {
      error.textContent = `${say("failedToOpen")}: ${problem.message}`;
    }
  };
  file.addEventListener("change", () => { if (file.files[0]) send(file.files[0].name, file.files[0]); });
  const area = make("div", { class: "drop" },
    make("p", {}, say("drop")),
    make("label", { class: "button", for: "file" }, say("pick")), file,
    text,
    make("button", { type: "button", class: "button", id: "send",
      onclick: () => { if (text.value.trim()) send("text.txt", text.value); } }, say("read")),
    error);
  area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("over"); });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    const dropped = event.dataTransfer.files[0];
    if (dropped) send(dropped.name, dropped);
  });
  return make("section", { "aria-labelledby": "open" }, make("h2", { id: "open" }, say("open")), area);
}

function render(list, docs, refresh) {
  const head = make("h2", { id: "documents" }, say("documents"));
  if (!docs.length) {
    list.replaceChildren(head, make("p", { class: "quiet" }, say("none")));
    return;
  }
  const rows = docs.map((doc) => {
    const share = doc.summary.complexity?.hard_share_by_level?.general;
    const notes = Object.entries(doc.counts).map(([task, count]) => `${say(task)} ${number(count)}`);
    return make("tr", {},
      make("td", {}, make("a", { href: `#/d/${encodeURIComponent(doc.id)}` }, doc.title)),
      make("td", {}, doc.state === "failed" ? make("span", { class: "error" }, doc.error) : say(doc.state)),
      make("td", { class: "number" }, doc.characters ? number(Math.round(doc.characters / 6)) : ""),
      make("td", { class: "number" }, share === undefined ? "" : `${number(100 * share, 1)} %`),
      make("td", {}, notes.join(" · ")),
      make("td", {}, make("button", { type: "button", class: "plain", "aria-label": `${say("remove")}: ${doc.title}`,
        onclick: async () => { await api.remove(doc.id); refresh(); } }, say("remove"))));
  });
  const heads = [say("name"), say("state"), say("words"), say("share"), say("notes"), ""];
  list.replaceChildren(head, table(heads, rows));
  const done = docs.filter((doc) => doc.summary.complexity?.hard_share_by_level?.general !== undefined);
  if (done.length > 1) {
    list.append(make("h3", {}, say("share")),
      bars(done.map((doc) => [doc.title, 100 * doc.summary.complexity.hard_share_by_level.general]), " %", say("share")));
  }
}
