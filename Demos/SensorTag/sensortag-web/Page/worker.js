// Shared by all tabs of a browser: one stream for all of them. A browser allows six connections to a host, so with a
// stream for each tab, the seventh would get none.

import { Stream } from "./stream.js";

const ports = new Set();
let connection;
let state;

function send(message) {
  for (const port of ports) port.postMessage(message);
}

const stream = new Stream({
  event(name, data) {
    const message = { kind: "event", name, data };
    if (name === "state") state = message;
    send(message);
  },
  connection(isUp, text) {
    connection = { kind: "connection", isUp, text };
    send(connection);
  },
});

// A tab says that it leaves, because its port does not say so.
addEventListener("connect", ({ ports: [port] }) => {
  port.addEventListener("message", ({ data }) => {
    if (data.leaves) {
      ports.delete(port);
      if (ports.size === 0) stream.close();
      return;
    }
    if (ports.size === 0) connection = state = undefined;
    ports.add(port);
    if (connection) port.postMessage(connection);
    if (state) port.postMessage(state);
    stream.open(data.token);
  });
  port.start();
});
