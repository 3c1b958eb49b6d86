// Pictures of a document between its paragraphs: those that its file holds, and those of a PDF cut out of their page.
import * as api from "./api.js";
import { make } from "./dom.js";
import { short } from "./notes.js";
import { say } from "./say.js";

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
