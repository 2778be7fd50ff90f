// Puts new HTML in place of old without disturbing what the reader is doing: elements that stay keep their identity, so
// focus, scroll, open parts and half-typed words survive. Pieces that moved glide.

const still = matchMedia("(prefers-reduced-motion: reduce)");

const keyOf = (node) => node.nodeType === 1
  ? node.id || node.getAttribute("data-piece") || node.getAttribute("data-target") || node.getAttribute("data-n") || ""
  : "";

const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function morphElement(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open" && name !== "style") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.nodeName !== "INPUT" && old.nodeName !== "TEXTAREA") morphChildren(old, fresh);
}

/** Make the children of `old` read as those of `fresh`, keeping every node that can be kept. */
export function morphChildren(old, fresh) {
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    let match = at;
    while (match && !alike(match, wanted)) match = match.nextSibling;
    if (!match) { old.insertBefore(wanted.cloneNode(true), at); continue; }
    while (at !== match) { const gone = at; at = at.nextSibling; gone.remove(); }
    at = at.nextSibling;
    if (match.nodeType === 1) { if (!match.isEqualNode(wanted)) morphElement(match, wanted); }
    else if (match.data !== wanted.data) match.data = wanted.data;
  }
  while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
}

const parse = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
};

const places = () => {
  const found = new Map();
  for (const piece of document.querySelectorAll("[data-piece]")) {
    const box = piece.getBoundingClientRect();
    if (box.width) found.set(piece.dataset.piece, { box, drawn: piece instanceof SVGGraphicsElement && !!piece.ownerSVGElement });
  }
  return found;
};

/** Name the pieces that are boxes of their own, so that the browser lets them travel. */
function nameBoxes() {
  const seen = new Set();
  for (const piece of document.querySelectorAll("[data-piece]")) {
    if (piece.ownerSVGElement || seen.has(piece.dataset.piece)) continue;
    seen.add(piece.dataset.piece);
    piece.style.viewTransitionName = "piece-" + piece.dataset.piece.replace(/[^\w-]/g, "-");
  }
}

const unnameBoxes = () => {
  for (const piece of document.querySelectorAll("[data-piece][style]")) piece.removeAttribute("style");
};

/** Inside a drawing the browser has no boxes to move: those pieces are walked from where they were. */
function walk(before) {
  for (const piece of document.querySelectorAll("svg [data-piece]")) {
    const was = before.get(piece.dataset.piece);
    if (!was) {
      if (before.size) piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 260 });
      continue;
    }
    const now = piece.getBoundingClientRect();
    const scale = piece.getScreenCTM().a || 1;
    const dx = (was.box.x + was.box.width / 2 - now.x - now.width / 2) / scale;
    const dy = (was.box.y + was.box.height / 2 - now.y - now.height / 2) / scale;
    if (Math.abs(dx) + Math.abs(dy) < 1) continue;
    piece.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 420, easing: "cubic-bezier(.3,.1,.2,1)" });
  }
}

/**
 * Put fragments (id -> inner HTML) into the page. Resolves when they stand there; the gliding may still go on.
 * `calm` leaves out all motion.
 */
export async function swap(fragments, calm = false) {
  const focused = document.activeElement;
  const target = focused?.getAttribute?.("data-action");
  const put = () => {
    for (const [id, html] of Object.entries(fragments)) {
      const region = document.getElementById(id);
      if (region) morphChildren(region, parse(html));
    }
    restore(focused, target);
  };
  if (calm || still.matches || document.hidden) return put();
  const before = places();
  if (!document.startViewTransition) { put(); walk(before); return; }
  nameBoxes();
  const transition = document.startViewTransition(() => { put(); nameBoxes(); });
  transition.ready.catch(() => {});
  transition.finished.catch(() => {}).then(unnameBoxes);
  await transition.updateCallbackDone;
  walk(before);
}

/** If what had the focus is gone, the question has it: nobody is thrown to the top of the page. */
function restore(focused, action) {
  if (!focused || focused === document.body || (focused.isConnected && (!action || focused.hasAttribute("data-action")))) return;
  const again = action && document.querySelector(`[data-action="${CSS.escape(action)}"]`);
  (again || document.getElementById("question"))?.focus({ preventScroll: true });
}
