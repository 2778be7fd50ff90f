// Before the first paint: the light as the reader has set it.
"use strict";
try {
  const night = JSON.parse(localStorage.getItem("parlour-settings") || "{}").night;
  if (night === "on" || night === "off") document.documentElement.dataset.night = night;
} catch { /* no storage: the device's own light */ }
