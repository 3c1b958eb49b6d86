// Ways to open documents: choose files, drop them, or paste a text.
import { model, profileName, profiles } from "./annotators.js";
import * as api from "./api.js";
import { make, select } from "./dom.js";
import { LANGUAGES } from "./filters.js";
import { languageName, say } from "./say.js";

const ACCEPTED = ".pdf,.docx,.odt,.epub,.tex,.rst,.adoc,.ipynb,.eml,.md,.markdown,.html,.htm,.xhtml,.xml,.txt,.text";

export function opener(refresh) {
  let lang = "", audience = "", llm = false;
  const error = make("p", { class: "error", role: "alert" });
  const file = make("input", { type: "file", id: "file", class: "hidden-input", accept: ACCEPTED, multiple: true });
  const text = make("textarea", { id: "paste", rows: "4", placeholder: say("paste"), "aria-label": say("paste") });
  const language = select("lang", say("text_language"), [["", say("by_itself")], ...LANGUAGES.map((one) => [one, languageName(one)])], "", (one) => { lang = one; });

  const reader = select("new-audience", say("audience"), profiles.map(({ name }) => [name, profileName(name)]), profiles.find((one) => one.default)?.name, (one) => { audience = one; });

  const ask = model ? make("label", { title: say("asks_why", model) }, make("input", { type: "checkbox", id: "new-llm", onchange: (event) => { llm = event.target.checked; } }), say("asks", model)) : null;

  async function send(bodies) {
    error.textContent = "";
    let last = null;
    for (const [body, name] of bodies) {
      try {
        last = await api.upload(body, { name, lang, audience, llm });
      } catch (problem) {
        error.textContent = `${say("failed_to_open")}: ${name ? `${name}: ` : ""}${problem.message}`;
      }
    }
    if (last && bodies.length === 1) location.hash = `#/d/${encodeURIComponent(last.id)}`;
    else if (last) refresh();
  }
  const sendFiles = (files) => send([...files].map((one) => [one, one.name]));

  file.addEventListener("change", () => { if (file.files.length) sendFiles(file.files); });
  const area = make("div", { class: "drop" },
    make("p", {}, say("drop")),
    make("p", { class: "ways" }, make("label", { class: "button", for: "file" }, say("pick")), file, language, reader, ask),
    text,
    make("button", { type: "button", class: "button", id: "send", onclick: () => { if (text.value.trim()) send([[text.value, ""]]); } }, say("read")),
    error);
  area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("over"); });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    if (event.dataTransfer.files.length) sendFiles(event.dataTransfer.files);
  });
  return make("section", { "aria-labelledby": "open" }, make("h2", { id: "open" }, say("open")), area);
}
