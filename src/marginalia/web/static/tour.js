// Five marks for whoever opens the example: what a note is, what can be done with it, who reads, how many, what else there is.
import { button, make } from "./dom.js";
import { say } from "./say.js";

const STOPS = [["tour_mark", ".document mark"], ["tour_note", ".note.open"], ["tour_reader", "#audience"], ["tour_many", "#many"], ["tour_side", "#side-toggle"]];

export function startTour(page) {
  const words = make("p", {}), place = make("span", { class: "quiet" });
  const next = button(say("next"), () => go(at + 1), "button", { id: "tour-next" });
  const node = make("aside", { class: "tour", role: "dialog", "aria-label": say("tour") }, words, make("p", { class: "ways" }, next, button(say("tour_end"), () => end(), "plain"), place));
  let at = -1;

  function go(step) {
    document.querySelector(".toured")?.classList.remove("toured");
    at = step;
    if (at >= STOPS.length) { end(); return; }
    const [said, where] = STOPS[at];
    if (at === 1) page.step(1);
    if (at === 2 || at === 3) { if (!document.querySelector(where)?.checkVisibility()) page.side.set(true, false); }
    words.textContent = say(said);
    place.textContent = `${at + 1} / ${STOPS.length}`;
    next.textContent = say(at + 1 < STOPS.length ? "next" : "tour_done");
    document.querySelector(where)?.classList.add("toured");
    next.focus({ preventScroll: true });
  }

  function end() {
    document.querySelector(".toured")?.classList.remove("toured");
    node.remove();
    page.put();
  }

  node.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); end(); } });
  document.body.append(node);
  go(0);
  return end;
}
