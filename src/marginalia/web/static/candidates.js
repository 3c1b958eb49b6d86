// The variables that a sentence may use: each with how often such a claim was right, why it is offered, and a key to accept it.
import { button, make } from "./dom.js";
import { number, say } from "./say.js";

export function candidateList(note, page) {
  const { candidates } = note.attrs;
  if (!candidates?.length) return "";
  return make("div", { class: "candidates" }, make("h4", {}, say("may_use")), make("ol", {}, candidates.map((one, index) =>
    make("li", { class: one.decision ? `d-${one.decision}` : "", "data-variable": one.id },
      make("b", {}, one.label || one.id), " ", make("small", { class: "quiet" }, [one.id, one.survey].filter(Boolean).join(" · ")), " ",
      one.decided ? make("small", {}, say("decided_before")) : one.score === null ? "" : make("small", { title: say("why_candidate") }, say("right_share", number(100 * one.score))),
      one.question && one.question !== one.label ? make("p", { class: "quiet" }, one.question) : null,
      make("p", { class: "quiet evidence" }, evidence(note, one)),
      page.mayWrite ? verdicts(note, one, index, page) : null))));
}

function evidence(note, one) {
  const signs = [...note.quote]; // offsets count characters, not UTF-16 units
  const words = [...new Set((one.words ?? []).map(([start, end]) => signs.slice(start, end).join("").toLowerCase()))];
  return [say(one.kind), words.length ? `${say("common_words")}: ${words.join(", ")}` : "", one.named_in ? `${say("named_in")}: “${one.named_in}”` : ""].filter(Boolean).join(" · ");
}

function verdicts(note, one, index, page) {
  const act = (name, verdict, key) => button(key ? [say(name), " ", make("kbd", { "aria-hidden": "true" }, key)] : say(name),
    (event) => { event.stopPropagation(); page.deciding.choose(note.id, one.id, verdict); }, `act act-${name}-candidate`,
    { "aria-pressed": String(one.decision === verdict), "aria-label": `${say(name)}: ${one.label || one.id}`, ...(key && { "aria-keyshortcuts": key }) });
  const key = index < 9 ? String(index + 1) : "";
  return make("div", { class: "acts" }, act("accept", "accepted", key), act("reject", "rejected", key && `⇧${key}`));
}
