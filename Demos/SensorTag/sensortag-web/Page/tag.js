// One tag: how it is connected, a summary, its sensors, outputs, recording and information.

import { askName, askToForget } from "./dialog.js";
import { button, element, newIdentifier, segments, setShown, setText } from "./elements.js";
import { Fold } from "./fold.js";
import { TagMemory } from "./memory.js";
import { Panel } from "./panel.js";
import { comparePlaces } from "./sensors.js";
import { spans, TimeView } from "./timeview.js";

const linkTexts = {
  seen: "In range",
  away: "Not heard for a while",
  connecting: "Connecting…",
  connected: "Connected",
  lost: "Link lost; connecting again…",
  ending: "Disconnecting…",
};
const outputNames = { red: "Red LED", green: "Green LED", buzzer: "Buzzer" };

/** How much is fetched from the program's memory, in seconds: for the first picture, and for the longest span. */
const shortHistory = 180;
const longHistory = 3600;

export class TagView {
  /** The part of the page for a tag of a station. */
  constructor(id, station, alerts) {
    this.id = id;
    this.station = station;
    this.alerts = alerts;
    this.canSwitch = station.canSwitch;
    this.memory = new TagMemory();
    this.view = new TimeView(this.memory);
    this.panels = new Map();
    this.fetched = 0;
    const heading = newIdentifier();
    const body = newIdentifier();
    this.name = button("", null, { class: "fold name" });
    this.detail = element("p", { class: "detail" });
    this.link = element("p", { class: "link" });
    this.notice = element("p", { class: "notice", role: "status" });
    this.summary = element("div", { class: "summary", role: "group", "aria-label": "Latest values" });
    this.panelArea = element("div", { class: "panels" });
    this.information = element("dl", { class: "information" });
    this.details = element("details", {}, element("summary", {}, "Device information"), this.information);
    this.outputs = this.makeOutputs();
    this.body = element("div", { class: "body", id: body },
      this.summary, this.makeToolbar(), this.notice, this.outputs, this.panelArea, this.details);
    this.node = element("article", { class: "tag", "aria-labelledby": heading, "data-tag": id },
      element("header", {}, element("h2", { id: heading }, this.name), this.link, this.detail), this.body);
    this.fold = new Fold(id, [this.body]);
    this.fold.attach(this.name, body);
  }

  /** Passes on a command for this tag. */
  send(command) {
    this.station.send({ tag: this.id, ...command });
  }

  makeToolbar() {
    const command = (text, fields, look) =>
      button(text, () => this.send(fields), { disabled: !this.canSwitch, class: look });
    this.connect = command("Connect", { action: "connect" }, "primary");
    this.disconnect = command("Disconnect", { action: "disconnect" });
    this.record = command("Record", { action: "record", isOn: true });
    this.stopRecording = command("Stop recording", { action: "record", isOn: false });
    this.download = element("a", { class: "download", download: true });
    this.rename = button("Rename…", () => askName(this.state.name, (name) => this.send({ action: "rename", name })),
      { disabled: !this.canSwitch });
    this.forget = button("Forget…", () => askToForget(this.state.name, () => this.send({ action: "forget" })),
      { disabled: !this.canSwitch, class: "danger" });
    const span = segments("Time span", spans.map(({ text }) => text), spans.indexOf(this.view.span),
      (index) => this.showSpan(spans[index]));
    this.pause = button("Pause", () => this.togglePause(), { class: "pause", "aria-pressed": "false" });
    this.time = element("div", { class: "time" }, span, this.pause);
    return element("div", { class: "toolbar" }, this.time,
      element("div", { class: "buttons" },
        this.connect, this.disconnect, this.record, this.stopRecording, this.download, this.rename, this.forget));
  }

  makeOutputs() {
    return element("div", { class: "outputs", role: "group", "aria-label": "Outputs" },
      ...Object.entries(outputNames).map(([name, text]) =>
        button(text, () => this.toggleOutput(name),
          { "aria-pressed": "false", "data-output": name, disabled: !this.canSwitch })));
  }

  toggleOutput(name) {
    const wanted = new Set(this.state.outputs ?? []);
    if (wanted.has(name)) wanted.delete(name);
    else wanted.add(name);
    this.send({ action: "outputs", outputs: [...wanted] });
  }

  /** Shows another span of time, with what the program remembers of it. */
  showSpan(span) {
    this.view.span = span;
    this.fetchHistory();
    this.redraw();
  }

