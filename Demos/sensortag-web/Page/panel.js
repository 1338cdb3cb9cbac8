// The panel of one sensor: switch, values, graphs, period, calibration.

import { element, newIdentifier, setShown, setText } from "./elements.js";
import { Graph } from "./graph.js";
import { Orientation } from "./orientation.js";
import { sensors, valueText } from "./sensors.js";

/** How long a slider must rest until its period is sent, in milliseconds. */
const rest = 150;

export class Panel {
  /** The panel of a sensor. `send` passes commands on; `canSwitch` says whether they are allowed. */
  constructor(name, send, canSwitch) {
    this.name = name;
    this.send = send;
    this.description = sensors[name] ?? { title: name, graphs: [] };
    this.values = {};
    const heading = newIdentifier();
    this.toggle = element("input", {
      type: "checkbox", role: "switch", disabled: !canSwitch, "data-sensor": name,
      onchange: () => send({ action: "switch", sensor: name, isOn: this.toggle.checked }),
    });
    this.state = element("span", { class: "state" });
    this.graphs = this.description.graphs.map((graph) => this.makeGraph(graph));
    this.keys = (this.description.keys ?? []).map((key) => {
      const node = element("span", { class: "key" }, `${key}: released`);
      return { key, node };
    });
    this.period = this.makePeriod(canSwitch);
    this.calibrate = element("button", {
      type: "button", disabled: !canSwitch, onclick: () => send({ action: "calibrate", sensor: name }),
    }, "Calibrate");
    this.node = element("section", { class: "panel", "aria-labelledby": heading, "data-panel": name },
      element("h3", { id: heading },
        element("label", { class: "switch" }, this.toggle, element("span", {}, this.description.title))),
      this.state,
      element("div", { class: "measurements" }, ...this.graphs.map(({ node }) => node)),
      this.keys.length > 0 ? element("p", { class: "keys" }, ...this.keys.map(({ node }) => node)) : null,
      element("div", { class: "controls" }, this.period.node, this.calibrate));
  }

  makeGraph(description) {
    const graph = new Graph(description);
    const values = description.series.map((series, index) => {
      const node = element("span", { class: `value series-${index + 1}`, "data-value": series.key }, "–");
      return { ...series, node };
    });
    const picture = description.isOrientation ? new Orientation() : null;
    const node = element("div", { class: "measurement" },
      element("dl", {}, ...values.map(({ label, node: value }) =>
        element("div", {}, element("dt", {}, label), element("dd", {}, value)))),
      graph.node, picture?.node);
    return { graph, values, picture, node };
  }

  makePeriod(canSwitch) {
    const text = element("output", {});
    const slider = element("input", {
      type: "range", step: 10, disabled: !canSwitch,
      oninput: () => {
        setText(text, `${slider.value} ms`);
        clearTimeout(this.resting);
        const milliseconds = Number(slider.value);
        this.resting = setTimeout(() => {
          this.resting = undefined;
          this.send({ action: "period", sensor: this.name, milliseconds });
        }, rest);
      },
    });
    return { slider, text, node: element("label", { class: "period" }, "Period ", slider, text) };
  }

  /** Shows the state of the sensor. */
  update(sensor) {
    const isOn = sensor.status === "on" || sensor.status === "waiting";
    if (this.toggle.checked !== isOn) this.toggle.checked = isOn;
    this.node.dataset.status = sensor.status;
    setText(this.state, {
      off: "Off", waiting: "Switching on…", on: "", failed: sensor.reason ?? "Failed",
    }[sensor.status] ?? "");
    const { slider, text, node } = this.period;
    setShown(node, sensor.shortestPeriod !== undefined && sensor.period !== undefined);
    if (sensor.shortestPeriod !== undefined) {
      slider.min = sensor.shortestPeriod;
      slider.max = sensor.longestPeriod;
    }
    // What is being dragged stays under the hand.
    if (this.resting === undefined && sensor.period !== undefined) {
      slider.value = sensor.period;
      setText(text, `${sensor.period} ms`);
    }
    setShown(this.calibrate, sensor.canBeCalibrated && sensor.status === "on");
  }

  /** Shows a reading. */
  add(time, values) {
    this.values = values;
    for (const { graph, values: shown, picture } of this.graphs) {
      graph.add(time, values);
      for (const { key, quantity, node } of shown) setText(node, valueText(quantity, values[key]));
      if (picture) picture.show(time, ...shown.map(({ key }) => values[key] ?? 0));
    }
    for (const { key, node } of this.keys) {
      node.classList.toggle("pressed", values[key] === true);
      setText(node, `${key}: ${values[key] === true ? "pressed" : "released"}`);
    }
  }

  /** Shows the same in other units. */
  redraw() {
    for (const { graph, values } of this.graphs) {
      graph.redraw();
      for (const { key, quantity, node } of values) setText(node, valueText(quantity, this.values[key]));
    }
  }

  /** Ends the panel. */
  remove() {
    clearTimeout(this.resting);
    for (const { graph } of this.graphs) graph.remove();
    this.node.remove();
  }
}
