// One sensor: its tile in the tag's summary, and its panel with switch, graphs, values, period, alert and table.

import { askBounds } from "./bounds.js";
import { download } from "./csv.js";
import { button, element, newIdentifier, setShown, setText } from "./elements.js";
import { Fold } from "./fold.js";
import { Graph } from "./graph.js";
import { Orientation } from "./orientation.js";
import { Period } from "./period.js";
import { describe, summaryText, valueText } from "./sensors.js";

export class Panel {
  /**
   * The panel of a sensor of a tag, which has `id`, `canSwitch`, `alerts`, `memory` and `view`, and passes on commands
   * with `send`.
   */
  constructor(name, tag) {
    this.name = name;
    this.tag = tag;
    this.description = describe(name);
    const identifier = newIdentifier();
    const heading = newIdentifier();
    const { title } = this.description;
    this.toggle = element("input", {
      type: "checkbox", role: "switch", disabled: !tag.canSwitch, "data-sensor": name, "aria-labelledby": heading,
      onchange: () => tag.send({ action: "switch", sensor: name, isOn: this.toggle.checked }),
    });
    this.state = element("p", { class: "state" });
    this.graphs = this.description.graphs.map((graph) => this.makeGraph(graph));
    this.keys = (this.description.keys ?? []).map((key) => {
      const node = element("span", { class: "key" }, `${key}: released`);
      return { key, node };
    });
    this.period = new Period(tag.canSwitch, (milliseconds) =>
      tag.send({ action: "period", sensor: name, milliseconds }));
    this.calibrate = button("Calibrate", () => tag.send({ action: "calibrate", sensor: name }),
      { disabled: !tag.canSwitch });
    this.alert = button("Alert…", () => askBounds(tag.alerts, tag.id, name, () => this.show()));
    this.table = button("CSV", () => download(tag.id, name, tag.view.readings(name)),
      { "aria-label": `Download ${title} as CSV` });
    this.close = button(title, null, { class: "fold" });
    this.node = element("div", {
      class: "panel", id: identifier, role: "group", "aria-labelledby": heading, "data-panel": name,
    },
    element("header", {}, element("h3", { id: heading }, this.close), this.calibrate, this.toggle),
    this.state,
    this.graphs.length > 0 ? element("div", { class: "measurements" }, ...this.graphs.map(({ node }) => node)) : null,
    this.keys.length > 0 ? element("p", { class: "keys" }, ...this.keys.map(({ node }) => node)) : null,
    element("div", { class: "controls" }, this.period.node,
      element("div", { class: "actions" }, this.graphs.length > 0 ? this.alert : null, this.table)));
    this.value = element("span", { class: "latest" }, "–");
    this.tile = element("button", { type: "button", class: "tile", "data-tile": name },
      element("span", { class: "title" }, this.description.short ?? title), this.value);
    this.fold = new Fold(`${tag.id} ${name}`, [this.node], true);
    this.fold.attach(this.tile, identifier);
    this.fold.attach(this.close, identifier);
  }

  makeGraph(description) {
    const graph = new Graph(description, this.tag.view, () => this.tag.view.readings(this.name));
    const values = description.series.map((series, index) => {
      const node = element("span", { class: `value series-${index + 1}`, "data-value": series.key }, "–");
      return { ...series, node };
    });
    const picture = description.isOrientation ? new Orientation() : null;
    const node = element("div", { class: "measurement" },
      element("h4", {}, description.title),
      element("dl", {}, ...values.map(({ label, node: value }) =>
        element("div", {}, element("dt", {}, label), element("dd", {}, value)))),
      element("div", { class: "figure" }, graph.node, picture?.node));
    return { graph, values, picture, node };
  }

  /** Shows the state of the sensor. */
  update(sensor) {
    const isOn = sensor.status === "on" || sensor.status === "waiting";
    if (this.toggle.checked !== isOn) this.toggle.checked = isOn;
    this.status = sensor.status;
    this.node.dataset.status = sensor.status;
    this.tile.dataset.status = sensor.status;
    setText(this.state, {
      off: "Off", waiting: "Switching on…", on: "", failed: sensor.reason ?? "Failed",
    }[sensor.status] ?? "");
    this.period.update(sensor);
    setShown(this.calibrate, sensor.canBeCalibrated && sensor.status === "on");
    this.show();
  }

  /** Shows the latest reading of the memory. */
  show() {
    const { alerts, id, memory } = this.tag;
    const reading = memory.latest(this.name);
    const values = reading?.values ?? {};
    for (const { graph, values: shown, picture } of this.graphs) {
      graph.redraw();
      for (const { key, quantity, node } of shown) setText(node, valueText(quantity, values[key]));
      if (picture && reading) picture.show(reading.time, ...shown.map(({ key }) => values[key] ?? 0));
    }
    for (const { key, node } of this.keys) {
      node.classList.toggle("pressed", values[key] === true);
      setText(node, `${key}: ${values[key] === true ? "pressed" : "released"}`);
    }
    setText(this.value, this.summary(reading));
    const isOn = this.status === "on";
    if (!isOn) alerts.clear(id, this.name);
    const isAlerting = isOn && reading !== undefined && alerts.check(reading);
    this.tile.classList.toggle("alerting", isAlerting);
    this.alert.classList.toggle("set", alerts.has(id, this.name));
    setText(this.alert, alerts.has(id, this.name) ? "Alert set…" : "Alert…");
  }

  summary(reading) {
    if (this.status === "off") return "off";
    if (this.status === "failed") return "failed";
    return reading === undefined ? "–" : summaryText(this.name, reading.values);
  }

  /** Draws the graphs anew, because time has gone on or the view has changed. */
  redraw() {
    for (const { graph } of this.graphs) graph.redraw();
  }

  /** Ends the panel. */
  remove() {
    this.period.remove();
    this.fold.remove();
    this.tag.alerts.clear(this.tag.id, this.name);
    for (const { graph } of this.graphs) graph.remove();
    this.node.remove();
    this.tile.remove();
  }
}
