// A graph of the time that a tag's view shows. uPlot draws it; mouse, finger and arrow keys read a value.

import { announce, element, setShown, setText } from "./elements.js";
import { unitOf, valueText } from "./sensors.js";

const dashes = [[], [6, 3], [2, 3]];
/** Without a reading for so long, the line has a gap: the link was lost, or the sensor was off. In milliseconds. */
const gap = 10000;
/** The shortest time between two pictures, and between two descriptions in words, in milliseconds. */
const pace = 150;
const descriptionPace = 5000;

const redrawing = new Set();
const dark = matchMedia("(prefers-color-scheme: dark)");
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const clockOfMinutes = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

function redrawSoon(graph) {
  if (redrawing.size === 0) setTimeout(() => requestAnimationFrame(redrawAll), pace);
  redrawing.add(graph);
}

function redrawAll() {
  const graphs = [...redrawing];
  redrawing.clear();
  for (const graph of graphs) graph.draw();
}

/** The places of dots: at the end of a line, and where a reading stands alone. */
function dots(plot, index) {
  const values = plot.data[index];
  const last = values.findLastIndex((value) => value !== null);
  const isThere = (at) => (values[at] ?? null) !== null;
  const isAlone = (at) => isThere(at) && !isThere(at - 1) && !isThere(at + 1);
  return values.flatMap((_, at) => (at === last || isAlone(at) ? [at] : []));
}

function levelTexts(levels, step) {
  // A step of 0.25 needs two decimals.
  const decimals = [0, 1, 2, 3, 4].find((count) => Math.abs(step * 10 ** count % 1) < 1e-6) ?? 5;
  return levels.map((level) => level.toFixed(decimals));
}

export class Graph {
  /** A graph of one or more series of the same quantity. `read` returns the readings, `view` is the tag's view. */
  constructor({ title, series, isRare }, view, read) {
    Object.assign(this, { title, series, view, read, readings: [], rows: [], pinned: null, described: 0 });
    this.gap = isRare ? Infinity : gap;
    this.readout = element("p", { class: "readout", hidden: true });
    this.hint = element("p", { class: "hint" }, "No readings in this time");
    this.area = element("div", { class: "plot" });
    this.node = element("div", {
      class: "graph", tabindex: 0, role: "application", "aria-roledescription": "graph", "aria-label": title,
      onkeydown: (event) => this.press(event), onblur: () => this.unpin(),
    }, this.area, this.readout, this.hint);
    this.observer = new ResizeObserver(() => redrawSoon(this));
    this.observer.observe(this.area);
    this.isVisible = true;
    this.watcher = new IntersectionObserver(([{ isIntersecting }]) => {
      this.isVisible = isIntersecting;
      if (isIntersecting) redrawSoon(this);
    });
    this.watcher.observe(this.node);
    this.redraw = () => redrawSoon(this);
    dark.addEventListener("change", this.redraw);
  }

  /** Ends the graph. */
  remove() {
    this.observer.disconnect();
    this.watcher.disconnect();
    dark.removeEventListener("change", this.redraw);
    redrawing.delete(this);
    this.plot?.destroy();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.area;
    if (!this.isVisible || width === 0 || height === 0) return;
    this.readings = this.read();
    setShown(this.hint, this.readings.length === 0);
    this.node.dataset.points = this.readings.length;
    if (this.readings.length === 0) {
      this.plot?.destroy();
      this.plot = undefined;
      return this.unpin();
    }
    const data = this.columns();
    this.plot ??= this.makePlot(width, height, data);
    if (this.plot.width !== width || this.plot.height !== height) this.plot.setSize({ width, height });
    // In a batch, so that the scales are there for the cursor.
    this.plot.batch(() => this.plot.setData(data));
    if (this.pinned) this.pin(this.readings.find(({ number }) => number === this.pinned.number));
    this.describe();
  }

  /** The columns for uPlot: times in seconds, and the values in the present units. A row without values makes a gap. */
  columns() {
    const { convert } = unitOf(this.series[0].quantity);
    this.rows = [];
    for (const reading of this.readings) {
      const before = this.rows.at(-1)?.time;
      if (before !== undefined && reading.time - before > this.gap) this.rows.push({ time: before + 1 });
      this.rows.push(reading);
    }
    return [
      this.rows.map(({ time }) => time / 1000),
      ...this.series.map(({ key }) => this.rows.map(({ values }) => {
        const value = values?.[key];
        return value === null || value === undefined ? null : convert(value);
      })),
    ];
  }

