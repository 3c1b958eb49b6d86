// Where the notes beside a paragraph stand: each whole and at its line where there is room, shorter where there is less, and
// the least useful folded away where there is not even a line for each.
import { button } from "./dom.js";
import { number, say } from "./say.js";

const GAP = 4;
const SPARE_LINES = 3; // a paragraph may grow by so much before notes are folded away

// How many lines each note gets: all that it needs, and where that is too much the longest give up lines first.
export function shareLines(needed, room) {
  const lines = [...needed];
  let over = lines.reduce((sum, one) => sum + one, 0) - room;
  while (over > 0) {
    const most = Math.max(...lines);
    if (most <= 1) break;
    const longest = lines.filter((one) => one === most).length, next = Math.max(1, ...lines.filter((one) => one < most));
    const cut = Math.min(over, longest * (most - next));
    const [each, rest] = [Math.floor(cut / longest), cut % longest];
    for (let index = 0, seen = 0; index < lines.length; index++) if (lines[index] === most) lines[index] -= each + (seen++ < rest ? 1 : 0);
    over -= cut;
  }
  return lines;
}

// The tops of notes of these heights: as near to their lines as the others and the room allow.
export function stack(wanted, heights, room) {
  const tops = [];
  let bottom = 0;
  wanted.forEach((line, index) => { tops.push(Math.max(line, bottom)); bottom = tops[index] + heights[index] + GAP; });
  let limit = Math.max(room, heights.reduce((sum, one) => sum + one + GAP, -GAP));
  for (let index = tops.length - 1; index >= 0; index--) {
    tops[index] = Math.max(0, Math.min(tops[index], limit - heights[index]));
    limit = tops[index] - GAP;
  }
  return tops;
}

export class Margin {
  // ``room``: pixels until the next paragraph that has notes; ``rank``: id -> place among all notes, most useful first;
  // ``lineOf``: how far below the top of the paragraph the place of a note begins.
  constructor(view, { room, rank, lineOf }) {
    Object.assign(this, { view, room, rank, lineOf });
  }

  lay(block) {
    const list = block.margin;
    list.querySelector(".more")?.remove();
    block.node.style.minBlockSize = "";
    const all = [...list.children];
    for (const item of all) { item.style.top = ""; item.style.removeProperty("--lines"); item.classList.remove("folded", "tight"); }
    if (!all.length || getComputedStyle(list).position !== "absolute") return;
    const top = block.node.getBoundingClientRect().top, lineHeight = parseFloat(getComputedStyle(all[0]).lineHeight);
    const room = this.room(block, top);
    const step = lineHeight + GAP;
    const fits = Math.floor((room + GAP) / step);
    const crowded = all.length > Math.max(fits, 1) + SPARE_LINES;
    const items = crowded && !block.unfolded ? this.fold(block, all, Math.max(2, fits)) : all;
    const lines = this.lineOf(block, items.map((item) => item.id.slice(5)), top);
    for (const item of items) item.style.setProperty("--lines", "none");
    const whole = items.map((item) => item.offsetHeight);
    const isOpen = items.map((item) => item.classList.contains("open"));
    const more = crowded ? this.more(block, all.length - items.length) : null;
    const spare = room - items.length * GAP - (more ? step : 0);
    const shares = shareLines(whole.map((height, index) => (isOpen[index] ? 1 : Math.max(1, Math.round(height / lineHeight)))), Math.max(items.length, Math.floor(spare / lineHeight)));
    const heights = whole.map((height, index) => (isOpen[index] ? height : Math.min(height, shares[index] * lineHeight)));
    items.forEach((item, index) => {
      item.style.setProperty("--lines", isOpen[index] ? "none" : String(shares[index]));
      item.classList.toggle("tight", !isOpen[index] && whole[index] > heights[index] + 1);
    });
    if (more) { list.append(more); lines.push(Math.max(...lines)); heights.push(lineHeight); items.push(more); }
    const tops = stack(lines, heights, room);
    items.forEach((item, index) => { item.style.top = `${tops[index]}px`; });
    const bottom = tops.at(-1) + heights.at(-1) + GAP;
    if (bottom > room) block.node.style.minBlockSize = `${bottom - room + block.node.offsetHeight}px`;
  }

  // The most useful stay, and the one that is open.
  fold(block, all, fits) {
    const id = (item) => item.id.slice(5);
    const best = [...all].sort((a, b) => b.classList.contains("open") - a.classList.contains("open") || this.rank(id(a)) - this.rank(id(b)));
    const kept = new Set(best.slice(0, Math.max(1, fits - 1)));
    for (const item of all) item.classList.toggle("folded", !kept.has(item));
    return all.filter((item) => kept.has(item));
  }

  more(block, hidden) {
    const words = hidden ? say("more_notes", number(hidden)) : say("fewer_notes");
    const item = document.createElement("li");
    item.className = "more";
    item.append(button(words, () => {
      block.unfolded = !block.unfolded;
      this.view.layoutAll();
      block.margin.querySelector(".more button")?.focus({ preventScroll: true });
    }, "plain", { "aria-expanded": String(!hidden) }));
    return item;
  }
}
