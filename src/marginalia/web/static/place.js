// How far one has read: remembered for each document and each person, and found again the next time.
import * as api from "./api.js";

const QUIET = 900; // milliseconds without scrolling after which the place is kept

export class Place {
  constructor(page, restore) {
    this.page = page;
    this.length = page.text.blocks.at(-1)?.end || 1;
    this.kept = null;
    if (restore && page.doc.position?.at > 0 && scrollY < 10) page.open?.reach(page.doc.position.at);
    this.moved = () => { clearTimeout(this.wait); this.wait = setTimeout(() => this.keep(), QUIET); };
    this.left = () => this.keep();
    addEventListener("scroll", this.moved, { passive: true });
    addEventListener("pagehide", this.left);
    document.addEventListener("visibilitychange", this.left);
    this.moved();
  }

  close() {
    clearTimeout(this.wait);
    this.keep();
    removeEventListener("scroll", this.moved);
    removeEventListener("pagehide", this.left);
    document.removeEventListener("visibilitychange", this.left);
  }

  keep() {
    const seen = this.page.open?.seen();
    if (!seen || this.page.doc.state !== "done") return;
    const [at, until] = seen;
    const said = `${at} ${until}`;
    if (said === this.kept) return;
    this.kept = said;
    this.page.doc.position = { at };
    api.keepPlace(this.page.id, { at, share: Math.min(1, until / this.length) }).catch(() => { this.kept = null; }); // the next time
  }
}
