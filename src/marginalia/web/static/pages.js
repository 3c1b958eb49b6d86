// The pages of a PDF as pictures, with their text to select, and the notes in the margin of each, beside their lines.
import * as api from "./api.js";
import { noteItem } from "./card.js";
import { button, make } from "./dom.js";
import { recall, remember } from "./look.js";
import { Margin } from "./margin.js";
import { isPart, isWide } from "./notes.js";
import { number, say } from "./say.js";

const PIXELS = 4 / 3; // of the screen for a point of the page
const [LEAST, MOST, STEP] = [0.5, 3, 1.2];
const pen = document.createElement("canvas").getContext("2d");
pen.font = "100px sans-serif";

export class PagesView {
  constructor(doc, notes, page) {
    Object.assign(this, { doc, notes, page, active: null, found: [], hit: -1, zoom: Number(recall("zoom")) || null, two: recall("two-pages") === "yes" });
    this.beside = new Margin(this, { room: (sheet) => sheet.node.clientHeight, rank: (id) => notes.rankOf(id), lineOf: (sheet, ids) => ids.map((id) => this.topOf(sheet, id)) });
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = this.sheets[target.dataset.page - 1];
        sheet.near = isIntersecting;
        if (isIntersecting) this.load(sheet);
      }
    }, { rootMargin: "800px" });
    this.sheets = doc.pages.map(([width, height], index) => this.sheet(width, height, index + 1));
    this.field = make("input", { id: "page-number", inputmode: "numeric", "aria-label": say("go_to_page"), value: "1", onchange: (event) => this.turn(Number(event.target.value)) });
    this.share = make("span", { class: "quiet share" });
    const step = (sign, label, act) => button(sign, act, "step", { "aria-label": label, title: label });
    this.tools = make("div", { class: "pages-tools", role: "toolbar", "aria-label": say("pages") },
      step("‹", say("previous"), () => this.turn(this.current() - 1)), this.field, make("span", {}, `/ ${number(doc.pages.length)}`), step("›", say("next"), () => this.turn(this.current() + 1)),
      step("−", say("smaller"), () => this.scale(this.percent() / STEP)), this.share, step("+", say("larger"), () => this.scale(this.percent() * STEP)),
      button(say("fit"), () => this.scale(null), "step", { id: "fit" }),
      button(say("two_pages"), (event) => { this.two = !this.two; remember("two-pages", this.two ? "yes" : ""); event.currentTarget.setAttribute("aria-pressed", String(this.two)); this.fit(); }, "step", { id: "two-pages", "aria-pressed": String(this.two) }));
    this.node = make("div", { class: "pages" }, this.sheets.map((sheet) => sheet.node), this.tools);
    this.resized = () => this.fit();
    this.scrolled = () => { if (document.activeElement !== this.field && this.node.isConnected) this.field.value = String(this.current()); };
    addEventListener("resize", this.resized);
    addEventListener("scroll", this.scrolled, { passive: true });
  }

  close() {
    this.observer.disconnect();
    removeEventListener("resize", this.resized);
    removeEventListener("scroll", this.scrolled);
  }

  sheet(width, height, page) {
    const name = `${say("page")} ${page}`;
    const wait = make("p", { class: "wait" }, `${name}: ${say("loading")}`);
    const words = make("div", { class: "words", lang: this.doc.lang ?? "" }), marks = make("div", { class: "marks" }), margin = make("ol", { class: "notes" });
    const paper = make("div", { class: "sheet" }, wait, marks, words);
    paper.style.aspectRatio = `${width} / ${height}`;
    const node = make("figure", { class: "page", "data-page": String(page) }, paper, margin, make("figcaption", {}, name));
    const sheet = { page, width, height, node, paper, wait, words, marks, margin, lines: null, near: false };
    margin.addEventListener("mouseover", (event) => this.warm(event.target.closest(".note")?.id.slice(5)));
    paper.addEventListener("click", (event) => this.touch(sheet, event));
    paper.addEventListener("mousemove", (event) => this.warm(this.noteAt(sheet, event)));
    this.observer.observe(node);
    return sheet;
  }

  // As wide as there is room beside the notes, or as large as was chosen.
  fit() {
    if (!this.node.isConnected) return;
    this.node.classList.toggle("two", this.two);
    const room = this.node.clientWidth, margin = this.two || innerWidth <= 736 ? 0 : Math.min(416, Math.max(224, 0.32 * room)) + 24;
    const widest = Math.max(...this.sheets.map((sheet) => sheet.width)) * PIXELS;
    this.fitting = Math.min(1.6, ((this.two ? room / 2 - 12 : room) - margin) / widest);
    for (const sheet of this.sheets) sheet.paper.style.inlineSize = `${sheet.width * PIXELS * this.percent()}px`;
    this.node.style.setProperty("--margin", `${margin ? margin - 24 : 0}px`);
    this.share.textContent = `${number(100 * this.percent())} %`;
    for (const sheet of this.sheets) if (sheet.lines) this.beside.lay(sheet);
  }

  percent() { return this.zoom ?? this.fitting ?? 1; }

  scale(zoom) {
    const page = this.current();
    this.zoom = zoom === null ? null : Math.min(MOST, Math.max(LEAST, zoom));
    remember("zoom", this.zoom ?? "");
    this.fit();
    this.turn(page);
  }

  current() {
    const seen = this.sheets.findIndex((sheet) => sheet.node.getBoundingClientRect().bottom > innerHeight / 3);
    return (seen < 0 ? this.sheets.length - 1 : seen) + 1;
  }

  turn(page) {
    const sheet = this.sheets[Math.min(this.sheets.length, Math.max(1, Math.round(page) || 1)) - 1];
    sheet.node.scrollIntoView();
    this.field.value = String(sheet.page);
  }

  layoutAll() { this.fit(); }

  async load(sheet) {
    if (!sheet.paper.querySelector("img")) {
      sheet.paper.prepend(make("img", { src: api.picture(this.doc.id, sheet.page), alt: `${say("page")} ${sheet.page}`,
        onload: (event) => { event.target.dataset.ready = ""; sheet.wait.remove(); },
        onerror: (event) => { event.target.remove(); sheet.wait.textContent = say("page_failed"); } }));
    }
    sheet.coming ??= api.lines(this.doc.id, sheet.page).catch(() => []).then((lines) => { sheet.lines = lines; this.write(sheet); });
    await sheet.coming;
    this.mark(sheet);
  }

  // The text of the page, unseen, each word where it stands in the picture: to be selected, copied and found.
  write(sheet) {
    const { slicer } = this.page.text;
    sheet.words.replaceChildren(...sheet.lines.map((line) => {
      const text = slicer.cut(line.start, line.start + line.x.length - 1), high = line.bottom - line.top;
      const row = make("span", { class: "line-of-page" });
      let at = 0; // characters before the word, which may be more than one unit each
      for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
        const length = [...word].length, [left, right] = [line.x[at], line.x[at + length]].sort((a, b) => a - b);
        const natural = (pen.measureText(word).width / 100) * high * sheet.height;
        const span = make("span", { "data-start": String(line.start + at) }, word);
        Object.assign(span.style, { left: `${100 * left}%`, top: `${100 * line.top}%`, fontSize: `${100 * high}cqh`, transform: `scaleX(${natural ? ((right - left) * sheet.width) / natural : 1})` });
        row.append(span);
        at += length;
      }
      row.append("\n");
      return row;
    }));
  }

  // The boxes of a span on a page: left, top, width and height as shares of it.
  boxes(sheet, start, end) {
    return sheet.lines.filter((line) => line.start < end && line.start + line.x.length - 1 > start).map((line) => {
      const [from, to] = [line.x[Math.max(0, start - line.start)], line.x[Math.min(line.x.length - 1, end - line.start)]].sort((a, b) => a - b);
      return [from, line.top, to - from, line.bottom - line.top];
    });
  }

  topOf(sheet, id) {
    const note = this.notes.byId.get(id), [box] = note ? this.boxes(sheet, note.start, note.end) : [];
    return box ? box[1] * sheet.paper.clientHeight : 0;
  }

  mark(sheet) {
    if (!sheet.lines) return;
    const draw = (look, places, more = {}) => places.map(([left, top, width, height]) => {
      const box = make("span", { class: look, ...more });
      for (const [side, value] of Object.entries({ left, top, width, height })) box.style[side] = `${100 * value}%`;
      return box;
    });
    const own = [];
    const marks = this.notes.inOrder().flatMap((note) => {
      const places = this.boxes(sheet, note.start, note.end);
      if (!places.length) return [];
      const head = isPart(note) ? note.attrs.part_of[0] : note.id;
      if (!isPart(note) && this.pageOf(note) === sheet.page) own.push(note);
      return draw(`box k-${note.task}${isWide(note) ? " wide" : ""}${head === this.active ? " open" : ""}${note.attrs.decision ? ` d-${note.attrs.decision}` : ""}`, places, { "data-note": head });
    });
    const found = this.found.flatMap(([start, end], index) => draw(`box found${index === this.hit ? " now" : ""}`, this.boxes(sheet, start, end)));
    sheet.marks.replaceChildren(...marks, ...found);
    const tops = new Map(own.map((note) => [note, this.boxes(sheet, note.start, note.end)[0][1]]));
    own.sort((a, b) => tops.get(a) - tops.get(b)); // of two columns, what stands higher comes first
    sheet.margin.replaceChildren(...own.map((note) => noteItem(note, this.page, note.id === this.active, () => (this.active === note.id ? this.shut() : this.open(note.id)))));
    if (this.node.isConnected) this.beside.lay(sheet);
  }

  refresh() { for (const sheet of this.sheets) if (sheet.lines) this.mark(sheet); }

  // The words of a page lie above its marks: which mark was meant is seen from the place.
  noteAt(sheet, event) {
    const { left, top, width, height } = sheet.paper.getBoundingClientRect();
    const x = (event.clientX - left) / width, y = (event.clientY - top) / height;
    const hits = (sheet.lines ? this.notes.inOrder() : []).filter((note) => this.boxes(sheet, note.start, note.end).some(([from, above, wide, high]) => x >= from && x <= from + wide && y >= above && y <= above + high));
    const note = hits.reduce((best, one) => (best && best.end - best.start <= one.end - one.start ? best : one), null);
    return note ? (isPart(note) ? note.attrs.part_of[0] : note.id) : null;
  }

  touch(sheet, event) {
    const id = getSelection().isCollapsed ? this.noteAt(sheet, event) : null;
    if (id) this.open(id, { focus: true });
  }

  warm(id) {
    if (id === this.warmed) return;
    for (const node of this.node.querySelectorAll(".warm")) node.classList.remove("warm");
    this.warmed = id;
    if (!id) return;
    for (const node of [...this.node.querySelectorAll(`.box[data-note="${CSS.escape(id)}"]`), ...this.node.querySelectorAll(`#note-${CSS.escape(id)}`)]) node.classList.add("warm");
  }

  pageOf(note) { return Math.max(1, (this.doc.meta.pages ?? []).findLastIndex(([start]) => start <= note.start) + 1); }

  async open(id, { focus = false } = {}) {
    const note = this.notes.byId.get(id);
    if (!note) return;
    this.active = id;
    const sheet = this.sheets[this.pageOf(note) - 1];
    await this.load(sheet);
    this.refresh();
    const item = sheet.margin.querySelector(`#note-${CSS.escape(id)}`);
    (sheet.marks.querySelector(`[data-note="${CSS.escape(id)}"]`) ?? sheet.node).scrollIntoView({ block: "center" });
    if (focus) item?.querySelector("button")?.focus({ preventScroll: true });
    this.page.opened(id);
  }

  shut() {
    const before = this.active;
    this.active = null;
    this.refresh();
    if (before) this.node.querySelector(`#note-${CSS.escape(before)} button`)?.focus({ preventScroll: true });
    this.page.opened(null);
  }

  showFound(spans, hit) {
    Object.assign(this, { found: spans, hit });
    this.refresh();
    if (hit < 0) return;
    const sheet = this.sheets[this.pageOf({ start: spans[hit][0] }) - 1];
    this.load(sheet).then(() => (sheet.marks.querySelector(".found.now") ?? sheet.node).scrollIntoView({ block: "center" }));
  }

  // The span of the text that is selected on a page.
  selected() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    const offset = (node, place) => {
      const word = node.parentElement?.closest("[data-start]");
      return word && this.node.contains(word) ? Number(word.dataset.start) + [...node.data.slice(0, place)].length : null;
    };
    const [start, end] = [offset(range.startContainer, range.startOffset), offset(range.endContainer, range.endOffset)];
    if (start === null || end === null || end <= start) return null;
    const quote = this.page.text.slicer.cut(start, end), lead = quote.length - quote.trimStart().length;
    return quote.trim() ? { start: start + lead, end: start + lead + [...quote.trim()].length, quote: quote.trim() } : null;
  }

  seen() {
    const seen = this.sheets.map((sheet, index) => [index, sheet.node.getBoundingClientRect()]).filter(([, box]) => box.bottom > 60 && box.top < innerHeight).map(([index]) => this.doc.meta.pages?.[index]).filter(Boolean);
    return seen.length ? [seen[0][0], seen.at(-1)[1]] : null;
  }

  reach(offset) { this.turn(this.pageOf({ start: offset })); }

  from(order, by) {
    const from = order.findIndex((note) => this.pageOf(note) >= this.current());
    return (from < 0 ? order.length : from) - (by > 0 ? 1 : 0);
  }
}

// Small pictures of all pages, drawn when they are looked at; each leads to its page.
export function thumbnails(view, go) {
  return make("details", { class: "part", id: "thumbnails" }, make("summary", {}, say("pages")), make("div", { class: "thumbs" }, view.sheets.map(({ page, width, height }) => {
    const image = make("img", { src: api.picture(view.doc.id, page), alt: "", loading: "lazy" });
    image.style.aspectRatio = `${width} / ${height}`;
    return button([image, number(page)], () => go(page), "line", { "aria-label": `${say("page")} ${page}` });
  })));
}
