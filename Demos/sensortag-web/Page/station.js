// The program on the other side: its events, and commands to it.

const tokenKey = "token";

/** The secret of the address that the program printed; it leaves the address bar, so that nobody copies it by mistake. */
function takeToken() {
  const given = location.hash.slice(1);
  if (/^[0-9a-f]{32}$/.test(given)) {
    sessionStorage.setItem(tokenKey, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(tokenKey);
}

export class Station {
  /** Handlers: `state(tags, problem)`, `reading(reading)`, `connection(isUp)`, `trouble(text)`. */
  constructor(handlers) {
    this.handlers = handlers;
    this.token = takeToken();
    this.received = 0;
    this.skipped = 0;
    this.missing = 0;
    this.numbers = new Map();
  }

  /** Whether the page may switch something. */
  get canSwitch() {
    return this.token !== null;
  }

  /** Begins to listen; the browser connects again by itself. */
  listen() {
    const events = new EventSource("/events");
    events.addEventListener("open", () => this.handlers.connection(true));
    events.addEventListener("error", () => this.handlers.connection(false));
    events.addEventListener("state", (event) => {
      const { tags, problem } = JSON.parse(event.data);
      this.handlers.state(tags, problem);
    });
    events.addEventListener("readings", (event) => {
      const { readings, skipped } = JSON.parse(event.data);
      this.received += readings.length;
      this.skipped += skipped;
      for (const reading of readings) {
        this.count(reading);
        this.handlers.reading(reading);
      }
    });
  }

  /** Counts what did not come: the readings of a tag are numbered. */
  count({ tag, number }) {
    const before = this.numbers.get(tag);
    if (before !== undefined && number > before) this.missing += number - before - 1;
    this.numbers.set(tag, number);
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