  togglePause() {
    if (this.view.isPaused) this.view.resume();
    else this.view.pause();
    this.pause.setAttribute("aria-pressed", String(this.view.isPaused));
    this.node.classList.toggle("paused", this.view.isPaused);
    this.redraw();
  }

  /** Fetches what the program remembers of the time that is shown, unless that has happened. */
  async fetchHistory() {
    const seconds = this.view.span.length > shortHistory * 1000 ? longHistory : shortHistory;
    if (this.fetched >= seconds || this.panels.size === 0) return;
    this.fetched = seconds;
    this.memory.merge(await this.station.history(this.id, seconds));
    this.view.copy();
    this.showAll();
  }

  /** Forgets the readings: the program was started anew. */
  restart() {
    this.memory.clear();
    this.view.resume();
    this.pause.setAttribute("aria-pressed", "false");
    this.node.classList.remove("paused");
    this.showAll();
  }

  /** Shows the state of the tag. `isFresh` says that readings may have been missed. */
  update(state, isFresh) {
    this.state = state;
    this.node.dataset.link = state.link;
    setText(this.name, state.name);
    setText(this.detail, [
      state.id, state.generation, state.firmware ? `firmware ${state.firmware}` : null,
      state.rssi === undefined ? null : `${state.rssi} dBm`,
    ].filter((part) => part).join(" · "));
    const text = linkTexts[state.link] ?? state.link;
    setText(this.link, state.reason ? `${text} (${state.reason})` : text);
    setText(this.notice, state.notice ?? "");
    const isFree = state.link === "seen" || state.link === "away";
    setShown(this.connect, isFree);
    setShown(this.disconnect, !isFree);
    this.disconnect.disabled = !this.canSwitch || state.link === "ending";
    setShown(this.time, state.sensors.length > 0);
    setShown(this.summary, state.sensors.length > 0);
    this.node.classList.toggle("plain", state.sensors.length === 0);
    this.updateRecording(state);
    this.updateOutputs(state);
    this.updatePanels(state.sensors);
    this.updateInformation(state.information);
    if (isFresh) this.fetched = 0;
    this.fetchHistory();
  }

  updateRecording({ recording, sensors }) {
    setShown(this.record, sensors.length > 0 && !recording?.isOn);
    setShown(this.stopRecording, recording?.isOn === true);
    setShown(this.download, recording !== undefined);
    if (recording === undefined) return;
    this.download.href = recording.path;
    setText(this.download, `Download ${recording.count} readings`);
  }

  updateOutputs({ outputs }) {
    setShown(this.outputs, outputs !== undefined);
    for (const node of this.outputs.children) {
      node.setAttribute("aria-pressed", String(outputs?.includes(node.dataset.output) ?? false));
    }
  }

  updatePanels(sensors) {
    for (const [name, panel] of this.panels) {
      if (sensors.some((sensor) => sensor.name === name)) continue;
      panel.remove();
      this.panels.delete(name);
    }
    for (const sensor of [...sensors].sort((one, other) => comparePlaces(one.name, other.name))) {
      let panel = this.panels.get(sensor.name);
      if (!panel) {
        panel = new Panel(sensor.name, this);
        this.panels.set(sensor.name, panel);
        this.panelArea.append(panel.node);
        this.summary.append(panel.tile);
      }
      panel.update(sensor);
    }
  }

  updateInformation(lines) {
    setShown(this.details, lines.length > 0);
    const text = JSON.stringify(lines);
    if (text === this.shownInformation) return;
    this.shownInformation = text;
    this.information.replaceChildren(...lines.flatMap(({ label, text: value }) => [
      element("dt", {}, label), element("dd", {}, value),
    ]));
  }

  /** Takes in a reading. */
  add(reading) {
    this.memory.add(reading);
    this.panels.get(reading.sensor)?.show();
    // The graphs of the other sensors move on as well.
    if (this.moved !== Math.floor(reading.time / 1000)) this.redraw();
    this.moved = Math.floor(reading.time / 1000);
  }

  /** Shows all values, as after a change of units. */
  showAll() {
    for (const panel of this.panels.values()) panel.show();
  }

  redraw() {
    for (const panel of this.panels.values()) panel.redraw();
  }

  /** Takes the tag off the page. */
  remove() {
    for (const panel of this.panels.values()) panel.remove();
    this.fold.remove();
    this.node.remove();
  }
}
