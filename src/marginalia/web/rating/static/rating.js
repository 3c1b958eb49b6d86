// A rating session: one question at a time; each answer is kept when it is given.
import { make } from "./dom.js";
import { asker, at, attempt, table } from "./site.js";

const fromAddress = new URLSearchParams(location.hash.slice(1)).get("session");
let token = fromAddress ?? localStorage.getItem("session") ?? "";

const { ask, post } = asker(() => token);
// Offsets count code points, as everywhere in Marginalia; a string of JavaScript counts UTF-16 units.
const toUnits = (text, points) => [...text].slice(0, points).join("").length;
const toPoints = (text, units) => [...text.slice(0, units)].length;

function marked(text, spans) {
  const nodes = [];
  let last = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const [start, end] = [Math.max(last, toUnits(text, span.start)), toUnits(text, span.end)];
    if (end <= start) continue;
    nodes.push(text.slice(last, start), make("mark", { class: span.type ?? "", title: span.type ?? null }, text.slice(start, end)));
    last = end;
  }
  return [...nodes, text.slice(last)];
}

function parts(question, spans) {
  return question.parts.map(([head, text], place) => {
    const isLast = place === question.parts.length - 1;
    const found = isLast ? spans ?? (question.mark ? [{ start: question.mark[0], end: question.mark[1] }] : []) : [];
    return make("div", {}, make("p", { class: "head" }, head),
      make("p", { class: "part", id: isLast ? "text" : null }, marked(text, found)));
  });
}

function options(question, kind, choices, given) {
  return make("fieldset", {}, make("legend", {}, question.ask), choices.map(([value, text]) =>
    make("label", {}, make("input", { type: kind, name: "answer", value: String(value), checked: given?.includes(value) ?? false }), text)));
}

function showScale(question, given) {
  const choices = question.points.map(([value, text]) => [value, text]);
  if (question.can_be_none) choices.push(["none", "Not applicable, or I do not know"]);
  const box = options(question, "radio", choices, given === undefined ? [] : [given ?? "none"]);
  const read = () => {
    const chosen = box.querySelector("input:checked");
    if (!chosen) throw new Error("Choose one of the answers.");
    return chosen.value === "none" ? null : Number(chosen.value);
  };
  return [[...parts(question), box], read];
}

function showChoice(question, given) {
  const box = options(question, "checkbox", Object.entries(question.choices), given ?? []);
  return [[...parts(question), box], () => [...box.querySelectorAll("input:checked")].map((each) => each.value)];
}

function showSpans(question, given) {
  const spans = (given ?? []).map((each) => ({ ...each }));
  const text = question.parts.at(-1)[1];
  const kinds = Object.keys(question.links);
  const body = make("div", {});
  const quote = (span) => text.slice(toUnits(text, span.start), toUnits(text, span.end));
  const selected = () => {
    const place = at("text");
    const range = getSelection().rangeCount ? getSelection().getRangeAt(0) : null;
    if (!range || range.collapsed || !place.contains(range.commonAncestorContainer)) return null;
    const before = range.cloneRange();
    before.selectNodeContents(place);
    before.setEnd(range.startContainer, range.startOffset);
    const start = before.toString().length;
    return { start: toPoints(text, start), end: toPoints(text, start + range.toString().length) };
  };
  const add = (type) => attempt(async () => {
    const found = selected();
    if (!found) throw new Error("Select a part of the text first.");
    const owners = spans.map((each, place) => [each, place]).filter(([each]) => question.links[type].includes(each.type));
    if (question.links[type].length && !owners.length) throw new Error(`Mark a ${question.links[type].join(" or a ")} first.`);
    spans.push({ type, ...found, of: owners.length ? owners.at(-1)[1] : null });
    draw();
  });
  const remove = (place) => {
    spans.splice(place, 1);
    // What belonged to it goes too; the others move up.
    for (let i = spans.length - 1; i >= 0; i -= 1) {
      if (spans[i].of === place) { spans[i].of = null; if (question.links[spans[i].type].length) { remove(i); return; } }
      else if (spans[i].of > place) spans[i].of -= 1;
    }
    draw();
  };
  const owner = (span) => make("select", { "aria-label": "belongs to", onchange: (event) => { span.of = Number(event.target.value); } },
    spans.map((each, place) => [each, place]).filter(([each]) => question.links[span.type].includes(each.type)).map(([each, place]) =>
      make("option", { value: String(place), selected: span.of === place }, `${each.type}: ${quote(each)}`)));
  const unit = (span) => make("input", { type: "text", value: span.unit ?? "", size: "8", "aria-label": "unit", placeholder: "unit",
    oninput: (event) => { span.unit = event.target.value; } });
  function draw() {
    body.replaceChildren(make("p", {}, make("strong", {}, question.ask)), ...parts(question, spans),
      make("div", { class: "row" }, "Selected text is a", kinds.map((type) =>
        make("button", { type: "button", class: "kind", "data-kind": type, onclick: () => add(type) }, type))),
      table(["Type", "Text", "Belongs to, or unit", "Action"], spans.map((span, place) => make("tr", {},
        make("td", {}, span.type), make("td", {}, quote(span)),
        make("td", {}, question.links[span.type].length ? owner(span) : unit(span)),
        make("td", {}, make("button", { type: "button", class: "plain", onclick: () => remove(place) }, "remove"))))));
  }
  draw();
  return [[body], () => spans];
}

const KINDS = { scale: showScale, choice: showChoice, spans: showSpans };

function showQuestion(question, last, given) {
  const [nodes, read] = KINDS[question.kind](question, given);
  const next = make("button", { class: "button", type: "button", id: "next",
    onclick: () => attempt(async () => show(await post("answers", { id: question.id, answer: read() }))) }, "Next");
  const back = last && last !== question.id
    ? make("button", { class: "plain", type: "button", onclick: () => attempt(() => again(last)) }, "back to the last one") : null;
  at("question").dataset.id = question.id;
  at("question").replaceChildren(...nodes, make("p", { class: "row" }, next, back));
}

async function again(id) {
  const question = await ask(`question?id=${encodeURIComponent(id)}`);
  showQuestion(question, null, question.answered ? question.answer : undefined);
}

function show(session) {
  document.title = session.title;
  at("title").textContent = session.title;
  at("who").textContent = session.name;
  at("begin").hidden = true;
  at("far").hidden = at("link").hidden = false;
  at("address").textContent = `${location.origin}/#session=${token}`;
  at("progress").value = session.done / session.of;
  at("count").textContent = `${session.done} of ${session.of}`;
  if (session.question) return showQuestion(session.question, session.last);
  at("question").replaceChildren(make("h2", {}, session.state === "done" ? "Thank you, that was all." : "Thank you. This session has ended."));
  at("question").dataset.id = "";
}

at("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    ({ token } = await post("sessions", { name: at("name").value }));
    localStorage.setItem("session", token);
    show(await ask("session"));
  });
});

attempt(async () => {
  at("title").textContent = (await ask("campaign")).title;
  if (!token) { at("begin").hidden = false; return; }
  try {
    const session = await ask("session");
    localStorage.setItem("session", token);
    show(session);
  } catch (error) {
    if (error.status !== 401) throw error;
    token = "";
    localStorage.removeItem("session");
    at("begin").hidden = false;
  }
});
