// Which page is shown: the list of documents, one of them, or two side by side.
import { parse } from "./address.js";
import { load } from "./annotators.js";
import { ComparePage } from "./compare.js";
import { hush } from "./dom.js";
import { LibraryPage } from "./library.js";
import { DocumentPage } from "./reader.js";
import { choose } from "./say.js";

const main = document.getElementById("main");
const title = document.getElementById("title");
const language = document.getElementById("language");
let page = null;

function go() {
  page?.close();
  hush();
  main.replaceChildren();
  title.textContent = "";
  document.title = "Marginalia";
  const where = parse();
  page = where.kind === "d" && where.id ? new DocumentPage(main, title, where)
    : where.kind === "c" && where.id ? new ComparePage(main, title, where) : new LibraryPage(main, where.params);
}

function remembered() {
  try { return localStorage.getItem("language"); } catch { return null; }
}

// What is shown already only changes its view.
function moved(event) {
  if (location.hash === "#main") return; // a skip link is no page
  const where = parse();
  if (page?.is?.(where)) page.visit(where, event.state ?? history.state);
  else go();
}

history.scrollRestoration = "manual";
language.value = choose(remembered() ?? navigator.language.slice(0, 2));
language.addEventListener("change", () => {
  choose(language.value);
  try { localStorage.setItem("language", language.value); } catch { /* private windows keep nothing */ }
  go();
});
addEventListener("popstate", moved); // also when only the part after # changes
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
load().catch(() => {}).finally(go); // what went wrong is said by the page that is shown
