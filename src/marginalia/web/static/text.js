// The text of a document as paragraphs with marks, and the notes beside the lines they belong to.
import * as api from "./api.js";
import { noteItem } from "./card.js";
import { make } from "./dom.js";
import { Margin } from "./margin.js";
import { isPart, isWide, short } from "./notes.js";
import { extent, say } from "./say.js";
import { Slicer } from "./slicer.js";

const TAGS = { code: "pre", table: "pre", quote: "blockquote" };

export class TextView {
  constructor(doc, notes, page) {
    Object.assign(this, { doc, notes, page, active: null, found: [], hit: -1, slicer: new Slicer(doc.text) });
    this.beside = new Margin(this, { room: (block, top) => this.roomOf(block, top), rank: (id) => notes.rankOf(id), lineOf: (block, ids, top) => this.linesOf(block, ids, top) });
    this.tables = new Map((doc.meta.tables ?? []).map((table) => [table.start, table]));
    this.node = make("article", { class: "document", lang: doc.lang ?? "" });
    this.blocks = doc.blocks.map((block) => this.block(block));
    this.node.append(masthead(doc), ...this.blocks.map((block) => block.node));
    const title = this.blocks.findIndex((block) => block.kind === "heading");
    if (title > 0 && title <= 3 && this.blocks[title].start < 300) for (const block of this.blocks.slice(0, title)) block.node.classList.add("before-title");
    this.addFigures(doc);
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
    this.printed = () => { for (const block of this.blocks) this.render(block); };
    addEventListener("resize", this.resized);
    addEventListener("beforeprint", this.printed);
    document.fonts?.ready.then(this.resized);
    this.node.addEventListener("mouseover", (event) => this.warm(event.target));
    this.node.addEventListener("focusin", (event) => this.warm(event.target));
    this.sort();
  }

  close() {
    this.observer.disconnect();
    removeEventListener("resize", this.resized);
    removeEventListener("beforeprint", this.printed);
  }

