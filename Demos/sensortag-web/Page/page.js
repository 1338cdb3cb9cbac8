// The page: a list of tags.

import { setShown, setText } from "./elements.js";
import { chooseUnit } from "./sensors.js";
import { Station } from "./station.js";
import { TagView } from "./tag.js";

const list = document.querySelector("#tags");
const status = document.querySelector("#status");
const empty = document.querySelector("#empty");
const views = new Map();
let trouble = "";
let problem = "";
let isUp = true;

const station = new Station({
  state(tags, newProblem) {
    problem = newProblem ?? "";
    trouble = "";
    for (const [id, view] of views) {
      if (tags.some((tag) => tag.id === id)) continue;
      view.remove();
      views.delete(id);
    }
    for (const tag of tags) {
      let view = views.get(tag.id);
      if (!view) {
        view = new TagView(tag.id, (command) => station.send(command), station.canSwitch);
        views.set(tag.id, view);
        list.append(view.node);
      }
      view.update(tag);
    }
    setShown(empty, tags.length === 0);
    showStatus();
  },
  reading(reading) {
    views.get(reading.tag)?.add(reading);
  },
  connection(isNowUp) {
    isUp = isNowUp;
    showStatus();
  },
  trouble(text) {
    trouble = text;
    showStatus();
  },
});

function showStatus() {
  list.dataset.received = station.received;
  list.dataset.skipped = station.skipped;
  list.dataset.missing = station.missing;
  document.body.classList.toggle("down", !isUp);
  setText(status, [
    isUp ? "" : "The program has ended or cannot be reached; trying again…",
    problem,
    trouble,
    station.canSwitch ? "" : "View only: open the address that the program printed to switch something.",
    station.skipped > 0 ? `${station.skipped} readings were skipped because this browser was slow.` : "",
  ].filter((text) => text !== "").join(" "));
}

for (const input of document.querySelectorAll(".units input")) {
  const restore = localStorage.getItem(input.name);
  if (restore === input.value) input.checked = true;
  if (input.checked) chooseUnit(input.name, input.value);
  input.addEventListener("change", () => {
    chooseUnit(input.name, input.value);
    localStorage.setItem(input.name, input.value);
    for (const view of views.values()) view.redraw();
  });
}

setInterval(showStatus, 1000);
showStatus();
station.listen();
