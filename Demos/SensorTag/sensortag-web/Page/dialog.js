// Questions that the page asks.

import { button, element, newIdentifier } from "./elements.js";

/**
 * Asks something. `accept` is called when the visitor agrees, with the texts of the fields by their names.
 * `isDangerous` is for what cannot be undone.
 */
export function ask({ title, content, accept, acceptText, isDangerous = false }) {
  const heading = newIdentifier();
  const cancel = button("Cancel", () => dialog.close(), { autofocus: isDangerous });
  const agree = element("button", { type: "submit", class: isDangerous ? "danger primary" : "primary" }, acceptText);
  const form = element("form", {
    onsubmit: (event) => {
      event.preventDefault();
      dialog.close();
      accept(Object.fromEntries(new FormData(form)));
    },
  }, element("h2", { id: heading }, title), ...content, element("div", { class: "answers" }, cancel, agree));
  const dialog = element("dialog", { "aria-labelledby": heading, onclose: () => dialog.remove() }, form);
  document.body.append(dialog);
  dialog.showModal();
}

const longestName = 64;

/** Asks for the name of a tag. */
export function askName(name, accept) {
  const field = element("input", {
    name: "name", value: name, autocomplete: "off", autofocus: true,
    oninput: () => {
      const isTooLong = new TextEncoder().encode(field.value).length > longestName;
      field.setCustomValidity(isTooLong ? "This name is too long" : "");
    },
  });
  ask({
    title: `Rename ${name}`,
    content: [
      element("label", { class: "field" }, "Name", field),
      element("p", { class: "hint" }, "This computer remembers the name. Without one, the tag's own name returns."),
    ],
    acceptText: "Rename",
    accept: (fields) => accept(fields.name.trim()),
  });
}

/** Asks whether a tag is to be forgotten. */
export function askToForget(name, accept) {
  ask({
    title: `Forget ${name}?`,
    content: [
      element("p", {}, "This ends its connection, and deletes its name and what this computer knows about it. The tag "
        + "appears again when it advertises."),
    ],
    acceptText: "Forget",
    isDangerous: true,
    accept,
  });
}
