// The page: a list of tags.

import { Alerts } from "./alerts.js";
import { segments, setShown, setText } from "./elements.js";
import { chooseUnit } from "./sensors.js";
import { Station } from "./station.js";
import { load, save } from "./storage.js";
import { TagView } from "./tag.js";

const list = document.querySelector("#tags");
const status = document.querySelector("#status");
const empty = document.querySelector("#empty");
const views = new Map();
const alerts = new Alerts(document.querySelector("#alerts"), (tag) => views.get(tag)?.state.name ?? tag);
let trouble = "";
let problem = "";
let isUp = true;
let refusal = "";

const station = new Station({
  state(tags, newProblem, isFresh) {
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
        view = new TagView(tag.id, station, alerts);
        views.set(tag.id, view);
        list.append(view.node);
      }
      view.update(tag, isFresh);
    }
    setShown(empty, tags.length === 0);
    showStatus();
  },
  restart() {
    for (const view of views.values()) view.restart();
  },
  reading(reading) {
    views.get(reading.tag)?.add(reading);
  },
  connection(isNowUp, text) {
    isUp = isNowUp;
    refusal = text;
    showStatus();
  },
  trouble(text) {
    trouble = text;
    showStatus();
  },
});

function connectionText() {
  if (isUp) return "";
  if (refusal) return `${refusal}. Trying again every 10 seconds…`;
  return "The program has ended or cannot be reached; trying again…";
}

function showStatus() {
  list.dataset.received = station.received;
  list.dataset.skipped = station.skipped;
  list.dataset.missing = station.missing;
  document.body.classList.toggle("down", !isUp);
  setText(status, [
    connectionText(),
    problem,
    trouble,
    station.canSwitch ? "" : "View only: open the address that the program printed to switch something.",
    station.skipped > 0 ? `${station.skipped} readings were skipped because this browser was slow.` : "",
  ].filter((text) => text !== "").join(" "));
}

const choices = [
  { quantity: "temperature", legend: "Temperature in", units: [["celsius", "°C"], ["fahrenheit", "°F"]] },
  { quantity: "pressure", legend: "Pressure in", units: [["hectopascal", "hPa"], ["atmosphere", "atm"]] },
];

for (const { quantity, legend, units } of choices) {
  const kept = units.findIndex(([unit]) => unit === load(quantity, ""));
  const bar = segments(legend, units.map(([, text]) => text), Math.max(kept, 0), (index) => {
    const [unit] = units[index];
    chooseUnit(quantity, unit);
    save(quantity, unit);
    for (const view of views.values()) view.showAll();
  });
  chooseUnit(quantity, units[Math.max(kept, 0)][0]);
  bar.querySelectorAll("input").forEach((input, index) => input.setAttribute("value", units[index][0]));
  document.querySelector("#units").append(bar);
}

setInterval(showStatus, 1000);
showStatus();
station.listen();
