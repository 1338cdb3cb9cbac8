// What the sensors measure, and how people read it.

const units = { temperature: "celsius", pressure: "hectopascal" };

/** Chooses "celsius" or "fahrenheit" for "temperature", "hectopascal" or "atmosphere" for "pressure". */
export function chooseUnit(quantity, unit) {
  units[quantity] = unit;
}

const same = (value) => value;

function plain(unit, decimals) {
  return () => ({ unit, decimals, convert: same, restore: same });
}

const quantities = {
  temperature: () =>
    units.temperature === "celsius"
      ? { unit: "°C", decimals: 2, convert: same, restore: same }
      : { unit: "°F", decimals: 2, convert: (value) => value * 1.8 + 32, restore: (value) => (value - 32) / 1.8 },
  pressure: () =>
    units.pressure === "hectopascal"
      ? { unit: "hPa", decimals: 2, convert: same, restore: same }
      : { unit: "atm", decimals: 5, convert: (value) => value / 1013.25, restore: (value) => value * 1013.25 },
  humidity: () => ({ unit: "%RH", decimals: 1, convert: (value) => Math.min(Math.max(value, 0), 100), restore: same }),
  acceleration: plain("g", 3),
  field: plain("µT", 1),
  rotation: plain("°/s", 1),
  light: plain("lx", 1),
  charge: plain("%", 0),
};

/** The present unit of a quantity: its name, its decimals, the conversion into it, and the one back. */
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
const one = (title, key, label, quantity) => ({ title, series: [{ key, label, quantity }] });

/** A column for each series of a graph, with the decimals of the sensor's resolution. */
const columns = (graph, decimals) => graph.series.map(({ key }) => [key, decimals]);

/**
 * The sensors by their names, in the order of the page: a title, also short for tiles; the graphs, each with one series
 * or more; and the columns in CSV files with their decimals, which are those of a recording (CSV.swift).
 */
export const sensors = {
  temperature: {
    title: "Infrared thermometer", short: "IR thermometer",
    graphs: [{
      title: "Temperature",
      series: [
        { key: "object_celsius", label: "object", quantity: "temperature" },
        { key: "ambient_celsius", label: "ambient", quantity: "temperature" },
      ],
    }],
    columns: [["ambient_celsius", 2], ["object_celsius", 2]],
  },
  humidity: {
    title: "Humidity",
    graphs: [
      one("Relative humidity", "relative_humidity_percent", "humidity", "humidity"),
      one("Air temperature", "temperature_celsius", "air", "temperature"),
    ],
    columns: [["temperature_celsius", 2], ["relative_humidity_percent", 2]],
  },
  barometer: {
    title: "Barometer",
    graphs: [
      one("Air pressure", "pressure_hpa", "pressure", "pressure"),
      one("Air temperature", "temperature_celsius", "air", "temperature"),
    ],
    columns: [["temperature_celsius", 2], ["pressure_hpa", 2]],
  },
  accelerometer: { title: "Accelerometer", graphs: [acceleration("")], columns: columns(acceleration(""), 4) },
  gyroscope: { title: "Gyroscope", graphs: [rotation("")], columns: columns(rotation(""), 3) },
  magnetometer: { title: "Magnetometer", graphs: [field("")], columns: columns(field(""), 2) },
  movement: {
    title: "Movement",
    graphs: [acceleration("accelerometer_"), rotation("gyroscope_"), field("magnetometer_")],
    columns: [
      ...columns(acceleration("accelerometer_"), 4), ...columns(rotation("gyroscope_"), 3),
      ...columns(field("magnetometer_"), 2),
    ],
  },
  optical: { title: "Light", graphs: [one("Illuminance", "lux", "light", "light")], columns: [["lux", 2]] },
  battery: {
    title: "Battery",
    // A tag sends its charge when it changes.
    graphs: [{ ...one("Charge", "percent", "charge", "charge"), isRare: true }],
    columns: [["percent", 0]],
  },
  keys: { title: "Keys", graphs: [], keys: ["left", "right"], columns: [["left", 0], ["right", 0]] },
};

const places = Object.keys(sensors);

/** The description of a sensor, also of one that this page doesn't know. */
export function describe(name) {
  return sensors[name] ?? { title: name, graphs: [], columns: [] };
}

/** Compares the places of two sensors on the page. */
export function comparePlaces(name, other) {
  return (places.indexOf(name) + 1 || places.length + 1) - (places.indexOf(other) + 1 || places.length + 1);
}

/** A sensor's reading in one short text: its first value or, of three axes, the length of the vector. */
export function summaryText(name, values) {
  const { graphs, keys } = describe(name);
  if (keys) return keys.filter((key) => values[key] === true).join(" + ") || "none";
  if (graphs.length === 0) return "–";
  const { series } = graphs[0];
  const [{ quantity }] = series;
  const numbers = series.map(({ key }) => values[key]);
  if (series.length < 3) return valueText(quantity, numbers[0] ?? numbers[1]);
  return numbers.includes(null) ? "–" : valueText(quantity, Math.hypot(...numbers));
}
