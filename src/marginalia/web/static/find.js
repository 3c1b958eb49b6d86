// Words looked for in the text and on pages.
import { button, icon, make } from "./dom.js";
import { number, say } from "./say.js";

export class Finder {
  constructor(page) {
    this.page = page;
    this.spans = [];
    this.place = -1;
    this.count = make("span", { class: "quiet", role: "status" });
    this.field = make("input", { type: "search", id: "find", placeholder: say("find"), "aria-label": say("find"),
      oninput: () => this.look(), onkeydown: (event) => this.key(event) });
    this.node = make("div", { class: "find", role: "search", hidden: true }, this.field,
      button("↑", () => this.step(-1), "step", { "aria-label": `${say("find")}: ${say("previous")}` }), button("↓", () => this.step(1), "step", { "aria-label": `${say("find")}: ${say("next")}` }), this.count,
      make("button", { type: "button", class: "icon", "aria-label": say("close"), onclick: () => this.toggle(false) }, icon("close")));
  }

  toggle(open = this.node.hidden) {
    this.node.hidden = !open;
    const opener = document.getElementById("find-toggle");
    opener?.setAttribute("aria-expanded", String(open));
    if (open) this.field.focus();
    else { this.field.value = ""; this.look(); opener?.focus(); }
  }

  key(event) {
    if (event.key === "Enter") { event.preventDefault(); this.step(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") this.toggle(false);
  }

  look() {
    const { slicer } = this.page.text;
    const words = this.field.value.trim().toLowerCase(), text = slicer.text.toLowerCase();
    this.spans = [];
    // Lower case may be longer than the text it is made of; then only exact words are found.
    const [where, what] = text.length === slicer.text.length ? [text, words] : [slicer.text, this.field.value.trim()];
    for (let at = what ? where.indexOf(what) : -1; at >= 0 && this.spans.length < 5000; at = where.indexOf(what, at + what.length)) {
      this.spans.push([slicer.offset(at), slicer.offset(at + what.length)]);
    }
    this.place = -1;
    this.show();
    if (this.spans.length) this.step(1);
    else this.count.textContent = words ? say("not_found") : "";
  }

  step(by) {
    if (!this.spans.length) return;
    this.place = (this.place + by + this.spans.length) % this.spans.length;
    this.count.textContent = say("found", number(this.place + 1), number(this.spans.length));
    if (!this.page.open) this.page.turn("text");
    this.show();
  }

  // Where one reads: in the text or on its pages.
  show() {
    this.page.text.showFound(this.spans, this.page.view === "text" ? this.place : -1);
    this.page.pages?.showFound(this.spans, this.page.view === "pages" ? this.place : -1);
  }
}
