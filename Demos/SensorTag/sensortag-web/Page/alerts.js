// Alerts on values: this browser keeps, for each tag and value, the bounds that the value should stay in.

import { element, setText } from "./elements.js";
import { describe, unitOf, valueText } from "./sensors.js";
import { load, save } from "./storage.js";

const key = "alerts";

/** The series of a sensor that can have bounds. */
export function boundable(sensor) {
  return describe(sensor).graphs.flatMap((graph) =>
    graph.series.map((series) => ({ ...series, title: graph.title })));
}

export class Alerts {
  /** Alerts that show in an area of the page. `nameOf` returns the name of a tag. */
  constructor(area, nameOf) {
    Object.assign(this, { area, nameOf, bounds: load(key, {}), shown: new Map() });
    addEventListener("storage", (event) => {
      if (event.key === key) this.bounds = load(key, {});
    });
  }

  /** Whether the browser can show notifications: it does so for secure pages only, such as those of this machine. */
  static get canNotify() {
    return window.isSecureContext && "Notification" in window;
  }

  /** The bounds of a value, `low` and `high`, in the units of readings; an absent bound is undefined. */
  boundsOf(tag, sensor, value) {
    return this.bounds[tag]?.[`${sensor}.${value}`] ?? {};
  }

  /** Sets or removes the bounds of a value. */
  set(tag, sensor, value, bounds) {
    this.bounds = load(key, this.bounds);
    const own = { ...this.bounds[tag], [`${sensor}.${value}`]: bounds };
    if (bounds.low === undefined && bounds.high === undefined) delete own[`${sensor}.${value}`];
    this.bounds[tag] = own;
    if (Object.keys(own).length === 0) delete this.bounds[tag];
    save(key, this.bounds);
  }

  /** Whether a sensor has an alert. */
  has(tag, sensor) {
    return boundable(sensor).some((series) => Object.keys(this.boundsOf(tag, sensor, series.key)).length > 0);
  }

  /** Shows and removes the alerts of a reading; returns whether the sensor has one that shows. */
  check({ tag, sensor, values }) {
    let isShown = false;
    for (const series of boundable(sensor)) {
      const { low, high } = this.boundsOf(tag, sensor, series.key);
      const { convert } = unitOf(series.quantity);
      const value = values[series.key];
      const isAbove = typeof value === "number" && high !== undefined && convert(value) > convert(high);
      const isBelow = typeof value === "number" && low !== undefined && convert(value) < convert(low);
      const identifier = `${tag} ${sensor}.${series.key}`;
      if (isAbove || isBelow) {
        const bound = `${isAbove ? "above" : "below"} ${valueText(series.quantity, isAbove ? high : low)}`;
        this.show(identifier, `${this.nameOf(tag)}: ${series.title.toLowerCase()} (${series.label}) is ${bound}`);
      } else {
        this.hide(identifier);
      }
      isShown ||= this.shown.has(identifier);
    }
    return isShown;
  }

  show(identifier, text) {
    const node = this.shown.get(identifier);
    if (node) return setText(node, text);
    const added = element("p", { class: "alert", role: "alert", "data-alert": identifier }, text);
    this.shown.set(identifier, added);
    this.area.append(added);
    this.notify(identifier, text);
  }

  hide(identifier) {
    this.shown.get(identifier)?.remove();
    this.shown.delete(identifier);
  }

  /** Removes the alerts of a sensor that is off, or of a tag. */
  clear(tag, sensor = "") {
    const beginning = `${tag} ${sensor === "" ? "" : `${sensor}.`}`;
    for (const identifier of [...this.shown.keys()]) {
      if (identifier.startsWith(beginning)) this.hide(identifier);
    }
  }

  notify(tag, body) {
    if (!Alerts.canNotify || Notification.permission !== "granted") return;
    try {
      new Notification("SensorTags", { body, tag });
    } catch {
      // Chrome on Android has notifications for service workers only.
    }
  }
}
