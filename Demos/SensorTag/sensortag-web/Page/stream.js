// The program's stream of events (server-sent events, WHATWG HTML 9.2). It is read with fetch: an EventSource keeps the
// text of a refusal to itself, and does not notice when the program falls silent.

/** Pauses before the next attempt, after a refusal and after a loss; and how long a stream may be silent, in ms. */
const afterRefusal = 10000;
const afterLoss = 2000;
const longestSilence = 30000;

/** Passes on the events in a text, and returns the rest, which is not complete yet. */
function takeEvents(text, pass) {
  const blocks = text.split("\n\n");
  const rest = blocks.pop();
  for (const block of blocks) {
    let name = "message";
    const data = [];
    for (const line of block.split("\n")) {
      if (line.startsWith("event: ")) name = line.slice(7);
      else if (line.startsWith("data: ")) data.push(line.slice(6));
    }
    if (data.length > 0) pass(name, data.join("\n"));
  }
  return rest;
}

export class Stream {
  /** Handlers: `event(name, data)`; `connection(isUp, text)`, with the text of a refusal. */
  constructor(handlers) {
    this.handlers = handlers;
    this.token = null;
    this.controller = null;
  }

  /** Opens the stream if it isn't open. The token reserves room for the owner. */
  open(token) {
    const isNew = token !== null && token !== this.token;
    if (isNew) this.token = token;
    if (isNew) this.wake?.();
    if (this.controller) return;
    this.controller = new AbortController();
    this.run(this.controller.signal);
  }

  /** Closes the stream. */
  close() {
    this.controller?.abort();
    this.controller = null;
    this.wake?.();
  }

  async run(signal) {
    while (!signal.aborted) {
      let pause = afterLoss;
      try {
        const query = this.token === null ? "" : `?token=${this.token}`;
        const response = await fetch(`/events${query}`, { signal, cache: "no-store" });
        if (response.ok) {
          this.handlers.connection(true, "");
          await this.read(response.body);
          if (!signal.aborted) this.handlers.connection(false, "");
        } else {
          const text = (await response.text()).trim();
          this.handlers.connection(false, text);
          pause = afterRefusal;
        }
      } catch {
        if (!signal.aborted) this.handlers.connection(false, "");
      }
      if (!signal.aborted) await this.rest(pause);
    }
  }

  async read(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const silence = setTimeout(() => reader.cancel(), longestSilence);
      const { value, done } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      text = takeEvents(text + value, this.handlers.event);
    }
  }

  rest(milliseconds) {
    return new Promise((done) => {
      const timer = setTimeout(done, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
