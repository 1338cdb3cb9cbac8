// What the sensors measure, and how people read it.

const units = { temperature: "celsius", pressure: "hectopascal" };

/** Chooses "celsius" or "fahrenheit" for "temperature", "hectopascal" or "atmosphere" for "pressure". */
export function chooseUnit(quantity, unit) {
  units[quantity] = unit;
}

const quantities = {
  temperature: () =>
    units.temperature === "celsius"
      ? { unit: "°C", decimals: 2, convert: (value) => value }
      : { unit: "°F", decimals: 2, convert: (value) => value * 1.8 + 32 },
  pressure: () =>
    units.pressure === "hectopascal"
      ? { unit: "hPa", decimals: 2, convert: (value) => value }
      : { unit: "atm", decimals: 5, convert: (value) => value / 1013.25 },
  humidity: () => ({ unit: "%RH", decimals: 1, convert: (value) => Math.min(Math.max(value, 0), 100) }),
  acceleration: () => ({ unit: "g", decimals: 3, convert: (value) => value }),
  field: () => ({ unit: "µT", decimals: 1, convert: (value) => value }),
  rotation: () => ({ unit: "°/s", decimals: 1, convert: (value) => value }),
  light: () => ({ unit: "lx", decimals: 1, convert: (value) => value }),
  charge: () => ({ unit: "%", decimals: 0, convert: (value) => value }),
};

/** The present unit of a quantity: its name, its decimals, and the conversion into it. */
export function unitOf(quantity) {
  return quantities[quantity]();
}

/** A value in the present unit as text, such as "23.51 °C". */
export function valueText(quantity, value) {
  if (value === null || value === undefined) return "–";
  const { unit, decimals, convert } = unitOf(quantity);
  return `${convert(value).toFixed(decimals)} ${unit}`;
}

function axes(quantity, unit, prefix = "") {
  return ["x", "y", "z"].map((axis) => ({ key: `${prefix}${axis}_${unit}`, label: axis, quantity }));
}

const acceleration = (prefix) => ({
  title: "Acceleration", series: axes("acceleration", "g", prefix), isOrientation: true,
});
const rotation = (prefix) => ({ title: "Rotation", series: axes("rotation", "degrees_per_second", prefix) });
const field = (prefix) => ({ title: "Magnetic field", series: axes("field", "microtesla", prefix) });

/** The sensors by their names: a title and the graphs, each with one series or more. */
export const sensors = {
  temperature: {
    title: "Infrared thermometer",
    graphs: [{
      title: "Temperature",
      series: [
        { key: "object_celsius", label: "object", quantity: "temperature" },
        { key: "ambient_celsius", label: "ambient", quantity: "temperature" },
      ],
    }],
  },
  humidity: {
    title: "Humidity",
    graphs: [
      { title: "Humidity", series: [{ key: "relative_humidity_percent", label: "humidity", quantity: "humidity" }] },
      { title: "Temperature", series: [{ key: "temperature_celsius", label: "air", quantity: "temperature" }] },
    ],
  },
  barometer: {
    title: "Barometer",
    graphs: [
      { title: "Pressure", series: [{ key: "pressure_hpa", label: "pressure", quantity: "pressure" }] },
      { title: "Temperature", series: [{ key: "temperature_celsius", label: "air", quantity: "temperature" }] },
    ],
  },
  accelerometer: { title: "Accelerometer", graphs: [acceleration("")] },
  gyroscope: { title: "Gyroscope", graphs: [rotation("")] },
  magnetometer: { title: "Magnetometer", graphs: [field("")] },
  movement: {
    title: "Movement",
    graphs: [acceleration("accelerometer_"), rotation("gyroscope_"), field("magnetometer_")],
  },
  optical: { title: "Light", graphs: [{ title: "Light", series: [{ key: "lux", label: "light", quantity: "light" }] }] },
  battery: {
    title: "Battery",
    graphs: [{ title: "Charge", series: [{ key: "percent", label: "charge", quantity: "charge" }] }],
  },
  keys: { title: "Keys", graphs: [], keys: ["left", "right"] },
};
