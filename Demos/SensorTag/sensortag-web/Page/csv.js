// Tables of what is shown (RFC 4180), with the columns, times and decimals of a recording.

import { element } from "./elements.js";
import { describe } from "./sensors.js";

/** A number with a fixed number of decimals; halves are rounded away from zero, as in a recording. */
function fixed(value, decimals) {
  const factor = 10 ** decimals;
  const rounded = Math.round(Math.abs(value) * factor);
  return `${value < 0 && rounded > 0 ? "-" : ""}${(rounded / factor).toFixed(decimals)}`;
}

function field(value, decimals) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return fixed(value, decimals);
}

/** The table of a sensor's readings. */
export function table(tag, sensor, readings) {
  const { columns } = describe(sensor);
  const lines = readings.map(({ time, values }) =>
    [new Date(time).toISOString(), tag, sensor, ...columns.map(([key, decimals]) => field(values[key], decimals))]);
  return [["time", "device", "sensor", ...columns.map(([key]) => key)], ...lines]
    .map((line) => `${line.join(",")}\n`).join("");
}

/** Lets the browser save the table of a sensor's readings. */
export function download(tag, sensor, readings) {
  const address = URL.createObjectURL(new Blob([table(tag, sensor, readings)], { type: "text/csv" }));
  const time = new Date(readings.at(-1)?.time ?? Date.now()).toISOString().slice(0, 19).replace(/[^0-9T]/g, "");
  element("a", { href: address, download: `sensortag-${tag.replace(/[^0-9A-Za-z]/g, "")}-${sensor}-${time}Z.csv` })
    .click();
  // The browser reads the address a little later.
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}
