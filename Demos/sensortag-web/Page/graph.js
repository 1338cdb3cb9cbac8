// A graph of the last minutes on a canvas.

import { element } from "./elements.js";
import { unitOf, valueText } from "./sensors.js";

const minutes = 3;
const span = minutes * 60 * 1000;
const dashes = [[], [6, 3], [2, 3]];
const redrawing = new Set();
const dark = matchMedia("(prefers-color-scheme: dark)");

function redrawSoon(graph) {
  if (redrawing.size === 0) requestAnimationFrame(redrawAll);
  redrawing.add(graph);
}

function redrawAll() {
  const graphs = [...redrawing];
  redrawing.clear();
  for (const graph of graphs) graph.draw();
}

export class Graph {
  /** A graph of one or more series of the same quantity. */
  constructor({ title, series }) {
    this.title = title;
    this.series = series.map(({ key, label, quantity }) => ({ key, label, quantity, samples: [] }));
    this.canvas = element("canvas", { class: "graph", role: "img", "aria-label": `${title}: no readings yet` });
    this.node = this.canvas;
    this.described = 0;
    this.observer = new ResizeObserver(() => redrawSoon(this));
    this.observer.observe(this.canvas);
    this.changeColours = () => redrawSoon(this);
    dark.addEventListener("change", this.changeColours);
  }

  /** Takes in the values of a reading at a time in milliseconds. */
  add(time, values) {
    for (const line of this.series) {
      const value = values[line.key];
      if (value === null || value === undefined) continue;
      line.samples.push([time, value]);
      const old = line.samples.findIndex(([sampled]) => sampled > time - span);
      if (old > 64) line.samples.splice(0, old - 1);
    }
    redrawSoon(this);
  }

  /** Shows the same in other units. */
  redraw() {
    redrawSoon(this);
  }

  /** Ends the graph. */
  remove() {
    this.observer.disconnect();
    dark.removeEventListener("change", this.changeColours);
    redrawing.delete(this);
  }

  draw() {
    const { canvas } = this;
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0 || height === 0) return;
    if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
    if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
    const style = getComputedStyle(canvas);
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);

    const end = Math.max(...this.series.map((line) => line.samples.at(-1)?.[0] ?? 0));
    if (end === 0) return;
    const { unit, decimals, convert } = unitOf(this.series[0].quantity);
    const shown = this.series.map((line) =>
      line.samples.filter(([time]) => time >= end - span).map(([time, value]) => [time, convert(value)]));
    const values = shown.flat().map(([, value]) => value);
    let low = Math.min(...values);
    let high = Math.max(...values);
    const room = Math.max((high - low) * 0.08, 10 ** -decimals);
    low -= room;
    high += room;

    const left = 4;
    const right = width - 4;
    const top = 14;
    const bottom = height - 14;
    const x = (time) => right - ((end - time) / span) * (right - left);
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);

    context.font = `11px ${style.fontFamily}`;
    context.fillStyle = style.getPropertyValue("--quiet");
    context.strokeStyle = style.getPropertyValue("--line");
    context.lineWidth = 1;
    context.setLineDash([]);
    context.beginPath();
    for (const level of [top, bottom]) {
      context.moveTo(left, level + 0.5);
      context.lineTo(right, level + 0.5);
    }
    context.stroke();
    context.textAlign = "left";
    context.fillText(`${high.toFixed(decimals)} ${unit}`, left, top - 3);
    context.fillText(`${low.toFixed(decimals)} ${unit}`, left, height - 3);
    context.textAlign = "right";
    context.fillText(`last ${minutes} min`, right, height - 3);

    context.lineWidth = 1.75;
    shown.forEach((samples, index) => {
      context.strokeStyle = style.getPropertyValue(`--series-${index + 1}`);
      context.setLineDash(dashes[index % dashes.length]);
      context.beginPath();
      let before;
      for (const [time, value] of samples) {
        // A gap of more than ten seconds is one: the link was lost, or the sensor was off.
        if (before === undefined || time - before > 10000) context.moveTo(x(time), y(value));
        else context.lineTo(x(time), y(value));
        before = time;
      }
      context.stroke();
      const last = samples.at(-1);
      if (last === undefined) return;
      context.fillStyle = context.strokeStyle;
      context.beginPath();
      context.arc(x(last[0]), y(last[1]), 2.5, 0, 2 * Math.PI);
      context.fill();
    });
    this.describe(end);
  }

  /** Says in words what the graph shows, at most every five seconds. */
  describe(time) {
    if (time - this.described < 5000) return;
    this.described = time;
    const parts = this.series.map((line) => {
      const values = line.samples.filter(([sampled]) => sampled >= time - span).map(([, value]) => value);
      const low = valueText(line.quantity, Math.min(...values));
      const high = valueText(line.quantity, Math.max(...values));
      return `${line.label} from ${low} to ${high}`;
    });
    this.canvas.setAttribute("aria-label", `${this.title}, last ${minutes} minutes: ${parts.join("; ")}`);
  }
}
