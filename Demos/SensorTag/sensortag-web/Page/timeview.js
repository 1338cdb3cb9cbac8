// The part of a tag's time that its graphs show: a span up to the newest reading or, while paused, up to the pause.

const minute = 60 * 1000;

/** The spans to choose from, in milliseconds. */
export const spans = [
  { text: "1 min", long: "last minute", length: minute },
  { text: "3 min", long: "last 3 minutes", length: 3 * minute },
  { text: "1 h", long: "last hour", length: 60 * minute },
];

export class TimeView {
  constructor(memory) {
    this.memory = memory;
    this.span = spans[1];
    this.frozen = null;
  }

  /** Whether the view stands still. What arrives in the meantime is remembered. */
  get isPaused() {
    return this.frozen !== null;
  }

  /** Stands still. The readings are copied, because the memory thins out and forgets. */
  pause() {
    this.frozen = { to: this.memory.time, sensors: new Map() };
    this.copy();
  }

  /** Copies what is missing, after the memory got older readings. */
  copy() {
    if (!this.isPaused) return;
    for (const sensor of this.memory.sensors.keys()) this.frozen.sensors.set(sensor, this.memory.readings(sensor));
  }

  /** Catches up. */
  resume() {
    this.frozen = null;
  }

  /** The end of the time that is shown, in milliseconds; undefined before the first reading. */
  get to() {
    return this.frozen ? this.frozen.to : this.memory.time;
  }

  get from() {
    return this.to - this.span.length;
  }

  /** The readings of a sensor in the time that is shown, with rising times. */
  readings(sensor) {
    const { from, to } = this;
    let before = -Infinity;
    return (this.frozen?.sensors.get(sensor) ?? this.memory.readings(sensor)).filter(({ time }) => {
      if (!(time >= from && time <= to && time > before)) return false;
      before = time;
      return true;
    });
  }
}
