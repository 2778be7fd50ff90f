// Small papers beside what one points at: what a piece is, what a move would do, why a choice is refused.

import { openRules } from "./drawers.js";

let paper = null;
let owner = null;
let timer = 0;

const STAYS = 12_000; // ms that a refusal is left standing

/** Show a note beside an element. `parts` = {title, text, clause, refusal}. */
export function note(anchor, { title = "", text = "", clause = "", refusal = false }, at = null) {
  dismiss();
  owner = anchor;
  paper = document.createElement("div");
  paper.className = "note" + (refusal ? " refusal" : "");
  paper.setAttribute("role", refusal ? "alert" : "tooltip");
  if (refusal) paper.append(button("Close", dismiss));
  if (title) paper.append(element("b", title));
  for (const line of String(text).split("\n").filter(Boolean)) paper.append(element("p", line));
  if (clause) {
    const link = element("a", clause);
    link.className = "clause";
    link.href = `#clause-${clause}`;
    link.addEventListener("click", (event) => { event.preventDefault(); dismiss(); openRules(clause); });
    const line = document.createElement("p");
    line.append("Rule ", link);
    paper.append(line);
  }
  document.body.append(paper);
  if (refusal) timer = setTimeout(dismiss, STAYS);
  const box = anchor.getBoundingClientRect();
  const x = at ? at.x : box.x + box.width / 2;
  const top = at ? at.y - 14 : box.y;
  const bottom = at ? at.y + 14 : box.y + box.height;
  const { width, height } = paper.getBoundingClientRect();
  const above = bottom + height + 8 > innerHeight && top - height - 8 > 0;
  paper.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, x - width / 2))}px`;
  paper.style.top = `${above ? top - height - 8 : Math.min(innerHeight - height - 8, bottom + 8)}px`;
}

/** Take the note away; if an element is given, only when the note is about it. */
export function dismiss(about = null) {
  if (about instanceof Element && about !== owner) return;
  clearTimeout(timer);
  paper?.remove();
  paper = owner = null;
}

export const isOpen = () => paper !== null;
export const refusing = () => paper?.classList.contains("refusal") ?? false;

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function button(text, act) {
  const made = element("button", text);
  made.type = "button";
  made.className = "close";
  made.addEventListener("click", () => act());
  return made;
}
