// Links to send: a click copies one.

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-from]");
  if (!button) return;
  const link = button.dataset.copy ?? document.getElementById(button.dataset.copyFrom).value;
  const whole = new URL(link, location.href).href;
  try {
    await navigator.clipboard.writeText(whole);
    button.textContent = "Copied";
  } catch {
    button.parentElement.querySelector("input")?.select();
  }
});
// A link that is shown is shown whole.
const whole = () => {
  for (const field of document.querySelectorAll("input[data-select]")) {
    if (field.value.startsWith("/")) field.value = new URL(field.value, location.href).href;
  }
};
whole();
new MutationObserver(whole).observe(document.body, { childList: true, subtree: true });
document.addEventListener("focusin", (event) => { if (event.target.matches("[data-select]")) event.target.select(); });
