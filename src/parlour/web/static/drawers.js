// The drawers: rules, settings, report.

import { dismiss } from "./note.js";

let fetched = null;

const drawer = (name) => document.getElementById(`drawer-${name}`);

/** Open a drawer, and its rules at a clause if one is named. */
export function openDrawer(name) {
  const box = drawer(name);
  dismiss();
  if (!box.open) box.showModal();
}

/** Open the rules where a clause stands. */
export async function openRules(clause = "") {
  openDrawer("rules");
  const body = document.getElementById("rules-body");
  fetched ??= fetch(`${body.dataset.rules}?part=1`).then(async (answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    body.replaceChildren(...parsed.body.childNodes);
  });
  try { await fetched; } catch {
    fetched = null;
    body.textContent = "The rules could not be fetched. Close this and try again.";
    return;
  }
  for (const marked of body.querySelectorAll(".opened")) marked.classList.remove("opened");
  const place = clause && document.getElementById(`clause-${clause}`);
  if (place) {
    place.classList.add("opened");
    place.scrollIntoView({ block: "center" });
    place.setAttribute("tabindex", "-1");
    place.focus({ preventScroll: true });
  }
}

const isHeading = (part) => /^H[1-4]$/.test(part.nodeName);

/** Show only what has all of the words, and the headings above it. */
function search(words) {
  const body = document.getElementById("rules-body");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (part) => wanted.every((word) => part.textContent.toLowerCase().includes(word));
  let found = 0;
  for (const part of body.querySelectorAll("p, li, tbody tr")) {
    part.hidden = !has(part);
    if (!part.hidden) found += 1;
  }
  for (const box of body.querySelectorAll(".scroll-x, ul, ol")) {
    box.hidden = ![...box.querySelectorAll("tbody tr, li")].some((part) => !part.hidden);
  }
  for (const heading of [...body.querySelectorAll("h1, h2, h3, h4")].reverse()) { // the inner ones first
    let any = has(heading);
    for (let next = heading.nextElementSibling; next && !(isHeading(next) && next.nodeName <= heading.nodeName); next = next.nextElementSibling) {
      any ||= !next.hidden;
    }
    heading.hidden = !any;
  }
  document.getElementById("rules-none").hidden = found > 0;
}

/** Set up all drawers once. `report(form)` sends a report and resolves to a sentence. */
export function drawers(report) {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open]");
    if (opener) return opener.dataset.open === "rules" ? openRules() : openDrawer(opener.dataset.open);
    const link = event.target.closest("[data-clause-link]");
    if (link) { event.preventDefault(); return openRules(link.dataset.clauseLink); }
    if (event.target.closest("[data-close]")) return event.target.closest("dialog").close();
    if (event.target.matches("dialog.drawer")) event.target.close(); // the backdrop
  });
  document.getElementById("rules-search").addEventListener("input", (event) => search(event.target.value));
  document.getElementById("report").addEventListener("submit", async (event) => {
    event.preventDefault();
    await report(event.target, document.getElementById("report-answer"));
  });
}
