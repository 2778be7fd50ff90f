// Choosing: by pointing at the board, by the list, by the keyboard; asking first where the reader wants that; and telling
// why something cannot be chosen, where it was pointed at.

import { post } from "./api.js";
import { dismiss, isOpen, note, refusing } from "./note.js";
import { asksFirst, settings } from "./settings.js";

const HOLD = 450; // ms of a long press
const REACH = 24; // CSS pixels around a fingertip in which the nearest piece is meant

export class Chooser {
  /** `table` gives slug and ply; `moved(answer)` is told what the server answered; `stale()` fetches anew. */
  constructor(table, moved, stale) {
    Object.assign(this, { table, moved, stale, busy: false, picked: null, pointer: "mouse", held: false });
    document.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointerup", () => clearTimeout(this.timer));
    document.addEventListener("pointercancel", () => clearTimeout(this.timer));
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerover", (event) => this.hover(event));
    document.addEventListener("focusin", (event) => this.focus(event));
    document.addEventListener("focusout", () => { if (!refusing()) dismiss(); });
  }

  /** What the list says about an action: its words, what it would do, its clause. */
  about(id) {
    const button = document.querySelector(`#choices [data-action="${CSS.escape(id)}"]`);
    return button && { title: button.textContent, text: settings.help ? "" : button.dataset.hint, clause: button.dataset.clause };
  }

  /** The piece that was meant: under a finger, the one whose middle is nearest, within the reach of a fingertip. */
  meant(event) {
    const hit = event.target.closest?.("[data-action], [data-would], [data-name]");
    const drawing = this.pointer === "touch" && event.target.closest?.("svg.drawn");
    if (!drawing) return hit;
    let best = null;
    for (const piece of drawing.querySelectorAll("[data-x]")) {
      const spot = new DOMPoint(+piece.dataset.x, +piece.dataset.y).matrixTransform(piece.getScreenCTM());
      const far = Math.hypot(spot.x - event.clientX, spot.y - event.clientY) - (piece.dataset.action ? 4 : 0);
      if (far <= REACH && (!best || far < best.far)) best = { piece, far };
    }
    return best?.piece || hit;
  }

  down(event) {
    this.pointer = event.pointerType || "mouse";
    this.held = false;
    clearTimeout(this.timer);
    if (this.pointer !== "touch") return;
    const piece = this.meant(event);
    if (piece) this.timer = setTimeout(() => { this.held = true; this.tell(piece); }, HOLD);
  }

  click(event) {
    if (this.held) { this.held = false; event.preventDefault(); return; } // the end of a long press
    if (event.target.closest(".note, dialog, #confirm")) return;
    const piece = this.meant(event);
    if (piece?.dataset.action) return this.choose(piece, event.detail ? this.pointer : "key", event);
    if (piece?.dataset.would) return this.refuse(piece, event);
    if (isOpen() && !piece) dismiss();
    if (piece?.dataset.name) this.tell(piece);
  }

  key(event) {
    if (event.key === "Escape") { dismiss(); this.forget(); return; }
    if (event.key !== "Enter" && event.key !== " ") return;
    const piece = event.target.closest?.("svg [data-action], svg [data-would]");
    if (!piece) return;
    event.preventDefault();
    if (piece.dataset.action) this.choose(piece, "key"); else this.refuse(piece);
  }

  hover(event) {
    if (event.pointerType === "touch" || refusing()) return;
    if (event.target.closest?.(".note")) return;
    const piece = event.target.closest?.("[data-action], [data-would], [data-name]");
    if (piece) this.tell(piece); else dismiss();
  }

  focus(event) {
    const piece = event.target.closest?.("[data-action], [data-name]");
    if (piece && this.pointer !== "touch" && piece.matches(":focus-visible")) this.tell(piece);
  }

  tell(piece) {
    const words = piece.dataset.action ? this.about(piece.dataset.action) : null;
    if (words) { if (words.text || piece.ownerSVGElement) note(piece, words); return; }
    if (piece.dataset.name) note(piece, { title: piece.dataset.name, text: piece.dataset.note, clause: piece.dataset.clause });
    else if (piece.ownerSVGElement && piece.ariaLabel) note(piece, { title: piece.ariaLabel });
  }

  choose(piece, pointer, event = null) {
    const id = piece.dataset.action;
    if (this.picked !== id && asksFirst(pointer)) return this.ask(id, piece);
    return this.send(id, piece, event);
  }

  /** Ask once, in words, before the move counts. */
  ask(id, piece) {
    this.forget();
    dismiss();
    this.picked = id;
    for (const same of document.querySelectorAll(`[data-action="${CSS.escape(id)}"]`)) same.classList.add("picked");
    const { title, text } = this.about(id);
    const box = document.createElement("div");
    box.className = "confirm";
    const what = document.createElement("p");
    what.className = "what";
    what.textContent = title;
    if (text) { const hint = document.createElement("span"); hint.className = "hint"; hint.textContent = text; what.append(hint); }
    const go = Object.assign(document.createElement("button"), { type: "button", className: "button go", textContent: "Do it" });
    const no = Object.assign(document.createElement("button"), { type: "button", className: "button quiet", textContent: "Think again" });
    go.addEventListener("click", () => this.send(id, piece));
    no.addEventListener("click", () => { this.forget(); piece.focus?.(); });
    box.append(what, go, no);
    document.getElementById("confirm").replaceChildren(box);
    go.focus({ preventScroll: true });
  }

  forget() {
    this.picked = null;
    document.getElementById("confirm").replaceChildren();
    for (const piece of document.querySelectorAll(".picked")) piece.classList.remove("picked");
  }

  async send(id, piece, event = null) {
    if (this.busy) return;
    this.busy = true;
    const words = document.getElementById("words")?.value;
    const lead = document.getElementById("lead")?.value;
    this.forget();
    dismiss();
    try {
      const body = { ply: this.table.ply, action: id };
      if (words) body.text = words;
      if (lead) body.lead = lead;
      const answer = await post(`/api/tables/${this.table.slug}/act`, body);
      for (const id of ["words", "lead"]) { const field = document.getElementById(id); if (field) field.value = ""; }
      await this.moved(answer);
    } catch (refused) {
      if (refused.status === 409) await this.stale();
      const anchor = piece.isConnected ? piece : document.getElementById("question");
      note(anchor, { title: "Not done", text: refused.message, clause: refused.clause, refusal: true }, where(event));
    } finally {
      this.busy = false;
    }
  }

  async refuse(piece, event = null) {
    try {
      const said = await post(`/t/${this.table.slug}/why`, { action: piece.dataset.would });
      if (!said.sentence) return this.stale(); // it may be chosen by now
      note(piece, { title: piece.ariaLabel || "", text: said.sentence, clause: said.clause, refusal: true }, where(event));
    } catch (refused) {
      note(piece, { title: piece.ariaLabel || "", text: refused.message, clause: refused.clause, refusal: true }, where(event));
    }
  }
}

const where = (event) => (event?.clientX ? { x: event.clientX, y: event.clientY } : null);