  makePlot(width, height, data) {
    const style = getComputedStyle(this.node);
    const colour = (name) => () => style.getPropertyValue(name);
    const axis = {
      stroke: colour("--quiet"), font: `11px ${style.fontFamily}`, gap: 4,
      grid: { stroke: colour("--grid"), width: 1 }, ticks: { show: false },
    };
    const plot = new uPlot({
      width, height, data,
      legend: { show: false },
      padding: [8, 16, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        x: { time: true, range: () => [this.view.from / 1000, this.view.to / 1000] },
        y: { range: (_, low, high) => this.range(low, high) },
      },
      axes: [
        { ...axis, space: 64, size: 22, values: (_, times) => this.timeTexts(times) },
        {
          ...axis, space: 26, values: (_, levels, __, ___, step) => levelTexts(levels, step),
          size: (_, texts) => 12 + 6.5 * Math.max(4, ...(texts ?? []).map((text) => text.length)),
        },
      ],
      series: [{}, ...this.series.map((_, index) => ({
        stroke: colour(`--series-${index + 1}`), width: 1.75, dash: dashes[index % dashes.length],
        points: { show: true, size: 5, width: 0, fill: colour(`--series-${index + 1}`), filter: dots },
      }))],
      hooks: { setCursor: [() => this.showCursor()] },
    }, undefined, this.area);
    for (const name of ["pointerdown", "pointermove"]) plot.over.addEventListener(name, (event) => this.touch(event));
    return plot;
  }

  range(low, high) {
    const { decimals } = unitOf(this.series[0].quantity);
    if (low === null || high === null) return [0, 1];
    const room = Math.max((high - low) * 0.08, 2 * 10 ** -decimals);
    return [low - room, high + room];
  }

  timeTexts(times) {
    const format = this.view.span.length > 600000 ? clockOfMinutes : clock;
    return times.map((time) => format.format(time * 1000));
  }

  /** Moves the cursor by keys: from reading to reading, by a tenth, or to an end. */
  press(event) {
    const { readings } = this;
    const at = this.pinned ? readings.indexOf(this.pinned) : readings.length;
    const tenth = Math.ceil(readings.length / 10);
    const target = {
      ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - tenth, PageDown: at + tenth,
      Home: 0, End: readings.length - 1,
    }[event.key];
    if (event.key === "Escape") return this.unpin();
    if (target === undefined || readings.length === 0) return;
    event.preventDefault();
    this.pin(readings[Math.min(Math.max(target, 0), readings.length - 1)]);
    announce(this.textOf(this.pinned));
  }

  touch(event) {
    if (event.pointerType === "mouse") return this.unpin();
    const { left } = this.plot.over.getBoundingClientRect();
    const row = this.rows[this.plot.posToIdx(event.clientX - left)];
    if (row?.values) this.pin(row);
  }

  /** Holds the cursor at a reading until it leaves the time that is shown. */
  pin(reading) {
    if (!reading || !this.plot) return this.unpin();
    this.pinned = reading;
    this.plot.setCursor({ left: this.plot.valToPos(reading.time / 1000, "x"), top: 0 });
    this.showCursor();
  }

  unpin() {
    if (!this.pinned) return;
    this.pinned = null;
    this.plot?.setCursor({ left: -10, top: -10 });
    this.showCursor();
  }

  showCursor() {
    const { idx, left } = this.plot?.cursor ?? {};
    const reading = this.pinned ?? (left >= 0 ? this.rows[idx] : undefined);
    setShown(this.readout, reading?.values !== undefined);
    if (reading?.values) setText(this.readout, this.textOf(reading));
  }

  textOf({ time, values }) {
    const texts = this.series.map(({ key, label, quantity }) => `${label} ${valueText(quantity, values[key])}`);
    return `${clock.format(time)}: ${texts.join(", ")}`;
  }

  /** Says in words what the graph shows. */
  describe() {
    const { to, span } = this.view;
    if (to - this.described < descriptionPace && span === this.describedSpan) return;
    this.described = to;
    this.describedSpan = span;
    const parts = this.series.map(({ key, label, quantity }) => {
      const values = this.readings.map((reading) => reading.values[key]).filter((value) => typeof value === "number");
      if (values.length === 0) return `${label} without values`;
      const low = values.reduce((one, other) => Math.min(one, other));
      const high = values.reduce((one, other) => Math.max(one, other));
      return `${label} from ${valueText(quantity, low)} to ${valueText(quantity, high)}`;
    });
    this.node.setAttribute("aria-label", `${this.title}, ${span.long}: ${parts.join("; ")}. Arrow keys read values.`);
  }
}
