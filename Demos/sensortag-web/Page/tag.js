// One tag: how it is connected, its sensors, outputs, recording and information.

import { element, newIdentifier, setShown, setText } from "./elements.js";
import { Panel } from "./panel.js";

const linkTexts = {
  seen: "In range",
  away: "Not heard for a while",
  connecting: "Connecting…",
  connected: "Connected",
  lost: "Link lost; connecting again…",
  ending: "Disconnecting…",
};
const outputNames = { red: "Red LED", green: "Green LED", buzzer: "Buzzer" };

export class TagView {
  /** The part of the page for a tag. `send` passes commands on; `canSwitch` says whether they are allowed. */
  constructor(id, send, canSwitch) {
    this.id = id;
    this.send = (command) => send({ tag: id, ...command });
    this.canSwitch = canSwitch;
    this.panels = new Map();
    const heading = newIdentifier();
    const button = (text, command) =>
      element("button", { type: "button", disabled: !canSwitch, onclick: () => this.send(command) }, text);
    this.name = element("span", { class: "name" });
    this.detail = element("span", { class: "detail" });
    this.link = element("span", { class: "link" });
    this.notice = element("p", { class: "notice", role: "status" });
    this.connect = button("Connect", { action: "connect" });
    this.disconnect = button("Disconnect", { action: "disconnect" });
    this.forget = button("Forget", { action: "forget" });
    this.record = button("Record", { action: "record", isOn: true });
    this.stopRecording = button("Stop recording", { action: "record", isOn: false });
    this.download = element("a", { class: "download", download: true });
    this.outputs = element("div", { class: "outputs", role: "group", "aria-label": "Outputs" },
      ...Object.entries(outputNames).map(([name, text]) =>
        element("button", {
          type: "button", "aria-pressed": "false", "data-output": name, disabled: !canSwitch,
          onclick: () => this.toggleOutput(name),
        }, text)));
    this.panelArea = element("div", { class: "panels" });
    this.information = element("dl", { class: "information" });
    this.details = element("details", {}, element("summary", {}, "Device information"), this.information);
    this.node = element("article", { class: "tag", "aria-labelledby": heading, "data-tag": id },
      element("header", {},
        element("h2", { id: heading }, this.name), this.detail, this.link,
        element("div", { class: "buttons" },
          this.connect, this.disconnect, this.forget, this.record, this.stopRecording, this.download)),
      this.notice, this.outputs, this.panelArea, this.details);
  }

  toggleOutput(name) {
    const wanted = new Set(this.state.outputs ?? []);
    if (wanted.has(name)) wanted.delete(name);
    else wanted.add(name);
    this.send({ action: "outputs", outputs: [...wanted] });
  }

  /** Shows the state of the tag. */
  update(state) {
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
    this.updateRecording(state);
    this.updateOutputs(state);
    this.updatePanels(state.sensors);
    this.updateInformation(state.information);
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
    for (const button of this.outputs.children) {
      button.setAttribute("aria-pressed", String(outputs?.includes(button.dataset.output) ?? false));
    }
  }

  updatePanels(sensors) {
    for (const [name, panel] of this.panels) {
      if (sensors.some((sensor) => sensor.name === name)) continue;
      panel.remove();
      this.panels.delete(name);
    }
    for (const sensor of sensors) {
      let panel = this.panels.get(sensor.name);
      if (!panel) {
        panel = new Panel(sensor.name, this.send, this.canSwitch);
        this.panels.set(sensor.name, panel);
        this.panelArea.append(panel.node);
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

  /** Shows a reading. */
  add({ sensor, time, values }) {
    this.panels.get(sensor)?.add(time, values);
  }

  /** Shows the same in other units. */
  redraw() {
    for (const panel of this.panels.values()) panel.redraw();
  }

  /** Takes the tag off the page. */
  remove() {
    for (const panel of this.panels.values()) panel.remove();
    this.node.remove();
  }
}
