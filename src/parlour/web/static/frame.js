// The board within its frame: larger, smaller, and moved about. Moving is the browser's own scrolling.

/** Set up zooming of the drawing in a frame. */
export function frame(box, buttons) {
  let size = 1;
  const set = (wanted, at = null) => {
    const before = size;
    size = Math.min(4, Math.max(1, wanted));
    const board = box.querySelector(".board");
    const middle = at || { x: box.clientWidth / 2, y: box.clientHeight / 2 };
    box.classList.toggle("zoomed", size > 1);
    board.style.width = size > 1 ? `${size * 100}%` : "";
    const ratio = size / before;
    box.scrollLeft = (box.scrollLeft + middle.x) * ratio - middle.x;
    box.scrollTop = (box.scrollTop + middle.y) * ratio - middle.y;
  };
  buttons.addEventListener("click", (event) => {
    const way = event.target.closest("[data-zoom]")?.dataset.zoom;
    if (way) set(way === "in" ? size * 1.4 : size / 1.4);
  });
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const edge = box.getBoundingClientRect();
    set(size * (event.deltaY < 0 ? 1.15 : 1 / 1.15), { x: event.clientX - edge.x, y: event.clientY - edge.y });
  }, { passive: false });
  const fingers = new Map();
  let pinch = null;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) pinch = { spread: spread(), size };
  });
  box.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pinch && fingers.size === 2) set(pinch.size * spread() / pinch.spread);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    box.addEventListener(end, (event) => { fingers.delete(event.pointerId); if (fingers.size < 2) pinch = null; });
  }
}
