// Listens to the table. Every message names the version it follows and the one it makes; after a gap, or after the line
// was cut, the page is fetched anew rather than guessed.

const FIRST_TRY = 300; // ms; the browser itself waits longer before it listens again
const LAST_TRY = 5_000;
const QUIET = 45_000; // the server says something at least every 15 s

export class Stream {
  /** `take(update)` puts an update into the page; `say(words, trouble)` writes the line about the connection. */
  constructor(slug, version, take, say) {
    Object.assign(this, { slug, version, take, say, cut: false, pause: FIRST_TRY, queue: Promise.resolve(), heard: Date.now() });
    this.listen();
    setInterval(() => this.watch(), 5_000);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.watch(true); });
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.lost());
  }

  listen() {
    this.source?.close();
    this.source = new EventSource(`/t/${this.slug}/events`);
    this.source.addEventListener("open", () => { this.heard = Date.now(); if (this.cut) this.again(); });
    this.source.addEventListener("error", () => this.lost());
    this.source.addEventListener("update", (event) => { this.heard = Date.now(); this.later(JSON.parse(event.data)); });
    this.source.addEventListener("beat", (event) => {
      this.heard = Date.now();
      const { version } = JSON.parse(event.data || "{}");
      this.queue = this.queue.then(() => { if (version && version !== this.version) return this.refetch(); });
    });
  }

  later(update) {
    this.queue = this.queue.then(async () => {
      if (update.version === this.version) return;
      if (update.after && update.after !== this.version) return this.refetch(); // "" brings the whole page's parts
      await this.take(update);
      this.version = update.version;
    }).catch(() => this.lost());
  }

  /** The whole page's parts, as they are now. */
  async refetch() {
    const answer = await fetch(`/t/${this.slug}/fragments`, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const update = await answer.json();
    await this.take(update);
    this.version = update.version;
  }

  /** Fetch anew, after whatever is still being put into the page. */
  again() {
    this.queue = this.queue.then(() => this.refetch()).then(() => this.well()).catch(() => this.lost());
    return this.queue;
  }

  well() {
    this.pause = FIRST_TRY;
    if (this.source.readyState !== EventSource.OPEN) return; // what stands there is new, but more may be missed yet
    if (this.cut) this.say("Rejoined the table.", false);
    this.cut = false;
    clearTimeout(this.clearing);
    this.clearing = setTimeout(() => { if (!this.cut) this.say("", false); }, 4_000);
  }

  lost() {
    if (!this.cut) this.lostAt = Date.now();
    this.cut = true;
    clearTimeout(this.trying);
    this.trying = setTimeout(() => this.again(), this.pause);
    this.pause = Math.min(LAST_TRY, this.pause * 2);
    this.say("Connection lost. What you see may be out of date; trying to rejoin.", true);
  }

  watch(now = false) {
    const silent = Date.now() - this.heard;
    if (silent > QUIET) {
      this.lost();
      this.say(`No word from the table for ${Math.round(silent / 1000)} seconds; what you see may be out of date.`, true);
    }
    if (this.source.readyState === EventSource.CLOSED || silent > QUIET) this.listen();
    else if (now && silent > 20_000) this.again();
  }
}
