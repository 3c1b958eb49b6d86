// The pages of a PDF as pictures, with the notes on them; a note that is chosen there is shown there.
import { labelOf, reason } from "./annotators.js";
import * as api from "./api.js";
import { actions, candidateList, details, said } from "./card.js";
import { button, make } from "./dom.js";
import { isPart, isWide, short } from "./notes.js";
import { say } from "./say.js";

export class PagesView {
  constructor(doc, notes, page) {
    Object.assign(this, { doc, notes, page, boxes: new Map(), active: null });
    this.node = make("div", { class: "pages" });
    this.card = make("aside", { class: "card", "aria-live": "polite", hidden: true });
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.load(entry.target);
    }, { rootMargin: "800px" });
    this.sheets = doc.pages.map(([width, height], index) => {
      const name = `${say("page")} ${index + 1}`;
      const sheet = make("div", { class: "sheet" }, make("p", { class: "wait" }, `${name}: ${say("loading")}`));
      sheet.style.aspectRatio = `${width} / ${height}`;
      const figure = make("figure", { class: "page", "data-page": String(index + 1) }, sheet, make("figcaption", {}, name));
      this.observer.observe(figure);
      return figure;
    });
    this.node.append(...this.sheets, this.card);
  }

  close() { this.observer.disconnect(); }

  async load(figure) {
    const page = Number(figure.dataset.page);
    const sheet = figure.firstChild;
    if (!sheet.querySelector("img")) {
      const wait = sheet.querySelector(".wait");
      sheet.append(make("img", { src: api.picture(this.doc.id, page), alt: `${say("page")} ${page}`,
        onload: (event) => { event.target.dataset.ready = ""; wait.remove(); },
        onerror: (event) => { event.target.remove(); wait.textContent = say("page_failed"); } }));
    }
    if (!this.boxes.has(page)) {
      this.boxes.set(page, {});
      this.boxes.set(page, await api.boxes(this.doc.id, page).catch(() => ({})));
    }
    this.mark(figure, page);
  }

  mark(figure, page) {
    const sheet = figure.firstChild;
    for (const old of sheet.querySelectorAll(".box")) old.remove();
    const shown = this.notes.shown();
    for (const [id, places] of Object.entries(this.boxes.get(page) ?? {})) {
      const note = this.notes.byId.get(id);
      if (!note || !shown.has(id)) continue;
      const head = isPart(note) ? note.attrs.part_of[0] : id;
      places.forEach(([left, top, width, height], index) => {
        const label = `${labelOf(note)}: ${short(note.quote, 60)}`;
        const look = `box k-${note.task}${isWide(note) ? " wide" : ""}${head === this.active ? " open" : ""}${note.attrs.decision ? ` d-${note.attrs.decision}` : ""}`;
        const box = index || isPart(note)
          ? make("span", { class: look, title: label, onclick: () => this.open(head) })
          : make("button", { type: "button", class: look, "data-note": id, title: `${label}\n${short(reason(note), 200)}`, "aria-label": label, "aria-expanded": String(id === this.active), onclick: () => this.open(head) });
        for (const [side, value] of Object.entries({ left, top, width, height })) box.style[side] = `${100 * value}%`;
        sheet.append(box);
      });
    }
  }

  refresh() {
    for (const figure of this.sheets) if (this.boxes.has(Number(figure.dataset.page))) this.mark(figure, Number(figure.dataset.page));
    if (this.active && !this.notes.shown().has(this.active)) this.shut();
    else if (this.active) this.fillCard();
  }

  // Notes were added or moved: their boxes are asked for again where pages are there.
  reload() {
    const drawn = [...this.boxes.keys()];
    this.boxes.clear();
    return Promise.all(drawn.map((page) => this.load(this.sheets[page - 1])));
  }

  pageOf(note) { return Math.max(1, (this.doc.meta.pages ?? []).findLastIndex(([start]) => start <= note.start) + 1); }

  async open(id, { focus = false } = {}) {
    const note = this.notes.byId.get(id);
    if (!note) return;
    this.active = id;
    const figure = this.sheets[this.pageOf(note) - 1];
    await this.load(figure);
    this.refresh();
    const box = figure.querySelector(`button[data-note="${CSS.escape(id)}"]`);
    (box ?? figure).scrollIntoView({ block: "center" });
    if (focus) box?.focus({ preventScroll: true });
    this.fillCard();
    this.page.opened(id);
  }

  fillCard() {
    const note = this.notes.byId.get(this.active);
    const { mark, label, why } = said(note);
    this.card.className = `card k-${note.task}`;
    this.card.hidden = false;
    this.card.replaceChildren(
      make("p", {}, make("b", {}, mark + short(note.quote, 160)), " ", make("i", {}, label), why ? ` ${why}` : ""),
      details(note, this.notes, (other) => this.page.go(other)), candidateList(note, this.page), actions(note, this.page) ?? "",
      make("p", { class: "ways" }, button(say("go"), () => this.page.go(note.id)), " ", button(say("close"), () => this.shut())));
  }

  shut() {
    this.active = null;
    this.card.hidden = true;
    for (const box of this.node.querySelectorAll(".box.open")) box.classList.remove("open");
    this.page.opened(null);
  }

  seen() {
    const seen = this.sheets.map((figure, index) => [index, figure.getBoundingClientRect()]).filter(([, box]) => box.bottom > 60 && box.top < innerHeight).map(([index]) => this.doc.meta.pages?.[index]).filter(Boolean);
    return seen.length ? [seen[0][0], seen.at(-1)[1]] : null;
  }

  reach(offset) { this.sheets[this.pageOf({ start: offset }) - 1]?.scrollIntoView(); }

  showFound() {}

  from(order, by) {
    const seen = this.sheets.findIndex((figure) => figure.getBoundingClientRect().bottom > 80) + 1;
    const from = order.findIndex((note) => this.pageOf(note) >= seen);
    return (from < 0 ? order.length : from) - (by > 0 ? 1 : 0);
  }
}
