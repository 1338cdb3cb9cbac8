// What this browser remembers of the page's settings.

/** What was kept under a key, or something else. */
export function load(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps something under a key. A browser that keeps nothing forgets it with the page. */
export function save(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or not allowed.
  }
}
