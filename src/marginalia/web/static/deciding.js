// What is decided about notes, by mouse and by keys: accept, reject, edit, add, choose a candidate, and take it back.
import { leavesOutKnown } from "./annotators.js";
import * as api from "./api.js";
import { askMargin } from "./asking.js";
import { isTaken, toast } from "./dom.js";
import { editNote, showKeys } from "./editor.js";
import { isPart, plainWord, short } from "./notes.js";
import { number, say } from "./say.js";

export class Deciding {
  constructor(page) {
    this.page = page;
    this.keys = (event) => this.press(event);
    this.selects = () => this.offer();
    addEventListener("keydown", this.keys);
    document.addEventListener("selectionchange", this.selects);
    // Another tab with this document follows at once.
    this.tabs = new BroadcastChannel("decisions");
    this.tabs.onmessage = ({ data }) => { if (data.id === page.id && page.text) this.took(data.difference, false); };
  }

  close() {
    removeEventListener("keydown", this.keys);
    document.removeEventListener("selectionchange", this.selects);
    this.tabs.close();
  }

  // Decide, then go on to the next note, as whoever goes through a document does.
  async decide(id, verdict, known = false) {
    const note = this.page.notes.byId.get(id);
    const order = this.page.notes.inOrder().filter((one) => !isPart(one));
    const next = order[order.findIndex((one) => one.id === id) + 1];
    try {
      this.took(await api.decide(this.page.id, [id], verdict, known));
    } catch (problem) {
      toast(problem.message);
      return;
    }
    toast(say("did", say(verdict), short(note.quote, 60)), say("undo"), () => this.undo());
    if (next && verdict !== "cleared" && this.page.notes.shown().has(next.id)) this.page.open?.open(next.id, { focus: true });
  }

  // A candidate of a sentence: accepted or rejected, or undecided again where it was so already.
  async choose(id, variable, verdict) {
    const one = this.page.notes.byId.get(id).attrs.candidates.find((each) => each.id === variable);
    const said = one.decision === verdict ? "undecided" : verdict;
    try {
      this.took(await api.decideCandidate(this.page.id, { note: id, variable, verdict: said }));
    } catch (problem) {
      toast(problem.message);
      return;
    }
    toast(say("did", say(said === "undecided" ? "cleared" : said), short(one.label || one.id, 60)), say("undo"), () => this.undo());
    this.page.open?.open(id, { focus: true });
  }

  async undo(redo = false) {
    try {
      this.took(await api.undo(this.page.id, redo));
      toast(say(redo ? "redone" : "undone"), say(redo ? "undo" : "redo"), () => this.undo(!redo));
    } catch (problem) {
      toast(problem.message);
    }
  }

  took(difference, own = true) {
    if (own) this.tabs.postMessage({ id: this.page.id, difference });
    this.page.notes.apply(difference);
    for (const view of [this.page.text, this.page.pages]) if (view?.active && !this.page.notes.shown().has(view.active)) view.active = null;
    this.page.update();
  }

  async edit(id) {
    const note = this.page.notes.byId.get(id);
    const why = typeof note.attrs.why === "string" ? note.attrs.why : "";
    const words = plainWord(note.quote);
    const alike = note.system === "own" ? 0 : [...this.page.notes.byId.values()].filter((one) => !isPart(one) && one.task === note.task && one.label === note.label && plainWord(one.quote) === words).length;
    const result = await editNote({ note, quote: note.quote, why, near: note.start, alike, place: (words, near) => this.page.text.slicer.nearest(words, near) });
    if (result) await this.send(() => api.edit(this.page.id, { note: id, start: result.start, end: result.end, attrs: result.attrs, where: result.where }), id, "edited");
  }

  ask() {
    const span = this.page.open?.selected();
    this.page.chip.hidden = true;
    if (span) askMargin(this.page, span);
  }

  // On the selection; without one on the note that is open, or the paragraph on the screen.
  async addNote() {
    const active = this.page.notes.byId.get(this.page.open?.active);
    const block = this.page.text.blocks.find((one) => one.node.getBoundingClientRect().bottom > 120) ?? this.page.text.blocks[0];
    const from = this.page.open?.selected() ?? active ?? { start: block.start, quote: this.page.text.slicer.cut(block.start, block.end) };
    const result = await editNote({ quote: from.quote, near: from.start, place: (words, near) => this.page.text.slicer.nearest(words, near) });
    if (result) await this.send(() => api.addNote(this.page.id, { start: result.start, end: result.end, why: result.why }), null, "added");
  }

  async send(work, id, verdict) {
    try {
      const difference = await work();
      this.took(difference);
      const open = id ?? difference.notes.at(-1)?.id;
      if (open) this.page.open?.open(open, { focus: true });
      toast(difference.also || difference.other_documents ? say("also_there", say(verdict), number(difference.also), number(difference.other_documents)) : say(verdict), say("undo"), () => this.undo());
    } catch (problem) {
      toast(problem.message);
    }
  }

  // Beside a selection stands what can be done with it.
  offer() {
    const span = this.page.open?.selected();
    this.page.chip.hidden = !span;
    if (!span) return;
    document.getElementById("chip-add").hidden = !this.page.mayWrite;
    const place = getSelection().getRangeAt(0).getBoundingClientRect();
    this.page.chip.style.top = `${scrollY + place.bottom + 6}px`;
    this.page.chip.style.left = `${Math.min(place.left, innerWidth - 180)}px`;
  }

  press(event) {
    if (isTaken(event) || !this.page.text) return;
    const id = this.page.open?.active;
    const about = (work) => (id && this.page.mayWrite ? () => work(id) : null);
    const acts = {
      "?": () => showKeys(), "/": () => this.page.finder.toggle(true), o: () => this.page.side.reach(),
      j: this.page.open && (() => this.page.step(1)), k: this.page.open && (() => this.page.step(-1)), Escape: id && (() => this.page.open.shut()),
      a: about((one) => this.decide(one, "accepted")), r: about((one) => this.decide(one, "rejected")), e: about((one) => this.edit(one)),
      w: about((one) => leavesOutKnown(this.page.notes.byId.get(one).task) && this.decide(one, "rejected", true)),
      m: this.page.open?.selected() && (() => this.ask()),
      g: this.page.view === "pages" && (() => document.getElementById("page-number").select()),
      n: this.page.open && this.page.mayWrite && (() => this.addNote()), u: this.page.mayWrite && (() => this.undo()), U: this.page.mayWrite && (() => this.undo(true)),
    };
    const number = /^Digit([1-9])$/.exec(event.code)?.[1];
    const candidate = number && this.page.mayWrite && this.page.notes.byId.get(id)?.attrs.candidates?.[number - 1];
    if (candidate) acts[event.key] = () => this.choose(id, candidate.id, event.shiftKey ? "rejected" : "accepted");
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
}
