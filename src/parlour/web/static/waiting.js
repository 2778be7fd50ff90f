// The page with a new table's links: it says who is still missing, and when the game has begun.
"use strict";

const about = document.querySelector("[data-waiting]");

if (about) {
  const table = about.dataset.waiting;
  const news = new EventSource(`/t/${table}/events`);
  news.addEventListener("update", async () => {
    const answer = await fetch(`/api/tables/${table}`);
    if (!answer.ok) return;
    const { seats, status } = await answer.json();
    const open = seats.filter((seat) => seat.kind === "open").length;
    if (status === "waiting") {
      about.textContent = `Nothing is dealt until every seat is taken: ${open === 1 ? "one is" : `${open} are`} still open.`;
    } else {
      about.textContent = "Everybody has come, and the game has been dealt.";
      news.close();
    }
  });
}
