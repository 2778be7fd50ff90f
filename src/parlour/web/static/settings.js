// What the reader has set, kept in this browser only.

const KEY = "parlour-settings";
const usual = { confirm: "touch", night: "auto", help: "" };

function load() {
  try { return { ...usual, ...JSON.parse(localStorage.getItem(KEY) || "{}") }; } catch { return { ...usual }; }
}

export const settings = load();

/** What style sheets need to know stands on the root element, `data-NAME`. */
function show() {
  for (const [name, value] of Object.entries(settings)) {
    if (!value || value === "auto" || name === "confirm") delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = value;
  }
}

/** Tie the settings form to what is kept. */
export function settingsForm(form) {
  for (const field of form.elements) {
    if (field.type === "radio") field.checked = settings[field.name] === field.value;
    if (field.type === "checkbox") field.checked = settings[field.name] === field.value;
  }
  show();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => {
    const field = event.target;
    settings[field.name] = field.type === "checkbox" ? (field.checked ? field.value : "") : field.value;
    try { localStorage.setItem(KEY, JSON.stringify(settings)); } catch { /* kept for this page only */ }
    show();
  });
}

/** Whether a move asks once before it counts, given how it was pointed at. */
export const asksFirst = (pointer) => settings.confirm === "always" || (settings.confirm === "touch" && pointer === "touch");
