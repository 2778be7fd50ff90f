// The table's page: ties the stream, the choices, the story, the talk and the drawers together.

import { post } from "./api.js";
import { Chooser } from "./choose.js";
import "./copy.js";
import { drawers } from "./drawers.js";
import { frame } from "./frame.js";
import { note } from "./note.js";
import { Scrubber } from "./scrub.js";
import { settingsForm } from "./settings.js";
import { Stream } from "./stream.js";
import { swap } from "./swap.js";

const main = document.getElementById("content");
const table = { slug: main.dataset.slug, ply: +main.dataset.ply };
const base = `/api/tables/${table.slug}`;
const id = (name) => document.getElementById(name);

/** The line about the connection, and once more where a phone has the question; only the first is spoken. */
function line(words, trouble) {
  for (const place of [id("line"), id("line-here")]) {
    place.textContent = words;
    place.toggleAttribute("data-trouble", trouble);
  }
}

/** Speak what happened and what is asked, to those who do not see the board. */
function speak(before) {
  const told = [...id("log").children].filter((item) => +item.dataset.n >= before).map((item) => item.querySelector(".said").textContent.trim());
  const asked = id("question").textContent.trim();
  const words = [...told, asked].join(" ");
  if (words !== id("live").textContent) id("live").textContent = words;
}

function ended(log) {
  log.scrollTop = log.scrollHeight;
}

const title = document.title;

/** The tab says whose turn it is, also when the page is not in front. */
function headline() {
  const mine = id("choices").querySelector("[data-action]");
  document.title = mine ? `Your turn · ${title}` : title;
}

/** An update from the server. While the reader looks at the past, the board waits; the rest goes on. */
async function take({ ply, fragments }) {
  const log = id("log");
  const heard = log.children.length;
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
  const talkEnd = id("talk").scrollHeight - id("talk").scrollTop - id("talk").clientHeight < 30;
  table.ply = ply;
  id("scrubber").max = ply;
  let parts = fragments;
  if (scrubber?.past) {
    const { log: story, talk, vote, players } = fragments;
    parts = Object.fromEntries(Object.entries({ talk, vote, log: story, players }).filter(([, html]) => html !== undefined));
  } else id("scrubber").value = ply;
  await swap(parts);
  if (!scrubber?.past) { chooser.forget(); headline(); }
  if (atEnd) ended(log);
  if (talkEnd) id("talk").scrollTop = id("talk").scrollHeight;
  main.dataset.ply = ply;
  speak(heard);
}

const stream = new Stream(table.slug, main.dataset.version, async (update) => {
  await take(update);
  main.dataset.version = update.version;
}, line);
const chooser = new Chooser(table, () => {}, () => stream.again());
const scrubber = new Scrubber(table, swap, () => stream.again(), main.dataset.live === "no" ? +main.dataset.at : null);

async function act(path, body, anchor) {
  try {
    return await post(`${base}/${path}`, body);
  } catch (refused) {
    note(anchor, { text: refused.message, clause: refused.clause, refusal: true });
    return null;
  }
}

document.addEventListener("click", async (event) => {
  const doing = event.target.closest("[data-do]");
  if (!doing) return;
  const { do: what, with: body } = doing.dataset;
  const sent = what === "undo" || what === "redo" ? { ply: table.ply } : JSON.parse(body || "{}");
  const answer = await act(what, sent, doing);
  if (what === "rematch" && answer?.slug) location.assign(`/t/${answer.slug}`);
  if (what === "seat-link" && answer?.location) id("my-link").value = new URL(answer.location, location.href).href;
});

// Such a form's fields go where `data-send` says, with what `data-with` adds.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-send]");
  if (!form) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  await act(form.dataset.send, { ...JSON.parse(form.dataset.with || "{}"), ...fields }, form);
});

id("say")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = event.target.elements.text;
  const words = field.value.trim();
  if (words && (await act("talk", { text: words }, field)) !== null) field.value = "";
});

drawers(async (form, answer) => {
  try {
    const kept = await post(`${base}/report`, { text: form.elements.text.value });
    answer.textContent = `Thank you. It is kept as ${kept.id}.`;
    if (kept.stub) {
      const stub = document.createElement("pre");
      stub.className = "mono scroll-x";
      stub.tabIndex = 0;
      stub.textContent = kept.stub;
      answer.append(stub);
    }
  } catch (refused) { answer.textContent = refused.message; }
});
settingsForm(id("settings"));
id("rename")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await act("rename", { name: event.target.elements.name.value }, event.target);
});
frame(document.querySelector(".frame"), document.querySelector(".zoom"));
ended(id("log"));
headline();

setInterval(() => {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    if (!clock.dataset.clock) continue;
    const left = Math.max(0, +clock.dataset.clock - Date.now() / 1000);
    if (left < 3600) clock.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
  }
}, 1000);

document.documentElement.dataset.ready = "yes";
if (globalThis.parlourEarly?.isConnected) chooser.choose(globalThis.parlourEarly, "early");
