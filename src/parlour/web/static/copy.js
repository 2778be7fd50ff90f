// Links to send: a click copies one.

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const whole = new URL(button.dataset.copy, location.href).href;
  try {
    await navigator.clipboard.writeText(whole);
    button.textContent = "Copied";
  } catch {
    button.parentElement.querySelector("input")?.select();
  }
});
document.addEventListener("focusin", (event) => { if (event.target.matches("[data-select]")) event.target.select(); });
