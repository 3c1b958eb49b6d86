// Which page is shown: the list of documents, or one of them.
import { choose } from "./say.js";
import { showLibrary } from "./library.js";
import { showDocument } from "./reader.js";

const main = document.getElementById("main");
const title = document.getElementById("title");
const language = document.getElementById("language");
let leave = () => {};

function go() {
  leave();
  const [, kind, id, view] = location.hash.split("/");
  main.replaceChildren();
  title.textContent = "";
  document.title = "Marginalia";
  leave = kind === "d" && id
    ? showDocument(main, title, decodeURIComponent(id), view)
    : showLibrary(main);
}

function remembered() {
  try { return localStorage.getItem("language"); } catch { return null; }
}

language.value = choose(remembered() ?? navigator.language.slice(0, 2));
language.addEventListener("change", () => {
  choose(language.value);
  try { localStorage.setItem("language", language.value); } catch { /* private windows keep nothing */ }
  go();
});
// A skip link is no page.
addEventListener("hashchange", () => { if (location.hash !== "#main") go(); });
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
go();
