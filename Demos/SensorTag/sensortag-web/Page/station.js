// The program on the other side: its events, its memory, and commands to it.

import { Stream } from "./stream.js";

const tokenKey = "token";

/** The secret of the printed address; it leaves the address bar, so that nobody copies it by mistake. */
function takeToken() {
  const given = location.hash.slice(1);
  if (/^[0-9a-f]{32}$/.test(given)) {
    sessionStorage.setItem(tokenKey, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(tokenKey);
}

export class Station {
  /**
   * Handlers: `state(tags, problem, isFresh)`, where a fresh state is the first after the stream was opened;
   * `restart()`, when the program is another run; `reading(reading)`; `connection(isUp, text)`; `trouble(text)`.
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.token = takeToken();
    this.received = 0;
    this.skipped = 0;
    this.missing = 0;
    this.numbers = new Map();
    this.run = undefined;
    this.isFresh = true;
  }

  /** Whether the page may switch something. */
  get canSwitch() {
    return this.token !== null;
  }

  /** Begins to listen: through the worker that all tabs share, or else with a stream while the tab is visible. */
  listen() {
    if (!("SharedWorker" in window)) return this.listenAlone();
    const worker = new SharedWorker("/worker.js", { type: "module", name: "stream" });
    // A browser without modules in workers says so here.
    worker.addEventListener("error", () => this.listenAlone(), { once: true });
    worker.port.addEventListener("message", ({ data }) => {
      if (data.kind === "event") this.take(data.name, data.data);
      else this.connected(data.isUp, data.text);
    });
    worker.port.start();
    const join = () => worker.port.postMessage({ token: this.token });
    addEventListener("pagehide", () => worker.port.postMessage({ leaves: true }));
    addEventListener("pageshow", ({ persisted }) => persisted && join());
    join();
  }

  listenAlone() {
    const stream = new Stream({
      event: (name, data) => this.take(name, data),
      connection: (isUp, text) => this.connected(isUp, text),
    });
    const follow = () => {
      if (document.visibilityState === "hidden") stream.close();
      else stream.open(this.token);
    };
    document.addEventListener("visibilitychange", follow);
    follow();
  }

  connected(isUp, text) {
    this.isFresh = true;
    this.handlers.connection(isUp, text);
  }

  take(name, data) {
    const event = JSON.parse(data);
    if (name === "state") this.takeState(event);
    else if (name === "readings") this.takeReadings(event);
  }

  takeState({ run, tags, problem }) {
    if (this.run !== undefined && this.run !== run) {
      this.numbers.clear();
      this.handlers.restart();
    }
    this.run = run;
    this.handlers.state(tags, problem, this.isFresh);
    this.isFresh = false;
  }

  takeReadings({ readings, skipped }) {
    this.received += readings.length;
    this.skipped += skipped;
    for (const reading of readings) {
      this.count(reading);
      this.handlers.reading(reading);
    }
  }

  /** Counts what did not come: the readings of a tag are numbered. */
  count({ tag, number }) {
    const before = this.numbers.get(tag);
    if (before !== undefined && number > before) this.missing += number - before - 1;
    this.numbers.set(tag, number);
  }

  /** The readings of a tag that the program remembers; none if it has gone or is another run by then. */
  async history(tag, seconds) {
    const { run } = this;
    try {
      const response = await fetch(`/history?tag=${encodeURIComponent(tag)}&seconds=${seconds}`);
      if (!response.ok) return [];
      const { readings } = await response.json();
      return run === this.run ? readings : [];
    } catch {
      return [];
    }
  }

  /** Sends a command. */
  async send(command) {
    try {
      const response = await fetch("/command", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Token": this.token ?? "" },
        body: JSON.stringify(command),
      });
      if (!response.ok) this.handlers.trouble((await response.text()).trim());
    } catch {
      this.handlers.trouble("The program does not respond");
    }
  }
}
