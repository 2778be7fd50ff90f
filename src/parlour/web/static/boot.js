// Before the first paint: the light as the reader has set it.
"use strict";
try {
  const night = JSON.parse(localStorage.getItem("parlour-settings") || "{}").night;
  if (night === "on" || night === "off") document.documentElement.dataset.night = night;
} catch { /* no storage: the device's own light */ }

// A choice made before the modules have come is kept for them (table.js takes it up).
document.addEventListener("click", (event) => {
  const piece = event.target.closest?.("[data-action]");
  if (piece && !document.documentElement.dataset.ready) globalThis.parlourEarly = piece;
}, true);