  block(data) {
    const table = this.tables.get(data.start);
    const tag = data.kind === "heading" ? `h${Math.min(6, Math.max(2, (data.level ?? 1) + 1))}` : table ? "table" : TAGS[data.kind] ?? "p";
    const text = make(tag, { class: "text", "data-marker": data.marker || null });
    const margin = make("ol", { class: "notes" });
    const node = make("section", { class: `block ${data.kind}` }, table ? make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("figures") }, text) : text, margin);
    const block = { ...data, node, text, margin, table, own: [], over: [], stale: true, near: false };
    this.fill(block, (start, end) => [document.createTextNode(this.slicer.cut(start, end))]);
    return block;
  }

  // Each picture stands before the paragraph that follows it, which is its caption where it has one.
  addFigures(doc) {
    (doc.meta.figures ?? []).forEach((figure, number) => {
      const index = this.find(figure.start), block = this.blocks[index]?.start >= figure.start ? this.blocks[index] : this.blocks[index + 1];
      const words = figure.end > figure.start ? this.slicer.cut(figure.start, figure.end) : "";
      const node = figureNode(doc, figure, number + 1, words);
      if (block) block.node.before(node); else this.node.append(node);
    });
  }

  // The text of a block, or of each cell of a table.
  fill(block, pieces) {
    if (!block.table) { block.text.replaceChildren(...pieces(block.start, block.end)); return; }
    block.text.replaceChildren(make("tbody", {}, block.table.rows.map((row) => make("tr", {}, row.map((cell) =>
      make(cell.head ? "th" : "td", { "data-start": String(cell.start) }, ...pieces(cell.start, cell.end)))))));
  }

  // Gives each note to the block it starts in, and to all it lies on.
  sort() {
    for (const block of this.blocks) { block.own = []; block.over = []; block.stale = true; }
    for (const note of this.notes.inOrder()) {
      let index = this.find(note.start);
      if (!isPart(note)) this.blocks[index]?.own.push(note);
      for (; index < this.blocks.length && this.blocks[index].start < note.end; index++) this.blocks[index].over.push(note);
    }
    for (const block of this.blocks) if (block.near) this.render(block); else this.blank(block);
  }

  // What is far away shows no marks of before; it gets those of now when it comes near.
  blank(block) {
    if (!block.margin.childElementCount && !block.text.querySelector("mark")) return;
    this.fill(block, (start, end) => [document.createTextNode(this.slicer.cut(start, end))]);
    block.margin.replaceChildren();
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
    this.fill(block, (start, end) => [...this.marked(block, start, end)]);
    block.margin.replaceChildren(...block.own.map((note) => this.margin(note)));
    if (this.active) for (const mark of this.marks(this.active)) mark.classList.add("open");
    this.beside.lay(block);
  }

  // The text is cut wherever a note or a word that was looked for starts or ends; the shortest note on a piece gives its colour.
  *marked(block, first, last) {
    const clamp = (offset) => Math.min(last, Math.max(first, offset));
    const cuts = new Set([first, last]);
    const hits = this.found.map((span, index) => [...span, index]).filter(([start, end]) => start < last && end > first);
    for (const { start, end } of [...block.over, ...hits.map(([start, end]) => ({ start, end }))]) { cuts.add(clamp(start)); cuts.add(clamp(end)); }
    const places = [...cuts].sort((a, b) => a - b);
    for (let index = 0; index + 1 < places.length; index++) {
      const [start, end] = [places[index], places[index + 1]];
      const here = block.over.filter((note) => note.start < end && note.end > start);
      const hit = hits.find(([from, to]) => from < end && to > start);
      const text = this.slicer.cut(start, end);
      const piece = hit ? make("span", { class: `found${hit[2] === this.hit ? " now" : ""}` }, text) : document.createTextNode(text);
      if (!here.length) { yield piece; continue; }
      const shortest = here.reduce((a, b) => (b.end - b.start < a.end - a.start ? b : a));
      const head = here.find((note) => !isPart(note)) ?? this.notes.byId.get(shortest.attrs.part_of[0]);
      const mark = make("mark", { class: `k-${shortest.task}${isWide(shortest) ? " wide" : ""}${shortest.attrs.decision ? ` d-${shortest.attrs.decision}` : ""}`, "data-notes": here.map((note) => note.id).join(" "), "data-head": head?.id ?? "" }, piece);
      if (head) mark.addEventListener("click", () => { if (getSelection().isCollapsed) this.open(head.id, { focus: true }); });
      yield mark;
    }
  }

  margin(note) {
    const open = this.active === note.id;
    return noteItem(note, this.page, open, () => (this.active === note.id ? this.shut() : this.open(note.id)));
  }

  // How far notes may reach down: to the next block that has some.
  roomOf(block, top) {
    let index = this.find(block.start) + 1;
    while (index < this.blocks.length && !this.blocks[index].own.length) index++;
    const next = this.blocks[index];
    return (next ? next.node.getBoundingClientRect().top : this.node.getBoundingClientRect().bottom) - top;
  }

  // How far below the top of the paragraph the mark of each note begins.
  linesOf(block, ids, top) {
    const marks = new Map();
    for (const mark of block.text.querySelectorAll("mark")) for (const id of mark.dataset.notes.split(" ")) if (!marks.has(id)) marks.set(id, mark);
    return ids.map((id) => { const mark = marks.get(id); return mark ? mark.getClientRects()[0].top - top : 0; });
  }

  layoutAll() { for (const block of this.blocks) if (block.near && !block.stale) this.beside.lay(block); }

  refresh(id) {
    const note = this.notes.byId.get(id);
    if (!note) return null;
    const block = this.blocks[this.find(note.start)];
    block.stale = true;
    this.render(block);
    return block;
  }

  // The place of a note under the pointer or with the focus, and the note of a place.
  warm(target) {
    const id = target.closest?.(".note")?.id.slice(5) ?? target.closest?.("mark")?.dataset.head;
    if (id === this.warmed) return;
    for (const node of this.node.querySelectorAll(".warm")) node.classList.remove("warm");
    this.warmed = id;
    if (!id) return;
    for (const mark of this.marks(id)) mark.classList.add("warm");
    const item = document.getElementById(`note-${id}`);
    item?.classList.add("warm");
    if (item?.classList.contains("folded")) item.parentElement.querySelector(".more")?.classList.add("warm");
  }

  open(id, { focus = false } = {}) {
    const before = this.active;
    this.active = id;
    if (before && before !== id) this.refresh(before);
    for (const mark of this.node.querySelectorAll("mark.open")) mark.classList.remove("open");
    const block = this.refresh(id);
    if (!block) { this.active = null; return; }
    const target = this.marks(id)[0] ?? block.node;
    this.scroll(target);
    if (focus) document.getElementById(`note-${id}`)?.querySelector("button")?.focus({ preventScroll: true });
    this.page.opened(id);
  }

  scroll(target) {
    target.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
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
    this.page.opened(null);
  }

  // From where to where the text is on the screen.
  seen() {
    const rows = this.blocks.map((block) => [block, block.node.getBoundingClientRect()]).filter(([, box]) => box.bottom > 60 && box.top < innerHeight);
    return rows.length ? [rows[0][0].start, rows.at(-1)[0].end] : null;
  }

  reach(offset) { this.blocks[this.find(offset)]?.node.scrollIntoView(); }

  // The note that is on the screen, from which to step.
  from(order, by) {
    const seen = this.blocks.find((block) => block.node.getBoundingClientRect().bottom > 80);
    const from = seen ? order.findIndex((note) => note.start >= seen.start) : 0;
    return (from < 0 ? order.length : from) - (by > 0 ? 1 : 0);
  }

  // Words that were looked for are shown in the text; the current one is brought to the screen.
  showFound(spans, hit) {
    this.found = spans;
    this.hit = hit;
    for (const block of this.blocks) { block.stale = true; if (block.near) this.render(block); }
    if (hit < 0) return;
    const block = this.blocks[this.find(spans[hit][0])];
    this.render(block);
    this.scroll(block.node.querySelector(".found.now") ?? block.node);
  }

  // The span of the text that is selected, if it lies in one paragraph.
  selected() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    const node = range.startContainer.parentElement?.closest(".block");
    const block = node && this.byNode.get(node);
    if (!block || !block.text.contains(range.endContainer)) return null;
    const cell = range.startContainer.parentElement.closest("[data-start]") ?? block.text;
    if (!cell.contains(range.endContainer)) return null;
    const before = document.createRange();
    before.selectNodeContents(cell);
    before.setEnd(range.startContainer, range.startOffset);
    const start = Number(cell.dataset.start ?? block.start) + [...before.toString()].length;
    const words = [...range.toString()];
    const lead = words.findIndex((sign) => sign.trim());
    const text = words.join("").trim();
    return text ? { start: start + lead, end: start + lead + [...text].length, quote: text } : null;
  }
}

