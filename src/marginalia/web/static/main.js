// Which page is shown: the list of documents, or one of them.
import { parse } from "./address.js";
import { LibraryPage } from "./library.js";
import { DocumentPage } from "./reader.js";
import { choose } from "./say.js";

const main = document.getElementById("main");
const title = document.getElementById("title");
const language = document.getElementById("language");
let page = null;

function go() {
  page?.close();
  main.replaceChildren();
  title.textContent = "";
  document.title = "Marginalia";
  const where = parse();
  page = where.kind === "d" && where.id ? new DocumentPage(main, title, where) : new LibraryPage(main);
}

function remembered() {
  try { return localStorage.getItem("language"); } catch { return null; }
}

// A document that is shown already only changes its view.
function moved(event) {
  if (location.hash === "#main") return; // a skip link is no page
  const where = parse();
  if (page instanceof DocumentPage && where.kind === "d" && where.id === page.id) page.visit(where, event.state ?? history.state);
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
go();
