// Answers left in advance: a case more or fewer without loading the page, and sending the form from where it stands.

import { post } from "./api.js";
import { note } from "./note.js";

/** Every case has its number: in its legend, in its fields' names and ids, in what points at them. */
function number(form) {
  const cases = form.querySelectorAll(".case");
  cases.forEach((box, index) => {
    box.querySelector("legend").textContent = `Case ${index + 1}`;
    box.querySelector("[name=fewer]").hidden = index === 0;
    for (const part of box.querySelectorAll("[name^=answer], [name^=path], [name^=how], [name^=value], label")) {
      for (const { name, value } of [...part.attributes].filter((said) => ["name", "id", "for"].includes(said.name))) {
        part.setAttribute(name, value.replace(/-\d+$/, "") + (index ? `-${index + 1}` : ""));
      }
    }
  });
  form.elements.more.hidden = cases.length >= +form.dataset.most;
}

function more(form) {
  const last = form.querySelector(".case:last-of-type");
  const made = last.cloneNode(true);
  for (const field of made.querySelectorAll("select")) field.selectedIndex = 0;
  made.querySelector("input").value = "";
  made.querySelector("[name^=answer] option[value='']")?.remove();
  made.querySelector("[name^=path] option").textContent = "choose one";
  last.after(made);
  number(form);
  made.querySelector("select").focus();
}

document.addEventListener("submit", async (event) => {
  const [form, button] = [event.target.closest("form.order"), event.submitter];
  if (!form) return;
  event.preventDefault();
  if (button?.name === "more") return more(form);
  if (button?.name === "fewer") { button.closest(".case").remove(); number(form); return form.elements.more.focus(); }
  const end = form.querySelector("button:not([name], [hidden])");
  await post(form.action, new URLSearchParams(new FormData(form))).catch(({ message: text }) => note(end, { text, refusal: true }));
});