// A text that does not begin with its title, as that of most web pages, gets it from what is known of the file.
function masthead(doc) {
  const letters = (text) => text.toLowerCase().replace(/[\W_]+/g, ""), title = letters(doc.title);
  if (!title || letters(doc.name).startsWith(title) || letters(doc.text.slice(0, 1000)).includes(title)) return "";
  return make("header", { class: "masthead" }, make("h2", { class: "text" }, doc.title), make("p", { class: "quiet" }, [doc.authors, ...extent(doc)].filter(Boolean).join(" · ")));
}

// Pictures of a document between its paragraphs: those that its file holds, and those of a PDF cut out of their page.

const PIXELS = 4 / 3; // of the screen for a point of the page

export function figureNode(doc, figure, number, words) {
  const alt = figure.alt || (words ? `${say("figure")}: ${short(words, 200)}` : say("figure"));
  const node = make("div", { class: "block picture" }, figure.page ? crop(doc, figure, alt) : whole(doc, number, alt));
  node.querySelector("img").addEventListener("error", () => node.replaceChildren(make("p", { class: "text quiet" }, figure.alt ? `${say("no_figure")} ${figure.alt}` : say("no_figure"))));
  return node;
}

const whole = (doc, number, alt) => make("img", { src: api.figure(doc.id, number), alt, loading: "lazy" });

// The picture of the page is one for all its figures; only a part of it is seen.
function crop(doc, { page, box }, alt) {
  const [left, top, right, bottom] = box.map((side) => side / 10);
  const [width, height] = [right - left, bottom - top];
  const [wide, high] = doc.pages[page - 1] ?? [right, bottom];
  const image = make("img", { src: api.picture(doc.id, page), alt, loading: "lazy" });
  Object.assign(image.style, { inlineSize: `${(100 * wide) / width}%`, blockSize: `${(100 * high) / height}%`, left: `${(-100 * left) / width}%`, top: `${(-100 * top) / height}%` });
  const node = make("div", { class: "crop" }, image);
  Object.assign(node.style, { aspectRatio: `${width} / ${height}`, inlineSize: `${PIXELS * width}px` });
  return node;
}
