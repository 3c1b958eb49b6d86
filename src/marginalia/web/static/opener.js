// Ways to open documents: choose files or a folder, drop them anywhere, paste a text, or try an example.
import { model, profileName, profiles } from "./annotators.js";
import * as api from "./api.js";
import { LANGUAGES } from "./bar.js";
import { button, make, select, toast } from "./dom.js";
import { example } from "./example.js";
import { recall, remember } from "./look.js";
import { baseName, isReferences, readReferences } from "./references.js";
import { languageName, number, say } from "./say.js";

const ACCEPTED = ".pdf,.docx,.odt,.epub,.tex,.rst,.adoc,.ipynb,.eml,.md,.markdown,.html,.htm,.xhtml,.xml,.nxml,.jats,.tei,.txt,.text";
const REFERENCES = ",.bib,.ris";
const READABLE = new RegExp(`\\.(${ACCEPTED.replaceAll(".", "").replaceAll(",", "|")})$`, "i");

const chosen = { lang: "", llm: false };
const audience = () => (profiles.some((one) => one.name === recall("audience")) ? recall("audience") : profiles.find((one) => one.default)?.name ?? "");

// Sends files or texts one after the other; of a single one the page is opened, of several the library says what came.
export async function send(bodies, { fail = (words) => toast(words), done = () => {}, after = "", known = new Map() } = {}) {
  let last = null, count = 0;
  const problems = [];
  for (const [body, name] of bodies) {
    if (bodies.length > 1) toast(say("sending", number(count + problems.length + 1), number(bodies.length)));
    try {
      last = await api.upload(body, { name, audience: audience(), ...chosen });
      const said = known.get(baseName(name));
      if (said) await api.change(last.id, { tags: said.tags, ...(said.title && { title: said.title }) });
      count += 1;
    } catch (problem) {
      problems.push(`${name ? `${name}: ` : ""}${problem.message}`);
    }
  }
  if (problems.length) fail(`${say("failed_to_open")}: ${problems.join(" · ")} ${say("formats_are")}`);
  if (last && bodies.length === 1) location.hash = `#/d/${encodeURIComponent(last.id)}${after}`;
  else if (last) { toast(say("came", number(count))); location.hash = "#/"; done(); }
}

// An export of a reference manager among the files names them.
export async function sendFiles(files, how) {
  const known = await readReferences([...files].filter(isReferences));
  return send([...files].filter((one) => !isReferences(one)).map((one) => [one, one.name]), { ...how, known });
}

export const openExample = () => send([[example, "example.md"]], { after: "/text?tour=1" });

// All that the page can show can be dropped on it.
export function acceptDrops() {
  const hint = make("div", { class: "dropping", hidden: true }, make("p"));
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.body.append(hint);
  addEventListener("dragover", (event) => { if (holdsFiles(event)) { event.preventDefault(); hint.firstChild.textContent = say("drop"); hint.hidden = false; } });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) hint.hidden = true; });
  addEventListener("drop", (event) => {
    hint.hidden = true;
    if (!holdsFiles(event)) return;
    event.preventDefault();
    document.querySelector("dialog[open]")?.close();
    sendFiles(event.dataTransfer.files, { done: () => dispatchEvent(new Event("library")) });
  });
}

// The dialog in which a document is added.
export function adder(refresh) {
  const error = make("p", { class: "error", role: "alert" });
  const how = { fail: (words) => { error.textContent = words; if (!node.open) toast(words); }, done: () => { node.close(); refresh(); } };
  const files = (event) => { error.textContent = ""; sendFiles([...event.target.files].filter((one) => !one.webkitRelativePath || READABLE.test(one.name) || isReferences(one)), how); };
  const file = make("input", { type: "file", id: "file", class: "hidden-input", accept: ACCEPTED + REFERENCES, multiple: true, onchange: files });
  const folder = make("input", { type: "file", id: "folder", class: "hidden-input", webkitdirectory: "", onchange: files });
  const text = make("textarea", { id: "paste", rows: "5", placeholder: say("paste"), "aria-label": say("paste") });
  const language = select("lang", say("text_language"), [["", say("by_itself")], ...LANGUAGES.map((one) => [one, languageName(one)])], chosen.lang, (one) => { chosen.lang = one; });
  const reader = select("new-audience", say("audience"), profiles.map(({ name }) => [name, profileName(name)]), audience(), (one) => remember("audience", one));
  const ask = model ? make("label", { title: say("asks_why", model) }, make("input", { type: "checkbox", id: "new-llm", checked: chosen.llm, onchange: (event) => { chosen.llm = event.target.checked; } }), say("asks", model)) : null;
  const node = make("dialog", { class: "editor adder", "aria-labelledby": "adder-title" }, make("h2", { id: "adder-title" }, say("open")),
    make("p", { class: "ways" }, make("label", { class: "button", for: "file" }, say("pick")), file, make("label", { class: "plain", for: "folder" }, say("pick_folder")), folder),
    make("p", { class: "quiet" }, say("drop")), text,
    make("p", { class: "ways" }, reader, language, ask), error,
    make("p", { class: "ways" }, button(say("read"), () => { if (text.value.trim()) { error.textContent = ""; send([[text.value, ""]], how); } else text.focus(); }, "button", { id: "send" }), button(say("cancel"), () => node.close())));
  node.addEventListener("click", (event) => { if (event.target === node) node.close(); });
  return { node, show: () => { error.textContent = ""; chosen.lang = ""; node.querySelector("#lang").value = ""; node.showModal(); } };
}

// A library without documents says what to do.
export function welcome(add) {
  return make("div", { class: "welcome" }, make("h2", { id: "documents" }, say("welcome")), make("p", {}, say("welcome_why")), specimen(),
    make("p", { class: "ways" }, button(say("try_example"), openExample, "button", { id: "example" }), make("label", { class: "button second", for: "file" }, say("pick")), button(say("paste_text"), () => { add.show(); document.getElementById("paste").focus(); }, "button second")),
    make("p", { class: "quiet" }, say("drop")));
}

// A few lines of the example as they will look; words between stars are marked, and explained beside them.
function specimen() {
  const [text, ...notes] = say("specimen").split(" | ");
  const marked = text.split("*").map((piece, index) => (index % 2 ? make("mark", { class: "k-words" }, piece) : piece));
  return make("div", { class: "specimen" }, make("p", {}, marked), make("ul", {}, notes.map((note) => { const [word, meaning] = note.split(": "); return make("li", {}, make("b", {}, word), ` ${meaning}`); })));
}
