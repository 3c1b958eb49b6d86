// Words looked for in the text, and the contents of a document: ways to a place.
import { button, make } from "./dom.js";
import { short } from "./notes.js";
import { number, say } from "./say.js";

export class Finder {
  constructor(page) {
    this.page = page;
    this.spans = [];
    this.place = -1;
    this.count = make("span", { class: "quiet", role: "status" });
    this.field = make("input", { type: "search", id: "find", placeholder: say("find"), "aria-label": say("find"),
      oninput: () => this.look(), onkeydown: (event) => this.key(event) });
    this.node = make("span", { class: "find", role: "search" }, this.field,
      button("↑", () => this.step(-1), "step", { "aria-label": `${say("find")}: ${say("previous")}` }), button("↓", () => this.step(1), "step", { "aria-label": `${say("find")}: ${say("next")}` }), this.count);
  }

  key(event) {
    if (event.key === "Enter") { event.preventDefault(); this.step(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { this.field.value = ""; this.look(); this.field.blur(); }
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
    this.page.text.showFound(this.spans, -1);
    if (this.spans.length) this.step(1);
    else this.count.textContent = words ? say("not_found") : "";
  }

  step(by) {
    if (!this.spans.length) return;
    this.place = (this.place + by + this.spans.length) % this.spans.length;
    this.count.textContent = say("found", number(this.place + 1), number(this.spans.length));
    if (this.page.view !== "text") this.page.turn("text");
    this.page.text.showFound(this.spans, this.place);
  }
}

// Headings, then figures and tables; each leads to its place.
export function outline(page) {
  const { text } = page;
  const jump = (block) => button(short(text.slicer.cut(block.start, block.end), 100), () => page.jumpTo(block.node), "plain");
  const heads = text.blocks.filter((block) => block.kind === "heading");
  const captions = text.blocks.filter((block) => block.kind === "caption" || (block.table && !block.table.caption));
  if (!heads.length && !captions.length) return null;
  const items = heads.map((block) => make("li", { class: `level-${Math.min(4, block.level ?? 1)}` }, jump(block)));
  return make("details", { class: "menu outline", id: "outline" }, make("summary", {}, say("contents")),
    make("nav", { "aria-label": say("contents") }, make("ol", {}, items),
      captions.length ? [make("h3", {}, say("figures")), make("ol", {}, captions.map((block) => make("li", {}, jump(block))))] : null));
}
