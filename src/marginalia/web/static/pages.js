// The pages of a PDF as pictures, with the notes on them.
import * as api from "./api.js";
import { make } from "./dom.js";
import { isPart, isWide, short } from "./notes.js";
import { labelOf, say } from "./say.js";

export class PagesView {
  constructor(doc, notes, go) {
    this.doc = doc;
    this.notes = notes;
    this.go = go;
    this.boxes = new Map();
    this.node = make("div", { class: "pages" });
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.load(entry.target);
    }, { rootMargin: "800px" });
    doc.pages.forEach(([width, height], index) => {
      const sheet = make("div", { class: "sheet" });
      sheet.style.aspectRatio = `${width} / ${height}`;
      const figure = make("figure", { class: "page", "data-page": String(index + 1) },
        sheet, make("figcaption", {}, `${say("page")} ${index + 1}`));
      this.observer.observe(figure);
      this.node.append(figure);
    });
  }

  close() { this.observer.disconnect(); }

  async load(figure) {
    const page = Number(figure.dataset.page);
    if (!this.boxes.has(page)) {
      this.boxes.set(page, {});
      figure.firstChild.append(make("img", { src: api.picture(this.doc.id, page), alt: `${say("page")} ${page}`, onload: (event) => { event.target.dataset.ready = ""; } }));
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
        const look = `box k-${note.task}${isWide(note) ? " wide" : ""}`;
        const box = index || isPart(note)
          ? make("span", { class: look, title: label, onclick: () => this.go(head) })
          : make("button", { type: "button", class: look, title: `${label}\n${short(note.attrs.why ?? "", 200)}`, "aria-label": label, onclick: () => this.go(head) });
        for (const [side, value] of Object.entries({ left, top, width, height })) box.style[side] = `${100 * value}%`;
        sheet.append(box);
      });
    }
  }

  refresh() { for (const figure of this.node.children) if (this.boxes.has(Number(figure.dataset.page))) this.mark(figure, Number(figure.dataset.page)); }
}
