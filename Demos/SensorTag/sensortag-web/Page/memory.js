// What the page remembers of a tag. Of each sensor, this is one hour: every reading of the last three minutes, and one
// per second before. A sensor with the shortest period, 100 ms, has at most 1,850 + 3,420 of them.

const full = 3 * 60 * 1000;
const longest = 60 * 60 * 1000;
/** Readings are thinned out in portions of this many milliseconds. */
const portion = 5000;
/** The most readings at the full rate, whatever the program's clock does. */
const most = 4000;
/** Less than a second: a sensor with a period of a second is not always late. */
const second = 950;

class SensorMemory {
  constructor() {
    this.old = [];
    this.recent = [];
  }

  get all() {
    return [...this.old, ...this.recent];
  }

  add(reading) {
    this.recent.push(reading);
    if (reading.time - this.recent[0].time > full + portion || this.recent.length > most) this.thin(reading.time);
  }

  thin(now) {
    const kept = this.recent.findIndex(({ time }) => time >= now - full);
    for (const reading of this.recent.splice(0, Math.max(kept, this.recent.length - most))) {
      const last = this.old.at(-1);
      if (last === undefined || reading.time - last.time > second) this.old.push(reading);
    }
    const first = this.old.findIndex(({ time }) => time >= now - longest);
    this.old.splice(0, first === -1 ? this.old.length : first);
    this.old.splice(0, this.old.length - longest / 1000);
  }

  merge(readings) {
    const known = this.all;
    const numbers = new Set(known.map(({ number }) => number));
    const added = readings.filter(({ number }) => !numbers.has(number));
    if (added.length === 0) return;
    this.old = [];
    this.recent = [];
    for (const reading of [...known, ...added].sort((one, other) => one.number - other.number)) this.add(reading);
  }
}

export class TagMemory {
  constructor() {
    this.clear();
  }

  /** Forgets everything. */
  clear() {
    this.sensors = new Map();
    this.newest = undefined;
  }

  of(sensor) {
    if (!this.sensors.has(sensor)) this.sensors.set(sensor, new SensorMemory());
    return this.sensors.get(sensor);
  }

  /** Adds a reading that has just arrived. */
  add(reading) {
    // It was in the program's memory already, or the numbers are those of another run.
    if (reading.number <= (this.latest(reading.sensor)?.number ?? 0)) return;
    this.of(reading.sensor).add(reading);
    this.notice(reading);
  }

  /** Adds readings of the program's memory, each once. */
  merge(readings) {
    const sensors = grouped(readings);
    for (const [sensor, own] of sensors) this.of(sensor).merge(own);
    readings.forEach((reading) => this.notice(reading));
  }

  notice(reading) {
    if (this.newest === undefined || reading.number > this.newest.number) this.newest = reading;
  }

  /** The time of the newest reading of all sensors, in milliseconds; undefined without any. */
  get time() {
    return this.newest?.time;
  }

  /** The latest reading of a sensor, if there is one. */
  latest(sensor) {
    const memory = this.sensors.get(sensor);
    return memory?.recent.at(-1) ?? memory?.old.at(-1);
  }

  /** All readings of a sensor, in their order. */
  readings(sensor) {
    return this.sensors.get(sensor)?.all ?? [];
  }
}

function grouped(readings) {
  const groups = new Map();
  for (const reading of readings) {
    if (!groups.has(reading.sensor)) groups.set(reading.sensor, []);
    groups.get(reading.sensor).push(reading);
  }
  return groups;
}
