// The form of a note: its words in the text, what it says, and the values that it has.
import { columnsOf, labelOf } from "./annotators.js";
import { button, make, select } from "./dom.js";
import { repeats, short } from "./notes.js";
import { number, say } from "./say.js";

// What can be corrected: the values of its columns that are one attribute each, texts or numbers. What the note says already is corrected there.
const valuesOf = (note) => columnsOf(note.task).filter(({ value: [path, more] }) => path.startsWith("attrs.") && !more && path !== "attrs.why")
  .map(({ name, value: [path] }) => [path.slice(6), name]).filter(([name]) => ["string", "number"].includes(typeof note.attrs[name]) && !repeats(note.attrs[name], String(note.attrs.why ?? "")));

// Resolves to what was saved, or to null. `place` finds the span of the words, nearest to where they were.
// `alike` is how many notes there are on the same words, this one included; none: it cannot be corrected elsewhere.
export function editNote({ note = null, quote, why = "", near, place, alike = 0 }) {
  return new Promise((resolve) => {
    const error = make("p", { class: "error", role: "alert" });
    const words = make("textarea", { id: "edit-words", rows: "2", required: true }, quote);
    const says = make("textarea", { id: "edit-says", rows: "3", required: !note }, why);
    const values = (note ? valuesOf(note) : []).map(([name, label]) => [name, make("input", { id: `edit-${name}`, value: String(note.attrs[name]) }), label]);
    let where = "here";
    const reach = alike ? make("p", {}, select("edit-where", say("where"), [["here", say("w_here")], ...(alike > 1 ? [["document", say("w_document", number(alike))]] : []), ["library", say("w_library")]], where, (one) => { where = one; })) : null;
    const row = (label, field) => make("p", {}, make("label", { for: field.id }, label), field);
    const dialog = make("dialog", { class: "editor", "aria-labelledby": "edit-title" },
      make("form", { method: "dialog", onsubmit: save },
        make("h2", { id: "edit-title" }, note ? `${say("edit")}: ${labelOf(note)} “${short(note.quote, 40)}”` : say("add")),
        row(say("words_of_note"), words), row(say("says"), says), values.map(([, field, label]) => row(label, field)), reach, error,
        make("p", { class: "ways" }, make("button", { type: "submit", class: "button", id: "edit-save" }, say("save")), " ", button(say("cancel"), () => end(null)))));

    function save(event) {
      event.preventDefault();
      const span = words.value === quote ? [near, near + [...quote].length] : place(words.value.trim(), near);
      if (!span) { error.textContent = say("not_in_text"); words.focus(); return; }
      const changed = Object.fromEntries(values.filter(([name, field]) => field.value !== String(note.attrs[name])).map(([name, field]) => [name, field.value || null]));
      if (says.value !== why) changed.why = says.value;
      end({ start: span[0], end: span[1], why: says.value, attrs: changed, where });
    }

    function end(result) {
      dialog.remove();
      resolve(result);
    }

    dialog.addEventListener("cancel", () => end(null));
    document.body.append(dialog);
    dialog.showModal();
    (note ? words : says).focus();
  });
}

const KEYS = [["j k", "k_step"], ["a", "k_accept"], ["r", "k_reject"], ["1 9", "k_candidate"], ["w", "k_know"], ["e", "k_edit"], ["n", "k_add"], ["m", "k_ask"], ["u", "k_undo"], ["/", "k_find"], ["g", "k_page"], ["o", "k_outline"], ["?", "k_help"], ["Esc", "k_close"]];

export function showKeys(rows = KEYS) {
  const dialog = make("dialog", { class: "editor", "aria-labelledby": "keys-title" },
    make("h2", { id: "keys-title" }, say("keys")),
    make("dl", { class: "keys-list" }, rows.map(([key, words]) => make("div", {}, make("dt", {}, key.split(" ").flatMap((one) => [make("kbd", {}, one), " "])), make("dd", {}, say(words))))),
    make("form", { method: "dialog" }, make("button", { class: "button" }, say("close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
