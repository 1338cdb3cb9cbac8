// The question for the bounds of a sensor's values.

import { Alerts, boundable } from "./alerts.js";
import { ask } from "./dialog.js";
import { button, element, setShown } from "./elements.js";
import { describe, unitOf } from "./sensors.js";

function shown(quantity, bound) {
  if (bound === undefined) return "";
  const { decimals, convert } = unitOf(quantity);
  return String(Number(convert(bound).toFixed(decimals)));
}

function kept(quantity, text) {
  return text.trim() === "" ? undefined : unitOf(quantity).restore(Number(text));
}

function row(series, { low, high }, isAlone) {
  const { unit } = unitOf(series.quantity);
  const field = (word, bound) => element("label", {}, element("span", {}, `${word}, in ${unit}`),
    element("input", {
      type: "number", step: "any", inputmode: "decimal",
      name: `${word} ${series.key}`, value: shown(series.quantity, bound),
    }));
  return element("fieldset", { class: "bounds" },
    element("legend", {}, isAlone ? series.title : `${series.title}: ${series.label}`),
    field("Below", low), field("Above", high));
}

/** Offers notifications, if the browser has them and was not asked before. */
function offer() {
  if (!Alerts.canNotify) return null;
  const refused = element("p", { class: "hint" }, "This browser shows no notifications of this page.");
  const allow = button("Also notify me in other windows", async () => show(await Notification.requestPermission()));
  const show = (permission) => {
    setShown(allow, permission === "default");
    setShown(refused, permission === "denied");
  };
  show(Notification.permission);
  return element("div", { class: "offer" }, allow, refused);
}

/** Asks for the bounds of a sensor's values, in the present units; an empty field is no bound. */
export function askBounds(alerts, tag, sensor, accept) {
  const all = boundable(sensor);
  const isAlone = (series) => all.filter(({ title }) => title === series.title).length === 1;
  ask({
    title: `Alert for ${describe(sensor).title}`,
    content: [
      element("p", { class: "hint" }, "This page shows an alert while a value is below or above:"),
      element("div", { class: "rows" },
        ...all.map((series) => row(series, alerts.boundsOf(tag, sensor, series.key), isAlone(series)))),
      offer(),
    ].filter((node) => node !== null),
    acceptText: "Set alert",
    accept: (fields) => {
      for (const { key, quantity } of all) {
        const low = kept(quantity, fields[`Below ${key}`]);
        const high = kept(quantity, fields[`Above ${key}`]);
        alerts.set(tag, sensor, key, { low, high });
      }
      accept();
    },
  });
}
