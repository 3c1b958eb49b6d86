// The text of a document as paragraphs with marks, and the notes beside the lines they belong to.
import { make } from "./dom.js";
import { details, isPart, isWide, short } from "./notes.js";
import { labelOf } from "./say.js";

const TAGS = { code: "pre", table: "pre", quote: "blockquote" };
const GAP = 4;

// Offsets count code points, strings of this language count UTF-16 units.
class Slicer {
  constructor(text) {
    this.text = text;
    if (/[\ud800-\udbff]/.test(text)) {
      this.places = new Uint32Array([...text].length + 1);
      let place = 0, index = 0;
      for (const sign of text) {
        this.places[index++] = place;
        place += sign.length;
      }
      this.places[index] = place;
    }
  }

  cut(start, end) {
    return this.places ? this.text.slice(this.places[start], this.places[end]) : this.text.slice(start, end);
  }
}

export class TextView {
  constructor(doc, notes, onActive) {
    this.doc = doc;
    this.notes = notes;
    this.onActive = onActive;
    this.slicer = new Slicer(doc.text);
    this.active = null;
    this.node = make("article", { class: "document", lang: doc.lang ?? "" });
    this.blocks = doc.blocks.map((block) => this.block(block));
    this.node.append(...this.blocks.map((block) => block.node));
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const block = this.byNode.get(entry.target);
        block.near = entry.isIntersecting;
        if (block.near) this.render(block);
      }
    }, { rootMargin: "600px" });
    this.byNode = new Map(this.blocks.map((block) => [block.node, block]));
    for (const block of this.blocks) this.observer.observe(block.node);
    this.resized = () => this.layoutAll();
    addEventListener("resize", this.resized);
    document.fonts?.ready.then(this.resized);
    this.sort();
  }

  close() {
    this.observer.disconnect();
    removeEventListener("resize", this.resized);
  }

  block(data) {
    const tag = data.kind === "heading" ? `h${Math.min(6, Math.max(2, (data.level ?? 1) + 1))}` : TAGS[data.kind] ?? "p";
    const text = make(tag, { class: "text", "data-marker": data.marker || null });
    text.textContent = this.slicer.cut(data.start, data.end);
    const margin = make("ol", { class: "notes" });
    const node = make("section", { class: `block ${data.kind}` }, text, margin);
    return { ...data, node, text, margin, own: [], over: [], stale: true, near: false };
  }

  // Gives each note to the block it starts in, and to all it lies on.
  sort() {
    for (const block of this.blocks) { block.own = []; block.over = []; block.stale = true; }
    for (const note of this.notes.inOrder()) {
      let index = this.find(note.start);
      if (!isPart(note)) this.blocks[index]?.own.push(note);
      for (; index < this.blocks.length && this.blocks[index].start < note.end; index++) {
        this.blocks[index].over.push(note);
      }
    }
    for (const block of this.blocks) if (block.near) this.render(block);
  }

  find(offset) {
    let low = 0, high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.blocks[middle].start <= offset) low = middle; else high = middle - 1;
    }
    return low;
  }

  render(block) {
    if (!block.stale) return;
    block.stale = false;
    block.text.replaceChildren(...this.marked(block));
    block.margin.replaceChildren(...block.own.map((note) => this.margin(note)));
    this.layout(block);
  }

  // The text is cut wherever a note starts or ends; the shortest note on a piece gives its colour.
  *marked(block) {
    const clamp = (offset) => Math.min(block.end, Math.max(block.start, offset));
    const cuts = new Set([block.start, block.end]);
    for (const note of block.over) { cuts.add(clamp(note.start)); cuts.add(clamp(note.end)); }
    const places = [...cuts].sort((a, b) => a - b);
    for (let index = 0; index + 1 < places.length; index++) {
      const [start, end] = [places[index], places[index + 1]];
      const here = block.over.filter((note) => note.start < end && note.end > start);
      const piece = this.slicer.cut(start, end);
      if (!here.length) { yield document.createTextNode(piece); continue; }
      const shortest = here.reduce((a, b) => (b.end - b.start < a.end - a.start ? b : a));
      const head = here.find((note) => !isPart(note)) ?? this.notes.byId.get(shortest.attrs.part_of[0]);
      const mark = make("mark", { class: `k-${shortest.task}${isWide(shortest) ? " wide" : ""}`, "data-notes": here.map((note) => note.id).join(" ") }, piece);
      if (head) mark.addEventListener("click", () => this.open(head.id, { focus: true }));
      yield mark;
    }
  }

  margin(note) {
    const open = this.active === note.id;
    const button = make("button", {
      type: "button", class: "quote", "aria-expanded": String(open),
      onclick: () => (this.active === note.id ? this.shut() : this.open(note.id)),
    }, isWide(note) ? labelOf(note) : short(note.quote, 48) || "¶");
    const why = note.attrs.why ? short(note.attrs.why, 300) : "";
    const line = make("span", { class: "said" }, isWide(note) ? "" : make("i", {}, labelOf(note)), why ? ` ${why}` : "");
    const item = make("li", { id: `note-${note.id}`, class: `note k-${note.task}${open ? " open" : ""}` }, button, " ", line);
    if (open) item.append(details(note, this.notes, (id) => this.open(id, { focus: true })));
    return item;
  }

  // Notes stand beside the line of their mark, or under the note before if that is in the way.
  layout(block) {
    const wide = getComputedStyle(block.margin).position === "absolute";
    block.node.style.minBlockSize = "";
    let bottom = 0;
    const top = block.node.getBoundingClientRect().top;
    for (const item of block.margin.children) {
      if (!wide) { item.style.top = ""; continue; }
      const id = item.id.slice(5);
      const mark = [...block.text.querySelectorAll("mark")].find((one) => one.dataset.notes.split(" ").includes(id));
      const line = mark ? mark.getClientRects()[0].top - top : 0;
      const place = Math.max(line, bottom);
      item.style.top = `${place}px`;
      bottom = place + item.offsetHeight + GAP;
    }
    if (wide && bottom) block.node.style.minBlockSize = `${bottom}px`;
  }

  layoutAll() { for (const block of this.blocks) if (block.near && !block.stale) this.layout(block); }

  refresh(id) {
    const note = this.notes.byId.get(id);
    if (!note) return null;
    const block = this.blocks[this.find(note.start)];
    block.stale = true;
    this.render(block);
    return block;
  }

  open(id, { focus = false } = {}) {
    const before = this.active;
    this.active = id;
    if (before && before !== id) this.refresh(before);
    const block = this.refresh(id);
    if (!block) return;
    for (const mark of this.node.querySelectorAll("mark.open")) mark.classList.remove("open");
    const marks = this.marks(id);
    for (const mark of marks) mark.classList.add("open");
    const target = marks[0] ?? block.node;
    target.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    if (focus) document.getElementById(`note-${id}`)?.querySelector("button")?.focus({ preventScroll: true });
    this.onActive(id);
  }

  marks(id) {
    return [...this.node.querySelectorAll("mark")].filter((mark) => mark.dataset.notes.split(" ").includes(id));
  }

  shut() {
    const before = this.active;
    this.active = null;
    for (const mark of this.node.querySelectorAll("mark.open")) mark.classList.remove("open");
    if (before) {
      this.refresh(before);
      document.getElementById(`note-${before}`)?.querySelector("button")?.focus({ preventScroll: true });
    }
    this.onActive(null);
  }

  // The next note from the open one, or from what is on the screen.
  step(by) {
    const order = this.notes.inOrder().filter((note) => !isPart(note));
    if (!order.length) return;
    let index = order.findIndex((note) => note.id === this.active);
    if (index < 0) {
      const seen = this.blocks.find((block) => block.node.getBoundingClientRect().bottom > 80);
      const from = seen ? order.findIndex((note) => note.start >= seen.start) : 0;
      index = (from < 0 ? order.length : from) - (by > 0 ? 1 : 0);
    }
    const next = order[Math.min(order.length - 1, Math.max(0, index + by))];
    this.open(next.id, { focus: true });
  }
}
