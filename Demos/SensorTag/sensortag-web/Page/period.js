// The slider for the period of a sensor.

import { element, setShown, setText } from "./elements.js";

/** How long a slider must rest until its period is sent, in milliseconds. */
const rest = 150;

export class Period {
  /** A slider; `send` gets the chosen period in milliseconds. */
  constructor(canSwitch, send) {
    this.text = element("output", {});
    this.slider = element("input", {
      type: "range", step: 10, disabled: !canSwitch,
      oninput: () => {
        setText(this.text, `${this.slider.value} ms`);
        clearTimeout(this.resting);
        const milliseconds = Number(this.slider.value);
        this.resting = setTimeout(() => {
          this.resting = undefined;
          send(milliseconds);
        }, rest);
      },
    });
    this.node = element("label", { class: "period" }, element("span", {}, "Period"), this.slider, this.text);
  }

  /** Shows the period of a sensor, if it has one. */
  update({ period, shortestPeriod, longestPeriod }) {
    setShown(this.node, shortestPeriod !== undefined && period !== undefined);
    if (shortestPeriod !== undefined) {
      this.slider.min = shortestPeriod;
      this.slider.max = longestPeriod;
    }
    // What is being dragged stays under the hand.
    if (this.resting !== undefined || period === undefined) return;
    this.slider.value = period;
    setText(this.text, `${period} ms`);
  }

  remove() {
    clearTimeout(this.resting);
  }
}
