// Parts of the page that can be folded. What a visitor folds or opens stays so in this browser.

import { load, save } from "./storage.js";

const key = "folded";
const narrow = matchMedia("(max-width: 40rem)");

export class Fold {
  /** Folds `nodes` under a name. `isSmall` says that the part is folded on a narrow screen until it is opened. */
  constructor(name, nodes, isSmall = false) {
    Object.assign(this, { name, nodes, isSmall, buttons: [] });
    this.chosen = load(key, {})[name];
    this.update = () => this.show();
    narrow.addEventListener("change", this.update);
  }

  get isFolded() {
    return this.chosen ?? (this.isSmall && narrow.matches);
  }

  /** Lets a button fold and open the part. */
  attach(button, identifiers) {
    button.setAttribute("aria-controls", identifiers);
    button.addEventListener("click", () => this.toggle());
    this.buttons.push(button);
    this.show();
    return button;
  }

  toggle() {
    this.chosen = !this.isFolded;
    save(key, { ...load(key, {}), [this.name]: this.chosen });
    const hadFocus = this.nodes.some((node) => node.contains(document.activeElement));
    this.show();
    if (hadFocus && this.chosen) this.buttons[0].focus();
  }

  show() {
    for (const node of this.nodes) node.classList.toggle("folded", this.isFolded);
    for (const button of this.buttons) button.setAttribute("aria-expanded", String(!this.isFolded));
  }

  remove() {
    narrow.removeEventListener("change", this.update);
  }
}
