// Which page is shown: the list of documents, one of them, or two side by side.
import { parse } from "./address.js";
import { load } from "./annotators.js";
import { ComparePage } from "./compare.js";
import { hush } from "./dom.js";
import { LibraryPage } from "./library.js";
import { lookMenu, recall, remember } from "./look.js";
import { acceptDrops } from "./opener.js";
import { DocumentPage } from "./reader.js";
import { choose } from "./say.js";

const main = document.getElementById("main");
const title = document.getElementById("title");
const bar = document.getElementById("bar");
const lead = document.getElementById("lead");
const look = document.getElementById("look");
let language = choose(recall("language") ?? navigator.language.slice(0, 2));
let page = null;

function go() {
  page?.close();
  hush();
  for (const node of [main, bar, lead]) node.replaceChildren();
  title.textContent = "";
  document.title = "Marginalia";
  const where = parse();
  page = where.kind === "d" && where.id ? new DocumentPage(main, title, bar, where)
    : where.kind === "c" && where.id ? new ComparePage(main, title, where) : new LibraryPage(main, bar, where.params);
}

function speak(chosen) {
  language = choose(chosen);
  remember("language", language);
  look.replaceChildren(lookMenu(language, speak));
  go();
}

// What is shown already only changes its view.
function moved(event) {
  if (location.hash === "#main") return; // a skip link is no page
  const where = parse();
  if (page?.is?.(where)) page.visit(where, event.state ?? history.state);
  else go();
}

history.scrollRestoration = "manual";
look.replaceChildren(lookMenu(language, speak));
addEventListener("popstate", moved); // also when only the part after # changes
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
acceptDrops();
load().catch(() => {}).finally(go); // what went wrong is said by the page that is shown
