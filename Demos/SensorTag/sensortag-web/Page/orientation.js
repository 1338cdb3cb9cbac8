// A picture of how the tag lies, from the direction of gravity.

import { element, setText, svg } from "./elements.js";

const degrees = 180 / Math.PI;

/** Roll and pitch in degrees from an acceleration in g; null in free fall, which has no direction. */
export function orientation(x, y, z) {
  if (Math.hypot(x, y, z) < 0.2) return null;
  return { roll: Math.atan2(y, z) * degrees, pitch: Math.atan2(-x, Math.hypot(y, z)) * degrees };
}

function view(label) {
  const board = svg("g", {},
    svg("rect", { x: -34, y: -5, width: 68, height: 10, rx: 4, class: "board" }),
    svg("circle", { cx: 24, cy: -7, r: 3, class: "button" }));
  const text = svg("text", { x: 0, y: 46, "text-anchor": "middle" });
  const node = svg("svg", { viewBox: "-48 -50 96 100" },
    svg("line", { x1: -42, y1: 0, x2: 42, y2: 0, class: "horizon" }), board,
    svg("text", { x: 0, y: -38, "text-anchor": "middle", class: "label" }, label), text);
  return { node, board, text };
}

export class Orientation {
  constructor() {
    this.roll = view("Roll");
    this.pitch = view("Pitch");
    this.node = element("div", { class: "orientation", role: "img", "aria-label": "Orientation" },
      this.roll.node, this.pitch.node);
    this.described = 0;
  }

  /** Shows the orientation of a reading at a time in milliseconds. */
  show(time, x, y, z) {
    const angles = orientation(x, y, z);
    if (angles === null) return;
    for (const [part, angle] of [[this.roll, angles.roll], [this.pitch, angles.pitch]]) {
      part.board.setAttribute("transform", `rotate(${angle.toFixed(1)})`);
      setText(part.text, `${angle.toFixed(0)}°`);
    }
    if (time - this.described < 5000) return;
    this.described = time;
    this.node.setAttribute("aria-label",
      `Orientation: roll ${angles.roll.toFixed(0)} degrees, pitch ${angles.pitch.toFixed(0)} degrees`);
  }
}
