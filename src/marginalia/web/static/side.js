// The side panel of a document: its views, its contents, and the list of its notes with what of them is shown.
import { heading, model, profileName, signOf } from "./annotators.js";
import * as api from "./api.js";
import { button, icon, make, select } from "./dom.js";
import { recall, remember } from "./look.js";
import { isPart, plainWord, short } from "./notes.js";
import { thumbnails } from "./pages.js";
import { number, say } from "./say.js";
import { said } from "./card.js";

const WIDE = matchMedia("(min-width: 75rem)"); // beside the text; else above it

export class Side {
  constructor(page) {
    this.page = page;
    this.toggleButton = make("button", { type: "button", class: "icon", id: "side-toggle", "aria-controls": "side", "aria-label": say("panel"), title: `${say("panel")} (o)`, onclick: () => this.toggle() }, icon("side"));
    this.counts = make("p", { class: "quiet counts" });
    this.elsewhere = make("p", { class: "quiet elsewhere", hidden: true });
    this.filters = make("div");
    this.contents = make("div");
    this.thumbs = make("div");
    this.dialPlace = make("div", { class: "dial-place" });
    this.list = make("ol", { class: "note-list" });
    this.listed = make("details", { class: "part", id: "notes-part", open: recall("notes-part") !== "closed", ontoggle: () => { remember("notes-part", this.listed.open ? "open" : "closed"); this.fill(); } },
      make("summary", {}, say("notes")), this.filters, this.counts, this.elsewhere, this.list);
    this.node = make("aside", { class: "side", id: "side", "aria-label": say("panel") }, page.tabs, this.dialPlace, this.contents, this.thumbs, this.listed);
    this.outside = (event) => { if (!WIDE.matches && this.isOpen && !event.target.closest("#side, #side-toggle, dialog, .toast")) this.set(false, false); };
    this.resized = () => this.set(this.wanted(), false);
    document.addEventListener("pointerdown", this.outside, true);
    WIDE.addEventListener("change", this.resized);
    this.set(this.wanted(), false);
  }

  close() {
    document.removeEventListener("pointerdown", this.outside, true);
    WIDE.removeEventListener("change", this.resized);
  }

  wanted() { return WIDE.matches && recall("side") !== "closed"; }

  get isOpen() { return !this.node.hidden; }

  set(open, keep = true) {
    this.node.hidden = !open;
    this.toggleButton.setAttribute("aria-expanded", String(open));
    if (keep && WIDE.matches) remember("side", open ? "open" : "closed");
    if (open) this.fill();
    if (WIDE.matches) this.page.text?.layoutAll();
  }

  toggle() {
    this.set(!this.isOpen);
    (this.isOpen && !WIDE.matches ? this.node.querySelector("[role=tab][tabindex='0']") : this.toggleButton)?.focus();
  }

  // By key: to the contents, and from there back to the text.
  reach() {
    if (this.isOpen && this.node.contains(document.activeElement)) { this.set(false); this.toggleButton.focus(); return; }
    this.set(true);
    (this.contents.querySelector("button") ?? this.node.querySelector("[role=tab][tabindex='0']"))?.focus();
  }

  // What was chosen here is read in the text, which a panel above it would hide.
  leave() { if (!WIDE.matches) this.set(false, false); }

  // Headings, then figures and tables; each leads to its place.
  outline() {
    const { text, pages } = this.page;
    this.thumbs.replaceChildren(pages ? thumbnails(pages, (page) => { this.leave(); this.page.turn("pages"); pages.turn(page); }) : "");
    const jump = (block) => button(short(text.slicer.cut(block.start, block.end), 100), () => { this.leave(); this.page.jumpTo(block.node); }, "line");
    const all = text.blocks.filter((block) => block.kind === "heading"), title = plainWord(this.page.doc.title);
    const heads = all.filter((block) => all.length === 1 || plainWord(text.slicer.cut(block.start, block.end)) !== title);
    const captions = text.blocks.filter((block) => block.kind === "caption" || (block.table && !block.table.caption));
    if (!heads.length && !captions.length) { this.contents.replaceChildren(); return; }
    this.contents.replaceChildren(make("details", { class: "part outline", id: "outline", open: recall("outline") !== "closed", ontoggle: (event) => remember("outline", event.target.open ? "open" : "closed") },
      make("summary", {}, say("contents")), make("nav", { "aria-label": say("contents") },
        make("ol", {}, heads.map((block) => make("li", { class: `level-${Math.min(4, block.level ?? 1)}` }, jump(block)))),
        captions.length ? [make("h3", {}, say("figures")), make("ol", {}, captions.map((block) => make("li", {}, jump(block))))] : null)));
  }

  filterBar() {
    const { page } = this, { notes } = page, counts = notes.counts();
    const boxes = page.kinds().map((task) => make("label", { class: `k-${task}` },
      make("input", { type: "checkbox", checked: !notes.off.has(task), "data-task": task,
        onchange: (event) => { notes.off[event.target.checked ? "delete" : "add"](task); page.update(false); } }), make("span", { class: "sign", "aria-hidden": "true" }, signOf(task)), heading(task), " ", make("small", { class: "quiet" }, number(counts[task]))));
    const ask = model ? make("label", { title: say("asks_why", model) }, make("input", { type: "checkbox", id: "llm", checked: page.doc.llm, disabled: !page.mayWrite,
      onchange: (event) => page.again(() => api.readAgain(page.id, { llm: event.target.checked })) }), say("asks", model)) : null;
    const state = select("state", say("show"), ["open", "accepted", "rejected", "all"].map((one) => [one, say(`s_${one}`)]), notes.state, (one) => { notes.state = one; page.update(); });
    this.filters.replaceChildren(make("fieldset", { class: "filters" }, make("legend", { class: "hidden" }, say("filter")), boxes, ask, state));
  }

  say(counts, elsewhere) {
    this.counts.textContent = counts;
    this.elsewhere.hidden = !elsewhere.length;
    this.elsewhere.replaceChildren(...elsewhere.map(({ notes, count, audience }) => make("span", {}, `${say("elsewhere", number(count), heading(notes))} `,
      this.page.mayWrite ? button(profileName(audience), () => this.page.readFor(audience)) : profileName(audience), ". ")));
  }

  // The notes that are shown, in their order; nobody waits for those of a panel that is shut.
  fill() {
    if (!this.isOpen || !this.listed.open || !this.page.text) return;
    const active = this.page.open?.active;
    this.list.replaceChildren(...this.page.notes.inOrder().filter((note) => !isPart(note)).map((note) => {
      const { why } = said(note);
      return make("li", { class: `k-${note.task}` }, button([make("span", { class: "sign", "aria-hidden": "true" }, signOf(note.task)), " ", make("b", {}, short(note.quote, 40) || "¶"), why ? ` ${short(why, 60)}` : ""],
        () => { this.leave(); this.page.show(note.id); }, "line", { "data-id": note.id, "aria-current": note.id === active ? "true" : null }));
    }));
  }

  // The note that is open is marked in the list.
  follow(id) {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (!id) return;
    const item = this.list.querySelector(`[data-id="${CSS.escape(id)}"]`);
    item?.setAttribute("aria-current", "true");
    const [top, bottom] = [this.node.scrollTop, this.node.scrollTop + this.node.clientHeight];
    if (item && this.isOpen && (item.offsetTop < top || item.offsetTop > bottom - 40)) this.node.scrollTop = item.offsetTop - this.node.clientHeight / 2;
  }
}
