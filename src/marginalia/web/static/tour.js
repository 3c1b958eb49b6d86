// Five marks for whoever opens the example: what a note is, what can be done with it, who reads, how many, what else there is.
import { button, make } from "./dom.js";
import { say } from "./say.js";

const noted = (page) => page.text.blocks.find((block) => block.own.length)?.node;
const at = (id) => () => document.getElementById(id);
const STOPS = [["tour_mark", noted], ["tour_note", noted], ["tour_reader", at("audience")], ["tour_many", at("many")], ["tour_side", at("side-toggle")]];

export function startTour(page) {
  const words = make("p", {}), place = make("span", { class: "quiet" });
  const next = button(say("next"), () => go(stop + 1), "button", { id: "tour-next" });
  const node = make("aside", { class: "tour", role: "dialog", "aria-label": say("tour") }, words, make("p", { class: "ways" }, next, button(say("tour_end"), () => end(), "plain"), place));
  let stop = -1;

  function go(step) {
    document.querySelector(".toured")?.classList.remove("toured");
    stop = step;
    if (stop >= STOPS.length) { end(); return; }
    const [said, find] = STOPS[stop], target = find(page);
    if (stop === 1) page.step(1);
    else if (!target?.checkVisibility()) page.side.set(true, false); // on a phone
    words.textContent = say(said);
    place.textContent = `${stop + 1} / ${STOPS.length}`;
    next.textContent = say(stop + 1 < STOPS.length ? "next" : "tour_done");
    target?.classList.add("toured");
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
