// Looking back: the board as it was. The page says which board one looks at; Escape is the present.

/** `swap` puts fragments into the page; `present()` brings the newest back; `at`: the page was loaded in the past. */
export class Scrubber {
  constructor(table, swap, present, at) {
    Object.assign(this, { table, swap, present, at });
    this.slider = document.getElementById("scrubber");
    document.getElementById("log").addEventListener("click", (event) => {
      const line = event.target.closest("[data-at]");
      if (line) this.look(+line.dataset.at);
    });
    document.getElementById("log").addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) { event.preventDefault(); this.look((this.at ?? this.table.ply) + step); }
    });
    this.slider.addEventListener("input", () => this.look(+this.slider.value));
    document.addEventListener("click", (event) => {
      const step = event.target.closest("[data-scrub]");
      if (step) this.look((this.at ?? this.table.ply) + +step.dataset.scrub);
      if (event.target.closest("[data-present]")) { event.preventDefault(); this.leave(); }
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.at !== null && !document.querySelector("dialog[open]")) this.leave();
    });
  }

  get past() { return this.at !== null; }

  async look(ply) {
    const wanted = Math.max(0, Math.min(this.table.ply, ply));
    if (wanted === this.table.ply) return this.leave();
    this.at = wanted;
    this.slider.value = wanted;
    const answer = await fetch(`/t/${this.table.slug}/fragments?at=${wanted}`, { headers: { accept: "application/json" } });
    if (!answer.ok || this.at !== wanted) return;
    const { fragments } = await answer.json();
    document.body.classList.add("past");
    await this.swap(fragments);
  }

  async leave() {
    if (this.at === null) return;
    this.at = null;
    document.body.classList.remove("past");
    this.slider.value = this.table.ply;
    await this.present();
  }
}
