// Small helpers to make elements. Texts become text nodes, never markup: names come from the air.

/** Makes an element with attributes, listeners ("onclick" and so on are functions) and children. */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Makes an SVG element. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Makes a button. */
export function button(text, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, text);
}

/** Makes a group of radio buttons that look like one bar; `choose` gets the index of what was chosen. */
export function segments(legend, texts, chosen, choose) {
  const name = newIdentifier();
  return element("fieldset", { class: "segments" }, element("legend", {}, legend),
    ...texts.map((text, index) => element("label", {},
      element("input", { type: "radio", name, checked: index === chosen, onchange: () => choose(index) }),
      element("span", {}, text))));
}

/** Sets the text of a node if it is another one, so that screen readers hear changes only. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Shows or hides a node. */
export function setShown(node, isShown) {
  node.hidden = !isShown;
}

/** Lets screen readers say a text. */
export function announce(text) {
  setText(document.querySelector("#announcement"), text);
}

let identifiers = 0;

/** An identifier that nothing else on the page has. */
export function newIdentifier() {
  identifiers += 1;
  return `e${identifiers}`;
}
